/* SPDX-License-Identifier: MIT */
/* Complex band systems without exchanging rows; see band_plain.h, and band_plain_real.h for the order of the steps. */
#ifndef WY_LINALG_BAND_PLAIN_COMPLEX_H
#define WY_LINALG_BAND_PLAIN_COMPLEX_H

#include "linalg/band_plain.h"

/* Real and imaginary part of what is eight of them in the real kernels, and of one. */
typedef struct eight_complex {
  eight re, im;
} eight_complex;

typedef struct wide_complex {
  wide re, im;
} wide_complex;

typedef struct complex_number {
  double re, im;
} complex_number;

WY_INLINE complex_number lane_of_complex(const eight_complex *a, int lane) {
  return (complex_number){lane_of(&a->re, lane), lane_of(&a->im, lane)};
}

WY_INLINE wide_complex spread_complex(const eight_complex *a, int lane) {
  return (wide_complex){spread(&a->re, lane), spread(&a->im, lane)};
}

/* a - b c */
WY_INLINE eight_complex reduced_complex(const eight_complex *a, const eight_complex *b, wide_complex c) {
  eight_complex out;
  for (int p = 0; p < PARTS; p++) {
    out.re.part[p] = a->re.part[p] - b->re.part[p] * c.re + b->im.part[p] * c.im;
    out.im.part[p] = a->im.part[p] - b->re.part[p] * c.im - b->im.part[p] * c.re;
  }
  return out;
}

