/* SPDX-License-Identifier: MIT */
/* wy_run: model and simulation of a scenario, its files, the loop of its analysis, and the report. */
#include "withy/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/loop/loop.h"

enum { COOKIE = 0x77795232 }; /* "wyR2" */
WY_DEF_ENDS_WITH(wy_run_def, ranks);

void wy_init_run_def(wy_run_def *def, size_t size) {
  const wy_run_def usual = {.cookie = COOKIE, .size = sizeof usual};
  wy_def_fill(def, size, &usual);
}

bool wy_loop_stopped(wy_loop *loop) {
  if (!loop->stopped && loop->run->interrupted)
    loop->stopped = loop->run->interrupted(loop->run->context);
  loop->stopped = loop->stopped || wy_batches_interrupted(loop->def->batches);
  return loop->stopped;
}

void wy_loop_progress(wy_loop *loop) {
  if (loop->run->progress)
    loop->run->progress(loop->run->context, wy_sim_time(loop->def->sim), loop->def->scenario->end);
}

wy_status wy_loop_record(wy_loop *loop, wy_status before, wy_message *message) {
  wy_message written = {{0}, {0}};
  wy_status status = wy_results_record(loop->results, &written);
  if (status != WY_OK)
    *message = written;
  return status != WY_OK ? status : before;
}

/* ---- The run ---- */

static wy_status run_analysis(wy_loop *loop, wy_message *message) {
  static wy_status (*const run[])(wy_loop *, wy_message *) = {[WY_DYNAMICS] = wy_loop_dynamics,
                                                              [WY_QUASISTATICS] = wy_loop_quasistatics,
                                                              [WY_STATICS] = wy_loop_statics,
                                                              [WY_MODES] = wy_loop_modes,
                                                              [WY_BUCKLING] = wy_loop_buckling};
  wy_loop_progress(loop);
  return run[loop->def->scenario->analysis](loop, message);
}

/* The first note of the findings, and how many rods have another. The state under the loads of buckling may well be
   unstable: that is what was asked for. */
static void note_findings(wy_loop *loop, const wy_run_report *report) {
  const wy_finding *first = NULL;
  int others = 0;
  for (int i = 0; i < report->finding_count && loop->def->scenario->analysis != WY_BUCKLING; i++) {
    const wy_finding *finding = &report->findings[i];
    if (finding->severity == WY_NOTE && !first)
      first = finding;
    else if (finding->severity == WY_NOTE)
      others++;
  }
  if (!first)
    return;
  char text[WY_WARNING_SIZE], rest[48] = "";
  wy_results_warning(first, text);
  if (others > 0)
    snprintf(rest, sizeof rest, " (and the same for %d more rods)", others);
  snprintf(loop->note, sizeof loop->note, "%.740s%s", text, rest);
}

/* How the run ended, as far as that is known before its files are complete. */
static wy_status judge(wy_loop *loop, wy_status status, wy_run_report *report, wy_message *message) {
  wy_sim *sim = loop->def->sim;
  const char *reason = message->text;
  if (status != WY_OK) {
    report->end = status == WY_ERROR_RESULT ? WY_RUN_WRONG : WY_RUN_FAILED;
    report->resumable = status == WY_ERROR_FILE;
  } else if (!loop->complete) {
    report->end = WY_RUN_INTERRUPTED;
    report->resumable = loop->def->folder != NULL;
    snprintf(message->text, sizeof message->text, "interrupted at t = %.9g of %.9g", wy_sim_time(sim),
             loop->def->scenario->end);
  } else if ((status = wy_sim_verify(sim, NULL, 0, NULL, message)) != WY_OK ||
             (status = wy_batches_verify(loop->def->batches, message)) != WY_OK) {
    report->end = WY_RUN_WRONG;
  } else {
    report->end = WY_RUN_DONE;
    note_findings(loop, report);
    reason = loop->note;
  }
  snprintf(report->message, sizeof report->message, "%s", reason);
  return status;
}

static void list_modes(const wy_mode_table *table, wy_run_report *report) {
  if (!table || !table->rows || !(report->modes = calloc((size_t)table->count + 1, sizeof *report->modes)))
    return;
  memcpy(report->modes, table->rows, (size_t)table->count * sizeof *report->modes);
  report->mode_count = table->count;
}

