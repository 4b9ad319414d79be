/* SPDX-License-Identifier: MIT */
/* The keys `bodies`, `joints` and `springs`: mappings into wy_body_def, wy_joint_def and wy_spring_def. Which values
   are possible, and whether parts meet, is the library's business. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/tree/suggest.h"

/* ---- Names of parts ---- */

static int find_rod(const wy_reader *r, const char *name, size_t length) {
  return wy_names_find(r->rod_names, name, length);
}

static int find_body(const wy_reader *r, const char *name) {
  return wy_names_find(&r->body_names, name, strlen(name));
}

/* Names of bodies, and those of rods where they are possible, too. */
static int list_parts(const wy_reader *r, bool rods, const char *names[WY_SCHEMA_MOST]) {
  int count = 0;
  for (int i = 0; i < r->scenario->model.body_count && count < WY_SCHEMA_MOST; i++)
    names[count++] = r->bodies[i].name;
  for (int i = 0; rods && i < r->scenario->model.rod_count && count < WY_SCHEMA_MOST; i++)
    names[count++] = r->rods[i].name;
  return count;
}

int wy_read_body_name(wy_reader *r, const wy_node *node) {
  const char *names[WY_SCHEMA_MOST], *name = wy_read_text(r, node);
  const int found = r->failed ? 0 : find_body(r, name);
  if (found >= 0)
    return found;
  char list[512];
  const int count = list_parts(r, false, names);
  const char *close = wy_suggest(name, names, count);
  wy_schema_join(names, count, list, sizeof list);
  if (count == 0)
    wy_read_expected(r, node, "the name of a body; there are no bodies in this scenario");
  else
    wy_read_expected(r, node, "the name of a body: %s%s%s%s", list, close ? "; did you mean '" : "", close ? close : "",
                     close ? "'?" : "");
  return 0;
}

/* ---- Places ---- */

static double arc_of(const wy_reader *r, int rod, int word) {
  return word == WY_AT_END ? wy_rod_length(&r->rods[rod]) : 0;
}

/* "ROD.end" with a rod that is none, or another word. */
static void refuse_end(wy_reader *r, const wy_node *node, const char *point) {
  static const char *const ends[] = {"start", "end"};
  const char *names[WY_SCHEMA_MOST], *word = point + 1, *end = wy_suggest(word, ends, 2);
  char stem[80], expected[320];
  snprintf(stem, sizeof stem, "%.*s", (int)(point - node->text), node->text);
  const bool is_rod = find_rod(r, stem, strlen(stem)) >= 0;
  const int all = list_parts(r, true, names), bodies = r->scenario->model.body_count;
  const int before = bodies < all ? bodies : all;
  const char *rod = is_rod ? stem : wy_suggest(stem, names + before, all - before);
  if (is_rod)
    snprintf(expected, sizeof expected, "%s.start, %s.end, or {rod: %s, at: an arc length}", stem, stem, stem);
  else
    snprintf(expected, sizeof expected, "ROD.start or ROD.end, where ROD is the name of a rod");
  if (rod && end)
    wy_read_expected(r, node, "%s; did you mean '%s.%s'?", expected, rod, end);
  else
    wy_read_expected(r, node, "%s", expected);
}

static void refuse_part(wy_reader *r, const wy_node *node) {
  const char *names[WY_SCHEMA_MOST + 1], *name = node->text;
  if (find_rod(r, name, strlen(name)) >= 0) {
    wy_read_expected(r, node, "a place on this rod: %.63s.start or %.63s.end", name, name);
    return;
  }
  int count = list_parts(r, true, names);
  const int bodies = r->scenario->model.body_count;
  names[count++] = "ground";
  const char *close = wy_suggest(name, names, count);
  bool is_rod = close != NULL;
  for (int i = 0; close && i < count; i++)
    if (names[i] == close)
      is_rod = i >= bodies && i < count - 1;
  wy_read_expected(r, node, "ROD.start, ROD.end, the name of a body, or ground%s%s%s%s",
                   close ? "; did you mean '" : "", close ? close : "", is_rod ? ".start' or '.end" : "",
                   close ? "'?" : "");
}

