/* SPDX-License-Identifier: MIT */
/* Tables as splines: they pass through their rows, are twice continuously differentiable, of order 4, at rest where
   they are held, not defined outside otherwise, and refuse what is no table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "withy/expr.h"
#include "withy/spline.h"

static wy_spline *make(int rows, int columns, const double *x, const double *y, wy_outside outside) {
  wy_spline_def def = wy_default_spline_def();
  wy_spline *spline = NULL;
  wy_message message = {.text = ""};
  def.rows = rows, def.columns = columns, def.argument = x, def.values = y, def.outside = outside;
  if (wy_spline_create(&def, &spline, &message) != WY_OK)
    fail_msg("refused: %s", message.text);
  return spline;
}

/* Uneven rows from 0 to 2. */
static double place(int i, int rows) {
  const double z = (double)i / (rows - 1);
  return 2 * z + 0.1 * sin(6.283185307179586 * z);
}

static double course(double x) {
  return sin(3 * x + 0.5) + 0.2 * x * x;
}

static double slope(double x) {
  return 3 * cos(3 * x + 0.5) + 0.4 * x;
}

static double bend(double x) {
  return -9 * sin(3 * x + 0.5) + 0.4;
}

static wy_spline *sampled(int rows, wy_outside outside) {
  double *x = malloc((size_t)rows * sizeof *x), *y = malloc((size_t)rows * sizeof *y);
  for (int i = 0; i < rows; i++)
    x[i] = place(i, rows), y[i] = course(x[i]);
  wy_spline *spline = make(rows, 1, x, y, outside);
  free(x);
  free(y);
  return spline;
}

static void it_passes_through_its_rows(void **state) {
  (void)state;
  for (int outside = 0; outside < 2; outside++)
    for (int rows = 2; rows <= 9; rows++) {
      wy_spline *spline = sampled(rows, (wy_outside)outside);
      for (int i = 0; i < rows; i++) {
        double jet[3];
        wy_spline_evaluate(spline, 0, place(i, rows), jet);
        check_close(jet[0], course(place(i, rows)), 1e-15);
      }
      wy_spline_destroy(spline);
    }
}

/* Polynomials of degree 3 (2 for three rows, 1 for two) are met exactly: round-off of numbers of size 10. */
static void cubics_are_exact(void **state) {
  (void)state;
  for (int rows = 2; rows <= 12; rows++) {
    const double c[4] = {0.5, -2, rows > 2 ? 1.5 : 0, rows > 3 ? 0.75 : 0};
    double x[12], y[12], jet[3];
    for (int i = 0; i < rows; i++) {
      x[i] = place(i, rows);
      y[i] = c[0] + x[i] * (c[1] + x[i] * (c[2] + x[i] * c[3]));
    }
    wy_spline *spline = make(rows, 1, x, y, WY_OUTSIDE_REFUSE);
    for (double at = 0; at <= 2; at += 0.03125) {
      wy_spline_evaluate(spline, 0, at, jet);
      check_close(jet[0], c[0] + at * (c[1] + at * (c[2] + at * c[3])), 1e-13);
      check_close(jet[1], c[1] + at * (2 * c[2] + at * 3 * c[3]), 1e-12);
      check_close(jet[2], 2 * c[2] + 6 * at * c[3], 1e-11);
    }
    wy_spline_destroy(spline);
  }
}

typedef struct errors {
  double of[3];
} errors;

static errors errors_with(int rows) {
  wy_spline *spline = sampled(rows, WY_OUTSIDE_REFUSE);
  errors most = {{0, 0, 0}};
  for (int i = 0; i <= 4000; i++) {
    const double at = 2.0 * i / 4000, want[3] = {course(at), slope(at), bend(at)};
    double jet[3];
    wy_spline_evaluate(spline, 0, at, jet);
    for (int k = 0; k < 3; k++)
      most.of[k] = fmax(most.of[k], fabs(jet[k] - want[k]));
  }
  wy_spline_destroy(spline);
  return most;
}

