/* SPDX-License-Identifier: MIT */
/* Equilibria of a simulation: each rod has a solver of its own; what it finds becomes the state that views show and
   that a run in time begins with. */
#include "withy/statics.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "sim/sim.h"

void wy_sim_lay_out_statics(wy_sim *sim, int index, const wy_solver_def *solver) {
  wy_sim_rod *rod = &sim->rods[index];
  int config_size, dofs;
  wy_scheme_find(solver->scheme)->config_size(sim->model, index, solver, &config_size, &dofs);
  rod->equilibrium = wy_equilibrium_layout(config_size, dofs, &sim->memory);
  if (!rod->equilibrium)
    return;
  wy_equilibrium_prepare(rod->equilibrium, rod->system, &solver->statics);
  rod->equilibrium->statistics = &rod->integrator->now->statistics;
  rod->equilibrium->end = sim->end;
}

/* Driven ends take up their velocities; the kinetic energy that comes with that is work of the supports. */
static void leave_rest(wy_sim_rod *rod) {
  wy_integrator *integrator = rod->integrator;
  wy_system *system = rod->system;
  double drift[WY_DRIFTS] = {0}, t = integrator->now->t, *u = integrator->u;
  wy_energy energy = {0};
  wy_equilibrium_rest(rod->equilibrium, false);
  rod->equilibrium->now->settled = false;
  if (system->type->depart)
    system->type->depart(system, t, u);
  else
    system->type->project(system, t, u, NULL, drift);
  system->type->energy(system, t, u, &energy);
  u[system->size + WY_WORK_INTEGRAL] += energy.kinetic;
  integrator->type->start(integrator);
}

wy_status wy_sim_leave_rest(wy_sim *sim, wy_message *message) {
  for (int i = 0; i < sim->rod_count; i++) {
    wy_sim_rod *rod = &sim->rods[i];
    if (!rod->equilibrium)
      continue;
    wy_status status = WY_OK;
    if (rod->equilibrium->now->resting)
      leave_rest(rod);
    else if (rod->integrator->now->t == 0 && !rod->integrator->now->moved)
      status = wy_rod_check_start(wy_model_rod(sim->model, i), i, message);
    if (status)
      return status;
  }
  return WY_OK;
}

void wy_sim_disturb(wy_sim *sim, int rod) {
  if (sim->rods[rod].equilibrium)
    wy_equilibrium_disturb(sim->rods[rod].equilibrium);
}

void wy_sim_resume_statics(wy_sim *sim, int rod) {
  wy_equilibrium *equilibrium = sim->rods[rod].equilibrium;
  if (equilibrium)
    wy_equilibrium_rest(equilibrium, equilibrium->now->resting);
}

/* ---- Equilibria ---- */

wy_status wy_sim_check_statics(const wy_sim *sim, int rod, bool settled, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (rod < 0 || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  if (!sim->rods[rod].equilibrium)
    return wy_fail(message, WY_ERROR_INPUT,
                   "the simulation has no memory for equilibria: set `statics` in its definition");
  if (settled && !sim->rods[rod].equilibrium->now->settled)
    return wy_fail(message, WY_ERROR_INPUT, "rod '%s' is not in equilibrium: call wy_sim_settle first",
                   wy_model_rod(sim->model, rod)->name);
  return WY_OK;
}

static wy_status check_all(const wy_sim *sim, bool settled, wy_message *message) {
  wy_status status = wy_sim_check_statics(sim, 0, settled, message);
  for (int i = 1; !status && i < sim->rod_count; i++)
    status = wy_sim_check_statics(sim, i, settled, message);
  return status;
}

/* The equilibrium becomes the state of the rod: at rest, without work done. `settled`: the first one of a path. */
static void adopt(wy_sim *sim, int index, bool settled) {
  const wy_sim_rod *rod = &sim->rods[index];
  wy_progress *now = rod->integrator->now;
  size_t size = (size_t)rod->system->size;
  memcpy(rod->integrator->u, rod->equilibrium->config, size * sizeof(double));
  memset(rod->integrator->u + size, 0, ((size_t)rod->integrator->size - size) * sizeof(double));
  now->t = now->t_old = wy_equilibrium_time(rod->equilibrium);
  now->moved = false;
  now->clear = 0;
  wy_books_turns(rod->integrator);
  wy_equilibrium_rest(rod->equilibrium, true);
  if (rod->system->type->statics->relax)
    rod->system->type->statics->relax(rod->system, now->t, rod->integrator->u);
  wy_sim_begin_work(rod);
  wy_books_rest(rod->integrator, settled);
}

/* Everything that a failed attempt may have changed, releases of ends included. Integrators have not seen it. */
static void put_back(wy_sim *sim) {
  memcpy(sim->memory.saved.block, sim->before, sim->memory.saved.used);
  for (int i = 0; i < sim->rod_count; i++) {
    wy_system *system = sim->rods[i].system;
    system->type->refresh(system);
    wy_equilibrium_rest(sim->rods[i].equilibrium, sim->rods[i].equilibrium->now->resting);
  }
}

/* All rods, or none: where one has no equilibrium the simulation stays what it was. */
wy_status wy_sim_settle(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, false, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  memcpy(sim->before, sim->memory.saved.block, sim->memory.saved.used);
  for (int i = 0; !status && i < sim->rod_count; i++)
    status = wy_equilibrium_settle(sim->rods[i].equilibrium, t, message);
  if (status)
    put_back(sim);
  for (int i = 0; !status && i < sim->rod_count; i++)
    adopt(sim, i, true);
  wy_sim_show(sim, status ? *sim->time : t);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

wy_status wy_sim_follow(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, true, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  double reached = t;
  for (int i = 0; i < sim->rod_count; i++) {
    wy_equilibrium *equilibrium = sim->rods[i].equilibrium;
    bool ahead = wy_equilibrium_time(equilibrium) > t; /* of one that has failed before */
    if (!status && !ahead)
      status = wy_equilibrium_follow(equilibrium, t, false, message);
    adopt(sim, i, false);
    reached = fmin(reached, sim->rods[i].integrator->now->t);
  }
  wy_sim_show(sim, reached);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

wy_status wy_sim_follow_step(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, true, message);
  if (status)
    return status;
  if (sim->rod_count != 1)
    return wy_fail(message, WY_ERROR_INPUT, "single increments are possible for one rod only; the simulation has %d",
                   sim->rod_count);
  if (!(t > *sim->time) || t > sim->end || !isfinite(t))
    return wy_fail(message, WY_ERROR_INPUT, "time %.9g lies outside %.9g (now) to %.9g (end)", t, *sim->time, sim->end);
  status = wy_equilibrium_follow(sim->rods[0].equilibrium, t, true, message);
  adopt(sim, 0, false);
  wy_sim_show(sim, sim->rods[0].integrator->now->t);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

wy_equilibrium_info wy_sim_equilibrium(const wy_sim *sim, int rod) {
  static const wy_equilibrium_info nothing = {.unstable = -1, .first_bifurcation = NAN, .first_snap = NAN};
  const bool exists = sim && rod >= 0 && rod < sim->rod_count;
  const wy_equilibrium *equilibrium = exists ? sim->rods[rod].equilibrium : NULL;
  return equilibrium ? equilibrium->now->info : nothing;
}
