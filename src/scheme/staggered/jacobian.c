/* SPDX-License-Identifier: MIT */
/* The analytic Jacobian as 3x3 blocks per segment and per vertex (S30)-(S37), with respect to positions, body rotations
   theta (R becomes R (1 + skew(theta))), velocities and angular velocities. The forms turn the blocks into systems. */
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/door.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/zeta.h"

WY_INLINE void segment_blocks(const wy_staggered *self, const double *restrict u, bool damped, bool offset,
                              bool pressed) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict v = u + self->grid.v;
  const double *restrict h = self->grid.h, *restrict inv_h = self->grid.inv_h, *restrict inertia = self->grid.inertia;
  const double *restrict c = self->stiffness.c_gamma, *restrict d = self->stiffness.d_gamma,
                         *restrict drag = self->grid.drag_inertia;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega,
                         *restrict relaxed = self->grid.gamma_zero ? self->grid.gamma_zero : self->branches.relaxed;
  for (int first = 0; first < n; first += WY_LANES) {
    double *restrict out = wy_group(self->linear.segments, WY_SEGMENT_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
      wy_v3 om = wy_load3(omega, hs, i), ci = wy_load3(c, n, i);
      wy_m3 e = wy_mtimes(inv_h[i], wy_mtransposed(r));
      wy_v3 tangent = wy_apply(e, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
      wy_v3 stress = wy_each(ci, (wy_v3){tangent.x, tangent.y, tangent.z - 1});
      if (offset)
        stress = wy_minus(stress, wy_each(ci, wy_load3(relaxed, n, i)));
      if (pressed) { /* L2, L3; padding has no stiffness */
        const double extension = tangent.z - 1 - (offset ? relaxed[2 * n + i] : 0);
        stress.z *= ci.z > 0 ? wy_law_force_ratio(&self->grid.rod->law, extension) : 1;
        ci.z *= ci.z > 0 ? wy_law_stiffness_ratio(&self->grid.rod->law, extension) : 1;
      }
      wy_m3 skew = wy_skew(tangent);
      wy_m3 by_x = wy_scale_rows(ci, e), by_t = wy_scale_rows(ci, skew);
      /* gyroscopic moment: d(-Om x I Om) = (skew(I Om) - skew(Om) I) dOm */
      wy_v3 in = wy_load3(inertia, n, i), io = wy_each(in, om), dr = wy_load3(drag, n, i);
      wy_m3 gyro = {{-dr.x, io.z - om.z * in.x, om.y * in.x - io.y},
                    {om.z * in.y - io.z, -dr.y, io.x - om.x * in.y},
                    {io.y - om.y * in.z, om.x * in.z - io.x, -dr.z}};
      if (damped) {
        wy_v3 di = wy_load3(d, n, i);
        wy_v3 speed = wy_apply(e, wy_minus(wy_load3(v, n, i + 1), wy_load3(v, n, i)));
        wy_v3 rate = wy_plus(speed, wy_cross(tangent, om));
        stress = wy_plus(stress, wy_each(di, rate));
        by_x = wy_mminus(by_x, wy_scale_rows(di, wy_skew_times(om, e)));
        by_t = wy_mplus(by_t, wy_scale_rows(di, wy_mminus(wy_skew(speed), wy_skew_times(om, skew))));
        wy_m3 by_v = wy_scale_rows(di, e), by_w = wy_scale_rows(di, skew);
        wy_store_block(out, lane, WY_FORCE_V, wy_mproduct(r, by_v));
        wy_store_block(out, lane, WY_FORCE_W, wy_mproduct(r, by_w));
        wy_store_block(out, lane, WY_TORQUE_V, wy_mtimes(h[i], wy_skew_times(tangent, by_v)));
        gyro = wy_mplus(gyro, wy_mtimes(h[i], wy_skew_times(tangent, by_w)));
      }
      wy_store_block(out, lane, WY_FORCE_X, wy_mproduct(r, by_x));
      wy_store_block(out, lane, WY_FORCE_T, wy_mproduct(r, wy_mminus(by_t, wy_skew(stress))));
      wy_m3 torque_x = wy_mminus(wy_skew_times(tangent, by_x), wy_skew_times(stress, e));
      wy_m3 torque_t = wy_mminus(wy_skew_times(tangent, by_t), wy_skew_times(stress, skew));
      wy_store_block(out, lane, WY_TORQUE_X, wy_mtimes(h[i], torque_x));
      wy_store_block(out, lane, WY_TORQUE_T, wy_mtimes(h[i], torque_t));
      wy_store_block(out, lane, WY_TORQUE_W, gyro);
    }
  }
}

