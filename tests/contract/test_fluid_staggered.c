/* SPDX-License-Identifier: MIT */
/* A fluid around a staggered rod, in all kinds and forms, with everything else on it: the Jacobian is the derivative of
   the right-hand side, linear systems are solved with it, the power balance holds, the tangent of equilibria is the
   derivative of what is out of balance, and a fluid that turns with the rod turns the accelerations. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "support/fluid.h"
#include "support/scheme_checks.h"

typedef struct fluid_case {
  wy_rod_kind kind;
  wy_coordinates coordinates;
  int ends;
  bool implicit, heavy; /* heavy: with added mass, in a flow that is steady or uniform */
  char name[96];
} fluid_case;

typedef void case_check(const test_system *made, const fluid_case *c);

static void for_all_cases(case_check *check, bool implicit) {
  for (int heavy = 0; heavy < 2; heavy++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++)
        for (int ends = 0; ends < END_PAIRS; ends++) {
          fluid_case c = {.kind = (wy_rod_kind)kind,
                          .coordinates = (wy_coordinates)form,
                          .ends = ends,
                          .implicit = implicit,
                          .heavy = heavy};
          wy_rod_def rod = rich_rod(ends % 2 ? 6 : 9);
          wy_solver_def solver = wy_default_solver_def();
          snprintf(c.name, sizeof c.name, "%s, %s, %s, %s%s", wy_rod_kind_name(c.kind),
                   form ? "absolute" : "null space", end_pair_names[ends], implicit ? "implicit" : "explicit",
                   heavy ? ", added mass" : "");
          rod.kind = c.kind;
          solver.staggered.coordinates = c.coordinates;
          hold_ends(&rod, ends);
          surround(&rod, !heavy ? &stirring : ends % 2 ? &steady : &swaying);
          rod.fluid.added_mass = heavy ? 3 : 0;
          test_system made =
              make_rich_system(&rod, &(rich_surroundings){.loaded = true, .implicit = implicit}, &solver);
          check(&made, &c);
          free_system(&made);
        }
}

/* A state on the manifold of the constraints, and one off it. */
static void some_state(const test_system *made, const fluid_case *c, unsigned seed, double *u) {
  if (c->kind == WY_COSSERAT)
    near_state(made, 0.15, 0.3, seed, u);
  else
    projected_state(made, 0.3, seed, u);
}

/* Differences of order 4 with steps of 1e-3 of a function whose derivatives are of order 1: 1e-12, and round-off of
   reactions of up to 1e4 over the step: 1e-9. */
static void check_solve(const test_system *made, const fluid_case *c) {
  double *u = state_array(made);
  some_state(made, c, 7, u);
  check_solves(made, c->name, 0.3, u, (const unsigned[2]){5, 6}, &(solve_check){.step = 1e-3, .least = 1e-7});
  if (c->kind == WY_COSSERAT) /* the scheme's own product, apart from the elimination */
    check_solves(made, c->name, 0.3, u, (const unsigned[2]){5, 6}, &(solve_check){.least = 1e-11});
  free(u);
}

static void linear_systems_are_solved_with_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_solve, true);
}

static void check_power(const test_system *made, const fluid_case *c) {
  double *u = state_array(made);
  some_state(made, c, 13, u);
  check_power_balance(made, c->name, 0.3, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_all_cases(check_power, true);
  for_all_cases(check_power, false);
}

static void check_rest(const test_system *made, const fluid_case *c) {
  check_tangent(made, c->name);
}

static void the_tangent_is_the_derivative_of_the_residual(void **state) {
  (void)state;
  for_all_cases(check_rest, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_systems_are_solved_with_the_derivative),
      cmocka_unit_test(power_balances),
      cmocka_unit_test(the_tangent_is_the_derivative_of_the_residual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
