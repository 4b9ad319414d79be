/* SPDX-License-Identifier: MIT */
/* One rod from equilibrium to equilibrium: memory, the undeformed rod, following time. */
#include "equilibrium/equilibrium.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/eigen.h"
#include "scheme/contacts.h"

/* Out of balance by less than this, in radians, does not count as a disturbance. */
static const double balanced = 1e-6;

/* A rod that friction holds may roll. Springs of friction that are loaded give this direction some stiffness, of either
   sign and below this share of the rod's own, which means nothing. */
static const double rolling = 1e-6;

wy_equilibrium *wy_equilibrium_layout(int config_size, int dofs, wy_memory *memory) {
  wy_equilibrium counting = {0}, *self = wy_arena_take(&memory->scratch, sizeof *self);
  wy_equilibrium *out = self;
  if (!self)
    self = &counting;
  size_t config = (size_t)config_size, d = (size_t)dofs;
  self->now = wy_arena_take(&memory->saved, sizeof *self->now);
  self->config = wy_arena_doubles(&memory->saved, config);
  self->rate = wy_arena_doubles(&memory->saved, d);
  self->last = wy_arena_doubles(&memory->saved, d);
  double **configs[] = {&self->before, &self->guess, &self->trial, &self->spare, &self->origin};
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
    *configs[i] = wy_arena_doubles(&memory->scratch, config);
  double **others[] = {&self->residual, &self->correction, &self->simplified, &self->slope, &self->work,
                       &self->leftover, &self->critical,   &self->product,    &self->way};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    *others[i] = wy_arena_doubles(&memory->scratch, d);
  self->neutral = wy_arena_doubles(&memory->scratch, WY_MOST_NEUTRAL * d);
  self->kept = wy_arena_doubles(&memory->scratch, WY_KEPT * d);
  return out;
}

void wy_equilibrium_prepare(wy_equilibrium *self, wy_system *system, const wy_statics_options *options) {
  self->system = system;
  self->options = *options;
  self->most_steps = WY_MOST_STEPS;
  for (int i = 0; i < system->dofs; i++)
    self->weights += system->dof_weight[i] > 0;
  self->now->info = (wy_equilibrium_info){.unstable = -1, .first_bifurcation = NAN, .first_snap = NAN};
}

double wy_equilibrium_time(const wy_equilibrium *self) {
  return wy_stretch_time(&self->now->stretch, self->now->tau);
}

void wy_equilibrium_rest(wy_equilibrium *self, bool rest) {
  self->now->resting = rest;
  if (rest)
    wy_stretch_apply(self, &self->now->stretch, self->now->tau);
  else
    self->system->type->statics->apply(self->system, false, 1, 1);
}

void wy_equilibrium_accept(wy_equilibrium *self) {
  wy_stretch_apply(self, &self->now->stretch, self->now->tau);
  wy_system_rest_accepted(self->system, wy_equilibrium_time(self), self->config);
}

void wy_equilibrium_disturb(wy_equilibrium *self) {
  self->now->has_rate = false;
  self->now->disturbed = true;
}

static void enter_breaks(wy_system *system, double t) {
  if (t >= system->type->next_break(system))
    system->type->enter(system, t);
}

/* What increments of time are measured by: the whole simulation, or what is asked for. */
static double time_span(const wy_equilibrium *self, double t) {
  double whole = self->end - self->now->settled_t, rest = t - wy_equilibrium_time(self);
  return isfinite(whole) && whole > 0 ? whole : rest > 0 ? rest : 1;
}

/* Eigenvalues between -noise and noise; -1 where they cannot be counted. */
static int count_neutral(const wy_equilibrium *self, double noise) {
  wy_system *system = self->system;
  int below = 0, above;
  if (system->type->statics->negative(system, noise, &above) ||
      (above != 0 && system->type->statics->negative(system, -noise, &below)))
    return -1;
  return above - below;
}

/* Round-off of a slender rod's torsion may be more than is seen of bending: the first noise that one a power higher
   does not contradict. */
static double settle_noise(const wy_equilibrium *self, const wy_spectrum *spectrum) {
  const double most = 1e-4 * spectrum->low;
  double noise = spectrum->noise;
  int here = count_neutral(self, noise), next = count_neutral(self, 16 * noise);
  while (16 * noise < most && (here < 0 || here != next)) {
    noise *= 16;
    here = next;
    next = count_neutral(self, 16 * noise);
  }
  return noise;
}

/* The scale of the rod's stiffness, and what holds it, at the undeformed shape. Friction, which has no potential, is
   not counted. */
