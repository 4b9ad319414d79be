/* The linear systems (sigma - J) z = r of the null-space form: positions and quaternions are eliminated in closed form
   (S40)-(S43), which leaves 6 unknowns a segment, ordered v_0, Om_0, v_1, Om_1, ..., v_N, with half bandwidth 8, with
   tendons 11. Rows carry their mass or inertia. */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

enum { CELL = 6, HALF = WY_NULLSPACE_HALF, WIDTH = 2 * HALF + 1 };
/* The same with tendons. */
enum { WIDE_HALF = WY_NULLSPACE_HALF_TENDONS, WIDE = 2 * WIDE_HALF + 1 };

/* beta = sigma / (sigma^2 + |Om|^2 / 4), gamma = 1/2 / (...): theta = beta dOm - gamma Om x dOm solves the quaternion's
 * row. */
WY_INLINE void shift_loop(const wy_staggered *self, double re, double im, bool is_complex) {
  const int n = self->stride, hs = self->halo_stride;
  const double *restrict omega = self->jac_omega;
  double *restrict beta = self->beta, *restrict gamma = self->gamma;
  double *restrict beta_im = self->beta_im, *restrict gamma_im = self->gamma_im;
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

WY_INLINE shifted eliminate(const double *group, int lane, int theta, int rate, wy_v3 om, double beta, double gamma,
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
  const int hs = self->halo_stride;
  const double *restrict segments = wy_group(self->segment_blocks, WY_SEGMENT_BLOCKS, first);
  const double *restrict vertices = wy_group(self->vertex_blocks, WY_VERTEX_BLOCKS, first);
  const double *restrict omega = self->jac_omega, *restrict beta = self->beta, *restrict gamma = self->gamma;
  const double *restrict beta_im = self->beta_im, *restrict gamma_im = self->gamma_im;
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
    shifted force_spin = eliminate(segments, lane, WY_FORCE_T, WY_FORCE_W, om, b, g, bi, gi, damped, is_complex);
    shifted torque_spin = eliminate(segments, lane, WY_TORQUE_T, WY_TORQUE_W, om, b, g, bi, gi, true, is_complex);
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
    shifted s = eliminate(vertices, lane, (theta), (theta) + WY_MINUS_W_MINUS, wy_load3(omega, hs, (j)), beta[j],      \
                          gamma[j], is_complex ? beta_im[j] : 0, is_complex ? gamma_im[j] : 0, damped, is_complex);    \
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
  double b = self->beta[j], g = self->gamma[j], bi = is_complex ? self->beta_im[j] : 0;
  double gi = is_complex ? self->gamma_im[j] : 0;
  return eliminate(group, lane, which, 0, wy_load3(self->jac_omega, self->halo_stride, j), f.re * b - f.im * bi,
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

WY_INLINE void take(const double *group, int lane, int which, double out[9]) {
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
  const int n = self->stride;
  double force[9], spin[9], minus_minus[9], minus_plus[9], middle[9];
  take(group->segments, lane, WY_FORCE_VELOCITY, force);
  take(group->segments, lane, WY_FORCE_SPIN, spin);
  if (i > 0) {
    take(group->vertices, lane, WY_MINUS_MINUS, minus_minus);
    take(group->vertices, lane, WY_MINUS_PLUS, minus_plus);
    for (int k = 0; k < 9; k++)
      middle[k] = carry->own[k] + minus_minus[k];
    write_three(at, carry->before, -1, carry->by_velocity, 1, middle, -1, carry->by_velocity, -1, minus_plus, -1);
    for (int r = 0; r < 3; r++)
      at[r * WIDTH + HALF] += diagonal * self->inertia[r * n + i - 1];
    at += 3 * WIDTH;
  }
  double mass = self->mass[i] * (diagonal + drag);
  for (int k = 0; k < 9; k++)
    middle[k] = carry->force[k] + force[k];
  write_three(at, carry->force, -1, carry->spin, 1, middle, 1, spin, -1, force, -1);
  for (int r = 0; r < 3; r++)
    at[r * WIDTH + HALF] += mass;
  double torque[9], plus_plus[9];
  take(group->segments, lane, WY_TORQUE_SPIN, torque);
  take(group->vertices, lane, WY_PLUS_PLUS, plus_plus);
  take(group->vertices, lane, WY_PLUS_MINUS, carry->before);
  take(group->segments, lane, WY_TORQUE_VELOCITY, carry->by_velocity);
  for (int k = 0; k < 9; k++) {
    carry->force[k] = force[k], carry->spin[k] = spin[k];
    carry->own[k] = torque[k] + plus_plus[k];
  }
  return at + 3 * WIDTH;
}

/* What does not fit the pattern of the three rows of a vertex: body-axes forces, and held components, whose row is
 * sigma dv = r. */
static void write_exceptions(const wy_staggered *self, int vertex, const double *beta, const double *gamma,
                             double diagonal, double *rows) {
  for (int k = self->extra_first[vertex]; k >= 0; k = self->extras[k].next) {
    const wy_extra_block *extra = &self->extras[k];
    const double *e = extra->m;
    wy_m3 m = {{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
    int i = extra->segment;
    m = wy_mminus(wy_mtimes(beta[i], m),
                  wy_mtimes(gamma[i], wy_times_skew(m, wy_load3(self->jac_omega, self->halo_stride, i))));
    double columns[9] = {m.a.x, m.a.y, m.a.z, m.b.x, m.b.y, m.b.z, m.c.x, m.c.y, m.c.z};
    int at = extra->segment == extra->vertex ? 11 : 5;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        rows[r * WIDTH + at - r + c] -= columns[3 * c + r];
  }
  for (int end = 0; end < 2; end++)
    for (int r = 0; r < 3; r++)
      if (vertex == (end ? self->n : 0) && self->jac_held[end][r]) {
        double *row = rows + r * WIDTH;
        memset(row, 0, WIDTH * sizeof *row);
        row[HALF] = diagonal * self->mass[vertex];
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

static bool is_exceptional(const wy_staggered *self, int vertex) {
  return vertex == 0 || vertex == self->n || (self->extra_count > 0 && self->extra_first[vertex] >= 0);
}

WY_CLONES
static int feed_real(void *context, double *rows) {
  row_maker *maker = context;
  const wy_staggered *self = maker->self;
  double *at = rows;
  if (self->damped)
    reduce_group(self, maker->first, maker->re, 0, true, false, &maker->group, NULL);
  else
    reduce_group(self, maker->first, maker->re, 0, false, false, &maker->group, NULL);
  if (self->branches.count)
    add_material(self, maker->first, maker->re, 0, false, &maker->group, NULL);
  for (int lane = 0; lane < WY_LANES && maker->first + lane <= self->n; lane++) {
    int i = maker->first + lane;
    at = write_rows(self, &maker->group, lane, i, maker->re, self->drag_translation, &maker->carry, at);
    if (is_exceptional(self, i))
      write_exceptions(self, i, self->beta, self->gamma, maker->re, at - 3 * WIDTH);
  }
  maker->first += WY_LANES;
  return (int)((at - rows) / WIDTH);
}

WY_CLONES
static int feed_complex(void *context, double *rows, double *rows_im) {
  row_maker *maker = context;
  const wy_staggered *self = maker->self;
  double *at = rows, *at_im = rows_im;
  if (self->damped)
    reduce_group(self, maker->first, maker->re, maker->im, true, true, &maker->group, &maker->group_im);
  else
    reduce_group(self, maker->first, maker->re, maker->im, false, true, &maker->group, &maker->group_im);
  if (self->branches.count)
    add_material(self, maker->first, maker->re, maker->im, true, &maker->group, &maker->group_im);
  for (int lane = 0; lane < WY_LANES && maker->first + lane <= self->n; lane++) {
    int i = maker->first + lane;
    at = write_rows(self, &maker->group, lane, i, maker->re, self->drag_translation, &maker->carry, at);
    at_im = write_rows(self, &maker->group_im, lane, i, maker->im, 0, &maker->carry_im, at_im);
    if (is_exceptional(self, i)) {
      write_exceptions(self, i, self->beta, self->gamma, maker->re, at - 3 * WIDTH);
      write_exceptions(self, i, self->beta_im, self->gamma_im, maker->im, at_im - 3 * WIDTH);
    }
  }
  maker->first += WY_LANES;
  return (int)((at - rows) / WIDTH);
}

/* Rows as wide as tendons need them: those without, and the stiffness of tendons after elimination (S42), `inv` being
   one over the shift or a part of it. */
static void widen(const row_maker *maker, int count, const double *narrow, const double *beta, const double *gamma,
                  double inv, double *rows) {
  const wy_staggered *self = maker->self;
  memset(rows, 0, (size_t)count * WIDE * sizeof *rows);
  for (int r = 0; r < count; r++) {
    const int row = maker->row + r, order = CELL * self->n + 3;
    const double *stiffness = self->tendon_band + (size_t)row * WIDE;
    double *out = rows + (size_t)r * WIDE;
    memcpy(out + WIDE_HALF - HALF, narrow + (size_t)r * WIDTH, WIDTH * sizeof *out);
    int first = (row > WIDE_HALF ? row - WIDE_HALF + 2 : 0) / 3 * 3;
    for (int column = first; column + 2 <= row + WIDE_HALF && column < order; column += 3) {
      const double *t = stiffness + column - row + WIDE_HALF;
      wy_v3 block = {t[0], t[1], t[2]};
      const int segment = column / CELL;
      if (column % CELL) {
        wy_v3 om = wy_load3(self->jac_omega, self->halo_stride, segment);
        block = wy_minus(wy_times(beta[segment], block), wy_times(gamma[segment], wy_cross(block, om)));
      } else {
        block = wy_times(inv, block);
      }
      double *at = out + column - row + WIDE_HALF;
      at[0] += block.x, at[1] += block.y, at[2] += block.z;
    }
  }
}

static int feed_wide(void *context, double *rows) {
  row_maker *maker = context;
  double narrow[WY_BAND_FEED * WIDTH];
  int count = feed_real(maker, narrow);
  widen(maker, count, narrow, maker->self->beta, maker->self->gamma, 1 / maker->re, rows);
  maker->row += count;
  return count;
}

static int feed_wide_complex(void *context, double *rows, double *rows_im) {
  row_maker *maker = context;
  const wy_staggered *self = maker->self;
  double narrow[WY_BAND_FEED * WIDTH], narrow_im[WY_BAND_FEED * WIDTH];
  const double inv = 1 / (maker->re * maker->re + maker->im * maker->im);
  int count = feed_complex(maker, narrow, narrow_im);
  widen(maker, count, narrow, self->beta, self->gamma, maker->re * inv, rows);
  widen(maker, count, narrow_im, self->beta_im, self->gamma_im, -maker->im * inv, rows_im);
  maker->row += count;
  return count;
}

WY_CLONES
static void shift_real(const wy_staggered *self, double sigma) {
  shift_loop(self, sigma, 0, false);
}

WY_CLONES
static void shift_complex(const wy_staggered *self, double re, double im) {
  shift_loop(self, re, im, true);
}

int wy_staggered_factor(wy_system *system, int index, double sigma) {
  wy_staggered *self = (wy_staggered *)system;
  wy_slot *slot = &self->real_slots[index];
  slot->re = sigma, slot->im = 0;
  if (self->constrained || self->options.coordinates == WY_ABSOLUTE) {
    (self->constrained ? wy_staggered_saddle_combine : wy_staggered_absolute_combine)(self, slot);
    return wy_band_factor(&slot->band) ? WY_RETRY : WY_OK;
  }
  shift_real(self, sigma);
  row_maker maker = {.self = self, .re = sigma};
  return wy_band_factor_fed(&slot->band, self->has_tendons ? feed_wide : feed_real, &maker) ? WY_RETRY : WY_OK;
}

int wy_staggered_factor_complex(wy_system *system, int index, double re, double im) {
  wy_staggered *self = (wy_staggered *)system;
  wy_slot *slot = &self->complex_slots[index];
  slot->re = re, slot->im = im;
  if (self->constrained || self->options.coordinates == WY_ABSOLUTE) {
    (self->constrained ? wy_staggered_saddle_combine : wy_staggered_absolute_combine)(self, slot);
    return wy_band_complex_factor(&slot->band_complex) ? WY_RETRY : WY_OK;
  }
  shift_complex(self, re, im);
  row_maker maker = {.self = self, .re = re, .im = im};
  wy_band_complex_feed *feed = self->has_tendons ? feed_wide_complex : feed_complex;
  return wy_band_complex_factor_fed(&slot->band_complex, feed, &maker) ? WY_RETRY : WY_OK;
}

/* The known part of dx and theta: dx = r_x / sigma + ..., theta = 2 Im(r' (sigma + Om/2)) / (sigma^2 + |Om|^2/4) + ...,
   r' = p^-1 r_p. Overwrites r_x by r_x / sigma; leaves theta in a halo array. One part of a complex number at a time
   would need the other part, so both are done here. */
WY_INLINE void known_loop(const wy_staggered *self, const wy_slot *slot, double *restrict b, double *restrict b_im,
                          bool is_complex) {
  const int n = self->stride, hs = self->halo_stride;
  const double *restrict p = self->jac_p, *restrict omega = self->jac_omega;
  double *restrict x = b + self->x, *restrict q = b + self->p, *restrict theta = self->theta;
  double *restrict x_im = is_complex ? b_im + self->x : NULL, *restrict q_im = is_complex ? b_im + self->p : NULL;
  double *restrict theta_im = self->theta_im;
  const double re = slot->re, im = is_complex ? slot->im : 0;
  const double inv = 1 / (re * re + im * im), inv_re = re * inv, inv_im = -im * inv;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 pi = wy_load4(p, n, i);
    wy_v3 om = wy_load3(omega, hs, i), rx = wy_load3(x, n, i);
    double inv_norm2 = 1 / (pi.w * pi.w + pi.x * pi.x + pi.y * pi.y + pi.z * pi.z);
    wy_q4 r = wy_qtimes(inv_norm2, wy_between(pi, wy_load4(q, n, i)));
    double den = re * re - im * im + 0.25 * wy_inner(om, om);
    /* half of theta's numerator without sigma: (r0 Om + rv x Om) / 2 */
    wy_v3 turned = wy_times(0.5, wy_plus(wy_times(r.w, om), wy_cross(wy_pure(r), om)));
    if (!is_complex) {
      double f = 2 / den;
      wy_store3(x, n, i, wy_times(inv_re, rx));
      wy_store3(theta, hs, i, wy_times(f, wy_plus(wy_times(re, wy_pure(r)), turned)));
      wy_store4(q, n, i, r);
    } else {
      wy_v3 rx_im = wy_load3(x_im, n, i);
      wy_q4 r_im = wy_qtimes(inv_norm2, wy_between(pi, wy_load4(q_im, n, i)));
      wy_v3 turned_im = wy_times(0.5, wy_plus(wy_times(r_im.w, om), wy_cross(wy_pure(r_im), om)));
      double den_im = 2 * re * im, f = 2 / (den * den + den_im * den_im);
      wy_v3 top = wy_plus(wy_minus(wy_times(re, wy_pure(r)), wy_times(im, wy_pure(r_im))), turned);
      wy_v3 top_im = wy_plus(wy_plus(wy_times(re, wy_pure(r_im)), wy_times(im, wy_pure(r))), turned_im);
      wy_store3(x, n, i, wy_minus(wy_times(inv_re, rx), wy_times(inv_im, rx_im)));
      wy_store3(x_im, n, i, wy_plus(wy_times(inv_re, rx_im), wy_times(inv_im, rx)));
      wy_store3(theta, hs, i, wy_plus(wy_times(f * den, top), wy_times(f * den_im, top_im)));
      wy_store3(theta_im, hs, i, wy_minus(wy_times(f * den, top_im), wy_times(f * den_im, top)));
      wy_store4(q, n, i, r);
      wy_store4(q_im, n, i, r_im);
    }
  }
}

/* Forces and torques that displacements dx (differences) and rotations theta cause: section force and own torque of
   each segment into section_force and segment_torque, torques at vertices into torque_minus and torque_plus. */
WY_INLINE void stiffness_loop(const wy_staggered *self, const double *restrict x, const double *restrict theta) {
  const int n = self->stride, hs = self->halo_stride;
  double *restrict force = self->section_force, *restrict torque = self->segment_torque;
  double *restrict minus = self->torque_minus, *restrict plus = self->torque_plus;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict segments = wy_group(self->segment_blocks, WY_SEGMENT_BLOCKS, first);
    const double *restrict vertices = wy_group(self->vertex_blocks, WY_VERTEX_BLOCKS, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)), t = wy_load3(theta, hs, i);
      wy_v3 before = wy_load3(theta, hs, i - 1);
      wy_store3(force, hs, i,
                wy_plus(wy_apply(wy_load_block(segments, lane, WY_FORCE_X), dx),
                        wy_apply(wy_load_block(segments, lane, WY_FORCE_T), t)));
      wy_store3(torque, hs, i,
                wy_plus(wy_apply(wy_load_block(segments, lane, WY_TORQUE_X), dx),
                        wy_apply(wy_load_block(segments, lane, WY_TORQUE_T), t)));
      wy_store3(minus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_MINUS_T_PLUS), t)));
      wy_store3(plus, hs, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_PLUS_T_PLUS), t)));
    }
  }
}

