/* SPDX-License-Identifier: MIT */
/* A fluid around the mixed rod: drag and buoyancy act on the nodes, each with its share of the element: the trapezoidal
   rule, or Simpson's for elements of order 2 (U10). */
#include "math/vec3.h"
#include "scheme/mixed/rod.h"

void wy_mixed_place_fluid(wy_mixed *self) {
  for (int i = 0; self->fluid && i < self->nodes; i++)
    self->fluid[i] = wy_fluid_section_at(self->rod, self->s_node[i]);
}

/* The part of an element that belongs to one of its nodes. */
static double share_of(const wy_mixed *self, int element, int local) {
  const double share = self->basis.order == 1 ? 1.0 / 2 : local == 2 ? 2.0 / 3 : 1.0 / 6;
  return share * self->element[element].length;
}

/* Drag at a node of the task: flow, velocity of the fluid relative to the node, direction of d3. In the middle of a
   step directors are a little shorter than one. */
typedef struct node_drag {
  wy_flow_here flow;
  wy_v3 velocity, d3;
  double length; /* of the director */
} node_drag;

static node_drag drag_at(const wy_mixed *self, int node) {
  const double *left = self->task.left + WY_NODE * (size_t)node, *right = self->task.right + WY_NODE * (size_t)node;
  node_drag out = {.flow = wy_fluid_flow(self->rod, wy_at3(left), self->task.t), .length = wy_norm3(left + 9)};
  out.d3 = wy_times(1 / out.length, wy_at3(left + 9));
  out.velocity = out.flow.velocity;
  if (self->task.rate > 0)
    out.velocity = wy_minus(
        out.velocity, wy_times(self->task.rate, wy_minus(wy_at3(right), wy_at3(self->from + WY_NODE * (size_t)node))));
  return out;
}

void wy_mixed_fluid_forces(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE]) {
  for (int a = 0; a < self->basis.nodes; a++) {
    const int node = wy_mixed_node(self, element, a);
    const double share = self->task.fluid * share_of(self, element, a);
    if (wy_fluid_drags(self->rod)) {
      const node_drag drag = drag_at(self, node);
      const wy_v3 force = wy_times(share, wy_fluid_drag(&self->fluid[node], drag.velocity, drag.d3));
      wy_put3(f[a], wy_minus(wy_at3(f[a]), force));
    }
    if (wy_fluid_lifts(self->rod))
      wy_add3(f[a], share * self->fluid[node].displaced, self->gravity);
  }
}

void wy_mixed_fluid_tangent(const wy_mixed *self, int element, const wy_mixed_matrix *matrix) {
  for (int a = 0; wy_fluid_drags(self->rod) && a < self->basis.nodes; a++) {
    const int node = wy_mixed_node(self, element, a);
    const double share = self->task.fluid * share_of(self, element, a),
                 *right = self->task.right + WY_NODE * (size_t)node;
    const node_drag drag = drag_at(self, node);
    const wy_drag_slopes slopes = wy_fluid_drag_slopes(&self->fluid[node], drag.velocity, drag.d3);
    const wy_m3 motion = wy_mminus(wy_mtimes(self->task.share, drag.flow.gradient), wy_diagonal(self->task.rate));
    /* d3 of the task turns by share (theta x d3 at the end), of which the part across itself counts */
    const wy_m3 across =
        wy_mtimes(-self->task.share / drag.length, wy_mminus(wy_diagonal(1), wy_outer(drag.d3, drag.d3)));
    const wy_m3 turn = wy_mproduct(across, wy_skew(wy_at3(right + 9)));
    double rows[2][9];
    wy_to_rows(wy_mtimes(share, wy_mproduct(slopes.by_velocity, motion)), rows[0]);
    wy_to_rows(wy_mtimes(share, wy_mproduct(slopes.by_d3, turn)), rows[1]);
    for (int i = 0; i < 9; i++) {
      *wy_mixed_entry(matrix, 6 * a + i / 3, 6 * a + i % 3) -= rows[0][i];
      *wy_mixed_entry(matrix, 6 * a + i / 3, 6 * a + 3 + i % 3) -= rows[1][i];
    }
  }
}

double wy_mixed_fluid_power(const wy_mixed *self, double *lost) {
  double work = 0;
  *lost = 0;
  for (int e = 0; wy_fluid_drags(self->rod) && e < self->elements; e++)
    for (int a = 0; a < self->basis.nodes; a++) {
      const int node = wy_mixed_node(self, e, a);
      const node_drag drag = drag_at(self, node);
      const wy_v3 force =
          wy_times(self->task.fluid * share_of(self, e, a), wy_fluid_drag(&self->fluid[node], drag.velocity, drag.d3));
      work += wy_inner(force, drag.flow.velocity);
      *lost += wy_inner(force, drag.velocity);
    }
  return work;
}

double wy_mixed_fluid_damping(const wy_mixed *self, int element, const double *v) {
  double power = 0;
  for (int a = 0; wy_fluid_drags(self->rod) && a < self->basis.nodes; a++) {
    const int node = wy_mixed_node(self, element, a);
    const node_drag drag = drag_at(self, node);
    const wy_v3 motion = wy_at3(v + WY_NODE * (size_t)node);
    const wy_m3 by_velocity = wy_fluid_drag_slopes(&self->fluid[node], drag.velocity, drag.d3).by_velocity;
    power += self->task.fluid * share_of(self, element, a) * wy_inner(motion, wy_apply(by_velocity, motion));
  }
  return power;
}

double wy_mixed_fluid_gravity(const wy_mixed *self, int element, const double *q) {
  double energy = 0;
  for (int a = 0; wy_fluid_lifts(self->rod) && a < self->basis.nodes; a++) {
    const int node = wy_mixed_node(self, element, a);
    energy +=
        share_of(self, element, a) * self->fluid[node].displaced * wy_dot3(self->gravity, q + WY_NODE * (size_t)node);
  }
  return energy;
}
