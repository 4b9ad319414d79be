/* SPDX-License-Identifier: MIT */
#include "draw/plot/obstacles.h"

#include <math.h>

#include "draw/body.h"
#include "draw/plot/strands.h"

enum { ROUND = 48, PIECES = 400 };

static const double turn = 6.283185307179586;

/* The rods and strands in all snapshots that are drawn: their middle, and the largest extent along an axis. */
static double size_of_rods(const wy_plot_run *run, double middle[3]) {
  double size = 0;
  for (int c = 0; c < 3; c++) {
    wy_range r = wy_range_empty();
    for (int i = 0; i < run->rod_count; i++)
      r = wy_range_widen(r, run->rods[i].position + c, run->shown * run->rods[i].points, 3);
    for (int k = 0; k < run->moments; k++)
      r = wy_plot_strands_extent(run, r, k, c);
    middle[c] = 0.5 * (r.low + r.high);
    size = fmax(size, r.high - r.low);
  }
  return size;
}

/* A point in the axes of an obstacle. */
static void put(FILE *out, const wy_plot_obstacle *obstacle, double x, double y, double z) {
  double at[3] = {x, y, z};
  wy_turn_vector(obstacle->frame, at, at);
  fprintf(out, "%.7g %.7g %.7g\n", obstacle->position[0] + at[0], obstacle->position[1] + at[1],
          obstacle->position[2] + at[2]);
}

/* A circle about the axis. */
static void put_circle(FILE *out, const wy_plot_obstacle *obstacle, double radius, double z) {
  for (int k = 0; k <= ROUND; k++)
    put(out, obstacle, radius * cos(turn * k / ROUND), radius * sin(turn * k / ROUND), z);
  fputs("\n", out);
}

static void put_cylinder(FILE *out, const wy_plot_obstacle *obstacle, double half) {
  const double radius = obstacle->def->radius;
  for (int side = -1; side <= 1; side += 2)
    put_circle(out, obstacle, radius, side * half);
  for (int k = 0; k < ROUND; k += ROUND / 4) {
    const double x = radius * cos(turn * k / ROUND), y = radius * sin(turn * k / ROUND);
    put(out, obstacle, x, y, -half);
    put(out, obstacle, x, y, half);
    fputs("\n", out);
  }
}

static void put_box(FILE *out, const wy_plot_obstacle *obstacle) {
  static const int round[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  const double *size = obstacle->def->dimensions;
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k < 5; k++)
      put(out, obstacle, 0.5 * size[0] * round[k][0], 0.5 * size[1] * round[k][1], 0.5 * size[2] * side);
    fputs("\n", out);
  }
  for (int k = 0; k < 4; k++) {
    for (int side = -1; side <= 1; side += 2)
      put(out, obstacle, 0.5 * size[0] * round[k][0], 0.5 * size[1] * round[k][1], 0.5 * size[2] * side);
    fputs("\n", out);
  }
}

/* As it is seen along an axis of space: a circle around a point on the obstacle's axis. */
static void put_ball(FILE *out, const wy_plot_obstacle *obstacle, double z, int axis) {
  double centre[3] = {0, 0, z};
  wy_turn_vector(obstacle->frame, centre, centre);
  for (int k = 0; k <= ROUND; k++) {
    double at[3];
    for (int c = 0; c < 3; c++)
      at[c] = obstacle->position[c] + centre[c];
    at[(axis + 1) % 3] += obstacle->def->radius * cos(turn * k / ROUND);
    at[(axis + 2) % 3] += obstacle->def->radius * sin(turn * k / ROUND);
    fprintf(out, "%.7g %.7g %.7g\n", at[0], at[1], at[2]);
  }
  fputs("\n", out);
}

/* A plane that is seen from its side is a line, in pieces, so that it ends where the picture does. */
static void put_plane(FILE *out, const wy_plot_obstacle *obstacle, const double middle[3], double size, int axis) {
  double normal[3] = {0, 0, 1}, away = 0;
  wy_turn_vector(obstacle->frame, normal, normal);
  if (fabs(normal[axis]) > 1e-6)
    return;
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  for (int c = 0; c < 3; c++)
    away += (middle[c] - obstacle->position[c]) * normal[c];
  for (int k = 0; k <= PIECES; k++) {
    const double along = 4 * size * ((double)k / PIECES - 0.5);
    double at[3];
    for (int c = 0; c < 3; c++)
      at[c] = middle[c] - away * normal[c];
    at[first] -= along * normal[second];
    at[second] += along * normal[first];
    fprintf(out, "%.7g %.7g %.7g\n", at[0], at[1], at[2]);
  }
  fputs("\n", out);
}

