/* SPDX-License-Identifier: MIT */
/* A heat map as data, and its picture: one cell for each pair of values of two parameters. */
#ifndef WY_DRAW_CHART_MAP_H
#define WY_DRAW_CHART_MAP_H

#include <stdio.h>

/* What a cell, or a line of a parallel chart, stands for. */
typedef enum wy_cell {
  WY_CELL_NONE, /* nothing: it stays empty */
  WY_CELL_GOOD,
  WY_CELL_WRONG, /* it has a value that is known to be wrong: marked by a ring */
  WY_CELL_FAILED /* it has none: marked by a cross */
} wy_cell;

/* Arrays belong to whoever fills it. */
typedef struct wy_map {
  const char *title, *x, *y, *value; /* of the picture, of its axes, of what colours stand for */
  int columns, rows;
  const double *across, *up; /* [columns], [rows]: values on the axes, ascending */
  const double *cells;       /* [rows * columns], from the lower left; ignored where there is no value */
  const wy_cell *states;     /* likewise */
  const int *points;         /* likewise: numbers that hovering shows */
} wy_map;

/* Above so many cells those of equal colour are one element, without hovering: the page stays small. */
enum { WY_MAP_HOVERED = 2500 };

void wy_map_svg(const wy_map *map, FILE *out);

#endif
