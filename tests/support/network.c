/* SPDX-License-Identifier: MIT */
#include "support/network.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/group.h"

void begin_network(test_network *net) {
  memset(net, 0, sizeof *net);
  net->model = wy_default_model_def();
}

const wy_model_def *network_model(test_network *net) {
  net->model.rods = net->rods;
  net->model.bodies = net->bodies;
  net->model.joints = net->joints;
  net->model.springs = net->springs;
  net->model.loads = net->loads;
  for (int i = 0; i < net->model.joint_count; i++)
    net->joints[i].ports = net->ports[i];
  return &net->model;
}

int add_rod(test_network *net, const wy_rod_def *like, const double from[3], const double to[3]) {
  const int index = net->model.rod_count++;
  wy_rod_def *rod = &net->rods[index];
  assert_true(index < NETWORK_RODS);
  *rod = *like;
  snprintf(net->names[index], sizeof net->names[index], "r%d", index);
  rod->name = net->names[index];
  for (int k = 0; k < 3; k++)
    rod->shape.origin[k] = from[k], rod->shape.direction[k] = to[k] - from[k];
  rod->length = wy_norm3(rod->shape.direction);
  return index;
}

int add_joint(test_network *net, wy_joint_kind kind) {
  const int index = net->model.joint_count++;
  assert_true(index < NETWORK_JOINTS);
  net->joints[index] = wy_default_joint_def();
  net->joints[index].kind = kind;
  return index;
}

void add_port(test_network *net, int joint, wy_port port) {
  wy_joint_def *def = &net->joints[joint];
  assert_true(def->port_count < NETWORK_PORTS);
  net->ports[joint][def->port_count++] = port;
}

void add_end(test_network *net, int joint, int rod, wy_end_name end) {
  add_port(net, joint, wy_port_on_rod(rod, end == WY_START ? 0 : net->rods[rod].length));
}

void add_ground(test_network *net, int joint) {
  add_port(net, joint, wy_port_on_ground());
}

wy_port port_at(const test_network *net, int body, const double place[3]) {
  const wy_body_def *def = &net->bodies[body];
  double r[9], frame[4], c[3], from[3];
  memcpy(frame, def->frame, sizeof frame);
  wy_qnormalise(frame);
  wy_qmatrix(frame, r);
  for (int k = 0; k < 3; k++)
    from[k] = place[k] - def->origin[k];
  wy_tmul3(r, from, c);
  return wy_port_on_body(body, c[0], c[1], c[2]);
}

static void end_place(const wy_rod_def *rod, int end, double place[3]) {
  for (int k = 0; k < 3; k++)
    place[k] = rod->shape.origin[k] + (end ? rod->shape.direction[k] : 0);
}

static bool meet(const test_network *net, int a, int b) {
  double one[3], other[3], sum = 0;
  end_place(&net->rods[a / 2], a % 2, one);
  end_place(&net->rods[b / 2], b % 2, other);
  for (int k = 0; k < 3; k++)
    sum += fabs(one[k] - other[k]);
  return sum < 1e-9;
}

/* In a joint, or supported. */
static bool is_joined(const test_network *net, int end) {
  if (net->rods[end / 2].ends[end % 2].position[0] != WY_FREE)
    return true;
  for (int i = 0; i < net->model.joint_count; i++)
    for (int k = 0; k < net->joints[i].port_count; k++) {
      const wy_port *port = &net->ports[i][k];
      if (port->kind == WY_PORT_ROD && port->index == end / 2 && (port->s > 0) == (end % 2 == 1))
        return true;
    }
  return false;
}

void join_all(test_network *net, wy_joint_kind kind) {
  const int ends = 2 * net->model.rod_count;
  for (int a = 0; a < ends; a++) {
    int joint = -1;
    for (int b = a + 1; b < ends && !is_joined(net, a); b++) {
      if (!meet(net, a, b) || is_joined(net, b))
        continue;
      if (joint < 0)
        joint = add_joint(net, kind);
      add_end(net, joint, b / 2, b % 2 ? WY_END : WY_START);
    }
    if (joint >= 0)
      add_end(net, joint, a / 2, a % 2 ? WY_END : WY_START);
  }
}

