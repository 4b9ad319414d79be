/* SPDX-License-Identifier: MIT */
/* The obstacles that a rod meets: their motion, their laws, which stations touch. What steps in time may do is in
   contact_steps.c. */
#include "scheme/contacts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/contact.h"
#include "model/network.h"

/* ---- Making it ---- */

static bool has_spring(const wy_model *model, int rod, int obstacle) {
  const wy_pair_laws laws = wy_model_pair_laws(model, rod, obstacle, INFINITY);
  return laws.friction > 0 && laws.stick;
}

/* What friction remembers of one obstacle, in doubles. */
static size_t memory_of_spring(int count) {
  return 3 * (size_t)count;
}

void wy_contacts_layout(wy_contacts *self, wy_memory *memory, const wy_model *model, int rod, int count) {
  wy_arena *scratch = &memory->scratch, *saved = &memory->saved;
  const size_t n = (size_t)count;
  int springs = 0;
  assert(count % WY_LANES == 0);
  self->count = count;
  self->cap = count - 2;
  self->meeting_count = wy_model_obstacle_count(model);
  self->weight = wy_arena_doubles(scratch, n);
  self->s = wy_arena_doubles(scratch, n);
  self->radius = wy_arena_doubles(scratch, n);
  self->mass = wy_arena_doubles(scratch, n);
  self->skin = wy_arena_take(scratch, n * sizeof *self->skin);
  self->x = wy_arena_doubles(scratch, 3 * n);
  self->other = wy_arena_doubles(scratch, 3 * n);
  self->local = wy_arena_doubles(scratch, 3 * n);
  self->distance = wy_arena_doubles(scratch, n);
  self->meetings = wy_arena_take(scratch, (size_t)self->meeting_count * sizeof *self->meetings);
  self->stiff = wy_arena_doubles(saved, n);
  self->record = wy_arena_take(saved, sizeof *self->record);
  self->touched = wy_arena_take(saved, n * (size_t)self->meeting_count);
  for (int i = 0; i < self->meeting_count; i++) {
    const bool spring = has_spring(model, rod, i);
    wy_end_state *state = wy_arena_take(saved, sizeof *state);
    wy_obstacle_before *before = wy_arena_take(saved, sizeof *before);
    double *stretch = spring ? wy_arena_doubles(saved, memory_of_spring(count)) : NULL;
    double *from_distance = wy_arena_doubles(scratch, n);
    springs += spring;
    if (!self->meetings)
      continue;
    self->meetings[i].supports.state = state;
    self->meetings[i].before = before;
    self->meetings[i].stretch = stretch;
    self->meetings[i].from_distance = from_distance;
  }
  wy_contacts_lay_out_groups(self, scratch);
  if (!springs)
    return;
  self->anchor_x = wy_arena_doubles(saved, 3 * n);
  self->anchor_frame = wy_arena_doubles(saved, 4 * n);
  self->kept_size = (size_t)springs * memory_of_spring(count) + 7 * n +
                    (size_t)self->meeting_count * (sizeof(wy_obstacle_before) / sizeof(double));
  self->kept = wy_arena_doubles(saved, self->kept_size);
}

/* The axes of an obstacle: z its axis, x its d1. */
static void axes_of(const wy_obstacle_def *def, double frame[4]) {
  const wy_v3 z = wy_at3(def->axis), x = wy_at3(def->d1);
  const wy_m3 columns = {x, wy_cross(z, x), z};
  double rows[9];
  wy_to_rows(columns, rows);
  wy_qfrom_matrix(rows, frame);
}

static bool depends_on_time(const wy_signal *signal) {
  return wy_signal_depends(signal, WY_TIME);
}

bool wy_obstacle_is_pushed(const wy_model *model, int obstacle) {
  const int body = wy_model_obstacle(model, obstacle)->body;
  return body >= 0 && !wy_model_network(model)->hubs[body].known;
}

/* An obstacle on a body moves with it. */
static void begin_on_body(wy_meeting *at, const wy_obstacle_def *def, const wy_body_def *body, const double origin[3],
                          double length) {
  double frame[4];
  const wy_v3 place = wy_minus(wy_at3(body->origin), wy_at3(origin)), none = {0, 0, 0};
  for (int k = 0; k < WY_MOMENTS; k++)
    at->bodies[k] = (wy_spot){place, none, wy_at4(body->frame), none};
  axes_of(def, frame);
  at->mount_frame = wy_at4(frame);
  at->mount = (wy_v3){def->position[0].value, def->position[1].value, def->position[2].value};
  wy_support_begin_body(&at->supports, body, origin, length, &at->end);
}