/* ROD.start, ROD.end, BODY or ground. */
static void read_place_text(wy_reader *r, const wy_node *node, wy_port *out) {
  const char *text = node->text, *point = strrchr(text, '.');
  const int rod = point ? find_rod(r, text, (size_t)(point - text)) : -1, body = find_body(r, text);
  const bool start = point && strcmp(point, ".start") == 0, end = point && strcmp(point, ".end") == 0;
  if (strcmp(text, "ground") == 0)
    *out = wy_port_on_ground();
  else if (body >= 0)
    *out = wy_port_on_body(body, 0, 0, 0);
  else if (rod >= 0 && (start || end))
    *out = wy_port_on_rod(rod, arc_of(r, rod, end ? WY_AT_END : WY_AT_START));
  else if (point)
    refuse_end(r, node, point);
  else
    refuse_part(r, node);
}

static void read_on_rod(wy_reader *r, const wy_node *node, wy_port *out) {
  const int rod = wy_read_rod_name(r, wy_yaml_find(node, "rod"));
  const wy_node *at = wy_read_need(r, node, "at");
  const wy_word *word = wy_read_which(at);
  const double s = r->failed ? 0 : word ? arc_of(r, rod, word->value) : wy_read_number(r, at);
  *out = wy_port_on_rod(rod, s);
}

/* A key that belongs to another kind of place. */
static void refuse_without(wy_reader *r, const wy_node *node, const char *key, const char *with) {
  const wy_node *found = wy_yaml_find(node, key);
  if (found)
    wy_read_fail(r, found, "found %s without %s; expected it with %s: NAME", key, with, with);
}

static void read_place_mapping(wy_reader *r, const wy_node *node, wy_port *out) {
  const wy_node *rod = wy_yaml_find(node, "rod"), *body = wy_yaml_find(node, "body"),
                *ground = wy_yaml_find(node, "ground");
  const int parts = (rod != NULL) + (body != NULL) + (ground != NULL);
  if (parts != 1) {
    wy_read_fail(r, node, "found %s of rod, body and ground; expected one of them", parts ? "several" : "none");
    return;
  }
  if (!rod)
    refuse_without(r, node, "at", "rod");
  if (!body)
    refuse_without(r, node, "point", "body");
  double point[3] = {0};
  if (rod) {
    read_on_rod(r, node, out);
  } else if (body) {
    const int index = wy_read_body_name(r, body);
    wy_read_vector(r, wy_yaml_find(node, "point"), point);
    *out = wy_port_on_body(index, point[0], point[1], point[2]);
  } else {
    wy_read_vector(r, ground, point);
    *out = wy_port_in_space(point[0], point[1], point[2]);
  }
}

static void read_place(wy_reader *r, const wy_node *node, wy_port *out) {
  if (node->kind == WY_SCALAR)
    read_place_text(r, node, out);
  else if (node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  else if (wy_read_mapping(r, node))
    read_place_mapping(r, node, out);
}

/* The places of a joint or spring; NULL after a failure. */
static wy_port *read_places(wy_reader *r, const wy_node *mapping) {
  const wy_node *list = wy_read_need(r, mapping, "of");
  if (!list)
    return NULL;
  const wy_key *key = wy_read_key(list, NULL);
  if (list->kind != WY_LIST) {
    wy_read_refuse(r, list);
    return NULL;
  }
  if (list->count < key->least || (key->most && list->count > key->most)) {
    wy_read_expected(r, list, "%s places", key->most ? "two" : "two or more");
    return NULL;
  }
  wy_port *ports = wy_read_take(r, (size_t)list->count * sizeof *ports);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next)
    read_place(r, node, &ports[node->index]);
  return r->failed ? NULL : ports;
}

/* ---- Bodies ---- */

static void read_shape(wy_reader *r, const wy_node *node, wy_body_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->shape = (wy_body_shape)wy_read_choice(r, wy_read_need(r, node, "kind"), WY_BODY_SHAPELESS);
  if (out->shape == WY_BODY_BOX) {
    wy_read_vector(r, wy_read_need(r, node, "size"), out->dimensions);
  } else if (out->shape != WY_BODY_SHAPELESS) {
    out->dimensions[0] = wy_read_number(r, wy_read_need(r, node, "radius"));
    if (out->shape == WY_BODY_CYLINDER)
      out->dimensions[1] = wy_read_number(r, wy_read_need(r, node, "length"));
  }
}

/* Of the diagonal, or of all. */
static void read_inertia(wy_reader *r, const wy_node *node, double out[6]) {
  if (!node)
    return;
  if (node->kind != WY_LIST || (node->count != 3 && node->count != 6)) {
    wy_read_refuse(r, node);
    return;
  }
  for (const wy_node *child = node->first; child && !r->failed; child = child->next)
    out[child->index] = wy_read_number(r, child);
}

