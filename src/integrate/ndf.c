/* SPDX-License-Identifier: MIT */
/* NDF: numerical differentiation formulas of order 1 to 5 in backward differences, with steps that stay equal as long
   as they may, by Klopfenstein, and Shampine and Reichelt (ode15s). Simplified Newton iteration with one real linear
   system whose Jacobian is kept as long as it serves. Stops cut a step and leave the grid of the history as it is.
   docs/theory/integrators.md. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/implicit.h"
#include "integrate/lanes.h"
#include "integrate/methods.h"
#include "integrate/ndf_history.h"

enum { MOST_NEWTON = 4 };

/* Errors of many steps add up, more than those of a one-step method: each step is held to a tenth of the tolerance, but
   to no more than double precision can carry. */
static const double strictness = 0.1, finest = 1e-13;
static const double safety = 0.75;
static const double worth_longer = 1.4, worth_shorter = 0.9; /* factors from which a new step is worth its factors */
static const double most_longer = 2, most_at_first = 8, most_shorter = 0.1;

static const double newton_share = 0.2; /* of a step's tolerance may be left of Newton's iteration */
static const double newton_cut = 0.5;   /* of the step where it fails, */
enum { NEWTON_WAIT = 4 };               /* and steps more before it grows again */
static const double slowest = 0.9;      /* contraction above which it is said to fail */
/* What is aimed at with the next step, of the tolerance (I66): after each failure of Newton's iteration, and growing in
   each accepted step. */
static const double aim_failed = 0.4, aim_growth = 1.02, least_aim = 0.01;
static const double keep_factor = 0.02; /* share by which the shift may miss that of the factors */
/* What is expected of the contraction (I65): at first; how fast that follows what is seen; by how much doubt grows
   while nothing is seen, and hope with every Jacobian that was renewed on suspicion. */
static const double first_bend = 1, first_ageing = 0.1, least_rate = 0.01;
static const double blend = 0.5, doubt = 1.01, hope = 0.975;
/* Contraction by age from which a new Jacobian is taken, and where new factors are wanted anyway. */
static const double renew_rate = 0.15, renew_with = 0.03;

/* Together with the differences all that the method knows. Row m of the differences is nabla^m u on a grid of spacing h
   that ends at now.t; row 0 is u itself. */
typedef struct ndf_memory {
  wy_kept_matrices matrices; /* the factors are for a shift */
  bool begun;
  bool young; /* no step was rejected since the start */
  int order;
  int equal;           /* steps since order or spacing changed */
  int uncut;           /* steps since one was cut */
  int failures;        /* error tests in a row that failed */
  int age;             /* steps since the Jacobian was taken */
  double h;            /* spacing of the history */
  double aim;          /* error that the next step is made for, as Newton's iteration allows */
  double bend, ageing; /* contraction of Newton's iteration, per tolerance of the first correction, and per step since
                          the Jacobian was taken, as seen */
} ndf_memory;

typedef struct ndf_scratch {
  double relative, absolute;          /* tolerances of a step */
  double *past, *weight, *u_jacobian; /* saved: the history, inverse squares of tolerances */
  double *guess, *slope, *d, *y, *g, *f;
} ndf_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  ndf_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(ndf_memory));
  s->past = wy_arena_doubles(&memory->saved, WY_NDF_ROWS * n);
  s->weight = wy_arena_doubles(&memory->saved, n);
  s->u_jacobian = wy_arena_doubles(&memory->saved, n);
  s->guess = wy_arena_doubles(&memory->scratch, n);
  s->slope = wy_arena_doubles(&memory->scratch, n);
  s->d = wy_arena_doubles(&memory->scratch, n);
  s->y = wy_arena_doubles(&memory->scratch, n);
  s->g = wy_arena_doubles(&memory->scratch, n);
  s->f = self->f = wy_arena_doubles(&memory->scratch, n);
  s->relative = fmax(strictness * self->relative, fmin(self->relative, finest));
  s->absolute = s->relative * (self->absolute / self->relative);
}

/* ---- Vector kernels ---- */

/* What Newton's equations have on the right: f - slope - sigma d. */
WY_CLONES
static void residual(const double *restrict f, const double *restrict slope, const double *restrict d, double sigma,
                     int n, double *restrict g) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    g[i] = f[i] - slope[i] - sigma * d[i];
}

