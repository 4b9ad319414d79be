/* SPDX-License-Identifier: MIT */
/* The work queue of mpi/queue.h with tasks of its own: what a row says can be computed beforehand, so that rows that
   are lost, doubled or damaged show. Also a benchmark of the queue: tasks that take no time.

     mpirun -n 4 tasks [threads=N] [tasks=N] [microseconds=N] [bytes=N] [interrupt=TASK] [full=ROWS] [poor=TASK]
                       [deaf=TASK] [busy=RATE] [idle=1]

   A task is busy for some microseconds; its row is its number and up to `bytes` bytes that follow from it.
   `interrupt`: the rank that gets this task asks for the end. `full`: no row after this one can be kept. `poor`: this
   task has no memory. `deaf`: this task does not end. `busy` is that of the queue; `idle`: ranks above 0 sleep
   instead of being busy, so that two cores can stand for many. Prints one line: how it ended, rows, wrong rows,
   seconds, microseconds per task. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mpi/queue.h"
#include "run/results/clock.h"

typedef struct bench {
  int threads, tasks, microseconds, bytes, interrupt, full, poor, deaf, busy, idle;
  int rank;
  atomic_bool interrupted;
  /* Of rank 0. */
  int next, rows, wrong;
  char *seen; /* [tasks] */
} bench;

/* The bytes of a row; every other row is short. */
static size_t row_size(const bench *b, int task) {
  return sizeof(int) + (task % 2 ? (size_t)b->bytes : 0);
}

static unsigned char row_byte(int task, size_t at) {
  return (unsigned char)((unsigned)task * 7U + (unsigned)at * 13U);
}

static void compute(void *context, int task, bool (*stopped)(void *crew), void *crew, wy_crew_row *row) {
  bench *b = context;
  const double end = wy_wall_time() + b->microseconds * 1e-6;
  if (b->idle && b->rank > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * b->microseconds}, NULL);
  while (wy_wall_time() < end)
    if (stopped(crew))
      return;
  while (task == b->deaf)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  if (task == b->interrupt)
    atomic_store(&b->interrupted, true);
  const size_t size = row_size(b, task);
  unsigned char *bytes = task == b->poor ? NULL : malloc(size);
  row->failed = !bytes;
  if (!bytes)
    return;
  memcpy(bytes, &task, sizeof task);
  for (size_t i = sizeof task; i < size; i++)
    bytes[i] = row_byte(task, i);
  row->bytes = bytes;
  row->size = size;
}

static bool interrupted(void *context) {
  return atomic_load(&((bench *)context)->interrupted);
}

static int next(void *context) {
  bench *b = context;
  return b->next < b->tasks ? b->next++ : -1;
}

static bool record(void *context, const void *bytes, size_t size) {
  bench *b = context;
  const unsigned char *all = bytes;
  int task;
  memcpy(&task, bytes, sizeof task);
  if (b->rows == b->full)
    return false;
  bool wrong = task < 0 || task >= b->next || b->seen[task] || size != row_size(b, task);
  for (size_t i = sizeof task; !wrong && i < size; i++)
    wrong = all[i] != row_byte(task, i);
  b->wrong += wrong;
  b->rows++;
  if (!wrong)
    b->seen[task] = 1;
  return true;
}

static void progress(void *context) {
  (void)context;
}

static void read_arguments(bench *b, int argc, char **argv) {
  const struct {
    const char *name;
    int *value;
  } known[] = {{"threads", &b->threads}, {"tasks", &b->tasks},         {"microseconds", &b->microseconds},
               {"bytes", &b->bytes},     {"interrupt", &b->interrupt}, {"full", &b->full},
               {"poor", &b->poor},       {"deaf", &b->deaf},           {"busy", &b->busy},
               {"idle", &b->idle}};
  for (int i = 1; i < argc; i++)
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
      const size_t length = strlen(known[k].name);
      if (strncmp(argv[i], known[k].name, length) == 0 && argv[i][length] == '=')
        *known[k].value = atoi(argv[i] + length + 1);
    }
}

static int serve(const wy_queue_def *def, bench *b) {
  static const char *const words[] = {"done", "interrupted", "unrecorded", "memory"};
  int ranks;
  bool lost;
  MPI_Comm_size(def->comm, &ranks);
  b->seen = calloc((size_t)b->tasks, 1);
  const double start = wy_wall_time();
  const wy_queue_end end = wy_queue_serve(def, &lost);
  const double seconds = wy_wall_time() - start;
  printf("%s%s rows %d of %d wrong %d seconds %.4f per_task_us %.2f\n", lost ? "lost " : "", words[end], b->rows,
         b->tasks, b->wrong, seconds, seconds / b->tasks * 1e6);
  fflush(stdout);
  free(b->seen);
  if (lost)
    MPI_Abort(def->comm, 1);
  wy_queue_finish(def->comm, 0);
  return 0;
}

int main(int argc, char **argv) {
  bench b = {
      .threads = 1, .tasks = 1000, .interrupt = -1, .full = -1, .poor = -1, .deaf = -1, .busy = (int)WY_QUEUE_BUSY};
  int level, rank;
  read_arguments(&b, argc, argv);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  b.rank = rank;
  const wy_queue_def def = {.comm = MPI_COMM_WORLD,
                            .threads = b.threads,
                            .busy = b.busy,
                            .context = &b,
                            .compute = compute,
                            .interrupted = interrupted,
                            .next = next,
                            .record = record,
                            .progress = progress};
  int status = rank == 0 ? serve(&def, &b) : wy_queue_work(&def);
  MPI_Finalize();
  return status;
}
