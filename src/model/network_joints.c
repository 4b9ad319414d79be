/* SPDX-License-Identifier: MIT */
/* Joints of a network: the hubs that their parts sit on, or are held to by conditions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "model/network_inside.h"

/* ---- Where parts meet ---- */

static wy_status refuse_joint(const wy_network_maker *in, int joint, int port, const char *text) {
  return wy_network_refuse(in, "joints", in->model->joints[joint].name, joint, port, "%s", text);
}

/* What a joint is made of. */
typedef struct meeting {
  int first;       /* of its ports, that is not the ground */
  int body;        /* the first one, or -1 */
  bool ground;     /* is among them */
  double place[3]; /* of the first port */
  double size;     /* the longest rod, or distance from a centre of mass */
} meeting;

/* The part that the others of a joint are brought to: the first body, or a place on the ground. Parts that meet are all
   there. */
static int find_anchor(const wy_joint_def *joint, int first) {
  int ground = -1;
  for (int i = 0; joint->assemble && i < joint->port_count; i++) {
    if (joint->ports[i].kind == WY_PORT_BODY)
      return i;
    if (joint->ports[i].kind == WY_PORT_GROUND && joint->ports[i].placed && ground < 0)
      ground = i;
  }
  return ground >= 0 ? ground : first;
}

static meeting meet(const wy_model *model, const wy_joint_def *joint) {
  meeting at = {.first = -1, .body = -1};
  for (int i = 0; i < joint->port_count; i++) {
    const wy_port *port = &joint->ports[i];
    at.ground = at.ground || port->kind == WY_PORT_GROUND;
    if (port->kind == WY_PORT_GROUND)
      continue;
    at.first = at.first < 0 ? i : at.first;
    at.body = at.body < 0 && port->kind == WY_PORT_BODY ? port->index : at.body;
    at.size = fmax(at.size, port->kind == WY_PORT_ROD ? model->rods[port->index].length : wy_norm3(port->point));
  }
  double frame[4];
  wy_place_port(model, &joint->ports[find_anchor(joint, at.first)], at.place, frame);
  return at;
}

/* Does the ground leave components of the place free? */
static bool slides(const wy_joint_def *joint) {
  return joint->position[0] == WY_FREE || joint->position[1] == WY_FREE || joint->position[2] == WY_FREE;
}

/* How far the frame of a part of a weld has to be turned, space axes: of the second, or of the first if the second is
   no rod. `frame` is how it is drawn. */
static void find_turn(const wy_model *model, const wy_joint_def *joint, int number, const double frame[4],
                      double turn[3]) {
  const int turned = joint->ports[1].kind == WY_PORT_ROD ? 1 : 0;
  memset(turn, 0, 3 * sizeof *turn);
  if (joint->kind != WY_WELD || joint->rotation == WY_WELD_DRAWN || number != turned)
    return;
  if (joint->rotation == WY_WELD_TURNED) {
    for (int k = 0; k < 3; k++)
      turn[k] = (turned == 1 ? 1 : -1) * joint->turn_angle * joint->turn_axis[k];
    return;
  }
  double place[3], other[4], back[4] = {frame[0], -frame[1], -frame[2], -frame[3]}, between[4];
  wy_place_port(model, &joint->ports[1 - turned], place, other);
  wy_qmul(other, back, between);
  wy_qlog(between, turn);
}

/* Turns an end as its joint wants it, and remembers how far it is from there as it is drawn. */
static void mark_gap(const wy_network_maker *in, const wy_joint_def *joint, int number, const double drawn[3],
                     const double place[3], const double frame[4], wy_hub_end *end) {
  const wy_hub *hub = &in->hubs[end->hub];
  const double from[3] = {drawn[0] - place[0], drawn[1] - place[1], drawn[2] - place[2]};
  double turn[3], r[9], step[4], q[4];
  wy_turn_into_hub(hub, from, end->gap);
  find_turn(in->model, joint, number, frame, turn);
  wy_qmatrix(frame, r);
  wy_tmul3(r, turn, end->turn);
  wy_qexp(end->turn, step);
  wy_qmul(end->q, step, q);
  memcpy(end->q, q, sizeof q);
}

/* Does a port meet the first one? If it is to be brought there, it is there. */
static wy_status check_meets(const wy_network_maker *in, int index, int number, const meeting *at, double place[3]) {
  const wy_joint_def *joint = &in->model->joints[index];
  const double gap = wy_apart(at->place, place);
  char one[WY_PORT_NAME], other[WY_PORT_NAME];
  if (gap <= WY_MEETS * at->size)
    return WY_OK;
  if (joint->assemble) {
    wy_copy3(at->place, place);
    return WY_OK;
  }
  wy_port_name(in->model, &joint->ports[at->first], one);
  wy_port_name(in->model, &joint->ports[number], other);
  char entry[32];
  snprintf(entry, sizeof entry, "%d", index);
  return wy_network_refuse(in, "joints", joint->name, index, number,
                           "joint %.63s: %s and %s are %.6g apart; move them or set assemble",
                           joint->name ? joint->name : entry, one, other, gap);
}

