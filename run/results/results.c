#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* flock */
#include "run/results/results.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/results/csv.h"
#include "run/results/h5.h"
#include "run/results/summary.h"
#include "run/results/xdmf.h"
#include "run/tree/pool.h"

struct wy_results {
  wy_pool pool;
  wy_results_def def;
  const char *probes, *h5_path, *xdmf, *summary, *checkpoint; /* paths of the files */
  const char *steps, *path, *modes, *buckling;
  const char *reserve; /* room on the disk that the summary takes when there is no other left */
  bool reserved;
  int lock; /* the folder, locked against a second run */
  uint64_t identity;
  long row_count, frame_count; /* of the complete run */
  wy_csv *csv;
  wy_csv *steps_csv, *path_csv; /* or NULL */
  wy_h5 *h5;
  double last_time; /* of a row or frame on disk */
  wy_strands **strands;
  wy_xdmf_lines *xdmf_lines; /* rods, then strands */
  int xdmf_count;
  long xdmf_frames, xdmf_capacity; /* as last written */
  double wall_before;              /* of the runs that this one resumes */
  struct timespec started;
};

/* Two runs in one folder would spoil each other's files. The lock goes with the process; where a file system has none,
 * do without. */
static wy_status lock_folder(wy_results *r, wy_message *message) {
  r->lock = open(r->def.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->lock >= 0 && flock(r->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "another run is writing into %s now; choose another folder with -o DIR", r->def.folder);
  return WY_OK;
}

static wy_status remove_file(const char *path, wy_message *message) {
  return unlink(path) == 0 || errno == ENOENT ? WY_OK : wy_file_error(message, errno, "removing", path);
}

/* The checkpoint goes first: without its files it would be a trap. */
static wy_status remove_old_files(const wy_results *r, wy_message *message) {
  const char *const files[] = {r->checkpoint, r->summary, r->xdmf,  r->probes,  r->h5_path,
                               r->steps,      r->path,    r->modes, r->buckling};
  wy_text part = {0};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof files / sizeof files[0] && status == WY_OK; ++i) {
    part.length = 0;
    wy_text_add(&part, "%s.part", files[i]);
    status = remove_file(files[i], message);
    if (status == WY_OK)
      status = remove_file(part.data, message);
  }
  wy_text_free(&part);
  return status;
}

static wy_status write_reserve(wy_results *r, wy_message *message) {
  wy_pool pool = {NULL};
  size_t size = 16384 + 2048 * (size_t)(1 + wy_model_rod_count(r->def.model));
  wy_status status = wy_file_replace(r->reserve, wy_pool_take(&pool, size), size, message);
  r->reserved = status == WY_OK;
  wy_pool_release(&pool);
  return status;
}

static uint64_t identity_of(const wy_results_def *def) {
  uint64_t hash = wy_hash(WY_HASH_START, def->scenario->text, strlen(def->scenario->text) + 1);
  for (int i = 0; i < def->setting_count; ++i)
    hash = wy_hash(hash, def->settings[i], strlen(def->settings[i]) + 1);
  return wy_hash(hash, wy_version(), strlen(wy_version()));
}

static const char *path_of(wy_results *r, const char *name) {
  size_t folder = strlen(r->def.folder), size = folder + strlen(name) + 2;
  char *path = wy_pool_take(&r->pool, size);
  bool slash = folder > 0 && r->def.folder[folder - 1] == '/';
  snprintf(path, size, "%s%s%s", r->def.folder, slash ? "" : "/", name);
  return path;
}

static bool same_points(wy_points a, wy_points b) {
  return a.count == b.count && (a.count == 0 || memcmp(a.s, b.s, (size_t)a.count * sizeof *a.s) == 0);
}

static wy_results *new_results(const wy_results_def *def) {
  wy_pool pool = {NULL};
  wy_results *r = wy_pool_take(&pool, sizeof *r);
  r->pool = pool;
  r->def = *def;
  r->probes = path_of(r, "probes.csv");
  r->h5_path = path_of(r, "result.h5");
  r->xdmf = path_of(r, "result.xdmf");
  r->summary = path_of(r, "summary.json");
  r->checkpoint = path_of(r, "checkpoint");
  r->steps = path_of(r, "steps.csv");
  r->path = path_of(r, "path.csv");
  r->modes = path_of(r, "modes.csv");
  r->buckling = path_of(r, "buckling.csv");
  r->reserve = path_of(r, ".reserve");
  r->lock = -1;
  r->identity = identity_of(def);
  r->row_count = wy_scenario_row_count(def->scenario);
  r->frame_count = wy_scenario_frame_count(def->scenario);
  int rods = wy_model_rod_count(def->model);
  int strands = def->scenario->strands_count;
  r->strands = wy_pool_take(&r->pool, (size_t)strands * sizeof *r->strands);
  r->xdmf_lines = wy_pool_take(&r->pool, (size_t)(rods + strands) * sizeof *r->xdmf_lines);
  for (int rod = 0; rod < rods; ++rod) {
    const wy_view *view = wy_sim_view(def->sim, rod);
    r->xdmf_lines[r->xdmf_count++] = (wy_xdmf_lines){wy_model_rod(def->model, rod)->name, 0, view->position.count,
                                                     same_points(view->position, view->velocity)};
  }
  clock_gettime(CLOCK_MONOTONIC, &r->started);
  return r;
}

