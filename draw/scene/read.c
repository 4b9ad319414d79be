/* What a run's folder has for the 3D page: datasets and their sizes, names, sections, ends, how the run ended. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"
#include "run/results/results.h"

enum { MOST_NUMBERS = 100000000 /* of a dataset in a frame: more is damage */ };

static const double thin_part = 0.005; /* of the length: a radius that was chosen for drawing */

const char *wy_scene_text(wy_scene_run *run, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  size_t size = length > 0 ? (size_t)length + 1 : 1;
  char *text = wy_pool_take(&run->pool, size);
  va_start(arguments, format);
  vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return text;
}

void wy_scene_note(wy_scene_run *run, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  wy_text_add(&run->notes, "%s\n", line);
}

/* ---- Parts of the file ---- */

static wy_status damaged(const wy_scene_run *run, const char *path, wy_message *message) {
  return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s is missing or not of the expected size",
                         run->folder, path);
}

/* A dataset [T], [T][count][components] or [T][lines][count][components] with all complete frames. False where it is
   there, but something else; where it is not there, its count is 0. */
static bool find_track(wy_scene_run *run, const char *path, int rank, int components, wy_scene_track *track) {
  *track = (wy_scene_track){.path = path, .lines = 1, .components = components};
  hid_t set = H5Dopen2(run->file, path, H5P_DEFAULT);
  if (set < 0)
    return true;
  hid_t space = H5Dget_space(set);
  hsize_t size[4] = {0};
  bool good = H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
              size[0] >= (hsize_t)run->plot.frames;
  hsize_t lines = rank == 4 ? size[1] : 1, count = rank == 1 ? 1 : size[rank - 2];
  good = good && (rank == 1 || size[rank - 1] == (hsize_t)components) && count < MOST_NUMBERS && lines < MOST_NUMBERS &&
         lines * count * (hsize_t)components < MOST_NUMBERS;
  track->lines = (int)lines;
  track->count = good ? (int)count : 0;
  H5Sclose(space);
  H5Dclose(set);
  return good;
}

/* `count` numbers of a dataset that does not change in time, or NULL. */
static double *read_fixed(wy_scene_run *run, const char *path, int count) {
  int size[3];
  double *block = wy_plot_read_block(run->file, path, -1, size), *kept = NULL;
  bool good = block && (long long)size[0] * size[1] * size[2] == count;
  for (int i = 0; good && i < count; i++)
    good = isfinite(block[i]);
  if (good) {
    kept = wy_pool_take(&run->pool, (size_t)count * sizeof *kept);
    memcpy(kept, block, (size_t)count * sizeof *kept);
  }
  free(block);
  return kept;
}

/* A track along a rod, with the arc lengths of its points. */
static wy_status find_along(wy_scene_run *run, const wy_scene_rod *rod, const char *name, const char *s_name,
                            int components, wy_scene_track *track, wy_message *message) {
  const char *path = wy_scene_text(run, "/rods/%s/%s", rod->name, name);
  if (!find_track(run, path, 3, components, track))
    return damaged(run, path, message);
  if (track->count == 0)
    return WY_OK;
  const char *s_path = wy_scene_text(run, "/rods/%s/%s", rod->name, s_name);
  track->s = read_fixed(run, s_path, track->count);
  for (int i = 1; track->s && i < track->count; i++)
    if (!(track->s[i] > track->s[i - 1]))
      track->s = NULL;
  return track->s ? WY_OK : damaged(run, s_path, message);
}

static double read_number(hid_t object, const char *name, double otherwise) {
  double value = otherwise;
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  if (attribute < 0)
    return otherwise;
  hid_t space = H5Aget_space(attribute);
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0 || !isfinite(value))
    value = otherwise;
  H5Sclose(space);
  H5Aclose(attribute);
  return value;
}

static const char *read_word(wy_scene_run *run, hid_t object, const char *name) {
  char *text = wy_plot_read_text(object, name);
  const char *kept = wy_pool_copy(&run->pool, text ? text : "", text ? strlen(text) : 0);
  free(text);
  return kept;
}

/* The names in a group, and how many there are; none where there is no such group. */
static const char **read_names(wy_scene_run *run, const char *path, int *count) {
  *count = 0;
  hid_t group = H5Gopen2(run->file, path, H5P_DEFAULT);
  H5G_info_t info;
  if (group < 0)
    return NULL;
  int links = H5Gget_info(group, &info) >= 0 && info.nlinks < INT_MAX / 8 ? (int)info.nlinks : 0;
  const char **names = wy_pool_take(&run->pool, ((size_t)links + 1) * sizeof *names);
  for (int i = 0; i < links; i++) {
    ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, NULL, 0, H5P_DEFAULT);
    if (length <= 0)
      continue;
    char *name = wy_pool_take(&run->pool, (size_t)length + 1);
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, (size_t)length + 1, H5P_DEFAULT);
    names[(*count)++] = name;
  }
  H5Gclose(group);
  return names;
}

