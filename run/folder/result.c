/* SPDX-License-Identifier: MIT */
/* result.h5 as a file: opening it, attributes, names in groups, datasets that do not change with time. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/folder/folder.h"
#include "run/results/h5_making.h"

wy_status wy_folder_damaged(const wy_folder *folder, const char *path, wy_message *message) {
  return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: %s is missing or not of the expected size",
                         folder->path, path);
}

/* Why the file cannot be opened; it may be missing. */
static wy_status explain(const char *path, wy_message *message) {
  if (access(path, R_OK) == 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is not a readable HDF5 file", path);
  return errno == ENOENT ? WY_OK : wy_file_error(message, errno, "reading", path);
}

/* Without locking, so that the file of a run that is still going can be read too. The HDF5 library would print what
   goes wrong. */
wy_status wy_folder_open_result(wy_folder *folder, wy_message *message) {
  if (folder->opened)
    return WY_OK;
  const char *path = wy_folder_print(folder, "%s/result.h5", folder->path);
  if (!path)
    return wy_folder_out_of_memory(message);
  if (wy_hdf5_load(message) != WY_OK)
    return WY_ERROR_SUPPORT;
  if (wy_h5_look(path, message) != WY_OK)
    return WY_ERROR_INPUT;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(properties, 0, 1);
  folder->file = H5Fopen(path, H5F_ACC_RDONLY, properties);
  H5Pclose(properties);
  wy_status status = folder->file < 0 ? explain(path, message) : WY_OK;
  folder->opened = status == WY_OK;
  return status;
}

/* ---- Attributes ---- */

/* Of fixed or variable length; NULL where there is none, or no memory. */
static const char *read_text(wy_folder *folder, hid_t object, const char *name) {
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  if (attribute < 0)
    return NULL;
  hid_t type = H5Aget_type(attribute);
  char *text = NULL;
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
    char *stored = NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, &stored) >= 0 && stored)
      text = wy_folder_copy(folder, stored, strlen(stored));
    H5free_memory(stored);
    H5Tclose(memory);
  } else if (H5Tget_class(type) == H5T_STRING) {
    text = wy_folder_take(folder, H5Tget_size(type) + 1, 1);
    if (text && H5Aread(attribute, type, text) < 0)
      text[0] = '\0';
  }
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}

const char *wy_folder_text(wy_folder *folder, const char *path, const char *name) {
  const void *kept = NULL;
  if (!folder || !path || !name || wy_folder_open_result(folder, NULL) != WY_OK || folder->file < 0)
    return NULL;
  const char *key = wy_folder_print(folder, "%s@%s", path, name);
  if (!key || wy_folder_recall(folder, "text", key, &kept))
    return kept;
  hid_t object = H5Oopen(folder->file, wy_folder_find(folder, path).path, H5P_DEFAULT);
  const char *text = object < 0 ? NULL : read_text(folder, object, name);
  if (object >= 0)
    H5Oclose(object);
  wy_folder_keep(folder, "text", key, text, NULL);
  return text;
}

double wy_folder_number(wy_folder *folder, const char *path, const char *name, double otherwise) {
  if (!folder || !path || !name || wy_folder_open_result(folder, NULL) != WY_OK || folder->file < 0)
    return otherwise;
  hid_t object = H5Oopen(folder->file, wy_folder_find(folder, path).path, H5P_DEFAULT);
  if (object < 0)
    return otherwise;
  double value = otherwise;
  hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  if (attribute >= 0) {
    hid_t space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0 ||
        !isfinite(value))
      value = otherwise;
    H5Sclose(space);
    H5Aclose(attribute);
  }
  H5Oclose(object);
  return value;
}

/* ---- Names ---- */

/* A list of names that was kept. */
typedef struct names {
  int count;
  const char **list;
} names;

static wy_status read_names(wy_folder *folder, hid_t group, names *out, wy_message *message) {
  H5G_info_t info;
  int links = H5Gget_info(group, &info) >= 0 && info.nlinks < INT_MAX / 8 ? (int)info.nlinks : 0;
  out->list = wy_folder_take(folder, (size_t)links, sizeof *out->list);
  if (!out->list)
    return wy_folder_out_of_memory(message);
  for (int i = 0; i < links; i++) {
    ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, NULL, 0, H5P_DEFAULT);
    if (length <= 0)
      continue;
    char *name = wy_folder_take(folder, (size_t)length + 1, 1);
    if (!name)
      return wy_folder_out_of_memory(message);
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, (size_t)length + 1, H5P_DEFAULT);
    out->list[out->count++] = name;
  }
  return WY_OK;
}

