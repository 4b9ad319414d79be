/* SPDX-License-Identifier: MIT */
#include "support/moving.h"

#include <string.h>

#include "check.h"

example dimensionless_rod(int segments, double slenderness, double gravity) {
  return example_of(wy_scene_cylinder(segments, slenderness, gravity));
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
  return example_of(wy_scene_cantilever(segments));
}

example coil(int segments) {
  example e = example_of(wy_scene_coil(segments));
  e.load_count = 0;
  e.rod.drag = (wy_drag){0};
  return e;
}

wy_solver_def box_solver(double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "box";
  solver.first_step = step;
  return solver;
}

wy_solver_def plain_box_solver(double alpha, double beta, double gamma, wy_section_force force, double step) {
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
