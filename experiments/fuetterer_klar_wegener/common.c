/* See common.h. */
#include "experiments/fuetterer_klar_wegener/common.h"

wy_fkw_method wy_fkw_published(int segments) {
  return (wy_fkw_method){segments, 2, "midpoint", 1.0 / segments};
}

wy_fkw_method wy_fkw_fourth(int segments, double step) {
  return (wy_fkw_method){segments, 4, "gauss4", step};
}

wy_case wy_fkw_rod(double delta, double gamma, const wy_fkw_method *method) {
  const double bend = delta * delta / 16;
  const double stiffness[6] = {1. / 3, 1. / 3, 1, bend, bend, 2. / 3 * bend}, inertia[4] = {1, bend, bend, 2 * bend};
  wy_case c = wy_case_new();
  wy_case_section(&c, stiffness, inertia);
  c.rod.name = "rod";
  c.rod.length = 1;
  c.rod.segments = method->segments;
  c.rod.shape.direction[0] = 1;
  c.rod.shape.d1[1] = 1;
  c.rod.ends[WY_START] = wy_end_clamped();
  c.gravity[1] = -gamma;
  c.solver.scheme = "conserving";
  c.solver.integrator = method->integrator;
  c.solver.conserving.order = method->order;
  c.solver.first_step = method->step;
  return c;
}
