/* SPDX-License-Identifier: MIT */
/* The points of a sweep as tasks of a queue. */
#ifndef WY_MPI_SWEEP_H
#define WY_MPI_SWEEP_H

#include "mpi/queue.h"
#include "withy/sweep.h"

typedef struct wy_study {
  const wy_plan *plan;
  bool (*interrupted)(void *unused);
  /* Of rank 0. */
  wy_sweep *sweep;
  void (*progress)(void *context, const wy_sweep_counts *counts);
  void *context;      /* of progress */
  wy_message message; /* why a row could not be recorded */
} wy_study;

/* The queue of a study, whose context it is. */
wy_queue_def wy_study_queue(wy_study *study, MPI_Comm comm, int threads);

#endif
