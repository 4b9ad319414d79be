/* The absolute form: unknowns (v, p') with positions (x, p) eliminated, 7 unknowns a segment in the order v_0, p'_0,
   v_1, ..., v_N, half bandwidth 10, with tendons 13. With J = [0 1; A0 A1] the reduced matrix is sigma - A1 - A0 /
   sigma (S45): both bands are made once per Jacobian from the blocks of the null-space form by the chain rule theta = 2
   Im(p^-1 dp), dOm = 2 Im(p^-1 dp' - p^-1 dp p^-1 p'). */
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

enum { CELL = 7 };

static int width_of(const wy_staggered *self) {
  return 2 * self->absolute_half + 1;
}

static int unknowns(const wy_staggered *self) {
  return CELL * self->n + 3;
}

/* Adds a dense block (row by row) to a band. */
static void add(const wy_staggered *self, double *band, int row, int column, int rows, int columns, const double *m) {
  const int half = self->absolute_half;
  const size_t width = (size_t)width_of(self);
  for (int r = 0; r < rows; r++) {
    double *at = band + (size_t)(row + r) * width + (column - row - r + half);
    for (int c = 0; c < columns; c++)
      at[c] += m[r * columns + c];
  }
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
   segment, into a band of stiffness and that of damping. */
static void add_turn(const wy_staggered *self, double *band, int row, int segment, double factor, const double *lift,
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
    add(self, band, row, column, rows, 4, lifted);
    if (by_rate) {
      multiply(lift, b, 4, 3, 4, 1, lifted);
      add(self, self->damping_band, row, column, rows, 4, lifted);
    }
  } else {
    add(self, band, row, column, rows, 4, a);
    if (by_rate)
      add(self, self->damping_band, row, column, rows, 4, b);
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
  add(self, self->stiffness_band, row, row, 4, 4, by_p);
  add(self, self->damping_band, row, row, 4, 4, by_rate);
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
      add(self, self->stiffness_band, CELL * vertex, CELL * (i + k), 3, 3, scaled);
      for (int e = 0; e < 9; e++)
        scaled[e] = sign * by_v[e];
      add(self, self->damping_band, CELL * vertex, CELL * (i + k), 3, 3, scaled);
    }
    add_turn(self, self->stiffness_band, CELL * vertex, i, factor, NULL, by_theta, by_rate, &here);
  }
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_X, i, by_x);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_V, i, by_v);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_T, i, by_theta);
  block(blocks, WY_SEGMENT_BLOCKS, WY_TORQUE_W, i, by_rate);
  for (int k = 0; k < 2; k++) {
    multiply(here.lift, by_x, 4, 3, 3, k ? 1 : -1, lifted);
    add(self, self->stiffness_band, torque_row, CELL * (i + k), 4, 3, lifted);
    multiply(here.lift, by_v, 4, 3, 3, k ? 1 : -1, lifted);
    add(self, self->damping_band, torque_row, CELL * (i + k), 4, 3, lifted);
  }
  add_turn(self, self->stiffness_band, torque_row, i, 1, here.lift, by_theta, by_rate, &here);
  add_local(self, u, i);
}

static void add_vertex(wy_staggered *self, const double *u, int vertex) {
  chain sides[2] = {chain_at(self, u, vertex - 1), chain_at(self, u, vertex)};
  double by_theta[9], by_rate[9];
  for (int on = 0; on < 2; on++)
    for (int by = 0; by < 2; by++) {
      block(self->vertex_blocks, WY_VERTEX_BLOCKS, WY_MINUS_T_MINUS + 2 * on + by, vertex, by_theta);
      block(self->vertex_blocks, WY_VERTEX_BLOCKS, WY_MINUS_W_MINUS + 2 * on + by, vertex, by_rate);
      add_turn(self, self->stiffness_band, CELL * (vertex - 1 + on) + 3, vertex - 1 + by, 1, sides[on].lift, by_theta,
               by_rate, &sides[by]);
    }
}

/* One block of stiffness, on a vertex (`lift` is NULL) or a segment, by a vertex (`source` is NULL) or a segment. */
static void add_stiffness(wy_staggered *self, int on, const double *lift, int by, const chain *source, double factor,
                          wy_m3 m) {
  const double rows[9] = {m.a.x, m.b.x, m.c.x, m.a.y, m.b.y, m.c.y, m.a.z, m.b.z, m.c.z};
  const int row = CELL * on + (lift ? 3 : 0);
  double block[12];
  factor *= lift ? -1 : -self->inv_mass[on];
  if (source) {
    add_turn(self, self->stiffness_band, row, by, factor, lift, rows, NULL, source);
    return;
  }
  if (lift)
    multiply(lift, rows, 4, 3, 3, factor, block);
  for (int k = 0; !lift && k < 9; k++)
    block[k] = factor * rows[k];
  add(self, self->stiffness_band, row, CELL * by, lift ? 4 : 3, 3, block);
}

