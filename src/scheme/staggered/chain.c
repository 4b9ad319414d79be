/* SPDX-License-Identifier: MIT */
/* The centreline of a constrained rod from its root, its frames and, for kirchhoff, the stretches of its segments (C8),
   (C18). */
#include <math.h>

#include "base/target.h"
#include "model/law.h"
#include "scheme/staggered/rod.h"

/* h (1 + s) d3 and h R ((1 + s) Omega x e3 + s' e3) of each segment, into links.force and links.spin. */
WY_INLINE void steps_loop(const wy_staggered *self, const double *u, bool stretches) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = u + self->grid.p, *restrict w = u + self->grid.w, *restrict h = self->grid.h;
  const double *restrict s = u + self->grid.stretch;
  double *restrict dx = self->links.force, *restrict dv = self->links.spin;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 q = wy_load4(p, n, i);
    double inv_norm = 1 / sqrt(wy_qsquare(q));
    wy_m3 r = wy_rotation(wy_qtimes(inv_norm, q));
    wy_v3 om = wy_load3(w, n, i);
    const double length = stretches ? h[i] * (1 + s[i]) : h[i];
    wy_v3 step = wy_times(length, wy_minus(wy_times(om.y, r.a), wy_times(om.x, r.b)));
    if (stretches)
      step = wy_plus(step, wy_times(h[i] * s[n + i], r.c));
    wy_store3(dx, hs, i, wy_times(length, r.c));
    wy_store3(dv, n, i, step);
  }
}

WY_CLONES
static void chain_steps(const wy_staggered *self, const double *u) {
  if (self->grid.stretches)
    steps_loop(self, u, true);
  else
    steps_loop(self, u, false);
}

/* (S10)-(S14) where X = (1 + s) e3: the section force of the stretch, along d3, has no arm. */
WY_INLINE double segment_loop(const wy_staggered *self, const double *restrict u, int from, int to, bool stretches,
                              bool pressed) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = u + self->grid.p, *restrict w = u + self->grid.w, *restrict s = u + self->grid.stretch;
  const double *restrict c = self->stiffness.c_gamma + 2 * n, *restrict d = self->stiffness.d_gamma + 2 * n;
  double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega;
  double *restrict force = self->eval.section_force, *restrict torque = self->eval.segment_torque;
  const wy_v3 none = {0, 0, 0};
  double dissipated = 0;
#pragma omp simd reduction(+ : dissipated)
  for (int i = from; i < to; i++) {
    const wy_q4 q = wy_load4(p, n, i), direction = wy_qtimes(1 / sqrt(wy_qsquare(q)), q);
    double stress = 0;
    if (stretches) {
      const double ratio = pressed && c[i] > 0 ? wy_law_force_ratio(&self->grid.rod->law, s[i]) : 1;
      stress = ratio * c[i] * s[i] + d[i] * s[n + i];
      dissipated += self->grid.h[i] * d[i] * s[n + i] * s[n + i];
    }
    wy_store4(unit, hs, i, direction);
    wy_store3(omega, hs, i, wy_load3(w, n, i));
    wy_store3(force, hs, i, wy_times(stress, wy_rotation(direction).c));
    wy_store3(torque, hs, i, none);
  }
  return dissipated;
}

WY_CLONES
void wy_chain_segments(const wy_staggered *self, const double *u, int from, int to, double *power) {
  assert(from % WY_LANES == 0 && to % WY_LANES == 0 && to <= self->grid.stride);
  double sum;
  if (!self->grid.stretches)
    sum = segment_loop(self, u, from, to, false, false);
  else if (wy_law_changes_extension(&self->grid.rod->law))
    sum = segment_loop(self, u, from, to, true, true);
  else
    sum = segment_loop(self, u, from, to, true, false);
  if (power)
    *power += sum;
}

void wy_staggered_chain(const wy_staggered *self, double *u) {
  assert(self->grid.chain); /* else segments have no given length */
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  chain_steps(self, u);
  wy_v3 x = wy_load3(u + self->grid.x, n, 0), v = wy_load3(u + self->grid.v, n, 0);
  for (int i = 0; i < self->grid.n; i++) {
    x = wy_plus(x, wy_load3(self->links.force, hs, i));
    v = wy_plus(v, wy_load3(self->links.spin, n, i));
    wy_store3(u + self->grid.x, n, i + 1, x);
    wy_store3(u + self->grid.v, n, i + 1, v);
  }
}

void wy_staggered_take_stretches(const wy_staggered *self, double *u) {
  assert(self->grid.stretches);
  const int n = self->grid.stride;
  double *s = u + self->grid.stretch;
  for (int i = 0; i < self->grid.n; i++) {
    const wy_q4 q = wy_load4(u + self->grid.p, n, i);
    const wy_v3 d3 = wy_rotation(wy_qtimes(1 / sqrt(wy_qsquare(q)), q)).c;
    const double *x = u + self->grid.x, *v = u + self->grid.v;
    s[i] = self->grid.inv_h[i] * wy_inner(d3, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i))) - 1;
    s[n + i] = self->grid.inv_h[i] * wy_inner(d3, wy_minus(wy_load3(v, n, i + 1), wy_load3(v, n, i)));
  }
}

/* s'' = d3 . Da / h + (1 + s) (Om1^2 + Om2^2)  (C20) */
WY_CLONES
void wy_staggered_stretch_rates(const wy_staggered *self, const double *u, double *f) {
  assert(self->grid.stretches && u != f);
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict s = u + self->grid.stretch, *restrict unit = self->eval.unit, *restrict w = u + self->grid.w;
  const double *restrict a = f + self->grid.v, *restrict inv_h = self->grid.inv_h;
  double *restrict rate = f + self->grid.stretch;
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    const wy_v3 d3 = wy_rotation(wy_load4(unit, hs, i)).c, om = wy_load3(w, n, i);
    const wy_v3 da = wy_minus(wy_load3(a, n, i + 1), wy_load3(a, n, i));
    rate[i] = s[n + i];
    rate[n + i] = inv_h[i] * wy_inner(d3, da) + (1 + s[i]) * (om.x * om.x + om.y * om.y);
  }
}
