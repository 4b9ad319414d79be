/* SPDX-License-Identifier: MIT */
/* See common.h. */
#include "experiments/fuetterer_klar_wegener/common.h"

wy_fkw_method wy_fkw_published(int segments) {
  return (wy_fkw_method){segments, 2, "midpoint", 1.0 / segments};
}

wy_fkw_method wy_fkw_fourth(int segments, double step) {
  return (wy_fkw_method){segments, 4, "gauss4", step};
}

void wy_fkw_solve(wy_case *c, const wy_fkw_method *method) {
  c->solver.integrator = method->integrator;
  c->solver.conserving.order = method->order;
  c->solver.first_step = method->step;
}
