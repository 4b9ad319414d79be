/* SPDX-License-Identifier: MIT */
/* Expressions: values, precedence, exact derivatives and scopes. Errors and bounds are in test_expr_errors.c. */
#include <float.h>
#include <locale.h>
#include <stdio.h>

#include "withy/expr.h"

#ifdef WY_HAVE_MUPARSER
#include <muParserDLL.h>
#endif

#include "check.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static wy_expr *compile_in(const wy_expr_scope *scope, const char *text) {
  wy_expr *expr;
  wy_expr_error error;
  if (wy_expr_compile(scope, text, WY_TIME | WY_ARC, &expr, &error) != WY_OK)
    fail_msg("%s: column %d: %s", text, error.column, error.text);
  return expr;
}

static wy_expr *compile(const char *text) {
  return compile_in(NULL, text);
}

static double value_at(const char *text, double s, double t) {
  wy_expr *expr = compile(text);
  double value = wy_expr_value(expr, s, t);
  wy_expr_destroy(expr);
  return value;
}

static double value_of(const char *text) {
  return value_at(text, 0.0, 0.0);
}

static void check_jet(const char *text, wy_variable wrt, double s, double t, const double want[3], double tolerance) {
  wy_expr *expr = compile(text);
  double jet[3];
  wy_expr_evaluate(expr, wrt, s, t, jet);
  for (int i = 0; i < 3; i++)
    if (!(jet[i] == want[i] || fabs(jet[i] - want[i]) <= tolerance))
      fail_msg("derivative %d of %s at s = %g, t = %g: got %.17g, want %.17g, tolerance %.3g", i, text, s, t, jet[i],
               want[i], tolerance);
  wy_expr_destroy(expr);
}

/* ---- Values ---- */

static void values_agree_with_high_precision(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double want; /* 21 digits, computed with 40 */
  } table[] = {{"sin(0.75)", 0.681638760023334166733},
               {"cos(2.5)", -0.801143615546933714834},
               {"tan(1.25)", 3.00956967386283128816},
               {"asin(0.625)", 0.675131532937031647209},
               {"acos(-0.375)", 1.95519310129053570227},
               {"atan(3.5)", 1.2924966677897852679},
               {"atan2(-1.5, -0.25)", -1.73594500420952345751},
               {"sinh(1.75)", 2.79041436627764265509},
               {"cosh(-2.25)", 4.79656753046019502867},
               {"tanh(0.875)", 0.703905603936621060588},
               {"sqrt(2)", 1.4142135623730950488},
               {"exp(-1.5)", 0.223130160148429828933},
               {"log(10)", 2.30258509299404568402},
               {"2^0.5", 1.4142135623730950488},
               {"1.5^-2.25", 0.401600890493264369761},
               {"7^13", 96889010407.0},
               {"pi", 3.14159265358979323846},
               {"exp(1)^pi", 23.1406926327792690057},
               {"1/3 + 1/7", 0.476190476190476190476},
               {"sqrt(1 + sqrt(1 + sqrt(2)))", 1.59805318247861742035},
               {"exp(sin(2)*cos(3)) - atan(5)/7", 0.21028920786197818228},
               {"log(cosh(0.5)) * tanh(0.25)^2", 0.00720508686043964433296}};
  for (size_t i = 0; i < COUNT(table); i++)
    check_close(value_of(table[i].text), table[i].want, 8.0 * DBL_EPSILON * fabs(table[i].want));
}

