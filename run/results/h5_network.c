/* SPDX-License-Identifier: MIT */
/* What result.h5 has of bodies, joints, springs and obstacles at each snapshot. The HDF5 library is not called here. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "run/results/h5_layout.h"

/* A joint as files show it: where its first part is, what it exerts on that part; of a hinge the axis, and the angle of
   its second part. */
typedef struct joint_state {
  double position[3], force[3], moment[3], axis[3], angle;
} joint_state;

typedef struct spring_state {
  double ends[2][3], force, length;
} spring_state;

/* A dataset of each part of a kind. */
typedef struct part_field {
  const char *name;
  int rank, count, components;
  size_t member;
} part_field;

enum { MOST_FIELDS = 5 };
static const part_field body_fields[] = {{"position", 1, 1, 3, offsetof(wy_body_state, position)},
                                         {"frame", 1, 1, 4, offsetof(wy_body_state, frame)},
                                         {"velocity", 1, 1, 3, offsetof(wy_body_state, velocity)},
                                         {"angular_velocity", 1, 1, 3, offsetof(wy_body_state, angular_velocity)},
                                         {0}};
static const part_field joint_fields[] = {
    {"position", 1, 1, 3, offsetof(joint_state, position)}, {"force", 1, 1, 3, offsetof(joint_state, force)},
    {"moment", 1, 1, 3, offsetof(joint_state, moment)},     {"axis", 1, 1, 3, offsetof(joint_state, axis)},
    {"angle", 0, 1, 1, offsetof(joint_state, angle)},       {0}};
static const part_field spring_fields[] = {{"ends", 2, 2, 3, offsetof(spring_state, ends)},
                                           {"force", 0, 1, 1, offsetof(spring_state, force)},
                                           {"length", 0, 1, 1, offsetof(spring_state, length)},
                                           {0}};
static const part_field obstacle_fields[] = {{"position", 1, 1, 3, offsetof(wy_obstacle_state, position)},
                                             {"frame", 1, 1, 4, offsetof(wy_obstacle_state, frame)},
                                             {"force", 1, 1, 3, offsetof(wy_obstacle_state, force)},
                                             {0}};
static const part_field *const fields_of[] = {[WY_H5_BODY] = body_fields,
                                              [WY_H5_JOINT] = joint_fields,
                                              [WY_H5_SPRING] = spring_fields,
                                              [WY_H5_OBSTACLE] = obstacle_fields};

static int count_of(const wy_model *model, wy_h5_part part) {
  return part == WY_H5_BODY     ? wy_model_body_count(model)
         : part == WY_H5_JOINT  ? wy_model_joint_count(model)
         : part == WY_H5_SPRING ? wy_model_spring_count(model)
                                : wy_model_obstacle_count(model);
}

static const char *name_of(const wy_model *model, wy_h5_part part, int index) {
  return part == WY_H5_BODY     ? wy_model_body(model, index)->name
         : part == WY_H5_JOINT  ? wy_model_joint(model, index)->name
         : part == WY_H5_SPRING ? wy_model_spring(model, index)->name
                                : wy_model_obstacle(model, index)->name;
}

/* Brackets are no part of a name, so that a number is none either. */
const char *wy_h5_part_folder(wy_pool *pool, const wy_model *model, wy_h5_part part, int index) {
  static const char *const folders[] = {[WY_H5_BODY] = "/bodies",
                                        [WY_H5_JOINT] = "/joints",
                                        [WY_H5_SPRING] = "/springs",
                                        [WY_H5_OBSTACLE] = "/obstacles"};
  char number[16];
  const char *name = name_of(model, part, index);
  snprintf(number, sizeof number, "[%d]", index);
  return wy_h5_join(pool, folders[part], name ? name : number, "");
}

/* ---- Plan ---- */

