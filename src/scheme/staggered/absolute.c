/* SPDX-License-Identifier: MIT */
/* The absolute form: unknowns (v, p') with positions (x, p) eliminated, 7 unknowns a segment in the order v_0, p'_0,
   v_1, ..., v_N, half bandwidth 10, with tendons 13. With J = [0 1; A0 A1] the reduced matrix is sigma - A1 - A0 /
   sigma (S45): both bands are made once per Jacobian from the blocks of the null-space form by the chain rule theta = 2
   Im(p^-1 dp), dOm = 2 Im(p^-1 dp' - p^-1 dp p^-1 p'). Shifts and solves: absolute_solve.c. */
#include "scheme/staggered/absolute.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/blocks.h"

enum { CELL = WY_ABSOLUTE_CELL };

/* Adds a dense block (row by row) to a band. */
static void add_dense(const wy_staggered *self, double *band, int row, int column, int rows, int columns,
                      const double *m) {
  assert(column - row - rows + 1 >= -self->linear.half && column + columns - 1 - row <= self->linear.half);
  const int half = self->linear.half;
  const size_t width = (size_t)wy_absolute_width(self);
  for (int r = 0; r < rows; r++) {
    double *at = band + (size_t)(row + r) * width + (column - row - r + half);
    for (int c = 0; c < columns; c++)
      at[c] += m[r * columns + c];
  }
}

static void dense_product(const double *a, const double *b, int rows, int inner, int columns, double factor,
                          double *out) {
  assert(a && b && out);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      double sum = 0;
      for (int k = 0; k < inner; k++)
        sum += a[r * inner + k] * b[k * columns + c];
      out[r * columns + c] = factor * sum;
    }
}

/* A block as a plain array, row by row. */
static void block(double *blocks, int count, int which, int i, double out[9]) {
  wy_to_rows(wy_block_of(blocks, count, i, which), out);
}

/* The chain rule at one segment. */
static wy_spin_map map_at(const wy_staggered *self, const double *u, int i) {
  const int n = self->grid.stride;
  wy_spin_map out;
  double p[4], rate[4], inverse[4], eta[4], norm2 = 0;
  for (int k = 0; k < 4; k++) {
    p[k] = u[self->grid.p + k * n + i], rate[k] = u[self->grid.w + k * n + i];
    norm2 += p[k] * p[k];
  }
  wy_qconj(p, inverse);
  for (int k = 0; k < 4; k++)
    inverse[k] /= norm2;
  wy_qmul(inverse, rate, eta);
  for (int c = 0; c < 4; c++) {
    double unit[4] = {c == 0, c == 1, c == 2, c == 3}, left[4], both[4];
    wy_qmul(inverse, unit, left);
    wy_qmul(left, eta, both);
    for (int r = 0; r < 3; r++)
      out.theta[4 * r + c] = 2 * left[r + 1], out.spin[4 * r + c] = -2 * both[r + 1];
  }
  for (int c = 0; c < 3; c++) {
    double unit[4] = {0, c == 0, c == 1, c == 2}, turned[4];
    wy_qmul(p, unit, turned);
    for (int r = 0; r < 4; r++)
      out.lift[3 * r + c] = 0.5 * turned[r] * self->grid.inv_inertia[c * n + i];
  }
  return out;
}

/* The force (3 rows) or torque (lifted to 4 rows) that a rotation block and its rate block cause, by dp and dp' of a
   segment, into a band of stiffness and that of damping. */
