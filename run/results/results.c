/* SPDX-License-Identifier: MIT */
#include "run/results/results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "run/results/clock.h"
#include "run/results/inside.h"
#include "run/results/row.h"
#include "run/results/summary.h"

/* Rows and snapshots wait in memory for others, so that files cost little beside the computing: for so many seconds,
   and so many bytes of a table. Who looks into the files of a run sees it that much later; a run that is killed goes
   on from its last checkpoint, before which everything is written. */
static const double longest_wait = 0.1;
enum { WAITING_BYTES = 1 << 16 };

static wy_status make_files(wy_results *r, wy_message *message) {
  const bool old = access(r->def.folder, F_OK) == 0;
  wy_status status = wy_folder_make(r->def.folder, message);
  if (status == WY_OK)
    status = wy_results_lock(r, message);
  if (status == WY_OK && old)
    status = wy_results_remove_old_files(r, message);
  return status == WY_OK ? wy_results_new_files(r, message) : status;
}

wy_status wy_results_create(const wy_results_def *def, wy_results **out, wy_message *message) {
  *out = NULL;
  wy_results *r = wy_results_new(def);
  if (!r)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the results of a run");
  wy_status status = wy_results_make_strands(r, message);
  if (status == WY_OK)
    status = def->folder ? make_files(r, message) : wy_results_no_files(r, message);
  r->file_seconds = wy_wall_time() - r->started;
  if (status == WY_OK)
    *out = r;
  else
    wy_results_destroy(r);
  return status;
}

/* A run whose result is wrong is complete, too: it would come to the same end again. */
static wy_status nothing_to_resume(const wy_results *r, bool *complete, wy_message *message) {
  wy_summary_state state;
  wy_status status = wy_summary_look(r->summary, r->identity, &state, message);
  if (status != WY_OK)
    return status;
  *complete = state.done && state.same_run;
  if (*complete && state.wrong)
    return wy_results_fail(message, WY_ERROR_RESULT,
                           "the run in %s is already complete, and its result is wrong: see `message` in its "
                           "summary.json",
                           r->def.folder);
  if (*complete)
    return WY_OK;
  const char *reason = !state.exists ? "there is no checkpoint in it"
                       : !state.done ? "its run failed, and would fail again in the same way"
                                     : "it contains a complete run of another scenario, of other files that it names, "
                                       "other --set values or another version of withy";
  return wy_results_fail(message, WY_ERROR_INPUT, "nothing to resume in %s: %s; start again without --resume",
                         r->def.folder, reason);
}

static wy_status resume(wy_results *r, bool *complete, wy_message *message) {
  *complete = false;
  wy_status status = wy_results_make_strands(r, message);
  if (status == WY_OK)
    status = wy_results_lock(r, message);
  bool exists = false;
  wy_checkpoint saved = {0};
  if (status == WY_OK)
    status = wy_checkpoint_read(r->checkpoint, r->identity, &saved, r->def.sim, r->def.batches, &exists, message);
  if (status == WY_OK && !exists)
    return nothing_to_resume(r, complete, message);
  const bool goes_on = wy_scenario_has_course(r->def.scenario);
  if (status == WY_OK && goes_on)
    status = wy_results_old_files(r, &saved, message);
  else if (status == WY_OK && (status = wy_results_remove_old_files(r, message)) == WY_OK)
    status = wy_results_new_files(r, message);
  r->wall_before = saved.wall_seconds;
  return status;
}

wy_status wy_results_resume(const wy_results_def *def, wy_results **out, wy_message *message) {
  *out = NULL;
  wy_results *r = wy_results_new(def);
  if (!r)
    return wy_file_error(message, ENOMEM, "reading", def->folder);
  bool complete;
  wy_status status = resume(r, &complete, message);
  r->file_seconds = wy_wall_time() - r->started;
  if (status == WY_OK && !complete)
    *out = r;
  else
    wy_results_destroy(r);
  return status;
}

static long rows_of(const wy_results *r) {
  return r->csv ? wy_csv_rows(r->csv) : r->rows_met;
}

