/* SPDX-License-Identifier: MIT */
/* Pneumatic chambers and tendons on the staggered grid: actuators.c their forces, tendons.c the stiffness of tendons.
 */
#ifndef WY_SCHEME_STAGGERED_ACTUATORS_H
#define WY_SCHEME_STAGGERED_ACTUATORS_H

#include "scheme/staggered/grid.h"

/* The curvature beyond the last midpoint at an end whose rotation is free: that with which its section carries no more
   than the moment of loads (A6). Its derivatives by the rotation and by Dx of the end segment, row by row. */
typedef struct wy_free_end {
  double curvature[3], by_turn[9], by_x[9];
} wy_free_end;

/* Arrays are laid out where there are actuators. */
typedef struct wy_staggered_actuators {
  int count;
  bool has_tendons;
  double *offsets; /* [count][4][stride], at creation: offset and its slope of each at the vertices */
  /* By wy_staggered_actuate, in every evaluation: */
  double *value;                          /* [count] tension, or pressure times area */
  double *half_force[2], *half_moment[2]; /* sums in the half cells before and after the midpoints */
  double *force, *moment;                 /* added to section forces (directors), and times weight to moments */
  double *strain, *bend;                  /* X of segments and K of vertices, for tendons only */
  wy_free_end free_ends[2];
} wy_staggered_actuators;

/* Section force and moment of all actuators in a half cell, and of tendons their derivatives: d force = a dX + b dK,
   d moment = b^T dX + d dK. */
typedef struct wy_pull {
  wy_v3 force, moment;
  wy_m3 a, b, d;
} wy_pull;

/* All actuators of the rod, from its frames and ghosts, into section forces, torques and m_zero. */
int wy_staggered_count_actuators(const wy_model *model, int rod, bool *tendons);
void wy_staggered_place_actuators(wy_staggered *self);
void wy_staggered_actuate(wy_staggered *self, double t, const double *u);
double wy_staggered_actuator_power(const wy_staggered *self, const double *u);
/* What their section forces add to the Jacobian's blocks as they turn with the frames (A7). */
void wy_staggered_actuator_blocks(wy_staggered *self, const double *u);
/* One half cell: the strain X of its segment, the curvature K of its vertex, and what pulls there. */
wy_v3 wy_staggered_tangent(const wy_staggered *self, const double *u, int segment);
wy_v3 wy_staggered_half_cell_curvature(const wy_staggered *self, int vertex);
wy_pull wy_staggered_pull(const wy_staggered *self, int vertex, wy_v3 x, wy_v3 k);
bool wy_staggered_turns_freely(const wy_staggered *self, int vertex);

/* tendons.c: the stiffness of tendons (A8), by the door (door.h). */
void wy_staggered_tendon_blocks(wy_staggered *self, const double *u);

#endif
