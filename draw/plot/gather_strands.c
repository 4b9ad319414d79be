/* SPDX-License-Identifier: MIT */
/* The strands of a run for its pictures: a few moments, and not all of very many. */
#include <string.h>

#include "draw/plot/gather.h"

enum { MOST_MOMENTS = 6, MOST_STRANDS = 120 /* of one entry, in a panel */ };

static bool gather_one(wy_plot_run *run, const char *name, wy_plot_strands *strands) {
  const wy_stored_field *field = NULL;
  const char *path = wy_memory_print(run->memory, "/strands/%s/position", name);
  if (!wy_plot_good(run, wy_folder_field(run->folder, path, 3, &field, NULL)) || !field)
    return false;
  int step = (field->lines + MOST_STRANDS - 1) / MOST_STRANDS;
  strands->count = (field->lines + step - 1) / step;
  strands->points = field->points;
  size_t line = 3 * (size_t)field->points;
  double *all = wy_memory_take(run->memory, (size_t)field->lines * line, sizeof *all);
  double *out = wy_memory_take(run->memory, (size_t)run->moments * (size_t)strands->count * line, sizeof *out);
  strands->position = out;
  bool good = true;
  for (int k = 0; k < run->moments && good; k++) {
    int snapshot = wy_plot_shown_snapshot(run, run->moment[k]);
    good = wy_plot_good(run, wy_folder_read(run->folder, field, snapshot, 1, 1, all, NULL));
    for (int i = 0; i < strands->count; i++, out += line)
      memcpy(out, all + (size_t)i * (size_t)step * line, line * sizeof *out);
  }
  return good;
}

void wy_plot_gather_strands(wy_plot_run *run) {
  int count = 0;
  const char *const *names = NULL;
  if (!wy_plot_good(run, wy_folder_names(run->folder, "/strands", &count, &names, NULL)) || count == 0)
    return;
  run->moments = run->shown < MOST_MOMENTS ? run->shown : MOST_MOMENTS;
  run->moment = wy_memory_take(run->memory, (size_t)run->moments, sizeof *run->moment);
  for (int k = 1; k < run->moments; k++)
    run->moment[k] = k * (run->shown - 1) / (run->moments - 1);
  run->strands = wy_memory_take(run->memory, (size_t)count, sizeof *run->strands);
  for (int i = 0; i < count; i++)
    run->strands_count += gather_one(run, names[i], &run->strands[run->strands_count]);
}
