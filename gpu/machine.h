/* SPDX-License-Identifier: MIT */
/* A GPU as a machine for batches: what it holds, and how rods get in and out, many at a time. */
#ifndef WY_GPU_MACHINE_H
#define WY_GPU_MACHINE_H

#include "batch/backend.h"
#include "gpu/device.h"

/* Rods on the way to an array or from it, as the device has them, rod by rod. */
struct stage {
  char *rows;
  int first, count, room;
  bool is_new; /* they are not on the device yet; else they are a copy of what is there */
  int next;    /* rod behind those that were asked for last: who asks for it reads all rods in order */
};

struct precision;

struct machine {
  wy_batch_kind kind;
  const precision *how;
  cudaStream_t stream;
  void *arrays[WY_ARRAYS];
  wy_batch_grid *grids; /* on the device, and their numbers; or NULL */
  float *grid_values;
  void *kept, *scratch, *positions;
  int processors, threads, blocks;  /* multiprocessors; of a launch */
  char *shared_here, *shared_there; /* numbers of a frame that all rods share: for the device, and there */
  stage stages[WY_ARRAYS];
  void *rows; /* of a stage, on the device */
  int *list;  /* on the device: rods of `copy` */
  int list_room;
  cudaError_t error;
  char name[64];
};

/* What depends on the precision: gpu/kernel.h. */
struct precision {
  size_t number;                                      /* bytes */
  size_t (*scratch_bytes)(const wy_batch_kind *kind); /* of a rod that is being moved */
  size_t (*shared_bytes)(const wy_batch_kind *kind);
  cudaError_t (*run_frame)(machine *self, const wy_batch_plan *plan, int from, int to, int blocks, int threads);
  cudaError_t (*count_blocks)(int threads, int *blocks);
};

/* The first error stays. */
static bool is_well(machine *self, cudaError_t error) {
  if (self->error == cudaSuccess)
    self->error = error;
  return self->error == cudaSuccess;
}

/* ---- Memory ---- */

enum { STAGE_BYTES = 1 << 20, LIST_ROOM = 4096 };

static size_t row_bytes(const machine *self, int array) {
  return (size_t)wy_batch_entries(&self->kind, (wy_batch_array)array) * self->how->number;
}

/* Of all rods, tiles being full. */
static size_t array_bytes(const machine *self, int array) {
  return (size_t)((self->kind.count + TILE - 1) / TILE) * TILE * row_bytes(self, array);
}

static int stage_room(const machine *self, int array) {
  const size_t room = STAGE_BYTES / row_bytes(self, array);
  return room < 1 ? 1 : room < (size_t)self->kind.count ? (int)room : self->kind.count;
}

static size_t largest_stage(const machine *self) {
  size_t most = 0;
  for (int i = 0; i < WY_ARRAYS; i++) {
    const size_t bytes = (size_t)stage_room(self, i) * row_bytes(self, i);
    most = bytes > most ? bytes : most;
  }
  return most;
}

/* For as many rods as there are threads. */
static size_t scratch_bytes(const machine *self) {
  return (size_t)self->threads * (size_t)self->blocks * self->how->scratch_bytes(&self->kind);
}

static size_t position_bytes(const machine *self) {
  return (size_t)self->kind.count * (size_t)(self->kind.segments + 1) * 3 * self->how->number;
}

static size_t grid_bytes(const machine *self) {
  return (size_t)self->kind.obstacles * sizeof *self->grids;
}

static size_t grid_value_bytes(const machine *self) {
  return self->kind.grid_values * sizeof *self->grid_values;
}

/* What the machine holds, without positions, which are made when somebody asks for them. */
static size_t device_bytes(const machine *self) {
  size_t bytes = scratch_bytes(self) + self->how->shared_bytes(&self->kind) + largest_stage(self);
  for (int i = 0; i < WY_ARRAYS; i++)
    bytes += array_bytes(self, i);
  if (self->kind.keeps)
    bytes += array_bytes(self, WY_ARRAY_STATE);
  if (self->kind.grid_values > 0)
    bytes += grid_bytes(self) + grid_value_bytes(self);
  return bytes + 2 * LIST_ROOM * sizeof(int);
}

