/* SPDX-License-Identifier: MIT */
/* Timing of batches: a solve of hair in each precision, and rubber rods against simulations of the same rods at the
   same error. */
#include "withy/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"

/* ---- A solve ---- */

enum { HAIR_SUBSTEPS = 16, REPEATS = 8 };

/* Hair; on a head, if there is one. */
static wy_status make_hair(const wy_obstacle_def *head, wy_model **model) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 0.25, rod.segments = 25;
  rod.section.shape = WY_CIRCLE, rod.section.radius = wy_constant(35e-6);
  rod.material.given = true, rod.material.young = wy_constant(4e9), rod.material.poisson = wy_constant(0.48);
  rod.material.density = wy_constant(1300);
  rod.damping.kind = WY_DAMPING_TIME, rod.damping.time = wy_constant(1e-4);
  rod.drag.translation = 5;
  rod.shape.curvature[1] = wy_constant(10);
  rod.ends[0] = wy_end_clamped();
  wy_contact_def contact = wy_default_contact_def();
  contact.friction = 0.3, contact.stick = false;
  if (head)
    rod.shape.origin[2] = 0.1002, rod.shape.direction[0] = 0.6, rod.shape.direction[2] = 0.8;
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  def.obstacles = head, def.obstacle_count = head != NULL;
  def.contact = &contact;
  def.gravity[2] = -9.81;
  return wy_model_create(&def, model, NULL);
}

/* The shortest of a few frames, by the clock on the wall: threads count. */
static wy_status time_frames(wy_batch *batch, double *ns) {
  wy_status status = wy_batch_advance(batch, 1.0 / 60, NULL);
  *ns = INFINITY;
  for (int i = 0; i < REPEATS && !status; i++) {
    const double before = wy_batch_work(batch).solves, start = wy_bench_seconds();
    status = wy_batch_advance(batch, 1.0 / 60, NULL);
    const double segments = wy_batch_describe(batch).segments;
    *ns = fmin(*ns, 1e9 * (wy_bench_seconds() - start) / ((wy_batch_work(batch).solves - before) * segments));
  }
  return status;
}

static wy_status time_hair(const wy_obstacle_def *head, int rods, wy_batch_precision precision, wy_tasks tasks,
                           wy_batch_figures *figures) {
  wy_model *model = NULL;
  wy_batch *batch = NULL;
  wy_batch_def def = wy_default_batch_def();
  def.count = rods, def.substeps = HAIR_SUBSTEPS, def.retries = 0, def.tolerance = INFINITY;
  def.precision = precision, def.tasks = tasks;
  def.staggered.curvature_measure = WY_TAN2; /* the short form of (B3) */
  wy_status status = make_hair(head, &model);
  if (!status)
    status = wy_batch_create(model, &def, &batch, NULL);
  if (!status)
    status = time_frames(batch, &figures->ns);
  if (!status) {
    const wy_batch_info info = wy_batch_describe(batch);
    figures->lanes = info.lanes, figures->machine = info.machine;
    figures->bytes = (double)wy_batch_memory(batch) / rods;
  }
  wy_batch_destroy(batch);
  wy_model_destroy(model);
  return status;
}

int wy_bench_batch(int rods, wy_batch_precision precision, wy_tasks tasks, wy_batch_figures *figures) {
  return time_hair(NULL, rods, precision, tasks, figures);
}

/* ---- On a head ---- */

/* Its distances in steps of 5 mm, which are part of no definition longer than the call. */
static float *head_of(wy_distance_grid *grid) {
  enum { POINTS = 65 };
  const double half = 0.16, step = 2 * half / (POINTS - 1);
  float *values = malloc(sizeof *values * POINTS * POINTS * POINTS);
  *grid = (wy_distance_grid){{POINTS, POINTS, POINTS}, {-half, -half, -half}, {step, step, step}, values};
  for (int i = 0; values && i < POINTS * POINTS * POINTS; i++) {
    const int plane = i / (POINTS * POINTS), row = i / POINTS % POINTS;
    const double x = plane * step - half, y = row * step - half, z = i % POINTS * step - half;
    values[i] = (float)(sqrt(x * x + y * y + z * z) - 0.1);
  }
  return values;
}

int wy_bench_batch_head(int rods, wy_batch_precision precision, wy_batch_head_figures *figures) {
  wy_batch_figures f = {.ns = 0};
  wy_obstacle_def ball = wy_default_obstacle_def(), grid = ball;
  ball.shape = WY_OBSTACLE_SPHERE, ball.radius = 0.1;
  grid.shape = WY_OBSTACLE_DISTANCE;
  float *values = head_of(&grid.grid);
  const wy_obstacle_def *const heads[] = {NULL, &ball, &grid};
  double *const ns[] = {&figures->alone, &figures->sphere, &figures->distance};
  wy_status status = values ? WY_OK : WY_ERROR_MEMORY;
  for (int i = 0; i < 3 && !status; i++) {
    status = time_hair(heads[i], rods, precision, (wy_tasks){.run = NULL}, &f);
    *ns[i] = f.ns;
  }
  free(values);
  return status;
}

/* ---- Against simulations ---- */

enum { COMPARED = 8 /* rods whose errors are looked at */, MOST_SUBSTEPS = 256, RUNS = 3 };
static const double end = 0.1, frame = 0.02;

static double length_of(int rod, int rods) {
  return 0.75 + 0.5 * rod / rods;
}

