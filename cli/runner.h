/* The loop behind `withy run`: takes a simulation through its analysis and records what comes by. Signals end it in
   good order. What the user reads is in run.c. */
#ifndef WY_CLI_RUNNER_H
#define WY_CLI_RUNNER_H

#include "cli/progress.h"
#include "run/results/results.h"

typedef struct wy_runner {
  const wy_results_def *def;
  wy_results *results;
  wy_progress progress;
  double stride;          /* simulated time of one call */
  double next_checkpoint; /* wall time */
  wy_mode_table *modes;   /* of modes and buckling, else NULL; the results refer to it until they are finished */
  bool complete;          /* nothing is left to do */
  char note[800];         /* what should be known of a result that was reached, or "" */
} wy_runner;

/* From now on the first SIGINT, SIGTERM or SIGHUP asks for an orderly end, a second one ends at once. */
void wy_watch_signals(void);

/* All that is left to do. WY_OK without `complete`: a signal has asked for an end; the run can be resumed. */
wy_status wy_run_analysis(wy_runner *runner, wy_message *message);

#endif
