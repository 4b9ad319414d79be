/* SPDX-License-Identifier: MIT */
/* What a simulation shows: views, energies, momenta, probes, statistics. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "network/group.h"
#include "record/extremes.h"
#include "record/probe.h"
#include "record/statistics.h"
#include "scheme/system.h"
#include "sim/sim.h"

const double *wy_sim_shown(wy_sim_group *group) {
  if (!group->shown_ready) {
    wy_drive_state(group->integrator, *group->sim->time, group->shown);
    group->shown_ready = true;
  }
  return group->shown;
}

/* What is shown of one rod. */
static const double *shown_part(const wy_sim *sim, int rod) {
  const wy_sim_rod *r = &sim->rods[rod];
  return wy_sim_part(r, *sim->time, wy_sim_shown(r->group));
}

/* Has the group begun to move, or found an equilibrium? Where it looks for one first, undeformed rods are no state of
   the run. */
static bool is_of_run(const wy_sim_group *group) {
  return !group->equilibrium || group->integrator->now->moved || group->equilibrium->now->resting;
}

const wy_view *wy_sim_view(wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return NULL;
  wy_sim_rod *r = &sim->rods[rod];
  if (!r->view_ready) {
    wy_system_view(r->system, *sim->time, shown_part(sim, rod), &r->system->view);
    r->view_ready = true;
    if (is_of_run(r->group))
      wy_extremes_look(&r->system->view, wy_model_rod(sim->model, rod)->length, *sim->time, r->extremes);
  }
  return &r->system->view;
}

wy_extreme_value wy_sim_extreme(wy_sim *sim, int rod, wy_extreme extreme) {
  if (extreme >= WY_EXTREME_COUNT || !wy_sim_view(sim, rod)) /* a look at what is shown */
    return (wy_extreme_value){NAN, NAN, NAN};
  return sim->rods[rod].extremes[extreme];
}

/* False where there is no such rod. */
static bool rod_range(const wy_sim *sim, int rod, int *from, int *to) {
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count)
    return false;
  *from = rod == WY_ALL_RODS ? 0 : rod;
  *to = rod == WY_ALL_RODS ? sim->rod_count : rod + 1;
  return true;
}

/* What is shown of one rod, asked of its system once. */
static const wy_energy *shown_energy(wy_sim *sim, int rod) {
  wy_sim_rod *r = &sim->rods[rod];
  if (!r->energy_ready) {
    r->energy = (wy_energy){0};
    wy_system_energy(r->system, *sim->time, shown_part(sim, rod), &r->energy);
    r->energy_ready = true;
  }
  return &r->energy;
}

static const wy_momentum *shown_momentum(wy_sim *sim, int rod) {
  wy_sim_rod *r = &sim->rods[rod];
  if (!r->momentum_ready) {
    wy_system_momentum(r->system, *sim->time, shown_part(sim, rod), &r->momentum);
    r->momentum_ready = true;
  }
  return &r->momentum;
}

/* Work that the schemes of all other rods of a group have booked. */
static double work_of_others(wy_sim *sim, int rod) {
  const wy_sim_group *group = sim->rods[rod].group;
  double sum = 0;
  for (int i = 0; i < group->rod_count; i++)
    if (group->rods[i] != rod)
      sum += shown_energy(sim, group->rods[i])->work;
  return sum;
}

/* Bodies, springs, and the ends of rods that sit on hubs. */
static void add_hub_energy(const wy_sim *sim, wy_sim_group *group, wy_energy *sum) {
  wy_energy part = {0};
  if (!group->system->parts)
    return;
  wy_group_hub_energy(group->system, *sim->time, wy_sim_shown(group), &part);
  sum->kinetic += part.kinetic;
  sum->elastic += part.elastic;
  sum->gravity += part.gravity + wy_group_level(group->system);
  if (group->rod_count > 0)
    return;
  sum->work += group->shown[group->system->size + WY_WORK_INTEGRAL];
  sum->dissipated += group->shown[group->system->size + WY_DISSIPATION_INTEGRAL];
}

/* Of one rod, what belongs to the hubs of its ends. */
static void add_ends(const wy_sim *sim, int rod, wy_energy *energy, wy_momentum *momentum) {
  wy_sim_group *group = sim->rods[rod].group;
  if (group->system->parts)
    wy_group_add_ends(group->system, sim->rods[rod].part, *sim->time, wy_sim_shown(group), energy, momentum);
}

static void add_momentum(const wy_momentum *part, wy_momentum *sum) {
  sum->mass += part->mass;
  for (int k = 0; k < 3; k++) {
    sum->linear[k] += part->linear[k];
    sum->angular[k] += part->angular[k];
    sum->centre_of_mass[k] += part->mass * part->centre_of_mass[k];
  }
}

