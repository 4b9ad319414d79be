/* SPDX-License-Identifier: MIT */
/* A group of mixed rods is made: what it cannot be made of, its memory, its hubs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/contact.h"
#include "model/parts.h"
#include "network/members.h"
#include "network/mixed_inside.h"
#include "scheme/system.h"

/* ---- What scheme mixed does not join ---- */

static wy_status refuse(const char *list, const char *name, int index, const char *what, wy_message *message) {
  char place[WY_ENTRY_PATH];
  wy_entry_path(list, name, index, place);
  wy_fail_at(message, place, "the scheme 'mixed' cannot compute %s in this version; use staggered", what);
  return WY_ERROR_SUPPORT;
}

static const char *joint_lacks(const wy_joint_def *joint) {
  int bodies = 0, ground = 0;
  bool slides = false;
  for (int i = 0; i < joint->port_count; i++) {
    bodies += joint->ports[i].kind == WY_PORT_BODY;
    ground += joint->ports[i].kind == WY_PORT_GROUND;
  }
  for (int k = 0; k < 3; k++)
    slides = slides || (ground && joint->position[k] == WY_FREE);
  return joint->kind == WY_HINGE            ? "hinges"
         : bodies > 1                       ? "joints of two bodies"
         : bodies > 0 && ground > 0         ? "joints of a body and the ground"
         : joint->has_spring                ? "springs in joints"
         : joint->assemble                  ? "joints that bring parts together"
         : joint->rotation != WY_WELD_DRAWN ? "welds that turn parts"
         : isfinite(joint->release)         ? "joints that are released"
         : slides                           ? "joints that slide"
                                            : NULL;
}

static const char *body_lacks(const wy_body_def *body) {
  int held = body->rotation == WY_HELD, driven = body->rotation == WY_DRIVEN;
  for (int k = 0; k < 3; k++) {
    held += body->position[k] == WY_HELD;
    driven += body->position[k] == WY_DRIVEN;
  }
  return driven > 0                            ? "driven bodies that are joined"
         : held > 0 && isfinite(body->release) ? "bodies that are released"
                                               : NULL;
}

static wy_status check_hub(const wy_model *model, const wy_hub *hub, wy_message *message) {
  const wy_network *network = wy_model_network(model);
  const char *lacks = hub->body >= 0 ? body_lacks(wy_model_body(model, hub->body)) : NULL;
  if (lacks)
    return refuse("bodies", wy_model_body(model, hub->body)->name, hub->body, lacks, message);
  for (int i = hub->first_end; i < hub->first_end + hub->end_count; i++)
    if (network->ends[i].inner)
      return refuse("rods", wy_model_rod(model, network->ends[i].rod)->name, network->ends[i].rod,
                    "joints and springs at inner points of rods", message);
  if (hub->parent >= 0)
    return refuse("joints", wy_model_joint(model, hub->joint)->name, hub->joint, "frames that turn at a joint",
                  message);
  return WY_OK;
}

/* Inextensible rods that are held at both ends while they are eliminated have one condition too many. */
static wy_status check_rod(const wy_model *model, int index, wy_message *message) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  bool held = true;
  for (int end = 0; end < 2; end++) {
    const wy_hold *position = rod->ends[end].position;
    const bool supported = position[0] != WY_FREE || position[1] != WY_FREE || position[2] != WY_FREE;
    held = held && (supported || wy_network_end(model, index, (wy_end_name)end) >= 0);
  }
  if (rod->kind == WY_INEXTENSIBLE && held)
    return refuse("rods", rod->name, index, "inextensible rods between joints", message);
  return WY_OK;
}

static wy_status check(const wy_model *model, int index, wy_message *message) {
  const wy_group_def *def = wy_group_def_of(model, index);
  wy_status status = WY_OK;
  for (int i = 0; !status && i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    const char *lacks = wy_group_joins(model, index, joint) ? joint_lacks(joint) : NULL;
    if (lacks)
      status = refuse("joints", joint->name, i, lacks, message);
  }
  for (int i = 0; !status && i < def->hub_count && !wy_mixed_moves_alone(model, def); i++)
    status = check_hub(model, wy_group_hub_def(model, def, i), message);
  for (int i = 0; !status && i < def->rod_count; i++)
    status = check_rod(model, def->rods[i], message);
  return status;
}

