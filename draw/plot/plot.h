/* SPDX-License-Identifier: MIT */
/* What `withy plot` draws: the numbers of the pictures, taken from a run's folder, the gnuplot script made of them and
   the page around the pictures. draw/plot/files.c makes files of them. Inner header of draw/plot/. */
#ifndef WY_DRAW_PLOT_PLOT_H
#define WY_DRAW_PLOT_PLOT_H

#include <stdio.h>

#include "draw/bands.h"
#include "draw/body.h"
#include "draw/labels.h"
#include "draw/memory.h"
#include "draw/surface.h"
#include "run/folder/folder.h"

/* A vector along a rod. */
typedef struct wy_plot_along {
  int count;
  const double *s;
  double *values[3]; /* [count] each */
} wy_plot_along;

/* Two pairs of space-time maps: K and the moment, each as the size of its part across the rod and its part along it. */
enum { WY_PLOT_BENDING, WY_PLOT_TWIST, WY_PLOT_BENDING_MOMENT, WY_PLOT_TORSION, WY_PLOT_MAPS };

/* A value along a rod over time, on a regular grid from the first to the last snapshot and from end to end. */
typedef struct wy_plot_map {
  int columns, rows; /* over time, along the rod */
  double *values;    /* [rows][columns], at the centres of the cells; NULL if all values are zero */
} wy_plot_map;

/* The centreline of one rod in the snapshots that are drawn, and its forces and moments in the last one. */
typedef struct wy_plot_rod {
  const char *name;
  int points;
  double *position; /* [shown][points][3] */
  const double *s;  /* [points] */
  wy_plot_along force, moment;
  double length; /* of the rod if it has maps, else 0 */
  wy_plot_map map[WY_PLOT_MAPS];
} wy_plot_rod;

/* A line with corners. */
typedef struct wy_plot_stairs {
  int count;
  double *x, *y;
} wy_plot_stairs;

/* The steps of the solver of one rod: intervals with one or more accepted steps, from one row of steps.csv to the next.
 */
typedef struct wy_plot_steps {
  const char *rod;
  bool fixed; /* the step is fixed; else there is error control */
  int count;
  double *from, *to;     /* times: each interval begins at the end of the preceding one */
  double *size;          /* mean of its steps */
  double *rejected;      /* number of rejected steps */
  double *newton;        /* iterations per accepted step */
  wy_plot_stairs sizes;  /* as a line */
  wy_plot_stairs smooth; /* Newton iterations as a line: means over longer intervals */
  wy_plot_stairs failed; /* a point in the middle of every interval with rejected steps */
} wy_plot_steps;

/* Strands in some of the snapshots that are shown; no more of them than a picture can show. */
typedef struct wy_plot_strands {
  const char *name;
  bool batch; /* recorded rods of a batch */
  int count, points;
  double *position; /* [moments][count][points][3] */
  int tips;         /* of all rods of a batch, or a part of them */
  double *tip;      /* [moments][tips][3] */
} wy_plot_strands;

/* A body in the snapshots that are drawn. */
typedef struct wy_plot_body {
  wy_solid solid;
  int count;        /* of snapshots */
  double *position; /* [count][3] */
  double frame[4];  /* in the last one */
} wy_plot_body;

/* A ball or hinge in the last snapshot; welds are not drawn. */
typedef struct wy_plot_joint {
  bool hinge;
  double position[3];
} wy_plot_joint;

/* In the last snapshot. */
typedef struct wy_plot_obstacle {
  const wy_obstacle_def *def;
  double position[3], frame[4];
  wy_surface surface; /* of a grid of distances */
} wy_plot_obstacle;

typedef struct wy_plot_spring {
  bool cable;
  double length; /* without force */
  double ends[2][3];
} wy_plot_spring;

/* One mode, ready to be drawn: lines of [count][3] in space. */
typedef struct wy_plot_mode {
  int number;           /* in modes.csv or buckling.csv */
  double value;         /* omega, or the factor */
  double damping_ratio; /* 0 for buckling */
  const char *rod;      /* the first one that swings */
  bool turning;         /* torsional mode: the lines show an edge of the rod */
  int lines;            /* one for each rod that swings */
  int *points;          /* [lines] */
  int count;            /* of points of all of them */
  double *rest;         /* the centrelines in equilibrium */
  double *shape;        /* with enlarged displacement */
  double *other;        /* displaced in the opposite direction, or the edge at rest */
} wy_plot_mode;

/* Everything that the pictures of a run show. Parts that the folder does not have are empty. */
typedef struct wy_plot_run {
  wy_folder *folder;
  wy_memory *memory;
  const char *title;
  const wy_probes *probes;   /* never NULL */
  const char **probe_labels; /* what their axes say */
  wy_analysis analysis;
  int snapshots;
  const double *time; /* [snapshots] */
  wy_energies energies;
  double *balance; /* [snapshots] error of the energy balance, or NULL */
  int shown;       /* snapshots whose centrelines are drawn, evenly spread */
  double *shown_time;
  bool undeformed_first; /* the first one is the undeformed rod, the second the equilibrium */
  bool deformed;         /* and they differ */
  wy_plot_rod *rods;
  wy_plot_body *bodies;
  wy_plot_joint *joints;
  wy_plot_spring *springs;
  wy_plot_obstacle *obstacles;
  int rod_count, body_count, joint_count, spring_count, obstacle_count;
  double down[3]; /* where cables sag to: a unit vector */
  wy_plot_strands *strands;
  int strands_count;
  int moments;          /* at which they are drawn: the last one is the last that is shown */
  int *moment;          /* numbers among those shown */
  bool obstacles_rest;  /* they are in the same place at all moments */
  wy_bands bands;       /* of the probes of batches */
  wy_plot_steps *steps; /* of the rods with most steps */
  int steps_count;
  wy_plot_mode *modes; /* the first ones */
  int mode_count;
  wy_facts facts;
} wy_plot_run;

/* Takes everything from a folder. WY_ERROR_INPUT: there are no results, or a table is damaged; WY_ERROR_FILE: a file
   cannot be read. Datasets that are damaged are left out. */
wy_status wy_plot_gather(wy_folder *folder, wy_memory *memory, wy_plot_run *run, wy_message *message);

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
  WY_PLOT_STEPS = 256,
  WY_PLOT_TIPS = 512,
  WY_PLOT_BANDS = 1024
} wy_plot_kind;
unsigned wy_plot_kinds(const wy_plot_run *run);

/* One picture: the kinds it shows, one below the other, and the name of its file without ending and folder. */
typedef struct wy_plot_picture {
  unsigned kinds;
  const char *name;
} wy_plot_picture;

/* Writes a gnuplot script with its data inside. `formats` is "svg", "png" or "svg png"; pictures appear in the folder
   where gnuplot runs. */
void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count, const char *formats);

/* Writes the page. svg[i] is the text of an SVG file with the caption captions[i]. */
void wy_plot_page(FILE *out, const wy_plot_run *run, char *const *svg, const char *const *captions, int count);

#endif
