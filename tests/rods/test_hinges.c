/* SPDX-License-Identifier: MIT */
/* Hinges and sprung balls: energies and momenta in flight, references (tests/data/network), closed forms, limits in
   which a hinge is something else. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/moving.h"
#include "support/network_scenes.h"
#include "support/table.h"

static const double pi = 3.14159265358979323846;

static wy_solver_def solver_of(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

static int add_hinge(test_network *net, double x, double y, double z) {
  const int joint = add_joint(net, WY_HINGE);
  net->joints[joint].axis[0] = x, net->joints[joint].axis[1] = y, net->joints[joint].axis[2] = z;
  return joint;
}

static void spring(test_network *net, int joint, double stiffness, double damping) {
  net->joints[joint].has_spring = true;
  net->joints[joint].stiffness = stiffness, net->joints[joint].damping = damping;
}

static double angle_of(const test_sim *made, int joint, int part, double *rate) {
  wy_message message = {0};
  double angle, slope;
  must(wy_sim_joint_angle(made->sim, joint, part, &angle, rate ? rate : &slope, &message), &message);
  return angle;
}

/* ---- Flight ---- */

/* A body with a rod on a hinge off its centre and one on a sprung ball at its centre, then a hinge of three rods, and a
   sprung ball of two. */
static void mobile(test_network *net, int segments) {
  static const double stiffness[6] = {200, 200, 300, 1, 1, 0.8}, inertia[4] = {1, 2e-2, 2e-2, 4e-2};
  static const double a[3] = {0, 0, 0}, b[3] = {0.2, 0.1, 0}, c[3] = {1, 0.2, 0.3}, d[3] = {1.5, 0.8, 0.2},
                      e[3] = {1.6, -0.4, 0.5}, f[3] = {-0.7, 0.3, 0.2}, g[3] = {2.1, 0.9, 0.7};
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  begin_network(net);
  wy_body_def *body = add_body(net, 0.5);
  const double moments[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, frame[4] = {0.9, 0.1, 0.3, 0.2};
  memcpy(body->inertia, moments, sizeof moments);
  memcpy(body->frame, frame, sizeof frame);
  add_rod(net, &rod, b, c), add_rod(net, &rod, c, d), add_rod(net, &rod, c, e), add_rod(net, &rod, a, f);
  add_rod(net, &rod, d, g);
  for (int i = 0; i < net->model.rod_count; i++)
    set_normal(&net->rods[i]);
  const int on_body = add_hinge(net, 0.1, 0.3, 1), corner = add_hinge(net, 0, 1, 0.4), centre = add_joint(net, WY_BALL),
            tip = add_joint(net, WY_BALL);
  add_port(net, on_body, port_at(net, 0, b)), add_end(net, on_body, 0, WY_START);
  add_end(net, corner, 0, WY_END), add_end(net, corner, 1, WY_START), add_end(net, corner, 2, WY_START);
  add_port(net, centre, port_at(net, 0, a)), add_end(net, centre, 3, WY_START);
  add_end(net, tip, 1, WY_END), add_end(net, tip, 4, WY_START);
  spring(net, corner, 2, 0), spring(net, centre, 1.5, 0), spring(net, tip, 0.5, 0);
}

/* All of it turns; one rod more about its hinge, so that this opens. */
static void throw_mobile(test_network *net) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  throw_network(net, v, om);
  net->joints[1].rest_angle = 0.4; /* and by its spring */
}

