/* SPDX-License-Identifier: MIT */
/* Newton's method with exact tangent and natural monotonicity test: a correction is damped until the simplified
   correction at the new configuration, made with the old factors, is smaller than the correction itself (Deuflhard,
   Newton Methods for Nonlinear Problems, 3.3). With a border the path's parameter is an unknown too, solved for by
   block elimination. docs/theory/statics.md. */
#include <math.h>
#include <string.h>

#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

static const double smallest_damping = 1.0 / 64;
/* From corrections below this, a tangent that is exact leads to less than any tolerance; what does not is round-off. */
static const double round_off = 1e-7;
/* Forces in directions that nothing holds, as rotations against the rod's own stiffness: more is no equilibrium. */
static const double largest_pull = 1e-8;

/* The size of a - factor b. */
static double difference(const wy_system *system, const double *a, double factor, const double *b) {
  double largest = 0;
  for (int i = 0; i < system->dofs; i++)
    largest = fmax(largest, system->dof_weight[i] * fabs(a[i] - factor * b[i]));
  return largest;
}

/* One solve with the factors at hand: residual in, correction out, of tau too. */
static double solve(wy_equilibrium *self, const wy_newton_task *task, double *d, double *d_tau) {
  wy_system *system = self->system;
  wy_stretch_solve(self, d);
  *d_tau = 0;
  if (!task->bordered)
    return wy_freedom_size(system, d);
  double span = task->stretch->span;
  *d_tau = -wy_freedom_product(self, self->rate, d) /
           (wy_freedom_product(self, self->rate, self->slope) + self->now->rate_tau / (span * span));
  for (int i = 0; i < system->dofs; i++)
    d[i] += *d_tau * self->slope[i];
  double size = wy_freedom_size(system, d);
  return isfinite(size) ? fmax(size, fabs(*d_tau) / span) : size;
}

/* Tangent and factors at the configuration, the path's slope for the border, and the correction. */
static wy_trouble linearise(wy_equilibrium *self, const wy_newton_task *task, double tau, const double *config,
                            wy_newton_report *report, double *d_tau, double *size) {
  wy_system *system = self->system;
  if (task->bordered && wy_stretch_slope(self, task->stretch, tau, config, self->slope))
    return WY_NOT_FINITE;
  wy_trouble trouble = wy_stretch_tangent(self, task->stretch, tau, config);
  if (trouble)
    return trouble;
  if (task->bordered)
    wy_stretch_solve(self, self->slope);
  memcpy(self->correction, self->residual, (size_t)system->dofs * sizeof *self->correction);
  report->pull = wy_stretch_pull(self, self->residual);
  *size = solve(self, task, self->correction, d_tau);
  return isfinite(*size) ? WY_NO_TROUBLE : WY_NOT_FINITE;
}

/* The configuration at `damping` times the correction, and the simplified correction there; NAN where there is none. */
static double try_damping(wy_equilibrium *self, const wy_newton_task *task, double damping, double tau, double d_tau,
                          const double *config, double *simplified_tau) {
  wy_system *system = self->system;
  double tau_there = tau + damping * d_tau;
  system->type->statics->displace(system, config, self->correction, damping, self->trial);
  if (wy_stretch_residual(self, task->stretch, tau_there, self->trial, self->residual))
    return NAN;
  memcpy(self->simplified, self->residual, (size_t)system->dofs * sizeof *self->simplified);
  return solve(self, task, self->simplified, simplified_tau);
}

/* ---- Contact ---- */

enum { SETS = 8, MOST_TURNS = 3, MOST_LEAPS = 6 };

/* The sets of touching stations that an iteration has come by, and how much of a correction contact allows. */
typedef struct touching_sets {
  bool any;
  uint64_t set[SETS];
  int count;
  double most;
  int leaps; /* that were taken to another set */
} touching_sets;

/* Contact that opens and closes in turn is damped. */
static void note_set(wy_equilibrium *self, double t, const double *config, touching_sets *sets) {
  const uint64_t set = wy_system_touching(self->system, t, config).set;
  int times = 0;
  if (sets->count > 0 && sets->set[(sets->count - 1) % SETS] == set)
    return;
  for (int i = 0; i < sets->count && i < SETS; i++)
    times += sets->set[i] == set;
  if (times + 1 >= MOST_TURNS)
    sets->most *= 0.5;
  sets->set[sets->count++ % SETS] = set;
}

/* How much of a correction may be used at most: none throws the rod through an obstacle. */
static double allowed_share(wy_equilibrium *self, const wy_newton_task *task, double tau, const double *config,
                            touching_sets *sets) {
  wy_system *system = self->system;
  const double t = wy_stretch_time(task->stretch, tau);
  if (!sets->any)
    return 1;
  note_set(self, t, config, sets);
  system->type->statics->displace(system, config, self->correction, 1, self->trial);
  return fmin(sets->most, wy_system_rest_reach(system, t, config, self->trial));
}

/* The tangent knows nothing of stations that touch at the trial configuration only, and what it makes of their forces
   tells nothing: a few times the correction is taken as it is. */
