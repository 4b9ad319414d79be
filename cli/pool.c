/* SPDX-License-Identifier: MIT */
#include "cli/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct wy_pool {
  pthread_mutex_t mutex;      /* for all that follows */
  pthread_cond_t begun, done; /* tasks have; the last of them is */
  void (*task)(void *context, int index);
  void *context;
  int count, next, finished; /* tasks of the present run */
  bool ends;
  int started; /* threads beside the caller's */
  pthread_t ids[];
};

/* Takes tasks as long as there are some; the mutex is held at the beginning and at the end. */
static void help(wy_pool *pool) {
  while (pool->next < pool->count) {
    const int index = pool->next++;
    pthread_mutex_unlock(&pool->mutex);
    pool->task(pool->context, index);
    pthread_mutex_lock(&pool->mutex);
    if (++pool->finished == pool->count)
      pthread_cond_signal(&pool->done);
  }
}

static void *work(void *context) {
  wy_pool *pool = context;
  pthread_mutex_lock(&pool->mutex);
  while (!pool->ends) {
    help(pool);
    if (!pool->ends)
      pthread_cond_wait(&pool->begun, &pool->mutex);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

static void run(void *context, int count, void (*task)(void *context, int index), void *of_task) {
  wy_pool *pool = context;
  pthread_mutex_lock(&pool->mutex);
  pool->task = task;
  pool->context = of_task;
  pool->next = pool->finished = 0;
  pool->count = count;
  pthread_cond_broadcast(&pool->begun);
  help(pool);
  while (pool->finished < count)
    pthread_cond_wait(&pool->done, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}

wy_pool *wy_pool_create(int threads) {
  if (threads < 2)
    return NULL;
  wy_pool *pool = calloc(1, sizeof *pool + (size_t)(threads - 1) * sizeof pool->ids[0]);
  if (!pool)
    return NULL;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->done, NULL);
  while (pool->started < threads - 1 && pthread_create(&pool->ids[pool->started], NULL, work, pool) == 0)
    pool->started++;
  return pool;
}

wy_tasks wy_pool_tasks(wy_pool *pool) {
  return (wy_tasks){.pool = pool, .run = pool ? run : NULL};
}

void wy_pool_destroy(wy_pool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->mutex);
  pool->ends = true;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->started; i++)
    pthread_join(pool->ids[i], NULL);
  pthread_mutex_destroy(&pool->mutex);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->done);
  free(pool);
}
