/* SPDX-License-Identifier: MIT */
/* See common.h. */
#include "experiments/sobottka_lay_weber/common.h"

wy_slw_method wy_slw_radius(int cells, double step, double rho_inf) {
  wy_slw_method method = {cells, step, wy_default_solver_def().box};
  method.box.rho_inf = rho_inf;
  return method;
}

wy_slw_method wy_slw_coefficients(int cells, double step, double alpha, double beta, double gamma) {
  wy_slw_method method = {cells, step, wy_default_solver_def().box};
  method.box.coefficients_given = true;
  method.box.alpha = alpha;
  method.box.beta = beta;
  method.box.gamma = gamma;
  return method;
}

void wy_slw_solve(wy_case *c, const wy_slw_method *method) {
  c->statics = true;
  c->solver.integrator = "galpha";
  c->solver.first_step = method->step;
  c->solver.box = method->box;
}

wy_case wy_slw_cantilever(const wy_slw_method *method) {
  wy_case c = wy_scene_cantilever(method->cells);
  wy_slw_solve(&c, method);
  return c;
}

wy_case wy_slw_laden(const wy_slw_method *method) {
  wy_case c = wy_slw_cantilever(method);
  c.gravity[1] = 0;
  c.loaded = true;
  c.load.place = WY_ALONG;
  c.load.to = c.rod.length;
  c.load.force[1] = wy_case_signal(&c, "-a*sin(pi*t/2)^4", 1);
  return c;
}

wy_case wy_slw_coil(const wy_slw_method *method, double pull) {
  wy_case c = wy_scene_coil(method->cells);
  wy_slw_solve(&c, method);
  c.load.force[2] = wy_constant(pull);
  return c;
}
