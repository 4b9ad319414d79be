/* SPDX-License-Identifier: MIT */
/* The experiment on Lang, Linn and Arnold: all comparisons of its comparison tests agree, and the rows of its tables of
   solver statistics. Of these all are run that take 61000 steps or less: not DOPRI5 on steel and RODAS on steel with
   1e-7 and 1e-8, which take minutes; `withy reproduce lang-linn-arnold` has them.

   labels: slow */
#include <stdlib.h>

#include "check.h"
#include "experiments/lang_linn_arnold/common.h"
#include "support/experiment.h"

static wy_findings *findings;

static void comparison_tests(void **state) {
  (void)state;
  check_part(findings, &wy_lang_linn_arnold, "test-1", 9);
  check_chart(findings, "lla-test-1-shapes", 16);
  check_part(findings, &wy_lang_linn_arnold, "test-2", 5);
  check_chart(findings, "lla-test-2-x1", 6);
}

static void measures_and_order(void **state) {
  (void)state;
  check_part(findings, &wy_lang_linn_arnold, "measures", 5);
  check_part(findings, &wy_lang_linn_arnold, "order", 4);
}

/* Three numbers a row: 28 rows of the rubber rod, 19 of the steel string. */
static void solver_statistics(void **state) {
  (void)state;
  for (int rod = WY_SWING_RUBBER; rod <= WY_SWING_STEEL; rod++) {
    wy_findings *table = new_findings();
    wy_message message = {.text = ""};
    if (wy_lla_counts(table, (wy_swing_rod)rod, 61000, &message) != WY_OK)
      fail_msg("%s", message.text);
    check_findings(table, rod == WY_SWING_STEEL ? "Table 3" : "Table 2", 3 * (rod == WY_SWING_STEEL ? 19 : 28));
    free(table);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comparison_tests), cmocka_unit_test(measures_and_order),
                                     cmocka_unit_test(solver_statistics)};
  findings = new_findings();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(findings);
  return failed;
}
