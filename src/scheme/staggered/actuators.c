/* Pneumatic chambers and tendons on the staggered grid. A half cell is half a segment with the vertex at its end: it
   knows the strain X of its segment and the curvature K of its vertex. Everything follows from one length of each
   actuator, summed over the half cells (A2): forces and moments (A3)-(A5), their work, the stiffness of tendons (A8).
 */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/zeta.h"

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
  const int n = self->stride;
  for (int a = 0; a < self->actuator_count; a++) {
    const wy_actuator_def *actuator = actuator_of(self, a);
    double *at = self->offsets + (size_t)a * 4 * (size_t)n;
    for (int vertex = 0; vertex <= self->n; vertex++) {
      double offset[2], slope[2];
      wy_actuator_offset(actuator, self->s_vertex[vertex], offset, slope);
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
  *inv = 1 / sqrt(wy_inner(along, along));
  return wy_times(*inv, along);
}

/* Section force and moment of all actuators, and of tendons their derivatives: d force = a dX + b dK, d moment = b^T dX
   + d dK. */
typedef struct pull {
  wy_v3 force, moment;
  wy_m3 a, b, d;
} pull;

static pull pull_at(const wy_staggered *self, int vertex, wy_v3 x, wy_v3 k) {
  const int n = self->stride;
  pull sum = {0};
  for (int i = 0; i < self->actuator_count; i++) {
    const double *at = self->offsets + (size_t)i * 4 * (size_t)n + vertex;
    const bool tendon = actuator_of(self, i)->kind == WY_TENDON;
    const double value = self->actuator_value[i];
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
  return wy_mtransposed(wy_rotation(wy_load4(self->unit, self->halo_stride, i)));
}

static wy_v3 tangent_of(const wy_staggered *self, const double *u, int i) {
  const int n = self->stride;
  wy_v3 dx = wy_minus(wy_load3(u + self->x, n, i + 1), wy_load3(u + self->x, n, i));
  return wy_apply(back_of(self, i), wy_times(self->inv_h[i], dx));
}

static int end_of(const wy_staggered *self, int vertex) {
  return vertex == 0 ? WY_START : vertex == self->n ? WY_END : -1;
}

static bool turns_freely(const wy_staggered *self, int vertex) {
  int end = end_of(self, vertex);
  return end >= 0 && !wy_support_holds_rotation(&self->supports, end);
}

static wy_v3 curvature_at(const wy_staggered *self, int vertex) {
  if (!turns_freely(self, vertex))
    return wy_staggered_curvature(self, vertex);
  const double *k = self->free_ends[end_of(self, vertex)].curvature;
  return (wy_v3){k[0], k[1], k[2]};
}

/* ---- The ends that turn freely ---- */

/* Rows: b x c, c x a, a x b over the determinant. */
static wy_m3 inverse(wy_m3 m) {
  wy_v3 first = wy_cross(m.b, m.c);
  double inv = 1 / wy_inner(first, m.a);
  return wy_mtransposed(
      (wy_m3){wy_times(inv, first), wy_times(inv, wy_cross(m.c, m.a)), wy_times(inv, wy_cross(m.a, m.b))});
}

static void to_rows(wy_m3 m, double out[9]) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++)
    out[c] = columns[c].x, out[3 + c] = columns[c].y, out[6 + c] = columns[c].z;
}

