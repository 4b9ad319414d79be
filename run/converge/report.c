/* SPDX-License-Identifier: MIT */
/* The report of an examination: what failed, or the results of all probes and modes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/converge/inside.h"

const char *wy_convergence_name(wy_convergence verdict) {
  static const char *const names[] = {"converges", "faster",     "slower",    "irregular",      "between nodes",
                                      "rounding",  "time noise", "by chance", "not converging", "not finite"};
  return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : NULL;
}

/* Modes that all runs have, and whether any of them is damped. */
static int common_modes(const wy_converge *c, bool *damped) {
  int least = c->slots[0].mode_count;
  *damped = false;
  for (int i = 0; i < c->run_count; i++) {
    least = c->slots[i].mode_count < least ? c->slots[i].mode_count : least;
    for (int k = 0; k < c->slots[i].mode_count; k++)
      *damped = *damped || c->slots[i].modes[k].damping_ratio != 0;
  }
  return least;
}

/* ---- The report ---- */

/* The first run that is not done; those that were stopped because of another come last. */
static wy_status find_failure(const wy_converge *c, wy_converge_report *report, wy_message *message) {
  int failed = -1, missing = -1;
  for (int i = 0; i < c->run_count; i++) {
    const wy_converge_slot *slot = &c->slots[i];
    if (slot->end == WY_RUN_DONE)
      continue;
    if (slot->status != WY_OK && failed < 0)
      failed = i;
    missing = missing < 0 ? i : missing;
  }
  report->end = failed >= 0 ? c->slots[failed].end : missing >= 0 ? WY_RUN_INTERRUPTED : WY_RUN_DONE;
  if (failed < 0)
    return WY_OK;
  char name[128];
  wy_converge_name_run(c, failed, name, sizeof name);
  return wy_results_fail(message, c->slots[failed].status, "%s: %.880s%s", name, c->slots[failed].message,
                         c->slots[failed].end == WY_RUN_WRONG && failed == 0
                             ? "; convergence begins where a result is right: take more segments or a shorter step"
                             : "");
}

static wy_status compare_rows(const wy_converge *c, wy_message *message) {
  char name[128];
  for (int i = 1; i < c->run_count; i++) {
    bool same = c->slots[i].rows == c->slots[0].rows;
    for (int r = 0; r < c->slots[0].rows && same; r++)
      same = c->slots[i].times[r] == c->slots[0].times[r];
    if (!same) {
      wy_converge_name_run(c, i, name, sizeof name);
      return wy_results_fail(message, WY_ERROR_RESULT, "%s has not the rows of the scenario (%d and %d)", name,
                             c->slots[i].rows, c->slots[0].rows);
    }
  }
  return WY_OK;
}

static void copy_runs(const wy_converge *c, wy_pool *pool, wy_converge_report *report) {
  wy_converge_run *runs = wy_pool_take(pool, (size_t)c->run_count * sizeof *runs);
  for (int i = 0; i < c->run_count && runs; i++) {
    const char **settings = wy_pool_take(pool, ((size_t)c->runs[i].setting_count + 1) * sizeof *settings);
    runs[i] = c->runs[i];
    for (int k = 0; k < runs[i].setting_count && settings; k++)
      settings[k] = wy_pool_copy(pool, c->runs[i].settings[k], strlen(c->runs[i].settings[k]));
    runs[i].settings = settings;
  }
  report->runs = runs;
  report->run_count = c->run_count;
  report->level_count = c->level_count;
  report->finest = c->level_count - 1;
  report->scenario = wy_pool_copy(pool, c->scenario->name, strlen(c->scenario->name));
  report->title = wy_pool_copy(pool, c->scenario->title, strlen(c->scenario->title));
  report->analysis = c->scenario->analysis;
  report->refine = c->def.refine;
}

static void fill_results(const wy_converge *c, wy_pool *pool, wy_converge_report *report) {
  const wy_scenario *scenario = c->scenario;
  bool damped;
  const int modes = common_modes(c, &damped), columns = damped ? 2 : 1, rows = c->slots[0].rows;
  const int probes = rows > 0 ? scenario->probe_count : 0;
  double *times = wy_pool_take(pool, ((size_t)rows + 1) * sizeof *times);
  wy_converge_result *results = wy_pool_take(pool, ((size_t)(probes + columns * modes) + 1) * sizeof *results);
  if (pool->failed)
    return;
  if (rows > 0)
    memcpy(times, c->slots[0].times, (size_t)rows * sizeof *times);
  int count = 0;
  for (int i = 0, first = 0; i < probes; i++) {
    wy_judge_probe(c, &scenario->probes[i], first, pool, &results[count++]);
    first += wy_quantity_describe(scenario->probes[i].quantity)->components;
  }
  for (int i = 0; i < columns * modes; i++)
    wy_judge_mode(c, i / columns, i % columns == 1, pool, &results[count++]);
  report->times = times;
  report->row_count = rows;
  report->results = results;
  report->result_count = count;
  report->trusted = count > 0;
  for (int i = 0; i < count; i++)
    report->trusted = report->trusted && results[i].trusted;
}

wy_status wy_converge_judge(const wy_converge *c, wy_converge_report *report, wy_message *message) {
  wy_message unread;
  message = message ? message : &unread;
  *message = (wy_message){{0}, {0}};
  if (report)
    *report = (wy_converge_report){.end = WY_RUN_REFUSED};
  if (!c || !report)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL; expected an examination and a place for its report");
  wy_pool *pool = calloc(1, sizeof *pool);
  if (!pool)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the results");
  report->memory = pool;
  copy_runs(c, pool, report);
  wy_status status = find_failure(c, report, message);
  if (status == WY_OK && report->end == WY_RUN_DONE)
    status = compare_rows(c, message);
  if (status == WY_OK && report->end == WY_RUN_DONE)
    fill_results(c, pool, report);
  if (pool->failed) {
    wy_converge_report_free(report);
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the results");
  }
  return status;
}

void wy_converge_report_free(wy_converge_report *report) {
  if (!report)
    return;
  if (report->memory)
    wy_pool_release(report->memory);
  free(report->memory);
  *report = (wy_converge_report){.end = WY_RUN_REFUSED};
}

wy_status wy_converge_all(const wy_converge_def *def, wy_converge_report *report, wy_message *message) {
  wy_converge *c;
  if (!report) /* before anything is computed */
    return wy_converge_judge(NULL, report, message);
  *report = (wy_converge_report){.end = WY_RUN_REFUSED};
  wy_status status = wy_converge_create(def, &c, message);
  if (status != WY_OK)
    return status;
  wy_converge_work(c);
  status = wy_converge_judge(c, report, message);
  wy_converge_destroy(c);
  return status;
}

double wy_converge_needed(const wy_converge_report *report, int result, double target) {
  if (!report || result < 0 || result >= report->result_count || !(target > 0))
    return NAN;
  const wy_converge_result *r = &report->results[result];
  const double allowed = target * r->scale, now = r->errors[0];
  if (!r->trusted || !isfinite(now))
    return NAN;
  if (now <= allowed)
    return 1;
  return r->used > 0 && allowed > 0 ? pow(now / allowed, 1 / r->used) : (double)NAN;
}
