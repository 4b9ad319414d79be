/* SPDX-License-Identifier: MIT */
/* From an unstable equilibrium to the stable branch beside it: a push in the most unstable direction, then a descent
   with shifted tangents, (K + mu M) d = r with mu just large enough to be positive definite, until Newton's method can
   take over. docs/theory/continuation.md. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "equilibrium/equilibrium.h"

enum { MOST_DESCENT = 100, POWER_ITERATIONS = 40 };

static const double longest_descent = 0.3; /* radians, of one step */

/* The most unstable direction at the present point, and the shift that goes with it (0: K is not symmetric, and the
   direction is the one that has just become unstable). */
static bool find_direction(wy_equilibrium *self, double *mu) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  double grown = 0, *d = self->critical;
  uint64_t seed = 1;
  wy_freedom_scatter(system, &seed, d);
  *mu = 0;
  if (wy_stretch_tangent(self, &self->now->stretch, self->now->tau, self->config))
    return false;
  for (int k = 0; k < POWER_ITERATIONS; k++)
    grown = wy_relax_power(self, d);
  if (!(grown > DBL_MIN))
    return false;
  if (self->now->info.unstable >= 0) {
    *mu = wy_relax_shift(self, 1 / grown);
    if (*mu == 0 || type->factor(system, -*mu))
      return false;
    self->statistics->factorisations++;
    for (int k = 0; k < POWER_ITERATIONS; k++)
      wy_relax_power(self, d);
  }
  int largest = 0;
  for (int i = 0; i < system->dofs; i++) {
    d[i] = system->dof_weight[i] > 0 ? d[i] : 0;
    if (system->dof_weight[i] * fabs(d[i]) > system->dof_weight[largest] * fabs(d[largest]) * (1 + 1e-6))
      largest = i;
  }
  double size = copysign(wy_freedom_size(system, d), d[largest]);
  for (int i = 0; i < system->dofs; i++)
    d[i] /= size;
  return isfinite(size) && size != 0;
}

/* Newton from `guess`; does it lead to a stable equilibrium? If several directions have become unstable at once, any
   mixture of them may be the branch: one direction is neutral there. */
static bool finish(wy_equilibrium *self, int neutral) {
  const wy_newton_task task = {.stretch = &self->now->stretch, .reach = INFINITY};
  const wy_equilibrium_state present = *self->now;
  wy_newton_report report;
  double tau = present.tau;
  memcpy(self->spare, self->guess, (size_t)self->system->config_size * sizeof *self->guess);
  self->now->neutral = neutral;
  bool stable =
      !wy_newton(self, &task, &tau, self->spare, &report) && !wy_stretch_tangent(self, task.stretch, tau, self->spare);
  if (stable) {
    wy_stability_count(self);
    stable = self->now->info.unstable == 0 || (self->now->info.unstable < 0 && !self->now->info.odd);
  }
  const long iterations = self->now->info.newton_iterations;
  *self->now = present;
  self->now->info.newton_iterations = iterations;
  if (stable) {
    self->now->neutral = neutral;
    memcpy(self->guess, self->spare, (size_t)self->system->config_size * sizeof *self->guess);
  }
  return stable;
}

/* From `guess` downhill until Newton finds a stable equilibrium. */
static bool descend(wy_equilibrium *self, double mu) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  double *d = self->correction;
  for (int k = 0; k < MOST_DESCENT; k++) {
    if (wy_stretch_residual(self, &self->now->stretch, self->now->tau, self->guess, d) ||
        type->tangent(system, wy_equilibrium_time(self), self->guess))
      return false;
    self->statistics->jacobians++;
    if (mu == 0 || wy_relax_definite(self, self->now->noise)) {
      int neutral = self->now->neutral, more = self->now->info.unstable > 1;
      return finish(self, neutral) || (more && finish(self, neutral + 1));
    }
    mu = wy_relax_shift(self, mu);
    if (mu == 0 || type->factor(system, -mu))
      return false;
    self->statistics->factorisations++;
    type->solve(system, d);
    double size = wy_freedom_size(system, d);
    if (!isfinite(size))
      return false;
    type->displace(system, self->guess, d, fmin(1, longest_descent / size), self->trial);
    memcpy(self->guess, self->trial, (size_t)system->config_size * sizeof *self->guess);
  }
  return false;
}

void wy_branch_switch(wy_equilibrium *self) {
  static const double pushes[] = {1e-3, 1e-2, 0.1, 0.3};
  wy_system *system = self->system;
  wy_equilibrium_state *now = self->now;
  double mu;
  if (!find_direction(self, &mu))
    return;
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
    system->type->statics->displace(system, self->config, self->critical, pushes[i], self->guess);
    if (!descend(self, mu))
      continue;
    memcpy(self->config, self->guess, (size_t)system->config_size * sizeof *self->config);
    wy_equilibrium_accept(self);
    wy_path_rate(self, false);
    now->has_last = false;
    return;
  }
}