static void check_flight(const char *integrator) {
  test_network net;
  const wy_solver_def solver = solver_of(integrator, 1e-10);
  mobile(&net, 4);
  throw_mobile(&net);
  test_sim made = make_network(&net, &solver, false, 1);
  wy_message message = {0};
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_above(start.kinetic, 1);
  for (int i = 1; i <= 4; i++) {
    must(wy_sim_sample(made.sim, 0.25 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
    double one[3], other[3];
    check_close(energy.total, start.total, 1e-8 * start.total);
    check_below(apart(now.linear, before.linear), 1e-8 * wy_norm3(before.linear));
    check_below(apart(now.angular, before.angular), 1e-8 * wy_norm3(before.angular));
    place_of(&made, 0, WY_END, one), place_of(&made, 2, WY_START, other);
    check_below(apart(one, other), 1e-12);
    place_of(&made, 1, WY_END, one), place_of(&made, 4, WY_START, other);
    check_below(apart(one, other), 1e-12);
  }
  check_above(fabs(angle_of(&made, 1, 1, NULL)), 0.1);
  check_above(fabs(angle_of(&made, 0, 1, NULL)), 0.01);
  free_sim(&made);
}

static void test_explicit_flight(void **state) {
  (void)state;
  check_flight("dop853");
  check_flight("dopri5");
}

static void test_implicit_flight(void **state) {
  (void)state;
  check_flight("radau5");
  check_flight("rodas");
  check_flight("seulex");
  check_flight("ndf");
}

/* What dampers and drives take and give is booked. */
static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.5 * (1 - cos(2 * t)), jet[1] = sin(2 * t), jet[2] = 2 * cos(2 * t);
}

static void test_balance(void **state) {
  (void)state;
  test_network net;
  const wy_solver_def solver = solver_of("radau5", 1e-10);
  mobile(&net, 4);
  throw_mobile(&net);
  net.joints[0].has_angle = true, net.joints[0].angle = (wy_signal){0, swing, NULL, WY_TIME};
  for (int i = 1; i < 4; i++)
    net.joints[i].damping = 0.1;
  net.model.gravity[2] = -2;
  test_sim made = make_network(&net, &solver, false, 1);
  wy_message message = {0};
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  must(wy_sim_advance(made.sim, 1, &message), &message);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_above(fabs(energy.work), 1e-2);
  check_above(energy.dissipated, 1e-2);
  check_close(energy.total + energy.dissipated - energy.work, start, 1e-8 * start);
  double rate;
  check_close(angle_of(&made, 0, 1, &rate), 0.5 * (1 - cos(2.0)), 1e-14);
  check_close(rate, sin(2.0), 1e-14);
  free_sim(&made);
}

/* ---- References ---- */

/* x + y s, as a signal. */
static void line(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *at = context;
  (void)t;
  jet[0] = at[0] + at[1] * s, jet[1] = wrt == WY_ARC ? at[1] : 0, jet[2] = 0;
}

static void hinge_in_flight(test_network *net, int segments) {
  static const double stiffness[6] = {1e3, 1e3, 2e3, 2, 1, 0.8}, inertia[4] = {1, 2e-3, 1e-3, 3e-3};
  static const double a[3] = {0, 0, 0}, b[3] = {0.5, 0, 0}, c[3] = {0.5, 0, -0.4};
  static const double speeds[2][3][2] = {{{0, 0}, {-2, 4}, {1, -2}}, {{0, -5}, {0, 1.5}, {0, 0}}},
                      spins[2][3] = {{2, 4, 1.5}, {5, 1.5, -4}};
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  begin_network(net);
  add_rod(net, &rod, a, b), add_rod(net, &rod, b, c);
  set_d1(net, 0, 1, 0);
  for (int i = 0; i < 2; i++) {
    net->rods[i].damping.kind = WY_DAMPING_TIME, net->rods[i].damping.time = wy_constant(1e-3);
    for (int k = 0; k < 3; k++) {
      net->rods[i].initial.velocity[k] = (wy_signal){0, line, speeds[i][k], WY_ARC};
      net->rods[i].initial.angular_velocity[k] = wy_constant(spins[i][k]);
    }
  }
  const int hinge = add_hinge(net, 0, 1, 0);
  add_end(net, hinge, 0, WY_END), add_end(net, hinge, 1, WY_START);
}

static double flight_error(int segments, const void *context) {
  const table *want = context;
  const wy_solver_def solver = solver_of("radau5", 1e-8);
  test_network net;
  hinge_in_flight(&net, segments);
  test_sim made = make_network(&net, &solver, false, 2);
  wy_message message = {0};
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  double worst = 0;
  for (int row = 1; row < want->rows && *table_at(want, row, 0) <= 1; row++) {
    double start[3], joint[3], end[3];
    must(wy_sim_sample(made.sim, *table_at(want, row, 0), &message), &message);
    place_of(&made, 0, WY_START, start), place_of(&made, 1, WY_START, joint), place_of(&made, 1, WY_END, end);
    worst = fmax(worst, fmax(apart(start, table_at(want, row, 1)), apart(joint, table_at(want, row, 4))));
    worst = fmax(worst, apart(end, table_at(want, row, 7)));
    worst = fmax(worst, fabs(angle_of(&made, 0, 1, NULL) - *table_at(want, row, 10)));
  }
  const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_below(apart(now.linear, before.linear), 1e-12);
  check_below(apart(now.angular, before.angular), 1e-7);
  free_sim(&made);
  return worst;
}

static void test_flight_of_hinge(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/hinge_flight.csv", 11);
  second_order("hinge in flight", flight_error, &want, 8, 0.1);
  free_table(&want);
}

/* A cantilever along x with a hinge in the middle; or what is in its place. */
static void hinged_cantilever(test_network *net, int segments, double stiffness) {
  static const double inertia[4] = {1, 1e-3, 1e-3, 1e-3};
  static const double a[3] = {0, 0, 0}, b[3] = {0.5, 0, 0}, c[3] = {1, 0, 0};
  const wy_rod_def rod = section_of(cantilever, inertia, segments);
  begin_network(net);
  add_rod(net, &rod, a, b), add_rod(net, &rod, b, c);
  set_d1(net, 0, 1, 0);
  net->rods[0].ends[WY_START] = wy_end_clamped();
  const int hinge = add_hinge(net, 0, 1, 0);
  add_end(net, hinge, 0, WY_END), add_end(net, hinge, 1, WY_START);
  spring(net, hinge, stiffness, 0);
}

/* Tip and angle in equilibrium under a force across. */
static double settle(test_network *net, double force, double tip[3]) {
  const wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  add_force(net, 1, WY_END, 0, 0, force);
  test_sim made = make_network(net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  place_of(&made, 1, WY_END, tip);
  const double angle = net->joints[0].kind == WY_HINGE ? angle_of(&made, 0, 1, NULL) : 0;
  free_sim(&made);
  return angle;
}

static double bent_error(int segments, const void *context) {
  static const double want[3] = {0.71393683, 0, -0.62180347};
  test_network net;
  double tip[3];
  (void)context;
  hinged_cantilever(&net, segments, 5);
  const double angle = settle(&net, -3, tip);
  return fmax(apart(tip, want), fabs(angle - 0.15997619));
}

static double frequency_error(int segments, const void *context) {
  static const double want[4] = {3.3474458, 3.4998193, 18.270595, 21.356173};
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  wy_message message = {0};
  wy_mode_set *modes;
  double worst = 0;
  (void)context;
  hinged_cantilever(&net, segments, 5);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_modes(made.sim, 0, 4, &modes, &message), &message);
  for (int i = 0; i < 4; i++)
    worst = fmax(worst, fabs(modes->omega[i] / want[i] - 1));
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return worst;
}

static void test_sprung_hinge(void **state) {
  (void)state;
  second_order("bent", bent_error, NULL, 5, 0.02);
  second_order("frequencies", frequency_error, NULL, 5, 0.05);
  test_network net;
  double tip[3];
  const double force = 1e-4; /* what is of higher order is of relative size 1e-8; two halves of 20 segments: 1e-3 */
  hinged_cantilever(&net, 20, 5);
  settle(&net, force, tip);
  check_close(tip[2] / force, 1.0 / 3 + 1e-3 + 0.25 / 5, 1e-3);
}

/* ---- Limits and closed forms ---- */

static void test_stiff_spring(void **state) {
  (void)state;
  test_network net;
  double hinged[3], welded[3];
  hinged_cantilever(&net, 6, 1e9);
  settle(&net, -3, hinged);
  hinged_cantilever(&net, 6, 0);
  net.joints[0].kind = WY_WELD, net.joints[0].has_spring = false, net.joints[0].axis[1] = 0;
  settle(&net, -3, welded);
  check_below(apart(hinged, welded), 1e-8); /* the moment at the hinge is 1.2: the angle 1.2e-9 */
}

/* A stiff rod that hangs on a hinge: omega^2 = m g L/2 over m L^2/3 and its rotary inertia. */
static double pendulum_error(int segments, const void *context) {
  static const double stiffness[6] = {1e6, 1e6, 1e6, 1e4, 1e4, 1}, inertia[4] = {2, 1e-3, 1e-3, 1e-3};
  static const double a[3] = {0.3, 0, 0}, b[3] = {0.3, 0, -0.8};
  const double want = sqrt(2 * 9.81 * 0.32 / (2 * 0.512 / 3 + 0.8e-3));
  const wy_solver_def solver = wy_default_solver_def();
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  test_network net;
  wy_message message = {0};
  wy_mode_set *modes;
  (void)context;
  begin_network(&net);
  add_rod(&net, &rod, a, b);
  set_d1(&net, 0, 1, 0);
  net.model.gravity[2] = -9.81;
  const int hinge = add_hinge(&net, 0, 1, 0);
  add_end(&net, hinge, 0, WY_START), add_ground(&net, hinge);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_modes(made.sim, 0, 1, &modes, &message), &message);
  const double error = fabs(modes->omega[0] / want - 1);
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

static void test_pendulum(void **state) {
  (void)state;
  second_order("pendulum", pendulum_error, NULL, 4, 0.05);
}

/* Two stiff bars with a sprung hinge between them, on a hinge below and on a ball above that slides: P = 4 k/L. Bars
   bend, and make the knee softer by k L/(3 EI) = 1e-4; shear and grid are another 1e-5 at most. */
static void test_buckling(void **state) {
  (void)state;
  static const double stiffness[6] = {1e6, 1e6, 1e6, 1e4, 1e4, 1};
  static const double a[3] = {0, 0, 0}, b[3] = {0, 0, 0.5}, c[3] = {0, 0, 1};
  const wy_rod_def rod = section_of(stiffness, unit_inertia, 4);
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  wy_message message = {0};
  wy_mode_set *modes;
  begin_network(&net);
  add_rod(&net, &rod, a, b), add_rod(&net, &rod, b, c);
  set_d1(&net, 0, 1, 0);
  const int foot = add_hinge(&net, 0, 1, 0), knee = add_hinge(&net, 0, 1, 0), head = add_joint(&net, WY_BALL);
  add_ground(&net, foot), add_end(&net, foot, 0, WY_START);
  add_end(&net, knee, 0, WY_END), add_end(&net, knee, 1, WY_START);
  add_end(&net, head, 1, WY_END), add_ground(&net, head);
  net.joints[head].position[2] = WY_FREE;
  spring(&net, knee, 3, 0);
  add_force(&net, 1, WY_END, 0, 0, -1);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), &message);
  check_close(modes->factor[0], 12 / (1 + 1e-4), 12 * 1e-5);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* A rod turns freely about its own axis, many times. */
