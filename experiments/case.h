/* SPDX-License-Identifier: MIT */
/* What experiments do with the cases of scenes/: lines in charts, distances, orders. */
#ifndef WY_EXPERIMENTS_CASE_H
#define WY_EXPERIMENTS_CASE_H

#include "experiments/experiments.h"
#include "scenes/published.h"

/* The centreline as a curve in the plane of two axes. */
void wy_case_draw(wy_case *c, wy_chart *chart, int curve, int x, int y);

double wy_distance(const double a[3], const double b[3]);
/* log2 of the ratio of two successive errors. */
double wy_order(double coarse, double fine);

#endif
