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

/* Inverts the pivot at place k and divides by it; returns whether there is an inverse, the number of its negative
   eigenvalues, and the largest entry of its rows: no multiplier is larger. */
WY_INLINE bool divide(wy_inertia *self, int n, int k, int *negative, double *size) {
  const bool pair = self->pair[k];
  const int first = self->order[k], second = self->order[pair ? k + 1 : k];
  const double *a = self->left[first], *b = self->left[second];
  const double p = a[first], q = pair ? b[first] : 0, r = pair ? b[second] : 1, inverse = 1 / (p * r - q * q);
  const double own = r * inverse, beside = -q * inverse, other = p * inverse;
  double *la = self->l[k], *lb = self->l[pair ? k + 1 : k], most = 0;
  *negative = inverse < 0 ? 1 : pair && p < 0 ? 2 : 0;
  self->inverse[k][0] = 0, self->inverse[k][1] = own, self->inverse[k][2] = pair ? beside : 0;
  if (pair) {
    self->inverse[k + 1][0] = beside, self->inverse[k + 1][1] = other, self->inverse[k + 1][2] = 0;
    self->pair[k + 1] = false;
#pragma omp simd reduction(max : most)
    for (int j = 0; j < padded(n); j++) {
      lb[j] = beside * a[j] + other * b[j];
      most = larger(fabs(lb[j]), most);
    }
  }
#pragma omp simd reduction(max : most)
  for (int j = 0; j < padded(n); j++) {
    la[j] = own * a[j] + beside * b[j];
    most = larger(fabs(la[j]), most);
  }
  la[second] = 0;
  *size = most;
  return isfinite(inverse);
}

/* Is a multiplier of the pivot at place k too large? Entries of columns that are done do not count. */
WY_INLINE bool grows(const wy_inertia *self, int n, int k) {
  const double *la = self->l[k], *lb = self->l[self->pair[k] ? k + 1 : k];
  for (int m = self->pair[k] ? k + 2 : k + 1; m < n; m++)
    if (larger(fabs(la[self->order[m]]), fabs(lb[self->order[m]])) > most_growth)
      return true;
  return false;
}

/* The step at place k; the place of the next one, or -1 if there is no pivot. The pivot is that of the last block where
   `alike` is set and it bounds growth, too. */
