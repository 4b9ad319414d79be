/* SPDX-License-Identifier: MIT */
/* withy bench integrators, withy bench auto. */
#include "cli/bench_integrators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "withy/sundials.h"

/* The library's own. */
static const char *const methods[] = {"radau5", "rodas", "seulex", "dopri5", "dop853", "ndf"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A run and its error; seconds are infinite where it failed or took too long. */
typedef struct result {
  const char *integrator;
  double tolerance, seconds, error;
  long attempts;
} result;

static result measure(const wy_race_rod *rod, const char *integrator, double tolerance, double budget,
                      const wy_race_figures *reference) {
  wy_race_figures figures;
  result r = {integrator, tolerance, (double)INFINITY, (double)NAN, 0};
  if (wy_bench_race(rod, integrator, wy_sundials(), tolerance, budget, &figures) == 0) {
    r.seconds = figures.seconds;
    r.attempts = figures.attempts;
    r.error = wy_race_error(&figures, reference);
  }
  return r;
}

static bool no_reference(const wy_race_rod *rod, wy_race_figures *reference) {
  int status = wy_bench_race_reference(rod, reference);
  if (status)
    fprintf(stderr, "withy bench: %s, damping %s, %d segments: there is no reference solution (status %d)\n",
            wy_race_material(rod), wy_race_damping(rod), rod->segments, status);
  return status != 0;
}

/* ---- The published examples ---- */

static const double example_tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
enum { EXAMPLE_TOLERANCES = sizeof example_tolerances / sizeof example_tolerances[0], MULTISTEP = 2 };
static const char *const multistep[MULTISTEP] = {"ida", "cvode"};
static const double example_end = 10;

typedef struct example {
  wy_race_rod rod;
  double goal; /* real-time factor at the first tolerance */
  result results[METHODS + MULTISTEP][EXAMPLE_TOLERANCES];
} example;

static const char *method_name(int index) {
  return index < METHODS ? methods[index] : multistep[index - METHODS];
}

static bool run_example(example *e) {
  const double patience = 3;
  wy_race_figures reference;
  if (no_reference(&e->rod, &reference))
    return false;
  for (int i = 0; i < METHODS + MULTISTEP; i++)
    for (int k = 0; k < EXAMPLE_TOLERANCES; k++)
      e->results[i][k] = measure(&e->rod, method_name(i), example_tolerances[k], patience, &reference);
  return true;
}

/* The least time in which one of the library's own methods has that error, between its tolerances by a power law. */
static double best_at_error(const example *e, double error) {
  double best = (double)INFINITY;
  for (int i = 0; i < METHODS; i++)
    for (int k = 0; k < EXAMPLE_TOLERANCES; k++) {
      const result *here = &e->results[i][k], *before = k > 0 ? here - 1 : here;
      if (here->error <= error)
        best = fmin(best, here->seconds);
      if (here->error < error && before->error > error) {
        double share = log(error / before->error) / log(here->error / before->error);
        best = fmin(best, before->seconds * pow(here->seconds / before->seconds, share));
      }
    }
  return best;
}

static void print_example(const example *e) {
  double fastest = 0;
  printf("%s, N = %d, t = 0 to %g, null-space form\n\n%-11s %9s %9s %11s %10s %10s %10s\n", wy_race_material(&e->rod),
         e->rod.segments, example_end, "integrator", "tolerance", "attempts", "us/attempt", "ms", "real time", "error");
  for (int i = 0; i < METHODS + MULTISTEP; i++)
    for (int k = 0; k < EXAMPLE_TOLERANCES; k++) {
      const result *r = &e->results[i][k];
      if (!isfinite(r->seconds))
        continue;
      printf("%-11s %9.0e %9ld %11.2f %10.2f %10.0f %10.1e\n", r->integrator, r->tolerance, r->attempts,
             1e6 * r->seconds / (double)r->attempts, 1e3 * r->seconds, example_end / r->seconds, r->error);
      if (k == 0 && i < METHODS)
        fastest = fmax(fastest, example_end / r->seconds);
    }
  printf("\nbest real-time factor of the library's own at tolerance %.0e: %.0f (goal %.0f)\n", example_tolerances[0],
         fastest, e->goal);
  printf("`auto` takes %s\n", wy_race_choice(&e->rod, example_tolerances[0]));
  for (int i = METHODS; i < METHODS + MULTISTEP; i++) {
    if (!isfinite(e->results[i][0].seconds))
      continue;
    printf("%s over the fastest of the others at its error, by tolerance:", multistep[i - METHODS]);
    for (int k = 0; k < EXAMPLE_TOLERANCES; k++)
      printf(" %.1f", e->results[i][k].seconds / best_at_error(e, e->results[i][k].error));
    printf("\n");
  }
  printf("\n");
}

static void print_result_json(const result *r, bool first) {
  printf(
      "%s\n    {\"integrator\": \"%s\", \"tolerance\": %g, \"attempts\": %ld, \"milliseconds\": %.4f, \"error\": %.3e}",
      first ? "" : ",", r->integrator, r->tolerance, r->attempts, 1e3 * r->seconds, r->error);
}

bool wy_cli_bench_integrators(bool json) {
  example all[2] = {{.rod = {WY_RACE_RUBBER, WY_RACE_PUBLISHED, WY_COSSERAT, 10, false, 0}, .goal = 800},
                    {.rod = {WY_RACE_STEEL, WY_RACE_PUBLISHED, WY_COSSERAT, 10, false, 0}, .goal = 300}};
  for (int x = 0; x < 2; x++)
    if (!run_example(&all[x]))
      return false;
  if (!json) {
    print_example(&all[0]);
    print_example(&all[1]);
    printf("Real time: simulated over spent time. Error: largest of the tip at t = 1, 2, ... 10.\n");
    return true;
  }
  printf("\"integrators\": [");
  for (int x = 0; x < 2; x++) {
    printf("%s\n  {\"rod\": \"%s\", \"results\": [", x ? "," : "", wy_race_material(&all[x].rod));
    bool first = true;
    for (int i = 0; i < METHODS + MULTISTEP; i++)
      for (int k = 0; k < EXAMPLE_TOLERANCES; k++)
        if (isfinite(all[x].results[i][k].seconds)) {
          print_result_json(&all[x].results[i][k], first);
          first = false;
        }
    printf("]}");
  }
  printf("\n]");
  return true;
}

/* ---- auto ---- */

static const double race_tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8};
enum { RACE_TOLERANCES = sizeof race_tolerances / sizeof race_tolerances[0] };