/* Tendons by half cells (A8), and what they add to the frame of a body-axes force at an end (A6). */
static void add_tendons(wy_staggered *self, const double *u) {
  for (int half = 0; half < 2 * self->n; half++) {
    wy_tendon_cell cell;
    chain chains[4] = {{{0}, {0}, {0}}};
    wy_staggered_tendon_cell(self, u, half / 2, half % 2, &cell);
    for (int k = 0; k < cell.count; k++)
      if (cell.places[k].kind)
        chains[k] = chain_at(self, u, cell.places[k].index);
    for (int k = 0; k < cell.count * cell.count; k++) {
      int row = k / cell.count, column = k % cell.count;
      struct wy_tendon_place on = cell.places[row], by = cell.places[column];
      add_stiffness(self, on.index, on.kind ? chains[row].lift : NULL, by.index, by.kind ? &chains[column] : NULL,
                    on.sign * by.sign, cell.stiffness[on.kind][by.kind]);
    }
  }
  for (int end = 0; end < 2; end++) {
    const double *e = self->end_force_x[end];
    wy_m3 m = {{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
    int vertex = end ? self->n : 0, first = end ? self->n - 1 : 0;
    for (int k = 0; k < 2; k++)
      add_stiffness(self, vertex, NULL, first + k, NULL, k ? -1 : 1, m);
  }
}

/* The material part of the stiffness, which branches multiply by a factor of the shift (V7). */
static void add_material(wy_staggered *self, const double *u, int i) {
  const wy_branches *branches = &self->branches;
  chain here = chain_at(self, u, i), before = i > 0 ? chain_at(self, u, i - 1) : here;
  const chain *sides[2] = {&before, &here};
  const int torque_row = CELL * i + 3;
  double by_x[9], by_theta[9], lifted[12], scaled[9];
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_FORCE_X, i, by_x);
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_FORCE_T, i, by_theta);
  for (int side = 0; side < 2; side++) {
    double factor = (side ? -1 : 1) * self->inv_mass[i + side];
    for (int k = 0; k < 2; k++) {
      for (int e = 0; e < 9; e++)
        scaled[e] = (k ? factor : -factor) * by_x[e];
      add(self, branches->band, CELL * (i + side), CELL * (i + k), 3, 3, scaled);
    }
    add_turn(self, branches->band, CELL * (i + side), i, factor, NULL, by_theta, NULL, &here);
  }
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_TORQUE_X, i, by_x);
  block(branches->segment_material, WY_SEGMENT_MATERIAL, WY_MATERIAL_TORQUE_T, i, by_theta);
  for (int k = 0; k < 2; k++) {
    multiply(here.lift, by_x, 4, 3, 3, k ? 1 : -1, lifted);
    add(self, branches->band, torque_row, CELL * (i + k), 4, 3, lifted);
  }
  add_turn(self, branches->band, torque_row, i, 1, here.lift, by_theta, NULL, &here);
  for (int which = 0; i > 0 && which < WY_VERTEX_MATERIAL; which++) {
    int on = which / 2, by = which % 2;
    block(branches->vertex_material, WY_VERTEX_MATERIAL, which, i, by_theta);
    add_turn(self, branches->band, CELL * (i - 1 + on) + 3, i - 1 + by, 1, sides[on]->lift, by_theta, NULL, sides[by]);
  }
}

/* Rows of held components have no forces. */
static void clear_held(const wy_staggered *self, double *band) {
  const size_t width = (size_t)width_of(self);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->jac_held[end][k])
        memset(band + (size_t)(CELL * (end ? self->n : 0) + k) * width, 0, width * sizeof(double));
}

void wy_staggered_absolute_jacobian(wy_staggered *self, const double *u) {
  const size_t width = (size_t)width_of(self), bytes = (size_t)unknowns(self) * width * sizeof(double);
  memset(self->stiffness_band, 0, bytes);
  memset(self->damping_band, 0, bytes);
  for (int i = 0; i < self->n; i++)
    add_segment(self, u, i);
  for (int i = 1; i < self->n; i++)
    add_vertex(self, u, i);
  for (int k = 0; k < self->extra_count; k++) {
    const wy_extra_block *extra = &self->extras[k];
    chain source = chain_at(self, u, extra->segment);
    add_turn(self, self->stiffness_band, CELL * extra->vertex, extra->segment, self->inv_mass[extra->vertex], NULL,
             extra->m, NULL, &source);
  }
  if (self->has_tendons)
    add_tendons(self, u);
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++)
      self->damping_band[(size_t)(CELL * i + k) * width + (size_t)self->absolute_half] -= self->drag_translation;
  clear_held(self, self->stiffness_band);
  clear_held(self, self->damping_band);
  if (self->branches.count) {
    memset(self->branches.band, 0, bytes);
    for (int i = 0; i < self->n; i++)
      add_material(self, u, i);
    clear_held(self, self->branches.band);
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
  const int size = unknowns(self), half = self->absolute_half, width = width_of(self);
  for (int i = 0; i < size; i++) {
    double sum = 0;
    int from = i < half ? half - i : 0, to = i + half >= size ? half + size - i : width;
    for (int k = from; k < to; k++)
      sum += band[(size_t)i * (size_t)width + (size_t)k] * x[i + k - half];
    y[i] += factor * sum;
  }
}