/* d += g, y = guess + d; the mean square of g. */
WY_CLONES
static double correct(const double *restrict guess, const double *restrict g, const double *restrict weight, int n,
                      double *restrict d, double *restrict y) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    double next = d[i] + g[i];
    d[i] = next;
    y[i] = guess[i] + next;
    sum += weight[i] * g[i] * g[i];
  }
  return sum;
}

WY_CLONES
static double mean_square(const double *restrict e, const double *restrict weight, int n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += weight[i] * e[i] * e[i];
  return sum;
}

WY_CLONES
static double largest_square(const double *restrict e, const double *restrict weight, const wy_norm_part *parts,
                             int count) {
  double worst = 0;
  for (const wy_norm_part *part = parts; part < parts + count; part++)
    for (int first = 0; first < part->stride; first += WY_LANES) {
      double sum[WY_LANES] = {0};
      for (int row = part->offset + first; row < part->offset + part->size; row += part->stride)
#pragma omp simd
        for (int lane = 0; lane < WY_LANES; lane++)
          sum[lane] += weight[row + lane] * e[row + lane] * e[row + lane];
      worst = wy_worst_lane(worst, sum);
    }
  return worst;
}

/* wy_weighted_norm squares e / (absolute + relative |u|): here without a division for each norm of a step. */
WY_CLONES
static void weigh(const double *restrict count, const double *restrict u, double relative, double absolute,
                  double share, int n, double *restrict weight) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double q = absolute + relative * fabs(u[i]);
    weight[i] = share * count[i] / (q * q);
  }
}

static void take_weights(wy_integrator *self) {
  const wy_system *system = self->system;
  ndf_scratch *s = self->scratch;
  weigh(system->weight, self->u, s->relative, s->absolute, system->norm_count > 0 ? 4 : 1.0 / system->unknowns,
        system->size, s->weight);
}

static double norm(const wy_integrator *self, const double *e) {
  const wy_system *system = self->system;
  const ndf_scratch *s = self->scratch;
  return sqrt(system->norm_count > 0 ? largest_square(e, s->weight, system->norm_parts, system->norm_count)
                                     : mean_square(e, s->weight, system->size));
}

/* ---- The history ---- */

static double *row(const wy_integrator *self, int m) {
  return wy_ndf_row(((ndf_scratch *)self->scratch)->past, m, self->size);
}

static void change_spacing(wy_integrator *self, double h) {
  ndf_memory *m = self->memory;
  wy_ndf_rescale(m->order, h / m->h, self->u, row(self, 1), self->size);
  m->h = h;
  if (m->equal > 0)
    m->equal = 0;
}

/* Order 1 at (now.t, u). */
static void start(wy_integrator *self) {
  ndf_memory *m = self->memory;
  ndf_scratch *s = self->scratch;
  const size_t n = (size_t)self->size;
  wy_integrator_rhs(self, self->now->t, self->u, s->f, true);
  double h = self->now->h = wy_first_step(self, 2, s->f, s->y, s->g);
  if (self->largest_step > 0)
    h = self->now->h = fmin(h, self->largest_step);
  *m = (ndf_memory){
      .begun = true, .order = 1, .h = h, .aim = 1, .bend = first_bend, .ageing = first_ageing, .young = true};
  memset(s->past, 0, WY_NDF_ROWS * n * sizeof(double));
  for (int i = 0; i < self->size; i++)
    s->past[i] = h * s->f[i];
  take_weights(self);
}

/* ---- One attempt ---- */

/* What Newton's iteration teaches about its contraction (I65): with a Jacobian of this step it goes with the
   correction, and it rises with age. An old Jacobian makes corrections too large, too: none counts for more than the
   error test would pass, `longest`. */
static void learn(ndf_memory *m, double rate, double change, double longest) {
  if (m->age == 0)
    m->bend += blend * (rate / change - m->bend);
  else
    m->ageing += blend * (fmax(rate - m->bend * fmin(change, longest), 0) / m->age - m->ageing);
}

/* Jacobian at the predicted state, where it is wanted, and factors; 0, or what the system returns where there are none.
   `known`: f at the predicted state has come with it. */
