/* SPDX-License-Identifier: MIT */
/* Sweeps: many runs of one scenario with varied values. A plan (YAML or JSON) says which scenario, what varies and what
   to keep of each run; `withy sweep` computes it. Every row equals that of `withy run --set`, bit for bit,
   unless the plan computes all points as one batch.

     wy_plan_def def = wy_default_plan_def();
     def.label = "sag.yaml";
     wy_plan *plan;
     wy_scenario_error error;
     if (wy_plan_read(&def, &plan, &error) != WY_OK)
       fprintf(stderr, "%s\n%s", error.text, error.excerpt);

     wy_sweep_row row;
     for (int point = 0; point < wy_plan_point_count(plan); point++) {
       wy_sweep_point(plan, point, NULL, NULL, &row, NULL);
       printf("%d %s %g\n", point, wy_point_status_name(row.status), row.quantities[0]);
       wy_sweep_row_free(&row);
     }
     wy_plan_destroy(plan);

   A wy_sweep does the same with files: rows go into a journal at once, and a sweep that was killed can be resumed.
   Nothing here starts a thread, prints, catches signals or ends the process. The caller's threads share a plan and a
   sweep: each calls wy_sweep_work. This is part of libwithy_run. docs/guide/sweep.md describes plans and files. */
#ifndef WITHY_SWEEP_H
#define WITHY_SWEEP_H

#include "withy/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Plans ---- */

/* What varies and what is kept. Constant: threads may share it. Points, parameters, quantities and series are numbered
   from 0. */
typedef struct wy_plan wy_plan;

/* Where a plan comes from. Fill it with wy_default_plan_def first. Nothing of it is needed after wy_plan_read. */
typedef struct wy_plan_def {
  uint32_t cookie, size; /* set by wy_default_plan_def */
  const char *label; /* name of the plan in messages; the scenario is looked for in its folder. JSON if it ends so */
  const char *text;  /* the plan; NULL: it is read from the file `label` */
  const char *const *settings; /* PATH=VALUE of all points, after those of the plan's key `set` */
  int setting_count;
  /* Scenarios in memory, by name: the plan may name one where no file has that name. The built-in ones of the command
     are not part of the library. */
  int scenario_count;
  const wy_scenario_file *scenarios;
  int file_count;
  const wy_scenario_file *files; /* tables that a scenario in memory may name */
} wy_plan_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_plan_def(wy_plan_def *def, size_t size);
/* No label, no text, no settings: set the first one. */
static inline wy_plan_def wy_default_plan_def(void) {
  wy_plan_def def;
  wy_init_plan_def(&def, sizeof def);
  return def;
}

/* Reads a plan and checks it: keys, values, and that the scenario with the settings of point 0 has what the plan names.
   Returns as wy_scenario_read_file does; on failure *plan is NULL, and `error` (which may be NULL) says why. */
WY_API wy_status wy_plan_read(const wy_plan_def *def, wy_plan **plan, wy_scenario_error *error);
/* Destroying NULL does nothing. */
WY_API void wy_plan_destroy(wy_plan *plan);

/* A hash of all that decides on the rows: the texts of plan, settings, scenario and the files that it names, and the
   version of withy. */
WY_API uint64_t wy_plan_identity(const wy_plan *plan);
/* Are all points the rods of one batch (`batch: true`)? Then they are computed together: by wy_sweep_batch or
   wy_sweep_work, not one by one. */
WY_API bool wy_plan_is_batch(const wy_plan *plan);
/* The name of the scenario, as the plan has it. */
WY_API const char *wy_plan_scenario(const wy_plan *plan);

/* The number of points. */
WY_API int wy_plan_point_count(const wy_plan *plan);

/* What varies: "rods.arm.segments". */
WY_API int wy_plan_parameter_count(const wy_plan *plan);
WY_API const char *wy_plan_parameter(const wy_plan *plan, int parameter);
/* The value of a parameter at a point, as in PATH=VALUE. Works like snprintf: writes at most `size` bytes with the zero
   at the end, and returns the length of the whole value. */
WY_API size_t wy_plan_value(const wy_plan *plan, int point, int parameter, char *text, size_t size);
/* The same as a number, without its unit; NAN if it is none. */
WY_API double wy_plan_number(const wy_plan *plan, int point, int parameter);
/* The setting PATH=VALUE number `setting` of a point, the fixed ones first; works as wy_plan_value. `withy run --set`
   with all of them, in this order, gives the row. */
WY_API int wy_plan_setting_count(const wy_plan *plan);
WY_API size_t wy_plan_setting(const wy_plan *plan, int point, int setting, char *text, size_t size);

/* What is kept as one number of each run. */
WY_API int wy_plan_quantity_count(const wy_plan *plan);
WY_API const char *wy_plan_quantity(const wy_plan *plan, int quantity);
/* Its unit in SI; "" if it is not known, "1" if it has none. */
WY_API const char *wy_plan_quantity_unit(const wy_plan *plan, int quantity);

/* What is kept as a course in time: columns of probes.csv. */
WY_API int wy_plan_series_count(const wy_plan *plan);
WY_API const char *wy_plan_series(const wy_plan *plan, int series);
WY_API int wy_plan_series_column_count(const wy_plan *plan, int series);
/* "tip.x". */
WY_API const char *wy_plan_series_column(const wy_plan *plan, int series, int column);

/* ---- Points ---- */

/* How the run of a point ended. */
typedef enum wy_point_status {
  WY_POINT_DONE,
  WY_POINT_WRONG,      /* the result is known to be wrong, or something to keep has no value */
  WY_POINT_FAILED,     /* the run failed */
  WY_POINT_REFUSED,    /* the settings of the point are wrong: nothing ran */
  WY_POINT_INTERRUPTED /* the caller wished it: there is no row */
} wy_point_status;

