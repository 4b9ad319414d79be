/* SPDX-License-Identifier: MIT */
#include "support/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { LONGEST_LINE = 4096 };

static void read_row(const char *path, const char *line, int columns, double *row) {
  char *at = (char *)line;
  for (int k = 0; k < columns; k++) {
    char *end;
    row[k] = strtod(at, &end);
    if (end == at)
      fail_msg("%s: %d columns expected in %s", path, columns, line);
    at = end + 1;
  }
}

table read_table(const char *path, int rows) {
  table t = {.rows = rows, .columns = 1};
  char line[LONGEST_LINE];
  FILE *file = fopen(path, "r");
  if (!file || !fgets(t.header, sizeof t.header, file))
    fail_msg("%s cannot be read", path);
  t.header[strcspn(t.header, "\r\n")] = 0;
  for (const char *at = t.header; (at = strchr(at, ',')); at++)
    t.columns++;
  t.values = calloc((size_t)rows * (size_t)t.columns, sizeof *t.values);
  assert_non_null(t.values);
  int found = 0;
  for (; fgets(line, sizeof line, file); found++)
    if (found < rows)
      read_row(path, line, t.columns, t.values + found * t.columns);
  fclose(file);
  assert_int_equal(found, rows);
  return t;
}

void free_table(table *t) {
  free(t->values);
}

int table_column(const table *t, const char *name) {
  size_t length = strlen(name);
  int column = 0;
  for (const char *at = t->header; at; at = strchr(at, ','), column++) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
      return column;
  }
  fail_msg("there is no column %s in %s", name, t->header);
  return -1;
}

double table_scale(const table *t, int column, int count) {
  double largest = 0;
  for (int i = 0; i < t->rows; i++) {
    double sum = 0;
    for (int k = 0; k < count; k++)
      sum += pow(table_at(t, i, column)[k], 2);
    largest = fmax(largest, sqrt(sum));
  }
  return largest;
}
