/* SPDX-License-Identifier: MIT */
/* What a simulation shows of bodies, joints, springs and groups. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "network/group.h"
#include "record/probe.h"
#include "scheme/system.h"
#include "sim/sim.h"

wy_status wy_sim_body(wy_sim *sim, int body, wy_body_state *out, wy_message *message) {
  if (!sim || !out)
    return wy_fail_missing(message, sim ? "out" : "sim");
  if (body < 0 || body >= wy_model_body_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no body number %d", body);
  wy_sim_group *group = &sim->groups[wy_model_network(sim->model)->hubs[body].group];
  const double *u = wy_sim_shown(group);
  wy_group_body(group->system, *sim->time, u, body, out->position, out->frame, out->velocity, out->angular_velocity);
  wy_group_holding(group->system, *sim->time, u, body, out->reaction_force, out->reaction_moment);
  return WY_OK;
}

/* ---- Springs ---- */

/* That of an end of it, which has a part, or of the other end, which then has one. */
static wy_sim_group *group_of_spring(const wy_sim *sim, int spring) {
  const wy_network *network = wy_model_network(sim->model);
  const wy_spring_end *ends = network->springs[spring];
  const int hub = ends[0].hub >= 0 ? ends[0].hub : ends[1].hub;
  return &sim->groups[network->hubs[hub].group];
}

static wy_spring_pull pull_of(wy_sim *sim, int spring) {
  wy_sim_group *group = group_of_spring(sim, spring);
  return wy_group_pull(group->system, *sim->time, wy_sim_shown(group), spring);
}