/* Only hinges have what belongs to an axis. */
static bool has_field(const wy_model *model, wy_h5_part part, int index, const part_field *field) {
  const bool of_axis = part == WY_H5_JOINT && field->member >= offsetof(joint_state, axis);
  return !of_axis || wy_model_joint(model, index)->kind == WY_HINGE;
}

int wy_h5_network_fields(const wy_model *model) {
  return MOST_FIELDS * (wy_model_body_count(model) + wy_model_joint_count(model) + wy_model_spring_count(model) +
                        wy_model_obstacle_count(model));
}

void wy_h5_plan_network(wy_h5_layout *layout, const wy_model *model, wy_pool *pool) {
  for (wy_h5_part part = WY_H5_BODY; part <= WY_H5_OBSTACLE; ++part)
    for (int i = 0; i < count_of(model, part); ++i) {
      const char *folder = wy_h5_part_folder(pool, model, part, i);
      for (const part_field *field = fields_of[part]; field->name; ++field)
        if (has_field(model, part, i, field)) {
          wy_h5_field *planned = wy_h5_add_field(layout, wy_h5_join(pool, folder, field->name, ""), field->name,
                                                 field->rank, field->count, field->components);
          planned->part = part;
          planned->index = i;
          planned->member = field->member;
        }
    }
}

/* ---- Numbers ---- */

/* It is given in the undeformed model and turns with the first part. */
static void turn_axis(const wy_model *model, const wy_joint_def *joint, const double frame[4], double axis[3]) {
  const wy_port *first = &joint->ports[0];
  double place[3], drawn[4] = {1, 0, 0, 0}, own[3]; /* own: in the axes of that part */
  if (first->kind == WY_PORT_ROD)
    wy_model_reference(model, first->index, first->s, place, drawn);
  else if (first->kind == WY_PORT_BODY)
    memcpy(drawn, wy_model_body(model, first->index)->frame, sizeof drawn);
  const double back[4] = {drawn[0], -drawn[1], -drawn[2], -drawn[3]};
  wy_rotate(back, joint->axis, own);
  wy_rotate(frame, own, axis);
}

static void read_joint(wy_sim *sim, const wy_model *model, int index, joint_state *out) {
  const wy_joint_def *joint = wy_model_joint(model, index);
  double frame[4] = {1, 0, 0, 0}, rate;
  wy_sim_port(sim, &joint->ports[0], out->position, frame, NULL);
  wy_sim_joint(sim, index, 0, out->force, out->moment, NULL);
  if (joint->kind != WY_HINGE)
    return;
  turn_axis(model, joint, frame, out->axis);
  wy_sim_joint_angle(sim, index, 1, &out->angle, &rate, NULL);
}

static void read_spring(wy_sim *sim, const wy_model *model, int index, spring_state *out) {
  double frame[4];
  for (int end = 0; end < 2; ++end)
    wy_sim_port(sim, &wy_model_spring(model, index)->ports[end], out->ends[end], frame, NULL);
  wy_sim_spring(sim, index, &out->force, &out->length, NULL);
}

const wy_h5_field *wy_h5_take_part(const wy_h5_field *field, wy_sim *sim, const wy_model *model, double *snapshot) {
  union {
    wy_body_state body;
    joint_state joint;
    spring_state spring;
    wy_obstacle_state obstacle;
  } state = {{{0}, {0}, {0}, {0}, {0}, {0}}};
  if (field->part == WY_H5_BODY)
    wy_sim_body(sim, field->index, &state.body, NULL);
  else if (field->part == WY_H5_JOINT)
    read_joint(sim, model, field->index, &state.joint);
  else if (field->part == WY_H5_SPRING)
    read_spring(sim, model, field->index, &state.spring);
  else
    wy_sim_obstacle(sim, field->index, WY_ALL_RODS, &state.obstacle, NULL);
  const wy_h5_field *next = field;
  for (; next->part == field->part && next->index == field->index; ++next)
    memcpy(snapshot + next->start, (const char *)&state + next->member, next->values * sizeof(double));
  return next;
}
