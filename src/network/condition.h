/* SPDX-License-Identifier: MIT */
/* What a joint holds between two hubs A and B, as conditions g = 0: (N7) of docs/theory/network.md.

   Place:     x_A + R_A c_A - x_B - R_B c_B = 0, three numbers in space axes.
   Rotation:  (R_A u_k) . (R_B w_k) = 0: two in a hinge, three in a weld and in a driven hinge, none in a ball.

   The ground is a hub that stands still at the origin of the group. Motions have twelve entries, loads and unknowns
   six, as in hub.h. */
#ifndef WY_NETWORK_CONDITION_H
#define WY_NETWORK_CONDITION_H

#include "network/hub.h"

enum { WY_CONDITIONS_MOST = 6 };

typedef struct wy_condition {
  wy_v3 c[2];
  int turns;         /* number of conditions on the rotation */
  wy_v3 u[3], w[3];  /* of them: unit vectors in the axes of A and of B */
  wy_v3 axis;        /* of a hinge, in A */
  wy_v3 across[2];   /* in A: normal to it, and to each other */
  wy_v3 across_b[2]; /* the same two as drawn, in B */
  bool driven;       /* the last u turns from the first to the second of `across` */
} wy_condition;

/* The three kinds, from places c and frames of the undeformed model; `axis` in space. */
wy_condition wy_condition_ball(const double c_a[3], const double c_b[3]);
wy_condition wy_condition_weld(const double c_a[3], const double c_b[3], const double frame_a[4],
                               const double frame_b[4]);
wy_condition wy_condition_hinge(const double c_a[3], const double c_b[3], const double frame_a[4],
                                const double frame_b[4], const double axis[3], bool driven);

static inline int wy_condition_count(const wy_condition *self) {
  return 3 + self->turns;
}

/* A driven angle with its first two derivatives by time, and how far Baumgarte's method pulls: g'' + 2 r g' + omega^2 g
   = 0. All are 0 where there is nothing of that kind. */
typedef struct wy_condition_drive {
  double angle, rate, acceleration;
  double twice_r, omega2;
} wy_condition_drive;

/* Hubs A and B, and their accelerations. */
typedef struct wy_condition_at {
  const wy_hub_motion *hub[2];
  wy_v3 a[2], alpha[2];
} wy_condition_at;

/* g, g', and what g'' is at the accelerations of `at`, with Baumgarte's terms. Each may be NULL. */
void wy_condition_values(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                         double g[6], double rate[6], double second[6]);
/* G: g' by dv and dOm of each hub. Rows beyond the number of conditions are 0. */
void wy_condition_gradient(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                           double gradient[2][6][6]);
/* What `second` changes with the motion of each hub at fixed accelerations, and the load G^T lambda on hub `on` with
   that of hub `of`: loads[on][of]. */
void wy_condition_blocks(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                         const double lambda[6], double second[2][6][12], double loads[2][2][6][12]);

/* The angle of B against A about the axis of a hinge, in (-pi, pi]: 0 as drawn; and its rate. */
double wy_condition_angle(const wy_condition *self, const wy_condition_at *at, double *rate);
/* A moment about the axis, on B, and the opposite on A: added to their loads. */
void wy_condition_add_moment(const wy_condition *self, const wy_condition_at *at, double moment, wy_hub_load *on_a,
                             wy_hub_load *on_b);
/* Its loads by the motions, for a spring with damper: moment = ... - stiffness angle - damping rate. */
void wy_condition_moment_blocks(const wy_condition *self, const wy_condition_at *at, double moment, double stiffness,
                                double damping, double loads[2][2][6][12]);

#endif
