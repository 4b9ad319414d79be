/* SPDX-License-Identifier: MIT */
/* `integrator: auto`: the method that should take the least work, by how many attempts of which cost each would need
   for a unit of time. The figures come from `withy bench auto`; (I54) and (I55) of docs/theory/integrators.md. */
#include "integrate/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrate/methods.h"
#include "math/vec3.h"
#include "model/beam.h"
#include "model/contact.h"
#include "model/network.h"
#include "network/rates.h"
#include "scheme/applied.h"
#include "scheme/rates.h"
#include "scheme/solver.h"

/* One method as the model of its work sees it. */
typedef struct candidate {
  const wy_integrator_type *type;
  /* Work of an attempt over one of DOP853, with a margin where a method is less robust; of constrained rods; of these
     in their null space. */
  double work, work_constrained, work_null_space;
  double order;        /* attempts grow with tolerance^(-1/order) */
  double resolution;   /* radians of the fastest motion that is followed in an attempt, at tolerance 1 */
  double least;        /* attempts in a radian of the slow motion, whatever the tolerance */
  double swing, decay; /* limits of stability on the imaginary and the real axis; INFINITY: none */
} candidate;

static const candidate candidates[] = {
    {&wy_dop853, 1.25, 1.25, 1.25, 8, 14, 0, 4.2, 6.3},
    {&wy_rodas, 3.5, 3.3, 1.8, 4, 20, 15, (double)INFINITY, (double)INFINITY},
    {&wy_radau5, 3.0, 3.5, 2, 6, 12, 40, (double)INFINITY, (double)INFINITY},
    {&wy_ndf, 1.2, 1.2, 1.2, 5, 10, 0, (double)INFINITY, (double)INFINITY},
};
enum { EXPLICIT, CANDIDATES = sizeof candidates / sizeof candidates[0], MULTISTEP = CANDIDATES - 1 };

/* What is asked for, the frequency that hits against obstacles excite, and whether a multistep method may be taken. */
typedef struct task {
  double tolerance, largest_step, hits;
  bool multistep;
} task;

static const double whip = 50; /* fastest motion of a damped rod, over the slow one */
/* Factors of (I54), fitted. Constrained rods measure their errors at each point, not in the mean, and see more of the
   fast vibrations. */
static const double shown = 10, shown_extension = 1;        /* frequency that still shows, over slow tol^(-1/3) */
static const double lasting = 0.8, lasting_constrained = 5; /* decay, over slow, of vibrations that stay */
static const double bent = 2.6;                             /* frequency that whips excite, over that of bending */

/* The fastest motion that steps which obey the tolerance have to follow (I54): vibrations whose share of the motion,
   falling with their frequency, is above the tolerance, unless they die away; but no less than whips do. */
static double followed(const wy_rates *rates, const task *of) {
  double share = rates->slow / cbrt(of->tolerance), seen = fmin(rates->fast, shown * share);
  if (rates->constrained)
    seen = fmax(bent * rates->bending, fmin(rates->fast, shown_extension * share));
  seen = fmax(seen, fmin(rates->fast, of->hits)); /* which excite them anew (I53a) */
  double left = fmax((rates->constrained ? lasting_constrained : lasting) * rates->slow - rates->loss, 0);
  if (rates->damping > 0)
    seen = fmin(seen, sqrt(left * rates->fast / rates->damping));
  else if (left <= 0)
    seen = 0;
  return fmax(seen, fmin(whip * rates->slow, rates->fast));
}

/* In a unit of time, for stability alone. */
static double stable_attempts(const candidate *c, const wy_rates *rates) {
  return fmax(rates->fast / c->swing, rates->decay / c->decay);
}

/* Attempts in a unit of time (I55). */
static double attempts(const candidate *c, const wy_rates *rates, const task *of) {
  double accuracy = followed(rates, of) * pow(of->tolerance, -1 / c->order) / c->resolution;
  double stability = stable_attempts(c, rates);
  return fmax(fmax(accuracy, stability), fmax(c->least * rates->slow, of->largest_step > 0 ? 1 / of->largest_step : 0));
}

