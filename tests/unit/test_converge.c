/* SPDX-License-Identifier: MIT */
/* What courses of a known order and constant say (run/converge/estimate.h): orders, limits and errors against the known
   ones; vectors, courses in time, ratios other than two, signs that change, nothing to see, noise, and no numbers. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "run/converge/estimate.h"

enum { LEVELS = 4, ROWS = 40, MOST = 3 * ROWS };

/* Levels of a course whose limit and whose constant are known functions of time. */
typedef struct made {
  double limit[MOST], values[LEVELS][MOST];
  const double *list[LEVELS];
  double h[LEVELS];
  wy_series series;
} made;

static double limit_at(int row, int i) {
  return cos(0.3 * row + i) + 2 * i;
}

static double constant_at(int row, int i) {
  return (0.5 + 0.1 * i) * sin(0.2 * row + 0.5) + 0.3;
}

/* q = limit + C h^p + C2 h^q, with h = 1, 1/r, 1/r^2, ... */
static void make(made *m, int levels, int rows, int components, double ratio, double p, double next, double q) {
  *m = (made){.series = {.levels = levels, .rows = rows, .components = components, .promised = p}};
  for (int k = 0; k < levels; k++) {
    m->h[k] = pow(ratio, -k);
    m->list[k] = m->values[k];
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < components; i++) {
        const int at = r * components + i;
        m->limit[at] = limit_at(r, i);
        m->values[k][at] =
            m->limit[at] + constant_at(r, i) * pow(m->h[k], p) + next * cos(0.7 * r + i) * pow(m->h[k], q);
      }
  }
  m->series.values = m->list;
  m->series.h = m->h;
}

/* The largest error of a level, and what an estimate says of it. */
static double true_error(const made *m, int level) {
  return wy_largest_distance(m->values[level], m->limit, m->series.rows, m->series.components);
}

static double estimated_error(const made *m, const wy_estimate *e, int level) {
  double limit[MOST];
  const wy_series *s = &m->series;
  const double *fine = m->values[s->levels - 1], *before = m->values[s->levels - 2];
  for (int i = 0; i < s->rows * s->components; i++)
    limit[i] = fine[i] + e->factor * (fine[i] - before[i]);
  return wy_largest_distance(m->values[level], limit, s->rows, s->components) + e->rest;
}

/* A pure power: order, limit and errors are exact, for any ratio, order, number of rows and components. The error of an
   order follows from rounding of differences. */
static void a_pure_power_is_found_exactly(void **state) {
  (void)state;
  static const double ratios[] = {2, 3, 1.5, 2.04}, orders[] = {0.75, 1, 2, 3, 4};
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 5; b++)
      for (int components = 1; components <= 3; components++) {
        made m;
        make(&m, 3, components == 2 ? 1 : ROWS, components, ratios[a], orders[b], 0, 1);
        const wy_estimate e = wy_estimate_series(&m.series);
        const double slack = 100 * DBL_EPSILON * pow(ratios[a], 2 * orders[b]) * 10;
        assert_int_equal(e.verdict, WY_CONVERGES);
        assert_true(e.trusted);
        check_close(e.order, orders[b], slack);
        check_close(e.agreement, 1, 1e-9);
        for (int k = 0; k < 3; k++)
          check_close(estimated_error(&m, &e, k), true_error(&m, k), slack);
      }
}

/* Unequal ratios, as of an odd number of segments: 25, 51, 103. */
static void ratios_may_change_from_level_to_level(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 2, 2, 2, 0, 1);
  const double n[] = {25, 51, 103};
  for (int k = 0; k < 3; k++) {
    m.h[k] = 1 / n[k];
    for (int i = 0; i < 2 * ROWS; i++)
      m.values[k][i] = m.limit[i] + constant_at(i / 2, i % 2) * m.h[k] * m.h[k];
  }
  const wy_estimate e = wy_estimate_series(&m.series);
  check_close(e.order, 2, 1e-9);
  check_close(estimated_error(&m, &e, 2), true_error(&m, 2), 1e-12);
  check_close(wy_estimate_order(log(2.0) / log(3.0), (const double[]){6, 3, 1}), 0, 2e-9);
}

