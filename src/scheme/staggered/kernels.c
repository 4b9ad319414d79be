/* SPDX-License-Identifier: MIT */
/* The loops over the rod for one right-hand side: frames, strains and section forces of the segments (S10)-(S14),
   curvatures and moments at the vertices (S15)-(S20), assembly of accelerations (S25); and for what is shown, strains,
   section forces and curvatures by themselves. Each loop runs over padded arrays without branches; what differs between
   variants is a constant argument of an inlined body.

   The loops of a right-hand side go over groups of WY_LANES points, and over the lanes inside: gcc 12 then finds better
   addresses than in one loop over all points, and stores less in between. Short loops with few arrays are faster than
   one with all of them: a processor has 16 registers for addresses. Frames come first, so that no other arithmetic
   waits for their roots. */
#include <math.h>

#include "base/target.h"
#include "model/law.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/zeta.h"

/* Unit quaternions, and angular velocities in body axes. */
WY_INLINE void frame_loop(const wy_staggered *self, const double *restrict u, int from, int to, bool absolute) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = u + self->grid.p, *restrict w = u + self->grid.w;
  double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega;
  for (int first = from; first < to; first += WY_LANES)
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      wy_q4 q = wy_load4(p, n, i);
      double inv_norm = 1.0 / sqrt(wy_qsquare(q));
      wy_q4 direction = wy_qtimes(inv_norm, q);
      wy_v3 om;
      if (absolute)
        om = wy_times(2 * inv_norm, wy_pure(wy_between(direction, wy_load4(w, n, i))));
      else
        om = wy_load3(w, n, i);
      wy_store4(unit, hs, i, direction);
      wy_store3(omega, hs, i, om);
    }
}

/* X = R^T Dx / h, F = C (X - e3) + D (R^T Dv / h + X x Omega); leaves n = R F and the torque h X x F. With Maxwell
   branches what has relaxed is taken off the strain (V3), in a curved rod with joints the strain of the undeformed one.
   A law that resists compression has its own force along d3 (L2); padding has no stiffness. */
WY_INLINE double force_loop(const wy_staggered *self, const double *restrict u, int from, int to, bool damped,
                            bool measured, bool offset, bool pressed) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict v = u + self->grid.v;
  const double *restrict h = self->grid.h, *restrict inv_h = self->grid.inv_h;
  const double *restrict c = self->stiffness.c_gamma, *restrict d = self->stiffness.d_gamma;
  const double *restrict relaxed = self->grid.gamma_zero ? self->grid.gamma_zero : self->branches.relaxed;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega;
  double *restrict force = self->eval.section_force, *restrict torque = self->eval.segment_torque;
  double dissipated = 0;
  for (int first = from; first < to; first += WY_LANES)
#pragma omp simd reduction(+ : dissipated)
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
      wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
      wy_v3 tangent = wy_apply_transposed(r, wy_times(inv_h[i], dx));
      wy_v3 strain = {tangent.x, tangent.y, tangent.z - 1};
      if (offset)
        strain = wy_minus(strain, wy_load3(relaxed, n, i));
      wy_v3 stress = wy_each(wy_load3(c, n, i), strain);
      if (pressed)
        stress.z *= c[2 * n + i] > 0 ? wy_law_force_ratio(&self->grid.rod->law, strain.z) : 1;
      if (damped) {
        wy_v3 dv = wy_minus(wy_load3(v, n, i + 1), wy_load3(v, n, i));
        wy_v3 turned = wy_cross(tangent, wy_load3(omega, hs, i));
        wy_v3 rate = wy_plus(wy_apply_transposed(r, wy_times(inv_h[i], dv)), turned);
        wy_v3 viscous = wy_each(wy_load3(d, n, i), rate);
        stress = wy_plus(stress, viscous);
        if (measured)
          dissipated += h[i] * wy_inner(rate, viscous);
      }
      wy_store3(force, hs, i, wy_apply(r, stress));
      wy_store3(torque, hs, i, wy_times(h[i], wy_cross(tangent, stress)));
    }
  return dissipated;
}

/* By material: strains of the undeformed rod, branches, a law that resists compression, damping or none, with its power
 * or without. */
WY_CLONES
static double section_forces(const wy_staggered *self, const double *u, int from, int to, bool measured) {
  const bool changes = wy_law_changes_extension(&self->grid.rod->law);
  if (self->grid.gamma_zero)
    return changes ? force_loop(self, u, from, to, true, true, true, true)
                   : force_loop(self, u, from, to, true, true, true, false);
  if (self->branches.count)
    return force_loop(self, u, from, to, true, true, true, false);
  if (changes)
    return force_loop(self, u, from, to, true, true, false, true);
  if (!self->grid.damped)
    return force_loop(self, u, from, to, false, false, false, false);
  return measured ? force_loop(self, u, from, to, true, true, false, false)
                  : force_loop(self, u, from, to, true, false, false, false);
}

