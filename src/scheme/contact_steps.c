/* SPDX-License-Identifier: MIT */
/* What contact asks of steps in time: none may end in the core of a rod or carry it through an obstacle, friction moves
   on with accepted steps, and steps are short where a station comes down. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scheme/contacts.h"

/* ---- Accepted states ---- */

static void record_depth(wy_contacts *self, double t, int station) {
  wy_contact_record *record = self->record;
  const double radius = self->radius[station], depth = radius - self->distance[station];
  if (!record->touched)
    record->first_time = t;
  record->touched = true;
  record->deepest = fmax(record->deepest, depth);
  record->deepest_over_radius = fmax(record->deepest_over_radius, depth / radius);
}

/* The spring of (K7) at a station that touches, cut at the cone. */
static bool accept_spring(wy_system *system, const double *u, const wy_meeting *at, int station) {
  const wy_contacts *self = system->contacts;
  const wy_touch_law law = wy_contacts_law(self, at, station);
  const wy_anchor anchor = wy_contacts_anchor(self, at, station);
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, wy_load3(self->x, self->count, station));
  wy_spot spot;
  wy_push push;
  self->type->spot(system, u, station, &spot);
  wy_push_at(&law, &near, &at->carrier, &spot, &anchor, &push, NULL);
  const bool cut = wy_stretch_accept(&law, &push.stretch);
  wy_store3(at->stretch, self->count, station, push.stretch);
  return cut;
}

/* Springs of stations that do not touch are empty. */
static bool accept_meeting(wy_system *system, double t, const double *u, wy_meeting *at, double *stiff) {
  wy_contacts *self = system->contacts;
  bool cut = false;
  wy_contacts_close_distances(self, at, 0);
  for (int i = 0; i < self->count; i++) {
    const bool touches = wy_contacts_touches(self, i);
    if (touches) {
      const wy_skin *skin = &self->skin[i];
      record_depth(self, t, i);
      stiff[i] = fmax(stiff[i], wy_skin_at(skin, self->radius[i] - self->distance[i]).slope / skin->stiffness);
    }
    if (at->stretch && touches)
      cut = accept_spring(system, u, at, i) || cut;
    else if (at->stretch)
      wy_store3(at->stretch, self->count, i, (wy_v3){0, 0, 0});
  }
  return cut;
}

static void set_anchors(wy_system *system, const double *u) {
  wy_contacts *self = system->contacts;
  for (int i = 0; i < self->count; i++)
    if (self->weight[i] > 0) {
      wy_spot spot;
      self->type->spot(system, u, i, &spot);
      wy_store3(self->anchor_x, self->count, i, spot.x);
      wy_store4(self->anchor_frame, self->count, i, spot.frame);
    }
}

/* A jump of p' by this share of k' in one step. */
static const double sudden = 0.5;

static bool note_stiffness(wy_contacts *self, const double *stiff) {
  bool hit = false;
  for (int i = 0; i < self->count; i++) {
    hit = hit || fabs(stiff[i] - self->stiff[i]) >= sudden;
    self->stiff[i] = stiff[i];
  }
  return hit;
}

int wy_contacts_accept(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  double *stiff = self->other;
  bool cut = false;
  memset(stiff, 0, (size_t)self->count * sizeof *stiff);
  const bool any = wy_contacts_find(system, t, u, 0);
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    if (any && at->near)
      cut = accept_meeting(system, t, u, at, stiff) || cut;
    else if (at->stretch)
      memset(at->stretch, 0, 3 * (size_t)self->count * sizeof(double));
  }
  if (self->anchor_x)
    set_anchors(system, u);
  for (int i = 0; i < self->meeting_count; i++)
    wy_contacts_note(&self->meetings[i], t);
  const bool hit = note_stiffness(self, stiff);
  return (cut ? WY_CONTACT_SLID : 0) | (hit ? WY_CONTACT_HIT : 0);
}