/* The strands of the scenario. */
static wy_status make_strands(wy_results *r, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < r->def.scenario->strands_count && status == WY_OK; ++i) {
    status = wy_strands_create(r->def.model, r->def.sim, &r->def.scenario->strands[i], &r->strands[i], message);
    if (status == WY_OK)
      r->xdmf_lines[r->xdmf_count++] = (wy_xdmf_lines){wy_strands_name(r->strands[i]), wy_strands_count(r->strands[i]),
                                                       wy_strands_points(r->strands[i]), false};
  }
  return status;
}

static void destroy(wy_results *r) {
  if (r->reserved)
    unlink(r->reserve);
  if (r->lock >= 0)
    close(r->lock);
  wy_csv_close(r->csv, NULL);
  wy_csv_close(r->steps_csv, NULL);
  wy_csv_close(r->path_csv, NULL);
  wy_h5_close(r->h5, NULL);
  for (int i = 0; i < r->def.scenario->strands_count; ++i)
    wy_strands_destroy(r->strands[i]);
  wy_pool pool = r->pool;
  wy_pool_release(&pool);
}

static wy_h5_def h5_def(wy_results *r) {
  wy_text settings = {0};
  wy_text_append(&settings, "", 0);
  for (int i = 0; i < r->def.setting_count; ++i)
    wy_text_add(&settings, "%s%s", i ? "\n" : "", r->def.settings[i]);
  const char *kept = wy_pool_copy(&r->pool, settings.data, settings.length);
  wy_text_free(&settings);
  return (wy_h5_def){.path = r->h5_path,
                     .scenario = r->def.scenario,
                     .settings = kept,
                     .model = r->def.model,
                     .sim = r->def.sim,
                     .frame_count = r->frame_count,
                     .strands = r->strands,
                     .strands_count = r->def.scenario->strands_count};
}

static wy_csv_def csv_def(const wy_results *r) {
  return (wy_csv_def){r->probes, r->def.scenario, WY_CSV_PROBES};
}

static wy_csv_def steps_def(const wy_results *r) {
  return (wy_csv_def){r->steps, r->def.scenario, WY_CSV_STEPS};
}

static wy_csv_def path_def(const wy_results *r) {
  return (wy_csv_def){r->path, r->def.scenario, WY_CSV_PATH};
}

/* Equilibria have no steps in time. */
static bool has_steps(const wy_results *r) {
  return r->def.scenario->analysis == WY_DYNAMICS;
}

/* All files new, in a folder that is locked. */
static wy_status start(wy_results *r, wy_message *message) {
  wy_csv_def probes = csv_def(r), steps = steps_def(r), path = path_def(r);
  wy_status status = remove_old_files(r, message);
  if (status == WY_OK)
    status = write_reserve(r, message);
  if (status == WY_OK)
    status = wy_csv_create(&probes, &r->csv, message);
  if (status == WY_OK && has_steps(r))
    status = wy_csv_create(&steps, &r->steps_csv, message);
  if (status == WY_OK && r->def.scenario->follows_path)
    status = wy_csv_create(&path, &r->path_csv, message);
  if (status == WY_OK) {
    wy_h5_def def = h5_def(r);
    status = wy_h5_create(&def, &r->h5, message);
  }
  if (status == WY_OK)
    status = wy_results_checkpoint(r, message);
  return status;
}

wy_status wy_results_create(const wy_results_def *def, wy_results **out, wy_message *message) {
  *out = NULL;
  wy_results *r = new_results(def);
  wy_status status = make_strands(r, message);
  if (status == WY_OK)
    status = wy_folder_make(def->folder, message);
  if (status == WY_OK)
    status = lock_folder(r, message);
  if (status == WY_OK)
    status = start(r, message);
  if (status == WY_OK)
    *out = r;
  else
    destroy(r);
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
                           "the run in %s is complete already, and its result is wrong: see `message` in its "
                           "summary.json",
                           r->def.folder);
  if (*complete)
    return WY_OK;
  const char *reason = !state.exists ? "there is no checkpoint in it"
                       : !state.done ? "its run failed, and would fail again in the same way"
                                     : "it holds a complete run of another scenario, other --set values or another "
                                       "version of withy";
  return wy_results_fail(message, WY_ERROR_INPUT, "nothing to resume in %s: %s; start again without --resume",
                         r->def.folder, reason);
}