static double work_of(const candidate *c, const wy_rates *rates) {
  return !rates->constrained ? c->work : rates->null_space ? c->work_null_space : c->work_constrained;
}

static void explain(const candidate *chosen, const candidate *other, const wy_rates *rates, const task *of,
                    char reason[WY_REASON_SIZE]) {
  double step = 1 / attempts(chosen, rates, of), step_other = 1 / attempts(other, rates, of);
  const candidate *e = &candidates[EXPLICIT];
  const wy_integrator_info *info = chosen->type->info;
  const char *kind = info->implicit ? "implicit" : "explicit";
  const char *holds = rates->decay / e->decay > rates->fast / e->swing ? "damping" : "stiffness";
  if (chosen == e)
    snprintf(reason, WY_REASON_SIZE,
             "%s, of order %d: steps of about %.2g, limited by %s, need less work at tolerance %.0e than implicit "
             "steps of %.2g, each with %.2g times the work",
             kind, info->highest_order, step, holds, of->tolerance, step_other, work_of(other, rates));
  else
    snprintf(reason, WY_REASON_SIZE,
             "%s, of order %d: steps of about %.2g are accurate enough for tolerance %.0e, while %s would limit "
             "explicit steps to %.2g",
             kind, info->highest_order, step, of->tolerance, holds, 1 / stable_attempts(e, rates));
}

static double cost_of(int index, const wy_rates *rates, const task *of) {
  const candidate *c = &candidates[index];
  return attempts(c, rates, of) * work_of(c, rates);
}

/* Among implicit methods the one that is best without hits, whose kinks leave little of a high order. */
static const char *choose_for(const wy_rates *rates, const task *of, char reason[WY_REASON_SIZE]) {
  const task smooth = {.tolerance = of->tolerance, .largest_step = of->largest_step};
  const int count = of->multistep ? CANDIDATES : MULTISTEP;
  int best_implicit = EXPLICIT + 1;
  for (int i = EXPLICIT + 2; i < count; i++)
    best_implicit = cost_of(i, rates, &smooth) < cost_of(best_implicit, rates, &smooth) ? i : best_implicit;
  const int best = cost_of(best_implicit, rates, of) < cost_of(EXPLICIT, rates, of) ? best_implicit : EXPLICIT;
  explain(&candidates[best], &candidates[best == EXPLICIT ? best_implicit : EXPLICIT], rates, of, reason);
  return candidates[best].type->info->name;
}

const char *wy_choose_by_rates(const wy_rates *rates, double tolerance, double largest_step,
                               char reason[WY_REASON_SIZE]) {
  return choose_for(rates, &(task){.tolerance = tolerance, .largest_step = largest_step}, reason);
}

static double rate_of_hits(const wy_model *model, int group) {
  const wy_group_def *def = &wy_model_network(model)->groups[group];
  double most = 0;
  for (int i = 0; i < def->rod_count; i++)
    most = fmax(most, wy_rate_of_hits(model, def->rods[i]));
  return most;
}

/* What is moved together: the slowest of it is seen, and the fastest limits steps. */
static void add_rates(const wy_rates *one, wy_rates *all) {
  wy_rates sum = one->fast > all->fast ? *one : *all;
  sum.slow = fmin(one->slow, all->slow);
  sum.decay = fmax(one->decay, all->decay);
  sum.loss = fmin(one->loss, all->loss);
  sum.bending = fmax(one->bending, all->bending);
  sum.constrained = one->constrained || all->constrained;
  sum.null_space = false; /* what is joined has none */
  *all = sum;
}

