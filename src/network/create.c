/* SPDX-License-Identifier: MIT */
/* A group is made: what it cannot be made of, its memory, its hubs. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/model.h"
#include "network/inside.h"
#include "network/mixed.h"
#include "scheme/system.h"

static const wy_group_def *def_of(const wy_model *model, int index) {
  return &wy_model_network(model)->groups[index];
}

static const wy_hub *hub_of(const wy_model *model, const wy_group_def *def, int i) {
  return &wy_model_network(model)->hubs[def->hubs[i]];
}

/* How many pieces the rod number i of a group has, and the first of them in the network. */
static int pieces_of(const wy_model *model, const wy_group_def *def, int i) {
  const int *first = &wy_model_network(model)->rod_pieces[def->rods[i]];
  return first[1] - first[0];
}

static int first_piece(const wy_model *model, const wy_group_def *def, int i) {
  return wy_model_network(model)->rod_pieces[def->rods[i]];
}

static int count_pieces(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->rod_count; i++)
    count += pieces_of(model, def, i);
  return count;
}

/* ---- What has no system yet ---- */

static wy_status refuse(const char *list, const char *name, int index, const char *what, wy_message *message) {
  char path[WY_ENTRY_PATH];
  wy_entry_path(list, name, index, path);
  wy_fail_at(message, path, "this version cannot compute %s", what);
  return WY_ERROR_SUPPORT;
}

/* How many ports of one kind a joint has. */
static int count_kind(const wy_joint_def *joint, wy_port_kind kind) {
  int count = 0;
  for (int i = 0; i < joint->port_count; i++)
    count += joint->ports[i].kind == kind;
  return count;
}

/* Are all of its parts held to each other by conditions (N7)? Else rods sit on hubs of the others. */
static bool holds_hubs_only(const wy_joint_def *joint) {
  return isfinite(joint->release) || count_kind(joint, WY_PORT_ROD) == 0;
}

static const char *joint_lacks(const wy_joint_def *joint) {
  const int bodies = count_kind(joint, WY_PORT_BODY), ground = count_kind(joint, WY_PORT_GROUND);
  const bool only = holds_hubs_only(joint), mixed = !only && bodies + ground > 1;
  bool slides = false;
  for (int k = 0; k < 3; k++)
    slides = slides || (ground && joint->position[k] == WY_FREE);
  const bool apart = bodies > 1 || (bodies > 0 && ground > 0) || isfinite(joint->release);
  return slides && isfinite(joint->release)                    ? "joints that slide and are released"
         : slides && bodies > 0                                ? "joints with a body that slide"
         : joint->has_spring && joint->kind == WY_BALL && only ? "springs in balls of bodies"
         : (joint->has_spring || joint->has_angle) && mixed    ? "springs and drives in joints of bodies and rods"
         : joint->assemble && apart ? "joints between bodies, or that are released, that bring parts together"
                                    : NULL;
}

/* Has the joint a part of this group? */
static bool joins(const wy_model *model, int group, const wy_joint_def *joint) {
  const wy_network *network = wy_model_network(model);
  for (int i = 0; i < joint->port_count; i++) {
    const wy_port *port = &joint->ports[i];
    if (port->kind == WY_PORT_ROD)
      return network->rod_groups[port->index] == group;
    if (port->kind == WY_PORT_BODY)
      return network->hubs[port->index].group == group;
  }
  return false;
}

static wy_status refuse_scheme(const wy_model *model, const wy_group_def *def, const wy_scheme *scheme,
                               wy_message *message) {
  const bool rods = def->rod_count > 0;
  char path[WY_ENTRY_PATH];
  wy_entry_path(rods ? "rods" : "bodies",
                rods ? wy_model_rod(model, def->rods[0])->name
                     : wy_model_body(model, hub_of(model, def, 0)->body)->name,
                0, path);
  wy_fail_at(message, path, "the scheme '%s' has no %s in this version; use staggered", scheme->name,
             rods ? "joints" : "bodies");
  return WY_ERROR_SUPPORT;
}

/* Do the forces of a rod depend on the accelerations of its ends? */
static bool is_constrained(const wy_model *model, int rod, const wy_solver_def *solver) {
  return wy_model_rod(model, rod)->kind != WY_COSSERAT && wy_scheme_find(solver->scheme)->ports->articulate != NULL;
}

/* The masses of rods that give way are too large to tell which conditions follow from others. */
static wy_status check_constrained(const wy_group_def *def, const wy_rod_def *rod, wy_message *message) {
  if (def->condition_count == 0 || rod->kind == WY_KIRCHHOFF)
    return WY_OK;
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "rod '%s': this version cannot compute joints of bodies with each other or with the ground, nor "
                 "joints that are released, in one network with rods of model inextensible; use kirchhoff",
                 rod->name);
}

