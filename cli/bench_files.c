/* SPDX-License-Identifier: MIT */
/* withy bench files: what the files of a run cost beside its computing, and what it costs to export it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench_integrators.h"
#include "cli/cli.h"
#include "withy/draw.h"
#include "withy/run.h"

enum { REPETITIONS = 15, FORMATS = WY_EXPORT_USDA + 1 };

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
  struct {
    seconds taken;
    long long bytes; /* of all files */
  } exports[FORMATS];
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

/* A file of an export has done its duty when its size is known. */
static void count_file(void *context, const char *path) {
  struct stat file;
  if (stat(path, &file) == 0)
    *(long long *)context += file.st_size;
  unlink(path);
}

static wy_status measure_export(const char *folder, wy_export_format format, figures *out, wy_message *message) {
  wy_export_def def = wy_default_export_def();
  wy_status status = WY_OK;
  def.format = format;
  def.wrote = count_file;
  def.context = &out->exports[format].bytes;
  out->exports[format].taken = (seconds){INFINITY, INFINITY};
  for (int i = 0; i < REPETITIONS && status == WY_OK; i++) {
    wy_folder *opened = NULL;
    seconds start = now();
    out->exports[format].bytes = 0;
    status = wy_folder_open(folder, &opened, message);
    if (status == WY_OK)
      status = wy_export(opened, &def, message);
    wy_folder_close(opened);
    keep_smallest(&out->exports[format].taken, start);
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

static void print_exports(bool json, const figures *f) {
  if (!json)
    printf("\nexports of the run\n\n%-10s %13s %10s\n", "format", "processor/ms", "kB");
  for (int i = 0; i < FORMATS; i++)
    printf(json ? ", \"%s\": {\"processor_ms\": %.3f, \"kB\": %.1f}" : "%-10s %13.2f %10.1f\n",
           wy_export_format_name((wy_export_format)i), 1e3 * f->exports[i].taken.processor,
           1e-3 * (double)f->exports[i].bytes);
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
  print_exports(json, f);
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
  for (int i = 0; i < FORMATS && status == WY_OK; i++)
    status = measure_export(folder, (wy_export_format)i, &found, &message);
  remove_folder(folder);
  wy_scenario_destroy(scenario);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: files: %s\n", message.text);
  else
    print_figures(json, &found);
  return status == WY_OK;
}
