/* SPDX-License-Identifier: MIT */
/* Bodies that joints hold to each other and to the ground, by conditions (N7), against motions in minimal coordinates
   and closed forms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/lane.h"
#include "math/quat.h"
#include "network/group.h"
#include "sim/sim.h"
#include "support/network.h"
#include "support/table.h"

static const double pi = 3.14159265358979323846;

static wy_solver_def solver_of(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

static test_sim make(test_network *net, const char *integrator, double tolerance, bool statics) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver = solver_of(integrator, tolerance);
  def.statics = statics;
  def.end = INFINITY;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return wy_norm3(d);
}

/* A bar between two points of the plane x-z: x of the body along it, y normal to the plane. */
static int add_bar(test_network *net, const char *name, const double from[3], const double to[3], double mass) {
  const int index = net->model.body_count++;
  wy_body_def *body = &net->bodies[index];
  const double length = apart(from, to), across = mass * length * length / 12;
  const double inertia[6] = {1e-3 * across, across, across, 0, 0, 0};
  *body = wy_default_body_def();
  body->name = name;
  body->mass = mass;
  memcpy(body->inertia, inertia, sizeof inertia);
  for (int k = 0; k < 3; k++)
    body->origin[k] = 0.5 * (from[k] + to[k]);
  const double turn[3] = {0, -atan2(to[2] - from[2], to[0] - from[0]), 0};
  wy_qexp(turn, body->frame);
  return index;
}

static int join(test_network *net, wy_joint_kind kind, const char *name, int a, int b, const double place[3]) {
  const int joint = add_joint(net, kind);
  net->joints[joint].name = name;
  net->joints[joint].axis[1] = kind == WY_HINGE;
  const int bodies[2] = {a, b};
  for (int i = 0; i < 2; i++)
    if (bodies[i] >= 0)
      add_port(net, joint, port_at(net, bodies[i], place));
    else
      add_port(net, joint, wy_port_in_space(place[0], place[1], place[2]));
  return joint;
}

/* The place in space of a point of a body that was at `drawn` there. */
static void place_now(const test_network *net, const test_sim *made, int body, const double drawn[3], double place[3]) {
  const wy_port port = port_at(net, body, drawn);
  double frame[4];
  wy_message message = {0};
  must(wy_sim_port(made->sim, &port, place, frame, &message), &message);
}

/* ---- The double pendulum ---- */

static const double pivot[3] = {0, 0, 0}, knee[3] = {0.4, 0, 0}, tip[3] = {0.7, 0, 0};

static void draw_pendulum(test_network *net, wy_joint_kind kind) {
  begin_network(net);
  net->model.gravity[2] = -9.81;
  const int upper = add_bar(net, "upper", pivot, knee, 1), lower = add_bar(net, "lower", knee, tip, 0.5);
  join(net, kind, "pivot", upper, -1, pivot);
  join(net, kind, "knee", upper, lower, knee);
}

/* Against minimal coordinates; energy, gaps and the force of the support. Errors of a tolerance of 1e-10 grow over the
   motion, which is chaotic but short: 1e-7; energies do not. */
static void check_pendulum(wy_joint_kind kind, const char *integrator) {
  table want = read_table(WY_TEST_DATA "/network/double_pendulum.csv", 31);
  test_network net;
  draw_pendulum(&net, kind);
  test_sim made = make(&net, integrator, 1e-10, false);
  wy_message message = {0};
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int row = 0; row < want.rows; row++) {
    double now[3], other[3], force[3], moment[3];
    const double *values = table_at(&want, row, 0);
    must(wy_sim_sample(made.sim, values[0], &message), &message);
    place_now(&net, &made, 0, knee, now);
    check_close(now[0], values[1], 1e-7);
    check_close(now[2], values[2], 1e-7);
    place_now(&net, &made, 1, knee, other);
    check_at_most(apart(now, other), 1e-12 * 0.4);
    place_now(&net, &made, 0, pivot, now);
    check_at_most(wy_norm3(now), 1e-12 * 0.4);
    place_now(&net, &made, 1, tip, now);
    check_close(now[0], values[3], 1e-7);
    check_close(now[2], values[4], 1e-7);
    must(wy_sim_joint(made.sim, 0, 0, force, moment, &message), &message);
    check_close(force[0], values[5], 2e-5); /* some 100 times the error of angles and rates */
    check_close(force[2], values[6], 2e-5);
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-8);
  }
  free_sim(&made);
  free_table(&want);
}

