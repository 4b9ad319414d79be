/* SPDX-License-Identifier: MIT */
/* A frame: substeps of all rods, then again with more of them of those that need it (B20). */
#include <math.h>
#include <string.h>

#include "batch/inside.h"

enum { CHUNKS = WY_BATCH_MOST_TASKS };

/* ---- The substeps of a frame ---- */

/* The first substep of a history is cut into five: one of Euler's of a sixteenth, and four that double it (B8). */
static int split_first(double length, double frame, wy_batch_substep *to) {
  static const double pieces[WY_BATCH_START_STEPS] = {0.0625, 0.0625, 0.125, 0.25, 0.5};
  double at = 0;
  for (int i = 0; i < WY_BATCH_START_STEPS; i++) {
    at += pieces[i];
    to[i] = (wy_batch_substep){pieces[i] * length, i ? pieces[i] / pieces[i - 1] : 1, at * length / frame};
  }
  return WY_BATCH_START_STEPS;
}

static int set_substeps(wy_batch *self, int substeps, double frame) {
  const double length = frame / substeps;
  double before = self->leaps && self->spacing == 0 ? length : self->spacing;
  int count = 0;
  for (int i = 0; i < substeps; i++) {
    if (before == 0) {
      count = split_first(length, frame, self->substeps);
      before = 0.5 * length;
      continue;
    }
    self->substeps[count++] = (wy_batch_substep){length, length / before, (double)(i + 1) / substeps};
    before = length;
  }
  self->substeps[count - 1].share = 1;
  return count;
}

/* The state that becomes the one before: so that the next frame finds the same spacing for all rods. */
static int kept_after(const wy_batch *self, int count, double spacing) {
  double length = 0;
  int kept = count;
  while (kept > 1 && length < spacing * (1 - 1e-9))
    length += self->substeps[--kept].length;
  return kept;
}

/* When loads and obstacles are those of a substep: at its end, or in its middle. */
static double time_of(const wy_batch *self, const wy_batch_substep *substep, double frame_time) {
  const double end = self->time + substep->share * frame_time;
  return self->leaps ? end - 0.5 * substep->length * WY_BATCH_TICK : end;
}

static wy_batch_plan plan_of(wy_batch *self, int substeps, double frame_time) {
  const double frame = frame_time / WY_BATCH_TICK;
  const int count = set_substeps(self, substeps, frame);
  const bool change = wy_batch_loads_change(self);
  const size_t rows = (size_t)(self->kind.segments + 1) * WY_LOAD_ROW;
  for (int i = 0; i < (change ? count : 1); i++)
    wy_batch_place_loads(self, time_of(self, &self->substeps[i], frame_time), self->loads + (size_t)i * rows);
  const bool turn = wy_batch_obstacles_change(self);
  const size_t entries = (size_t)self->kind.obstacles * WY_OBST_ROW;
  for (int i = 0; i < (turn ? count : 1); i++)
    wy_batch_place_obstacles(self, time_of(self, &self->substeps[i], frame_time),
                             self->obstacles + (size_t)i * entries);
  return (wy_batch_plan){.side = self->side,
                         .leaps = self->leaps,
                         .first = self->spacing == 0,
                         .frame = frame,
                         .count = count,
                         .substeps = self->substeps,
                         .kept = count - 1,
                         .loads = wy_model_rod_load_count(self->model, self->def.rod) ? self->loads : NULL,
                         .loads_stand = !change,
                         .obstacles = self->obstacles,
                         .obstacles_stand = !turn};
}

/* ---- Tiles, at the same time where the caller has tasks ---- */

typedef struct job {
  const wy_batch_backend *backend;
  void *machine;
  const wy_batch_plan *plan;
  int tiles, chunk;
} job;

static void do_chunk(void *context, int index) {
  const job *it = context;
  const int from = index * it->chunk, to = from + it->chunk < it->tiles ? from + it->chunk : it->tiles;
  it->backend->step(it->machine, index, from, to, it->plan);
}

static void step_all(const wy_batch *self, const wy_batch_backend *backend, void *machine, int rods,
                     const wy_batch_plan *plan) {
  job it = {backend, machine, plan, (rods + self->lanes - 1) / self->lanes, 0};
  if (!self->def.tasks.run || it.tiles < 2) {
    backend->step(machine, 0, 0, it.tiles, plan);
    return;
  }
  it.chunk = (it.tiles + CHUNKS - 1) / CHUNKS;
  self->def.tasks.run(self->def.tasks.pool, (it.tiles + it.chunk - 1) / it.chunk, do_chunk, &it);
}

/* ---- What is moved again ---- */

/* A rod with this share of the tolerance would be moved again if its substeps were twice as long: the estimate grows
   with their square, and there is a margin of two. */
static const double near = 0.125;

/* Reads the monitor of a rod; is its frame good? */
static bool is_good(const wy_batch *self, const double monitor[WY_MONITOR_COUNT], wy_batch_rod *rod) {
  rod->estimate = sqrt(monitor[WY_MONITOR_ERROR]);
  return isfinite(rod->estimate) && rod->estimate <= self->def.tolerance && monitor[WY_MONITOR_PIVOT] > 0;
}

/* All that a rod is made of, from one machine to another. */
static void copy_rod(const wy_batch_backend *from, const void *source, int rod, wy_batch_array array,
                     const wy_batch_backend *to, void *target, int place, wy_batch_array as, double *row) {
  from->download(source, array, rod, 1, row);
  to->upload(target, as, place, 1, row);
}

