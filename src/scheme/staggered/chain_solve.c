/* SPDX-License-Identifier: MIT */
/* Solves of a chain: what is known of rotations and stretches goes to the right-hand side, the band gives rotations and
   section forces, and the rest follows from them (C18)-(C27). */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/chain.h"

enum { CELL = WY_CHAIN_CELL };

/* A vector of the shift, real or complex: the compiler leaves out what a constant `both` does not ask for. */
typedef struct pair {
  wy_v3 re, im;
} pair;

static const wy_v3 e3 = {0, 0, 1};

WY_INLINE pair load(const double *re, const double *im, int stride, int i, bool both) {
  return (pair){wy_load3(re, stride, i), both ? wy_load3(im, stride, i) : (wy_v3){0, 0, 0}};
}

WY_INLINE wy_number load_number(const double *re, const double *im, int i, bool both) {
  return (wy_number){re[i], both ? im[i] : 0};
}

WY_INLINE wy_number times(wy_number a, wy_number b, bool both) {
  return both ? wy_number_times(a, b) : (wy_number){a.re * b.re, 0};
}

WY_INLINE wy_number add(wy_number a, wy_number b, bool both) {
  return (wy_number){a.re + b.re, both ? a.im + b.im : 0};
}

WY_INLINE wy_number scale(double f, wy_number a, bool both) {
  return (wy_number){f * a.re, both ? f * a.im : 0};
}

WY_INLINE wy_number inverse(wy_number a, bool both) {
  return both ? wy_number_inverse(a) : (wy_number){1 / a.re, 0};
}

WY_INLINE pair sum(pair a, pair b, bool both) {
  return (pair){wy_plus(a.re, b.re), both ? wy_plus(a.im, b.im) : a.im};
}

WY_INLINE pair shifted(wy_number f, pair v, bool both) {
  if (!both)
    return (pair){wy_times(f.re, v.re), v.im};
  return (pair){wy_minus(wy_times(f.re, v.re), wy_times(f.im, v.im)),
                wy_plus(wy_times(f.re, v.im), wy_times(f.im, v.re))};
}

/* A real vector times a number. */
WY_INLINE pair along(wy_v3 v, wy_number f, bool both) {
  return (pair){wy_times(f.re, v), both ? wy_times(f.im, v) : (wy_v3){0, 0, 0}};
}

WY_INLINE pair crossed(wy_v3 a, pair v, bool both) {
  return (pair){wy_cross(a, v.re), both ? wy_cross(a, v.im) : v.im};
}

WY_INLINE pair applied(wy_m3 m, pair v, bool both) {
  return (pair){wy_apply(m, v.re), both ? wy_apply(m, v.im) : v.im};
}

WY_INLINE wy_number inner(wy_v3 a, pair v, bool both) {
  return (wy_number){wy_inner(a, v.re), both ? wy_inner(a, v.im) : 0};
}

/* ---- Before the band ---- */

/* What is known before anything is solved: of each segment's rotation (C17); of its section force, which turns with it
   and grows with the known stretch; of its torque and its difference of accelerations (C27). */