WY_CLONES
static void known_real(const wy_staggered *self, const wy_slot *slot, double *b) {
  known_loop(self, slot, b, NULL, false);
}

WY_CLONES
static void known_complex(const wy_staggered *self, const wy_slot *slot, double *b, double *b_im) {
  known_loop(self, slot, b, b_im, true);
}

WY_CLONES
static void stiffness_times(const wy_staggered *self, const double *x, const double *theta) {
  stiffness_loop(self, x, theta);
}

/* Displacements and rotations in band order. */
static void gather(const wy_staggered *self, const double *x, const double *theta, double *out) {
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      out[CELL * i + k] = x[k * self->stride + i];
      if (i < self->n)
        out[CELL * i + 3 + k] = theta[k * self->halo_stride + i];
    }
}

/* The right-hand side of the reduced system, in band order: M r_v + K (known dx, theta), I r_w + ...; `stress` is what
   branches add. */
static void pack(wy_staggered *self, const double *b, const double *theta, const double *stress, double *packed) {
  const int n = self->stride, hs = self->halo_stride;
  stiffness_times(self, b + self->x, theta);
  if (self->branches.count)
    wy_staggered_branch_forces(self, stress);
  const double *v = b + self->v, *w = b + self->w;
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      packed[6 * i + k] =
          self->mass[i] * v[k * n + i] + self->section_force[k * hs + i] - self->section_force[k * hs + i - 1];
      if (i < self->n)
        packed[6 * i + 3 + k] = self->inertia[k * n + i] * w[k * n + i] + self->segment_torque[k * hs + i] +
                                self->torque_plus[k * hs + i] + self->torque_minus[k * hs + i + 1];
    }
  for (int e = 0; e < self->extra_count; e++) {
    const wy_extra_block *extra = &self->extras[e];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        packed[6 * extra->vertex + r] += extra->m[3 * r + c] * theta[c * hs + extra->segment];
  }
  if (self->has_tendons) {
    gather(self, b + self->x, theta, self->work);
    wy_staggered_tendon_pull(self, self->work, packed);
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->jac_held[end][k]) {
        int vertex = end ? self->n : 0;
        packed[6 * vertex + k] = self->mass[vertex] * v[k * n + vertex];
      }
}

