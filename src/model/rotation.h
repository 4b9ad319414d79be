/* SPDX-License-Identifier: MIT */
/* Rotations that a driven end is given: as a quaternion, as directors, or about an axis, with the angular velocity and
   its rate, all exact (docs/theory/splines.md, "Rotations"). */
#ifndef WY_MODEL_ROTATION_H
#define WY_MODEL_ROTATION_H

#include "model/model.h"

/* A rotation R at one time, and how it changes: dR/dt = R [w]x. */
typedef struct wy_rotation_motion {
  double q[4];
  double w[3], rate[3]; /* in the turned axes; the second is the time derivative of the first */
} wy_rotation_motion;

/* Is the orientation given as such, and not as an angle about an axis from the undeformed end on? */
static inline bool wy_end_is_oriented(const wy_end *end) {
  return end->rotation_by != WY_BY_ANGLE || end->rotation_from == WY_FROM_SPACE;
}

/* What the definition of a driven end asks for, without the undeformed end: R itself, or what turns it. NAN where it is
   not defined. */
void wy_end_rotation(const wy_end *end, double t, wy_rotation_motion *out);

/* The signals of which it is made; returns how many there are. */
enum { WY_ROTATION_SIGNALS = 6 };
int wy_end_rotation_signals(const wy_end *end, const wy_signal *signals[WY_ROTATION_SIGNALS]);

#endif
