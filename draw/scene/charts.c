/* The charts and the modes of the 3D page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

enum { MOST_ROWS = 5000 };

/* ---- Charts ---- */

/* A table whose columns are to become curves. */
typedef struct curves {
  int count, columns;
  const double *time;
  const double *column[WY_SCENE_COLUMNS];
} curves;

/* Which rows are shown: those at times not passed before and, where these are very many, the ones with the largest and
   smallest value of each column in equal parts of the table, the first and the last. Returns how many. */
static int choose_rows(const curves *in, int *chosen, int *passed) {
  int rows = 0;
  for (int i = 0; i < in->count; i++)
    if (rows == 0 || in->time[i] > in->time[chosen[rows - 1]])
      chosen[rows++] = i;
  *passed = in->count - rows;
  if (rows <= MOST_ROWS)
    return rows;
  int parts = (MOST_ROWS - 2) / (2 * in->columns), kept = 0;
  bool *keep = wy_plot_allocate((size_t)rows, sizeof *keep);
  keep[0] = keep[rows - 1] = true;
  for (int part = 0; part < parts; part++) {
    int first = (int)((long long)part * rows / parts), end = (int)((long long)(part + 1) * rows / parts);
    for (int c = 0; c < in->columns; c++) {
      int low = first, high = first;
      for (int i = first; i < end; i++) {
        low = in->column[c][chosen[i]] < in->column[c][chosen[low]] ? i : low;
        high = in->column[c][chosen[i]] > in->column[c][chosen[high]] ? i : high;
      }
      keep[low] = keep[high] = true;
    }
  }
  for (int i = 0; i < rows; i++)
    if (keep[i])
      chosen[kept++] = chosen[i];
  free(keep);
  return kept;
}

static wy_scene_array *add_column(wy_scene_run *run, const double *values, const int *chosen, int count) {
  double *data = wy_pool_take(&run->pool, (size_t)count * sizeof *data);
  for (int i = 0; i < count; i++)
    data[i] = values[chosen[i]];
  return wy_scene_add(
      run, (wy_scene_array){.type = WY_SCENE_F64, .frames = 1, .values = (size_t)count, .components = 1, .data = data});
}

/* What was left out of the charts, for the notes. */
typedef struct omissions {
  int shown, rows, passed;
} omissions;

static wy_status add_chart(wy_scene_run *run, const curves *in, wy_scene_chart chart, const char *file, omissions *left,
                           wy_message *message) {
  for (int i = 0; i < in->count; i++)
    for (int c = -1; c < in->columns; c++)
      if (!isfinite(c < 0 ? in->time[i] : in->column[c][i]))
        return wy_results_fail(message, WY_ERROR_INPUT, "%s/%s: %s, t = %.9g: a value is not a finite number",
                               run->folder, file, chart.title, in->time[i]);
  int *chosen = wy_plot_allocate((size_t)in->count, sizeof *chosen), passed = 0;
  int count = choose_rows(in, chosen, &passed);
  left->passed = passed > left->passed ? passed : left->passed;
  if (count + passed < in->count)
    *left = (omissions){count, in->count, left->passed};
  if (count > 1) {
    chart.columns = in->columns;
    chart.time = add_column(run, in->time, chosen, count);
    for (int c = 0; c < in->columns; c++)
      chart.values[c] = add_column(run, in->column[c], chosen, count);
    run->charts[run->chart_count++] = chart;
  }
  free(chosen);
  return WY_OK;
}

static wy_status add_probes(wy_scene_run *run, omissions *left, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < run->plot.probe_count && status == WY_OK; i++) {
    const wy_plot_probe *probe = &run->plot.probes[i];
    curves in = {.count = run->plot.rows, .columns = probe->count, .time = run->plot.row_time};
    wy_scene_chart chart = {.title = probe->name, .quantity = probe->quantity};
    for (int c = 0; c < probe->count; c++) {
      in.column[c] = probe->values[c];
      chart.labels[c] = probe->label[c][0] ? probe->label[c] : probe->name;
    }
    status = add_chart(run, &in, chart, "probes.csv", left, message);
  }
  return status;
}

