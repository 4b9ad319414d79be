/* SPDX-License-Identifier: MIT */
/* Mechanisms: motions of a group in which nothing is deformed. Each rod and body counts as rigid, with six freedoms,
   and joints, supports and springs are conditions on them in the undeformed model; what is left beyond their rank
   moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "judge/network.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/network.h"

/* Larger groups are not looked at: the elimination is dense. */
enum { MOST_PARTS = 60 };

/* Conditions of a group, eliminated as they come. Unknowns of a part: velocity at the origin of space, angular velocity
   times `length`. */
typedef struct linkage {
  const wy_model *model;
  bool (*springs_hold)(const wy_joint_def *joint); /* does the spring of a joint count as a condition? */
  const wy_group_def *group;
  double length;
  int unknowns, rank;
  double *rows; /* [unknowns][unknowns]: those that are independent, each with a leading 1 at `lead` */
  int *lead;
} linkage;

/* Number of a part in its group; -1: the ground. */
static int part_of(const linkage *self, const wy_port *port) {
  int bodies = 0;
  for (int i = 0; port->kind == WY_PORT_ROD && i < self->group->rod_count; i++)
    if (self->group->rods[i] == port->index)
      return i;
  for (int i = 0; port->kind == WY_PORT_BODY && i < self->group->hub_count; i++) {
    const int body = wy_model_network(self->model)->hubs[self->group->hubs[i]].body;
    if (body == port->index)
      return self->group->rod_count + bodies;
    bodies += body >= 0;
  }
  return -1;
}

static void place_of(const linkage *self, const wy_port *port, double place[3]) {
  if (port->kind == WY_PORT_ROD) {
    wy_model_reference(self->model, port->index, port->s, place, NULL);
  } else if (port->kind == WY_PORT_BODY) {
    const wy_body_def *body = wy_model_body(self->model, port->index);
    double r[9];
    wy_qmatrix(body->frame, r);
    wy_mul3(r, port->point, place);
    wy_add3(place, 1, body->origin);
  } else {
    wy_copy3(port->point, place);
  }
}

/* Takes the rows that are there away from a new one, and keeps what is left of it. */
static void add_row(linkage *self, double *row) {
  const int n = self->unknowns;
  for (int i = 0; i < self->rank; i++) {
    const double *other = self->rows + (size_t)i * (size_t)n, factor = row[self->lead[i]];
    for (int k = 0; factor != 0 && k < n; k++)
      row[k] -= factor * other[k];
  }
  int lead = 0;
  for (int k = 1; k < n; k++)
    lead = fabs(row[k]) > fabs(row[lead]) ? k : lead;
  if (self->rank == n || fabs(row[lead]) < 1e-9)
    return;
  double *kept = self->rows + (size_t)self->rank * (size_t)n;
  for (int k = 0; k < n; k++)
    kept[k] = row[k] / row[lead];
  self->lead[self->rank++] = lead;
}

/* The velocity of a part at a place along a direction, times `factor`. */
static void put_velocity(const linkage *self, int part, const double place[3], const double e[3], double factor,
                         double *row) {
  double arm[3];
  if (part < 0)
    return;
  wy_cross3(place, e, arm);
  wy_add3(row + 6 * part, factor, e);
  wy_add3(row + 6 * part + 3, factor / self->length, arm);
}

/* Its angular velocity. */
static void put_turn(int part, const double e[3], double factor, double *row) {
  if (part >= 0)
    wy_add3(row + 6 * part + 3, factor, e);
}

static bool has_stiffness(const wy_joint_def *joint) {
  return joint->has_spring && joint->stiffness > 0;
}

static bool never(const wy_joint_def *joint) {
  (void)joint;
  return false;
}

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void hold_velocity(linkage *self, int a, int b, const double place[3], const double e[3], double *row) {
  memset(row, 0, (size_t)self->unknowns * sizeof *row);
  put_velocity(self, a, place, e, 1, row);
  put_velocity(self, b, place, e, -1, row);
  add_row(self, row);
}

static void hold_turn(linkage *self, int a, int b, const double e[3], double *row) {
  memset(row, 0, (size_t)self->unknowns * sizeof *row);
  put_turn(a, e, 1, row);
  put_turn(b, e, -1, row);
  add_row(self, row);
}

