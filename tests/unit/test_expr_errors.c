/* SPDX-License-Identifier: MIT */
/* Expressions that are refused: every error with its column and suggestion, and the bounds on size and depth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/expr_internal.h"
#include "withy/expr.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static wy_expr_scope *example_scope(void) {
  wy_expr_scope *scope = wy_expr_scope_create();
  assert_non_null(scope);
  assert_int_equal(wy_expr_scope_constant(scope, "L", 2.0, NULL), WY_OK);
  assert_int_equal(wy_expr_scope_function(scope, "pulse", "t <= 1 ? sin(pi*t)^2 : 0", NULL), WY_OK);
  return scope;
}

static void check_error(const wy_expr_error *error, const char *text, int column, const char *want) {
  if (error->column != column || strcmp(error->text, want) != 0)
    fail_msg("%s\n got column %d: %s\nwant column %d: %s", text, error->column, error->text, column, want);
}

/* ---- Errors ---- */

static void errors_say_where_and_what(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned allowed;
    int column;
    const char *want;
  } table[] = {
      {"", 3, 1, "the expression is empty"},
      {"  ", 3, 3, "the expression is empty"},
      {"1 +", 3, 4, "expected a number, a name or '(', found the end"},
      {"1 + * 2", 3, 5, "expected a number, a name or '(', found '*'"},
      {"()", 3, 2, "expected a number, a name or '(', found ')'"},
      {"2*(1 + t", 3, 9, "expected ')' for the '(' in column 3, found the end"},
      {"sin(1, 2", 3, 9, "expected ')' for the '(' in column 4, found the end"},
      {"(1, 2)", 3, 3, "expected ')' for the '(' in column 1, found ','"},
      {"1)", 3, 2, "')' without '('"},
      {"1 : 2", 3, 3, "':' without '?'"},
      {"t ? 1", 3, 6, "expected ':' for the '?' in column 3, found the end"},
      {"1,5", 3, 2, "',' only separates the arguments of a function; the decimal point is '.'"},
      {"2 t", 3, 3, "expected an operator, found 't': to multiply, write '*'"},
      {"2(3)", 3, 2, "expected an operator, found '(': to multiply, write '*'"},
      {"1.2.3", 3, 4, "expected an operator, found '.3': to multiply, write '*'"},
      {"0x10", 3, 2, "expected an operator, found 'x10': to multiply, write '*'"},
      {"1e", 3, 2, "expected digits in the exponent of a number"},
      {"1e+", 3, 2, "expected digits in the exponent of a number"},
      {"2*1e999", 3, 3, "number '1e999' is out of range"},
      {".", 3, 1, "unexpected character '.'"},
      {"1 $ 2", 3, 3, "unexpected character '$'"},
      {"2\xC2\xB7t", 3, 2, "unexpected character '\xC2\xB7'"},
      {"2\xC2", 3, 2, "unexpected byte 0xC2"},
      {"2\x01", 3, 2, "unexpected byte 0x01"},
      {"t = 1", 3, 3, "'=' is no operator: to compare, write '=='"},
      {"!t", 3, 1, "'!' is no operator: to compare, write '!='"},
      {"t && s", 3, 3, "'&' is no operator: for 'and', multiply the comparisons"},
      {"t || s", 3, 3, "'|' is no operator: for 'or', take the max of the comparisons"},
      {"0 < t < 1", 3, 7, "comparisons do not chain: write (a < b)*(b < c) for a < b < c"},
      {"sin", 3, 4, "expected '(' after the function 'sin', found the end"},
      {"sin t", 3, 5, "expected '(' after the function 'sin', found 't'"},
      {"sin()", 3, 1, "'sin' takes 1 argument, found 0"},
      {"1 + sin(1, 2)", 3, 5, "'sin' takes 1 argument, found 2"},
      {"atan2(1)", 3, 1, "'atan2' takes 2 arguments, found 1"},
      {"atan2(1, 2, 3)", 3, 1, "'atan2' takes 2 arguments, found 3"},
      {"min(1)", 3, 1, "'min' takes 2 or more arguments, found 1"},
      {"min(1,)", 3, 7, "expected a number, a name or '(', found ')'"},
      {"L(2)", 3, 2, "'L' takes no arguments: to multiply, write '*'"},
      {"pulse(t)", 3, 6, "'pulse' takes no arguments: to multiply, write '*'"},
      {"pi(2)", 3, 3, "'pi' takes no arguments: to multiply, write '*'"},
      {"sine(t)", 3, 1, "unknown name 'sine': did you mean 'sin'?"},
      {"1 + sqtr(2)", 3, 5, "unknown name 'sqtr': did you mean 'sqrt'?"},
      {"PI", 3, 1, "unknown name 'PI': did you mean 'pi'?"},
      {"T", 3, 1, "unknown name 'T': did you mean 't'?"},
      {"T", 0, 1, "unknown name 'T'"},
      {"arcsin(1)", 3, 1, "unknown name 'arcsin': did you mean 'asin'?"},
      {"2*puls", 3, 3, "unknown name 'puls': did you mean 'pulse'?"},
      {"x", 3, 1, "unknown name 'x'"},
      {"temperature", 3, 1, "unknown name 'temperature'"},
      {"a_name_of_more_than_forty_characters_is_cut", 3, 1, "unknown name 'a_name_of_more_than_forty_characters_...'"},
      {"1 + t", 0, 5, "time t is not available here"},
      {"1 + t", WY_ARC, 5, "time t is not available here"},
      {"s", WY_TIME, 1, "arc length s is not available here"},
      {"2*pulse", WY_ARC, 3, "'pulse' depends on time t, which is not available here"}};
  wy_expr_scope *scope = example_scope();
  for (size_t i = 0; i < COUNT(table); i++) {
    wy_expr *expr;
    wy_expr_error error;
    if (wy_expr_compile(scope, table[i].text, table[i].allowed, &expr, &error) != WY_ERROR_INPUT)
      fail_msg("%s: no error, want: %s", table[i].text, table[i].want);
    assert_null(expr);
    check_error(&error, table[i].text, table[i].column, table[i].want);
    assert_int_equal(wy_expr_compile(scope, table[i].text, table[i].allowed, &expr, NULL), WY_ERROR_INPUT);
  }
  wy_expr_scope_destroy(scope);
}

