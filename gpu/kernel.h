/* SPDX-License-Identifier: MIT */
/* A frame of a batch on the device, for one precision: a thread moves one rod through all substeps, since rods do not
   wait for each other and what a thread has just written is still in the caches when it reads it again. Included in a
   namespace by gpu/precisions.h, which defines what batch/rod.h asks for. */
#include "batch/rod.h"

/* What a launch is about. Arrays stand as in batch/layout.h. */
struct frame_job {
  int segments, cells, measure, damped, springs, clamped[2]; /* cells: entries of a state */
  RS held[2][3];
  int from, to; /* rods */
  const STORE *par, *natural, *ends, *state, *before;
  STORE *work[2]; /* the new state, and the new one before */
  STORE *kept;    /* room for an older state that becomes the one before; or none */
  STORE *monitor;
  void *scratch; /* of the rods that are moved at the same time: factors, or a state */
  int count, keep, first;
  RS first_length;
  const moment_of_frame *moments;
  const leap *leaps; /* of leapfrog, and the drift behind the last one */
  const RS *loads, *obstacles;
  const wy_batch_grid *grids;
  int load_step, obstacle_step, obstacle_count; /* numbers from one substep to the next */
};

/* Entry 0 of a rod; a pointer to no array stays one. */
template <class number> FN number *rod_of(number *array, int entries, int index) {
  return array ? array + (size_t)(index / TILE) * (size_t)(entries * TILE) + index % TILE : array;
}

FN void copy_entries(const STORE *from, STORE *to, int entries) {
  for (int k = 0; k < entries; k++)
    AT(to, k) = AT(from, k);
}

/* What a kernel is made for: tan2 and nothing from outside; tan2; any measure. The compiler leaves out the rest. */
enum scope { USUAL, TAN2, ANY };

template <scope is> FN rod describe_rod(const frame_job &job, int index) {
  rod r;
  r.segments = job.segments;
  r.measure = is == ANY ? job.measure : (int)MEASURE_TAN2;
  r.par = rod_of(job.par, WY_PAR_COUNT, index);
  r.natural = rod_of(job.natural, 3 * (job.segments + 1), index);
  r.ends = rod_of(job.ends, WY_ENDS, index);
  r.loads = NULL;
  r.obstacles = NULL;
  r.grids = is == USUAL ? NULL : job.grids;
  r.obstacle_count = is == USUAL ? 0 : job.obstacle_count;
  r.springs = is == USUAL ? 0 : job.springs;
  r.damped = job.damped;
  UNROLL for (int end = 0; end < 2; end++) {
    r.clamped[end] = job.clamped[end];
    UNROLL for (int k = 0; k < 3; k++) r.held[end][k] = job.held[end][k];
  }
  return r;
}

/* What acts in a substep. */
template <scope is> FN void bring_rows(const frame_job &job, int i, rod *r) {
  if (is == USUAL)
    return;
  r->loads = job.loads ? job.loads + (size_t)i * (size_t)job.load_step : NULL;
  r->obstacles = job.obstacles + (size_t)i * (size_t)job.obstacle_step;
}

FN void put_monitor(const frame_job &job, int index, REAL error, REAL least) {
  STORE *monitor = rod_of(job.monitor, WY_MONITOR_COUNT, index);
  AT(monitor, WY_MONITOR_ERROR) = error;
  AT(monitor, WY_MONITOR_PIVOT) = least;
}

/* New states take the place of those of two substeps ago, in turns, so that the last one is the new state and that
   before it the new one before. */
template <scope is> FN void frame_of_rod(const frame_job &job, int index, int slot) {
  const int cells = job.cells;
  rod r = describe_rod<is>(job, index);
  const STORE *state = rod_of(job.state, cells, index), *now = state;
  const STORE *before = rod_of(job.before, cells, index);
  STORE *const work[2] = {rod_of(job.work[0], cells, index), rod_of(job.work[1], cells, index)};
  STORE *kept = rod_of(job.kept, cells, index);
  FACTORS *factors = rod_of((FACTORS *)job.scratch, job.segments * CELL_FACTORS, slot);
  REAL error = SPLAT(0), least = SPLAT(1);
  for (int i = 0; i < job.count; i++) {
    STORE *next = (job.count - 1 - i) % 2 ? work[1] : work[0];
    if (i == 0 && job.first) {
      turn_back(job.segments, job.first_length, now, next);
      before = next;
    }
    if (i == job.keep && i < job.count - 1)
      copy_entries(now, kept, cells);
    bring_rows<is>(job, i, &r);
    const moment_of_frame m = job.moments[i];
    implicit_step(&r, &m, now, before, next, factors, &error, &least);
    before = now;
    now = next;
  }
  if (job.count == 1)
    copy_entries(state, work[1], cells);
  else if (job.keep < job.count - 1)
    copy_entries(kept, work[1], cells);
  put_monitor(job, index, error, least);
}

