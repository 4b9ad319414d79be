/* SPDX-License-Identifier: MIT */
/* The loads of the pattern on its grid, as the staggered scheme places them: docs/theory/staggered.md, (S23). */
#include <math.h>
#include <string.h>

#include "batch/inside.h"

static bool has(const wy_signal signals[3]) {
  for (int k = 0; k < 3; k++)
    if (signals[k].evaluate || signals[k].value != 0)
      return true;
  return false;
}

wy_status wy_batch_check_loads(const wy_model *model, int rod, wy_message *message) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    char path[WY_ENTRY_PATH];
    wy_model_load_path(model, wy_model_rod_load_number(model, rod, i), path);
    if (load->axes != WY_BODY_AXES)
      continue;
    if (has(load->force))
      return wy_fail(message, WY_ERROR_SUPPORT, "%s: batches have no forces in body axes", path);
    const double s = load->place == WY_ALONG ? -1 : wy_load_arc(def, load);
    const bool start = s == 0 && def->ends[0].rotation == WY_FREE;
    const bool end = s == def->length && def->ends[1].rotation == WY_FREE;
    if (has(load->moment) && (start || end))
      return wy_fail(message, WY_ERROR_SUPPORT, "%s: batches have no moments in body axes at an end that turns freely",
                     path);
  }
  return WY_OK;
}

bool wy_batch_loads_change(const wy_batch *self) {
  for (int i = 0; i < wy_model_rod_load_count(self->model, self->def.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->model, self->def.rod, i);
    for (int k = 0; k < 3; k++)
      if (wy_signal_depends(&load->force[k], WY_TIME) || wy_signal_depends(&load->moment[k], WY_TIME))
        return true;
  }
  return false;
}

/* Adds to three entries of the row of a vertex or segment; line loads stand behind point loads. */
static void add(double *rows, int row, int entry, bool line, double weight, const double value[3]) {
  double *to = rows + (size_t)row * WY_LOAD_ROW + entry + (line ? 3 : 0);
  for (int k = 0; k < 3; k++)
    to[k] += weight * value[k];
}

/* A force is shared by the two vertices around it, a moment by the two nearest segments; beyond the first and the last
   middle the second one is a support that holds the rotation, which takes its share. */
static void add_point(const wy_batch *self, double s, const double force[3], const double moment[3], int entry,
                      double *rows) {
  const int n = self->kind.segments;
  const double h = self->rod->length / n, at = s / h, middle = at - 0.5;
  const int i = at >= n ? n - 1 : (int)at;
  add(rows, i, WY_LOAD_FORCE, false, 1 - (at - i), force);
  add(rows, i + 1, WY_LOAD_FORCE, false, at - i, force);
  if (middle < 0 || middle >= n - 1) {
    const int end = middle >= 0;
    const double share = self->kind.clamped[end] ? fmin(2 * (end ? n - at : at), 1) : 1;
    add(rows, end ? n - 1 : 0, entry, false, share, moment);
    return;
  }
  const int before = (int)middle;
  add(rows, before, entry, false, 1 - (middle - before), moment);
  add(rows, before + 1, entry, false, middle - before, moment);
}

static void add_line(const wy_batch *self, const wy_load_def *load, double t, int entry, double *rows) {
  const int n = self->kind.segments;
  const double h = self->rod->length / n;
  for (int i = 0; i < n; i++) {
    const double from = fmax(load->from, i * h), to = fmin(load->to, (i + 1) * h), s = 0.5 * (from + to);
    if (!(to > from))
      continue;
    double force[3], moment[3];
    for (int k = 0; k < 3; k++) {
      force[k] = wy_signal_value(&load->force[k], s, t);
      moment[k] = wy_signal_value(&load->moment[k], s, t);
    }
    const double share = s / h - i;
    add(rows, i, WY_LOAD_FORCE, true, (1 - share) * (to - from), force);
    add(rows, i + 1, WY_LOAD_FORCE, true, share * (to - from), force);
    add(rows, i, entry, true, to - from, moment);
  }
}

void wy_batch_place_loads(const wy_batch *self, double t, double *rows) {
  memset(rows, 0, (size_t)(self->kind.segments + 1) * WY_LOAD_ROW * sizeof *rows);
  for (int i = 0; i < wy_model_rod_load_count(self->model, self->def.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->model, self->def.rod, i);
    const int entry = load->axes == WY_BODY_AXES ? WY_LOAD_BODY : WY_LOAD_SPACE;
    if (load->place == WY_ALONG) {
      add_line(self, load, t, entry, rows);
      continue;
    }
    const double s = wy_load_arc(self->rod, load);
    double force[3], moment[3];
    for (int k = 0; k < 3; k++) {
      force[k] = wy_signal_value(&load->force[k], s, t);
      moment[k] = wy_signal_value(&load->moment[k], s, t);
    }
    add_point(self, s, force, moment, entry, rows);
  }
}
