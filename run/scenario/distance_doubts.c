/* SPDX-License-Identifier: MIT */
/* Grids of distances that look like something else: no surface, a surface that is cut off, numbers that grow as
   distances do not. */
#include <math.h>
#include <stdio.h>

#include "run/scenario/doubts.h"

/* What is found in a grid. */
typedef struct survey {
  const wy_distance_grid *grid;
  size_t inside, outside; /* points */
  bool open;              /* the surface comes to the outermost points */
  double slopes;          /* sum of the sizes of the gradients at the points near the surface, and how many they are */
  size_t near_points;
} survey;

static double value_at(const wy_distance_grid *grid, const int at[3]) {
  const size_t line = (size_t)at[0] * (size_t)grid->points[1] + (size_t)at[1];
  return (double)grid->values[line * (size_t)grid->points[2] + (size_t)at[2]];
}

/* By central differences; NAN at the outermost points. */
static double slope_at(const wy_distance_grid *grid, const int at[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    int before[3] = {at[0], at[1], at[2]}, behind[3] = {at[0], at[1], at[2]};
    if (at[k] == 0 || at[k] == grid->points[k] - 1)
      return NAN;
    before[k]--, behind[k]++;
    square += pow((value_at(grid, behind) - value_at(grid, before)) / (2 * grid->step[k]), 2);
  }
  return sqrt(square);
}

/* Does a cell beside the point, towards higher numbers, lie in the surface? */
static bool is_cut(const wy_distance_grid *grid, const int at[3]) {
  const bool inside = value_at(grid, at) < 0;
  for (int k = 0; k < 3; k++) {
    int next[3] = {at[0], at[1], at[2]};
    next[k]++;
    if (next[k] < grid->points[k] && (value_at(grid, next) < 0) != inside)
      return true;
  }
  return false;
}

static void look_at(survey *it, const int at[3]) {
  const bool inside = value_at(it->grid, at) < 0, cut = is_cut(it->grid, at);
  const double slope = slope_at(it->grid, at);
  *(inside ? &it->inside : &it->outside) += 1;
  it->open = it->open || (cut && isnan(slope));
  if (cut && !isnan(slope))
    it->slopes += slope, it->near_points++;
}

static survey look(const wy_distance_grid *grid) {
  survey it = {.grid = grid};
  int at[3];
  for (at[0] = 0; at[0] < grid->points[0]; at[0]++)
    for (at[1] = 0; at[1] < grid->points[1]; at[1]++)
      for (at[2] = 0; at[2] < grid->points[2]; at[2]++)
        look_at(&it, at);
  return it;
}

static void find_in_grid(const wy_obstacle_def *obstacle, wy_scenario_findings *to) {
  const survey it = look(&obstacle->grid);
  const double slope = it.near_points ? it.slopes / (double)it.near_points : 1;
  char path[128];
  snprintf(path, sizeof path, "obstacles.%.63s.file", obstacle->name);
  if (!it.inside || !it.outside) {
    wy_add_finding(to, "distance_surface", path, "distances are negative inside, in metres",
                   "all distances are %s: there is no surface", it.inside ? "negative" : "positive");
    return;
  }
  if (fabs(slope - 1) > 0.1)
    wy_add_finding(to, "distance_slope", path, "use distances in metres, and steps in metres",
                   "near the surface the numbers grow by %.3g a metre, and distances by 1: rods feel the surface where "
                   "it is, but not how deep they are",
                   slope);
  if (it.open)
    wy_add_finding(to, "distance_edge", path, "use a larger grid if that is not meant",
                   "the surface comes to the edge of the grid, behind which it goes on straight");
}

void wy_find_distances(const wy_scenario *scenario, wy_scenario_findings *to) {
  for (int i = 0; i < scenario->model.obstacle_count; i++)
    if (scenario->obstacles[i].shape == WY_OBSTACLE_DISTANCE && scenario->obstacles[i].grid.values)
      find_in_grid(&scenario->obstacles[i], to);
}
