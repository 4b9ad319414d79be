/* SPDX-License-Identifier: MIT */
/* The matrix of a chain for one shift: rotations and section forces, 6 unknowns a segment, ordered theta_0, n_0,
   theta_1, ..., with half bandwidth 8 and three empty rows behind. Rows are made while they are factored. Each entry is
   a sum of real blocks times sigma^2, sigma, 1 and 1/sigma, so that the real and the imaginary part differ in these
   four factors alone (C25), (C26). */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/chain.h"

enum { CELL = WY_CHAIN_CELL, HALF = WY_CHAIN_HALF, WIDTH = 2 * HALF + 1, SPARE = 3 };

/* One part (real or imaginary) of sigma^2, sigma, 1, 1/sigma. */
typedef struct powers {
  double square, first, one, inverse;
} powers;

/* Where the making of rows stands: one group of segments a call. Blocks stand column by column, of segments and then of
   the vertices before them; `carry` is what the segment before the group left. */
enum {
  TURN_TURN,
  TURN_FORCE,
  FORCE_TURN,
  FORCE_FORCE,
  FORCE_BEFORE,
  MINUS_MINUS,
  MINUS_PLUS,
  PLUS_MINUS,
  PLUS_PLUS,
  MADE
};

typedef struct made_group {
  double blocks[MADE * 9 * WY_LANES];
} made_group;

typedef struct row_carry {
  double turn_turn[9], turn_force[9], force_turn[9], force_force[9], force_before[9], before[9];
} row_carry;

typedef struct row_maker {
  const wy_staggered *self;
  wy_number sigma;
  powers part[2];
  double force, torque; /* units: of unknown forces, of rows of torques and rotations */
  int first;
  made_group group;
  row_carry carry[2];
} row_maker;

/* times what acts on dOmega = (sigma + skew(Om) / 2 + Om Om^T / (4 sigma)) theta, without its part in sigma. */
WY_INLINE wy_m3 through_turn(wy_m3 m, wy_v3 om, double one, double inverse) {
  const wy_m3 turned = wy_mtimes(0.5 * one, wy_times_skew(m, om));
  return wy_mplus(turned, wy_outer(wy_times(0.25 * inverse, wy_apply(m, om)), om));
}

