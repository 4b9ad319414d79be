/* SPDX-License-Identifier: MIT */
/* A net of ropes with balls for knots, drawn flat: nothing but its weight holds it in shape, and every rope may spin.
 */
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "support/network.h"

enum { MESHES = 2, SEGMENTS = 3 };

static const double mesh = 0.1;

static void add_rope(test_network *net, const wy_rod_def *rope, int x0, int y0, int x1, int y1) {
  const double from[3] = {mesh * x0, mesh * y0, 0}, to[3] = {mesh * x1, mesh * y1, 0};
  add_rod(net, rope, from, to);
}

/* Held at its four corners, which are a tenth nearer to the middle than it is wide: the net has to give way first. */
static void hang_net(test_network *net) {
  wy_rod_def rope = wy_default_rod_def();
  rope.segments = SEGMENTS;
  rope.has_stiffness = rope.has_inertia = true;
  static const double stiffness[6] = {10, 10, 30, 1e-5, 1e-5, 8e-6}, inertia[4] = {8e-3, 5e-9, 5e-9, 1e-8};
  for (int i = 0; i < 6; i++)
    rope.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rope.inertia[i] = wy_constant(inertia[i]);
  begin_network(net);
  net->model.gravity[2] = -9.81;
  for (int i = 0; i <= MESHES; i++)
    for (int k = 0; k < MESHES; k++) {
      add_rope(net, &rope, k, i, k + 1, i);
      add_rope(net, &rope, i, k, i, k + 1);
    }
  join_all(net, WY_BALL);
  for (int i = 0; i < net->model.joint_count; i++) {
    double place[3];
    const wy_port *port = &net->ports[i][0];
    const wy_rod_def *rod = &net->rods[port->index];
    for (int k = 0; k < 3; k++)
      place[k] = rod->shape.origin[k] +
                 (port->s > 0 ? rod->length / wy_norm3(rod->shape.direction) * rod->shape.direction[k] : 0);
    const bool left = place[0]<0.5 * mesh, right = place[0]>(MESHES - 0.5) * mesh;
    const bool front = place[1]<0.5 * mesh, back = place[1]>(MESHES - 0.5) * mesh;
    if ((left || right) && (front || back)) {
      const double in = 0.1 * mesh;
      add_port(net, i, wy_port_in_space(place[0] + (left ? in : -in), place[1] + (front ? in : -in), 0));
      net->joints[i].assemble = true;
    }
  }
}

static void test_net(void **state) {
  (void)state;
  static test_network net;
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.statics = true;
  hang_net(&net);
  must(wy_model_create(network_model(&net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  const double weight = 9.81 * 8e-3 * mesh * net.model.rod_count;
  double carried = 0, lowest = 0;
  for (int i = 0; i < net.model.joint_count; i++) {
    double force[3], moment[3];
    const int last = net.joints[i].port_count - 1;
    if (net.ports[i][last].kind != WY_PORT_GROUND)
      continue;
    must(wy_sim_joint(made.sim, i, last, force, moment, &message), &message);
    carried -= force[2]; /* of the joint on the ground */
  }
  for (int i = 0; i < net.model.rod_count; i++) {
    const wy_view *view = wy_sim_view(made.sim, i);
    for (int k = 0; k < view->position.count; k++)
      lowest = fmin(lowest, view->position.values[3 * k + 2]);
  }
  check_close(carried, weight, 1e-8 * weight);
  check_below(lowest, -0.1 * mesh);
  check_below(-MESHES * mesh, lowest);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_net)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