WY_INLINE void known_loop(wy_staggered *self, const wy_slot *slot, const double *restrict b,
                          const double *restrict b_im, bool stretches, bool both) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const wy_chain_linear *chain = &self->linear.chain;
  const double *restrict p = self->linear.p, *restrict omega = self->linear.omega, *restrict h = self->grid.h;
  const double *restrict q = b + self->grid.p, *restrict q_im = both ? b_im + self->grid.p : NULL;
  const double *restrict w = b + self->grid.w, *restrict w_im = both ? b_im + self->grid.w : NULL;
  const double *restrict s = b + self->grid.stretch, *restrict s_im = both ? b_im + self->grid.stretch : NULL;
  const double *restrict inertia = self->grid.inertia, *restrict vectors = chain->vectors;
  double *restrict theta = self->linear.theta, *restrict theta_im = self->linear.theta_im;
  double *restrict torque = chain->torque[0], *restrict force = chain->force[0], *restrict swept = chain->sweep[0];
  double *restrict torque_im = chain->torque[1], *restrict force_im = chain->force[1],
                   *restrict swept_im = chain->sweep[1];
  const wy_number sigma = {slot->re, both ? slot->im : 0}, inv = inverse(sigma, both);
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict kept = wy_group(chain->blocks, WY_CHAIN_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_q4 pi = wy_load4(p, n, i);
      const wy_v3 om = wy_load3(omega, hs, i);
      const double inv_norm2 = 1 / wy_qsquare(pi);
      const wy_q4 r = wy_between(pi, wy_load4(q, n, i)), r_im = both ? wy_between(pi, wy_load4(q_im, n, i)) : r;
      const pair turned = {wy_times(2 * inv_norm2, wy_pure(r)), wy_times(2 * inv_norm2, wy_pure(r_im))};
      const wy_number grown = {inv_norm2 * r.w, inv_norm2 * r_im.w};
      const pair rho = sum(along(om, times(inv, grown, both), both), turned, both);
      const wy_number square = add(sigma, scale(0.25 * wy_inner(om, om), inv, both), both);
      pair t = sum(rho, shifted(scale(-0.5, inv, both), crossed(om, rho, both), both), both);
      t = shifted(inverse(square, both), t, both);
      const pair rw = load(w, w_im, n, i, both);
      const wy_m3 frame = wy_load_block(kept, lane, WY_CHAIN_FRAME);
      const double g = chain->stretch[i];
      pair twist = applied(wy_load_block(kept, lane, WY_CHAIN_TURN), t, both);
      twist.re = wy_plus(twist.re, wy_each(wy_load3(inertia, n, i), rw.re));
      if (both)
        twist.im = wy_plus(twist.im, wy_each(wy_load3(inertia, n, i), rw.im));
      pair sweep = crossed(wy_times(-1, wy_load3(vectors + 3 * WY_CHAIN_A * n, n, i)), t, both);
      sweep = sum(sweep, crossed(wy_times(g, e3), rw, both), both);
      const wy_v3 section = wy_load3(vectors + 3 * WY_CHAIN_FORCE * n, n, i);
      pair pull = crossed(wy_times(-1, section), t, both);
      if (stretches) {
        const wy_v3 by_stretch = wy_load3(vectors + 3 * WY_CHAIN_BY_STRETCH * n, n, i);
        const wy_number ds = times(inv, load_number(s, s_im, i, both), both);
        twist = sum(twist, along(wy_times(h[i], wy_chain_arm(section)), ds, both), both);
        sweep = sum(sweep, along(by_stretch, ds, both), both);
        sweep = sum(sweep, along(e3, scale(-1, load_number(s + n, both ? s_im + n : NULL, i, both), both), both), both);
        pull = sum(pull, along(wy_times(chain->extension[i], e3), ds, both), both);
      }
      pull = applied(frame, pull, both);
      wy_store3(theta, hs, i, t.re);
      wy_store3(torque, hs, i, twist.re);
      wy_store3(force, hs, i, pull.re);
      wy_store3(swept, hs, i, wy_times(h[i], sweep.re));
      if (both) {
        wy_store3(theta_im, hs, i, t.im);
        wy_store3(torque_im, hs, i, twist.im);
        wy_store3(force_im, hs, i, pull.im);
        wy_store3(swept_im, hs, i, wy_times(h[i], sweep.im));
      }
    }
  }
}

/* Torques at vertices that known rotations cause. */
WY_INLINE void vertices_loop(const wy_staggered *self, const double *restrict theta) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double *restrict minus = self->eval.torque_minus, *restrict plus = self->eval.torque_plus;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict vertices = wy_group(self->linear.vertices, WY_VERTEX_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_v3 before = wy_load3(theta, hs, i - 1), t = wy_load3(theta, hs, i);
      wy_store3(minus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_PLUS), t)));
      wy_store3(plus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_PLUS), t)));
    }
  }
}

