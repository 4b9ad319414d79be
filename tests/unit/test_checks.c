/* SPDX-License-Identifier: MIT */
/* The tools of the tests themselves: what is no number fails a test, wherever it stands among errors. */
#include "check.h"
#include "support/rods.h"

static void no_number_is_the_largest(void **state) {
  (void)state;
  double errors[4] = {1e-9, NAN, 2e-9, 0}, worst = 0;
  for (int i = 0; i < 4; i++)
    worst = fmax(worst, errors[i]);
  assert_true(isnan(worst));
  assert_false(worst < 1); /* as an assertion would ask */
  assert_true(isnan(largest(errors, 4)));
  errors[1] = -3e-9;
  check_close(largest(errors, 4), 3e-9, 0);
  check_close(fmax(-1, 2), 2, 0);
  check_close(fmax(2, -1), 2, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_number_is_the_largest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
