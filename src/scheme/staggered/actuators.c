/* SPDX-License-Identifier: MIT */
/* Pneumatic chambers and tendons on the staggered grid. A half cell is half a segment with the vertex at its end: it
   knows the strain X of its segment and the curvature K of its vertex. Everything follows from one length of each
   actuator, summed over the half cells (A2): forces and moments (A3)-(A5), their work; the stiffness of tendons is in
   tendons.c. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

static const wy_actuator_def *actuator_of(const wy_staggered *self, int a) {
  return wy_model_rod_actuator(self->base.model, self->base.rod, a);
}

int wy_staggered_count_actuators(const wy_model *model, int rod, bool *tendons) {
  const int count = wy_model_rod_actuator_count(model, rod);
  *tendons = false;
  for (int i = 0; i < count; i++)
    *tendons = *tendons || wy_model_rod_actuator(model, rod, i)->kind == WY_TENDON;
  return count;
}

void wy_staggered_place_actuators(wy_staggered *self) {
  const int n = self->grid.stride;
  for (int a = 0; a < self->actuators.count; a++) {
    const wy_actuator_def *actuator = actuator_of(self, a);
    double *at = self->actuators.offsets + (size_t)a * 4 * (size_t)n;
    for (int vertex = 0; vertex <= self->grid.n; vertex++) {
      double offset[2], slope[2];
      wy_actuator_offset(actuator, self->grid.s_vertex[vertex], offset, slope);
      for (int k = 0; k < 2; k++)
        at[k * n + vertex] = offset[k], at[(2 + k) * n + vertex] = slope[k];
    }
  }
}

/* ---- One half cell ---- */

/* A chamber pushes along e3, a tendon pulls along r' = X + K x rho + rho' (A3), (A4). `inv` is one over |r'|. */
WY_INLINE wy_v3 direction_of(bool tendon, wy_v3 x, wy_v3 k, wy_v3 rho, wy_v3 slope, double *inv) {
  if (!tendon)
    return (wy_v3){0, 0, 1};
  wy_v3 along = wy_plus(wy_plus(x, wy_cross(k, rho)), slope);
  *inv = 1 / wy_norm(along);
  return wy_times(*inv, along);
}

wy_pull wy_staggered_pull(const wy_staggered *self, int vertex, wy_v3 x, wy_v3 k) {
  assert(vertex >= 0 && vertex <= self->grid.n);
  const int n = self->grid.stride;
  wy_pull sum = {0};
  for (int i = 0; i < self->actuators.count; i++) {
    const double *at = self->actuators.offsets + (size_t)i * 4 * (size_t)n + vertex;
    const bool tendon = actuator_of(self, i)->kind == WY_TENDON;
    const double value = self->actuators.value[i];
    wy_v3 rho = {at[0], at[n], 0}, slope = {at[2 * n], at[3 * n], 0};
    double inv = 0;
    wy_v3 direction = direction_of(tendon, x, k, rho, slope, &inv), force = wy_times(value, direction);
    sum.force = wy_plus(sum.force, force);
    sum.moment = wy_plus(sum.moment, wy_cross(rho, force));
    if (!tendon)
      continue;
    wy_m3 across = wy_mtimes(value * inv, wy_mminus(wy_diagonal(1), wy_outer(direction, direction)));
    wy_m3 by_k = wy_mtimes(-1, wy_times_skew(across, rho));
    sum.a = wy_mplus(sum.a, across);
    sum.b = wy_mplus(sum.b, by_k);
    sum.d = wy_mplus(sum.d, wy_skew_times(rho, by_k));
  }
  return sum;
}

/* R^T and X of a segment, from the frames of the last evaluation. */
static wy_m3 back_of(const wy_staggered *self, int i) {
  return wy_mtransposed(wy_rotation(wy_load4(self->eval.unit, self->grid.halo_stride, i)));
}

wy_v3 wy_staggered_tangent(const wy_staggered *self, const double *u, int segment) {
  const int n = self->grid.stride;
  wy_v3 dx = wy_minus(wy_load3(u + self->grid.x, n, segment + 1), wy_load3(u + self->grid.x, n, segment));
  return wy_apply(back_of(self, segment), wy_times(self->grid.inv_h[segment], dx));
}

static int end_of(const wy_staggered *self, int vertex) {
  return vertex == 0 ? WY_START : vertex == self->grid.n ? WY_END : -1;
}

bool wy_staggered_turns_freely(const wy_staggered *self, int vertex) {
  int end = end_of(self, vertex);
  return end >= 0 && !wy_support_holds_rotation(&self->supports, end);
}

wy_v3 wy_staggered_half_cell_curvature(const wy_staggered *self, int vertex) {
  if (!wy_staggered_turns_freely(self, vertex))
    return wy_staggered_curvature(self, vertex);
  const double *k = self->actuators.free_ends[end_of(self, vertex)].curvature;
  return (wy_v3){k[0], k[1], k[2]};
}

