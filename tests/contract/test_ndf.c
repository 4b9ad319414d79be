/* SPDX-License-Identifier: MIT */
/* NDF beyond what every integrator owes: order, error constant and stability of each formula; steps that a stop cuts;
   a restored history; constrained, driven, released and newly loaded rods. The formulas are reached by the
   method's own functions. */
#include <complex.h>
#undef complex /* the name of a member, too */

#include "check.h"
#include "integrate/methods.h"
#include "integrate/ndf_history.h"
#include "support/allocations.h"
#include "support/toy.h"
#include "support/ways.h"

/* ---- Formulas: u' = lambda u, real and imaginary part in two entries ---- */

enum { PARTS = 2 };

static double _Complex both(double real, double imaginary) {
  return CMPLX(real, imaginary);
}

typedef struct course {
  int order;
  double h;
  double u[PARTS], past[WY_NDF_ROWS * PARTS];
} course;

/* u = exp(lambda t) at 0, -h, -2h ... */
static course exact_course(int order, double h, double _Complex lambda) {
  course c = {.order = order, .h = h};
  double _Complex value[WY_NDF_ROWS + 1];
  for (int i = 0; i <= WY_NDF_ROWS; i++)
    value[i] = cexp(-i * h * lambda);
  c.u[0] = 1;
  for (int m = 1; m <= WY_NDF_ROWS; m++) {
    for (int i = 0; i <= WY_NDF_ROWS - m; i++)
      value[i] -= value[i + 1];
    c.past[PARTS * (m - 1)] = creal(value[0]), c.past[PARTS * (m - 1) + 1] = cimag(value[0]);
  }
  return c;
}

static void take_step(course *c, double _Complex lambda) {
  wy_ndf_step step = wy_ndf_plan(c->order, c->h, c->h);
  double guess[PARTS], slope[PARTS], d[PARTS];
  wy_ndf_predict(c->order, &step, c->u, c->past, PARTS, guess, slope);
  double _Complex correction =
      (lambda * both(guess[0], guess[1]) - both(slope[0], slope[1])) / (step.sigma - lambda); /* (I60), solved */
  d[0] = creal(correction), d[1] = cimag(correction);
  wy_ndf_advance(c->order, &step, c->u, c->past, d, PARTS);
}

static double error_of(int order, int steps) {
  course c = exact_course(order, 1.0 / steps, -1);
  for (int i = 0; i < steps; i++)
    take_step(&c, -1);
  return fabs(c.u[0] - exp(-1));
}

/* Halved steps: 2^k less, up to the next term, which is about k h of the first: 1/20. Round-off is far below. */
static void each_formula_has_its_order(void **state) {
  (void)state;
  for (int k = 1; k <= WY_NDF_ORDERS; k++) {
    double coarse = error_of(k, 100), fine = error_of(k, 200), order = log2(coarse / fine);
    print_message("order %d: errors %.2e %.2e, observed %.3f\n", k, coarse, fine, order);
    check_close(order, k, 0.1);
  }
}

/* What exp(t) leaves in (I60) is h^k wy_ndf_error(k), and the estimate by d that of (I63); up to k h of it. */
static void error_constants_are_those_of_the_table(void **state) {
  (void)state;
  for (int k = 1; k <= WY_NDF_ORDERS; k++) {
    const double h = 0.005;
    course c = exact_course(k, h, 1);
    wy_ndf_step step = wy_ndf_plan(k, h, h);
    double guess[PARTS], slope[PARTS];
    wy_ndf_predict(k, &step, c.u, c.past, PARTS, guess, slope);
    double d = exp(h) - guess[0], left = exp(h) - slope[0] - step.sigma * d;
    check_close(left / (pow(h, k) * wy_ndf_error(k)), 1, 3 * k * h);
    check_close(step.error, wy_ndf_error(k), 1e-15);
    check_close(step.error * d / (pow(h, k + 1) * wy_ndf_error(k)), 1, 3 * k * h);
  }
}

/* The largest growth of a mode over many steps, from the exact past, along the ray that is `angle` away from the
   negative real axis. */
static double growth(int order, double angle) {
  double worst = 0;
  for (int k = 0; k < 145; k++) {
    double _Complex lambda = -0.05 * pow(1.05, k) * cexp(both(0, angle));
    course c = exact_course(order, 1, both(0, cimag(lambda))); /* some past that is not decaying */
    for (int i = 0; i < 2000 && fabs(c.u[0]) < 1e6; i++)
      take_step(&c, lambda);
    worst = fmax(worst, hypot(c.u[0], c.u[1]));
  }
  return worst;
}

