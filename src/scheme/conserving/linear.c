/* SPDX-License-Identifier: MIT */
/* sigma - J, J the Jacobian of the rates, factored (C15). Of a node's 19 unknowns q, r, gamma and kappa are eliminated
   one node at a time; what is left couples p and w of nodes that are up to two differences apart, in a band. Shifts are
   complex; for real ones the imaginary parts are left out. */
#include <math.h>
#include <string.h>

#include "scheme/conserving/block.h"

/* Two differences: of order 2 they reach 2 nodes, of order 4 up to 5, near the ends. */
int wy_conserving_half_bandwidth(int order) {
  return (order == 4 ? 5 : 2) * WY_INTERFACE + WY_INTERFACE - 1;
}

/* Complex products: part 0 is real, part 1 imaginary. */
typedef double pair3[2][9];

static void multiply_pairs(int parts, pair3 a, pair3 b, pair3 out) {
  double part[9];
  wy_matmul3(a[0], b[0], out[0]);
  if (parts == 1)
    return;
  wy_matmul3(a[1], b[1], part);
  for (int i = 0; i < 9; i++)
    out[0][i] -= part[i];
  wy_matmul3(a[0], b[1], out[1]);
  wy_matmul3(a[1], b[0], part);
  for (int i = 0; i < 9; i++)
    out[1][i] += part[i];
}

/* out += m x for an n x n matrix, given as its two parts. */
static void add_product(int parts, int n, const double *m_re, const double *m_im, double x[2][6], double out[2][6]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int k = n * i + j;
      out[0][i] += m_re[k] * x[0][j];
      if (parts == 2) {
        out[0][i] -= m_im[k] * x[1][j];
        out[1][i] += m_re[k] * x[1][j] + m_im[k] * x[0][j];
      }
    }
}

/* ---- Factorisation ---- */

/* (sigma + skew w)^-1 = (sigma^2 - sigma skew w + w w^T) / (sigma (sigma^2 + |w|^2)) */
static void invert_spin(const double sigma[2], wy_v3 w, pair3 out) {
  const double a = sigma[0], b = sigma[1], square = wy_inner(w, w);
  const double re = a * a - b * b, im = 2 * a * b; /* sigma^2 */
  const double d_re = a * (re + square) - b * im, d_im = a * im + b * (re + square);
  const double size = d_re * d_re + d_im * d_im, i_re = d_re / size, i_im = -d_im / size;
  const double vector[3] = {w.x, w.y, w.z};
  double s[9];
  wy_to_rows(wy_skew(w), s);
  for (int k = 0; k < 9; k++) {
    double top_re = (k % 4 == 0 ? re : 0) - a * s[k] + vector[k / 3] * vector[k % 3];
    double top_im = (k % 4 == 0 ? im : 0) - b * s[k];
    out[0][k] = top_re * i_re - top_im * i_im;
    out[1][k] = top_re * i_im + top_im * i_re;
  }
}

/* Strains that free ends keep. */
static bool keeps_strain(const wy_conserving *self, int j, bool curvature) {
  if (j > 0 && j < self->nodes - 1)
    return false;
  const wy_conserving_end *end = &self->ends[j == 0 ? WY_START : WY_END];
  return !end->weak && !(curvature ? end->rotation : end->position);
}

static bool is_held(const wy_conserving *self, int j, bool rotation) {
  if (j > 0 && j < self->nodes - 1)
    return false;
  const wy_conserving_end *end = &self->ends[j == 0 ? WY_START : WY_END];
  return rotation ? end->rotation : end->position;
}

