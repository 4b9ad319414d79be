/* withy bench files: what the files of a run cost beside its computing. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench_integrators.h"
#include "cli/cli.h"
#include "withy/run.h"

enum { REPETITIONS = 15 };

/* Seconds by the clock on the wall, and of the processor. */
typedef struct seconds {
  double wall, processor;
} seconds;

static seconds now(void) {
  struct timespec wall, processor;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  return (seconds){(double)wall.tv_sec + 1e-9 * (double)wall.tv_nsec,
                   (double)processor.tv_sec + 1e-9 * (double)processor.tv_nsec};
}

typedef struct figures {
  seconds computing, whole; /* smallest of all repetitions */
  long rows, snapshots;
} figures;

static void keep_smallest(seconds *smallest, seconds since) {
  seconds end = now();
  smallest->wall = fmin(smallest->wall, end.wall - since.wall);
  smallest->processor = fmin(smallest->processor, end.processor - since.processor);
}

/* The motion alone, looked at at the times of the rows. */
static wy_status compute(const wy_scenario *scenario, wy_message *message) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_status status = wy_model_create(&scenario->model, &model, message);
  if (status == WY_OK)
    status = wy_sim_create(model, &scenario->sim, &sim, message);
  for (int k = 0; k < wy_scenario_row_count(scenario) && status == WY_OK; k++)
    status = wy_sim_sample(sim, wy_scenario_row_time(scenario, k), message);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}

static wy_status run(wy_scenario *scenario, const char *folder, figures *out, wy_message *message) {
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

static wy_status measure(wy_scenario *scenario, const char *folder, figures *out, wy_message *message) {
  wy_status status = WY_OK;
  *out = (figures){.computing = {INFINITY, INFINITY}, .whole = {INFINITY, INFINITY}};
  for (int i = 0; i < REPETITIONS && status == WY_OK; i++) {
    seconds start = now();
    status = compute(scenario, message);
    keep_smallest(&out->computing, start);
    start = now();
    if (status == WY_OK)
      status = run(scenario, folder, out, message);
    keep_smallest(&out->whole, start);
  }
  return status;
}

static void remove_folder(const char *folder) {
  static const char *const files[] = {"probes.csv", "steps.csv", "result.h5", "result.xdmf", "summary.json"};
  char path[128];
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void print_figures(bool json, const figures *f) {
  const char *const names[] = {"processor", "wall"};
  const double computing[] = {f->computing.processor, f->computing.wall}, whole[] = {f->whole.processor, f->whole.wall};
  if (json)
    printf("\"files\": {\"rows\": %ld, \"snapshots\": %ld", f->rows, f->snapshots);
  else
    printf("a run of rubber-pendulum, %ld rows and %ld snapshots, into the folder for temporary files (smallest of "
           "%d)\n\n%-10s %13s %10s %18s\n",
           f->rows, f->snapshots, REPETITIONS, "time", "computing/ms", "files/ms", "files/computing");
  for (int i = 0; i < 2; i++)
    printf(json ? ", \"%s\": {\"computing_ms\": %.3f, \"files_ms\": %.3f, \"ratio\": %.3f}"
                : "%-10s %13.2f %10.2f %18.2f\n",
           names[i], 1e3 * computing[i], 1e3 * (whole[i] - computing[i]), whole[i] / computing[i] - 1);
  if (json)
    printf("}");
}

bool wy_cli_bench_files(bool json) {
  const char *temporary = getenv("TMPDIR");
  char folder[96];
  wy_scenario *scenario = NULL;
  figures found;
  wy_message message;
  snprintf(folder, sizeof folder, "%.60s/withy-bench-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (wy_cli_load("rubber-pendulum", NULL, 0, NULL, &scenario) != WY_EXIT_DONE)
    return false;
  if (!mkdtemp(folder)) {
    fprintf(stderr, "withy bench: files: no folder can be made at %s\n", folder);
    wy_scenario_destroy(scenario);
    return false;
  }
  wy_status status = measure(scenario, folder, &found, &message);
  remove_folder(folder);
  wy_scenario_destroy(scenario);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: files: %s\n", message.text);
  else
    print_figures(json, &found);
  return status == WY_OK;
}