static void measure(wy_equilibrium *self, const wy_stretch *stretch) {
  wy_spectrum spectrum;
  wy_equilibrium_state *now = self->now;
  wy_system_smooth(self->system, true);
  const bool found = wy_stretch_tangent(self, stretch, stretch->start, self->config) != WY_NOT_FINITE &&
                     wy_spectrum_find(self, &spectrum);
  wy_system_smooth(self->system, false);
  if (!found)
    return;
  now->stiffness = spectrum.low;
  now->noise = settle_noise(self, &spectrum);
  if (wy_system_remembers(self->system))
    now->noise = fmax(now->noise, rolling * now->stiffness);
  wy_stability_count(self);
}

void wy_equilibrium_measure_again(wy_equilibrium *self) {
  wy_spectrum spectrum;
  wy_equilibrium_state *now = self->now;
  if (!self->system->parts || !wy_spectrum_find(self, &spectrum) || spectrum.low < 1e6 * now->stiffness)
    return;
  now->stiffness = spectrum.low;
  now->noise = settle_noise(self, &spectrum);
}

wy_trouble wy_equilibrium_reset(wy_equilibrium *self, const wy_stretch *stretch) {
  wy_system *system = self->system;
  double t = wy_stretch_time(stretch, stretch->start);
  enter_breaks(system, t);
  *self->now = (wy_equilibrium_state){.resting = true, .settled_t = t};
  self->now->info = (wy_equilibrium_info){.unstable = -1, .first_bifurcation = NAN, .first_snap = NAN};
  wy_stretch_apply(self, stretch, stretch->start);
  system->type->statics->undeformed(system, self->config);
  wy_system_rest_begin(system, t, self->config);
  measure(self, stretch);
  return wy_path_begin(self, stretch);
}

/* One increment, or all up to the end of the stretch; where there is none any more, the rod snaps. */
static wy_status advance(wy_equilibrium *self, bool one_step, wy_message *message) {
  self->trouble = WY_NO_TROUBLE;
  wy_status status = one_step ? wy_path_step(self, message) : wy_path_run(self, message);
  return status ? wy_snap(self, status, message) : WY_OK;
}

/* Takes away step by step what is out of balance at time t, after a release or a change from outside. */
static wy_status ease(wy_equilibrium *self, double t, wy_message *message) {
  wy_stretch stretch = {.t = {t, 0}, .loads = {1, 0}, .ends = {1, 0}, .end = 1, .span = 1};
  if (wy_stretch_residual(self, &stretch, 0, self->config, self->leftover))
    return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the forces are not finite at t = %.9g",
                   wy_system_noun(self->system), wy_system_name(self->system), t);
  stretch.easing = true;
  memcpy(self->origin, self->config, (size_t)self->system->config_size * sizeof *self->origin);
  wy_trouble trouble = wy_path_begin(self, &stretch);
  bool in_balance = !trouble && wy_freedom_size(self->system, self->rate) < balanced;
  wy_status status = in_balance ? WY_OK : advance(self, false, message);
  self->now->disturbed = status != WY_OK;
  if (status)
    wy_equilibrium_disturb(self);
  return status;
}

/* Where nothing is under way yet, or something has changed: back into balance, and off towards time t. */
static wy_status set_off(wy_equilibrium *self, double t, wy_message *message) {
  wy_equilibrium_state *now = self->now;
  double here = wy_equilibrium_time(self);
  bool released = here >= self->system->type->next_break(self->system);
  if (now->has_rate && !released && !now->stretch.settling && !now->stretch.easing)
    return WY_OK;
  enter_breaks(self->system, here);
  wy_status status = released || !now->has_rate ? ease(self, here, message) : WY_OK;
  if (status)
    return status;
  wy_stretch stretch = {.t = {0, 1}, .loads = {1, 0}, .ends = {1, 0}, .start = here, .end = t};
  stretch.floor = now->settled_t - time_span(self, t); /* a snap-through may need loads of the other sign */
  stretch.span = time_span(self, t);
  wy_path_begin(self, &stretch);
  return WY_OK;
}

wy_status wy_equilibrium_follow(wy_equilibrium *self, double t, bool one_step, wy_message *message) {
  wy_equilibrium_state *now = self->now;
  wy_status status = set_off(self, t, message);
  while (!status && wy_equilibrium_time(self) != t) {
    now->stretch.end = fmin(t, self->system->type->next_break(self->system));
    status = advance(self, one_step, message);
    if (one_step)
      break;
    if (!status)
      status = set_off(self, t, message);
  }
  return status;
}
