/* SPDX-License-Identifier: MIT */
/* How shapes of modes are made visible, in pictures and on the 3D page alike. */
#ifndef WY_DRAW_MODES_H
#define WY_DRAW_MODES_H

#include "withy/folder.h"

/* What a mode looks like in all rods and bodies that swing together: they are made visible together. */
typedef struct wy_mode_extent {
  bool begun; /* there is a rod or body */
  int rods;
  double low[3], high[3]; /* of their centrelines */
  double moved, turned;   /* largest displacement and rotation */
  bool turning;           /* each rod turns about its axis and hardly moves */
} wy_mode_extent;

/* Takes shape k of one more rod or body in. */
void wy_modes_widen(const wy_stored_shapes *shapes, int k, wy_mode_extent *extent);
/* The largest extent along an axis of space. */
double wy_modes_size(const wy_mode_extent *extent);
/* By how much shapes are multiplied so that they can be seen: the largest displacement is a fifth of the size, or the
   largest angle of rods that turn one radian. */
double wy_modes_factor(const wy_mode_extent *extent);

#endif
