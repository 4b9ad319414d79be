/* SPDX-License-Identifier: MIT */
/* Pictures of probes and energies over time: data blocks, heights in pixels and panels. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_COURSES_H
#define WY_DRAW_PLOT_COURSES_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

void wy_plot_probes_data(FILE *out, const wy_plot_run *run);
double wy_plot_probes_height(const wy_plot_run *run);
void wy_plot_probes_draw(wy_page *page, const wy_plot_run *run);

void wy_plot_energy_data(FILE *out, const wy_plot_run *run);
double wy_plot_energy_height(const wy_plot_run *run);
void wy_plot_energy_draw(wy_page *page, const wy_plot_run *run);

#endif