static wy_status keep_names(wy_folder *folder, const char *path, const names **out, wy_message *message) {
  const void *kept = NULL;
  *out = NULL;
  if (wy_folder_recall(folder, "names", path, &kept)) {
    *out = kept;
    return WY_OK;
  }
  names *found = wy_folder_take(folder, 1, sizeof *found);
  if (!found)
    return wy_folder_out_of_memory(message);
  wy_status status = wy_folder_open_result(folder, message);
  hid_t group = status == WY_OK && folder->file >= 0
                    ? H5Gopen2(folder->file, wy_folder_find(folder, path).path, H5P_DEFAULT)
                    : -1;
  if (group >= 0) {
    status = read_names(folder, group, found, message);
    H5Gclose(group);
  }
  if (status == WY_OK)
    status = wy_folder_keep(folder, "names", path, found, message);
  *out = found;
  return status;
}

static wy_status give(wy_status status, const names *found, int *count, const char *const **list) {
  *count = status == WY_OK && found ? found->count : 0;
  *list = status == WY_OK && found ? found->list : NULL;
  return status;
}

wy_status wy_folder_names(wy_folder *folder, const char *path, int *count, const char *const **list,
                          wy_message *message) {
  const names *found = NULL;
  if (!folder || !path || !count || !list)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no group of result.h5 is given");
  wy_status status = keep_names(folder, path, &found, message);
  return give(status, found, count, list);
}

/* A rod, and where the scenario has it; -1 where that is not known. */
typedef struct found_rod {
  const char *name;
  int index, order;
} found_rod;

static int compare_rods(const void *a, const void *b) {
  const found_rod *one = a, *other = b;
  return one->index != other->index ? (one->index > other->index) - (one->index < other->index)
                                    : one->order - other->order;
}

/* Rods alone, then copies. False: there is no memory. */
static bool list_rods(wy_folder *folder, const names *alone, const wy_folder_batch *batches, int count,
                      found_rod *list) {
  int rods = 0;
  for (; rods < alone->count; rods++)
    list[rods].name = alone->list[rods];
  for (int i = 0; i < count; i++)
    for (int k = 0; batches[i].copies && k < batches[i].count; k++)
      list[rods++].name = wy_folder_print(folder, "%s%d", batches[i].name, k + 1);
  for (int i = 0; i < rods; i++) {
    if (!list[i].name)
      return false;
    list[i].index = wy_scenario_rod(wy_folder_scenario(folder), list[i].name);
    list[i].order = i;
  }
  qsort(list, (size_t)rods, sizeof *list, compare_rods);
  return true;
}

/* In the file rods are in the order of the alphabet. */
wy_status wy_folder_rods(wy_folder *folder, int *count, const char *const **list, wy_message *message) {
  enum { MOST_RODS = 10000000 /* more is damage */ };
  const names *alone = NULL;
  const void *ordered = NULL;
  const wy_folder_batch *batches = NULL;
  int batch_count = 0;
  if (!folder || !count || !list)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  wy_status status = keep_names(folder, "/rods", &alone, message);
  if (status == WY_OK)
    status = wy_folder_batches(folder, &batch_count, &batches, message);
  if (status != WY_OK || wy_folder_recall(folder, "ordered", "", &ordered))
    return give(status, ordered, count, list);
  assert(alone);
  long long rods = alone->count;
  for (int i = 0; i < batch_count; i++)
    rods += batches[i].copies ? batches[i].count : 0;
  if (rods > MOST_RODS)
    return give(wy_folder_damaged(folder, "/batches", message), NULL, count, list);
  names *sorted = wy_folder_take(folder, 1, sizeof *sorted);
  found_rod *found = wy_folder_take(folder, (size_t)rods, sizeof *found);
  if (sorted)
    sorted->list = wy_folder_take(folder, (size_t)rods, sizeof *sorted->list);
  if (!found || !sorted || !sorted->list || !list_rods(folder, alone, batches, batch_count, found))
    return give(wy_folder_out_of_memory(message), NULL, count, list);
  for (; sorted->count < rods; sorted->count++)
    sorted->list[sorted->count] = found[sorted->count].name;
  return give(wy_folder_keep(folder, "ordered", "", sorted, message), sorted, count, list);
}

