/* SPDX-License-Identifier: MIT */
/* Step control of the implicit one-step methods whose error falls with the fourth power of the step: the usual one and
   the predictive one of Gustafsson, whichever asks for the shorter step. docs/theory/integrators.md. */
#ifndef WY_INTEGRATE_PREDICTIVE_H
#define WY_INTEGRATE_PREDICTIVE_H

typedef struct wy_predictive_control {
  double safety, smallest_divisor, largest_divisor; /* divisors of the step, from one to the next */
} wy_predictive_control;

/* Of the last accepted step, in the method's saved memory; zero: there is none. */
typedef struct wy_predictive_history {
  double h, error;
} wy_predictive_history;

/* By the error of a step h alone; `safety` is the control's or less. */
double wy_usual_step(const wy_predictive_control *control, double safety, double h, double error);
/* After an accepted step, which becomes the last one. */
double wy_predicted_step(const wy_predictive_control *control, wy_predictive_history *last, double safety, double h,
                         double error);

#endif
