/* SPDX-License-Identifier: MIT */
/* Rods, bodies and springs that move together, against solutions that no scheme owns: closed forms, and spectral finite
   elements of degree 4 (tests/data/network). Energies, momenta and joints of what nothing damps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/group.h"
#include "sim/sim.h"
#include "support/moving.h"
#include "support/network_scenes.h"
#include "support/table.h"

static wy_solver_def solver_of(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

/* ---- Undamped networks ---- */

/* Energy and both momenta of a free flight: to 100 times the tolerance, over all steps. Joints hold to round-off. */
static void check_flight(const char *integrator, wy_rod_kind kind) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  const wy_solver_def solver = solver_of(integrator, 1e-10);
  flying_network(&net, 6);
  throw_network(&net, v, om);
  for (int i = 0; i < net.model.rod_count; i++)
    net.rods[i].kind = kind;
  test_sim made = make_network(&net, &solver, false, 2);
  wy_message message = {0};
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_above(start.kinetic, 1);
  for (int i = 1; i <= 8; i++) {
    must(wy_sim_sample(made.sim, 0.25 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
    check_close(energy.total, start.total, 1e-8 * start.total);
    check_below(apart(now.linear, before.linear), 1e-8 * wy_norm3(before.linear));
    check_below(apart(now.angular, before.angular), 1e-8 * wy_norm3(before.angular));
    double one[3], other[3];
    place_of(&made, 1, WY_END, one), place_of(&made, 2, WY_START, other);
    check_below(apart(one, other), 1e-12);
    place_of(&made, 3, WY_END, one), place_of(&made, 4, WY_END, other);
    check_below(apart(one, other), 1e-12);
  }
  free_sim(&made);
}

static void test_explicit_flight(void **state) {
  (void)state;
  check_flight("dop853", WY_COSSERAT);
  check_flight("dopri5", WY_COSSERAT);
}

static void test_implicit_flight(void **state) {
  (void)state;
  check_flight("radau5", WY_COSSERAT);
  check_flight("rodas", WY_COSSERAT);
  check_flight("seulex", WY_COSSERAT);
  check_flight("ndf", WY_COSSERAT);
}

/* Forces of constrained rods depend on the accelerations of their hubs; straight inextensible ones give way. */
static void test_constrained_flight(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    check_flight("dop853", (wy_rod_kind)kind);
    check_flight("radau5", (wy_rod_kind)kind);
    check_flight("rodas", (wy_rod_kind)kind);
    check_flight("seulex", (wy_rod_kind)kind);
  }
}

/* ---- The right-angle cantilever of Simo and Vu-Quoc (1988) ---- */

/* The largest distance of elbow and tip from the table, up to t = 8. */
static double right_angle_error(int segments, const void *context) {
  const table *want = context;
  const wy_solver_def solver = solver_of("radau5", 1e-7);
  test_network net;
  right_angle(&net, segments);
  test_sim made = make_network(&net, &solver, false, 8);
  wy_message message = {0};
  double worst = 0;
  for (int row = 0; row < want->rows && *table_at(want, row, 0) <= 8; row++) {
    double elbow[3], tip[3];
    must(wy_sim_advance(made.sim, *table_at(want, row, 0), &message), &message);
    place_of(&made, 0, WY_END, elbow), place_of(&made, 1, WY_END, tip);
    worst = fmax(worst, fmax(apart(elbow, table_at(want, row, 1)), apart(tip, table_at(want, row, 4))));
  }
  free_sim(&made);
  return worst;
}

static void test_right_angle(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/right_angle_cantilever.csv", 31);
  second_order("right angle", right_angle_error, &want, 8, 0.5);
  free_table(&want);
}

/* ---- Bodies alone ---- */

static void body_now(const test_sim *made, double place[3], double frame[4], double omega[3]) {
  double velocity[3];
  wy_group_body(made->sim->groups[0].system, *made->sim->time, wy_sim_shown(&made->sim->groups[0]), 0, place, frame,
                velocity, omega);
}

