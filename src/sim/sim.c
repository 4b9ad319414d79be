/* SPDX-License-Identifier: MIT */
/* A simulation is made: one system and one integrator per rod, in two arenas (what a saved state holds, and the rest).
 */
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>

#include "base/message.h"
#include "record/extremes.h"
#include "scheme/solver.h"
#include "scheme/system.h"

/* Found once: signals are asked for hundreds of values. */
static double time_scale_of(wy_sim *sim, int rod) {
  if (!(sim->rods[rod].time_scale > 0))
    sim->rods[rod].time_scale = wy_model_time_scale(sim->model, rod, sim->end);
  return sim->rods[rod].time_scale;
}

/* A state that a rod has come to in a step. */
static void notice(void *by, double t, const double *u) {
  const wy_sim_rod *rod = by;
  wy_system *system = rod->system;
  system->type->view(system, t, u, &system->view);
  wy_extremes_look(&system->view, wy_model_rod(system->model, system->rod)->length, t, rod->extremes);
}

/* Lays out one rod; runs twice, first counting. */
static wy_status lay_out_rod(wy_sim *sim, int index, const wy_sim_def *def, wy_message *message) {
  wy_memory *memory = &sim->memory;
  wy_sim_rod *rod = &sim->rods[index];
  wy_solver_def own, *solver = &own;
  own = *wy_sim_def_solver(def, index, &own, message); /* which has been checked */
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  const wy_integrator_type *type = wy_integrator_choose(sim->model, &index, 1, solver, rod->reason);
  if (type->info->multistep && wy_scheme_options(scheme)->for_multistep)
    wy_scheme_options(scheme)->for_multistep(solver);
  wy_factor_needs needs = type->needs;
  needs.equilibria = def->statics;
  wy_status status = wy_scheme_check_fluid(scheme, wy_model_rod(sim->model, index), index, message);
  if (!status)
    status = scheme->create(sim->model, index, solver, needs, memory, &rod->system, message);
  if (!status && rod->system)
    status = wy_system_check_fields(rod->system, message);
  if (status)
    return status;
  rod->method = scheme;
  rod->scheme = scheme->name;
  rod->solver = own;
  rod->solver.scheme = scheme->name;
  rod->solver.integrator = type->info->name;
  rod->solver.more = NULL;
  wy_integrator counting = {0}, *integrator = wy_arena_take(&memory->scratch, sizeof *integrator);
  rod->integrator = integrator;
  if (!integrator)
    integrator = &counting;
  integrator->type = type;
  integrator->system = rod->system;
  integrator->relative = solver->relative_tolerance;
  integrator->absolute = solver->absolute_tolerance;
  integrator->first_step = solver->first_step;
  if (type->info->fixed_step && !(solver->first_step > 0))
    integrator->first_step = wy_default_step(time_scale_of(sim, index), sim->end);
  integrator->largest_step = solver->largest_step;
  integrator->end = sim->end;
  if (wy_watch_needed(sim->model, index))
    integrator->watched_scale = time_scale_of(sim, index);
  integrator->newton = solver->newton;
  integrator->size = scheme->size(sim->model, index, solver) + WY_LANES;
  integrator->now = wy_arena_take(&memory->saved, sizeof *integrator->now);
  integrator->u = wy_arena_doubles(&memory->saved, (size_t)integrator->size);
  rod->shown = wy_arena_doubles(&memory->scratch, (size_t)integrator->size);
  rod->extremes = wy_arena_take(&memory->saved, WY_EXTREME_COUNT * sizeof *rod->extremes);
  integrator->notice = notice;
  integrator->noticed_by = rod;
  integrator->booked = rod->shown; /* steps are taken while nothing is shown */
  const double torn = scheme->turns ? scheme->turns(solver).torn : 0;
  integrator->torn = isfinite(torn) ? torn : 0;
  type->layout(integrator, memory);
  if (def->statics)
    wy_sim_lay_out_statics(sim, index, solver);
  return WY_OK;
}

static wy_status lay_out(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  sim->time = wy_arena_take(&sim->memory.saved, sizeof *sim->time);
  for (int i = 0; i < sim->rod_count; i++) {
    wy_status status = lay_out_rod(sim, i, def, message);
    if (status)
      return status;
  }
  if (def->statics)
    sim->before = wy_arena_take(&sim->memory.scratch, sim->memory.saved.used);
  return WY_OK;
}

/* Work is counted from now on, of what a scheme books by itself, too. */
void wy_sim_begin_work(const wy_sim_rod *rod) {
  wy_system *system = rod->system;
  wy_energy energy = {0};
  system->type->energy(system, rod->integrator->now->t, rod->integrator->u, &energy);
  rod->integrator->u[system->size + WY_WORK_INTEGRAL] = 0 - energy.work;
}

static wy_status build(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  for (int i = 0; i < sim->rod_count; i++) {
    wy_status status = wy_sim_check_solver(sim->model, i, def, message);
    if (!status && !def->statics) /* an equilibrium finds its way to wherever the ends are */
      status = wy_rod_check_start(wy_model_rod(sim->model, i), i, message);
    if (status)
      return status;
  }
  wy_status status = isfinite(def->end) ? wy_model_check_reach(sim->model, def->end, message) : WY_OK;
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
  for (int i = 0; i < sim->rod_count; i++) {
    wy_integrator *integrator = sim->rods[i].integrator;
    integrator->system->type->initial(integrator->system, integrator->u);
    wy_sim_begin_work(&sim->rods[i]);
    wy_extremes_begin(sim->rods[i].extremes);
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
  if (sim)
    sim->rods = calloc((size_t)wy_model_rod_count(model), sizeof *sim->rods);
  if (!sim || !sim->rods) {
    free(sim);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the simulation");
  }
  sim->model = model;
  sim->end = def->end;
  sim->rod_count = wy_model_rod_count(model);
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
  for (int i = 0; sim->memory.scratch.block && i < sim->rod_count; i++) {
    wy_integrator *integrator = sim->rods[i].integrator;
    if (integrator && integrator->type && integrator->type->close)
      integrator->type->close(integrator);
  }
  wy_arena_release(&sim->memory.saved);
  wy_arena_release(&sim->memory.scratch);
  free(sim->rods);
  free(sim);
}
