/* SPDX-License-Identifier: MIT */
/* The explicit Runge-Kutta pair of orders 3 and 2 by Bogacki and Shampine, as ode23 uses it: stages, error estimate and
   step control by ERKStep of SUNDIALS (ARKODE). docs/theory/integrators.md (I43).

   Every step begins with a reset of ERKStep to the present state and step size, which are all that it needs to know:
   the state may have been projected, and a snapshot continues bit for bit. What f was at the end of the last step is
   kept here and handed over at the start of the next one, so that a step costs three evaluations. */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/explicit.h"
#include "sundials/bridge.h"
#include "sundials/methods.h"
#include "sundials/rows.h"

/* Step control of ode23: h_new = h * safety * err^(-1/3). */
static const double safety = 0.8, largest_factor = 5, smallest_factor = 0.2;

typedef struct bs23_memory {
  bool f_valid;
  wy_books books;
} bs23_memory;

typedef struct bs23_scratch {
  wy_bridge bridge;
  bool idle;            /* f = 0: for the one step in which ERKStep allocates its memory */
  double *ends[2];      /* saved: the state at both ends of the last step, before projection */
  double *end_rates[2]; /* saved: and its rates */
  double *last;         /* f of the last call */
  double losses[3];     /* rates of dissipation of the last calls: after a step, its stages but the first */
} bs23_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  bs23_scratch counting = {0}, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(bs23_memory));
  self->f = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < 2; i++) {
    s->ends[i] = wy_arena_doubles(&memory->saved, n);
    s->end_rates[i] = wy_arena_doubles(&memory->saved, n);
  }
  s->last = wy_arena_doubles(&memory->scratch, n);
}

static void copy(const wy_integrator *self, const double *from, double *to) {
  memcpy(to, from, (size_t)self->size * sizeof *to);
}

/* At the start of a step f is known. */
static int rhs(realtype t, N_Vector y, N_Vector f, void *data) {
  wy_integrator *self = data;
  bs23_scratch *s = self->scratch;
  int status = 0;
  if (s->idle)
    N_VConst(0, f);
  else if (t == self->now->t && memcmp(wy_vector_data(y), self->u, (size_t)self->size * sizeof(double)) == 0)
    copy(self, self->f, wy_vector_data(f));
  else
    status = wy_bridge_rhs(&s->bridge, t, y, f, true);
  copy(self, wy_vector_data(f), s->last);
  s->losses[0] = s->losses[1], s->losses[1] = s->losses[2];
  s->losses[2] = s->last[self->system->size + WY_DISSIPATION_INTEGRAL];
  return status;
}

static int weights(N_Vector y, N_Vector w, void *data) {
  return wy_bridge_weights(y, w, &((bs23_scratch *)((wy_integrator *)data)->scratch)->bridge);
}

/* To (t, y) with the step h. */
static int reset(void *erk, double t, N_Vector y, double h) {
  return ERKStepReset(erk, t, y) || ERKStepSetInitStep(erk, h);
}

static int create(wy_integrator *self) {
  bs23_scratch *s = self->scratch;
  double t;
  void *erk = s->bridge.solver = ERKStepCreate(rhs, 0, s->bridge.y, s->bridge.context);
  if (!erk || ERKStepSetErrFile(erk, NULL) || ERKStepSetUserData(erk, self) ||
      ERKStepSetTableNum(erk, ARKODE_BOGACKI_SHAMPINE_4_2_3) || ERKStepWFtolerances(erk, weights) ||
      ERKStepSetAdaptivityMethod(erk, ARK_ADAPT_I, 1, 1, NULL) || ERKStepSetSafetyFactor(erk, safety) ||
      ERKStepSetErrorBias(erk, 1) || ERKStepSetMaxGrowth(erk, largest_factor) ||
      ERKStepSetMaxFirstGrowth(erk, largest_factor) || ERKStepSetMinReduction(erk, smallest_factor) ||
      ERKStepSetMaxEFailGrowth(erk, safety) || ERKStepSetMaxErrTestFails(erk, WY_SUNDIALS_MOST_FAILURES) ||
      ERKStepSetInitStep(erk, 1))
    return -1;
  s->idle = true;
  int flag = ERKStepEvolve(erk, 2, s->bridge.yp, &t, ARK_ONE_STEP);
  s->idle = false;
  return flag < 0 ? flag : 0;
}

static wy_status open(wy_integrator *self, wy_message *message) {
  bs23_scratch *s = self->scratch;
  return wy_bridge_open(&s->bridge, self) || create(self) ? wy_bridge_failed(message) : WY_OK;
}

static void close(wy_integrator *self) {
  bs23_scratch *s = self->scratch;
  if (s->bridge.solver)
    ERKStepFree(&s->bridge.solver);
  wy_bridge_close(&s->bridge);
}

static void know_f(wy_integrator *self) {
  bs23_memory *m = self->memory;
  if (!m->f_valid)
    wy_integrator_rhs(self, self->now->t, self->u, self->f, true);
  m->f_valid = true;
}

static void start(wy_integrator *self) {
  bs23_scratch *s = self->scratch;
  ((bs23_memory *)self->memory)->f_valid = false;
  know_f(self);
  self->now->h = wy_first_step(self, 3, self->f, s->last, wy_vector_data(s->bridge.yp));
}