/* The rows of a segment by its own unknowns, one part (C25), (C26). */
WY_INLINE void make_segments(const row_maker *maker, powers c, bool imaginary, bool stretches, made_group *group) {
  const wy_staggered *self = maker->self;
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict kept = wy_group(self->linear.chain.blocks, WY_CHAIN_BLOCKS, maker->first);
  const double *restrict vectors = self->linear.chain.vectors, *restrict omega = self->linear.omega;
  const double *restrict inertia = self->grid.inertia, *restrict h = self->grid.h,
                         *restrict stretch = self->linear.chain.stretch, *restrict w = self->linear.chain.mobility,
                         *restrict inv_mass = self->grid.inv_mass;
  const double mass = self->linear.chain.mass, by_torque = maker->torque, little = 1e-12 * c.one;
  const wy_number sigma = maker->sigma, square = wy_number_times(sigma, sigma);
  const wy_v3 e3 = {0, 0, 1};
  double *restrict out = group->blocks;
#pragma omp simd
  for (int lane = 0; lane < WY_LANES; lane++) {
    const int i = maker->first + lane;
    const wy_m3 r = wy_load_block(kept, lane, WY_CHAIN_FRAME), gyro = wy_load_block(kept, lane, WY_CHAIN_GYRO);
    const wy_m3 sweep = wy_load_block(kept, lane, WY_CHAIN_SWEEP);
    const wy_v3 om = wy_load3(omega, hs, i), in = wy_load3(inertia, n, i);
    const wy_v3 section = wy_load3(vectors + 3 * WY_CHAIN_FORCE * n, n, i);
    const double g = stretch[i];
    wy_m3 turn = wy_mtimes(c.first, gyro), kin = wy_mtimes(c.first, sweep);
    const wy_m3 inertial = {{in.x, 0, 0}, {0, in.y, 0}, {0, 0, in.z}}, lever = wy_mtimes(-g, wy_skew(e3));
    turn = wy_mplus(turn, wy_mtimes(c.square, inertial));
    turn = wy_mplus(turn, through_turn(inertial, om, c.first, c.one));
    turn = wy_mplus(turn, through_turn(gyro, om, c.one, c.inverse));
    turn = wy_mminus(turn, wy_mtimes(c.one, wy_load_block(kept, lane, WY_CHAIN_TURN)));
    turn = wy_mminus(turn, wy_mtimes(c.one * h[i] * g, wy_skew_times(e3, wy_skew(section))));
    kin = wy_mplus(kin, wy_mtimes(c.square, lever));
    kin = wy_mplus(kin, through_turn(lever, om, c.first, c.one));
    kin = wy_mplus(kin, through_turn(sweep, om, c.one, c.inverse));
    kin = wy_mminus(kin, wy_mtimes(c.one, wy_skew(wy_load3(vectors + 3 * WY_CHAIN_A * n, n, i))));
    wy_m3 by_force = wy_mtimes(-c.one * h[i] * g, wy_skew(e3));
    const wy_v3 both = wy_plus(wy_load3(w, n, i), wy_load3(w, n, i + 1));
    const double loose = little * (inv_mass[i] + inv_mass[i + 1]);
    wy_m3 along = wy_mproduct(wy_mtransposed(r), wy_scale_rows(both, r));
    along = wy_mminus(wy_mtimes(-c.one, along), wy_diagonal(loose));
    if (stretches) {
      const wy_v3 arm = wy_chain_arm(section);
      const wy_number y = wy_chain_yield(self, sigma, i), y1 = wy_number_times(y, sigma),
                      y2 = wy_number_times(y, square);
      const double yield = imaginary ? y.im : y.re, yield1 = imaginary ? y1.im : y1.re,
                   yield2 = imaginary ? y2.im : y2.re;
      wy_v3 moved = wy_times(yield, wy_load3(vectors + 3 * WY_CHAIN_BY_STRETCH * n, n, i));
      moved = wy_plus(moved, wy_times(yield1, wy_load3(vectors + 3 * WY_CHAIN_BY_RATE * n, n, i)));
      moved.z += yield2;
      turn = wy_mminus(turn, wy_outer(wy_times(h[i] * yield, arm), arm));
      kin = wy_mplus(kin, wy_outer(moved, arm));
      by_force.c = wy_minus(by_force.c, wy_times(h[i] * yield, arm));
      along.c = wy_minus(along.c, wy_times(h[i], moved));
    }
    wy_store_block(out, lane, TURN_TURN, wy_mtimes(by_torque * by_torque, turn));
    wy_store_block(out, lane, TURN_FORCE, wy_mtimes(by_torque * maker->force, by_force));
    wy_store_block(out, lane, FORCE_TURN, wy_mtimes(-mass * h[i] * by_torque, kin));
    wy_store_block(out, lane, FORCE_FORCE, wy_mtimes(mass * maker->force, along));
    wy_store_block(out, lane, FORCE_BEFORE,
                   wy_mtimes(c.one * mass * maker->force, wy_load_block(kept, lane, WY_CHAIN_BEFORE)));
  }
}

/* The torques at the vertices before the segments by the rotations of both neighbours (C26). */
WY_INLINE void make_vertices(const row_maker *maker, powers c, bool damped, made_group *group) {
  const wy_staggered *self = maker->self;
  const int hs = self->grid.halo_stride;
  const double *restrict vertices = wy_group(self->linear.vertices, WY_VERTEX_BLOCKS, maker->first);
  const double *restrict omega = self->linear.omega;
  const double unit = maker->torque * maker->torque;
  double *restrict out = group->blocks;
  for (int which = 0; which < 4; which++) /* in the order of MINUS_MINUS ... */
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      wy_m3 m = wy_mtimes(c.one, wy_load_block(vertices, lane, WY_MINUS_T_MINUS + which));
      if (damped) {
        const wy_v3 om = wy_load3(omega, hs, maker->first + lane - (which % 2 ? 0 : 1));
        const wy_m3 rate = wy_load_block(vertices, lane, WY_MINUS_W_MINUS + which);
        m = wy_mplus(m, wy_mplus(wy_mtimes(c.first, rate), through_turn(rate, om, c.one, c.inverse)));
      }
      wy_store_block(out, lane, MINUS_MINUS + which, wy_mtimes(unit, m));
    }
}

WY_INLINE void make_group(const row_maker *maker, int part, made_group *group) {
  const powers c = maker->part[part];
  const bool imaginary = part == 1;
  if (maker->self->grid.stretches)
    make_segments(maker, c, imaginary, true, group);
  else
    make_segments(maker, c, imaginary, false, group);
  if (maker->self->grid.damped)
    make_vertices(maker, c, true, group);
  else
    make_vertices(maker, c, false, group);
}

/* A block into three rows, `column` columns from the diagonal entry of the first. */
WY_INLINE void put_block(double *rows, int column, double factor, const double *b) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      rows[r * (WIDTH - 1) + HALF + column + c] = factor * b[3 * c + r];
}

