/* SPDX-License-Identifier: MIT */
/* gpu/kernel.h for each precision, each in a namespace of its own. */
#define SPLAT(x) ((REAL)(x))
#define INV(x) inverse(x)
#define SQRT(x) root(x)
#define INV_SQRT(x) inverse_root(x)
#define STEP(x) ((x) > (RS)0 ? (RS)1 : (RS)0)
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((b) < (a) ? (a) : (b))
#define LANE_COUNT 1
#define UNROLL_LANES
#define LANE(x, lane) (x)
#define AT(array, k) (array)[(k)*TILE]
#define KEEP_PREDICTION 0
#define FETCH_DISTANCE GPU_AHEAD
/* For arrays of r->segments cells, r as batch/rod.h has it. */
#if GPU_AHEAD
#define FETCH(array, i, entries)                                                                                       \
  if ((i) >= 0 && (i) < r->segments)                                                                                   \
  fetch_entries(array, (i) * (entries), ((i) + 1) * (entries))
#else
#define FETCH(array, i, entries)
#endif
#define FETCH_CELL(array, i) FETCH(array, i, WY_CELL)
#define FETCH_FACTORS(array, i) FETCH(array, i, CELL_FACTORS)

namespace single {
#define LOW 0
#define WARPS GPU_WARPS
#define RS float
#define REAL float
#define STORE float
#if GPU_HALVES
#define FACTORS __half
#define FACTOR(array, k) half_at((array) + (k)*TILE)
#else
#define FACTORS float
#define FACTOR(array, k) AT(array, k)
#endif
#include "gpu/kernel.h"
#include "gpu/undefine.h"
} // namespace single

#define FACTOR(array, k) AT(array, k)
namespace full {
#define WARPS 0
#define LOW 0
#define RS double
#define REAL double
#define STORE double
#define FACTORS double
#include "gpu/kernel.h"
#include "gpu/undefine.h"
} // namespace full

#define FACTOR(array, k) AT(array, k)
namespace mixed {
#define WARPS 0
#define LOW 1
#define RS double
#define REAL double
#define STORE double
#define FACTORS float
#define LOW_RS float
#define LOW_REAL float
#define LOW_SPLAT(x) ((float)(x))
#define LOW_INV(x) inverse(x)
#define LOW_SQRT(x) root(x)
#define LOW_INV_SQRT(x) inverse_root(x)
#define LOW_STEP(x) ((x) > 0.0f ? 1.0f : 0.0f)
#define LOW_LESSER LESSER
#define LOWER(x) ((float)(x))
#define HIGHER(x) ((double)(x))
#include "gpu/kernel.h"
} // namespace mixed