/* With a term of the next order, of another shape, and as large as the first one at the coarsest level, the estimate of
   the finest level is off by the share of that term, a fourth of it per level: far within a factor of 2. */
static void higher_terms_change_little(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 3, 2, 2, 0.4, 4);
  const wy_estimate e = wy_estimate_series(&m.series);
  assert_true(e.verdict == WY_CONVERGES || e.verdict == WY_FASTER);
  for (int k = 0; k < 3; k++) {
    const double ratio = estimated_error(&m, &e, k) / true_error(&m, k);
    check_above(ratio, 0.5);
    check_below(ratio, 2);
  }
}

static void orders_beside_the_promised_one_have_names(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 1, 2, 1, 0, 1);
  m.series.promised = 2;
  wy_estimate e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_SLOWER);
  check_close(estimated_error(&m, &e, 0), true_error(&m, 0), 1e-12);

  make(&m, 3, ROWS, 1, 2, 3, 0, 1);
  m.series.promised = 2; /* (2^3 - 1)/(2^2 - 1) times too large, on the safe side */
  e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_FASTER);
  check_close(estimated_error(&m, &e, 2) / true_error(&m, 2), 7.0 / 3, 1e-9);
}

/* A single number that two levels agree on by chance: no false small error. A course, or one more level, tells that the
   order is real. */
static void chance_is_not_trusted(void **state) {
  (void)state;
  made m;
  make(&m, 3, 1, 1, 2, 1, 0, 1);
  m.series.promised = 2;
  for (int sign = -1; sign <= 1; sign += 2) {
    m.values[2][0] = m.values[1][0] + sign * 1e-6;
    const wy_estimate chance = wy_estimate_series(&m.series);
    assert_int_equal(chance.verdict, WY_BY_CHANCE);
    assert_false(chance.trusted);
    check_above(estimated_error(&m, &chance, 2), 0.99 * true_error(&m, 2));
  }

  make(&m, 3, 1, 1, 2, 4, 0, 1);
  m.series.promised = 2;
  assert_int_equal(wy_estimate_series(&m.series).verdict, WY_BY_CHANCE);
  make(&m, 4, 1, 1, 2, 4, 0, 1);
  m.series.promised = 2;
  assert_int_equal(wy_estimate_series(&m.series).verdict, WY_FASTER);
  make(&m, 3, ROWS, 1, 2, 4, 0, 1);
  m.series.promised = 2;
  assert_int_equal(wy_estimate_series(&m.series).verdict, WY_FASTER);
}

/* Errors of alternating sign: nothing is extrapolated, and the error is at most the last difference. */
static void alternating_errors_are_bounded(void **state) {
  (void)state;
  made m;
  make(&m, 3, 1, 1, 2, 2, 0, 1);
  for (int k = 0; k < 3; k++)
    m.values[k][0] = m.limit[0] + (k % 2 ? -1 : 1) * m.h[k] * m.h[k];
  const wy_estimate e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_IRREGULAR);
  assert_true(e.trusted && e.factor == 0);
  check_close(e.agreement, -1, 1e-12);
  for (int k = 0; k < 3; k++)
    check_at_least(estimated_error(&m, &e, k), true_error(&m, k));
}

/* Waves whose phase depends on the level: sizes fall with the order, shapes are not alike. */
static void other_shapes_at_each_level_still_have_a_size(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 1, 2, 2, 0, 1);
  for (int k = 0; k < 3; k++)
    for (int r = 0; r < ROWS; r++)
      m.values[k][r] = m.limit[r] + m.h[k] * m.h[k] * sin((1 + k) * 0.9 * r + k);
  const wy_estimate e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_IRREGULAR);
  for (int k = 0; k < 3; k += 2) {
    const double ratio = estimated_error(&m, &e, k) / true_error(&m, k);
    check_above(ratio, 1.0 / 3);
    check_below(ratio, 3);
  }
}

