/* SPDX-License-Identifier: MIT */
/* Solves of the null-space form: the known part of displacements and rotations goes to the right-hand side, the band
   gives velocities and angular velocities, and the rest follows from them (S40)-(S43). */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/nullspace.h"

/* The known part of dx and theta: dx = r_x / sigma + ..., theta = 2 Im(r' (sigma + Om/2)) / (sigma^2 + |Om|^2/4) + ...,
   r' = p^-1 r_p. Overwrites r_x by r_x / sigma; leaves theta in a halo array. One part of a complex number at a time
   would need the other part, so both are done here. */
WY_INLINE void known_loop(const wy_staggered *self, const wy_slot *slot, double *restrict b, double *restrict b_im,
                          bool is_complex) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = self->linear.p, *restrict omega = self->linear.omega;
  double *restrict x = b + self->grid.x, *restrict q = b + self->grid.p, *restrict theta = self->linear.theta;
  double *restrict x_im = is_complex ? b_im + self->grid.x : NULL, *restrict q_im =
                                                                       is_complex ? b_im + self->grid.p : NULL;
  double *restrict theta_im = self->linear.theta_im;
  const double re = slot->re, im = is_complex ? slot->im : 0;
  const double inv = 1 / (re * re + im * im), inv_re = re * inv, inv_im = -im * inv;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 pi = wy_load4(p, n, i);
    wy_v3 om = wy_load3(omega, hs, i), rx = wy_load3(x, n, i);
    double inv_norm2 = 1 / (wy_qsquare(pi));
    wy_q4 r = wy_qtimes(inv_norm2, wy_between(pi, wy_load4(q, n, i)));
    double den = re * re - im * im + 0.25 * wy_inner(om, om);
    /* half of theta's numerator without sigma: (r0 Om + rv x Om) / 2 */
    wy_v3 turned = wy_times(0.5, wy_plus(wy_times(r.w, om), wy_cross(wy_pure(r), om)));
    if (!is_complex) {
      double f = 2 / den;
      wy_store3(x, n, i, wy_times(inv_re, rx));
      wy_store3(theta, hs, i, wy_times(f, wy_plus(wy_times(re, wy_pure(r)), turned)));
      wy_store4(q, n, i, r);
    } else {
      wy_v3 rx_im = wy_load3(x_im, n, i);
      wy_q4 r_im = wy_qtimes(inv_norm2, wy_between(pi, wy_load4(q_im, n, i)));
      wy_v3 turned_im = wy_times(0.5, wy_plus(wy_times(r_im.w, om), wy_cross(wy_pure(r_im), om)));
      double den_im = 2 * re * im, f = 2 / (den * den + den_im * den_im);
      wy_v3 top = wy_plus(wy_minus(wy_times(re, wy_pure(r)), wy_times(im, wy_pure(r_im))), turned);
      wy_v3 top_im = wy_plus(wy_plus(wy_times(re, wy_pure(r_im)), wy_times(im, wy_pure(r))), turned_im);
      wy_store3(x, n, i, wy_minus(wy_times(inv_re, rx), wy_times(inv_im, rx_im)));
      wy_store3(x_im, n, i, wy_plus(wy_times(inv_re, rx_im), wy_times(inv_im, rx)));
      wy_store3(theta, hs, i, wy_plus(wy_times(f * den, top), wy_times(f * den_im, top_im)));
      wy_store3(theta_im, hs, i, wy_minus(wy_times(f * den, top_im), wy_times(f * den_im, top)));
      wy_store4(q, n, i, r);
      wy_store4(q_im, n, i, r_im);
    }
  }
}

/* Forces and torques that displacements dx (differences) and rotations theta cause: section force and own torque of
   each segment into section_force and segment_torque, torques at vertices into torque_minus and torque_plus. */
WY_INLINE void stiffness_loop(const wy_staggered *self, const double *restrict x, const double *restrict theta) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double *restrict force = self->eval.section_force, *restrict torque = self->eval.segment_torque;
  double *restrict minus = self->eval.torque_minus, *restrict plus = self->eval.torque_plus;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict segments = wy_group(self->linear.segments, WY_SEGMENT_BLOCKS, first);
    const double *restrict vertices = wy_group(self->linear.vertices, WY_VERTEX_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)), t = wy_load3(theta, hs, i);
      wy_v3 before = wy_load3(theta, hs, i - 1);
      wy_store3(force, hs, i,
                wy_plus(wy_apply(wy_load_block(segments, lane, WY_FORCE_X), dx),
                        wy_apply(wy_load_block(segments, lane, WY_FORCE_T), t)));
      wy_store3(torque, hs, i,
                wy_plus(wy_apply(wy_load_block(segments, lane, WY_TORQUE_X), dx),
                        wy_apply(wy_load_block(segments, lane, WY_TORQUE_T), t)));
      wy_store3(minus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_PLUS), t)));
      wy_store3(plus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_PLUS), t)));
    }
  }
}

