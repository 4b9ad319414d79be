/* SPDX-License-Identifier: MIT */
/* Contact of the box scheme: stations are Gauss points on the chords of the cells, and the two end nodes, where the
   caps are. Their pushes are loads on cells, forces and moments about the middles of the chords: with the velocities of
   nodes that (B3) allows the work of both is the same (B16). */
#include "model/contact.h"

#include <math.h>
#include <string.h>

#include "scheme/box/rod.h"

/* ---- Where stations are ---- */

void wy_box_layout_contact(wy_box *self, wy_memory *memory) {
  wy_box_contact *contact = &self->contact;
  wy_arena *a = &memory->scratch;
  const wy_model *model = self->base.model;
  const size_t nodes = (size_t)self->nodes, cells = (size_t)self->cells;
  double longest = 0;
  if (!wy_rod_touches(model, self->base.rod))
    return;
  for (int cell = 0; cell < self->cells; cell++)
    longest = fmax(longest, wy_segment_length(self->rod, cell));
  contact->per_cell = wy_contacts_stations(model, self->base.rod, longest);
  const int count = wy_padded(contact->per_cell * self->cells + 2);
  self->base.contacts = &contact->contacts;
  wy_contacts_layout(&contact->contacts, memory, model, self->base.rod, count);
  contact->from = wy_arena_doubles(a, 3 * nodes);
  contact->to = wy_arena_doubles(a, 3 * nodes);
  contact->known_place = wy_arena_take(a, nodes * sizeof *contact->known_place);
  contact->known_turn = wy_arena_take(a, nodes * sizeof *contact->known_turn);
  contact->load = wy_arena_take(a, cells * sizeof *contact->load);
  contact->push = wy_arena_take(a, cells * sizeof *contact->push);
  contact->before = wy_arena_take(a, cells * sizeof *contact->before);
  contact->weighed = wy_arena_take(a, cells * sizeof *contact->weighed);
  contact->touching = wy_arena_take(a, (size_t)count * (size_t)wy_model_obstacle_count(model));
  contact->correction = wy_arena_doubles(a, (size_t)self->base.step_size);
}

/* An end that nothing holds has a cap. */
static bool has_cap(const wy_box *self, int end) {
  const wy_hold *position = self->rod->ends[end].position;
  return position[0] == WY_FREE && position[1] == WY_FREE && position[2] == WY_FREE;
}

static const wy_station_type station_type;

void wy_box_begin_contact(wy_box *self) {
  wy_contacts *contacts = self->base.contacts;
  wy_box_contact *contact = &self->contact;
  const int per = contact->per_cell;
  double weights[WY_MOST_STATIONS];
  if (!contacts)
    return;
  wy_contacts_gauss(per, contact->share, weights);
  for (int i = 0; i < per * self->cells; i++) {
    const double h = self->length[i / per];
    contacts->s[i] = self->node[i / per].s + contact->share[i % per] * h;
    contacts->weight[i] = weights[i % per] * h;
  }
  for (int end = 0; end < 2; end++) {
    contacts->s[contacts->cap + end] = self->node[wy_box_end_node(self, end)].s;
    contacts->weight[contacts->cap + end] = has_cap(self, end);
  }
  wy_contacts_begin(contacts, self->base.model, self->base.rod, &station_type);
  contact->onset = INFINITY;
  for (int i = 0; i < contacts->count; i++)
    contact->onset =
        fmin(contact->onset, contacts->skin[i].onset > 0 ? contacts->skin[i].onset : contacts->skin[i].core);
}

