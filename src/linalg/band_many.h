/* SPDX-License-Identifier: MIT */
/* The kernels for eight right-hand sides at once; see band_kernels.h for the factors that they replay. A vector holds
   one row of as many columns as fit into it, and these columns are solved from the first row to the last before the
   next ones: what goes along then fits into the registers. */
#ifndef WY_LINALG_BAND_MANY_H
#define WY_LINALG_BAND_MANY_H

#include "linalg/band_vector.h"
#include "linalg/wide.h"

#define LOAD_ROW(b, i) LOAD_WIDE((b) + (ptrdiff_t)WY_LANES * (i))
#define STORE_ROW(b, i, value) STORE_WIDE((b) + (ptrdiff_t)WY_LANES * (i), value)
#define ZERO_ROW ((wide){0})

/* Up to this row all columns are zero, or n where all rows are: looks at a few rows at a time. */
WY_INLINE int first_row(const double *b, int n) {
  enum { ROWS = 8 };
  for (int i = 0; i < n; i += ROWS) {
    wide_bits found = {0};
    for (int k = i; k < n && k < i + ROWS; k++)
      found |= LOAD_ROW(b, k) != ZERO_ROW;
    int64_t any = 0;
    for (int c = 0; c < WIDE; c++)
      any |= found[c];
    if (any)
      return i;
  }
  return n;
}

/* Replays the elimination, from the column at which row `first` enters the window; all before are zero. The
   next pivot's row is read before the current one is subtracted from it, and corrected by itself: see the real one. */
WY_INLINE void many_forward(const wy_band *band, double *b, int first, int kl) {
  const int n = band->n, lanes = band_lanes(kl), start = first > kl ? first - kl : 0;
  wide window[LANES_MAX + 1];
  for (int r = 0; r <= lanes; r++)
    window[r] = r < kl && start + r < n ? LOAD_ROW(b, start + r) : ZERO_ROW;
  if (start + kl < n)
    window[lanes] = LOAD_ROW(b, start + kl);
  wide y = window[band->pivot[start]];
  for (int k = start; k < n; k++) {
    const int next = band->pivot[k + 1];
    const double *lower = band->lower + (size_t)k * (size_t)lanes;
    window[band->pivot[k]] = window[lanes];
    window[lanes] = k + 1 + kl < n ? LOAD_ROW(b, k + 1 + kl) : ZERO_ROW;
    const wide following = window[next] - (next < lanes ? lower[next] : 0.0) * y;
    for (int r = 0; r < lanes; r++)
      window[r] -= lower[r] * y;
    STORE_ROW(b, k, y);
    y = following;
  }
}

/* `sum` holds the right-hand sides of row k and of those above that column k reaches. */
WY_INLINE void many_backward(const wy_band *band, double *b, int kl, int ku) {
  const int n = band->n, width = kl + ku, stride = band_stride(kl, ku);
  wide sum[WIDTH_MAX + 1];
  for (int j = 0; j <= width; j++)
    sum[j] = j < n ? LOAD_ROW(b, n - 1 - j) : ZERO_ROW;
  for (int k = n - 1; k >= 0; k--) {
    const double *upper = band->upper + (size_t)(k + 1) * (size_t)stride;
    const wide x = sum[0] * band->reciprocal[k];
    STORE_ROW(b, k, x);
#pragma GCC unroll 40
    for (int j = 1; j <= width; j++)
      sum[j - 1] = sum[j] - upper[-j] * x;
    sum[width] = k > width ? LOAD_ROW(b, k - 1 - width) : ZERO_ROW;
  }
}

WY_INLINE void many_solve(const wy_band *shared, double *b, int kl, int ku) {
  const wy_band local = *shared, *band = &local; /* no store can change it */
  for (int c = 0; c < WY_LANES; c += WIDE) {
    const int first = first_row(b + c, band->n);
    if (first == band->n)
      continue;
    many_forward(band, b + c, first, kl);
    many_backward(band, b + c, kl, ku);
  }
}

