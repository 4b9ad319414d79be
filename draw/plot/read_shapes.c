/* Reading equilibria for plotting: what the rods bear, their modes, and where they were before. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/read.h"

enum { MAX_MODES = 6 };

static const double edge_distance = 0.1; /* of an edge from the centreline, over the size of the rod */

/* Each size fits into an int, and their product into 64 bits. */
static bool is_sane(const hsize_t extent[3]) {
  const hsize_t most = INT_MAX;
  return extent[0] < most && extent[1] < most && extent[2] < most &&
         extent[0] * extent[1] < most * most / (extent[2] + 1);
}

double *wy_plot_read_block(hid_t file, const char *path, int entry, int size[3]) {
  hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0)
    return NULL;
  hid_t space = H5Dget_space(set);
  int rank = H5Sget_simple_extent_ndims(space);
  hsize_t extent[3] = {1, 1, 1}, start[3] = {0, 0, 0};
  bool good = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
  good = good && (entry < 0 || (hsize_t)entry < extent[0]);
  if (good && entry >= 0) {
    start[0] = (hsize_t)entry;
    extent[0] = 1;
  }
  double *values = NULL;
  if (good && is_sane(extent)) {
    values = wy_plot_allocate(extent[0] * extent[1] * extent[2] + 1, sizeof *values);
    hid_t memory = H5Screate_simple(rank, extent, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
    if (H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0) {
      free(values);
      values = NULL;
    }
    H5Sclose(memory);
  }
  for (int i = 0; i < 3; i++)
    size[i] = (int)extent[i];
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

/* "group/name/dataset", one entry or all. */
static double *read_part(hid_t file, const char *group, const char *name, const char *dataset, int entry, int size[3]) {
  char path[512];
  int length = snprintf(path, sizeof path, "%s/%s/%s", group, name, dataset);
  return length > 0 && length < (int)sizeof path ? wy_plot_read_block(file, path, entry, size) : NULL;
}

/* ---- Forces ---- */

static void read_along(hid_t file, const wy_plot_run *run, const char *rod, const char *dataset, wy_plot_along *out) {
  char s_name[32];
  int size[3], s_size[3];
  snprintf(s_name, sizeof s_name, "%s_s", dataset);
  double *values = read_part(file, "rods", rod, dataset, run->frames - 1, size);
  double *s = read_part(file, "rods", rod, s_name, -1, s_size);
  if (values && s && size[2] == 3 && size[1] == s_size[0]) {
    out->count = size[1];
    out->s = s;
    s = NULL;
    for (int c = 0; c < 3; c++) {
      out->values[c] = wy_plot_allocate((size_t)out->count + 1, sizeof(double));
      for (int i = 0; i < out->count; i++)
        out->values[c][i] = values[3 * i + c];
    }
  }
  free(values);
  free(s);
}

void wy_plot_read_forces(hid_t file, wy_plot_run *run) {
  for (int r = 0; r < run->rod_count; r++) {
    wy_plot_rod *rod = &run->rods[r];
    int size[3];
    rod->s = read_part(file, "rods", rod->name, "s", -1, size);
    if (rod->s && size[0] != rod->points) {
      free(rod->s);
      rod->s = NULL;
    }
    read_along(file, run, rod->name, "force", &rod->force);
    read_along(file, run, rod->name, "moment", &rod->moment);
  }
}

/* ---- Modes ---- */

void wy_plot_free_shapes(wy_plot_shapes *in) {
  double *parts[] = {in->number, in->s, in->frame_s, in->displacement, in->rotation, in->position, in->frame};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    free(parts[i]);
}

bool wy_plot_read_shapes(hid_t file, const wy_plot_run *run, const char *rod, wy_plot_shapes *out) {
  int number[3], s[3], frame_s[3], displacement[3], rotation[3], position[3], frame[3];
  *out = (wy_plot_shapes){.own_state = run->analysis == WY_BUCKLING};
  const char *home = out->own_state ? "modes" : "rods";
  int entry = out->own_state ? -1 : run->frames - 1;
  out->number = read_part(file, "modes", rod, "mode", -1, number);
  out->s = read_part(file, "modes", rod, "s", -1, s);
  out->frame_s = read_part(file, "modes", rod, "frame_s", -1, frame_s);
  out->displacement = read_part(file, "modes", rod, "displacement", -1, displacement);
  out->rotation = read_part(file, "modes", rod, "rotation", -1, rotation);
  out->position = out->own_state || entry >= 0 ? read_part(file, home, rod, "position", entry, position) : NULL;
  out->frame = out->own_state || entry >= 0 ? read_part(file, home, rod, "frame", entry, frame) : NULL;
  if (!out->number || !out->s || !out->frame_s || !out->displacement || !out->rotation || !out->position || !out->frame)
    return false;
  out->count = number[0];
  out->points = s[0];
  out->frames = frame_s[0];
  int states = out->own_state ? out->count : 1;
  return out->points >= 2 && out->frames >= 1 && displacement[0] == out->count && displacement[1] == out->points &&
         displacement[2] == 3 && rotation[0] == out->count && rotation[1] == out->frames && rotation[2] == 3 &&
         position[0] == states && position[1] == out->points && position[2] == 3 && frame[0] == states &&
         frame[1] == out->frames && frame[2] == 4;
}

double wy_plot_largest(const double *vectors, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, hypot(hypot(vectors[3 * i], vectors[3 * i + 1]), vectors[3 * i + 2]));
  return largest;
}