/* One part of the right-hand side: torques, and what forces do to the sweep of each segment. Beyond its ends the rod
   has no force. */
WY_INLINE void balance_loop(const wy_staggered *self, int part) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const wy_chain_linear *chain = &self->linear.chain;
  const double *restrict w = chain->mobility;
  const double *restrict plus = self->eval.torque_plus, *restrict minus = self->eval.torque_minus;
  double *restrict torque = chain->torque[part], *restrict sweep = chain->sweep[part];
  double *restrict force = chain->force[part];
  for (int k = 0; k < 3; k++)
    force[k * hs - 1] = force[k * hs + self->grid.n] = 0;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict kept = wy_group(chain->blocks, WY_CHAIN_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_v3 own = wy_load3(force, hs, i), turned = wy_plus(wy_load3(plus, hs, i), wy_load3(minus, hs, i + 1));
      const wy_v3 behind = wy_each(wy_load3(w, n, i + 1), wy_minus(wy_load3(force, hs, i + 1), own));
      const wy_v3 before = wy_each(wy_load3(w, n, i), wy_minus(own, wy_load3(force, hs, i - 1)));
      const wy_v3 moved = wy_apply_transposed(wy_load_block(kept, lane, WY_CHAIN_FRAME), wy_minus(behind, before));
      wy_store3(torque, hs, i, wy_plus(wy_load3(torque, hs, i), turned));
      wy_store3(sweep, hs, i, wy_minus(wy_load3(sweep, hs, i), moved));
    }
  }
}

/* The same in band order. */
WY_INLINE void pack(const wy_staggered *self, int part, double *restrict packed) {
  const int hs = self->grid.halo_stride;
  const wy_chain_linear *chain = &self->linear.chain;
  const double *restrict torque = chain->torque[part], *restrict sweep = chain->sweep[part];
  const double inv_length = 1 / chain->length;
  balance_loop(self, part);
  for (int i = 0; i < self->grid.n; i++) {
    wy_put3(packed + CELL * i, wy_times(inv_length, wy_load3(torque, hs, i)));
    wy_put3(packed + CELL * i + 3, wy_times(chain->mass, wy_load3(sweep, hs, i)));
  }
  memset(packed + CELL * (size_t)self->grid.n, 0, 3 * sizeof *packed);
}

WY_CLONES
static void begin_real(wy_staggered *self, const wy_slot *slot, const double *b) {
  if (self->grid.stretches)
    known_loop(self, slot, b, NULL, true, false);
  else
    known_loop(self, slot, b, NULL, false, false);
  vertices_loop(self, self->linear.theta);
  pack(self, 0, self->linear.packed);
}

WY_CLONES
static void begin_complex(wy_staggered *self, const wy_slot *slot, const double *b, const double *b_im) {
  if (self->grid.stretches)
    known_loop(self, slot, b, b_im, true, true);
  else
    known_loop(self, slot, b, b_im, false, true);
  vertices_loop(self, self->linear.theta);
  pack(self, 0, self->linear.packed);
  vertices_loop(self, self->linear.theta_im);
  pack(self, 1, self->linear.packed_im);
}

/* ---- Behind the band ---- */

/* One part of the solution, by components: rotations into chain.torque, section forces into `pull`; nothing beyond the
   rod. */
WY_INLINE void unpack(const wy_staggered *self, int part, double force_unit, const double *restrict packed,
                      double *restrict pull) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double turn_unit = 1 / self->linear.chain.length;
  double *restrict zeta = self->linear.chain.torque[part];
  for (int i = 0; i < self->grid.n; i++) {
    wy_store3(zeta, hs, i, wy_times(turn_unit, wy_at3(packed + CELL * i)));
    wy_store3(pull, hs, i, wy_times(force_unit, wy_at3(packed + CELL * i + 3)));
  }
  for (int i = self->grid.n; i < n; i++) {
    wy_store3(zeta, hs, i, (wy_v3){0, 0, 0});
    wy_store3(pull, hs, i, (wy_v3){0, 0, 0});
  }
}

