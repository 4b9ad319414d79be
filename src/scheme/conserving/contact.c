/* SPDX-License-Identifier: MIT */
/* Contact of a conserving rod: stations are its nodes, with the parts of the rod that belong to them (C5), and the two
   end nodes once more, where the caps are. Pushes are loads on nodes, per length in space axes. */
#include "model/contact.h"

#include <math.h>
#include <string.h>

#include "scheme/conserving/block.h"

/* ---- Where stations are ---- */

void wy_conserving_layout_contact(wy_conserving *self, wy_memory *memory) {
  if (!wy_rod_touches(self->base.model, self->base.rod))
    return;
  self->base.contacts = &self->contact.contacts;
  wy_contacts_layout(self->base.contacts, memory, self->base.model, self->base.rod, wy_padded(self->nodes + 2));
}

/* A node that a support holds is the support's business. */
void wy_conserving_refresh_contact(wy_conserving *self) {
  wy_contacts *contacts = self->base.contacts;
  if (!contacts)
    return;
  for (int j = 0; j < self->nodes; j++)
    contacts->weight[j] = self->norm[j];
  for (int end = 0; end < 2; end++) {
    const bool held = self->ends[end].position;
    contacts->weight[contacts->cap + end] = !held;
    if (held)
      contacts->weight[wy_end_node(self, end)] = 0;
  }
}

static const wy_station_type station_type;

void wy_conserving_begin_contact(wy_conserving *self) {
  wy_contacts *contacts = self->base.contacts;
  if (!contacts)
    return;
  for (int j = 0; j < self->nodes; j++)
    contacts->s[j] = self->s[j];
  for (int end = 0; end < 2; end++)
    contacts->s[contacts->cap + end] = self->s[wy_end_node(self, end)];
  wy_conserving_refresh_contact(self);
  wy_contacts_begin(contacts, self->base.model, self->base.rod, &station_type);
}

static int node_of(const wy_conserving *self, int station) {
  const int cap = station - self->base.contacts->cap;
  return cap >= 0 ? wy_end_node(self, cap) : station;
}

static void places(wy_system *system, const double *u, double *x) {
  const wy_conserving *self = (const wy_conserving *)system;
  const wy_contacts *contacts = system->contacts;
  for (int i = 0; i < contacts->count; i++) {
    const int j = i >= self->nodes && i < contacts->cap ? 0 : node_of(self, i);
    wy_store3(x, contacts->count, i, wy_load3(u + self->r, self->stride, j));
  }
}

static void spot_of(wy_system *system, const double *u, int station, wy_spot *spot) {
  const wy_conserving *self = (const wy_conserving *)system;
  const int j = node_of(self, station), stride = self->stride;
  const wy_q4 q = wy_load4(u + self->q, stride, j);
  spot->x = wy_load3(u + self->r, stride, j);
  spot->frame = wy_qtimes(1 / sqrt(wy_qsquare(q)), q);
  spot->v = wy_turn(q, wy_load3(u + self->p, stride, j));
  spot->spin = wy_turn(q, wy_load3(u + self->w, stride, j));
}

static wy_v3 beside(wy_system *system, const double *u, int cap) {
  const wy_conserving *self = (const wy_conserving *)system;
  return wy_load3(u + self->r, self->stride, wy_conserving_next_node(self, cap));
}

static void box(wy_system *system, const double *u, wy_v3 *low, wy_v3 *high) {
  const wy_conserving *self = (const wy_conserving *)system;
  double least[3], most[3];
  for (int c = 0; c < 3; c++) {
    const double *x = u + self->r + c * self->stride;
    least[c] = most[c] = x[0];
    for (int j = 1; j < self->nodes; j++)
      least[c] = fmin(least[c], x[j]), most[c] = fmax(most[c], x[j]);
  }
  *low = wy_at3(least), *high = wy_at3(most);
}

static double speed(wy_system *system, const double *u) {
  const wy_conserving *self = (const wy_conserving *)system;
  double square = 0;
  for (int j = 0; j < self->nodes; j++) {
    const wy_v3 p = wy_load3(u + self->p, self->stride, j);
    square = fmax(square, wy_inner(p, p));
  }
  return sqrt(square);
}

static const wy_station_type station_type = {
    .places = places, .spot = spot_of, .beside = beside, .box = box, .speed = speed};

/* ---- Forces ---- */

/* What an obstacle does to a station: push, weight, and of a cap what acts beside it. */
typedef struct pushed {
  int node, end; /* end: of a cap, else -1 */
  wy_spot spot;
  wy_near near;
  wy_touch_law law;
  wy_push push;
  wy_push_slopes slopes;
  wy_cap cap;
  wy_cap_slopes cap_slopes; /* by the end of the step, over a step */
  double weight, cap_work;
} pushed;

