/* SPDX-License-Identifier: MIT */
/* Private header of run/converge/: the runs of an examination, and what they leave. */
#ifndef WY_RUN_CONVERGE_INSIDE_H
#define WY_RUN_CONVERGE_INSIDE_H

#include <stdatomic.h>

#include "run/converge/estimate.h"
#include "run/results/file.h"
#include "run/tree/pool.h"

/* What a run leaves. Written by the thread that makes the run, read by wy_converge_judge. */
typedef struct wy_converge_slot {
  wy_scenario *scenario; /* at its level; until the run begins its model and simulation are part of it */
  int column_count;
  double *times, *values; /* [rows], [rows * column_count] */
  int rows, capacity;
  bool no_memory;
  wy_run_mode *modes;
  int mode_count;
  double sizes[WY_QUANTITY_COUNT]; /* of quantities, as far as length, stiffness, mass, time and energy make them */
  const char **integrators;        /* [rods], those that `auto` has chosen; constants of the library */
  long *steps;                     /* [rods] */
  wy_run_end end;
  wy_status status;
  char message[1200];
} wy_converge_slot;

struct wy_converge {
  wy_converge_def def;
  const wy_scenario *scenario; /* the caller's */
  int level_count, run_count;
  int check;               /* the run that tells errors in time from those in space, or -1 */
  wy_converge_run *runs;   /* [run_count] */
  wy_converge_slot *slots; /* [run_count] */
  int *order;              /* [run_count] the most expensive first */
  atomic_int next;         /* of `order` */
  atomic_bool stopped;     /* a run has failed, or the caller wishes an end */
  wy_pool pool;
};

/* Tolerances of the levels beyond the scenario's own, divided by its own, if everything is refined. */
#define WY_CONVERGE_TIGHTER 0.01

/* Fills runs and slots: levels, settings, scenarios (plan.c). */
wy_status wy_converge_plan(wy_converge *c, wy_message *message);
/* "level 2 (80 segments, step 0.01)", for messages. */
void wy_converge_name_run(const wy_converge *c, int run, char *out, size_t size);

/* Makes one run (runs.c). */
void wy_converge_make(wy_converge *c, int run);

/* The order that is promised to a probe, or with NULL to modes: the lowest of those in space and time, and the highest;
   is it, or a load, not at a node of every level; and
   sizes of quantities, 0 where there is none (promise.c). */
double wy_promised_order(const wy_converge *c, const wy_probe *probe, bool highest);
bool wy_lies_between(const wy_converge *c, const wy_probe *probe);
/* How much of the error in time of the scenario the tolerance of the other levels may leave (V11). */
double wy_share_left(const wy_converge *c, const wy_probe *probe);
/* Is there a node of the rod at every level? */
bool wy_is_always_node(const wy_converge *c, int rod, double s);
void wy_measure_sizes(wy_sim *sim, const wy_model *model, double end, double sizes[WY_QUANTITY_COUNT]);
/* Is the rod, or with WY_ALL_RODS any one, moved with fixed steps? */
bool wy_has_steps(const wy_scenario *scenario, int rod);
bool wy_has_tolerance(const wy_scenario *scenario, int rod);

/* Does a rod, or a distributed load, have a jump where not every level has a node (jumps.c)? */
bool wy_rod_jumps_between(const wy_converge *c, int rod);
bool wy_load_jumps_between(const wy_converge *c, const wy_load_def *load);

/* The result of a probe, whose first column is `first`, and of a mode or its damping (judge.c). Memory is the pool's,
   which remembers a failure. */
void wy_judge_probe(const wy_converge *c, const wy_probe *probe, int first, wy_pool *pool, wy_converge_result *out);
void wy_judge_mode(const wy_converge *c, int mode, bool damping, wy_pool *pool, wy_converge_result *out);

/* The report as JSON (files.c). */
void wy_converge_json(const wy_converge_report *report, wy_text *out);

#endif