/* Tips of rubber pendulums of different lengths, every `every`-th of `rods`, with an integrator; seconds of the run. */
static wy_status simulate(int rods, int segments, int every, const char *integrator, double tolerance, double *tips,
                          double *seconds) {
  const int count = rods / every;
  wy_rod_def *defs = calloc((size_t)count, sizeof *defs);
  char *names = calloc((size_t)count, 16);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_status status = defs && names ? WY_OK : WY_ERROR_MEMORY;
  for (int i = 0; !status && i < count; i++) {
    defs[i] = wy_scene_rubber_rod(segments);
    for (int k = 0, n = i; k < 8; k++, n /= 10)
      names[16 * i + k] = (char)('0' + n % 10);
    defs[i].name = names + 16 * (size_t)i;
    defs[i].length *= length_of(i * every, rods);
  }
  wy_model_def def = wy_default_model_def();
  def.rods = defs, def.rod_count = count;
  def.gravity[2] = -9.81;
  wy_sim_def how = wy_default_sim_def();
  how.solver.integrator = integrator;
  how.solver.relative_tolerance = how.solver.absolute_tolerance = tolerance;
  if (!status)
    status = wy_model_create(&def, &model, NULL);
  if (!status)
    status = wy_sim_create(model, &how, &sim, NULL);
  const double start = wy_bench_seconds();
  if (!status)
    status = wy_sim_advance(sim, end, NULL);
  *seconds = wy_bench_seconds() - start;
  for (int i = 0; !status && i < COMPARED; i++) {
    const wy_points *x = &wy_sim_view(sim, i * count / COMPARED)->position;
    memcpy(tips + 3 * i, x->values + 3 * (size_t)segments, 3 * sizeof *tips);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  free(defs), free(names);
  return status;
}

static double largest_error(const double *tips, const double *want) {
  double most = 0;
  for (int i = 0; i < 3 * COMPARED; i++)
    most = fmax(most, fabs(tips[i] - want[i]));
  return most;
}

/* The same rods as a batch. */
static wy_status step_batch(int rods, int segments, int substeps, wy_batch_precision precision, double *tips,
                            double *seconds) {
  wy_rod_def rod = wy_scene_rubber_rod(segments);
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  def.gravity[2] = -9.81;
  wy_batch_def how = wy_default_batch_def();
  how.count = rods, how.substeps = substeps, how.tolerance = INFINITY, how.retries = 0;
  how.precision = precision;
  wy_model *model = NULL;
  wy_batch *batch = NULL;
  double *length = calloc((size_t)rods, sizeof *length), *x = calloc(3 * (size_t)(segments + 1), sizeof *x);
  wy_status status = length && x ? wy_model_create(&def, &model, NULL) : WY_ERROR_MEMORY;
  if (!status)
    status = wy_batch_create(model, &how, &batch, NULL);
  for (int i = 0; !status && i < rods; i++)
    length[i] = rod.length * length_of(i, rods);
  if (!status)
    status = wy_batch_set(batch, WY_BATCH_LENGTH, length, NULL);
  const double start = wy_bench_seconds();
  for (double t = 0; !status && t < end - 0.5 * frame; t += frame)
    status = wy_batch_advance(batch, frame, NULL);
  *seconds = wy_bench_seconds() - start;
  for (int i = 0; !status && i < COMPARED; i++) {
    status = wy_batch_positions(batch, i * rods / COMPARED, 1, x, NULL);
    memcpy(tips + 3 * i, x + 3 * (size_t)segments, 3 * sizeof *tips);
  }
  wy_batch_destroy(batch);
  wy_model_destroy(model);
  free(length), free(x);
  return status;
}

/* The fewest substeps of a frame that make no larger error than RODAS: doubled until they do, then halved in between.
 */
static wy_status find_substeps(wy_batch_rubber_figures *f, wy_batch_precision precision, const double *want) {
  double tips[3 * COMPARED] = {0}, unused;
  int few = 0, enough = 0;
  wy_status status = WY_OK;
  for (int next = 1; !status && next <= MOST_SUBSTEPS && enough - few != 1;) {
    status = step_batch(f->rods, f->segments, next, precision, tips, &unused);
    const bool good = largest_error(tips, want) <= f->error;
    enough = good ? next : enough;
    few = good ? few : next;
    next = enough ? (few + enough) / 2 : 2 * next;
  }
  f->batches[precision].substeps = enough ? enough : MOST_SUBSTEPS;
  return status;
}

int wy_bench_batch_rubber(int rods, int segments, wy_batch_rubber_figures *figures) {
  double want[3 * COMPARED] = {0}, tips[3 * COMPARED] = {0}, seconds;
  *figures = (wy_batch_rubber_figures){.rods = rods, .segments = segments, .seconds = INFINITY};
  wy_status status = simulate(rods, segments, rods / COMPARED, "radau5", 1e-9, want, &seconds);
  for (int run = 0; !status && run < RUNS; run++) {
    status = simulate(rods, segments, 1, "rodas", 1e-3, tips, &seconds);
    figures->seconds = fmin(figures->seconds, seconds);
  }
  figures->error = largest_error(tips, want);
  for (int p = 0; !status && p <= WY_BATCH_SINGLE; p++) {
    status = find_substeps(figures, (wy_batch_precision)p, want);
    figures->batches[p].seconds = INFINITY;
    for (int run = 0; !status && run < RUNS; run++) {
      status = step_batch(rods, segments, figures->batches[p].substeps, (wy_batch_precision)p, tips, &seconds);
      figures->batches[p].seconds = fmin(figures->batches[p].seconds, seconds);
    }
    figures->batches[p].error = largest_error(tips, want);
  }
  return status;
}
