/* SPDX-License-Identifier: MIT */
/* Small dense systems: LU factorisation with partial pivoting. Meant for a few unknowns; band systems are in band.h. */
#ifndef WY_TESTS_SUPPORT_DENSE_H
#define WY_TESTS_SUPPORT_DENSE_H

/* Factors the matrix of order n in place, stored by rows: entry (i, j) is a[i * n + j]. pivot[k] is the row that was
   exchanged with row k. 0, or k + 1 if column k has no usable pivot (all candidates are zero, or one is not finite). */
int wy_dense_factor(double *a, int n, int *pivot);

/* Solves in place with the factors. */
void wy_dense_solve(const double *a, int n, const int *pivot, double *b);

#endif
