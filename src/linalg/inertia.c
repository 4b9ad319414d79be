/* SPDX-License-Identifier: MIT */
#include "linalg/inertia.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/target.h"

enum { MOST = WY_INERTIA_MOST, VECTOR = 8 };

typedef double block[MOST][MOST];

/* Blocks in a row are alike, so that the pivots of one serve the next, and are taken where no multiplier is larger than
   this: with a search for them it were 2.8. */
static const double most_growth = 4;

/* Rows are worked on as a whole, up to the next multiple of a vector, in loops whose length is known: the entries
   beyond the order n are zeros. */
WY_INLINE int padded(int n) {
  return (n + VECTOR - 1) / VECTOR * VECTOR;
}

/* ---- One block: L D L^T, both halves of it kept ---- */

/* Rows and columns stay where they are. Columns of rows that are done hold round-off. */

WY_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

/* The largest entry in rows and columns that are not done. */
WY_INLINE double largest(const wy_inertia *self, int n, int k) {
  double size = 0;
  for (int i = k; i < n; i++)
    for (int j = k; j <= i; j++)
      size = larger(fabs(self->left[self->order[i]][self->order[j]]), size);
  return size;
}

/* Brings a row to place k of the order. */
WY_INLINE void bring(int order[], int k, int at) {
  const int row = order[at];
  order[at] = order[k], order[k] = row;
}

/* Brings the first two rows that meet in an entry of this size beside the diagonal to places k and k + 1; false where
   there are none. */
WY_INLINE bool bring_pair(wy_inertia *self, int n, int k, double size) {
  for (int i = k + 1; i < n; i++)
    for (int j = k; j < i; j++)
      if (fabs(self->left[self->order[i]][self->order[j]]) == size) {
        bring(self->order, k, j);
        bring(self->order, k + 1, i);
        return true;
      }
  return false;
}

/* The pivot of Bunch and Parlett: the largest diagonal entry, unless an entry beside the diagonal is larger by the
   factor that bounds growth; then the two rows that meet there, as a 2x2 block. */
WY_INLINE void bring_pivot(wy_inertia *self, int n, int k) {
  const double alpha = 0.6403882032022076; /* (1 + sqrt(17)) / 8 */
  const double size = largest(self, n, k);
  double diagonal = -1;
  int at = k;
  for (int i = k; i < n; i++) {
    const double entry = fabs(self->left[self->order[i]][self->order[i]]);
    if (entry > diagonal)
      diagonal = entry, at = i;
  }
  self->pair[k] = diagonal < alpha * size && bring_pair(self, n, k, size);
  if (!self->pair[k])
    bring(self->order, k, at); /* also where nothing is a number */
}

/* Inverts the pivot at place k and divides by it; returns the largest multiplier, NAN where there is no inverse, and
   the number of its negative eigenvalues. */
WY_INLINE double divide(wy_inertia *self, int n, int k, int *negative) {
  const bool pair = self->pair[k];
  const int first = self->order[k], second = self->order[pair ? k + 1 : k];
  const double *a = self->left[first], *b = self->left[second];
  const double p = a[first], q = pair ? b[first] : 0, r = pair ? b[second] : 1, inverse = 1 / (p * r - q * q);
  const double own = r * inverse, beside = -q * inverse, other = p * inverse;
  double *la = self->l[k], *lb = self->l[pair ? k + 1 : k], size = isfinite(inverse) ? 0 : NAN;
  *negative = inverse < 0 ? 1 : pair && p < 0 ? 2 : 0;
  self->inverse[k][0] = own, self->inverse[k][1] = beside;
  if (pair) {
    self->inverse[k + 1][0] = other, self->inverse[k + 1][1] = beside, self->pair[k + 1] = false;
#pragma omp simd
    for (int j = 0; j < padded(n); j++)
      lb[j] = beside * a[j] + other * b[j];
  }
#pragma omp simd
  for (int j = 0; j < padded(n); j++)
    la[j] = own * a[j] + beside * b[j];
  la[second] = 0;
  for (int m = pair ? k + 2 : k + 1; m < n; m++)
    size = larger(fabs(lb[self->order[m]]), larger(fabs(la[self->order[m]]), size));
  return size;
}

/* The step at place k; the place of the next one, or -1 if there is no pivot. The pivot is that of the last block where
   `alike` is set and it bounds growth, too. */
WY_INLINE int eliminate(wy_inertia *self, int n, int k, bool *alike) {
  int negative;
  *alike = *alike && divide(self, n, k, &negative) <= most_growth;
  if (!*alike) {
    bring_pivot(self, n, k);
    if (isnan(divide(self, n, k, &negative)))
      return -1;
  }
  const bool pair = self->pair[k];
  const int next = pair ? k + 2 : k + 1;
  const double *a = self->left[self->order[k]], *b = self->left[self->order[next - 1]];
  self->negative += negative;
  for (int m = next; m < n; m++) {
    const int i = self->order[m];
    const double by = self->l[k][i], and_by = pair ? self->l[k + 1][i] : 0;
    double *to = self->left[i];
#pragma omp simd
    for (int j = 0; j < padded(n); j++)
      to[j] -= by * a[j] + and_by * b[j];
  }
  return next;
}