/* Without those that are 0 all the time. */
static wy_status add_energies(wy_scene_run *run, omissions *left, wy_message *message) {
  curves in = {.count = run->plot.frames, .time = run->plot.frame_time};
  wy_scene_chart chart = {.title = "energies", .quantity = "energy"};
  for (int e = 0; e < WY_PLOT_ENERGIES; e++) {
    const double *energy = run->plot.energy[e];
    bool some = energy && e == WY_PLOT_TOTAL;
    for (int i = 0; energy && i < in.count && !some; i++)
      some = energy[i] != 0;
    if (some) {
      chart.labels[in.columns] = wy_plot_energy_names[e];
      in.column[in.columns++] = energy;
    }
  }
  return in.columns > 0 ? add_chart(run, &in, chart, "result.h5", left, message) : WY_OK;
}

wy_status wy_scene_build_charts(wy_scene_run *run, wy_message *message) {
  omissions left = {0};
  run->charts = wy_pool_take(&run->pool, ((size_t)run->plot.probe_count + 1) * sizeof *run->charts);
  wy_status status = add_probes(run, &left, message);
  if (status == WY_OK)
    status = add_energies(run, &left, message);
  if (left.rows > 0)
    wy_scene_note(run, "Charts show %d of %d rows; the largest and smallest values are kept.", left.shown, left.rows);
  if (left.passed > 0)
    wy_scene_note(run, "The path turns round: charts leave out %d equilibria at loads that it had passed before.",
                  left.passed);
  return status;
}

/* ---- Modes ---- */

static wy_scene_array *add_shape(wy_scene_run *run, const double *data, int points) {
  return wy_scene_add(
      run,
      (wy_scene_array){.type = WY_SCENE_F32, .frames = 1, .values = 3 * (size_t)points, .components = 3, .data = data});
}

/* By how much a shape is multiplied so that it can be seen: where the rod turns about its axis, one radian. */
static double find_factor(const wy_plot_shapes *in, int k, const double *position) {
  double moved = wy_plot_largest(in->displacement + (size_t)k * 3 * (size_t)in->points, in->points);
  if (wy_plot_is_turning(in, k))
    return 1 / wy_plot_largest(in->rotation + (size_t)k * 3 * (size_t)in->frames, in->frames);
  return moved > 0 ? WY_PLOT_VISIBLE * wy_plot_extent(position, in->points) / moved : 0;
}

/* The change of d1 by a body rotation v, to first order. */
static void turn_directors(const double *d1, const double *d2, const double *v, int count, double factor, double *out) {
  for (int i = 0; i < 3 * count; i += 3)
    for (int c = 0; c < 3; c++) {
      int next = (c + 1) % 3, after = (c + 2) % 3;
      double d3 = d1[i + next] * d2[i + after] - d1[i + after] * d2[i + next];
      out[i + c] = factor * (v[i + 2] * d2[i + c] - v[i + 1] * d3);
    }
}