/* Its outline as it is seen along an axis of space. */
static void put_surface(FILE *out, const wy_plot_run *run, const wy_plot_obstacle *obstacle, int axis) {
  const wy_surface *surface = &obstacle->surface;
  const double *q = obstacle->frame, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double along[3] = {axis == 0, axis == 1, axis == 2};
  int(*edges)[2];
  wy_turn_vector(back, along, along);
  const int count = wy_surface_outline(run->memory, surface, along, &edges);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 2; k++) {
      const double *at = surface->vertex[edges[i][k]];
      put(out, obstacle, at[0], at[1], at[2]);
    }
    fputs("\n", out);
  }
}

static void put_obstacle(FILE *out, const wy_plot_run *run, const wy_plot_obstacle *obstacle, const double middle[3],
                         double size, int axis) {
  const wy_obstacle_def *def = obstacle->def;
  const double half = isfinite(def->length) ? 0.5 * def->length : 2 * size;
  switch (def->shape) {
  case WY_OBSTACLE_PLANE:
    put_plane(out, obstacle, middle, size, axis);
    return;
  case WY_OBSTACLE_SPHERE:
    put_ball(out, obstacle, 0, axis);
    return;
  case WY_OBSTACLE_CAPSULE:
    put_ball(out, obstacle, -half, axis);
    put_ball(out, obstacle, half, axis);
    put_cylinder(out, obstacle, half);
    return;
  case WY_OBSTACLE_BOX:
    put_box(out, obstacle);
    return;
  case WY_OBSTACLE_TORUS:
    put_circle(out, obstacle, def->radius - def->thickness, 0);
    put_circle(out, obstacle, def->radius + def->thickness, 0);
    for (int side = -1; side <= 1; side += 2)
      put_circle(out, obstacle, def->radius, side * def->thickness);
    return;
  case WY_OBSTACLE_DISTANCE:
    put_surface(out, run, obstacle, axis);
    return;
  default:
    put_cylinder(out, obstacle, half);
  }
}

void wy_plot_obstacles_data(FILE *out, const wy_plot_run *run) {
  double middle[3];
  const double size = size_of_rods(run, middle);
  for (int axis = 0; axis < 3 && run->obstacle_count > 0; axis++) {
    fprintf(out, "# obstacles as seen along %c: lines of points x y z\n$obstacles%d << EOD\n", "xyz"[axis], axis);
    for (int i = 0; i < run->obstacle_count; i++)
      put_obstacle(out, run, &run->obstacles[i], middle, size, axis);
    fputs("EOD\n", out);
  }
}

/* The farthest from its position; INFINITY: endless. */
static double reach_of(const wy_plot_obstacle *obstacle) {
  const wy_obstacle_def *def = obstacle->def;
  switch (def->shape) {
  case WY_OBSTACLE_PLANE:
    return INFINITY;
  case WY_OBSTACLE_SPHERE:
    return def->radius;
  case WY_OBSTACLE_BOX:
    return 0.5 * hypot(hypot(def->dimensions[0], def->dimensions[1]), def->dimensions[2]);
  case WY_OBSTACLE_TORUS:
    return def->radius + def->thickness;
  case WY_OBSTACLE_DISTANCE:
    return obstacle->surface.reach;
  case WY_OBSTACLE_CAPSULE:
    return 0.5 * def->length + def->radius;
  default:
    return hypot(0.5 * def->length, def->radius);
  }
}

wy_range wy_plot_obstacles_extent(const wy_plot_run *run, wy_range extent, int axis) {
  double middle[3];
  const double size = size_of_rods(run, middle);
  for (int i = 0; i < run->obstacle_count; i++) {
    const wy_plot_obstacle *obstacle = &run->obstacles[i];
    const double reach = reach_of(obstacle);
    bool near = reach <= size;
    for (int c = 0; c < 3; c++)
      near = near && fabs(obstacle->position[c] - middle[c]) < 1.5 * size + reach;
    const double ends[2] = {obstacle->position[axis] - reach, obstacle->position[axis] + reach};
    if (near)
      extent = wy_range_widen(extent, ends, 2, 1);
  }
  return extent;
}

void wy_plot_obstacles_curves(const wy_page *p, const wy_plot_run *run, int across, int up) {
  if (run->obstacle_count > 0)
    fprintf(p->out, ", \\\n       $obstacles%d using %d:%d with lines lc rgb '%s' lw 1.2 notitle", 3 - across - up,
            across + 1, up + 1, wy_soft);
}
