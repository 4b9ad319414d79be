/* SPDX-License-Identifier: MIT */
/* The experiment on Kinon, Eugster and Betsch: every comparison agrees, and every figure of section 6 is there.

   labels: slow */
#include <stdlib.h>

#include "check.h"
#include "support/experiment.h"

static wy_findings *findings;

static void flying_spaghetti(void **state) {
  (void)state;
  check_part(findings, &wy_kinon_eugster_betsch, "spaghetti", 29);
  check_chart(findings, "keb-04-snapshots", 16);
  check_chart(findings, "keb-06-violation", 2);
  check_chart(findings, "keb-08-time", 4);
}

static void knocked_cantilever(void **state) {
  (void)state;
  check_part(findings, &wy_kinon_eugster_betsch, "cantilever", 15);
  check_chart(findings, "keb-12-strains", 6);
}

static void bent_cantilever(void **state) {
  (void)state;
  check_part(findings, &wy_kinon_eugster_betsch, "bent", 18);
  check_chart(findings, "keb-14-constrained", 6);
}

static void soft_arm(void **state) {
  (void)state;
  check_part(findings, &wy_kinon_eugster_betsch, "arm", 14);
  check_chart(findings, "keb-16-paths", 3);
}

static void all_figures_are_there(void **state) {
  (void)state;
  check_figures(findings, 4, 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flying_spaghetti), cmocka_unit_test(knocked_cantilever),
                                     cmocka_unit_test(bent_cantilever), cmocka_unit_test(soft_arm),
                                     cmocka_unit_test(all_figures_are_there)};
  findings = new_findings();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(findings);
  return failed;
}