static wy_status check(const wy_model *model, int index, const wy_solver_def *solver, wy_message *message) {
  const wy_group_def *def = def_of(model, index);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  if (!scheme->ports) /* whose integrators may know no other systems than its own */
    return refuse_scheme(model, def, scheme, message);
  wy_status status = WY_OK;
  for (int i = 0; !status && i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    const char *lacks = joins(model, index, joint) ? joint_lacks(joint) : NULL;
    if (lacks)
      status = refuse("joints", joint->name, i, lacks, message);
  }
  for (int i = 0; !status && i < def->rod_count; i++)
    if (is_constrained(model, def->rods[i], solver))
      status = check_constrained(def, wy_model_rod(model, def->rods[i]), message);
  for (int i = 0; !status && i < def->rod_count; i++)
    if (pieces_of(model, def, i) > 1 && !scheme->ports->create_piece)
      status = wy_fail(message, WY_ERROR_SUPPORT,
                       "rod '%s': the scheme '%s' has no joints or springs at inner points in this version",
                       wy_model_rod(model, def->rods[i])->name, scheme->name);
  return status;
}

/* ---- Sizes ---- */

static int hub_stride_of(const wy_group_def *def) {
  return wy_padded(def->hub_count);
}

/* Hinges that sub-hubs make: each has an angle in the state. */
static int count_angles(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++)
    count += hub_of(model, def, i)->kind == WY_HUB_HINGE;
  return count;
}

/* Entries of the state that belong to hubs. */
static int hub_entries_of(const wy_model *model, const wy_group_def *def) {
  return WY_HUB_ENTRIES * hub_stride_of(def) + 2 * wy_padded(count_angles(model, def));
}

/* Unknowns of a hub by itself. */
static int order_of(const wy_hub *hub) {
  if (hub->kind == WY_HUB_HINGE)
    return !hub->driven;
  return hub->kind == WY_HUB_TURNS ? 3 : hub->known ? 0 : hub->has_frame ? 6 : 3;
}

int wy_group_size(const wy_model *model, int index, const wy_solver_def *solver) {
  if (wy_scheme_find(solver->scheme)->shares_nodes)
    return wy_mixed_group_size(model, index, solver);
  const wy_group_def *def = def_of(model, index);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  int size = hub_entries_of(model, def);
  for (int i = 0; i < def->rod_count; i++) {
    const int pieces = pieces_of(model, def, i);
    size += pieces > 1 ? 0 : scheme->size(model, def->rods[i], solver);
    for (int k = 0; pieces > 1 && k < pieces; k++)
      size += scheme->ports->piece_size(model, first_piece(model, def, i) + k, solver);
  }
  return size;
}

static int count_blocks(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++)
    count += order_of(hub_of(model, def, i)) > 0;
  return count;
}

static int condition_order(const wy_model *model, const wy_group_def *def, int i) {
  const wy_network *network = wy_model_network(model);
  const wy_joint_def *joint = wy_model_joint(model, network->conditions[def->conditions[i]].joint);
  return joint->kind == WY_BALL ? 3 : joint->kind == WY_WELD || joint->has_angle ? 6 : 5;
}

static int count_multipliers(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->condition_count; i++)
    count += condition_order(model, def, i);
  return count;
}

void wy_group_config_size(const wy_model *model, int index, const wy_solver_def *solver, int *config_size, int *dofs) {
  if (wy_scheme_find(solver->scheme)->shares_nodes) {
    wy_mixed_group_config_size(model, index, solver, config_size, dofs);
    return;
  }
  const wy_group_def *def = def_of(model, index);
  *config_size = hub_entries_of(model, def);
  *dofs = 6 * count_blocks(model, def) + count_multipliers(model, def);
  *config_size += count_multipliers(model, def);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  for (int i = 0; i < def->rod_count; i++) {
    const int pieces = pieces_of(model, def, i);
    for (int k = 0; k < pieces; k++) {
      int size, freedoms;
      if (pieces > 1)
        scheme->ports->piece_config_size(model, first_piece(model, def, i) + k, solver, &size, &freedoms);
      else
        scheme->config_size(model, def->rods[i], solver, &size, &freedoms);
      *config_size += size, *dofs += freedoms;
    }
  }
}

/* Where a number stands in a list that increases; -1: nowhere. */
static int find(const int *list, int count, int number) {
  int from = 0, to = count;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (list[middle] < number)
      from = middle + 1;
    else
      to = middle;
  }
  return from < count && list[from] == number ? from : -1;
}