/* ---- The ends that turn freely ---- */

/* The moment C (K - K0) at an end, or what the law makes of it, and the stiffness. */
static wy_v3 bent_end_moment(const wy_staggered *self, int end, wy_v3 k, wy_m3 *stiffness) {
  const double *zero = self->grid.end_natural[end], e[6] = {0, 0, 0, k.x - zero[0], k.y - zero[1], k.z - zero[2]};
  double stress[6];
  wy_law_stiffness by;
  wy_law_stress(&self->grid.rod->law, self->grid.end_stiffness[end], e, stress);
  wy_law_tangent(&self->grid.rod->law, self->grid.end_stiffness[end], e, &by);
  const wy_v3 columns[3] = {{by.moment[0][0], by.moment[1][0], by.moment[2][0]},
                            {by.moment[0][1], by.moment[1][1], by.moment[2][1]},
                            {by.moment[0][2], by.moment[1][2], by.moment[2][2]}};
  *stiffness = (wy_m3){columns[0], columns[1], columns[2]};
  return (wy_v3){stress[3], stress[4], stress[5]};
}

/* C (K - K0) + moment of actuators = moment of loads (A6), the derivative of something convex: Newton's method. */
static void find_free_end(wy_staggered *self, const double *u, int end) {
  enum { MOST = 50 }; /* far above the range of the linear law each takes off a third */
  const int segment = end ? self->grid.n - 1 : 0, vertex = end ? self->grid.n : 0;
  const double *zero = self->grid.end_natural[end], side = end ? 1 : -1;
  const double near = 1e-9 / self->grid.rod->length; /* the next one would change it by about the square of this */
  const wy_m3 back = back_of(self, segment);
  const wy_v3 x = wy_staggered_tangent(self, u, segment);
  wy_m3 stiffness;
  wy_v3 turned, k = {zero[0], zero[1], zero[2]}, load = wy_times(side, wy_staggered_end_moment(self, end, &turned));
  double change = INFINITY;
  for (int i = 0; i < MOST && change > near; i++) {
    wy_pull p = wy_staggered_pull(self, vertex, x, k);
    wy_v3 missing = wy_minus(wy_minus(load, p.moment), bent_end_moment(self, end, k, &stiffness));
    wy_v3 step = wy_apply(wy_minverse(wy_mplus(stiffness, p.d)), missing);
    k = wy_plus(k, step);
    change = wy_norm(step);
  }
  wy_pull p = wy_staggered_pull(self, vertex, x, k);
  bent_end_moment(self, end, k, &stiffness);
  wy_m3 by_moment = wy_minverse(wy_mplus(stiffness, p.d));
  wy_m3 by_strain = wy_mtimes(-1, wy_mproduct(by_moment, wy_mtransposed(p.b)));
  wy_m3 by_turn = wy_mplus(wy_times_skew(by_strain, x), wy_mtimes(side, wy_times_skew(by_moment, turned)));
  wy_free_end *out = &self->actuators.free_ends[end];
  out->curvature[0] = k.x, out->curvature[1] = k.y, out->curvature[2] = k.z;
  wy_to_rows(by_turn, out->by_turn);
  wy_to_rows(wy_mtimes(self->grid.inv_h[segment], wy_mproduct(by_strain, back)), out->by_x);
}

/* ---- The whole rod ---- */

/* X of the segments and K of the vertices, for tendons. */
static void measure_half_cells(const wy_staggered *self, const double *u) {
  assert(self->actuators.has_tendons);
  for (int i = 0; i < self->grid.n; i++)
    wy_store3(self->actuators.strain, self->grid.stride, i, wy_staggered_tangent(self, u, i));
  for (int i = 0; i <= self->grid.n; i++)
    wy_store3(self->actuators.bend, self->grid.stride, i, wy_staggered_half_cell_curvature(self, i));
}

/* One actuator in the half cells before (0) or after (1) the midpoints, added to their forces and moments. */
WY_INLINE void pull_loop(const wy_staggered *self, int a, int side, bool tendon) {
  const int n = self->grid.stride;
  const double *restrict at = self->actuators.offsets + (size_t)a * 4 * (size_t)n + side;
  const double *restrict strain = self->actuators.strain, *restrict bend = tendon ? self->actuators.bend + side : NULL;
  double *restrict forces = self->actuators.half_force[side], *restrict moments = self->actuators.half_moment[side];
  const double value = self->actuators.value[a];
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    wy_v3 rho = {at[i], at[n + i], 0}, slope = {at[2 * n + i], at[3 * n + i], 0}, none = {0, 0, 0};
    wy_v3 x = tendon ? wy_load3(strain, n, i) : none, k = tendon ? wy_load3(bend, n, i) : none;
    double inv;
    wy_v3 force = wy_times(value, direction_of(tendon, x, k, rho, slope, &inv));
    wy_store3(forces, n, i, wy_plus(wy_load3(forces, n, i), force));
    wy_store3(moments, n, i, wy_plus(wy_load3(moments, n, i), wy_cross(rho, force)));
  }
}