static void operators_bind_as_in_mathematics(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double want;
  } table[] = {{"1 + 2*3", 7},
               {"(1 + 2)*3", 9},
               {"10 - 4 - 3", 3},
               {"24/4/3", 2},
               {"24/4*3", 18},
               {"2^3^2", 512},
               {"-2^2", -4},
               {"(-2)^2", 4},
               {"2^-1", 0.5},
               {"2^-2^2", 0.0625},
               {"2*-3", -6},
               {"2 - -3", 5},
               {"--2", 2},
               {"---2", -2},
               {"+2", 2},
               {"-2*3 + 1", -5},
               {"2*3^2", 18},
               {"-3^2*2", -18},
               {"1 + 1 < 3", 1},
               {"1 + (1 < 3)", 2},
               {"2 < 1", 0},
               {"2 <= 2", 1},
               {"2 >= 3", 0},
               {"2 > 1", 1},
               {"2 == 2", 1},
               {"2 != 2", 0},
               {"1 < 2 ? 3 : 4", 3},
               {"1 > 2 ? 3 : 4", 4},
               {"0 ? 1 : 0 ? 2 : 3", 3},
               {"0 ? 1 : 1 ? 2 : 3", 2},
               {"1 ? 0 ? 1 : 2 : 3", 2},
               {"1 ? 2 : 3 + 4", 2},
               {"(1 ? 2 : 3) + 4", 6},
               {"min(3, 1, 2)", 1},
               {"max(3, 1, 2)", 3},
               {"max(-1, min(5, 2))", 2},
               {"floor(-1.5)", -2},
               {"abs(-3)", 3},
               {"1e6", 1e6},
               {"1.0E-3", 1e-3},
               {".5", 0.5},
               {"5.", 5},
               {"1e+2", 100},
               {" 1\t+\r\n2 ", 3},
               {"0.1", 0.1},
               {"9007199254740993", 9007199254740992.0},
               {"4.9e-324", 4.9e-324}};
  for (size_t i = 0; i < COUNT(table); i++) {
    double got = value_of(table[i].text);
    if (got != table[i].want)
      fail_msg("%s: got %.17g, want exactly %.17g", table[i].text, got, table[i].want);
  }
}

static void a_conditional_evaluates_only_the_branch_it_takes(void **state) {
  (void)state;
  static const char text[] = "t < 0 ? sqrt(-1 - t) : t < 1 ? t^2 : t < 2 ? 1/t : log(t)";
  const double before[3] = {sqrt(2.0), -0.5 / sqrt(2.0), -0.25 / pow(2.0, 1.5)};
  const double first[3] = {0.25, 1.0, 2.0}, second[3] = {1 / 1.5, -1 / 2.25, 2 / 3.375};
  const double last[3] = {log(4.0), 0.25, -1 / 16.0};
  check_jet(text, WY_TIME, 0.0, -3.0, before, 1e-15);
  check_jet(text, WY_TIME, 0.0, 0.5, first, 0.0);
  check_jet(text, WY_TIME, 0.0, 1.5, second, 1e-15);
  check_jet(text, WY_TIME, 0.0, 4.0, last, 1e-15);
  check_jet("(t > 1 ? log(t - 1) : 0) * 2", WY_TIME, 0.0, 0.0, (double[3]){0, 0, 0}, 0.0);
}

static void values_outside_a_domain_are_those_of_c(void **state) {
  (void)state;
  assert_true(isnan(value_of("sqrt(-1)")));
  assert_true(isnan(value_of("log(-1)")));
  assert_true(isnan(value_of("0/0")));
  assert_true(isnan(value_of("(-8)^(1/3)")));
  assert_true(isnan(value_of("min(1, 0/0)")) && isnan(value_of("min(0/0, 1)")));
  assert_true(isnan(value_of("max(1, 0/0)")) && isnan(value_of("max(0/0, 1)")));
  assert_true(isinf(value_of("1/0")) && isinf(value_of("log(0)")) && isinf(value_of("exp(1000)")));
}

static void numbers_do_not_depend_on_the_locale(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
  bool comma = false;
  for (size_t i = 0; i < COUNT(names) && !comma; i++)
    comma = setlocale(LC_NUMERIC, names[i]) && *localeconv()->decimal_point == ',';
  double got = value_of("1.5e0 + .25");
  setlocale(LC_NUMERIC, "C");
  check_close(got, 1.75, 0.0);
  if (!comma)
    skip();
}

/* ---- Derivatives ---- */