/* An inner point has one on both of its pieces. */
static int count_ports(const wy_model *model, const wy_group_def *def) {
  const wy_network *network = wy_model_network(model);
  int count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const wy_hub *hub = hub_of(model, def, i);
    for (int k = hub->first_end; k < hub->first_end + hub->end_count; k++)
      count += network->ends[k].inner ? 2 : 1;
  }
  return count;
}

/* The hub of a load on a body, in the group; -1: on a rod, or on a body of another group. */
static int load_hub(const wy_model *model, const wy_group_def *def, int load) {
  const wy_load_def *on = wy_model_load(model, load);
  return on->place == WY_AT_BODY ? find(def->hubs, def->hub_count, on->body) : -1;
}

/* The springs of joints in a group, in the order of their joints and parts. Writes them where there is room. */
static int list_joint_springs(const wy_model *model, int group, const wy_group_def *def, wy_group_joint_spring *out) {
  int count = 0;
  for (int i = 0; i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    if (!joint->has_spring || holds_hubs_only(joint) || !joins(model, group, joint))
      continue;
    const int first = out ? find(def->hubs, def->hub_count, wy_network_part(model, i, 0)) : -1;
    for (int k = 1; k < joint->port_count; k++, count++)
      if (out)
        out[count] = (wy_group_joint_spring){
            .def = joint, .hub = {first, find(def->hubs, def->hub_count, wy_network_part(model, i, k))}};
  }
  return count;
}

static int count_loads(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++)
    count += load_hub(model, def, i) >= 0;
  return count;
}

static int count_drives(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const int body = hub_of(model, def, i)->body;
    count += body >= 0 && wy_drive_holds(wy_model_body(model, body));
  }
  return count;
}

/* ---- Memory ---- */

/* The blocks of a hub of the model, in a group that has `blocks` for its hubs: its own and that of its parent. */
static int blocks_of(const wy_model *model, const wy_group_def *def, const int *blocks, int hub, int out[2]) {
  const int place = find(def->hubs, def->hub_count, hub);
  int count = 0;
  if (place < 0)
    return 0;
  const int parent = wy_model_network(model)->hubs[hub].parent;
  if (parent >= 0)
    count = blocks_of(model, def, blocks, parent, out);
  if (blocks[place] >= 0)
    out[count++] = blocks[place];
  return count;
}

/* Edges of the hub matrix. */
typedef struct edge_list {
  int count;
  int (*pairs)[2]; /* NULL: they are counted */
} edge_list;

/* All blocks of a hub are joined with all of another one. */
static void join(const wy_model *model, const wy_group_def *def, const int *blocks, int a, int b, edge_list *edges) {
  int first[2], second[2];
  const int rows = blocks_of(model, def, blocks, a, first), columns = blocks_of(model, def, blocks, b, second);
  for (int i = 0; i < rows * columns; i++, edges->count++)
    if (edges->pairs)
      edges->pairs[edges->count][0] = first[i / columns], edges->pairs[edges->count][1] = second[i % columns];
}

/* Hubs and their parents. */
static void join_parents(const wy_model *model, const wy_group_def *def, const int *blocks, edge_list *edges) {
  for (int i = 0; i < def->hub_count; i++)
    if (hub_of(model, def, i)->parent >= 0)
      join(model, def, blocks, def->hubs[i], def->hubs[i], edges);
}

/* Pieces of rods and springs between hubs. */
static void join_hubs(const wy_model *model, const wy_group_def *def, const int *blocks, edge_list *edges) {
  const wy_network *network = wy_model_network(model);
  for (int i = 0; i < def->rod_count; i++)
    for (int k = 0; k < pieces_of(model, def, i); k++) {
      const int *at = network->pieces[first_piece(model, def, i) + k].ends;
      if (at[0] >= 0 && at[1] >= 0)
        join(model, def, blocks, network->ends[at[0]].hub, network->ends[at[1]].hub, edges);
    }
  for (int i = 0; i < def->spring_count; i++) {
    const wy_spring_end *ends = network->springs[def->springs[i]];
    join(model, def, blocks, ends[0].hub, ends[1].hub, edges);
  }
  for (int i = 0; i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    for (int k = 1; joint->has_spring && k < joint->port_count; k++)
      join(model, def, blocks, wy_network_part(model, i, 0), wy_network_part(model, i, k), edges);
  }
  join_parents(model, def, blocks, edges);
}

/* Conditions, whose blocks begin with number `first`, and the hubs that they join; and these hubs, if asked to. */
static void join_conditions(const wy_model *model, const wy_group_def *def, const int *blocks, int first, bool hubs,
                            edge_list *edges) {
  for (int i = 0; i < def->condition_count; i++) {
    const wy_condition_def *condition = &wy_model_network(model)->conditions[def->conditions[i]];
    for (int side = 0; side < 2; side++) {
      int own[2];
      const int count = blocks_of(model, def, blocks, condition->hub[side], own);
      for (int k = 0; k < count; k++, edges->count++)
        if (edges->pairs)
          edges->pairs[edges->count][0] = own[k], edges->pairs[edges->count][1] = first + i;
    }
    if (hubs)
      join(model, def, blocks, condition->hub[0], condition->hub[1], edges);
  }
}