static bool leaps(wy_equilibrium *self, double t, touching_sets *sets) {
  if (!sets->any || sets->leaps >= MOST_LEAPS)
    return false;
  const uint64_t set = wy_system_touching(self->system, t, self->trial).set;
  const bool other = set != sets->set[(sets->count - 1) % SETS];
  sets->leaps += other;
  return other;
}

typedef enum verdict { GOES_ON, ARRIVED, STUCK } verdict;

/* Finds how much of the correction may be used, beginning with *damping, and moves configuration and tau there. */
static verdict search(wy_equilibrium *self, const wy_newton_task *task, double *tau, double d_tau, double size,
                      double *config, double *damping, double *simplified_size, touching_sets *sets) {
  wy_system *system = self->system;
  double tolerance = self->options.newton_tolerance, simplified_tau = 0;
  const double smallest = fmin(smallest_damping, 0.1 * *damping);
  for (double lambda = *damping, last = 2; lambda < last;) {
    double simplified = try_damping(self, task, lambda, *tau, d_tau, config, &simplified_tau);
    if (lambda == 1 && simplified <= tolerance) { /* that correction is known already: it is the last one */
      system->type->statics->displace(system, self->trial, self->simplified, 1, config);
      *tau += d_tau + simplified_tau;
      return ARRIVED;
    }
    const bool closer =
        simplified <= (1 - lambda / 4) * size || (lambda == 1 && size < round_off && isfinite(simplified));
    if (closer || (isfinite(simplified) && leaps(self, wy_stretch_time(task->stretch, *tau + lambda * d_tau), sets))) {
      memcpy(config, self->trial, (size_t)system->config_size * sizeof *config);
      *tau += lambda * d_tau;
      *damping = lambda, *simplified_size = simplified;
      return size < round_off && simplified > 0.25 * size ? ARRIVED : GOES_ON;
    }
    double better = 0.5 * lambda;
    if (isfinite(simplified))
      better = 0.5 * size * lambda * lambda / difference(system, self->simplified, 1 - lambda, self->correction);
    last = lambda;
    lambda = fmax(fmin(fmax(better, 0.1 * lambda), 0.5 * lambda), smallest);
  }
  return STUCK;
}

/* With the factors at hand, down to round-off: what is left of the tolerance would look like stiffness or instability
   in directions that are neutral. */
static void polish(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config) {
  wy_system *system = self->system;
  double before = self->options.newton_tolerance, d_tau;
  for (int k = 0; k < 3; k++) {
    if (wy_stretch_residual(self, task->stretch, *tau, config, self->simplified))
      return;
    double size = solve(self, task, self->simplified, &d_tau);
    if (!(size < 0.5 * before))
      return;
    system->type->statics->displace(system, config, self->simplified, 1, config);
    *tau += d_tau;
    before = size;
  }
}

static wy_trouble iterate(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                          wy_newton_report *report) {
  const wy_statics_type *type = self->system->type->statics;
  size_t bytes = (size_t)self->system->config_size * sizeof *config;
  double damping = 1, moved = 0, simplified = 0, size_before = 0;
  touching_sets sets = {.any = wy_system_touches(self->system), .most = 1};
  *report = (wy_newton_report){0};
  if (wy_stretch_residual(self, task->stretch, *tau, config, self->residual))
    return WY_NOT_FINITE;
  for (; report->iterations < self->options.newton_iterations; report->iterations++) {
    double d_tau, size;
    self->statistics->newton_iterations++;
    self->now->info.newton_iterations++;
    wy_trouble trouble = linearise(self, task, *tau, config, report, &d_tau, &size);
    if (trouble)
      return trouble;
    if (report->iterations == 0)
      report->first = size;
    if (size <= self->options.newton_tolerance) {
      type->displace(self->system, config, self->correction, 1, self->trial);
      memcpy(config, self->trial, bytes);
      *tau += d_tau;
      report->iterations++;
      return report->pull > largest_pull ? WY_SINGULAR : WY_NO_TROUBLE;
    }
    if (report->iterations > 0) { /* the step before tells how curved the problem is */
      double bend = difference(self->system, self->simplified, 1, self->correction);
      double predicted = damping * size_before * simplified / (bend * size);
      damping = predicted < 1 ? fmax(predicted, 2 * smallest_damping) : 1;
    }
    damping = fmin(damping, allowed_share(self, task, *tau, config, &sets));
    verdict found = search(self, task, tau, d_tau, size, config, &damping, &simplified, &sets);
    if (found == STUCK)
      return WY_NOT_CONVERGING;
    moved += damping * size, size_before = size;
    if (moved > task->reach)
      return WY_TOO_FAR;
    if (found == ARRIVED) {
      report->iterations++;
      return wy_stretch_pull(self, self->residual) > largest_pull ? WY_SINGULAR : WY_NO_TROUBLE;
    }
  }
  return WY_NOT_CONVERGING;
}

wy_trouble wy_newton(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                     wy_newton_report *report) {
  wy_trouble trouble = iterate(self, task, tau, config, report);
  if (!trouble)
    polish(self, task, tau, config);
  return trouble;
}
