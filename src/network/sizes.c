/* SPDX-License-Identifier: MIT */
/* How much of all a group has: all that the layout of its memory depends on. */
#include "network/create.h"
#include "network/mixed.h"

/* ---- Counts ---- */

static int count_pieces(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->rod_count; i++)
    count += wy_pieces_of(model, def, i);
  return count;
}

static int hub_stride_of(const wy_group_def *def) {
  return wy_padded(def->hub_count);
}

/* Hinges that sub-hubs make: each has an angle in the state. */
static int count_angles(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++)
    count += wy_group_hub_def(model, def, i)->kind == WY_HUB_HINGE;
  return count;
}

/* Entries of the state that belong to hubs. */
static int hub_entries_of(const wy_model *model, const wy_group_def *def) {
  return WY_HUB_ENTRIES * hub_stride_of(def) + 2 * wy_padded(count_angles(model, def));
}

int wy_hub_unknowns(const wy_hub *hub) {
  if (hub->kind == WY_HUB_HINGE)
    return !hub->driven;
  return hub->kind == WY_HUB_TURNS ? 3 : hub->known ? 0 : hub->has_frame ? 6 : 3;
}

static int count_blocks(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++)
    count += wy_hub_unknowns(wy_group_hub_def(model, def, i)) > 0;
  return count;
}

int wy_condition_multipliers(const wy_model *model, const wy_group_def *def, int i) {
  const wy_network *network = wy_model_network(model);
  const wy_joint_def *joint = wy_model_joint(model, network->conditions[def->conditions[i]].joint);
  return joint->kind == WY_BALL ? 3 : joint->kind == WY_WELD || joint->has_angle ? 6 : 5;
}

static int count_multipliers(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->condition_count; i++)
    count += wy_condition_multipliers(model, def, i);
  return count;
}

/* An inner point has one on both of its pieces. */
static int count_ports(const wy_model *model, const wy_group_def *def) {
  const wy_network *network = wy_model_network(model);
  int count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const wy_hub *hub = wy_group_hub_def(model, def, i);
    for (int k = hub->first_end; k < hub->first_end + hub->end_count; k++)
      count += network->ends[k].inner ? 2 : 1;
  }
  return count;
}

static int count_loads(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++)
    count += wy_group_load_hub(model, def, i) >= 0;
  return count;
}

static int count_drives(const wy_model *model, const wy_group_def *def) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const int body = wy_group_hub_def(model, def, i)->body;
    count += body >= 0 && wy_drive_holds(wy_model_body(model, body));
  }
  return count;
}

int wy_list_joint_springs(const wy_model *model, int group, const wy_group_def *def, wy_group_joint_spring *out) {
  int count = 0;
  for (int i = 0; i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    if (!joint->has_spring || wy_holds_hubs_only(joint) || !wy_group_joins(model, group, joint))
      continue;
    const int first = out ? wy_find_number(def->hubs, def->hub_count, wy_network_part(model, i, 0)) : -1;
    for (int k = 1; k < joint->port_count; k++, count++)
      if (out)
        out[count] = (wy_group_joint_spring){
            .def = joint, .hub = {first, wy_find_number(def->hubs, def->hub_count, wy_network_part(model, i, k))}};
  }
  return count;
}

/* ---- Sizes ---- */

int wy_group_size(const wy_model *model, int index, const wy_solver_def *solver) {
  if (wy_scheme_find(solver->scheme)->shares_nodes)
    return wy_mixed_group_size(model, index, solver);
  const wy_group_def *def = wy_group_def_of(model, index);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  int size = hub_entries_of(model, def);
  for (int i = 0; i < def->rod_count; i++) {
    const int pieces = wy_pieces_of(model, def, i);
    size += pieces > 1 ? 0 : scheme->size(model, def->rods[i], solver);
    for (int k = 0; pieces > 1 && k < pieces; k++)
      size += scheme->ports->piece_size(model, wy_first_piece(model, def, i) + k, solver);
  }
  return size;
}

void wy_group_config_size(const wy_model *model, int index, const wy_solver_def *solver, int *config_size, int *dofs) {
  if (wy_scheme_find(solver->scheme)->shares_nodes) {
    wy_mixed_group_config_size(model, index, solver, config_size, dofs);
    return;
  }
  const wy_group_def *def = wy_group_def_of(model, index);
  *config_size = hub_entries_of(model, def);
  *dofs = 6 * count_blocks(model, def) + count_multipliers(model, def);
  *config_size += count_multipliers(model, def);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  for (int i = 0; i < def->rod_count; i++) {
    const int pieces = wy_pieces_of(model, def, i);
    for (int k = 0; k < pieces; k++) {
      int size, freedoms;
      if (pieces > 1)
        scheme->ports->piece_config_size(model, wy_first_piece(model, def, i) + k, solver, &size, &freedoms);
      else
        scheme->config_size(model, def->rods[i], solver, &size, &freedoms);
      *config_size += size, *dofs += freedoms;
    }
  }
}

void wy_group_set_sizes(wy_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs) {
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
    self->sub_count += wy_group_hub_def(model, def, i)->parent >= 0;
  for (int i = 0; i < def->rod_count; i++) {
    self->articulated = self->articulated || wy_is_constrained(model, def->rods[i], solver);
    self->inextensible = self->inextensible || wy_model_rod(model, def->rods[i])->kind == WY_INEXTENSIBLE;
  }
  self->has_mass = self->sub_count > 0 || def->condition_count > 0 || self->articulated;
  self->joint_spring_count = wy_list_joint_springs(model, index, def, NULL);
  base->size = wy_group_size(model, index, solver);
  self->hub_offset = base->size - hub_entries_of(model, def);
  self->angle_offset = self->hub_offset + WY_HUB_ENTRIES * self->hub_stride;
  self->load_factor = self->end_factor = 1;
  base->rod = def->rod_count > 0 ? def->rods[0] : -1;
  base->body = def->rod_count > 0 ? -1 : wy_group_hub_def(model, def, 0)->body;
  base->part_count = def->rod_count;
  if (needs.equilibria)
    wy_group_config_size(model, index, solver, &base->config_size, &base->dofs);
  const double *origin = def->rod_count > 0 ? wy_model_rod(model, def->rods[0])->shape.origin
                                            : wy_model_network(model)->hubs[def->hubs[0]].origin;
  wy_put3(self->origin, wy_at3(origin));
}