static void gather(wy_batch *self, int rod, int place) {
  const wy_batch_array still[] = {WY_ARRAY_PARAMETERS, WY_ARRAY_NATURAL, WY_ARRAY_ENDS};
  for (int i = 0; i < 3; i++)
    copy_rod(self->backend, self->machine, rod, still[i], &wy_batch_lanes, self->again, place, still[i], self->row);
  copy_rod(self->backend, self->machine, rod, wy_batch_state_array(self, false), &wy_batch_lanes, self->again, place,
           WY_ARRAY_STATE, self->row);
  copy_rod(self->backend, self->machine, rod, wy_batch_state_array(self, true), &wy_batch_lanes, self->again, place,
           WY_ARRAY_BEFORE, self->row);
}

static wy_batch_array other_side(const wy_batch *self, bool before) {
  const wy_batch_array array = before ? WY_ARRAY_BEFORE : WY_ARRAY_STATE;
  return self->side ? array : (wy_batch_array)(array + WY_ARRAY_NEW_STATE - WY_ARRAY_STATE);
}

static void scatter(wy_batch *self, int rod, int place) {
  for (int before = 0; before < 2; before++)
    copy_rod(&wy_batch_lanes, self->again, place, before ? WY_ARRAY_NEW_BEFORE : WY_ARRAY_NEW_STATE, self->backend,
             self->machine, rod, other_side(self, before), self->row);
}

/* Moves `count` rods again; those that are still not good stay in the list. Returns how many. */
static int again(wy_batch *self, const wy_batch_plan *plan, int count) {
  int left = 0;
  for (int from = 0; from < count; from += self->again_room) {
    const int some = count - from < self->again_room ? count - from : self->again_room;
    for (int i = 0; i < some; i++)
      gather(self, self->list[from + i], i);
    step_all(self, &wy_batch_lanes, self->again, some, plan);
    for (int i = 0; i < some; i++) {
      const int rod = self->list[from + i];
      double monitor[WY_MONITOR_COUNT];
      wy_batch_lanes.download(self->again, WY_ARRAY_MONITOR, i, 1, monitor);
      self->rods[rod].refined++;
      if (is_good(self, monitor, &self->rods[rod]))
        scatter(self, rod, i);
      else
        self->list[left++] = rod;
    }
  }
  return left;
}

/* A rod that failed stays as it was at the beginning of the frame. */
static void keep(wy_batch *self, int rod) {
  for (int before = 0; before < 2; before++)
    copy_rod(self->backend, self->machine, rod, wy_batch_state_array(self, before), self->backend, self->machine, rod,
             other_side(self, before), self->row);
}

/* Lists what is moved again; `warm`: how many rods came near to it. */
static int list_bad(wy_batch *self, int *warm) {
  int count = 0;
  *warm = 0;
  for (int i = 0; i < self->kind.count; i++) {
    double monitor[WY_MONITOR_COUNT];
    wy_batch_rod *rod = &self->rods[i];
    if (rod->failed) {
      keep(self, i);
      continue;
    }
    self->backend->download(self->machine, WY_ARRAY_MONITOR, i, 1, monitor);
    rod->refined = 0;
    if (!is_good(self, monitor, rod))
      self->list[count++] = i;
    else if (rod->estimate > near * self->def.tolerance)
      ++*warm;
  }
  return count;
}

/* After substeps that were much shorter a history tells nothing: what it would predict is their round-off. */
static void limit_ratio(wy_batch *self, double frame_time) {
  const double most = 16, length = frame_time / WY_BATCH_TICK / self->now;
  if (length > most * self->spacing)
    self->spacing = 0;
}

wy_status wy_batch_advance(wy_batch *batch, double frame_time, wy_message *message) {
  if (!batch)
    return wy_fail_missing(message, "batch");
  if (!(frame_time > 0) || !isfinite(frame_time))
    return wy_fail(message, WY_ERROR_INPUT, "found a frame time of %g; expected a number > 0", frame_time);
  wy_batch_refresh(batch);
  wy_status status = wy_batch_check_frame(batch, frame_time, message);
  status = status ? status : wy_batch_choose(batch, frame_time, message);
  if (status)
    return status;
  limit_ratio(batch, frame_time);
  wy_batch_plan_ends(batch, frame_time);
  wy_batch_plan plan = plan_of(batch, batch->now, frame_time);
  const double spacing = plan.substeps[plan.count - 1].length;
  step_all(batch, batch->backend, batch->machine, batch->kind.count, &plan);
  batch->work.solves += (double)plan.count * batch->kind.count;
  int warm, bad = list_bad(batch, &warm);
  const int first = bad;
  batch->work.refined += first;
  for (int k = 1; bad && k <= batch->def.retries; k++) {
    plan = plan_of(batch, batch->now << k, frame_time);
    plan.side = 0;
    plan.kept = kept_after(batch, plan.count, spacing);
    batch->work.solves += (double)plan.count * bad;
    bad = again(batch, &plan, bad);
  }
  for (int i = 0; i < bad; i++) {
    keep(batch, batch->list[i]);
    batch->rods[batch->list[i]].failed = true;
    batch->rods[batch->list[i]].time = batch->time;
  }
  batch->work.failed += bad;
  batch->side = !batch->side;
  batch->spacing = spacing;
  batch->time += frame_time;
  batch->work.frames++;
  for (int i = 0; i < batch->kind.count; i++)
    if (!batch->rods[i].failed)
      batch->rods[i].time = batch->time;
  wy_batch_finish_ends(batch);
  wy_batch_choose_next(batch, first, warm);
  return bad ? WY_RETRY : WY_OK;
}
