/* SPDX-License-Identifier: MIT */
/* What the pictures of a comparison share: A is drawn thick and light, B thin and dark above it. Inner header of
   draw/compare/. */
#ifndef WY_DRAW_COMPARE_DRAW_H
#define WY_DRAW_COMPARE_DRAW_H

#include "draw/compare/compare.h"
#include "draw/panel.h"

/* The colours of lines, in order, as in every picture of withy; `side` is 0 for A, 1 for B. */
enum { WY_COMPARE_COLOURS = 6 };
const char *wy_compare_colour(int index, int side);
/* The width of a line of A or B. */
double wy_compare_width(int side);

/* The legend's lines for A and B, after the first curve of a plot command. */
void wy_compare_legend(const wy_page *page);

/* Adds "A: folder" to the title of a picture; the end of a long path is what tells folders apart. */
void wy_compare_title_folder(wy_text *title, const char *label, const char *folder);

/* A difference of this kind that a picture shows, and how many there are. */
bool wy_compare_drawn(const wy_difference *d, wy_compared kind);
int wy_compare_count_drawn(const wy_comparison *c, wy_compared kind);

/* A logarithmic axis for differences in `r`, which is positive, or a plain one where all of them are 0. The tolerance
   is on it unless it is far away: then it becomes 0. Returns whether the axis is logarithmic. */
bool wy_compare_difference_axis(const wy_page *page, wy_panel panel, wy_range r, double *limit, const char *label);
/* The tolerance as a line, where it is not 0. */
void wy_compare_draw_limit(const wy_page *page, double limit);
void wy_compare_end_difference(const wy_page *page, bool logarithmic);
/* The range, widened by those values that are positive. */
wy_range wy_compare_positive(wy_range r, const double *values, int count);

/* Pictures: data blocks, heights in pixels, panels. */
enum { WY_COMPARE_VALUES_HEIGHT = 128, WY_COMPARE_DIFFERENCE_HEIGHT = 76 };
void wy_compare_shapes_data(FILE *out, const wy_comparison *comparison);
double wy_compare_shapes_height(const wy_comparison *comparison);
void wy_compare_shapes_draw(wy_page *page, const wy_comparison *comparison);
void wy_compare_modes_data(FILE *out, const wy_comparison *comparison);
double wy_compare_modes_height(const wy_comparison *comparison);
void wy_compare_modes_draw(wy_page *page, const wy_comparison *comparison);
void wy_compare_probes_data(FILE *out, const wy_comparison *comparison);
double wy_compare_probes_height(const wy_comparison *comparison);
void wy_compare_probes_draw(wy_page *page, const wy_comparison *comparison);
void wy_compare_energies_data(FILE *out, const wy_comparison *comparison);
double wy_compare_energies_height(const wy_comparison *comparison);
void wy_compare_energies_draw(wy_page *page, const wy_comparison *comparison);

#endif
