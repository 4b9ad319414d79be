/* SPDX-License-Identifier: MIT */
/* The coefficients of DOP853 as data (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.5 and
   II.6, and their code of that name); tests/unit/test_dop853_table.c checks the order conditions. Most coefficients are
   zero: only the others are listed. */
#ifndef WY_INTEGRATE_DOP853_TABLE_H
#define WY_INTEGRATE_DOP853_TABLE_H

enum {
  WY_DOP853_STAGES = 12,     /* of a step */
  WY_DOP853_ALL_STAGES = 16, /* with the new state, number 12 from 0, and three more for the continuous output */
  WY_DOP853_WEIGHTS = 8,     /* stages that the new state and the errors are made of: 0 and 5 to 11 */
  WY_DOP853_DENSE_TERMS = 12 /* and the continuous output: 0 and 5 to 15 */
};

/* The state of a stage: u + h sum_j a[j] k[stage[j]]. */
typedef struct wy_dop853_row {
  int terms;
  int stage[9];
  double a[9];
} wy_dop853_row;

extern const double wy_dop853_c[WY_DOP853_ALL_STAGES];
/* Empty for stages 0 and 12, which are states themselves. */
extern const wy_dop853_row wy_dop853_a[WY_DOP853_ALL_STAGES];

/* Weights of the new state, of order 8; of another one of order 3; and what the former differ by from those of order 5.
 */
extern const double wy_dop853_b[WY_DOP853_WEIGHTS];
extern const double wy_dop853_b3[WY_DOP853_WEIGHTS];
extern const double wy_dop853_error5[WY_DOP853_WEIGHTS];

/* The last four of the eight coefficients of the continuous output of order 7, (I32). */
extern const double wy_dop853_dense[4][WY_DOP853_DENSE_TERMS];

#endif