WY_INLINE int eliminate(wy_inertia *self, int n, int k, bool *alike) {
  int negative;
  double size;
  *alike = *alike && divide(self, n, k, &negative, &size) && (size <= most_growth || !grows(self, n, k));
  if (!*alike) {
    bring_pivot(self, n, k);
    if (!divide(self, n, k, &negative, &size))
      return -1;
  }
  const bool pair = self->pair[k];
  const int next = pair ? k + 2 : k + 1;
  const double *a = self->left[self->order[k]], *b = self->left[self->order[next - 1]];
  self->negative += negative;
  for (int m = next; m < n; m++) {
    const int i = self->order[m];
    const double by = self->l[k][i];
    double *to = self->left[i];
    if (pair) {
      const double and_by = self->l[k + 1][i];
#pragma omp simd
      for (int j = 0; j < padded(n); j++)
        to[j] -= by * a[j] + and_by * b[j];
    } else {
#pragma omp simd
      for (int j = 0; j < padded(n); j++)
        to[j] -= by * a[j];
    }
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

/* What couples a block to the one before it, by the steps of that one, between two rows of zeros. */
typedef double reach[MOST + 2][MOST];

/* b = L^-1 b, for the right-hand sides that are its columns. */
WY_INLINE void forward(const wy_inertia *self, int n, reach b, int width) {
  for (int m = 1; m < n; m++) {
    double *to = b[m + 1];
    for (int k = 0; k < m; k++) {
      const double factor = self->l[k][self->order[m]], *from = b[k + 1];
#pragma omp simd
      for (int j = 0; j < width; j++)
        to[j] -= factor * from[j];
    }
  }
}

/* scaled = D^-1 b */
WY_INLINE void scale(const wy_inertia *self, int n, reach b, block scaled, int width) {
  for (int k = 0; k < n; k++) {
    const double *by = self->inverse[k], *before = b[k], *from = b[k + 1], *behind = b[k + 2];
    double *to = scaled[k];
#pragma omp simd
    for (int j = 0; j < width; j++)
      to[j] = by[1] * from[j] + by[0] * before[j] + by[2] * behind[j];
  }
}

/* A diagonal block of order `size`, and what couples the block before, of order `before`, to it: its first `columns`
   columns, the others are zero. Zeros stand behind each row, up to the next multiple of a vector. */
typedef struct piece {
  int size, before, columns;
  block diagonal, coupling;
} piece;

/* Sets the orders, and the zeros behind the rows where they may be others than before. */
static void shape(piece *self, int size, int before) {
  const size_t bytes = (size_t)(padded(size) - size) * sizeof(double);
  if (self->size == size && self->before == before)
    return;
  self->size = size, self->before = before;
  for (int i = 0; i < size; i++)
    memset(self->diagonal[i] + size, 0, bytes);
  for (int k = 0; k < before; k++)
    memset(self->coupling[k] + size, 0, bytes);
}

/* The symmetric part of a block whose rows are `stride` apart. */
WY_INLINE void set_diagonal(piece *self, const double *from, int stride) {
  for (int i = 0; i < self->size; i++)
    for (int j = 0; j <= i; j++)
      self->diagonal[i][j] = self->diagonal[j][i] = 0.5 * (from[i * stride + j] + from[j * stride + i]);
}

static int columns_of(const piece *self) {
  for (int size = self->size; size > 0; size--)
    for (int k = 0; k < self->before; k++)
      if (self->coupling[k][size - 1] != 0)
        return size;
  return 0;
}

WY_INLINE int add(wy_inertia *self, const piece *next, int size, int before, int columns) {
  const int width = padded(columns);
  reach reached;
  block scaled;
  memset(reached[0], 0, (size_t)width * sizeof *reached[0]);
  memset(reached[before + 1], 0, (size_t)width * sizeof *reached[0]);
  for (int k = 0; k < before; k++)
    memcpy(reached[k + 1], next->coupling[self->order[k]], (size_t)width * sizeof *reached[0]);
  forward(self, before, reached, width);
  scale(self, before, reached, scaled, width);
  for (int i = 0; i < size; i++)
    memcpy(self->left[i], next->diagonal[i], (size_t)padded(size) * sizeof *self->left[i]);
  for (int i = 0; i < columns; i++) {
    double sum[MOST];
    memcpy(sum, next->diagonal[i], (size_t)width * sizeof *sum);
    for (int k = 0; k < before; k++) {
      const double by = reached[k + 1][i];
#pragma omp simd
      for (int j = 0; j < width; j++)
        sum[j] -= by * scaled[k][j];
    }
    memcpy(self->left[i], sum, (size_t)width * sizeof *sum);
  }
  self->size = size;
  return factor(self, size, size == before);
}

/* Known orders make constant loops: those of the staggered rod, whose blocks end with a vertex that nothing couples to
   the block before. */
WY_CLONES
static int add_any(wy_inertia *self, const piece *next) {
  if (next->size == 9 && self->size == 9 && next->columns == 6)
    return add(self, next, 9, 9, 6);
  return add(self, next, next->size, self->size, next->columns);
}

int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]) {
  assert(size >= 1 && size <= MOST);
  piece next;
  next.size = next.before = 0;
  shape(&next, size, self->size);
  set_diagonal(&next, diagonal[0], MOST);
  for (int k = 0; k < next.before; k++)
    memcpy(next.coupling[k], coupling[k], (size_t)size * sizeof *coupling[k]);
  next.columns = columns_of(&next);
  return add_any(self, &next);
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

/* The rows of a block, columns of the blocks around it included. */
typedef double window[MOST][3 * MOST];

/* Where a block stands, and the orders of the two before it. */
typedef struct place {
  int earlier, before, from, to;
} place;

/* The block at a place, whose rows go to `here`. Those of the block before are in `above`; the next one ends at `end`.
 */
static void fetch(wy_inertia_row *row, const void *matrix, double mu, place at, int end, window above, window here,
                  piece *out) {
  shape(out, at.to - at.from, at.before);
  for (int i = 0; i < out->size; i++)
    row(matrix, mu, at.from + i, at.from - at.before, end, here[i]);
  for (int k = 0; k < at.before; k++)
    for (int i = 0; i < out->size; i++)
      out->coupling[k][i] = 0.5 * (here[i][k] + above[k][at.earlier + at.before + i]);
  set_diagonal(out, here[0] + at.before, 3 * MOST);
  out->columns = columns_of(out);
}

/* Each block is read before the one ahead of it is worked on: vectors would have to wait for entries that have just
   been written. */
int wy_inertia_count(wy_inertia_row *row, const void *matrix, double mu, int order, int first, int step,
                     int *negative) {
  wy_inertia inertia;
  window rows[2];
  piece pieces[2];
  assert(first <= MOST && step <= MOST);
  inertia.size = inertia.negative = 0;
  for (int k = 0; k < 2; k++)
    pieces[k].size = pieces[k].before = 0;
  place at = {0, 0, 0, smaller(first, order)};
  fetch(row, matrix, mu, at, smaller(at.to + step, order), rows[1], rows[0], &pieces[0]);
  for (int turn = 0; at.from < order; turn = !turn) {
    const int next = smaller(at.to + step, order);
    at = (place){at.before, at.to - at.from, at.to, next};
    if (at.from < order)
      fetch(row, matrix, mu, at, smaller(next + step, order), rows[turn], rows[!turn], &pieces[!turn]);
    if (add_any(&inertia, &pieces[turn]))
      return 1;
  }
  *negative = inertia.negative;
  return 0;
}
