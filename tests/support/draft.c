/* SPDX-License-Identifier: MIT */
#include "support/draft.h"

#include <string.h>

#include "check.h"
#include "math/vec3.h"

void draft_rod(draft *it, const char *name, const double origin[3], const double direction[3]) {
  wy_rod_def *rod = &it->rods[it->model.rod_count++];
  *rod = rubber_rod(20);
  rod->name = name;
  rod->length = 1;
  rod->ends[0] = rod->ends[1] = wy_end_free();
  rod->shape = (wy_shape){.points = NULL};
  wy_copy3(origin, rod->shape.origin);
  wy_copy3(direction, rod->shape.direction);
}

wy_body_def *draft_body(draft *it, const char *name, const double origin[3]) {
  wy_body_def *body = &it->bodies[it->model.body_count++];
  *body = wy_default_body_def();
  body->name = name;
  body->mass = 2;
  body->inertia[0] = 0.01, body->inertia[1] = body->inertia[2] = 0.02;
  wy_copy3(origin, body->origin);
  return body;
}

wy_joint_def *draft_joint(draft *it, const char *name, wy_joint_kind kind) {
  const int index = it->model.joint_count++;
  wy_joint_def *joint = &it->joints[index];
  *joint = wy_default_joint_def();
  joint->name = name;
  joint->kind = kind;
  joint->ports = it->ports[index];
  return joint;
}

void draft_port(draft *it, wy_joint_def *joint, wy_port port) {
  it->ports[joint - it->joints][joint->port_count++] = port;
}

wy_spring_def *draft_spring(draft *it, const char *name, wy_port one, wy_port other) {
  wy_spring_def *spring = &it->springs[it->model.spring_count++];
  *spring = wy_default_spring_def();
  spring->name = name;
  spring->stiffness = 100;
  spring->ports[0] = one, spring->ports[1] = other;
  return spring;
}

void empty_draft(draft *it) {
  memset(it, 0, sizeof *it);
  it->load = wy_default_load_def();
  it->model = wy_default_model_def();
  it->model.rods = it->rods;
  it->model.bodies = it->bodies, it->model.joints = it->joints, it->model.springs = it->springs;
  it->model.loads = &it->load;
}

void draft_example(draft *it) {
  empty_draft(it);
  draft_rod(it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
  draft_rod(it, "post", POINT(1, 0, -1), POINT(0, 0, 1));
  draft_body(it, "hub", POINT(0, 0, 0.5));
  wy_joint_def *corner = draft_joint(it, "corner", WY_WELD), *foot = draft_joint(it, "foot", WY_BALL);
  draft_port(it, corner, wy_port_on_rod(0, 1)), draft_port(it, corner, wy_port_on_rod(1, 1));
  draft_port(it, foot, wy_port_on_rod(0, 0)), draft_port(it, foot, wy_port_on_body(0, 0, 0, -0.5));
  draft_spring(it, "tie", wy_port_on_body(0, 0.1, 0, 0), wy_port_on_rod(1, 0))->length = 0.3;
  it->load.place = WY_AT_BODY;
  it->model.load_count = 1;
}

wy_model *make_draft(const draft *it) {
  wy_model *model = NULL;
  wy_message message = {.text = ""};
  must(wy_model_create(&it->model, &model, &message), &message);
  return model;
}
