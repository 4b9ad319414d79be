#include "support/moving.h"

#include <string.h>

#include "check.h"
#include "support/uniform.h"

static wy_rod_def given(int segments, const double stiffness[6], const double inertia[4]) {
  wy_rod_def rod = given_rod(segments, 1, stiffness, inertia);
  rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
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

const box_form box_forms[BOX_FORMS] = {{0.8, true, WY_FORCE_HISTORY},
                                       {0.8, false, WY_FORCE_HISTORY},
                                       {0.5, true, WY_FORCE_STAGE},
                                       {1, false, WY_FORCE_STAGE},
                                       {0, true, WY_FORCE_HISTORY}};

void set_box_form(wy_solver_def *solver, const box_form *form) {
  solver->box.rho_inf = form->rho;
  solver->box.transport = form->transport;
  solver->box.force = form->force;
}

test_sim start_moving(const example *e, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  const wy_model_def def = example_model(e);
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

double apart(const double a[3], const double b[3]) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

double distance(const test_sim *made, double s, const double want[3]) {
  double x[4];
  probe(made, WY_POSITION, s, x);
  return apart(x, want);
}

static void same_points(const wy_points *a, const wy_points *b) {
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->values, b->values, sizeof(double) * (size_t)(a->count * a->components));
}

void same_state(const test_sim *first, const test_sim *second) {
  const wy_view *a = wy_sim_view(first->sim, 0), *b = wy_sim_view(second->sim, 0);
  same_points(&a->position, &b->position);
  same_points(&a->velocity, &b->velocity);
  same_points(&a->frame, &b->frame);
  same_points(&a->angular_velocity, &b->angular_velocity);
  same_points(&a->force, &b->force);
  same_points(&a->moment, &b->moment);
  assert_memory_equal(a->ends, b->ends, sizeof a->ends);
  wy_energy e = wy_sim_energy(first->sim, 0), f = wy_sim_energy(second->sim, 0);
  assert_memory_equal(&e, &f, sizeof e);
}
