/* SPDX-License-Identifier: MIT */
/* Maxwell branches of the staggered rod: viscous strains of segments and vertices as part of the state, and how they
   linear systems see them. Equations (V1)-(V9) of docs/theory/staggered.md. A strain without stiffness
   (constrained, beyond the rod, at an end that is free to turn) has no branches: it counts as zero here. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/zeta.h"
#include "scheme/system.h"

size_t wy_staggered_branch_place(const wy_staggered *self, int j, int k) {
  assert(j >= 0 && j < self->branches.count && k >= 0 && k < WY_STRAINS);
  int field = k < 3 ? self->branches.gamma : self->branches.kappa;
  return (size_t)field + (size_t)(3 * j + k % 3) * (size_t)self->grid.stride;
}

/* 1 where there is stiffness, else 0. */
WY_INLINE wy_v3 carried(wy_v3 c) {
  return (wy_v3){c.x > 0 ? 1 : 0, c.y > 0 ? 1 : 0, c.z > 0 ? 1 : 0};
}

/* ---- Creation ---- */

/* Round-off of branches is compared by their energies, too: by themselves those of a rod that has hardly begun to move
   are nothing but the round-off of its positions and frames. */
void wy_staggered_branch_fields(wy_staggered *self) {
  const wy_section_values section = wy_section_at(self->grid.rod, 0.5 * self->grid.rod->length);
  wy_branches *branches = &self->branches;
  branches->count = self->grid.rod->maxwell_count;
  branches->list = self->grid.rod->maxwell;
  branches->long_term = branches->share = 1;
  for (int j = 0; j < branches->count; j++)
    branches->long_term -= branches->list[j].share;
  if (branches->count == 0)
    return;
  wy_field field = {.components = 3 * branches->count, .stride = self->grid.stride, .cell_local = true};
  field.name = "viscous_strain", field.count = self->grid.n, field.unit = sqrt(section.stiffness[2]);
  branches->gamma = wy_system_add_field(&self->base, field);
  field.name = "viscous_curvature", field.count = self->grid.n + 1, field.unit = sqrt(section.stiffness[3]);
  branches->kappa = wy_system_add_field(&self->base, field);
}

void wy_staggered_branch_layout(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  wy_branches *branches = &self->branches;
  const size_t n = (size_t)self->grid.stride;
  if (branches->count == 0)
    return;
  if (self->actuators.count == 0) /* which have it already */
    self->stiffness.m_rest = wy_arena_doubles(arena, 3 * n);
  branches->whole = wy_arena_doubles(arena, 9 * n);
  branches->relaxed = wy_arena_doubles(arena, WY_STRAINS * n);
  branches->strain[0] = wy_arena_doubles(arena, WY_STRAINS * n);
  if (needs.real + needs.complex == 0)
    return;
  branches->strain[1] = wy_arena_doubles(arena, WY_STRAINS * n);
  for (int part = 0; part < 2; part++)
    branches->stress[part] = wy_arena_doubles(arena, WY_STRAINS * n);
  branches->segment_strain = wy_arena_doubles(arena, WY_SEGMENT_STRAIN * WY_BLOCK_ENTRIES * n);
  branches->vertex_strain = wy_arena_doubles(arena, WY_VERTEX_STRAIN * WY_BLOCK_ENTRIES * n);
  branches->segment_material = wy_arena_doubles(arena, WY_SEGMENT_MATERIAL * WY_BLOCK_ENTRIES * n);
  branches->vertex_material = wy_arena_doubles(arena, WY_VERTEX_MATERIAL * WY_BLOCK_ENTRIES * n);
  if (self->form->stored)
    branches->band = wy_arena_doubles(arena, (size_t)(2 * self->linear.half + 1) * (size_t)wy_staggered_order(self));
}

void wy_staggered_branch_begin(wy_staggered *self) {
  const size_t bytes = 3 * (size_t)self->grid.stride * sizeof(double);
  const double *from[3] = {self->stiffness.c_gamma, self->stiffness.c_kappa, self->stiffness.m_rest};
  for (int part = 0; part < 3 && self->branches.count > 0; part++)
    memcpy(self->branches.whole + (size_t)part * 3 * (size_t)self->grid.stride, from[part], bytes);
}

