/* SPDX-License-Identifier: MIT */
/* withy bench sweep: what a sweep costs beside its runs, and what a second thread brings. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench_integrators.h"
#include "cli/cli.h"
#include "run/results/clock.h"
#include "run/sweep/plan.h"
#include "scenes/builtin.h"

enum { POINTS = 10000, TURN = 100 };

/* Runs of about a millisecond. */
static const char plan_text[] = "withy: 1\n"
                                "scenario: rubber-pendulum\n"
                                "set: {time: {end: 0.1, output: 0.01}, solver.tolerance: 1e-7}\n"
                                "vary:\n"
                                "  constants.r: {from: 4, to: 8, unit: mm}\n"
                                "  rods.pendulum.material.young: {from: 1e6, to: 1e7, scale: log}\n"
                                "combine: sobol\n"
                                "count: 10000\n";

/* Seconds by the clock on the wall, and of the processor. */
typedef struct seconds {
  double wall, processor;
} seconds;

/* Of all points: a plain loop of runs, a sweep with one thread and with two. */
typedef struct figures {
  seconds loop, sweep, threads;
} figures;

static seconds now(void) {
  struct timespec processor;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
  return (seconds){wy_wall_time(), (double)processor.tv_sec + 1e-9 * (double)processor.tv_nsec};
}

static void add_since(seconds *taken, seconds before) {
  const seconds end = now();
  taken->wall += end.wall - before.wall;
  taken->processor += end.processor - before.processor;
}

static void take_row(void *context, double t, const double *values) {
  *(double *)context += t * values[0];
}

/* The same runs without a sweep: scenario, run, a number of its rows. */
static wy_status run_loop(const wy_plan *plan, int first, int last, seconds *taken, wy_message *message) {
  const seconds before = now();
  wy_status status = WY_OK;
  double sum = 0;
  for (int point = first; point < last && status == WY_OK; point++) {
    wy_scenario *scenario;
    wy_scenario_error error;
    wy_run_report report;
    wy_run_def def = wy_default_run_def();
    status = wy_plan_open(plan, point, &scenario, &error);
    if (status != WY_OK)
      break;
    def.scenario = scenario;
    def.row = take_row;
    def.context = &sum;
    status = wy_run(&def, &report, message);
    wy_run_report_free(&report);
    wy_scenario_destroy(scenario);
  }
  add_since(taken, before);
  return status;
}

/* What wy_sweep_work does, for so many points. */
static wy_status work_some(const wy_plan *plan, wy_sweep *sweep, int count, seconds *taken, wy_message *message) {
  const seconds before = now();
  wy_status status = WY_OK;
  for (int i = 0; i < count && status == WY_OK; i++) {
    wy_sweep_row row;
    status = wy_sweep_point(plan, wy_sweep_next(sweep), NULL, NULL, &row, message);
    if (status == WY_OK)
      status = wy_sweep_record(sweep, &row, message);
    wy_sweep_row_free(&row);
  }
  add_since(taken, before);
  return status;
}

static wy_status open_sweep(const wy_plan *plan, const char *folder, wy_sweep **sweep, seconds *taken,
                            wy_message *message) {
  const seconds before = now();
  wy_sweep_def def = wy_default_sweep_def();
  def.plan = plan;
  def.folder = folder;
  const wy_status status = wy_sweep_open(&def, sweep, message);
  add_since(taken, before);
  return status;
}

static wy_status close_sweep(wy_sweep *sweep, seconds *taken, wy_message *message) {
  const seconds before = now();
  const wy_status status = wy_sweep_close(sweep, NULL, message);
  add_since(taken, before);
  return status;
}

/* The loop and the sweep in turns, so that what else the machine does meets both. */
static wy_status compare(const wy_plan *plan, const char *folder, figures *out, wy_message *message) {
  wy_sweep *sweep;
  wy_status status = open_sweep(plan, folder, &sweep, &out->sweep, message);
  for (int first = 0; first < POINTS && status == WY_OK; first += TURN) {
    status = run_loop(plan, first, first + TURN, &out->loop, message);
    if (status == WY_OK)
      status = work_some(plan, sweep, TURN, &out->sweep, message);
  }
  const wy_status closed = close_sweep(sweep, &out->sweep, message);
  return status == WY_OK ? closed : status;
}

