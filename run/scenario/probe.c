/* SPDX-License-Identifier: MIT */
/* Probes of bodies, joints, springs and obstacles: their keys, and their values in a simulation. */
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/tree/suggest.h"

/* ---- Reading ---- */

static const char *joint_name(const wy_scenario *scenario, int joint) {
  return scenario->joints[joint].name;
}

static const char *spring_name(const wy_scenario *scenario, int spring) {
  return scenario->springs[spring].name;
}

static const char *obstacle_name(const wy_scenario *scenario, int obstacle) {
  return scenario->obstacles[obstacle].name;
}

typedef const char *name_of(const wy_scenario *scenario, int index);

static int read_named(wy_reader *r, const wy_node *node, const char *what, int count, name_of *name_at) {
  const char *name = wy_read_text(r, node), *names[WY_SCHEMA_MOST];
  int known = 0;
  for (int i = 0; i < count && !r->failed; i++) {
    const char *one = name_at(r->scenario, i);
    if (one && strcmp(one, name) == 0)
      return i;
    if (one && known < WY_SCHEMA_MOST)
      names[known++] = one;
  }
  const char *close = r->failed ? NULL : wy_suggest(name, names, known);
  wy_read_expected(r, node, "the name of %s%s%s%s%s", what, known ? "" : "; none has a name in this scenario",
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
  return 0;
}

static void refuse_keys(wy_reader *r, const wy_node *node, const char *const *keys, const char *of) {
  for (; *keys; keys++) {
    const wy_node *found = wy_yaml_find(node, *keys);
    if (found)
      wy_read_fail(r, found, "found %s in a probe of %s; expected none", *keys, of);
  }
}

static void refuse_quantity(wy_reader *r, const wy_node *node, const char *of, const char *which) {
  wy_read_expected(r, wy_yaml_find(node, "quantity"), "a quantity of %s: %s", of, which);
}

static void read_of_body(wy_reader *r, const wy_node *node, const wy_probe *probe, wy_probe_part *out) {
  static const char *const others[] = {"rod", "at", "joint", "spring", "obstacle", "part", NULL};
  const wy_node *point = wy_yaml_find(node, "point");
  refuse_keys(r, node, others, "a body");
  out->body = wy_read_body_name(r, wy_yaml_find(node, "body"));
  wy_read_vector(r, point, out->point);
  switch (probe->quantity) {
  case WY_POSITION:
  case WY_VELOCITY:
    return;
  case WY_ROTATION:
  case WY_ANGULAR_VELOCITY:
  case WY_DIRECTOR1:
  case WY_DIRECTOR2:
  case WY_DIRECTOR3:
  case WY_REACTION_FORCE:
  case WY_REACTION_MOMENT:
    if (point)
      wy_read_fail(r, point, "found a point; expected none, since %s belongs to the whole body",
                   wy_quantity_name(probe->quantity));
    return;
  default:
    refuse_quantity(r, node, "a body",
                    "position, velocity, rotation, angular_velocity, director1, director2, director3, reaction_force, "
                    "reaction_moment");
  }
}

static void read_of_joint(wy_reader *r, const wy_node *node, const wy_probe *probe, wy_probe_part *out) {
  static const char *const others[] = {"rod", "at", "spring", "obstacle", "point", NULL};
  const wy_scenario *scenario = r->scenario;
  const wy_node *part = wy_yaml_find(node, "part");
  refuse_keys(r, node, others, "a joint");
  out->joint = read_named(r, wy_yaml_find(node, "joint"), "a joint", scenario->model.joint_count, joint_name);
  const bool turns =
      probe->quantity == WY_HINGE_ANGLE || probe->quantity == WY_HINGE_RATE; /* the second part against the first */
  out->part = wy_read_integer(r, part, turns ? 2 : 1) - 1;
  if (r->failed)
    return;
  if (turns && scenario->joints[out->joint].kind != WY_HINGE)
    wy_read_expected(r, wy_yaml_find(node, "quantity"), "force or moment, since this joint is no hinge");
  if (out->part >= scenario->joints[out->joint].port_count)
    wy_read_expected(r, part, "1 to %d, a part of this joint", scenario->joints[out->joint].port_count);
  if (!turns && probe->quantity != WY_FORCE && probe->quantity != WY_MOMENT)
    refuse_quantity(r, node, "a joint", "force, moment, angle, rate");
}

/* The force of a spring is one number: its tension. */
static void read_of_spring(wy_reader *r, const wy_node *node, wy_probe *probe, wy_probe_part *out) {
  static const char *const others[] = {"rod", "at", "obstacle", "point", "part", NULL};
  refuse_keys(r, node, others, "a spring");
  out->spring = read_named(r, wy_yaml_find(node, "spring"), "a spring", r->scenario->model.spring_count, spring_name);
  if (probe->quantity == WY_FORCE)
    probe->quantity = WY_TENSION;
  else if (probe->quantity != WY_LENGTH)
    refuse_quantity(r, node, "a spring", "force, length");
}

void wy_check_gap(wy_reader *r, const wy_node *node, const wy_probe *probe) {
  const wy_scenario *scenario = r->scenario;
  bool touches = false;
  for (int i = 0; !r->failed && i < scenario->model.rod_count; i++)
    touches = touches || ((probe->rod == WY_ALL_RODS || probe->rod == i) && !scenario->rods[i].contact.none);
  if (!r->failed && probe->quantity == WY_GAP && !touches)
    wy_read_fail(r, wy_yaml_find(node, "quantity"),
                 "found gap; expected another quantity, since the rod has contact: "
                 "false and touches nothing");
}

/* With all rods, or with one. */
static void read_of_obstacle(wy_reader *r, const wy_node *node, wy_probe *probe, wy_probe_part *out) {
  static const char *const others[] = {"at", "point", "part", NULL};
  const wy_node *rod = wy_yaml_find(node, "rod");
  refuse_keys(r, node, others, "an obstacle");
  out->obstacle =
      read_named(r, wy_yaml_find(node, "obstacle"), "an obstacle", r->scenario->model.obstacle_count, obstacle_name);
  if (rod)
    probe->rod = wy_read_rod_of(r, node, false);
  if (wy_quantity_describe(probe->quantity)->place != WY_OF_OBSTACLE && probe->quantity != WY_GAP)
    refuse_quantity(r, node, "an obstacle", "contact_force, contact_moment, contact_length, gap");
  wy_check_gap(r, node, probe);
}

/* Quantities of contact need something to touch, and some of them the name of it. */
static void check_touching(wy_reader *r, const wy_node *node, const wy_probe *probe) {
  const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
  const wy_node *quantity = wy_yaml_find(node, "quantity");
  if (info->touches && r->scenario->model.obstacle_count == 0)
    wy_read_fail(r, quantity, "found %s; expected another quantity, since the scenario has no obstacles", info->name);
  else if (info->place == WY_OF_OBSTACLE)
    wy_read_fail(r, quantity, "found %s without `obstacle`; expected the name of one beside it", info->name);
}

bool wy_read_probe_part(wy_reader *r, const wy_node *node, wy_probe *probe, wy_probe_part *out) {
  static const char *const none[] = {"point", "part", NULL};
  *out = (wy_probe_part){.body = -1, .joint = -1, .spring = -1, .obstacle = -1};
  if (wy_yaml_find(node, "body"))
    read_of_body(r, node, probe, out);
  else if (wy_yaml_find(node, "joint"))
    read_of_joint(r, node, probe, out);
  else if (wy_yaml_find(node, "spring"))
    read_of_spring(r, node, probe, out);
  else if (wy_yaml_find(node, "obstacle"))
    read_of_obstacle(r, node, probe, out);
  else {
    refuse_keys(r, node, none, "a rod");
    check_touching(r, node, probe);
    return false;
  }
  return true;
}

/* ---- Values ---- */

void wy_rotate(const double q[4], const double v[3], double out[3]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
  out[1] = 2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2];
  out[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static void value_of_body(const wy_body_state *body, wy_quantity quantity, const double c[3], double *out) {
  const double *om = body->angular_velocity;
  const double swing[3] = {om[1] * c[2] - om[2] * c[1], om[2] * c[0] - om[0] * c[2], om[0] * c[1] - om[1] * c[0]};
  double axis[3] = {0, 0, 0}, arm[3];
  switch (quantity) {
  case WY_POSITION:
  case WY_VELOCITY:
    wy_rotate(body->frame, quantity == WY_POSITION ? c : swing, arm);
    for (int k = 0; k < 3; k++)
      out[k] = (quantity == WY_POSITION ? body->position : body->velocity)[k] + arm[k];
    return;
  case WY_ROTATION:
    memcpy(out, body->frame, sizeof body->frame);
    return;
  case WY_ANGULAR_VELOCITY:
    memcpy(out, om, sizeof body->angular_velocity);
    return;
  case WY_REACTION_FORCE:
    memcpy(out, body->reaction_force, sizeof body->reaction_force);
    return;
  case WY_REACTION_MOMENT:
    memcpy(out, body->reaction_moment, sizeof body->reaction_moment);
    return;
  default:
    axis[quantity - WY_DIRECTOR1] = 1;
    wy_rotate(body->frame, axis, out);
  }
}

static void value_of_obstacle(const wy_obstacle_state *obstacle, wy_quantity quantity, double *out) {
  if (quantity == WY_CONTACT_LENGTH || quantity == WY_GAP)
    out[0] = quantity == WY_GAP ? obstacle->gap : obstacle->contact_length;
  else
    memcpy(out, quantity == WY_CONTACT_FORCE ? obstacle->force : obstacle->moment, sizeof obstacle->force);
}

static wy_status refuse(wy_message *message, const char *text) {
  if (message) {
    message->path[0] = 0;
    snprintf(message->text, sizeof message->text, "%s", text);
  }
  return WY_ERROR_INPUT;
}

wy_status wy_scenario_probe(const wy_scenario *scenario, wy_sim *sim, int probe, double out[4], wy_message *message) {
  if (!scenario || !sim || !out)
    return refuse(message, "found NULL; expected a scenario, a simulation and a place to put the value");
  if (probe < 0 || probe >= scenario->probe_count)
    return refuse(message, "there is no probe of this number");
  const wy_probe *of = &scenario->probes[probe];
  const wy_probe_part *part = &scenario->probe_parts[probe];
  if (part->body >= 0) {
    wy_body_state body;
    const wy_status status = wy_sim_body(sim, part->body, &body, message);
    if (status == WY_OK)
      value_of_body(&body, of->quantity, part->point, out);
    return status;
  }
  if (part->obstacle >= 0) {
    wy_obstacle_state obstacle;
    const wy_status status = wy_sim_obstacle(sim, part->obstacle, of->rod, &obstacle, message);
    if (status == WY_OK)
      value_of_obstacle(&obstacle, of->quantity, out);
    return status;
  }
  double other[3];
  const bool is_force = of->quantity == WY_FORCE, is_tension = of->quantity == WY_TENSION,
             is_angle = of->quantity == WY_HINGE_ANGLE;
  if (part->joint >= 0 && (is_angle || of->quantity == WY_HINGE_RATE))
    return wy_sim_joint_angle(sim, part->joint, part->part, is_angle ? out : other, is_angle ? other : out, message);
  if (part->joint >= 0)
    return wy_sim_joint(sim, part->joint, part->part, is_force ? out : other, is_force ? other : out, message);
  if (part->spring >= 0)
    return wy_sim_spring(sim, part->spring, is_tension ? out : other, is_tension ? other : out, message);
  return wy_sim_probe(sim, of->quantity, of->rod, of->s, out, message);
}
