/* SPDX-License-Identifier: MIT */
/* Dynamic relaxation: from any configuration downhill to a stable equilibrium. Steps (K + mu M) d = r are those of the
   implicit Euler method for M d' = r, a rod without inertia, with strong drag, with steps 1 / mu as long as K + mu M
   stays positive definite. docs/theory/continuation.md. */
#include <math.h>
#include <string.h>

#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

enum { MOST_STEPS = 300, MOST_DOUBLINGS = 200, MOST_PUSHES = 4, MOST_SHIFTS = 20 };

static const double longest = 0.3;  /* radians, of one step */
static const double arrived = 1e-7; /* steps below this: Newton's method takes over */
static const double stalled = 1e-5; /* likewise, where steps do not get smaller: round-off in a neutral direction */
static const double lost = 50;      /* lengths of the rod, or radians: it falls for ever */

bool wy_relax_definite(const wy_equilibrium *self, double mu) {
  int count;
  return !self->system->type->statics->negative(self->system, -mu, &count) && count == 0;
}

double wy_relax_shift(const wy_equilibrium *self, double mu) {
  for (int k = 0; k < MOST_DOUBLINGS && wy_relax_definite(self, mu); k++)
    mu *= 0.5;
  for (int k = 0; k < MOST_DOUBLINGS; k++, mu *= 2)
    if (wy_relax_definite(self, mu))
      return 1.5 * mu;
  return 0;
}

double wy_relax_power(wy_equilibrium *self, double *d) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  type->mass_times(system, d, self->work);
  memcpy(d, self->work, (size_t)system->dofs * sizeof *d);
  type->solve(system, d);
  double size = wy_freedom_size(system, d);
  for (int i = 0; i < system->dofs; i++)
    d[i] /= size;
  return size;
}

/* One relaxation under way. */
typedef struct descent {
  double mu;       /* the shift of the last step */
  double limit;    /* of the next step, radians */
  double size;     /* of the last one, before it was cut */
  double distance; /* all of them */
  bool potential;  /* the loads have one: K is symmetric */
  bool whole;      /* steps are kept short by the shift, not cut */
  int pushes;
} descent;

/* The shift at the tangent kept: just enough for a step downhill. Without a potential nothing tells what is downhill:
   the smaller the steps get, the longer they may be in time. */
static double choose_shift(const wy_equilibrium *self, const descent *state, double size_before) {
  const double least = 4 * self->now->noise;
  if (state->potential)
    return wy_relax_definite(self, least) && least > 0 ? least : fmax(wy_relax_shift(self, state->mu), least);
  double change = size_before > 0 ? state->size / size_before : 1;
  return state->mu * fmin(fmax(change, 0.25), 2);
}

/* Newton from `guess` to an equilibrium that is not unstable; `guess` stays what it was where there is none. The
   configuration is so near that the neutral directions can be counted. */
static bool finish(wy_equilibrium *self) {
  const wy_newton_task task = {.stretch = &self->now->stretch, .reach = 1};
  const size_t bytes = (size_t)self->system->config_size * sizeof *self->guess;
  wy_equilibrium_state *now = self->now;
  wy_equilibrium_info info = now->info;
  wy_newton_report report;
  double tau = now->tau;
  wy_equilibrium_measure_again(self);
  wy_stability_count(self);
  memcpy(self->spare, self->guess, bytes);
  bool stable =
      !wy_newton(self, &task, &tau, self->spare, &report) && !wy_stretch_tangent(self, task.stretch, tau, self->spare);
  if (stable) {
    wy_stability_count(self);
    stable = now->info.unstable == 0 || (now->info.unstable < 0 && !now->info.odd);
  }
  info.newton_iterations = now->info.newton_iterations;
  now->info = info;
  if (stable)
    memcpy(self->guess, self->spare, bytes);
  return stable;
}

/* A configuration in balance that is unstable is left in the direction that grows fastest. */
static void push(wy_equilibrium *self, descent *state) {
  wy_system *system = self->system;
  double *d = self->critical;
  uint64_t seed = 1 + (uint64_t)state->pushes++;
  wy_freedom_scatter(system, &seed, d);
  for (int k = 0; k < 10; k++)
    wy_relax_power(self, d);
  for (int i = 0; i < system->dofs; i++)
    d[i] = system->dof_weight[i] > 0 ? d[i] : 0;
  system->type->statics->displace(system, self->guess, d, 0.1, self->trial);
  memcpy(self->guess, self->trial, (size_t)system->config_size * sizeof *self->guess);
}