static void test_spin(void **state) {
  (void)state;
  static const double a[3] = {0, 0, 0}, b[3] = {0.6, 0, 0};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  const wy_solver_def solver = solver_of("dop853", 1e-10);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, a, b);
  set_d1(&net, 0, 1, 0);
  net.rods[0].initial.angular_velocity[2] = wy_constant(5);
  const int hinge = add_hinge(&net, 1, 0, 0);
  add_ground(&net, hinge), add_end(&net, hinge, 0, WY_START);
  test_sim made = make_network(&net, &solver, false, INFINITY);
  double rate;
  must(wy_sim_advance(made.sim, 4, &message), &message);
  check_close(angle_of(&made, hinge, 1, &rate), 20, 1e-8); /* three turns and more */
  check_close(rate, 5, 1e-8);
  free_sim(&made);
}

/* A stiff crank is turned: its work is its kinetic energy, its angle what is asked for. Then the user takes over. */
static void test_crank(void **state) {
  (void)state;
  static const double stiffness[6] = {1e6, 1e6, 1e6, 1e5, 1e5, 1e5}, inertia[4] = {3, 1e-2, 1e-2, 2e-2};
  static const double a[3] = {0, 0, 0}, b[3] = {0.5, 0, 0};
  const int segments = 10;
  const double h = 0.5 / segments;
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  const wy_solver_def solver = solver_of("radau5", 1e-8);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, a, b);
  set_d1(&net, 0, 1, 0);
  const int hinge = add_hinge(&net, 0, 0, 1);
  add_ground(&net, hinge), add_end(&net, hinge, 0, WY_START);
  net.joints[hinge].has_angle = true, net.joints[hinge].angle = (wy_signal){0, swing, NULL, WY_TIME};
  test_sim made = make_network(&net, &solver, false, INFINITY);
  /* half cells at both ends, the others at their vertices; (N6) adds a share */
  double moment = inertia[0] * h * 0.5 * 0.25, turned[3], place[3];
  for (int i = 1; i < segments; i++)
    moment += inertia[0] * h * (i * h) * (i * h);
  moment += 0.5 * inertia[1] + inertia[0] * h * h * h / 24;
  must(wy_sim_advance(made.sim, 0.4, &message), &message);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  const double angle = 0.5 * (1 - cos(0.8)), rate = sin(0.8);
  check_close(energy.total, energy.work - energy.dissipated, 1e-7);
  check_close(energy.work, 0.5 * moment * rate * rate, 1e-4); /* what bends: 1e-5 of it */
  turned[0] = 0.5 * cos(angle), turned[1] = 0.5 * sin(angle), turned[2] = 0;
  place_of(&made, 0, WY_END, place);
  check_below(apart(place, turned), 1e-4);
  must(wy_sim_set_joint_angle(made.sim, hinge, 7 * pi, 0, 2, &message), &message);
  must(wy_sim_advance(made.sim, 2.4, &message), &message);
  check_close(angle_of(&made, hinge, 1, NULL), 7 * pi, 1e-9);
  must(wy_sim_advance(made.sim, 3, &message), &message);
  place_of(&made, 0, WY_END, place);
  check_close(place[0], -0.5, 1e-3);
  free_sim(&made);
}

