/* SPDX-License-Identifier: MIT */
#include "draw/modes.h"

#include <math.h>

double wy_modes_largest(const double *vectors, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, hypot(hypot(vectors[3 * i], vectors[3 * i + 1]), vectors[3 * i + 2]));
  return largest;
}

double wy_modes_extent(const double *line, int count) {
  double size = 0;
  for (int c = 0; c < 3; c++) {
    double low = line[c], high = line[c];
    for (int i = 1; i < count; i++) {
      low = fmin(low, line[3 * i + c]);
      high = fmax(high, line[3 * i + c]);
    }
    size = fmax(size, high - low);
  }
  return size;
}

bool wy_modes_turning(const wy_stored_shapes *in, int k) {
  double moved = wy_modes_largest(in->displacement + (size_t)k * 3 * (size_t)in->points, in->points);
  double angle = wy_modes_largest(in->rotation + (size_t)k * 3 * (size_t)in->frames, in->frames);
  return moved < 0.02 * in->s[in->points - 1] * angle;
}
