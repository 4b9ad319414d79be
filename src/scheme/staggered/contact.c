/* SPDX-License-Identifier: MIT */
/* Contact on the staggered grid: stations are Gauss points of the straight segments, with the frame of their segment,
   and the two end vertices, where the caps are. Pushes and their derivatives go through the door.

   Station j of segment i has the number j * stride + i, so that loops over segments run through memory. */
#include "model/contact.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/contact.h"
#include "scheme/staggered/door.h"

/* ---- Where stations are ---- */

int wy_staggered_count_stations(const wy_staggered *self) {
  const wy_rod_def *rod = self->grid.rod;
  double longest = 0;
  for (int i = 0; i < self->grid.n; i++)
    longest = fmax(longest, wy_segment_length(rod, self->grid.first + i));
  return wy_contacts_stations(self->base.model, self->base.rod, longest);
}

/* An end that nothing holds has a cap. */
static bool has_cap(const wy_staggered *self, int end) {
  const wy_hold *position = self->grid.rod->ends[end].position;
  const bool cut = end ? self->grid.to < self->grid.rod->length : self->grid.from > 0;
  return !cut && !wy_is_port(self, end) && position[0] == WY_FREE && position[1] == WY_FREE && position[2] == WY_FREE;
}

static const wy_station_type station_type;

void wy_staggered_contact_layout(wy_staggered *self, wy_memory *memory) {
  const int count = wy_padded(self->contact.per_segment * self->grid.stride + 2);
  wy_arena *scratch = &memory->scratch;
  wy_staggered_contact *own = &self->contact;
  double **const skins[] = {&own->skins.stiffness, &own->skins.onset, &own->skins.per_onset, &own->skins.core,
                            &own->skins.per_core};
  wy_contacts_layout(self->base.contacts, memory, self->base.model, self->base.rod, count);
  for (int k = 0; k < 5; k++)
    *skins[k] = wy_arena_doubles(scratch, (size_t)count);
  own->normal = wy_arena_doubles(scratch, 3 * (size_t)count);
  own->bend = wy_arena_doubles(scratch, 9 * (size_t)count);
}

void wy_staggered_contact_begin(wy_staggered *self) {
  wy_contacts *contacts = self->base.contacts;
  const int stride = self->grid.stride;
  double weights[WY_MOST_STATIONS];
  wy_contacts_gauss(self->contact.per_segment, self->contact.share, weights);
  for (int i = 0; i < contacts->count; i++)
    contacts->s[i] = self->grid.from;
  for (int j = 0; j < self->contact.per_segment; j++)
    for (int i = 0; i < self->grid.n; i++) {
      contacts->s[j * stride + i] = self->grid.s_vertex[i] + self->contact.share[j] * self->grid.h[i];
      contacts->weight[j * stride + i] = weights[j] * self->grid.h[i];
    }
  for (int end = 0; end < 2; end++) {
    contacts->s[contacts->cap + end] = self->grid.s_vertex[wy_end_vertex(&self->grid, end)];
    contacts->weight[contacts->cap + end] = has_cap(self, end);
  }
  wy_contacts_begin(contacts, self->base.model, self->base.rod, &station_type);
  for (int i = 0; i < contacts->count; i++)
    wy_skins_set(&self->contact.skins, i, &contacts->skin[i]);
}

/* The segment of a station, and the shares of its two vertices. */
typedef struct seat {
  int segment;
  double share[2];
} seat;

static seat seat_of(const wy_staggered *self, int station) {
  const int cap = station - self->base.contacts->cap;
  if (cap >= 0)
    return (seat){wy_end_segment(&self->grid, cap), {cap == WY_START, cap == WY_END}};
  const double share = self->contact.share[station / self->grid.stride];
  return (seat){station % self->grid.stride, {1 - share, share}};
}

static wy_v3 between_vertices(const double *a, int stride, const seat *at) {
  return wy_plus(wy_times(at->share[0], wy_load3(a, stride, at->segment)),
                 wy_times(at->share[1], wy_load3(a, stride, at->segment + 1)));
}

WY_CLONES
static void place_segments(const double *restrict x, int stride, int n, double share, double *restrict out, int count) {
  for (int k = 0; k < 3; k++) {
    const double *restrict from = x + k * stride;
    double *restrict to = out + k * count;
#pragma omp simd
    for (int i = 0; i < n; i++)
      to[i] = from[i] + share * (from[i + 1] - from[i]);
  }
}

