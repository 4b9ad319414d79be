/* SPDX-License-Identifier: MIT */
/* The staggered rod as a wy_system: its form, its fields, what changes with the ends and the user's loads. */
#include "scheme/staggered/staggered.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "model/contact.h"
#include "model/law.h"
#include "model/network.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/saddle.h"
#include "scheme/system.h"

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  return wy_staggered_evaluate((wy_staggered *)system, t, u, f, power);
}

/* ---- What depends on the state of the ends and the user's loads ---- */

/* The fields before are there in any rod, those of stretches in any chain of kirchhoff. */
static int first_branches(const wy_staggered *self) {
  return self->grid.stretches ? 6 : 4;
}

static void refresh_weights(wy_staggered *self) {
  const int n = self->grid.stride;
  double *weight = (double *)self->base.weight;
  memset(weight, 0, (size_t)self->base.size * sizeof *weight);
  self->base.unknowns = 0;
  for (int f = 0; f < self->base.field_count; f++) {
    const wy_field *field = &self->base.fields[f];
    for (int k = 0; k < field->components; k++)
      for (int i = 0; i < field->count; i++) {
        int end = i == 0 ? 0 : i == self->grid.n ? 1 : -1;
        bool vertex = field->offset == self->grid.x || field->offset == self->grid.v;
        /* A component that never moves does not count; a driven one does, so that the step follows its motion. */
        bool still = vertex && end >= 0 && !self->ends[end].moved_position && self->ends[end].position[k] == WY_HELD;
        still = still || (vertex && self->grid.chain && i > 0); /* follows from root and frames */
        still = still || (f >= first_branches(self) && !wy_staggered_branch_counts(self, field, k, i));
        weight[field->offset + k * n + i] = still ? 0 : 1;
        self->base.unknowns += !still;
      }
  }
}

static void refresh(wy_system *system) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride;
  const double share = self->branches.share;
  for (int end = 0; end < 2; end++) {
    int vertex = end ? self->grid.n : 0;
    bool held = wy_support_holds_rotation(&self->supports, end);
    for (int k = 0; k < 3; k++) {
      self->stiffness.c_kappa[k * n + vertex] = held ? share * self->grid.clamp_c[end][k] : 0;
      self->stiffness.d_kappa[k * n + vertex] = held ? self->grid.clamp_d[end][k] : 0;
      self->stiffness.m_rest[k * n + vertex] = held ? share * self->grid.clamp_m[end][k] : 0;
    }
  }
  for (int i = 0; self->stiffness.stiffening && i <= self->grid.n; i++)
    self->stiffness.stiffening[i] =
        wy_law_stiffening(&self->grid.rod->law, self->stiffness.c_kappa[i], self->stiffness.c_kappa[n + i]);
  refresh_weights(self);
  wy_staggered_refresh_loads(self);
  wy_staggered_choose_total(self, system->contacts != NULL);
  system->has_power = system->contacts || self->fluid.drags || self->grid.damped || self->branches.count > 0 ||
                      self->loads.site_count > 0 || self->actuators.count > 0 || self->grid.drag_translation > 0 ||
                      self->grid.drag_rotation > 0 || wy_support_moves(&self->supports, 0) ||
                      wy_support_moves(&self->supports, 1);
}

/* ---- Creation ---- */

static int add_field(wy_staggered *self, const char *name, int components, int count, bool local) {
  return wy_system_add_field(
      &self->base,
      (wy_field){
          .name = name, .components = components, .count = count, .stride = self->grid.stride, .cell_local = local});
}

/* Velocities and angular velocities are compared by their energies in the middle of the rod. Forces come from
   positions, whose round-off is that of large strains: less than a thousandth of those does not matter. |p'| is half
   the angular velocity. */
static void set_units(wy_staggered *self) {
  const wy_section_values section = wy_section_at(self->grid.rod, 0.5 * self->grid.rod->length);
  wy_system *base = &self->base;
  base->fields[2].unit = sqrt(section.mass);
  base->fields[3].unit = self->form->spin_unit * sqrt(section.rotary[0]);
  base->least_unit = 1e-3 * sqrt(section.stiffness[2]);
}

static int move_end(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                    wy_message *message) {
  const wy_staggered *self = (const wy_staggered *)system;
  if (wy_is_port(self, (int)end))
    return wy_fail(message, WY_ERROR_INPUT, "the %s of rod '%s' has a joint, which moves it",
                   end == WY_START ? "start" : "end", self->grid.rod->name);
  return wy_system_move_end(system, end, t, target, duration, message);
}

