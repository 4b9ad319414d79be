/* SPDX-License-Identifier: MIT */
/* One point of a sweep: a run in memory, and what is kept of it. */
#include "run/sweep/point.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/results.h"

/* ---- The course of the probes ---- */

static void follow(wy_course *c, double value, double step, bool first) {
  if (first) {
    *c = (wy_course){.first = value, .last = value, .least = value, .most = value};
    return;
  }
  c->integral += step * (c->last + value) / 2;
  c->square += step * (c->last * c->last + value * value) / 2;
  c->last = value;
  c->least = fmin(c->least, value);
  c->most = fmax(c->most, value);
}

void wy_point_row(void *context, double t, const double *values) {
  wy_point *p = context;
  const int kept = p->plan->kept_count;
  for (int i = 0; i < kept; i++)
    if (p->columns[i] >= 0)
      follow(&p->courses[i], values[p->columns[i]], t - p->time, p->rows == 0);
  double *row = p->kept.width > 1 ? wy_series_rows_add(&p->kept) : NULL;
  for (int i = 1; i < p->kept.width && row; i++)
    row[i] = values[p->columns[kept + i - 1]];
  if (row)
    row[0] = t;
  p->begin = p->rows == 0 ? t : p->begin;
  p->time = t;
  p->rows++;
}

static bool is_interrupted(void *context) {
  const wy_point *p = context;
  return p->interrupted && p->interrupted(p->context);
}

/* ---- Quantities ---- */

static double of_course(const wy_course *c, wy_keep_of of, double duration) {
  const double size = fmax(fabs(c->least), fabs(c->most));
  switch (of) {
  case WY_KEEP_START:
    return c->first;
  case WY_KEEP_MIN:
    return c->least;
  case WY_KEEP_MAX:
    return c->most;
  case WY_KEEP_MEAN:
    return duration > 0 ? c->integral / duration : c->last;
  case WY_KEEP_RMS:
    return duration > 0 ? sqrt(c->square / duration) : size;
  case WY_KEEP_RANGE:
    return c->most - c->least;
  default:
    return c->last;
  }
}

static double of_mode(const wy_run_report *report, const wy_kept *kept) {
  if (kept->mode > report->mode_count)
    return NAN;
  const wy_run_mode *mode = &report->modes[kept->mode - 1];
  if (kept->of == WY_KEEP_DAMPING_RATIO)
    return mode->damping_ratio;
  return kept->of == WY_KEEP_FREQUENCY ? mode->value / 6.28318530717958647692 : mode->value;
}

static double of_run(const wy_run_report *report, wy_keep_run run) {
  const wy_statistics *s = &report->statistics;
  const double values[] = {[WY_KEEP_STEPS] = (double)s->steps,
                           [WY_KEEP_REJECTED] = (double)s->rejected,
                           [WY_KEEP_RHS] = (double)s->rhs,
                           [WY_KEEP_JACOBIANS] = (double)s->jacobians,
                           [WY_KEEP_FACTORISATIONS] = (double)s->factorisations,
                           [WY_KEEP_NEWTON] = (double)s->newton_iterations,
                           [WY_KEEP_DRIFT] = report->drift,
                           [WY_KEEP_SECONDS] = report->wall_seconds};
  return values[run];
}

/* NAN where the expression has no finite value, or where one that it uses has none. */
static wy_status of_expression(const wy_expr_scope *scope, const char *text, double *value) {
  wy_expr *expr = NULL;
  const wy_status status = wy_expr_compile(scope, text, 0, &expr, NULL);
  *value = status == WY_OK ? wy_expr_value(expr, 0, 0) : (double)NAN;
  *value = isfinite(*value) ? *value : (double)NAN;
  wy_expr_destroy(expr);
  return status == WY_ERROR_MEMORY ? status : WY_OK;
}

static double of_plain(const wy_point *p, const wy_run_report *report, int quantity) {
  const wy_kept *kept = &p->plan->kept[quantity];
  if (kept->kind == WY_KEPT_MODE)
    return of_mode(report, kept);
  if (kept->kind == WY_KEPT_RUN)
    return of_run(report, kept->run);
  return p->rows > 0 ? of_course(&p->courses[quantity], kept->of, p->time - p->begin) : (double)NAN;
}

