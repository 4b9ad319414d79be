/* SPDX-License-Identifier: MIT */
/* Gauss collocation methods of 1, 2 and 3 stages (order 2, 4, 6): coefficients, and what turns their stage equations
   into one real or one complex linear system per stage or pair of stages. docs/theory/integrators.md. */
#ifndef WY_INTEGRATE_GAUSS_TABLE_H
#define WY_INTEGRATE_GAUSS_TABLE_H

enum { WY_GAUSS_STAGES = 3 }; /* most of them */

typedef struct wy_gauss_table {
  int stages;
  int real, complex; /* eigenvalues of A^-1: single real ones, and pairs */
  double c[WY_GAUSS_STAGES];
  double polynomial[WY_GAUSS_STAGES][WY_GAUSS_STAGES]; /* Lagrange polynomial j of the nodes: sum of [j][k] x^k */
  double inverse[WY_GAUSS_STAGES][WY_GAUSS_STAGES];    /* A^-1 */
  double b[WY_GAUSS_STAGES];                           /* weights of the step's end */
  /* a_ij = b_j (1/2 + skew_ij): that skew is antisymmetric, to the last digit, is what keeps quadratic invariants. */
  double skew[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
  /* T^-1 A^-1 T: first gamma, then the pair alpha -+ i beta, which acts on w1 + i w2 as alpha - i beta. */
  double gamma, alpha, beta;
  double t[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
  double into[WY_GAUSS_STAGES][WY_GAUSS_STAGES]; /* T^-1 A^-1 */
} wy_gauss_table;

void wy_gauss_fill(wy_gauss_table *table, int stages);

/* Integrals of the Lagrange polynomials from 0 to x: the collocation polynomial at a share x of the step. */
void wy_gauss_weights(const wy_gauss_table *table, double x, double weights[WY_GAUSS_STAGES]);

#endif