/* Leapfrog, in place; of the state before it needs velocities, and leaves none. */
template <scope is> FN void leap_of_rod(const frame_job &job, int index, int slot) {
  const int cells = job.cells;
  rod r = describe_rod<is>(job, index);
  STORE *now = rod_of(job.work[0], cells, index), *kept = rod_of(job.work[1], cells, index);
  STORE *before = rod_of((STORE *)job.scratch, cells, slot);
  copy_entries(rod_of(job.state, cells, index), now, cells);
  copy_entries(rod_of(job.before, cells, index), before, cells);
  REAL error = SPLAT(0);
  for (int i = 0; i < job.count; i++) {
    if (i == job.keep)
      copy_entries(now, kept, cells);
    bring_rows<is>(job, i, &r);
    const leap m = job.leaps[i];
    leap_step(&r, &m, now, before, &error);
  }
  const leap rest = job.leaps[job.count];
  if (r.springs)
    copy_entries(now, before, cells);
  put_monitor(job, index, error, leap_end(&r, &rest, before, now));
}

/* There are as many threads as the device holds, or as there are rods. */
template <scope is> __global__ void __launch_bounds__(GPU_THREADS, GPU_BLOCKS) move_rods(frame_job job) {
  const int slot = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
  for (int index = job.from + slot; index < job.to; index += threads)
    frame_of_rod<is>(job, index, slot);
}

template <scope is> __global__ void __launch_bounds__(GPU_THREADS, 1) leap_rods(frame_job job) {
  const int slot = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
  for (int index = job.from + slot; index < job.to; index += threads)
    leap_of_rod<is>(job, index, slot);
}

#if WARPS
#include "gpu/warp.h"
#endif

/* ---- On the CPU ---- */

/* Of a rod that is being moved. */
static size_t scratch_bytes(const wy_batch_kind *kind) {
  const size_t factors = (size_t)kind->segments * CELL_FACTORS * sizeof(FACTORS);
  const size_t state = (size_t)wy_batch_entries(kind, WY_ARRAY_STATE) * sizeof(STORE);
  return factors > state ? factors : state;
}

/* Numbers that all rods of a frame share, one after the other: moments or leaps, loads, obstacles. */
static size_t shared_bytes(const wy_batch_kind *kind) {
  const size_t rows = (size_t)(kind->segments + 1) * WY_LOAD_ROW, entries = (size_t)kind->obstacles * WY_OBST_ROW;
  const size_t moment = sizeof(moment_of_frame) > sizeof(leap) ? sizeof(moment_of_frame) : sizeof(leap);
  return ((size_t)kind->most_substeps + 1) * moment +
         ((size_t)kind->most_loads * rows + (size_t)kind->most_obstacles * entries) * sizeof(RS);
}

/* Writes them for the device, which has them at `there`; returns how many bytes. */
static size_t write_shared(const wy_batch_kind *kind, const wy_batch_plan *plan, char *here, const char *there,
                           frame_job *job) {
  moment_of_frame *moments = (moment_of_frame *)here;
  leap *leaps = (leap *)here;
  for (int i = 0; i < plan->count && !plan->leaps; i++)
    moments[i] = moment_of(plan, i);
  for (int i = 0; i <= plan->count && plan->leaps; i++)
    leaps[i] = leap_of(plan, i);
  job->moments = (const moment_of_frame *)there;
  job->leaps = (const leap *)there;
  size_t used = plan->leaps ? ((size_t)plan->count + 1) * sizeof *leaps : (size_t)plan->count * sizeof *moments;
  const double *const from[2] = {plan->loads, plan->obstacles};
  const size_t entries[2] = {(size_t)(kind->segments + 1) * WY_LOAD_ROW, (size_t)kind->obstacles * WY_OBST_ROW};
  const bool stands[2] = {plan->loads_stand, plan->obstacles_stand};
  const RS *at[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    const size_t count = from[i] ? entries[i] * (stands[i] ? 1 : (size_t)plan->count) : 0;
    RS *to = (RS *)(here + used);
    for (size_t k = 0; k < count; k++)
      to[k] = (RS)from[i][k];
    at[i] = count ? (const RS *)(there + used) : NULL;
    used += count * sizeof *to;
  }
  job->loads = at[0];
  job->load_step = stands[0] ? 0 : (int)entries[0];
  job->obstacles = at[1];
  job->obstacle_step = stands[1] ? 0 : (int)entries[1];
  job->obstacle_count = kind->obstacles;
  return used;
}