static void what_does_not_converge_is_not_trusted(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 2, 2, 0.25, 0, 1);
  m.series.promised = 2;
  wy_estimate e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_NOT_CONVERGING);
  assert_false(e.trusted);
  make(&m, 3, ROWS, 2, 2, 2, 0, 1);
  for (int i = 0; i < 2 * ROWS; i++) /* grows */
    m.values[2][i] = m.values[1][i] + 2 * (m.values[1][i] - m.values[0][i]);
  e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_NOT_CONVERGING);
  check_below(e.order, 0);
  check_at_least(e.rest, wy_largest_distance(m.values[1], m.values[2], ROWS, 2));
}

/* The constant changes from level to level, as that of linear interpolation, f (1 - f), with the fraction f of a cell:
   0.9, 0.8, 0.6. The limit is not extrapolated, and the errors are upper limits. */
static void between_nodes_errors_are_upper_limits(void **state) {
  (void)state;
  for (double f = 0.02; f < 1; f += 0.02) {
    made m;
    make(&m, 3, 1, 1, 2, 2, 0, 1);
    m.series.between = true;
    for (int k = 0; k < 3; k++) {
      const double part = fmod(f * ldexp(1, k), 1);
      m.values[k][0] = m.limit[0] + part * (1 - part) * m.h[k] * m.h[k];
    }
    const wy_estimate e = wy_estimate_series(&m.series);
    assert_true(e.factor == 0);
    for (int k = 0; k < 3; k++)
      check_at_least(estimated_error(&m, &e, k), (1 - 1e-9) * true_error(&m, k));
  }
}

static void differences_of_rounding_and_of_noise_are_no_order(void **state) {
  (void)state;
  made m;
  make(&m, 3, ROWS, 1, 2, 2, 0, 1);
  for (int k = 0; k < 3; k++)
    memcpy(m.values[k], m.limit, sizeof m.limit);
  wy_estimate e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_ROUNDING);
  assert_true(e.trusted && e.rest == 0 && isnan(e.order));
  m.values[1][3] += 1e-13;
  m.series.rounding = 1e-12;
  e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_ROUNDING);
  check_close(e.rest, 1e-13, 1e-15);

  make(&m, 3, ROWS, 1, 2, 2, 0, 1);
  m.series.noise = wy_largest_distance(m.values[1], m.values[2], ROWS, 1);
  e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_TIME_NOISE);
  check_at_least(estimated_error(&m, &e, 2), true_error(&m, 2));
  m.series.noise *= 0.01; /* a small one is only added */
  e = wy_estimate_series(&m.series);
  assert_int_equal(e.verdict, WY_CONVERGES);
  check_close(estimated_error(&m, &e, 2), true_error(&m, 2) + m.series.noise, 1e-12);
}

static void no_number_passes(void **state) {
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int b = 0; b < 3; b++)
    for (int k = 0; k < 3; k++) {
      made m;
      make(&m, 3, ROWS, 2, 2, 2, 0, 1);
      m.values[k][17] = bad[b];
      const wy_estimate e = wy_estimate_series(&m.series);
      assert_int_equal(e.verdict, WY_NOT_FINITE);
      assert_false(e.trusted);
      assert_true(isnan(e.rest));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pure_power_is_found_exactly),
      cmocka_unit_test(ratios_may_change_from_level_to_level),
      cmocka_unit_test(higher_terms_change_little),
      cmocka_unit_test(orders_beside_the_promised_one_have_names),
      cmocka_unit_test(chance_is_not_trusted),
      cmocka_unit_test(alternating_errors_are_bounded),
      cmocka_unit_test(other_shapes_at_each_level_still_have_a_size),
      cmocka_unit_test(what_does_not_converge_is_not_trusted),
      cmocka_unit_test(between_nodes_errors_are_upper_limits),
      cmocka_unit_test(differences_of_rounding_and_of_noise_are_no_order),
      cmocka_unit_test(no_number_passes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
