/* SPDX-License-Identifier: MIT */
/* A new file of the HDF5 library: groups, attributes, datasets with their places. Inner header of run/results/. */
#ifndef WY_RUN_RESULTS_H5_MAKING_H
#define WY_RUN_RESULTS_H5_MAKING_H

#include <hdf5.h>

#include "run/results/h5_layout.h"

/* A file in the making. The first failure is kept with the errno that HDF5 tells, and everything after it does nothing.
 */
typedef struct wy_h5_making {
  hid_t file;
  hid_t dataset_properties, link_properties, text_type;
  int error;
} wy_h5_making;

void wy_h5_prepare(void);
void wy_h5_open(wy_h5_making *m, const char *path);
void wy_h5_close_making(wy_h5_making *m);

/* Was the result no failure, and has there been none? */
bool wy_h5_good(wy_h5_making *m, int64_t result);
/* What was made of a pool without memory is no part of a file. */
bool wy_h5_complete(wy_h5_making *m, const wy_pool *pool);

/* A list of values, or a single one where `count` is 0. */
void wy_h5_attributes(wy_h5_making *m, hid_t object, const char *name, hid_t type, hsize_t count, const void *value);
void wy_h5_attribute(wy_h5_making *m, hid_t object, const char *name, hid_t type, const void *value);
void wy_h5_text(wy_h5_making *m, hid_t object, const char *name, const char *text);
/* A dataset with its place in the file, and its content where there is one already. */
uint64_t wy_h5_dataset(wy_h5_making *m, const char *path, int rank, const hsize_t *size, hid_t type,
                       const void *content);
/* What a batch has that does not change with time, and how its rods have fared up to now. */
void wy_h5_add_batch(wy_h5_making *m, const wy_h5_def *def, int index);

#endif
