/* SPDX-License-Identifier: MIT */
/* What a staggered rod and bodies whose obstacles it touches do to each other: the load on the body, derivatives of all
   that both feel by the motion of both, and loads on the rod in linear systems. docs/theory/contact.md. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/ports.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/saddle.h"

/* ---- What acts at a station ---- */

enum { BY_PLACE, BY_TURN, BY_VELOCITY, BY_SPIN, MOTIONS };

/* A station that touches: forces on two vertices and the couple on a segment, space axes, with derivatives by the
   motion of both vertices, of the segment and of the body. */
typedef struct grip {
  int vertex[2], segment;
  wy_v3 x[2], force[2], couple;
  wy_m3 force_x[2][2], force_v[2][2], force_turn[2], force_spin[2]; /* [on][by] */
  wy_m3 couple_x[2], couple_v[2], couple_turn, couple_spin;
  wy_m3 force_body[2][MOTIONS], couple_body[MOTIONS];
} grip;

/* A push with all that its station has in common. */
typedef struct station {
  double share[2], weight;
  wy_push push;
  wy_push_slopes slopes;
  wy_carried_slopes carried;
  wy_cap cap;
  wy_cap_slopes cap_slopes;
  double factor; /* of derivatives of the cap: the end of a step moves twice as far as its middle */
} station;

/* The next station that touches an obstacle on the body. */
static bool next_station(const wy_staggered *self, int body, wy_contact_walk *walk) {
  while (wy_contacts_walk(self->base.contacts, walk)) {
    if (walk->at->pushed && walk->at->body == body)
      return true;
    walk->meeting++, walk->next = 0, walk->seen = false;
  }
  return false;
}

static void seat(const wy_staggered *self, const double *u, int number, grip *out, station *at) {
  const wy_contacts *contacts = self->base.contacts;
  const int cap = number - contacts->cap, n = self->grid.stride;
  if (cap >= 0) {
    out->segment = wy_end_segment(&self->grid, cap);
    out->vertex[0] = wy_end_vertex(&self->grid, cap), out->vertex[1] = wy_next_vertex(&self->grid, cap);
    at->share[0] = 1, at->share[1] = 0;
  } else {
    out->segment = out->vertex[0] = number % n;
    out->vertex[1] = out->vertex[0] + 1;
    at->share[1] = self->contact.share[number / n], at->share[0] = 1 - at->share[1];
  }
  for (int k = 0; k < 2; k++)
    out->x[k] = wy_load3(u + self->grid.x, n, out->vertex[k]);
}

/* At a state. */
static void push_now(wy_staggered *self, const double *u, const wy_contact_walk *walk, const wy_spot *body,
                     const grip *on, station *at) {
  const wy_contacts *contacts = self->base.contacts;
  const wy_touch_law law = wy_contacts_law(contacts, walk->at, walk->station);
  const wy_anchor anchor = wy_contacts_anchor(contacts, walk->at, walk->station);
  wy_spot spot;
  contacts->type->spot(&self->base, u, walk->station, &spot);
  const wy_near near = wy_carrier_near(&walk->at->form, &walk->at->carrier, spot.x);
  wy_push_at(&law, &near, &walk->at->carrier, &spot, &anchor, &at->push, body ? &at->slopes : NULL);
  if (body)
    wy_push_carried(&law, &near, &walk->at->carrier, body, &spot, &anchor, &at->push, &at->slopes, &at->carried);
  at->weight = contacts->weight[walk->station], at->factor = 1;
  if (walk->station < contacts->cap)
    return;
  at->cap = wy_cap_at(law.radius, &near, at->push.energy, on->x[0], on->x[1]);
  at->weight = at->cap.weight;
  if (body)
    at->cap_slopes = wy_cap_slopes_at(law.radius, &walk->at->form, &walk->at->carrier, &law.skin, on->x[0], on->x[1]);
}

/* Over a step (K8), whose derivatives serve Newton's method alone: by the body they are those of its middle. */
static void push_between(wy_staggered *self, const double *u, const wy_contact_walk *walk, const wy_spot *body,
                         station *at) {
  const wy_contacts *contacts = self->base.contacts;
  wy_mean_push mean;
  wy_contacts_push_between(&self->base, u, walk, body != NULL, &mean);
  at->push = mean.push, at->weight = mean.weight, at->factor = 2;
  at->cap = mean.cap;
  if (!body)
    return;
  const wy_touch_law law = wy_contacts_law(contacts, walk->at, walk->station);
  const wy_anchor anchor = wy_contacts_anchor(contacts, walk->at, walk->station);
  wy_spot spot;
  contacts->type->spot(&self->base, u, walk->station, &spot);
  const wy_near near = wy_carrier_near(&walk->at->form, &walk->at->between, spot.x);
  at->slopes = mean.slopes, at->cap_slopes = mean.cap_slopes;
  wy_push_carried(&law, &near, &walk->at->between, body, &spot, &anchor, &at->push, &at->slopes, &at->carried);
}

