/* SPDX-License-Identifier: MIT */
/* The grid of an obstacle whose distance is given by numbers: checked, copied. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/parts.h"

/* Of the values: what an index of type int can tell apart. */
enum { LEAST_POINTS = 4, MOST_POINTS = INT_MAX };

static wy_status check_axis(const wy_distance_grid *grid, const char *entry, int axis, wy_message *message) {
  char path[WY_ENTRY_PATH + 32];
  snprintf(path, sizeof path, "%s.grid.points[%d]", entry, axis);
  if (grid->points[axis] < LEAST_POINTS)
    return wy_fail_at(message, path, "found %d; expected at least %d points along each axis", grid->points[axis],
                      LEAST_POINTS);
  snprintf(path, sizeof path, "%s.grid.step[%d]", entry, axis);
  if (!(isfinite(grid->step[axis]) && grid->step[axis] > 0))
    return wy_fail_at(message, path, "found %g; expected a positive number", grid->step[axis]);
  snprintf(path, sizeof path, "%s.grid.origin[%d]", entry, axis);
  if (!isfinite(grid->origin[axis]))
    return wy_fail_at(message, path, "found %g; expected a finite number", grid->origin[axis]);
  return WY_OK;
}

static wy_status check_values(const wy_distance_grid *grid, size_t count, const char *entry, wy_message *message) {
  char path[WY_ENTRY_PATH + 32];
  snprintf(path, sizeof path, "%s.grid.values", entry);
  if (!grid->values)
    return wy_fail_at(message, path, "is missing; expected %zu distances", count);
  for (size_t i = 0; i < count; i++) {
    const size_t across = (size_t)grid->points[2], plane = across * (size_t)grid->points[1];
    if (!isfinite(grid->values[i]))
      return wy_fail_at(message, path, "found %g at [%zu][%zu][%zu]; expected finite distances",
                        (double)grid->values[i], i / plane, i / across % (size_t)grid->points[1], i % across);
  }
  return WY_OK;
}

wy_status wy_obstacle_take_grid(const wy_distance_grid *given, wy_obstacle_def *obstacle, int index,
                                wy_message *message) {
  char entry[WY_ENTRY_PATH], path[WY_ENTRY_PATH + 32];
  wy_status status = WY_OK;
  double count = 1;
  wy_entry_path("obstacles", obstacle->name, index, entry);
  for (int k = 0; k < 3 && !status; k++) {
    status = check_axis(given, entry, k, message);
    count *= given->points[k];
  }
  snprintf(path, sizeof path, "%s.grid.points", entry);
  if (!status && count > MOST_POINTS)
    return wy_fail_at(message, path, "found %g points; expected at most %d", count, MOST_POINTS);
  if (!status)
    status = check_values(given, (size_t)count, entry, message);
  if (status)
    return status;
  float *copy = malloc((size_t)count * sizeof *copy);
  if (!copy)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the %g distances of obstacle '%s'", count,
                   obstacle->name);
  memcpy(copy, given->values, (size_t)count * sizeof *copy);
  obstacle->grid.values = copy;
  return WY_OK;
}
