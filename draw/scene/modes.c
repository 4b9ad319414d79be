/* SPDX-License-Identifier: MIT */
/* The modes of the 3D page. */
#include "draw/modes.h"

#include <math.h>
#include <stdlib.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

static wy_scene_array *add_shape(wy_scene_run *run, const double *data, int points) {
  return wy_scene_add(
      run, (wy_scene_array){
               .type = WY_SCENE_F32, .snapshots = 1, .values = 3 * (size_t)points, .components = 3, .data = data});
}

/* The change of d1 by a body rotation v, to first order. */
static void turn_directors(const double *d1, const double *d2, const double *v, int count, double factor, double *out) {
  for (int i = 0; i < 3 * count; i += 3)
    for (int c = 0; c < 3; c++) {
      int next = (c + 1) % 3, after = (c + 2) % 3;
      double d3 = d1[i + next] * d2[i + after] - d1[i + after] * d2[i + next];
      out[i + c] = factor * (v[i + 2] * d2[i + c] - v[i + 1] * d3);
    }
}

static void add_mode(wy_scene_run *run, int rod, const wy_stored_shapes *in, int k, double factor,
                     wy_scene_mode *mode) {
  const double *s = run->rods[rod].shown_s;
  int count = run->rods[rod].points.count;
  size_t points = (size_t)in->points, frames = (size_t)in->frames, state = in->own ? (size_t)k : 0;
  wy_scene_places at = wy_scene_locate(run->memory, in->s, in->points, s, count);
  wy_scene_places at_frame = wy_scene_locate(run->memory, in->frame_s, in->frames, s, count);
  double *data = wy_memory_take(run->memory, 6 * 3 * (size_t)count, sizeof *data), *part[6];
  for (int i = 0; i < 6; i++)
    part[i] = data + 3 * (size_t)count * (size_t)i;
  double *displacement = part[0], *change = part[1], *position = part[2], *d1 = part[3], *d2 = part[4], *v = part[5];
  wy_scene_vectors(in->displacement + (size_t)k * 3 * points, 3, &at, displacement);
  wy_scene_vectors(in->rotation + (size_t)k * 3 * frames, 3, &at_frame, v);
  wy_scene_vectors(in->position + state * 3 * points, 3, &at, position);
  wy_scene_directors(in->frame + state * 4 * frames, &at_frame, WY_SCENE_D1, d1);
  wy_scene_directors(in->frame + state * 4 * frames, &at_frame, WY_SCENE_D2, d2);
  turn_directors(d1, d2, v, count, factor, change);
  for (int i = 0; i < 3 * count; i++)
    displacement[i] *= factor;
  mode->rod = rod;
  mode->body = -1;
  mode->base = position;
  mode->displacement = add_shape(run, displacement, count);
  mode->d1 = add_shape(run, change, count);
  if (in->own) {
    mode->position = add_shape(run, position, count);
    mode->director = add_shape(run, d1, count);
  }
}

static void add_body_mode(wy_scene_run *run, int body, const wy_stored_shapes *in, int k, double factor,
                          wy_scene_mode *mode) {
  size_t state = in->own ? (size_t)k : 0;
  double *data = wy_memory_take(run->memory, 6, sizeof *data);
  for (int c = 0; c < 3; c++) {
    data[c] = factor * in->displacement[3 * k + c];
    data[3 + c] = factor * in->rotation[3 * k + c];
  }
  mode->rod = -1;
  mode->body = body;
  mode->base = in->position + 3 * state;
  mode->displacement = add_shape(run, data, 1);
  mode->rotation = add_shape(run, data + 3, 1);
  if (in->own) {
    mode->position = add_shape(run, mode->base, 1);
    mode->frame = wy_scene_add(
        run, (wy_scene_array){
                 .type = WY_SCENE_F32, .snapshots = 1, .values = 4, .components = 4, .data = in->frame + 4 * state});
  }
}

static bool is_finite(const wy_scene_mode *mode) {
  const wy_scene_array *arrays[] = {mode->displacement, mode->d1,       mode->rotation,
                                    mode->position,     mode->director, mode->frame};
  for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
    for (size_t i = 0; arrays[a] && i < arrays[a]->values; i++)
      if (!isfinite(arrays[a]->data[i]))
        return false;
  return true;
}

