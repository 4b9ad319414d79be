/* SPDX-License-Identifier: MIT */
/* What networks must not do: show what was, take one solver for another, step over pulses on bodies, give two answers
   for one network. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/network.h"

static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {1, 1, 0};

static wy_rod_def soft_rod(int segments) {
  static const double stiffness[6] = {40, 40, 80, 0.5, 0.7, 0.4}, inertia[4] = {1, 2e-3, 3e-3, 5e-3};
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

/* Two rods, welded at a right angle. */
static void corner(test_network *net) {
  const wy_rod_def rod = soft_rod(6);
  begin_network(net);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, b, c);
  join_all(net, WY_WELD);
}

static wy_body_def *add_body(test_network *net, const double at[3]) {
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "body";
  body->mass = 1;
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.05;
  memcpy(body->origin, at, sizeof body->origin);
  return body;
}

static wy_load_def *add_load(test_network *net, wy_load_place place, int rod) {
  wy_load_def *load = &net->loads[net->model.load_count++];
  *load = wy_default_load_def();
  load->place = place;
  load->rod = rod;
  load->body = place == WY_AT_BODY ? 0 : -1;
  return load;
}

static test_sim make(test_network *net, const char *integrator, double end) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = integrator;
  def.end = end;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

/* A force of 5 at a joint of two equal end vertices, at rest: each reaction is half of it, at once. */
static void test_reactions_of_now(void **state) {
  (void)state;
  static const double force[3] = {0, 0, -5};
  test_network net;
  wy_message message = {0};
  corner(&net);
  add_load(&net, WY_AT_START, 1);
  test_sim made = make(&net, "radau5", INFINITY);
  check_close(wy_sim_view(made.sim, 1)->ends[0].reaction_force[2], 0, 1e-12);
  must(wy_sim_set_load(made.sim, 0, force, NULL, &message), &message);
  check_close(wy_sim_view(made.sim, 1)->ends[0].reaction_force[2], 2.5, 1e-12);
  check_close(wy_sim_view(made.sim, 0)->ends[1].reaction_force[2], -2.5, 1e-12);
  must(wy_sim_set_load(made.sim, 0, NULL, NULL, &message), &message);
  check_close(wy_sim_view(made.sim, 1)->ends[0].reaction_force[2], 0, 1e-12);
  free_sim(&made);
}

static void test_one_solver(void **state) {
  (void)state;
  wy_solver_def solvers[2] = {wy_default_solver_def(), wy_default_solver_def()};
  wy_sim_def def = wy_default_sim_def();
  wy_message message = {0};
  wy_model *model;
  wy_sim *sim;
  test_network net;
  corner(&net);
  must(wy_model_create(network_model(&net), &model, &message), &message);
  def.rod_solvers = solvers;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  wy_sim_destroy(sim);
  solvers[1].relative_tolerance = 1e-3;
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "'r0' and 'r1' are joined"));
  solvers[1] = solvers[0];
  solvers[1].scheme = "mixed";
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_INPUT);
  wy_model_destroy(model);
}

/* Integrators of other schemes know no bodies. */
static void test_schemes_without_bodies(void **state) {
  (void)state;
  test_network net;
  wy_model *model;
  wy_message message = {0};
  begin_network(&net);
  add_body(&net, a);
  must(wy_model_create(network_model(&net), &model, &message), &message);
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim;
  def.solver.scheme = "conserving";
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, "has no bodies"));
  wy_model_destroy(model);
}

/* 100 exp(-((t - 5) / 0.01)^2), of which the integral is sqrt(pi). */
static void pulse(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double x = (t - 5) / 0.01;
  (void)context, (void)wrt, (void)s;
  jet[0] = 100 * exp(-x * x);
  jet[1] = -200 * x * jet[0];
  jet[2] = 0;
}

static void check_pulse(test_network *net, const char *integrator) {
  wy_message message = {0};
  add_load(net, WY_AT_BODY, -1)->force[0] = (wy_signal){0, pulse, NULL, WY_TIME};
  test_sim made = make(net, integrator, 10);
  must(wy_sim_advance(made.sim, 10, &message), &message);
  check_close(wy_sim_momentum(made.sim, WY_ALL_RODS).linear[0], sqrt(3.14159265358979), 1e-4);
  free_sim(&made);
}

/* Nothing moves until the pulse comes: steps would go far beyond it. */
static void test_pulse_on_body(void **state) {
  (void)state;
  test_network net;
  begin_network(&net);
  add_body(&net, a);
  check_pulse(&net, "auto");
  corner(&net);
  add_body(&net, c);
  const int weld = add_joint(&net, WY_WELD);
  add_end(&net, weld, 1, WY_END), add_port(&net, weld, wy_port_on_body(0, 0, 0, 0));
  check_pulse(&net, "radau5");
}

