/* SPDX-License-Identifier: MIT */
/* The matrix of the null-space form for one shift: positions and quaternions are eliminated in closed form (S40)-(S43),
   which leaves 6 unknowns a segment, ordered v_0, Om_0, v_1, Om_1, ..., v_N, with half bandwidth 8, with tendons 11.
   Its rows carry their mass or inertia, and are made while they are factored. */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/nullspace.h"

enum { CELL = WY_NULLSPACE_CELL, HALF = WY_NULLSPACE_HALF, WIDTH = 2 * HALF + 1 };

/* Blocks after elimination of x and p: per segment force and torque by velocity difference and angular velocity, per
   vertex the torque on the segment before and after by the angular velocity of both. */
enum { WY_FORCE_VELOCITY, WY_FORCE_SPIN, WY_TORQUE_VELOCITY, WY_TORQUE_SPIN, WY_SEGMENT_REDUCED };
enum { WY_MINUS_MINUS, WY_MINUS_PLUS, WY_PLUS_MINUS, WY_PLUS_PLUS, WY_VERTEX_REDUCED };

/* beta = sigma / (sigma^2 + |Om|^2 / 4), gamma = 1/2 / (...): theta = beta dOm - gamma Om x dOm solves the quaternion's
 * row. */
WY_INLINE void shift_loop(const wy_staggered *self, double re, double im, bool is_complex) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict omega = self->linear.omega;
  double *restrict beta = self->linear.nullspace.beta, *restrict gamma = self->linear.nullspace.gamma;
  double *restrict beta_im = self->linear.nullspace.beta_im, *restrict gamma_im = self->linear.nullspace.gamma_im;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_v3 om = wy_load3(omega, hs, i);
    double den = re * re - im * im + 0.25 * wy_inner(om, om);
    if (is_complex) {
      double den_im = 2 * re * im, inv = 1 / (den * den + den_im * den_im);
      beta[i] = (re * den + im * den_im) * inv;
      beta_im[i] = (im * den - re * den_im) * inv;
      gamma[i] = 0.5 * den * inv;
      gamma_im[i] = -0.5 * den_im * inv;
    } else {
      double inv = 1 / den;
      beta[i] = re * inv;
      gamma[i] = 0.5 * inv;
    }
  }
}

/* rate + by_theta (beta - gamma skew(Om)): what remains of a pair of blocks for one shift. */
typedef struct shifted {
  wy_m3 re, im;
} shifted;

WY_INLINE shifted reduce(const double *group, int lane, int theta, int rate, wy_v3 om, double beta, double gamma,
                         double beta_im, double gamma_im, bool has_rate, bool is_complex) {
  wy_m3 t = wy_load_block(group, lane, theta), turned = wy_times_skew(t, om);
  shifted out;
  out.re = wy_mminus(wy_mtimes(beta, t), wy_mtimes(gamma, turned));
  if (has_rate)
    out.re = wy_mplus(out.re, wy_load_block(group, lane, rate));
  out.im = is_complex ? wy_mminus(wy_mtimes(beta_im, t), wy_mtimes(gamma_im, turned)) : wy_diagonal(0);
  return out;
}

/* The reduced blocks of one group of segments and of the vertices before them, real and imaginary part. */
typedef struct reduced_group {
  double segments[WY_SEGMENT_REDUCED * 9 * WY_LANES], vertices[WY_VERTEX_REDUCED * 9 * WY_LANES];
} reduced_group;