/* How the choice does over all rods and tolerances. */
typedef struct tally {
  int cases, failed, slow_at_tolerance, slow_at_error;
  double worst_at_tolerance, worst_at_error;
} tally;

typedef struct race {
  wy_race_rod rod;
  const char *choice[RACE_TOLERANCES];
  result results[METHODS][RACE_TOLERANCES];
} race;

static const double twice = 2, promised = 10; /* errors within so many tolerances keep the promise */

/* The choice runs first: others are waited for only as long as could speak against it. */
static void run_race(race *r, const wy_race_figures *reference) {
  const double patience = 20, beyond = 1.1;
  for (int k = 0; k < RACE_TOLERANCES; k++) {
    double own = patience;
    r->choice[k] = wy_race_choice(&r->rod, race_tolerances[k]);
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < METHODS; i++) {
        bool chosen = r->choice[k] && strcmp(methods[i], r->choice[k]) == 0;
        if (chosen == (pass == 1))
          continue;
        r->results[i][k] =
            measure(&r->rod, methods[i], race_tolerances[k], chosen ? patience : beyond * own, reference);
        own = chosen && isfinite(r->results[i][k].seconds) ? r->results[i][k].seconds : own;
      }
  }
}

/* The fastest result at one tolerance or at all (tolerance < 0) with an error of at most that. */
static const result *fastest_of(const race *r, int tolerance, double error) {
  const result *best = NULL;
  for (int i = 0; i < METHODS; i++)
    for (int k = 0; k < RACE_TOLERANCES; k++) {
      const result *one = &r->results[i][k];
      if ((tolerance < 0 || k == tolerance) && one->error <= error && (!best || one->seconds < best->seconds))
        best = one;
    }
  return best;
}

