/* SPDX-License-Identifier: MIT */
/* What the pictures are made of: panels that are placed by the pixel, axes, curves, colours. Everything is written as
   gnuplot commands. Shared by the pictures of `withy plot` and `withy compare`. */
#ifndef WY_DRAW_PANEL_H
#define WY_DRAW_PANEL_H

#include <stdbool.h>
#include <stdio.h>

/* Sizes in pixels of the SVG. */
enum {
  WY_PAGE_WIDTH = 900,
  WY_PAGE_LEFT = 88,
  WY_PAGE_RIGHT = 24,
  WY_TITLE_HEIGHT = 44, /* of the title above every picture; pages leave it out */
  WY_PANEL_HEAD = 34,   /* a panel's heading and legend */
  WY_PANEL_FOOT = 58,   /* tics and label of the axis below */
  WY_PANEL_GAP = 22     /* below a panel without labels */
};

/* Colours are those of Okabe and Ito, which colour-blind readers can tell apart. */
extern const char wy_ink[], wy_faint[], wy_soft[];
extern const char *const wy_component_colours[4];
/* The colour of a rod at a fraction of the time shown: from light to dark. */
void wy_rod_shade(int rod, double fraction, char text[8]);
/* The same of a grey. */
void wy_grey_shade(double fraction, char text[8]);

typedef struct wy_range {
  double low, high;
} wy_range;

wy_range wy_range_empty(void);
wy_range wy_range_widen(wy_range r, const double *values, int count, int stride);
wy_range wy_range_centred(wy_range r, double span);
/* What an axis shows: the data and a margin. Data that are constant but for round-off appear as a level line. */
wy_range wy_range_axis(wy_range r, double smallest);
/* A round distance of tics, such that they are at least `least` pixels apart, but two or more of them fit. */
double wy_tic_step(wy_range r, double pixels, double least);

/* A picture while it is drawn: y is where the next panel may begin, in pixels from the top. */
typedef struct wy_page {
  FILE *out;
  double height;
  double y;
} wy_page;

/* The frame of a panel in pixels from the upper left corner. */
typedef struct wy_panel {
  double x, y, width, height;
} wy_panel;

/* A panel over the whole width, below `head` pixels for its heading. */
wy_panel wy_panel_next(const wy_page *page, double head, double height);

/* Pixels as fractions of the picture. */
double wy_page_across(double x);
double wy_page_up(const wy_page *page, double y);

/* A gnuplot string: in single quotes nothing but the quote itself is special. Control characters become spaces. */
void wy_panel_quote(FILE *out, const char *text);
/* A curve as the data block $block<index>. A long one keeps the smallest and the largest value of every bucket, so that
   no peak is lost. */
void wy_panel_curve_data(FILE *out, const char *block, int index, const double *x, const double *y, int count);

void wy_panel_place(const wy_page *page, wy_panel panel);
/* Heading at the left, legend at the right above a panel. */
void wy_panel_head(const wy_page *page, wy_panel panel, const char *text);
/* Where the legend is a block of its own above the panel: how high it is with so many entries of at most so many
   characters, and its place. */
double wy_legend_height(double width, int entries, size_t longest);
void wy_legend_place(const wy_page *page, wy_panel panel, double height);
/* The axis below; its label and numbers are left out where `label` is NULL. */
void wy_panel_x_axis(const wy_page *page, wy_panel panel, wy_range r, const char *label);
/* The same for times, which need not be in order: a path by arc length may run back. */
void wy_panel_time_axis(const wy_page *page, wy_panel panel, const double *t, int count, const char *label);
/* The label stands at a fixed distance from the frame, however long the numbers are. */
void wy_panel_y_axis(const wy_page *page, wy_panel panel, wy_range r, double step, const char *label, double distance);
void wy_panel_value_axis(const wy_page *page, wy_panel panel, wy_range r, const char *label);
/* One curve of a plot command; a single point shows as such. */
typedef struct wy_curve {
  const char *block;
  int index, count;
  const char *title; /* or NULL */
  const char *colour;
  double width;
  int dash;
} wy_curve;
void wy_panel_curve(const wy_page *page, bool *first, const wy_curve *curve);
/* After a plot command: the picture's title is drawn once, with its first panel. */
void wy_panel_end(const wy_page *page);
/* Axes at the left and below, thin grid. */
void wy_axes_style(FILE *out);

#endif
