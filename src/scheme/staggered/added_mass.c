/* SPDX-License-Identifier: MIT */
/* The mass that a fluid adds to the vertices of a staggered rod, across the segments beside them (U11): a matrix that
   turns with the frames, in the place of the scalar mass. */
#include <string.h>

#include "scheme/staggered/door.h"

static wy_m3 rows_at(const double *rows, int i) {
  return wy_from_rows(rows + 9 * (size_t)i);
}

static void put_rows(double *rows, int i, wy_m3 m) {
  wy_to_rows(m, rows + 9 * (size_t)i);
}

/* The end that a vertex is, or -1. */
static int end_of(const wy_staggered *self, int vertex) {
  return vertex == 0 ? WY_START : vertex == self->grid.n ? WY_END : -1;
}

static bool holds(const wy_staggered *self, int vertex, int k) {
  const int end = end_of(self, vertex);
  return end >= 0 && wy_is_held(self, end, k);
}

/* sum of added (1 - d3 d3^T) over the halves of segments at a vertex. */
static wy_m3 added_at(const wy_staggered *self, int vertex) {
  wy_m3 sum = wy_diagonal(0);
  for (int i = vertex > 0 ? vertex - 1 : 0; i <= vertex && i < self->grid.n; i++) {
    const wy_v3 d3 = wy_rotation(wy_door_frame(self, i)).c;
    sum = wy_mplus(sum, wy_mtimes(self->fluid.halves[i].added, wy_mminus(wy_diagonal(1), wy_outer(d3, d3))));
  }
  return sum;
}

/* The inverse of the mass of free components, zero in the rows and columns of held ones. */
static wy_m3 inverse_of(const wy_staggered *self, int vertex, wy_m3 mass) {
  double rows[9], inverse[9];
  wy_to_rows(mass, rows);
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3 && holds(self, vertex, k); c++)
      rows[3 * k + c] = rows[3 * c + k] = c == k;
  wy_to_rows(wy_minverse(wy_from_rows(rows)), inverse);
  for (int k = 0; k < 3; k++)
    if (holds(self, vertex, k))
      inverse[4 * k] = 0;
  return wy_from_rows(inverse);
}

void wy_staggered_added_masses(wy_staggered *self) {
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_m3 added = added_at(self, i);
    put_rows(self->fluid.added, i, added);
    put_rows(self->fluid.inverse, i, inverse_of(self, i, wy_mplus(wy_diagonal(self->grid.mass[i]), added)));
  }
}

/* M a = F + reaction, where held components of a are those of their support. On entry f has F / m. */
void wy_staggered_added_accelerations(wy_staggered *self, double *f) {
  double *a = f + self->grid.v;
  memset(self->eval.support_force, 0, sizeof self->eval.support_force);
  wy_staggered_added_masses(self);
  for (int i = 0; i <= self->grid.n; i++) {
    const int end = end_of(self, i);
    const wy_m3 mass = wy_mplus(wy_diagonal(self->grid.mass[i]), rows_at(self->fluid.added, i));
    const wy_v3 force = wy_times(self->grid.mass[i], wy_load3(a, self->grid.stride, i));
    double given[3] = {0};
    for (int k = 0; k < 3; k++)
      given[k] = holds(self, i, k) ? self->eval.pose[end].a[k] : 0;
    const wy_v3 left = wy_minus(force, wy_apply(mass, wy_at3(given)));
    const wy_v3 got = wy_plus(wy_at3(given), wy_apply(rows_at(self->fluid.inverse, i), left));
    wy_store3(a, self->grid.stride, i, got);
    if (end < 0)
      continue;
    double reaction[3];
    wy_put3(reaction, wy_minus(wy_apply(mass, got), force));
    for (int k = 0; k < 3; k++)
      self->eval.support_force[end][k] = holds(self, i, k) ? reaction[k] : 0;
  }
}

/* Of the forces of constraints: to += M^-1 of what they push a vertex with. */
void wy_staggered_added_push(const wy_staggered *self, double *to) {
  const int n = self->grid.stride, hs = self->grid.halo_stride, last = self->grid.n;
  for (int i = 0; i <= last; i++) {
    wy_v3 push = {0, 0, 0};
    if (i < last)
      push = wy_load3(self->links.force, hs, i);
    if (i > 0)
      push = wy_minus(push, wy_load3(self->links.force, hs, i - 1));
    wy_store3(to, n, i, wy_plus(wy_load3(to, n, i), wy_apply(rows_at(self->fluid.inverse, i), push)));
  }
}

