/* SPDX-License-Identifier: MIT */
#include "sundials/multistep.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ORDER = 5, NODES = MOST_ORDER + 1 };

/* A step that a stop has cut to this share of what was wanted leaves differences of round-off in the history: better a
   new start, which takes fewer steps than to double the step again so many times. */
static const double shortest_cut = 1e-6;

/* What a snapshot holds: the last step, and the rates of the integrals at the ends of the last steps, newest first. The
   code's own history is not among it. */
typedef struct multistep_memory {
  bool begun;
  int order; /* of the last step: so many + 1 samples at equal distances */
  int rates;
  double time[NODES], rate[NODES][WY_INTEGRALS];
  double before[WY_INTEGRALS]; /* the integrals at the start of the last step */
} multistep_memory;

typedef struct multistep_scratch {
  wy_bridge bridge;
  const wy_multistep_code *code;
  long failures;
  double longest;         /* that the next step may be after one that was not allowed; 0: any */
  double *samples[NODES]; /* saved */
  double *f, *work[2];
} multistep_scratch;

void wy_multistep_layout(wy_integrator *self, wy_memory *memory) {
  multistep_scratch counting = {0}, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(multistep_memory));
  for (int i = 0; i < NODES; i++)
    s->samples[i] = wy_arena_doubles(&memory->saved, n);
  s->f = self->f = wy_arena_doubles(&memory->scratch, n);
  for (int i = 0; i < 2; i++)
    s->work[i] = wy_arena_doubles(&memory->scratch, n);
}

wy_status wy_multistep_open(wy_integrator *self, const wy_multistep_code *code, wy_message *message) {
  multistep_scratch *s = self->scratch;
  s->code = code;
  return wy_bridge_open(&s->bridge, self) || code->create(&s->bridge) ? wy_bridge_failed(message) : WY_OK;
}

void wy_multistep_close(wy_integrator *self) {
  multistep_scratch *s = self->scratch;
  if (s->bridge.solver)
    s->code->destroy(&s->bridge);
  wy_bridge_close(&s->bridge);
}

/* ---- Polynomials through a few points ---- */

/* Weights of the values at `nodes` in the value at x. */
static void lagrange(const double *nodes, int count, double x, double *weights) {
  for (int i = 0; i < count; i++) {
    weights[i] = 1;
    for (int k = 0; k < count; k++)
      if (k != i)
        weights[i] *= (x - nodes[k]) / (nodes[i] - nodes[k]);
  }
}

/* What the rates add up to from the start of the last step to t, with Gauss's rule of three points: exact for the
   polynomial of degree 5 (I42). */