static scope scope_of(const wy_batch_kind *kind, const wy_batch_plan *plan) {
  if (kind->measure != WY_TAN2)
    return ANY;
  return plan->loads || kind->obstacles ? TAN2 : USUAL;
}

typedef void (*frame_kernel)(frame_job);
static const frame_kernel kernels[2][3] = {{move_rods<USUAL>, move_rods<TAN2>, move_rods<ANY>},
                                           {leap_rods<USUAL>, leap_rods<TAN2>, leap_rods<ANY>}};

static void set_job(const machine *self, const wy_batch_plan *plan, int from, int to, frame_job *job) {
  const wy_batch_kind *kind = &self->kind;
  const int other = plan->side ? WY_ARRAY_STATE : WY_ARRAY_NEW_STATE;
  const int own = plan->side ? WY_ARRAY_NEW_STATE : WY_ARRAY_STATE;
  job->segments = kind->segments;
  job->cells = wy_batch_entries(kind, WY_ARRAY_STATE);
  job->measure = (int)kind->measure;
  job->damped = kind->damped;
  job->springs = kind->springs;
  for (int end = 0; end < 2; end++) {
    job->clamped[end] = kind->clamped[end];
    for (int k = 0; k < 3; k++)
      job->held[end][k] = (RS)kind->held[end][k];
  }
  job->from = from, job->to = to;
  job->par = (const STORE *)self->arrays[WY_ARRAY_PARAMETERS];
  job->natural = (const STORE *)self->arrays[WY_ARRAY_NATURAL];
  job->ends = (const STORE *)self->arrays[WY_ARRAY_ENDS];
  job->state = (const STORE *)self->arrays[own];
  job->before = (const STORE *)self->arrays[own + 1];
  job->work[0] = (STORE *)self->arrays[other];
  job->work[1] = (STORE *)self->arrays[other + 1];
  job->kept = (STORE *)self->kept;
  job->monitor = (STORE *)self->arrays[WY_ARRAY_MONITOR];
  job->scratch = self->scratch;
  job->grids = self->grids;
  job->count = plan->count;
  job->keep = plan->kept;
  job->first = plan->first;
  job->first_length = (RS)plan->substeps[0].length;
}

#if WARPS
/* Few rods of a kind that a warp can move: a thread each would leave most of the device idle. */
static bool takes_warps(const machine *self, const wy_batch_plan *plan, int rods) {
  return !plan->leaps && scope_of(&self->kind, plan) != ANY && self->kind.obstacles == 0 && self->kind.segments > 1 &&
         self->kind.segments < LANES && rods <= GPU_WARP_RODS * self->processors;
}

static void launch_warps(const machine *self, const wy_batch_plan *plan, const frame_job &job) {
  const int warps = GPU_THREADS / LANES, blocks = (job.to - job.from + warps - 1) / warps;
  LAUNCH(scope_of(&self->kind, plan) == USUAL ? move_few_rods<USUAL> : move_few_rods<TAN2>, blocks, GPU_THREADS,
         self->stream, job);
}
#endif

/* Moves rods [from, to), the shared numbers of whose frame are on the device. */
static void launch_frame(const machine *self, const wy_batch_plan *plan, const frame_job &job, int blocks,
                         int threads) {
#if WARPS
  if (takes_warps(self, plan, job.to - job.from)) {
    launch_warps(self, plan, job);
    return;
  }
#endif
  LAUNCH(kernels[plan->leaps][scope_of(&self->kind, plan)], blocks, threads, self->stream, job);
}

static cudaError_t run_frame(machine *self, const wy_batch_plan *plan, int from, int to, int blocks, int threads) {
  frame_job job;
  set_job(self, plan, from, to, &job);
  const size_t bytes = write_shared(&self->kind, plan, self->shared_here, self->shared_there, &job);
  const cudaError_t error =
      cudaMemcpyAsync(self->shared_there, self->shared_here, bytes, cudaMemcpyHostToDevice, self->stream);
  if (error != cudaSuccess)
    return error;
  launch_frame(self, plan, job, blocks, threads);
  return cudaGetLastError();
}

/* The most blocks of so many threads that a multiprocessor holds, of any kernel. */
static cudaError_t count_blocks(int threads, int *blocks) {
  *blocks = 1;
  for (int i = 0; i < 6; i++) {
    int some = 0;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&some, kernels[i / 3][i % 3], threads, 0);
    if (error != cudaSuccess)
      return error;
    *blocks = some > *blocks ? some : *blocks;
  }
  return cudaSuccess;
}

static const precision table = {sizeof(RS), scratch_bytes, shared_bytes, run_frame, count_blocks};
