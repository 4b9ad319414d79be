/* SPDX-License-Identifier: MIT */
/* Private header of run/results/: results.c records, files.c opens and removes files. */
#ifndef WY_RUN_RESULTS_INSIDE_H
#define WY_RUN_RESULTS_INSIDE_H

#include "run/results/checkpoint.h"
#include "run/results/csv.h"
#include "run/results/h5_layout.h"
#include "run/results/results.h"
#include "run/results/xdmf.h"
#include "run/tree/pool.h"

struct wy_results {
  wy_pool pool;
  wy_results_def def;
  const char *probes, *h5_path, *xdmf, *summary, *checkpoint; /* paths of the files */
  const char *steps, *path, *modes, *buckling;
  const char *reserve; /* a file that reserves disk space for the summary, in case the disk is full */
  bool reserved;
  int lock; /* the folder, locked against a second run */
  uint64_t identity;
  long row_count, snapshot_count; /* of the complete run */
  wy_csv *csv;
  wy_csv *steps_csv, *path_csv; /* or NULL */
  wy_h5 *h5;
  /* Without a folder there are no files. What would be a snapshot is checked, rows and snapshots are counted. */
  wy_h5_def memory_def;
  wy_h5_layout layout;
  double *snapshot; /* [layout.values] */
  double *row;      /* [column_count], for the caller */
  long rows_met, snapshots_met;
  double time_met;  /* of the last of them */
  double last_time; /* of a row or snapshot on disk when the files were opened */
  double flushed;   /* wall time at which rows and snapshots were put on disk last */
  wy_strands **strands;
  wy_xdmf_lines *xdmf_lines; /* rods, bodies, obstacles, then strands */
  int xdmf_count;
  long xdmf_snapshots, xdmf_capacity; /* as last written */
  double wall_before;                 /* of the runs that this one resumes */
  double started;                     /* wall time */
  double file_seconds;                /* spent on files up to now */
};

/* Everything except open files; NULL if there is not enough memory. */
wy_results *wy_results_new(const wy_results_def *def);
/* Closes all open files and frees everything. */
void wy_results_destroy(wy_results *results);
/* The strands of the scenario. */
wy_status wy_results_make_strands(wy_results *results, wy_message *message);

/* What a run without files needs. */
wy_status wy_results_no_files(wy_results *results, wy_message *message);
/* Two runs in one folder would spoil each other's files. The lock goes with the process; where a file system has none,
   do without. */
wy_status wy_results_lock(wy_results *results, wy_message *message);
/* Removes the files of an earlier run. */
wy_status wy_results_remove_old_files(const wy_results *results, wy_message *message);
/* Creates all files without rows, in a folder that has none of an earlier run. */
wy_status wy_results_new_files(wy_results *results, wy_message *message);
/* Opens the files and restores their content at the time of the checkpoint. */
wy_status wy_results_old_files(wy_results *results, const wy_checkpoint *saved, wy_message *message);

/* A file that may be missing. */
wy_status wy_results_remove(const char *path, wy_message *message);
/* result.xdmf of the snapshots that are on disk. */
wy_status wy_results_write_xdmf(wy_results *results, wy_message *message);

#endif