WY_CLONES
static void known_real(const wy_staggered *self, const wy_slot *slot, double *b) {
  known_loop(self, slot, b, NULL, false);
}

WY_CLONES
static void known_complex(const wy_staggered *self, const wy_slot *slot, double *b, double *b_im) {
  known_loop(self, slot, b, b_im, true);
}

WY_CLONES
static void stiffness_times(const wy_staggered *self, const double *x, const double *theta) {
  stiffness_loop(self, x, theta);
}

/* The right-hand side of the reduced system, in band order: M r_v + K (known dx, theta), I r_w + ...; `stress` is what
   branches add. */
static void pack(wy_staggered *self, const double *b, const double *theta, const double *stress, double *packed) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  stiffness_times(self, b + self->grid.x, theta);
  if (self->branches.count)
    wy_staggered_branch_forces(self, stress);
  const double *v = b + self->grid.v, *w = b + self->grid.w;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      packed[6 * i + k] = self->grid.mass[i] * v[k * n + i] + self->eval.section_force[k * hs + i] -
                          self->eval.section_force[k * hs + i - 1];
      if (i < self->grid.n)
        packed[6 * i + 3 + k] = self->grid.inertia[k * n + i] * w[k * n + i] + self->eval.segment_torque[k * hs + i] +
                                self->eval.torque_plus[k * hs + i] + self->eval.torque_minus[k * hs + i + 1];
    }
  if (self->linear.nullspace.outside)
    wy_nullspace_outside_times(self, b + self->grid.x, theta, packed);
  for (int i = 0; self->linear.nullspace.added && i <= self->grid.n; i++) {
    const wy_m3 added = wy_from_rows(self->linear.nullspace.added + 9 * (size_t)i);
    wy_put3(packed + 6 * i, wy_plus(wy_at3(packed + 6 * i), wy_apply(added, wy_load3(v, n, i))));
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->linear.held[end][k]) {
        int vertex = end ? self->grid.n : 0;
        packed[6 * vertex + k] = self->grid.mass[vertex] * v[k * n + vertex];
      }
}

static void unpack(const wy_staggered *self, const double *packed, double *b) {
  const int n = self->grid.stride;
  double *v = b + self->grid.v, *w = b + self->grid.w;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      v[k * n + i] = packed[6 * i + k];
      if (i < self->grid.n)
        w[k * n + i] = packed[6 * i + 3 + k];
    }
}

