/* What the explicit Runge-Kutta methods share: sums over stages and step control. docs/theory/integrators.md. */
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

/* Judges a step h by its error. True: accepted, `next` is what to try after it. False: now.h is shorter and the
   rejection has its reason. */
bool wy_judge_step(wy_integrator *self, const wy_step_control *control, wy_step_history *history, double h,
                   double error, double *next);

#endif
