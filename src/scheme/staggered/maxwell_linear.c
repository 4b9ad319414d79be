/* SPDX-License-Identifier: MIT */
/* Maxwell branches in linear systems: their viscous strains are eliminated before the band is solved, and follow from
   it. Equations (V5)-(V9) of docs/theory/staggered.md. */
#include <string.h>

#include "base/target.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

/* One over 1 + sigma time. */
typedef struct branch_shift {
  double re, im;
} branch_shift;

static branch_shift shift_of(const wy_maxwell *branch, double re, double im) {
  double a = 1 + re * branch->time, b = im * branch->time, inv = 1 / (a * a + b * b);
  return (branch_shift){a * inv, -b * inv};
}

/* - sum_j share_j / (1 + sigma time_j) (V7) */
void wy_staggered_branch_factor(const wy_branches *self, double re, double im, double *factor_re, double *factor_im) {
  *factor_re = *factor_im = 0;
  for (int j = 0; j < self->count; j++) {
    branch_shift q = shift_of(&self->list[j], re, im);
    *factor_re -= self->list[j].share * q.re;
    *factor_im -= self->list[j].share * q.im;
  }
}

WY_CLONES
void wy_staggered_branch_strain(const wy_staggered *self, const double *x, const double *theta, double *strain) {
  assert(strain && strain != theta);
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double *restrict gamma = strain, *restrict kappa = strain + (size_t)3 * n;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict segments = wy_group(self->branches.segment_strain, WY_SEGMENT_STRAIN, first);
    const double *restrict vertices = wy_group(self->branches.vertex_strain, WY_VERTEX_STRAIN, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
      wy_v3 before = wy_load3(theta, hs, i - 1), own = wy_load3(theta, hs, i);
      wy_store3(gamma, n, i,
                wy_plus(wy_apply(wy_load_block(segments, lane, WY_STRAIN_X), dx),
                        wy_apply(wy_load_block(segments, lane, WY_STRAIN_T), own)));
      wy_store3(kappa, n, i,
                wy_plus(wy_apply(wy_load_block(vertices, lane, WY_BEND_MINUS), before),
                        wy_apply(wy_load_block(vertices, lane, WY_BEND_PLUS), own)));
    }
  }
}

/* theta = 2 Im(p^-1 dp) */
WY_CLONES
void wy_staggered_branch_turns(const wy_staggered *self, const double *dp, double *theta) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict p = self->linear.p, *restrict q = dp;
  double *restrict out = theta;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_q4 pi = wy_load4(p, n, i);
    double norm2 = wy_qsquare(pi);
    wy_store3(out, hs, i, wy_times(2 / norm2, wy_pure(wy_between(pi, wy_load4(q, n, i)))));
  }
}

void wy_staggered_clear_forces(wy_staggered *self) {
  double *all[4] = {self->eval.section_force, self->eval.segment_torque, self->eval.torque_minus,
                    self->eval.torque_plus};
  for (int which = 0; which < 4; which++)
    for (int k = 0; k < 3; k++)
      memset(all[which] + (size_t)k * (size_t)self->grid.halo_stride, 0, (size_t)self->grid.stride * sizeof(double));
}

void wy_staggered_gather_forces(const wy_staggered *self, double *force, double *torque) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= self->grid.n; i++) {
      const int at = k * hs + i;
      force[k * n + i] += self->eval.section_force[at] - (i > 0 ? self->eval.section_force[at - 1] : 0);
      if (i < self->grid.n)
        torque[k * n + i] +=
            self->eval.segment_torque[at] + self->eval.torque_plus[at] + self->eval.torque_minus[at + 1];
    }
}

/* n += h S_x^T stress, torques -= length S^T stress: the strains' derivatives transposed (V6). */
WY_CLONES
void wy_staggered_branch_forces(wy_staggered *self, const double *stress) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double *restrict force = self->eval.section_force, *restrict torque = self->eval.segment_torque;
  double *restrict minus = self->eval.torque_minus, *restrict plus = self->eval.torque_plus;
  for (int first = 0; first < n; first += WY_LANES) {
    const double *restrict segments = wy_group(self->branches.segment_strain, WY_SEGMENT_STRAIN, first);
    const double *restrict vertices = wy_group(self->branches.vertex_strain, WY_VERTEX_STRAIN, first);
#pragma omp simd
    for (int lane = 0; lane < WY_LANES; lane++) {
      int i = first + lane;
      wy_v3 f = wy_times(wy_branch_length(self, i, false), wy_load3(stress, n, i));
      wy_v3 m = wy_times(wy_branch_length(self, i, true), wy_load3(stress + 3 * n, n, i));
#define ADD(array, what) wy_store3(array, hs, i, wy_plus(wy_load3(array, hs, i), what))
      ADD(force, wy_apply_transposed(wy_load_block(segments, lane, WY_STRAIN_X), f));
      ADD(torque, wy_times(-1, wy_apply_transposed(wy_load_block(segments, lane, WY_STRAIN_T), f)));
      ADD(minus, wy_times(-1, wy_apply_transposed(wy_load_block(vertices, lane, WY_BEND_MINUS), m)));
      ADD(plus, wy_times(-1, wy_apply_transposed(wy_load_block(vertices, lane, WY_BEND_PLUS), m)));
#undef ADD
    }
  }
}

