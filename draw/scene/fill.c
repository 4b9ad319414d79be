/* SPDX-License-Identifier: MIT */
/* The numbers of the arrays of the 3D page: read from result.h5 a few snapshots at a time, taken to the points that are
   shown, and turned into what the array holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

enum { BLOCK_NUMBERS = 1 << 20 };

/* ---- Between points ---- */

wy_scene_places wy_scene_locate(wy_memory *memory, const double *from, int from_count, const double *to, int count) {
  int *point = wy_memory_take(memory, (size_t)count, sizeof *point);
  double *part = wy_memory_take(memory, (size_t)count, sizeof *part);
  for (int i = 0, at = 0; i < count && from_count > 1; i++) {
    while (at < from_count - 2 && from[at + 1] <= to[i])
      at++;
    point[i] = at;
    part[i] = (to[i] - from[at]) / (from[at + 1] - from[at]);
  }
  return (wy_scene_places){count, point, part};
}

void wy_scene_vectors(const double *from, int components, const wy_scene_places *places, double *out) {
  for (int i = 0; i < places->count; i++) {
    const double *a = from + (size_t)places->point[i] * (size_t)components;
    double part = places->part ? places->part[i] : 0;
    const double *b = part == 0 ? a : a + components;
    for (int c = 0; c < components; c++)
      *out++ = a[c] + part * (b[c] - a[c]);
  }
}

/* The rotation a part of the way from one to the other, the shorter way round; beyond them where the part says so. */
static void turn(const double from[4], const double to[4], double part, double out[4]) {
  double cosine = 0, square = 0;
  for (int c = 0; c < 4; c++)
    cosine += from[c] * to[c];
  double sign = cosine < 0 ? -1 : 1, angle = acos(fmin(fabs(cosine), 1));
  bool near = angle < 1e-4;
  double a = near ? 1 - part : sin((1 - part) * angle), b = near ? part : sin(part * angle);
  for (int c = 0; c < 4; c++) {
    out[c] = a * from[c] + sign * b * to[c];
    square += out[c] * out[c];
  }
  for (int c = 0; c < 4; c++)
    out[c] /= square > 0 ? sqrt(square) : 1;
}

void wy_scene_rotation(const double *quaternions, const wy_scene_places *places, int i, double out[4]) {
  const double *from = quaternions + 4 * (size_t)places->point[i];
  turn(from, places->part[i] == 0 ? from : from + 4, places->part[i], out);
}

void wy_scene_directors(const double *quaternions, const wy_scene_places *places, wy_scene_value value, double *out) {
  for (int i = 0; i < places->count; i++, out += 3) {
    double q[4];
    wy_scene_rotation(quaternions, places, i, q);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    if (value == WY_SCENE_D1) {
      out[0] = 1 - 2 * (y * y + z * z);
      out[1] = 2 * (x * y + w * z);
      out[2] = 2 * (x * z - w * y);
    } else {
      out[0] = 2 * (x * y - w * z);
      out[1] = 1 - 2 * (x * x + z * z);
      out[2] = 2 * (y * z + w * x);
    }
  }
}

/* ---- From the file ---- */

enum { MOST_WHOLE = 4 << 20 }; /* numbers of a snapshot: of larger fields only the lines that are shown are read */

static size_t line_values(const wy_stored_field *field) {
  return (size_t)field->points * (size_t)field->components;
}

static size_t field_values(const wy_stored_field *field) {
  return (size_t)field->lines * line_values(field);
}

/* Every so many-th of the lines of the field is read. */
static int step_of_lines(const wy_scene_array *array) {
  return array->line_step > 1 && field_values(array->field) > MOST_WHOLE ? array->line_step : 1;
}

static int lines_read(const wy_scene_array *array) {
  return (array->field->lines - 1) / step_of_lines(array) + 1;
}

/* What is read of a snapshot. */
static size_t raw_values(const wy_scene_array *array) {
  return (size_t)lines_read(array) * line_values(array->field);
}

static wy_status check_finite(const wy_scene_run *run, const wy_stored_field *field, int snapshot,
                              const double *numbers, size_t count, wy_message *message) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(numbers[i]))
      return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s, t = %.9g: %g is not a finite number",
                             wy_folder_path(run->folder), field->path, run->time_in_file[snapshot], numbers[i]);
  return WY_OK;
}

wy_status wy_scene_finite(const wy_scene_run *run, const wy_stored_field *field, int snapshot, const double *numbers,
                          wy_message *message) {
  return check_finite(run, field, snapshot, numbers, field_values(field), message);
}

