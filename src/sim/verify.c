/* SPDX-License-Identifier: MIT */
/* The judgement of a simulation: each rod as it stands is put before src/judge. */
#include <math.h>

#include "base/message.h"
#include "math/vec3.h"
#include "network/group.h"
#include "scheme/contacts.h"
#include "scheme/system.h"
#include "sim/sim.h"

/* What gravity does to all of each rod at its origin. */
static double level_of(const wy_sim_group *group) {
  const double t = group->integrator->now->t;
  double level = group->system->parts ? wy_group_level(group->system) : 0;
  for (int i = 0; i < group->rod_count; i++) {
    const wy_sim_rod *rod = &group->sim->rods[group->rods[i]];
    const double *u = wy_sim_part(rod, t, group->integrator->u);
    wy_energy here = {0}, there = {0};
    rod->system->type->energy(rod->system, t, u, &here);
    wy_system_energy(rod->system, t, u, &there);
    level += there.gravity - here.gravity;
  }
  return level;
}

/* With a look at the state that is shown; about the origins of rods. */
static wy_balance balance_of(const wy_sim *sim, wy_sim_group *group) {
  const wy_integrator *integrator = group->integrator;
  wy_balance balance = integrator->now->balance;
  wy_energy energy = wy_books_energy(integrator, *sim->time, wy_sim_shown(group));
  if (balance.looks > 0)
    wy_balance_look(&balance, *sim->time, &energy);
  else if (balance.start == 0 && balance.end == 0) /* neither moved nor settled yet */
    balance.start = balance.end = energy.total;
  return balance;
}

/* What all parts of a group have in common. */
static wy_judged judged_group(const wy_sim_group *group, int rod, const wy_system *system) {
  const wy_sim *sim = group->sim;
  const int index = (int)(group - sim->groups);
  return (wy_judged){.model = sim->model,
                     .rod = rod,
                     .scheme = group->method,
                     .solver = &group->solver,
                     .integrator = group->integrator,
                     .system = system,
                     .statistics = wy_sim_group_statistics(sim, index),
                     .equilibrium = wy_sim_group_equilibrium(sim, index),
                     .resting = group->equilibrium && group->equilibrium->now->resting,
                     .disturbed = group->equilibrium && group->equilibrium->now->disturbed};
}

/* What belongs to the group is only before the judge with its first rod. */
/* What obstacles do to a rod at rest. */
static void add_contact(const wy_sim *sim, int index, wy_judged *self) {
  const wy_sim_rod *rod = &sim->rods[index];
  const double *u = wy_sim_part(rod, *sim->time, wy_sim_shown(rod->group));
  wy_system *piece;
  int offset;
  for (int i = 0; (piece = wy_sim_piece(rod, i, &offset)); i++) {
    if (!piece->contacts)
      continue;
    const wy_resultant all = wy_contacts_resultant(piece, *sim->time, u + offset);
    wy_add3(self->contact_force, 1, (const double[3]){all.force.x, all.force.y, all.force.z});
    wy_add3(self->contact_moment, 1, (const double[3]){all.moment.x, all.moment.y, all.moment.z});
    self->contact_size += all.size;
  }
}

static wy_judged judged(wy_sim *sim, int index) {
  wy_sim_group *group = sim->rods[index].group;
  wy_judged self = judged_group(group, index, sim->rods[index].system);
  self.momentum = wy_sim_momentum(sim, index);
  if (group->rods[0] == index) {
    self.balance = balance_of(sim, group);
    self.mass = self.momentum.mass;
    for (int i = 1; i < group->rod_count; i++)
      self.mass += wy_sim_momentum(sim, group->rods[i]).mass;
  }
  if (self.resting)
    add_contact(sim, index, &self);
  self.view = wy_sim_view(sim, index);
  self.state = wy_sim_shown(group);
  return self;
}

/* Of bodies without rods: what belongs to the group. */
static wy_judged judged_bodies(wy_sim *sim, wy_sim_group *group) {
  wy_judged self = judged_group(group, -1, group->system);
  self.balance = balance_of(sim, group);
  wy_group_hub_momentum(group->system, *sim->time, wy_sim_shown(group), &self.momentum);
  self.mass = self.momentum.mass;
  return self;
}

