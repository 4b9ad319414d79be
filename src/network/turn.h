/* SPDX-License-Identifier: MIT */
/* Springs of balls: the rotation of a hub B against a hub A, both of whose frames are the same in the undeformed model.
   (N10) of docs/theory/network.md.

     r  the rotation vector of conj(p_A) p_B, below half a turn; the same in the axes of both
     w  the angular velocity of B against A, axes of B
     moment  -(k r + d w) on B, axes of B; on A the opposite, carried to its axes */
#ifndef WY_NETWORK_TURN_H
#define WY_NETWORK_TURN_H

#include "network/hub.h"

typedef struct wy_ball_turn {
  wy_v3 r, w;
  wy_v3 moment; /* k r + d w, axes of B */
  wy_m3 frame;  /* of B in the axes of A */
} wy_ball_turn;

wy_ball_turn wy_turn_between(const wy_hub_motion *a, const wy_hub_motion *b, double stiffness, double damping);
/* Torque on each by theta and dOm of each: [on][of], 0 is A. Each in the axes of its hub. */
void wy_turn_blocks(const wy_ball_turn *self, const wy_hub_motion *a, double stiffness, double damping,
                    wy_m3 by_theta[2][2], wy_m3 by_omega[2][2]);

#endif