WY_INLINE void reduce_group(const wy_staggered *self, int first, double re, double im, bool damped, bool is_complex,
                            reduced_group *restrict out, reduced_group *restrict out_im) {
  const int hs = self->grid.halo_stride;
  const double *restrict segments = wy_group(self->linear.segments, WY_SEGMENT_BLOCKS, first);
  const double *restrict vertices = wy_group(self->linear.vertices, WY_VERTEX_BLOCKS, first);
  const double *restrict omega = self->linear.omega, *restrict beta = self->linear.nullspace.beta,
                         *restrict gamma = self->linear.nullspace.gamma;
  const double *restrict beta_im = self->linear.nullspace.beta_im, *restrict gamma_im = self->linear.nullspace.gamma_im;
  const double inv = 1 / (re * re + im * im), inv_re = re * inv, inv_im = -im * inv;
#pragma omp simd
  for (int lane = 0; lane < WY_LANES; lane++) {
    int i = first + lane;
    wy_v3 om = wy_load3(omega, hs, i);
    double b = beta[i], g = gamma[i], bi = is_complex ? beta_im[i] : 0, gi = is_complex ? gamma_im[i] : 0;
    wy_m3 force_x = wy_load_block(segments, lane, WY_FORCE_X), torque_x = wy_load_block(segments, lane, WY_TORQUE_X);
    wy_m3 force = wy_mtimes(inv_re, force_x), torque = wy_mtimes(inv_re, torque_x);
    if (damped) {
      force = wy_mplus(force, wy_load_block(segments, lane, WY_FORCE_V));
      torque = wy_mplus(torque, wy_load_block(segments, lane, WY_TORQUE_V));
    }
    shifted force_spin = reduce(segments, lane, WY_FORCE_T, WY_FORCE_W, om, b, g, bi, gi, damped, is_complex);
    shifted torque_spin = reduce(segments, lane, WY_TORQUE_T, WY_TORQUE_W, om, b, g, bi, gi, true, is_complex);
    wy_store_block(out->segments, lane, WY_FORCE_VELOCITY, force);
    wy_store_block(out->segments, lane, WY_FORCE_SPIN, force_spin.re);
    wy_store_block(out->segments, lane, WY_TORQUE_VELOCITY, torque);
    wy_store_block(out->segments, lane, WY_TORQUE_SPIN, torque_spin.re);
    if (is_complex) {
      wy_store_block(out_im->segments, lane, WY_FORCE_VELOCITY, wy_mtimes(inv_im, force_x));
      wy_store_block(out_im->segments, lane, WY_FORCE_SPIN, force_spin.im);
      wy_store_block(out_im->segments, lane, WY_TORQUE_VELOCITY, wy_mtimes(inv_im, torque_x));
      wy_store_block(out_im->segments, lane, WY_TORQUE_SPIN, torque_spin.im);
    }
  }
#define VERTEX_BLOCK(which, theta, j)                                                                                  \
  do {                                                                                                                 \
    shifted s = reduce(vertices, lane, (theta), (theta) + WY_MINUS_W_MINUS, wy_load3(omega, hs, (j)), beta[j],         \
                       gamma[j], is_complex ? beta_im[j] : 0, is_complex ? gamma_im[j] : 0, damped, is_complex);       \
    wy_store_block(out->vertices, lane, which, s.re);                                                                  \
    if (is_complex)                                                                                                    \
      wy_store_block(out_im->vertices, lane, which, s.im);                                                             \
  } while (0)
#pragma omp simd
  for (int lane = 0; lane < WY_LANES; lane++) {
    int i = first + lane;
    VERTEX_BLOCK(WY_MINUS_MINUS, WY_MINUS_T_MINUS, i - 1);
    VERTEX_BLOCK(WY_MINUS_PLUS, WY_MINUS_T_PLUS, i);
    VERTEX_BLOCK(WY_PLUS_MINUS, WY_PLUS_T_MINUS, i - 1);
    VERTEX_BLOCK(WY_PLUS_PLUS, WY_PLUS_T_PLUS, i);
  }
#undef VERTEX_BLOCK
}

/* With branches the material part of the stiffness is there `factor` times more (V7). */
typedef struct material_factor {
  double re, im;
} material_factor;

WY_INLINE void add_shifted(double *group, double *group_im, int lane, int which, shifted s) {
  wy_store_block(group, lane, which, wy_mplus(wy_load_block(group, lane, which), s.re));
  if (group_im)
    wy_store_block(group_im, lane, which, wy_mplus(wy_load_block(group_im, lane, which), s.im));
}

/* factor (beta - gamma skew(Om)) on a material block of segment j. */
WY_INLINE shifted eliminate_material(const wy_staggered *self, const double *group, int lane, int which, int j,
                                     material_factor f, bool is_complex) {
  double b = self->linear.nullspace.beta[j], g = self->linear.nullspace.gamma[j],
         bi = is_complex ? self->linear.nullspace.beta_im[j] : 0;
  double gi = is_complex ? self->linear.nullspace.gamma_im[j] : 0;
  return reduce(group, lane, which, 0, wy_load3(self->linear.omega, self->grid.halo_stride, j), f.re * b - f.im * bi,
                f.re * g - f.im * gi, f.re * bi + f.im * b, f.re * gi + f.im * g, false, is_complex);
}

