/* Ends: where a support stands at time t, releases, and motions asked for between steps. */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"

/* Cubic from (0, v0) at time 0 to (d, v1) at `duration`, then straight on with v1: value, first and second derivative
 * at tau. */
static void cubic(double v0, double d, double v1, double duration, double tau, double jet[3]) {
  if (tau >= duration) {
    jet[0] = d + v1 * (tau - duration), jet[1] = v1, jet[2] = 0;
    return;
  }
  double z = tau / duration;
  double b = 3 * d - duration * (2 * v0 + v1), c = -2 * d + duration * (v0 + v1);
  jet[0] = duration * v0 * z + b * z * z + c * z * z * z;
  jet[1] = v0 + (2 * b * z + 3 * c * z * z) / duration;
  jet[2] = (2 * b + 6 * c * z) / (duration * duration);
}

static void moved_pose(const wy_end_state *state, double t, wy_end_pose *pose) {
  double tau = fmax(t - state->t0, 0), turn[3], rate[3], jet[3], q[4], jacobian[9];
  for (int i = 0; i < 3; i++) {
    cubic(state->v0[i], state->x1[i] - state->x0[i], state->v1[i], state->duration, tau, jet);
    pose->x[i] = state->x0[i] + jet[0], pose->v[i] = jet[1], pose->a[i] = jet[2];
    cubic(state->turn0[i], state->turn1[i], state->rate1[i], state->duration, tau, jet);
    turn[i] = jet[0], rate[i] = jet[1];
  }
  wy_qexp(turn, q);
  wy_qmul(state->q0, q, pose->q);
  wy_so3_right_jacobian(turn, jacobian);
  wy_mul3(jacobian, rate, pose->w);
}

void wy_staggered_end_pose(const wy_staggered *self, int end, double t, wy_end_pose *pose) {
  const wy_end_state *state = &self->ends[end];
  const wy_end *def = &self->rod->ends[end];
  if (state->moved) {
    moved_pose(state, t, pose);
    return;
  }
  for (int i = 0; i < 3; i++) {
    double jet[3] = {self->reference[end][i], 0, 0};
    if (state->position[i] == WY_DRIVEN) {
      wy_signal_rates(&def->path[i], 0, t, jet);
      jet[0] += self->path_offset[end][i];
    }
    pose->x[i] = jet[0], pose->v[i] = jet[1], pose->a[i] = jet[2];
  }
  memcpy(pose->q, self->reference_q[end], sizeof pose->q);
  memset(pose->w, 0, sizeof pose->w);
  if (state->rotation == WY_DRIVEN) {
    double jet[3], turn[4], r[9], axis[3], spin[3];
    wy_signal_rates(&def->angle, 0, t, jet);
    for (int i = 0; i < 3; i++) {
      axis[i] = jet[0] * def->axis[i];
      spin[i] = jet[1] * def->axis[i];
    }
    wy_qexp(axis, turn);
    wy_qmul(turn, self->reference_q[end], pose->q);
    wy_qmatrix(pose->q, r);
    wy_tmul3(r, spin, pose->w);
  }
}

int wy_staggered_move_end(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                          wy_message *message) {
  wy_staggered *self = (wy_staggered *)system;
  wy_end_state *state = &self->ends[end];
  bool holds_position = false, holds_rotation = state->rotation != WY_FREE;
  for (int i = 0; i < 3; i++)
    holds_position = holds_position || state->position[i] != WY_FREE;
  if ((target->position && !holds_position) || (target->frame && !holds_rotation) ||
      (!target->position && !target->frame))
    return wy_fail(message, WY_ERROR_INPUT, "the %s of rod '%s' does not hold what is to be moved",
                   end == WY_START ? "start" : "end", self->rod->name);
  wy_end_pose now;
  wy_staggered_end_pose(self, (int)end, t, &now);
  wy_end_state next = *state;
  next.moved = true;
  next.t0 = t;
  next.duration = duration;
  memcpy(next.q0, now.q, sizeof next.q0);
  memcpy(next.turn0, now.w, sizeof next.turn0);
  for (int i = 0; i < 3; i++) {
    next.x0[i] = now.x[i], next.v0[i] = now.v[i];
    next.x1[i] = target->position ? target->position[i] : now.x[i];
    next.v1[i] = target->velocity ? target->velocity[i] : 0;
    next.turn1[i] = next.rate1[i] = 0;
  }
  if (target->frame) {
    double q[4], relative[4];
    memcpy(q, target->frame, sizeof q);
    wy_qnormalise(q);
    wy_qrelative(now.q, q, relative);
    wy_qlog(relative, next.turn1);
    if (target->angular_velocity) {
      /* The rate of the turn vector that gives this angular velocity at the end: invert the 3x3 derivative of exp by
         Newton's identity T^-1 = I + skew/2 + c skew^2. */
      double r[9], body[3], half[3], twice[3], x2 = wy_dot3(next.turn1, next.turn1), x = sqrt(x2);
      wy_qmatrix(q, r);
      wy_tmul3(r, target->angular_velocity, body);
      wy_cross3(next.turn1, body, half);
      wy_cross3(next.turn1, half, twice);
      double c = x < 1e-2 ? 1.0 / 12 + x2 / 720 : (1 - 0.5 * x / tan(0.5 * x)) / x2;
      for (int i = 0; i < 3; i++)
        next.rate1[i] = body[i] + 0.5 * half[i] + c * twice[i];
    }
  }
  *state = next;
  system->type->refresh(system);
  return WY_OK;
}

double wy_staggered_next_break(const wy_system *system) {
  const wy_staggered *self = (const wy_staggered *)system;
  double next = INFINITY;
  for (int end = 0; end < 2; end++)
    if (!self->ends[end].released)
      next = fmin(next, self->rod->ends[end].release);
  return next;
}

void wy_staggered_enter(wy_system *system, double t) {
  wy_staggered *self = (wy_staggered *)system;
  for (int end = 0; end < 2; end++) {
    wy_end_state *state = &self->ends[end];
    if (state->released || self->rod->ends[end].release > t)
      continue;
    state->released = true;
    for (int i = 0; i < 3; i++)
      state->position[i] = WY_FREE;
    state->rotation = WY_FREE;
  }
  system->type->refresh(system);
}