static void derivatives_agree_with_closed_forms(void **state) {
  (void)state;
  static const struct {
    const char *text, *first, *second; /* f(t), f'(t), f''(t) */
  } table[] = {{"3", "0", "0"},
               {"t", "1", "0"},
               {"s", "0", "0"},
               {"-t", "-1", "0"},
               {"2*t + 3", "2", "0"},
               {"3 - t^2", "-2*t", "-2"},
               {"t*t*t", "3*t^2", "6*t"},
               {"t^7", "7*t^6", "42*t^5"},
               {"t^0", "0", "0"},
               {"t^1", "1", "0"},
               {"t^-1", "-1/(t*t)", "2/(t*t*t)"},
               {"t^-2", "-2/t^3", "6/t^4"},
               {"t^2.5", "2.5*t*sqrt(t)", "3.75*sqrt(t)"},
               {"(t*t)^1.5", "3*t^2", "6*t"},
               {"2^t", "log(2)*2^t", "log(2)^2*2^t"},
               {"t^t", "(log(t) + 1)*t^t", "((log(t) + 1)^2 + 1/t)*t^t"},
               {"t^sin(t)", "t^sin(t)*(cos(t)*log(t) + sin(t)/t)",
                "t^sin(t)*((cos(t)*log(t) + sin(t)/t)^2 - sin(t)*log(t) + 2*cos(t)/t - sin(t)/t^2)"},
               {"1/(1 + t^2)", "-2*t/(1 + t^2)^2", "(6*t^2 - 2)/(1 + t^2)^3"},
               {"t/(1 + t)", "1/(1 + t)^2", "-2/(1 + t)^3"},
               {"sin(t^2)", "2*t*cos(t^2)", "2*cos(t^2) - 4*t^2*sin(t^2)"},
               {"cos(t^2)", "-2*t*sin(t^2)", "-2*sin(t^2) - 4*t^2*cos(t^2)"},
               {"tan(t/2)", "0.5/cos(t/2)^2", "0.5*tan(t/2)/cos(t/2)^2"},
               {"asin(t/4)", "1/sqrt(16 - t^2)", "t/(16 - t^2)^1.5"},
               {"acos(t/4)", "-1/sqrt(16 - t^2)", "-t/(16 - t^2)^1.5"},
               {"atan(2*t)", "2/(1 + 4*t^2)", "-16*t/(1 + 4*t^2)^2"},
               {"atan2(t, 3)", "3/(9 + t^2)", "-6*t/(9 + t^2)^2"},
               {"atan2(3, t)", "-3/(9 + t^2)", "6*t/(9 + t^2)^2"},
               {"atan2(sin(3*t), cos(3*t))", "3", "0"},
               {"sinh(2*t)", "2*cosh(2*t)", "4*sinh(2*t)"},
               {"cosh(2*t)", "2*sinh(2*t)", "4*cosh(2*t)"},
               {"tanh(2*t)", "2/cosh(2*t)^2", "-8*sinh(2*t)/cosh(2*t)^3"},
               {"sqrt(1 + t^2)", "t/sqrt(1 + t^2)", "1/(1 + t^2)^1.5"},
               {"exp(-t^2)", "-2*t*exp(-t^2)", "(4*t^2 - 2)*exp(-t^2)"},
               {"log(1 + t^2)", "2*t/(1 + t^2)", "2*(1 - t^2)/(1 + t^2)^2"},
               {"abs(1 - t^2)", "t < 1 ? -2*t : 2*t", "t < 1 ? -2 : 2"},
               {"floor(3*t)", "0", "0"},
               {"min(t^2, t^3)", "t < 1 ? 3*t^2 : 2*t", "t < 1 ? 6*t : 2"},
               {"max(t^2, t^3)", "t < 1 ? 2*t : 3*t^2", "t < 1 ? 2 : 6*t"},
               {"(t < 1)*t^2", "(t < 1)*2*t", "(t < 1)*2"},
               {"0.5*(1 - cos(2*pi*t/0.05))", "pi/0.05*sin(2*pi*t/0.05)", "2*(pi/0.05)^2*cos(2*pi*t/0.05)"},
               {"s*t^2 + s^3*t", "2*s*t + s^3", "2*s"}};
  static const double times[] = {0.125, 0.75, 1.3, 2.0};
  for (size_t i = 0; i < COUNT(table); i++)
    for (size_t j = 0; j < COUNT(times); j++) {
      const double s = 0.625, t = times[j];
      const double want[3] = {value_at(table[i].text, s, t), value_at(table[i].first, s, t),
                              value_at(table[i].second, s, t)};
      /* a few dozen roundings, each relative to numbers no larger than the derivatives themselves */
      double scale = 1.0 + fabs(want[0]) + fabs(want[1]) + fabs(want[2]);
      check_jet(table[i].text, WY_TIME, s, t, want, 64.0 * DBL_EPSILON * scale);
    }
}

