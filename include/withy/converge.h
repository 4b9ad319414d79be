/* SPDX-License-Identifier: MIT */
/* Convergence: how wrong is a result? The scenario runs at its own resolution and at finer ones; from the differences
   follow the observed order, the limit of every probe, and an error estimate for each run. `withy converge` calls these
   functions; docs/theory/convergence.md derives them.

     wy_converge_def def = wy_default_converge_def();
     def.scenario = scenario;
     wy_converge_report report;
     wy_message message;
     if (wy_converge_all(&def, &report, &message) != WY_OK)
       fprintf(stderr, "%s\n", message.text);
     for (int i = 0; i < report.result_count; i++)
       printf("%s: error %g\n", report.results[i].name, report.results[i].errors[0]);
     wy_converge_report_free(&report);

   The runs are made in memory and write no files. Nothing here starts a thread, prints, catches signals or ends the
   process; the caller's threads may share the work: each calls wy_converge_work. This is part of libwithy_run. */
#ifndef WITHY_CONVERGE_H
#define WITHY_CONVERGE_H

#include "withy/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is made finer from level to level. */
typedef enum wy_refinement {
  WY_REFINE_ALL,      /* segments, and in dynamics fixed steps; error control gets a tighter tolerance */
  WY_REFINE_SEGMENTS, /* every rod has twice as many segments; steps and tolerances stay */
  WY_REFINE_STEP,     /* fixed steps are halved; segments stay */
  WY_REFINE_TOLERANCE /* tolerances of error control are divided by ten; segments stay */
} wy_refinement;

/* "all", "segments", "step", "tolerance"; NULL for another number. */
WY_API const char *wy_refinement_name(wy_refinement refinement);

/* The smallest number of levels: an order needs three. */
#define WY_CONVERGE_LEAST 3
/* The largest number of levels. */
#define WY_CONVERGE_MOST 8

/* What to examine. Fill it with wy_default_converge_def first. */
typedef struct wy_converge_def {
  uint32_t cookie, size; /* set by wy_default_converge_def */
  /* At the resolution in question. Its text is read again with finer settings, so that edits of its definitions do not
     count. It must outlive the wy_converge. */
  const wy_scenario *scenario;
  int levels; /* WY_CONVERGE_LEAST to WY_CONVERGE_MOST */
  wy_refinement refine;
  /* Passed to both callbacks, each of which may be NULL. Several threads call them at the same time if several work. */
  void *context;
  /* A run has got so far; `share` is from 0 to 1. */
  void (*progress)(void *context, int run, double share);
  /* If it returns true, the runs stop. */
  bool (*interrupted)(void *context);
} wy_converge_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_converge_def(wy_converge_def *def, size_t size);
/* No scenario, three levels, everything is refined: set the first. */
static inline wy_converge_def wy_default_converge_def(void) {
  wy_converge_def def;
  wy_init_converge_def(&def, sizeof def);
  return def;
}

/* One run. Run 0 is the scenario as it is. */
typedef struct wy_converge_run {
  int level;                   /* from 0; WY_CONVERGE_CHECK: the run that tells errors in time from those in space */
  int segments;                /* of all rods together */
  double step;                 /* the longest fixed step; 0 if there is none */
  double tolerance;            /* the largest relative tolerance of error control; 0 if there is none */
  double work;                 /* a rough estimate of the cost, divided by that of run 0 */
  double seconds;              /* of computation; 0 before the run */
  const char *const *settings; /* PATH=VALUE: `withy run --set` with these gives the same rows */
  int setting_count;
} wy_converge_run;
/* Instead of a level: the run that tells errors in time from those in space. */
#define WY_CONVERGE_CHECK (-1)

/* What the differences between the levels say. */
typedef enum wy_convergence {
  WY_CONVERGES,      /* with the promised order; the limit is extrapolated with the observed one */
  WY_FASTER,         /* with a higher order than promised; the limit is extrapolated with the promised one */
  WY_SLOWER,         /* with a lower order than promised; the limit is extrapolated with the observed one */
  WY_IRREGULAR,      /* differences become smaller, but their shape or sign changes: no extrapolation */
  WY_BETWEEN_NODES,  /* the probe, a load or a jump along the rod is not at a node of every level: no extrapolation */
  WY_ROUNDING,       /* the result does not depend on the resolution, up to rounding */
  WY_TIME_NOISE,     /* differences are as small as the errors that error control leaves: no extrapolation */
  WY_BY_CHANCE,      /* differences vanish faster than the method can: two levels may agree by chance. Not trusted */
  WY_NOT_CONVERGING, /* differences do not become smaller. Not trusted */
  WY_NOT_FINITE      /* a value is not a finite number. Not trusted */
} wy_convergence;

