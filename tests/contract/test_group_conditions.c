/* SPDX-License-Identifier: MIT */
/* A group with joints between hubs, (N7): its linear systems against dense ones made of differences of f, with
   projection and with Baumgarte's method; power and energy; tangents and counts with multipliers; conditions that
   depend on each other. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/group.h"
#include "support/group_checks.h"

/* 0.4 t + 0.9 t^2 */
static void turning(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.4 * t + 0.9 * t * t, jet[1] = 0.4 + 1.8 * t, jet[2] = 1.8;
}

static int add_body(test_network *net, const char *name, double x, double y, double z) {
  const int index = net->model.body_count++;
  wy_body_def *body = &net->bodies[index];
  const double inertia[6] = {0.13, 0.21, 0.17, 0.02, 0.01, -0.03}, origin[3] = {x, y, z},
               frame[4] = {0.6, -0.3 * index, 0.4, 0.2 * index};
  *body = wy_default_body_def();
  body->name = name;
  body->mass = 0.5 + 0.2 * index;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
  wy_qnormalise(body->frame);
  return index;
}

static int join(test_network *net, wy_joint_kind kind, int a, int b, const double place[3]) {
  const int joint = add_joint(net, kind);
  const double axis[3] = {0.3, 0.8, -0.5};
  for (int k = 0; k < 3; k++)
    net->joints[joint].axis[k] = kind == WY_HINGE ? axis[k] / wy_norm3(axis) : 0;
  add_port(net, joint, port_at(net, a, place));
  add_port(net, joint, b >= 0 ? port_at(net, b, place) : wy_port_in_space(place[0], place[1], place[2]));
  return joint;
}

enum { CONDITIONS = 5 + 3 + 6 + 3 + 6 }; /* of the joints below, and of two that will be released */

/* The rich network with three more bodies, all kinds of joints between them, none at a centre of mass; a weld and a
   ball of rods that are to be released. */
static void linked_network(test_network *net, bool driven) {
  static const double elbow[3] = {1.3, 0.1, 0.4}, wrist[3] = {1.8, -0.2, 0.6}, finger[3] = {2.2, -0.1, 0.9};
  rich_network(net, 3);
  const int first = add_body(net, "first", 1.5, 0, 0.5), second = add_body(net, "second", 2, -0.3, 0.7),
            third = add_body(net, "third", 2.3, 0.1, 1);
  const int hinge = join(net, WY_HINGE, 0, first, elbow);
  join(net, WY_BALL, first, second, wrist);
  const int last = join(net, driven ? WY_HINGE : WY_WELD, second, third, finger);
  wy_joint_def *joint = &net->joints[hinge];
  joint->has_spring = true, joint->stiffness = 1.3, joint->damping = 0.4, joint->rest_angle = 0.2;
  if (driven) {
    net->joints[last].has_angle = true;
    net->joints[last].angle = (wy_signal){0, turning, NULL, WY_TIME};
  }
  net->joints[3].release = 4; /* a ball of rods */
  net->joints[4].release = 5; /* a weld of rods */
}

static wy_rod_kind kind = WY_COSSERAT; /* of all rods */

static test_system linked_group(bool driven, bool baumgarte) {
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  linked_network(&net, driven);
  for (int i = 0; i < net.model.rod_count; i++)
    net.rods[i].kind = kind;
  if (baumgarte) {
    solver.staggered.stabilisation = WY_BAUMGARTE;
    solver.staggered.baumgarte_omega = 3, solver.staggered.baumgarte_r = 2;
  }
  return make_group(network_model(&net), &solver);
}

static void test_shifts(void **state) {
  (void)state;
  for (int way = 0; way < 4; way++) {
    test_system made = linked_group(way % 2, way / 2);
    check_group_solve(&made, 30, 0);
    check_group_solve(&made, 2.5, 0);
    check_group_solve(&made, 9, 14);
    free_system(&made);
  }
}

