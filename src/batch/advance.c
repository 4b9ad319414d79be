/* SPDX-License-Identifier: MIT */
/* A frame: substeps of all rods, then again with more of them of those that need it (B20). */
#include <math.h>
#include <string.h>

#include "batch/inside.h"

enum { MONITORS = 256 /* that are read at once */ };

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

/* ---- Tiles ---- */

typedef struct job {
  const wy_batch_backend *backend;
  void *machine;
  const wy_batch_plan *plan;
} job;

static void step_tiles(void *context, int task, int from, int to) {
  const job *it = context;
  it->backend->step(it->machine, task, from, to, it->plan);
}

static void step_all(const wy_batch *self, void *machine, int rods, const wy_batch_plan *plan) {
  const int tiles = (rods + self->lanes - 1) / self->lanes;
  job it = {self->backend, machine, plan};
  if (self->backend->whole)
    step_tiles(&it, 0, 0, tiles);
  else
    wy_batch_divide(self, tiles, step_tiles, &it);
}

/* ---- What is moved again ---- */

/* A rod with this share of the tolerance would be moved again if its substeps were twice as long: the estimate grows
   with their square, and there is a margin of two. */
static const double near = 0.125;

/* Is the frame of a rod good, by its monitor? */
static bool is_good(const wy_batch *self, const double monitor[WY_MONITOR_COUNT], wy_batch_rod *rod) {
  rod->estimate = sqrt(monitor[WY_MONITOR_ERROR]);
  return isfinite(rod->estimate) && rod->estimate <= self->def.tolerance && monitor[WY_MONITOR_PIVOT] > 0;
}

/* Monitors of the chunk of rods in which `rod` is the first. */
static void read_monitors(const wy_batch *self, const void *machine, int rod, int count,
                          double monitors[MONITORS][WY_MONITOR_COUNT]) {
  const int some = count - rod < MONITORS ? count - rod : MONITORS;
  if (rod % MONITORS == 0)
    self->backend->download(machine, WY_ARRAY_MONITOR, rod, some, monitors[0]);
}

static wy_batch_array other_side(const wy_batch *self, bool before) {
  const wy_batch_array array = before ? WY_ARRAY_BEFORE : WY_ARRAY_STATE;
  return self->side ? array : (wy_batch_array)(array + WY_ARRAY_NEW_STATE - WY_ARRAY_STATE);
}

