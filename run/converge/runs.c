/* SPDX-License-Identifier: MIT */
/* The life of an examination, and the runs that threads make. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/converge/inside.h"

enum { COOKIE = 0x77795631 }; /* "wyV1" */

WY_DEF_ENDS_WITH(wy_converge_def, interrupted);

void wy_init_converge_def(wy_converge_def *def, size_t size) {
  const wy_converge_def usual = {.cookie = COOKIE, .size = sizeof usual, .levels = WY_CONVERGE_LEAST};
  wy_def_fill(def, size, &usual);
}

const char *wy_refinement_name(wy_refinement refinement) {
  static const char *const names[] = {"all", "segments", "step", "tolerance"};
  return (unsigned)refinement < sizeof names / sizeof names[0] ? names[refinement] : NULL;
}

static wy_status check_def(const wy_converge_def *def, wy_message *message) {
  if (!def->scenario)
    return wy_results_fail(message, WY_ERROR_INPUT, "the definition of the examination has no scenario");
  if (def->levels < WY_CONVERGE_LEAST || def->levels > WY_CONVERGE_MOST)
    return wy_results_fail(message, WY_ERROR_INPUT, "found %d levels; expected %d to %d", def->levels,
                           WY_CONVERGE_LEAST, WY_CONVERGE_MOST);
  if (!wy_refinement_name(def->refine))
    return wy_results_fail(message, WY_ERROR_INPUT, "found a refinement that does not exist: %d", (int)def->refine);
  return WY_OK;
}

wy_status wy_converge_create(const wy_converge_def *given, wy_converge **converge, wy_message *message) {
  wy_message unread;
  message = message ? message : &unread;
  *message = (wy_message){{0}, {0}};
  if (converge)
    *converge = NULL;
  if (!converge)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL; expected a place for the examination");
  wy_converge_def own = wy_default_converge_def();
  const wy_converge_def *def = wy_def_read(given, &own, "converge", "", message);
  if (!def)
    return WY_ERROR_INPUT;
  wy_status status = check_def(def, message);
  if (status != WY_OK)
    return status;
  wy_converge *c = calloc(1, sizeof *c);
  if (!c)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the runs");
  c->def = *def;
  c->scenario = def->scenario;
  c->level_count = def->levels;
  atomic_init(&c->next, 0);
  atomic_init(&c->stopped, false);
  status = wy_converge_plan(c, message);
  if (status != WY_OK)
    wy_converge_destroy(c);
  else
    *converge = c;
  return status;
}

void wy_converge_destroy(wy_converge *c) {
  if (!c)
    return;
  for (int i = 0; i < c->run_count; i++) {
    wy_converge_slot *slot = &c->slots[i];
    wy_scenario_destroy(slot->scenario);
    free(slot->times);
    free(slot->values);
    free(slot->modes);
  }
  wy_pool_release(&c->pool);
  free(c);
}

int wy_converge_run_count(const wy_converge *c) {
  return c ? c->run_count : 0;
}

const wy_converge_run *wy_converge_describe(const wy_converge *c, int run) {
  return c && run >= 0 && run < c->run_count ? &c->runs[run] : NULL;
}

/* ---- One run ---- */

typedef struct making {
  wy_converge *c;
  wy_converge_slot *slot;
  int run;
} making;

static bool make_room(wy_converge_slot *slot) {
  const int capacity = slot->capacity > 0 ? 2 * slot->capacity : 64;
  const size_t columns = (size_t)slot->column_count + 1;
  double *times = realloc(slot->times, (size_t)capacity * sizeof *times);
  slot->times = times ? times : slot->times;
  double *values = realloc(slot->values, (size_t)capacity * columns * sizeof *values);
  slot->values = values ? values : slot->values;
  if (!times || !values)
    return false;
  slot->capacity = capacity;
  return true;
}

static void keep_row(void *context, double t, const double *values) {
  wy_converge_slot *slot = ((making *)context)->slot;
  if (slot->no_memory || (slot->rows == slot->capacity && !make_room(slot))) {
    slot->no_memory = true;
    return;
  }
  slot->times[slot->rows] = t;
  if (slot->column_count > 0)
    memcpy(slot->values + (size_t)slot->rows * (size_t)slot->column_count, values,
           (size_t)slot->column_count * sizeof *values);
  slot->rows++;
}

static void pass_progress(void *context, double t, double end) {
  const making *m = context;
  const wy_converge_def *def = &m->c->def;
  if (def->progress)
    def->progress(def->context, m->run, end > 0 ? fmin(fmax(t / end, 0), 1) : 0);
}

static bool is_interrupted(void *context) {
  const making *m = context;
  const wy_converge_def *def = &m->c->def;
  if (def->interrupted && def->interrupted(def->context))
    atomic_store(&m->c->stopped, true);
  return atomic_load(&m->c->stopped) || m->slot->no_memory;
}

static void keep_modes(wy_converge_slot *slot, wy_run_report *report) {
  slot->modes = report->modes;
  slot->mode_count = report->mode_count;
  report->modes = NULL;
  report->mode_count = 0;
}

static void keep_report(const wy_converge *c, wy_converge_slot *slot, wy_run_report *report) {
  keep_modes(slot, report);
  slot->end = report->end;
  snprintf(slot->message, sizeof slot->message, "%s", report->message);
  if (report->sim)
    wy_measure_sizes(report->sim, report->model, c->scenario->end, slot->sizes);
  for (int rod = 0; rod < c->scenario->model.rod_count && report->sim; rod++) {
    slot->integrators[rod] = wy_sim_describe(report->sim, rod).integrator;
    slot->steps[rod] = wy_sim_statistics(report->sim, rod).steps;
  }
}

void wy_converge_make(wy_converge *c, int run) {
  wy_converge_slot *slot = &c->slots[run];
  making m = {c, slot, run};
  wy_run_def def = wy_default_run_def();
  wy_run_report report;
  wy_message message;
  def.scenario = slot->scenario;
  def.context = &m;
  def.row = keep_row;
  def.progress = pass_progress;
  def.interrupted = is_interrupted;
  slot->status = wy_run(&def, &report, &message);
  keep_report(c, slot, &report);
  c->runs[run].seconds = report.wall_seconds;
  wy_run_report_free(&report);
  if (slot->no_memory) {
    slot->end = WY_RUN_FAILED;
    slot->status = WY_ERROR_MEMORY;
    snprintf(slot->message, sizeof slot->message, "out of memory for the rows");
  }
  if (slot->end != WY_RUN_DONE)
    atomic_store(&c->stopped, true);
  else if (c->def.progress)
    c->def.progress(c->def.context, run, 1);
}

void wy_converge_work(wy_converge *c) {
  while (c && !atomic_load(&c->stopped)) {
    const int next = atomic_fetch_add(&c->next, 1);
    if (next >= c->run_count)
      return;
    wy_converge_make(c, c->order[next]);
  }
}
