/* The rod's linearised equations with the section forces kept as unknowns, 9 a segment: (dx, theta, dF), ordered x_0,
   theta_0, F_0, x_1, ..., x_N, half bandwidth 11, with tendons 17. Constrained strains have no compliance in their row:
   one form for all models. It serves equilibria, and the implicit integrators of constrained rods (C10)-(C17).

   The matrix is kept in three bands, by what they act on: configuration (dx, theta, dF), rates (dv, dOmega),
   accelerations (dv', dOmega'). For one shift they are added up with dv = sigma dx, dOmega = T theta. */
#include <string.h>

#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

enum { CELL = WY_SADDLE_CELL, TURN = 3, FORCE = 6 };

static int width_of(const wy_staggered *self) {
  return 2 * self->saddle_half + 1;
}

/* band(row .. row + 2, column .. column + 2) += factor m */
static void add_block(const wy_staggered *self, double *band, int row, int column, double factor, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  const int next = width_of(self) - 1; /* the same column, one row on */
  for (int c = 0; c < 3; c++) {
    double *at = band + (size_t)row * (size_t)(next + 1) + (column + c - row + self->saddle_half);
    at[0] += factor * columns[c].x;
    at[next] += factor * columns[c].y;
    at[2 * next] += factor * columns[c].z;
  }
}

static void add_diagonal(const wy_staggered *self, double *band, int row, wy_v3 d) {
  const int width = width_of(self);
  double *at = band + (size_t)row * (size_t)width + self->saddle_half;
  at[0] += d.x, at[width] += d.y, at[2 * width] += d.z;
}

/* m acts on a difference over the segment: of its two vertices. */
static void add_difference(const wy_staggered *self, double *band, int row, int i, double factor, wy_m3 m) {
  add_block(self, band, row, CELL * (i + 1), factor, m);
  add_block(self, band, row, CELL * i, -factor, m);
}

/* One segment at the state of the last evaluation, directors; rates and accelerations are zero in an equilibrium. */
typedef struct segment {
  double h;
  wy_m3 back, over; /* R^T, and R^T / h */
  wy_v3 x, force;   /* R^T Dx / h, section force */
  wy_v3 y, rate;    /* R^T Dv / h, Gamma' */
  wy_v3 b;          /* R^T Da / h */
  wy_v3 omega, spin;
  double compliance; /* of extension */
} segment;

/* In motion the law gives the force of a strain; in an equilibrium the strain of a force, which follows the state. */
static double compliance_at(const wy_staggered *self, const double *u, bool moving, wy_v3 x, int i) {
  const double c = self->c_gamma[2 * self->stride + i];
  double compliance;
  if (self->constrained == 3)
    return 0;
  if (moving && wy_law_resists_compression(&self->rod->law))
    return 1 / (c * wy_law_compressed_stiffness(x.z - 1));
  wy_law_extension(&self->rod->law, c, moving ? 0 : u[self->base.size + 2 * self->stride + i], &compliance);
  return compliance;
}

static segment segment_at(const wy_staggered *self, const double *u, const double *f, int i) {
  const int n = self->stride, hs = self->halo_stride;
  segment s = {.h = self->h[i]};
  s.back = wy_mtransposed(wy_rotation(wy_load4(self->unit, hs, i)));
  s.over = wy_mtimes(self->inv_h[i], s.back);
  s.x = wy_apply(s.over, wy_minus(wy_load3(u + self->x, n, i + 1), wy_load3(u + self->x, n, i)));
  s.force = wy_apply(s.back, wy_load3(self->section_force, hs, i));
  s.compliance = compliance_at(self, u, f != NULL, s.x, i);
  if (!f)
    return s;
  s.omega = wy_load3(self->omega, hs, i);
  s.spin = wy_load3(f + self->w, n, i);
  s.y = wy_apply(s.over, wy_minus(wy_load3(u + self->v, n, i + 1), wy_load3(u + self->v, n, i)));
  s.rate = wy_plus(s.y, wy_cross(s.x, s.omega));
  s.b = wy_apply(s.over, wy_minus(wy_load3(f + self->v, n, i + 1), wy_load3(f + self->v, n, i)));
  return s;
}

/* ---- Forces and torques: rows x and theta ---- */

