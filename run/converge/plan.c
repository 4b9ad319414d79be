/* SPDX-License-Identifier: MIT */
/* The runs of an examination: which resolutions, and the scenarios of all of them, read before anything runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/converge/inside.h"
#include "run/scenario/scenario.h"

/* How much finer than the scenario a run is. */
typedef struct fineness {
  int segments;     /* so many times every piece is divided in two */
  double step;      /* fixed steps are divided by this */
  double tolerance; /* tolerances are multiplied by this */
} fineness;

static bool is_on(const wy_scenario *scenario, int rod, bool fixed) {
  const int rods = scenario->model.rod_count;
  for (int i = rod < 0 ? 0 : rod; scenario->analysis == WY_DYNAMICS && i < (rod < 0 ? rods : rod + 1); i++)
    if (wy_method_has_fixed_step(&scenario->solvers[i]) == fixed)
      return true;
  return false;
}

bool wy_has_steps(const wy_scenario *scenario, int rod) {
  return is_on(scenario, rod, true);
}

bool wy_has_tolerance(const wy_scenario *scenario, int rod) {
  return is_on(scenario, rod, false);
}

/* ---- Settings ---- */

static void add_setting(wy_converge *c, wy_converge_run *run, const wy_text *text) {
  const char **list = wy_pool_take(&c->pool, ((size_t)run->setting_count + 1) * sizeof *list);
  const char *copy = text->data && !text->failed ? wy_pool_copy(&c->pool, text->data, text->length) : NULL;
  if (!list || !copy) {
    c->pool.failed = true;
    return;
  }
  if (run->setting_count > 0)
    memcpy(list, run->settings, (size_t)run->setting_count * sizeof *list);
  list[run->setting_count++] = copy;
  run->settings = list;
}

/* Every piece in two; where the scheme needs an odd number, the longest one in three. */
static void write_lengths(wy_text *text, const wy_rod_def *rod, bool odd, int times) {
  double *now = malloc((size_t)rod->segments * sizeof *now);
  int count = rod->segments;
  if (now)
    memcpy(now, rod->segment_lengths, (size_t)count * sizeof *now);
  for (int k = 0; k < times && now; k++) {
    int longest = 0, made = 0;
    double *next = malloc((2 * (size_t)count + 1) * sizeof *next);
    for (int i = 0; i < count; i++)
      longest = now[i] > now[longest] ? i : longest;
    for (int i = 0; i < count && next; i++) {
      const int parts = odd && i == longest ? 3 : 2;
      for (int j = 0; j < parts; j++)
        next[made++] = now[i] / parts;
    }
    free(now);
    now = next;
    count = made;
  }
  for (int i = 0; i < count && now; i++)
    wy_text_add(text, "%s%.17g", i ? ", " : "[", now[i]);
  wy_text_add(text, "]");
  text->failed = text->failed || !now;
  free(now);
}

static int refined_count(int segments, bool odd, int times) {
  for (int k = 0; k < times && segments < 1 << 28; k++)
    segments = 2 * segments + (odd ? 1 : 0);
  return segments;
}

/* Copies of a rod have one entry in the file: their settings are those of the first. */
static bool is_first(const wy_converge *c, int rod) {
  return rod == 0 || wy_scenario_entry(c->scenario, rod) > wy_scenario_entry(c->scenario, rod - 1);
}

static void set_segments(wy_converge *c, wy_converge_run *run, int rod, int times) {
  const wy_rod_def *def = &c->scenario->rods[rod];
  const bool odd = wy_scheme_describe(&c->scenario->solvers[rod]).odd_segments;
  wy_text text = {0};
  run->segments += refined_count(def->segments, odd, times);
  if (times == 0 || !is_first(c, rod))
    return;
  wy_text_add(&text, "rods[%d].segments=", wy_scenario_entry(c->scenario, rod));
  if (def->segment_lengths)
    write_lengths(&text, def, odd, times);
  else
    wy_text_add(&text, "%d", refined_count(def->segments, odd, times));
  add_setting(c, run, &text);
  wy_text_free(&text);
}

static double tightened(double tolerance, double factor) {
  return fmin(tolerance, fmax(tolerance * factor, 1e-13));
}

