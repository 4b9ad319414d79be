/* SPDX-License-Identifier: MIT */
#include "scheme/supports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/rotation.h"

static void begin(wy_supports *self, const wy_end *ends, int count) {
  self->ends = ends;
  self->count = count;
  self->factor = 1;
  for (int end = 0; end < count; end++) {
    memcpy(self->state[end].position, ends[end].position, sizeof self->state[end].position);
    self->state[end].rotation = ends[end].rotation;
  }
}

void wy_support_begin(wy_supports *self, const wy_rod_def *rod) {
  self->name = rod->name;
  self->length = rod->length;
  self->slack = wy_end_slack(rod);
  wy_copy3(rod->shape.origin, self->origin);
  begin(self, rod->ends, 2);
}

void wy_support_begin_body(wy_supports *self, const wy_body_def *body, const double origin[3], double length,
                           wy_end *end) {
  *end =
      (wy_end){.rotation = body->rotation, .rotation_by = WY_BY_ANGLE, .angle = body->angle, .release = body->release};
  memcpy(end->position, body->position, sizeof end->position);
  memcpy(end->path, body->path, sizeof end->path);
  wy_copy3(body->axis, end->axis);
  self->name = body->name;
  self->length = length;
  wy_copy3(origin, self->origin);
  for (int k = 0; k < 3; k++)
    self->reference[0][k] = body->origin[k] - origin[k];
  memcpy(self->reference_q[0], body->frame, sizeof self->reference_q[0]);
  self->slack = INFINITY; /* the model has checked that paths begin at its origin */
  begin(self, end, 1);
  wy_support_set_offsets(self);
}

/* The frame of the support is Q times this. Where it begins at the undeformed end but for round-off or for what a
   curved rod is discretised to, it begins there exactly. */
static void set_turn_offset(wy_supports *self, int end) {
  const wy_end *def = &self->ends[end];
  const double none[4] = {1, 0, 0, 0};
  wy_rotation_motion begin;
  double frame[4], between[4], turn[3], *offset = self->turn_offset[end];
  memcpy(offset, def->rotation_from == WY_FROM_SPACE ? none : self->reference_q[end], sizeof none);
  if (def->rotation != WY_DRIVEN || !wy_end_is_oriented(def))
    return;
  wy_end_rotation(def, 0, &begin);
  wy_qmul(begin.q, offset, frame);
  wy_qrelative(frame, self->reference_q[end], between);
  wy_qlog(between, turn);
  if (wy_norm3(turn) <= self->slack / self->length)
    wy_qrelative(begin.q, self->reference_q[end], offset);
}

void wy_support_set_offsets(wy_supports *self) {
  for (int end = 0; end < self->count; end++)
    set_turn_offset(self, end);
  for (int end = 0; end < self->count; end++)
    for (int k = 0; k < 3; k++)
      if (self->ends[end].position[k] == WY_DRIVEN) {
        double path = wy_signal_value(&self->ends[end].path[k], 0, 0) - self->origin[k];
        double offset = self->reference[end][k] - path;
        self->path_offset[end][k] = fabs(offset) <= self->slack ? offset : 0;
      }
}