void wy_box_touch_here(const wy_box *self, double *u) {
  if (self->base.contacts)
    memcpy(u + self->contact.place, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
}

/* The cell of a station and its place on the chord. */
typedef struct seat {
  int cell, end; /* end: of a cap, else -1 */
  double share;
} seat;

static seat seat_of(const wy_box *self, int station) {
  const int end = station - self->base.contacts->cap, per = self->contact.per_cell;
  if (end >= 0)
    return (seat){end ? self->cells - 1 : 0, end, end};
  return (seat){station / per, -1, self->contact.share[station % per]};
}

static wy_v3 between(wy_v3 a, wy_v3 b, double share) {
  return wy_plus(wy_times(1 - share, a), wy_times(share, b));
}

static wy_v3 on_chord(const seat *on, const double *place) {
  const double *a = place + 3 * (size_t)on->cell;
  return between(wy_at3(a), wy_at3(a + 3), on->share);
}

static wy_v3 chord_of(int cell, const double *place) {
  const double *a = place + 3 * (size_t)cell;
  return wy_minus(wy_at3(a + 3), wy_at3(a));
}

static void places(wy_system *system, const double *u, double *x) {
  const wy_box *self = (const wy_box *)system;
  const wy_contacts *contacts = system->contacts;
  const int stations = self->contact.per_cell * self->cells;
  for (int i = 0; i < contacts->count; i++) {
    const seat on = seat_of(self, i < stations || i >= contacts->cap ? i : 0);
    wy_store3(x, contacts->count, i, on_chord(&on, u + self->contact.place));
  }
}

/* Half way between the frames of the nodes. */
static wy_q4 middle_frame(const wy_box *self, const double *u, int cell) {
  const double *q = u + self->frame + 4 * (size_t)cell;
  const wy_q4 a = wy_at4(q), b = wy_at4(q + 4);
  const double side = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  const wy_q4 sum = wy_qplus(a, wy_qtimes(side, b));
  return wy_qtimes(1 / sqrt(wy_qsquare(sum)), sum);
}

static void spot_of(wy_system *system, const double *u, int station, wy_spot *spot) {
  const wy_box *self = (const wy_box *)system;
  const seat on = seat_of(self, station);
  wy_v3 v[2], spin[2];
  for (int i = 0; i < 2; i++) {
    const double *motion = wy_box_motion(self, u, on.cell + i);
    const wy_m3 frame = wy_box_frame(self, u, on.cell + i);
    v[i] = wy_apply(frame, wy_at3(motion));
    spin[i] = wy_apply(frame, wy_at3(motion + WY_BOX_OMEGA));
  }
  spot->x = on_chord(&on, u + self->contact.place);
  spot->frame = middle_frame(self, u, on.cell);
  spot->v = between(v[0], v[1], on.share);
  spot->spin = between(spin[0], spin[1], 0.5);
}

/* The other node of the end's cell. */
static wy_v3 beside_in(const wy_box *self, int end, const double *place) {
  return wy_at3(place + 3 * (size_t)(end ? self->cells - 1 : 1));
}

static wy_v3 beside(wy_system *system, const double *u, int cap) {
  const wy_box *self = (const wy_box *)system;
  return beside_in(self, cap, u + self->contact.place);
}

static void box(wy_system *system, const double *u, wy_v3 *low, wy_v3 *high) {
  const wy_box *self = (const wy_box *)system;
  const double *place = u + self->contact.place;
  *low = *high = wy_at3(place);
  for (int j = 1; j < self->nodes; j++) {
    const wy_v3 x = wy_at3(place + 3 * (size_t)j);
    *low = (wy_v3){fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z)};
    *high = (wy_v3){fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z)};
  }
}

static double speed(wy_system *system, const double *u) {
  const wy_box *self = (const wy_box *)system;
  double square = 0;
  for (int j = 0; j < self->nodes; j++) {
    const wy_v3 v = wy_at3(wy_box_motion(self, u, j));
    square = fmax(square, wy_inner(v, v));
  }
  return sqrt(square);
}

static const wy_station_type station_type = {
    .places = places, .spot = spot_of, .beside = beside, .box = box, .speed = speed};

/* ---- One station ---- */

/* What an obstacle does to a station. Slopes are by the state, or by the end of the step. */
typedef struct pushed {
  seat at;
  bool rubs;
  wy_push push;
  wy_push_slopes slopes;
  wy_cap cap;
  wy_cap_slopes cap_slopes;
  double weight, work; /* work: of the obstacle by what acts beside the push */
} pushed;

static void push_rest(const wy_box *self, const wy_meeting *at, int station, const wy_touch_law *law, bool slopes,
                      pushed *out) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_anchor anchor = wy_contacts_anchor(contacts, at, station);
  wy_spot spot = {.x = on_chord(&out->at, self->contact.to), .frame = {1, 0, 0, 0}};
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, spot.x);
  if (out->rubs)
    spot.frame = middle_frame(self, self->contact.config, out->at.cell);
  wy_push_at(law, &near, &at->carrier, &spot, &anchor, &out->push, slopes ? &out->slopes : NULL);
  if (out->at.end < 0)
    return;
  const wy_v3 next = beside_in(self, out->at.end, self->contact.to);
  out->cap = wy_cap_at(law->radius, &near, out->push.energy, spot.x, next);
  out->weight = out->cap.weight;
  if (slopes)
    out->cap_slopes = wy_cap_slopes_at(law->radius, &at->form, &at->carrier, &contacts->skin[station], spot.x, next);
}

