/* SPDX-License-Identifier: MIT */
/* What all methods share: registry, error norm, first step, integrals. */
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/lanes.h"
#include "integrate/methods.h"
#include "scheme/contacts.h"

#define ENTRY(name) &wy_##name,
static const wy_integrator_type *const methods[] = {WY_OWN_INTEGRATORS(ENTRY)};

enum { OWN = sizeof methods / sizeof methods[0] };

const wy_integrator_type *wy_integrator_at(const wy_integrators *more, int index) {
  if (index < 0)
    return NULL;
  if (index < OWN)
    return methods[index];
  for (int i = 0; more && more->types[i]; i++)
    if (i == index - OWN)
      return more->types[i];
  return NULL;
}

bool wy_integrator_fits(const wy_integrator_type *type, const wy_scheme *scheme) {
  return type->motion == scheme->motion && (scheme->discrete_gradient || !type->discrete_gradient) &&
         (scheme->strides || !type->strides);
}

static const wy_integrator_type *find(const char *name, const wy_integrators *more, const wy_scheme *scheme) {
  const wy_integrator_type *found = NULL;
  for (int i = 0; wy_integrator_at(more, i); i++) {
    const wy_integrator_type *type = wy_integrator_at(more, i);
    if (strcmp(type->info->name, name) == 0 && (!found || wy_integrator_fits(type, scheme)))
      found = type;
  }
  return found;
}

const wy_integrator_type *wy_integrator_find(const wy_solver_def *solver, const wy_scheme *scheme) {
  return find(strcmp(solver->integrator, "auto") == 0 ? scheme->integrator : solver->integrator, solver->more, scheme);
}

static bool named_before(const wy_integrators *more, int index) {
  for (int i = 0; i < index; i++)
    if (strcmp(wy_integrator_at(more, i)->info->name, wy_integrator_at(more, index)->info->name) == 0)
      return true;
  return false;
}

const wy_integrator_info *wy_integrator_describe(const wy_integrators *more, int index) {
  if (index < 0)
    return NULL;
  for (int i = 0; wy_integrator_at(more, i); i++)
    if (!named_before(more, i) && index-- == 0)
      return wy_integrator_at(more, i)->info;
  for (int i = 0; more && more->missing[i]; i++)
    if (index-- == 0)
      return more->missing[i];
  return NULL;
}

const char *wy_integrator_name(const wy_integrators *more, int index) {
  const wy_integrator_info *info = wy_integrator_describe(more, index);
  return info ? info->name : NULL;
}

void wy_integrator_rhs(const wy_integrator *self, double t, const double *u, double *f, bool power) {
  wy_system *system = self->system;
  double *tail = f + system->size;
  memset(tail, 0, WY_LANES * sizeof *tail);
  int status = system->type->rhs(system, t, u, f, power && system->has_power ? tail : NULL);
  self->now->statistics.rhs++;
  if (status)
    wy_spoil(system, f);
}

void wy_integrator_power(wy_integrator *self, double t, const double *u, double *f, double power[WY_INTEGRALS]) {
  wy_system *system = self->system;
  memset(power, 0, WY_INTEGRALS * sizeof *power);
  if (!system->has_power)
    return;
  system->type->rhs(system, t, u, f, power);
  self->now->statistics.quadrature++;
}

void wy_count_as_quadrature(const wy_integrator *self, long before) {
  wy_statistics *statistics = &self->now->statistics;
  statistics->quadrature += statistics->rhs - before;
  statistics->rhs = before;
}

/* Four points of Lobatto on 0 to 1: the ends, and what is inside. */
static const double lobatto_inner = 0.27639320225002103036, lobatto_outer_weight = 1.0 / 12,
                    lobatto_inner_weight = 5.0 / 12;

