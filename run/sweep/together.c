/* SPDX-License-Identifier: MIT */
/* All points of a sweep at once: the batch is moved from row to row, and each of its rods has a course of its own. */
#include "run/sweep/together.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/results/batches.h"
#include "run/sweep/point.h"

/* A batch in progress. */
typedef struct crowd {
  const wy_together *def;
  const wy_plan *plan;
  wy_scenario *scenario; /* with the batch */
  wy_batches *batches;
  int *columns;       /* of what is kept, in the scenario of a point */
  int column_count;   /* of a point */
  double *row;        /* [column_count] of a point */
  double *values;     /* of all points, one probe after the other */
  wy_point *points;   /* [count] */
  wy_course *courses; /* of all points */
  bool complete;      /* it reached its end */
  wy_message failure; /* why it could not go on, or "" */
} crowd;

static const wy_batch_probe *probe_at(const crowd *c, int probe) {
  return &c->scenario->batch_probes[probe];
}

static int components_of(const crowd *c, int probe) {
  return wy_quantity_describe(probe_at(c, probe)->quantity)->components;
}

/* ---- Life ---- */

/* The columns of a point are those of its scenario. */
static wy_status find_columns(crowd *c, wy_message *message) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  wy_sweep_row row = {0};
  wy_status status = wy_plan_open(c->plan, 0, &scenario, &error);
  if (status != WY_OK)
    return wy_results_fail(message, status, "%.1000s", error.text);
  if (!wy_point_columns(c->plan, scenario, c->columns, &row))
    status = wy_results_fail(message, WY_ERROR_INPUT, "%.1000s", row.message);
  c->column_count = scenario->column_count;
  wy_scenario_destroy(scenario);
  return status;
}

static wy_status take_memory(crowd *c, wy_message *message) {
  const wy_plan *plan = c->plan;
  const size_t count = (size_t)plan->points.count, kept = (size_t)plan->kept_count;
  c->row = calloc((size_t)c->column_count + 1, sizeof *c->row);
  c->values = calloc((size_t)c->column_count * count + 1, sizeof *c->values);
  c->points = calloc(count, sizeof *c->points);
  c->courses = calloc(count * kept + 1, sizeof *c->courses);
  if (!c->row || !c->values || !c->points || !c->courses)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for %zu points", count);
  for (size_t i = 0; i < count; i++)
    c->points[i] = (wy_point){
        .plan = plan, .columns = c->columns, .courses = c->courses + i * kept, .kept.width = wy_point_width(plan)};
  return WY_OK;
}

static wy_status begin(crowd *c, wy_message *message) {
  wy_scenario_error error;
  const size_t columns = (size_t)c->plan->kept_count + (size_t)wy_point_width(c->plan);
  wy_status status = wy_plan_open_batch(c->plan, &c->scenario, &error);
  if (status != WY_OK)
    return wy_results_fail(message, status, "%.1000s", error.text);
  if (c->def->tasks)
    c->scenario->sim.tasks = *c->def->tasks;
  c->columns = calloc(columns, sizeof *c->columns);
  status = c->columns ? WY_OK : wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the sweep");
  if (status == WY_OK)
    status = find_columns(c, message);
  if (status == WY_OK)
    status = take_memory(c, message);
  return status == WY_OK ? wy_batches_create(c->scenario, NULL, &c->batches, message) : status;
}

static void end(crowd *c) {
  for (int i = 0; i < c->plan->points.count && c->points; i++)
    wy_series_rows_free(&c->points[i].kept);
  wy_batches_destroy(c->batches);
  wy_scenario_destroy(c->scenario);
  free(c->columns);
  free(c->row);
  free(c->values);
  free(c->points);
  free(c->courses);
}

/* ---- The course ---- */