WY_CLONES
static void nullspace_frames(const wy_staggered *self, const double *u, int from, int to) {
  frame_loop(self, u, from, to, false);
}

WY_CLONES
static void absolute_frames(const wy_staggered *self, const double *u, int from, int to) {
  frame_loop(self, u, from, to, true);
}

void wy_nullspace_segments(const wy_staggered *self, const double *u, int from, int to, double *power) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && to <= self->grid.stride);
  nullspace_frames(self, u, from, to);
  double sum = section_forces(self, u, from, to, power != NULL);
  if (power)
    *power += sum;
}

void wy_absolute_segments(const wy_staggered *self, const double *u, int from, int to, double *power) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && to <= self->grid.stride);
  absolute_frames(self, u, from, to);
  double sum = section_forces(self, u, from, to, power != NULL);
  if (power)
    *power += sum;
}

/* l K' = (zeta w - zeta' W W^T)(Om+ - Om-) + zeta W x (Om+ + Om-)  (S17) */
WY_INLINE wy_v3 turn_rate(wy_q4 between, wy_zeta z, wy_v3 om_minus, wy_v3 om_plus) {
  wy_v3 im = wy_pure(between), difference = wy_minus(om_plus, om_minus), sum = wy_plus(om_plus, om_minus);
  wy_v3 rate = wy_times(z.value * between.w, difference);
  rate = wy_minus(rate, wy_times(z.first * wy_inner(im, difference), im));
  return wy_plus(rate, wy_times(z.value, wy_cross(im, sum)));
}

/* W = conj(p-) p+, K = (2/l) zeta W, M = C (K - K0) + D K'; leaves the torques on the two neighbours. c, d and m_zero
   carry the factor weight / l, so that no further scaling is needed (S19). A stiffening law adds to M what it is more
   than linear (L2). */
WY_INLINE double vertex_loop(const wy_staggered *self, int from, int to, wy_curvature_measure measure, bool damped,
                             bool measured, bool stiffened) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega;
  const double *restrict scale = self->grid.twice_inv_l, *restrict c = self->stiffness.c_kappa,
                         *restrict d = self->stiffness.d_kappa;
  const double *restrict zero = self->eval.m_zero, *restrict natural = self->grid.k_zero;
  const double *restrict stiffening = self->stiffness.stiffening;
  double *restrict minus = self->eval.torque_minus, *restrict plus = self->eval.torque_plus;
  double dissipated = 0;
  for (int first = from; first < to; first += WY_LANES)
#pragma omp simd reduction(+ : dissipated)
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      wy_q4 between = wy_between(wy_load4(unit, hs, i - 1), wy_load4(unit, hs, i));
      wy_v3 im = wy_pure(between);
      wy_zeta z = wy_zeta_at(measure, between.w);
      wy_v3 moment = wy_minus(wy_times(scale[i] * z.value, wy_each(wy_load3(c, n, i), im)), wy_load3(zero, n, i));
      if (stiffened) {
        wy_v3 bend = wy_minus(wy_times(scale[i] * z.value, im), wy_load3(natural, n, i));
        wy_v3 linear = wy_each(wy_load3(c, n, i), bend);
        moment = wy_plus(moment, wy_times(stiffening[i] * wy_inner(linear, bend), linear));
      }
      if (damped) {
        wy_v3 om_minus = wy_load3(omega, hs, i - 1), om_plus = wy_load3(omega, hs, i);
        wy_v3 rate = wy_times(0.5 * scale[i], turn_rate(between, z, om_minus, om_plus));
        wy_v3 viscous = wy_each(wy_load3(d, n, i), rate);
        moment = wy_plus(moment, viscous);
        if (measured) /* d carries weight / l: times l is times weight */
          dissipated += 2 / scale[i] * wy_inner(rate, viscous);
      }
      wy_v3 along = wy_minus(wy_times(z.value * between.w, moment), wy_times(z.first * wy_inner(im, moment), im));
      wy_v3 across = wy_times(z.value, wy_cross(im, moment));
      wy_store3(minus, hs, i, wy_plus(along, across));
      wy_store3(plus, hs, i, wy_minus(across, along));
    }
  return dissipated;
}