void wy_contacts_start(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  wy_contacts_place(self, t);
  for (int i = 0; i < self->meeting_count; i++) {
    wy_contacts_note(&self->meetings[i], t);
    if (self->meetings[i].stretch)
      memset(self->meetings[i].stretch, 0, 3 * (size_t)self->count * sizeof(double));
  }
  if (self->anchor_x)
    set_anchors(system, u);
  wy_contacts_accept(system, t, u);
}

/* ---- What a restart needs ---- */

/* Calls `copy` for every piece of what friction remembers, with its place among what is kept. */
static void each_piece(wy_contacts *self, void (*copy)(double *memory, double *kept, size_t count)) {
  double *kept = self->kept;
  const size_t n = (size_t)self->count, head = sizeof(wy_obstacle_before) / sizeof(double);
  copy(self->anchor_x, kept, 3 * n);
  copy(self->anchor_frame, kept + 3 * n, 4 * n);
  kept += 7 * n;
  for (int i = 0; i < self->meeting_count; i++) {
    copy(&self->meetings[i].before->t, kept, head);
    kept += head;
    if (self->meetings[i].stretch) {
      copy(self->meetings[i].stretch, kept, 3 * n);
      kept += 3 * n;
    }
  }
  assert(kept == self->kept + self->kept_size);
}

static void keep(double *memory, double *kept, size_t count) {
  memcpy(kept, memory, count * sizeof *kept);
}

static void swap(double *memory, double *kept, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double value = memory[i];
    memory[i] = kept[i];
    kept[i] = value;
  }
}

void wy_contacts_keep(wy_contacts *self) {
  if (self->kept && !self->recalled)
    each_piece(self, keep);
}

void wy_contacts_recall(wy_contacts *self) {
  self->recalled = !self->recalled;
  if (self->kept)
    each_piece(self, swap);
}

/* ---- May a step be accepted? ---- */

/* How often the way of a station is halved to show that it leads around an obstacle. */
enum { HALVINGS = 8 };

/* A station on its straight way between two states, seen from an obstacle: place in its axes, gap of the core. */
typedef struct on_the_way {
  double share, gap;
  wy_v3 y;
} on_the_way;

typedef struct passage {
  const wy_contacts *contacts;
  const wy_meeting *at;
  int station;
  double t, h;
  wy_v3 from, way;
} passage;

static on_the_way seen_at(const passage *pass, double share) {
  wy_carrier carrier;
  wy_meeting_carrier_between(pass->at, pass->t, pass->h, share, &carrier);
  const wy_v3 x = wy_plus(pass->from, wy_times(share, pass->way));
  const wy_v3 y = wy_apply_transposed(wy_rotation(carrier.frame), wy_minus(x, carrier.x));
  const wy_contacts *self = pass->contacts;
  const double core = self->radius[pass->station] - self->skin[pass->station].core;
  return (on_the_way){share, wy_form_near(&pass->at->form, y).distance - core, y};
}

/* Distances change no faster than places: where the way is shorter than both gaps together, it has met no core. */
static bool is_clear(const passage *pass, const on_the_way *a, const on_the_way *b, int halvings) {
  if (!(a->gap > 0 && b->gap > 0))
    return false;
  if (wy_norm(wy_minus(b->y, a->y)) < a->gap + b->gap)
    return true;
  if (halvings == 0)
    return false;
  const on_the_way middle = seen_at(pass, 0.5 * (a->share + b->share));
  return is_clear(pass, a, &middle, halvings - 1) && is_clear(pass, &middle, b, halvings - 1);
}

/* Overlap that a state may begin with is no reason to refuse the step that leaves it: only a core that is deeper than
   before. */