/* What held components feel of the others' accelerations by the same forces. */
void wy_staggered_added_reactions(wy_staggered *self) {
  for (int end = 0; end < 2; end++) {
    const int vertex = wy_end_vertex(&self->grid, end), hs = self->grid.halo_stride;
    const wy_v3 push = wy_times(end ? -1 : 1, wy_load3(self->links.force, hs, wy_end_segment(&self->grid, end)));
    double felt[3];
    wy_put3(felt, wy_apply(rows_at(self->fluid.added, vertex), wy_apply(rows_at(self->fluid.inverse, vertex), push)));
    for (int k = 0; k < 3; k++)
      self->eval.support_force[end][k] += holds(self, vertex, k) ? felt[k] : 0;
  }
}

/* The matrix of the constraints: w of (C5) is a matrix, R^T (W- + W+) R on the diagonal, -R^T W+ R+ beside it. */
void wy_staggered_added_links(wy_staggered *self) {
  const int n = self->grid.stride, hs = self->grid.halo_stride, size = self->grid.constrained;
  for (int i = 0; i < self->grid.n; i++) {
    const wy_m3 r = wy_rotation(wy_load4(self->eval.unit, hs, i)), back = wy_mtransposed(r);
    const wy_m3 after = rows_at(self->fluid.inverse, i + 1);
    const double scalar = self->grid.inv_mass[i] + self->grid.inv_mass[i + 1];
    const wy_m3 both = wy_mplus(rows_at(self->fluid.inverse, i), after);
    double more[9];
    wy_to_rows(wy_mminus(wy_mproduct(back, wy_mproduct(both, r)), wy_diagonal(scalar)), more);
    for (int row = 0, at = 0; row < size; row++)
      for (int column = 0; column <= row; column++, at++)
        self->links.diagonal[at * n + i] += more[3 * row + column];
    if (i + 1 == self->grid.n)
      break;
    wy_m3 turn =
        wy_mproduct(back, wy_mproduct(wy_mtimes(-1, after), wy_rotation(wy_load4(self->eval.unit, hs, i + 1))));
    if (size == 2)
      turn.a.z = turn.b.z = turn.c.x = turn.c.y = turn.c.z = 0;
    wy_store3(self->links.next, n, i, turn.a);
    wy_store3(self->links.next + 3 * n, n, i, turn.b);
    wy_store3(self->links.next + 6 * n, n, i, turn.c);
  }
}

double wy_staggered_added_power(const wy_staggered *self, const double *u, const double *f) {
  const int n = self->grid.stride;
  double power = 0;
  for (int i = 0; i <= self->grid.n; i++)
    power -= wy_inner(wy_load3(u + self->grid.v, n, i),
                      wy_apply(rows_at(self->fluid.added, i), wy_load3(f + self->grid.v, n, i)));
  return power;
}

/* Pressure in the flow and added mass together: (displaced + added) (1 - d3 d3^T) dU/dt. */
wy_v3 wy_staggered_added_flow(const wy_staggered *self, int segment, wy_v3 rate) {
  const wy_fluid_section *half = &self->fluid.halves[segment];
  const wy_v3 d3 = wy_rotation(wy_door_frame(self, segment)).c;
  return wy_times(half->displaced + half->added, wy_minus(rate, wy_times(wy_inner(d3, rate), d3)));
}

/* M dv' = dF - dM v': what a turn of d3 changes of the force -added (1 - d3 d3^T) v', and of that of an unsteady flow.
 */
void wy_staggered_added_blocks(wy_staggered *self, const double *u, const double *f) {
  const int n = self->grid.stride;
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_v3 a = wy_load3(f + self->grid.v, n, i);
    const wy_v3 rate = wy_fluid_flow(self->grid.rod, wy_load3(u + self->grid.x, n, i), self->fluid.t).rate;
    self->linear.into->add_mass(self, i, rows_at(self->fluid.added, i));
    for (int k = i > 0 ? i - 1 : 0; k <= i && k < self->grid.n; k++) {
      const wy_fluid_section *half = &self->fluid.halves[k];
      const wy_m3 r = wy_rotation(wy_door_frame(self, k));
      const wy_v3 y = wy_minus(wy_times(half->added, a), wy_times(half->displaced + half->added, rate));
      const double along = wy_inner(r.c, y);
      const wy_v3 first = wy_plus(wy_times(along, r.b), wy_times(wy_inner(r.b, y), r.c));
      const wy_v3 second = wy_plus(wy_times(along, r.a), wy_times(wy_inner(r.a, y), r.c));
      wy_door_block(self, wy_at_vertex(i), wy_at_segment(k), 1, (wy_m3){wy_times(-1, first), second, {0, 0, 0}});
    }
  }
}

void wy_staggered_added_keep(wy_staggered *self) {
  wy_staggered_added_masses(self);
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 9; k++)
      self->fluid.rest_added[9 * i + k] =
          holds(self, i, k / 3) || holds(self, i, k % 3) ? 0 : self->fluid.added[9 * i + k];
}
