/* SPDX-License-Identifier: MIT */
/* The midpoint rule and the generalised-alpha method as a scheme writes them, with a fixed step: the equations of a
   step are the scheme's (wy_step_type), Newton's method is here. */
#include <math.h>
#include <string.h>

#include "integrate/implicit.h"
#include "integrate/methods.h"
#include "scheme/contacts.h"
#include "scheme/system.h"

typedef struct own_steps_memory {
  double *before; /* the state at t_old: between steps the state is interpolated, with the order of the rules */
  double *after;  /* scratch: where a step that may meet obstacles leads; or NULL */
} own_steps_memory;

static void layout(wy_integrator *self, wy_memory *memory) {
  own_steps_memory *m = wy_arena_take(&memory->scratch, sizeof *m);
  double *before = wy_arena_doubles(&memory->saved, (size_t)self->size);
  double *after = self->touches ? wy_arena_doubles(&memory->scratch, (size_t)self->size) : NULL;
  self->memory = m;
  if (m)
    m->before = before, m->after = after;
}

/* Corrections as small as round-off, or what is out of balance no longer falls once they are small: that is all that
   double precision gives. */
static const double smallest_change = 1e-15, small_change = 1e-8;

/* Where contact begins or ends within a correction, or friction becomes whole, the misfit may grow without bounds: a
   correction after which it is larger, by more than what Newton's method does anyway, is halved. Later ones must not
   let it grow at all, or they may lead to and fro for ever; but for those as small as round-off. */
enum { MOST_RETREATS = 6, FREE_CORRECTIONS = 3 };
static const double largest_growth = 1.5;

/* The misfit of the guess after `corrections`, the last of which, of size `change`, is taken back in part where it
   leads astray. */
static bool find_misfit(wy_integrator *self, int corrections, double change, double last, double *misfit) {
  wy_system *system = self->system;
  const wy_step_type *step = system->type->step;
  const int most = step->retreat && wy_system_touches(system) && isfinite(last) ? MOST_RETREATS : 0;
  const double growth = corrections < FREE_CORRECTIONS || change <= small_change ? largest_growth : 1;
  for (int i = 0;; i++) {
    self->now->statistics.rhs++;
    const bool found = step->residual(system, system->step_vector, misfit) == WY_OK && isfinite(*misfit);
    if (i == most || (found && *misfit <= growth * last))
      return found;
    step->retreat(system, 0.5);
  }
}

static bool solve_step(wy_integrator *self) {
  wy_system *system = self->system;
  const wy_step_type *step = system->type->step;
  wy_statistics *statistics = &self->now->statistics;
  const bool smooth = !wy_system_touches(system);
  const double fall = smooth || step->kept.in_contact ? step->kept.fall : 0;
  double *r = system->step_vector, misfit, last = INFINITY, change = INFINITY;
  bool anew = false;
  for (int i = 0;; i++) {
    if (!find_misfit(self, i, change, last, &misfit))
      return false;
    /* a tangent that is kept may bring a skin no further than this */
    bool stalls = change <= small_change && misfit >= 0.25 * last && (smooth || anew);
    const double enough = (i == 0 || anew ? 1 : step->kept.leaves) * self->newton.tolerance;
    if (misfit <= enough || change <= smallest_change || stalls)
      return true;
    if (i == self->newton.iterations)
      return misfit <= self->newton.tolerance;
    anew = i == 0 || misfit > fall * last;
    last = misfit;
    statistics->newton_iterations++, statistics->jacobians += anew, statistics->factorisations += anew;
    if (wy_step_correct(system, anew, r, &change) != WY_OK || !isfinite(change))
      return false;
  }
}

static bool try_step(wy_integrator *self, double h, wy_guess guess) {
  wy_system *system = self->system;
  system->type->step->begin(system, self->now->t, h, self->u, guess);
  return solve_step(self);
}

/* A very long step is found by way of shorter ones from the same state, each the first guess of a longer one. */
enum { MOST_HALVINGS = 6 };
static const double least_ratio = 1.02;

