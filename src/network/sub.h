/* SPDX-License-Identifier: MIT */
/* Hubs that stand on another one, their parent (model/network.h): those of hinges (N3), and those that turn freely at
   the origin of their parent.

   What such a hub has of its own are up to three coordinates: the angle of a hinge, or a rotation. Vectors, beside
   those of hub.h:

     own motion    displacement (dphi, 0, 0) or theta in the axes of the hub, then rates (dphi', 0, 0) or dOm: 6 entries
     own unknowns  the rates: `wy_sub_order` of them */
#ifndef WY_NETWORK_SUB_H
#define WY_NETWORK_SUB_H

#include "model/network.h"
#include "network/hub.h"

/* The motion that a user has asked for between steps, in place of the angle of a driven hinge. */
typedef struct wy_angle_state {
  bool moved;
  double start, duration, angle0, rate0, angle1, rate1;
} wy_angle_state;

/* The angle at t with its first two derivatives: that motion, or what the definition of the joint says. */
void wy_angle_at(const wy_angle_state *self, const wy_signal *given, double t, double jet[3]);

typedef struct wy_sub_hub {
  wy_hub_kind kind;                 /* WY_HUB_TURNS or WY_HUB_HINGE */
  wy_v3 c, axis;                    /* of a hinge */
  double angle, rate, acceleration; /* of a hinge, now */
  double torque;                    /* of its spring, about the axis */
} wy_sub_hub;

static inline int wy_sub_order(wy_hub_kind kind) {
  return kind == WY_HUB_HINGE ? 1 : 3;
}

/* Where the hub is on its parent. One that turns has frame and angular velocity in `own`. */
wy_hub_motion wy_sub_at(const wy_sub_hub *self, const wy_hub_motion *parent, const wy_hub_motion *own);
/* Velocities of the hub by those of the parent and by the own ones. Its transpose carries loads. */
void wy_sub_velocities(const wy_sub_hub *self, const wy_hub_motion *parent, double by_parent[6][6],
                       double by_own[6][3]);
/* Accelerations of the hub, from those of the parent and its own. */
void wy_sub_accelerate(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 parent_a, wy_v3 parent_alpha,
                       wy_v3 own, wy_v3 *a, wy_v3 *alpha);

/* ---- Derivatives ---- */

/* The motion of the hub by that of the parent and by its own. */
void wy_sub_motion(const wy_sub_hub *self, const wy_hub_motion *parent, double by_parent[12][12], double by_own[12][6]);
/* Its accelerations by these motions, at fixed accelerations of the parent and of its own coordinates. */
void wy_sub_acceleration_blocks(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 parent_alpha,
                                double by_parent[6][12], double by_own[6][6]);
/* The torque on the parent, as the load of the hub is carried there, by the parent's theta and by the angle: force in
   space axes, torque in the axes of the hub, both fixed. */
void wy_sub_carried(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 force, wy_v3 torque, wy_m3 *by_theta,
                    wy_v3 *by_angle);

#endif