/* Patterns of the hub matrix and, where hubs depend on each other, of their mass (mass.c). */
static int lay_out_pattern(wy_group *self, wy_arena *arena) {
  const wy_model *model = self->base.model;
  const wy_group_def *def = self->def;
  const size_t hubs = (size_t)def->hub_count + (size_t)def->condition_count + 1;
  int *block = malloc(2 * hubs * sizeof *block), *orders = block + hubs, count = 0;
  bool *is_condition = calloc(hubs, sizeof *is_condition), *conditions = def->condition_count > 0 ? is_condition : NULL;
  if (!block || !is_condition) {
    free(block), free(is_condition);
    return WY_ERROR_MEMORY;
  }
  for (int i = 0; i < def->hub_count; i++) {
    const int order = order_of(hub_of(model, def, i));
    block[i] = order > 0 ? count : -1;
    if (order > 0)
      orders[count++] = order;
  }
  const int moving = count;
  for (int i = 0; i < def->condition_count; i++, count++) {
    orders[count] = condition_order(model, def, i);
    is_condition[count] = true;
  }
  edge_list edges = {0}, all = {0};
  join_hubs(model, def, block, &edges);
  join_conditions(model, def, block, moving, true, &edges);
  all.pairs = malloc(((size_t)edges.count + 1) * sizeof *all.pairs);
  int status = all.pairs ? WY_OK : WY_ERROR_MEMORY;
  if (!status) {
    join_hubs(model, def, block, &all);
    join_conditions(model, def, block, moving, true, &all);
    status =
        wy_hub_pattern_layout(&self->pattern, arena, count, orders, conditions, all.count, (const int(*)[2])all.pairs);
    if (!self->articulated) { /* else rods join hubs here too */
      all.count = 0;
      join_parents(model, def, block, &all);
      join_conditions(model, def, block, moving, false, &all);
    }
  }
  if (!status && self->has_mass)
    status = wy_hub_pattern_layout(&self->mass_pattern, arena, count, orders, conditions, all.count,
                                   (const int(*)[2])all.pairs);
  free(all.pairs);
  free(is_condition);
  free(block);
  return status;
}

static void lay_out_linear(wy_group *self, wy_arena *arena, wy_factor_needs needs) {
  const size_t hubs = (size_t)self->hub_count;
  if (needs.equilibria) {
    self->dof_weight = wy_arena_doubles(arena, (size_t)self->base.dofs);
    self->rest_config = wy_arena_doubles(arena, (size_t)self->base.config_size);
    if (wy_model_network(self->base.model)->assembles[self->def - wy_model_network(self->base.model)->groups])
      self->assembly = wy_arena_doubles(arena, (size_t)self->base.config_size);
  }
  for (int i = 0; i < needs.real; i++) {
    if (self->block_count > 0)
      wy_hub_matrix_layout(&self->real[i], arena, &self->pattern);
    self->shifts[0][i] = wy_arena_take(arena, hubs * sizeof(wy_hub_shift));
  }
  for (int i = 0; i < needs.complex; i++) {
    if (self->block_count > 0)
      wy_hub_matrix_complex_layout(&self->complex[i], arena, &self->pattern);
    self->shifts[1][i] = wy_arena_take(arena, hubs * sizeof(wy_hub_shift));
  }
  if (self->has_mass && self->block_count > 0)
    wy_hub_matrix_layout(&self->mass, arena, &self->mass_pattern);
  const size_t unknowns = 6 * (size_t)self->block_count + (size_t)self->multipliers;
  self->y = wy_arena_doubles(arena, unknowns);
  self->y_im = wy_arena_doubles(arena, unknowns);
  if (self->articulated)
    self->y_before = wy_arena_doubles(arena, unknowns);
  if (needs.real + needs.complex > 0 || needs.equilibria)
    self->felt = wy_arena_take(arena, (size_t)(self->rod_count < WY_GROUP_BATCH ? self->rod_count : WY_GROUP_BATCH) *
                                          sizeof *self->felt);
  if (needs.equilibria && self->block_count > 0)
    wy_hub_matrix_layout(&self->rest, arena, &self->pattern);
}