/* Sectors of stability as published by Shampine and Reichelt: 90, 90, 80, 66, 51 degrees; a degree inside nothing
   grows, three degrees outside something does. */
static void formulas_are_stable_in_their_sectors(void **state) {
  static const double sector[WY_NDF_ORDERS + 1] = {0, 90, 90, 80, 66, 51};
  const double degree = acos(-1) / 180;
  (void)state;
  for (int k = 1; k <= WY_NDF_ORDERS; k++) {
    double inside = growth(k, (sector[k] - 1) * degree), outside = growth(k, (sector[k] + 3) * degree);
    print_message("order %d: largest mode %.1e inside, %.1e outside\n", k, inside, outside);
    check_below(inside, 1);
    assert_true(k <= 2 || outside > 1e3);
  }
}

/* What decays infinitely fast is gone after one step. */
static void decay_at_infinity_takes_one_step(void **state) {
  (void)state;
  for (int k = 1; k <= WY_NDF_ORDERS; k++) {
    course c = exact_course(k, 1, both(0, 1));
    take_step(&c, -1e12);
    check_below(hypot(c.u[0], c.u[1]), 1e-10); /* slopes of some 10 over 1e12 */
  }
}

/* ---- Steps that are cut ---- */

/* A polynomial of the degree of the order is met exactly by steps of any length, and so is its history (I62), (I63):
   to round-off of values of about 40 and of differences between them. */
static double polynomial(int degree, double t) {
  double sum = 0;
  for (int i = degree; i >= 0; i--)
    sum = sum * t + 0.3 * i - 0.7;
  return sum;
}

static course polynomial_course(int k, double h, double t) {
  course c = {.order = k, .h = h};
  double value[WY_NDF_ORDERS + 1] = {0};
  for (int i = 0; i <= k; i++)
    value[i] = polynomial(k, t - i * h);
  c.u[0] = value[0];
  for (int m = 1; m <= k; m++) {
    for (int i = 0; i <= k - m; i++)
      value[i] -= value[i + 1];
    c.past[PARTS * (m - 1)] = value[0];
  }
  return c;
}

static void polynomials_pass_through_cuts(void **state) {
  static const double lengths[] = {1, 0.3, 1e-3, 1, 1e-9, 1.01, 0.7, 1e-15, 1};
  (void)state;
  for (int k = 1; k <= WY_NDF_ORDERS; k++) {
    const double h = 0.2, e = 1e-6;
    course c = polynomial_course(k, h, 0);
    double t = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
      wy_ndf_step step = wy_ndf_plan(k, h, lengths[i] * h);
      double guess[PARTS], slope[PARTS];
      t += lengths[i] * h;
      wy_ndf_predict(k, &step, c.u, c.past, PARTS, guess, slope);
      check_close(guess[0], polynomial(k, t), 1e-12);
      check_close(slope[0], (polynomial(k, t + e) - polynomial(k, t - e)) / (2 * e), 1e-8);
      /* With a correction, which falls with the step, the end moves by it, and the states before it stay. */
      double d[PARTS] = {0.01 * lengths[i], 0}, before = c.u[0];
      wy_ndf_advance(k, &step, c.u, c.past, d, PARTS);
      check_close(c.u[0], guess[0] + d[0], 1e-12);
      double back[PARTS];
      wy_ndf_at(k, -step.c, c.u, c.past, PARTS, back);
      check_close(back[0], before, 1e-12);
      /* The polynomial again, at the new place. */
      c = polynomial_course(k, h, t);
    }
  }
}

/* ---- What the driver sees ---- */

/* The history is part of a snapshot: in the middle of it, after rejections, and after steps that a stop has cut. */
static void a_restored_history_goes_on_bit_for_bit(void **state) {
  (void)state;
  for (int i = 1; i <= 60; i += 7) {
    toy made;
    wy_message message = {0};
    toy_create(&made, &toy_spin, &wy_ndf, 1e-6);
    for (int k = 0; k < i; k++)
      must(wy_drive_step(&made.integrator, 3, &message), &message);
    toy_check_restart(&made, 3);
    toy_destroy(&made);
    toy_create(&made, &toy_sweep, &wy_ndf, 1e-5);
    toy_drive(&made, 0.013 * i, 0.013 * i);
    toy_drive(&made, 0.013 * i + 1e-4, 0.013 * i + 1e-4);
    check_below(made.integrator.now->t - made.integrator.now->t_old, made.integrator.now->h);
    toy_check_restart(&made, 2);
    toy_destroy(&made);
  }
  for (int which = 1; which <= 3; which++) {
    toy made;
    int rejections = 0;
    toy_create_with(&made, &toy_spin, &wy_ndf, &(toy_options){.tolerance = 1e-9, .first_step = 1.5});
    for (int i = 0; i < 100 && rejections < which; i++)
      rejections += made.integrator.type->attempt(&made.integrator, 2) != WY_ACCEPTED;
    assert_int_equal(rejections, which);
    toy_check_restart(&made, 2);
    toy_destroy(&made);
  }
}