static bool grow_step(wy_integrator *self, double h) {
  double known = h, ratio = 2;
  bool solved = false;
  for (int i = 0; !solved && i < MOST_HALVINGS; i++) {
    known *= 0.5;
    solved = try_step(self, known, WY_GUESS_STILL);
  }
  for (wy_guess guess = WY_GUESS_LONGER; known < h && (solved || guess == WY_GUESS_AGAIN) && ratio > least_ratio;) {
    double next = fmin(ratio * known, h);
    solved = try_step(self, next, guess);
    guess = solved ? WY_GUESS_LONGER : WY_GUESS_AGAIN;
    known = solved ? next : known;
    ratio = solved ? fmin(2, ratio * ratio) : sqrt(ratio);
  }
  return solved && known == h;
}

static bool complete_state(wy_integrator *self, double h) {
  wy_system *system = self->system;
  wy_statistics *statistics = &self->now->statistics;
  if (!system->type->step->complete)
    return true;
  int factored = system->type->step->complete(system, self->now->t, h, self->u);
  if (factored > 0)
    statistics->jacobians += factored, statistics->factorisations += factored;
  return factored >= 0;
}

/* The driver divides the step. */
static wy_outcome reject(wy_integrator *self, wy_rejection rejection) {
  return wy_reject(self, self->now->h, rejection);
}

static bool is_allowed(wy_integrator *self, double h) {
  const own_steps_memory *m = self->memory;
  if (!m->after || !self->system->type->step->peek)
    return true;
  memcpy(m->after, self->u, (size_t)self->size * sizeof(double));
  self->system->type->step->peek(self->system, m->after);
  return wy_step_allowed(self, h, m->after);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  own_steps_memory *m = self->memory;
  wy_system *system = self->system;
  wy_trial trial = wy_try_grid_step(self, t_stop);
  if (!complete_state(self, trial.wanted))
    return reject(self, WY_BY_NEWTON);
  if (!try_step(self, trial.h, WY_GUESS_MOVING) && !grow_step(self, trial.h))
    return reject(self, WY_BY_NEWTON);
  if (!is_allowed(self, trial.h))
    return reject(self, WY_BY_CONTACT);
  memcpy(m->before, self->u, (size_t)self->size * sizeof(double));
  system->type->step->finish(system, self->u, self->u + system->size);
  wy_step_taken(self, &trial, trial.wanted);
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const own_steps_memory *m = self->memory;
  double share = (t - self->now->t_old) / (self->now->t - self->now->t_old);
  for (int i = 0; i < self->size; i++)
    u[i] = m->before[i] + share * (self->u[i] - m->before[i]);
  for (int f = 0; f < self->system->field_count; f++) { /* forces of constraints belong to the step as a whole */
    const wy_field *field = &self->system->fields[f];
    if (field->dae_index > 0)
      memcpy(u + field->offset, self->u + field->offset, (size_t)(field->components * field->stride) * sizeof *u);
  }
}

static void invalidate(wy_integrator *self, bool only_f) {
  (void)self, (void)only_f;
}

const wy_integrator_info wy_midpoint_row = {.name = "midpoint",
                                            .family = "implicit Runge-Kutta (Gauss)",
                                            .use = "keeps energy in long runs; mixed rods",
                                            .source = "Hairer and Wanner 1996",
                                            .lowest_order = 2,
                                            .highest_order = 2,
                                            .implicit = true,
                                            .fixed_step = true,
                                            .keeps_energy = true,
                                            .vectors = 8};

/* Of order 2 where rho_inf gives the coefficients. */
static const wy_integrator_info galpha_row = {.name = "galpha",
                                              .family = "implicit, generalised alpha",
                                              .use = "box rods: curls, large steps",
                                              .source = "Chung and Hulbert 1993; Jansen, Whiting and Hulbert 2000",
                                              .lowest_order = 2,
                                              .highest_order = 2,
                                              .implicit = true,
                                              .fixed_step = true,
                                              .vectors = 1};

#define OWN_STEPS(motion_name, row)                                                                                    \
  {                                                                                                                    \
    .info = (row), .motion = (motion_name), .layout = layout, .start = wy_start_on_grid, .attempt = attempt,           \
    .dense = dense, .invalidate = invalidate                                                                           \
  }

const wy_integrator_type wy_midpoint = OWN_STEPS(WY_MIDPOINT, &wy_midpoint_row);
const wy_integrator_type wy_galpha = OWN_STEPS(WY_GALPHA, &galpha_row);
