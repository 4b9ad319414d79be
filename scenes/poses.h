/* SPDX-License-Identifier: MIT */
/* Random poses for equilibria: a rod clamped at both ends, its end somewhere else and turned. For tests and benchmarks.
 */
#ifndef WY_SCENES_POSES_H
#define WY_SCENES_POSES_H

#include "withy/model.h"

/* The rubber rod of length 1 with 40 segments, along x; its end 0.1 to 0.95 away from the start in any direction, and
   turned by up to half a turn about any axis: number 0, 1, ... of them, the same on every machine. */
wy_rod_def wy_scene_posed(wy_rod_kind kind, int number);

#endif