static void places(wy_system *system, const double *u, double *x) {
  const wy_staggered *self = (const wy_staggered *)system;
  const wy_contacts *contacts = system->contacts;
  const int stride = self->grid.stride;
  for (int j = 0; j < self->contact.per_segment; j++)
    place_segments(u + self->grid.x, stride, self->grid.n, self->contact.share[j], x + j * stride, contacts->count);
  for (int end = 0; end < 2; end++)
    wy_store3(x, contacts->count, contacts->cap + end,
              wy_load3(u + self->grid.x, stride, wy_end_vertex(&self->grid, end)));
}

/* Unit frame and angular velocity (directors) of a segment of a state. */
static wy_q4 frame_of(const wy_staggered *self, const double *u, int i, wy_v3 *omega) {
  const int n = self->grid.stride;
  const wy_q4 p = wy_load4(u + self->grid.p, n, i);
  const double square = wy_qsquare(p);
  if (self->form->spin_components == 3)
    *omega = wy_load3(u + self->grid.w, n, i);
  else
    *omega = wy_times(2 / square, wy_pure(wy_between(p, wy_load4(u + self->grid.w, n, i))));
  return wy_qtimes(1 / sqrt(square), p);
}

static void spot_of(wy_system *system, const double *u, int station, wy_spot *spot) {
  const wy_staggered *self = (const wy_staggered *)system;
  const seat at = seat_of(self, station);
  wy_v3 omega;
  spot->frame = frame_of(self, u, at.segment, &omega);
  spot->spin = wy_apply(wy_rotation(spot->frame), omega);
  spot->x = between_vertices(u + self->grid.x, self->grid.stride, &at);
  spot->v = between_vertices(u + self->grid.v, self->grid.stride, &at);
}

static wy_v3 acceleration(wy_system *system, const double *f, int station) {
  const wy_staggered *self = (const wy_staggered *)system;
  const seat at = seat_of(self, station);
  return between_vertices(f + self->grid.v, self->grid.stride, &at);
}

static wy_v3 beside(wy_system *system, const double *u, int cap) {
  const wy_staggered *self = (const wy_staggered *)system;
  return wy_load3(u + self->grid.x, self->grid.stride, wy_next_vertex(&self->grid, cap));
}

/* All three components in one loop: each reduction alone would wait for itself. */
WY_CLONES
static void bounds(const double *restrict a, int stride, int count, wy_v3 *low, wy_v3 *high) {
  double x0 = a[0], x1 = x0, y0 = a[stride], y1 = y0, z0 = a[2 * stride], z1 = z0;
#pragma omp simd reduction(min : x0, y0, z0) reduction(max : x1, y1, z1)
  for (int i = 0; i < count; i++) {
    const double x = a[i], y = a[stride + i], z = a[2 * stride + i];
    x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
    y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
    z0 = z < z0 ? z : z0, z1 = z > z1 ? z : z1;
  }
  *low = (wy_v3){x0, y0, z0}, *high = (wy_v3){x1, y1, z1};
}

static void box(wy_system *system, const double *u, wy_v3 *low, wy_v3 *high) {
  const wy_staggered *self = (const wy_staggered *)system;
  bounds(u + self->grid.x, self->grid.stride, self->grid.n + 1, low, high);
}

static double speed(wy_system *system, const double *u) {
  const wy_staggered *self = (const wy_staggered *)system;
  double square = 0;
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_v3 v = wy_load3(u + self->grid.v, self->grid.stride, i);
    square = fmax(square, wy_inner(v, v));
  }
  return sqrt(square);
}

static const wy_station_type station_type = {
    .places = places, .spot = spot_of, .beside = beside, .acceleration = acceleration, .box = box, .speed = speed};

/* ---- Forces ---- */

static void push_at_seat(wy_staggered *self, const seat *at, double weight, wy_v3 force, wy_v3 couple) {
  for (int side = 0; side < 2; side++)
    wy_door_push(self, wy_at_vertex(at->segment + side), wy_times(weight * at->share[side], force));
  const wy_m3 r = wy_rotation(wy_door_frame(self, at->segment));
  wy_door_push(self, wy_at_segment(at->segment), wy_times(weight, wy_apply_transposed(r, couple)));
}

