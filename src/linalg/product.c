/* SPDX-License-Identifier: MIT */
#include "linalg/product.h"

#include <assert.h>

#include "base/target.h"

enum { MOST = 16 };

/* A row of c stays in registers while the rows of b go by. */
WY_INLINE void multiply(int rows, int inner, int columns, const double *a, const double *b, double *c) {
  for (int i = 0; i < rows; i++) {
    double sum[MOST] = {0};
    for (int k = 0; k < inner; k++)
#pragma omp simd
      for (int j = 0; j < columns; j++)
        sum[j] += a[i * inner + k] * b[k * columns + j];
    for (int j = 0; j < columns; j++)
      c[i * columns + j] = sum[j];
  }
}

/* Known numbers of columns make constant loops. */
WY_CLONES
void wy_product(int rows, int inner, int columns, const double *a, const double *b, double *c) {
  assert(columns <= MOST);
  if (columns == 12)
    multiply(rows, inner, 12, a, b, c);
  else if (columns == 8)
    multiply(rows, inner, 8, a, b, c);
  else if (columns == 6)
    multiply(rows, inner, 6, a, b, c);
  else
    multiply(rows, inner, columns, a, b, c);
}
