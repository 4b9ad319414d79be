/* SPDX-License-Identifier: MIT */
#include "record/triangles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  const wy_grid_point *p = a, *q = b;
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

/* Twice the area of a b c: positive where they turn left. */
static int64_t turn(const wy_grid_point *a, const wy_grid_point *b, const wy_grid_point *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Does d lie within the circle through a, b, c, which turn left? Below 2^60, so exact. */
static bool is_within_circle(const wy_grid_point *a, const wy_grid_point *b, const wy_grid_point *c,
                             const wy_grid_point *d) {
  const wy_grid_point *const corner[3] = {a, b, c};
  int64_t x[3], y[3], square[3];
  for (int i = 0; i < 3; i++) {
    x[i] = corner[i]->x - d->x;
    y[i] = corner[i]->y - d->y;
    square[i] = x[i] * x[i] + y[i] * y[i];
  }
  return square[0] * (x[1] * y[2] - x[2] * y[1]) + square[1] * (x[2] * y[0] - x[0] * y[2]) +
             square[2] * (x[0] * y[1] - x[1] * y[0]) >
         0;
}

/* ---- Some triangulation, point by point from left to right ---- */

typedef struct mesh {
  const wy_grid_point *points;
  wy_triangle *triangles;
  int count;
  int *outline; /* of the points so far, counter-clockwise */
  int outline_count;
} mesh;

static void add_triangle(mesh *m, int a, int b, int c) {
  m->triangles[m->count++] = (wy_triangle){{a, b, c}, {-1, -1, -1}};
}

/* The points of a line, and the first one beside it. */
static void start(mesh *m, int line) {
  bool left = turn(&m->points[0], &m->points[1], &m->points[line]) > 0;
  for (int i = 0; i < line; i++)
    m->outline[i] = left ? i : line - 1 - i;
  m->outline[line] = line;
  m->outline_count = line + 1;
  for (int i = 0; i + 1 < line; i++)
    add_triangle(m, m->outline[i], m->outline[i + 1], line);
}

static bool sees(const mesh *m, int point, int side) {
  int from = m->outline[side], to = m->outline[(side + 1) % m->outline_count];
  return turn(&m->points[from], &m->points[to], &m->points[point]) < 0;
}

static void reverse(int *values, int count) {
  for (int i = 0; i < count / 2; i++) {
    int kept = values[i];
    values[i] = values[count - 1 - i];
    values[count - 1 - i] = kept;
  }
}

/* A point to the right of all others lies outside of them; it is joined to the sides that it sees, which follow each
   other. */
static void add_point(mesh *m, int point) {
  int count = m->outline_count, first = 0, seen = 0;
  while (!sees(m, point, first) || sees(m, point, (first + count - 1) % count))
    first++;
  /* The outline shall begin there. */
  reverse(m->outline, first);
  reverse(m->outline + first, count - first);
  reverse(m->outline, count);
  for (; sees(m, point, seen); seen++)
    add_triangle(m, m->outline[(seen + 1) % count], m->outline[seen], point);
  /* Of its corners 0 to `seen` those between are now within; the point stands in their place. */
  memmove(m->outline + 2, m->outline + seen, (size_t)(count - seen) * sizeof *m->outline);
  m->outline[1] = point;
  m->outline_count = count + 2 - seen;
}

static void join_neighbours(mesh *m) {
  for (int t = 0; t < m->count; t++)
    for (int u = 0; u < t; u++)
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
          if (m->triangles[t].corner[i] == m->triangles[u].corner[(k + 1) % 3] &&
              m->triangles[t].corner[(i + 1) % 3] == m->triangles[u].corner[k]) {
            m->triangles[t].beside[i] = u;
            m->triangles[u].beside[k] = t;
          }
}

/* ---- Better triangles ---- */

static void replace_neighbour(mesh *m, int triangle, int old, int new) {
  for (int i = 0; triangle >= 0 && i < 3; i++)
    if (m->triangles[triangle].beside[i] == old)
      m->triangles[triangle].beside[i] = new;
}

/* Two triangles (a, b, c) and (b, a, d) become (c, a, d) and (d, b, c) where d is within the circle of the first. */
static bool improve(mesh *m, int t, int side) {
  int u = m->triangles[t].beside[side], across = 0;
  if (u < 0)
    return false;
  const wy_triangle one = m->triangles[t], two = m->triangles[u];
  while (two.beside[across] != t)
    across++;
  int a = one.corner[side], b = one.corner[(side + 1) % 3], c = one.corner[(side + 2) % 3];
  int d = two.corner[(across + 2) % 3];
  if (!is_within_circle(&m->points[a], &m->points[b], &m->points[c], &m->points[d]))
    return false;
  int bc = one.beside[(side + 1) % 3], ca = one.beside[(side + 2) % 3];
  int ad = two.beside[(across + 1) % 3], db = two.beside[(across + 2) % 3];
  m->triangles[t] = (wy_triangle){{c, a, d}, {ca, ad, u}};
  m->triangles[u] = (wy_triangle){{d, b, c}, {db, bc, t}};
  replace_neighbour(m, ad, u, t);
  replace_neighbour(m, bc, t, u);
  return true;
}

int wy_triangulate(wy_grid_point *points, int count, wy_triangle *triangles, int *outline) {
  qsort(points, (size_t)count, sizeof *points, compare);
  mesh m = {.points = points, .triangles = triangles};
  m.outline = outline;
  int line = 2;
  while (line < count && turn(&points[0], &points[1], &points[line]) == 0)
    line++;
  if (line >= count)
    return 0;
  start(&m, line);
  for (int i = line + 1; i < count; i++)
    add_point(&m, i);
  join_neighbours(&m);
  /* Every exchange makes the smallest angles larger, so this ends. */
  for (bool changed = true; changed;) {
    changed = false;
    for (int t = 0; t < m.count; t++)
      for (int side = 0; side < 3; side++)
        changed = improve(&m, t, side) || changed;
  }
  return m.count;
}
