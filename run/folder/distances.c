/* SPDX-License-Identifier: MIT */
/* Files of signed distances, for obstacles of batches. */
#include "run/scenario/distances.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/file.h"
#include "run/results/hdf5.h"
#include "withy/run.h"

/* A file that is being read; the first reason not to go on is kept. */
typedef struct reading {
  hid_t file, data;
  wy_distance_grid grid;
  wy_message *message;
  wy_status status;
} reading;

static bool refuse(reading *in, const char *what) {
  if (!in->status)
    in->status = wy_results_fail(in->message, WY_ERROR_INPUT, "%s", what);
  return false;
}

/* ---- Attributes ---- */

/* One number, or three; how many there were, or 0. */
static int read_numbers(hid_t object, const char *name, double out[3]) {
  const hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
  if (attribute < 0)
    return 0;
  const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const H5T_class_t class_of = H5Tget_class(type);
  int got = 0;
  if ((count == 1 || count == 3) && (class_of == H5T_FLOAT || class_of == H5T_INTEGER) &&
      H5Aread(attribute, H5T_NATIVE_DOUBLE, out) >= 0)
    got = (int)count;
  H5Tclose(type);
  H5Sclose(space);
  H5Aclose(attribute);
  return got;
}

/* Of the dataset, else of the file. */
static int read_attribute(const reading *in, const char *name, double out[3]) {
  return read_numbers(H5Aexists(in->data, name) > 0 ? in->data : in->file, name, out);
}

static bool read_place(reading *in) {
  if (read_attribute(in, "origin", in->grid.origin) != 3)
    return refuse(in, "found no attribute `origin` of three numbers; expected it at the dataset `distance`");
  const int steps = read_attribute(in, "step", in->grid.step);
  for (int k = 1; k < 3 && steps == 1; k++)
    in->grid.step[k] = in->grid.step[0];
  return steps ? true
               : refuse(in, "found no attribute `step` of one or three numbers; expected it at the dataset "
                            "`distance`");
}

/* ---- The dataset ---- */

static bool read_size(reading *in) {
  const hid_t space = H5Dget_space(in->data);
  const int rank = H5Sget_simple_extent_ndims(space);
  hsize_t size[3] = {0}, count = 1;
  if (rank == 3)
    H5Sget_simple_extent_dims(space, size, NULL);
  H5Sclose(space);
  if (rank != 3) {
    in->status = wy_results_fail(in->message, WY_ERROR_INPUT,
                                 "found the dataset `distance` with %d dimensions; expected 3", rank);
    return false;
  }
  for (int k = 0; k < 3; k++) {
    count = size[k] <= WY_GRID_MOST && count <= WY_GRID_MOST ? count * size[k] : WY_GRID_MOST + 1;
    in->grid.points[k] = (int)(size[k] <= WY_GRID_MOST ? size[k] : 0);
  }
  if (count < 1 || count > WY_GRID_MOST) {
    in->status = wy_results_fail(in->message, WY_ERROR_INPUT,
                                 "found a grid of %llu x %llu x %llu points; expected at least 4 along each axis and "
                                 "at most %d in all",
                                 (unsigned long long)size[0], (unsigned long long)size[1], (unsigned long long)size[2],
                                 WY_GRID_MOST);
    return false;
  }
  return true;
}

static void read_values(reading *in, char **text) {
  const int *points = in->grid.points;
  const hid_t type = H5Dget_type(in->data);
  const bool numbers = H5Tget_class(type) == H5T_FLOAT;
  H5Tclose(type);
  if (!numbers) {
    refuse(in, "found the dataset `distance` of something else; expected floating-point numbers");
    return;
  }
  float *values = malloc((size_t)points[0] * (size_t)points[1] * (size_t)points[2] * sizeof *values);
  if (values && H5Dread(in->data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    refuse(in, "the dataset `distance` cannot be read");
  in->grid.values = values;
  *text = values && !in->status ? wy_grid_write(&in->grid) : NULL;
  if (!in->status && !*text)
    in->status = wy_results_fail(in->message, WY_ERROR_MEMORY, "out of memory");
  free(values);
}

static wy_status read_file(const char *path, char **text, wy_message *message) {
  if (!path || !text)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL; expected a path and a place to put the text");
  *text = NULL;
  FILE *there = fopen(path, "rb");
  if (!there)
    return wy_results_fail(message, WY_ERROR_FILE, "%s", strerror(errno));
  fclose(there);
  const wy_status loaded = wy_hdf5_load(message);
  if (loaded != WY_OK)
    return loaded;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  reading in = {.message = message, .file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)};
  if (in.file < 0)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "found no readable HDF5 file; expected one with the dataset "
                           "`distance`");
  in.data = H5Lexists(in.file, "distance", H5P_DEFAULT) > 0 ? H5Dopen2(in.file, "distance", H5P_DEFAULT) : -1;
  if (in.data < 0)
    refuse(&in, "found no dataset `distance`; expected one with [nx][ny][nz] distances");
  else if (read_size(&in) && read_place(&in))
    read_values(&in, text);
  if (in.data >= 0)
    H5Dclose(in.data);
  H5Fclose(in.file);
  return in.status;
}

/* Points of a sweep may name files in several threads, which the library is not for. */
wy_status wy_distance_file(const char *path, char **text, wy_message *message) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  const wy_status status = read_file(path, text, message);
  pthread_mutex_unlock(&one);
  return status;
}