bool wy_staggered_branch_counts(const wy_staggered *self, const wy_field *field, int component, int i) {
  if (field->offset == self->branches.gamma)
    return component % 3 >= self->grid.constrained;
  return (i > 0 && i < self->grid.n) || wy_support_holds_rotation(&self->supports, i == 0 ? WY_START : WY_END);
}

/* ---- Evaluation ---- */

/* sum_j share_j gamma_j, and with it the moment m_zero (V3). At rest the branches carry nothing. */
WY_CLONES
void wy_staggered_branch_relaxed(wy_staggered *self, const double *u) {
  assert(self->branches.relaxed && self->stiffness.m_rest != self->eval.m_zero);
  const wy_branches *branches = &self->branches;
  const int n = self->grid.stride;
  memset(branches->relaxed, 0, WY_STRAINS * (size_t)n * sizeof(double));
  for (int j = 0; j < branches->count && !self->supports.rest; j++)
    for (int k = 0; k < WY_STRAINS; k++) {
      const double share = branches->list[j].share, *restrict from = u + wy_staggered_branch_place(self, j, k);
      double *restrict to = branches->relaxed + k * n;
      for (int i = 0; i < n; i++)
        to[i] += share * from[i];
    }
  const double *restrict c = self->stiffness.c_kappa, *restrict rest = self->stiffness.m_rest;
  const double *restrict relaxed = branches->relaxed + (size_t)3 * n;
  double *restrict zero = self->eval.m_zero;
  for (int i = 0; i < 3 * n; i++)
    zero[i] = rest[i] + c[i] * relaxed[i];
}

/* Strain less natural strain of the segments at the frames of the last evaluation. */
WY_CLONES
static void segment_strains(const wy_staggered *self, const double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict unit = self->eval.unit, *restrict inv_h = self->grid.inv_h;
  const double *restrict c = self->stiffness.c_gamma;
  double *restrict strain = self->branches.strain[0];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
    wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
    wy_v3 tangent = wy_apply_transposed(r, wy_times(inv_h[i], dx));
    tangent.z -= 1;
    wy_store3(strain, n, i, wy_each(carried(wy_load3(c, n, i)), tangent));
  }
}

/* The same of vertices; with `blocks`, how they depend on the rotations of both neighbours, and the torques that follow
   with the whole stiffness (V6). */
WY_INLINE void vertex_pass(const wy_staggered *self, wy_curvature_measure measure, bool blocks) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict scale = self->grid.twice_inv_l,
                         *restrict k_zero = self->grid.k_zero;
  const double *restrict c = self->stiffness.c_kappa;
  double *restrict strain = self->branches.strain[0] + (size_t)3 * n;
  for (int first = 0; first < n; first += WY_LANES) {
    double *restrict bend = blocks ? wy_group(self->branches.vertex_strain, WY_VERTEX_STRAIN, first) : NULL;
    double *restrict out = blocks ? wy_group(self->branches.vertex_material, WY_VERTEX_MATERIAL, first) : NULL;
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_q4 between = wy_between(wy_load4(unit, hs, i - 1), wy_load4(unit, hs, i));
      wy_v3 im = wy_pure(between), ci = wy_load3(c, n, i), mask = carried(ci);
      wy_zeta z = wy_zeta_at(measure, between.w);
      if (!blocks) {
        wy_v3 bent = wy_minus(wy_times(scale[i] * z.value, im), wy_load3(k_zero, n, i));
        wy_store3(strain, n, i, wy_each(mask, bent));
      } else {
        wy_m3 along = wy_mminus(wy_diagonal(z.value * between.w), wy_mtimes(z.first, wy_outer(im, im)));
        wy_m3 across = wy_mtimes(z.value, wy_skew(im));
        wy_v3 inv_l = wy_times(0.5 * scale[i], mask);
        wy_m3 minus = wy_mminus(across, along), plus = wy_mplus(across, along);
        wy_m3 by_minus = wy_scale_rows(inv_l, minus), by_plus = wy_scale_rows(inv_l, plus);
        wy_m3 moment_minus = wy_scale_rows(ci, by_minus), moment_plus = wy_scale_rows(ci, by_plus);
        wy_store_block(bend, lane, WY_BEND_MINUS, by_minus);
        wy_store_block(bend, lane, WY_BEND_PLUS, by_plus);
        wy_store_block(out, lane, WY_MATERIAL_MINUS_MINUS, wy_mproduct(plus, moment_minus));
        wy_store_block(out, lane, WY_MATERIAL_MINUS_PLUS, wy_mproduct(plus, moment_plus));
        wy_store_block(out, lane, WY_MATERIAL_PLUS_MINUS, wy_mproduct(minus, moment_minus));
        wy_store_block(out, lane, WY_MATERIAL_PLUS_PLUS, wy_mproduct(minus, moment_plus));
      }
    }
  }
}

