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

void wy_modes_widen(const wy_stored_shapes *in, int k, wy_mode_extent *out) {
  size_t values = 3 * (size_t)in->points;
  const double *position = in->position + (in->own ? (size_t)k : 0) * values;
  double moved = largest(in->displacement + (size_t)k * values, in->points);
  double turned = largest(in->rotation + (size_t)k * 3 * (size_t)in->frames, in->frames);
  for (int c = 0; c < 3 && !out->begun; c++)
    out->low[c] = out->high[c] = position[c];
  out->begun = true;
  for (size_t i = 0; i < values; i++) {
    out->low[i % 3] = fmin(out->low[i % 3], position[i]);
    out->high[i % 3] = fmax(out->high[i % 3], position[i]);
  }
  out->moved = fmax(out->moved, moved);
  out->turned = fmax(out->turned, turned);
  if (in->points > 1)
    out->turning = (out->rods++ == 0 || out->turning) && moved < 0.02 * in->s[in->points - 1] * turned;
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
