/* SPDX-License-Identifier: MIT */
/* Band systems without exchanging rows, against the bound of their own factors; when they give up; and exchanges with
   scaled rows, which take over. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "linalg/band.h"
#include "linalg/band_kernels.h"

enum { HALF = WY_BAND_PLAIN, WIDTH = 2 * HALF + 1, MOST = 603 };

static const int orders[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 23, 63, 64, MOST};
enum { ORDERS = sizeof orders / sizeof orders[0] };

/* A number in [-1, 1): the generator of Vigna's splitmix64. */
static uint64_t seed = 1;

static double draw(void) {
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return ldexp((double)(z >> 11), -52) - 1.0;
}

/* Matrices that need no exchanges. */
typedef enum matrix_kind {
  DOMINANT,  /* each row is dominated by its diagonal entry */
  BEAM,      /* symmetric and positive: like fourth differences, and a little of the unit matrix */
  GYROSCOPE, /* the same with a skew part as large */
  KINDS
} matrix_kind;

/* One part, real or imaginary, of a system; `row` i holds the columns i - 8 ... i + 8. */
typedef struct part {
  double row[MOST][WIDTH], b[MOST];
} part;

static part parts[2]; /* large for the stack */

static bool exists(int i, int d, int n) {
  return i + d >= 0 && i + d < n;
}

/* Its spectrum is (2 - 2 cos 2t)^2 + 1.8 + cos t + (cos 3t) / 2 + (cos 8t) / 4 > 0. */
static double beam(int d) {
  static const double difference[HALF + 1] = {6, 0.5, -4, 0.25, 1, 0, 0, 0, 0.125};
  return difference[d < 0 ? -d : d] + (d == 0 ? 1.8 : 0);
}

static void draw_part(part *to, matrix_kind kind, int n) {
  for (int i = 0; i < n; i++) {
    to->b[i] = draw();
    for (int d = -HALF; d <= HALF; d++) {
      double entry = kind == DOMINANT ? draw() + (d == 0 ? WIDTH : 0) : beam(d);
      if (kind == GYROSCOPE)
        entry += d > 0 ? 2 : d < 0 ? -2 : 0;
      to->row[i][d + HALF] = exists(i, d, n) ? entry : (double)NAN; /* nobody may use it */
    }
  }
}

/* Rows come in feeds of different sizes. */
typedef struct source {
  int n, next;
} source;

static int take(source *from, double *re, double *im) {
  static const int sizes[] = {10, 1, 48, WY_BAND_FEED, 7};
  const int most = sizes[from->next % 5], left = from->n - from->next;
  const int count = from->next == 0 ? (left < 10 ? left : 10) : left < most ? left : most;
  memcpy(re, parts[0].row[from->next], (size_t)count * sizeof parts[0].row[0]);
  if (im)
    memcpy(im, parts[1].row[from->next], (size_t)count * sizeof parts[1].row[0]);
  from->next += count;
  return count;
}

static int feed(void *context, double *rows) {
  return take(context, rows, NULL);
}

static int feed_complex(void *context, double *re, double *im) {
  return take(context, re, im);
}

typedef struct system {
  wy_arena arena;
  wy_band band;
  wy_band_complex band_complex;
  int n;
} system;

static system open_system(int n) {
  system s = {.n = n};
  for (int pass = 0; pass < 2; pass++) {
    wy_band_layout_fed(&s.band, &s.arena, n, HALF, HALF);
    wy_band_complex_layout_fed(&s.band_complex, &s.arena, n, HALF, HALF);
    if (pass == 0)
      assert_int_equal(wy_arena_allocate(&s.arena), 0);
  }
  return s;
}

static void close_system(system *s) {
  wy_arena_release(&s->arena);
}

/* Every set of kernels that this processor can run. */
static int all_kernels(const wy_band_plain_kernels *kernels[3]) {
  int count = 0;
  kernels[count++] = &wy_band_plain_base;
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    kernels[count++] = &wy_band_plain_v3;
  if (__builtin_cpu_supports("x86-64-v4"))
    kernels[count++] = &wy_band_plain_v4;
#endif
  return count;
}

/* Row i of A x - b, and of |A| |x|, with |re| + |im| for the size of a complex number; `im` is NULL for a real system.
 */