WY_INLINE void vertex_pass_of(const wy_staggered *self, bool blocks) {
  switch (self->grid.options.curvature_measure) {
  case WY_SIN2:
    vertex_pass(self, WY_SIN2, blocks);
    break;
  case WY_SIN4:
    vertex_pass(self, WY_SIN4, blocks);
    break;
  case WY_TAN2:
    vertex_pass(self, WY_TAN2, blocks);
    break;
  case WY_TAN4:
    vertex_pass(self, WY_TAN4, blocks);
    break;
  default: /* angle: grid.options never holds `auto` */
    vertex_pass(self, WY_ANGLE, blocks);
    break;
  }
}

WY_CLONES
static void vertex_strains(const wy_staggered *self) {
  vertex_pass_of(self, false);
}

/* sum of length c (strain - gamma_j)^2: twice the energy of a branch over its share (V4), after the strains. */
WY_CLONES
static double squares(const wy_staggered *self, const double *u, int j) {
  const int n = self->grid.stride;
  double sum = 0;
  for (int k = 0; k < WY_STRAINS; k++) {
    const double *restrict strain = self->branches.strain[0] + (size_t)k * (size_t)n;
    const double *restrict viscous = u + wy_staggered_branch_place(self, j, k), *restrict c =
                                                                                    wy_branch_stiffness(self, k);
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) {
      double excess = strain[i] - viscous[i];
      sum += wy_branch_length(self, i, k >= 3) * c[i] * excess * excess;
    }
  }
  return sum;
}

/* gamma_j' = (strain - gamma_j) / time_j (V2) */
void wy_staggered_branch_rates(wy_staggered *self, const double *u, double *f, double *power) {
  const int n = self->grid.stride;
  segment_strains(self, u);
  vertex_strains(self);
  for (int j = 0; j < self->branches.count; j++) {
    const wy_maxwell *branch = &self->branches.list[j];
    const double rate = self->supports.rest ? 0 : 1 / branch->time;
    for (int k = 0; k < WY_STRAINS; k++) {
      const double *restrict strain = self->branches.strain[0] + (size_t)k * (size_t)n;
      const double *restrict viscous = u + wy_staggered_branch_place(self, j, k);
      double *restrict to = f + wy_staggered_branch_place(self, j, k);
      for (int i = 0; i < n; i++)
        to[i] = rate * (strain[i] - viscous[i]);
    }
    if (power)
      *power += branch->share * rate * squares(self, u, j);
  }
}

double wy_staggered_branch_energy(wy_staggered *self, const double *u) {
  double energy = 0;
  segment_strains(self, u);
  vertex_strains(self);
  for (int j = 0; j < self->branches.count && !self->supports.rest; j++)
    energy += 0.5 * self->branches.list[j].share * squares(self, u, j);
  return energy;
}

/* ---- Equilibria ---- */

/* Inner vertices and segments here, held ends where they are refreshed. */
void wy_staggered_branch_rest(wy_staggered *self, bool rest) {
  assert(self->branches.count > 0);
  wy_branches *branches = &self->branches;
  const int n = self->grid.stride;
  branches->share = rest ? branches->long_term : 1;
  for (int i = 0; i < 3 * n; i++) {
    self->stiffness.c_gamma[i] = branches->share * branches->whole[i];
    self->stiffness.c_kappa[i] = branches->share * branches->whole[3 * n + i];
    self->stiffness.m_rest[i] = branches->share * branches->whole[6 * n + i];
  }
  self->base.type->refresh(&self->base);
}

void wy_staggered_branch_relax(wy_system *system, double t, double *u) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride;
  if (self->branches.count == 0)
    return;
  wy_staggered_evaluate(self, t, u, self->eval.work, NULL); /* leaves the strains */
  for (int j = 0; j < self->branches.count; j++)
    for (int k = 0; k < WY_STRAINS; k++)
      memcpy(u + wy_staggered_branch_place(self, j, k), self->branches.strain[0] + (size_t)k * (size_t)n,
             (size_t)n * sizeof *u);
}