static void test_double_pendulum(void **state) {
  (void)state;
  check_pendulum(WY_BALL, "dop853");
  check_pendulum(WY_HINGE, "dopri5");
}

static void test_implicit_pendulum(void **state) {
  (void)state;
  check_pendulum(WY_HINGE, "radau5");
  check_pendulum(WY_BALL, "rodas");
  check_pendulum(WY_HINGE, "seulex");
}

/* ---- Equilibria and frequencies ---- */

enum { LINKS = 6 };

/* Six bars between two points, drawn as half of a polygon that is no equilibrium. */
static void draw_chain(test_network *net) {
  static const char *const names[LINKS] = {"a", "b", "c", "d", "e", "f"};
  double place[3] = {0, 0, 0};
  begin_network(net);
  net->model.gravity[2] = -9.81;
  /* Angles below the horizontal whose bars span 1: 0.25 (cos a + cos b + cos c) = 0.5. */
  const double angles[3] = {1.2, 0.75, acos(2 - cos(1.2) - cos(0.75))};
  for (int i = 0; i < LINKS; i++) {
    const double angle = i < 3 ? angles[i] : -angles[5 - i];
    const double next[3] = {place[0] + 0.25 * cos(angle), 0, place[2] - 0.25 * sin(angle)};
    const int bar = add_bar(net, names[i], place, next, 0.2);
    join(net, WY_BALL, NULL, bar, bar - 1, place);
    memcpy(place, next, sizeof place);
  }
  join(net, WY_BALL, NULL, LINKS - 1, -1, place);
}

/* Joints and forces of the chain at rest: Newton's method ends at corrections of 1e-9 radians. */
static void test_chain_at_rest(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/chain_joints.csv", LINKS + 1);
  test_network net;
  draw_chain(&net);
  test_sim made = make(&net, "auto", 1e-6, true);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  for (int i = 0; i <= LINKS; i++) {
    const wy_port *port = &net.ports[i][0];
    double place[3], frame[4];
    must(wy_sim_port(made.sim, port, place, frame, &message), &message);
    check_close(place[0], table_at(&want, i, 0)[0], 1e-9);
    check_close(place[2], table_at(&want, i, 0)[1], 1e-9);
    check_close(place[1], 0, 1e-12);
  }
  double force[3], moment[3];
  must(wy_sim_joint(made.sim, 0, 0, force, moment, &message), &message);
  check_close(force[0], -2.40789980485, 1e-7);
  check_close(force[2], 5.886, 1e-7);
  check_close(wy_norm3(moment), 0, 1e-12);
  assert_int_equal(wy_sim_group_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
  free_table(&want);
}

/* Angular frequencies of all modes of what hangs in gravity, without the spins of bars about themselves. */
static void check_frequencies(test_network *net, const double *want, int count) {
  test_sim made = make(net, "auto", 1e-6, true);
  wy_message message = {0};
  wy_mode_set *sets[8] = {NULL};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_group_modes(made.sim, 0, 2 * count + net->model.body_count, NULL, sets, &message), &message);
  int found = 0;
  for (int i = 0; i < sets[0]->count; i++) {
    const double value = sets[0]->omega[i];
    if (value < 0.1)
      continue;
    assert_in_range(found, 0, 2 * count - 1);
    check_close(value, want[found / 2], 1e-8 * want[found / 2]);
    found++;
  }
  assert_int_equal(found, 2 * count);
  for (int i = 0; i < net->model.body_count; i++)
    wy_mode_set_destroy(sets[i]);
  free_sim(&made);
}

/* A chain of hanging bars, each swing in two planes. */
static void draw_hanging(test_network *net, int count, const double *lengths, const double *masses) {
  static const char *const names[LINKS] = {"a", "b", "c", "d", "e", "f"};
  double place[3] = {0, 0, 0};
  begin_network(net);
  net->model.gravity[2] = -9.81;
  for (int i = 0; i < count; i++) {
    const double next[3] = {0, 0, place[2] - lengths[i]};
    const int bar = add_bar(net, names[i], place, next, masses[i]);
    join(net, WY_BALL, NULL, bar, bar - 1, place);
    memcpy(place, next, sizeof place);
  }
}