static double residual(int n, int i, const double *re, const double *im, double *size) {
  double sum = -parts[0].b[i], sum_im = im ? -parts[1].b[i] : 0;
  *size = 0;
  for (int d = -HALF; d <= HALF; d++)
    if (exists(i, d, n)) {
      const double a = parts[0].row[i][d + HALF], b = im ? parts[1].row[i][d + HALF] : 0;
      const double x = re[i + d], y = im ? im[i + d] : 0;
      sum += a * x - b * y;
      sum_im += a * y + b * x;
      *size += (fabs(a) + fabs(b)) * (fabs(x) + fabs(y));
    }
  return fabs(sum) + fabs(sum_im);
}

/* |L| |U| |x| with the factors as they are stored (band_plain.h). */
static void factors_times(int n, const double *lower, const double *upper, const double *reciprocal, const double *x,
                          double *out) {
  double y[MOST];
  for (int i = 0; i < n; i++)
    y[i] = fabs(x[i] / reciprocal[i]);
  for (int k = 0; k < n; k++)
    for (int i = k < HALF ? 0 : k - HALF; i < k; i++)
      y[i] += fabs(upper[HALF * k + i % HALF] / reciprocal[i] * x[k]);
  for (int i = 0; i < n; i++) {
    out[i] = y[i];
    for (int k = i < HALF ? 0 : i - HALF; k < i; k++)
      out[i] += fabs(lower[HALF * k + i % HALF]) * y[k];
  }
}

/* Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.4, row by row: |A x - b| <= gamma |L| |U| |x|. An
   entry of a factor takes 9 products, so does a row of each triangular system; dividing by a pivot takes two roundings
   more, once in each; and the residual itself is a sum of 18 terms of size |A| |x| <= |L| |U| |x|. In all 51 roundings
   of DBL_EPSILON / 2. */
static const double real_bound = 26 * DBL_EPSILON;

static void check_real(const system *s, const double *x) {
  double bound[MOST], size;
  factors_times(s->n, s->band.lower, s->band.upper, s->band.reciprocal, x, bound);
  for (int i = 0; i < s->n; i++)
    check_close(residual(s->n, i, x, NULL, &size), 0.0, real_bound * bound[i]);
}

static void real_solutions_stay_below_the_bound_of_their_factors(void **state) {
  (void)state;
  const wy_band_plain_kernels *kernels[3];
  const int count = all_kernels(kernels);
  for (int o = 0; o < ORDERS; o++)
    for (matrix_kind kind = DOMINANT; kind < KINDS; kind++) {
      system s = open_system(orders[o]);
      double x[MOST], many[WY_LANES * MOST];
      draw_part(&parts[0], kind, s.n);
      for (int k = 0; k < count; k++) {
        source from = {s.n, 0};
        assert_int_equal(kernels[k]->factor(&s.band, feed, &from), 0);
        memcpy(x, parts[0].b, sizeof x);
        kernels[k]->solve(&s.band, x);
        check_real(&s, x);
        for (int i = 0; i < s.n; i++)
          for (int c = 0; c < WY_LANES; c++) /* one column of zeros, the others multiples by powers of two */
            many[WY_LANES * i + c] = c ? ldexp(parts[0].b[i], c) : 0;
        kernels[k]->solve_many(&s.band, many);
        for (int c = 0; c < WY_LANES; c++) {
          for (int i = 0; i < s.n; i++)
            x[i] = ldexp(many[WY_LANES * i + c], -c);
          if (c)
            check_real(&s, x);
          for (int i = 0; i < s.n && !c; i++)
            check_close(x[i], 0.0, 0.0);
        }
      }
      close_system(&s);
    }
}

/* The same with |re| + |im|, which may be sqrt 2 times too large for each of three factors, and four roundings for a
   product instead of one. */
static void check_complex(const system *s, const double *re, const double *im) {
  const wy_band_complex *band = &s->band_complex;
  double y[MOST], size;
  for (int i = 0; i < s->n; i++)
    y[i] = (fabs(re[i]) + fabs(im[i])) / hypot(band->reciprocal_re[i], band->reciprocal_im[i]);
  for (int k = 0; k < s->n; k++)
    for (int i = k < HALF ? 0 : k - HALF; i < k; i++)
      y[i] += hypot(band->upper_re[HALF * k + i % HALF], band->upper_im[HALF * k + i % HALF]) /
              hypot(band->reciprocal_re[i], band->reciprocal_im[i]) * (fabs(re[k]) + fabs(im[k]));
  for (int i = 0; i < s->n; i++) {
    double bound = y[i];
    for (int k = i < HALF ? 0 : i - HALF; k < i; k++)
      bound += hypot(band->lower_re[HALF * k + i % HALF], band->lower_im[HALF * k + i % HALF]) * y[k];
    check_close(residual(s->n, i, re, im, &size), 0.0, 3 * 4 * real_bound * bound);
  }
}

