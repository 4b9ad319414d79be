/* SPDX-License-Identifier: MIT */
/* The null space of constrained rods with implicit integrators: what is kept of a Jacobian. Root, frames and, for
   kirchhoff, one stretch a segment are the state; rotations and section forces are the unknowns of its linear systems
   (C18)-(C27). */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/chain.h"
#include "scheme/staggered/nullspace.h"

static void layout(wy_staggered *self, wy_arena *arena) {
  const size_t n = (size_t)self->grid.stride;
  wy_chain_linear *chain = &self->linear.chain;
  chain->blocks = wy_arena_doubles(arena, WY_CHAIN_BLOCKS * WY_BLOCK_ENTRIES * n);
  chain->vectors = wy_arena_doubles(arena, 3 * WY_CHAIN_VECTORS * n);
  chain->stretch = wy_arena_doubles(arena, n);
  chain->extension = wy_arena_doubles(arena, n);
  chain->mobility = wy_arena_doubles(arena, 3 * n + 1); /* the vector behind the last vertex reads one more */
  for (int part = 0; part < 2; part++) {
    chain->torque[part] = wy_halo_array(arena, 3, self->grid.halo_stride);
    chain->force[part] = wy_halo_array(arena, 3, self->grid.halo_stride);
    chain->sweep[part] = wy_halo_array(arena, 3, self->grid.halo_stride);
  }
}

/* One segment: (C19) for its motion, (C21), (C23) and (C24) for what is kept. */
WY_INLINE void segment_loop(const wy_staggered *self, const double *restrict u, const double *restrict f,
                            bool stretches) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict omega = self->eval.omega,
                         *restrict force = self->eval.section_force, *restrict spin = f + self->grid.w;
  const double *restrict s = u + self->grid.stretch, *restrict rate = s + n,
                         *restrict jerk = f + self->grid.stretch + n;
  const double *restrict inertia = self->grid.inertia, *restrict drag_inertia = self->grid.drag_inertia,
                         *restrict inv_mass = self->grid.inv_mass;
  double *restrict stretch = self->linear.chain.stretch, *restrict vectors = self->linear.chain.vectors;
  const double drag = self->grid.drag_translation;
  const wy_v3 e3 = {0, 0, 1};
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict own = wy_group(self->linear.segments, WY_SEGMENT_BLOCKS, first);
    double *restrict out = wy_group(self->linear.chain.blocks, WY_CHAIN_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      const int i = first + lane;
      const wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
      const wy_v3 om = wy_load3(omega, hs, i), dom = wy_load3(spin, n, i), in = wy_load3(inertia, n, i);
      const wy_v3 section = wy_apply_transposed(r, wy_load3(force, hs, i));
      const double g = stretches ? 1 + s[i] : 1, dg = stretches ? rate[i] : 0, ddg = stretches ? jerk[i] : 0;
      const wy_v3 across = wy_cross(om, e3), turned = wy_plus(wy_cross(dom, e3), wy_cross(om, across));
      const wy_v3 v = wy_plus(wy_times(g, across), wy_times(dg, e3));
      const wy_v3 by_rate = wy_plus(wy_times(2, across), wy_times(drag, e3));
      const wy_v3 by_stretch = wy_plus(turned, wy_times(drag, across));
      const wy_v3 a = wy_plus(wy_times(g, by_stretch), wy_plus(wy_times(dg, by_rate), wy_times(ddg, e3)));
      wy_store3(vectors + 3 * WY_CHAIN_A * n, n, i, a);
      wy_store3(vectors + 3 * WY_CHAIN_V * n, n, i, v);
      wy_store3(vectors + 3 * WY_CHAIN_BY_STRETCH * n, n, i, by_stretch);
      wy_store3(vectors + 3 * WY_CHAIN_BY_RATE * n, n, i, by_rate);
      wy_store3(vectors + 3 * WY_CHAIN_FORCE * n, n, i, section);
      stretch[i] = g;
      wy_m3 gyro = wy_scale_columns(wy_skew(om), in);
      gyro = wy_mminus(gyro, wy_skew(wy_each(in, om)));
      const wy_v3 damped = wy_load3(drag_inertia, n, i);
      gyro.a.x += damped.x, gyro.b.y += damped.y, gyro.c.z += damped.z;
      const wy_v3 x = wy_times(g, e3), twice = wy_plus(wy_cross(om, x), wy_times(2 * dg + drag * g, e3));
      const wy_m3 sweep = wy_mplus(wy_skew(twice), wy_skew_times(om, wy_skew(x)));
      wy_store_block(out, lane, WY_CHAIN_FRAME, r);
      const wy_m3 before = wy_rotation(wy_between(wy_load4(unit, hs, i), wy_load4(unit, hs, i - 1)));
      wy_store_block(out, lane, WY_CHAIN_BEFORE, wy_mtimes(inv_mass[i], before));
      wy_store_block(out, lane, WY_CHAIN_TURN, wy_load_block(own, lane, WY_TORQUE_T));
      wy_store_block(out, lane, WY_CHAIN_GYRO, wy_mminus(gyro, wy_load_block(own, lane, WY_TORQUE_W)));
      wy_store_block(out, lane, WY_CHAIN_SWEEP, wy_mtimes(-1, sweep));
    }
  }
}

