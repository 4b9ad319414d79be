/* SPDX-License-Identifier: MIT */
/* The experiment on Fuetterer, Klar and Wegener: every comparison agrees, and the published figures are there.
   Its twisted falling rod takes as long as all others: test_reproduced_falling.c.

   labels: slow */
#include <stdlib.h>

#include "check.h"
#include "support/experiment.h"

static wy_findings *findings;

static void torsion(void **state) {
  (void)state;
  check_part(findings, &wy_fuetterer_klar_wegener, "torsion", 17);
  check_chart(findings, "fkw-2-frequency", 3);
}

static void transversal_oscillation(void **state) {
  (void)state;
  check_part(findings, &wy_fuetterer_klar_wegener, "transversal", 14);
  check_chart(findings, "fkw-3-frequency", 2);
}

static void materials_and_orders(void **state) {
  (void)state;
  check_part(findings, &wy_fuetterer_klar_wegener, "material", 22);
  check_part(findings, &wy_fuetterer_klar_wegener, "orders", 2);
}

static void all_figures_are_there(void **state) {
  (void)state;
  check_figures(findings, 2, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(torsion), cmocka_unit_test(transversal_oscillation),
                                     cmocka_unit_test(materials_and_orders), cmocka_unit_test(all_figures_are_there)};
  findings = new_findings();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(findings);
  return failed;
}