/* A rotation about an axis, as a quaternion. */
static void read_turn(wy_reader *r, const wy_node *node, double frame[4]) {
  double axis[3] = {0};
  if (!node || !wy_read_mapping(r, node))
    return;
  wy_read_direction(r, wy_read_need(r, node, "axis"), axis);
  const double angle = wy_read_number(r, wy_read_need(r, node, "angle")),
               length = hypot(hypot(axis[0], axis[1]), axis[2]);
  if (r->failed)
    return;
  frame[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; i++)
    frame[i + 1] = sin(0.5 * angle) * axis[i] / length;
}

static void read_rotation(wy_reader *r, const wy_node *node, wy_body_def *out) {
  const wy_word *word = wy_read_which(node);
  if (!node)
    return;
  out->rotation = word ? (wy_hold)word->value : WY_DRIVEN;
  if (word)
    return;
  if (node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  if (!wy_read_mapping(r, node))
    return;
  wy_read_direction(r, wy_read_need(r, node, "axis"), out->axis);
  out->angle = wy_read_motion(r, wy_read_need(r, node, "angle"));
}

static void read_initial(wy_reader *r, const wy_node *node, wy_body_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  wy_read_vector(r, wy_yaml_find(node, "velocity"), out->velocity);
  wy_read_vector(r, wy_yaml_find(node, "angular_velocity"), out->angular_velocity);
}

/* What drives something is asked for until it is released. */
static double read_release(wy_reader *r, const wy_node *mapping, int first_sample) {
  const double release = wy_read_optional(r, wy_yaml_find(mapping, "release"), INFINITY);
  for (int i = first_sample; i < r->sample_count; i++)
    r->samples[i].until = release;
  return release;
}

static void read_body(wy_reader *r, const wy_node *node, wy_body_def *out) {
  if (!wy_read_entry(r, node))
    return;
  const int before = r->sample_count;
  out->name = wy_read_name(r, wy_read_need(r, node, "name"));
  out->mass = wy_read_optional(r, wy_yaml_find(node, "mass"), 0);
  read_inertia(r, wy_yaml_find(node, "inertia"), out->inertia);
  read_shape(r, wy_yaml_find(node, "shape"), out);
  out->density = wy_read_optional(r, wy_yaml_find(node, "density"), 0);
  wy_read_vector(r, wy_yaml_find(node, "origin"), out->origin);
  read_turn(r, wy_yaml_find(node, "turn"), out->frame);
  wy_read_position(r, wy_yaml_find(node, "position"), out->position, out->path);
  read_rotation(r, wy_yaml_find(node, "rotation"), out);
  read_initial(r, wy_yaml_find(node, "initial"), out);
  out->release = read_release(r, node, before);
}

/* ---- Joints ---- */

static void read_joint_spring(wy_reader *r, const wy_node *node, wy_joint_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->has_spring = true;
  out->stiffness = wy_read_optional(r, wy_yaml_find(node, "stiffness"), 0);
  out->damping = wy_read_optional(r, wy_yaml_find(node, "damping"), 0);
  out->rest_angle = wy_read_optional(r, wy_yaml_find(node, "angle"), 0);
}

static void read_weld_rotation(wy_reader *r, const wy_node *node, wy_joint_def *out) {
  const wy_word *word = wy_read_which(node);
  if (!node)
    return;
  out->rotation = word ? (wy_weld_rotation)word->value : WY_WELD_TURNED;
  if (word)
    return;
  if (node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  if (!wy_read_mapping(r, node))
    return;
  wy_read_direction(r, wy_read_need(r, node, "axis"), out->turn_axis);
  out->turn_angle = wy_read_number(r, wy_read_need(r, node, "angle"));
}

/* Held or free, for all or one by one. */
static void read_sliding(wy_reader *r, const wy_node *node, wy_hold out[3]) {
  const wy_word *all = wy_read_which(node);
  if (!node)
    return;
  if (!all && (node->kind != WY_LIST || node->count != 3)) {
    wy_read_refuse(r, node);
    return;
  }
  const wy_node *child = node->first;
  for (int i = 0; i < 3 && !r->failed; i++, child = child ? child->next : NULL) {
    const wy_word *word = all ? all : wy_read_which(child);
    if (!word)
      wy_read_expected(r, child, "held or free");
    else
      out[i] = (wy_hold)word->value;
  }
}

static void read_joint(wy_reader *r, const wy_node *node, wy_joint_def *out) {
  if (!wy_read_entry(r, node))
    return;
  const int before = r->sample_count;
  const wy_node *angle = wy_yaml_find(node, "angle");
  out->name = wy_read_name_of(r, node);
  out->kind = (wy_joint_kind)wy_read_choice(r, wy_read_need(r, node, "kind"), WY_WELD);
  out->ports = read_places(r, node);
  out->port_count = out->ports ? wy_yaml_find(node, "of")->count : 0;
  if (out->kind == WY_HINGE)
    wy_read_direction(r, wy_read_need(r, node, "axis"), out->axis);
  read_joint_spring(r, wy_yaml_find(node, "spring"), out);
  out->has_angle = angle != NULL;
  if (angle)
    out->angle = wy_read_motion(r, angle);
  read_weld_rotation(r, wy_yaml_find(node, "rotation"), out);
  read_sliding(r, wy_yaml_find(node, "position"), out->position);
  out->assemble = wy_read_choice(r, wy_yaml_find(node, "assemble"), false);
  out->release = read_release(r, node, before);
}

/* ---- Springs ---- */

static void read_spring(wy_reader *r, const wy_node *node, wy_spring_def *out) {
  if (!wy_read_entry(r, node))
    return;
  out->name = wy_read_name_of(r, node);
  const wy_port *ports = read_places(r, node);
  for (int i = 0; ports && i < 2; i++)
    out->ports[i] = ports[i];
  out->stiffness = wy_read_number(r, wy_read_need(r, node, "stiffness"));
  out->length = wy_read_number(r, wy_read_need(r, node, "length"));
  out->damping = wy_read_optional(r, wy_yaml_find(node, "damping"), 0);
  out->kind = (wy_spring_kind)wy_read_choice(r, wy_yaml_find(node, "kind"), WY_SPRING);
}

/* ---- The lists ---- */

/* A list of the file, and room for its entries; NULL if there is none. */
static const wy_node *begin_list(wy_reader *r, const char *key, size_t size, void **entries, int *count) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, key);
  if (!list || !wy_read_list(r, list) || list->kind != WY_LIST)
    return NULL;
  *entries = wy_read_take(r, ((size_t)list->count + 1) * size);
  if (r->failed)
    return NULL;
  *count = list->count;
  return list;
}