void wy_support_cubic(double v0, double d, double v1, double duration, double tau, double jet[3]) {
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

static void moved_position(const wy_end_state *state, double t, wy_end_pose *pose) {
  for (int i = 0; i < 3; i++) {
    double jet[3];
    wy_support_cubic(state->v0[i], state->x1[i] - state->x0[i], state->v1[i], state->position_duration,
                     t - state->position_start, jet);
    pose->x[i] = state->x0[i] + jet[0], pose->v[i] = jet[1], pose->a[i] = jet[2];
  }
}

/* The derivative of the angular velocity w = J turn', J = 1 - a [turn]x + b [turn]x^2 the right Jacobian of the
   exponential, a = (1 - cos x) / x^2 and b = (x - sin x) / x^3 of the angle x: J turn'' + J' turn'. */
static void spin_rate(const double turn[3], const double rate[3], const double second[3], double out[3]) {
  const double x2 = wy_dot3(turn, turn), x = sqrt(x2), along = wy_dot3(turn, rate);
  const bool small = x < 0.05; /* where the differences lose digits that the series have */
  const double b = small ? 1.0 / 6 - x2 / 120 : (x - sin(x)) / (x2 * x);
  const double a_by =
      small ? -1.0 / 12 + x2 / 180 : (x * sin(x) - 2 * (1 - cos(x))) / (x2 * x2); /* a' / (turn . rate) */
  const double b_by = small ? -1.0 / 60 + x2 / 1260 : (x * (1 - cos(x)) - 3 * (x - sin(x))) / (x2 * x2 * x);
  double jacobian[9], once[3], twice[3], bent[3];
  wy_so3_right_jacobian(turn, jacobian);
  wy_mul3(jacobian, second, out);
  wy_cross3(turn, rate, once);
  wy_cross3(turn, once, twice);
  wy_cross3(rate, once, bent);
  wy_add3(out, -a_by * along, once);
  wy_add3(out, b_by * along, twice);
  wy_add3(out, b, bent);
}

static void moved_rotation(const wy_end_state *state, double t, wy_end_pose *pose) {
  double tau = t - state->rotation_start, beyond = tau - state->rotation_duration;
  double turn[3], rate[3], second[3], jet[3], q[4], jacobian[9];
  for (int i = 0; i < 3; i++) {
    wy_support_cubic(state->turn0[i], state->turn1[i], state->rate1[i], state->rotation_duration,
                     fmin(tau, state->rotation_duration), jet);
    turn[i] = jet[0], rate[i] = jet[1], second[i] = jet[2];
  }
  wy_qexp(turn, q);
  wy_qmul(state->q0, q, pose->q);
  wy_so3_right_jacobian(turn, jacobian);
  wy_mul3(jacobian, rate, pose->w);
  if (beyond >= 0)
    memset(pose->rate, 0, sizeof pose->rate);
  else
    spin_rate(turn, rate, second, pose->rate);
  if (beyond > 0) { /* on with constant angular velocity */
    double step[3] = {beyond * pose->w[0], beyond * pose->w[1], beyond * pose->w[2]}, there[4];
    wy_qexp(step, q);
    memcpy(there, pose->q, sizeof there);
    wy_qmul(there, q, pose->q);
  }
}

/* ---- At rest ---- */

/* Shares of displacement and rotation. Two of the detours have one of them first. */
static double share_of(const wy_supports *self, bool turn) {
  const double f = self->factor, g = 1 - f;
  if (self->detour != 1 && self->detour != 2)
    return f;
  return (self->detour == 1) == turn ? f * f * f : 1 - g * g * g;
}

/* The others lead an end that moves aside half way, by a quarter of the rod's length, across its undeformed chord and
   never at right angles to anything. */
static void lead_aside(const wy_supports *self, int end, double x[3]) {
  static const double sides[WY_DETOURS - 2][3] = {{1, 2, 3}, {-1, -2, -3}, {3, -1, -2}, {-3, 1, 2}};
  const double f = self->factor;
  double chord[3], side[3], length = 0, along = 0, across = 0;
  if (self->detour < 3 || !wy_support_moves(self, end))
    return;
  for (int i = 0; i < 3; i++) {
    side[i] = sides[self->detour - 3][i];
    chord[i] = self->count > 1 ? self->reference[1][i] - self->reference[0][i] : 0;
    length += chord[i] * chord[i], along += chord[i] * side[i];
  }
  for (int i = 0; i < 3; i++) {
    side[i] -= length > 0 ? along / length * chord[i] : 0;
    across += side[i] * side[i];
  }
  const double far = (end == 0 ? -0.25 : 0.25) * self->length * 6.75 * f * f * (1 - f);
  for (int i = 0; i < 3; i++)
    x[i] += across > 0 && self->state[end].position[i] != WY_FREE ? far * side[i] / sqrt(across) : 0;
}

/* In an equilibrium a support stands still, on its way from the undeformed rod to its place: a share `factor` of
   the displacement and of the rotation (angles of driven ends, which may be many turns, are shared out before). */
static void rest_pose(const wy_supports *self, int end, wy_end_pose *pose) {
  for (int i = 0; i < 3; i++) {
    pose->x[i] = self->reference[end][i] + share_of(self, false) * (pose->x[i] - self->reference[end][i]);
    pose->v[i] = pose->a[i] = pose->w[i] = pose->rate[i] = 0;
  }
  lead_aside(self, end, pose->x);
  const bool oriented = self->state[end].rotation == WY_DRIVEN && wy_end_is_oriented(&self->ends[end]);
  if (self->factor == 1 || !(oriented || self->state[end].moved_rotation))
    return;
  double relative[4], turn[3], q[4];
  wy_qrelative(self->reference_q[end], pose->q, relative);
  wy_qlog(relative, turn);
  for (int i = 0; i < 3; i++)
    turn[i] *= share_of(self, true);
  wy_qexp(turn, q);
  wy_qmul(self->reference_q[end], q, pose->q);
}

void wy_support_reference_pose(const wy_supports *self, int end, wy_end_pose *pose) {
  *pose = (wy_end_pose){.v = {0}};
  wy_copy3(self->reference[end], pose->x);
  memcpy(pose->q, self->reference_q[end], sizeof pose->q);
}

/* An angle about an axis, which turns the undeformed frame. At rest it is shared out here: it may be many turns. */
static void turned_about_axis(const wy_supports *self, int end, double t, wy_end_pose *pose) {
  const wy_end *def = &self->ends[end];
  double jet[3], turn[4], r[9], axis[3], spin[3];
  wy_signal_rates(&def->angle, 0, t, jet);
  for (int i = 0; i < 3; i++) {
    axis[i] = (self->rest ? share_of(self, true) : 1) * jet[0] * def->axis[i];
    spin[i] = jet[1] * def->axis[i];
  }
  wy_qexp(axis, turn);
  wy_qmul(turn, self->reference_q[end], pose->q);
  wy_qmatrix(pose->q, r);
  wy_tmul3(r, spin, pose->w);
  for (int i = 0; i < 3; i++) /* the axis does not change in space, and so neither in the body */
    spin[i] = jet[2] * def->axis[i];
  wy_tmul3(r, spin, pose->rate);
}

/* An orientation (Y5): its angular velocity is in the axes that Q turns, those of the support are turned further. */
static void oriented(const wy_supports *self, int end, double t, wy_end_pose *pose) {
  wy_rotation_motion motion;
  double r[9];
  wy_end_rotation(&self->ends[end], t, &motion);
  wy_qmul(motion.q, self->turn_offset[end], pose->q);
  wy_qmatrix(self->turn_offset[end], r);
  wy_tmul3(r, motion.w, pose->w);
  wy_tmul3(r, motion.rate, pose->rate);
}

void wy_support_pose(const wy_supports *self, int end, double t, wy_end_pose *pose) {
  const wy_end_state *state = &self->state[end];
  const wy_end *def = &self->ends[end];
  for (int i = 0; i < 3; i++) {
    double jet[3] = {self->reference[end][i], 0, 0};
    if (state->position[i] == WY_DRIVEN) {
      wy_signal_rates(&def->path[i], 0, t, jet);
      jet[0] = jet[0] - self->origin[i] + self->path_offset[end][i];
    }
    pose->x[i] = jet[0], pose->v[i] = jet[1], pose->a[i] = jet[2];
  }
  memcpy(pose->q, self->reference_q[end], sizeof pose->q);
  memset(pose->w, 0, sizeof pose->w);
  memset(pose->rate, 0, sizeof pose->rate);
  if (state->rotation == WY_DRIVEN && !state->moved_rotation)
    (wy_end_is_oriented(def) ? oriented : turned_about_axis)(self, end, t, pose);
  if (state->moved_position)
    moved_position(state, t, pose);
  if (state->moved_rotation)
    moved_rotation(state, t, pose);
  if (self->rest)
    rest_pose(self, end, pose);
}

double wy_support_chord(const wy_supports *self, double t) {
  double chord = 0;
  wy_end_pose pose[2];
  for (int end = 0; end < 2; end++)
    wy_support_pose(self, end, t, &pose[end]);
  for (int i = 0; i < 3; i++)
    if (self->state[0].position[i] != WY_FREE && self->state[1].position[i] != WY_FREE)
      chord += (pose[1].x[i] - pose[0].x[i]) * (pose[1].x[i] - pose[0].x[i]);
  return sqrt(chord);
}

static bool all_finite(const double *values, int count) {
  bool finite = true;
  for (int i = 0; values && i < count; i++)
    finite = finite && isfinite(values[i]);
  return finite;
}

static void start_position(wy_end_state *state, const wy_end_pose *now, double t, const wy_pose *target,
                           const double origin[3], double duration) {
  state->moved_position = true;
  state->position_start = t;
  state->position_duration = duration;
  for (int i = 0; i < 3; i++) {
    state->x0[i] = now->x[i], state->v0[i] = now->v[i];
    state->x1[i] = target->position[i] - origin[i];
    state->v1[i] = target->velocity ? target->velocity[i] : 0;
  }
}

static void start_rotation(wy_end_state *state, const wy_end_pose *now, double t, const wy_pose *target,
                           double duration) {
  double q[4], relative[4], body[3] = {0, 0, 0}, once[3], twice[3], r[9];
  state->moved_rotation = true;
  state->rotation_start = t;
  state->rotation_duration = duration;
  memcpy(state->q0, now->q, sizeof state->q0);
  memcpy(state->turn0, now->w, sizeof state->turn0);
  memcpy(q, target->frame, sizeof q);
  wy_qnormalise(q);
  wy_qrelative(now->q, q, relative);
  wy_qlog(relative, state->turn1);
  if (target->angular_velocity) {
    wy_qmatrix(q, r);
    wy_tmul3(r, target->angular_velocity, body);
  }
  /* The rate of the turn vector that gives this angular velocity: the inverse of the right Jacobian, 1 + skew / 2 + c
   * skew^2. */
  double x2 = wy_dot3(state->turn1, state->turn1), x = sqrt(x2);
  double c = x < 1e-2 ? 1.0 / 12 + x2 / 720 : (1 - 0.5 * x / tan(0.5 * x)) / x2;
  wy_cross3(state->turn1, body, once);
  wy_cross3(state->turn1, once, twice);
  for (int i = 0; i < 3; i++)
    state->rate1[i] = body[i] + 0.5 * once[i] + c * twice[i];
}

static void describe(const wy_supports *self, wy_end_name end, size_t size, char *text) {
  if (self->count == 1)
    snprintf(text, size, "body '%s'", self->name);
  else
    snprintf(text, size, "the %s of rod '%s'", end == WY_START ? "start" : "end", self->name);
}

wy_status wy_support_move(wy_supports *self, wy_end_name end, double t, const wy_pose *target, double duration,
                          wy_message *message) {
  wy_end_state *state = &self->state[end];
  char what[96];
  describe(self, end, sizeof what, what);
  bool holds_position = wy_support_holds_position(self, (int)end);
  if ((target->position && !holds_position) || (target->frame && state->rotation == WY_FREE) ||
      (!target->position && !target->frame))
    return wy_fail(message, WY_ERROR_INPUT, "%s is free in a component that is to be moved", what);
  if ((target->velocity && !target->position) || (target->angular_velocity && !target->frame))
    return wy_fail(message, WY_ERROR_INPUT,
                   "a velocity needs the position it belongs to, an angular velocity the frame");
  const double *q = target->frame;
  if (!all_finite(target->position, 3) || !all_finite(q, 4) || !all_finite(target->velocity, 3) ||
      !all_finite(target->angular_velocity, 3) || (q && q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0))
    return wy_fail(message, WY_ERROR_INPUT, "the target of %s is not finite, or its frame is zero", what);
  wy_end_pose now;
  wy_support_pose(self, (int)end, t, &now);
  if (target->position)
    start_position(state, &now, t, target, self->origin, duration);
  if (target->frame)
    start_rotation(state, &now, t, target, duration);
  return WY_OK;
}

double wy_support_next_release(const wy_supports *self) {
  double next = INFINITY;
  for (int end = 0; end < self->count; end++)
    if (!self->state[end].released)
      next = fmin(next, self->ends[end].release);
  return next;
}

void wy_support_release(wy_supports *self, double t) {
  for (int end = 0; end < self->count; end++) {
    wy_end_state *state = &self->state[end];
    if (state->released || self->ends[end].release > t)
      continue;
    state->released = true;
    for (int i = 0; i < 3; i++)
      state->position[i] = WY_FREE;
    state->rotation = WY_FREE;
  }
}