static void names_of_a_scope_are_new_identifiers(void **state) {
  (void)state;
  static const struct {
    const char *name, *want;
  } table[] = {{"", "'' is not a name: expected letters, digits and '_', no digit first"},
               {"2x", "'2x' is not a name: expected letters, digits and '_', no digit first"},
               {"a b", "'a b' is not a name: expected letters, digits and '_', no digit first"},
               {"sin", "the name 'sin' is built in"},
               {"pi", "the name 'pi' is built in"},
               {"t", "the name 't' is built in"},
               {"s", "the name 's' is built in"},
               {"L", "the name 'L' is already defined"},
               {"pulse", "the name 'pulse' is already defined"}};
  wy_expr_scope *scope = example_scope();
  for (size_t i = 0; i < COUNT(table); i++) {
    wy_expr_error error;
    assert_int_equal(wy_expr_scope_constant(scope, table[i].name, 1.0, &error), WY_ERROR_INPUT);
    check_error(&error, table[i].name, 0, table[i].want);
    assert_int_equal(wy_expr_scope_function(scope, table[i].name, "t", &error), WY_ERROR_INPUT);
    check_error(&error, table[i].name, 0, table[i].want);
  }
  wy_expr_error error;
  char name[WY_EXPR_NAME + 2];
  memset(name, 'n', sizeof name);
  name[WY_EXPR_NAME + 1] = '\0';
  assert_int_equal(wy_expr_scope_constant(scope, name, 1.0, NULL), WY_ERROR_INPUT);
  name[WY_EXPR_NAME] = '\0';
  assert_int_equal(wy_expr_scope_constant(scope, name, 1.0, NULL), WY_OK);
  assert_int_equal(wy_expr_scope_constant(scope, "x", (double)INFINITY, &error), WY_ERROR_INPUT);
  check_error(&error, "x", 0, "the constant 'x' is not a finite number");
  assert_int_equal(wy_expr_scope_function(scope, "f", "1 + f", &error), WY_ERROR_INPUT);
  check_error(&error, "f", 5, "unknown name 'f'");
  assert_int_equal(wy_expr_scope_function(scope, "f", "s", &error), WY_ERROR_INPUT);
  check_error(&error, "f", 1, "arc length s is not available here");
  wy_expr_scope_destroy(scope);
  wy_expr_scope_destroy(NULL);
}

/* ---- Bounds ---- */

