/* SPDX-License-Identifier: MIT */
/* Equilibria of a rod clamped at both ends for random poses of its end: how many are found, and how. */
#include "scenes/poses.h"

#include "bench/bench.h"
#include "bench/timing.h"

int wy_bench_pose(const char *scheme, wy_rod_kind kind, int number, wy_pose_figures *figures) {
  wy_sim_def def = wy_default_sim_def();
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  def.statics = true;
  def.solver.scheme = scheme;
  *figures = (wy_pose_figures){0};
  wy_model_def model_def = wy_default_model_def();
  const wy_rod_def rod = wy_scene_posed(kind, number);
  model_def.rods = &rod;
  model_def.rod_count = 1;
  wy_status status = wy_model_create(&model_def, &model, NULL);
  if (!status)
    status = wy_sim_create(model, &def, &sim, NULL);
  if (!status) {
    double start = wy_bench_seconds();
    figures->found = wy_sim_settle(sim, 0, &figures->message) == WY_OK;
    figures->seconds = wy_bench_seconds() - start;
    figures->info = wy_sim_equilibrium(sim, 0);
    wy_sim_probe(sim, WY_POSITION, 0, 0.5, figures->middle, NULL);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}