static void unpack(const wy_staggered *self, const double *packed, double *b) {
  const int n = self->stride;
  double *v = b + self->v, *w = b + self->w;
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      v[k * n + i] = packed[6 * i + k];
      if (i < self->n)
        w[k * n + i] = packed[6 * i + 3 + k];
    }
}

/* dx = (r_x + dv) / sigma (r_x / sigma is stored), dp = p (r' + dOm/2)(sigma + Om/2) / (sigma^2 + |Om|^2/4). */
WY_INLINE void back_loop(const wy_staggered *self, const wy_slot *slot, double *restrict b, double *restrict b_im,
                         bool is_complex) {
  const int n = self->stride, hs = self->halo_stride;
  const double *restrict p = self->jac_p, *restrict omega = self->jac_omega;
  double *restrict x = b + self->x, *restrict q = b + self->p;
  const double *restrict v = b + self->v, *restrict w = b + self->w;
  double *restrict x_im = is_complex ? b_im + self->x : NULL, *restrict q_im = is_complex ? b_im + self->p : NULL;
  const double *restrict v_im = is_complex ? b_im + self->v : NULL, *restrict w_im = is_complex ? b_im + self->w : NULL;
  const double re = slot->re, im = is_complex ? slot->im : 0;
  const double inv = 1 / (re * re + im * im), inv_re = re * inv, inv_im = -im * inv;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 pi = wy_load4(p, n, i), r = wy_load4(q, n, i);
    wy_v3 om = wy_load3(omega, hs, i), dv = wy_load3(v, n, i);
    wy_v3 rv = wy_plus(wy_pure(r), wy_times(0.5, wy_load3(w, n, i)));
    double den = re * re - im * im + 0.25 * wy_inner(om, om);
    double s0 = -0.5 * wy_inner(rv, om);
    wy_v3 sv = wy_times(0.5, wy_plus(wy_times(r.w, om), wy_cross(rv, om)));
    if (!is_complex) {
      double f = 1 / den;
      wy_store3(x, n, i, wy_plus(wy_load3(x, n, i), wy_times(inv_re, dv)));
      double e0 = f * (re * r.w + s0);
      wy_v3 ev = wy_times(f, wy_plus(wy_times(re, rv), sv));
      wy_q4 turned = wy_times_pure(pi, ev);
      wy_store4(q, n, i,
                (wy_q4){turned.w + e0 * pi.w, turned.x + e0 * pi.x, turned.y + e0 * pi.y, turned.z + e0 * pi.z});
    } else {
      wy_q4 ri = wy_load4(q_im, n, i);
      wy_v3 dvi = wy_load3(v_im, n, i), rvi = wy_plus(wy_pure(ri), wy_times(0.5, wy_load3(w_im, n, i)));
      double s0i = -0.5 * wy_inner(rvi, om);
      wy_v3 svi = wy_times(0.5, wy_plus(wy_times(ri.w, om), wy_cross(rvi, om)));
      double den_im = 2 * re * im, f = 1 / (den * den + den_im * den_im), fr = f * den, fi = -f * den_im;
      wy_store3(x, n, i, wy_plus(wy_load3(x, n, i), wy_minus(wy_times(inv_re, dv), wy_times(inv_im, dvi))));
      wy_store3(x_im, n, i, wy_plus(wy_load3(x_im, n, i), wy_plus(wy_times(inv_re, dvi), wy_times(inv_im, dv))));
      double t0 = re * r.w - im * ri.w + s0, t0i = re * ri.w + im * r.w + s0i;
      wy_v3 tv = wy_plus(wy_minus(wy_times(re, rv), wy_times(im, rvi)), sv);
      wy_v3 tvi = wy_plus(wy_plus(wy_times(re, rvi), wy_times(im, rv)), svi);
      double e0 = fr * t0 - fi * t0i, e0i = fr * t0i + fi * t0;
      wy_v3 ev = wy_minus(wy_times(fr, tv), wy_times(fi, tvi)), evi = wy_plus(wy_times(fr, tvi), wy_times(fi, tv));
      wy_q4 turned = wy_times_pure(pi, ev), turned_im = wy_times_pure(pi, evi);
      wy_store4(q, n, i,
                (wy_q4){turned.w + e0 * pi.w, turned.x + e0 * pi.x, turned.y + e0 * pi.y, turned.z + e0 * pi.z});
      wy_store4(q_im, n, i,
                (wy_q4){turned_im.w + e0i * pi.w, turned_im.x + e0i * pi.x, turned_im.y + e0i * pi.y,
                        turned_im.z + e0i * pi.z});
    }
  }
}