/* dx = (r_x + dv) / sigma (r_x / sigma is stored), dp = p (r' + dOm/2)(sigma + Om/2) / (sigma^2 + |Om|^2/4). */
WY_INLINE void back_loop(const wy_staggered *self, const wy_slot *slot, double *restrict b, double *restrict b_im,
                         bool is_complex) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = self->linear.p, *restrict omega = self->linear.omega;
  double *restrict x = b + self->grid.x, *restrict q = b + self->grid.p;
  const double *restrict v = b + self->grid.v, *restrict w = b + self->grid.w;
  double *restrict x_im = is_complex ? b_im + self->grid.x : NULL, *restrict q_im =
                                                                       is_complex ? b_im + self->grid.p : NULL;
  const double *restrict v_im = is_complex ? b_im + self->grid.v : NULL, *restrict w_im =
                                                                             is_complex ? b_im + self->grid.w : NULL;
  const double re = slot->re, im = is_complex ? slot->im : 0;
  const double inv = 1 / (re * re + im * im), inv_re = re * inv, inv_im = -im * inv;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 pi = wy_load4(p, n, i), r = wy_load4(q, n, i);
    wy_v3 om = wy_load3(omega, hs, i), dv = wy_load3(v, n, i);
    wy_v3 rv = wy_plus(wy_pure(r), wy_times(0.5, wy_load3(w, n, i)));
    double den = re * re - im * im + 0.25 * wy_inner(om, om);
    double s0 = -0.5 * wy_inner(rv, om);
    wy_v3 sv = wy_times(0.5, wy_plus(wy_times(r.w, om), wy_cross(rv, om)));
    if (!is_complex) {
      double f = 1 / den;
      wy_store3(x, n, i, wy_plus(wy_load3(x, n, i), wy_times(inv_re, dv)));
      double e0 = f * (re * r.w + s0);
      wy_v3 ev = wy_times(f, wy_plus(wy_times(re, rv), sv));
      wy_q4 turned = wy_times_pure(pi, ev);
      wy_store4(q, n, i,
                (wy_q4){turned.w + e0 * pi.w, turned.x + e0 * pi.x, turned.y + e0 * pi.y, turned.z + e0 * pi.z});
    } else {
      wy_q4 ri = wy_load4(q_im, n, i);
      wy_v3 dvi = wy_load3(v_im, n, i), rvi = wy_plus(wy_pure(ri), wy_times(0.5, wy_load3(w_im, n, i)));
      double s0i = -0.5 * wy_inner(rvi, om);
      wy_v3 svi = wy_times(0.5, wy_plus(wy_times(ri.w, om), wy_cross(rvi, om)));
      double den_im = 2 * re * im, f = 1 / (den * den + den_im * den_im), fr = f * den, fi = -f * den_im;
      wy_store3(x, n, i, wy_plus(wy_load3(x, n, i), wy_minus(wy_times(inv_re, dv), wy_times(inv_im, dvi))));
      wy_store3(x_im, n, i, wy_plus(wy_load3(x_im, n, i), wy_plus(wy_times(inv_re, dvi), wy_times(inv_im, dv))));
      double t0 = re * r.w - im * ri.w + s0, t0i = re * ri.w + im * r.w + s0i;
      wy_v3 tv = wy_plus(wy_minus(wy_times(re, rv), wy_times(im, rvi)), sv);
      wy_v3 tvi = wy_plus(wy_plus(wy_times(re, rvi), wy_times(im, rv)), svi);
      double e0 = fr * t0 - fi * t0i, e0i = fr * t0i + fi * t0;
      wy_v3 ev = wy_minus(wy_times(fr, tv), wy_times(fi, tvi)), evi = wy_plus(wy_times(fr, tvi), wy_times(fi, tv));
      wy_q4 turned = wy_times_pure(pi, ev), turned_im = wy_times_pure(pi, evi);
      wy_store4(q, n, i,
                (wy_q4){turned.w + e0 * pi.w, turned.x + e0 * pi.x, turned.y + e0 * pi.y, turned.z + e0 * pi.z});
      wy_store4(q_im, n, i,
                (wy_q4){turned_im.w + e0i * pi.w, turned_im.x + e0i * pi.x, turned_im.y + e0i * pi.y,
                        turned_im.z + e0i * pi.z});
    }
  }
}

WY_CLONES
static void back_real(const wy_staggered *self, const wy_slot *slot, double *b) {
  back_loop(self, slot, b, NULL, false);
}

WY_CLONES
static void back_complex(const wy_staggered *self, const wy_slot *slot, double *b, double *b_im) {
  back_loop(self, slot, b, b_im, true);
}

/* The stress that the known dx and theta cause beyond that of the whole stiffness, and the branches' right-hand sides.
 */
static void known_stress(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  wy_staggered_branch_strain(self, re + self->grid.x, self->linear.theta, self->branches.strain[0]);
  if (im)
    wy_staggered_branch_strain(self, im + self->grid.x, self->linear.theta_im, self->branches.strain[1]);
  wy_staggered_branch_known(self, slot, re, im);
}

void wy_nullspace_begin_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im) {
  wy_linearisation *linear = &self->linear;
  if (im)
    known_complex(self, slot, re, im);
  else
    known_real(self, slot, re);
  if (self->branches.count)
    known_stress(self, slot, re, im);
  pack(self, re, linear->theta, self->branches.stress[0], linear->packed);
  if (im)
    pack(self, im, linear->theta_im, self->branches.stress[1], linear->packed_im);
}

void wy_nullspace_end_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im) {
  unpack(self, self->linear.packed, re);
  if (im) {
    unpack(self, self->linear.packed_im, im);
    back_complex(self, slot, re, im);
  } else {
    back_real(self, slot, re);
  }
}

void wy_nullspace_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  double *packed = self->linear.packed, *packed_im = im ? self->linear.packed_im : NULL;
  wy_nullspace_begin_solve(self, slot, re, im);
  wy_slot_solve(slot, packed, packed_im);
  wy_staggered_solve_held(self, slot, WY_NULLSPACE_CELL, re, im, packed, packed_im);
  wy_nullspace_end_solve(self, slot, re, im);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
}
