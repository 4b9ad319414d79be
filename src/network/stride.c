/* SPDX-License-Identifier: MIT */
/* What the integrator `stride` asks of a group (wy_stride_type): each rod is predicted with the strain that it has,
   hubs turn on as they turned, and ends of rods are where their hubs are. docs/theory/integrators.md, (I74). */
#include <math.h>
#include <string.h>

#include "network/inside.h"

/* Frames of hubs as they turned (I71); all else of a hub goes on by lines. */
static void turn_hubs(const wy_group *self, double h, double ratio, const double *before, const double *now,
                      double *guess) {
  const int n = self->hub_stride, frame = self->hub_offset + WY_HUB_FRAME * n;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_q4 p = wy_load4(now + frame, n, i);
    const wy_v3 half = wy_times(0.5 * h, wy_load3(now + self->hub_offset + WY_HUB_SPIN * n, n, i));
    wy_q4 turn = {1, half.x, half.y, half.z};
    if (before) {
      turn = wy_qtimes(ratio, wy_between(wy_load4(before + frame, n, i), p));
      turn.w += 1 - ratio;
    }
    const wy_q4 to = wy_qproduct(p, turn);
    wy_store4(guess + frame, n, i, wy_qtimes(1 / sqrt(wy_qsquare(to)), to));
  }
}

static void move_hubs(const wy_group *self, double h, double ratio, const double *before, const double *now,
                      double *guess) {
  const int n = self->hub_stride, rods_end = self->hub_offset;
  for (int i = rods_end; i < self->base.size; i++)
    guess[i] = before ? now[i] + ratio * (now[i] - before[i]) : now[i];
  const double *velocity = now + self->hub_offset + WY_HUB_VELOCITY * n, *angles = now + self->angle_offset;
  for (int i = 0; !before && i < 3 * n; i++)
    guess[self->hub_offset + WY_HUB_PLACE * n + i] += h * velocity[i];
  for (int i = 0; !before && i < self->angle_stride; i++)
    guess[self->angle_offset + i] += h * angles[self->angle_stride + i];
  turn_hubs(self, h, ratio, before, now, guess);
}

static void predict(wy_system *system, double t, double h, double ratio, const double *before, const double *now,
                    double *guess) {
  wy_group *self = (wy_group *)system;
  move_hubs(self, h, ratio, before, now, guess);
  for (int i = 0; i < self->rod_count; i++) {
    const wy_group_rod_part *rod = &self->rods[i];
    rod->system->type->stride->predict(rod->system, t, h, ratio, before ? before + rod->offset : NULL,
                                       now + rod->offset, guess + rod->offset);
  }
  wy_group_place(self, t, guess);
  wy_group_seat(self, guess);
}

static void hold(wy_system *system, double *held) {
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->rod_count; i++)
    self->rods[i].system->type->stride->hold(self->rods[i].system, held + self->rods[i].offset);
}

static void prescribe(wy_system *system, double t, double sigma, const double *guess, double *r) {
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->rod_count; i++) {
    const wy_group_rod_part *rod = &self->rods[i];
    rod->system->type->stride->prescribe(rod->system, t, sigma, guess + rod->offset, r + rod->offset);
  }
}

static double missed(const wy_system *system, const double *guess, const double *d) {
  const wy_group *self = (const wy_group *)system;
  const int n = self->hub_stride, frame = self->hub_offset + WY_HUB_FRAME * n;
  double most = 0;
  for (int i = 0; i < self->rod_count; i++) {
    const wy_group_rod_part *rod = &self->rods[i];
    const double miss = rod->system->type->stride->missed(rod->system, guess + rod->offset, d + rod->offset);
    most = miss <= most ? most : miss; /* NaN stays */
  }
  for (int i = 0; i < self->hub_count; i++) {
    const wy_v3 half = wy_pure(wy_between(wy_load4(guess + frame, n, i), wy_load4(d + frame, n, i)));
    const double angle = 2 * sqrt(wy_inner(half, half));
    most = angle <= most ? most : angle;
  }
  return most;
}

static bool closes(const wy_system *system) {
  const wy_group *self = (const wy_group *)system;
  bool any = false;
  for (int i = 0; i < self->rod_count; i++)
    any = any || self->rods[i].system->type->stride->closes(self->rods[i].system);
  return any;
}

const wy_stride_type wy_group_stride = {.predict = predict,
                                        .hold = hold,
                                        .linearise = wy_group_linearise,
                                        .prescribe = prescribe,
                                        .missed = missed,
                                        .closes = closes};