/* What a joint holds between two of its parts. */
static void join_parts(linkage *self, const wy_joint_def *joint, int a, int b, double *row) {
  double place[3], hinge[3] = {0, 0, 0};
  const int first = part_of(self, &joint->ports[a]), second = part_of(self, &joint->ports[b]);
  place_of(self, &joint->ports[joint->ports[0].kind == WY_PORT_GROUND], place);
  if (joint->kind == WY_HINGE)
    wy_add3(hinge, 1 / wy_norm3(joint->axis), joint->axis);
  for (int k = 0; k < 3; k++) {
    double across[3] = {axes[k][0], axes[k][1], axes[k][2]};
    if (joint->position[k] != WY_FREE)
      hold_velocity(self, first, second, place, axes[k], row);
    if (joint->kind == WY_HINGE && !joint->has_angle && !self->springs_hold(joint))
      wy_add3(across, -wy_dot3(hinge, axes[k]), hinge);
    if (joint->kind != WY_BALL || self->springs_hold(joint))
      hold_turn(self, first, second, across, row);
  }
}

static void add_joint(linkage *self, const wy_joint_def *joint, double *row) {
  for (int i = 1; i < joint->port_count; i++)
    join_parts(self, joint, 0, i, row);
}

static void add_spring(linkage *self, const wy_spring_def *spring, double *row) {
  double place[2][3], along[3];
  place_of(self, &spring->ports[0], place[0]), place_of(self, &spring->ports[1], place[1]);
  wy_copy3(place[1], along);
  wy_add3(along, -1, place[0]);
  const double length = wy_norm3(along);
  memset(row, 0, (size_t)self->unknowns * sizeof *row);
  for (int k = 0; k < 3; k++) {
    const double e[3] = {length > 0 ? along[0] / length : axes[k][0], length > 0 ? along[1] / length : axes[k][1],
                         length > 0 ? along[2] / length : axes[k][2]};
    for (int end = 0; end < 2; end++)
      put_velocity(self, part_of(self, &spring->ports[end]), place[end], e, end ? -1 : 1, row);
    add_row(self, row);
    if (length > 0) /* without a length it holds every direction */
      return;
    memset(row, 0, (size_t)self->unknowns * sizeof *row);
  }
}

static void add_supports(linkage *self, const wy_hold position[3], wy_hold rotation, int part, const double place[3],
                         double *row) {
  for (int k = 0; k < 3; k++) {
    if (position[k] != WY_FREE)
      hold_velocity(self, part, -1, place, axes[k], row);
    if (rotation != WY_FREE)
      hold_turn(self, part, -1, axes[k], row);
  }
}

static bool is_of_group(const linkage *self, const wy_port *ports, int count) {
  for (int i = 0; i < count; i++)
    if (ports[i].kind != WY_PORT_GROUND)
      return part_of(self, &ports[i]) >= 0;
  return false;
}

/* A straight rod on balls, or without anything at an end, turns about its axis by itself: that is no news. */
static bool spins(const wy_model *model, int index) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  double from[3], to[3];
  wy_model_reference(model, index, 0, from, NULL), wy_model_reference(model, index, rod->length, to, NULL);
  wy_add3(to, -1, from);
  bool free = wy_norm3(to) >= (1 - 1e-9) * rod->length && rod->ends[WY_START].rotation == WY_FREE &&
              rod->ends[WY_END].rotation == WY_FREE;
  for (int i = 0; free && i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    for (int k = 0; k < joint->port_count; k++)
      if (joint->ports[k].kind == WY_PORT_ROD && joint->ports[k].index == index)
        free = free && joint->kind == WY_BALL && !(joint->has_spring && joint->stiffness > 0);
  }
  return free;
}

static void add_parts(linkage *self, double *row) {
  const wy_model *model = self->model;
  for (int i = 0; i < self->group->rod_count; i++) {
    const wy_rod_def *rod = wy_model_rod(model, self->group->rods[i]);
    for (int end = 0; end < 2; end++) {
      double place[3];
      wy_model_reference(model, self->group->rods[i], end ? rod->length : 0, place, NULL);
      add_supports(self, rod->ends[end].position, rod->ends[end].rotation, i, place, row);
    }
  }
  for (int i = 0, part = self->group->rod_count; i < self->group->hub_count; i++) {
    const int index = wy_model_network(model)->hubs[self->group->hubs[i]].body;
    if (index < 0)
      continue;
    const wy_body_def *body = wy_model_body(model, index);
    add_supports(self, body->position, body->rotation, part++, body->origin, row);
  }
}