static size_t host_bytes(const machine *self) {
  size_t bytes = sizeof *self + self->how->shared_bytes(&self->kind);
  for (int i = 0; i < WY_ARRAYS; i++)
    bytes += (size_t)stage_room(self, i) * row_bytes(self, i);
  return bytes;
}

static bool take_device(machine *self, void **place, size_t bytes) {
  return is_well(self, cudaMalloc(place, bytes));
}

/* To the device, where their numbers are elsewhere. */
static bool take_grids(machine *self) {
  if (self->kind.grid_values == 0)
    return true;
  if (!take_device(self, (void **)&self->grids, grid_bytes(self)) ||
      !take_device(self, (void **)&self->grid_values, grid_value_bytes(self)))
    return false;
  wy_batch_grid *there = (wy_batch_grid *)calloc((size_t)self->kind.obstacles, sizeof *there);
  if (!there)
    return is_well(self, cudaErrorMemoryAllocation);
  bool well = true;
  size_t used = 0;
  for (int i = 0; i < self->kind.obstacles && well; i++) {
    const wy_batch_grid *grid = &self->kind.grids[i];
    const size_t count = (size_t)grid->points[0] * (size_t)grid->points[1] * (size_t)grid->points[2];
    there[i] = *grid;
    there[i].values = self->grid_values + used;
    well = is_well(self, cudaMemcpyAsync(self->grid_values + used, grid->values, count * sizeof *grid->values,
                                         cudaMemcpyHostToDevice, self->stream));
    used += count;
  }
  well = well &&
         is_well(self, cudaMemcpyAsync(self->grids, there, grid_bytes(self), cudaMemcpyHostToDevice, self->stream));
  well = well && is_well(self, cudaStreamSynchronize(self->stream));
  free(there);
  return well;
}

static bool take_all(machine *self) {
  bool well = is_well(self, cudaStreamCreateWithFlags(&self->stream, cudaStreamNonBlocking));
  for (int i = 0; i < WY_ARRAYS && well; i++) {
    stage *s = &self->stages[i];
    s->room = stage_room(self, i);
    well = take_device(self, &self->arrays[i], array_bytes(self, i)) &&
           is_well(self, cudaMallocHost((void **)&s->rows, (size_t)s->room * row_bytes(self, i)));
  }
  const size_t shared = self->how->shared_bytes(&self->kind);
  well = well && take_grids(self);
  well = well && (!self->kind.keeps || take_device(self, &self->kept, array_bytes(self, WY_ARRAY_STATE)));
  well = well && take_device(self, &self->scratch, scratch_bytes(self)) &&
         take_device(self, (void **)&self->shared_there, shared) &&
         is_well(self, cudaMallocHost((void **)&self->shared_here, shared)) &&
         take_device(self, &self->rows, largest_stage(self));
  return well && take_device(self, (void **)&self->list, 2 * LIST_ROOM * sizeof *self->list);
}

static void give_back(machine *self) {
  for (int i = 0; i < WY_ARRAYS; i++) {
    cudaFree(self->arrays[i]);
    cudaFreeHost(self->stages[i].rows);
  }
  void *const there[] = {self->kept, self->scratch, self->positions, self->shared_there,
                         self->rows, self->list,    self->grids,     self->grid_values};
  for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
    cudaFree(there[i]);
  cudaFreeHost(self->shared_here);
  if (self->stream)
    cudaStreamDestroy(self->stream);
}

/* ---- Kernels that move numbers ---- */

/* Entry k of a rod in tiles. */
template <class number> FN number *entry_at(number *tiles, int entries, int rod, int k) {
  return tiles + (size_t)(rod / TILE) * (size_t)(entries * TILE) + (size_t)(k * TILE + rod % TILE);
}

