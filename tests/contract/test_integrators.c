/* What every integrator owes: its order on problems with known solutions, accuracy on stiff ones where it is implicit,
   continuous output, the integrals, the rejection path, bit-exact restart, a clear end where nothing helps. Run for
   every registered method. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "support/toy.h"

static double spin_error(const double *u, double t) {
  double phase = 0.5 * t * t + t;
  return fmax(fabs(u[0] - cos(phase)), fabs(u[1] - sin(phase)));
}

typedef struct spin_result {
  double error, dense_error, integral_error;
  long steps;
} spin_result;

static spin_result run_spin(const wy_integrator_type *type, double tolerance) {
  toy made;
  wy_message message;
  spin_result out = {0};
  double u[2 * WY_LANES];
  toy_create(&made, &toy_spin, type, tolerance);
  for (int k = 1; k <= 200; k++) {
    double t = 3.0 * k / 200;
    assert_int_equal(wy_drive_to(&made.integrator, t, 3, &message), WY_OK);
    wy_drive_state(&made.integrator, t, u);
    out.dense_error = fmax(out.dense_error, spin_error(u, t));
    out.integral_error = fmax(out.integral_error, fabs(u[WY_LANES + WY_WORK_INTEGRAL] - sin(0.5 * t * t + t)));
  }
  out.error = spin_error(made.integrator.u, 3);
  out.steps = made.integrator.now->statistics.steps;
  toy_destroy(&made);
  return out;
}

/* Error against number of steps over two decades of tolerance: slope 5 within 0.5 (the step sequence is adaptive, not
 * uniform). */
static void order_is_as_declared(void **state) {
  (void)state;
  for (int m = 0; ode_integrator_at(m); m++) {
    const wy_integrator_type *type = ode_integrator_at(m);
    spin_result coarse = run_spin(type, 1e-7), fine = run_spin(type, 1e-10);
    double order = log(coarse.error / fine.error) / log((double)fine.steps / (double)coarse.steps);
    if (!(fabs(order - type->order) < 0.5))
      fail_msg("%s: observed order %.2f (errors %.2e, %.2e with %ld, %ld steps), want %d", type->name, order,
               coarse.error, fine.error, coarse.steps, fine.steps, type->order);
    /* Continuous output: at least order 3, so three decades of tolerance bring at least 3/5 of them. */
    double dense = log(coarse.dense_error / fine.dense_error) / log((double)fine.steps / (double)coarse.steps);
    if (!(dense > 3 - 0.5))
      fail_msg("%s: observed order of the continuous output %.2f, want at least 3", type->name, dense);
    double integral = log(coarse.integral_error / fine.integral_error) / log((double)fine.steps / (double)coarse.steps);
    if (!(integral > 3 - 0.5))
      fail_msg("%s: observed order of the integrals %.2f, want at least 3", type->name, integral);
  }
}

/* A stiff method takes few steps and stays accurate. */
static void implicit_methods_are_at_ease_with_stiffness(void **state) {
  (void)state;
  for (int m = 0; ode_integrator_at(m); m++) {
    const wy_integrator_type *type = ode_integrator_at(m);
    if (type->needs.real == 0)
      continue;
    toy made;
    wy_message message;
    toy_create(&made, &toy_stiff, type, 1e-6);
    assert_int_equal(wy_drive_to(&made.integrator, 10, 10, &message), WY_OK);
    check_close(made.integrator.u[0], cos(10.0), 1e-6);
    assert_true(made.integrator.now->statistics.steps < 200);
    toy_destroy(&made);
  }
}

/* A jump in the right-hand side forces rejections; the result stays within the tolerance's order of magnitude. */
static void jump_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = t < 1 ? 0 : 1000;
}

static void jump_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void a_jump_is_met_by_rejection(void **state) {
  (void)state;
  const toy_problem problem = {1, jump_rhs, jump_jacobian, {1}, NULL};
  for (int m = 0; ode_integrator_at(m); m++) {
    toy made;
    wy_message message;
    toy_create(&made, &problem, ode_integrator_at(m), 1e-8);
    assert_int_equal(wy_drive_to(&made.integrator, 2, 2, &message), WY_OK);
    assert_true(made.integrator.now->statistics.rejected > 0);
    check_close(made.integrator.u[0], 1001, 1e-3);
    toy_destroy(&made);
  }
}

/* The run ends with a message that names time and rod, not with a NaN. */
static void an_impossible_problem_ends_with_a_message(void **state) {
  (void)state;
  for (int m = 0; ode_integrator_at(m); m++) {
    toy made;
    wy_message message = {0};
    toy_create(&made, &toy_explosion, ode_integrator_at(m), 1e-8);
    assert_int_equal(wy_drive_to(&made.integrator, 2, 2, &message), WY_ERROR_SOLVER);
    assert_non_null(strstr(message.text, "rod 'toy'"));
    assert_non_null(strstr(message.text, "t = 1"));
    assert_true(isfinite(made.integrator.u[0]));
    check_close(made.integrator.now->t, 1, 1e-3);
    toy_destroy(&made);
  }
}

static void nan_rhs(double t, const double *u, double *f) {
  f[0] = t > 0.5 ? (double)NAN : -u[0];
}

static void a_nan_is_never_accepted(void **state) {
  (void)state;
  const toy_problem problem = {1, nan_rhs, jump_jacobian, {1}, NULL};
  for (int m = 0; ode_integrator_at(m); m++) {
    toy made;
    wy_message message = {0};
    toy_create(&made, &problem, ode_integrator_at(m), 1e-6);
    assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_ERROR_SOLVER);
    assert_non_null(strstr(message.text, "not finite"));
    assert_true(isfinite(made.integrator.u[0]));
    assert_true(made.integrator.now->t <= 0.5);
    toy_destroy(&made);
  }
}

static void restart_is_bit_exact(void **state) {
  (void)state;
  for (int m = 0; ode_integrator_at(m); m++)
    for (int stop = 0; stop < 40; stop += 7) {
      toy made;
      wy_message message;
      toy_create(&made, &toy_spin, ode_integrator_at(m), 1e-6);
      for (int i = 0; i < stop && made.integrator.now->t < 3; i++)
        wy_drive_step(&made.integrator, 3, &message);
      toy_check_restart(&made, 3);
      toy_destroy(&made);
    }
}

/* Landing exactly at a time costs at most a shortened step, and changes the result only within the tolerance. */
static void a_stop_is_met_exactly(void **state) {
  (void)state;
  for (int m = 0; ode_integrator_at(m); m++) {
    toy made;
    wy_message message;
    toy_create(&made, &toy_spin, ode_integrator_at(m), 1e-9);
    for (int k = 1; k <= 30; k++) {
      assert_int_equal(wy_drive_to(&made.integrator, 0.1 * k, 0.1 * k, &message), WY_OK);
      assert_true(made.integrator.now->t == 0.1 * k);
    }
    check_close(spin_error(made.integrator.u, 3), 0, 1e-6);
    toy_destroy(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_is_as_declared),       cmocka_unit_test(implicit_methods_are_at_ease_with_stiffness),
      cmocka_unit_test(a_jump_is_met_by_rejection), cmocka_unit_test(an_impossible_problem_ends_with_a_message),
      cmocka_unit_test(a_nan_is_never_accepted),    cmocka_unit_test(restart_is_bit_exact),
      cmocka_unit_test(a_stop_is_met_exactly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
