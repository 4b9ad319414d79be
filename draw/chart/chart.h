/* SPDX-License-Identifier: MIT */
/* A chart as data, and the one place that makes a picture of it for a page. Whoever has something to show fills a
   chart: curves of points, axes, what to look for. `withy plot` and `withy compare`, whose pictures are files of their
   own, use gnuplot (draw/picture.h). */
#ifndef WY_DRAW_CHART_CHART_H
#define WY_DRAW_CHART_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { WY_MAX_CURVES = 16, WY_MAX_POINTS = 512 };

/* How the points of a curve are drawn. */
typedef enum wy_line_style {
  WY_LINE_JOINED,
  WY_LINE_MARKS,   /* a mark for each, no line between them */
  WY_LINE_RINGS,   /* likewise, in the colour of what is wrong */
  WY_LINE_CROSSES, /* what failed: at the lower edge, whatever y is */
  WY_LINE_BARS     /* a histogram: x are the middles of bars, which touch each other */
} wy_line_style;

typedef struct wy_line {
  char name[48];
  char note[24]; /* behind its last point, such as the order of convergence; "" for none */
  wy_line_style style;
  bool dashed; /* so that what lies below it shows */
  int count;
  double x[WY_MAX_POINTS], y[WY_MAX_POINTS];
  int row[WY_MAX_POINTS]; /* of a table, counted from 1, which hovering shows with the values; 0: nothing */
} wy_line;

typedef struct wy_chart {
  char name[32]; /* of its file */
  char title[96], x[48], y[48];
  char caption[384];        /* what was published, and what to look for */
  int part;                 /* to which it belongs, by the count of whoever made it */
  bool log_x, log_y, marks; /* axes; a mark at each point */
  bool equal;               /* the same scale on both axes, for shapes and paths */
  bool ramp;                /* curves are states one after the other: colours run from the first to the last */
  struct {
    int slope, curve;
  } guide[2]; /* on logarithmic axes: lines beside the last point of a curve, to compare orders with; slope 0: none */
  const char *const *names; /* where not NULL: x = 0, 1, ... are these */
  int name_count;
  const double *ticks; /* where not NULL: the values of x that are written below the picture */
  int tick_count;
  int count;
  wy_line curve[WY_MAX_CURVES];
} wy_chart;

/* The next curve of a chart; a point of one of them. Where chart is NULL, nothing is done. What has no room is left
   out: curves beyond the last become part of it. */
int wy_chart_curve(wy_chart *chart, const char *name);
void wy_chart_dash(wy_chart *chart, int curve);
void wy_chart_point(wy_chart *chart, int curve, double x, double y);
/* The same with the row of a table, counted from 0. */
void wy_chart_row(wy_chart *chart, int curve, double x, double y, int row);
/* All points, a row each: curve, x, y. And a picture, as an element of a page. */
void wy_chart_csv(const wy_chart *chart, FILE *out);
void wy_chart_svg(const wy_chart *chart, FILE *out);

#endif
