/* SPDX-License-Identifier: MIT */
/* See case.h. */
#include "experiments/case.h"

#include <math.h>

void wy_case_draw(wy_case *c, wy_chart *chart, int curve, int x, int y) {
  const wy_points line = wy_sim_view(c->sim, 0)->position;
  for (int i = 0; i < line.count; i++)
    wy_chart_point(chart, curve, line.values[3 * i + x], line.values[3 * i + y]);
}

double wy_distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

double wy_order(double coarse, double fine) {
  return log2(coarse / fine);
}
