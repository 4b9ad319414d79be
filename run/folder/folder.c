/* SPDX-License-Identifier: MIT */
/* The folder itself: its memory, what it keeps, the scenario and the model. */
#include "run/folder/folder.h"

#include <errno.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/tree/json.h"

/* ---- Memory ---- */

void *wy_folder_take(wy_folder *folder, size_t count, size_t size) {
  /* Half of what size_t can say is more than any machine has, and leaves room for the pool's own words. */
  if (count > SIZE_MAX / 2 / size)
    return NULL;
  return wy_pool_take(&folder->pool, count > 0 ? count * size : 1);
}

char *wy_folder_copy(wy_folder *folder, const char *text, size_t length) {
  return wy_pool_copy(&folder->pool, text, length);
}

const char *wy_folder_print(wy_folder *folder, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : wy_folder_take(folder, (size_t)length + 1, 1);
  va_start(arguments, format);
  if (text)
    vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  return text;
}

wy_status wy_folder_out_of_memory(wy_message *message) {
  return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while reading results");
}

static size_t list_of(const char *name) {
  return (size_t)(wy_hash(WY_HASH_START, name, strlen(name)) % WY_FOLDER_LISTS);
}

bool wy_folder_recall(const wy_folder *folder, const char *kind, const char *name, const void **content) {
  for (const wy_folder_entry *entry = folder->entries[list_of(name)]; entry; entry = entry->next)
    if (strcmp(entry->kind, kind) == 0 && strcmp(entry->name, name) == 0) {
      *content = entry->content;
      return true;
    }
  return false;
}

wy_status wy_folder_keep(wy_folder *folder, const char *kind, const char *name, const void *content,
                         wy_message *message) {
  wy_folder_entry *entry = wy_folder_take(folder, 1, sizeof *entry);
  const char *copy = wy_folder_copy(folder, name, strlen(name));
  if (!entry || !copy)
    return wy_folder_out_of_memory(message);
  wy_folder_entry **list = &folder->entries[list_of(name)];
  *entry = (wy_folder_entry){.next = *list, .kind = kind, .name = copy, .content = content};
  *list = entry;
  return WY_OK;
}

/* ---- Open and close ---- */

