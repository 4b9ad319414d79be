/* SPDX-License-Identifier: MIT */
/* Band systems: storage, and the choice of the kernels for this processor. */
#include "linalg/band.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "linalg/band_kernels.h"

static size_t upper_bytes(int n, int kl, int ku) {
  return ((size_t)n + (size_t)kl + (size_t)ku) * (size_t)band_stride(kl, ku) * sizeof(double);
}

static void layout(wy_band *band, wy_arena *arena, int n, int kl, int ku, size_t rows) {
  band->plain = band->scaled = false;
  assert(n >= 1 && kl >= 1 && kl <= WY_BAND_MAX && ku >= 1 && ku <= WY_BAND_MAX);
  const size_t width = (size_t)kl + (size_t)ku, order = (size_t)n;
  band->n = n;
  band->kl = kl;
  band->ku = ku;
  band->rows = wy_arena_doubles(arena, rows * (width + 1));
  band->lower = wy_arena_doubles(arena, (size_t)wy_padded(n) * (size_t)band_lanes(kl));
  band->upper = wy_arena_take(arena, upper_bytes(n, kl, ku));
  band->reciprocal = wy_arena_doubles(arena, order);
  band->pivot = (unsigned char *)wy_arena_take(arena, order + 1);
}

static void complex_layout(wy_band_complex *band, wy_arena *arena, int n, int kl, int ku, size_t rows) {
  wy_band re, im;
  layout(&re, arena, n, kl, ku, rows);
  layout(&im, arena, n, kl, ku, rows);
  *band = (wy_band_complex){.n = n,
                            .kl = kl,
                            .ku = ku,
                            .rows_re = re.rows,
                            .rows_im = im.rows,
                            .lower_re = re.lower,
                            .lower_im = im.lower,
                            .upper_re = re.upper,
                            .upper_im = im.upper,
                            .reciprocal_re = re.reciprocal,
                            .reciprocal_im = im.reciprocal,
                            .pivot = re.pivot};
}

/* Behind the last row rows of zeros enter; the search for a pivot looks one row ahead. */
static size_t stored_rows(int n, int kl) {
  return (size_t)n + (size_t)kl + 2;
}

/* The buffer of a fed matrix: one row left over, those of one feed, and the rows of zeros. Narrow matrices have it on
   the stack: of many short rods one after the other it then stays in the cache. */
enum { NARROW = 8, NARROW_ROWS = 1 + WY_BAND_FEED + NARROW + 2, NARROW_BUFFER = NARROW_ROWS * (2 * NARROW + 1) };

static bool is_narrow(int kl, int ku) {
  return kl <= NARROW && ku <= NARROW;
}

static size_t fed_rows(int kl, int ku) {
  return is_narrow(kl, ku) ? 0 : 1 + WY_BAND_FEED + (size_t)kl + 2;
}

void wy_band_layout(wy_band *band, wy_arena *arena, int n, int kl, int ku) {
  layout(band, arena, n, kl, ku, stored_rows(n, kl));
}

void wy_band_complex_layout(wy_band_complex *band, wy_arena *arena, int n, int kl, int ku) {
  complex_layout(band, arena, n, kl, ku, stored_rows(n, kl));
}

void wy_band_layout_fed(wy_band *band, wy_arena *arena, int n, int kl, int ku) {
  layout(band, arena, n, kl, ku, fed_rows(kl, ku));
  band->scale = wy_arena_doubles(arena, (size_t)n);
}

void wy_band_complex_layout_fed(wy_band_complex *band, wy_arena *arena, int n, int kl, int ku) {
  complex_layout(band, arena, n, kl, ku, fed_rows(kl, ku));
  band->scale = wy_arena_doubles(arena, (size_t)n);
}

/* AVX-512 pays only while the window fits into its registers (measured on Zen 4). */
enum { WINDOW_IN_REGISTERS = 8 };

static const wy_band_kernels *kernels(const wy_band *band) {
#if WY_HAVE_CLONES
  if (band->kl <= WINDOW_IN_REGISTERS && band->ku <= WINDOW_IN_REGISTERS && __builtin_cpu_supports("x86-64-v4"))
    return &wy_band_v4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return &wy_band_v3;
#endif
  (void)band;
  return &wy_band_base;
}

static const wy_band_complex_kernels *complex_kernels(void) {
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    return &wy_band_complex_v3;
#endif
  return &wy_band_complex_base;
}

/* ---- Factorisation ---- */

/* From factors without exchanges to those with them, which need zeros in front of the columns of the upper factor. */
static void leave_plain(wy_band *band) {
  if (band->plain)
    memset(band->upper, 0, upper_bytes(band->n, band->kl, band->ku));
  band->plain = band->scaled = false;
}

