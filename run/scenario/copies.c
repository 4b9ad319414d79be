/* SPDX-License-Identifier: MIT */
/* `copies` of a rod, which are written out in the tree, so that what reads rods sees entries like all others, with the
   lines of the one in the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/nodes.h"

enum { MOST_COPIES = 100000 };

static void put_vector(wy_reader *r, wy_node *mapping, const char *key, const double value[3]) {
  wy_node *list = r->failed ? NULL : wy_nodes_key(r, mapping, key, WY_LIST);
  if (!list)
    return;
  list->kind = WY_LIST;
  list->first = list->last = NULL;
  list->count = 0;
  for (int i = 0; i < 3 && !r->failed; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value[i]);
    wy_node *node = wy_nodes_new(r, WY_SCALAR, NULL, NULL, list);
    if (node) {
      wy_nodes_put_text(r, node, text);
      wy_nodes_append(list, node);
    }
  }
}

/* ---- Places of copies ---- */

typedef struct placing {
  int count, columns; /* columns: of a grid */
  const wy_node *origins, *directions;
  double origin[3], direction[3], d1[3]; /* of the definition */
  double steps[2][3];
  double centre[3], axis[3];
} placing;

/* Rodrigues' rotation of a vector about a unit axis. */
static void rotate(const double axis[3], double angle, double v[3]) {
  const double c = cos(angle), s = sin(angle), along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  double out[3];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = c * v[i] + s * (axis[j] * v[k] - axis[k] * v[j]) + (1 - c) * along * axis[i];
  }
  memcpy(v, out, sizeof out);
}

/* A list of vectors; false if it is none. */
static bool check_rows(wy_reader *r, const wy_node *list) {
  if (!r->failed && (list->kind != WY_LIST || list->count == 0))
    wy_read_refuse(r, list);
  for (const wy_node *row = list->first; row && !r->failed; row = row->next)
    if (row->kind != WY_LIST || row->count != 3)
      wy_read_expected(r, row, "a list of 3 numbers");
  return !r->failed;
}

static void read_row(wy_reader *r, const wy_node *list, int index, double out[3]) {
  const wy_node *row = wy_yaml_at(list, index);
  for (const wy_node *cell = row->first; cell && !r->failed; cell = cell->next)
    out[cell->index] = wy_read_number(r, cell);
}

static void read_origins(wy_reader *r, const wy_node *copies, const wy_node *shape, placing *out) {
  const wy_node *origin = wy_yaml_find(shape, "origin"), *direction = wy_yaml_find(shape, "direction");
  out->origins = wy_yaml_find(copies, "origins");
  out->directions = wy_yaml_find(copies, "directions");
  if (!check_rows(r, out->origins) || (out->directions && !check_rows(r, out->directions)))
    return;
  out->count = out->origins->count;
  if (origin)
    wy_read_fail(r, origin, "found origin together with copies.origins; expected one of them");
  else if (direction && out->directions)
    wy_read_fail(r, direction, "found direction together with copies.directions; expected one of them");
  else if (out->directions && out->directions->count != out->count)
    wy_read_expected(r, out->directions, "as many directions as there are origins, %d", out->count);
}

static void read_grid(wy_reader *r, const wy_node *copies, placing *out) {
  const wy_node *grid = wy_yaml_find(copies, "grid"), *steps = wy_read_need(r, copies, "steps");
  double size[2] = {0};
  wy_read_vector(r, grid, size);
  for (int i = 0; i < 2 && !r->failed; i++)
    if (!(size[i] >= 1 && size[i] <= MOST_COPIES) || size[i] != floor(size[i]))
      wy_read_refuse(r, grid);
  if (r->failed || !check_rows(r, steps))
    return;
  if (steps->count != 2)
    wy_read_expected(r, steps, "a list of 2 steps, each a list of 3 numbers");
  for (int i = 0; i < 2 && !r->failed; i++)
    read_row(r, steps, i, out->steps[i]);
  out->columns = (int)size[0];
  out->count = size[0] * size[1] <= MOST_COPIES ? (int)(size[0] * size[1]) : MOST_COPIES + 1;
}

/* The directions of the definition turn, too: those that it does not give are the defaults. */
static void read_circle(wy_reader *r, const wy_node *copies, const wy_node *shape, placing *out) {
  out->count = wy_read_integer(r, wy_yaml_find(copies, "circle"), 1);
  wy_read_vector(r, wy_yaml_find(copies, "centre"), out->centre);
  wy_read_direction(r, wy_yaml_find(copies, "axis"), out->axis);
  const double length = hypot(hypot(out->axis[0], out->axis[1]), out->axis[2]);
  int least = 0;
  for (int i = 0; i < 3; i++) {
    out->axis[i] /= length;
    least = fabs(out->direction[i]) < fabs(out->direction[least]) ? i : least;
  }
  out->d1[least] = 1;
  const wy_node *d1 = wy_yaml_find(shape, "d1");
  if (d1) {
    memset(out->d1, 0, sizeof out->d1);
    wy_read_direction(r, d1, out->d1);
  }
}

