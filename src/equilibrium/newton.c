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
/* A correction with kept factors that is this part of the one before or less: the next one, a residual and a solve,
   brings more for its price than a tangent with its factors, which costs six times as much. */
static const double much_shorter = 0.25;
static const double near = 0.05; /* Newton's correction, in radians, from which on factors are kept */
/* Once the tolerance has been met: so many more corrections with kept factors, or until what is left is this small. */
enum { MOST_ROUNDS = 4 };
static const double finest = 1e-12;
/* Forces in directions that nothing holds, as rotations against the rod's own stiffness: more is no equilibrium. */
static const double largest_pull = 1e-8;

/* The size of a - factor b. */
static double difference(const wy_system *system, const double *a, double factor, const double *b) {
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (int i = 0; i < system->dofs; i++) {
    const double size = system->dof_weight[i] * fabs(a[i] - factor * b[i]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

/* What a correction does beside moving the configuration: to tau; and how large it is. */
typedef struct extent {
  double tau, size;
} extent;

/* One solve with the factors at hand: residual in, correction out. */
static extent solve(wy_equilibrium *self, const wy_newton_task *task, double *d) {
  wy_system *system = self->system;
  wy_stretch_solve(self, d);
  if (!task->bordered)
    return (extent){0, wy_freedom_size(system, d)};
  double span = task->stretch->span;
  double d_tau = -wy_freedom_product(self, self->rate, d) /
                 (wy_freedom_product(self, self->rate, self->slope) + self->now->rate_tau / (span * span));
  for (int i = 0; i < system->dofs; i++)
    d[i] += d_tau * self->slope[i];
  double size = wy_freedom_size(system, d);
  return (extent){d_tau, isfinite(size) ? fmax(size, fabs(d_tau) / span) : size};
}

/* Tangent and factors at the configuration, the path's slope for the border, and the correction. */
static wy_trouble linearise(wy_equilibrium *self, const wy_newton_task *task, double tau, const double *config,
                            wy_newton_report *report, extent *out) {
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
  *out = solve(self, task, self->correction);
  return isfinite(out->size) ? WY_NO_TROUBLE : WY_NOT_FINITE;
}

/* The configuration at `damping` times the correction, and the simplified correction there; its size is NAN where there
   is none. */
static extent try_damping(wy_equilibrium *self, const wy_newton_task *task, double damping, double tau, double d_tau,
                          const double *config) {
  wy_system *system = self->system;
  double tau_there = tau + damping * d_tau;
  system->type->statics->displace(system, config, self->correction, damping, self->trial);
  if (wy_stretch_residual(self, task->stretch, tau_there, self->trial, self->residual))
    return (extent){0, NAN};
  memcpy(self->simplified, self->residual, (size_t)system->dofs * sizeof *self->simplified);
  return solve(self, task, self->simplified);
}

static void add_to_way(const wy_equilibrium *self, const wy_newton_task *task, double factor, const double *d) {
  for (int i = 0; task->way && i < self->system->dofs; i++)
    task->way[i] += factor * d[i];
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
static verdict search(wy_equilibrium *self, const wy_newton_task *task, double *tau, extent correction, double *config,
                      double *damping, extent *simplified, touching_sets *sets) {
  wy_system *system = self->system;
  const double size = correction.size, smallest = fmin(smallest_damping, 0.1 * *damping);
  for (double lambda = *damping, last = 2; lambda < last;) {
    *simplified = try_damping(self, task, lambda, *tau, correction.tau, config);
    const double left = simplified->size, there = *tau + lambda * correction.tau;
    const bool last_one = lambda == 1 && left <= self->options.newton_tolerance;
    const bool closer =
        last_one || left <= (1 - lambda / 4) * size || (lambda == 1 && size < round_off && isfinite(left));
    if (closer || (isfinite(left) && leaps(self, wy_stretch_time(task->stretch, there), sets))) {
      memcpy(config, self->trial, (size_t)system->config_size * sizeof *config);
      add_to_way(self, task, lambda, self->correction);
      *tau = there;
      *damping = lambda;
      return size < round_off && left > 0.25 * size && !last_one ? ARRIVED : GOES_ON;
    }
    double better = 0.5 * lambda;
    if (isfinite(left))
      better = 0.5 * size * lambda * lambda / difference(system, self->simplified, 1 - lambda, self->correction);
    last = lambda;
    lambda = fmax(fmin(fmax(better, 0.1 * lambda), 0.5 * lambda), smallest);
  }
  return STUCK;
}

/* ---- With the factors at hand ---- */

/* The corrections that were made in full since the factors were, oldest first, and their squares. */
typedef struct past {
  int count;
  double tau[WY_KEPT], square[WY_KEPT];
} past;

static double *kept(const wy_equilibrium *self, int k) {
  return self->kept + (size_t)k * (size_t)self->system->dofs;
}

static double product(const wy_equilibrium *self, const wy_newton_task *task, const double *a, double a_tau,
                      const double *b, double b_tau) {
  return wy_freedom_product(self, a, b) + a_tau / task->stretch->span * (b_tau / task->stretch->span);
}

static void keep(const wy_equilibrium *self, const wy_newton_task *task, past *all, const double *d, double d_tau) {
  const int k = all->count < WY_KEPT ? all->count : 0; /* begins anew where there is no room */
  memcpy(kept(self, k), d, (size_t)self->system->dofs * sizeof *d);
  all->tau[k] = d_tau;
  all->square[k] = product(self, task, d, d_tau, d, d_tau);
  all->count = k + 1;
}

/* d += factor times correction k */
static void add_kept(const wy_equilibrium *self, const past *all, int k, double factor, double *d, extent *at) {
  const double *from = kept(self, k);
  for (int i = 0; i < self->system->dofs; i++)
    d[i] += factor * from[i];
  at->tau += factor * all->tau[k];
}

/* Makes of a simplified correction that of Broyden's tangent (T7). */
static void improve(const wy_equilibrium *self, const wy_newton_task *task, const past *all, double *d, extent *at) {
  const int last = all->count - 1;
  if (last < 0)
    return;
  for (int k = 0; k < last; k++)
    add_kept(self, all, k + 1, product(self, task, kept(self, k), all->tau[k], d, at->tau) / all->square[k], d, at);
  const double along = product(self, task, kept(self, last), all->tau[last], d, at->tau) / all->square[last];
  const double longer = fabs(along) < 0.5 ? 1 / (1 - along) : 1;
  for (int i = 0; i < self->system->dofs; i++)
    d[i] *= longer;
  *at = (extent){longer * at->tau, wy_freedom_size(self->system, d)};
}

/* Corrects further with the factors at hand, as long as each correction is much shorter than the one before. Then, with
   `arrived`, down to round-off: what is left of the tolerance would look like stiffness or instability in directions
   that are neutral. `last` is Newton's correction, of which `damping` was made, `next` the simplified correction at the
   configuration. Where it goes on, the size of `last` becomes zero: it tells nothing of the next tangent. */
static verdict keep_factors(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                            double damping, extent *last, extent next, bool arrived, double *moved) {
  wy_system *system = self->system;
  const double tolerance = self->options.newton_tolerance;
  double size = last->size;
  past all = {0};
  if (damping == 1)
    keep(self, task, &all, self->correction, last->tau);
  for (int rounds = 0; rounds < MOST_ROUNDS; rounds += arrived) {
    const bool shorter =
        arrived ? next.size < 0.5 * fmin(size, tolerance) : next.size <= fmax(much_shorter * size, tolerance);
    if (!shorter)
      break;
    improve(self, task, &all, self->simplified, &next);
    system->type->statics->displace(system, config, self->simplified, 1, config);
    add_to_way(self, task, 1, self->simplified);
    *tau += next.tau, *moved += next.size;
    keep(self, task, &all, self->simplified, next.tau);
    const double left = next.size / size * next.size; /* about the size of the next one */
    size = next.size, last->size = 0;
    arrived = arrived || size <= tolerance;
    if (arrived && left <= finest)
      break;
    if (wy_stretch_residual(self, task->stretch, *tau, config, self->residual))
      return arrived ? ARRIVED : STUCK;
    memcpy(self->simplified, self->residual, (size_t)system->dofs * sizeof *self->simplified);
    next = solve(self, task, self->simplified);
  }
  return arrived ? ARRIVED : GOES_ON;
}

wy_trouble wy_newton(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                     wy_newton_report *report) {
  double damping = 1, moved = 0;
  extent correction, before = {0}, simplified = {0};
  touching_sets sets = {.any = wy_system_touches(self->system), .most = 1};
  *report = (wy_newton_report){0};
  if (wy_stretch_residual(self, task->stretch, *tau, config, self->residual))
    return WY_NOT_FINITE;
  for (; report->iterations < self->options.newton_iterations; report->iterations++) {
    self->statistics->newton_iterations++;
    self->now->info.newton_iterations++;
    wy_trouble trouble = linearise(self, task, *tau, config, report, &correction);
    if (trouble)
      return trouble;
    if (report->iterations == 0)
      report->first = correction.size;
    const bool tiny = correction.size <= self->options.newton_tolerance;
    if (tiny)
      damping = 1;
    else if (before.size > 0) { /* the step before tells how curved the problem is */
      double bend = difference(self->system, self->simplified, 1, self->correction);
      double predicted = damping * before.size * simplified.size / (bend * correction.size);
      damping = predicted < 1 ? fmax(predicted, 2 * smallest_damping) : 1;
    }
    if (!tiny)
      damping = fmin(damping, allowed_share(self, task, *tau, config, &sets));
    verdict found = search(self, task, tau, correction, config, &damping, &simplified, &sets);
    if (found == STUCK)
      return WY_NOT_CONVERGING;
    moved += damping * correction.size, before = correction;
    /* far away new tangents show whether a path is left; with contact the next correction may meet what these factors
       know nothing of */
    const bool carries = (!sets.any && correction.size <= near) || simplified.size <= self->options.newton_tolerance;
    if (found == ARRIVED || (found == GOES_ON && damping == 1 && carries))
      found = keep_factors(self, task, tau, config, damping, &before, simplified, found == ARRIVED, &moved);
    if (found == STUCK)
      return WY_NOT_CONVERGING;
    if (moved > task->reach)
      return WY_TOO_FAR;
    if (found == ARRIVED) {
      report->iterations++;
      return wy_stretch_pull(self, self->residual) > largest_pull ? WY_SINGULAR : WY_NO_TROUBLE;
    }
  }
  return WY_NOT_CONVERGING;
}
