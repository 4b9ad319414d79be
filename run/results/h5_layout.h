/* SPDX-License-Identifier: MIT */
/* Where everything is in result.h5: which datasets it has, at which byte each of them starts, and what describes them.
   Inner header of run/results/. */
#ifndef WY_RUN_RESULTS_H5_LAYOUT_H
#define WY_RUN_RESULTS_H5_LAYOUT_H

#include "run/results/h5.h"
#include "run/results/sets.h"
#include "run/tree/pool.h"

/* What a network has in a file, and obstacles. */
typedef enum wy_h5_part { WY_H5_NO_PART, WY_H5_BODY, WY_H5_JOINT, WY_H5_SPRING, WY_H5_OBSTACLE } wy_h5_part;

/* What snapshots have of a batch: of recorded rods, of all rods, or a probe, whose number is `index` of the field. */
typedef enum wy_h5_item { WY_H5_POSITION, WY_H5_FRAME, WY_H5_VELOCITY, WY_H5_TIP, WY_H5_PROBE } wy_h5_item;

/* A dataset with one entry per snapshot: [T], [T][components], [T][count][components] or [T][lines][count][components],
   where the lines are strands, or the rods of a set. */
typedef struct wy_h5_field {
  const char *path; /* "/rods/arm/position" */
  const char *name; /* "position" */
  int rod;          /* the first of `lines`; or WY_ALL_RODS */
  int rank;         /* of one snapshot: 0 to 3 */
  int lines, count, components;
  const char *s_name; /* the dataset of its arc lengths, beside it, or NULL */
  const double *s;
  size_t values;                    /* numbers of one snapshot */
  size_t start;                     /* where they start among all numbers of a snapshot */
  const wy_quantity_info *quantity; /* that it holds; NULL for time, actuators, networks and strands */
  const wy_actuator_def *actuator;  /* whose force it is, or NULL */
  wy_h5_part part;                  /* whose state it is, and its number in the model */
  int index;
  size_t member;       /* likewise: of the struct that h5_network.c makes of the state */
  wy_strands *strands; /* whose positions they are, or NULL */
  int batch;           /* 1 + the number of the batch that it is of; 0: of none */
  wy_h5_item item;     /* likewise: what it is */
  bool single;         /* in single precision in the file */
  size_t bytes;        /* of one snapshot in the file */
  uint64_t offset;     /* byte in the file */
} wy_h5_field;

typedef struct wy_h5_layout {
  wy_h5_field *fields;
  int field_count;
  size_t values;    /* numbers of a whole snapshot */
  size_t bytes;     /* of a whole snapshot in the file */
  uint64_t counter; /* byte of /frames, a 64-bit integer */
  long capacity;
  bool shared; /* does any set have more than one rod? */
} wy_h5_layout;

/* Order of the fields in a snapshot: time, the rods' points, forces of actuators, bodies, joints, springs,
   energies, momenta, strands, batches.
 */
wy_h5_layout wy_h5_plan(const wy_h5_def *def, wy_pool *pool);

/* The present state in snapshot[layout->values]. WY_ERROR_SOLVER: a value is not finite; the message has time, rod and
   place. */
wy_status wy_snapshot_take(const wy_h5_layout *layout, const wy_h5_def *def, double *snapshot, wy_message *message);

/* "group/name/last" in the pool, or "group/name" where `last` is ""; "" without memory. */
const char *wy_h5_join(wy_pool *pool, const char *group, const char *name, const char *last);
/* "/joints/NAME", or "/joints/[K]" where it has no name, K its number in the model. */
const char *wy_h5_part_folder(wy_pool *pool, const wy_model *model, wy_h5_part part, int index);
/* How many datasets a network has, and their plan. */
int wy_h5_network_fields(const wy_model *model);
void wy_h5_plan_network(wy_h5_layout *layout, const wy_model *model, wy_pool *pool);
/* Puts the numbers of the fields of one part into the snapshot; returns the field behind them. */
const wy_h5_field *wy_h5_take_part(const wy_h5_field *field, wy_sim *sim, const wy_model *model, double *snapshot);
/* How many datasets batches have in snapshots, their plan, and the numbers of one of them. */
int wy_h5_batch_fields(const wy_scenario *scenario);
void wy_h5_plan_batches(wy_h5_layout *layout, const wy_scenario *scenario, wy_pool *pool);
wy_status wy_h5_take_batch(const wy_h5_field *field, wy_batches *batches, double *values, wy_message *message);
/* One more field in single or double precision. */
wy_h5_field *wy_h5_add_planned(wy_h5_layout *layout, wy_h5_field field);
/* One more field, which takes its place among the numbers of a snapshot. */
wy_h5_field *wy_h5_add_field(wy_h5_layout *layout, const char *path, const char *name, int rank, int count,
                             int components);

/* "/rods/NAME/actuators/K", K as in the scenario. */
const char *wy_h5_actuator_folder(wy_pool *pool, const wy_model *model, int actuator);

/* Makes a file with room for `capacity` snapshots at `path`, with the modes unless they are NULL, and fills in the
   offsets. 0, or an errno, or -1 for other reasons. */
int wy_h5_lay_out(const char *path, const wy_h5_def *def, long capacity, const wy_mode_table *modes,
                  wy_h5_layout *layout);

/* Fills in the offsets, the capacity and the number of complete snapshots of an existing file of the same plan. */
wy_status wy_h5_find(const char *path, wy_h5_layout *layout, long *snapshots, wy_message *message);

#endif
