/* SPDX-License-Identifier: MIT */
/* The points of a sweep: the same on every machine, evenly spread as their kind promises, and the functions that they
   are made with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run/sweep/points.h"

/* ---- Functions ---- */

static const double ulp = 0x1p-52;

static void logarithms_and_powers_are_those_of_libm(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    const double u = wy_random_unit(wy_random_bits(1, (uint64_t)i, 0));
    const double x = 1400 * (u - 0.5), e = wy_exact_exp(x), l = wy_exact_log(e);
    check_close(e, exp(x), 2 * ulp * exp(x)); /* each within one last digit of the truth */
    check_close(l, log(e), 2 * ulp * fabs(log(e)) + 1e-300);
  }
  check_close(wy_exact_log(1), 0, 0);
  check_close(wy_exact_exp(0), 1, 0);
  check_close(wy_exact_exp(1), 0x1.5bf0a8b145769p+1, 0); /* e, correctly rounded */
  check_close(wy_exact_log(10), 0x1.26bb1bbb55516p+1, 0);
}

/* The quantile against the distribution function: Phi(z) = erfc(-z/sqrt 2)/2 moves by phi(z) dz. */
static void normal_quantiles_invert_the_distribution(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    double u = wy_random_unit(wy_random_bits(2, (uint64_t)i, 0));
    if (i % 2)
      u *= wy_exact_exp(-60 * wy_random_unit(wy_random_bits(3, (uint64_t)i, 0)));
    const double z = wy_normal(u), phi = exp(-z * z / 2) / sqrt(8 * atan(1));
    const double back = erfc(-z / sqrt(2)) / 2;
    /* 1e-15 of z, and the rounding of z/sqrt 2 and z^2 in erfc and exp. */
    check_close(back, u, phi * fabs(z) * 2e-15 + u * (4 + z * z) * ulp);
  }
  check_close(wy_normal(0.5), 0, 0);
  check_close(wy_normal(0.975), 1.959963984540054, 1e-15);
  check_close(wy_normal(0.25) + wy_normal(0.75), 0, 0);
}

static void ranges_meet_what_people_expect(void **state) {
  (void)state;
  char text[40];
  for (int k = 0; k <= 10; k++) {
    check_close(wy_spread(0, 1, k, 10, false), k / 10.0, 0);
    check_close(wy_spread(10, 40, k, 10, false), 10 + 3 * k, 0);
    check_close(wy_spread(1, 1e10, k, 10, true), strtod((snprintf(text, sizeof text, "1e%d", k), text), NULL), 0);
  }
  check_close(wy_spread(3, 3, 0.3, 1, false), 3, 0);
  check_close(wy_spread(-1e280, 1e280, 1, 2, false), 0, 0);
  assert_int_equal(wy_number_text(0.1, text, sizeof text), 3);
  assert_string_equal(text, "0.1");
  assert_int_equal(wy_number_text(1.0 / 3, NULL, 0), 18);
  wy_number_text(1.0 / 3, text, sizeof text);
  assert_true(strtod(text, NULL) == 1.0 / 3);
}

/* ---- Sobol ---- */

/* The first points of the sequence as Joe and Kuo print them, dimensions 1 to 5. */
static void sobol_begins_as_published(void **state) {
  (void)state;
  static const double first[8][5] = {{0, 0, 0, 0, 0},
                                     {0.5, 0.5, 0.5, 0.5, 0.5},
                                     {0.75, 0.25, 0.25, 0.25, 0.75},
                                     {0.25, 0.75, 0.75, 0.75, 0.25},
                                     {0.375, 0.375, 0.625, 0.875, 0.375},
                                     {0.875, 0.875, 0.125, 0.375, 0.875},
                                     {0.625, 0.125, 0.875, 0.625, 0.625},
                                     {0.125, 0.625, 0.375, 0.125, 0.125}};
  for (int d = 0; d < 5; d++) {
    uint32_t directions[WY_SOBOL_BITS];
    wy_sobol_directions(d, directions);
    for (uint32_t i = 0; i < 8; i++)
      check_close(wy_sobol(directions, i) * 0x1p-32, first[i][d], 0);
  }
}

static wy_axis uniform(void) {
  return (wy_axis){.path = "a", .kind = WY_AXIS_UNIFORM, .from = 0, .to = 1, .unit = ""};
}

static wy_point_set make(wy_combine combine, int count, uint64_t seed, wy_axis *axes, int axis_count, wy_pool *pool) {
  wy_point_set points = {combine, count, seed, axes, axis_count};
  assert_true(wy_points_prepare(&points, pool));
  return points;
}

/* Every slice of every axis is met once. */
static void check_slices(const wy_point_set *points) {
  for (int axis = 0; axis < points->axis_count; axis++) {
    char *met = calloc((size_t)points->count, 1);
    for (int i = 0; i < points->count; i++) {
      const double u = wy_points_unit(points, i, axis);
      check_at_least(u, 0);
      check_below(u, 1);
      met[(int)(u * points->count)]++;
    }
    for (int i = 0; i < points->count; i++)
      assert_int_equal(met[i], 1);
    free(met);
  }
}

