/* The threads of one rank: they compute tasks, numbers from 0, and leave rows, bytes that somebody else understands.
   One thread owns the pool, gives tasks and takes rows; it alone talks to other ranks. */
#ifndef WY_MPI_POOL_H
#define WY_MPI_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* What became of a task. */
typedef struct wy_pool_row {
  int task;
  bool failed;    /* there is no memory for the row */
  double seconds; /* that it took */
  void *bytes;    /* of malloc; who takes the row frees them. NULL: the task was stopped or failed, there is no row */
  size_t size;
} wy_pool_row;

/* Computes one task and fills `bytes`, `size` and `failed` of the row, which are empty before. Several threads call it
   at the same time. `stopped` says that the row is not wanted any more. */
typedef void (*wy_pool_compute)(void *context, int task, bool (*stopped)(void *pool), void *pool, wy_pool_row *row);

typedef struct wy_pool wy_pool;

/* Starts `threads` threads; NULL if that is not possible. */
wy_pool *wy_pool_create(int threads, wy_pool_compute compute, void *context);
/* Tasks that may be in the pool: each thread can have one in work and one that waits. */
int wy_pool_capacity(const wy_pool *pool);
/* Gives a task, as long as there are fewer in the pool than its capacity. */
void wy_pool_give(wy_pool *pool, int task);
/* Takes the row of a task out of the pool, if there is one. */
bool wy_pool_take(wy_pool *pool, wy_pool_row *row);
/* Returns when there is a row to take, but after `seconds` at the latest. */
void wy_pool_wait(wy_pool *pool, double seconds);
/* Asks all threads to leave their tasks, which then have empty rows. */
void wy_pool_stop(wy_pool *pool);
/* Stops, waits for the threads, frees everything. NULL does nothing. */
void wy_pool_destroy(wy_pool *pool);

#endif