/* n = R F on the two vertices, h X x F on the segment (C11). */
static void add_section(const wy_staggered *self, const segment *s, int i) {
  double *band = self->saddle_statics;
  const int x = CELL * i, theta = x + TURN, force = x + FORCE, next = x + CELL;
  wy_m3 forward = wy_mtransposed(s->back), by_turn = wy_mproduct(forward, wy_skew(s->force));
  add_block(self, band, x, force, -1, forward);
  add_block(self, band, next, force, 1, forward);
  add_block(self, band, x, theta, 1, by_turn);
  add_block(self, band, next, theta, -1, by_turn);
  add_block(self, band, theta, force, -s->h, wy_skew(s->x));
  add_difference(self, band, theta, i, s->h, wy_skew_times(s->force, s->over));
  add_block(self, band, theta, theta, s->h, wy_skew_times(s->force, wy_skew(s->x)));
}

/* Torques at the vertex before segment i, and what was folded into the segment's own blocks: ghosts, loads. Of these
   only moments at ends, by way of tendons, depend on Dx. */
static void add_torques(const wy_staggered *self, int i, bool moving) {
  const int theta = CELL * i + TURN, before = theta - CELL;
  double *bands[2] = {self->saddle_statics, self->saddle_rate};
  const int own[2] = {WY_TORQUE_T, WY_TORQUE_W}, first[2] = {WY_MINUS_T_MINUS, WY_MINUS_W_MINUS};
  if (self->has_tendons && self->has_end_moment && (i == 0 || i == self->n - 1))
    add_difference(self, self->saddle_statics, theta, i, -1,
                   wy_block_of(self->segment_blocks, WY_SEGMENT_BLOCKS, i, WY_TORQUE_X));
  for (int k = 0; k < (moving ? 2 : 1); k++) {
    add_block(self, bands[k], theta, theta, -1, wy_block_of(self->segment_blocks, WY_SEGMENT_BLOCKS, i, own[k]));
    if (i == 0)
      continue;
    for (int which = 0; which < 4; which++) {
      wy_m3 m = wy_block_of(self->vertex_blocks, WY_VERTEX_BLOCKS, i, first[k] + which);
      add_block(self, bands[k], which < 2 ? before : theta, which % 2 ? theta : before, -1, m);
    }
  }
}

static void add_inertia(const wy_staggered *self, const segment *s, int i) {
  const int n = self->stride, theta = CELL * i + TURN;
  wy_v3 in = wy_load3(self->inertia, n, i), io = wy_each(in, s->omega);
  wy_m3 turning = wy_mtransposed(wy_scale_rows(in, wy_mtransposed(wy_skew(s->omega)))); /* skew(Om) I */
  add_diagonal(self, self->saddle_acceleration, theta, in);
  add_block(self, self->saddle_rate, theta, theta, 1, wy_mminus(turning, wy_skew(io)));
  add_diagonal(self, self->saddle_rate, theta, wy_load3(self->drag_inertia, n, i));
}

static void add_vertex(const wy_staggered *self, int i) {
  const double m = self->mass[i], d = self->drag_translation * m;
  add_diagonal(self, self->saddle_acceleration, CELL * i, (wy_v3){m, m, m});
  add_diagonal(self, self->saddle_rate, CELL * i, (wy_v3){d, d, d});
}