static void add_rotation(const wy_staggered *self, double *band, int row, int segment, double factor,
                         const double *lift, const double by_theta[9], const double by_rate[9],
                         const wy_spin_map *source) {
  int rows = lift ? 4 : 3, column = CELL * segment + 3;
  double a[12], b[12], lifted[16];
  dense_product(by_theta, source->theta, 3, 3, 4, factor, a);
  if (by_rate) {
    dense_product(by_rate, source->spin, 3, 3, 4, factor, b);
    for (int k = 0; k < 12; k++)
      a[k] += b[k];
    dense_product(by_rate, source->theta, 3, 3, 4, factor, b);
  }
  if (lift) {
    dense_product(lift, a, 4, 3, 4, 1, lifted);
    add_dense(self, band, row, column, rows, 4, lifted);
    if (by_rate) {
      dense_product(lift, b, 4, 3, 4, 1, lifted);
      add_dense(self, self->linear.absolute.damping, row, column, rows, 4, lifted);
    }
  } else {
    add_dense(self, band, row, column, rows, 4, a);
    if (by_rate)
      add_dense(self, self->linear.absolute.damping, row, column, rows, 4, b);
  }
}

/* The part of p'' that is local: half p' Omega', and the radial term c p with c = -(|p'|^2 + 2 r <p,p'> + om^2 (|p|^2 -
 * 1)/2) / |p|^2. */
static void add_local(wy_staggered *self, const double *u, int i) {
  const int n = self->grid.stride, row = CELL * i + 3;
  bool baumgarte = self->grid.options.stabilisation == WY_BAUMGARTE;
  double omega2 = baumgarte ? self->grid.options.baumgarte_omega * self->grid.options.baumgarte_omega : 0;
  double twice_r = baumgarte ? 2 * self->grid.options.baumgarte_r : 0;
  double p[4], rate[4], dom[4] = {0}, norm2 = 0, rate2 = 0, slip = 0;
  for (int k = 0; k < 4; k++) {
    p[k] = u[self->grid.p + k * n + i], rate[k] = u[self->grid.w + k * n + i];
    norm2 += p[k] * p[k], rate2 += rate[k] * rate[k], slip += p[k] * rate[k];
  }
  for (int k = 0; k < 3; k++)
    dom[k + 1] = self->eval.acceleration[k * n + i];
  double radial = -(rate2 + twice_r * slip + 0.5 * omega2 * (norm2 - 1)) / norm2;
  double by_p[16], by_rate[16];
  for (int c = 0; c < 4; c++) {
    double unit[4] = {c == 0, c == 1, c == 2, c == 3}, turned[4];
    wy_qmul(unit, dom, turned);
    double radial_p = -(twice_r * rate[c] + omega2 * p[c] + 2 * radial * p[c]) / norm2;
    double radial_rate = -(2 * rate[c] + twice_r * p[c]) / norm2;
    for (int r = 0; r < 4; r++) {
      by_p[4 * r + c] = 0.5 * turned[r] + (r == c ? radial : 0) + p[r] * radial_p;
      by_rate[4 * r + c] = p[r] * radial_rate;
    }
  }
  add_dense(self, self->linear.absolute.stiffness, row, row, 4, 4, by_p);
  add_dense(self, self->linear.absolute.damping, row, row, 4, 4, by_rate);
}

static void add_segment(wy_staggered *self, const double *u, int i) {
  const int torque_row = CELL * i + 3;
  double *blocks = self->linear.segments;
  const wy_spin_map *here = &self->linear.absolute.maps[i];
  double by_x[9], by_v[9], by_theta[9], by_rate[9], lifted[12];
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_X, i, by_x);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_V, i, by_v);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_T, i, by_theta);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_W, i, by_rate);
  for (int side = 0; side < 2; side++) { /* the section force acts with + on the vertex before, - on the one after */
    int vertex = i + side;
    double factor = (side ? -1 : 1) * self->grid.inv_mass[vertex], scaled[9];
    for (int k = 0; k < 2; k++) {
      double sign = k ? factor : -factor;
      for (int e = 0; e < 9; e++)
        scaled[e] = sign * by_x[e];
      add_dense(self, self->linear.absolute.stiffness, CELL * vertex, CELL * (i + k), 3, 3, scaled);
      for (int e = 0; e < 9; e++)
        scaled[e] = sign * by_v[e];
      add_dense(self, self->linear.absolute.damping, CELL * vertex, CELL * (i + k), 3, 3, scaled);
    }
    add_rotation(self, self->linear.absolute.stiffness, CELL * vertex, i, factor, NULL, by_theta, by_rate, here);
  }
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_X, i, by_x);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_V, i, by_v);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_T, i, by_theta);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_W, i, by_rate);
  for (int k = 0; k < 2; k++) {
    dense_product(here->lift, by_x, 4, 3, 3, k ? 1 : -1, lifted);
    add_dense(self, self->linear.absolute.stiffness, torque_row, CELL * (i + k), 4, 3, lifted);
    dense_product(here->lift, by_v, 4, 3, 3, k ? 1 : -1, lifted);
    add_dense(self, self->linear.absolute.damping, torque_row, CELL * (i + k), 4, 3, lifted);
  }
  add_rotation(self, self->linear.absolute.stiffness, torque_row, i, 1, here->lift, by_theta, by_rate, here);
  add_local(self, u, i);
}

