/* SPDX-License-Identifier: MIT */
/* Contact of the mixed rod: stations are Gauss points of the elements, with places and directors between those of the
   nodes, and the two end nodes, where the caps are. A step pushes by a discrete gradient (K8), an equilibrium by (K1).

   Between the nodes directors are not orthonormal. The frame of a station is the rotation next to them, d_i = V r_i
   with V symmetric; it turns by G sum r_i x dd_i, G = (tr V - V)^-1, so that a couple m acts on the directors by
   (G m) x r_i: its moment about the station is m, its work that on the rotation of the frame (X32). */
#include "model/contact.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/network.h"
#include "scheme/mixed/rod.h"

/* ---- Where stations are ---- */

static int stations_of(const wy_mixed *self) {
  double longest = 0;
  for (int e = 0; e < self->elements; e++)
    longest = fmax(longest, wy_segment_length(self->rod, e));
  const int wanted = wy_contacts_stations(self->base.model, self->base.rod, longest);
  return wanted > self->basis.order + 1 ? wanted : self->basis.order + 1;
}

void wy_mixed_layout_contact(wy_mixed *self, wy_memory *memory) {
  wy_mixed_contact *contact = &self->contact;
  if (!wy_rod_touches(self->base.model, self->base.rod))
    return;
  self->base.contacts = &contact->contacts;
  contact->per_element = stations_of(self);
  const int count = wy_padded(contact->per_element * self->elements + 2);
  wy_contacts_layout(&contact->contacts, memory, self->base.model, self->base.rod, count);
  self->correction = wy_arena_doubles(&memory->scratch, (size_t)self->base.step_size);
  contact->touching =
      wy_arena_take(&memory->scratch, (size_t)count * (size_t)wy_model_obstacle_count(self->base.model));
  contact->force = wy_arena_doubles(&memory->scratch, (size_t)self->elements * WY_MOST_NODES * WY_NODE);
}

/* An end that nothing holds has a cap. */
static bool has_cap(const wy_mixed *self, int end) {
  const wy_hold *position = self->rod->ends[end].position;
  const bool joined = wy_network_end(self->base.model, self->base.rod, (wy_end_name)end) >= 0;
  return !joined && position[0] == WY_FREE && position[1] == WY_FREE && position[2] == WY_FREE;
}

static const wy_station_type station_type;

void wy_mixed_begin_contact(wy_mixed *self) {
  wy_contacts *contacts = self->base.contacts;
  const int per = self->contact.per_element;
  double share[WY_MOST_STATIONS], weights[WY_MOST_STATIONS];
  if (!contacts)
    return;
  wy_contacts_gauss(per, share, weights);
  for (int j = 0; j < per; j++)
    self->contact.place[j] = wy_mixed_at(self->basis.order, 2 * share[j] - 1);
  for (int e = 0; e < self->elements; e++)
    for (int j = 0; j < per; j++) {
      contacts->s[per * e + j] = self->element[e].start + share[j] * self->element[e].length;
      contacts->weight[per * e + j] = weights[j] * self->element[e].length;
    }
  for (int end = 0; end < 2; end++) {
    self->contact.ends[end] = (wy_mixed_place){.n = {end == 0, end == 1}};
    contacts->s[contacts->cap + end] = self->s_node[wy_mixed_end_node(self, end)];
    contacts->weight[contacts->cap + end] = has_cap(self, end);
  }
  wy_contacts_begin(contacts, self->base.model, self->base.rod, &station_type);
}

/* The element of a station and its shape functions there. */
typedef struct seat {
  int element;
  const wy_mixed_place *at;
} seat;

static seat seat_of(const wy_mixed *self, int station) {
  const int end = station - self->base.contacts->cap, per = self->contact.per_element;
  if (end >= 0)
    return (seat){end ? self->elements - 1 : 0, &self->contact.ends[end]};
  return (seat){station / per, &self->contact.place[station % per]};
}

/* The local node beside an end: the next one of its element. */
static int beside_end(const wy_mixed *self, int end) {
  return self->basis.order == 2 ? 2 : !end;
}

