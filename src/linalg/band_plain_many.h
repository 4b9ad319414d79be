/* SPDX-License-Identifier: MIT */
/* The kernels for eight right-hand sides at once, where no rows were exchanged: see band_many.h and band_plain.h. */
#ifndef WY_LINALG_BAND_PLAIN_MANY_H
#define WY_LINALG_BAND_PLAIN_MANY_H

#include "linalg/band_many.h"
#include "linalg/band_plain_complex.h"
#include "linalg/band_plain_real.h"

/* Row `row`, or zeros where there is none. */
WY_INLINE wide many_row(const double *b, int row, int n) {
  return row >= 0 && row < n ? LOAD_WIDE(b + (ptrdiff_t)WY_LANES * row) : (wide){0};
}

/* From row `first` on; all before are zero. */
WY_INLINE void plain_many_forward(const wy_band *band, double *b, int first) {
  const int n = band->n, start = first / EIGHT * EIGHT;
  wide z[EIGHT];
  for (int r = 0; r < EIGHT; r++)
    z[r] = many_row(b, start + r, n);
  for (int k = start; k < n; k += EIGHT)
#pragma GCC unroll 8
    for (int s = 0; s < EIGHT; s++) {
      const double *lower = band->lower + (size_t)(k + s) * EIGHT;
      const wide y = z[s];
      z[s] = many_row(b, k + s + EIGHT, n);
      for (int r = 0; r < EIGHT; r++)
        z[r] -= lower[r] * y;
      if (k + s < n)
        STORE_WIDE(b + (ptrdiff_t)WY_LANES * (k + s), y * band->reciprocal[k + s]);
    }
}

WY_INLINE void plain_many_backward(const wy_band *band, double *b) {
  const int n = band->n, last = (n - 1) / EIGHT * EIGHT;
  wide z[EIGHT];
  for (int r = 0; r < EIGHT; r++)
    z[r] = many_row(b, last + r, n);
  for (int k = last; k >= 0; k -= EIGHT)
#pragma GCC unroll 8
    for (int s = EIGHT - 1; s >= 0; s--) {
      const double *upper = band->upper + (size_t)(k + s) * EIGHT;
      const wide x = z[s];
      z[s] = many_row(b, k + s - EIGHT, n);
      for (int r = 0; r < EIGHT; r++)
        z[r] -= upper[r] * x;
      if (k + s < n)
        STORE_WIDE(b + (ptrdiff_t)WY_LANES * (k + s), x);
    }
}

static void plain_solve_many_any(const wy_band *shared, double *b) {
  const wy_band local = *shared;
  for (int c = 0; c < WY_LANES; c += WIDE) {
    const int first = first_row(b + c, local.n);
    if (first == local.n)
      continue;
    plain_many_forward(&local, b + c, first);
    plain_many_backward(&local, b + c);
  }
}

WY_INLINE wide_complex complex_many_row(const double *re, const double *im, int row, int n) {
  const ptrdiff_t at = (ptrdiff_t)WY_LANES * row;
  const wide zero = {0};
  return row >= 0 && row < n ? (wide_complex){LOAD_WIDE(re + at), LOAD_WIDE(im + at)} : (wide_complex){zero, zero};
}

/* z -= a y for the eight numbers a. */
WY_INLINE void complex_many_reduce(wide_complex z[EIGHT], const double *re, const double *im, wide_complex y) {
  for (int r = 0; r < EIGHT; r++) {
    z[r].re = z[r].re - re[r] * y.re + im[r] * y.im;
    z[r].im = z[r].im - re[r] * y.im - im[r] * y.re;
  }
}

WY_INLINE void complex_plain_many_forward(const wy_band_complex *band, double *re, double *im, int first) {
  const int n = band->n, start = first / EIGHT * EIGHT;
  wide_complex z[EIGHT];
  for (int r = 0; r < EIGHT; r++)
    z[r] = complex_many_row(re, im, start + r, n);
  for (int k = start; k < n; k += EIGHT)
#pragma GCC unroll 8
    for (int s = 0; s < EIGHT; s++) {
      const size_t at = (size_t)(k + s) * EIGHT;
      const double r_re = band->reciprocal_re[k + s], r_im = band->reciprocal_im[k + s];
      const wide_complex y = z[s];
      z[s] = complex_many_row(re, im, k + s + EIGHT, n);
      complex_many_reduce(z, band->lower_re + at, band->lower_im + at, y);
      if (k + s < n) {
        STORE_WIDE(re + at, y.re * r_re - y.im * r_im);
        STORE_WIDE(im + at, y.re * r_im + y.im * r_re);
      }
    }
}

WY_INLINE void complex_plain_many_backward(const wy_band_complex *band, double *re, double *im) {
  const int n = band->n, last = (n - 1) / EIGHT * EIGHT;
  wide_complex z[EIGHT];
  for (int r = 0; r < EIGHT; r++)
    z[r] = complex_many_row(re, im, last + r, n);
  for (int k = last; k >= 0; k -= EIGHT)
#pragma GCC unroll 8
    for (int s = EIGHT - 1; s >= 0; s--) {
      const size_t at = (size_t)(k + s) * EIGHT;
      const wide_complex x = z[s];
      z[s] = complex_many_row(re, im, k + s - EIGHT, n);
      complex_many_reduce(z, band->upper_re + at, band->upper_im + at, x);
      if (k + s < n) {
        STORE_WIDE(re + at, x.re);
        STORE_WIDE(im + at, x.im);
      }
    }
}

static void complex_plain_solve_many_any(const wy_band_complex *shared, double *re, double *im) {
  const wy_band_complex local = *shared;
  for (int c = 0; c < WY_LANES; c += WIDE) {
    const int first_re = first_row(re + c, local.n), first_im = first_row(im + c, local.n);
    const int first = first_re < first_im ? first_re : first_im;
    if (first == local.n)
      continue;
    complex_plain_many_forward(&local, re + c, im + c, first);
    complex_plain_many_backward(&local, re + c, im + c);
  }
}

/* What a table of these kernels holds. */
#define PLAIN_KERNELS                                                                                                  \
  {                                                                                                                    \
    plain_factor_any, plain_solve_any, plain_solve_many_any, complex_plain_factor_any, complex_plain_solve_any,        \
        complex_plain_solve_many_any                                                                                   \
  }

#endif