static wy_cap_step cap_step(const wy_box *self, const wy_meeting *at, const wy_push_step *step, int station, int end) {
  const wy_contacts *contacts = self->base.contacts;
  return (wy_cap_step){.h = self->h,
                       .radius = contacts->radius[station],
                       .form = &at->form,
                       .skin = &contacts->skin[station],
                       .carriers = {at->before_step, at->between, at->carrier},
                       .end = {step->before.x, step->after.x},
                       .next = {beside_in(self, end, self->contact.from), beside_in(self, end, self->contact.to)}};
}

/* The motion of the section at the end of the step: what it has turned by is the mean of its nodes. */
static void set_motion(const wy_box *self, const seat *on, const wy_anchor *anchor, wy_push_step *step) {
  wy_v3 v[2], spin[2], turn[2];
  double q[4], theta[3];
  for (int i = 0; i < 2; i++) {
    const wy_box_terms *at = &self->terms[on->cell + i];
    const double *x = self->x + WY_BOX_NODE * (on->cell + i);
    v[i] = wy_apply(at->frame, wy_at3(x));
    spin[i] = wy_apply(at->frame, wy_at3(x + WY_BOX_OMEGA));
    turn[i] = wy_apply(self->frame0[on->cell + i], at->turn);
  }
  wy_put3(theta, between(turn[0], turn[1], 0.5));
  wy_qexp(theta, q);
  step->middle.spin = wy_times(1 / self->h, wy_at3(theta));
  step->after.v = between(v[0], v[1], on->share);
  step->after.spin = between(spin[0], spin[1], 0.5);
  step->after.frame = wy_qproduct(wy_at4(q), anchor->frame);
}

/* By half of what the end of the step is moved by (wy_push_between). */
static void halve(wy_push_slopes *s) {
  wy_m3 *all[] = {&s->force_x,  &s->force_turn,  &s->force_v,  &s->force_spin,
                  &s->couple_x, &s->couple_turn, &s->couple_v, &s->couple_spin};
  for (int k = 0; k < 8; k++)
    *all[k] = wy_mtimes(0.5, *all[k]);
}

static void push_moving(const wy_box *self, const wy_meeting *at, int station, const wy_touch_law *law, bool slopes,
                        pushed *out) {
  const wy_anchor anchor = wy_contacts_anchor(self->base.contacts, at, station);
  wy_push_step step = {.h = self->h, .between = at->between, .carrier = at->carrier};
  step.before.x = on_chord(&out->at, self->contact.from);
  step.after.x = on_chord(&out->at, self->contact.to);
  step.middle.x = between(step.before.x, step.after.x, 0.5);
  step.near_before = wy_carrier_near(&at->form, &at->before_step, step.before.x);
  step.near_middle = wy_carrier_near(&at->form, &at->between, step.middle.x);
  step.near_after = wy_carrier_near(&at->form, &at->carrier, step.after.x);
  if (out->rubs)
    set_motion(self, &out->at, &anchor, &step);
  wy_push_between(law, &step, &anchor, &out->push, slopes ? &out->slopes : NULL);
  if (slopes)
    halve(&out->slopes);
  if (out->at.end < 0)
    return;
  const wy_cap_step cap = cap_step(self, at, &step, station, out->at.end);
  out->cap = wy_cap_between(&cap, &out->work);
  out->weight = out->cap.weight;
  if (slopes)
    out->cap_slopes = wy_cap_slopes_between(&cap);
}

static void push_station(const wy_box *self, const wy_meeting *at, int station, bool slopes, pushed *out) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_touch_law law = wy_contacts_law(contacts, at, station);
  out->at = seat_of(self, station);
  out->rubs = law.friction > 0;
  out->weight = contacts->weight[station];
  out->work = 0;
  if (self->contact.moving)
    push_moving(self, at, station, &law, slopes, out);
  else
    push_rest(self, at, station, &law, slopes, out);
}

