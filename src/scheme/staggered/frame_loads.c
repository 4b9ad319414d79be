/* SPDX-License-Identifier: MIT */
/* Loads that depend on the frames: body-axes forces and space-axes moments (S23), moments at ends that turn freely
   (S24a). Their forces and derivatives go through the door. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/door.h"

void wy_staggered_choose_total(wy_staggered *self, bool touches) {
  wy_staggered_loads *loads = &self->loads;
  const bool more = loads->has_body_force || loads->has_vertex_body_force || self->fluid.drags || touches;
  loads->total = more ? loads->buffer : loads->now.force;
}

bool wy_staggered_loads_follow(const wy_staggered *self) {
  const wy_staggered_loads *loads = &self->loads;
  return loads->total != loads->now.force || loads->has_space_moment || loads->has_end_moment;
}

static void segment_matrix(const wy_staggered *self, int segment, double r[9]) {
  double q[4];
  wy_put4(q, wy_door_frame(self, segment));
  wy_qmatrix(q, r);
}

/* ---- Ends that turn freely ---- */

wy_v3 wy_staggered_end_moment(const wy_staggered *self, int end, wy_v3 *from_space) {
  wy_m3 r = wy_rotation(wy_door_frame(self, wy_end_segment(&self->grid, end)));
  *from_space = wy_apply_transposed(r, wy_at3(self->loads.now.ends[end].space));
  return wy_plus(*from_space, wy_at3(self->loads.now.ends[end].body));
}

/* The curvature beyond the last midpoint of an end that turns freely: that which the end moment demands (S24), with
   actuators (A6). */
static void free_end(const wy_staggered *self, int end, wy_free_end *out) {
  assert(!wy_support_holds_rotation(&self->supports, end));
  double moment[3], from_space[3], skew[9], bend[3], compliance[9], side = end ? 1 : -1;
  if (self->actuators.count > 0) {
    *out = self->actuators.free_ends[end];
    return;
  }
  wy_v3 turned;
  wy_put3(moment, wy_times(side, wy_staggered_end_moment(self, end, &turned)));
  wy_put3(from_space, turned);
  wy_skew3(from_space, skew);
  memset(out->by_x, 0, sizeof out->by_x);
  wy_law_bend(&self->grid.rod->law, self->grid.end_stiffness[end], moment, bend, compliance);
  wy_matmul3(compliance, skew, out->by_turn);
  for (int i = 0; i < 3; i++)
    out->curvature[i] = self->grid.end_natural[end][i] + bend[i];
  for (int i = 0; i < 9; i++)
    out->by_turn[i] *= side;
}

/* How the frame of an end that turns freely stands to that of its segment, half a segment before it, and how it turns
   against it (end's axes) with the rotation and with Dx of the segment. */
typedef struct half_turn {
  double step[4], by_turn[9], by_x[9];
} half_turn;

static void find_half_turn(const wy_staggered *self, int end, half_turn *out) {
  double turn[3], jacobian[9], reach = (end ? 0.5 : -0.5) * self->grid.h[wy_end_segment(&self->grid, end)];
  wy_free_end beyond;
  free_end(self, end, &beyond);
  for (int i = 0; i < 3; i++)
    turn[i] = reach * beyond.curvature[i];
  wy_qexp(turn, out->step);
  wy_so3_right_jacobian(turn, jacobian);
  for (int i = 0; i < 9; i++)
    jacobian[i] *= reach;
  wy_matmul3(jacobian, beyond.by_turn, out->by_turn);
  wy_matmul3(jacobian, beyond.by_x, out->by_x);
}

double wy_staggered_end_energy(const wy_staggered *self, int end) {
  double bend[6] = {0};
  wy_free_end beyond;
  bool bends = self->loads.has_end_moment || self->actuators.count > 0;
  if (!bends || wy_support_holds_rotation(&self->supports, end))
    return 0;
  free_end(self, end, &beyond);
  for (int i = 0; i < 3; i++)
    bend[3 + i] = beyond.curvature[i] - self->grid.end_natural[end][i];
  return 0.5 * self->grid.h[wy_end_segment(&self->grid, end)] *
         wy_law_energy(&self->grid.rod->law, self->grid.end_stiffness[end], bend);
}

/* The frame at an end vertex: the support's where it holds the rotation, else extrapolated over half a segment (S24);
   `derivative` is its body variation by that of the segment's frame, `by_x` by Dx of the segment. */
static void end_frame(const wy_staggered *self, int end, double q[4], double derivative[9], double by_x[9]) {
  if (wy_support_holds_rotation(&self->supports, end)) {
    memcpy(q, self->eval.pose[end].q, 4 * sizeof *q);
    memset(derivative, 0, 9 * sizeof *derivative), memset(by_x, 0, 9 * sizeof *by_x);
    return;
  }
  double unit[4], back[9];
  half_turn half;
  find_half_turn(self, end, &half);
  wy_put4(unit, wy_door_frame(self, wy_end_segment(&self->grid, end)));
  wy_qmul(unit, half.step, q);
  /* theta_end = step^T theta + the turn against the segment */
  wy_qmatrix(half.step, back);
  memcpy(by_x, half.by_x, sizeof half.by_x);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      derivative[3 * i + j] = back[3 * j + i] + half.by_turn[3 * i + j];
}

