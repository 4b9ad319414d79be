/* SPDX-License-Identifier: MIT */
/* A frame of one tile on the CPU, for one precision and width: included by double.h, mixed.h and single.h, which
   defines what batch/rod.h asks for. */
#include <string.h>

#include "batch/lanes/lanes.h"
#include "batch/rod.h"

/* Three states in the cache, which change places from step to step. */
typedef struct states {
  STORE *now, *before, *next;
} states;

static void turn(states *s) {
  STORE *free_one = s->before;
  s->before = s->now;
  s->now = s->next;
  s->next = free_one;
}

static rod rod_of(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile) {
  rod r;
  r.segments = kind->segments;
  r.measure = (int)kind->measure;
  r.damped = kind->damped;
  r.par = tile->parameters;
  r.natural = tile->natural;
  r.ends = tile->ends;
  r.loads = plan->loads ? tile->loads : NULL;
  r.obstacles = (RS *)tile->loads + (kind->segments + 1) * WY_LOAD_ROW;
  r.grids = kind->grids;
  r.obstacle_count = kind->obstacles;
  r.springs = kind->springs;
  for (int end = 0; end < 2; end++) {
    r.clamped[end] = kind->clamped[end];
    for (int k = 0; k < 3; k++)
      r.held[end][k] = (RS)kind->held[end][k];
  }
  return r;
}

/* Loads and obstacles of a substep, in the numbers of the kernel. */
static void bring(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile, int i) {
  const size_t rows = (size_t)(kind->segments + 1) * WY_LOAD_ROW, more = (size_t)kind->obstacles * WY_OBST_ROW;
  RS *loads = tile->loads, *obstacles = loads + rows;
  if (plan->loads && (i == 0 || !plan->loads_stand))
    for (size_t k = 0; k < rows; k++)
      loads[k] = (RS)plan->loads[(plan->loads_stand ? 0 : (size_t)i * rows) + k];
  for (size_t k = 0; k < more && (i == 0 || !plan->obstacles_stand); k++)
    obstacles[k] = (RS)plan->obstacles[(plan->obstacles_stand ? 0 : (size_t)i * more) + k];
}

static void implicit_frame(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile) {
  const size_t cells = (size_t)wy_batch_entries(kind, WY_ARRAY_STATE);
  STORE *work = tile->work;
  states s = {work, work + cells, work + 2 * cells};
  STORE *kept = work + 3 * cells;
  FACTORS *factors = (FACTORS *)(void *)(work + 4 * cells);
  const rod r = rod_of(kind, plan, tile);
  memcpy(s.now, tile->state, cells * sizeof *work);
  memcpy(s.before, tile->before, cells * sizeof *work);
  if (plan->first)
    turn_back(kind->segments, (RS)plan->substeps[0].length, s.now, s.before);
  REAL error = SPLAT(0), least = SPLAT(1);
  for (int i = 0; i < plan->count; i++) {
    if (i == plan->kept)
      memcpy(kept, s.now, cells * sizeof *work);
    bring(kind, plan, tile, i);
    const moment_of_frame m = moment_of(plan, i);
    implicit_step(&r, &m, s.now, s.before, s.next, factors, &error, &least);
    turn(&s);
  }
  memcpy(tile->new_state, s.now, cells * sizeof *work);
  memcpy(tile->new_before, kept, cells * sizeof *work);
  STORE *monitor = tile->monitor;
  monitor[WY_MONITOR_ERROR] = error;
  monitor[WY_MONITOR_PIVOT] = least;
}

/* Of the state before, leapfrog needs velocities alone. */
static void explicit_frame(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile) {
  const size_t cells = (size_t)wy_batch_entries(kind, WY_ARRAY_STATE);
  STORE *now = tile->work, *before = now + cells, *kept = before + cells;
  const rod r = rod_of(kind, plan, tile);
  memcpy(now, tile->state, cells * sizeof *now);
  memcpy(before, tile->before, cells * sizeof *now);
  REAL error = SPLAT(0);
  for (int i = 0; i < plan->count; i++) {
    if (i == plan->kept)
      memcpy(kept, now, cells * sizeof *now);
    bring(kind, plan, tile, i);
    const leap m = leap_of(plan, i);
    leap_step(&r, &m, now, before, &error);
  }
  const leap rest = leap_of(plan, plan->count);
  if (r.springs)
    memcpy(before, now, cells * sizeof *now);
  STORE *monitor = tile->monitor;
  monitor[WY_MONITOR_PIVOT] = leap_end(&r, &rest, before, now);
  monitor[WY_MONITOR_ERROR] = error;
  memcpy(tile->new_state, now, cells * sizeof *now);
  memcpy(tile->new_before, kept, cells * sizeof *now);
}

static void frame_of_tile(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile) {
  (plan->leaps ? explicit_frame : implicit_frame)(kind, plan, tile);
}
