/* SPDX-License-Identifier: MIT */
/* A simulation is made: one system and one integrator per group of rods, in two arenas (what a saved state holds, and
   the rest). */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "model/contact.h"
#include "model/network.h"
#include "network/group.h"
#include "record/extremes.h"
#include "scheme/contacts.h"
#include "scheme/solver.h"
#include "scheme/system.h"

static void find_groups(wy_sim *sim) {
  const wy_network *network = wy_model_network(sim->model);
  sim->group_count = network->group_count;
  for (int i = 0; i < sim->group_count; i++) {
    const wy_group_def *def = &network->groups[i];
    sim->groups[i] = (wy_sim_group){.sim = sim, .rods = def->rods, .rod_count = def->rod_count};
    for (int k = 0; k < def->rod_count; k++)
      sim->rods[def->rods[k]].group = &sim->groups[i];
  }
}

/* Found once: signals are asked for hundreds of values. */
static double time_scale_of(wy_sim_group *group) {
  const wy_sim *sim = group->sim;
  if (group->time_scale > 0)
    return group->time_scale;
  group->time_scale = group->rod_count > 0 ? (double)INFINITY : isfinite(sim->end) ? 0.1 * sim->end : 1;
  for (int i = 0; i < group->rod_count; i++)
    group->time_scale = fmin(group->time_scale, wy_model_time_scale(sim->model, group->rods[i], sim->end));
  return group->time_scale;
}

static bool is_watched(const wy_sim_group *group) {
  bool any = false;
  for (int i = 0; i < group->rod_count; i++)
    any = any || wy_watch_needed(group->sim->model, group->rods[i]);
  const wy_model *model = group->sim->model;
  const int index = (int)(group - group->sim->groups);
  for (int i = 0; !any && wy_model_network(model)->groups[index].hub_count > 0 && i < wy_model_load_count(model); i++)
    any = wy_watch_body_needed(model, i) && wy_model_network(model)->hubs[wy_model_load(model, i)->body].group == index;
  return any;
}

/* A state that a group has come to in a step. */
static void notice(void *by, double t, const double *u) {
  const wy_sim_group *group = by;
  for (int i = 0; i < group->rod_count; i++) {
    const wy_sim_rod *rod = &group->sim->rods[group->rods[i]];
    wy_system *system = rod->system;
    system->type->view(system, t, wy_sim_part(rod, t, u), &system->view);
    wy_extremes_look(&system->view, wy_model_rod(system->model, system->rod)->length, t, rod->extremes);
  }
}

/* Sizes that are known before the system is. */
typedef struct system_sizes {
  int state, config, dofs;
} system_sizes;

/* Of rods that joints and springs connect, with their hubs. */
static wy_status create_network(wy_sim_group *group, const wy_solver_def *solver, wy_factor_needs needs,
                                system_sizes *sizes, wy_message *message) {
  const wy_model *model = group->sim->model;
  const int index = (int)(group - group->sim->groups);
  sizes->state = wy_group_size(model, index, solver);
  if (needs.equilibria)
    wy_group_config_size(model, index, solver, &sizes->config, &sizes->dofs);
  return wy_group_create(model, index, solver, needs, &group->sim->memory, &group->system, message);
}

/* The only place where systems are made. */
static wy_status create_system(wy_sim_group *group, const wy_solver_def *solver, wy_factor_needs needs,
                               system_sizes *sizes, wy_message *message) {
  const wy_model *model = group->sim->model;
  const wy_scheme *scheme = group->method;
  if (wy_model_network(model)->groups[group - group->sim->groups].hub_count > 0)
    return create_network(group, solver, needs, sizes, message);
  const int rod = group->rods[0];
  wy_status status = wy_scheme_check_fluid(scheme, wy_model_rod(model, rod), rod, message);
  if (status)
    return status;
  sizes->state = scheme->size(model, rod, solver);
  if (needs.equilibria)
    scheme->config_size(model, rod, solver, &sizes->config, &sizes->dofs);
  return scheme->create(model, rod, solver, needs, &group->sim->memory, &group->system, message);
}

/* Each rod gets its part of the group's system. */
static wy_status share_system(const wy_sim_group *group, wy_message *message) {
  wy_system *system = group->system;
  wy_status status = WY_OK;
  for (int i = 0, offset = 0; system && !status && i < group->rod_count; i++) {
    wy_sim_rod *rod = &group->sim->rods[group->rods[i]];
    rod->system = system->parts ? system->parts[i] : system;
    rod->part = i;
    rod->offset = offset;
    offset += rod->system->size;
    status = wy_system_check_fields(rod->system, message);
  }
  return status;
}

