/* SPDX-License-Identifier: MIT */
/* Real band systems without exchanging rows; see band_plain.h. */
#ifndef WY_LINALG_BAND_PLAIN_REAL_H
#define WY_LINALG_BAND_PLAIN_REAL_H

#include <math.h>

#include "linalg/band_plain.h"

/* The pivot and one over it are found ahead of the window, as scalars, because everything waits for them. */
typedef struct plain_window {
  eight column[EIGHT];
  double pivot, reciprocal;
  int grown;
} plain_window;

/* Has a pivot grown beyond the diagonal entry that it was, is it none, or not a number (S48)? */
WY_INLINE int pivot_grown(double pivot, double diagonal) {
  const double size = fabs(pivot);
  return !(size <= BAND_GROWTH * fabs(diagonal)) | !(size >= 0x1p-1000);
}

/* Column k, whose row is in lane `lane`. `entering` is row k + 8; the eight rows before it stand in front of it. */
WY_INLINE void plain_step(plain_window *w, const double *entering, double *lower, double *upper, double *reciprocal,
                          int lane, int counts) {
  const int next = (lane + 1) % EIGHT;
  const wide inverse = SPLAT_WIDE(w->reciprocal);
  wide u[EIGHT + 1];
  eight *c = w->column, last, multiplier;
  *reciprocal = w->reciprocal;
  w->grown |= counts & pivot_grown(w->pivot, entering[EIGHT - EIGHT * PLAIN_ROW]);
  for (int j = 1; j < EIGHT; j++)
    u[j] = spread(&c[j], lane);
  u[EIGHT] = SPLAT_WIDE(entering[EIGHT - EIGHT * (PLAIN_ROW - 1)]);
  for (int j = 1; j <= EIGHT; j++)
    upper[EIGHT * j + lane] = (u[j] * inverse)[0];
#define ENTRY(l) entering[EIGHT - (lane + EIGHT - (l)) % EIGHT * (PLAIN_ROW - 1)]
  for (int p = 0; p < PARTS; p++) /* column k + 8 */
    last.part[p] = (wide){EACH_LANE(ENTRY, p * WIDE)};
#undef ENTRY
  for (int j = 0; j < EIGHT; j++)
    enter(&c[j], lane, entering[j]);
  w->pivot = lane_of(&c[1], next) - lane_of(&c[0], next) * u[1][0] * w->reciprocal;
  w->reciprocal = 1 / w->pivot;
  for (int p = 0; p < PARTS; p++)
    multiplier.part[p] = c[0].part[p] * inverse;
  store_eight(lower, &multiplier);
  for (int j = 1; j < EIGHT; j++)
    c[j - 1] = reduced(&c[j], &multiplier, u[j]);
  c[EIGHT - 1] = reduced(&last, &multiplier, u[EIGHT]);
}

/* Rows 0 ... 7 in columns 0 ... 7. */
WY_INLINE void plain_open(plain_window *w, const double *rows) {
  double entry[EIGHT][EIGHT];
  for (int j = 0; j < EIGHT; j++) {
    for (int i = 0; i < EIGHT; i++)
      entry[j][i] = rows[i * PLAIN_ROW + j - i + EIGHT];
    w->column[j] = load_eight(entry[j]);
  }
  w->pivot = entry[0][0];
  w->reciprocal = 1 / w->pivot;
  w->grown = 0;
}

/* The rows at hand: those of one feed behind the eight that the window still needs. After the last one come rows of the
 * unit matrix. */
typedef struct plain_rows {
  wy_band_feed *feed;
  void *context;
  int order, fed, have; /* rows of the matrix; come so far; at hand */
  double at[PLAIN_BUFFER];
} plain_rows;

/* Leaves out the first `done` rows and makes sure that 16 rows follow. */
WY_INLINE void plain_advance(plain_rows *rows, int done) {
  if (done > 0)
    memmove(rows->at, rows->at + done * PLAIN_ROW, sizeof(double) * (size_t)((rows->have - done) * PLAIN_ROW));
  rows->have -= done;
  while (rows->have < 2 * EIGHT) {
    double *to = rows->at + rows->have * PLAIN_ROW;
    if (rows->fed < rows->order) {
      const int got = rows->feed(rows->context, to);
      rows->fed += got;
      rows->have += got;
    } else {
      unit_rows(to, NULL);
      rows->have += 2 * EIGHT;
    }
  }
}

