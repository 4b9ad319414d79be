/* SPDX-License-Identifier: MIT */
/* Small matrices, row by row: 3 x 3, and 6 x 6 in the order p, w or gamma, kappa. */
#ifndef WY_SCHEME_CONSERVING_BLOCK_H
#define WY_SCHEME_CONSERVING_BLOCK_H

#include "math/vec3.h"
#include "scheme/conserving/rod.h"

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
