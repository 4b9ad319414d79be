/* SPDX-License-Identifier: MIT */
/* What the solver did, from steps.csv. Its columns count from the start; what belongs to each stretch of time is the
   difference of two rows. */
#include <stdio.h>
#include <string.h>

#include "draw/plot/gather.h"
#include "run/results/results.h"

enum {
  MOST_RODS = 6,
  NEWTON_STRETCHES = 120 /* at most: single steps have whole numbers, which tell little */
};

/* The columns of one rod. */
typedef struct columns {
  const double *reached, *steps, *rejected, *newton;
} columns;

static const double *find_column(const wy_table *table, const char *rod, const char *what) {
  char name[100];
  snprintf(name, sizeof name, "%.63s.%s", rod, what);
  for (int c = 0; c < table->columns; c++)
    if (strcmp(table->name[c], name) == 0)
      return table->values[c];
  return NULL;
}

static bool find_columns(const wy_table *table, const char *rod, columns *out) {
  *out = (columns){find_column(table, rod, "reached"), find_column(table, rod, "steps"),
                   find_column(table, rod, "rejected"), find_column(table, rod, "newton_iterations")};
  return out->reached && out->steps && out->rejected && out->newton;
}

/* A step that is longer than the time between two rows makes one stretch of several rows. */
static wy_plot_steps gather_rod(wy_memory *memory, const columns *in, int rows, const char *name, bool fixed) {
  wy_plot_steps out = {.rod = name, .fixed = fixed};
  double **lists[] = {&out.from, &out.to, &out.size, &out.rejected, &out.newton};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i] = wy_memory_take(memory, (size_t)rows, sizeof(double));
  for (int k = 1, last = 0; k < rows; k++) {
    double taken = in->steps[k] - in->steps[last];
    if (!(taken > 0 && in->reached[k] > in->reached[last]))
      continue;
    out.from[out.count] = in->reached[last];
    out.to[out.count] = in->reached[k];
    out.size[out.count] = (in->reached[k] - in->reached[last]) / taken;
    out.rejected[out.count] = in->rejected[k] - in->rejected[last];
    out.newton[out.count++] = (in->newton[k] - in->newton[last]) / taken;
    last = k;
  }
  return out;
}

/* ---- Lines ---- */

static wy_plot_stairs new_stairs(wy_memory *memory, int count) {
  return (wy_plot_stairs){0, wy_memory_take(memory, (size_t)count, sizeof(double)),
                          wy_memory_take(memory, (size_t)count, sizeof(double))};
}

/* The mean of a value over the steps of stretches that are no shorter than `shortest`. */
static wy_plot_stairs make_stairs(wy_memory *memory, const wy_plot_steps *steps, const double *values,
                                  double shortest) {
  wy_plot_stairs out = new_stairs(memory, 2 * steps->count);
  double sum = 0, taken = 0;
  for (int i = 0, first = 0; i < steps->count; i++) {
    double here = (steps->to[i] - steps->from[i]) / steps->size[i];
    sum += here * values[i];
    taken += here;
    if (steps->to[i] - steps->from[first] < shortest && i < steps->count - 1)
      continue;
    out.x[out.count] = steps->from[first];
    out.x[out.count + 1] = steps->to[i];
    out.y[out.count] = out.y[out.count + 1] = sum / taken;
    out.count += 2;
    first = i + 1;
    sum = taken = 0;
  }
  return out;
}

static wy_plot_stairs find_rejected(wy_memory *memory, const wy_plot_steps *steps) {
  wy_plot_stairs out = new_stairs(memory, steps->count);
  for (int i = 0; i < steps->count; i++)
    if (steps->rejected[i] > 0) {
      out.x[out.count] = 0.5 * (steps->from[i] + steps->to[i]);
      out.y[out.count++] = steps->size[i];
    }
  return out;
}

static void add_lines(wy_memory *memory, wy_plot_steps *steps) {
  double span = steps->count > 0 ? steps->to[steps->count - 1] - steps->from[0] : 0;
  steps->sizes = make_stairs(memory, steps, steps->size, 0);
  steps->smooth = make_stairs(memory, steps, steps->newton, span / NEWTON_STRETCHES);
  steps->failed = find_rejected(memory, steps);
}

/* ---- Rods ---- */

/* Is there a rod that took more steps and is not chosen yet? Among equals the first one is chosen. */
static int find_busiest(const columns *all, const bool *chosen, int count, int last_row) {
  int found = -1;
  for (int i = 0; i < count; i++)
    if (all[i].steps && !chosen[i] && (found < 0 || all[i].steps[last_row] > all[found].steps[last_row]))
      found = i;
  return found;
}

static void gather_rods(wy_plot_run *run, const wy_table *table, const wy_scenario *scenario) {
  int rods = scenario->model.rod_count, found = 0;
  columns *all = wy_memory_take(run->memory, (size_t)rods, sizeof *all);
  bool *chosen = wy_memory_take(run->memory, (size_t)rods, sizeof *chosen);
  for (int i = 0; i < rods; i++)
    if (!find_columns(table, scenario->model.rods[i].name, &all[i]))
      all[i].steps = NULL;
  for (; found < MOST_RODS; found++) {
    int next = find_busiest(all, chosen, rods, table->rows - 1);
    if (next < 0)
      break;
    chosen[next] = true;
  }
  run->steps = wy_memory_take(run->memory, (size_t)found, sizeof *run->steps);
  for (int i = 0; i < rods; i++)
    if (chosen[i]) {
      wy_plot_steps *steps = &run->steps[run->steps_count++];
      *steps = gather_rod(run->memory, &all[i], table->rows, scenario->model.rods[i].name,
                          wy_method_has_fixed_step(wy_results_solver(scenario, i)));
      add_lines(run->memory, steps);
    }
}

wy_status wy_plot_gather_steps(wy_plot_run *run, wy_message *message) {
  const wy_table *table = NULL;
  const wy_scenario *scenario = wy_folder_scenario(run->folder);
  if (run->analysis != WY_DYNAMICS || !scenario)
    return WY_OK;
  wy_status status = wy_folder_table(run->folder, "steps.csv", &table, message);
  if (status == WY_OK && table && table->rows > 1)
    gather_rods(run, table, scenario);
  return status;
}
