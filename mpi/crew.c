/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "mpi/crew.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "run/results/clock.h"

/* Tasks or rows in the order of their arrival, in a ring. */
typedef struct ring {
  wy_crew_row *rows; /* [capacity] */
  int first, count;
} ring;

struct wy_crew {
  int capacity;
  wy_crew_compute compute;
  void *context;
  atomic_bool stopped;
  pthread_mutex_t mutex;      /* of all that follows, up to `closed` */
  pthread_cond_t given, done; /* a task was given, or the crew closes; a row can be taken */
  ring tasks, rows;
  int count; /* of tasks in the crew: waiting, in work, or with a row */
  bool closed;
  int thread_count; /* written by the owner alone */
  pthread_t threads[];
};

static void append(ring *line, int capacity, wy_crew_row row) {
  assert(line->count < capacity);
  line->rows[(line->first + line->count++) % capacity] = row;
}

static bool remove_first(ring *line, int capacity, wy_crew_row *row) {
  if (line->count == 0)
    return false;
  *row = line->rows[line->first];
  line->first = (line->first + 1) % capacity;
  line->count--;
  return true;
}

static bool is_stopped(void *crew) {
  return atomic_load(&((wy_crew *)crew)->stopped);
}

static void compute_row(wy_crew *crew, wy_crew_row *row) {
  double start = wy_wall_time();
  if (!is_stopped(crew))
    crew->compute(crew->context, row->task, is_stopped, crew, row);
  row->seconds = wy_wall_time() - start;
}

static void *work(void *context) {
  wy_crew *crew = context;
  pthread_mutex_lock(&crew->mutex);
  while (!crew->closed) {
    wy_crew_row row;
    if (!remove_first(&crew->tasks, crew->capacity, &row)) {
      pthread_cond_wait(&crew->given, &crew->mutex);
      continue;
    }
    pthread_mutex_unlock(&crew->mutex);
    compute_row(crew, &row);
    pthread_mutex_lock(&crew->mutex);
    append(&crew->rows, crew->capacity, row);
    pthread_cond_signal(&crew->done);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

/* The clock of `done` is the one that nobody sets. */
static bool create_locks(wy_crew *crew) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0)
    return false;
  bool good =
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&crew->done, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return good && pthread_cond_init(&crew->given, NULL) == 0 && pthread_mutex_init(&crew->mutex, NULL) == 0;
}

static wy_crew *allocate(int threads, int capacity, wy_crew_compute compute, void *context) {
  wy_crew *crew = calloc(1, sizeof *crew + (size_t)threads * sizeof *crew->threads);
  if (!crew)
    return NULL;
  crew->capacity = capacity;
  crew->compute = compute;
  crew->context = context;
  crew->tasks.rows = calloc((size_t)crew->capacity, sizeof *crew->tasks.rows);
  crew->rows.rows = calloc((size_t)crew->capacity, sizeof *crew->rows.rows);
  if (crew->tasks.rows && crew->rows.rows && create_locks(crew))
    return crew;
  free(crew->tasks.rows);
  free(crew->rows.rows);
  free(crew);
  return NULL;
}

wy_crew *wy_crew_create(int threads, int capacity, wy_crew_compute compute, void *context) {
  assert(threads > 0 && capacity > 0 && compute);
  wy_crew *crew = allocate(threads, capacity, compute, context);
  for (; crew && crew->thread_count < threads; crew->thread_count++)
    if (pthread_create(&crew->threads[crew->thread_count], NULL, work, crew) != 0) {
      wy_crew_destroy(crew);
      return NULL;
    }
  return crew;
}

void wy_crew_give(wy_crew *crew, int task) {
  pthread_mutex_lock(&crew->mutex);
  assert(crew->count < crew->capacity);
  crew->count++;
  append(&crew->tasks, crew->capacity, (wy_crew_row){.task = task});
  pthread_cond_signal(&crew->given);
  pthread_mutex_unlock(&crew->mutex);
}

bool wy_crew_take(wy_crew *crew, wy_crew_row *row) {
  pthread_mutex_lock(&crew->mutex);
  bool taken = remove_first(&crew->rows, crew->capacity, row);
  crew->count -= taken;
  pthread_mutex_unlock(&crew->mutex);
  return taken;
}

void wy_crew_wait(wy_crew *crew, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  pthread_mutex_lock(&crew->mutex);
  if (crew->rows.count == 0)
    pthread_cond_timedwait(&crew->done, &crew->mutex, &until);
  pthread_mutex_unlock(&crew->mutex);
}

void wy_crew_stop(wy_crew *crew) {
  atomic_store(&crew->stopped, true);
}

void wy_crew_destroy(wy_crew *crew) {
  if (!crew)
    return;
  wy_crew_stop(crew);
  pthread_mutex_lock(&crew->mutex);
  crew->closed = true;
  pthread_cond_broadcast(&crew->given);
  pthread_mutex_unlock(&crew->mutex);
  for (int i = 0; i < crew->thread_count; i++)
    pthread_join(crew->threads[i], NULL);
  for (wy_crew_row row; remove_first(&crew->rows, crew->capacity, &row);)
    free(row.bytes);
  free(crew->tasks.rows);
  free(crew->rows.rows);
  pthread_mutex_destroy(&crew->mutex);
  pthread_cond_destroy(&crew->given);
  pthread_cond_destroy(&crew->done);
  free(crew);
}