/* A body that tumbles: angular velocity by Jacobi's functions. */
static void check_tumbling(const char *integrator) {
  table want = read_table(WY_TEST_DATA "/network/free_body.csv", 11);
  test_network net;
  const wy_solver_def solver = solver_of(integrator, 1e-11);
  const double inertia[6] = {0.01, 0.02, 0.03, 0, 0, 0}, omega[3] = {0.02, 8, 0.03};
  begin_network(&net);
  wy_body_def *body = add_body(&net, 1);
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->angular_velocity, omega, sizeof omega);
  body->velocity[1] = 0.3;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  wy_message message = {0};
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  for (int row = 0; row < want.rows; row++) {
    double place[3], frame[4], now[3], turn[4], off = 0;
    const double t = *table_at(&want, row, 0);
    must(wy_sim_sample(made.sim, t, &message), &message);
    body_now(&made, place, frame, now);
    wy_qrelative(table_at(&want, row, 4), frame, turn);
    for (int k = 0; k < 3; k++)
      off = fmax(off, fmax(fabs(now[k] - table_at(&want, row, 1)[k]) / 8, fabs(2 * turn[1 + k])));
    check_below(off, 2e-8); /* errors of the tolerance, which the tumbling multiplies by exp(t / 0.7) */
    check_close(place[1], 0.3 * t, 1e-9);
  }
  const wy_momentum after = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_below(apart(after.angular, before.angular), 1e-9 * wy_norm3(before.angular));
  free_sim(&made);
  free_table(&want);
}

static void test_free_body(void **state) {
  (void)state;
  check_tumbling("dop853");
  check_tumbling("radau5");
}

static void test_mass_on_spring(void **state) {
  (void)state;
  test_network net;
  const wy_solver_def solver = solver_of("radau5", 1e-10);
  begin_network(&net);
  wy_body_def *body = add_body(&net, 2);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  net.model.gravity[2] = -9.81;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0, 0, 0);
  net.springs[0].ports[1] = wy_port_in_space(0, 0, 1);
  net.springs[0].stiffness = 50, net.springs[0].length = 0.8, net.springs[0].damping = 1.2;
  net.model.spring_count = 1;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  wy_message message = {0};
  const double rest = 0.2 - 2 * 9.81 / 50, w = sqrt(25 - 0.09), start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int i = 1; i <= 10; i++) {
    const double t = 0.5 * i, want = rest * (1 - exp(-0.3 * t) * (cos(w * t) + 0.3 / w * sin(w * t)));
    double place[3], frame[4], omega[3];
    must(wy_sim_sample(made.sim, t, &message), &message);
    body_now(&made, place, frame, omega);
    check_close(place[2], want, 1e-8);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.total + energy.dissipated - energy.work, start, 1e-8);
  }
  free_sim(&made);
}

/* ---- Equilibria, frequencies, buckling ---- */

static void settle(test_sim *made) {
  wy_message message = {0};
  must(wy_sim_settle(made->sim, 0, &message), &message);
}

/* A weld is what an inner vertex is: half cells in series. */
static void test_weld(void **state) {
  (void)state;
  double tip[3][3];
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = WY_TAN2;
  for (int k = 0; k < 3; k++) {
    test_network net;
    const int pieces = 1 << k;
    pieces_of_cantilever(&net, pieces, 8);
    add_force(&net, pieces - 1, WY_END, 0, 0, -3);
    test_sim made = make_network(&net, &solver, true, INFINITY);
    settle(&made);
    place_of(&made, pieces - 1, WY_END, tip[k]);
    free_sim(&made);
  }
  const double want[3] = {0.747115488, 0, -0.605338134}; /* nine digits */
  check_below(apart(tip[0], want), 1e-9);
  check_below(apart(tip[1], tip[0]), 1e-10);
  check_below(apart(tip[2], tip[0]), 1e-10);
}

/* The error norm is that of a rod alone: at the same tolerance the pieces take about as many steps as the whole. */
static void test_steps(void **state) {
  (void)state;
  static const char *const integrators[] = {"dop853", "radau5"};
  for (int k = 0; k < 2; k++) {
    long steps[2];
    for (int pieces = 1; pieces <= 2; pieces++) {
      test_network net;
      wy_message message = {0};
      const wy_solver_def solver = solver_of(integrators[k], 1e-5);
      pieces_of_cantilever(&net, pieces, 16);
      net.model.gravity[2] = -1;
      test_sim made = make_network(&net, &solver, false, INFINITY);
      must(wy_sim_advance(made.sim, 2, &message), &message);
      steps[pieces - 1] = wy_sim_statistics(made.sim, 0).steps;
      free_sim(&made);
    }
    check_close((double)steps[1] / (double)steps[0], 1, 0.3);
  }
}

