/* SPDX-License-Identifier: MIT */
/* Distances of stations from an obstacle, of all of them, or of those in groups that come near: most obstacles are far
   from most of a long rod. What is left out is further away than anything that is asked for, so that results are the
   same bits either way, and nothing of it is saved. */
#include <math.h>
#include <string.h>

#include "scheme/contacts.h"

void wy_contacts_lay_out_groups(wy_contacts *self, wy_arena *scratch) {
  wy_station_groups *groups = &self->groups;
  const size_t n = (size_t)self->count / WY_LANES;
  groups->count = (int)n;
  groups->seen = wy_arena_doubles(scratch, 3 * (size_t)self->count);
  groups->centre = wy_arena_doubles(scratch, 3 * n);
  groups->size = wy_arena_doubles(scratch, n);
  groups->local = wy_arena_doubles(scratch, 3 * n);
  groups->clearance = wy_arena_doubles(scratch, n);
  groups->all = wy_arena_take(scratch, n);
  for (int i = 0; i < self->meeting_count; i++) {
    const wy_near_groups near = {.group = wy_arena_take(scratch, n * sizeof *near.group),
                                 .near = wy_arena_take(scratch, n)};
    if (self->meetings)
      self->meetings[i].groups = near;
  }
}

/* Lists hold until some station has moved by twice the thickness of the rod. */
void wy_contacts_begin_groups(wy_contacts *self) {
  self->groups.slack = 4 * self->largest_radius;
  memset(self->groups.all, 1, (size_t)self->groups.count);
}

void wy_contacts_look_at(wy_system *system, const double *u) {
  wy_contacts *self = system->contacts;
  self->type->places(system, u, self->x);
  self->groups.known = false;
}

/* ---- Stations of a range, a multiple of WY_LANES ---- */

WY_CLONES
static void turn_back(wy_m3 r, wy_v3 from, int count, int stride, const double *restrict x, double *restrict y) {
#pragma omp simd
  for (int i = 0; i < count; i++)
    wy_store3(y, stride, i, wy_apply_transposed(r, wy_minus(wy_load3(x, stride, i), from)));
}

/* Of a plane only the height counts, and the normal is one for all. */
WY_CLONES
static void heights(wy_v3 normal, wy_v3 from, int count, int stride, const double *restrict x,
                    double *restrict distance) {
  const double height = wy_inner(normal, from);
#pragma omp simd
  for (int i = 0; i < count; i++)
    distance[i] = wy_inner(normal, wy_load3(x, stride, i)) - height;
}

static void distances_of(wy_contacts *self, const wy_meeting *at, wy_m3 axes, int first, int count) {
  const double *x = self->x + first;
  double *local = self->local + first, *distance = self->distance + first;
  if (at->form.shape == WY_OBSTACLE_PLANE && !at->moves) {
    heights(axes.c, at->carrier.x, count, self->count, x, distance);
    return;
  }
  turn_back(axes, at->carrier.x, count, self->count, x, local);
  wy_form_distances(&at->form, count, self->count, local, distance);
}

void wy_contacts_distances(wy_contacts *self, const wy_meeting *at) {
  self->groups.near = self->groups.all;
  self->groups.found = NULL;
  distances_of(self, at, wy_rotation(at->carrier.frame), 0, self->count);
}

/* ---- Groups ---- */

WY_CLONES
static double farthest(int count, const double *restrict x, const double *restrict from) {
  double largest = 0, sum = 0;
#pragma omp simd reduction(max : largest) reduction(+ : sum)
  for (int i = 0; i < count; i++) {
    const wy_v3 way = wy_minus(wy_load3(x, count, i), wy_load3(from, count, i));
    const double square = wy_inner(way, way);
    largest = square > largest ? square : largest;
    sum += square;
  }
  return isfinite(sum) ? sqrt(largest) : (double)NAN; /* the largest alone would not tell */
}

double wy_contacts_farthest(const wy_contacts *self, const double *from) {
  return farthest(self->count, self->x, from);
}