static void test_frequencies(void **state) {
  (void)state;
  static const double lengths[5] = {0.4, 0.3}, masses[5] = {1, 0.5}, two[2] = {4.65737261092, 10.9999904297};
  static const double equal[5] = {0.25, 0.25, 0.25, 0.25, 0.25}, light[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
  static const double five[5] = {3.37244177946, 8.00390783101, 13.5839232752, 20.8994112789, 31.7016188641};
  test_network net;
  draw_hanging(&net, 2, lengths, masses);
  check_frequencies(&net, two, 2);
  draw_hanging(&net, 5, equal, light);
  check_frequencies(&net, five, 5);
}

/* A column of two rigid bars of length l with springs k in the hinges at its foot and between them, pushed down at its
   head: P l / k = (3 - sqrt(5))/2 and (3 + sqrt(5))/2. */
static void test_buckling(void **state) {
  (void)state;
  static const double points[3][3] = {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 1}};
  test_network net;
  wy_message message = {0};
  wy_mode_set *sets[2] = {NULL};
  begin_network(&net);
  for (int i = 0; i < 2; i++) {
    const int bar = add_bar(&net, i ? "upper" : "lower", points[i], points[i + 1], 1);
    const int hinge = join(&net, WY_HINGE, i ? "knee" : "foot", bar - 1, bar, points[i]);
    net.joints[hinge].has_spring = true, net.joints[hinge].stiffness = 3;
  }
  wy_load_def *load = &net.loads[net.model.load_count++];
  *load = wy_default_load_def();
  load->place = WY_AT_BODY, load->body = 1, load->rod = -1;
  load->force[2] = wy_constant(-1);
  const wy_port head = port_at(&net, 1, points[2]);
  memcpy(load->point, head.point, sizeof load->point);
  test_sim made = make(&net, "auto", 1e-6, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  assert_int_equal(wy_sim_group_equilibrium(made.sim, 0).unstable, 0);
  must(wy_sim_group_buckling(made.sim, 0, 0, 2, NULL, sets, &message), &message);
  for (int i = 0; i < 2; i++)
    check_close(sets[0]->factor[i], 3 / 0.5 * (3 + (i ? 1 : -1) * sqrt(5)) / 2, 1e-6);
  wy_mode_set_destroy(sets[0]), wy_mode_set_destroy(sets[1]);
  free_sim(&made);
}

/* ---- The four-bar ---- */

static const double joints[4][3] = {{0, 0, 0}, {0, 0, 0.2}, {0.534838254696743, 0, 0.471933891438602}, {0.7, 0, 0}};

/* One axis may be tilted in space. */
static void draw_four_bar(test_network *net, double tilt) {
  static const char *const names[3] = {"crank", "coupler", "rocker"}, *const hinges[4] = {"a", "b", "c", "d"};
  begin_network(net);
  net->model.gravity[0] = 1.7, net->model.gravity[2] = -9.81;
  for (int i = 0; i < 3; i++)
    add_bar(net, names[i], joints[i], joints[i + 1], 0.3);
  for (int i = 0; i < 4; i++)
    join(net, WY_HINGE, hinges[i], i - 1, i < 3 ? i : -1, joints[i]);
  net->joints[2].axis[0] = tilt;
  net->joints[2].axis[1] = sqrt(1 - tilt * tilt);
}

/* The coupler's far joint from the crank's angle: circles about both neighbours, on the side where it is drawn. */
static void far_joint(const double near[3], double place[3]) {
  const double coupler = apart(joints[1], joints[2]), rocker = apart(joints[2], joints[3]);
  const double line[3] = {joints[3][0] - near[0], 0, joints[3][2] - near[2]}, distance = wy_norm3(line);
  const double along = (coupler * coupler - rocker * rocker + distance * distance) / (2 * distance),
               off = sqrt(coupler * coupler - along * along);
  place[0] = near[0] + (along * line[0] - off * line[2]) / distance;
  place[1] = 0;
  place[2] = near[2] + (along * line[2] + off * line[0]) / distance;
}

static const char *depends(const test_sim *made, char text[256]) {
  return wy_sim_group_dependent(made->sim, 0, text, 256) ? text : "";
}

/* Everything is turned about the origin: places, axes, gravity. */
static void turn_network(test_network *net, const double turn[4]) {
  double r[9], old[4];
  wy_qmatrix(turn, r);
  for (int i = 0; i < net->model.body_count; i++) {
    wy_body_def *body = &net->bodies[i];
    wy_copy3(body->origin, old);
    wy_mul3(r, old, body->origin);
    memcpy(old, body->frame, sizeof old);
    wy_qmul(turn, old, body->frame);
  }
  for (int i = 0; i < net->model.joint_count; i++) {
    wy_copy3(net->joints[i].axis, old);
    wy_mul3(r, old, net->joints[i].axis);
    for (int k = 0; k < net->joints[i].port_count; k++)
      if (net->ports[i][k].kind == WY_PORT_GROUND) {
        wy_copy3(net->ports[i][k].point, old);
        wy_mul3(r, old, net->ports[i][k].point);
      }
  }
  wy_copy3(net->model.gravity, old);
  wy_mul3(r, old, net->model.gravity);
}

/* One freedom: the whole turns with the crank, and stays in its plane, wherever that is. */
static void check_four_bar(const char *integrator, const double turn[4]) {
  test_network net, drawn;
  char text[256];
  draw_four_bar(&drawn, 0);
  net = drawn;
  turn_network(&net, turn);
  double r[9];
  wy_qmatrix(turn, r);
  test_sim made = make(&net, integrator, 1e-10, false);
  wy_message message = {0};
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  assert_string_equal(depends(&made, text), "3 of the 20 conditions of joints a, b, c, d follow from the others: their "
                                            "forces are one of many choices");
  double swept = 0;
  for (int i = 1; i <= 20; i++) {
    double near[3], far[3], want[3], other[3];
    must(wy_sim_sample(made.sim, 0.1 * i, &message), &message);
    double *const places[3] = {near, far, other};
    for (int k = 0; k < 3; k++) {
      double place[3];
      const wy_port port = port_at(&drawn, k, joints[k == 0 ? 1 : 2]);
      double frame[4];
      must(wy_sim_port(made.sim, &port, place, frame, &message), &message);
      wy_tmul3(r, place, places[k]); /* back to the plane */
    }
    far_joint(near, want);
    check_close(wy_norm3(near), 0.2, 1e-12);
    check_below(fabs(near[1]), 1e-11);
    check_below(apart(far, want), 1e-11); /* a circle's intersection loses a digit */
    check_below(apart(far, other), 1e-12 * 0.6);
    swept = fmax(swept, apart(near, joints[1]));
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-8);
  }
  check_above(swept, 0.2);
  free_sim(&made);
}

