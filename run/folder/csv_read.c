#include "run/folder/csv_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void read_header(wy_pool *pool, char *line, wy_csv_table *table) {
  int count = 1;
  for (const char *c = line; *c; c++)
    count += *c == ',';
  table->name = wy_pool_take(pool, (size_t)count * sizeof *table->name);
  table->values = wy_pool_take(pool, (size_t)count * sizeof *table->values);
  for (char *field; (field = next_field(&line));)
    table->name[table->columns++] = wy_pool_copy(pool, field, strlen(field));
}

static wy_status read_row(const char *path, int number, char *line, wy_csv_table *table, wy_message *message) {
  for (int c = 0; c < table->columns; c++) {
    char *field = next_field(&line), *end = NULL;
    if (!field)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: the row ends before the column %s; expected %d values",
                             path, number, table->name[c], table->columns);
    double value = strtod(field, &end);
    if (end == field || *end)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %s: found '%.40s'; expected a number", path, number,
                             table->name[c], field);
    if (!isfinite(value))
      return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: %s is %s; expected a finite number", path, number,
                             table->name[c], isnan(value) ? "not a number" : "infinite");
    table->values[c][table->rows] = value;
  }
  if (line)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s:%d: the row has more than %d values", path, number,
                           table->columns);
  table->rows++;
  return WY_OK;
}

wy_status wy_csv_read(wy_pool *pool, const char *path, wy_csv_table *table, wy_message *message) {
  char *text = NULL;
  size_t size = 0;
  *table = (wy_csv_table){0};
  wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK || !text)
    return status;
  table->exists = true;
  if (strlen(text) != size)
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s is not text", path);
  char *cursor = text, *line = next_line(&cursor, &table->cut);
  if (line)
    read_header(pool, line, table);
  /* A value and what separates it from the next take two characters or more: the file limits the memory. */
  for (int c = 0; c < table->columns; c++)
    table->values[c] = wy_pool_take(pool, (size / (2 * (size_t)table->columns) + 1) * sizeof(double));
  for (int number = 2; status == WY_OK && line && (line = next_line(&cursor, &table->cut)); number++)
    status = read_row(path, number, line, table, message);
  free(text);
  return status;
}

/* The length of the probe's name in that of a column, and the label of the component. */
static size_t split_column(const char *column, char label[2]) {
  size_t length = strlen(column);
  bool part = length > 2 && column[length - 2] == '.' && strchr("wxyz", column[length - 1]);
  label[0] = '\0';
  if (part)
    label[0] = column[length - 1];
  label[1] = '\0';
  return part ? length - 2 : length;
}

int wy_csv_probes(wy_pool *pool, const wy_csv_table *table, int first, wy_csv_probe **probes) {
  int count = 0;
  *probes = wy_pool_take(pool, ((size_t)table->columns + 1) * sizeof **probes);
  for (int c = first; c < table->columns; c++) {
    char label[2];
    size_t length = split_column(table->name[c], label);
    wy_csv_probe *last = count ? &(*probes)[count - 1] : NULL;
    /* Labels ascend within a probe, so that a probe may follow another one of the same name. */
    bool continues = last && label[0] && last->count < 4 && last->label[last->count - 1][0] &&
                     last->label[last->count - 1][0] < label[0] && strlen(last->name) == length &&
                     memcmp(last->name, table->name[c], length) == 0;
    if (!continues) {
      last = &(*probes)[count++];
      last->name = wy_pool_copy(pool, table->name[c], length);
      last->first = c;
    }
    memcpy(last->label[last->count++], label, sizeof label);
  }
  return count;
}
