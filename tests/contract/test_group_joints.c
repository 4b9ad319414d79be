/* SPDX-License-Identifier: MIT */
/* Groups with hubs that stand on others: hinges and sprung balls of rods, bodies and the ground. Linear systems against
   dense ones, energies, counts. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "network/group.h"
#include "support/group_checks.h"

static wy_rod_def plain(int segments) {
  wy_rod_def rod = rich_rod(segments);
  for (int k = 0; k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  rod.segment_lengths = NULL;
  return rod;
}

static int add_body(test_network *net, const char *name, const double origin[3]) {
  const double inertia[6] = {0.11, 0.15, 0.2, 0.02, -0.01, 0.03}, frame[4] = {0.8, 0.3, -0.4, 0.2};
  wy_body_def *body = &net->bodies[net->model.body_count];
  *body = wy_default_body_def();
  body->name = name;
  body->mass = 0.8;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, 3 * sizeof *origin);
  memcpy(body->frame, frame, sizeof frame);
  return net->model.body_count++;
}

static int add_hinge(test_network *net, double x, double y, double z) {
  const int joint = add_joint(net, WY_HINGE);
  net->joints[joint].axis[0] = x, net->joints[joint].axis[1] = y, net->joints[joint].axis[2] = z;
  return joint;
}

static void spring(test_network *net, int joint, double stiffness, double damping, double angle) {
  net->joints[joint].has_spring = true;
  net->joints[joint].stiffness = stiffness, net->joints[joint].damping = damping;
  net->joints[joint].rest_angle = angle;
}

/* 0.7 t + 0.9 t^2 */
static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.7 * t + 0.9 * t * t, jet[1] = 0.7 + 1.8 * t, jet[2] = 1.8;
}

static void drive(test_network *net, int joint) {
  net->joints[joint].has_angle = true;
  net->joints[joint].angle = (wy_signal){0, swing, NULL, WY_TIME};
}

enum { RODS = 8 };

/* Of every kind: a hinge on the ground, first and last in its list; on a body off its centre, which stands first, or
   between two rods; of three rods; driven, of rods, with a body and with the ground; a sprung ball of rods, with the
   ground, and at the centre of a body. */
static void jointed(test_network *net, int segments, bool driven) {
  static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0.2}, c[3] = {1.2, 0.5, 0.1}, d[3] = {1.5, 1.2, 0.4},
                      e[3] = {2.1, 1.3, -0.2}, f[3] = {2.3, 0.6, 0.5}, g[3] = {0.9, 1.9, 0.2}, h[3] = {0.2, 2.2, -0.3},
                      i[3] = {2.9, 0.9, 1.0}, k[3] = {2.2, 0.1, 1.4}, l[3] = {-0.4, 1.6, 0.2};
  const wy_rod_def rod = plain(segments);
  begin_network(net);
  net->model.gravity[0] = 0.4, net->model.gravity[2] = -1.1;
  const int body = add_body(net, "body", c), other = add_body(net, "other", (const double[3]){0.3, 2.0, -0.1});
  add_rod(net, &rod, a, b); /* ground to body */
  add_rod(net, &rod, c, d); /* centre of the body to the corner */
  add_rod(net, &rod, d, e);
  add_rod(net, &rod, d, g);
  add_rod(net, &rod, e, f);
  add_rod(net, &rod, f, i);
  add_rod(net, &rod, g, h); /* from the other body */
  add_rod(net, &rod, k, i);
  const int foot = add_hinge(net, 0.2, 1, -0.3), on_body = add_hinge(net, 1, 0.4, 0.3),
            centre = add_joint(net, WY_BALL), corner = add_hinge(net, 0.3, -0.2, 1),
            elbow = add_hinge(net, 0.1, 0.8, 0.5), pin = add_joint(net, WY_BALL), middle = add_hinge(net, -0.3, 0.6, 1),
            last = add_joint(net, WY_BALL), far = add_hinge(net, 1, 1, 0.2);
  add_end(net, foot, 0, WY_START), add_ground(net, foot);
  spring(net, foot, 0.8, 0.2, 0.3);
  add_port(net, on_body, port_at(net, body, b)), add_end(net, on_body, 0, WY_END);
  spring(net, on_body, 1.3, 0.1, -0.2);
  add_end(net, centre, 1, WY_START), add_port(net, centre, port_at(net, body, c));
  spring(net, centre, 0.9, 0.3, 0);
  add_end(net, corner, 1, WY_END), add_end(net, corner, 2, WY_START), add_end(net, corner, 3, WY_START);
  spring(net, corner, 1.1, 0.15, 0.1);
  add_end(net, elbow, 2, WY_END), add_end(net, elbow, 4, WY_START);
  add_end(net, pin, 4, WY_END), add_end(net, pin, 5, WY_START), add_ground(net, pin);
  spring(net, pin, 0.7, 0.25, 0);
  add_end(net, middle, 3, WY_END), add_port(net, middle, port_at(net, other, g)), add_end(net, middle, 6, WY_START);
  spring(net, middle, 0.5, 0.1, 0.4);
  add_end(net, last, 5, WY_END), add_end(net, last, 7, WY_END);
  spring(net, last, 0.6, 0.1, 0);
  add_ground(net, far), add_end(net, far, 7, WY_START);
  if (driven) {
    drive(net, elbow), drive(net, far), drive(net, middle), drive(net, on_body);
    const int more = add_rod(net, &rod, l, h), tip = add_hinge(net, 0.2, 0.1, 1); /* the ground is driven against it */
    add_end(net, tip, more, WY_START), add_ground(net, tip);
    drive(net, tip);
    const int weld = add_joint(net, WY_WELD);
    add_end(net, weld, more, WY_END), add_end(net, weld, 6, WY_END);
  }
  net->model.spring_count = 1;
  net->springs[0] = wy_default_spring_def();
  net->springs[0].ports[0] = wy_port_on_body(other, 0.1, -0.2, 0.3);
  net->springs[0].ports[1] = wy_port_on_rod(2, 0); /* at a hinge */
  net->springs[0].stiffness = 1.7, net->springs[0].length = 0.9, net->springs[0].damping = 0.3;
  wy_load_def *load = &net->loads[net->model.load_count++];
  *load = wy_default_load_def();
  load->place = WY_AT_BODY, load->body = body, load->rod = -1;
  for (int n = 0; n < 3; n++)
    load->force[n] = wy_constant(0.3 * n - 0.2), load->point[n] = 0.1 * n - 0.05;
}