/* gamma and kappa of a node by the differences (`along`) and values (`at`) of p and w. */
static void eliminate_node(const wy_conserving *self, wy_conserving_factor *factor, int j, int parts) {
  const wy_conserving_node *node = &self->node[j];
  pair3 inverse = {{0}}, s = {{0}}, a = {{0}}, b = {{0}}, c = {{0}};
  invert_spin(factor->sigma, node->w, inverse);
  double *along[2] = {factor->along[0] + WY_BLOCK * (size_t)j, NULL};
  double *at[2] = {factor->at[0] + WY_BLOCK * (size_t)j, NULL};
  for (int part = 0; part < parts; part++) {
    along[part] = factor->along[part] + WY_BLOCK * (size_t)j;
    at[part] = factor->at[part] + WY_BLOCK * (size_t)j;
    memset(along[part], 0, WY_BLOCK * sizeof(double));
    memset(at[part], 0, WY_BLOCK * sizeof(double));
    memcpy(factor->inverse[part] + 9 * (size_t)j, inverse[part], sizeof inverse[part]);
    add_block(along[part], 0, 0, 1, inverse[part]);
    add_block(along[part], 1, 1, 1, inverse[part]);
  }
  wy_to_rows(wy_skew(node->p), s[0]);
  multiply_pairs(parts, inverse, s, a); /* A [p] */
  multiply_pairs(parts, a, inverse, b); /* A [p] A */
  wy_to_rows(wy_skew(node->u), s[0]);
  multiply_pairs(parts, inverse, s, c); /* A [u] */
  for (int part = 0; part < parts; part++) {
    add_block(along[part], 0, 1, -1, b[part]);
    add_block(at[part], 0, 0, 1, c[part]);
    add_block(at[part], 1, 1, 1, c[part]);
  }
  multiply_pairs(parts, b, s, c); /* A [p] A [u] */
  wy_to_rows(wy_skew(node->v), s[0]);
  multiply_pairs(parts, inverse, s, a); /* A [v] */
  for (int part = 0; part < parts; part++) {
    add_block(at[part], 0, 1, 1, a[part]);
    add_block(at[part], 0, 1, -1, c[part]);
    for (int x = 0; x < 2; x++)
      if (keeps_strain(self, j, x == 1)) {
        memset(along[part] + 18 * x, 0, 18 * sizeof(double));
        memset(at[part] + 18 * x, 0, 18 * sizeof(double));
      }
  }
}

/* Stresses by strains: out = K m for 6 columns. */
static void times_stiffness(const wy_law_stiffness *law, const double m[WY_BLOCK], double out[WY_BLOCK]) {
  for (int c = 0; c < 6; c++)
    for (int i = 0; i < 3; i++) {
      out[6 * i + c] = law->force[i] * m[6 * i + c];
      out[6 * (3 + i) + c] =
          law->moment[i][0] * m[18 + c] + law->moment[i][1] * m[24 + c] + law->moment[i][2] * m[30 + c];
    }
}

static void multiply6(const double a[WY_BLOCK], const double b[WY_BLOCK], double out[WY_BLOCK]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int k = 0; k < 6; k++)
        sum += a[6 * i + k] * b[6 * k + j];
      out[6 * i + j] = sum;
    }
}

/* D in the balance of node i by the stresses of node j: at a weak end its own pull is taken off (C10). */
static double stress_difference(const wy_conserving *self, int i, int k) {
  double d = self->difference[(size_t)i * WY_STENCIL + (size_t)k];
  const int end = i == 0 ? WY_START : WY_END;
  if (k == WY_REACH && (i == 0 || i == self->nodes - 1) && self->ends[end].weak)
    d -= wy_outward(end) / self->norm[i];
  return d;
}

/* Takes factor * m from the rows of node i, columns of node l; row_scale is one over the inertia. */
static void take_from_rows(double *rows, int width, int kl, int i, int l, const double *row_scale, double factor,
                           const double m[WY_BLOCK]) {
  for (int x = 0; x < 6; x++) {
    double *row = rows + (size_t)(6 * i + x) * (size_t)width + (6 * l - (6 * i + x) + kl);
    const double scaled = factor * row_scale[x];
    for (int y = 0; y < 6; y++)
      row[y] -= scaled * m[6 * x + y];
  }
}

typedef struct rows {
  double *first; /* of the band */
  int width, kl;
} rows;

