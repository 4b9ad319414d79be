/* SPDX-License-Identifier: MIT */
/* DOPRI5: the explicit Runge-Kutta method of order 5(4) of Dormand and Prince with the step control and the continuous
   output of Hairer, Norsett and Wanner (Solving Ordinary Differential Equations I, II.4-II.6).
   docs/theory/integrators.md. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/dopri5_table.h"
#include "integrate/explicit.h"
#include "integrate/methods.h"

enum { STAGES = WY_DOPRI5_STAGES };

#define BETA 0.04

static const wy_step_control control = {
    .exponent = 0.2 - 0.75 * BETA, .beta = BETA, .smallest_factor = 0.2, .largest_factor = 10};

typedef struct dopri5_memory {
  wy_step_history history;
  bool f_valid;
  double h_dense;
  wy_books books;
} dopri5_memory;

typedef struct dopri5_scratch {
  double *k[STAGES]; /* k[0] is f(t,u) and belongs to the saved part */
  double *stage, *error;
  double *dense[5]; /* saved: coefficients of the continuous output */
} dopri5_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  dopri5_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(dopri5_memory));
  s->k[0] = self->f = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < 5; i++)
    s->dense[i] = wy_arena_doubles(&memory->saved, n);
  for (int i = 1; i < STAGES; i++)
    s->k[i] = wy_arena_doubles(&memory->scratch, n);
  s->stage = wy_arena_doubles(&memory->scratch, n);
  s->error = wy_arena_doubles(&memory->scratch, n);
}

static void start(wy_integrator *self) {
  dopri5_memory *m = self->memory;
  dopri5_scratch *s = self->scratch;
  wy_integrator_rhs(self, self->now->t, self->u, s->k[0], true);
  m->f_valid = true;
  wy_forget_steps(&m->history);
  self->now->h = wy_first_step(self, 5, s->k[0], s->stage, s->error);
}

/* The difference between the solutions of order 5 and 4. */
WY_CLONES
static void estimate(double h, double *const *k, int n, double *restrict error) {
  const double *restrict k1 = k[0], *restrict k3 = k[2], *restrict k4 = k[3], *restrict k5 = k[4], *restrict k6 = k[5],
                         *restrict k7 = k[6];
  const double *e = wy_dopri5_error;
#pragma omp simd
  for (int i = 0; i < n; i++)
    error[i] = h * (e[0] * k1[i] + e[2] * k3[i] + e[3] * k4[i] + e[4] * k5[i] + e[5] * k6[i] + e[6] * k7[i]);
}

WY_CLONES
static void keep_dense(const double *restrict u, const double *restrict y, double h, double *const *k,
                       double *const *dense, int n) {
  const double *restrict k1 = k[0], *restrict k3 = k[2], *restrict k4 = k[3], *restrict k5 = k[4], *restrict k6 = k[5],
                         *restrict k7 = k[6];
  double *restrict c0 = dense[0], *restrict c1 = dense[1], *restrict c2 = dense[2], *restrict c3 = dense[3],
                   *restrict c4 = dense[4];
  const double *d = wy_dopri5_dense;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double difference = y[i] - u[i], bend = h * k1[i] - difference;
    c0[i] = u[i];
    c1[i] = difference;
    c2[i] = bend;
    c3[i] = difference - h * k7[i] - bend;
    c4[i] = h * (d[0] * k1[i] + d[2] * k3[i] + d[3] * k4[i] + d[4] * k5[i] + d[5] * k6[i] + d[6] * k7[i]);
  }
}

static void interpolate(const dopri5_scratch *s, double theta, int n, double *u) {
  const double rest = 1 - theta;
  for (int i = 0; i < n; i++)
    u[i] = s->dense[0][i] +
           theta * (s->dense[1][i] + rest * (s->dense[2][i] + theta * (s->dense[3][i] + rest * s->dense[4][i])));
}

/* Work and dissipation by the stages; where these are noisy, by states within the step that are not (I7). */
static void keep_books(wy_integrator *self, double h) {
  dopri5_memory *m = self->memory;
  const dopri5_scratch *s = self->scratch;
  const int n = self->system->size, loss = n + WY_DISSIPATION_INTEGRAL;
  const double *before = s->dense[0] + n;
  double largest = 0, rates[WY_INTEGRALS] = {0}, part[WY_INTEGRALS];
  for (int i = 0; i < STAGES; i++)
    largest = fmax(largest, fabs(s->k[i][loss]));
  bool noisy = wy_rates_are_noisy(self, s->k[STAGES - 2][loss], s->k[STAGES - 1][loss], largest,
                                  self->u[loss] - before[WY_DISSIPATION_INTEGRAL]);
  for (int i = 0; noisy && i < WY_DOPRI5_QUIET; i++) {
    const double theta = wy_dopri5_quiet[i];
    interpolate(s, theta, self->size, s->stage);
    wy_integrator_power(self, self->now->t_old + theta * h, s->stage, s->error, part);
    for (int q = 0; q < WY_INTEGRALS; q++)
      rates[q] += wy_dopri5_quiet_weight[i] * part[q];
  }
  wy_books_keep(self, &m->books, before, noisy ? rates : NULL);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  dopri5_memory *m = self->memory;
  dopri5_scratch *s = self->scratch;
  wy_progress *now = self->now;
  const int n = self->size;
  wy_trial trial = wy_try_step(self, t_stop);
  double t = now->t, h = trial.h, next = 0;
  if (!m->f_valid) {
    wy_integrator_rhs(self, t, self->u, s->k[0], true);
    m->f_valid = true;
  }
  for (int i = 1; i < STAGES; i++) {
    wy_stage_sum(self->u, h, wy_dopri5_a[i], s->k, i, n, s->stage);
    wy_integrator_rhs(self, t + wy_dopri5_c[i] * h, s->stage, s->k[i], true);
  }
  /* The last stage is the new state: s->stage = u + h sum b k. */
  estimate(h, s->k, n, s->error);
  double error = wy_weighted_norm(self, self->relative, self->absolute, s->error, self->u, s->stage);
  if (!wy_judge_step(self, &control, &m->history, h, s->stage, error, &next))
    return WY_REJECTED;
  keep_dense(self->u, s->stage, h, s->k, s->dense, n);
  memcpy(self->u, s->stage, (size_t)n * sizeof(double));
  m->h_dense = h;
  wy_step_taken(self, &trial, next);
  keep_books(self, h);
  memcpy(s->k[0], s->k[STAGES - 1], (size_t)n * sizeof(double));
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const dopri5_memory *m = self->memory;
  const dopri5_scratch *s = self->scratch;
  const double theta = (t - self->now->t_old) / m->h_dense;
  interpolate(s, theta, self->size, u);
  wy_books_at(&m->books, theta, u + self->system->size);
}

static void invalidate(wy_integrator *self, bool only_f) {
  (void)only_f;
  ((dopri5_memory *)self->memory)->f_valid = false;
}

const wy_integrator_type wy_dopri5 = {
    .info = &(const wy_integrator_info){.name = "dopri5",
                                        .family = "explicit Runge-Kutta",
                                        .use = "soft or lightly damped rods",
                                        .source = "Dormand and Prince 1980",
                                        .lowest_order = 5,
                                        .highest_order = 5,
                                        .vectors = 14},
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
};