WY_CLONES
static void back_real(const wy_staggered *self, const wy_slot *slot, double *b) {
  back_loop(self, slot, b, NULL, false);
}

WY_CLONES
static void back_complex(const wy_staggered *self, const wy_slot *slot, double *b, double *b_im) {
  back_loop(self, slot, b, b_im, true);
}

/* Held components from their own rows, sigma dv = r, instead of from the factors: without round-off, so that they never
 * drift. */
void wy_staggered_solve_held(const wy_staggered *self, const wy_slot *slot, int cell, const double *re,
                             const double *im, double *packed, double *packed_im) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->jac_held[end][k]) {
        int vertex = end ? self->n : 0, from = self->v + k * self->stride + vertex, to = cell * vertex + k;
        packed[to] = inv_re * re[from] - (im ? inv_im * im[from] : 0);
        if (im)
          packed_im[to] = inv_re * im[from] + inv_im * re[from];
      }
}

/* The stress that the known dx and theta cause beyond that of the whole stiffness, and the branches' right-hand sides.
 */
static void known_stress(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  wy_staggered_branch_strain(self, re + self->x, self->theta, self->branches.strain[0]);
  if (im)
    wy_staggered_branch_strain(self, im + self->x, self->theta_im, self->branches.strain[1]);
  wy_staggered_branch_known(self, slot, re, im);
}

