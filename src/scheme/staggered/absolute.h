/* SPDX-License-Identifier: MIT */
/* The absolute form, shared by its files: absolute.c (assembly and states), absolute_solve.c. */
#ifndef WY_SCHEME_STAGGERED_ABSOLUTE_H
#define WY_SCHEME_STAGGERED_ABSOLUTE_H

#include "scheme/staggered/nullspace.h"

enum { WY_ABSOLUTE_CELL = 7 };

static inline int wy_absolute_width(const wy_staggered *self) {
  return 2 * self->linear.half + 1;
}

int wy_absolute_factor(wy_staggered *self, wy_slot *slot);
void wy_absolute_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);
void wy_absolute_multiply(wy_staggered *self, const double *x, double *y);

#endif
