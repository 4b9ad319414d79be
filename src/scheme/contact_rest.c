/* SPDX-License-Identifier: MIT */
/* Contact in equilibria: obstacles that a rod is put down on, friction that moves on with accepted increments, how far
   a correction may carry a rod, and which stations touch. docs/theory/contact.md. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/contact.h"
#include "scheme/contacts.h"

/* ---- Where a ramp begins ---- */

/* The station of the smallest gap to an obstacle, with its gap; -1: there is none. */
static int nearest_station(wy_contacts *self, const wy_meeting *at, double *gap) {
  int nearest = -1;
  *gap = INFINITY;
  wy_contacts_distances(self, at);
  for (int i = 0; i < self->count; i++) {
    const double here = self->distance[i] - self->radius[i];
    if (self->weight[i] > 0 && here < *gap)
      *gap = here, nearest = i;
  }
  return nearest;
}

double wy_contacts_gap(wy_system *system, double t, const double *u, int *meeting) {
  wy_contacts *self = system->contacts;
  double smallest = INFINITY, gap;
  *meeting = -1;
  wy_contacts_place(self, t);
  wy_contacts_look_at(system, u);
  for (int i = 0; i < self->meeting_count; i++)
    if (nearest_station(self, &self->meetings[i], &gap) >= 0 && gap < smallest)
      smallest = gap, *meeting = i;
  return smallest;
}

/* Does contact alone carry it, in this direction? */
static bool is_loose(const wy_system *system, wy_v3 along) {
  const struct wy_supports *supports = system->supports;
  const double parts[3] = {along.x, along.y, along.z};
  bool held = !supports;
  for (int end = 0; supports && end < supports->count; end++)
    for (int k = 0; k < 3; k++)
      held = held || (supports->state[end].position[k] != WY_FREE && fabs(parts[k]) > 0.1);
  return !held;
}

/* Does an obstacle with this normal carry what gravity pulls? */
static bool carries(const wy_model *model, wy_v3 normal) {
  const wy_v3 gravity = wy_at3(wy_model_gravity(model));
  const double size = wy_norm(gravity);
  return size == 0 || wy_inner(normal, gravity) < -0.1 * size;
}

/* A skin that is not pressed has no stiffness: what is put down is pressed by this share of the onset. */
static const double pressed = 0.1;

/* Obstacles that the rod begins inside of are taken back to where it just touches them. Where contact alone carries it,
   the nearest one below is brought up to it: with contact.settle from any distance, else from within the onset. */
static void put_down(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  const bool settle = wy_model_contact_def(system->model)->settle;
  wy_meeting *below = NULL;
  double smallest = INFINITY, moved = 0, gap;
  for (int i = 0; i < self->meeting_count; i++)
    self->meetings[i].shift = (wy_v3){0, 0, 0};
  wy_contacts_place(self, t);
  wy_contacts_look_at(system, u);
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    const int station = nearest_station(self, at, &gap);
    if (station < 0)
      continue;
    const double onset = fmax(self->skin[station].onset, 0.05 * self->radius[station]);
    const wy_v3 normal = wy_carrier_near(&at->form, &at->carrier, wy_load3(self->x, self->count, station)).normal;
    const bool carrying = is_loose(system, normal) && carries(system->model, normal);
    const wy_v3 shift = wy_times(gap + (carrying ? pressed * onset : 0), normal);
    if (gap < -onset && settle) {
      at->shift = shift;
      self->record->put_down = fmax(self->record->put_down, -gap);
    } else if (carrying && gap < smallest && (settle || gap < onset)) {
      if (below)
        below->shift = (wy_v3){0, 0, 0};
      smallest = gap, below = at;
      moved = gap > onset ? gap : 0;
      at->shift = shift;
    }
  }
  self->record->put_down = fmax(self->record->put_down, moved);
}