/* A moment at an end that turns freely, on its segment: the half cell between them has no mass and passes it on as it
   is in space, from the frame of the end (S24a). False where there is none. */
static bool has_moment_at(const wy_staggered *self, int end) {
  const struct wy_end_moments *at = &self->loads.now.ends[end];
  return self->loads.has_end_moment && !wy_support_holds_rotation(&self->supports, end) &&
         (wy_norm3(at->body) != 0 || wy_norm3(at->space) != 0);
}

static void push_end_moment(wy_staggered *self, int end) {
  double forward[9], torque[3];
  memset(self->loads.end_torque[end], 0, sizeof self->loads.end_torque[end]);
  if (!has_moment_at(self, end))
    return;
  wy_v3 turned;
  half_turn half;
  wy_staggered_end_moment(self, end, &turned);
  find_half_turn(self, end, &half);
  wy_qmatrix(half.step, forward);
  wy_mul3(forward, self->loads.now.ends[end].body, torque);
  wy_put3(self->loads.end_torque[end], wy_plus(turned, wy_at3(torque)));
  wy_door_push(self, wy_at_segment(wy_end_segment(&self->grid, end)), wy_at3(self->loads.end_torque[end]));
}

/* d(R^T m) = skew(R^T m) theta; d(S m) = -S skew(m) times the turn of the end against the segment */
static void end_moment_blocks(wy_staggered *self, int end) {
  assert(has_moment_at(self, end));
  const int segment = wy_end_segment(&self->grid, end);
  double forward[9], skew[9], product[9], block[9];
  wy_v3 turned;
  half_turn half;
  wy_staggered_end_moment(self, end, &turned);
  find_half_turn(self, end, &half);
  wy_qmatrix(half.step, forward);
  wy_door_own_block(self, segment, WY_TORQUE_T, wy_skew(turned));
  wy_skew3(self->loads.now.ends[end].body, skew);
  wy_matmul3(forward, skew, product);
  wy_matmul3(product, half.by_turn, block);
  wy_door_own_block(self, segment, WY_TORQUE_T, wy_mtimes(-1, wy_from_rows(block)));
  wy_matmul3(product, half.by_x, block);
  wy_door_own_block(self, segment, WY_TORQUE_X, wy_mtimes(-1, wy_from_rows(block)));
}

/* ---- Body-axes forces on vertices ---- */