/* Up to the ends: values of order 4, slopes of order 3, second derivatives of order 2. Half a power is the margin. */
static void the_orders_are_4_3_and_2(void **state) {
  (void)state;
  errors coarse = errors_with(41), fine = errors_with(161);
  for (int k = 0; k < 3; k++) {
    const double order = log(coarse.of[k] / fine.of[k]) / log(4);
    if (!(order > 4 - k - 0.5))
      fail_msg("derivative %d: errors %g and %g: order %.2f, want %d", k, coarse.of[k], fine.of[k], order, 4 - k);
  }
}

/* From both sides of every row, and of the ends where they are held: the same value, slope and second derivative, up
   to what changes over the distance. */
static void derivatives_are_continuous(void **state) {
  (void)state;
  const double little = 1e-9;
  for (int outside = 0; outside < 2; outside++)
    for (int rows = 2; rows <= 8; rows++) {
      wy_spline *spline = sampled(rows, (wy_outside)outside);
      const bool held = outside == WY_OUTSIDE_HOLD;
      for (int i = held ? 0 : 1; i < (held ? rows : rows - 1); i++) {
        double before[3], after[3];
        wy_spline_evaluate(spline, 0, place(i, rows) - little, before);
        wy_spline_evaluate(spline, 0, place(i, rows) + little, after);
        for (int k = 0; k < 3; k++) /* third derivatives are below 1e4 */
          check_close(before[k], after[k], 2 * little * 1e4);
      }
      wy_spline_destroy(spline);
    }
}

static void derivatives_are_those_of_the_value(void **state) {
  (void)state;
  const double h = 1e-4;
  for (int outside = 0; outside < 2; outside++)
    for (int rows = 2; rows <= 6; rows++) {
      wy_spline *spline = sampled(rows, (wy_outside)outside);
      for (double at = 0.011; at < 1.99; at += 0.0371) {
        double before[3], here[3], after[3];
        wy_spline_evaluate(spline, 0, at - h, before);
        wy_spline_evaluate(spline, 0, at, here);
        wy_spline_evaluate(spline, 0, at + h, after);
        check_close((after[0] - before[0]) / (2 * h), here[1], 2e-4); /* h^2 / 6 or, across a row, h times 1e4 */
        check_close((after[1] - before[1]) / (2 * h), here[2], 2 * h * 1e4);
      }
      wy_spline_destroy(spline);
    }
}

static void a_held_table_begins_and_ends_at_rest(void **state) {
  (void)state;
  for (int rows = 2; rows <= 6; rows++) {
    wy_spline *spline = sampled(rows, WY_OUTSIDE_HOLD);
    const double at[] = {-1e300, -1, 0, 2, 3, 1e300, (double)INFINITY};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
      double jet[3];
      wy_spline_evaluate(spline, 0, at[i], jet);
      assert_true(jet[0] == course(at[i] <= 0 ? 0 : 2) && jet[1] == 0 && jet[2] == 0);
    }
    wy_spline_destroy(spline);
  }
}

static void nothing_is_known_outside_where_it_is_refused(void **state) {
  (void)state;
  wy_spline *spline = sampled(5, WY_OUTSIDE_REFUSE);
  const double outside[] = {-0.01, 2.01, (double)NAN, (double)INFINITY, -(double)INFINITY};
  double jet[3];
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    wy_spline_evaluate(spline, 0, outside[i], jet);
    assert_true(isnan(jet[0]) && isnan(jet[1]) && isnan(jet[2]));
  }
  wy_spline_evaluate(spline, 0, nextafter(2, 3), jet); /* the end of a run, to round-off */
  check_close(jet[0], course(2), 1e-14);
  wy_spline_destroy(spline);
}