/* Also after a shift: its bits move slices as a whole. The first two axes are a net: every one of 2^m boxes is met. */
static void sobol_is_a_net(void **state) {
  (void)state;
  enum { AXES = WY_SOBOL_DIMENSIONS, BITS = 8 };
  wy_axis axes[AXES];
  for (uint64_t seed = 0; seed < 3; seed++) {
    wy_pool pool = {0};
    for (int i = 0; i < AXES; i++)
      axes[i] = uniform();
    wy_point_set points = make(WY_SOBOL, 1 << BITS, seed, axes, AXES, &pool);
    check_slices(&points);
    for (int across = 0; across <= BITS; across++) {
      char met[1 << BITS] = {0};
      for (int i = 0; i < 1 << BITS; i++) {
        const int x = (int)ldexp(wy_points_unit(&points, i, 0), across);
        const int y = (int)ldexp(wy_points_unit(&points, i, 1), BITS - across);
        met[(x << (BITS - across)) + y]++;
      }
      for (int i = 0; i < 1 << BITS; i++)
        assert_int_equal(met[i], 1);
    }
    wy_pool_release(&pool);
  }
}

/* ---- Latin and random ---- */

static void latin_meets_every_slice_once(void **state) {
  (void)state;
  static const int counts[] = {1, 2, 7, 100, 1000};
  wy_axis axes[3] = {uniform(), uniform(), uniform()};
  for (int i = 0; i < 5; i++) {
    wy_pool pool = {0};
    wy_point_set points = make(WY_LATIN, counts[i], (uint64_t)i, axes, 3, &pool);
    check_slices(&points);
    if (counts[i] == 1000) {
      int same = 0;
      for (int k = 0; k < 1000; k++)
        same += axes[0].order[k] == axes[1].order[k];
      check_below(same, 12); /* of a Poisson distribution with mean 1: probability 1e-9 */
    }
    wy_pool_release(&pool);
  }
}

/* Chi squared of 100 slices and of 10 x 10 boxes of two axes: mean 99, deviation 14; six deviations. */
static void random_points_are_uniform_and_independent(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  wy_axis axes[2] = {uniform(), uniform()};
  wy_pool pool = {0};
  wy_point_set points = make(WY_RANDOM, COUNT, 1, axes, 2, &pool);
  double slices[100] = {0}, boxes[100] = {0}, chi[2] = {0, 0};
  for (int i = 0; i < COUNT; i++) {
    const double x = wy_points_unit(&points, i, 0), y = wy_points_unit(&points, i, 1);
    slices[(int)(100 * x)]++;
    boxes[10 * (int)(10 * x) + (int)(10 * y)]++;
  }
  for (int i = 0; i < 100; i++) {
    chi[0] += pow(slices[i] - COUNT / 100, 2) / (COUNT / 100);
    chi[1] += pow(boxes[i] - COUNT / 100, 2) / (COUNT / 100);
  }
  for (int i = 0; i < 2; i++)
    check_close(chi[i], 99, 6 * sqrt(2 * 99));
  wy_pool_release(&pool);
}

/* Moments of n normal numbers: standard errors 1/sqrt n, sqrt(2/n), sqrt(6/n), sqrt(24/n) of mean, variance, skewness
   and excess; five of them. With latin the mean is far better. */
static void normal_points_have_their_moments(void **state) {
  (void)state;
  enum { COUNT = 40000 };
  for (int latin = 0; latin < 2; latin++) {
    wy_axis axis = {.path = "a", .kind = WY_AXIS_NORMAL, .mean = 10, .deviation = 2, .unit = ""};
    wy_pool pool = {0};
    wy_point_set points = make(latin ? WY_LATIN : WY_RANDOM, COUNT, 5, &axis, 1, &pool);
    double m[5] = {0};
    for (int i = 0; i < COUNT; i++) {
      const double z = (wy_points_number(&points, i, 0) - 10) / 2;
      for (int k = 1; k < 5; k++)
        m[k] += pow(z, k) / COUNT;
    }
    check_close(m[1], 0, latin ? 10.0 / COUNT : 5 / sqrt(COUNT));
    check_close(m[2], 1, 5 * sqrt(2.0 / COUNT));
    check_close(m[3], 0, 5 * sqrt(15.0 / COUNT));
    check_close(m[4], 3, 5 * sqrt(96.0 / COUNT));
    wy_pool_release(&pool);
  }
}

/* ---- Combinations ---- */

static void check_value(const wy_point_set *points, int point, int axis, const char *want) {
  char text[64];
  wy_points_text(points, point, axis, text, sizeof text);
  assert_string_equal(text, want);
}