static long snapshots_of(const wy_results *r) {
  return r->h5 ? wy_h5_snapshots(r->h5) : r->snapshots_met;
}

/* Rows and snapshots that fall together, to rounding, are taken at the time of the row. */
static double due(const wy_results *r, bool *row, bool *snapshot) {
  const wy_scenario *scenario = r->def.scenario;
  long rows = rows_of(r), snapshots = snapshots_of(r);
  double row_time = INFINITY, snapshot_time = INFINITY;
  if (rows < r->row_count)
    row_time = wy_scenario_row_time(scenario, (int)rows);
  if (snapshots < r->snapshot_count)
    snapshot_time = wy_scenario_snapshot_time(scenario, (int)snapshots);
  double close = 1e-9 * fmin(scenario->output, scenario->snapshots);
  bool together = isfinite(row_time) && isfinite(snapshot_time) && fabs(row_time - snapshot_time) <= close;
  *row = together || row_time < snapshot_time;
  *snapshot = together || snapshot_time < row_time;
  return *row ? row_time : snapshot_time;
}

double wy_results_due(const wy_results *r) {
  bool row, snapshot;
  return due(r, &row, &snapshot);
}

bool wy_results_empty(const wy_results *r) {
  return rows_of(r) == 0 && snapshots_of(r) == 0;
}

static wy_status check_snapshot(wy_results *r, wy_message *message) {
  return r->h5 ? wy_h5_check(r->h5, message) : wy_snapshot_take(&r->layout, &r->memory_def, r->snapshot, message);
}

static wy_status not_finite(wy_results *r, int rod, double value, wy_message *message) {
  wy_status status = check_snapshot(r, message); /* knows the place */
  if (status != WY_OK)
    return status;
  return wy_results_fail(message, WY_ERROR_SOLVER, "t = %.9g: rod '%s': its energy is %g: the solution has broken down",
                         wy_sim_time(r->def.sim), wy_model_rod(r->def.model, rod)->name, value);
}

static wy_status check_energies(wy_results *r, wy_message *message) {
  for (int rod = 0; rod < wy_model_rod_count(r->def.model); ++rod) {
    wy_energy one = wy_sim_energy(r->def.sim, rod);
    double sum = one.total + one.kinetic + one.elastic + one.work + one.dissipated;
    if (!isfinite(sum))
      return not_finite(r, rod, sum, message);
  }
  return WY_OK;
}

wy_status wy_results_write_xdmf(wy_results *r, wy_message *message) {
  wy_status status = wy_h5_flush(r->h5, message);
  long snapshots = wy_h5_snapshots(r->h5);
  wy_pool pool = {0};
  double *times = wy_pool_take(&pool, (size_t)snapshots * sizeof *times);
  if (status == WY_OK && !times)
    status = wy_file_error(message, ENOMEM, "writing", r->xdmf);
  wy_xdmf_def def = {r->xdmf_lines, r->xdmf_count, times, snapshots, wy_h5_capacity(r->h5)};
  if (status == WY_OK)
    status = wy_h5_times(r->h5, times, message);
  if (status == WY_OK)
    status = wy_xdmf_write(r->xdmf, &def, message);
  if (status == WY_OK) {
    r->xdmf_snapshots = snapshots;
    r->xdmf_capacity = def.capacity;
  }
  wy_pool_release(&pool);
  return status;
}

/* The end of what began at the wall time `since`. File errors do not know the simulated time: it is added. */
static wy_status leave(wy_results *r, double since, wy_status status, wy_message *message) {
  if (status == WY_ERROR_FILE) {
    wy_message told = *message;
    wy_results_fail(message, status, "t = %.9g: %.990s", wy_sim_time(r->def.sim), told.text);
  }
  if (r->def.folder)
    r->file_seconds += wy_wall_time() - since;
  return status;
}

/* Tables first: a snapshot is never there before its row. */
static wy_status flush(wy_results *r, wy_message *message) {
  wy_status status = wy_csv_flush(r->csv, message);
  if (status == WY_OK)
    status = wy_csv_flush(r->steps_csv, message);
  if (status == WY_OK)
    status = wy_csv_flush(r->path_csv, message);
  if (status == WY_OK)
    status = wy_h5_flush(r->h5, message);
  r->flushed = wy_wall_time();
  return status;
}