/* Part 0 of the nodes is the place, 1 to 3 are directors. */
static wy_v3 between_nodes(const wy_mixed *self, const seat *on, const double *q, int part) {
  wy_v3 sum = {0, 0, 0};
  for (int a = 0; a < self->basis.nodes; a++)
    sum = wy_plus(sum,
                  wy_times(on->at->n[a], wy_at3(q + WY_NODE * wy_mixed_node(self, on->element, a) + 3 * (size_t)part)));
  return sum;
}

/* ---- Frames of stations ---- */

/* Directors between the nodes and the frame next to them. */
typedef struct section {
  wy_v3 d[3], r[3];
  wy_m3 gain;
} section;

static section section_at(const wy_mixed *self, const seat *on, const double *q) {
  section out;
  double node[WY_NODE] = {0};
  wy_m3 stretch = wy_diagonal(0);
  for (int i = 0; i < 3; i++) {
    out.d[i] = between_nodes(self, on, q, 1 + i);
    wy_put3(node + 3 + 3 * i, out.d[i]);
  }
  wy_mixed_straighten(node);
  for (int i = 0; i < 3; i++) {
    out.r[i] = wy_at3(node + 3 + 3 * i);
    stretch = wy_mplus(stretch, wy_outer(out.d[i], out.r[i]));
  }
  const double trace = stretch.a.x + stretch.b.y + stretch.c.z;
  out.gain = wy_minverse(wy_mminus(wy_diagonal(trace), stretch));
  return out;
}

static wy_q4 frame_of(const section *at) {
  double rows[9], frame[4];
  const wy_m3 columns = {at->r[0], at->r[1], at->r[2]};
  wy_to_rows(columns, rows);
  wy_qfrom_matrix(rows, frame);
  return wy_at4(frame);
}

/* The rotation of the frame while directors change by `rate`. */
static wy_v3 turn_of(const section *at, const wy_v3 rate[3]) {
  wy_v3 sum = {0, 0, 0};
  for (int i = 0; i < 3; i++)
    sum = wy_plus(sum, wy_cross(at->r[i], rate[i]));
  return wy_apply(at->gain, sum);
}

/* The change of G^-1 times a vector, while directors change by `rate` and the frame turns with them. */
static wy_v3 gain_change(const section *at, const wy_v3 rate[3], wy_v3 turn, wy_v3 a) {
  double trace = 0;
  wy_v3 sum = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const wy_v3 turned = wy_cross(turn, at->r[i]);
    trace += wy_inner(rate[i], at->r[i]);
    sum = wy_plus(sum, wy_plus(wy_times(wy_inner(at->r[i], a), rate[i]), wy_times(wy_inner(turned, a), at->d[i])));
  }
  return wy_minus(wy_times(trace, a), sum);
}

/* The change of the angular velocity, whose directors' rates are v, while directors change by `rate` and their rates by
   a multiple of it. */
static wy_v3 spin_change(const section *at, const wy_v3 v[3], wy_v3 spin, const wy_v3 rate[3], wy_v3 turn,
                         double multiple) {
  wy_v3 sum = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    sum = wy_plus(sum, wy_cross(wy_cross(turn, at->r[i]), v[i]));
    sum = wy_plus(sum, wy_times(multiple, wy_cross(at->r[i], rate[i])));
  }
  return wy_apply(at->gain, wy_minus(sum, gain_change(at, rate, turn, spin)));
}

/* ---- For all schemes ---- */

static void places(wy_system *system, const double *u, double *x) {
  const wy_mixed *self = (const wy_mixed *)system;
  const wy_contacts *contacts = system->contacts;
  const int filled = self->contact.per_element * self->elements;
  for (int i = 0; i < contacts->count; i++) {
    const bool padding = i >= filled && i < contacts->cap;
    const seat at = seat_of(self, padding ? 0 : i);
    wy_store3(x, contacts->count, i, between_nodes(self, &at, u + self->q, 0));
  }
}

