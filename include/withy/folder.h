/* SPDX-License-Identifier: MIT */
/* Reading the folder that a run wrote (docs/guide/results.md says what is in it). Part of libwithy_run.

     wy_folder *folder;
     const wy_probes *probes;
     if (wy_folder_open("pendulum.out", &folder, &message) == WY_OK &&
         wy_folder_probes(folder, &probes, &message) == WY_OK)
       for (int i = 0; i < probes->rows; i++)
         printf("%g %g\n", probes->time[i], probes->list[0].values[0][i]);
     wy_folder_close(folder);

   Each file is read once, when its content is requested for the first time. A damaged file does not affect the other
   files. All pointers that these functions return belong to the folder and are valid until wy_folder_close. The run may
   still be in progress, or it may have been killed: then the functions return the rows and snapshots that were complete
   when the file was read.

   Functions that return a status return WY_ERROR_INPUT if a file is damaged or was not written by a run, WY_ERROR_FILE
   if it cannot be read, and WY_ERROR_MEMORY if there is not enough memory. A missing file or dataset is not an error:
   the result is then NULL or a count of 0. Nothing here prints. Only one thread at a time may use a folder. */
#ifndef WITHY_FOLDER_H
#define WITHY_FOLDER_H

#include "withy/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A folder that was opened. */
typedef struct wy_folder wy_folder;

/* ---- The folder ---- */

/* WY_ERROR_INPUT: there is no such folder. No file of it is read yet. */
WY_API wy_status wy_folder_open(const char *path, wy_folder **out, wy_message *message);
/* NULL is allowed. */
WY_API void wy_folder_close(wy_folder *folder);

/* The path that was given to wy_folder_open. */
WY_API const char *wy_folder_path(const wy_folder *folder);
/* Does the folder contain a file of this name? */
WY_API bool wy_folder_has(const wy_folder *folder, const char *file);
/* WY_OK if the folder contains results: at least one row, one snapshot or one mode. WY_ERROR_INPUT if there are none.
 */
WY_API wy_status wy_folder_check(wy_folder *folder, wy_message *message);

/* ---- What was run ---- */

/* The analysis of the run; dynamics if the folder does not contain this information. */
WY_API wy_analysis wy_folder_analysis(wy_folder *folder);
/* The scenario of the run, with the settings of --set applied. NULL if the folder contains no scenario, or one that
   this version cannot read. */
WY_API const wy_scenario *wy_folder_scenario(wy_folder *folder);
/* The model of that scenario, or NULL. */
WY_API const wy_model *wy_folder_model(wy_folder *folder);
/* The YAML text of the scenario, and the settings of --set, one PATH=VALUE per line. NULL if they are not known. */
WY_API const char *wy_folder_scenario_text(wy_folder *folder);
WY_API const char *wy_folder_settings(wy_folder *folder);
/* The files that the scenario names, as they were when the run began: [*count]. NULL if there are none. */
WY_API const wy_scenario_file *wy_folder_files(wy_folder *folder, int *count);
/* The title of the scenario; if it has none, the name of the folder. */
WY_API const char *wy_folder_title(wy_folder *folder);

/* An entry of summary.json as text; "energy.drift" is an example of its name. *text is NULL if there is no such entry
   or no summary, because the run has not ended or was killed. */
WY_API wy_status wy_folder_summary(wy_folder *folder, const char *entry, const char **text, wy_message *message);

/* ---- Tables ---- */

/* Columns of numbers. All are finite, except for quantities that can be INFINITY (wy_quantity_info.unbounded). */
typedef struct wy_table {
  int columns, rows;
  const char *const *name;     /* [columns] */
  const double *const *values; /* [columns][rows] */
  bool cut;                    /* the last line is incomplete because the run was killed; it is not among the rows */
} wy_table;

/* Reads a CSV file: "probes.csv", "path.csv", "steps.csv", "modes.csv" or "buckling.csv". */
WY_API wy_status wy_folder_table(wy_folder *folder, const char *file, const wy_table **out, wy_message *message);

/* The values of one probe in all rows. */
typedef struct wy_probe_values {
  const char *name;
  int quantity; /* a wy_quantity, or -1 if the scenario cannot be read */
  int components;
  char label[4][2]; /* "x", "y", ...; "" for a scalar */
  const double *values[4];
} wy_probe_values;

/* All probes of a table. */
typedef struct wy_probes {
  int rows;
  const double *time; /* [rows] */
  int count;
  const wy_probe_values *list; /* [count] */
  bool cut;                    /* see wy_table */
} wy_probes;

/* The probes of probes.csv, or those of path.csv, which contains every equilibrium of a path by arc length. */
WY_API wy_status wy_folder_probes(wy_folder *folder, const wy_probes **out, wy_message *message);
WY_API wy_status wy_folder_path_probes(wy_folder *folder, const wy_probes **out, wy_message *message);

/* ---- Snapshots: result.h5 ---- */

/* The number of complete snapshots and their times, [count]. */
WY_API wy_status wy_folder_snapshots(wy_folder *folder, int *count, const double **time, wy_message *message);

