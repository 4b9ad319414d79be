/* Reading what the space-time maps show: curvature and moment of the first rods in all frames, brought to a regular
   grid. Frames and points of a rod may lie anywhere; between them values are linear, and beyond the last point of a rod
   constant: from a few points towards an end nothing more can be told. */
#include <math.h>
#include <stdlib.h>

#include "draw/plot/read.h"

enum {
  MOST_RODS = 6,
  COLUMNS = 400, /* cells over time and along the rod: no finer than a picture can show */
  ROWS = 100
};

/* Less than this is nothing to see: of the other components, or of a whole turn along the rod. */
static const double invisible = 1e-6;

/* A dataset [T][points][3] with the two frames around the present column. */
typedef struct field {
  hid_t set, space, memory;
  int points;
  double *s;
  double *frame[2];
  int number[2]; /* of the frames that are held, or -1 */
} field;

static bool open_field(hid_t group, const char *name, int frames, field *f) {
  char s_name[32];
  int size[3] = {0};
  hsize_t extent[3] = {0};
  snprintf(s_name, sizeof s_name, "%s_s", name);
  *f = (field){.set = H5Dopen2(group, name, H5P_DEFAULT), .space = -1, .memory = -1, .number = {-1, -1}};
  if (f->set < 0)
    return false;
  f->space = H5Dget_space(f->set);
  f->s = wy_plot_read_block(group, s_name, -1, size);
  bool good = f->s && H5Sget_simple_extent_ndims(f->space) == 3 &&
              H5Sget_simple_extent_dims(f->space, extent, NULL) == 3 && extent[0] >= (hsize_t)frames &&
              extent[1] == (hsize_t)size[0] && extent[1] > 0 && extent[2] == 3;
  if (!good)
    return false;
  f->points = size[0];
  f->memory = H5Screate_simple(3, (hsize_t[3]){1, extent[1], 3}, NULL);
  for (int i = 0; i < 2; i++)
    f->frame[i] = wy_plot_allocate(3 * (size_t)f->points, sizeof(double));
  return true;
}

static void close_field(field *f) {
  free(f->s);
  free(f->frame[0]);
  free(f->frame[1]);
  if (f->memory >= 0)
    H5Sclose(f->memory);
  if (f->space >= 0)
    H5Sclose(f->space);
  if (f->set >= 0)
    H5Dclose(f->set);
}

/* Frame k, or NULL where it cannot be read. */
static const double *take_frame(field *f, int k) {
  double *to = f->frame[k % 2];
  if (f->number[k % 2] != k) {
    hsize_t start[3] = {(hsize_t)k, 0, 0}, count[3] = {1, (hsize_t)f->points, 3};
    H5Sselect_hyperslab(f->space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dread(f->set, H5T_NATIVE_DOUBLE, f->memory, f->space, H5P_DEFAULT, to) < 0)
      return NULL;
    f->number[k % 2] = k;
  }
  return to;
}

/* A place between two entries of an ascending list: how far it is from the first to the second. */
typedef struct place {
  int first, second;
  double share;
} place;

/* The nearest such place to x; looks from entry `from` on. */
static place find_place(const double *list, int count, double x, int from) {
  if (count < 2)
    return (place){0, 0, 0};
  int i = from;
  while (i < count - 2 && list[i + 1] < x)
    i++;
  double distance = list[i + 1] - list[i];
  return (place){i, i + 1, distance > 0 ? fmin(fmax((x - list[i]) / distance, 0), 1) : 0};
}

static double mix(double first, double second, double share) {
  return first + share * (second - first);
}

/* Fills both maps; false where the file cannot be read. */
static bool fill(field *f, const wy_plot_run *run, double length, double *bending, double *twist) {
  place rows[ROWS];
  for (int i = 0; i < ROWS; i++)
    rows[i] = find_place(f->s, f->points, (i + 0.5) / ROWS * length, i > 0 ? rows[i - 1].first : 0);
  double begin = run->frame_time[0], end = run->frame_time[run->frames - 1];
  place now = {0, 0, 0};
  for (int j = 0; j < COLUMNS; j++) {
    now = find_place(run->frame_time, run->frames, mix(begin, end, (j + 0.5) / COLUMNS), now.first);
    const double *first = take_frame(f, now.first), *second = take_frame(f, now.second);
    if (!first || !second)
      return false;
    for (int i = 0; i < ROWS; i++) {
      double value[3];
      for (int c = 0; c < 3; c++) {
        int a = 3 * rows[i].first + c, b = 3 * rows[i].second + c;
        value[c] = mix(mix(first[a], first[b], rows[i].share), mix(second[a], second[b], rows[i].share), now.share);
      }
      bending[i * COLUMNS + j] = hypot(value[0], value[1]);
      twist[i * COLUMNS + j] = value[2];
    }
  }
  return true;
}

static double largest_of(const double *values) {
  double largest = 0;
  for (int i = 0; i < ROWS * COLUMNS; i++)
    largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* A dataset as two maps, without those that would show nothing but zero. */
static void read_pair(hid_t group, const char *name, const wy_plot_run *run, double length, double smallest,
                      wy_plot_map maps[2]) {
  field f;
  double *values[2] = {wy_plot_allocate((size_t)ROWS * COLUMNS, sizeof(double)),
                       wy_plot_allocate((size_t)ROWS * COLUMNS, sizeof(double))};
  bool good = open_field(group, name, run->frames, &f) && fill(&f, run, length, values[0], values[1]);
  double size[2] = {largest_of(values[0]), largest_of(values[1])};
  for (int i = 0; i < 2; i++) {
    if (good && size[i] > smallest && size[i] > invisible * size[1 - i])
      maps[i] = (wy_plot_map){COLUMNS, ROWS, values[i]};
    else
      free(values[i]);
  }
  close_field(&f);
}

void wy_plot_read_maps(hid_t file, wy_plot_run *run) {
  if (run->frames < 2 || !(run->frame_time[run->frames - 1] > run->frame_time[0]))
    return;
  for (int r = 0; r < run->rod_count && r < MOST_RODS; r++) {
    wy_plot_rod *rod = &run->rods[r];
    char path[300];
    int size[3];
    snprintf(path, sizeof path, "rods/%.255s", rod->name);
    hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    double *s = group >= 0 ? wy_plot_read_block(group, "s", -1, size) : NULL;
    rod->length = s && size[0] > 0 ? s[size[0] - 1] : 0;
    if (rod->length > 0) {
      read_pair(group, "curvature", run, rod->length, invisible / rod->length, &rod->map[WY_PLOT_BENDING]);
      read_pair(group, "moment", run, rod->length, 0, &rod->map[WY_PLOT_BENDING_MOMENT]);
    }
    free(s);
    if (group >= 0)
      H5Gclose(group);
  }
}

void wy_plot_free_maps(wy_plot_rod *rod) {
  for (int i = 0; i < WY_PLOT_MAPS; i++)
    free(rod->map[i].values);
}
