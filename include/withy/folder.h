/* Reading the folder that a run wrote (docs/guide/results.md says what is in it). Part of libwithy_run.

     wy_folder *folder;
     const wy_probes *probes;
     if (wy_folder_open("pendulum.out", &folder, &message) == WY_OK &&
         wy_folder_probes(folder, &probes, &message) == WY_OK)
       for (int i = 0; i < probes->rows; i++)
         printf("%g %g\n", probes->time[i], probes->list[0].values[0][i]);
     wy_folder_close(folder);

   Every file is read when something of it is asked for, once; a damaged file does not hide what the others hold. What
   the functions give belongs to the folder and lives until wy_folder_close. The run may still be going, or have been
   killed: what is complete is shown, as it was when it was read first.

   All functions that return a status give WY_ERROR_INPUT where a file is damaged or not what a run writes,
   WY_ERROR_FILE where it cannot be read, and WY_ERROR_MEMORY. A file or a dataset that is not there is no error: it
   gives NULL or a count of 0. Nothing here prints. A folder is for one thread at a time. */
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

/* As it was opened. */
WY_API const char *wy_folder_path(const wy_folder *folder);
/* Is there a file of this name in it? */
WY_API bool wy_folder_has(const wy_folder *folder, const char *file);
/* Are there results: a row, a snapshot or a mode? WY_ERROR_INPUT where there are none. */
WY_API wy_status wy_folder_check(wy_folder *folder, wy_message *message);

/* ---- What was run ---- */

/* What was computed; dynamics where the folder does not say. */
WY_API wy_analysis wy_folder_analysis(wy_folder *folder);
/* The scenario with the settings of --set, as it was run; NULL where there is none, or where this version cannot read
   it. */
WY_API const wy_scenario *wy_folder_scenario(wy_folder *folder);
/* The model of that scenario, or NULL. */
WY_API const wy_model *wy_folder_model(wy_folder *folder);
/* Its YAML text and the settings, PATH=VALUE one a line; NULL where they are not known. */
WY_API const char *wy_folder_scenario_text(wy_folder *folder);
WY_API const char *wy_folder_settings(wy_folder *folder);
/* The title of the scenario, or the folder's name. */
WY_API const char *wy_folder_title(wy_folder *folder);

/* An entry of summary.json as text: "energy.drift". NULL where there is no such entry, or no summary: the run has not
   ended, or was killed. */
WY_API wy_status wy_folder_summary(wy_folder *folder, const char *entry, const char **text, wy_message *message);

/* ---- Tables ---- */

/* Columns of finite numbers; INFINITY where a probe may be that (wy_quantity_info.unbounded). */
typedef struct wy_table {
  int columns, rows;
  const char *const *name;     /* [columns] */
  const double *const *values; /* [columns][rows] */
  bool cut;                    /* the last line has no end, as after a kill, and was left out */
} wy_table;

/* A CSV file: "probes.csv", "path.csv", "steps.csv", "modes.csv", "buckling.csv". */
WY_API wy_status wy_folder_table(wy_folder *folder, const char *file, const wy_table **out, wy_message *message);

/* One probe in all rows. */
typedef struct wy_probe_values {
  const char *name;
  int quantity; /* a wy_quantity, or -1 where the scenario cannot be read */
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

/* probes.csv, or path.csv with every equilibrium of a path by arc length. */
WY_API wy_status wy_folder_probes(wy_folder *folder, const wy_probes **out, wy_message *message);
WY_API wy_status wy_folder_path_probes(wy_folder *folder, const wy_probes **out, wy_message *message);

/* ---- Snapshots: result.h5 ---- */

/* The complete snapshots; their times, [count]. */
WY_API wy_status wy_folder_snapshots(wy_folder *folder, int *count, const double **time, wy_message *message);

/* The names of the rods, in the order of the scenario. */
WY_API wy_status wy_folder_rods(wy_folder *folder, int *count, const char *const **names, wy_message *message);

/* A dataset with numbers of every snapshot: [lines][points][components] of each. */
typedef struct wy_stored_field {
  const char *path;              /* "/rods/arm/position" */
  int lines, points, components; /* lines: 1 but for strands; points: 1 where it is not along a line */
  const double *s;               /* [points] ascending arc lengths; NULL where it is not along a rod */
} wy_stored_field;

/* Finds a field. WY_ERROR_INPUT: it is there, but not with `components` numbers, for all snapshots, at known places. */
WY_API wy_status wy_folder_field(wy_folder *folder, const char *path, int components, const wy_stored_field **out,
                                 wy_message *message);
/* A field along a rod, by its dataset: "position", "frame", "force", ... */
WY_API wy_status wy_folder_rod_field(wy_folder *folder, const char *rod, const char *dataset, int components,
                                     const wy_stored_field **out, wy_message *message);
/* Reads `count` snapshots from `first` on, every step-th, into numbers[count][lines][points][components]. */
WY_API wy_status wy_folder_read(wy_folder *folder, const wy_stored_field *field, int first, int step, int count,
                                double *numbers, wy_message *message);
/* A field in all snapshots: energies, momenta and others that are small. values[snapshots][numbers of each]. */
WY_API wy_status wy_folder_history(wy_folder *folder, const char *path, int components, const double **values,
                                   wy_message *message);

/* A dataset of one to three dimensions that does not change with time. */
typedef struct wy_stored_numbers {
  int size[3]; /* 1 where there are fewer dimensions */
  const double *values;
} wy_stored_numbers;

/* Reads one, whole. */
WY_API wy_status wy_folder_numbers(wy_folder *folder, const char *path, const wy_stored_numbers **out,
                                   wy_message *message);

/* An attribute of a group or dataset, "/" being the file: its text, NULL where there is none; its number, or the other
   one. */
WY_API const char *wy_folder_text(wy_folder *folder, const char *path, const char *name);
WY_API double wy_folder_number(wy_folder *folder, const char *path, const char *name, double otherwise);
/* The names in a group, in alphabetical order: "/strands". */
WY_API wy_status wy_folder_names(wy_folder *folder, const char *path, int *count, const char *const **names,
                                 wy_message *message);

/* ---- Modes: result.h5 ---- */

/* The modes of all rods, ascending. */
typedef struct wy_stored_modes {
  bool buckling;
  int count;
  const double *value;         /* omega, or the critical factor */
  const double *damping_ratio; /* NULL for buckling */
} wy_stored_modes;

/* NULL where the run has none. */
WY_API wy_status wy_folder_modes(wy_folder *folder, const wy_stored_modes **out, wy_message *message);

/* The shapes of one rod, and the configurations that they displace: vibrations share one, each buckling mode has its
   own. */
typedef struct wy_stored_shapes {
  int count;                  /* of shapes */
  const double *number;       /* [count] of the mode, counted from 1 */
  int points, frames;         /* where displacements and rotations are stored */
  const double *s;            /* [points] */
  const double *frame_s;      /* [frames] */
  const double *displacement; /* [count][points][3] */
  const double *rotation;     /* [count][frames][3] in the body */
  bool own;                   /* each shape has a configuration of its own */
  const double *position;     /* [1 or count][points][3] */
  const double *frame;        /* [1 or count][frames][4] */
} wy_stored_shapes;

/* NULL where the file does not have them whole. */
WY_API wy_status wy_folder_shapes(wy_folder *folder, const char *rod, const wy_stored_shapes **out,
                                  wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
