/* SPDX-License-Identifier: MIT */
/* The rods of a group one after the other, or at the same time by the tasks of the caller. */
#include "network/inside.h"

enum { MOST = 64 /* tasks of one run */ };

/* Nanoseconds of work from which a run of tasks pays: it wakes threads and waits for them. */
static const double worth = 5e4;

typedef struct job {
  wy_group *self;
  wy_rod_task *task;
  void *context;
  int end, chunk; /* of the rods; rods of one task */
  int first[MOST], status[MOST];
} job;

static int do_rods(const job *it, int from, int to) {
  int status = 0;
  for (int i = from; i < to && !status; i++)
    status = it->task(it->self, i, it->context);
  return status;
}

static void do_chunk(void *context, int index) {
  job *it = context;
  const int from = it->first[index], to = from + it->chunk;
  it->status[index] = do_rods(it, from, to < it->end ? to : it->end);
}

/* Its segments, with those that fill up vectors: entries of the states of rods, 13 each. */
static bool pays(const wy_group *self, int count, double work) {
  return self->base.tasks && count > 1 && work * self->hub_offset / 13 * count / self->rod_count > worth;
}

int wy_group_each(wy_group *self, int first, int count, double work, wy_rod_task *task, void *context) {
  job it = {.self = self, .task = task, .context = context, .end = first + count};
  if (!pays(self, count, work))
    return do_rods(&it, first, it.end);
  it.chunk = (count + MOST - 1) / MOST;
  const int tasks = (count + it.chunk - 1) / it.chunk;
  for (int k = 0; k < tasks; k++)
    it.first[k] = first + k * it.chunk;
  self->base.tasks->run(self->base.tasks->pool, tasks, do_chunk, &it);
  int status = 0;
  for (int k = 0; k < tasks && !status; k++)
    status = it.status[k];
  return status;
}

int wy_group_batch(const wy_group *self, double work) {
  return pays(self, self->rod_count < WY_GROUP_BATCH ? self->rod_count : WY_GROUP_BATCH, work) ? WY_GROUP_BATCH : 1;
}
