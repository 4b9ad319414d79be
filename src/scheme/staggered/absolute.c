/* The absolute form: unknowns (v, p') with positions (x, p) eliminated, 7 unknowns a segment in the order v_0, p'_0,
   v_1, ..., v_N, half bandwidth 10. With J = [0 1; A0 A1] the reduced matrix is sigma - A1 - A0 / sigma (S45): both
   bands are made once per Jacobian from the blocks of the null-space form by the chain rule theta = 2 Im(p^-1 dp), dOm
   = 2 Im(p^-1 dp' - p^-1 dp p^-1 p'). */
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

enum { HALF = 10, WIDTH = 2 * HALF + 1, CELL = 7 };

static int unknowns(const wy_staggered *self) {
  return CELL * self->n + 3;
}

/* Adds a dense block (row by row) to a band. */
static void add(double *band, int row, int column, int rows, int columns, const double *m) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      band[(size_t)(row + r) * WIDTH + (size_t)(column + c - row - r + HALF)] += m[r * columns + c];
}

static void multiply(const double *a, const double *b, int rows, int inner, int columns, double factor, double *out) {
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
  wy_m3 m = wy_block_of(blocks, count, i, which);
  double rows[9] = {m.a.x, m.b.x, m.c.x, m.a.y, m.b.y, m.c.y, m.a.z, m.b.z, m.c.z};
  memcpy(out, rows, sizeof rows);
}

/* The chain rule at one segment. */
typedef struct chain {
  double theta[12]; /* theta = theta dp,  3x4 */
  double spin[12];  /* dOm = theta dp' + spin dp */
  double lift[12];  /* p'' = lift I^-1 torque + ..., 4x3 with I^-1 inside */
} chain;

static chain chain_at(const wy_staggered *self, const double *u, int i) {
  const int n = self->stride;
  chain out;
  double p[4], rate[4], inverse[4], eta[4], norm2 = 0;
  for (int k = 0; k < 4; k++) {
    p[k] = u[self->p + k * n + i], rate[k] = u[self->w + k * n + i];
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
      out.lift[3 * r + c] = 0.5 * turned[r] * self->inv_inertia[c * n + i];
  }
  return out;
}

/* The force (3 rows) or torque (lifted to 4 rows) that a rotation block and its rate block cause, by dp and dp' of a
 * segment. */
static void add_turn(wy_staggered *self, int row, int segment, double factor, const double *lift,
                     const double by_theta[9], const double by_rate[9], const chain *source) {
  int rows = lift ? 4 : 3, column = CELL * segment + 3;
  double a[12], b[12], lifted[16];
  multiply(by_theta, source->theta, 3, 3, 4, factor, a);
  if (by_rate) {
    multiply(by_rate, source->spin, 3, 3, 4, factor, b);
    for (int k = 0; k < 12; k++)
      a[k] += b[k];
    multiply(by_rate, source->theta, 3, 3, 4, factor, b);
  }
  if (lift) {
    multiply(lift, a, 4, 3, 4, 1, lifted);
    add(self->stiffness_band, row, column, rows, 4, lifted);
    if (by_rate) {
      multiply(lift, b, 4, 3, 4, 1, lifted);
      add(self->damping_band, row, column, rows, 4, lifted);
    }
  } else {
    add(self->stiffness_band, row, column, rows, 4, a);
    if (by_rate)
      add(self->damping_band, row, column, rows, 4, b);
  }
}

/* The part of p'' that is local: half p' Omega', and the radial term c p with c = -(|p'|^2 + 2 r <p,p'> + om^2 (|p|^2 -
 * 1)/2) / |p|^2. */
static void add_local(wy_staggered *self, const double *u, int i) {
  const int n = self->stride, row = CELL * i + 3;
  bool baumgarte = self->options.stabilisation == WY_BAUMGARTE;
  double omega2 = baumgarte ? self->options.baumgarte_omega * self->options.baumgarte_omega : 0;
  double twice_r = baumgarte ? 2 * self->options.baumgarte_r : 0;
  double p[4], rate[4], dom[4] = {0}, norm2 = 0, rate2 = 0, slip = 0;
  for (int k = 0; k < 4; k++) {
    p[k] = u[self->p + k * n + i], rate[k] = u[self->w + k * n + i];
    norm2 += p[k] * p[k], rate2 += rate[k] * rate[k], slip += p[k] * rate[k];
  }
  for (int k = 0; k < 3; k++)
    dom[k + 1] = self->acceleration[k * n + i];
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
  add(self->stiffness_band, row, row, 4, 4, by_p);
  add(self->damping_band, row, row, 4, 4, by_rate);
}

