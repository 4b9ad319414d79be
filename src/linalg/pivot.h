/* SPDX-License-Identifier: MIT */
/* The choice of a pivot without branches. */
#ifndef WY_LINALG_PIVOT_H
#define WY_LINALG_PIVOT_H

#include <stdint.h>
#include <string.h>

#include "base/target.h"

enum { LANE_BITS = 63 };

/* A row as a candidate for the pivot, so that the largest key wins: the bit pattern of its size, which is ordered like
   the size itself, with the lane in the last six bits. The choice is thereby exact to 64 units in the last place, which
   is enough for stability; and not-a-number is larger than every number, so that it is found at once. */
WY_INLINE int64_t pivot_key(double size, int lane) {
  int64_t pattern;
  memcpy(&pattern, &size, sizeof pattern);
  return (pattern & (INT64_MAX - LANE_BITS)) | lane;
}

WY_INLINE int64_t larger_key(int64_t a, int64_t b) {
  return a > b ? a : b;
}

WY_INLINE int pivot_lane(int64_t key) {
  return (int)(key & LANE_BITS);
}

/* Between 2^-1022 and 2^1022, so that the reciprocal is a normal number. */
WY_INLINE int pivot_usable(int64_t key) {
  return (uint64_t)key - UINT64_C(0x0010000000000000) <= UINT64_C(0x7fc0000000000000);
}

#endif