/* Derivatives of mu_a = (zeta w - zeta' W W^T) y and mu_b = zeta W x y for fixed y, by a = theta+ - theta- and b =
   theta+ + theta-, through dw = -W.a / 2 and dW = (w a + W x b) / 2 (S34). */
typedef struct variation {
  wy_m3 by_a, by_b;
} variation;

WY_INLINE variation vary(wy_v3 by_w, wy_m3 by_im, double w, wy_v3 im) {
  return (variation){wy_mminus(wy_mtimes(0.5 * w, by_im), wy_mtimes(0.5, wy_outer(by_w, im))),
                     wy_mtimes(0.5, wy_times_skew(by_im, im))};
}

WY_INLINE variation vary_along(wy_zeta z, double second, double w, wy_v3 im, wy_v3 y) {
  double inner = wy_inner(im, y);
  wy_v3 by_w = wy_minus(wy_times(z.first * w + z.value, y), wy_times(second * inner, im));
  wy_m3 by_im = wy_mtimes(-z.first, wy_mplus(wy_diagonal(inner), wy_outer(im, y)));
  return vary(by_w, by_im, w, im);
}

WY_INLINE variation vary_across(wy_zeta z, double w, wy_v3 im, wy_v3 y) {
  return vary(wy_times(z.first, wy_cross(im, y)), wy_mtimes(-z.value, wy_skew(y)), w, im);
}

/* What a stiffening law adds to C: s (Q C + 2 C k k^T C), k the change of curvature (L3). */
typedef struct stiffer {
  wy_v3 diagonal, linear; /* s Q C, and C k */
  double twice;           /* 2 s */
} stiffer;

WY_INLINE wy_m3 stiffened_by(const stiffer *law, wy_m3 m) {
  return wy_mplus(wy_scale_rows(law->diagonal, m),
                  wy_outer(wy_times(law->twice, law->linear), wy_apply_transposed(m, law->linear)));
}

WY_INLINE void vertex_blocks(const wy_staggered *self, wy_curvature_measure measure, bool damped, bool stiffened) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega,
                         *restrict scale = self->grid.twice_inv_l;
  const double *restrict c = self->stiffness.c_kappa, *restrict d = self->stiffness.d_kappa,
                         *restrict zero = self->eval.m_zero;
  const double *restrict natural = self->grid.k_zero, *restrict stiffening = self->stiffness.stiffening;
  for (int first = 0; first < n; first += WY_LANES) {
    double *restrict out = wy_group(self->linear.vertices, WY_VERTEX_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_q4 between = wy_between(wy_load4(unit, hs, i - 1), wy_load4(unit, hs, i));
      wy_v3 im = wy_pure(between), ci = wy_load3(c, n, i);
      double w = between.w;
      wy_zeta z = wy_zeta_at(measure, w);
      double second = wy_zeta_second(measure, w, z);
      wy_v3 moment = wy_minus(wy_times(scale[i] * z.value, wy_each(ci, im)), wy_load3(zero, n, i));
      wy_m3 along = wy_mminus(wy_diagonal(z.value * w), wy_mtimes(z.first, wy_outer(im, im)));
      wy_m3 across = wy_mtimes(z.value, wy_skew(im));
      double inv_l = 0.5 * scale[i];
      wy_m3 moment_a = wy_scale_rows(wy_times(inv_l, ci), along), moment_b = wy_scale_rows(wy_times(inv_l, ci), across);
      wy_m3 minus = wy_mplus(along, across), plus = wy_mminus(across, along);
      if (stiffened) {
        wy_v3 bend = wy_minus(wy_times(scale[i] * z.value, im), wy_load3(natural, n, i)), linear = wy_each(ci, bend);
        double more = stiffening[i] * wy_inner(linear, bend);
        stiffer law = {wy_times(more, ci), linear, 2 * stiffening[i]};
        moment = wy_plus(moment, wy_times(more, linear));
        moment_a = wy_mplus(moment_a, wy_mtimes(inv_l, stiffened_by(&law, along)));
        moment_b = wy_mplus(moment_b, wy_mtimes(inv_l, stiffened_by(&law, across)));
      }
      if (damped) {
        wy_v3 om_minus = wy_load3(omega, hs, i - 1), om_plus = wy_load3(omega, hs, i);
        wy_v3 alpha = wy_minus(om_plus, om_minus), beta = wy_plus(om_plus, om_minus);
        wy_v3 di = wy_times(inv_l, wy_load3(d, n, i));
        moment = wy_plus(moment, wy_each(di, wy_plus(wy_apply(along, alpha), wy_apply(across, beta))));
        variation a = vary_along(z, second, w, im, alpha), b = vary_across(z, w, im, beta);
        moment_a = wy_mplus(moment_a, wy_scale_rows(di, wy_mplus(a.by_a, b.by_a)));
        moment_b = wy_mplus(moment_b, wy_scale_rows(di, wy_mplus(a.by_b, b.by_b)));
        wy_m3 rate_plus = wy_scale_rows(di, minus), rate_minus = wy_scale_rows(di, plus);
        wy_store_block(out, lane, WY_MINUS_W_MINUS, wy_mproduct(minus, rate_minus));
        wy_store_block(out, lane, WY_MINUS_W_PLUS, wy_mproduct(minus, rate_plus));
        wy_store_block(out, lane, WY_PLUS_W_MINUS, wy_mproduct(plus, rate_minus));
        wy_store_block(out, lane, WY_PLUS_W_PLUS, wy_mproduct(plus, rate_plus));
      }
      variation a = vary_along(z, second, w, im, moment), b = vary_across(z, w, im, moment);
      wy_m3 minus_a = wy_mplus(wy_mplus(a.by_a, b.by_a), wy_mproduct(minus, moment_a));
      wy_m3 minus_b = wy_mplus(wy_mplus(a.by_b, b.by_b), wy_mproduct(minus, moment_b));
      wy_m3 plus_a = wy_mplus(wy_mminus(b.by_a, a.by_a), wy_mproduct(plus, moment_a));
      wy_m3 plus_b = wy_mplus(wy_mminus(b.by_b, a.by_b), wy_mproduct(plus, moment_b));
      wy_store_block(out, lane, WY_MINUS_T_MINUS, wy_mminus(minus_b, minus_a));
      wy_store_block(out, lane, WY_MINUS_T_PLUS, wy_mplus(minus_b, minus_a));
      wy_store_block(out, lane, WY_PLUS_T_MINUS, wy_mminus(plus_b, plus_a));
      wy_store_block(out, lane, WY_PLUS_T_PLUS, wy_mplus(plus_b, plus_a));
    }
  }
}

