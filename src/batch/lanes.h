/* SPDX-License-Identifier: MIT */
/* The kernels of the CPU: one source, batch/rod.h, compiled for each instruction set (lanes_base.c, lanes_v3.c,
   lanes_v4.c). A tile of rods lies side by side in vectors and makes a whole frame at once, in the cache. */
#ifndef WY_BATCH_LANES_H
#define WY_BATCH_LANES_H

#include "base/target.h"
#include "batch/backend.h"

/* The arrays of one tile, float or double. */
typedef struct wy_batch_tile {
  const void *parameters, *natural, *ends, *state, *before;
  void *new_state, *new_before, *monitor;
  void *work; /* wy_batch_work_entries numbers for each lane */
} wy_batch_tile;

typedef struct wy_batch_kernel {
  wy_batch_precision precision;
  int lanes;
  void (*frame)(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile);
} wy_batch_kernel;

/* Factors of a segment: D^-1 [L | r], six rows. */
enum { WY_FACTORS = 42 };

/* Two states, the one that is kept, and factors. */
static inline size_t wy_batch_work_entries(int segments) {
  return (size_t)(segments + 1) * (3 * WY_CELL + WY_FACTORS);
}

/* Ended by an entry without lanes. */
extern const wy_batch_kernel wy_batch_kernels_base[];
#if WY_HAVE_CLONES
extern const wy_batch_kernel wy_batch_kernels_v3[], wy_batch_kernels_v4[];
#endif

#endif
