/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/bench_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

wy_seconds wy_seconds_now(void) {
  struct timespec wall, processor;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  return (wy_seconds){(double)wall.tv_sec + 1e-9 * (double)wall.tv_nsec,
                      (double)processor.tv_sec + 1e-9 * (double)processor.tv_nsec};
}

void wy_seconds_keep(wy_seconds *smallest, wy_seconds since) {
  wy_seconds end = wy_seconds_now();
  smallest->wall = fmin(smallest->wall, end.wall - since.wall);
  smallest->processor = fmin(smallest->processor, end.processor - since.processor);
}

/* The motion alone, looked at at the times of the rows. */
static wy_status compute(const wy_scenario *scenario, wy_bench_look *look, void *context, wy_message *message) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_status status = wy_model_create(&scenario->model, &model, message);
  if (status == WY_OK)
    status = wy_sim_create(model, &scenario->sim, &sim, message);
  for (int k = 0; k < wy_scenario_row_count(scenario) && status == WY_OK; k++) {
    status = wy_sim_sample(sim, wy_scenario_row_time(scenario, k), message);
    if (status == WY_OK && look)
      look(context, sim, wy_scenario_row_time(scenario, k));
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}

static wy_status run(wy_scenario *scenario, const char *folder, wy_run_times *out, wy_message *message) {
  wy_run_report report;
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.folder = folder;
  wy_status status = wy_run(&def, &report, message);
  out->rows = report.rows;
  out->snapshots = report.snapshots;
  wy_run_report_free(&report);
  return status;
}

wy_status wy_bench_measure(wy_scenario *scenario, const char *folder, int repetitions, wy_bench_look *look,
                           void *context, wy_run_times *out, wy_message *message) {
  wy_status status = WY_OK;
  *out = (wy_run_times){.computing = {INFINITY, INFINITY}, .whole = {INFINITY, INFINITY}};
  for (int i = 0; i < repetitions && status == WY_OK; i++) {
    wy_seconds start = wy_seconds_now();
    status = compute(scenario, look, context, message);
    wy_seconds_keep(&out->computing, start);
    start = wy_seconds_now();
    if (status == WY_OK)
      status = run(scenario, folder, out, message);
    wy_seconds_keep(&out->whole, start);
  }
  return status;
}

bool wy_bench_folder_make(const char *benchmark, char folder[WY_BENCH_FOLDER]) {
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, WY_BENCH_FOLDER, "%.60s/withy-bench-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(folder))
    return true;
  fprintf(stderr, "withy bench: %s: no folder can be made at %s\n", benchmark, folder);
  return false;
}

void wy_bench_folder_remove(const char *folder) {
  static const char *const files[] = {"probes.csv", "steps.csv", "result.h5", "result.xdmf", "summary.json"};
  char path[128];
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  rmdir(folder);
}
