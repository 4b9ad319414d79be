/* SPDX-License-Identifier: MIT */
/* The parts of wy_plot_gather. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_GATHER_H
#define WY_DRAW_PLOT_GATHER_H

#include "draw/plot/plot.h"

/* Can what was read be drawn? Damaged datasets are left out; without memory this does not return. */
bool wy_plot_good(const wy_plot_run *run, wy_status status);
/* A field along a rod, or NULL where it is missing or damaged. */
const wy_stored_field *wy_plot_field(const wy_plot_run *run, const char *rod, const char *dataset);
/* The snapshot of the file that is the k-th shown one: evenly spread, the first and the last included. */
int wy_plot_shown_snapshot(const wy_plot_run *run, int k);

/* Bodies, joints and springs, likewise. */
void wy_plot_gather_network(wy_plot_run *run);
/* All strands, before the undeformed rods join those shown. */
void wy_plot_gather_strands(wy_plot_run *run);
/* Maps of the first rods. */
void wy_plot_gather_maps(wy_plot_run *run);
/* What steps.csv says; a run of an older version has none. */
wy_status wy_plot_gather_steps(wy_plot_run *run, wy_message *message);
/* Forces and moments of all rods in the last snapshot. */
void wy_plot_gather_forces(wy_plot_run *run);
/* The first modes of the run, made visible. */
void wy_plot_gather_modes(wy_plot_run *run);
/* Puts the undeformed rods before the only snapshot. */
void wy_plot_add_undeformed(wy_plot_run *run);

#endif
