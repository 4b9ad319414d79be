/* SPDX-License-Identifier: MIT */
/* Stations on segments at a state, for the loops that take most of the time of a rod that lies: all stations of a
   segment together, and what needs no rotations where nothing rubs. docs/theory/contact.md, (K1) to (K7). */
#include <math.h>

#include "contact/plain.h"
#include "scheme/staggered/contact.h"
#include "scheme/staggered/door.h"

/* What all stations of a rod on one obstacle have in common. */
typedef struct touched {
  wy_meeting *with;
  wy_m3 axes; /* of the obstacle */
  bool rubs;
} touched;

static touched touch(wy_meeting *with) {
  return (touched){with, wy_rotation(with->carrier.frame), with->law.friction > 0};
}

/* The stations of a segment: what they do to its two vertices and to itself. */
typedef struct segment_push {
  wy_v3 force[2], couple;
} segment_push;

static void add_to_vertices(segment_push *sum, double share, double weight, wy_v3 force) {
  sum->force[0] = wy_plus(sum->force[0], wy_times(weight * (1 - share), force));
  sum->force[1] = wy_plus(sum->force[1], wy_times(weight * share, force));
}

/* Without friction: (K1) to (K3) alone. `v` is the velocity of the axis. */
static void push_plain(wy_staggered *self, const touched *on, int station, double share, wy_v3 v, segment_push *sum) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_touch_law *law = &on->with->law;
  const wy_v3 y = wy_load3(contacts->local, contacts->count, station);
  const wy_v3 n = wy_apply(on->axes, wy_form_normal(&on->with->form, y));
  const double weight = contacts->weight[station], depth = contacts->radius[station] - contacts->distance[station];
  double load = weight * wy_skin_pressure(&contacts->skin[station], depth);
  if (!law->rest) {
    const wy_v3 carried = on->with->moves
                              ? wy_plus(on->with->carrier.v, wy_cross(on->with->carrier.spin, wy_apply(on->axes, y)))
                              : (wy_v3){0, 0, 0};
    const double by_obstacle = wy_inner(n, carried), rate = by_obstacle - wy_inner(n, v);
    double unused;
    const double more = law->loss * wy_saturated(rate / law->normal_speed, &unused);
    self->contact.impact += load * more * rate;
    load *= 1 + more;
    self->contact.work += load * by_obstacle;
    self->contact.pushed += load * (by_obstacle - rate);
  }
  add_to_vertices(sum, share, 1, wy_times(load, n));
}

static void push_rubbing(wy_staggered *self, const touched *on, int station, double share, const wy_spot *spot,
                         segment_push *sum) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_v3 y = wy_load3(contacts->local, contacts->count, station);
  const wy_near near = {.distance = contacts->distance[station],
                        .normal = wy_apply(on->axes, wy_form_normal(&on->with->form, y))};
  const wy_touch_law law = wy_contacts_law(contacts, on->with, station);
  const wy_anchor anchor = wy_contacts_anchor(contacts, on->with, station);
  const double weight = contacts->weight[station];
  wy_push push;
  wy_push_at(&law, &near, &on->with->carrier, spot, &anchor, &push, NULL);
  add_to_vertices(sum, share, weight, push.force);
  sum->couple = wy_plus(sum->couple, wy_times(weight, push.couple));
  self->contact.pushed += weight * wy_inner(push.force, spot->v);
  self->contact.work += weight * push.work;
  self->contact.friction += weight * push.friction;
  self->contact.impact += weight * push.impact;
}