static void *work(void *sweep) {
  wy_sweep_work(sweep, NULL, NULL, NULL);
  return NULL;
}

static wy_status use_two_threads(const wy_plan *plan, const char *folder, figures *out, wy_message *message) {
  wy_sweep *sweep;
  pthread_t helper;
  wy_status status = open_sweep(plan, folder, &sweep, &out->threads, message);
  if (status != WY_OK)
    return status;
  const seconds before = now();
  const bool second = pthread_create(&helper, NULL, work, sweep) == 0;
  status = wy_sweep_work(sweep, NULL, NULL, message);
  if (second)
    pthread_join(helper, NULL);
  add_since(&out->threads, before);
  const wy_status closed = close_sweep(sweep, &out->threads, message);
  return status == WY_OK ? closed : status;
}

static void remove_folder(const char *folder) {
  static const char *const files[] = {"journal-1-of-1.csv", "sweep.csv", "sweep.json", "plan.yaml"};
  char path[128];
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  rmdir(folder);
}

static void print_figures(bool json, const figures *f) {
  const double each = 1e3 / POINTS;
  const double overhead[] = {f->sweep.processor / f->loop.processor - 1, f->sweep.wall / f->loop.wall - 1};
  const double faster = f->sweep.wall / f->threads.wall;
  if (json) {
    printf("\"sweep\": {\"points\": %d, \"processor\": {\"loop_ms\": %.4f, \"sweep_ms\": %.4f, \"overhead\": %.4f}",
           POINTS, each * f->loop.processor, each * f->sweep.processor, overhead[0]);
    printf(", \"wall\": {\"loop_ms\": %.4f, \"sweep_ms\": %.4f, \"overhead\": %.4f, \"two_threads_ms\": %.4f, "
           "\"speedup\": %.3f}}",
           each * f->loop.wall, each * f->sweep.wall, overhead[1], each * f->threads.wall, faster);
    return;
  }
  printf("a sweep of %d points into the folder for temporary files, time of a point\n\n%-20s %13s %10s\n", POINTS, "",
         "processor/ms", "wall/ms");
  printf("%-20s %13.4f %10.4f\n", "plain loop of runs", each * f->loop.processor, each * f->loop.wall);
  printf("%-20s %13.4f %10.4f\n", "sweep, one thread", each * f->sweep.processor, each * f->sweep.wall);
  printf("%-20s %13.4f %10.4f\n", "sweep, two threads", each * f->threads.processor, each * f->threads.wall);
  printf("\noverhead %.1f %% of processor time, %.1f %% of wall time; two threads are %.2f times as fast as one\n",
         100 * overhead[0], 100 * overhead[1], faster);
}

static const char *text_of(const char *name) {
  const char *text = "";
  for (int i = 0; i < wy_builtin_scenario_count; i++)
    text = strcmp(wy_builtin_scenarios[i].name, name) == 0 ? wy_builtin_scenarios[i].text : text;
  return text;
}

bool wy_cli_bench_sweep(bool json) {
  const char *temporary = getenv("TMPDIR");
  const wy_scenario_file pendulum = {"rubber-pendulum", text_of("rubber-pendulum")};
  char folder[96];
  wy_plan *plan;
  wy_plan_def def = wy_default_plan_def();
  wy_scenario_error error;
  wy_message message = {.text = ""};
  figures found = {{0, 0}, {0, 0}, {0, 0}};
  def.label = "bench.yaml";
  def.text = plan_text;
  def.scenarios = &pendulum;
  def.scenario_count = 1;
  snprintf(folder, sizeof folder, "%.60s/withy-bench-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (wy_plan_read(&def, &plan, &error) != WY_OK || !mkdtemp(folder)) {
    fprintf(stderr, "withy bench: sweep: %s\n", error.text[0] ? error.text : "no folder can be made");
    return false;
  }
  wy_status status = compare(plan, folder, &found, &message);
  if (status == WY_OK)
    status = use_two_threads(plan, folder, &found, &message);
  remove_folder(folder);
  wy_plan_destroy(plan);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: sweep: %s\n", message.text);
  else
    print_figures(json, &found);
  return status == WY_OK;
}