/* ---- Rods ---- */

static const char *end_name(const wy_end *end) {
  int free_count = 0, driven = end->rotation == WY_DRIVEN;
  for (int i = 0; i < 3; i++) {
    free_count += end->position[i] == WY_FREE;
    driven += end->position[i] == WY_DRIVEN;
  }
  if (driven)
    return "driven";
  if (end->rotation == WY_FREE)
    return free_count == 3 ? "free" : "pinned";
  return "clamped";
}

static void describe_section(wy_scene_run *run, wy_scene_rod *rod) {
  static const char *const shapes[] = {[WY_SECTION_NONE] = "circle",
                                       [WY_CIRCLE] = "circle",
                                       [WY_ANNULUS] = "annulus",
                                       [WY_RECTANGLE] = "rectangle",
                                       [WY_EXPLICIT] = "circle"};
  int count = rod->position.count;
  const wy_section *section = rod->index >= 0 ? &wy_model_rod(run->model, rod->index)->section : NULL;
  const double *radius = read_fixed(run, wy_scene_text(run, "/rods/%s/radius", rod->name), count);
  double *half = wy_pool_take(&run->pool, 2 * (size_t)count * sizeof *half);
  rod->section = section ? shapes[section->shape] : "circle";
  for (int i = 0; i < 2 * count; i++) {
    double s = rod->position.s[i / 2];
    half[i] = section && section->shape == WY_RECTANGLE
                  ? wy_results_signal(i % 2 ? &section->height : &section->width, s, 0) / 2
              : radius ? radius[i / 2]
                       : 0;
    rod->largest_half = fmax(rod->largest_half, half[i]);
  }
  rod->thin = rod->largest_half <= 0;
  if (rod->thin)
    rod->largest_half = thin_part * rod->length;
  for (int i = 0; rod->thin && i < 2 * count; i++)
    half[i] = rod->largest_half;
  rod->file_half = half;
}

static wy_status read_actuators(wy_scene_run *run, wy_scene_rod *rod, wy_message *message) {
  int count = 0;
  const char *folder = wy_scene_text(run, "/rods/%s/actuators", rod->name);
  const char **names = read_names(run, folder, &count);
  rod->actuators = wy_pool_take(&run->pool, ((size_t)count + 1) * sizeof *rod->actuators);
  for (int i = 0; i < count; i++) {
    wy_scene_actuator *actuator = &rod->actuators[rod->actuator_count++];
    const char *path = wy_scene_text(run, "%s/%s", folder, names[i]);
    const char *force = wy_scene_text(run, "%s/force", path), *offset = wy_scene_text(run, "%s/offset", path);
    hid_t group = H5Gopen2(run->file, path, H5P_DEFAULT);
    if (group < 0)
      return damaged(run, path, message);
    actuator->kind = read_word(run, group, "kind");
    H5Gclose(group);
    actuator->file_offset = read_fixed(run, offset, 2 * rod->position.count);
    if (!actuator->file_offset)
      return damaged(run, offset, message);
    if (!find_track(run, force, 1, 1, &actuator->track) || actuator->track.count == 0)
      return damaged(run, force, message);
  }
  return WY_OK;
}

static wy_status find_tracks(wy_scene_run *run, wy_scene_rod *rod, wy_message *message) {
  const struct {
    const char *name, *s_name;
    int components;
    wy_scene_track *track;
  } tracks[] = {{"position", "s", 3, &rod->position},         {"frame", "frame_s", 4, &rod->frame},
                {"strain", "strain_s", 3, &rod->strain},      {"curvature", "curvature_s", 3, &rod->curvature},
                {"force", "force_s", 3, &rod->force},         {"moment", "moment_s", 3, &rod->moment},
                {"velocity", "velocity_s", 3, &rod->velocity}};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof tracks / sizeof *tracks && status == WY_OK; i++)
    status = find_along(run, rod, tracks[i].name, tracks[i].s_name, tracks[i].components, tracks[i].track, message);
  if (status == WY_OK && rod->position.count < 2)
    return damaged(run, rod->position.path, message);
  if (status == WY_OK && rod->frame.count < 1)
    return damaged(run, rod->frame.path, message);
  return status;
}