static void add_mode(wy_scene_run *run, int rod, const wy_plot_shapes *in, int k, wy_scene_mode *mode) {
  const double *s = run->rods[rod].shown_s;
  int count = run->rods[rod].points.count;
  size_t points = (size_t)in->points, frames = (size_t)in->frames, state = in->own_state ? (size_t)k : 0;
  wy_scene_places at = wy_scene_locate(&run->pool, in->s, in->points, s, count);
  wy_scene_places at_frame = wy_scene_locate(&run->pool, in->frame_s, in->frames, s, count);
  double *data = wy_pool_take(&run->pool, 6 * 3 * (size_t)count * sizeof *data), *part[6];
  for (int i = 0; i < 6; i++)
    part[i] = data + 3 * (size_t)count * (size_t)i;
  double *displacement = part[0], *change = part[1], *position = part[2], *d1 = part[3], *d2 = part[4], *v = part[5];
  double factor = find_factor(in, k, in->position + state * 3 * points);
  wy_scene_vectors(in->displacement + (size_t)k * 3 * points, 3, &at, displacement);
  wy_scene_vectors(in->rotation + (size_t)k * 3 * frames, 3, &at_frame, v);
  wy_scene_vectors(in->position + state * 3 * points, 3, &at, position);
  wy_scene_directors(in->frame + state * 4 * frames, &at_frame, WY_SCENE_D1, d1);
  wy_scene_directors(in->frame + state * 4 * frames, &at_frame, WY_SCENE_D2, d2);
  turn_directors(d1, d2, v, count, factor, change);
  for (int i = 0; i < 3 * count; i++)
    displacement[i] *= factor;
  mode->rod = rod;
  mode->base = position;
  mode->displacement = add_shape(run, displacement, count);
  mode->d1 = add_shape(run, change, count);
  if (in->own_state) {
    mode->position = add_shape(run, position, count);
    mode->director = add_shape(run, d1, count);
  }
}

static bool is_finite(const wy_scene_mode *mode) {
  const wy_scene_array *arrays[] = {mode->displacement, mode->d1, mode->position, mode->director};
  for (int a = 0; a < 4; a++)
    for (size_t i = 0; arrays[a] && i < arrays[a]->values; i++)
      if (!isfinite(arrays[a]->data[i]))
        return false;
  return true;
}

static const char *label_mode(wy_scene_run *run, const wy_plot_mode_table *table, int number) {
  double value = table->values[number - 1], damping = table->damping ? table->damping[number - 1] : 0;
  if (run->plot.analysis == WY_BUCKLING)
    return wy_scene_text(run, "factor = %.4g", value);
  return damping != 0 ? wy_scene_text(run, "omega = %.4g, damping ratio %.3g", value, damping)
                      : wy_scene_text(run, "omega = %.4g", value);
}

static wy_status add_rod_modes(wy_scene_run *run, int rod, const wy_plot_mode_table *table, bool all,
                               wy_message *message) {
  wy_plot_shapes shapes;
  wy_status status = WY_OK;
  bool whole = wy_plot_read_shapes(run->file, &run->plot, run->rods[rod].name, &shapes);
  for (int k = 0; whole && k < shapes.count && run->mode_count < table->count && status == WY_OK; k++) {
    if (!(shapes.number[k] >= 1 && shapes.number[k] <= table->count))
      continue;
    int number = (int)shapes.number[k];
    if (table->values[number - 1] == 0 && !all)
      continue;
    wy_scene_mode *mode = &run->modes[run->mode_count++];
    add_mode(run, rod, &shapes, k, mode);
    mode->number = number;
    mode->label = label_mode(run, table, number);
    if (!is_finite(mode))
      status = wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: /modes/%s: mode %d is not finite", run->folder,
                               run->rods[rod].name, number);
  }
  wy_plot_free_shapes(&shapes);
  return status;
}

static int by_number(const void *a, const void *b) {
  return ((const wy_scene_mode *)a)->number - ((const wy_scene_mode *)b)->number;
}

/* Motions of a rod as a whole (omega = 0) are left out, unless there is nothing else. */
wy_status wy_scene_build_modes(wy_scene_run *run, wy_message *message) {
  if (run->plot.analysis != WY_MODES && run->plot.analysis != WY_BUCKLING)
    return WY_OK;
  wy_plot_mode_table table = wy_plot_read_mode_table(run->file, &run->plot);
  bool all = true;
  for (int i = 0; i < table.count; i++)
    all = all && table.values[i] == 0;
  run->modes = wy_pool_take(&run->pool, ((size_t)table.count + 1) * sizeof *run->modes);
  wy_status status = WY_OK;
  for (int r = 0; r < run->rod_count && status == WY_OK; r++)
    status = add_rod_modes(run, r, &table, all, message);
  if (run->mode_count > 0)
    qsort(run->modes, (size_t)run->mode_count, sizeof *run->modes, by_number);
  free(table.values);
  free(table.damping);
  return status;
}
