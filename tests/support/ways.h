/* SPDX-License-Identifier: MIT */
/* A rod of which everything is asked in one second, in several ways: whatever happens on the way, all integrators lead
   to the same end. All sizes are of order 1. */
#ifndef WY_TESTS_SUPPORT_WAYS_H
#define WY_TESTS_SUPPORT_WAYS_H

#include "support/rods.h"

typedef struct way {
  const char *name, *scheme;
  wy_rod_kind kind;
  wy_coordinates coordinates;
  bool driven, released, pushed;
} way;

enum { WAYS = 8 };
extern const way ways[WAYS];

typedef struct way_end {
  double tip[4], energy_error;
  wy_statistics statistics;
} way_end;

/* At its start; the integrator may be one of another part. */
test_sim make_way(const way *w, const char *integrator, double tolerance);
/* To its end, without an allocation of its own. */
way_end follow_way(const way *w, const test_sim *made);
/* Both, and frees what was made. */
way_end run_way(const way *w, const char *integrator, double tolerance);

/* Fails where tip, balance of energy or drift differ by more than `bound`. */
void check_way_end(const way *w, const char *integrator, const way_end *got, const way_end *want, double bound);

#endif