/* The motion of a station in the last evaluation. */
static wy_spot spot_now(const wy_staggered *self, const double *u, const seat *at) {
  wy_spot spot = {.frame = wy_door_frame(self, at->segment)};
  spot.spin = wy_apply(wy_rotation(spot.frame), wy_door_velocity(self, u, wy_at_segment(at->segment)));
  spot.x = between_vertices(u + self->grid.x, self->grid.stride, at);
  spot.v = between_vertices(u + self->grid.v, self->grid.stride, at);
  return spot;
}

/* The vertex of a cap and the one before it. */
static int cap_vertex(const wy_staggered *self, int cap, bool next) {
  return next ? wy_next_vertex(&self->grid, cap) : wy_end_vertex(&self->grid, cap);
}

/* What the potential of a cap has beside its weighted push. */
static void push_cap(wy_staggered *self, const double *u, const wy_cap *cap, int end, const wy_carrier *carrier) {
  const wy_v3 forces[2] = {cap->on_end, cap->on_next};
  for (int next = 0; next < 2; next++) {
    const int vertex = cap_vertex(self, end, next);
    const wy_v3 x = wy_load3(u + self->grid.x, self->grid.stride, vertex);
    const wy_v3 v = wy_load3(u + self->grid.v, self->grid.stride, vertex);
    wy_door_push(self, wy_at_vertex(vertex), forces[next]);
    self->contact.pushed += wy_inner(forces[next], v);
    self->contact.work += wy_inner(forces[next], wy_carrier_velocity(carrier, x));
  }
}

static void book(wy_staggered *self, double weight, const wy_push *push, wy_v3 velocity) {
  self->contact.pushed += weight * wy_inner(push->force, velocity);
  self->contact.work += weight * push->work;
  self->contact.friction += weight * push->friction;
  self->contact.impact += weight * push->impact;
}

/* The mean over a step (K8), with its middle as the state. */
static void push_between(wy_staggered *self, const double *u, const wy_contact_walk *walk) {
  const wy_contacts *contacts = self->base.contacts;
  const int cap = walk->station - contacts->cap;
  const seat at = seat_of(self, walk->station);
  wy_mean_push mean;
  wy_contacts_push_between(&self->base, u, walk, false, &mean);
  if (cap >= 0) {
    const wy_v3 forces[2] = {mean.cap.on_end, mean.cap.on_next};
    self->contact.work += mean.cap_work;
    for (int next = 0; next < 2; next++) {
      const wy_place vertex = wy_at_vertex(cap_vertex(self, cap, next));
      wy_door_push(self, vertex, forces[next]);
      self->contact.pushed += wy_inner(forces[next], wy_door_velocity(self, u, vertex));
    }
  }
  push_at_seat(self, &at, mean.weight, mean.push.force, mean.push.couple);
  book(self, mean.weight, &mean.push, between_vertices(u + self->grid.v, self->grid.stride, &at));
}

/* A station that touches, with what the obstacle does there; of a cap also its weight and what acts beside the push. */
typedef struct touching {
  int cap; /* the end, or < 0 */
  seat at;
  wy_spot spot;
  wy_touch_law law;
  wy_push push;
  double weight;
  wy_cap part;
} touching;

static touching touch_now(const wy_staggered *self, const double *u, const wy_contact_walk *walk,
                          wy_push_slopes *slopes) {
  const wy_contacts *contacts = self->base.contacts;
  const int station = walk->station;
  touching out = {.cap = station - contacts->cap, .at = seat_of(self, station), .weight = contacts->weight[station]};
  out.spot = spot_now(self, u, &out.at);
  out.law = wy_contacts_law(contacts, walk->at, station);
  const wy_near near = wy_carrier_near(&walk->at->form, &walk->at->carrier, out.spot.x);
  const wy_anchor anchor = wy_contacts_anchor(contacts, walk->at, station);
  wy_push push;
  wy_push_at(&out.law, &near, &walk->at->carrier, &out.spot, &anchor, &push, slopes);
  out.push = push;
  if (out.cap >= 0) {
    const wy_v3 next = wy_load3(u + self->grid.x, self->grid.stride, cap_vertex(self, out.cap, true));
    out.part = wy_cap_at(out.law.radius, &near, push.energy, out.spot.x, next);
    out.weight = out.part.weight;
  }
  return out;
}

