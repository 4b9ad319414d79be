/* SPDX-License-Identifier: MIT */
/* Probes of batches over time, as bands. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_BANDS_H
#define WY_DRAW_PLOT_BANDS_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_bands_data(FILE *out, const wy_plot_run *run);
double wy_plot_bands_height(const wy_plot_run *run);
void wy_plot_bands_draw(wy_page *page, const wy_plot_run *run);

#endif
