/* SPDX-License-Identifier: MIT */
#include "cli/check_batches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/pool.h"
#include "cli/sweep.h"
#include "run/results/batches.h"
#include "run/results/clock.h"

/* Rods that are tried, frames at most, and seconds. */
enum { TRIED = 1024, TRIED_FRAMES = 12 };
static const double trial_seconds = 0.4;

/* What a trial of a few rods has shown. */
typedef struct trial {
  wy_batch_info info;
  double solves;                              /* of a rod in a frame, the last one */
  double seconds;                             /* of one solve of one rod */
  double saved;                               /* bytes of a saved rod */
  char machine[160], doubt[160], choice[160]; /* of `info` */
  char reason[300];                           /* why there was no trial, or "" */
} trial;

/* ---- Memory ---- */

/* Of each point of a grid of distances: its text in base 64 in result.h5; and in memory this text, that on its way into
   the file, with a copy of the HDF5 library, numbers, and those of both models, measured on a run with the largest
   grid. */
static const double stored_bytes = 16.0 / 3, grid_bytes = 37;

static double points_of_grids(const wy_scenario *scenario) {
  double sum = 0;
  for (int i = 0; i < scenario->model.obstacle_count; i++) {
    const wy_obstacle_def *obstacle = wy_def_at(scenario->obstacles, i);
    const int *points = obstacle->grid.points;
    sum += obstacle->shape == WY_OBSTACLE_DISTANCE ? (double)points[0] * points[1] * points[2] : 0;
  }
  return sum;
}

/* What a run holds of a batch beside the library's: numbers, poses of roots, snapshots that wait, a saved state. */
static double beside(const wy_scenario *scenario, int index, double saved) {
  const wy_scenario_batch *batch = &scenario->batches[index];
  const wy_rod_def *pattern = wy_def_at(scenario->patterns.rods, batch->def.rod);
  const double count = batch->def.count, single = batch->def.precision == WY_BATCH_SINGLE ? 4 : 8;
  double bytes = 0, snapshot = 3 * count + 10.0 * batch->recorded_count * (pattern->segments + 1);
  for (int k = 0; k < WY_SCENARIO_NUMBERS; k++)
    if (batch->numbers[k])
      bytes += 8 * count * wy_batch_number_size((wy_batch_number)k);
  for (int i = 0; i < scenario->batch_probe_count; i++)
    if (scenario->batch_probes[i].batch == index)
      snapshot += count * wy_quantity_describe(scenario->batch_probes[i].quantity)->components;
  bytes += batch->motion.moves ? 160 * count : 0;
  bytes += 8 * snapshot + fmax(single * snapshot, 1 << 16);
  bytes += 8 * 3 * count + sizeof(wy_batch_rod) * count;
  bytes += index == 0 ? grid_bytes * points_of_grids(scenario) : 0; /* which all batches share */
  return bytes + saved * count;
}

double wy_check_batch_bytes(const wy_scenario *scenario) {
  double bytes = 0;
  for (int i = 0; i < scenario->batch_count; i++) {
    const wy_scenario_batch *batch = &scenario->batches[i];
    const wy_rod_def *pattern = wy_def_at(scenario->patterns.rods, batch->def.rod);
    const double single = batch->def.precision == WY_BATCH_SINGLE ? 4 : 8, n = pattern->segments;
    double values = 3.0 * batch->def.count + batch->recorded_count * (6 * (n + 1) + 4 * n);
    for (int k = 0; k < scenario->batch_probe_count; k++)
      if (scenario->batch_probes[k].batch == i)
        values += (double)batch->def.count * wy_quantity_describe(scenario->batch_probes[k].quantity)->components;
    bytes += single * values * wy_scenario_snapshot_count(scenario);
    for (int k = 0; k < WY_SCENARIO_NUMBERS; k++)
      if (batch->numbers[k])
        bytes += 8.0 * batch->def.count * wy_batch_number_size((wy_batch_number)k);
    bytes += 24.0 * batch->def.count + 8.0 * batch->recorded_count * (n + 1);
  }
  return bytes + stored_bytes * points_of_grids(scenario);
}

/* ---- Trial ---- */

/* One frame to time t. Roots that a body carries stand, since no simulation runs. */
static wy_status move_once(const wy_scenario *scenario, int index, double t, wy_batch *rods, double *room,
                           wy_message *message) {
  wy_rigid_motion motion;
  wy_status status = WY_OK;
  if (scenario->batches[index].motion.body < 0)
    status = wy_scenario_batch_motion(scenario, index, t, NULL, &motion, message);
  if (status == WY_OK && scenario->batches[index].motion.body < 0)
    status = wy_scenario_batch_move(scenario, index, &motion, rods, room, message);
  if (status == WY_OK)
    status = wy_batch_advance(rods, t - wy_batch_time(rods), message);
  return status == WY_RETRY ? WY_OK : status;
}