static void spot_of(wy_system *system, const double *u, int station, wy_spot *spot) {
  const wy_mixed *self = (const wy_mixed *)system;
  const seat at = seat_of(self, station);
  const section here = section_at(self, &at, u + self->q);
  wy_v3 rate[3];
  for (int i = 0; i < 3; i++)
    rate[i] = between_nodes(self, &at, u + self->v, 1 + i);
  spot->x = between_nodes(self, &at, u + self->q, 0);
  spot->v = between_nodes(self, &at, u + self->v, 0);
  spot->frame = frame_of(&here);
  spot->spin = turn_of(&here, rate);
}

static wy_v3 beside_in(const wy_mixed *self, const double *q, int end) {
  const int element = end ? self->elements - 1 : 0;
  return wy_at3(q + WY_NODE * wy_mixed_node(self, element, beside_end(self, end)));
}

static wy_v3 beside(wy_system *system, const double *u, int cap) {
  const wy_mixed *self = (const wy_mixed *)system;
  return beside_in(self, u + self->q, cap);
}

static void widen(wy_v3 x, wy_v3 *low, wy_v3 *high) {
  *low = (wy_v3){fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z)};
  *high = (wy_v3){fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z)};
}

/* A parabola lies within the triangle of its ends and the point where its tangents there meet. */
static void box(wy_system *system, const double *u, wy_v3 *low, wy_v3 *high) {
  const wy_mixed *self = (const wy_mixed *)system;
  const double *q = u + self->q;
  *low = *high = wy_at3(q);
  for (int i = self->basis.order; i < self->nodes; i += self->basis.order) {
    const wy_v3 x = wy_at3(q + WY_NODE * (size_t)i);
    widen(x, low, high);
    if (self->basis.order == 2) {
      const wy_v3 ends = wy_plus(x, wy_at3(q + WY_NODE * (size_t)(i - 2)));
      widen(wy_minus(wy_times(2, wy_at3(q + WY_NODE * (size_t)(i - 1))), wy_times(0.5, ends)), low, high);
    }
  }
}

/* No shape function of a parabola is more than 1 anywhere, and their absolute values add up to 5/4 at most. */
static double speed(wy_system *system, const double *u) {
  const wy_mixed *self = (const wy_mixed *)system;
  double square = 0;
  for (int i = 0; i < self->nodes; i++) {
    const double *v = u + self->v + WY_NODE * (size_t)i;
    square = fmax(square, wy_dot3(v, v));
  }
  return 1.25 * sqrt(square);
}

static const wy_station_type station_type = {
    .places = places, .spot = spot_of, .beside = beside, .box = box, .speed = speed};

/* ---- One station ---- */

/* What an obstacle does to a station, with all that its tangent needs. */
typedef struct pushed {
  seat at;
  section left, right;              /* where forces act, and at the end of the step */
  wy_v3 director_velocity[3], spin; /* at the end of the step */
  wy_push push;
  wy_push_slopes slopes;
  wy_cap cap;
  double weight, work; /* work: of forces beside the push */
  bool rubs;
  int end; /* of a cap, else -1 */
} pushed;

/* Velocities at the end of a step, v_n+1 = 2 dq / h - v_n; those of supports where an end is held. */
static wy_v3 velocity_after(const wy_mixed *self, const seat *on, int part) {
  double sum[3] = {0};
  for (int a = 0; a < self->basis.nodes; a++) {
    const int node = wy_mixed_node(self, on->element, a);
    const int end = node == 0 ? 0 : node == self->nodes - 1 ? 1 : -1;
    for (int x = 0; x < 3; x++) {
      const int i = WY_NODE * node + 3 * part + x;
      const bool held = end >= 0 && wy_mixed_is_supported(self, end, part ? 3 : x);
      const double v = held ? self->end_velocity[end][3 * part + x]
                            : 2 * self->task.rate * (self->task.right[i] - self->from[i]) - self->velocity[i];
      sum[x] += on->at->n[a] * v;
    }
  }
  return wy_at3(sum);
}