wy_energy wy_sim_energy(wy_sim *sim, int rod) {
  wy_energy sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return (wy_energy){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  for (int i = from; i < to; i++) {
    const wy_sim_group *group = sim->rods[i].group;
    const wy_energy part = *shown_energy(sim, i);
    sum.kinetic += part.kinetic;
    sum.elastic += part.elastic;
    sum.gravity += part.gravity;
    sum.contact += part.contact;
    const double *integrals = group->shown + group->system->size;
    const bool counts = rod != WY_ALL_RODS || group->rods[0] == i; /* each group once */
    sum.work += part.work + (counts ? integrals[WY_WORK_INTEGRAL] : 0);
    sum.dissipated += counts ? integrals[WY_DISSIPATION_INTEGRAL] : 0;
    sum.friction += counts ? integrals[WY_FRICTION_INTEGRAL] : 0;
    sum.impact += counts ? integrals[WY_IMPACT_INTEGRAL] : 0;
  }
  if (rod != WY_ALL_RODS) {
    wy_momentum unused = {0};
    sum.work += work_of_others(sim, rod);
    add_ends(sim, rod, &sum, &unused);
  }
  for (int i = 0; rod == WY_ALL_RODS && i < sim->group_count; i++)
    add_hub_energy(sim, &sim->groups[i], &sum);
  sum.total = sum.kinetic + sum.elastic + sum.gravity + sum.contact;
  return sum;
}

wy_momentum wy_sim_momentum(wy_sim *sim, int rod) {
  wy_momentum sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return (wy_momentum){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN};
  for (int i = from; i < to; i++)
    add_momentum(shown_momentum(sim, i), &sum);
  for (int i = 0; rod == WY_ALL_RODS && i < sim->group_count; i++)
    if (sim->groups[i].system->parts) {
      wy_momentum part;
      wy_group_hub_momentum(sim->groups[i].system, *sim->time, wy_sim_shown(&sim->groups[i]), &part);
      add_momentum(&part, &sum);
    }
  for (int k = 0; k < 3; k++)
    sum.centre_of_mass[k] /= sum.mass;
  if (rod != WY_ALL_RODS) {
    wy_energy unused = {0};
    add_ends(sim, rod, &unused, &sum);
  }
  return sum;
}

/* Members of the sums over all rods. */
static void probe_sum(wy_sim *sim, const wy_quantity_info *info, double *out) {
  const wy_energy energy = info->home == WY_IN_ENERGY ? wy_sim_energy(sim, WY_ALL_RODS) : (wy_energy){0};
  const wy_momentum momentum = info->home == WY_IN_MOMENTUM ? wy_sim_momentum(sim, WY_ALL_RODS) : (wy_momentum){0};
  const void *home = info->home == WY_IN_ENERGY ? (const void *)&energy : (const void *)&momentum;
  assert(info->home == WY_IN_ENERGY || info->home == WY_IN_MOMENTUM);
  memcpy(out, (const char *)home + info->offset, (size_t)info->components * sizeof *out);
}

wy_status wy_sim_probe(wy_sim *sim, wy_quantity quantity, int rod, double s, double out[4], wy_message *message) {
  if (!sim || !out)
    return wy_fail_missing(message, sim ? "out" : "sim");
  if (quantity >= WY_QUANTITY_COUNT)
    return wy_fail(message, WY_ERROR_INPUT, "there is no quantity number %d that a probe can record", (int)quantity);
  const wy_quantity_info *info = wy_quantity_describe(quantity);
  if (info->place == WY_OF_ALL) {
    probe_sum(sim, info, out);
    return WY_OK;
  }
  if (info->place == WY_OF_JOINT || info->place == WY_OF_OBSTACLE)
    return wy_fail(message, WY_ERROR_INPUT, "%s is a quantity of %s", info->name,
                   info->place == WY_OF_JOINT ? "joints: use wy_sim_joint_angle" : "obstacles: use wy_sim_obstacle");
  if (rod < 0 || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  double length = wy_model_rod(sim->model, rod)->length;
  bool on_rod = s >= -WY_SAME_PLACE * length && s <= (1 + WY_SAME_PLACE) * length;
  if (info->place != WY_OF_ROD && !on_rod)
    return wy_fail(message, WY_ERROR_INPUT, "found arc length %g; expected 0 to the rod's length %g", s, length);
  if (info->home == WY_IN_CONTACT) {
    if (info->place == WY_OF_ROD && !wy_sim_contact(sim, rod))
      return wy_fail(message, WY_ERROR_INPUT, "rod '%s' cannot touch anything: it has no %s",
                     wy_model_rod(sim->model, rod)->name, info->name);
    wy_probe_contact(wy_sim_contact(sim, rod), quantity, s, out);
    return WY_OK;
  }
  return wy_probe_view(wy_sim_view(sim, rod), length, quantity, s, out, message);
}

/* What integrator and scheme have noted, as one struct. */
static wy_statistics statistics_of(const wy_integrator *integrator) {
  wy_statistics one = integrator->now->statistics;
  one.reached = integrator->now->t;
  wy_statistics_take_drifts(&one, integrator->now->drift);
  return one;
}

wy_statistics wy_sim_statistics(const wy_sim *sim, int rod) {
  wy_statistics sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return sum;
  if (rod != WY_ALL_RODS)
    return statistics_of(sim->rods[rod].group->integrator);
  for (int i = 0; i < sim->group_count; i++) {
    wy_statistics one = statistics_of(sim->groups[i].integrator);
    wy_statistics_add(&sum, &one, i == 0);
  }
  return sum;
}

int wy_sim_group_count(const wy_sim *sim) {
  return sim ? sim->group_count : 0;
}

wy_statistics wy_sim_group_statistics(const wy_sim *sim, int group) {
  const bool exists = sim && group >= 0 && group < sim->group_count;
  return exists ? statistics_of(sim->groups[group].integrator) : (wy_statistics){0};
}

static wy_sim_info describe(const wy_sim_group *group, int unknowns) {
  return (wy_sim_info){group->scheme, group->integrator->type->info->name, group->reason, unknowns};
}

wy_sim_info wy_sim_describe(const wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return (wy_sim_info){"", "", "", 0};
  return describe(sim->rods[rod].group, sim->rods[rod].system->unknowns);
}

wy_sim_info wy_sim_group_describe(const wy_sim *sim, int group) {
  if (!sim || group < 0 || group >= sim->group_count)
    return (wy_sim_info){"", "", "", 0};
  return describe(&sim->groups[group], sim->groups[group].system->unknowns);
}
