/* SPDX-License-Identifier: MIT */
/* What comparing takes from a run's folder: strictly, since a value that is not a number must not pass as a small
   difference. And how the run was made, in a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/file.h"
#include "run/results/results.h"

/* ---- Tables ---- */

static bool ascends(const double *values, int count) {
  for (int i = 1; i < count; i++)
    if (!(values[i] > values[i - 1]))
      return false;
  return true;
}

static wy_status read_probes(wy_compare_run *run, wy_memory *memory, wy_message *message) {
  static const wy_probes none = {0};
  wy_status status = wy_folder_probes(run->folder, &run->probes, message);
  if (status != WY_OK)
    return status;
  if (!run->probes)
    run->probes = &none;
  if (run->probes->rows > 0 && !ascends(run->probes->time, run->probes->rows))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s/probes.csv: the times do not ascend",
                           wy_folder_path(run->folder));
  run->probe_labels = wy_memory_take(memory, (size_t)run->probes->count, sizeof *run->probe_labels);
  for (int i = 0; i < run->probes->count; i++)
    run->probe_labels[i] = wy_label_quantity(run->probes->list[i].quantity, "value");
  return WY_OK;
}

static wy_status read_modes(wy_compare_run *run, wy_message *message) {
  const char *file = run->analysis == WY_BUCKLING ? "buckling.csv" : "modes.csv";
  if (run->analysis != WY_MODES && run->analysis != WY_BUCKLING)
    return WY_OK;
  wy_status status = wy_folder_table(run->folder, file, &run->modes, message);
  const wy_table *table = run->modes;
  if (status != WY_OK || !table)
    return status;
  if (table->columns < 2 || strcmp(table->name[0], "mode") != 0)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s/%s:1: expected the columns of `withy run`: mode, ...",
                           wy_folder_path(run->folder), file);
  /* The last column of buckling says what a factor is, and is no number to compare. */
  bool limit = table->columns > 2 && strcmp(table->name[table->columns - 1], "limit_point") == 0;
  run->mode_columns = table->columns - limit;
  return WY_OK;
}

/* ---- Snapshots ---- */

static wy_status read_momenta(wy_compare_run *run, wy_memory *memory, wy_message *message) {
  static const char *const paths[2] = {"/momentum/linear", "/momentum/angular"};
  for (int k = 0; k < 2; k++) {
    const double *values = NULL;
    if (wy_folder_history(run->folder, paths[k], 3, &values, message) == WY_ERROR_MEMORY)
      return WY_ERROR_MEMORY;
    for (int c = 0; c < 3 && values; c++) {
      run->momentum[k][c] = wy_memory_take(memory, (size_t)run->snapshots, sizeof(double));
      for (int i = 0; i < run->snapshots; i++)
        run->momentum[k][c][i] = values[3 * i + c];
    }
  }
  return WY_OK;
}

static wy_status check_finite(const wy_compare_run *run, const char *name, const double *values, wy_message *message) {
  for (int i = 0; i < run->snapshots && values; i++)
    if (!isfinite(values[i]))
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s/result.h5: %s of snapshot %d is not a finite number; the file is damaged",
                             wy_folder_path(run->folder), name, i);
  return WY_OK;
}

static wy_status check_snapshots(const wy_compare_run *run, wy_message *message) {
  wy_status status = check_finite(run, "time", run->time, message);
  for (int i = 0; i < WY_ENERGIES && status == WY_OK; i++)
    status = check_finite(run, "an energy", run->energies.values[i], message);
  for (int i = 0; i < 6 && status == WY_OK; i++)
    status = check_finite(run, "a momentum", run->momentum[i / 3][i % 3], message);
  if (status == WY_OK && run->snapshots > 0 && !ascends(run->time, run->snapshots))
    status =
        wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: the times do not ascend", wy_folder_path(run->folder));
  return status;
}

static wy_status read_snapshots(wy_compare_run *run, wy_memory *memory, wy_message *message) {
  wy_status status = wy_folder_snapshots(run->folder, &run->snapshots, &run->time, message);
  if (status == WY_OK && run->snapshots > 0)
    status = wy_energies_read(run->folder, &run->energies, message);
  if (status == WY_OK && run->snapshots > 0)
    status = read_momenta(run, memory, message);
  return status == WY_OK ? check_snapshots(run, message) : status;
}

wy_status wy_compare_read(wy_comparison *c, const char *folder, wy_compare_run *run, wy_message *message) {
  wy_status status = wy_folder_open(folder, &run->folder, message);
  if (status == WY_OK)
    status = wy_folder_check(run->folder, message);
  if (status == WY_OK) {
    run->analysis = wy_folder_analysis(run->folder);
    status = wy_facts_read(run->folder, &c->memory, &run->facts, message);
  }
  if (status == WY_OK)
    status = read_probes(run, &c->memory, message);
  if (status == WY_OK)
    status = read_modes(run, message);
  if (status == WY_OK)
    status = read_snapshots(run, &c->memory, message);
  return status == WY_OK ? wy_compare_measure(run, &c->memory, message) : status;
}

/* ---- How it was made ---- */

static const char *fact(const wy_compare_run *run, const char *name) {
  return wy_facts_find(&run->facts, name);
}

/* What the scenario says about the first rod's method, where the summary does not. */
static void add_method(const wy_scenario *scenario, wy_text *text) {
  int segments = 0;
  for (int i = 0; i < scenario->model.rod_count; i++)
    segments += scenario->model.rods[i].segments;
  const wy_solver_def *solver = wy_results_solver(scenario, 0);
  if (scenario->analysis == WY_DYNAMICS && wy_method_has_fixed_step(solver))
    wy_text_add(text, ", step %g", solver->first_step);
  else if (scenario->analysis == WY_DYNAMICS)
    wy_text_add(text, ", tolerance %g", solver->relative_tolerance);
  if (scenario->model.rod_count > 1)
    wy_text_add(text, ", %d rods", scenario->model.rod_count);
  wy_text_add(text, ", %d %s%s", segments, wy_scheme_describe(solver).piece, segments == 1 ? "" : "s");
}

void wy_compare_made(const wy_compare_run *run, wy_text *text) {
  static const char *const names[] = {"scheme", "model", "integrator", "continuation"};
  wy_text_add(text, "%s", wy_analysis_name(run->analysis));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (fact(run, names[i]))
      wy_text_add(text, ", %s", fact(run, names[i]));
  const wy_scenario *scenario = wy_folder_scenario(run->folder);
  if (scenario)
    add_method(scenario, text);
  const char *steps = fact(run, "steps"), *equilibria = fact(run, "equilibria"),
             *wall = fact(run, "wall time in seconds");
  if (steps || equilibria)
    wy_text_add(text, "; %s %s", steps ? steps : equilibria, steps ? "steps" : "equilibria");
  if (wall)
    wy_text_add(text, " in %.2g s", strtod(wall, NULL));
  const char *settings = wy_folder_settings(run->folder);
  for (const char *line = settings; line && *line;) {
    int length = (int)strcspn(line, "\n");
    wy_text_add(text, "%s %.*s", line == settings ? "; set" : ",", length, line);
    line += length + (line[length] == '\n');
  }
}
