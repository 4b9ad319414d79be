/* SPDX-License-Identifier: MIT */
#include "run/results/modes.h"

#include <math.h>
#include <stdlib.h>

wy_mode_table *wy_mode_table_create(bool buckling, const wy_model *model) {
  int rods = wy_model_rod_count(model), bodies = wy_model_body_count(model);
  wy_mode_table *table = calloc(1, sizeof *table);
  wy_mode_set **sets = calloc((size_t)rods + (size_t)bodies + 1, sizeof *sets);
  if (!table || !sets) {
    free(table);
    free(sets);
    return NULL;
  }
  *table = (wy_mode_table){
      .buckling = buckling, .rod_count = rods, .body_count = bodies, .rods = sets, .bodies = sets + rods};
  return table;
}

void wy_mode_table_destroy(wy_mode_table *table) {
  if (!table)
    return;
  for (int i = 0; i < table->rod_count + table->body_count; ++i)
    wy_mode_set_destroy(table->rods[i]);
  free(table->rods);
  free(table->rows);
  free(table);
}

/* Ascending; among equals the order of the groups, so that equal runs give equal files. */
static int compare(const void *left, const void *right) {
  const wy_run_mode *a = left, *b = right;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
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

static wy_status check_finite(const wy_mode_set *set, const wy_run_mode *rows, const char *noun, const char *name,
                              wy_message *message) {
  for (int k = 0; k < set->count; ++k)
    if (!is_finite(set, &rows[k]))
      return wy_results_fail(message, WY_ERROR_SOLVER, "%s '%s': mode %d is not a finite number", noun, name,
                             rows[k].index + 1);
  return WY_OK;
}

static int add_rows(const wy_mode_table *table, const wy_mode_set *set, int rod, int group, wy_run_mode *rows) {
  for (int k = 0; k < set->count; ++k)
    rows[k] = (wy_run_mode){.rod = rod,
                            .index = k,
                            .group = group,
                            .value = table->buckling ? set->factor[k] : set->omega[k],
                            .damping_ratio = table->buckling ? 0 : set->damping_ratio[k],
                            .limit_point = table->buckling && set->limit_point && set->limit_point[k]};
  return set->count;
}

/* The parts of a group have the same modes, which are listed with the first of them. */
static wy_status list_rows(wy_mode_table *table, const wy_model *model, const wy_sim *sim, int *first,
                           wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < table->rod_count + table->body_count && status == WY_OK; ++i) {
    const bool is_rod = i < table->rod_count;
    const int index = is_rod ? i : i - table->rod_count;
    const int group = wy_sim_group_of(sim, is_rod ? WY_PORT_ROD : WY_PORT_BODY, index);
    if (!table->rods[i])
      continue;
    if (first[group] < 0) {
      first[group] = table->count;
      table->count += add_rows(table, table->rods[i], is_rod ? i : -1, group, table->rows + table->count);
    }
    status = check_finite(table->rods[i], table->rows + first[group], is_rod ? "rod" : "body",
                          is_rod ? wy_model_rod(model, index)->name : wy_model_body(model, index)->name, message);
  }
  return status;
}

wy_status wy_mode_table_sort(wy_mode_table *table, int most, const wy_model *model, const wy_sim *sim,
                             wy_message *message) {
  size_t all = 0;
  for (int i = 0; i < table->rod_count + table->body_count; ++i)
    all += table->rods[i] ? (size_t)table->rods[i]->count : 0;
  int *first = malloc(((size_t)wy_sim_group_count(sim) + 1) * sizeof *first);
  table->rows = calloc(all + 1, sizeof *table->rows);
  if (!table->rows || !first) {
    free(first);
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the modes");
  }
  for (int group = 0; group < wy_sim_group_count(sim); ++group)
    first[group] = -1;
  table->count = 0;
  const wy_status status = list_rows(table, model, sim, first, message);
  free(first);
  if (status != WY_OK)
    return status;
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
