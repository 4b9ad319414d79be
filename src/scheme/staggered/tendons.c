/* SPDX-License-Identifier: MIT */
/* The stiffness of tendons, by half cells (A8): what a tendon pulls with depends on the strain of a segment and on the
   curvatures at its ends, so that vertices and segments are coupled beyond the regular pattern. */
#include "scheme/staggered/door.h"
#include "scheme/staggered/zeta.h"

/* The stiffness of one half cell: 3x3 blocks by Dx of its segment and by the rotations it depends on, and to which
   vertices (Dx, with their signs) and segments these belong. */
typedef struct tendon_cell {
  int count;             /* of places */
  wy_place at[4];        /* the vertices of the segment, then the segments */
  int kind[4];           /* 0 for Dx, else the number of the rotation */
  double sign[4];        /* of a place in Dx */
  wy_m3 stiffness[3][3]; /* by the kinds of places */
} tendon_cell;

/* dK = minus theta- + plus theta+ (S17) */
static void curvature_derivatives(const wy_staggered *self, int vertex, wy_m3 *minus, wy_m3 *plus) {
  assert(!wy_staggered_turns_freely(self, vertex));
  const int hs = self->grid.halo_stride;
  wy_q4 between = wy_between(wy_load4(self->eval.unit, hs, vertex - 1), wy_load4(self->eval.unit, hs, vertex));
  wy_zeta z = wy_zeta_at(self->grid.options.curvature_measure, between.w);
  wy_v3 im = wy_pure(between);
  double inv_l = 0.5 * self->grid.twice_inv_l[vertex];
  wy_m3 along = wy_mminus(wy_diagonal(z.value * between.w), wy_mtimes(z.first, wy_outer(im, im)));
  wy_m3 across = wy_mtimes(z.value, wy_skew(im));
  *minus = wy_mtimes(inv_l, wy_mminus(across, along));
  *plus = wy_mtimes(inv_l, wy_mplus(across, along));
}

/* dX and dK of a half cell by Dx and by rotations. The ghost of a held end turns with its segment, by -Rt (S22). */
static void depend(const wy_staggered *self, int i, int vertex, wy_v3 x, tendon_cell *cell, wy_m3 strain[3],
                   wy_m3 bend[3]) {
  const int end = vertex == 0 ? WY_START : vertex == self->grid.n ? WY_END : -1, first = end < 0 ? vertex - 1 : i;
  wy_m3 minus, plus;
  for (int k = 0; k < 3; k++)
    strain[k] = bend[k] = wy_diagonal(0);
  cell->count = end < 0 ? 4 : 3;
  for (int k = 0; k < cell->count; k++) {
    cell->kind[k] = k < 2 ? 0 : k - 1;
    cell->sign[k] = k ? 1 : -1;
    cell->at[k] = k < 2 ? wy_at_vertex(i + k) : wy_at_segment(first + k - 2);
  }
  strain[0] = wy_mtimes(self->grid.inv_h[i], wy_mtransposed(wy_rotation(wy_door_frame(self, i))));
  strain[1 + i - first] = wy_skew(x);
  if (wy_staggered_turns_freely(self, vertex)) {
    bend[0] = wy_from_rows(self->actuators.free_ends[end].by_x),
    bend[1] = wy_from_rows(self->actuators.free_ends[end].by_turn);
    return;
  }
  curvature_derivatives(self, vertex, &minus, &plus);
  if (end < 0) {
    bend[1] = minus, bend[2] = plus;
    return;
  }
  wy_m3 own = end ? minus : plus, ghost = end ? plus : minus;
  bend[1] = wy_mminus(own, wy_mproduct(ghost, wy_from_rows(self->eval.ghost_turn[end])));
}

/* In the half of segment i before (0) or after (1) its midpoint. */
static void find_cell(const wy_staggered *self, const double *u, int i, int side, tendon_cell *cell) {
  const int vertex = i + side;
  const bool bends = !wy_staggered_turns_freely(self, vertex); /* else its curvature takes no moment */
  wy_v3 x = wy_staggered_tangent(self, u, i);
  wy_pull p = wy_staggered_pull(self, vertex, x, wy_staggered_half_cell_curvature(self, vertex));
  wy_m3 strain[3], bend[3], turned = wy_mtransposed(p.b);
  depend(self, i, vertex, x, cell, strain, bend);
  for (int column = 0; column < cell->count - 1; column++) {
    wy_m3 force = wy_mplus(wy_mproduct(p.a, strain[column]), wy_mproduct(p.b, bend[column]));
    wy_m3 moment = wy_mplus(wy_mproduct(turned, strain[column]), wy_mproduct(p.d, bend[column]));
    for (int row = 0; row < cell->count - 1; row++) {
      wy_m3 sum = wy_mproduct(wy_mtransposed(strain[row]), force);
      if (bends)
        sum = wy_mplus(sum, wy_mproduct(wy_mtransposed(bend[row]), moment));
      cell->stiffness[row][column] = wy_mtimes(0.5 * self->grid.h[i], sum);
    }
  }
}

void wy_staggered_tendon_blocks(wy_staggered *self, const double *u) {
  assert(self->actuators.has_tendons);
  for (int half = 0; half < 2 * self->grid.n; half++) {
    tendon_cell cell;
    find_cell(self, u, half / 2, half % 2, &cell);
    for (int row = 0; row < cell.count; row++)
      for (int column = 0; column < cell.count; column++)
        wy_door_block(self, cell.at[row], cell.at[column], -cell.sign[row] * cell.sign[column],
                      cell.stiffness[cell.kind[row]][cell.kind[column]]);
  }
}
