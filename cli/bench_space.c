/* SPDX-License-Identifier: MIT */
/* withy bench space: the error in space of two cantilevers, and what it costs. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"

static const struct {
  const char *name;
  double goal; /* the largest error that counts */
} rods[WY_SPACE_RODS] = {[WY_SPACE_RUBBER] = {"rubber", 1e-2}, [WY_SPACE_STEEL] = {"steel", 5e-3}};

static const int sizes[] = {3, 4, 6, 9, 13, 17, 21, 25, 29, 33, 41, 57, 81};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* The runs of one way, and the fastest that is good enough. */
static void measure(wy_space_rod rod, const wy_space_way *way, bool json, bool *first) {
  double fastest = INFINITY;
  int enough = 0;
  for (int i = 0; i < (way->accuracy > 0 ? 1 : SIZES); i++) {
    wy_space_figures figures;
    if (wy_bench_space(rod, way, sizes[i], &figures))
      continue;
    if (figures.error <= rods[rod].goal && figures.milliseconds < fastest)
      fastest = figures.milliseconds, enough = figures.segments;
    if (json)
      printf("%s\n  {\"rod\": \"%s\", \"scheme\": \"%s\", \"way\": \"%s\", \"segments\": %d, \"error\": %.3e, "
             "\"milliseconds\": %.4f, \"attempts\": %ld}",
             *first ? "" : ",", rods[rod].name, way->scheme, way->name, figures.segments, figures.error,
             figures.milliseconds, figures.attempts);
    else
      printf("%-7s %-11s %-21s %4d %10.1e %9.2f %9ld\n", rods[rod].name, way->scheme, way->name, figures.segments,
             figures.error, figures.milliseconds, figures.attempts);
    *first = false;
  }
  if (!json && enough && !(way->accuracy > 0))
    printf("%-7s %-11s %-21s %4d is the fastest with an error of at most %g: %.2f ms\n", "", "", "", enough,
           rods[rod].goal, fastest);
  fflush(stdout);
}

bool wy_cli_bench_space(bool json) {
  bool first = true;
  if (json)
    printf("\"space\": [");
  else
    printf("%-7s %-11s %-21s %4s %10s %9s %9s\n", "rod", "scheme", "way", "N", "error", "ms", "attempts");
  for (int rod = 0; rod < WY_SPACE_RODS; rod++)
    for (int i = 0; wy_space_way_at((wy_space_rod)rod, i); i++)
      measure((wy_space_rod)rod, wy_space_way_at((wy_space_rod)rod, i), json, &first);
  printf(json ? "\n]" : "\nError: of the tip at t = 0.5 and 1, against fine grids.\n");
  return true;
}
