/* SPDX-License-Identifier: MIT */
/* The fluid around a staggered rod: drag on the two halves of each segment, with the velocity of the vertex beside the
   half and the frame of the segment (U8). Buoyancy is in the weight of the grid. */
#ifndef WY_SCHEME_STAGGERED_FLUID_H
#define WY_SCHEME_STAGGERED_FLUID_H

#include "scheme/fluid.h"
#include "scheme/staggered/grid.h"

typedef struct wy_staggered_fluid {
  /* Set at creation: does it drag or add mass, without which nothing else is used; does it add mass? */
  bool drags, adds;
  /* At creation: of half a segment, times its length. */
  wy_fluid_section *halves;
  /* By wy_staggered_fluid_forces: time, power of the drag on the fluid (f . w), and whether any force acts. */
  double t, lost;
  bool pushes;
  /* By wy_staggered_fluid_blocks: derivative of the force on each vertex by its velocity, [stride][9]. */
  double *by_velocity;
  /* Added mass, [stride][9] row by row: by the last evaluation or projection the matrices of the vertices, and the
     inverses of their whole mass, without held components; by wy_staggered_added_keep the former at an equilibrium's
     tangent, where K of the vertices themselves is kept too. */
  double *added, *inverse, *rest_added, *rest_block;
} wy_staggered_fluid;

void wy_staggered_fluid_begin(wy_staggered *self);
/* Adds the drag, and in motion what an unsteady flow does beside added mass, to the forces of loads that follow the
 * rod. */
void wy_staggered_fluid_forces(wy_staggered *self, double t, const double *u, bool moving);
/* Its derivatives, through the door; by velocities only in motion. */
void wy_staggered_fluid_blocks(wy_staggered *self, const double *u, bool moving);

/* added_mass.c. From the frames in eval.unit: the matrices. */
void wy_staggered_added_masses(wy_staggered *self);
/* From accelerations that the mass of the rod alone would give to those with the fluid's, and the forces of supports.
 */
void wy_staggered_added_accelerations(wy_staggered *self, double *f);
/* The forces of constraints on vertices, by the inverse masses; on supports; and the matrix that they are found with.
 */
void wy_staggered_added_push(const wy_staggered *self, double *to);
void wy_staggered_added_reactions(wy_staggered *self);
void wy_staggered_added_links(wy_staggered *self);
/* The force of an unsteady flow on half a segment. */
wy_v3 wy_staggered_added_flow(const wy_staggered *self, int segment, wy_v3 rate);
/* The power of the fluid's inertia on the rod. */
double wy_staggered_added_power(const wy_staggered *self, const double *u, const double *f);
/* Masses and derivatives in motion, into the form. */
void wy_staggered_added_blocks(wy_staggered *self, const double *u, const double *f);
/* Keeps the matrices for a tangent of equilibria. */
void wy_staggered_added_keep(wy_staggered *self);

#endif
