/* SPDX-License-Identifier: MIT */
/* What the pictures of draw/chart/ share: the SVG element, its title, axes with ticks, colours. Inner header of
   draw/chart/. */
#ifndef WY_DRAW_CHART_FRAME_H
#define WY_DRAW_CHART_FRAME_H

#include <stdbool.h>
#include <stdio.h>

/* In pixels. Small enough that letters can be read on a telephone; two pictures stand side by side on a screen. */
enum {
  WY_SVG_WIDTH = 560,
  WY_SVG_HEIGHT = 350,
  WY_SVG_LEFT = 66,
  WY_SVG_RIGHT = 14,
  WY_SVG_BOTTOM = 46,
  WY_SVG_LINE = 17, /* from a line of text to the next */
  WY_SVG_LETTER = 7 /* width of a letter, about */
};

/* The colour of what failed or is wrong: seen on dark and on white paper. */
extern const char wy_svg_bad[];

/* From the begin of the element to the title, which takes one line or two. */
void wy_svg_begin(FILE *out, const char *title, int width, int height);
int wy_svg_title_lines(const char *title, int width);
void wy_svg_end(FILE *out);

/* What stands below and at the left of the part between `top` and `bottom`. */
void wy_svg_labels(FILE *out, const char *x, const char *y, int right, int top, int bottom);

/* One axis: values from `low` to `high` (logarithms where `log`) on pixels `from` to `to`. */
typedef struct wy_axis {
  bool log, vertical;
  double low, high, from, to;
  double across[2]; /* where lines across the picture begin and end: at the left and the right, or top and bottom */
  const char *const *names; /* where not NULL: values 0, 1, ... are these */
  const double *ticks;      /* where not NULL: the values that are written beside the axis */
  int name_count, tick_count;
} wy_axis;

double wy_axis_pixel(const wy_axis *axis, double value);
/* Lines across the picture, with their values. */
void wy_axis_ticks(FILE *out, const wy_axis *axis);
/* Widens an axis of a single value, so that it has a length. `room` is added at both ends of any other. */
void wy_axis_widen(wy_axis *axis, double room);
/* The label of one value: as many digits as tell `step` apart. */
void wy_axis_label(char label[32], double value, double step);
/* The same with so many digits: "1.29e6". */
void wy_axis_short(char label[32], double value, int digits);
/* A name as it fits into `pixels`: two dots stand for what is left out. */
void wy_axis_name(FILE *out, const char *name, double pixels);

/* Colours of curves: from a palette that colour-blind readers can tell apart, or along viridis without its ends, which
   are hard to see on dark and on white paper; share is from 0 to 1. */
const char *wy_svg_colour(int index);
void wy_svg_shade(double share, char colour[8]);

#endif
