/* SPDX-License-Identifier: MIT */
/* Differences along the rod that have a summation by parts: sum H (a Db + b Da) is what leaves through the ends (C5).
 */
#include <string.h>

#include "scheme/conserving/rod.h"

/* Rows at the start of the rod, column c at [c]; at its end they are mirrored with the opposite sign. */
typedef struct closure {
  int rows;
  double row[4][6], norm[4];
  double inner[WY_STENCIL];
} closure;

static const closure order_2 = {
    .rows = 1, .row = {{-1, 1}}, .norm = {0.5}, .inner = {0, 0, -0.5, 0, 0.5, 0, 0}}; /* (C6) */

static const closure order_4 = {.rows = 4, /* (C7) */
                                .row = {{-24.0 / 17, 59.0 / 34, -4.0 / 17, -3.0 / 34},
                                        {-1.0 / 2, 0, 1.0 / 2},
                                        {4.0 / 43, -59.0 / 86, 0, 59.0 / 86, -4.0 / 43},
                                        {3.0 / 98, 0, -59.0 / 98, 0, 32.0 / 49, -4.0 / 49}},
                                .norm = {17.0 / 48, 59.0 / 48, 43.0 / 48, 49.0 / 48},
                                .inner = {0, 1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12, 0}};

static void set_row(const wy_conserving *self, const closure *from, int j, double row[WY_STENCIL], double *norm) {
  const int last = self->nodes - 1, mirrored = last - j;
  memset(row, 0, WY_STENCIL * sizeof *row);
  *norm = 1;
  if (j >= from->rows && mirrored >= from->rows) {
    memcpy(row, from->inner, WY_STENCIL * sizeof *row);
    return;
  }
  const bool start = j < from->rows;
  const int near = start ? j : mirrored;
  *norm = from->norm[near];
  for (int c = 0; c < 6; c++)
    if (from->row[near][c] != 0)
      row[WY_REACH + (start ? c - near : near - c)] = start ? from->row[near][c] : -from->row[near][c];
}

/* On a graded grid the differences are taken by the number of the node, and so are those of arc length: J. */
int wy_conserving_set_operator(wy_conserving *self) {
  const closure *from = self->order == 4 ? &order_4 : &order_2;
  for (int j = 0; j < self->nodes; j++) {
    double *row = self->difference + (size_t)j * WY_STENCIL, norm, stretch = 0;
    set_row(self, from, j, row, &norm);
    for (int k = 0; k < WY_STENCIL; k++)
      if (row[k] != 0)
        stretch += row[k] * (self->s[j + k - WY_REACH] - self->s[j]);
    if (!(stretch > 0))
      return j < self->nodes - 1 ? j + 1 : j;
    self->norm[j] = norm * stretch;
    for (int k = 0; k < WY_STENCIL; k++)
      row[k] /= stretch;
  }
  return 0;
}

static void difference_near_end(const wy_conserving *self, int j, const double *a, double *out) {
  const double *row = self->difference + (size_t)j * WY_STENCIL;
  double sum = 0;
  for (int k = 0; k < WY_STENCIL; k++)
    if (row[k] != 0)
      sum += row[k] * a[j + k - WY_REACH];
  out[j] = sum;
}

void wy_conserving_differentiate(const wy_conserving *self, const double *a, double *out) {
  const int n = self->nodes;
  for (int c = 0; c < 3; c++) {
    const double *restrict from = a + (size_t)c * (size_t)self->stride;
    double *restrict to = out + (size_t)c * (size_t)self->stride;
    for (int j = 0; j < WY_REACH && j < n; j++)
      difference_near_end(self, j, from, to);
    for (int j = WY_REACH; j < n - WY_REACH; j++) {
      const double *restrict row = self->difference + (size_t)j * WY_STENCIL;
      double sum = 0;
      for (int k = 0; k < WY_STENCIL; k++)
        sum += row[k] * from[j + k - WY_REACH];
      to[j] = sum;
    }
    for (int j = n > 2 * WY_REACH ? n - WY_REACH : WY_REACH; j < n; j++)
      difference_near_end(self, j, from, to);
  }
}
