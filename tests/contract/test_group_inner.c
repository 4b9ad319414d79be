/* SPDX-License-Identifier: MIT */
/* Groups of rods with inner points on hubs: linear systems against dense ones, energies, counts. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/group.h"
#include "support/group_checks.h"

/* A place at a share of a rod. */
static wy_port on(const test_network *net, int rod, double share) {
  return wy_port_on_rod(rod, share * net->rods[rod].length);
}

/* The rod of all effects; curved, of segments of unequal length, or straight. */
static int add_rich_rod(test_network *net, int segments, bool curved, const double from[3], const double to[3]) {
  static const double uneven[9] = {0.2, 0.25, 0.2, 0.3, 0.15, 0.2, 0.25, 0.3, 0.15};
  wy_rod_def rod = rich_rod(segments);
  rod.segment_lengths = curved ? uneven : NULL;
  for (int k = 0; !curved && k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  const int index = add_rod(net, &rod, from, to);
  if (curved)
    net->rods[index].length = 2;
  return index;
}

/* A place of a rod in space. */
static void place_on(const test_network *net, int rod, double share, double place[3]) {
  test_network copy = *net;
  wy_model *model = NULL;
  copy.model.joint_count = copy.model.spring_count = copy.model.load_count = 0;
  assert_int_equal(wy_model_create(network_model(&copy), &model, NULL), 0);
  wy_model_reference(model, rod, share * net->rods[rod].length, place, NULL);
  wy_model_destroy(model);
}

/* On a hub, between, in the half cell beside a hub, along all pieces, at an end. */
static void add_loads(test_network *net, bool potential) {
  for (int i = 0; i < 5; i++) {
    wy_load_def *load = &net->loads[net->model.load_count++];
    *load = wy_default_load_def();
    load->rod = i / 4;
    load->place = i < 3 ? WY_AT_ARC : i == 3 ? WY_ALONG : WY_AT_END;
    load->from = (double[]){0.3, 0.47, 0.33, 0.1, 0}[i] * net->rods[0].length;
    load->to = 0.9 * net->rods[0].length;
    load->axes = i % 2 && !potential ? WY_BODY_AXES : WY_SPACE_AXES;
    for (int k = 0; k < 3; k++) {
      load->force[k] = wy_constant(0.2 * k - 0.1 * i + 0.1);
      load->moment[k] = wy_constant(i < 4 && !potential ? 0.05 * k * k - 0.03 * i + 0.02 : 0);
    }
  }
}

/* Rod 0, clamped at its start, has two rods welded to an inner point, and at another one a spring, which goes to an
   inner point of rod 3. That ends on a ball at an inner point of rod 1. The ground holds rod 2, which slides along y.
   With balls, rod 3 goes on beyond rod 1, both turn where they meet, and the ground holds the second point of rod 0 by
   a ball that slides. */
static void cut_network(test_network *net, bool curved, bool potential, bool balls) {
  double first[3], second[3], far[3];
  const double from[3] = {1.4, 0.5, 0.2};
  begin_network(net);
  net->model.gravity[0] = 0.4, net->model.gravity[2] = -1.1;
  add_rich_rod(net, 9, curved, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0.2});
  if (!potential)
    net->rods[0].ends[WY_START] = wy_end_clamped();
  place_on(net, 0, 0.3, first);
  add_rich_rod(net, 5, false, first, (const double[3]){0.2, 1.1, 0.3});
  place_on(net, 1, 0.6, second);
  add_rich_rod(net, 3, false, first, (const double[3]){0.5, -0.7, 0.6});
  for (int k = 0; k < 3; k++)
    far[k] = balls ? second[k] + 0.5 * (second[k] - from[k]) : second[k];
  add_rich_rod(net, balls ? 6 : 5, false, from, far);
  const int weld = add_joint(net, WY_WELD), ball = add_joint(net, WY_BALL), foot = add_joint(net, WY_BALL);
  add_port(net, weld, on(net, 0, 0.3)), add_end(net, weld, 1, WY_START), add_end(net, weld, 2, WY_START);
  add_port(net, ball, on(net, 1, 0.6)), add_port(net, ball, on(net, 3, balls ? 2.0 / 3 : 1));
  add_end(net, foot, 2, WY_END), add_ground(net, foot);
  net->joints[foot].position[1] = WY_FREE;
  if (balls) {
    const int slide = add_joint(net, WY_BALL);
    add_port(net, slide, on(net, 0, 0.65)), add_ground(net, slide);
    net->joints[slide].position[0] = net->joints[slide].position[2] = WY_FREE;
  }
  if (potential) { /* so that each freedom is one of the equilibrium */
    const int root = add_joint(net, WY_WELD);
    add_end(net, root, 0, WY_START), add_ground(net, root);
  }
  net->model.spring_count = 1;
  net->springs[0] = wy_default_spring_def();
  net->springs[0].ports[0] = on(net, 0, 0.65), net->springs[0].ports[1] = on(net, 3, balls ? 0 : 0.5);
  net->springs[0].stiffness = 1.7, net->springs[0].length = 0.9, net->springs[0].damping = 0.3;
  add_loads(net, potential);
}

