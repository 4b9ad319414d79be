/* SPDX-License-Identifier: MIT */
/* The rows of all journals of a folder, put together: sweep.csv, and sweep.h5 where it is wanted. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/sweep/files.h"
#include "run/tree/json.h"

/* ---- sweep.json ---- */

static const wy_node *list_of(const wy_node *root, const char *key) {
  const wy_node *node = wy_yaml_find(root, key);
  return node && node->kind == WY_LIST ? node : NULL;
}

static const char *text_of(const wy_node *mapping, const char *key) {
  const wy_node *node = wy_yaml_find(mapping, key);
  return node && node->kind == WY_SCALAR ? node->text : "";
}

/* A text of each entry of a list. */
static const char *const *texts_of(wy_pool *pool, const wy_node *list, const char *key, int *count) {
  const char **texts = wy_pool_take(pool, (size_t)(list ? list->count : 0) * sizeof *texts);
  for (const wy_node *node = list ? list->first : NULL; node && texts; node = node->next)
    texts[node->index] = key ? text_of(node, key) : node->text ? node->text : "";
  *count = list ? list->count : 0;
  return texts;
}

static wy_status read_about(const char *folder, wy_pool *pool, wy_sweep_about *about, wy_message *message) {
  char path[4096], *text = NULL;
  size_t size;
  wy_yaml_error reason = {.text = ""};
  wy_status status = WY_OK;
  if (!wy_sweep_path(path, folder, "sweep.json"))
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is too long");
  status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK)
    return status;
  const wy_node *root = text ? wy_json_read_own(pool, text, &reason) : NULL;
  free(text);
  if (!root)
    return wy_results_fail(message, pool->failed ? WY_ERROR_MEMORY : WY_ERROR_INPUT, "%s cannot be read: %s", path,
                           text ? reason.text : "there is no such file");
  int units;
  about->scenario = text_of(root, "scenario");
  about->parameters = texts_of(pool, list_of(root, "parameters"), "path", &about->parameter_count);
  about->quantities = texts_of(pool, list_of(root, "quantities"), "name", &about->quantity_count);
  about->units = texts_of(pool, list_of(root, "quantities"), "unit", &units);
  const wy_node *list = list_of(root, "series");
  wy_kept_series *series = wy_pool_take(pool, (size_t)(list ? list->count : 0) * sizeof *series);
  for (const wy_node *node = list ? list->first : NULL; node && series; node = node->next) {
    series[node->index].name = text_of(node, "name");
    series[node->index].columns = texts_of(pool, list_of(node, "columns"), NULL, &series[node->index].column_count);
  }
  about->series = series;
  about->series_count = list ? list->count : 0;
  return pool->failed ? wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while reading %s", path) : WY_OK;
}

/* ---- Rows ---- */

static wy_status read_rows(const char *folder, wy_rows *rows, wy_message *message) {
  wy_part_file *files;
  uint64_t whole;
  int count;
  wy_status status = wy_sweep_list(folder, "journal", "csv", &files, &count, message);
  for (int i = 0; i < count && status == WY_OK; i++)
    status = wy_rows_read(rows, files[i].path, &whole, message);
  free(files);
  if (status == WY_OK && (!rows->lines || !rows->header))
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s contains no sweep: found no journal-1-of-1.csv or the like",
                             folder);
  return status;
}

static wy_sweep_counts count_rows(const wy_rows *rows) {
  wy_sweep_counts counts = {.points = rows->points};
  int of[WY_POINT_INTERRUPTED + 1] = {0};
  for (int i = 0; i < rows->points; i++)
    of[rows->states[i]]++;
  counts.missing = of[0];
  counts.done = of[WY_POINT_DONE + 1];
  counts.wrong = of[WY_POINT_WRONG + 1];
  counts.failed = of[WY_POINT_FAILED + 1];
  counts.refused = of[WY_POINT_REFUSED + 1];
  counts.before = rows->points - counts.missing;
  return counts;
}

