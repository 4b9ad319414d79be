/* SPDX-License-Identifier: MIT */
/* The grid of a staggered rod and what its sections are made of. Written once at creation (create.c); `stiffness`
   follows the ends and the analysis.

   Vertices n = 0..N carry positions x and velocities v; segments i = 0..N-1 (between vertices i and i+1) carry
   quaternions p and body angular velocities (null-space form) or quaternion velocities (absolute form). Every array is
   structure of arrays with one common stride, a multiple of the vector width and at least N + 1. Padding has no
   stiffness and no inverse mass: it never moves.

   Halo arrays have room before their first point: index -1 is valid, so that the ghost segment of a clamped end needs
   no special case in the loops. Their stride is `halo_stride`. */
#ifndef WY_SCHEME_STAGGERED_GRID_H
#define WY_SCHEME_STAGGERED_GRID_H

#include <assert.h>

#include "base/arena.h"
#include "math/lane.h"
#include "model/model.h"
#include "withy/sim.h"

enum { WY_HALO = WY_LANES };

typedef struct wy_staggered wy_staggered;

/* Constant after creation, by set_grid, set_segments and set_vertices of create.c. */
typedef struct wy_staggered_grid {
  const wy_rod_def *rod;
  wy_staggered_options options;
  bool corrected[2];          /* ends whose cells are those of (S3a) */
  int n, stride, halo_stride; /* segments; common stride of arrays, and of those with a halo */
  int first;                  /* of a piece of a rod: the number of its first segment in the rod */
  double from, to;            /* arc lengths of its ends: 0 and the length of the rod, or of a piece */
  int x, p, v, w;             /* offsets of the fields in u: position, quaternion, velocity, spin */
  int constrained;            /* strains that are zero: 0 (cosserat), 2 (kirchhoff), 3 (inextensible) */
  bool chain; /* constrained; only root and frames, with the stretch of kirchhoff, are unknown: the rest follows (C8) */
  bool stretches; /* a chain of kirchhoff: u + stretch and behind it its rate, one a segment */
  int stretch;
  bool damped; /* some strain rate dissipates */
  double drag_translation, drag_rotation, gravity[3];
  double *s_vertex, *s_segment; /* arc lengths; of segments their middle */
  /* Segments: length and its inverse, inertia and its inverse, drag on rotations. */
  double *h, *inv_h, *inertia, *inv_inertia, *drag_inertia;
  /* Vertices: 2 / (difference length), quadrature weight, natural curvature, mass and its inverse. */
  double *twice_inv_l, *weight, *k_zero, *mass, *inv_mass;
  double *gamma_zero; /* segments: strain of the undeformed rod, whose vertices are on its curve; NULL: none, as (S7) */
  double *weighed;    /* vertices: mass less that of the fluid that lifts; `mass` itself where none does */
  double end_natural[2][3], end_stiffness[2][6]; /* natural curvature at the ends; of the stiffness bending */
  /* Stiffness, damping and stress-free moment of an end's vertex while its rotation is held. */
  double clamp_c[2][3], clamp_d[2][3], clamp_m[2][3];
} wy_staggered_grid;

/* What strains and their rates cost now. Entries of inner points are set at creation; those of the ends by refresh, as
   their rotation is held or free; all of them by wy_staggered_branch_rest, where branches carry nothing. */
typedef struct wy_staggered_stiffness {
  double *c_gamma, *d_gamma; /* segments: shear and extension, stiffness and damping */
  /* Vertices: bending and torsion, times weight / length, and the stress-free moment in the same scaling. */
  double *c_kappa, *d_kappa, *m_rest;
  double *stiffening; /* vertices: wy_law_stiffening of a law that stiffens, else NULL */
} wy_staggered_stiffness;

/* The segment and the vertex at an end. */
static inline int wy_end_segment(const wy_staggered_grid *grid, int end) {
  assert(end == WY_START || end == WY_END);
  return end ? grid->n - 1 : 0;
}

static inline int wy_end_vertex(const wy_staggered_grid *grid, int end) {
  assert(end == WY_START || end == WY_END);
  return end ? grid->n : 0;
}

/* The vertex next to that of an end. */
static inline int wy_next_vertex(const wy_staggered_grid *grid, int end) {
  assert(end == WY_START || end == WY_END);
  return end ? grid->n - 1 : 1;
}

/* create.c: an array of `components` rows with a halo; NULL while memory is counted. */
double *wy_halo_array(wy_arena *arena, int components, int halo_stride);

#endif