/* An angle that drives an equilibrium. */
static void test_driven_statics(void **state) {
  (void)state;
  test_network net;
  double tip[3];
  hinged_cantilever(&net, 6, 0);
  net.joints[0].has_spring = false, net.joints[0].has_angle = true;
  net.joints[0].angle = (wy_signal){0, swing, NULL, WY_TIME};
  const wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 1, &message), &message);
  place_of(&made, 1, WY_END, tip);
  const double angle = 0.5 * (1 - cos(2.0));
  const double want[3] = {0.5 + 0.5 * cos(angle), 0, -0.5 * sin(angle)};
  check_below(apart(tip, want), 1e-8);
  free_sim(&made);
}

/* ---- What must not matter ---- */

/* The tip of a falling chain of three rods, from one or the other side, turned in space; hinges written this way or
   that. */
static double fall(bool reverse, const double turn[4], double tip[3]) {
  static const double points[4][3] = {{0, 0, 0}, {0.5, 0.1, 0}, {0.9, 0.4, 0.2}, {1.3, 0.3, 0.6}};
  static const double axes[3][3] = {{0.2, 1, 0}, {0.3, -0.4, 1}, {0, 0, 0}}, gravity[3] = {0.3, 0.2, -1};
  static const double stiffness[6] = {200, 200, 300, 1, 1, 0.8}, inertia[4] = {1, 2e-2, 2e-2, 4e-2};
  const wy_rod_def rod = section_of(stiffness, inertia, 4);
  const wy_solver_def solver = solver_of("radau5", 1e-11);
  double r[9], at[4][3], axis[3], place[3];
  test_network net;
  wy_message message = {0};
  wy_qmatrix(turn, r);
  for (int i = 0; i < 4; i++)
    wy_mul3(r, points[i], at[i]);
  begin_network(&net);
  wy_mul3(r, gravity, net.model.gravity);
  for (int i = 0; i < 3; i++) {
    const int k = reverse ? 2 - i : i;
    add_rod(&net, &rod, at[k], at[k + 1]);
    set_normal(&net.rods[i]);
  }
  for (int i = 0; i < 3; i++) {
    const int hinge = i < 2 ? add_hinge(&net, 0, 0, 0) : add_joint(&net, WY_BALL);
    const int of[2] = {reverse ? 2 - i : i, reverse ? 3 - i : i - 1};
    wy_mul3(r, axes[i], axis);
    if (i < 2)
      memcpy(net.joints[hinge].axis, axis, sizeof axis);
    spring(&net, hinge, 0.7, 0.05);
    for (int side = 0; side < 2; side++) {
      const int which = reverse ? 1 - side : side;
      if (which == 1 && i == 0)
        add_ground(&net, hinge);
      else
        add_end(&net, hinge, of[which], which == 0 ? WY_START : WY_END);
    }
  }
  test_sim made = make_network(&net, &solver, false, INFINITY);
  must(wy_sim_advance(made.sim, 0.8, &message), &message);
  place_of(&made, reverse ? 0 : 2, WY_END, place);
  wy_tmul3(r, place, tip);
  const double angle = angle_of(&made, 1, 1, NULL);
  free_sim(&made);
  return angle;
}