WY_INLINE void add_material(const wy_staggered *self, int first, double re, double im, bool is_complex,
                            reduced_group *restrict out, reduced_group *restrict out_im) {
  const double *segments = wy_group(self->branches.segment_material, WY_SEGMENT_MATERIAL, first);
  const double *vertices = wy_group(self->branches.vertex_material, WY_VERTEX_MATERIAL, first);
  double *to = out->segments, *to_im = is_complex ? out_im->segments : NULL;
  double *at = out->vertices, *at_im = is_complex ? out_im->vertices : NULL;
  material_factor f, over; /* the second: over sigma */
  wy_staggered_branch_factor(&self->branches, re, im, &f.re, &f.im);
  const double inv = 1 / (re * re + im * im);
  over.re = inv * (f.re * re + f.im * im), over.im = inv * (f.im * re - f.re * im);
  for (int lane = 0; lane < WY_LANES; lane++) {
    int i = first + lane;
    wy_m3 force = wy_load_block(segments, lane, WY_MATERIAL_FORCE_X);
    wy_m3 torque = wy_load_block(segments, lane, WY_MATERIAL_TORQUE_X);
    add_shifted(to, to_im, lane, WY_FORCE_VELOCITY, (shifted){wy_mtimes(over.re, force), wy_mtimes(over.im, force)});
    add_shifted(to, to_im, lane, WY_TORQUE_VELOCITY, (shifted){wy_mtimes(over.re, torque), wy_mtimes(over.im, torque)});
    add_shifted(to, to_im, lane, WY_FORCE_SPIN,
                eliminate_material(self, segments, lane, WY_MATERIAL_FORCE_T, i, f, is_complex));
    add_shifted(to, to_im, lane, WY_TORQUE_SPIN,
                eliminate_material(self, segments, lane, WY_MATERIAL_TORQUE_T, i, f, is_complex));
    for (int which = 0; which < WY_VERTEX_MATERIAL; which++) /* in the order of WY_MINUS_MINUS ... */
      add_shifted(at, at_im, lane, which,
                  eliminate_material(self, vertices, lane, which, which % 2 ? i : i - 1, f, is_complex));
  }
}

/* What the rows of the next vertex and of the segment before it still need, one part (real or imaginary). Blocks column
 * by column. */
typedef struct row_carry {
  double force[9], spin[9];      /* of the segment before the vertex */
  double by_velocity[9], own[9]; /* its torque; own: by its own angular velocity, sum so far */
  double before[9];              /* its torque by the angular velocity of the one before */
} row_carry;

WY_INLINE void take_block(const double *group, int lane, int which, double out[9]) {
  for (int k = 0; k < 9; k++)
    out[k] = group[(which * 9 + k) * WY_LANES + lane];
}

/* Three rows of the band: five blocks side by side, beginning 6 columns before the diagonal block, and the two zeros
 * that are left. */
WY_INLINE void write_three(double *rows, const double *b0, double f0, const double *b1, double f1, const double *b2,
                           double f2, const double *b3, double f3, const double *b4, double f4) {
  for (int r = 0; r < 3; r++) {
    double *row = rows + r * WIDTH + 2 - r;
    rows[r * WIDTH + (r == 2 ? WIDTH - 1 : 0)] = 0;
    rows[r * WIDTH + (r == 0 ? 1 : r == 1 ? WIDTH - 1 : WIDTH - 2)] = 0;
    for (int c = 0; c < 3; c++) {
      row[c] = f0 * b0[3 * c + r];
      row[3 + c] = f1 * b1[3 * c + r];
      row[6 + c] = f2 * b2[3 * c + r];
      row[9 + c] = f3 * b3[3 * c + r];
      row[12 + c] = f4 * b4[3 * c + r];
    }
  }
}

/* Rows of segment i - 1 and of vertex i, for one part of sigma - J: `diagonal` (a part of sigma) times mass, minus the
   reduced blocks. Returns the place after them. */
