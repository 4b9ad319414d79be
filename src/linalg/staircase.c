/* SPDX-License-Identifier: MIT */
#include "linalg/staircase.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/target.h"

enum {
  NODE = WY_STAIR_NODE,
  END = WY_STAIR_END,
  WIDTH = WY_STAIR_WIDTH,
  ROWS = WY_STAIR_END + WY_STAIR_NODE, /* of the window: left over from the node before, and those of a cell */
  LANES = 8,                           /* columns are taken from a multiple of this on: those before are done */
  COLUMN = 16,                         /* entries of a column of pivot rows, padded */
  MULTIPLIERS = 24                     /* of a pivot, padded */
};

void wy_staircase_layout(wy_staircase *self, wy_arena *arena, int cells) {
  assert(cells >= 1);
  const size_t parts = (size_t)cells + 1;
  self->cells = cells;
  self->upper = wy_arena_doubles(arena, parts * WIDTH * COLUMN);
  self->inverse = wy_arena_doubles(arena, parts * NODE);
  self->lower = wy_arena_doubles(arena, parts * NODE * MULTIPLIERS);
  self->order = wy_arena_take(arena, parts * ROWS);
}

/* The row of the largest entry in column k, among those that are left; -1 without a usable one. */
WY_INLINE int find_pivot(double (*window)[WIDTH], int k, int rows) {
  int best = k;
  double largest = fabs(window[k][k]), sum = largest;
  for (int r = k + 1; r < rows; r++) {
    const double size = fabs(window[r][k]);
    sum += size;
    best = size > largest ? r : best;
    largest = size > largest ? size : largest;
  }
  return largest > 0 && isfinite(sum) ? best : -1;
}

WY_INLINE double eliminate_column(double (*window)[WIDTH], int k, int rows, int from, const unsigned char *order,
                                  double *restrict upper, double *restrict lower) {
  const double inverse = 1 / window[k][k];
  _Alignas(WY_ALIGNMENT) double pivot[WIDTH];
  memcpy(pivot, window[k], sizeof pivot);
  for (int c = k + 1; c < WIDTH; c++)
    upper[c * COLUMN + k] = pivot[c];
  for (int r = k + 1; r < rows; r++) {
    const double factor = window[r][k] * inverse;
    lower[order[r]] = factor;
#pragma omp simd
    for (int c = from; c < WIDTH; c++)
      window[r][c] -= factor * pivot[c];
  }
  return inverse;
}

/* Eliminates the 12 columns of a node from the rows of the window. */
WY_INLINE int eliminate_node(const wy_staircase *self, int part, double (*window)[WIDTH], int rows) {
  unsigned char *order = self->order + (size_t)part * ROWS;
  double *restrict multipliers = self->lower + (size_t)part * NODE * MULTIPLIERS;
#pragma omp simd
  for (int i = 0; i < NODE * MULTIPLIERS; i++)
    multipliers[i] = 0;
  for (int r = 0; r < ROWS; r++)
    order[r] = (unsigned char)r;
  for (int k = 0; k < NODE; k++) {
    double *upper = self->upper + (size_t)part * WIDTH * COLUMN;
    double *lower = self->lower + ((size_t)part * NODE + (size_t)k) * MULTIPLIERS;
    const int best = find_pivot(window, k, rows);
    if (best < 0)
      return 1;
    if (best != k) {
      double held[WIDTH];
      const unsigned char row = order[k];
      order[k] = order[best], order[best] = row;
      memcpy(held, window[k], sizeof held);
      memcpy(window[k], window[best], sizeof held);
      memcpy(window[best], held, sizeof held);
    }
    self->inverse[part * NODE + k] = k < LANES ? eliminate_column(window, k, rows, 0, order, upper, lower)
                                               : eliminate_column(window, k, rows, LANES, order, upper, lower);
  }
  return 0;
}

WY_CLONES
static int eliminate_cell(const wy_staircase *self, int part, double (*window)[WIDTH]) {
  return eliminate_node(self, part, window, ROWS);
}

int wy_staircase_factor(wy_staircase *self, wy_staircase_feed *feed, const void *context) {
  assert(feed && self->upper && self->cells >= 1);
  _Alignas(WY_ALIGNMENT) double window[ROWS][WIDTH] = {{0}};
  feed(context, -1, &window[0][0]);
  for (int cell = 0; cell < self->cells; cell++) {
    memset(window[END], 0, NODE * sizeof window[0]);
    feed(context, cell, &window[END][0]);
    if (eliminate_cell(self, cell, window))
      return 1;
    for (int r = 0; r < END; r++) { /* what is left is about the next node */
      memcpy(window[r], window[NODE + r] + NODE, NODE * sizeof(double));
      memset(window[r] + NODE, 0, NODE * sizeof(double));
    }
  }
  memset(window[END], 0, END * sizeof window[0]);
  feed(context, self->cells, &window[END][0]);
  return eliminate_node(self, self->cells, window, NODE);
}

/* x -= factor * column: whole vectors, and no entry by itself, which would have to wait for them. */
WY_INLINE void take(int n, double factor, const double *restrict column, double *restrict x) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    x[i] -= column[i] * factor;
}

/* The steps of the elimination on the rows y of a window: right-hand sides of the pivots into `to`, and what is left to
   the front of y. */
WY_INLINE void forward(const wy_staircase *self, int part, double y[MULTIPLIERS], double *to) {
  const unsigned char *order = self->order + (size_t)part * ROWS;
  double left[END];
  for (int k = 0; k < NODE; k++) {
    to[k] = y[order[k]];
    take(MULTIPLIERS, to[k], self->lower + ((size_t)part * NODE + (size_t)k) * MULTIPLIERS, y);
  }
  for (int r = 0; r < END; r++)
    left[r] = y[order[NODE + r]];
  memcpy(y, left, sizeof left);
}

/* The unknowns of a node, given those of the next one. */
WY_INLINE void backward(const wy_staircase *self, int part, const double *next, double *to) {
  const double *upper = self->upper + (size_t)part * WIDTH * COLUMN, *inverse = self->inverse + (size_t)part * NODE;
  _Alignas(WY_ALIGNMENT) double x[COLUMN] = {0};
  memcpy(x, to, NODE * sizeof *x);
  for (int c = 0; next && c < NODE; c++)
    take(COLUMN, next[c], upper + (size_t)(NODE + c) * COLUMN, x);
  for (int c = NODE - 1; c >= 0; c--) {
    to[c] = x[c] * inverse[c];
    take(COLUMN, to[c], upper + (size_t)c * COLUMN, x);
  }
}

WY_CLONES
void wy_staircase_solve(const wy_staircase *self, double *b) {
  assert(b && self->upper);
  _Alignas(WY_ALIGNMENT) double y[MULTIPLIERS] = {0};
  memcpy(y, b, END * sizeof *y);
  for (int cell = 0; cell < self->cells; cell++) {
    memcpy(y + END, b + END + (size_t)cell * NODE, NODE * sizeof *y);
    forward(self, cell, y, b + (size_t)cell * NODE);
  }
  double *last = b + (size_t)self->cells * NODE;
  memcpy(y + END, last + END, END * sizeof *y);
  forward(self, self->cells, y, last);
  backward(self, self->cells, NULL, last);
  for (int cell = self->cells - 1; cell >= 0; cell--)
    backward(self, cell, b + (size_t)(cell + 1) * NODE, b + (size_t)cell * NODE);
}
