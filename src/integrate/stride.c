/* SPDX-License-Identifier: MIT */
/* Stride: backward differences of order 2 with one linear solve a step, from a prediction that keeps strains, for
   motions that are to be on time. Fixed steps; a step whose prediction was far off is taken again in smaller pieces.
   docs/theory/integrators.md, (I70) to (I76). */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/implicit.h"
#include "integrate/methods.h"

/* What a prediction may miss: an angle of a frame, or a strain (I75). */
static const double largest_miss = 0.05;
/* The first piece of a history is one of Euler's, this share of a step; later ones are at most twice as long as the one
   before (I76). */
static const double first_piece = 0.0625, most_longer = 2;

/* With obstacles, and where projection stretches rods: what may be left of a step, and iterations for it. */
static const double settled = 1e-4;
enum { MOST_CORRECTIONS = 8 };

typedef struct stride_memory {
  bool known;         /* `held` and `power` are those of the present state */
  int steps;          /* of the history: 0, 1, or 2 and more */
  double h, h_before; /* lengths of the last step and of the one before it */
  double longest;     /* that the next one may have; 0: any */
  double power[WY_INTEGRALS];
} stride_memory;

typedef struct stride_scratch {
  double *before, *older, *held; /* saved: the states before, and section forces of the present one */
  double *guess, *held_next;
  double *r; /* right-hand sides; between steps f of the present state */
} stride_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  stride_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  const size_t n = (size_t)self->size;
  self->scratch = s;
  if (!s)
    s = &counting;
  self->memory = wy_arena_take(&memory->saved, sizeof(stride_memory));
  s->before = wy_arena_doubles(&memory->saved, n);
  s->older = wy_arena_doubles(&memory->saved, n);
  s->held = wy_arena_doubles(&memory->saved, n);
  s->guess = wy_arena_doubles(&memory->scratch, n);
  s->r = self->f = wy_arena_doubles(&memory->scratch, n);
  s->held_next = wy_arena_doubles(&memory->scratch, n);
}

static void start(wy_integrator *self) {
  wy_start_on_grid(self);
  *(stride_memory *)self->memory = (stride_memory){0};
}

/* ---- One attempt ---- */

/* The way to the next multiple of the step, or the part of it that the history allows. */
static wy_trial plan(const wy_integrator *self, double t_stop) {
  const stride_memory *m = self->memory;
  wy_trial trial = wy_try_grid_step(self, t_stop);
  double longest = m->steps > 0 ? m->longest : first_piece * trial.wanted;
  if (m->longest > 0)
    longest = fmin(longest, m->longest);
  if (trial.h > 1.01 * longest)
    trial.lands = false, trial.h = longest;
  return trial;
}

/* Section forces and powers of a state; false: they are not finite. */
static bool look(wy_integrator *self, double t, const double *u, double *f, double power[WY_INTEGRALS], double *held) {
  wy_system *system = self->system;
  memset(power, 0, WY_INTEGRALS * sizeof *power);
  const int status = system->type->rhs(system, t, u, f, system->has_power ? power : NULL);
  self->now->statistics.rhs++;
  system->type->stride->hold(system, held);
  double sum = 0;
  for (int q = 0; q < WY_INTEGRALS; q++)
    sum += power[q];
  return !status && isfinite(sum) && wy_is_finite(system, f);
}

/* What the difference formula leaves of f at the guess (I70). */
WY_CLONES
static void subtract_rates(const double *restrict u, const double *restrict before, const double *restrict guess,
                           double sigma, double behind, int n, double *restrict r) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    r[i] += behind * (u[i] - before[i]) - sigma * (guess[i] - u[i]);
}

typedef struct formula {
  double t, sigma, behind; /* the end of the step */
} formula;

/* What f, in r, leaves of the equations of the step at the guess; solved with the factors at hand. How large it is. */
static double correction(const wy_integrator *self, const formula *step) {
  const stride_scratch *s = self->scratch;
  wy_system *system = self->system;
  const wy_stride_type *stride = system->type->stride;
  subtract_rates(self->u, s->before, s->guess, step->sigma, step->behind, system->size, s->r);
  stride->prescribe(system, step->t, step->sigma, s->guess, s->r);
  system->type->solve(system, 0, s->r);
  return stride->missed(system, s->guess, s->r);
}

/* One Newton iteration from the guess; WY_ACCEPTED, or why not. */
static wy_outcome iterate(wy_integrator *self, const formula *step, double *missed) {
  stride_scratch *s = self->scratch;
  wy_system *system = self->system;
  wy_statistics *statistics = &self->now->statistics;
  statistics->rhs++, statistics->jacobians++;
  int status = system->type->stride->linearise(system, step->t, s->guess, s->held, s->r);
  if (!status)
    status = (statistics->factorisations++, system->type->factor(system, 0, step->sigma));
  if (status)
    return wy_reject_singular(self, self->now->h, status);
  statistics->newton_iterations++;
  *missed = correction(self, step);
  for (int i = 0; i < system->size; i++)
    s->guess[i] += s->r[i];
  return isfinite(*missed) && wy_is_finite(system, s->guess) ? WY_ACCEPTED : wy_reject(self, self->now->h, WY_BY_NAN);
}

/* The law of contact is stiff, and so are stretches: iterations go on until nothing is left that matters. */
static wy_outcome settle(wy_integrator *self, const formula *step) {
  const stride_scratch *s = self->scratch;
  for (int i = 0; i < MOST_CORRECTIONS; i++) {
    double missed = INFINITY;
    wy_integrator_rhs(self, step->t, s->guess, s->r, false);
    if (correction(self, step) <= settled)
      return WY_ACCEPTED;
    const wy_outcome outcome = iterate(self, step, &missed);
    if (outcome)
      return outcome;
  }
  return wy_reject(self, self->now->h, WY_BY_NEWTON);
}

