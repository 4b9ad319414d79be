/* A scenario from the command line: a file, or the name of a built-in one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "run/tree/yaml.h"
#include "scenes/builtin.h"

enum { MOST_NAMES = 256 };

static int refuse_file(const char *file, const char *reason) {
  fprintf(stderr, "%s: %s\n", file, reason);
  return WY_EXIT_INPUT;
}

const char *wy_cli_closest_builtin(const char *name) {
  const char *names[MOST_NAMES];
  int count = 0;
  for (; count < wy_builtin_scenario_count && count < MOST_NAMES; count++)
    names[count] = wy_builtin_scenarios[count].name;
  return wy_suggest(name, names, count);
}

static int refuse_name(const char *argument) {
  const char *close = wy_cli_closest_builtin(argument);
  if (close)
    fprintf(stderr, "%s: found no such file and no built-in scenario; did you mean '%s'?\n", argument, close);
  else
    fprintf(stderr, "%s: found no such file and no built-in scenario; expected a file, or a name of `withy list`\n",
            argument);
  return WY_EXIT_INPUT;
}

/* The text of a file, terminated; NULL after a message. */
static char *read_file(const char *file) {
  char *text = malloc(WY_YAML_BYTES + 2);
  FILE *stream = text ? fopen(file, "rb") : NULL;
  if (!stream) {
    refuse_file(file, strerror(errno));
    free(text);
    return NULL;
  }
  size_t size = fread(text, 1, WY_YAML_BYTES + 1, stream);
  bool failed = ferror(stream) != 0;
  fclose(stream);
  text[size] = '\0';
  const char *nul = memchr(text, '\0', size);
  int line = 1;
  for (const char *p = text; nul && p < nul; p++)
    line += *p == '\n';
  if (failed)
    refuse_file(file, "reading failed");
  else if (size > WY_YAML_BYTES)
    fprintf(stderr, "%s: found more than %d bytes; expected a smaller file\n", file, WY_YAML_BYTES);
  else if (nul)
    fprintf(stderr, "%s:%d: found the byte 0x00; expected UTF-8 text\n", file, line);
  if (!failed && size <= WY_YAML_BYTES && !nul)
    return text;
  free(text);
  return NULL;
}

/* The file's name without folder and .yaml. */
static void scenario_name(const char *file, char *out, size_t size) {
  const char *slash = strrchr(file, '/');
  snprintf(out, size, "%s", slash ? slash + 1 : file);
  char *point = strrchr(out, '.');
  if (point && point != out && (strcmp(point, ".yaml") == 0 || strcmp(point, ".yml") == 0))
    *point = '\0';
}

static int read_scenario(const char *label, const char *name, const char *text, const char *const *settings, int count,
                         wy_scenario **out) {
  wy_scenario_error error;
  if (wy_scenario_read(label, name, text, settings, count, out, &error) == WY_OK)
    return WY_EXIT_DONE;
  fprintf(stderr, "%s\n%s", error.text, error.excerpt);
  return WY_EXIT_INPUT;
}

int wy_cli_load(const char *argument, const char *const *settings, int count, wy_scenario **out) {
  struct stat status;
  *out = NULL;
  const int error = stat(argument, &status) == 0 ? 0 : errno;
  const bool folder = !error && S_ISDIR(status.st_mode); /* perhaps of a run with -o NAME */
  for (int i = 0; (error || folder) && i < wy_builtin_scenario_count; i++)
    if (strcmp(wy_builtin_scenarios[i].name, argument) == 0)
      return read_scenario(argument, argument, wy_builtin_scenarios[i].text, settings, count, out);
  if (error)
    return error == ENOENT ? refuse_name(argument) : refuse_file(argument, strerror(error));
  if (folder)
    return refuse_file(argument, "found a folder; expected a scenario file");
  char *text = read_file(argument);
  if (!text)
    return WY_EXIT_INPUT;
  char name[256];
  scenario_name(argument, name, sizeof name);
  int result = read_scenario(argument, name, text, settings, count, out);
  free(text);
  return result;
}