static void place_copy(wy_reader *r, wy_node *shape, const placing *p, int index) {
  double at[3], direction[3], d1[3];
  memcpy(at, p->origin, sizeof at);
  memcpy(direction, p->direction, sizeof direction);
  memcpy(d1, p->d1, sizeof d1);
  if (p->origins) {
    read_row(r, p->origins, index, at);
    if (p->directions)
      read_row(r, p->directions, index, direction);
  } else if (p->columns) {
    const int row = index / p->columns, column = index % p->columns;
    for (int i = 0; i < 3; i++)
      at[i] += column * p->steps[0][i] + row * p->steps[1][i];
  } else {
    const double angle = 6.28318530717958647692 * index / p->count;
    for (int i = 0; i < 3; i++)
      at[i] -= p->centre[i];
    rotate(p->axis, angle, at);
    rotate(p->axis, angle, direction);
    rotate(p->axis, angle, d1);
    for (int i = 0; i < 3; i++)
      at[i] += p->centre[i];
    put_vector(r, shape, "d1", d1);
  }
  put_vector(r, shape, "origin", at);
  if (!p->columns)
    put_vector(r, shape, "direction", direction);
}

/* ---- Copies ---- */

static placing read_placing(wy_reader *r, const wy_node *copies, const wy_node *shape) {
  placing p = {.direction = {1, 0, 0}, .axis = {0, 0, 1}};
  const wy_node *origins = wy_yaml_find(copies, "origins"), *grid = wy_yaml_find(copies, "grid"),
                *circle = wy_yaml_find(copies, "circle"), *points = wy_yaml_find(shape, "points");
  const int ways = (origins != NULL) + (grid != NULL) + (circle != NULL);
  if (ways != 1)
    wy_read_fail(r, copies, "found %s of origins, grid and circle; expected one of them", ways ? "several" : "none");
  else if (points)
    wy_read_fail(r, points, "found points in a rod with copies; expected a shape without them");
  wy_read_vector(r, wy_yaml_find(shape, "origin"), p.origin);
  wy_read_direction(r, wy_yaml_find(shape, "direction"), p.direction);
  if (r->failed)
    return p;
  if (origins)
    read_origins(r, copies, shape, &p);
  else if (grid)
    read_grid(r, copies, &p);
  else
    read_circle(r, copies, shape, &p);
  if (!r->failed && p.count > MOST_COPIES)
    wy_read_expected(r, copies, "at most %d copies", MOST_COPIES);
  return p;
}

/* How many there are. */
static int expand_copies(wy_reader *r, wy_node *rod, const wy_node *copies) {
  if (copies->kind != WY_MAPPING)
    wy_read_refuse(r, copies);
  if (r->failed || !wy_read_mapping(r, copies))
    return 0;
  wy_read_name(r, wy_read_need(r, rod, "name"));
  const wy_node *shape = wy_yaml_find(rod, "shape");
  if (!r->failed && shape && shape->kind != WY_MAPPING)
    wy_read_refuse(r, shape);
  const placing p = r->failed ? (placing){0} : read_placing(r, copies, shape);
  wy_node all = {.kind = WY_LIST};
  for (int i = 0; i < p.count && !r->failed; i++) {
    wy_node *copy = wy_nodes_copy(r, rod, "copies");
    if (!copy)
      return 0;
    wy_nodes_append(&all, copy);
    wy_nodes_number(r, copy, i + 1);
    wy_node *own = wy_nodes_key(r, copy, "shape", WY_MAPPING);
    if (own)
      place_copy(r, own, &p, i);
  }
  if (!r->failed)
    wy_nodes_replace(rod, &all);
  return p.count;
}

void wy_expand_copies(wy_reader *r) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, "rods");
  wy_node *next = list && list->kind == WY_LIST ? list->first : NULL;
  int entries = 0;
  for (const wy_node *rod = next; rod; rod = rod->next)
    entries++;
  int *rods = wy_pool_take(r->pool, ((size_t)entries + 1) * sizeof *rods);
  *r->entry_rods = rods;
  if (!rods) {
    wy_read_no_memory(r);
    return;
  }
  for (int i = 0; next && !r->failed; i++) {
    wy_node *rod = next;
    const wy_node *copies = wy_yaml_find(rod, "copies");
    next = rod->next;
    rods[i] = copies ? expand_copies(r, rod, copies) : 1;
  }
}
