/* SPDX-License-Identifier: MIT */
/* The kernels for real band systems; see band_kernels.h for what they do. */
#ifndef WY_LINALG_BAND_REAL_H
#define WY_LINALG_BAND_REAL_H

#include "linalg/band_vector.h"

/* The best pivot among the window's first column and the entry `entering` below it. */
WY_INLINE int64_t find_pivot(const double *window, double entering, int lanes) {
  int64_t best = pivot_key(entering, lanes);
  for (int r = 0; r < lanes; r++)
    best = larger_key(best, pivot_key(window[r], r));
  return best;
}

/* Fills the window with rows 0 ... kl - 1. */
WY_INLINE void open_window(double *window, const wy_band *band, int kl, int ku, int lanes) {
  const int width = kl + ku;
  memset(window, 0, sizeof(double) * (size_t)(width * lanes));
  for (int i = 0; i < kl; i++) {
    const double *row = band->rows + (size_t)i * (size_t)(width + 1);
    for (int j = 0; j <= i + ku; j++)
      window[j * lanes + i] = row[j - i + kl];
  }
}

/* Eliminates column k with the pivot in lane `pivot` (`from_window`) or in the entering row, and returns the next
   pivot. The next pivot column is finished first, so that its search overlaps with the rest of the elimination. Of the
   window's columns the matrix has the first `columns`. */
WY_INLINE int64_t eliminate(double *window, const wy_band *band, const double *entering, int k, int pivot,
                            int from_window, int kl, int ku, int columns) {
  const int width = kl + ku, lanes = band_lanes(kl), stride = band_stride(kl, ku);
  const double *pivot_row = from_window ? window + pivot : entering;
  const int step = from_window ? lanes : 1;
  const double reciprocal = 1.0 / pivot_row[0];
  double *upper = band->upper + (size_t)(k + 1) * (size_t)stride; /* entry (k, k + j) is at upper[j * (stride - 1)] */
  double *lower = band->lower + (size_t)k * (size_t)lanes;

  band->reciprocal[k] = reciprocal;
  band->pivot[k] = (unsigned char)pivot;
  bits mask[VECTORS_MAX];
  vector multiplier[VECTORS_MAX];
  int64_t next = 0;
  for (int v = 0; v * VECTOR < lanes; v++) {
    mask[v] = LANE_MASK(v * VECTOR, pivot);
    const vector old = LOAD(window + v * VECTOR);
    multiplier[v] = (from_window ? ENTER_LANE(mask[v], entering[0], old) : old) * reciprocal;
    STORE(lower + v * VECTOR, multiplier[v]);
  }
#pragma GCC unroll 20
  for (int j = 1; j < columns; j++) {
    const double u = pivot_row[j * step];
    double *column = window + j * lanes;
    upper[j * (stride - 1)] = u;
    for (int v = 0; v * VECTOR < lanes; v++) {
      const vector old = LOAD(column + v * VECTOR);
      STORE(column - lanes + v * VECTOR,
            (from_window ? ENTER_LANE(mask[v], entering[j], old) : old) - multiplier[v] * u);
    }
    if (j == 1)
      next = find_pivot(window, entering[width + 1], lanes);
  }
  if (columns < width)
    return next;
  /* The old rows end one column earlier than the entering row. */
  upper[width * (stride - 1)] = from_window ? 0.0 : entering[width];
  for (int v = 0; v * VECTOR < lanes; v++)
    STORE(window + (width - 1) * lanes + v * VECTOR,
          from_window ? ENTER_LANE(mask[v], entering[width], BROADCAST(0.0)) : -multiplier[v] * entering[width]);
  return next;
}

/* Rows of the matrix after the first `have`, and the rows of zeros after the last; returns how many came. */
WY_INLINE int fetch(const wy_band *band, wy_band_feed *feed, void *context, int have, double *rows, int kl, int ku) {
  int got = have < band->n ? feed(context, rows) : 0;
  if (have + got == band->n) {
    memset(rows + (size_t)got * (size_t)(kl + ku + 1), 0, sizeof(double) * (size_t)((kl + 2) * (kl + ku + 1)));
    got += kl + 2;
  }
  return got;
}

/* `clips`: columns beyond the last one are left out, for windows that are not much smaller than the matrix; else loops
   have a known length. */
WY_INLINE int factor(const wy_band *shared, wy_band_feed *feed, void *context, int kl, int ku, bool clips) {
  const int lanes = band_lanes(kl), width = kl + ku, row = width + 1;
  const wy_band local = *shared, *band = &local; /* no store can change it, so its pointers stay in registers */
  _Alignas(WY_ALIGNMENT) double window[WIDTH_MAX * LANES_MAX];
  int have = feed ? fetch(band, feed, context, 0, band->rows, kl, ku) : band->n + kl + 2;
  open_window(window, band, kl, ku, lanes);
  const double *entering = band->rows + kl * row;
  int64_t best = find_pivot(window, entering[0], lanes);
  for (int k = 0; k < band->n; k++, entering += row) {
    if (!pivot_usable(best))
      return k + 1;
    if (k + kl + 1 == have) { /* the row after the entering one is not there yet */
      memmove(band->rows, entering, sizeof(double) * (size_t)row);
      entering = band->rows;
      have += fetch(band, feed, context, have, band->rows + row, kl, ku);
    }
    const int pivot = pivot_lane(best), columns = clips && band->n - k < width ? band->n - k : width;
    KEEP_IN_MEMORY(window);
    if (pivot < lanes)
      best = eliminate(window, band, entering, k, pivot, 1, kl, ku, columns);
    else
      best = eliminate(window, band, entering, k, lanes, 0, kl, ku, columns);
  }
  return 0;
}

