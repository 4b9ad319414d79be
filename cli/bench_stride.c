/* SPDX-License-Identifier: MIT */
/* withy bench stride. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"

/* Steps a picture, or a tolerance. */
static const struct {
  const char *integrator;
  int steps;
  double tolerance;
} rows[] = {{"stride", 2, 0},   {"stride", 4, 0},   {"stride", 8, 0},   {"stride", 16, 0},
            {"stride", 32, 0},  {"ndf", 0, 1e-2},   {"ndf", 0, 1e-3},   {"ndf", 0, 1e-4},
            {"rodas", 0, 1e-2}, {"rodas", 0, 1e-3}, {"rodas", 0, 1e-4}, {"radau5", 0, 1e-2}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool measure(int scene, bool json, bool first) {
  static wy_shown_figures reference, figures;
  if (wy_bench_shown(scene, "radau5", 1e-9, 0, &reference) != 0)
    return false;
  for (int i = 0; i < ROWS; i++) {
    if (wy_bench_shown(scene, rows[i].integrator, rows[i].tolerance, rows[i].steps, &figures) != 0)
      return false;
    const double error = wy_shown_error(scene, &figures, &reference), step = figures.seconds / (double)figures.steps;
    char how[32];
    snprintf(how, sizeof how, rows[i].steps ? "%g a picture" : "%g", rows[i].steps ? rows[i].steps : rows[i].tolerance);
    if (json)
      printf("%s\n  {\"rod\": \"%s\", \"integrator\": \"%s\", \"steps_a_picture\": %d, \"tolerance\": %g, "
             "\"error\": %.3g, \"steps\": %ld, \"rejected\": %ld, \"ms\": %.5f, \"step_us\": %.5f}",
             first && i == 0 ? "" : ",", wy_shown_name(scene), rows[i].integrator, rows[i].steps, rows[i].tolerance,
             error, figures.steps, figures.rejected, 1e3 * figures.seconds, 1e6 * step);
    else
      printf("%-12s %-8s %12s %10.1e %8ld %9ld %9.2f %9.2f\n", wy_shown_name(scene), rows[i].integrator, how, error,
             figures.steps, figures.rejected, 1e3 * figures.seconds, 1e6 * step);
  }
  return true;
}

bool wy_cli_bench_stride(bool json) {
  if (json)
    printf("\"stride\": [");
  else
    printf("%-12s %-8s %12s %10s %8s %9s %9s %9s\n", "rod", "method", "tolerance", "error", "steps", "rejected", "ms",
           "us a step");
  for (int scene = 0; scene < WY_SHOWN_SCENES; scene++)
    if (!measure(scene, json, scene == 0)) {
      fprintf(stderr, "withy bench: stride: a run of the rod '%s' failed\n", wy_shown_name(scene));
      return false;
    }
  printf(json ? "\n]"
              : "\none second, sixty pictures; error: largest of the tip, over the length, against radau5 at 1e-9.\n");
  return true;
}
