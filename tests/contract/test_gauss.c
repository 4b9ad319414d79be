/* SPDX-License-Identifier: MIT */
/* The Gauss methods with a fixed step: their tables, orders on problems with known solutions, quadratic invariants to
   round-off, stiff problems, bit-exact restart, and any scheme with a right-hand side. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "support/toy.h"

/* By name and kind: the midpoint rule also exists as a scheme's own. */
static const wy_integrator_type *gauss_method(const char *name) {
  for (int i = 0; wy_integrator_at(NULL, i); i++)
    if (strcmp(wy_integrator_at(NULL, i)->info->name, name) == 0 && wy_integrator_at(NULL, i)->motion == WY_ODE)
      return wy_integrator_at(NULL, i);
  fail_msg("there is no %s for right-hand sides", name);
  return NULL;
}

static const char *const methods[3] = {"midpoint", "gauss4", "gauss6"};

static void start_toy(toy *made, const toy_problem *problem, const wy_integrator_type *type, double h) {
  toy_create(made, problem, type, 1e-12);
  made->integrator.first_step = h;
  made->integrator.newton = wy_default_solver_def().newton;
  type->start(&made->integrator);
}

static void drive(toy *made, double t) {
  wy_message message = {0};
  must(wy_drive_to(&made->integrator, t, t, &message), &message);
}

/* ---- Tables ---- */

/* On u' = u (one unknown) a method of order 2 s gives the diagonal Pade approximation of exp(h): that alone fixes its
   order on linear problems. */
static void growth_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = u[0];
}

static void growth_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 1;
}

static void one_step_is_the_pade_approximation(void **state) {
  (void)state;
  static const double h[3] = {0.1, 0.7, 1.5};
  const toy_problem problem = {1, growth_rhs, growth_jacobian, {1}, NULL};
  for (int m = 0; m < 3; m++)
    for (int i = 0; i < 3; i++) {
      toy made;
      const double z = h[i];
      const double even[3] = {1, 1 + z * z / 12, 1 + z * z / 10}, odd[3] = {z / 2, z / 2, z / 2 + z * z * z / 120};
      start_toy(&made, &problem, gauss_method(methods[m]), z);
      drive(&made, z);
      assert_int_equal(made.integrator.now->statistics.steps, 1);
      double want = (even[m] + odd[m]) / (even[m] - odd[m]);
      check_close(made.integrator.u[0], want, 1e-14 * want);
      toy_destroy(&made);
    }
}

/* u' = p(t): polynomials up to degree 2 s - 1 are integrated exactly, the next one is not. */
static int degree;

static void power_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = pow(t, degree);
}

static void zero_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void quadrature_is_that_of_gauss(void **state) {
  (void)state;
  const toy_problem problem = {1, power_rhs, zero_jacobian, {0}, NULL};
  for (int m = 0; m < 3; m++)
    for (degree = 0; degree <= 2 * (m + 1); degree++) {
      toy made;
      start_toy(&made, &problem, gauss_method(methods[m]), 2);
      drive(&made, 2);
      double want = pow(2, degree + 1) / (degree + 1), error = fabs(made.integrator.u[0] - want);
      if (degree < 2 * (m + 1))
        check_close(error, 0, 1e-14 * want);
      else
        check_above(error, 1e-3);
      toy_destroy(&made);
    }
}

/* ---- Orders ---- */

/* The solution and the work, which the method's own quadrature integrates. */
static void spin_errors(const char *name, double h, double error[2]) {
  toy made;
  start_toy(&made, &toy_spin, gauss_method(name), h);
  drive(&made, 2);
  const double *u = made.integrator.u;
  assert_int_equal(made.integrator.now->statistics.steps, lround(2 / h));
  error[0] = hypot(u[0] - cos(4), u[1] - sin(4));
  error[1] = fabs(u[WY_LANES + WY_WORK_INTEGRAL] - sin(4));
  check_close(u[0] * u[0] + u[1] * u[1], 1, 1e-13); /* a quadratic invariant */
  toy_destroy(&made);
}

