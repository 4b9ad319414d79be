/* SPDX-License-Identifier: MIT */
/* Segments that become shorter towards the ends: each holds as much of the density as every other. */
#include <string.h>

#include "check.h"
#include "withy/withy.h"

enum { MOST = 4096 };

/* The integral of 1 + sum (finer - 1) exp(-distance/over), by Simpson's rule on 200 pieces: off by far less than
   1e-10 where a segment is at most `over` long. */
static double held(const double finer[2], double over, double length, double from, double to) {
  enum { PIECES = 200 };
  const double step = (to - from) / PIECES;
  double sum = 0;
  for (int i = 0; i <= PIECES; i++) {
    const double s = from + i * step, weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
    sum += weight * (1 + (finer[0] - 1) * exp(-s / over) + (finer[1] - 1) * exp((s - length) / over));
  }
  return sum * step / 3;
}

static void segments_share_the_density(void **state) {
  (void)state;
  static const struct {
    int count;
    double length, finer[2], over;
  } cases[] = {{16, 1, {4, 1}, 0.15}, {9, 2.5, {1, 6}, 0.4}, {40, 1e-3, {8, 3}, 5e-5}, {MOST, 7, {100, 0.5}, 1}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    double lengths[MOST], from = 0;
    const int n = cases[c].count;
    const double length = cases[c].length, over = cases[c].over;
    assert_int_equal(wy_graded_lengths(n, length, cases[c].finer, over, lengths, NULL), WY_OK);
    const double each = held(cases[c].finer, over, length, 0, lengths[0]);
    for (int i = 0; i < n; i++) {
      assert_true(lengths[i] > 0);
      check_close(held(cases[c].finer, over, length, from, from + lengths[i]), each, 1e-9 * length);
      from += lengths[i];
    }
    check_close(from, length, 1e-12 * length);
  }
}

static void without_grading_segments_are_equal(void **state) {
  (void)state;
  const double finer[2] = {1, 1};
  double lengths[10];
  assert_int_equal(wy_graded_lengths(10, 3, finer, 0.3, lengths, NULL), WY_OK);
  for (int i = 0; i < 10; i++)
    check_close(lengths[i], 0.3, 1e-15);
}

static void impossible_gradings_are_refused(void **state) {
  (void)state;
  double lengths[10];
  wy_message message;
  const double longer[2] = {0.01, 0.01}; /* a density of 1 - 2 * 0.99 exp(-1) < 1/3 between, and of -0.13 at the ends */
  assert_int_equal(wy_graded_lengths(10, 1, longer, 0.5, lengths, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "density"));
  const double finer[2] = {2, 1}, none[2] = {2, 0}, infinite[2] = {(double)INFINITY, 1};
  assert_int_equal(wy_graded_lengths(0, 1, finer, 0.1, lengths, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "`count`"));
  assert_int_equal(wy_graded_lengths(10, -1, finer, 0.1, lengths, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "`length`"));
  assert_int_equal(wy_graded_lengths(10, 1, none, 0.1, lengths, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "`finer at the end`"));
  assert_int_equal(wy_graded_lengths(10, 1, infinite, 0.1, lengths, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_graded_lengths(10, 1, finer, 0, lengths, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_graded_lengths(10, 1, NULL, 0.1, lengths, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_graded_lengths(10, 1, finer, 0.1, NULL, &message), WY_ERROR_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_share_the_density),
      cmocka_unit_test(without_grading_segments_are_equal),
      cmocka_unit_test(impossible_gradings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
