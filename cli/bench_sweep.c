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

enum { POINTS = 10000 };

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

static seconds since(seconds before) {
  const seconds end = now();
  return (seconds){end.wall - before.wall, end.processor - before.processor};
}

static void take_row(void *context, double t, const double *values) {
  *(double *)context += t * values[0];
}

/* The same runs without a sweep: scenario, run, a number of its rows. */
static wy_status run_loop(const wy_plan *plan, seconds *taken, wy_message *message) {
  const seconds before = now();
  wy_status status = WY_OK;
  double sum = 0;
  for (int point = 0; point < POINTS && status == WY_OK; point++) {
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
  *taken = since(before);
  return status;
}

static void *work(void *sweep) {
  wy_sweep_work(sweep, NULL, NULL, NULL);
  return NULL;
}

/* With all its files. */
static wy_status run_sweep(const wy_plan *plan, const char *folder, bool second, seconds *taken, wy_message *message) {
  const seconds before = now();
  wy_sweep *sweep;
  wy_sweep_def def = wy_default_sweep_def();
  pthread_t helper;
  def.plan = plan;
  def.folder = folder;
  wy_status status = wy_sweep_open(&def, &sweep, message);
  if (status != WY_OK)
    return status;
  second = second && pthread_create(&helper, NULL, work, sweep) == 0;
  status = wy_sweep_work(sweep, NULL, NULL, message);
  if (second)
    pthread_join(helper, NULL);
  const wy_status closed = wy_sweep_close(sweep, NULL, message);
  *taken = since(before);
  return status == WY_OK ? closed : status;
}

static wy_status measure(const wy_plan *plan, const char *folder, figures *out, wy_message *message) {
  wy_status status = run_loop(plan, &out->loop, message);
  if (status == WY_OK)
    status = run_sweep(plan, folder, false, &out->sweep, message);
  if (status == WY_OK)
    status = run_sweep(plan, folder, true, &out->threads, message);
  return status;
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
  figures found;
  def.label = "bench.yaml";
  def.text = plan_text;
  def.scenarios = &pendulum;
  def.scenario_count = 1;
  snprintf(folder, sizeof folder, "%.60s/withy-bench-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (wy_plan_read(&def, &plan, &error) != WY_OK || !mkdtemp(folder)) {
    fprintf(stderr, "withy bench: sweep: %s\n", error.text[0] ? error.text : "no folder can be made");
    return false;
  }
  const wy_status status = measure(plan, folder, &found, &message);
  remove_folder(folder);
  wy_plan_destroy(plan);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: sweep: %s\n", message.text);
  else
    print_figures(json, &found);
  return status == WY_OK;
}
