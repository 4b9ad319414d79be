/* SPDX-License-Identifier: MIT */
/* Drag of a fluid on the staggered grid (U8). */
#include "scheme/staggered/fluid.h"

#include <string.h>

#include "scheme/staggered/door.h"

void wy_staggered_fluid_begin(wy_staggered *self) {
  for (int i = 0; self->fluid.drags && i < self->grid.n; i++) {
    const wy_fluid_section section = wy_fluid_section_at(self->grid.rod, self->grid.s_segment[i]);
    const double half = 0.5 * self->grid.h[i];
    self->fluid.halves[i] =
        (wy_fluid_section){half * section.across, half * section.along, half * section.displaced, half * section.added};
  }
}

/* Where the fluid is still and where it moves: the flow at a vertex, and its velocity relative to the vertex. */
static wy_v3 relative_velocity(const wy_staggered *self, const double *u, int vertex, wy_flow_here *flow) {
  *flow = wy_fluid_flow(self->grid.rod, wy_load3(u + self->grid.x, self->grid.stride, vertex), self->fluid.t);
  return wy_minus(flow->velocity, wy_door_velocity(self, u, wy_at_vertex(vertex)));
}

/* The segments beside a vertex. */
static int first_beside(int vertex) {
  return vertex > 0 ? vertex - 1 : 0;
}

static int last_beside(const wy_staggered *self, int vertex) {
  return vertex < self->grid.n ? vertex : self->grid.n - 1;
}

void wy_staggered_fluid_forces(wy_staggered *self, double t, const double *u, bool moving) {
  wy_staggered_fluid *fluid = &self->fluid;
  fluid->t = t, fluid->lost = 0, fluid->pushes = false;
  for (int i = 0; i <= self->grid.n; i++) {
    wy_flow_here flow;
    const wy_v3 velocity = relative_velocity(self, u, i, &flow);
    for (int k = first_beside(i); k <= last_beside(self, i); k++) {
      const wy_m3 r = wy_rotation(wy_door_frame(self, k));
      const wy_v3 force = wy_times(self->loads.factor, wy_fluid_drag(&fluid->halves[k], velocity, r.c));
      wy_door_push(self, wy_at_vertex(i), force);
      if (moving && fluid->adds)
        wy_door_push(self, wy_at_vertex(i), wy_staggered_added_flow(self, k, flow.rate));
      fluid->lost += wy_inner(force, velocity);
    }
  }
  fluid->pushes = fluid->lost > 0;
}

/* d3 turns by d1 theta_2 - d2 theta_1. */
static wy_m3 by_turn(wy_m3 by_d3, wy_m3 r) {
  return (wy_m3){wy_times(-1, wy_apply(by_d3, r.b)), wy_apply(by_d3, r.a), {0, 0, 0}};
}

void wy_staggered_fluid_blocks(wy_staggered *self, const double *u, bool moving) {
  wy_staggered_fluid *fluid = &self->fluid;
  const double factor = self->loads.factor;
  for (int i = 0; i <= self->grid.n; i++) {
    wy_flow_here flow;
    const wy_v3 velocity = relative_velocity(self, u, i, &flow);
    wy_m3 by_velocity = wy_diagonal(0);
    for (int k = first_beside(i); k <= last_beside(self, i); k++) {
      const wy_m3 r = wy_rotation(wy_door_frame(self, k));
      const wy_drag_slopes slopes = wy_fluid_drag_slopes(&fluid->halves[k], velocity, r.c);
      by_velocity = wy_mplus(by_velocity, slopes.by_velocity);
      wy_door_block(self, wy_at_vertex(i), wy_at_segment(k), factor, by_turn(slopes.by_d3, r));
    }
    wy_door_block(self, wy_at_vertex(i), wy_at_vertex(i), factor, wy_mproduct(by_velocity, flow.gradient));
    by_velocity = wy_mtimes(-factor, by_velocity);
    wy_to_rows(by_velocity, fluid->by_velocity + 9 * (size_t)i);
    if (moving)
      wy_door_rate_block(self, wy_at_vertex(i), wy_at_vertex(i), by_velocity);
  }
}