static void complex_solutions_stay_below_the_bound_of_their_factors(void **state) {
  (void)state;
  const wy_band_plain_kernels *kernels[3];
  const int count = all_kernels(kernels);
  for (int o = 0; o < ORDERS; o++)
    for (matrix_kind kind = DOMINANT; kind < KINDS; kind++) {
      system s = open_system(orders[o]);
      double re[MOST], im[MOST], many[WY_LANES * MOST], many_im[WY_LANES * MOST];
      draw_part(&parts[0], kind, s.n);
      draw_part(&parts[1], kind == GYROSCOPE ? BEAM : kind, s.n);
      for (int k = 0; k < count; k++) {
        source from = {s.n, 0};
        assert_int_equal(kernels[k]->complex_factor(&s.band_complex, feed_complex, &from), 0);
        memcpy(re, parts[0].b, sizeof re);
        memcpy(im, parts[1].b, sizeof im);
        kernels[k]->complex_solve(&s.band_complex, re, im);
        check_complex(&s, re, im);
        for (int i = 0; i < s.n; i++)
          for (int c = 0; c < WY_LANES; c++) {
            many[WY_LANES * i + c] = ldexp(parts[0].b[i], c);
            many_im[WY_LANES * i + c] = ldexp(parts[1].b[i], c);
          }
        kernels[k]->complex_solve_many(&s.band_complex, many, many_im);
        for (int c = 0; c < WY_LANES; c++) {
          for (int i = 0; i < s.n; i++) {
            re[i] = ldexp(many[WY_LANES * i + c], -c);
            im[i] = ldexp(many_im[WY_LANES * i + c], -c);
          }
          check_complex(&s, re, im);
        }
      }
      close_system(&s);
    }
}

/* Powers of two in front of rows and unknowns change exponents and nothing else: so does the choice of units (S47). */
static void units_do_not_matter(void **state) {
  (void)state;
  system s = open_system(64);
  double x[MOST], y[MOST];
  int on_row[MOST], on_unknown[MOST];
  source from = {s.n, 0};
  draw_part(&parts[0], GYROSCOPE, s.n);
  memcpy(x, parts[0].b, sizeof x);
  assert_int_equal(wy_band_factor_plain(&s.band, feed, &from), 0);
  wy_band_solve(&s.band, x);
  for (int i = 0; i < s.n; i++)
    on_row[i] = (int)(40 * draw()), on_unknown[i] = (int)(40 * draw());
  for (int i = 0; i < s.n; i++) {
    y[i] = ldexp(parts[0].b[i], on_row[i]);
    for (int d = -HALF; d <= HALF; d++)
      if (exists(i, d, s.n))
        parts[0].row[i][d + HALF] = ldexp(parts[0].row[i][d + HALF], on_row[i] + on_unknown[i + d]);
  }
  from.next = 0;
  assert_int_equal(wy_band_factor_plain(&s.band, feed, &from), 0);
  wy_band_solve(&s.band, y);
  for (int i = 0; i < s.n; i++)
    check_close(ldexp(y[i], on_unknown[i]), x[i], 0.0);
  close_system(&s);
}

/* What elimination without exchanges cannot do: pivots that are zero, not a number, or so small that the next ones grow
   beyond all that was there. The tiny one is right for itself; its neighbours show it. */
typedef enum trouble { ZERO, NOT_A_NUMBER, TINY, TROUBLES } trouble;

static void spoil(part *to, int row, trouble what) {
  to->row[row][HALF] = what == ZERO ? 0 : what == TINY ? 1e-9 : (double)NAN;
  if (row > 0) /* nothing comes to the diagonal from before */
    for (int d = 1; d <= HALF && row - d >= 0; d++)
      to->row[row][HALF - d] = 0;
}

/* The whole system in the largest norm: exchanges with multipliers up to one and growth up to that of 17 columns bound
   |A x - b| by a modest multiple of eps |A| |x|; 1000 leaves room for it, and 1e-9 is nowhere near. */
static void check_norm(int n, const double *re, const double *im) {
  double largest = 0, scale = 0, size;
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, residual(n, i, re, im, &size));
    scale = fmax(scale, size);
  }
  check_close(largest, 0.0, 1000 * DBL_EPSILON * scale);
}

static const double ones[] = {1};
static const wy_band_units no_units = {1, ones};

