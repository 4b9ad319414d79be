/* A whole run: a scenario is taken through its analysis, and the results are left in a folder. This is what
   `withy run` does, without its words: nothing here prints, catches signals or ends the process.

     wy_run_def def = wy_default_run_def();
     def.scenario = scenario;
     def.folder = "arm.out";
     wy_run_report report;
     wy_message message;
     if (wy_run(&def, &report, &message) != WY_OK)
       fprintf(stderr, "%s\n", message.text);
     wy_run_report_free(&report);

   A part of its own, libwithy_run, which needs HDF5. docs/guide/embedding.md shows complete programs;
   docs/guide/results.md describes the files. */
#ifndef WITHY_RUN_H
#define WITHY_RUN_H

#include "withy/judge.h"
#include "withy/scenario.h"
#include "withy/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to run, and where the results go. Fill it with wy_default_run_def first. */
typedef struct wy_run_def {
  wy_scenario *scenario; /* gives its model and simulation away (wy_scenario_build), and must outlive the report */
  const char *folder;    /* is made where there is none; results of an earlier run in it are replaced */
  bool resume;           /* go on with the run in the folder that was interrupted or killed, to the same results */
  /* Handed to both callbacks, which may be NULL. They are called from within wy_run, at every output time and between
     pieces of work of a tenth of a second at most, unless a single step of a large rod takes longer. */
  void *context;
  /* The simulated time that was reached, of `end`. */
  void (*progress)(void *context, double t, double end);
  /* True: the run stops, its files are completed, and it can be resumed. */
  bool (*interrupted)(void *context);
  uint32_t cookie; /* set by wy_default_run_def */
} wy_run_def;

/* No scenario, no folder, no callbacks: set the first two. */
WY_API wy_run_def wy_default_run_def(void);

/* How a run ended. */
typedef enum wy_run_end {
  WY_RUN_DONE,
  WY_RUN_FAILED,
  WY_RUN_INTERRUPTED,
  WY_RUN_WRONG,   /* it came to its end, or was stopped, with a result that is known to be wrong */
  WY_RUN_REFUSED, /* nothing ran and no file was touched: the definition, the folder, or nothing to resume */
  WY_RUN_COMPLETE /* nothing was left to do: the run to resume had come to its end before */
} wy_run_end;

/* A vibration, or a way to buckle. */
typedef struct wy_run_mode {
  int rod;
  double value;         /* angular frequency, or the factor of the loads */
  double damping_ratio; /* 0 for buckling */
  bool limit_point;     /* false for vibrations */
  int index;            /* in the mode set of the rod */
} wy_run_mode;

/* What is known of a run after it. Filled by wy_run whatever happened; wy_run_report_free releases what it owns. */
typedef struct wy_run_report {
  wy_run_end end;
  char message[1200];     /* why it failed, was interrupted or is wrong, or what should be known of the result; or "" */
  bool resumable;         /* with `resume` it would go on from where it stopped */
  double t_end;           /* the last time on disk */
  long rows;              /* of probes.csv */
  long snapshots;         /* of result.h5 */
  double wall_seconds;    /* since the run was started first, without the time between an end and a resumption */
  double file_seconds;    /* the part of this call that went into files, but for the summary */
  double realtime_factor; /* simulated time over wall time; 0 but for dynamics */
  double drift;           /* of energy; NAN but for dynamics */
  wy_statistics statistics;        /* of all rods together; equilibria count as steps but in dynamics */
  wy_equilibrium_info equilibrium; /* of all rods together, where there are equilibria */

  /* Owned by the report; NULL and 0 where there are none. */
  wy_model *model;
  wy_sim *sim;          /* the simulation as the run left it */
  wy_finding *findings; /* before the run (wy_scenario_check) and of the result (wy_sim_verify), worst first */
  int finding_count;
  wy_run_mode *modes; /* ascending */
  int mode_count;
} wy_run_report;

/* Runs the scenario to its end, or until it is interrupted or fails. Whatever happens, files that were begun are
   complete and can be read, and a run that is killed leaves files that can be read and resumed.
   WY_OK: done, complete already or interrupted, as report->end tells. WY_ERROR_RESULT: the result is known to be wrong;
   it is on disk all the same. Any other status: the run was refused or failed, and `message` says why. */
WY_API wy_status wy_run(const wy_run_def *def, wy_run_report *report, wy_message *message);

/* Releases what the report owns and empties it. NULL does nothing. */
WY_API void wy_run_report_free(wy_run_report *report);

#ifdef __cplusplus
}
#endif
#endif
