/* SPDX-License-Identifier: MIT */
/* The file `checkpoint` of a result folder: the saved state of the simulation and of batches, and how far the result
   files were when it was taken, so that an interrupted or killed run goes on as if nothing had happened. Written whole
   or not at all; a finished run has none. */
#ifndef WY_RUN_RESULTS_CHECKPOINT_H
#define WY_RUN_RESULTS_CHECKPOINT_H

#include "run/results/batches.h"
#include "withy/sim.h"

typedef struct wy_checkpoint {
  uint64_t identity; /* hash of scenario, settings and version: what the run is a run of */
  int64_t rows, snapshots;
  uint64_t csv_bytes;
  uint64_t steps_bytes; /* of steps.csv, where there is one; it has as many rows */
  int64_t path_rows;    /* of path.csv, where there is one */
  uint64_t path_bytes;
  double last_time; /* of a row or snapshot */
  double wall_seconds;
} wy_checkpoint;

/* NULL for `sim`: the run has not begun, and goes on from its start. */
wy_status wy_checkpoint_write(const char *path, const wy_checkpoint *checkpoint, const wy_sim *sim, wy_batches *batches,
                              wy_message *message);

/* Fills the checkpoint and restores the simulation and the batches. WY_ERROR_INPUT where it is damaged or belongs to
   another run than `identity` says. `*exists` tells whether there is one at all. */
wy_status wy_checkpoint_read(const char *path, uint64_t identity, wy_checkpoint *checkpoint, wy_sim *sim,
                             wy_batches *batches, bool *exists, wy_message *message);

#endif
