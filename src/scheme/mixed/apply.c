/* SPDX-License-Identifier: MIT */
/* Corrections of the end of a step: nodes move and turn, forces change. */
#include <math.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/mixed/rod.h"

void wy_mixed_turn(const double theta[3], const double *from, double *to) {
  double q[4], r[9], turned[3];
  wy_qexp(theta, q);
  wy_qmatrix(q, r);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_mul3(r, from + i, turned);
    wy_copy3(turned, to + i);
  }
}

WY_INLINE void turn_by(const double half_turn[3], const double *from, double *end) {
  double p[4] = {1, half_turn[0], half_turn[1], half_turn[2]}, r[9], turned[3];
  wy_qnormalise(p);
  wy_qmatrix(p, r);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_mul3(r, from + i, turned);
    wy_copy3(turned, end + i);
  }
}

WY_INLINE void turn_on(const double theta[3], double stretch, const double *from, double *end) {
  double r[9], half[3], across[3], trace = 0;
  for (int i = 0; i < 9; i++) {
    r[i] = end[3 + i / 3] * from[3 + i % 3] + end[6 + i / 3] * from[6 + i % 3] + end[9 + i / 3] * from[9 + i % 3];
    trace += i % 4 == 0 ? r[i] : 0;
  }
  const double scale = stretch / (1 + trace);
  half[0] = scale * (r[7] - r[5]), half[1] = scale * (r[2] - r[6]), half[2] = scale * (r[3] - r[1]);
  wy_cross3(half, theta, across);
  const double along = 1 + 0.5 * wy_dot3(half, theta);
  for (int i = 0; i < 3; i++)
    half[i] = along * half[i] + 0.5 * (theta[i] - across[i]);
  turn_by(half, from, end);
}

void wy_mixed_turn_on(const double theta[3], double stretch, const double *from, double *end) {
  turn_on(theta, stretch, from, end);
}

WY_INLINE void move_node(wy_mixed *self, int node, double scale, const double d[WY_NODE_UNKNOWNS], double *change) {
  double *q = self->end + WY_NODE * node, theta[3];
  wy_add3(q, scale, d);
  for (int i = 0; i < 3; i++)
    theta[i] = scale * d[3 + i];
  turn_on(theta, 1, self->from + WY_NODE * node, q);
  *change = wy_larger(*change, scale * wy_norm3(d) / self->rod->length);
  *change = wy_larger(*change, wy_norm3(theta));
}

double wy_mixed_turned(const wy_mixed *self, const double *d) {
  double turn = 0;
  for (int e = 0; e <= self->elements; e++)
    turn = fmax(turn, wy_norm3(d + wy_mixed_unknown(self, e, 0) + 3));
  return turn;
}

/* Corrections that turn further are shortened: they are seldom right. */
double wy_mixed_shortened(double turn) {
  const double largest_turn = 0.7;
  return turn > largest_turn ? largest_turn / turn : 1;
}

static void compare_node(const wy_mixed *self, const double *last, const double *now, wy_mixed_swing *swing) {
  const double weight = 1 / (self->rod->length * self->rod->length);
  swing->last += weight * wy_dot3(last, last) + wy_dot3(last + 3, last + 3);
  swing->now += weight * wy_dot3(now, now) + wy_dot3(now + 3, now + 3);
  swing->product += weight * wy_dot3(last, now) + wy_dot3(last + 3, now + 3);
}

void wy_mixed_compare(const wy_mixed *self, const double *last, const double *now, wy_mixed_swing *swing) {
  for (int e = 0; e <= self->elements; e++)
    compare_node(self, last + wy_mixed_unknown(self, e, 0), now + wy_mixed_unknown(self, e, 0), swing);
  for (int e = 0; self->basis.order == 2 && e < self->elements; e++) {
    const double *parts[2] = {wy_mixed_part(self, (double *)last, e), wy_mixed_part(self, (double *)now, e)};
    compare_node(self, parts[0] + wy_mixed_local(2, 2), parts[1] + wy_mixed_local(2, 2), swing);
  }
}

double wy_mixed_steadied(const wy_mixed_swing *swing, double corrected) {
  const double last = sqrt(swing->last), now = sqrt(swing->now);
  const bool turns_back = corrected > 0 && swing->product < 0 && now > 0.25 * corrected * last;
  return turns_back ? fmin(corrected * last / (last + now), 1) : 1;
}

WY_CLONES
void wy_mixed_apply(wy_mixed *self, const double *d, double scale, double *change) {
  for (int e = 0; e < self->elements; e++) {
    const double *part = wy_mixed_part(self, (double *)d, e);
    for (int i = 0; i < 3 * self->basis.order; i++)
      *wy_mixed_lane(self->axial, WY_FORCES, e, i) += scale * part[WY_LOCAL_FORCES + i];
    move_node(self, wy_mixed_node(self, e, 0), scale, part, change);
    if (self->basis.order == 2)
      move_node(self, wy_mixed_node(self, e, 2), scale, part + wy_mixed_local(2, 2), change);
  }
  move_node(self, self->nodes - 1, scale, d + wy_mixed_unknown(self, self->elements - 1, 1), change);
}