static void spread_slopes(const station *at, grip *out) {
  for (int a = 0; a < 2; a++) {
    const double one = at->weight * at->share[a];
    for (int b = 0; b < 2; b++) {
      out->force_x[a][b] = wy_mtimes(one * at->share[b], at->slopes.force_x);
      out->force_v[a][b] = wy_mtimes(one * at->share[b], at->slopes.force_v);
    }
    out->force_turn[a] = wy_mtimes(one, at->slopes.force_turn),
    out->force_spin[a] = wy_mtimes(one, at->slopes.force_spin);
    out->couple_x[a] = wy_mtimes(one, at->slopes.couple_x), out->couple_v[a] = wy_mtimes(one, at->slopes.couple_v);
    for (int k = 0; k < MOTIONS; k++)
      out->force_body[a][k] = wy_mtimes(one, at->carried.force[k]);
  }
  out->couple_turn = wy_mtimes(at->weight, at->slopes.couple_turn);
  out->couple_spin = wy_mtimes(at->weight, at->slopes.couple_spin);
  for (int k = 0; k < MOTIONS; k++)
    out->couple_body[k] = wy_mtimes(at->weight, at->carried.couple[k]);
}

static void add(wy_m3 *sum, double factor, wy_m3 m) {
  *sum = wy_mplus(*sum, wy_mtimes(factor, m));
}

/* The weight of a cap moves with both vertices and against the body, and so does what acts beside the push. */
static void add_cap_slopes(const station *at, const wy_spot *body, grip *out) {
  const wy_v3 by[2] = {at->cap.by_end, at->cap.by_next}, beside[2] = {at->cap.on_end, at->cap.on_next};
  const wy_m3 slopes[2][2] = {{at->cap_slopes.end_end, at->cap_slopes.end_next},
                              {at->cap_slopes.next_end, at->cap_slopes.next_next}};
  wy_v3 by_place = {0, 0, 0}, by_turn = {0, 0, 0};
  for (int b = 0; b < 2; b++) {
    const wy_v3 arm = wy_minus(out->x[b], body->x);
    by_place = wy_minus(by_place, by[b]);
    by_turn = wy_minus(by_turn, wy_cross(arm, by[b]));
    add(&out->force_x[0][b], at->factor, wy_outer(at->push.force, by[b]));
    add(&out->couple_x[b], at->factor, wy_outer(at->push.couple, by[b]));
    for (int a = 0; a < 2; a++) {
      add(&out->force_x[a][b], at->factor, slopes[a][b]);
      add(&out->force_body[a][BY_PLACE], -at->factor, slopes[a][b]);
      add(&out->force_body[a][BY_TURN], at->factor, wy_times_skew(slopes[a][b], arm));
    }
  }
  for (int a = 0; a < 2; a++)
    add(&out->force_body[a][BY_TURN], -1, wy_skew(beside[a]));
  add(&out->force_body[0][BY_PLACE], at->factor, wy_outer(at->push.force, by_place));
  add(&out->force_body[0][BY_TURN], at->factor, wy_outer(at->push.force, by_turn));
  add(&out->couple_body[BY_PLACE], at->factor, wy_outer(at->push.couple, by_place));
  add(&out->couple_body[BY_TURN], at->factor, wy_outer(at->push.couple, by_turn));
}

/* What a station does; with a body also all derivatives. */
static void take_hold(wy_staggered *self, const double *u, const wy_contact_walk *walk, const wy_spot *body,
                      grip *out) {
  station at = {.weight = 0};
  const bool cap = walk->station >= self->base.contacts->cap;
  seat(self, u, walk->station, out, &at);
  if (self->base.contacts->before)
    push_between(self, u, walk, body, &at);
  else
    push_now(self, u, walk, body, out, &at);
  for (int k = 0; k < 2; k++)
    out->force[k] = wy_times(at.weight * at.share[k], at.push.force);
  out->couple = wy_times(at.weight, at.push.couple);
  if (cap) {
    out->force[0] = wy_plus(out->force[0], at.cap.on_end);
    out->force[1] = wy_plus(out->force[1], at.cap.on_next);
  }
  if (!body)
    return;
  spread_slopes(&at, out);
  if (cap)
    add_cap_slopes(&at, body, out);
}

