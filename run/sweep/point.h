/* SPDX-License-Identifier: MIT */
/* What is kept of a point while its rows come: of a run of its own, or of a rod of a batch. */
#ifndef WY_RUN_SWEEP_POINT_H
#define WY_RUN_SWEEP_POINT_H

#include "run/sweep/row.h"

/* What becomes of one column in the course of a run. */
typedef struct wy_course {
  double first, last, least, most;
  double integral, square; /* over time, of the value and of its square, by the trapezoidal rule */
} wy_course;

/* A run in progress. */
typedef struct wy_point {
  const wy_plan *plan;
  const int *columns; /* of each quantity, -1 where it has none; then of each column of each series */
  wy_course *courses; /* [kept_count] */
  double begin, time; /* of the first and of the last row */
  long rows;
  wy_series_rows kept; /* times and all columns of all series; its width is wy_point_width */
  bool (*interrupted)(void *context);
  void *context;
} wy_point;

/* A time and the columns of all series. */
int wy_point_width(const wy_plan *plan);
/* The columns of what is kept, in this scenario: what varies may change them. False and a refused row if one is
   missing. `columns`: [kept_count + wy_point_width]. */
bool wy_point_columns(const wy_plan *plan, const wy_scenario *scenario, int *columns, wy_sweep_row *row);
/* A row of the wy_point `context`, as wy_run_def has it. */
void wy_point_row(void *context, double t, const double *values);
/* All quantities of a run that reached its end. */
wy_status wy_point_quantities(const wy_point *p, const wy_run_report *report, wy_sweep_row *row);
/* A message in one line; where the file lies is not part of it: the same sentence from everywhere. */
void wy_point_say(wy_sweep_row *row, const wy_plan *plan, const char *text);

#endif
