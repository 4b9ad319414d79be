/* SPDX-License-Identifier: MIT */
/* A grid of distances as a text, which scenarios, results and sweeps carry as they carry tables: a line that says what
   it is, then numbers of points, origin, steps and distances, byte by byte in base 64. */
#ifndef WY_RUN_SCENARIO_DISTANCES_H
#define WY_RUN_SCENARIO_DISTANCES_H

#include "withy/contact.h"

/* Points of a grid in a file: a text of 22 MB. */
enum { WY_GRID_MOST = 1 << 22 };

/* The caller frees it; NULL without memory. */
char *wy_grid_write(const wy_distance_grid *grid);

/* How many points a text has; 0: it is no such text. Sizes, origin and steps are in `out` then. */
int wy_grid_read_head(const char *text, wy_distance_grid *out);
void wy_grid_read_values(const char *text, int count, float *values);

#endif
