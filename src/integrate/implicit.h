/* SPDX-License-Identifier: MIT */
/* What methods keep between attempts and have to bring back after a restore: f at the present point, the Jacobian and
   the factors that were made with it. The structs lie in a method's saved memory. */
#ifndef WY_INTEGRATE_IMPLICIT_H
#define WY_INTEGRATE_IMPLICIT_H

#include "integrate/integrator.h"

/* f at the present point, in self->f. */
typedef struct wy_kept_f {
  bool valid;
  bool unused; /* it was evaluated to end the last step, and no attempt has begun with it yet */
} wy_kept_f;

/* Evaluates f where it is out of date; an attempt uses it from now on. */
void wy_know_f(wy_integrator *self, wy_kept_f *kept, bool power);
/* It is out of date. Where no attempt has used it, it counts as an evaluation for work and dissipation. */
void wy_forget_f(const wy_integrator *self, wy_kept_f *kept);

/* What a matrix sigma - J was shifted by: a real and a complex shift; 0: there is none of that kind. */
typedef struct wy_shifts {
  double real, complex_re, complex_im;
} wy_shifts;

/* Written by the functions below; a method may clear the flags. */
typedef struct wy_kept_matrices {
  double t;          /* where the Jacobian was taken, with the state beside it */
  double made_for;   /* the step, or the shift, that the factors are for */
  bool has_jacobian; /* and it is good enough to go on with */
  bool fresh;        /* it is that of the present point */
  bool has_factor;   /* factors of the present Jacobian */
} wy_kept_matrices;

/* The Jacobian at (t, u); `copy` (may be NULL) keeps u for wy_restore_matrices. 0, or what the system returns where
   there is none. */
int wy_take_jacobian(wy_integrator *self, wy_kept_matrices *kept, double t, const double *u, double *copy);
/* Factors with the present Jacobian. */
int wy_take_factors(wy_integrator *self, wy_kept_matrices *kept, double made_for, wy_shifts shifts);
/* After a restore: Jacobian and factors as they were, with u at kept->t. They do not count again. */
void wy_restore_matrices(wy_integrator *self, const wy_kept_matrices *kept, const double *u, wy_shifts shifts);

/* An attempt has failed: the step to try next, and why. */
wy_outcome wy_reject(wy_integrator *self, double h, wy_rejection rejection);
/* The same where the system has no Jacobian or factors: `status` as it returned it. */
wy_outcome wy_reject_singular(wy_integrator *self, double h, int status);

#endif
