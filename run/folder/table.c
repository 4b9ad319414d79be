/* SPDX-License-Identifier: MIT */
/* The tables that a run leaves: probes.csv, path.csv, steps.csv, modes.csv, buckling.csv. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/folder/folder.h"
#include "run/results/file.h"

/* Takes the next field of a line off *cursor, unquoted in place; NULL after the last one. */
static char *next_field(char **cursor) {
  char *in = *cursor, *out = in, *start = in;
  if (!in)
    return NULL;
  bool quoted = *in == '"';
  if (quoted)
    in++;
  for (; *in; in++) {
    if (quoted && in[0] == '"' && in[1] == '"')
      in++;
    else if (quoted && *in == '"') {
      quoted = false;
      continue;
    } else if (!quoted && (*in == ',' || *in == '\r'))
      break;
    *out++ = *in;
  }
  *cursor = *in == ',' ? in + 1 : NULL;
  *out = '\0';
  return start;
}

/* Takes the next line off *cursor and ends it; NULL after the last one. A line without an end is no line. */
static char *next_line(char **cursor, bool *cut) {
  char *line = *cursor, *end = strchr(line, '\n');
  *cut = !end && *line;
  if (!end)
    return NULL;
  *end = '\0';
  *cursor = end + 1;
  return line;
}

/* A table while it is read. */
typedef struct reading {
  wy_table table;
  bool has_probes; /* some of which may be INFINITY (wy_quantity_info.unbounded): probes.c knows which */
  const char **name;
  double **values;
} reading;

static bool read_header(wy_pool *pool, char *line, reading *in) {
  int count = 1;
  for (const char *c = line; *c; c++)
    count += *c == ',';
  in->name = wy_pool_take(pool, (size_t)count * sizeof *in->name);
  in->values = wy_pool_take(pool, (size_t)count * sizeof *in->values);
  if (!in->name || !in->values)
    return false;
  for (char *field; (field = next_field(&line)); in->table.columns++)
    if (!(in->name[in->table.columns] = wy_pool_copy(pool, field, strlen(field))))
      return false;
  return true;
}

static wy_status read_row(const char *path, int number, char *line, reading *in, wy_message *message) {
  int columns = in->table.columns;
  for (int c = 0; c < columns; c++) {
    char *field = next_field(&line), *end = NULL;
    if (!field)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: the row ends before the column %s; expected %d values",
                             path, number, in->name[c], columns);
    double value = strtod(field, &end);
    if (end == field || *end)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %s: found '%.40s'; expected a number", path, number,
                             in->name[c], field);
    if (!isfinite(value) && !(in->has_probes && isinf(value) && value > 0))
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %s is %s; expected a finite number", path, number,
                             in->name[c], isnan(value) ? "not a number" : "infinite");
    in->values[c][in->table.rows] = value;
  }
  if (line)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: the row has more than %d values", path, number, columns);
  in->table.rows++;
  return WY_OK;
}

/* All lines of a text that is `size` long. */
static wy_status read_text(wy_pool *pool, const char *path, char *text, size_t size, reading *in, wy_message *message) {
  if (strlen(text) != size)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not text", path);
  char *cursor = text, *line = next_line(&cursor, &in->table.cut);
  if (!line)
    return WY_OK;
  bool room = read_header(pool, line, in);
  /* A value and what separates it from the next take two characters or more: the file limits the memory. */
  for (int c = 0; room && c < in->table.columns; c++)
    room = (in->values[c] = wy_pool_take(pool, (size / (2 * (size_t)in->table.columns) + 1) * sizeof(double)));
  if (!room)
    return wy_folder_out_of_memory(message);
  wy_status status = WY_OK;
  for (int number = 2; status == WY_OK && (line = next_line(&cursor, &in->table.cut)); number++)
    status = read_row(path, number, line, in, message);
  return status;
}

wy_status wy_table_read(wy_pool *pool, const char *path, bool has_probes, const wy_table **out, wy_message *message) {
  char *text = NULL;
  size_t size = 0;
  *out = NULL;
  wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK || !text)
    return status;
  reading *in = wy_pool_take(pool, sizeof *in);
  if (!in) {
    free(text);
    return wy_folder_out_of_memory(message);
  }
  in->has_probes = has_probes;
  status = read_text(pool, path, text, size, in, message);
  free(text);
  if (status != WY_OK)
    return status;
  in->table.name = in->name;
  in->table.values = (const double *const *)in->values;
  *out = &in->table;
  return WY_OK;
}

wy_status wy_folder_table(wy_folder *folder, const char *file, const wy_table **out, wy_message *message) {
  const void *kept = NULL;
  if (out)
    *out = NULL;
  if (!folder || !file || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no table is given");
  if (wy_folder_recall(folder, "table", file, &kept)) {
    *out = kept;
    return WY_OK;
  }
  const char *path = wy_folder_print(folder, "%s/%s", folder->path, file);
  if (!path)
    return wy_folder_out_of_memory(message);
  const wy_table *table = NULL;
  const bool has_probes = strcmp(file, "probes.csv") == 0 || strcmp(file, "path.csv") == 0;
  wy_status status = wy_table_read(&folder->pool, path, has_probes, &table, message);
  if (status == WY_OK)
    status = wy_folder_keep(folder, "table", file, table, message);
  *out = status == WY_OK ? table : NULL;
  return status;
}
