/* SPDX-License-Identifier: MIT */
/* What can be said before a run: wy_check, and the report on a rod. */
#include <math.h>

#include "base/message.h"
#include "judge/network.h"
#include "scheme/solver.h"

/* All that is said of one rod, in the order of the report. */
static void check_rod(wy_subject *in) {
  wy_check_section(in);
  wy_check_shape(in);
  wy_check_frequencies(in);
  wy_check_sag(in);
  wy_check_fluid(in);
  wy_check_contact(in);
  wy_check_actuators(in);
  wy_check_resolution(in);
  wy_check_motion(in);
  wy_check_options(in);
  if (in->def->statics)
    wy_check_equilibria(in);
  if (in->index == 0)
    wy_check_gravity(in);
}

static wy_status check_arguments(const wy_model *model, const wy_sim_def *def, wy_analysis analysis,
                                 wy_message *message) {
  if (!model || !def)
    return wy_fail_missing(message, model ? "def" : "model");
  if (analysis > WY_BUCKLING)
    return wy_fail(message, WY_ERROR_INPUT, "there is no analysis number %d", (int)analysis);
  return WY_OK;
}

/* All that is to be said of one rod, with definitions as they are given. */
static wy_status report_on(const wy_model *model, const wy_sim_def *given, wy_analysis analysis, int rod,
                           wy_audience *audience, wy_message *message) {
  wy_sim_def own;
  wy_solver_def own_solver;
  const wy_sim_def *def = wy_sim_def_read(given, &own, message);
  const wy_solver_def *solver = def ? wy_sim_def_solver(def, rod, &own_solver, message) : NULL;
  if (!solver)
    return WY_ERROR_INPUT;
  wy_subject in = wy_subject_of(model, def, solver, analysis, rod, audience);
  check_rod(&in);
  return WY_OK;
}

/* All that is to be said of what connects rods. */
static wy_status report_on_network(const wy_model *model, const wy_sim_def *given, wy_analysis analysis,
                                   wy_audience *audience, wy_message *message) {
  wy_sim_def own;
  const wy_sim_def *def = wy_sim_def_read(given, &own, message);
  return def ? wy_check_network(model, def, analysis, audience, message) : WY_ERROR_INPUT;
}

wy_status wy_check(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_finding *findings, int room,
                   int *count, wy_message *message) {
  wy_judgement found = {.list = findings, .room = findings && room > 0 ? room : 0};
  wy_audience audience = {.findings = &found};
  wy_status status = check_arguments(model, def, analysis, message);
  for (int i = 0; !status && i < wy_model_rod_count(model); i++)
    status = report_on(model, def, analysis, i, &audience, message);
  if (!status)
    status = report_on_network(model, def, analysis, &audience, message);
  if (!status && count)
    *count = found.count;
  return status;
}

wy_status wy_check_report(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, int rod,
                          wy_report_line *lines, int room, int *count, wy_message *message) {
  wy_audience audience = {.reads = true, .lines = lines, .room = lines && room > 0 ? room : 0};
  wy_status status = check_arguments(model, def, analysis, message);
  if (status)
    return status;
  if (rod != WY_ALL_RODS && !wy_model_rod(model, rod))
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  status = rod == WY_ALL_RODS ? report_on_network(model, def, analysis, &audience, message)
                              : report_on(model, def, analysis, rod, &audience, message);
  if (!status && count)
    *count = audience.count;
  return status;
}

double wy_check_period(const wy_model *model, const wy_sim_def *given, int rod) {
  wy_audience audience = {0};
  wy_sim_def own;
  wy_solver_def own_solver;
  if (!model || !given || !wy_model_rod(model, rod))
    return NAN;
  const wy_sim_def *def = wy_sim_def_read(given, &own, NULL);
  const wy_solver_def *solver = def ? wy_sim_def_solver(def, rod, &own_solver, NULL) : NULL;
  if (!solver)
    return NAN;
  wy_subject in = wy_subject_of(model, def, solver, WY_DYNAMICS, rod, &audience);
  wy_check_frequencies(&in);
  return in.turn > 0.5 ? 0 : in.slowest; /* of a straight rod */
}