static void push_rest(const wy_mixed *self, const wy_meeting *at, int station, const wy_touch_law *law, bool slopes,
                      pushed *out) {
  const wy_anchor anchor = wy_contacts_anchor(self->base.contacts, at, station);
  wy_spot spot = {.x = between_nodes(self, &out->at, self->task.right, 0)};
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, spot.x);
  if (out->rubs) {
    out->left = out->right = section_at(self, &out->at, self->task.right);
    spot.frame = frame_of(&out->right);
  }
  wy_push_at(law, &near, &at->carrier, &spot, &anchor, &out->push, slopes ? &out->slopes : NULL);
  if (out->end < 0)
    return;
  out->cap = wy_cap_at(law->radius, &near, out->push.energy, spot.x, beside_in(self, self->task.right, out->end));
  out->weight = out->cap.weight;
}

static wy_cap_step cap_step(const wy_mixed *self, const wy_meeting *at, int end) {
  const wy_contacts *contacts = self->base.contacts;
  const int node = WY_NODE * wy_mixed_end_node(self, end), station = contacts->cap + end;
  return (wy_cap_step){.h = self->h,
                       .radius = contacts->radius[station],
                       .form = &at->form,
                       .skin = &contacts->skin[station],
                       .carriers = {at->before_step, at->between, at->carrier},
                       .end = {wy_at3(self->from + node), wy_at3(self->task.right + node)},
                       .next = {beside_in(self, self->from, end), beside_in(self, self->task.right, end)}};
}

static void push_moving(const wy_mixed *self, const wy_meeting *at, int station, const wy_touch_law *law, bool slopes,
                        pushed *out) {
  const wy_anchor anchor = wy_contacts_anchor(self->base.contacts, at, station);
  wy_push_step step = {.h = self->h, .between = at->between, .carrier = at->carrier};
  step.before.x = between_nodes(self, &out->at, self->from, 0);
  step.middle.x = between_nodes(self, &out->at, self->task.left, 0);
  step.after.x = between_nodes(self, &out->at, self->task.right, 0);
  step.near_before = wy_carrier_near(&at->form, &at->before_step, step.before.x);
  step.near_middle = wy_carrier_near(&at->form, &at->between, step.middle.x);
  step.near_after = wy_carrier_near(&at->form, &at->carrier, step.after.x);
  if (out->rubs) {
    wy_v3 mean[3];
    out->left = section_at(self, &out->at, self->task.left);
    out->right = section_at(self, &out->at, self->task.right);
    for (int i = 0; i < 3; i++) {
      const wy_v3 change = wy_minus(out->right.d[i], between_nodes(self, &out->at, self->from, 1 + i));
      mean[i] = wy_times(self->task.rate, change);
      out->director_velocity[i] = velocity_after(self, &out->at, 1 + i);
    }
    out->spin = turn_of(&out->right, out->director_velocity);
    step.middle.spin = turn_of(&out->left, mean);
    step.after.v = velocity_after(self, &out->at, 0);
    step.after.frame = frame_of(&out->right);
    step.after.spin = out->spin;
  }
  wy_push_between(law, &step, &anchor, &out->push, slopes ? &out->slopes : NULL);
  if (out->end < 0)
    return;
  const wy_cap_step cap = cap_step(self, at, out->end);
  out->cap = wy_cap_between(&cap, &out->work);
  out->weight = out->cap.weight;
}

static void push_station(const wy_mixed *self, const wy_meeting *at, int station, bool slopes, pushed *out) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_touch_law law = wy_contacts_law(contacts, at, station);
  out->at = seat_of(self, station);
  out->rubs = law.friction > 0;
  out->weight = contacts->weight[station];
  out->end = station >= contacts->cap ? station - contacts->cap : -1;
  out->work = 0;
  if (self->contact.moving)
    push_moving(self, at, station, &law, slopes, out);
  else
    push_rest(self, at, station, &law, slopes, out);
}

/* ---- Forces ---- */

static double *force_on(const wy_mixed *self, int element, int local) {
  return self->contact.force + ((size_t)element * WY_MOST_NODES + (size_t)local) * WY_NODE;
}

