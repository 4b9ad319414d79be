/* SPDX-License-Identifier: MIT */
/* The centreline of a rod through points in space: its length, and the natural curvature in frames that turn least
   (docs/theory/centreline.md). Both functions do nothing where a rod has no points. `index` is for messages. */
#ifndef WY_MODEL_CENTRELINE_H
#define WY_MODEL_CENTRELINE_H

#include "withy/model.h"
#include "withy/spline.h"

/* Length, origin and direction of the rod. What stands beside the points must be the same or left out: a resolved
   definition may be used again. */
wy_status wy_centreline_resolve(wy_rod_def *rod, int index, wy_message *message);

/* Its natural curvature, when d1 is known. The signals are made of `*curvature`, which belongs to the caller. */
wy_status wy_centreline_bend(wy_rod_def *rod, int index, wy_spline **curvature, wy_message *message);

#endif
