/* Loads on the staggered grid (S23): point forces on vertices, moments and line loads on segments. What depends on the
   frames (body-axes forces, space-axes moments) is added after the segments' frames are known. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/rod.h"

static const wy_load_def *load_of(const wy_staggered *self, const wy_load_site *site) {
  return wy_model_rod_load(self->base.model, self->base.rod, site->load);
}

/* The segment that holds arc length s. */
static int segment_at(const wy_staggered *self, double s) {
  int low = 0, high = self->n - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (self->s_vertex[middle] <= s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

size_t wy_staggered_count_sites(const wy_model *model, int rod) {
  size_t count = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    count += load->place == WY_ALONG ? 2 * (size_t)wy_model_rod(model, rod)->segments : 4;
  }
  return count;
}

static void add_site(wy_staggered *self, wy_load_site site) {
  if (site.weight != 0)
    self->sites[self->site_count++] = site;
}

/* A point load at s: force shared by the two vertices around it, moment by the two nearest segments. Beyond the first
   and the last midpoint the second one is the support, if it holds the rotation. */
static void place_point(wy_staggered *self, int load, double s) {
  int i = segment_at(self, s);
  double share = (s - self->s_vertex[i]) / self->h[i];
  wy_load_site force = {.load = load, .index = i, .weight = 1 - share, .s = s, .kind = WY_SITE_VERTEX_FORCE};
  add_site(self, force);
  force.index = i + 1, force.weight = share;
  add_site(self, force);
  int before = s >= self->s_segment[i] ? i : i - 1;
  wy_load_site moment = {.load = load, .index = i, .weight = 1, .s = s, .kind = WY_SITE_SEGMENT_MOMENT};
  if (before < 0 || before >= self->n - 1) {
    double from_end = before < 0 ? s : self->s_vertex[self->n] - s;
    moment.at_end = from_end <= WY_SAME_PLACE * self->s_vertex[self->n];
    moment.held_weight = fmin(2 * from_end / self->h[i], 1);
    add_site(self, moment);
    return;
  }
  share = (s - self->s_segment[before]) / (self->s_segment[before + 1] - self->s_segment[before]);
  moment.index = before, moment.weight = moment.held_weight = 1 - share;
  add_site(self, moment);
  moment.index = before + 1, moment.weight = moment.held_weight = share;
  add_site(self, moment);
}

static void place_line(wy_staggered *self, int load, double from, double to) {
  for (int i = segment_at(self, from); i < self->n && self->s_vertex[i] < to; i++) {
    double start = fmax(from, self->s_vertex[i]), stop = fmin(to, self->s_vertex[i + 1]), length = stop - start;
    wy_load_site site = {.load = load, .index = i, .weight = fmax(length, 0), .held_weight = fmax(length, 0)};
    site.s = 0.5 * (start + stop);
    site.kind = WY_SITE_SEGMENT_FORCE;
    add_site(self, site);
    site.kind = WY_SITE_SEGMENT_MOMENT;
    add_site(self, site);
  }
}

void wy_staggered_place_loads(wy_staggered *self) {
  self->site_count = 0;
  double length = self->s_vertex[self->n];
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, i);
    if (load->place == WY_ALONG)
      place_line(self, i, fmax(load->from, 0), fmin(load->to, length));
    else
      place_point(self, i, wy_load_arc(self->rod, load));
  }
}

static bool is_still(const wy_staggered *self, int index) {
  return !wy_load_depends_on_time(wy_model_rod_load(self->base.model, self->base.rod, index),
                                  &self->base.load_overrides[index]);
}

/* The load's value at a site, per unit of weight. */
static void site_values(const wy_staggered *self, const wy_load_site *site, double t, double value[3]) {
  double force[3], moment[3];
  wy_load_value(load_of(self, site), &self->base.load_overrides[site->load], site->s, t, force, moment);
  for (int i = 0; i < 3; i++)
    value[i] = self->load_factor * (site->kind == WY_SITE_SEGMENT_MOMENT ? moment[i] : force[i]);
}

