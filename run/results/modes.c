/* SPDX-License-Identifier: MIT */
#include "run/results/modes.h"

#include <math.h>
#include <stdlib.h>

wy_mode_table *wy_mode_table_create(bool buckling, int rod_count) {
  wy_mode_table *table = calloc(1, sizeof *table);
  wy_mode_set **sets = calloc((size_t)rod_count + 1, sizeof *sets);
  if (!table || !sets) {
    free(table);
    free(sets);
    return NULL;
  }
  *table = (wy_mode_table){.buckling = buckling, .rod_count = rod_count, .sets = sets};
  return table;
}

void wy_mode_table_destroy(wy_mode_table *table) {
  if (!table)
    return;
  for (int rod = 0; rod < table->rod_count; ++rod)
    wy_mode_set_destroy(table->sets[rod]);
  free(table->sets);
  free(table->rows);
  free(table);
}

/* Ascending; among equals the order of the rods, so that equal runs give equal files. */
static int compare(const void *left, const void *right) {
  const wy_run_mode *a = left, *b = right;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  if (a->rod != b->rod)
    return a->rod < b->rod ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static bool all_finite(const double *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; ++i)
    finite = finite && isfinite(values[i]);
  return finite;
}

static bool is_finite(const wy_mode_set *set, const wy_run_mode *row) {
  size_t points = 3 * (size_t)set->points, frames = 3 * (size_t)set->frames, k = (size_t)row->index;
  return isfinite(row->value) && isfinite(row->damping_ratio) && all_finite(set->displacement + k * points, points) &&
         all_finite(set->rotation + k * frames, frames);
}

static int add_rows(wy_mode_table *table, int rod, wy_run_mode *rows) {
  const wy_mode_set *set = table->sets[rod];
  for (int k = 0; set && k < set->count; ++k)
    rows[k] = (wy_run_mode){.rod = rod,
                            .index = k,
                            .value = table->buckling ? set->factor[k] : set->omega[k],
                            .damping_ratio = table->buckling ? 0 : set->damping_ratio[k],
                            .limit_point = table->buckling && set->limit_point && set->limit_point[k]};
  return set ? set->count : 0;
}

wy_status wy_mode_table_sort(wy_mode_table *table, int most, const wy_model *model, wy_message *message) {
  size_t all = 0;
  for (int rod = 0; rod < table->rod_count; ++rod)
    all += table->sets[rod] ? (size_t)table->sets[rod]->count : 0;
  table->rows = calloc(all + 1, sizeof *table->rows);
  if (!table->rows)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the modes");
  table->count = 0;
  for (int rod = 0; rod < table->rod_count; ++rod)
    table->count += add_rows(table, rod, table->rows + table->count);
  for (int i = 0; i < table->count; ++i) {
    const wy_run_mode *row = &table->rows[i];
    if (!is_finite(table->sets[row->rod], row))
      return wy_results_fail(message, WY_ERROR_SOLVER, "rod '%s': mode %d is not a finite number",
                             wy_model_rod(model, row->rod)->name, row->index + 1);
  }
  qsort(table->rows, (size_t)table->count, sizeof *table->rows, compare);
  table->count = table->count < most ? table->count : most;
  return WY_OK;
}

wy_status wy_mode_table_write(const wy_mode_table *table, const char *path, wy_message *message) {
  wy_text text = {0};
  wy_text_add(&text, table->buckling ? "mode,factor,limit_point\n" : "mode,omega,damping_ratio\n");
  for (int i = 0; i < table->count; ++i) {
    wy_text_add(&text, "%d,%.17g", i + 1, table->rows[i].value);
    if (table->buckling)
      wy_text_add(&text, ",%d", table->rows[i].limit_point);
    else
      wy_text_add(&text, ",%.17g", table->rows[i].damping_ratio);
    wy_text_add(&text, "\n");
  }
  wy_status status = wy_text_replace(path, &text, message);
  wy_text_free(&text);
  return status;
}
