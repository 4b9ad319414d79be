/* SPDX-License-Identifier: MIT */
/* The arrays of the 3D page: which there are, how they are stored, and their ranges. */
#include <math.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

static const double visible_shear = 0.05; /* the angle between section and centreline from which it is shown */
static const double farthest = 1e30;      /* what the page's single precision can calculate with */

const char *const wy_scene_quantities[WY_SCENE_QUANTITIES] = {"curvature", "torsion", "force",
                                                              "moment",    "contact", "speed"};

wy_scene_array *wy_scene_add(wy_scene_run *run, wy_scene_array array) {
  static const size_t bytes[] = {[WY_SCENE_F64] = 8, [WY_SCENE_F32] = 4, [WY_SCENE_U16] = 2, [WY_SCENE_I16] = 2};
  wy_scene_array *kept = wy_memory_take(run->memory, 1, sizeof *kept);
  *kept = array;
  kept->offset = run->bytes;
  run->bytes += ((uint64_t)array.snapshots * array.values * bytes[array.type] + 7) / 8 * 8;
  *(run->last ? &run->last->next : &run->first) = kept;
  run->last = kept;
  return kept;
}

wy_scene_array *wy_scene_add_fixed(wy_scene_run *run, wy_scene_type type, const double *data, int count,
                                   int components) {
  return wy_scene_add(run, (wy_scene_array){.type = type,
                                            .snapshots = 1,
                                            .values = (size_t)count * (size_t)components,
                                            .components = components,
                                            .data = data});
}

wy_status wy_scene_range(const wy_scene_run *run, wy_scene_array *array, wy_message *message) {
  wy_scene_reader reader = wy_scene_begin(run, array);
  int components = array->components, count;
  for (int c = 0; c < 3; c++) {
    array->low[c] = INFINITY;
    array->high[c] = -INFINITY;
  }
  while ((count = wy_scene_next(&reader, message)) > 0) {
    const double *number = reader.numbers, *end = number + (size_t)count * array->values;
    for (; number < end; number += components)
      for (int c = 0; c < components; c++) {
        array->low[c] = fmin(array->low[c], number[c]);
        array->high[c] = fmax(array->high[c], number[c]);
      }
  }
  wy_scene_end(&reader);
  return count < 0 ? WY_ERROR_INPUT : WY_OK;
}

/* 16 bits over the range of each component. */
static void spread(wy_scene_array *array) {
  for (int c = 0; c < array->components; c++) {
    array->shift[c] = array->low[c];
    array->scale[c] = (array->high[c] - array->low[c]) / 65535;
  }
}

void wy_scene_extend(wy_scene_run *run, const double low[3], const double high[3], double margin) {
  for (int c = 0; c < 3; c++) {
    run->bounds[0][c] = fmin(run->bounds[0][c], low[c] - margin);
    run->bounds[1][c] = fmax(run->bounds[1][c], high[c] + margin);
  }
}

wy_scene_places wy_scene_choose_points(wy_scene_run *run, int total) {
  int count = wy_scene_shown(total, run->point_step);
  int *point = wy_memory_take(run->memory, (size_t)count, sizeof *point);
  for (int k = 0; k < count; k++)
    point[k] = wy_scene_pick(total, run->point_step, k);
  return (wy_scene_places){count, point, NULL};
}

/* Those of `from`, with some components at each point of the file, that belong to the shown points. */
static double *choose(wy_scene_run *run, const wy_scene_places *points, const double *from, int components) {
  double *chosen = wy_memory_take(run->memory, (size_t)points->count * (size_t)components, sizeof *chosen);
  wy_scene_vectors(from, components, points, chosen);
  return chosen;
}

wy_status wy_scene_add_positions(wy_scene_run *run, wy_scene_array array, double margin, wy_scene_array **out,
                                 wy_message *message) {
  *out = wy_scene_add(run, array);
  wy_status status = wy_scene_range(run, *out, message);
  if (status != WY_OK)
    return status;
  wy_scene_extend(run, (*out)->low, (*out)->high, margin);
  for (int c = 0; c < 3; c++)
    if (fmax(fabs((*out)->low[c]), fabs((*out)->high[c])) > farthest)
      return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s is larger than %g; a page cannot show that",
                             wy_folder_path(run->folder), array.field->path, farthest);
  if (array.type == WY_SCENE_U16)
    spread(*out);
  return WY_OK;
}

