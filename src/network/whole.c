/* SPDX-License-Identifier: MIT */
/* A rod in pieces as others see it: one part of the group with one state, those of its pieces one after the other, and
   one view. It has only what a part is asked for; the group moves the pieces themselves. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "network/inside.h"
#include "scheme/supports.h"
#include "scheme/system.h"

struct wy_whole {
  wy_system base;
  wy_group *group;
  int first, count; /* of its pieces, in the group's rods */
  wy_supports supports;
  wy_end_state ends[2];
};

static wy_group_rod_part *piece_of(const wy_whole *self, int i) {
  return &self->group->rods[self->first + i];
}

/* The state of a piece in that of the rod. */
static const double *state_of(const wy_whole *self, int i, const double *u) {
  return u + (piece_of(self, i)->offset - piece_of(self, 0)->offset);
}

static void energy_of(wy_system *system, double t, const double *u, wy_energy *energy) {
  const wy_whole *self = (const wy_whole *)system;
  memset(energy, 0, sizeof *energy);
  for (int i = 0; i < self->count; i++) {
    wy_system *piece = piece_of(self, i)->system;
    wy_energy part = {0};
    piece->type->energy(piece, t, state_of(self, i, u), &part);
    energy->kinetic += part.kinetic, energy->elastic += part.elastic;
    energy->gravity += part.gravity, energy->work += part.work;
    energy->contact += part.contact;
  }
}

static void momentum_of(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  const wy_whole *self = (const wy_whole *)system;
  memset(momentum, 0, sizeof *momentum);
  for (int i = 0; i < self->count; i++) {
    wy_system *piece = piece_of(self, i)->system;
    wy_momentum part;
    piece->type->momentum(piece, t, state_of(self, i, u), &part);
    momentum->mass += part.mass;
    wy_add3(momentum->linear, 1, part.linear);
    wy_add3(momentum->angular, 1, part.angular);
    wy_add3(momentum->centre_of_mass, part.mass, part.centre_of_mass);
  }
  for (int k = 0; k < 3; k++)
    momentum->centre_of_mass[k] /= momentum->mass;
}

/* ---- The view ---- */

enum { LISTS = 8, JUMPING = 6 }; /* curvature and moment, which come last, jump at hubs */

static void list_points(wy_view *view, wy_points *lists[LISTS]) {
  wy_points *all[LISTS] = {&view->position, &view->velocity, &view->frame,     &view->angular_velocity,
                           &view->strain,   &view->force,    &view->curvature, &view->moment};
  memcpy(lists, all, sizeof all);
}

/* Appends the points of a piece. Where it begins with the place that the one before has ended with there is one point,
   or two that are `apart`: moments jump where other parts of a joint turn the rod. */
static void append(const wy_points *from, double apart, wy_points *to) {
  const int n = from->components;
  double *s = (double *)to->s, *values = (double *)to->values;
  const bool meets = to->count > 0 && from->count > 0 && s[to->count - 1] == from->s[0];
  const int skipped = meets && apart == 0 ? 1 : 0, more = from->count - skipped;
  memcpy(s + to->count, from->s + skipped, (size_t)more * sizeof *s);
  memcpy(values + (size_t)to->count * (size_t)n, from->values + (size_t)skipped * (size_t)n,
         (size_t)more * (size_t)n * sizeof *values);
  if (meets && apart > 0)
    s[to->count - 1] -= 0.5 * apart, s[to->count] += 0.5 * apart;
  to->count += more;
}

static void gather_points(const wy_whole *self, wy_view *view) {
  const double apart = WY_SAME_PLACE * wy_model_rod(self->base.model, self->base.rod)->length;
  wy_points *to[LISTS], *from[LISTS];
  list_points(view, to);
  for (int k = 0; k < LISTS; k++)
    to[k]->count = 0;
  for (int i = 0; i < self->count; i++) {
    list_points(&piece_of(self, i)->system->view, from);
    for (int k = 0; k < LISTS; k++)
      append(from[k], k < JUMPING ? 0 : apart, to[k]);
  }
}

