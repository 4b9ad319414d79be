/* SPDX-License-Identifier: MIT */
#include "draw/surface.h"

#include <math.h>
#include <stdlib.h>

/* ---- Cells ---- */

/* Some of the points of the grid, evenly spread, and the cells between them. */
typedef struct net {
  const wy_distance_grid *grid;
  int points[3];
  int *vertex; /* of each cell, at its lowest point: 1 + its number, or 0 */
  wy_surface out;
} net;

/* Which point of the grid is the i-th. */
static int pick(const net *in, int axis, int i) {
  const int last = in->grid->points[axis] - 1, steps = in->points[axis] - 1;
  return (int)(((long long)i * last + steps / 2) / steps);
}

static double value_at(const net *in, const int at[3]) {
  const int *n = in->grid->points;
  const size_t plane = (size_t)pick(in, 0, at[0]) * (size_t)n[1] + (size_t)pick(in, 1, at[1]);
  return (double)in->grid->values[plane * (size_t)n[2] + (size_t)pick(in, 2, at[2])];
}

static size_t index_of(const net *in, const int at[3]) {
  return ((size_t)at[0] * (size_t)in->points[1] + (size_t)at[1]) * (size_t)in->points[2] + (size_t)at[2];
}

/* A point on the way from one point to its neighbour along an axis, in metres. */
static double place(const net *in, int axis, int i, double share) {
  const int from = pick(in, axis, i), to = i + 1 < in->points[axis] ? pick(in, axis, i + 1) : from;
  return in->grid->origin[axis] + (from + share * (to - from)) * in->grid->step[axis];
}

/* The middle of where the surface cuts the edges of a cell; false: it does not. */
static bool middle_of(const net *in, const int cell[3], double out[3]) {
  int cuts = 0;
  double sum[3] = {0};
  for (int axis = 0; axis < 3; axis++)
    for (int corner = 0; corner < 4; corner++) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      int from[3] = {cell[0], cell[1], cell[2]}, to[3];
      from[b] += corner % 2, from[c] += corner / 2;
      for (int k = 0; k < 3; k++)
        to[k] = from[k] + (k == axis);
      const double before = value_at(in, from), behind = value_at(in, to);
      if ((before < 0) == (behind < 0))
        continue;
      cuts++;
      for (int k = 0; k < 3; k++)
        sum[k] += place(in, k, from[k], k == axis ? before / (before - behind) : 0);
    }
  for (int k = 0; k < 3 && cuts; k++)
    out[k] = sum[k] / cuts;
  return cuts > 0;
}

/* A function of each cell, with room for what it makes. */
static void for_each(net *in, bool cells, void (*visit)(net *in, const int at[3])) {
  int at[3];
  for (at[0] = 0; at[0] < in->points[0] - cells; at[0]++)
    for (at[1] = 0; at[1] < in->points[1] - cells; at[1]++)
      for (at[2] = 0; at[2] < in->points[2] - cells; at[2]++)
        visit(in, at);
}

static void add_vertex(net *in, const int cell[3]) {
  double middle[3];
  if (!middle_of(in, cell, middle))
    return;
  if (in->out.vertex)
    for (int k = 0; k < 3; k++)
      in->out.vertex[in->out.vertices][k] = middle[k];
  in->vertex[index_of(in, cell)] = ++in->out.vertices;
}

/* ---- Faces ---- */

static void add_triangle(wy_surface *out, int a, int b, int c) {
  if (out->triangle)
    out->triangle[out->triangles][0] = a - 1, out->triangle[out->triangles][1] = b - 1,
    out->triangle[out->triangles][2] = c - 1;
  out->triangles++;
}