static wy_status run_loop(wy_loop *loop, wy_run_report *report, wy_message *message) {
  const wy_results_def *def = loop->def;
  wy_status status = run_analysis(loop, message);
  if (status == WY_OK)
    status = wy_results_flush(loop->results, message);
  wy_findings_list found = wy_results_findings(def);
  report->findings = found.list;
  report->finding_count = found.count;
  status = judge(loop, status, report, message);
  wy_status finished = wy_results_finish(loop->results, report);
  if (finished != WY_OK)
    status = wy_results_fail(message, finished, "%.1000s", report->message);
  report->equilibrium = wy_sim_equilibrium(def->sim, WY_ALL_RODS);
  list_modes(loop->modes, report);
  wy_mode_table_destroy(loop->modes);
  return status;
}

/* Into the folder, once model and simulation are there. */
static wy_status run_into(const wy_run_def *run, wy_run_report *report, wy_message *message) {
  wy_results_def def = {run->folder, run->scenario, report->model, report->sim,
                        run->row,    run->context,  report->kept,  NULL};
  wy_loop loop = {.run = run, .def = &def};
  wy_status status =
      run->resume ? wy_results_resume(&def, &loop.results, message) : wy_results_create(&def, &loop.results, message);
  if (status != WY_OK)
    return status;
  if (!loop.results) {
    report->end = WY_RUN_COMPLETE;
    return WY_OK;
  }
  return run_loop(&loop, report, message);
}

static wy_status make_batches(const wy_run_def *def, wy_run_report *report, wy_message *message) {
  const wy_status status = wy_batches_create(def->scenario, def->ranks, &report->kept, message);
  report->batch_count = wy_batches_count(report->kept);
  report->batches = wy_batches_list(report->kept);
  report->patterns = report->kept ? wy_batches_patterns(report->kept) : NULL;
  return status;
}

/* Model, simulation, batches, run. */
static wy_status run_scenario(const wy_run_def *def, wy_run_report *report, wy_message *message) {
  if (!def->scenario)
    return wy_results_fail(message, WY_ERROR_INPUT, "the definition of the run has no scenario");
  if (def->folder && !*def->folder)
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is empty");
  if (def->resume && !def->folder)
    return wy_results_fail(message, WY_ERROR_INPUT, "a run without a folder cannot be resumed");
  wy_status status = wy_scenario_build(def->scenario, &report->model, &report->sim, message);
  if (status == WY_OK)
    status = make_batches(def, report, message);
  return status == WY_OK ? run_into(def, report, message) : status;
}

/* The other ranks are dismissed however it ends. */
static wy_status run_def(const wy_run_def *given, wy_run_report *report, wy_message *message) {
  wy_run_def own = wy_default_run_def();
  const wy_run_def *def = wy_def_read(given, &own, "run", "", message);
  if (!def)
    return WY_ERROR_INPUT;
  const wy_status status = run_scenario(def, report, message);
  wy_batches_dismiss(report->kept, def->ranks);
  return status;
}

wy_status wy_run_serve(const wy_scenario *scenario, const wy_ranks *ranks, bool (*interrupted)(void *context),
                       void *context, wy_message *message) {
  wy_message unread;
  message = message ? message : &unread;
  *message = (wy_message){{0}, {0}};
  if (!scenario || !ranks || ranks->rank < 1 || ranks->rank >= ranks->count)
    return wy_results_fail(message, WY_ERROR_INPUT, "found no scenario, no ranks, or none above 0; expected them");
  return wy_batches_serve(scenario, ranks, interrupted, context, message);
}

wy_status wy_run(const wy_run_def *def, wy_run_report *report, wy_message *message) {
  wy_message unread;
  wy_run_report unasked;
  bool asked = report != NULL;
  message = message ? message : &unread;
  report = report ? report : &unasked;
  *message = (wy_message){{0}, {0}};
  *report = (wy_run_report){.end = WY_RUN_REFUSED};
  wy_status status = run_def(def, report, message);
  if (report->end == WY_RUN_REFUSED)
    snprintf(report->message, sizeof report->message, "%s", message->text);
  if (!asked)
    wy_run_report_free(report);
  return status;
}

void wy_run_report_free(wy_run_report *report) {
  if (!report)
    return;
  wy_batches_destroy(report->kept);
  wy_sim_destroy(report->sim);
  wy_model_destroy(report->model);
  free(report->findings);
  free(report->modes);
  *report = (wy_run_report){.end = WY_RUN_REFUSED};
}
