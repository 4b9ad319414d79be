/* SPDX-License-Identifier: MIT */
/* Groups of constrained rods, whose forces depend on the accelerations of hubs (N9): linear systems against dense ones
   made of differences of f, power and energy, tangents, counts. */
#include <stdlib.h>

#include "check.h"
#include "network/inside.h"
#include "support/group_checks.h"
#include "support/network_scenes.h"

enum { ALL_KINDS = WY_INEXTENSIBLE + 1 }; /* in turn */

/* `held`: the body neither moves along y nor turns. `rests`: all loads have a potential. */
static test_system make(int kind, int segments, bool held, bool rests) {
  test_network net;
  const wy_solver_def solver = wy_default_solver_def();
  rich_network(&net, segments);
  if (held)
    net.bodies[0].position[1] = net.bodies[0].rotation = WY_HELD;
  for (int i = 0; i < net.model.rod_count; i++)
    net.rods[i].kind = (wy_rod_kind)(kind == ALL_KINDS ? i % ALL_KINDS : kind);
  if (rests) {
    net.model.load_count = 1;
    for (int k = 0; k < 3; k++)
      net.loads[0].moment[k] = wy_constant(0);
  }
  return make_group(network_model(&net), &solver);
}

/* Inextensible rods give way by 1e-9 of their masses in linear systems. Near the straight rod up to a thousand times as
   much is felt. */
static void check_solve(int kind, double re, double im, bool held) {
  test_system made = make(kind, 3, held, false);
  check_group_solve_to(&made, re, im, kind == WY_KIRCHHOFF ? 1e-9 : 1e-6);
  free_system(&made);
}

static void linear_systems_are_those_of_differences(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= ALL_KINDS; kind++) {
    check_solve(kind, 30, 0, false);
    if (kind == WY_KIRCHHOFF) /* else held parts are further apart than rods are long */
      check_solve(kind, 4, 0, true);
    check_solve(kind, 9, 14, false);
  }
}

static void power_balances(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= ALL_KINDS; kind++)
    for (int held = 0; held < (kind == WY_KIRCHHOFF ? 2 : 1); held++) {
      test_system made = make(kind, 4, held, false);
      check_group_power(&made);
      free_system(&made);
    }
}

static void tangents_are_those_of_differences(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= ALL_KINDS; kind++)
    for (int held = 0; held < 2; held++) {
      test_system made = make(kind, 3, held, false);
      check_group_tangent(&made, held ? 0.2 : -0.8);
      free_system(&made);
    }
}

static void counts_are_those_of_dense_matrices(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= ALL_KINDS; kind++) {
    test_system made = make(kind, 3, false, true);
    check_group_counts(&made, 3 * 4, 0); /* 4 rods */
    free_system(&made);
  }
}

/* Straight inextensible rods of a network in flight: their accelerations leave the second rate of the constrained
   strains at round-off of accelerations over segments, of which there are some, not at 1e-9 of forces over masses. */
static void accelerations_meet_the_constraints(void **state) {
  (void)state;
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  flying_network(&net, 6);
  throw_network(&net, v, om);
  for (int i = 0; i < net.model.rod_count; i++)
    net.rods[i].kind = WY_INEXTENSIBLE;
  test_system made = make_group(network_model(&net), &solver);
  wy_group *group = (wy_group *)made.system;
  double *u = state_array(&made), *f = state_array(&made);
  made.system->type->initial(made.system, u);
  assert_int_equal(made.system->type->rhs(made.system, 0, u, f, NULL), 0);
  for (int i = 0; i < group->rod_count; i++) {
    const wy_group_rod_part *rod = &group->rods[i];
    double pull[1][2][3];
    wy_port_miss miss;
    assert_int_equal(
        rod->ports->restrain(rod->system, WY_LEVEL_ACCELERATION, u + rod->offset, f + rod->offset, pull, &miss), 0);
    check_above(miss.floor, 0);
    check_below(miss.size, 100 * miss.floor);
  }
  free(u), free(f);
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_systems_are_those_of_differences), cmocka_unit_test(power_balances),
      cmocka_unit_test(tangents_are_those_of_differences), cmocka_unit_test(counts_are_those_of_dense_matrices),
      cmocka_unit_test(accelerations_meet_the_constraints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