/* stress = c ( factor strain - sum_j share_j time_j b_j / (1 + sigma time_j) ) (V7) */
WY_CLONES
void wy_staggered_branch_known(wy_staggered *self, const wy_slot *slot, const double *re, const double *im) {
  assert(slot->is_complex == (im != NULL));
  const wy_branches *branches = &self->branches;
  const int n = self->grid.stride;
  double a, b;
  wy_staggered_branch_factor(branches, slot->re, slot->im, &a, &b);
  for (int k = 0; k < WY_STRAINS; k++) {
    const double *restrict c = wy_branch_stiffness(self, k);
    const double *restrict x = branches->strain[0] + k * n, *restrict y = im ? branches->strain[1] + k * n : x;
    double *restrict to = branches->stress[0] + k * n, *restrict to_im = branches->stress[1] + k * n;
    for (int i = 0; i < n; i++) {
      to[i] = c[i] * (a * x[i] - b * y[i]);
      to_im[i] = c[i] * (a * y[i] + b * x[i]);
    }
    for (int j = 0; j < branches->count; j++) {
      const branch_shift q = shift_of(&branches->list[j], slot->re, slot->im);
      const double f = branches->list[j].share * branches->list[j].time, qr = f * q.re, qi = f * q.im;
      const double *restrict r = re + wy_staggered_branch_place(self, j, k), *restrict s =
                                                                                 im ? im + wy_staggered_branch_place(
                                                                                               self, j, k)
                                                                                    : r;
      for (int i = 0; i < n; i++) {
        to[i] -= c[i] * (qr * r[i] - qi * s[i]);
        to_im[i] -= c[i] * (qr * s[i] + qi * r[i]);
      }
    }
  }
}

/* dgamma_j = (dstrain + time_j b_j) / (1 + sigma time_j) (V5), in place of b. */
WY_CLONES
void wy_staggered_branch_back(wy_staggered *self, const wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  const wy_branches *branches = &self->branches;
  const int n = self->grid.stride;
  double *parts[2] = {re, im};
  for (int part = 0; part < (im ? 2 : 1); part++) {
    wy_staggered_branch_turns(self, parts[part] + self->grid.p, self->linear.theta);
    wy_staggered_branch_strain(self, parts[part] + self->grid.x, self->linear.theta, branches->strain[part]);
  }
  for (int j = 0; j < branches->count; j++) {
    const branch_shift q = shift_of(&branches->list[j], slot->re, slot->im);
    const double time = branches->list[j].time;
    for (int k = 0; k < WY_STRAINS; k++) {
      const double *restrict x = branches->strain[0] + k * n, *restrict y = im ? branches->strain[1] + k * n : NULL;
      double *restrict r = re + wy_staggered_branch_place(self, j, k), *restrict s =
                                                                           im ? im + wy_staggered_branch_place(self, j,
                                                                                                               k)
                                                                              : NULL;
      for (int i = 0; i < n; i++) {
        double a = x[i] + time * r[i], b = im ? y[i] + time * s[i] : 0;
        r[i] = q.re * a - q.im * b;
        if (im)
          s[i] = q.re * b + q.im * a;
      }
    }
  }
}

void wy_staggered_branch_multiply(wy_staggered *self, const double *x, double *y) {
  const wy_branches *branches = &self->branches;
  const int n = self->grid.stride;
  double *strain = branches->strain[0], *stress = branches->stress[0];
  wy_staggered_branch_turns(self, x + self->grid.p, self->linear.theta);
  wy_staggered_branch_strain(self, x + self->grid.x, self->linear.theta, strain);
  memset(stress, 0, WY_STRAINS * (size_t)n * sizeof *stress);
  for (int j = 0; j < branches->count; j++)
    for (int k = 0; k < WY_STRAINS; k++) {
      const double *c = wy_branch_stiffness(self, k), *viscous = x + wy_staggered_branch_place(self, j, k);
      double *rate = y + wy_staggered_branch_place(self, j, k);
      for (int i = 0; i < n; i++) {
        rate[i] = (strain[k * n + i] - viscous[i]) / branches->list[j].time;
        stress[k * n + i] -= branches->list[j].share * c[i] * viscous[i];
      }
    }
  wy_staggered_clear_forces(self);
  wy_staggered_branch_forces(self, stress);
}