/* 1000 uneven rows: every piece is found. */
static void every_piece_is_found(void **state) {
  (void)state;
  enum { ROWS = 1000 };
  double x[ROWS], y[ROWS], jet[3];
  for (int i = 0; i < ROWS; i++)
    x[i] = exp(0.01 * i), y[i] = i % 7;
  wy_spline *spline = make(ROWS, 1, x, y, WY_OUTSIDE_REFUSE);
  for (int i = 0; i < ROWS; i++) {
    wy_spline_evaluate(spline, 0, x[i], jet);
    check_close(jet[0], y[i], 1e-12);
  }
  wy_spline_destroy(spline);
}

static void columns_are_signals(void **state) {
  (void)state;
  const double x[3] = {0, 1, 2}, y[6] = {0, 5, 1, 6, 4, 7};
  const char *const names[2] = {"a", "b"};
  wy_spline_def def = wy_default_spline_def();
  def.rows = 3, def.columns = 2, def.argument = x, def.values = y, def.names = names, def.of = WY_ARC;
  wy_spline *spline = NULL;
  assert_int_equal(wy_spline_create(&def, &spline, NULL), WY_OK);
  assert_int_equal(wy_spline_column(spline, "b"), 1);
  assert_int_equal(wy_spline_column(spline, "c"), -1);
  wy_signal a = wy_spline_signal(spline, 0), none = wy_spline_signal(spline, 2);
  double jet[3];
  assert_int_equal(a.depends_on, WY_ARC);
  a.evaluate(a.context, WY_ARC, 1.5, 77, jet); /* the parabola s^2 */
  check_close(jet[0], 2.25, 1e-15);
  check_close(jet[1], 3, 1e-15);
  check_close(jet[2], 2, 1e-14);
  a.evaluate(a.context, WY_TIME, 1.5, 77, jet);
  assert_true(fabs(jet[0] - 2.25) < 1e-15 && jet[1] == 0 && jet[2] == 0);
  assert_true(!none.evaluate && isnan(none.value));
  wy_spline_destroy(spline);
}

/* ---- Rotations ---- */

static wy_status make_turns(int rows, const double *x, const double *q, wy_spline **spline, wy_message *message) {
  static const char *const names[4] = {"qw", "qx", "qy", "qz"};
  wy_spline_def def = wy_default_spline_def();
  def.rows = rows, def.columns = 4, def.argument = x, def.values = q, def.names = names;
  return wy_spline_create(&def, spline, message);
}

static void rotations_have_length_1_and_continuous_signs(void **state) {
  (void)state;
  enum { ROWS = 20 };
  double x[ROWS], q[4 * ROWS];
  for (int i = 0; i < ROWS; i++) { /* twice around, 40 degrees a row, in any length and either sign */
    const double half = 0.35 * i, length = (i % 3 == 0 ? -1 : 1) * (1 + i);
    x[i] = i;
    q[4 * i] = length * cos(half), q[4 * i + 1] = 0, q[4 * i + 2] = length * 0.6 * sin(half);
    q[4 * i + 3] = length * 0.8 * sin(half);
  }
  wy_spline *spline = NULL;
  assert_int_equal(make_turns(ROWS, x, q, &spline, NULL), WY_OK);
  const double *rows = wy_spline_definition(spline)->values;
  const double sign = rows[0] > 0 ? 1 : -1;
  for (int i = 0; i < ROWS; i++) {
    check_close(sign * rows[4 * i], cos(0.35 * i), 1e-15);
    check_close(sign * rows[4 * i + 3], 0.8 * sin(0.35 * i), 1e-15);
  }
  wy_spline_destroy(spline);
}

static void rotations_that_are_none_are_refused(void **state) {
  (void)state;
  const double x[2] = {0, 1}, zero[8] = {1, 0, 0, 0, 0, 0, 0, 0}, half_turn[8] = {1, 0, 0, 0, 0, 1, 0, 0};
  wy_spline *spline = NULL;
  wy_message message;
  assert_int_equal(make_turns(2, x, zero, &spline, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "row 2: found the quaternion [0, 0, 0, 0]"));
  assert_int_equal(make_turns(2, x, half_turn, &spline, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "row 2: found a rotation half a turn away"));
}