static void orders_are_as_declared(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++) {
    const wy_integrator_type *type = gauss_method(methods[m]);
    const double h = m == 2 ? 0.2 : 0.05;
    double coarse[2], fine[2];
    assert_int_equal(declared_order(type), 2 * (m + 1));
    assert_true(type->info->fixed_step);
    spin_errors(methods[m], h, coarse);
    spin_errors(methods[m], h / 2, fine);
    for (int k = 0; k < 2; k++) {
      double order = log2(coarse[k] / fine[k]);
      print_message("%s, %s: errors %.2e %.2e, order %.2f\n", methods[m], k ? "work" : "solution", coarse[k], fine[k],
                    order);
      check_close(order, declared_order(type), 0.1 * declared_order(type));
    }
  }
}

/* ---- Invariants ---- */

/* A free body: energy and the length of its angular momentum are quadratic. */
static const double inertia[3] = {1, 2.2, 3.1};

static void body_rhs(double t, const double *u, double *f) {
  (void)t;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    f[i] = (inertia[j] - inertia[k]) / inertia[i] * u[j] * u[k];
  }
}

static void body_jacobian(double t, const double *u, double *j) {
  (void)t;
  memset(j, 0, 9 * sizeof *j);
  for (int i = 0; i < 3; i++) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    double factor = (inertia[a] - inertia[b]) / inertia[i];
    j[3 * i + a] = factor * u[b];
    j[3 * i + b] = factor * u[a];
  }
}

static void quadratic_invariants_are_kept(void **state) {
  (void)state;
  const toy_problem problem = {3, body_rhs, body_jacobian, {0.3, 1.5, 0.2}, NULL};
  for (int m = 0; m < 3; m++) {
    toy made;
    double start[2] = {0}, now[2] = {0}, worst = 0;
    start_toy(&made, &problem, gauss_method(methods[m]), 0.1);
    for (int n = 0; n <= 2000; n++) {
      const double *u = made.integrator.u;
      now[0] = now[1] = 0;
      for (int i = 0; i < 3; i++)
        now[0] += inertia[i] * u[i] * u[i], now[1] += inertia[i] * inertia[i] * u[i] * u[i];
      if (n == 0)
        memcpy(start, now, sizeof now);
      worst = fmax(worst, fmax(fabs(now[0] / start[0] - 1), fabs(now[1] / start[1] - 1)));
      drive(&made, 0.1 * (n + 1));
    }
    print_message("%s: invariants off by %.1e after 2000 steps\n", methods[m], worst);
    check_close(worst, 0, 1e-12); /* round-off of 1e-16 a step */
    toy_destroy(&made);
  }
}

/* ---- Stiff, impossible, restarted ---- */

/* Methods of Gauss are stable at any step; on the slow solution their order falls to that of their stages. */
static void stiff_problems_are_stable(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++) {
    toy made;
    start_toy(&made, &toy_stiff, gauss_method(methods[m]), 0.1);
    drive(&made, 10);
    check_close(made.integrator.u[0], cos(10.0), 5e-3); /* stage order 1: h^2 / 4 and less */
    toy_destroy(&made);
  }
}

static void an_impossible_step_ends_with_a_message(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++) {
    toy made;
    wy_message message = {0};
    start_toy(&made, &toy_explosion, gauss_method(methods[m]), 0.7);
    assert_int_equal(wy_drive_to(&made.integrator, 7, 7, &message), WY_ERROR_SOLVER);
    assert_non_null(strstr(message.text, "toy"));
    assert_true(isfinite(made.integrator.u[0]));
    toy_destroy(&made);
  }
}

static void restart_is_bit_exact(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++)
    for (int stop = 0; stop < 20; stop += 3) {
      toy made;
      start_toy(&made, &toy_spin, gauss_method(methods[m]), 0.05);
      drive(&made, 0.05 * stop);
      toy_check_restart(&made, 2);
      toy_destroy(&made);
    }
}

/* Between steps the state is interpolated: continuous, and good to the order of the interpolation. */
static void between_steps_there_is_a_state(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++) {
    toy made;
    wy_message message = {0};
    double worst = 0, u[2 * WY_LANES];
    start_toy(&made, &toy_spin, gauss_method(methods[m]), 0.02);
    for (int k = 1; k <= 300; k++) {
      double t = 2.0 * k / 300, phase = 0.5 * t * t + t;
      must(wy_drive_to(&made.integrator, t, 2, &message), &message);
      wy_drive_state(&made.integrator, t, u);
      worst = fmax(worst, hypot(u[0] - cos(phase), u[1] - sin(phase)));
    }
    assert_int_equal(made.integrator.now->statistics.steps, 100);
    print_message("%s: largest error between steps of 0.02: %.1e\n", methods[m], worst);
    check_close(worst, 0, 3e-3); /* at least linear: (3 h)^2 / 8 of rates up to 3, and the midpoint rule's own h^2 */
    toy_destroy(&made);
  }
}