WY_INLINE double vertex_variant(const wy_staggered *self, int from, int to, wy_curvature_measure measure,
                                bool measured) {
  if (self->stiffness.stiffening)
    return vertex_loop(self, from, to, measure, true, true, true);
  if (!self->grid.damped)
    return vertex_loop(self, from, to, measure, false, false, false);
  return measured ? vertex_loop(self, from, to, measure, true, true, false)
                  : vertex_loop(self, from, to, measure, true, false, false);
}

WY_CLONES
void wy_staggered_vertices(const wy_staggered *self, int from, int to, double *power) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && to <= self->grid.stride);
  double sum = 0;
  switch (self->grid.options.curvature_measure) {
  case WY_SIN2:
    sum = vertex_variant(self, from, to, WY_SIN2, power != NULL);
    break;
  case WY_SIN4:
    sum = vertex_variant(self, from, to, WY_SIN4, power != NULL);
    break;
  case WY_TAN2:
    sum = vertex_variant(self, from, to, WY_TAN2, power != NULL);
    break;
  case WY_TAN4:
    sum = vertex_variant(self, from, to, WY_TAN4, power != NULL);
    break;
  default: /* angle: grid.options never holds `auto` */
    sum = vertex_variant(self, from, to, WY_ANGLE, power != NULL);
    break;
  }
  if (power)
    *power += sum;
}

/* m v' = n+ - n- + external, x' = v */
WY_INLINE void vertex_accelerations(const wy_staggered *self, const double *restrict u, double *restrict f, int from,
                                    int to) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict v = u + self->grid.v, *restrict inv_mass = self->grid.inv_mass;
  const double *restrict section = self->eval.section_force, *restrict force = self->loads.total;
  double *restrict fx = f + self->grid.x, *restrict fv = f + self->grid.v;
  const double cu = self->grid.drag_translation;
  for (int first = from; first < to; first += WY_LANES)
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      wy_v3 velocity = wy_load3(v, n, i);
      wy_v3 net = wy_minus(wy_load3(section, hs, i), wy_load3(section, hs, i - 1));
      net = wy_times(inv_mass[i], wy_plus(net, wy_load3(force, n, i)));
      wy_store3(fx, n, i, velocity);
      wy_store3(fv, n, i, wy_minus(net, wy_times(cu, velocity)));
    }
}

/* I Omega' = torques - Omega x I Omega. Null space: p' = p Omega / 2. Absolute: p'' from Omega' with the constraint |p|
   = 1 differentiated twice, and Baumgarte's terms (S27). */
WY_INLINE void segment_accelerations(const wy_staggered *self, const double *restrict u, double *restrict f, int from,
                                     int to, bool absolute) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = u + self->grid.p, *restrict w = u + self->grid.w;
  const double *restrict segment = self->eval.segment_torque, *restrict torque = self->loads.now.torque;
  const double *restrict minus = self->eval.torque_minus, *restrict plus = self->eval.torque_plus;
  const double *restrict omega = self->eval.omega, *restrict drag_inertia = self->grid.drag_inertia;
  const double *restrict inertia = self->grid.inertia, *restrict inv_inertia = self->grid.inv_inertia;
  double *restrict acceleration = self->eval.acceleration;
  double *restrict fp = f + self->grid.p, *restrict fw = f + self->grid.w;
  bool baumgarte = self->grid.options.stabilisation == WY_BAUMGARTE;
  const double omega2 = baumgarte ? self->grid.options.baumgarte_omega * self->grid.options.baumgarte_omega : 0;
  const double twice_r = baumgarte ? 2 * self->grid.options.baumgarte_r : 0;
  for (int first = from; first < to; first += WY_LANES)
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      wy_v3 om = absolute ? wy_load3(omega, hs, i) : wy_load3(w, n, i);
      wy_v3 turn = wy_plus(wy_load3(segment, hs, i), wy_load3(torque, n, i));
      turn = wy_plus(turn, wy_plus(wy_load3(plus, hs, i), wy_load3(minus, hs, i + 1)));
      turn = wy_minus(turn, wy_cross(om, wy_each(wy_load3(inertia, n, i), om)));
      turn = wy_minus(turn, wy_each(wy_load3(drag_inertia, n, i), om));
      wy_v3 dom = wy_each(wy_load3(inv_inertia, n, i), turn);
      wy_q4 q = wy_load4(p, n, i);
      if (absolute) {
        wy_q4 rate = wy_load4(w, n, i);
        double norm2 = wy_qsquare(q);
        double slip = q.w * rate.w + q.x * rate.x + q.y * rate.y + q.z * rate.z;
        double rate2 = wy_qsquare(rate);
        double radial = -(rate2 + twice_r * slip + 0.5 * omega2 * (norm2 - 1)) / norm2;
        wy_q4 tangential = wy_qtimes(0.5, wy_times_pure(q, dom));
        wy_store4(fp, n, i, rate);
        wy_store4(fw, n, i, wy_qplus(tangential, wy_qtimes(radial, q)));
        wy_store3(acceleration, n, i, dom);
      } else {
        wy_store4(fp, n, i, wy_qtimes(0.5, wy_times_pure(q, om)));
        wy_store3(fw, n, i, dom);
      }
    }
}