static wy_status read_rod(wy_scene_run *run, const char *name, wy_scene_rod *rod, wy_message *message) {
  const char *path = wy_scene_text(run, "/rods/%s", name);
  hid_t group = H5Gopen2(run->file, path, H5P_DEFAULT);
  if (group < 0)
    return damaged(run, path, message);
  rod->name = name;
  rod->model = read_word(run, group, "model");
  rod->scheme = read_word(run, group, "scheme");
  rod->integrator = read_word(run, group, "integrator");
  double segments = read_number(group, "segments", 0), length = read_number(group, "length", 0);
  H5Gclose(group);
  wy_status status = find_tracks(run, rod, message);
  if (status != WY_OK)
    return status;
  const wy_scene_track *position = &rod->position;
  rod->segments = segments >= 1 && segments < INT_MAX ? (int)segments : position->count - 1;
  rod->length = length > 0 ? length : position->s[position->count - 1] - position->s[0];
  rod->index = run->model ? wy_plot_find_rod(run->scenario, name) : -1;
  for (int i = 0; rod->index >= 0 && i < 2; i++)
    rod->ends[i] = end_name(&wy_model_rod(run->model, rod->index)->ends[i]);
  describe_section(run, rod);
  return read_actuators(run, rod, message);
}

static int by_index(const void *a, const void *b) {
  return ((const wy_scene_rod *)a)->index - ((const wy_scene_rod *)b)->index;
}

static wy_status read_rods(wy_scene_run *run, wy_message *message) {
  int count = 0;
  const char **names = read_names(run, "/rods", &count);
  run->rods = wy_pool_take(&run->pool, ((size_t)count + 1) * sizeof *run->rods);
  wy_status status = count > 0 ? WY_OK : damaged(run, "/rods", message);
  for (int i = 0; i < count && status == WY_OK; i++)
    status = read_rod(run, names[i], &run->rods[run->rod_count++], message);
  qsort(run->rods, (size_t)run->rod_count, sizeof *run->rods, by_index);
  return status;
}

static wy_status read_strands(wy_scene_run *run, wy_message *message) {
  int count = 0;
  const char **names = read_names(run, "/strands", &count);
  run->strands = wy_pool_take(&run->pool, ((size_t)count + 1) * sizeof *run->strands);
  for (int i = 0; i < count; i++) {
    wy_scene_strands *strands = &run->strands[run->strands_count++];
    const char *folder = wy_scene_text(run, "/strands/%s", names[i]);
    const char *path = wy_scene_text(run, "%s/position", folder);
    hid_t group = H5Gopen2(run->file, folder, H5P_DEFAULT);
    if (group < 0)
      return damaged(run, folder, message);
    strands->name = names[i];
    strands->radius = read_number(group, "radius", 0);
    H5Gclose(group);
    if (!find_track(run, path, 4, 3, &strands->position) || strands->position.count < 2)
      return damaged(run, path, message);
  }
  return WY_OK;
}

/* ---- The folder ---- */

static wy_status open_result(wy_scene_run *run, wy_message *message) {
  const char *path = wy_scene_text(run, "%s/result.h5", run->folder);
  run->file = wy_plot_open(path);
  if (run->file < 0)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s is missing; the page is made of this file, which `withy run` writes", path);
  if (run->plot.frames < 1)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s holds no complete frame; is the run still at its beginning?",
                           path);
  return WY_OK;
}

wy_status wy_scene_open(const char *folder, wy_scene_run *run, wy_message *message) {
  *run = (wy_scene_run){.folder = folder, .file = -1};
  wy_status status = wy_plot_read(folder, &run->plot, message);
  if (status == WY_OK)
    status = open_result(run, message);
  if (status != WY_OK)
    return status;
  run->scenario = wy_plot_scenario(&run->plot);
  if (!run->scenario || wy_model_create(&run->scenario->model, &run->model, NULL) != WY_OK)
    wy_scene_note(run, "This version cannot read the scenario of the run: its ends, sections and undeformed shapes are "
                       "not shown.");
  run->name = read_word(run, run->file, "name");
  run->status = wy_plot_find_fact(&run->plot, "status");
  run->message = wy_plot_find_fact(&run->plot, "message");
  if (!run->status)
    wy_scene_note(run, "The run has not ended, or was killed: it is shown until t = %.6g.",
                  run->plot.frame_time[run->plot.frames - 1]);
  status = read_rods(run, message);
  return status == WY_OK ? read_strands(run, message) : status;
}

void wy_scene_close(wy_scene_run *run) {
  if (run->file >= 0)
    H5Fclose(run->file);
  wy_model_destroy(run->model);
  wy_scenario_destroy(run->scenario);
  wy_plot_free(&run->plot);
  wy_text_free(&run->notes);
  wy_pool_release(&run->pool);
}