WY_INLINE int factor(wy_inertia *self, int n, bool alike) {
  for (int k = 0; !alike && k < n; k++)
    self->order[k] = k;
  for (int k = 0; k < n;) {
    k = eliminate(self, n, k, &alike);
    if (k < 0)
      return 1;
  }
  return 0;
}

int wy_inertia_negative(int n, double a[WY_INERTIA_MOST][WY_INERTIA_MOST], double least) {
  wy_inertia self = {0};
  bool alike = false;
  for (int i = 0; i < n; i++) {
    self.order[i] = i;
    for (int j = 0; j <= i; j++)
      self.left[i][j] = self.left[j][i] = a[i][j];
  }
  for (int k = 0; k >= 0 && k < n && largest(&self, n, k) > least;)
    k = eliminate(&self, n, k, &alike);
  return self.negative;
}

/* ---- Blocks one after the other ---- */

/* b = L^-1 b, for the right-hand sides that are its columns. */
WY_INLINE void forward(const wy_inertia *self, int n, block b, int width) {
  for (int m = 1; m < n; m++)
    for (int k = 0; k < m; k++) {
      const double factor = self->l[k][self->order[m]], *from = b[self->order[k]];
      double *to = b[self->order[m]];
#pragma omp simd
      for (int j = 0; j < width; j++)
        to[j] -= factor * from[j];
    }
}

/* scaled = D^-1 b */
WY_INLINE void scale(const wy_inertia *self, int n, block b, block scaled, int width) {
  for (int k = 0; k < n; k++) {
    const int other = self->pair[k] ? k + 1 : k > 0 && self->pair[k - 1] ? k - 1 : k;
    const double own = self->inverse[k][0], beside = other == k ? 0 : self->inverse[k][1];
    const double *from = b[self->order[k]], *with = b[self->order[other]];
    double *to = scaled[self->order[k]];
#pragma omp simd
    for (int j = 0; j < width; j++)
      to[j] = own * from[j] + beside * with[j];
  }
}

/* A row with zeros behind it. */
WY_INLINE void fill(double *to, const double *from, int size) {
  memcpy(to, from, (size_t)size * sizeof *to);
  memset(to + size, 0, (size_t)(padded(size) - size) * sizeof *to);
}

/* Entries are set well before they are needed as vectors, which would have to wait for them. */
WY_INLINE int add(wy_inertia *self, int size, block diagonal, int before, block coupling) {
  const int width = padded(size);
  block reached, scaled; /* [before][size] */
  for (int k = 0; k < before; k++)
    fill(reached[k], coupling[k], size);
  for (int i = 0; i < size; i++) {
    for (int j = 0; j <= i; j++)
      self->left[i][j] = self->left[j][i] = 0.5 * (diagonal[i][j] + diagonal[j][i]);
    memset(self->left[i] + size, 0, (size_t)(width - size) * sizeof *self->left[i]);
  }
  forward(self, before, reached, width);
  scale(self, before, reached, scaled, width);
  for (int i = 0; i < size; i++) {
    double sum[MOST];
    memcpy(sum, self->left[i], (size_t)width * sizeof *sum);
    for (int k = 0; k < before; k++) {
      const double by = reached[k][i];
#pragma omp simd
      for (int j = 0; j < width; j++)
        sum[j] -= by * scaled[k][j];
    }
    memcpy(self->left[i], sum, (size_t)width * sizeof *sum);
  }
  self->size = size;
  return factor(self, size, size == before);
}

/* Known orders make constant loops: those of the staggered rod. */
WY_CLONES
int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]) {
  assert(size >= 1 && size <= MOST);
  if (size == 9 && self->size == 9)
    return add(self, 9, diagonal, 9, coupling);
  return add(self, size, diagonal, self->size, coupling);
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

int wy_inertia_count(wy_inertia_row *row, const void *matrix, double mu, int order, int first, int step,
                     int *negative) {
  wy_inertia inertia;
  block diagonal, coupling, ahead[2]; /* what couples this block and the one before to the next, in turn */
  double entries[3 * MOST];
  assert(first <= MOST && step <= MOST);
  inertia.size = inertia.negative = 0;
  for (int from = 0, before = 0, turn = 0, to = smaller(first, order); from < order; turn = !turn) {
    const int size = to - from, next = smaller(to + step, order) - to;
    for (int i = 0; i < size; i++) {
      row(matrix, mu, from + i, from - before, to + next, entries);
      memcpy(diagonal[i], entries + before, (size_t)size * sizeof *entries);
      memcpy(ahead[turn][i], entries + before + size, (size_t)next * sizeof *entries);
      for (int k = 0; k < before; k++)
        coupling[k][i] = 0.5 * (entries[k] + ahead[!turn][k][i]);
    }
    if (wy_inertia_add(&inertia, size, diagonal, coupling))
      return 1;
    before = size, from = to, to += next;
  }
  *negative = inertia.negative;
  return 0;
}
