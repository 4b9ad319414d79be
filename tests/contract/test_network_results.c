/* SPDX-License-Identifier: MIT */
/* What a simulation shows of bodies, joints and springs: places by (N1), statics, Newton and Euler for a body. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/network.h"

static test_sim make_network(test_network *net, bool statics) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = "radau5";
  def.solver.relative_tolerance = def.solver.absolute_tolerance = 1e-11;
  def.statics = statics;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static wy_body_state body_of(const test_sim *made) {
  wy_body_state body;
  wy_message message = {0};
  must(wy_sim_body(made->sim, 0, &body, &message), &message);
  return body;
}

static void joint_of(const test_sim *made, int joint, int part, double force[3], double moment[3]) {
  wy_message message = {0};
  must(wy_sim_joint(made->sim, joint, part, force, moment, &message), &message);
}

static void spring_of(const test_sim *made, int spring, double *force, double *length) {
  wy_message message = {0};
  must(wy_sim_spring(made->sim, spring, force, length, &message), &message);
}

static wy_rod_def free_rod(int segments) {
  wy_rod_def rod = rubber_rod(segments);
  rod.ends[WY_START] = rod.ends[WY_END] = wy_default_rod_def().ends[WY_START];
  return rod;
}

static void add_body(test_network *net, double x, double y, double z) {
  const double inertia[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, frame[4] = {0.9, 0.1, 0.3, 0.2}, origin[3] = {x, y, z};
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "bob";
  body->mass = 0.5;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->frame, frame, sizeof frame);
  memcpy(body->origin, origin, sizeof origin);
}

static const double above[3] = {0, 0, 1}, below[3] = {0.1, 0, 0}, weight[3] = {0.4, 0, -9.81};

/* A rod on a ball of the ground, with a body welded to it off its centre, which a damped spring pulls aside. */
static void pendulum(test_network *net) {
  wy_rod_def rod = free_rod(6);
  begin_network(net);
  memcpy(net->model.gravity, weight, sizeof weight);
  add_rod(net, &rod, above, below);
  add_body(net, 0.15, 0.05, -0.1);
  const int hook = add_joint(net, WY_BALL), grip = add_joint(net, WY_WELD);
  add_ground(net, hook), add_end(net, hook, 0, WY_START);
  add_port(net, grip, port_at(net, 0, below)), add_end(net, grip, 0, WY_END);
  wy_spring_def *spring = &net->springs[net->model.spring_count++];
  *spring = wy_default_spring_def();
  spring->ports[0] = wy_port_on_body(0, 0.02, -0.03, 0.01);
  spring->ports[1] = wy_port_in_space(1, 0.5, 0);
  spring->stiffness = 3, spring->length = 0.6, spring->damping = 0.2;
}

/* ---- Places ---- */

static void test_place(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  pendulum(&net);
  test_sim made = make_network(&net, false);
  for (int i = 0; i < 4; i++) {
    must(wy_sim_sample(made.sim, 0.1 * i, &message), &message);
    const wy_view *view = wy_sim_view(made.sim, 0);
    const wy_body_state body = body_of(&made);
    double r[9], arm[3], turn[3], swing[3];
    const double *c = net.ports[1][0].point, *end = view->position.values + 3 * (view->position.count - 1),
                 *speed = view->velocity.values + 3 * (view->velocity.count - 1);
    wy_qmatrix(body.frame, r);
    wy_mul3(r, c, arm);
    wy_cross3(body.angular_velocity, c, turn);
    wy_mul3(r, turn, swing);
    for (int k = 0; k < 3; k++) {
      check_close(body.position[k] + arm[k], end[k], 1e-12);
      check_close(body.velocity[k] + swing[k], speed[k], 1e-11);
      assert_true(body.reaction_force[k] == 0 && body.reaction_moment[k] == 0);
    }
    double place[3], frame[4];
    must(wy_sim_port(made.sim, &net.ports[1][0], place, frame, &message), &message);
    assert_memory_equal(frame, body.frame, sizeof frame);
    for (int k = 0; k < 3; k++)
      check_close(place[k], end[k], 1e-12);
    must(wy_sim_port(made.sim, &net.ports[1][1], place, frame, &message), &message);
    assert_memory_equal(place, end, sizeof place);
    assert_memory_equal(frame, view->ends[WY_END].frame, sizeof frame);
  }
  check_above(wy_norm3(body_of(&made).velocity), 0.1);
  free_sim(&made);
}

/* ---- Rest ---- */