static const wy_system_type staggered_type = {
    .name = "staggered",
    .rhs = rhs,
    .jacobian = wy_staggered_jacobian,
    .slope = wy_staggered_slope,
    .factor = wy_staggered_factor,
    .factor_complex = wy_staggered_factor_complex,
    .solve = wy_staggered_solve,
    .solve_complex = wy_staggered_solve_complex,
    .multiply = wy_staggered_multiply,
    .initial = wy_staggered_initial,
    .project = wy_staggered_project,
    .next_break = wy_system_next_break,
    .depends_on_time = wy_system_depends_on_time,
    .enter = wy_system_enter,
    .refresh = refresh,
    .energy = wy_staggered_energy,
    .momentum = wy_staggered_momentum,
    .view = wy_staggered_view,
    .diagnose = wy_staggered_diagnose,
    .set_load = wy_system_set_load,
    .set_actuator = wy_system_set_actuator,
    .move_end = move_end,
    .statics = &wy_staggered_statics,
    .stride = &wy_staggered_stride,
};

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  (void)kind, (void)message;
  return WY_OK;
}

static const wy_form *form_of(const wy_rod_def *rod, const wy_solver_def *solver) {
  if (rod->kind != WY_COSSERAT)
    return &wy_saddle_form;
  return solver->staggered.coordinates == WY_ABSOLUTE ? &wy_absolute_form : &wy_nullspace_form;
}

/* Has its group hubs? */
static bool is_joined(const wy_model *model, int rod) {
  const wy_network *network = wy_model_network(model);
  return network->groups[network->rod_groups[rod]].hub_count > 0;
}

/* Has the last vertex a place of its own? */
static bool has_place(const wy_rod_def *def) {
  bool any = false;
  for (int k = 0; k < 3; k++)
    any = any || def->ends[WY_END].position[k] != WY_FREE;
  return any;
}

/* A rod without shear may be unknown by root, frames and stretches (C8), (C18). What acts on it must not depend on
   positions, velocities or neighbouring frames, nor bring unknowns of its own: the linear systems have no place for
   that. The first of it in words, or NULL. */
static const char *not_carried(const wy_model *model, int rod, const wy_solver_def *solver) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const bool closes = has_place(def);
  bool tendons;
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++)
    if (wy_model_rod_load(model, rod, i)->axes == WY_BODY_AXES)
      return "a load in body axes";
  if (wy_rod_touches(model, rod))
    return "obstacles";
  if (wy_fluid_adds(def) || wy_fluid_drags(def))
    return "a fluid";
  if (wy_staggered_count_actuators(model, rod, &tendons) > 0)
    return "actuators";
  if (def->maxwell_count > 0)
    return "Maxwell branches";
  if (closes && def->drag.translation > 0)
    return "drag while the end is held";
  return closes && solver->staggered.stabilisation != WY_PROJECTION ? "Baumgarte's method while the end is held" : NULL;
}

/* Root, frames and stretches of kirchhoff; inextensible rods with explicit integrators have no linear systems. */
static bool is_chain(const wy_model *model, int rod, const wy_solver_def *solver, bool implicit) {
  const wy_rod_kind kind = wy_model_rod(model, rod)->kind;
  if (kind == WY_COSSERAT || solver->staggered.coordinates != WY_NULLSPACE || is_joined(model, rod))
    return false;
  return (kind == WY_INEXTENSIBLE && !implicit) || !not_carried(model, rod, solver);
}

bool wy_staggered_is_chain(const wy_model *model, int rod, const wy_solver_def *solver) {
  return is_chain(model, rod, solver, true);
}

static int size_with(const wy_rod_def *rod, int segments, const wy_solver_def *solver) {
  int components = 10 + form_of(rod, solver)->spin_components + WY_STRAINS * rod->maxwell_count;
  return components * wy_padded(segments + 1);
}

static void config_size_with(const wy_rod_def *rod, int segments, const wy_solver_def *solver, int *config_size,
                             int *dofs) {
  *config_size = size_with(rod, segments, solver) + 3 * wy_padded(segments + 1);
  *dofs = WY_SADDLE_CELL * segments + 3;
}

/* Entries for stretches and their rates: none of pieces of rods, which have joints. */
static int stretches_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const bool stretches = def->kind == WY_KIRCHHOFF && is_chain(model, rod, solver, true);
  return stretches ? 2 * wy_padded(def->segments + 1) : 0;
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  return size_with(def, def->segments, solver) + stretches_of(model, rod, solver);
}

static void config_size_of(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  config_size_with(def, def->segments, solver, config_size, dofs);
  *config_size += stretches_of(model, rod, solver);
}

static wy_status check(const wy_rod_def *rod, int index, wy_message *message) {
  char path[64];
  if (rod->segments < 2) {
    snprintf(path, sizeof path, "rods[%d].segments", index);
    return wy_fail_at(message, path,
                      "found 1; expected at least 2, since a rod of scheme staggered bends between segments");
  }
  if (rod->law.kind != WY_LINEAR_LAW && rod->maxwell_count > 0) {
    snprintf(path, sizeof path, "rods[%d].law", index);
    return wy_fail_at(message, path,
                      "found together with maxwell, whose branches are linear; expected law or maxwell, not both");
  }
  return WY_OK;
}

