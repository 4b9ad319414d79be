/* SPDX-License-Identifier: MIT */
/* The inside of a group of mixed rods, shared by mixed_create.c, mixed_group.c (states and what leaves), mixed_hubs.c
   (forces at hubs and their derivatives), mixed_step.c and mixed_statics.c. */
#ifndef WY_NETWORK_MIXED_INSIDE_H
#define WY_NETWORK_MIXED_INSIDE_H

#include "linalg/hubs.h"
#include "model/network.h"
#include "network/drive.h"
#include "network/mixed.h"
#include "scheme/applied.h"
#include "scheme/mixed/rod.h"

typedef double wy_block6[WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS];

typedef struct wy_mixed_member {
  wy_mixed *rod;
  int offset, dof, step; /* of its state, of its degrees of freedom at rest, of its unknowns in a step */
  int seat[2];           /* of its ends; -1: the end sits on no hub */
} wy_mixed_member;

/* An end of a rod on a hub (N20): phi = phi_J + sum c_i d_i - origin, d_k = sum turn_ik d_i of the hub. */
typedef struct wy_mixed_seat {
  int part, hub, end;
  bool turns;
  double c[3], turn[9], origin[3]; /* hub axes; row by row; of the rod, from that of the group */
  double left[3], right[3];        /* sum c_i d_i of the task: where forces act, and where it is to be found */
} wy_mixed_seat;

typedef struct wy_mixed_hub {
  const wy_hub *def;
  int block;      /* in the matrix of hubs; -1: its motion is known */
  bool has_frame; /* else three unknowns */
  bool held[WY_NODE_UNKNOWNS], any_held;
  double mass, euler[9], inertia[9]; /* of a body: (N21), and the usual one */
  /* The step, or the equilibrium, in hand: as those of a rod's nodes. */
  double from[WY_NODE], velocity[WY_NODE], middle[WY_NODE], end[WY_NODE], known_end[WY_NODE], acceleration[WY_NODE];
  const double *left, *right;    /* q in the forces, q to be found */
  double rows[WY_NODE_UNKNOWNS], /* forces and moments that are missing, without those of rods */
      total[WY_NODE_UNKNOWNS];   /* and with them */
  wy_block6 own;                 /* their derivative by the hub's own motion, without what rods carry on */
  wy_block6 inertia_block;       /* of the body */
  /* At the last tangent of an equilibrium: end, own, inertia_block. */
  double kept[WY_NODE];
  wy_block6 kept_own, kept_inertia;
} wy_mixed_hub;

typedef struct wy_mixed_spring {
  const wy_spring_def *def;
  int hub[2];            /* -1: on the ground */
  double c[2][3];        /* hub axes; on the ground from the origin of the group */
  double before;         /* length where the step begins */
  double force[3], lost; /* on its first end; power that it dissipates */
  double by_line[9];     /* the force by the line between its ends, where they are to be found */
} wy_mixed_spring;

/* A load on a body. */
typedef struct wy_mixed_body_load {
  const wy_load_def *def;
  int number, hub;
  double force[3], moment[3]; /* now, in its own axes */
} wy_mixed_body_load;

/* What the memory of the factors of statics holds. */
typedef enum wy_mixed_rest_state { WY_MIXED_TANGENT, WY_MIXED_FACTORED, WY_MIXED_COUNTED } wy_mixed_rest_state;

typedef struct wy_mixed_group {
  wy_system base;
  const wy_group_def *def;
  double origin[3];
  int part_count, seat_count, hub_count, spring_count, load_count, block_count;
  wy_mixed_member *parts;
  wy_mixed_seat *seats;
  wy_mixed_hub *hubs;
  wy_mixed_spring *springs;
  wy_mixed_body_load *loads;
  wy_load_override *overrides; /* of the loads; saved */
  int q, v, reaction, stepped; /* offsets of the hubs' fields in the state */
  int hub_step, hub_dof;       /* of the hubs' unknowns in a step, and at rest */
  double t, h, known_h;        /* of the step */
  double share, inertia;       /* d left / d right, and d acceleration / d right: as those of wy_mixed_task */
  double load_factor;
  bool at_rest;           /* forces are those of an equilibrium */
  double rest_foundation; /* weak stiffness of the rotations of hubs */
  double length;          /* of the longest rod */
  double rest_mu;
  wy_mixed_rest_state rest_state;
  bool at_tangent; /* hubs, arms and springs are those of the last tangent */
  wy_hub_pattern pattern;
  wy_hub_matrix matrix;
  double *y;                     /* unknowns of the hubs */
  double *columns;               /* [WY_LANES] for each unknown of the largest rod */
  double *band_vector;           /* one such vector */
  double *correction, corrected; /* with contact: the last one, and how much of it is in the guess */
  double *work;                  /* degrees of freedom at rest */
  wy_drive *mover; /* of a body by itself whose motion is given; NULL: there are rods, or a body that moves freely */
  wy_end_state *mover_state;      /* saved */
  double mover_velocity[WY_NODE]; /* at the end of the step */
  double *first;                  /* a state with its forces, before the first step */
  double *dof_weight;
} wy_mixed_group;