WY_CLONES
void wy_nullspace_accelerate(const wy_staggered *self, const double *u, double *f, int from, int to) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && u != f);
  vertex_accelerations(self, u, f, from, to);
  segment_accelerations(self, u, f, from, to, false);
}

WY_CLONES
void wy_absolute_accelerate(const wy_staggered *self, const double *u, double *f, int from, int to) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && u != f);
  vertex_accelerations(self, u, f, from, to);
  segment_accelerations(self, u, f, from, to, true);
}

wy_v3 wy_staggered_curvature(const wy_staggered *self, int vertex) {
  assert(vertex >= 0 && vertex <= self->grid.n);
  int hs = self->grid.halo_stride;
  wy_q4 between = wy_between(wy_load4(self->eval.unit, hs, vertex - 1), wy_load4(self->eval.unit, hs, vertex));
  wy_zeta z = wy_zeta_at(self->grid.options.curvature_measure, between.w);
  return wy_times(self->grid.twice_inv_l[vertex] * z.value, wy_pure(between));
}

wy_v3 wy_staggered_curvature_rate(const wy_staggered *self, int vertex) {
  assert(vertex >= 0 && vertex <= self->grid.n);
  int hs = self->grid.halo_stride;
  wy_q4 between = wy_between(wy_load4(self->eval.unit, hs, vertex - 1), wy_load4(self->eval.unit, hs, vertex));
  wy_zeta z = wy_zeta_at(self->grid.options.curvature_measure, between.w);
  wy_v3 rate =
      turn_rate(between, z, wy_load3(self->eval.omega, hs, vertex - 1), wy_load3(self->eval.omega, hs, vertex));
  return wy_times(0.5 * self->grid.twice_inv_l[vertex], rate);
}

/* Without clones: fused multiply-adds would leave round-off of a curvature that is exactly zero. */
void wy_staggered_segment_strains(const wy_staggered *self, const double *restrict u, double *restrict strain,
                                  double *restrict force) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict inv_h = self->grid.inv_h;
  const double *restrict unit = self->eval.unit, *restrict in_space = self->eval.section_force;
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
    wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
    wy_v3 tangent = wy_apply_transposed(r, wy_times(inv_h[i], dx));
    wy_store3(strain, n, i, (wy_v3){tangent.x, tangent.y, tangent.z - 1});
    wy_store3(force, n, i, wy_apply_transposed(r, wy_load3(in_space, hs, i)));
  }
  for (int k = 0; self->grid.gamma_zero && k < 3; k++)
    for (int i = 0; i < self->grid.n; i++)
      strain[k * n + i] -= self->grid.gamma_zero[k * n + i];
}

WY_INLINE void curvature_loop(const wy_staggered *self, wy_curvature_measure measure, double *restrict curvature,
                              double *restrict rate) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega;
  const double *restrict scale = self->grid.twice_inv_l;
#pragma omp simd
  for (int i = 0; i <= self->grid.n; i++) {
    wy_q4 between = wy_between(wy_load4(unit, hs, i - 1), wy_load4(unit, hs, i));
    wy_zeta z = wy_zeta_at(measure, between.w);
    wy_v3 turning = turn_rate(between, z, wy_load3(omega, hs, i - 1), wy_load3(omega, hs, i));
    wy_store3(curvature, n, i, wy_times(scale[i] * z.value, wy_pure(between)));
    wy_store3(rate, n, i, wy_times(0.5 * scale[i], turning));
  }
}

void wy_staggered_curvatures(const wy_staggered *self, double *curvature, double *rate) {
  switch (self->grid.options.curvature_measure) {
  case WY_SIN2:
    curvature_loop(self, WY_SIN2, curvature, rate);
    break;
  case WY_SIN4:
    curvature_loop(self, WY_SIN4, curvature, rate);
    break;
  case WY_TAN2:
    curvature_loop(self, WY_TAN2, curvature, rate);
    break;
  case WY_TAN4:
    curvature_loop(self, WY_TAN4, curvature, rate);
    break;
  default: /* angle, as above */
    curvature_loop(self, WY_ANGLE, curvature, rate);
    break;
  }
}
