/* SPDX-License-Identifier: MIT */
/* withy bench rods: many rods that are not joined, by one thread and by several. */
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"
#include "cli/pool.h"
#include "cli/sweep.h"

enum { RODS = 1000, SEGMENTS = 20 };

/* Times, and nanoseconds of a step for a segment. */
static void print_row(const wy_rods_figures *f, int threads, const wy_rods_figures *one) {
  printf("%8d %10.3f %10ld %16.1f %12.2f\n", threads, f->seconds, f->steps,
         1e9 * f->seconds / ((double)f->steps * f->segments), one->seconds / f->seconds);
}

static void print_json_row(const wy_rods_figures *f, int threads, const wy_rods_figures *one) {
  printf("%s\n  {\"rods\": %d, \"segments\": %d, \"threads\": %d, \"seconds\": %.4f, \"steps\": %ld, \"integrator\": "
         "\"%s\", \"ratio\": %.3f}",
         threads > 1 ? "," : "", f->rods, f->segments, threads, f->seconds, f->steps, f->integrator,
         one->seconds / f->seconds);
}

/* With 1, 2, 4, ... threads, as many as there are cores. */
bool wy_cli_bench_rods(bool json) {
  wy_rods_figures first = {0};
  int status = 0;
  if (json)
    printf("\"rods\": [");
  else
    printf("%d rods of %d segments that are not joined, for 0.05 s\n\n%8s %10s %10s %16s %12s\n", RODS, SEGMENTS,
           "threads", "s", "steps", "ns", "one / this");
  for (int threads = 1; !status && (threads == 1 || threads <= wy_sweep_cores()); threads *= 2) {
    wy_rods_figures figures;
    wy_pool *pool = wy_pool_create(threads);
    status = wy_bench_rods(RODS, SEGMENTS, wy_pool_tasks(pool), &figures);
    wy_pool_destroy(pool);
    if (!status && threads == 1)
      first = figures;
    if (!status)
      (json ? print_json_row : print_row)(&figures, threads, &first);
  }
  if (status)
    fprintf(stderr, "withy bench: rods: failed with status %d; is there enough memory?\n", status);
  else if (json)
    printf("\n]");
  return !status;
}
