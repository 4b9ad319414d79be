/* SPDX-License-Identifier: MIT */
#include "linalg/inertia.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef double block[WY_INERTIA_MOST][WY_INERTIA_MOST];

/* Only what is on the diagonal and below it is kept. */

static void exchange(double *x, double *y) {
  const double t = *x;
  *x = *y, *y = t;
}

/* Rows and columns i <= j of what is left, and the rows of L before. */
static void swap(block a, int n, int i, int j) {
  if (i == j)
    return;
  for (int k = 0; k < i; k++)
    exchange(&a[i][k], &a[j][k]);
  exchange(&a[i][i], &a[j][j]);
  for (int k = i + 1; k < j; k++)
    exchange(&a[k][i], &a[j][k]);
  for (int k = j + 1; k < n; k++)
    exchange(&a[k][i], &a[k][j]);
}

/* The pivot of Bunch and Parlett: the largest diagonal entry, unless an entry beside the diagonal is larger by the
   factor that bounds growth; then the two rows that meet there, as a 2x2 block. Brings it to place k. */
static bool choose_pivot(block a, int n, int k, int *first, int *second) {
  const double alpha = 0.6403882032022076; /* (1 + sqrt(17)) / 8 */
  double diagonal = -1, beside = -1;
  int d = k, p = k, q = k;
  for (int i = k; i < n; i++) {
    double most = -1; /* of the row */
    if (fabs(a[i][i]) > diagonal)
      diagonal = fabs(a[i][i]), d = i;
    for (int j = k; j < i; j++)
      most = fabs(a[i][j]) > most ? fabs(a[i][j]) : most;
    if (most > beside)
      beside = most, p = i;
  }
  while (p > q && fabs(a[p][q]) != beside)
    q++;
  bool single = k + 1 == n || diagonal >= alpha * beside; /* also where nothing is a number */
  *first = single ? d : q;
  *second = p;
  return single;
}

/* One step of L D L^T with complete pivoting, at place k; the place of the next one, or -1 if the pivot is not above
   `least`. pivots[k] is the row that came to place k; for a 2x2 block at k it is stored negative minus one, and
   pivots[k + 1] is the second row. */
static int eliminate(block a, int n, int k, double least, int pivots[], int *negative) {
  int first, second;
  bool single = choose_pivot(a, n, k, &first, &second);
  if (single) {
    swap(a, n, k, first);
    pivots[k] = first;
    double d = a[k][k];
    if (!(fabs(d) > least))
      return -1;
    *negative += d < 0;
    double column[WY_INERTIA_MOST];
    for (int i = k + 1; i < n; i++)
      column[i] = a[i][k];
    for (int i = k + 1; i < n; i++) {
      const double l = a[i][k] / d;
      for (int j = k + 1; j <= i; j++)
        a[i][j] -= l * column[j];
      a[i][k] = l;
    }
    return k + 1;
  }
  swap(a, n, k, first);
  swap(a, n, k + 1, second);
  pivots[k] = -first - 1, pivots[k + 1] = second;
  double p = a[k][k], q = a[k + 1][k], r = a[k + 1][k + 1], det = p * r - q * q;
  *negative += det < 0 ? 1 : p < 0 ? 2 : 0;
  double l[WY_INERTIA_MOST][2];
  for (int i = k + 2; i < n; i++) {
    l[i][0] = (r * a[i][k] - q * a[i][k + 1]) / det;
    l[i][1] = (p * a[i][k + 1] - q * a[i][k]) / det;
  }
  for (int i = k + 2; i < n; i++)
    for (int j = k + 2; j <= i; j++)
      a[i][j] -= l[i][0] * a[j][k] + l[i][1] * a[j][k + 1];
  for (int i = k + 2; i < n; i++)
    a[i][k] = l[i][0], a[i][k + 1] = l[i][1];
  return k + 2;
}

/* The largest entry of what is left from place k. */
static double largest(block a, int n, int k) {
  double size = 0;
  for (int i = k; i < n; i++)
    for (int j = k; j <= i; j++)
      size = fabs(a[i][j]) > size ? fabs(a[i][j]) : size;
  return size;
}

/* L D L^T in place, blocks of order 1 and 2 in D. */
static int factor(block a, int n, int pivots[], int *negative) {
  assert(n >= 1 && n <= WY_INERTIA_MOST);
  const double least = DBL_EPSILON * DBL_EPSILON * largest(a, n, 0);
  for (int k = 0; k < n;) {
    k = eliminate(a, n, k, least, pivots, negative);
    if (k < 0)
      return 1;
  }
  return 0;
}

int wy_inertia_negative(int n, double a[WY_INERTIA_MOST][WY_INERTIA_MOST], double least) {
  int negative = 0, pivots[WY_INERTIA_MOST];
  for (int k = 0; k >= 0 && k < n && largest(a, n, k) > least;)
    k = eliminate(a, n, k, 0, pivots, &negative);
  return negative;
}

/* b -= l v, for `count` right-hand sides at once. */
static void take(double *b, double l, const double *v, int count) {
  for (int i = 0; i < count; i++)
    b[i] -= l * v[i];
}

/* b = L^-1 P b, and D^-1 of it into `scaled`, for the right-hand sides that are the columns of b. */
static void forward(block a, int n, const int pivots[], int count, block b, block scaled) {
  for (int k = 0; k < n; k++) {
    const int from = pivots[k] >= 0 ? pivots[k] : -pivots[k] - 1;
    for (int i = 0; from != k && i < count; i++)
      exchange(&b[k][i], &b[from][i]);
  }
  for (int k = 0; k < n;) {
    if (pivots[k] >= 0 || k + 1 == n) { /* a block of order 2 has a second row */
      for (int i = k + 1; i < n; i++)
        take(b[i], a[i][k], b[k], count);
      for (int i = 0; i < count; i++)
        scaled[k][i] = b[k][i] / a[k][k];
      k++;
      continue;
    }
    for (int i = k + 2; i < n; i++) {
      take(b[i], a[i][k], b[k], count);
      take(b[i], a[i][k + 1], b[k + 1], count);
    }
    const double p = a[k][k], q = a[k + 1][k], r = a[k + 1][k + 1], det = p * r - q * q;
    for (int i = 0; i < count; i++) {
      scaled[k][i] = (r * b[k][i] - q * b[k + 1][i]) / det;
      scaled[k + 1][i] = (p * b[k + 1][i] - q * b[k][i]) / det;
    }
    k += 2;
  }
}

int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]) {
  assert(size >= 1 && size <= WY_INERTIA_MOST);
  block reached, scaled; /* [before][size] */
  const int before = self->size;
  for (int k = 0; k < before; k++)
    for (int i = 0; i < size; i++)
      reached[k][i] = coupling[i][k];
  if (before > 0)
    forward(self->carried, before, self->pivots, size, reached, scaled);
  for (int i = 0; i < size; i++) {
    double *row = self->carried[i];
    for (int j = 0; j <= i; j++)
      row[j] = 0.5 * (diagonal[i][j] + diagonal[j][i]);
    for (int k = 0; k < before; k++)
      take(row, reached[k][i], scaled[k], i + 1);
  }
  self->size = size;
  return factor(self->carried, size, self->pivots, &self->negative);
}