/* One part of the rows of node i; `stressed` are K along and K at of all nodes. */
static void assemble_node(const wy_conserving *self, const wy_conserving_factor *factor, int part, int i,
                          const rows *to, double (*stressed)[2][WY_BLOCK]) {
  static const double ones[6] = {1, 1, 1, 1, 1, 1};
  const wy_conserving_node *node = &self->node[i];
  const double *inertia = self->inertia + 4 * (size_t)i;
  const double scale[6] = {1 / inertia[0], 1 / inertia[0], 1 / inertia[0],
                           1 / inertia[1], 1 / inertia[2], 1 / inertia[3]};
  double m[WY_BLOCK];
  for (int k = 0; k < WY_STENCIL; k++) {
    const int j = i + k - WY_REACH;
    const double d = j >= 0 && j < self->nodes ? stress_difference(self, i, k) : 0;
    if (d == 0)
      continue;
    take_from_rows(to->first, to->width, to->kl, i, j, scale, d, stressed[j][1]);
    for (int x = 0; x < WY_STENCIL; x++) {
      const double dd = self->difference[(size_t)j * WY_STENCIL + (size_t)x];
      if (dd != 0)
        take_from_rows(to->first, to->width, to->kl, i, j + x - WY_REACH, scale, d * dd, stressed[j][0]);
    }
  }
  multiply6(node->source, factor->along[part] + WY_BLOCK * (size_t)i, m);
  for (int k = 0; k < WY_STENCIL; k++) {
    const double d = self->difference[(size_t)i * WY_STENCIL + (size_t)k];
    if (d != 0)
      take_from_rows(to->first, to->width, to->kl, i, i + k - WY_REACH, ones, d, m);
  }
  multiply6(node->source, factor->at[part] + WY_BLOCK * (size_t)i, m);
  take_from_rows(to->first, to->width, to->kl, i, i, ones, 1, m);
  if (part == 0)
    take_from_rows(to->first, to->width, to->kl, i, i, ones, 1, node->local);
}

/* Loads that turn with q by w: (sigma turned[0] + turned[1]) / (sigma^2 + |w|^2 / 4). */
static void assemble_turned(const wy_conserving *self, const wy_conserving_factor *factor, int part, int i,
                            const rows *to) {
  static const double ones[6] = {1, 1, 1, 1, 1, 1};
  const wy_conserving_node *node = &self->node[i];
  const double a = factor->sigma[0], b = factor->sigma[1];
  const double re = a * a - b * b + 0.25 * wy_inner(node->w, node->w), im = 2 * a * b, size = re * re + im * im;
  const double inverse[2] = {re / size, -im / size};
  const double shifted[2] = {a * inverse[0] - b * inverse[1], a * inverse[1] + b * inverse[0]};
  double m[WY_BLOCK] = {0};
  for (int x = 0; x < 2; x++) {
    add_block(m, x, 1, shifted[part], node->turned[x][0]);
    add_block(m, x, 1, inverse[part], node->turned[x][1]);
  }
  take_from_rows(to->first, to->width, to->kl, i, i, ones, 1, m);
}

/* What in the rows of node i depends on r of node j, which is (its rate by p, w through q) / sigma. */
static void assemble_place(const wy_conserving *self, const wy_conserving_factor *factor, int part, int i, int j,
                           const wy_conserving_by_place *by, const rows *to) {
  static const double ones[6] = {1, 1, 1, 1, 1, 1};
  const wy_conserving_node *node = &self->node[j];
  const double a = factor->sigma[0], b = factor->sigma[1];
  const double re = a * a - b * b + 0.25 * wy_inner(node->w, node->w), im = 2 * a * b;
  const double one[2] = {a / (a * a + b * b), -b / (a * a + b * b)}; /* 1 / sigma */
  const double d_re = a * re - b * im, d_im = a * im + b * re, size = d_re * d_re + d_im * d_im;
  const double inverse[2] = {d_re / size, -d_im / size}; /* 1 / (sigma (sigma^2 + |w|^2 / 4)) */
  const double shifted[2] = {a * inverse[0] - b * inverse[1], a * inverse[1] + b * inverse[0]};
  double m[WY_BLOCK] = {0}, by_velocity[9];
  for (int x = 0; x < 2; x++) {
    wy_matmul3(by->rates[x], node->rotation, by_velocity);
    add_block(m, x, 0, one[part], by_velocity);
    add_block(m, x, 1, shifted[part], by->turned[x][0]);
    add_block(m, x, 1, inverse[part], by->turned[x][1]);
  }
  take_from_rows(to->first, to->width, to->kl, i, j, ones, 1, m);
}