static void add_segment(wy_staggered *self, const double *u, int i) {
  const int torque_row = CELL * i + 3;
  double *blocks = self->segment_blocks;
  chain here = chain_at(self, u, i);
  double by_x[9], by_v[9], by_theta[9], by_rate[9], lifted[12];
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_X, i, by_x);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_V, i, by_v);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_T, i, by_theta);
  block(blocks, WY_SEGMENT_BLOCKS, WY_FORCE_W, i, by_rate);
  for (int side = 0; side < 2;
       side++) { /* the section force acts with + on the vertex before, with - on the one after */
    int vertex = i + side;
    double factor = (side ? -1 : 1) * self->inv_mass[vertex], scaled[9];
    for (int k = 0; k < 2; k++) {
      double sign = k ? factor : -factor;
      for (int e = 0; e < 9; e++)
        scaled[e] = sign * by_x[e];
      add(self->stiffness_band, CELL * vertex, CELL * (i + k), 3, 3, scaled);
      for (int e = 0; e < 9; e++)
        scaled[e] = sign * by_v[e];
      add(self->damping_band, CELL * vertex, CELL * (i + k), 3, 3, scaled);
    }
    add_turn(self, CELL * vertex, i, factor, NULL, by_theta, by_rate, &here);
  }
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_X, i, by_x);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_V, i, by_v);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_T, i, by_theta);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_W, i, by_rate);
  for (int k = 0; k < 2; k++) {
    multiply(here.lift, by_x, 4, 3, 3, k ? 1 : -1, lifted);
    add(self->stiffness_band, torque_row, CELL * (i + k), 4, 3, lifted);
    multiply(here.lift, by_v, 4, 3, 3, k ? 1 : -1, lifted);
    add(self->damping_band, torque_row, CELL * (i + k), 4, 3, lifted);
  }
  add_turn(self, torque_row, i, 1, here.lift, by_theta, by_rate, &here);
  add_local(self, u, i);
}

static void add_vertex(wy_staggered *self, const double *u, int vertex) {
  chain sides[2] = {chain_at(self, u, vertex - 1), chain_at(self, u, vertex)};
  double by_theta[9], by_rate[9];
  for (int on = 0; on < 2; on++)
    for (int by = 0; by < 2; by++) {
      block(self->vertex_blocks, WY_VERTEX_BLOCKS, WY_MINUS_T_MINUS + 2 * on + by, vertex, by_theta);
      block(self->vertex_blocks, WY_VERTEX_BLOCKS, WY_MINUS_W_MINUS + 2 * on + by, vertex, by_rate);
      add_turn(self, CELL * (vertex - 1 + on) + 3, vertex - 1 + by, 1, sides[on].lift, by_theta, by_rate, &sides[by]);
    }
}

void wy_staggered_absolute_jacobian(wy_staggered *self, const double *u) {
  size_t bytes = (size_t)unknowns(self) * WIDTH * sizeof(double);
  memset(self->stiffness_band, 0, bytes);
  memset(self->damping_band, 0, bytes);
  for (int i = 0; i < self->n; i++)
    add_segment(self, u, i);
  for (int i = 1; i < self->n; i++)
    add_vertex(self, u, i);
  for (int k = 0; k < self->extra_count; k++) {
    const wy_extra_block *extra = &self->extras[k];
    chain source = chain_at(self, u, extra->segment);
    add_turn(self, CELL * extra->vertex, extra->segment, self->inv_mass[extra->vertex], NULL, extra->m, NULL, &source);
  }
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++)
      self->damping_band[(size_t)(CELL * i + k) * WIDTH + HALF] -= self->drag_translation;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->jac_held[end][k]) {
        size_t row = (size_t)(CELL * (end ? self->n : 0) + k) * WIDTH;
        memset(self->stiffness_band + row, 0, WIDTH * sizeof(double));
        memset(self->damping_band + row, 0, WIDTH * sizeof(double));
      }
}

/* Between the fields of a state (position part: x, p; velocity part: v, p') and band order. */
static void pack(const wy_staggered *self, const double *b, int vertices, int segments, double *packed) {
  const int n = self->stride;
  for (int i = 0; i <= self->n; i++) {
    for (int k = 0; k < 3; k++)
      packed[CELL * i + k] = b[vertices + k * n + i];
    for (int k = 0; k < 4 && i < self->n; k++)
      packed[CELL * i + 3 + k] = b[segments + k * n + i];
  }
}

