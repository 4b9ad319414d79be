/* SPDX-License-Identifier: MIT */
/* The parts of the experiment on Lang, Linn and Arnold. */
#ifndef WY_EXPERIMENTS_LANG_LINN_ARNOLD_COMMON_H
#define WY_EXPERIMENTS_LANG_LINN_ARNOLD_COMMON_H

#include "experiments/swing.h"

/* The performance examples, with every method and tolerance; absolute coordinates as published, or null space. */
typedef struct wy_lla_run {
  bool done, failed;
  wy_statistics statistics;
  wy_swing_cost cost;
  char message[160]; /* why there is no such run, or why it failed */
} wy_lla_run;

typedef struct wy_lla_runs {
  wy_swing_rod rod;
  wy_coordinates coordinates;
  wy_lla_run run[WY_SWING_METHODS][WY_SWING_TOLERANCES];
  wy_lla_run tight[WY_SWING_METHODS]; /* with wy_lla_tight, where the error of the tightest above is over 1e-8 */
} wy_lla_runs;

static const double wy_lla_tight = 1e-10;

static inline const char *wy_lla_rod_name(wy_swing_rod rod) {
  return rod == WY_SWING_STEEL ? "steel" : "rubber";
}

/* performance.c: the published settings: absolute coordinates, Baumgarte with omega = r = 100; and the performance
   examples. */
void wy_lla_as_published(wy_case *c);
wy_status wy_lla_rubber(wy_findings *findings, wy_message *message);
wy_status wy_lla_steel(wy_findings *findings, wy_message *message);

/* The rows of Table 2 or 3 whose published number of steps is at most so large. */
wy_status wy_lla_counts(wy_findings *findings, wy_swing_rod rod, double most, wy_message *message);

/* tables.c: Tables 2 and 3; a published number of steps, INFINITY where there is none. */
void wy_lla_table(wy_findings *findings, const wy_lla_runs *runs);
double wy_lla_published_steps(wy_swing_rod rod, int method, int tolerance);

/* precision.c: Figure 7, how errors follow tolerances, speed. */
void wy_lla_precision(wy_findings *findings, const wy_lla_runs *runs);
void wy_lla_speed(wy_findings *findings, const wy_lla_runs *absolute, const wy_lla_runs *null_space);

/* motion.c: Figures 8 and 9. test_1.c: Figures 3 and 4. test_2.c: Figures 5 and 6. measures.c: Figure 11. */
wy_status wy_lla_motion(wy_findings *findings, wy_message *message);
wy_status wy_lla_test_1(wy_findings *findings, wy_message *message);
wy_status wy_lla_test_2(wy_findings *findings, wy_message *message);
wy_status wy_lla_measures(wy_findings *findings, wy_message *message);

#endif
