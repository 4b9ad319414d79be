/* SPDX-License-Identifier: MIT */
/* Equilibria of a simulation: each group has a solver of its own; what it finds becomes the state that views show and
   that a run in time begins with. */
#include "withy/statics.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/network.h"
#include "scheme/contacts.h"
#include "sim/sim.h"

void wy_sim_lay_out_statics(wy_sim_group *group, int config_size, int dofs, const wy_solver_def *solver) {
  wy_equilibrium *equilibrium = group->equilibrium = wy_equilibrium_layout(config_size, dofs, &group->sim->memory);
  if (!equilibrium)
    return;
  wy_equilibrium_prepare(equilibrium, group->system, &solver->statics);
  equilibrium->statistics = &group->integrator->now->statistics;
  equilibrium->end = group->sim->end;
}

/* The joint that is farthest from what it wants. */
static int widest_joint(const wy_sim_group *group, double *gap, double *turn) {
  const wy_network *network = wy_model_network(group->sim->model);
  int worst = -1;
  double most = -1;
  for (int i = 0; i < network->end_count; i++) {
    const wy_hub_end *end = &network->ends[i];
    const double apart = wy_norm3(end->gap), turned = wy_norm3(end->turn);
    const double size = apart / wy_model_rod(group->sim->model, end->rod)->length + turned;
    if (network->rod_groups[end->rod] != group - group->sim->groups || size <= most)
      continue;
    most = size, worst = end->joint, *gap = apart, *turn = turned;
  }
  return worst;
}

wy_status wy_sim_assemble(wy_sim_group *group, wy_message *message) {
  wy_message reason = {0};
  const wy_status status = wy_equilibrium_close(group->equilibrium, &reason);
  if (!status)
    return WY_OK;
  double gap = 0, turn = 0;
  const int joint = widest_joint(group, &gap, &turn);
  const double left = 1 - fmin(1, fmax(0, group->equilibrium->now->tau));
  char path[WY_ENTRY_PATH];
  wy_entry_path("joints", wy_model_joint(group->sim->model, joint)->name, joint, path);
  wy_fail_at(message, path, "its parts cannot be brought together: they are still %.4g apart and %.4g rad turned: %s",
             left * gap, left * turn, reason.text);
  return status;
}

/* Driven ends take up their velocities; the kinetic energy that comes with that is work of the supports. */
static void leave_rest(const wy_sim_group *group) {
  wy_integrator *integrator = group->integrator;
  wy_system *system = group->system;
  double drift[WY_DRIFTS] = {0}, t = integrator->now->t, *u = integrator->u;
  wy_energy energy = {0};
  wy_equilibrium_rest(group->equilibrium, false);
  wy_system_depart(system);
  group->equilibrium->now->settled = false;
  if (system->type->depart)
    system->type->depart(system, t, u);
  else
    system->type->project(system, t, u, NULL, drift);
  system->type->energy(system, t, u, &energy);
  u[system->size + WY_WORK_INTEGRAL] += energy.kinetic;
  integrator->type->start(integrator);
}

wy_status wy_sim_leave_rest(wy_sim *sim, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; !status && i < sim->group_count; i++) {
    const wy_sim_group *group = &sim->groups[i];
    if (!group->equilibrium)
      continue;
    const bool begins = group->integrator->now->t == 0 && !group->integrator->now->moved;
    if (group->equilibrium->now->resting)
      leave_rest(group);
    else
      for (int k = 0; !status && begins && k < group->rod_count; k++)
        status = wy_rod_check_start(wy_model_rod(sim->model, group->rods[k]), group->rods[k], message);
  }
  return status;
}

void wy_sim_disturb(const wy_sim_group *group) {
  if (group->equilibrium)
    wy_equilibrium_disturb(group->equilibrium);
}

void wy_sim_resume_statics(const wy_sim_group *group) {
  if (group->equilibrium)
    wy_equilibrium_rest(group->equilibrium, group->equilibrium->now->resting);
}

/* ---- Equilibria ---- */

wy_status wy_sim_check_statics(const wy_sim_group *group, bool settled, wy_message *message) {
  if (!group->equilibrium)
    return wy_fail(message, WY_ERROR_INPUT,
                   "the simulation has no memory for equilibria: set `statics` in its definition");
  if (settled && !group->equilibrium->now->settled)
    return wy_fail(message, WY_ERROR_INPUT, "%s '%s' is not in equilibrium: call wy_sim_settle first",
                   wy_system_noun(group->system), wy_system_name(group->system));
  return WY_OK;
}

static wy_status check_all(const wy_sim *sim, bool settled, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  wy_status status = WY_OK;
  for (int i = 0; !status && i < sim->group_count; i++)
    status = wy_sim_check_statics(&sim->groups[i], settled, message);
  return status;
}

/* The equilibrium becomes the state of the group: at rest, without work done. `settled`: the first one of a path. */
static void adopt(const wy_sim_group *group, bool settled) {
  wy_integrator *integrator = group->integrator;
  wy_progress *now = integrator->now;
  wy_system *system = group->system;
  size_t size = (size_t)system->size;
  memcpy(integrator->u, group->equilibrium->config, size * sizeof(double));
  memset(integrator->u + size, 0, ((size_t)integrator->size - size) * sizeof(double));
  now->t = now->t_old = wy_equilibrium_time(group->equilibrium);
  now->moved = false;
  now->clear = 0;
  wy_books_turns(integrator);
  wy_equilibrium_rest(group->equilibrium, true);
  if (system->type->statics->relax)
    system->type->statics->relax(system, now->t, integrator->u);
  wy_sim_begin_work(group);
  wy_books_rest(integrator, settled);
}