static void test_four_bar(void **state) {
  (void)state;
  const double none[4] = {1, 0, 0, 0};
  double turn[4] = {0.7, -0.4, 0.3, 0.5};
  wy_qnormalise(turn);
  check_four_bar("dop853", none);
  check_four_bar("radau5", turn);
  check_four_bar("dopri5", turn);
}

/* With a tilted axis nothing moves: 18 independent conditions for 18 freedoms. */
static void test_tilted_four_bar(void **state) {
  (void)state;
  test_network net;
  char text[256];
  wy_message message = {0};
  draw_four_bar(&net, 0.01);
  test_sim made = make(&net, "radau5", 1e-8, false);
  if (strncmp(depends(&made, text), "2 of the 20 ", 12) != 0)
    fail_msg("%s", text);
  must(wy_sim_advance(made.sim, 1, &message), &message);
  for (int body = 0; body < 3; body++) {
    wy_body_state now;
    must(wy_sim_body(made.sim, body, &now, &message), &message);
    check_below(apart(now.position, net.bodies[body].origin), 1e-9);
    check_below(wy_norm3(now.velocity), 1e-9);
  }
  free_sim(&made);
}

/* Two drives that do not fit: what moves the crank leaves the rocker one angle, and it is told another. */
static void steadily(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.3 * t, jet[1] = 0.3, jet[2] = 0;
}

static void test_contradiction(void **state) {
  (void)state;
  static const char *const integrators[2] = {"dop853", "radau5"};
  for (int i = 0; i < 2; i++) {
    test_network net;
    wy_message message = {0};
    draw_four_bar(&net, 0);
    for (int joint = 0; joint < 4; joint += 3) {
      net.joints[joint].has_angle = true;
      net.joints[joint].angle = (wy_signal){0, steadily, NULL, WY_TIME};
    }
    test_sim made = make(&net, integrators[i], 1e-8, false);
    assert_int_not_equal(wy_sim_advance(made.sim, 0.5, &message), WY_OK);
    const char *named = strstr(message.text, "joint ");
    if (!named || !strchr("abcd", named[6]) || strncmp(named + 7, " cannot be kept", 15) != 0)
      fail_msg("%s", message.text);
    free_sim(&made);
  }
}

