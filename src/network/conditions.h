/* SPDX-License-Identifier: MIT */
/* The joints between the hubs of a group, (N7): conditions with multipliers, which are forces. Index 1: accelerations
   and multipliers come from one system, and states are projected onto the conditions after every step.

     [ M   -G^T ] [ a      ]     [ f                ]
     [ -G    0  ] [ lambda ]  =  [ g'' where a is 0 ]

   Each set of conditions is a hub of the hub matrices, behind those that move. */
#ifndef WY_NETWORK_CONDITIONS_H
#define WY_NETWORK_CONDITIONS_H

#include "linalg/hubs.h"
#include "model/network.h"
#include "network/condition.h"
#include "network/sub.h"

typedef struct wy_group wy_group;

/* Saved: what of a joint does not follow from the state. */
typedef struct wy_joint_state {
  double angle;         /* of a hinge, with whole turns, after the last step */
  wy_angle_state drive; /* of a driven hinge */
  bool released;
} wy_joint_state;

typedef struct wy_group_condition {
  const wy_condition_def *def;
  const wy_joint_def *joint;
  int hub[2];       /* in `hubs`; -1: the ground */
  int block;        /* in the matrix of hubs */
  int count, first; /* of its multipliers, and in a vector of all of them */
  wy_condition law;
  wy_condition_drive drive;
  wy_joint_state *state;
  /* By the last evaluation. */
  double gradient[2][6][6], lambda[6];
  double moment; /* of the spring, about the axis, on the second hub */
  /* By the last Jacobian or tangent: the gradient there, g'' and loads by motions. */
  double kept[2][6][6], second[2][6][12], loads[2][2][6][12];
} wy_group_condition;

static inline bool wy_condition_holds(const wy_group_condition *self) {
  return !self->state->released;
}

/* Has it the spring of a hinge? Those of balls act between frames of hubs (joint.c). */
static inline bool wy_condition_springs(const wy_group_condition *self) {
  return self->joint->has_spring && self->joint->kind == WY_HINGE && wy_condition_holds(self);
}

/* ---- conditions.c: motion ---- */

/* The hubs of a condition. */
wy_condition_at wy_conditions_at(const wy_group *self, const wy_group_condition *condition);
/* After the hubs have been placed: gradients and driven angles. */
void wy_conditions_place(wy_group *self, double t);
/* Springs in hinges: moments on the hubs; their energy; and the power that rates of the hubs dissipate in them. */
void wy_conditions_add_springs(wy_group *self, double *power);
double wy_conditions_energy(const wy_group *self);
double wy_conditions_dissipation(const wy_group *self, const wy_hub_motion *moving);

/* The conditions in the matrix and on the right-hand side that accelerations come from. */
void wy_conditions_add_gradient(const wy_group *self, wy_hub_matrix *matrix);
void wy_conditions_add_right(const wy_group *self, double *y);
/* Multipliers from its solution y; their forces are added to the loads of the hubs, which have their accelerations.
   `power` may be NULL. 0, or WY_RETRY: conditions that depend on each other contradict each other. */
int wy_conditions_take(wy_group *self, const wy_hub_matrix *matrix, double *y, double *power);

/* What the conditions of a joint of the model exert on one of its parts, added; the angle of a hinge (group.h). */
void wy_conditions_add_joint(const wy_group *self, int joint, int part, double force[3], double moment[3]);
bool wy_conditions_angle(const wy_group *self, int joint, int part, double *angle, double *rate);
void wy_conditions_set_angle(const wy_group *self, int joint, double t, double angle, double rate, double duration);

/* Projects places and velocities of the hubs in a state, in the metric of their mass. 1: done, < 0: the conditions
   cannot be met. */
int wy_conditions_project(wy_group *self, double t, double *u, double *drift);
/* Joints that are due at t are gone; the time of the next one; is any left? */
void wy_conditions_enter(wy_group *self, double t);
double wy_conditions_next_break(const wy_group *self);
bool wy_conditions_hold(const wy_group *self);
/* How many conditions hold, how many of them follow from the others by the last factors of the mass, in words; false if
   none does. */
bool wy_conditions_describe(const wy_group *self, char *text, size_t size);
/* The joint that could not be kept, in words; false if all can be. */
bool wy_conditions_blame(const wy_group *self, char *text, size_t size);

/* ---- conditions_linear.c: linear systems and equilibria ---- */

/* Derivatives at the last evaluation; what is by the hubs' own motion is subtracted from their by_motion. */
void wy_conditions_jacobian(wy_group *self);
/* Adds all blocks for a shift; `complex` is NULL for a real one. */
void wy_conditions_add_blocks(wy_group *self, const wy_hub_shift *shifts, wy_hub_matrix *real,
                              wy_hub_matrix_complex *complex);
/* Right-hand sides from those of a state, after the known motions of hubs and their own right-hand sides; `part` is 0
   for the real and 1 for the imaginary part of b. */
void wy_conditions_pack(wy_group *self, int part, const double *b, double *y);

/* Of equilibria: the multipliers that derivatives are taken with; where there are none yet, those that balance the
   loads of hubs best, in the metric of their mass. */
void wy_conditions_rest_guess(wy_group *self, const double *lambda);
/* Forces of multipliers on the hubs, conditions missed, blocks, right-hand side and solution. */
void wy_conditions_rest_loads(wy_group *self, const double *lambda);
void wy_conditions_rest_missed(const wy_group *self, double *r);
void wy_conditions_add_rest_blocks(wy_group *self);
void wy_conditions_rest_pack(const wy_group *self, const double *b, double *y);
void wy_conditions_rest_take(const wy_group *self, double *y, double *b);
/* A stiffness of rotations of the size that weights and springs have. */
double wy_conditions_stiffness(const wy_group *self);
/* Number of independent conditions that hold, by the last factors of a matrix. */
int wy_conditions_rank(const wy_group *self, const wy_hub_matrix *matrix);

#endif