static void push_station(wy_staggered *self, const double *u, const wy_contact_walk *walk) {
  const touching now = touch_now(self, u, walk, NULL);
  if (now.cap >= 0)
    push_cap(self, u, &now.part, now.cap, &walk->at->carrier);
  push_at_seat(self, &now.at, now.weight, now.push.force, now.push.couple);
  book(self, now.weight, &now.push, now.spot.v);
  self->contact.rubs = self->contact.rubs || wy_meeting_rubs(walk->at);
}

bool wy_staggered_contact_find(wy_staggered *self, double t, const double *u) {
  self->contact.pushed = self->contact.work = self->contact.friction = self->contact.impact = 0;
  self->contact.found = self->contact.rubs = false;
  if (!self->base.contacts)
    return false;
  self->contact.found = wy_contacts_find(&self->base, t, u, 0);
  wy_staggered_choose_total(self, self->contact.found);
  return self->contact.found;
}

/* At a state: segment by segment, then the caps. */
static void push_meeting(wy_staggered *self, const double *u, wy_meeting *with) {
  wy_contacts *contacts = self->base.contacts;
  wy_contacts_close_distances(contacts, with, 0);
  const bool rubs = with->law.friction > 0;
  if ((rubs ? wy_staggered_rub_segments : wy_staggered_push_segments)(self, u, with))
    self->contact.rubs = self->contact.rubs || wy_meeting_rubs(with);
  for (int end = 0; end < 2; end++)
    if (wy_contacts_touches(contacts, contacts->cap + end))
      push_station(self, u, &(wy_contact_walk){.at = with, .station = contacts->cap + end});
}

void wy_staggered_contact_forces(wy_staggered *self, const double *u) {
  wy_contacts *contacts = self->base.contacts;
  wy_contact_walk walk = {0};
  while (contacts->before && wy_contacts_walk(contacts, &walk))
    push_between(self, u, &walk);
  for (int i = 0; !contacts->before && i < contacts->meeting_count; i++)
    if (contacts->meetings[i].near)
      push_meeting(self, u, &contacts->meetings[i]);
}

/* ---- Derivatives ---- */

/* A push with its slopes turned to the frame of the segment: rotations and torques in its own axes. */
typedef struct seated_slopes {
  wy_m3 force[4], torque[4]; /* by displacement, rotation, velocity, angular velocity */
} seated_slopes;

enum { BY_X, BY_TURN, BY_V, BY_SPIN };

static seated_slopes seat_slopes(const wy_push_slopes *s, wy_m3 r, wy_v3 omega, wy_v3 couple) {
  const wy_m3 back = wy_mtransposed(r), force_spin = wy_mproduct(s->force_spin, r);
  const wy_m3 couple_spin = wy_mproduct(s->couple_spin, r);
  seated_slopes out = {.force = {s->force_x, wy_mproduct(s->force_turn, r), s->force_v, force_spin},
                       .torque = {s->couple_x, wy_mproduct(s->couple_turn, r), s->couple_v, couple_spin}};
  /* the angular velocity in space turns with the frame, and so do the axes of the torque */
  out.force[BY_TURN] = wy_mminus(out.force[BY_TURN], wy_times_skew(force_spin, omega));
  out.torque[BY_TURN] = wy_mminus(out.torque[BY_TURN], wy_times_skew(couple_spin, omega));
  for (int k = 0; k < 4; k++)
    out.torque[k] = wy_mproduct(back, out.torque[k]);
  out.torque[BY_TURN] = wy_mplus(out.torque[BY_TURN], wy_skew(wy_apply_transposed(r, couple)));
  return out;
}

static void add_seated(wy_staggered *self, const seat *at, double weight, const seated_slopes *s, bool moving) {
  const wy_place segment = wy_at_segment(at->segment);
  for (int a = 0; a < 2; a++) {
    const wy_place on = wy_at_vertex(at->segment + a);
    const double share = weight * at->share[a];
    for (int b = 0; b < 2; b++) {
      const wy_place by = wy_at_vertex(at->segment + b);
      wy_door_block(self, on, by, share * at->share[b], s->force[BY_X]);
      if (moving)
        wy_door_rate_block(self, on, by, wy_mtimes(share * at->share[b], s->force[BY_V]));
    }
    wy_door_block(self, on, segment, share, s->force[BY_TURN]);
    wy_door_block(self, segment, on, share, s->torque[BY_X]);
    if (moving) {
      wy_door_rate_block(self, on, segment, wy_mtimes(share, s->force[BY_SPIN]));
      wy_door_rate_block(self, segment, on, wy_mtimes(share, s->torque[BY_V]));
    }
  }
  wy_door_block(self, segment, segment, weight, s->torque[BY_TURN]);
  if (moving)
    wy_door_rate_block(self, segment, segment, wy_mtimes(weight, s->torque[BY_SPIN]));
}

