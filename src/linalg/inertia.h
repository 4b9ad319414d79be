/* SPDX-License-Identifier: MIT */
/* How many eigenvalues of a symmetric block tridiagonal matrix are negative, by block elimination (Sylvester,
   Haynsworth): O(n), without allocation. */
#ifndef WY_LINALG_INERTIA_H
#define WY_LINALG_INERTIA_H

#include "base/target.h"

enum { WY_INERTIA_MOST = 24 };

/* One more diagonal block, of order `size` <= WY_INERTIA_MOST: the upper left part of `diagonal` (its symmetric part is
   taken), coupled to the block before it by `coupling` (rows of this block, columns of the one before; ignored for the
   first). */
typedef struct wy_inertia {
  int size; /* of the last block, 0 at the beginning */
  int negative;
  double carried[WY_INERTIA_MOST][WY_INERTIA_MOST]; /* the last block after elimination, factored; below the diagonal */
  int pivots[WY_INERTIA_MOST];
} wy_inertia;

/* 0, or 1 if a block has no inverse: then the count is not defined. */
int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]);

/* The same for one matrix of order n in which entries of size `least` and below are none: eigenvalues that are zero do
   not count. The matrix is overwritten. */
int wy_inertia_negative(int n, double a[WY_INERTIA_MOST][WY_INERTIA_MOST], double least);

/* An entry of K - mu M, of a matrix that only its owner knows. */
typedef double wy_inertia_entry(const void *matrix, int i, int j, double mu);

/* The count for a whole matrix: its first block ends at `first`, the next ones every `step`, the last at `order`. 0, or
   1 as above. Inline, so that `entry` is, too. */
WY_INLINE int wy_inertia_count(wy_inertia_entry *entry, const void *matrix, double mu, int order, int first, int step,
                               int *negative) {
  wy_inertia inertia = {0};
  double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST], coupling[WY_INERTIA_MOST][WY_INERTIA_MOST];
  for (int from = 0, before = 0, to = first; from < order; to += step) {
    int size = (to < order ? to : order) - from;
    for (int i = from; i < from + size; i++) {
      for (int j = from; j < from + size; j++)
        diagonal[i - from][j - from] = entry(matrix, i, j, mu);
      for (int j = from - before; j < from; j++)
        coupling[i - from][j - from + before] = 0.5 * (entry(matrix, i, j, mu) + entry(matrix, j, i, mu));
    }
    if (wy_inertia_add(&inertia, size, diagonal, coupling))
      return 1;
    before = size, from += size;
  }
  *negative = inertia.negative;
  return 0;
}

#endif