static void derivatives_are_partial(void **state) {
  (void)state;
  static const char text[] = "s^2*t^3 + sin(s*t)";
  const double s = 0.7, t = 1.1, c = cos(s * t), f = sin(s * t);
  const double in_time[3] = {s * s * t * t * t + f, 3 * s * s * t * t + s * c, 6 * s * s * t - s * s * f};
  const double in_arc[3] = {in_time[0], 2 * s * t * t * t + t * c, 2 * t * t * t - t * t * f};
  check_jet(text, WY_TIME, s, t, in_time, 1e-14);
  check_jet(text, WY_ARC, s, t, in_arc, 1e-14);
}

static void derivatives_at_special_points(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double t, want[3];
  } table[] = {{"abs(t)", 0, {0, 0, 0}},
               {"t^2", 0, {0, 0, 2}},
               {"t^3", 0, {0, 0, 0}},
               {"t^2", -3, {9, -6, 2}},
               {"t^3", -2, {-8, 12, -12}},
               {"t^-3", -2, {-0.125, -0.1875, -0.375}},
               {"t^0", 0, {1, 0, 0}},
               {"t^1", 0, {0, 1, 0}},
               {"t^2.5", 0, {0, 0, 0}},
               {"t^(3 + 0*t)", 0, {0, 0, 0}},
               {"t^(2 + t)", 0, {0, 0, 2}},
               {"0^(1 + t)", 1, {0, 0, 0}},
               {"0^(0.5 + t)", 0, {0, 0, 0}},
               {"sqrt(max(0, t - 1))", 0.5, {0, 0, 0}},     /* what does not vary has no derivative, */
               {"sqrt(t < 1 ? 0 : t - 1)", 0.5, {0, 0, 0}}, /* even where the function's own is infinite */
               {"sqrt(s)*t", 2, {0, 0, 0}},
               {"atan(1/s)*t", 2, {3.14159265358979323846, 1.57079632679489661923, 0}},
               {"acos(1 - s) + t", 2, {2, 1, 0}},
               {"max(t, t^2)", 1, {1, 1, 0}}, /* the first of equals */
               {"min(t, t^2)", 0, {0, 1, 0}},
               {"tanh(t)", 400, {1, 0, 0}},
               {"atan2(t*1e-200, 1e-200)", 0, {0, 1, 0}},
               {"atan2(t*1e200, 1e200)", 0, {0, 1, 0}}};
  for (size_t i = 0; i < COUNT(table); i++)
    check_jet(table[i].text, WY_TIME, 0.0, table[i].t, table[i].want, 4.0 * DBL_EPSILON);

  wy_expr *root = compile("sqrt(t)");
  double jet[3];
  wy_expr_evaluate(root, WY_TIME, 0.0, 0.0, jet);
  check_close(jet[0], 0.0, 0.0);
  assert_true(isinf(jet[1]));
  wy_expr_destroy(root);
}

/* ---- Random expressions ---- */

static uint32_t random_state;

static unsigned random_below(unsigned n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 16) % n;
}