static void assemble_caps(const wy_conserving *self, const wy_conserving_factor *factor, int part, const rows *to) {
  for (int e = 0; e < 2; e++) {
    const int end = wy_end_node(self, e), next = wy_conserving_next_node(self, e);
    if (!self->contact.caps[e].touches)
      continue;
    assemble_place(self, factor, part, end, next, &self->contact.caps[e].on_end, to);
    assemble_place(self, factor, part, next, end, &self->contact.caps[e].on_next, to);
  }
}

/* Held unknowns keep to themselves: their rows and columns have the diagonal only. */
static void isolate_held(const wy_conserving *self, const rows *to) {
  const int n = WY_INTERFACE * self->nodes;
  for (int end = 0; end < 2; end++)
    for (int x = 0; x < WY_INTERFACE; x++) {
      const int k = WY_INTERFACE * wy_end_node(self, end) + x;
      if (!is_held(self, wy_end_node(self, end), x >= 3))
        continue;
      memset(to->first + (size_t)k * (size_t)to->width, 0, (size_t)to->width * sizeof(double));
      for (int i = k > to->kl ? k - to->kl : 0; i < n && i <= k + to->kl; i++)
        to->first[(size_t)i * (size_t)to->width + (size_t)(k - i + to->kl)] = 0;
    }
}

static void assemble(wy_conserving *self, const wy_conserving_factor *factor, int part, const rows *to) {
  const int n = WY_INTERFACE * self->nodes;
  memset(to->first, 0, (size_t)n * (size_t)to->width * sizeof(double));
  for (int j = 0; j < self->nodes; j++) {
    times_stiffness(&self->node[j].law, factor->along[part] + WY_BLOCK * (size_t)j, self->stressed[j][0]);
    times_stiffness(&self->node[j].law, factor->at[part] + WY_BLOCK * (size_t)j, self->stressed[j][1]);
  }
  for (int i = 0; i < self->nodes; i++) {
    assemble_node(self, factor, part, i, to, self->stressed);
    assemble_turned(self, factor, part, i, to);
    if (self->varies)
      assemble_place(self, factor, part, i, i, &self->node[i].by_place, to);
  }
  assemble_caps(self, factor, part, to);
  isolate_held(self, to);
  for (int k = 0; k < n; k++)
    to->first[(size_t)k * (size_t)to->width + (size_t)to->kl] += factor->sigma[part];
}

int wy_conserving_factor_real(wy_system *system, int slot, double sigma) {
  wy_conserving *self = (wy_conserving *)system;
  wy_conserving_factor *factor = &self->real[slot];
  wy_band *band = &factor->band;
  factor->sigma[0] = sigma, factor->sigma[1] = 0;
  for (int j = 0; j < self->nodes; j++)
    eliminate_node(self, factor, j, 1);
  assemble(self, factor, 0, &(rows){band->rows, band->kl + band->ku + 1, band->kl});
  return wy_band_factor(band);
}

int wy_conserving_factor_complex(wy_system *system, int slot, double sigma_re, double sigma_im) {
  wy_conserving *self = (wy_conserving *)system;
  wy_conserving_factor *factor = &self->complex[slot];
  wy_band_complex *band = &factor->band_complex;
  const int width = band->kl + band->ku + 1;
  factor->sigma[0] = sigma_re, factor->sigma[1] = sigma_im;
  for (int j = 0; j < self->nodes; j++)
    eliminate_node(self, factor, j, 2);
  assemble(self, factor, 0, &(rows){band->rows_re, width, band->kl});
  assemble(self, factor, 1, &(rows){band->rows_im, width, band->kl});
  return wy_band_complex_factor(band);
}

/* ---- Solution ---- */

/* One complex number and its inverse act on pairs (re, im). */
static void divide(const double by[2], int parts, double x[2]) {
  if (parts == 1) {
    x[0] /= by[0];
    return;
  }
  const double size = by[0] * by[0] + by[1] * by[1], re = x[0], im = x[1];
  x[0] = (re * by[0] + im * by[1]) / size;
  x[1] = (im * by[0] - re * by[1]) / size;
}