/* The box around each group, and the ball around the box; rounding is allowed for. */
WY_CLONES
static void balls(int groups, const double *restrict x, int stride, double *restrict centre, double *restrict size) {
  for (int g = 0; g < groups; g++) {
    double square = 0, far = 0;
    for (int k = 0; k < 3; k++) {
      const double *a = x + k * stride + g * WY_LANES;
      double low = a[0], high = a[0];
#pragma omp simd reduction(min : low) reduction(max : high)
      for (int i = 0; i < WY_LANES; i++)
        low = a[i] < low ? a[i] : low, high = a[i] > high ? a[i] : high;
      centre[k * groups + g] = 0.5 * (low + high);
      square += (high - low) * (high - low);
      far += fabs(low) + fabs(high);
    }
    size[g] = 0.5 * sqrt(square) + 1e-12 * far;
  }
}

/* With fewer obstacles, or stations, groups cost more than they save. */
enum { FEW_OBSTACLES = 3, FEW_STATIONS = 64 };

/* Do lists of near groups hold for the places in self->x and a margin, made anew if need be? False: they would soon be
   out of date again. */
static bool groups_hold(wy_contacts *self, double margin) {
  wy_station_groups *groups = &self->groups;
  if (self->near_count < FEW_OBSTACLES || self->count < FEW_STATIONS || !(margin <= 0.5 * groups->slack))
    return false;
  if (!groups->known)
    groups->moved = wy_contacts_farthest(self, groups->seen);
  groups->known = true;
  if (!isfinite(groups->moved))
    return false;
  if (groups->moved + margin <= groups->slack)
    return true;
  memcpy(groups->seen, self->x, 3 * (size_t)self->count * sizeof *self->x);
  balls(groups->count, groups->seen, self->count, groups->centre, groups->size);
  groups->moved = 0;
  for (int i = 0; i < self->meeting_count; i++)
    self->meetings[i].groups.made = false;
  return true;
}

static bool is_made(const wy_near_groups *near, const wy_carrier *now) {
  const wy_v3 x = wy_minus(now->x, near->x);
  const wy_q4 q = now->frame, p = near->frame;
  return near->made && x.x == 0 && x.y == 0 && x.z == 0 && q.w == p.w && q.x == p.x && q.y == p.y && q.z == p.z;
}

static void make_list(wy_contacts *self, const wy_meeting *at, wy_m3 axes, wy_near_groups *near) {
  const wy_station_groups *groups = &self->groups;
  const wy_v3 from = at->carrier.x;
  const double reach = self->largest_radius + groups->slack + 1e-12 * wy_norm(from);
  turn_back(axes, from, groups->count, groups->count, groups->centre, groups->local);
  wy_form_clearances(&at->form, groups->count, groups->count, groups->local, groups->size, groups->clearance);
  near->count = 0;
  for (int g = 0; g < groups->count; g++) {
    near->near[g] = !(groups->clearance[g] > reach);
    if (near->near[g])
      near->group[near->count++] = g;
  }
  near->x = from;
  near->frame = at->carrier.frame;
  near->made = true;
}

/* All distances become INFINITY. */
static void forget(wy_contacts *self, const wy_near_groups *found) {
  const int groups = found ? found->count : self->groups.count;
  for (int k = 0; k < groups; k++) {
    double *distance = self->distance + WY_LANES * (found ? found->group[k] : k);
    for (int i = 0; i < WY_LANES; i++)
      distance[i] = INFINITY;
  }
}

void wy_contacts_close_distances(wy_contacts *self, wy_meeting *at, double margin) {
  if (at->moves || !groups_hold(self, margin)) {
    wy_contacts_distances(self, at);
    return;
  }
  wy_near_groups *near = &at->groups;
  const wy_m3 axes = wy_rotation(at->carrier.frame);
  forget(self, self->groups.found);
  if (!is_made(near, &at->carrier))
    make_list(self, at, axes, near);
  for (int k = 0, end; k < near->count; k = end) { /* neighbours at once */
    for (end = k + 1; end < near->count && near->group[end] == near->group[end - 1] + 1; end++)
      ;
    distances_of(self, at, axes, WY_LANES * near->group[k], WY_LANES * (end - k));
  }
  self->groups.near = near->near;
  self->groups.found = near;
}
