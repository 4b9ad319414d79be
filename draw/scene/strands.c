/* SPDX-License-Identifier: MIT */
/* What the 3D page shows as strands: those that follow guides, and the recorded rods of batches, with the numbers in
   which these differ and the tips of all. */
#include <math.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

/* ---- What there is ---- */

static wy_status find_position(wy_scene_run *run, wy_scene_strands *strands, const char *group, wy_message *message) {
  const char *path = wy_memory_print(run->memory, "%s/position", group);
  strands->radius = wy_folder_number(run->folder, group, "radius", 0);
  wy_status status = wy_folder_field(run->folder, path, 3, &strands->position, message);
  if (status == WY_OK && (!strands->position || strands->position->points < 2))
    status = wy_folder_damaged(run->folder, path, message);
  return status;
}

static double length_of(const double *values, int count) {
  double square = 0;
  for (int c = 0; c < count; c++)
    square += values[c] * values[c];
  return sqrt(square);
}

/* A number, or the length of a vector, for each rod. What is the same for all, and poses, are left out. */
static wy_status find_number(wy_scene_run *run, wy_scene_batch *batch, const char *path, const char *name,
                             wy_message *message) {
  const wy_stored_numbers *stored = NULL;
  const int count = batch->of->count;
  wy_status status = wy_folder_numbers(run->folder, path, &stored, message);
  if (status != WY_OK || !stored)
    return status;
  const int size = stored->size[1] * stored->size[2];
  if (stored->size[0] != count)
    return wy_folder_damaged(run->folder, path, message);
  if (size != 1 && size != 3)
    return WY_OK;
  double *values = wy_memory_take(run->memory, (size_t)count, sizeof *values);
  bool differ = false;
  for (int i = 0; i < count; i++) {
    const double *of = stored->values + (size_t)i * (size_t)size;
    values[i] = size == 1 ? of[0] : length_of(of, size);
    differ = differ || values[i] != values[0];
    if (!isfinite(values[i]))
      return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s of rod %d is not a finite number",
                             wy_folder_path(run->folder), path, i);
  }
  if (differ)
    batch->numbers[batch->number_count++] = (wy_scene_number){.name = name, .values = values};
  return WY_OK;
}

/* Those by which rods differ from the start, and how they have fared. */
static wy_status find_numbers(wy_scene_run *run, wy_scene_batch *batch, const char *group, wy_message *message) {
  const char *const homes[2] = {wy_memory_print(run->memory, "%s/numbers", group),
                                wy_memory_print(run->memory, "%s/status", group)};
  int count[2] = {0};
  const char *const *names[2] = {NULL};
  wy_status status = WY_OK;
  for (int k = 0; k < 2 && status == WY_OK; k++)
    status = wy_folder_names(run->folder, homes[k], &count[k], &names[k], message);
  batch->numbers = wy_memory_take(run->memory, (size_t)count[0] + (size_t)count[1], sizeof *batch->numbers);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < count[k] && status == WY_OK; i++)
      status =
          find_number(run, batch, wy_memory_print(run->memory, "%s/%s", homes[k], names[k][i]), names[k][i], message);
  return status;
}

/* What the recorded rods have along them, with as many points as their positions. */
static wy_status find_velocity(wy_scene_run *run, const wy_scene_strands *strands, const char *group,
                               wy_message *message) {
  const char *path = wy_memory_print(run->memory, "%s/velocity", group);
  const wy_stored_field **velocity = &strands->batch->velocity;
  wy_status status = wy_folder_field(run->folder, path, 3, velocity, message);
  const bool fits = !*velocity || ((*velocity)->lines == strands->position->lines &&
                                   (*velocity)->points == strands->position->points);
  return status == WY_OK && !fits ? wy_folder_damaged(run->folder, path, message) : status;
}

static wy_status find_batch(wy_scene_run *run, const wy_folder_batch *of, wy_message *message) {
  wy_scene_strands *strands = &run->strands[run->strands_count];
  wy_scene_batch *batch = wy_memory_take(run->memory, 1, sizeof *batch);
  const char *group = wy_memory_print(run->memory, "/batches/%s", of->name);
  const char *tips = wy_memory_print(run->memory, "%s/tip", group);
  *strands = (wy_scene_strands){.name = of->name, .batch = batch};
  batch->of = of;
  wy_status status = find_position(run, strands, group, message);
  if (status == WY_OK && strands->position->lines != of->recorded_count)
    status = wy_folder_damaged(run->folder, wy_memory_print(run->memory, "%s/rods", group), message);
  if (status == WY_OK)
    status = find_velocity(run, strands, group, message);
  if (status == WY_OK)
    status = wy_folder_field(run->folder, tips, 3, &batch->tip, message);
  if (status == WY_OK && batch->tip && batch->tip->lines != of->count)
    status = wy_folder_damaged(run->folder, tips, message);
  if (status == WY_OK)
    status = find_numbers(run, batch, group, message);
  run->strands_count += status == WY_OK;
  return status;
}

