/* SPDX-License-Identifier: MIT */
/* From joints and springs to hubs and groups: network.h. The whole, and what its parts are made of. */
#include "model/network.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "model/network_inside.h"

wy_status wy_network_refuse(const wy_network_maker *in, const char *list, const char *name, int index, int port,
                            const char *format, ...) {
  char path[WY_ENTRY_PATH], text[512];
  wy_port_path(list, name, index, port, path);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

/* ---- Places ---- */

void wy_place_port(const wy_model *model, const wy_port *port, double place[3], double frame[4]) {
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

double wy_apart(const double a[3], const double b[3]) {
  const double between[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return wy_norm3(between);
}

void wy_turn_into_hub(const wy_hub *hub, const double from[3], double out[3]) {
  double r[9];
  wy_qmatrix(hub->frame, r);
  wy_tmul3(r, from, out);
}

void wy_place_on_hub(const wy_hub *hub, const double place[3], const double frame[4], wy_hub_end *end) {
  const double from[3] = {place[0] - hub->origin[0], place[1] - hub->origin[1], place[2] - hub->origin[2]};
  wy_turn_into_hub(hub, from, end->c);
  wy_qrelative(hub->frame, frame, end->q);
  if (!hub->has_frame)
    memset(end->c, 0, sizeof end->c);
}

/* ---- Hubs and ends ---- */

static void add_bodies(wy_network_maker *in) {
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

int wy_network_add_hub(wy_network_maker *in, const double place[3], int joint, bool has_frame, bool known) {
  wy_hub *hub = &in->hubs[in->net->hub_count];
  *hub =
      (wy_hub){.frame = {1, 0, 0, 0}, .body = -1, .joint = joint, .parent = -1, .known = known, .has_frame = has_frame};
  wy_copy3(place, hub->origin);
  return in->net->hub_count++;
}

static bool is_free(const wy_end *end) {
  return end->rotation == WY_FREE && end->position[0] == WY_FREE && end->position[1] == WY_FREE &&
         end->position[2] == WY_FREE;
}

wy_status wy_network_check_free(const wy_network_maker *in, const char *list, const char *name, int index, int number,
                                const wy_port *port) {
  wy_end_name end;
  if (!wy_port_end(in->model, port, &end) || is_free(&in->model->rods[port->index].ends[end]))
    return WY_OK;
  const char *rod = in->model->rods[port->index].name, *word = end == WY_START ? "start" : "end";
  return wy_network_refuse(
      in, list, name, index, number,
      "found %s.%s, which rods[%d].ends.%s holds, too; expected an end that is free there: a joint with "
      "the ground can hold it",
      rod, word, port->index, word);
}

int wy_network_add_end(wy_network_maker *in, const wy_port *port, int hub, int joint, int number, bool turns,
                       const double place[3], const double frame[4]) {
  const int index = in->net->end_count++;
  wy_hub_end *end = &in->ends[index];
  *end = (wy_hub_end){.rod = port->index, .hub = hub, .joint = joint, .s = port->s};
  end->turns = turns;
  end->inner = !wy_port_end(in->model, port, &end->end);
  if (!end->inner)
    end->s = end->end == WY_START ? 0 : in->model->rods[port->index].length;
  wy_place_on_hub(&in->hubs[hub], place, frame, end);
  in->numbers[index] = number;
  return index;
}

/* ---- The whole ---- */

/* Ends stand hub by hub, in the order in which they were added. */
static void sort_ends(wy_network_maker *in, wy_hub_end *spare) {
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
static wy_status check_twist(const wy_network_maker *in) {
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
static wy_status add_all(wy_network_maker *in, wy_hub_end *spare) {
  wy_status status = WY_OK;
  for (int i = 0; i < 2 * in->model->rod_count; i++)
    in->rod_ends[i] = -1;
  add_bodies(in);
  for (int i = 0; i < in->model->joint_count && !status; i++)
    status = wy_network_add_joint(in, i);
  if (!status)
    status = wy_network_check_once(in);
  if (!status)
    status = check_twist(in);
  for (int i = 0; i < in->net->end_count && !status; i++)
    if (!in->ends[i].inner)
      in->rod_ends[2 * in->ends[i].rod + (int)in->ends[i].end] = i;
  for (int i = 0; i < in->model->spring_count && !status; i++)
    status = wy_network_add_spring(in, i);
  if (!status)
    status = wy_pieces_grid(in->model, in->ends, in->net->end_count, in->message);
  if (status)
    return status;
  sort_ends(in, spare);
  return wy_pieces_list(in->model, in->net);
}

static wy_status create(wy_network_maker *in) {
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
    status = wy_network_add_groups(in, parent);
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
  return create(&(wy_network_maker){.model = model, .message = message, .net = *network});
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
