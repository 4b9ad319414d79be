/* SPDX-License-Identifier: MIT */
/* Loads on the staggered grid (S23): point forces on vertices, moments and line loads on segments; what they add up to
   at a time. What depends on the frames is in frame_loads.c. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scheme/staggered/rod.h"

static const wy_load_def *load_of(const wy_staggered *self, const wy_load_site *site) {
  return wy_model_rod_load(self->base.model, self->base.rod, site->load);
}

/* The segment that holds arc length s. */
static int segment_holding(const wy_staggered *self, double s) {
  int low = 0, high = self->grid.n - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (self->grid.s_vertex[middle] <= s)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

size_t wy_staggered_count_sites(const wy_model *model, int rod, int segments) {
  size_t count = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    count += load->place == WY_ALONG ? 2 * (size_t)segments : 4;
  }
  return count;
}

static void add_site(wy_staggered *self, wy_load_site site) {
  if (site.weight != 0)
    self->loads.sites[self->loads.site_count++] = site;
}

/* A point load at s: force shared by the two vertices around it, moment by the two nearest segments. Beyond the first
   and the last midpoint the second one is the support, if it holds the rotation. */
static void place_point(wy_staggered *self, int load, double s) {
  int i = segment_holding(self, s);
  double share = (s - self->grid.s_vertex[i]) / self->grid.h[i];
  wy_load_site force = {.load = load, .index = i, .weight = 1 - share, .s = s, .kind = WY_SITE_VERTEX_FORCE};
  add_site(self, force);
  force.index = i + 1, force.weight = share;
  add_site(self, force);
  int before = s >= self->grid.s_segment[i] ? i : i - 1;
  wy_load_site moment = {.load = load, .index = i, .weight = 1, .s = s, .kind = WY_SITE_SEGMENT_MOMENT};
  if (before < 0 || before >= self->grid.n - 1) {
    double from_end = before < 0 ? s - self->grid.from : self->grid.s_vertex[self->grid.n] - s;
    moment.at_end = from_end <= WY_SAME_PLACE * self->grid.rod->length;
    moment.held_weight = fmin(2 * from_end / self->grid.h[i], 1);
    add_site(self, moment);
    return;
  }
  share = (s - self->grid.s_segment[before]) / (self->grid.s_segment[before + 1] - self->grid.s_segment[before]);
  moment.index = before, moment.weight = moment.held_weight = 1 - share;
  add_site(self, moment);
  moment.index = before + 1, moment.weight = moment.held_weight = share;
  add_site(self, moment);
}

static void place_line(wy_staggered *self, int load, double from, double to) {
  for (int i = segment_holding(self, from); i < self->grid.n && self->grid.s_vertex[i] < to; i++) {
    double start = fmax(from, self->grid.s_vertex[i]), stop = fmin(to, self->grid.s_vertex[i + 1]),
           length = stop - start;
    wy_load_site site = {.load = load, .index = i, .weight = fmax(length, 0), .held_weight = fmax(length, 0)};
    site.s = 0.5 * (start + stop);
    site.kind = WY_SITE_SEGMENT_FORCE;
    add_site(self, site);
    site.kind = WY_SITE_SEGMENT_MOMENT;
    add_site(self, site);
  }
}

/* A point load where two pieces of a rod meet is one of the second: it acts on the hub. */
static bool has_point(const wy_staggered *self, double s) {
  const wy_staggered_grid *grid = &self->grid;
  const double near = WY_SAME_PLACE * grid->rod->length;
  return (grid->from == 0 || s >= grid->from - near) && (grid->to == grid->rod->length || s < grid->to - near);
}

void wy_staggered_place_loads(wy_staggered *self) {
  self->loads.site_count = 0;
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, i);
    if (load->place == WY_ALONG)
      place_line(self, i, fmax(load->from, self->grid.from), fmin(load->to, self->grid.to));
    else if (has_point(self, wy_load_arc(self->grid.rod, load)))
      place_point(self, i, fmax(wy_load_arc(self->grid.rod, load), self->grid.from));
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
    value[i] = self->loads.factor * (site->kind == WY_SITE_SEGMENT_MOMENT ? moment[i] : force[i]);
}

