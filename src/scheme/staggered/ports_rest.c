/* SPDX-License-Identifier: MIT */
/* Equilibria of a staggered rod with ports: derivatives at its ends, and the rod eliminated with its hubs held (N8).
   Its degrees of freedom are those of statics.c, (dx, theta, dF) a segment. */
#include <string.h>

#include "scheme/staggered/ports.h"
#include "scheme/staggered/saddle.h"

enum { CELL = WY_SADDLE_CELL, TURN = WY_SADDLE_TURN, FORCE = WY_SADDLE_FORCE, COLUMNS = WY_PORT_COLUMNS };

/* Of what is out of balance (T1)-(T3) and of the wrench, as they are: K has them with the opposite sign. The section
   force is an unknown, so that a support moves only the strain and the torque of the end segment. */
void wy_staggered_rest_blocks(wy_system *system, int piece, wy_end_name end, wy_port_rest_blocks *out) {
  (void)piece;
  const wy_staggered *self = (const wy_staggered *)system;
  const wy_staggered_port *port = &self->ports.ends[end];
  const double side = end == WY_START ? 1 : -1; /* Dx is side times (inner - outer), the force on the vertex side R F */
  const wy_m3 back = wy_mtransposed(port->frame);
  double *inner = &out->inner_by_outer[0][0], *by_inner = &out->wrench_by_inner[0][0],
         *by_outer = &out->wrench_by_outer[0][0];
  assert(wy_is_port(self, (int)end));
  memset(out, 0, sizeof *out);
  if (self->base.contacts) { /* the torque by the place of the end has both */
    wy_put_block(inner, 6, 0, 0, 1, port->contact.next_by_end);
    wy_put_block(inner, 6, TURN, 0, 1, port->contact.segment_by_end);
    wy_put_block(by_inner, CELL, 0, 0, 1, port->contact.end_by_next);
    wy_put_block(by_outer, 6, 0, 0, 1, port->contact.end_by_end);
  } else
    wy_put_block(inner, 6, TURN, 0, side, wy_mproduct(port->force_skew, back));
  wy_put_block(inner, 6, FORCE, 0, side, back);
  wy_put_block(by_inner, CELL, 0, TURN, 1, port->force_by_turn);
  wy_put_block(by_inner, CELL, 0, FORCE, side, port->frame);
  if (port->holds != WY_PORT_FRAME)
    return;
  wy_m3 force, torque;
  wy_staggered_support_load_blocks(self, (int)end, &force, &torque);
  wy_put_block(inner, 6, TURN, 3, 1, port->inner_by_turn);
  wy_put_block(by_inner, CELL, 3, TURN, 1, port->support_by_inner_turn);
  wy_put_block(by_outer, 6, 0, 3, 1, force);
  wy_put_block(by_outer, 6, 3, 3, 1, wy_mplus(port->support_by_turn, torque));
}

/* Rows next to an end: vertex, rotation and force of the segment. */
static int row_of(const wy_staggered *self, int end, int k) {
  return k < TURN ? CELL * wy_next_vertex(&self->grid, end) + k : CELL * wy_end_segment(&self->grid, end) + k;
}

void wy_staggered_rest_condense(wy_system *system, int piece, wy_end_name end, wy_port_row forces[9],
                                wy_port_row inner[2][9]) {
  (void)piece;
  wy_staggered *self = (wy_staggered *)system;
  double *columns = self->ports.ends[end].rest;
  assert(wy_is_port(self, (int)end) && columns);
  memset(columns, 0, (size_t)system->dofs * COLUMNS * sizeof *columns);
  for (int k = 0; k < CELL; k++)
    memcpy(columns + (size_t)COLUMNS * (size_t)row_of(self, (int)end, k), forces[k], sizeof forces[k]);
  wy_band_solve_many(&self->rest.band, columns);
  for (int at = 0; at < 2; at++)
    for (int k = 0; wy_is_port(self, at) && k < CELL; k++)
      memcpy(inner[at][k], columns + (size_t)COLUMNS * (size_t)row_of(self, at, k), sizeof inner[at][k]);
}

void wy_staggered_rest_condense_rhs(wy_system *system, double *b, double inner[][2][9]) {
  wy_staggered *self = (wy_staggered *)system;
  const double still[3] = {0, 0, 0};
  for (int end = 0; end < 2; end++)
    if (wy_is_port(self, end))
      wy_staggered_rest_write(system, 0, (wy_end_name)end, still, b);
  wy_band_solve(&self->rest.band, b);
  for (int end = 0; end < 2; end++)
    for (int k = 0; wy_is_port(self, end) && k < CELL; k++)
      inner[0][end][k] = b[row_of(self, end, k)];
}

static bool moves(const wy_port_row hub) {
  bool any = false;
  for (int c = 0; c < COLUMNS; c++)
    any = any || hub[c] != 0;
  return any;
}

void wy_staggered_rest_expand(wy_system *system, wy_port_row hubs[][2], double *b) {
  const wy_staggered *self = (const wy_staggered *)system;
  for (int end = 0; end < 2; end++)
    if (wy_is_port(self, end) && moves(hubs[0][end]))
      wy_staggered_add_columns(system->dofs, self->ports.ends[end].rest, hubs[0][end], b);
}

void wy_staggered_rest_write(wy_system *system, int piece, wy_end_name end, const double dx[3], double *d) {
  (void)piece;
  const wy_staggered *self = (const wy_staggered *)system;
  memcpy(d + (size_t)CELL * (size_t)wy_end_vertex(&self->grid, (int)end), dx, 3 * sizeof *d);
}