/* -R skew(f) D: the variation of R f by the rotation of a segment whose variation maps to that of R by D. */
static void force_variation(const double r[9], const double f[3], const double d[9], double out[9]) {
  double skew[9], product[9];
  wy_skew3(f, skew);
  wy_matmul3(skew, d, product);
  wy_matmul3(r, product, out);
  for (int i = 0; i < 9; i++)
    out[i] = -out[i];
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* The frame in which a body-axes force on a vertex stands, and how it turns with the segments beside it. */
typedef struct vertex_frame {
  double r[9];
  int count, segments[2];
  double by_turn[2][9], by_x[9]; /* the latter by Dx of the end segment */
} vertex_frame;

/* Between segments the mean q = (p- + p+) / |..|; its body variation is Im(a theta), a = conj(q) p / |..|, for each
   neighbour. */
static void find_mean_frame(const wy_staggered *self, int vertex, vertex_frame *out) {
  assert(vertex > 0 && vertex < self->grid.n);
  double near[2][4], q[4];
  for (int k = 0; k < 2; k++)
    wy_put4(near[k], wy_door_frame(self, vertex - 1 + k));
  for (int i = 0; i < 4; i++)
    q[i] = near[0][i] + near[1][i];
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  wy_qnormalise(q);
  wy_qmatrix(q, out->r);
  out->count = 2;
  for (int k = 0; k < 2; k++) {
    double a[4], *by = out->by_turn[k];
    out->segments[k] = vertex - 1 + k;
    wy_qrelative(q, near[k], a);
    wy_skew3(a + 1, by);
    for (int i = 0; i < 9; i++)
      by[i] = (a[0] * identity[i] + by[i]) / norm;
  }
}

static void find_vertex_frame(const wy_staggered *self, int vertex, vertex_frame *out) {
  const int end = vertex == 0 ? WY_START : WY_END;
  memset(out->by_x, 0, sizeof out->by_x);
  if (vertex > 0 && vertex < self->grid.n) {
    find_mean_frame(self, vertex, out);
    return;
  }
  double q[4];
  end_frame(self, end, q, out->by_turn[0], out->by_x);
  wy_qmatrix(q, out->r);
  out->count = 1;
  out->segments[0] = wy_end_segment(&self->grid, end);
}

/* False where there is none on this vertex. */
static bool body_force_at(const wy_staggered *self, int vertex, double f[3]) {
  wy_put3(f, wy_load3(self->loads.now.vertex_body_force, self->grid.stride, vertex));
  return f[0] != 0 || f[1] != 0 || f[2] != 0;
}

static void push_body_force(wy_staggered *self, int vertex) {
  double f[3], force[3];
  vertex_frame frame;
  if (!body_force_at(self, vertex, f))
    return;
  find_vertex_frame(self, vertex, &frame);
  wy_mul3(frame.r, f, force);
  wy_door_push(self, wy_at_vertex(vertex), wy_at3(force));
}

static void body_force_blocks(wy_staggered *self, int vertex) {
  double f[3], block[9];
  vertex_frame frame;
  if (!body_force_at(self, vertex, f))
    return;
  find_vertex_frame(self, vertex, &frame);
  for (int k = 0; k < frame.count; k++) {
    force_variation(frame.r, f, frame.by_turn[k], block);
    wy_door_block(self, wy_at_vertex(vertex), wy_at_segment(frame.segments[k]), 1, wy_from_rows(block));
  }
  if (frame.count == 2 || !self->actuators.has_tendons) /* no end, or nothing by which its frame depends on Dx */
    return;
  force_variation(frame.r, f, frame.by_x, block);
  for (int k = 0; k < 2; k++)
    wy_door_block(self, wy_at_vertex(vertex), wy_at_vertex(frame.segments[0] + k), k ? 1 : -1, wy_from_rows(block));
}

/* ---- The whole rod ---- */

void wy_staggered_frame_loads(wy_staggered *self) {
  wy_staggered_loads *loads = &self->loads;
  const int n = self->grid.stride;
  if (loads->total != loads->now.force)
    memcpy(loads->total, loads->now.force, 3 * (size_t)n * sizeof(double));
  for (int i = 0; (loads->has_space_moment || loads->has_body_force) && i < self->grid.n; i++) {
    double r[9], value[3], out[3];
    segment_matrix(self, i, r);
    if (loads->has_space_moment) {
      wy_put3(value, wy_load3(loads->now.space_moment, n, i));
      wy_tmul3(r, value, out);
      wy_door_push(self, wy_at_segment(i), wy_at3(out));
    }
    for (int after = 0; loads->has_body_force && after < 2; after++) {
      wy_put3(value, wy_load3(after ? loads->now.body_after : loads->now.body_before, n, i));
      wy_mul3(r, value, out);
      wy_door_push(self, wy_at_vertex(i + after), wy_at3(out));
    }
  }
  for (int end = 0; loads->has_end_moment && end < 2; end++)
    push_end_moment(self, end);
  for (int i = 0; loads->has_vertex_body_force && i <= self->grid.n; i++)
    push_body_force(self, i);
}

/* d(R^T m) = skew(R^T m) theta: the segment's torque by its own rotation. */
void wy_staggered_load_own_blocks(wy_staggered *self) {
  for (int i = 0; self->loads.has_space_moment && i < self->grid.n; i++) {
    double r[9], value[3], out[3];
    segment_matrix(self, i, r);
    wy_put3(value, wy_load3(self->loads.now.space_moment, self->grid.stride, i));
    wy_tmul3(r, value, out);
    wy_door_own_block(self, i, WY_TORQUE_T, wy_skew(wy_at3(out)));
  }
  for (int end = 0; end < 2; end++)
    if (has_moment_at(self, end))
      end_moment_blocks(self, end);
}

void wy_staggered_load_blocks(wy_staggered *self) {
  const wy_staggered_loads *loads = &self->loads;
  for (int i = 0; loads->has_body_force && i < self->grid.n; i++) {
    double r[9], value[3], block[9];
    segment_matrix(self, i, r);
    for (int after = 0; after < 2; after++) {
      wy_put3(value, wy_load3(after ? loads->now.body_after : loads->now.body_before, self->grid.stride, i));
      force_variation(r, value, identity, block);
      wy_door_block(self, wy_at_vertex(i + after), wy_at_segment(i), 1, wy_from_rows(block));
    }
  }
  for (int i = 0; loads->has_vertex_body_force && i <= self->grid.n; i++)
    body_force_blocks(self, i);
}

double wy_staggered_load_power(const wy_staggered *self, const double *u) {
  const wy_staggered_loads *loads = &self->loads;
  const int n = self->grid.stride;
  double power = 0;
  if (loads->site_count == 0 && !self->fluid.drags)
    return 0;
  power -= self->contact.pushed; /* which is in the total, and booked by itself */
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      power += (loads->total[k * n + i] - self->grid.weighed[i] * self->grid.gravity[k]) * u[self->grid.v + k * n + i];
  for (int i = 0; i < self->grid.n; i++) {
    wy_v3 omega = wy_door_velocity(self, u, wy_at_segment(i));
    power += wy_inner(wy_load3(loads->now.torque, n, i), omega);
    if (loads->has_space_moment) {
      double r[9], moment[3], body[3];
      segment_matrix(self, i, r);
      wy_put3(moment, wy_load3(loads->now.space_moment, n, i));
      wy_tmul3(r, moment, body);
      power += wy_inner(wy_at3(body), omega);
    }
  }
  for (int end = 0; end < 2; end++) {
    wy_v3 omega = wy_door_velocity(self, u, wy_at_segment(wy_end_segment(&self->grid, end)));
    power += wy_inner(wy_at3(loads->end_torque[end]), omega);
  }
  return power;
}
