/* SPDX-License-Identifier: MIT */
/* The extrapolation tableau of the linearly implicit Euler method over one step, (I20) to (I25) in
   docs/theory/integrators.md. Rows and columns are counted from 1, as there. */
#ifndef WY_INTEGRATE_SEULEX_TABLEAU_H
#define WY_INTEGRATE_SEULEX_TABLEAU_H

#include "integrate/integrator.h"

enum {
  WY_SEULEX_COLUMNS = 12,
  WY_SEULEX_DERIVATIVES = 3 /* of the continuous output; coarse rows know little about further ones */
};

/* Substeps of row j. */
extern const int wy_seulex_substeps[WY_SEULEX_COLUMNS + 1];

/* All in scratch memory. Vectors have the integrals behind the state, as the integrator's. */
typedef struct wy_tableau {
  double *entry[WY_SEULEX_COLUMNS + 1]; /* after row j: entry[i] = T_j,j+1-i, so that entry[1] = T_jj is the best */
  double *slope[WY_SEULEX_COLUMNS + 1]; /* the same for f at the start of the step, where f depends on time */
  double *increment[WY_SEULEX_COLUMNS + 1][WY_SEULEX_DERIVATIVES]; /* of the last substeps of row j, the last first */
  double *first, *spare, *error;
} wy_tableau;

void wy_tableau_layout(wy_tableau *tableau, wy_arena *scratch, int size);

/* Row j of a step h from (now.t, u), with the Jacobian that the system keeps and f(t,u) in self->f. *error is the norm
   of T_jj - T_j,j-1 for j > 1; *contraction, written in rows 1 and 2, is that of a simplified Newton iteration for the
   first substep. Where the row cannot be had: a status as systems return it (scheme.h), with self->rejection set. */
int wy_tableau_row(wy_integrator *self, wy_tableau *tableau, int j, double h, bool autonomous, double *error,
                   double *contraction);

/* After row `columns` of a step h of a system that depends on time: how far f at its start is from what the rows, which
   see f later only, make of it (I29); as an error at the end of the step, where it is above 1. */
double wy_tableau_start_error(wy_integrator *self, wy_tableau *tableau, int columns, double h);

/* The same for f at the end of the step, with what the last increments of the rows make of it: no row has seen what
   begins to act within its last substep, and an obstacle that is met there would be passed over by all of
   them (I29a). As an error of the last row. `f` is used up. */
double wy_tableau_end_error(wy_integrator *self, wy_tableau *tableau, int columns, double h, double *f);

/* Coefficients of the continuous output from u to entry[1], after row `columns`. Returns the degree, which is
   `columns` or what the derivatives allow: coefficients dense[0] to dense[degree]. */
int wy_tableau_dense(const wy_tableau *tableau, int columns, const double *u, int n, double *const *dense);

#endif