void wy_staggered_solve(wy_system *system, int index, double *b) {
  wy_staggered *self = (wy_staggered *)system;
  wy_slot *slot = &self->real_slots[index];
  if (self->constrained || self->options.coordinates == WY_ABSOLUTE) {
    (self->constrained ? wy_staggered_saddle_solve : wy_staggered_absolute_solve)(self, slot, b, NULL);
    return;
  }
  known_real(self, slot, b);
  if (self->branches.count)
    known_stress(self, slot, b, NULL);
  pack(self, b, self->theta, self->branches.stress[0], self->packed);
  wy_band_solve(&slot->band, self->packed);
  wy_staggered_solve_held(self, slot, CELL, b, NULL, self->packed, NULL);
  unpack(self, self->packed, b);
  back_real(self, slot, b);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, b, NULL);
}

void wy_staggered_solve_complex(wy_system *system, int index, double *re, double *im) {
  wy_staggered *self = (wy_staggered *)system;
  wy_slot *slot = &self->complex_slots[index];
  if (self->constrained || self->options.coordinates == WY_ABSOLUTE) {
    (self->constrained ? wy_staggered_saddle_solve : wy_staggered_absolute_solve)(self, slot, re, im);
    return;
  }
  known_complex(self, slot, re, im);
  if (self->branches.count)
    known_stress(self, slot, re, im);
  pack(self, re, self->theta, self->branches.stress[0], self->packed);
  pack(self, im, self->theta_im, self->branches.stress[1], self->packed_im);
  wy_band_complex_solve(&slot->band_complex, self->packed, self->packed_im);
  wy_staggered_solve_held(self, slot, CELL, re, im, self->packed, self->packed_im);
  unpack(self, self->packed, re);
  unpack(self, self->packed_im, im);
  back_complex(self, slot, re, im);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
}

