/* SPDX-License-Identifier: MIT */
/* Batches on a GPU with CUDA: the table of batch/backend.h. A library of its own, libwithy_cuda.so, which gpu/load.c
   loads where it is. A compiler of C++ takes this file as well (gpu/host.h), for tests. */
#include <stdio.h>

#include "gpu/machine.h"
#include "gpu/precisions.h"

static const precision *const precisions[] = {&full::table, &mixed::table, &single::table};

/* ---- Making ---- */

/* Threads of a launch: so many as the device holds, or as there are rods; where those are few, in small blocks, which
   spread over all multiprocessors. */
static void choose_launch(machine *self) {
  int device = 0, blocks = 1;
  self->processors = 1;
  is_well(self, cudaGetDevice(&device));
  is_well(self, cudaDeviceGetAttribute(&self->processors, cudaDevAttrMultiProcessorCount, device));
  const int tiles = (self->kind.count + TILE - 1) / TILE, most = GPU_THREADS / TILE;
  const int each = tiles / self->processors; /* of a multiprocessor */
  self->threads = TILE * (each < 1 ? 1 : each > most ? most : each);
  is_well(self, self->how->count_blocks(self->threads, &blocks));
  const int needed = (self->kind.count + self->threads - 1) / self->threads;
  self->blocks = needed < blocks * self->processors ? needed : blocks * self->processors;
}

static void prepare(machine *self, const wy_batch_kind *kind) {
  self->kind = *kind;
  self->how = precisions[kind->precision];
  choose_launch(self);
}

static void destroy(void *machine_of) {
  machine *self = (machine *)machine_of;
  give_back(self);
  free(self);
}

static void name_device(machine *self) {
  int device = 0;
  cudaDeviceProp properties;
  if (is_well(self, cudaGetDevice(&device)) && is_well(self, cudaGetDeviceProperties(&properties, device)))
    snprintf(self->name, sizeof self->name, "gpu, %.50s", properties.name);
}

static void *create(const wy_batch_kind *kind, int *lanes, const char **name) {
  machine *self = (machine *)calloc(1, sizeof *self);
  if (!self)
    return NULL;
  prepare(self, kind);
  name_device(self);
  *lanes = TILE;
  *name = self->name;
  if (self->error == cudaSuccess && take_all(self))
    return self;
  destroy(self);
  cudaGetLastError(); /* it is told; the next call begins anew */
  return NULL;
}

static size_t memory(const wy_batch_kind *kind) {
  machine counted = machine();
  prepare(&counted, kind);
  return device_bytes(&counted) + host_bytes(&counted);
}

/* ---- A frame ---- */

static void step(void *machine_of, int, int from, int to, const wy_batch_plan *plan) {
  machine *self = (machine *)machine_of;
  const int last = to * TILE < self->kind.count ? to * TILE : self->kind.count;
  bring_all(self);
  if (self->error != cudaSuccess)
    return;
  const int needed = (last - from * TILE + self->threads - 1) / self->threads;
  const int blocks = needed < self->blocks ? needed : self->blocks;
  if (is_well(self, self->how->run_frame(self, plan, from * TILE, last, blocks, self->threads)))
    finish(self);
  const int other = plan->side ? WY_ARRAY_STATE : WY_ARRAY_NEW_STATE;
  forget(self, other);
  forget(self, other + 1);
  forget(self, WY_ARRAY_MONITOR);
}

/* ---- Positions, and errors ---- */

static const void *positions(void *machine_of, wy_batch_array state) {
  machine *self = (machine *)machine_of;
  if (!self->positions && cudaMalloc(&self->positions, position_bytes(self)) != cudaSuccess) {
    cudaGetLastError();
    return self->positions = NULL;
  }
  bring_all(self);
  LAUNCH_FOR(self, sum_edges, self->kind.count, (number *)self->arrays[WY_ARRAY_PARAMETERS],
             (number *)self->arrays[state], (number *)self->positions, self->kind.segments,
             wy_batch_entries(&self->kind, state), self->kind.count);
  if (is_well(self, cudaGetLastError()))
    finish(self);
  return self->positions;
}

static const char *error(const void *machine_of) {
  const machine *self = (const machine *)machine_of;
  return self->error == cudaSuccess ? NULL : cudaGetErrorString(self->error);
}

static const wy_batch_backend backend = {WY_BATCH_GPU, true,      create, upload,  download, copy,
                                         step,         positions, error,  destroy, memory};

extern "C" __attribute__((visibility("default"))) const wy_batch_backend *wy_batch_backend_of(const char *version,
                                                                                              const char **reason) {
  int count = 0;
  if (strcmp(version, WY_VERSION) != 0) {
    *reason = "libwithy_cuda.so belongs to another version of withy";
    return NULL;
  }
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count < 1) {
    *reason = found != cudaSuccess ? cudaGetErrorString(found) : "there is no device for CUDA";
    cudaGetLastError();
    return NULL;
  }
  *reason = "";
  return &backend;
}
