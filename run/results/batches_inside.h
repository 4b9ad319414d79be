/* SPDX-License-Identifier: MIT */
/* What batches.c, which makes, moves and saves the batches of a run, and batches_read.c share. */
#ifndef WY_RUN_RESULTS_BATCHES_INSIDE_H
#define WY_RUN_RESULTS_BATCHES_INSIDE_H

#include "run/results/batches.h"

/* Rods that are read at once. */
enum { WY_BATCH_BLOCK = 64 };

/* A batch, or the part of this rank. */
typedef struct wy_batches_one {
  wy_batch *rods;
  const wy_scenario_batch *def;
  double *room;  /* for the motion of the roots; NULL where they do not move */
  double *block; /* arrays of WY_BATCH_BLOCK rods: positions, frames and two more of 3 numbers a vertex */
  int segments;
  int first, own; /* the rods of this rank */
  double memory;  /* of all ranks */
  const wy_ranks *ranks;
} wy_batches_one;

struct wy_batches {
  const wy_scenario *scenario;
  const wy_ranks *ranks; /* or NULL */
  bool stop;             /* some rank was interrupted */
  wy_model *patterns;
  int count;
  double *values; /* of a probe of the largest batch */
  wy_batch_rod *status;
  void *room; /* of the ranks above 0, for what they send; grows */
  size_t room_size;
  wy_batch **rods; /* all of them, for callers */
  size_t kept;     /* bytes beside those of the library */
  wy_batches_one list[];
};

/* A failure of the library, with the name of the batch. */
wy_status wy_batches_fail(const wy_batches_one *it, wy_status status, wy_message *message);
/* There is no memory for what is to be sent to rank 0. */
wy_status wy_batches_no_room(wy_message *message);
/* Room for it, of `size` bytes, until the next call; NULL: there is none. */
void *wy_batches_room(wy_batches *batches, size_t size);
/* What all ranks have found of their rods, to rank 0; of the recorded ones alone, or of all. */
wy_status wy_batches_collect(wy_batches *batches, const wy_batches_one *it, bool recorded, size_t size, void *values,
                             wy_status status, wy_message *message);
/* A frame to time t. */
wy_status wy_batches_move_one(wy_batches *batches, int batch, double t, const wy_rigid_motion *motion,
                              wy_message *message);

#endif