/* ---- Sizes ---- */

/* Numbers of a hub in the state: those of a node, their rates, what holds it. */
enum { HUB_ENTRIES = 2 * WY_NODE + WY_NODE_UNKNOWNS };

static const wy_scheme *scheme_of(const wy_solver_def *solver) {
  return wy_scheme_find(solver->scheme);
}

int wy_mixed_group_size(const wy_model *model, int index, const wy_solver_def *solver) {
  const wy_group_def *def = wy_group_def_of(model, index);
  int size = wy_padded(HUB_ENTRIES * def->hub_count + 1);
  for (int i = 0; i < def->rod_count; i++)
    size += scheme_of(solver)->size(model, def->rods[i], solver);
  return size;
}

static int count_blocks(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++)
    count += !wy_group_hub_def(model, def, i)->known;
  return count;
}

void wy_mixed_group_config_size(const wy_model *model, int index, const wy_solver_def *solver, int *config_size,
                                int *dofs) {
  const wy_group_def *def = wy_group_def_of(model, index);
  *config_size = wy_mixed_group_size(model, index, solver);
  *dofs = WY_NODE_UNKNOWNS * count_blocks(model, def);
  for (int i = 0; i < def->rod_count; i++) {
    int size, freedoms;
    scheme_of(solver)->config_size(model, def->rods[i], solver, &size, &freedoms);
    *dofs += freedoms;
  }
}

static void set_sizes(wy_mixed_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs) {
  const wy_model *model = self->base.model;
  const wy_group_def *def = self->def;
  wy_system *base = &self->base;
  self->part_count = def->rod_count, self->hub_count = def->hub_count, self->spring_count = def->spring_count;
  for (int i = 0; i < def->hub_count; i++)
    self->seat_count += wy_group_hub_def(model, def, i)->end_count;
  for (int i = 0; i < wy_model_load_count(model); i++)
    self->load_count += wy_group_load_hub(model, def, i) >= 0;
  self->block_count = count_blocks(model, def);
  base->size = wy_mixed_group_size(model, index, solver);
  self->q = base->size - wy_padded(HUB_ENTRIES * def->hub_count + 1);
  self->v = self->q + WY_NODE * def->hub_count;
  self->reaction = self->v + WY_NODE * def->hub_count;
  self->stepped = self->reaction + WY_NODE_UNKNOWNS * def->hub_count;
  self->load_factor = self->known_h = 1;
  base->rod = def->rod_count > 0 ? def->rods[0] : -1;
  base->body = def->rod_count > 0 ? -1 : wy_group_hub_def(model, def, 0)->body;
  base->part_count = def->rod_count;
  base->has_power = true;
  if (needs.equilibria)
    wy_mixed_group_config_size(model, index, solver, &base->config_size, &base->dofs);
  wy_put3(self->origin, wy_at3(def->rod_count > 0 ? wy_model_rod(model, def->rods[0])->shape.origin
                                                  : wy_group_hub_def(model, def, 0)->origin));
}

/* ---- Memory ---- */

static void lay_out(wy_mixed_group *self, wy_memory *memory, wy_factor_needs needs) {
  wy_arena *arena = &memory->scratch;
  const size_t rods = (size_t)self->part_count;
  self->parts = wy_arena_take(arena, rods * sizeof *self->parts);
  self->seats = wy_arena_take(arena, (size_t)self->seat_count * sizeof *self->seats);
  self->hubs = wy_arena_take(arena, (size_t)self->hub_count * sizeof *self->hubs);
  self->springs = wy_arena_take(arena, (size_t)self->spring_count * sizeof *self->springs);
  self->loads = wy_arena_take(arena, (size_t)self->load_count * sizeof *self->loads);
  self->overrides = wy_arena_take(&memory->saved, (size_t)self->load_count * sizeof *self->overrides);
  self->base.parts = wy_arena_take(arena, rods * sizeof(wy_system *));
  self->base.fields = wy_arena_take(arena, (WY_MAX_FIELDS * rods + 4) * sizeof(wy_field));
  self->base.weight = wy_arena_doubles(arena, (size_t)self->base.size);
  self->first = wy_arena_doubles(arena, (size_t)self->base.size);
  wy_mixed_lay_out_mover(self, memory);
  if (!needs.equilibria)
    return;
  self->dof_weight = wy_arena_doubles(arena, (size_t)self->base.dofs);
  self->base.dof_weight = self->dof_weight;
  self->work = wy_arena_doubles(arena, (size_t)self->base.dofs);
}

