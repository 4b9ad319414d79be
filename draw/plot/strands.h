/* SPDX-License-Identifier: MIT */
/* Hair and batches in pictures: behind the guides of the snapshots, and in panels of its own, one for each of a few
   moments. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_STRANDS_H
#define WY_DRAW_PLOT_STRANDS_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_strands_data(FILE *out, const wy_plot_run *run);
/* The range of a space axis, widened by the strands of a moment. */
wy_range wy_plot_strands_extent(const wy_plot_run *run, wy_range r, int moment, int axis);
/* The strands of a moment, within a plot command that has begun; axes of space across and up. */
void wy_plot_strands_curves(const wy_page *page, const wy_plot_run *run, int moment, int across, int up);

double wy_plot_strands_height(const wy_plot_run *run);
void wy_plot_strands_draw(wy_page *page, const wy_plot_run *run);

/* The tips of batches, as clouds. */
void wy_plot_tips_data(FILE *out, const wy_plot_run *run);
double wy_plot_tips_height(const wy_plot_run *run);
void wy_plot_tips_draw(wy_page *page, const wy_plot_run *run);

#endif