static void add_body_forces(const wy_staggered *self) {
  for (int k = 0; k < self->extra_count; k++) {
    const wy_extra_block *extra = &self->extras[k];
    const double *e = extra->m;
    wy_m3 m = {{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
    add_block(self, self->saddle_statics, CELL * extra->vertex, CELL * extra->segment + TURN, -1, m);
  }
  for (int end = 0; end < 2 && self->has_tendons; end++) {
    const double *e = self->end_force_x[end];
    wy_m3 m = {{e[0], e[3], e[6]}, {e[1], e[4], e[7]}, {e[2], e[5], e[8]}};
    add_difference(self, self->saddle_statics, end ? CELL * self->n : 0, end ? self->n - 1 : 0, -1, m);
  }
}

/* Tendons by half cells (A8). */
static void add_tendons(const wy_staggered *self, const double *u) {
  for (int half = 0; half < 2 * self->n; half++) {
    wy_tendon_cell cell;
    wy_staggered_tendon_cell(self, u, half / 2, half % 2, &cell);
    for (int k = 0; k < cell.count * cell.count; k++) {
      struct wy_tendon_place on = cell.places[k / cell.count], by = cell.places[k % cell.count];
      int row = CELL * on.index + (on.kind ? TURN : 0), column = CELL * by.index + (by.kind ? TURN : 0);
      add_block(self, self->saddle_statics, row, column, on.sign * by.sign, cell.stiffness[on.kind][by.kind]);
    }
  }
}

/* ---- Strains: rows F ---- */

/* Derivatives of one strain-like quantity of a segment by what it may depend on. */
typedef struct strain_row {
  wy_m3 dx, theta, dv, omega, da, spin;
} strain_row;

/* Gamma = R^T Dx / h - e3 (C12) */
static strain_row strain_derivatives(const segment *s) {
  return (strain_row){.dx = s->over, .theta = wy_skew(s->x)};
}

/* Gamma' (C13) */
static strain_row rate_derivatives(const segment *s) {
  wy_m3 skew = wy_skew(s->x);
  return (strain_row){.dx = wy_mtimes(-1, wy_skew_times(s->omega, s->over)),
                      .theta = wy_mminus(wy_skew(s->y), wy_skew_times(s->omega, skew)),
                      .dv = s->over,
                      .omega = skew};
}

/* Gamma'' (C14) */
static strain_row acceleration_derivatives(const segment *s) {
  wy_m3 skew = wy_skew(s->x), twice = wy_skew_times(s->omega, s->over);
  wy_m3 turned = wy_skew_times(s->omega, skew);
  wy_m3 theta = wy_mminus(wy_skew(s->b), wy_skew_times(s->spin, skew));
  theta = wy_mminus(theta, wy_skew_times(s->omega, wy_mminus(wy_mtimes(2, wy_skew(s->y)), turned)));
  return (strain_row){.dx = wy_mminus(wy_skew_times(s->omega, twice), wy_skew_times(s->spin, s->over)),
                      .theta = theta,
                      .dv = wy_mtimes(-2, twice),
                      .omega = wy_mminus(wy_skew(wy_plus(s->y, s->rate)), turned),
                      .da = s->over,
                      .spin = skew};
}

static void accumulate(strain_row *sum, wy_v3 factor, const strain_row *part) {
  wy_m3 *to[6] = {&sum->dx, &sum->theta, &sum->dv, &sum->omega, &sum->da, &sum->spin};
  const wy_m3 *from[6] = {&part->dx, &part->theta, &part->dv, &part->omega, &part->da, &part->spin};
  for (int k = 0; k < 6; k++)
    *to[k] = wy_mplus(*to[k], wy_scale_rows(factor, *from[k]));
}

static void add_strain_rows(const wy_staggered *self, int i, const strain_row *row) {
  const int at = CELL * i + FORCE, theta = CELL * i + TURN;
  add_difference(self, self->saddle_statics, at, i, 1, row->dx);
  add_block(self, self->saddle_statics, at, theta, 1, row->theta);
  add_difference(self, self->saddle_rate, at, i, 1, row->dv);
  add_block(self, self->saddle_rate, at, theta, 1, row->omega);
  add_difference(self, self->saddle_acceleration, at, i, 1, row->da);
  add_block(self, self->saddle_acceleration, at, theta, 1, row->spin);
}

/* Of a strain that has stiffness. */
static double compliance_of(const wy_staggered *self, const segment *s, int i, int k) {
  return k < 2 ? 1 / self->c_gamma[k * self->stride + i] : s->compliance;
}

/* h / stiffness; 0 where the strain is constrained, but for what an equilibrium may be given to begin with. */
static wy_v3 compliance(const wy_staggered *self, const segment *s, int i) {
  double c[3];
  for (int k = 0; k < 3; k++)
    c[k] = s->h * (k < self->constrained ? self->slack : compliance_of(self, s, i, k));
  return (wy_v3){c[0], c[1], c[2]};
}

/* In motion constrained strains are met on the level of accelerations (with Baumgarte's terms); the others give their
   force: h (Gamma + D/C Gamma') - h/C F = 0, C the stiffness now. */
static void add_moving_strains(const wy_staggered *self, const segment *s, int i) {
  const int n = self->stride;
  bool baumgarte = self->options.stabilisation == WY_BAUMGARTE;
  double r = baumgarte ? self->options.baumgarte_r : 0, omega = baumgarte ? self->options.baumgarte_omega : 0;
  double by[3][3]; /* factors of Gamma, Gamma', Gamma'' for the three components */
  for (int k = 0; k < 3; k++) {
    bool zero = k < self->constrained;
    by[0][k] = s->h * (zero ? omega * omega : 1);
    by[1][k] = s->h * (zero ? 2 * r : self->d_gamma[k * n + i] * compliance_of(self, s, i, k));
    by[2][k] = zero ? s->h : 0;
  }
  const strain_row parts[3] = {strain_derivatives(s), rate_derivatives(s), acceleration_derivatives(s)};
  strain_row row = {0};
  for (int level = 0; level < 3; level++)
    accumulate(&row, (wy_v3){by[level][0], by[level][1], by[level][2]}, &parts[level]);
  add_strain_rows(self, i, &row);
}

/* So little compliance of constrained strains that it is felt only where they depend on each other. */
static wy_v3 dependence(const wy_staggered *self, int i) {
  double little = -1e-12 * (self->inv_mass[i] + self->inv_mass[i + 1]);
  return (wy_v3){little, little, self->constrained == 3 ? little : 0};
}

/* The material part, which branches multiply by a factor of the shift (V9): torques at vertices and held ends; in the
   rows F the strains that have stiffness. */
static void add_material(const wy_staggered *self, const segment *s, int i) {
  const wy_branches *branches = &self->branches;
  const int theta = CELL * i + TURN, before = theta - CELL, force = CELL * i + FORCE;
  wy_m3 own = wy_block_of(branches->segment_material, WY_SEGMENT_MATERIAL, i, WY_MATERIAL_TORQUE_T);
  add_block(self, branches->band, theta, theta, -1, own);
  for (int which = 0; i > 0 && which < WY_VERTEX_MATERIAL; which++) {
    wy_m3 m = wy_block_of(branches->vertex_material, WY_VERTEX_MATERIAL, i, which);
    add_block(self, branches->band, which < 2 ? before : theta, which % 2 ? theta : before, -1, m);
  }
  add_difference(self, branches->band, force, i, s->h,
                 wy_block_of(branches->segment_strain, WY_SEGMENT_STRAIN, i, WY_STRAIN_X));
  add_block(self, branches->band, force, theta, s->h,
            wy_block_of(branches->segment_strain, WY_SEGMENT_STRAIN, i, WY_STRAIN_T));
}

/* ---- The whole ---- */

static void clear(const wy_staggered *self, bool moving) {
  size_t bytes = (size_t)(CELL * self->n + 3) * (size_t)width_of(self) * sizeof(double);
  memset(self->saddle_statics, 0, bytes);
  if (moving) {
    memset(self->saddle_rate, 0, bytes);
    memset(self->saddle_acceleration, 0, bytes);
  }
  if (moving && self->branches.count)
    memset(self->branches.band, 0, bytes);
}

void wy_staggered_saddle_fill(wy_staggered *self, const double *u, const double *f) {
  clear(self, f != NULL);
  for (int i = 0; i < self->n; i++) {
    segment s = segment_at(self, u, f, i);
    wy_v3 c = compliance(self, &s, i);
    add_section(self, &s, i);
    add_torques(self, i, f != NULL);
    add_diagonal(self, self->saddle_statics, CELL * i + FORCE, wy_times(-1, c));
    if (f) {
      add_diagonal(self, self->saddle_statics, CELL * i + FORCE, dependence(self, i));
      add_inertia(self, &s, i);
      add_moving_strains(self, &s, i);
      if (self->branches.count)
        add_material(self, &s, i);
    } else {
      add_difference(self, self->saddle_statics, CELL * i + FORCE, i, 1, s.back);
      add_block(self, self->saddle_statics, CELL * i + FORCE, CELL * i + TURN, s.h, wy_skew(s.x));
    }
  }
  for (int i = 0; f && i <= self->n; i++)
    add_vertex(self, i);
  add_body_forces(self);
  if (self->has_tendons)
    add_tendons(self, u);
}

/* Rows of held components. At rest they are springs of stiffness `spring`; in motion (0) their mass alone, in the band
   of accelerations. */
void wy_staggered_saddle_hold(wy_staggered *self, double spring) {
  double *bands[3] = {self->saddle_statics, self->saddle_rate, self->saddle_acceleration};
  bool rest = spring > 0;
  const size_t width = (size_t)width_of(self);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      int vertex = end ? self->n : 0, row = CELL * vertex + k;
      if (self->ends[end].position[k] == WY_FREE)
        continue;
      for (int b = 0; b < (rest ? 1 : 3); b++)
        memset(bands[b] + (size_t)row * width, 0, width * sizeof(double));
      bands[rest ? 0 : 2][(size_t)row * width + (size_t)self->saddle_half] = rest ? spring : self->mass[vertex];
    }
}

/* ---- One shift ---- */

typedef struct complex {
  double re, im;
} complex;

static complex times(complex a, complex b) {
  return (complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex plus(complex a, complex b) {
  return (complex){a.re + b.re, a.im + b.im};
}

static complex scaled(double f, complex a) {
  return (complex){f * a.re, f * a.im};
}

static complex inverse(complex a) {
  double norm = a.re * a.re + a.im * a.im;
  return (complex){a.re / norm, -a.im / norm};
}

static wy_v3 omega_of(const wy_staggered *self, int i) {
  return wy_load3(self->jac_omega, self->halo_stride, i);
}

/* The row vector t on dOmega = (sigma + skew(Om) / 2 + Om Om^T / (4 sigma)) theta: t becomes what acts on theta. */
static void through_turn(wy_v3 om, complex sigma, complex t[3]) {
  const double o[3] = {om.x, om.y, om.z};
  complex along = {0, 0}, out[3];
  for (int k = 0; k < 3; k++)
    along = plus(along, scaled(0.25 * o[k], t[k]));
  along = times(along, inverse(sigma));
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3; /* (t x Om) / 2 */
    complex across = plus(scaled(0.5 * o[b], t[a]), scaled(-0.5 * o[a], t[b]));
    out[k] = plus(plus(times(sigma, t[k]), across), scaled(o[k], along));
  }
  memcpy(t, out, sizeof out);
}

/* One row of configuration + (rate + sigma acceleration) T into re (and im). */
static void combine_row(const wy_staggered *self, int row, complex sigma, double *re, double *im) {
  const int half = self->saddle_half, width = width_of(self);
  const size_t start = (size_t)row * (size_t)width;
  const double *config = self->saddle_statics + start, *rate = self->saddle_rate + start;
  const double *acceleration = self->saddle_acceleration + start;
  const int order = CELL * self->n + 3;
  memcpy(re, config, (size_t)width * sizeof *re);
  if (im)
    memset(im, 0, (size_t)width * sizeof *im);
  int first = (row > half ? row - half : 0) / CELL, last = row + half < order ? row + half : order - 1;
  for (int cell = first; CELL * cell <= last; cell++)
    for (int part = 0; part <= TURN; part += TURN) {
      int column = CELL * cell + part, from = column - row + half;
      if (from < 0 || from + 2 >= width || column + 2 >= order)
        continue;
      complex t[3];
      for (int k = 0; k < 3; k++)
        t[k] = plus((complex){rate[from + k], 0}, scaled(acceleration[from + k], sigma));
      if (part)
        through_turn(omega_of(self, cell), sigma, t);
      for (int k = 0; k < 3; k++) {
        complex value = part ? t[k] : times(sigma, t[k]);
        re[from + k] += value.re;
        if (im)
          im[from + k] += value.im;
      }
    }
}

static void combine_material(const wy_staggered *self, int row, complex factor, double *re, double *im) {
  const int width = width_of(self);
  const double *material = self->branches.band + (size_t)row * (size_t)width;
  for (int k = 0; k < width; k++) {
    re[k] += factor.re * material[k];
    if (im)
      im[k] += factor.im * material[k];
  }
}

void wy_staggered_saddle_combine(wy_staggered *self, wy_slot *slot) {
  complex sigma = {slot->re, slot->im}, factor;
  wy_staggered_branch_factor(&self->branches, slot->re, slot->im, &factor.re, &factor.im);
  for (int row = 0; row < CELL * self->n + 3; row++) {
    double *re = slot->is_complex ? wy_band_complex_row_re(&slot->band_complex, row) : wy_band_row(&slot->band, row);
    double *im = slot->is_complex ? wy_band_complex_row_im(&slot->band_complex, row) : NULL;
    combine_row(self, row, sigma, re, im);
    if (self->branches.count)
      combine_material(self, row, factor, re, im);
  }
}

/* y += band x */
static void add_product(const wy_staggered *self, const double *band, int order, const double *x, double *y) {
  const int half = self->saddle_half;
  const size_t width = (size_t)width_of(self);
  for (int row = 0; row < order; row++) {
    int first = row > half ? row - half : 0, last = row + half < order ? row + half : order - 1;
    const double *at = band + (size_t)row * width + half - row;
    double sum = 0;
    for (int column = first; column <= last; column++)
      sum += at[column] * x[column];
    y[row] += sum;
  }
}

/* p^-1 r, the residual of a quaternion seen from it. */
static wy_q4 seen(const wy_staggered *self, const double *b, int i) {
  wy_q4 p = wy_load4(self->jac_p, self->stride, i);
  double inv_norm2 = 1 / (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
  return wy_qtimes(inv_norm2, wy_between(p, wy_load4(b + self->p, self->stride, i)));
}

/* rho = Om r'_0 / sigma + 2 r'_v of one segment. */
static void known_turn(const wy_staggered *self, int i, complex inv, const double *re, const double *im,
                       complex rho[3]) {
  const wy_q4 none = {0, 0, 0, 0}, q = seen(self, re, i), q_im = im ? seen(self, im, i) : none;
  wy_v3 om = omega_of(self, i);
  const double o[3] = {om.x, om.y, om.z}, v[3] = {q.x, q.y, q.z}, v_im[3] = {q_im.x, q_im.y, q_im.z};
  complex radial = times(inv, (complex){q.w, q_im.w});
  for (int k = 0; k < 3; k++)
    rho[k] = plus(scaled(o[k], radial), (complex){2 * v[k], 2 * v_im[k]});
}

/* theta0 = T^-1 rho (C17), T = sigma (1 + [a]x + a a^T) with a = Om / (2 sigma). */
static void known_angle(const wy_staggered *self, int i, complex inv, const complex rho[3], complex theta[3]) {
  wy_v3 om = omega_of(self, i);
  const double o[3] = {om.x, om.y, om.z};
  complex a = scaled(0.5, inv), norm = scaled(o[0] * o[0] + o[1] * o[1] + o[2] * o[2], times(a, a));
  complex factor = times(inv, inverse((complex){1 + norm.re, norm.im}));
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3, last = (k + 2) % 3;
    complex across = plus(scaled(o[next], rho[last]), scaled(-o[last], rho[next]));
    theta[k] = times(factor, plus(rho[k], scaled(-1, times(a, across))));
  }
}

/* acceleration . (r_v, r_w) - (configuration + material) . (r_x / sigma, theta0) into `packed` (C17). */
static void known_side(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  const int n = self->stride, order = CELL * self->n + 3, parts = im ? 2 : 1;
  complex sigma = {slot->re, slot->im}, inv = inverse(sigma), factor;
  double *displacements[2] = {self->saddle_work, self->saddle_work + order};
  double *accelerations[2] = {self->saddle_work + 2 * (size_t)order, self->saddle_work + 3 * (size_t)order};
  memset(self->saddle_work, 0, 4 * (size_t)order * sizeof(double));
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + k, x = self->x + k * n + i, v = self->v + k * n + i;
      complex dx = times(inv, (complex){re[x], im ? im[x] : 0});
      displacements[0][at] = -dx.re, displacements[1][at] = -dx.im;
      accelerations[0][at] = re[v], accelerations[1][at] = im ? im[v] : 0;
    }
  for (int i = 0; i < self->n; i++) {
    complex rho[3], theta[3];
    known_turn(self, i, inv, re, im, rho);
    known_angle(self, i, inv, rho, theta);
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + TURN + k, w = self->w + k * n + i;
      displacements[0][at] = -theta[k].re, displacements[1][at] = -theta[k].im;
      accelerations[0][at] = re[w], accelerations[1][at] = im ? im[w] : 0;
    }
  }
  double *packed[2] = {self->packed, self->packed_im};
  for (int part = 0; part < parts; part++) {
    memset(packed[part], 0, (size_t)order * sizeof(double));
    add_product(self, self->saddle_statics, order, displacements[part], packed[part]);
    add_product(self, self->saddle_acceleration, order, accelerations[part], packed[part]);
  }
  if (!self->branches.count)
    return;
  wy_staggered_branch_factor(&self->branches, slot->re, slot->im, &factor.re, &factor.im);
  for (int i = 0; i < order; i++) {
    complex scaled_config = times(factor, (complex){displacements[0][i], displacements[1][i]});
    displacements[0][i] = scaled_config.re, displacements[1][i] = scaled_config.im;
  }
  for (int part = 0; part < parts; part++)
    add_product(self, self->branches.band, order, displacements[part], packed[part]);
}