static void lay_out(wy_group *self, wy_memory *memory) {
  wy_arena *arena = &memory->scratch;
  const size_t rods = (size_t)self->rod_count, parts = (size_t)self->def->rod_count;
  self->parts = wy_arena_take(arena, parts * sizeof *self->parts);
  self->rods = wy_arena_take(arena, rods * sizeof *self->rods);
  self->ports = wy_arena_take(arena, (size_t)self->port_count * sizeof *self->ports);
  self->hubs = wy_arena_take(arena, (size_t)self->hub_count * sizeof *self->hubs);
  self->springs = wy_arena_take(arena, (size_t)self->spring_count * sizeof *self->springs);
  self->joint_springs = wy_arena_take(arena, (size_t)self->joint_spring_count * sizeof *self->joint_springs);
  self->subs = wy_arena_take(arena, (size_t)self->sub_count * sizeof *self->subs);
  self->loads = wy_arena_take(arena, (size_t)self->load_count * sizeof *self->loads);
  self->angle_states = wy_arena_take(&memory->saved, (size_t)self->angle_count * sizeof *self->angle_states);
  self->overrides = wy_arena_take(&memory->saved, (size_t)self->load_count * sizeof *self->overrides);
  self->conditions = wy_arena_take(arena, (size_t)self->condition_count * sizeof *self->conditions);
  self->joint_states = wy_arena_take(&memory->saved, (size_t)self->condition_count * sizeof *self->joint_states);
  self->drives = wy_arena_take(arena, (size_t)self->drive_count * sizeof *self->drives);
  self->base.body_supports = wy_arena_take(arena, (size_t)self->drive_count * sizeof *self->base.body_supports);
  self->base.body_support_count = self->drive_count;
  self->drive_states = wy_arena_take(&memory->saved, (size_t)self->drive_count * sizeof *self->drive_states);
  self->base.parts = wy_arena_take(arena, parts * sizeof(wy_system *));
  self->base.fields = wy_arena_take(arena, (WY_MAX_FIELDS * rods + 6) * sizeof(wy_field));
  self->base.weight = wy_arena_doubles(arena, (size_t)self->base.size);
  self->work = wy_arena_doubles(arena, (size_t)self->base.size);
  self->shown = wy_arena_doubles(arena, (size_t)self->base.size);
}

/* ---- Parts ---- */

/* Piece number i of the group. */
static void add_rod(wy_group *self, int i, int number, wy_system *system, const wy_scheme *scheme) {
  wy_group_rod_part *part = &self->rods[i];
  wy_system *base = &self->base;
  const int index = wy_model_network(base->model)->pieces[number].rod;
  const wy_rod_def *rod = wy_model_rod(base->model, index);
  *part =
      (wy_group_rod_part){.system = system, .ports = scheme->ports, .rod = index, .number = number, .port = {-1, -1}};
  part->constrained = rod->kind != WY_COSSERAT && scheme->ports->articulate;
  const wy_group_rod_part *before = i > 0 ? &self->rods[i - 1] : NULL;
  if (before) {
    part->offset = before->offset + before->system->size;
    part->dof = before->dof + before->system->dofs;
  }
  wy_put3(part->origin, wy_minus(wy_at3(rod->shape.origin), wy_at3(self->origin)));
  for (int k = 0; k < system->field_count; k++) {
    wy_field *field = &base->fields[base->field_count++];
    *field = system->fields[k];
    field->offset += part->offset;
  }
  base->least_unit = i == 0 ? system->least_unit : fmin(base->least_unit, system->least_unit);
}

/* The hubs' fields, of the kinds that rods have. Bodies alone are points of the error norm. */
static void add_hub_fields(wy_group *self) {
  static const struct {
    const char *name;
    int components;
    bool local;
  } kinds[4] = {{"position", 3, true}, {"quaternion", 4, true}, {"velocity", 3, false}, {"angular_velocity", 3, false}};
  wy_system *base = &self->base;
  int offset = self->hub_offset;
  for (int k = 0; k < 4; k++) {
    base->fields[base->field_count++] = (wy_field){.name = kinds[k].name,
                                                   .offset = offset,
                                                   .components = kinds[k].components,
                                                   .count = self->hub_count,
                                                   .stride = self->hub_stride,
                                                   .cell_local = kinds[k].local,
                                                   .kind = k};
    offset += kinds[k].components * self->hub_stride;
  }
  for (int k = 0; self->angle_count > 0 && k < 2; k++) {
    base->fields[base->field_count++] = (wy_field){.name = k ? "rate" : "angle",
                                                   .offset = offset,
                                                   .components = 1,
                                                   .count = self->angle_count,
                                                   .stride = self->angle_stride,
                                                   .cell_local = k == 0,
                                                   .kind = WY_MAX_FIELDS - 2 + k};
    offset += self->angle_stride;
  }
  if (self->rod_count == 0) /* else the mean, as of rods: a rod in pieces takes the steps of the whole rod */
    wy_system_norm_by_points(base, self->hub_stride);
}