static bool has_expressions(const wy_plan *plan) {
  bool any = false;
  for (int i = 0; i < plan->kept_count; i++)
    any = any || plan->kept[i].kind == WY_KEPT_EXPRESSION;
  return any;
}

/* What has no value is not there to be overlooked: the run may be right, what was asked of it is not. */
static void say_missing(wy_sweep_row *row, const wy_kept *kept, const wy_run_report *report) {
  if (row->status != WY_POINT_DONE)
    return;
  row->status = WY_POINT_WRONG;
  if (kept->kind == WY_KEPT_MODE)
    snprintf(row->message, sizeof row->message, "keep.%s: there is no mode %d; the run found %d", kept->name,
             kept->mode, report->mode_count);
  else
    snprintf(row->message, sizeof row->message, "keep.%s is not a finite number", kept->name);
}

wy_status wy_point_quantities(const wy_point *p, const wy_run_report *report, wy_sweep_row *row) {
  double *out = wy_sweep_row_quantities(row);
  const bool expressions = has_expressions(p->plan);
  wy_expr_scope *scope = expressions ? wy_expr_scope_create() : NULL;
  wy_status status = expressions && !scope ? WY_ERROR_MEMORY : WY_OK;
  for (int i = 0; i < p->plan->kept_count && status == WY_OK; i++) {
    const wy_kept *kept = &p->plan->kept[i];
    if (kept->kind == WY_KEPT_EXPRESSION)
      status = of_expression(scope, kept->text, &out[i]);
    else
      out[i] = of_plain(p, report, i);
    if (status == WY_OK && expressions && isfinite(out[i]))
      status = wy_expr_scope_constant(scope, kept->name, out[i], NULL);
    if (status == WY_OK && isnan(out[i]))
      say_missing(row, kept, report);
  }
  wy_expr_scope_destroy(scope);
  return status;
}

/* ---- Messages ---- */

void wy_point_say(wy_sweep_row *row, const wy_plan *plan, const char *text) {
  const size_t label = strlen(plan->scenario_label);
  const bool begins = strncmp(text, plan->scenario_label, label) == 0;
  snprintf(row->message, sizeof row->message, "%.500s%.1500s", begins ? plan->scenario : "",
           begins ? text + label : text);
  for (char *at = row->message; *at; at++)
    if (iscntrl((unsigned char)*at))
      *at = ' ';
}

/* What the command says of a run that is done. */
static void say_done(wy_sweep_row *row, const wy_plan *plan, const wy_run_report *report) {
  char text[WY_WARNING_SIZE], line[WY_WARNING_SIZE + 600] = "";
  if (report->message[0])
    snprintf(line, sizeof line, "note: %s", report->message);
  for (int i = 0; i < report->finding_count && !line[0]; i++)
    if (wy_results_warning(&report->findings[i], text))
      snprintf(line, sizeof line, "warning: %s", text);
  wy_point_say(row, plan, line);
}

static void judge(const wy_point *p, const wy_run_report *report, const wy_message *message, wy_sweep_row *row) {
  switch (report->end) {
  case WY_RUN_DONE:
    row->status = WY_POINT_DONE;
    say_done(row, p->plan, report);
    break;
  case WY_RUN_WRONG:
    row->status = WY_POINT_WRONG;
    wy_point_say(row, p->plan, report->message);
    break;
  case WY_RUN_INTERRUPTED:
    row->status = WY_POINT_INTERRUPTED;
    break;
  case WY_RUN_REFUSED: {
    char text[1200];
    snprintf(text, sizeof text, "%s%s%s", message->path, message->path[0] ? ": " : "", message->text);
    row->status = WY_POINT_REFUSED;
    wy_point_say(row, p->plan, text);
    break;
  }
  default:
    row->status = WY_POINT_FAILED;
    wy_point_say(row, p->plan, report->message);
  }
}

/* ---- The run ---- */

int wy_point_width(const wy_plan *plan) {
  int width = 1;
  for (int i = 0; i < plan->series_count; i++)
    width += plan->series[i].column_count;
  return width;
}