static void unpack(const wy_staggered *self, const double *packed, int vertices, int segments, double *b) {
  const int n = self->stride;
  for (int i = 0; i <= self->n; i++) {
    for (int k = 0; k < 3; k++)
      b[vertices + k * n + i] = packed[CELL * i + k];
    for (int k = 0; k < 4 && i < self->n; k++)
      b[segments + k * n + i] = packed[CELL * i + 3 + k];
  }
}

/* y += factor band x */
static void band_times(const wy_staggered *self, const double *band, double factor, const double *x, double *y) {
  int size = unknowns(self);
  for (int i = 0; i < size; i++) {
    double sum = 0;
    int from = i < HALF ? HALF - i : 0, to = i + HALF >= size ? HALF + size - i : WIDTH;
    for (int k = from; k < to; k++)
      sum += band[(size_t)i * WIDTH + (size_t)k] * x[i + k - HALF];
    y[i] += factor * sum;
  }
}

void wy_staggered_absolute_combine(wy_staggered *self, wy_slot *slot) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  for (int i = 0; i < unknowns(self); i++) {
    const double *a0 = self->stiffness_band + (size_t)i * WIDTH, *a1 = self->damping_band + (size_t)i * WIDTH;
    double *re = slot->is_complex ? wy_band_complex_row_re(&slot->band_complex, i) : wy_band_row(&slot->band, i);
    for (int k = 0; k < WIDTH; k++)
      re[k] = -a1[k] - inv_re * a0[k];
    re[HALF] += slot->re;
    if (slot->is_complex) {
      double *im = wy_band_complex_row_im(&slot->band_complex, i);
      for (int k = 0; k < WIDTH; k++)
        im[k] = -inv_im * a0[k];
      im[HALF] += slot->im;
    }
  }
}

/* S dvel = r_vel + A0 r_pos / sigma, then dpos = (r_pos + dvel) / sigma. `work` holds r_pos / sigma in band order. */
void wy_staggered_absolute_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  int size = unknowns(self);
  double *position = self->work, *position_im = self->work + wy_padded(size);
  pack(self, re, self->x, self->p, position);
  pack(self, re, self->v, self->w, self->packed);
  if (!im) {
    for (int i = 0; i < size; i++)
      position[i] *= inv_re;
    band_times(self, self->stiffness_band, 1, position, self->packed);
    wy_band_solve(&slot->band, self->packed);
    wy_staggered_solve_held(self, slot, CELL, re, NULL, self->packed, NULL);
    for (int i = 0; i < size; i++)
      position[i] += inv_re * self->packed[i];
  } else {
    pack(self, im, self->x, self->p, position_im);
    pack(self, im, self->v, self->w, self->packed_im);
    for (int i = 0; i < size; i++) {
      double a = position[i], b = position_im[i];
      position[i] = inv_re * a - inv_im * b, position_im[i] = inv_re * b + inv_im * a;
    }
    band_times(self, self->stiffness_band, 1, position, self->packed);
    band_times(self, self->stiffness_band, 1, position_im, self->packed_im);
    wy_band_complex_solve(&slot->band_complex, self->packed, self->packed_im);
    wy_staggered_solve_held(self, slot, CELL, re, im, self->packed, self->packed_im);
    for (int i = 0; i < size; i++) {
      double a = self->packed[i], b = self->packed_im[i];
      position[i] += inv_re * a - inv_im * b, position_im[i] += inv_re * b + inv_im * a;
    }
    unpack(self, position_im, self->x, self->p, im);
    unpack(self, self->packed_im, self->v, self->w, im);
  }
  unpack(self, position, self->x, self->p, re);
  unpack(self, self->packed, self->v, self->w, re);
}

void wy_staggered_absolute_multiply(wy_staggered *self, const double *x, double *y) {
  int size = unknowns(self);
  double *position = self->work, *velocity = self->work + wy_padded(size);
  memset(y, 0, (size_t)self->base.size * sizeof *y);
  pack(self, x, self->x, self->p, position);
  pack(self, x, self->v, self->w, velocity);
  memset(self->packed, 0, (size_t)size * sizeof(double));
  band_times(self, self->stiffness_band, 1, position, self->packed);
  band_times(self, self->damping_band, 1, velocity, self->packed);
  unpack(self, velocity, self->x, self->p, y);
  unpack(self, self->packed, self->v, self->w, y);
}
