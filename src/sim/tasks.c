/* SPDX-License-Identifier: MIT */
/* The groups of a simulation one after the other, or at the same time by the tasks of the caller. */
#include "sim/sim.h"

enum { MOST = 64 /* tasks of one run */ };
/* A group that has so many numbers in its state, and this part of those of all groups, uses the tasks for its rods. */
enum { LARGE = 13000, PART = 8 };

/* Nanoseconds of work from which a run of tasks pays: it wakes threads and waits for them. */
static const double worth = 5e4;

/* The first failure of some groups. */
typedef struct failure {
  wy_status status;
  int group;
  wy_message message;
} failure;

typedef struct job {
  wy_sim *sim;
  wy_sim_task *task;
  double t;
  wy_sim_turns turns;
  int chunk;         /* groups of one task */
  failure *failures; /* of each task */
} job;

static bool goes_alone(const wy_sim_group *group) {
  return group->system->tasks != NULL;
}

static void do_group(const job *it, int index, failure *first) {
  if (first->status && it->turns == WY_UNTIL_FAILURE)
    return;
  const wy_status status = it->task(&it->sim->groups[index], it->t, first->status ? NULL : &first->message);
  if (status && !first->status)
    first->status = status, first->group = index;
}

static void do_chunk(void *context, int index) {
  const job *it = context;
  const int from = index * it->chunk, to = from + it->chunk;
  failure *first = &it->failures[index];
  first->status = WY_OK;
  for (int i = from; i < to && i < it->sim->group_count; i++)
    if (!goes_alone(&it->sim->groups[i]))
      do_group(it, i, first);
}

static void do_at_once(job *it, failure *first) {
  failure failures[MOST];
  it->failures = failures;
  it->chunk = (it->sim->group_count + MOST - 1) / MOST;
  const int tasks = (it->sim->group_count + it->chunk - 1) / it->chunk;
  for (int i = 0; i < it->sim->group_count; i++)
    if (goes_alone(&it->sim->groups[i]))
      do_group(it, i, first);
  it->sim->tasks.run(it->sim->tasks.pool, tasks, do_chunk, it);
  for (int k = 0; k < tasks; k++)
    if (failures[k].status && (!first->status || failures[k].group < first->group))
      *first = failures[k];
}

wy_status wy_sim_each(wy_sim *sim, double work, wy_sim_task *task, double t, wy_sim_turns turns, wy_message *message) {
  job it = {.sim = sim, .task = task, .t = t, .turns = turns};
  failure first;
  first.status = WY_OK;
  if (sim->tasks.run && sim->group_count > 1 && work > worth)
    do_at_once(&it, &first);
  else
    for (int i = 0; i < sim->group_count; i++)
      do_group(&it, i, &first);
  if (first.status && message)
    *message = first.message;
  return first.status;
}

void wy_sim_share_tasks(wy_sim *sim) {
  double all = 0;
  for (int i = 0; i < sim->group_count; i++)
    all += sim->groups[i].system->size;
  for (int i = 0; i < sim->group_count; i++) {
    wy_system *system = sim->groups[i].system;
    const bool alone = sim->group_count == 1 || (system->size >= LARGE && system->size * (double)PART >= all);
    system->tasks = sim->tasks.run && system->parts && alone ? &sim->tasks : NULL;
  }
}
