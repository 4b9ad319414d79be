/* SPDX-License-Identifier: MIT */
/* A run as the 3D page shows it. Inner header of draw/scene/; draw/export/ finds and reads runs with it, too. find.c,
   network.c, obstacles.c and strands.c find out what the folder has, plan.c chooses how much of it is shown, build.c,
   network.c, obstacles.c, strands.c, charts.c and modes.c make a list of arrays of that, fill.c gets their numbers,
   header.c and arrays.c write header and numbers. */
#ifndef WY_DRAW_SCENE_RUN_H
#define WY_DRAW_SCENE_RUN_H

#include <stdio.h>

#include "draw/bands.h"
#include "draw/body.h"
#include "draw/labels.h"
#include "draw/memory.h"
#include "draw/surface.h"
#include "run/folder/folder.h"
#include "run/results/json.h"

/* Places along a rod or a strand: the points at `point`, or between them and their neighbours. Outside of the first
   and the last point `part` is below 0 or above 1. */
typedef struct wy_scene_places {
  int count;
  const int *point;
  const double *part; /* NULL: the points themselves */
} wy_scene_places;

/* What an array takes from a field. */
typedef enum wy_scene_value {
  WY_SCENE_PLAIN,   /* the numbers themselves */
  WY_SCENE_BENDING, /* of a vector: the length of its first two components */
  WY_SCENE_TWIST,   /* the third component */
  WY_SCENE_LENGTH,
  WY_SCENE_D1, /* of a quaternion: a director */
  WY_SCENE_D2
} wy_scene_value;

typedef enum wy_scene_type { WY_SCENE_F64, WY_SCENE_F32, WY_SCENE_U16, WY_SCENE_I16 } wy_scene_type;

/* An array of the page: `snapshots` times `values` numbers, from memory or from a field. */
typedef struct wy_scene_array {
  struct wy_scene_array *next;
  wy_scene_type type;
  int snapshots;
  size_t values;
  int components;
  const double *data; /* or NULL */
  const wy_stored_field *field;
  const wy_scene_places *places;
  int line_step;
  wy_scene_value value;
  double low[3], high[3];    /* of each component */
  double scale[3], shift[3]; /* value = shift + scale * number */
  uint64_t offset;           /* in the stream */
} wy_scene_array;

typedef struct wy_scene_actuator {
  const char *kind;
  const double *file_offset; /* [points of the file][2] */
  const wy_stored_field *field;
  wy_scene_array *offset, *force;
} wy_scene_actuator;

enum { WY_SCENE_QUANTITIES = 6 };
extern const char *const wy_scene_quantities[WY_SCENE_QUANTITIES];

typedef struct wy_scene_rod {
  const char *name, *model, *scheme, *integrator;
  int segments;
  double length;
  int index;           /* in the scenario, or -1 */
  const char *section; /* "circle", "annulus", "rectangle" */
  const char *ends[2]; /* NULL where they are not known */
  bool thin;           /* the radius was chosen for drawing */
  const wy_stored_field *position, *frame, *strain, *curvature, *force, *moment, *contact, *velocity; /* or NULL */
  const double *file_half; /* [points of the file][2] */
  wy_scene_actuator *actuators;
  int actuator_count;
  wy_scene_places points; /* of the file: those shown */
  double *shown_s;
  double largest_half;
  wy_scene_array *s, *half, *positions, *d1, *d2, *rest, *quantities[WY_SCENE_QUANTITIES]; /* NULL: there is none */
} wy_scene_rod;

/* A number that differs from rod to rod of a batch. */
typedef struct wy_scene_number {
  const char *name;     /* "young", ... */
  const double *values; /* [rods of the batch] */
  wy_scene_array *array;
} wy_scene_number;

/* What strands have that are the recorded rods of a batch. */
typedef struct wy_scene_batch {
  const wy_folder_batch *of;
  const wy_stored_field *tip, *velocity; /* of all rods, of the recorded ones; or NULL */
  int tip_count;                         /* shown */
  int number_count;
  wy_scene_number *numbers;
  wy_scene_array *rods, *speed, *tips, *tip_rods; /* rods: numbers of those shown; speed and tips may be NULL */
} wy_scene_batch;

typedef struct wy_scene_strands {
  const char *name;
  double radius;
  const wy_stored_field *position;
  wy_scene_batch *batch; /* or NULL: they follow guides */
  int count;             /* shown */
  wy_scene_places points;
  wy_scene_array *positions;
} wy_scene_strands;

