/* SPDX-License-Identifier: MIT */
/* The history of NDF: a state and its backward differences on a grid of equal spacing, and the formulas on it. Row m of
   `past`, m = 1 ... WY_NDF_ROWS, holds nabla^m u; n entries each. docs/theory/integrators.md, (I60) to (I63). */
#ifndef WY_INTEGRATE_NDF_HISTORY_H
#define WY_INTEGRATE_NDF_HISTORY_H

#include <stddef.h>

enum { WY_NDF_ORDERS = 5, WY_NDF_ROWS = WY_NDF_ORDERS + 2 };

/* The leading error of order k in d, equal steps: kappa gamma_k + 1 / (k + 1). */
double wy_ndf_error(int k);

/* One step of c spacings: u = sum value_m nabla^m u + d, and sum slope_m nabla^m u + sigma d = f (I60). */
typedef struct wy_ndf_step {
  double value[WY_NDF_ORDERS + 1], slope[WY_NDF_ORDERS + 1];
  double c, sigma, error; /* error / d */
} wy_ndf_step;

/* A step h from a history of order k and that spacing. */
wy_ndf_step wy_ndf_plan(int k, double spacing, double h);
/* Value and slope of the history's polynomial at the end of a step; and its value at any time, in spacings (I61). */
void wy_ndf_predict(int k, const wy_ndf_step *step, const double *u, const double *past, int n, double *guess,
                    double *slope);
void wy_ndf_at(int k, double x, const double *u, const double *past, int n, double *out);
/* The history after a step with the correction d: of one spacing, which fills rows k + 1 and k + 2, too; or
   of another length, which leaves these as they are (I62). */
void wy_ndf_advance(int k, const wy_ndf_step *step, double *u, double *past, const double *d, int n);
/* A spacing that is `ratio` times as long. */
void wy_ndf_rescale(int k, double ratio, double *u, double *past, int n);

static inline double *wy_ndf_row(double *past, int m, int n) {
  return past + (size_t)(m - 1) * (size_t)n;
}

#endif
