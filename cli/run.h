/* SPDX-License-Identifier: MIT */
/* What the files of `withy run` share: run.c takes the request and runs it, as `withy sweep --point` does, run_words.c
 * says how it went. */
#ifndef WY_CLI_RUN_H
#define WY_CLI_RUN_H

#include "cli/cli.h"
#include "run/results/results.h"

typedef struct wy_run_request {
  const char *scenario, *folder;
  const char **settings;
  int setting_count;
  int threads; /* 0: as many as there are cores */
  bool quiet, resume;
} wy_run_request;

/* Runs a scenario that was read, with progress, signals and report; returns the exit status. */
int wy_run_start(const wy_run_request *asked, wy_scenario *scenario);

/* Prints what the user should know of a run that was not refused, and returns the exit status. */
int wy_run_print(const wy_run_request *asked, const wy_run_def *def, const wy_run_report *report);

#endif
