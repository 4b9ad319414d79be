/* SPDX-License-Identifier: MIT */
/* Where the ends of rods are during a frame: poses that users give, or the signals of the pattern. In between they move
   by a cubic (B5). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "math/quat.h"

static double *motion_of(const wy_batch *self, int rod, int end) {
  return self->ends + (size_t)rod * WY_ENDS + (size_t)end * WY_END_MOTION;
}

/* Place and frame of the end of the undeformed rod, the place from the rod's origin. */
static void undeformed_end(const wy_batch *self, int rod, int end, double place[3], double frame[4]) {
  const double *root = self->numbers[WY_BATCH_ROOT] + 7 * (size_t)rod, *tip = self->undeformed + 7 * (size_t)rod;
  for (int k = 0; k < 3; k++)
    place[k] = end ? tip[k] : 0;
  memcpy(frame, (end ? tip : root) + 3, 4 * sizeof *frame);
}

/* dq/dt = spin q / 2, the angular velocity in space axes. */
static void rate_of_frame(const double spin[3], const double q[4], double rate[4]) {
  const double half[4] = {0, 0.5 * spin[0], 0.5 * spin[1], 0.5 * spin[2]};
  wy_qmul(half, q, rate);
}

/* A pose in the units of the machine, from place (of the rod's origin) and frame, with the sign of `like`. */
static void store_pose(const wy_batch *self, int rod, const double place[3], const double q[4],
                       const double velocity[3], const double spin[3], const double *like, double *pose) {
  assert(pose);
  const double h = wy_batch_segment(self, rod), tick = WY_BATCH_TICK;
  double rate[4], inner = 0;
  rate_of_frame(spin, q, rate);
  for (int k = 0; like && k < 4; k++)
    inner += like[k] * q[k];
  const double sign = inner < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    pose[WY_END_X + k] = place[k] / h;
    pose[WY_END_V + k] = velocity[k] * tick / h;
  }
  for (int k = 0; k < 4; k++) {
    pose[WY_END_Q + k] = sign * q[k];
    pose[WY_END_R + k] = sign * rate[k] * tick;
  }
}

/* The pattern's end at time t, moved to the place of this rod: the same displacement, and the same turn in space. */
static void follow_pattern(const wy_batch *self, int rod, int end, const wy_end_pose *at, const double *like,
                           double *pose) {
  double place[3], frame[4], back[4], turn[4], q[4], r[9], spin[3];
  undeformed_end(self, rod, end, place, frame);
  for (int k = 0; k < 3; k++)
    place[k] += at->x[k] - self->supports.reference[end][k];
  wy_qconj(self->supports.reference_q[end], back);
  wy_qmul(at->q, back, turn);
  wy_qmul(turn, frame, q);
  wy_qmatrix(at->q, r);
  wy_mul3(r, at->w, spin);
  store_pose(self, rod, place, q, at->v, spin, like, pose);
}

void wy_batch_begin_ends(wy_batch *self, int rod) {
  for (int end = 0; end < 2; end++) {
    double *motion = motion_of(self, rod, end);
    follow_pattern(self, rod, end, &self->begin[end], NULL, motion);
    memcpy(motion + WY_END_POSE, motion, WY_END_POSE * sizeof *motion);
  }
}

/* On with the velocities that it has. */
static void go_on(double frame, double *motion) {
  const double *from = motion;
  double *to = motion + WY_END_POSE;
  memcpy(to, from, WY_END_POSE * sizeof *to);
  const wy_q4 q = wy_at4(from + WY_END_Q), rate = wy_at4(from + WY_END_R);
  const wy_v3 spin = wy_times(2 * frame, wy_pure(wy_between(q, rate)));
  double vector[3], turn[4];
  wy_put3(vector, spin);
  wy_qexp(vector, turn);
  for (int k = 0; k < 3; k++)
    to[WY_END_X + k] += frame * from[WY_END_V + k];
  wy_put4(to + WY_END_Q, wy_qproduct(q, wy_at4(turn)));
  wy_put4(to + WY_END_R, wy_qproduct(rate, wy_at4(turn)));
}

static bool stands(const wy_batch *self, int end) {
  return !self->moved[end] && !self->by_user[end] && !wy_support_moves(&self->supports, end);
}

/* Ends at the end of the next frame, those of signals by the pattern's. */
typedef struct next_ends {
  wy_batch *self;
  wy_end_pose at[2];
  double frame_time;
} next_ends;