/* Sizes, form and fields: all that the layout of memory depends on. */
static void set_sizes(wy_staggered *self, const wy_solver_def *solver, wy_factor_needs needs) {
  wy_staggered_grid *grid = &self->grid;
  const bool implicit = needs.real + needs.complex > 0;
  grid->options = solver->staggered;
  grid->options.curvature_measure = wy_staggered_measure(&solver->staggered, grid->rod);
  for (int end = 0; end < 2; end++)
    grid->corrected[end] = solver->clamp[end] == WY_CLAMP_CORRECTED && grid->rod->ends[end].rotation != WY_FREE;
  grid->stride = wy_padded(grid->n + 1);
  grid->halo_stride = grid->stride + WY_HALO;
  grid->constrained = grid->rod->kind == WY_COSSERAT ? 0 : grid->rod->kind == WY_KIRCHHOFF ? 2 : 3;
  self->actuators.count = wy_staggered_count_actuators(self->base.model, self->base.rod, &self->actuators.has_tendons);
  self->fluid.adds = wy_fluid_adds(grid->rod);
  self->fluid.drags = self->fluid.adds || wy_fluid_drags(grid->rod);
  if (wy_rod_touches(self->base.model, self->base.rod)) {
    self->base.contacts = &self->contact.contacts;
    self->contact.per_segment = wy_staggered_count_stations(self);
  }
  grid->chain = is_chain(self->base.model, self->base.rod, solver, implicit);
  grid->stretches = grid->chain && grid->constrained == 2;
  const bool carried = grid->chain && !not_carried(self->base.model, self->base.rod, solver);
  self->form = carried ? &wy_chain_form : form_of(grid->rod, solver);
  self->base.as_published = self->form == &wy_absolute_form;
  self->linear.half = self->actuators.has_tendons ? self->form->half_tendons : self->form->half;
  self->linear.saddle.half = self->actuators.has_tendons ? wy_saddle_form.half_tendons : wy_saddle_form.half;
  grid->x = add_field(self, "position", 3, grid->n + 1, true);
  grid->p = add_field(self, "quaternion", 4, grid->n, true);
  grid->v = add_field(self, "velocity", 3, grid->n + 1, false);
  grid->w = add_field(self, self->form->spin, self->form->spin_components, grid->n, false);
  if (grid->stretches) {
    grid->stretch = add_field(self, "stretch", 1, grid->n, true);
    add_field(self, "stretch_rate", 1, grid->n, false);
  }
  set_units(self);
  wy_staggered_branch_fields(self);
  /* The published codes, whose counts of steps are to be met, take the mean; they left constrained rods alone. */
  if (grid->constrained)
    wy_system_norm_by_points(&self->base, grid->stride);
}

/* The rod, or the piece of it. */
static void set_piece(wy_staggered *self, const wy_piece *piece) {
  wy_staggered_grid *grid = &self->grid;
  const wy_rod_def *rod = wy_model_rod(self->base.model, piece->rod);
  grid->rod = rod;
  grid->first = piece->first, grid->n = piece->count;
  grid->from = piece->from, grid->to = piece->to;
  if (piece->count == rod->segments)
    return;
  self->cut = *rod;
  for (int end = 0; end < 2; end++)
    if (end ? piece->first + piece->count < rod->segments : piece->first > 0)
      self->cut.ends[end] = wy_default_rod_def().ends[end];
  grid->rod = &self->cut;
}

/* What (S3a) does not know: moments of actuators, hubs, and ends that turn freely from some time on. */
static wy_status check_corrected(const wy_staggered *self, wy_message *message) {
  const wy_rod_def *rod = wy_model_rod(self->base.model, self->base.rod);
  const char *found = self->actuators.count > 0 ? "an actuator"
                      : self->ports.joined      ? "a joint, a spring or a body"
                      : isfinite(rod->ends[WY_START].release) || isfinite(rod->ends[WY_END].release)
                          ? "an end that is released"
                          : NULL;
  if (!found)
    return WY_OK;
  return wy_fail_at(message, "solver.clamp", "found corrected for the rod '%s' with %s; expected half_cell", rod->name,
                    found);
}

