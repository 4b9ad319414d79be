/* From an unstable equilibrium to the stable branch beside it: a push in the most unstable direction, then a descent
   with shifted tangents, (K + mu M) d = r with mu just large enough to be positive definite, until Newton's method can
   take over. docs/theory/continuation.md. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "equilibrium/equilibrium.h"

enum { MOST_DESCENT = 100, POWER_ITERATIONS = 40, MOST_DOUBLINGS = 200 };

static const double longest_descent = 0.3; /* radians, of one step */

/* d = (K - mu M)^-1 M d, made as large as one radian; the factor by which it had grown. */
static double power_step(wy_equilibrium *self, double *d) {
  wy_system *system = self->system;
  const wy_shape_type *type = system->type->shape;
  type->mass_times(system, d, self->work);
  memcpy(d, self->work, (size_t)system->freedoms * sizeof *d);
  type->solve(system, d);
  double size = wy_freedom_size(system, d);
  for (int i = 0; i < system->freedoms; i++)
    d[i] /= size;
  return size;
}

static bool definite(const wy_equilibrium *self, double mu) {
  int count;
  return !self->system->type->shape->negative(self->system, -mu, &count) && count == 0;
}

/* A mu that makes K + mu M positive definite, between 1.5 and 3 times the smallest; 0 if there is none. */
static double find_shift(const wy_equilibrium *self, double mu) {
  for (int k = 0; k < MOST_DOUBLINGS && definite(self, mu); k++)
    mu *= 0.5;
  for (int k = 0; k < MOST_DOUBLINGS; k++, mu *= 2)
    if (definite(self, mu))
      return 1.5 * mu;
  return 0;
}

/* The most unstable direction at the present point, and the shift that goes with it (0: K is not symmetric, and the
   direction is the one that has just become unstable). */
static bool find_direction(wy_equilibrium *self, double *mu) {
  wy_system *system = self->system;
  const wy_shape_type *type = system->type->shape;
  double grown = 0, *d = self->critical;
  uint64_t seed = 1;
  wy_freedom_scatter(system, &seed, d);
  *mu = 0;
  if (wy_stretch_tangent(self, &self->now->stretch, self->now->tau, self->shape))
    return false;
  for (int k = 0; k < POWER_ITERATIONS; k++)
    grown = power_step(self, d);
  if (!(grown > DBL_MIN))
    return false;
  if (self->now->info.unstable >= 0) {
    *mu = find_shift(self, 1 / grown);
    if (*mu == 0 || type->factor(system, -*mu))
      return false;
    self->statistics->factorisations++;
    for (int k = 0; k < POWER_ITERATIONS; k++)
      power_step(self, d);
  }
  int largest = 0;
  for (int i = 0; i < system->freedoms; i++) {
    d[i] = system->freedom_weight[i] > 0 ? d[i] : 0;
    if (system->freedom_weight[i] * fabs(d[i]) > system->freedom_weight[largest] * fabs(d[largest]) * (1 + 1e-6))
      largest = i;
  }
  double size = copysign(wy_freedom_size(system, d), d[largest]);
  for (int i = 0; i < system->freedoms; i++)
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
  memcpy(self->spare, self->guess, (size_t)self->system->shape_size * sizeof *self->guess);
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
    memcpy(self->guess, self->spare, (size_t)self->system->shape_size * sizeof *self->guess);
  }
  return stable;
}

/* From `guess` downhill until Newton finds a stable equilibrium. */
static bool descend(wy_equilibrium *self, double mu) {
  wy_system *system = self->system;
  const wy_shape_type *type = system->type->shape;
  double *d = self->correction;
  for (int k = 0; k < MOST_DESCENT; k++) {
    if (wy_stretch_residual(self, &self->now->stretch, self->now->tau, self->guess, d) ||
        type->tangent(system, wy_equilibrium_time(self), self->guess))
      return false;
    self->statistics->jacobians++;
    if (mu == 0 || definite(self, self->now->noise)) {
      int neutral = self->now->neutral, more = self->now->info.unstable > 1;
      return finish(self, neutral) || (more && finish(self, neutral + 1));
    }
    mu = find_shift(self, mu);
    if (mu == 0 || type->factor(system, -mu))
      return false;
    self->statistics->factorisations++;
    type->solve(system, d);
    double size = wy_freedom_size(system, d);
    if (!isfinite(size))
      return false;
    type->displace(system, self->guess, d, fmin(1, longest_descent / size), self->trial);
    memcpy(self->guess, self->trial, (size_t)system->shape_size * sizeof *self->guess);
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
    system->type->shape->displace(system, self->shape, self->critical, pushes[i], self->guess);
    if (!descend(self, mu))
      continue;
    memcpy(self->shape, self->guess, (size_t)system->shape_size * sizeof *self->shape);
    wy_path_rate(self, false);
    now->has_last = false;
    return;
  }
}
