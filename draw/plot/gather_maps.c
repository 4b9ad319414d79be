/* SPDX-License-Identifier: MIT */
/* What the space-time maps show: curvature and moment of the first rods in all snapshots, brought to a regular
   grid. Snapshots and points of a rod may lie anywhere; between them values are linear, and beyond the last point of a
   rod constant: from a few points towards an end nothing more can be told. */
#include <math.h>

#include "draw/plot/gather.h"

enum {
  MOST_RODS = 6,
  COLUMNS = 400, /* cells over time and along the rod: no finer than a picture can show */
  ROWS = 100
};

/* Less than this is nothing to see: of the other components, or of a whole turn along the rod. */
static const double invisible = 1e-6;

/* A field with the two snapshots around the present column. */
typedef struct window {
  const wy_plot_run *run;
  const wy_stored_field *field;
  double *snapshot[2];
  int number[2]; /* of the snapshots that are held, or -1 */
} window;

/* Snapshot k, or NULL where it cannot be read. */
static const double *take_snapshot(window *w, int k) {
  double *to = w->snapshot[k % 2];
  if (w->number[k % 2] != k && !wy_plot_good(w->run, wy_folder_read(w->run->folder, w->field, k, 1, 1, to, NULL)))
    return NULL;
  w->number[k % 2] = k;
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
static bool fill(window *w, double length, double *bending, double *twist) {
  const wy_plot_run *run = w->run;
  place rows[ROWS];
  for (int i = 0; i < ROWS; i++)
    rows[i] = find_place(w->field->s, w->field->points, (i + 0.5) / ROWS * length, i > 0 ? rows[i - 1].first : 0);
  double begin = run->time[0], end = run->time[run->snapshots - 1];
  place now = {0, 0, 0};
  for (int j = 0; j < COLUMNS; j++) {
    now = find_place(run->time, run->snapshots, mix(begin, end, (j + 0.5) / COLUMNS), now.first);
    const double *first = take_snapshot(w, now.first), *second = take_snapshot(w, now.second);
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

/* A field as two maps, without those that would show nothing but zero. */
static void gather_pair(wy_plot_run *run, const wy_plot_rod *rod, const char *dataset, double smallest,
                        wy_plot_map maps[2]) {
  window w = {.run = run, .field = wy_plot_field(run, rod->name, dataset), .number = {-1, -1}};
  double *values[2];
  if (!w.field)
    return;
  for (int i = 0; i < 2; i++) {
    w.snapshot[i] = wy_memory_take(run->memory, 3 * (size_t)w.field->points, sizeof(double));
    values[i] = wy_memory_take(run->memory, (size_t)ROWS * COLUMNS, sizeof(double));
  }
  if (!fill(&w, rod->length, values[0], values[1]))
    return;
  double size[2] = {largest_of(values[0]), largest_of(values[1])};
  for (int i = 0; i < 2; i++)
    if (size[i] > smallest && size[i] > invisible * size[1 - i])
      maps[i] = (wy_plot_map){COLUMNS, ROWS, values[i]};
}

void wy_plot_gather_maps(wy_plot_run *run) {
  if (run->snapshots < 2 || !(run->time[run->snapshots - 1] > run->time[0]))
    return;
  for (int r = 0; r < run->rod_count && r < MOST_RODS; r++) {
    wy_plot_rod *rod = &run->rods[r];
    rod->length = rod->s[rod->points - 1];
    if (rod->length > 0) {
      gather_pair(run, rod, "curvature", invisible / rod->length, &rod->map[WY_PLOT_BENDING]);
      gather_pair(run, rod, "moment", 0, &rod->map[WY_PLOT_BENDING_MOMENT]);
    }
  }
}
