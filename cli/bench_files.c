/* SPDX-License-Identifier: MIT */
/* withy bench files: what the files of a run cost beside its computing, and what it costs to export it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench_integrators.h"
#include "cli/bench_measure.h"
#include "cli/cli.h"
#include "withy/draw.h"

enum { REPETITIONS = 15, FORMATS = WY_EXPORT_USDA + 1 };

typedef struct figures {
  wy_run_times run;
  struct {
    wy_seconds taken;
    long long bytes; /* of all files */
  } exports[FORMATS];
} figures;

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
  out->exports[format].taken = (wy_seconds){INFINITY, INFINITY};
  for (int i = 0; i < REPETITIONS && status == WY_OK; i++) {
    wy_folder *opened = NULL;
    wy_seconds start = wy_seconds_now();
    out->exports[format].bytes = 0;
    status = wy_folder_open(folder, &opened, message);
    if (status == WY_OK)
      status = wy_export(opened, &def, message);
    wy_folder_close(opened);
    wy_seconds_keep(&out->exports[format].taken, start);
  }
  return status;
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
  const double computing[] = {f->run.computing.processor, f->run.computing.wall},
               whole[] = {f->run.whole.processor, f->run.whole.wall};
  if (json)
    printf("\"files\": {\"rows\": %ld, \"snapshots\": %ld", f->run.rows, f->run.snapshots);
  else
    printf("a run of rubber-pendulum, %ld rows and %ld snapshots, into the folder for temporary files (smallest of "
           "%d)\n\n%-10s %13s %10s %18s\n",
           f->run.rows, f->run.snapshots, REPETITIONS, "time", "computing/ms", "files/ms", "files/computing");
  for (int i = 0; i < 2; i++)
    printf(json ? ", \"%s\": {\"computing_ms\": %.3f, \"files_ms\": %.3f, \"ratio\": %.3f}"
                : "%-10s %13.2f %10.2f %18.2f\n",
           names[i], 1e3 * computing[i], 1e3 * (whole[i] - computing[i]), whole[i] / computing[i] - 1);
  print_exports(json, f);
  if (json)
    printf("}");
}

bool wy_cli_bench_files(bool json) {
  char folder[WY_BENCH_FOLDER];
  wy_scenario *scenario = NULL;
  figures found;
  wy_message message;
  if (wy_cli_load("rubber-pendulum", NULL, 0, NULL, &scenario) != WY_EXIT_DONE)
    return false;
  if (!wy_bench_folder_make("files", folder)) {
    wy_scenario_destroy(scenario);
    return false;
  }
  wy_status status = wy_bench_measure(scenario, folder, REPETITIONS, NULL, NULL, &found.run, &message);
  for (int i = 0; i < FORMATS && status == WY_OK; i++)
    status = measure_export(folder, (wy_export_format)i, &found, &message);
  wy_bench_folder_remove(folder);
  wy_scenario_destroy(scenario);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: files: %s\n", message.text);
  else
    print_figures(json, &found);
  return status == WY_OK;
}
