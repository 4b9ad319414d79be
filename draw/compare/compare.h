/* SPDX-License-Identifier: MIT */
/* `withy compare`: what two runs have in common and how far it differs, and the files made of that;
   docs/guide/compare.md says what is compared with what. */
#ifndef WY_DRAW_COMPARE_COMPARE_H
#define WY_DRAW_COMPARE_COMPARE_H

#include <stdio.h>

#include "draw/labels.h"
#include "draw/memory.h"
#include "run/folder/folder.h"
#include "run/results/file.h"

enum { WY_COMPARE_MOMENTS = 5 /* number of times at which centrelines are drawn */ };

/* The data of a run that are compared. */
typedef struct wy_compare_run {
  wy_folder *folder;
  wy_analysis analysis;
  wy_facts facts;
  const wy_probes *probes;   /* never NULL */
  const char **probe_labels; /* what their axes say */
  const wy_table *modes;     /* or NULL */
  int mode_columns;          /* number of columns that are compared */
  int snapshots;
  const double *time; /* [snapshots] */
  wy_energies energies;
  double *momentum[2][3];          /* linear, angular: [snapshots], or NULL */
  double least[WY_QUANTITY_COUNT]; /* smallest scale of each quantity */
  double energy;                   /* the largest kinetic or elastic energy, but not less than its round-off */
} wy_compare_run;

/* How the run was made, in one line: "staggered, cosserat, radau5, tolerance 1e-06, 10 segments; 164 steps in 0.04 s".
 */
void wy_compare_made(const wy_compare_run *run, wy_text *text);

typedef enum wy_compared {
  WY_COMPARED_PROBE,
  WY_COMPARED_ENERGY,
  WY_COMPARED_MOMENTUM,
  WY_COMPARED_CENTRELINE, /* no components: `distance` is the largest of all points */
  WY_COMPARED_BATCH,      /* likewise: of tips, or of recorded rods */
  WY_COMPARED_MODE        /* `t` is the number of the mode */
} wy_compared;

/* "probe", "energy", "momentum", "centreline", "batch", "mode". */
const char *wy_compared_name(wy_compared kind);

/* The difference of one probe, energy, momentum, centreline, batch or mode that both runs have. */
typedef struct wy_difference {
  wy_compared kind;
  const char *name, *where; /* "" or more about the place of the largest difference */
  int index[2];             /* of the probe or energy in either run */
  int components;
  char label[4][2];
  int rows;
  double *t;
  double *value[2][4]; /* [rows]: of A and B, interpolated if their times differ */
  double *distance;    /* [rows]: the norm of the difference of all components */
  double largest, at, rms, scale;
  bool judged; /* it determines the exit status: a probe, an energy, a batch or a mode, if a tolerance is given */
  bool beyond;
} wy_difference;

/* A note on the comparison. */
typedef struct wy_compare_note {
  const char *text;
  bool lacking; /* one run lacks data that the other has */
} wy_compare_note;

/* One rod at the moments that are drawn. */
typedef struct wy_compare_rod {
  int points[2];
  double *position[2]; /* [moments][points][3] */
} wy_compare_rod;

typedef struct wy_comparison {
  wy_memory memory;     /* of everything here */
  const char *label[2]; /* what notes call the runs: "A" and "B" */
  wy_compare_run run[2];
  wy_difference *differences;
  int count;
  wy_compare_note *notes;
  int note_count;
  int moments;
  double moment[WY_COMPARE_MOMENTS];
  wy_compare_rod *rods;
  int rod_count;
  /* set by wy_compare_judge */
  double relative, absolute; /* negative: differences are not judged */
  bool common;
  int judged, beyond, lacking;
} wy_comparison;

/* All differences of the runs in two folders. WY_ERROR_INPUT or WY_ERROR_FILE: one is not the folder of a run, a file
   is damaged, or there is nothing to compare. Close it in any case. Labels must outlive the comparison. */
wy_status wy_compare(const char *const folders[2], const char *const labels[2], wy_comparison *comparison,
                     wy_message *message);
void wy_compare_close(wy_comparison *comparison);

/* A probe, an energy, a batch or a mode is beyond where it differs by more than both `absolute` and `relative` times
   the scale; momenta and centrelines are shown only. Without `common`, what one run lacks counts too. Negative limits
   are not set; without any, nothing is judged. */
void wy_compare_judge(wy_comparison *comparison, double relative, double absolute, bool common);
bool wy_compare_judged(const wy_comparison *comparison);
/* True if no difference exceeds the tolerance, or no tolerance was given. */
bool wy_compare_well(const wy_comparison *comparison);

/* How much a difference may be, or 0. */
double wy_compare_limit(const wy_comparison *comparison, const wy_difference *difference);
/* The difference divided by the scale; 0 if both are 0. */
double wy_difference_relative(const wy_difference *difference);

/* compare.csv: one line per value that was compared; and compare.json: one entry per difference. */
void wy_compare_csv(FILE *out, const wy_comparison *comparison);
void wy_compare_json(FILE *out, const wy_comparison *comparison);

/* The pictures that there are data for: their names without ending, their captions and how many. */
enum { WY_COMPARE_PICTURES = 4 };
int wy_compare_pictures(const wy_comparison *comparison, const char *names[WY_COMPARE_PICTURES],
                        const char *captions[WY_COMPARE_PICTURES]);
/* The gnuplot script of all of them, with the data inside. */
void wy_compare_script(FILE *out, const wy_comparison *comparison);
/* The page; svg[i] belongs to picture i, and may be NULL. */
void wy_compare_page(FILE *out, const wy_comparison *comparison, char *const *svg);

#endif