/* ---- Loads on cells ---- */

/* A force at a place of the chord, as force and moment per length. */
static void add_force(const wy_box *self, int cell, double share, wy_v3 force) {
  wy_box_load *push = &self->contact.push[cell];
  const wy_v3 density = wy_times(1 / self->length[cell], force);
  const wy_v3 arm = wy_times(share - 0.5, chord_of(cell, self->contact.to));
  push->space_force = wy_plus(push->space_force, density);
  push->space_moment = wy_plus(push->space_moment, wy_cross(arm, density));
}

static void add_push(wy_box *self, const pushed *by) {
  const seat *on = &by->at;
  wy_box_load *push = &self->contact.push[on->cell];
  const double share = by->weight / self->length[on->cell];
  add_force(self, on->cell, on->share, wy_times(by->weight, by->push.force));
  push->space_moment = wy_plus(push->space_moment, wy_times(share, by->push.couple));
  if (on->end < 0)
    return;
  add_force(self, on->cell, on->share, by->cap.on_end);
  add_force(self, on->cell, 1 - on->share, by->cap.on_next);
}

static unsigned char *touching(const wy_box *self, int meeting) {
  return self->contact.touching + (size_t)meeting * (size_t)self->base.contacts->count;
}

/* All pushes, once it is known what is near. */
static void push_all(wy_box *self) {
  wy_box_contact *contact = &self->contact;
  wy_contacts *contacts = self->base.contacts;
  wy_contact_walk walk = {.between = contact->moving};
  contact->work = contact->friction = contact->impact = 0;
  contact->rubs = false;
  if (!contact->found)
    return;
  memset(contact->push, 0, (size_t)self->cells * sizeof *contact->push);
  memset(contact->touching, 0, (size_t)contacts->count * (size_t)contacts->meeting_count);
  while (wy_contacts_walk(contacts, &walk)) {
    pushed by;
    push_station(self, walk.at, walk.station, false, &by);
    add_push(self, &by);
    touching(self, walk.meeting)[walk.station] = 1;
    contact->work += by.weight * by.push.work + by.work;
    contact->friction += by.weight * by.push.friction;
    contact->impact += by.weight * by.push.impact;
    contact->rubs = contact->rubs || wy_meeting_rubs(walk.at);
  }
}

void wy_box_contact_at_rest(wy_box *self, double t, const double *config) {
  wy_box_contact *contact = &self->contact;
  contact->moving = false;
  contact->config = config;
  memcpy(contact->to, config + contact->place, 3 * (size_t)self->nodes * sizeof *config);
  contact->found = wy_contacts_find(&self->base, t, config, 0);
  push_all(self);
}

void wy_box_contact_in_step(wy_box *self) {
  wy_box_contact *contact = &self->contact;
  contact->moving = true;
  contact->found = wy_contacts_find_between(&self->base, self->t, self->h, contact->from - contact->place,
                                            contact->to - contact->place);
  push_all(self);
}

void wy_box_load_contact(const wy_box *self, const wy_box_load *push, wy_box_loads *loads) {
  if (!loads->on_cells)
    memset(loads->cell, 0, (size_t)self->cells * sizeof *loads->cell);
  loads->on_cells = true;
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_load *to = &loads->cell[cell];
    to->space_force = wy_plus(to->space_force, push[cell].space_force);
    to->space_moment = wy_plus(to->space_moment, push[cell].space_moment);
  }
}

/* ---- Derivatives ---- */

static void add_to(wy_m3 *sum, double factor, wy_m3 m) {
  *sum = wy_mplus(*sum, wy_mtimes(factor, m));
}

/* A force at a place of the chord changes by these with the places of the nodes; and its moment, as the chord does. */
static void add_force_slopes(const wy_box *self, int cell, double share, wy_v3 force, const wy_m3 by[2],
                             wy_box_push_slopes *out) {
  const double per = 1 / self->length[cell], arm = per * (share - 0.5);
  const wy_v3 chord = chord_of(cell, self->contact.to);
  for (int i = 0; i < 2; i++) {
    add_to(&out->place[WY_BOX_PUSH_FORCE][i], per, by[i]);
    add_to(&out->place[WY_BOX_PUSH_MOMENT][i], arm, wy_skew_times(chord, by[i]));
    add_to(&out->place[WY_BOX_PUSH_MOMENT][i], i ? -arm : arm, wy_skew(force));
  }
}