static wy_status create_with(const wy_model *model, const wy_piece *piece, const wy_solver_def *solver,
                             wy_factor_needs needs, const wy_port_hold holds[2], wy_memory *memory, wy_system **system,
                             wy_message *message) {
  const int rod = piece->rod;
  wy_status possible = check(wy_model_rod(model, rod), rod, message);
  if (possible)
    return possible;
  wy_staggered counting = {0};
  wy_staggered *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  self->base.type = &staggered_type;
  self->base.model = model;
  self->base.rod = rod;
  set_piece(self, piece);
  for (int end = 0; end < 2; end++)
    self->ports.ends[end].holds = holds[end];
  self->ports.any = wy_is_port(self, WY_START) || wy_is_port(self, WY_END);
  self->ports.joined = self->ports.any || is_joined(model, rod);
  set_sizes(self, solver, needs);
  possible = self->ports.joined ? wy_staggered_check_ports(self, message) : WY_OK;
  if (!possible && (solver->clamp[WY_START] || solver->clamp[WY_END]))
    possible = check_corrected(self, message);
  if (possible)
    return possible;
  wy_staggered_layout(self, memory, needs);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;
  wy_support_begin(&self->supports, self->grid.rod);
  if (self->ports.any)
    wy_staggered_begin_ports(self);
  wy_staggered_set_parameters(self);
  wy_staggered_branch_begin(self);
  wy_staggered_place_view(self);
  wy_staggered_place_loads(self);
  wy_staggered_place_actuators(self);
  wy_staggered_fluid_begin(self);
  if (self->base.contacts)
    wy_staggered_contact_begin(self);
  self->loads.factor = 1;
  if (needs.equilibria)
    wy_staggered_set_freedoms(self);
  refresh(&self->base);
  return WY_OK;
}

wy_status wy_staggered_create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                              const wy_port_hold holds[2], wy_memory *memory, wy_system **system, wy_message *message) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const wy_piece whole = {.rod = rod, .count = def->segments, .to = def->length};
  return create_with(model, &whole, solver, needs, holds, memory, system, message);
}

/* What a hub holds of an end, by its number in the network. */
static wy_port_hold port_of(const wy_model *model, int at) {
  if (at < 0)
    return WY_NO_PORT;
  return wy_model_network(model)->ends[at].turns ? WY_PORT_FRAME : WY_PORT_PLACE;
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  const wy_port_hold holds[2] = {port_of(model, wy_network_end(model, rod, WY_START)),
                                 port_of(model, wy_network_end(model, rod, WY_END))};
  return wy_staggered_create(model, rod, solver, needs, holds, memory, system, message);
}

int wy_staggered_piece_size(const wy_model *model, int piece, const wy_solver_def *solver) {
  const wy_piece *of = &wy_model_network(model)->pieces[piece];
  return size_with(wy_model_rod(model, of->rod), of->count, solver);
}

void wy_staggered_piece_config_size(const wy_model *model, int piece, const wy_solver_def *solver, int *config_size,
                                    int *dofs) {
  const wy_piece *of = &wy_model_network(model)->pieces[piece];
  config_size_with(wy_model_rod(model, of->rod), of->count, solver, config_size, dofs);
}

wy_status wy_staggered_create_piece(const wy_model *model, int piece, const wy_solver_def *solver,
                                    wy_factor_needs needs, wy_memory *memory, wy_system **system, wy_message *message) {
  const wy_piece *of = &wy_model_network(model)->pieces[piece];
  const wy_port_hold holds[2] = {port_of(model, of->ends[WY_START]), port_of(model, of->ends[WY_END])};
  return create_with(model, of, solver, needs, holds, memory, system, message);
}

/* Words for what is_chain decides. */
static void describe_rod(const wy_model *model, int rod, const wy_solver_def *solver, bool implicit,
                         wy_scheme_info *info) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  if (def->kind == WY_COSSERAT || solver->staggered.coordinates != WY_NULLSPACE)
    return;
  if (is_chain(model, rod, solver, implicit)) {
    snprintf(info->constraints, sizeof info->constraints, "construction: the unknowns are root%s frames%s%s",
             def->kind == WY_KIRCHHOFF ? "," : " and", def->kind == WY_KIRCHHOFF ? " and stretches" : "",
             has_place(def) ? "; projection closes the held end" : "");
    return;
  }
  if (solver->staggered.stabilisation != WY_PROJECTION) /* which is why, and is said */
    return;
  const size_t used = strlen(info->constraints);
  snprintf(info->constraints + used, sizeof info->constraints - used, " (index 1: their null space does not carry %s)",
           is_joined(model, rod) ? "joints" : not_carried(model, rod, solver));
}

const wy_scheme wy_staggered_scheme = {
    .name = "staggered",
    .piece = "segment",
    .options = &wy_staggered_option_type,
    .balances_forces = true,
    .carries_laws = true,
    .carries_active_rods = true,
    .carries_fluids = true,
    .carries_added_mass = true,
    .ports = &wy_staggered_port_type,
    .strides = true,
    .integrator = "radau5",
    .reason = "implicit, of order 5: the motion limits its steps, not the fastest vibration",
    .supports = supports,
    .chosen_by_rates = true,
    .rates = wy_staggered_rates,
    .size = size_of,
    .config_size = config_size_of,
    .create = create,
    .describe_rod = describe_rod};