static int find_column(const wy_scenario *scenario, const char *name) {
  for (int i = 0; i < scenario->column_count; i++)
    if (strcmp(scenario->columns[i], name) == 0)
      return i;
  return -1;
}

bool wy_point_columns(const wy_plan *plan, const wy_scenario *scenario, int *columns, wy_sweep_row *row) {
  const char *missing = NULL;
  for (int i = 0; i < plan->kept_count; i++) {
    columns[i] = plan->kept[i].kind == WY_KEPT_PROBE ? find_column(scenario, plan->kept[i].column) : -1;
    if (plan->kept[i].kind == WY_KEPT_PROBE && columns[i] < 0)
      missing = plan->kept[i].column;
  }
  columns += plan->kept_count;
  for (int i = 0; i < plan->series_count; i++)
    for (int k = 0; k < plan->series[i].column_count; k++)
      if ((*columns++ = find_column(scenario, plan->series[i].columns[k])) < 0)
        missing = plan->series[i].columns[k];
  if (missing) {
    row->status = WY_POINT_REFUSED;
    snprintf(row->message, sizeof row->message, "%s: found no column %s of probes.csv; the plan keeps it",
             plan->scenario, missing);
  }
  return !missing;
}

/* Only what belongs to a complete run is kept: the end of one that failed is not its end. */
static wy_status run(wy_point *p, wy_scenario *scenario, wy_sweep_row *row) {
  wy_run_def def = wy_default_run_def();
  wy_run_report report;
  wy_message message;
  def.scenario = scenario;
  def.context = p;
  def.row = wy_point_row;
  def.interrupted = is_interrupted;
  wy_run(&def, &report, &message);
  judge(p, &report, &message, row);
  const bool complete = row->status == WY_POINT_DONE || (row->status == WY_POINT_WRONG && p->time == scenario->end);
  wy_status status = p->kept.failed ? WY_ERROR_MEMORY : WY_OK;
  if (complete && status == WY_OK)
    status = wy_point_quantities(p, &report, row);
  wy_run_report_free(&report);
  return complete && status == WY_OK ? wy_sweep_row_take_series(row, p->plan, &p->kept) : status;
}

static wy_status run_point(wy_point *p, int number, wy_sweep_row *row) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  const wy_plan *plan = p->plan;
  int *columns = calloc((size_t)plan->kept_count + (size_t)p->kept.width, sizeof *columns);
  p->columns = columns;
  p->courses = calloc((size_t)plan->kept_count + 1, sizeof *p->courses);
  wy_status status = columns && p->courses ? WY_OK : WY_ERROR_MEMORY;
  if (status == WY_OK) {
    const wy_status opened = wy_plan_open(plan, number, &scenario, &error);
    if (opened != WY_OK) {
      row->status = opened == WY_ERROR_MEMORY ? WY_POINT_FAILED : WY_POINT_REFUSED;
      wy_point_say(row, plan, error.text);
    } else if (wy_point_columns(plan, scenario, columns, row)) {
      status = run(p, scenario, row);
    }
  }
  wy_scenario_destroy(scenario);
  free(columns);
  free(p->courses);
  return status;
}

wy_status wy_sweep_point(const wy_plan *plan, int number, bool (*interrupted)(void *context), void *context,
                         wy_sweep_row *row, wy_message *message) {
  if (row)
    *row = (wy_sweep_row){0};
  if (!plan || !row || number < 0 || number >= plan->points.count)
    return wy_results_fail(message, WY_ERROR_INPUT, "found no plan, no row or no point of that number; expected them");
  if (plan->batch)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "the points of this plan are one batch, which are computed together: in a folder, by "
                           "`withy sweep`, wy_sweep_batch or wy_sweep_work");
  wy_point p = {.plan = plan, .interrupted = interrupted, .context = context, .kept.width = wy_point_width(plan)};
  wy_status status = wy_sweep_row_begin(row, plan, number);
  if (status == WY_OK)
    status = run_point(&p, number, row);
  wy_series_rows_free(&p.kept);
  if (status == WY_OK)
    return WY_OK;
  wy_sweep_row_free(row);
  return wy_results_fail(message, status, "out of memory for point %d", number);
}