/* The weight of a cap moves with both vertices, and so do the forces beside the push. */
static void add_cap(wy_staggered *self, int end, const wy_cap *cap, const wy_cap_slopes *slopes, const wy_push *push,
                    double factor) {
  const int segment = wy_end_segment(&self->grid, end),
            vertices[2] = {cap_vertex(self, end, 0), cap_vertex(self, end, 1)};
  const wy_v3 by[2] = {cap->by_end, cap->by_next};
  const wy_v3 torque = wy_apply_transposed(wy_rotation(wy_door_frame(self, segment)), push->couple);
  const wy_m3 beside_push[2][2] = {{slopes->end_end, slopes->end_next}, {slopes->next_end, slopes->next_next}};
  for (int b = 0; b < 2; b++) {
    wy_door_block(self, wy_at_vertex(vertices[0]), wy_at_vertex(vertices[b]), factor, wy_outer(push->force, by[b]));
    wy_door_block(self, wy_at_segment(segment), wy_at_vertex(vertices[b]), factor, wy_outer(torque, by[b]));
    for (int a = 0; a < 2; a++)
      wy_door_block(self, wy_at_vertex(vertices[a]), wy_at_vertex(vertices[b]), factor, beside_push[a][b]);
  }
}

static void add_between(wy_staggered *self, const double *u, const wy_contact_walk *walk) {
  const wy_contacts *contacts = self->base.contacts;
  const int cap = walk->station - contacts->cap;
  const seat at = seat_of(self, walk->station);
  wy_mean_push mean;
  wy_contacts_push_between(&self->base, u, walk, true, &mean);
  if (cap >= 0)
    add_cap(self, cap, &mean.cap, &mean.cap_slopes, &mean.push, 2);
  const seated_slopes seated = seat_slopes(&mean.slopes, wy_rotation(wy_door_frame(self, at.segment)),
                                           wy_door_velocity(self, u, wy_at_segment(at.segment)), mean.push.couple);
  add_seated(self, &at, mean.weight, &seated, true);
}

static void add_station(wy_staggered *self, const double *u, const wy_contact_walk *walk, bool moving) {
  wy_push_slopes slopes;
  const touching now = touch_now(self, u, walk, &slopes);
  if (now.cap >= 0) {
    const wy_cap_slopes of_cap = wy_cap_slopes_at(now.law.radius, &walk->at->form, &walk->at->carrier, &now.law.skin,
                                                  now.spot.x, beside(&self->base, u, now.cap));
    add_cap(self, now.cap, &now.part, &of_cap, &now.push, 1);
  }
  const wy_v3 omega = wy_door_velocity(self, u, wy_at_segment(now.at.segment));
  const seated_slopes seated =
      seat_slopes(&slopes, wy_rotation(now.spot.frame), omega, wy_push_turning(&now.push, &slopes));
  add_seated(self, &now.at, now.weight, &seated, moving);
}

static void add_meeting(wy_staggered *self, const double *u, wy_meeting *with, bool moving) {
  wy_contacts *contacts = self->base.contacts;
  wy_contacts_close_distances(contacts, with, 0);
  (with->law.friction > 0 ? wy_staggered_add_rubbing : wy_staggered_add_segments)(self, u, with, moving);
  for (int end = 0; end < 2; end++)
    if (wy_contacts_touches(contacts, contacts->cap + end))
      add_station(self, u, &(wy_contact_walk){.at = with, .station = contacts->cap + end}, moving);
}

void wy_staggered_contact_blocks(wy_staggered *self, const double *u, bool moving) {
  wy_contacts *contacts = self->base.contacts;
  wy_contact_walk walk = {0};
  const bool found = self->contact.found, between = contacts->before != NULL;
  while (found && between && wy_contacts_walk(contacts, &walk))
    add_between(self, u, &walk);
  for (int i = 0; found && !between && i < contacts->meeting_count; i++)
    if (contacts->meetings[i].near)
      add_meeting(self, u, &contacts->meetings[i], moving);
  if (moving)
    wy_contacts_keep(contacts);
}
