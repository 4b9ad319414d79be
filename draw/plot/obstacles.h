/* SPDX-License-Identifier: MIT */
/* Outlines of obstacles in the picture of centrelines, where they are in the last snapshot. Inner header of draw/plot/.
 */
#ifndef WY_DRAW_PLOT_OBSTACLES_H
#define WY_DRAW_PLOT_OBSTACLES_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_obstacles_data(FILE *out, const wy_plot_run *run);
/* Takes those in that are no larger than the rods and their ways, along an axis of space. */
wy_range wy_plot_obstacles_extent(const wy_plot_run *run, wy_range extent, int axis);
/* Curves of a plot command that goes on, in the plane of two axes of space. */
void wy_plot_obstacles_curves(const wy_page *page, const wy_plot_run *run, int across, int up);

#endif
