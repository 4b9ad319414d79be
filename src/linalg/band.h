/* SPDX-License-Identifier: MIT */
/* Band systems: LU factorisation with partial pivoting and solution, real and complex, in O(n) and without allocation.
   Every implicit integrator solves its linear systems here.

   Storage by rows: the entry in row i and column j, i - kl <= j <= i + ku, is at row(i)[j - i + kl]. A row has kl + ku
   + 1 entries and row i + 1 follows row i directly, so the distance between two rows is constant. Entries whose column
   does not exist (j < 0 or j >= n) are never used and may hold anything. Factorisation keeps the matrix: an entry stays
   until it is written. */
#ifndef WY_LINALG_BAND_H
#define WY_LINALG_BAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Both half bandwidths lie between 1 and this. */
#define WY_BAND_MAX 36

typedef struct wy_band {
  int n, kl, ku;
  double *rows;         /* the matrix, kl + 2 rows of zeros follow the last one; or the buffer of a fed matrix */
  double *lower;        /* multipliers, one column after the other */
  double *upper;        /* the upper factor, one column after the other, its diagonal left out */
  double *reciprocal;   /* one over each pivot */
  unsigned char *pivot; /* which row of the window was the pivot, see band_kernels.h */
  bool plain, scaled;   /* the factors are those of wy_band_factor_plain, of wy_band_factor_scaled */
  double *scale;        /* of the rows; NULL where the whole matrix is stored */
} wy_band;

/* The same with real and imaginary parts in separate arrays. */
typedef struct wy_band_complex {
  int n, kl, ku;
  double *rows_re, *rows_im;
  double *lower_re, *lower_im;
  double *upper_re, *upper_im;
  double *reciprocal_re, *reciprocal_im;
  unsigned char *pivot;
  bool plain, scaled;
  double *scale;
} wy_band_complex;

/* Takes the memory of a matrix of order n from the arena; all entries are zero. */
void wy_band_layout(wy_band *band, wy_arena *arena, int n, int kl, int ku);
void wy_band_complex_layout(wy_band_complex *band, wy_arena *arena, int n, int kl, int ku);

/* The same for a matrix that is never stored: its rows are handed over while it is being factored, so that a long one
   does not leave the cache. */
void wy_band_layout_fed(wy_band *band, wy_arena *arena, int n, int kl, int ku);
void wy_band_complex_layout_fed(wy_band_complex *band, wy_arena *arena, int n, int kl, int ku);

/* Most rows that a feed may write in one call. */
#define WY_BAND_FEED 104

/* Writes the next rows, in order and in the layout above, and returns their number. Called until all n rows have come;
   the first call gives at least kl + 2 rows, or all. */
typedef int wy_band_feed(void *context, double *rows);
typedef int wy_band_complex_feed(void *context, double *rows_re, double *rows_im);

static inline double *wy_band_row(wy_band *band, int i) {
  return band->rows + (size_t)i * (size_t)(band->kl + band->ku + 1);
}

static inline double *wy_band_complex_row_re(wy_band_complex *band, int i) {
  return band->rows_re + (size_t)i * (size_t)(band->kl + band->ku + 1);
}

static inline double *wy_band_complex_row_im(wy_band_complex *band, int i) {
  return band->rows_im + (size_t)i * (size_t)(band->kl + band->ku + 1);
}

/* 0, or k + 1 if column k has no usable pivot: all candidates are zero, or one is not finite (or outside 2^-1022 ...
   2^1022). That is recoverable: the matrix is intact, the factors are not. */
int wy_band_factor(wy_band *band);
int wy_band_complex_factor(wy_band_complex *band);
int wy_band_factor_fed(wy_band *band, wy_band_feed *feed, void *context);
int wy_band_complex_factor_fed(wy_band_complex *band, wy_band_complex_feed *feed, void *context);

/* The same for half bandwidths of 8 without exchanging rows, several times faster: right for matrices whose diagonal
   only becomes smaller by elimination, like those of a stable system ((S46)-(S48) of docs/theory/staggered.md). k + 1
   if the pivot of a column up to k + 7 has grown, is zero or not finite: wy_band_factor_fed may do it then. */
enum { WY_BAND_PLAIN = 8 };
int wy_band_factor_plain(wy_band *band, wy_band_feed *feed, void *context);
int wy_band_complex_factor_plain(wy_band_complex *band, wy_band_complex_feed *feed, void *context);

/* Units of the unknowns: unknown i is a number of unit[i % period]; at most 16. */
typedef struct wy_band_units {
  int period;
  const double *unit;
} wy_band_units;

/* With exchanges, for rows and unknowns of unlike units: each row is multiplied by a power of two that makes its
   largest entry, with the unknowns in the given units, 1 to 2; and so are right-hand sides (S49). */
int wy_band_factor_scaled(wy_band *band, wy_band_feed *feed, void *context, wy_band_units units);
int wy_band_complex_factor_scaled(wy_band_complex *band, wy_band_complex_feed *feed, void *context,
                                  wy_band_units units);

/* Solves in place after a successful factorisation. */
void wy_band_solve(const wy_band *band, double *b);
void wy_band_complex_solve(const wy_band_complex *band, double *re, double *im);

/* The same for WY_LANES right-hand sides at once: row i of column c is b[WY_LANES * i + c]. Leading rows that are zero
   in all columns cost next to nothing in the elimination. */
void wy_band_solve_many(const wy_band *band, double *b);
void wy_band_complex_solve_many(const wy_band_complex *band, double *re, double *im);

/* The sign of the determinant, 1 or -1, after a successful factorisation with exchanges. */
int wy_band_sign(const wy_band *band);

#endif