static wy_status read_whole(const wy_scene_run *run, const wy_stored_field *field, int first, int count, double *out,
                            wy_message *message) {
  int total = run->snapshots, step = run->snapshot_step;
  bool ends = (first + count - 1) * (long long)step > total - 1; /* the last one is not a multiple of the step */
  wy_status status = wy_folder_read(run->folder, field, first * step, step, count - ends, out, message);
  if (status == WY_OK && ends)
    status =
        wy_folder_read(run->folder, field, total - 1, 1, 1, out + (size_t)(count - 1) * field_values(field), message);
  return status;
}

/* The shown snapshots `first` to `first + count`, all numbers of which must be finite. */
static bool read_snapshots(const wy_scene_run *run, const wy_scene_array *array, int first, int count, double *out,
                           wy_message *message) {
  const wy_stored_field *field = array->field;
  const size_t values = raw_values(array);
  const int step = step_of_lines(array);
  wy_status status = step == 1 ? read_whole(run, field, first, count, out, message) : WY_OK;
  for (int k = 0; k < count && status == WY_OK; k++) {
    const int snapshot = wy_scene_pick(run->snapshots, run->snapshot_step, first + k);
    double *numbers = out + (size_t)k * values;
    if (step > 1)
      status = wy_folder_read_lines(run->folder, field, snapshot, 0, step, lines_read(array), numbers, message);
    if (status == WY_OK)
      status = check_finite(run, field, snapshot, numbers, values, message);
  }
  return status == WY_OK;
}

static void shorten(const double *vectors, size_t count, wy_scene_value value, double *out) {
  for (size_t i = 0; i < count; i++, vectors += 3)
    out[i] = value == WY_SCENE_TWIST     ? vectors[2]
             : value == WY_SCENE_BENDING ? hypot(vectors[0], vectors[1])
                                         : hypot(hypot(vectors[0], vectors[1]), vectors[2]);
}

/* One snapshot of an array from one snapshot of its field. */
static void convert(const wy_scene_array *array, const double *raw, double *out) {
  const wy_stored_field *field = array->field;
  const wy_scene_places *places = array->places;
  const size_t next = line_values(field) * (size_t)(step_of_lines(array) > 1 ? 1 : array->line_step);
  if (!places) {
    memcpy(out, raw, array->values * sizeof *out);
  } else if (array->value == WY_SCENE_D1 || array->value == WY_SCENE_D2) {
    wy_scene_directors(raw, places, array->value, out);
  } else if (array->value == WY_SCENE_PLAIN) {
    size_t shown = (size_t)places->count * (size_t)field->components;
    for (size_t at = 0; at < array->values; at += shown, raw += next)
      wy_scene_vectors(raw, field->components, places, out + at);
  } else {
    double *vectors = out + array->values; /* room after the numbers of the snapshot */
    const size_t shown = (size_t)places->count;
    for (size_t at = 0; at < array->values; at += shown, raw += next)
      wy_scene_vectors(raw, 3, places, vectors + 3 * at);
    shorten(vectors, array->values, array->value, out);
  }
}

wy_scene_reader wy_scene_begin(const wy_scene_run *run, const wy_scene_array *array) {
  wy_scene_reader reader = {.run = run, .array = array};
  size_t raw = array->field ? raw_values(array) : 0, larger = raw > array->values ? raw : array->values;
  size_t block = larger > 0 ? BLOCK_NUMBERS / larger : 1;
  reader.block = block < 1 ? 1 : block < (size_t)array->snapshots ? (int)block : array->snapshots;
  reader.raw = calloc((size_t)reader.block * raw + 1, sizeof(double));
  /* room for the vectors of one more snapshot, see convert() */
  reader.numbers = calloc((size_t)reader.block * array->values + 3 * array->values + 1, sizeof(double));
  return reader;
}

int wy_scene_next(wy_scene_reader *reader, wy_message *message) {
  const wy_scene_array *array = reader->array;
  int count = array->snapshots - reader->at < reader->block ? array->snapshots - reader->at : reader->block;
  if (count == 0)
    return 0;
  if (!reader->numbers || !reader->raw) {
    wy_memory_failed(message);
    return -1;
  }
  if (array->data) {
    memcpy(reader->numbers, array->data + (size_t)reader->at * array->values,
           (size_t)count * array->values * sizeof(double));
  } else {
    if (!read_snapshots(reader->run, array, reader->at, count, reader->raw, message))
      return -1;
    for (int k = 0; k < count; k++)
      convert(array, reader->raw + (size_t)k * raw_values(array), reader->numbers + (size_t)k * array->values);
  }
  reader->at += count;
  return count;
}

void wy_scene_end(wy_scene_reader *reader) {
  free(reader->raw);
  free(reader->numbers);
}
