/* What the parts of the reader of a run's folder share. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_READ_H
#define WY_DRAW_PLOT_READ_H

#include <hdf5.h>

#include "draw/plot/plot.h"

/* Zeroed memory; the program ends where there is none. */
void *wy_plot_allocate(size_t count, size_t size);
char *wy_plot_copy(const char *text, size_t length);

/* Opens result.h5, without locking, so that the file of a run that is still going can be read too. Negative where it
   cannot be read. */
hid_t wy_plot_open(const char *path);
/* A text attribute, of fixed or variable length; NULL where there is none. free() it. */
char *wy_plot_read_text(hid_t object, const char *name);
/* The scenario as it was run, with the settings of --set; NULL where it cannot be read. */
wy_scenario *wy_plot_scenario(const wy_plot_run *run);

/* The number of a rod in the scenario, or -1. */
int wy_plot_find_rod(const wy_scenario *scenario, const char *name);

/* A dataset of one to three dimensions, or one entry of its first dimension where `entry` is not negative. `size` gets
   the dimensions of what was read, 1 where there are fewer. NULL where there is no such dataset. */
double *wy_plot_read_block(hid_t file, const char *path, int entry, int size[3]);

/* The frame that the k-th snapshot shows: evenly spread, the first and the last included. */
int wy_plot_snapshot_frame(const wy_plot_run *run, int k);
/* All strands, before the undeformed rods become a snapshot. */
void wy_plot_read_strands(hid_t file, wy_plot_run *run);
void wy_plot_free_strands(wy_plot_run *run);
/* Maps of the first rods. */
void wy_plot_read_maps(hid_t file, wy_plot_run *run);
void wy_plot_free_maps(wy_plot_rod *rod);
/* What steps.csv says; a run of an older version has none. */
wy_status wy_plot_read_steps(const char *path, wy_plot_run *run, const wy_scenario *scenario, wy_message *message);
void wy_plot_free_steps(wy_plot_run *run);
/* Arc lengths, forces and moments of all rods in the last frame. */
void wy_plot_read_forces(hid_t file, wy_plot_run *run);
/* The shapes of one rod, and what they are shapes of. Vibrations share one state, buckling has one for each. */
typedef struct wy_plot_shapes {
  int count, points, frames;
  double *number; /* [count] in the table */
  double *s, *frame_s, *displacement, *rotation, *position, *frame;
  bool own_state;
} wy_plot_shapes;
/* False where the file does not have them whole. Free them in any case. */
bool wy_plot_read_shapes(hid_t file, const wy_plot_run *run, const char *rod, wy_plot_shapes *out);
void wy_plot_free_shapes(wy_plot_shapes *in);
/* Shape k turns the rod about its axis and hardly moves it. */
bool wy_plot_is_turning(const wy_plot_shapes *in, int k);
/* The largest displacement of a mode that is shown, over the size of the rod. */
#define WY_PLOT_VISIBLE 0.2

/* The table of all modes; both are to be freed, damping may be NULL. */
typedef struct wy_plot_mode_table {
  int count;
  double *values, *damping;
} wy_plot_mode_table;
wy_plot_mode_table wy_plot_read_mode_table(hid_t file, const wy_plot_run *run);

/* The largest length of vectors, and the largest extent of a line along the axes. */
double wy_plot_largest(const double *vectors, int count);
double wy_plot_extent(const double *line, int count);

/* The first modes of the run, made visible. */
void wy_plot_read_modes(hid_t file, wy_plot_run *run);
/* Puts the undeformed rods before the only snapshot. */
void wy_plot_add_undeformed(wy_plot_run *run, const wy_scenario *scenario);

#endif
