/* SPDX-License-Identifier: MIT */
/* The scenario reader takes any bytes: it refuses them in one line of text or accepts them, and never takes long. */
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

/* libfyaml 0.7.12 loses a buffer on some broken quoted keys; what is lost anywhere else counts. */
const char *__lsan_default_suppressions(void) { // NOLINT(bugprone-reserved-identifier): the name is given
  return "leak:libfyaml";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wy_scenario_limits = (wy_limits){.rows = 1e4, .bytes = 2e6, .work = 1e5};
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';

  /* Bytes after a "#set " line go to --set, so that paths are exercised as well. */
  const char *settings[1];
  char *mark = strstr(text, "\n#set ");
  if (mark) {
    *mark = '\0';
    settings[0] = mark + 6;
  }
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {.text = ""};
  wy_status status = wy_scenario_read("fuzz.yaml", "fuzz", text, settings, mark != NULL, &scenario, &error);
  if ((status == WY_OK) != (scenario != NULL) || (status != WY_OK && (!error.text[0] || strchr(error.text, '\n'))))
    abort();
  wy_scenario_destroy(scenario);
  free(text);
  return 0;
}