/* The joint carries the weight of the body, at its centre; the ground carries all. */
static void test_hanging(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  pendulum(&net);
  net.model.spring_count = 0;
  test_sim made = make_network(&net, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  const wy_body_state body = body_of(&made);
  const double mass = wy_sim_momentum(made.sim, WY_ALL_RODS).mass;
  double force[3], moment[3], other[3], opposite[3], foot[3], none[3], r[9], arm[3], turn[3];
  joint_of(&made, 1, 0, force, moment);
  joint_of(&made, 1, 1, other, opposite);
  joint_of(&made, 0, 0, foot, none);
  wy_qmatrix(body.frame, r);
  wy_mul3(r, net.ports[1][0].point, arm);
  wy_cross3(arm, force, turn);
  for (int k = 0; k < 3; k++) {
    check_close(force[k], -0.5 * weight[k], 1e-9);
    check_close(turn[k] + moment[k], 0, 1e-9);
    assert_true(other[k] == -force[k] && opposite[k] == -moment[k]);
    check_close(foot[k], mass * weight[k], 1e-9 * mass);
    assert_true(none[k] == 0); /* a ball */
  }
  free_sim(&made);
}

/* A held body carries a cantilever and itself. */
static void test_held(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  pendulum(&net);
  net.model.spring_count = 0;
  for (int k = 0; k < 3; k++)
    net.bodies[0].position[k] = WY_HELD;
  net.bodies[0].rotation = WY_HELD;
  memmove(net.joints, net.joints + 1, sizeof net.joints[0]);
  memmove(net.ports, net.ports + 1, sizeof net.ports[0]);
  net.model.joint_count = 1;
  test_sim made = make_network(&net, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  const wy_body_state body = body_of(&made);
  const wy_momentum all = wy_sim_momentum(made.sim, WY_ALL_RODS);
  double arm[3], turn[3];
  for (int k = 0; k < 3; k++)
    arm[k] = all.centre_of_mass[k] - body.position[k];
  wy_cross3(arm, weight, turn);
  check_above(wy_norm3(turn), 1e-3);
  for (int k = 0; k < 3; k++) {
    check_close(body.reaction_force[k], -all.mass * weight[k], 1e-9 * all.mass);
    check_close(body.reaction_moment[k], -all.mass * turn[k], 1e-9 * all.mass);
  }
  free_sim(&made);
}

/* ---- Motion ---- */

/* Linear and angular momentum of the body about its centre, space axes. */
static void momentum_of(const wy_body_state *body, double linear[3], double spin[3]) {
  double r[9], own[3];
  const double *w = body->angular_velocity;
  wy_qmatrix(body->frame, r);
  own[0] = 0.02 * w[0] + 0.005 * w[1], own[1] = 0.005 * w[0] + 0.03 * w[1], own[2] = 0.04 * w[2];
  wy_mul3(r, own, spin);
  for (int k = 0; k < 3; k++)
    linear[k] = 0.5 * body->velocity[k];
}

/* Force at a point of the body, with its moment about the centre. */
static void add_force(const wy_body_state *body, const double point[3], const double force[3], double sum[6]) {
  double r[9], arm[3], turn[3];
  wy_qmatrix(body->frame, r);
  wy_mul3(r, point, arm);
  wy_cross3(arm, force, turn);
  for (int k = 0; k < 3; k++)
    sum[k] += force[k], sum[3 + k] += turn[k];
}

/* Joint, spring, weight and what holds the body change both momenta of the body: differences of fourth order, h = 1e-3,
   of a motion whose frequencies are of order 10 or what the tolerance lets through. */
static void check_balance(bool holds_y, bool holds_turn) {
  static const double weights[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  const double h = 1e-3;
  test_network net;
  wy_message message = {0};
  pendulum(&net);
  net.bodies[0].position[1] = holds_y ? WY_HELD : WY_FREE;
  net.bodies[0].rotation = holds_turn ? WY_HELD : WY_FREE;
  test_sim made = make_network(&net, false);
  double rate[6] = {0}, sum[6] = {0}, force[3], moment[3], pull, length;
  wy_body_state middle = body_of(&made);
  for (int i = 0; i < 5; i++) {
    double linear[3], spin[3];
    must(wy_sim_sample(made.sim, 0.2 + h * (i - 2), &message), &message);
    const wy_body_state body = body_of(&made);
    momentum_of(&body, linear, spin);
    for (int k = 0; k < 3; k++)
      rate[k] += weights[i] / h * linear[k], rate[3 + k] += weights[i] / h * spin[k];
    if (i != 2)
      continue;
    middle = body;
    joint_of(&made, 1, 0, force, moment);
    spring_of(&made, 0, &pull, &length);
  }
  double r[9], line[3], tug[3];
  const double *end = net.springs[0].ports[1].point, *hook = net.springs[0].ports[0].point;
  wy_qmatrix(middle.frame, r);
  wy_mul3(r, hook, line);
  for (int k = 0; k < 3; k++) {
    line[k] = end[k] - middle.position[k] - line[k];
    tug[k] = pull * line[k] / length;
    sum[k] = 0.5 * weight[k] + middle.reaction_force[k], sum[3 + k] = moment[k] + middle.reaction_moment[k];
    assert_true((middle.reaction_force[k] != 0) == (holds_y && k == 1));
    assert_true((middle.reaction_moment[k] != 0) == holds_turn);
  }
  check_close(length, wy_norm3(line), 1e-12);
  add_force(&middle, net.ports[1][0].point, force, sum);
  add_force(&middle, hook, tug, sum);
  check_above(wy_norm3(rate), 1e-2);
  for (int k = 0; k < 6; k++)
    check_close(rate[k], sum[k], 1e-5);
  free_sim(&made);
}

static void test_momentum_balance(void **state) {
  (void)state;
  check_balance(false, false);
  check_balance(true, false);
  check_balance(true, true);
}

/* A spring that takes hold of the end of one rod is not the joint's. */
static void test_spring_at_joint(void **state) {
  (void)state;
  static const double far[3] = {0.8, 0.2, 0};
  wy_rod_def rod = free_rod(4);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  memcpy(net.model.gravity, weight, sizeof weight);
  add_rod(&net, &rod, above, below);
  add_rod(&net, &rod, below, far);
  const int corner = add_joint(&net, WY_WELD);
  add_end(&net, corner, 0, WY_END), add_end(&net, corner, 1, WY_START);
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_in_space(0, 1, 0);
  net.springs[0].ports[1] = wy_port_on_rod(1, 0);
  net.springs[0].stiffness = 2, net.springs[0].length = 0.5;
  net.model.spring_count = 1;
  test_sim made = make_network(&net, false);
  must(wy_sim_advance(made.sim, 0.05, &message), &message);
  double force[2][3], moment[2][3], pull, length;
  for (int part = 0; part < 2; part++)
    joint_of(&made, corner, part, force[part], moment[part]);
  spring_of(&made, 0, &pull, &length);
  check_close(pull, 2 * (length - 0.5), 1e-14);
  check_above(pull, 0.5);
  for (int k = 0; k < 3; k++) {
    check_close(force[0][k] + force[1][k], 0, 1e-12 * (1 + wy_norm3(force[0])));
    check_close(moment[0][k] + moment[1][k], 0, 1e-12 * (1 + wy_norm3(moment[0])));
  }
  free_sim(&made);
}

/* ---- Groups ---- */

/* The pendulum, and a rod by itself. */
static void test_groups(void **state) {
  (void)state;
  static const double far[3] = {3, 0, 0}, farther[3] = {4, 0, 0};
  const wy_rod_def rod = free_rod(5);
  test_network net;
  pendulum(&net);
  add_rod(&net, &rod, far, farther);
  test_sim made = make_network(&net, false);
  assert_int_equal(wy_sim_group_count(made.sim), 2);
  assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_ROD, 0), 0);
  assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_BODY, 0), 0);
  assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_ROD, 1), 1);
  assert_int_equal(wy_sim_group_describe(made.sim, 0).unknowns, wy_sim_describe(made.sim, 0).unknowns + 13);
  assert_int_equal(wy_sim_group_describe(made.sim, 1).unknowns, wy_sim_describe(made.sim, 1).unknowns);
  free_sim(&made);
}