/* An obstacle by itself moves as a body that is held or driven in all components. */
static void begin_alone(wy_meeting *at, const wy_obstacle_def *def, const double origin[3], double length) {
  wy_body_def body = wy_default_body_def();
  body.name = def->name;
  body.rotation = depends_on_time(&def->angle) ? WY_DRIVEN : WY_HELD;
  body.angle = def->angle;
  wy_copy3(def->rotation_axis, body.axis);
  axes_of(def, body.frame);
  for (int k = 0; k < 3; k++) {
    body.path[k] = def->position[k];
    body.position[k] = depends_on_time(&def->position[k]) ? WY_DRIVEN : WY_HELD;
    body.origin[k] = wy_signal_value(&def->position[k], 0, 0);
  }
  wy_support_begin_body(&at->supports, &body, origin, length, &at->end);
  at->mount_frame = (wy_q4){1, 0, 0, 0};
}

void wy_meeting_begin(wy_meeting *at, const wy_model *model, const double origin[3], double length) {
  const wy_obstacle_def *def = wy_model_obstacle(model, at->obstacle);
  double frame[4];
  at->body = def->body;
  at->pushed = wy_obstacle_is_pushed(model, at->obstacle);
  if (def->body >= 0)
    begin_on_body(at, def, wy_model_body(model, def->body), origin, length);
  else
    begin_alone(at, def, origin, length);
  axes_of(def, frame);
  at->belt = wy_apply_transposed(wy_rotation(wy_at4(frame)), wy_at3(def->surface_velocity));
}

void wy_contacts_begin(wy_contacts *self, const wy_model *model, int rod, const wy_station_type *type) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  self->type = type;
  self->largest_radius = 0;
  for (int i = 0; i < self->count; i++) {
    const double radius = wy_contact_radius(def, self->s[i]);
    self->radius[i] = radius;
    self->skin[i] = (wy_skin){wy_contact_stiffness(def, self->s[i]), def->contact.blend * radius, 0.5 * radius};
    self->mass[i] = wy_section_at(def, self->s[i]).mass;
    self->largest_radius = fmax(self->largest_radius, radius);
  }
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    at->obstacle = i;
    at->form = wy_form_from(wy_model_obstacle(model, i));
    wy_meeting_begin(at, model, def->shape.origin, def->length);
  }
  wy_contacts_begin_groups(self);
  wy_contacts_set_end(self, model, rod, INFINITY);
  wy_contacts_place(self, 0);
  for (int i = 0; i < self->meeting_count; i++)
    wy_contacts_note(&self->meetings[i], 0);
}

void wy_contacts_set_end(wy_contacts *self, const wy_model *model, int rod, double end) {
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    const wy_pair_laws laws = wy_model_pair_laws(model, rod, at->obstacle, end);
    at->slip_moving = laws.slip;
    at->slip_rest = laws.slip_rest;
    at->friction = laws.friction;
    at->law = (wy_touch_law){.loss = wy_restitution_share(laws.restitution),
                             .normal_speed = laws.speed,
                             .friction = laws.friction,
                             .slip = laws.slip,
                             .speed = laws.speed,
                             .stick = laws.stick};
  }
}

/* The roots of Legendre's polynomial by Newton's method. */
void wy_contacts_gauss(int count, double *x, double *w) {
  for (int i = 0; i < count; i++) {
    double z = cos(3.14159265358979323846 * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int k = 0; k < 20; k++) {
      double now = z, before = 1;
      for (int n = 2; n <= count; n++) {
        const double next = ((2 * n - 1) * z * now - (n - 1) * before) / n;
        before = now, now = next;
      }
      slope = count * (z * now - before) / (z * z - 1);
      z -= now / slope;
    }
    x[i] = 0.5 * (1 - z);
    w[i] = 1 / ((1 - z * z) * slope * slope);
  }
}

/* Gauss points resolve where a straight segment touches a round obstacle. */
int wy_contacts_stations(const wy_model *model, int rod, double h) {
  const double r = wy_contact_smallest_radius(wy_model_rod(model, rod));
  int most = 2;
  for (int i = 0; i < wy_model_obstacle_count(model); i++) {
    const wy_form_of form = wy_form_from(wy_model_obstacle(model, i));
    const double round = wy_form_smallest_radius(&form);
    const double wanted = isfinite(round) ? ceil(2 * h / sqrt((round + r) * r)) : 0;
    most = wanted > most ? (int)fmin(wanted, WY_MOST_STATIONS) : most;
  }
  return most;
}

/* ---- Obstacles at a time ---- */

void wy_contacts_rest(wy_contacts *self, bool rest, double share) {
  self->rest = rest;
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    at->supports.rest = rest;
    at->supports.factor = rest ? share : 1;
    at->law.rest = rest;
    at->law.slip = rest ? at->slip_rest : at->slip_moving;
    at->carrier.frame = (wy_q4){0, 0, 0, 0}; /* to be placed again */
  }
}

