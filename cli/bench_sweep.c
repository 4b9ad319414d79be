/* withy bench sweep: what a sweep costs beside its runs, and what a second thread brings. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
                                "set: {time: {end: 0.1, output: 0.01}, solver.tolerance: 1e-5}\n"
                                "vary:\n"
                                "  constants.r: {from: 4, to: 8, unit: mm}\n"
                                "  rods.pendulum.material.young: {from: 1e6, to: 1e7, scale: log}\n"
                                "combine: sobol\n"
                                "count: 10000\n";

typedef struct figures {
  double loop, sweep, threads; /* seconds of all points: a plain loop of runs, a sweep with one thread and with two */
} figures;

static void take_row(void *context, double t, const double *values) {
  *(double *)context += t * values[0];
}

/* The same runs without a sweep: scenario, run, a number of its rows. */
static wy_status run_loop(const wy_plan *plan, double *seconds, wy_message *message) {
  const double before = wy_wall_time();
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
  *seconds = wy_wall_time() - before;
  return status;
}

static void *work(void *sweep) {
  wy_sweep_work(sweep, NULL, NULL, NULL);
  return NULL;
}

/* With all its files. */
static wy_status run_sweep(const wy_plan *plan, const char *folder, bool second, double *seconds, wy_message *message) {
  const double before = wy_wall_time();
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
  *seconds = wy_wall_time() - before;
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
  if (json)
    printf("\"sweep\": {\"points\": %d, \"run_ms\": %.4f, \"sweep_ms\": %.4f, \"overhead\": %.4f, \"two_threads_ms\": "
           "%.4f, \"speedup\": %.3f}",
           POINTS, each * f->loop, each * f->sweep, f->sweep / f->loop - 1, each * f->threads, f->sweep / f->threads);
  else
    printf("a sweep of %d points into the folder for temporary files, wall time of a point\n\n"
           "plain loop of runs  %8.4f ms\nsweep, one thread   %8.4f ms  overhead %.1f %%\n"
           "sweep, two threads  %8.4f ms  %.2f times as fast as one\n",
           POINTS, each * f->loop, each * f->sweep, 100 * (f->sweep / f->loop - 1), each * f->threads,
           f->sweep / f->threads);
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
