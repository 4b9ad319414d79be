/* SPDX-License-Identifier: MIT */
/* The null-space form, shared by its files: nullspace.c (assembly and states), nullspace_rows.c (the matrix),
   nullspace_solve.c (right-hand sides). */
#ifndef WY_SCHEME_STAGGERED_NULLSPACE_H
#define WY_SCHEME_STAGGERED_NULLSPACE_H

#include "scheme/staggered/rod.h"

enum { WY_NULLSPACE_CELL = 6, WY_NULLSPACE_HALF = 8, WY_NULLSPACE_HALF_TENDONS = 11 };

int wy_nullspace_factor(wy_staggered *self, wy_slot *slot);
void wy_nullspace_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);
/* What is before and after the band's solve, of linear.packed: right-hand sides with the known part of displacements
   and rotations, which stay in b (over the shift) and in linear.theta; displacements and quaternions from velocities.
 */
void wy_nullspace_begin_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im);
void wy_nullspace_end_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im);
/* y -= what comes from outside, times displacements and rotations x (space axes, halo array theta). In band order. */
void wy_nullspace_outside_times(const wy_staggered *self, const double *x, const double *theta, double *y);

/* States, as the saddle form has them too: the body angular velocity is the spin itself; quaternions (and f of them)
   back to unit length, whose square was what is returned. */
void wy_nullspace_set_spin(const wy_staggered *self, int segment, const double p[4], const double omega[3], double *u);
double wy_nullspace_scale_frame(const wy_staggered *self, int segment, double *u, double *f);

#endif