/* The step from `guess` with a shift, for the tangent kept and what is out of balance in `residual`. NAN: there is
 * none.
 */
static double solve_step(wy_equilibrium *self, double mu, double *d) {
  const wy_statics_type *type = self->system->type->statics;
  memcpy(d, self->residual, (size_t)self->system->dofs * sizeof *d);
  if (!(mu > 0) || type->factor(self->system, -mu))
    return NAN;
  type->solve(self->system, d);
  return wy_freedom_size(self->system, d);
}

/* One step from `guess`; false where there is none. Steps that go to and fro get shorter. */
static bool step_down(wy_equilibrium *self, descent *state) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  double *d = self->correction, *before = self->simplified, size_before = state->size;
  if (wy_stretch_residual(self, &self->now->stretch, self->now->tau, self->guess, self->residual) ||
      type->tangent(system, wy_equilibrium_time(self), self->guess))
    return false;
  self->statistics->jacobians++;
  self->statistics->factorisations++;
  state->mu = choose_shift(self, state, size_before);
  state->size = solve_step(self, state->mu, d);
  double mu = state->mu;
  for (int k = 0; state->whole && k < MOST_SHIFTS && state->size > state->limit; k++)
    state->size = solve_step(self, mu *= 4, d);
  if (!isfinite(state->size))
    return false;
  if (size_before > 0)
    state->limit = wy_freedom_product(self, d, before) < 0 ? 0.5 * state->limit : fmin(longest, 1.5 * state->limit);
  memcpy(before, d, (size_t)system->dofs * sizeof *before);
  double part = fmin(1, state->limit / state->size);
  if (wy_system_touches(system)) { /* it must not be thrown through an obstacle */
    type->displace(system, self->guess, d, part, self->trial);
    part *= wy_system_rest_reach(system, wy_equilibrium_time(self), self->guess, self->trial);
  }
  state->distance += part * state->size;
  type->displace(system, self->guess, d, part, self->trial);
  memcpy(self->guess, self->trial, (size_t)system->config_size * sizeof *self->guess);
  return true;
}

/* What the shift is measured by at first: the eigenvalue next to zero. */
static bool begin(wy_equilibrium *self, descent *state) {
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  int count;
  uint64_t seed = 1;
  *state = (descent){.limit = longest, .mu = self->now->stiffness};
  if (type->tangent(system, wy_equilibrium_time(self), self->guess))
    return false;
  state->potential = type->negative(system, 0, &count) != WY_NO_POTENTIAL;
  if (state->mu > 0)
    return true;
  if (type->factor(system, 0))
    return false;
  wy_freedom_scatter(system, &seed, self->critical);
  double grown = 0;
  for (int k = 0; k < 10; k++)
    grown = wy_relax_power(self, self->critical);
  state->mu = 4 / grown;
  return state->mu > 0;
}

static bool descend(wy_equilibrium *self, bool whole) {
  const size_t bytes = (size_t)self->system->config_size * sizeof *self->guess;
  const int neutral = self->now->neutral;
  descent state;
  memcpy(self->guess, self->config, bytes);
  wy_stretch_apply(self, &self->now->stretch, self->now->tau);
  if (!begin(self, &state))
    return false;
  double before = 0;
  state.whole = whole;
  self->trouble = WY_NO_TROUBLE;
  for (int k = 0; k < MOST_STEPS; k++) {
    if (state.distance > lost) {
      self->trouble = WY_TOO_FAR;
      break;
    }
    if (!step_down(self, &state))
      break;
    self->now->info.relaxation_steps++;
    const bool stalls = state.size < stalled && state.size > 0.5 * before;
    before = state.size;
    if (state.size > arrived && !stalls)
      continue;
    if (finish(self)) {
      memcpy(self->config, self->guess, bytes);
      return true;
    }
    if (state.size > arrived)
      continue;
    if (state.pushes == MOST_PUSHES)
      break;
    push(self, &state);
  }
  self->now->neutral = neutral;
  return false;
}

/* Long steps in time that are cut go far in one go, but forces of constraints are cut with them: where that leads
   nowhere, shorter steps in time, which need not be cut. Of a network that seems to fall for ever, a net of loose
   ropes, each step that was cut may have torn at ropes that it then had to straighten. */
bool wy_relax(wy_equilibrium *self) {
  return descend(self, false) || ((self->trouble != WY_TOO_FAR || self->system->parts) && descend(self, true));
}
