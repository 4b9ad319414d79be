/* What the parts of the reader of a run's folder share. Inner header of io/plot_read*.c. */
#ifndef WY_IO_PLOT_READ_H
#define WY_IO_PLOT_READ_H

#include <hdf5.h>

#include "io/plot.h"

/* Zeroed memory; the program ends where there is none. */
void *wy_plot_allocate(size_t count, size_t size);
char *wy_plot_copy(const char *text, size_t length);

/* A dataset of one to three dimensions, or one entry of its first dimension where `entry` is not negative. `size` gets
   the dimensions of what was read, 1 where there are fewer. NULL where there is no such dataset. */
double *wy_plot_read_block(hid_t file, const char *path, int entry, int size[3]);

/* The frame that the k-th snapshot shows: evenly spread, the first and the last included. */
int wy_plot_snapshot_frame(const wy_plot_run *run, int k);
/* All strands, before the undeformed rods become a snapshot. */
void wy_plot_read_strands(hid_t file, wy_plot_run *run);
void wy_plot_free_strands(wy_plot_run *run);
/* Arc lengths, forces and moments of all rods in the last frame. */
void wy_plot_read_forces(hid_t file, wy_plot_run *run);
/* The first modes of the run, made visible. */
void wy_plot_read_modes(hid_t file, wy_plot_run *run);
/* Puts the undeformed rods before the only snapshot. */
void wy_plot_add_undeformed(wy_plot_run *run, const wy_scenario *scenario);

#endif
