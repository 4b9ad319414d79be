/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run/sweep/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/results/json.h"

/* ---- Removing ---- */

static wy_status remove_file(const char *path, wy_message *message) {
  return unlink(path) == 0 || errno == ENOENT ? WY_OK : wy_file_error(message, errno, "removing", path);
}

static wy_status remove_named(const char *folder, const char *kind, const wy_part_file *of, const char *ending,
                              wy_message *message) {
  char name[128], path[4096];
  snprintf(name, sizeof name, "%s-%d-of-%d.%s", kind, of->part, of->parts, ending);
  return wy_sweep_path(path, folder, name) ? remove_file(path, message) : WY_OK;
}

static bool is_of(const char *journal, const wy_plan *plan) {
  wy_journal_head head;
  return wy_journal_peek(journal, &head) && head.identity == plan->identity;
}

/* Another part. It stays if it is of the same plan: then it has a head, or another process is about to write it. */
static wy_status clear_part(const char *folder, const wy_plan *plan, bool shared, const wy_part_file *journal,
                            bool removes, wy_message *message) {
  const int file = open(journal->path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT ? WY_OK : wy_file_error(message, errno, "removing", journal->path);
  bool busy = wy_journal_busy(file), same = shared && is_of(journal->path, plan);
  for (int i = 0; i < WY_JOURNAL_WAITS && busy && !same; i++) {
    wy_journal_wait();
    busy = wy_journal_busy(file);
    same = shared && is_of(journal->path, plan);
  }
  wy_status status = WY_OK;
  if (busy && !same)
    status = wy_results_fail(message, WY_ERROR_INPUT,
                             "another process is computing part %d/%d of another plan in %s now; choose another folder "
                             "with -o DIR",
                             journal->part, journal->parts, folder);
  else if (removes && !same)
    status = remove_named(folder, "series", journal, "bin", message);
  if (status == WY_OK && removes && !same)
    status = remove_file(journal->path, message);
  close(file);
  return status;
}

static wy_status clear_parts(const char *folder, const wy_plan *plan, int part, int parts, bool removes,
                             wy_message *message) {
  wy_part_file *files;
  int count;
  wy_status status = wy_sweep_list(folder, "journal", "csv", &files, &count, message);
  for (int i = 0; i < count && status == WY_OK; i++)
    if (files[i].part != part || files[i].parts != parts)
      status = clear_part(folder, plan, parts > 1, &files[i], removes, message);
  free(files);
  return status;
}

/* Series without a journal. */
static wy_status clear_series(const char *folder, wy_message *message) {
  wy_part_file *files;
  int count;
  wy_status status = wy_sweep_list(folder, "series", "bin", &files, &count, message);
  for (int i = 0; i < count && status == WY_OK; i++) {
    char name[128], journal[4096];
    snprintf(name, sizeof name, "journal-%d-of-%d.csv", files[i].part, files[i].parts);
    if (wy_sweep_path(journal, folder, name) && access(journal, F_OK) != 0)
      status = remove_file(files[i].path, message);
  }
  free(files);
  return status;
}

wy_status wy_sweep_may_clear(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message) {
  return clear_parts(folder, plan, part, parts, false, message);
}

wy_status wy_sweep_clear(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message) {
  static const char *const results[] = {"sweep.csv", "sweep.h5", "index.html"};
  wy_status status = clear_parts(folder, plan, part, parts, true, message);
  if (status == WY_OK)
    status = clear_series(folder, message);
  for (int i = 0; i < 3 && status == WY_OK; i++) {
    char path[4096];
    if (wy_sweep_path(path, folder, results[i]))
      status = remove_file(path, message);
  }
  return status;
}

/* ---- What the sweep is about ---- */

/* Unless the file has this text already. Parts write at the same time: each has a name of its own first. */
static wy_status write_once(const char *folder, const char *name, const wy_text *text, int part, int parts,
                            wy_message *message) {
  char path[4096], first[4200], *old;
  size_t size;
  if (!wy_sweep_path(path, folder, name))
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is too long");
  wy_status status = wy_file_read(path, &old, &size, message);
  const bool same =
      status == WY_OK && old && !text->failed && size == text->length && memcmp(old, text->data, size) == 0;
  free(old);
  if (status != WY_OK || same)
    return status;
  snprintf(first, sizeof first, "%s.%d-of-%d", path, part, parts);
  status = wy_text_replace(first, text, message);
  if (status == WY_OK && rename(first, path) != 0)
    status = wy_file_error(message, errno, "writing", path);
  return status;
}

static void add_parameters(wy_json *json, const wy_point_set *points) {
  static const char *const kinds[] = {"list", "range", "uniform", "normal"};
  wy_json_list(json, "parameters");
  for (int i = 0; i < points->axis_count; i++) {
    const wy_axis *axis = &points->axes[i];
    wy_json_object(json, NULL);
    wy_json_string(json, "path", axis->path);
    wy_json_string(json, "kind", kinds[axis->kind]);
    if (axis->count > 0)
      wy_json_integer(json, "count", axis->count);
    if (axis->kind == WY_AXIS_RANGE || axis->kind == WY_AXIS_UNIFORM) {
      wy_json_number(json, "from", axis->from);
      wy_json_number(json, "to", axis->to);
      wy_json_string(json, "scale", axis->ratios ? "log" : "linear");
    } else if (axis->kind == WY_AXIS_NORMAL) {
      wy_json_number(json, "mean", axis->mean);
      wy_json_number(json, "deviation", axis->deviation);
    }
    if (axis->unit[0])
      wy_json_string(json, "unit", axis->unit);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static const char *of_name(const wy_kept *kept) {
  if (kept->kind == WY_KEPT_EXPRESSION)
    return "expression";
  const wy_key *of = wy_schema_key(&wy_schema_keep, kept->kind == WY_KEPT_RUN ? "run" : "of");
  return of->words[kept->kind == WY_KEPT_RUN ? (int)kept->run : (int)kept->of].name;
}

static void add_kept(wy_json *json, const wy_plan *plan) {
  static const char *const kinds[] = {"probe", "mode", "run", "expression"};
  wy_json_list(json, "quantities");
  for (int i = 0; i < plan->kept_count; i++) {
    const wy_kept *kept = &plan->kept[i];
    wy_json_object(json, NULL);
    wy_json_string(json, "name", kept->name);
    wy_json_string(json, "kind", kinds[kept->kind]);
    wy_json_string(json, "of", of_name(kept));
    if (kept->kind == WY_KEPT_PROBE)
      wy_json_string(json, "column", kept->column);
    if (kept->kind == WY_KEPT_EXPRESSION)
      wy_json_string(json, "text", kept->text);
    if (kept->unit[0])
      wy_json_string(json, "unit", kept->unit);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
  wy_json_list(json, "series");
  for (int i = 0; i < plan->series_count; i++) {
    wy_json_object(json, NULL);
    wy_json_string(json, "name", plan->series[i].name);
    wy_json_list(json, "columns");
    for (int k = 0; k < plan->series[i].column_count; k++)
      wy_json_string(json, NULL, plan->series[i].columns[k]);
    wy_json_end_list(json);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

wy_status wy_sweep_write_about(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message) {
  const wy_key *combine = wy_schema_key(&wy_schema_plan, "combine");
  wy_text text = {0};
  wy_json json = {.text = &text};
  char identity[20];
  wy_text_append(&text, plan->text, strlen(plan->text));
  wy_status status = write_once(folder, "plan.yaml", &text, part, parts, message);
  text.length = 0;
  snprintf(identity, sizeof identity, "%016" PRIx64, plan->identity);
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  wy_json_string(&json, "version", wy_version());
  wy_json_string(&json, "scenario", plan->scenario);
  wy_json_string(&json, "identity", identity);
  wy_json_string(&json, "combine", combine->words[plan->points.combine].name);
  wy_json_integer(&json, "points", plan->points.count);
  if (plan->batch)
    wy_json_boolean(&json, "batch", true);
  wy_json_list(&json, "settings");
  for (int i = 0; i < plan->setting_count; i++)
    wy_json_string(&json, NULL, plan->settings[i]);
  wy_json_end_list(&json);
  add_parameters(&json, &plan->points);
  add_kept(&json, plan);
  wy_json_end_object(&json);
  if (status == WY_OK)
    status = write_once(folder, "sweep.json", &text, part, parts, message);
  wy_text_free(&text);
  return status;
}

/* ---- Series ---- */

wy_status wy_series_set_open(wy_series_set *set, const char *folder, int points, wy_message *message) {
  *set = (wy_series_set){0};
  int count;
  wy_status status = wy_sweep_list(folder, "series", "bin", &set->names, &count, message);
  if (status != WY_OK)
    return status;
  set->files = malloc(((size_t)count + 1) * sizeof *set->files);
  set->whole = calloc((size_t)count + 1, sizeof *set->whole);
  set->places = calloc((size_t)points + 1, sizeof *set->places);
  if (!set->files || !set->whole || !set->places)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the series");
  for (int i = 0; i < count && status == WY_OK; i++) {
    set->files[i] = open(set->names[i].path, O_RDONLY | O_CLOEXEC);
    if (set->files[i] < 0)
      return wy_file_error(message, errno, "reading", set->names[i].path);
    set->count++;
    status = wy_series_scan(set->files[i], i + 1, points, set->places, &set->whole[i], message);
  }
  return status;
}

void wy_series_set_close(wy_series_set *set) {
  for (int i = 0; i < set->count; i++)
    close(set->files[i]);
  free(set->files);
  free(set->names);
  free(set->whole);
  free(set->places);
  *set = (wy_series_set){0};
}
