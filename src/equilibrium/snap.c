/* SPDX-License-Identifier: MIT */
/* Where a path through time ends, or what is out of balance cannot be eased away: the rod snaps over, or swings down,
   to a stable equilibrium, and the path goes on from there. docs/theory/continuation.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

wy_trouble wy_snap_landed(wy_equilibrium *self) {
  wy_equilibrium_state *now = self->now;
  now->has_last = false;
  now->h = now->stretch.span / self->options.increments;
  now->info.increments++;
  self->statistics->steps++;
  wy_equilibrium_accept(self);
  return wy_path_rate(self, false);
}

bool wy_snap_carried(const wy_equilibrium *self) {
  wy_system *system = self->system;
  return !system->type->piece_turn || system->type->piece_turn(system, self->config) <= 1;
}

/* Only a path that has come to an end, not one with loads that do not exist or one that takes too long; and arc length
   asks for the path itself. */
static bool may_snap(const wy_equilibrium *self) {
  return self->options.continuation == WY_LOAD_STEPPING && self->trouble != WY_NO_TROUBLE &&
         self->trouble != WY_NOT_FINITE;
}

/* A branch may only have come back to the path that it had left. Relaxation has led there from `end`, and that path
   leads back to the same place. */
static bool only_meets(wy_equilibrium *self, const wy_equilibrium_state *end) {
  const wy_equilibrium_state *now = self->now;
  const wy_newton_task task = {.stretch = &now->stretch, .reach = 1};
  wy_newton_report report;
  double tau = end->tau;
  if (!end->has_rate || !now->has_rate || now->stretch.easing || wy_system_touches(self->system))
    return false;
  self->system->type->statics->displace(self->system, self->config, self->rate, end->tau - now->tau, self->guess);
  return !wy_newton(self, &task, &tau, self->guess, &report) &&
         wy_path_meets(self, wy_path_rest(self, end), self->guess, 0);
}

static void note(wy_equilibrium *self, const wy_equilibrium_state *end) {
  wy_equilibrium_info *info = &self->now->info;
  if (only_meets(self, end))
    return;
  if (info->snaps++ == 0)
    info->first_snap = wy_equilibrium_time(self);
}

typedef enum landing { NOWHERE, FALLING, BEYOND, LANDED } landing;

/* Downhill at tau. Where that does not lead to an equilibrium the configuration stays. */
static landing snap_at(wy_equilibrium *self, double tau) {
  const size_t bytes = (size_t)self->system->config_size * sizeof *self->config;
  self->now->tau = tau;
  memcpy(self->before, self->config, bytes);
  if (!wy_relax(self))
    return self->trouble == WY_TOO_FAR ? FALLING : NOWHERE;
  if (wy_snap_carried(self))
    return LANDED;
  memcpy(self->config, self->before, bytes);
  return BEYOND;
}

/* To the message of the path: that relaxation did not help, and how far it was tried. */
static void tell(const wy_equilibrium *self, landing last, double tau, wy_message *message) {
  static const char *const why[] = {[NOWHERE] = "",
                                    [FALLING] = ": the rod falls without end",
                                    [BEYOND] =
                                        ": a segment turns by more than the scheme represents; use more segments",
                                    [LANDED] = ""};
  if (!message)
    return;
  size_t used = strlen(message->text), size = sizeof message->text;
  snprintf(message->text + used, size - used, "%s Nor was one found by relaxation, up to t = %.9g%s",
           used > 0 && message->text[used - 1] == '?' ? "" : ".", wy_stretch_time(&self->now->stretch, tau), why[last]);
}

wy_status wy_snap(wy_equilibrium *self, wy_status status, wy_message *message) {
  /* Just beyond a limit point the rod leaves it slowly, and what is found is what it snaps into. */
  static const double shares[] = {1.0 / 1024, 1.0 / 128, 1.0 / 16};
  wy_equilibrium_state *now = self->now;
  const wy_equilibrium_state before = *now;
  const double tau = now->tau, end = now->stretch.end;
  double to = tau;
  landing last = NOWHERE;
  if (!may_snap(self))
    return status;
  for (size_t i = 0; i < sizeof shares / sizeof *shares && to != end && last != FALLING; i++) {
    /* An easing has nothing but its end: part of what is out of balance is no load of the rod. */
    to = now->stretch.easing ? end : fmin(tau + shares[i] * now->stretch.span, end);
    last = snap_at(self, to);
    if (last != LANDED && now->stretch.easing) { /* the path may have led astray */
      memcpy(self->config, self->origin, (size_t)self->system->config_size * sizeof *self->config);
      last = snap_at(self, to);
    }
    if (last != LANDED)
      continue;
    wy_snap_landed(self);
    note(self, &before);
    return WY_OK;
  }
  now->tau = tau;
  tell(self, last, to, message);
  return status;
}