static void push_segment(wy_staggered *self, const double *u, const touched *on, int i) {
  const wy_contacts *contacts = self->base.contacts;
  const int n = self->grid.stride;
  const wy_v3 v = wy_load3(u + self->grid.v, n, i), dv = wy_minus(wy_load3(u + self->grid.v, n, i + 1), v);
  segment_push sum = {{{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
  wy_spot spot = {.frame = wy_door_frame(self, i)};
  wy_m3 r = wy_diagonal(1);
  if (on->rubs) {
    r = wy_rotation(spot.frame);
    spot.spin = wy_apply(r, wy_door_velocity(self, u, wy_at_segment(i)));
  }
  for (int j = 0; j < self->contact.per_segment; j++) {
    const int station = j * n + i;
    const double share = self->contact.share[j];
    if (!wy_contacts_touches(contacts, station))
      continue;
    spot.v = wy_plus(v, wy_times(share, dv));
    if (on->rubs) {
      spot.x = wy_load3(contacts->x, contacts->count, station);
      push_rubbing(self, on, station, share, &spot, &sum);
    } else {
      push_plain(self, on, station, share, spot.v, &sum);
    }
  }
  for (int side = 0; side < 2; side++)
    wy_door_push(self, wy_at_vertex(i + side), sum.force[side]);
  if (on->rubs)
    wy_door_push(self, wy_at_segment(i), wy_apply_transposed(r, sum.couple));
}

/* Does any station of a segment touch? */
static bool segment_touches(const wy_staggered *self, int i) {
  bool any = false;
  for (int j = 0; j < self->contact.per_segment; j++)
    any = any || wy_contacts_touches(self->base.contacts, j * self->grid.stride + i);
  return any;
}

bool wy_staggered_push_segments(wy_staggered *self, const double *u, wy_meeting *with) {
  const touched on = touch(with);
  bool any = false;
  for (int i = 0; i < self->grid.n; i++)
    if (segment_touches(self, i)) {
      push_segment(self, u, &on, i);
      any = true;
    }
  return any;
}

/* ---- Derivatives ---- */

/* The slopes of the stations of a segment: on its two vertices (share a of the force) and on itself, by the same. */
typedef struct segment_slopes {
  wy_m3 force_x[3], force_v[3]; /* by a share of both: first, first and second, second */
  wy_m3 force_turn[2], force_spin[2], couple_x[2], couple_v[2]; /* by a share of one vertex */
  wy_m3 couple_turn, couple_spin;
  wy_v3 couple;
} segment_slopes;

static void add_scaled(wy_m3 *sum, double factor, wy_m3 m) {
  *sum = wy_mplus(*sum, wy_mtimes(factor, m));
}

static void sum_slopes(segment_slopes *sum, const wy_push_slopes *s, double weight, double share) {
  const double shares[2] = {1 - share, share};
  for (int k = 0; k < 3; k++) {
    const double both = weight * shares[k > 1] * shares[k > 0];
    add_scaled(&sum->force_x[k], both, s->force_x);
    add_scaled(&sum->force_v[k], both, s->force_v);
  }
  for (int a = 0; a < 2; a++) {
    const double one = weight * shares[a];
    add_scaled(&sum->force_turn[a], one, s->force_turn);
    add_scaled(&sum->force_spin[a], one, s->force_spin);
    add_scaled(&sum->couple_x[a], one, s->couple_x);
    add_scaled(&sum->couple_v[a], one, s->couple_v);
  }
  add_scaled(&sum->couple_turn, weight, s->couple_turn);
  add_scaled(&sum->couple_spin, weight, s->couple_spin);
}

/* What depends on the rotation of the segment, or acts on it: rotations and torques in its own axes. The angular
   velocity in space turns with the frame, and so do the axes of the torque. */
static void add_turning(wy_staggered *self, int i, wy_m3 r, wy_v3 omega, const segment_slopes *sum, bool moving) {
  const wy_place segment = wy_at_segment(i);
  const wy_m3 back = wy_mtransposed(r);
  for (int a = 0; a < 2; a++) {
    const wy_place on = wy_at_vertex(i + a);
    const wy_m3 spin = wy_mproduct(sum->force_spin[a], r);
    const wy_m3 turn = wy_mminus(wy_mproduct(sum->force_turn[a], r), wy_times_skew(spin, omega));
    wy_door_block(self, on, segment, 1, turn);
    wy_door_block(self, segment, on, 1, wy_mproduct(back, sum->couple_x[a]));
    if (moving) {
      wy_door_rate_block(self, on, segment, spin);
      wy_door_rate_block(self, segment, on, wy_mproduct(back, sum->couple_v[a]));
    }
  }
  const wy_m3 spin = wy_mproduct(sum->couple_spin, r);
  const wy_m3 turn = wy_mminus(wy_mproduct(sum->couple_turn, r), wy_times_skew(spin, omega));
  wy_door_block(self, segment, segment, 1,
                wy_mplus(wy_mproduct(back, turn), wy_skew(wy_apply_transposed(r, sum->couple))));
  if (moving)
    wy_door_rate_block(self, segment, segment, wy_mproduct(back, spin));
}

static void add_to_blocks(wy_staggered *self, int i, const wy_m3 by_x[3], const wy_m3 by_v[3], bool moving) {
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      wy_door_block(self, wy_at_vertex(i + a), wy_at_vertex(i + b), 1, by_x[a + b]);
      if (moving)
        wy_door_rate_block(self, wy_at_vertex(i + a), wy_at_vertex(i + b), by_v[a + b]);
    }
}

/* Seen from an obstacle as in the last evaluation; a plane has one normal, which does not turn. */
static wy_near near_of(const wy_staggered *self, const touched *on, int station, wy_v3 x) {
  if (on->with->form.shape != WY_OBSTACLE_PLANE)
    return wy_carrier_near(&on->with->form, &on->with->carrier, x);
  return (wy_near){.distance = self->base.contacts->distance[station], .normal = on->axes.c};
}

static wy_v3 velocity_at(const wy_staggered *self, const double *u, int i, double share) {
  const wy_v3 v = wy_load3(u + self->grid.v, self->grid.stride, i);
  return wy_plus(v, wy_times(share, wy_minus(wy_load3(u + self->grid.v, self->grid.stride, i + 1), v)));
}

/* Without friction only vertices matter: force_x = n (dp)^T + p S and force_v of (K3), by the sums of shares. */
static void add_plain(wy_staggered *self, const double *u, const touched *on, int i, bool moving) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_touch_law *law = &on->with->law;
  const wy_carrier *carrier = &on->with->carrier;
  const wy_m3 none = wy_diagonal(0);
  const int n = self->grid.stride;
  wy_m3 by_x[3] = {none, none, none}, by_v[3] = {none, none, none};
  for (int j = 0; j < self->contact.per_segment; j++) {
    const int station = j * n + i;
    if (!wy_contacts_touches(contacts, station))
      continue;
    const double share = self->contact.share[j], shares[2] = {1 - share, share}, weight = contacts->weight[station];
    const wy_v3 x = wy_load3(contacts->x, contacts->count, station);
    const wy_near near = near_of(self, on, station, x);
    const wy_skin_load skin = wy_skin_at(&contacts->skin[station], contacts->radius[station] - near.distance);
    double more = 1, damper = 0;
    wy_v3 rate_x = {0, 0, 0};
    if (!law->rest) {
      const wy_v3 v = velocity_at(self, u, i, share), relative = wy_minus(v, wy_carrier_velocity(carrier, x));
      double steep;
      more = 1 + law->loss * wy_saturated(-wy_inner(near.normal, relative) / law->normal_speed, &steep);
      damper = law->loss * skin.load * steep / law->normal_speed;
      rate_x = wy_minus(wy_cross(near.normal, carrier->spin), wy_apply(near.bend, relative));
    }
    const wy_v3 load_x = wy_plus(wy_times(-skin.slope * more, near.normal), wy_times(damper, rate_x));
    const wy_m3 force_x = wy_mplus(wy_outer(near.normal, load_x), wy_mtimes(skin.load * more, near.bend));
    const wy_m3 force_v = wy_outer(near.normal, wy_times(-damper, near.normal));
    for (int k = 0; k < 3; k++) {
      const double both = weight * shares[k > 1] * shares[k > 0];
      add_scaled(&by_x[k], both, force_x);
      add_scaled(&by_v[k], both, force_v);
    }
  }
  add_to_blocks(self, i, by_x, by_v, moving);
}

/* With friction the rotation of the segment matters, too. */
static void add_segment(wy_staggered *self, const double *u, const touched *on, int i, bool moving) {
  const wy_contacts *contacts = self->base.contacts;
  const int n = self->grid.stride;
  segment_slopes sum = {0};
  const wy_v3 omega = wy_door_velocity(self, u, wy_at_segment(i));
  const wy_m3 r = wy_rotation(wy_door_frame(self, i));
  for (int j = 0; j < self->contact.per_segment; j++) {
    const int station = j * n + i;
    if (!wy_contacts_touches(contacts, station))
      continue;
    const double share = self->contact.share[j];
    const wy_spot spot = {.x = wy_load3(contacts->x, contacts->count, station),
                          .v = velocity_at(self, u, i, share),
                          .frame = wy_door_frame(self, i),
                          .spin = wy_apply(r, omega)};
    const wy_near near = near_of(self, on, station, spot.x);
    const wy_touch_law law = wy_contacts_law(contacts, on->with, station);
    const wy_anchor anchor = wy_contacts_anchor(contacts, on->with, station);
    wy_push push;
    wy_push_slopes slopes;
    wy_push_at(&law, &near, &on->with->carrier, &spot, &anchor, &push, &slopes);
    sum_slopes(&sum, &slopes, contacts->weight[station], share);
    sum.couple = wy_plus(sum.couple, wy_times(contacts->weight[station], wy_push_turning(&push, &slopes)));
  }
  add_to_blocks(self, i, sum.force_x, sum.force_v, moving);
  add_turning(self, i, r, omega, &sum, moving);
}

void wy_staggered_add_segments(wy_staggered *self, const double *u, wy_meeting *with, bool moving) {
  const touched on = touch(with);
  for (int i = 0; i < self->grid.n; i++)
    if (segment_touches(self, i))
      (on.rubs ? add_segment : add_plain)(self, u, &on, i, moving);
}
