/* SPDX-License-Identifier: MIT */
/* The snapshots of result.h5: how many are complete, and the datasets with numbers of each. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "run/folder/folder.h"

enum { MOST_NUMBERS = 100000000 /* of a field in one snapshot: more is damage */ };

/* ---- How many ---- */

static hid_t open_set(const wy_folder *folder, const char *path) {
  return folder->file >= 0 ? H5Dopen2(folder->file, path, H5P_DEFAULT) : -1;
}

/* The first dimension of a dataset of one dimension, or 0. */
static hsize_t length_of(const wy_folder *folder, const char *path) {
  hid_t set = open_set(folder, path), space = set < 0 ? -1 : H5Dget_space(set);
  hsize_t length = 0;
  if (set < 0)
    return 0;
  if (H5Sget_simple_extent_ndims(space) == 1)
    H5Sget_simple_extent_dims(space, &length, NULL);
  H5Sclose(space);
  H5Dclose(set);
  return length;
}

/* The counter /frames, but never more than /time has room for. */
static int count_snapshots(const wy_folder *folder) {
  long long count = INT_MAX, room = (long long)length_of(folder, "/time");
  hid_t set = open_set(folder, "/frames");
  if (set >= 0) {
    hid_t space = H5Dget_space(set);
    if (H5Sget_simple_extent_npoints(space) != 1 ||
        H5Dread(set, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) < 0)
      count = 0;
    H5Sclose(space);
    H5Dclose(set);
  }
  count = count < room ? count : room;
  return count > 0 && count < INT_MAX ? (int)count : 0;
}

/* What is read of a dataset: `count` snapshots, and of its lines (the second dimension) all, or `line_count`. */
typedef struct slab {
  int first, step, count, line, line_step, line_count;
} slab;

/* Of a copy only what belongs to it. */
static bool read_slab(wy_folder *folder, const char *path, slab part, double *numbers) {
  const wy_folder_place place = wy_folder_find(folder, path);
  hid_t set = open_set(folder, place.path), space = set < 0 ? -1 : H5Dget_space(set);
  hsize_t from[4] = {(hsize_t)part.first}, stride[4] = {(hsize_t)part.step, 1, 1, 1}, size[4] = {0};
  int rank = set < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  bool good = rank >= 1 && rank <= 4 && H5Sget_simple_extent_dims(space, size, NULL) == rank;
  if (good) {
    size[0] = (hsize_t)part.count;
    if (place.rod >= 0)
      from[1] = (hsize_t)place.rod, size[1] = 1;
    else if (part.line_count > 0)
      from[1] = (hsize_t)part.line, stride[1] = (hsize_t)part.line_step, size[1] = (hsize_t)part.line_count;
    hid_t memory = H5Screate_simple(rank, size, NULL);
    good = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, stride, size, NULL) >= 0 &&
           H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
    H5Sclose(memory);
  }
  if (set >= 0) {
    H5Sclose(space);
    H5Dclose(set);
  }
  return good;
}

/* Snapshots without times are none. */
static wy_status read_time(wy_folder *folder, wy_message *message) {
  wy_status status = wy_folder_open_result(folder, message);
  int count = status == WY_OK ? count_snapshots(folder) : 0;
  if (count > 0) {
    double *values = wy_folder_take(folder, (size_t)count, sizeof *values);
    if (!values)
      return wy_folder_out_of_memory(message);
    if (read_slab(folder, "/time", (slab){.step = 1, .count = count}, values)) {
      folder->snapshots = count;
      folder->time = values;
    }
  }
  folder->counted = status == WY_OK;
  return status;
}

wy_status wy_folder_snapshots(wy_folder *folder, int *count, const double **time, wy_message *message) {
  if (!folder || !count || !time)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  wy_status status = folder->counted ? WY_OK : read_time(folder, message);
  *count = folder->snapshots;
  *time = folder->time;
  return status;
}

/* ---- Fields ---- */

