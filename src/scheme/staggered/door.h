/* SPDX-License-Identifier: MIT */
/* The one place where something from outside takes hold of a staggered rod, whatever form runs: gather the motion at a
   place, push a force or torque, add its derivatives. Loads, tendons, fluids, obstacles and the ghosts of clamped ends
   use it.

   Order within an evaluation: after the loop over segments, before the assembly of accelerations. Within a Jacobian:
   own blocks of segments first (wy_staggered_torque_blocks), then the others (wy_staggered_linearise). */
#ifndef WY_SCHEME_STAGGERED_DOOR_H
#define WY_SCHEME_STAGGERED_DOOR_H

#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

static inline wy_place wy_at_vertex(int index) {
  return (wy_place){false, index};
}

static inline wy_place wy_at_segment(int index) {
  return (wy_place){true, index};
}

/* Velocity of a vertex, or angular velocity of a segment in the last evaluation. */
static inline wy_v3 wy_door_velocity(const wy_staggered *self, const double *u, wy_place at) {
  const wy_staggered_grid *grid = &self->grid;
  return at.segment ? wy_load3(self->eval.omega, grid->halo_stride, at.index)
                    : wy_load3(u + grid->v, grid->stride, at.index);
}

/* The frame of a segment in the last evaluation. */
static inline wy_q4 wy_door_frame(const wy_staggered *self, int segment) {
  return wy_load4(self->eval.unit, self->grid.halo_stride, segment);
}

/* A force on a vertex, or a torque on a segment. */
static inline void wy_door_push(wy_staggered *self, wy_place at, wy_v3 wrench) {
  double *to = at.segment ? self->eval.segment_torque : self->loads.total;
  const int stride = at.segment ? self->grid.halo_stride : self->grid.stride;
  wy_store3(to, stride, at.index, wy_plus(wy_load3(to, stride, at.index), wrench));
}

/* Forces on the two vertices of `count` segments from `first` on, [3][WY_LANES] each. */
static inline void wy_door_push_chain(wy_staggered *self, int first, int count, const double *before,
                                      const double *after) {
  for (int k = 0; k < 3; k++) {
    double *to = self->loads.total + k * self->grid.stride + first;
    for (int lane = 0; lane < count; lane++)
      to[lane] += before[k * WY_LANES + lane];
    for (int lane = 0; lane < count; lane++)
      to[lane + 1] += after[k * WY_LANES + lane];
  }
}

/* What the torque on a segment gains by what belongs to the segment itself: `by` is WY_TORQUE_X, _V, _T or _W. Goes
   with the blocks that every form reads. */
static inline void wy_door_own_block(wy_staggered *self, int segment, int by, wy_m3 m) {
  assert(by >= WY_TORQUE_X && by <= WY_TORQUE_W);
  wy_add_block(self->linear.segments, WY_SEGMENT_BLOCKS, segment, by, m);
}

/* Adds factor m, the derivative of the force or torque on a place by the displacement or rotation of another. */
static inline void wy_door_block(wy_staggered *self, wy_place on, wy_place by, double factor, wy_m3 m) {
  assert(on.index >= 0 && on.index <= self->grid.n - on.segment);
  assert(by.index >= 0 && by.index <= self->grid.n - by.segment);
  self->linear.into->add(self, on, by, factor, m);
}

/* Adds m, the derivative of the force or torque on a place by the velocity of a vertex or the angular velocity of a
   segment; in motion only. */
static inline void wy_door_rate_block(wy_staggered *self, wy_place on, wy_place by, wy_m3 m) {
  assert(on.index >= 0 && on.index <= self->grid.n - on.segment);
  assert(by.index >= 0 && by.index <= self->grid.n - by.segment);
  self->linear.into->add_rate(self, on, by, m);
}

/* Adds the derivatives of forces on the vertices of `count` segments from `first` on, by displacements and, in motion,
   by velocities; else NULL. */
static inline void wy_door_chain(wy_staggered *self, int first, int count, const wy_chain_blocks *by_x,
                                 const wy_chain_blocks *by_v) {
  assert(first >= 0 && first + count <= self->grid.n && count <= WY_LANES);
  self->linear.into->add_chain(self, first, count, by_x, by_v);
}

#endif