/* All that rods are made of, into the small batch. */
static void gather(wy_batch *self, const int *list, int count) {
  const struct {
    wy_batch_array from, to;
  } arrays[] = {{WY_ARRAY_PARAMETERS, WY_ARRAY_PARAMETERS},
                {WY_ARRAY_NATURAL, WY_ARRAY_NATURAL},
                {WY_ARRAY_ENDS, WY_ARRAY_ENDS},
                {wy_batch_state_array(self, false), WY_ARRAY_STATE},
                {wy_batch_state_array(self, true), WY_ARRAY_BEFORE}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    self->backend->copy(self->machine, arrays[i].from, list, self->again, arrays[i].to, NULL, count);
}

/* New states back to their rods. */
static void scatter(wy_batch *self, const int *places, const int *rods, int count) {
  for (int before = 0; before < 2; before++)
    self->backend->copy(self->again, before ? WY_ARRAY_NEW_BEFORE : WY_ARRAY_NEW_STATE, places, self->machine,
                        other_side(self, before), rods, count);
}

/* Rods that failed stay as they were at the beginning of the frame. */
static void keep(wy_batch *self, const int *rods, int count) {
  for (int before = 0; before < 2; before++)
    self->backend->copy(self->machine, wy_batch_state_array(self, before), rods, self->machine,
                        other_side(self, before), rods, count);
}

/* Moves `count` rods again; those that are still not good stay in the list. Returns how many. */
static int again(wy_batch *self, const wy_batch_plan *plan, int count) {
  int left = 0, *places = self->good, *rods = self->good + self->again_room;
  double monitors[MONITORS][WY_MONITOR_COUNT];
  for (int from = 0; from < count; from += self->again_room) {
    const int some = count - from < self->again_room ? count - from : self->again_room;
    int good = 0;
    gather(self, self->list + from, some);
    step_all(self, self->again, some, plan);
    for (int i = 0; i < some; i++) {
      const int rod = self->list[from + i];
      read_monitors(self, self->again, i, some, monitors);
      self->rods[rod].refined++;
      if (is_good(self, monitors[i % MONITORS], &self->rods[rod]))
        places[good] = i, rods[good++] = rod;
      else
        self->list[left++] = rod;
    }
    scatter(self, places, rods, good);
  }
  return left;
}

/* Lists rods that are to be moved again, and keeps those that have failed before, which stand at the list's end;
   `warm`: how many rods came near to it. */
static int list_bad(wy_batch *self, int *warm) {
  const int all = self->kind.count;
  int count = 0, failed = all;
  double monitors[MONITORS][WY_MONITOR_COUNT];
  *warm = 0;
  for (int i = 0; i < all; i++) {
    wy_batch_rod *rod = &self->rods[i];
    read_monitors(self, self->machine, i, all, monitors);
    if (rod->failed) {
      self->list[--failed] = i;
      continue;
    }
    rod->refined = 0;
    if (!is_good(self, monitors[i % MONITORS], rod))
      self->list[count++] = i;
    else if (rod->estimate > near * self->def.tolerance)
      ++*warm;
  }
  keep(self, self->list + failed, all - failed);
  return count;
}

/* After substeps that were much shorter a history tells nothing: what it would predict is their round-off. */
static void limit_ratio(wy_batch *self, double frame_time) {
  const double most = 16, length = frame_time / WY_BATCH_TICK / self->now;
  if (length > most * self->spacing)
    self->spacing = 0;
}

/* Again with more substeps, those in the list. Returns how many are still bad. */
static int refine(wy_batch *self, double frame_time, double spacing, int bad, double *solves) {
  for (int k = 1; bad && k <= self->def.retries; k++) {
    wy_batch_plan plan = plan_of(self, self->now << k, frame_time);
    plan.side = 0;
    plan.kept = kept_after(self, plan.count, spacing);
    *solves += (double)plan.count * bad;
    bad = again(self, &plan, bad);
  }
  keep(self, self->list, bad);
  return bad;
}

/* The frame of these rods. Returns the spacing that it leaves behind; those that have failed stand in the list. */
static double make_frame(wy_batch *self, double frame_time, double tally[WY_TALLIES]) {
  const wy_batch_plan plan = plan_of(self, self->now, frame_time);
  const double spacing = plan.substeps[plan.count - 1].length;
  step_all(self, self->machine, self->kind.count, &plan);
  tally[WY_TALLY_SOLVES] = (double)plan.count * self->kind.count;
  if (!wy_batch_check_machine(self, NULL)) {
    int warm, bad = list_bad(self, &warm);
    tally[WY_TALLY_BAD] = bad;
    tally[WY_TALLY_WARM] = warm;
    tally[WY_TALLY_FAILED] = refine(self, frame_time, spacing, bad, &tally[WY_TALLY_SOLVES]);
  }
  tally[WY_TALLY_BROKEN] = wy_batch_check_machine(self, NULL) != WY_OK;
  return spacing;
}

/* The clock of all rods but those that have failed; `failed` of them in this frame. */
static void tick(wy_batch *self, double frame_time, int failed) {
  for (int i = 0; i < failed; i++) {
    self->rods[self->list[i]].failed = true;
    self->rods[self->list[i]].time = self->time;
  }
  self->time += frame_time;
  for (int i = 0; i < self->kind.count; i++)
    if (!self->rods[i].failed)
      self->rods[i].time = self->time;
}

wy_status wy_batch_advance(wy_batch *batch, double frame_time, wy_message *message) {
  if (!batch)
    return wy_fail_missing(message, "batch");
  if (!(frame_time > 0) || !isfinite(frame_time))
    return wy_fail(message, WY_ERROR_INPUT, "found a frame time of %g; expected a number > 0", frame_time);
  wy_status status = wy_batch_check_machine(batch, message);
  if (!status) {
    wy_batch_refresh(batch);
    status = wy_batch_check_frame(batch, frame_time, message);
  }
  status = wy_batch_agree_to_begin(batch, status, message);
  status = status ? status : wy_batch_choose(batch, frame_time, message);
  if (status)
    return status;
  limit_ratio(batch, frame_time);
  wy_batch_plan_ends(batch, frame_time);
  double tally[WY_TALLIES] = {0};
  const double spacing = make_frame(batch, frame_time, tally);
  const int failed = (int)tally[WY_TALLY_FAILED];
  status = wy_batch_agree_on_frame(batch, tally, message);
  if (status)
    return status;
  batch->work.frames++;
  batch->work.solves += tally[WY_TALLY_SOLVES];
  batch->work.refined += tally[WY_TALLY_BAD];
  batch->work.failed += (long)tally[WY_TALLY_FAILED];
  batch->side = !batch->side;
  batch->spacing = spacing;
  tick(batch, frame_time, failed);
  wy_batch_finish_ends(batch);
  wy_batch_choose_next(batch, (int)tally[WY_TALLY_BAD], (int)tally[WY_TALLY_WARM]);
  return tally[WY_TALLY_FAILED] > 0 ? WY_RETRY : WY_OK;
}