static void view_of(wy_system *system, double t, const double *u, wy_view *view) {
  const wy_whole *self = (const wy_whole *)system;
  for (int i = 0; i < self->count; i++) {
    wy_system *piece = piece_of(self, i)->system;
    piece->type->view(piece, t, state_of(self, i, u), &piece->view);
  }
  gather_points(self, view);
  view->time = t;
  view->ends[WY_START] = piece_of(self, 0)->system->view.ends[WY_START];
  view->ends[WY_END] = piece_of(self, self->count - 1)->system->view.ends[WY_END];
}

/* ---- What the user changes ---- */

static void set_load(wy_system *system, int load, const double force[3], const double moment[3]) {
  const wy_whole *self = (const wy_whole *)system;
  for (int i = 0; i < self->count; i++)
    piece_of(self, i)->system->type->set_load(piece_of(self, i)->system, load, force, moment);
}

static void set_actuator(wy_system *system, int actuator, const double *force) {
  const wy_whole *self = (const wy_whole *)system;
  for (int i = 0; i < self->count; i++)
    piece_of(self, i)->system->type->set_actuator(piece_of(self, i)->system, actuator, force);
}

static int move_end(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                    wy_message *message) {
  const wy_whole *self = (const wy_whole *)system;
  wy_system *piece = piece_of(self, end == WY_START ? 0 : self->count - 1)->system;
  return piece->type->move_end(piece, end, t, target, duration, message);
}

void wy_whole_refresh(wy_whole *self) {
  const wy_supports *start = piece_of(self, 0)->system->supports,
                    *end = piece_of(self, self->count - 1)->system->supports;
  const int detour = self->supports.detour;
  self->base.unknowns = 0;
  for (int i = 0; i < self->count; i++) {
    self->base.unknowns += piece_of(self, i)->system->unknowns;
    piece_of(self, i)->system->supports->detour = detour;
  }
  self->supports = *start;
  self->supports.detour = detour;
  self->supports.ends = wy_model_rod(self->base.model, self->base.rod)->ends;
  self->supports.state = self->ends;
  self->ends[WY_START] = start->state[WY_START], self->ends[WY_END] = end->state[WY_END];
  wy_copy3(end->reference[WY_END], self->supports.reference[WY_END]);
  wy_copy3(end->path_offset[WY_END], self->supports.path_offset[WY_END]);
  memcpy(self->supports.reference_q[WY_END], end->reference_q[WY_END], sizeof end->reference_q[WY_END]);
  memcpy(self->supports.turn_offset[WY_END], end->turn_offset[WY_END], sizeof end->turn_offset[WY_END]);
}

/* ---- Creation ---- */

static const wy_system_type whole_type = {.name = "pieces",
                                          .energy = energy_of,
                                          .momentum = momentum_of,
                                          .view = view_of,
                                          .set_load = set_load,
                                          .set_actuator = set_actuator,
                                          .move_end = move_end};

wy_whole *wy_whole_layout(const wy_model *model, int rod, wy_arena *arena) {
  const int n = wy_model_rod(model, rod)->segments, *first = &wy_model_network(model)->rod_pieces[rod];
  wy_whole counting, *carved = wy_arena_take(arena, sizeof *carved), *self = carved ? carved : &counting;
  wy_view_layout(&self->base.view, arena,
                 (wy_view_counts){.positions = n + 1, .frames = n, .strains = n, .bends = n + first[1] - first[0]});
  return carved;
}

wy_system *wy_whole_begin(wy_whole *self, wy_group *group, int first, int count) {
  wy_system *base = &self->base, *start = group->rods[first].system;
  self->group = group, self->first = first, self->count = count;
  base->type = &whole_type;
  base->model = start->model, base->rod = start->rod;
  base->load_overrides = start->load_overrides;
  base->actuator_overrides = start->actuator_overrides;
  base->supports = &self->supports;
  for (int i = 0; i < count; i++)
    base->size += piece_of(self, i)->system->size;
  base->weight = group->base.weight + group->rods[first].offset;
  gather_points(self, &base->view);
  return base;
}