WY_CLONES
static void keep_segments(const wy_staggered *self, const double *u, const double *f) {
  if (self->grid.stretches)
    segment_loop(self, u, f, true);
  else
    segment_loop(self, u, f, false);
}

/* The stiffness of extension now, which a law may change with the strain. */
static void keep_extension(const wy_staggered *self, const double *u) {
  const double *c = self->stiffness.c_gamma + 2 * (size_t)self->grid.stride;
  const bool changes = wy_law_changes_extension(&self->grid.rod->law);
  for (int i = 0; i < self->grid.stride; i++) {
    const bool real = self->grid.stretches && i < self->grid.n;
    const double ratio = real && changes ? wy_law_stiffness_ratio(&self->grid.rod->law, u[self->grid.stretch + i]) : 1;
    self->linear.chain.extension[i] = real ? c[i] * ratio : 1;
  }
}

static void assemble(wy_staggered *self, const double *u, const double *f) {
  assert(f && self->grid.chain); /* equilibria have the saddle form */
  wy_chain_linear *chain = &self->linear.chain;
  keep_segments(self, u, f);
  keep_extension(self, u);
  chain->mass = 0;
  for (int i = 0; i <= self->grid.n; i++)
    chain->mass += self->grid.mass[i] / self->grid.n;
  chain->length = (self->grid.to - self->grid.from) / self->grid.n;
}

/* Held components of an end do not move, whatever the force. */
static void hold(wy_staggered *self, bool moving) {
  assert(moving);
  (void)moving;
  double *mobility = self->linear.chain.mobility;
  for (int k = 0; k < 3; k++) {
    memcpy(mobility + k * self->grid.stride, self->grid.inv_mass, (size_t)self->grid.stride * sizeof *mobility);
    for (int end = 0; end < 2; end++)
      if (wy_is_held(self, end, k))
        mobility[k * self->grid.stride + wy_end_vertex(&self->grid, end)] = 0;
  }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the signature of the verb */
static int project_frames(const wy_staggered *self, double *u, double *f, double drift[WY_DRIFTS]) {
  (void)drift;
  for (int i = 0; i < self->grid.n; i++)
    wy_nullspace_scale_frame(self, i, u, f);
  return 0;
}

/* Reactions, and the second derivative of the stretch, which follows from accelerations (C20). */
static int constrain(wy_staggered *self, const double *u, double *f) {
  const int status = wy_staggered_constrain(self, u, f);
  if (self->grid.stretches)
    wy_staggered_stretch_rates(self, u, f);
  return status;
}

const wy_form wy_chain_form = {.spin = "angular_velocity",
                               .spin_components = 3,
                               .spin_unit = 1,
                               .cell = WY_CHAIN_CELL,
                               .half = WY_CHAIN_HALF,
                               .layout = layout,
                               .set_spin = wy_nullspace_set_spin,
                               .project_frames = project_frames,
                               .project_strains = wy_staggered_project_strains,
                               .segments = wy_chain_segments,
                               .accelerate = wy_nullspace_accelerate,
                               .constrain = constrain,
                               .section_blocks = wy_staggered_clear_section_blocks,
                               .assemble = assemble,
                               .hold = hold,
                               .factor = wy_chain_factor,
                               .solve = wy_chain_solve};
