/* SPDX-License-Identifier: MIT */
/* The equations at a point of a stretch: residual, tangent, solution. Where the tangent has neutral directions, in
   which nothing holds the rod and nothing pulls it (a hanging rod about its own axis, a round rod that may buckle
   towards any side), they take no part: the tangent is shifted a little, and what a solution has in these directions is
   taken away. docs/theory/statics.md. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "equilibrium/equilibrium.h"

WY_CLONES
double wy_freedom_size(const wy_system *system, const double *d) {
  const double *weight = system->dof_weight;
  double largest = 0, sum = 0;
#pragma omp simd reduction(max : largest) reduction(+ : sum)
  for (int i = 0; i < system->dofs; i++) {
    const double size = weight[i] * fabs(d[i]);
    largest = size > largest ? size : largest;
    sum += 0 * d[i];
  }
  return largest + sum;
}

WY_CLONES
double wy_freedom_product(const wy_equilibrium *self, const double *a, const double *b) {
  const double *weight = self->system->dof_weight;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < self->system->dofs; i++)
    sum += weight[i] * weight[i] * a[i] * b[i];
  return sum / self->weights;
}

void wy_freedom_scatter(const wy_system *system, uint64_t *seed, double *d) {
  for (int i = 0; i < system->dofs; i++) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    d[i] = (double)(*seed >> 11) * 0x1p-52 - 1;
  }
}

/* ---- A point of a stretch ---- */

void wy_stretch_apply(const wy_equilibrium *self, const wy_stretch *stretch, double tau) {
  self->system->type->statics->apply(self->system, true, stretch->loads[0] + stretch->loads[1] * tau,
                                     stretch->ends[0] + stretch->ends[1] * tau);
  if (stretch->closing)
    self->system->type->statics->close(self->system, tau);
}

int wy_stretch_residual(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *r) {
  wy_system *system = self->system;
  wy_stretch_apply(self, stretch, tau);
  int failed = system->type->statics->residual(system, wy_stretch_time(stretch, tau), config, r);
  if (stretch->easing)
    for (int i = 0; i < system->dofs; i++)
      r[i] -= (1 - tau) * self->leftover[i];
  return failed;
}

/* One-sided, into the stretch: beyond its end functions of time may not exist. */
int wy_stretch_slope(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *slope) {
  double step = stretch->span * (tau < stretch->end ? 1e-7 : -1e-7), *here = self->work;
  if (wy_stretch_residual(self, stretch, tau + step, config, slope) ||
      wy_stretch_residual(self, stretch, tau, config, here))
    return 1;
  for (int i = 0; i < self->system->dofs; i++)
    slope[i] = (slope[i] - here[i]) / step;
  return 0;
}

/* ---- Tangent and solution ---- */

/* d loses what it has in common with the first `count` neutral directions. */
static void leave_neutral(wy_equilibrium *self, double *d, int count) {
  wy_system *system = self->system;
  for (int k = 0; k < count; k++) {
    const double *v = self->neutral + (size_t)k * (size_t)system->dofs;
    system->type->statics->mass_times(system, d, self->product);
    double part = wy_dot(v, self->product, system->dofs);
    for (int i = 0; i < system->dofs; i++)
      d[i] -= part * v[i];
  }
}

/* The next neutral direction beside the first `count`, with the factors at hand: where the inverse is by far the
   largest. Orthonormal in the product of M. Returns how much it has grown. */
static double find_next(wy_equilibrium *self, int count, uint64_t *seed) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  const int n = system->dofs;
  double *v = self->neutral + (size_t)count * (size_t)n, length = 0;
  wy_freedom_scatter(system, seed, v);
  for (int iteration = 0; iteration < 2; iteration++) {
    type->mass_times(system, v, self->product);
    memcpy(v, self->product, (size_t)n * sizeof *v);
    type->solve(system, v);
    leave_neutral(self, v, count);
    type->mass_times(system, v, self->product);
    length = sqrt(wy_dot(v, self->product, n));
    for (int i = 0; i < n; i++)
      v[i] /= length;
  }
  return length;
}

static void find_neutral(wy_equilibrium *self) {
  uint64_t seed = 1;
  for (int k = 0; k < self->now->neutral; k++)
    find_next(self, k, &seed);
}

int wy_stretch_count_neutral(wy_equilibrium *self) {
  const double shift = 4 * self->now->noise;
  uint64_t seed = 1;
  int count = 0;
  if (!(shift > 0) || self->system->type->statics->factor(self->system, -shift))
    return 0;
  /* an eigenvalue below the noise makes the inverse of the shifted tangent this large */
  while (count < WY_MOST_NEUTRAL && find_next(self, count, &seed) > 0.8 / shift)
    count++;
  return count;
}

wy_trouble wy_stretch_tangent(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config) {
  const wy_statics_type *type = self->system->type->statics;
  wy_stretch_apply(self, stretch, tau);
  if (type->tangent(self->system, wy_stretch_time(stretch, tau), config))
    return WY_NOT_FINITE;
  self->statistics->jacobians++;
  self->statistics->factorisations++;
  if (type->factor(self->system, self->now->neutral ? -4 * self->now->noise : 0))
    return WY_SINGULAR;
  find_neutral(self);
  return WY_NO_TROUBLE;
}

void wy_stretch_solve(wy_equilibrium *self, double *d) {
  self->system->type->statics->solve(self->system, d);
  leave_neutral(self, d, self->now->neutral);
}

double wy_stretch_pull(const wy_equilibrium *self, const double *r) {
  const wy_system *system = self->system;
  double largest = 0;
  for (int k = 0; k < self->now->neutral; k++) {
    const double *v = self->neutral + (size_t)k * (size_t)system->dofs;
    double pull = fabs(wy_dot(v, r, system->dofs)) / self->now->stiffness;
    largest = fmax(largest, pull * wy_freedom_size(system, v));
  }
  return largest;
}
