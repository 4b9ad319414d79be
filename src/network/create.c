/* SPDX-License-Identifier: MIT */
/* A group is made: its rods, and all its parts in their order. */
#include "network/create.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "network/mixed.h"
#include "scheme/system.h"

/* Piece number i of the group. */
static void add_rod(wy_group *self, int i, int number, wy_system *system, const wy_scheme *scheme) {
  wy_group_rod_part *part = &self->rods[i];
  wy_system *base = &self->base;
  const int index = wy_model_network(base->model)->pieces[number].rod;
  const wy_rod_def *rod = wy_model_rod(base->model, index);
  const int *ends = wy_model_network(base->model)->pieces[number].ends;
  *part =
      (wy_group_rod_part){.system = system, .ports = scheme->ports, .rod = index, .number = number, .port = {-1, -1}};
  part->constrained = rod->kind != WY_COSSERAT && scheme->ports->articulate && (ends[0] >= 0 || ends[1] >= 0);
  ((wy_system **)base->pieces)[i] = system;
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

/* A rod with its pieces, of which the first is number *next of the group. */
static wy_status create_part(wy_group *self, int i, int *next, const wy_scheme *scheme, const wy_solver_def *solver,
                             wy_factor_needs needs, wy_memory *memory, wy_message *message) {
  const wy_model *model = self->base.model;
  const int index = self->def->rods[i], count = wy_pieces_of(model, self->def, i);
  wy_status status = wy_scheme_check_fluid(scheme, wy_model_rod(model, index), index, message);
  wy_group_part part = {.first = *next, .count = count};
  for (int k = 0; !status && k < count; k++) {
    const int number = wy_first_piece(model, self->def, i) + k;
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

/* Lengths and weights that conditions are measured by. */
static void measure(wy_group *self) {
  for (int i = 0; i < self->rod_count; i++)
    self->span = fmax(self->span, wy_model_rod(self->base.model, self->rods[i].rod)->length);
  self->span = self->span > 0 ? self->span : 1;
  for (int i = 0; i < self->hub_count; i++)
    self->weight += self->hubs[i].inertia.weighed * wy_norm(wy_at3(wy_model_gravity(self->base.model)));
}

/* All parts are there. */
static wy_status fill(wy_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs,
                      wy_message *message) {
  wy_status status = WY_OK;
  wy_group_add_hub_fields(self);
  self->port_count = self->block_count = self->angle_count = self->drive_count = self->sub_count = 0;
  self->hub_dof =
      self->rod_count > 0 ? self->rods[self->rod_count - 1].dof + self->rods[self->rod_count - 1].system->dofs : 0;
  for (int i = 0; !status && i < self->hub_count; i++)
    status = wy_group_add_hub(self, i, message);
  wy_group_make_springs(self);
  wy_list_joint_springs(self->base.model, index, self->def, self->joint_springs);
  wy_group_make_loads(self);
  wy_group_make_conditions(self, solver);
  wy_carriers_begin(self);
  measure(self);
  if (!status && needs.equilibria)
    wy_group_begin_statics(self);
  if (!status)
    wy_group_refresh(&self->base);
  return status;
}

wy_status wy_group_create(const wy_model *model, int index, const wy_solver_def *solver, wy_factor_needs needs,
                          wy_memory *memory, wy_system **system, wy_message *message) {
  if (wy_scheme_find(solver->scheme)->shares_nodes)
    return wy_mixed_group_create(model, index, solver, needs, memory, system, message);
  wy_status status = wy_group_check(model, index, solver, message);
  if (status)
    return status;
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  wy_group counting = {0};
  wy_group *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  self->base.type = &wy_group_type;
  self->base.model = model;
  self->def = wy_group_def_of(model, index);
  wy_group_set_sizes(self, index, solver, needs);
  wy_group_lay_out(self, memory);
  for (int i = 0, next = 0; !status && i < self->def->rod_count; i++)
    status = create_part(self, i, &next, scheme, solver, needs, memory, message);
  if (!status && self->block_count > 0 && wy_group_lay_out_pattern(self, &memory->scratch))
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for a network of %d hubs", self->hub_count);
  if (status)
    return status;
  wy_group_lay_out_linear(self, &memory->scratch, needs);
  status = wy_carriers_lay_out(self, &memory->scratch, needs, message);
  if (status)
    return status;
  *system = carved ? &self->base : NULL;
  return carved ? fill(self, index, solver, needs, message) : WY_OK;
}