static wy_status write_xdmf(wy_results *r, wy_message *message);

/* The files as they were when the checkpoint was taken. */
static wy_status reopen(wy_results *r, const wy_checkpoint *saved, wy_message *message) {
  wy_csv_def probes = csv_def(r), steps = steps_def(r), path = path_def(r);
  wy_status status = write_reserve(r, message);
  if (status == WY_OK)
    status = wy_csv_resume(&probes, (long)saved->rows, saved->csv_bytes, &r->csv, message);
  if (status == WY_OK && has_steps(r))
    status = wy_csv_resume(&steps, (long)saved->rows, saved->steps_bytes, &r->steps_csv, message);
  if (status == WY_OK && r->def.scenario->follows_path)
    status = wy_csv_resume(&path, (long)saved->path_rows, saved->path_bytes, &r->path_csv, message);
  if (status == WY_OK) {
    wy_h5_def def = h5_def(r);
    status = wy_h5_resume(&def, (long)saved->frames, &r->h5, message);
  }
  if (status == WY_OK)
    status = remove_file(r->summary, message);
  if (status == WY_OK)
    status = write_xdmf(r, message);
  r->last_time = saved->last_time;
  return status;
}

static wy_status resume(wy_results *r, bool *complete, wy_message *message) {
  *complete = false;
  wy_status status = make_strands(r, message);
  if (status == WY_OK)
    status = lock_folder(r, message);
  bool exists = false;
  wy_checkpoint saved = {0};
  if (status == WY_OK)
    status = wy_checkpoint_read(r->checkpoint, r->identity, &saved, r->def.sim, &exists, message);
  if (status == WY_OK && !exists)
    return nothing_to_resume(r, complete, message);
  if (status == WY_OK)
    status = wy_scenario_has_course(r->def.scenario) ? reopen(r, &saved, message) : start(r, message);
  r->wall_before = saved.wall_seconds;
  return status;
}

wy_status wy_results_resume(const wy_results_def *def, wy_results **out, wy_message *message) {
  *out = NULL;
  wy_results *r = new_results(def);
  bool complete;
  wy_status status = resume(r, &complete, message);
  if (status == WY_OK && !complete)
    *out = r;
  else
    destroy(r);
  return status;
}

/* Rows and frames that fall together, to rounding, are taken at the time of the row. */
static double due(const wy_results *r, bool *row, bool *frame) {
  const wy_scenario *scenario = r->def.scenario;
  long rows = wy_csv_rows(r->csv), frames = wy_h5_frames(r->h5);
  double row_time = INFINITY, frame_time = INFINITY;
  if (rows < r->row_count)
    row_time = wy_scenario_row_time(scenario, (int)rows);
  if (frames < r->frame_count)
    frame_time = wy_scenario_frame_time(scenario, (int)frames);
  double close = 1e-9 * fmin(scenario->output, scenario->frames);
  bool together = isfinite(row_time) && isfinite(frame_time) && fabs(row_time - frame_time) <= close;
  *row = together || row_time < frame_time;
  *frame = together || frame_time < row_time;
  return *row ? row_time : frame_time;
}

double wy_results_due(const wy_results *r) {
  bool row, frame;
  return due(r, &row, &frame);
}

bool wy_results_empty(const wy_results *r) {
  return wy_csv_rows(r->csv) == 0 && wy_h5_frames(r->h5) == 0;
}