static void plan_some(void *context, int task, int from, int to) {
  const next_ends *it = context;
  wy_batch *self = it->self;
  (void)task;
  for (int end = 0; end < 2; end++)
    for (int i = from; i < to && !stands(self, end); i++) {
      double *motion = motion_of(self, i, end);
      if (!self->by_user[end])
        follow_pattern(self, i, end, &it->at[end], motion + WY_END_Q, motion + WY_END_POSE);
      else if (!self->moved[end])
        go_on(it->frame_time / WY_BATCH_TICK, motion);
    }
}

void wy_batch_plan_ends(wy_batch *self, double frame_time) {
  if (stands(self, 0) && stands(self, 1))
    return;
  next_ends it = {.self = self, .frame_time = frame_time};
  for (int end = 0; end < 2; end++)
    wy_support_pose(&self->supports, end, self->time + frame_time, &it.at[end]);
  wy_batch_divide_rods(self, plan_some, &it);
  self->backend->upload(self->machine, WY_ARRAY_ENDS, 0, self->kind.count, self->ends);
}

static void finish_some(void *context, int task, int from, int to) {
  const wy_batch *self = context;
  (void)task;
  for (int end = 0; end < 2; end++)
    for (int i = from; i < to && !stands(self, end); i++) {
      double *motion = motion_of(self, i, end);
      memcpy(motion, motion + WY_END_POSE, WY_END_POSE * sizeof *motion);
    }
}

/* The end of this frame is the beginning of the next one. */
void wy_batch_finish_ends(wy_batch *self) {
  wy_batch_divide_rods(self, finish_some, self);
  self->moved[0] = self->moved[1] = false;
}

/* ---- Poses that users give ---- */

typedef struct given_ends {
  wy_batch *batch;
  int end;
  const double *poses, *velocities;
  int wrong[WY_BATCH_MOST_TASKS]; /* the first rod of each piece whose pose cannot be, + 1 */
} given_ends;

static const double *rates_of(const given_ends *it, int rod) {
  static const double none[6] = {0};
  return it->velocities ? it->velocities + 6 * (size_t)rod : none;
}

static void check_some(void *context, int task, int from, int to) {
  given_ends *it = context;
  for (int i = from; i < to && !it->wrong[task]; i++) {
    const double *pose = it->poses + 7 * (size_t)i, *q = pose + 3;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!wy_batch_finite(pose, 7) || !wy_batch_finite(rates_of(it, i), 6) || fabs(square - 1) > 1e-6)
      it->wrong[task] = i + 1;
  }
}

static void store_some(void *context, int task, int from, int to) {
  const given_ends *it = context;
  (void)task;
  for (int i = from; i < to; i++) {
    const double *pose = it->poses + 7 * (size_t)i, *rates = rates_of(it, i);
    const double *origin = it->batch->numbers[WY_BATCH_ROOT] + 7 * (size_t)i;
    const double place[3] = {pose[0] - origin[0], pose[1] - origin[1], pose[2] - origin[2]};
    double q[4], *motion = motion_of(it->batch, i, it->end);
    memcpy(q, pose + 3, sizeof q);
    wy_qnormalise(q);
    store_pose(it->batch, i, place, q, rates, rates + 3, motion + WY_END_Q, motion + WY_END_POSE);
  }
}

wy_status wy_batch_move(wy_batch *batch, wy_end_name end, const double *poses, const double *velocities,
                        wy_message *message) {
  if (!batch || !poses)
    return wy_fail_missing(message, batch ? "poses" : "batch");
  if ((unsigned)end > WY_END)
    return wy_fail(message, WY_ERROR_INPUT, "there is no end number %d", (int)end);
  const double *held = batch->kind.held[end];
  if (!batch->kind.clamped[end] && held[0] + held[1] + held[2] == 0)
    return wy_fail(message, WY_ERROR_INPUT, "the %s of the rods is free: it cannot be moved", end ? "end" : "start");
  given_ends it = {batch, (int)end, poses, velocities, {0}};
  wy_batch_divide_rods(batch, check_some, &it);
  for (int i = 0; i < WY_BATCH_MOST_TASKS; i++)
    if (it.wrong[i])
      return wy_fail(message, WY_ERROR_INPUT, "the pose of rod %d is not finite, or its frame is no unit quaternion",
                     batch->def.share.first + it.wrong[i] - 1);
  wy_batch_refresh(batch);
  wy_batch_divide_rods(batch, store_some, &it);
  batch->moved[end] = batch->by_user[end] = true;
  return WY_OK;
}

wy_status wy_batch_roots(wy_batch *batch, const double *poses, const double *velocities, wy_message *message) {
  return wy_batch_move(batch, WY_START, poses, velocities, message);
}