/* "done", "wrong", "failed", "refused", "interrupted"; NULL for another number. */
WY_API const char *wy_point_status_name(wy_point_status status);

/* The course of some columns. */
typedef struct wy_sweep_series {
  int row_count, column_count;
  const double *times;  /* [row_count] */
  const double *values; /* [row_count * column_count], row by row */
} wy_sweep_series;

/* What is known of a point. wy_sweep_point and wy_sweep_row_unpack fill it; wy_sweep_row_free releases its memory. */
typedef struct wy_sweep_row {
  int point;
  wy_point_status status;
  char message[2048]; /* the sentence that `withy run` prints if the run is not done, or a note; one line; or "" */
  int quantity_count;
  const double *quantities; /* [quantity_count]; NAN where there is no value */
  int series_count;
  const wy_sweep_series *series; /* [series_count]; without rows where the run has none */
  void *memory;                  /* of the arrays */
} wy_sweep_row;

/* Computes a point in memory; no file is written. `interrupted` may be NULL; if it returns true the run stops. A run
   that fails gives a row, and WY_OK. Other statuses: WY_ERROR_INPUT for wrong arguments, WY_ERROR_MEMORY for a row that
   there is no memory for; then the row is empty. */
WY_API wy_status wy_sweep_point(const wy_plan *plan, int point, bool (*interrupted)(void *context), void *context,
                                wy_sweep_row *row, wy_message *message);
/* Releases the memory of a row and clears it. NULL does nothing. */
WY_API void wy_sweep_row_free(wy_sweep_row *row);

/* A row as bytes, to be sent to another process on a machine of the same kind: their number, the bytes, the row. */
WY_API size_t wy_sweep_row_size(const wy_sweep_row *row);
WY_API wy_status wy_sweep_row_pack(const wy_sweep_row *row, void *bytes, size_t size, wy_message *message);
WY_API wy_status wy_sweep_row_unpack(const void *bytes, size_t size, wy_sweep_row *row, wy_message *message);

/* ---- Sweeps with files ---- */

/* One part of a sweep, or the whole, in a folder. Threads may share it. */
typedef struct wy_sweep wy_sweep;

/* Fill it with wy_default_sweep_def first. */
typedef struct wy_sweep_def {
  uint32_t cookie, size; /* set by wy_default_sweep_def */
  const wy_plan *plan;   /* it must outlive the sweep */
  int part, parts;       /* part 1 to `parts`: point p belongs to part p % parts + 1 */
  bool resume;           /* keep the rows that the folder has of this plan */
  bool hdf5;             /* write sweep.h5 also if the plan keeps no series */
  const char *folder;    /* it is created if it does not exist; an earlier sweep in it is replaced */
} wy_sweep_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_sweep_def(wy_sweep_def *def, size_t size);
/* No plan, no folder, part 1 of 1: set the first two. */
static inline wy_sweep_def wy_default_sweep_def(void) {
  wy_sweep_def def;
  wy_init_sweep_def(&def, sizeof def);
  return def;
}

/* How many points have which status. */
typedef struct wy_sweep_counts {
  int points; /* of this part; of all parts after wy_sweep_collect */
  int done, wrong, failed, refused;
  int missing; /* points without a row */
  int before;  /* those that had a row when the sweep was opened */
} wy_sweep_counts;

/* Makes or opens the journal of the part. WY_ERROR_INPUT: the definition or the folder is wrong, another process writes
   this part, or with `resume` the folder has rows of another plan. */
WY_API wy_status wy_sweep_open(const wy_sweep_def *def, wy_sweep **sweep, wy_message *message);
/* The next point that has no row and that nobody was given yet, or -1 if there is none. */
WY_API int wy_sweep_next(wy_sweep *sweep);
/* Writes a row to the journal; it is on disk when the function returns. A point that has a row keeps it. After a
   failure wy_sweep_next returns -1. */
WY_API wy_status wy_sweep_record(wy_sweep *sweep, const wy_sweep_row *row, wy_message *message);
/* wy_sweep_next, wy_sweep_point and wy_sweep_record until there is no point left or `interrupted` (which may be NULL)
   returns true: what each thread of the caller does. A batch is computed by the first of them. */
WY_API wy_status wy_sweep_work(wy_sweep *sweep, bool (*interrupted)(void *context), void *context, wy_message *message);
/* The same for a plan whose points are one batch, in this thread and those of the tasks, which may be NULL. Rows are
   there for any number of threads with the same bits, and all at once: what is interrupted begins anew. WY_ERROR_INPUT:
   the plan is none. */
WY_API wy_status wy_sweep_batch(wy_sweep *sweep, const wy_tasks *tasks, bool (*interrupted)(void *context),
                                void *context, wy_message *message);
/* How far it is. May be called at any time from any thread. */
WY_API wy_sweep_counts wy_sweep_progress(wy_sweep *sweep);
/* Closes the journal and frees the sweep. If the part is the whole and every point has a row, sweep.csv is written, and
   sweep.h5 where it is wanted. `counts` may be NULL. No thread may use the sweep any more. NULL does nothing. */
WY_API wy_status wy_sweep_close(wy_sweep *sweep, wy_sweep_counts *counts, wy_message *message);

/* Puts the rows of all parts in a folder together: writes sweep.csv, and sweep.h5 if `hdf5` or if series were kept.
   Rows that are missing are left out: WY_ERROR_RESULT, and the message names their parts or points. WY_ERROR_INPUT: the
   folder contains no sweep. `counts` may be NULL. */
WY_API wy_status wy_sweep_collect(const char *folder, bool hdf5, wy_sweep_counts *counts, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