/* A stop in every step, at a third of it, for the whole time: as accurate as without, 10 tolerances more. */
static void stops_cost_no_accuracy(void **state) {
  static const double tolerance = 1e-7, end = 3;
  (void)state;
  double error[2], step = 0;
  for (int stops = 0; stops < 2; stops++) {
    toy made;
    toy_create(&made, &toy_spin, &wy_ndf, tolerance);
    double t = 0;
    if (!stops)
      toy_drive(&made, end, end);
    while (stops && t < end) {
      t = fmin(t + (t < 0.5 ? 1 : 0.4 * step), end);
      toy_drive(&made, fmax(t, 0.5), fmax(t, 0.5));
      t = made.integrator.now->t;
      step = made.integrator.now->h;
    }
    error[stops] =
        hypot(made.integrator.u[0] - cos(0.5 * end * end + end), made.integrator.u[1] - sin(0.5 * end * end + end));
    toy_destroy(&made);
  }
  print_message("errors %.1e, with stops %.1e\n", error[0], error[1]);
  check_below(error[1], 2 * error[0] + 10 * tolerance);
}

/* A first step that is far too long is shortened from what was tried, not from what was wanted. */
static void a_huge_first_step_is_no_trouble(void **state) {
  (void)state;
  toy made;
  toy_create_with(&made, &toy_spin, &wy_ndf, &(toy_options){.tolerance = 1e-6, .first_step = 1e300});
  toy_drive(&made, 2, 2);
  check_below(made.integrator.now->statistics.rejected, 20);
  check_close(made.integrator.u[0], cos(4), 1e-4); /* of a hundred tolerances */
  toy_destroy(&made);
}

/* One Newton iteration is one evaluation; one more of the power a step; two for the start. */
static void statistics_add_up(void **state) {
  (void)state;
  toy made;
  toy_create(&made, &toy_spin, &wy_ndf, 1e-6);
  toy_drive(&made, 3, 3);
  const wy_statistics *s = &made.integrator.now->statistics;
  assert_int_equal(s->rhs, s->newton_iterations + 2);
  assert_int_equal(s->quadrature, s->steps);
  check_at_most(s->jacobians, s->factorisations);
  check_below(s->factorisations, s->steps);
  toy_destroy(&made);
}

/* ---- Rods ---- */

static way_end run_without_allocations(const way *w, const char *integrator, double tolerance) {
  test_sim made = make_way(w, integrator, tolerance);
#ifdef COUNTS_ALLOCATIONS
  long before = allocations;
#endif
  way_end out = follow_way(w, &made);
#ifdef COUNTS_ALLOCATIONS
  assert_int_equal(allocations, before);
#endif
  free_sim(&made);
  return out;
}

/* Where RADAU5 takes them. Local errors of a tenth of the tolerance add up over some hundred steps: some ten
   tolerances. So do strains that Baumgarte's terms hold at zero, and the balance of energy, up to what a release takes
   away whatever the integrator. */
static void rods_end_where_radau5_takes_them(void **state) {
  static const double tolerance = 1e-7, factor = 30;
  (void)state;
  for (int k = 0; k < WAYS; k++) {
    way_end want = run_without_allocations(&ways[k], "radau5", 1e-10),
            got = run_without_allocations(&ways[k], "ndf", tolerance);
    check_way_end(&ways[k], "ndf", &got, &want, factor * tolerance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_formula_has_its_order),
      cmocka_unit_test(error_constants_are_those_of_the_table),
      cmocka_unit_test(formulas_are_stable_in_their_sectors),
      cmocka_unit_test(decay_at_infinity_takes_one_step),
      cmocka_unit_test(polynomials_pass_through_cuts),
      cmocka_unit_test(a_restored_history_goes_on_bit_for_bit),
      cmocka_unit_test(stops_cost_no_accuracy),
      cmocka_unit_test(a_huge_first_step_is_no_trouble),
      cmocka_unit_test(statistics_add_up),
      cmocka_unit_test(rods_end_where_radau5_takes_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