static void frequencies(test_network *net, int count, double *omega) {
  const wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  wy_mode_set *modes;
  test_sim made = make_network(net, &solver, true, INFINITY);
  settle(&made);
  must(wy_sim_modes(made.sim, 0, count, &modes, &message), &message);
  assert_int_equal(modes->count, count);
  memcpy(omega, modes->omega, (size_t)count * sizeof *omega);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* Its frequencies differ from those of one rod by the term of third order that the frame has (N6). */
static double weld_frequency_error(int segments, const void *context) {
  const int count = *(const int *)context;
  double one[6], two[6], worst = 0;
  test_network net;
  pieces_of_cantilever(&net, 1, segments);
  frequencies(&net, count, one);
  pieces_of_cantilever(&net, 2, segments);
  frequencies(&net, count, two);
  for (int i = 0; i < count; i++)
    worst = fmax(worst, fabs(two[i] / one[i] - 1));
  return worst;
}

static void test_weld_frequencies(void **state) {
  (void)state;
  static const int first = 1, all = 6;
  nth_order("weld", weld_frequency_error, &all, 10, 5e-3, 3);
  check_below(weld_frequency_error(20, &first), 3e-5);
}

/* Largest relative error of frequencies. */
static double frequency_error(test_network *net, const double *want, int count) {
  double *got = doubles(count), worst = 0;
  frequencies(net, count, got);
  for (int i = 0; i < count; i++)
    worst = fmax(worst, fabs(got[i] / want[i] - 1));
  free(got);
  return worst;
}

static double tip_body_error(int segments, const void *context) {
  test_network net;
  (void)context;
  tip_body(&net, segments);
  return frequency_error(&net, tip_body_omega, 5);
}

static void test_tip_body(void **state) {
  (void)state;
  second_order("tip body", tip_body_error, NULL, 8, 0.02);
}

static double tree_error(int segments, const void *context) {
  test_network net;
  (void)context;
  tree(&net, segments);
  return frequency_error(&net, tree_omega, 5);
}

static void test_tree(void **state) {
  (void)state;
  second_order("tree", tree_error, NULL, 5, 0.05);
}

/* The lowest factors of the loads at which the network buckles. */
static void buckling(test_network *net, int count, double *factor) {
  const wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  wy_mode_set *modes;
  test_sim made = make_network(net, &solver, true, INFINITY);
  must(wy_sim_buckling(made.sim, 0, 0, count, &modes, &message), &message);
  assert_int_equal(modes->count, count);
  memcpy(factor, modes->factor, (size_t)count * sizeof *factor);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* Lateral buckling of the right-angle frame; the context is the sign of the force. */
static double frame_error(int segments, const void *context) {
  const double sign = *(const double *)context;
  test_network net;
  double factor;
  right_angle_frame(&net, segments, sign);
  buckling(&net, 1, &factor);
  return fabs(factor / (sign > 0 ? 1.08752 : 0.68043) - 1);
}

static void test_frame_buckling(void **state) {
  (void)state;
  static const double signs[2] = {1, -1};
  second_order("frame", frame_error, &signs[0], 5, 0.03);
  second_order("frame, reversed", frame_error, &signs[1], 5, 0.03);
}

static double portal_error(int segments, const void *context) {
  static const double stiffness[6] = {1e8, 1e8, 1e3, 1, 1e3, 1e3};
  static const double corners[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  (void)context;
  test_network net;
  const wy_rod_def rod = section_of(stiffness, unit_inertia, segments);
  double factor;
  begin_network(&net);
  add_rod(&net, &rod, corners[0], corners[1]);
  add_rod(&net, &rod, corners[1], corners[2]);
  add_rod(&net, &rod, corners[3], corners[2]);
  set_d1(&net, 0, 1, 0);
  net.rods[0].ends[WY_START] = net.rods[2].ends[WY_START] = wy_end_clamped();
  join_all(&net, WY_WELD);
  add_force(&net, 0, WY_END, 0, 0, -1);
  add_force(&net, 2, WY_END, 0, 0, -1);
  buckling(&net, 1, &factor);
  return fabs(factor / 7.39106 - 1);
}

static void test_portal(void **state) {
  (void)state;
  second_order("portal", portal_error, NULL, 5, 0.06);
}

/* ---- Rings of four curved rods ---- */

static const double pi = 3.14159265358979323846;

/* Pulled apart at two opposite points, one of which is held, or pushed together: distance and width. */
typedef struct pulled {
  double force, want[2];
} pulled;

/* A body keeps the point that is pulled on the line, and lets it turn no more than the other one. */
static double pulled_ring_error(int segments, const void *context) {
  static const double stiffness[6] = {1e3, 1e3, 1e3, 1, 1, 0.8};
  const pulled *at = context;
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = WY_TAN2; /* for which the bounds of the coarse grid are */
  test_network net;
  ring(&net, stiffness, unit_inertia, segments, true);
  wy_body_def *body = add_body(&net, 1);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
  body->origin[0] = -1;
  body->position[1] = body->position[2] = body->rotation = WY_HELD;
  add_port(&net, 2, wy_port_on_body(0, 0, 0, 0));
  add_force(&net, 1, WY_END, -at->force, 0, 0);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  double place[4][3];
  settle(&made);
  for (int i = 0; i < 4; i++)
    place_of(&made, i, WY_START, place[i]);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
  return fmax(fabs(apart(place[0], place[2]) / at->want[0] - 1), fabs(apart(place[1], place[3]) / at->want[1] - 1));
}

static void test_pulled_ring(void **state) {
  (void)state;
  static const pulled pull = {5, {2.4564002, 1.4731081}}, push = {-4, {1.0950101, 2.5404910}};
  second_order("ring pulled", pulled_ring_error, &pull, 5, 0.03);
  second_order("ring pushed", pulled_ring_error, &push, 5, 0.03);
}

static double free_ring_error(int segments, const void *context) {
  static const double stiffness[6] = {1e4, 1e4, 2e4, 1, 1, 0.8}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  static const double want[4] = {2.6170982, 2.6823324, 7.4877165, 7.5830203};
  test_network net;
  double got[14], worst = 0;
  (void)context;
  ring(&net, stiffness, inertia, segments, false);
  frequencies(&net, 14, got);
  for (int i = 0; i < 6; i++)
    check_close(got[i], 0, 1e-4); /* round-off of a rigid body's stiffness, as a frequency */
  for (int i = 0; i < 8; i++)
    worst = fmax(worst, fabs(got[6 + i] / want[i / 2] - 1));
  return worst;
}

static void test_free_ring(void **state) {
  (void)state;
  second_order("free ring", free_ring_error, NULL, 6, 0.05);
}

/* ---- A star dome of 24 members ---- */

static void polar(double radius, double z, double degrees, double out[3]) {
  out[0] = radius * cos(degrees * pi / 180), out[1] = radius * sin(degrees * pi / 180), out[2] = z;
}

/* Joints on the ground become welds with bodies that may turn but not move. */
static void hold_feet(test_network *net) {
  static char names[6][8];
  for (int i = 0; i < net->model.joint_count; i++) {
    const wy_port *port = &net->ports[i][0];
    const double *from = net->rods[port->index].shape.origin, *along = net->rods[port->index].shape.direction;
    const double share = port->s > 0 ? 1 : 0,
                 place[3] = {from[0] + share * along[0], from[1] + share * along[1], from[2] + share * along[2]};
    if (fabs(place[2]) > 1e-9)
      continue;
    snprintf(names[net->model.body_count], sizeof names[0], "foot%d", net->model.body_count);
    wy_body_def *body = add_body(net, 1);
    body->name = names[net->model.body_count - 1];
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
    memcpy(body->origin, place, sizeof place);
    for (int k = 0; k < 3; k++)
      body->position[k] = WY_HELD;
    add_port(net, i, wy_port_on_body(net->model.body_count - 1, 0, 0, 0));
  }
}

static void dome(test_network *net, int segments) {
  static const double stiffness[6] = {9.6e6, 9.6e6, 9.6e5, 3e4, 3e4, 2.4e4}, apex[3] = {0, 0, 8.216};
  const wy_rod_def rod = section_of(stiffness, unit_inertia, segments);
  begin_network(net);
  for (int i = 0; i < 6; i++) {
    double here[3], next[3], feet[2][3];
    polar(25, 6.216, 60 * i, here), polar(25, 6.216, 60 * (i + 1) % 360, next);
    polar(43.3, 0, 60 * i - 30, feet[0]), polar(43.3, 0, 60 * i + 30, feet[1]);
    add_rod(net, &rod, apex, here);
    add_rod(net, &rod, here, next);
    for (int k = 0; k < 2; k++)
      add_rod(net, &rod, here, feet[k]);
  }
  join_all(net, WY_WELD);
  hold_feet(net);
  add_force(net, 0, WY_START, 0, 0, -1);
}

static double dome_error(int segments, const void *context) {
  static const double want[3] = {311.3618, 311.3618, 319.2148};
  double factor[3], worst = 0;
  test_network net;
  (void)context;
  dome(&net, segments);
  buckling(&net, 3, factor);
  for (int i = 0; i < 3; i++)
    worst = fmax(worst, fabs(factor[i] / want[i] - 1));
  return worst;
}

static void test_dome(void **state) {
  (void)state;
  second_order("dome", dome_error, NULL, 3, 0.15);
}

/* ---- Hubs without a frame, and hubs that never move ---- */

/* A tripod of rods between balls: each may spin, none bends, and the forces are those of bars. The hub of the apex has
   no frame. */
static void test_tripod(void **state) {
  (void)state;
  static const double stiffness[6] = {1e3, 1e3, 2e3, 1, 1, 0.8}, apex[3] = {0, 0, 1};
  const wy_rod_def rod = section_of(stiffness, unit_inertia, 6);
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  begin_network(&net);
  for (int i = 0; i < 3; i++) {
    double foot[3];
    polar(1, 0, 120 * i, foot);
    add_rod(&net, &rod, foot, apex);
    const int ball = add_joint(&net, WY_BALL);
    add_end(&net, ball, i, WY_START), add_ground(&net, ball);
  }
  join_all(&net, WY_BALL);
  add_force(&net, 0, WY_END, 0, 0, -3);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  /* z sinks until each bar carries a third: N l0 / EA shorter, N z / l = 1 */
  double z = 1, place[3];
  for (int i = 0; i < 100; i++) {
    const double l = sqrt(1 + z * z), force = 2e3 * (1 - l / sqrt(2)), slope = 2e3 * z / (l * sqrt(2));
    z -= (force * z / l - 1) / (force / (l * l * l) - slope * z / l);
  }
  place_of(&made, 1, WY_END, place);
  check_close(place[2], z, 1e-10);
  check_below(hypot(place[0], place[1]), 1e-10);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
}

/* A rod that welds hold on the ground is clamped. */
static void test_welded_to_ground(void **state) {
  (void)state;
  static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 8);
  const wy_solver_def solver = wy_default_solver_def();
  double middle[2][3];
  for (int welded = 0; welded < 2; welded++) {
    test_network net;
    begin_network(&net);
    add_rod(&net, &rod, from, to);
    net.model.gravity[2] = -50;
    for (int end = 0; end < 2; end++)
      if (welded) {
        const int weld = add_joint(&net, WY_WELD);
        add_end(&net, weld, 0, end ? WY_END : WY_START), add_ground(&net, weld);
      } else {
        net.rods[0].ends[end] = wy_end_clamped();
      }
    test_sim made = make_network(&net, &solver, true, INFINITY);
    settle(&made);
    memcpy(middle[welded], wy_sim_view(made.sim, 0)->position.values + 3 * 4, sizeof middle[0]);
    free_sim(&made);
  }
  check_below(middle[0][2], -0.05);
  check_below(apart(middle[0], middle[1]), 1e-10);
}

/* The way of the dome's apex on the symmetric path, far below its first limit point. */
static double dome_path_error(int segments, const void *context) {
  const double *point = context; /* force, displacement */
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  double place[3];
  dome(&net, segments);
  net.loads[0].force[2] = wy_constant(-point[0]);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  place_of(&made, 0, WY_START, place);
  free_sim(&made);
  return fabs(place[2] - 8.216 - point[1]) / fabs(point[1]);
}

static void test_dome_path(void **state) {
  (void)state;
  static const double points[2][2] = {{89.2682161481804, -0.104513273037206}, {222.027505733717, -0.314388544528926}};
  second_order("dome, a third of its limit", dome_path_error, points[0], 3, 0.05);
  second_order("dome, two thirds", dome_path_error, points[1], 3, 0.1);
}

/* The first limit point of that path, beyond the bifurcations at which other paths leave it. */
static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = -t, jet[1] = -1, jet[2] = 0;
}

static double dome_limit_error(int segments, const void *context) {
  wy_solver_def solver = wy_default_solver_def();
  test_network net;
  double limit;
  (void)context;
  solver.statics.continuation = WY_ARC_LENGTH;
  dome(&net, segments);
  net.loads[0].force[2] = (wy_signal){0, growing, NULL, WY_TIME};
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  assert_int_equal(limits_on_path(&made, 0, WY_START, 500, 1, &limit), 1);
  free_sim(&made);
  return fabs(limit / 326.04 - 1);
}

static void test_dome_limit(void **state) {
  (void)state;
  second_order("dome, limit point", dome_limit_error, NULL, 6, 0.05);
}

/* ---- What must not matter, and what must be told ---- */

/* Trunk and two branches under gravity and a force at a tip, in another order, turned in space and elsewhere; the tips
   of the branches, turned back. */
static void grow(bool reverse, const double turn[4], const double shift[3], double tips[2][3]) {
  static const double points[4][3] = {{0, 0, 0}, {0, 0, 1}, {0.6, 0.1, 1.5}, {-0.4, 0.5, 1.6}};
  static const double force[3] = {0.2, -0.1, 0.3}, gravity[3] = {0, 0, -1};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 6);
  const wy_solver_def solver = wy_default_solver_def();
  double r[9], at[4][3], pull[3];
  test_network net;
  wy_qmatrix(turn, r);
  for (int i = 0; i < 4; i++) {
    wy_mul3(r, points[i], at[i]);
    wy_add3(at[i], 1, shift);
  }
  begin_network(&net);
  wy_mul3(r, gravity, net.model.gravity);
  wy_mul3(r, force, pull);
  const int trunk = reverse ? 2 : 0, first = 1, second = reverse ? 0 : 2;
  for (int i = 0; i < 3; i++) {
    const double *to = i == trunk ? at[1] : i == first ? at[2] : at[3];
    add_rod(&net, &rod, i == trunk ? at[0] : at[1], to);
    set_normal(&net.rods[i]); /* round sections: any will do */
  }
  net.rods[trunk].ends[WY_START] = wy_end_clamped();
  join_all(&net, WY_WELD);
  add_force(&net, first, WY_END, pull[0], pull[1], pull[2]);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  for (int i = 0; i < 2; i++) {
    double place[3];
    place_of(&made, i ? second : first, WY_END, place);
    wy_add3(place, -1, shift);
    wy_tmul3(r, place, tips[i]);
  }
  free_sim(&made);
}

