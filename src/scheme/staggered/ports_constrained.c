/* SPDX-License-Identifier: MIT */
/* Ports of constrained rods (C1)-(C17): section forces depend on the accelerations of hubs, and are unknowns of linear
   systems. docs/theory/network.md, (N9). */
#include <string.h>

#include "scheme/staggered/ports.h"
#include "scheme/staggered/saddle.h"

enum { CELL = WY_SADDLE_CELL, TURN = WY_SADDLE_TURN, FORCE = WY_SADDLE_FORCE };

/* ---- Accelerations of hubs ---- */

static wy_m3 pivot_inverse(const wy_staggered *self, int i) {
  const double *d = self->links.diagonal + i;
  const size_t n = (size_t)self->grid.stride;
  return (wy_m3){{d[0], d[n], d[3 * n]}, {d[n], d[2 * n], d[4 * n]}, {d[3 * n], d[4 * n], d[5 * n]}};
}

/* S^-1 times the block to the next segment, by the elimination of (C5). */
static wy_m3 to_next(const wy_staggered *self, int i) {
  const int n = self->grid.stride;
  const double *p = self->links.next;
  return (wy_m3){wy_load3(p, n, i), wy_load3(p + 3 * (size_t)n, n, i), wy_load3(p + 6 * (size_t)n, n, i)};
}

/* Only forces that constraints have. */
static wy_m3 constrained_part(const wy_staggered *self, wy_m3 m) {
  if (self->grid.constrained < 3)
    m.c = (wy_v3){0, 0, 0}, m.a.z = m.b.z = 0;
  return m;
}

static wy_m3 turned(wy_m3 left, wy_m3 m, wy_m3 right) {
  return wy_mproduct(left, wy_mproduct(m, wy_mtransposed(right)));
}

/* The forces of the end segments by what is asked of the same, from the last segment to the first: with D the inverse
   of a pivot block and P the block to its right, blocks of the inverse are X = D + P X+ P^T on the diagonal, Y = -P Y+
   in the last column. Accelerations of ends ask for -R^T a of the first segment and R^T a of the last. */
void wy_staggered_articulate(wy_system *system, const double *u, double masses[][6][6]) {
  wy_staggered *self = (wy_staggered *)system;
  const int last = self->grid.n - 1, hs = self->grid.halo_stride;
  if (u) {
    wy_staggered_load_frames(self, u);
    wy_staggered_factor_links(self, u);
  }
  memset(self->links.kept, 0, 3 * (size_t)self->grid.stride * sizeof(double));
  const wy_m3 end = pivot_inverse(self, last);
  wy_m3 own = end, far = end;
  for (int i = last - 1; i >= 0; i--) {
    const wy_m3 p = to_next(self, i);
    own = wy_mplus(pivot_inverse(self, i), turned(p, own, p));
    far = wy_mtimes(-1, wy_mproduct(p, far));
  }
  const wy_m3 r0 = wy_rotation(wy_load4(self->eval.unit, hs, 0)), r1 = wy_rotation(wy_load4(self->eval.unit, hs, last));
  const wy_m3 across = turned(r0, constrained_part(self, far), r1);
  memset(masses[0], 0, sizeof masses[0]);
  if (wy_is_port(self, WY_START))
    wy_put_block(&masses[0][0][0], 6, 0, 0, 1, turned(r0, constrained_part(self, own), r0));
  if (wy_is_port(self, WY_END))
    wy_put_block(&masses[0][0][0], 6, 3, 3, 1, turned(r1, constrained_part(self, end), r1));
  if (wy_is_port(self, WY_START) && wy_is_port(self, WY_END)) {
    wy_put_block(&masses[0][0][0], 6, 0, 3, -1, across);
    wy_put_block(&masses[0][0][0], 6, 3, 0, -1, wy_mtransposed(across));
  }
}

/* Power of the forces that were added at supports of the rod's own. */
static double support_power(const wy_staggered *self, const double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double sum = 0;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (wy_is_held(self, end, k) && !wy_is_port(self, end))
        sum += (end ? 1 : -1) * self->links.force[k * hs + wy_end_segment(&self->grid, end)] *
               u[self->grid.v + k * n + wy_end_vertex(&self->grid, end)];
  return sum;
}

