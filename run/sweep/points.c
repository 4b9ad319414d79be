/* SPDX-License-Identifier: MIT */
#include "run/sweep/points.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random bits: the second number of wy_random_bits is the axis, with one of these above it. */
enum { STREAM_UNIT, STREAM_ORDER, STREAM_SHIFT };

static uint64_t bits(const wy_point_set *points, int stream, int axis, uint64_t number) {
  return wy_random_bits(points->seed, (uint64_t)stream << 32 | (uint32_t)axis, number);
}

/* ---- Preparation ---- */

static int grid_count(const wy_point_set *points) {
  double count = 1;
  for (int i = 0; i < points->axis_count; i++)
    count *= points->axes[i].count;
  return count > WY_PLAN_MOST_POINTS ? WY_PLAN_MOST_POINTS + 1 : (int)count;
}

/* A random permutation (Fisher and Yates). The remainder of 64 random bits is uniform to 1e-12. */
static const int *permutation(const wy_point_set *points, int axis, wy_pool *pool) {
  int *order = wy_pool_take(pool, (size_t)points->count * sizeof *order);
  for (int i = 0; i < points->count && order; i++) {
    const int other = (int)(bits(points, STREAM_ORDER, axis, (uint64_t)i) % (uint64_t)(i + 1));
    order[i] = order[other];
    order[other] = i;
  }
  return order;
}

bool wy_points_prepare(wy_point_set *points, wy_pool *pool) {
  if (points->combine == WY_GRID)
    points->count = grid_count(points);
  else if (points->combine == WY_ZIP)
    points->count = points->axes[0].count;
  for (int i = 0; i < points->axis_count; i++) {
    wy_axis *axis = &points->axes[i];
    if (points->combine == WY_LATIN)
      axis->order = permutation(points, i, pool);
    if (points->combine == WY_SOBOL) {
      wy_sobol_directions(i, axis->directions);
      axis->shift = points->seed == 0 ? 0 : (uint32_t)(bits(points, STREAM_SHIFT, i, 0) >> 32);
    }
  }
  return !pool->failed;
}

/* ---- Values ---- */

double wy_points_unit(const wy_point_set *points, int point, int axis) {
  const wy_axis *at = &points->axes[axis];
  const double inside = wy_random_unit(bits(points, STREAM_UNIT, axis, (uint64_t)point));
  if (points->combine == WY_LATIN)
    return (at->order[point] + inside) / points->count;
  if (points->combine == WY_SOBOL)
    return (wy_sobol(at->directions, (uint32_t)point) ^ at->shift) * 0x1p-32;
  return inside;
}

/* Which value of a list or range. */
static int index_of(const wy_point_set *points, int point, int axis) {
  const int count = points->axes[axis].count;
  if (points->combine == WY_ZIP)
    return point;
  if (points->combine != WY_GRID) {
    const int index = (int)(wy_points_unit(points, point, axis) * count);
    return index < count ? index : count - 1;
  }
  for (int i = points->axis_count - 1; i > axis; i--)
    point /= points->axes[i].count;
  return point % count;
}

/* The first number of a text, with nothing but a unit behind it. */
static double number_in(const char *text) {
  char *end;
  const double value = strtod(text, &end);
  while (isspace((unsigned char)*end))
    end++;
  const bool plain = end > text && !strpbrk(end, "+-<>=?:,[]{}\"'") && *end != '*' && *end != '/' && *end != '^';
  return plain && isfinite(value) && !isdigit((unsigned char)*end) ? value : (double)NAN;
}

/* Values of a range are rounded to 15 digits, so that 1e-5 lies between 1e-6 and 1e-4; its ends are as given. */
static double in_range(const wy_axis *axis, int index) {
  char text[32];
  if (index == 0 || index == axis->count - 1)
    return index == 0 ? axis->from : axis->to;
  snprintf(text, sizeof text, "%.15g", wy_spread(axis->from, axis->to, index, axis->count - 1, axis->ratios));
  return strtod(text, NULL);
}

double wy_points_number(const wy_point_set *points, int point, int axis) {
  const wy_axis *at = &points->axes[axis];
  if (at->kind == WY_AXIS_LIST)
    return number_in(at->texts[index_of(points, point, axis)]);
  if (at->kind == WY_AXIS_RANGE)
    return in_range(at, index_of(points, point, axis));
  const double u = wy_points_unit(points, point, axis);
  if (at->kind == WY_AXIS_UNIFORM)
    return wy_spread(at->from, at->to, u, 1, at->ratios);
  const double z = wy_normal(u > 0x1p-33 ? u : 0x1p-33); /* Sobol's sequence begins at 0 */
  return at->mean + at->deviation * z;
}

size_t wy_points_text(const wy_point_set *points, int point, int axis, char *text, size_t size) {
  const wy_axis *at = &points->axes[axis];
  assert(point >= 0 && point < points->count && axis >= 0 && axis < points->axis_count);
  if (at->kind == WY_AXIS_LIST)
    return (size_t)snprintf(text, size, "%s", at->texts[index_of(points, point, axis)]);
  char number[32];
  wy_number_text(wy_points_number(points, point, axis), number, sizeof number);
  return (size_t)snprintf(text, size, "%s%s%s", number, at->unit[0] ? " " : "", at->unit);
}