static void growth_is_noticed_and_exchanges_take_over(void **state) {
  (void)state;
  static const int places[] = {0, 5, 8, 30, 62};
  for (trouble what = ZERO; what < TROUBLES; what++)
    for (int p = 0; p < 5; p++) {
      system s = open_system(64);
      double x[MOST];
      draw_part(&parts[0], DOMINANT, s.n);
      spoil(&parts[0], places[p], what);
      for (int again = 0; again < 2; again++) { /* the second time after factors with exchanges */
        source from = {s.n, 0};
        const int failed = wy_band_factor_plain(&s.band, feed, &from);
        assert_int_not_equal(failed, 0);
        assert_true(failed <= places[p] + 2 && failed + 16 > places[p]);
        from.next = 0;
        if (what == NOT_A_NUMBER) {
          assert_int_not_equal(wy_band_factor_scaled(&s.band, feed, &from, no_units), 0);
          continue;
        }
        assert_int_equal(wy_band_factor_scaled(&s.band, feed, &from, no_units), 0);
        memcpy(x, parts[0].b, sizeof x);
        wy_band_solve(&s.band, x);
        check_norm(s.n, x, NULL);
      }
      close_system(&s);
    }
}

static void complex_growth_is_noticed_and_exchanges_take_over(void **state) {
  (void)state;
  static const int places[] = {0, 5, 8, 30, 62};
  for (trouble what = ZERO; what < TROUBLES; what++)
    for (int p = 0; p < 5; p++) {
      system s = open_system(64);
      double re[MOST], im[MOST];
      for (int k = 0; k < 2; k++) {
        draw_part(&parts[k], DOMINANT, s.n);
        spoil(&parts[k], places[p], what);
      }
      source from = {s.n, 0};
      assert_int_not_equal(wy_band_complex_factor_plain(&s.band_complex, feed_complex, &from), 0);
      from.next = 0;
      if (what != NOT_A_NUMBER) {
        assert_int_equal(wy_band_complex_factor_scaled(&s.band_complex, feed_complex, &from, no_units), 0);
        memcpy(re, parts[0].b, sizeof re);
        memcpy(im, parts[1].b, sizeof im);
        wy_band_complex_solve(&s.band_complex, re, im);
        check_norm(s.n, re, im);
      }
      close_system(&s);
    }
}

/* Rows of unlike sizes: with exchanges and scaled rows each row has a small residual of its own, which is what a small
   backward error of the scaled matrix says; by sizes as they are, the small rows would be lost. */
static void scaled_rows_are_all_solved(void **state) {
  (void)state;
  system s = open_system(64);
  double x[MOST], many[WY_LANES * MOST], size;
  draw_part(&parts[0], DOMINANT, s.n);
  for (int i = 0; i < s.n; i++) {
    const int exponent = i % 6 < 3 ? 0 : -60;
    parts[0].b[i] = ldexp(parts[0].b[i], exponent);
    parts[0].row[i][HALF] = i % 5 ? parts[0].row[i][HALF] : 1e-9;
    for (int d = 0; d < WIDTH; d++)
      parts[0].row[i][d] = ldexp(parts[0].row[i][d], exponent);
  }
  source from = {s.n, 0};
  assert_int_equal(wy_band_factor_scaled(&s.band, feed, &from, no_units), 0);
  memcpy(x, parts[0].b, sizeof x);
  for (int i = 0; i < WY_LANES * s.n; i++)
    many[i] = parts[0].b[i / WY_LANES];
  wy_band_solve(&s.band, x);
  wy_band_solve_many(&s.band, many);
  for (int i = 0; i < s.n; i++) {
    double largest = 0;
    for (int k = 0; k < s.n; k++)
      largest = fmax(largest, fabs(x[k]));
    check_close(residual(s.n, i, x, NULL, &size), 0.0,
                1000 * DBL_EPSILON * ldexp(WIDTH + 1, i % 6 < 3 ? 0 : -60) * largest);
  }
  for (int c = 0; c < WY_LANES; c++) {
    double y[MOST];
    for (int i = 0; i < s.n; i++)
      y[i] = many[WY_LANES * i + c];
    check_norm(s.n, y, NULL);
  }
  close_system(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_solutions_stay_below_the_bound_of_their_factors),
      cmocka_unit_test(complex_solutions_stay_below_the_bound_of_their_factors),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(growth_is_noticed_and_exchanges_take_over),
      cmocka_unit_test(complex_growth_is_noticed_and_exchanges_take_over),
      cmocka_unit_test(scaled_rows_are_all_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
