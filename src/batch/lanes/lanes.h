/* SPDX-License-Identifier: MIT */
/* The kernels of the CPU: one source, batch/rod.h, compiled for each precision and instruction set (double_v4.c and its
   kin). A tile of rods lies side by side in vectors and makes a whole frame at once, in the cache. */
#ifndef WY_BATCH_LANES_LANES_H
#define WY_BATCH_LANES_LANES_H

#include "base/target.h"
#include "batch/backend.h"

/* The arrays of one tile, float or double, and memory to work in. */
typedef struct wy_batch_tile {
  const void *parameters, *natural, *ends, *state, *before;
  void *new_state, *new_before, *monitor;
  void *work, *loads; /* loads, and obstacles behind them */
} wy_batch_tile;

typedef struct wy_batch_kernel {
  wy_batch_precision precision;
  int lanes;
  void (*frame)(const wy_batch_kind *kind, const wy_batch_plan *plan, const wy_batch_tile *tile);
} wy_batch_kernel;

/* Of a lane: three states and the one that is kept, and factors: D^-1 [L | r] of each segment, six rows. */
static inline size_t wy_batch_work_entries(const wy_batch_kind *kind) {
  return 4 * (size_t)wy_batch_entries(kind, WY_ARRAY_STATE) + (size_t)(kind->segments + 1) * 42;
}

extern const wy_batch_kernel wy_batch_double_base, wy_batch_mixed_base, wy_batch_single_base;
#if WY_HAVE_CLONES
extern const wy_batch_kernel wy_batch_double_v3, wy_batch_mixed_v3, wy_batch_single_v3;
extern const wy_batch_kernel wy_batch_double_v4, wy_batch_mixed_v4, wy_batch_single_v4;
#endif

#endif
