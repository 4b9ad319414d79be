/* SPDX-License-Identifier: MIT */
/* Drag of a fluid on the nodes of a conserving rod, in directors: d3 is e3 (U9). */
#include "scheme/conserving/block.h"
#include "scheme/conserving/rod.h"

static const wy_v3 d3 = {0, 0, 1};

wy_conserving_drag wy_conserving_drag_at(const wy_conserving *self, const double *u, int j) {
  const wy_q4 q = wy_load4(u + self->q, self->stride, j);
  wy_conserving_drag out;
  out.flow = wy_fluid_flow(self->rod, wy_load3(u + self->r, self->stride, j), self->t);
  out.velocity = wy_minus(wy_turn_back(q, out.flow.velocity), wy_load3(self->velocity, self->stride, j));
  out.force = wy_fluid_drag(&self->fluid[j], out.velocity, d3);
  return out;
}

/* By p; by q through the flow in directors; by r through the flow. Rows are divided by the mass later, but for the
   last. */
void wy_conserving_drag_slopes(const wy_conserving *self, const double *u, int j, wy_conserving_node *node) {
  const wy_conserving_drag drag = wy_conserving_drag_at(self, u, j);
  const wy_m3 by_velocity = wy_fluid_drag_slopes(&self->fluid[j], drag.velocity, d3).by_velocity;
  double rows[9], by_frame[12];
  wy_to_rows(by_velocity, rows);
  add_block(node->local, 0, 0, -1, rows);
  wy_conserving_turn_back_by_frame(node->q, drag.flow.velocity, by_frame);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 3; k++)
        node->by_frame[0][4 * i + c] += rows[3 * i + k] * by_frame[4 * k + c];
  const wy_m3 back = {wy_turn_back(node->q, drag.flow.gradient.a), wy_turn_back(node->q, drag.flow.gradient.b),
                      wy_turn_back(node->q, drag.flow.gradient.c)};
  wy_to_rows(wy_mtimes(1 / self->inertia[4 * (size_t)j], wy_mproduct(by_velocity, back)), node->by_place.rates[0]);
}
