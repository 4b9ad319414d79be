/* SPDX-License-Identifier: MIT */
/* What a run's folder has for the 3D page: fields, names, sections, ends, how the run ended. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/results.h"

static const double thin_part = 0.005; /* of the length: a radius that was chosen for drawing */

void wy_scene_note(wy_scene_run *run, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (run->note_count < WY_SCENE_NOTES)
    run->notes[run->note_count++] = wy_memory_copy(run->memory, line, strlen(line));
}

static const char *text_of(const wy_scene_run *run, const char *path, const char *name) {
  const char *text = wy_folder_text(run->folder, path, name);
  return text ? text : "";
}

/* `count` finite numbers of a dataset that does not change with time; *out is NULL where it is not there, or not so. */
static wy_status find_fixed(wy_scene_run *run, const char *path, int count, const double **out, wy_message *message) {
  const wy_stored_numbers *numbers = NULL;
  wy_status status = wy_folder_numbers(run->folder, path, &numbers, message);
  bool good = numbers && (long long)numbers->size[0] * numbers->size[1] * numbers->size[2] == count;
  for (int i = 0; good && i < count; i++)
    good = isfinite(numbers->values[i]);
  *out = good ? numbers->values : NULL;
  return status;
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

static void describe_section(wy_scene_run *run, wy_scene_rod *rod, const double *radius) {
  static const char *const shapes[] = {[WY_SECTION_NONE] = "circle",
                                       [WY_CIRCLE] = "circle",
                                       [WY_ANNULUS] = "annulus",
                                       [WY_RECTANGLE] = "rectangle",
                                       [WY_EXPLICIT] = "circle"};
  int count = rod->position->points;
  const wy_section *section = rod->index >= 0 ? &wy_model_rod(run->model, rod->index)->section : NULL;
  double *half = wy_memory_take(run->memory, 2 * (size_t)count, sizeof *half);
  rod->section = section ? shapes[section->shape] : "circle";
  for (int i = 0; i < 2 * count; i++) {
    double s = rod->position->s[i / 2];
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

static wy_status find_actuator(wy_scene_run *run, const wy_scene_rod *rod, const char *path, wy_scene_actuator *out,
                               wy_message *message) {
  const char *force = wy_memory_print(run->memory, "%s/force", path);
  const char *offset = wy_memory_print(run->memory, "%s/offset", path);
  out->kind = text_of(run, path, "kind");
  wy_status status = find_fixed(run, offset, 2 * rod->position->points, &out->file_offset, message);
  if (status == WY_OK && !out->file_offset)
    status = wy_folder_damaged(run->folder, offset, message);
  if (status == WY_OK)
    status = wy_folder_field(run->folder, force, 1, &out->field, message);
  if (status == WY_OK && (!out->field || out->field->points != 1))
    status = wy_folder_damaged(run->folder, force, message);
  return status;
}

static wy_status find_actuators(wy_scene_run *run, wy_scene_rod *rod, wy_message *message) {
  const char *group = wy_memory_print(run->memory, "/rods/%s/actuators", rod->name), *const *names = NULL;
  wy_status status = wy_folder_names(run->folder, group, &rod->actuator_count, &names, message);
  rod->actuators = wy_memory_take(run->memory, (size_t)rod->actuator_count, sizeof *rod->actuators);
  for (int i = 0; i < rod->actuator_count && status == WY_OK; i++)
    status =
        find_actuator(run, rod, wy_memory_print(run->memory, "%s/%s", group, names[i]), &rod->actuators[i], message);
  return status;
}

static wy_status find_fields(wy_scene_run *run, wy_scene_rod *rod, wy_message *message) {
  const struct {
    const char *name;
    int components, least; /* so many points there must be */
    const wy_stored_field **field;
  } fields[] = {{"position", 3, 2, &rod->position},   {"frame", 4, 1, &rod->frame},      {"strain", 3, 0, &rod->strain},
                {"curvature", 3, 0, &rod->curvature}, {"force", 3, 0, &rod->force},      {"moment", 3, 0, &rod->moment},
                {"contact", 3, 0, &rod->contact},     {"velocity", 3, 0, &rod->velocity}};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof fields / sizeof *fields && status == WY_OK; i++) {
    status =
        wy_folder_rod_field(run->folder, rod->name, fields[i].name, fields[i].components, fields[i].field, message);
    int points = *fields[i].field ? (*fields[i].field)->points : 0;
    if (status == WY_OK && points < fields[i].least)
      status = wy_folder_damaged(run->folder, wy_memory_print(run->memory, "/rods/%s/%s", rod->name, fields[i].name),
                                 message);
  }
  return status;
}

static wy_status find_rod(wy_scene_run *run, const char *name, wy_scene_rod *rod, wy_message *message) {
  const char *path = wy_memory_print(run->memory, "/rods/%s", name);
  const double *radius = NULL;
  rod->name = name;
  rod->model = text_of(run, path, "model");
  rod->scheme = text_of(run, path, "scheme");
  rod->integrator = text_of(run, path, "integrator");
  double segments = wy_folder_number(run->folder, path, "segments", 0);
  double length = wy_folder_number(run->folder, path, "length", 0);
  wy_status status = find_fields(run, rod, message);
  if (status != WY_OK)
    return status;
  const wy_stored_field *position = rod->position;
  rod->segments = segments >= 1 && segments < INT_MAX ? (int)segments : position->points - 1;
  rod->length = length > 0 ? length : position->s[position->points - 1] - position->s[0];
  rod->index = run->model ? wy_scenario_rod(wy_folder_scenario(run->folder), name) : -1;
  for (int i = 0; rod->index >= 0 && i < 2; i++)
    rod->ends[i] = end_name(&wy_model_rod(run->model, rod->index)->ends[i]);
  status = find_fixed(run, wy_memory_print(run->memory, "%s/radius", path), position->points, &radius, message);
  describe_section(run, rod, radius);
  return status == WY_OK ? find_actuators(run, rod, message) : status;
}

static wy_status find_rods(wy_scene_run *run, wy_message *message) {
  int count = 0, batches = 0;
  const wy_folder_batch *list = NULL;
  const char *const *names = NULL;
  wy_status status = wy_folder_rods(run->folder, &count, &names, message);
  if (status == WY_OK)
    status = wy_folder_batches(run->folder, &batches, &list, message);
  if (status == WY_OK && count + batches == 0 && !(run->model && wy_model_rod_count(run->model) == 0))
    status = wy_folder_damaged(run->folder, "/rods", message);
  run->rods = wy_memory_take(run->memory, (size_t)count, sizeof *run->rods);
  for (int i = 0; i < count && status == WY_OK; i++)
    status = find_rod(run, names[i], &run->rods[run->rod_count++], message);
  return status;
}

/* ---- The folder ---- */

static wy_status find_snapshots(wy_scene_run *run, wy_message *message) {
  wy_status status = wy_folder_snapshots(run->folder, &run->snapshots, &run->time_in_file, message);
  if (status != WY_OK || run->snapshots > 0)
    return status;
  return wy_results_fail(message, WY_ERROR_INPUT,
                         wy_folder_has(run->folder, "result.h5")
                             ? "%s/result.h5 contains no complete snapshot; has the run just started?"
                             : "%s/result.h5 is missing; the snapshots are in this file, which `withy run` writes",
                         wy_folder_path(run->folder));
}

wy_status wy_scene_find(wy_folder *folder, wy_memory *memory, wy_scene_run *run, wy_message *message) {
  *run = (wy_scene_run){.folder = folder, .memory = memory};
  wy_status status = wy_folder_check(folder, message);
  if (status == WY_OK)
    status = find_snapshots(run, message);
  if (status == WY_OK)
    status = wy_facts_read(folder, memory, &run->facts, message);
  if (status != WY_OK)
    return status;
  run->analysis = wy_folder_analysis(folder);
  run->model = wy_folder_model(folder);
  if (!run->model)
    wy_scene_note(run, "This version cannot read the scenario of the run: its ends, sections and undeformed shapes are "
                       "not shown.");
  run->name = text_of(run, "/", "name");
  run->status = wy_facts_find(&run->facts, "status");
  run->message = wy_facts_find(&run->facts, "message");
  if (!run->status)
    wy_scene_note(run, "The run has not ended, or was killed: it is shown until t = %.6g.",
                  run->time_in_file[run->snapshots - 1]);
  status = find_rods(run, message);
  if (status == WY_OK)
    status = wy_scene_find_network(run, message);
  if (status == WY_OK)
    status = wy_scene_find_obstacles(run, message);
  return status == WY_OK ? wy_scene_find_strands(run, message) : status;
}
