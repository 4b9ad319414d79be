/* SPDX-License-Identifier: MIT */
/* The kernels for complex band systems: band_real.h again, with real and imaginary parts in separate arrays. */
#ifndef WY_LINALG_BAND_COMPLEX_H
#define WY_LINALG_BAND_COMPLEX_H

#include <math.h>

#include "linalg/band_vector.h"

/* The window: real parts, then imaginary parts. */
typedef struct complex_window {
  _Alignas(WY_ALIGNMENT) double re[WIDTH_MAX * LANES_MAX];
  _Alignas(WY_ALIGNMENT) double im[WIDTH_MAX * LANES_MAX];
} complex_window;

/* The best pivot among the window's first column and the entry below it, by |re| + |im|. */
WY_INLINE int64_t complex_find_pivot(const complex_window *window, double re, double im, int lanes) {
  int64_t best = pivot_key(fabs(re) + fabs(im), lanes);
  for (int r = 0; r < lanes; r++)
    best = larger_key(best, pivot_key(fabs(window->re[r]) + fabs(window->im[r]), r));
  return best;
}

/* One over re + i im without overflow on the way; the key gives the power of two to scale with. */
WY_INLINE void complex_reciprocal(int64_t key, double re, double im, double *out_re, double *out_im) {
  const int64_t exponent = INT64_C(0x7ff0000000000000);
  const int64_t pattern = INT64_C(0x7fe0000000000000) - (key & exponent);
  double scale;
  memcpy(&scale, &pattern, sizeof scale);
  re *= scale;
  im *= scale;
  scale /= re * re + im * im;
  *out_re = re * scale;
  *out_im = -im * scale;
}

/* Fills the window with rows 0 ... kl - 1. */
WY_INLINE void complex_open_window(complex_window *window, const wy_band_complex *band, int kl, int ku, int lanes) {
  const int width = kl + ku;
  memset(window->re, 0, sizeof(double) * (size_t)(width * lanes));
  memset(window->im, 0, sizeof(double) * (size_t)(width * lanes));
  for (int i = 0; i < kl; i++) {
    const size_t row = (size_t)i * (size_t)(width + 1);
    for (int j = 0; j <= i + ku; j++) {
      window->re[j * lanes + i] = band->rows_re[row + (size_t)(j - i + kl)];
      window->im[j * lanes + i] = band->rows_im[row + (size_t)(j - i + kl)];
    }
  }
}

/* Eliminates column k with the pivot of `key`, which is in the window (`from_window`) or in the entering row. Returns
   the key of the next pivot. */
