/* SPDX-License-Identifier: MIT */
/* A work queue over ranks: rank 0 hands out tasks and records rows, all ranks compute, each with threads of its own.
   Nobody waits in MPI: a rank that has nothing to do sleeps and looks for messages two thousand times a second, so
   that ranks may share cores. Only the calling thread talks to MPI (MPI_THREAD_FUNNELED).

   Tasks that take less than a tenth of a second are sent in advance, so that nobody waits for a message; longer ones
   are sent on demand, so that no task waits behind another at the end. */
#ifndef WY_MPI_QUEUE_H
#define WY_MPI_QUEUE_H

#include <mpi.h>

#include "mpi/crew.h"

/* Up to this rate the own tasks of rank 0 do not make the other ranks wait: bench/mpi.py. */
#define WY_QUEUE_BUSY 30000.0

typedef struct wy_queue_def {
  MPI_Comm comm;
  int threads; /* of each rank: the same number on all */
  double busy; /* rows per second of all ranks above which rank 0 does not compute any more; or WY_QUEUE_BUSY */
  void *context;
  wy_crew_compute compute;
  bool (*interrupted)(void *context); /* asked often, on every rank: true ends the work of all ranks */
  /* Of rank 0, called by the calling thread alone. */
  int (*next)(void *context); /* the next task, or -1 */
  /* Keeps a row. false ends the work of all ranks. */
  bool (*record)(void *context, const void *bytes, size_t size);
  void (*progress)(void *context); /* called often */
} wy_queue_def;

typedef enum wy_queue_end {
  WY_QUEUE_DONE,        /* every task has a row */
  WY_QUEUE_INTERRUPTED, /* `interrupted` of some rank was true; rows that were complete are recorded */
  WY_QUEUE_UNRECORDED,  /* `record` was false */
  WY_QUEUE_MEMORY       /* a rank has no memory */
} wy_queue_end;

/* The work of rank 0, until all tasks have rows, or an early end. The other ranks then wait for wy_queue_finish; but
   where *lost is set some of them do not answer, so that only MPI_Abort can end the program; until
   then threads may still use the context. */
wy_queue_end wy_queue_serve(const wy_queue_def *def, bool *lost);
/* Rank 0 ends the work of the other ranks with an exit status. */
void wy_queue_finish(MPI_Comm comm, int status);
/* The work of another rank, until wy_queue_finish. Returns its status. */
int wy_queue_work(const wy_queue_def *def);

#endif
