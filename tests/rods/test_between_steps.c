/* SPDX-License-Identifier: MIT */
/* Output between steps: what RADAU5, RODAS and NDF interpolate is as good as what they compute. */
#include <string.h>

#include "check.h"
#include "support/rods.h"

enum { MOST_STEPS = 4000, PARTS = 4 };

static test_sim made_with(const wy_rod_def *rod, const char *integrator, double tolerance) {
  static const double gravity[3] = {0, 0, -9.81};
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return make_sim(rod, NULL, 0, &solver, gravity);
}

/* The ends of all steps up to t = 1, from t = 0. */
static int step_ends(const wy_rod_def *rod, const char *integrator, double tolerance, double ends[MOST_STEPS]) {
  test_sim walk = made_with(rod, integrator, tolerance);
  wy_message message = {0};
  int count = 1;
  ends[0] = 0;
  while (ends[count - 1] < 1) {
    assert_true(count < MOST_STEPS);
    must(wy_sim_step(walk.sim, &message), &message);
    ends[count++] = wy_sim_time(walk.sim);
  }
  free_sim(&walk);
  return count;
}

static double tip_distance(const test_sim *a, const test_sim *b, double t) {
  wy_message message = {0};
  double x[4], y[4], sum = 0;
  must(wy_sim_sample(a->sim, t, &message), &message);
  must(wy_sim_sample(b->sim, t, &message), &message);
  wy_sim_probe(a->sim, WY_POSITION, 0, 1, x, NULL);
  wy_sim_probe(b->sim, WY_POSITION, 0, 1, y, NULL);
  for (int k = 0; k < 3; k++)
    sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(sum);
}

/* The error of a step is held to the tolerance. What interpolation adds to those at its ends must be less than that. */
static void check_rod(const char *name, const wy_rod_def *rod, const char *integrator, double tolerance) {
  static double ends[MOST_STEPS];
  const int count = step_ends(rod, integrator, tolerance, ends);
  test_sim run = made_with(rod, integrator, tolerance), exact = made_with(rod, "radau5", 1e-10);
  double at_ends = 0, between = 0;
  for (int i = 1; i < count; i++)
    for (int part = 1; part <= PARTS; part++) {
      const double error = tip_distance(&run, &exact, ends[i - 1] + (ends[i] - ends[i - 1]) * part / PARTS);
      double *worst = part == PARTS ? &at_ends : &between;
      *worst = fmax(*worst, error);
    }
  free_sim(&run);
  free_sim(&exact);
  print_message("%s, %s at %.0e, %d steps: tip off by %.2g at their ends, %.2g between\n", name, integrator, tolerance,
                count - 1, at_ends, between);
  if (!(between <= at_ends + tolerance))
    fail_msg("%s, %s: found an error of %g between steps, wanted at most %g and the tolerance", name, integrator,
             between, at_ends);
}

static void output_between_steps_keeps_the_tolerance(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "rodas", "ndf"};
  for (int i = 0; i < 3; i++)
    for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 1e-2) {
      wy_rod_def rubber = rubber_rod(10), thick = rubber_rod(10);
      thick.section.radius = wy_constant(5e-2);
      check_rod("rubber", &rubber, integrators[i], tolerance);
      check_rod("thick rubber", &thick, integrators[i], tolerance);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(output_between_steps_keeps_the_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
