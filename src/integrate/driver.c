/* SPDX-License-Identifier: MIT */
#include "integrate/driver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "integrate/balance.h"
#include "scheme/contacts.h"

/* Rejections in a row, without progress, after which nothing will help. */
enum { MOST_REJECTIONS = 60 };
/* A fixed step whose equations are not solved is halved, so often at most; after so many pieces they grow again. */
enum { MOST_HALVINGS = 10, PIECES = 8 };

/* Are the steps that the user allows so short that they do not move the clock, or not from one multiple of the step to
   the next? */
static bool clock_stands(const wy_integrator *self) {
  const double t = self->now->t;
  return self->type->info->fixed_step ? self->now->h < WY_GRID_RESOLUTION * fabs(t)
                                      : self->largest_step > 0 && !(t + self->largest_step > t);
}

static wy_status say_clock_stands(const wy_integrator *self, wy_message *message) {
  const double t = self->now->t;
  return wy_fail(
      message, WY_ERROR_SOLVER,
      "%s '%s': %s cannot continue at t = %.9g: a step of %.3g is too short to change the time; the smallest "
      "change at this time is %.3g; try a longer solver.step or largest step",
      wy_system_noun(self->system), wy_system_name(self->system), self->type->info->name, t,
      self->type->info->fixed_step ? self->now->h : self->largest_step, nextafter(fabs(t), INFINITY) - fabs(t));
}

/* What the rod has, less the work that its scheme books by itself. */
static double stored_energy(const wy_integrator *self) {
  wy_system *system = self->system;
  wy_energy energy = {0};
  system->type->energy(system, self->now->t, self->u, &energy);
  return energy.kinetic + energy.elastic + energy.gravity + energy.contact - energy.work;
}

/* The equations change. A piece of rod between a support and the first mass relaxes as the support lets go: nothing
   takes up what it had stored, which is dissipated at this instant. */
static void enter_break(wy_integrator *self) {
  wy_system *system = self->system;
  const double before = stored_energy(self);
  system->type->enter(system, self->now->t);
  self->u[system->size + WY_DISSIPATION_INTEGRAL] += fmax(before - stored_energy(self), 0); /* but for round-off */
  self->type->start(self);
}

/* Where a station comes down, the next step is no longer than contact allows. Multistep methods keep the spacing of
   their history and stop there; returns where. */
static double limit_step(wy_integrator *self, double stop) {
  wy_progress *now = self->now;
  if (!self->touches || self->type->info->fixed_step)
    return stop;
  if (self->type->know_f)
    self->type->know_f(self);
  const double *f = self->type->know_f ? self->f : NULL;
  const double longest = wy_system_step_limit(self->system, now->t, self->u, f, now->h);
  if (self->type->info->multistep)
    return longest < now->h ? fmin(stop, now->t + longest) : stop;
  now->h = longest;
  return stop;
}

/* What the next attempt goes over: less than the step where a stop cuts it. */
static double length_to_try(const wy_integrator *self, double stop) {
  return self->type->info->fixed_step ? wy_try_grid_step(self, stop).h : fmin(self->now->h, stop - self->now->t);
}

/* Pieces of a fixed step keep what the method keeps, energy or momentum, as whole steps do; those are counted that are
   shorter than the way to the stop. No piece helps where a signal is not a number, or the clock cannot show it. */
static bool divide(wy_integrator *self, double h, double stop) {
  wy_progress *now = self->now;
  int most = MOST_HALVINGS + (int)fmax(ceil(log2(now->h / (stop - now->t))), 0);
  bool shown = 0.5 * h >= WY_GRID_RESOLUTION * fabs(now->t);
  bool helps = shown && now->halvings < most && !wy_drive_meets_bad_signal(self, h);
  do
    now->halvings = helps ? now->halvings + 1 : 0;
  while (helps && now->halvings < most && length_to_try(self, stop) >= h);
  now->solved = 0;
  return helps;
}

