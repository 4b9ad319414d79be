/* SPDX-License-Identifier: MIT */
/* A picture as a whole, in gnuplot commands: the script around it, its file and title, and how centrelines in space are
   put on paper. Shared by the scripts of `withy plot` and `withy compare`. */
#ifndef WY_DRAW_PICTURE_H
#define WY_DRAW_PICTURE_H

#include "draw/panel.h"

/* The head of a script, then the data blocks; the pictures of all formats ("svg png"), and the end. */
void wy_script_begin(FILE *out, const char *verb);
void wy_script_pictures(FILE *out, const char *formats);
void wy_script_end(FILE *out);

/* One picture of page->height pixels; the title stands above its first panel. */
void wy_picture_begin(const wy_page *page, const char *name, const char *title);
void wy_picture_end(const wy_page *page);

/* One or two projections of space with the same scale: pixels and the space that they show. */
typedef struct wy_projection {
  int across, up; /* which space axes */
  double x, width;
  wy_range shown_across, shown_up;
} wy_projection;

typedef struct wy_projections {
  int count;
  double height;
  wy_projection view[2];
} wy_projections;

/* The plane of the two largest extents, the second projection where the third is not small, and a common scale.
   `beside` pixels at the right are left free. */
wy_projections wy_project(const wy_range extent[3], double beside);
/* The points of a line in space, x y z, and an empty line; of very many points some. */
void wy_line_points(FILE *out, const double *line, int points);
/* The same, and the end of its block. */
void wy_line_data(FILE *out, const double *line, int points);
/* Places the panel of a projection, with both axes. */
void wy_projection_axes(const wy_page *page, const wy_projection *view, wy_panel panel);

#endif
