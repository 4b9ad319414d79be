/* Small matrices, row by row: 3 x 3, and 6 x 6 in the order p, w or gamma, kappa. */
#ifndef WY_SCHEME_CONSERVING_BLOCK_H
#define WY_SCHEME_CONSERVING_BLOCK_H

#include <string.h>

#include "scheme/conserving/rod.h"

static inline void skew(wy_v3 a, double m[9]) {
  const double s[9] = {0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0};
  memcpy(m, s, sizeof s);
}

static inline void multiply3(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* Adds factor * m to the 3 x 3 block (row, column) of a 6 x 6 matrix. */
static inline void add_block(double m6[WY_BLOCK], int row, int column, double factor, const double m[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m6[6 * (3 * row + i) + 3 * column + j] += factor * m[3 * i + j];
}

/* Row i of p and w over its inertia. */
static inline void divide_rows(const double inertia[4], int columns, double *m) {
  for (int i = 0; i < 6; i++)
    for (int c = 0; c < columns; c++)
      m[columns * i + c] /= inertia[i < 3 ? 0 : i - 2];
}

#endif