static wy_rod_kind kind = WY_COSSERAT; /* of all rods */

static test_system make(int segments, bool driven, bool held) {
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  jointed(&net, segments, driven);
  if (held)
    net.bodies[0].position[1] = net.bodies[0].rotation = WY_HELD;
  for (int i = 0; i < net.model.rod_count; i++)
    net.rods[i].kind = kind;
  return make_group(network_model(&net), &solver);
}

static void test_solve(void **state) {
  (void)state;
  static const double shifts[3][2] = {{30, 0}, {2.5, 0}, {6, 9}};
  for (int k = 0; k < 3; k++)
    for (int held = 0; held < 2; held++) {
      test_system made = make(2, false, held == 1);
      check_group_solve(&made, shifts[k][0], shifts[k][1]);
      free_system(&made);
    }
}

static void test_solve_driven(void **state) {
  (void)state;
  test_system made = make(2, true, false);
  check_group_solve(&made, 4, 0);
  check_group_solve(&made, 5, 8);
  free_system(&made);
}

/* The rate of all energy is the power of loads and drives less what dampers take. */
static void check_power(bool driven, bool held) {
  test_system made = make(3, driven, held);
  wy_system *system = made.system;
  double *u = state_array(&made), *f = state_array(&made), *there = state_array(&made), drift[WY_DRIFTS] = {0};
  double power[WY_INTEGRALS], sides[2];
  const double h = 1e-5, t = 0.3;
  disturbed_state(&made, kind == WY_COSSERAT ? 0.2 : 0.03, 7, u);
  assert_true(system->type->project(system, t, u, NULL, drift) >= 0);
  assert_int_equal(system->type->rhs(system, t, u, f, power), 0);
  for (int side = 0; side < 2; side++) {
    wy_energy energy = {0};
    for (int i = 0; i < system->size; i++)
      there[i] = u[i] + (side ? h : -h) * f[i];
    system->type->energy(system, side ? t + h : t - h, there, &energy);
    sides[side] = energy.kinetic + energy.elastic + energy.gravity - energy.work;
  }
  check_close((sides[1] - sides[0]) / (2 * h), power[WY_WORK_INTEGRAL] - power[WY_DISSIPATION_INTEGRAL], 3e-8);
  check_above(fabs(power[WY_WORK_INTEGRAL]), 1e-3);
  check_above(power[WY_DISSIPATION_INTEGRAL], 1e-3);
  free(u), free(f), free(there);
  free_system(&made);
}

/* Rods whose forces depend on the accelerations of hubs that stand on others. */
static void test_constrained(void **state) {
  (void)state;
  kind = WY_KIRCHHOFF;
  test_system made = make(2, false, false), driven = make(2, true, false);
  check_group_solve(&made, 4, 0);
  check_group_solve(&made, 6, 9);
  check_group_solve(&driven, 4, 0);
  check_group_solve(&driven, 5, 8);
  check_power(false, false);
  check_power(true, false);
  kind = WY_COSSERAT;
  free_system(&made), free_system(&driven);
}

static void test_power(void **state) {
  (void)state;
  check_power(false, false);
  check_power(false, true);
  check_power(true, false);
}

static void test_tangent(void **state) {
  (void)state;
  static const double shifts[2] = {-0.8, 0.3};
  for (int k = 0; k < 2; k++)
    for (int driven = 0; driven < 2; driven++) {
      test_system made = make(2, driven == 1, k == 1);
      check_group_tangent(&made, shifts[k]);
      free_system(&made);
    }
}

static void test_counts(void **state) {
  (void)state;
  test_system made = make(2, false, false);
  check_group_counts(&made, 2 * RODS, 0);
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_power),        cmocka_unit_test(test_solve),
                                     cmocka_unit_test(test_solve_driven), cmocka_unit_test(test_constrained),
                                     cmocka_unit_test(test_tangent),      cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