/* The frames of the run, as long as that takes no more than a moment. */
static wy_status move_trial(const wy_scenario *scenario, int index, wy_batch *rods, trial *out, wy_message *message) {
  const int count = wy_batch_describe(rods).count;
  double *room = calloc(20 * (size_t)count, sizeof *room), spent = 0;
  const double step = fmin(scenario->output, scenario->snapshots);
  wy_status status = room ? WY_OK : WY_ERROR_MEMORY;
  for (int k = 1; k <= TRIED_FRAMES && k * step <= scenario->end && spent < trial_seconds && status == WY_OK; k++) {
    const double before = wy_batch_work(rods).solves, began = wy_wall_time();
    status = move_once(scenario, index, k * step, rods, room, message);
    const double took = wy_wall_time() - began, solves = wy_batch_work(rods).solves - before;
    spent += took;
    if (status == WY_OK && solves > 0) {
      out->solves = solves / count;
      out->seconds = took / solves;
    }
  }
  free(room);
  return status;
}

/* The first rods of a batch, as a batch of their own. */
static trial try_batch(const wy_scenario *scenario, const wy_model *patterns, int index, const wy_tasks *tasks) {
  wy_scenario sample = *scenario;
  wy_scenario_batch *batches = calloc((size_t)scenario->batch_count, sizeof *batches);
  wy_message message = {.text = "out of memory"};
  wy_batch *rods = NULL;
  trial out = {.seconds = NAN, .solves = NAN};
  for (int i = 0; batches && i < scenario->batch_count; i++) {
    batches[i] = scenario->batches[i];
    batches[i].def.count = batches[i].def.count < TRIED ? batches[i].def.count : TRIED;
  }
  sample.batches = batches;
  wy_status status =
      batches ? wy_scenario_batch_create(&sample, patterns, index, tasks, &rods, &message) : WY_ERROR_MEMORY;
  if (status == WY_OK) {
    status = move_trial(&sample, index, rods, &out, &message);
    out.info = wy_batch_describe(rods);
    snprintf(out.machine, sizeof out.machine, "%s", out.info.machine);
    snprintf(out.doubt, sizeof out.doubt, "%s", out.info.reason);
    snprintf(out.choice, sizeof out.choice, "%s", out.info.choice);
    out.saved = (double)wy_batch_save_size(rods) / out.info.count;
  }
  if (status != WY_OK)
    snprintf(out.reason, sizeof out.reason, "%.290s", message.text);
  wy_batch_destroy(rods);
  free(batches);
  return out;
}

/* ---- Report ---- */

static void print_memory(double bytes) {
  if (bytes < 1e9)
    printf("%.3g MB", bytes / 1e6);
  else
    printf("%.3g GB", bytes / 1e9);
}

static void report_batch(const wy_scenario *scenario, const wy_model *patterns, int index, const wy_tasks *tasks,
                         int threads) {
  const wy_scenario_batch *batch = &scenario->batches[index];
  const trial it = try_batch(scenario, patterns, index, tasks);
  const double bytes = wy_batch_memory_estimate(patterns, &batch->def) + beside(scenario, index, it.saved);
  const int count = batch->def.count;
  printf("  batch      %s: %d rods like %s, %d recorded\n", batch->name, count,
         wy_model_rod(patterns, batch->def.rod)->name, batch->recorded_count);
  printf("  device     %s%s%s", it.machine, it.doubt[0] ? ", since " : "", it.doubt);
  if (it.info.lanes > 0)
    printf(", %d rods side by side", it.info.lanes);
  printf(", %s precision\n  memory     about ", wy_batch_precision_word(batch->def.precision));
  print_memory(bytes);
  printf(" at its most, the states that --resume needs included\n");
  if (it.reason[0])
    printf("  trial      refused: %s\n", it.reason);
  if (it.reason[0] || !(it.seconds > 0))
    return;
  printf("  integrator %s%s%s%s\n", wy_batch_integrator_word(it.info.integrator), it.choice[0] ? " (" : "", it.choice,
         it.choice[0] ? ")" : "");
  printf("  speed      about %.3g solves a frame, %.3g frames a second on %d thread%s\n", it.solves,
         1 / (it.seconds * it.solves * count), threads, threads == 1 ? "" : "s");
}

void wy_check_report_batches(const wy_scenario *scenario) {
  wy_model *patterns = NULL;
  if (wy_scenario_patterns(scenario, &patterns, NULL) != WY_OK || !patterns)
    return;
  const int threads = wy_sweep_cores();
  wy_pool *pool = wy_pool_create(threads);
  const wy_tasks tasks = wy_pool_tasks(pool);
  for (int i = 0; i < scenario->batch_count; i++)
    report_batch(scenario, patterns, i, &tasks, threads);
  wy_pool_destroy(pool);
  wy_model_destroy(patterns);
}