/* Writes an expression whose value and intermediate values stay of order one. */
static void write_random(char *out, size_t size, int depth) {
  char a[512], b[512];
  if (depth == 0) {
    static const char *const leaves[] = {"t", "s", "t", "0.5", "1.25", "2", "pi", "0.3"};
    snprintf(out, size, "%s", leaves[random_below(COUNT(leaves))]);
    return;
  }
  write_random(a, sizeof a, depth - 1);
  write_random(b, sizeof b, (int)random_below((unsigned)depth));
  static const char *const forms[] = {"sin(%.400s) + %.400s",
                                      "cos(%.400s)*%.400s",
                                      "tanh(%.400s) - %.400s/3",
                                      "-sin(%.400s)^2*cos(%.400s)",
                                      "atan(%.400s) - (-(%.400s))",
                                      "exp(-(%.400s)^2)*%.400s",
                                      "sqrt(2 + sin(%.400s)) - %.400s",
                                      "log(3 + cos(%.400s)*sin(%.400s))",
                                      "(1.5 + sin(%.400s))^cos(%.400s)",
                                      "min(%.400s, %.400s)",
                                      "max(cos(%.400s), %.400s)",
                                      "abs(%.400s)/(2 + sin(%.400s))",
                                      "atan2(2 + sin(%.400s), cos(%.400s))",
                                      "sinh(sin(%.400s)) + %.400s",
                                      "cosh(cos(%.400s)) - %.400s",
                                      "asin(0.9*sin(%.400s))*%.400s",
                                      "acos(0.9*cos(%.400s)) + %.400s",
                                      "(%.400s < %.400s ? t : 1 - s)",
                                      "tan(0.7*sin(%.400s))^3 + %.400s",
                                      "(%.400s >= 0.5) + cos(%.400s)"};
  snprintf(out, size, forms[random_below(COUNT(forms))], a, b);
}

static void values_and_jets_agree_on_random_expressions(void **state) {
  (void)state;
  random_state = 1;
  for (int i = 0; i < 2000; i++) {
    char text[1024];
    write_random(text, sizeof text, 1 + i % 4);
    wy_expr *expr = compile(text);
    double in_time[3], in_arc[3];
    wy_expr_evaluate(expr, WY_TIME, 0.4, 0.9, in_time);
    wy_expr_evaluate(expr, WY_ARC, 0.4, 0.9, in_arc);
    double value = wy_expr_value(expr, 0.4, 0.9);
    if (in_time[0] != value || in_arc[0] != value)
      fail_msg("%s: value %.17g, in the jets %.17g and %.17g", text, value, in_time[0], in_arc[0]);
    wy_expr_destroy(expr);
  }
}

/* The central difference of component `order` of the jet. */
static double difference(const wy_expr *expr, int order, double s, double t, double h, double *size) {
  double ahead[3], behind[3];
  wy_expr_evaluate(expr, WY_TIME, s, t + h, ahead);
  wy_expr_evaluate(expr, WY_TIME, s, t - h, behind);
  *size = fmax(fabs(ahead[order]), fabs(behind[order]));
  return (ahead[order] - behind[order]) / ((t + h) - (t - h));
}

/* The error of a central difference is c h^2, so that doubling h shows three times of it, plus rounding of order eps/h.
 */
static void derivatives_agree_with_differences_on_random_expressions(void **state) {
  (void)state;
  random_state = 2;
  for (int i = 0; i < 1000; i++) {
    char text[1024];
    write_random(text, sizeof text, 1 + i % 4);
    wy_expr *expr = compile(text);
    const double s = 0.37, t = 0.1 + 0.0017 * i, h = 1e-5;
    double jet[3], size;
    wy_expr_evaluate(expr, WY_TIME, s, t, jet);
    for (int order = 0; order < 2; order++) {
      double coarse = difference(expr, order, s, t, 2 * h, &size), fine = difference(expr, order, s, t, h, &size);
      double tolerance = fabs(coarse - fine) + 256.0 * DBL_EPSILON * (1.0 + size) / h;
      if (!(fabs(jet[order + 1] - fine) <= tolerance))
        fail_msg("derivative %d of %s at t = %g: got %.17g, want %.17g, tolerance %.3g", order + 1, text, t,
                 jet[order + 1], fine, tolerance);
    }
    wy_expr_destroy(expr);
  }
}

static void values_agree_with_muparser(void **state) {
  (void)state;
#ifdef WY_HAVE_MUPARSER
  muParserHandle_t other = mupCreate(muBASETYPE_FLOAT);
  double s = 0.0, t = 0.0;
  mupDefineVar(other, "s", &s);
  mupDefineVar(other, "t", &t);
  mupDefineConst(other, "pi", 3.14159265358979323846);
  random_state = 3;
  for (int i = 0; i < 600; i++) {
    char text[1024];
    write_random(text, sizeof text, 1 + i % 4);
    s = 0.01 * random_below(100);
    t = 0.02 * random_below(100);
    mupSetExpr(other, text);
    double want = mupEval(other), got = value_at(text, s, t);
    if (mupError(other))
      fail_msg("%s: %s", text, mupGetErrorMsg(other));
    double tolerance = 1e-13 * (1.0 + fabs(want)); /* powers and constants are rounded in another order */
    if (!(fabs(got - want) <= tolerance))
      fail_msg("%s at s = %g, t = %g: got %.17g, want %.17g, tolerance %.3g", text, s, t, got, want, tolerance);
  }
  mupRelease(other);
#else
  skip();
#endif
}