static void set_time(wy_converge *c, wy_converge_run *run, int rod, const fineness *f) {
  const wy_solver_def *solver = &c->scenario->solvers[rod];
  const int entry = wy_scenario_entry(c->scenario, rod);
  const bool first = is_first(c, rod);
  wy_text text = {0};
  if (wy_has_steps(c->scenario, rod)) {
    run->step = fmax(run->step, solver->first_step / f->step);
    if (f->step > 1 && first)
      wy_text_add(&text, "rods[%d].solver.step=%.17g", entry, solver->first_step / f->step);
  } else if (wy_has_tolerance(c->scenario, rod)) {
    const double relative = tightened(solver->relative_tolerance, f->tolerance);
    run->tolerance = fmax(run->tolerance, relative);
    if (f->tolerance < 1 && first)
      wy_text_add(&text, "rods[%d].solver.tolerance={relative: %.17g, absolute: %.17g}", entry, relative,
                  solver->absolute_tolerance * relative / solver->relative_tolerance);
  }
  if (text.length > 0)
    add_setting(c, run, &text);
  wy_text_free(&text);
}

/* What was chosen for an accuracy stays: grids and tolerances of the levels are given, which would change the choice.
 */
static void keep_choice(wy_converge *c, wy_converge_run *run, int rod, const fineness *f) {
  const wy_solver_def *solver = &c->scenario->solvers[rod];
  const int entry = wy_scenario_entry(c->scenario, rod);
  wy_text text = {0};
  if (!c->scenario->spaces || c->scenario->spaces[rod].segments == 0 || !is_first(c, rod))
    return;
  wy_text_add(&text, "rods[%d].solver.scheme=%s", entry, solver->scheme);
  add_setting(c, run, &text);
  wy_text_free(&text);
  if (wy_scheme_describe(solver).orders[0] > 0) {
    text = (wy_text){0};
    wy_text_add(&text, "rods[%d].solver.order=%d", entry, solver->conserving.order);
    add_setting(c, run, &text);
    wy_text_free(&text);
  }
  if (f->tolerance < 1 || !wy_has_tolerance(c->scenario, rod))
    return;
  text = (wy_text){0};
  wy_text_add(&text, "rods[%d].solver.tolerance=%.17g", entry, solver->relative_tolerance);
  add_setting(c, run, &text);
  wy_text_free(&text);
}

/* Rows that the file does not ask for follow from the step: all runs have those of the scenario. */
static void set_rows(wy_converge *c, wy_converge_run *run) {
  wy_text text = {0};
  wy_text_add(&text, "time.output=%.17g", c->scenario->output);
  add_setting(c, run, &text);
  wy_text_free(&text);
}

static void add_run(wy_converge *c, int level, const fineness *f) {
  wy_converge_run *run = &c->runs[c->run_count++];
  const bool steps = wy_has_steps(c->scenario, WY_ALL_RODS);
  run->level = level;
  for (int rod = 0; rod < c->scenario->model.rod_count; rod++) {
    keep_choice(c, run, rod, f);
    set_segments(c, run, rod, f->segments);
    set_time(c, run, rod, f);
  }
  if (steps && f->step > 1)
    set_rows(c, run);
  /* error control pays about the sixth root of the tolerance */
  run->work = (double)run->segments / c->runs[0].segments;
  if (steps)
    run->work *= f->step;
  else if (run->tolerance > 0)
    run->work *= pow(c->runs[0].tolerance / run->tolerance, 1.0 / 6);
}

/* ---- Which runs ---- */

static fineness fineness_of(wy_refinement refine, int level) {
  const double two = ldexp(1, level);
  switch (refine) {
  case WY_REFINE_SEGMENTS:
    return (fineness){level, 1, 1};
  case WY_REFINE_STEP:
    return (fineness){0, two, 1};
  case WY_REFINE_TOLERANCE:
    return (fineness){0, 1, pow(10, -level)};
  default:
    return (fineness){level, two, level > 0 ? WY_CONVERGE_TIGHTER : 1};
  }
}

static void list_runs(wy_converge *c) {
  const wy_refinement refine = c->def.refine;
  for (int level = 0; level < c->level_count; level++) {
    const fineness f = fineness_of(refine, level);
    add_run(c, level, &f);
  }
  c->check = -1;
  if (refine == WY_REFINE_ALL && c->scenario->analysis == WY_DYNAMICS) {
    const fineness f = {0, 2, WY_CONVERGE_TIGHTER};
    c->check = c->run_count;
    add_run(c, WY_CONVERGE_CHECK, &f);
  }
}

