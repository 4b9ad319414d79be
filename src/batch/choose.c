/* SPDX-License-Identifier: MIT */
/* The integrator of a batch and its substeps: what leapfrog needs to be stable, what the estimates of the last frames
   ask for (B18), (B19). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch/inside.h"
#include "model/contact.h"
#include "scheme/rates.h"

/* A solve of backward differences takes the time of so many substeps of leapfrog: `withy bench batch`. */
static const int solve_cost = 6;
/* Share of the limit of stability that is used: rods that are stretched are faster. */
static const double safety = 0.9;
/* Substeps of backward differences where none are given: to begin with, and at least. */
enum { FIRST = 8, LEAST = 4 };

/* ---- Leapfrog ---- */

double wy_batch_stable_step(const wy_batch *self, int rod) {
  const wy_rod_def own = wy_batch_rod_def(self, rod);
  const double h = wy_batch_segment(self, rod), damping = self->numbers[WY_BATCH_DAMPING][rod];
  wy_section_values section = wy_section_at(&own, 0);
  for (int k = 0; k < 6; k++)
    section.damping[k] *= damping;
  for (int k = 0; k < 2 && self->def.staggered.segment_inertia == WY_CYLINDER; k++)
    section.rotary[k] += section.mass * h * h / 12;
  wy_rates rates = {.kind = ""};
  wy_rates_of_segment(&section, own.kind, h, 2, &rates);
  double square = rates.fast * rates.fast;
  if (self->kind.obstacles)
    square += wy_contact_stiffness(&own, 0) / section.mass;
  const double decay = rates.decay;
  return 2 / (sqrt(square + 4 * decay * decay) + 2 * decay) / WY_BATCH_TICK;
}

/* Substeps with which no rod is faster than leapfrog can follow. */
static double stable_substeps(const wy_batch *self, double frame_time) {
  return ceil(frame_time / WY_BATCH_TICK / (safety * self->stable_of_all) - 1e-9);
}

static int first_substeps(const wy_batch *self) {
  return self->def.substeps ? self->def.substeps : self->leaps ? 1 : FIRST;
}

static void take(wy_batch *self, bool leaps) {
  if (leaps == self->leaps && self->wanted)
    return;
  self->leaps = leaps;
  self->wanted = first_substeps(self);
  self->calm = 0, self->patience = WY_BATCH_PATIENCE;
  self->spacing = 0;
}

/* What takes less time. It is asked at the beginning of a history alone, or where leapfrog would have too many. */
static void choose(wy_batch *self, double stable) {
  if (self->def.integrator != WY_BATCH_AUTO) {
    take(self, self->def.integrator == WY_BATCH_EXPLICIT);
    return;
  }
  if (self->wanted && self->spacing > 0 && (!self->leaps || stable <= self->most))
    return;
  const int solves = self->def.substeps ? self->def.substeps : FIRST;
  take(self, stable <= fmin((double)solve_cost * solves, self->most));
  snprintf(self->choice, sizeof self->choice,
           "leapfrog is stable with %.0f substeps a frame, each %d times cheaper than one of the %d of backward "
           "differences",
           stable, solve_cost, solves);
}

wy_status wy_batch_choose(wy_batch *self, double frame_time, wy_message *message) {
  const double stable = stable_substeps(self, frame_time);
  choose(self, stable);
  if (!self->leaps) {
    self->now = self->wanted;
    return WY_OK;
  }
  if (!(stable <= self->most))
    return wy_fail(message, WY_ERROR_INPUT,
                   "leapfrog needs %.0f substeps for a frame of %g s; expected at most %d: backward differences "
                   "(`bdf2`) or shorter frames",
                   stable, frame_time, self->most);
  self->now = stable > self->wanted ? (int)stable : self->wanted;
  return WY_OK;
}

int wy_batch_most_substeps(const wy_batch_def *def) {
  const int given = def->substeps, solves = given ? given : WY_BATCH_MOST_CHOSEN;
  if (def->integrator == WY_BATCH_BDF2)
    return solves;
  const int leaps = def->integrator == WY_BATCH_EXPLICIT ? WY_BATCH_MOST_LEAPS : solve_cost * (given ? given : FIRST);
  return solves > leaps ? solves : leaps;
}

/* ---- After a frame ---- */

/* Twice as many where more than one rod in a hundred was moved again; half as many where for many frames one in a
   hundred at most came near to it. What was wrong to halve is halved less soon again. */
void wy_batch_choose_next(wy_batch *self, int bad, int warm) {
  if (self->def.substeps)
    return;
  const double few = 0.01 * wy_batch_total(self);
  if (bad > few) {
    if (2 * self->now <= self->most)
      self->wanted = 2 * self->now;
    if (self->halved)
      self->patience = 2 * self->patience < WY_BATCH_MOST_PATIENCE ? 2 * self->patience : WY_BATCH_MOST_PATIENCE;
    self->halved = false;
    self->calm = 0;
    return;
  }
  self->calm = bad || warm > few ? 0 : self->calm + 1;
  if (self->calm < self->patience || self->wanted <= (self->leaps ? 1 : LEAST))
    return;
  self->wanted /= 2;
  self->halved = true;
  self->calm = 0;
}
