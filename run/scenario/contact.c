/* SPDX-License-Identifier: MIT */
/* The keys `obstacles` and `contact`, and `contact` of a rod. Which values are possible is the library's business. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/tree/suggest.h"

/* ---- Rods ---- */

/* Of a constant number; the library looks at what varies. */
static void read_radius(wy_reader *r, const wy_node *node, wy_rod_contact *out) {
  if (!node)
    return;
  out->radius = wy_read_signal(r, node);
  if (!r->failed && !out->radius.evaluate && !(out->radius.value > 0))
    wy_read_refuse(r, node);
}

void wy_read_skin(wy_reader *r, const wy_node *node, wy_rod_contact *out) {
  out->none = wy_read_which(node) != NULL;
  if (!node || out->none)
    return;
  if (node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  if (!wy_read_mapping(r, node))
    return;
  read_radius(r, wy_yaml_find(node, "radius"), out);
  out->stiffness = wy_read_optional(r, wy_yaml_find(node, "stiffness"), out->stiffness);
  out->blend = wy_read_optional(r, wy_yaml_find(node, "blend"), out->blend);
}

/* ---- Obstacles ---- */

static void read_name(wy_reader *r, const wy_node *obstacle, int count, wy_obstacle_def *out) {
  const wy_node *node = wy_yaml_find(obstacle, "name");
  if (node) {
    out->name = wy_read_name(r, node);
  } else if (count > 1) {
    char name[32];
    const int length = snprintf(name, sizeof name, "obstacle%d", obstacle->index + 1);
    out->name = wy_read_copy(r, name, (size_t)length);
  }
}

/* Each coordinate is a motion. */
static void read_position(wy_reader *r, const wy_node *node, wy_signal out[3]) {
  if (r->failed || !node)
    return;
  if (node->kind != WY_LIST || node->count != 3) {
    wy_read_refuse(r, node);
    return;
  }
  for (const wy_node *child = node->first; child && !r->failed; child = child->next)
    out[child->index] = wy_read_motion(r, child);
}

static void read_rotation(wy_reader *r, const wy_node *node, wy_obstacle_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  wy_read_direction(r, wy_read_need(r, node, "axis"), out->rotation_axis);
  out->angle = wy_read_motion(r, wy_read_need(r, node, "angle"));
}

/* The sizes that the shape has; the schema has refused others. */
static void read_sizes(wy_reader *r, const wy_node *node, wy_obstacle_def *out) {
  const wy_node *length = wy_yaml_find(node, "length");
  const bool is_box = out->shape == WY_OBSTACLE_BOX;
  if (out->shape == WY_OBSTACLE_DISTANCE)
    wy_read_grid(r, wy_read_need(r, node, "file"), &out->grid);
  else if (is_box)
    wy_read_vector(r, wy_read_need(r, node, "size"), out->dimensions);
  else if (out->shape != WY_OBSTACLE_PLANE)
    out->radius = wy_read_number(r, wy_read_need(r, node, "radius"));
  if (out->shape == WY_OBSTACLE_TORUS)
    out->thickness = wy_read_number(r, wy_read_need(r, node, "thickness"));
  if (out->shape == WY_OBSTACLE_CAPSULE)
    length = wy_read_need(r, node, "length");
  out->length = wy_read_optional(r, length, out->length);
}

static void read_obstacle(wy_reader *r, const wy_node *node, int count, wy_obstacle_def *out) {
  if (!wy_read_entry(r, node))
    return;
  const wy_node *body = wy_yaml_find(node, "body");
  read_name(r, node, count, out);
  out->shape = (wy_obstacle_shape)wy_read_choice(r, wy_read_need(r, node, "shape"), WY_OBSTACLE_PLANE);
  if (r->failed)
    return;
  read_position(r, wy_yaml_find(node, "position"), out->position);
  wy_read_direction(r, wy_yaml_find(node, out->shape == WY_OBSTACLE_PLANE ? "normal" : "axis"), out->axis);
  wy_read_direction(r, wy_yaml_find(node, "d1"), out->d1);
  read_sizes(r, node, out);
  read_rotation(r, wy_yaml_find(node, "rotation"), out);
  wy_read_vector(r, wy_yaml_find(node, "surface_velocity"), out->surface_velocity);
  if (body)
    out->body = wy_read_body_name(r, body);
  out->friction = wy_read_optional(r, wy_yaml_find(node, "friction"), out->friction);
  out->restitution = wy_read_optional(r, wy_yaml_find(node, "restitution"), out->restitution);
}

static void read_obstacles(wy_reader *r) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, "obstacles");
  wy_scenario *scenario = r->scenario;
  if (!list || !wy_read_list(r, list) || list->kind != WY_LIST)
    return;
  wy_obstacle_def *obstacles = wy_read_take(r, ((size_t)list->count + 1) * sizeof *obstacles);
  if (r->failed)
    return;
  scenario->model.obstacles = scenario->obstacles = obstacles;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    obstacles[node->index] = wy_default_obstacle_def();
    read_obstacle(r, node, list->count, &obstacles[node->index]);
    scenario->model.obstacle_count = node->index + 1;
  }
}