wy_status wy_folder_open(const char *path, wy_folder **out, wy_message *message) {
  struct stat status;
  if (out)
    *out = NULL;
  if (!path || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given; expected the folder that `withy run` wrote");
  if (stat(path, &status) != 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s: %s", path, strerror(errno));
  if (!S_ISDIR(status.st_mode))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not a folder; expected the folder that `withy run` wrote",
                           path);
  wy_folder *folder = calloc(1, sizeof *folder);
  if (!folder)
    return wy_folder_out_of_memory(message);
  folder->file = -1;
  folder->path = wy_folder_copy(folder, path, strlen(path));
  if (!folder->path) {
    wy_folder_close(folder);
    return wy_folder_out_of_memory(message);
  }
  *out = folder;
  return WY_OK;
}

void wy_folder_close(wy_folder *folder) {
  if (!folder)
    return;
  if (folder->file >= 0)
    H5Fclose(folder->file);
  wy_model_destroy(folder->model);
  wy_scenario_destroy(folder->scenario);
  wy_pool_release(&folder->pool);
  free(folder);
}

const char *wy_folder_path(const wy_folder *folder) {
  return folder ? folder->path : NULL;
}

bool wy_folder_has(const wy_folder *folder, const char *file) {
  struct stat status;
  wy_text path = {0};
  if (!folder || !file)
    return false;
  wy_text_add(&path, "%s/%s", folder->path, file);
  bool found = path.data && stat(path.data, &status) == 0;
  wy_text_free(&path);
  return found;
}

/* A scenario that cannot be read is one that this version does not know, and results are shown without it; one for
   which memory was missing must not look like that. */
static wy_status check_memory(wy_folder *folder, wy_message *message) {
  wy_folder_scenario(folder);
  return folder->no_memory || folder->pool.failed ? wy_folder_out_of_memory(message) : WY_OK;
}

wy_status wy_folder_check(wy_folder *folder, wy_message *message) {
  const wy_probes *path = NULL, *rows = NULL;
  const wy_stored_modes *modes = NULL;
  const double *time = NULL;
  int snapshots = 0;
  wy_status status = wy_folder_path_probes(folder, &path, message);
  if (status == WY_OK && !path)
    status = wy_folder_probes(folder, &rows, message);
  if (status == WY_OK)
    status = wy_folder_snapshots(folder, &snapshots, &time, message);
  if (status == WY_OK)
    status = wy_folder_modes(folder, &modes, message);
  if (status == WY_OK)
    status = check_memory(folder, message);
  if (status != WY_OK || (path && path->rows > 0) || (rows && rows->rows > 0) || snapshots > 0 ||
      (modes && modes->count > 0))
    return status;
  return wy_results_fail(message, WY_ERROR_INPUT, "%s contains no results: probes.csv and result.h5 have no rows",
                         folder->path);
}

/* ---- What was run ---- */

/* The lines of a text, in place. */
static int split_lines(char *text, const char **lines, int most) {
  int count = 0;
  for (char *line = text; line && *line && count < most;) {
    char *end = strchr(line, '\n');
    lines[count++] = line;
    if (end)
      *end = '\0';
    line = end ? end + 1 : NULL;
  }
  return count;
}

static void read_files(wy_folder *folder) {
  const char *text = wy_folder_text(folder, "/", "files");
  wy_yaml_error error;
  const wy_node *list = text ? wy_json_read_own(&folder->pool, text, &error) : NULL;
  folder->has_files = true;
  wy_scenario_file *files = list ? wy_folder_take(folder, (size_t)list->count, sizeof *files) : NULL;
  for (const wy_node *entry = files ? list->first : NULL; entry; entry = entry->next) {
    const wy_node *name = wy_yaml_find(entry, "name"), *content = wy_yaml_find(entry, "text");
    if (!name || !content || !name->text || !content->text)
      return;
    files[entry->index] = (wy_scenario_file){name->text, content->text};
  }
  folder->files = files;
  folder->file_count = files ? list->count : 0;
}

const wy_scenario_file *wy_folder_files(wy_folder *folder, int *count) {
  if (folder && !folder->has_files)
    read_files(folder);
  if (count)
    *count = folder ? folder->file_count : 0;
  return folder ? folder->files : NULL;
}

static void read_scenario(wy_folder *folder) {
  enum { MOST_SETTINGS = 1000 };
  const char *settings[MOST_SETTINGS], *text = wy_folder_scenario_text(folder), *set = wy_folder_settings(folder);
  folder->has_scenario = true;
  char *lines = wy_folder_copy(folder, set ? set : "", set ? strlen(set) : 0);
  if (!text || !lines)
    return;
  int count = split_lines(lines, settings, MOST_SETTINGS), file_count;
  const wy_scenario_file *files = wy_folder_files(folder, &file_count);
  wy_scenario *scenario = NULL;
  const wy_status status =
      wy_scenario_read_with("scenario", "scenario", text, settings, count, files, file_count, &scenario, NULL);
  folder->no_memory = status == WY_ERROR_MEMORY;
  if (status != WY_OK)
    return;
  folder->scenario = scenario;
  /* Reading has made the model for its checks, and hands it over. */
  wy_sim *sim = NULL;
  if (wy_scenario_build(scenario, &folder->model, &sim, NULL) != WY_OK)
    folder->model = NULL;
  wy_sim_destroy(sim);
}

const wy_scenario *wy_folder_scenario(wy_folder *folder) {
  if (folder && !folder->has_scenario)
    read_scenario(folder);
  return folder ? folder->scenario : NULL;
}

const wy_model *wy_folder_model(wy_folder *folder) {
  return wy_folder_scenario(folder) ? folder->model : NULL;
}

const char *wy_folder_scenario_text(wy_folder *folder) {
  return wy_folder_text(folder, "/", "scenario");
}

const char *wy_folder_settings(wy_folder *folder) {
  return wy_folder_text(folder, "/", "settings");
}

const char *wy_folder_title(wy_folder *folder) {
  const wy_scenario *scenario = wy_folder_scenario(folder);
  const void *kept = "";
  if (scenario && scenario->title[0])
    return scenario->title;
  if (!folder || wy_folder_recall(folder, "title", "", &kept))
    return kept;
  char *copy = wy_folder_copy(folder, folder->path, strlen(folder->path));
  const char *name = copy ? basename(copy) : "";
  wy_folder_keep(folder, "title", "", name, NULL);
  return name;
}

wy_analysis wy_folder_analysis(wy_folder *folder) {
  const char *name = wy_folder_text(folder, "/", "analysis");
  int analysis = WY_BUCKLING;
  while (analysis > WY_DYNAMICS && (!name || strcmp(name, wy_analysis_name((wy_analysis)analysis)) != 0))
    analysis--;
  return (wy_analysis)analysis;
}

bool wy_folder_has_one_state(wy_folder *folder) {
  wy_analysis analysis = wy_folder_analysis(folder);
  return analysis != WY_DYNAMICS && analysis != WY_QUASISTATICS;
}
