/* SPDX-License-Identifier: MIT */
/* The CPU as a machine for batches: memory of tiles, and the choice of the kernel. */
#include "batch/lanes/lanes.h"

#include <string.h>

#include "base/arena.h"

typedef struct machine {
  wy_arena arena;
  wy_batch_kind kind;
  const wy_batch_kernel *kernel;
  int lanes, tiles;
  size_t bytes; /* of a number */
  char *arrays[WY_ARRAYS];
  char *work;
} machine;

/* ---- The kernel ---- */

typedef struct choice {
  const wy_batch_kernel *kernel;
  const char *name;
} choice;

/* One instruction set: its kernels, in the order of wy_batch_precision. */
typedef struct row {
  const char *name;
  bool is_there;
  const wy_batch_kernel *kernels[3];
} row;

/* The widest that the processor has; with a number of lanes, the one that has it. */
static choice choose(const wy_batch_kind *kind) {
  const row rows[] = {
#if WY_HAVE_CLONES
    {"cpu, AVX-512",
     __builtin_cpu_supports("x86-64-v4") != 0,
     {&wy_batch_double_v4, &wy_batch_mixed_v4, &wy_batch_single_v4}},
    {"cpu, AVX2",
     __builtin_cpu_supports("x86-64-v3") != 0,
     {&wy_batch_double_v3, &wy_batch_mixed_v3, &wy_batch_single_v3}},
#endif
    {"cpu", true, {&wy_batch_double_base, &wy_batch_mixed_base, &wy_batch_single_base}}
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const wy_batch_kernel *kernel = rows[i].kernels[kind->precision];
    if (rows[i].is_there && (!kind->lanes || kernel->lanes == kind->lanes))
      return (choice){kernel, rows[i].name};
  }
  return (choice){NULL, "cpu"};
}

/* ---- Memory ---- */

static int tiles_of(const machine *self) {
  return (self->kind.count + self->lanes - 1) / self->lanes;
}

static size_t tile_bytes(const machine *self, wy_batch_array array) {
  return (size_t)wy_batch_entries(&self->kind, array) * (size_t)self->lanes * self->bytes;
}

static size_t work_bytes(const machine *self) {
  return wy_batch_work_entries(&self->kind) * (size_t)self->lanes * self->bytes;
}

static size_t load_bytes(const machine *self) {
  const size_t loads = (size_t)(self->kind.segments + 1) * WY_LOAD_ROW;
  const size_t bytes = (loads + (size_t)self->kind.obstacles * WY_OBST_ROW) * self->bytes;
  return (bytes + WY_ALIGNMENT - 1) / WY_ALIGNMENT * WY_ALIGNMENT;
}

static void layout(machine *self) {
  for (int i = 0; i < WY_ARRAYS; i++)
    self->arrays[i] = wy_arena_take(&self->arena, (size_t)self->tiles * tile_bytes(self, (wy_batch_array)i));
  self->work = wy_arena_take(&self->arena, (size_t)self->kind.most_tasks * (work_bytes(self) + load_bytes(self)));
}

static bool prepare(machine *self, const wy_batch_kind *kind, const char **name) {
  const choice chosen = choose(kind);
  if (!chosen.kernel)
    return false;
  *name = chosen.name;
  self->kind = *kind;
  self->kernel = chosen.kernel;
  self->lanes = chosen.kernel->lanes;
  self->tiles = tiles_of(self);
  self->bytes = kind->precision == WY_BATCH_SINGLE ? sizeof(float) : sizeof(double);
  return true;
}

static size_t memory(const wy_batch_kind *kind) {
  machine counted = {.lanes = 0};
  const char *name;
  if (!prepare(&counted, kind, &name))
    return 0;
  layout(&counted);
  wy_arena_take(&counted.arena, sizeof counted);
  return counted.arena.used;
}

static void *create(const wy_batch_kind *kind, int *lanes, const char **name) {
  machine counted = {.lanes = 0};
  if (!prepare(&counted, kind, name))
    return NULL;
  layout(&counted);
  wy_arena arena = counted.arena;
  wy_arena_take(&arena, sizeof(machine));
  if (wy_arena_allocate(&arena))
    return NULL;
  machine *self = wy_arena_take(&arena, sizeof *self);
  prepare(self, kind, name);
  self->arena = arena;
  layout(self);
  *lanes = self->lanes;
  return self;
}

static void destroy(void *machine_of) {
  wy_arena arena = ((machine *)machine_of)->arena;
  wy_arena_release(&arena);
}

/* ---- In and out ---- */