/* Where a quantity is stored at the shown points. */
static const wy_scene_places *locate(wy_scene_run *run, const wy_scene_rod *rod, const wy_stored_field *field) {
  wy_scene_places *places = wy_memory_take(run->memory, 1, sizeof *places);
  double *s = rod->shown_s;
  if (field == rod->contact) { /* loads do not go on beyond the middles of the outermost segments */
    s = wy_memory_take(run->memory, (size_t)rod->points.count, sizeof *s);
    for (int i = 0; i < rod->points.count; i++)
      s[i] = fmin(fmax(rod->shown_s[i], field->s[0]), field->s[field->points - 1]);
  }
  *places = wy_scene_locate(run->memory, field->s, field->points, s, rod->points.count);
  return places;
}

static wy_scene_array *add_directors(wy_scene_run *run, const wy_scene_rod *rod, wy_scene_value value) {
  wy_scene_array array = {.type = WY_SCENE_I16,
                          .snapshots = run->shown,
                          .values = 3 * (size_t)rod->points.count,
                          .components = 3,
                          .field = rod->frame,
                          .places = locate(run, rod, rod->frame),
                          .value = value};
  for (int c = 0; c < 3; c++)
    array.scale[c] = 1.0 / 32767;
  return wy_scene_add(run, array);
}

wy_status wy_scene_add_spread(wy_scene_run *run, wy_scene_array array, wy_scene_array **out, wy_message *message) {
  array.type = WY_SCENE_U16;
  *out = wy_scene_add(run, array);
  wy_status status = wy_scene_range(run, *out, message);
  if (status == WY_OK)
    spread(*out);
  return status;
}

static wy_status add_quantity(wy_scene_run *run, const wy_scene_rod *rod, const wy_stored_field *field,
                              wy_scene_value value, wy_scene_array **out, wy_message *message) {
  return field ? wy_scene_add_spread(run,
                                     (wy_scene_array){.snapshots = run->shown,
                                                      .values = (size_t)rod->points.count,
                                                      .components = 1,
                                                      .field = field,
                                                      .places = locate(run, rod, field),
                                                      .line_step = 1,
                                                      .value = value},
                                     out, message)
               : WY_OK;
}

/* Is the angle between the sections and the centreline large enough to be seen? */
static wy_status find_shear(const wy_scene_run *run, const wy_scene_rod *rod, bool *sheared, wy_message *message) {
  *sheared = false;
  if (!rod->strain)
    return WY_OK;
  wy_scene_array strain = {
      .snapshots = run->shown, .values = 3 * (size_t)rod->strain->points, .components = 3, .field = rod->strain};
  wy_scene_reader reader = wy_scene_begin(run, &strain);
  int count;
  while ((count = wy_scene_next(&reader, message)) > 0)
    for (size_t i = 0; i < (size_t)count * strain.values && !*sheared; i += 3)
      *sheared = hypot(reader.numbers[i], reader.numbers[i + 1]) > visible_shear * fabs(1 + reader.numbers[i + 2]);
  wy_scene_end(&reader);
  return count < 0 ? WY_ERROR_INPUT : WY_OK;
}

static wy_scene_array *add_rest(wy_scene_run *run, const wy_scene_rod *rod) {
  int count = rod->points.count;
  double *rest = wy_memory_take(run->memory, 3 * (size_t)count, sizeof *rest), frame[4];
  for (int i = 0; i < count; i++)
    wy_model_reference(run->model, rod->index, rod->shown_s[i], rest + 3 * (size_t)i, frame);
  return wy_scene_add_fixed(run, WY_SCENE_F32, rest, count, 3);
}

