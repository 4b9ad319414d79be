/* SPDX-License-Identifier: MIT */
/* The folder of a sweep beside its journal: what it is about, what is removed, what is made of all rows. Inner header
   of run/sweep/. */
#ifndef WY_RUN_SWEEP_FILES_H
#define WY_RUN_SWEEP_FILES_H

#include "run/sweep/journal.h"

/* Removes what an earlier sweep has left: results, and for a whole sweep all journals but that of the part, which is
   open and has its head; a part leaves the journals of its plan alone. Refused if a process is computing a part of
   another plan. */
wy_status wy_sweep_clear(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message);

/* Whether it is not refused. Before the journal of the part is opened: two parts that start would wait for each other.
 */
wy_status wy_sweep_may_clear(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message);

/* Writes plan.yaml and sweep.json, unless they are there. Parts may do so at the same time. */
wy_status wy_sweep_write_about(const char *folder, const wy_plan *plan, int part, int parts, wy_message *message);

/* All files of series of a folder, open. */
typedef struct wy_series_set {
  int *files;              /* [count] */
  wy_part_file *names;     /* [count] */
  uint64_t *whole;         /* [count]: where the last complete record ends */
  wy_series_place *places; /* [points]; `file` counts from 1 */
  int count;
} wy_series_set;
wy_status wy_series_set_open(wy_series_set *set, const char *folder, int points, wy_message *message);
void wy_series_set_close(wy_series_set *set);

/* What wy_sweep_collect does. */
wy_status wy_sweep_gather(const char *folder, bool hdf5, wy_sweep_counts *counts, wy_message *message);

/* Columns of sweep.csv, as sweep.json has them. */
typedef struct wy_sweep_about {
  const char *scenario;
  int parameter_count, quantity_count, series_count;
  const char *const *parameters, *const *quantities, *const *units; /* units of the quantities */
  const wy_kept_series *series;
} wy_sweep_about;

/* Writes sweep.h5 of the rows that are there. */
wy_status wy_sweep_write_h5(const char *folder, const wy_sweep_about *about, const wy_rows *rows,
                            const wy_series_set *set, wy_message *message);

#endif
