/* SPDX-License-Identifier: MIT */
/* What the explicit Runge-Kutta methods share: sums over stages, step control, work and dissipation.
   docs/theory/integrators.md. */
#ifndef WY_INTEGRATE_EXPLICIT_H
#define WY_INTEGRATE_EXPLICIT_H

#include "integrate/integrator.h"

enum { WY_MOST_TERMS = 9 };

/* out = u + h sum_j a[j] k[j], 1 to WY_MOST_TERMS terms. */
void wy_stage_sum(const double *u, double h, const double *a, double *const *k, int terms, int n, double *out);

/* Step control: h_new = h * safety * err^-exponent * old^beta, kept within factors. */
typedef struct wy_step_control {
  double exponent, beta, smallest_factor, largest_factor;
} wy_step_control;

typedef struct wy_step_history {
  double last_error;
  bool last_rejected;
} wy_step_history;

void wy_forget_steps(wy_step_history *history);

/* Judges a step h to the state `after` by its error, and by what is in its way. True: accepted, `next` is what to try
   after it. False: now.h is shorter and the rejection has its reason. */
bool wy_judge_step(wy_integrator *self, const wy_step_control *control, wy_step_history *history, double h,
                   const double *after, double error, double *next);

/* Work and dissipation over the last accepted step; in the method's saved memory. */
typedef struct wy_books {
  double before[WY_INTEGRALS], gain[WY_INTEGRALS];
  bool even; /* rates were taken where they are free of noise: the gain is shared out evenly over the step */
} wy_books;

/* At the limit of stability a fast decay that has long died out is kept alive by the method, at the size of the
   tolerance; at some stages it is many times larger, and its square times the damping is no dissipation of the rod.
   Told by a rate of dissipation `stage` that differs from another one, `end`, of the same time by more than a share of
   the largest rate of the step; or by a step that gives energy back. */
bool wy_rates_are_noisy(const wy_integrator *self, double stage, double end, double largest, double gain);

/* Books of a step that the method's own sums have led to, self->u, from `before`: as they are, or with the rates given
   (else NULL) all over the step. For `dense`: the integrals at a share theta of the step; dissipation stays between
   what it is at both ends, whatever the continuous output makes of it. */
void wy_books_keep(wy_integrator *self, wy_books *books, const double before[WY_INTEGRALS], const double *rates);
void wy_books_at(const wy_books *books, double theta, double integrals[WY_INTEGRALS]);

#endif
