/* SPDX-License-Identifier: MIT */
/* The keys `points` and `unit` of a shape: a measured centreline, from a file or from the scenario itself. */
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/schema/unit.h"

/* ---- Files ---- */

static int find_column(const wy_csv *csv, char letter) {
  for (int i = 0; csv->names && i < csv->columns; i++)
    if ((csv->names[i][0] | 0x20) == letter && !csv->names[i][1])
      return i;
  return -1;
}

/* Columns called x, y, z; without names the first three of them, and there are no others unless they are vertices. */
static bool find_columns(wy_reader *r, const wy_node *node, const wy_csv *csv, bool vertices, int columns[3]) {
  for (int i = 0; i < 3; i++)
    columns[i] = csv->names ? find_column(csv, "xyz"[i]) : i;
  if (csv->names && (columns[0] < 0 || columns[1] < 0 || columns[2] < 0))
    wy_read_fail(r, node, "%s: found no column '%c'; expected columns x, y and z", node->text,
                 "xyz"[columns[0] < 0   ? 0
                       : columns[1] < 0 ? 1
                                        : 2]);
  else if (!csv->names && (csv->columns < 3 || (csv->columns > 3 && !vertices)))
    wy_read_fail(r, node, "%s: found %d column%s without names; expected 3: x, y, z", node->text, csv->columns,
                 csv->columns == 1 ? "" : "s");
  return !r->failed;
}

/* What the numbers of a file are multiplied by and divided by: one of them is 1 for a decimal unit, so that nothing is
   rounded twice. */
static void read_unit(wy_reader *r, const wy_node *node, double *over, double *under) {
  wy_unit unit;
  const wy_dimension length = {.length = 1};
  *over = *under = 1;
  if (!node)
    return;
  const char *text = wy_read_text(r, node);
  if (r->failed)
    return;
  if (wy_unit_read(text, &unit, NULL) != WY_UNIT_GOOD || !wy_unit_fits(&unit, &(wy_unit){.dimension = length})) {
    wy_read_refuse(r, node);
    return;
  }
  *over = unit.over, *under = unit.under;
  for (int i = 0; i < unit.ten; i++)
    *over *= 10;
  for (int i = 0; i > unit.ten; i--)
    *under *= 10;
}

static bool ends_in(const char *text, const char *ending) {
  const size_t length = strlen(text), end = strlen(ending);
  return length >= end && strcmp(text + length - end, ending) == 0;
}

static const wy_csv *read_file(wy_reader *r, const wy_node *node, const wy_node *unit, wy_shape *out) {
  const bool vertices = ends_in(node->text, ".obj") || ends_in(node->text, ".OBJ");
  const wy_csv *csv = wy_read_columns(r, node, vertices);
  int columns[3];
  double over, under;
  read_unit(r, unit, &over, &under);
  if (r->failed || !find_columns(r, node, csv, vertices, columns))
    return NULL;
  double *points = wy_read_take(r, 3 * (size_t)csv->rows * sizeof *points);
  if (!points)
    return NULL;
  for (int i = 0; i < csv->rows; i++)
    for (int k = 0; k < 3; k++)
      points[3 * (size_t)i + (size_t)k] =
          csv->values[(size_t)i * (size_t)csv->columns + (size_t)columns[k]] * over / under;
  out->points = points;
  out->point_count = csv->rows;
  return csv;
}

/* ---- Lists ---- */

static void read_rows(wy_reader *r, const wy_node *list, wy_shape *out) {
  if (list->kind != WY_LIST) {
    wy_read_refuse(r, list);
    return;
  }
  double *points = wy_read_take(r, (3 * (size_t)list->count + 1) * sizeof *points), *number = points;
  for (const wy_node *row = list->first; row && !r->failed; row = row->next) {
    if (row->kind != WY_LIST || row->count != 3)
      wy_read_expected(r, row, "a point: a list of 3 numbers");
    for (const wy_node *cell = row->first; cell && !r->failed; cell = cell->next)
      *number++ = wy_read_number(r, cell);
  }
  out->points = points;
  out->point_count = list->count;
}

/* ---- The whole ---- */

/* The points determine these. */
static void refuse_others(wy_reader *r, const wy_node *shape) {
  static const char *const others[] = {"origin", "direction", "curvature", "helix"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const wy_node *node = wy_yaml_find(shape, others[i]);
    if (node)
      wy_read_fail(r, node, "found %s together with points; expected points alone, since it follows from them",
                   others[i]);
  }
}

/* With the line of the file that a message of the library speaks of. */
static void refuse_points(wy_reader *r, const wy_node *node, const wy_csv *csv, const char *text) {
  int point = 0;
  if (csv && sscanf(text, "point %d:", &point) == 1 && point >= 1 && point <= csv->rows)
    wy_read_fail(r, node, "%s:%d: %s", node->text, csv->lines[point - 1], text);
  else if (csv)
    wy_read_fail(r, node, "%s: %s", node->text, text);
  else
    wy_read_fail(r, node, "%s", text);
}

void wy_read_points(wy_reader *r, const wy_node *shape, wy_rod_def *out) {
  const wy_node *node = wy_yaml_find(shape, "points"), *unit = wy_yaml_find(shape, "unit");
  const wy_csv *csv = NULL;
  wy_message message = {.text = ""};
  if (unit && (!node || node->kind != WY_SCALAR))
    wy_read_fail(r, unit, "found a unit without a file of points; expected points: the name of a file");
  if (!node || r->failed)
    return;
  refuse_others(r, shape);
  if (node->kind == WY_SCALAR && !r->failed)
    csv = read_file(r, node, unit, &out->shape);
  else if (!r->failed)
    read_rows(r, node, &out->shape);
  if (r->failed)
    return;
  if (out->shape.point_count == 0) {
    wy_read_refuse(r, node);
    return;
  }
  const wy_status status = wy_shape_length(&out->shape, &out->length, &message);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    refuse_points(r, node, csv, message.text);
}