/* Replays the elimination on b: afterwards b holds the right-hand side of the upper triangular system. A value that is
   read back from a vector just stored comes late, so the next one is read before the current one is subtracted, and
   corrected by itself. */
WY_INLINE void forward(const wy_band *band, double *b, int kl) {
  const int n = band->n, lanes = band_lanes(kl);
  _Alignas(WY_ALIGNMENT) double lane[LANES_MAX + 1] = {0};
  vector window[VECTORS_MAX];
  for (int i = 0; i < kl && i < n; i++)
    lane[i] = b[i];
  lane[lanes] = kl < n ? b[kl] : 0.0;
  for (int v = 0; v * VECTOR < lanes; v++)
    window[v] = LOAD(lane + v * VECTOR);
  double y = lane[band->pivot[0]];
  for (int k = 0; k < n; k++) {
    const int pivot = band->pivot[k], next = band->pivot[k + 1];
    const double *lower = band->lower + (size_t)k * (size_t)lanes;
    const double entering = lane[lanes];
    for (int v = 0; v * VECTOR < lanes; v++) {
      const vector entered = ENTER_LANE(LANE_MASK(v * VECTOR, pivot), entering, window[v]);
      STORE(lane + v * VECTOR, entered);
      window[v] = entered - LOAD(lower + v * VECTOR) * y;
    }
    lane[lanes] = k + 1 + kl < n ? b[k + 1 + kl] : 0.0;
    b[k] = y;
    y = next < lanes ? lane[next] - lower[next] * y : lane[lanes];
  }
}

/* The last unknowns one at a time, until the number of those left is a multiple of the vector size. */
WY_INLINE int backward_last(const wy_band *band, double *b, int width, int stride) {
  int k = band->n - 1;
  for (; (k + 1) % VECTOR != 0; k--) {
    const double *upper = band->upper + (size_t)(k + 1) * (size_t)stride;
    b[k] *= band->reciprocal[k];
    for (int j = 1; j <= width && j <= k; j++)
      b[k - j] -= upper[-j] * b[k];
  }
  return k + 1;
}

/* Backward substitution in blocks of one vector: the unknowns of a block follow from each other as scalars, and are
   then removed from all equations above that they reach. `sum` holds the right-hand sides of the block and of those
   equations. */
WY_INLINE void backward(const wy_band *band, double *b, int kl, int ku) {
  const int width = kl + ku, stride = band_stride(kl, ku), blocks = (width + VECTOR - 1) / VECTOR;
  int row = backward_last(band, b, width, stride) - VECTOR; /* first row of the block */
  vector sum[BLOCKS_MAX + 1];
  for (int a = 0; a <= blocks; a++)
    sum[a] = row >= a * VECTOR ? LOAD(b + row - a * VECTOR) : BROADCAST(0.0);
  for (; row >= 0; row -= VECTOR) {
    const double *upper = band->upper + (size_t)(row + 1) * (size_t)stride; /* end of the block's first column */
    double x[VECTOR];
    for (int i = 0; i < VECTOR; i++)
      x[i] = sum[0][i] * band->reciprocal[row + i];
    for (int i = VECTOR - 1; i > 0; i--)
      for (int above = 0; above < i; above++)
        x[above] -= upper[i * stride - (i - above)] * band->reciprocal[row + above] * x[i];
    for (int i = 0; i < VECTOR; i++)
      b[row + i] = x[i];
    for (int a = 1; a <= blocks; a++) {
      vector reduced = sum[a];
      for (int i = VECTOR - 1; i >= 0; i--)
        reduced -= LOAD(upper + i * stride - (i + a * VECTOR)) * x[i];
      sum[a - 1] = reduced;
    }
    const int entering = row - (blocks + 1) * VECTOR;
    sum[blocks] = entering >= 0 ? LOAD(b + entering) : BROADCAST(0.0);
  }
}

/* Known half bandwidths make constant loops: those of the schemes. */
static int factor_any(const wy_band *band, wy_band_feed *feed, void *context) {
  switch (band->kl == band->ku ? band->kl : 0) {
  case 8:
    return factor(band, feed, context, 8, 8, false);
  case 10:
    return factor(band, feed, context, 10, 10, false);
  case 11:
    return factor(band, feed, context, 11, 11, false);
  case 14:
    return factor(band, feed, context, 14, 14, false);
  case 17:
    return factor(band, feed, context, 17, 17, false);
  case 35:
    return factor(band, feed, context, 35, 35, true);
  default:
    return factor(band, feed, context, band->kl, band->ku, true);
  }
}

WY_INLINE void solve(const wy_band *band, double *b, int kl, int ku) {
  forward(band, b, kl);
  backward(band, b, kl, ku);
}

static void solve_any(const wy_band *band, double *b) {
  switch (band->kl == band->ku ? band->kl : 0) {
  case 8:
    solve(band, b, 8, 8);
    break;
  case 10:
    solve(band, b, 10, 10);
    break;
  case 11:
    solve(band, b, 11, 11);
    break;
  case 14:
    solve(band, b, 14, 14);
    break;
  case 17:
    solve(band, b, 17, 17);
    break;
  default:
    solve(band, b, band->kl, band->ku);
  }
}

#endif