/* ---- Welds ---- */

static const double bell[2][3] = {{-0.2, 0.1, 0}, {0.3, -0.15, 0}}, spin[3] = {1.2, 3, -0.7};

/* Two bodies whose common centre of mass is the origin. */
static void draw_bell(test_network *net) {
  begin_network(net);
  for (int i = 0; i < 2; i++) {
    const double inertia[6] = {0.02, 0.03, 0.04, 0.004 * i, 0, 0.002}, frame[4] = {0.8, 0.3 * i, -0.5, 0.2};
    wy_body_def *body = &net->bodies[net->model.body_count++];
    double r[9];
    *body = wy_default_body_def();
    body->name = i ? "second" : "first";
    body->mass = i ? 0.4 : 0.6;
    memcpy(body->inertia, inertia, sizeof inertia);
    memcpy(body->origin, bell[i], sizeof bell[i]);
    memcpy(body->frame, frame, sizeof frame);
    wy_qnormalise(body->frame);
    wy_qmatrix(body->frame, r);
    wy_tmul3(r, spin, body->angular_velocity);
    wy_cross3(spin, bell[i], body->velocity);
  }
}

/* The same mass as one body, in the axes of space: R J R^T + m (|b|^2 - b b^T). */
static void draw_sum(const test_network *net, test_network *one) {
  double sum[9] = {0};
  for (int i = 0; i < 2; i++) {
    const wy_body_def *body = &net->bodies[i];
    const wy_m3 r = wy_rotation(wy_at4(body->frame));
    const double *j = body->inertia, rows[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    const wy_v3 b = wy_at3(bell[i]);
    double more[9];
    wy_to_rows(wy_mplus(wy_mproduct(wy_mproduct(r, wy_from_rows(rows)), wy_mtransposed(r)),
                        wy_mtimes(body->mass, wy_mminus(wy_diagonal(wy_inner(b, b)), wy_outer(b, b)))),
               more);
    for (int k = 0; k < 9; k++)
      sum[k] += more[k];
  }
  const double inertia[6] = {sum[0], sum[4], sum[8], sum[1], sum[2], sum[5]};
  begin_network(one);
  wy_body_def *body = &one->bodies[one->model.body_count++];
  *body = wy_default_body_def();
  body->name = "both";
  body->mass = 1;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->angular_velocity, spin, sizeof spin);
}

/* Bodies that are welded tumble as the one that they are together. */
static void test_welded_bodies(void **state) {
  (void)state;
  static const double at[3] = {0.05, 0.3, -0.1};
  test_network net, one;
  wy_message message = {0};
  draw_bell(&net);
  draw_sum(&net, &one);
  join(&net, WY_WELD, "weld", 0, 1, at);
  test_sim pair = make(&net, "dop853", 1e-11, false), whole = make(&one, "dop853", 1e-11, false);
  for (int i = 1; i <= 5; i++) {
    wy_body_state part, both;
    double r[9], place[3];
    must(wy_sim_sample(pair.sim, i, &message), &message);
    must(wy_sim_sample(whole.sim, i, &message), &message);
    must(wy_sim_body(whole.sim, 0, &both, &message), &message);
    wy_qmatrix(both.frame, r);
    for (int k = 0; k < 2; k++) {
      must(wy_sim_body(pair.sim, k, &part, &message), &message);
      wy_mul3(r, bell[k], place);
      check_below(apart(place, part.position), 1e-8); /* a tolerance of 1e-11, which tumbling multiplies */
    }
  }
  free_sim(&pair), free_sim(&whole);
}

/* ---- Springs and drives in hinges ---- */

/* A bar on a hinge, held by its spring against gravity, or driven. */
static int draw_hinge(test_network *net, bool ground_first) {
  static const double end[3] = {0.5, 0, 0};
  begin_network(net);
  const int bar = add_bar(net, "bar", pivot, end, 0.8);
  return join(net, WY_HINGE, "hinge", ground_first ? -1 : bar, ground_first ? bar : -1, pivot);
}

