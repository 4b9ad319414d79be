/* SPDX-License-Identifier: MIT */
/* Groups of a network: parts that joints, springs or obstacles connect, and lists of what each has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "model/network_inside.h"

/* Parts are numbered: rods, then bodies. `parent` leads to one part of the group. */
static int root(int *parent, int part) {
  while (parent[part] != part)
    part = parent[part] = parent[parent[part]];
  return part;
}

static void unite(const wy_model *model, int *parent, const wy_port *ports, int count) {
  int first = -1;
  for (int i = 0; i < count; i++) {
    if (ports[i].kind == WY_PORT_GROUND)
      continue;
    const int part = root(parent, ports[i].index + (ports[i].kind == WY_PORT_BODY ? model->rod_count : 0));
    first = first < 0 ? part : root(parent, first);
    parent[part] = first;
  }
}

/* An obstacle on a body that is not driven connects the body with every rod that may touch it. */
static void unite_touching(const wy_network_maker *in, int *parent) {
  const wy_model *model = in->model;
  for (int i = 0; i < model->obstacle_count; i++) {
    const int body = model->obstacles[i].body;
    for (int rod = 0; body >= 0 && !in->hubs[body].known && rod < model->rod_count; rod++)
      if (!model->rods[rod].contact.none)
        unite(model, parent, (const wy_port[2]){{.kind = WY_PORT_ROD, .index = rod}, {WY_PORT_BODY, .index = body}}, 2);
  }
}

/* The groups of all parts in the order of their first ones: `group` of each part. Returns their number. */
static int number_groups(const wy_network_maker *in, int *parent, int *group) {
  const wy_model *model = in->model;
  const int parts = model->rod_count + model->body_count;
  int count = 0;
  for (int i = 0; i < parts; i++)
    parent[i] = i, group[i] = -1;
  for (int i = 0; i < model->joint_count; i++)
    unite(model, parent, model->joints[i].ports, model->joints[i].port_count);
  for (int i = 0; i < model->spring_count; i++)
    unite(model, parent, model->springs[i].ports, 2);
  unite_touching(in, parent);
  for (int i = 0; i < parts; i++) {
    const int of = root(parent, i);
    if (group[of] < 0)
      group[of] = count++;
    group[i] = group[of];
  }
  return count;
}

static int group_of_port(const wy_model *model, const int *group, const wy_port *port) {
  return group[port->index + (port->kind == WY_PORT_BODY ? model->rod_count : 0)];
}

static int group_of_joint(const wy_model *model, const int *group, int joint) {
  const wy_port *ports = model->joints[joint].ports;
  return group_of_port(model, group, &ports[ports[0].kind == WY_PORT_GROUND]);
}

static int group_of_spring(const wy_model *model, const int *group, int spring) {
  const wy_port *ports = model->springs[spring].ports;
  return group_of_port(model, group, &ports[ports[0].kind == WY_PORT_GROUND]);
}

/* Appends a number to a list that lies in the pool. */
static void append(int *pool, const int *list, int *count, int number) {
  pool[list - pool + (*count)++] = number;
}

static int group_of_condition(const wy_network_maker *in, const int *group, int condition) {
  const wy_port *ports = in->model->joints[in->conditions[condition].joint].ports;
  return group_of_port(in->model, group, &ports[ports[0].kind == WY_PORT_GROUND]);
}