static void test_order_and_place(void **state) {
  (void)state;
  static const double still[4] = {1, 0, 0, 0};
  double turn[4] = {0.7, -0.3, 0.5, 0.4}, plain[3], other[3], turned[3];
  wy_qnormalise(turn);
  const double angle = fall(false, still, plain);
  check_close(fall(true, still, other), -angle, 1e-8);
  check_close(fall(false, turn, turned), angle, 1e-8);
  check_above(fabs(angle), 0.02);
  check_below(apart(plain, other), 1e-9);
  check_below(apart(plain, turned), 1e-9);
}

/* A saved state goes on bit for bit, with an angle that the user has asked for. */
static void test_saved_state(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "ndf", "dop853"};
  for (int i = 0; i < 3; i++) {
    test_network net;
    const wy_solver_def solver = solver_of(integrators[i], 1e-6);
    wy_message message = {0};
    mobile(&net, 4);
    throw_mobile(&net);
    net.joints[0].has_angle = true, net.joints[0].angle = (wy_signal){0, swing, NULL, WY_TIME};
    test_sim made = make_network(&net, &solver, false, INFINITY);
    must(wy_sim_advance(made.sim, 0.2, &message), &message);
    must(wy_sim_set_joint_angle(made.sim, 0, 0.3, 0.1, 0.5, &message), &message);
    must(wy_sim_advance(made.sim, 0.3, &message), &message);
    const size_t size = wy_sim_save_size(made.sim);
    void *saved = malloc(size);
    must(wy_sim_save(made.sim, saved, size, &message), &message);
    double before[3], after[3];
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
    place_of(&made, 4, WY_END, before);
    const double angle = angle_of(&made, 1, 2, NULL);
    must(wy_sim_restore(made.sim, saved, size, &message), &message);
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
    place_of(&made, 4, WY_END, after);
    assert_memory_equal(before, after, sizeof before);
    assert_true(angle == angle_of(&made, 1, 2, NULL));
    free(saved);
    free_sim(&made);
  }
}