/* ---- Scopes ---- */

static wy_expr_scope *example_scope(void) {
  wy_expr_scope *scope = wy_expr_scope_create();
  assert_non_null(scope);
  assert_int_equal(wy_expr_scope_constant(scope, "L", 2.0, NULL), WY_OK);
  assert_int_equal(wy_expr_scope_constant(scope, "T_1", 0.5, NULL), WY_OK);
  assert_int_equal(wy_expr_scope_function(scope, "pulse", "t <= T_1 ? sin(pi*t/T_1)^2 : 0", NULL), WY_OK);
  assert_int_equal(wy_expr_scope_function(scope, "twice", "2*pulse", NULL), WY_OK);
  assert_int_equal(wy_expr_scope_function(scope, "fixed", "L^2 + 1", NULL), WY_OK);
  return scope;
}

static void an_expression_outlives_its_scope(void **state) {
  (void)state;
  wy_expr_scope *scope = example_scope();
  wy_expr *expr = compile_in(scope, "L*twice*s + pulse + fixed");
  wy_expr_scope_destroy(scope);
  double t = 0.2, s = 0.3, w = 2 * 3.14159265358979323846, pulse = pow(sin(w * t), 2);
  double factor = 4 * s + 1, jet[3];
  wy_expr_evaluate(expr, WY_TIME, s, t, jet);
  check_close(jet[0], factor * pulse + 5, 1e-14);
  check_close(jet[1], factor * w * sin(2 * w * t), 1e-13);
  check_close(jet[2], factor * 2 * w * w * cos(2 * w * t), 1e-12);
  check_close(wy_expr_value(expr, s, 0.6), 5.0, 0.0);
  wy_expr_destroy(expr);
}

static void dependence_is_what_is_left_after_folding(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned want;
  } table[] = {{"2*pi/L", 0},
               {"fixed", 0},
               {"t", WY_TIME},
               {"s", WY_ARC},
               {"pulse*s", WY_TIME | WY_ARC},
               {"L > 1 ? s : t", WY_ARC},
               {"L < 1 ? s : t", WY_TIME},
               {"L < 1 ? s : L > 1 ? 3 : t", 0},
               {"t < 1 ? 1 : L > 1 ? 3 : s", WY_TIME},
               {"s < 1", WY_ARC}};
  wy_expr_scope *scope = example_scope();
  for (size_t i = 0; i < COUNT(table); i++) {
    wy_expr *expr = compile_in(scope, table[i].text);
    if (wy_expr_depends_on(expr) != table[i].want)
      fail_msg("%s: got %u, want %u", table[i].text, wy_expr_depends_on(expr), table[i].want);
    wy_expr_destroy(expr);
  }
  wy_expr_scope_destroy(scope);
}

static void a_signal_evaluates_its_expression(void **state) {
  (void)state;
  wy_expr *constant = compile("2*3"), *varying = compile("s*t^2");
  wy_signal signal = wy_expr_signal(constant);
  assert_true(signal.evaluate == NULL && signal.depends_on == 0);
  check_close(signal.value, 6.0, 0.0);

  signal = wy_expr_signal(varying);
  assert_int_equal(signal.depends_on, WY_TIME | WY_ARC);
  double jet[3];
  signal.evaluate(signal.context, WY_TIME, 2.0, 3.0, jet);
  check_close(jet[0], 18.0, 0.0);
  check_close(jet[1], 12.0, 0.0);
  check_close(jet[2], 4.0, 0.0);
  wy_expr_destroy(constant);
  wy_expr_destroy(varying);
}

