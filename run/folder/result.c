/* SPDX-License-Identifier: MIT */
/* result.h5 as a file: opening it, attributes, names in groups, datasets that do not change with time. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "run/folder/folder.h"

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
  hid_t object = H5Oopen(folder->file, path, H5P_DEFAULT);
  const char *text = object < 0 ? NULL : read_text(folder, object, name);
  if (object >= 0)
    H5Oclose(object);
  wy_folder_keep(folder, "text", key, text, NULL);
  return text;
}

double wy_folder_number(wy_folder *folder, const char *path, const char *name, double otherwise) {
  if (!folder || !path || !name || wy_folder_open_result(folder, NULL) != WY_OK || folder->file < 0)
    return otherwise;
  hid_t object = H5Oopen(folder->file, path, H5P_DEFAULT);
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
  hid_t group = status == WY_OK && folder->file >= 0 ? H5Gopen2(folder->file, path, H5P_DEFAULT) : -1;
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

/* In the file rods are in the order of the alphabet. */
wy_status wy_folder_rods(wy_folder *folder, int *count, const char *const **list, wy_message *message) {
  const names *found = NULL;
  const void *ordered = NULL;
  if (!folder || !count || !list)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  wy_status status = keep_names(folder, "/rods", &found, message);
  if (status != WY_OK || wy_folder_recall(folder, "ordered", "", &ordered))
    return give(status, ordered ? ordered : found, count, list);
  assert(found);
  names *sorted = wy_folder_take(folder, 1, sizeof *sorted);
  int *index = wy_folder_take(folder, (size_t)found->count, sizeof *index);
  if (sorted)
    sorted->list = wy_folder_take(folder, (size_t)found->count, sizeof *sorted->list);
  if (!index || !sorted || !sorted->list)
    return give(wy_folder_out_of_memory(message), NULL, count, list);
  for (; sorted->count < found->count; sorted->count++) {
    const char *name = found->list[sorted->count];
    int wanted = wy_scenario_rod(wy_folder_scenario(folder), name), k = sorted->count;
    for (; k > 0 && index[k - 1] > wanted; k--) {
      sorted->list[k] = sorted->list[k - 1];
      index[k] = index[k - 1];
    }
    sorted->list[k] = name;
    index[k] = wanted;
  }
  return give(wy_folder_keep(folder, "ordered", "", sorted, message), sorted, count, list);
}

/* ---- Numbers ---- */

/* Each size fits into an int, and their product into 64 bits. */
static bool is_sane(const hsize_t extent[3]) {
  const hsize_t most = INT_MAX;
  return extent[0] < most && extent[1] < most && extent[2] < most &&
         extent[0] * extent[1] < most * most / (extent[2] + 1);
}

/* What `entry` selects of a dataset: its sizes, and where it begins. */
static bool find_block(hid_t space, int entry, hsize_t extent[3], hsize_t start[3]) {
  int rank = H5Sget_simple_extent_ndims(space);
  bool good = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
              (entry < 0 || (hsize_t)entry < extent[0]);
  if (good && entry >= 0) {
    start[0] = (hsize_t)entry;
    extent[0] = 1;
  }
  return good && is_sane(extent);
}

wy_status wy_folder_block(wy_folder *folder, const char *path, int entry, int size[3], double **values,
                          wy_message *message) {
  *values = NULL;
  wy_status status = wy_folder_open_result(folder, message);
  hid_t set = status == WY_OK && folder->file >= 0 ? H5Dopen2(folder->file, path, H5P_DEFAULT) : -1;
  if (set < 0)
    return status;
  hid_t space = H5Dget_space(set);
  hsize_t extent[3] = {1, 1, 1}, start[3] = {0, 0, 0};
  if (find_block(space, entry, extent, start)) {
    double *numbers = wy_folder_take(folder, (size_t)(extent[0] * extent[1] * extent[2]), sizeof *numbers);
    hid_t memory = H5Screate_simple(H5Sget_simple_extent_ndims(space), extent, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
    if (!numbers)
      status = wy_folder_out_of_memory(message);
    else if (H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0)
      *values = numbers;
    H5Sclose(memory);
  }
  for (int i = 0; i < 3; i++)
    size[i] = (int)extent[i];
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