WY_INLINE int64_t complex_eliminate(complex_window *window, const wy_band_complex *band, const double *entering_re,
                                    const double *entering_im, int k, int64_t key, int from_window, int kl, int ku) {
  const int width = kl + ku, lanes = band_lanes(kl), stride = band_stride(kl, ku);
  const int pivot = from_window ? pivot_lane(key) : lanes;
  const double *pivot_re = from_window ? window->re + pivot : entering_re;
  const double *pivot_im = from_window ? window->im + pivot : entering_im;
  const int step = from_window ? lanes : 1;
  double *upper_re = band->upper_re + (size_t)(k + 1) * (size_t)stride;
  double *upper_im = band->upper_im + (size_t)(k + 1) * (size_t)stride;
  double *lower_re = band->lower_re + (size_t)k * (size_t)lanes;
  double *lower_im = band->lower_im + (size_t)k * (size_t)lanes;

  double reciprocal_re, reciprocal_im;
  complex_reciprocal(key, pivot_re[0], pivot_im[0], &reciprocal_re, &reciprocal_im);
  band->reciprocal_re[k] = reciprocal_re;
  band->reciprocal_im[k] = reciprocal_im;
  band->pivot[k] = (unsigned char)pivot;
  bits mask[VECTORS_MAX];
  vector multiplier_re[VECTORS_MAX], multiplier_im[VECTORS_MAX];
  int64_t next = 0;
  for (int v = 0; v * VECTOR < lanes; v++) {
    mask[v] = LANE_MASK(v * VECTOR, pivot);
    vector re = LOAD(window->re + v * VECTOR), im = LOAD(window->im + v * VECTOR);
    if (from_window) {
      re = ENTER_LANE(mask[v], entering_re[0], re);
      im = ENTER_LANE(mask[v], entering_im[0], im);
    }
    multiplier_re[v] = re * reciprocal_re - im * reciprocal_im;
    multiplier_im[v] = re * reciprocal_im + im * reciprocal_re;
    STORE(lower_re + v * VECTOR, multiplier_re[v]);
    STORE(lower_im + v * VECTOR, multiplier_im[v]);
  }
#pragma GCC unroll 20
  for (int j = 1; j < width; j++) {
    const double u_re = pivot_re[j * step], u_im = pivot_im[j * step];
    upper_re[j * (stride - 1)] = u_re;
    upper_im[j * (stride - 1)] = u_im;
    for (int v = 0; v * VECTOR < lanes; v++) {
      const int at = j * lanes + v * VECTOR;
      vector re = LOAD(window->re + at), im = LOAD(window->im + at);
      if (from_window) {
        re = ENTER_LANE(mask[v], entering_re[j], re);
        im = ENTER_LANE(mask[v], entering_im[j], im);
      }
      STORE(window->re + at - lanes, re - multiplier_re[v] * u_re + multiplier_im[v] * u_im);
      STORE(window->im + at - lanes, im - multiplier_re[v] * u_im - multiplier_im[v] * u_re);
    }
    if (j == 1)
      next = complex_find_pivot(window, entering_re[width + 1], entering_im[width + 1], lanes);
  }
  /* The old rows end one column earlier than the entering row. */
  const double u_re = from_window ? 0.0 : entering_re[width], u_im = from_window ? 0.0 : entering_im[width];
  upper_re[width * (stride - 1)] = u_re;
  upper_im[width * (stride - 1)] = u_im;
  for (int v = 0; v * VECTOR < lanes; v++) {
    const int at = (width - 1) * lanes + v * VECTOR;
    if (from_window) {
      STORE(window->re + at, ENTER_LANE(mask[v], entering_re[width], BROADCAST(0.0)));
      STORE(window->im + at, ENTER_LANE(mask[v], entering_im[width], BROADCAST(0.0)));
    } else {
      STORE(window->re + at, multiplier_im[v] * u_im - multiplier_re[v] * u_re);
      STORE(window->im + at, -multiplier_re[v] * u_im - multiplier_im[v] * u_re);
    }
  }
  return next;
}

/* Rows of the matrix after the first `have`, and the rows of zeros after the last; returns how many came. */
WY_INLINE int complex_fetch(const wy_band_complex *band, wy_band_complex_feed *feed, void *context, int have,
                            double *re, double *im, int kl, int ku) {
  int got = have < band->n ? feed(context, re, im) : 0;
  if (have + got == band->n) {
    const size_t bytes = sizeof(double) * (size_t)((kl + 2) * (kl + ku + 1));
    memset(re + (size_t)got * (size_t)(kl + ku + 1), 0, bytes);
    memset(im + (size_t)got * (size_t)(kl + ku + 1), 0, bytes);
    got += kl + 2;
  }
  return got;
}

WY_INLINE int complex_factor(const wy_band_complex *shared, wy_band_complex_feed *feed, void *context, int kl, int ku) {
  const int lanes = band_lanes(kl), row = kl + ku + 1;
  const wy_band_complex local = *shared, *band = &local; /* no store can change it: its pointers stay in registers */
  complex_window window;
  int have = feed ? complex_fetch(band, feed, context, 0, band->rows_re, band->rows_im, kl, ku) : band->n + kl + 2;
  complex_open_window(&window, band, kl, ku, lanes);
  const double *re = band->rows_re + kl * row, *im = band->rows_im + kl * row; /* the entering row */
  int64_t best = complex_find_pivot(&window, re[0], im[0], lanes);
  for (int k = 0; k < band->n; k++, re += row, im += row) {
    if (!pivot_usable(best))
      return k + 1;
    if (k + kl + 1 == have) { /* the row after the entering one is not there yet */
      memmove(band->rows_re, re, sizeof(double) * (size_t)row);
      memmove(band->rows_im, im, sizeof(double) * (size_t)row);
      re = band->rows_re;
      im = band->rows_im;
      have += complex_fetch(band, feed, context, have, band->rows_re + row, band->rows_im + row, kl, ku);
    }
    KEEP_IN_MEMORY(&window);
    if (pivot_lane(best) < lanes)
      best = complex_eliminate(&window, band, re, im, k, best, 1, kl, ku);
    else
      best = complex_eliminate(&window, band, re, im, k, best, 0, kl, ku);
  }
  return 0;
}

