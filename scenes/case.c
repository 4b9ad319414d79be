/* SPDX-License-Identifier: MIT */
/* See case.h. */
#include "scenes/case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/builtin.h"

wy_case wy_case_new(void) {
  return (wy_case){.rod = wy_default_rod_def(), .load = wy_default_load_def(), .solver = wy_default_solver_def()};
}

/* ---- from a built-in scenario ---- */

static const char *text_of(const char *scenario) {
  for (int i = 0; i < wy_builtin_scenario_count; i++)
    if (strcmp(wy_builtin_scenarios[i].name, scenario) == 0)
      return wy_builtin_scenarios[i].text;
  return "";
}

static int rod_named(const wy_model_def *model, const char *name) {
  for (int i = 0; i < model->rod_count; i++)
    if (strcmp(model->rods[i].name, name) == 0)
      return i;
  return -1;
}

/* The rod becomes number 0. A case has room for one load: published rods have no more. */
static bool take(wy_case *c, const wy_model_def *model, int rod) {
  c->rod = model->rods[rod];
  memcpy(c->gravity, model->gravity, sizeof c->gravity);
  for (int i = 0; i < model->load_count; i++) {
    if (model->loads[i].rod != rod)
      continue;
    if (c->loaded)
      return false;
    c->load = model->loads[i];
    c->load.rod = 0;
    c->loaded = true;
  }
  for (int i = 0; i < model->actuator_count; i++) {
    if (model->actuators[i].rod != rod)
      continue;
    if (c->actuators == WY_CASE_ACTUATORS)
      return false;
    c->actuator[c->actuators] = model->actuators[i];
    c->actuator[c->actuators++].rod = 0;
  }
  return true;
}

wy_case wy_case_load(const char *scenario, const char *rod, const char *const *settings, int count) {
  wy_case c = wy_case_new();
  wy_scenario_error error = {.text = ""};
  if (wy_scenario_read_with(scenario, scenario, text_of(scenario), settings, count, wy_builtin_files,
                            wy_builtin_file_count, &c.scenario, &error) != WY_OK) {
    snprintf(c.trouble.text, sizeof c.trouble.text, "%.1000s", error.text);
    return c;
  }
  const wy_scenario *read = c.scenario;
  const int index = rod_named(&read->model, rod);
  if (index < 0 || !take(&c, &read->model, index)) {
    snprintf(c.trouble.text, sizeof c.trouble.text, "%s: found no rod '%s' with at most one load and %d actuators",
             scenario, rod, WY_CASE_ACTUATORS);
    return c;
  }
  c.solver.scheme = read->sim.solver.scheme;
  c.solver.staggered = read->sim.solver.staggered;
  c.solver.mixed = read->sim.solver.mixed;
  c.solver.conserving = read->sim.solver.conserving;
  c.solver.box = read->sim.solver.box;
  c.solver.statics = read->sim.solver.statics;
  return c;
}

/* ---- changes ---- */

void wy_case_section(wy_case *c, const double stiffness[6], const double inertia[4]) {
  c->rod.has_stiffness = c->rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    c->rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    c->rod.inertia[i] = wy_constant(inertia[i]);
}

wy_signal wy_case_signal(wy_case *c, const char *text, double a) {
  wy_expr *expr = NULL;
  wy_expr_scope *scope = wy_expr_scope_create();
  if (scope && c->exprs < WY_CASE_SIGNALS && wy_expr_scope_constant(scope, "a", a, NULL) == WY_OK)
    wy_expr_compile(scope, text, WY_TIME | WY_ARC, &expr, NULL);
  wy_expr_scope_destroy(scope);
  if (!expr)
    return wy_constant(NAN); /* refused by wy_model_create */
  c->expr[c->exprs++] = expr;
  return wy_expr_signal(expr);
}

/* ---- made and moved ---- */

wy_model_def wy_case_model(const wy_case *c) {
  wy_model_def def = wy_default_model_def();
  def.rods = &c->rod;
  def.rod_count = 1;
  def.loads = &c->load;
  def.load_count = c->loaded;
  def.actuators = c->actuator;
  def.actuator_count = c->actuators;
  memcpy(def.gravity, c->gravity, sizeof def.gravity);
  return def;
}

wy_status wy_case_create(wy_case *c, wy_message *message) {
  if (c->trouble.text[0]) {
    if (message)
      *message = c->trouble;
    return WY_ERROR_INPUT;
  }
  const wy_model_def model_def = wy_case_model(c);
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = c->solver;
  sim_def.statics = c->statics;
  wy_status status = wy_model_create(&model_def, &c->model, message);
  return status == WY_OK ? wy_sim_create(c->model, &sim_def, &c->sim, message) : status;
}

void wy_case_destroy(wy_case *c) {
  wy_sim_destroy(c->sim);
  wy_model_destroy(c->model);
  for (int i = 0; i < c->exprs; i++)
    wy_expr_destroy(c->expr[i]);
  wy_scenario_destroy(c->scenario);
  *c = (wy_case){0};
}

wy_status wy_case_tip(wy_case *c, double tip[4], wy_message *message) {
  return wy_sim_probe(c->sim, WY_POSITION, 0, wy_model_rod(c->model, 0)->length, tip, message);
}

wy_status wy_case_move(wy_case *c, double t, double tip[4], wy_message *message) {
  wy_status status = wy_sim_advance(c->sim, t, message);
  return status == WY_OK ? wy_case_tip(c, tip, message) : status;
}
