/* SPDX-License-Identifier: MIT */
/* Triangles between points of a plane (Delaunay): no point lies within the circle through the corners of one. Points
   are on a grid of whole numbers, so that every decision is exact. */
#ifndef WY_RECORD_TRIANGLES_H
#define WY_RECORD_TRIANGLES_H

#include <stdint.h>

enum { WY_GRID = 1 << 14 };

/* A point with coordinates from 0 to WY_GRID; `index` is whatever the caller knows it by. */
typedef struct wy_grid_point {
  int64_t x, y;
  int index;
} wy_grid_point;

typedef struct wy_triangle {
  int corner[3]; /* places in the array of points, counter-clockwise */
  int beside[3]; /* the triangle across the side from corner k to the next one, or -1 */
} wy_triangle;

/* Sorts the points, no two of which are equal, and joins all of them. `triangles` has room for 2 count, `outline` for
   count. Returns how many triangles there are: 0 where all points are on a line, along which they are then sorted. */
int wy_triangulate(wy_grid_point *points, int count, wy_triangle *triangles, int *outline);

#endif
