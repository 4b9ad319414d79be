/* SPDX-License-Identifier: MIT */
/* Contact over a step of generalised alpha: where nodes will be, by their own velocities, and how a push moves the rod
   (B17), (B18). */
#include <math.h>
#include <string.h>

#include "scheme/box/cell.h"

/* ---- Beginning ---- */

/* What the method makes of a rate and the rates kept so far: the part of a way that does not depend on the rate at the
   end of the step, whose own factor is `reach`. */
static wy_v3 known_part(const wy_box *self, wy_v3 rate0, wy_v3 kept) {
  const wy_box_weights *w = &self->task;
  const wy_v3 old = wy_minus(wy_times(w->beta, rate0), wy_times(w->alpha, kept));
  return wy_times(self->h, wy_plus(wy_times(w->gamma / (1 - w->alpha), old), wy_times(1 - w->gamma, kept)));
}

/* Of the way between the two places of a node, in a step of the usual length all. A very short step begins a motion and
   is taken back. */
static double made_good(const wy_box *self) {
  return self->starting ? 0 : isfinite(self->usual) ? fmin(self->h / self->usual, 1) : 1;
}

void wy_box_contact_open(wy_box *self, const double *u) {
  wy_box_contact *contact = &self->contact;
  const double back = made_good(self);
  double kept = 0;
  contact->reach = self->h * self->task.gamma * (1 - self->task.beta) / (1 - self->task.alpha);
  self->turning = contact->reach;
  memcpy(contact->from, u + contact->place, 3 * (size_t)self->nodes * sizeof *u);
  for (int j = 0; j < self->nodes; j++) {
    const double *x = self->x0 + WY_BOX_NODE * j, *rate = u + contact->rate + WY_BOX_TOUCH_RATE * (size_t)j;
    const wy_v3 from = wy_at3(contact->from + 3 * (size_t)j);
    const wy_v3 astray = wy_minus(wy_at3(u + self->position + 3 * (size_t)j), from);
    const wy_v3 way = known_part(self, wy_apply(self->frame0[j], wy_at3(x)), wy_at3(rate));
    contact->known_place[j] = wy_plus(wy_plus(from, wy_times(back, astray)), way);
    contact->known_turn[j] = known_part(self, wy_at3(x + WY_BOX_OMEGA), wy_at3(rate + 3));
  }
  for (int i = 0; !self->starting && i < WY_BOX_TOUCH_PUSH * self->cells; i++)
    kept = fmax(kept, fabs(u[contact->kept + i]));
  contact->remembers = kept > 0;
  for (int cell = 0; cell < self->cells; cell++) {
    const double *push = u + contact->kept + WY_BOX_TOUCH_PUSH * (size_t)cell;
    contact->before[cell] = (wy_box_load){.space_force = wy_at3(push), .space_moment = wy_at3(push + 3)};
  }
  contact->loaded = self->loads[1].on_cells;
  if (contact->loaded)
    memcpy(contact->load, self->loads[1].cell, (size_t)self->cells * sizeof *contact->load);
}

/* ---- Forces ---- */

/* The factors of the push and of what is kept in (B18). */
static double push_factor(const wy_box *self) {
  return (1 - self->task.alpha) / self->task.gamma;
}

static double kept_factor(const wy_box *self) {
  return self->task.alpha - (1 - self->task.alpha) * (1 - self->task.gamma) / self->task.gamma;
}

static wy_box_load combine(double a, const wy_box_load *x, double b, const wy_box_load *y) {
  return (wy_box_load){.space_force = wy_plus(wy_times(a, x->space_force), wy_times(b, y->space_force)),
                       .space_moment = wy_plus(wy_times(a, x->space_moment), wy_times(b, y->space_moment))};
}

/* Loads of the end of the step without contact. */
static void lift(wy_box *self) {
  const wy_box_contact *contact = &self->contact;
  self->loads[1].on_cells = contact->loaded;
  if (contact->loaded)
    memcpy(self->loads[1].cell, contact->load, (size_t)self->cells * sizeof *contact->load);
}

void wy_box_contact_forces(wy_box *self) {
  static const wy_box_load none;
  wy_box_contact *contact = &self->contact;
  for (int j = 0; j < self->nodes; j++) {
    const wy_v3 v = wy_apply(self->terms[j].frame, wy_at3(self->x + WY_BOX_NODE * j));
    wy_put3(contact->to + 3 * (size_t)j, wy_plus(contact->known_place[j], wy_times(contact->reach, v)));
  }
  lift(self);
  wy_box_contact_in_step(self);
  contact->acts = contact->found || contact->remembers;
  if (!contact->acts)
    return;
  for (int cell = 0; cell < self->cells; cell++)
    contact->weighed[cell] = combine(push_factor(self), contact->found ? &contact->push[cell] : &none,
                                     contact->remembers ? kept_factor(self) : 0, &contact->before[cell]);
  wy_box_load_contact(self, contact->weighed, &self->loads[1]);
}

void wy_box_contact_before(const wy_box *self, int cell, wy_v3 *force, wy_v3 *moment) {
  const wy_m3 e = self->before[cell].e;
  wy_v3 f[2], m[2];
  for (int end = 0; end < 2; end++)
    load_in_body(&self->contact.weighed[cell], self->frame0[cell + end], &f[end], &m[end]);
  *force = wy_plus(*force, wy_times(0.5, join(e, f[1], f[0])));
  *moment = wy_plus(*moment, wy_times(0.5, join(e, m[1], m[0])));
}