/* The mean over a step (K8), with its middle as the state. */
static void push_between(wy_conserving *self, const double *u, const wy_contact_walk *walk, bool slopes, pushed *out) {
  wy_mean_push mean;
  wy_contacts_push_between(&self->base, u, walk, slopes, &mean);
  out->push = mean.push;
  out->weight = mean.weight;
  if (slopes)
    out->slopes = mean.slopes;
  if (out->end < 0)
    return;
  out->cap = mean.cap;
  out->cap_work = mean.cap_work;
  if (slopes)
    out->cap_slopes = mean.cap_slopes;
}

static void push_station(wy_conserving *self, const double *u, const wy_contact_walk *walk, bool slopes, pushed *out) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_anchor anchor = wy_contacts_anchor(contacts, walk->at, walk->station);
  *out = (pushed){.node = node_of(self, walk->station),
                  .end = walk->station >= contacts->cap ? walk->station - contacts->cap : -1};
  spot_of(&self->base, u, walk->station, &out->spot);
  if (contacts->before) {
    push_between(self, u, walk, slopes, out);
    return;
  }
  out->near = wy_carrier_near(&walk->at->form, &walk->at->carrier, out->spot.x);
  out->law = wy_contacts_law(contacts, walk->at, walk->station);
  wy_push_at(&out->law, &out->near, &walk->at->carrier, &out->spot, &anchor, &out->push, slopes ? &out->slopes : NULL);
  out->weight = contacts->weight[walk->station];
  if (out->end >= 0) {
    out->cap = wy_cap_at(out->law.radius, &out->near, out->push.energy, out->spot.x, beside(&self->base, u, out->end));
    out->weight = out->cap.weight;
  }
}

/* A force or moment on a node, per length. */
static void add_load(wy_conserving *self, int kind, int node, wy_v3 load) {
  double part[3];
  wy_put3(part, load);
  wy_add3(self->load[kind] + 3 * (size_t)node, 1 / self->norm[node], part);
}

static void push_cap(wy_conserving *self, const double *u, const wy_carrier *carrier, const pushed *by) {
  const wy_v3 forces[2] = {by->cap.on_end, by->cap.on_next};
  const int nodes[2] = {by->node, wy_conserving_next_node(self, by->end)};
  for (int k = 0; k < 2; k++) {
    const wy_v3 x = wy_load3(u + self->r, self->stride, nodes[k]);
    const wy_q4 q = wy_load4(u + self->q, self->stride, nodes[k]);
    add_load(self, 0, nodes[k], forces[k]);
    self->contact.pushed += wy_inner(forces[k], wy_turn(q, wy_load3(self->velocity, self->stride, nodes[k])));
    if (!self->base.contacts->before)
      self->contact.work += wy_inner(forces[k], wy_carrier_velocity(carrier, x));
  }
  if (self->base.contacts->before)
    self->contact.work += by->cap_work;
}

void wy_conserving_contact_forces(wy_conserving *self, double t, const double *u) {
  wy_conserving_contact *contact = &self->contact;
  wy_contact_walk walk = {0};
  contact->pushed = contact->work = contact->friction = contact->impact = 0;
  contact->found = wy_contacts_find(&self->base, t, u, 0);
  while (contact->found && wy_contacts_walk(self->base.contacts, &walk)) {
    pushed by;
    push_station(self, u, &walk, false, &by);
    add_load(self, 0, by.node, wy_times(by.weight, by.push.force));
    add_load(self, 1, by.node, wy_times(by.weight, by.push.couple));
    contact->pushed += by.weight * (wy_inner(by.push.force, by.spot.v) + wy_inner(by.push.couple, by.spot.spin));
    contact->work += by.weight * by.push.work;
    contact->friction += by.weight * by.push.friction;
    contact->impact += by.weight * by.push.impact;
    if (by.end >= 0)
      push_cap(self, u, &walk.at->carrier, &by);
  }
}

/* Loads in space axes have booked the pushes as work. */
void wy_conserving_book_contact(const wy_conserving *self, double power[WY_INTEGRALS]) {
  const wy_conserving_contact *contact = &self->contact;
  power[WY_WORK_INTEGRAL] += contact->work - contact->pushed;
  power[WY_DISSIPATION_INTEGRAL] += contact->friction + contact->impact;
  power[WY_FRICTION_INTEGRAL] += contact->friction;
  power[WY_IMPACT_INTEGRAL] += contact->impact;
}

/* ---- Derivatives ---- */

/* The space rotation of a frame by the change of its quaternion: 2 dq conj(q) / |q|^2, 3 x 4. */
static void turn_by_frame(wy_q4 q, double out[12]) {
  const double square = wy_qsquare(q);
  for (int c = 0; c < 4; c++) {
    const wy_q4 unit = {c == 0, c == 1, c == 2, c == 3};
    const wy_v3 turn = wy_times(2 / square, wy_pure(wy_qproduct(unit, wy_qconjugate(q))));
    out[c] = turn.x, out[4 + c] = turn.y, out[8 + c] = turn.z;
  }
}

