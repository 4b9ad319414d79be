/* SPDX-License-Identifier: MIT */
/* Bodies, joints and springs in the picture of centrelines: outlines, marks and zigzags in the last snapshot, and the
   paths of bodies. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_NETWORK_H
#define WY_DRAW_PLOT_NETWORK_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_network_data(FILE *out, const wy_plot_run *run);
/* Takes the parts in, along an axis of space. */
wy_range wy_plot_network_extent(const wy_plot_run *run, wy_range extent, int axis);
/* Curves of a plot command that goes on, in the plane of two axes of space. */
void wy_plot_network_curves(const wy_page *page, const wy_plot_run *run, int across, int up);

#endif