/* Replays the elimination; see the real one for the order of the steps. */
WY_INLINE void complex_forward(const wy_band_complex *band, double *b_re, double *b_im, int kl) {
  const int n = band->n, lanes = band_lanes(kl);
  _Alignas(WY_ALIGNMENT) double lane_re[LANES_MAX + 1] = {0};
  _Alignas(WY_ALIGNMENT) double lane_im[LANES_MAX + 1] = {0};
  vector window_re[VECTORS_MAX], window_im[VECTORS_MAX];
  for (int i = 0; i < kl && i < n; i++) {
    lane_re[i] = b_re[i];
    lane_im[i] = b_im[i];
  }
  lane_re[lanes] = kl < n ? b_re[kl] : 0.0;
  lane_im[lanes] = kl < n ? b_im[kl] : 0.0;
  for (int v = 0; v * VECTOR < lanes; v++) {
    window_re[v] = LOAD(lane_re + v * VECTOR);
    window_im[v] = LOAD(lane_im + v * VECTOR);
  }
  double y_re = lane_re[band->pivot[0]], y_im = lane_im[band->pivot[0]];
  for (int k = 0; k < n; k++) {
    const int pivot = band->pivot[k], next = band->pivot[k + 1];
    const double *lower_re = band->lower_re + (size_t)k * (size_t)lanes;
    const double *lower_im = band->lower_im + (size_t)k * (size_t)lanes;
    const double entering_re = lane_re[lanes], entering_im = lane_im[lanes];
    for (int v = 0; v * VECTOR < lanes; v++) {
      const bits mask = LANE_MASK(v * VECTOR, pivot);
      const vector re = ENTER_LANE(mask, entering_re, window_re[v]), im = ENTER_LANE(mask, entering_im, window_im[v]);
      const vector l_re = LOAD(lower_re + v * VECTOR), l_im = LOAD(lower_im + v * VECTOR);
      STORE(lane_re + v * VECTOR, re);
      STORE(lane_im + v * VECTOR, im);
      window_re[v] = re - l_re * y_re + l_im * y_im;
      window_im[v] = im - l_re * y_im - l_im * y_re;
    }
    const int after = k + 1 + kl;
    lane_re[lanes] = after < n ? b_re[after] : 0.0;
    lane_im[lanes] = after < n ? b_im[after] : 0.0;
    b_re[k] = y_re;
    b_im[k] = y_im;
    double next_re = lane_re[next], next_im = lane_im[next];
    if (next < lanes) {
      next_re += lower_im[next] * y_im - lower_re[next] * y_re;
      next_im -= lower_im[next] * y_re + lower_re[next] * y_im;
    }
    y_re = next_re;
    y_im = next_im;
  }
}

/* The last unknowns one at a time, until the number of those left is a multiple of the vector size. */
WY_INLINE int complex_backward_last(const wy_band_complex *band, double *b_re, double *b_im, int width, int stride) {
  int k = band->n - 1;
  for (; (k + 1) % VECTOR != 0; k--) {
    const double *upper_re = band->upper_re + (size_t)(k + 1) * (size_t)stride;
    const double *upper_im = band->upper_im + (size_t)(k + 1) * (size_t)stride;
    const double x_re = b_re[k] * band->reciprocal_re[k] - b_im[k] * band->reciprocal_im[k];
    const double x_im = b_re[k] * band->reciprocal_im[k] + b_im[k] * band->reciprocal_re[k];
    b_re[k] = x_re;
    b_im[k] = x_im;
    for (int j = 1; j <= width && j <= k; j++) {
      b_re[k - j] -= upper_re[-j] * x_re - upper_im[-j] * x_im;
      b_im[k - j] -= upper_re[-j] * x_im + upper_im[-j] * x_re;
    }
  }
  return k + 1;
}

