/* SPDX-License-Identifier: MIT */
/* Stations on segments that touch without friction, at a state: groups of WY_LANES neighbouring segments, in loops that
   vectorise. Only vertices matter, no rotations. docs/theory/contact.md, (K1) to (K4). */
#include <math.h>

#include "base/target.h"
#include "contact/plain.h"
#include "scheme/staggered/contact.h"
#include "scheme/staggered/door.h"

/* What all stations of a rod on one obstacle have in common. */
typedef struct touched {
  const wy_staggered *self;
  const double *v; /* of vertices */
  wy_carrier carrier;
  wy_m3 axes;
  double loss, per_speed; /* q and 1 / v_n of (K3); at rest 0 */
} touched;

static touched touch(const wy_staggered *self, const double *u, const wy_meeting *with) {
  const wy_touch_law *law = &with->law;
  return (touched){.self = self,
                   .v = u + self->grid.v,
                   .carrier = with->carrier,
                   .axes = wy_rotation(with->carrier.frame),
                   .loss = law->rest ? 0 : law->loss,
                   .per_speed = law->rest ? 0 : 1 / law->normal_speed};
}

bool wy_staggered_group_touches(const wy_staggered *self, int first) {
  const wy_contacts *contacts = self->base.contacts;
  bool any = false;
  for (int j = 0; j < self->contact.per_segment; j++) {
    if (!wy_contacts_group_near(contacts, j * self->grid.stride + first))
      continue;
    const double *distance = contacts->distance + j * self->grid.stride + first;
    const double *radius = contacts->radius + j * self->grid.stride + first;
    for (int lane = 0; lane < WY_LANES; lane++)
      any |= distance[lane] < radius[lane];
  }
  return any;
}

void wy_staggered_find_normals(const wy_staggered *self, const wy_meeting *with, int first, bool bends) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_staggered_contact *own = &self->contact;
  const wy_m3 axes = wy_rotation(with->carrier.frame);
  for (int j = 0; j < own->per_segment; j++) {
    const int at = j * self->grid.stride + first;
    if (bends)
      wy_form_bends(&with->form, axes, WY_LANES, contacts->count, contacts->local + at, own->normal + at,
                    own->bend + at);
    else
      wy_form_normals(&with->form, axes, WY_LANES, contacts->count, contacts->local + at, own->normal + at);
  }
}

/* One station: its weight, or 0 where it does not touch, normal, motion relative to the obstacle, p and p' of the skin,
   and the share that (K3) adds with its slope by the rate of the depth. */
typedef struct state {
  double weight, share, load, slope, more, steep;
  double rate, carried; /* of the depth; of the obstacle along the normal */
  wy_v3 normal, relative;
} state;

WY_INLINE state state_of(const touched *on, bool flat, int j, int i) {
  const wy_staggered *self = on->self;
  const wy_contacts *contacts = self->base.contacts;
  const int n = self->grid.stride, station = j * n + i, count = contacts->count;
  const double depth = contacts->radius[station] - contacts->distance[station], weight = contacts->weight[station];
  const bool touches = (depth > 0) & (weight > 0);
  const wy_skin_slope skin = wy_skins_at(&self->contact.skins, station, touches ? depth : 0);
  state at = {.weight = touches ? weight : 0, .share = self->contact.share[j], .load = skin.load, .slope = skin.slope};
  at.normal = flat ? on->axes.c : wy_load3(self->contact.normal, count, station);
  const wy_v3 v0 = wy_load3(on->v, n, i), v1 = wy_load3(on->v, n, i + 1);
  const wy_v3 arm = wy_minus(wy_load3(contacts->x, count, station), on->carrier.x);
  const wy_v3 carried = wy_plus(on->carrier.v, wy_cross(on->carrier.spin, arm));
  at.relative = wy_minus(wy_plus(v0, wy_times(at.share, wy_minus(v1, v0))), carried);
  at.carried = wy_inner(at.normal, carried);
  at.rate = touches ? -wy_inner(at.normal, at.relative) : 0; /* what is behind the last vertex is no number */
  const wy_phi phi = wy_phi_at(at.rate * on->per_speed);
  at.more = on->loss * phi.value;
  at.steep = on->loss * phi.slope * on->per_speed;
  return at;
}

/* ---- Forces ---- */

/* What a group of segments gets: forces on the first and second vertices, and shares of the power of all forces, of the
   obstacle's work and of the losses. */
typedef struct group_push {
  double force[2][3][WY_LANES];
  double pushed[WY_LANES], work[WY_LANES], impact[WY_LANES];
} group_push;

WY_INLINE void push_row(const touched *on, bool flat, int j, int first, group_push *restrict out) {
#pragma omp simd
  for (int lane = 0; lane < WY_LANES; lane++) {
    const state at = state_of(on, flat, j, first + lane);
    const double load = at.weight * at.load, total = load * (1 + at.more);
    const wy_v3 force = wy_times(total, at.normal), after = wy_times(at.share, force);
    out->impact[lane] += load * at.more * at.rate;
    out->work[lane] += total * at.carried;
    out->pushed[lane] += total * (at.carried - at.rate);
    wy_store3(&out->force[0][0][0], WY_LANES, lane,
              wy_plus(wy_load3(&out->force[0][0][0], WY_LANES, lane), wy_minus(force, after)));
    wy_store3(&out->force[1][0][0], WY_LANES, lane, wy_plus(wy_load3(&out->force[1][0][0], WY_LANES, lane), after));
  }
}

