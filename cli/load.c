/* SPDX-License-Identifier: MIT */
/* A scenario from the command line: a file, or the name of a built-in one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "run/tree/bytes.h"
#include "scenes/builtin.h"
#include "withy/folder.h"
#include "withy/run.h"

enum { MOST_NAMES = 256 };

static int refuse_file(const char *file, const char *reason) {
  fprintf(stderr, "%s: %s\n", file, reason);
  return WY_EXIT_INPUT;
}

const char *wy_cli_builtin_name(int number) {
  return number < wy_builtin_scenario_count ? wy_builtin_scenarios[number].name : NULL;
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

static int report(wy_status status, const wy_scenario_error *error) {
  if (status == WY_OK)
    return WY_EXIT_DONE;
  fprintf(stderr, "%s\n%s", error->text, error->excerpt);
  return status == WY_ERROR_MEMORY ? WY_EXIT_FAILED : WY_EXIT_INPUT;
}

/* With the files that the run has stored in its folder: they may not be where they were. */
static wy_status read_resumed(const char *argument, const char *const *settings, int count, const char *resumed,
                              wy_scenario **out, wy_scenario_error *reason) {
  wy_folder *folder = NULL;
  wy_status status = WY_ERROR_FILE;
  int files = 0;
  char *text = NULL, name[256];
  const char *why;
  size_t size;
  const wy_scenario_file *stored =
      wy_folder_open(resumed, &folder, NULL) == WY_OK ? wy_folder_files(folder, &files) : NULL;
  wy_scenario_name(argument, name, sizeof name);
  if (stored && wy_bytes_read(argument, &text, &size, &why) == WY_OK)
    status =
        wy_scenario_read_using(wy_distance_file, argument, name, text, settings, count, stored, files, out, reason);
  free(text);
  wy_folder_close(folder);
  return status;
}

int wy_cli_load(const char *argument, const char *const *settings, int count, const char *resumed, wy_scenario **out) {
  struct stat status;
  wy_scenario_error reason;
  *out = NULL;
  const int error = stat(argument, &status) == 0 ? 0 : errno;
  const bool folder = !error && S_ISDIR(status.st_mode); /* perhaps of a run with -o NAME */
  for (int i = 0; (error || folder) && i < wy_builtin_scenario_count; i++)
    if (strcmp(wy_builtin_scenarios[i].name, argument) == 0)
      return report(wy_scenario_read_with(argument, argument, wy_builtin_scenarios[i].text, settings, count,
                                          wy_builtin_files, wy_builtin_file_count, out, &reason),
                    &reason);
  if (error)
    return error == ENOENT ? refuse_name(argument) : refuse_file(argument, strerror(error));
  if (folder)
    return refuse_file(argument, "found a folder; expected a scenario file");
  wy_status read =
      wy_scenario_read_using(wy_distance_file, argument, NULL, NULL, settings, count, NULL, 0, out, &reason);
  if (read == WY_ERROR_FILE && resumed)
    read = read_resumed(argument, settings, count, resumed, out, &reason);
  return report(read, &reason);
}
