/* SPDX-License-Identifier: MIT */
/* The picture of centrelines in space, of strands behind them, and of a single equilibrium. Data blocks, height in
   pixels and panels. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_SNAPSHOTS_H
#define WY_DRAW_PLOT_SNAPSHOTS_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

/* The data of strands, too. */
void wy_plot_snapshots_data(FILE *out, const wy_plot_run *run);
double wy_plot_snapshots_height(const wy_plot_run *run);
void wy_plot_snapshots_draw(wy_page *page, const wy_plot_run *run);

#endif
