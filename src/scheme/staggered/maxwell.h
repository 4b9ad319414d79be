/* SPDX-License-Identifier: MIT */
/* Maxwell branches of the staggered rod: viscous strains as part of the state. maxwell.c evaluates them,
   maxwell_linear.c eliminates them from linear systems; (V1)-(V9) of docs/theory/staggered.md. */
#ifndef WY_SCHEME_STAGGERED_MAXWELL_H
#define WY_SCHEME_STAGGERED_MAXWELL_H

#include "scheme/scheme.h"
#include "scheme/staggered/grid.h"

enum { WY_STRAINS = 6 }; /* 3 of a segment, 3 of a vertex */

/* Material part of the Jacobian's blocks: force and torque of a segment by Dx and theta; torques at a vertex. */
enum { WY_MATERIAL_FORCE_X, WY_MATERIAL_FORCE_T, WY_MATERIAL_TORQUE_X, WY_MATERIAL_TORQUE_T, WY_SEGMENT_MATERIAL };
enum {
  WY_MATERIAL_MINUS_MINUS,
  WY_MATERIAL_MINUS_PLUS,
  WY_MATERIAL_PLUS_MINUS,
  WY_MATERIAL_PLUS_PLUS,
  WY_VERTEX_MATERIAL
};
/* How the strain of a segment depends on Dx and theta, and the curvature of a vertex on theta before and after it. */
enum { WY_STRAIN_X, WY_STRAIN_T, WY_SEGMENT_STRAIN };
enum { WY_BEND_MINUS, WY_BEND_PLUS, WY_VERTEX_STRAIN };

/* Arrays are laid out where there are branches. Those of strains have six components: of segments, then of vertices. */
typedef struct wy_branches {
  int count;
  const wy_maxwell *list;
  double long_term; /* what the branches leave of the stiffness */
  int gamma, kappa; /* offsets in u of the viscous strains: [count][3][stride] each */
  double *whole;    /* [9][stride], at creation: c_gamma, c_kappa, m_rest with share 1 */
  double
      share; /* by wy_staggered_branch_rest: what c_gamma, c_kappa, m_rest are of the whole: 1, or long_term at rest */
  double *relaxed; /* [6][stride], by wy_staggered_branch_relaxed: sum of share times viscous strain */
  double
      *strain[2]; /* [6][stride], and the imaginary part: of the state by _branch_rates, or of a solve's increments */
  double *stress[2]; /* the same, scaled as c_gamma and c_kappa are: by _branch_known */
  /* Of the Jacobian kept, by wy_staggered_branch_blocks. */
  double *segment_strain, *vertex_strain, *segment_material, *vertex_material;
  double *band; /* by a form's assembly, where it stores its matrix: the material part of the stiffness */
} wy_branches;

struct wy_slot;

/* maxwell.c. Creation: */
void wy_staggered_branch_fields(wy_staggered *self);
void wy_staggered_branch_layout(wy_staggered *self, wy_arena *arena, wy_factor_needs needs);
void wy_staggered_branch_begin(wy_staggered *self);
bool wy_staggered_branch_counts(const wy_staggered *self, const wy_field *field, int component, int i);
/* Component k = 0 ... 5 of branch j in an array laid out as the state. */
size_t wy_staggered_branch_place(const wy_staggered *self, int j, int k);
/* Evaluation: what has relaxed, before the loops; rates of the branches after them, `power` receives their dissipation.
   Energy after an evaluation. */
void wy_staggered_branch_relaxed(wy_staggered *self, const double *u);
void wy_staggered_branch_rates(wy_staggered *self, const double *u, double *f, double *power);
double wy_staggered_branch_energy(wy_staggered *self, const double *u);
/* Equilibria: the stiffness in use, and branches that carry nothing. */
void wy_staggered_branch_rest(wy_staggered *self, bool rest);
void wy_staggered_branch_relax(wy_system *system, double t, double *u);
/* How strains depend on displacements and rotations, and the torques at vertices that follow (V6). */
void wy_staggered_branch_blocks(wy_staggered *self, const double *u);

/* maxwell_linear.c: what a shift makes of the material part beyond its whole. */
void wy_staggered_branch_factor(const wy_branches *self, double re, double im, double *factor_re, double *factor_im);
/* Strains of displacements x and rotations theta (halo array); theta of quaternion increments. */
void wy_staggered_branch_strain(const wy_staggered *self, const double *x, const double *theta, double *strain);
void wy_staggered_branch_turns(const wy_staggered *self, const double *dp, double *theta);
/* The known stress, of the known strain in `strain` and of the right-hand sides of the branches; adds what a stress
   does to section_force, segment_torque, torque_minus and torque_plus; the increments of the branches. */
void wy_staggered_branch_known(wy_staggered *self, const struct wy_slot *slot, const double *re, const double *im);
void wy_staggered_branch_forces(wy_staggered *self, const double *stress);
void wy_staggered_branch_back(wy_staggered *self, const struct wy_slot *slot, double *re, double *im);
/* The part of J x: rates of the branches into y, forces as above, on cleared arrays. */
void wy_staggered_branch_multiply(wy_staggered *self, const double *x, double *y);
void wy_staggered_clear_forces(wy_staggered *self);
/* Adds what the four arrays amount to, to forces on vertices and torques on segments. */
void wy_staggered_gather_forces(const wy_staggered *self, double *force, double *torque);

#endif
