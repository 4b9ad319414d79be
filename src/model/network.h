/* SPDX-License-Identifier: MIT */
/* What bodies, joints and springs of a model amount to: hubs, the ends of rods on them, and groups. All of it is
   constant (docs/theory/network.md).

   A hub is a place and a frame that parts share. Body i is hub i. A joint without a body makes a hub at the place where
   its parts meet, with the frame of space; its motion is known if the ground is among its parts. All rod ends of a
   joint with a body sit on the hub of its first body. An end of a rod that has a spring and no joint gets a hub of its
   own, so that springs act between hubs and the ground. So does an inner point of a rod, and each hub holds the frame
   of the inner points on it. They cut the rod into pieces.

   A hub may stand on another one, its parent, which is no such hub itself: at a hinge all parts but one turn about an
   axis of their parent, each with a hub of its own; where a ball has a spring, or holds an inner point of a rod, parts
   have hubs of their own that turn freely at the place of their parent.

   A joint of two bodies or more, or of a body and the ground, joins hubs to each other by conditions (N7). So does a
   joint that is released at some time: each end of a rod in it has a hub of its own, which is free then. */
#ifndef WY_MODEL_NETWORK_H
#define WY_MODEL_NETWORK_H

#include "withy/model.h"

/* A place of a rod that sits on a hub. */
typedef struct wy_hub_end {
  int rod;
  wy_end_name end; /* of an end */
  bool inner;      /* it is none: the hub holds an inner point of the rod, both pieces welded */
  bool turns;      /* weld, hinge: the hub holds the rotation (but for a hinge's angle) */
  double s;        /* arc length: 0, the length, or between */
  int hub;
  int joint;   /* -1: none, it is there for springs */
  double c[3]; /* (N1): the place in hub axes; 0 on hubs without frame */
  double q[4]; /* q_o of (N2): the frame of the rod there, in hub axes */
  /* Joints that bring parts together: how far from c it is drawn (hub axes), and what turns the frame as it is drawn
     into q (a rotation vector of any length, axes of the rod). Else 0. */
  double gap[3], turn[3];
} wy_hub_end;

/* How a hub moves. */
typedef enum wy_hub_kind {
  WY_HUB_OWN,   /* place and frame of its own */
  WY_HUB_TURNS, /* at the origin of its parent, with a frame of its own */
  WY_HUB_HINGE  /* at a point of its parent, turned about an axis (N3) */
} wy_hub_kind;

/* A place and frame that parts share. */
typedef struct wy_hub {
  double origin[3], frame[4]; /* of the undeformed model, in space */
  int body;                   /* -1: none */
  int joint;                  /* which made it; -1: none */
  wy_hub_kind kind;
  int parent;     /* -1: none. Its number is smaller */
  int part;       /* of a hub that is not shared: the port of its joint that sits on it */
  double c[3];    /* of a hinge: the place in the axes of the parent */
  double axis[3]; /* of a hinge: unit vector, in the axes of both; their frames are the same in the undeformed model */
  bool driven;    /* the angle of a hinge is given */
  double sign;    /* of a driven hinge: 1, or -1 if the angle is that of the others against it */
  bool known;   /* its motion is: ground, a body of which all components are held or driven for ever, or a driven hinge
                   on them */
  bool held[4]; /* without a body, by the ground: components of the place in space axes, and the frame */
  bool has_frame;           /* else nothing turns with it (balls of rod ends): 3 unknowns */
  int first_end, end_count; /* in `ends` */
  int group;
} wy_hub;

/* An end of a spring: on a hub, or on the ground. */
typedef struct wy_spring_end {
  int hub;     /* -1: none */
  double c[3]; /* place in hub axes; without a hub in space, in the undeformed model */
} wy_spring_end;

/* What a joint holds between two hubs, or a hub and the ground. */
typedef struct wy_condition_def {
  int joint;
  int part[2];    /* ports of the joint that sit on these hubs; the second turns against the first */
  int hub[2];     /* -1: the ground */
  double c[2][3]; /* the place of the joint in hub axes; of the ground: in space */
} wy_condition_def;

/* A rod, or what of it lies between neighbouring inner points on hubs, or between one and an end. */
typedef struct wy_piece {
  int rod;
  int first, count; /* segments */
  double from, to;  /* arc lengths */
  int ends[2];      /* in `ends`; -1: it ends on no hub */
} wy_piece;

/* Connected parts. Numbers increase in each list. */
typedef struct wy_group_def {
  int rod_count, hub_count, spring_count, condition_count;
  const int *rods, *hubs, *springs, *conditions;
} wy_group_def;

typedef struct wy_network {
  int hub_count;
  const wy_hub *hubs;
  int end_count;
  const wy_hub_end *ends; /* by hub, in the order of joints and their ports */
  int spring_count;
  const wy_spring_end (*springs)[2];
  const bool *assembles; /* [group_count] has it parts that joints bring together? */
  int condition_count;
  const wy_condition_def *conditions; /* in the order of joints and their ports */
  int group_count;
  const wy_group_def *groups; /* by their first rods; those without rods behind, by their first bodies */
  const int *rod_groups;      /* the group of each rod */
  const int *rod_ends;        /* entry 2 rod + end: number in `ends`, or -1 */
  const int *joint_hubs;      /* of each joint: that of its body or of the ground, or which it made; parent of others */
  int piece_count;
  const wy_piece *pieces; /* by rods, along each */
  const int *rod_pieces;  /* [rods + 1] the first of each rod */
  int *lists;             /* what the groups' lists point into */
} wy_network;

/* Never NULL. A rod without joints and springs is a group of its own: without any, group i is rod i. */
const wy_network *wy_model_network(const wy_model *model);

/* The number of an end of a rod in `ends`; -1 if it sits on no hub. */
int wy_network_end(const wy_model *model, int rod, wy_end_name end);

/* The hub that a port of a joint sits on. */
int wy_network_part(const wy_model *model, int joint, int port);

/* Resolves a model whose rods, bodies, joints and springs have been checked one by one: do the parts meet, is each end
   on one hub? Writes the places of ports on the ground into the model. */
wy_status wy_network_create(wy_model *model, wy_network **network, wy_message *message);
void wy_network_destroy(wy_network *network);

#endif
