/* SPDX-License-Identifier: MIT */
/* withy bench single: what a user waits for, one rod or a thousand, computing alone and with files, beside goals. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"
#include "cli/bench_measure.h"
#include "cli/cli.h"

/* With the keys that choose its grid, and those of its solver. */
#define CANTILEVER(title, grid, radius, density, young, poisson, solver)                                               \
  "withy: 1\ntitle: " title "\ntime: {end: 1, output: 0.01, frames: 0.02}\ngravity: [0, 0, -9.81]\n"                   \
  "rods:\n  - name: rod\n    length: 1\n" grid "    section: {shape: circle, radius: " radius "}\n"                    \
  "    material: {density: " density ", young: " young ", poisson: " poisson "}\n    ends: {start: clamped}\n"         \
  "probes: [{name: tip, rod: rod, at: end, quantity: position}]\nsolver: {" solver "}\n"
#define RUBBER(grid, solver) CANTILEVER("Rubber cantilever", grid, "5e-3", "1100", "5.0e6", "0.5", solver)
#define STEEL(grid, solver) CANTILEVER("Steel cantilever", grid, "1e-3", "7850", "2.1e11", "0.2", solver)

static const char many_rods[] =
    "withy: 1\ntitle: A thousand cantilevers\ntime: {end: 0.1, output: 0.01}\ngravity: [0, 0, -9.81]\n"
    "rods:\n  - name: rod\n    length: 0.5\n    segments: 20\n    section: {shape: circle, radius: 5e-3}\n"
    "    material: {density: 1100, young: 5.0e6, poisson: 0.5}\n    damping: {time: 0.01}\n"
    "    ends: {start: clamped}\n    copies: {grid: [40, 25], steps: [[1, 0, 0], [0, 1, 0]]}\n"
    "solver: {tolerance: 1.0e-2}\n";

/* Milliseconds. The positions of the tip at half of the time and at its end, in x and z, are those of a converged
   solution; `within` is how far from them it may be, 0 where nothing is known. */
typedef struct subject {
  const char *name, *builtin, *text;
  double goal_computing, goal_whole; /* NAN: none */
  double tip[2][2], within;
  int repetitions;
} subject;

static const subject subjects[] = {{.name = "rubber cantilever, 80 segments",
                                    .text = RUBBER("    segments: 80\n", "tolerance: 1.0e-2"),
                                    .goal_computing = 3,
                                    .goal_whole = 4,
                                    .tip = {{-0.1670, -0.9125}, {-0.632, -0.041}},
                                    .within = 1e-2,
                                    .repetitions = 15},
                                   {.name = "steel cantilever, 16 segments",
                                    .text = STEEL("    segments: 16\n", "tolerance: 1.0e-2"),
                                    .goal_computing = 2.5,
                                    .goal_whole = 3.5,
                                    .tip = {{0.9800, -0.1873}, {0.9258, -0.3494}},
                                    .within = 5e-3,
                                    .repetitions = 15},
                                   {.name = "rubber cantilever, accuracy 1e-2",
                                    .text = RUBBER("", "accuracy: 1.0e-2"),
                                    .goal_computing = 3,
                                    .goal_whole = 4,
                                    .tip = {{-0.1670, -0.9125}, {-0.632, -0.041}},
                                    .within = 1e-2,
                                    .repetitions = 15},
                                   {.name = "steel cantilever, accuracy 5e-3",
                                    .text = STEEL("", "accuracy: 5.0e-3"),
                                    .goal_computing = 2.5,
                                    .goal_whole = 3.5,
                                    .tip = {{0.9800, -0.1873}, {0.9258, -0.3494}},
                                    .within = 5e-3,
                                    .repetitions = 15},
                                   {.name = "flying spaghetti, 150 steps",
                                    .builtin = "flying-spaghetti",
                                    .goal_computing = 6,
                                    .goal_whole = NAN,
                                    .repetitions = 15},
                                   {.name = "rubber-pendulum, tolerance 1e-6",
                                    .builtin = "rubber-pendulum",
                                    .goal_computing = NAN,
                                    .goal_whole = NAN,
                                    .repetitions = 5},
                                   {.name = "1000 rods of 20 segments, 0.1 s",
                                    .text = many_rods,
                                    .goal_computing = NAN,
                                    .goal_whole = 450,
                                    .repetitions = 3}};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };
static const double goal_equilibrium = 45; /* microseconds */

typedef struct figures {
  wy_run_times run;
  double error; /* of the tip, the larger one */
} figures;

typedef struct looking {
  const subject *at;
  double error;
} looking;

