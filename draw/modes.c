/* SPDX-License-Identifier: MIT */
#include "draw/modes.h"

#include <math.h>

static const double visible = 0.2; /* largest displacement over the size */

/* The largest length of vectors. */
static double largest(const double *vectors, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, hypot(hypot(vectors[3 * i], vectors[3 * i + 1]), vectors[3 * i + 2]));
  return most;
}

void wy_modes_widen(const wy_stored_shapes *shapes, int k, wy_mode_extent *extent) {
  size_t values = 3 * (size_t)shapes->points;
  const double *position = shapes->position + (shapes->own ? (size_t)k : 0) * values;
  double moved = largest(shapes->displacement + (size_t)k * values, shapes->points);
  double turned = largest(shapes->rotation + (size_t)k * 3 * (size_t)shapes->frames, shapes->frames);
  for (int c = 0; c < 3 && !extent->begun; c++)
    extent->low[c] = extent->high[c] = position[c];
  extent->begun = true;
  for (size_t i = 0; i < values; i++) {
    extent->low[i % 3] = fmin(extent->low[i % 3], position[i]);
    extent->high[i % 3] = fmax(extent->high[i % 3], position[i]);
  }
  extent->moved = fmax(extent->moved, moved);
  extent->turned = fmax(extent->turned, turned);
  if (shapes->points > 1)
    extent->turning = (extent->rods++ == 0 || extent->turning) && moved < 0.02 * shapes->s[shapes->points - 1] * turned;
}

double wy_modes_size(const wy_mode_extent *extent) {
  double size = 0;
  for (int c = 0; c < 3; c++)
    size = fmax(size, extent->high[c] - extent->low[c]);
  return size;
}

double wy_modes_factor(const wy_mode_extent *extent) {
  if (extent->turning)
    return 1 / extent->turned;
  return extent->moved > 0 ? visible * wy_modes_size(extent) / extent->moved : 0;
}
