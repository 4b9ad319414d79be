/* SPDX-License-Identifier: MIT */
/* The charts of the 3D page. */
#include <math.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

enum { MOST_ROWS = 5000, MOST_TIMES = 1000 /* of a band */ };

/* A table whose columns are to become curves. */
typedef struct curves {
  int count, columns;
  bool unbounded; /* rows with an infinite value are left out */
  const double *time;
  const double *column[WY_SCENE_COLUMNS];
} curves;

static bool is_drawn(const curves *in, int row) {
  bool finite = true;
  for (int c = 0; c < in->columns; c++)
    finite = finite && isfinite(in->column[c][row]);
  return finite;
}

/* Which rows are shown: those at times not passed before and, where these are very many, the ones with the largest and
   smallest value of each column in equal parts of the table, the first and the last. Returns how many. */
static int choose_rows(wy_memory *memory, const curves *in, int *chosen, int *passed) {
  int rows = 0;
  *passed = 0;
  for (int i = 0; i < in->count; i++)
    if (rows > 0 && !(in->time[i] > in->time[chosen[rows - 1]]))
      (*passed)++;
    else if (is_drawn(in, i))
      chosen[rows++] = i;
  if (rows <= MOST_ROWS)
    return rows;
  int parts = (MOST_ROWS - 2) / (2 * in->columns), kept = 0;
  bool *keep = wy_memory_take(memory, (size_t)rows, sizeof *keep);
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
  return kept;
}

static wy_scene_array *add_column(wy_scene_run *run, const double *values, const int *chosen, int count) {
  double *data = wy_memory_take(run->memory, (size_t)count, sizeof *data);
  for (int i = 0; i < count; i++)
    data[i] = values[chosen[i]];
  return wy_scene_add(
      run,
      (wy_scene_array){.type = WY_SCENE_F64, .snapshots = 1, .values = (size_t)count, .components = 1, .data = data});
}

/* What was left out of the charts, for the notes. */
typedef struct omissions {
  int shown, rows, passed;
} omissions;

static wy_status add_chart(wy_scene_run *run, const curves *in, wy_scene_chart chart, const char *file, omissions *left,
                           wy_message *message) {
  for (int i = 0; i < in->count; i++)
    for (int c = -1; c < in->columns; c++)
      if (!isfinite(c < 0 ? in->time[i] : in->column[c][i]) && (c < 0 || !in->unbounded))
        return wy_results_fail(message, WY_ERROR_INPUT, "%s/%s: %s, t = %.9g: a value is not a finite number",
                               wy_folder_path(run->folder), file, chart.title, in->time[i]);
  int *chosen = wy_memory_take(run->memory, (size_t)in->count, sizeof *chosen), passed = 0;
  int count = choose_rows(run->memory, in, chosen, &passed);
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
  return WY_OK;
}

static wy_status add_probes(wy_scene_run *run, const wy_probes *probes, omissions *left, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < probes->count && status == WY_OK; i++) {
    const wy_probe_values *probe = &probes->list[i];
    curves in = {.count = probes->rows, .columns = probe->components, .time = probes->time};
    in.unbounded = probe->quantity >= 0 && wy_quantity_describe((wy_quantity)probe->quantity)->unbounded;
    wy_scene_chart chart = {.title = probe->name, .quantity = wy_label_quantity(probe->quantity, "")};
    for (int c = 0; c < probe->components; c++) {
      in.column[c] = probe->values[c];
      chart.labels[c] = probe->label[c][0] ? probe->label[c] : probe->name;
    }
    status = add_chart(run, &in, chart, "probes.csv", left, message);
  }
  return status;
}

/* The quantiles of the probes of batches. */
static wy_status add_bands(wy_scene_run *run, const wy_bands *bands, omissions *left, wy_message *message) {
  static const char *const labels[WY_BAND_QUANTILES] = {"5 %", "25 %", "median", "75 %", "95 %"};
  wy_status status = WY_OK;
  for (int i = 0; i < bands->count && status == WY_OK; i++) {
    const wy_band *band = &bands->list[i];
    curves in = {.count = band->count, .columns = WY_BAND_QUANTILES, .unbounded = true, .time = band->time};
    wy_scene_chart chart = {.title = band->title, .quantity = "", .bands = true};
    for (int q = 0; q < WY_BAND_QUANTILES; q++) {
      in.column[q] = band->quantile[q];
      chart.labels[q] = labels[q];
    }
    status = add_chart(run, &in, chart, "result.h5", left, message);
  }
  return status;
}

/* Without those that are 0 all the time. */
static wy_status add_energies(wy_scene_run *run, omissions *left, wy_message *message) {
  curves in = {.count = run->snapshots, .time = run->time_in_file};
  wy_energies energies = {0};
  wy_status status = wy_energies_read(run->folder, &energies, message);
  if (status != WY_OK)
    return status;
  wy_scene_chart chart = {.title = "energies", .quantity = "energy"};
  const bool stored = run->rod_count + run->body_count > 0; /* those of batches are not */
  for (int e = 0; e < WY_ENERGIES; e++) {
    const double *energy = energies.values[e];
    bool some = energy && stored && e == WY_ENERGY_TOTAL;
    for (int i = 0; energy && i < in.count && !some; i++)
      some = energy[i] != 0;
    if (some) {
      chart.labels[in.columns] = wy_energy_name(e);
      in.column[in.columns++] = energy;
    }
  }
  return in.columns > 0 ? add_chart(run, &in, chart, "result.h5", left, message) : WY_OK;
}

wy_status wy_scene_build_charts(wy_scene_run *run, wy_message *message) {
  omissions left = {0};
  const wy_probes *probes = NULL;
  wy_bands bands = {0};
  wy_status status = wy_probes_drawn(run->folder, &probes, message);
  if (status == WY_OK)
    status = wy_bands_read(run->folder, run->memory, MOST_TIMES, &bands, message);
  run->charts = wy_memory_take(run->memory, (size_t)probes->count + (size_t)bands.count + 1, sizeof *run->charts);
  if (status == WY_OK)
    status = add_probes(run, probes, &left, message);
  if (status == WY_OK)
    status = add_bands(run, &bands, &left, message);
  if (status == WY_OK)
    status = add_energies(run, &left, message);
  if (left.rows > 0)
    wy_scene_note(run, "Charts show %d of %d rows; the largest and smallest values are kept.", left.shown, left.rows);
  if (left.passed > 0)
    wy_scene_note(run,
                  "The path passes a limit point: charts do not show %d equilibria at loads that were reached before.",
                  left.passed);
  return status;
}