/* Of all rods of a group, of frames of hubs and of springs; false where nothing is known. */
static bool rates_of(const wy_model *model, int group, const wy_scheme *scheme, const wy_solver_def *solver,
                     wy_rates *rates) {
  const wy_group_def *def = &wy_model_network(model)->groups[group];
  wy_rates other;
  for (int i = 0; i < def->rod_count; i++) {
    scheme->rates(model, def->rods[i], solver, i == 0 ? rates : &other);
    if (i > 0)
      add_rates(&other, rates);
  }
  if (def->rod_count > 0 && def->hub_count > 0)
    rates->fast *= wy_hub_rate;
  if (!wy_spring_rates(model, group, &other))
    return def->rod_count > 0;
  if (def->rod_count > 0)
    add_rates(&other, rates);
  else
    *rates = other;
  return true;
}

/* One rod alone, without actuators, obstacles and a fluid, whose loads stay: gravity, what it begins with, or an end
   that is driven moves it. What drives an end has accelerations, loads of t may jump. */
static bool is_undisturbed(const wy_model *model, const wy_group_def *group) {
  if (group->rod_count != 1 || group->hub_count > 0)
    return false;
  const int rod = group->rods[0];
  const wy_rod_def *of = wy_model_rod(model, rod);
  static const wy_load_override as_defined = {0};
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++)
    if (wy_load_depends_on_time(wy_model_rod_load(model, rod, i), &as_defined))
      return false;
  return !wy_rod_touches(model, rod) && wy_model_rod_actuator_count(model, rod) == 0 && of->maxwell_count == 0 &&
         !wy_fluid_acts(of);
}

/* Is each kind of vibration damped, or is the strain that the rod's weight excites below the tolerance (I56)? */
static bool is_calm(const wy_model *model, const wy_rod_def *rod, double slow, double tolerance) {
  static const double damped[6] = {3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 1e-3};
  for (int place = 0; place <= 2; place++) {
    const wy_section_values v = wy_section_at(rod, 0.5 * place * rod->length);
    const double weight = v.mass * wy_norm3(wy_model_gravity(model)) * rod->length;
    for (int k = 0; k < 6; k++)
      if (slow * v.damping[k] < damped[k] * v.stiffness[k] && (k >= 3 || weight > tolerance * v.stiffness[k]))
        return false;
  }
  return true;
}

/* May a multistep method be taken? It starts anew, with short steps, wherever something changes, and is not stable for
   vibrations that hardly decay. Tighter tolerances were not measured. */
static bool suits_multistep(const wy_model *model, int group, const wy_rates *rates, double tolerance, double end) {
  const wy_group_def *def = &wy_model_network(model)->groups[group];
  const double tightest = 1e-8;
  return isfinite(end) && tolerance >= tightest && !rates->constrained && is_undisturbed(model, def) &&
         is_calm(model, wy_model_rod(model, def->rods[0]), rates->slow, tolerance);
}

const wy_integrator_type *wy_integrator_choose(const wy_model *model, int group, const wy_solver_def *solver,
                                               double end, char reason[WY_REASON_SIZE]) {
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  bool choose = strcmp(solver->integrator, "auto") == 0;
  wy_solver_def own = *solver;
  wy_rates rates;
  snprintf(reason, WY_REASON_SIZE, "%s", choose ? scheme->reason : "");
  if (choose && scheme->chosen_by_rates && rates_of(model, group, scheme, solver, &rates)) {
    const task of = {.tolerance = solver->relative_tolerance,
                     .largest_step = solver->largest_step,
                     .hits = rate_of_hits(model, group),
                     .multistep = suits_multistep(model, group, &rates, solver->relative_tolerance, end)};
    own.integrator = choose_for(&rates, &of, reason);
    own.more = NULL;
  }
  return wy_integrator_find(&own, scheme);
}

double wy_method_explicit_step(const wy_model *model, int rod, const wy_solver_def *given) {
  wy_solver_def own;
  const wy_solver_def *solver = wy_solver_def_read(given, &own, NULL);
  const wy_scheme *scheme = solver && solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
  wy_rates rates;
  if (!wy_model_rod(model, rod))
    return NAN;
  if (!scheme || !scheme->rates)
    return 0;
  scheme->rates(model, rod, solver, &rates);
  return 1 / stable_attempts(&candidates[EXPLICIT], &rates);
}