static void complex_leave_plain(wy_band_complex *band) {
  const size_t bytes = upper_bytes(band->n, band->kl, band->ku);
  if (band->plain) {
    memset(band->upper_re, 0, bytes);
    memset(band->upper_im, 0, bytes);
  }
  band->plain = band->scaled = false;
}

int wy_band_factor(wy_band *band) {
  assert(band->rows && band->n >= 1);
  leave_plain(band);
  return kernels(band)->factor(band, NULL, NULL);
}

int wy_band_factor_fed(wy_band *band, wy_band_feed *feed, void *context) {
  assert(feed && band->lower);
  leave_plain(band);
  if (!is_narrow(band->kl, band->ku))
    return kernels(band)->factor(band, feed, context);
  _Alignas(WY_ALIGNMENT) double rows[NARROW_BUFFER];
  wy_band with = *band;
  with.rows = rows;
  return kernels(band)->factor(&with, feed, context);
}

int wy_band_factor_plain(wy_band *band, wy_band_feed *feed, void *context) {
  assert(feed && band->lower && band->kl == WY_BAND_PLAIN && band->ku == WY_BAND_PLAIN);
  band->plain = true;
  band->scaled = false;
  return WY_KERNELS(wy_band_plain)->factor(band, feed, context);
}

enum { UNITS_MAX = 16, ROW_MAX = 2 * WY_BAND_MAX + 1 };

/* A feed whose rows are multiplied by their scales on the way. */
typedef struct scaled_feed {
  wy_band_feed *real;
  wy_band_complex_feed *complex;
  void *context;
  double *scale;
  int n, kl, ku, row, period;
  double unit[UNITS_MAX + ROW_MAX]; /* repeated, so that those of a row's columns stand side by side */
} scaled_feed;

WY_CLONES
static double largest_entry(const double *row, const double *unit, int first, int last) {
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (int j = first; j <= last; j++) {
    const double size = fabs(row[j]) * unit[j];
    largest = size > largest ? size : largest;
  }
  return largest;
}

WY_CLONES
static void multiply_row(double *row, int width, double factor) {
#pragma omp simd
  for (int j = 0; j < width; j++)
    row[j] *= factor;
}

/* The power of two that brings a normal number into 1 ... 2; 1 for others. */
static double power_for(double size) {
  int64_t bits;
  memcpy(&bits, &size, sizeof bits);
  const int64_t exponent = bits >> 52 & 0x7ff, scale = (2046 - exponent) << 52;
  double power;
  memcpy(&power, &scale, sizeof power);
  return exponent > 0 && exponent < 2046 ? power : 1;
}

/* Scales row `row`; `im` is NULL where it is real. */
static void scale_row(const scaled_feed *from, int row, double *re, double *im) {
  const int width = from->kl + from->ku + 1, first = row < from->kl ? from->kl - row : 0;
  const int end = from->kl + from->n - 1 - row, last = end < width ? end : width - 1;
  const double *unit = from->unit + (row - from->kl + from->period * WY_BAND_MAX) % from->period;
  double largest = largest_entry(re, unit, first, last);
  if (im)
    largest = fmax(largest, largest_entry(im, unit, first, last));
  const double scale = power_for(largest);
  from->scale[row] = scale;
  multiply_row(re, width, scale);
  if (im)
    multiply_row(im, width, scale);
}

static int feed_scaled(void *context, double *rows) {
  scaled_feed *from = context;
  const int got = from->real(from->context, rows);
  for (int i = 0; i < got; i++)
    scale_row(from, from->row + i, rows + (size_t)i * (size_t)(from->kl + from->ku + 1), NULL);
  from->row += got;
  return got;
}

static int feed_scaled_complex(void *context, double *re, double *im) {
  scaled_feed *from = context;
  const int got = from->complex(from->context, re, im);
  for (int i = 0; i < got; i++) {
    const size_t at = (size_t)i * (size_t)(from->kl + from->ku + 1);
    scale_row(from, from->row + i, re + at, im + at);
  }
  from->row += got;
  return got;
}

static scaled_feed start_scaled(int n, int kl, int ku, void *context, wy_band_units units) {
  assert(units.period > 0 && units.period <= UNITS_MAX);
  scaled_feed from = {.context = context, .n = n, .kl = kl, .ku = ku, .period = units.period};
  for (int k = 0; k < UNITS_MAX + ROW_MAX; k++)
    from.unit[k] = units.unit[k % units.period];
  return from;
}

