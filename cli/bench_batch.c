/* SPDX-License-Identifier: MIT */
/* withy bench batch: a solve of many rods at once in each precision, by one thread and by several, with an obstacle,
   and rods of a batch against simulations of the same rods. */
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"
#include "cli/pool.h"
#include "cli/sweep.h"

enum { HAIR = 4096, RODS = 1000, SEGMENTS = 20 };

static const char *const precisions[] = {"double", "mixed", "single"};

static int print_solves(bool json) {
  int status = 0;
  double first[3] = {0};
  if (json)
    printf("\"batch\": {\"solves\": [");
  else
    printf("%d strands of hair of 25 segments: a segment and solve\n\n%8s %10s %8s %8s %14s %12s  %s\n", HAIR,
           "threads", "precision", "lanes", "ns", "bytes a rod", "one / this", "machine");
  for (int threads = 1; !status && (threads == 1 || threads <= wy_sweep_cores()); threads *= 2)
    for (int p = 0; !status && p < 3; p++) {
      wy_batch_figures f = {.ns = 0};
      wy_pool *pool = wy_pool_create(threads);
      status = wy_bench_batch(HAIR, (wy_batch_precision)p, wy_pool_tasks(pool), &f);
      wy_pool_destroy(pool);
      if (threads == 1)
        first[p] = f.ns;
      if (!status && json)
        printf("%s\n  {\"threads\": %d, \"precision\": \"%s\", \"lanes\": %d, \"ns\": %.2f, \"bytes\": %.0f}",
               threads > 1 || p ? "," : "", threads, precisions[p], f.lanes, f.ns, f.bytes);
      else if (!status)
        printf("%8d %10s %8d %8.1f %14.0f %12.2f  %s\n", threads, precisions[p], f.lanes, f.ns, f.bytes,
               first[p] / f.ns, f.machine);
    }
  return status;
}

static int print_heads(bool json) {
  int status = 0;
  if (json)
    printf("],\n  \"heads\": [");
  else
    printf("\nthe same on a head, one thread: ns\n\n%19s %10s %8s %10s\n", "", "none", "sphere", "distance");
  for (int p = 0; !status && p < 3; p++) {
    wy_batch_head_figures f;
    status = wy_bench_batch_head(HAIR, (wy_batch_precision)p, &f);
    if (!status && json)
      printf("%s\n  {\"precision\": \"%s\", \"none\": %.2f, \"sphere\": %.2f, \"distance\": %.2f}", p ? "," : "",
             precisions[p], f.alone, f.sphere, f.distance);
    else if (!status)
      printf("%19s %10.1f %8.1f %10.1f\n", precisions[p], f.alone, f.sphere, f.distance);
  }
  return status;
}

static void print_rubber_json(const wy_batch_rubber_figures *f) {
  printf("],\n  \"rubber\": {\"rods\": %d, \"segments\": %d, \"seconds\": %.4f, \"error\": %.3e, \"batches\": [",
         f->rods, f->segments, f->seconds, f->error);
  for (int p = 0; p <= WY_BATCH_SINGLE; p++)
    printf("%s\n    {\"precision\": \"%s\", \"substeps\": %d, \"seconds\": %.4f, \"error\": %.3e}", p ? "," : "",
           precisions[p], f->batches[p].substeps, f->batches[p].seconds, f->batches[p].error);
  printf("]}}");
}

static int print_rubber(bool json) {
  wy_batch_rubber_figures f;
  const int status = wy_bench_batch_rubber(RODS, SEGMENTS, &f);
  if (status)
    return status;
  if (json) {
    print_rubber_json(&f);
    return 0;
  }
  printf("\n%d rubber rods of %d segments for 0.1 s, one thread: largest error of tips\n\n%-32s %10.3f s %12.1e\n",
         f.rods, f.segments, "simulations, rodas 1e-3", f.seconds, f.error);
  for (int p = 0; p <= WY_BATCH_SINGLE; p++)
    printf("%-6s batch, %3d a frame %17.3f s %12.1e   %.1f times faster\n", precisions[p], f.batches[p].substeps,
           f.batches[p].seconds, f.batches[p].error, f.seconds / f.batches[p].seconds);
  return 0;
}

bool wy_cli_bench_batch(bool json) {
  int status = print_solves(json);
  if (!status)
    status = print_heads(json);
  if (!status)
    status = print_rubber(json);
  if (status)
    fprintf(stderr, "withy bench: batch: failed with status %d; is there enough memory?\n", status);
  return !status;
}