static inline const double *wy_mixed_hub_q(const wy_mixed_group *self, const double *u, int hub) {
  return u + self->q + WY_NODE * (size_t)hub;
}
static inline const double *wy_mixed_hub_v(const wy_mixed_group *self, const double *u, int hub) {
  return u + self->v + WY_NODE * (size_t)hub;
}
static inline int wy_mixed_hub_order(const wy_mixed_hub *hub) {
  return hub->has_frame ? 6 : 3;
}
/* Of a hub, or of the ground (-1). */
static inline bool wy_mixed_hub_known(const wy_mixed_group *self, int hub) {
  return hub < 0 || self->hubs[hub].block < 0;
}
static inline double *wy_mixed_hub_entries(const wy_mixed_group *self, const wy_mixed_hub *hub, double *y) {
  return y + self->pattern.offset[hub->block];
}
static inline double *wy_mixed_end_of(const wy_mixed_group *self, const wy_mixed_seat *seat, double *q) {
  return q + WY_NODE * (size_t)wy_mixed_end_node(self->parts[seat->part].rod, seat->end);
}

/* sum c_i d_i of a node. */
static inline void wy_mixed_arm(const double *q, const double c[3], double out[3]) {
  for (int x = 0; x < 3; x++)
    out[x] = c[0] * q[3 + x] + c[1] * q[6 + x] + c[2] * q[9 + x];
}

/* ---- mixed_group.c ---- */

/* An end node from its hub (N20), which is linear: of places, or of rates. */
void wy_mixed_carry(const wy_mixed_seat *seat, const double *hub, bool place, double *node);
/* The same for all ends in a state, of places and of rates. */
void wy_mixed_write_ends(const wy_mixed_group *self, double *u);
/* Hubs of the undeformed model at rest. */
void wy_mixed_rest_hubs(const wy_mixed_group *self, double *u);
/* The state u, or the same with its forces where no step has led to it. */
const double *wy_mixed_with_forces(wy_mixed_group *self, double t, const double *u);

/* Rates of directors q that turn with a body angular velocity. */
void wy_mixed_set_rates(const double *q, const double velocity[3], const double omega[3], double *v);
double wy_mixed_body_kinetic(const wy_mixed_hub *hub, const double *v);

/* ---- mixed_mover.c ---- */
bool wy_mixed_moves_alone(const wy_model *model, const wy_group_def *def);
void wy_mixed_lay_out_mover(wy_mixed_group *self, wy_memory *memory);
void wy_mixed_begin_mover(wy_mixed_group *self);
/* Where it is at t. */
void wy_mixed_mover_at(const wy_mixed_group *self, double t, double q[WY_NODE], double v[WY_NODE]);
/* What moves it does this work in a step to the rates `after`, its loads included. */
double wy_mixed_mover_work(const wy_mixed_group *self, const double *after);

/* ---- mixed_hubs.c: where `left` and `right` of all hubs are ---- */

/* Loads on bodies at time t. */
void wy_mixed_load_hubs(wy_mixed_group *self, double t);
/* How far a spring reaches where hubs have the numbers of `left`, `right` or `from`. */
typedef enum wy_mixed_when { WY_MIXED_LEFT, WY_MIXED_RIGHT, WY_MIXED_FROM } wy_mixed_when;
void wy_mixed_line(const wy_mixed_group *self, const wy_mixed_spring *spring, wy_mixed_when when, double line[3]);
/* Arms of all seats, and what springs pull with; then forces at hubs, too, without those of rods and with them, which
   wy_mixed_balance has left. */
void wy_mixed_set_arms(wy_mixed_group *self);
void wy_mixed_gather(wy_mixed_group *self);
/* What hubs lack, and the largest of the forces on bodies, are taken into account. */
void wy_mixed_judge_hubs(const wy_mixed_group *self, wy_mixed_misfit *misfit);
/* Derivatives of them, which rods do not carry on. */
void wy_mixed_hub_blocks(wy_mixed_group *self);
/* Work of the loads on bodies in a step. */
double wy_mixed_load_work(const wy_mixed_group *self);
/* Rows of an end are rows of its hub; the motion of a hub is that of the end. */
void wy_mixed_lift(const wy_mixed_seat *seat, const double end[WY_NODE_UNKNOWNS], double hub[WY_NODE_UNKNOWNS]);
void wy_mixed_follow(const wy_mixed_seat *seat, const double hub[WY_NODE_UNKNOWNS], double end[WY_NODE_UNKNOWNS]);
/* The matrix of all hubs from their own blocks and rods with the factors at hand; `own` is taken with - mu inertia. */
void wy_mixed_assemble(wy_mixed_group *self, double mu);
/* Unknowns of hubs that are held are not asked for. */
void wy_mixed_clear_held(const wy_mixed_hub *hub, double *d);

/* ---- mixed_step.c, mixed_statics.c ---- */
extern const wy_step_type wy_mixed_group_midpoint;
void wy_mixed_group_first_forces(wy_mixed_group *self, double t, double *u);
extern const wy_statics_type wy_mixed_group_statics;
void wy_mixed_begin_statics(wy_mixed_group *self);

#endif