/* The most expensive first, so that threads end at about the same time. */
static void sort_runs(wy_converge *c) {
  for (int i = 0; i < c->run_count; i++) {
    int k = i;
    for (; k > 0 && c->runs[c->order[k - 1]].work < c->runs[i].work; k--)
      c->order[k] = c->order[k - 1];
    c->order[k] = i;
  }
}

static wy_status check_refinement(const wy_converge *c, wy_message *message) {
  const wy_scenario *scenario = c->scenario;
  const char *analysis = wy_analysis_name(scenario->analysis);
  const bool modes = scenario->analysis == WY_MODES || scenario->analysis == WY_BUCKLING;
  if (scenario->batch_count > 0)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "the scenario has the batch '%.80s', whose segments and substeps are not refined here; "
                           "examine its pattern as a rod of its own, in a scenario without `batches`",
                           scenario->batches[0].name);
  if (scenario->probe_count == 0 && !modes)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "the scenario has no probes, so that there is nothing to examine; add what matters to the "
                           "list `probes`");
  if (c->def.refine == WY_REFINE_STEP && !wy_has_steps(scenario, WY_ALL_RODS))
    return wy_results_fail(message, WY_ERROR_INPUT, "there is no fixed step to refine: %s",
                           scenario->analysis == WY_DYNAMICS ? "the integrator has error control; refine the tolerance"
                                                             : analysis);
  if (c->def.refine == WY_REFINE_TOLERANCE && !wy_has_tolerance(scenario, WY_ALL_RODS))
    return wy_results_fail(message, WY_ERROR_INPUT, "there is no error control to refine: %s",
                           scenario->analysis == WY_DYNAMICS ? "the integrator has a fixed step; refine the step"
                                                             : analysis);
  return WY_OK;
}

void wy_converge_name_run(const wy_converge *c, int run, char *out, size_t size) {
  const wy_converge_run *r = &c->runs[run];
  int used = r->level < 0 ? snprintf(out, size, "check in time (%d segments", r->segments)
                          : snprintf(out, size, "level %d (%d segments", r->level, r->segments);
  if (r->step > 0)
    used += snprintf(out + used, size - (size_t)used, ", step %g", r->step);
  if (r->tolerance > 0)
    used += snprintf(out + used, size - (size_t)used, ", tolerance %g", r->tolerance);
  snprintf(out + used, size - (size_t)used, ")");
}

static wy_status read_scenarios(wy_converge *c, wy_message *message) {
  for (int i = 0; i < c->run_count; i++) {
    wy_converge_run *run = &c->runs[i];
    wy_scenario_error error;
    char name[128];
    wy_status status = wy_scenario_again(c->scenario, run->settings, run->setting_count, &c->slots[i].scenario, &error);
    if (status != WY_OK) {
      wy_converge_name_run(c, i, name, sizeof name);
      return wy_results_fail(message, status, "%s: %.880s", name, error.text);
    }
    c->slots[i].column_count = c->slots[i].scenario->column_count;
  }
  return WY_OK;
}

wy_status wy_converge_plan(wy_converge *c, wy_message *message) {
  const size_t most = (size_t)c->level_count + 1, rods = (size_t)c->scenario->model.rod_count;
  wy_status status = check_refinement(c, message);
  if (status != WY_OK)
    return status;
  c->runs = wy_pool_take(&c->pool, most * sizeof *c->runs);
  c->slots = wy_pool_take(&c->pool, most * sizeof *c->slots);
  c->order = wy_pool_take(&c->pool, most * sizeof *c->order);
  if (!c->pool.failed)
    list_runs(c);
  for (int i = 0; i < c->run_count && !c->pool.failed; i++) {
    c->slots[i].end = WY_RUN_REFUSED;
    c->slots[i].integrators = wy_pool_take(&c->pool, rods * sizeof *c->slots[i].integrators);
    c->slots[i].steps = wy_pool_take(&c->pool, rods * sizeof *c->slots[i].steps);
  }
  if (c->pool.failed)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the runs");
  sort_runs(c);
  return read_scenarios(c, message);
}
