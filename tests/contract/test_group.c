/* SPDX-License-Identifier: MIT */
/* A group as a system: its linear systems against dense ones made of differences of f, power and energy, counts. */
#include "check.h"
#include "support/group_checks.h"

/* `held`: the body neither moves along y nor turns. */
static test_system rich_group(int segments, bool held) {
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  rich_network(&net, segments);
  if (held)
    net.bodies[0].position[1] = net.bodies[0].rotation = WY_HELD;
  return make_group(network_model(&net), &solver);
}

static void check_solve(double re, double im, bool held) {
  test_system made = rich_group(3, held);
  check_group_solve(&made, re, im);
  free_system(&made);
}

static void test_real_shift(void **state) {
  (void)state;
  check_solve(30, 0, false);
  check_solve(2.5, 0, false);
  check_solve(4, 0, true);
}

static void test_complex_shift(void **state) {
  (void)state;
  check_solve(9, 14, false);
  check_solve(5, 8, true);
}

static void test_power(void **state) {
  (void)state;
  for (int held = 0; held < 2; held++) {
    test_system made = rich_group(4, held);
    check_group_power(&made);
    free_system(&made);
  }
}

/* Without moments and loads in body axes, or with them. */
static test_system resting_group(bool potential, bool held) {
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  rich_network(&net, 3);
  if (held)
    net.bodies[0].position[1] = net.bodies[0].rotation = WY_HELD;
  if (potential) {
    net.model.load_count = 1;
    for (int k = 0; k < 3; k++)
      net.loads[0].moment[k] = wy_constant(0);
  }
  return make_group(network_model(&net), &solver);
}

static void check_tangent(double mu, bool held) {
  test_system made = resting_group(false, held);
  check_group_tangent(&made, mu);
  free_system(&made);
}

static void test_tangent(void **state) {
  (void)state;
  check_tangent(-0.8, false);
  check_tangent(0.2, true);
  check_tangent(0.3, false);
}

static void test_counts(void **state) {
  (void)state;
  test_system made = resting_group(true, false);
  check_group_counts(&made, 3 * 4, 0); /* 4 rods */
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_power), cmocka_unit_test(test_real_shift),
                                     cmocka_unit_test(test_complex_shift), cmocka_unit_test(test_tangent),
                                     cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
