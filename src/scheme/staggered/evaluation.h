/* SPDX-License-Identifier: MIT */
/* One evaluation of the staggered rod's equations: what the loops leave behind. Equation labels (S..) are those of
   docs/theory/staggered.md. */
#ifndef WY_SCHEME_STAGGERED_EVALUATION_H
#define WY_SCHEME_STAGGERED_EVALUATION_H

#include "scheme/staggered/grid.h"
#include "scheme/supports.h"

/* Valid from one call of wy_staggered_evaluate (or _evaluate_rest) to the next, or until a linear system is solved,
   which uses section_force, segment_torque, torque_minus and torque_plus for its own forces. */
typedef struct wy_evaluation {
  wy_end_pose pose[2]; /* of the supports, at its time */
  /* By the loop over segments: unit quaternion, angular velocity, section force (space), torque (body). The entries
     beyond the ends: by wy_staggered_set_ghost. Halo arrays. */
  double *unit, *omega, *section_force, *segment_torque;
  double ghost_turn[2][9]; /* R(conj(p_support) p_inner), the ghost's derivative is minus this (S22) */
  double *m_zero;          /* stress-free moment now: stiffness.m_rest, less what branches and actuators change */
  /* By the loop over vertices: torque on the segment before and after. Halo arrays. */
  double *torque_minus, *torque_plus;
  double *acceleration;                             /* by the absolute form's assembly: Omega' of the segments */
  double support_force[2][3], support_moment[2][3]; /* by hold_ends and return_ghost_torque of rhs.c */
  double *work;                                     /* a state whose values are not kept, or the solvers' own */
} wy_evaluation;

/* kernels.c: loops over segments or vertices [from, to), multiples of WY_LANES. `power` receives the dissipation, or
   is NULL. Segments and accelerations in the null-space and in the absolute form. */
void wy_nullspace_segments(const wy_staggered *self, const double *u, int from, int to, double *power);
void wy_absolute_segments(const wy_staggered *self, const double *u, int from, int to, double *power);
void wy_chain_segments(const wy_staggered *self, const double *u, int from, int to, double *power); /* chain.c */
void wy_staggered_vertices(const wy_staggered *self, int from, int to, double *power);
void wy_nullspace_accelerate(const wy_staggered *self, const double *u, double *f, int from, int to);
void wy_absolute_accelerate(const wy_staggered *self, const double *u, double *f, int from, int to);

/* Curvature at a vertex and its rate, from the frames of the last evaluation. */
wy_v3 wy_staggered_curvature(const wy_staggered *self, int vertex);
wy_v3 wy_staggered_curvature_rate(const wy_staggered *self, int vertex);

/* The same for all vertices, and for all segments strain and section force in directors: [3][stride] each. */
void wy_staggered_curvatures(const wy_staggered *self, double *curvature, double *rate);
void wy_staggered_segment_strains(const wy_staggered *self, const double *u, double *strain, double *force);

/* rhs.c: everything up to the assembled accelerations; also used by the Jacobian and the view. */
void wy_staggered_set_ghost(wy_staggered *self, int end);
int wy_staggered_evaluate(wy_staggered *self, double t, const double *u, double *f, double *power);
/* The same for a rod at rest with given section forces (directors, [3][stride]), up to the torques. */
void wy_staggered_evaluate_rest(wy_staggered *self, double t, const double *u, const double *force);
/* Of an evaluation only what energies and momenta need: frames, angular velocities and ghosts; all of it where more
   acts on the rod than loads in space, which do not follow it. */
void wy_staggered_find_frames(wy_staggered *self, double t, const double *u);

#endif