/* Notes which stations touch, at the places in self->x, and counts those that did not before. */
static wy_touching look(wy_system *system, double t, const double *u, bool keep) {
  wy_contacts *self = system->contacts;
  wy_touching out = {.set = UINT64_C(14695981039346656037)};
  const bool any = wy_contacts_find(system, t, u, 0);
  for (int i = 0; i < self->meeting_count; i++) {
    unsigned char *touched = self->touched + (size_t)i * (size_t)self->count;
    const bool near = any && self->meetings[i].near;
    if (near)
      wy_contacts_close_distances(self, &self->meetings[i], 0);
    for (int k = 0; k < self->count; k++) {
      const bool touches = near && wy_contacts_touches(self, k);
      if (touches) {
        out.set = (out.set ^ (uint64_t)(i * self->count + k + 1)) * UINT64_C(1099511628211);
        out.count++;
      }
      out.changed += touches != (touched[k] != 0);
      if (keep)
        touched[k] = touches;
    }
  }
  return out;
}

void wy_contacts_rest_begin(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  *self->record = (wy_contact_record){0};
  put_down(system, t, u);
  wy_contacts_start(system, t, u);
  look(system, t, u, true);
}

/* ---- How far a correction may go ---- */

/* Inwards by half the radius, or by the gap if that is more; along a surface that bends inwards, as a tube's does, by
   as much again. Nothing stands in the way outwards. */
static double reach_of(const wy_contacts *self, const wy_meeting *at, int station, wy_v3 way) {
  const double gap = fabs(self->distance[station] - self->radius[station]);
  const double most = fmax(0.5 * self->radius[station], gap);
  if (wy_norm(way) <= most)
    return 1;
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, wy_load3(self->x, self->count, station));
  const double inwards = -wy_inner(near.normal, way), bend = -0.5 * wy_inner(way, wy_apply(near.bend, way));
  double share = 1;
  if (inwards > most)
    share = most / inwards;
  if (bend > most)
    share = fmin(share, sqrt(most / bend));
  return share;
}

static double reach(wy_system *system, double t, const double *from, const double *to) {
  wy_contacts *self = system->contacts;
  double share = 1;
  wy_contacts_place(self, t);
  wy_contacts_look_at(system, from);
  self->type->places(system, to, self->other);
  for (int i = 0; i < self->meeting_count; i++) {
    const wy_meeting *at = &self->meetings[i];
    wy_contacts_distances(self, at);
    for (int k = 0; k < self->count; k++) {
      const wy_v3 way = wy_minus(wy_load3(self->other, self->count, k), wy_load3(self->x, self->count, k));
      if (self->weight[k] > 0)
        share = fmin(share, reach_of(self, at, k, way));
    }
  }
  return share;
}

/* ---- From equilibria to motions ---- */

/* At rest the spring is straight, in motion it is not: the same force takes another stretch (K7). */
void wy_contacts_depart(wy_contacts *self) {
  for (int i = 0; i < self->meeting_count; i++) {
    const wy_meeting *at = &self->meetings[i];
    for (int k = 0; at->stretch && k < self->count; k++) {
      const wy_v3 stretch = wy_load3(at->stretch, self->count, k);
      const double size = wy_norm(stretch), share = fmin(size / at->slip_rest, 1);
      const double factor = size > 0 ? (1 - sqrt(1 - share)) * at->slip_moving / size : 0;
      wy_store3(at->stretch, self->count, k, wy_times(factor, stretch));
    }
  }
}

/* ---- What obstacles do to a rod ---- */

static void add_push(wy_resultant *out, wy_v3 x, wy_v3 force, wy_v3 couple) {
  out->force = wy_plus(out->force, force);
  out->moment = wy_plus(out->moment, wy_plus(couple, wy_cross(x, force)));
  out->size += wy_norm(force);
}

/* The push at the station that was found. */
static wy_push push_found(wy_system *system, const double *u, const wy_contact_walk *walk, wy_spot *spot,
                          wy_near *near) {
  const wy_contacts *self = system->contacts;
  const wy_touch_law law = wy_contacts_law(self, walk->at, walk->station);
  const wy_anchor anchor = wy_contacts_anchor(self, walk->at, walk->station);
  wy_push push;
  self->type->spot(system, u, walk->station, spot);
  *near = wy_carrier_near(&walk->at->form, &walk->at->carrier, spot->x);
  wy_push_at(&law, near, &walk->at->carrier, spot, &anchor, &push, NULL);
  return push;
}

