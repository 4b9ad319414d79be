/* SPDX-License-Identifier: MIT */
/* See common.h. */
#include "experiments/lang_arnold/common.h"

void wy_la_solve(wy_case *c, const char *integrator, double tolerance, wy_coordinates coordinates) {
  c->solver.integrator = integrator;
  c->solver.relative_tolerance = c->solver.absolute_tolerance = tolerance;
  c->solver.staggered.curvature_measure = WY_SIN4;
  c->solver.staggered.coordinates = coordinates;
}
