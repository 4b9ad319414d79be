/* SPDX-License-Identifier: MIT */
/* Springs of a network: the hubs that their ends sit on. */
#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "model/network_inside.h"

/* The end of a joint at an inner point of a rod, or -1. */
static int find_inner(const wy_network_maker *in, const wy_port *port) {
  const double near = WY_SAME_PLACE * in->model->rods[port->index].length;
  int from = 0, to = in->sorted_count;
  while (from < to) { /* the first one that is not before it */
    const int middle = from + (to - from) / 2;
    const wy_placed_end *at = &in->sorted[middle];
    if (at->rod < port->index || (at->rod == port->index && at->s < port->s - near))
      from = middle + 1;
    else
      to = middle;
  }
  const wy_placed_end *at = &in->sorted[from];
  return from < in->sorted_count && at->rod == port->index && at->s <= port->s + near ? at->number : -1;
}

/* The end that another spring has made at an inner point, or -1. */
static int find_spring_end(const wy_network_maker *in, const wy_port *port) {
  const double near = WY_SAME_PLACE * in->model->rods[port->index].length;
  for (int i = in->sorted_count; i < in->net->end_count; i++)
    if (in->ends[i].inner && in->ends[i].rod == port->index && fabs(in->ends[i].s - port->s) <= near)
      return i;
  return -1;
}

/* The hub of a place of a rod: that of a joint or of another spring, or a new one. */
static wy_status hub_of_spring(wy_network_maker *in, int index, int number, const wy_port *port, wy_spring_end *out) {
  const wy_spring_def *spring = &in->model->springs[index];
  wy_end_name name;
  double place[3], frame[4];
  const bool at_end = wy_port_end(in->model, port, &name);
  int end = at_end ? in->rod_ends[2 * port->index + (int)name] : find_inner(in, port);
  wy_place_port(in->model, port, place, frame);
  if (end < 0 && !at_end)
    end = find_spring_end(in, port);
  if (end < 0) {
    wy_status status = wy_network_check_free(in, "springs", spring->name, index, number, port);
    if (status)
      return status;
    end = wy_network_add_end(in, port, wy_network_add_hub(in, place, -1, !at_end, false), -1, number, !at_end, place,
                             frame);
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

static wy_status spring_end(wy_network_maker *in, int index, int number, wy_spring_end *out) {
  const wy_port *port = &in->model->springs[index].ports[number];
  if (port->kind == WY_PORT_ROD)
    return hub_of_spring(in, index, number, port, out);
  *out = (wy_spring_end){.hub = port->kind == WY_PORT_BODY ? port->index : -1};
  wy_copy3(port->point, out->c);
  return WY_OK;
}

wy_status wy_network_add_spring(wy_network_maker *in, int index) {
  wy_spring_def *spring = &in->model->springs[index];
  double place[2][3], frame[4];
  for (int i = 0; i < 2; i++) /* at most one of them is the ground */
    if (spring->ports[i].kind == WY_PORT_GROUND && !spring->ports[i].placed) {
      wy_place_port(in->model, &spring->ports[1 - i], spring->ports[i].point, frame);
      spring->ports[i].placed = true;
    }
  for (int i = 0; i < 2; i++)
    wy_place_port(in->model, &spring->ports[i], place[i], frame);
  const double apart = wy_apart(place[0], place[1]);
  if (!(apart > WY_MEETS * spring->length) && spring->length > 0) {
    char path[WY_ENTRY_PATH + 16], entry[WY_ENTRY_PATH];
    wy_entry_path("springs", spring->name, index, entry);
    snprintf(path, sizeof path, "%s.length", entry);
    return wy_fail_at(in->message, path, "found %g between places that meet; expected 0, or places that are apart",
                      spring->length);
  }
  wy_status status = spring_end(in, index, 0, &in->springs[index][0]);
  return status ? status : spring_end(in, index, 1, &in->springs[index][1]);
}
