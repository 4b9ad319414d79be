/* SPDX-License-Identifier: MIT */
#include "draw/compare/match.h"

#include <math.h>
#include <stdbool.h>

static const double same_time = 1e-11;

/* The rows of one table between two times: [first, first + count). */
typedef struct span {
  int first, count;
} span;

static span rows_between(const double *t, int count, double low, double high) {
  span s = {0, 0};
  while (s.first < count && t[s.first] < low)
    s.first++;
  while (s.first + s.count < count && t[s.first + s.count] <= high)
    s.count++;
  return s;
}

void wy_match_times(wy_memory *memory, const double *a, int a_count, const double *b, int b_count, wy_match *m) {
  *m = (wy_match){.earlier = -1, .time = {a, b}, .count = {a_count, b_count}};
  if (a_count == 0 || b_count == 0)
    return;
  double longer = fmax(a[a_count - 1] - a[0], b[b_count - 1] - b[0]);
  double close = same_time * (longer > 0 ? longer : fmax(fabs(a[0]), fabs(b[0])));
  m->end[0] = a[a_count - 1];
  m->end[1] = b[b_count - 1];
  if (fabs(m->end[0] - m->end[1]) > close)
    m->earlier = m->end[1] < m->end[0];
  double low = fmax(a[0], b[0]) - close, high = fmin(m->end[0], m->end[1]) + close;
  span spans[2] = {rows_between(a, a_count, low, high), rows_between(b, b_count, low, high)};
  m->coarse = spans[1].count < spans[0].count;
  int fine = !m->coarse, rows = spans[m->coarse].count, next = spans[fine].first, met = 0;
  m->t = wy_memory_take(memory, (size_t)rows, sizeof *m->t);
  for (int side = 0; side < 2; side++)
    m->index[side] = wy_memory_take(memory, (size_t)rows, sizeof(int));
  for (int i = 0; i < rows; i++) {
    int row = spans[m->coarse].first + i;
    double t = m->time[m->coarse][row];
    while (next < m->count[fine] && m->time[fine][next] < t - close)
      next++;
    bool partner = next < m->count[fine] && m->time[fine][next] <= t + close;
    if (!partner && m->count[fine] < 2)
      continue;
    m->t[m->rows] = t;
    m->index[m->coarse][m->rows] = row;
    m->index[fine][m->rows++] = partner ? next : -1;
    met += partner;
  }
  m->interpolated = m->rows - met;
  m->skipped = spans[fine].count - met;
}

/* The four rows around t, fewer at the ends of a short table, and Lagrange's weights. */
typedef struct stencil {
  int first, count;
  double weight[4];
} stencil;

static stencil around(const double *time, int count, double t) {
  int above = 0, below;
  for (int low = 0, high = count; low < high; above = low) { /* the first row after t */
    int middle = low + (high - low) / 2;
    if (time[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  stencil s = {.count = count < 4 ? count : 4};
  below = above - 2;
  s.first = below < 0 ? 0 : below > count - s.count ? count - s.count : below;
  for (int i = 0; i < s.count; i++) {
    s.weight[i] = 1;
    for (int j = 0; j < s.count; j++)
      if (j != i)
        s.weight[i] *= (t - time[s.first + j]) / (time[s.first + i] - time[s.first + j]);
  }
  return s;
}

/* A rotation: all quaternions on the side of the first one, and the result a unit one again. */
static void interpolate_rotation(const stencil *s, const double *const *q, double *const *out, int row) {
  double sum[4] = {0}, square = 0;
  for (int i = 0; i < s->count; i++) {
    double product = 0;
    for (int k = 0; k < 4; k++)
      product += q[k][s->first] * q[k][s->first + i];
    for (int k = 0; k < 4; k++)
      sum[k] += (product < 0 ? -s->weight[i] : s->weight[i]) * q[k][s->first + i];
  }
  for (int k = 0; k < 4; k++)
    square += sum[k] * sum[k];
  for (int k = 0; k < 4; k++)
    out[k][row] = square > 0 ? sum[k] / sqrt(square) : 0;
}

void wy_match_values(const wy_match *m, int side, const double *const *values, int components, double *const *out) {
  for (int i = 0; i < m->rows; i++) {
    int row = m->index[side][i];
    if (row >= 0) {
      for (int k = 0; k < components; k++)
        out[k][i] = values[k][row];
      continue;
    }
    stencil s = around(m->time[side], m->count[side], m->t[i]);
    if (components == 4) {
      interpolate_rotation(&s, values, out, i);
      continue;
    }
    for (int k = 0; k < components; k++)
      for (int j = 0; j < s.count; j++)
        out[k][i] += s.weight[j] * values[k][s.first + j];
  }
}
