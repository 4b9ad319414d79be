/* SPDX-License-Identifier: MIT */
/* The pages that withy writes around pictures: one HTML file each, without any reference to the network, light or dark
   as the reader's screen. The style knows h1, h2, p, dl (facts), table, pre and figures. */
#ifndef WY_DRAW_HTML_H
#define WY_DRAW_HTML_H

#include <stdio.h>

/* Everything up to the heading, which is the title, and everything after the content. */
void wy_html_begin(FILE *out, const char *title);
/* The same for pages with pictures of draw/chart/ instead of gnuplot's: <div class="charts"> with a <figure
   class="chart"> for each, or "chart wide" for one that takes the whole width; long tables in <div class="scroll">. */
void wy_html_begin_charts(FILE *out, const char *title);
void wy_html_end(FILE *out);

/* Text with the characters that HTML would read replaced. */
void wy_html_escape(FILE *out, const char *text);

/* A caption and the drawing of an SVG file, without declarations and without the title at its top, which the page has
   already. */
void wy_html_picture(FILE *out, const char *svg, const char *caption);

#endif
