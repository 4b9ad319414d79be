/* What the pictures of a comparison share: A is drawn thick and light, B thin and dark above it. Inner header of
   draw/compare/. */
#ifndef WY_DRAW_COMPARE_DRAW_H
#define WY_DRAW_COMPARE_DRAW_H

#include "draw/compare/compare.h"
#include "draw/plot/panel.h"

/* The colours of lines, in order, as in every picture of withy; `side` is 0 for A, 1 for B. */
enum { WY_COMPARE_COLOURS = 6 };
const char *wy_compare_colour(int index, int side);
/* The width of a line of A or B. */
double wy_compare_width(int side);

/* The legend's lines for A and B, after the first curve of a plot command. */
void wy_compare_legend(const wy_page *page);

/* Centrelines at some moments: data blocks, height in pixels, panels. */
void wy_compare_shapes_data(FILE *out, const wy_comparison *comparison);
double wy_compare_shapes_height(const wy_comparison *comparison);
void wy_compare_shapes_draw(wy_page *page, const wy_comparison *comparison);

#endif
