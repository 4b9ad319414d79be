/* SPDX-License-Identifier: MIT */
/* The datasets of an existing result.h5, which a run goes on with. */
#include "run/results/h5_making.h"
#include "run/results/hdf5.h"

/* The place of a dataset in an existing file: contiguous, of our type, and of the size that the plan says. */
static bool find_field(hid_t file, wy_h5_field *field, long *capacity) {
  hid_t dataset = H5Dopen2(file, field->path, H5P_DEFAULT);
  if (dataset < 0)
    return false;
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset), properties = H5Dget_create_plist(dataset);
  hsize_t size[4] = {0, 1, 1, 1};
  bool same = H5Sget_simple_extent_ndims(space) == 1 + field->rank &&
              H5Tequal(type, field->single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE) > 0 &&
              H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Sget_simple_extent_dims(space, size, NULL) >= 0 &&
              size[1] * size[2] * size[3] == field->values && (*capacity < 0 || (hsize_t)*capacity == size[0]);
  haddr_t address = H5Dget_offset(dataset);
  if (same && size[0] * field->values > 0)
    same = address != HADDR_UNDEF;
  *capacity = (long)size[0];
  field->offset = address;
  H5Pclose(properties);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
  return same;
}

wy_status wy_h5_find(const char *path, wy_h5_layout *layout, long *snapshots, wy_message *message) {
  if (wy_hdf5_load(message) != WY_OK)
    return WY_ERROR_SUPPORT;
  if (wy_h5_look(path, message) != WY_OK)
    return WY_ERROR_INPUT;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s is missing or is not an HDF5 file; start again without --resume", path);
  int64_t count = 0;
  hid_t counter = H5Dopen2(file, "/frames", H5P_DEFAULT);
  bool same = counter >= 0 && H5Dread(counter, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) >= 0;
  if (counter >= 0)
    H5Dclose(counter);
  layout->capacity = -1;
  for (int i = 0; same && i < layout->field_count; ++i)
    same = find_field(file, &layout->fields[i], &layout->capacity);
  H5Fclose(file);
  if (!same || count < 0 || count > layout->capacity)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s has another layout than this run; start again without --resume",
                           path);
  *snapshots = (long)count;
  return WY_OK;
}