bool wy_contacts_depend_on_time(const wy_contacts *self) {
  bool any = false;
  for (int i = 0; i < self->meeting_count; i++) {
    const wy_meeting *at = &self->meetings[i];
    any = any || (!at->pushed && wy_support_moves(&at->supports, 0)) || wy_inner(at->belt, at->belt) > 0;
  }
  return any;
}

void wy_contacts_note(wy_meeting *at, double t) {
  at->before->t = t;
  wy_put3(at->before->x, at->carrier.x);
  wy_put4(at->before->frame, at->carrier.frame);
}

/* How the material at a place has moved since the last accepted step: back from where it is now. */
static void set_way(wy_meeting *at, double t, bool rest) {
  wy_carrier *now = &at->carrier;
  const wy_obstacle_before *before = at->before;
  const wy_v3 belt = rest ? (wy_v3){0, 0, 0} : wy_times(t - before->t, now->belt);
  now->way = wy_plus(wy_minus(now->x, wy_at3(before->x)), belt);
  const wy_m3 then = wy_rotation(wy_at4(before->frame)), here = wy_rotation(now->frame);
  now->turn = wy_mminus(wy_diagonal(1), wy_mproduct(then, wy_mtransposed(here)));
}

/* What is mounted on something that moves. */
static void mount(const wy_meeting *at, const wy_spot *on, wy_carrier *out) {
  const wy_v3 arm = wy_apply(wy_rotation(on->frame), at->mount);
  out->spin = on->spin;
  out->x = wy_plus(on->x, arm);
  out->v = wy_plus(on->v, wy_cross(on->spin, arm));
  out->frame = wy_qproduct(on->frame, at->mount_frame);
  out->belt = wy_apply(wy_rotation(out->frame), at->belt);
}

void wy_contacts_carry(wy_contacts *self, int body, wy_moment moment, const wy_spot *motion) {
  for (int i = 0; i < self->meeting_count; i++)
    if (self->meetings[i].pushed && self->meetings[i].body == body)
      self->meetings[i].bodies[moment] = *motion;
}

void wy_meeting_carrier(const wy_meeting *at, double t, wy_moment moment, wy_carrier *out) {
  wy_end_pose pose;
  if (at->pushed) {
    mount(at, &at->bodies[moment], out);
    return;
  }
  wy_support_pose(&at->supports, 0, t, &pose);
  const wy_v3 spin = wy_apply(wy_rotation(wy_at4(pose.q)), wy_at3(pose.w));
  mount(at, &(wy_spot){wy_at3(pose.x), wy_at3(pose.v), wy_at4(pose.q), spin}, out);
}

void wy_meeting_carrier_between(const wy_meeting *at, double t, double h, double share, wy_carrier *out) {
  const wy_spot *a = &at->bodies[WY_BEFORE], *b = &at->bodies[WY_AFTER];
  if (!at->pushed) {
    wy_meeting_carrier(at, t + share * h, WY_NOW, out);
    return;
  }
  wy_q4 frame = wy_qplus(wy_qtimes(1 - share, a->frame), wy_qtimes(share, b->frame));
  frame = wy_qtimes(1 / sqrt(wy_qsquare(frame)), frame);
  const wy_v3 x = wy_plus(a->x, wy_times(share, wy_minus(b->x, a->x)));
  mount(at, &(wy_spot){x, a->v, frame, a->spin}, out);
}

/* One that stands, and stood when it was placed, is where it was. */
static bool is_placed(const wy_meeting *at, bool stood) {
  return stood && !at->moves && wy_qsquare(at->carrier.frame) > 0;
}

void wy_contacts_place(wy_contacts *self, double t) {
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    const bool stood = !at->moves && !self->rest;
    at->moves = at->pushed || wy_support_moves(&at->supports, 0);
    if (is_placed(at, stood)) {
      at->carrier.way = wy_times(t - at->before->t, at->carrier.belt);
      at->carrier.turn = wy_diagonal(0);
      continue;
    }
    wy_meeting_carrier(at, t, self->moment, &at->carrier);
    if (self->rest)
      at->carrier.x = wy_plus(at->carrier.x, wy_times(1 - at->supports.factor, at->shift));
    if (at->stretch)
      set_way(at, t, self->rest);
  }
}

/* ---- Which stations touch ---- */

bool wy_contacts_search(wy_contacts *self, wy_v3 low, wy_v3 high, double margin) {
  const wy_v3 centre = wy_times(0.5, wy_plus(low, high));
  const double reach = 0.5 * wy_norm(wy_minus(high, low)) + self->largest_radius + margin;
  self->near_count = 0;
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    const wy_m3 r = wy_rotation(at->carrier.frame);
    const wy_v3 y = wy_apply_transposed(r, wy_minus(centre, at->carrier.x));
    double distance;
    const double point[3] = {y.x, y.y, y.z};
    wy_form_distances(&at->form, 1, 1, point, &distance);
    /* beside a tube, the distance of its rim says nothing of its wall, which begins at once */
    at->near = !(distance > reach) || at->form.shape == WY_OBSTACLE_TUBE;
    self->near_count += at->near;
  }
  return self->near_count > 0;
}