static void judge(const race *r, int k, bool json, tally *sum) {
  const wy_race_rod *rod = &r->rod;
  const double tolerance = race_tolerances[k];
  const char *name = r->choice[k];
  const result *chosen = NULL, *at_tolerance = fastest_of(r, k, promised * tolerance);
  for (int i = 0; i < METHODS; i++)
    if (name && strcmp(methods[i], name) == 0)
      chosen = &r->results[i][k];
  bool done = chosen && isfinite(chosen->seconds);
  const result *at_error = done ? fastest_of(r, -1, chosen->error) : NULL;
  double slower = done && at_tolerance ? chosen->seconds / at_tolerance->seconds : (double)NAN,
         slower_at_error = at_error ? chosen->seconds / at_error->seconds : (double)NAN;
  if (sum->cases++ > 0 && json)
    printf(",");
  sum->failed += !done && at_tolerance;
  sum->slow_at_tolerance += slower > twice;
  sum->slow_at_error += slower_at_error > twice;
  sum->worst_at_tolerance = fmax(sum->worst_at_tolerance, slower);
  sum->worst_at_error = fmax(sum->worst_at_error, slower_at_error);
  if (json)
    printf(
        "\n  {\"rod\": \"%s\", \"damping\": \"%s\", \"model\": \"%s\", \"segments\": %d, \"bent\": %s, \"tolerance\": "
        "%g, \"auto\": \"%s\", \"milliseconds\": %.4f, \"error\": %.3e, \"at_tolerance\": %.3f, \"at_error\": %.3f}",
        wy_race_material(rod), wy_race_damping(rod), wy_rod_kind_name(rod->kind), rod->segments,
        rod->bent ? "true" : "false", tolerance, name ? name : "", done ? 1e3 * chosen->seconds : 0,
        done ? chosen->error : 0, done ? slower : 0, done ? slower_at_error : 0);
  else
    printf("%-12s %-7s %-12s %5d %-4s %7.0e  %-7s %9.2f %8.0e   %-7s %5.2f   %-7s %5.2f\n", wy_race_material(rod),
           wy_race_damping(rod), wy_rod_kind_name(rod->kind), rod->segments, rod->bent ? "bent" : "", tolerance,
           name ? name : "-", done ? 1e3 * chosen->seconds : (double)NAN, done ? chosen->error : (double)NAN,
           at_tolerance ? at_tolerance->integrator : "none", slower, at_error ? at_error->integrator : "none",
           slower_at_error);
  fflush(stdout);
}

static void race_over(const wy_race_rod *rod, bool json, tally *sum) {
  wy_race_figures reference;
  race r = {.rod = *rod};
  if (no_reference(rod, &reference)) /* nothing to judge by: the next one */
    return;
  run_race(&r, &reference);
  for (int k = 0; k < RACE_TOLERANCES; k++)
    judge(&r, k, json, sum);
}

enum { COARSE, BENT, FINE, GRIDS, RANDOM_RODS = 12 };

/* Other grids than the coarse one are for rubber: what is stiffer takes long and says the same. Undamped steel with
   shear has no reference: its vibrations are a million times faster than its motion. */
static bool worth_a_race(int grid, int material, int damping, int kind) {
  bool hopeless = material == WY_RACE_STEEL && damping == WY_RACE_UNDAMPED && kind == WY_COSSERAT;
  return !hopeless && (grid == COARSE || material == WY_RACE_RUBBER);
}

bool wy_cli_bench_auto(bool json) {
  tally sum = {0};
  if (json)
    printf("\"auto\": [");
  else
    printf(
        "what `auto` chooses against the fastest: with an error of at most ten tolerances at the same tolerance, and\n"
        "with no larger error at any tolerance\n\n%-12s %-7s %-12s %5s %-4s %7s  %-7s %9s %8s   %-13s   %-13s\n",
        "rod", "damping", "model", "N", "", "tol", "auto", "ms", "error", "at tolerance", "at error");
  for (int grid = 0; grid < GRIDS; grid++)
    for (int material = 0; material < WY_RACE_MATERIALS; material++)
      for (int damping = 0; damping < WY_RACE_DAMPINGS; damping++)
        for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
          if (worth_a_race(grid, material, damping, kind))
            race_over(&(wy_race_rod){material, damping, (wy_rod_kind)kind, grid == FINE ? 40 : 10, grid == BENT, 0},
                      json, &sum);
  for (int seed = 1; seed <= RANDOM_RODS; seed++) {
    const wy_race_rod rod = wy_race_random(seed);
    race_over(&rod, json, &sum);
  }
  if (json)
    printf("\n]");
  else
    printf(
        "\n%d cases, %d failed; at the same tolerance %d slower than twice the fastest (worst %.2f), at equal error %d "
        "(worst %.2f)\n",
        sum.cases, sum.failed, sum.slow_at_tolerance, sum.worst_at_tolerance, sum.slow_at_error, sum.worst_at_error);
  return true;
}
