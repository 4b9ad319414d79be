/* SPDX-License-Identifier: MIT */
/* Bodies that joints hold to each other and to the ground, by conditions (N7), against motions in minimal coordinates
   and closed forms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_double_pendulum), cmocka_unit_test(test_implicit_pendulum)};
  (void)pi;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
