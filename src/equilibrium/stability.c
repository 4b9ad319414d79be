/* SPDX-License-Identifier: MIT */
/* Stability along a path: the number of unstable directions at each point, limit points, bifurcations and where they
   are. A change of stability that no bifurcation explains shows that an increment has jumped to another path.
   docs/theory/continuation.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

enum {
  MOST_BISECTIONS = 40,
  MOST_SWITCHES = 50 /* a path that meets more goes back and forth */
};

static const double location = 1e-6; /* of the span: how well the first bifurcation is known */

void wy_stability_count(wy_equilibrium *self) {
  wy_equilibrium_state *now = self->now;
  wy_system *system = self->system;
  const wy_statics_type *type = system->type->statics;
  int unstable = 0, not_stable, count = now->neutral;
  /* Where nothing is below the noise nothing is unstable. */
  if (type->negative(system, now->noise, &not_stable) ||
      (not_stable != 0 && type->negative(system, -now->noise, &unstable))) {
    now->info.unstable = -1;
    now->info.odd = type->sign(system) < 0;
    /* a rod that friction holds may roll */
    now->neutral = wy_system_touches(system) ? wy_stretch_count_neutral(self) : 0;
    return;
  }
  int neutral = not_stable - unstable;
  now->neutral = neutral < WY_MOST_NEUTRAL ? neutral : WY_MOST_NEUTRAL;
  /* A direction that is not neutral all along is on its way from one side of zero to the other. */
  if (neutral > 0 && count == 0 && !type->negative(system, 0, &not_stable))
    unstable = not_stable;
  now->info.unstable = unstable;
  now->info.odd = unstable % 2;
}

static bool same_stability(const wy_equilibrium_info *a, const wy_equilibrium_info *b) {
  if (a->unstable >= 0 && b->unstable >= 0)
    return a->unstable == b->unstable;
  return a->odd == b->odd;
}

/* The equilibrium at tau next to the one in `guess`, as stable as the old one? Otherwise, or where none is found,
   `guess` is left as it was. */
static bool goes_on(wy_equilibrium *self, double tau, const wy_equilibrium_state *old) {
  wy_equilibrium_state present = *self->now;
  const wy_newton_task task = {.stretch = &self->now->stretch, .reach = 1};
  size_t bytes = (size_t)self->system->config_size * sizeof *self->guess;
  wy_newton_report report;
  memcpy(self->spare, self->guess, bytes);
  self->now->neutral = old->neutral;
  wy_trouble trouble = wy_newton(self, &task, &tau, self->guess, &report);
  if (!trouble)
    trouble = wy_stretch_tangent(self, task.stretch, tau, self->guess);
  present.info.newton_iterations = self->now->info.newton_iterations;
  if (!trouble)
    wy_stability_count(self);
  bool same = !trouble && same_stability(&self->now->info, &old->info);
  *self->now = present;
  if (!same)
    memcpy(self->guess, self->spare, bytes);
  return same;
}

/* Halves the last increment until its change of stability is found: between `old` and the present point, which both
   are on the path of `before`. If it turns out that this path goes on unchanged, it is left in `guess` at *tau. */
static bool locate(wy_equilibrium *self, const wy_equilibrium_state *old, double *tau) {
  double from = old->tau, to = self->now->tau, width = location * self->now->stretch.span;
  memcpy(self->guess, self->before, (size_t)self->system->config_size * sizeof *self->guess);
  for (int k = 0; k < MOST_BISECTIONS && fabs(to - from) > width; k++) {
    double middle = 0.5 * (from + to);
    if (goes_on(self, middle, old))
      from = middle;
    else
      to = middle;
  }
  bool jumped = goes_on(self, to, old);
  *tau = jumped ? to : 0.5 * (from + to);
  return !jumped;
}

/* The increment has left its path: back to where `guess` is, with smaller steps. */
static void return_to_path(wy_equilibrium *self, const wy_equilibrium_state *old, double tau) {
  wy_equilibrium_state *now = self->now;
  memcpy(self->config, self->guess, (size_t)self->system->config_size * sizeof *self->config);
  memcpy(self->rate, self->last, (size_t)self->system->dofs * sizeof *self->rate);
  now->rate_tau = old->rate_tau;
  now->h_last = fabs((tau - old->tau) / (now->tau - old->tau)) * now->h_last;
  now->h = fmin(0.5 * now->h_last, now->h);
  now->tau = tau;
  wy_path_rate(self, true);
}

static void note(wy_equilibrium *self, double tau) {
  wy_equilibrium_info *info = &self->now->info;
  info->bifurcations++;
  if (!isnan(info->first_bifurcation))
    return;
  const wy_stretch *stretch = &self->now->stretch;
  info->first_while_settling = stretch->settling;
  info->first_bifurcation = stretch->easing ? wy_stretch_time(stretch, tau) : tau;
}

void wy_stability_passed(wy_equilibrium *self, const wy_equilibrium_state *old) {
  wy_equilibrium_state *now = self->now;
  bool limit = now->rate_tau * old->rate_tau < 0, same = same_stability(&now->info, &old->info);
  now->info.limit_points += limit;
  /* A limit point changes one direction by itself. */
  bool explained = limit && !same && abs(now->info.unstable - old->info.unstable) <= 1;
  if (explained || (!limit && same))
    return;
  double tau = now->tau;
  /* with friction an increment is final: nothing is found between its ends */
  if (!limit && !wy_system_remembers(self->system) && !locate(self, old, &tau)) {
    return_to_path(self, old, tau);
    return;
  }
  note(self, tau);
  bool worse = now->info.unstable > old->info.unstable || (now->info.unstable < 0 && now->info.odd);
  if (self->options.branch == WY_SWITCH_BRANCH && worse && now->info.bifurcations <= MOST_SWITCHES)
    wy_branch_switch(self);
}