typedef struct solving {
  const wy_conserving *self;
  const wy_conserving_factor *factor;
  int parts;
  double *b[2];
} solving;

static void load_pair(const solving *in, int offset, int components, int j, double out[2][6]) {
  for (int part = 0; part < in->parts; part++)
    for (int c = 0; c < components; c++)
      out[part][c] = in->b[part][offset + c * in->self->stride + j];
}

static void store_pair(const solving *in, int offset, int components, int j, double from[2][6]) {
  for (int part = 0; part < in->parts; part++)
    for (int c = 0; c < components; c++)
      in->b[part][offset + c * in->self->stride + j] = from[part][c];
}

/* (sigma + w / 2 from the right) q / (sigma^2 + |w|^2 / 4), in place. */
static void solve_frame(const solving *in, int j, double q[2][6]) {
  const wy_conserving_node *node = &in->self->node[j];
  const double *sigma = in->factor->sigma, a = sigma[0], b = sigma[1];
  const double divisor[2] = {a * a - b * b + 0.25 * wy_inner(node->w, node->w), 2 * a * b};
  double spun[2][4] = {{0}}, x[2] = {0};
  for (int part = 0; part < in->parts; part++) {
    wy_q4 half = wy_qtimes(0.5, wy_times_pure((wy_q4){q[part][0], q[part][1], q[part][2], q[part][3]}, node->w));
    spun[part][0] = half.w, spun[part][1] = half.x, spun[part][2] = half.y, spun[part][3] = half.z;
  }
  for (int c = 0; c < 4; c++) {
    x[0] = a * q[0][c] + spun[0][c];
    if (in->parts == 2) {
      x[0] -= b * q[1][c];
      x[1] = a * q[1][c] + b * q[0][c] + spun[1][c];
    }
    divide(divisor, in->parts, x);
    for (int part = 0; part < in->parts; part++)
      q[part][c] = x[part];
  }
}

/* gamma and kappa as far as they do not depend on p and w. */
static void first_strains(const solving *in, int j, double y[2][6]) {
  const wy_conserving *self = in->self;
  const double *inverse[2] = {in->factor->inverse[0] + 9 * (size_t)j, NULL};
  double b[2][6] = {{0}}, kappa[2][6] = {{0}}, gamma[2][6] = {{0}};
  if (in->parts == 2)
    inverse[1] = in->factor->inverse[1] + 9 * (size_t)j;
  load_pair(in, self->kappa, 3, j, b);
  add_product(in->parts, 3, inverse[0], inverse[1], b, kappa);
  load_pair(in, self->gamma, 3, j, b);
  for (int part = 0; part < in->parts; part++) {
    wy_v3 change = keeps_strain(self, j, true) ? (wy_v3){0, 0, 0} : wy_at3(kappa[part]);
    wy_v3 turned = wy_cross(self->node[j].p, change);
    b[part][0] -= turned.x, b[part][1] -= turned.y, b[part][2] -= turned.z;
  }
  add_product(in->parts, 3, inverse[0], inverse[1], b, gamma);
  for (int part = 0; part < in->parts; part++)
    for (int c = 0; c < 3; c++) {
      y[part][c] = keeps_strain(self, j, false) ? 0 : gamma[part][c];
      y[part][3 + c] = keeps_strain(self, j, true) ? 0 : kappa[part][c];
    }
}

/* Stresses of the strains y of node j. */
static void stresses(const wy_conserving_node *node, const double y[6], double out[6]) {
  for (int i = 0; i < 3; i++) {
    out[i] = node->law.force[i] * y[i];
    out[3 + i] = node->law.moment[i][0] * y[3] + node->law.moment[i][1] * y[4] + node->law.moment[i][2] * y[5];
  }
}