static void scatter(double *array, int stride, int index, double factor, const double value[3]) {
  for (int i = 0; i < 3; i++)
    array[i * stride + index] += factor * value[i];
}

static void add_moment(const wy_staggered *self, const wy_load_site *site, bool body, const double value[3],
                       wy_load_arrays *to) {
  int end = site->index == 0 ? WY_START : WY_END;
  bool held = wy_support_holds_rotation(&self->supports, end), shared = site->held_weight != site->weight && held;
  double weight = shared ? site->held_weight : site->weight;
  struct wy_end_moments *at = &to->ends[end];
  if (site->at_end && !held) {
    wy_add3(body ? at->body : at->space, site->weight, value);
    return;
  }
  scatter(body ? to->torque : to->space_moment, self->stride, site->index, weight, value);
  wy_add3(body ? at->support_body : at->support_space, site->weight - weight, value);
}

static void add_load(const wy_staggered *self, const wy_load_site *site, double t, wy_load_arrays *to) {
  bool body = load_of(self, site)->axes == WY_BODY_AXES;
  double value[3];
  site_values(self, site, t, value);
  int i = site->index, n = self->stride;
  switch (site->kind) {
  case WY_SITE_VERTEX_FORCE:
    scatter(body ? to->vertex_body_force : to->force, n, i, site->weight, value);
    break;
  case WY_SITE_SEGMENT_FORCE: {
    double share = (site->s - self->s_vertex[i]) / self->h[i];
    scatter(body ? to->body_before : to->force, n, i, (1 - share) * site->weight, value);
    scatter(body ? to->body_after : to->force, n, body ? i : i + 1, share * site->weight, value);
    break;
  }
  case WY_SITE_SEGMENT_MOMENT:
    add_moment(self, site, body, value, to);
    break;
  }
}

/* The arrays of a wy_load_arrays, to be cleared or copied alike. */
enum { LOAD_ARRAYS = 6 };

static void list_arrays(const wy_load_arrays *arrays, double *list[LOAD_ARRAYS]) {
  double *all[LOAD_ARRAYS] = {arrays->force,       arrays->torque,     arrays->space_moment,
                              arrays->body_before, arrays->body_after, arrays->vertex_body_force};
  memcpy(list, all, sizeof all);
}

static void copy_still(wy_staggered *self) {
  double *to[LOAD_ARRAYS], *from[LOAD_ARRAYS];
  list_arrays(&self->now, to);
  list_arrays(&self->still, from);
  for (int i = 0; i < LOAD_ARRAYS; i++)
    memcpy(to[i], from[i], 3 * (size_t)self->stride * sizeof(double));
  memcpy(self->now.ends, self->still.ends, sizeof self->now.ends);
}

static bool is_zero(const wy_staggered *self, const wy_load_site *site) {
  return !wy_load_has(load_of(self, site), &self->base.load_overrides[site->load],
                      site->kind == WY_SITE_SEGMENT_MOMENT);
}

/* The part that does not depend on time, with gravity, and which kinds of load there are. */
void wy_staggered_refresh_loads(wy_staggered *self) {
  double *arrays[LOAD_ARRAYS];
  list_arrays(&self->still, arrays);
  for (int i = 0; i < LOAD_ARRAYS; i++)
    memset(arrays[i], 0, 3 * (size_t)self->stride * sizeof(double));
  memset(self->still.ends, 0, sizeof self->still.ends);
  memset(self->end_torque, 0, sizeof self->end_torque);
  for (int i = 0; i <= self->n; i++)
    scatter(self->still.force, self->stride, i, self->load_factor * self->mass[i], self->gravity);
  self->loads_change = self->has_space_moment = self->has_body_force = self->has_vertex_body_force = false;
  self->has_body_moment = self->has_end_moment = false;
  for (size_t k = 0; k < self->site_count; k++) {
    const wy_load_site *site = &self->sites[k];
    if (is_zero(self, site))
      continue;
    bool body = load_of(self, site)->axes == WY_BODY_AXES;
    self->has_space_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && !site->at_end && !body;
    self->has_body_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && !site->at_end && body;
    self->has_end_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && site->at_end;
    self->has_body_force |= site->kind == WY_SITE_SEGMENT_FORCE && body;
    self->has_vertex_body_force |= site->kind == WY_SITE_VERTEX_FORCE && body;
    if (is_still(self, site->load))
      add_load(self, site, 0, &self->still);
    else
      self->loads_change = true;
  }
  copy_still(self);
}