/* ---- Numbers ---- */

/* Each size fits into an int, and their product into 64 bits. */
static bool is_sane(const hsize_t extent[3]) {
  const hsize_t most = INT_MAX;
  return extent[0] < most && extent[1] < most && extent[2] < most &&
         extent[0] * extent[1] < most * most / (extent[2] + 1);
}

/* A part of a dataset. */
typedef struct block {
  int rank;
  hsize_t extent[4], start[4];
} block;

/* What `entry` selects of a dataset; of a batch what belongs to a rod: [T][rods][points][components], [rods][points],
   or what all share. `size` is without the dimension of rods. */
static bool find_block(hid_t space, int entry, int rod, block *out, int size[3]) {
  const int rank = out->rank = H5Sget_simple_extent_ndims(space);
  const int of_rods = rod < 0 ? -1 : rank == 4 ? 1 : rank == 2 ? 0 : -1;
  if (rank < 1 || rank > 3 + (of_rods >= 0) || H5Sget_simple_extent_dims(space, out->extent, NULL) != rank)
    return false;
  bool good = true;
  if (of_rods >= 0) {
    good = (hsize_t)rod < out->extent[of_rods];
    out->start[of_rods] = (hsize_t)rod;
    out->extent[of_rods] = 1;
  }
  if (entry >= 0) {
    good = good && of_rods != 0 && (hsize_t)entry < out->extent[0];
    out->start[0] = (hsize_t)entry;
    out->extent[0] = 1;
  }
  hsize_t left[3] = {1, 1, 1};
  for (int i = 0, k = 0; i < rank; i++)
    if (i != of_rods)
      left[k++] = out->extent[i];
  good = good && is_sane(left);
  for (int i = 0; good && i < 3; i++)
    size[i] = (int)left[i];
  return good;
}

wy_status wy_folder_block(wy_folder *folder, const char *path, int entry, int size[3], double **values,
                          wy_message *message) {
  *values = NULL;
  wy_status status = wy_folder_open_result(folder, message);
  if (status != WY_OK || folder->file < 0)
    return status;
  const wy_folder_place place = wy_folder_find(folder, path);
  hid_t set = H5Dopen2(folder->file, place.path, H5P_DEFAULT);
  if (set < 0)
    return status;
  hid_t space = H5Dget_space(set);
  block part = {0};
  if (find_block(space, entry, place.rod, &part, size)) {
    double *numbers = wy_folder_take(folder, (size_t)size[0] * (size_t)size[1] * (size_t)size[2], sizeof *numbers);
    hid_t memory = H5Screate_simple(part.rank, part.extent, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start, NULL, part.extent, NULL);
    if (!numbers)
      status = wy_folder_out_of_memory(message);
    else if (H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0)
      *values = numbers;
    H5Sclose(memory);
  }
  H5Sclose(space);
  H5Dclose(set);
  return status;
}

wy_status wy_folder_numbers(wy_folder *folder, const char *path, const wy_stored_numbers **out, wy_message *message) {
  const void *kept = NULL;
  if (out)
    *out = NULL;
  if (!folder || !path || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no dataset of result.h5 is given");
  if (wy_folder_recall(folder, "numbers", path, &kept)) {
    *out = kept;
    return WY_OK;
  }
  wy_stored_numbers *numbers = wy_folder_take(folder, 1, sizeof *numbers);
  double *values = NULL;
  if (!numbers)
    return wy_folder_out_of_memory(message);
  wy_status status = wy_folder_block(folder, path, -1, numbers->size, &values, message);
  numbers->values = values;
  if (status == WY_OK)
    status = wy_folder_keep(folder, "numbers", path, values ? numbers : NULL, message);
  *out = status == WY_OK && values ? numbers : NULL;
  return status;
}
