/* SPDX-License-Identifier: MIT */
/* How many eigenvalues of a symmetric block tridiagonal matrix are negative, by block elimination (Sylvester,
   Haynsworth): O(n), without allocation. */
#ifndef WY_LINALG_INERTIA_H
#define WY_LINALG_INERTIA_H

#include <stdbool.h>

enum { WY_INERTIA_MOST = 24 };

/* The count after some diagonal blocks, with what is left of the last one: factored, P A P^T = L D L^T. */
typedef struct wy_inertia {
  int size; /* of the last block, 0 at the beginning */
  int negative;
  double left[WY_INERTIA_MOST][WY_INERTIA_MOST]; /* of the block, while it is being factored */
  double l[WY_INERTIA_MOST][WY_INERTIA_MOST];    /* by steps, in the rows that follow; its ones left out */
  double inverse[WY_INERTIA_MOST][3];            /* of D: the diagonal, and what stands before and behind it */
  int order[WY_INERTIA_MOST];                    /* the row that is the pivot of each step */
  bool pair[WY_INERTIA_MOST];                    /* this step and the next one share a block of D of order 2 */
} wy_inertia;

/* One more diagonal block, of order `size` <= WY_INERTIA_MOST: the upper left part of `diagonal` (its symmetric part is
   taken), to which `coupling` couples the block before it (rows of that block, columns of this one; ignored for the
   first). 0, or 1 if a block has no inverse: then the count is not defined. */
int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]);

/* The same for one matrix of order n in which entries of size `least` and below are none: eigenvalues that are zero do
   not count. */
int wy_inertia_negative(int n, double a[WY_INERTIA_MOST][WY_INERTIA_MOST], double least);

/* Writes the entries of row i of K - mu M in columns `from` ... `to` - 1, of a matrix that only its owner knows. */
typedef void wy_inertia_row(const void *matrix, double mu, int i, int from, int to, double *row);

/* The count for a whole matrix, whose symmetric part is taken: its first block ends at `first`, the next ones every
   `step`, the last at `order`. 0, or 1 as above. */
int wy_inertia_count(wy_inertia_row *row, const void *matrix, double mu, int order, int first, int step, int *negative);

#endif
