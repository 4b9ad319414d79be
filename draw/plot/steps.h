/* SPDX-License-Identifier: MIT */
/* Where the solver worked hard: sizes of its steps, the rejected ones, Newton iterations. Data blocks, height in pixels
   and panels. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_STEPS_H
#define WY_DRAW_PLOT_STEPS_H

#include "draw/panel.h"
#include "draw/plot/plot.h"

/* Is there anything to see? Steps that are given are all alike. */
bool wy_plot_steps_present(const wy_plot_run *run);
void wy_plot_steps_data(FILE *out, const wy_plot_run *run);
double wy_plot_steps_height(const wy_plot_run *run);
void wy_plot_steps_draw(wy_page *page, const wy_plot_run *run);

#endif
