/* SPDX-License-Identifier: MIT */
/* Fuzz target of the expression compiler: whatever the bytes are, compiling them ends with a program that evaluates, or
   with an error that has a message and a column within the text. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "withy/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
  if (!condition)
    abort();
}

static int same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/* Made once, for all inputs. */
static const wy_spline *table(void) {
  static const double x[3] = {-1, 0, 2}, y[6] = {1, 2, 3, 4, 5, 6};
  static const char *const names[2] = {"x", "height"};
  static wy_spline *made;
  wy_spline_def def = wy_default_spline_def();
  def.rows = 3, def.columns = 2, def.argument = x, def.values = y, def.names = names;
  require(made || wy_spline_create(&def, &made, NULL) == WY_OK);
  return made;
}

static wy_expr_scope *make_scope(void) {
  wy_expr_scope *scope = wy_expr_scope_create();
  require(scope != NULL);
  require(wy_expr_scope_constant(scope, "L", 2.5, NULL) == WY_OK);
  require(wy_expr_scope_constant(scope, "zero", 0.0, NULL) == WY_OK);
  require(wy_expr_scope_function(scope, "ramp", "t < 1 ? t/L : 1", NULL) == WY_OK);
  require(wy_expr_scope_table(scope, "hand", table(), NULL) == WY_OK);
  return scope;
}

static void evaluate(const wy_expr *expr) {
  static const double places[][2] = {{0.0, 0.0}, {0.5, 1.0}, {-1.0, 1e300}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    double s = places[i][0], t = places[i][1], value = wy_expr_value(expr, s, t), jet[3];
    for (int wrt = WY_TIME; wrt <= WY_ARC; wrt++) {
      wy_expr_evaluate(expr, (wy_variable)wrt, s, t, jet);
      require(same(jet[0], value));
      if (!(wy_expr_depends_on(expr) & (unsigned)wrt))
        require(jet[1] == 0.0 && jet[2] == 0.0);
    }
  }
  require((wy_expr_signal(expr).evaluate == NULL) == (wy_expr_depends_on(expr) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  require(text != NULL);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';

  wy_expr_scope *scope = make_scope();
  wy_expr *expr;
  wy_expr_error error = {0, ""};
  if (wy_expr_compile(scope, text, WY_TIME | WY_ARC, &expr, &error) == WY_OK) {
    evaluate(expr);
    wy_expr_destroy(expr);
  } else {
    require(expr == NULL && error.text[0] != '\0');
    require(error.column >= 1 && (size_t)error.column <= strlen(text) + 1);
  }
  /* As a function, then used twice; and where no variable is allowed. */
  if (wy_expr_scope_function(scope, "f", text, NULL) == WY_OK &&
      wy_expr_compile(scope, "f*s + L*f", WY_TIME | WY_ARC, &expr, NULL) == WY_OK) {
    evaluate(expr);
    wy_expr_destroy(expr);
  }
  if (wy_expr_compile(scope, text, 0, &expr, NULL) == WY_OK) {
    require(wy_expr_depends_on(expr) == 0);
    wy_expr_destroy(expr);
  }
  wy_expr_scope_destroy(scope);
  free(text);
  return 0;
}
