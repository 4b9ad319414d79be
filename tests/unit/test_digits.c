/* SPDX-License-Identifier: MIT */
/* Numbers in tables: the text is that of "%.17g", character by character. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run/results/file.h"

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void check_text(double value) {
  wy_text got = {0};
  char want[64];
  wy_text_number(&got, value);
  snprintf(want, sizeof want, "%.17g", value);
  if (strcmp(got.data, want) != 0)
    fail_msg("%a: got %s, want %s", value, got.data, want);
  wy_text_free(&got);
}

static void check_both(double value) {
  check_text(value);
  check_text(-value);
}

/* Where the way of printing changes, and what is no number. */
static void borders(void **state) {
  (void)state;
  const double values[] = {
      0,    1,    0.5,   0.1,    1e-4,        9.9999999999999991e-5, 1e-5,      1e-11,  1e-12,  1e16,
      1e17, 1e22, 2e-10, 123456, 1234567.125, 9007199254740992.0,    1.0 / 3.0, 5e-324, 1.7e308};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    check_both(values[i]);
    check_both(nextafter(values[i], INFINITY));
    check_both(nextafter(values[i], -INFINITY));
  }
  check_both(INFINITY);
  check_text(NAN);
}

/* Any bits, and numbers of every size around powers of ten, where digits carry. */
static void random_numbers(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252U;
  for (int i = 0; i < 100000; i++) {
    const uint64_t bits = next(&seed);
    double any;
    memcpy(&any, &bits, sizeof any);
    if (!isnan(any))
      check_text(any);
    const double ten = pow(10, (double)(next(&seed) % 36) - 14);
    check_text(ten * ((double)next(&seed) / 18446744073709551616.0 - 0.5));
    check_text(ten * (double)(next(&seed) % 100000));
    check_text(nextafter(ten, next(&seed) % 2 ? 0 : INFINITY));
  }
}

/* Halves of the last digit go to the even one: sums of few powers of two have an end. */
static void ties(void **state) {
  (void)state;
  for (int e = -40; e < 53; e++)
    for (int k = 1; k < 2000; k += 2)
      check_both(ldexp(k, -e) + 1048576);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(borders), cmocka_unit_test(random_numbers),
                                     cmocka_unit_test(ties)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
