/* SPDX-License-Identifier: MIT */
/* Inside of tables: spline.c makes them, spline_eval.c evaluates them. */
#ifndef WY_MODEL_SPLINE_H
#define WY_MODEL_SPLINE_H

#include "withy/spline.h"

/* What the signal of a column points to. */
typedef struct wy_spline_place {
  const wy_spline *spline;
  int column;
} wy_spline_place;

struct wy_spline {
  wy_spline_def def;        /* its arrays point to the copies below */
  double *x, *y, *m;        /* argument; values and slopes, column by column: y[column * rows + row] */
  double *rows;             /* values as defined, row by row */
  char **names;             /* NULL if there are none */
  wy_spline_place *signals; /* [columns] */
};

/* Is the table defined at this value of its argument? A little beyond its ends counts: there the end pieces go on, for
   steps that meet the end of a run to round-off and for differences in time. */
bool wy_spline_reaches(const wy_spline *spline, double at);

/* The table and the column that a signal was made of, or NULL where it is none. */
const wy_spline *wy_spline_of_signal(const wy_signal *signal, int *index);

#endif