static bool allow_station(wy_contacts *self, const wy_meeting *at, double t, double h, int station) {
  passage pass = {self, at, station, t, h, wy_load3(self->other, self->count, station), {0, 0, 0}};
  pass.way = wy_minus(wy_load3(self->x, self->count, station), pass.from);
  const on_the_way a = seen_at(&pass, 0), b = seen_at(&pass, 1);
  if (a.gap > 0 ? is_clear(&pass, &a, &b, HALVINGS) : b.gap > a.gap)
    return true;
  const bool core = !(b.gap > 0);
  self->trouble =
      (wy_contact_trouble){core ? WY_CORE_REACHED : WY_PASSED_THROUGH, at->obstacle, self->s[station], 0, h};
  if (core)
    self->trouble.load = wy_skin_at(&self->skin[station], self->skin[station].core - b.gap).load;
  return false;
}

bool wy_contacts_allow(wy_system *system, double t, double h, const double *before, const double *after) {
  wy_contacts *self = system->contacts;
  wy_v3 low[2], high[2];
  self->type->box(system, before, &low[0], &high[0]);
  self->type->box(system, after, &low[1], &high[1]);
  const wy_v3 least = {fmin(low[0].x, low[1].x), fmin(low[0].y, low[1].y), fmin(low[0].z, low[1].z)};
  const wy_v3 most = {fmax(high[0].x, high[1].x), fmax(high[0].y, high[1].y), fmax(high[0].z, high[1].z)};
  self->trouble = (wy_contact_trouble){0};
  wy_contacts_place(self, t + h);
  double moved = 0; /* by obstacles */
  for (int i = 0; i < self->meeting_count; i++) {
    const wy_meeting *at = &self->meetings[i];
    moved = fmax(moved, at->moves ? INFINITY : 0);
  }
  if (!wy_contacts_search(self, least, most, moved))
    return true;
  self->type->places(system, before, self->other);
  wy_contacts_look_at(system, after);
  const double farthest = wy_contacts_farthest(self, self->other);
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    if (at->near)
      wy_contacts_close_distances(self, at, at->moves ? (double)INFINITY : farthest);
    for (int k = 0; at->near && k < self->count; k++) {
      /* a standing obstacle that is further away than any station, or this one, has moved */
      if (!at->moves && self->distance[k] > self->radius[k] + farthest)
        continue;
      const wy_v3 way = wy_minus(wy_load3(self->x, self->count, k), wy_load3(self->other, self->count, k));
      if (!(self->weight[k] > 0) || (!at->moves && self->distance[k] > self->radius[k] + wy_norm(way)))
        continue;
      if (!allow_station(self, at, t, h, k))
        return false;
    }
  }
  return true;
}

/* ---- How long a step may be ---- */

/* The time in which a station that goes deeper turns, the skin as a spring that is at its place with a speed and a
   deceleration. What the obstacle's own motion adds to the latter is not known here. */
static double time_to_turn(double stiffness, double mass, double speed, double deceleration) {
  const double frequency = sqrt(stiffness / mass);
  return frequency > 0 ? atan2(frequency * speed, deceleration) / frequency : speed / deceleration;
}

/* A station that comes down should not be deep in the skin before the next state is known: the time to the obstacle and
   a quarter of a hit. Where a hit turns, its load falls from (1 + q) p to (1 - q) p within so small a speed that it is
   a jump, which a step should end at and not go over: the time to it, and at least a hundredth of a hit. */
static double limit_by(wy_system *system, const double *u, const double *f, const wy_meeting *at, int station) {
  const wy_contacts *self = system->contacts;
  const wy_touch_law *law = &at->law;
  wy_spot spot;
  self->type->spot(system, u, station, &spot);
  const wy_near near = wy_carrier_near(&at->form, &at->carrier, spot.x);
  const double gap = near.distance - self->radius[station];
  const wy_v3 relative = wy_minus(spot.v, wy_carrier_velocity(&at->carrier, spot.x));
  const double speed = 0 - wy_inner(near.normal, relative), mass = self->mass[station];
  const double hit = 3.14159265358979323846 * sqrt(mass / self->skin[station].stiffness);
  if (gap > 0)
    return speed > 0 ? gap / speed + 0.25 * hit : (double)INFINITY;
  if (!f || !(speed > law->normal_speed))
    return INFINITY;
  const double deceleration = wy_inner(near.normal, self->type->acceleration(system, f, station)) +
                              wy_inner(relative, wy_apply(near.bend, relative));
  if (!(deceleration > 0))
    return INFINITY;
  const double stiffness = (1 + law->loss) * wy_skin_at(&self->skin[station], -gap).slope;
  return time_to_turn(stiffness, mass, speed, deceleration) + 0.01 * hit;
}