int wy_band_factor_scaled(wy_band *band, wy_band_feed *feed, void *context, wy_band_units units) {
  assert(band->scale); /* of a fed matrix */
  scaled_feed from = start_scaled(band->n, band->kl, band->ku, context, units);
  from.scale = band->scale;
  from.real = feed;
  const int failed = wy_band_factor_fed(band, feed_scaled, &from);
  band->scaled = true;
  return failed;
}

int wy_band_complex_factor(wy_band_complex *band) {
  assert(band->rows_re && band->rows_im);
  complex_leave_plain(band);
  return complex_kernels()->factor(band, NULL, NULL);
}

int wy_band_complex_factor_fed(wy_band_complex *band, wy_band_complex_feed *feed, void *context) {
  assert(feed && band->lower_re);
  complex_leave_plain(band);
  if (!is_narrow(band->kl, band->ku))
    return complex_kernels()->factor(band, feed, context);
  _Alignas(WY_ALIGNMENT) double rows_re[NARROW_BUFFER], rows_im[NARROW_BUFFER];
  wy_band_complex with = *band;
  with.rows_re = rows_re, with.rows_im = rows_im;
  return complex_kernels()->factor(&with, feed, context);
}

int wy_band_complex_factor_plain(wy_band_complex *band, wy_band_complex_feed *feed, void *context) {
  assert(feed && band->lower_re && band->kl == WY_BAND_PLAIN && band->ku == WY_BAND_PLAIN);
  band->plain = true;
  band->scaled = false;
  return WY_KERNELS(wy_band_plain)->complex_factor(band, feed, context);
}

int wy_band_complex_factor_scaled(wy_band_complex *band, wy_band_complex_feed *feed, void *context,
                                  wy_band_units units) {
  scaled_feed from = start_scaled(band->n, band->kl, band->ku, context, units);
  from.scale = band->scale;
  from.complex = feed;
  const int failed = wy_band_complex_factor_fed(band, feed_scaled_complex, &from);
  band->scaled = true;
  return failed;
}

/* ---- Solution ---- */

/* Right-hand sides of scaled rows, `columns` next to each other. */
static void scale_rhs(const double *scale, int n, int columns, double *b) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < columns; c++)
      b[(size_t)columns * (size_t)i + (size_t)c] *= scale[i];
}

void wy_band_solve(const wy_band *band, double *b) {
  assert(band->lower && b);
  if (band->scaled)
    scale_rhs(band->scale, band->n, 1, b);
  if (band->plain)
    WY_KERNELS(wy_band_plain)->solve(band, b);
  else
    kernels(band)->solve(band, b);
}

void wy_band_complex_solve(const wy_band_complex *band, double *re, double *im) {
  assert(re && im && re != im);
  if (band->scaled) {
    scale_rhs(band->scale, band->n, 1, re);
    scale_rhs(band->scale, band->n, 1, im);
  }
  if (band->plain)
    WY_KERNELS(wy_band_plain)->complex_solve(band, re, im);
  else
    complex_kernels()->solve(band, re, im);
}

void wy_band_solve_many(const wy_band *band, double *b) {
  assert(band->lower && b);
  if (band->scaled)
    scale_rhs(band->scale, band->n, WY_LANES, b);
  if (band->plain)
    WY_KERNELS(wy_band_plain)->solve_many(band, b);
  else
    WY_KERNELS(wy_band_many)->solve(band, b);
}

void wy_band_complex_solve_many(const wy_band_complex *band, double *re, double *im) {
  assert(re && im && re != im);
  if (band->scaled) {
    scale_rhs(band->scale, band->n, WY_LANES, re);
    scale_rhs(band->scale, band->n, WY_LANES, im);
  }
  if (band->plain)
    WY_KERNELS(wy_band_plain)->complex_solve_many(band, re, im);
  else
    WY_KERNELS(wy_band_many)->complex_solve(band, re, im);
}

int wy_band_sign(const wy_band *band) {
  assert(band->kl <= WY_BAND_MAX && !band->plain);
  /* Replays the window. Taking a pivot from a lane exchanges it with the entering row; putting it in its place then
     passes kl rows. What is left in the lanes are the rows of zeros, in an order whose sign counts too. */
  const int kl = band->kl, lanes = band_lanes(kl);
  int row[WY_BAND_MAX];
  for (int i = 0; i < kl; i++)
    row[i] = i;
  int negative = 0;
  for (int k = 0; k < band->n; k++) {
    negative += kl + (band->reciprocal[k] < 0.0);
    if (band->pivot[k] < lanes) {
      row[band->pivot[k]] = k + kl;
      negative++;
    }
  }
  for (int i = 0; i < kl; i++)
    for (int j = i + 1; j < kl; j++)
      negative += row[i] > row[j];
  return negative % 2 == 0 ? 1 : -1;
}