void wy_staggered_update_loads(wy_staggered *self, double t) {
  if (!self->loads_change)
    return;
  copy_still(self);
  for (size_t k = 0; k < self->site_count; k++)
    if (!is_still(self, self->sites[k].load))
      add_load(self, &self->sites[k], t, &self->now);
}

static void unit_of(const wy_staggered *self, int segment, double q[4]) {
  for (int i = 0; i < 4; i++)
    q[i] = self->unit[i * self->halo_stride + segment];
}

static void component(const double *array, int stride, int index, double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = array[i * stride + index];
}

wy_v3 wy_staggered_end_moment(const wy_staggered *self, int end, wy_v3 *from_space) {
  wy_m3 r = wy_rotation(wy_load4(self->unit, self->halo_stride, end ? self->n - 1 : 0));
  *from_space = wy_apply_transposed(r, wy_at3(self->now.ends[end].space));
  return wy_plus(*from_space, wy_at3(self->now.ends[end].body));
}

/* The curvature beyond the last midpoint of an end that turns freely: that which the end moment demands (S24), with
   actuators (A6). */
static void free_end(const wy_staggered *self, int end, wy_free_end *out) {
  double moment[3], from_space[3], skew[9], bend[3], compliance[9], side = end ? 1 : -1;
  if (self->actuator_count > 0) {
    *out = self->free_ends[end];
    return;
  }
  wy_v3 turned;
  wy_put3(moment, wy_times(side, wy_staggered_end_moment(self, end, &turned)));
  wy_put3(from_space, turned);
  wy_skew3(from_space, skew);
  memset(out->by_x, 0, sizeof out->by_x);
  wy_law_bend(&self->rod->law, self->end_stiffness[end], moment, bend, compliance);
  wy_matmul3(compliance, skew, out->by_turn);
  for (int i = 0; i < 3; i++)
    out->curvature[i] = self->end_natural[end][i] + bend[i];
  for (int i = 0; i < 9; i++)
    out->by_turn[i] *= side;
}

/* How the frame of an end that turns freely stands to that of its segment, half a segment before it, and how it turns
   against it (end's axes) with the rotation and with Dx of the segment. */
typedef struct half_turn {
  double step[4], by_turn[9], by_x[9];
} half_turn;

static void find_half_turn(const wy_staggered *self, int end, half_turn *out) {
  double turn[3], jacobian[9], reach = (end ? 0.5 : -0.5) * self->h[end ? self->n - 1 : 0];
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
  bool bends = self->has_end_moment || self->actuator_count > 0;
  if (!bends || wy_support_holds_rotation(&self->supports, end))
    return 0;
  free_end(self, end, &beyond);
  for (int i = 0; i < 3; i++)
    bend[3 + i] = beyond.curvature[i] - self->end_natural[end][i];
  return 0.5 * self->h[end ? self->n - 1 : 0] * wy_law_energy(&self->rod->law, self->end_stiffness[end], bend);
}

/* The frame at an end vertex: the support's where it holds the rotation, else extrapolated over half a segment (S24);
   `derivative` is its body variation by that of the segment's frame, `by_x` by Dx of the segment. */