/* Half cells add half their force to that of the segment (A5). */
WY_INLINE void force_loop(const wy_staggered *self, const double *restrict u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict unit = self->eval.unit;
  const double *restrict before = self->actuators.half_force[0], *restrict after = self->actuators.half_force[1];
  double *restrict own = self->actuators.force, *restrict force = self->eval.section_force;
  double *restrict torque = self->eval.segment_torque;
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    wy_v3 sum = wy_times(0.5, wy_plus(wy_load3(before, n, i), wy_load3(after, n, i)));
    wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
    wy_v3 dx = wy_apply_transposed(r, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
    wy_store3(own, n, i, sum);
    wy_store3(force, hs, i, wy_plus(wy_load3(force, hs, i), wy_apply(r, sum)));
    wy_store3(torque, hs, i, wy_plus(wy_load3(torque, hs, i), wy_cross(dx, sum)));
  }
}

WY_CLONES
static void add_forces(const wy_staggered *self, const double *u) {
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < self->actuators.count; a++) {
      if (actuator_of(self, a)->kind == WY_TENDON)
        pull_loop(self, a, side, true);
      else
        pull_loop(self, a, side, false);
    }
  force_loop(self, u);
}

/* They add h / 2 times their moment to the vertex, unless it is an end that turns freely. m_zero carries weight over
   length. */
static void add_moments(wy_staggered *self) {
  const int n = self->grid.stride;
  for (int i = 0; i <= self->grid.n; i++) {
    wy_v3 sum = {0, 0, 0};
    if (i > 0)
      sum = wy_times(0.5 * self->grid.h[i - 1], wy_load3(self->actuators.half_moment[1], n, i - 1));
    if (i < self->grid.n)
      sum = wy_plus(sum, wy_times(0.5 * self->grid.h[i], wy_load3(self->actuators.half_moment[0], n, i)));
    if (wy_staggered_turns_freely(self, i))
      sum = (wy_v3){0, 0, 0};
    wy_v3 scaled = wy_times(0.5 * self->grid.twice_inv_l[i], sum);
    wy_store3(self->actuators.moment, n, i, sum);
    const double *zero =
        self->branches.count ? self->eval.m_zero : self->stiffness.m_rest; /* which branches have set anew */
    wy_store3(self->eval.m_zero, n, i, wy_minus(wy_load3(zero, n, i), scaled));
  }
}

void wy_staggered_actuate(wy_staggered *self, double t, const double *u) {
  assert(self->actuators.count > 0 && self->actuators.value);
  for (int a = 0; a < self->actuators.count; a++) {
    double value = wy_actuator_value(actuator_of(self, a), &self->base.actuator_overrides[a], t);
    self->actuators.value[a] = self->loads.factor * value;
  }
  for (int end = 0; end < 2; end++) {
    if (!wy_support_holds_rotation(&self->supports, end))
      find_free_end(self, u, end);
    memset(self->actuators.half_force[end], 0, 3 * (size_t)self->grid.stride * sizeof(double));
    memset(self->actuators.half_moment[end], 0, 3 * (size_t)self->grid.stride * sizeof(double));
  }
  if (self->actuators.has_tendons)
    measure_half_cells(self, u);
  add_forces(self, u);
  add_moments(self);
}

/* Tension times the rate at which the tendon gets shorter, and the same for chambers (A9). */
double wy_staggered_actuator_power(const wy_staggered *self, const double *u) {
  const int n = self->grid.stride;
  double power = 0;
  if (self->actuators.count == 0)
    return 0;
  for (int i = 0; i < self->grid.n; i++) {
    wy_v3 dv = wy_minus(wy_load3(u + self->grid.v, n, i + 1), wy_load3(u + self->grid.v, n, i));
    wy_v3 rate = wy_apply(back_of(self, i), wy_times(self->grid.inv_h[i], dv));
    rate = wy_plus(rate,
                   wy_cross(wy_staggered_tangent(self, u, i), wy_load3(self->eval.omega, self->grid.halo_stride, i)));
    power -= self->grid.h[i] * wy_inner(wy_load3(self->actuators.force, n, i), rate);
  }
  for (int i = 0; i <= self->grid.n; i++)
    power -= wy_inner(wy_load3(self->actuators.moment, n, i), wy_staggered_curvature_rate(self, i));
  return power;
}

/* ---- Derivatives ---- */

void wy_staggered_actuator_blocks(wy_staggered *self, const double *u) {
  assert(self->actuators.count > 0 && self->linear.segments);
  wy_staggered_geometric_blocks(self, u, self->actuators.force);
}
