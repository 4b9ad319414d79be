/* SPDX-License-Identifier: MIT */
/* Stations on segments that rub, at a state: all stations of a segment together. docs/theory/contact.md, (K1) to (K7).
 */
#include <math.h>

#include "scheme/staggered/contact.h"
#include "scheme/staggered/door.h"

/* ---- Forces ---- */

/* The stations of a segment: what they do to its two vertices and to itself. */
typedef struct segment_push {
  wy_v3 force[2], couple;
} segment_push;

/* Seen from the obstacle, by wy_staggered_find_normals. */
WY_INLINE wy_near near_of(const wy_staggered *self, int station, bool bends) {
  const wy_contacts *contacts = self->base.contacts;
  const int n = contacts->count;
  const double *bend = self->contact.bend;
  wy_near near = {.distance = contacts->distance[station], .normal = wy_load3(self->contact.normal, n, station)};
  if (bends)
    near.bend =
        (wy_m3){wy_load3(bend, n, station), wy_load3(bend + 3 * n, n, station), wy_load3(bend + 6 * n, n, station)};
  return near;
}

WY_INLINE void push_station(wy_staggered *self, const wy_meeting *with, int station, double share, const wy_spot *spot,
                            segment_push *sum) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_near near = near_of(self, station, false);
  const wy_touch_law law = wy_contacts_law(contacts, with, station);
  const wy_anchor anchor = wy_contacts_anchor(contacts, with, station);
  const double weight = contacts->weight[station];
  wy_push push;
  wy_push_at(&law, &near, &with->carrier, spot, &anchor, &push, NULL);
  sum->force[0] = wy_plus(sum->force[0], wy_times(weight * (1 - share), push.force));
  sum->force[1] = wy_plus(sum->force[1], wy_times(weight * share, push.force));
  sum->couple = wy_plus(sum->couple, wy_times(weight, push.couple));
  self->contact.pushed += weight * wy_inner(push.force, spot->v);
  self->contact.work += weight * push.work;
  self->contact.friction += weight * push.friction;
  self->contact.impact += weight * push.impact;
}

/* Of the velocities of the two vertices of a segment. */
static wy_v3 difference_of(const wy_staggered *self, const double *u, int i) {
  const double *v = u + self->grid.v;
  return wy_minus(wy_load3(v, self->grid.stride, i + 1), wy_load3(v, self->grid.stride, i));
}

