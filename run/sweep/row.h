/* SPDX-License-Identifier: MIT */
/* Rows of a sweep: their memory, and the line of a row in journals and in sweep.csv. */
#ifndef WY_RUN_SWEEP_ROW_H
#define WY_RUN_SWEEP_ROW_H

#include "run/results/file.h"
#include "run/sweep/plan.h"

/* Rows of numbers that grow. Start with the width; each row is its time and the columns. */
typedef struct wy_series_rows {
  int width;
  size_t count, capacity;
  double *values;
  bool failed; /* there was no memory for a row */
} wy_series_rows;

/* The next row, to be filled; NULL without memory. */
double *wy_series_rows_add(wy_series_rows *rows);
void wy_series_rows_free(wy_series_rows *rows);

/* An empty row with all quantities NAN and series without rows. */
wy_status wy_sweep_row_begin(wy_sweep_row *row, const wy_plan *plan, int point);
/* The quantities of a row that was begun, to be filled. */
double *wy_sweep_row_quantities(wy_sweep_row *row);
/* Gives it its series. */
wy_status wy_sweep_row_take_series(wy_sweep_row *row, const wy_plan *plan, const wy_series_rows *rows);

/* A copy of a text, to be freed; NULL without memory. */
char *wy_sweep_copy(const char *text);

/* Does the row fit the plan? */
bool wy_sweep_row_fits(const wy_sweep_row *row, const wy_plan *plan);

/* A field as RFC 4180 wants it: quoted where it must be. */
void wy_csv_field(wy_text *text, const char *field);
/* "point,PATH...,NAME...,status,message\n". */
void wy_sweep_header(wy_text *text, const wy_plan *plan);
void wy_sweep_line(wy_text *text, const wy_plan *plan, const wy_sweep_row *row);

#endif
