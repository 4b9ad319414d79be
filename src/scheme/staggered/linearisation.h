/* SPDX-License-Identifier: MIT */
/* The Jacobian of a staggered rod and its linear systems (sigma - J) z = r: 3x3 blocks per segment and vertex that all
   forms share, and what each form makes of them (form.h). */
#ifndef WY_SCHEME_STAGGERED_LINEARISATION_H
#define WY_SCHEME_STAGGERED_LINEARISATION_H

#include "linalg/band.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/grid.h"

enum { WY_MAX_SLOTS = 4 };

/* 3x3 blocks of the Jacobian kept per segment: derivative of the section force n = R F (space) and of the torque h X x
   F on the segment (body) with respect to Dx, Dv, the rotation theta and the angular velocity (S30)-(S33). */
enum {
  WY_FORCE_X,
  WY_FORCE_V,
  WY_FORCE_T,
  WY_FORCE_W,
  WY_TORQUE_X,
  WY_TORQUE_V,
  WY_TORQUE_T,
  WY_TORQUE_W,
  WY_SEGMENT_BLOCKS
};

/* ... and per vertex: torque on the segment before (MINUS) and after (PLUS) it, with respect to theta and angular
   velocity of both. */
enum {
  WY_MINUS_T_MINUS,
  WY_MINUS_T_PLUS,
  WY_PLUS_T_MINUS,
  WY_PLUS_T_PLUS,
  WY_MINUS_W_MINUS,
  WY_MINUS_W_PLUS,
  WY_PLUS_W_MINUS,
  WY_PLUS_W_PLUS,
  WY_VERTEX_BLOCKS
};

/* One shift and the factors of its matrix, by the form's `factor`. */
typedef struct wy_slot {
  bool is_complex;
  double re, im; /* the shift */
  wy_band band;
  wy_band_complex band_complex;
} wy_slot;

/* The null-space form (nullspace.c): unknowns v, Omega. */
typedef struct wy_nullspace {
  /* By the last factorisation: the scalars of theta = beta dOm - gamma Om x dOm (S41) for its shift. Halo arrays. */
  double *beta, *gamma, *beta_im, *gamma_im;
  /* By wy_door_block: minus the derivatives that do not fit the pattern of segments and vertices, in the order (x_0,
     theta_0, x_1, ...), and which vertices (with the segment after each) have any. By wy_door_rate_block: likewise by
     velocities. NULL where none can come. */
  double *outside, *outside_rate;
  double *added; /* likewise, mass beside that of the rod; NULL where there is none */
  bool *touched;
} wy_nullspace;

/* How a segment's rotation and spin follow from its quaternion and its rate, in the absolute form. */
typedef struct wy_spin_map {
  double theta[12]; /* theta = theta dp,  3x4 */
  double spin[12];  /* dOm = theta dp' + spin dp */
  double lift[12];  /* p'' = lift I^-1 torque + ..., 4x3 with I^-1 inside */
} wy_spin_map;

/* The absolute form (absolute.c): the two bands of (S45), by its assembly. */
typedef struct wy_absolute {
  double *stiffness, *damping;
  wy_spin_map *maps; /* of the segments */
} wy_absolute;

/* The saddle form (saddle.c): three bands by what they act on, by its assembly; right-hand sides of its solve. */
typedef struct wy_saddle {
  int half; /* its half bandwidth: equilibria use it beside any form */
  double *statics, *rate, *acceleration, *work;
} wy_saddle;

/* A chain (chain.h), by its assembly: blocks and vectors of the segments, 1 + stretch, stiffness of extension; inverse
   masses, 0 where an end is held; scales of its unknowns. By its solves, real and imaginary: what is known of torques,
   then rotations; of section forces; of differences of accelerations, then differences of velocities. Halo arrays. */
typedef struct wy_chain_linear {
  double *blocks, *vectors, *stretch, *extension, *mobility;
  double mass, length;
  double *torque[2], *force[2], *sweep[2];
} wy_chain_linear;

typedef struct wy_linearisation {
  int half; /* bandwidth of the form's matrix, set at creation */
  /* By wy_staggered_jacobian, or the tangent of statics: the blocks, and where they were taken. */
  double *segments, *vertices;
  double *p, *omega;          /* quaternions; angular velocities (halo array) */
  bool held[2][3];            /* components of the ends */
  const struct wy_form *into; /* where blocks from outside go: the form that is being assembled */
  wy_nullspace nullspace;
  wy_absolute absolute;
  wy_saddle saddle;
  wy_chain_linear chain;
  wy_slot real[WY_MAX_SLOTS], complex[WY_MAX_SLOTS];
  bool exchanges; /* of rows, in all factorisations: set by tests and benchmarks */
  /* Right-hand sides on their way through a solve: packed for the band, theta (halo arrays). */
  double *packed, *packed_im, *theta, *theta_im;
} wy_linearisation;

/* jacobian.c: the blocks of section forces and torques of the segments, or zeros where forces are unknowns. */
void wy_staggered_section_blocks(wy_staggered *self, const double *u);
/* Adds what further section forces, [3][stride] in body axes, do as they turn with the frames (A7). */
void wy_staggered_geometric_blocks(wy_staggered *self, const double *u, const double *force);
void wy_staggered_clear_section_blocks(wy_staggered *self, const double *u);
/* The blocks that do not come from section forces: torques at vertices, ghosts, own torques of loads. */
void wy_staggered_torque_blocks(wy_staggered *self);

#endif
