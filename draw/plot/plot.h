/* What `withy plot` draws: the data of a run's folder, the gnuplot script made of it and the page around the pictures.
   Nothing here runs gnuplot; cli/plot.c does. */
#ifndef WY_DRAW_PLOT_PLOT_H
#define WY_DRAW_PLOT_PLOT_H

#include <stdio.h>

#include "run/scenario/scenario.h"

/* The columns of probes.csv that belong to one probe: one for a scalar, up to four for a vector or a rotation. */
typedef struct wy_plot_probe {
  char *name;
  char *quantity; /* as in the scenario, with spaces; "" where it is not known */
  int count;
  char label[4][4]; /* "x", "y", ...; "" for a scalar */
  double *values[4];
} wy_plot_probe;

/* A vector along a rod. */
typedef struct wy_plot_along {
  int count;
  double *s;
  double *values[3]; /* [count] each */
} wy_plot_along;

/* Two pairs of space-time maps: K and the moment, each as the size of its part across the rod and its part along it. */
enum { WY_PLOT_BENDING, WY_PLOT_TWIST, WY_PLOT_BENDING_MOMENT, WY_PLOT_TORSION, WY_PLOT_MAPS };

/* A value along a rod over time, on a regular grid from the first to the last frame and from end to end. */
typedef struct wy_plot_map {
  int columns, rows; /* over time, along the rod */
  double *values;    /* [rows][columns], in the middle of the cells; NULL where there is nothing to see */
} wy_plot_map;

/* The centreline of one rod at the snapshot times, and what it bears in the last frame. */
typedef struct wy_plot_rod {
  char *name;
  int points;
  double *position; /* [snapshots][points][3] */
  double *s;        /* [points], where there is one state */
  wy_plot_along force, moment;
  double length; /* where there are maps, else 0 */
  wy_plot_map map[WY_PLOT_MAPS];
} wy_plot_rod;

/* What the solver of one rod did: stretches of one or more accepted steps, from one row of steps.csv to the next. */
typedef struct wy_plot_steps {
  char *rod;
  bool fixed; /* the step is given, not found */
  int count;
  double *from, *to; /* times: a stretch begins where the one before ends */
  double *size;      /* mean of its steps */
  double *rejected;  /* number of them */
  double *newton;    /* iterations per accepted step */
} wy_plot_steps;

/* Strands at some of the snapshots; no more of them than a picture can show. */
typedef struct wy_plot_strands {
  int count, points;
  double *position; /* [moments][count][points][3] */
} wy_plot_strands;

/* One mode, ready to be drawn: lines of [count][3] in space. */
typedef struct wy_plot_mode {
  int number;           /* in modes.csv or buckling.csv */
  double value;         /* omega, or the factor */
  double damping_ratio; /* 0 for buckling */
  char *rod;
  bool turning; /* the rod turns about its axis: the lines are those of an edge of it */
  int count;
  double *rest;  /* the centreline in equilibrium */
  double *shape; /* displaced so that it can be seen */
  double *other; /* displaced the other way, or the edge at rest */
} wy_plot_mode;

enum {
  WY_PLOT_KINETIC,
  WY_PLOT_ELASTIC,
  WY_PLOT_GRAVITY,
  WY_PLOT_TOTAL,
  WY_PLOT_WORK,
  WY_PLOT_DISSIPATED,
  WY_PLOT_ENERGIES
};
/* "kinetic", ...: as in result.h5. */
extern const char *const wy_plot_energy_names[WY_PLOT_ENERGIES];

/* One line of the table on the page. */
typedef struct wy_plot_fact {
  char *name;
  char *value;
} wy_plot_fact;

/* A run's folder, as far as pictures need it. Parts that the folder does not have are empty. */
typedef struct wy_plot_run {
  char *title;    /* of the scenario, or the folder's name */
  char *scenario; /* YAML text, or NULL */
  char *settings; /* PATH=VALUE of --set, one a line, or NULL */
  wy_analysis analysis;
  int rows;
  double *row_time;
  wy_plot_probe *probes;
  int probe_count;
  int frames; /* complete ones */
  double *frame_time;
  double *energy[WY_PLOT_ENERGIES]; /* [frames], or NULL */
  int snapshots;
  double *snapshot_time;
  bool undeformed_first; /* the first snapshot is the undeformed rod, the second the equilibrium */
  bool deformed;         /* and they differ */
  wy_plot_rod *rods;
  int rod_count;
  wy_plot_strands *strands;
  int strands_count;
  int moments;          /* at which they are shown: the last one is the last snapshot */
  int *moment;          /* numbers of snapshots */
  wy_plot_steps *steps; /* of the rods that took most of them */
  int steps_count;
  wy_plot_mode *modes; /* the first ones */
  int mode_count;
  wy_plot_fact *facts; /* from summary.json, and the probes of a single state */
  int fact_count;
  bool has_view; /* there is a view.html in the folder */
} wy_plot_run;

/* Reads a folder. WY_ERROR_INPUT: it is not the folder of a run, or a file of it is damaged; WY_ERROR_FILE: a file
   cannot be read. */
wy_status wy_plot_read(const char *folder, wy_plot_run *run, wy_message *message);
void wy_plot_free(wy_plot_run *run);
/* The value of a fact, or NULL. */
const char *wy_plot_find_fact(const wy_plot_run *run, const char *name);

/* The pictures that a run has data for. */
typedef enum wy_plot_kind {
  WY_PLOT_MODES = 1,
  WY_PLOT_SNAPSHOTS = 2,
  WY_PLOT_STRANDS = 4,
  WY_PLOT_FORCES = 8,
  WY_PLOT_CURVATURE = 16,
  WY_PLOT_MOMENT = 32,
  WY_PLOT_ENERGY = 64,
  WY_PLOT_PROBES = 128,
  WY_PLOT_STEPS = 256
} wy_plot_kind;
unsigned wy_plot_kinds(const wy_plot_run *run);

/* Height in pixels of the title above every picture; the page leaves it out. */
#define WY_PLOT_TITLE_HEIGHT 44

/* One picture: the kinds it shows, one below the other, and the name of its file without ending and folder. */
typedef struct wy_plot_picture {
  unsigned kinds;
  const char *name;
} wy_plot_picture;

/* Writes a gnuplot script with its data inside. `formats` is "svg", "png" or "svg png"; pictures appear in the folder
   where gnuplot runs. */
void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count, const char *formats);

/* Writes the page. svg[i] is the text of an SVG file with the caption captions[i]. */
void wy_plot_page(FILE *out, const wy_plot_run *run, const char *const *svg, const char *const *captions, int count);

#endif
