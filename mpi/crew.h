/* SPDX-License-Identifier: MIT */
/* A crew: the threads of one rank. They compute tasks, numbers from 0, and leave rows, bytes that somebody else
   understands. One thread owns the crew, gives tasks and takes rows; it alone talks to other ranks. */
#ifndef WY_MPI_CREW_H
#define WY_MPI_CREW_H

#include <stdbool.h>
#include <stddef.h>

/* What became of a task. */
typedef struct wy_crew_row {
  int task;
  bool failed;    /* there is no memory for the row */
  double seconds; /* that it took */
  void *bytes;    /* of malloc; who takes the row frees them. NULL: the task was stopped or failed, there is no row */
  size_t size;
} wy_crew_row;

/* Computes one task and fills `bytes`, `size` and `failed` of the row, which are empty before. Several threads call it
   at the same time. `stopped` says that the row is not wanted any more. */
typedef void (*wy_crew_compute)(void *context, int task, bool (*stopped)(void *crew), void *crew, wy_crew_row *row);

typedef struct wy_crew wy_crew;

/* Starts `threads` threads for up to `capacity` tasks; NULL if that is not possible. */
wy_crew *wy_crew_create(int threads, int capacity, wy_crew_compute compute, void *context);
/* Gives a task. No more than the capacity may be given whose rows were not taken. */
void wy_crew_give(wy_crew *crew, int task);
/* Takes the row of a task out of the crew, if there is one. */
bool wy_crew_take(wy_crew *crew, wy_crew_row *row);
/* Returns when there is a row to take, but after `seconds` at the latest. */
void wy_crew_wait(wy_crew *crew, double seconds);
/* Asks all threads to leave their tasks, which then have empty rows. */
void wy_crew_stop(wy_crew *crew);
/* Stops, waits for the threads, frees everything. NULL does nothing. */
void wy_crew_destroy(wy_crew *crew);

#endif