/* ---- Expressions ---- */

static void a_column_in_an_expression_has_exact_derivatives(void **state) {
  (void)state;
  const double x[4] = {0, 1, 2, 3}, y[4] = {0, 1, 4, 9};
  const char *const names[1] = {"x"};
  wy_spline_def def = wy_default_spline_def();
  wy_spline *hand = NULL;
  wy_expr *expr = NULL;
  wy_expr_error error;
  def.rows = 4, def.columns = 1, def.argument = x, def.values = y, def.names = names;
  assert_int_equal(wy_spline_create(&def, &hand, NULL), WY_OK);
  wy_expr_scope *scope = wy_expr_scope_create();
  assert_int_equal(wy_expr_scope_table(scope, "hand", hand, &error), WY_OK);
  assert_int_equal(wy_expr_scope_function(scope, "f", "2*hand.x + 1", &error), WY_OK);
  assert_int_equal(wy_expr_compile(scope, "sin(f)*t - hand . x", WY_TIME, &expr, &error), WY_OK);
  wy_expr_scope_destroy(scope);
  assert_int_equal(wy_expr_depends_on(expr), WY_TIME);
  const double t = 1.3, f = 2 * t * t + 1; /* f' = 4 t, f'' = 4 */
  double jet[3];
  wy_expr_evaluate(expr, WY_TIME, 0, t, jet);
  check_close(jet[0], sin(f) * t - t * t, 1e-14);
  check_close(jet[1], cos(f) * 4 * t * t + sin(f) - 2 * t, 1e-13);
  check_close(jet[2], -sin(f) * 16 * t * t * t + cos(f) * 4 * t + 2 * cos(f) * 4 * t - 2, 1e-12);
  assert_true(wy_expr_value(expr, 0, t) == jet[0]);
  wy_expr_destroy(expr);
  wy_spline_destroy(hand);
}

