/* SPDX-License-Identifier: MIT */
/* The files of a sweep: sweep.json names the columns, sweep.csv has the rows. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/gnuplot.h"
#include "draw/sweep/csv.h"
#include "draw/sweep/sweep.h"
#include "run/results/file.h"
#include "run/tree/json.h"

/* ---- sweep.json ---- */

static const char *text_of(const wy_node *node, const char *key) {
  const wy_node *found = node->kind == WY_MAPPING ? wy_yaml_find(node, key) : NULL;
  return found && found->kind == WY_SCALAR ? found->text : "";
}

static const wy_node *list_of(const wy_node *root, const char *key) {
  const wy_node *found = wy_yaml_find(root, key);
  return found && found->kind == WY_LIST ? found : NULL;
}

static wy_swept_column *read_columns(const wy_node *list, const char *key, int *count, wy_memory *memory) {
  *count = list ? list->count : 0;
  wy_swept_column *columns = wy_memory_take(memory, (size_t)*count, sizeof *columns), *next = columns;
  for (const wy_node *entry = list ? list->first : NULL; entry; entry = entry->next)
    *next++ = (wy_swept_column){.name = text_of(entry, key),
                                .unit = text_of(entry, "unit"),
                                .cost = strcmp(text_of(entry, "kind"), "run") == 0};
  return columns;
}

static void read_settings(wy_swept *data, const wy_node *list) {
  const char **settings = wy_memory_take(data->memory, list ? (size_t)list->count : 0, sizeof *settings);
  for (const wy_node *entry = list ? list->first : NULL; entry; entry = entry->next)
    if (entry->kind == WY_SCALAR)
      settings[data->settings++] = entry->text;
  data->setting = settings;
}

static wy_status read_description(wy_swept *data, wy_message *message) {
  const char *path = wy_draw_join(data->memory, data->folder, "sweep.json");
  wy_yaml_error error = {.line = 0};
  size_t size = 0;
  wy_status status = wy_file_read(path, &data->text[0], &size, message);
  if (status != WY_OK)
    return status;
  if (!data->text[0])
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not the folder of a sweep: there is no sweep.json in it",
                           data->folder);
  const wy_node *root = wy_json_read_own(&data->memory->pool, data->text[0], &error);
  if (!root && data->memory->pool.failed)
    return wy_memory_failed(message);
  if (!root)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %s", path, error.line, error.text);
  if (strcmp(text_of(root, "format"), "1") != 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s: format: found '%.40s'; expected 1, as `withy sweep` writes it",
                           path, text_of(root, "format"));
  data->scenario = text_of(root, "scenario");
  data->version = text_of(root, "version");
  data->combine = text_of(root, "combine");
  data->batch = strcmp(text_of(root, "batch"), "true") == 0;
  data->points = (int)fmin(fmax(strtod(text_of(root, "points"), NULL), 0), INT_MAX);
  read_settings(data, list_of(root, "settings"));
  data->parameter = read_columns(list_of(root, "parameters"), "path", &data->parameters, data->memory);
  data->quantity = read_columns(list_of(root, "quantities"), "name", &data->quantities, data->memory);
  return WY_OK;
}

/* ---- sweep.csv ---- */

/* The file while it is read. */
typedef struct table {
  wy_swept *data;
  const char *path;
  wy_records records;
  int columns; /* point, parameters, quantities, status, message */
  char **fields;
  int line; /* of the fields */
} table;

static wy_status damaged(const table *t, const char *column, const char *found, const char *expected,
                         wy_message *message) {
  return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %.80s: found '%.80s'; expected %.120s", t->path, t->line,
                         column, found, expected);
}

static const char *heading(const wy_swept *data, int column) {
  const int last = 1 + data->parameters + data->quantities;
  if (column == 0)
    return "point";
  if (column >= last)
    return column == last ? "status" : "message";
  return column <= data->parameters ? data->parameter[column - 1].name
                                    : data->quantity[column - 1 - data->parameters].name;
}

