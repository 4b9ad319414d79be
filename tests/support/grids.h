/* SPDX-License-Identifier: MIT */
/* Grids of distances for tests: values of a function of place. */
#ifndef WY_TESTS_SUPPORT_GRIDS_H
#define WY_TESTS_SUPPORT_GRIDS_H

#include <stdlib.h>

#include "withy/contact.h"

/* [points]^3 around the origin, `half` to each side; the caller frees `values`. */
static inline wy_distance_grid grid_of(double (*distance)(const double y[3]), int points, double half) {
  wy_distance_grid grid = {.points = {points, points, points}};
  float *values = malloc((size_t)points * (size_t)points * (size_t)points * sizeof *values);
  for (int k = 0; k < 3; k++)
    grid.origin[k] = -half, grid.step[k] = 2 * half / (points - 1);
  for (int i = 0, at = 0; i < points; i++)
    for (int j = 0; j < points; j++)
      for (int k = 0; k < points; k++, at++) {
        const double y[3] = {-half + i * grid.step[0], -half + j * grid.step[1], -half + k * grid.step[2]};
        values[at] = (float)distance(y);
      }
  grid.values = values;
  return grid;
}

#endif
