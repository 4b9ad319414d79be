/* SPDX-License-Identifier: MIT */
#include "linalg/inertia.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef double block[WY_INERTIA_MOST][WY_INERTIA_MOST];

static void swap(block a, int n, int i, int j) {
  for (int k = 0; k < n; k++) {
    double t = a[i][k];
    a[i][k] = a[j][k], a[j][k] = t;
  }
  for (int k = 0; k < n; k++) {
    double t = a[k][i];
    a[k][i] = a[k][j], a[k][j] = t;
  }
}

/* The pivot of Bunch and Parlett: the largest diagonal entry, unless an entry beside the diagonal is larger by the
   factor that bounds growth; then the two rows that meet there, as a 2x2 block. Brings it to place k. */
static bool choose_pivot(block a, int n, int k, int *first, int *second) {
  const double alpha = 0.6403882032022076; /* (1 + sqrt(17)) / 8 */
  double diagonal = -1, beside = -1;
  int d = k, p = k, q = k;
  for (int i = k; i < n; i++) {
    if (fabs(a[i][i]) > diagonal)
      diagonal = fabs(a[i][i]), d = i;
    for (int j = k; j < i; j++)
      if (fabs(a[i][j]) > beside)
        beside = fabs(a[i][j]), p = i, q = j;
  }
  bool single = diagonal >= alpha * beside;
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
    for (int i = k + 1; i < n; i++) {
      double l = a[i][k] / d;
      for (int j = k + 1; j <= i; j++)
        a[j][i] = a[i][j] -= l * a[j][k];
    }
    for (int i = k + 1; i < n; i++)
      a[i][k] /= d;
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
      a[j][i] = a[i][j] -= l[i][0] * a[j][k] + l[i][1] * a[j][k + 1];
  for (int i = k + 2; i < n; i++)
    a[i][k] = l[i][0], a[i][k + 1] = l[i][1];
  return k + 2;
}

/* The largest entry of what is left from place k. */
static double largest(block a, int n, int k) {
  double size = 0;
  for (int i = k; i < n; i++)
    for (int j = k; j < n; j++)
      size = fmax(size, fabs(a[i][j]));
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

static void exchange(double b[], int i, int j) {
  double t = b[i];
  b[i] = b[j], b[j] = t;
}

/* b = L^-1 P b, and D^-1 of it into `scaled`. */
static void forward(block a, int n, const int pivots[], double b[], double scaled[]) {
  for (int k = 0; k < n; k++)
    exchange(b, k, pivots[k] >= 0 ? pivots[k] : -pivots[k] - 1);
  for (int k = 0; k < n;) {
    if (pivots[k] >= 0) {
      for (int i = k + 1; i < n; i++)
        b[i] -= a[i][k] * b[k];
      scaled[k] = b[k] / a[k][k];
      k++;
      continue;
    }
    for (int i = k + 2; i < n; i++)
      b[i] -= a[i][k] * b[k] + a[i][k + 1] * b[k + 1];
    double p = a[k][k], q = a[k + 1][k], r = a[k + 1][k + 1], det = p * r - q * q;
    scaled[k] = (r * b[k] - q * b[k + 1]) / det;
    scaled[k + 1] = (p * b[k + 1] - q * b[k]) / det;
    k += 2;
  }
}

int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]) {
  assert(size >= 1 && size <= WY_INERTIA_MOST);
  double reached[WY_INERTIA_MOST][WY_INERTIA_MOST], scaled[WY_INERTIA_MOST][WY_INERTIA_MOST];
  const int before = self->size;
  for (int i = 0; before > 0 && i < size; i++) {
    memcpy(reached[i], coupling[i], (size_t)before * sizeof(double));
    forward(self->carried, before, self->pivots, reached[i], scaled[i]);
  }
  double next[WY_INERTIA_MOST][WY_INERTIA_MOST];
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.5 * (diagonal[i][j] + diagonal[j][i]);
      for (int k = 0; k < before; k++)
        sum -= reached[i][k] * scaled[j][k];
      next[i][j] = next[j][i] = sum;
    }
  memcpy(self->carried, next, sizeof next);
  self->size = size;
  return factor(self->carried, size, self->pivots, &self->negative);
}