/* The state at the end of a step in `guess`, from one linear solve. */
static wy_outcome solve_step(wy_integrator *self, double t, double h) {
  const stride_memory *m = self->memory;
  stride_scratch *s = self->scratch;
  wy_system *system = self->system;
  const double ratio = m->steps > 0 ? h / m->h : 0;
  const formula step = {t, (1 + 2 * ratio) / ((1 + ratio) * h), ratio * ratio / ((1 + ratio) * h)};
  double missed = INFINITY;
  system->type->stride->predict(system, t, h, ratio, m->steps > 0 ? s->before : NULL, self->u, s->guess);
  wy_outcome outcome = iterate(self, &step, &missed);
  if (!outcome && missed > largest_miss)
    outcome = wy_reject(self, self->now->h, WY_BY_ERROR);
  return outcome || !(self->touches || system->type->stride->closes(system)) ? outcome : settle(self, &step);
}

/* Can constraints be met from there? A step after which they cannot is divided. */
static bool can_project(const wy_integrator *self, double t) {
  const stride_scratch *s = self->scratch;
  double drift[WY_DRIFTS] = {0};
  memcpy(s->held_next, s->guess, (size_t)self->size * sizeof(double));
  return self->system->type->project(self->system, t, s->held_next, NULL, drift) >= 0;
}

/* Work and dissipation by the trapezoidal rule. */
static void integrate_power(wy_integrator *self, double h, const double power[WY_INTEGRALS]) {
  stride_memory *m = self->memory;
  stride_scratch *s = self->scratch;
  const int tail = self->system->size;
  memcpy(s->guess + tail, self->u + tail, WY_LANES * sizeof(double));
  for (int q = 0; q < WY_INTEGRALS; q++)
    s->guess[tail + q] += 0.5 * h * (m->power[q] + power[q]);
  memcpy(m->power, power, sizeof m->power);
}

/* The new state becomes the present one, with its section forces. */
static void move_on(wy_integrator *self, double h) {
  stride_memory *m = self->memory;
  stride_scratch *s = self->scratch;
  const size_t bytes = (size_t)self->size * sizeof(double);
  memcpy(s->older, s->before, bytes);
  memcpy(s->before, self->u, bytes);
  memcpy(self->u, s->guess, bytes);
  memcpy(s->held, s->held_next, bytes);
  m->longest = m->steps > 0 ? most_longer * h : h;
  m->h_before = m->h;
  m->h = h;
  m->steps += m->steps < 2;
  m->known = true;
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  stride_memory *m = self->memory;
  stride_scratch *s = self->scratch;
  const wy_trial trial = plan(self, t_stop);
  const double t = trial.lands ? trial.t_stop : self->now->t + trial.h;
  double power[WY_INTEGRALS];
  m->known = m->known || look(self, self->now->t, self->u, s->r, m->power, s->held);
  if (!m->known)
    return wy_reject(self, self->now->h, WY_BY_NAN);
  wy_outcome outcome = solve_step(self, t, trial.h);
  if (!outcome && !wy_step_allowed(self, trial.h, s->guess))
    outcome = wy_reject(self, self->now->h, WY_BY_CONTACT);
  if (!outcome && !can_project(self, t))
    outcome = wy_reject(self, self->now->h, WY_BY_NEWTON);
  if (!outcome && !look(self, t, s->guess, s->r, power, s->held_next))
    outcome = wy_reject(self, self->now->h, WY_BY_NAN);
  if (outcome) {
    m->longest = 0.5 * trial.h;
    return outcome;
  }
  integrate_power(self, trial.h, power);
  move_on(self, trial.h);
  wy_step_taken(self, &trial, trial.wanted);
  return WY_ACCEPTED;
}

/* ---- Between steps ---- */

/* The parabola through three states; through two, at the beginning, a line. */
static void dense(const wy_integrator *self, double t, double *u) {
  const stride_memory *m = self->memory;
  const stride_scratch *s = self->scratch;
  const double at = t - self->now->t_old, h = m->h, b = m->h_before;
  const bool two = m->steps > 1;
  const double first = two ? at * (at - h) / (b * (b + h)) : 0, last = two ? at * (at + b) / (h * (h + b)) : at / h;
  for (int i = 0; i < self->size; i++)
    u[i] = s->before[i] + first * (s->older[i] - s->before[i]) + last * (self->u[i] - s->before[i]);
}

/* Projection changes next to nothing; what acts may have changed. */
static void invalidate(wy_integrator *self, bool only_f) {
  stride_memory *m = self->memory;
  m->known = m->known && only_f;
}

const wy_integrator_type wy_stride = {.info = &(const wy_integrator_info){.name = "stride",
                                                                          .family = "linearly implicit, BDF of order 2",
                                                                          .use = "on time: interaction, pictures",
                                                                          .source = "Hairer and Wanner 1996",
                                                                          .lowest_order = 2,
                                                                          .highest_order = 2,
                                                                          .implicit = true,
                                                                          .fixed_step = true,
                                                                          .vectors = 6},
                                      .motion = WY_ODE,
                                      .strides = true,
                                      .needs = {.real = 1},
                                      .layout = layout,
                                      .start = start,
                                      .attempt = attempt,
                                      .dense = dense,
                                      .invalidate = invalidate};
