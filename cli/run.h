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
  const wy_ranks *ranks; /* other processes with which it shares batches, or NULL */
  const char *command;   /* what to type to run it again; NULL: withy run */
  char usual[264];       /* the folder where none is given */
} wy_run_request;

/* Reads the arguments of `withy run`; `settings` has room for argc of them. Returns a negative number, or the exit
   status where there is nothing to run. */
int wy_run_arguments(int argc, char **argv, wy_run_request *asked);
/* Reads the scenario and chooses the folder where none is given. Returns an exit status; after WY_EXIT_DONE there is a
   scenario to be destroyed. */
int wy_run_load(wy_run_request *asked, wy_scenario **scenario);

/* Runs a scenario that was read, with progress, signals and report; returns the exit status. */
int wy_run_start(const wy_run_request *asked, wy_scenario *scenario);

/* Prints what the user should know of a run that was not refused, and returns the exit status. */
int wy_run_print(const wy_run_request *asked, const wy_run_def *def, const wy_run_report *report);

#endif