static void hinge_now(const test_sim *made, int joint, double *angle, double *rate) {
  wy_message message = {0};
  must(wy_sim_joint_angle(made->sim, joint, 1, angle, rate, &message), &message);
}

/* I phi'' + d phi' + k (phi - phi0) = 0 about the hinge, I = m l^2/3: the closed form, energy and what is lost. The
   angle is that of the second part against the first. */
static void check_sprung(const char *integrator, bool ground_first) {
  test_network net;
  const int joint = draw_hinge(&net, ground_first);
  wy_joint_def *def = &net.joints[joint];
  def->has_spring = true, def->stiffness = 2, def->damping = 0.05, def->rest_angle = 0.4;
  test_sim made = make(&net, integrator, 1e-10, false);
  wy_message message = {0};
  const double inertia = 0.8 * 0.25 / 3, decay = 0.5 * 0.05 / inertia, w = sqrt(2 / inertia - decay * decay);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  check_close(start, 0.5 * 2 * 0.4 * 0.4, 1e-12);
  for (int i = 1; i <= 10; i++) {
    const double t = 0.2 * i, swing = exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
    double angle, rate, force[3], moment[3];
    must(wy_sim_sample(made.sim, t, &message), &message);
    hinge_now(&made, joint, &angle, &rate);
    check_close(angle, 0.4 * (1 - swing), 1e-8);
    check_close(rate, 0.4 * exp(-decay * t) * (w + decay * decay / w) * sin(w * t), 1e-7);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.total + energy.dissipated, start, 1e-8);
    must(wy_sim_joint(made.sim, joint, 1, force, moment, &message), &message);
    check_close(moment[1], -2 * (angle - 0.4) - 0.05 * rate, 1e-10);
    double other[3], back[3];
    must(wy_sim_joint(made.sim, joint, 0, other, back, &message), &message);
    for (int k = 0; k < 3; k++) {
      check_close(other[k], -force[k], 1e-12);
      check_close(back[k], -moment[k], 1e-12);
    }
  }
  free_sim(&made);
}

static void test_sprung_hinge(void **state) {
  (void)state;
  check_sprung("dop853", true);
  check_sprung("radau5", false);
}

static void speed_up(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 2 * pi * t * t, jet[1] = 4 * pi * t, jet[2] = 4 * pi;
}

/* Three turns and more; the work of the drive is the energy of the bar. */
static void check_driven(const char *integrator, double tolerance) {
  test_network net;
  const int joint = draw_hinge(&net, true);
  net.model.gravity[2] = -9.81;
  net.joints[joint].has_angle = true;
  net.joints[joint].angle = (wy_signal){0, speed_up, NULL, WY_TIME};
  test_sim made = make(&net, integrator, 1e-9, false);
  wy_message message = {0};
  const double inertia = 0.8 * 0.25 / 3, start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int i = 1; i <= 9; i++) {
    const double t = 0.2 * i, want = 2 * pi * t * t;
    double angle, rate, force[3], moment[3], end[3];
    must(wy_sim_sample(made.sim, t, &message), &message);
    hinge_now(&made, joint, &angle, &rate);
    check_close(angle, want, tolerance);
    check_close(rate, 4 * pi * t, 10 * tolerance);
    const double drawn[3] = {0.5, 0, 0};
    place_now(&net, &made, 0, drawn, end);
    check_close(end[0], 0.5 * cos(want), tolerance);
    check_close(end[2], -0.5 * sin(want), tolerance);
    must(wy_sim_joint(made.sim, joint, 1, force, moment, &message), &message);
    check_close(moment[1], inertia * 4 * pi - 0.8 * 9.81 * 0.25 * cos(want), 100 * tolerance);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.work, energy.total - start, 1e-6);
  }
  free_sim(&made);
}

/* Turned between steps: from where it is, smoothly. */
static void test_turned_hinge(void **state) {
  (void)state;
  test_network net;
  const int joint = draw_hinge(&net, true);
  net.joints[joint].has_angle = true;
  net.joints[joint].angle = (wy_signal){0, speed_up, NULL, WY_TIME};
  test_sim made = make(&net, "radau5", 1e-9, false);
  wy_message message = {0};
  double angle, rate;
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  must(wy_sim_set_joint_angle(made.sim, joint, 3, 0, 0.4, &message), &message);
  must(wy_sim_advance(made.sim, 0.5 + 1e-9, &message), &message);
  hinge_now(&made, joint, &angle, &rate);
  check_close(angle, 0.5 * pi, 1e-7);
  check_close(rate, 2 * pi, 1e-6);
  must(wy_sim_advance(made.sim, 0.9, &message), &message);
  hinge_now(&made, joint, &angle, &rate);
  check_close(angle, 3, 1e-11);
  check_close(rate, 0, 1e-10);
  free_sim(&made);
}