/* From rotations and section forces to the increments of frames, angular velocities and stretches, of whole section
   forces, and of the difference of velocities over each segment (C27). */
WY_INLINE void back_loop(wy_staggered *self, const wy_slot *slot, double *restrict b, double *restrict b_im,
                         bool stretches, bool both) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const wy_chain_linear *chain = &self->linear.chain;
  const double *restrict p = self->linear.p, *restrict omega = self->linear.omega, *restrict h = self->grid.h;
  const double *restrict theta = self->linear.theta, *restrict theta_im = self->linear.theta_im;
  const double *restrict zetas = chain->torque[0], *restrict zetas_im = chain->torque[1];
  const double *restrict pulls = self->eval.torque_plus, *restrict pulls_im = self->eval.torque_minus;
  double *restrict q = b + self->grid.p, *restrict q_im = both ? b_im + self->grid.p : NULL;
  double *restrict w = b + self->grid.w, *restrict w_im = both ? b_im + self->grid.w : NULL;
  double *restrict s = b + self->grid.stretch, *restrict s_im = both ? b_im + self->grid.stretch : NULL;
  double *restrict force = chain->force[0], *restrict force_im = chain->force[1];
  double *restrict dv = chain->sweep[0], *restrict dv_im = chain->sweep[1];
  const double *restrict vectors = chain->vectors;
  const wy_number sigma = {slot->re, both ? slot->im : 0}, inv = inverse(sigma, both);
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict kept = wy_group(chain->blocks, WY_CHAIN_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_q4 pi = wy_load4(p, n, i);
      const wy_v3 om = wy_load3(omega, hs, i);
      const double inv_norm2 = 1 / wy_qsquare(pi);
      const pair zeta = load(zetas, zetas_im, hs, i, both), pull = load(pulls, pulls_im, hs, i, both);
      const wy_number about = scale(0.25, times(inv, inner(om, zeta, both), both), both);
      pair turn = sum(shifted(sigma, zeta, both), along(om, about, both), both);
      turn = sum(turn, shifted((wy_number){0.5, 0}, crossed(om, zeta, both), both), both);
      const pair t = sum(load(theta, theta_im, hs, i, both), zeta, both);
      const wy_q4 r = wy_load4(q, n, i), r_im = both ? wy_load4(q_im, n, i) : r;
      const wy_number grown = {inv_norm2 * (pi.w * r.w + pi.x * r.x + pi.y * r.y + pi.z * r.z),
                               inv_norm2 * (pi.w * r_im.w + pi.x * r_im.x + pi.y * r_im.y + pi.z * r_im.z)};
      const wy_number radial = times(inv, add(grown, scale(-0.25, inner(om, t, both), both), both), both);
      wy_store3(w, n, i, turn.re);
      wy_store4(q, n, i, wy_qplus(wy_times_pure(pi, wy_times(0.5, t.re)), wy_qtimes(radial.re, pi)));
      if (both) {
        wy_store3(w_im, n, i, turn.im);
        wy_store4(q_im, n, i, wy_qplus(wy_times_pure(pi, wy_times(0.5, t.im)), wy_qtimes(radial.im, pi)));
      }
      const wy_m3 frame = wy_load_block(kept, lane, WY_CHAIN_FRAME);
      const double g = chain->stretch[i];
      pair swept = crossed(wy_times(-1, wy_load3(vectors + 3 * WY_CHAIN_V * n, n, i)), t, both);
      swept = sum(swept, crossed(wy_times(-g, e3), turn, both), both);
      const pair total = sum(load(force, force_im, hs, i, both), applied(frame, pull, both), both);
      wy_store3(force, hs, i, total.re);
      if (both)
        wy_store3(force_im, hs, i, total.im);
      if (stretches) {
        const wy_number known = times(inv, load_number(s, s_im, i, both), both);
        const wy_v3 arm = wy_chain_arm(wy_load3(vectors + 3 * WY_CHAIN_FORCE * n, n, i));
        wy_number z = add(inner(e3, pull, both), inner(arm, zeta, both), both);
        z = times(wy_chain_yield(self, sigma, i), z, both);
        const wy_number ds = add(known, z, both), rate = times(sigma, z, both);
        swept = sum(swept, along(wy_cross(om, e3), ds, both), both);
        swept = sum(swept, along(e3, rate, both), both);
        s[i] = ds.re, s[n + i] = rate.re;
        if (both)
          s_im[i] = ds.im, s_im[n + i] = rate.im;
      }
      swept = applied(frame, swept, both);
      wy_store3(dv, hs, i, wy_times(h[i], swept.re));
      if (both)
        wy_store3(dv_im, hs, i, wy_times(h[i], swept.im));
    }
  }
}

