/* SPDX-License-Identifier: MIT */
/* Values between the points of a view. */
#include "record/probe.h"

#include <assert.h>
#include <string.h>

#include "math/quat.h"
#include "model/model.h"

/* The pair of points to interpolate between, and the share of the second (outside 0..1 beyond the ends). */
static int find_pair(const wy_points *points, double s, double *share) {
  int low = 0, high = points->count - 2;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (points->s[middle] <= s)
      low = middle;
    else
      high = middle - 1;
  }
  *share = (s - points->s[low]) / (points->s[low + 1] - points->s[low]);
  return low;
}

/* The three points of a parabola: the first of them, and how much each counts at s. */
static int find_triple(const wy_points *points, double s, double weight[3]) {
  double share;
  int i = find_pair(points, s, &share) / 2 * 2;
  const double *at = points->s + i;
  weight[0] = (s - at[1]) * (s - at[2]) / ((at[0] - at[1]) * (at[0] - at[2]));
  weight[1] = (s - at[0]) * (s - at[2]) / ((at[1] - at[0]) * (at[1] - at[2]));
  weight[2] = (s - at[0]) * (s - at[1]) / ((at[2] - at[0]) * (at[2] - at[1]));
  return i;
}

void wy_points_at(const wy_points *points, double s, double *out) {
  const int n = points->components;
  if (points->degree == 2) {
    double weight[3];
    const double *values = points->values + (size_t)n * (size_t)find_triple(points, s, weight);
    for (int k = 0; k < n; k++)
      out[k] = weight[0] * values[k] + weight[1] * values[n + k] + weight[2] * values[2 * n + k];
    return;
  }
  double share = 0;
  int i = points->count > 1 ? find_pair(points, s, &share) : 0;
  for (int k = 0; k < n; k++) {
    double a = points->values[i * n + k];
    out[k] = share == 0 ? a : a + share * (points->values[(i + 1) * n + k] - a);
  }
}

/* Adds `share` of the rotation from a to b, seen from a, to a rotation vector. */
static void add_turn(const double a[4], const double b[4], double share, double vector[3]) {
  double turn[4], part[3];
  wy_qrelative(a, b, turn);
  wy_qlog(turn, part);
  wy_add3(vector, share, part);
}

int wy_end_at(double length, double s) {
  return fabs(s) <= WY_SAME_PLACE * length ? 0 : fabs(s - length) <= WY_SAME_PLACE * length ? 1 : -1;
}

/* Between frames by rotation vectors: from the first of a pair, or from the middle one of three. */
void wy_rotation_at(const wy_reading *r, double q[4]) {
  const wy_view *view = r->view;
  const double s = r->s;
  int end = wy_end_at(r->length, s);
  if (end >= 0 && view->ends[end].rotation_held) {
    memcpy(q, view->ends[end].frame, 4 * sizeof *q);
    return;
  }
  double vector[3] = {0}, part[4];
  const double *from;
  if (view->frame.degree == 2) {
    double weight[3];
    from = view->frame.values + 4 * (size_t)(find_triple(&view->frame, s, weight) + 1);
    add_turn(from, from - 4, weight[0], vector);
    add_turn(from, from + 4, weight[2], vector);
  } else {
    double share;
    from = view->frame.values + 4 * (size_t)find_pair(&view->frame, s, &share);
    add_turn(from, from + 4, share, vector);
  }
  wy_qexp(vector, part);
  wy_qmul(from, part, q);
}

/* Of the parabola through three points: the integral of |dx/ds| by Gauss's rule of three points. */
static double parabola_length(const double s[3], const double *x) {
  static const double node[3] = {-0.77459666924148337704, 0, 0.77459666924148337704}, weight[3] = {5, 8, 5};
  const double middle = 0.5 * (s[0] + s[2]), half = 0.5 * (s[2] - s[0]);
  double sum = 0;
  for (int g = 0; g < 3; g++) {
    const double at = middle + half * node[g],
                 slope[3] = {((at - s[1]) + (at - s[2])) / ((s[0] - s[1]) * (s[0] - s[2])),
                             ((at - s[0]) + (at - s[2])) / ((s[1] - s[0]) * (s[1] - s[2])),
                             ((at - s[0]) + (at - s[1])) / ((s[2] - s[0]) * (s[2] - s[1]))};
    double tangent[3] = {0};
    for (int i = 0; i < 3; i++)
      wy_add3(tangent, slope[i], x + 3 * i);
    sum += weight[g] / 9 * half * wy_norm3(tangent);
  }
  return sum;
}

double wy_points_length(const wy_points *points) {
  double sum = 0;
  assert(points->components == 3 && points->count > 1);
  const int degree = points->degree == 2 ? 2 : 1;
  for (int i = 0; i + degree < points->count; i += degree) {
    const double *x = points->values + 3 * (size_t)i;
    double chord[3] = {x[3] - x[0], x[4] - x[1], x[5] - x[2]};
    sum += degree == 2 ? parabola_length(points->s + i, x) : wy_norm3(chord);
  }
  return sum;
}