/* ---- The load on a body ---- */

int wy_staggered_cells(const wy_system *system) {
  return ((const wy_staggered *)system)->grid.n + 1;
}

void wy_staggered_press(wy_system *system, const double *u, int body, wy_v3 about, wy_v3 *force, wy_v3 *moment) {
  wy_staggered *self = (wy_staggered *)system;
  wy_contact_walk walk = {0};
  *force = *moment = (wy_v3){0, 0, 0};
  if (!self->contact.found)
    return;
  u = wy_staggered_seat(self, u, false);
  while (next_station(self, body, &walk)) {
    grip on;
    take_hold(self, u, &walk, NULL, &on);
    for (int k = 0; k < 2; k++) {
      *force = wy_minus(*force, on.force[k]);
      *moment = wy_minus(*moment, wy_cross(wy_minus(on.x[k], about), on.force[k]));
    }
    *moment = wy_minus(*moment, on.couple);
  }
}

/* ---- Derivatives ---- */

/* Adds a block of three rows to six rows by a motion. */
static void add_block(double rows[6][12], int row, int motion, wy_m3 m) {
  double values[9];
  wy_to_rows(m, values);
  for (int k = 0; k < 9; k++)
    rows[row + k / 3][3 * motion + k % 3] += values[k];
}

/* Force and torque on the body, which a change of forces on both vertices and of the couple brings. */
static void add_to_body(const grip *on, const wy_spot *body, wy_m3 back, const wy_m3 force[2], const wy_m3 *couple,
                        int motion, double rows[6][12]) {
  wy_m3 moment = couple ? *couple : wy_diagonal(0);
  for (int a = 0; a < 2; a++) {
    add_block(rows, 0, motion, wy_mtimes(-1, force[a]));
    moment = wy_mplus(moment, wy_skew_times(wy_minus(on->x[a], body->x), force[a]));
  }
  add_block(rows, 3, motion, wy_mtimes(-1, wy_mproduct(back, moment)));
}

static void add_by_body(const grip *on, const wy_spot *body, wy_m3 r, wy_m3 frame, wy_touched_cell *cells,
                        double own[6][12]) {
  const wy_m3 back = wy_mtransposed(r), frame_back = wy_mtransposed(frame);
  for (int k = 0; k < MOTIONS; k++) { /* rotations of the body in its own axes */
    const wy_m3 axes = k == BY_TURN || k == BY_SPIN ? r : wy_diagonal(1);
    const wy_m3 force[2] = {wy_mproduct(on->force_body[0][k], axes), wy_mproduct(on->force_body[1][k], axes)};
    const wy_m3 couple = wy_mproduct(on->couple_body[k], axes);
    for (int a = 0; a < 2; a++)
      add_block(cells[on->vertex[a]].load_by_body, 0, k, force[a]);
    add_block(cells[on->segment].load_by_body, 3, k, wy_mproduct(frame_back, couple));
    add_to_body(on, body, back, force, &couple, k, own);
  }
  /* the arm ends at the body, and the axes of its torque turn */
  const wy_v3 sum = wy_plus(on->force[0], on->force[1]);
  wy_v3 moment = on->couple;
  for (int a = 0; a < 2; a++)
    moment = wy_plus(moment, wy_cross(wy_minus(on->x[a], body->x), on->force[a]));
  add_block(own, 3, BY_PLACE, wy_mtimes(-1, wy_mproduct(back, wy_skew(sum))));
  add_block(own, 3, BY_TURN, wy_mtimes(-1, wy_mproduct(back, wy_mproduct(wy_skew(moment), r))));
}