static void add_push(wy_mixed *self, const pushed *by) {
  double part[3];
  const wy_v3 effective = by->rubs ? wy_apply(by->left.gain, by->push.couple) : (wy_v3){0, 0, 0};
  for (int a = 0; a < self->basis.nodes; a++) {
    double *f = force_on(self, by->at.element, a);
    const double share = by->weight * by->at.at->n[a];
    wy_put3(part, by->push.force);
    wy_add3(f, share, part);
    for (int i = 0; by->rubs && i < 3; i++) {
      wy_put3(part, wy_cross(effective, by->left.r[i]));
      wy_add3(f + 3 + 3 * i, share, part);
    }
  }
  if (by->end >= 0) {
    wy_put3(part, by->cap.on_end);
    wy_add3(force_on(self, by->at.element, by->end), 1, part);
    wy_put3(part, by->cap.on_next);
    wy_add3(force_on(self, by->at.element, beside_end(self, by->end)), 1, part);
  }
}

static unsigned char *touching(const wy_mixed *self, int meeting) {
  return self->contact.touching + (size_t)meeting * (size_t)self->base.contacts->count;
}

void wy_mixed_contact_forces(wy_mixed *self) {
  wy_mixed_contact *contact = &self->contact;
  wy_contacts *contacts = self->base.contacts;
  const double *state = self->task.right - self->q;
  contact->moving = self->task.rate > 0 && !contacts->rest;
  contact->work = contact->friction = contact->impact = 0;
  contact->rubs = false;
  contact->found = contact->moving
                       ? wy_contacts_find_between(&self->base, self->t, self->h, self->from - self->q, state)
                       : wy_contacts_find(&self->base, self->task.t, state, 0);
  if (!contact->found)
    return;
  memset(contact->force, 0, (size_t)self->elements * WY_MOST_NODES * WY_NODE * sizeof *contact->force);
  memset(contact->touching, 0, (size_t)contacts->count * (size_t)contacts->meeting_count);
  wy_contact_walk walk = {.between = contact->moving};
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

void wy_mixed_add_contact(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE]) {
  for (int a = 0; a < self->basis.nodes; a++) {
    const double *push = force_on(self, element, a);
    for (int x = 0; x < WY_NODE; x++)
      f[a][x] -= push[x];
  }
}

/* ---- Tangent ---- */

/* The forces of one column on all nodes: force and couple change, and the frame that the couple acts by. */
static void add_column(const wy_mixed *self, const pushed *by, wy_v3 force, wy_v3 couple, const wy_v3 rate[3],
                       int column, const wy_mixed_matrix *to) {
  double push[WY_NODE] = {0};
  wy_put3(push, force);
  if (by->rubs) {
    const wy_v3 effective = wy_apply(by->left.gain, by->push.couple), turn = turn_of(&by->left, rate);
    const wy_v3 change = wy_apply(by->left.gain, wy_minus(couple, gain_change(&by->left, rate, turn, effective)));
    for (int i = 0; i < 3; i++)
      wy_put3(push + 3 + 3 * i,
              wy_plus(wy_cross(change, by->left.r[i]), wy_cross(effective, wy_cross(turn, by->left.r[i]))));
  }
  for (int a = 0; a < self->basis.nodes; a++) {
    double r[WY_NODE_UNKNOWNS];
    wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, by->at.element, a), push, r);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      *wy_mixed_entry(to, 6 * a + x, column) -= by->weight * by->at.at->n[a] * r[x];
  }
}

static wy_v3 column_of(wy_m3 m, int k) {
  return k == 0 ? m.a : k == 1 ? m.b : m.c;
}

/* Slopes are by the middle of the step, where there is one: `share` of them by its end. */
static void add_translations(const wy_mixed *self, const pushed *by, const wy_mixed_matrix *to) {
  const double share = self->task.share, rate = 2 * self->task.rate;
  const wy_m3 force = wy_mplus(by->slopes.force_x, wy_mtimes(rate, by->slopes.force_v));
  const wy_m3 couple = wy_mplus(by->slopes.couple_x, wy_mtimes(rate, by->slopes.couple_v));
  const wy_v3 still[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int c = 0; c < self->basis.nodes; c++)
    for (int x = 0; x < 3; x++)
      add_column(self, by, wy_times(share * by->at.at->n[c], column_of(force, x)),
                 wy_times(share * by->at.at->n[c], column_of(couple, x)), still, 6 * c + x, to);
}