static void refused_turn(const test_sim *made, int joint, double angle, double duration) {
  wy_message message = {0};
  assert_int_equal(wy_sim_set_joint_angle(made->sim, joint, angle, 0, duration, &message), WY_ERROR_INPUT);
  assert_true(strlen(message.text) > 0);
}

/* Only driven hinges turn as one likes, to angles and in times that are numbers. */
static void test_refused(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  double angle, rate;
  const wy_solver_def solver = wy_default_solver_def();
  mobile(&net, 2);
  net.joints[0].has_angle = true;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  refused_turn(&made, 1, 1, 1);
  refused_turn(&made, 2, 1, 1);
  refused_turn(&made, 0, NAN, 1);
  refused_turn(&made, 0, 1, 0);
  refused_turn(&made, 0, 1, INFINITY);
  assert_int_equal(wy_sim_joint_angle(made.sim, 1, 3, &angle, &rate, &message), WY_ERROR_INPUT);
  must(wy_sim_set_joint_angle(made.sim, 0, 1, 0, 1, &message), &message);
  free_sim(&made);
}

/* About its axis a hinge exerts what its spring does, and nothing without one. */
static void test_loads_of_joint(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  const wy_solver_def solver = wy_default_solver_def();
  double force[3], moment[3];
  hinged_cantilever(&net, 6, 5);
  add_force(&net, 1, WY_END, 0.3, 0, -1); /* in the plane: the axis stays where it is */
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  const double angle = angle_of(&made, 0, 1, NULL), want[3] = {-0.3, 0, 1}, turning[3] = {0, -5 * angle, 0};
  check_above(fabs(angle), 0.01);
  for (int part = 0; part < 2; part++) {
    must(wy_sim_joint(made.sim, 0, part, force, moment, &message), &message);
    for (int k = 0; k < 3; k++) {
      check_close(force[k], part ? want[k] : -want[k], 1e-9);
      check_close(moment[k], part ? turning[k] : -turning[k], 1e-9);
    }
  }
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_explicit_flight), cmocka_unit_test(test_implicit_flight),
                                     cmocka_unit_test(test_balance),         cmocka_unit_test(test_flight_of_hinge),
                                     cmocka_unit_test(test_sprung_hinge),    cmocka_unit_test(test_stiff_spring),
                                     cmocka_unit_test(test_pendulum),        cmocka_unit_test(test_spin),
                                     cmocka_unit_test(test_crank),           cmocka_unit_test(test_driven_statics),
                                     cmocka_unit_test(test_order_and_place), cmocka_unit_test(test_saved_state),
                                     cmocka_unit_test(test_loads_of_joint),  cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_buckling)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