wy_status wy_sim_judge(wy_sim *sim, int rod, wy_judgement *findings, wy_message *message) {
  for (int i = 0; i < sim->rod_count; i++)
    if (rod == WY_ALL_RODS || rod == i) {
      wy_judged self = judged(sim, i);
      wy_judge_rod(&self, findings);
    }
  for (int i = 0; rod == WY_ALL_RODS && i < sim->group_count; i++)
    if (sim->groups[i].rod_count == 0) {
      wy_judged self = judged_bodies(sim, &sim->groups[i]);
      wy_judge_bodies(&self, *sim->time, findings);
    }
  const wy_finding *worst = &findings->worst;
  if (worst->severity < WY_WRONG)
    return WY_OK;
  char line[sizeof message->text];
  wy_finding_line(worst, line, sizeof line);
  return wy_fail(message, WY_ERROR_RESULT, "%s", line);
}

wy_status wy_sim_verify(wy_sim *sim, wy_finding *findings, int room, int *count, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  wy_judgement found = {.list = findings, .room = findings && room > 0 ? room : 0};
  wy_status status = wy_sim_judge(sim, WY_ALL_RODS, &found, message);
  if (count)
    *count = found.count;
  return status;
}

wy_severity wy_sim_verdict(wy_sim *sim) {
  wy_judgement found = {0};
  if (sim)
    wy_sim_judge(sim, WY_ALL_RODS, &found, NULL);
  return found.worst.severity;
}

/* With the heights of origins, which the balance does not need. */
static wy_balance raised(wy_sim *sim, wy_sim_group *group) {
  wy_balance balance = balance_of(sim, group);
  const double level = level_of(group);
  balance.start += level;
  balance.end += level;
  balance.gravity[0] += level;
  balance.gravity[1] += level;
  return balance;
}

static void add_balance(const wy_balance *one, wy_balance *sum) {
  sum->start += one->start;
  sum->end += one->end;
  sum->work += one->work;
  sum->dissipated += one->dissipated;
  sum->kinetic += one->kinetic;
  sum->most_work += one->most_work;
  sum->most_dissipated += one->most_dissipated;
  for (int k = 0; k < 2; k++) {
    sum->elastic[k] += one->elastic[k];
    sum->gravity[k] += one->gravity[k];
  }
  sum->looks += one->looks;
  if (one->violation > sum->violation) {
    sum->violation = one->violation;
    sum->violation_time = one->violation_time;
  }
}

wy_balance wy_sim_balance(wy_sim *sim, int rod) {
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count)
    return (wy_balance){.start = NAN, .end = NAN};
  if (rod != WY_ALL_RODS)
    return raised(sim, sim->rods[rod].group);
  wy_balance sum = {0};
  for (int i = 0; i < sim->group_count; i++) {
    const wy_balance one = raised(sim, &sim->groups[i]);
    add_balance(&one, &sum);
  }
  return sum;
}

double wy_sim_drift(wy_sim *sim, int rod) {
  double drift = 0;
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count)
    return NAN;
  for (int i = 0; i < sim->group_count; i++) {
    wy_sim_group *group = &sim->groups[i];
    if (rod != WY_ALL_RODS && sim->rods[rod].group != group)
      continue;
    wy_judged self = group->rod_count > 0 ? judged(sim, group->rods[0]) : judged_bodies(sim, group);
    drift = fmax(drift, wy_judge_drift(&self));
  }
  return drift;
}

wy_drift_limits wy_sim_drift_limits(const wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return (wy_drift_limits){NAN, NAN, false};
  const wy_sim_group *group = sim->rods[rod].group;
  const wy_judged self = {.model = sim->model,
                          .rod = rod,
                          .scheme = group->method,
                          .solver = &group->solver,
                          .integrator = group->integrator,
                          .system = sim->rods[rod].system};
  return wy_judge_drift_limits(&self);
}
