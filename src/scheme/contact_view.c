/* SPDX-License-Identifier: MIT */
#include "scheme/contact_view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- Along the rod ---- */

void wy_contact_line_clear(wy_contact_line *line) {
  memset(line->load, 0, 3 * (size_t)line->count * sizeof *line->load);
  memset(line->slip, 0, (size_t)line->count * sizeof *line->slip);
  for (int i = 0; i < line->count; i++)
    line->gap[i] = INFINITY;
}

/* The segments that a station belongs to: one, or the two that meet there. */
typedef struct seat {
  int first, count;
} seat;

static seat seat_of(const wy_contact_line *line, double s) {
  const double same = WY_SAME_PLACE * line->edge[line->count];
  int low = 0, high = line->count - 1;
  while (low < high) { /* the last segment that begins before s, or at it */
    const int middle = (low + high + 1) / 2;
    if (line->edge[middle] <= s + same)
      low = middle;
    else
      high = middle - 1;
  }
  const bool on_edge = low > 0 && fabs(s - line->edge[low]) <= same;
  return (seat){on_edge ? low - 1 : low, on_edge ? 2 : 1};
}

/* A force of the rod at s, spread over its segments. */
static void add_load(wy_contact_line *line, double s, wy_v3 force) {
  const seat at = seat_of(line, s);
  const double length = line->edge[at.first + at.count] - line->edge[at.first];
  for (int i = at.first; i < at.first + at.count; i++) {
    double *load = line->load + 3 * (size_t)i;
    wy_put3(load, wy_plus(wy_at3(load), wy_times(1 / length, force)));
  }
}

static void note(double *values, seat at, double value, bool largest) {
  for (int i = at.first; i < at.first + at.count; i++)
    if (largest ? value > values[i] : value < values[i])
      values[i] = value;
}

/* ---- Stations ---- */

typedef struct measuring {
  wy_system *system;
  const double *u;
  wy_contact_line *line; /* or NULL */
  wy_contact_sum *sum;   /* or NULL */
} measuring;

/* A force on the rod at x, which belongs to arc length s. */
static void add_force(const measuring *m, const wy_meeting *at, double s, wy_v3 x, wy_v3 force, wy_v3 couple) {
  if (m->line)
    add_load(m->line, s, force);
  wy_contact_sum *sum = m->sum;
  if (!sum)
    return;
  const wy_v3 arm = wy_minus(x, at->carrier.x);
  sum->force = wy_plus(sum->force, force);
  sum->moment = wy_plus(sum->moment, wy_plus(wy_cross(arm, force), couple));
}

/* The pushes of a cap, whose weight moves with both vertices of its segment; its weight. */
static double add_cap(const measuring *m, const wy_meeting *at, int station, const wy_near *near, double energy,
                      wy_v3 end) {
  const wy_contacts *self = m->system->contacts;
  const wy_v3 none = {0, 0, 0}, next = self->type->beside(m->system, m->u, station - self->cap);
  const wy_cap cap = wy_cap_at(self->radius[station], near, energy, end, next);
  add_force(m, at, self->s[station], end, cap.on_end, none);
  add_force(m, at, self->s[station], next, cap.on_next, none);
  return cap.weight;
}

static void add_push(const measuring *m, const wy_meeting *at, int station) {
  const wy_contacts *self = m->system->contacts;
  const wy_touch_law law = wy_contacts_law(self, at, station);
  const wy_anchor anchor = wy_contacts_anchor(self, at, station);
  wy_spot spot;
  wy_push push;
  self->type->spot(m->system, m->u, station, &spot);
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, spot.x);
  wy_push_at(&law, &near, &at->carrier, &spot, &anchor, &push, NULL);
  const bool cap = station >= self->cap;
  const double weight = cap ? add_cap(m, at, station, &near, push.energy, spot.x) : self->weight[station];
  add_force(m, at, self->s[station], spot.x, wy_times(weight, push.force), wy_times(weight, push.couple));
  if (m->line && law.friction > 0)
    note(m->line->slip, seat_of(m->line, self->s[station]), push.slip, true);
  if (m->sum && !cap)
    m->sum->length += weight;
}

static void measure_station(const measuring *m, const wy_meeting *at, int station) {
  const wy_contacts *self = m->system->contacts;
  const double gap = self->distance[station] - self->radius[station];
  if (m->line)
    note(m->line->gap, seat_of(m->line, self->s[station]), gap, false);
  if (m->sum && gap < m->sum->gap)
    m->sum->gap = gap;
  if (wy_contacts_touches(self, station))
    add_push(m, at, station);
}

static wy_meeting *find_meeting(const wy_contacts *self, int obstacle) {
  for (int i = 0; i < self->meeting_count; i++)
    if (self->meetings[i].obstacle == obstacle)
      return &self->meetings[i];
  return NULL;
}

static void look_at(wy_system *system, double t, const double *u) {
  wy_contacts_place(system->contacts, t);
  wy_contacts_look_at(system, u);
}

static void measure_meeting(const measuring *m, const wy_meeting *at) {
  wy_contacts *self = m->system->contacts;
  wy_contacts_distances(self, at);
  for (int k = 0; k < self->count; k++)
    if (self->weight[k] > 0)
      measure_station(m, at, k);
}

void wy_contacts_measure(wy_system *system, double t, const double *u, wy_contact_line *line) {
  const measuring m = {system, u, line, NULL};
  look_at(system, t, u);
  for (int i = 0; i < system->contacts->meeting_count; i++)
    measure_meeting(&m, &system->contacts->meetings[i]);
}

void wy_contacts_measure_one(wy_system *system, double t, const double *u, int obstacle, wy_contact_sum *sum) {
  const measuring m = {system, u, NULL, sum};
  const wy_meeting *at = find_meeting(system->contacts, obstacle);
  assert(at); /* a rod that touches anything may touch all obstacles */
  look_at(system, t, u);
  measure_meeting(&m, at);
}

/* ---- Obstacles ---- */

wy_carrier wy_contacts_carrier(wy_system *system, double t, int obstacle) {
  const wy_meeting *at = find_meeting(system->contacts, obstacle);
  assert(at); /* a rod that touches anything may touch all obstacles */
  wy_contacts_place(system->contacts, t);
  wy_carrier carrier = at->carrier;
  carrier.x = wy_plus(carrier.x, wy_at3(at->supports.origin));
  return carrier;
}

wy_carrier wy_obstacle_alone(const wy_model *model, int obstacle, double t, const wy_spot *on) {
  static const double origin[3] = {0, 0, 0};
  wy_end_state state = {0};
  wy_meeting at = {.obstacle = obstacle, .supports.state = &state};
  wy_contacts contacts = {.meetings = &at, .meeting_count = 1};
  wy_meeting_begin(&at, model, origin, 1);
  if (on)
    at.bodies[WY_NOW] = *on;
  wy_contacts_place(&contacts, t);
  return at.carrier;
}

wy_status wy_contacts_move(wy_system *system, int obstacle, double t, const wy_pose *target, double duration,
                           wy_message *message) {
  wy_meeting *at = find_meeting(system->contacts, obstacle);
  assert(at);
  if (at->pushed) /* it is where its body is */
    return WY_OK;
  return wy_support_move(&at->supports, WY_START, t, target, duration, message);
}