WY_CLONES
static void push_segment(wy_staggered *self, const double *u, const wy_meeting *with, int i) {
  const wy_contacts *contacts = self->base.contacts;
  segment_push sum = {{{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
  wy_spot spot = {.frame = wy_door_frame(self, i)};
  const wy_m3 r = wy_rotation(spot.frame);
  spot.spin = wy_apply(r, wy_door_velocity(self, u, wy_at_segment(i)));
  const wy_v3 v = wy_load3(u + self->grid.v, self->grid.stride, i), dv = difference_of(self, u, i);
  for (int j = 0; j < self->contact.per_segment; j++) {
    const int station = j * self->grid.stride + i;
    const double share = self->contact.share[j];
    if (!wy_contacts_touches(contacts, station))
      continue;
    spot.x = wy_load3(contacts->x, contacts->count, station);
    spot.v = wy_plus(v, wy_times(share, dv));
    push_station(self, with, station, share, &spot, &sum);
  }
  for (int side = 0; side < 2; side++)
    wy_door_push(self, wy_at_vertex(i + side), sum.force[side]);
  wy_door_push(self, wy_at_segment(i), wy_apply_transposed(r, sum.couple));
}

/* Does any station of a segment touch? */
static bool segment_touches(const wy_staggered *self, int i) {
  bool any = false;
  for (int j = 0; j < self->contact.per_segment; j++)
    any = any || wy_contacts_touches(self->base.contacts, j * self->grid.stride + i);
  return any;
}

/* The next segment from i on that touches; beyond the last: there is none. */
static int next_touching(const wy_staggered *self, int i) {
  for (; i < self->grid.n; i++)
    if (i % WY_LANES == 0 && !wy_staggered_group_touches(self, i))
      i += WY_LANES - 1;
    else if (segment_touches(self, i))
      return i;
  return i;
}

/* Finds the normals of the group of segment i, unless they are known: those of segments before `known`. Returns where
   the group ends. */
static int with_normals(const wy_staggered *self, const wy_meeting *with, int i, int known, bool bends) {
  if (i < known)
    return known;
  const int first = i - i % WY_LANES;
  wy_staggered_find_normals(self, with, first, bends);
  return first + WY_LANES;
}

bool wy_staggered_rub_segments(wy_staggered *self, const double *u, wy_meeting *with) {
  int known = 0; /* of the segments before, the normals are there or not needed */
  for (int i = next_touching(self, 0); i < self->grid.n; i = next_touching(self, i + 1)) {
    known = with_normals(self, with, i, known, false);
    push_segment(self, u, with, i);
  }
  return known > 0;
}

/* ---- Derivatives ---- */

/* The slopes of the stations of a segment: on its two vertices (share a of the force) and on itself, by the same. */
typedef struct segment_slopes {
  wy_m3 force_x[3], force_v[3]; /* by a share of both: first, first and second, second */
  wy_m3 force_turn[2], force_spin[2], couple_x[2], couple_v[2]; /* by a share of one vertex */
  wy_m3 couple_turn, couple_spin;
  wy_v3 couple;
} segment_slopes;

WY_INLINE void add_scaled(wy_m3 *sum, double factor, wy_m3 m) {
  *sum = wy_mplus(*sum, wy_mtimes(factor, m));
}

WY_INLINE void sum_slopes(segment_slopes *sum, const wy_push_slopes *s, double weight, double share) {
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
WY_INLINE void add_turning(wy_staggered *self, int i, wy_m3 r, wy_v3 omega, const segment_slopes *sum, bool moving) {
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

WY_INLINE void add_to_blocks(wy_staggered *self, int i, const segment_slopes *sum, bool moving) {
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      wy_door_block(self, wy_at_vertex(i + a), wy_at_vertex(i + b), 1, sum->force_x[a + b]);
      if (moving)
        wy_door_rate_block(self, wy_at_vertex(i + a), wy_at_vertex(i + b), sum->force_v[a + b]);
    }
}

WY_CLONES
static void add_segment(wy_staggered *self, const double *u, const wy_meeting *with, int i, bool moving) {
  const wy_contacts *contacts = self->base.contacts;
  const int n = self->grid.stride;
  segment_slopes sum = {0};
  const wy_v3 omega = wy_door_velocity(self, u, wy_at_segment(i));
  const wy_m3 r = wy_rotation(wy_door_frame(self, i));
  const wy_v3 v = wy_load3(u + self->grid.v, n, i), dv = difference_of(self, u, i);
  for (int j = 0; j < self->contact.per_segment; j++) {
    const int station = j * n + i;
    if (!wy_contacts_touches(contacts, station))
      continue;
    const double share = self->contact.share[j];
    const wy_spot spot = {.x = wy_load3(contacts->x, contacts->count, station),
                          .v = wy_plus(v, wy_times(share, dv)),
                          .frame = wy_door_frame(self, i),
                          .spin = wy_apply(r, omega)};
    const wy_near near = near_of(self, station, true);
    const wy_touch_law law = wy_contacts_law(contacts, with, station);
    const wy_anchor anchor = wy_contacts_anchor(contacts, with, station);
    wy_push push;
    wy_push_slopes slopes;
    wy_push_at(&law, &near, &with->carrier, &spot, &anchor, &push, &slopes);
    sum_slopes(&sum, &slopes, contacts->weight[station], share);
    sum.couple = wy_plus(sum.couple, wy_times(contacts->weight[station], wy_push_turning(&push, &slopes)));
  }
  add_to_blocks(self, i, &sum, moving);
  add_turning(self, i, r, omega, &sum, moving);
}

void wy_staggered_add_rubbing(wy_staggered *self, const double *u, wy_meeting *with, bool moving) {
  int known = 0;
  for (int i = next_touching(self, 0); i < self->grid.n; i = next_touching(self, i + 1)) {
    known = with_normals(self, with, i, known, true);
    add_segment(self, u, with, i, moving);
  }
}