/* The stress of the branches' right-hand sides: torques, and in the rows F what the strain would be without force. */
static void add_known_stress(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  const int n = self->stride;
  double *packed[2] = {self->packed, self->packed_im}, *torque = self->branches.strain[0] + (size_t)3 * n;
  for (int part = 0; part < 2; part++)
    memset(self->branches.strain[part], 0, 6 * (size_t)n * sizeof(double));
  wy_staggered_branch_known(self, slot, re, im);
  for (int part = 0; part < (im ? 2 : 1); part++) {
    double *stress = self->branches.stress[part];
    for (int i = 0; i < self->n; i++)
      for (int k = self->constrained; k < 3; k++)
        packed[part][CELL * i + FORCE + k] -= self->h[i] * stress[k * n + i] / self->c_gamma[k * n + i];
    memset(stress, 0, 3 * (size_t)n * sizeof *stress);
    wy_staggered_clear_forces(self);
    wy_staggered_branch_forces(self, stress);
    memset(self->branches.strain[0], 0, 6 * (size_t)n * sizeof(double));
    wy_staggered_gather_forces(self, self->branches.strain[0], torque);
    for (int i = 0; i < self->n; i++)
      for (int k = 0; k < 3; k++)
        packed[part][CELL * i + TURN + k] += torque[k * n + i];
  }
}