static wy_hold_on hold_of(const double c[3], const double q[4], bool turns) {
  return (wy_hold_on){.c = wy_at3(c), .q = wy_at4(q), .turns = turns};
}

/* The end `name` of a piece. */
static void add_port(wy_group *self, int hub, const wy_hub_end *end, int rod, wy_end_name name) {
  const int index = self->port_count++;
  wy_group_port *port = &self->ports[index];
  wy_hub_inertia *inertia = &self->hubs[hub].inertia;
  *port = (wy_group_port){
      .rod = rod, .hub = hub, .end = name, .def = end, .s = end->s, .hold = hold_of(end->c, end->q, end->turns)};
  self->rods[rod].port[name] = index;
  self->rods[rod].ports->inertia(self->rods[rod].system, port->piece, name, &port->mass, &port->weighed, port->share);
  wy_hub_add_mass(inertia, port->mass, port->weighed, end->c);
  if (end->turns)
    wy_hub_add_share(inertia, port->share, end->q);
}

/* One that turns moves with the place of its parent only. */
static void reach_hub(wy_group *self, int i) {
  wy_group_hub *hub = &self->hubs[i];
  wy_hub_reach *reach = &hub->reach;
  if (hub->parent >= 0) {
    *reach = self->hubs[hub->parent].reach;
    if (hub->def->kind == WY_HUB_TURNS)
      reach->width[0] = 3;
  }
  if (hub->order == 0)
    return;
  const int n = reach->count++;
  reach->hub[n] = i;
  reach->first[n] = n ? reach->first[n - 1] + reach->width[n - 1] : 0;
  reach->width[n] = hub->order;
}

/* The mass of a hub that others stand on may be all theirs. */
static bool has_children(const wy_group *self, int i) {
  for (int k = i + 1; k < self->hub_count; k++)
    if (hub_of(self->base.model, self->def, k)->parent == self->def->hubs[i])
      return true;
  return false;
}

static double longest_rod(const wy_group *self) {
  double length = 0;
  for (int i = 0; i < self->rod_count; i++)
    length = fmax(length, wy_model_rod(self->base.model, self->rods[i].rod)->length);
  return length;
}

/* A place of a rod: the end of one piece, or where two of them meet. */
static void add_ports(wy_group *self, int hub, int number) {
  const wy_network *network = wy_model_network(self->base.model);
  const wy_hub_end *end = &network->ends[number];
  const wy_group_part *part = &self->parts[find(self->def->rods, self->def->rod_count, end->rod)];
  for (int i = 0; i < 2 * part->count; i++) {
    const int rod = part->first + i / 2;
    if (network->pieces[self->rods[rod].number].ends[i % 2] == number)
      add_port(self, hub, end, rod, (wy_end_name)(i % 2));
  }
}

/* Components that the ground holds. */
static void hold_by_ground(wy_hub_inertia *inertia, const wy_hub *def) {
  for (int k = 0; k < (def->has_frame ? 6 : 3); k++) {
    inertia->held[k] = def->held[k < 3 ? k : 3];
    inertia->any_held = inertia->any_held || inertia->held[k];
  }
}

static wy_status add_hub(wy_group *self, int i, wy_message *message) {
  const wy_model *model = self->base.model;
  const wy_hub *def = hub_of(model, self->def, i);
  wy_group_hub *hub = &self->hubs[i];
  *hub = (wy_group_hub){.def = def,
                        .number = self->def->hubs[i],
                        .order = order_of(def),
                        .block = order_of(def) > 0 ? self->block_count : -1,
                        .parent = find(self->def->hubs, self->hub_count, def->parent),
                        .drive = -1};
  self->block_count += hub->order > 0;
  reach_hub(self, i);
  if (hub->parent >= 0) {
    hub->sub = (wy_sub_hub){.kind = def->kind, .c = wy_at3(def->c), .axis = wy_at3(def->axis)};
    hub->angle = def->kind == WY_HUB_HINGE ? self->angle_count++ : -1;
    hub->blocks = &self->subs[self->sub_count++];
  }
  hub->inertia.has_frame = def->has_frame;
  if (def->body >= 0) {
    static const double centre[3] = {0, 0, 0};
    const wy_body_def *body = wy_model_body(model, def->body);
    wy_hub_add_mass(&hub->inertia, body->mass, body->mass, centre);
    wy_hub_add_inertia(&hub->inertia, body->inertia);
    if (wy_drive_holds(body)) {
      hub->drive = self->drive_count++;
      self->base.body_supports[hub->drive] = &self->drives[hub->drive].supports;
      wy_drive_begin(&self->drives[hub->drive], i, body, self->origin, longest_rod(self),
                     &self->drive_states[hub->drive]);
    }
  }
  if (def->body < 0 && !def->known)
    hold_by_ground(&hub->inertia, def);
  for (int k = 0; k < def->end_count; k++)
    add_ports(self, i, def->first_end + k);
  if (def->known || hub->parent >= 0 || wy_hub_factor(&hub->inertia) == 0 || has_children(self, i))
    return WY_OK;
  return wy_fail(message, WY_ERROR_INPUT, "%s has no mass, or no inertia",
                 def->body >= 0 ? wy_model_body(model, def->body)->name : "the hub of a joint");
}