void wy_quadrature_step(wy_integrator *self, wy_quadrature *quadrature, const double *first, const double *last,
                        double *state, double *f) {
  const double from = self->now->t_old, h = self->now->t - from;
  double *integrals = self->u + self->system->size;
  const double *known[4] = {first, NULL, NULL, last};
  const double at[4] = {0, lobatto_inner, 1 - lobatto_inner, 1};
  quadrature->h = h;
  memcpy(quadrature->before, integrals, sizeof quadrature->before);
  for (int i = 0; i < 4; i++) {
    if (known[i]) {
      memcpy(quadrature->power[i], known[i], sizeof quadrature->power[i]);
    } else if (i == 3) {
      wy_integrator_power(self, self->now->t, self->u, f, quadrature->power[i]);
    } else {
      self->type->dense(self, from + at[i] * h, state);
      wy_integrator_power(self, from + at[i] * h, state, f, quadrature->power[i]);
    }
  }
  for (int q = 0; q < WY_INTEGRALS; q++)
    integrals[q] += h * (lobatto_outer_weight * (quadrature->power[0][q] + quadrature->power[3][q]) +
                         lobatto_inner_weight * (quadrature->power[1][q] + quadrature->power[2][q]));
}

void wy_quadrature_at(const wy_quadrature *quadrature, double theta, double integrals[WY_INTEGRALS]) {
  const double at[4] = {0, lobatto_inner, 1 - lobatto_inner, 1};
  memcpy(integrals, quadrature->before, sizeof quadrature->before);
  for (int i = 0; i < 4; i++) {
    /* The integral from 0 to theta of Lagrange's polynomial of this point: (x - a)(x - b)(x - c) / scale. */
    double other[3], scale = 1;
    for (int k = 0, j = 0; k < 4; k++)
      if (k != i)
        scale *= at[i] - at[k], other[j++] = at[k];
    double sum = other[0] + other[1] + other[2],
           pairs = other[0] * other[1] + other[0] * other[2] + other[1] * other[2],
           product = other[0] * other[1] * other[2];
    double weight = theta * (-product + theta * (pairs / 2 + theta * (-sum / 3 + theta / 4))) / scale;
    for (int q = 0; q < WY_INTEGRALS; q++)
      integrals[q] += quadrature->h * weight * quadrature->power[i][q];
  }
}

void wy_spoil(const wy_system *system, double *f) {
  for (int i = 0; i < system->size; i++)
    f[i] = system->weight[i] > 0 ? (double)NAN : 0;
}

WY_CLONES
bool wy_is_finite(const wy_system *system, const double *f) {
  const double *restrict weight = system->weight;
  const int n = system->size;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += weight[i] * f[i];
  return isfinite(sum);
}

bool wy_step_allowed(const wy_integrator *self, double h, const double *after) {
  return !self->touches || wy_system_allows(self->system, self->now->t, h, self->u, after);
}

wy_outcome wy_outcome_of(int status) {
  return status < 0 ? WY_HOPELESS : status > 0 ? WY_REJECTED : WY_ACCEPTED;
}

/* The largest over all points, each twice the length of its vector of errors: steps that stability does not
   cut short lose energy of an undamped pendulum at a hundred tolerances in ten seconds, not more. */
WY_INLINE double largest_local(const wy_system *system, double relative, double absolute, const double *restrict e,
                               const double *restrict a, const double *restrict b) {
  const double *restrict weight = system->weight;
  double worst = 0;
  for (int p = 0; p < system->norm_count; p++) {
    const wy_norm_part part = system->norm_parts[p];
    const int n = part.stride, rows = part.size / n;
    for (int first = part.offset; first < part.offset + n; first += WY_LANES) {
      double sum[WY_LANES] = {0};
      for (int row = 0; row < rows; row++)
#pragma omp simd
        for (int lane = 0; lane < WY_LANES; lane++) {
          int i = row * n + first + lane;
          double larger = fabs(a[i]) > fabs(b[i]) ? fabs(a[i]) : fabs(b[i]);
          double q = e[i] / (absolute + relative * larger);
          sum[lane] += weight[i] * q * q;
        }
      worst = wy_worst_lane(worst, sum);
    }
  }
  return 2 * sqrt(worst);
}

