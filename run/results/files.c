/* SPDX-License-Identifier: MIT */
/* The files of a result folder: their names, the lock, files made new and files continued. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "run/results/clock.h"
#include "run/results/inside.h"
#include "run/results/json.h"
#include "run/results/sets.h"

/* ---- The folder ---- */

wy_status wy_results_lock(wy_results *r, wy_message *message) {
  r->lock = open(r->def.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (r->lock >= 0 && flock(r->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "another run is writing into %s now; choose another folder with -o DIR", r->def.folder);
  return WY_OK;
}

wy_status wy_results_remove(const char *path, wy_message *message) {
  return unlink(path) == 0 || errno == ENOENT ? WY_OK : wy_file_error(message, errno, "removing", path);
}

/* ---- The object ---- */

static uint64_t identity_of(const wy_results_def *def) {
  uint64_t hash = wy_hash(WY_HASH_START, def->scenario->text, strlen(def->scenario->text) + 1);
  for (int i = 0; i < def->scenario->setting_count; ++i)
    hash = wy_hash(hash, def->scenario->settings[i], strlen(def->scenario->settings[i]) + 1);
  for (int i = 0; i < def->scenario->file_count; ++i) {
    hash = wy_hash(hash, def->scenario->files[i].name, strlen(def->scenario->files[i].name) + 1);
    hash = wy_hash(hash, def->scenario->files[i].text, strlen(def->scenario->files[i].text) + 1);
  }
  return wy_hash(hash, wy_version(), strlen(wy_version()));
}

/* "" without a folder or without memory. */
static const char *path_of(wy_results *r, const char *name) {
  if (!r->def.folder)
    return "";
  size_t folder = strlen(r->def.folder), size = folder + strlen(name) + 2;
  char *path = wy_pool_take(&r->pool, size);
  if (!path)
    return "";
  bool slash = folder > 0 && r->def.folder[folder - 1] == '/';
  snprintf(path, size, "%s%s%s", r->def.folder, slash ? "" : "/", name);
  return path;
}

/* The recorded rods of batches. */
static void add_batch_lines(wy_results *r) {
  for (int i = 0; i < wy_batches_count(r->def.batches) && r->xdmf_lines; ++i) {
    const wy_scenario_batch *batch = wy_batches_def(r->def.batches, i);
    const wy_batch_info info = wy_batch_describe(wy_batches_at(r->def.batches, i));
    r->xdmf_lines[r->xdmf_count++] = (wy_xdmf_lines){.name = batch->name,
                                                     .rods = batch->recorded_count,
                                                     .points = info.segments + 1,
                                                     .has_velocity = true,
                                                     .single = info.precision == WY_BATCH_SINGLE};
  }
}

wy_results *wy_results_new(const wy_results_def *def) {
  wy_pool pool = {0};
  wy_results *r = wy_pool_take(&pool, sizeof *r);
  if (!r)
    return NULL;
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
  r->snapshot_count = wy_scenario_snapshot_count(def->scenario);
  int rods = wy_model_rod_count(def->model);
  int strands = def->scenario->strands_count;
  r->strands = wy_pool_take(&r->pool, (size_t)strands * sizeof *r->strands);
  int bodies = wy_model_body_count(def->model), obstacles = wy_model_obstacle_count(def->model);
  r->xdmf_lines = wy_pool_take(&r->pool, (size_t)(rods + bodies + obstacles + strands + def->scenario->batch_count) *
                                             sizeof *r->xdmf_lines);
  r->row = wy_pool_take(&r->pool, (size_t)def->scenario->column_count * sizeof *r->row);
  const wy_rod_sets sets = wy_rod_sets_find(def->scenario, def->model, def->sim, &r->pool);
  for (int i = 0; i < sets.count && r->xdmf_lines; ++i) {
    const wy_rod_set *set = &sets.list[i];
    const wy_view *view = wy_sim_view(def->sim, set->first);
    r->xdmf_lines[r->xdmf_count++] = (wy_xdmf_lines){.name = set->name,
                                                     .rods = set->count > 1 ? set->count : 0,
                                                     .points = view->position.count,
                                                     .has_velocity = wy_same_points(&view->position, &view->velocity)};
  }
  for (int body = 0; body < bodies && r->xdmf_lines; ++body)
    r->xdmf_lines[r->xdmf_count++] =
        (wy_xdmf_lines){.name = wy_model_body(def->model, body)->name, .points = 1, .has_velocity = true, .body = true};
  for (int i = 0; i < obstacles && r->xdmf_lines; ++i)
    r->xdmf_lines[r->xdmf_count++] =
        (wy_xdmf_lines){.name = wy_model_obstacle(def->model, i)->name, .points = 1, .obstacle = true};
  add_batch_lines(r);
  r->started = wy_wall_time();
  if (r->pool.failed) {
    pool = r->pool;
    wy_pool_release(&pool);
    return NULL;
  }
  return r;
}

wy_status wy_results_make_strands(wy_results *r, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < r->def.scenario->strands_count && status == WY_OK; ++i) {
    status =
        wy_strands_create(r->def.model, r->def.sim, wy_def_at(r->def.scenario->strands, i), &r->strands[i], message);
    if (status == WY_OK)
      r->xdmf_lines[r->xdmf_count++] = (wy_xdmf_lines){.name = wy_strands_name(r->strands[i]),
                                                       .strands = wy_strands_count(r->strands[i]),
                                                       .points = wy_strands_points(r->strands[i])};
  }
  return status;
}

void wy_results_destroy(wy_results *r) {
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

/* ---- New and old files ---- */

/* The checkpoint goes first: without its files it would be a trap. */
wy_status wy_results_remove_old_files(const wy_results *r, wy_message *message) {
  const char *const files[] = {r->checkpoint, r->summary, r->xdmf,  r->probes,  r->h5_path,
                               r->steps,      r->path,    r->modes, r->buckling};
  wy_text part = {0};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof files / sizeof files[0] && status == WY_OK; ++i) {
    part.length = 0;
    wy_text_add(&part, "%s.part", files[i]);
    status = part.failed ? wy_file_error(message, ENOMEM, "removing", files[i]) : wy_results_remove(files[i], message);
    if (status == WY_OK)
      status = wy_results_remove(part.data, message);
  }
  wy_text_free(&part);
  return status;
}

/* Nobody reads it, so it may well be half written for a moment. */
static wy_status write_reserve(wy_results *r, wy_message *message) {
  wy_pool pool = {0};
  size_t size = 16384 + 2048 * (size_t)(1 + wy_model_rod_count(r->def.model));
  const void *room = wy_pool_take(&pool, size);
  const int file = room ? open(r->reserve, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  int error = !room ? ENOMEM : file < 0 ? errno : wy_file_write_at(file, room, size, 0);
  if (file >= 0 && close(file) != 0 && !error)
    error = errno;
  r->reserved = file >= 0;
  wy_pool_release(&pool);
  return error ? wy_file_error(message, error, "writing", r->reserve) : WY_OK;
}

/* Takes the text into the memory of the results; NULL without memory. */
static const char *keep_text(wy_results *r, wy_text *text) {
  const char *kept = text->failed ? NULL : wy_pool_copy(&r->pool, text->data, text->length);
  wy_text_free(text);
  return kept;
}

static const char *settings_text(wy_results *r) {
  wy_text text = {0};
  wy_text_append(&text, "", 0);
  for (int i = 0; i < r->def.scenario->setting_count; ++i)
    wy_text_add(&text, "%s%s", i ? "\n" : "", r->def.scenario->settings[i]);
  return keep_text(r, &text);
}

/* So that the folder can be read without the files. */
static const char *files_text(wy_results *r) {
  const wy_scenario *scenario = r->def.scenario;
  wy_text text = {0};
  wy_json json = {.text = &text};
  if (scenario->file_count == 0)
    return "";
  wy_json_list(&json, NULL);
  for (int i = 0; i < scenario->file_count; ++i) {
    wy_json_object(&json, NULL);
    wy_json_string(&json, "name", scenario->files[i].name);
    wy_json_string(&json, "text", scenario->files[i].text);
    wy_json_end_object(&json);
  }
  wy_json_end_list(&json);
  return keep_text(r, &text);
}

static wy_h5_def h5_def(wy_results *r) {
  return (wy_h5_def){.path = r->h5_path,
                     .scenario = r->def.scenario,
                     .settings = settings_text(r),
                     .files = files_text(r),
                     .model = r->def.model,
                     .sim = r->def.sim,
                     .snapshot_count = r->snapshot_count,
                     .strands = r->strands,
                     .strands_count = r->def.scenario->strands_count,
                     .batches = r->def.batches};
}

static wy_csv_def csv_def(const wy_results *r) {
  return (wy_csv_def){r->probes, r->def.scenario, WY_CSV_PROBES, r->def.batches};
}

static wy_csv_def steps_def(const wy_results *r) {
  return (wy_csv_def){r->steps, r->def.scenario, WY_CSV_STEPS, r->def.batches};
}

static wy_csv_def path_def(const wy_results *r) {
  return (wy_csv_def){r->path, r->def.scenario, WY_CSV_PATH, r->def.batches};
}

/* Equilibria have no steps in time. */
static bool has_steps(const wy_results *r) {
  return r->def.scenario->analysis == WY_DYNAMICS;
}

wy_status wy_results_no_files(wy_results *r, wy_message *message) {
  r->memory_def = (wy_h5_def){.scenario = r->def.scenario,
                              .model = r->def.model,
                              .sim = r->def.sim,
                              .strands = r->strands,
                              .strands_count = r->def.scenario->strands_count,
                              .batches = r->def.batches};
  r->layout = wy_h5_plan(&r->memory_def, &r->pool);
  r->snapshot = wy_pool_take(&r->pool, r->layout.values * sizeof *r->snapshot);
  return r->pool.failed ? wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the run") : WY_OK;
}

wy_status wy_results_new_files(wy_results *r, wy_message *message) {
  wy_csv_def probes = csv_def(r), steps = steps_def(r), path = path_def(r);
  wy_status status = write_reserve(r, message);
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

wy_status wy_results_old_files(wy_results *r, const wy_checkpoint *saved, wy_message *message) {
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
    status = wy_h5_resume(&def, (long)saved->snapshots, &r->h5, message);
  }
  if (status == WY_OK)
    status = wy_results_remove(r->summary, message);
  if (status == WY_OK)
    status = wy_results_write_xdmf(r, message);
  r->last_time = saved->last_time;
  return status;
}