static test_system cut_group(bool curved, bool potential, bool balls) {
  static test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  cut_network(&net, curved, potential, balls);
  return make_group(network_model(&net), &solver);
}

static void test_power(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    test_system made = cut_group(i % 2, false, i / 2);
    check_group_power(&made);
    free_system(&made);
  }
}

static void test_shifts(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    test_system made = cut_group(i % 2, false, i / 2);
    check_group_solve(&made, i % 2 ? 30 : 2.5, 0);
    check_group_solve(&made, 9, 14);
    free_system(&made);
  }
}

static void test_tangent(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    test_system made = cut_group(i % 2, false, i / 2);
    check_group_tangent(&made, i % 2 ? -0.8 : 0.3);
    free_system(&made);
  }
}

/* What else an inner point may be in: a hinge with a spring, a ball at a point of a body, a weld that is released. */
typedef enum other_joint { SPRUNG_HINGE, BALL_ON_BODY, RELEASED, OTHERS } other_joint;

static test_system other_group(other_joint kind) {
  static test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  cut_network(&net, true, false, true);
  wy_joint_def *meeting = &net.joints[1], *slide = &net.joints[3];
  if (kind == SPRUNG_HINGE) {
    meeting->kind = WY_HINGE;
    meeting->axis[0] = 0.3, meeting->axis[1] = 1, meeting->axis[2] = 0.2;
    meeting->has_spring = true;
    meeting->stiffness = 0.4, meeting->damping = 0.1, meeting->rest_angle = 0.2;
  } else if (kind == BALL_ON_BODY) {
    double place[3];
    place_on(&net, 0, 0.65, place);
    wy_body_def *body = &net.bodies[net.model.body_count++];
    *body = wy_default_body_def();
    body->name = "body";
    body->mass = 0.8;
    for (int k = 0; k < 3; k++)
      body->inertia[k] = 0.1 + 0.05 * k, body->origin[k] = place[k] + 0.1 * k - 0.2;
    slide->position[0] = slide->position[2] = WY_HELD;
    net.ports[3][1] = port_at(&net, 0, place);
  } else {
    meeting->kind = WY_WELD;
    meeting->release = 5;
  }
  return make_group(network_model(&net), &solver);
}

static void test_others(void **state) {
  (void)state;
  for (int kind = 0; kind < OTHERS; kind++) {
    test_system made = other_group((other_joint)kind);
    check_group_power(&made);
    check_group_solve(&made, 9, 14);
    check_group_tangent(&made, 0.3);
    free_system(&made);
  }
}

static void test_counts(void **state) {
  (void)state;
  for (int balls = 0; balls < 2; balls++) {
    test_system made = cut_group(true, true, balls);
    check_group_counts(&made, 9 + 5 + 3 + (balls ? 6 : 5), 0);
    free_system(&made);
  }
}

/* Memory, and with it what is computed, grows as the length of the rod, however many points are held. */
static size_t memory_of(int points) {
  static test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  begin_network(&net);
  add_rich_rod(&net, 4 * (points + 1), false, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0});
  for (int i = 1; i <= points; i++) {
    const int joint = add_joint(&net, WY_BALL);
    add_port(&net, joint, on(&net, 0, (double)i / (points + 1))), add_ground(&net, joint);
  }
  wy_load_def *load = &net.loads[net.model.load_count++];
  *load = wy_default_load_def();
  load->place = WY_ALONG, load->to = 1;
  test_system made = make_group(network_model(&net), &solver);
  const size_t bytes = made.memory.saved.capacity + made.memory.scratch.capacity;
  free_system(&made);
  return bytes;
}

static void test_memory(void **state) {
  (void)state;
  check_below((double)memory_of(20) / (double)memory_of(10), 2.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_power),   cmocka_unit_test(test_shifts),
                                     cmocka_unit_test(test_tangent), cmocka_unit_test(test_others),
                                     cmocka_unit_test(test_counts),  cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
