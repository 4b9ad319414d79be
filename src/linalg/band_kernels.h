/* SPDX-License-Identifier: MIT */
/* How the band kernels work, what they share with the storage in band.c, and the table through which they are called.

   Eliminating column k involves the kl rows left over from the columns before and row k + kl, which enters now. The old
   rows are the lanes of a window that is stored by columns: window column j holds column k + j of the matrix, one value
   for each old row. The pivot row leaves the window and the entering row takes its lane, so no row ever moves; when the
   entering row is the pivot itself, the lanes stay as they are. The pivot is recorded as its lane, or as the number of
   lanes for the entering row. A lane belongs to no fixed row, but the solution replays the same steps on the right-hand
   side and needs nothing else. After the last row of the matrix rows of zeros enter, which are never chosen.

   The multipliers are stored by columns, one for each lane. So is the upper factor, for the backward substitution:
   entry (i, k), k - w <= i < k with w = kl + ku, is at [(k + 1) * stride - (k - i)]. The zeros in front of each column
   let whole vectors be read.

   Rows come from the stored matrix, or from a feed that writes them into a buffer just before they are needed. */
#ifndef WY_LINALG_BAND_KERNELS_H
#define WY_LINALG_BAND_KERNELS_H

#include "base/target.h"
#include "linalg/band.h"

/* Lanes come in multiples of this. */
#define BAND_PAD 4

static inline int band_lanes(int kl) {
  return (kl + BAND_PAD - 1) / BAND_PAD * BAND_PAD;
}

/* So much may a pivot exceed the diagonal entry that it was, where no rows are exchanged: three digits (S48). */
#define BAND_GROWTH 1024.0

/* Distance of two columns of the upper factor. */
static inline int band_stride(int kl, int ku) {
  return band_lanes(kl + ku) + BAND_PAD;
}

/* `feed` is NULL where the whole matrix is stored. */
typedef struct wy_band_kernels {
  int (*factor)(const wy_band *band, wy_band_feed *feed, void *context);
  void (*solve)(const wy_band *band, double *b);
} wy_band_kernels;

typedef struct wy_band_complex_kernels {
  int (*factor)(const wy_band_complex *band, wy_band_complex_feed *feed, void *context);
  void (*solve)(const wy_band_complex *band, double *re, double *im);
} wy_band_complex_kernels;

/* Eight right-hand sides at once. */
typedef struct wy_band_many_kernels {
  void (*solve)(const wy_band *band, double *b);
  void (*complex_solve)(const wy_band_complex *band, double *re, double *im);
} wy_band_many_kernels;

/* Half bandwidth 8, no rows exchanged; a factorisation returns k + 1 where a pivot has grown. */
typedef struct wy_band_plain_kernels {
  int (*factor)(const wy_band *band, wy_band_feed *feed, void *context);
  void (*solve)(const wy_band *band, double *b);
  void (*solve_many)(const wy_band *band, double *b);
  int (*complex_factor)(const wy_band_complex *band, wy_band_complex_feed *feed, void *context);
  void (*complex_solve)(const wy_band_complex *band, double *re, double *im);
  void (*complex_solve_many)(const wy_band_complex *band, double *re, double *im);
} wy_band_plain_kernels;

/* The same kernels compiled for the processor that the compiler aims at, for AVX2 with FMA, and for AVX-512. Not by
   WY_CLONES: gcc splits vectors for the oldest processor before it makes the clones. */
extern const wy_band_kernels wy_band_base;
extern const wy_band_complex_kernels wy_band_complex_base;
extern const wy_band_many_kernels wy_band_many_base;
extern const wy_band_plain_kernels wy_band_plain_base;
#if WY_HAVE_CLONES
extern const wy_band_kernels wy_band_v3, wy_band_v4;
extern const wy_band_complex_kernels wy_band_complex_v3;
extern const wy_band_many_kernels wy_band_many_v3, wy_band_many_v4;
extern const wy_band_plain_kernels wy_band_plain_v3, wy_band_plain_v4;
#endif

#endif
