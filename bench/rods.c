/* SPDX-License-Identifier: MIT */
/* Timing of many rods that are not joined. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"

enum { SAMPLES = 50 };
static const double end = 0.05;

/* Rubber pendulums of different lengths, so that they take different steps. */
static wy_status make_model(int rods, int segments, wy_model **model) {
  wy_rod_def *defs = calloc((size_t)rods, sizeof *defs);
  char(*names)[16] = calloc((size_t)rods, sizeof *names);
  if (!defs || !names) {
    free(defs), free(names);
    return WY_ERROR_MEMORY;
  }
  for (int i = 0; i < rods; i++) {
    defs[i] = wy_scene_rubber_rod(segments);
    snprintf(names[i], sizeof names[i], "rod%d", i);
    defs[i].name = names[i];
    defs[i].length *= 0.75 + 0.5 * i / rods;
  }
  wy_model_def def = wy_default_model_def();
  def.rods = defs;
  def.rod_count = rods;
  def.gravity[2] = -9.81;
  const wy_status status = wy_model_create(&def, model, NULL);
  free(defs), free(names);
  return status;
}

int wy_bench_rods(int rods, int segments, wy_tasks tasks, wy_rods_figures *figures) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_sim_def def = wy_default_sim_def();
  def.tasks = tasks;
  wy_status status = make_model(rods, segments, &model);
  if (!status)
    status = wy_sim_create(model, &def, &sim, NULL);
  const double start = wy_bench_seconds();
  for (int i = 1; i <= SAMPLES && !status; i++)
    status = wy_sim_sample(sim, end * i / SAMPLES, NULL);
  if (!status)
    *figures = (wy_rods_figures){.rods = rods,
                                 .segments = segments,
                                 .steps = wy_sim_statistics(sim, WY_ALL_RODS).steps,
                                 .seconds = wy_bench_seconds() - start,
                                 .integrator = wy_sim_describe(sim, 0).integrator};
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}
