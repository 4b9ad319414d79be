/* SPDX-License-Identifier: MIT */
/* The surface of a grid of distances as a coarse mesh, for pictures and the 3D page. */
#ifndef WY_DRAW_SURFACE_H
#define WY_DRAW_SURFACE_H

#include "draw/memory.h"
#include "withy/contact.h"

/* In the axes of the obstacle, from its position; triangles are seen from outside with their corners to the left. */
typedef struct wy_surface {
  int vertices, triangles;
  double (*vertex)[3];
  int (*triangle)[3];
  double low[3], high[3]; /* of the vertices */
  double reach;           /* the farthest of them; 0: there are none */
} wy_surface;

/* Where the distance changes its sign, with at most WY_SURFACE_CELLS cells along each axis. */
enum { WY_SURFACE_CELLS = 40 };
wy_surface wy_surface_of(wy_memory *memory, const wy_distance_grid *grid);

/* Two vertices of each edge of the outline that is seen along an axis with these coordinates; their number. */
int wy_surface_outline(wy_memory *memory, const wy_surface *surface, const double along[3], int (**edges)[2]);

#endif
