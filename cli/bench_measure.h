/* SPDX-License-Identifier: MIT */
/* Times of a whole run, beside those of its computing. For benchmarks. */
#ifndef WY_CLI_BENCH_MEASURE_H
#define WY_CLI_BENCH_MEASURE_H

#include "withy/run.h"

/* Seconds by the clock on the wall, and of the processor. */
typedef struct wy_seconds {
  double wall, processor;
} wy_seconds;

wy_seconds wy_seconds_now(void);
/* The smaller of what it was and what has passed since. */
void wy_seconds_keep(wy_seconds *smallest, wy_seconds since);

typedef struct wy_run_times {
  wy_seconds computing, whole; /* smallest of all repetitions */
  long rows, snapshots;
} wy_run_times;

/* Looks at the motion at the times of the rows; NULL: nobody does. */
typedef void wy_bench_look(void *context, wy_sim *sim, double t);

/* The scenario `repetitions` times, without files and with files in the folder. */
wy_status wy_bench_measure(wy_scenario *scenario, const char *folder, int repetitions, wy_bench_look *look,
                           void *context, wy_run_times *out, wy_message *message);

enum { WY_BENCH_FOLDER = 96 };
/* A new folder among those for temporary files; false, with a message, where there can be none. Removes it with the
   files of a run. */
bool wy_bench_folder_make(const char *benchmark, char folder[WY_BENCH_FOLDER]);
void wy_bench_folder_remove(const char *folder);

#endif