static void end_frame(const wy_staggered *self, int end, double q[4], double derivative[9], double by_x[9]) {
  if (wy_support_holds_rotation(&self->supports, end)) {
    memcpy(q, self->pose[end].q, 4 * sizeof *q);
    memset(derivative, 0, 9 * sizeof *derivative), memset(by_x, 0, 9 * sizeof *by_x);
    return;
  }
  double unit[4], back[9];
  half_turn half;
  find_half_turn(self, end, &half);
  unit_of(self, end ? self->n - 1 : 0, unit);
  wy_qmul(unit, half.step, q);
  /* theta_end = step^T theta + the turn against the segment */
  wy_qmatrix(half.step, back);
  memcpy(by_x, half.by_x, sizeof half.by_x);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      derivative[3 * i + j] = back[3 * j + i] + half.by_turn[3 * i + j];
}

/* -R skew(f) D: the variation of R f by the rotation of a segment whose variation maps to that of R by D. */
static void force_variation(const double r[9], const double f[3], const double d[9], double out[9]) {
  double skew[9], product[9];
  wy_skew3(f, skew);
  wy_matmul3(skew, d, product);
  wy_matmul3(r, product, out);
  for (int i = 0; i < 9; i++)
    out[i] = -out[i];
}

static void add_extra(wy_staggered *self, int vertex, int segment, const double m[9]) {
  wy_extra_block *extra = &self->extras[self->extra_count++];
  extra->vertex = vertex, extra->segment = segment;
  extra->next = self->extra_first[vertex];
  self->extra_first[vertex] = (int)(extra - self->extras);
  for (int i = 0; i < 9; i++)
    extra->m[i] = m[i];
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void vertex_body_force(wy_staggered *self, int vertex, bool derive) {
  double f[3], q[4], r[9], force[3], block[9], derivative[9], by_x[9];
  component(self->now.vertex_body_force, self->stride, vertex, f);
  if (f[0] == 0 && f[1] == 0 && f[2] == 0)
    return;
  if (vertex == 0 || vertex == self->n) {
    int segment = vertex ? vertex - 1 : 0;
    end_frame(self, vertex ? 1 : 0, q, derivative, by_x);
    wy_qmatrix(q, r);
    if (derive) {
      force_variation(r, f, derivative, block);
      add_extra(self, vertex, segment, block);
      force_variation(r, f, by_x, self->end_force_x[vertex ? 1 : 0]);
    }
  } else {
    /* Mean frame q = (p- + p+) / |..|; its body variation is Im(a theta), a = conj(q) p / |..|, for each neighbour. */
    double near[2][4], norm;
    unit_of(self, vertex - 1, near[0]);
    unit_of(self, vertex, near[1]);
    for (int i = 0; i < 4; i++)
      q[i] = near[0][i] + near[1][i];
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    wy_qnormalise(q);
    wy_qmatrix(q, r);
    for (int k = 0; derive && k < 2; k++) {
      double a[4];
      wy_qrelative(q, near[k], a);
      wy_skew3(a + 1, derivative);
      for (int i = 0; i < 9; i++)
        derivative[i] = (a[0] * identity[i] + derivative[i]) / norm;
      force_variation(r, f, derivative, block);
      add_extra(self, vertex, vertex - 1 + k, block);
    }
  }
  wy_mul3(r, f, force);
  scatter(self->total_force, self->stride, vertex, 1, force);
}

/* A moment at an end that turns freely, on its segment: the half cell between them has no mass and passes it on as it
   is in space, from the frame of the end (S24a). */
static void end_moment(wy_staggered *self, int end, bool derive) {
  const int segment = end ? self->n - 1 : 0;
  const double *body = self->now.ends[end].body, *space = self->now.ends[end].space;
  double forward[9], torque[3], skew[9], product[9], block[9];
  memset(self->end_torque[end], 0, sizeof self->end_torque[end]);
  if (wy_support_holds_rotation(&self->supports, end) || (wy_norm3(body) == 0 && wy_norm3(space) == 0))
    return;
  wy_v3 turned;
  half_turn half;
  wy_staggered_end_moment(self, end, &turned);
  find_half_turn(self, end, &half);
  wy_qmatrix(half.step, forward);
  wy_mul3(forward, body, torque);
  wy_put3(self->end_torque[end], wy_plus(turned, wy_at3(torque)));
  scatter(self->segment_torque, self->halo_stride, segment, 1, self->end_torque[end]);
  if (!derive)
    return;
  /* d(R^T m) = skew(R^T m) theta; d(S m) = -S skew(m) times the turn of the end against the segment */
  wy_add_block(self->segment_blocks, WY_SEGMENT_BLOCKS, segment, WY_TORQUE_T, wy_skew(turned));
  wy_skew3(body, skew);
  wy_matmul3(forward, skew, product);
  for (int k = 0; k < 2; k++) {
    wy_matmul3(product, k ? half.by_x : half.by_turn, block);
    wy_m3 m = {{block[0], block[3], block[6]}, {block[1], block[4], block[7]}, {block[2], block[5], block[8]}};
    wy_add_block(self->segment_blocks, WY_SEGMENT_BLOCKS, segment, k ? WY_TORQUE_X : WY_TORQUE_T, wy_mtimes(-1, m));
  }
}

/* Forces on vertices and torques on segments that depend on the frames; with `derive` also their derivatives. */
static void frame_loads(wy_staggered *self, bool derive) {
  int n = self->stride;
  if (self->has_body_force || self->has_vertex_body_force)
    memcpy(self->total_force, self->now.force, 3 * (size_t)n * sizeof(double));
  for (int i = 0; (self->has_space_moment || self->has_body_force) && i < self->n; i++) {
    double q[4], r[9], value[3], out[3], block[9];
    unit_of(self, i, q);
    wy_qmatrix(q, r);
    if (self->has_space_moment) {
      component(self->now.space_moment, n, i, value);
      wy_tmul3(r, value, out);
      scatter(self->segment_torque, self->halo_stride, i, 1, out);
      if (derive) { /* d(R^T m) = skew(R^T m) theta, into the block of the segment's torque by its own rotation */
        wy_m3 skew = wy_skew((wy_v3){out[0], out[1], out[2]});
        wy_add_block(self->segment_blocks, WY_SEGMENT_BLOCKS, i, WY_TORQUE_T, skew);
      }
    }
    if (self->has_body_force) {
      for (int after = 0; after < 2; after++) {
        component(after ? self->now.body_after : self->now.body_before, n, i, value);
        wy_mul3(r, value, out);
        scatter(self->total_force, n, i + after, 1, out);
        if (derive) {
          force_variation(r, value, identity, block);
          add_extra(self, i + after, i, block);
        }
      }
    }
  }
  for (int end = 0; self->has_end_moment && end < 2; end++)
    end_moment(self, end, derive);
  for (int i = 0; self->has_vertex_body_force && i <= self->n; i++)
    vertex_body_force(self, i, derive);
}

void wy_staggered_frame_loads(wy_staggered *self) {
  frame_loads(self, false);
}

void wy_staggered_frame_load_blocks(wy_staggered *self) {
  self->extra_count = 0;
  memset(self->end_force_x, 0, sizeof self->end_force_x);
  for (int i = 0; i <= self->n; i++)
    self->extra_first[i] = -1;
  frame_loads(self, true);
}

double wy_staggered_load_power(const wy_staggered *self, const double *u) {
  if (self->site_count == 0)
    return 0;
  double power = 0;
  int n = self->stride;
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++)
      power += (self->total_force[k * n + i] - self->mass[i] * self->gravity[k]) * u[self->v + k * n + i];
  for (int i = 0; i < self->n; i++) {
    double q[4], r[9], moment[3], body[3], omega[3];
    unit_of(self, i, q);
    component(self->omega, self->halo_stride, i, omega);
    component(self->now.torque, n, i, body);
    power += wy_dot3(body, omega);
    if (self->has_space_moment) {
      wy_qmatrix(q, r);
      component(self->now.space_moment, n, i, moment);
      wy_tmul3(r, moment, body);
      power += wy_dot3(body, omega);
    }
  }
  for (int end = 0; end < 2; end++) {
    double omega[3];
    component(self->omega, self->halo_stride, end ? self->n - 1 : 0, omega);
    power += wy_dot3(self->end_torque[end], omega);
  }
  return power;
}