/* The names of the rods, in the order of the scenario. Copies of a rod are among them, and paths "/rods/NAME/..." lead
   to what belongs to them, though the file has all copies of an entry together (docs/guide/results.md). The rods of
   batches are not among them. */
WY_API wy_status wy_folder_rods(wy_folder *folder, int *count, const char *const **names, wy_message *message);

/* A dataset with [lines][points][components] numbers for each snapshot. */
typedef struct wy_stored_field {
  const char *path;              /* "/rods/arm/position" */
  int lines, points, components; /* lines: 1, except for strands and "/batches/NAME/...", where they are rods; points:
                                    1 if the field does not vary along a line */
  const double *s;               /* [points] ascending arc lengths; NULL if the field does not vary along a rod */
} wy_stored_field;

/* Finds a field by the path of its dataset. WY_ERROR_INPUT: the dataset exists, but it does not have `components`
   components, does not contain all snapshots, or has no arc lengths. */
WY_API wy_status wy_folder_field(wy_folder *folder, const char *path, int components, const wy_stored_field **out,
                                 wy_message *message);
/* Finds a field along a rod by the name of its dataset: "position", "frame", "force", ... */
WY_API wy_status wy_folder_rod_field(wy_folder *folder, const char *rod, const char *dataset, int components,
                                     const wy_stored_field **out, wy_message *message);
/* Reads `count` snapshots, beginning with number `first`, every step-th of them, into
   numbers[count][lines][points][components]. */
WY_API wy_status wy_folder_read(wy_folder *folder, const wy_stored_field *field, int first, int step, int count,
                                double *numbers, wy_message *message);
/* Reads a field in all snapshots, values[snapshots][numbers per snapshot]. Meant for small fields such as energies and
   momenta. */
WY_API wy_status wy_folder_history(wy_folder *folder, const char *path, int components, const double **values,
                                   wy_message *message);

/* A batch (withy/batch.h). Its fields are "/batches/NAME/position", "frame" and "velocity", with a line for each
   recorded rod, "/batches/NAME/tip" and "/batches/NAME/probes/PROBE", with a point for each rod; what differs from rod
   to rod is "/batches/NAME/numbers/...". */
typedef struct wy_stored_batch {
  const char *name;
  int count, recorded, segments; /* all rods; those that are recorded; segments of a rod */
  const double *rods;            /* [recorded] their numbers */
  double radius;                 /* of the pattern */
} wy_stored_batch;

/* All batches, in alphabetical order. */
WY_API wy_status wy_folder_batched(wy_folder *folder, int *count, const wy_stored_batch **list, wy_message *message);

/* A dataset of one to three dimensions that does not change with time. */
typedef struct wy_stored_numbers {
  int size[3]; /* 1 for dimensions that the dataset does not have */
  const double *values;
} wy_stored_numbers;

/* Reads one, whole. */
WY_API wy_status wy_folder_numbers(wy_folder *folder, const char *path, const wy_stored_numbers **out,
                                   wy_message *message);

/* An attribute of a group or dataset; "/" is the file itself. The first function returns its text, or NULL if it does
   not exist. The second returns its number, or `otherwise` if it does not exist. */
WY_API const char *wy_folder_text(wy_folder *folder, const char *path, const char *name);
WY_API double wy_folder_number(wy_folder *folder, const char *path, const char *name, double otherwise);
/* The names in a group, in alphabetical order: "/strands". */
WY_API wy_status wy_folder_names(wy_folder *folder, const char *path, int *count, const char *const **names,
                                 wy_message *message);

/* ---- Modes: result.h5 ---- */

/* The modes of all groups of rods and bodies (withy/sim.h), sorted by ascending value. */
typedef struct wy_stored_modes {
  bool buckling;
  int count;
  const double *value;         /* angular frequency omega, or the critical load factor of buckling */
  const double *damping_ratio; /* NULL for buckling */
} wy_stored_modes;

/* NULL where the run has none. */
WY_API wy_status wy_folder_modes(wy_folder *folder, const wy_stored_modes **out, wy_message *message);

/* The mode shapes of one rod or body, and the configurations to which they belong. All vibration modes have the same
   configuration; each buckling mode has its own. */
typedef struct wy_stored_shapes {
  int count;                  /* of shapes */
  const double *number;       /* [count] of the mode, counted from 1 */
  int points, frames;         /* numbers of points with a displacement and of points with a rotation */
  const double *s;            /* [points] */
  const double *frame_s;      /* [frames] */
  const double *displacement; /* [count][points][3] */
  const double *rotation;     /* [count][frames][3] in body axes */
  bool own;                   /* each shape has a configuration of its own */
  const double *position;     /* [1 or count][points][3] */
  const double *frame;        /* [1 or count][frames][4] */
} wy_stored_shapes;

/* By the name of the rod or body, which is one point. *out is NULL if the file does not contain all mode shapes. */
WY_API wy_status wy_folder_shapes(wy_folder *folder, const char *name, const wy_stored_shapes **out,
                                  wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
