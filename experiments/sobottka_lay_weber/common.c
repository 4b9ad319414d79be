/* See common.h. */
#include "experiments/sobottka_lay_weber/common.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

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

static void solve_by(wy_case *c, const wy_slw_method *method) {
  c->rod.segments = method->cells;
  c->statics = true;
  c->solver.scheme = "box";
  c->solver.integrator = "galpha";
  c->solver.first_step = method->step;
  c->solver.box = method->box;
}

wy_case wy_slw_cantilever(const wy_slw_method *method) {
  const double stiffness[6] = {1, 1, 1, 0.02, 0.02, 0.02}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  wy_case c = wy_case_new();
  wy_case_section(&c, stiffness, inertia);
  c.rod.name = "rod";
  c.rod.kind = WY_INEXTENSIBLE;
  c.rod.length = 1;
  c.rod.shape.direction[0] = 1;
  c.rod.shape.d1[1] = 1;
  c.rod.ends[WY_START] = wy_end_clamped();
  c.gravity[1] = -1;
  solve_by(&c, method);
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

static const double pitch_angle = 0.15, turns = 5;

wy_case wy_slw_coil(const wy_slw_method *method) {
  const double bend = 1e-3, radius = cos(pitch_angle) / (2 * pi * turns);
  const double stiffness[6] = {1, 1, 1, bend, bend, bend / 1.5}, inertia[4] = {0.01, 2.5e-9, 2.5e-9, 5e-9};
  wy_case c = wy_case_new();
  wy_case_section(&c, stiffness, inertia);
  c.rod.name = "wire";
  c.rod.kind = WY_INEXTENSIBLE;
  c.rod.shape.origin[0] = radius;
  c.rod.shape.direction[1] = cos(pitch_angle);
  c.rod.shape.direction[2] = sin(pitch_angle);
  c.rod.shape.d1[0] = -1;
  c.rod.shape.helix.radius = radius;
  c.rod.shape.helix.pitch = 2 * pi * radius * tan(pitch_angle);
  c.rod.shape.helix.turns = turns;
  c.rod.ends[WY_START] = wy_end_clamped();
  c.rod.drag.translation = 0.2;
  c.load.place = WY_AT_END;
  solve_by(&c, method);
  return c;
}

double wy_slw_coil_height(void) {
  return sin(pitch_angle);
}
