/* SPDX-License-Identifier: MIT */
/* SEULEX: extrapolation of the linearly implicit Euler method with variable order and step, as published by Hairer and
   Wanner (Solving Ordinary Differential Equations II, IV.9 and IV.10). docs/theory/integrators.md. */
#include <math.h>
#include <string.h>

#include "integrate/implicit.h"
#include "integrate/methods.h"
#include "integrate/seulex_tableau.h"
#include "scheme/contacts.h"

enum { COLUMNS = WY_SEULEX_COLUMNS, DENSE = WY_SEULEX_DERIVATIVES + 2, MOST_DENSE = 18 };

/* Step and order control (I26), (I27). */
static const double limit = 0.1, shrink = 4; /* of the change of a step, see optimal_step */
static const double safety_error = 0.6, safety_step = 0.93;
static const double lower_at = 0.7, raise_at = 0.9; /* ratios of work per unit step that change the order */
static const double work_jacobian = 5, work_factor = 1, work_substep = 2; /* in evaluations of f */

typedef struct seulex_memory {
  wy_kept_matrices matrices; /* without factors, which every row makes anew */
  wy_kept_f f;
  bool first, rejected; /* no history yet; the last attempt failed */
  double contraction;   /* met with the present Jacobian */
  int target;           /* column in which convergence is expected */
  int columns, degree;  /* of the last accepted step and of its continuous output */
  double h_dense;
  bool changed; /* the equations are no longer those of the last accepted step */
} seulex_memory;

typedef struct seulex_scratch {
  double keep_jacobian;     /* contraction below which the Jacobian is good enough */
  double work[COLUMNS + 1]; /* of a step with so many columns */
  wy_tableau tableau;
  double *u_jacobian, *f, *f_old; /* saved; f_old at the start of the last accepted step */
  double *dense[DENSE];           /* saved: coefficients of the continuous output as the step leaves it */
  /* The same once it was asked for: coefficients in use, room for further ones, and where it is exact. */
  double *coefficient[MOST_DENSE], *more[MOST_DENSE], node[MOST_DENSE];
  int degree;
  bool refined;
} seulex_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  seulex_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(seulex_memory));
  s->u_jacobian = wy_arena_doubles(&memory->saved, n);
  s->f = self->f = wy_arena_doubles(&memory->saved, n);
  s->f_old = wy_arena_doubles(&memory->saved, n);
  for (int j = 0; j < DENSE; j++)
    s->dense[j] = wy_arena_doubles(&memory->saved, n);
  for (int j = 2; j < MOST_DENSE; j++)
    s->more[j] = wy_arena_doubles(&memory->scratch, n);
  wy_tableau_layout(&s->tableau, &memory->scratch, self->size);
  s->keep_jacobian = fmin(1e-4, self->relative);
  s->work[0] = work_jacobian + work_substep; /* the first substep of later rows has its f already */
  for (int j = 1; j <= COLUMNS; j++)
    s->work[j] = s->work[j - 1] + (wy_seulex_substeps[j] - 1) * work_substep + work_factor;
}

static void start(wy_integrator *self) {
  seulex_memory *m = self->memory;
  seulex_scratch *s = self->scratch;
  wy_integrator_rhs(self, self->now->t, self->u, s->f, true);
  self->now->h = wy_first_step(self, 2, s->f, s->tableau.spare, s->tableau.error);
  int target = (int)(-0.6 * log10(self->relative + self->absolute) + 1.5);
  m->target = target < 2 ? 2 : target > COLUMNS - 2 ? COLUMNS - 2 : target;
  m->f = (wy_kept_f){.valid = true};
  m->matrices = (wy_kept_matrices){.t = m->matrices.t};
  m->first = m->changed = true;
  m->rejected = false;
}

static int prepare_jacobian(wy_integrator *self) {
  seulex_memory *m = self->memory;
  seulex_scratch *s = self->scratch;
  const bool good = m->matrices.fresh || (!m->rejected && m->contraction <= s->keep_jacobian);
  if (m->matrices.has_jacobian && good)
    return 0;
  return wy_take_jacobian(self, &m->matrices, self->now->t, self->u, s->u_jacobian);
}