typedef struct wy_scene_body {
  const char *name;
  wy_solid solid;
  const wy_stored_field *position, *frame;
  wy_scene_array *positions, *frames;
} wy_scene_body;

/* A place that a joint or a spring takes hold of: on a rod or body of the run, or a point of the ground. */
typedef struct wy_scene_hold {
  wy_port_kind kind;
  int index;
  double s, point[3];
} wy_scene_hold;

typedef struct wy_scene_joint {
  const char *name; /* or NULL */
  wy_joint_kind kind;
  int hold_count;
  wy_scene_hold *holds;
  double radius;  /* of its picture */
  double axis[3]; /* of a hinge: in the axes of its first part */
  double release; /* INFINITY: never */
  const wy_stored_field *force;
  wy_scene_array *forces; /* on its first part; NULL: not stored */
} wy_scene_joint;

typedef struct wy_scene_spring {
  const char *name; /* or NULL */
  bool cable;
  double length;
  wy_scene_hold holds[2];
} wy_scene_spring;

typedef struct wy_scene_obstacle {
  const wy_obstacle_def *def;
  const wy_stored_field *position, *frame, *force;
  wy_scene_array *positions, *frames, *forces;
  wy_surface surface; /* of a grid of distances; also as arrays, or NULL */
  wy_scene_array *vertices, *triangles;
} wy_scene_obstacle;

typedef struct wy_scene_mode {
  int rod, body; /* the one that it belongs to; the other is -1 */
  int number;
  const char *label;
  const double *base; /* [points][3] what is displaced */
  wy_scene_array *displacement, *d1;
  wy_scene_array *rotation;                    /* of a body, in its axes; it has no d1 */
  wy_scene_array *position, *director, *frame; /* of buckling; a rod has a director, a body a frame */
} wy_scene_mode;

enum { WY_SCENE_COLUMNS = 7 };

typedef struct wy_scene_chart {
  const char *title, *quantity;
  bool bands; /* columns are quantiles */
  int columns;
  const char *labels[WY_SCENE_COLUMNS];
  wy_scene_array *time, *values[WY_SCENE_COLUMNS];
} wy_scene_chart;

enum { WY_SCENE_NOTES = 16 };

typedef struct wy_scene_run {
  wy_memory *memory;
  wy_folder *folder;
  const wy_model *model;               /* or NULL */
  const char *name, *status, *message; /* status is NULL where it is not known */
  const double *time_in_file;          /* [snapshots] */
  wy_scene_rod *rods;
  wy_scene_strands *strands;
  wy_scene_body *bodies; /* in the order of the model, as are joints and springs */
  wy_scene_joint *joints;
  wy_scene_spring *springs;
  wy_scene_obstacle *obstacles;
  wy_scene_mode *modes;
  wy_scene_chart *charts;
  wy_scene_array *time, *first, *last;
  uint64_t bytes; /* of all arrays */
  wy_facts facts;
  double bounds[2][3];
  const char *notes[WY_SCENE_NOTES]; /* for the reader of the page */
  wy_analysis analysis;
  int snapshots; /* in the file */
  int shown;     /* snapshots of the page */
  int snapshot_step, point_step, strand_step;
  int rod_count, strands_count, body_count, joint_count, spring_count, obstacle_count, mode_count, chart_count,
      note_count;
  bool rods_rounded, strands_rounded; /* positions have 16 bits */
} wy_scene_run;

