/* SPDX-License-Identifier: MIT */
/* Pictures of equilibria: the shapes of modes, and forces and moments along the rods. Data blocks, heights in pixels
   and panels. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_SHAPES_H
#define WY_DRAW_PLOT_SHAPES_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_modes_data(FILE *out, const wy_plot_run *run);
double wy_plot_modes_height(const wy_plot_run *run);
void wy_plot_modes_draw(wy_page *page, const wy_plot_run *run);

void wy_plot_forces_data(FILE *out, const wy_plot_run *run);
double wy_plot_forces_height(const wy_plot_run *run);
void wy_plot_forces_draw(wy_page *page, const wy_plot_run *run);

#endif