static wy_status flush_if_due(wy_results *r, wy_message *message) {
  if (!r->def.folder)
    return WY_OK;
  bool full = wy_csv_waiting(r->csv) > WAITING_BYTES || wy_csv_waiting(r->steps_csv) > WAITING_BYTES ||
              wy_csv_waiting(r->path_csv) > WAITING_BYTES || wy_h5_full(r->h5);
  return full || wy_wall_time() - r->flushed > longest_wait ? flush(r, message) : WY_OK;
}

wy_status wy_results_flush(wy_results *r, wy_message *message) {
  double since = wy_wall_time();
  return leave(r, since, flush(r, message), message);
}

/* Tells the caller the row, unless it was not asked for. */
static wy_status tell_row(wy_results *r, wy_message *message) {
  wy_status status = wy_row_read(r->def.scenario, r->def.sim, r->def.batches, r->row, message);
  if (status == WY_OK && r->def.row)
    r->def.row(r->def.context, wy_sim_time(r->def.sim), r->row);
  return status;
}

static wy_status record_in_memory(wy_results *r, bool row, bool snapshot, wy_message *message) {
  wy_status status = row ? tell_row(r, message) : WY_OK;
  r->rows_met += row && status == WY_OK;
  if (status == WY_OK && snapshot)
    status = check_snapshot(r, message);
  r->snapshots_met += snapshot && status == WY_OK;
  if (status == WY_OK)
    r->time_met = wy_sim_time(r->def.sim);
  return status;
}

static wy_status record_in_files(wy_results *r, bool row, bool snapshot, wy_message *message) {
  wy_status status = WY_OK;
  if (row)
    status = wy_csv_append(r->csv, r->def.sim, message);
  if (status == WY_OK && row && r->def.row)
    status = tell_row(r, message);
  if (status == WY_OK && row && r->steps_csv)
    status = wy_csv_append(r->steps_csv, r->def.sim, message);
  if (status == WY_OK && snapshot)
    status = wy_h5_append(r->h5, message);
  if (status == WY_OK && r->xdmf_snapshots > 0 && r->xdmf_capacity != wy_h5_capacity(r->h5))
    status = wy_results_write_xdmf(r, message);
  return status == WY_OK ? flush_if_due(r, message) : status;
}

wy_status wy_results_record(wy_results *r, wy_message *message) {
  double since = wy_wall_time();
  bool row, snapshot;
  due(r, &row, &snapshot);
  wy_status status = check_energies(r, message);
  if (status == WY_OK)
    status = r->def.folder ? record_in_files(r, row, snapshot, message) : record_in_memory(r, row, snapshot, message);
  return leave(r, since, status, message);
}

wy_status wy_results_record_path(wy_results *r, wy_message *message) {
  if (!r->def.folder)
    return wy_row_read(r->def.scenario, r->def.sim, r->def.batches, r->row, message);
  double since = wy_wall_time();
  wy_status status = wy_csv_append(r->path_csv, r->def.sim, message);
  if (status == WY_OK)
    status = flush_if_due(r, message);
  return leave(r, since, status, message);
}

wy_status wy_results_add_modes(wy_results *r, const wy_mode_table *modes, wy_message *message) {
  r->def.modes = modes;
  if (!r->def.folder)
    return WY_OK;
  double since = wy_wall_time();
  wy_status status = wy_mode_table_write(modes, modes->buckling ? r->buckling : r->modes, message);
  if (status == WY_OK)
    status = wy_h5_add_modes(r->h5, modes, message);
  return leave(r, since, status, message);
}

/* The last time on disk, or without files the last time recorded. */
static double last_time(const wy_results *r) {
  if (!r->def.folder)
    return r->time_met;
  return fmax(r->last_time, fmax(wy_csv_last_time(r->csv), wy_h5_last_time(r->h5)));
}

