/* SPDX-License-Identifier: MIT */
/* The reader of plans takes any bytes: it refuses them in one line of text or accepts them; then its points have
 * values.
 */
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "withy/sweep.h"

/* libfyaml 0.7.12 loses a buffer on some broken quoted keys; what is lost anywhere else counts. */
const char *__lsan_default_suppressions(void) { // NOLINT(bugprone-reserved-identifier): the name is given
  return "leak:libfyaml";
}

static const char scenario[] = "withy: 1\ntime: {end: 0.01}\nconstants: {a: 1}\n"
                               "rods: [{name: rod, length: 1, segments: 2, section: {shape: circle, radius: 0.01},\n"
                               "  material: {density: 1000, young: 1e6, poisson: 0.25}}]\n"
                               "probes: [{name: tip, at: end, quantity: position}]\n";

static void ask(const wy_plan *plan) {
  const int points = wy_plan_point_count(plan);
  char text[64];
  if (points < 1 || wy_plan_parameter_count(plan) < 1)
    abort();
  for (int i = 0; i < wy_plan_setting_count(plan); i++)
    for (int k = 0; k < 8; k++)
      if (wy_plan_setting(plan, (int)((long long)k * (points - 1) / 7), i, text, sizeof text) == 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wy_scenario_limits = (wy_limits){.rows = 1e4, .bytes = 2e6, .work = 1e5};
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  const wy_scenario_file known = {"rod", scenario};
  wy_plan *plan = NULL;
  wy_scenario_error error = {.text = ""};
  wy_plan_def def = wy_default_plan_def();
  def.label = "fuzz.yaml";
  def.text = text;
  def.scenarios = &known;
  def.scenario_count = 1;
  const wy_status status = wy_plan_read(&def, &plan, &error);
  if ((status == WY_OK) != (plan != NULL) || (status != WY_OK && (!error.text[0] || strchr(error.text, '\n'))))
    abort();
  if (plan)
    ask(plan);
  wy_plan_destroy(plan);
  free(text);
  return 0;
}