static void no_number(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 1 ? 1 : (double)NAN;
  jet[1] = jet[2] = 0;
}

static void test_load_that_is_no_number(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_body(&net, a);
  add_load(&net, WY_AT_BODY, -1)->force[1] = (wy_signal){0, no_number, NULL, WY_TIME};
  test_sim made = make(&net, "dop853", 10);
  assert_int_equal(wy_sim_advance(made.sim, 2, &message), WY_ERROR_SOLVER);
  assert_non_null(strstr(message.text, "loads[0].force[1] is not finite"));
  free_sim(&made);
}

/* ---- Equilibria ---- */

static test_sim make_statics(test_network *net) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.statics = true;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

/* Three rods that hang from each other by balls: the equilibrium is in balance, with the weight of the ends that sit on
   hubs. Each joint carries what hangs below it. */
static void test_hanging_chain(void **state) {
  (void)state;
  static const double places[4][3] = {{0, 0, 0}, {0, 0, -1}, {0, 0, -2}, {0, 0, -3}};
  const wy_rod_def rod = soft_rod(8);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  for (int i = 0; i < 3; i++)
    add_rod(&net, &rod, places[i], places[i + 1]);
  const int top = add_joint(&net, WY_BALL);
  add_end(&net, top, 0, WY_START), add_ground(&net, top);
  join_all(&net, WY_BALL);
  net.model.gravity[2] = -0.5;
  test_sim made = make_statics(&net);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  for (int i = 0; i < 3; i++)
    check_close(wy_sim_view(made.sim, i)->ends[WY_START].reaction_force[2], 0.5 * (3 - i), 1e-9);
  free_sim(&made);
}

/* Modes of the equilibrium without driven ends; the number of unstable directions. */
static int lowest_modes(test_network *net, int count, double *omega) {
  wy_message message = {0};
  wy_mode_set *modes;
  test_sim made = make_statics(net);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_modes(made.sim, 0, count, &modes, &message), &message);
  assert_int_equal(modes->count, count);
  memcpy(omega, modes->omega, (size_t)count * sizeof *omega);
  const int unstable = wy_sim_equilibrium(made.sim, 0).unstable;
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return unstable;
}

/* Mechanisms have more motions without stiffness than a rigid body has. */
static void test_mechanisms(void **state) {
  (void)state;
  double omega[10];
  const wy_rod_def rod = soft_rod(8);
  test_network net;
  corner(&net);
  net.joints[0].kind = WY_BALL; /* two free rods less three conditions: nine */
  assert_int_equal(lowest_modes(&net, 10, omega), 0);
  for (int i = 0; i < 9; i++)
    check_close(omega[i], 0, 0);
  check_above(omega[9], 1);
  begin_network(&net); /* three rods that stand on each other: each may fall to two sides, and spin */
  for (int i = 0; i < 3; i++) {
    const double from[3] = {0, 0, i}, to[3] = {0, 0, i + 1};
    add_rod(&net, &rod, from, to);
  }
  const int foot = add_joint(&net, WY_BALL);
  add_end(&net, foot, 0, WY_START), add_ground(&net, foot);
  join_all(&net, WY_BALL);
  net.model.gravity[2] = -0.1;
  assert_int_equal(lowest_modes(&net, 6, omega), 6);
  for (int i = 0; i < 6; i++)
    check_below(omega[i], -0.1);
  assert_int_equal(lowest_modes(&net, 10, omega), 6);
  for (int i = 6; i < 9; i++)
    check_close(omega[i], 0, 0);
  check_above(omega[9], 1);
}

/* What nothing holds has no equilibrium under a force; no message is cut short. */
static void test_nothing_holds(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  corner(&net);
  add_load(&net, WY_AT_START, 0)->force[2] = wy_constant(1);
  test_sim made = make_statics(&net);
  assert_int_equal(wy_sim_settle(made.sim, 0, &message), WY_ERROR_SOLVER);
  assert_null(strstr(message.text, "'r0': ."));
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reactions_of_now),
                                     cmocka_unit_test(test_one_solver),
                                     cmocka_unit_test(test_schemes_without_bodies),
                                     cmocka_unit_test(test_pulse_on_body),
                                     cmocka_unit_test(test_load_that_is_no_number),
                                     cmocka_unit_test(test_hanging_chain),
                                     cmocka_unit_test(test_mechanisms),
                                     cmocka_unit_test(test_nothing_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
