/* SPDX-License-Identifier: MIT */
/* The four forms of a staggered rod's equations, behind the same verbs. A rod takes one at creation:

     null space  velocities v and angular velocities; positions and quaternions are eliminated in closed form
     absolute    velocities v and quaternion velocities p'
     saddle      rods with constrained strains: section forces are unknowns, too. Equilibria of every rod use its
                 matrix
     chain       rods with constrained strains: root, frames and stretches; positions and velocities follow from them

   nullspace.c, absolute.c, saddle.c and chain_form.c define them; nothing else asks which form runs. */
#ifndef WY_SCHEME_STAGGERED_FORM_H
#define WY_SCHEME_STAGGERED_FORM_H

#include "scheme/scheme.h"
#include "scheme/staggered/linearisation.h"

/* A place of the grid: a vertex (displacements and forces, space axes), or a segment (rotations and torques, its own
   axes). */
typedef struct wy_place {
  bool segment;
  int index;
} wy_place;

/* Derivatives of the forces on the two vertices of WY_LANES neighbouring segments by the motion of these vertices: on
   the first by the first, on each by the other, on the second by the second. Entry (row, column) at column * 3 + row.
 */
typedef struct wy_chain_blocks {
  double at[3][9][WY_LANES];
} wy_chain_blocks;

typedef struct wy_form {
  const char *spin; /* name of the field u + w */
  int spin_components;
  double spin_unit;       /* its size over that of the angular velocity: |p'| is half of it */
  int cell;               /* unknowns a segment in the matrix */
  int half, half_tendons; /* its half bandwidth; a tendon couples the strain of a segment with the curvatures at its
                             ends, which reaches further (A8) */
  bool stored;            /* the matrix is kept; else its rows are made while they are factored */
  bool keeps_forces;      /* section forces are unknowns: no blocks are made of them */
  /* What it keeps of a Jacobian. */
  void (*layout)(wy_staggered *self, wy_arena *arena);

  /* States: the spin of an initial state from the unit quaternion and the body angular velocity. Frames back to unit
     length with their rates, 1 where f no longer holds. Strains back to zero, the same or an error; NULL where none is
     constrained. */
  void (*set_spin)(const wy_staggered *self, int segment, const double p[4], const double omega[3], double *u);
  int (*project_frames)(const wy_staggered *self, double *u, double *f, double drift[WY_DRIFTS]);
  int (*project_strains)(wy_staggered *self, double t, double *u, double drift[WY_DRIFTS]);

  /* Evaluation: the loops of evaluation.h, and reactions (NULL where there are none). */
  void (*segments)(const wy_staggered *self, const double *u, int from, int to, double *power);
  void (*accelerate)(const wy_staggered *self, const double *u, double *f, int from, int to);
  int (*constrain)(wy_staggered *self, const double *u, double *f);

  /* A Jacobian at u, after an evaluation that left the accelerations f (NULL: an equilibrium). In this order: blocks of
     section forces; from all blocks to what `factor` needs; one block from outside (door.h): the derivative of the
     force or torque on a place by the displacement or rotation of another, times `factor` (NULL where nothing comes
     from outside: chains); rows of held components. */
  void (*section_blocks)(wy_staggered *self, const double *u);
  void (*assemble)(wy_staggered *self, const double *u, const double *f);
  void (*add)(wy_staggered *self, wy_place on, wy_place by, double factor, wy_m3 m);
  void (*add_rate)(wy_staggered *self, wy_place on, wy_place by, wy_m3 m); /* likewise by velocities */
  /* The same for `count` segments from `first` on, by displacements and, if not NULL, by velocities. */
  void (*add_chain)(wy_staggered *self, int first, int count, const wy_chain_blocks *by_x, const wy_chain_blocks *by_v);
  void (*add_mass)(wy_staggered *self, int vertex, wy_m3 m); /* mass beside that of the rod */
  void (*hold)(wy_staggered *self, bool moving);

  /* Linear systems with the Jacobian kept: for the shift of the slot; `im` is NULL where it is real. */
  int (*factor)(wy_staggered *self, wy_slot *slot);
  void (*solve)(wy_staggered *self, wy_slot *slot, double *re, double *im);
  void (*multiply)(wy_staggered *self, const double *x, double *y); /* J x, for tests; NULL: there is none */
} wy_form;

extern const wy_form wy_nullspace_form, wy_absolute_form, wy_saddle_form, wy_chain_form;

/* linear.c: the blocks of the state of the last evaluation, which all forms share, and where they are taken. */
void wy_staggered_take_blocks(wy_staggered *self, const double *u);
/* Makes a Jacobian of the blocks in the given form, with what comes from outside. */
void wy_staggered_linearise(wy_staggered *self, const wy_form *form, const double *u, const double *f);
/* add_chain by `add` and `add_rate`. */
void wy_staggered_add_chain(wy_staggered *self, int first, int count, const wy_chain_blocks *by_x,
                            const wy_chain_blocks *by_v);
/* Factors and solves of a slot whose matrix is stored. */
int wy_slot_factor(wy_slot *slot);
void wy_slot_solve(wy_slot *slot, double *re, double *im);
double *wy_slot_row(wy_slot *slot, int row, double **im);
/* Held components from their own rows, sigma dv = r, instead of from the factors: without round-off, so that they never
   drift. */
void wy_staggered_solve_held(const wy_staggered *self, const wy_slot *slot, int cell, const double *re,
                             const double *im, double *packed, double *packed_im);
/* Unknowns of the form's matrix. */
int wy_staggered_order(const wy_staggered *self);
int wy_staggered_jacobian(wy_system *system, double t, const double *u);
/* f of the Jacobian that was taken last. */
void wy_staggered_slope(const wy_system *system, double *f);
int wy_staggered_factor(wy_system *system, int index, double sigma);
int wy_staggered_factor_complex(wy_system *system, int index, double re, double im);
void wy_staggered_solve(wy_system *system, int index, double *b);
void wy_staggered_solve_complex(wy_system *system, int index, double *re, double *im);
void wy_staggered_multiply(wy_system *system, const double *x, double *y);

#endif