double wy_contacts_step_limit(wy_system *system, double t, const double *u, const double *f, double h) {
  wy_contacts *self = system->contacts;
  const double speed = self->type->speed(system, u);
  wy_contacts_place(self, t);
  double fastest = 0;
  for (int i = 0; i < self->meeting_count; i++)
    fastest = fmax(fastest, self->meetings[i].moves ? INFINITY : 0);
  if (!wy_contacts_find(system, t, u, (speed + fastest) * h))
    return h;
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    const double *rates = at->law.loss > 0 && self->type->acceleration ? f : NULL;
    if (at->near)
      wy_contacts_close_distances(self, at, at->moves ? (double)INFINITY : speed * h);
    for (int k = 0; at->near && k < self->count; k++) {
      const double gap = self->distance[k] - self->radius[k];
      /* what is further away than the fastest station goes to an obstacle that stands sets no limit */
      if (self->weight[k] > 0 && (gap > 0 ? at->moves || gap < speed * h : rates != NULL))
        h = fmin(h, limit_by(system, u, rates, at, k));
    }
  }
  return h;
}

/* ---- Where it begins ---- */

wy_status wy_contacts_check_start(wy_system *system, const double *u, bool statics, wy_message *message) {
  wy_contacts *self = system->contacts;
  const wy_rod_def *rod = wy_model_rod(system->model, system->rod);
  if (!wy_contacts_find(system, 0, u, 0))
    return WY_OK;
  for (int i = 0; i < self->meeting_count; i++) {
    int deepest = -1;
    if (self->meetings[i].near)
      wy_contacts_distances(self, &self->meetings[i]);
    for (int k = 0; self->meetings[i].near && k < self->count; k++)
      if (wy_contacts_touches(self, k) && (deepest < 0 || self->distance[k] < self->distance[deepest]))
        deepest = k;
    /* polygons cut corners: as much as the onset is no overlap */
    if (deepest < 0 || self->radius[deepest] - self->distance[deepest] <=
                           fmax(self->skin[deepest].onset, 0.05 * self->radius[deepest]))
      continue;
    char path[WY_ENTRY_PATH];
    wy_entry_path("rods", rod->name, system->rod, path);
    return wy_fail_at(message, path,
                      "it starts inside obstacle '%s' by %.2g at s = %.4g (radius %.4g): raise it, or "
                      "contact.settle: true%s",
                      wy_model_obstacle(system->model, self->meetings[i].obstacle)->name,
                      self->radius[deepest] - self->distance[deepest], self->s[deepest], self->radius[deepest],
                      statics ? "" : " with initial: {from: statics}");
  }
  return WY_OK;
}

/* ---- Systems with parts ---- */

/* The systems that may have contacts: of a group those of its rods, or of their pieces, in the order of their states.
 */
static wy_system *const *pieces_of(const wy_system *system, int *count) {
  *count = system->pieces ? system->piece_count : system->part_count;
  return system->pieces ? system->pieces : system->parts;
}

bool wy_system_touches(const wy_system *system) {
  bool any = system->contacts != NULL;
  int count;
  wy_system *const *pieces = pieces_of(system, &count);
  for (int i = 0; !any && pieces && i < count; i++)
    any = pieces[i]->contacts != NULL;
  return any;
}

