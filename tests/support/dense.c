/* SPDX-License-Identifier: MIT */
/* Small dense systems. The multipliers stand below the diagonal in the order of the final rows. */
#include "support/dense.h"

#include <math.h>

/* The row of the largest entry of column k on or below the diagonal; -1 if none is usable. */
static int find_pivot(const double *a, int n, int k) {
  int best = k;
  for (int i = k; i < n; i++) {
    const double size = fabs(a[i * n + k]);
    if (!isfinite(size))
      return -1;
    if (size > fabs(a[best * n + k]))
      best = i;
  }
  return a[best * n + k] == 0.0 ? -1 : best;
}

static void exchange_rows(double *a, int n, int i, int k) {
  for (int j = 0; j < n; j++) {
    const double entry = a[i * n + j];
    a[i * n + j] = a[k * n + j];
    a[k * n + j] = entry;
  }
}

int wy_dense_factor(double *a, int n, int *pivot) {
  for (int k = 0; k < n; k++) {
    pivot[k] = find_pivot(a, n, k);
    if (pivot[k] < 0)
      return k + 1;
    if (pivot[k] != k)
      exchange_rows(a, n, pivot[k], k);
    for (int i = k + 1; i < n; i++) {
      const double multiplier = a[i * n + k] / a[k * n + k];
      a[i * n + k] = multiplier;
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= multiplier * a[k * n + j];
    }
  }
  return 0;
}

void wy_dense_solve(const double *a, int n, const int *pivot, double *b) {
  for (int k = 0; k < n; k++) {
    const double entry = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = entry;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= a[i * n + j] * b[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}