/* Finds out what is in a folder. */
wy_status wy_scene_find(wy_folder *folder, wy_memory *memory, wy_scene_run *run, wy_message *message);
/* The bodies, joints and springs of its model. */
wy_status wy_scene_find_network(wy_scene_run *run, wy_message *message);
wy_status wy_scene_find_obstacles(wy_scene_run *run, wy_message *message);
wy_status wy_scene_find_strands(wy_scene_run *run, wy_message *message);
/* One more note. */
void wy_scene_note(wy_scene_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool wy_scene_has_batches(const wy_scene_run *run);
/* Every so many-th of the recorded rods of a batch, and of its tips, is shown. */
int wy_scene_line_step(const wy_scene_run *run, const wy_scene_strands *strands);
int wy_scene_tip_step(const wy_scene_run *run, const wy_scene_strands *strands);
/* Chooses what is shown: at most `most` snapshots (0: any number) and about `budget` bytes. */
void wy_scene_plan(wy_scene_run *run, long long most, double budget);
/* Of `total` things every step-th and the last: how many these are, and which is the k-th. */
int wy_scene_shown(int total, int step);
int wy_scene_pick(int total, int step, int k);

/* Makes the arrays, with their ranges. */
wy_status wy_scene_build(wy_scene_run *run, wy_message *message);
wy_scene_array *wy_scene_add(wy_scene_run *run, wy_scene_array array);
wy_status wy_scene_build_network(wy_scene_run *run, wy_message *message);
wy_status wy_scene_build_obstacles(wy_scene_run *run, wy_message *message);
wy_status wy_scene_build_strands(wy_scene_run *run, wy_message *message);
wy_status wy_scene_build_charts(wy_scene_run *run, wy_message *message);
wy_status wy_scene_build_modes(wy_scene_run *run, wy_message *message);

/* Numbers from memory that do not change in time. */
wy_scene_array *wy_scene_add_fixed(wy_scene_run *run, wy_scene_type type, const double *data, int count,
                                   int components);
/* The points of a line with `total` of them that are shown. */
wy_scene_places wy_scene_choose_points(wy_scene_run *run, int total);
/* An array of positions, with a margin about them; likewise one of numbers along rods, with 16 bits. */
wy_status wy_scene_add_positions(wy_scene_run *run, wy_scene_array array, double margin, wy_scene_array **out,
                                 wy_message *message);
wy_status wy_scene_add_spread(wy_scene_run *run, wy_scene_array array, wy_scene_array **out, wy_message *message);
/* Where `count` points at `to` are among those of a field. */
wy_scene_places wy_scene_locate(wy_memory *memory, const double *from, int from_count, const double *to, int count);
/* The rotation at the i-th place, between quaternions. */
void wy_scene_rotation(const double *quaternions, const wy_scene_places *places, int i, double out[4]);
/* The director d1 (value WY_SCENE_D1) or d2 of quaternions at the places. */
void wy_scene_directors(const double *quaternions, const wy_scene_places *places, wy_scene_value value, double *out);
/* Vectors at the places. */
void wy_scene_vectors(const double *from, int components, const wy_scene_places *places, double *out);

/* The numbers of an array, piece by piece: wy_scene_next returns how many snapshots are in `numbers`, 0 after the
   last, -1 with a message. */
typedef struct wy_scene_reader {
  const wy_scene_run *run;
  const wy_scene_array *array;
  int at, block;
  double *numbers, *raw; /* NULL: there was no memory */
} wy_scene_reader;
wy_scene_reader wy_scene_begin(const wy_scene_run *run, const wy_scene_array *array);
int wy_scene_next(wy_scene_reader *reader, wy_message *message);
void wy_scene_end(wy_scene_reader *reader);

/* WY_ERROR_INPUT if one of the numbers that a field has in a snapshot (counted in the file) is not finite. */
wy_status wy_scene_finite(const wy_scene_run *run, const wy_stored_field *field, int snapshot, const double *numbers,
                          wy_message *message);
/* WY_ERROR_INPUT unless the times of the snapshots increase. */
wy_status wy_scene_check_times(const wy_scene_run *run, wy_message *message);

/* Fills in low and high. */
wy_status wy_scene_range(const wy_scene_run *run, wy_scene_array *array, wy_message *message);

/* Takes a box, with a margin, into the bounds of the run. */
void wy_scene_extend(wy_scene_run *run, const double low[3], const double high[3], double margin);

/* Where is up, a unit vector: against gravity; without it along z, or y where everything happens in the x-y plane. The
   bounds must be known. */
void wy_scene_up(const wy_scene_run *run, double up[3]);

/* Entries of the header. */
void wy_scene_put_strands(wy_json *json, const wy_scene_run *run);
void wy_scene_put_numbers(wy_json *json, const char *key, const double *numbers, int count);
void wy_scene_put_array(wy_json *json, const char *key, const wy_scene_array *array);
void wy_scene_put_network(wy_json *json, const wy_scene_run *run);
void wy_scene_put_obstacles(wy_json *json, const wy_scene_run *run); /* where there are any */
/* The header as JSON, fit to stand in a script element. */
void wy_scene_header(const wy_scene_run *run, wy_text *out);
/* All numbers: deflated, in base 64. Whether they could be written is for the caller to ask. */
wy_status wy_scene_data(const wy_scene_run *run, FILE *out, wy_message *message);

#endif