static void add_rotations(const wy_mixed *self, const pushed *by, const wy_mixed_matrix *to) {
  const double share = self->task.share;
  for (int column = 0; column < 3 * self->basis.nodes; column++) {
    const int c = column / 3, k = column % 3;
    const double *q = self->task.right + WY_NODE * wy_mixed_node(self, by->at.element, c);
    const wy_v3 axis = {k == 0, k == 1, k == 2};
    wy_v3 rate[3], left[3], spin = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
      rate[i] = wy_times(by->at.at->n[c], wy_cross(axis, wy_at3(q + 3 + 3 * i)));
      left[i] = wy_times(share, rate[i]);
    }
    const wy_v3 turn = turn_of(&by->right, rate);
    if (self->contact.moving)
      spin = spin_change(&by->right, by->director_velocity, by->spin, rate, turn, 2 * self->task.rate);
    const wy_v3 force = wy_plus(wy_apply(by->slopes.force_turn, turn), wy_apply(by->slopes.force_spin, spin));
    const wy_v3 couple = wy_plus(wy_apply(by->slopes.couple_turn, turn), wy_apply(by->slopes.couple_spin, spin));
    add_column(self, by, wy_times(share, force), wy_times(share, couple), left, 6 * c + 3 + k, to);
  }
}

static void add_block(const wy_mixed_matrix *to, int row, int column, wy_m3 block) {
  double rows[9];
  wy_to_rows(block, rows);
  for (int i = 0; i < 9; i++)
    *wy_mixed_entry(to, 6 * row + i / 3, 6 * column + i % 3) -= rows[i];
}

/* The weight of a cap moves with both nodes, and so do the forces beside the push. */
static void add_cap(const wy_mixed *self, const wy_meeting *at, const pushed *by, const wy_mixed_matrix *to) {
  const wy_cap_step step = cap_step(self, at, by->end);
  const wy_cap_slopes slopes = self->contact.moving ? wy_cap_slopes_between(&step)
                                                    : wy_cap_slopes_at(step.radius, step.form, &at->carrier, step.skin,
                                                                       step.end[1], step.next[1]);
  const int end = by->end, next = beside_end(self, end);
  const wy_v3 by_end = by->cap.by_end, by_next = by->cap.by_next, still[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  add_block(to, end, end, slopes.end_end);
  add_block(to, end, next, slopes.end_next);
  add_block(to, next, end, slopes.next_end);
  add_block(to, next, next, slopes.next_next);
  pushed unit = *by;
  unit.weight = 1;
  for (int k = 0; k < 6; k++) {
    const wy_v3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    const double change = wy_inner(k < 3 ? by_end : by_next, axis);
    add_column(self, &unit, wy_times(change, by->push.force), wy_times(change, by->push.couple), still,
               6 * (k < 3 ? end : next) + k % 3, to);
  }
}

static void add_station(const wy_mixed *self, const wy_meeting *at, int station, const wy_mixed_matrix *to) {
  pushed by;
  push_station(self, at, station, true, &by);
  add_translations(self, &by, to);
  if (by.rubs)
    add_rotations(self, &by, to);
  if (by.end >= 0)
    add_cap(self, at, &by, to);
}

void wy_mixed_contact_tangent(const wy_mixed *self, int element, const wy_mixed_matrix *matrix) {
  const wy_contacts *contacts = self->base.contacts;
  const int per = self->contact.per_element;
  for (int m = 0; m < contacts->meeting_count; m++) {
    const unsigned char *touched = touching(self, m);
    for (int i = per * element; i < per * (element + 1); i++)
      if (touched[i])
        add_station(self, &contacts->meetings[m], i, matrix);
    for (int end = 0; end < 2; end++)
      if (touched[contacts->cap + end] && element == (end ? self->elements - 1 : 0))
        add_station(self, &contacts->meetings[m], contacts->cap + end, matrix);
  }
}
