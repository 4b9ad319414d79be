/* SPDX-License-Identifier: MIT */
/* The judgement of a simulation: each rod as it stands is put before src/judge. */
#include <math.h>

#include "base/message.h"
#include "scheme/system.h"
#include "sim/sim.h"

/* What gravity does to all of the rod at its origin. */
static double level_of(const wy_sim *sim, int rod) {
  wy_sim_rod *r = &sim->rods[rod];
  wy_energy here = {0}, there = {0};
  r->system->type->energy(r->system, r->integrator->now->t, r->integrator->u, &here);
  wy_system_energy(r->system, r->integrator->now->t, r->integrator->u, &there);
  return there.gravity - here.gravity;
}

/* With a look at the state that is shown; about the rod's origin. */
static wy_balance balance_of(wy_sim *sim, int rod) {
  const wy_integrator *integrator = sim->rods[rod].integrator;
  wy_balance balance = integrator->now->balance;
  wy_energy energy = wy_books_energy(integrator, *sim->time, wy_sim_shown(sim, rod));
  if (balance.looks > 0)
    wy_balance_look(&balance, *sim->time, &energy);
  else if (balance.start == 0 && balance.end == 0) /* neither moved nor settled yet */
    balance.start = balance.end = energy.total;
  return balance;
}

static wy_judged judged(wy_sim *sim, int index) {
  wy_sim_rod *rod = &sim->rods[index];
  wy_judged self = {.model = sim->model,
                    .rod = index,
                    .scheme = rod->method,
                    .solver = &rod->solver,
                    .integrator = rod->integrator,
                    .balance = balance_of(sim, index),
                    .statistics = wy_sim_statistics(sim, index),
                    .equilibrium = wy_sim_equilibrium(sim, index),
                    .resting = rod->equilibrium && rod->equilibrium->now->resting,
                    .disturbed = rod->equilibrium && rod->equilibrium->now->disturbed};
  self.momentum = wy_sim_momentum(sim, index);
  self.view = wy_sim_view(sim, index);
  return self;
}

wy_status wy_sim_judge(wy_sim *sim, int rod, wy_judgement *findings, wy_message *message) {
  for (int i = 0; i < sim->rod_count; i++)
    if (rod == WY_ALL_RODS || rod == i) {
      wy_judged self = judged(sim, i);
      wy_judge_rod(&self, findings);
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

/* With the height of the rod's origin, which the balance does not need. */
wy_balance wy_sim_balance(wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return (wy_balance){.start = NAN, .end = NAN};
  wy_balance balance = balance_of(sim, rod);
  const double level = level_of(sim, rod);
  balance.start += level;
  balance.end += level;
  balance.gravity[0] += level;
  balance.gravity[1] += level;
  return balance;
}

double wy_sim_drift(wy_sim *sim, int rod) {
  double drift = 0;
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count)
    return NAN;
  for (int i = 0; i < sim->rod_count; i++)
    if (rod == WY_ALL_RODS || rod == i) {
      wy_judged self = judged(sim, i);
      drift = fmax(drift, wy_judge_drift(&self));
    }
  return drift;
}

wy_drift_limits wy_sim_drift_limits(const wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return (wy_drift_limits){NAN, NAN, false};
  const wy_sim_rod *r = &sim->rods[rod];
  const wy_judged self = {
      .model = sim->model, .rod = rod, .scheme = r->method, .solver = &r->solver, .integrator = r->integrator};
  return wy_judge_drift_limits(&self);
}
