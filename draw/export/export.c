/* SPDX-License-Identifier: MIT */
/* wy_export: what is exported, and where to. The formats have files of their own. */
#include "draw/export/export.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draw/file.h"
#include "draw/gnuplot.h"

enum { FEWEST_SIDES = 3, USUAL_SIDES = 16 };
static const uint32_t initialised = 0x65787032; /* "exp2" */
WY_DEF_ENDS_WITH(wy_export_def, context);

static const struct {
  const char *name;
  wy_export_shape usual;
  unsigned shapes; /* possible ones, a bit each */
  wy_status (*write)(wy_export_job *job, wy_message *message);
} formats[] = {
    [WY_EXPORT_GLB] = {"glb", WY_EXPORT_TUBES, 1u << WY_EXPORT_TUBES, wy_export_glb},
    [WY_EXPORT_OBJ] = {"obj", WY_EXPORT_TUBES, 1u << WY_EXPORT_TUBES | 1u << WY_EXPORT_LINES, wy_export_obj},
    [WY_EXPORT_CSV] = {"csv", WY_EXPORT_LINES, 1u << WY_EXPORT_LINES, wy_export_csv},
    [WY_EXPORT_USDA] = {"usda", WY_EXPORT_LINES, 1u << WY_EXPORT_TUBES | 1u << WY_EXPORT_LINES, wy_export_usda},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const char *wy_export_format_name(wy_export_format format) {
  return (unsigned)format < FORMATS ? formats[format].name : NULL;
}

void wy_init_export_def(wy_export_def *def, size_t size) {
  const wy_export_def usual = {
      .cookie = initialised, .size = sizeof usual, .at = NAN, .sides = USUAL_SIDES, .scale = 1, .speed = 1};
  wy_def_fill(def, size, &usual);
}

/* ---- Files ---- */

const char *wy_export_path(wy_export_job *job, const char *between) {
  const char *path = job->def.path, *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  if (!between)
    return path;
  size_t stem = dot && dot != base ? (size_t)(dot - path) : strlen(path);
  return wy_memory_print(job->memory, "%.*s.%s%s", (int)stem, path, between, path + stem);
}

wy_status wy_export_begin(wy_export_job *job, const char *path, wy_message *message) {
  job->path = path;
  job->part = wy_memory_print(job->memory, "%s.part", path);
  job->out = fopen(job->part, "wb");
  return job->out ? WY_OK : wy_file_error(message, errno, "writing", path);
}

wy_status wy_export_end(wy_export_job *job, wy_status status, wy_message *message) {
  FILE *out = job->out;
  if (!out)
    return status;
  job->out = NULL;
  status = wy_draw_close(out, status, job->path, message);
  status = wy_draw_replace(job->part, job->path, status, message);
  if (status == WY_OK && job->def.wrote)
    job->def.wrote(job->def.context, job->path);
  return status;
}

void wy_export_words(FILE *out, const char *text, const char *special) {
  for (; *text; text++) {
    if (strchr(special, *text))
      fputc('\\', out);
    fputc(iscntrl((unsigned char)*text) ? ' ' : *text, out);
  }
}

static bool is_folder(const char *path) {
  struct stat place;
  return stat(path, &place) == 0 && S_ISDIR(place.st_mode);
}

static wy_status choose_path(wy_export_job *job, wy_message *message) {
  if (!job->def.path)
    job->def.path = wy_draw_join(job->memory, wy_folder_path(job->run.folder),
                                 wy_memory_print(job->memory, "result.%s", formats[job->def.format].name));
  const char *path = job->def.path, *folder = dirname(wy_memory_copy(job->memory, path, strlen(path)));
  if (!is_folder(folder))
    return wy_results_fail(message, WY_ERROR_INPUT, "there is no folder %s for the file", folder);
  if (is_folder(path))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is a folder; expected the name of a file", path);
  return WY_OK;
}

/* ---- What is exported ---- */

static wy_status check(const wy_folder *folder, const wy_export_def *def, wy_message *message) {
  if (!folder || (def->path && !def->path[0]))
    return wy_results_fail(message, WY_ERROR_INPUT, "found no %s; expected one",
                           folder ? "name of the file" : "folder of a run");
  if (!wy_export_format_name(def->format))
    return wy_results_fail(message, WY_ERROR_INPUT, "there is no format number %d", (int)def->format);
  if ((unsigned)def->shape > WY_EXPORT_LINES ||
      (def->shape && !(formats[def->format].shapes & 1u << (unsigned)def->shape)))
    return wy_results_fail(message, WY_ERROR_INPUT, "a %s file has %s; found %s", formats[def->format].name,
                           formats[def->format].usual == WY_EXPORT_TUBES ? "tubes" : "lines",
                           def->shape == WY_EXPORT_TUBES   ? "tubes"
                           : def->shape == WY_EXPORT_LINES ? "lines"
                                                           : "neither tubes nor lines");
  if (def->snapshots < 0 || def->snapshots == 1)
    return wy_results_fail(message, WY_ERROR_INPUT, "found %d snapshots; expected at least 2, or 0 for all",
                           def->snapshots);
  if (def->sides < FEWEST_SIDES || def->sides > WY_EXPORT_MOST_SIDES)
    return wy_results_fail(message, WY_ERROR_INPUT, "a tube has %d sides; expected %d to %d", def->sides, FEWEST_SIDES,
                           WY_EXPORT_MOST_SIDES);
  if (def->up && !strchr("xyz", def->up))
    return wy_results_fail(message, WY_ERROR_INPUT, "up is '%c'; expected x, y or z", def->up);
  if (!isfinite(def->scale) || !isfinite(def->speed) || def->scale <= 0 || def->speed <= 0 || isinf(def->at))
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "scale is %g, speed is %g, time is %g; expected finite numbers, scale and speed positive",
                           def->scale, def->speed, def->at);
  return WY_OK;
}

