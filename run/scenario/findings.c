/* SPDX-License-Identifier: MIT */
/* What looks like a mistake in a scenario before it runs: the findings of the library on model and simulation, then
   those that concern the file alone. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/doubts.h"
#include "withy/quantity.h"

void wy_add_finding(wy_scenario_findings *to, const char *code, const char *path, const char *remedy,
                    const char *format, ...) {
  if (to->count < to->room) {
    wy_finding *finding = &to->list[to->count];
    va_list arguments;
    *finding = (wy_finding){.severity = WY_WARNING, .code = code, .rod = WY_ALL_RODS, .where = NAN, .when = NAN};
    finding->value = finding->limit = NAN;
    snprintf(finding->path, sizeof finding->path, "%s", path);
    snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
  }
  to->count++;
}

/* ---- Times ---- */

static bool is_zero(const wy_signal *signal) {
  return !signal->evaluate && signal->value == 0;
}

static double torsion_scale(const wy_model *model, int rod) {
  const double length = wy_model_rod(model, rod)->length;
  const wy_section_values section = wy_model_section(model, rod, 0.5 * length);
  return 4 * length * sqrt(section.rotary[2] / section.stiffness[5]);
}

/* The time scale of the motion, or that of torsion where the start or an end twists the rod. */
static double rod_scale(const wy_scenario *scenario, const wy_model *model, int rod) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  bool twisted = !is_zero(&def->initial.twist);
  for (int k = 0; k < 3; k++)
    twisted = twisted || !is_zero(&def->initial.angular_velocity[k]);
  for (int e = 0; e < 2; e++)
    twisted = twisted || def->ends[e].rotation == WY_DRIVEN;
  const double scale = wy_model_time_scale(model, rod, scenario->end);
  return twisted ? fmin(scale, torsion_scale(model, rod)) : scale;
}

/* Of all rods, and of those that loads twist; or the first that is not longer than `enough`. */
static double shortest_scale(const wy_scenario *scenario, const wy_model *model, double enough) {
  double shortest = INFINITY;
  for (int i = 0; i < wy_model_rod_count(model) && !(shortest <= enough); i++)
    shortest = fmin(shortest, rod_scale(scenario, model, i));
  for (int i = 0; i < wy_model_load_count(model) && !(shortest <= enough); i++) {
    const wy_load_def *load = wy_model_load(model, i);
    if (load->rod < 0)
      continue;
    if (!is_zero(&load->moment[0]) || !is_zero(&load->moment[1]) || !is_zero(&load->moment[2]))
      shortest = fmin(shortest, torsion_scale(model, load->rod));
  }
  return shortest;
}

/* Is the run long enough to see a motion, and are there rows enough to see an oscillation? Most often the first rod
   says yes to both. */
static void find_in_times(const wy_scenario *scenario, const wy_model *model, wy_scenario_findings *to) {
  const double shortest = shortest_scale(scenario, model, 4 * scenario->end);
  double period = 0;
  char remedy[60];
  for (int i = 0; i < wy_model_rod_count(model) && !(scenario->output <= period / 3); i++)
    period = fmax(period, wy_check_period(model, &scenario->sim, i));
  snprintf(remedy, sizeof remedy, "use %.2g or more", shortest);
  if (isfinite(shortest) && scenario->end < shortest / 4)
    wy_add_finding(to, "short_run", "time.end", remedy,
                   "%g is less than a quarter of the time scale %.3g of the motion: there will be little motion",
                   scenario->end, shortest);
  snprintf(remedy, sizeof remedy, "use %.2g or less", period / 20);
  if (period > 0 && scenario->output > period / 3)
    wy_add_finding(to, "few_rows", "time.output", remedy,
                   "%g gives %.2g rows per period %.3g of the slowest oscillation", scenario->output,
                   period / scenario->output, period);
}

/* ---- Probes and keys ---- */

/* What is zero by definition is rarely what a probe was meant for. */
static void find_in_probes(const wy_scenario *scenario, wy_scenario_findings *to) {
  for (int i = 0; i < scenario->probe_count; i++) {
    const wy_quantity_info *quantity = wy_quantity_describe(scenario->probes[i].quantity);
    char path[96];
    snprintf(path, sizeof path, "probes.%s", scenario->probes[i].name);
    if (quantity->rests)
      wy_add_finding(to, "resting_probe", path, "leave it out, or use analysis: dynamics", "%s is always 0 in %s",
                     quantity->name, wy_analysis_name(scenario->analysis));
  }
}

static void find_unused_keys(const wy_scenario *scenario, wy_scenario_findings *to) {
  for (int i = 0; i < scenario->unused_count; i++)
    wy_add_finding(to, "unused", scenario->unused[i].key, "leave it out if nothing else needs it",
                   "has no effect on %s", scenario->unused[i].on);
}

/* Where there is one state, its time is no end that a simulation comes to, but its loads are what counts. */
wy_sim_def wy_scenario_checked(const wy_scenario *scenario) {
  wy_sim_def sim = scenario->sim;
  sim.end = scenario->end;
  return sim;
}

/* Is it a rule of thumb for the number of segments, where these are enough for the error that was asked for? */
static bool is_answered(const wy_scenario *scenario, const wy_finding *finding) {
  return finding->rod >= 0 && strcmp(finding->code, "coarse") == 0 && scenario->spaces[finding->rod].met;
}

/* What the library finds, but for what an accuracy answers. */
static wy_status find_in_model(const wy_scenario *scenario, const wy_model *model, wy_scenario_findings *to,
                               wy_message *message) {
  const wy_sim_def sim = wy_scenario_checked(scenario);
  const wy_analysis analysis = scenario->analysis;
  int count = 0;
  if (!scenario->spaces)
    return wy_check(model, &sim, analysis, to->list, to->room, &to->count, message);
  wy_status status = wy_check(model, &sim, analysis, NULL, 0, &count, message);
  wy_finding *all = status == WY_OK ? calloc((size_t)count + 1, sizeof *all) : NULL;
  if (status == WY_OK && !all) {
    if (message)
      *message = (wy_message){"", "out of memory"};
    return WY_ERROR_MEMORY;
  }
  if (status == WY_OK)
    status = wy_check(model, &sim, analysis, all, count, &count, message);
  for (int i = 0; i < count && status == WY_OK; i++) {
    if (is_answered(scenario, &all[i]))
      continue;
    if (to->count < to->room)
      to->list[to->count] = all[i];
    to->count++;
  }
  free(all);
  return status;
}

wy_status wy_scenario_check(const wy_scenario *scenario, const wy_model *model, wy_finding *findings, int room,
                            int *count, wy_message *message) {
  wy_scenario_findings to = {.list = findings, .room = findings && room > 0 ? room : 0};
  if (!scenario) {
    if (message)
      *message = (wy_message){"scenario", "found NULL; expected a scenario"};
    return WY_ERROR_INPUT;
  }
  wy_status status = find_in_model(scenario, model, &to, message);
  if (status != WY_OK)
    return status;
  wy_find_units(scenario, &to);
  wy_find_distances(scenario, &to);
  if (scenario->analysis == WY_DYNAMICS)
    find_in_times(scenario, model, &to);
  else
    find_in_probes(scenario, &to);
  find_unused_keys(scenario, &to);
  if (count)
    *count = to.count;
  return WY_OK;
}