static void lay_out_integrator(wy_sim_group *group, const wy_integrator_type *type, const wy_solver_def *solver,
                               int state_size) {
  const wy_sim *sim = group->sim;
  wy_memory *memory = &group->sim->memory;
  wy_integrator counting = {0}, *integrator = wy_arena_take(&memory->scratch, sizeof *integrator);
  group->integrator = integrator;
  if (!integrator)
    integrator = &counting;
  integrator->type = type;
  integrator->system = group->system;
  integrator->relative = solver->relative_tolerance;
  integrator->absolute = solver->absolute_tolerance;
  integrator->first_step = solver->first_step;
  if (type->info->fixed_step && !(solver->first_step > 0))
    integrator->first_step = wy_default_step(time_scale_of(group), sim->end);
  integrator->largest_step = solver->largest_step;
  integrator->end = sim->end;
  if (is_watched(group))
    integrator->watched_scale = time_scale_of(group);
  integrator->newton = solver->newton;
  integrator->size = state_size + WY_LANES;
  integrator->now = wy_arena_take(&memory->saved, sizeof *integrator->now);
  integrator->u = wy_arena_doubles(&memory->saved, (size_t)integrator->size);
  group->shown = wy_arena_doubles(&memory->scratch, (size_t)integrator->size);
  for (int i = 0; i < group->rod_count; i++) {
    wy_sim_rod *rod = &sim->rods[group->rods[i]];
    rod->extremes = wy_arena_take(&memory->saved, WY_EXTREME_COUNT * sizeof *rod->extremes);
    integrator->touches = integrator->touches || wy_rod_touches(sim->model, group->rods[i]);
  }
  integrator->notice = notice;
  integrator->noticed_by = group;
  integrator->booked = group->shown; /* steps are taken while nothing is shown */
  const double torn = group->method->turns ? group->method->turns(solver).torn : 0;
  integrator->torn = isfinite(torn) ? torn : 0;
  type->layout(integrator, memory);
}

/* Has it joints that bring its parts together? */
static bool assembles(const wy_sim_group *group) {
  return wy_model_network(group->sim->model)->assembles[group - group->sim->groups];
}

/* Lays out one group; runs twice, first counting. */
static wy_status lay_out_group(wy_sim_group *group, const wy_sim_def *def, wy_message *message) {
  const wy_model *model = group->sim->model;
  wy_solver_def own;
  own = *(group->rod_count > 0 ? wy_sim_def_solver(def, group->rods[0], &own, message)
                               : wy_solver_def_read(&def->solver, &own, message)); /* which has been checked */
  const wy_scheme *scheme = group->method = wy_scheme_find(own.scheme);
  if (!group->type)
    group->type = wy_integrator_choose(model, (int)(group - group->sim->groups), &own, def->end, group->reason);
  const wy_integrator_type *type = group->type;
  if (type->info->multistep && wy_scheme_options(scheme)->for_multistep)
    wy_scheme_options(scheme)->for_multistep(&own);
  wy_factor_needs needs = type->needs;
  needs.equilibria = def->statics || assembles(group);
  system_sizes sizes = {0};
  wy_status status = create_system(group, &own, needs, &sizes, message);
  if (!status)
    status = share_system(group, message);
  if (status)
    return status;
  group->scheme = scheme->name;
  group->solver = own;
  group->solver.scheme = scheme->name;
  group->solver.integrator = type->info->name;
  group->solver.more = NULL;
  lay_out_integrator(group, type, &own, sizes.state);
  if (needs.equilibria)
    wy_sim_lay_out_statics(group, sizes.config, sizes.dofs, &own);
  return WY_OK;
}

static wy_status lay_out(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  sim->time = wy_arena_take(&sim->memory.saved, sizeof *sim->time);
  for (int i = 0; i < sim->group_count; i++) {
    wy_status status = lay_out_group(&sim->groups[i], def, message);
    if (status)
      return status;
  }
  wy_sim_lay_out_contact(sim);
  bool rests = def->statics;
  for (int i = 0; i < sim->group_count; i++)
    rests = rests || assembles(&sim->groups[i]);
  if (rests)
    sim->before = wy_arena_take(&sim->memory.scratch, sim->memory.saved.used);
  return WY_OK;
}

/* Work is counted from now on, of what a scheme books by itself, too. */
void wy_sim_begin_work(const wy_sim_group *group) {
  wy_system *system = group->system;
  wy_energy energy = {0};
  system->type->energy(system, group->integrator->now->t, group->integrator->u, &energy);
  group->integrator->u[system->size + WY_WORK_INTEGRAL] = 0 - energy.work;
}

/* One integrator moves all rods of a group. */
static wy_status check_same_solver(const wy_sim_group *group, const wy_sim_def *def, wy_message *message) {
  const wy_model *model = group->sim->model;
  for (int i = 1; i < group->rod_count; i++) {
    wy_solver_def one, other;
    const wy_solver_def *a = wy_sim_def_solver(def, group->rods[0], &one, NULL),
                        *b = wy_sim_def_solver(def, group->rods[i], &other, NULL);
    if (wy_sim_same_solver(a, b))
      continue;
    char path[WY_ENTRY_PATH];
    snprintf(path, sizeof path, "rods.%.63s.solver", wy_model_rod(model, group->rods[i])->name);
    return wy_fail_at(message, path,
                      "rods '%s' and '%s' are joined and have different solvers; expected one solver for all rods that "
                      "joints and springs connect",
                      wy_model_rod(model, group->rods[0])->name, wy_model_rod(model, group->rods[i])->name);
  }
  return WY_OK;
}

