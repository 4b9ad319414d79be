/* SPDX-License-Identifier: MIT */
/* What the conserving scheme keeps for ever: energy and the norms of quaternions over 1e5 steps, to 1e-12.

   labels: slow */
#include <stdio.h>

#include "check.h"
#include "support/moving.h"

enum { STEPS = 100000 };

/* A twisted rod that falls and swings, in all its strains; with the stiffening law wild enough that the midpoint rule
   alone would lose or gain some thousandth of its energy. */
static void keeps_on(int order, const char *integrator, bool stiffening) {
  example e = dimensionless_rod(order == 2 ? 7 : 8, 0.1, 1e-3);
  e.rod.initial.twist = example_signal(&e, "s - s^2/2", 6);
  if (stiffening)
    e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 1e-2};
  wy_solver_def solver = conserving_solver(order, integrator, 0.05);
  test_sim made = start_moving(&e, &solver);
  wy_energy start = wy_sim_energy(made.sim, 0);
  double worst = 0, least = start.elastic;
  for (long n = 0; n < STEPS; n++) {
    step_once(&made);
    wy_energy now = wy_sim_energy(made.sim, 0);
    worst = fmax(worst, fabs(now.total / start.total - 1));
    least = fmin(least, now.elastic);
  }
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  print_message("order %d, %s, %s law: energy %.1e, quaternions %.1e, %.1f iterations a step\n", order, integrator,
                stiffening ? "stiffening" : "linear", worst, statistics.quaternion_drift,
                (double)statistics.newton_iterations / STEPS);
  check_close(worst, 0, 1e-12);
  check_close(statistics.quaternion_drift, 0, 1e-12);
  check_below(least, 0.5 * start.elastic); /* it has moved */
  free_sim(&made);
  free_example(&e);
}

static void energy_and_quaternions_are_kept(void **state) {
  (void)state;
  keeps_on(2, "midpoint", false);
  keeps_on(2, "gauss4", false);
  keeps_on(4, "midpoint", false);
  keeps_on(2, "discrete_gradient", true);
  keeps_on(4, "discrete_gradient", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_and_quaternions_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