/* Joints that are gone: as if there were none. */
static void test_released(void **state) {
  (void)state;
  test_system made = linked_group(true, false);
  check_close(made.system->type->next_break(made.system), 4, 0);
  made.system->type->enter(made.system, 4);
  check_close(made.system->type->next_break(made.system), 5, 0);
  check_group_solve(&made, 5, 0);
  made.system->type->enter(made.system, 5);
  check_close(made.system->type->next_break(made.system), HUGE_VAL, 0);
  check_group_solve(&made, 3, 4);
  check_group_power(&made);
  free_system(&made);
}

static void test_power(void **state) {
  (void)state;
  for (int driven = 0; driven < 2; driven++) {
    test_system made = linked_group(driven, false);
    check_group_power(&made);
    free_system(&made);
  }
}

static void test_tangent(void **state) {
  (void)state;
  for (int driven = 0; driven < 2; driven++) {
    test_system made = linked_group(driven, false);
    check_group_tangent(&made, -0.8);
    check_group_tangent(&made, 0.3);
    free_system(&made);
  }
}

static void test_counts(void **state) {
  (void)state;
  test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  linked_network(&net, false);
  net.model.load_count = 1;
  for (int k = 0; k < 3; k++)
    net.loads[0].moment[k] = wy_constant(0);
  test_system made = make_group(network_model(&net), &solver);
  check_group_counts(&made, 3 * 4, CONDITIONS);
  free_system(&made);
}

/* A body that hangs by a ball at an inner point of a rod, and one at the end of a rod by a ball with a spring, both
   away from their centres: rods have hubs of their own there. */
static test_system hung_group(bool potential) {
  test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  rich_network(&net, 5);
  const double share = 0.4, *at = net.rods[3].shape.origin, *along = net.rods[3].shape.direction;
  double inner[3], end[3], size = net.rods[3].length / wy_norm3(along);
  for (int k = 0; k < 3; k++)
    inner[k] = at[k] + share * size * along[k], end[k] = at[k] + size * along[k];
  const int bell = add_body(&net, "bell", inner[0] + 0.1, inner[1], inner[2] - 0.3),
            flag = add_body(&net, "flag", end[0] + 0.2, end[1] + 0.1, end[2]);
  const int hung = add_joint(&net, WY_BALL), sprung = add_joint(&net, WY_BALL);
  add_port(&net, hung, wy_port_on_rod(3, share * net.rods[3].length)), add_port(&net, hung, port_at(&net, bell, inner));
  add_port(&net, sprung, port_at(&net, flag, end)), add_port(&net, sprung, wy_port_on_rod(3, net.rods[3].length));
  net.joints[sprung].has_spring = true, net.joints[sprung].stiffness = 0.8, net.joints[sprung].damping = 0.1;
  net.model.load_count = potential ? 1 : 2; /* not that at the end of the rod, which has a joint now */
  for (int k = 0; potential && k < 3; k++)
    net.loads[0].moment[k] = wy_constant(0);
  return make_group(network_model(&net), &solver);
}

static void test_own_hubs(void **state) {
  (void)state;
  test_system made = hung_group(false);
  check_group_solve(&made, 12, 0);
  check_group_solve(&made, 3, 5);
  check_group_power(&made);
  check_group_tangent(&made, -0.7);
  free_system(&made);
  made = hung_group(true);
  check_group_counts(&made, 5 * 4, 3 + 3);
  free_system(&made);
}

/* Rods whose forces depend on the accelerations of hubs, as multipliers do. */
static void test_constrained(void **state) {
  (void)state;
  kind = WY_KIRCHHOFF;
  for (int way = 0; way < 4; way++) {
    test_system made = linked_group(way % 2, way / 2);
    check_group_solve_to(&made, 4, 0, 1e-8);
    check_group_solve_to(&made, 9, 14, 1e-8);
    free_system(&made);
  }
  for (int driven = 0; driven < 2; driven++) {
    test_system made = linked_group(driven, false);
    check_group_power(&made);
    check_group_tangent(&made, -0.8);
    free_system(&made);
  }
  kind = WY_COSSERAT;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shifts),     cmocka_unit_test(test_released),
                                     cmocka_unit_test(test_power),      cmocka_unit_test(test_tangent),
                                     cmocka_unit_test(test_counts),     cmocka_unit_test(test_own_hubs),
                                     cmocka_unit_test(test_constrained)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
