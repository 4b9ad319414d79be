/* SPDX-License-Identifier: MIT */
/* Tables of a run: a header line, then one row per output time. Rows wait in memory until they are flushed, many at
   once; the file holds complete lines only, also where a disk is full or the run was killed. */
#ifndef WY_RUN_RESULTS_CSV_H
#define WY_RUN_RESULTS_CSV_H

#include "run/results/batches.h"
#include "run/scenario/scenario.h"

typedef struct wy_csv wy_csv;

typedef enum wy_csv_kind {
  WY_CSV_PROBES, /* t and the probes */
  WY_CSV_PATH,   /* the same for every equilibrium of a path, with a first column `step` that counts them from 0 */
  WY_CSV_STEPS   /* t, and the statistics of the solver of every rod and every batch */
} wy_csv_kind;

typedef struct wy_csv_def {
  const char *path;
  const wy_scenario *scenario;
  wy_csv_kind kind;
  wy_batches *batches; /* or NULL */
} wy_csv_def;

/* Creates the file with its header line. */
wy_status wy_csv_create(const wy_csv_def *def, wy_csv **out, wy_message *message);
/* Continues a file that contains at least `rows` rows in `bytes` bytes; the rest of the file is removed. */
wy_status wy_csv_resume(const wy_csv_def *def, long rows, uint64_t bytes, wy_csv **out, wy_message *message);

/* One row of the present state of `sim`, which waits for wy_csv_flush. A value that is not finite is an error, and
   there is no row; but INFINITY stands as `inf` where the quantity may be that (wy_quantity_info.unbounded). */
wy_status wy_csv_append(wy_csv *csv, wy_sim *sim, wy_message *message);
/* Writes the rows that wait. Where not all of them fit, those that do are kept, and the others are gone. NULL is
   allowed, here and below. */
wy_status wy_csv_flush(wy_csv *csv, wy_message *message);

/* Number of rows, including those that wait. */
long wy_csv_rows(const wy_csv *csv);
/* Bytes on disk, and bytes that wait. */
uint64_t wy_csv_bytes(const wy_csv *csv);
size_t wy_csv_waiting(const wy_csv *csv);
/* The time of the last row that was put on disk since the file was opened, -INFINITY where there is none. */
double wy_csv_last_time(const wy_csv *csv);

/* Flushes, reports delayed write errors, and frees the object in any case. */
wy_status wy_csv_close(wy_csv *csv, wy_message *message);

#endif