/* `count` copies of `piece` between `head` and `tail`; the caller frees it. */
static char *repeated(const char *head, const char *piece, int count, const char *tail) {
  size_t size = strlen(head) + strlen(piece) * (size_t)count + strlen(tail) + 1;
  char *text = malloc(size);
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, size, "%s", head);
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, size - used, "%s", piece);
  snprintf(text + used, size - used, "%s", tail);
  return text;
}

static void check_bound(char *text, int column, const char *want) {
  wy_expr *expr;
  wy_expr_error error;
  assert_int_equal(wy_expr_compile(NULL, text, 3, &expr, &error), WY_ERROR_INPUT);
  check_error(&error, want, column, want);
  free(text);
}

static void check_within_bounds(char *text, double want) {
  wy_expr *expr;
  assert_int_equal(wy_expr_compile(NULL, text, WY_TIME | WY_ARC, &expr, NULL), WY_OK);
  check_close(wy_expr_value(expr, 1.0, 1.0), want, 0.0);
  wy_expr_destroy(expr);
  free(text);
}

static void texts_are_bounded(void **state) {
  (void)state;
  check_within_bounds(repeated("1", " ", WY_EXPR_TEXT - 1, ""), 1.0);
  check_bound(repeated("1", " ", WY_EXPR_TEXT, ""), WY_EXPR_TEXT + 1, "the expression is longer than 4096 characters");
  check_within_bounds(repeated("0.", "1", 4000, ""), 1.0 / 9.0);
  check_within_bounds(repeated("t", "+t", 2047, ""), 2048.0);
  check_within_bounds(repeated("", "-", 4000, "t"), 1.0);
  check_within_bounds(repeated("", "t<0?2:", 600, "t"), 1.0);
  check_within_bounds(repeated("max(0", ",t", 2000, ")"), 1.0);
}

static void nesting_is_bounded(void **state) {
  (void)state;
  static const char want[] = "the expression is nested more than 64 levels deep";
  static const struct {
    const char *head, *piece, *tail; /* each piece goes one level deeper */
    int column;                      /* of the piece that is too deep */
  } table[] = {
      {"", "(", "", 65}, {"", "sin(", "", 257}, {"t", "^t", "", 130}, {"t", "?t", "", 130}, {"", "-(", "", 130}};
  for (size_t i = 0; i < COUNT(table); i++)
    check_bound(repeated(table[i].head, table[i].piece, 1000, table[i].tail), table[i].column, want);

  char *closing = repeated("t", ")", WY_EXPR_NESTING, "");
  check_within_bounds(repeated("", "(", WY_EXPR_NESTING, closing), 1.0);
  free(closing);
}

static void intermediate_values_are_bounded(void **state) {
  (void)state;
  char *closing = repeated("t", ")", 60, "");
  check_bound(repeated("", "t<t+t*(", 60, closing), 1,
              "the expression holds more than 128 intermediate values at once");
  free(closing);
}

static void functions_that_double_end_at_the_program_bound(void **state) {
  (void)state;
  wy_expr_scope *scope = wy_expr_scope_create();
  assert_int_equal(wy_expr_scope_function(scope, "f0", "t", NULL), WY_OK);
  wy_expr_error error = {0, ""};
  wy_status status = WY_OK;
  int level = 0;
  while (status == WY_OK && level < 64) {
    char name[16], text[32];
    snprintf(text, sizeof text, "f%d + f%d", level, level);
    snprintf(name, sizeof name, "f%d", ++level);
    status = wy_expr_scope_function(scope, name, text, &error);
  }
  assert_int_equal(status, WY_ERROR_INPUT);
  assert_int_equal(level, 12); /* 2^(n+1) - 1 operations; 8191 are too many */
  check_error(&error, "f12", 10, "the expression needs more than 4096 operations, its functions included");
  wy_expr *expr;
  assert_int_equal(wy_expr_compile(scope, "f11", WY_TIME, &expr, NULL), WY_OK);
  check_close(wy_expr_value(expr, 0.0, 0.5), 1024.0, 0.0);
  wy_expr_destroy(expr);
  wy_expr_scope_destroy(scope);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_say_where_and_what),
      cmocka_unit_test(names_of_a_scope_are_new_identifiers),
      cmocka_unit_test(texts_are_bounded),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(intermediate_values_are_bounded),
      cmocka_unit_test(functions_that_double_end_at_the_program_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