/* From probes of all rods to the columns of each. */
static void hand_out(crowd *c, double t) {
  const int count = c->plan->points.count;
  for (int i = 0; i < count; i++) {
    const double *values = c->values;
    int column = 0;
    for (int probe = 0; probe < c->scenario->batch_probe_count; probe++) {
      const int components = components_of(c, probe);
      for (int k = 0; k < components; k++)
        c->row[column++] = values[(size_t)i * (size_t)components + (size_t)k];
      values += (size_t)count * (size_t)components;
    }
    wy_point_row(&c->points[i], t, c->row);
  }
}

static wy_status take_rows(crowd *c, double t, wy_message *message) {
  double *values = c->values;
  wy_status status = WY_OK;
  for (int probe = 0; probe < c->scenario->batch_probe_count && status == WY_OK; probe++) {
    status = wy_batches_probe(c->batches, probe, values, message);
    values += (size_t)c->plan->points.count * (size_t)components_of(c, probe);
  }
  if (status == WY_OK)
    hand_out(c, t);
  return status;
}

/* A batch that cannot go on has failed with all its rods. */
static wy_status follow(crowd *c, wy_message *message) {
  const wy_together *def = c->def;
  const int rows = wy_scenario_row_count(c->scenario);
  wy_status status = WY_OK;
  for (int k = 0; k < rows && status == WY_OK && !wy_batches_lost(c->batches); k++) {
    const double t = wy_scenario_row_time(c->scenario, k);
    if (def->interrupted && def->interrupted(def->context))
      return WY_OK;
    status = wy_batches_move(c->batches, t, NULL, message);
    if (status == WY_OK)
      status = take_rows(c, t, message);
  }
  c->complete = true;
  if (status == WY_OK || status == WY_ERROR_MEMORY)
    return status;
  c->failure = *message;
  return WY_OK;
}

/* ---- Rows ---- */

static void judge(const crowd *c, const wy_batch_rod *rod, wy_sweep_row *row) {
  char text[600] = "", doubt[500];
  row->status = rod->failed || c->failure.text[0] ? WY_POINT_FAILED : WY_POINT_DONE;
  if (c->failure.text[0])
    snprintf(text, sizeof text, "%.590s", c->failure.text);
  else if (rod->failed)
    snprintf(text, sizeof text,
             "the rod of this point has failed at t = %.6g: its error estimate is above the tolerance; smaller output "
             "intervals, more substeps or a larger tolerance may help",
             rod->time);
  else if (wy_batches_doubt(c->batches, 0, doubt, sizeof doubt))
    snprintf(text, sizeof text, "warning: %s", doubt);
  wy_point_say(row, c->plan, text);
}

static wy_status give_row(crowd *c, int number, const wy_batch_rod *rod, wy_message *message) {
  static const wy_run_report none;
  const wy_point *point = &c->points[number];
  wy_sweep_row row;
  wy_status status = wy_sweep_row_begin(&row, c->plan, number);
  if (status == WY_OK) {
    judge(c, rod, &row);
    status = point->kept.failed ? WY_ERROR_MEMORY : WY_OK;
  }
  if (status == WY_OK && row.status == WY_POINT_DONE)
    status = wy_point_quantities(point, &none, &row);
  if (status == WY_OK && row.status != WY_POINT_FAILED)
    status = wy_sweep_row_take_series(&row, c->plan, &point->kept);
  status = status == WY_OK ? c->def->take(c->def->sweep, &row, message)
                           : wy_results_fail(message, status, "out of memory for point %d", number);
  wy_sweep_row_free(&row);
  return status;
}

wy_status wy_sweep_together(const wy_together *def, wy_message *message) {
  crowd c = {.def = def, .plan = def->plan};
  wy_status status = begin(&c, message);
  if (status == WY_OK)
    status = follow(&c, message);
  const wy_batch_rod *rods = status == WY_OK && c.complete ? wy_batches_status(c.batches, 0, message) : NULL;
  for (int i = 0; i < c.plan->points.count && rods && status == WY_OK; i++)
    status = give_row(&c, i, &rods[i], message);
  end(&c);
  return status;
}
