/* SPDX-License-Identifier: MIT */
/* Shifts and solves of the absolute form (S45). */
#include <string.h>

#include "scheme/staggered/absolute.h"

enum { CELL = WY_ABSOLUTE_CELL };

/* Between the fields of a state (position part: x, p; velocity part: v, p') and band order. */
static void pack(const wy_staggered *self, const double *b, int vertices, int segments, double *packed) {
  const int n = self->grid.stride;
  for (int i = 0; i <= self->grid.n; i++) {
    for (int k = 0; k < 3; k++)
      packed[CELL * i + k] = b[vertices + k * n + i];
    for (int k = 0; k < 4 && i < self->grid.n; k++)
      packed[CELL * i + 3 + k] = b[segments + k * n + i];
  }
}

static void unpack(const wy_staggered *self, const double *packed, int vertices, int segments, double *b) {
  const int n = self->grid.stride;
  for (int i = 0; i <= self->grid.n; i++) {
    for (int k = 0; k < 3; k++)
      b[vertices + k * n + i] = packed[CELL * i + k];
    for (int k = 0; k < 4 && i < self->grid.n; k++)
      b[segments + k * n + i] = packed[CELL * i + 3 + k];
  }
}

/* y += factor band x */
static void band_times(const wy_staggered *self, const double *band, double factor, const double *x, double *y) {
  assert(x != y);
  const int size = wy_staggered_order(self), half = self->linear.half, width = wy_absolute_width(self);
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
  const int width = wy_absolute_width(self);
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

static void combine_bands(wy_staggered *self, wy_slot *slot) {
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  const int half = self->linear.half, width = wy_absolute_width(self);
  for (int i = 0; i < wy_staggered_order(self); i++) {
    const size_t row = (size_t)i * (size_t)width;
    const double *a0 = self->linear.absolute.stiffness + row, *a1 = self->linear.absolute.damping + row;
    double *im, *re = wy_slot_row(slot, i, &im);
    for (int k = 0; k < width; k++)
      re[k] = -a1[k] - inv_re * a0[k];
    re[half] += slot->re;
    if (im) {
      for (int k = 0; k < width; k++)
        im[k] = -inv_im * a0[k];
      im[half] += slot->im;
    }
    if (self->branches.count)
      combine_material(self, slot, i, re, im);
  }
}

int wy_absolute_factor(wy_staggered *self, wy_slot *slot) {
  combine_bands(self, slot);
  return wy_slot_factor(slot);
}

/* Forces and torques of a stress of the branches, as accelerations in band order, added to `packed`. */
static void add_branch_forces(wy_staggered *self, double *packed) {
  const int n = self->grid.stride;
  double *force = self->branches.strain[0], *torque = force + (size_t)3 * n; /* no longer needed as strains */
  memset(force, 0, 6 * (size_t)n * sizeof *force);
  wy_staggered_gather_forces(self, force, torque);
  for (int i = 0; i <= self->grid.n; i++) {
    for (int k = 0; k < 3; k++) {
      bool held = (i == 0 && self->linear.held[0][k]) || (i == self->grid.n && self->linear.held[1][k]);
      packed[CELL * i + k] += held ? 0 : self->grid.inv_mass[i] * force[k * n + i];
    }
    if (i == self->grid.n)
      continue;
    wy_v3 spin = wy_each(wy_load3(self->grid.inv_inertia, n, i), wy_load3(torque, n, i));
    wy_q4 rate = wy_qtimes(0.5, wy_times_pure(wy_load4(self->linear.p, n, i), spin));
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
  double *packed[2] = {self->linear.packed, self->linear.packed_im};
  for (int part = 0; part < (im ? 2 : 1); part++) {
    wy_staggered_branch_turns(self, parts[part] + self->grid.p, self->linear.theta);
    wy_staggered_branch_strain(self, parts[part] + self->grid.x, self->linear.theta, strain[part]);
  }
  for (int i = 0; i < 6 * self->grid.stride; i++) {
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
void wy_absolute_solve(wy_staggered *self, wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  int size = wy_staggered_order(self);
  double *position = self->eval.work, *position_im = self->eval.work + wy_padded(size);
  pack(self, re, self->grid.x, self->grid.p, position);
  pack(self, re, self->grid.v, self->grid.w, self->linear.packed);
  if (!im) {
    for (int i = 0; i < size; i++)
      position[i] *= inv_re;
    band_times(self, self->linear.absolute.stiffness, 1, position, self->linear.packed);
    if (self->branches.count)
      add_known_stress(self, slot, re, NULL);
    wy_slot_solve(slot, self->linear.packed, NULL);
    wy_staggered_solve_held(self, slot, CELL, re, NULL, self->linear.packed, NULL);
    for (int i = 0; i < size; i++)
      position[i] += inv_re * self->linear.packed[i];
  } else {
    pack(self, im, self->grid.x, self->grid.p, position_im);
    pack(self, im, self->grid.v, self->grid.w, self->linear.packed_im);
    for (int i = 0; i < size; i++) {
      double a = position[i], b = position_im[i];
      position[i] = inv_re * a - inv_im * b, position_im[i] = inv_re * b + inv_im * a;
    }
    band_times(self, self->linear.absolute.stiffness, 1, position, self->linear.packed);
    band_times(self, self->linear.absolute.stiffness, 1, position_im, self->linear.packed_im);
    if (self->branches.count)
      add_known_stress(self, slot, re, im);
    wy_slot_solve(slot, self->linear.packed, self->linear.packed_im);
    wy_staggered_solve_held(self, slot, CELL, re, im, self->linear.packed, self->linear.packed_im);
    for (int i = 0; i < size; i++) {
      double a = self->linear.packed[i], b = self->linear.packed_im[i];
      position[i] += inv_re * a - inv_im * b, position_im[i] += inv_re * b + inv_im * a;
    }
    unpack(self, position_im, self->grid.x, self->grid.p, im);
    unpack(self, self->linear.packed_im, self->grid.v, self->grid.w, im);
  }
  unpack(self, position, self->grid.x, self->grid.p, re);
  unpack(self, self->linear.packed, self->grid.v, self->grid.w, re);
  if (self->branches.count)
    wy_staggered_branch_back(self, slot, re, im);
}

void wy_absolute_multiply(wy_staggered *self, const double *x, double *y) {
  int size = wy_staggered_order(self);
  double *position = self->eval.work, *velocity = self->eval.work + wy_padded(size);
  memset(y, 0, (size_t)self->base.size * sizeof *y);
  pack(self, x, self->grid.x, self->grid.p, position);
  pack(self, x, self->grid.v, self->grid.w, velocity);
  memset(self->linear.packed, 0, (size_t)size * sizeof(double));
  band_times(self, self->linear.absolute.stiffness, 1, position, self->linear.packed);
  band_times(self, self->linear.absolute.damping, 1, velocity, self->linear.packed);
  if (self->branches.count) {
    wy_staggered_branch_multiply(self, x, y);
    add_branch_forces(self, self->linear.packed);
  }
  unpack(self, velocity, self->grid.x, self->grid.p, y);
  unpack(self, self->linear.packed, self->grid.v, self->grid.w, y);
}
