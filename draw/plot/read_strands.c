/* Reading the strands of a run for plotting: a few moments, and not all of very many. */
#include <stdlib.h>
#include <string.h>

#include "draw/plot/read.h"

enum { MOST_MOMENTS = 6, MOST_STRANDS = 120 /* of one entry, in a panel */ };

static bool read_moments(hid_t set, const wy_plot_run *run, wy_plot_strands *strands) {
  hid_t space = H5Dget_space(set);
  hsize_t size[4] = {0};
  bool good = H5Sget_simple_extent_ndims(space) == 4 && H5Sget_simple_extent_dims(space, size, NULL) == 4 &&
              size[0] >= (hsize_t)run->frames && size[1] > 0 && size[2] > 0 && size[2] < 1000000 && size[3] == 3;
  if (good) {
    hsize_t step = (size[1] + MOST_STRANDS - 1) / MOST_STRANDS, drawn = (size[1] + step - 1) / step;
    hsize_t stride[4] = {1, step, 1, 1}, count[4] = {1, drawn, size[2], 3};
    size_t values = (size_t)(3 * drawn * size[2]);
    strands->count = (int)drawn;
    strands->points = (int)size[2];
    strands->position = wy_plot_allocate((size_t)run->moments * values, sizeof(double));
    hid_t memory = H5Screate_simple(4, count, NULL);
    for (int k = 0; k < run->moments && good; k++) {
      hsize_t start[4] = {(hsize_t)wy_plot_snapshot_frame(run, run->moment[k])};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
      good = H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, strands->position + (size_t)k * values) >= 0;
    }
    H5Sclose(memory);
  }
  H5Sclose(space);
  return good;
}

static void read_one(hid_t group, const char *name, wy_plot_run *run) {
  char path[300];
  snprintf(path, sizeof path, "%.255s/position", name);
  wy_plot_strands *strands = &run->strands[run->strands_count];
  hid_t set = H5Dopen2(group, path, H5P_DEFAULT);
  if (set < 0)
    return;
  if (read_moments(set, run, strands)) {
    run->strands_count++;
  } else {
    free(strands->position);
    memset(strands, 0, sizeof *strands);
  }
  H5Dclose(set);
}

void wy_plot_read_strands(hid_t file, wy_plot_run *run) {
  hid_t group = H5Lexists(file, "strands", H5P_DEFAULT) > 0 ? H5Gopen2(file, "strands", H5P_DEFAULT) : -1;
  H5G_info_t info;
  if (group < 0)
    return;
  run->moments = run->snapshots < MOST_MOMENTS ? run->snapshots : MOST_MOMENTS;
  run->moment = wy_plot_allocate((size_t)run->moments, sizeof *run->moment);
  for (int k = 1; k < run->moments; k++)
    run->moment[k] = k * (run->snapshots - 1) / (run->moments - 1);
  if (H5Gget_info(group, &info) >= 0) {
    run->strands = wy_plot_allocate((size_t)info.nlinks, sizeof *run->strands);
    for (hsize_t i = 0; i < info.nlinks; i++) {
      char name[256];
      if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) >= 0)
        read_one(group, name, run);
    }
  }
  H5Gclose(group);
}

void wy_plot_free_strands(wy_plot_run *run) {
  for (int i = 0; i < run->strands_count; i++)
    free(run->strands[i].position);
  free(run->strands);
  free(run->moment);
}
