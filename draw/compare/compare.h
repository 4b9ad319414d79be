/* `withy compare`: what two runs have in common and how far it differs. Reading, differences, and the files made of
   them; docs/guide/compare.md says what is compared with what. Nothing here runs gnuplot; cli/compare.c does. */
#ifndef WY_DRAW_COMPARE_COMPARE_H
#define WY_DRAW_COMPARE_COMPARE_H

#include "draw/plot/plot.h"
#include "run/folder/csv_read.h"
#include "run/results/file.h"

enum { WY_COMPARE_MOMENTS = 5 /* at which centrelines are drawn */ };

/* A run's folder, as far as comparing needs it. */
typedef struct wy_compare_run {
  const char *folder;
  wy_plot_run plot;      /* energies, rods, title, summary */
  wy_scenario *scenario; /* as run, or NULL where it cannot be read */
  wy_csv_table rows, modes;
  wy_csv_probe *probes;
  int *quantity; /* wy_quantity of each probe, or -1 */
  int probe_count;
  double *momentum[2][3];          /* linear, angular: [frames], or NULL */
  double least[WY_QUANTITY_COUNT]; /* what a value of a quantity is measured by at least */
  double energy;                   /* the largest kinetic or elastic one, or what round-off makes of it */
  int64_t file;                    /* result.h5, or negative */
} wy_compare_run;

/* Reads a folder completely. WY_ERROR_INPUT or WY_ERROR_FILE: it is not the folder of a run, or a file is damaged. */
wy_status wy_compare_read(wy_pool *pool, const char *folder, wy_compare_run *run, wy_message *message);
void wy_compare_close(wy_compare_run *run);

/* How the run was made, in one line: "staggered, cosserat, radau5, tolerance 1e-06, 10 segments; 164 steps in 0.04 s".
 */
void wy_compare_made(const wy_compare_run *run, wy_text *text);

typedef enum wy_compared {
  WY_COMPARED_PROBE,
  WY_COMPARED_ENERGY,
  WY_COMPARED_MOMENTUM,
  WY_COMPARED_CENTRELINE, /* no components: `distance` is the largest of all points */
  WY_COMPARED_MODE        /* `t` is the number of the mode */
} wy_compared;

/* "probe", "energy", "momentum", "centreline", "mode". */
const char *wy_compared_name(wy_compared kind);

/* One thing that both runs have. */
typedef struct wy_difference {
  wy_compared kind;
  const char *name, *where; /* "" or more about the place of the largest difference */
  int index[2];             /* of the probe or energy in either run */
  int components;
  char label[4][2];
  int rows;
  double *t;
  double *value[2][4]; /* [rows]: of A and B, interpolated where their times differ */
  double *distance;    /* [rows]: the norm of the difference of all components */
  double largest, at, rms, scale;
  bool judged; /* it counts for the exit status: a probe, an energy or a mode, where there is a limit */
  bool beyond;
} wy_difference;

/* Something to know about the comparison. */
typedef struct wy_compare_note {
  const char *text;
  bool lacking; /* one run has what the other one has not */
} wy_compare_note;

/* One rod at the moments that are drawn. */
typedef struct wy_compare_rod {
  int points[2];
  double *position[2]; /* [moments][points][3] */
} wy_compare_rod;

typedef struct wy_comparison {
  wy_pool pool;
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

/* All differences of the two runs, which have been read. */
wy_status wy_compare(wy_comparison *comparison, wy_message *message);
/* A probe, an energy or a mode is beyond where it differs by more than both `absolute` and `relative` times the scale;
   momenta and centrelines are shown only. Without `common`, what one run lacks counts too. Negative limits are not set;
   without any, nothing is judged. */
void wy_compare_judge(wy_comparison *comparison, double relative, double absolute, bool common);
bool wy_compare_judged(const wy_comparison *comparison);
/* Nothing is beyond, or nothing was judged. */
bool wy_compare_well(const wy_comparison *comparison);
void wy_compare_free(wy_comparison *comparison);

/* The difference over the scale; 0 where both are 0. */
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