WY_CLONES
double wy_weighted_norm(const wy_integrator *self, double relative, double absolute, const double *e, const double *a,
                        const double *b) {
  if (self->system->norm_count > 0)
    return largest_local(self->system, relative, absolute, e, a, b);
  const double *restrict weight = self->system->weight;
  const int n = self->system->size;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    double larger = fabs(a[i]) > fabs(b[i]) ? fabs(a[i]) : fabs(b[i]);
    double q = e[i] / (absolute + relative * larger);
    sum += weight[i] * q * q;
  }
  return sqrt(sum / self->system->unknowns);
}

double wy_first_step(wy_integrator *self, int order, const double *f, double *work, double *work_f) {
  if (self->first_step > 0) /* later on, one that the clock can show */
    return fmax(self->first_step, 8 * DBL_EPSILON * fabs(self->now->t));
  const double *u = self->u;
  double longest = self->largest_step > 0 ? self->largest_step : (double)INFINITY;
  double size_u = wy_weighted_norm(self, self->relative, self->absolute, u, u, u);
  double size_f = wy_weighted_norm(self, self->relative, self->absolute, f, u, u);
  double h = size_f <= 1e-5 || size_u <= 1e-5 ? 1e-6 : 0.01 * size_u / size_f;
  h = fmin(h, longest);
  for (int i = 0; i < self->size; i++)
    work[i] = u[i] + h * f[i];
  wy_integrator_rhs(self, self->now->t + h, work, work_f, false);
  for (int i = 0; i < self->size; i++)
    work[i] = (work_f[i] - f[i]) / h;
  double second = wy_weighted_norm(self, self->relative, self->absolute, work, u, u);
  double larger = fmax(second, size_f);
  double h1 = larger <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / larger, 1.0 / order);
  double chosen = fmin(fmin(100 * h, h1), longest);
  return isfinite(chosen) && chosen > 0 ? chosen : 1e-6;
}

wy_trial wy_try_step(const wy_integrator *self, double t_stop) {
  double t = self->now->t, h = self->now->h;
  wy_trial trial = {.wanted = self->largest_step > 0 ? fmin(h, self->largest_step) : h, .t_stop = t_stop};
  trial.lands = t + 1.01 * trial.wanted >= t_stop;
  trial.h = trial.lands ? t_stop - t : trial.wanted;
  return trial;
}

/* Without a step of the user's: so many in the time scale of the rod, but no endless run. */
static const double steps_per_scale = 100, most_chosen_steps = 1e6;

double wy_default_step(double time_scale, double end) {
  double step = time_scale / steps_per_scale;
  return isfinite(end) && step < end / most_chosen_steps ? end / most_chosen_steps : step;
}

double wy_method_default_step(const wy_model *model, int rod, double end) {
  return wy_default_step(wy_model_time_scale(model, rod, end), end);
}

void wy_start_on_grid(wy_integrator *self) {
  const double h = self->first_step;
  self->now->h = self->largest_step > 0 ? fmin(h, self->largest_step) : h;
}

/* Remainders before or after a stop are added to the step beside them: velocities, which are differences over a step,
   would not survive very short ones. */
wy_trial wy_try_grid_step(const wy_integrator *self, double t_stop) {
  double t = self->now->t, piece = ldexp(self->now->h, -self->now->halvings), slack = 0.01 * piece;
  double next = (floor((t + slack) / piece) + 1) * piece;
  wy_trial trial = {.wanted = self->now->h, .t_stop = next, .lands = true};
  if (t_stop < next + slack)
    trial.t_stop = t_stop;
  trial.h = trial.t_stop - t;
  return trial;
}

void wy_step_taken(wy_integrator *self, const wy_trial *trial, double next) {
  wy_progress *now = self->now;
  now->t_old = now->t;
  now->t = trial->lands ? trial->t_stop : now->t + trial->h;
  /* A step that was cut short says little about the next one. */
  now->h = trial->lands ? fmax(next, trial->wanted) : next;
}
