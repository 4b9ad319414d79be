/* SPDX-License-Identifier: MIT */
/* What the pictures of many runs share: the reference is thick and grey, the others are thin and have a colour each.
   Inner header of draw/compare/. */
#ifndef WY_DRAW_COMPARE_MANY_DRAW_H
#define WY_DRAW_COMPARE_MANY_DRAW_H

#include "draw/compare/draw.h"
#include "draw/compare/many.h"

/* Colour, width and dash of a run; 0 is the reference. Colours come again with other dashes. */
wy_curve wy_compare_many_style(int run);
/* Height of what stands above a panel, heading and legend; and both. Many runs need lines of their own. */
double wy_compare_many_head(const wy_comparisons *comparisons);
void wy_compare_many_heading(const wy_page *page, wy_panel panel, const wy_comparisons *comparisons, const char *text);
/* The legend's lines for the runs from this one on, after the first curve of a plot command. */
void wy_compare_many_legend(const wy_page *page, const wy_comparisons *comparisons, int first_run);

/* Pictures: data blocks, heights in pixels, panels. Probes and energies are courses. */
void wy_compare_many_courses_data(FILE *out, const wy_comparisons *comparisons, wy_compared kind);
double wy_compare_many_courses_height(const wy_comparisons *comparisons, wy_compared kind);
void wy_compare_many_courses_draw(wy_page *page, const wy_comparisons *comparisons, wy_compared kind);
void wy_compare_many_modes_data(FILE *out, const wy_comparisons *comparisons, wy_compared kind);
double wy_compare_many_modes_height(const wy_comparisons *comparisons, wy_compared kind);
void wy_compare_many_modes_draw(wy_page *page, const wy_comparisons *comparisons, wy_compared kind);
void wy_compare_many_shapes_data(FILE *out, const wy_comparisons *comparisons, wy_compared kind);
double wy_compare_many_shapes_height(const wy_comparisons *comparisons, wy_compared kind);
void wy_compare_many_shapes_draw(wy_page *page, const wy_comparisons *comparisons, wy_compared kind);

#endif
