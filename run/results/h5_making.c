/* SPDX-License-Identifier: MIT */
#include "run/results/h5_making.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static herr_t find_errno(unsigned index, const H5E_error2_t *entry, void *error) {
  (void)index;
  const char *at = entry->desc ? strstr(entry->desc, "errno = ") : NULL;
  if (at && *(int *)error <= 0)
    *(int *)error = atoi(at + strlen("errno = "));
  return 0;
}

bool wy_h5_good(wy_h5_making *m, int64_t result) {
  if (result < 0 && !m->error) {
    m->error = -1;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_errno, &m->error);
  }
  return !m->error;
}

bool wy_h5_complete(wy_h5_making *m, const wy_pool *pool) {
  if (pool->failed)
    m->error = ENOMEM;
  return !m->error;
}

void wy_h5_prepare(void) {
  H5dont_atexit(); /* a file that could not be closed must not be tried again when the program ends */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void wy_h5_attributes(wy_h5_making *m, hid_t object, const char *name, hid_t type, hsize_t count, const void *value) {
  if (m->error)
    return;
  hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (wy_h5_good(m, attribute)) {
    wy_h5_good(m, H5Awrite(attribute, type, value));
    wy_h5_good(m, H5Aclose(attribute));
  }
  H5Sclose(space);
}

void wy_h5_attribute(wy_h5_making *m, hid_t object, const char *name, hid_t type, const void *value) {
  wy_h5_attributes(m, object, name, type, 0, value);
}

void wy_h5_text(wy_h5_making *m, hid_t object, const char *name, const char *text) {
  wy_h5_attribute(m, object, name, m->text_type, &text);
}

uint64_t wy_h5_dataset(wy_h5_making *m, const char *path, int rank, const hsize_t *size, hid_t type,
                       const void *content) {
  if (m->error)
    return 0;
  uint64_t offset = 0;
  hid_t space = rank > 0 ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(m->file, path, type, space, m->link_properties, m->dataset_properties, H5P_DEFAULT);
  if (wy_h5_good(m, dataset)) {
    if (content)
      wy_h5_good(m, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content));
    haddr_t address = H5Dget_offset(dataset);
    if (address != HADDR_UNDEF)
      offset = address;
    else if (H5Sget_simple_extent_npoints(space) > 0)
      wy_h5_good(m, -1);
    wy_h5_good(m, H5Dclose(dataset));
  }
  H5Sclose(space);
  return offset;
}

/* Datasets are contiguous and get their place at once, so that nothing but numbers changes afterwards; what is not
   written yet is a hole in the file and reads as zero. No times of creation: equal runs make equal files. */
void wy_h5_open(wy_h5_making *m, const char *path) {
  hid_t file_properties = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_alignment(file_properties, sizeof(double), sizeof(double));
  H5Pset_fclose_degree(file_properties, H5F_CLOSE_STRONG);
  m->dataset_properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(m->dataset_properties, H5D_CONTIGUOUS);
  H5Pset_alloc_time(m->dataset_properties, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(m->dataset_properties, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(m->dataset_properties, 0);
  m->link_properties = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(m->link_properties, 1);
  m->text_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(m->text_type, H5T_VARIABLE);
  H5Tset_cset(m->text_type, H5T_CSET_UTF8);
  m->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, file_properties);
  wy_h5_good(m, m->file);
  H5Pclose(file_properties);
}

void wy_h5_close_making(wy_h5_making *m) {
  if (m->file >= 0)
    wy_h5_good(m, H5Fclose(m->file));
  H5Pclose(m->dataset_properties);
  H5Pclose(m->link_properties);
  H5Tclose(m->text_type);
}
