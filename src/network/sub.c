/* SPDX-License-Identifier: MIT */
#include "network/sub.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "scheme/supports.h"

void wy_angle_at(const wy_angle_state *self, const wy_signal *given, double t, double jet[3]) {
  if (!self->moved) {
    wy_signal_rates(given, 0, t, jet);
    return;
  }
  wy_support_cubic(self->rate0, self->angle1 - self->angle0, self->rate1, self->duration, t - self->start, jet);
  jet[0] += self->angle0;
}

/* The rotation about the axis. */
static wy_q4 turn_of(const wy_sub_hub *self) {
  const double s = sin(0.5 * self->angle);
  return (wy_q4){cos(0.5 * self->angle), s * self->axis.x, s * self->axis.y, s * self->axis.z};
}

/* How the hub takes hold of its parent: as the end of a rod would, welded at its angle, or on a ball. */
static wy_hold_on hold_of(const wy_sub_hub *self) {
  if (self->kind == WY_HUB_TURNS)
    return (wy_hold_on){.q = {1, 0, 0, 0}};
  return (wy_hold_on){.c = self->c, .q = turn_of(self), .turns = true};
}

wy_hub_motion wy_sub_at(const wy_sub_hub *self, const wy_hub_motion *parent, const wy_hub_motion *own) {
  wy_hub_motion at = *own;
  at.x = parent->x, at.v = parent->v;
  if (self->kind == WY_HUB_TURNS)
    return at;
  const wy_q4 turn = turn_of(self);
  at.x = wy_hub_point(parent, self->c);
  at.v = wy_hub_point_velocity(parent, self->c);
  at.p = at.unit = wy_qproduct(parent->unit, turn);
  at.r = wy_rotation(at.unit);
  at.omega = wy_plus(wy_apply_transposed(wy_rotation(turn), parent->omega), wy_times(self->rate, self->axis));
  return at;
}

void wy_sub_velocities(const wy_sub_hub *self, const wy_hub_motion *parent, double by_parent[6][6],
                       double by_own[6][3]) {
  double motion[12][12], own[12][6];
  wy_sub_motion(self, parent, motion, own);
  for (int i = 0; i < 36; i++)
    by_parent[i / 6][i % 6] = motion[6 + i / 6][6 + i % 6];
  for (int i = 0; i < 18; i++)
    by_own[i / 3][i % 3] = own[6 + i / 3][3 + i % 3];
}

void wy_sub_accelerate(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 parent_a, wy_v3 parent_alpha,
                       wy_v3 own, wy_v3 *a, wy_v3 *alpha) {
  *a = parent_a, *alpha = own;
  if (self->kind == WY_HUB_TURNS)
    return;
  const wy_m3 turn = wy_rotation(turn_of(self));
  const wy_v3 om = wy_apply_transposed(turn, parent->omega);
  *a = wy_hub_point_acceleration(parent, self->c, parent_a, parent_alpha);
  *alpha = wy_plus(wy_plus(wy_apply_transposed(turn, parent_alpha), wy_times(own.x, self->axis)),
                   wy_times(self->rate, wy_cross(om, self->axis)));
}

/* ---- Derivatives ---- */

enum { X, TURN = 3, V = 6, SPIN = 9, OWN_RATE = 3 };

static void put_column(double *at, int width, wy_v3 v) {
  at[0] = v.x, at[width] = v.y, at[2 * (size_t)width] = v.z;
}

static void put_block(double *at, int width, wy_m3 m) {
  put_column(at, width, m.a);
  put_column(at + 1, width, m.b);
  put_column(at + 2, width, m.c);
}

void wy_sub_motion(const wy_sub_hub *self, const wy_hub_motion *parent, double by_parent[12][12],
                   double by_own[12][6]) {
  const wy_hold_on hold = hold_of(self);
  wy_hub_outer(parent, &hold, by_parent);
  memset(by_own, 0, 72 * sizeof(double));
  if (self->kind == WY_HUB_TURNS) {
    put_block(&by_own[TURN][0], 6, wy_diagonal(1));
    put_block(&by_own[SPIN][OWN_RATE], 6, wy_diagonal(1));
    return;
  }
  const wy_v3 om = wy_apply_transposed(wy_rotation(hold.q), parent->omega);
  put_column(&by_own[TURN][0], 6, self->axis);
  put_column(&by_own[SPIN][0], 6, wy_cross(om, self->axis));
  put_column(&by_own[SPIN][OWN_RATE], 6, self->axis);
}

void wy_sub_acceleration_blocks(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 parent_alpha,
                                double by_parent[6][12], double by_own[6][6]) {
  memset(by_parent, 0, 72 * sizeof(double));
  memset(by_own, 0, 36 * sizeof(double));
  if (self->kind == WY_HUB_TURNS)
    return;
  const wy_m3 turn = wy_rotation(turn_of(self));
  const wy_v3 axis = self->axis, across = wy_cross(wy_apply_transposed(turn, parent->omega), axis);
  wy_m3 by_theta, by_omega;
  wy_hub_point_blocks(parent, self->c, parent_alpha, &by_theta, &by_omega);
  put_block(&by_parent[0][TURN], 12, by_theta);
  put_block(&by_parent[0][SPIN], 12, by_omega);
  put_block(&by_parent[3][SPIN], 12, wy_mtimes(-self->rate, wy_skew_times(axis, wy_mtransposed(turn))));
  put_column(
      &by_own[3][0], 6,
      wy_plus(wy_cross(wy_apply_transposed(turn, parent_alpha), axis), wy_times(self->rate, wy_cross(across, axis))));
  put_column(&by_own[3][OWN_RATE], 6, across);
}

void wy_sub_carried(const wy_sub_hub *self, const wy_hub_motion *parent, wy_v3 force, wy_v3 torque, wy_m3 *by_theta,
                    wy_v3 *by_angle) {
  *by_theta = wy_diagonal(0), *by_angle = (wy_v3){0, 0, 0};
  if (self->kind == WY_HUB_TURNS)
    return;
  *by_theta = wy_hub_carried_turn(parent, self->c, force);
  *by_angle = wy_apply(wy_rotation(turn_of(self)), wy_cross(self->axis, torque));
}