wy_system *wy_contacts_part(wy_system *system, int *index, int *offset) {
  int count;
  wy_system *const *pieces = pieces_of(system, &count);
  if (!pieces)
    return (*index)++ == 0 && system->contacts ? system : NULL;
  while (*index < count) {
    wy_system *part = pieces[(*index)++];
    if (part->contacts)
      return part;
    *offset += part->size;
  }
  return NULL;
}

void wy_system_carry(wy_system *system, double t, const double *u, wy_moment moment) {
  if (system->type->carry)
    system->type->carry(system, t, u, moment);
}

bool wy_system_allows(wy_system *system, double t, double h, const double *before, const double *after) {
  wy_system *part;
  bool allowed = true;
  wy_system_carry(system, t, before, WY_BEFORE);
  wy_system_carry(system, t + h, after, WY_AFTER);
  wy_system_carry(system, t + h, after, WY_NOW);
  for (int i = 0, at = 0; allowed && (part = wy_contacts_part(system, &i, &at)); at += part->size)
    allowed = wy_contacts_allow(part, t, h, before + at, after + at);
  return allowed;
}

void wy_system_start_contact(wy_system *system, double t, const double *u) {
  wy_system *part;
  wy_system_carry(system, t, u, WY_NOW);
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    wy_contacts_start(part, t, u + at);
}

int wy_system_accepted(wy_system *system, double t, const double *u) {
  wy_system *part;
  int changed = 0;
  wy_system_carry(system, t, u, WY_NOW);
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    changed |= wy_contacts_accept(part, t, u + at);
  return changed;
}

double wy_system_step_limit(wy_system *system, double t, const double *u, const double *f, double h) {
  wy_system *part;
  wy_system_carry(system, t, u, WY_NOW);
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    h = wy_contacts_step_limit(part, t, u + at, f ? f + at : NULL, h);
  return h;
}

void wy_system_keep(wy_system *system) {
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    wy_contacts_keep(part->contacts);
}

void wy_system_recall(wy_system *system) {
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size)
    wy_contacts_recall(part->contacts);
}

void wy_system_between(wy_system *system, double h, const double *before, const double *after) {
  wy_system *part;
  if (before) {
    wy_system_carry(system, NAN, before, WY_BEFORE);
    wy_system_carry(system, NAN, after, WY_AFTER);
  }
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size) {
    part->contacts->before = before ? before + at : NULL;
    part->contacts->after = before ? after + at : NULL;
    part->contacts->step = h;
  }
}

/* ---- Words ---- */

static void explain(const wy_system *system, double t, char *text, size_t size) {
  const wy_contacts *self = system->contacts;
  const wy_contact_trouble *trouble = &self->trouble;
  const char *rod = wy_model_rod(system->model, system->rod)->name;
  const char *obstacle = wy_model_obstacle(system->model, trouble->obstacle)->name;
  if (trouble->kind == WY_CORE_REACHED)
    snprintf(text, size,
             "t = %.6g: rod '%s', s = %.4g, is pressed into obstacle '%s' down to its core (half its radius) with %.3g "
             "per length: is contact.stiffness %.4g meant? A smaller step may help",
             t, rod, trouble->s, obstacle, trouble->load, self->skin[0].stiffness);
  else
    snprintf(text, size,
             "t = %.6g: the step %.3g carries rod '%s' through obstacle '%s' at s = %.4g: use a smaller step", t,
             trouble->step, rod, obstacle, trouble->s);
}

bool wy_system_explain(const wy_system *system, double t, char *text, size_t size) {
  int count;
  wy_system *const *pieces = pieces_of(system, &count);
  for (int i = 0; i < (pieces ? count : 1); i++) {
    const wy_system *part = pieces ? pieces[i] : system;
    if (part->contacts && part->contacts->trouble.kind != WY_STEP_ALLOWED) {
      explain(part, t, text, size);
      return true;
    }
  }
  return false;
}
