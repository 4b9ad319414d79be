/* SPDX-License-Identifier: MIT */
/* The threads of withy sweep, and its progress line. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep.h"

/* What the threads share with the one that waits for them. */
typedef struct crew {
  wy_sweep *sweep;
  const wy_tasks *tasks; /* of a batch, or NULL */
  pthread_mutex_t mutex;
  pthread_cond_t ended; /* a thread has */
  int working;
  wy_status status; /* of the first failure */
  wy_message message;
} crew;

static void *work(void *context) {
  crew *all = context;
  wy_message message;
  const wy_status status = all->tasks ? wy_sweep_batch(all->sweep, all->tasks, wy_cli_interrupted, NULL, &message)
                                      : wy_sweep_work(all->sweep, wy_cli_interrupted, NULL, &message);
  pthread_mutex_lock(&all->mutex);
  if (all->status == WY_OK && status != WY_OK) {
    all->status = status;
    all->message = message;
  }
  all->working--;
  pthread_cond_signal(&all->ended);
  pthread_mutex_unlock(&all->mutex);
  return NULL;
}

/* Draws ten times a second until the last thread has ended. */
static void wait_for(crew *all, bool quiet) {
  wy_progress progress = wy_progress_begin(quiet, false);
  pthread_mutex_lock(&all->mutex);
  while (all->working > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    const wy_sweep_counts now = wy_sweep_progress(all->sweep);
    wy_progress_points(&progress, now.points - now.missing, now.points, now.wrong + now.failed + now.refused);
    pthread_cond_timedwait(&all->ended, &all->mutex, &until);
  }
  pthread_mutex_unlock(&all->mutex);
  wy_progress_end(&progress);
}

int wy_sweep_cores(void) {
  cpu_set_t cores;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return CPU_COUNT(&cores);
  return online > 0 ? (int)online : 1;
}

/* Threads that could not be started are done without, all but one. */
static void work_with(crew *all, int threads, bool quiet) {
  pthread_t *ids = calloc((size_t)threads, sizeof *ids);
  int started = 0;
  pthread_mutex_lock(&all->mutex);
  while (ids && started < threads && pthread_create(&ids[started], NULL, work, all) == 0)
    started++;
  all->working = started;
  pthread_mutex_unlock(&all->mutex);
  if (started == 0) {
    all->working = 1;
    work(all);
  }
  wait_for(all, quiet);
  for (int i = 0; i < started; i++)
    pthread_join(ids[i], NULL);
  free(ids);
}

/* A batch is computed by one thread, which has a pool of its own. */
wy_status wy_sweep_compute(void *context, wy_sweep *sweep, char who[60], wy_message *message) {
  const wy_sweep_request *asked = context;
  const int missing = wy_sweep_progress(sweep).missing, wanted = asked->threads ? asked->threads : wy_sweep_cores();
  const int threads = wanted < missing ? wanted : missing > 0 ? missing : 1;
  wy_pool *pool = asked->batch ? wy_pool_create(threads) : NULL;
  const wy_tasks tasks = wy_pool_tasks(pool);
  crew all = {.sweep = sweep,
              .tasks = asked->batch ? &tasks : NULL,
              .mutex = PTHREAD_MUTEX_INITIALIZER,
              .ended = PTHREAD_COND_INITIALIZER};
  work_with(&all, asked->batch ? 1 : threads, asked->quiet);
  wy_pool_destroy(pool);
  snprintf(who, 60, "%d thread%s", threads, threads == 1 ? "" : "s");
  *message = all.message;
  return all.status;
}