static wy_m3 from_rows(const double e[9]) {
  return (wy_m3){{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
}

/* The moment C (K - K0) at an end, or what the law makes of it, and the stiffness. */
static wy_v3 end_moment(const wy_staggered *self, int end, wy_v3 k, wy_m3 *stiffness) {
  const double *zero = self->end_natural[end], e[6] = {0, 0, 0, k.x - zero[0], k.y - zero[1], k.z - zero[2]};
  double stress[6];
  wy_law_stiffness by;
  wy_law_stress(&self->rod->law, self->end_stiffness[end], e, stress);
  wy_law_tangent(&self->rod->law, self->end_stiffness[end], e, &by);
  const wy_v3 columns[3] = {{by.moment[0][0], by.moment[1][0], by.moment[2][0]},
                            {by.moment[0][1], by.moment[1][1], by.moment[2][1]},
                            {by.moment[0][2], by.moment[1][2], by.moment[2][2]}};
  *stiffness = (wy_m3){columns[0], columns[1], columns[2]};
  return (wy_v3){stress[3], stress[4], stress[5]};
}

/* C (K - K0) + moment of actuators = moment of loads (A6), the derivative of something convex: Newton's method. */
static void find_free_end(wy_staggered *self, const double *u, int end) {
  enum { MOST = 50 }; /* far above the range of the linear law each takes off a third */
  const int segment = end ? self->n - 1 : 0, vertex = end ? self->n : 0;
  const double *zero = self->end_natural[end], side = end ? 1 : -1;
  const double near = 1e-9 / self->rod->length; /* the next one would change it by about the square of this */
  const wy_m3 back = back_of(self, segment);
  const wy_v3 x = tangent_of(self, u, segment);
  wy_m3 stiffness;
  wy_v3 turned, k = {zero[0], zero[1], zero[2]}, load = wy_times(side, wy_staggered_end_moment(self, end, &turned));
  double change = INFINITY;
  for (int i = 0; i < MOST && change > near; i++) {
    pull p = pull_at(self, vertex, x, k);
    wy_v3 missing = wy_minus(wy_minus(load, p.moment), end_moment(self, end, k, &stiffness));
    wy_v3 step = wy_apply(inverse(wy_mplus(stiffness, p.d)), missing);
    k = wy_plus(k, step);
    change = sqrt(wy_inner(step, step));
  }
  pull p = pull_at(self, vertex, x, k);
  end_moment(self, end, k, &stiffness);
  wy_m3 by_moment = inverse(wy_mplus(stiffness, p.d));
  wy_m3 by_strain = wy_mtimes(-1, wy_mproduct(by_moment, wy_mtransposed(p.b)));
  wy_m3 by_turn = wy_mplus(wy_times_skew(by_strain, x), wy_mtimes(side, wy_times_skew(by_moment, turned)));
  wy_free_end *out = &self->free_ends[end];
  out->curvature[0] = k.x, out->curvature[1] = k.y, out->curvature[2] = k.z;
  to_rows(by_turn, out->by_turn);
  to_rows(wy_mtimes(self->inv_h[segment], wy_mproduct(by_strain, back)), out->by_x);
}

/* ---- The whole rod ---- */

/* X of the segments and K of the vertices, for tendons. */
static void measure(const wy_staggered *self, const double *u) {
  for (int i = 0; i < self->n; i++)
    wy_store3(self->tendon_strain, self->stride, i, tangent_of(self, u, i));
  for (int i = 0; i <= self->n; i++)
    wy_store3(self->tendon_bend, self->stride, i, curvature_at(self, i));
}

/* One actuator in the half cells before (0) or after (1) the midpoints, added to their forces and moments. */
WY_INLINE void pull_loop(const wy_staggered *self, int a, int side, bool tendon) {
  const int n = self->stride;
  const double *restrict at = self->offsets + (size_t)a * 4 * (size_t)n + side;
  const double *restrict strain = self->tendon_strain, *restrict bend = tendon ? self->tendon_bend + side : NULL;
  double *restrict forces = self->half_force[side], *restrict moments = self->half_moment[side];
  const double value = self->actuator_value[a];
#pragma omp simd
  for (int i = 0; i < self->n; i++) {
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
  const int n = self->stride, hs = self->halo_stride;
  const double *restrict x = u + self->x, *restrict unit = self->unit;
  const double *restrict before = self->half_force[0], *restrict after = self->half_force[1];
  double *restrict own = self->actuator_force, *restrict force = self->section_force;
  double *restrict torque = self->segment_torque;
#pragma omp simd
  for (int i = 0; i < self->n; i++) {
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
    for (int a = 0; a < self->actuator_count; a++) {
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
  const int n = self->stride;
  for (int i = 0; i <= self->n; i++) {
    wy_v3 sum = {0, 0, 0};
    if (i > 0)
      sum = wy_times(0.5 * self->h[i - 1], wy_load3(self->half_moment[1], n, i - 1));
    if (i < self->n)
      sum = wy_plus(sum, wy_times(0.5 * self->h[i], wy_load3(self->half_moment[0], n, i)));
    if (turns_freely(self, i))
      sum = (wy_v3){0, 0, 0};
    wy_v3 scaled = wy_times(0.5 * self->twice_inv_l[i], sum);
    wy_store3(self->actuator_moment, n, i, sum);
    const double *zero = self->branches.count ? self->m_zero : self->m_rest; /* which branches have set anew */
    wy_store3(self->m_zero, n, i, wy_minus(wy_load3(zero, n, i), scaled));
  }
}

void wy_staggered_actuate(wy_staggered *self, double t, const double *u) {
  for (int a = 0; a < self->actuator_count; a++) {
    double value = wy_actuator_value(actuator_of(self, a), &self->base.actuator_overrides[a], t);
    self->actuator_value[a] = self->load_factor * value;
  }
  for (int end = 0; end < 2; end++) {
    if (!wy_support_holds_rotation(&self->supports, end))
      find_free_end(self, u, end);
    memset(self->half_force[end], 0, 3 * (size_t)self->stride * sizeof(double));
    memset(self->half_moment[end], 0, 3 * (size_t)self->stride * sizeof(double));
  }
  if (self->has_tendons)
    measure(self, u);
  add_forces(self, u);
  add_moments(self);
}

/* Tension times the rate at which the tendon gets shorter, and the same for chambers (A9). */
double wy_staggered_actuator_power(const wy_staggered *self, const double *u) {
  const int n = self->stride;
  double power = 0;
  if (self->actuator_count == 0)
    return 0;
  for (int i = 0; i < self->n; i++) {
    wy_v3 dv = wy_minus(wy_load3(u + self->v, n, i + 1), wy_load3(u + self->v, n, i));
    wy_v3 rate = wy_apply(back_of(self, i), wy_times(self->inv_h[i], dv));
    rate = wy_plus(rate, wy_cross(tangent_of(self, u, i), wy_load3(self->omega, self->halo_stride, i)));
    power -= self->h[i] * wy_inner(wy_load3(self->actuator_force, n, i), rate);
  }
  for (int i = 0; i <= self->n; i++)
    power -= wy_inner(wy_load3(self->actuator_moment, n, i), wy_staggered_curvature_rate(self, i));
  return power;
}

/* ---- Derivatives ---- */

void wy_staggered_actuator_blocks(wy_staggered *self, const double *u) {
  for (int i = 0; i < self->n; i++) {
    wy_m3 back = back_of(self, i), skew = wy_skew(tangent_of(self, u, i));
    wy_v3 force = wy_load3(self->actuator_force, self->stride, i);
    const double h = self->h[i];
    struct {
      int which;
      wy_m3 block;
    } all[] = {{WY_FORCE_T, wy_mtimes(-1, wy_mproduct(wy_mtransposed(back), wy_skew(force)))},
               {WY_TORQUE_X, wy_mtimes(-1, wy_skew_times(force, back))},
               {WY_TORQUE_T, wy_mtimes(-h, wy_skew_times(force, skew))}};
    for (int k = 0; k < 3; k++)
      wy_add_block(self->segment_blocks, WY_SEGMENT_BLOCKS, i, all[k].which, all[k].block);
  }
}

/* dK = minus theta- + plus theta+ (S17) */
static void curvature_derivatives(const wy_staggered *self, int vertex, wy_m3 *minus, wy_m3 *plus) {
  const int hs = self->halo_stride;
  wy_q4 between = wy_between(wy_load4(self->unit, hs, vertex - 1), wy_load4(self->unit, hs, vertex));
  wy_zeta z = wy_zeta_at(self->options.curvature_measure, between.w);
  wy_v3 im = wy_pure(between);
  double inv_l = 0.5 * self->twice_inv_l[vertex];
  wy_m3 along = wy_mminus(wy_diagonal(z.value * between.w), wy_mtimes(z.first, wy_outer(im, im)));
  wy_m3 across = wy_mtimes(z.value, wy_skew(im));
  *minus = wy_mtimes(inv_l, wy_mminus(across, along));
  *plus = wy_mtimes(inv_l, wy_mplus(across, along));
}

/* dX and dK of a half cell by Dx and by rotations. The ghost of a held end turns with its segment, by -Rt (S22). */
static void depend(const wy_staggered *self, int i, int vertex, wy_v3 x, wy_tendon_cell *cell, wy_m3 strain[3],
                   wy_m3 bend[3]) {
  const int end = end_of(self, vertex), first = end < 0 ? vertex - 1 : i;
  wy_m3 minus, plus;
  for (int k = 0; k < 3; k++)
    strain[k] = bend[k] = wy_diagonal(0);
  cell->count = end < 0 ? 4 : 3;
  for (int k = 0; k < cell->count; k++) {
    int kind = k < 2 ? 0 : k - 1;
    cell->places[k] = (struct wy_tendon_place){kind, k < 2 ? i + k : first + k - 2, k ? 1 : -1};
  }
  strain[0] = wy_mtimes(self->inv_h[i], back_of(self, i));
  strain[1 + i - first] = wy_skew(x);
  if (turns_freely(self, vertex)) {
    bend[0] = from_rows(self->free_ends[end].by_x), bend[1] = from_rows(self->free_ends[end].by_turn);
    return;
  }
  curvature_derivatives(self, vertex, &minus, &plus);
  if (end < 0) {
    bend[1] = minus, bend[2] = plus;
    return;
  }
  wy_m3 own = end ? minus : plus, ghost = end ? plus : minus;
  bend[1] = wy_mminus(own, wy_mproduct(ghost, from_rows(self->ghost_turn[end])));
}

void wy_staggered_tendon_cell(const wy_staggered *self, const double *u, int i, int side, wy_tendon_cell *cell) {
  const int vertex = i + side;
  const bool bends = !turns_freely(self, vertex); /* else its curvature takes no moment */
  wy_v3 x = tangent_of(self, u, i);
  pull p = pull_at(self, vertex, x, curvature_at(self, vertex));
  wy_m3 strain[3], bend[3], turned = wy_mtransposed(p.b);
  depend(self, i, vertex, x, cell, strain, bend);
  for (int column = 0; column < cell->count - 1; column++) {
    wy_m3 force = wy_mplus(wy_mproduct(p.a, strain[column]), wy_mproduct(p.b, bend[column]));
    wy_m3 moment = wy_mplus(wy_mproduct(turned, strain[column]), wy_mproduct(p.d, bend[column]));
    for (int row = 0; row < cell->count - 1; row++) {
      wy_m3 sum = wy_mproduct(wy_mtransposed(strain[row]), force);
      if (bends)
        sum = wy_mplus(sum, wy_mproduct(wy_mtransposed(bend[row]), moment));
      cell->stiffness[row][column] = wy_mtimes(0.5 * self->h[i], sum);
    }
  }
}

/* ---- In the order of the null-space form ---- */

enum { CELL = 6, HALF = WY_NULLSPACE_HALF_TENDONS, WIDTH = 2 * HALF + 1 };

static void add_to_band(double *band, int row, int column, double factor, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++) {
    double *at = band + (size_t)row * WIDTH + (column + c - row + HALF);
    at[0] += factor * columns[c].x, at[WIDTH - 1] += factor * columns[c].y;
    at[2 * (WIDTH - 1)] += factor * columns[c].z;
  }
}

void wy_staggered_tendon_band(wy_staggered *self, const double *u) {
  double *band = self->tendon_band;
  memset(band, 0, (size_t)(CELL * self->n + 3) * WIDTH * sizeof *band);
  for (int half = 0; half < 2 * self->n; half++) {
    wy_tendon_cell cell;
    wy_staggered_tendon_cell(self, u, half / 2, half % 2, &cell);
    for (int k = 0; k < cell.count * cell.count; k++) {
      struct wy_tendon_place on = cell.places[k / cell.count], by = cell.places[k % cell.count];
      add_to_band(band, CELL * on.index + (on.kind ? 3 : 0), CELL * by.index + (by.kind ? 3 : 0), on.sign * by.sign,
                  cell.stiffness[on.kind][by.kind]);
    }
  }
  for (int end = 0; end < 2; end++) {
    int vertex = end ? self->n : 0, first = end ? self->n - 1 : 0;
    for (int k = 0; k < 2; k++)
      add_to_band(band, CELL * vertex, CELL * (first + k), k ? -1 : 1, from_rows(self->end_force_x[end]));
    for (int k = 0; k < 3; k++)
      if (self->jac_held[end][k])
        memset(band + (size_t)(CELL * vertex + k) * WIDTH, 0, WIDTH * sizeof *band);
  }
}

void wy_staggered_tendon_pull(const wy_staggered *self, const double *x, double *y) {
  const int order = CELL * self->n + 3;
  for (int row = 0; row < order; row++) {
    int first = row > HALF ? row - HALF : 0, last = row + HALF < order ? row + HALF : order - 1;
    const double *at = self->tendon_band + (size_t)row * WIDTH + HALF - row;
    for (int column = first; column <= last; column++)
      y[row] -= at[column] * x[column];
  }
}
