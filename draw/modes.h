/* SPDX-License-Identifier: MIT */
/* How shapes of modes are made visible, in pictures and on the 3D page alike. */
#ifndef WY_DRAW_MODES_H
#define WY_DRAW_MODES_H

#include "withy/folder.h"

/* The largest displacement of a mode that is shown, over the size of the rod. */
#define WY_MODES_VISIBLE 0.2

/* Shape k turns the rod about its axis and hardly moves it. */
bool wy_modes_turning(const wy_stored_shapes *shapes, int k);

/* The largest length of vectors, and the largest extent of a line along the axes. */
double wy_modes_largest(const double *vectors, int count);
double wy_modes_extent(const double *line, int count);

#endif
