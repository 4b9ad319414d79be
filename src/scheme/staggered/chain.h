/* SPDX-License-Identifier: MIT */
/* The null space of constrained rods with implicit integrators, shared by its files: chain_form.c (what is kept of a
   Jacobian), chain_rows.c (the matrix of one shift), chain_solve.c (right-hand sides). docs/theory/constraints.md,
   (C18)-(C27). */
#ifndef WY_SCHEME_STAGGERED_CHAIN_H
#define WY_SCHEME_STAGGERED_CHAIN_H

#include "scheme/staggered/rod.h"

/* Unknowns of a segment: its rotation, and its section force, both in its own axes. */
enum { WY_CHAIN_CELL = 6, WY_CHAIN_HALF = 8 };

/* 3x3 blocks of a segment: its frame; the axes of the segment before in its own, over the mass of the vertex between;
   what torques at its ends gain by its own rotation; the gyroscopic terms with drag and damping; what its difference of
   accelerations gains by its angular velocity, without the shift. */
enum { WY_CHAIN_FRAME, WY_CHAIN_BEFORE, WY_CHAIN_TURN, WY_CHAIN_GYRO, WY_CHAIN_SWEEP, WY_CHAIN_BLOCKS };

/* Vectors of a segment, body axes: differences of acceleration (with drag) and of velocity over h; what the former
   gains by the stretch and by its rate; the section force. */
enum { WY_CHAIN_A, WY_CHAIN_V, WY_CHAIN_BY_STRETCH, WY_CHAIN_BY_RATE, WY_CHAIN_FORCE, WY_CHAIN_VECTORS };

/* e3 x F */
WY_INLINE wy_v3 wy_chain_arm(wy_v3 force) {
  return (wy_v3){-force.y, force.x, 0};
}

/* A number of the shift: real, or complex where `im` counts. */
typedef struct wy_number {
  double re, im;
} wy_number;

WY_INLINE wy_number wy_number_times(wy_number a, wy_number b) {
  return (wy_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

WY_INLINE wy_number wy_number_inverse(wy_number a) {
  const double inv = 1 / (a.re * a.re + a.im * a.im);
  return (wy_number){inv * a.re, -inv * a.im};
}

/* One over (C + sigma D), by which a force along d3 stretches a segment (C22); 0 where no segment stretches. */
WY_INLINE wy_number wy_chain_yield(const wy_staggered *self, wy_number sigma, int i) {
  const double c = self->linear.chain.extension[i], d = self->stiffness.d_gamma[2 * self->grid.stride + i];
  const wy_number inverse = wy_number_inverse((wy_number){c + d * sigma.re, d * sigma.im});
  return self->grid.stretches ? inverse : (wy_number){0, 0};
}

/* What unknowns are measured in: rotations over the length of a segment, forces by the mass of one times |sigma|^2, so
   that entries of both kinds of rows are alike. */
static inline double wy_chain_force(const wy_staggered *self, const wy_slot *slot) {
  const double im = slot->is_complex ? slot->im : 0;
  return self->linear.chain.mass * (slot->re * slot->re + im * im);
}

int wy_chain_factor(wy_staggered *self, wy_slot *slot);
void wy_chain_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);

#endif
