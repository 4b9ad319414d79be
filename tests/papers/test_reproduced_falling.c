/* SPDX-License-Identifier: MIT */
/* The twisted falling rod of the experiment on Fuetterer, Klar and Wegener: every comparison agrees, and Figure 4 is
   there.

   labels: slow */
#include <stdlib.h>

#include "check.h"
#include "support/experiment.h"

static void twisted_falling_rod(void **state) {
  (void)state;
  wy_findings *findings = new_findings();
  check_part(findings, &wy_fuetterer_klar_wegener, "falling", 21);
  check_chart(findings, "fkw-4-curve", 4);
  check_chart(findings, "fkw-4-drift", 5);
  check_figures(findings, 4, 4);
  free(findings);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(twisted_falling_rod)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