static wy_expr *compile_place(const char *text) {
  wy_expr *expr;
  wy_expr_error error;
  if (wy_expr_compile(NULL, text, WY_TIME | WY_X | WY_Y | WY_Z, &expr, &error) != WY_OK)
    fail_msg("%s: column %d: %s", text, error.column, error.text);
  return expr;
}

/* Velocity, gradient and rate of a flow against closed forms, exact but for round-off. */
static void a_flow_has_its_gradient_and_its_rate(void **state) {
  (void)state;
  const wy_expr *components[3] = {compile_place("x^2*y + sin(z)*t"), compile_place("3"),
                                  compile_place("z > 0 ? exp(z) : 0")};
  const wy_flow flow = wy_expr_flow(components);
  const double place[3] = {1.5, -2, 0.7}, t = 0.4;
  double velocity[3], gradient[9], rate[3];
  assert_int_equal(flow.depends_on, WY_TIME | WY_X | WY_Y | WY_Z);
  flow.evaluate(flow.context, place, t, velocity, gradient, rate);
  const double want[3] = {-4.5 + sin(0.7) * 0.4, 3, exp(0.7)}, want_rate[3] = {sin(0.7), 0, 0};
  const double want_gradient[9] = {-6, 2.25, cos(0.7) * 0.4, 0, 0, 0, 0, 0, exp(0.7)};
  for (int i = 0; i < 9; i++) {
    check_close(gradient[i], want_gradient[i], 1e-15);
    check_close(velocity[i % 3], want[i % 3], 1e-15);
    check_close(rate[i % 3], want_rate[i % 3], 1e-15);
  }
  for (int i = 0; i < 3; i++)
    wy_expr_destroy((wy_expr *)components[i]);
}

static void a_constant_flow_needs_no_evaluation(void **state) {
  (void)state;
  const wy_expr *components[3] = {compile_place("1"), compile_place("2*pi"), compile_place("-3")};
  const wy_flow flow = wy_expr_flow(components);
  assert_null(flow.evaluate);
  check_close(flow.value[2], -3, 0);
  for (int i = 0; i < 3; i++)
    wy_expr_destroy((wy_expr *)components[i]);
}

/* Only where a place is allowed; elsewhere they are names like any other, as they were. */
static void coordinates_are_names_elsewhere(void **state) {
  (void)state;
  wy_expr_scope *scope = wy_expr_scope_create();
  wy_expr *expr = NULL;
  wy_expr_error error;
  assert_int_equal(wy_expr_scope_constant(scope, "x", 7, &error), WY_OK);
  assert_int_equal(wy_expr_compile(scope, "2*x", WY_TIME, &expr, &error), WY_OK);
  check_close(wy_expr_value(expr, 0, 0), 14, 0);
  wy_expr_destroy(expr);
  assert_int_equal(wy_expr_compile(scope, "2*x", WY_TIME | WY_X, &expr, &error), WY_ERROR_INPUT);
  assert_int_equal(error.column, 3);
  assert_int_equal(wy_expr_compile(scope, "2*y", WY_TIME, &expr, &error), WY_ERROR_INPUT);
  wy_expr_scope_destroy(scope);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_agree_with_high_precision),
      cmocka_unit_test(operators_bind_as_in_mathematics),
      cmocka_unit_test(a_conditional_evaluates_only_the_branch_it_takes),
      cmocka_unit_test(values_outside_a_domain_are_those_of_c),
      cmocka_unit_test(numbers_do_not_depend_on_the_locale),
      cmocka_unit_test(derivatives_agree_with_closed_forms),
      cmocka_unit_test(derivatives_are_partial),
      cmocka_unit_test(derivatives_at_special_points),
      cmocka_unit_test(values_and_jets_agree_on_random_expressions),
      cmocka_unit_test(derivatives_agree_with_differences_on_random_expressions),
      cmocka_unit_test(values_agree_with_muparser),
      cmocka_unit_test(an_expression_outlives_its_scope),
      cmocka_unit_test(dependence_is_what_is_left_after_folding),
      cmocka_unit_test(a_signal_evaluates_its_expression),
      cmocka_unit_test(a_flow_has_its_gradient_and_its_rate),
      cmocka_unit_test(a_constant_flow_needs_no_evaluation),
      cmocka_unit_test(coordinates_are_names_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
