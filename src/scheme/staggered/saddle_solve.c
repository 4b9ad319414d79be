/* SPDX-License-Identifier: MIT */
/* One shift of the saddle form: its matrix from the three bands, and solves (C10)-(C17). */
#include <string.h>

#include "scheme/staggered/saddle.h"

enum { CELL = WY_SADDLE_CELL, TURN = WY_SADDLE_TURN, FORCE = WY_SADDLE_FORCE };

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
  assert(a.re != 0 || a.im != 0);
  double norm = a.re * a.re + a.im * a.im;
  return (complex){a.re / norm, -a.im / norm};
}

static wy_v3 omega_of(const wy_staggered *self, int i) {
  return wy_load3(self->linear.omega, self->grid.halo_stride, i);
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
  const int half = self->linear.saddle.half, width = wy_saddle_width(self);
  const size_t start = (size_t)row * (size_t)width;
  const double *config = self->linear.saddle.statics + start, *rate = self->linear.saddle.rate + start;
  const double *acceleration = self->linear.saddle.acceleration + start;
  const int order = wy_staggered_order(self);
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
  const int width = wy_saddle_width(self);
  const double *material = self->branches.band + (size_t)row * (size_t)width;
  for (int k = 0; k < width; k++) {
    re[k] += factor.re * material[k];
    if (im)
      im[k] += factor.im * material[k];
  }
}

int wy_saddle_factor(wy_staggered *self, wy_slot *slot) {
  complex sigma = {slot->re, slot->im}, factor;
  wy_staggered_branch_factor(&self->branches, slot->re, slot->im, &factor.re, &factor.im);
  for (int row = 0; row < wy_staggered_order(self); row++) {
    double *im, *re = wy_slot_row(slot, row, &im);
    combine_row(self, row, sigma, re, im);
    if (self->branches.count)
      combine_material(self, row, factor, re, im);
  }
  return wy_slot_factor(slot);
}

/* y += band x */
static void add_product(const wy_staggered *self, const double *band, int order, const double *x, double *y) {
  assert(x != y);
  const int half = self->linear.saddle.half;
  const size_t width = (size_t)wy_saddle_width(self);
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
  wy_q4 p = wy_load4(self->linear.p, self->grid.stride, i);
  double inv_norm2 = 1 / (wy_qsquare(p));
  return wy_qtimes(inv_norm2, wy_between(p, wy_load4(b + self->grid.p, self->grid.stride, i)));
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
void wy_saddle_begin_solve(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  const int n = self->grid.stride, order = wy_staggered_order(self), parts = im ? 2 : 1;
  complex sigma = {slot->re, slot->im}, inv = inverse(sigma), factor;
  double *displacements[2] = {self->linear.saddle.work, self->linear.saddle.work + order};
  double *accelerations[2] = {self->linear.saddle.work + 2 * (size_t)order,
                              self->linear.saddle.work + 3 * (size_t)order};
  memset(self->linear.saddle.work, 0, 4 * (size_t)order * sizeof(double));
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + k, x = self->grid.x + k * n + i, v = self->grid.v + k * n + i;
      complex dx = times(inv, (complex){re[x], im ? im[x] : 0});
      displacements[0][at] = -dx.re, displacements[1][at] = -dx.im;
      accelerations[0][at] = re[v], accelerations[1][at] = im ? im[v] : 0;
    }
  for (int i = 0; i < self->grid.n; i++) {
    complex rho[3], theta[3];
    known_turn(self, i, inv, re, im, rho);
    known_angle(self, i, inv, rho, theta);
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + TURN + k, w = self->grid.w + k * n + i;
      displacements[0][at] = -theta[k].re, displacements[1][at] = -theta[k].im;
      accelerations[0][at] = re[w], accelerations[1][at] = im ? im[w] : 0;
    }
  }
  double *packed[2] = {self->linear.packed, self->linear.packed_im};
  for (int part = 0; part < parts; part++) {
    memset(packed[part], 0, (size_t)order * sizeof(double));
    add_product(self, self->linear.saddle.statics, order, displacements[part], packed[part]);
    add_product(self, self->linear.saddle.acceleration, order, accelerations[part], packed[part]);
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
  const int n = self->grid.stride;
  double *packed[2] = {self->linear.packed, self->linear.packed_im}, *torque = self->branches.strain[0] + (size_t)3 * n;
  for (int part = 0; part < 2; part++)
    memset(self->branches.strain[part], 0, 6 * (size_t)n * sizeof(double));
  wy_staggered_branch_known(self, slot, re, im);
  for (int part = 0; part < (im ? 2 : 1); part++) {
    double *stress = self->branches.stress[part];
    for (int i = 0; i < self->grid.n; i++)
      for (int k = self->grid.constrained; k < 3; k++)
        packed[part][CELL * i + FORCE + k] -= self->grid.h[i] * stress[k * n + i] / self->stiffness.c_gamma[k * n + i];
    memset(stress, 0, 3 * (size_t)n * sizeof *stress);
    wy_staggered_clear_forces(self);
    wy_staggered_branch_forces(self, stress);
    memset(self->branches.strain[0], 0, 6 * (size_t)n * sizeof(double));
    wy_staggered_gather_forces(self, self->branches.strain[0], torque);
    for (int i = 0; i < self->grid.n; i++)
      for (int k = 0; k < 3; k++)
        packed[part][CELL * i + TURN + k] += torque[k * n + i];
  }
}

