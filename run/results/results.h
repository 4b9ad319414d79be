/* SPDX-License-Identifier: MIT */
/* The result folder of a run: which rows and snapshots are due, and everything that is left in the folder (probes.csv,
   steps.csv, result.h5, result.xdmf, path.csv, modes.csv, buckling.csv, summary.json, checkpoint). A run is a loop that
   takes the simulation to wy_results_due and calls wy_results_record. No physics here. */
#ifndef WY_RUN_RESULTS_RESULTS_H
#define WY_RUN_RESULTS_RESULTS_H

#include "run/results/batches.h"
#include "run/results/modes.h"
#include "run/scenario/scenario.h"
#include "withy/run.h"

/* Version of the formats of result.h5 and summary.json: 2 where copies of rods share datasets and entries, else 1. */
static inline int wy_results_format(bool shared) {
  return shared ? 2 : 1;
}

/* All of it must outlive the results. */
typedef struct wy_results_def {
  const char *folder; /* NULL: there are no files; rows and snapshots are checked and counted */
  const wy_scenario *scenario;
  const wy_model *model;
  wy_sim *sim;
  /* Called for every row with t and the values of the scenario's columns, unless it is NULL. */
  void (*row)(void *context, double t, const double *values);
  void *context;
  wy_batches *batches;        /* or NULL */
  const wy_mode_table *modes; /* once they are found (wy_results_add_modes) */
} wy_results_def;

typedef struct wy_results wy_results;

/* Creates the folder, or removes the results of an earlier run from it. WY_ERROR_INPUT: the folder cannot be used.
   Without a folder the HDF5 library is not called, so that several threads may have results at the same time. */
wy_status wy_results_create(const wy_results_def *def, wy_results **out, wy_message *message);
/* Restores the simulation from the checkpoint in the folder and continues its files. A run for a single state starts
   again. WY_OK and *out = NULL: the run is already complete. WY_ERROR_INPUT: there is nothing to resume, or the folder
   contains a different run. */
wy_status wy_results_resume(const wy_results_def *def, wy_results **out, wy_message *message);

/* Nothing was recorded yet: the simulation is as it was created. */
bool wy_results_empty(const wy_results *results);
/* The time of the next row or snapshot, INFINITY after the last. */
double wy_results_due(const wy_results *results);
/* The row, the snapshot or both that are due; the simulation shows their time. They may wait in memory for a tenth of a
   second before they are put on disk with others. */
wy_status wy_results_record(wy_results *results, wy_message *message);
/* Writes all waiting rows and snapshots to disk. */
wy_status wy_results_flush(wy_results *results, wy_message *message);
/* The present state as next row of path.csv. */
wy_status wy_results_record_path(wy_results *results, wy_message *message);
/* Writes modes.csv or buckling.csv, and the shapes into result.h5. The table must live until wy_results_finish. */
wy_status wy_results_add_modes(wy_results *results, const wy_mode_table *modes, wy_message *message);
/* Puts everything on disk; from here the run can be resumed. */
wy_status wy_results_checkpoint(wy_results *results, wy_message *message);
/* Wall time of the whole run; breaks between an interruption and its resumption are not included. */
double wy_results_wall_seconds(const wy_results *results);

/* Completes the files, writes the summary and frees everything. The caller sets end, message, resumable and the
   findings of `report`. If a file cannot be completed, `end` becomes WY_RUN_FAILED, `message` is the reason, and the
   status of the first such failure is returned. */
wy_status wy_results_finish(wy_results *results, wy_run_report *report);

/* The findings from before the run, except for predictions that the result confirms or refutes, and the findings about
   the result; worst first. The caller frees the list. */
typedef struct wy_findings_list {
  wy_finding *list;
  int count;
} wy_findings_list;
wy_findings_list wy_results_findings(const wy_results_def *def);
/* The text of a finding with its remedy. True: it is a warning or an error. */
enum { WY_WARNING_SIZE = 800 };
bool wy_results_warning(const wy_finding *finding, char text[WY_WARNING_SIZE]);

/* The method of a rod: the integrator, or for equilibria "load_stepping" or "arc_length". */
const char *wy_results_method_name(const wy_scenario *scenario, const wy_sim *sim, int rod);
/* The value of a signal of the model. */
double wy_results_signal(const wy_signal *signal, double s, double t);
/* The options of a rod's solver; -1: of bodies without rods. */
const wy_solver_def *wy_results_solver(const wy_scenario *scenario, int rod);

#endif
