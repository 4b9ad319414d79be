/* SPDX-License-Identifier: MIT */
#include "run/scenario/crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rod as a chain of straight pieces; a straight rod is one. */
typedef struct chain {
  int rod, pieces;
  double length, *points; /* [pieces + 1][3] */
  double low[3], high[3]; /* of a box around it */
  double slack;           /* how far the rod may be from its chain */
} chain;

typedef struct list {
  wy_crossing *found;
  int count, room;
} list;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_straight(const wy_rod_def *rod) {
  for (int k = 0; k < 2; k++)
    if (rod->shape.curvature[k].evaluate || rod->shape.curvature[k].value != 0)
      return false;
  return true;
}

/* Points along the rod, and between them how far the rod leaves its chain. */
static bool make_chain(const wy_model *model, int index, double near, chain *out) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  const int pieces = is_straight(rod) ? 1 : rod->segments < 64 ? 64 : rod->segments;
  *out = (chain){.rod = index, .pieces = pieces, .length = rod->length};
  out->points = malloc(3 * ((size_t)pieces + 1) * sizeof *out->points);
  if (!out->points)
    return false;
  for (int i = 0; i <= pieces; i++)
    wy_model_reference(model, index, i * rod->length / pieces, out->points + 3 * (size_t)i, NULL);
  for (int i = 0; pieces > 1 && i < pieces; i++) {
    double middle[3], off[3];
    const double *a = out->points + 3 * (size_t)i, *b = a + 3;
    wy_model_reference(model, index, (i + 0.5) * rod->length / pieces, middle, NULL);
    for (int k = 0; k < 3; k++)
      off[k] = middle[k] - 0.5 * (a[k] + b[k]);
    out->slack = fmax(out->slack, 2 * sqrt(dot(off, off)));
  }
  for (int k = 0; k < 3; k++) {
    out->low[k] = INFINITY, out->high[k] = -INFINITY;
    for (int i = 0; i <= pieces; i++) {
      out->low[k] = fmin(out->low[k], out->points[3 * (size_t)i + (size_t)k]);
      out->high[k] = fmax(out->high[k], out->points[3 * (size_t)i + (size_t)k]);
    }
    out->low[k] -= out->slack + near, out->high[k] += out->slack + near;
  }
  return true;
}

static double clamp(double x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Where two straight pieces are closest, as shares of them; false if they are parallel. */
static bool closest(const double *a, const double *b, double share[2]) {
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; k++)
    u[k] = a[3 + k] - a[k], v[k] = b[3 + k] - b[k], w[k] = a[k] - b[k];
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  if (!(det > 1e-12 * uu * vv))
    return false;
  share[0] = clamp((uv * vw - vv * uw) / det);
  share[1] = clamp((uv * share[0] + vw) / vv);
  share[0] = clamp((uv * share[1] - uw) / uu);
  return true;
}

static double gap_between(const double *a, const double *b, const double share[2]) {
  double d[3];
  for (int k = 0; k < 3; k++)
    d[k] = a[k] + share[0] * (a[3 + k] - a[k]) - b[k] - share[1] * (b[3 + k] - b[k]);
  return sqrt(dot(d, d));
}

/* From there along both rods to where they are closest, by Gauss and Newton; the distance there. */
static double approach(const wy_model *model, const chain *one, const chain *other, double s[2]) {
  const chain *both[2] = {one, other};
  double x[2][3], frame[2][4], t[2][3], d[3], gap = INFINITY;
  for (int n = 0; n < 20; n++) {
    for (int i = 0; i < 2; i++) {
      wy_model_reference(model, both[i]->rod, s[i], x[i], frame[i]);
      const double *q = frame[i]; /* the third axis of the frame */
      t[i][0] = 2 * (q[1] * q[3] + q[0] * q[2]), t[i][1] = 2 * (q[2] * q[3] - q[0] * q[1]);
      t[i][2] = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    }
    for (int k = 0; k < 3; k++)
      d[k] = x[0][k] - x[1][k];
    gap = sqrt(dot(d, d));
    const double c = dot(t[0], t[1]), p = dot(t[0], d), q = dot(t[1], d), det = 1 - c * c;
    if (!(det > 1e-12))
      return gap;
    const double step[2] = {(c * q - p) / det, (q - c * p) / det};
    for (int i = 0; i < 2; i++)
      s[i] = both[i]->length * clamp((s[i] + step[i]) / both[i]->length);
    if (fabs(step[0]) + fabs(step[1]) <= 1e-14 * (one->length + other->length))
      break;
  }
  return gap;
}

static bool keep(list *all, wy_crossing found, double near) {
  for (int i = all->count - 1; i >= 0 && all->found[i].rod[0] == found.rod[0] && all->found[i].rod[1] == found.rod[1];
       i--)
    if (fabs(all->found[i].s[0] - found.s[0]) <= 3 * near)
      return true;
  if (all->count == all->room) {
    const int room = 2 * all->room + 64;
    wy_crossing *more = realloc(all->found, (size_t)room * sizeof *more);
    if (!more)
      return false;
    all->found = more, all->room = room;
  }
  all->found[all->count++] = found;
  return true;
}

static bool cross(const wy_model *model, const chain *one, const chain *other, double near, list *all) {
  const double reach = near + one->slack + other->slack;
  for (int i = 0; i < one->pieces; i++)
    for (int k = 0; k < other->pieces; k++) {
      const double *a = one->points + 3 * (size_t)i, *b = other->points + 3 * (size_t)k;
      double share[2];
      if (!closest(a, b, share) || gap_between(a, b, share) > reach)
        continue;
      wy_crossing found = {
          .rod = {one->rod, other->rod},
          .s = {(i + share[0]) * one->length / one->pieces, (k + share[1]) * other->length / other->pieces}};
      if (approach(model, one, other, found.s) <= near && !keep(all, found, near))
        return false;
    }
  return true;
}

static int compare_chains(const void *a, const void *b) {
  const chain *one = a, *other = b;
  if (one->low[0] != other->low[0])
    return one->low[0] < other->low[0] ? -1 : 1;
  return one->rod - other->rod;
}

static bool overlap(const chain *a, const chain *b) {
  return a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

int wy_find_crossings(const wy_model *model, const int *rods, int count, double near, wy_crossing **out) {
  chain *chains = calloc((size_t)count + 1, sizeof *chains);
  list all = {0};
  bool done = chains != NULL;
  for (int i = 0; done && i < count; i++)
    done = make_chain(model, rods[i], near, &chains[i]);
  if (done)
    qsort(chains, (size_t)count, sizeof *chains, compare_chains);
  for (int i = 0; done && i < count; i++)
    for (int k = i + 1; done && k < count && chains[k].low[0] <= chains[i].high[0]; k++)
      if (overlap(&chains[i], &chains[k]))
        done = cross(model, &chains[i], &chains[k], near, &all);
  for (int i = 0; chains && i < count; i++)
    free(chains[i].points);
  free(chains);
  *out = all.found;
  if (done)
    return all.count;
  free(all.found);
  *out = NULL;
  return -1;
}