WY_INLINE void take_block(const double *blocks, int lane, int which, double out[9]) {
  for (int k = 0; k < 9; k++)
    out[k] = blocks[(which * 9 + k) * WY_LANES + lane];
}

/* What the vertex behind a segment adds to its rows. */
typedef struct row_vertex {
  double minus_minus[9], minus_plus[9], force_before[9];
} row_vertex;

/* Rows of a segment. */
WY_INLINE void write_rows(const row_carry *carry, const row_vertex *behind, double *rows) {
  double own[9], after[9], *force = rows + 3 * WIDTH;
  for (int k = 0; k < 9; k++) {
    own[k] = carry->turn_turn[k] - behind->minus_minus[k];
    after[k] = behind->force_before[k % 3 * 3 + k / 3]; /* transposed: the same two segments */
  }
  memset(rows, 0, 6 * WIDTH * sizeof *rows);
  put_block(rows, -6, -1, carry->before);
  put_block(rows, 0, 1, own);
  put_block(rows, 3, 1, carry->turn_force);
  put_block(rows, 6, -1, behind->minus_plus);
  put_block(force, -6, 1, carry->force_before);
  put_block(force, -3, 1, carry->force_turn);
  put_block(force, 0, 1, carry->force_force);
  put_block(force, 6, 1, after);
}

/* What the rows of segment i still need once its group is gone. */
WY_INLINE void keep_segment(const double *blocks, int lane, row_carry *carry) {
  double plus_plus[9];
  take_block(blocks, lane, TURN_TURN, carry->turn_turn);
  take_block(blocks, lane, PLUS_PLUS, plus_plus);
  for (int k = 0; k < 9; k++)
    carry->turn_turn[k] -= plus_plus[k];
  take_block(blocks, lane, TURN_FORCE, carry->turn_force);
  take_block(blocks, lane, FORCE_TURN, carry->force_turn);
  take_block(blocks, lane, FORCE_FORCE, carry->force_force);
  take_block(blocks, lane, FORCE_BEFORE, carry->force_before);
  take_block(blocks, lane, PLUS_MINUS, carry->before);
}

/* The rows that this group of vertices completes; returns their number. */
WY_INLINE int feed_part(row_maker *maker, int part, double *rows) {
  const int n = maker->self->grid.n;
  const double one = maker->part[part].one;
  double *at = rows;
  make_group(maker, part, &maker->group);
  for (int lane = 0; lane < WY_LANES && maker->first + lane <= n; lane++) {
    row_vertex vertex;
    take_block(maker->group.blocks, lane, MINUS_MINUS, vertex.minus_minus);
    take_block(maker->group.blocks, lane, MINUS_PLUS, vertex.minus_plus);
    take_block(maker->group.blocks, lane, FORCE_BEFORE, vertex.force_before);
    if (maker->first + lane > 0) {
      write_rows(&maker->carry[part], &vertex, at);
      at += CELL * WIDTH;
    }
    keep_segment(maker->group.blocks, lane, &maker->carry[part]);
  }
  if (maker->first + WY_LANES > n) {
    memset(at, 0, SPARE * WIDTH * sizeof *at);
    for (int k = 0; k < SPARE; k++)
      at[k * WIDTH + HALF] = one;
    at += SPARE * WIDTH;
  }
  return (int)((at - rows) / WIDTH);
}

WY_CLONES
static int feed_real(void *context, double *rows) {
  row_maker *maker = context;
  const int count = feed_part(maker, 0, rows);
  maker->first += WY_LANES;
  return count;
}

WY_CLONES
static int feed_complex(void *context, double *rows_re, double *rows_im) {
  row_maker *maker = context;
  const int count = feed_part(maker, 0, rows_re);
  feed_part(maker, 1, rows_im);
  maker->first += WY_LANES;
  return count;
}

int wy_chain_factor(wy_staggered *self, wy_slot *slot) {
  const wy_number sigma = {slot->re, slot->is_complex ? slot->im : 0};
  const wy_number square = wy_number_times(sigma, sigma), inverse = wy_number_inverse(sigma);
  row_maker maker = {.self = self,
                     .sigma = sigma,
                     .part = {{square.re, sigma.re, 1, inverse.re}, {square.im, sigma.im, 0, inverse.im}},
                     .force = wy_chain_force(self, slot),
                     .torque = 1 / self->linear.chain.length};
  const int failed = slot->is_complex ? wy_band_complex_factor_fed(&slot->band_complex, feed_complex, &maker)
                                      : wy_band_factor_fed(&slot->band, feed_real, &maker);
  return failed ? WY_RETRY : WY_OK;
}