bool wy_contacts_find(wy_system *system, double t, const double *u, double margin) {
  wy_contacts *self = system->contacts;
  wy_v3 low, high;
  if (self->before)
    return wy_contacts_find_between(system, t - 0.5 * self->step, self->step, self->before, self->after);
  wy_contacts_place(self, t);
  self->type->box(system, u, &low, &high);
  const bool any = wy_contacts_search(self, low, high, margin);
  if (any)
    wy_contacts_look_at(system, u);
  return any;
}

bool wy_contacts_find_between(wy_system *system, double t, double h, const double *before, const double *after) {
  wy_contacts *self = system->contacts;
  wy_v3 low, high;
  /* what touches at the beginning */
  self->moment = WY_BEFORE;
  wy_contacts_place(self, t);
  self->type->box(system, before, &low, &high);
  const bool from = wy_contacts_search(self, low, high, 0);
  if (from)
    wy_contacts_look_at(system, before);
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    at->before_step = at->carrier;
    at->touched_before = false;
    if (at->near)
      wy_contacts_close_distances(self, at, 0);
    for (int k = 0; at->near && k < self->count; k++) {
      at->from_distance[k] = self->distance[k];
      at->touched_before |= self->distance[k] < self->radius[k];
    }
  }
  self->moment = WY_NOW;
  wy_contacts_place(self, t + 0.5 * h);
  for (int i = 0; i < self->meeting_count; i++)
    self->meetings[i].between = self->meetings[i].carrier;
  self->moment = WY_AFTER;
  wy_contacts_place(self, t + h);
  self->moment = WY_NOW;
  self->type->box(system, after, &low, &high);
  wy_contacts_search(self, low, high, 0);
  self->near_count = 0;
  for (int i = 0; i < self->meeting_count; i++) {
    wy_meeting *at = &self->meetings[i];
    at->near = at->near || at->touched_before;
    self->near_count += at->near;
  }
  if (self->near_count > 0)
    wy_contacts_look_at(system, after);
  return self->near_count > 0;
}

static bool touches_before(const wy_contacts *self, const wy_meeting *at, int station) {
  return at->from_distance[station] < self->radius[station] && self->weight[station] > 0;
}

bool wy_contacts_walk(wy_contacts *self, wy_contact_walk *walk) {
  for (; walk->meeting < self->meeting_count; walk->meeting++, walk->next = 0, walk->seen = false) {
    wy_meeting *at = &self->meetings[walk->meeting];
    if (!at->near)
      continue;
    if (!walk->seen)
      wy_contacts_close_distances(self, at, 0);
    walk->seen = true;
    const bool before = (walk->between || self->before) && at->touched_before;
    for (int i = walk->next; i < self->count; i++)
      if (i % WY_LANES == 0 && !before && !wy_contacts_group_near(self, i)) {
        i += WY_LANES - 1;
      } else if (wy_contacts_touches(self, i) || (before && touches_before(self, at, i))) {
        walk->at = at;
        walk->station = i;
        walk->next = i + 1;
        return true;
      }
  }
  return false;
}

wy_touch_law wy_contacts_law(const wy_contacts *self, const wy_meeting *at, int station) {
  wy_touch_law law = at->law;
  law.radius = self->radius[station];
  law.skin = self->skin[station];
  return law;
}

wy_anchor wy_contacts_anchor(const wy_contacts *self, const wy_meeting *at, int station) {
  if (!at->stretch)
    return (wy_anchor){.frame = {1, 0, 0, 0}};
  return (wy_anchor){wy_load3(at->stretch, self->count, station), wy_load3(self->anchor_x, self->count, station),
                     wy_load4(self->anchor_frame, self->count, station)};
}

double wy_contacts_energy(wy_system *system, double t, const double *u) {
  wy_contacts *self = system->contacts;
  wy_contact_walk walk = {0};
  double energy = 0;
  if (!wy_contacts_find(system, t, u, 0))
    return 0;
  while (wy_contacts_walk(self, &walk)) {
    const int i = walk.station;
    const double skin = wy_skin_at(&self->skin[i], self->radius[i] - self->distance[i]).energy;
    double weight = self->weight[i];
    if (i >= self->cap) {
      const wy_v3 end = wy_load3(self->x, self->count, i);
      const wy_near near = wy_carrier_near(&walk.at->form, &walk.at->carrier, end);
      weight = wy_cap_at(self->radius[i], &near, 0, end, self->type->beside(system, u, i - self->cap)).weight;
    }
    energy += weight * skin;
  }
  return energy;
}
