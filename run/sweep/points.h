/* SPDX-License-Identifier: MIT */
/* The points of a sweep: which value each key has at each point. A point depends on the plan and its number alone. */
#ifndef WY_RUN_SWEEP_POINTS_H
#define WY_RUN_SWEEP_POINTS_H

#include "run/schema/sweep.h"
#include "run/sweep/sobol.h"
#include "run/tree/numbers.h"
#include "run/tree/pool.h"

typedef enum wy_axis_kind { WY_AXIS_LIST, WY_AXIS_RANGE, WY_AXIS_UNIFORM, WY_AXIS_NORMAL } wy_axis_kind;

/* A key that varies. The reader of plans fills it; `order`, `directions` and `shift` are set by wy_points_prepare. */
typedef struct wy_axis {
  const char *path;
  int line; /* in the plan */
  wy_axis_kind kind;
  int count;                                 /* of the values of a list or range */
  const char *const *texts;                  /* of a list, [count] */
  double from, to;                           /* of a range or a uniform distribution */
  bool ratios;                               /* they are spread by equal ratios */
  double mean, deviation;                    /* of a normal distribution */
  const char *unit;                          /* of the numbers; "": none */
  const int *order;                          /* of latin: the slice of each point */
  uint32_t directions[WY_SOBOL_BITS], shift; /* of sobol */
} wy_axis;

typedef struct wy_point_set {
  wy_combine combine;
  int count;
  uint64_t seed;
  wy_axis *axes;
  int axis_count;
} wy_point_set;

/* The number of points of a grid or of lists side by side, set from the axes; for the others the tables that they need.
   False without memory. A grid of too many points has the count WY_PLAN_MOST_POINTS + 1. */
bool wy_points_prepare(wy_point_set *points, wy_pool *pool);

/* The part of the unit interval from which the value of an axis is taken, for latin, sobol and random. */
double wy_points_unit(const wy_point_set *points, int point, int axis);
/* The value as PATH=VALUE has it; as snprintf. */
size_t wy_points_text(const wy_point_set *points, int point, int axis, char *text, size_t size);
/* As a number without unit; NAN if it is none. */
double wy_points_number(const wy_point_set *points, int point, int axis);

#endif
