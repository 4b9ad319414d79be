/* SPDX-License-Identifier: MIT */
/* Strains that are zero, and the section forces that keep them so: constraint.c. */
#ifndef WY_SCHEME_STAGGERED_CONSTRAINT_H
#define WY_SCHEME_STAGGERED_CONSTRAINT_H

#include "scheme/scheme.h"
#include "scheme/staggered/grid.h"

/* L D L^T of the diagonal block of a segment whose constraints depend on those before it: one over each pivot, or 0. */
typedef struct wy_link_pivots {
  double l21, l31, l32, inv[3];
} wy_link_pivots;

/* Arrays are laid out where strains are constrained, `tangent` for equilibria too. */
typedef struct wy_links {
  double *tangent; /* X = R^T Dx / h, by factor_links; by the tangent of statics for `dissipation` */
  /* By factor_links: the block tridiagonal matrix in the section forces, then its factors. */
  double *diagonal, *next;
  int dependent_at; /* the segment whose constraints depend on those before it, or -1 */
  wy_link_pivots dependent_pivots;
  /* By solve_links: the forces. By spread_forces: what they do to vertices (space, halo array) and segments. */
  double *lambda, *force, *spin;
  double *full; /* of a chain: the state with its positions and velocities filled in, by the last evaluation */
  bool taut;    /* the last solve, projection or residual of statics: no forces can meet the constraints */
} wy_links;

/* Adds the reactions to accelerations f that were found without them; WY_RETRY where none can do it. */
int wy_staggered_constrain(wy_staggered *self, const double *u, double *f);
/* Positions and velocities back to the constraints; how far they are from them, and whether that is more than
   projection leaves. */
void wy_staggered_project_constraints(wy_staggered *self, double *u);
bool wy_staggered_constraints_missed(wy_staggered *self, const double *u, double *strain, double *rate);
/* state.c: the same for a projection at t, with the held ends where their supports are: 1 where f no longer holds, or
   an error where the constraints cannot be met. */
int wy_staggered_project_strains(wy_staggered *self, double t, double *u, double drift[WY_DRIFTS]);
/* chain.c: fills in the positions and velocities of a chain from its root and frames. */
void wy_staggered_chain(const wy_staggered *self, double *u);

#endif
