/* The fluid around a staggered rod: drag on the two halves of each segment, with the velocity of the vertex beside the
   half and the frame of the segment (U8). Buoyancy is in the weight of the grid. */
#ifndef WY_SCHEME_STAGGERED_FLUID_H
#define WY_SCHEME_STAGGERED_FLUID_H

#include "scheme/fluid.h"
#include "scheme/staggered/grid.h"

typedef struct wy_staggered_fluid {
  bool drags; /* set at creation; without it nothing else is used */
  /* At creation: of half a segment, times its length. */
  wy_fluid_section *halves;
  /* By wy_staggered_fluid_forces: time, power of the drag on the fluid (f . w), and whether any force acts. */
  double t, lost;
  bool pushes;
  /* By wy_staggered_fluid_blocks: derivative of the force on each vertex by its velocity, [stride][9]. */
  double *by_velocity;
} wy_staggered_fluid;

void wy_staggered_fluid_begin(wy_staggered *self);
/* Adds the drag to the forces of loads that follow the rod. */
void wy_staggered_fluid_forces(wy_staggered *self, double t, const double *u);
/* Its derivatives, through the door; by velocities only in motion. */
void wy_staggered_fluid_blocks(wy_staggered *self, const double *u, bool moving);

#endif