static int prepare(wy_integrator *self, double t, double sigma, bool *known) {
  ndf_memory *m = self->memory;
  ndf_scratch *s = self->scratch;
  wy_kept_matrices *kept = &m->matrices;
  const bool fits = kept->has_factor && fabs(sigma - kept->made_for) <= keep_factor * kept->made_for;
  if (m->ageing * m->age > (fits ? renew_rate : renew_with)) {
    kept->has_jacobian = false;
    m->ageing *= hope;
  }
  if (!kept->has_jacobian) {
    int status = wy_take_jacobian(self, kept, t, s->guess, s->u_jacobian);
    if (status)
      return status;
    m->age = 0;
    if (self->system->type->slope) {
      self->system->type->slope(self->system, s->f);
      *known = true;
    }
  }
  return kept->has_factor && fits ? WY_OK : wy_take_factors(self, kept, sigma, (wy_shifts){.real = sigma});
}

/* Simplified Newton for d; `known`: f holds f at the predicted state. Leaves the norm of d. False with the reason where
   it does not converge. */
static bool newton(wy_integrator *self, double t, const wy_ndf_step *step, bool known, double *size) {
  ndf_memory *m = self->memory;
  ndf_scratch *s = self->scratch;
  wy_system *system = self->system;
  const int n = system->size;
  double before = 0, rate = 0, first = 0;
  memset(s->d, 0, (size_t)self->size * sizeof(double));
  memcpy(s->y, s->guess, (size_t)self->size * sizeof(double));
  for (int k = 1; k <= MOST_NEWTON; k++) {
    if (k > 1 || !known)
      wy_integrator_rhs(self, t, s->y, s->f, false);
    residual(s->f, s->slope, s->d, step->sigma, n, s->g);
    system->type->solve(system, 0, s->g);
    self->now->statistics.newton_iterations++;
    double change = sqrt(correct(s->guess, s->g, s->weight, n, s->d, s->y));
    if (system->norm_count > 0)
      change = norm(self, s->g);
    if (!isfinite(change)) {
      self->rejection = WY_BY_NAN;
      return false;
    }
    if (k == 1) {
      first = change;
      rate = fmax(least_rate, m->bend * change + m->ageing * m->age);
    } else {
      rate = k == 2 ? change / before : fmax(rate, change / before);
      if (k == 2)
        learn(m, fmin(rate, 1), first, 1 / step->error);
      if (rate >= slowest)
        break;
    }
    double left = change * rate / (1 - fmin(rate, slowest));
    if (left <= newton_share || change <= 100 * DBL_EPSILON) {
      if (k == 1 && m->age == 0)
        m->bend *= doubt;
      *size = k == 1 ? change : norm(self, s->d);
      return true;
    }
    if (k > 1 && left * pow(rate, MOST_NEWTON - k) > newton_share)
      break;
    before = change;
  }
  self->rejection = WY_BY_NEWTON;
  return false;
}

static wy_outcome reject(wy_integrator *self, double h, wy_rejection rejection) {
  ndf_memory *m = self->memory;
  /* Where a step was cut the spacing does not follow at once: differences would not survive it. A slope alone does. */
  const double next = fmin(self->now->h, m->order > 1 ? fmax(h, most_shorter * m->h) : h);
  m->equal = 0;
  m->young = false;
  return wy_reject(self, next, rejection);
}

/* Factor of the step for an error of the given order. */
static double factor_for(double error, int order) {
  return safety * pow(fmax(error, 1e-10), -1.0 / (order + 1));
}

/* Terms of the history's series that do not fall say that there is no smooth course to be had at this order: vibrations
   that it does not damp (I64). `term` is the norm of nabla^(k+1). */
static bool is_rough(const wy_integrator *self, double term) {
  const ndf_memory *m = self->memory;
  const int k = m->order;
  if (k == 1)
    return false;
  double below = norm(self, row(self, k));
  if (k == 2)
    return below <= 0.5 * term;
  return below <= term && norm(self, row(self, k - 1)) <= term;
}

/* After a failed error test; after more than one, order and step go down. */
static wy_outcome reject_error(wy_integrator *self, double h, double size, double error) {
  ndf_memory *m = self->memory;
  double ratio = factor_for(error, m->order);
  m->failures++;
  m->age += m->age == 0; /* the Jacobian is that of a state further on */
  if (m->order > 1 && (m->failures > 2 || is_rough(self, size)))
    m->order--;
  if (m->failures > 1)
    ratio = fmin(ratio, 0.5);
  return reject(self, h * fmax(most_shorter, fmin(ratio, 0.9)), WY_BY_ERROR);
}

/* Work and dissipation obey the same formula, with rates that are known now. */
static bool integrate_power(wy_integrator *self, double t, double sigma) {
  ndf_scratch *s = self->scratch;
  const int tail = self->system->size;
  double power[WY_INTEGRALS] = {0};
  wy_integrator_power(self, t, s->y, s->f, power);
  for (int q = 0; q < WY_INTEGRALS; q++) {
    s->d[tail + q] = (power[q] - s->slope[tail + q]) / sigma;
    if (!isfinite(power[q]))
      return false;
  }
  return true;
}

