/* SPDX-License-Identifier: MIT */
#include "integrate/predictive.h"

#include <math.h>

static const double least_error = 1e-2; /* that is remembered: a lucky step says little about the next */

static double within(const wy_predictive_control *control, double divisor) {
  return fmax(control->smallest_divisor, fmin(control->largest_divisor, divisor));
}

double wy_usual_step(const wy_predictive_control *control, double safety, double h, double error) {
  return h / within(control, pow(error, 0.25) / safety);
}

double wy_retried_step(const wy_predictive_control *control, double safety, double h, double error, bool kinks,
                       bool again) {
  const double usual = wy_usual_step(control, safety, h, error);
  return kinks && again ? fmin(usual, 0.5 * h) : usual;
}

double wy_predicted_step(const wy_predictive_control *control, wy_predictive_history *last, double safety, double h,
                         double error) {
  if (!last)
    return wy_usual_step(control, safety, h, error);
  double divisor = within(control, pow(error, 0.25) / safety);
  if (last->h > 0) {
    double predicted = last->h / h * pow(error * error / last->error, 0.25) / control->safety;
    divisor = fmax(divisor, within(control, predicted));
  }
  *last = (wy_predictive_history){h, fmax(least_error, error)};
  return h / divisor;
}