static void look(void *context, wy_sim *sim, double t) {
  looking *of = context;
  double x[4];
  for (int k = 0; k < 2; k++)
    if (fabs(t - 0.5 * (k + 1)) < 1e-9 && wy_sim_probe(sim, WY_POSITION, 0, 1, x, NULL) == WY_OK)
      of->error = fmax(of->error, hypot(x[0] - of->at->tip[k][0], x[2] - of->at->tip[k][1]));
}

static wy_status load(const subject *of, wy_scenario **scenario) {
  wy_scenario_error error;
  if (of->builtin)
    return wy_cli_load(of->builtin, NULL, 0, NULL, scenario) == WY_EXIT_DONE ? WY_OK : WY_ERROR_INPUT;
  const wy_status status = wy_scenario_read("bench.yaml", "bench", of->text, NULL, 0, scenario, &error);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: single: %s: %s\n", of->name, error.text);
  return status;
}

static bool measure(const subject *of, const char *folder, figures *out) {
  wy_scenario *scenario = NULL;
  wy_message message;
  looking looks = {of, 0};
  if (load(of, &scenario) != WY_OK)
    return false;
  const wy_status status =
      wy_bench_measure(scenario, folder, of->repetitions, of->within > 0 ? look : NULL, &looks, &out->run, &message);
  out->error = looks.error;
  wy_scenario_destroy(scenario);
  if (status != WY_OK)
    fprintf(stderr, "withy bench: single: %s: %s\n", of->name, message.text);
  return status == WY_OK;
}

bool wy_bench_single_cantilevers(const char *folder, bool json) {
  static const char *const names[] = {"rubber", "steel"};
  static const int segments[] = {80, 16};
  bool good = true;
  for (int i = 0; i < 2 && good; i++) {
    figures found = {.error = 0};
    good = measure(&subjects[i], folder, &found);
    if (!good)
      continue;
    const double ms = 1e3 * found.run.computing.processor;
    if (json)
      printf("%s\n  {\"name\": \"withy\", \"cantilever\": \"%s\", \"elements\": %d, \"computing_ms\": %.3f, "
             "\"tip_error\": %.3e}",
             i ? "," : "\"peers\": [", names[i], segments[i], ms, found.error);
    else
      printf("%-12s %-8s %9d %8s %13.2f %10.1e\n", "withy", names[i], segments[i], "", ms, found.error);
  }
  return good;
}

static void print_number(int width, double value) {
  if (isnan(value))
    printf(" %*s", width, "-");
  else
    printf(" %*.2f", width, value);
}

static void print_row(const subject *of, const figures *f) {
  printf("%-32s", of->name);
  print_number(10, 1e3 * f->run.computing.processor);
  print_number(6, of->goal_computing);
  print_number(10, 1e3 * f->run.whole.processor);
  print_number(7, of->goal_whole);
  if (of->within > 0)
    printf("   tip off by %.1e, goal %.0e", f->error, of->within);
  printf("\n");
}

static void print_json_row(const subject *of, const figures *f) {
  printf("\n  {\"name\": \"%s\", \"computing_ms\": %.3f, \"with_files_ms\": %.3f, \"tip_error\": ", of->name,
         1e3 * f->run.computing.processor, 1e3 * f->run.whole.processor);
  printf(of->within > 0 ? "%.3e}," : "null},", f->error);
}

bool wy_cli_bench_single(bool json) {
  char folder[WY_BENCH_FOLDER];
  wy_quasistatic_figures statics;
  bool good = wy_bench_folder_make("single", folder);
  if (!good)
    return false;
  if (json)
    printf("\"single\": [");
  else
    printf("processor time of a run in ms, smallest of several; goals for a core of the reference machine\n\n"
           "%-32s %10s %6s %10s %7s\n",
           "", "computing", "goal", "with files", "goal");
  for (int i = 0; i < SUBJECTS && good; i++) {
    figures found = {.error = 0};
    good = measure(&subjects[i], folder, &found);
    if (good)
      (json ? print_json_row : print_row)(&subjects[i], &found);
  }
  wy_bench_folder_remove(folder);
  good = good && wy_bench_quasistatic(10, &statics) == 0;
  if (good && json)
    printf("\n  {\"name\": \"equilibrium\", \"computing_ms\": %.5f}\n]", 1e-3 * statics.equilibrium);
  else if (good)
    printf("%-32s %8.1f us, goal %.0f\n", "equilibrium, quasistatic test", statics.equilibrium, goal_equilibrium);
  return good;
}