static void grids_vary_the_last_axis_fastest(void **state) {
  (void)state;
  static const char *const words[] = {"box", "mixed"};
  wy_axis axes[3] = {
      {.path = "a", .kind = WY_AXIS_LIST, .count = 2, .texts = words, .unit = ""},
      {.path = "b", .kind = WY_AXIS_RANGE, .count = 3, .from = 1e-6, .to = 1e-4, .ratios = true, .unit = "Pa"},
      {.path = "c", .kind = WY_AXIS_RANGE, .count = 1, .from = 7, .to = 7, .unit = ""}};
  wy_pool pool = {0};
  wy_point_set points = make(WY_GRID, 0, 1, axes, 3, &pool);
  assert_int_equal(points.count, 6);
  check_value(&points, 0, 0, "box");
  check_value(&points, 2, 0, "box");
  check_value(&points, 3, 0, "mixed");
  check_value(&points, 0, 1, "1e-06 Pa");
  check_value(&points, 1, 1, "1e-05 Pa");
  check_value(&points, 5, 1, "0.0001 Pa");
  check_value(&points, 5, 2, "7");
  assert_true(isnan(wy_points_number(&points, 0, 0)));
  check_close(wy_points_number(&points, 4, 1), 1e-5, 0);
  axes[1].count = 4000;
  axes[2].count = 4000;
  assert_int_equal(make(WY_GRID, 0, 1, axes, 3, &pool).count, WY_PLAN_MOST_POINTS + 1);
  axes[1].count = 2;
  assert_int_equal(make(WY_ZIP, 0, 1, axes, 2, &pool).count, 2);
  wy_pool_release(&pool);
}

static void every_entry_of_a_list_is_equally_likely(void **state) {
  (void)state;
  static const char *const words[] = {"1", "2 mm", "2*pi", "[1, 2]", "x"};
  static const double numbers[] = {1, 2, NAN, NAN, NAN};
  wy_axis axis = {.path = "a", .kind = WY_AXIS_LIST, .count = 5, .texts = words, .unit = ""};
  wy_pool pool = {0};
  wy_point_set points = make(WY_LATIN, 500, 3, &axis, 1, &pool);
  int met[5] = {0};
  for (int i = 0; i < 500; i++) {
    char text[16];
    wy_points_text(&points, i, 0, text, sizeof text);
    for (int k = 0; k < 5; k++)
      if (strcmp(text, words[k]) == 0) {
        met[k]++;
        assert_true(wy_points_number(&points, i, 0) == numbers[k] || isnan(numbers[k]));
        assert_int_equal(isnan(wy_points_number(&points, i, 0)), isnan(numbers[k]));
      }
  }
  for (int k = 0; k < 5; k++)
    assert_int_equal(met[k], 100);
  wy_pool_release(&pool);
}

/* Computed by an independent program, in Python with decimals of 50 digits and Sobol's points of scipy; they must come
   out on every machine. Another seed gives others. */
static void points_are_the_same_everywhere(void **state) {
  (void)state;
  static const wy_combine kinds[] = {WY_LATIN, WY_SOBOL, WY_RANDOM};
  static const char *const want[3][3] = {{"0.8199631887315538", "602649927.0336704 Pa", "1.2016201924718652"},
                                         {"1.038734907470884", "16567168.408405634 Pa", "0.6559254042804241"},
                                         {"0.9638900843386348", "9631214.280565158 Pa", "0.016201924718652283"}};
  for (int k = 0; k < 3; k++) {
    wy_axis axes[3] = {{.path = "a", .kind = WY_AXIS_NORMAL, .mean = 1, .deviation = 0.1, .unit = ""},
                       {.path = "b", .kind = WY_AXIS_UNIFORM, .from = 1e5, .to = 3e9, .ratios = true, .unit = "Pa"},
                       {.path = "c", .kind = WY_AXIS_UNIFORM, .from = -1, .to = 2, .unit = ""}};
    wy_pool pool = {0};
    wy_point_set points = make(kinds[k], 10, 1, axes, 3, &pool);
    for (int axis = 0; axis < 3; axis++)
      check_value(&points, 4, axis, want[k][axis]);
    char text[64];
    points = make(kinds[k], 10, 2, axes, 3, &pool);
    wy_points_text(&points, 4, 2, text, sizeof text);
    assert_string_not_equal(text, want[k][2]);
    wy_pool_release(&pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithms_and_powers_are_those_of_libm),
      cmocka_unit_test(normal_quantiles_invert_the_distribution),
      cmocka_unit_test(ranges_meet_what_people_expect),
      cmocka_unit_test(sobol_begins_as_published),
      cmocka_unit_test(sobol_is_a_net),
      cmocka_unit_test(latin_meets_every_slice_once),
      cmocka_unit_test(random_points_are_uniform_and_independent),
      cmocka_unit_test(normal_points_have_their_moments),
      cmocka_unit_test(grids_vary_the_last_axis_fastest),
      cmocka_unit_test(every_entry_of_a_list_is_equally_likely),
      cmocka_unit_test(points_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
