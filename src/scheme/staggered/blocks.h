/* SPDX-License-Identifier: MIT */
/* 3x3 blocks in groups of WY_LANES neighbours: all entries of all blocks of a group stand together, so that a pass over
   a long rod reads one stream. Within a group entry (row, column) of block `which` of lane l stands at ((which * 3 +
   column) * 3 + row) * WY_LANES + l. */
#ifndef WY_SCHEME_STAGGERED_BLOCKS_H
#define WY_SCHEME_STAGGERED_BLOCKS_H

#include <assert.h>

#include "base/arena.h"
#include "math/lane.h"

enum { WY_BLOCK_ENTRIES = 9 };

/* The group that holds point i, for `count` blocks a point; its lane is i % WY_LANES. */
WY_INLINE double *wy_group(double *blocks, int count, int i) {
  return blocks + (size_t)(i / WY_LANES) * (size_t)(count * WY_BLOCK_ENTRIES * WY_LANES);
}

WY_INLINE void wy_store_block(double *group, int lane, int which, wy_m3 m) {
  double *at = group + which * WY_BLOCK_ENTRIES * WY_LANES;
  wy_store3(at, WY_LANES, lane, m.a);
  wy_store3(at + 3 * WY_LANES, WY_LANES, lane, m.b);
  wy_store3(at + 6 * WY_LANES, WY_LANES, lane, m.c);
}

WY_INLINE wy_m3 wy_load_block(const double *group, int lane, int which) {
  const double *at = group + which * WY_BLOCK_ENTRIES * WY_LANES;
  return (wy_m3){wy_load3(at, WY_LANES, lane), wy_load3(at + 3 * WY_LANES, WY_LANES, lane),
                 wy_load3(at + 6 * WY_LANES, WY_LANES, lane)};
}

/* One block of one point, where speed does not matter. */
static inline wy_m3 wy_block_of(double *blocks, int count, int i, int which) {
  assert(i >= 0 && which >= 0 && which < count);
  return wy_load_block(wy_group(blocks, count, i), i % WY_LANES, which);
}

static inline void wy_add_block(double *blocks, int count, int i, int which, wy_m3 m) {
  wy_store_block(wy_group(blocks, count, i), i % WY_LANES, which, wy_mplus(wy_block_of(blocks, count, i, which), m));
}

#endif
