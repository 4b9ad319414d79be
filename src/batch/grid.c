/* SPDX-License-Identifier: MIT */
/* Grids of distances: the spline through their numbers (B21), and where a place is to it. */
#include <math.h>

#include "batch/inside.h"

/* The kernel for one number. */
#define FN WY_INLINE
#define UNROLL
#define RS double
#define REAL double
#define SPLAT(x) ((double)(x))
#define INV_SQRT(x) (1 / sqrt(x))
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((b) < (a) ? (a) : (b))
#define LANE_COUNT 1
#define UNROLL_LANES
#define LANE(x, lane) (x)
#include "base/target.h"
#include "batch/algebra.h"
#include "batch/grid.h"

/* Coefficients along one line of points (B21), those at its ends being the numbers themselves. */
static void prepare_line(float *c, int count, size_t stride) {
  double before = (double)c[0];
  for (int i = 1; i < count - 1; i++) {
    float *at = c + (size_t)i * stride;
    const double here = (double)*at;
    *at = (float)(here - (before - 2 * here + (double)at[stride]) / 8);
    before = here;
  }
}

void wy_batch_make_grid(const wy_distance_grid *from, wy_batch_grid *grid, float *values) {
  const size_t n[3] = {(size_t)from->points[0], (size_t)from->points[1], (size_t)from->points[2]};
  for (int k = 0; k < 3; k++) {
    grid->points[k] = from->points[k];
    grid->origin[k] = from->origin[k];
    grid->per_step[k] = 1 / from->step[k];
  }
  grid->values = values;
  for (size_t i = 0; i < n[0] * n[1] * n[2]; i++)
    values[i] = from->values[i];
  for (size_t i = 0; i < n[0] * n[1]; i++)
    prepare_line(values + i * n[2], from->points[2], 1);
  for (size_t i = 0; i < n[0] * n[2]; i++)
    prepare_line(values + i / n[2] * n[1] * n[2] + i % n[2], from->points[1], n[2]);
  for (size_t i = 0; i < n[1] * n[2]; i++)
    prepare_line(values + i, from->points[0], n[1] * n[2]);
}

double wy_batch_grid_distance(const wy_batch_grid *grid, const double *row, const double y[3]) {
  vec normal;
  return distance_by_grid(grid, row, vec_of(y[0], y[1], y[2]), &normal);
}
