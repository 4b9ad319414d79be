/* SPDX-License-Identifier: MIT */
/* Private header of run/loop/: the state of the loop, and the functions that the files of this folder share. */
#ifndef WY_RUN_LOOP_LOOP_H
#define WY_RUN_LOOP_LOOP_H

#include "run/results/results.h"

typedef struct wy_loop {
  const wy_run_def *run;     /* callbacks */
  const wy_results_def *def; /* scenario, model and simulation */
  wy_results *results;       /* the open files */
  double stride;             /* simulated time of one call of the simulation, adapted to the wall time it takes */
  double next_checkpoint;    /* wall time */
  wy_mode_table *modes;      /* of modes and buckling, else NULL; the results refer to it until they are finished */
  bool stopped;              /* the caller has asked for an end */
  bool complete;             /* nothing is left to do */
  char note[800];            /* a note on the result, or "" */
} wy_loop;

/* Has the caller asked for an end, now or before? */
bool wy_loop_stopped(wy_loop *loop);
/* Tells the caller how far the simulation is. */
void wy_loop_progress(wy_loop *loop);

/* Writes the row or snapshot that is due. Returns `before`, unless writing fails. */
wy_status wy_loop_record(wy_loop *loop, wy_status before, wy_message *message);

/* The analyses (course.c, states.c). WY_OK without `complete`: the run was interrupted and can be resumed. */
wy_status wy_loop_dynamics(wy_loop *loop, wy_message *message);
wy_status wy_loop_quasistatics(wy_loop *loop, wy_message *message);
wy_status wy_loop_statics(wy_loop *loop, wy_message *message);
wy_status wy_loop_modes(wy_loop *loop, wy_message *message);
wy_status wy_loop_buckling(wy_loop *loop, wy_message *message);

#endif