static void add_by_cells(const grip *on, const wy_spot *body, wy_m3 r, wy_m3 frame, wy_v3 omega,
                         wy_touched_cell *cells) {
  const wy_m3 back = wy_mtransposed(r);
  for (int b = 0; b < 2; b++) {
    double(*rows)[12] = cells[on->vertex[b]].body_by_cell;
    const wy_m3 by_x[2] = {on->force_x[0][b], on->force_x[1][b]}, by_v[2] = {on->force_v[0][b], on->force_v[1][b]};
    add_to_body(on, body, back, by_x, &on->couple_x[b], BY_PLACE, rows);
    add_to_body(on, body, back, by_v, &on->couple_v[b], BY_VELOCITY, rows);
    add_block(rows, 3, BY_PLACE, wy_mproduct(back, wy_skew(on->force[b])));
  }
  /* rotations of the segment in its own axes; the angular velocity in space turns with it */
  double(*rows)[12] = cells[on->segment].body_by_cell;
  wy_m3 spin[2], turn[2];
  for (int a = 0; a < 2; a++) {
    spin[a] = wy_mproduct(on->force_spin[a], frame);
    turn[a] = wy_mminus(wy_mproduct(on->force_turn[a], frame), wy_times_skew(spin[a], omega));
  }
  const wy_m3 couple_spin = wy_mproduct(on->couple_spin, frame);
  const wy_m3 couple_turn = wy_mminus(wy_mproduct(on->couple_turn, frame), wy_times_skew(couple_spin, omega));
  add_to_body(on, body, back, turn, &couple_turn, BY_TURN, rows);
  add_to_body(on, body, back, spin, &couple_spin, BY_SPIN, rows);
}

bool wy_staggered_touch_blocks(wy_system *system, const double *u, int body, const wy_spot *at, wy_touched_cell *cells,
                               double own[6][12]) {
  wy_staggered *self = (wy_staggered *)system;
  const wy_m3 r = wy_rotation(at->frame);
  wy_contact_walk walk = {0};
  bool any = false;
  memset(cells, 0, ((size_t)self->grid.n + 1) * sizeof *cells);
  memset(own, 0, 72 * sizeof(double));
  if (!self->contact.found)
    return false;
  u = wy_staggered_seat(self, u, false);
  while (next_station(self, body, &walk)) {
    grip on;
    wy_spot spot;
    any = true;
    take_hold(self, u, &walk, at, &on);
    self->base.contacts->type->spot(system, u, walk.station, &spot);
    const wy_m3 frame = wy_rotation(spot.frame);
    add_by_body(&on, at, r, frame, cells, own);
    add_by_cells(&on, at, r, frame, wy_apply_transposed(frame, spot.spin), cells);
  }
  return any;
}

/* ---- Linear systems ---- */

void wy_staggered_load(wy_system *system, const double (*re)[6], const double (*im)[6]) {
  wy_staggered *self = (wy_staggered *)system;
  self->ports.loads = re, self->ports.loads_im = im;
}

static void add_cells(const wy_staggered *self, int cell, const double (*loads)[6], double *packed) {
  for (int i = 0; i <= self->grid.n; i++) {
    const int end = i == 0 ? WY_START : i == self->grid.n ? WY_END : -1;
    for (int k = 0; k < 6; k++)
      if (k < 3 ? end < 0 || !wy_is_held(self, end, k) : i < self->grid.n)
        packed[cell * i + k] += loads[i][k];
  }
}

void wy_staggered_add_loads(const wy_staggered *self, const double (*loads)[6], double *packed) {
  add_cells(self, self->form->cell, loads, packed);
}

void wy_staggered_rest_load(const wy_system *system, const double (*loads)[6], double *d) {
  add_cells((const wy_staggered *)system, WY_SADDLE_CELL, loads, d);
}

void wy_staggered_motion(const wy_system *system, const double *b, double (*out)[12]) {
  const wy_staggered *self = (const wy_staggered *)system;
  const int n = self->grid.stride;
  memset(out, 0, ((size_t)self->grid.n + 1) * sizeof *out);
  for (int i = 0; i <= self->grid.n; i++) {
    wy_put3(out[i], wy_load3(b + self->grid.x, n, i));
    wy_put3(out[i] + 6, wy_load3(b + self->grid.v, n, i));
    if (i == self->grid.n)
      continue;
    const wy_q4 p = wy_load4(self->linear.p, n, i), dp = wy_load4(b + self->grid.p, n, i);
    wy_put3(out[i] + 3, wy_times(2 / wy_qsquare(p), wy_pure(wy_between(p, dp))));
    wy_put3(out[i] + 9, wy_load3(b + self->grid.w, n, i));
  }
}

void wy_staggered_rest_motion(const wy_system *system, const double *d, double (*out)[12]) {
  const wy_staggered *self = (const wy_staggered *)system;
  memset(out, 0, ((size_t)self->grid.n + 1) * sizeof *out);
  for (int i = 0; i <= self->grid.n; i++)
    memcpy(out[i], d + WY_SADDLE_CELL * (size_t)i, (i < self->grid.n ? 6 : 3) * sizeof *d);
}