double wy_plot_extent(const double *line, int count) {
  double size = 0;
  for (int c = 0; c < 3; c++) {
    double low = line[c], high = line[c];
    for (int i = 1; i < count; i++) {
      low = fmin(low, line[3 * i + c]);
      high = fmax(high, line[3 * i + c]);
    }
    size = fmax(size, high - low);
  }
  return size;
}

static void point_at(const wy_plot_shapes *in, const double *line, double s, double out[3]) {
  int i = 0;
  while (i < in->points - 2 && in->s[i + 1] < s)
    i++;
  double part = (s - in->s[i]) / (in->s[i + 1] - in->s[i]);
  for (int c = 0; c < 3; c++)
    out[c] = line[3 * i + c] + part * (line[3 * i + 3 + c] - line[3 * i + c]);
}

/* d1 of a frame that a body rotation v has turned, to first order and of length 1. */
static void turned_director(const double q[4], const double v[3], double out[3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double d1[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  double d2[3] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  double d3[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  double length = sqrt(1 + v[2] * v[2] + v[1] * v[1]);
  for (int c = 0; c < 3; c++)
    out[c] = (d1[c] + v[2] * d2[c] - v[1] * d3[c]) / length;
}

/* Centreline, and the lines displaced by the mode one way and the other. */
static void draw_displaced(const wy_plot_shapes *in, int k, const double *position, wy_plot_mode *out) {
  size_t values = 3 * (size_t)in->points;
  const double *d = in->displacement + (size_t)k * values;
  double largest = wy_plot_largest(d, in->points);
  double factor = largest > 0 ? WY_PLOT_VISIBLE * wy_plot_extent(position, in->points) / largest : 0;
  for (size_t i = 0; i < values; i++) {
    out->rest[i] = position[i];
    out->shape[i] = position[i] + factor * d[i];
    out->other[i] = position[i] - factor * d[i];
  }
}

/* Centreline and an edge in the direction of d1, turned so that its largest angle is one radian and at rest. */
static void draw_turned(const wy_plot_shapes *in, int k, const double *position, const double *frame,
                        wy_plot_mode *out) {
  const double *rotation = in->rotation + (size_t)k * 3 * (size_t)in->frames;
  double largest = wy_plot_largest(rotation, in->frames),
         distance = edge_distance * wy_plot_extent(position, in->points);
  for (int i = 0; i < in->frames; i++) {
    double director[3], turned[3], angle[3];
    const double none[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++)
      angle[c] = rotation[3 * i + c] / largest;
    turned_director(frame + 4 * (size_t)i, none, director);
    turned_director(frame + 4 * (size_t)i, angle, turned);
    point_at(in, position, in->frame_s[i], out->rest + 3 * (size_t)i);
    for (int c = 0; c < 3; c++) {
      out->shape[3 * i + c] = out->rest[3 * i + c] + distance * turned[c];
      out->other[3 * i + c] = out->rest[3 * i + c] + distance * director[c];
    }
  }
}

bool wy_plot_is_turning(const wy_plot_shapes *in, int k) {
  double moved = wy_plot_largest(in->displacement + (size_t)k * 3 * (size_t)in->points, in->points);
  double angle = wy_plot_largest(in->rotation + (size_t)k * 3 * (size_t)in->frames, in->frames);
  return moved < 0.02 * in->s[in->points - 1] * angle;
}

static wy_plot_mode *add_mode(wy_plot_run *run, const char *rod, const wy_plot_shapes *in, int k) {
  int at = run->mode_count++;
  for (; at > 0 && run->modes[at - 1].number > (int)in->number[k]; at--)
    run->modes[at] = run->modes[at - 1];
  wy_plot_mode *mode = &run->modes[at];
  *mode = (wy_plot_mode){.number = (int)in->number[k], .rod = wy_plot_copy(rod, strlen(rod))};
  size_t state = in->own_state ? (size_t)k : 0;
  const double *position = in->position + state * 3 * (size_t)in->points;
  mode->turning = wy_plot_is_turning(in, k);
  mode->count = mode->turning ? in->frames : in->points;
  double **lines[] = {&mode->rest, &mode->shape, &mode->other};
  for (int i = 0; i < 3; i++)
    *lines[i] = wy_plot_allocate(3 * (size_t)mode->count, sizeof(double));
  if (mode->turning)
    draw_turned(in, k, position, in->frame + state * 4 * (size_t)in->frames, mode);
  else
    draw_displaced(in, k, position, mode);
  return mode;
}

wy_plot_mode_table wy_plot_read_mode_table(hid_t file, const wy_plot_run *run) {
  wy_plot_mode_table out = {0};
  int size[3] = {0}, damping_size[3] = {0};
  out.values = wy_plot_read_block(file, run->analysis == WY_BUCKLING ? "modes/factor" : "modes/omega", -1, size);
  out.count = out.values ? size[0] : 0;
  if (run->analysis == WY_MODES)
    out.damping = wy_plot_read_block(file, "modes/damping_ratio", -1, damping_size);
  if (out.damping && damping_size[0] != out.count) {
    free(out.damping);
    out.damping = NULL;
  }
  return out;
}

/* The first modes are drawn, but motions of the rod as a whole (omega = 0) only where there is nothing else. */
static bool is_drawn(const wy_plot_mode_table *table, int number) {
  int before = 0, still = 0;
  for (int i = 0; i < table->count; i++)
    still += table->values[i] == 0;
  bool all_still = still == table->count;
  for (int i = 0; i < number - 1 && i < table->count; i++)
    before += all_still || table->values[i] != 0;
  return number >= 1 && number <= table->count && before < MAX_MODES && (all_still || table->values[number - 1] != 0);
}

static void read_rod_modes(hid_t file, wy_plot_run *run, const char *rod, const wy_plot_mode_table *table) {
  wy_plot_shapes found;
  if (wy_plot_read_shapes(file, run, rod, &found))
    for (int k = 0; k < found.count && run->mode_count < MAX_MODES; k++) {
      int number = found.number[k] >= 1 && found.number[k] <= table->count ? (int)found.number[k] : 0;
      if (!is_drawn(table, number))
        continue;
      wy_plot_mode *mode = add_mode(run, rod, &found, k);
      mode->value = table->values[number - 1];
      mode->damping_ratio = table->damping ? table->damping[number - 1] : 0;
    }
  wy_plot_free_shapes(&found);
}

void wy_plot_read_modes(hid_t file, wy_plot_run *run) {
  hid_t group = H5Gopen2(file, "modes", H5P_DEFAULT);
  H5G_info_t info;
  if (group < 0)
    return;
  wy_plot_mode_table table = wy_plot_read_mode_table(file, run);
  run->modes = wy_plot_allocate(MAX_MODES, sizeof *run->modes);
  for (hsize_t i = 0; H5Gget_info(group, &info) >= 0 && i < info.nlinks; i++) {
    char name[256];
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) >= 0)
      read_rod_modes(file, run, name, &table);
  }
  free(table.values);
  free(table.damping);
  H5Gclose(group);
}

/* ---- Before ---- */

int wy_plot_find_rod(const wy_scenario *scenario, const char *name) {
  for (int i = 0; i < scenario->model.rod_count; i++)
    if (strcmp(scenario->model.rods[i].name, name) == 0)
      return i;
  return -1;
}

void wy_plot_add_undeformed(wy_plot_run *run, const wy_scenario *scenario) {
  wy_model *model = NULL;
  bool known = run->snapshots == 1 && wy_model_create(&scenario->model, &model, NULL) == WY_OK;
  for (int r = 0; r < run->rod_count; r++)
    known = known && run->rods[r].s && wy_plot_find_rod(scenario, run->rods[r].name) >= 0;
  for (int r = 0; r < run->rod_count && known; r++) {
    wy_plot_rod *rod = &run->rods[r];
    int index = wy_plot_find_rod(scenario, rod->name);
    double length = wy_model_rod(model, index)->length, frame[4];
    double *both = wy_plot_allocate(6 * (size_t)rod->points, sizeof *both), *now = both + 3 * (size_t)rod->points;
    memcpy(now, rod->position, 3 * (size_t)rod->points * sizeof *now);
    for (int i = 0; i < rod->points; i++) {
      double *x = both + 3 * (size_t)i;
      wy_model_reference(model, index, rod->s[i], x, frame);
      for (int c = 0; c < 3; c++)
        run->deformed = run->deformed || fabs(now[3 * i + c] - x[c]) > 1e-6 * length;
    }
    free(rod->position);
    rod->position = both;
  }
  if (known) {
    run->undeformed_first = true;
    run->snapshots = 2;
    free(run->snapshot_time);
    run->snapshot_time = wy_plot_allocate(2, sizeof(double));
  }
  wy_model_destroy(model);
}
