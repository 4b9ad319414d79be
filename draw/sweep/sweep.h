/* SPDX-License-Identifier: MIT */
/* The page of a sweep: its table as it was read, what varies in it, and the pictures that show it. Inner header of
   draw/sweep/; docs/guide/sweep.md says which picture is drawn when. */
#ifndef WY_DRAW_SWEEP_SWEEP_H
#define WY_DRAW_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/chart/chart.h"
#include "draw/chart/map.h"
#include "draw/memory.h"
#include "withy/sweep.h"

/* A parameter or a quantity. All arrays have an entry for each row. */
typedef struct wy_swept_column {
  const char *name;         /* the path of a parameter, the name of a quantity */
  const char *unit;         /* as sweep.json has it, or of the numbers of a parameter; "" for none */
  const char *label;        /* the same for axes: with the unit behind it */
  const char *brief;        /* of a parameter that varies: the last steps of its path; else the name */
  bool cost;                /* of a quantity: what a run took, which has no limit that finer runs come near to */
  const char **text;        /* as the table has it */
  bool numeric;             /* all entries that are not empty are numbers, or numbers with the same unit */
  double *value;            /* a number; of texts the place in `names`; NAN where there is none */
  int levels;               /* how many different values there are */
  double *level;            /* [levels]: these values, ascending */
  const char *const *names; /* [levels]: of texts; NULL where numeric */
} wy_swept_column;

enum { WY_SWEPT_STATES = WY_POINT_REFUSED + 1 }; /* that a row may have */

typedef struct wy_swept {
  wy_memory *memory;
  const char *folder;
  char *text[2]; /* of sweep.json and sweep.csv, which the columns point into; freed by wy_draw_sweep */
  const char *scenario, *version, *combine; /* "" where sweep.json does not say it */
  int settings;
  const char *const *setting; /* [settings]: PATH=VALUE of all points */
  int rows;                   /* of the table: the points that were computed */
  int points;                 /* of the plan */
  bool batch;                 /* they were computed together */
  int *point;                 /* [rows]: their numbers */
  wy_point_status *state;     /* [rows] */
  const char **message;       /* [rows]: "" where there is none */
  int parameters, quantities;
  wy_swept_column *parameter, *quantity;
  int count[WY_SWEPT_STATES]; /* of rows */
  /* What varies: parameters with more than one value. */
  int varied;
  wy_swept_column **vary; /* [varied] */
} wy_swept;

/* Reads sweep.json and sweep.csv. WY_ERROR_INPUT: it is no folder of a sweep, or a file is damaged. */
wy_status wy_swept_read(const char *folder, wy_memory *memory, wy_swept *data, wy_message *message);
/* Finds out which columns are numbers, their levels, and what varies. */
void wy_swept_measure(wy_swept *data);
/* The place of a value among the levels. */
int wy_swept_level(const wy_swept_column *column, double value);

/* Points that are drawn at random (latin, sobol, random) instead of on a grid. */
bool wy_swept_is_random(const wy_swept *data);
/* An axis that should be logarithmic: half of its values lie below the geometric mean of the smallest and the largest
   one, rather than below the arithmetic one. */
bool wy_swept_is_log(const wy_swept_column *column);
/* What a cell or a line of a picture shows of a row. */
wy_cell wy_swept_cell(const wy_swept *data, int row);
/* The values of an axis, where they are so few that all can be written beside it; else NULL. */
const double *wy_swept_ticks(const wy_swept_column *column);
/* Has the row a value that is drawn as a good one? */
bool wy_swept_is_good(const wy_swept *data, const wy_swept_column *quantity, int row);

/* ---- Pictures ---- */

/* Where pictures go: into the page, and each into a file beside it. */
typedef struct wy_swept_figures {
  wy_swept *data;
  FILE *out;          /* the page */
  const char *folder; /* of the files */
  wy_chart *chart;    /* one for all pictures, one after the other */
  int count, left_out;
  wy_status status; /* of writing the files */
  wy_message *message;
} wy_swept_figures;

enum { WY_SWEPT_FIGURES = 40 }; /* at most on a page */

/* Removes the pictures of an earlier page: of another plan there may be more of them. */
void wy_swept_remove_pictures(const char *folder);

/* An empty chart for the next picture. */
wy_chart *wy_swept_chart(wy_swept_figures *figures, const char *title, const char *x, const char *y);

/* Its axis below: names, ticks, logarithmic or not. */
void wy_swept_axis(wy_chart *chart, const wy_swept_column *x);

/* Draws the picture by `write` into the page and into NAME-QUANTITY.svg. The caption may be "". */
typedef void (*wy_swept_writer)(FILE *out, const void *what);
void wy_swept_figure(wy_swept_figures *figures, const char *name, const char *quantity, bool wide,
                     wy_swept_writer write, const void *what, const char *caption);
/* The chart of `wy_swept_chart`. */
void wy_swept_chart_figure(wy_swept_figures *figures, const char *name, const char *quantity, const char *caption);

/* Marks for rows without a good value: rings for wrong ones, crosses for those that have none. Two curves at most. */
void wy_swept_add_bad(const wy_swept *data, const wy_swept_column *x, const wy_swept_column *y, wy_chart *chart);

/* A heading before the first of some figures, and what stands after the last. */
void wy_swept_section(wy_swept_figures *figures, const char *heading, const char *text);
void wy_swept_section_end(wy_swept_figures *figures);

/* The rows with the same values of some parameters: a family. */
typedef struct wy_swept_families {
  int count;
  int *family;        /* [rows]: to which a row belongs, from 0 in order of their first rows */
  const char **names; /* [count]: the values that they share: "mixed, E 1e+06" */
} wy_swept_families;
/* Families by all parameters that vary, without those for which `leave_out` is true. */
wy_swept_families wy_swept_families_of(const wy_swept *data, const bool *leave_out);

/* Each draws what there is of its kind, with its own heading, or nothing. */
void wy_swept_convergence(wy_swept_figures *figures);
void wy_swept_curves(wy_swept_figures *figures);
void wy_swept_maps(wy_swept_figures *figures);
void wy_swept_clouds(wy_swept_figures *figures);
void wy_swept_histograms(wy_swept_figures *figures);
void wy_swept_parallels(wy_swept_figures *figures);

/* ---- The page ---- */

/* Tables: the rows that are not good with their messages, the messages of others, and all rows with the commands that
   repeat them. Each has at most so many rows; the last one at most so many
   values, too. */
enum { WY_SWEPT_BAD_ROWS = 200, WY_SWEPT_ROWS = 2000, WY_SWEPT_VALUES = 50000 };
void wy_swept_bad_rows(const wy_swept *data, FILE *out);
void wy_swept_notes(const wy_swept *data, FILE *out);
void wy_swept_rows(const wy_swept *data, FILE *out);
/* Of points that are drawn at random: rank correlations of quantities and parameters. */
void wy_swept_correlations(const wy_swept *data, FILE *out);
/* What the browser runs: sorting of the table, and parts of axes in parallel coordinates. Without it everything is
   there, too. It has no < and no &, so that the page is XML as well. */
extern const char wy_swept_script[];

#endif
