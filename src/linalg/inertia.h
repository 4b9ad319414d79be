/* How many eigenvalues of a symmetric block tridiagonal matrix are negative, by block elimination (Sylvester,
   Haynsworth): O(n), without allocation. */
#ifndef WY_LINALG_INERTIA_H
#define WY_LINALG_INERTIA_H

enum { WY_INERTIA_MOST = 24 };

/* One more diagonal block, of order `size` <= WY_INERTIA_MOST: the upper left part of `diagonal` (its symmetric part is
   taken), coupled to the block before it by `coupling` (rows of this block, columns of the one before; ignored for the
   first). */
typedef struct wy_inertia {
  int size; /* of the last block, 0 at the beginning */
  int negative;
  double carried[WY_INERTIA_MOST][WY_INERTIA_MOST]; /* the last block after elimination, factored */
  int pivots[WY_INERTIA_MOST];
} wy_inertia;

/* 0, or 1 if a block has no inverse: then the count is not defined. */
int wy_inertia_add(wy_inertia *self, int size, double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST],
                   double coupling[WY_INERTIA_MOST][WY_INERTIA_MOST]);

#endif
