/* The numbers of the arrays of the 3D page: read from result.h5 a few frames at a time, taken to the points that are
   shown, and turned into what the array holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

enum { BLOCK_NUMBERS = 1 << 20 };

/* ---- Between points ---- */

wy_scene_places wy_scene_locate(wy_pool *pool, const double *from, int from_count, const double *to, int count) {
  int *point = wy_pool_take(pool, (size_t)count * sizeof *point);
  double *part = wy_pool_take(pool, (size_t)count * sizeof *part);
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

void wy_scene_directors(const double *quaternions, const wy_scene_places *places, wy_scene_value value, double *out) {
  for (int i = 0; i < places->count; i++, out += 3) {
    const double *from = quaternions + 4 * (size_t)places->point[i];
    double q[4];
    turn(from, places->part[i] == 0 ? from : from + 4, places->part[i], q);
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

static size_t track_values(const wy_scene_track *track) {
  return (size_t)track->lines * (size_t)track->count * (size_t)track->components;
}

/* `count` frames from `start` on, every step-th. */
static bool read_slab(const wy_scene_run *run, const wy_scene_track *track, int start, int step, int count,
                      double *out) {
  hid_t set = H5Dopen2(run->file, track->path, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hsize_t from[4] = {(hsize_t)start}, stride[4] = {(hsize_t)step, 1, 1, 1}, size[4] = {0};
  int rank = set < 0 ? -1 : H5Sget_simple_extent_dims(space, size, NULL);
  size[0] = (hsize_t)count;
  bool good = false;
  if (rank > 0) {
    hid_t memory = H5Screate_simple(rank, size, NULL);
    good = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, stride, size, NULL) >= 0 &&
           H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
  }
  if (set >= 0) {
    H5Sclose(space);
    H5Dclose(set);
  }
  return good;
}

/* The shown frames `first` to `first + count`, all numbers of which must be finite. */
static bool read_frames(const wy_scene_run *run, const wy_scene_track *track, int first, int count, double *out,
                        wy_message *message) {
  size_t values = track_values(track);
  int total = run->plot.frames, step = run->frame_step;
  bool ends = (first + count - 1) * (long long)step > total - 1; /* the last one is not a multiple of the step */
  bool good = count - ends < 1 || read_slab(run, track, first * step, step, count - ends, out);
  if (good && ends)
    good = read_slab(run, track, total - 1, 1, 1, out + (size_t)(count - 1) * values);
  if (!good)
    wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s cannot be read", run->folder, track->path);
  for (size_t i = 0; good && i < (size_t)count * values; i++)
    if (!isfinite(out[i])) {
      double t = run->plot.frame_time[wy_scene_pick(total, step, first + (int)(i / values))];
      wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s, t = %.9g: %g is not a finite number", run->folder,
                      track->path, t, out[i]);
      good = false;
    }
  return good;
}

static void shorten(const double *vectors, int count, wy_scene_value value, double *out) {
  for (int i = 0; i < count; i++, vectors += 3)
    out[i] = value == WY_SCENE_TWIST     ? vectors[2]
             : value == WY_SCENE_BENDING ? hypot(vectors[0], vectors[1])
                                         : hypot(hypot(vectors[0], vectors[1]), vectors[2]);
}

/* One frame of an array from one frame of its track. */
static void convert(const wy_scene_array *array, const double *raw, double *out) {
  const wy_scene_track *track = array->track;
  const wy_scene_places *places = array->places;
  size_t line = (size_t)track->count * (size_t)track->components;
  if (!places) {
    memcpy(out, raw, array->values * sizeof *out);
  } else if (array->value == WY_SCENE_D1 || array->value == WY_SCENE_D2) {
    wy_scene_directors(raw, places, array->value, out);
  } else if (array->value == WY_SCENE_PLAIN) {
    size_t shown = (size_t)places->count * (size_t)track->components;
    for (size_t at = 0; at < array->values; at += shown, raw += line * (size_t)array->line_step)
      wy_scene_vectors(raw, track->components, places, out + at);
  } else {
    double *vectors = out + array->values; /* room after the numbers of the frame */
    wy_scene_vectors(raw, 3, places, vectors);
    shorten(vectors, places->count, array->value, out);
  }
}

wy_scene_reader wy_scene_begin(const wy_scene_run *run, const wy_scene_array *array) {
  wy_scene_reader reader = {.run = run, .array = array};
  size_t raw = array->track ? track_values(array->track) : 0, larger = raw > array->values ? raw : array->values;
  size_t block = larger > 0 ? BLOCK_NUMBERS / larger : 1;
  reader.block = block < 1 ? 1 : block < (size_t)array->frames ? (int)block : array->frames;
  reader.raw = wy_plot_allocate((size_t)reader.block * raw, sizeof(double));
  /* room for the vectors of one more frame, see convert() */
  reader.numbers = wy_plot_allocate((size_t)reader.block * array->values + 3 * array->values, sizeof(double));
  return reader;
}

int wy_scene_next(wy_scene_reader *reader, wy_message *message) {
  const wy_scene_array *array = reader->array;
  int count = array->frames - reader->at < reader->block ? array->frames - reader->at : reader->block;
  if (count == 0)
    return 0;
  if (array->data) {
    memcpy(reader->numbers, array->data + (size_t)reader->at * array->values,
           (size_t)count * array->values * sizeof(double));
  } else {
    if (!read_frames(reader->run, array->track, reader->at, count, reader->raw, message))
      return -1;
    for (int k = 0; k < count; k++)
      convert(array, reader->raw + (size_t)k * track_values(array->track), reader->numbers + (size_t)k * array->values);
  }
  reader->at += count;
  return count;
}

void wy_scene_end(wy_scene_reader *reader) {
  free(reader->raw);
  free(reader->numbers);
}