static void test_order_and_place(void **state) {
  (void)state;
  static const double still[4] = {1, 0, 0, 0}, none[3] = {0, 0, 0}, away[3] = {3, -2, 5};
  double turn[4] = {0.7, -0.3, 0.5, 0.4}, plain[2][3], other[2][3], turned[2][3];
  wy_qnormalise(turn);
  grow(false, still, none, plain);
  grow(true, still, none, other);
  grow(false, turn, away, turned);
  for (int i = 0; i < 2; i++) {
    check_below(apart(plain[i], other[i]), 1e-9);
    check_below(apart(plain[i], turned[i]), 1e-9);
  }
}

/* A saved state goes on bit for bit. */
static void test_saved_state(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "ndf", "dop853"};
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  for (int i = 0; i < 3; i++) {
    test_network net;
    const wy_solver_def solver = solver_of(integrators[i], 1e-6);
    wy_message message = {0};
    flying_network(&net, 4);
    throw_network(&net, v, om);
    test_sim made = make_network(&net, &solver, false, INFINITY);
    must(wy_sim_advance(made.sim, 0.3, &message), &message);
    const size_t size = wy_sim_save_size(made.sim);
    void *saved = malloc(size);
    must(wy_sim_save(made.sim, saved, size, &message), &message);
    double before[3], after[3];
    must(wy_sim_advance(made.sim, 0.6, &message), &message);
    place_of(&made, 4, WY_START, before);
    must(wy_sim_restore(made.sim, saved, size, &message), &message);
    must(wy_sim_advance(made.sim, 0.6, &message), &message);
    place_of(&made, 4, WY_START, after);
    assert_memory_equal(before, after, sizeof before);
    free(saved);
    free_sim(&made);
  }
}

