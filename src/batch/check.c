/* SPDX-License-Identifier: MIT */
/* What is asked before a frame: do rods begin where they can, and do signals say where the frame leads? Else nothing is
   done. */
#include <math.h>

#include "batch/inside.h"
#include "math/quat.h"
#include "model/contact.h"

/* ---- Ends that move ---- */

/* Where a frame's cubic (B5) would have an end at its share z, from the poses a and b; `frame` in seconds. */
static wy_end_pose on_cubic(const wy_end_pose *a, const wy_end_pose *b, double frame, double z) {
  wy_end_pose at = *a;
  double from[4], to[4], inner = 0, square = 0;
  const double half_a[4] = {0, 0.5 * a->w[0], 0.5 * a->w[1], 0.5 * a->w[2]};
  const double half_b[4] = {0, 0.5 * b->w[0], 0.5 * b->w[1], 0.5 * b->w[2]};
  wy_qmul(a->q, half_a, from);
  wy_qmul(b->q, half_b, to);
  for (int k = 0; k < 4; k++)
    inner += a->q[k] * b->q[k];
  const double sign = inner < 0 ? -1 : 1;
  for (int k = 0; k < 4; k++) {
    double jet[3];
    wy_support_cubic(from[k], sign * b->q[k] - a->q[k], sign * to[k], frame, z * frame, jet);
    at.q[k] += jet[0];
    square += at.q[k] * at.q[k];
  }
  for (int k = 0; k < 4; k++)
    at.q[k] /= sqrt(square);
  for (int k = 0; k < 3; k++) {
    double jet[3];
    wy_support_cubic(a->v[k], b->x[k] - a->x[k], b->v[k], frame, z * frame, jet);
    at.x[k] += jet[0];
  }
  return at;
}

/* The larger of two errors: of a place over the length of a segment, and of an angle. */
static double apart(const wy_batch *self, int end, const wy_end_pose *a, const wy_end_pose *b) {
  const double h = self->rod->length / self->kind.segments;
  double square = 0, between[4];
  for (int k = 0; k < 3; k++) {
    const double d = self->kind.held[end][k] > 0 ? (a->x[k] - b->x[k]) / h : 0;
    square += d * d;
  }
  wy_qrelative(a->q, b->q, between);
  const double turn = self->kind.clamped[end] ? 2 * atan2(wy_norm3(between + 1), fabs(between[0])) : 0;
  return fmax(sqrt(square), turn);
}

/* Signals move an end more than the cubic of a frame can follow? Then the rods would move as they were not asked to. */
static wy_status check_ends(const wy_batch *self, double frame_time, wy_message *message) {
  enum { LOOKS = 7 };
  for (int end = 0; end < 2; end++) {
    if (self->by_user[end] || !wy_support_moves(&self->supports, end))
      continue;
    wy_end_pose begin, finish;
    wy_support_pose(&self->supports, end, self->time, &begin);
    wy_support_pose(&self->supports, end, self->time + frame_time, &finish);
    double most = 0;
    for (int i = 0; i < LOOKS; i++) {
      const double z = (i + 0.618) / LOOKS; /* no simple share, which what swings could share */
      const wy_end_pose cubic = on_cubic(&begin, &finish, frame_time, z);
      wy_end_pose at;
      wy_support_pose(&self->supports, end, self->time + z * frame_time, &at);
      most = fmax(most, apart(self, end, &at, &cubic));
    }
    if (most > self->def.tolerance)
      return wy_fail(
          message, WY_ERROR_INPUT,
          "between t = %g and %g the %s of rod '%s' moves more than a cubic of one frame: found %g segments or "
          "radians off its signals, expected at most %g; take shorter frames",
          self->time, self->time + frame_time, end ? "end" : "start", self->rod->name, most, self->def.tolerance);
  }
  return WY_OK;
}

/* ---- Obstacles at the start ---- */

/* Distance of a point from an obstacle: a grid, a plane, or what is round about a point or an axis. */
static double distance_to(const wy_batch *self, int obstacle, const double x[3]) {
  const double *row = self->obstacles + (size_t)obstacle * WY_OBST_ROW;
  double y[3], square = 0;
  for (int k = 0; k < 3; k++)
    y[k] = x[k] - row[WY_OBST_PLACE + k];
  if (row[WY_OBST_GRID] > 0)
    return wy_batch_grid_distance(&self->grids[obstacle], row, y);
  const double along = wy_dot3(y, row + WY_OBST_AXIS);
  if (row[WY_OBST_PLANE] > 0)
    return along;
  const double on = fmax(-row[WY_OBST_HALF], fmin(row[WY_OBST_HALF], along));
  for (int k = 0; k < 3; k++)
    square += pow(y[k] - on * row[WY_OBST_AXIS + k], 2);
  return sqrt(square) - row[WY_OBST_RADIUS];
}

/* A vertex that is free, or free in some direction. */
static bool may_touch(const wy_batch *self, int vertex) {
  const int end = vertex > 0;
  const double *held = self->kind.held[end];
  return (vertex > 0 && vertex < self->kind.segments) || held[0] + held[1] + held[2] < 3;
}

/* The motion of a rod begins outside of obstacles; polygons cut corners: as much as the onset is no overlap. */
static wy_status check_overlap(wy_batch *self, int rod, const double *x, wy_message *message) {
  const wy_rod_def own = wy_batch_rod_def(self, rod);
  const double radius = wy_contact_radius(&own, 0), allowed = fmax(own.contact.blend, 0.05) * radius;
  for (int k = 0; k < self->kind.obstacles; k++) {
    for (int i = 0; i <= self->kind.segments; i++) {
      const double depth = radius - distance_to(self, k, x + 3 * (size_t)i);
      if (may_touch(self, i) && depth > allowed)
        return wy_fail(
            message, WY_ERROR_INPUT,
            "rod %d of the batch of '%s' starts inside obstacle '%s' by %.2g at its vertex %d (radius %.4g); "
            "expected at most %.2g",
            self->def.share.first + rod, self->rod->name, wy_model_obstacle(self->model, k)->name, depth, i, radius,
            allowed);
    }
  }
  return WY_OK;
}

static wy_status check_obstacles(wy_batch *self, wy_message *message) {
  double *x = self->row + wy_batch_state_entries(self); /* behind the cells that are read */
  wy_status status = WY_OK;
  wy_batch_place_obstacles(self, self->time, self->obstacles);
  for (int i = 0; self->kind.obstacles && i < self->kind.count && !status; i++) {
    status = wy_batch_positions(self, i, 1, x, message);
    status = status ? status : check_overlap(self, i, x, message);
  }
  return status;
}

/* ---- Before a frame ---- */

wy_status wy_batch_check_frame(wy_batch *self, double frame_time, wy_message *message) {
  const double until = (self->time + frame_time) * (1 - 1e-12);
  const bool begins = self->work.frames == 0 && !self->placed;
  wy_status status = wy_model_check_reach(self->model, until, message);
  if (!status && begins)
    status = wy_rod_check_start(self->rod, self->def.rod, message);
  if (!status && begins)
    status = check_obstacles(self, message);
  return status ? status : check_ends(self, frame_time, message);
}