static wy_outcome fail(wy_integrator *self, double h, int flag) {
  const bs23_scratch *s = self->scratch;
  self->rejection = s->bridge.troubled ? s->bridge.trouble : WY_BY_ERROR;
  self->now->h = 0.1 * h;
  return s->bridge.troubled || flag != ARK_ERR_FAILURE ? WY_REJECTED : WY_HOPELESS;
}

/* -1 / z at the limit of stability on the negative real axis, R(z) = -1: two short steps of Euler's method of this
   share of a step each, which leave nothing of a decay that fast; and weights for their times that are exact for
   straight lines. */
static const double quiet_step = 0.39797109138227205;

/* Work and dissipation by the stages; where these are noisy, by states within the step that are not (I7). Stages
   differ in time here: the method's sum is compared with its second stage, in the middle of the step. */
static void keep_books(wy_integrator *self) {
  bs23_memory *m = self->memory;
  bs23_scratch *s = self->scratch;
  const int loss = self->system->size + WY_DISSIPATION_INTEGRAL;
  const double h = self->now->t - self->now->t_old, gain = self->u[loss] - s->ends[0][loss];
  const double late = (0.5 - quiet_step) / quiet_step, weights[2] = {1 - late, late};
  double largest = fabs(s->end_rates[0][loss]), rates[WY_INTEGRALS] = {0}, part[WY_INTEGRALS];
  double *state = wy_vector_data(s->bridge.yp);
  for (int i = 0; i < 3; i++)
    largest = fmax(largest, fabs(s->losses[i]));
  const bool noisy = wy_rates_are_noisy(self, gain / h, s->losses[0], largest, gain);
  if (noisy) {
    copy(self, s->ends[0], state);
    copy(self, s->end_rates[0], s->last);
  }
  for (int step = 0; noisy && step < 2; step++) {
    for (int i = 0; i < self->system->size; i++)
      state[i] += quiet_step * h * s->last[i];
    wy_integrator_power(self, self->now->t_old + (step + 1) * quiet_step * h, state, s->last, part);
    for (int q = 0; q < WY_INTEGRALS; q++)
      rates[q] += weights[step] * part[q];
  }
  wy_books_keep(self, &m->books, s->ends[0] + self->system->size, noisy ? rates : NULL);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  bs23_memory *m = self->memory;
  bs23_scratch *s = self->scratch;
  wy_bridge *bridge = &s->bridge;
  wy_progress *now = self->now;
  wy_trial trial = wy_try_step(self, t_stop);
  double t = now->t, next = trial.h;
  long before = 0, after = 0;
  know_f(self);
  wy_bridge_forget(bridge);
  ERKStepGetNumErrTestFails(bridge->solver, &before);
  copy(self, self->u, wy_vector_data(bridge->y));
  int flag = reset(bridge->solver, t, bridge->y, trial.h);
  if (!flag)
    flag = ERKStepEvolve(bridge->solver, t + 2 * trial.h, bridge->y, &t, ARK_ONE_STEP);
  ERKStepGetNumErrTestFails(bridge->solver, &after);
  now->statistics.rejected += after - before;
  if (flag < 0 || !(t > now->t)) {
    now->statistics.rejected -= flag == ARK_ERR_FAILURE; /* the driver counts the last one */
    return fail(self, trial.h, flag);
  }
  if (!wy_step_allowed(self, t - now->t, wy_vector_data(bridge->y))) {
    self->rejection = WY_BY_CONTACT;
    now->h = 0.5 * (t - now->t);
    return WY_REJECTED;
  }
  ERKStepGetCurrentStep(bridge->solver, &next);
  if (after > before) { /* shorter than wanted */
    trial.lands = false;
    trial.h = t - now->t;
  }
  copy(self, self->u, s->ends[0]);
  copy(self, self->f, s->end_rates[0]);
  copy(self, wy_vector_data(bridge->y), s->ends[1]);
  copy(self, s->last, s->end_rates[1]);
  copy(self, s->ends[1], self->u);
  copy(self, s->last, self->f);
  m->f_valid = true;
  wy_step_taken(self, &trial, next);
  keep_books(self);
  return WY_ACCEPTED;
}

WY_CLONES
static void hermite(const double *const *ends, const double *const *rates, const double w[4], int n,
                    double *restrict u) {
  const double *restrict u0 = ends[0], *restrict u1 = ends[1], *restrict f0 = rates[0], *restrict f1 = rates[1];
#pragma omp simd
  for (int i = 0; i < n; i++)
    u[i] = w[0] * u0[i] + w[1] * u1[i] + w[2] * f0[i] + w[3] * f1[i];
}

/* The cubic through both ends and their rates. */
static void dense(const wy_integrator *self, double t, double *u) {
  const bs23_memory *m = self->memory;
  const bs23_scratch *s = self->scratch;
  const double h = self->now->t - self->now->t_old, x = (t - self->now->t_old) / h, y = 1 - x;
  const double w[4] = {y * y * (1 + 2 * x), x * x * (1 + 2 * y), h * x * y * y, -h * x * x * y};
  const double *ends[2] = {s->ends[0], s->ends[1]}, *rates[2] = {s->end_rates[0], s->end_rates[1]};
  hermite(ends, rates, w, self->size, u);
  wy_books_at(&m->books, x, u + self->system->size);
}

static void invalidate(wy_integrator *self, bool only_f) {
  (void)only_f;
  ((bs23_memory *)self->memory)->f_valid = false;
}

const wy_integrator_type wy_bs23 = {
    .info = &wy_bs23_row,
    .layout = layout,
    .open = open,
    .close = close,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
};
