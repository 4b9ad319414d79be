/* SPDX-License-Identifier: MIT */
/* A network while it is made, shared by network.c (the whole), network_joints.c, network_springs.c and
   network_groups.c. */
#ifndef WY_MODEL_NETWORK_INSIDE_H
#define WY_MODEL_NETWORK_INSIDE_H

#include "base/message.h"
#include "model/parts.h"

/* Parts that are closer than this share of the longest rod, or of the largest distance from a body's centre of mass,
   meet. */
#define WY_MEETS 1e-6

/* An end that is sorted by its rod and arc length. */
typedef struct wy_placed_end {
  int rod, number;
  double s;
} wy_placed_end;

/* The network as it is made; what is constant for others. */
typedef struct wy_network_maker {
  wy_model *model;
  wy_message *message;
  wy_hub *hubs;
  wy_hub_end *ends;
  int *numbers; /* of the ends: those of their ports in their joints, for messages */
  int *rod_ends, *joint_hubs;
  int *own; /* of the ports of a joint: the hub of a body, or that which the end of a rod has for itself; -1: none */
  wy_spring_end (*springs)[2];
  wy_condition_def *conditions;
  wy_placed_end *sorted; /* ends of joints, by rod and arc length */
  int sorted_count;
  wy_network *net;
} wy_network_maker;

/* ---- network.c ---- */

/* Where a place of a joint or spring is, in messages. */
wy_status wy_network_refuse(const wy_network_maker *in, const char *list, const char *name, int index, int port,
                            const char *format, ...) WY_PRINTF(6, 7);

/* Place and frame of a port in the undeformed model. The ground has its place if it is given. */
void wy_place_port(const wy_model *model, const wy_port *port, double place[3], double frame[4]);
double wy_apart(const double a[3], const double b[3]);
/* (N1), (N2): a vector, and the place and frame of a rod, as a hub sees them. */
void wy_turn_into_hub(const wy_hub *hub, const double from[3], double out[3]);
void wy_place_on_hub(const wy_hub *hub, const double place[3], const double frame[4], wy_hub_end *end);

/* A hub without a body, with the axes of space: its number. */
int wy_network_add_hub(wy_network_maker *in, const double place[3], int joint, bool has_frame, bool known);
/* An end that a joint or spring holds is free in `ends`: what else would hold it? */
wy_status wy_network_check_free(const wy_network_maker *in, const char *list, const char *name, int index, int number,
                                const wy_port *port);
int wy_network_add_end(wy_network_maker *in, const wy_port *port, int hub, int joint, int number, bool turns,
                       const double place[3], const double frame[4]);

/* ---- network_joints.c, network_springs.c, network_groups.c: in this order ---- */

wy_status wy_network_add_joint(wy_network_maker *in, int index);
/* Each place of a rod is in one joint; sorts all that joints have. */
wy_status wy_network_check_once(wy_network_maker *in);
wy_status wy_network_add_spring(wy_network_maker *in, int index);
/* `parent` has room for two numbers of each rod and body. */
wy_status wy_network_add_groups(wy_network_maker *in, int *parent);

#endif