static wy_status write_csv(const char *folder, const wy_rows *rows, wy_message *message) {
  char path[4096];
  wy_text text = {0};
  if (!wy_sweep_path(path, folder, "sweep.csv"))
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is too long");
  assert(rows->header);
  wy_text_append(&text, rows->header, strlen(rows->header));
  for (int i = 0; i < rows->points; i++)
    if (rows->lines[i])
      wy_text_append(&text, rows->lines[i], strcspn(rows->lines[i], "\n") + 1);
  const wy_status status = wy_text_replace(path, &text, message);
  wy_text_free(&text);
  return status;
}

/* ---- What is missing ---- */

/* "part 2/4 (25 points), part 3/4 (1 point)", some of them. */
static void name_parts(const wy_rows *rows, char *out, size_t size) {
  enum { MOST = 20 };
  int named = 0, others = 0;
  size_t used = 0;
  for (int part = 0; part < rows->parts && part < rows->points; part++) {
    int missing = 0;
    for (int point = part; point < rows->points; point += rows->parts)
      missing += rows->states[point] == 0;
    if (missing > 0 && named++ < MOST && used < size)
      used += (size_t)snprintf(out + used, size - used, "%spart %d/%d (%d point%s)", used ? ", " : "", part + 1,
                               rows->parts, missing, missing == 1 ? "" : "s");
    else
      others += missing > 0;
  }
  if (others > 0 && used < size)
    snprintf(out + used, size - used, " and %d more", others);
}

static void name_points(const wy_rows *rows, char *out, size_t size) {
  enum { MOST = 20 };
  int named = 0;
  size_t used = (size_t)snprintf(out, size, "points");
  for (int point = 0; point < rows->points && named < MOST; point++)
    if (rows->states[point] == 0 && used < size)
      used += (size_t)snprintf(out + used, size - used, "%s %d", named++ ? "," : "", point);
  if (named == MOST && used < size)
    snprintf(out + used, size - used, ", ...");
}

static wy_status judge(const char *folder, const wy_rows *rows, const wy_sweep_counts *counts, wy_message *message) {
  char which[800] = "";
  if (counts->missing == 0)
    return WY_OK;
  if (rows->parts > 1)
    name_parts(rows, which, sizeof which);
  else
    name_points(rows, which, sizeof which);
  return wy_results_fail(message, WY_ERROR_RESULT, "%s: %d of %d points have no row: %s", folder, counts->missing,
                         rows->points, which);
}

/* ---- All ---- */

static wy_status write_results(const char *folder, bool hdf5, const wy_rows *rows, wy_message *message) {
  wy_pool pool = {0};
  wy_sweep_about about = {0};
  wy_series_set set = {0};
  wy_status status = read_about(folder, &pool, &about, message);
  if (status == WY_OK)
    status = write_csv(folder, rows, message);
  if (status == WY_OK && (hdf5 || about.series_count > 0)) {
    status = wy_series_set_open(&set, folder, rows->points, message);
    if (status == WY_OK)
      status = wy_sweep_write_h5(folder, &about, rows, &set, message);
    wy_series_set_close(&set);
  }
  wy_pool_release(&pool);
  return status;
}

wy_status wy_sweep_gather(const char *folder, bool hdf5, wy_sweep_counts *counts, wy_message *message) {
  wy_rows rows = {0};
  wy_status status = read_rows(folder, &rows, message);
  if (status == WY_OK)
    status = write_results(folder, hdf5, &rows, message);
  if (status == WY_OK) {
    const wy_sweep_counts counted = count_rows(&rows);
    if (counts)
      *counts = counted;
    status = judge(folder, &rows, &counted, message);
  }
  wy_rows_free(&rows);
  return status;
}

wy_status wy_sweep_collect(const char *folder, bool hdf5, wy_sweep_counts *counts, wy_message *message) {
  if (counts)
    *counts = (wy_sweep_counts){0};
  if (!folder || !*folder)
    return wy_results_fail(message, WY_ERROR_INPUT, "found no folder; expected that of a sweep");
  return wy_sweep_gather(folder, hdf5, counts, message);
}
