/* SPDX-License-Identifier: MIT */
/* DOP853: the explicit Runge-Kutta method of order 8 of Dormand and Prince with errors of order 5 and 3, the step
   control and the continuous output of order 7 of Hairer, Norsett and Wanner (Solving Ordinary Differential Equations
   I, II.5 and II.6). docs/theory/integrators.md.

   The continuous output needs three more evaluations of f. They are made when it is first asked for, so that a run
   without output does not pay: until then a step's stages are kept. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/dop853_table.h"
#include "integrate/explicit.h"
#include "integrate/methods.h"

enum {
  STAGES = WY_DOP853_STAGES,
  NEW = STAGES,   /* the stage that is f at the new state */
  FIRST_KEPT = 5, /* those before serve nothing but other stages */
  DENSE = 8       /* coefficients of the continuous output */
};

static const wy_step_control control = {.exponent = 1.0 / 8, .beta = 0, .smallest_factor = 0.333, .largest_factor = 6};

typedef struct dop853_memory {
  wy_step_history history;
  bool f_valid;
  /* Of the last accepted step: */
  int set;             /* which stages are its own; the others are for the next attempt */
  bool dense_ready;    /* the continuous output has taken the place of the stages */
  bool system_changed; /* since then: no stages can be added */
  double h_dense;
  wy_books books;
} dop853_memory;

typedef struct dop853_scratch {
  /* Two sets of stages, so that a step survives attempts that fail; saved, but for the stages before FIRST_KEPT and
     after NEW, of which there is only one set. Stage 0 is f(t,u) of the next step. */
  double *k[2][WY_DOP853_ALL_STAGES];
  double *after[2];       /* saved: new states, before projection */
  double *before, *first; /* saved: u and f at the start of the last accepted step */
  double *stage, *error5, *error3;
} dop853_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  dop853_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(dop853_memory));
  self->f = wy_arena_doubles(&memory->saved, n);
  s->before = wy_arena_doubles(&memory->saved, n);
  s->first = wy_arena_doubles(&memory->saved, n);
  for (int set = 0; set < 2; set++) {
    s->k[set][0] = self->f;
    s->after[set] = wy_arena_doubles(&memory->saved, n);
    for (int i = FIRST_KEPT; i <= NEW; i++)
      s->k[set][i] = wy_arena_doubles(&memory->saved, n);
  }
  for (int i = 1; i < FIRST_KEPT; i++)
    s->k[0][i] = s->k[1][i] = wy_arena_doubles(&memory->scratch, n);
  for (int i = NEW + 1; i < WY_DOP853_ALL_STAGES; i++)
    s->k[0][i] = s->k[1][i] = wy_arena_doubles(&memory->scratch, n);
  s->stage = wy_arena_doubles(&memory->scratch, n);
  s->error5 = wy_arena_doubles(&memory->scratch, n);
  s->error3 = wy_arena_doubles(&memory->scratch, n);
}

static void start(wy_integrator *self) {
  dop853_memory *m = self->memory;
  dop853_scratch *s = self->scratch;
  wy_integrator_rhs(self, self->now->t, self->u, self->f, true);
  m->f_valid = true;
  m->system_changed = true;
  wy_forget_steps(&m->history);
  self->now->h = wy_first_step(self, 8, self->f, s->stage, s->error5);
}

static void evaluate_stage(const wy_integrator *self, int stage, double t, double h, const double *u,
                           double *const *k) {
  const dop853_scratch *s = self->scratch;
  const wy_dop853_row *row = &wy_dop853_a[stage];
  double *terms[WY_MOST_TERMS] = {0};
  for (int j = 0; j < row->terms; j++)
    terms[j] = k[row->stage[j]];
  wy_stage_sum(u, h, row->a, terms, row->terms, self->size, s->stage);
  wy_integrator_rhs(self, t + wy_dop853_c[stage] * h, s->stage, k[stage], true);
}