WY_INLINE void complex_many_forward(const wy_band_complex *band, double *b_re, double *b_im, int first, int kl) {
  const int n = band->n, lanes = band_lanes(kl), start = first > kl ? first - kl : 0;
  wide re[LANES_MAX + 1], im[LANES_MAX + 1];
  for (int r = 0; r <= lanes; r++) {
    re[r] = r < kl && start + r < n ? LOAD_ROW(b_re, start + r) : ZERO_ROW;
    im[r] = r < kl && start + r < n ? LOAD_ROW(b_im, start + r) : ZERO_ROW;
  }
  if (start + kl < n) {
    re[lanes] = LOAD_ROW(b_re, start + kl);
    im[lanes] = LOAD_ROW(b_im, start + kl);
  }
  wide y_re = re[band->pivot[start]], y_im = im[band->pivot[start]];
  for (int k = start; k < n; k++) {
    const int pivot = band->pivot[k], next = band->pivot[k + 1];
    const double *lower_re = band->lower_re + (size_t)k * (size_t)lanes;
    const double *lower_im = band->lower_im + (size_t)k * (size_t)lanes;
    re[pivot] = re[lanes];
    im[pivot] = im[lanes];
    re[lanes] = k + 1 + kl < n ? LOAD_ROW(b_re, k + 1 + kl) : ZERO_ROW;
    im[lanes] = k + 1 + kl < n ? LOAD_ROW(b_im, k + 1 + kl) : ZERO_ROW;
    const double l_re = next < lanes ? lower_re[next] : 0.0, l_im = next < lanes ? lower_im[next] : 0.0;
    const wide following_re = re[next] - l_re * y_re + l_im * y_im;
    const wide following_im = im[next] - l_re * y_im - l_im * y_re;
    for (int r = 0; r < lanes; r++) {
      re[r] = re[r] - lower_re[r] * y_re + lower_im[r] * y_im;
      im[r] = im[r] - lower_re[r] * y_im - lower_im[r] * y_re;
    }
    STORE_ROW(b_re, k, y_re);
    STORE_ROW(b_im, k, y_im);
    y_re = following_re;
    y_im = following_im;
  }
}

WY_INLINE void complex_many_backward(const wy_band_complex *band, double *b_re, double *b_im, int kl, int ku) {
  const int n = band->n, width = kl + ku, stride = band_stride(kl, ku);
  wide re[WIDTH_MAX + 1], im[WIDTH_MAX + 1];
  for (int j = 0; j <= width; j++) {
    re[j] = j < n ? LOAD_ROW(b_re, n - 1 - j) : ZERO_ROW;
    im[j] = j < n ? LOAD_ROW(b_im, n - 1 - j) : ZERO_ROW;
  }
  for (int k = n - 1; k >= 0; k--) {
    const double *upper_re = band->upper_re + (size_t)(k + 1) * (size_t)stride;
    const double *upper_im = band->upper_im + (size_t)(k + 1) * (size_t)stride;
    const wide x_re = re[0] * band->reciprocal_re[k] - im[0] * band->reciprocal_im[k];
    const wide x_im = re[0] * band->reciprocal_im[k] + im[0] * band->reciprocal_re[k];
    STORE_ROW(b_re, k, x_re);
    STORE_ROW(b_im, k, x_im);
#pragma GCC unroll 40
    for (int j = 1; j <= width; j++) {
      re[j - 1] = re[j] - upper_re[-j] * x_re + upper_im[-j] * x_im;
      im[j - 1] = im[j] - upper_re[-j] * x_im - upper_im[-j] * x_re;
    }
    re[width] = k > width ? LOAD_ROW(b_re, k - 1 - width) : ZERO_ROW;
    im[width] = k > width ? LOAD_ROW(b_im, k - 1 - width) : ZERO_ROW;
  }
}

WY_INLINE void complex_many_solve(const wy_band_complex *shared, double *re, double *im, int kl, int ku) {
  const wy_band_complex local = *shared, *band = &local;
  for (int c = 0; c < WY_LANES; c += WIDE) {
    const int first_re = first_row(re + c, band->n), first_im = first_row(im + c, band->n);
    const int first = first_re < first_im ? first_re : first_im;
    if (first == band->n)
      continue;
    complex_many_forward(band, re + c, im + c, first, kl);
    complex_many_backward(band, re + c, im + c, kl, ku);
  }
}

/* Known half bandwidths make constant loops: those of the rods that joints connect. */
static void many_solve_any(const wy_band *band, double *b) {
  if (band->kl == 8 && band->ku == 8)
    many_solve(band, b, 8, 8);
  else if (band->kl == 11 && band->ku == 11)
    many_solve(band, b, 11, 11);
  else
    many_solve(band, b, band->kl, band->ku);
}

static void complex_many_solve_any(const wy_band_complex *band, double *re, double *im) {
  if (band->kl == 8 && band->ku == 8)
    complex_many_solve(band, re, im, 8, 8);
  else
    complex_many_solve(band, re, im, band->kl, band->ku);
}

#endif