/* The rods of a batch have no names. */
static wy_status refuse_rod(const wy_scene_run *run, const char *name, wy_message *message) {
  const char *batch = NULL;
  for (int i = 0; i < run->strands_count; i++)
    batch = run->strands[i].batch && strncmp(name, run->strands[i].name, strlen(run->strands[i].name)) == 0
                ? run->strands[i].name
                : batch;
  if (batch)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s/result.h5: there is no rod '%s'; the recorded rods of the batch %s are exported "
                           "together, without a choice of a rod",
                           wy_folder_path(run->folder), name, batch);
  return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: there is no rod '%s'; %s%s%s",
                         wy_folder_path(run->folder), name, run->rod_count > 0 ? "the first is '" : "there is none",
                         run->rod_count > 0 ? run->rods[0].name : "", run->rod_count > 0 ? "'" : "");
}

static wy_status choose_rod(wy_export_job *job, wy_message *message) {
  wy_scene_run *run = &job->run;
  if (!job->def.rod)
    return WY_OK;
  for (int r = 0; r < run->rod_count; r++)
    if (strcmp(run->rods[r].name, job->def.rod) == 0) {
      run->rods += r;
      run->rod_count = 1;
      run->strands_count = run->body_count = 0;
      return WY_OK;
    }
  return refuse_rod(run, job->def.rod, message);
}

/* So that the corners of all its sections can be counted. */
static wy_status check_points(const wy_export_job *job, wy_message *message) {
  for (int r = 0; r < job->run.rod_count; r++)
    if (job->run.rods[r].position->points > INT_MAX / 4 / WY_EXPORT_MOST_SIDES)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: rod '%s' has %d points; expected fewer than %d",
                             wy_folder_path(job->run.folder), job->run.rods[r].name, job->run.rods[r].position->points,
                             INT_MAX / 4 / WY_EXPORT_MOST_SIDES);
  return WY_OK;
}

/* One of them, or as many as are wanted. */
static wy_status choose_snapshots(wy_export_job *job, wy_message *message) {
  wy_scene_run *run = &job->run;
  const double *time = run->time_in_file, at = job->def.at;
  wy_status status = wy_scene_check_times(run, message);
  if (status != WY_OK)
    return status;
  wy_scene_plan(run, job->def.snapshots, INFINITY);
  job->snapshots = run->shown;
  if (isnan(at))
    return WY_OK;
  double last = time[run->snapshots - 1];
  if (at < time[0] || at > last)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s/result.h5: there is no snapshot near t = %.9g; they go from t = %.9g to %.9g",
                           wy_folder_path(run->folder), at, time[0], last);
  job->snapshots = 1;
  for (int i = 1; i < run->snapshots; i++)
    if (fabs(time[i] - at) < fabs(time[job->first] - at))
      job->first = i;
  return WY_OK;
}

/* The axis of the run that is nearest to up, and the turn from there to y. */
static wy_status choose_up(wy_export_job *job, wy_message *message) {
  double up[3] = {job->def.up == 'x', job->def.up == 'y', job->def.up == 'z'};
  wy_status status = wy_export_bounds(job, message);
  if (status != WY_OK)
    return status;
  if (!job->def.up)
    wy_scene_up(&job->run, up);
  int largest = fabs(up[1]) >= fabs(up[0]) ? 1 : 0;
  largest = fabs(up[2]) >= fabs(up[largest]) ? 2 : largest;
  job->up[largest] = up[largest] < 0 ? -1 : 1;
  /* The shortest turn from u to y is along u x y = (-u3, 0, u1); from -y to y it is half a turn about x. */
  double w = 1 + job->up[1], x = job->up[1] < 0 ? 1 : -job->up[2], z = job->up[0], length = sqrt(w * w + x * x + z * z);
  job->turn[0] = w / length;
  job->turn[1] = x / length;
  job->turn[3] = z / length;
  return WY_OK;
}

static wy_status make(wy_export_job *job, wy_folder *folder, wy_message *message) {
  if (setjmp(job->memory->begin) != 0)
    return wy_export_end(job, wy_memory_failed(message), message);
  wy_status status = wy_scene_find(folder, job->memory, &job->run, message);
  if (status == WY_OK)
    status = choose_rod(job, message);
  if (status == WY_OK)
    status = check_points(job, message);
  if (status == WY_OK)
    status = choose_path(job, message);
  if (status == WY_OK)
    status = choose_snapshots(job, message);
  if (status == WY_OK) {
    wy_export_prepare(job);
    status = job->def.format == WY_EXPORT_CSV ? WY_OK : choose_up(job, message);
  }
  return status == WY_OK ? wy_export_end(job, formats[job->def.format].write(job, message), message) : status;
}

wy_status wy_export(wy_folder *folder, const wy_export_def *given, wy_message *message) {
  wy_export_def own = wy_default_export_def();
  const wy_export_def *def = wy_def_read(given, &own, "export", "", message);
  wy_status status = def ? check(folder, def, message) : WY_ERROR_INPUT;
  if (status != WY_OK)
    return status;
  wy_memory memory = {0};
  wy_export_job job = {.def = *def, .memory = &memory};
  if (!def->shape)
    job.def.shape = formats[def->format].usual;
  status = make(&job, folder, message);
  for (int i = 0; i < WY_EXPORT_TEXTS; i++)
    wy_text_free(&job.texts[i]);
  wy_memory_release(&memory);
  return status;
}