/* ---- Derivatives ---- */

/* d(rotation in space) / d(rotation vector in space) */
static wy_m3 turn_change(const wy_box *self, int cell) {
  const wy_v3 a = wy_apply(self->frame0[cell], self->terms[cell].turn);
  const wy_v3 b = wy_apply(self->frame0[cell + 1], self->terms[cell + 1].turn);
  const wy_box_turn twice = wy_box_turn_of(wy_plus(a, b)); /* their mean, doubled */
  return wy_box_tangent(&twice);
}

bool wy_box_contact_by_motion(const wy_box *self, int cell, wy_m3 out[WY_BOX_PUSHES][4]) {
  const wy_box_contact *contact = &self->contact;
  wy_box_push_slopes slopes;
  if (!wy_box_contact_slopes(self, cell, &slopes))
    return false;
  const wy_m3 turn = turn_change(self, cell);
  for (int i = 0; i < 2; i++) {
    const int node = cell + i;
    const double *x = self->x + WY_BOX_NODE * node;
    const wy_m3 frame = self->terms[node].frame, change = frame_change(self, node);
    const wy_m3 v = wy_mtimes(-1, wy_mproduct(frame, wy_skew_times(wy_at3(x), change)));
    const wy_m3 spin = wy_mminus(frame, wy_mproduct(frame, wy_skew_times(wy_at3(x + WY_BOX_OMEGA), change)));
    const wy_m3 turned = wy_mproduct(turn, wy_mtimes(contact->reach, self->frame0[node]));
    for (int k = 0; k < WY_BOX_PUSHES; k++) {
      const wy_m3 place = wy_mtimes(push_factor(self) * contact->reach, slopes.place[k][i]);
      const wy_m3 rotation = wy_mplus(wy_mproduct(slopes.turn[k], turned), wy_mproduct(slopes.spin[k], spin));
      out[k][2 * i] = wy_mproduct(place, frame);
      out[k][2 * i + 1] = wy_mplus(wy_mproduct(place, v), wy_mtimes(0.5 * push_factor(self), rotation));
    }
  }
  return true;
}

/* ---- End ---- */

/* The rate that the method keeps. */
static wy_v3 kept_rate(const wy_box *self, wy_v3 rate, wy_v3 rate0, wy_v3 kept) {
  const wy_box_weights *w = &self->task;
  const wy_v3 mean = wy_plus(wy_times(1 - w->beta, rate), wy_times(w->beta, rate0));
  return wy_times(1 / (1 - w->alpha), wy_minus(mean, wy_times(w->alpha, kept)));
}

wy_v3 wy_box_contact_way(const wy_box *self, int node, const double *u) {
  const double *x = self->x + WY_BOX_NODE * node, *x0 = self->x0 + WY_BOX_NODE * node;
  const wy_v3 v0 = wy_apply(self->frame0[node], wy_at3(x0)), v = wy_apply(self->terms[node].frame, wy_at3(x));
  const wy_v3 known = known_part(self, v0, wy_at3(u + self->contact.rate + WY_BOX_TOUCH_RATE * (size_t)node));
  return wy_plus(known, wy_times(self->contact.reach, v));
}

void wy_box_contact_keep(const wy_box *self, double *u) {
  static const wy_box_load none;
  const wy_box_contact *contact = &self->contact;
  const double gamma = self->task.gamma, negligible = 1e-20 * self->scales.force / self->scales.length;
  for (int j = 0; j < self->nodes; j++) {
    const double *x = self->x + WY_BOX_NODE * j, *x0 = self->x0 + WY_BOX_NODE * j;
    double *rate = u + contact->rate + WY_BOX_TOUCH_RATE * (size_t)j;
    const wy_v3 v = wy_apply(self->terms[j].frame, wy_at3(x)), v0 = wy_apply(self->frame0[j], wy_at3(x0));
    wy_put3(rate, kept_rate(self, v, v0, wy_at3(rate)));
    wy_put3(rate + 3, kept_rate(self, wy_at3(x + WY_BOX_OMEGA), wy_at3(x0 + WY_BOX_OMEGA), wy_at3(rate + 3)));
  }
  for (int cell = 0; cell < self->cells; cell++) {
    double *push = u + contact->kept + WY_BOX_TOUCH_PUSH * (size_t)cell;
    const wy_box_load now = combine(1 / gamma, contact->found ? &contact->push[cell] : &none,
                                    contact->remembers ? -(1 - gamma) / gamma : 0, &contact->before[cell]);
    wy_put3(push, now.space_force);
    wy_put3(push + 3, now.space_moment);
    for (int i = 0; i < WY_BOX_TOUCH_PUSH; i++) /* what rates have of a hit fades */
      push[i] = fabs(push[i]) > negligible ? push[i] : 0;
  }
}

void wy_box_contact_close(wy_box *self, double *u) {
  wy_box_contact_keep(self, u);
  memcpy(u + self->contact.place, self->contact.to, 3 * (size_t)self->nodes * sizeof *u);
  lift(self);
}
