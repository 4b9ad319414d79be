/* See common.h. */
#include "experiments/lang_arnold/common.h"

wy_case wy_la_pendulum(wy_rod_kind kind, int segments) {
  wy_case c = wy_case_new();
  c.rod.name = "pendulum";
  c.rod.kind = kind;
  c.rod.length = 1;
  c.rod.segments = segments;
  c.rod.section.shape = WY_CIRCLE;
  c.rod.section.radius = wy_constant(5e-3);
  c.rod.material.given = true;
  c.rod.material.density = wy_constant(1100);
  c.rod.material.young = wy_constant(5e6);
  c.rod.material.has_shear = true;
  c.rod.material.shear = wy_constant(1.67e6);
  c.rod.shear_factors[0] = c.rod.shear_factors[1] = 0.89;
  c.rod.shape.direction[1] = 1;
  c.rod.shape.d1[2] = 1;
  c.rod.ends[WY_START] = wy_end_pinned();
  c.gravity[2] = -9.81;
  return c;
}

void wy_la_solve(wy_case *c, const char *integrator, double tolerance, wy_coordinates coordinates) {
  c->solver.integrator = integrator;
  c->solver.relative_tolerance = c->solver.absolute_tolerance = tolerance;
  c->solver.staggered.curvature_measure = WY_SIN4;
  c->solver.staggered.coordinates = coordinates;
}