/* ---- Hubs of parts ---- */

/* Has a port of a rod a frame in its joint? Else it is an end on a ball, which turns by itself. */
static bool needs_frame(const wy_model *model, const wy_joint_def *joint, const wy_port *port) {
  wy_end_name end;
  return joint->kind != WY_BALL || joint->has_spring || !wy_port_end(model, port, &end);
}

/* The port that is welded to the hub which a joint without body and ground makes; -1: none, it has no frame. */
static int find_main(const wy_model *model, const wy_joint_def *joint, const meeting *at) {
  if (at->body >= 0 || at->ground)
    return -1;
  for (int i = 0; i < joint->port_count; i++)
    if (needs_frame(model, joint, &joint->ports[i]))
      return i;
  return -1;
}

/* A hub that stands on another one, with its frame: where a port of a joint turns. */
static int add_sub_hub(wy_network_maker *in, int parent, wy_hub_kind kind, int joint, int part, const double place[3]) {
  const wy_joint_def *def = &in->model->joints[joint];
  const wy_hub *on = &in->hubs[parent];
  wy_hub *hub = &in->hubs[in->net->hub_count];
  *hub = (wy_hub){.kind = kind, .parent = parent, .body = -1, .joint = joint, .part = part, .has_frame = true};
  wy_copy3(kind == WY_HUB_HINGE ? place : on->origin, hub->origin);
  memcpy(hub->frame, on->frame, sizeof hub->frame);
  if (kind == WY_HUB_HINGE) {
    const double from[3] = {place[0] - on->origin[0], place[1] - on->origin[1], place[2] - on->origin[2]};
    double r[9];
    wy_qmatrix(on->frame, r);
    wy_tmul3(r, from, hub->c);
    wy_tmul3(r, def->axis, hub->axis);
    hub->driven = def->has_angle;
    hub->sign = part == 0 ? -1 : 1;
    hub->known = hub->driven && on->known;
  }
  return in->net->hub_count++;
}

/* The hub for the port of a rod, which turns with it if it needs a frame. */
static int hub_of_port(wy_network_maker *in, int index, int number, const meeting *at, int main, int parent) {
  const wy_joint_def *joint = &in->model->joints[index];
  const double gap = wy_apart(at->place, in->hubs[parent].origin);
  if (joint->kind == WY_WELD || number == main || !needs_frame(in->model, joint, &joint->ports[number]))
    return parent;
  if (joint->kind == WY_HINGE) /* a driven one whose first part turns against all others: those are welded */
    return joint->has_angle && main < 0 && number > 0 && joint->ports[0].kind == WY_PORT_ROD
               ? parent
               : add_sub_hub(in, parent, WY_HUB_HINGE, index, number, at->place);
  return gap <= WY_MEETS * at->size ? add_sub_hub(in, parent, WY_HUB_TURNS, index, number, at->place) : parent;
}

/* Does the end or inner point of a rod have a hub for itself, to which conditions hold it? If the joint lets it go at
   some time, or if its frame turns at a point of a body. */
static bool is_own(const wy_model *model, const wy_joint_def *joint, int number, const meeting *at) {
  const wy_port *port = &joint->ports[number];
  if (port->kind != WY_PORT_ROD)
    return false;
  return isfinite(joint->release) || (joint->kind == WY_BALL && at->body >= 0 && needs_frame(model, joint, port) &&
                                      wy_apart(at->place, model->bodies[at->body].origin) > WY_MEETS * at->size);
}

/* The place of a joint on a hub, or on the ground. */
static void place_condition(const wy_network_maker *in, int hub, const double place[3], double c[3]) {
  wy_hub_end end;
  static const double space[4] = {1, 0, 0, 0};
  if (hub >= 0)
    wy_place_on_hub(&in->hubs[hub], place, space, &end);
  wy_copy3(hub >= 0 ? end.c : place, c);
}

/* (N7): the first of the ports that have a hub of their own, or are the ground, against each of the others. Nothing has
   to be held between hubs whose motion is known. */
static void add_conditions(wy_network_maker *in, int index, const meeting *at, const int *hubs) {
  const wy_joint_def *joint = &in->model->joints[index];
  int first = -1;
  for (int i = 0; i < joint->port_count; i++) {
    if (joint->ports[i].kind == WY_PORT_ROD && hubs[i] < 0)
      continue;
    if (first < 0) {
      first = i;
      continue;
    }
    const int a = hubs[first], b = hubs[i];
    if ((a < 0 || in->hubs[a].known) && (b < 0 || in->hubs[b].known))
      continue;
    wy_condition_def *condition = &in->conditions[in->net->condition_count++];
    *condition = (wy_condition_def){.joint = index, .part = {first, i}, .hub = {a, b}};
    for (int side = 0; side < 2; side++)
      place_condition(in, condition->hub[side], at->place, condition->c[side]);
  }
}

