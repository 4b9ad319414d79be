/* SPDX-License-Identifier: MIT */
#include "integrate/balance.h"

#include <math.h>

#include "base/message.h"
#include "integrate/driver.h"

/* The balance is looked at once in so many steps: often enough for the largest energies, seldom enough to cost nothing.
   By the count of steps, so that it does not depend on who asks for what in between. */
enum { STEPS_A_LOOK = 8 };
/* The simulation is told of each of those states, but where steps are cheap and short of one in so many: making a view
   costs a few evaluations of f. */
enum { LOOKS_A_NOTICE = 8 };

/* Elements of order 1 that turn by alpha are longer by 1/cos(alpha/2) (docs/theory/judgement.md): by this much at 2.6
   rad, from which none comes back. */
static const double longest_chord = 4;

void wy_books_turns(wy_integrator *self) {
  wy_system *system = self->system;
  wy_statistics *statistics = &self->now->statistics;
  if (!system->type->piece_turn)
    return;
  double turn = system->type->piece_turn(system, self->u);
  if (turn > 1 && statistics->piece_turn <= 1)
    statistics->piece_turn_time = self->now->t;
  statistics->piece_turn = fmax(statistics->piece_turn, turn);
}

wy_energy wy_books_energy(const wy_integrator *self, double t, const double *u) {
  wy_system *system = self->system;
  wy_energy energy = {0};
  system->type->energy(system, t, u, &energy);
  energy.work += u[system->size + WY_WORK_INTEGRAL];
  energy.dissipated = u[system->size + WY_DISSIPATION_INTEGRAL];
  energy.friction = u[system->size + WY_FRICTION_INTEGRAL];
  energy.impact = u[system->size + WY_IMPACT_INTEGRAL];
  energy.total = energy.kinetic + energy.elastic + energy.gravity + energy.contact;
  return energy;
}

static void extend(double range[2], double value) {
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

void wy_balance_look(wy_balance *balance, double t, const wy_energy *energy) {
  if (balance->looks++ == 0)
    *balance = (wy_balance){.start = energy->total - energy->work + energy->dissipated,
                            .elastic = {energy->elastic, energy->elastic},
                            .gravity = {energy->gravity, energy->gravity},
                            .violation_time = t,
                            .looks = 1};
  balance->end = energy->total;
  balance->work = energy->work;
  balance->dissipated = energy->dissipated;
  balance->kinetic = fmax(balance->kinetic, energy->kinetic);
  balance->most_work = fmax(balance->most_work, fabs(energy->work));
  balance->most_dissipated = fmax(balance->most_dissipated, fabs(energy->dissipated));
  extend(balance->elastic, energy->elastic);
  extend(balance->gravity, energy->gravity);
  double violation = fabs(energy->total - balance->start - energy->work + energy->dissipated);
  if (violation > balance->violation)
    balance->violation = violation, balance->violation_time = t;
}

/* Neither matrices in every step, as implicit methods of one step have, nor steps that the user has chosen. */
static bool has_cheap_steps(const wy_integrator_info *info) {
  return !info->fixed_step && (info->multistep || !info->implicit);
}

static void look(wy_integrator *self, bool notice) {
  double t = self->now->t;
  wy_drive_state(self, t, self->booked);
  wy_energy energy = wy_books_energy(self, t, self->booked);
  wy_balance_look(&self->now->balance, t, &energy);
  if (notice && self->notice)
    self->notice(self->noticed_by, t, self->booked);
}

void wy_books_start(wy_integrator *self) {
  if (self->booked && self->now->balance.looks == 0)
    look(self, true);
}

static wy_status tear(wy_integrator *self, const char *what, wy_message *message) {
  char text[256] = "";
  wy_system *system = self->system;
  system->type->diagnose(system, self->now->t, self->u, text, sizeof text);
  return wy_fail(message, WY_ERROR_RESULT,
                 "%s '%s' has come apart at t = %.9g: %s, and all later results would be wrong. %s",
                 wy_system_noun(system), wy_system_name(system), self->now->t, what, text);
}

/* Has the rod come apart? */
static wy_status check_whole(wy_integrator *self, wy_message *message) {
  wy_system *system = self->system;
  if (self->torn > 0 && self->now->statistics.piece_turn > self->torn)
    return tear(self, "the rotation across one of its segments is so large that no moment acts there any more",
                message);
  if (self->booked && system->type->chord && system->type->chord(system, self->u) > longest_chord)
    return tear(self, "it is inextensible, but two of its nodes are farther apart than the rod between them is long",
                message);
  return WY_OK;
}

wy_status wy_books_step(wy_integrator *self, wy_message *message) {
  const long steps = self->now->statistics.steps;
  const long notice = has_cheap_steps(self->type->info) ? STEPS_A_LOOK * LOOKS_A_NOTICE : STEPS_A_LOOK;
  if (self->booked && steps % STEPS_A_LOOK == 0)
    look(self, steps % notice == 0);
  return check_whole(self, message);
}

void wy_books_rest(wy_integrator *self, bool first) {
  wy_balance *balance = &self->now->balance;
  wy_energy energy = wy_books_energy(self, self->now->t, self->u);
  double start = first ? energy.total : balance->start;
  *balance = (wy_balance){.start = start, .end = energy.total};
}