/* The right-hand side of p and w of node i. */
static void gather(const solving *in, int i, double *to[2], double *const kept[2], double frame[2][6]) {
  const wy_conserving *self = in->self;
  const wy_conserving_node *node = &self->node[i];
  const double *inertia = self->inertia + 4 * (size_t)i;
  for (int part = 0; part < in->parts; part++) {
    double sum[6] = {0}, stress[6];
    for (int k = 0; k < WY_STENCIL; k++) {
      const int j = i + k - WY_REACH;
      const double d = j >= 0 && j < self->nodes ? stress_difference(self, i, k) : 0;
      if (d == 0)
        continue;
      stresses(&self->node[j], kept[part] + 6 * (size_t)j, stress);
      for (int x = 0; x < 6; x++)
        sum[x] += d * stress[x];
    }
    divide_rows(inertia, 1, sum);
    for (int x = 0; x < 6; x++) {
      for (int y = 0; y < 6; y++)
        sum[x] += node->source[6 * x + y] * kept[part][6 * i + y];
      for (int y = 0; y < 4; y++)
        sum[x] += node->by_frame[x / 3][4 * (x % 3) + y] * frame[part][y];
      double b = in->b[part][(x < 3 ? self->p : self->w) + x % 3 * self->stride + i];
      to[part][6 * i + x] = is_held(self, i, x >= 3) ? b : b + sum[x];
    }
  }
}

/* What r of node j adds to node i, as far as it is known: (b + place_by_frame q) / sigma. */
static void gather_place(const solving *in, int i, int j, const wy_conserving_by_place *by, double *to[2],
                         double frame[2][6]) {
  const wy_conserving *self = in->self;
  const wy_conserving_node *node = &self->node[j];
  double place[2][6] = {{0}};
  load_pair(in, self->r, 3, j, place);
  for (int c = 0; c < 3; c++) {
    double x[2] = {place[0][c], place[1][c]};
    for (int part = 0; part < in->parts; part++)
      for (int y = 0; y < 4; y++)
        x[part] += node->place_by_frame[4 * c + y] * frame[part][y];
    divide(in->factor->sigma, in->parts, x);
    place[0][c] = x[0], place[1][c] = x[1];
  }
  for (int part = 0; part < in->parts; part++)
    for (int x = 0; x < 6; x++)
      for (int c = 0; c < 3 && !is_held(self, i, x >= 3); c++)
        to[part][6 * i + x] += by->rates[x / 3][3 * (x % 3) + c] * place[part][c];
}

/* Once all right-hand sides are there. */
static void gather_caps(const solving *in, double *to[2]) {
  const wy_conserving *self = in->self;
  for (int k = 0; k < 4; k++) {
    const int e = k / 2, end = wy_end_node(self, e), next = wy_conserving_next_node(self, e);
    const int row = k % 2 ? next : end, column = k % 2 ? end : next;
    double frame[2][6] = {{0}};
    if (!self->contact.caps[e].touches)
      continue;
    load_pair(in, self->q, 4, column, frame);
    solve_frame(in, column, frame);
    gather_place(in, row, column, k % 2 ? &self->contact.caps[e].on_next : &self->contact.caps[e].on_end, to, frame);
  }
}

/* p and w of node j without what is held. */
static void moving(const wy_conserving *self, int j, const double *z, double out[6]) {
  for (int x = 0; x < 6; x++)
    out[x] = is_held(self, j, x >= 3) ? 0 : z[6 * j + x];
}

static void finish_strains(const solving *in, int j, double *const z[2], double *const kept[2]) {
  const wy_conserving *self = in->self;
  const size_t block = WY_BLOCK * (size_t)j;
  const bool both = in->parts == 2;
  double along[2][6] = {{0}}, at[2][6] = {{0}}, y[2][6] = {{0}}, gamma[2][6] = {{0}}, kappa[2][6] = {{0}}, neighbour[6];
  for (int part = 0; part < in->parts; part++) {
    memcpy(y[part], kept[part] + 6 * (size_t)j, sizeof y[part]);
    moving(self, j, z[part], at[part]);
    for (int k = 0; k < WY_STENCIL; k++) {
      const double d = self->difference[(size_t)j * WY_STENCIL + (size_t)k];
      if (d == 0)
        continue;
      moving(self, j + k - WY_REACH, z[part], neighbour);
      for (int x = 0; x < 6; x++)
        along[part][x] += d * neighbour[x];
    }
  }
  add_product(in->parts, 6, in->factor->along[0] + block, both ? in->factor->along[1] + block : NULL, along, y);
  add_product(in->parts, 6, in->factor->at[0] + block, both ? in->factor->at[1] + block : NULL, at, y);
  load_pair(in, self->gamma, 3, j, gamma);
  load_pair(in, self->kappa, 3, j, kappa);
  for (int c = 0; c < 3; c++) { /* strains that are kept have no rate */
    double g[2] = {gamma[0][c], gamma[1][c]}, k[2] = {kappa[0][c], kappa[1][c]};
    divide(in->factor->sigma, in->parts, g);
    divide(in->factor->sigma, in->parts, k);
    for (int part = 0; part < in->parts; part++) {
      gamma[part][c] = keeps_strain(self, j, false) ? g[part] : y[part][c];
      kappa[part][c] = keeps_strain(self, j, true) ? k[part] : y[part][3 + c];
    }
  }
  store_pair(in, self->gamma, 3, j, gamma);
  store_pair(in, self->kappa, 3, j, kappa);
}

