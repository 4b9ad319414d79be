/* SPDX-License-Identifier: MIT */
/* What a backend of batches computes of rods whose numbers come from arithmetic alone, as a number of its bits: without
   contraction the same on one lane of a CPU and on a GPU. For tests on the CPU and for gpu/measure.c. */
#ifndef WY_GPU_STRICT_H
#define WY_GPU_STRICT_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"

enum { STRICT_RODS = 70, STRICT_SEGMENTS = 9, STRICT_SUBSTEPS = 12, STRICT_OBSTACLES = 2 };
enum { STRICT_CELLS = STRICT_SEGMENTS + 1, STRICT_STATE = (WY_CELL + 3 * STRICT_OBSTACLES) * STRICT_CELLS };

/* A kind of rods: the measure, what holds their ends, what acts on them, how their frames are stepped. */
typedef struct strict_scene {
  const char *name;
  wy_curvature_measure measure;
  bool clamped[2], held[2], loads, obstacles, springs, keeps, leaps, grid;
} strict_scene;

static const strict_scene strict_scenes[] = {
    {.name = "hair", .measure = WY_TAN2, .clamped = {true}, .held = {true}},
    {.name = "free", .measure = WY_SIN4},
    {.name = "angle", .measure = WY_ANGLE, .held = {true, true}},
    {.name = "sin2", .measure = WY_SIN2, .clamped = {true, true}, .held = {true}},
    {.name = "tan4", .measure = WY_TAN4, .clamped = {false, true}},
    {.name = "loads", .measure = WY_TAN2, .held = {true}, .loads = true},
    {.name = "obstacles", .measure = WY_TAN2, .clamped = {true}, .held = {true}, .obstacles = true},
    {.name = "older state", .measure = WY_TAN2, .held = {true}, .keeps = true},
    {.name = "leaps", .measure = WY_TAN2, .clamped = {true}, .held = {true}, .leaps = true},
    {.name = "leaps of angles", .measure = WY_ANGLE, .held = {true, true}, .loads = true, .leaps = true, .keeps = true},
    {.name = "springs", .measure = WY_TAN2, .clamped = {true}, .held = {true}, .obstacles = true, .springs = true},
    {.name = "leaps with springs",
     .measure = WY_TAN2,
     .held = {true},
     .obstacles = true,
     .springs = true,
     .leaps = true},
    {.name = "grid", .measure = WY_TAN2, .clamped = {true}, .held = {true}, .obstacles = true, .grid = true},
    {.name = "leaps on a grid",
     .measure = WY_TAN2,
     .held = {true},
     .obstacles = true,
     .springs = true,
     .leaps = true,
     .grid = true}};
enum { STRICT_SCENES = sizeof strict_scenes / sizeof strict_scenes[0] };
static const char *const strict_precisions[] = {"double", "mixed", "single"};

/* In -1..1. */
static double strict_noise(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 23) - 1;
}

static void strict_quat(double size, uint32_t *seed, double q[4]) {
  q[0] = 1;
  for (int k = 1; k < 4; k++)
    q[k] = size * strict_noise(seed);
  const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++)
    q[k] = q[k] / length;
}

static void strict_parameters(uint32_t *seed, double *par) {
  for (int k = 0; k < 3; k++) {
    par[WY_PAR_CG + k] = 300 + 50 * strict_noise(seed), par[WY_PAR_DG + k] = 0.5;
    par[WY_PAR_CK + k] = 5 + strict_noise(seed), par[WY_PAR_DK + k] = 0.25;
    par[WY_PAR_INERTIA + k] = 0.2 + 0.1 * k, par[WY_PAR_GRAVITY + k] = -0.125 * k, par[WY_PAR_SPIN_DRAG + k] = 0.03125;
    par[WY_PAR_ORIGIN + k] = 0.5 * strict_noise(seed);
  }
  par[WY_PAR_DRAG] = 0.25, par[WY_PAR_PER_METRE] = 1;
  for (int k = 0; k < 4; k++)
    par[WY_PAR_FORCE + k] = 0.5 + 0.25 * strict_noise(seed);
  par[WY_PAR_SKIN] = 0.125, par[WY_PAR_SKIN + 1] = 20, par[WY_PAR_SKIN + 2] = 0.0625, par[WY_PAR_SKIN + 3] = 0.0625;
}