WY_INLINE complex_number times_complex(complex_number a, complex_number b) {
  return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* One over a number whose square is `square`. */
WY_INLINE complex_number inverse_of(complex_number a, double square) {
  const double scale = 1 / square;
  return (complex_number){a.re * scale, -a.im * scale};
}

WY_INLINE double square_of(complex_number a) {
  return a.re * a.re + a.im * a.im;
}

typedef struct complex_plain_window {
  eight_complex column[EIGHT];
  double square; /* of the pivot */
  complex_number reciprocal;
  int grown;
} complex_plain_window;

/* As in the real case (S48), of squares. */
WY_INLINE int complex_pivot_grown(double square, double re, double im) {
  return !(square <= BAND_GROWTH * BAND_GROWTH * (re * re + im * im)) | !(square >= 0x1p-1000);
}

/* The places in the factors to which a step writes. */
typedef struct complex_plain_factors {
  double *lower_re, *lower_im, *upper_re, *upper_im, *reciprocal_re, *reciprocal_im;
} complex_plain_factors;

WY_INLINE complex_plain_factors complex_factors_at(const wy_band_complex *band, int k) {
  const size_t at = (size_t)k * EIGHT;
  return (complex_plain_factors){band->lower_re + at, band->lower_im + at,     band->upper_re + at,
                                 band->upper_im + at, band->reciprocal_re + k, band->reciprocal_im + k};
}

WY_INLINE void complex_plain_step(complex_plain_window *w, const double *re, const double *im,
                                  const complex_plain_factors *out, int lane, int counts) {
  enum { BACK = EIGHT - EIGHT * (PLAIN_ROW - 1) };
  const int next = (lane + 1) % EIGHT;
  const complex_number r = w->reciprocal;
  const wide_complex inverse = {SPLAT_WIDE(r.re), SPLAT_WIDE(r.im)};
  wide_complex u[EIGHT + 1];
  eight_complex *c = w->column, last, multiplier;
  out->reciprocal_re[lane] = r.re, out->reciprocal_im[lane] = r.im;
  w->grown |= counts & complex_pivot_grown(w->square, re[EIGHT - EIGHT * PLAIN_ROW], im[EIGHT - EIGHT * PLAIN_ROW]);
  for (int j = 1; j < EIGHT; j++)
    u[j] = spread_complex(&c[j], lane);
  u[EIGHT] = (wide_complex){SPLAT_WIDE(re[BACK]), SPLAT_WIDE(im[BACK])};
  for (int j = 1; j <= EIGHT; j++) {
    const int to = EIGHT * (lane + j) + lane;
    out->upper_re[to] = (u[j].re * inverse.re - u[j].im * inverse.im)[0];
    out->upper_im[to] = (u[j].re * inverse.im + u[j].im * inverse.re)[0];
  }
#define ENTRY_RE(l) re[EIGHT - (lane + EIGHT - (l)) % EIGHT * (PLAIN_ROW - 1)]
#define ENTRY_IM(l) im[EIGHT - (lane + EIGHT - (l)) % EIGHT * (PLAIN_ROW - 1)]
  for (int p = 0; p < PARTS; p++) { /* column k + 8 */
    last.re.part[p] = (wide){EACH_LANE(ENTRY_RE, p * WIDE)};
    last.im.part[p] = (wide){EACH_LANE(ENTRY_IM, p * WIDE)};
  }
#undef ENTRY_RE
#undef ENTRY_IM
  for (int j = 0; j < EIGHT; j++) {
    enter(&c[j].re, lane, re[j]);
    enter(&c[j].im, lane, im[j]);
  }
  const complex_number own = lane_of_complex(&c[1], next), right = {u[1].re[0], u[1].im[0]};
  const complex_number taken = times_complex(times_complex(lane_of_complex(&c[0], next), right), r);
  const complex_number pivot = {own.re - taken.re, own.im - taken.im};
  w->square = square_of(pivot);
  w->reciprocal = inverse_of(pivot, w->square);
  for (int p = 0; p < PARTS; p++) {
    multiplier.re.part[p] = c[0].re.part[p] * inverse.re - c[0].im.part[p] * inverse.im;
    multiplier.im.part[p] = c[0].re.part[p] * inverse.im + c[0].im.part[p] * inverse.re;
  }
  store_eight(out->lower_re + EIGHT * lane, &multiplier.re);
  store_eight(out->lower_im + EIGHT * lane, &multiplier.im);
  for (int j = 1; j < EIGHT; j++)
    c[j - 1] = reduced_complex(&c[j], &multiplier, u[j]);
  c[EIGHT - 1] = reduced_complex(&last, &multiplier, u[EIGHT]);
}

WY_INLINE void complex_plain_open(complex_plain_window *w, const double *re, const double *im) {
  double entry[2][EIGHT][EIGHT];
  for (int j = 0; j < EIGHT; j++) {
    for (int i = 0; i < EIGHT; i++) {
      entry[0][j][i] = re[i * PLAIN_ROW + j - i + EIGHT];
      entry[1][j][i] = im[i * PLAIN_ROW + j - i + EIGHT];
    }
    w->column[j].re = load_eight(entry[0][j]);
    w->column[j].im = load_eight(entry[1][j]);
  }
  const complex_number pivot = {entry[0][0][0], entry[1][0][0]};
  w->square = square_of(pivot);
  w->reciprocal = inverse_of(pivot, w->square);
  w->grown = 0;
}

/* As in the real case. */
typedef struct complex_plain_rows {
  wy_band_complex_feed *feed;
  void *context;
  int order, fed, have;
  double re[PLAIN_BUFFER], im[PLAIN_BUFFER];
} complex_plain_rows;

WY_INLINE void complex_plain_advance(complex_plain_rows *rows, int done) {
  const size_t kept = sizeof(double) * (size_t)((rows->have - done) * PLAIN_ROW);
  memmove(rows->re, rows->re + done * PLAIN_ROW, kept);
  memmove(rows->im, rows->im + done * PLAIN_ROW, kept);
  rows->have -= done;
  while (rows->have < 2 * EIGHT) {
    double *re = rows->re + rows->have * PLAIN_ROW, *im = rows->im + rows->have * PLAIN_ROW;
    if (rows->fed < rows->order) {
      const int got = rows->feed(rows->context, re, im);
      rows->fed += got;
      rows->have += got;
    } else {
      unit_rows(re, im);
      rows->have += 2 * EIGHT;
    }
  }
}

WY_INLINE void complex_plain_clear(const wy_band_complex *band) {
  const size_t rest = (size_t)(wy_padded(band->n) - band->n) * sizeof(double);
  const complex_plain_factors at = complex_factors_at(band, band->n);
  double *factors[] = {at.lower_re, at.lower_im, at.upper_re, at.upper_im};
  for (int i = 0; i < 4; i++)
    memset(factors[i], 0, EIGHT * rest);
  memset(at.reciprocal_re, 0, rest);
  memset(at.reciprocal_im, 0, rest);
}

static int complex_plain_factor_any(const wy_band_complex *band, wy_band_complex_feed *feed, void *context) {
  complex_plain_rows rows;
  complex_plain_window window;
  rows.feed = feed, rows.context = context, rows.order = band->n;
  rows.fed = rows.have = 0;
  complex_plain_advance(&rows, 0);
  complex_plain_open(&window, rows.re, rows.im);
  int at = 0; /* row k among those at hand */
  for (int k = 0; k < band->n; k += EIGHT, at += EIGHT) {
    if (at + 2 * EIGHT > rows.have) {
      complex_plain_advance(&rows, at);
      at = 0;
    }
    const double *re = rows.re + (at + EIGHT) * PLAIN_ROW, *im = rows.im + (at + EIGHT) * PLAIN_ROW;
    const complex_plain_factors out = complex_factors_at(band, k);
    const int left = band->n - k;
#define STEP(s) complex_plain_step(&window, re + (s)*PLAIN_ROW, im + (s)*PLAIN_ROW, &out, (s), (s) < left)
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7);
#undef STEP
    if (window.grown)
      return k + 1;
  }
  complex_plain_clear(band);
  return 0;
}