/* Lists of rods, hubs, springs and conditions behind each other in the pool, group by group. */
static void list_groups(const wy_network_maker *in, const int *group, wy_group_def *groups) {
  const wy_model *model = in->model;
  int *pool = in->net->lists;
  const int *next = pool;
  for (int i = 0; i < model->rod_count; i++)
    groups[group[i]].rod_count++;
  for (int i = 0; i < in->net->hub_count; i++)
    groups[in->hubs[i].group].hub_count++;
  for (int i = 0; i < model->spring_count; i++)
    groups[group_of_spring(model, group, i)].spring_count++;
  for (int i = 0; i < in->net->condition_count; i++)
    groups[group_of_condition(in, group, i)].condition_count++;
  for (int i = 0; i < in->net->group_count; i++) {
    wy_group_def *of = &groups[i];
    of->rods = next, of->hubs = of->rods + of->rod_count, of->springs = of->hubs + of->hub_count;
    of->conditions = of->springs + of->spring_count;
    next = of->conditions + of->condition_count;
    of->rod_count = of->hub_count = of->spring_count = of->condition_count = 0;
  }
  for (int i = 0; i < model->rod_count; i++)
    append(pool, groups[group[i]].rods, &groups[group[i]].rod_count, i);
  for (int i = 0; i < in->net->hub_count; i++) {
    wy_group_def *of = &groups[in->hubs[i].group];
    append(pool, of->hubs, &of->hub_count, i);
  }
  for (int i = 0; i < model->spring_count; i++) {
    wy_group_def *of = &groups[group_of_spring(model, group, i)];
    append(pool, of->springs, &of->spring_count, i);
  }
  for (int i = 0; i < in->net->condition_count; i++) {
    wy_group_def *of = &groups[group_of_condition(in, group, i)];
    append(pool, of->conditions, &of->condition_count, i);
  }
}

static bool moves(const wy_signal velocity[3]) {
  bool any = false;
  for (int k = 0; k < 3; k++)
    any = any || velocity[k].evaluate || velocity[k].value != 0;
  return any;
}

/* Groups whose parts are brought together begin at rest. */
static wy_status mark_assembly(wy_network_maker *in) {
  const wy_model *model = in->model;
  bool *assembles = calloc((size_t)in->net->group_count + 1, sizeof *assembles);
  in->net->assembles = assembles;
  if (!assembles)
    return WY_ERROR_MEMORY;
  for (int i = 0; i < in->net->end_count; i++) {
    const wy_hub_end *end = &in->ends[i];
    bool *of = &assembles[in->net->rod_groups[end->rod]];
    *of = *of || wy_norm3(end->gap) > 0 || wy_norm3(end->turn) > 0;
  }
  for (int i = 0; i < model->rod_count; i++) {
    const wy_initial *initial = &model->rods[i].initial;
    const bool spins = moves(initial->angular_velocity);
    char path[64];
    if (!assembles[in->net->rod_groups[i]] || !(spins || moves(initial->velocity)))
      continue;
    snprintf(path, sizeof path, "rods[%d].initial.%s", i, spins ? "angular_velocity" : "velocity");
    return wy_fail_at(
        in->message, path,
        "found an initial velocity of a rod that joints bring together; expected none: it begins at rest");
  }
  return WY_OK;
}

wy_status wy_network_add_groups(wy_network_maker *in, int *parent) {
  const wy_model *model = in->model;
  int *group = parent + model->rod_count + model->body_count;
  in->net->group_count = number_groups(in, parent, group);
  for (int i = 0; i < in->net->hub_count; i++) {
    wy_hub *hub = &in->hubs[i];
    hub->group = hub->body >= 0    ? group[model->rod_count + hub->body]
                 : hub->joint >= 0 ? group_of_joint(model, group, hub->joint)
                                   : group[in->ends[hub->first_end].rod];
  }
  const size_t entries = (size_t)model->rod_count + (size_t)in->net->hub_count + (size_t)model->spring_count +
                         (size_t)in->net->condition_count;
  wy_group_def *groups = calloc((size_t)in->net->group_count + 1, sizeof *groups);
  int *rod_groups = calloc((size_t)model->rod_count + 1, sizeof *rod_groups), *pool = calloc(entries + 1, sizeof *pool);
  in->net->groups = groups, in->net->rod_groups = rod_groups, in->net->lists = pool;
  if (!groups || !rod_groups || !pool)
    return WY_ERROR_MEMORY;
  memcpy(rod_groups, group, (size_t)model->rod_count * sizeof *group);
  list_groups(in, group, groups);
  return mark_assembly(in);
}