static void misused_tables_are_named(void **state) {
  (void)state;
  const double x[2] = {0, 1}, y[4] = {0, 1, 2, 3};
  const char *const names[2] = {"height", "q2"};
  wy_spline_def def = wy_default_spline_def();
  wy_spline *hand = NULL;
  wy_expr_error error;
  def.rows = 2, def.columns = 2, def.argument = x, def.values = y, def.names = names;
  assert_int_equal(wy_spline_create(&def, &hand, NULL), WY_OK);
  wy_expr_scope *scope = wy_expr_scope_create();
  assert_int_equal(wy_expr_scope_table(scope, "hand", hand, &error), WY_OK);
  assert_int_equal(wy_expr_scope_constant(scope, "L", 1, &error), WY_OK);
  static const struct {
    const char *text;
    unsigned allowed;
    int column;
    const char *reason;
  } wrong[] = {{"2*hand.hieght", WY_TIME, 8, "the table 'hand' has no column 'hieght': did you mean 'height'?"},
               {"hand.w", WY_TIME, 6, "the table 'hand' has no column 'w'; its first one is 'height'"},
               {"hnad.q2", WY_TIME, 1, "unknown name 'hnad': did you mean 'hand'?"},
               {"1 + hand", WY_TIME, 5, "'hand' is a table: expected a column of it, such as hand.height"},
               {"hand(t)", WY_TIME, 1, "'hand' is a table: expected a column of it"},
               {"L.x", WY_TIME, 2, "'L' is no table"},
               {"t.x", WY_TIME, 2, "'t' is no table"},
               {"hand.", WY_TIME, 6, "expected a column of the table 'hand' after '.', found the end"},
               {"hand.2", WY_TIME, 5, "is a table: expected a column"},
               {"hand.q2", WY_ARC, 1, "the table 'hand' depends on time t, which is not available here"},
               {"hand.q2", 0, 1, "the table 'hand' depends on time t, which is not available here"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    wy_expr *expr = NULL;
    assert_int_equal(wy_expr_compile(scope, wrong[i].text, wrong[i].allowed, &expr, &error), WY_ERROR_INPUT);
    if (!strstr(error.text, wrong[i].reason) || (i != 8 && error.column != wrong[i].column))
      fail_msg("%s: got %d: '%s', want %d: '%s'", wrong[i].text, error.column, error.text, wrong[i].column,
               wrong[i].reason);
  }
  assert_int_equal(wy_expr_scope_table(scope, "hand", hand, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_table(scope, "pi", hand, &error), WY_ERROR_INPUT);
  wy_expr_scope_destroy(scope);
  wy_spline_destroy(hand);
}

/* ---- What is no table ---- */

static void wrong_definitions_are_refused(void **state) {
  (void)state;
  static const double x[3] = {0, 1, 2}, y[3] = {0, 1, 2}, twice[3] = {0, 1, 1}, no_number[3] = {0, (double)NAN, 1},
                      huge[3] = {0, 1e308, -1e308};
  static const char *const same[2] = {"a", "a"};
  wy_spline_def good = wy_default_spline_def();
  good.rows = 3, good.columns = 1, good.argument = x, good.values = y;
  wy_spline_def wrong[12];
  for (int i = 0; i < 12; i++)
    wrong[i] = good;
  wrong[0].cookie = 0;
  wrong[1].rows = 1;
  wrong[2].rows = WY_SPLINE_ROWS + 1;
  wrong[3].columns = 0;
  wrong[4].argument = twice;
  wrong[5].argument = no_number;
  wrong[6].values = no_number;
  wrong[7].values = NULL;
  wrong[8].of = (wy_variable)3;
  wrong[9].outside = (wy_outside)2;
  wrong[10].columns = 2, wrong[10].rows = 1, wrong[10].names = same;
  wrong[11].values = huge;
  static const char *const reasons[12] = {"wy_default_spline_def",
                                          "found 1 row; expected 2 to 1000000",
                                          "found 1000001 rows",
                                          "found 0 columns",
                                          "row 3: found 1, which is not above the row before",
                                          "row 2: found nan",
                                          "row 2, column 2: found nan",
                                          "found NULL for `values`",
                                          "expected WY_TIME or WY_ARC",
                                          "expected one of wy_outside",
                                          "found 1 row",
                                          "outside the range of double precision"};
  for (int i = 0; i < 12; i++) {
    wy_spline *spline = (wy_spline *)&good;
    wy_message message = {.text = ""};
    assert_int_equal(wy_spline_create(&wrong[i], &spline, &message), WY_ERROR_INPUT);
    assert_null(spline);
    if (!strstr(message.text, reasons[i]))
      fail_msg("case %d: got '%s', want '%s' in it", i, message.text, reasons[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_passes_through_its_rows),
                                     cmocka_unit_test(cubics_are_exact),
                                     cmocka_unit_test(the_orders_are_4_3_and_2),
                                     cmocka_unit_test(derivatives_are_continuous),
                                     cmocka_unit_test(derivatives_are_those_of_the_value),
                                     cmocka_unit_test(a_held_table_begins_and_ends_at_rest),
                                     cmocka_unit_test(nothing_is_known_outside_where_it_is_refused),
                                     cmocka_unit_test(every_piece_is_found),
                                     cmocka_unit_test(columns_are_signals),
                                     cmocka_unit_test(rotations_have_length_1_and_continuous_signs),
                                     cmocka_unit_test(rotations_that_are_none_are_refused),
                                     cmocka_unit_test(a_column_in_an_expression_has_exact_derivatives),
                                     cmocka_unit_test(misused_tables_are_named),
                                     cmocka_unit_test(wrong_definitions_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