/* A motion begins outside of obstacles, and friction remembers where; an equilibrium may be put down on them first. */
static wy_status begin_contact(const wy_sim_group *group, bool statics, wy_message *message) {
  const wy_integrator *integrator = group->integrator;
  const bool settles = statics && wy_model_contact_def(group->sim->model)->settle;
  wy_status status = WY_OK;
  wy_system *piece;
  wy_system_carry(group->system, 0, integrator->u, WY_NOW);
  for (int i = 0, at = 0; !status && !settles && (piece = wy_contacts_part(group->system, &i, &at)); at += piece->size)
    status = wy_contacts_check_start(piece, integrator->u + at, statics, message);
  if (!status && wy_system_touches(group->system))
    wy_system_start_contact(group->system, 0, integrator->u);
  return status;
}

static wy_status build(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  for (int i = 0; i < sim->group_count; i++) {
    wy_status status = sim->groups[i].rod_count == 0 ? wy_sim_check_solver(sim->model, -1, def, message) : WY_OK;
    if (status)
      return status;
  }
  for (int i = 0; i < sim->rod_count; i++) {
    wy_status status = wy_sim_check_solver(sim->model, i, def, message);
    if (!status && !def->statics) /* an equilibrium finds its way to wherever the ends are */
      status = wy_rod_check_start(wy_model_rod(sim->model, i), i, message);
    if (status)
      return status;
  }
  wy_status status = isfinite(def->end) ? wy_model_check_reach(sim->model, def->end, message) : WY_OK;
  for (int i = 0; !status && i < sim->group_count; i++)
    status = check_same_solver(&sim->groups[i], def, message);
  if (!status)
    status = lay_out(sim, def, message);
  if (status)
    return status;
  if (wy_arena_allocate(&sim->memory.saved) || wy_arena_allocate(&sim->memory.scratch))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory: the simulation needs %zu MB",
                   (sim->memory.saved.used + sim->memory.scratch.used) >> 20);
  status = lay_out(sim, def, message);
  if (status)
    return status;
  for (int i = 0; i < sim->rod_count; i++)
    wy_extremes_begin(sim->rods[i].extremes);
  for (int i = 0; !status && i < sim->group_count; i++)
    if (assembles(&sim->groups[i]))
      status = wy_sim_assemble(&sim->groups[i], message);
  if (status)
    return status;
  for (int i = 0; i < sim->group_count; i++) {
    const wy_system *piece;
    for (int k = 0, at = 0; (piece = wy_contacts_part(sim->groups[i].system, &k, &at)); at += piece->size)
      wy_contacts_set_end(piece->contacts, sim->model, piece->rod, sim->end);
  }
  wy_sim_share_tasks(sim);
  for (int i = 0; i < sim->group_count; i++) {
    wy_integrator *integrator = sim->groups[i].integrator;
    integrator->system->type->initial(integrator->system, integrator->u);
    status = begin_contact(&sim->groups[i], def->statics, message);
    if (status)
      return status;
    wy_sim_begin_work(&sim->groups[i]);
    status = integrator->type->open ? integrator->type->open(integrator, message) : WY_OK;
    if (status)
      return status;
    integrator->type->start(integrator);
  }
  wy_sim_identify(sim, def);
  return WY_OK;
}

wy_status wy_sim_create(const wy_model *model, const wy_sim_def *def, wy_sim **out, wy_message *message) {
  if (!out)
    return wy_fail_missing(message, "sim");
  *out = NULL;
  if (!model || !def)
    return wy_fail_missing(message, model ? "def" : "model");
  wy_sim_def own;
  def = wy_sim_def_read(def, &own, message);
  if (!def)
    return WY_ERROR_INPUT;
  if (!(def->end > 0))
    return wy_fail_at(message, "time.end", "found %g; expected a positive number", def->end);
  wy_sim *sim = calloc(1, sizeof *sim);
  if (sim) {
    sim->rods = calloc((size_t)wy_model_rod_count(model) + 1, sizeof *sim->rods); /* bodies need no rods */
    sim->groups = calloc((size_t)wy_model_network(model)->group_count + 1, sizeof *sim->groups);
  }
  if (!sim || !sim->rods || !sim->groups) {
    wy_sim_destroy(sim);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the simulation");
  }
  sim->model = model;
  sim->end = def->end;
  sim->tasks = def->tasks;
  sim->clock = def->clock;
  sim->rod_count = wy_model_rod_count(model);
  find_groups(sim);
  wy_status status = build(sim, def, message);
  if (status) {
    wy_sim_destroy(sim);
    return status;
  }
  *out = sim;
  return WY_OK;
}

void wy_sim_destroy(wy_sim *sim) {
  if (!sim)
    return;
  for (int i = 0; sim->memory.scratch.block && i < sim->group_count; i++) {
    wy_integrator *integrator = sim->groups[i].integrator;
    if (integrator && integrator->type && integrator->type->close)
      integrator->type->close(integrator);
  }
  wy_arena_release(&sim->memory.saved);
  wy_arena_release(&sim->memory.scratch);
  free(sim->rods), free(sim->groups);
  free(sim);
}