/* At rest the reactions on all ends of a joint add up to nothing: loads act on ends, also where these are joined. That
   of the ground carries all loads. */
static void test_reactions(void **state) {
  (void)state;
  static const double a[3] = {0, 0, 0}, b[3] = {0, 0, 1}, c[3] = {0.5, 0.2, 1.4}, d[3] = {-0.6, 0.1, 1.3};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 6);
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  begin_network(&net);
  add_rod(&net, &rod, a, b), add_rod(&net, &rod, b, c), add_rod(&net, &rod, b, d);
  join_all(&net, WY_WELD);
  const int foot = add_joint(&net, WY_WELD);
  add_end(&net, foot, 0, WY_START), add_ground(&net, foot);
  add_force(&net, 1, WY_END, 0.3, -0.2, 0.4);
  add_force(&net, 0, WY_END, 0.1, 0.5, -0.2);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, total[3] = {0.4, 0.3, 0.2};
  for (int i = 0; i < 3; i++) {
    const wy_view *view = wy_sim_view(made.sim, i);
    const int end = i == 0 ? WY_END : WY_START;
    wy_add3(force, 1, view->ends[end].reaction_force);
    wy_add3(moment, 1, view->ends[end].reaction_moment);
  }
  wy_add3(total, 1, wy_sim_view(made.sim, 0)->ends[WY_START].reaction_force);
  check_below(wy_norm3(force), 1e-9);
  check_below(wy_norm3(moment), 1e-9);
  check_below(wy_norm3(total), 1e-9);
  check_above(wy_norm3(wy_sim_view(made.sim, 1)->ends[WY_START].reaction_moment), 0.01);
  free_sim(&made);
}