/* An edge that the surface cuts is in the middle of four cells. */
static void add_faces(net *in, const int at[3]) {
  const double here = value_at(in, at);
  for (int axis = 0; axis < 3; axis++) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    int next[3] = {at[0], at[1], at[2]}, corner[4];
    next[axis]++;
    if (next[axis] == in->points[axis] || at[b] == 0 || at[c] == 0 || at[b] == in->points[b] - 1 ||
        at[c] == in->points[c] - 1 || (value_at(in, next) < 0) == (here < 0))
      continue;
    for (int i = 0; i < 4; i++) {
      int cell[3] = {at[0], at[1], at[2]};
      cell[b] -= i == 0 || i == 3, cell[c] -= i < 2;
      corner[here < 0 ? i : 3 - i] = in->vertex[index_of(in, cell)];
    }
    add_triangle(&in->out, corner[0], corner[1], corner[2]);
    add_triangle(&in->out, corner[0], corner[2], corner[3]);
  }
}

static void measure(wy_surface *out) {
  for (int k = 0; k < 3; k++)
    out->low[k] = INFINITY, out->high[k] = -INFINITY;
  for (int i = 0; i < out->vertices; i++) {
    const double *at = out->vertex[i];
    out->reach = fmax(out->reach, sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
    for (int k = 0; k < 3; k++)
      out->low[k] = fmin(out->low[k], at[k]), out->high[k] = fmax(out->high[k], at[k]);
  }
}

wy_surface wy_surface_of(wy_memory *memory, const wy_distance_grid *grid) {
  net in = {.grid = grid};
  size_t count = 1;
  for (int k = 0; k < 3; k++) {
    in.points[k] = grid->points[k] <= WY_SURFACE_CELLS ? grid->points[k] : WY_SURFACE_CELLS + 1;
    count *= (size_t)in.points[k];
  }
  in.vertex = wy_memory_take(memory, count, sizeof *in.vertex);
  for (int pass = 0; pass < 2; pass++) { /* first they are counted */
    if (pass) {
      in.out.vertex = wy_memory_take(memory, (size_t)in.out.vertices, sizeof *in.out.vertex);
      in.out.triangle = wy_memory_take(memory, (size_t)in.out.triangles, sizeof *in.out.triangle);
    }
    in.out.vertices = in.out.triangles = 0;
    for_each(&in, true, add_vertex);
    for_each(&in, false, add_faces);
  }
  measure(&in.out);
  return in.out;
}

/* ---- Outlines ---- */

typedef struct edge {
  int from, to; /* from < to */
  bool front;   /* of the triangle that has it */
} edge;

static int by_vertices(const void *a, const void *b) {
  const edge *x = a, *y = b;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static bool is_front(const wy_surface *surface, int triangle, const double along[3]) {
  const int *corner = surface->triangle[triangle];
  const double *o = surface->vertex[corner[0]];
  double a[3], b[3], sum = 0;
  for (int k = 0; k < 3; k++)
    a[k] = surface->vertex[corner[1]][k] - o[k], b[k] = surface->vertex[corner[2]][k] - o[k];
  for (int k = 0; k < 3; k++)
    sum += along[k] * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
  return sum > 0;
}

int wy_surface_outline(wy_memory *memory, const wy_surface *surface, const double along[3], int (**edges)[2]) {
  const size_t count = 3 * (size_t)surface->triangles;
  edge *all = wy_memory_take(memory, count, sizeof *all);
  int(*out)[2] = wy_memory_take(memory, count, sizeof *out), kept = 0;
  for (int i = 0; i < surface->triangles; i++) {
    const bool front = is_front(surface, i, along);
    for (int k = 0; k < 3; k++) {
      const int a = surface->triangle[i][k], b = surface->triangle[i][(k + 1) % 3];
      all[3 * (size_t)i + (size_t)k] = (edge){a < b ? a : b, a < b ? b : a, front};
    }
  }
  qsort(all, count, sizeof *all, by_vertices);
  for (size_t i = 0; i < count;) {
    size_t next = i + 1;
    bool differ = false;
    for (; next < count && by_vertices(&all[i], &all[next]) == 0; next++)
      differ = differ || all[next].front != all[i].front;
    if (differ || next == i + 1) /* or where the grid ends */
      out[kept][0] = all[i].from, out[kept++][1] = all[i].to;
    i = next;
  }
  *edges = out;
  return kept;
}