/* [T], [T][components], [T][points][components] or [T][lines][points][components], for all snapshots; a number along a
   rod is [T][points]. There may be no points: a rod of one segment has no vertices inside. What each rod of a batch has
   once, such as tips, is [T][lines][components]. `rod` is one of the lines, or negative. */
static bool find_sizes(const wy_folder *folder, hid_t space, int rod, bool batched, int components,
                       wy_stored_field *field) {
  hsize_t size[4] = {0};
  int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 4 || H5Sget_simple_extent_dims(space, size, NULL) != rank)
    return false;
  if (rod >= 0 && (rank < 4 || (hsize_t)rod >= size[1]))
    return false;
  hsize_t lines = rank == 4 && rod < 0 ? size[1] : 1, points = rank < 3 ? 1 : size[rank - 2];
  hsize_t last = rank == 1 ? 1 : size[rank - 1];
  if (batched && rank == 3)
    lines = size[1], points = 1;
  if (rank == 2 && components == 1)
    points = last, last = 1;
  if (size[0] < (hsize_t)folder->snapshots || last != (hsize_t)components || points >= MOST_NUMBERS ||
      lines >= MOST_NUMBERS || lines * points * last >= MOST_NUMBERS)
    return false;
  field->lines = (int)lines;
  field->points = (int)points;
  field->components = components;
  return true;
}

/* The dataset of the arc lengths lies beside that of the field: "s" of positions, else "NAME_s". NULL where the field
   is not along a rod. */
static const char *path_of_s(wy_folder *folder, const char *path) {
  const char *name = strrchr(path, '/');
  const size_t home = strncmp(path, "/rods/", 6) == 0 ? 6 : strncmp(path, "/batches/", 9) == 0 ? 9 : 0;
  if (home == 0 || strchr(path + home, '/') != name)
    return NULL;
  if (strcmp(name, "/tip") == 0) /* of each rod of a batch */
    return NULL;
  if (strcmp(name, "/position") == 0)
    return wy_folder_print(folder, "%.*s/s", (int)(name - path), path);
  return wy_folder_print(folder, "%s_s", path);
}

static wy_status find_s(wy_folder *folder, wy_stored_field *field, wy_message *message) {
  const char *path = path_of_s(folder, field->path);
  const wy_stored_numbers *s = NULL;
  if (!path)
    return WY_OK;
  wy_status status = wy_folder_numbers(folder, path, &s, message);
  if (status != WY_OK)
    return status;
  bool good = s && (long long)s->size[0] * s->size[1] * s->size[2] == field->points;
  for (int i = 0; good && i < field->points; i++)
    good = isfinite(s->values[i]) && (i == 0 || s->values[i] > s->values[i - 1]);
  field->s = good ? s->values : NULL;
  return good ? WY_OK : wy_folder_damaged(folder, path, message);
}

static wy_status find_field(wy_folder *folder, const char *path, int components, const wy_stored_field **out,
                            wy_message *message) {
  const wy_folder_place place = wy_folder_find(folder, path);
  const bool batched = strncmp(path, "/batches/", 9) == 0;
  hid_t set = open_set(folder, place.path);
  if (set < 0)
    return wy_folder_keep(folder, "field", path, NULL, message);
  wy_stored_field *field = wy_folder_take(folder, 1, sizeof *field);
  const char *copy = wy_folder_copy(folder, path, strlen(path));
  hid_t space = H5Dget_space(set);
  bool good = field && copy && find_sizes(folder, space, place.rod, batched, components, field);
  const bool once = batched && H5Sget_simple_extent_ndims(space) == 3; /* for each rod, not along it */
  H5Sclose(space);
  H5Dclose(set);
  if (!field || !copy)
    return wy_folder_out_of_memory(message);
  if (!good)
    return wy_folder_damaged(folder, path, message);
  field->path = copy;
  bool empty = field->lines == 0 || field->points == 0;
  wy_status status = empty || once ? WY_OK : find_s(folder, field, message);
  if (status == WY_OK)
    status = wy_folder_keep(folder, "field", path, empty ? NULL : field, message);
  *out = status == WY_OK && !empty ? field : NULL;
  return status;
}