static wy_status not_finite(wy_results *r, int rod, double value, wy_message *message) {
  wy_status status = wy_h5_check(r->h5, message); /* knows the place */
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

static wy_status write_xdmf(wy_results *r, wy_message *message) {
  long frames = wy_h5_frames(r->h5);
  wy_pool pool = {NULL};
  double *times = wy_pool_take(&pool, (size_t)frames * sizeof *times);
  wy_xdmf_def def = {r->xdmf_lines, r->xdmf_count, times, frames, wy_h5_capacity(r->h5)};
  wy_status status = wy_h5_times(r->h5, times, message);
  if (status == WY_OK)
    status = wy_xdmf_write(r->xdmf, &def, message);
  if (status == WY_OK) {
    r->xdmf_frames = frames;
    r->xdmf_capacity = def.capacity;
  }
  wy_pool_release(&pool);
  return status;
}

/* File errors do not know the time. */
static wy_status at_time(wy_status status, double t, wy_message *message) {
  if (status == WY_ERROR_FILE) {
    wy_message told = *message;
    wy_results_fail(message, status, "t = %.9g: %.990s", t, told.text);
  }
  return status;
}

wy_status wy_results_record(wy_results *r, wy_message *message) {
  bool row, frame;
  due(r, &row, &frame);
  double t = wy_sim_time(r->def.sim);
  wy_status status = check_energies(r, message);
  if (status == WY_OK && row)
    status = wy_csv_append(r->csv, r->def.sim, message);
  if (status == WY_OK && row && r->steps_csv)
    status = wy_csv_append(r->steps_csv, r->def.sim, message);
  if (status == WY_OK && frame)
    status = wy_h5_append(r->h5, message);
  if (status == WY_OK && r->xdmf_frames > 0 && r->xdmf_capacity != wy_h5_capacity(r->h5))
    status = write_xdmf(r, message);
  if (status == WY_OK)
    r->last_time = t;
  return at_time(status, t, message);
}

wy_status wy_results_record_path(wy_results *r, wy_message *message) {
  wy_status status = wy_csv_append(r->path_csv, r->def.sim, message);
  return at_time(status, wy_sim_time(r->def.sim), message);
}

wy_status wy_results_add_modes(wy_results *r, const wy_mode_table *modes, wy_message *message) {
  wy_status status = wy_mode_table_write(modes, modes->buckling ? r->buckling : r->modes, message);
  if (status == WY_OK)
    status = wy_h5_add_modes(r->h5, modes, message);
  return at_time(status, wy_sim_time(r->def.sim), message);
}

wy_status wy_results_checkpoint(wy_results *r, wy_message *message) {
  wy_checkpoint checkpoint = {.identity = r->identity,
                              .rows = wy_csv_rows(r->csv),
                              .frames = wy_h5_frames(r->h5),
                              .csv_bytes = wy_csv_bytes(r->csv),
                              .steps_bytes = r->steps_csv ? wy_csv_bytes(r->steps_csv) : 0,
                              .path_rows = r->path_csv ? wy_csv_rows(r->path_csv) : 0,
                              .path_bytes = r->path_csv ? wy_csv_bytes(r->path_csv) : 0,
                              .last_time = r->last_time,
                              .wall_seconds = wy_results_wall_seconds(r)};
  wy_status status = wy_checkpoint_write(r->checkpoint, &checkpoint, r->def.sim, message);
  /* Written whenever the frames have doubled, the picture of a long run costs no more than once in full. */
  if (status == WY_OK && checkpoint.frames > 0 && checkpoint.frames >= 2 * r->xdmf_frames)
    status = write_xdmf(r, message);
  return at_time(status, wy_sim_time(r->def.sim), message);
}

double wy_results_wall_seconds(const wy_results *r) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return r->wall_before + (double)(now.tv_sec - r->started.tv_sec) + 1e-9 * (double)(now.tv_nsec - r->started.tv_nsec);
}

/* The first failure is the one to report: what follows on a full disk is its consequence. */
static void note(wy_run_report *report, wy_status status, const wy_message *message) {
  if (status == WY_OK || report->end == WY_RUN_FAILED)
    return;
  report->end = WY_RUN_FAILED;
  snprintf(report->message, sizeof report->message, "%s", message->text);
}

void wy_results_finish(wy_results *r, wy_run_report *report) {
  wy_message message = {{0}, {0}};
  report->rows = wy_csv_rows(r->csv);
  report->frames = wy_h5_frames(r->h5);
  report->t_end = r->last_time;
  report->drift = wy_summary_drift(&r->def, WY_ALL_RODS);
  report->statistics = wy_summary_statistics(&r->def, WY_ALL_RODS);
  note(report, wy_csv_close(r->csv, &message), &message);
  r->csv = NULL;
  note(report, wy_csv_close(r->steps_csv, &message), &message);
  r->steps_csv = NULL;
  note(report, wy_csv_close(r->path_csv, &message), &message);
  r->path_csv = NULL;
  note(report, wy_h5_trim(r->h5, &message), &message);
  note(report, write_xdmf(r, &message), &message);
  note(report, wy_h5_close(r->h5, &message), &message);
  r->h5 = NULL;
  note(report, remove_file(r->reserve, &message), &message);
  r->reserved = false;
  report->wall_seconds = wy_results_wall_seconds(r);
  bool moves = r->def.scenario->analysis == WY_DYNAMICS;
  report->realtime_factor = moves && report->wall_seconds > 0 ? report->t_end / report->wall_seconds : 0;
  note(report, wy_summary_write(r->summary, &r->def, r->identity, report, &message), &message);
  if (report->end == WY_RUN_DONE || !report->resumable)
    note(report, remove_file(r->checkpoint, &message), &message);
  destroy(r);
}