wy_status wy_scene_find_strands(wy_scene_run *run, wy_message *message) {
  int count = 0, batches = 0;
  const char *const *names = NULL;
  const wy_folder_batch *list = NULL;
  wy_status status = wy_folder_names(run->folder, "/strands", &count, &names, message);
  if (status == WY_OK)
    status = wy_folder_batches(run->folder, &batches, &list, message);
  run->strands = wy_memory_take(run->memory, (size_t)count + (size_t)batches, sizeof *run->strands);
  for (int i = 0; i < count && status == WY_OK; i++) {
    wy_scene_strands *strands = &run->strands[run->strands_count++];
    strands->name = names[i];
    status = find_position(run, strands, wy_memory_print(run->memory, "/strands/%s", names[i]), message);
  }
  for (int i = 0; i < batches && status == WY_OK; i++)
    if (!list[i].copies)
      status = find_batch(run, &list[i], message);
  return status;
}

bool wy_scene_has_batches(const wy_scene_run *run) {
  for (int i = 0; i < run->strands_count; i++)
    if (run->strands[i].batch)
      return true;
  return false;
}

/* ---- Its arrays ---- */

/* Every step-th line of a field of positions. */
static wy_scene_array of_lines(const wy_scene_run *run, const wy_stored_field *field, const wy_scene_places *points,
                               int step, int count) {
  return (wy_scene_array){.type = run->strands_rounded ? WY_SCENE_U16 : WY_SCENE_F32,
                          .snapshots = run->shown,
                          .values = 3 * (size_t)count * (size_t)points->count,
                          .components = 3,
                          .field = field,
                          .places = points,
                          .line_step = step};
}

/* Of the rods that are shown: `rods` has their numbers; NULL: every step-th of all. */
static wy_scene_array *add_numbers(wy_scene_run *run, const double *rods, int step, int count, const double *values) {
  double *chosen = wy_memory_take(run->memory, (size_t)count, sizeof *chosen);
  for (int i = 0; i < count; i++) {
    const double rod = rods ? rods[(size_t)i * (size_t)step] : (double)i * step;
    chosen[i] = values ? values[(size_t)rod] : rod;
  }
  return wy_scene_add_fixed(run, WY_SCENE_F64, chosen, count, 1);
}

static wy_status build_tips(wy_scene_run *run, const wy_scene_strands *strands, wy_message *message) {
  static const int root = 0;
  static const wy_scene_places only = {1, &root, NULL};
  wy_scene_batch *batch = strands->batch;
  const int step = wy_scene_tip_step(run, strands);
  batch->tip_count = (batch->tip->lines - 1) / step + 1;
  batch->tip_rods = add_numbers(run, NULL, step, batch->tip_count, NULL);
  return wy_scene_add_positions(run, of_lines(run, batch->tip, &only, step, batch->tip_count), strands->radius,
                                &batch->tips, message);
}

static wy_status build(wy_scene_run *run, wy_scene_strands *strands, wy_message *message) {
  const int step = wy_scene_line_step(run, strands);
  wy_scene_batch *batch = strands->batch;
  strands->count = (strands->position->lines - 1) / step + 1;
  strands->points = wy_scene_choose_points(run, strands->position->points);
  wy_status status =
      wy_scene_add_positions(run, of_lines(run, strands->position, &strands->points, step, strands->count),
                             strands->radius, &strands->positions, message);
  if (status != WY_OK || !batch)
    return status;
  const double *rods = batch->of->recorded;
  batch->rods = add_numbers(run, rods, step, strands->count, NULL);
  for (int i = 0; i < batch->number_count; i++)
    batch->numbers[i].array = add_numbers(run, rods, step, strands->count, batch->numbers[i].values);
  if (batch->velocity) {
    wy_scene_array speed = of_lines(run, batch->velocity, &strands->points, step, strands->count);
    speed.values /= 3;
    speed.components = 1;
    speed.value = WY_SCENE_LENGTH;
    status = wy_scene_add_spread(run, speed, &batch->speed, message);
  }
  if (status != WY_OK)
    return status;
  return batch->tip ? build_tips(run, strands, message) : WY_OK;
}

wy_status wy_scene_build_strands(wy_scene_run *run, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < run->strands_count && status == WY_OK; i++)
    status = build(run, &run->strands[i], message);
  return status;
}

/* ---- In the header ---- */

static void put_batch(wy_json *json, const wy_scene_batch *batch) {
  wy_json_object(json, "batch");
  wy_json_integer(json, "count", batch->of->count);
  wy_scene_put_array(json, "rods", batch->rods);
  wy_json_object(json, "numbers");
  for (int i = 0; i < batch->number_count; i++)
    wy_scene_put_array(json, batch->numbers[i].name, batch->numbers[i].array);
  wy_json_end_object(json);
  wy_scene_put_array(json, "speed", batch->speed);
  if (batch->tips) {
    wy_json_object(json, "tips");
    wy_json_integer(json, "count", batch->tip_count);
    wy_scene_put_array(json, "rods", batch->tip_rods);
    wy_scene_put_array(json, "position", batch->tips);
    wy_json_end_object(json);
  }
  wy_json_end_object(json);
}

void wy_scene_put_strands(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "strands");
  for (int i = 0; i < run->strands_count; i++) {
    const wy_scene_strands *strands = &run->strands[i];
    wy_json_object(json, NULL);
    wy_json_string(json, "name", strands->name);
    wy_json_integer(json, "count", strands->count);
    wy_json_integer(json, "points", strands->points.count);
    wy_json_number(json, "radius", strands->radius);
    wy_scene_put_array(json, "position", strands->positions);
    if (strands->batch)
      put_batch(json, strands->batch);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}
