/* SPDX-License-Identifier: MIT */
/* Band systems of half bandwidth 8 without exchanging rows; (S46)-(S49) of docs/theory/staggered.md say when this is
   stable. What real and complex ones share.

   Eliminating column k changes rows k + 1 ... k + 8 in columns k + 1 ... k + 8. The window holds them by columns: row i
   is lane i % 8 of every window column, so that row k + 8 takes the lane that pivot row k leaves, and no row moves.
   Eight steps are written out, since lanes must be known to the compiler.

   Multipliers are stored as they stand in the window, so is column k of the upper factor, its rows divided by their
   pivots: row i, k - 8 <= i < k, at upper[8 k + i % 8]. Solves keep right-hand sides in the same lanes. */
#ifndef WY_LINALG_BAND_PLAIN_H
#define WY_LINALG_BAND_PLAIN_H

#include <stddef.h>
#include <string.h>

#include "linalg/band_kernels.h"
#include "linalg/wide.h"

enum { EIGHT = 8, PARTS = EIGHT / WIDE, PLAIN_ROW = 2 * EIGHT + 1 };

/* Rows at hand: eight that the window still needs, fewer than eight that follow, one feed, rows of the unit matrix. */
enum { PLAIN_BUFFER = (4 * EIGHT + WY_BAND_FEED) * PLAIN_ROW };

/* Eight doubles in as many vectors as they need. */
typedef struct eight {
  wide part[PARTS];
} eight;

WY_INLINE eight load_eight(const double *at) {
  eight a;
  for (int p = 0; p < PARTS; p++)
    a.part[p] = LOAD_WIDE(at + p * WIDE);
  return a;
}

WY_INLINE void store_eight(double *at, const eight *a) {
  for (int p = 0; p < PARTS; p++)
    STORE_WIDE(at + p * WIDE, a->part[p]);
}

/* The value of a lane. */
WY_INLINE double lane_of(const eight *a, int lane) {
  return a->part[lane / WIDE][lane % WIDE];
}

#if WIDE == 8
#define EACH_LANE(f, p) f(p), f((p) + 1), f((p) + 2), f((p) + 3), f((p) + 4), f((p) + 5), f((p) + 6), f((p) + 7)
#elif WIDE == 4
#define EACH_LANE(f, p) f(p), f((p) + 1), f((p) + 2), f((p) + 3)
#else
#define EACH_LANE(f, p) f(p), f((p) + 1)
#endif

/* The value of a lane in all lanes. */
WY_INLINE wide spread(const eight *a, int lane) {
#if defined(__clang__)
  return SPLAT_WIDE(lane_of(a, lane));
#else
  return __builtin_shuffle(a->part[lane / WIDE], (wide_bits){0} + lane % WIDE);
#endif
}

WY_INLINE void enter(eight *a, int lane, double value) {
#if defined(__clang__)
  a->part[lane / WIDE][lane % WIDE] = value;
#else
#define FROM(l) ((l) == lane % WIDE ? WIDE + (l) : (l))
  a->part[lane / WIDE] = __builtin_shuffle(a->part[lane / WIDE], SPLAT_WIDE(value), (wide_bits){EACH_LANE(FROM, 0)});
#undef FROM
#endif
}

/* a - b c */
WY_INLINE eight reduced(const eight *a, const eight *b, wide c) {
  eight out;
  for (int p = 0; p < PARTS; p++)
    out.part[p] = a->part[p] - b->part[p] * c;
  return out;
}

/* Rows after the last one are those of the unit matrix, so that rounds of eight steps are whole. */
WY_INLINE void unit_rows(double *rows, double *rows_im) {
  memset(rows, 0, sizeof(double) * 2 * EIGHT * PLAIN_ROW);
  if (rows_im)
    memset(rows_im, 0, sizeof(double) * 2 * EIGHT * PLAIN_ROW);
  for (int i = 0; i < 2 * EIGHT; i++)
    rows[i * PLAIN_ROW + EIGHT] = 1;
}

#endif
