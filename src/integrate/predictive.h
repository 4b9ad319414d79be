/* SPDX-License-Identifier: MIT */
/* Step control of the implicit one-step methods whose error falls with the fourth power of the step: the usual one and
   the predictive one of Gustafsson, whichever asks for the shorter step. docs/theory/integrators.md. */
#ifndef WY_INTEGRATE_PREDICTIVE_H
#define WY_INTEGRATE_PREDICTIVE_H

#include <stdbool.h>

typedef struct wy_predictive_control {
  double safety, smallest_divisor, largest_divisor; /* divisors of the step, from one to the next */
} wy_predictive_control;

/* Of the last accepted step, in the method's saved memory; zero: there is none. */
typedef struct wy_predictive_history {
  double h, error;
} wy_predictive_history;

/* By the error of a step h alone; `safety` is the control's or less. */
double wy_usual_step(const wy_predictive_control *control, double safety, double h, double error);
/* After a step that was rejected; `again`: so was the one before it. Where motions have kinks, as hits have, the error
   of a step over one falls with a lower power of the step: the second rejection at least halves it. */
double wy_retried_step(const wy_predictive_control *control, double safety, double h, double error, bool kinks,
                       bool again);
/* After an accepted step, which becomes the last one; NULL: the usual step, since the error of a step over a kink says
   nothing of the next. */
double wy_predicted_step(const wy_predictive_control *control, wy_predictive_history *last, double safety, double h,
                         double error);

#endif
