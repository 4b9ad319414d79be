/* SPDX-License-Identifier: MIT */
/* What holds or drives a body of a group, or moves it on demand: a support, as that of a rod's end, of some components
   of its place (space) and of its rotation. */
#ifndef WY_NETWORK_DRIVE_H
#define WY_NETWORK_DRIVE_H

#include "network/hub.h"
#include "scheme/supports.h"

typedef struct wy_drive {
  int hub; /* of the group */
  wy_end end;
  wy_supports supports;
} wy_drive;

/* Has the body a support? */
bool wy_drive_holds(const wy_body_def *body);
/* `state` is saved memory. `length`: of the longest rod of the group. */
void wy_drive_begin(wy_drive *self, int hub, const wy_body_def *body, const double origin[3], double length,
                    wy_end_state *state);
/* The components that are held now. */
void wy_drive_mark(const wy_drive *self, wy_hub_inertia *inertia);
/* Puts these components of a hub's motion to where they are at t; their accelerations, 0 of the others. */
void wy_drive_put(const wy_drive *self, double t, wy_hub_motion *at, wy_v3 *a, wy_v3 *alpha);

#endif
