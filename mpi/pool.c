#define _POSIX_C_SOURCE 200809L
#include "mpi/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "run/results/clock.h"

/* Tasks or rows in the order of their arrival, in a ring. */
typedef struct ring {
  wy_pool_row *rows; /* [capacity] */
  int first, count;
} ring;

struct wy_pool {
  int capacity;
  wy_pool_compute compute;
  void *context;
  atomic_bool stopped;
  pthread_mutex_t mutex;      /* of all that follows, up to `closed` */
  pthread_cond_t given, done; /* a task was given, or the pool closes; a row can be taken */
  ring tasks, rows;
  int count; /* of tasks in the pool: waiting, in work, or with a row */
  bool closed;
  int thread_count; /* written by the owner alone */
  pthread_t threads[];
};

static void append(ring *line, int capacity, wy_pool_row row) {
  assert(line->count < capacity);
  line->rows[(line->first + line->count++) % capacity] = row;
}

static bool remove_first(ring *line, int capacity, wy_pool_row *row) {
  if (line->count == 0)
    return false;
  *row = line->rows[line->first];
  line->first = (line->first + 1) % capacity;
  line->count--;
  return true;
}

static bool is_stopped(void *pool) {
  return atomic_load(&((wy_pool *)pool)->stopped);
}

static void compute_row(wy_pool *pool, wy_pool_row *row) {
  double start = wy_wall_time();
  if (!is_stopped(pool))
    pool->compute(pool->context, row->task, is_stopped, pool, row);
  row->seconds = wy_wall_time() - start;
}

static void *work(void *context) {
  wy_pool *pool = context;
  pthread_mutex_lock(&pool->mutex);
  while (!pool->closed) {
    wy_pool_row row;
    if (!remove_first(&pool->tasks, pool->capacity, &row)) {
      pthread_cond_wait(&pool->given, &pool->mutex);
      continue;
    }
    pthread_mutex_unlock(&pool->mutex);
    compute_row(pool, &row);
    pthread_mutex_lock(&pool->mutex);
    append(&pool->rows, pool->capacity, row);
    pthread_cond_signal(&pool->done);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

/* The clock of `done` is the one that nobody sets. */
static bool create_locks(wy_pool *pool) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0)
    return false;
  bool good =
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&pool->done, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return good && pthread_cond_init(&pool->given, NULL) == 0 && pthread_mutex_init(&pool->mutex, NULL) == 0;
}

static wy_pool *allocate(int threads, wy_pool_compute compute, void *context) {
  wy_pool *pool = calloc(1, sizeof *pool + (size_t)threads * sizeof *pool->threads);
  if (!pool)
    return NULL;
  pool->capacity = 2 * threads;
  pool->compute = compute;
  pool->context = context;
  pool->tasks.rows = calloc((size_t)pool->capacity, sizeof *pool->tasks.rows);
  pool->rows.rows = calloc((size_t)pool->capacity, sizeof *pool->rows.rows);
  if (pool->tasks.rows && pool->rows.rows && create_locks(pool))
    return pool;
  free(pool->tasks.rows);
  free(pool->rows.rows);
  free(pool);
  return NULL;
}

wy_pool *wy_pool_create(int threads, wy_pool_compute compute, void *context) {
  assert(threads > 0 && compute);
  wy_pool *pool = allocate(threads, compute, context);
  for (; pool && pool->thread_count < threads; pool->thread_count++)
    if (pthread_create(&pool->threads[pool->thread_count], NULL, work, pool) != 0) {
      wy_pool_destroy(pool);
      return NULL;
    }
  return pool;
}

int wy_pool_capacity(const wy_pool *pool) {
  return pool->capacity;
}

void wy_pool_give(wy_pool *pool, int task) {
  pthread_mutex_lock(&pool->mutex);
  assert(pool->count < pool->capacity);
  pool->count++;
  append(&pool->tasks, pool->capacity, (wy_pool_row){.task = task});
  pthread_cond_signal(&pool->given);
  pthread_mutex_unlock(&pool->mutex);
}

bool wy_pool_take(wy_pool *pool, wy_pool_row *row) {
  pthread_mutex_lock(&pool->mutex);
  bool taken = remove_first(&pool->rows, pool->capacity, row);
  pool->count -= taken;
  pthread_mutex_unlock(&pool->mutex);
  return taken;
}

void wy_pool_wait(wy_pool *pool, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000;
  until.tv_nsec = nanoseconds % 1000000000;
  pthread_mutex_lock(&pool->mutex);
  if (pool->rows.count == 0)
    pthread_cond_timedwait(&pool->done, &pool->mutex, &until);
  pthread_mutex_unlock(&pool->mutex);
}

void wy_pool_stop(wy_pool *pool) {
  atomic_store(&pool->stopped, true);
}

void wy_pool_destroy(wy_pool *pool) {
  if (!pool)
    return;
  wy_pool_stop(pool);
  pthread_mutex_lock(&pool->mutex);
  pool->closed = true;
  pthread_cond_broadcast(&pool->given);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->thread_count; i++)
    pthread_join(pool->threads[i], NULL);
  for (wy_pool_row row; remove_first(&pool->rows, pool->capacity, &row);)
    free(row.bytes);
  free(pool->tasks.rows);
  free(pool->rows.rows);
  pthread_mutex_destroy(&pool->mutex);
  pthread_cond_destroy(&pool->given);
  pthread_cond_destroy(&pool->done);
  free(pool);
}