WY_INLINE double *write_rows(const wy_staggered *self, const reduced_group *group, int lane, int i, double diagonal,
                             double drag, row_carry *carry, double *at) {
  const int n = self->grid.stride;
  double force[9], spin[9], minus_minus[9], minus_plus[9], middle[9];
  take_block(group->segments, lane, WY_FORCE_VELOCITY, force);
  take_block(group->segments, lane, WY_FORCE_SPIN, spin);
  if (i > 0) {
    take_block(group->vertices, lane, WY_MINUS_MINUS, minus_minus);
    take_block(group->vertices, lane, WY_MINUS_PLUS, minus_plus);
    for (int k = 0; k < 9; k++)
      middle[k] = carry->own[k] + minus_minus[k];
    write_three(at, carry->before, -1, carry->by_velocity, 1, middle, -1, carry->by_velocity, -1, minus_plus, -1);
    for (int r = 0; r < 3; r++)
      at[r * WIDTH + HALF] += diagonal * self->grid.inertia[r * n + i - 1];
    at += 3 * WIDTH;
  }
  double mass = self->grid.mass[i] * (diagonal + drag);
  for (int k = 0; k < 9; k++)
    middle[k] = carry->force[k] + force[k];
  write_three(at, carry->force, -1, carry->spin, 1, middle, 1, spin, -1, force, -1);
  for (int r = 0; r < 3; r++)
    at[r * WIDTH + HALF] += mass;
  double torque[9], plus_plus[9];
  take_block(group->segments, lane, WY_TORQUE_SPIN, torque);
  take_block(group->vertices, lane, WY_PLUS_PLUS, plus_plus);
  take_block(group->vertices, lane, WY_PLUS_MINUS, carry->before);
  take_block(group->segments, lane, WY_TORQUE_VELOCITY, carry->by_velocity);
  for (int k = 0; k < 9; k++) {
    carry->force[k] = force[k], carry->spin[k] = spin[k];
    carry->own[k] = torque[k] + plus_plus[k];
  }
  return at + 3 * WIDTH;
}

/* Held components of an end, whose row is sigma dv = r. */
static void write_held(const wy_staggered *self, int vertex, double diagonal, double *rows) {
  for (int end = 0; end < 2; end++)
    for (int r = 0; r < 3; r++)
      if (vertex == wy_end_vertex(&self->grid, end) && self->linear.held[end][r]) {
        double *row = rows + r * WIDTH;
        memset(row, 0, WIDTH * sizeof *row);
        row[HALF] = diagonal * (wy_is_port(self, end) ? self->ports.ends[end].mass : self->grid.mass[vertex]);
      }
}

/* Where the making of rows stands: one group of segments a call. */
typedef struct row_maker {
  const wy_staggered *self;
  double re, im;
  int first, row;
  reduced_group group, group_im;
  row_carry carry, carry_im;
} row_maker;

WY_CLONES
static int feed_real(void *context, double *rows) {
  row_maker *maker = context;
  const wy_staggered *self = maker->self;
  double *at = rows;
  if (self->grid.damped)
    reduce_group(self, maker->first, maker->re, 0, true, false, &maker->group, NULL);
  else
    reduce_group(self, maker->first, maker->re, 0, false, false, &maker->group, NULL);
  if (self->branches.count)
    add_material(self, maker->first, maker->re, 0, false, &maker->group, NULL);
  for (int lane = 0; lane < WY_LANES && maker->first + lane <= self->grid.n; lane++) {
    int i = maker->first + lane;
    at = write_rows(self, &maker->group, lane, i, maker->re, self->grid.drag_translation, &maker->carry, at);
    if (i == 0 || i == self->grid.n)
      write_held(self, i, maker->re, at - 3 * WIDTH);
  }
  maker->first += WY_LANES;
  return (int)((at - rows) / WIDTH);
}

