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
/* Its two halves, without branches: the right-hand side into `packed`; from what is there after the band has been
   solved, with the right-hand side as it was, to the increments of the state. */
void wy_saddle_begin_solve(wy_staggered *self, const wy_slot *slot, const double *re, const double *im);
void wy_saddle_end_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im);
/* The inner motion at a port (scheme/port.h), from (z of the vertex next to it, zeta and dF of its segment) and the
   right-hand side of the state, which is 0 where known_re is NULL. */
void wy_saddle_end_motion(const wy_staggered *self, const wy_slot *slot, int end, const double *re, const double *im,
                          const double *known_re, const double *known_im, double motion[WY_PORT_MOTION],
                          double motion_im[WY_PORT_MOTION]);

#endif
