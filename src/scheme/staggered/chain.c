/* SPDX-License-Identifier: MIT */
/* The centreline of an inextensible rod from its root and frames (C8). */
#include <math.h>

#include "base/target.h"
#include "scheme/staggered/rod.h"

/* h d3 and h R (Omega x e3) of each segment, into link_force and link_spin. */
WY_CLONES
static void chain_steps(const wy_staggered *self, const double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = u + self->grid.p, *restrict w = u + self->grid.w, *restrict h = self->grid.h;
  double *restrict dx = self->links.force, *restrict dv = self->links.spin;
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    wy_q4 q = wy_load4(p, n, i);
    double inv_norm = 1 / sqrt(wy_qsquare(q));
    wy_m3 r = wy_rotation(wy_qtimes(inv_norm, q));
    wy_v3 om = wy_load3(w, n, i);
    wy_store3(dx, hs, i, wy_times(h[i], r.c));
    wy_store3(dv, n, i, wy_times(h[i], wy_minus(wy_times(om.y, r.a), wy_times(om.x, r.b))));
  }
}

/* x+ = x + h d3, v+ = v + h R (Omega x e3): positions and velocities of an inextensible rod from its root and its
   frames (C8). */
void wy_staggered_chain(const wy_staggered *self, double *u) {
  assert(self->grid.constrained == 3); /* else segments have no given length */
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