WY_CLONES
static int feed_complex(void *context, double *rows, double *rows_im) {
  row_maker *maker = context;
  const wy_staggered *self = maker->self;
  double *at = rows, *at_im = rows_im;
  if (self->grid.damped)
    reduce_group(self, maker->first, maker->re, maker->im, true, true, &maker->group, &maker->group_im);
  else
    reduce_group(self, maker->first, maker->re, maker->im, false, true, &maker->group, &maker->group_im);
  if (self->branches.count)
    add_material(self, maker->first, maker->re, maker->im, true, &maker->group, &maker->group_im);
  for (int lane = 0; lane < WY_LANES && maker->first + lane <= self->grid.n; lane++) {
    int i = maker->first + lane;
    at = write_rows(self, &maker->group, lane, i, maker->re, self->grid.drag_translation, &maker->carry, at);
    at_im = write_rows(self, &maker->group_im, lane, i, maker->im, 0, &maker->carry_im, at_im);
    if (i == 0 || i == self->grid.n) {
      write_held(self, i, maker->re, at - 3 * WIDTH);
      write_held(self, i, maker->im, at_im - 3 * WIDTH);
    }
  }
  maker->first += WY_LANES;
  return (int)((at - rows) / WIDTH);
}

/* ---- What comes from outside (door.h) ---- */

/* Rows from the regular width to that of the matrix. */
static void widen(const wy_staggered *self, int count, const double *narrow, double *rows) {
  assert(count <= WY_BAND_FEED && self->linear.half >= HALF);
  const int half = self->linear.half, width = 2 * half + 1;
  memset(rows, 0, (size_t)count * (size_t)width * sizeof *rows);
  for (int r = 0; r < count; r++)
    memcpy(rows + (size_t)r * (size_t)width + half - HALF, narrow + (size_t)r * WIDTH, WIDTH * sizeof *rows);
}

/* Adds the blocks from outside after elimination (S42), `inv` being one over the shift or a part of it. */
static void add_outside(const row_maker *maker, int count, const double *beta, const double *gamma, double inv,
                        double *rows) {
  const wy_staggered *self = maker->self;
  const wy_nullspace *form = &self->linear.nullspace;
  const int half = self->linear.half, width = 2 * half + 1, order = wy_staggered_order(self);
  for (int r = 0; r < count; r++) {
    const int row = maker->row + r;
    if (!form->touched[row / CELL])
      continue;
    const double *outside = form->outside + (size_t)row * (size_t)width;
    double *out = rows + (size_t)r * (size_t)width;
    int first = (row > half ? row - half + 2 : 0) / 3 * 3;
    for (int column = first; column + 2 <= row + half && column < order; column += 3) {
      wy_v3 block = wy_at3(outside + column - row + half);
      const int segment = column / CELL;
      if (column % CELL) {
        wy_v3 om = wy_load3(self->linear.omega, self->grid.halo_stride, segment);
        block = wy_minus(wy_times(beta[segment], block), wy_times(gamma[segment], wy_cross(block, om)));
      } else {
        block = wy_times(inv, block);
      }
      double *at = out + column - row + half;
      wy_put3(at, wy_plus(wy_at3(at), block));
    }
  }
}

/* Adds minus the derivatives by velocities, which are unknowns themselves. */
static void add_outside_rates(const row_maker *maker, int count, double *rows) {
  const wy_nullspace *form = &maker->self->linear.nullspace;
  const size_t width = 2 * (size_t)maker->self->linear.half + 1;
  for (int r = 0; form->outside_rate && r < count; r++) {
    if (!form->touched[(maker->row + r) / CELL])
      continue;
    const double *rate = form->outside_rate + (size_t)(maker->row + r) * width;
    for (size_t k = 0; k < width; k++)
      rows[(size_t)r * width + k] += rate[k];
  }
}

/* Adds `shift`, a part of the shift, times the mass beside that of the rod. */
static void add_outside_mass(const row_maker *maker, int count, double shift, double *rows) {
  const wy_nullspace *form = &maker->self->linear.nullspace;
  const int half = maker->self->linear.half, width = 2 * half + 1;
  for (int r = 0; form->added && r < count; r++) {
    const int row = maker->row + r, k = row % CELL;
    if (k >= 3 || !form->touched[row / CELL])
      continue;
    const double *added = form->added + 9 * (size_t)(row / CELL) + 3 * (size_t)k;
    double *at = rows + (size_t)r * (size_t)width + half - k;
    wy_put3(at, wy_plus(wy_at3(at), wy_times(shift, wy_at3(added))));
  }
}

static int feed_outside(void *context, double *rows) {
  row_maker *maker = context;
  const wy_nullspace *form = &maker->self->linear.nullspace;
  double narrow[WY_BAND_FEED * WIDTH];
  int count = feed_real(maker, narrow);
  widen(maker->self, count, narrow, rows);
  add_outside(maker, count, form->beta, form->gamma, 1 / maker->re, rows);
  add_outside_rates(maker, count, rows);
  add_outside_mass(maker, count, maker->re, rows);
  maker->row += count;
  return count;
}