static void refused(test_network *net, const char *word) {
  wy_model *model;
  wy_sim *sim;
  wy_message message = {0};
  const wy_sim_def def = wy_default_sim_def();
  must(wy_model_create(network_model(net), &model, &message), &message);
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_SUPPORT);
  if (!strstr(message.text, word) && !strstr(message.path, word))
    fail_msg("'%s' does not say '%s'", message.text, word);
  wy_model_destroy(model);
}

static void test_refused(void **state) {
  (void)state;
  static const wy_maxwell branch = {0.5, 1};
  test_network net;
  pieces_of_cantilever(&net, 2, 8);
  net.joints[0].name = "elbow";
  net.joints[0].release = 1, net.joints[0].assemble = true;
  refused(&net, "elbow");
  pieces_of_cantilever(&net, 2, 8);
  net.rods[1].maxwell_count = 1, net.rods[1].maxwell = &branch;
  refused(&net, "maxwell");
}

/* A load on a body that is changed between steps, and one on an end that sits on it. */
static void test_changed_loads(void **state) {
  (void)state;
  static const double push[3] = {0, 0, 5}, none[3] = {0, 0, 0};
  test_network net;
  const wy_solver_def solver = solver_of("radau5", 1e-9);
  begin_network(&net);
  wy_body_def *body = add_body(&net, 2);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  net.loads[0] = wy_default_load_def();
  net.loads[0].place = WY_AT_BODY;
  net.model.load_count = 1;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  wy_message message = {0};
  double place[3], frame[4], omega[3];
  must(wy_sim_advance(made.sim, 1, &message), &message);
  must(wy_sim_set_load(made.sim, 0, push, none, &message), &message);
  must(wy_sim_advance(made.sim, 3, &message), &message);
  body_now(&made, place, frame, omega);
  check_close(place[2], 0.5 * 2.5 * 4, 1e-7);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_close(energy.work, energy.kinetic, 1e-6);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_explicit_flight),
                                     cmocka_unit_test(test_implicit_flight),
                                     cmocka_unit_test(test_constrained_flight),
                                     cmocka_unit_test(test_free_body),
                                     cmocka_unit_test(test_mass_on_spring),
                                     cmocka_unit_test(test_right_angle),
                                     cmocka_unit_test(test_weld),
                                     cmocka_unit_test(test_steps),
                                     cmocka_unit_test(test_weld_frequencies),
                                     cmocka_unit_test(test_tip_body),
                                     cmocka_unit_test(test_tree),
                                     cmocka_unit_test(test_frame_buckling),
                                     cmocka_unit_test(test_portal),
                                     cmocka_unit_test(test_pulled_ring),
                                     cmocka_unit_test(test_free_ring),
                                     cmocka_unit_test(test_dome),
                                     cmocka_unit_test(test_dome_path),
                                     cmocka_unit_test(test_dome_limit),
                                     cmocka_unit_test(test_tripod),
                                     cmocka_unit_test(test_welded_to_ground),
                                     cmocka_unit_test(test_order_and_place),
                                     cmocka_unit_test(test_saved_state),
                                     cmocka_unit_test(test_reactions),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_changed_loads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