static void test_driven_hinge(void **state) {
  (void)state;
  check_driven("dop853", 1e-11);
  check_driven("radau5", 1e-11);
  check_driven("ndf", 1e-11); /* what is shown is projected */
}

/* ---- Release ---- */

/* The lower bar of the pendulum is let go: its centre of mass flies along a parabola, and it spins on. Gravity has no
   moment about it. */
static void check_release(const char *integrator) {
  test_network net;
  wy_message message = {0};
  wy_body_state then, now;
  draw_pendulum(&net, WY_HINGE);
  net.joints[1].release = 0.35;
  test_sim made = make(&net, integrator, 1e-10, false);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  must(wy_sim_advance(made.sim, 0.35, &message), &message);
  must(wy_sim_body(made.sim, 1, &then, &message), &message);
  check_above(fabs(then.angular_velocity[1]), 1);
  for (int i = 1; i <= 5; i++) {
    const double t = 0.2 * i;
    must(wy_sim_sample(made.sim, 0.35 + t, &message), &message);
    must(wy_sim_body(made.sim, 1, &now, &message), &message);
    for (int k = 0; k < 3; k++)
      check_close(now.position[k], then.position[k] + t * then.velocity[k] - (k == 2 ? 0.5 * 9.81 * t * t : 0), 1e-9);
    check_close(now.angular_velocity[1], then.angular_velocity[1], 1e-9);
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-8);
    double force[3], moment[3], upper[3];
    must(wy_sim_joint(made.sim, 1, 0, force, moment, &message), &message);
    check_close(wy_norm3(force) + wy_norm3(moment), 0, 0);
    place_now(&net, &made, 0, pivot, upper);
    check_at_most(wy_norm3(upper), 1e-12 * 0.4);
  }
  free_sim(&made);
}

static void test_release(void **state) {
  (void)state;
  check_release("dop853");
  check_release("radau5");
}

/* Two rods that are thrown apart. */
static int draw_thrown(test_network *net, wy_joint_kind kind) {
  static const double from[3] = {0, 0, 0}, middle[3] = {0.6, 0, 0}, to[3] = {1, 0.3, 0};
  static const double stiffness[6] = {40, 40, 80, 0.5, 0.7, 0.4}, inertia[4] = {1, 2e-3, 3e-3, 5e-3};
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = 5, rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  begin_network(net);
  add_rod(net, &rod, from, middle), add_rod(net, &rod, middle, to);
  for (int i = 0; i < 2; i++)
    net->rods[i].shape.d1[2] = 1, net->rods[i].initial.velocity[2] = wy_constant(i ? -1.5 : 1);
  const int joint = add_joint(net, kind);
  add_end(net, joint, 0, WY_END), add_end(net, joint, 1, WY_START);
  return joint;
}

/* A weld or ball breaks. Till then rods are as if it were for ever; energy and momenta stay throughout. */
static void test_released_rods(void **state) {
  (void)state;
  for (int kind = WY_WELD; kind <= WY_BALL; kind++) {
    double place[2][3];
    for (int breaks = 0; breaks < 2; breaks++) {
      test_network net;
      wy_message message = {0};
      const int joint = draw_thrown(&net, (wy_joint_kind)kind);
      if (breaks)
        net.joints[joint].release = 0.5;
      test_sim made = make(&net, "radau5", 1e-9, false);
      const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
      const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
      must(wy_sim_advance(made.sim, 0.5, &message), &message);
      const wy_view *view = wy_sim_view(made.sim, 1);
      memcpy(place[breaks], view->position.values + 3 * (view->position.count - 1), sizeof place[0]);
      must(wy_sim_advance(made.sim, 1, &message), &message);
      const wy_momentum after = wy_sim_momentum(made.sim, WY_ALL_RODS);
      check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start.total, 1e-6);
      check_below(apart(after.linear, before.linear), 1e-8);
      check_below(apart(after.angular, before.angular), 1e-8);
      const wy_view *first = wy_sim_view(made.sim, 0), *second = wy_sim_view(made.sim, 1);
      const double gap = apart(first->position.values + 3 * (first->position.count - 1), second->position.values);
      if (breaks)
        check_above(gap, 0.05);
      else
        check_below(gap, 1e-12);
      free_sim(&made);
    }
    check_below(apart(place[0], place[1]), 1e-7);
  }
}