/* Backward substitution in blocks of one vector, like the real one. */
WY_INLINE void complex_backward(const wy_band_complex *band, double *b_re, double *b_im, int kl, int ku) {
  const int width = kl + ku, stride = band_stride(kl, ku), blocks = (width + VECTOR - 1) / VECTOR;
  int row = complex_backward_last(band, b_re, b_im, width, stride) - VECTOR; /* first row of the block */
  vector sum_re[BLOCKS_MAX + 1], sum_im[BLOCKS_MAX + 1];
  for (int a = 0; a <= blocks; a++) {
    const int at = row - a * VECTOR;
    sum_re[a] = at >= 0 ? LOAD(b_re + at) : BROADCAST(0.0);
    sum_im[a] = at >= 0 ? LOAD(b_im + at) : BROADCAST(0.0);
  }
  for (; row >= 0; row -= VECTOR) {
    const double *upper_re = band->upper_re + (size_t)(row + 1) * (size_t)stride; /* end of the block's first column */
    const double *upper_im = band->upper_im + (size_t)(row + 1) * (size_t)stride;
    const double *r_re = band->reciprocal_re + row, *r_im = band->reciprocal_im + row;
    double x_re[VECTOR], x_im[VECTOR];
    for (int i = 0; i < VECTOR; i++) {
      x_re[i] = sum_re[0][i] * r_re[i] - sum_im[0][i] * r_im[i];
      x_im[i] = sum_re[0][i] * r_im[i] + sum_im[0][i] * r_re[i];
    }
    for (int i = VECTOR - 1; i > 0; i--)
      for (int above = 0; above < i; above++) {
        const double u_re = upper_re[i * stride - (i - above)], u_im = upper_im[i * stride - (i - above)];
        const double scaled_re = u_re * r_re[above] - u_im * r_im[above];
        const double scaled_im = u_re * r_im[above] + u_im * r_re[above];
        x_re[above] += scaled_im * x_im[i] - scaled_re * x_re[i];
        x_im[above] -= scaled_im * x_re[i] + scaled_re * x_im[i];
      }
    for (int i = 0; i < VECTOR; i++) {
      b_re[row + i] = x_re[i];
      b_im[row + i] = x_im[i];
    }
    for (int a = 1; a <= blocks; a++) {
      vector re = sum_re[a], im = sum_im[a];
      for (int i = VECTOR - 1; i >= 0; i--) {
        const int at = i * stride - (i + a * VECTOR);
        const vector u_re = LOAD(upper_re + at), u_im = LOAD(upper_im + at);
        re = re - u_re * x_re[i] + u_im * x_im[i];
        im = im - u_re * x_im[i] - u_im * x_re[i];
      }
      sum_re[a - 1] = re;
      sum_im[a - 1] = im;
    }
    const int entering = row - (blocks + 1) * VECTOR;
    sum_re[blocks] = entering >= 0 ? LOAD(b_re + entering) : BROADCAST(0.0);
    sum_im[blocks] = entering >= 0 ? LOAD(b_im + entering) : BROADCAST(0.0);
  }
}

static int complex_factor_any(const wy_band_complex *band, wy_band_complex_feed *feed, void *context) {
  if (band->kl == 8 && band->ku == 8)
    return complex_factor(band, feed, context, 8, 8);
  if (band->kl == 11 && band->ku == 11)
    return complex_factor(band, feed, context, 11, 11);
  if (band->kl == 10 && band->ku == 10)
    return complex_factor(band, feed, context, 10, 10);
  return complex_factor(band, feed, context, band->kl, band->ku);
}

WY_INLINE void complex_solve(const wy_band_complex *band, double *re, double *im, int kl, int ku) {
  complex_forward(band, re, im, kl);
  complex_backward(band, re, im, kl, ku);
}

static void complex_solve_any(const wy_band_complex *band, double *re, double *im) {
  if (band->kl == 8 && band->ku == 8)
    complex_solve(band, re, im, 8, 8);
  else if (band->kl == 11 && band->ku == 11)
    complex_solve(band, re, im, 11, 11);
  else if (band->kl == 10 && band->ku == 10)
    complex_solve(band, re, im, 10, 10);
  else
    complex_solve(band, re, im, band->kl, band->ku);
}

#endif