static void add_vertex(wy_staggered *self, int vertex) {
  assert(vertex > 0 && vertex < self->grid.n);
  const wy_spin_map *sides = &self->linear.absolute.maps[vertex - 1]; /* before and after */
  double by_theta[9], by_rate[9];
  for (int on = 0; on < 2; on++)
    for (int by = 0; by < 2; by++) {
      block(self->linear.vertices, WY_VERTEX_BLOCKS, WY_MINUS_T_MINUS + 2 * on + by, vertex, by_theta);
      block(self->linear.vertices, WY_VERTEX_BLOCKS, WY_MINUS_W_MINUS + 2 * on + by, vertex, by_rate);
      add_rotation(self, self->linear.absolute.stiffness, CELL * (vertex - 1 + on) + 3, vertex - 1 + by, 1,
                   sides[on].lift, by_theta, by_rate, &sides[by]);
    }
}

/* The material part of the stiffness, which branches multiply by a factor of the shift (V7). */
static void add_material(wy_staggered *self, int i) {
  const wy_branches *branches = &self->branches;
  const wy_spin_map *here = &self->linear.absolute.maps[i], *sides[2] = {here - (i > 0), here};
  const int torque_row = CELL * i + 3;
  double by_x[9], by_theta[9], lifted[12], scaled[9];
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_FORCE_X, i, by_x);
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_FORCE_T, i, by_theta);
  for (int side = 0; side < 2; side++) {
    double factor = (side ? -1 : 1) * self->grid.inv_mass[i + side];
    for (int k = 0; k < 2; k++) {
      for (int e = 0; e < 9; e++)
        scaled[e] = (k ? factor : -factor) * by_x[e];
      add_dense(self, branches->band, CELL * (i + side), CELL * (i + k), 3, 3, scaled);
    }
    add_rotation(self, branches->band, CELL * (i + side), i, factor, NULL, by_theta, NULL, here);
  }
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_TORQUE_X, i, by_x);
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_TORQUE_T, i, by_theta);
  for (int k = 0; k < 2; k++) {
    dense_product(here->lift, by_x, 4, 3, 3, k ? 1 : -1, lifted);
    add_dense(self, branches->band, torque_row, CELL * (i + k), 4, 3, lifted);
  }
  add_rotation(self, branches->band, torque_row, i, 1, here->lift, by_theta, NULL, here);
  for (int which = 0; i > 0 && which < WY_VERTEX_MATERIAL; which++) {
    int on = which / 2, by = which % 2;
    block(branches->vertex_material, WY_VERTEX_MATERIAL, which, i, by_theta);
    add_rotation(self, branches->band, CELL * (i - 1 + on) + 3, i - 1 + by, 1, sides[on]->lift, by_theta, NULL,
                 sides[by]);
  }
}

/* Rows of held components have no forces. */
static void clear_held(const wy_staggered *self, double *band) {
  const size_t width = (size_t)wy_absolute_width(self);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->linear.held[end][k])
        memset(band + (size_t)(CELL * (end ? self->grid.n : 0) + k) * width, 0, width * sizeof(double));
}

/* ---- The verbs ---- */

