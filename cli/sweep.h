/* SPDX-License-Identifier: MIT */
/* What programs that compute sweeps share, `withy sweep` and those on many machines: the request, the plan, the words.
 */
#ifndef WY_CLI_SWEEP_H
#define WY_CLI_SWEEP_H

#include "cli/cli.h"
#include "withy/sweep.h"

/* Codes of the options without a letter. */
enum {
  WY_SWEEP_PART = WY_LONG_ONLY,
  WY_SWEEP_RESUME,
  WY_SWEEP_COLLECT,
  WY_SWEEP_LIST,
  WY_SWEEP_POINT,
  WY_SWEEP_HDF5,
  WY_SWEEP_NO_PAGE
};

typedef struct wy_sweep_request {
  const char *plan, *folder; /* the folder is never NULL once the request is read */
  const char *collect;       /* the folder whose parts are put together, or NULL */
  const char **settings;
  int setting_count;
  int threads; /* 0: as many as there are cores */
  int part, parts;
  int point; /* to be computed as a whole run; -1: none */
  bool resume, quiet, list, hdf5, no_page;
  bool batch;     /* the plan computes all points at once */
  char name[300]; /* where the folder has none of its own */
} wy_sweep_request;

/* Fills the request from the arguments of a verb with the options of wy_verb_sweep; `settings` has room for argc texts.
   Returns a negative number, or the exit status where there is nothing to do. */
int wy_sweep_arguments(int argc, char **argv, wy_sweep_request *asked);

/* Reads the plan, which may name built-in scenarios. Returns WY_EXIT_DONE and *plan, or prints the reason. */
int wy_sweep_load(const wy_sweep_request *asked, wy_plan **plan);

/* A number of threads; -1 if it is none. */
enum { WY_MOST_THREADS = 10000 };
int wy_read_threads(const char *text);

/* The cores that this process may use. */
int wy_sweep_cores(void);

/* Prints why a sweep cannot begin or go on, and returns the exit status. */
int wy_sweep_refuse(wy_status status, const wy_message *message);

/* Who computes the points: threads of this process, or other processes, too. */
typedef struct wy_sweep_workers {
  const char *command; /* how the sweep is continued: "withy sweep" */
  /* Computes the missing points of an open sweep; `who` is to be filled with who did: "2 threads". */
  wy_status (*compute)(void *context, wy_sweep *sweep, char who[60], wy_message *message);
  void *context;
} wy_sweep_workers;

/* That of a wy_sweep_request: with threads of this process. */
wy_status wy_sweep_compute(void *context, wy_sweep *sweep, char who[60], wy_message *message);

/* The whole sweep of a request: opens it, has it computed, closes it and says how it went. Returns the exit status. */
int wy_sweep_perform(const wy_sweep_request *asked, const wy_plan *plan, const wy_sweep_workers *workers);

/* Draws the page if all rows are there and it is wanted, says how it went and returns the exit status. `seconds` is the
   wall time, `workers` who computed: "2 threads". */
int wy_sweep_print(const wy_sweep_request *asked, const wy_sweep_counts *counts, double seconds, const char *workers);

#endif