WY_CLONES
static void fill_segments(const wy_staggered *self, const double *u) {
  if (self->grid.gamma_zero && wy_law_changes_extension(&self->grid.rod->law))
    segment_blocks(self, u, true, true, true);
  else if (self->branches.count || self->grid.gamma_zero)
    segment_blocks(self, u, true, true, false);
  else if (wy_law_changes_extension(&self->grid.rod->law))
    segment_blocks(self, u, true, false, true);
  else if (self->grid.damped)
    segment_blocks(self, u, true, false, false);
  else
    segment_blocks(self, u, false, false, false);
}

WY_INLINE void vertex_blocks_measured(const wy_staggered *self, wy_curvature_measure measure) {
  if (self->stiffness.stiffening)
    vertex_blocks(self, measure, true, true);
  else if (self->grid.damped)
    vertex_blocks(self, measure, true, false);
  else
    vertex_blocks(self, measure, false, false);
}

WY_CLONES
static void fill_vertices(const wy_staggered *self) {
  switch (self->grid.options.curvature_measure) {
  case WY_SIN2:
    vertex_blocks_measured(self, WY_SIN2);
    break;
  case WY_SIN4:
    vertex_blocks_measured(self, WY_SIN4);
    break;
  case WY_TAN2:
    vertex_blocks_measured(self, WY_TAN2);
    break;
  case WY_TAN4:
    vertex_blocks_measured(self, WY_TAN4);
    break;
  default: /* angle: grid.options never holds `auto` */
    vertex_blocks_measured(self, WY_ANGLE);
    break;
  }
}

/* A clamped end: the ghost turns with the inner segment, theta_g = -Rt theta, Om_g = -Rt (Om - om0) + om0 with Rt =
   R(conj(q) p), and the inner segment's torque is tau - Rt^T tau_g (S22). Fold the vertex blocks into the segment's
   own. */