/* What branches add to one row: minus factor / sigma times the material part. */
static void combine_material(const wy_staggered *self, const wy_slot *slot, int i, double *re, double *im) {
  const int width = width_of(self);
  const double *row = self->branches.band + (size_t)i * (size_t)width;
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), a, b;
  wy_staggered_branch_factor(&self->branches, slot->re, slot->im, &a, &b);
  double over_re = inv * (a * slot->re + b * slot->im), over_im = inv * (b * slot->re - a * slot->im);
  for (int k = 0; k < width; k++) {
    re[k] -= over_re * row[k];
    if (im)
      im[k] -= over_im * row[k];
  }
}

void wy_staggered_absolute_combine(wy_staggered *self, wy_slot *slot) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  const int half = self->absolute_half, width = width_of(self);
  for (int i = 0; i < unknowns(self); i++) {
    const size_t row = (size_t)i * (size_t)width;
    const double *a0 = self->stiffness_band + row, *a1 = self->damping_band + row;
    double *re = slot->is_complex ? wy_band_complex_row_re(&slot->band_complex, i) : wy_band_row(&slot->band, i);
    for (int k = 0; k < width; k++)
      re[k] = -a1[k] - inv_re * a0[k];
    re[half] += slot->re;
    double *im = slot->is_complex ? wy_band_complex_row_im(&slot->band_complex, i) : NULL;
    if (im) {
      for (int k = 0; k < width; k++)
        im[k] = -inv_im * a0[k];
      im[half] += slot->im;
    }
    if (self->branches.count)
      combine_material(self, slot, i, re, im);
  }
}

/* Forces and torques of a stress of the branches, as accelerations in band order, added to `packed`. */
static void add_branch_forces(wy_staggered *self, double *packed) {
  const int n = self->stride;
  double *force = self->branches.strain[0], *torque = force + (size_t)3 * n; /* no longer needed as strains */
  memset(force, 0, 6 * (size_t)n * sizeof *force);
  wy_staggered_gather_forces(self, force, torque);
  for (int i = 0; i <= self->n; i++) {
    for (int k = 0; k < 3; k++) {
      bool held = (i == 0 && self->jac_held[0][k]) || (i == self->n && self->jac_held[1][k]);
      packed[CELL * i + k] += held ? 0 : self->inv_mass[i] * force[k * n + i];
    }
    if (i == self->n)
      continue;
    wy_v3 spin = wy_each(wy_load3(self->inv_inertia, n, i), wy_load3(torque, n, i));
    wy_q4 rate = wy_qtimes(0.5, wy_times_pure(wy_load4(self->jac_p, n, i), spin));
    const double lifted[4] = {rate.w, rate.x, rate.y, rate.z};
    for (int k = 0; k < 4; k++)
      packed[CELL * i + 3 + k] += lifted[k];
  }
}

/* The known stress of (S45): the strain of r_pos / sigma, and the branches' right-hand sides. */
static void add_known_stress(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  double *const *strain = self->branches.strain;
  const double *parts[2] = {re, im};
  double *packed[2] = {self->packed, self->packed_im};
  for (int part = 0; part < (im ? 2 : 1); part++) {
    wy_staggered_branch_turns(self, parts[part] + self->p, self->theta);
    wy_staggered_branch_strain(self, parts[part] + self->x, self->theta, strain[part]);
  }
  for (int i = 0; i < 6 * self->stride; i++) {
    double a = strain[0][i], b = im ? strain[1][i] : 0;
    strain[0][i] = inv_re * a - inv_im * b;
    strain[1][i] = inv_re * b + inv_im * a;
  }
  wy_staggered_branch_known(self, slot, re, im);
  for (int part = 0; part < (im ? 2 : 1); part++) {
    wy_staggered_clear_forces(self);
    wy_staggered_branch_forces(self, self->branches.stress[part]);
    add_branch_forces(self, packed[part]);
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
    if (self->branches.count)
      add_known_stress(self, slot, re, NULL);
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
    if (self->branches.count)
      add_known_stress(self, slot, re, im);
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
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
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
  if (self->branches.count) {
    wy_staggered_branch_multiply(self, x, y);
    add_branch_forces(self, self->packed);
  }
  unpack(self, velocity, self->x, self->p, y);
  unpack(self, self->packed, self->v, self->w, y);
}