static void join(wy_progress *now) {
  if (now->halvings > 0 && ++now->solved >= PIECES)
    now->halvings--, now->solved = 0;
}

wy_status wy_drive_step(wy_integrator *self, double limit, wy_message *message) {
  wy_system *system = self->system;
  wy_progress *now = self->now;
  if (now->t >= system->type->next_break(system))
    enter_break(self);
  wy_books_start(self);
  const double before = now->t;
  const double stop = limit_step(self, fmin(fmin(limit, system->type->next_break(system)), wy_watch_ahead(self)));
  if (clock_stands(self))
    return say_clock_stands(self, message);
  for (int tries = 0;; tries++) {
    const double wanted = now->h, h = length_to_try(self, stop);
    wy_outcome outcome = self->type->attempt(self, stop);
    if (outcome == WY_ACCEPTED && now->t > before)
      break;
    if (outcome == WY_ACCEPTED) /* of a length that does not change the time */
      return wy_drive_give_up(self, h, NULL, message);
    now->statistics.rejected++;
    if (outcome == WY_HOPELESS || tries >= MOST_REJECTIONS ||
        (self->type->info->fixed_step && !divide(self, h, stop)) || wanted <= 8 * DBL_EPSILON * fabs(now->t))
      return wy_drive_give_up(self, h, NULL, message);
  }
  join(now);
  now->moved = true;
  now->statistics.steps++;
  now->statistics.last_step = now->t - now->t_old;
  wy_books_turns(self);
  if (self->type->info->multistep) { /* its history goes on where it is; what leaves is projected (wy_drive_state) */
    const int changed = self->touches ? wy_system_accepted(system, now->t, self->u) : 0;
    if (changed & WY_CONTACT_HIT)
      self->type->start(self);
    else if (changed)
      self->type->invalidate(self, true);
    return wy_books_step(self, message);
  }
  int stale = system->type->project(system, now->t, self->u, self->f, now->drift);
  if (stale >= 0 && self->touches)
    stale |= wy_system_accepted(system, now->t, self->u) & WY_CONTACT_SLID;
  if (stale < 0)
    return wy_drive_give_up(self, now->statistics.last_step, "the projection onto the constraints fails", message);
  if (stale)
    self->type->invalidate(self, true);
  return wy_books_step(self, message);
}

/* Times on the grid of a fixed step are reached up to round-off. */
static double slack_of(const wy_integrator *self) {
  return self->type->info->fixed_step ? 1e-9 * self->now->h : 0;
}

wy_status wy_drive_to(wy_integrator *self, double t, double limit, wy_message *message) {
  while (self->now->t < t - slack_of(self)) {
    wy_status status = wy_drive_step(self, limit, message);
    if (status)
      return status;
  }
  return WY_OK;
}

void wy_drive_snap(wy_integrator *self, double t) {
  if (fabs(self->now->t - t) <= slack_of(self))
    self->now->t = t;
}

void wy_drive_state(wy_integrator *self, double t, double *u) {
  double drift[WY_DRIFTS] = {0}, energy = self->now->drift[WY_DRIFT_ENERGY];
  t = fmax(t, self->now->t_old);
  if (t >= self->now->t - slack_of(self) || !self->now->moved) {
    memcpy(u, self->u, (size_t)self->size * sizeof *u);
    if (!self->type->info->multistep)
      return;
  } else {
    self->type->dense(self, t, u);
  }
  self->system->type->project(self->system, t, u, NULL, self->type->info->multistep ? self->now->drift : drift);
  self->now->drift[WY_DRIFT_ENERGY] = energy; /* what is shown adds nothing to the motion */
  if (self->type->info->fixed_step)           /* whose states between steps are not solutions */
    return;
  for (int i = WY_DRIFT_STRAIN; i <= WY_DRIFT_JOINT; i++) /* what is left after projection counts here, too */
    self->now->drift[i] = fmax(self->now->drift[i], drift[i]);
}