/* out (3 x 4) += m times a 3 x 4 matrix. */
static void add_by_frame(wy_m3 m, const double by[12], double out[12]) {
  double rows[9];
  wy_to_rows(m, rows);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 4; c++)
      for (int k = 0; k < 3; k++)
        out[4 * i + c] += rows[3 * i + k] * by[4 * k + c];
}

/* Rows are divided by the inertia later, but for those by places. */
static void add_to_node(wy_conserving *self, const pushed *by) {
  wy_conserving_node *node = &self->node[by->node];
  const double share = by->weight / self->norm[by->node], *inertia = self->inertia + 4 * (size_t)by->node;
  const wy_m3 r = wy_rotation(by->spot.frame), back = wy_mtimes(share, wy_mtransposed(r));
  const wy_push_slopes *s = &by->slopes;
  const wy_m3 by_v[2] = {s->force_v, s->couple_v}, by_spin[2] = {s->force_spin, s->couple_spin};
  const wy_m3 by_turn[2] = {s->force_turn, s->couple_turn}, by_x[2] = {s->force_x, s->couple_x};
  double rows[9], turn[12];
  turn_by_frame(node->q, turn);
  for (int k = 0; k < 2; k++) {
    wy_to_rows(wy_mproduct(back, wy_mproduct(by_v[k], r)), rows);
    add_block(node->local, k, 0, 1, rows);
    wy_to_rows(wy_mproduct(back, wy_mproduct(by_spin[k], r)), rows);
    add_block(node->local, k, 1, 1, rows);
    /* velocities of space turn with the frame */
    const wy_m3 turned =
        wy_mminus(by_turn[k], wy_mplus(wy_times_skew(by_v[k], by->spot.v), wy_times_skew(by_spin[k], by->spot.spin)));
    add_by_frame(wy_mproduct(back, turned), turn, node->by_frame[k]);
    wy_to_rows(wy_mproduct(back, by_x[k]), rows);
    for (int i = 0; i < 9; i++)
      node->by_place.rates[k][i] += rows[i] / (k ? inertia[1 + i / 3] : inertia[0]);
  }
}

/* Adds a force or couple on node `row` by a place, in space axes, to its rates by that place. */
static void add_rates(const wy_conserving *self, int row, int kind, wy_m3 load, double rates[2][9]) {
  const wy_q4 q = self->node[row].q;
  const wy_m3 back = wy_mtransposed(wy_rotation(wy_qtimes(1 / sqrt(wy_qsquare(q)), q)));
  const double *inertia = self->inertia + 4 * (size_t)row;
  double rows[9];
  wy_to_rows(wy_mproduct(back, wy_mtimes(1 / self->norm[row], load)), rows);
  for (int i = 0; i < 9; i++)
    rates[kind][i] += rows[i] / (kind ? inertia[1 + i / 3] : inertia[0]);
}

/* The forces of a cap, and its weight, by the places of both of its nodes. */
static void add_cap(wy_conserving *self, const double *u, const wy_contact_walk *walk, const pushed *by) {
  const wy_contacts *contacts = self->base.contacts;
  const double share = contacts->before ? 2 : 1; /* the end of a step moves twice as far as its middle */
  const wy_cap_slopes slopes =
      contacts->before ? by->cap_slopes
                       : wy_cap_slopes_at(by->law.radius, &walk->at->form, &walk->at->carrier,
                                          &contacts->skin[walk->station], by->spot.x, beside(&self->base, u, by->end));
  const int end = by->node, next = wy_conserving_next_node(self, by->end);
  const wy_v3 force = wy_times(share, by->push.force), couple = wy_times(share, by->push.couple);
  double(*on_end)[9] = self->contact.caps[by->end].on_end.rates,
  (*on_next)[9] = self->contact.caps[by->end].on_next.rates;
  self->contact.caps[by->end].touches = true;
  add_rates(self, end, 0, wy_mplus(wy_mtimes(share, slopes.end_end), wy_outer(force, by->cap.by_end)),
            self->node[end].by_place.rates);
  add_rates(self, end, 1, wy_outer(couple, by->cap.by_end), self->node[end].by_place.rates);
  add_rates(self, end, 0, wy_mplus(wy_mtimes(share, slopes.end_next), wy_outer(force, by->cap.by_next)), on_end);
  add_rates(self, end, 1, wy_outer(couple, by->cap.by_next), on_end);
  add_rates(self, next, 0, wy_mtimes(share, slopes.next_end), on_next);
  add_rates(self, next, 0, wy_mtimes(share, slopes.next_next), self->node[next].by_place.rates);
}

void wy_conserving_contact_slopes(wy_conserving *self, const double *u) {
  wy_contact_walk walk = {0};
  memset(self->contact.caps, 0, sizeof self->contact.caps);
  while (self->contact.found && wy_contacts_walk(self->base.contacts, &walk)) {
    pushed by;
    push_station(self, u, &walk, true, &by);
    add_to_node(self, &by);
    if (by.end >= 0)
      add_cap(self, u, &walk, &by);
  }
  wy_contacts_keep(self->base.contacts);
}