/* ---- Control of order and step ---- */

/* What the rows of an attempt tell, by column. */
typedef struct progress {
  double step[COLUMNS + 1]; /* with which each column would just meet the tolerance */
  double cost[COLUMNS + 1]; /* work per unit step with it */
} progress;

static double optimal_step(double h, double error, int column) {
  double expo = 1.0 / column, least = pow(limit, expo);
  return h / fmin(shrink / least, fmax(least, pow(error / safety_error, expo) / safety_step));
}

typedef enum verdict { GO_ON, CONVERGED, GIVE_UP } verdict;

/* Is column j good enough, or is there no hope that one up to target + 1 will be? (I28) `eager`: the first step or one
   that is cut short converges wherever it may. */
static verdict judge(const seulex_memory *m, int j, double error, bool eager) {
  const int k = m->target, *substeps = wy_seulex_substeps;
  bool early = j == k - 1 && !eager && !m->rejected;
  if (error <= 1 && (eager || early || j >= k))
    return CONVERGED;
  if ((early && error > 4.0 * substeps[k + 1] * substeps[k]) || (j == k && error > 2.0 * substeps[k + 1]) || j > k)
    return GIVE_UP;
  return GO_ON;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

/* The column to aim at after convergence in column j. */
static int optimal_column(const seulex_memory *m, const progress *p, int j) {
  const double *cost = p->cost;
  if (j == 2)
    return m->rejected ? 2 : 3;
  if (j <= m->target) {
    if (cost[j] < raise_at * cost[j - 1])
      return smaller(j + 1, COLUMNS - 1);
    return cost[j - 1] < lower_at * cost[j] ? j - 1 : j;
  }
  int best = j > 3 && cost[j - 2] < lower_at * cost[j - 1] ? j - 2 : j - 1;
  return cost[j] < raise_at * cost[best] ? smaller(j, COLUMNS - 1) : best;
}

/* The step after convergence in column j; *target is new. */
static double next_step(const seulex_memory *m, const seulex_scratch *s, const progress *p, double h, int j,
                        int *target) {
  int best = optimal_column(m, p, j);
  if (m->rejected) {
    *target = smaller(best, j);
    return fmin(h, p->step[*target]);
  }
  *target = best;
  if (best <= j)
    return p->step[best];
  bool rising = j < m->target && p->cost[j] < raise_at * p->cost[j - 1];
  return p->step[j] * s->work[rising ? best + 1 : best] / s->work[j];
}

/* ---- One attempt ---- */

static wy_outcome reject(wy_integrator *self, double h, wy_rejection rejection) {
  ((seulex_memory *)self->memory)->rejected = true;
  return wy_reject(self, h, rejection);
}

/* The error estimates show that the step was too long: the column to aim at next time, and the step for it. */
static wy_outcome reject_by_error(wy_integrator *self, const progress *p, int j) {
  seulex_memory *m = self->memory;
  m->target = smaller(smaller(m->target, j), COLUMNS - 1);
  if (m->target > 2 && p->cost[m->target - 1] < lower_at * p->cost[m->target])
    m->target--;
  return reject(self, p->step[m->target], WY_BY_ERROR);
}

/* Rows until one converges, and its number. */
static wy_outcome fill(wy_integrator *self, double h, bool autonomous, bool eager, progress *p, int *columns) {
  seulex_memory *m = self->memory;
  seulex_scratch *s = self->scratch;
  double longest = self->largest_step > 0 ? self->largest_step : (double)INFINITY, error = 0, most = 0;
  p->cost[1] = (double)INFINITY;
  for (int j = 1;; j++) {
    int status = wy_tableau_row(self, &s->tableau, j, h, autonomous, &error, &m->contraction);
    if (status) {
      reject(self, 0.5 * h, self->rejection); /* as the row has found it */
      return wy_outcome_of(status);
    }
    if (j == 1)
      continue;
    if (j > 2 && error >= most) /* extrapolation does not converge */
      return reject(self, 0.5 * h, WY_BY_ERROR);
    most = fmax(4 * error, 1);
    p->step[j] = fmin(optimal_step(h, error, j), longest);
    p->cost[j] = s->work[j] / p->step[j];
    verdict found = judge(m, j, error, eager);
    if (found == GIVE_UP)
      return reject_by_error(self, p, j);
    if (found == CONVERGED) {
      *columns = j;
      return WY_ACCEPTED;
    }
  }
}

static void know_f(wy_integrator *self) {
  wy_know_f(self, &((seulex_memory *)self->memory)->f, true);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  seulex_memory *m = self->memory;
  seulex_scratch *s = self->scratch;
  wy_system *system = self->system;
  const bool autonomous = !wy_depends_on_time(system);
  wy_trial trial = wy_try_step(self, t_stop);
  bool eager = m->first || trial.lands;
  progress p = {{0}, {0}};
  m->first = false;
  know_f(self);
  int status = prepare_jacobian(self), columns = 0;
  if (status) {
    reject(self, 0.5 * trial.h, WY_BY_SINGULARITY);
    return wy_outcome_of(status);
  }
  wy_outcome outcome = fill(self, trial.h, autonomous, eager, &p, &columns);
  if (outcome != WY_ACCEPTED)
    return outcome;
  if (!autonomous && !(wy_tableau_start_error(self, &s->tableau, columns, trial.h) <= 1)) /* f jumps there (I29) */
    return reject(self, 0.5 * trial.h, WY_BY_ERROR);
  if (!wy_step_allowed(self, trial.h, s->tableau.entry[1]))
    return reject(self, 0.5 * trial.h, WY_BY_CONTACT);
  /* The next step's first f, which no row has seen. Where it cannot begin this one must not end. */
  wy_integrator_rhs(self, trial.lands ? trial.t_stop : self->now->t + trial.h, s->tableau.entry[1], s->tableau.spare,
                    true);
  if (!wy_is_finite(system, s->tableau.spare))
    return reject(self, 0.5 * trial.h, WY_BY_NAN);

  if (self->touches) {
    memcpy(s->tableau.first, s->tableau.spare, (size_t)self->size * sizeof(double));
    if (!(wy_tableau_end_error(self, &s->tableau, columns, trial.h, s->tableau.first) <= 1))
      return reject(self, 0.5 * trial.h, WY_BY_ERROR);
  }
  int target;
  double next = next_step(m, s, &p, trial.h, columns, &target);
  const size_t bytes = (size_t)self->size * sizeof(double);
  m->degree = wy_tableau_dense(&s->tableau, columns, self->u, self->size, s->dense);
  memcpy(s->f_old, s->f, bytes);
  memcpy(s->f, s->tableau.spare, bytes);
  memcpy(self->u, s->tableau.entry[1], bytes);
  m->columns = columns;
  s->refined = false;
  m->h_dense = trial.h;
  m->f.unused = true;
  m->rejected = m->matrices.fresh = m->changed = false;
  if (!trial.lands || next >= trial.wanted) /* a step that was cut short says little about the next one */
    m->target = target;
  wy_step_taken(self, &trial, next);
  return WY_ACCEPTED;
}

/* ---- Continuous output ---- */

/* The present polynomial at theta. */
static void interpolate(const seulex_scratch *s, double theta, int n, double *restrict u) {
  memcpy(u, s->coefficient[s->degree], (size_t)n * sizeof(double));
  for (int j = s->degree - 1; j >= 0; j--) {
    const double *restrict coefficient = s->coefficient[j], factor = theta - s->node[j];
#pragma omp simd
    for (int i = 0; i < n; i++)
      u[i] = coefficient[i] + factor * u[i];
  }
}

/* Where the polynomial may err most, and the size of its next basis function there. */
static double widest(const seulex_scratch *s, double *size) {
  enum { POINTS = 64 };
  double theta = 0;
  *size = 0;
  for (int i = 1; i < POINTS; i++) {
    double product = 1;
    for (int j = 0; j <= s->degree; j++)
      product *= (double)i / POINTS - s->node[j];
    if (fabs(product) > fabs(*size))
      theta = (double)i / POINTS, *size = product;
  }
  return theta;
}

/* The state at theta by a shorter step from the same start, in tableau.entry[1]: as good as the end of the step. */
static int step_to(wy_integrator *from, double theta) {
  const seulex_memory *m = from->memory;
  seulex_scratch *s = from->scratch;
  const bool autonomous = !wy_depends_on_time(from->system);
  double error = 0, contraction;
  for (int j = 1; j <= m->columns; j++) {
    if (wy_tableau_row(from, &s->tableau, j, theta * m->h_dense, autonomous, &error, &contraction))
      return WY_RETRY;
    if (j > 1 && error <= 0.1)
      break;
  }
  return 0;
}

/* The polynomial of the given degree that the step has left: both ends, and derivatives at the end. */
static void begin_polynomial(seulex_scratch *s, int degree) {
  s->degree = degree;
  for (int j = 0; j <= degree; j++) {
    s->coefficient[j] = s->dense[j];
    s->node[j] = j > 0;
  }
}

/* Makes the right state where the polynomial may err most a further node; returns how far it was off. */
static double add_node(wy_integrator *from) {
  seulex_scratch *s = from->scratch;
  double size, theta = widest(s, &size), *gap = s->more[s->degree + 1];
  if (step_to(from, theta))
    return (double)NAN;
  interpolate(s, theta, from->size, gap);
  for (int i = 0; i < from->size; i++)
    gap[i] = s->tableau.entry[1][i] - gap[i];
  double error = wy_weighted_norm(from, from->relative, from->absolute, gap, from->u, from->u);
  for (int i = 0; i < from->size; i++)
    gap[i] /= size;
  if (isfinite(error)) {
    s->node[++s->degree] = theta;
    s->coefficient[s->degree] = gap;
  }
  return error;
}

/* Makes the continuous output as good as the step (I25). Where further nodes help little, the derivatives are not to be
   trusted: long steps of stiff systems. */
static void refine(const wy_integrator *self) {
  const seulex_memory *m = self->memory;
  seulex_scratch *s = self->scratch;
  wy_progress begin = *self->now;
  begin.t = begin.t_old;
  wy_integrator from = *self; /* moves nothing */
  from.now = &begin;
  from.u = s->dense[0];
  from.f = s->f_old;
  s->refined = true;
  begin_polynomial(s, m->degree);
  const wy_kept_matrices *kept = &m->matrices;
  if (m->changed || (!kept->has_jacobian && self->system->type->jacobian(self->system, kept->t, s->u_jacobian)))
    return;
  bool derivatives = m->degree > 1;
  double error = add_node(&from);
  while (error > 1 && s->degree + 1 < MOST_DENSE) {
    double before = error;
    error = add_node(&from);
    if (derivatives && error > fmax(1, 0.1 * before)) {
      derivatives = false;
      begin_polynomial(s, 1);
    }
  }
  const long before = self->now->statistics.rhs;
  self->now->statistics = begin.statistics;
  wy_count_as_quadrature(self, before);
}

static void dense(const wy_integrator *self, double t, double *u) {
  const seulex_memory *m = self->memory;
  const seulex_scratch *s = self->scratch;
  if (!s->refined)
    refine(self);
  interpolate(s, (t - self->now->t_old) / m->h_dense, self->size, u);
}

static void invalidate(wy_integrator *self, bool only_f) {
  seulex_memory *m = self->memory;
  wy_forget_f(self, &m->f);
  m->matrices.has_jacobian = m->matrices.has_jacobian && only_f;
  m->changed = m->changed || !only_f;
}

static void resume(wy_integrator *self) {
  seulex_scratch *s = self->scratch;
  s->refined = false;
  wy_restore_matrices(self, &((seulex_memory *)self->memory)->matrices, s->u_jacobian, (wy_shifts){0});
}

const wy_integrator_type wy_seulex = {
    .info = &(const wy_integrator_info){.name = "seulex",
                                        .family = "extrapolated linearly implicit Euler",
                                        .use = "comparisons on stiff, damped rods",
                                        .source = "Hairer and Wanner 1996",
                                        .lowest_order = 2,
                                        .highest_order = WY_SEULEX_COLUMNS,
                                        .implicit = true,
                                        .vectors = 84},
    .needs = {.real = 1},
    .know_f = know_f,
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
    .resume = resume,
};
