/* SPDX-License-Identifier: MIT */
/* Parallel coordinates as data, and their picture: an axis for each parameter and quantity, a line for each point. */
#ifndef WY_DRAW_CHART_PARALLEL_H
#define WY_DRAW_CHART_PARALLEL_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/chart/map.h"

enum { WY_PARALLEL_AXES = 14 }; /* at most */

typedef struct wy_parallel_axis {
  const char *name;
  bool log;                 /* all its values are positive */
  const char *const *names; /* where not NULL: values 0, 1, ... are these */
  int name_count;
  const double *ticks; /* where not NULL: the values that are written beside the axis */
  int tick_count;
} wy_parallel_axis;

/* Arrays belong to whoever fills it. */
typedef struct wy_parallel {
  const char *title;
  int axes, lines; /* 2 to WY_PARALLEL_AXES axes */
  const wy_parallel_axis *axis;
  const double *values;  /* [lines * axes], line by line; not finite: the line ends before this axis */
  const wy_cell *states; /* [lines]; what failed is drawn in another colour, dashed */
  const int *points;     /* [lines]: numbers that hovering shows */
  int colour;            /* the axis that gives lines their colour */
} wy_parallel;

/* Lines have the class `line`, axes the class `axis`, so that a script of the page can let readers choose a part. */
void wy_parallel_svg(const wy_parallel *chart, FILE *out);

#endif