/* Rods and springs between hubs that move, as edges of the matrix; their number. */
static int list_edges(const wy_model *model, const wy_group_def *def, const int *blocks, int (*edges)[2]) {
  const wy_network *network = wy_model_network(model);
  int count = 0;
  for (int i = 0; i < def->rod_count + def->spring_count; i++) {
    int pair[2];
    for (int end = 0; end < 2; end++) {
      const int spring = i - def->rod_count;
      const int at = spring < 0 ? wy_network_end(model, def->rods[i], (wy_end_name)end) : -1;
      const int hub = spring >= 0 ? network->springs[def->springs[spring]][end].hub
                      : at >= 0   ? network->ends[at].hub
                                  : -1;
      const int place = wy_find_number(def->hubs, def->hub_count, hub);
      pair[end] = place >= 0 ? blocks[place] : -1;
    }
    if (pair[0] >= 0 && pair[1] >= 0)
      edges[count][0] = pair[0], edges[count][1] = pair[1], count++;
  }
  return count;
}

static int lay_out_pattern(wy_mixed_group *self, wy_arena *arena) {
  const wy_model *model = self->base.model;
  const wy_group_def *def = self->def;
  const size_t edges_most = (size_t)(def->rod_count + def->spring_count) + 1, hubs = (size_t)def->hub_count + 1;
  int *block = malloc((2 * hubs + 2 * edges_most) * sizeof *block), *orders = block + hubs;
  if (!block)
    return WY_ERROR_MEMORY;
  int(*edges)[2] = (int(*)[2])(orders + hubs), count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const wy_hub *hub = wy_group_hub_def(model, def, i);
    block[i] = hub->known ? -1 : count;
    if (!hub->known)
      orders[count++] = hub->has_frame ? 6 : 3;
  }
  const int edge_count = list_edges(model, def, block, edges);
  const int status =
      wy_hub_pattern_layout(&self->pattern, arena, count, orders, NULL, edge_count, (const int(*)[2])edges);
  free(block);
  return status;
}

/* Rods have been laid out: their unknowns are known while they are counted, too. */
static void lay_out_linear(wy_mixed_group *self, wy_arena *arena, const wy_solver_def *solver, wy_factor_needs needs) {
  const int order = solver->mixed.order;
  size_t most = 0, steps = 0;
  bool touches = false;
  for (int i = 0; i < self->part_count; i++) {
    const wy_rod_def *rod = wy_model_rod(self->base.model, self->def->rods[i]);
    const wy_mixed_form form = rod->kind == WY_COSSERAT ? WY_FORM_NODES : WY_FORM_FORCES;
    const int elements = rod->segments, narrow = wy_mixed_cell(order, form) * elements + WY_NODE_UNKNOWNS;
    const int wide = needs.equilibria ? wy_mixed_cell(order, WY_FORM_ALL) * elements + WY_NODE_UNKNOWNS : 0;
    const int larger = narrow > wide ? narrow : wide;
    most = (size_t)larger > most ? (size_t)larger : most;
    touches = touches || wy_rod_touches(self->base.model, self->def->rods[i]);
    steps += (size_t)(narrow + elements * wy_mixed_part_size(order));
  }
  self->hub_step = (int)steps;
  self->base.step_size = self->hub_step + WY_NODE_UNKNOWNS * self->block_count;
  self->base.step_vector = wy_arena_doubles(arena, (size_t)self->base.step_size);
  if (touches)
    self->correction = wy_arena_doubles(arena, (size_t)self->base.step_size);
  self->columns = wy_arena_doubles(arena, WY_LANES * most);
  self->band_vector = wy_arena_doubles(arena, most);
  if (self->block_count == 0)
    return;
  self->y = wy_arena_doubles(arena, WY_NODE_UNKNOWNS * (size_t)self->block_count);
  wy_hub_matrix_layout(&self->matrix, arena, &self->pattern);
}

/* ---- Parts ---- */