static const char *label_mode(wy_scene_run *run, const wy_stored_modes *table, int number) {
  double value = table->value[number - 1], damping = table->damping_ratio ? table->damping_ratio[number - 1] : 0;
  if (run->analysis == WY_BUCKLING)
    return wy_memory_print(run->memory, "factor = %.4g", value);
  return damping != 0 ? wy_memory_print(run->memory, "omega = %.4g, damping ratio %.3g", value, damping)
                      : wy_memory_print(run->memory, "omega = %.4g", value);
}

/* The number of a shape if it is shown: motions of a rod as a whole (omega = 0) are left out, unless there is nothing
   else. Otherwise 0. */
static int shown_number(const wy_stored_modes *table, const wy_stored_shapes *shapes, int k) {
  bool all = true;
  for (int i = 0; i < table->count; i++)
    all = all && table->value[i] == 0;
  if (!(shapes->number[k] >= 1 && shapes->number[k] <= table->count))
    return 0;
  int number = (int)shapes->number[k];
  return table->value[number - 1] == 0 && !all ? 0 : number;
}

/* Rods, then bodies. */
static const char *part_name(const wy_scene_run *run, int part) {
  return part < run->rod_count ? run->rods[part].name : run->bodies[part - run->rod_count].name;
}

static wy_status find_extents(wy_scene_run *run, const wy_stored_modes *table, wy_mode_extent *extents, int *count,
                              wy_message *message) {
  wy_status status = WY_OK;
  for (int part = 0; part < run->rod_count + run->body_count && status == WY_OK; part++) {
    const wy_stored_shapes *shapes = NULL;
    status = wy_folder_shapes(run->folder, part_name(run, part), &shapes, message);
    for (int k = 0; shapes && k < shapes->count && status == WY_OK; k++) {
      int number = shown_number(table, shapes, k);
      if (number > 0)
        wy_modes_widen(shapes, k, &extents[number - 1]);
      *count += number > 0;
    }
  }
  return status;
}

static wy_status add_part(wy_scene_run *run, int part, const wy_stored_modes *table, const wy_mode_extent *extents,
                          wy_message *message) {
  const wy_stored_shapes *shapes = NULL;
  wy_status status = wy_folder_shapes(run->folder, part_name(run, part), &shapes, message);
  for (int k = 0; shapes && k < shapes->count && status == WY_OK; k++) {
    int number = shown_number(table, shapes, k);
    if (number == 0)
      continue;
    wy_scene_mode *mode = &run->modes[run->mode_count++];
    double factor = wy_modes_factor(&extents[number - 1]);
    if (part < run->rod_count)
      add_mode(run, part, shapes, k, factor, mode);
    else
      add_body_mode(run, part - run->rod_count, shapes, k, factor, mode);
    mode->number = number;
    mode->label = label_mode(run, table, number);
    if (!is_finite(mode))
      status = wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: /modes/%s: mode %d is not finite",
                               wy_folder_path(run->folder), part_name(run, part), number);
  }
  return status;
}

/* Rods before bodies. */
static int by_number(const void *a, const void *b) {
  const wy_scene_mode *left = a, *right = b;
  if (left->number != right->number)
    return left->number - right->number;
  if ((left->rod < 0) != (right->rod < 0))
    return left->rod < 0 ? 1 : -1;
  return left->rod != right->rod ? left->rod - right->rod : left->body - right->body;
}

wy_status wy_scene_build_modes(wy_scene_run *run, wy_message *message) {
  const wy_stored_modes *table = NULL;
  int count = 0;
  if (run->analysis != WY_MODES && run->analysis != WY_BUCKLING)
    return WY_OK;
  wy_status status = wy_folder_modes(run->folder, &table, message);
  if (status != WY_OK || !table)
    return status;
  wy_mode_extent *extents = wy_memory_take(run->memory, (size_t)table->count, sizeof *extents);
  status = find_extents(run, table, extents, &count, message);
  run->modes = wy_memory_take(run->memory, (size_t)count, sizeof *run->modes);
  for (int part = 0; part < run->rod_count + run->body_count && status == WY_OK; part++)
    status = add_part(run, part, table, extents, message);
  if (run->mode_count > 0)
    qsort(run->modes, (size_t)run->mode_count, sizeof *run->modes, by_number);
  return status;
}