FN int thread_index() {
  return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Rows of rods from `first` on into tiles, and back. */
template <class number>
__global__ void rows_to_tiles(const number *rows, number *tiles, int entries, int first, int count) {
  const int i = thread_index();
  if (i < count * entries)
    *entry_at(tiles, entries, first + i / entries, i % entries) = rows[i];
}

template <class number> __global__ void tiles_to_rows(number *tiles, number *rows, int entries, int first, int count) {
  const int i = thread_index();
  if (i < count * entries)
    rows[i] = *entry_at(tiles, entries, first + i / entries, i % entries);
}

/* Rods from[i] into rods to[i]; no list: i. */
template <class number>
__global__ void copy_rods(number *source, const int *from, number *target, const int *to, int entries, int first,
                          int count) {
  const int i = thread_index();
  if (i >= count * entries)
    return;
  const int rod = i % count, k = i / count;
  *entry_at(target, entries, to ? to[rod] : first + rod, k) =
      *entry_at(source, entries, from ? from[rod] : first + rod, k);
}

/* Vertices of a rod: a running sum of its edges, from its origin. */
template <class number>
__global__ void sum_edges(number *par, number *state, number *positions, int segments, int cells, int count) {
  const int rod = thread_index();
  if (rod >= count)
    return;
  const number length = (number)1 / *entry_at(par, WY_PAR_COUNT, rod, WY_PAR_PER_METRE);
  number *out = positions + (size_t)rod * (size_t)(segments + 1) * 3;
  for (int k = 0; k < 3; k++) {
    const number origin = *entry_at(par, WY_PAR_COUNT, rod, WY_PAR_ORIGIN + k);
    number place = *entry_at(state, cells, rod, segments * WY_CELL + WY_CELL_E + k);
    for (int i = 0; i <= segments; i++) {
      out[3 * i + k] = (origin + place) * length;
      place += *entry_at(state, cells, rod, i * WY_CELL + WY_CELL_E + k);
    }
  }
}

static int blocks_for(int threads) {
  return (threads + GPU_THREADS - 1) / GPU_THREADS;
}

/* One of the above for the numbers of the machine. */
#define LAUNCH_FOR(self, kernel, threads, ...)                                                                         \
  do {                                                                                                                 \
    if ((self)->how->number == sizeof(float)) {                                                                        \
      typedef float number;                                                                                            \
      LAUNCH(kernel<number>, blocks_for(threads), GPU_THREADS, (self)->stream, __VA_ARGS__);                           \
    } else {                                                                                                           \
      typedef double number;                                                                                           \
      LAUNCH(kernel<number>, blocks_for(threads), GPU_THREADS, (self)->stream, __VA_ARGS__);                           \
    }                                                                                                                  \
  } while (0)

static bool finish(machine *self) {
  return is_well(self, cudaStreamSynchronize(self->stream));
}

/* ---- In ---- */

/* Brings what a stage holds to the device. */
static void bring(machine *self, int array) {
  stage *s = &self->stages[array];
  if (!s->is_new)
    return;
  const int entries = wy_batch_entries(&self->kind, (wy_batch_array)array), count = s->count;
  s->is_new = false;
  s->count = 0;
  if (!is_well(self, cudaMemcpyAsync(self->rows, s->rows, (size_t)count * row_bytes(self, array),
                                     cudaMemcpyHostToDevice, self->stream)))
    return;
  LAUNCH_FOR(self, rows_to_tiles, count * entries, (const number *)self->rows, (number *)self->arrays[array], entries,
             s->first, count);
  if (is_well(self, cudaGetLastError()))
    finish(self);
}

static void bring_all(machine *self) {
  for (int i = 0; i < WY_ARRAYS; i++)
    bring(self, i);
}

/* Behind rods that are on the way already they wait for company. */
static void upload(void *machine_of, wy_batch_array array, int first, int count, const double *values) {
  machine *self = (machine *)machine_of;
  stage *s = &self->stages[array];
  const size_t entries = (size_t)wy_batch_entries(&self->kind, array), bytes = row_bytes(self, array);
  for (int i = 0; i < count; i++, values += entries) {
    if (!s->is_new || s->count == s->room || first + i != s->first + s->count) {
      bring(self, array);
      s->first = first + i, s->count = 0, s->is_new = true;
    }
    char *row = s->rows + (size_t)s->count++ * bytes;
    if (self->how->number == sizeof(float))
      for (size_t k = 0; k < entries; k++)
        ((float *)row)[k] = (float)values[k];
    else
      memcpy(row, values, bytes);
  }
}

/* ---- Out ---- */

/* Makes rods from `first` on come here; returns how many did. */
static int take_out(machine *self, int array, int first, int count) {
  stage *s = &self->stages[array];
  const int entries = wy_batch_entries(&self->kind, (wy_batch_array)array);
  const int rest = self->kind.count - first, wanted = first == s->next && first > 0 ? s->room : count;
  s->first = first;
  s->count = wanted < s->room ? wanted : s->room;
  s->count = s->count < rest ? s->count : rest;
  LAUNCH_FOR(self, tiles_to_rows, s->count * entries, (number *)self->arrays[array], (number *)self->rows, entries,
             first, s->count);
  if (is_well(self, cudaGetLastError()) &&
      is_well(self, cudaMemcpyAsync(s->rows, self->rows, (size_t)s->count * row_bytes(self, array),
                                    cudaMemcpyDeviceToHost, self->stream)))
    finish(self);
  return s->count;
}

/* Who reads rods one after the other finds them here already. */
static void download(const void *machine_of, wy_batch_array array, int first, int count, double *values) {
  machine *self = (machine *)machine_of;
  stage *s = &self->stages[array];
  const size_t entries = (size_t)wy_batch_entries(&self->kind, array), bytes = row_bytes(self, array);
  bring(self, array);
  for (int i = 0; i < count; i++, values += entries) {
    const int rod = first + i;
    if (rod < s->first || rod >= s->first + s->count)
      take_out(self, array, rod, count - i);
    const char *row = s->rows + (size_t)(rod - s->first) * bytes;
    if (self->how->number == sizeof(float))
      for (size_t k = 0; k < entries; k++)
        values[k] = (double)((const float *)row)[k];
    else
      memcpy(values, row, bytes);
    s->next = rod + 1;
  }
}

/* What came here of an array is no longer what is there. */
static void forget(machine *self, int array) {
  self->stages[array].count = 0;
}

/* ---- From one machine to another ---- */

static void copy_some(machine *source, int array, const int *from, machine *target, int as, const int *to, int first,
                      int count) {
  const int entries = wy_batch_entries(&source->kind, (wy_batch_array)array);
  const int *const lists[2] = {from, to};
  int *const there[2] = {target->list, target->list + LIST_ROOM};
  for (int i = 0; i < 2; i++)
    if (lists[i] && !is_well(target, cudaMemcpyAsync(there[i], lists[i] + first, (size_t)count * sizeof(int),
                                                     cudaMemcpyHostToDevice, target->stream)))
      return;
  LAUNCH_FOR(target, copy_rods, count * entries, (number *)source->arrays[array], from ? there[0] : NULL,
             (number *)target->arrays[as], to ? there[1] : NULL, entries, first, count);
  if (is_well(target, cudaGetLastError()))
    finish(target);
}

static void copy(const void *source_of, wy_batch_array array, const int *from, void *target_of, wy_batch_array as,
                 const int *to, int count) {
  machine *source = (machine *)source_of, *target = (machine *)target_of;
  bring(source, array);
  bring(target, as);
  for (int first = 0; first < count; first += LIST_ROOM)
    copy_some(source, array, from, target, as, to, first, count - first < LIST_ROOM ? count - first : LIST_ROOM);
  forget(target, as);
}

#endif
