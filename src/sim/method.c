/* SPDX-License-Identifier: MIT */
/* How to solve: which scheme goes with which integrator, and whether a definition makes sense. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scheme/solver.h"
#include "sim/sim.h"

/* Integrators that exist, and go with the scheme where there is one. */
static void list_integrators(const wy_solver_def *solver, const wy_scheme *scheme, char *out, size_t size) {
  snprintf(out, size, "auto");
  for (int i = 0; wy_integrator_name(solver->more, i); i++) {
    wy_solver_def other = *solver;
    other.integrator = wy_integrator_name(solver->more, i);
    const wy_integrator_type *type = wy_integrator_find(&other, scheme);
    if (type && wy_integrator_fits(type, scheme))
      snprintf(out + strlen(out), size - strlen(out), ", %s", type->info->name);
  }
}

/* Why they do not go together. */
static const char *mismatch(const wy_integrator_type *type, const wy_scheme *scheme) {
  if (scheme->motion != WY_ODE)
    return "the scheme has time steps of its own and no right-hand side";
  if (type->motion != WY_ODE)
    return "it is only for schemes with time steps of their own";
  return type->strides ? "it needs a scheme that can predict a step with unchanged strain"
                       : "it needs a scheme that can average stresses over a step";
}

/* The definition of a solver, with names; NULL with the reason if it is none. */
static const wy_solver_def *read_solver(const wy_solver_def *given, wy_solver_def *own, wy_message *message) {
  if (!given) {
    wy_fail_missing(message, "solver");
    return NULL;
  }
  const wy_solver_def *solver = wy_solver_def_read(given, own, message);
  if (!solver || (solver->scheme && solver->integrator))
    return solver;
  wy_fail_at(message, "solver", "found no %s; expected a name", solver->scheme ? "integrator" : "scheme");
  return NULL;
}

wy_status wy_method_possible(const wy_solver_def *given, wy_rod_kind kind, wy_message *message) {
  char known[256] = "";
  wy_solver_def own;
  const wy_solver_def *solver = read_solver(given, &own, message);
  if (!solver)
    return WY_ERROR_INPUT;
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  if (!scheme) {
    for (int i = 0; wy_scheme_at(i); i++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", wy_scheme_at(i)->name);
    return wy_fail(message, WY_ERROR_SUPPORT, "there is no scheme '%s' in this version; available: %s", solver->scheme,
                   known);
  }
  if (kind > WY_INEXTENSIBLE)
    return wy_fail(message, WY_ERROR_INPUT, "there is no kind of rod number %d", (int)kind);
  wy_status status = scheme->supports(kind, message);
  if (status)
    return status;
  const wy_integrator_type *type = wy_integrator_find(solver, scheme);
  if (type && wy_integrator_fits(type, scheme))
    return WY_OK;
  list_integrators(solver, scheme, known, sizeof known);
  for (int i = 0; !type && solver->more && solver->more->missing[i]; i++)
    if (strcmp(solver->more->missing[i]->name, solver->integrator) == 0)
      return wy_fail(message, WY_ERROR_SUPPORT, "the integrator '%s' is not part of this build: %s; possible: %s",
                     solver->integrator, solver->more->reason, known);
  if (!type)
    return wy_fail(message, WY_ERROR_SUPPORT, "there is no integrator '%s' in this version; possible: %s",
                   solver->integrator, known);
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "the integrator '%s' cannot be combined with the scheme '%s'; possible: %s (%s)", solver->integrator,
                 scheme->name, known, mismatch(type, scheme));
}

static const wy_integrator_type *type_of(const wy_solver_def *given) {
  wy_solver_def own;
  const wy_solver_def *solver = read_solver(given, &own, NULL);
  const wy_scheme *scheme = solver ? wy_scheme_find(solver->scheme) : NULL;
  return scheme ? wy_integrator_find(solver, scheme) : NULL;
}

bool wy_method_has_fixed_step(const wy_solver_def *solver) {
  const wy_integrator_type *type = type_of(solver);
  return type && type->info->fixed_step;
}

bool wy_method_is_multistep(const wy_solver_def *solver) {
  const wy_integrator_type *type = type_of(solver);
  return type && type->info->multistep;
}

bool wy_scheme_has_equilibria(const char *scheme_name) {
  const wy_scheme *scheme = scheme_name ? wy_scheme_find(scheme_name) : NULL;
  return scheme && scheme->config_size;
}

