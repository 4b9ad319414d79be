/* SPDX-License-Identifier: MIT */
/* Bodies, joints, springs and obstacles, each checked and resolved by itself (body.c, joint.c, obstacle.c); what they
   amount to together is network.h and contact.h. Names and arrays have been copied. */
#ifndef WY_MODEL_PARTS_H
#define WY_MODEL_PARTS_H

#include "model/inside.h"

wy_status wy_body_resolve(wy_body_def *body, int index, wy_message *message);

/* The bodies of the model are complete. */
wy_status wy_obstacle_resolve(const wy_model *model, wy_obstacle_def *obstacle, int index, wy_message *message);
/* distances.c: the grid of one that is resolved, whose values are copied. */
wy_status wy_obstacle_take_grid(const wy_distance_grid *given, wy_obstacle_def *obstacle, int index,
                                wy_message *message);
/* contact.c: rods, obstacles and the laws are complete. */
wy_status wy_contact_resolve(const wy_model *model, wy_message *message);
/* Friction and restitution of the entry of that path; NAN: not given. */
wy_status wy_contact_check_laws(const char *entry, double friction, double restitution, wy_message *message);

/* The rods and bodies of the model are complete. */
wy_status wy_joint_resolve(const wy_model *model, wy_joint_def *joint, int index, wy_message *message);
wy_status wy_spring_resolve(const wy_model *model, wy_spring_def *spring, int index, wy_message *message);

/* What a port is called: "beam.end", "beam at s = 0.4", "hub", "ground". */
enum { WY_PORT_NAME = 96 };
void wy_port_name(const wy_model *model, const wy_port *port, char out[WY_PORT_NAME]);

/* Is the port at an end of its rod, and at which? */
bool wy_port_end(const wy_model *model, const wy_port *port, wy_end_name *end);

/* pieces.c: inner points on hubs become vertices of their rods, whose segments are shared out in proportion; the pieces
   of all rods, once the ends are in their order. */
wy_status wy_pieces_grid(wy_model *model, const wy_hub_end *ends, int count, wy_message *message);
wy_status wy_pieces_list(const wy_model *model, wy_network *net);

/* Entry `port` of the list of ports of a joint or spring, in messages: "joints.corner.of[1]". */
void wy_port_path(const char *list, const char *name, int index, int port, char out[WY_ENTRY_PATH]);

#endif