int wy_staggered_restrain_port(wy_system *system, wy_level level, double *u, double *f, double pull[][2][3],
                               wy_port_miss *miss) {
  wy_staggered *self = (wy_staggered *)system;
  const bool rates = level == WY_LEVEL_ACCELERATION;
  const int status =
      wy_staggered_restrain(self, level, rates ? wy_staggered_seat(self, u, false) : u, rates ? f : u, miss);
  wy_staggered_end_pull(self, pull[0]);
  return status;
}

int wy_staggered_respond_port(wy_system *system, wy_level level, double *u, double *f, double moved[][2][3],
                              double pull[][2][3], double *power) {
  wy_staggered *self = (wy_staggered *)system;
  const bool rates = level == WY_LEVEL_ACCELERATION;
  const int status = wy_staggered_respond(self, level, moved[0], pull[0], rates ? f : u);
  if (power && rates)
    power[WY_WORK_INTEGRAL] += support_power(self, wy_staggered_seat(self, u, false));
  return status;
}

/* ---- Linear systems ---- */

/* The rod's equations have the motion of the end vertex on their right-hand side. Without obstacles torques depend on
   its place only. */
void wy_staggered_keep_end_columns(wy_staggered *self, int end) {
  wy_staggered_port *port = &self->ports.ends[end];
  const wy_saddle *bands = &self->linear.saddle;
  const int column = CELL * wy_end_vertex(&self->grid, end), segment = CELL * wy_end_segment(&self->grid, end);
  port->strain_by_x = wy_minus_block(bands->statics, bands->half, segment + FORCE, column);
  port->strain_by_v = wy_minus_block(bands->rate, bands->half, segment + FORCE, column);
  port->strain_by_a = wy_minus_block(bands->acceleration, bands->half, segment + FORCE, column);
  port->torque_by_x = wy_minus_block(bands->statics, bands->half, segment + TURN, column);
}

void wy_staggered_constrained_blocks(const wy_staggered *self, int end, wy_port_blocks *out) {
  enum { BY_X = 0, BY_TURN = 3, BY_V = 6, BY_SPIN = 9, BY_FORCE = 12, PUSH = 0, TORQUE = 3, STRAIN = 6, OUTER = 12 };
  const wy_staggered_port *port = &self->ports.ends[end];
  const double side = end == WY_START ? 1 : -1; /* the force on the vertex is side R F */
  double *inner = &out->inner_by_outer[0][0], *by_inner = &out->wrench_by_inner[0][0],
         *by_outer = &out->wrench_by_outer[0][0];
  wy_put_block(inner, OUTER, STRAIN, BY_X, 1, port->strain_by_x);
  wy_put_block(inner, OUTER, STRAIN, BY_V, 1, port->strain_by_v);
  wy_put_block(&out->inner_by_acceleration[0][0], 3, STRAIN, 0, 1, port->strain_by_a);
  wy_put_block(inner, OUTER, TORQUE, BY_X, 1, port->torque_by_x);
  wy_put_block(by_inner, WY_PORT_MOTION, PUSH, BY_FORCE, side, port->frame);
  wy_put_block(by_inner, WY_PORT_MOTION, PUSH, BY_TURN, 1, port->force_by_turn);
  wy_m3 by_v = wy_diagonal(-self->grid.drag_translation * port->mass);
  if (self->base.contacts) { /* torque by place and force by rotation have both */
    wy_put_block(inner, OUTER, PUSH, BY_X, 1, port->contact.next_by_end);
    wy_put_block(inner, OUTER, PUSH, BY_V, 1, port->contact_rate.next_by_end);
    wy_put_block(inner, OUTER, TORQUE, BY_V, 1, port->contact_rate.segment_by_end);
    wy_put_block(by_inner, WY_PORT_MOTION, PUSH, BY_X, 1, port->contact.end_by_next);
    wy_put_block(by_inner, WY_PORT_MOTION, PUSH, BY_V, 1, port->contact_rate.end_by_next);
    wy_put_block(by_inner, WY_PORT_MOTION, PUSH, BY_SPIN, 1, port->contact_rate.end_by_segment);
    wy_put_block(by_outer, OUTER, PUSH, BY_X, 1, port->contact.end_by_end);
    by_v = wy_mplus(by_v, port->contact_rate.end_by_end);
  }
  wy_put_block(by_outer, OUTER, PUSH, BY_V, 1, by_v);
  if (port->holds == WY_PORT_FRAME)
    wy_staggered_ghost_blocks(self, end, out);
}