/* ---- Blocks ---- */

/* Strains of segments by Dx and theta, and what they do to section force and torque (V6). The saddle form keeps the
   section forces and needs the first part only. */
WY_CLONES
static void segment_operators(const wy_staggered *self, const double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict unit = self->eval.unit, *restrict h = self->grid.h;
  const double *restrict inv_h = self->grid.inv_h, *restrict c = self->stiffness.c_gamma;
  const double kept = self->form->keeps_forces ? 0 : 1;
  for (int first = 0; first < n; first += WY_LANES) {
    double *restrict strain = wy_group(self->branches.segment_strain, WY_SEGMENT_STRAIN, first);
    double *restrict out = wy_group(self->branches.segment_material, WY_SEGMENT_MATERIAL, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_m3 r = wy_rotation(wy_load4(unit, hs, i)), e = wy_mtimes(inv_h[i], wy_mtransposed(r));
      wy_v3 tangent = wy_apply(e, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
      wy_v3 ci = wy_load3(c, n, i), mask = carried(ci);
      wy_m3 by_x = wy_scale_rows(mask, e), by_t = wy_scale_rows(mask, wy_skew(tangent));
      wy_m3 force_x = wy_scale_rows(wy_times(kept, ci), e);
      wy_m3 force_t = wy_scale_rows(wy_times(kept, ci), wy_skew(tangent));
      wy_store_block(strain, lane, WY_STRAIN_X, by_x);
      wy_store_block(strain, lane, WY_STRAIN_T, by_t);
      wy_store_block(out, lane, WY_MATERIAL_FORCE_X, wy_mproduct(r, force_x));
      wy_store_block(out, lane, WY_MATERIAL_FORCE_T, wy_mproduct(r, force_t));
      wy_store_block(out, lane, WY_MATERIAL_TORQUE_X, wy_mtimes(h[i], wy_skew_times(tangent, force_x)));
      wy_store_block(out, lane, WY_MATERIAL_TORQUE_T, wy_mtimes(h[i], wy_skew_times(tangent, force_t)));
    }
  }
}

WY_CLONES
static void vertex_operators(const wy_staggered *self) {
  vertex_pass_of(self, true);
}

/* A held rotation: the ghost turns by -Rt theta, so that the curvature depends on the inner segment alone (V8). */
static void fold_end(wy_staggered *self, int end) {
  assert(wy_support_holds_rotation(&self->supports, end));
  const int vertex = end ? self->grid.n : 0, inner = end ? self->grid.n - 1 : 0, lane = vertex % WY_LANES;
  const int own = end ? WY_BEND_MINUS : WY_BEND_PLUS, ghost = end ? WY_BEND_PLUS : WY_BEND_MINUS;
  wy_m3 turn = wy_from_rows(self->eval.ghost_turn[end]);
  double *bend = wy_group(self->branches.vertex_strain, WY_VERTEX_STRAIN, vertex);
  double *material = wy_group(self->branches.vertex_material, WY_VERTEX_MATERIAL, vertex);
  wy_m3 by = wy_mminus(wy_load_block(bend, lane, own), wy_mproduct(wy_load_block(bend, lane, ghost), turn));
  wy_m3 moment = wy_scale_rows(wy_load3(self->stiffness.c_kappa, self->grid.stride, vertex), by);
  wy_store_block(bend, lane, own, by);
  wy_store_block(bend, lane, ghost, wy_diagonal(0));
  for (int which = 0; which < WY_VERTEX_MATERIAL; which++)
    wy_store_block(material, lane, which, wy_diagonal(0));
  wy_add_block(self->branches.segment_material, WY_SEGMENT_MATERIAL, inner, WY_MATERIAL_TORQUE_T,
               wy_mtimes(-wy_branch_length(self, vertex, true), wy_mproduct(wy_mtransposed(by), moment)));
}

void wy_staggered_branch_blocks(wy_staggered *self, const double *u) {
  assert(self->branches.segment_strain && self->branches.vertex_material);
  segment_operators(self, u);
  vertex_operators(self);
  for (int end = 0; end < 2; end++)
    if (wy_support_holds_rotation(&self->supports, end))
      fold_end(self, end);
}