wy_status wy_folder_field(wy_folder *folder, const char *path, int components, const wy_stored_field **out,
                          wy_message *message) {
  const void *kept = NULL;
  const double *time;
  int count;
  if (out)
    *out = NULL;
  if (!folder || !path || !out || components < 1)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no field of result.h5 is given");
  wy_status status = wy_folder_snapshots(folder, &count, &time, message);
  if (status != WY_OK)
    return status;
  if (!wy_folder_recall(folder, "field", path, &kept))
    return find_field(folder, path, components, out, message);
  const wy_stored_field *field = kept;
  if (field && field->components != components)
    return wy_folder_damaged(folder, path, message);
  *out = field;
  return WY_OK;
}

wy_status wy_folder_rod_field(wy_folder *folder, const char *rod, const char *dataset, int components,
                              const wy_stored_field **out, wy_message *message) {
  if (!folder || !rod || !dataset)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder, no rod or no dataset is given");
  const char *path = wy_folder_print(folder, "/rods/%s/%s", rod, dataset);
  return path ? wy_folder_field(folder, path, components, out, message) : wy_folder_out_of_memory(message);
}

/* ---- Reading ---- */

wy_status wy_folder_read(wy_folder *folder, const wy_stored_field *field, int first, int step, int count,
                         double *numbers, wy_message *message) {
  if (!folder || !field || !numbers || first < 0 || step < 1 || count < 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder, no field or no snapshots are given");
  long long last = first + (count - 1LL) * step;
  if (count > 0 && last >= folder->snapshots)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: there is no snapshot %lld; it holds %d",
                           folder->path, last, folder->snapshots);
  if (count == 0 || read_slab(folder, field->path, (slab){first, step, count, 0, 0, 0}, numbers))
    return WY_OK;
  return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s cannot be read", folder->path, field->path);
}

wy_status wy_folder_read_lines(wy_folder *folder, const wy_stored_field *field, int snapshot, int first, int step,
                               int count, double *numbers, wy_message *message) {
  if (count == 0 || read_slab(folder, field->path, (slab){snapshot, 1, 1, first, step, count}, numbers))
    return WY_OK;
  return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s cannot be read", folder->path, field->path);
}

int wy_folder_components(wy_folder *folder, const char *path) {
  if (wy_folder_open_result(folder, NULL) != WY_OK)
    return 0;
  hid_t set = open_set(folder, path), space = set < 0 ? -1 : H5Dget_space(set);
  hsize_t size[4] = {0};
  const int rank = set < 0 ? 0 : H5Sget_simple_extent_ndims(space);
  const bool good = rank >= 1 && rank <= 4 && H5Sget_simple_extent_dims(space, size, NULL) == rank;
  if (set >= 0) {
    H5Sclose(space);
    H5Dclose(set);
  }
  return good && size[rank - 1] < MOST_NUMBERS ? (int)size[rank - 1] : 0;
}

wy_status wy_folder_history(wy_folder *folder, const char *path, int components, const double **values,
                            wy_message *message) {
  const wy_stored_field *field = NULL;
  const void *kept = NULL;
  if (values)
    *values = NULL;
  if (!values)
    return wy_results_fail(message, WY_ERROR_INPUT, "no place for the values is given");
  wy_status status = wy_folder_field(folder, path, components, &field, message);
  if (status != WY_OK || !field)
    return status;
  if (!wy_folder_recall(folder, "history", path, &kept)) {
    size_t size = (size_t)field->lines * (size_t)field->points * (size_t)components;
    double *numbers = wy_folder_take(folder, (size_t)folder->snapshots * size, sizeof *numbers);
    if (!numbers)
      return wy_folder_out_of_memory(message);
    status = wy_folder_read(folder, field, 0, 1, folder->snapshots, numbers, message);
    if (status == WY_OK)
      status = wy_folder_keep(folder, "history", path, numbers, message);
    kept = status == WY_OK ? numbers : NULL;
  }
  *values = kept;
  return status;
}
