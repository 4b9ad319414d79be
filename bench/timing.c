/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 199309L
#include "bench/timing.h"

#include <stdlib.h>
#include <time.h>

#include "scenes/published.h"

double wy_bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* what else runs on the machine does not count */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double wy_bench_time(void (*run)(void *context), void *context, int segments, long work) {
  double best = 1e300;
  long calls = work / segments + 3;
  for (int r = 0; r < REPETITIONS; r++) {
    double start = wy_bench_seconds();
    for (long k = 0; k < calls; k++)
      run(context);
    double spent = (wy_bench_seconds() - start) / (double)calls;
    best = spent < best ? spent : best;
  }
  return 1e9 * best / segments;
}

wy_status wy_bench_way(wy_sim *sim, double t, int repetitions, double *milliseconds) {
  size_t size = wy_sim_save_size(sim);
  void *snapshot = malloc(size);
  wy_status status = snapshot ? wy_sim_save(sim, snapshot, size, NULL) : WY_ERROR_MEMORY;
  for (int r = 0; r < repetitions && !status; r++) {
    status = wy_sim_restore(sim, snapshot, size, NULL);
    double start = wy_bench_seconds();
    if (!status)
      status = wy_sim_advance(sim, t, NULL);
    double spent = 1e3 * (wy_bench_seconds() - start);
    *milliseconds = r == 0 || spent < *milliseconds ? spent : *milliseconds;
  }
  free(snapshot);
  return status;
}

wy_rod_def wy_bench_rod(int segments, double young) {
  wy_rod_def rod = wy_scene_rubber_rod(segments);
  rod.material.young = wy_constant(young);
  rod.damping.kind = WY_UNDAMPED;
  rod.shape = wy_default_rod_def().shape;
  rod.ends[WY_START] = wy_end_free();
  return rod;
}

wy_status wy_bench_model(const wy_rod_def *rod, wy_model **model) {
  wy_model_def def = wy_default_model_def();
  def.gravity[2] = -9.81;
  def.rods = rod;
  def.rod_count = 1;
  return wy_model_create(&def, model, NULL);
}