WY_CLONES
static void back_real(wy_staggered *self, const wy_slot *slot, double *b) {
  unpack(self, 0, wy_chain_force(self, slot), self->linear.packed, self->eval.torque_plus);
  if (self->grid.stretches)
    back_loop(self, slot, b, NULL, true, false);
  else
    back_loop(self, slot, b, NULL, false, false);
}

WY_CLONES
static void back_complex(wy_staggered *self, const wy_slot *slot, double *b, double *b_im) {
  const double force_unit = wy_chain_force(self, slot);
  unpack(self, 0, force_unit, self->linear.packed, self->eval.torque_plus);
  unpack(self, 1, force_unit, self->linear.packed_im, self->eval.torque_minus);
  if (self->grid.stretches)
    back_loop(self, slot, b, b_im, true, true);
  else
    back_loop(self, slot, b, b_im, false, true);
}

/* Increments of positions and velocities: of the root, which are unknowns, and of the vertices behind it, which the
   state only carries along. `moved` is that of the velocity as it follows from root and frames. */
WY_INLINE void centreline(const wy_staggered *self, const wy_slot *slot, int k, double *re, double *im, bool both) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double drag = self->grid.drag_translation;
  const wy_chain_linear *chain = &self->linear.chain;
  const double *w = chain->mobility + k * n, *force = chain->force[0] + k * hs, *force_im = chain->force[1] + k * hs;
  const double *dv = chain->sweep[0] + k * hs, *dv_im = chain->sweep[1] + k * hs;
  const int x = self->grid.x + k * n, v = self->grid.v + k * n;
  const wy_number sigma = {slot->re, both ? slot->im : 0}, inv = inverse(sigma, both);
  const wy_number damped = inverse((wy_number){sigma.re + drag, sigma.im}, both);
  wy_number before = {0, 0}, moved = {0, 0};
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_number after = load_number(force, force_im, i, both); /* none beyond the end */
    const wy_number pull = scale(w[i], add(after, scale(-1, before, both), both), both);
    const wy_number push = add(pull, load_number(re + v, both ? im + v : NULL, i, both), both);
    if (i == 0)
      moved = w[0] > 0 ? times(damped, push, both) : (wy_number){0, 0};
    const wy_number rate = times(inv, add(push, scale(w[i] > 0 ? -drag : 0, moved, both), both), both);
    const wy_number place = times(inv, add(moved, load_number(re + x, both ? im + x : NULL, i, both), both), both);
    re[v + i] = rate.re, re[x + i] = place.re;
    if (both)
      im[v + i] = rate.im, im[x + i] = place.im;
    if (i < self->grid.n)
      moved = add(moved, load_number(dv, dv_im, i, both), both);
    before = after;
  }
}

void wy_chain_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  if (im)
    begin_complex(self, slot, re, im);
  else
    begin_real(self, slot, re);
  wy_slot_solve(slot, self->linear.packed, im ? self->linear.packed_im : NULL);
  if (im)
    back_complex(self, slot, re, im);
  else
    back_real(self, slot, re);
  for (int k = 0; k < 3; k++)
    if (im)
      centreline(self, slot, k, re, im, true);
    else
      centreline(self, slot, k, re, NULL, false);
}
