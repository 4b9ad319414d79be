/* SPDX-License-Identifier: MIT */
/* result.h5: the whole state at every snapshot time. The file is laid out once, with room for many snapshots
   (h5_making.h); after that snapshots are plain bytes written to the places of the datasets, several at once, and the
   counter /frames last. So the file can be opened at any moment, also after the run was killed, and shows
   that many complete snapshots. A file that is too small, too large or half full (growth, end, resumption) is laid out
   anew beside the old one, which it then replaces.

   Layout (docs/guide/results.md): /frames, /time [T], /rods/NAME/{position [T][P][3], s [P], ...},
   /batches/NAME/{position [T][count][P][3], ...} of rods that share datasets (sets.h), /bodies/NAME/...,
   /joints/NAME/..., /springs/NAME/..., /energy/..., /momentum/..., /strands/NAME/..., and after wy_h5_add_modes
   /modes/... */
#ifndef WY_RUN_RESULTS_H5_H
#define WY_RUN_RESULTS_H5_H

#include "run/results/batches.h"
#include "run/results/file.h"
#include "run/results/modes.h"
#include "run/scenario/scenario.h"

typedef struct wy_h5 wy_h5;

/* Everything here must live as long as the file is open. */
typedef struct wy_h5_def {
  const char *path;
  const wy_scenario *scenario;
  const char *settings; /* the PATH=VALUE of --set, one a line */
  const char *files;    /* those that the scenario names, as JSON: [{"name": ..., "text": ...}]; "" if there are none */
  const wy_model *model;
  wy_sim *sim;
  long snapshot_count; /* of the complete run */
  wy_strands *const *strands;
  int strands_count;
  wy_batches *batches; /* or NULL */
} wy_h5_def;

/* Makes the file new, without snapshots. */
wy_status wy_h5_create(const wy_h5_def *def, wy_h5 **out, wy_message *message);
/* Goes on after the first `snapshots` snapshots of an existing file. */
wy_status wy_h5_resume(const wy_h5_def *def, long snapshots, wy_h5 **out, wy_message *message);

/* Where in the present state a value is not finite: WY_ERROR_SOLVER, with time, rod and place. WY_OK where there is
 * none. */
wy_status wy_h5_check(wy_h5 *h5, wy_message *message);
/* The present state as next snapshot, if it passes that check. It waits in memory until wy_h5_flush, or until there is
   no room for more. */
wy_status wy_h5_append(wy_h5 *h5, wy_message *message);
/* Writes the snapshots that wait; where that fails they are gone. NULL is allowed. */
wy_status wy_h5_flush(wy_h5 *h5, wy_message *message);
/* Is there no room for more of them? */
bool wy_h5_full(const wy_h5 *h5);

/* Adds the modes, whose table must live until the file is closed. No snapshots may follow. */
wy_status wy_h5_add_modes(wy_h5 *h5, const wy_mode_table *modes, wy_message *message);

/* Complete snapshots, those that wait included, and for how many the datasets have room at present: their first
 * dimension.
 */
long wy_h5_snapshots(const wy_h5 *h5);
long wy_h5_capacity(const wy_h5 *h5);
/* The time of the last snapshot that was put into the file since it was opened, -INFINITY where there is none. */
double wy_h5_last_time(const wy_h5 *h5);
/* The times of the snapshots, none of which may wait. */
wy_status wy_h5_times(const wy_h5 *h5, double *times, wy_message *message);

/* Makes the datasets exactly as long as there are snapshots, and tells how the rods of batches have fared. Where that
 * fails the longer file stays, with its counter.
 */
wy_status wy_h5_trim(wy_h5 *h5, wy_message *message);
/* Reports what went wrong late; the object is gone in any case. NULL is allowed. */
wy_status wy_h5_close(wy_h5 *h5, wy_message *message);

#endif