/* Everything that a failed attempt may have changed, releases of ends included. Integrators have not seen it. */
static void put_back(wy_sim *sim) {
  memcpy(sim->memory.saved.block, sim->before, sim->memory.saved.used);
  for (int i = 0; i < sim->group_count; i++) {
    wy_system *system = sim->groups[i].system;
    system->type->refresh(system);
    wy_sim_resume_statics(&sim->groups[i]);
  }
}

static wy_status settle_group(wy_sim_group *group, double t, wy_message *message) {
  return wy_equilibrium_settle(group->equilibrium, t, message);
}

/* All groups, or none: where one has no equilibrium the simulation stays what it was. */
wy_status wy_sim_settle(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, false, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  memcpy(sim->before, sim->memory.saved.block, sim->memory.saved.used);
  status = wy_sim_each(sim, INFINITY, settle_group, t, WY_UNTIL_FAILURE, message);
  if (status)
    put_back(sim);
  for (int i = 0; !status && i < sim->group_count; i++)
    adopt(&sim->groups[i], true);
  wy_sim_show(sim, status ? *sim->time : t);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

static wy_status follow_group(wy_sim_group *group, double t, wy_message *message) {
  const bool ahead = wy_equilibrium_time(group->equilibrium) > t; /* of one that has failed before */
  const wy_status status = ahead ? WY_OK : wy_equilibrium_follow(group->equilibrium, t, false, message);
  adopt(group, false);
  return status;
}

wy_status wy_sim_follow(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, true, message);
  if (!status)
    status = wy_sim_check_time(sim, t, message);
  if (status)
    return status;
  status = wy_sim_each(sim, INFINITY, follow_group, t, WY_ALL_GROUPS, message);
  double reached = t;
  for (int i = 0; i < sim->group_count; i++)
    reached = fmin(reached, sim->groups[i].integrator->now->t);
  wy_sim_show(sim, reached);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

wy_status wy_sim_follow_step(wy_sim *sim, double t, wy_message *message) {
  wy_status status = check_all(sim, true, message);
  if (status)
    return status;
  if (sim->group_count != 1)
    return wy_fail(message, WY_ERROR_INPUT,
                   "single increments are possible for one rod, or for rods that are all joined; the simulation has %d "
                   "that are not",
                   sim->group_count);
  if (!(t > *sim->time) || t > sim->end || !isfinite(t))
    return wy_fail(message, WY_ERROR_INPUT, "time %.9g lies outside %.9g (now) to %.9g (end)", t, *sim->time, sim->end);
  status = wy_equilibrium_follow(sim->groups[0].equilibrium, t, true, message);
  adopt(&sim->groups[0], false);
  wy_sim_show(sim, sim->groups[0].integrator->now->t);
  return status ? status : wy_sim_verify(sim, NULL, 0, NULL, message);
}

static const wy_equilibrium_info no_equilibrium = {.unstable = -1, .first_bifurcation = NAN, .first_snap = NAN};

wy_equilibrium_info wy_sim_group_equilibrium(const wy_sim *sim, int group) {
  const bool exists = sim && group >= 0 && group < sim->group_count && sim->groups[group].equilibrium;
  return exists ? sim->groups[group].equilibrium->now->info : no_equilibrium;
}

/* Whose first bifurcation came earlier? Settling is before everything else. */
static bool is_earlier(const wy_equilibrium_info *a, const wy_equilibrium_info *b) {
  if (isnan(a->first_bifurcation) || isnan(b->first_bifurcation))
    return !isnan(a->first_bifurcation);
  if (a->first_while_settling != b->first_while_settling)
    return a->first_while_settling;
  return a->first_bifurcation < b->first_bifurcation;
}

static void add_equilibrium(const wy_equilibrium_info *one, wy_equilibrium_info *sum) {
  sum->increments += one->increments;
  sum->rejected += one->rejected;
  sum->newton_iterations += one->newton_iterations;
  sum->unstable = sum->unstable < 0 || one->unstable < 0 ? -1 : sum->unstable + one->unstable;
  sum->odd = sum->odd || one->odd;
  sum->bifurcations += one->bifurcations;
  sum->limit_points += one->limit_points;
  sum->way = one->way > sum->way ? one->way : sum->way;
  sum->ways_tried += one->ways_tried;
  sum->relaxation_steps += one->relaxation_steps;
  sum->snaps += one->snaps;
  sum->first_snap = fmin(sum->first_snap, one->first_snap); /* of a number and NAN, the number */
  if (is_earlier(one, sum)) {
    sum->first_bifurcation = one->first_bifurcation;
    sum->first_while_settling = one->first_while_settling;
  }
}

wy_equilibrium_info wy_sim_equilibrium(const wy_sim *sim, int rod) {
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count || !sim->groups[0].equilibrium)
    return no_equilibrium;
  if (rod != WY_ALL_RODS)
    return sim->rods[rod].group->equilibrium->now->info;
  wy_equilibrium_info sum = {.first_bifurcation = NAN, .first_snap = NAN};
  for (int i = 0; i < sim->group_count; i++)
    add_equilibrium(&sim->groups[i].equilibrium->now->info, &sum);
  return sum;
}