static void fold_ghost(wy_staggered *self, int end) {
  assert(wy_support_holds_rotation(&self->supports, end));
  const int vertex = wy_end_vertex(&self->grid, end), inner = wy_end_segment(&self->grid, end);
  const int hs = self->grid.halo_stride;
  /* names for the start; at the end minus and plus change places */
  int own_own_t = end ? WY_MINUS_T_MINUS : WY_PLUS_T_PLUS, own_ghost_t = end ? WY_MINUS_T_PLUS : WY_PLUS_T_MINUS;
  int ghost_own_t = end ? WY_PLUS_T_MINUS : WY_MINUS_T_PLUS, ghost_ghost_t = end ? WY_PLUS_T_PLUS : WY_MINUS_T_MINUS;
  int to_w = WY_MINUS_W_MINUS - WY_MINUS_T_MINUS;
  double *blocks = self->linear.vertices;
  if (wy_is_port(self, end))
    wy_staggered_keep_ghost(self, end);
  const double *g = self->eval.ghost_turn[end];
  wy_m3 turn = {{g[0], g[3], g[6]}, {g[1], g[4], g[7]}, {g[2], g[5], g[8]}}, back = wy_mtransposed(turn);
  wy_v3 om = wy_load3(self->eval.omega, hs, inner);
  wy_v3 w0 = {self->eval.pose[end].w[0], self->eval.pose[end].w[1], self->eval.pose[end].w[2]};
  wy_m3 rate_turn = wy_times_skew(turn, wy_minus(om, w0));
  wy_v3 ghost_torque = wy_load3(end ? self->eval.torque_plus : self->eval.torque_minus, hs, vertex);
  wy_v3 returned = wy_apply_transposed(turn, ghost_torque);
#define AT(which) wy_block_of(blocks, WY_VERTEX_BLOCKS, vertex, which)
  wy_m3 own_t = wy_mminus(AT(own_own_t), wy_mproduct(AT(own_ghost_t), turn));
  own_t = wy_mplus(own_t, wy_mproduct(AT(own_ghost_t + to_w), rate_turn));
  wy_m3 ghost_t = wy_mminus(AT(ghost_own_t), wy_mproduct(AT(ghost_ghost_t), turn));
  ghost_t = wy_mplus(ghost_t, wy_mproduct(AT(ghost_ghost_t + to_w), rate_turn));
  wy_m3 own_w = wy_mminus(AT(own_own_t + to_w), wy_mproduct(AT(own_ghost_t + to_w), turn));
  wy_m3 ghost_w = wy_mminus(AT(ghost_own_t + to_w), wy_mproduct(AT(ghost_ghost_t + to_w), turn));
#undef AT
  wy_m3 by_t = wy_mminus(wy_mminus(own_t, wy_mproduct(back, ghost_t)), wy_skew(returned));
  wy_m3 by_w = wy_mminus(own_w, wy_mproduct(back, ghost_w));
  wy_door_own_block(self, inner, WY_TORQUE_T, by_t);
  wy_door_own_block(self, inner, WY_TORQUE_W, by_w);
  double *group = wy_group(blocks, WY_VERTEX_BLOCKS, vertex);
  for (int which = 0; which < WY_VERTEX_BLOCKS; which++)
    wy_store_block(group, vertex % WY_LANES, which, wy_diagonal(0));
}

WY_INLINE void add_to_block(double *group, int lane, int which, wy_m3 m) {
  wy_store_block(group, lane, which, wy_mplus(wy_load_block(group, lane, which), m));
}

WY_CLONES
void wy_staggered_geometric_blocks(wy_staggered *self, const double *u, const double *force) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict unit = self->eval.unit, *restrict pull = force;
  for (int first = 0; first < n; first += WY_LANES) {
    double *restrict out = wy_group(self->linear.segments, WY_SEGMENT_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
      const wy_v3 turned = wy_load3(pull, n, i);
      const wy_v3 dx = wy_apply_transposed(r, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
      add_to_block(out, lane, WY_FORCE_T, wy_mtimes(-1, wy_mproduct(r, wy_skew(turned))));
      add_to_block(out, lane, WY_TORQUE_X, wy_mtimes(-1, wy_skew_times(turned, wy_mtransposed(r))));
      add_to_block(out, lane, WY_TORQUE_T, wy_mtimes(-1, wy_skew_times(turned, wy_skew(dx))));
    }
  }
}

void wy_staggered_section_blocks(wy_staggered *self, const double *u) {
  fill_segments(self, u);
  if (self->actuators.count > 0)
    wy_staggered_actuator_blocks(self, u);
}

void wy_staggered_clear_section_blocks(wy_staggered *self, const double *u) {
  (void)u;
  memset(self->linear.segments, 0, (size_t)self->grid.stride * WY_SEGMENT_BLOCKS * WY_BLOCK_ENTRIES * sizeof(double));
}

void wy_staggered_torque_blocks(wy_staggered *self) {
  fill_vertices(self);
  for (int end = 0; end < 2; end++)
    if (wy_support_holds_rotation(&self->supports, end))
      fold_ghost(self, end);
  wy_staggered_load_own_blocks(self);
}
