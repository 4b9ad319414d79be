/* SPDX-License-Identifier: MIT */
/* Work and dissipation over a step by Lobatto's rule (I6): exact for rates up to degree 5 at the end of the step, and
   for cubic rates in between. */
#include <string.h>

#include "check.h"
#include "integrate/integrator.h"

/* A system without unknowns whose power is a polynomial of time. */
static int degree;

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  (void)system, (void)u, (void)f;
  power[WY_WORK_INTEGRAL] = pow(t, degree);
  power[WY_DISSIPATION_INTEGRAL] = 2 * pow(t, degree);
  return 0;
}

static void dense(const wy_integrator *self, double t, double *u) {
  (void)self, (void)t, (void)u;
}

static double integral(double t) {
  return pow(t, degree + 1) / (degree + 1);
}

static wy_quadrature step(double from, double to, double work[WY_INTEGRALS], long *count) {
  const wy_system_type system_type = {.rhs = rhs};
  const wy_integrator_type type = {.dense = dense};
  wy_system system = {.type = &system_type, .has_power = true};
  wy_progress now = {.t_old = from, .t = to};
  double u[WY_LANES] = {integral(from), 2 * integral(from)}, state[WY_LANES], f[WY_LANES];
  wy_integrator self = {.type = &type, .system = &system, .size = WY_LANES, .now = &now, .u = u};
  wy_quadrature quadrature;
  wy_quadrature_step(&self, &quadrature, NULL, NULL, state, f);
  memcpy(work, u, WY_INTEGRALS * sizeof *work);
  *count = now.statistics.quadrature;
  return quadrature;
}

static void the_rule_has_order_6(void **state) {
  (void)state;
  for (degree = 0; degree <= 6; degree++) {
    double work[WY_INTEGRALS];
    long count;
    step(0.5, 2, work, &count);
    double scale = integral(2);
    assert_int_equal(count, 4);
    if (degree <= 5) {
      check_close(work[0], integral(2), 1e-14 * scale);
      check_close(work[1], 2 * integral(2), 2e-14 * scale);
    } else {
      check_above(fabs(work[0] - integral(2)), 1e-6 * scale);
    }
  }
}

static void between_the_ends_cubic_rates_are_exact(void **state) {
  (void)state;
  for (degree = 0; degree <= 3; degree++) {
    double work[WY_INTEGRALS], between[WY_INTEGRALS];
    long count;
    wy_quadrature quadrature = step(0.5, 2, work, &count);
    for (int k = 0; k <= 8; k++) {
      wy_quadrature_at(&quadrature, k / 8.0, between);
      check_close(between[0], integral(0.5 + 1.5 * k / 8), 1e-14 * integral(2));
      check_close(between[1], 2 * between[0], 1e-14 * integral(2));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rule_has_order_6),
      cmocka_unit_test(between_the_ends_cubic_rates_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
