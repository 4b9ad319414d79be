/* SPDX-License-Identifier: MIT */
/* Small full matrices: factors with row exchanges, real or complex, and the signs of the eigenvalues of symmetric ones.
   Row by row, in the caller's memory. */
#ifndef WY_LINALG_FULL_H
#define WY_LINALG_FULL_H

/* Factors a matrix of order n in place; `im` NULL: it is real. `rows`: [n] which row came to where. 1 if it is
   singular. */
int wy_full_factor(int n, double *re, double *im, int *rows);
/* Solves in place with these factors. `im` and `b_im` are NULL together. */
void wy_full_solve(int n, const double *re, const double *im, const int *rows, double *b, double *b_im);
/* The number of negative eigenvalues of a symmetric matrix, which is overwritten. 1 if one of them cannot be told from
   0. */
int wy_full_negative(int n, double *a, int *negative);

#endif