/* From (z, zeta) = (dx - r_x / sigma, theta - theta0) to the state's increments: dv = sigma z, dOmega = T zeta, dp = p
   (q0 + theta / 2). */
static void take_apart(wy_staggered *self, const wy_slot *slot, double *re, double *im) {
  const int n = self->stride;
  complex sigma = {slot->re, slot->im}, inv = inverse(sigma);
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + k, x = self->x + k * n + i, v = self->v + k * n + i;
      complex z = {self->packed[at], im ? self->packed_im[at] : 0}, dv = times(sigma, z);
      complex dx = plus(z, times(inv, (complex){re[x], im ? im[x] : 0}));
      re[x] = dx.re, re[v] = dv.re;
      if (im)
        im[x] = dx.im, im[v] = dv.im;
    }
  for (int i = 0; i < self->n; i++) {
    wy_v3 om = omega_of(self, i);
    const double o[3] = {om.x, om.y, om.z};
    wy_q4 q = seen(self, re, i), q_im = im ? seen(self, im, i) : (wy_q4){0, 0, 0, 0};
    complex rho[3], theta[3], zeta[3], along = {0, 0}, known = {0, 0};
    known_turn(self, i, inv, re, im, rho);
    known_angle(self, i, inv, rho, theta);
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + TURN + k;
      zeta[k] = (complex){self->packed[at], im ? self->packed_im[at] : 0};
      along = plus(along, scaled(0.25 * o[k], zeta[k]));
      known = plus(known, scaled(0.25 * o[k], theta[k]));
    }
    complex radial = times(inv, plus((complex){q.w, q_im.w}, scaled(-1, plus(along, known))));
    along = times(along, inv);
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3, w = self->w + k * n + i;
      complex across = plus(scaled(0.5 * o[a], zeta[b]), scaled(-0.5 * o[b], zeta[a]));
      complex turn = plus(plus(times(sigma, zeta[k]), across), scaled(o[k], along));
      re[w] = turn.re;
      if (im)
        im[w] = turn.im;
      theta[k] = plus(theta[k], zeta[k]);
    }
    wy_q4 p = wy_load4(self->jac_p, n, i);
    wy_q4 real = wy_times_pure(p, (wy_v3){0.5 * theta[0].re, 0.5 * theta[1].re, 0.5 * theta[2].re});
    wy_store4(re + self->p, n, i, wy_qplus(real, wy_qtimes(radial.re, p)));
    if (im) {
      wy_q4 imaginary = wy_times_pure(p, (wy_v3){0.5 * theta[0].im, 0.5 * theta[1].im, 0.5 * theta[2].im});
      wy_store4(im + self->p, n, i, wy_qplus(imaginary, wy_qtimes(radial.im, p)));
    }
  }
}

void wy_staggered_saddle_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  known_side(self, slot, re, im);
  if (self->branches.count)
    add_known_stress(self, slot, re, im);
  if (im)
    wy_band_complex_solve(&slot->band_complex, self->packed, self->packed_im);
  else
    wy_band_solve(&slot->band, self->packed);
  take_apart(self, slot, re, im);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
}