/* Order and step after an accepted one that was not cut; `term` is the norm of d. Returns the step. */
static double choose(wy_integrator *self, double term, double error) {
  ndf_memory *m = self->memory;
  const int k = m->order;
  double next = error;
  int order = k;
  if (is_rough(self, term)) {
    order = k - 1;
    next = wy_ndf_error(order) * norm(self, row(self, k));
  } else if (m->equal <= k) {
    return m->h;
  } else if (k < WY_NDF_ORDERS && m->uncut > k) {
    double higher = norm(self, row(self, k + 2));
    if (higher < (k == 1 ? 0.5 : 1) * term) {
      order = k + 1;
      next = wy_ndf_error(order) * higher;
    }
  }
  double ratio = factor_for(next / m->aim, order);
  if (order != k) {
    m->order = order;
    m->equal = 0;
  }
  if (ratio > worth_shorter && ratio < worth_longer)
    return m->h;
  return m->h * fmax(most_shorter, fmin(m->young ? most_at_first : most_longer, ratio));
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  ndf_memory *m = self->memory;
  ndf_scratch *s = self->scratch;
  if (!m->begun)
    start(self);
  wy_trial trial = wy_try_step(self, t_stop);
  if (trial.wanted != m->h)
    change_spacing(self, trial.wanted);
  const double t = trial.lands ? t_stop : self->now->t + trial.h;
  wy_ndf_step step = wy_ndf_plan(m->order, m->h, trial.h);
  wy_ndf_predict(m->order, &step, self->u, s->past, self->size, s->guess, s->slope);
  double size;
  for (;;) {
    bool known = false;
    int status = prepare(self, t, step.sigma, &known);
    if (status) {
      m->matrices.has_jacobian = false;
      reject(self, 0.5 * trial.h, WY_BY_SINGULARITY);
      return wy_outcome_of(status);
    }
    if (newton(self, t, &step, known, &size))
      break;
    m->matrices.has_jacobian = false;
    if (m->age == 0) {
      wy_outcome outcome = reject(self, newton_cut * trial.h, self->rejection);
      m->equal = -NEWTON_WAIT;
      m->aim = fmax(aim_failed * m->aim, least_aim);
      return outcome;
    }
  }
  double error = step.error * size;
  if (error > 1)
    return reject_error(self, trial.h, size, error);
  if (!wy_step_allowed(self, trial.h, s->y))
    return reject(self, 0.5 * trial.h, WY_BY_CONTACT);
  if (!integrate_power(self, t, step.sigma))
    return reject(self, 0.25 * trial.h, WY_BY_NAN);

  m->failures = 0;
  m->age++;
  m->aim = fmin(aim_growth * m->aim, 1);
  double next = m->h;
  wy_ndf_advance(m->order, &step, self->u, s->past, s->d, self->size);
  if (step.c == 1) {
    m->equal++, m->uncut++;
    next = choose(self, size, error);
  } else {
    m->uncut = 0;
  }
  take_weights(self);
  wy_step_taken(self, &trial, next);
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const ndf_memory *m = self->memory;
  const ndf_scratch *s = self->scratch;
  wy_ndf_at(m->order, (t - self->now->t) / m->h, self->u, s->past, self->size, u);
}

static void invalidate(wy_integrator *self, bool only_f) {
  if (!only_f)
    ((ndf_memory *)self->memory)->begun = false;
}

static void resume(wy_integrator *self) {
  const wy_kept_matrices *kept = &((ndf_memory *)self->memory)->matrices;
  wy_restore_matrices(self, kept, ((ndf_scratch *)self->scratch)->u_jacobian, (wy_shifts){.real = kept->made_for});
}

const wy_integrator_type wy_ndf = {
    .info = &(const wy_integrator_info){.name = "ndf",
                                        .family = "implicit multistep, NDF (as ode15s)",
                                        .use = "stiff, damped, smooth motions",
                                        .source = "Klopfenstein 1971; Shampine and Reichelt 1997",
                                        .lowest_order = 1,
                                        .highest_order = 5,
                                        .implicit = true,
                                        .multistep = true,
                                        .vectors = 15},
    .needs = {.real = 1},
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
    .resume = resume,
};