/* ---- Bodies without rods ---- */

static const double stiffness = 40, rest_length = 0.5;

/* A body below a spring, which may only move up and down. */
static void hang_body(test_network *net, double damping) {
  begin_network(net);
  memcpy(net->model.gravity, (const double[3]){0, 0, -9.81}, sizeof net->model.gravity);
  add_body(net, 0.3, 0, -rest_length);
  wy_body_def *body = &net->bodies[0];
  body->position[0] = body->position[1] = body->rotation = WY_HELD;
  wy_spring_def *spring = &net->springs[net->model.spring_count++];
  *spring = wy_default_spring_def();
  spring->ports[0] = wy_port_on_body(0, 0, 0, 0);
  spring->ports[1] = wy_port_in_space(0.3, 0, 0);
  spring->stiffness = stiffness, spring->length = rest_length, spring->damping = damping;
}

/* It sags by m g/k, and swings about that with sqrt(k/m) and the damping ratio d/(2 sqrt(k m)). */
static void test_body_at_rest(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  hang_body(&net, 0.8);
  test_sim made = make_network(&net, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  const double mass = 0.5, sag = mass * 9.81 / stiffness;
  check_close(body_of(&made).position[2], -rest_length - sag, 1e-12);
  assert_true(wy_sim_equilibrium(made.sim, WY_ALL_RODS).increments > 0);
  assert_int_equal(wy_sim_group_equilibrium(made.sim, 0).unstable, 0);
  wy_mode_set *bodies[1] = {NULL};
  must(wy_sim_group_modes(made.sim, 0, 10, NULL, bodies, &message), &message);
  assert_int_equal(bodies[0]->count * bodies[0]->points * bodies[0]->frames, 1);
  check_close(bodies[0]->omega[0], sqrt(stiffness / mass), 1e-10 * sqrt(stiffness / mass));
  check_close(bodies[0]->damping_ratio[0], 0.8 / (2 * sqrt(stiffness * mass)), 1e-10);
  for (int k = 0; k < 3; k++) {
    check_close(bodies[0]->displacement[k], k == 2, 1e-12);
    check_close(bodies[0]->rotation[k], 0, 1e-12);
    check_close(bodies[0]->position[k], body_of(&made).position[k], 1e-15);
  }
  wy_mode_set_destroy(bodies[0]);
  free_sim(&made);
}

/* Energies, drift and statistics count without rods, too. */
static void test_body_moves(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  hang_body(&net, 0);
  test_sim made = make_network(&net, false);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total, omega = sqrt(stiffness / 0.5), t = 0.7;
  must(wy_sim_advance(made.sim, t, &message), &message);
  check_close(body_of(&made).position[2], -rest_length - 0.5 * 9.81 / stiffness * (1 - cos(omega * t)), 1e-9);
  const wy_balance balance = wy_sim_balance(made.sim, WY_ALL_RODS);
  check_close(balance.start, start, 1e-14);
  check_close(balance.end, start, 1e-9);
  assert_true(balance.looks > 0);
  check_at_most(wy_sim_drift(made.sim, WY_ALL_RODS), 1e-9);
  assert_int_equal(wy_sim_verdict(made.sim), WY_FINE);
  assert_true(wy_sim_group_statistics(made.sim, 0).steps > 3);
  assert_string_equal(wy_sim_group_describe(made.sim, 0).integrator, "radau5");
  free_sim(&made);
}

/* ---- Modes ---- */

/* All parts of a group have the same modes, scaled together: the end of the rod moves with the point of the body. */
static void test_modes(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  pendulum(&net);
  test_sim made = make_network(&net, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_mode_set *rods[1] = {NULL}, *bodies[1] = {NULL}, *one = NULL;
  must(wy_sim_group_modes(made.sim, 0, 4, rods, bodies, &message), &message);
  must(wy_sim_modes(made.sim, 0, 4, &one, &message), &message);
  const wy_mode_set *rod = rods[0], *body = bodies[0];
  const double *c = net.ports[1][0].point;
  double r[9], turn[3], moved[3], largest = 0;
  wy_qmatrix(body->frame, r);
  for (int i = 0; i < 4; i++) {
    assert_true(rod->omega[i] == body->omega[i] && rod->omega[i] == one->omega[i]);
    wy_cross3(body->rotation + 3 * i, c, turn);
    wy_mul3(r, turn, moved);
    for (int k = 0; k < 3; k++) {
      check_close(body->displacement[3 * i + k] + moved[k], rod->displacement[3 * (rod->points * (i + 1) - 1) + k],
                  1e-9);
      largest = fmax(largest, fabs(body->displacement[3 * i + k]));
    }
    for (int k = 0; k < 3 * rod->points; k++)
      assert_true(rod->displacement[3 * rod->points * i + k] == one->displacement[3 * rod->points * i + k]);
  }
  check_above(largest, 0.1);
  wy_mode_set_destroy(rods[0]), wy_mode_set_destroy(bodies[0]), wy_mode_set_destroy(one);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_place),
      cmocka_unit_test(test_hanging),
      cmocka_unit_test(test_held),
      cmocka_unit_test(test_momentum_balance),
      cmocka_unit_test(test_spring_at_joint),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_body_at_rest),
      cmocka_unit_test(test_body_moves),
      cmocka_unit_test(test_modes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
