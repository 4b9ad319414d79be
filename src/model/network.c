/* SPDX-License-Identifier: MIT */
/* From joints and springs to hubs and groups: network.h. */
#include "model/network.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/parts.h"

/* Parts that are closer than this share of the longest rod, or of the largest distance from a body's centre of mass,
   meet. */
#define MEETS 1e-6

/* An end that is sorted by its rod and arc length. */
typedef struct placed {
  int rod, number;
  double s;
} placed;

/* The network as it is made; what is constant for others. */
typedef struct maker {
  wy_model *model;
  wy_message *message;
  wy_hub *hubs;
  wy_hub_end *ends;
  int *numbers; /* of the ends: those of their ports in their joints, for messages */
  int *rod_ends, *joint_hubs;
  int *own; /* of the ports of a joint: the hub of a body, or that which the end of a rod has for itself; -1: none */
  wy_spring_end (*springs)[2];
  wy_condition_def *conditions;
  placed *sorted; /* ends of joints, by rod and arc length */
  int sorted_count;
  wy_network *net;
} maker;

/* Where a place of a joint or spring is, in messages. */
static wy_status refuse_port(const maker *in, const char *list, const char *name, int index, int port,
                             const char *format, ...) WY_PRINTF(6, 7);

static wy_status refuse_port(const maker *in, const char *list, const char *name, int index, int port,
                             const char *format, ...) {
  char path[WY_ENTRY_PATH], text[512];
  wy_port_path(list, name, index, port, path);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

static wy_status refuse_joint(const maker *in, int joint, int port, const char *text) {
  return refuse_port(in, "joints", in->model->joints[joint].name, joint, port, "%s", text);
}

/* ---- Places ---- */

/* Place and frame of a port in the undeformed model. The ground has its place if it is given. */
static void place_port(const wy_model *model, const wy_port *port, double place[3], double frame[4]) {
  static const double space[4] = {1, 0, 0, 0};
  if (port->kind == WY_PORT_ROD) {
    const wy_rod_def *rod = &model->rods[port->index];
    wy_end_name end;
    const bool at_end = wy_port_end(model, port, &end);
    wy_reference_at(rod, !at_end ? port->s : end == WY_START ? 0 : rod->length, place, frame);
    wy_add3(place, 1, rod->shape.origin);
  } else if (port->kind == WY_PORT_BODY) {
    const wy_body_def *body = &model->bodies[port->index];
    double r[9];
    wy_qmatrix(body->frame, r);
    wy_mul3(r, port->point, place);
    wy_add3(place, 1, body->origin);
    memcpy(frame, body->frame, sizeof space);
  } else {
    wy_copy3(port->point, place);
    memcpy(frame, space, sizeof space);
  }
}

static double distance(const double a[3], const double b[3]) {
  const double between[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return wy_norm3(between);
}

/* (N1), (N2): the place and frame of a rod as its hub sees them. */
static void turn_into_hub(const wy_hub *hub, const double from[3], double out[3]) {
  double r[9];
  wy_qmatrix(hub->frame, r);
  wy_tmul3(r, from, out);
}

static void place_on_hub(const wy_hub *hub, const double place[3], const double frame[4], wy_hub_end *end) {
  const double from[3] = {place[0] - hub->origin[0], place[1] - hub->origin[1], place[2] - hub->origin[2]};
  turn_into_hub(hub, from, end->c);
  wy_qrelative(hub->frame, frame, end->q);
  if (!hub->has_frame)
    memset(end->c, 0, sizeof end->c);
}

/* ---- Hubs ---- */

static void add_bodies(maker *in) {
  for (int i = 0; i < in->model->body_count; i++) {
    const wy_body_def *body = &in->model->bodies[i];
    wy_hub *hub = &in->hubs[in->net->hub_count++];
    *hub = (wy_hub){
        .body = i, .joint = -1, .parent = -1, .has_frame = true, .known = isinf(body->release) && body->rotation};
    wy_copy3(body->origin, hub->origin);
    memcpy(hub->frame, body->frame, sizeof hub->frame);
    for (int k = 0; k < 3; k++)
      hub->known = hub->known && body->position[k] != WY_FREE;
  }
}

/* A hub without a body, with the axes of space. */
static int add_hub(maker *in, const double place[3], int joint, bool has_frame, bool known) {
  wy_hub *hub = &in->hubs[in->net->hub_count];
  *hub =
      (wy_hub){.frame = {1, 0, 0, 0}, .body = -1, .joint = joint, .parent = -1, .known = known, .has_frame = has_frame};
  wy_copy3(place, hub->origin);
  return in->net->hub_count++;
}

/* A hub that stands on another one, with its frame: where a port of a joint turns. */
static int add_sub_hub(maker *in, int parent, wy_hub_kind kind, int joint, int part, const double place[3]) {
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

/* An end that a joint or spring holds is free in `ends`: what else would hold it? */
static bool is_free(const wy_end *end) {
  return end->rotation == WY_FREE && end->position[0] == WY_FREE && end->position[1] == WY_FREE &&
         end->position[2] == WY_FREE;
}

static wy_status check_free(const maker *in, const char *list, const char *name, int index, int number,
                            const wy_port *port) {
  wy_end_name end;
  if (!wy_port_end(in->model, port, &end) || is_free(&in->model->rods[port->index].ends[end]))
    return WY_OK;
  const char *rod = in->model->rods[port->index].name, *word = end == WY_START ? "start" : "end";
  return refuse_port(in, list, name, index, number,
                     "found %s.%s, which rods[%d].ends.%s holds, too; expected an end that is free there: a joint with "
                     "the ground can hold it",
                     rod, word, port->index, word);
}

static int add_end(maker *in, const wy_port *port, int hub, int joint, int number, bool turns, const double place[3],
                   const double frame[4]) {
  const int index = in->net->end_count++;
  wy_hub_end *end = &in->ends[index];
  *end = (wy_hub_end){.rod = port->index, .hub = hub, .joint = joint, .s = port->s};
  end->turns = turns;
  end->inner = !wy_port_end(in->model, port, &end->end);
  if (!end->inner)
    end->s = end->end == WY_START ? 0 : in->model->rods[port->index].length;
  place_on_hub(&in->hubs[hub], place, frame, end);
  in->numbers[index] = number;
  return index;
}

/* ---- Joints ---- */

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
  place_port(model, &joint->ports[find_anchor(joint, at.first)], at.place, frame);
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
  place_port(model, &joint->ports[1 - turned], place, other);
  wy_qmul(other, back, between);
  wy_qlog(between, turn);
}

/* Turns an end as its joint wants it, and remembers how far it is from there as it is drawn. */
static void mark_gap(const maker *in, const wy_joint_def *joint, int number, const double drawn[3],
                     const double place[3], const double frame[4], wy_hub_end *end) {
  const wy_hub *hub = &in->hubs[end->hub];
  const double from[3] = {drawn[0] - place[0], drawn[1] - place[1], drawn[2] - place[2]};
  double turn[3], r[9], step[4], q[4];
  turn_into_hub(hub, from, end->gap);
  find_turn(in->model, joint, number, frame, turn);
  wy_qmatrix(frame, r);
  wy_tmul3(r, turn, end->turn);
  wy_qexp(end->turn, step);
  wy_qmul(end->q, step, q);
  memcpy(end->q, q, sizeof q);
}

/* Does a port meet the first one? If it is to be brought there, it is there. */
static wy_status check_meets(const maker *in, int index, int number, const meeting *at, double place[3]) {
  const wy_joint_def *joint = &in->model->joints[index];
  const double gap = distance(at->place, place);
  char one[WY_PORT_NAME], other[WY_PORT_NAME];
  if (gap <= MEETS * at->size)
    return WY_OK;
  if (joint->assemble) {
    wy_copy3(at->place, place);
    return WY_OK;
  }
  wy_port_name(in->model, &joint->ports[at->first], one);
  wy_port_name(in->model, &joint->ports[number], other);
  char entry[32];
  snprintf(entry, sizeof entry, "%d", index);
  return refuse_port(in, "joints", joint->name, index, number,
                     "joint %.63s: %s and %s are %.6g apart; move them or set assemble",
                     joint->name ? joint->name : entry, one, other, gap);
}

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

/* The hub for the port of a rod, which turns with it if it needs a frame. */
static int hub_of_port(maker *in, int index, int number, const meeting *at, int main, int parent) {
  const wy_joint_def *joint = &in->model->joints[index];
  const double gap = distance(at->place, in->hubs[parent].origin);
  if (joint->kind == WY_WELD || number == main || !needs_frame(in->model, joint, &joint->ports[number]))
    return parent;
  if (joint->kind == WY_HINGE) /* a driven one whose first part turns against all others: those are welded */
    return joint->has_angle && main < 0 && number > 0 && joint->ports[0].kind == WY_PORT_ROD
               ? parent
               : add_sub_hub(in, parent, WY_HUB_HINGE, index, number, at->place);
  return gap <= MEETS * at->size ? add_sub_hub(in, parent, WY_HUB_TURNS, index, number, at->place) : parent;
}

/* Does the end or inner point of a rod have a hub for itself, to which conditions hold it? If the joint lets it go at
   some time, or if its frame turns at a point of a body. */
static bool is_own(const wy_model *model, const wy_joint_def *joint, int number, const meeting *at) {
  const wy_port *port = &joint->ports[number];
  if (port->kind != WY_PORT_ROD)
    return false;
  return isfinite(joint->release) || (joint->kind == WY_BALL && at->body >= 0 && needs_frame(model, joint, port) &&
                                      distance(at->place, model->bodies[at->body].origin) > MEETS * at->size);
}

/* The place of a joint on a hub, or on the ground. */
static void place_condition(const maker *in, int hub, const double place[3], double c[3]) {
  wy_hub_end end;
  static const double space[4] = {1, 0, 0, 0};
  if (hub >= 0)
    place_on_hub(&in->hubs[hub], place, space, &end);
  wy_copy3(hub >= 0 ? end.c : place, c);
}

/* (N7): the first of the ports that have a hub of their own, or are the ground, against each of the others. Nothing has
   to be held between hubs whose motion is known. */
static void add_conditions(maker *in, int index, const meeting *at, const int *hubs) {
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

static wy_status add_joint(maker *in, int index) {
  const wy_joint_def *joint = &in->model->joints[index];
  wy_port *ports = (wy_port *)joint->ports; /* the model's own */
  const meeting at = meet(in->model, joint);
  const int main = find_main(in->model, joint, &at);
  const bool has_frame = joint->kind != WY_BALL || joint->has_spring || main >= 0;
  const bool released = isfinite(joint->release);
  const int hub = at.body >= 0 ? at.body
                  : released   ? -1
                               : add_hub(in, at.place, index, has_frame, at.ground && !slides(joint));
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
    place_port(in->model, &ports[i], place, frame);
    wy_copy3(place, drawn);
    status = check_meets(in, index, i, &at, place);
    in->own[i] = ports[i].kind == WY_PORT_BODY ? ports[i].index : -1;
    if (!status && ports[i].kind == WY_PORT_ROD) {
      status = check_free(in, "joints", joint->name, index, i, &ports[i]);
      const bool own = is_own(in->model, joint, i, &at), frame_counts = needs_frame(in->model, joint, &ports[i]);
      const int on =
          own ? add_hub(in, at.place, index, frame_counts, false) : hub_of_port(in, index, i, &at, main, hub);
      in->own[i] = own ? on : -1;
      in->hubs[on].part = own ? i : in->hubs[on].part;
      if (own && at.body >= 0) /* springs of balls compare frames */
        memcpy(in->hubs[on].frame, in->hubs[at.body].frame, sizeof in->hubs[on].frame);
      const int end = add_end(in, &ports[i], on, index, i,
                              own ? frame_counts : joint->kind != WY_BALL || on != hub || i == main, place, frame);
      if (joint->assemble)
        mark_gap(in, joint, i, drawn, place, frame, &in->ends[end]);
    }
  }
  if (!status)
    add_conditions(in, index, &at, in->own);
  return status;
}

static int compare_placed(const void *a, const void *b) {
  const placed *one = a, *other = b;
  if (one->rod != other->rod)
    return one->rod < other->rod ? -1 : 1;
  if (one->s != other->s)
    return one->s < other->s ? -1 : 1;
  return one->number - other->number;
}

/* Each place of a rod is in one joint. Of all that are in two, the first is named. */
static wy_status check_once(maker *in) {
  const int count = in->sorted_count = in->net->end_count;
  placed *sorted = in->sorted;
  int earlier = -1, later = count;
  for (int i = 0; i < count; i++)
    sorted[i] = (placed){in->ends[i].rod, i, in->ends[i].s};
  qsort(sorted, (size_t)count, sizeof *sorted, compare_placed);
  for (int i = 1; i < count; i++) {
    const placed *a = &sorted[i - 1], *b = &sorted[i];
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

/* ---- Springs ---- */

/* The end of a joint at an inner point of a rod, or -1. */
static int find_inner(const maker *in, const wy_port *port) {
  const double near = WY_SAME_PLACE * in->model->rods[port->index].length;
  int from = 0, to = in->sorted_count;
  while (from < to) { /* the first one that is not before it */
    const int middle = from + (to - from) / 2;
    const placed *at = &in->sorted[middle];
    if (at->rod < port->index || (at->rod == port->index && at->s < port->s - near))
      from = middle + 1;
    else
      to = middle;
  }
  const placed *at = &in->sorted[from];
  return from < in->sorted_count && at->rod == port->index && at->s <= port->s + near ? at->number : -1;
}

/* The end that another spring has made at an inner point, or -1. */
static int find_spring_end(const maker *in, const wy_port *port) {
  const double near = WY_SAME_PLACE * in->model->rods[port->index].length;
  for (int i = in->sorted_count; i < in->net->end_count; i++)
    if (in->ends[i].inner && in->ends[i].rod == port->index && fabs(in->ends[i].s - port->s) <= near)
      return i;
  return -1;
}

/* The hub of a place of a rod: that of a joint or of another spring, or a new one. */
static wy_status hub_of_spring(maker *in, int index, int number, const wy_port *port, wy_spring_end *out) {
  const wy_spring_def *spring = &in->model->springs[index];
  wy_end_name name;
  double place[3], frame[4];
  const bool at_end = wy_port_end(in->model, port, &name);
  int end = at_end ? in->rod_ends[2 * port->index + (int)name] : find_inner(in, port);
  place_port(in->model, port, place, frame);
  if (end < 0 && !at_end)
    end = find_spring_end(in, port);
  if (end < 0) {
    wy_status status = check_free(in, "springs", spring->name, index, number, port);
    if (status)
      return status;
    end = add_end(in, port, add_hub(in, place, -1, !at_end, false), -1, number, !at_end, place, frame);
    if (at_end)
      in->rod_ends[2 * port->index + (int)name] = end;
  }
  *out = (wy_spring_end){.hub = in->ends[end].hub};
  wy_copy3(in->ends[end].c, out->c);
  if (in->hubs[out->hub].parent >= 0) { /* the place is one of the parent */
    wy_copy3(in->hubs[out->hub].c, out->c);
    out->hub = in->hubs[out->hub].parent;
  }
  return WY_OK;
}

static wy_status spring_end(maker *in, int index, int number, wy_spring_end *out) {
  const wy_port *port = &in->model->springs[index].ports[number];
  if (port->kind == WY_PORT_ROD)
    return hub_of_spring(in, index, number, port, out);
  *out = (wy_spring_end){.hub = port->kind == WY_PORT_BODY ? port->index : -1};
  wy_copy3(port->point, out->c);
  return WY_OK;
}

static wy_status add_spring(maker *in, int index) {
  wy_spring_def *spring = &in->model->springs[index];
  double place[2][3], frame[4];
  for (int i = 0; i < 2; i++) /* at most one of them is the ground */
    if (spring->ports[i].kind == WY_PORT_GROUND && !spring->ports[i].placed) {
      place_port(in->model, &spring->ports[1 - i], spring->ports[i].point, frame);
      spring->ports[i].placed = true;
    }
  for (int i = 0; i < 2; i++)
    place_port(in->model, &spring->ports[i], place[i], frame);
  const double apart = distance(place[0], place[1]);
  if (!(apart > MEETS * spring->length) && spring->length > 0) {
    char path[WY_ENTRY_PATH + 16], entry[WY_ENTRY_PATH];
    wy_entry_path("springs", spring->name, index, entry);
    snprintf(path, sizeof path, "%s.length", entry);
    return wy_fail_at(in->message, path, "found %g between places that meet; expected 0, or places that are apart",
                      spring->length);
  }
  wy_status status = spring_end(in, index, 0, &in->springs[index][0]);
  return status ? status : spring_end(in, index, 1, &in->springs[index][1]);
}

/* ---- Groups ---- */

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

/* The groups of all parts in the order of their first ones: `group` of each part. Returns their number. */
static int number_groups(const wy_model *model, int *parent, int *group) {
  const int parts = model->rod_count + model->body_count;
  int count = 0;
  for (int i = 0; i < parts; i++)
    parent[i] = i, group[i] = -1;
  for (int i = 0; i < model->joint_count; i++)
    unite(model, parent, model->joints[i].ports, model->joints[i].port_count);
  for (int i = 0; i < model->spring_count; i++)
    unite(model, parent, model->springs[i].ports, 2);
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

static int group_of_condition(const maker *in, const int *group, int condition) {
  const wy_port *ports = in->model->joints[in->conditions[condition].joint].ports;
  return group_of_port(in->model, group, &ports[ports[0].kind == WY_PORT_GROUND]);
}

/* Lists of rods, hubs, springs and conditions behind each other in the pool, group by group. */
static void list_groups(const maker *in, const int *group, wy_group_def *groups) {
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
static wy_status mark_assembly(maker *in) {
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

static wy_status add_groups(maker *in, int *parent) {
  const wy_model *model = in->model;
  int *group = parent + model->rod_count + model->body_count;
  in->net->group_count = number_groups(model, parent, group);
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

/* ---- The whole ---- */

/* Ends stand hub by hub, in the order in which they were added. */
static void sort_ends(maker *in, wy_hub_end *spare) {
  const int count = in->net->end_count;
  for (int i = 0; i < count; i++)
    in->hubs[in->ends[i].hub].end_count++;
  for (int i = 0, next = 0; i < in->net->hub_count; i++) {
    in->hubs[i].first_end = next;
    next += in->hubs[i].end_count;
    in->hubs[i].end_count = 0;
  }
  memcpy(spare, in->ends, (size_t)count * sizeof *spare);
  for (int i = 0; i < count; i++) {
    wy_hub *hub = &in->hubs[spare[i].hub];
    const int to = hub->first_end + hub->end_count++;
    in->ends[to] = spare[i];
    if (!spare[i].inner)
      in->rod_ends[2 * spare[i].rod + (int)spare[i].end] = to;
  }
}

/* A hub that holds the frame of an end holds it as it is drawn. */
static wy_status check_twist(const maker *in) {
  char path[64], name[WY_PORT_NAME], entry[WY_ENTRY_PATH];
  for (int i = 0; i < in->net->end_count; i++) {
    const wy_hub_end *end = &in->ends[i];
    const double twist = wy_signal_value(&in->model->rods[end->rod].initial.twist, end->s, 0);
    if (!end->turns || fabs(twist) <= 1e-9)
      continue;
    snprintf(path, sizeof path, "rods[%d].initial.twist", end->rod);
    wy_port_name(in->model, &in->model->joints[end->joint].ports[in->numbers[i]], name);
    wy_entry_path("joints", in->model->joints[end->joint].name, end->joint, entry);
    return wy_fail_at(in->message, path, "found %g at %s, which %s holds; expected 0 there", twist, name, entry);
  }
  return WY_OK;
}

/* All but groups. `spare` has room for all ends. */
static wy_status add_all(maker *in, wy_hub_end *spare) {
  wy_status status = WY_OK;
  for (int i = 0; i < 2 * in->model->rod_count; i++)
    in->rod_ends[i] = -1;
  add_bodies(in);
  for (int i = 0; i < in->model->joint_count && !status; i++)
    status = add_joint(in, i);
  if (!status)
    status = check_once(in);
  if (!status)
    status = check_twist(in);
  for (int i = 0; i < in->net->end_count && !status; i++)
    if (!in->ends[i].inner)
      in->rod_ends[2 * in->ends[i].rod + (int)in->ends[i].end] = i;
  for (int i = 0; i < in->model->spring_count && !status; i++)
    status = add_spring(in, i);
  if (!status)
    status = wy_pieces_grid(in->model, in->ends, in->net->end_count, in->message);
  if (status)
    return status;
  sort_ends(in, spare);
  return wy_pieces_list(in->model, in->net);
}

static wy_status create(maker *in) {
  const wy_model *model = in->model;
  size_t hubs = (size_t)model->body_count + (size_t)model->joint_count + 2 * (size_t)model->spring_count;
  size_t ends = 2 * (size_t)model->spring_count, parts = (size_t)model->rod_count + (size_t)model->body_count;
  for (int i = 0; i < model->joint_count; i++)
    ends += (size_t)model->joints[i].port_count, hubs += (size_t)model->joints[i].port_count;
  in->net->hubs = in->hubs = calloc(hubs + 1, sizeof *in->hubs);
  in->net->ends = in->ends = calloc(ends + 1, sizeof *in->ends);
  in->net->rod_ends = in->rod_ends = calloc(2 * (size_t)model->rod_count + 1, sizeof *in->rod_ends);
  in->net->joint_hubs = in->joint_hubs = calloc((size_t)model->joint_count + 1, sizeof *in->joint_hubs);
  in->net->spring_count = model->spring_count;
  in->springs = calloc((size_t)model->spring_count + 1, sizeof *in->springs);
  in->net->springs = (const wy_spring_end(*)[2])in->springs;
  in->net->conditions = in->conditions = calloc(ends + 1, sizeof *in->conditions);
  in->own = calloc(ends + 1, sizeof *in->own);
  in->numbers = calloc(ends + 1, sizeof *in->numbers);
  in->sorted = calloc(ends + 1, sizeof *in->sorted);
  wy_hub_end *spare = calloc(ends + 1, sizeof *spare);
  int *parent = calloc(2 * parts, sizeof *parent);
  wy_status status = WY_ERROR_MEMORY;
  if (in->hubs && in->ends && in->rod_ends && in->joint_hubs && in->springs && in->conditions && in->own &&
      in->numbers && in->sorted && spare && parent)
    status = add_all(in, spare);
  if (!status)
    status = add_groups(in, parent);
  free(in->own);
  free(in->numbers);
  free(in->sorted);
  free(spare);
  free(parent);
  return status == WY_ERROR_MEMORY ? wy_fail(in->message, status, "out of memory for the network") : status;
}

wy_status wy_network_create(wy_model *model, wy_network **network, wy_message *message) {
  *network = calloc(1, sizeof **network);
  if (!*network)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the network");
  return create(&(maker){.model = model, .message = message, .net = *network});
}

void wy_network_destroy(wy_network *network) {
  if (!network)
    return;
  free((wy_hub *)network->hubs);
  free((wy_hub_end *)network->ends);
  free((void *)network->springs);
  free((wy_condition_def *)network->conditions);
  free((wy_group_def *)network->groups);
  free((int *)network->rod_groups);
  free((bool *)network->assembles);
  free((int *)network->rod_ends);
  free((int *)network->joint_hubs);
  free((wy_piece *)network->pieces);
  free((int *)network->rod_pieces);
  free(network->lists);
  free(network);
}

const wy_network *wy_model_network(const wy_model *model) {
  return model->network;
}

int wy_network_end(const wy_model *model, int rod, wy_end_name end) {
  return model->network->rod_ends[2 * rod + (int)end];
}

int wy_network_part(const wy_model *model, int joint, int port) {
  const wy_network *network = model->network;
  for (int i = 0; i < network->hub_count; i++)
    if (i != network->joint_hubs[joint] && network->hubs[i].joint == joint && network->hubs[i].part == port)
      return i;
  return network->joint_hubs[joint];
}