static void add_integrals(const wy_integrator *self, double t, double *integrals) {
  static const double place[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
  static const double share[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const multistep_memory *m = self->memory;
  const double from = self->now->t_old, h = t - from;
  const int count = m->order + 1 < m->rates ? m->order + 1 : m->rates;
  for (int g = 0; g < 3; g++) {
    double weights[NODES];
    lagrange(m->time, count, from + place[g] * h, weights);
    for (int i = 0; i < count; i++)
      for (int q = 0; q < WY_INTEGRALS; q++)
        integrals[q] += h * share[g] * weights[i] * m->rate[i][q];
  }
}

static void remember_rates(multistep_memory *m, double t, const double rates[WY_INTEGRALS]) {
  memmove(m->time + 1, m->time, (NODES - 1) * sizeof m->time[0]);
  memmove(m->rate + 1, m->rate, (NODES - 1) * sizeof m->rate[0]);
  m->time[0] = t;
  memcpy(m->rate[0], rates, sizeof m->rate[0]);
  m->rates += m->rates < NODES;
}

/* ---- Steps ---- */

/* Order 1 and a new step size at (now.t, u); the continuous output still covers the last step. */
void wy_multistep_start(wy_integrator *self) {
  multistep_memory *m = self->memory;
  multistep_scratch *s = self->scratch;
  const double t = self->now->t;
  wy_integrator_rhs(self, t, self->u, s->f, true);
  m->rates = 0;
  remember_rates(m, t, s->f + self->system->size);
  memset(s->f + self->system->size, 0, WY_LANES * sizeof(double));
  self->now->h = wy_first_step(self, 2, s->f, s->work[0], s->work[1]);
  if (s->longest > 0)
    self->now->h = fmin(self->now->h, s->longest);
  memcpy(wy_vector_data(s->bridge.y), self->u, (size_t)self->size * sizeof(double));
  memcpy(wy_vector_data(s->bridge.yp), s->f, (size_t)self->size * sizeof(double));
  m->begun = s->code->begin(&s->bridge, t, self->now->h) == 0;
  s->failures = 0;
}

/* The polynomial of the last step at equal distances; its ends are the states that are known. */
static void keep_dense(wy_integrator *self, double from, double to) {
  const multistep_memory *m = self->memory;
  multistep_scratch *s = self->scratch;
  const size_t bytes = (size_t)self->system->size * sizeof(double);
  memcpy(s->samples[0], self->u, bytes);
  for (int i = 1; i < m->order; i++) {
    s->code->sample(&s->bridge, from + (to - from) * i / m->order, s->bridge.yp);
    memcpy(s->samples[i], wy_vector_data(s->bridge.yp), bytes);
  }
  memcpy(s->samples[m->order], wy_vector_data(s->bridge.y), bytes);
}

static void integrate_power(wy_integrator *self, const double rates[WY_INTEGRALS]) {
  multistep_memory *m = self->memory;
  double *integrals = self->u + self->system->size;
  memcpy(m->before, integrals, sizeof m->before);
  if (!self->system->has_power)
    return;
  remember_rates(m, self->now->t, rates);
  add_integrals(self, self->now->t, integrals);
}

static wy_outcome give_up(wy_integrator *self, wy_rejection reason) {
  multistep_scratch *s = self->scratch;
  self->rejection = s->bridge.troubled ? s->bridge.trouble : reason;
  ((multistep_memory *)self->memory)->begun = false;
  return WY_HOPELESS;
}

wy_outcome wy_multistep_attempt(wy_integrator *self, double t_stop) {
  multistep_memory *m = self->memory;
  multistep_scratch *s = self->scratch;
  wy_progress *now = self->now;
  double t, rates[WY_INTEGRALS];
  wy_multistep_report report = {0};
  if (!m->begun)
    wy_multistep_start(self);
  wy_bridge_forget(&s->bridge);
  int flag = s->code->step(&s->bridge, t_stop, &t);
  s->code->report(&s->bridge, &report);
  now->statistics.rejected += report.failures - s->failures;
  s->failures = report.failures;
  if (flag < 0) {
    now->statistics.rejected -= report.failures > 0; /* the driver counts the last one */
    return give_up(self, s->code->reason(flag));
  }
  if (flag == 0 && !(t - now->t > 8 * DBL_EPSILON * fabs(t))) /* below the resolution of time, as in the driver */
    return give_up(self, WY_BY_ERROR);
  if (!wy_step_allowed(self, t - now->t, wy_vector_data(s->bridge.y))) {
    s->longest = 0.5 * (t - now->t);
    m->begun = false;
    self->rejection = WY_BY_CONTACT;
    return WY_REJECTED;
  }
  s->longest = 0;
  wy_integrator_power(self, t, wy_vector_data(s->bridge.y), s->f, rates);
  if (!isfinite(rates[WY_WORK_INTEGRAL] + rates[WY_DISSIPATION_INTEGRAL]))
    return give_up(self, WY_BY_NAN);
  m->order = report.order;
  keep_dense(self, now->t, t);
  memcpy(self->u, wy_vector_data(s->bridge.y), (size_t)self->system->size * sizeof(double));
  wy_trial trial = {.wanted = now->h, .h = t - now->t, .t_stop = t_stop, .lands = flag > 0};
  /* The floor is for the message of a failure, which looks for forces that are not finite a step ahead. */
  wy_step_taken(self, &trial, fmax(report.next, 64 * DBL_EPSILON * fabs(t)));
  integrate_power(self, rates);
  if (trial.lands && trial.h < shortest_cut * trial.wanted)
    m->begun = false;
  return WY_ACCEPTED;
}

void wy_multistep_dense(const wy_integrator *self, double t, double *u) {
  static const double place[NODES] = {0, 1, 2, 3, 4, 5};
  const multistep_memory *m = self->memory;
  const multistep_scratch *s = self->scratch;
  const int n = self->system->size;
  const double from = self->now->t_old;
  double weights[NODES];
  lagrange(place, m->order + 1, m->order * (t - from) / (self->now->t - from), weights);
  wy_combine(m->order + 1, weights, s->samples, n, u);
  memset(u + n, 0, WY_LANES * sizeof *u);
  memcpy(u + n, m->before, sizeof m->before);
  if (self->system->has_power)
    add_integrals(self, t, u + n);
}

void wy_multistep_invalidate(wy_integrator *self, bool only_f) {
  if (!only_f)
    ((multistep_memory *)self->memory)->begun = false;
}

/* The history of the code is gone: a new start, at the next step. */
void wy_multistep_resume(wy_integrator *self) {
  ((multistep_memory *)self->memory)->begun = false;
}