static void finish_place(const solving *in, int j, double *const z[2]) {
  const wy_conserving *self = in->self;
  const wy_conserving_node *node = &self->node[j];
  double motion[2][6] = {{0}}, q[2][6] = {{0}}, r[2][6] = {{0}};
  load_pair(in, self->q, 4, j, q);
  load_pair(in, self->r, 3, j, r);
  for (int part = 0; part < in->parts; part++) {
    moving(self, j, z[part], motion[part]);
    wy_q4 half = wy_qtimes(0.5, wy_times_pure(node->q, wy_at3(motion[part] + 3)));
    q[part][0] += half.w, q[part][1] += half.x, q[part][2] += half.y, q[part][3] += half.z;
  }
  solve_frame(in, j, q);
  for (int c = 0; c < 3; c++) {
    double x[2] = {0};
    for (int part = 0; part < in->parts; part++) {
      x[part] = r[part][c];
      for (int y = 0; y < 4 && !is_held(self, j, false); y++)
        x[part] +=
            node->place_by_frame[4 * c + y] * q[part][y] + (y < 3 ? node->rotation[3 * c + y] * motion[part][y] : 0);
    }
    divide(in->factor->sigma, in->parts, x);
    for (int part = 0; part < in->parts; part++)
      r[part][c] = x[part];
  }
  store_pair(in, self->q, 4, j, q);
  store_pair(in, self->r, 3, j, r);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the solution is written through `in` */
static void solve(wy_conserving *self, const wy_conserving_factor *factor, int parts, double *b_re, double *b_im) {
  const solving in = {self, factor, parts, {b_re, b_im}};
  double *z[2] = {self->rhs[0], self->rhs[1]}, *kept[2] = {self->kept[0], self->kept[1]};
  for (int j = 0; j < self->nodes; j++) {
    double y[2][6] = {{0}};
    first_strains(&in, j, y);
    for (int part = 0; part < parts; part++)
      memcpy(kept[part] + 6 * (size_t)j, y[part], sizeof y[part]);
  }
  for (int j = 0; j < self->nodes; j++) {
    double frame[2][6] = {{0}};
    load_pair(&in, self->q, 4, j, frame);
    solve_frame(&in, j, frame);
    gather(&in, j, z, kept, frame);
    if (self->varies)
      gather_place(&in, j, j, &self->node[j].by_place, z, frame);
  }
  gather_caps(&in, z);
  if (parts == 2)
    wy_band_complex_solve(&factor->band_complex, z[0], z[1]);
  else
    wy_band_solve(&factor->band, z[0]);
  for (int j = 0; j < self->nodes; j++) {
    finish_strains(&in, j, z, kept);
    finish_place(&in, j, z);
    for (int part = 0; part < parts; part++)
      for (int x = 0; x < 6; x++)
        in.b[part][(x < 3 ? self->p : self->w) + x % 3 * self->stride + j] = z[part][6 * j + x];
  }
}

void wy_conserving_solve(wy_system *system, int slot, double *b) {
  wy_conserving *self = (wy_conserving *)system;
  solve(self, &self->real[slot], 1, b, NULL);
}

void wy_conserving_solve_complex(wy_system *system, int slot, double *b_re, double *b_im) {
  wy_conserving *self = (wy_conserving *)system;
  solve(self, &self->complex[slot], 2, b_re, b_im);
}