/* ---- The laws ---- */

static void read_friction(wy_reader *r, const wy_node *node, wy_contact_def *out) {
  if (!node)
    return;
  if (node->kind != WY_MAPPING) {
    out->friction = wy_read_number(r, node);
    return;
  }
  if (!wy_read_mapping(r, node))
    return;
  out->friction = wy_read_number(r, wy_read_need(r, node, "coefficient"));
  out->slip = wy_read_optional(r, wy_yaml_find(node, "slip"), out->slip);
  out->speed = wy_read_optional(r, wy_yaml_find(node, "speed"), out->speed);
  out->stick = wy_read_choice(r, wy_yaml_find(node, "stick"), out->stick);
}

static int find_obstacle(const wy_reader *r, const char *name) {
  for (int i = 0; i < r->scenario->model.obstacle_count; i++)
    if (strcmp(r->scenario->obstacles[i].name, name) == 0)
      return i;
  return -1;
}

/* Names of rods, then of obstacles. */
static int list_names(const wy_reader *r, const char *names[WY_SCHEMA_MOST]) {
  const wy_model_def *model = &r->scenario->model;
  int count = 0;
  for (int i = 0; i < model->rod_count && count < WY_SCHEMA_MOST / 2; i++)
    names[count++] = r->rods[i].name;
  for (int i = 0; i < model->obstacle_count && count < WY_SCHEMA_MOST; i++)
    names[count++] = r->scenario->obstacles[i].name;
  return count;
}

static void refuse_name(wy_reader *r, const wy_node *node) {
  const char *names[WY_SCHEMA_MOST], *close;
  char list[512];
  const int count = list_names(r, names);
  close = wy_suggest(node->text, names, count);
  wy_schema_join(names, count, list, sizeof list);
  wy_read_expected(r, node, "the name of a rod or of an obstacle: %s%s%s%s", list, close ? "; did you mean '" : "",
                   close ? close : "", close ? "'?" : "");
}

/* A rod and an obstacle, in any order. */
static void read_between(wy_reader *r, const wy_node *list, wy_contact_pair *out) {
  if (!list)
    return;
  if (list->kind != WY_LIST || list->count != 2) {
    wy_read_refuse(r, list);
    return;
  }
  out->rod = out->obstacle = -1;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    const char *name = wy_read_text(r, node);
    const int rod = r->failed ? -1 : wy_names_find(r->rod_names, name, strlen(name));
    const int obstacle = r->failed ? -1 : find_obstacle(r, name);
    if (rod >= 0)
      out->rod = rod;
    else if (obstacle >= 0)
      out->obstacle = obstacle;
    else if (!r->failed)
      refuse_name(r, node);
  }
  if (!r->failed && (out->rod < 0 || out->obstacle < 0))
    wy_read_fail(r, list, "found two %s; expected a rod and an obstacle", out->rod < 0 ? "obstacles" : "rods");
}

static void read_pairs(wy_reader *r, const wy_node *list, wy_contact_def *out) {
  if (!list || !wy_read_list(r, list) || list->kind != WY_LIST)
    return;
  wy_contact_pair *pairs = wy_read_take(r, ((size_t)list->count + 1) * sizeof *pairs);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    wy_contact_pair *pair = &pairs[node->index];
    if (!wy_read_entry(r, node))
      return;
    read_between(r, wy_read_need(r, node, "between"), pair);
    pair->friction = wy_read_optional(r, wy_yaml_find(node, "friction"), NAN);
    pair->restitution = wy_read_optional(r, wy_yaml_find(node, "restitution"), NAN);
  }
  out->pairs = pairs;
  out->pair_count = list->count;
}

static void read_laws(wy_reader *r) {
  const wy_node *node = r->failed ? NULL : wy_yaml_find(r->root, "contact");
  wy_contact_def *contact = wy_read_take(r, sizeof *contact);
  if (r->failed)
    return;
  *contact = wy_default_contact_def();
  r->scenario->model.contact = r->scenario->contact = contact;
  if (!node || !wy_read_mapping(r, node))
    return;
  read_friction(r, wy_yaml_find(node, "friction"), contact);
  contact->restitution = wy_read_optional(r, wy_yaml_find(node, "restitution"), contact->restitution);
  contact->settle = wy_read_choice(r, wy_yaml_find(node, "settle"), contact->settle);
  read_pairs(r, wy_yaml_find(node, "pairs"), contact);
}

void wy_read_contact(wy_reader *r) {
  read_obstacles(r);
  read_laws(r);
}