/* From (z, zeta) = (dx - r_x / sigma, theta - theta0) to the state's increments: dv = sigma z, dOmega = T zeta, dp = p
   (q0 + theta / 2). */
void wy_saddle_end_solve(wy_staggered *self, const wy_slot *slot, double *re, double *im) {
  const int n = self->grid.stride;
  complex sigma = {slot->re, slot->im}, inv = inverse(sigma);
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + k, x = self->grid.x + k * n + i, v = self->grid.v + k * n + i;
      complex z = {self->linear.packed[at], im ? self->linear.packed_im[at] : 0}, dv = times(sigma, z);
      complex dx = plus(z, times(inv, (complex){re[x], im ? im[x] : 0}));
      re[x] = dx.re, re[v] = dv.re;
      if (im)
        im[x] = dx.im, im[v] = dv.im;
    }
  for (int i = 0; i < self->grid.n; i++) {
    wy_v3 om = omega_of(self, i);
    const double o[3] = {om.x, om.y, om.z};
    wy_q4 q = seen(self, re, i), q_im = im ? seen(self, im, i) : (wy_q4){0, 0, 0, 0};
    complex rho[3], theta[3], zeta[3], along = {0, 0}, known = {0, 0};
    known_turn(self, i, inv, re, im, rho);
    known_angle(self, i, inv, rho, theta);
    for (int k = 0; k < 3; k++) {
      int at = CELL * i + TURN + k;
      zeta[k] = (complex){self->linear.packed[at], im ? self->linear.packed_im[at] : 0};
      along = plus(along, scaled(0.25 * o[k], zeta[k]));
      known = plus(known, scaled(0.25 * o[k], theta[k]));
    }
    complex radial = times(inv, plus((complex){q.w, q_im.w}, scaled(-1, plus(along, known))));
    along = times(along, inv);
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3, w = self->grid.w + k * n + i;
      complex across = plus(scaled(0.5 * o[a], zeta[b]), scaled(-0.5 * o[b], zeta[a]));
      complex turn = plus(plus(times(sigma, zeta[k]), across), scaled(o[k], along));
      re[w] = turn.re;
      if (im)
        im[w] = turn.im;
      theta[k] = plus(theta[k], zeta[k]);
    }
    wy_q4 p = wy_load4(self->linear.p, n, i);
    wy_q4 real = wy_times_pure(p, (wy_v3){0.5 * theta[0].re, 0.5 * theta[1].re, 0.5 * theta[2].re});
    wy_store4(re + self->grid.p, n, i, wy_qplus(real, wy_qtimes(radial.re, p)));
    if (im) {
      wy_q4 imaginary = wy_times_pure(p, (wy_v3){0.5 * theta[0].im, 0.5 * theta[1].im, 0.5 * theta[2].im});
      wy_store4(im + self->grid.p, n, i, wy_qplus(imaginary, wy_qtimes(radial.im, p)));
    }
  }
}

void wy_saddle_end_motion(const wy_staggered *self, const wy_slot *slot, int end, const double *re, const double *im,
                          const double *known_re, const double *known_im, double motion[WY_PORT_MOTION],
                          double motion_im[WY_PORT_MOTION]) {
  const int segment = wy_end_segment(&self->grid, end), vertex = wy_next_vertex(&self->grid, end);
  const wy_v3 om = omega_of(self, segment);
  const double o[3] = {om.x, om.y, om.z};
  const complex sigma = {slot->re, slot->is_complex ? slot->im : 0}, inv = inverse(sigma);
  complex out[WY_PORT_MOTION] = {{0, 0}}, zeta[3], theta[3] = {{0, 0}}, rho[3], along = {0, 0};
  if (known_re) {
    known_turn(self, segment, inv, known_re, known_im, rho);
    known_angle(self, segment, inv, rho, theta);
  }
  for (int k = 0; k < 3; k++) {
    const int x = self->grid.x + k * self->grid.stride + vertex;
    out[k] = (complex){re[k], im ? im[k] : 0};
    out[6 + k] = times(sigma, out[k]);
    if (known_re)
      out[k] = plus(out[k], times(inv, (complex){known_re[x], known_im ? known_im[x] : 0}));
    out[12 + k] = (complex){re[6 + k], im ? im[6 + k] : 0};
    zeta[k] = (complex){re[3 + k], im ? im[3 + k] : 0};
    along = plus(along, scaled(0.25 * o[k], zeta[k]));
  }
  along = times(along, inv);
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const complex across = plus(scaled(0.5 * o[a], zeta[b]), scaled(-0.5 * o[b], zeta[a]));
    out[3 + k] = plus(theta[k], zeta[k]);
    out[9 + k] = plus(plus(times(sigma, zeta[k]), across), scaled(o[k], along));
  }
  for (int k = 0; k < WY_PORT_MOTION; k++) {
    motion[k] = out[k].re;
    if (motion_im)
      motion_im[k] = out[k].im;
  }
}

void wy_saddle_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  wy_saddle_begin_solve(self, slot, re, im);
  if (self->branches.count)
    add_known_stress(self, slot, re, im);
  wy_slot_solve(slot, self->linear.packed, im ? self->linear.packed_im : NULL);
  wy_saddle_end_solve(self, slot, re, im);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
}