static void layout(wy_staggered *self, wy_arena *arena) {
  const size_t entries = (size_t)wy_staggered_order(self) * (size_t)wy_absolute_width(self);
  self->linear.absolute.stiffness = wy_arena_doubles(arena, entries);
  self->linear.absolute.damping = wy_arena_doubles(arena, entries);
  self->linear.absolute.maps = wy_arena_take(arena, (size_t)self->grid.n * sizeof(wy_spin_map));
}

static void assemble(wy_staggered *self, const double *u, const double *f) {
  (void)f;
  const size_t width = (size_t)wy_absolute_width(self);
  const size_t bytes = (size_t)wy_staggered_order(self) * width * sizeof(double);
  wy_absolute *form = &self->linear.absolute;
  memset(form->stiffness, 0, bytes);
  memset(form->damping, 0, bytes);
  for (int i = 0; i < self->grid.n; i++)
    form->maps[i] = map_at(self, u, i);
  for (int i = 0; i < self->grid.n; i++)
    add_segment(self, u, i);
  for (int i = 1; i < self->grid.n; i++)
    add_vertex(self, i);
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      form->damping[(size_t)(CELL * i + k) * width + (size_t)self->linear.half] -= self->grid.drag_translation;
  if (!self->branches.count)
    return;
  memset(self->branches.band, 0, bytes);
  for (int i = 0; i < self->grid.n; i++)
    add_material(self, i);
}

/* A force acts by the inverse mass of its vertex, a torque by `lift`; a rotation is `theta` of the quaternion. */
static void add_from_outside(wy_staggered *self, wy_place on, wy_place by, double factor, wy_m3 m) {
  const double *lift = on.segment ? self->linear.absolute.maps[on.index].lift : NULL;
  const int row = CELL * on.index + (lift ? 3 : 0);
  double rows[9], block[12];
  wy_to_rows(m, rows);
  factor *= lift ? 1 : self->grid.inv_mass[on.index];
  if (by.segment) {
    add_rotation(self, self->linear.absolute.stiffness, row, by.index, factor, lift, rows, NULL,
                 &self->linear.absolute.maps[by.index]);
    return;
  }
  if (lift)
    dense_product(lift, rows, 4, 3, 3, factor, block);
  for (int k = 0; !lift && k < 9; k++)
    block[k] = factor * rows[k];
  add_dense(self, self->linear.absolute.stiffness, row, CELL * by.index, lift ? 4 : 3, 3, block);
}

/* An angular velocity follows from the quaternion, too. */
static void add_rate_from_outside(wy_staggered *self, wy_place on, wy_place by, wy_m3 m) {
  static const double none[9] = {0};
  const double *lift = on.segment ? self->linear.absolute.maps[on.index].lift : NULL;
  const double factor = lift ? 1 : self->grid.inv_mass[on.index];
  const int row = CELL * on.index + (lift ? 3 : 0);
  double rows[9], block[12];
  wy_to_rows(wy_mtimes(factor, m), rows);
  if (by.segment) {
    add_rotation(self, self->linear.absolute.stiffness, row, by.index, 1, lift, none, rows,
                 &self->linear.absolute.maps[by.index]);
    return;
  }
  if (lift)
    dense_product(lift, rows, 4, 3, 3, 1, block);
  add_dense(self, self->linear.absolute.damping, row, CELL * by.index, lift ? 4 : 3, 3, lift ? block : rows);
}

/* Rows of vertices carry the inverse of the rod's mass: with the fluid's it is a matrix. */
static void weigh_rows(const wy_staggered *self, double *band) {
  const size_t width = (size_t)wy_absolute_width(self);
  const int half = self->linear.half;
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_m3 inverse = wy_mtimes(self->grid.mass[i], wy_from_rows(self->fluid.inverse + 9 * (size_t)i));
    double *rows[3];
    for (int k = 0; k < 3; k++)
      rows[k] = band + (size_t)(CELL * i + k) * width + half - k; /* at the column of the first of the three */
    for (int c = 2 - half; c <= half; c++) {                      /* columns that all three rows have */
      const wy_v3 got = wy_apply(inverse, (wy_v3){rows[0][c], rows[1][c], rows[2][c]});
      rows[0][c] = got.x, rows[1][c] = got.y, rows[2][c] = got.z;
    }
  }
}