static void read_bodies(wy_reader *r) {
  void *entries = NULL;
  wy_scenario *scenario = r->scenario;
  const wy_node *list = begin_list(r, "bodies", sizeof *r->bodies, &entries, &scenario->model.body_count);
  scenario->model.bodies = scenario->bodies = r->bodies = entries;
  for (const wy_node *node = list ? list->first : NULL; node && !r->failed; node = node->next) {
    wy_body_def *body = &r->bodies[node->index];
    *body = wy_default_body_def();
    read_body(r, node, body);
    if (!r->failed && !wy_names_add(&r->body_names, r->pool, body->name, node->index))
      wy_read_no_memory(r);
  }
}

static void read_joints(wy_reader *r) {
  void *entries = NULL;
  wy_scenario *scenario = r->scenario;
  const wy_node *list = begin_list(r, "joints", sizeof *scenario->joints, &entries, &scenario->model.joint_count);
  scenario->model.joints = scenario->joints = entries;
  for (const wy_node *node = list ? list->first : NULL; node && !r->failed; node = node->next) {
    scenario->joints[node->index] = wy_default_joint_def();
    read_joint(r, node, &scenario->joints[node->index]);
  }
}

static void read_springs(wy_reader *r) {
  void *entries = NULL;
  wy_scenario *scenario = r->scenario;
  const wy_node *list = begin_list(r, "springs", sizeof *scenario->springs, &entries, &scenario->model.spring_count);
  scenario->model.springs = scenario->springs = entries;
  for (const wy_node *node = list ? list->first : NULL; node && !r->failed; node = node->next) {
    scenario->springs[node->index] = wy_default_spring_def();
    read_spring(r, node, &scenario->springs[node->index]);
  }
}

void wy_read_network(wy_reader *r) {
  read_bodies(r);
  wy_expand_meetings(r);
  read_joints(r);
  read_springs(r);
}