/* One right-hand side, as arrays with a number a row. */
typedef struct complex_side {
  double *re, *im;
} complex_side;

WY_INLINE eight_complex load_complex(complex_side b) {
  return (eight_complex){load_eight(b.re), load_eight(b.im)};
}

/* Eight rows of the forward elimination; `next` are the eight that follow. */
WY_INLINE void complex_plain_down(eight_complex *z, const complex_plain_factors *by, complex_side b,
                                  complex_side next) {
#pragma GCC unroll 8
  for (int lane = 0; lane < EIGHT; lane++) {
    const eight_complex l = {load_eight(by->lower_re + EIGHT * lane), load_eight(by->lower_im + EIGHT * lane)};
    const wide_complex y = spread_complex(z, lane);
    const complex_number scaled = times_complex((complex_number){y.re[0], y.im[0]},
                                                (complex_number){by->reciprocal_re[lane], by->reciprocal_im[lane]});
    enter(&z->re, lane, next.re[lane]);
    enter(&z->im, lane, next.im[lane]);
    b.re[lane] = scaled.re, b.im[lane] = scaled.im;
    *z = reduced_complex(z, &l, y);
  }
}

/* Eight rows of the backward substitution; `next` are the eight before. */
WY_INLINE void complex_plain_up(eight_complex *z, const complex_plain_factors *by, complex_side b, complex_side next) {
#pragma GCC unroll 8
  for (int lane = EIGHT - 1; lane >= 0; lane--) {
    const eight_complex u = {load_eight(by->upper_re + EIGHT * lane), load_eight(by->upper_im + EIGHT * lane)};
    const wide_complex x = spread_complex(z, lane);
    enter(&z->re, lane, next.re[lane]);
    enter(&z->im, lane, next.im[lane]);
    b.re[lane] = x.re[0], b.im[lane] = x.im[0];
    *z = reduced_complex(z, &u, x);
  }
}

static void complex_plain_solve_any(const wy_band_complex *shared, double *re, double *im) {
  const wy_band_complex local = *shared, *band = &local;
  const int n = band->n, whole = n / EIGHT * EIGHT;
  const size_t rest = (size_t)(n - whole) * sizeof *re;
  double last[2][EIGHT] = {{0}}, none[2][EIGHT] = {{0}}; /* the last rows, filled up, and rows of zeros */
  const complex_side edge = {last[0], last[1]}, zeros = {none[0], none[1]};
  memcpy(edge.re, re + whole, rest);
  memcpy(edge.im, im + whole, rest);
#define SIDE(k) ((k) < whole ? (complex_side){re + (k), im + (k)} : (k) < n ? edge : zeros)
  eight_complex z = load_complex(SIDE(0));
  for (int k = 0; k < n; k += EIGHT) {
    const complex_plain_factors by = complex_factors_at(band, k);
    complex_plain_down(&z, &by, SIDE(k), SIDE(k + EIGHT));
  }
  int k = (n - 1) / EIGHT * EIGHT;
  z = load_complex(SIDE(k));
  for (; k >= 0; k -= EIGHT) {
    const complex_plain_factors by = complex_factors_at(band, k);
    complex_plain_up(&z, &by, SIDE(k), k > 0 ? SIDE(k - EIGHT) : zeros);
  }
#undef SIDE
  memcpy(re + whole, edge.re, rest);
  memcpy(im + whole, edge.im, rest);
}

#endif
