/* SPDX-License-Identifier: MIT */
#include "scheme/system.h"

#include <assert.h>

#include "base/message.h"
#include "math/vec3.h"
#include "scheme/applied.h"
#include "scheme/contacts.h"
#include "scheme/fluid.h"
#include "scheme/supports.h"

int wy_system_add_field(wy_system *system, wy_field field) {
  field.offset = system->size;
  field.kind = system->field_count;
  system->fields = system->rod_fields;
  if (system->field_count < WY_MAX_FIELDS)
    system->rod_fields[system->field_count++] = field;
  else
    system->fields_lost++;
  system->size += field.components * field.stride;
  return field.offset;
}

wy_status wy_system_check_fields(const wy_system *system, wy_message *message) {
  if (system->fields_lost == 0)
    return WY_OK;
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "scheme %s: its state has %d fields, and there is room for %d (WY_MAX_FIELDS)", system->type->name,
                 system->field_count + system->fields_lost, WY_MAX_FIELDS);
}

void wy_system_norm_by_points(wy_system *system, int stride) {
  system->rod_norm = (wy_norm_part){.size = system->size, .stride = stride};
  system->norm_parts = &system->rod_norm;
  system->norm_count = 1;
}

void wy_points_layout(wy_points *points, wy_arena *arena, int count, int components) {
  points->count = count, points->components = components;
  points->s = wy_arena_doubles(arena, (size_t)count);
  points->values = wy_arena_doubles(arena, (size_t)count * (size_t)components);
}

void wy_view_layout(wy_view *view, wy_arena *arena, wy_view_counts counts) {
  wy_points_layout(&view->position, arena, counts.positions, 3);
  wy_points_layout(&view->velocity, arena, counts.positions, 3);
  wy_points_layout(&view->frame, arena, counts.frames, 4);
  wy_points_layout(&view->angular_velocity, arena, counts.frames, 3);
  wy_points_layout(&view->strain, arena, counts.strains, 3);
  wy_points_layout(&view->force, arena, counts.strains, 3);
  wy_points_layout(&view->curvature, arena, counts.bends, 3);
  wy_points_layout(&view->moment, arena, counts.bends, 3);
}

static const double *origin_of(const wy_system *system) {
  return wy_model_rod(system->model, system->rod)->shape.origin;
}

void wy_system_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  const double along = wy_dot3(wy_model_gravity(system->model), origin_of(system));
  system->type->energy(system, t, u, energy);
  if (along == 0)
    return;
  if (!(system->mass > 0)) {
    wy_momentum momentum;
    system->type->momentum(system, t, u, &momentum);
    system->mass = momentum.mass - wy_fluid_lift(wy_model_rod(system->model, system->rod));
  }
  energy->gravity -= system->mass * along;
}

void wy_system_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  const double *origin = origin_of(system);
  double turn[3];
  system->type->momentum(system, t, u, momentum);
  wy_cross3(origin, momentum->linear, turn);
  wy_add3(momentum->angular, 1, turn);
  wy_add3(momentum->centre_of_mass, 1, origin);
}

void wy_system_view(wy_system *system, double t, const double *u, wy_view *view) {
  const double *origin = origin_of(system);
  system->type->view(system, t, u, view);
  double *position = (double *)view->position.values;
  for (int i = 0; i < view->position.count; i++)
    wy_add3(position + 3 * (size_t)i, 1, origin);
  for (int end = 0; end < 2; end++)
    wy_add3(view->ends[end].position, 1, origin);
}

int wy_step_correct(wy_system *system, bool anew, double *r, double *change) {
  const wy_step_type *step = system->type->step;
  assert(step && r);
  const int status = anew ? step->linearise(system) : WY_OK;
  if (status)
    return status;
  step->solve(system, r);
  step->apply(system, r, change);
  return WY_OK;
}

void wy_system_layout_overrides(wy_system *system, wy_arena *saved) {
  const size_t loads = (size_t)wy_model_rod_load_count(system->model, system->rod),
               actuators = (size_t)wy_model_rod_actuator_count(system->model, system->rod);
  system->load_overrides = wy_arena_take(saved, loads * sizeof *system->load_overrides);
  system->actuator_overrides = wy_arena_take(saved, actuators * sizeof *system->actuator_overrides);
}

double wy_system_next_break(const wy_system *system) {
  return wy_support_next_release(system->supports);
}

bool wy_system_depends_on_time(const wy_system *system) {
  const wy_model *model = system->model;
  if (system->contacts && wy_contacts_depend_on_time(system->contacts))
    return true;
  for (int end = 0; end < 2; end++)
    if (wy_support_moves(system->supports, end))
      return true;
  for (int i = 0; i < wy_model_rod_load_count(model, system->rod); i++)
    if (wy_load_depends_on_time(wy_model_rod_load(model, system->rod, i), &system->load_overrides[i]))
      return true;
  for (int i = 0; i < wy_model_rod_actuator_count(model, system->rod); i++)
    if (!system->actuator_overrides[i].set &&
        wy_signal_depends(&wy_model_rod_actuator(model, system->rod, i)->force, WY_TIME))
      return true;
  const wy_fluid *fluid = &wy_model_rod(model, system->rod)->fluid;
  return fluid->given && wy_flow_depends(&fluid->velocity, WY_TIME);
}

void wy_system_enter(wy_system *system, double t) {
  wy_support_release(system->supports, t);
  system->type->refresh(system);
}

void wy_system_set_load(wy_system *system, int load, const double force[3], const double moment[3]) {
  wy_override_load(&system->load_overrides[wy_model_load_place(system->model, load)], force, moment);
  system->type->refresh(system);
}

void wy_system_set_actuator(wy_system *system, int actuator, const double *force) {
  wy_override_actuator(&system->actuator_overrides[wy_model_actuator_place(system->model, actuator)], force);
  system->type->refresh(system);
}

int wy_system_move_end(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                       wy_message *message) {
  const wy_status status = wy_support_move(system->supports, end, t, target, duration, message);
  if (!status)
    system->type->refresh(system);
  return status;
}