wy_status wy_network_add_joint(wy_network_maker *in, int index) {
  const wy_joint_def *joint = &in->model->joints[index];
  wy_port *ports = (wy_port *)joint->ports; /* the model's own */
  const meeting at = meet(in->model, joint);
  const int main = find_main(in->model, joint, &at);
  const bool has_frame = joint->kind != WY_BALL || joint->has_spring || main >= 0;
  const bool released = isfinite(joint->release);
  const int hub = at.body >= 0 ? at.body
                  : released   ? -1
                               : wy_network_add_hub(in, at.place, index, has_frame, at.ground && !slides(joint));
  wy_status status = WY_OK;
  in->joint_hubs[index] = hub;
  for (int k = 0; hub >= 0 && at.body < 0 && at.ground && k < 4; k++)
    in->hubs[hub].held[k] = k == 3 || joint->position[k] != WY_FREE;
  for (int i = 0; i < joint->port_count && !status; i++) {
    double place[3], frame[4], drawn[3];
    if (ports[i].kind == WY_PORT_GROUND && !ports[i].placed) {
      wy_copy3(at.place, ports[i].point);
      ports[i].placed = true;
    }
    wy_place_port(in->model, &ports[i], place, frame);
    wy_copy3(place, drawn);
    status = check_meets(in, index, i, &at, place);
    in->own[i] = ports[i].kind == WY_PORT_BODY ? ports[i].index : -1;
    if (!status && ports[i].kind == WY_PORT_ROD) {
      status = wy_network_check_free(in, "joints", joint->name, index, i, &ports[i]);
      const bool own = is_own(in->model, joint, i, &at), frame_counts = needs_frame(in->model, joint, &ports[i]);
      const int on = own ? wy_network_add_hub(in, at.place, index, frame_counts, false)
                         : hub_of_port(in, index, i, &at, main, hub);
      in->own[i] = own ? on : -1;
      in->hubs[on].part = own ? i : in->hubs[on].part;
      if (own && at.body >= 0) /* springs of balls compare frames */
        memcpy(in->hubs[on].frame, in->hubs[at.body].frame, sizeof in->hubs[on].frame);
      const int end =
          wy_network_add_end(in, &ports[i], on, index, i,
                             own ? frame_counts : joint->kind != WY_BALL || on != hub || i == main, place, frame);
      if (joint->assemble)
        mark_gap(in, joint, i, drawn, place, frame, &in->ends[end]);
    }
  }
  if (!status)
    add_conditions(in, index, &at, in->own);
  return status;
}

/* ---- All joints ---- */

static int compare_placed(const void *a, const void *b) {
  const wy_placed_end *one = a, *other = b;
  if (one->rod != other->rod)
    return one->rod < other->rod ? -1 : 1;
  if (one->s != other->s)
    return one->s < other->s ? -1 : 1;
  return one->number - other->number;
}

/* Of all that are in two, the first is named. */
wy_status wy_network_check_once(wy_network_maker *in) {
  const int count = in->sorted_count = in->net->end_count;
  wy_placed_end *sorted = in->sorted;
  int earlier = -1, later = count;
  for (int i = 0; i < count; i++)
    sorted[i] = (wy_placed_end){in->ends[i].rod, i, in->ends[i].s};
  qsort(sorted, (size_t)count, sizeof *sorted, compare_placed);
  for (int i = 1; i < count; i++) {
    const wy_placed_end *a = &sorted[i - 1], *b = &sorted[i];
    if (a->rod != b->rod || b->s - a->s > WY_SAME_PLACE * in->model->rods[a->rod].length)
      continue;
    const int last = a->number > b->number ? a->number : b->number;
    if (last < later)
      later = last, earlier = a->number + b->number - last;
  }
  if (earlier < 0)
    return WY_OK;
  const int joint = in->ends[later].joint, other = in->ends[earlier].joint, number = in->numbers[later];
  char text[384], name[WY_PORT_NAME], path[WY_ENTRY_PATH];
  wy_port_name(in->model, &in->model->joints[joint].ports[number], name);
  wy_entry_path("joints", in->model->joints[other].name, other, path);
  if (joint == other)
    snprintf(text, sizeof text, "found %s a second time; expected different parts", name);
  else
    snprintf(text, sizeof text, "found %s, which is in %s already; expected one joint of all parts that meet there",
             name, path);
  return refuse_joint(in, joint, number, text);
}