static wy_status read_record(table *t, bool *end, wy_message *message) {
  t->line = t->records.line;
  const int count = wy_records_next(&t->records, t->fields, t->columns);
  *end = count == 0;
  if (count < 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: a quoted field has no end", t->path, t->line);
  if (count > 0 && count != t->columns)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: found %d fields; expected %d, as sweep.json has them",
                           t->path, t->line, count, t->columns);
  return WY_OK;
}

static wy_status read_heading(table *t, wy_message *message) {
  bool end = false;
  wy_status status = read_record(t, &end, message);
  if (status == WY_OK && end)
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s:1: found nothing; expected a line of names", t->path);
  for (int i = 0; i < t->columns && status == WY_OK; i++)
    if (strcmp(t->fields[i], heading(t->data, i)) != 0)
      status = damaged(t, "a name", t->fields[i], heading(t->data, i), message);
  return status;
}

static wy_status read_state(const table *t, int row, wy_message *message) {
  const char *text = t->fields[t->columns - 2];
  for (int i = 0; i < WY_SWEPT_STATES; i++)
    if (strcmp(text, wy_point_status_name((wy_point_status)i)) == 0) {
      t->data->state[row] = (wy_point_status)i;
      t->data->count[i]++;
      return WY_OK;
    }
  return damaged(t, "status", text, "done, wrong, failed or refused", message);
}

static wy_status read_row(const table *t, int row, wy_message *message) {
  wy_swept *data = t->data;
  char *end;
  const long point = strtol(t->fields[0], &end, 10);
  if (end == t->fields[0] || *end || point < 0 || point >= INT_MAX)
    return damaged(t, "point", t->fields[0], "a number from 0", message);
  data->point[row] = (int)point;
  data->message[row] = t->fields[t->columns - 1];
  for (int i = 0; i < data->parameters; i++)
    data->parameter[i].text[row] = t->fields[1 + i];
  for (int i = 0; i < data->quantities; i++)
    data->quantity[i].text[row] = t->fields[1 + data->parameters + i];
  return read_state(t, row, message);
}

static void make_room(wy_swept *data, size_t rows) {
  data->point = wy_memory_take(data->memory, rows, sizeof *data->point);
  data->state = wy_memory_take(data->memory, rows, sizeof *data->state);
  data->message = wy_memory_take(data->memory, rows, sizeof *data->message);
  for (int i = 0; i < data->parameters; i++)
    data->parameter[i].text = wy_memory_take(data->memory, rows, sizeof *data->parameter[i].text);
  for (int i = 0; i < data->quantities; i++)
    data->quantity[i].text = wy_memory_take(data->memory, rows, sizeof *data->quantity[i].text);
}

static wy_status read_rows(wy_swept *data, wy_message *message) {
  table t = {.data = data,
             .path = wy_draw_join(data->memory, data->folder, "sweep.csv"),
             .columns = 3 + data->parameters + data->quantities};
  size_t size = 0, lines = 1;
  wy_status status = wy_file_read(t.path, &data->text[1], &size, message);
  if (status != WY_OK)
    return status;
  if (!data->text[1])
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s is missing: the sweep has not ended, or its parts have not been put together by "
                           "`withy sweep --collect`",
                           t.path);
  for (size_t i = 0; i < size; i++)
    lines += data->text[1][i] == '\n';
  t.records = (wy_records){data->text[1], 1};
  t.fields = wy_memory_take(data->memory, (size_t)t.columns, sizeof *t.fields);
  make_room(data, lines);
  status = read_heading(&t, message);
  for (bool end = false; status == WY_OK; data->rows += !end) {
    status = read_record(&t, &end, message);
    if (end)
      break;
    if (status == WY_OK)
      status = read_row(&t, data->rows, message);
  }
  return status;
}

/* ---- Both ---- */

wy_status wy_swept_read(const char *folder, wy_memory *memory, wy_swept *data, wy_message *message) {
  data->memory = memory;
  data->folder = folder;
  wy_status status = read_description(data, message);
  if (status == WY_OK)
    status = read_rows(data, message);
  if (status == WY_OK)
    wy_swept_measure(data);
  return status;
}