WY_CLONES
static void push_group(const touched *on, bool flat, int first, group_push *restrict out) {
  for (int j = 0; j < on->self->contact.per_segment; j++)
    if (flat)
      push_row(on, true, j, first, out);
    else
      push_row(on, false, j, first, out);
}

static int lanes_from(const wy_staggered *self, int first) {
  return self->grid.n - first < WY_LANES ? self->grid.n - first : WY_LANES;
}

static bool is_flat(const wy_meeting *with) {
  return with->form.shape == WY_OBSTACLE_PLANE;
}

bool wy_staggered_push_segments(wy_staggered *self, const double *u, wy_meeting *with) {
  const touched on = touch(self, u, with);
  const bool flat = is_flat(with);
  bool any = false;
  for (int first = 0; first < self->grid.n; first += WY_LANES) {
    if (!wy_staggered_group_touches(self, first))
      continue;
    group_push push = {0};
    if (!flat)
      wy_staggered_find_normals(self, with, first, false);
    push_group(&on, flat, first, &push);
    wy_door_push_chain(self, first, lanes_from(self, first), push.force[0][0], push.force[1][0]);
    for (int lane = 0; lane < WY_LANES; lane++) {
      self->contact.pushed += push.pushed[lane];
      self->contact.work += push.work[lane];
      self->contact.impact += push.impact[lane];
    }
    any = true;
  }
  return any;
}

/* ---- Derivatives ---- */

WY_INLINE void add_column(double (*sum)[WY_LANES], int lane, double factor, wy_v3 column) {
  sum[0][lane] += factor * column.x, sum[1][lane] += factor * column.y, sum[2][lane] += factor * column.z;
}

WY_INLINE void add_entries(double (*sum)[WY_LANES], int lane, double factor, wy_m3 m) {
  add_column(sum, lane, factor, m.a);
  add_column(sum + 3, lane, factor, m.b);
  add_column(sum + 6, lane, factor, m.c);
}

/* By a share of both vertices: first, first and second, second. */
WY_INLINE void add_shares(wy_chain_blocks *sum, int lane, double weight, double share, wy_m3 m) {
  add_entries(sum->at[0], lane, weight * (1 - share) * (1 - share), m);
  add_entries(sum->at[1], lane, weight * (1 - share) * share, m);
  add_entries(sum->at[2], lane, weight * share * share, m);
}

/* force_x = n (dp)^T + p S and force_v of (K3), by the sums of shares. */
WY_INLINE void slope_row(const touched *on, bool flat, int j, int first, wy_chain_blocks *restrict by_x,
                         wy_chain_blocks *restrict by_v) {
  const wy_staggered *self = on->self;
  const int stride = self->base.contacts->count;
  const double *bends = self->contact.bend + j * self->grid.stride;
#pragma omp simd
  for (int lane = 0; lane < WY_LANES; lane++) {
    const int i = first + lane;
    const state at = state_of(on, flat, j, i);
    const double load = at.load * (1 + at.more), damper = at.load * at.steep;
    wy_v3 rate_x = wy_cross(at.normal, on->carrier.spin);
    wy_m3 bend = wy_diagonal(0);
    if (!flat) {
      bend = (wy_m3){wy_load3(bends, stride, i), wy_load3(bends + 3 * stride, stride, i),
                     wy_load3(bends + 6 * stride, stride, i)};
      rate_x = wy_minus(rate_x, wy_apply(bend, at.relative));
    }
    const wy_v3 load_x = wy_plus(wy_times(-at.slope * (1 + at.more), at.normal), wy_times(damper, rate_x));
    wy_m3 force_x = wy_outer(at.normal, load_x);
    if (!flat)
      force_x = wy_mplus(force_x, wy_mtimes(load, bend));
    const wy_m3 force_v = wy_outer(at.normal, wy_times(-damper, at.normal));
    add_shares(by_x, lane, at.weight, at.share, force_x);
    add_shares(by_v, lane, at.weight, at.share, force_v);
  }
}

WY_CLONES
static void slope_group(const touched *on, bool flat, int first, wy_chain_blocks *restrict by_x,
                        wy_chain_blocks *restrict by_v) {
  for (int j = 0; j < on->self->contact.per_segment; j++)
    if (flat)
      slope_row(on, true, j, first, by_x, by_v);
    else
      slope_row(on, false, j, first, by_x, by_v);
}

void wy_staggered_add_segments(wy_staggered *self, const double *u, wy_meeting *with, bool moving) {
  const touched on = touch(self, u, with);
  const bool flat = is_flat(with);
  for (int first = 0; first < self->grid.n; first += WY_LANES) {
    if (!wy_staggered_group_touches(self, first))
      continue;
    wy_chain_blocks by_x = {0}, by_v = {0};
    if (!flat)
      wy_staggered_find_normals(self, with, first, true);
    slope_group(&on, flat, first, &by_x, &by_v);
    wy_door_chain(self, first, lanes_from(self, first), &by_x, moving ? &by_v : NULL);
  }
}