static void add_rod(wy_mixed_group *self, int i, wy_system *system) {
  wy_system *base = &self->base;
  wy_mixed_member *part = &self->parts[i];
  *part = (wy_mixed_member){.rod = (wy_mixed *)system, .seat = {-1, -1}};
  if (i > 0) {
    const wy_mixed_member *before = &self->parts[i - 1];
    part->offset = before->offset + before->rod->base.size;
    part->dof = before->dof + before->rod->base.dofs;
    part->step = before->step + before->rod->base.step_size;
  }
  ((wy_system **)base->parts)[i] = system;
  for (int k = 0; k < system->field_count; k++) {
    wy_field *field = &base->fields[base->field_count++];
    *field = system->fields[k];
    field->offset += part->offset;
  }
  memcpy((double *)base->weight + part->offset, system->weight, (size_t)system->size * sizeof(double));
  base->unknowns += system->unknowns;
  base->least_unit = i == 0 ? system->least_unit : fmin(base->least_unit, system->least_unit);
  self->length = fmax(self->length, part->rod->rod->length);
}

/* Of the kinds that rods have (wy_mixed, set_fields). */
static void add_hub_fields(wy_mixed_group *self) {
  const int hubs = self->hub_count;
  const wy_field fields[] = {
      {.name = "configuration", .offset = self->q, .components = WY_NODE, .count = hubs, .stride = hubs, .kind = 0},
      {.name = "velocity", .offset = self->v, .components = WY_NODE, .count = hubs, .stride = hubs, .kind = 1},
      {.name = "reaction",
       .offset = self->reaction,
       .components = WY_NODE_UNKNOWNS,
       .count = hubs,
       .stride = hubs,
       .dae_index = 2,
       .kind = 5},
      {.name = "stepped",
       .offset = self->stepped,
       .components = 1,
       .count = 1,
       .stride = 1,
       .dae_index = 2,
       .kind = 7}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    self->base.fields[self->base.field_count++] = fields[i];
}

/* Where an end sits follows from the discrete rod, so that it is undeformed to the last digit. */
static void add_seat(wy_mixed_group *self, int index, const wy_hub_end *end) {
  const int number = self->seat_count++, at = wy_find_number(self->def->rods, self->part_count, end->rod);
  wy_mixed_member *part = &self->parts[at];
  const wy_mixed_hub *hub = &self->hubs[index];
  wy_mixed_seat *seat = &self->seats[number];
  double r[9], frame[9], from[3];
  *seat = (wy_mixed_seat){.part = at, .hub = index, .end = end->end, .turns = end->turns};
  part->seat[end->end] = number;
  part->rod->ports[end->end] = (wy_mixed_port){.there = true, .turns = end->turns};
  self->base.unknowns -= 2 * (end->turns ? WY_NODE : 3);
  wy_put3(seat->origin, wy_minus(wy_at3(part->rod->rod->shape.origin), wy_at3(self->origin)));
  wy_put3(from, wy_minus(wy_plus(wy_at3(part->rod->supports.reference[end->end]), wy_at3(seat->origin)),
                         wy_minus(wy_at3(hub->def->origin), wy_at3(self->origin))));
  wy_qmatrix(hub->def->frame, r);
  if (hub->has_frame)
    wy_tmul3(r, from, seat->c);
  wy_qmatrix(part->rod->supports.reference_q[end->end], frame);
  wy_transpose3(r, r);
  wy_matmul3(r, frame, seat->turn);
}

/* (N21): E = (tr J) / 2 - J. */
static void add_body(wy_mixed_hub *hub, const wy_body_def *body) {
  static const int where[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  const double half = 0.5 * (body->inertia[0] + body->inertia[1] + body->inertia[2]);
  hub->mass = body->mass;
  for (int i = 0; i < 9; i++) {
    hub->inertia[i] = body->inertia[where[i]];
    hub->euler[i] = (i % 4 == 0 ? half : 0) - hub->inertia[i];
  }
  for (int k = 0; k < WY_NODE_UNKNOWNS; k++) {
    hub->held[k] = (k < 3 ? body->position[k] : body->rotation) != WY_FREE;
    hub->any_held = hub->any_held || hub->held[k];
  }
}

static void add_hub(wy_mixed_group *self, int i) {
  const wy_model *model = self->base.model;
  const wy_hub *def = wy_group_hub_def(model, self->def, i);
  wy_mixed_hub *hub = &self->hubs[i];
  double *weight = (double *)self->base.weight;
  *hub = (wy_mixed_hub){.def = def, .block = def->known ? -1 : self->block_count, .has_frame = def->has_frame};
  self->block_count += !def->known;
  if (def->body >= 0)
    add_body(hub, wy_model_body(model, def->body));
  for (int x = 0; hub->block >= 0 && x < (hub->has_frame ? WY_NODE : 3); x++) {
    weight[self->q + WY_NODE * i + x] = weight[self->v + WY_NODE * i + x] = 1;
    self->base.unknowns += 2;
  }
  for (int k = 0; k < def->end_count; k++)
    add_seat(self, i, &wy_model_network(model)->ends[def->first_end + k]);
}

static void add_springs(wy_mixed_group *self) {
  const wy_model *model = self->base.model;
  for (int i = 0; i < self->spring_count; i++) {
    wy_mixed_spring *spring = &self->springs[i];
    const int number = self->def->springs[i];
    spring->def = wy_model_spring(model, number);
    for (int end = 0; end < 2; end++) {
      const wy_spring_end *at = &wy_model_network(model)->springs[number][end];
      spring->hub[end] = wy_find_number(self->def->hubs, self->hub_count, at->hub);
      wy_copy3(at->c, spring->c[end]);
      if (spring->hub[end] < 0)
        wy_add3(spring->c[end], -1, self->origin);
    }
  }
}

static void add_loads(wy_mixed_group *self) {
  const wy_model *model = self->base.model;
  int count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++) {
    const int hub = wy_group_load_hub(model, self->def, i);
    if (hub >= 0)
      self->loads[count++] = (wy_mixed_body_load){.def = wy_model_load(model, i), .number = i, .hub = hub};
  }
}

static wy_status add_rods(wy_mixed_group *self, const wy_solver_def *solver, wy_factor_needs needs, wy_memory *memory,
                          wy_message *message) {
  const wy_scheme *scheme = scheme_of(solver);
  const wy_model *model = self->base.model;
  wy_status status = WY_OK;
  for (int i = 0; !status && i < self->part_count; i++) {
    wy_system *rod = NULL;
    status = wy_scheme_check_fluid(scheme, wy_model_rod(model, self->def->rods[i]), self->def->rods[i], message);
    if (!status)
      status = scheme->create(model, self->def->rods[i], solver, needs, memory, &rod, message);
    if (!status && rod)
      status = wy_system_check_fields(rod, message);
    if (!status && rod)
      add_rod(self, i, rod);
  }
  return status;
}

wy_status wy_mixed_group_create(const wy_model *model, int index, const wy_solver_def *solver, wy_factor_needs needs,
                                wy_memory *memory, wy_system **system, wy_message *message) {
  wy_status status = check(model, index, message);
  if (status)
    return status;
  wy_mixed_group counting = {0};
  wy_mixed_group *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  self->base.type = &wy_mixed_group_type;
  self->base.model = model;
  self->def = wy_group_def_of(model, index);
  set_sizes(self, index, solver, needs);
  lay_out(self, memory, needs);
  status = add_rods(self, solver, needs, memory, message);
  if (!status && self->block_count > 0 && lay_out_pattern(self, &memory->scratch))
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for a network of %d hubs", self->hub_count);
  if (status)
    return status;
  lay_out_linear(self, &memory->scratch, solver, needs);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;
  add_hub_fields(self);
  self->seat_count = self->block_count = 0;
  for (int i = 0; i < self->hub_count; i++)
    add_hub(self, i);
  self->hub_dof = self->base.dofs - WY_NODE_UNKNOWNS * self->block_count;
  for (int i = 0; self->part_count == 0 && i < self->hub_count; i++) /* rotations count at the radius of gyration */
    for (int k = 0; k < 9; k += 4)
      self->length = fmax(self->length, sqrt(self->hubs[i].inertia[k] / self->hubs[i].mass));
  add_springs(self);
  add_loads(self);
  wy_mixed_begin_mover(self);
  if (needs.equilibria)
    wy_mixed_begin_statics(self);
  return WY_OK;
}