/* What all methods have in common, and what the schemes say, each of its own options. */
static wy_status check_options(const wy_solver_def *solver, wy_message *message) {
  if (!(solver->relative_tolerance > 0) || !(solver->absolute_tolerance > 0) || solver->relative_tolerance > 1 ||
      !isfinite(solver->absolute_tolerance))
    return wy_fail_at(message, "solver.tolerance",
                      "found relative %g, absolute %g; expected positive numbers, relative at most 1",
                      solver->relative_tolerance, solver->absolute_tolerance);
  if (solver->relative_tolerance < 1e-13)
    return wy_fail_at(message, "solver.tolerance", "found %g; expected at least 1e-13, the limit of double precision",
                      solver->relative_tolerance);
  if (!(solver->first_step >= 0) || !isfinite(solver->first_step))
    return wy_fail_at(message, "solver.step", "found %g; expected a positive number", solver->first_step);
  if (!(solver->allow_drift >= 0))
    return wy_fail_at(message, "solver.allow_drift", "found %g; expected a positive number", solver->allow_drift);
  if (!(solver->largest_step >= 0))
    return wy_fail_at(message, "solver", "found largest step %g; expected a positive number", solver->largest_step);
  if (!(solver->newton.tolerance > 0) || solver->newton.tolerance > 0.1)
    return wy_fail_at(message, "solver.newton.tolerance", "found %g; expected a positive number, at most 0.1",
                      solver->newton.tolerance);
  if (solver->newton.iterations < 1)
    return wy_fail_at(message, "solver.newton.iterations", "found %d; expected at least 1", solver->newton.iterations);
  wy_status status = WY_OK;
  for (int i = 0; !status && wy_scheme_at(i); i++)
    if (wy_scheme_options(wy_scheme_at(i))->check)
      status = wy_scheme_options(wy_scheme_at(i))->check(solver, message);
  return status;
}

/* The shortest of steps that are all of one length, or no longer. Without an end: before the rod has swung once,
   shorter ones would no longer move the clock. */
static double shortest_step(double end, double period) {
  return isfinite(end) ? end / WY_STEPS_LIMIT : isfinite(period) ? WY_GRID_RESOLUTION * period : 0;
}

/* A method that chooses its steps may begin with a shorter one, if the clock can show it. */
static wy_status check_steps(const wy_model *model, int rod, const wy_solver_def *solver, double end,
                             wy_message *message) {
  const double period = wy_model_period(model, rod), shortest = shortest_step(end, period);
  const double first = wy_method_has_fixed_step(solver) ? shortest : WY_GRID_RESOLUTION * fmin(period, end);
  const char *until = isfinite(end) ? "the end" : "one period of the rod has passed";
  if (solver->first_step > 0 && solver->first_step < first)
    return wy_fail_at(message, "solver.step",
                      "found %g, which makes %.3g steps until %s; expected at least %.3g, or 0 for the default",
                      solver->first_step, (isfinite(end) ? end : period) / solver->first_step, until, first);
  if (solver->largest_step > 0 && solver->largest_step < shortest)
    return wy_fail_at(message, "solver",
                      "found largest step %g, which makes %.3g steps until %s; expected at least %.3g, or 0: no limit",
                      solver->largest_step, (isfinite(end) ? end : period) / solver->largest_step, until, shortest);
  return WY_OK;
}

static wy_status check_statics(const wy_solver_def *solver, wy_message *message) {
  const wy_statics_options *options = &solver->statics;
  if (options->continuation > WY_ARC_LENGTH || options->branch > WY_SWITCH_BRANCH)
    return wy_fail_at(message, "solver", "found an option of statics that does not exist");
  if (options->increments < 1)
    return wy_fail_at(message, "solver.increments", "found %d; expected at least 1", options->increments);
  if (!(options->newton_tolerance > 0) || options->newton_tolerance > 0.1)
    return wy_fail_at(message, "solver.newton.tolerance", "found %g; expected a positive number, at most 0.1",
                      options->newton_tolerance);
  if (options->newton_iterations < 1)
    return wy_fail_at(message, "solver.newton.iterations", "found %d; expected at least 1", options->newton_iterations);
  if (!wy_scheme_has_equilibria(solver->scheme))
    return wy_fail(message, WY_ERROR_SUPPORT, "the scheme '%s' cannot compute equilibria in this version",
                   solver->scheme);
  return WY_OK;
}

wy_status wy_sim_check_solver(const wy_model *model, int rod, const wy_sim_def *def, wy_message *message) {
  wy_solver_def given, own;
  const wy_solver_def *solver =
      rod >= 0 ? wy_sim_def_solver(def, rod, &given, message) : wy_solver_def_read(&def->solver, &given, message);
  if (!solver || !(solver = read_solver(solver, &own, message)))
    return WY_ERROR_INPUT;
  wy_status status = check_options(solver, message);
  if (!status)
    status = wy_method_possible(solver, rod >= 0 ? wy_model_rod(model, rod)->kind : WY_COSSERAT, message);
  if (!status && rod >= 0)
    status = wy_sim_check_contact(model, rod, solver, message);
  if (!status && rod >= 0)
    status = check_steps(model, rod, solver, def->end, message);
  return status || !def->statics ? status : check_statics(solver, message);
}