/* J x: for tests, so plain and separate from the elimination above. */
static void nullspace_multiply(wy_staggered *self, const double *x, double *y) {
  const int n = self->stride, hs = self->halo_stride;
  memset(y, 0, (size_t)self->base.size * sizeof *y);
  for (int i = 0; i < self->n; i++) {
    wy_q4 p = wy_load4(self->jac_p, n, i), dp = wy_load4(x + self->p, n, i);
    double norm2 = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
    wy_v3 om = wy_load3(self->jac_omega, hs, i), dom = wy_load3(x + self->w, n, i);
    wy_store3(self->theta, hs, i, wy_times(2 / norm2, wy_pure(wy_between(p, dp))));
    wy_q4 a = wy_times_pure(dp, om), b = wy_times_pure(p, dom);
    wy_store4(y + self->p, n, i, (wy_q4){0.5 * (a.w + b.w), 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)});
  }
  double *f = y + self->v, *m = y + self->w;
#define TO(array, index, vector) wy_store3(array, n, index, wy_plus(wy_load3(array, n, index), vector))
  for (int i = 0; i < self->n; i++) {
    wy_v3 dx = wy_minus(wy_load3(x + self->x, n, i + 1), wy_load3(x + self->x, n, i));
    wy_v3 dv = wy_minus(wy_load3(x + self->v, n, i + 1), wy_load3(x + self->v, n, i));
    wy_v3 arguments[4] = {dx, dv, wy_load3(self->theta, hs, i), wy_load3(x + self->w, n, i)};
    for (int k = 0; k < 4; k++) {
      wy_v3 force = wy_apply(wy_block_of(self->segment_blocks, WY_SEGMENT_BLOCKS, i, WY_FORCE_X + k), arguments[k]);
      TO(f, i, force);
      TO(f, i + 1, wy_times(-1, force));
      TO(m, i, wy_apply(wy_block_of(self->segment_blocks, WY_SEGMENT_BLOCKS, i, WY_TORQUE_X + k), arguments[k]));
    }
    if (i == 0)
      continue;
    wy_v3 turns[4] = {wy_load3(self->theta, hs, i - 1), wy_load3(self->theta, hs, i), wy_load3(x + self->w, n, i - 1),
                      wy_load3(x + self->w, n, i)};
    for (int k = 0; k < 4; k++) {
      int base = k < 2 ? WY_MINUS_T_MINUS + k : WY_MINUS_W_MINUS + k - 2;
      TO(m, i - 1, wy_apply(wy_block_of(self->vertex_blocks, WY_VERTEX_BLOCKS, i, base), turns[k]));
      TO(m, i, wy_apply(wy_block_of(self->vertex_blocks, WY_VERTEX_BLOCKS, i, base + 2), turns[k]));
    }
  }
  for (int k = 0; k < self->extra_count; k++) {
    const double *e = self->extras[k].m;
    wy_m3 block = {{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
    TO(f, self->extras[k].vertex, wy_apply(block, wy_load3(self->theta, hs, self->extras[k].segment)));
  }
#undef TO
  if (self->has_tendons) {
    double *pull = self->packed;
    memset(pull, 0, (size_t)(CELL * self->n + 3) * sizeof *pull);
    gather(self, x + self->x, self->theta, self->work);
    wy_staggered_tendon_pull(self, self->work, pull);
    for (int i = 0; i <= self->n; i++)
      for (int k = 0; k < 3; k++) {
        f[k * n + i] += pull[CELL * i + k];
        m[k * n + i] += i < self->n ? pull[CELL * i + 3 + k] : 0;
      }
  }
  if (self->branches.count) {
    wy_staggered_branch_multiply(self, x, y);
    wy_staggered_gather_forces(self, f, m);
  }
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      bool held = (i == 0 && self->jac_held[0][k]) || (i == self->n && self->jac_held[1][k]);
      double velocity = x[self->v + k * n + i];
      y[self->x + k * n + i] = velocity;
      f[k * n + i] = held ? 0 : f[k * n + i] * self->inv_mass[i] - self->drag_translation * velocity;
      if (i < self->n)
        m[k * n + i] *= self->inv_inertia[k * n + i];
    }
}

void wy_staggered_multiply(wy_system *system, const double *x, double *y) {
  wy_staggered *self = (wy_staggered *)system;
  if (self->options.coordinates == WY_ABSOLUTE)
    wy_staggered_absolute_multiply(self, x, y);
  else
    nullspace_multiply(self, x, y);
}