static void add_springs(wy_group *self) {
  static const double none[4] = {1, 0, 0, 0};
  const wy_model *model = self->base.model;
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    const int number = self->def->springs[i];
    spring->def = wy_model_spring(model, number);
    for (int end = 0; end < 2; end++) {
      const wy_spring_end *at = &wy_model_network(model)->springs[number][end];
      spring->hub[end] = find(self->def->hubs, self->hub_count, at->hub);
      spring->at[end] = hold_of(at->c, none, false);
      if (spring->hub[end] < 0)
        spring->at[end].c = wy_minus(wy_at3(at->c), wy_at3(self->origin));
    }
  }
}

static void add_loads(wy_group *self) {
  const wy_model *model = self->base.model;
  int count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++) {
    const int hub = load_hub(model, self->def, i);
    if (hub >= 0)
      self->loads[count++] = (wy_group_load){.def = wy_model_load(model, i), .number = i, .hub = hub};
  }
}

/* Of the second hub of each against the first. */
static void add_conditions(wy_group *self, const wy_solver_def *solver) {
  static const double space[4] = {1, 0, 0, 0};
  const bool baumgarte = solver->staggered.stabilisation == WY_BAUMGARTE;
  const double omega = baumgarte ? solver->staggered.baumgarte_omega : 0;
  for (int i = 0, first = 0; i < self->condition_count; i++) {
    const wy_condition_def *def = &wy_model_network(self->base.model)->conditions[self->def->conditions[i]];
    const wy_joint_def *joint = wy_model_joint(self->base.model, def->joint);
    const double *frames[2];
    double c[2][3];
    wy_group_condition *made = &self->conditions[i];
    *made = (wy_group_condition){.def = def, .joint = joint, .first = first, .block = self->block_count + i};
    for (int side = 0; side < 2; side++) {
      const int hub = made->hub[side] = find(self->def->hubs, self->hub_count, def->hub[side]);
      frames[side] = hub >= 0 ? self->hubs[hub].def->frame : space;
      wy_put3(c[side], hub >= 0 ? wy_at3(def->c[side]) : wy_minus(wy_at3(def->c[side]), wy_at3(self->origin)));
      self->span = hub >= 0 ? fmax(self->span, wy_norm(wy_at3(c[side]))) : self->span;
    }
    made->law = joint->kind == WY_BALL ? wy_condition_ball(c[0], c[1])
                : joint->kind == WY_WELD
                    ? wy_condition_weld(c[0], c[1], frames[0], frames[1])
                    : wy_condition_hinge(c[0], c[1], frames[0], frames[1], joint->axis, joint->has_angle);
    made->count = wy_condition_count(&made->law);
    made->state = &self->joint_states[i];
    made->drive =
        (wy_condition_drive){.twice_r = baumgarte ? 2 * solver->staggered.baumgarte_r : 0, .omega2 = omega * omega};
    first += made->count;
  }
}

/* Lengths and weights that conditions are measured by. */
static void measure(wy_group *self) {
  for (int i = 0; i < self->rod_count; i++)
    self->span = fmax(self->span, wy_model_rod(self->base.model, self->rods[i].rod)->length);
  self->span = self->span > 0 ? self->span : 1;
  for (int i = 0; i < self->hub_count; i++)
    self->weight += self->hubs[i].inertia.weighed * wy_norm(wy_at3(wy_model_gravity(self->base.model)));
}