wy_status wy_sim_spring(wy_sim *sim, int spring, double *force, double *length, wy_message *message) {
  if (!sim || !force || !length)
    return wy_fail_missing(message, !sim ? "sim" : !force ? "force" : "length");
  if (spring < 0 || spring >= wy_model_spring_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no spring number %d", spring);
  const wy_spring_pull pull = pull_of(sim, spring);
  *force = pull.tension;
  *length = pull.length;
  return WY_OK;
}

/* ---- Joints ---- */

static bool is_same_place(const wy_sim *sim, const wy_port *a, const wy_port *b) {
  return a->kind == b->kind && a->index == b->index &&
         fabs(a->s - b->s) <= 2 * WY_SAME_PLACE * wy_model_rod(sim->model, a->index)->length;
}

/* Takes away what springs do that take hold of the same place of a rod. */
static void subtract_springs(wy_sim *sim, const wy_port *port, double force[3]) {
  const wy_network *network = wy_model_network(sim->model);
  const wy_group_def *group = &network->groups[network->rod_groups[port->index]];
  for (int i = 0; i < group->spring_count; i++) {
    const wy_spring_def *spring = wy_model_spring(sim->model, group->springs[i]);
    for (int end = 0; end < 2; end++) {
      if (!is_same_place(sim, port, &spring->ports[end]))
        continue;
      const wy_spring_pull pull = pull_of(sim, group->springs[i]);
      double pulls[3];
      wy_put3(pulls, wy_spring_force(&pull));
      wy_add3(force, end ? 1 : -1, pulls);
    }
  }
}

/* Adds what the joint exerts on a rod. */
static void add_load(wy_sim *sim, const wy_port *port, double factor, double force[3], double moment[3]) {
  wy_sim_group *group = sim->rods[port->index].group;
  const wy_view *view = wy_sim_view(sim, port->index);
  const int end = wy_end_at(wy_model_rod(sim->model, port->index)->length, port->s);
  double part[3], turning[3];
  if (end < 0) {
    wy_group_reaction(group->system, *sim->time, wy_sim_shown(group), port->index, port->s, part, turning);
  } else {
    wy_copy3(view->ends[end].reaction_force, part);
    wy_copy3(view->ends[end].reaction_moment, turning);
  }
  subtract_springs(sim, port, part);
  wy_add3(force, factor, part);
  wy_add3(moment, factor, turning);
}

static wy_sim_group *group_of_joint(const wy_sim *sim, const wy_joint_def *joint) {
  const wy_port *port = &joint->ports[joint->ports[0].kind == WY_PORT_GROUND];
  return &sim->groups[wy_sim_group_of(sim, port->kind, port->index)];
}

/* The part on whose hub the rods of a joint sit: its first body, else the ground. */
static int carrier_of(const wy_sim *sim, int joint) {
  const wy_joint_def *def = wy_model_joint(sim->model, joint);
  int ground = -1;
  for (int i = 0; i < def->port_count; i++) {
    if (def->ports[i].kind == WY_PORT_BODY)
      return i;
    ground = def->ports[i].kind == WY_PORT_GROUND ? i : ground;
  }
  return ground;
}

/* Do conditions hold this part? */
static bool has_own_hub(const wy_sim *sim, int joint, int part) {
  const wy_network *network = wy_model_network(sim->model);
  for (int i = 0; i < network->condition_count; i++) {
    const wy_condition_def *condition = &network->conditions[i];
    if (condition->joint == joint && (condition->part[0] == part || condition->part[1] == part))
      return true;
  }
  return false;
}

wy_status wy_sim_joint(wy_sim *sim, int joint, int part, double force[3], double moment[3], wy_message *message) {
  if (!sim || !force || !moment)
    return wy_fail_missing(message, !sim ? "sim" : !force ? "force" : "moment");
  if (joint < 0 || joint >= wy_model_joint_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no joint number %d", joint);
  const wy_joint_def *def = wy_model_joint(sim->model, joint);
  if (part < 0 || part >= def->port_count)
    return wy_fail(message, WY_ERROR_INPUT, "joint %d has no part number %d", joint, part);
  memset(force, 0, 3 * sizeof *force), memset(moment, 0, 3 * sizeof *moment);
  if (def->ports[part].kind == WY_PORT_ROD) {
    add_load(sim, &def->ports[part], 1, force, moment);
    return WY_OK;
  }
  /* A joint has no mass of its own. Rods that sit on the hub of the body, or of the ground, take from what conditions
     exert on it. */
  wy_sim_group *group = group_of_joint(sim, def);
  wy_group_add_joint(group->system, *sim->time, wy_sim_shown(group), joint, part, force, moment);
  for (int i = 0; i < def->port_count; i++)
    if (def->ports[i].kind == WY_PORT_ROD && part == carrier_of(sim, joint) && !has_own_hub(sim, joint, i))
      add_load(sim, &def->ports[i], -1, force, moment);
  return WY_OK;
}

wy_status wy_sim_hinge(const wy_sim *sim, int joint, wy_sim_group **group, wy_message *message) {
  if (joint < 0 || joint >= wy_model_joint_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no joint number %d", joint);
  const wy_joint_def *def = wy_model_joint(sim->model, joint);
  if (def->kind != WY_HINGE)
    return wy_fail(message, WY_ERROR_INPUT, "joint %d is no hinge: it has no angle", joint);
  const wy_port *part = &def->ports[def->ports[0].kind == WY_PORT_GROUND];
  *group = &sim->groups[wy_sim_group_of(sim, part->kind, part->index)];
  return WY_OK;
}

/* The part whose hub a part of a joint has; -1: there is none. */
static int host_of(const wy_sim *sim, int joint, int part) {
  const bool on_other = wy_model_joint(sim->model, joint)->ports[part].kind == WY_PORT_ROD;
  return on_other && !has_own_hub(sim, joint, part) ? carrier_of(sim, joint) : part;
}

wy_status wy_sim_joint_angle(wy_sim *sim, int joint, int part, double *angle, double *rate, wy_message *message) {
  if (!sim || !angle || !rate)
    return wy_fail_missing(message, !sim ? "sim" : !angle ? "angle" : "rate");
  wy_sim_group *group = NULL;
  const wy_status status = wy_sim_hinge(sim, joint, &group, message);
  if (status)
    return status;
  assert(group); /* that of a hinge */
  if (part < 0 || part >= wy_model_joint(sim->model, joint)->port_count)
    return wy_fail(message, WY_ERROR_INPUT, "joint %d has no part number %d", joint, part);
  const double *u = wy_sim_shown(group);
  wy_group_joint_angle(group->system, *sim->time, u, joint, part, angle, rate);
  for (int side = 0; side < 2; side++) { /* the part, and the first one, as conditions hold them or what they sit on */
    const int host = host_of(sim, joint, side ? 0 : part);
    double turned, turning;
    if (host >= 0 && wy_group_angle(group->system, *sim->time, u, joint, host, &turned, &turning))
      *angle += side ? -turned : turned, *rate += side ? -turning : turning;
  }
  return WY_OK;
}

/* ---- Ports ---- */

static wy_status port_on_rod(wy_sim *sim, const wy_port *port, double position[3], double frame[4],
                             wy_message *message) {
  double place[4];
  const wy_status status = wy_sim_probe(sim, WY_POSITION, port->index, port->s, place, message);
  if (status != WY_OK)
    return status;
  wy_copy3(place, position);
  return wy_sim_probe(sim, WY_ROTATION, port->index, port->s, frame, message);
}

static wy_status port_on_body(wy_sim *sim, const wy_port *port, double position[3], double frame[4],
                              wy_message *message) {
  wy_body_state body = {0};
  const wy_status status = wy_sim_body(sim, port->index, &body, message);
  if (status != WY_OK)
    return status;
  double r[9];
  wy_qmatrix(body.frame, r);
  wy_mul3(r, port->point, position);
  wy_add3(position, 1, body.position);
  memcpy(frame, body.frame, sizeof body.frame);
  return WY_OK;
}

wy_status wy_sim_port(wy_sim *sim, const wy_port *port, double position[3], double frame[4], wy_message *message) {
  if (!sim || !port || !position || !frame)
    return wy_fail_missing(message, !sim ? "sim" : !port ? "port" : !position ? "position" : "frame");
  if (port->kind == WY_PORT_ROD)
    return port_on_rod(sim, port, position, frame, message);
  if (port->kind == WY_PORT_BODY)
    return port_on_body(sim, port, position, frame, message);
  if (port->kind != WY_PORT_GROUND || !port->placed)
    return wy_fail(message, WY_ERROR_INPUT, "the port is not on a rod or body, nor at a point of the ground");
  wy_copy3(port->point, position);
  memcpy(frame, (const double[4]){1, 0, 0, 0}, 4 * sizeof *frame);
  return WY_OK;
}

/* ---- Groups ---- */

bool wy_sim_group_dependent(wy_sim *sim, int group, char *text, size_t size) {
  if (text && size > 0)
    text[0] = 0;
  if (!sim || !text || size == 0 || group < 0 || group >= sim->group_count)
    return false;
  wy_sim_group *of = &sim->groups[group];
  return wy_group_depends(of->system, *sim->time, wy_sim_shown(of), text, size);
}

int wy_sim_group_of(const wy_sim *sim, wy_port_kind kind, int index) {
  if (!sim || index < 0)
    return -1;
  const wy_network *network = wy_model_network(sim->model);
  if (kind == WY_PORT_ROD && index < sim->rod_count)
    return network->rod_groups[index];
  return kind == WY_PORT_BODY && index < wy_model_body_count(sim->model) ? network->hubs[index].group : -1;
}
