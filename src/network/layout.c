/* SPDX-License-Identifier: MIT */
/* The memory of a group, and the patterns of its hub matrices. */
#include <stdlib.h>

#include "network/create.h"

/* ---- Patterns ---- */

/* The blocks of a hub of the model, in a group that has `blocks` for its hubs: its own and that of its parent. */
static int blocks_of(const wy_model *model, const wy_group_def *def, const int *blocks, int hub, int out[2]) {
  const int place = wy_find_number(def->hubs, def->hub_count, hub);
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
    if (wy_group_hub_def(model, def, i)->parent >= 0)
      join(model, def, blocks, def->hubs[i], def->hubs[i], edges);
}

/* Pieces of rods and springs between hubs. */
static void join_hubs(const wy_model *model, const wy_group_def *def, const int *blocks, edge_list *edges) {
  const wy_network *network = wy_model_network(model);
  for (int i = 0; i < def->rod_count; i++)
    for (int k = 0; k < wy_pieces_of(model, def, i); k++) {
      const int *at = network->pieces[wy_first_piece(model, def, i) + k].ends;
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

int wy_group_lay_out_pattern(wy_group *self, wy_arena *arena) {
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
    const int order = wy_hub_unknowns(wy_group_hub_def(model, def, i));
    block[i] = order > 0 ? count : -1;
    if (order > 0)
      orders[count++] = order;
  }
  const int moving = count;
  for (int i = 0; i < def->condition_count; i++, count++) {
    orders[count] = wy_condition_multipliers(model, def, i);
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

/* ---- Memory ---- */

void wy_group_lay_out_linear(wy_group *self, wy_arena *arena, wy_factor_needs needs) {
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

void wy_group_lay_out(wy_group *self, wy_memory *memory) {
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
  self->base.pieces = wy_arena_take(arena, rods * sizeof(wy_system *));
  self->base.piece_count = self->rod_count;
  self->base.fields = wy_arena_take(arena, (WY_MAX_FIELDS * rods + 6) * sizeof(wy_field));
  self->base.weight = wy_arena_doubles(arena, (size_t)self->base.size);
  self->work = wy_arena_doubles(arena, (size_t)self->base.size);
  self->shown = wy_arena_doubles(arena, (size_t)self->base.size);
}