static void add_mass_from_outside(wy_staggered *self, int vertex, wy_m3 m) {
  (void)self, (void)vertex, (void)m; /* is in the inverse masses of weigh_rows */
}

static void hold(wy_staggered *self, bool moving) {
  (void)moving;
  double *bands[3] = {self->linear.absolute.stiffness, self->linear.absolute.damping, self->branches.band};
  for (int b = 0; self->fluid.adds && b < (self->branches.count ? 3 : 2); b++)
    weigh_rows(self, bands[b]);
  clear_held(self, self->linear.absolute.stiffness);
  clear_held(self, self->linear.absolute.damping);
  if (self->branches.count)
    clear_held(self, self->branches.band);
}

/* ---- States ---- */

static void set_spin(const wy_staggered *self, int segment, const double p[4], const double omega[3], double *u) {
  const double pure[4] = {0, omega[0], omega[1], omega[2]};
  double rate[4];
  wy_qmul(p, pure, rate);
  for (int k = 0; k < 4; k++)
    u[self->grid.w + k * self->grid.stride + segment] = 0.5 * rate[k];
}

/* The rotary energy T - T* that making a quaternion of length^2 norm2 a unit one adds to a segment (S28a). */
static double energy_added(const wy_staggered *self, const double *u, int i, double norm2) {
  const int n = self->grid.stride;
  double energy = 0, p[4], rate[4], half[4];
  for (int k = 0; k < 4; k++)
    p[k] = u[self->grid.p + k * n + i], rate[k] = u[self->grid.w + k * n + i];
  wy_qrelative(p, rate, half);
  for (int k = 0; k < 3; k++)
    energy += 2 * self->grid.inertia[k * n + i] * half[k + 1] * half[k + 1];
  return (1 - norm2) * energy;
}

/* Baumgarte's terms keep the length of quaternions by themselves; else rates lose what they have along them. */
static int project_frames(const wy_staggered *self, double *u, double *f, double drift[WY_DRIFTS]) {
  const int n = self->grid.stride;
  const bool keep = self->grid.options.stabilisation == WY_BAUMGARTE;
  double *p = u + self->grid.p, *w = u + self->grid.w;
  for (int i = 0; i < self->grid.n; i++) {
    double norm2 = 0, slip = 0;
    for (int k = 0; k < 4; k++)
      norm2 += p[k * n + i] * p[k * n + i], slip += p[k * n + i] * w[k * n + i];
    drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], fabs(sqrt(norm2) - 1));
    drift[WY_DRIFT_VELOCITY] = fmax(drift[WY_DRIFT_VELOCITY], fabs(slip));
    if (keep)
      continue;
    for (int k = 0; k < 4; k++)
      w[k * n + i] -= slip / norm2 * p[k * n + i];
    wy_nullspace_scale_frame(self, i, u, f);
    drift[WY_DRIFT_ENERGY] += energy_added(self, u, i, norm2);
  }
  return !keep;
}

const wy_form wy_absolute_form = {.spin = "quaternion_velocity",
                                  .spin_components = 4,
                                  .spin_unit = 2,
                                  .cell = CELL,
                                  .half = 10,
                                  .half_tendons = 13,
                                  .stored = true,
                                  .layout = layout,
                                  .set_spin = set_spin,
                                  .project_frames = project_frames,
                                  .segments = wy_absolute_segments,
                                  .accelerate = wy_absolute_accelerate,
                                  .section_blocks = wy_staggered_section_blocks,
                                  .assemble = assemble,
                                  .add = add_from_outside,
                                  .add_rate = add_rate_from_outside,
                                  .add_chain = wy_staggered_add_chain,
                                  .add_mass = add_mass_from_outside,
                                  .hold = hold,
                                  .factor = wy_absolute_factor,
                                  .solve = wy_absolute_solve,
                                  .multiply = wy_absolute_multiply};