wy_resultant wy_contacts_resultant(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  wy_resultant out = {0};
  wy_contact_walk walk = {0};
  if (!wy_contacts_find(system, t, u, 0))
    return out;
  while (wy_contacts_walk(self, &walk)) {
    const int station = walk.station, cap = station - self->cap;
    wy_spot spot;
    wy_near near;
    const wy_push push = push_found(system, u, &walk, &spot, &near);
    double weight = self->weight[station];
    if (cap >= 0) {
      const wy_v3 beside = self->type->beside(system, u, cap);
      const wy_cap part = wy_cap_at(self->radius[station], &near, push.energy, spot.x, beside);
      weight = part.weight;
      add_push(&out, spot.x, part.on_end, (wy_v3){0, 0, 0});
      add_push(&out, beside, part.on_next, (wy_v3){0, 0, 0});
    }
    add_push(&out, spot.x, wy_times(weight, push.force), wy_times(weight, push.couple));
  }
  return out;
}

wy_grip wy_contacts_grip(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  wy_grip grip = {0, 0};
  wy_contact_walk walk = {0};
  if (!wy_contacts_find(system, t, u, 0))
    return grip;
  while (wy_contacts_walk(self, &walk)) {
    wy_spot spot;
    wy_near near;
    const wy_push push = push_found(system, u, &walk, &spot, &near);
    const bool rubs = walk.at->law.friction > 0 && walk.at->law.stick;
    if (walk.station >= self->cap) /* an end has no length */
      continue;
    grip.touching += self->weight[walk.station];
    grip.sticking += rubs && !wy_push_slides(&push) ? self->weight[walk.station] : 0;
  }
  return grip;
}

/* ---- Systems with parts ---- */

void wy_system_rest_begin(wy_system *system, double t, const double *config) {
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    wy_contacts_rest_begin(part, t, config + at);
}

bool wy_system_remembers(wy_system *system) {
  const wy_system *part;
  bool any = false;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    any = any || part->contacts->anchor_x;
  return any;
}

void wy_system_rest_accepted(wy_system *system, double t, const double *config) {
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size) {
    wy_contacts_accept(part, t, config + at);
    look(part, t, config + at, true);
  }
}

double wy_system_rest_reach(wy_system *system, double t, const double *from, const double *to) {
  wy_system *part;
  double share = 1;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    share = fmin(share, reach(part, t, from + at, to + at));
  return share;
}

wy_touching wy_system_touching(wy_system *system, double t, const double *config) {
  wy_system *part;
  wy_touching all = {0};
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size) {
    const wy_touching one = look(part, t, config + at, false);
    all.set = all.set * 31 + one.set;
    all.count += one.count;
    all.changed += one.changed;
  }
  return all;
}

void wy_system_depart(wy_system *system) {
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    wy_contacts_depart(part->contacts);
}

void wy_system_smooth(wy_system *system, bool smooth) {
  const wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    for (int k = 0; k < part->contacts->meeting_count; k++)
      part->contacts->meetings[k].law.friction = smooth ? 0 : part->contacts->meetings[k].friction;
}

void wy_system_hold(wy_system *system, bool hold) {
  const wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    for (int k = 0; k < part->contacts->meeting_count; k++)
      part->contacts->meetings[k].law.held = hold;
}

bool wy_system_floats(wy_system *system, double t, const double *config, char *text, size_t size) {
  wy_contacts *self = system->contacts;
  int meeting;
  if (!self || !system->supports || wy_support_held(system->supports) > 0 ||
      wy_model_contact_def(system->model)->settle)
    return false;
  const double gap = wy_contacts_gap(system, t, config, &meeting);
  if (meeting < 0 || !(gap > 0.05 * self->largest_radius))
    return false;
  snprintf(text, size,
           "nothing holds it, and it is %.4g above obstacle '%s': put it down there, or contact.settle: true", gap,
           wy_model_obstacle(system->model, self->meetings[meeting].obstacle)->name);
  return true;
}
