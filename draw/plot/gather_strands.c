/* SPDX-License-Identifier: MIT */
/* The strands of a run for its pictures, and its batches: a few moments, and not all of very many. */
#include <string.h>

#include "draw/plot/gather.h"

enum {
  MOST_MOMENTS = 6,
  MOST_STRANDS = 120, /* of one entry, in a panel */
  MOST_TIPS = 800
};

/* Every so many-th line of a field at all moments: [moments][*count][points][3]; NULL: it cannot be read. */
static double *gather_lines(wy_plot_run *run, const wy_stored_field *field, int most, int *count) {
  const int step = (field->lines + most - 1) / most, chosen = (field->lines + step - 1) / step;
  const size_t moment = 3 * (size_t)chosen * (size_t)field->points;
  double *out = wy_memory_take(run->memory, (size_t)run->moments * moment, sizeof *out);
  bool good = true;
  for (int k = 0; k < run->moments && good; k++)
    good = wy_plot_good(run, wy_folder_read_lines(run->folder, field, wy_plot_shown_snapshot(run, run->moment[k]), 0,
                                                  step, chosen, out + (size_t)k * moment, NULL));
  *count = good ? chosen : 0;
  return good ? out : NULL;
}

static const wy_stored_field *find(const wy_plot_run *run, const char *home, const char *name, const char *dataset) {
  const wy_stored_field *field = NULL;
  const char *path = wy_memory_print(run->memory, "%s/%s/%s", home, name, dataset);
  return wy_plot_good(run, wy_folder_field(run->folder, path, 3, &field, NULL)) ? field : NULL;
}

static bool gather_one(wy_plot_run *run, const char *home, const char *name, wy_plot_strands *strands) {
  const wy_stored_field *field = find(run, home, name, "position");
  *strands = (wy_plot_strands){.name = name, .points = field ? field->points : 0};
  strands->position = field ? gather_lines(run, field, MOST_STRANDS, &strands->count) : NULL;
  return strands->position != NULL;
}

static bool gather_batch(wy_plot_run *run, const char *name, wy_plot_strands *strands) {
  if (!gather_one(run, "/batches", name, strands))
    return false;
  const wy_stored_field *tips = find(run, "/batches", name, "tip");
  strands->batch = true;
  if (tips)
    strands->tip = gather_lines(run, tips, MOST_TIPS, &strands->tips);
  return true;
}

static void choose_moments(wy_plot_run *run) {
  run->moments = run->shown < MOST_MOMENTS ? run->shown : MOST_MOMENTS;
  run->moment = wy_memory_take(run->memory, (size_t)run->moments, sizeof *run->moment);
  for (int k = 1; k < run->moments; k++)
    run->moment[k] = k * (run->shown - 1) / (run->moments - 1);
}

/* Is an obstacle where it is in the last snapshot at all moments? */
static bool rests(const wy_plot_run *run, const wy_plot_obstacle *obstacle) {
  const char *name = obstacle->def->name;
  const wy_stored_field *field = name ? find(run, "/obstacles", name, "position") : NULL;
  double at[3] = {0};
  bool same = field != NULL;
  for (int k = 0; k < run->moments && same; k++) {
    const int snapshot = wy_plot_shown_snapshot(run, run->moment[k]);
    same = wy_plot_good(run, wy_folder_read(run->folder, field, snapshot, 1, 1, at, NULL));
    for (int c = 0; c < 3; c++)
      same = same && at[c] == obstacle->position[c];
  }
  return same;
}

static bool find_rest(const wy_plot_run *run) {
  bool all = run->obstacle_count > 0;
  for (int i = 0; i < run->obstacle_count && all; i++)
    all = rests(run, &run->obstacles[i]);
  return all;
}

void wy_plot_gather_strands(wy_plot_run *run) {
  int count = 0, batches = 0;
  const char *const *names = NULL;
  const wy_folder_batch *list = NULL;
  if (!wy_plot_good(run, wy_folder_names(run->folder, "/strands", &count, &names, NULL)) ||
      !wy_plot_good(run, wy_folder_batches(run->folder, &batches, &list, NULL)) || count + batches == 0)
    return;
  choose_moments(run);
  run->obstacles_rest = find_rest(run);
  run->strands = wy_memory_take(run->memory, (size_t)count + (size_t)batches, sizeof *run->strands);
  for (int i = 0; i < count; i++)
    run->strands_count += gather_one(run, "/strands", names[i], &run->strands[run->strands_count]);
  for (int i = 0; i < batches; i++)
    run->strands_count += !list[i].copies && gather_batch(run, list[i].name, &run->strands[run->strands_count]);
  if (run->strands_count == 0)
    run->moments = 0;
}