/* ---- Staggered rods ---- */

/* A soft pendulum, undamped: observed orders, and an energy that neither grows nor falls. */
static test_sim pendulum(const char *integrator, double h) {
  static const double gravity[3] = {0, 0, -9.81};
  wy_rod_def rod = rubber_rod(4);
  rod.damping.kind = WY_UNDAMPED;
  rod.material.young = wy_constant(1e6);
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.first_step = h;
  return make_sim(&rod, NULL, 0, &solver, gravity);
}

static void swung(const char *integrator, double h, double tip[4]) {
  wy_message message = {0};
  test_sim made = pendulum(integrator, h);
  must(wy_sim_advance(made.sim, 0.8, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, &message), &message);
  free_sim(&made);
}

static void staggered_rods_run_with_their_orders(void **state) {
  (void)state;
  static const double h[3] = {2e-3, 4e-3, 8e-3};
  for (int m = 0; m < 3; m++) {
    double tip[3][4], difference[2] = {0};
    for (int i = 0; i < 3; i++)
      swung(methods[m], h[m] / (1 << i), tip[i]);
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 3; k++)
        difference[i] = fmax(difference[i], fabs(tip[i][k] - tip[i + 1][k]));
    double order = log2(difference[0] / difference[1]);
    print_message("staggered pendulum, %s: differences %.2e %.2e, order %.2f\n", methods[m], difference[0],
                  difference[1], order);
    check_close(order, 2 * (m + 1), 0.15 * 2 * (m + 1));
  }
}

/* Largest error of the energy in 400 steps, relative to the largest kinetic energy. */
static double energy_error(const char *integrator, double h) {
  wy_message message = {0};
  test_sim made = pendulum(integrator, h);
  double start = wy_sim_energy(made.sim, 0).total, worst = 0, scale = 0;
  for (int n = 1; n <= 400; n++) {
    must(wy_sim_advance(made.sim, 2e-3 * n, &message), &message);
    wy_energy now = wy_sim_energy(made.sim, 0);
    scale = fmax(scale, now.kinetic);
    worst = fmax(worst, fabs(now.total - start));
  }
  free_sim(&made);
  return worst / scale;
}

/* Their energy is not quadratic in what is integrated: it is kept with the order of the method, not exactly. */
static void staggered_rods_keep_their_energy_with_that_order(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    double coarse = energy_error(methods[m], 2e-3), fine = energy_error(methods[m], 1e-3);
    print_message("staggered pendulum, %s: energy off by %.2e and %.2e with half the step\n", methods[m], coarse, fine);
    check_below(coarse, 1e-3);
    check_close(log2(coarse / fine), 2 * (m + 1), 0.25 * 2 * (m + 1));
  }
}

static void the_discrete_gradient_needs_a_scheme_that_has_one(void **state) {
  (void)state;
  assert_int_equal(method_possible("staggered", WY_COSSERAT, "gauss4"), WY_OK);
  assert_int_equal(method_possible("staggered", WY_COSSERAT, "midpoint"), WY_OK);
  assert_int_equal(method_possible("conserving", WY_COSSERAT, "discrete_gradient"), WY_OK);
  assert_int_equal(method_possible("staggered", WY_COSSERAT, "discrete_gradient"), WY_ERROR_SUPPORT);
  assert_int_equal(method_possible("mixed", WY_COSSERAT, "gauss4"), WY_ERROR_SUPPORT);
  assert_true(has_fixed_step("staggered", "gauss4"));
  assert_false(has_fixed_step("staggered", "radau5"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_step_is_the_pade_approximation),
      cmocka_unit_test(quadrature_is_that_of_gauss),
      cmocka_unit_test(orders_are_as_declared),
      cmocka_unit_test(quadratic_invariants_are_kept),
      cmocka_unit_test(stiff_problems_are_stable),
      cmocka_unit_test(an_impossible_step_ends_with_a_message),
      cmocka_unit_test(restart_is_bit_exact),
      cmocka_unit_test(between_steps_there_is_a_state),
      cmocka_unit_test(staggered_rods_run_with_their_orders),
      cmocka_unit_test(staggered_rods_keep_their_energy_with_that_order),
      cmocka_unit_test(the_discrete_gradient_needs_a_scheme_that_has_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
