/* Reading steps.csv for plotting. Its columns count from the start; what belongs to each stretch of time is the
   difference of two rows. */
#include <stdlib.h>
#include <string.h>

#include "draw/plot/read.h"
#include "run/folder/csv_read.h"
#include "run/results/results.h"

enum { MOST_RODS = 6 };

/* The columns of one rod. */
typedef struct columns {
  const double *reached, *steps, *rejected, *newton;
} columns;

static const double *find_column(const wy_csv_table *table, const char *rod, const char *what) {
  char name[100];
  snprintf(name, sizeof name, "%.63s.%s", rod, what);
  for (int c = 0; c < table->columns; c++)
    if (strcmp(table->name[c], name) == 0)
      return table->values[c];
  return NULL;
}

static bool find_columns(const wy_csv_table *table, const char *rod, columns *out) {
  *out = (columns){find_column(table, rod, "reached"), find_column(table, rod, "steps"),
                   find_column(table, rod, "rejected"), find_column(table, rod, "newton_iterations")};
  return out->reached && out->steps && out->rejected && out->newton;
}

/* A step that is longer than the time between two rows makes one stretch of several rows. */
static wy_plot_steps read_rod(const columns *in, int rows, const char *name, bool fixed) {
  wy_plot_steps out = {.rod = wy_plot_copy(name, strlen(name)), .fixed = fixed};
  double **lists[] = {&out.from, &out.to, &out.size, &out.rejected, &out.newton};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i] = wy_plot_allocate((size_t)rows, sizeof(double));
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

/* Is there a rod that took more steps and is not chosen yet? Among equals the first one is chosen. */
static int find_busiest(const columns *all, const bool *chosen, int count, int last_row) {
  int found = -1;
  for (int i = 0; i < count; i++)
    if (all[i].steps && !chosen[i] && (found < 0 || all[i].steps[last_row] > all[found].steps[last_row]))
      found = i;
  return found;
}

static void read_rods(const wy_csv_table *table, wy_plot_run *run, const wy_scenario *scenario) {
  int rods = scenario->model.rod_count, found = 0;
  columns *all = wy_plot_allocate((size_t)rods, sizeof *all);
  bool *chosen = wy_plot_allocate((size_t)rods, sizeof *chosen);
  for (int i = 0; i < rods; i++)
    if (!find_columns(table, scenario->model.rods[i].name, &all[i]))
      all[i].steps = NULL;
  for (; found < MOST_RODS; found++) {
    int next = find_busiest(all, chosen, rods, table->rows - 1);
    if (next < 0)
      break;
    chosen[next] = true;
  }
  run->steps = wy_plot_allocate((size_t)found, sizeof *run->steps);
  for (int i = 0; i < rods; i++)
    if (chosen[i])
      run->steps[run->steps_count++] = read_rod(&all[i], table->rows, scenario->model.rods[i].name,
                                                wy_method_has_fixed_step(wy_results_solver(scenario, i)));
  free(chosen);
  free(all);
}

wy_status wy_plot_read_steps(const char *path, wy_plot_run *run, const wy_scenario *scenario, wy_message *message) {
  wy_pool pool = {NULL};
  wy_csv_table table;
  wy_status status = wy_csv_read(&pool, path, &table, message);
  if (status == WY_OK && table.rows > 1)
    read_rods(&table, run, scenario);
  wy_pool_release(&pool);
  return status;
}

void wy_plot_free_steps(wy_plot_run *run) {
  for (int i = 0; i < run->steps_count; i++) {
    wy_plot_steps *steps = &run->steps[i];
    double *lists[] = {steps->from, steps->to, steps->size, steps->rejected, steps->newton};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
      free(lists[k]);
    free(steps->rod);
  }
  free(run->steps);
}
