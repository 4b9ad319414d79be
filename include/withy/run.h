/* SPDX-License-Identifier: MIT */
/* A whole run: computes the analysis of a scenario and writes the results into a folder. `withy run` calls this
   function. Nothing here prints, catches signals or ends the process.

     wy_run_def def = wy_default_run_def();
     def.scenario = scenario;
     def.folder = "arm.out";
     wy_run_report report;
     wy_message message;
     if (wy_run(&def, &report, &message) != WY_OK)
       fprintf(stderr, "%s\n", message.text);
     wy_run_report_free(&report);

   This is a separate library, libwithy_run, which needs HDF5. docs/guide/embedding.md shows complete programs;
   docs/guide/results.md describes the files. */
#ifndef WITHY_RUN_H
#define WITHY_RUN_H

#include "withy/judge.h"
#include "withy/scenario.h"
#include "withy/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For wy_scenario_read_using, what reads HDF5 files: the dataset `distance` [nx][ny][nz] in metres, negative inside,
   with the attributes `origin`, three numbers, and `step`, one or three, of the dataset or of the file. WY_ERROR_FILE:
   it cannot be read; WY_ERROR_INPUT: it has no such grid. */
WY_API wy_status wy_distance_file(const char *path, char **text, wy_message *message);

/* Processes that share the rods of all batches of a run. Rank 0 calls wy_run, owns all files and computes what is not a
   batch; the others call wy_run_serve with the same scenario. The results are those of one process, bit for bit. The
   functions talk to the other processes, for all of which they do not return before that is done; processes that lose
   each other are the business of whoever has them. `withy-mpi batch` has them on MPI. */
typedef struct wy_ranks {
  int rank, count;
  void *context;
  /* Bytes of rank 0 to all others. All call it together, as they do the next one. */
  void (*tell)(void *context, void *bytes, size_t size);
  /* Makes each of the numbers its sum over all ranks, and `least` the least of them. */
  void (*combine)(void *context, double *sums, int count, double *least);
  /* From one rank to another. */
  void (*send)(void *context, int to, const void *bytes, size_t size);
  void (*receive)(void *context, int from, void *bytes, size_t size);
} wy_ranks;

/* What to run, and where the results go. Fill it with wy_default_run_def first. */
typedef struct wy_run_def {
  uint32_t cookie, size; /* set by wy_default_run_def */
  wy_scenario
      *scenario; /* its model and simulation pass to the report (wy_scenario_build); it must outlive the report */
  /* It is created if it does not exist; results of an earlier run in it are replaced. NULL: the run writes no files,
     and `row` gets its rows. All else is the same. Threads may make such runs at the same time, each of its own
     scenario. */
  const char *folder;
  bool resume; /* continue the interrupted or killed run in the folder; the results are the same as without a break */
  /* Passed to all callbacks. Each of them may be NULL. wy_run calls `progress` and `interrupted` at every output time
     and at least every tenth of a second, unless a single step takes longer. */
  void *context;
  /* The simulated time that was reached, and the end time. */
  void (*progress)(void *context, double t, double end);
  /* If it returns true, the run stops, its files are completed, and it can be resumed. */
  bool (*interrupted)(void *context);
  /* A row of probes.csv: its time and the values of scenario->columns, valid during the call. */
  void (*row)(void *context, double t, const double *values);
  const wy_ranks *ranks; /* optional: the batches are shared with other processes; this is rank 0 */
} wy_run_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_run_def(wy_run_def *def, size_t size);
/* No scenario, no folder, no callbacks: set the first, and `folder` or `row`. */
static inline wy_run_def wy_default_run_def(void) {
  wy_run_def def;
  wy_init_run_def(&def, sizeof def);
  return def;
}

/* How a run ended. */
typedef enum wy_run_end {
  WY_RUN_DONE,
  WY_RUN_FAILED,
  WY_RUN_INTERRUPTED,
  WY_RUN_WRONG,   /* it reached its end or was stopped, and the result is known to be wrong */
  WY_RUN_REFUSED, /* nothing ran and no file was changed: the definition or the folder is wrong, or there is nothing to
                     resume */
  WY_RUN_COMPLETE /* the run to resume was already complete */
} wy_run_end;

/* A vibration mode or a buckling mode. */
typedef struct wy_run_mode {
  int rod;              /* the first rod of its group (withy/sim.h); -1 if the group consists of bodies */
  double value;         /* angular frequency, or the factor of the loads */
  double damping_ratio; /* 0 for buckling */
  bool limit_point;     /* false for vibrations */
  int index;            /* in the mode sets of the group */
  int group;
} wy_run_mode;

/* The outcome of a run. wy_run always fills it, also after a failure. wy_run_report_free releases its memory. */
typedef struct wy_run_report {
  wy_run_end end;
  char message[1200];       /* why the run failed, was interrupted or is wrong, or a note on the result; or "" */
  bool resumable;           /* the run can be continued with `resume` */
  double t_end;             /* the last time on disk */
  long rows;                /* of probes.csv */
  long snapshots;           /* of result.h5 */
  double wall_seconds;      /* of the whole run; breaks between an interruption and its resumption are not included */
  double file_seconds;      /* time of this call spent on files, except for the summary */
  double realtime_factor;   /* simulated time divided by wall time; 0 for all analyses except dynamics */
  double drift;             /* energy drift; NAN for all analyses except dynamics */
  wy_statistics statistics; /* of all rods together; in statics and quasistatics each equilibrium counts as a step */
  wy_equilibrium_info equilibrium; /* of all rods together; only for analyses with equilibria */

  /* Owned by the report; NULL and 0 if there are none. */
  wy_model *model;
  wy_sim *sim;          /* the simulation at the end of the run */
  wy_finding *findings; /* from before the run (wy_scenario_check) and about the result (wy_sim_verify), worst first */
  int finding_count;
  wy_run_mode *modes; /* sorted by ascending value */
  int mode_count;
  struct wy_batches *kept; /* what the batches belong to */
  int batch_count;
  wy_batch **batches; /* [batch_count] at the end of the run, in the order of the scenario; with ranks: the own parts */
  wy_model *patterns; /* the model of their patterns */
} wy_run_report;

/* Runs the scenario to its end, or until it is interrupted or fails. In all cases the files on disk are complete and
   readable. After a kill of the process they are readable too, and the run can be resumed.
   WY_OK: the run is done, was already complete, or was interrupted; report->end says which. WY_ERROR_RESULT: the result
   is known to be wrong, but it is on disk. Any other status: the run was refused or failed, and `message` says why. */
WY_API wy_status wy_run(const wy_run_def *def, wy_run_report *report, wy_message *message);

/* The other ranks: moves their rods of the batches until rank 0 has ended its run. `interrupted` may be NULL; if it
   returns true, rank 0 stops as if it were its own. Failures are told to rank 0. */
WY_API wy_status wy_run_serve(const wy_scenario *scenario, const wy_ranks *ranks, bool (*interrupted)(void *context),
                              void *context, wy_message *message);

/* Releases the memory of the report and clears it. NULL does nothing. */
WY_API void wy_run_report_free(wy_run_report *report);

#ifdef __cplusplus
}
#endif
#endif
