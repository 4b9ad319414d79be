#include "support/moving.h"

#include <string.h>

#include "check.h"

static wy_rod_def given(int segments, const double stiffness[6], const double inertia[4]) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

example dimensionless_rod(int segments, double slenderness, double gravity) {
  const double bending = slenderness * slenderness / 16;
  const double stiffness[6] = {1.0 / 3, 1.0 / 3, 1, bending, bending, 2 * bending / 3};
  const double inertia[4] = {1, bending, bending, 2 * bending};
  return (example){.rod = given(segments, stiffness, inertia), .gravity = {0, -gravity, 0}};
}

wy_solver_def conserving_solver(int order, const char *integrator, double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "conserving";
  solver.integrator = integrator;
  solver.conserving.order = order;
  solver.first_step = step;
  return solver;
}

example falling_cantilever(int segments) {
  static const double stiffness[6] = {1, 1, 1, 0.02, 0.02, 0.02}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  example e = {.rod = given(segments, stiffness, inertia), .gravity = {0, -1, 0}};
  e.rod.kind = WY_INEXTENSIBLE;
  return e;
}

example coil(int segments) {
  static const double stiffness[6] = {1, 1, 1, 1e-3, 1e-3, 1e-3 / 1.5}, inertia[4] = {0.01, 2.5e-9, 2.5e-9, 5e-9};
  static const double angle = 0.15, pi = 3.14159265358979323846;
  const double radius = cos(angle) / (10 * pi);
  example e = {.rod = given(segments, stiffness, inertia)};
  e.rod.kind = WY_INEXTENSIBLE;
  e.rod.shape = (wy_shape){.origin = {radius, 0, 0}, .direction = {0, cos(angle), sin(angle)}, .d1 = {-1, 0, 0}};
  e.rod.shape.curvature[1] = wy_constant(cos(angle) * cos(angle) / radius);
  e.rod.shape.curvature[2] = wy_constant(sin(angle) * cos(angle) / radius);
  return e;
}

wy_solver_def box_solver(double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "box";
  solver.first_step = step;
  return solver;
}

wy_solver_def plain_box_solver(double alpha, double beta, double gamma, wy_contact_force force, double step) {
  wy_solver_def solver = box_solver(step);
  solver.box.coefficients_given = true;
  solver.box.alpha = alpha, solver.box.beta = beta, solver.box.gamma = gamma;
  solver.box.transport = false;
  solver.box.force = force;
  return solver;
}

test_sim start_moving(const example *e, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, e->gravity, sizeof def.gravity);
  def.rods = &e->rod;
  def.rod_count = 1;
  def.loads = e->loads;
  def.load_count = e->load_count;
  must(wy_model_create(&def, &made.model, &message), &message);
  wy_sim_def sim = wy_default_sim_def();
  sim.solver = *solver;
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

void move_to(const test_sim *made, double t) {
  wy_message message = {0};
  must(wy_sim_advance(made->sim, t, &message), &message);
}

void step_once(const test_sim *made) {
  wy_message message = {0};
  must(wy_sim_step(made->sim, &message), &message);
}

double distance(const test_sim *made, double s, const double want[3]) {
  double x[4];
  probe(made, WY_POSITION, s, x);
  return sqrt(pow(x[0] - want[0], 2) + pow(x[1] - want[1], 2) + pow(x[2] - want[2], 2));
}