static wy_status build_rod(wy_scene_run *run, wy_scene_rod *rod, wy_message *message) {
  const struct {
    const wy_stored_field *field;
    wy_scene_value value;
  } quantities[WY_SCENE_QUANTITIES] = {{rod->curvature, WY_SCENE_BENDING}, {rod->curvature, WY_SCENE_TWIST},
                                       {rod->force, WY_SCENE_LENGTH},      {rod->moment, WY_SCENE_LENGTH},
                                       {rod->contact, WY_SCENE_LENGTH},    {rod->velocity, WY_SCENE_LENGTH}};
  bool moving = run->analysis == WY_DYNAMICS, sheared = false;
  rod->points = wy_scene_choose_points(run, rod->position->points);
  int count = rod->points.count;
  rod->shown_s = choose(run, &rod->points, rod->position->s, 1);
  rod->s = wy_scene_add_fixed(run, WY_SCENE_F64, rod->shown_s, count, 1);
  rod->half = wy_scene_add_fixed(run, WY_SCENE_F32, choose(run, &rod->points, rod->file_half, 2), count, 2);
  const wy_scene_array positions = {.type = run->rods_rounded ? WY_SCENE_U16 : WY_SCENE_F32,
                                    .snapshots = run->shown,
                                    .values = 3 * (size_t)count,
                                    .components = 3,
                                    .field = rod->position,
                                    .places = &rod->points,
                                    .line_step = 1};
  wy_status status = wy_scene_add_positions(run, positions, rod->largest_half, &rod->positions, message);
  if (status == WY_OK)
    status = find_shear(run, rod, &sheared, message);
  rod->d1 = add_directors(run, rod, WY_SCENE_D1);
  if (sheared)
    rod->d2 = add_directors(run, rod, WY_SCENE_D2);
  if (rod->index >= 0)
    rod->rest = add_rest(run, rod);
  for (int q = 0; q < WY_SCENE_QUANTITIES - !moving && status == WY_OK; q++)
    status = add_quantity(run, rod, quantities[q].field, quantities[q].value, &rod->quantities[q], message);
  for (int i = 0; i < rod->actuator_count; i++) {
    wy_scene_actuator *actuator = &rod->actuators[i];
    actuator->offset =
        wy_scene_add_fixed(run, WY_SCENE_F32, choose(run, &rod->points, actuator->file_offset, 2), count, 2);
    actuator->force = wy_scene_add(
        run,
        (wy_scene_array){
            .type = WY_SCENE_F32, .snapshots = run->shown, .values = 1, .components = 1, .field = actuator->field});
  }
  return status;
}

/* The displaced shapes of modes are seen, too. */
static void include_modes(wy_scene_run *run) {
  for (int i = 0; i < run->mode_count; i++) {
    const wy_scene_mode *mode = &run->modes[i];
    const double *d = mode->displacement->data;
    for (size_t k = 0; k < mode->displacement->values; k += 3) {
      double low[3], high[3];
      for (int c = 0; c < 3; c++) {
        low[c] = mode->base[k + (size_t)c] - fabs(d[k + (size_t)c]);
        high[c] = mode->base[k + (size_t)c] + fabs(d[k + (size_t)c]);
      }
      wy_scene_extend(run, low, high,
                      mode->rod >= 0 ? run->rods[mode->rod].largest_half : run->bodies[mode->body].solid.reach);
    }
  }
}

/* The page calculates with seven digits: far from the origin few of them are left for the shape of the rods. */
static void note_distance(wy_scene_run *run) {
  double size = 0, distance = 0;
  for (int c = 0; c < 3; c++) {
    size = fmax(size, run->bounds[1][c] - run->bounds[0][c]);
    distance = fmax(distance, fmax(fabs(run->bounds[0][c]), fabs(run->bounds[1][c])));
  }
  if (distance > 5000 * size)
    wy_scene_note(run,
                  "The rods are very far from the origin compared with their size: they are drawn with low accuracy.");
}

wy_status wy_scene_check_times(const wy_scene_run *run, wy_message *message) {
  const double *time = run->time_in_file;
  for (int i = 0; i < run->snapshots; i++)
    if (!isfinite(time[i]) || (i > 0 && !(time[i] > time[i - 1])))
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s/result.h5: /time is %.9g in snapshot %d; expected finite numbers "
                             "that increase",
                             wy_folder_path(run->folder), time[i], i);
  return WY_OK;
}

wy_status wy_scene_build(wy_scene_run *run, wy_message *message) {
  double *time = wy_memory_take(run->memory, (size_t)run->shown, sizeof *time);
  for (int k = 0; k < run->shown; k++)
    time[k] = run->time_in_file[wy_scene_pick(run->snapshots, run->snapshot_step, k)];
  for (int c = 0; c < 3; c++) {
    run->bounds[0][c] = INFINITY;
    run->bounds[1][c] = -INFINITY;
  }
  wy_status status = wy_scene_check_times(run, message);
  run->time = wy_scene_add_fixed(run, WY_SCENE_F64, time, run->shown, 1);
  for (int r = 0; r < run->rod_count && status == WY_OK; r++)
    status = build_rod(run, &run->rods[r], message);
  if (status == WY_OK)
    status = wy_scene_build_strands(run, message);
  if (status == WY_OK)
    status = wy_scene_build_network(run, message);
  if (status == WY_OK)
    status = wy_scene_build_obstacles(run, message);
  if (status == WY_OK)
    status = wy_scene_build_charts(run, message);
  if (status == WY_OK)
    status = wy_scene_build_modes(run, message);
  if (status == WY_OK) {
    include_modes(run);
    note_distance(run);
  }
  return status;
}
