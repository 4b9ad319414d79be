/* SPDX-License-Identifier: MIT */
/* Space-time maps: a value along a rod over time, as colour. Data blocks, heights in pixels and panels of a pair of
   maps, named by its first. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_MAPS_H
#define WY_DRAW_PLOT_MAPS_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

/* How many panels there are. */
int wy_plot_maps_count(const wy_plot_run *run, int pair);
void wy_plot_maps_data(FILE *out, const wy_plot_run *run, int pair);
double wy_plot_maps_height(const wy_plot_run *run, int pair);
void wy_plot_maps_draw(wy_page *page, const wy_plot_run *run, int pair);

#endif
