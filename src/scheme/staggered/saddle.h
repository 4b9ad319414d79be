/* SPDX-License-Identifier: MIT */
/* The saddle form, shared by saddle.c (assembly), saddle_solve.c (one shift) and statics.c, which factors its band of
   configurations for every rod. */
#ifndef WY_SCHEME_STAGGERED_SADDLE_H
#define WY_SCHEME_STAGGERED_SADDLE_H

#include "scheme/staggered/rod.h"

/* Unknowns of a segment: displacement of its vertex, rotation, section force. */
enum { WY_SADDLE_CELL = 9, WY_SADDLE_TURN = 3, WY_SADDLE_FORCE = 6, WY_SADDLE_HALF = 11, WY_SADDLE_HALF_TENDONS = 17 };

static inline int wy_saddle_width(const wy_staggered *self) {
  return 2 * self->linear.saddle.half + 1;
}

int wy_saddle_factor(wy_staggered *self, wy_slot *slot);
void wy_saddle_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);

#endif