static int freedoms_left(linkage *self, double *row) {
  const wy_model *model = self->model;
  add_parts(self, row);
  for (int i = 0; i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    if (is_of_group(self, joint->ports, joint->port_count))
      add_joint(self, joint, row);
  }
  for (int i = 0; i < self->group->spring_count; i++)
    add_spring(self, wy_model_spring(model, self->group->springs[i]), row);
  int count = self->unknowns - self->rank;
  for (int i = 0; i < self->group->rod_count; i++)
    count -= spins(model, self->group->rods[i]);
  return count;
}

static int part_count(const wy_model *model, const wy_group_def *group) {
  int parts = group->rod_count;
  for (int i = 0; i < group->hub_count; i++)
    parts += wy_model_network(model)->hubs[group->hubs[i]].body >= 0;
  return parts;
}

/* Without conditions so far; false without memory. */
static bool begin(linkage *self, const wy_model *model, const wy_group_def *group) {
  *self = (linkage){.model = model, .group = group, .unknowns = 6 * part_count(model, group)};
  for (int i = 0; i < group->rod_count; i++)
    self->length = fmax(self->length, wy_model_rod(model, group->rods[i])->length);
  self->length = self->length > 0 ? self->length : 1;
  const size_t n = (size_t)self->unknowns;
  self->rows = malloc((n + 1) * n * sizeof *self->rows); /* with the one that is added */
  self->lead = malloc(n * sizeof *self->lead);
  return self->rows && self->lead;
}

static wy_status end(linkage *self, bool there, wy_message *message) {
  free(self->rows), free(self->lead);
  return there ? WY_OK
               : wy_fail(message, WY_ERROR_MEMORY, "out of memory for the conditions of %d parts", self->unknowns / 6);
}

wy_status wy_mechanisms_of(const wy_model *model, int index, int *count, wy_message *message) {
  const wy_group_def *group = &wy_model_network(model)->groups[index];
  linkage self;
  *count = 0;
  if (part_count(model, group) > MOST_PARTS)
    return WY_OK;
  const bool there = begin(&self, model, group);
  self.springs_hold = has_stiffness;
  if (there)
    *count = freedoms_left(&self, self.rows + (size_t)self.unknowns * (size_t)self.unknowns);
  return end(&self, there, message);
}

int wy_condition_count(const wy_joint_def *joint) {
  int count = joint->kind == WY_WELD || joint->has_angle ? 3 : joint->kind == WY_HINGE ? 2 : 0;
  for (int k = 0; k < 3; k++)
    count += joint->position[k] != WY_FREE;
  return count;
}

/* Ends of rods give way, so that conditions on their hubs depend on none. */
wy_status wy_dependent_conditions(const wy_model *model, int index, int *all, int *dependent, wy_message *message) {
  const wy_network *network = wy_model_network(model);
  const wy_group_def *group = &network->groups[index];
  linkage self;
  *all = *dependent = 0;
  if (group->condition_count == 0 || part_count(model, group) > MOST_PARTS)
    return WY_OK;
  const bool there = begin(&self, model, group);
  double *row = there ? self.rows + (size_t)self.unknowns * (size_t)self.unknowns : NULL;
  self.springs_hold = never;
  if (there)
    add_parts(&self, row);
  for (int i = 0; there && i < group->condition_count; i++) {
    const wy_condition_def *condition = &network->conditions[group->conditions[i]];
    const wy_joint_def *joint = wy_model_joint(model, condition->joint);
    const int before = self.rank, *part = condition->part;
    if (joint->ports[part[0]].kind == WY_PORT_ROD || joint->ports[part[1]].kind == WY_PORT_ROD)
      continue;
    join_parts(&self, joint, part[0], part[1], row);
    *all += wy_condition_count(joint);
    *dependent += wy_condition_count(joint) - (self.rank - before);
  }
  return end(&self, there, message);
}
