/* SPDX-License-Identifier: MIT */
/* What schemes say of themselves, with the options of a solver: withy/method.h. */
#include "withy/method.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "integrate/integrator.h"
#include "scheme/solver.h"

static const wy_scheme *scheme_of(const wy_solver_def *solver) {
  return solver && solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
}

/* Why a multistep method has the last word on constraints. */
static void explain_multistep(const char *integrator, wy_scheme_info *info) {
  const size_t used = strlen(info->constraints);
  snprintf(info->constraints + used, sizeof info->constraints - used,
           " (%s is a multistep method, whose history projection would spoil)", integrator);
}

wy_scheme_info wy_scheme_describe(const wy_solver_def *given) {
  wy_solver_def whole;
  const wy_solver_def *solver = wy_solver_def_read(given, &whole, NULL);
  const wy_scheme *scheme = scheme_of(solver);
  wy_scheme_info info = {.name = "",
                         .summary = "",
                         .use = "",
                         .cannot = "",
                         .piece = "segment",
                         .nodes_per_piece = 1,
                         .carrier = "the scheme carries",
                         .order_of = "",
                         .accuracy = 2,
                         .accuracy_inside = 2,
                         .kept_by = ""};
  if (scheme) {
    const wy_option_type *options = wy_scheme_options(scheme);
    wy_solver_def own = *solver;
    const wy_integrator_type *type = solver->integrator ? wy_integrator_find(solver, scheme) : NULL;
    const bool multistep = type && type->info->multistep && options->for_multistep;
    if (multistep)
      options->for_multistep(&own);
    info.name = scheme->name;
    info.piece = scheme->piece;
    info.turn_limit = scheme->turns ? scheme->turns(&own).carried : 0;
    info.has_equilibria = scheme->config_size != NULL;
    info.uses_newton = scheme->motion != WY_ODE;
    if (options->describe)
      options->describe(&own, &info);
    if (multistep && info.projects)
      explain_multistep(type->info->name, &info);
  }
  if (!info.node)
    info.node = info.piece;
  if (!info.pieces[0])
    snprintf(info.pieces, sizeof info.pieces, "%ss", info.piece);
  return info;
}

wy_scheme_info wy_scheme_describe_rod(const wy_model *model, int rod, const wy_solver_def *given,
                                      const char *integrator) {
  wy_scheme_info info = wy_scheme_describe(given);
  wy_solver_def own;
  const wy_solver_def *solver = wy_solver_def_read(given, &own, NULL);
  const wy_scheme *scheme = scheme_of(solver);
  if (!scheme || !scheme->describe_rod || !integrator || !wy_model_rod(model, rod))
    return info;
  own = *solver;
  own.integrator = integrator;
  const wy_integrator_type *type = wy_integrator_find(&own, scheme);
  const wy_option_type *options = wy_scheme_options(scheme);
  if (type && type->info->multistep && options->for_multistep)
    options->for_multistep(&own);
  if (type)
    scheme->describe_rod(model, rod, &own, type->info->implicit, &info);
  return info;
}

const char *wy_curvature_measure_of(const wy_solver_def *given, const wy_rod_def *rod) {
  wy_solver_def whole;
  const wy_solver_def *solver = wy_solver_def_read(given, &whole, NULL);
  const wy_scheme *scheme = scheme_of(solver);
  const wy_option_type *options = scheme ? wy_scheme_options(scheme) : NULL;
  return options && options->measure && rod ? options->measure(solver, rod) : "";
}

wy_status wy_solver_set_order(wy_solver_def *solver, int order, wy_message *message) {
  wy_solver_def own;
  if (!solver)
    return wy_fail_missing(message, "solver");
  const wy_solver_def *read = wy_solver_def_read(solver, &own, message);
  if (!read)
    return WY_ERROR_INPUT;
  const wy_scheme *scheme = scheme_of(read);
  if (!scheme)
    return wy_fail_missing(message, "solver.scheme");
  const wy_option_type *options = wy_scheme_options(scheme);
  const wy_scheme_info info = wy_scheme_describe(solver);
  if (!options->order)
    return WY_OK;
  assert(info.orders[0] > 0 && info.orders[1] > 0);
  if (order != info.orders[0] && order != info.orders[1])
    return wy_fail_at(message, "solver.order", "found %d; expected %d or %d", order, info.orders[0], info.orders[1]);
  own = *read;
  *options->order(&own) = order;
  own.size = solver->size;
  memcpy(solver, &own, own.size < sizeof own ? own.size : sizeof own);
  return WY_OK;
}