/* The state of order 8, and how it differs from those of order 5 and 3. */
WY_CLONES
static void finish_step(const double *restrict u, double h, double *const *k, int n, double *restrict y,
                        double *restrict error5, double *restrict error3) {
  const double *restrict k0 = k[0], *restrict k5 = k[5], *restrict k6 = k[6], *restrict k7 = k[7], *restrict k8 = k[8],
                         *restrict k9 = k[9], *restrict k10 = k[10], *restrict k11 = k[11];
  const double *b = wy_dop853_b, *e = wy_dop853_error5, *d = wy_dop853_b3;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double slope = b[0] * k0[i] + b[1] * k5[i] + b[2] * k6[i] + b[3] * k7[i] + b[4] * k8[i] + b[5] * k9[i] +
                   b[6] * k10[i] + b[7] * k11[i];
    y[i] = u[i] + h * slope;
    error5[i] = h * (e[0] * k0[i] + e[1] * k5[i] + e[2] * k6[i] + e[3] * k7[i] + e[4] * k8[i] + e[5] * k9[i] +
                     e[6] * k10[i] + e[7] * k11[i]);
    error3[i] = h * (slope - d[0] * k0[i] - d[4] * k8[i] - d[7] * k11[i]);
  }
}

/* Both errors together are of order 8 (I31). */
static double combined_error(const wy_integrator *self, const double *y) {
  const dop853_scratch *s = self->scratch;
  double error5 = wy_weighted_norm(self, self->relative, self->absolute, s->error5, self->u, y);
  double error3 = wy_weighted_norm(self, self->relative, self->absolute, s->error3, self->u, y);
  double size = hypot(error5, 0.1 * error3);
  return size == 0 ? 0 : error5 * (error5 / size);
}

/* Two stages at which a fast decay has all but vanished at the limit of stability on the negative real axis (0.04 and
   0.12 of it are left), and weights for their times, 1/3 and 6/7, that are exact for straight lines. */
enum { QUIET = 5, QUIET_LATE = 10 };

static const double quiet_weight = 15.0 / 22, quiet_late_weight = 7.0 / 22;

/* Work and dissipation by all stages; where these are noisy, by the two that are not (I7). */
static void keep_books(wy_integrator *self, double *const *k) {
  dop853_memory *m = self->memory;
  const dop853_scratch *s = self->scratch;
  const int n = self->system->size, loss = n + WY_DISSIPATION_INTEGRAL;
  const double *before = s->before + n;
  double largest = fmax(fabs(s->first[loss]), fabs(k[NEW][loss])), rates[WY_INTEGRALS];
  for (int i = FIRST_KEPT; i < STAGES; i++)
    largest = fmax(largest, fabs(k[i][loss]));
  const bool noisy = wy_rates_are_noisy(self, k[STAGES - 1][loss], k[NEW][loss], largest,
                                        self->u[loss] - before[WY_DISSIPATION_INTEGRAL]);
  for (int q = 0; q < WY_INTEGRALS; q++)
    rates[q] = quiet_weight * k[QUIET][n + q] + quiet_late_weight * k[QUIET_LATE][n + q];
  wy_books_keep(self, &m->books, before, noisy ? rates : NULL);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  dop853_memory *m = self->memory;
  dop853_scratch *s = self->scratch;
  wy_progress *now = self->now;
  const int n = self->size, set = 1 - m->set;
  const size_t bytes = (size_t)n * sizeof(double);
  wy_trial trial = wy_try_step(self, t_stop);
  double t = now->t, h = trial.h, next = 0;
  double *const *k = s->k[set], *y = s->after[set];
  if (!m->f_valid) {
    wy_integrator_rhs(self, t, self->u, self->f, true);
    m->f_valid = true;
  }
  for (int i = 1; i < STAGES; i++)
    evaluate_stage(self, i, t, h, self->u, k);
  finish_step(self->u, h, k, n, y, s->error5, s->error3);
  double error = combined_error(self, y);
  /* Not a stage of the error, but a step to where the next one cannot begin is none. */
  if (error <= 1) {
    wy_integrator_rhs(self, t + h, y, k[NEW], true);
    if (!wy_is_finite(self->system, k[NEW]))
      error = (double)NAN;
  }
  if (!wy_judge_step(self, &control, &m->history, h, y, error, &next))
    return WY_REJECTED;
  memcpy(s->before, self->u, bytes);
  memcpy(s->first, self->f, bytes);
  memcpy(self->u, y, bytes);
  memcpy(self->f, k[NEW], bytes);
  m->set = set;
  m->dense_ready = m->system_changed = false;
  m->h_dense = h;
  wy_step_taken(self, &trial, next);
  keep_books(self, k);
  return WY_ACCEPTED;
}