static void add_to_point(double *array, int stride, int index, double factor, const double value[3]) {
  assert(index >= 0 && index < stride);
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
  add_to_point(body ? to->torque : to->space_moment, self->grid.stride, site->index, weight, value);
  wy_add3(body ? at->support_body : at->support_space, site->weight - weight, value);
}

static void add_load(const wy_staggered *self, const wy_load_site *site, double t, wy_load_arrays *to) {
  bool body = load_of(self, site)->axes == WY_BODY_AXES;
  double value[3];
  site_values(self, site, t, value);
  int i = site->index, n = self->grid.stride;
  switch (site->kind) {
  case WY_SITE_VERTEX_FORCE:
    add_to_point(body ? to->vertex_body_force : to->force, n, i, site->weight, value);
    break;
  case WY_SITE_SEGMENT_FORCE: {
    double share = (site->s - self->grid.s_vertex[i]) / self->grid.h[i];
    add_to_point(body ? to->body_before : to->force, n, i, (1 - share) * site->weight, value);
    add_to_point(body ? to->body_after : to->force, n, body ? i : i + 1, share * site->weight, value);
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
  list_arrays(&self->loads.now, to);
  list_arrays(&self->loads.still, from);
  for (int i = 0; i < LOAD_ARRAYS; i++)
    memcpy(to[i], from[i], 3 * (size_t)self->grid.stride * sizeof(double));
  memcpy(self->loads.now.ends, self->loads.still.ends, sizeof self->loads.now.ends);
}

static bool never_acts(const wy_staggered *self, const wy_load_site *site) {
  return !wy_load_has(load_of(self, site), &self->base.load_overrides[site->load],
                      site->kind == WY_SITE_SEGMENT_MOMENT);
}

/* The part that does not depend on time, with gravity, and which kinds of load there are. */
void wy_staggered_refresh_loads(wy_staggered *self) {
  double *arrays[LOAD_ARRAYS];
  list_arrays(&self->loads.still, arrays);
  for (int i = 0; i < LOAD_ARRAYS; i++)
    memset(arrays[i], 0, 3 * (size_t)self->grid.stride * sizeof(double));
  memset(self->loads.still.ends, 0, sizeof self->loads.still.ends);
  memset(self->loads.end_torque, 0, sizeof self->loads.end_torque);
  for (int i = 0; i <= self->grid.n; i++)
    add_to_point(self->loads.still.force, self->grid.stride, i, self->loads.factor * self->grid.weighed[i],
                 self->grid.gravity);
  self->loads.change = self->loads.has_space_moment = self->loads.has_body_force = self->loads.has_vertex_body_force =
      false;
  self->loads.has_body_moment = self->loads.has_end_moment = false;
  for (size_t k = 0; k < self->loads.site_count; k++) {
    const wy_load_site *site = &self->loads.sites[k];
    if (never_acts(self, site))
      continue;
    bool body = load_of(self, site)->axes == WY_BODY_AXES;
    self->loads.has_space_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && !site->at_end && !body;
    self->loads.has_body_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && !site->at_end && body;
    self->loads.has_end_moment |= site->kind == WY_SITE_SEGMENT_MOMENT && site->at_end;
    self->loads.has_body_force |= site->kind == WY_SITE_SEGMENT_FORCE && body;
    self->loads.has_vertex_body_force |= site->kind == WY_SITE_VERTEX_FORCE && body;
    if (is_still(self, site->load))
      add_load(self, site, 0, &self->loads.still);
    else
      self->loads.change = true;
  }
  copy_still(self);
}

void wy_staggered_update_loads(wy_staggered *self, double t) {
  if (!self->loads.change)
    return;
  copy_still(self);
  for (size_t k = 0; k < self->loads.site_count; k++)
    if (!is_still(self, self->loads.sites[k].load))
      add_load(self, &self->loads.sites[k], t, &self->loads.now);
}