/* A cell with the strain of a rod that is hardly deformed. */
static void strict_cell(uint32_t *seed, double *cell) {
  double *q = cell + WY_CELL_P;
  strict_quat(0.1, seed, q);
  cell[WY_CELL_E] = 2 * (q[1] * q[3] + q[0] * q[2]);
  cell[WY_CELL_E + 1] = 2 * (q[2] * q[3] - q[0] * q[1]);
  cell[WY_CELL_E + 2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
  for (int k = 0; k < 3; k++) {
    cell[WY_CELL_E + k] += 0.01 * strict_noise(seed);
    cell[WY_CELL_V + k] = 0.1 * strict_noise(seed), cell[WY_CELL_W + k] = 0.1 * strict_noise(seed);
  }
}

/* Ends move from one pose to another one near. */
static void strict_ends(uint32_t *seed, double *ends) {
  for (int pose = 0; pose < 4; pose++) {
    double *to = ends + pose * WY_END_POSE;
    for (int k = 0; k < 3; k++) {
      to[WY_END_X + k] = 0.02 * strict_noise(seed) + (k == 2 && pose > 1 ? STRICT_SEGMENTS : 0);
      to[WY_END_V + k] = 0.02 * strict_noise(seed);
    }
    strict_quat(0.05, seed, to + WY_END_Q);
    for (int k = 0; k < 4; k++)
      to[WY_END_R + k] = 0.02 * strict_noise(seed);
  }
}

static void strict_fill(const wy_batch_backend *backend, void *machine, int rods) {
  uint32_t seed = 12345;
  for (int rod = 0; rod < rods; rod++) {
    double par[WY_PAR_COUNT], natural[3 * STRICT_CELLS], ends[WY_ENDS], cells[STRICT_STATE] = {0};
    strict_parameters(&seed, par);
    strict_ends(&seed, ends);
    for (int i = 0; i < STRICT_CELLS; i++) {
      strict_cell(&seed, cells + WY_CELL * i);
      for (int k = 0; k < 3; k++)
        natural[3 * i + k] = 0.1 * strict_noise(&seed);
    }
    for (int k = 0; k < 3; k++)
      cells[WY_CELL * STRICT_SEGMENTS + WY_CELL_E + k] = 0.01 * strict_noise(&seed);
    backend->upload(machine, WY_ARRAY_PARAMETERS, rod, 1, par);
    backend->upload(machine, WY_ARRAY_NATURAL, rod, 1, natural);
    backend->upload(machine, WY_ARRAY_ENDS, rod, 1, ends);
    backend->upload(machine, WY_ARRAY_STATE, rod, 1, cells);
    backend->upload(machine, WY_ARRAY_BEFORE, rod, 1, cells);
  }
}

/* The coefficients of a ball in a grid that rods leave. */
enum { STRICT_POINTS = 9 };

static const wy_batch_grid *strict_grids(void) {
  static float values[STRICT_POINTS * STRICT_POINTS * STRICT_POINTS];
  static wy_batch_grid grids[STRICT_OBSTACLES];
  for (int i = 0; i < STRICT_POINTS * STRICT_POINTS * STRICT_POINTS; i++) {
    const double x = i / (STRICT_POINTS * STRICT_POINTS) - 4, y = i / STRICT_POINTS % STRICT_POINTS - 4,
                 z = i % STRICT_POINTS - 4;
    values[i] = (float)(0.375 * sqrt(x * x + y * y + z * z) - 0.75);
  }
  for (int i = 0; i < STRICT_OBSTACLES; i++) {
    grids[i] = (wy_batch_grid){{STRICT_POINTS, STRICT_POINTS, STRICT_POINTS}, {0, 0, 0}, {0, 0, 0}, values};
    for (int k = 0; k < 3; k++)
      grids[i].origin[k] = -1.5, grids[i].per_step[k] = 1 / 0.375;
  }
  return grids;
}

static wy_batch_kind strict_kind(const strict_scene *scene, wy_batch_precision precision) {
  wy_batch_kind kind = {.count = STRICT_RODS,
                        .segments = STRICT_SEGMENTS,
                        .precision = precision,
                        .measure = scene->measure,
                        .damped = true,
                        .obstacles = scene->obstacles ? STRICT_OBSTACLES : 0,
                        .springs = scene->springs,
                        .lanes = 1,
                        .most_tasks = 1,
                        .most_substeps = STRICT_SUBSTEPS,
                        .most_loads = STRICT_SUBSTEPS,
                        .most_obstacles = STRICT_SUBSTEPS,
                        .keeps = scene->keeps};
  if (scene->grid) {
    kind.grids = strict_grids();
    kind.grid_values = (size_t)STRICT_OBSTACLES * STRICT_POINTS * STRICT_POINTS * STRICT_POINTS;
  }
  for (int end = 0; end < 2; end++) {
    kind.clamped[end] = scene->clamped[end];
    for (int k = 0; k < 3; k++)
      kind.held[end][k] = scene->held[end];
  }
  return kind;
}

/* Loads that change, a plane below and a ball that moves, which may be a grid with skew axes. */
static void strict_rows(double *loads, double *obstacles, bool grid) {
  uint32_t seed = 6789;
  for (int i = 0; i < STRICT_SUBSTEPS * STRICT_CELLS * WY_LOAD_ROW; i++)
    loads[i] = 0.05 * strict_noise(&seed);
  for (int i = 0; i < STRICT_SUBSTEPS * STRICT_OBSTACLES; i++) {
    double *row = obstacles + (size_t)i * WY_OBST_ROW;
    memset(row, 0, WY_OBST_ROW * sizeof *row);
    row[WY_OBST_PLANE] = i % 2, row[WY_OBST_AXIS] = 1, row[WY_OBST_RADIUS] = 0.75;
    row[WY_OBST_PLACE] = i % 2 ? -0.125 : 0.75, row[WY_OBST_PLACE + 2] = 3 + 0.0625 * i;
    row[WY_OBST_VELOCITY + 2] = i % 2 ? 0 : 0.25, row[WY_OBST_SPIN + 1] = 0.125,
                           row[WY_OBST_BELT + 1] = i % 2 ? 0.25 : 0;
    row[WY_OBST_LAWS] = 0.25, row[WY_OBST_LAWS + 1] = 0.5, row[WY_OBST_LAWS + 2] = 0.5, row[WY_OBST_LAWS + 3] = 0.125;
    row[WY_OBST_SLIP] = 0.03125, row[WY_OBST_SLIP + 1] = 0.0625;
    if (grid && i % 2 == 0) {
      row[WY_OBST_GRID] = 1;
      row[WY_OBST_AXIS] = 0.6, row[WY_OBST_AXIS + 2] = 0.8;
      row[WY_OBST_D1] = 0.8, row[WY_OBST_D1 + 2] = -0.6;
      row[WY_OBST_D2 + 1] = 1;
    }
  }
}

/* Two frames of all rods, the second of which goes on with the first one's history. */
static void strict_step(const strict_scene *scene, const wy_batch_backend *backend, void *machine, int tiles) {
  static double loads[STRICT_SUBSTEPS * STRICT_CELLS * WY_LOAD_ROW];
  static double obstacles[STRICT_SUBSTEPS * STRICT_OBSTACLES * WY_OBST_ROW];
  wy_batch_substep substeps[STRICT_SUBSTEPS];
  strict_rows(loads, obstacles, scene->grid);
  const double frame = scene->leaps ? 0.125 : 1.125;
  for (int side = 0; side < 2; side++) {
    const int count = side ? STRICT_SUBSTEPS - 5 : STRICT_SUBSTEPS;
    for (int i = 0; i < count; i++)
      substeps[i] = (wy_batch_substep){frame / count, i || side ? 1 : 0.5, (double)(i + 1) / count};
    const wy_batch_plan plan = {.side = side,
                                .leaps = scene->leaps,
                                .first = side == 0,
                                .frame = frame,
                                .count = count,
                                .substeps = substeps,
                                .kept = scene->keeps ? count - 3 : count - 1,
                                .loads = scene->loads ? loads : NULL,
                                .obstacles = obstacles};
    backend->step(machine, 0, 0, tiles, &plan);
  }
}

/* FNV-1a of numbers, bit by bit. */
static inline uint64_t strict_mix(uint64_t hash, const double *values, int count, bool single) {
  for (int i = 0; i < count; i++) {
    unsigned char bytes[sizeof(double)];
    const float low = (float)values[i];
    const size_t size = single ? sizeof low : sizeof *values;
    memcpy(bytes, single ? (const void *)&low : (const void *)&values[i], size);
    for (size_t k = 0; k < size; k++)
      hash = (hash ^ bytes[k]) * 1099511628211u;
  }
  return hash;
}

/* Of the last two states and the monitors; 0: there is no such machine, or a number is not finite. */
static inline uint64_t strict_hash(const wy_batch_backend *backend, const strict_scene *scene,
                                   wy_batch_precision precision) {
  const wy_batch_kind kind = strict_kind(scene, precision);
  int lanes;
  const char *name;
  void *machine = backend->create(&kind, &lanes, &name);
  if (!machine)
    return 0;
  strict_fill(backend, machine, STRICT_RODS);
  strict_step(scene, backend, machine, (STRICT_RODS + lanes - 1) / lanes);
  uint64_t hash = 14695981039346656037u;
  const wy_batch_array arrays[] = {WY_ARRAY_STATE, WY_ARRAY_BEFORE, WY_ARRAY_MONITOR};
  bool finite = true;
  for (int rod = 0; rod < STRICT_RODS; rod++)
    for (int a = 0; a < 3; a++) {
      double values[STRICT_STATE];
      const int entries = wy_batch_entries(&kind, arrays[a]);
      backend->download(machine, arrays[a], rod, 1, values);
      for (int k = 0; k < entries; k++)
        finite = finite && isfinite(values[k]);
      hash = strict_mix(hash, values, entries, precision == WY_BATCH_SINGLE);
    }
  backend->destroy(machine);
  return finite ? hash : 0;
}

#endif