static test_system make_with(const wy_model_def *def, const wy_solver_def *solver, bool equilibria) {
  const wy_factor_needs needs = {.real = 1, .complex = 1, .equilibria = equilibria};
  test_system made = {0};
  wy_message message = {0};
  if (wy_model_create(def, &made.model, &message))
    fail_msg("model: %s: %s", message.path, message.text);
  if (wy_group_create(made.model, 0, solver, needs, &made.memory, &made.system, &message))
    fail_msg("group: %s: %s", message.path, message.text);
  assert_int_equal(wy_arena_allocate(&made.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&made.memory.scratch), 0);
  if (wy_group_create(made.model, 0, solver, needs, &made.memory, &made.system, &message))
    fail_msg("group: %s: %s", message.path, message.text);
  assert_int_equal(made.system->size, wy_group_size(made.model, 0, solver));
  return made;
}

test_system make_group(const wy_model_def *def, const wy_solver_def *solver) {
  return make_with(def, solver, true);
}

test_system make_moving_group(const wy_model_def *def, const wy_solver_def *solver) {
  return make_with(def, solver, false);
}

static wy_rod_def plain_rod(int segments) {
  wy_rod_def rod = rich_rod(segments);
  for (int k = 0; k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  rod.segment_lengths = NULL;
  return rod;
}

void rich_network(test_network *net, int segments) {
  static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0.2}, c[3] = {1.2, 0.5, 0.1}, d[3] = {1.5, 1.2, 0.4},
                      e[3] = {2.1, 1.3, -0.2}, f[3] = {2.3, 0.6, 0.5};
  const wy_rod_def rod = plain_rod(segments);
  begin_network(net);
  net->model.gravity[0] = 0.4, net->model.gravity[2] = -1.1;
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "body";
  body->mass = 0.8;
  const double inertia[6] = {0.11, 0.15, 0.2, 0.02, -0.01, 0.03}, origin[3] = {1.15, 0.2, 0.15},
               frame[4] = {0.8, 0.3, -0.4, 0.2};
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, c, d);
  add_rod(net, &rod, e, d);
  add_rod(net, &rod, e, f);
  const int foot = add_joint(net, WY_WELD), on_body = add_joint(net, WY_WELD), hung = add_joint(net, WY_BALL),
            ball = add_joint(net, WY_BALL), corner = add_joint(net, WY_WELD);
  add_end(net, foot, 0, WY_START), add_ground(net, foot);
  add_end(net, on_body, 0, WY_END), add_port(net, on_body, port_at(net, 0, b));
  add_port(net, hung, port_at(net, 0, c)), add_end(net, hung, 1, WY_START);
  add_end(net, ball, 1, WY_END), add_end(net, ball, 2, WY_END);
  add_end(net, corner, 2, WY_START), add_end(net, corner, 3, WY_START);
  net->model.spring_count = 2;
  net->springs[0] = net->springs[1] = wy_default_spring_def();
  net->springs[0].ports[0] = wy_port_on_body(0, 0.1, -0.2, 0.3);
  net->springs[0].ports[1] = wy_port_on_rod(3, net->rods[3].length);
  net->springs[0].stiffness = 1.7, net->springs[0].length = 0.9, net->springs[0].damping = 0.3;
  net->springs[1].ports[0] = wy_port_in_space(1, 1, 1.5);
  net->springs[1].ports[1] = wy_port_on_body(0, 0.2, 0.1, 0.1);
  net->springs[1].stiffness = 0.6, net->springs[1].length = 0.4, net->springs[1].damping = 0.2;
  for (int i = 0; i < 4; i++) {
    wy_load_def *load = &net->loads[net->model.load_count++];
    *load = wy_default_load_def();
    load->axes = i % 2 ? WY_BODY_AXES : WY_SPACE_AXES;
    load->place = i < 2 ? WY_AT_BODY : WY_AT_END;
    load->rod = i < 2 ? -1 : i; /* rods 2 and 3: at a ball, and at the end of a spring */
    load->body = i < 2 ? 0 : -1;
    for (int k = 0; k < 3; k++) {
      load->force[k] = wy_constant(0.3 * k - 0.2 * i + 0.1);
      load->moment[k] = wy_constant(i < 2 ? 0.1 * k * k - 0.05 * i : 0);
      load->point[k] = i < 2 ? 0.1 * k - 0.05 : 0;
    }
  }
}