wy_status wy_results_checkpoint(wy_results *r, wy_message *message) {
  if (!r->def.folder)
    return WY_OK;
  double since = wy_wall_time();
  wy_status status = flush(r, message);
  if (status != WY_OK)
    return leave(r, since, status, message);
  wy_checkpoint checkpoint = {.identity = r->identity,
                              .rows = wy_csv_rows(r->csv),
                              .snapshots = wy_h5_snapshots(r->h5),
                              .csv_bytes = wy_csv_bytes(r->csv),
                              .steps_bytes = r->steps_csv ? wy_csv_bytes(r->steps_csv) : 0,
                              .path_rows = r->path_csv ? wy_csv_rows(r->path_csv) : 0,
                              .path_bytes = r->path_csv ? wy_csv_bytes(r->path_csv) : 0,
                              .last_time = last_time(r),
                              .wall_seconds = wy_results_wall_seconds(r)};
  const bool begun = checkpoint.rows + checkpoint.snapshots + checkpoint.path_rows > 0 || wy_sim_time(r->def.sim) > 0;
  status = wy_checkpoint_write(r->checkpoint, &checkpoint, begun ? r->def.sim : NULL, r->def.batches, message);
  /* Written whenever the snapshots have doubled, the picture of a long run costs no more than once in full. */
  if (status == WY_OK && checkpoint.snapshots > 0 && checkpoint.snapshots >= 2 * r->xdmf_snapshots)
    status = wy_results_write_xdmf(r, message);
  return leave(r, since, status, message);
}

double wy_results_wall_seconds(const wy_results *r) {
  return r->wall_before + wy_wall_time() - r->started;
}

/* The first failure is the one to report: what follows on a full disk is its consequence. */
static wy_status note(wy_run_report *report, wy_status before, wy_status status, const wy_message *message) {
  if (status == WY_OK || report->end == WY_RUN_FAILED)
    return before;
  report->end = WY_RUN_FAILED;
  snprintf(report->message, sizeof report->message, "%s", message->text);
  return status;
}

static wy_status close_files(wy_results *r, wy_run_report *report, wy_status status) {
  wy_message message = {{0}, {0}};
  status = note(report, status, wy_csv_close(r->csv, &message), &message);
  r->csv = NULL;
  status = note(report, status, wy_csv_close(r->steps_csv, &message), &message);
  r->steps_csv = NULL;
  status = note(report, status, wy_csv_close(r->path_csv, &message), &message);
  r->path_csv = NULL;
  status = note(report, status, wy_h5_trim(r->h5, &message), &message);
  status = note(report, status, wy_results_write_xdmf(r, &message), &message);
  status = note(report, status, wy_h5_close(r->h5, &message), &message);
  r->h5 = NULL;
  status = note(report, status, wy_results_remove(r->reserve, &message), &message);
  r->reserved = false;
  return status;
}

static wy_status write_summary(wy_results *r, wy_run_report *report, wy_status status) {
  wy_message message = {{0}, {0}};
  status = note(report, status, wy_summary_write(r->summary, &r->def, r->identity, report, &message), &message);
  if (report->end == WY_RUN_DONE || !report->resumable)
    status = note(report, status, wy_results_remove(r->checkpoint, &message), &message);
  return status;
}

wy_status wy_results_finish(wy_results *r, wy_run_report *report) {
  wy_message message = {{0}, {0}};
  wy_status status = note(report, WY_OK, wy_results_flush(r, &message), &message);
  double since = wy_wall_time();
  report->rows = rows_of(r);
  report->snapshots = snapshots_of(r);
  report->t_end = last_time(r);
  report->drift = wy_summary_drift(&r->def, WY_ALL_RODS);
  report->statistics = wy_summary_statistics(&r->def, WY_ALL_RODS);
  if (r->def.folder)
    status = close_files(r, report, status);
  report->wall_seconds = wy_results_wall_seconds(r);
  report->file_seconds = r->file_seconds + wy_wall_time() - since;
  bool moves = r->def.scenario->analysis == WY_DYNAMICS;
  report->realtime_factor = moves && report->wall_seconds > 0 ? report->t_end / report->wall_seconds : 0;
  if (r->def.folder)
    status = write_summary(r, report, status);
  wy_results_destroy(r);
  return status;
}