/* The push of a station: over a step velocities change with places (B17). */
static void add_push_slopes(const wy_box *self, const pushed *by, wy_box_push_slopes *out) {
  const wy_box_contact *contact = &self->contact;
  const wy_push_slopes *s = &by->slopes;
  const double per = by->weight / self->length[by->at.cell], arm = per * (by->at.share - 0.5);
  const double shares[2] = {1 - by->at.share, by->at.share}, faster = contact->moving ? 1 / contact->reach : 0;
  const wy_m3 force = wy_mplus(s->force_x, wy_mtimes(faster, s->force_v));
  const wy_m3 couple = wy_mplus(s->couple_x, wy_mtimes(faster, s->couple_v));
  const wy_v3 chord = chord_of(by->at.cell, contact->to);
  wy_m3 places[2];
  for (int i = 0; i < 2; i++) {
    places[i] = wy_mtimes(by->weight * shares[i], force);
    add_to(&out->place[WY_BOX_PUSH_MOMENT][i], per * shares[i], couple);
  }
  add_force_slopes(self, by->at.cell, by->at.share, wy_times(by->weight, by->push.force), places, out);
  if (!by->rubs)
    return;
  add_to(&out->turn[WY_BOX_PUSH_FORCE], per, s->force_turn);
  add_to(&out->turn[WY_BOX_PUSH_MOMENT], per, s->couple_turn);
  add_to(&out->turn[WY_BOX_PUSH_MOMENT], arm, wy_skew_times(chord, s->force_turn));
  add_to(&out->spin[WY_BOX_PUSH_FORCE], per, s->force_spin);
  add_to(&out->spin[WY_BOX_PUSH_MOMENT], per, s->couple_spin);
  add_to(&out->spin[WY_BOX_PUSH_MOMENT], arm, wy_skew_times(chord, s->force_spin));
}

/* The weight of a cap moves with both nodes, and so do the forces beside the push. */
static void add_cap_slopes(const wy_box *self, const pushed *by, wy_box_push_slopes *out) {
  const seat *on = &by->at;
  const wy_cap_slopes *s = &by->cap_slopes;
  const int end = on->end, next = !end;
  const double per = 1 / self->length[on->cell];
  const wy_v3 by_weight[2] = {end ? by->cap.by_next : by->cap.by_end, end ? by->cap.by_end : by->cap.by_next};
  wy_m3 on_end[2], on_next[2];
  on_end[end] = wy_mplus(s->end_end, wy_outer(by->push.force, by_weight[end]));
  on_end[next] = wy_mplus(s->end_next, wy_outer(by->push.force, by_weight[next]));
  on_next[end] = s->next_end;
  on_next[next] = s->next_next;
  add_force_slopes(self, on->cell, on->share, by->cap.on_end, on_end, out);
  add_force_slopes(self, on->cell, 1 - on->share, by->cap.on_next, on_next, out);
  for (int i = 0; i < 2; i++)
    add_to(&out->place[WY_BOX_PUSH_MOMENT][i], per, wy_outer(by->push.couple, by_weight[i]));
}

static bool add_station(const wy_box *self, int meeting, int station, wy_box_push_slopes *out) {
  pushed by;
  if (!touching(self, meeting)[station])
    return false;
  push_station(self, &self->base.contacts->meetings[meeting], station, true, &by);
  add_push_slopes(self, &by, out);
  if (by.at.end >= 0)
    add_cap_slopes(self, &by, out);
  return true;
}

bool wy_box_contact_slopes(const wy_box *self, int cell, wy_box_push_slopes *out) {
  const wy_contacts *contacts = self->base.contacts;
  const int per = self->contact.per_cell;
  bool any = false;
  memset(out, 0, sizeof *out);
  for (int m = 0; m < contacts->meeting_count; m++) {
    for (int i = per * cell; i < per * (cell + 1); i++)
      any = add_station(self, m, i, out) || any;
    for (int end = 0; end < 2; end++)
      if (cell == (end ? self->cells - 1 : 0))
        any = add_station(self, m, contacts->cap + end, out) || any;
  }
  return any;
}
