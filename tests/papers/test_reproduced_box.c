/* SPDX-License-Identifier: MIT */
/* The experiment on Sobottka, Lay and Weber: every comparison agrees, and what the published pictures show is there.

   labels: slow */
#include <stdlib.h>

#include "check.h"
#include "support/experiment.h"

static wy_findings *findings;

static void coefficients_and_orders(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "sets", 15);
}

static void falling_cantilever(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "falling", 18);
}

static void rods_at_rest(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "resting", 8);
  check_chart(findings, "slw-gravity", 7);
  check_chart(findings, "slw-torque", 5);
}

static void buckling(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "buckling", 17);
  check_chart(findings, "slw-buckling", 4);
}

static void coil_spring(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "spring", 18);
  check_chart(findings, "slw-coil-100", 3);
  check_chart(findings, "slw-coil-25", 3);
}

static void hair_tress(void **state) {
  (void)state;
  check_part(findings, &wy_sobottka_lay_weber, "hair", 4);
  check_chart(findings, "slw-hair-1", 1);
  check_chart(findings, "slw-hair-energy", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coefficients_and_orders),
                                     cmocka_unit_test(falling_cantilever),
                                     cmocka_unit_test(rods_at_rest),
                                     cmocka_unit_test(buckling),
                                     cmocka_unit_test(coil_spring),
                                     cmocka_unit_test(hair_tress)};
  findings = new_findings();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(findings);
  return failed;
}