/* "converges", "faster", "slower", "irregular", "between nodes", "rounding", "time noise", "by chance",
   "not converging", "not finite"; NULL for another number. */
WY_API const char *wy_convergence_name(wy_convergence verdict);

/* A probe, or a mode: what its values at the levels say. Norms of vectors are Euclidean; over a course in time, the
   largest. Rotations q and -q are the same. Quantities that may be infinite are examined by their reciprocals. */
typedef struct wy_converge_result {
  const char *name; /* of the probe, or "mode 1", "damping 1", "factor 1" */
  const char *unit; /* in SI; "1" if it has none */
  int components;
  const char *letters; /* one per component; "" for a scalar */
  wy_convergence verdict;
  bool trusted;           /* the errors below are estimates or upper limits; else they are only what is known */
  double promised;        /* the order that scheme and integrator promise */
  double order;           /* the observed order, from the last three levels; NAN if there is none */
  double used;            /* the order of the extrapolation and of predictions; NAN if there is none */
  double agreement;       /* 1: the last two differences have the same shape over the course; -1: opposite signs */
  double scale;           /* the largest norm at the finest level; relative errors refer to it */
  double extrapolated[4]; /* the limit at the end of the course; the values of the finest level where there is none */
  double component_orders[4]; /* at the end of the course, NAN where differences vanish or change their sign */
  double time_error;          /* the part of errors[0] that is due to steps or tolerance; NAN if it is not known */
  const double *differences;  /* [level_count - 1] between a level and the next */
  const double *errors;       /* [run_count] estimate of the largest error over the course */
  const double *end_errors;   /* [run_count] the same at the end of the course alone */
  const double *values;       /* [run_count * components] at the end of the course */
  const double *course;       /* [row_count * components] the limit at all times; of a mode, one row */
  int row_count;
} wy_converge_result;

/* The outcome. wy_converge_report_free releases its memory. */
typedef struct wy_converge_report {
  wy_run_end end;       /* WY_RUN_DONE, or what went wrong with the first run that is not done */
  const char *scenario; /* its name */
  const char *title;
  wy_analysis analysis;
  wy_refinement refine;
  int level_count, run_count, finest; /* `finest`: the run of the last level */
  const wy_converge_run *runs;        /* [run_count] */
  int row_count;
  const double *times; /* [row_count] of the course */
  const wy_converge_result *results;
  int result_count;
  bool trusted; /* all results are */
  void *memory; /* of all arrays and texts */
} wy_converge_report;

/* ---- The whole in one call ---- */

/* Makes all runs one after the other and judges them. Returns as wy_converge_judge does. */
WY_API wy_status wy_converge_all(const wy_converge_def *def, wy_converge_report *report, wy_message *message);

/* ---- In parts, for threads ---- */

/* The runs of a study, some of them still to be made. Threads may share it. */
typedef struct wy_converge wy_converge;

/* Reads the scenarios of all levels; nothing runs yet. WY_ERROR_INPUT: there is nothing to refine in this way, or a
   finer level is not possible. On failure *converge is NULL. */
WY_API wy_status wy_converge_create(const wy_converge_def *def, wy_converge **converge, wy_message *message);
/* Destroying NULL does nothing. Reports stay valid. */
WY_API void wy_converge_destroy(wy_converge *converge);

/* The runs to be made; NULL if there is no such run. */
WY_API int wy_converge_run_count(const wy_converge *converge);
WY_API const wy_converge_run *wy_converge_describe(const wy_converge *converge, int run);

/* Makes runs that no thread has begun, the most expensive first, until none is left, one has failed, or the caller
   stops it. Several threads may call it at the same time. */
WY_API void wy_converge_work(wy_converge *converge);

/* The outcome, after all work. WY_OK: the runs were made, or the caller has stopped them; report->end says which. Any
   other status: a run failed or its result is wrong, and the message names its level. There are results only if all
   runs are done; report->trusted says whether all of them are. */
WY_API wy_status wy_converge_judge(const wy_converge *converge, wy_converge_report *report, wy_message *message);
/* Releases the memory of the report and clears it. NULL does nothing. */
WY_API void wy_converge_report_free(wy_converge_report *report);

/* How many times as fine as the scenario a run must be for a relative error of `target` in a result (as many times
   more segments, shorter steps). 1: the scenario will do. NAN if it cannot be predicted. */
WY_API double wy_converge_needed(const wy_converge_report *report, int result, double target);

/* Writes converge.json and converge.csv into a folder, which is made if it does not exist. */
WY_API wy_status wy_converge_write(const wy_converge_report *report, const char *folder, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