/* The coefficients of the continuous output (I32); but for the first, which is `before`, they take the place of what
   they are made of. */
WY_CLONES
static void keep_dense(const double *before, double *after, double h, double *const *k, int n) {
  double *k0 = k[0], *k5 = k[5], *k6 = k[6], *k7 = k[7], *k8 = k[8], *k12 = k[NEW];
  const double *k9 = k[9], *k10 = k[10], *k11 = k[11], *k13 = k[13], *k14 = k[14], *k15 = k[15];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double f[WY_DOP853_DENSE_TERMS] = {k0[i],  k5[i],  k6[i],  k7[i],  k8[i],  k9[i],
                                             k10[i], k11[i], k12[i], k13[i], k14[i], k15[i]};
    double sum[4] = {0};
    for (int c = 0; c < 4; c++)
      for (int j = 0; j < WY_DOP853_DENSE_TERMS; j++)
        sum[c] += wy_dop853_dense[c][j] * f[j];
    double difference = after[i] - before[i], bend = h * k0[i] - difference;
    after[i] = difference;
    k0[i] = bend;
    k12[i] = difference - h * k12[i] - bend;
    k5[i] = h * sum[0], k6[i] = h * sum[1], k7[i] = h * sum[2], k8[i] = h * sum[3];
  }
}

/* Once a step. Where the further stages cannot be had, the cubic through both ends has to do. */
static void complete_dense(const wy_integrator *self) {
  dop853_memory *m = self->memory;
  const dop853_scratch *s = self->scratch;
  const long before = self->now->statistics.rhs;
  bool possible = !m->system_changed;
  double *k[WY_DOP853_ALL_STAGES];
  memcpy(k, s->k[m->set], sizeof k);
  k[0] = s->first;
  for (int i = NEW + 1; i < WY_DOP853_ALL_STAGES && possible; i++) {
    evaluate_stage(self, i, self->now->t_old, m->h_dense, s->before, k);
    possible = wy_is_finite(self->system, k[i]);
  }
  wy_count_as_quadrature(self, before);
  keep_dense(s->before, s->after[m->set], m->h_dense, k, self->size);
  for (int i = FIRST_KEPT; i < FIRST_KEPT + 4 && !possible; i++)
    memset(k[i], 0, (size_t)self->size * sizeof(double));
  m->dense_ready = true;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const dop853_memory *m = self->memory;
  const dop853_scratch *s = self->scratch;
  if (!m->dense_ready)
    complete_dense(self);
  double *const *k = s->k[m->set];
  const double *c[DENSE] = {s->before, s->after[m->set], s->first, k[NEW], k[5], k[6], k[7], k[8]};
  double theta = (t - self->now->t_old) / m->h_dense, rest = 1 - theta;
  for (int i = 0; i < self->size; i++) {
    double inner = c[4][i] + theta * (c[5][i] + rest * (c[6][i] + theta * c[7][i]));
    u[i] = c[0][i] + theta * (c[1][i] + rest * (c[2][i] + theta * (c[3][i] + rest * inner)));
  }
  wy_books_at(&m->books, theta, u + self->system->size);
}

static void invalidate(wy_integrator *self, bool only_f) {
  dop853_memory *m = self->memory;
  m->f_valid = false;
  m->system_changed |= !only_f;
}

const wy_integrator_type wy_dop853 = {
    .info = &(const wy_integrator_info){.name = "dop853",
                                        .family = "explicit Runge-Kutta",
                                        .use = "soft rods at tight tolerances",
                                        .source = "Hairer, Norsett and Wanner 1993",
                                        .lowest_order = 8,
                                        .highest_order = 8,
                                        .vectors = 31},
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
};
