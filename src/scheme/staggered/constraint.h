/* SPDX-License-Identifier: MIT */
/* Strains that are zero, and the section forces that keep them so: constraint.c. */
#ifndef WY_SCHEME_STAGGERED_CONSTRAINT_H
#define WY_SCHEME_STAGGERED_CONSTRAINT_H

#include "scheme/port.h"
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
  double *kept; /* with ports, by wy_staggered_restrain: forces that do not act yet */
  double *full; /* of a chain: the state with its positions and velocities filled in, by the last evaluation */
  bool taut;    /* the last solve, projection or residual of statics: no forces can meet the constraints */
} wy_links;

/* Compliance of a rod that yields to its hubs while it is eliminated, of the inverse masses. Hubs feel its inverse:
   digits are left for the rest. */
static const double wy_yielding = 1e-9;
bool wy_staggered_yields(const wy_staggered *self);
/* The matrix of the forces, factored, for a state whose frames are in `unit`; which wy_staggered_load_frames does. */
void wy_staggered_load_frames(wy_staggered *self, const double *u);
void wy_staggered_factor_links(wy_staggered *self, const double *u);
/* Adds the reactions to accelerations f that were found without them; WY_RETRY where none can do it. */
int wy_staggered_constrain(wy_staggered *self, const double *u, double *f);
/* With these factors: forces that make up for what `from` misses on a level, which are kept; those that changes of the
   motion of the ends ask for, which act together with them on `to`. On the level of accelerations `from` and `to` are
   f, else u. The pull of the present forces on the end vertices. */
int wy_staggered_restrain(wy_staggered *self, wy_level level, const double *u, const double *from, wy_port_miss *miss);
int wy_staggered_respond(wy_staggered *self, wy_level level, double moved[2][3], double pull[2][3], double *to);
void wy_staggered_end_pull(const wy_staggered *self, double pull[2][3]);
/* Positions and velocities back to the constraints; how far they are from them, and whether that is more than
   projection leaves. */
void wy_staggered_project_constraints(wy_staggered *self, double *u);
bool wy_staggered_constraints_missed(wy_staggered *self, const double *u, double *strain, double *rate);
/* state.c: the same for a projection at t, with the held ends where their supports are: 1 where f no longer holds, or
   an error where the constraints cannot be met. */
int wy_staggered_project_strains(wy_staggered *self, double t, double *u, double drift[WY_DRIFTS]);
/* chain.c: fills in the positions and velocities of a chain from its root, frames and stretches; the stretches and
   their rates from positions and velocities; rates of both, of which the second follows from accelerations. */
void wy_staggered_chain(const wy_staggered *self, double *u);
void wy_staggered_take_stretches(const wy_staggered *self, double *u);
void wy_staggered_stretch_rates(const wy_staggered *self, const double *u, double *f);

#endif