static int feed_outside_complex(void *context, double *rows, double *rows_im) {
  row_maker *maker = context;
  const wy_nullspace *form = &maker->self->linear.nullspace;
  double narrow[WY_BAND_FEED * WIDTH], narrow_im[WY_BAND_FEED * WIDTH];
  const double inv = 1 / (maker->re * maker->re + maker->im * maker->im);
  int count = feed_complex(maker, narrow, narrow_im);
  widen(maker->self, count, narrow, rows);
  widen(maker->self, count, narrow_im, rows_im);
  add_outside(maker, count, form->beta, form->gamma, maker->re * inv, rows);
  add_outside_rates(maker, count, rows);
  add_outside_mass(maker, count, maker->re, rows);
  add_outside_mass(maker, count, maker->im, rows_im);
  add_outside(maker, count, form->beta_im, form->gamma_im, -maker->im * inv, rows_im);
  maker->row += count;
  return count;
}

/* ---- One shift ---- */

WY_CLONES
static void shift_real(const wy_staggered *self, double sigma) {
  shift_loop(self, sigma, 0, false);
}

WY_CLONES
static void shift_complex(const wy_staggered *self, double re, double im) {
  shift_loop(self, re, im, true);
}

/* The groups are written before they are read. */
static void start_rows(row_maker *maker, const wy_staggered *self, const wy_slot *slot) {
  maker->self = self;
  maker->re = slot->re, maker->im = slot->im;
  maker->first = maker->row = 0;
  memset(&maker->carry, 0, sizeof maker->carry);
  memset(&maker->carry_im, 0, sizeof maker->carry_im);
}

/* The unit of velocities, and that of angular velocities: what moves a segment's ends as fast (S49). */
typedef struct cell_units {
  double of[CELL];
} cell_units;

static cell_units units_of(const wy_staggered *self) {
  const double spin = self->grid.n / (self->grid.to - self->grid.from);
  return (cell_units){{1, 1, 1, spin, spin, spin}};
}

/* Rows are exchanged where the elimination without exchanges has failed (S48), and in the wider band of tendons. */
static bool is_wide(const wy_staggered *self) {
  return self->linear.half != WY_BAND_PLAIN;
}

static int factor_real(wy_staggered *self, wy_slot *slot) {
  wy_band_feed *feed = self->linear.nullspace.outside ? feed_outside : feed_real;
  const cell_units units = units_of(self);
  row_maker maker;
  shift_real(self, slot->re);
  start_rows(&maker, self, slot);
  if (is_wide(self))
    return wy_band_factor_fed(&slot->band, feed, &maker) ? WY_RETRY : WY_OK;
  if (!self->linear.exchanges && !wy_band_factor_plain(&slot->band, feed, &maker))
    return WY_OK;
  start_rows(&maker, self, slot);
  return wy_band_factor_scaled(&slot->band, feed, &maker, (wy_band_units){CELL, units.of}) ? WY_RETRY : WY_OK;
}

static int factor_complex(wy_staggered *self, wy_slot *slot) {
  wy_band_complex_feed *feed = self->linear.nullspace.outside ? feed_outside_complex : feed_complex;
  const cell_units units = units_of(self);
  wy_band_complex *band = &slot->band_complex;
  row_maker maker;
  shift_complex(self, slot->re, slot->im);
  start_rows(&maker, self, slot);
  if (is_wide(self))
    return wy_band_complex_factor_fed(band, feed, &maker) ? WY_RETRY : WY_OK;
  if (!self->linear.exchanges && !wy_band_complex_factor_plain(band, feed, &maker))
    return WY_OK;
  start_rows(&maker, self, slot);
  return wy_band_complex_factor_scaled(band, feed, &maker, (wy_band_units){CELL, units.of}) ? WY_RETRY : WY_OK;
}

int wy_nullspace_factor(wy_staggered *self, wy_slot *slot) {
  assert(slot->re != 0 || slot->im != 0);
  return slot->is_complex ? factor_complex(self, slot) : factor_real(self, slot);
}