/* ---- States ---- */

/* The same bits after a restore, before and after a release. */
static void test_saved_state(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "ndf", "dop853"};
  for (int i = 0; i < 3; i++)
    for (int later = 0; later < 2; later++) {
      test_network net;
      wy_message message = {0};
      wy_body_state before, after;
      draw_pendulum(&net, WY_HINGE);
      net.joints[1].release = 0.5;
      net.joints[0].has_spring = true, net.joints[0].stiffness = 0.3;
      test_sim made = make(&net, integrators[i], 1e-7, false);
      must(wy_sim_advance(made.sim, later ? 0.6 : 0.3, &message), &message);
      const size_t size = wy_sim_save_size(made.sim);
      void *saved = malloc(size);
      must(wy_sim_save(made.sim, saved, size, &message), &message);
      must(wy_sim_advance(made.sim, 0.9, &message), &message);
      must(wy_sim_body(made.sim, 0, &before, &message), &message);
      must(wy_sim_restore(made.sim, saved, size, &message), &message);
      must(wy_sim_advance(made.sim, 0.9, &message), &message);
      must(wy_sim_body(made.sim, 0, &after, &message), &message);
      assert_memory_equal(before.position, after.position, sizeof before.position);
      assert_memory_equal(before.frame, after.frame, sizeof before.frame);
      free(saved);
      free_sim(&made);
    }
}

/* Energy over some 50 swings: to 1e-8 at a tolerance of 1e-10; gaps stay. */
static void test_long_run(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  draw_pendulum(&net, WY_BALL);
  net.bodies[0].velocity[1] = 1; /* out of its plane; what does not fit is projected */
  test_sim made = make(&net, "dop853", 1e-10, false);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total, size = 1.5 * 9.81 * 0.7;
  must(wy_sim_advance(made.sim, 40, &message), &message);
  check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-8 * size);
  check_at_most(wy_sim_group_statistics(made.sim, 0).joint_drift, 1e-12);
  free_sim(&made);
}

/* Fixed steps project after each; the order of gauss4 stays. */
static void test_fixed_steps(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/double_pendulum.csv", 31);
  double off[2];
  for (int fine = 0; fine < 2; fine++) {
    test_network net;
    test_sim made = {0};
    wy_message message = {0};
    wy_sim_def def = wy_default_sim_def();
    double now[3];
    draw_pendulum(&net, WY_HINGE);
    def.solver = solver_of("gauss4", 1e-10);
    def.solver.first_step = fine ? 0.0025 : 0.005;
    def.end = INFINITY;
    must(wy_model_create(network_model(&net), &made.model, &message), &message);
    must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
    must(wy_sim_advance(made.sim, 1, &message), &message);
    place_now(&net, &made, 0, knee, now);
    off[fine] = fabs(now[0] - table_at(&want, 10, 1)[0]);
    place_now(&net, &made, 1, knee, want.values);
    check_at_most(apart(now, want.values), 1e-12 * 0.4);
    free_sim(&made);
  }
  check_below(off[1], 0.08 * off[0]);
  free_table(&want);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_double_pendulum), cmocka_unit_test(test_implicit_pendulum),
                                     cmocka_unit_test(test_chain_at_rest),   cmocka_unit_test(test_frequencies),
                                     cmocka_unit_test(test_buckling),        cmocka_unit_test(test_four_bar),
                                     cmocka_unit_test(test_tilted_four_bar), cmocka_unit_test(test_sprung_hinge),
                                     cmocka_unit_test(test_driven_hinge),    cmocka_unit_test(test_turned_hinge),
                                     cmocka_unit_test(test_release),         cmocka_unit_test(test_released_rods),
                                     cmocka_unit_test(test_contradiction),   cmocka_unit_test(test_welded_bodies),
                                     cmocka_unit_test(test_saved_state),     cmocka_unit_test(test_long_run),
                                     cmocka_unit_test(test_fixed_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