/* Counts and sizes: all that the layout of memory depends on. */
static void set_sizes(wy_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs) {
  const wy_model *model = self->base.model;
  const wy_group_def *def = self->def;
  wy_system *base = &self->base;
  self->rod_count = count_pieces(model, def), self->hub_count = def->hub_count, self->spring_count = def->spring_count;
  self->port_count = count_ports(model, def);
  self->load_count = count_loads(model, def);
  self->block_count = count_blocks(model, def);
  self->drive_count = count_drives(model, def);
  self->condition_count = def->condition_count;
  self->multipliers = count_multipliers(model, def);
  self->hub_stride = hub_stride_of(def);
  self->angle_count = count_angles(model, def);
  self->angle_stride = wy_padded(self->angle_count);
  for (int i = 0; i < def->hub_count; i++)
    self->sub_count += hub_of(model, def, i)->parent >= 0;
  for (int i = 0; i < def->rod_count; i++) {
    self->articulated = self->articulated || is_constrained(model, def->rods[i], solver);
    self->inextensible = self->inextensible || wy_model_rod(model, def->rods[i])->kind == WY_INEXTENSIBLE;
  }
  self->has_mass = self->sub_count > 0 || def->condition_count > 0 || self->articulated;
  self->joint_spring_count = list_joint_springs(model, index, def, NULL);
  base->size = wy_group_size(model, index, solver);
  self->hub_offset = base->size - hub_entries_of(model, def);
  self->angle_offset = self->hub_offset + WY_HUB_ENTRIES * self->hub_stride;
  self->load_factor = self->end_factor = 1;
  base->rod = def->rod_count > 0 ? def->rods[0] : -1;
  base->body = def->rod_count > 0 ? -1 : hub_of(model, def, 0)->body;
  base->part_count = def->rod_count;
  if (needs.equilibria)
    wy_group_config_size(model, index, solver, &base->config_size, &base->dofs);
  const double *origin = def->rod_count > 0 ? wy_model_rod(model, def->rods[0])->shape.origin
                                            : wy_model_network(model)->hubs[def->hubs[0]].origin;
  wy_put3(self->origin, wy_at3(origin));
}

/* All parts are there. */
static wy_status fill(wy_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs,
                      wy_message *message) {
  wy_status status = WY_OK;
  add_hub_fields(self);
  self->port_count = self->block_count = self->angle_count = self->drive_count = self->sub_count = 0;
  self->hub_dof =
      self->rod_count > 0 ? self->rods[self->rod_count - 1].dof + self->rods[self->rod_count - 1].system->dofs : 0;
  for (int i = 0; !status && i < self->hub_count; i++)
    status = add_hub(self, i, message);
  add_springs(self);
  list_joint_springs(self->base.model, index, self->def, self->joint_springs);
  add_loads(self);
  add_conditions(self, solver);
  measure(self);
  if (!status && needs.equilibria)
    wy_group_begin_statics(self);
  if (!status)
    wy_group_refresh(&self->base);
  return status;
}

/* A rod with its pieces, of which the first is number *next of the group. */
static wy_status create_part(wy_group *self, int i, int *next, const wy_scheme *scheme, const wy_solver_def *solver,
                             wy_factor_needs needs, wy_memory *memory, wy_message *message) {
  const wy_model *model = self->base.model;
  const int index = self->def->rods[i], count = pieces_of(model, self->def, i);
  wy_status status = wy_scheme_check_fluid(scheme, wy_model_rod(model, index), index, message);
  wy_group_part part = {.first = *next, .count = count};
  for (int k = 0; !status && k < count; k++) {
    const int number = first_piece(model, self->def, i) + k;
    wy_system *rod = NULL;
    status = count > 1 ? scheme->ports->create_piece(model, number, solver, needs, memory, &rod, message)
                       : scheme->create(model, index, solver, needs, memory, &rod, message);
    if (!status && rod)
      status = wy_system_check_fields(rod, message);
    if (!status && rod)
      add_rod(self, part.first + k, number, rod, scheme);
  }
  *next += count;
  if (!status && count > 1)
    part.whole = wy_whole_layout(model, index, &memory->scratch);
  if (status || !self->parts)
    return status;
  self->parts[i] = part;
  ((wy_system **)self->base.parts)[i] =
      part.whole ? wy_whole_begin(part.whole, self, part.first, count) : self->rods[part.first].system;
  return status;
}

wy_status wy_group_create(const wy_model *model, int index, const wy_solver_def *solver, wy_factor_needs needs,
                          wy_memory *memory, wy_system **system, wy_message *message) {
  if (wy_scheme_find(solver->scheme)->shares_nodes)
    return wy_mixed_group_create(model, index, solver, needs, memory, system, message);
  wy_status status = check(model, index, solver, message);
  if (status)
    return status;
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  wy_group counting = {0};
  wy_group *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  self->base.type = &wy_group_type;
  self->base.model = model;
  self->def = def_of(model, index);
  set_sizes(self, index, solver, needs);
  lay_out(self, memory);
  for (int i = 0, next = 0; !status && i < self->def->rod_count; i++)
    status = create_part(self, i, &next, scheme, solver, needs, memory, message);
  if (!status && self->block_count > 0 && lay_out_pattern(self, &memory->scratch))
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for a network of %d hubs", self->hub_count);
  if (status)
    return status;
  lay_out_linear(self, &memory->scratch, needs);
  *system = carved ? &self->base : NULL;
  return carved ? fill(self, index, solver, needs, message) : WY_OK;
}