/* What the steps after the last row have left: nothing, so that solves may take whole rounds, too. */
WY_INLINE void plain_clear(const wy_band *band) {
  const size_t last = (size_t)band->n, rest = (size_t)wy_padded(band->n) - last;
  memset(band->lower + last * EIGHT, 0, rest * EIGHT * sizeof(double));
  memset(band->upper + last * EIGHT, 0, rest * EIGHT * sizeof(double));
  memset(band->reciprocal + last, 0, rest * sizeof(double));
}

static int plain_factor_any(const wy_band *band, wy_band_feed *feed, void *context) {
  plain_rows rows;
  plain_window window;
  rows.feed = feed, rows.context = context, rows.order = band->n;
  rows.fed = rows.have = 0;
  plain_advance(&rows, 0);
  plain_open(&window, rows.at);
  int at = 0; /* row k among those at hand */
  for (int k = 0; k < band->n; k += EIGHT, at += EIGHT) {
    if (at + 2 * EIGHT > rows.have) {
      plain_advance(&rows, at);
      at = 0;
    }
    const double *entering = rows.at + (at + EIGHT) * PLAIN_ROW;
    double *lower = band->lower + (size_t)k * EIGHT, *upper = band->upper + (size_t)k * EIGHT;
    double *reciprocal = band->reciprocal + k;
    const int left = band->n - k;
#define STEP(s)                                                                                                        \
  plain_step(&window, entering + (s)*PLAIN_ROW, lower + (s)*EIGHT, upper + (s)*EIGHT, reciprocal + (s), (s), (s) < left)
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7);
#undef STEP
    if (window.grown)
      return k + 1;
  }
  plain_clear(band);
  return 0;
}

/* Row k of the forward elimination; `entering` is row k + 8 of the right-hand side. Leaves it over the pivot. */
WY_INLINE void plain_forward(eight *z, const double *lower, double *b, double entering, double reciprocal, int lane) {
  const eight l = load_eight(lower);
  const wide y = spread(z, lane);
  *b = y[0] * reciprocal;
  enter(z, lane, entering);
  *z = reduced(z, &l, y);
}

/* Row k of the backward substitution; `entering` is row k - 8. */
WY_INLINE void plain_backward(eight *z, const double *upper, double *b, double entering, int lane) {
  const eight u = load_eight(upper);
  const wide x = spread(z, lane);
  *b = x[0];
  enter(z, lane, entering);
  *z = reduced(z, &u, x);
}

static void plain_solve_any(const wy_band *shared, double *b) {
  const wy_band local = *shared, *band = &local;
  const int n = band->n, whole = n / EIGHT * EIGHT;
  double edge[3 * EIGHT] = {0}; /* the last rows, and zeros */
  memcpy(edge, b + whole, (size_t)(n - whole) * sizeof *b);
  const double *next = whole > 0 ? b : edge;
  eight z = load_eight(next);
  int k = 0;
  for (; k < n; k += EIGHT) {
    const double *lower = band->lower + (size_t)k * EIGHT, *reciprocal = band->reciprocal + k;
    double *to = k < whole ? b + k : edge;
    next = k + EIGHT < whole ? b + k + EIGHT : k < whole ? edge : edge + EIGHT;
#define STEP(s) plain_forward(&z, lower + (s)*EIGHT, to + (s), next[s], reciprocal[s], (s))
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7);
#undef STEP
  }
  k -= EIGHT;
  z = load_eight(k < whole ? b + k : edge);
  for (; k >= 0; k -= EIGHT) {
    const double *upper = band->upper + (size_t)k * EIGHT;
    double *to = k < whole ? b + k : edge;
    next = k > 0 ? b + k - EIGHT : edge + 2 * EIGHT;
#define STEP(s) plain_backward(&z, upper + (s)*EIGHT, to + (s), next[s], (s))
    STEP(7), STEP(6), STEP(5), STEP(4), STEP(3), STEP(2), STEP(1), STEP(0);
#undef STEP
  }
  memcpy(b + whole, edge, (size_t)(n - whole) * sizeof *b);
}

#endif