/* Where entry 0 of a rod stands; the next one is `lanes` numbers further. */
static char *place_of(const machine *self, wy_batch_array array, int rod) {
  return self->arrays[array] + (size_t)(rod / self->lanes) * tile_bytes(self, array) +
         (size_t)(rod % self->lanes) * self->bytes;
}

/* Lanes behind the last rod repeat it, so that nothing undefined is calculated. */
static void write_rod(machine *self, wy_batch_array array, int rod, const double *values) {
  const int entries = wy_batch_entries(&self->kind, array);
  char *to = place_of(self, array, rod);
  for (int k = 0; k < entries; k++, to += (size_t)self->lanes * self->bytes) {
    const float low = (float)values[k];
    memcpy(to, self->bytes == sizeof low ? (const void *)&low : (const void *)&values[k], self->bytes);
  }
}

static void upload(void *machine_of, wy_batch_array array, int first, int count, const double *values) {
  machine *self = machine_of;
  const size_t entries = (size_t)wy_batch_entries(&self->kind, array);
  for (int i = 0; i < count; i++) {
    const double *rod = values + (size_t)i * entries;
    write_rod(self, array, first + i, rod);
    for (int k = self->kind.count; first + i == self->kind.count - 1 && k < self->tiles * self->lanes; k++)
      write_rod(self, array, k, rod);
  }
}

static void download(const void *machine_of, wy_batch_array array, int first, int count, double *values) {
  const machine *self = machine_of;
  const int entries = wy_batch_entries(&self->kind, array);
  for (int i = first; i < first + count; i++) {
    const char *from = place_of(self, array, i);
    for (int k = 0; k < entries; k++, from += (size_t)self->lanes * self->bytes) {
      float low = 0;
      if (self->bytes == sizeof low) {
        memcpy(&low, from, sizeof low);
        *values++ = (double)low;
      } else {
        memcpy(values++, from, sizeof *values);
      }
    }
  }
}

static void copy_rod(const machine *source, wy_batch_array array, int from, machine *target, wy_batch_array as,
                     int to) {
  const int entries = wy_batch_entries(&source->kind, array);
  const size_t step = (size_t)source->lanes * source->bytes, stride = (size_t)target->lanes * target->bytes;
  const char *read = place_of(source, array, from);
  char *write = place_of(target, as, to);
  for (int k = 0; k < entries; k++, read += step, write += stride)
    memcpy(write, read, source->bytes);
}

static void copy(const void *source_of, wy_batch_array array, const int *from, void *target_of, wy_batch_array as,
                 const int *to, int count) {
  const machine *source = source_of;
  machine *target = target_of;
  for (int i = 0; i < count; i++) {
    const int rod = from ? from[i] : i, place = to ? to[i] : i;
    copy_rod(source, array, rod, target, as, place);
    for (int k = target->kind.count; place == target->kind.count - 1 && k < target->tiles * target->lanes; k++)
      copy_rod(source, array, rod, target, as, k);
  }
}

/* ---- A frame ---- */

static void step(void *machine_of, int task, int from, int to, const wy_batch_plan *plan) {
  machine *self = machine_of;
  const int other = plan->side ? WY_ARRAY_STATE : WY_ARRAY_NEW_STATE;
  const int own = plan->side ? WY_ARRAY_NEW_STATE : WY_ARRAY_STATE;
  char *work = self->work + (size_t)task * (work_bytes(self) + load_bytes(self));
  for (int tile = from; tile < to; tile++) {
    char *at[WY_ARRAYS];
    for (int i = 0; i < WY_ARRAYS; i++)
      at[i] = self->arrays[i] + (size_t)tile * tile_bytes(self, (wy_batch_array)i);
    const wy_batch_tile arrays = {.parameters = at[WY_ARRAY_PARAMETERS],
                                  .natural = at[WY_ARRAY_NATURAL],
                                  .ends = at[WY_ARRAY_ENDS],
                                  .state = at[own],
                                  .before = at[own + 1],
                                  .new_state = at[other],
                                  .new_before = at[other + 1],
                                  .monitor = at[WY_ARRAY_MONITOR],
                                  .work = work + load_bytes(self),
                                  .loads = work};
    self->kernel->frame(&self->kind, plan, &arrays);
  }
}

const wy_batch_backend wy_batch_lanes = {.device = WY_BATCH_CPU,
                                         .create = create,
                                         .upload = upload,
                                         .download = download,
                                         .copy = copy,
                                         .step = step,
                                         .destroy = destroy,
                                         .memory = memory};
