/* SPDX-License-Identifier: MIT */
/* Expressions of time t and arc length s, of time and a place x, y, z, or of the numbers of one of many rods: text such
   as "0.5*(1 - cos(2*pi*t/T))", compiled once, then evaluated with exact first and second derivatives. The language is
   described in docs/guide/expressions.md. */
#ifndef WITHY_EXPR_H
#define WITHY_EXPR_H

#include "withy/base.h"
#include "withy/spline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names that expressions may use besides the built-in ones: constants, functions of time, and tables. */
typedef struct wy_expr_scope wy_expr_scope;

/* A compiled expression. It is immutable, so that threads may share it. The scope may be destroyed before it. */
typedef struct wy_expr wy_expr;

/* What is wrong with an expression, and where. `column` counts bytes from 1. It is 0 if the error has no place in the
   text. */
typedef struct wy_expr_error {
  int column;
  char text[256];
} wy_expr_error;

/* An empty scope, or NULL if there is not enough memory. Destroying NULL does nothing. */
WY_API wy_expr_scope *wy_expr_scope_create(void);
WY_API void wy_expr_scope_destroy(wy_expr_scope *scope);

/* Adds a constant with a finite value. The name consists of letters, digits and '_' and does not begin with a digit. It
   must differ from the names in the scope and from the built-in names. `error` may be NULL, here and below. */
WY_API wy_status wy_expr_scope_constant(wy_expr_scope *scope, const char *name, double value, wy_expr_error *error);

/* Adds a function of time. Its text may use t and all names that are already in the scope. Other expressions use the
   function by its name, without parentheses. */
WY_API wy_status wy_expr_scope_function(wy_expr_scope *scope, const char *name, const char *text, wy_expr_error *error);

/* Adds a table, all columns of which have names. Other expressions use a column as "name.column", where the variable of
   the table is allowed. The table must outlive the scope and all expressions that use it. */
WY_API wy_status wy_expr_scope_table(wy_expr_scope *scope, const char *name, const wy_spline *table,
                                     wy_expr_error *error);

/* Compiles `text`. `allowed` says which variables it may use: 0, WY_TIME, WY_ARC, WY_X, WY_Y, WY_Z, WY_ROD or a sum of
   them. `scope` may be NULL. On failure `*out` is NULL. */
WY_API wy_status wy_expr_compile(const wy_expr_scope *scope, const char *text, unsigned allowed, wy_expr **out,
                                 wy_expr_error *error);
WY_API void wy_expr_destroy(wy_expr *expr);

/* The value, and the first and second derivative with respect to `wrt`, the other variable held fixed. Outside the
   domain of a function the numbers are infinite or NaN as in C: check them where it matters. */
WY_API void wy_expr_evaluate(const wy_expr *expr, wy_variable wrt, double s, double t, double jet[3]);

/* The same for an expression of time and place: `place` is x, y, z in space axes. */
WY_API void wy_expr_evaluate_at(const wy_expr *expr, wy_variable wrt, const double place[3], double t, double jet[3]);

/* The value alone: the same number as jet[0] above, but faster. */
WY_API double wy_expr_value(const wy_expr *expr, double s, double t);

/* Of an expression of the numbers of a rod (WY_ROD). There are WY_EXPR_NUMBERS of them, in this order: i, which counts
   rods; u and u1 to u9; n and n1 to n9. */
#define WY_EXPR_NUMBERS 21
WY_API double wy_expr_value_of(const wy_expr *expr, const double numbers[WY_EXPR_NUMBERS]);
/* Which of them it uses: bit k for number k. */
WY_API uint32_t wy_expr_numbers(const wy_expr *expr);

/* The variables on which the expression depends after constant folding: a sum of WY_TIME, WY_ARC, WY_X, WY_Y and WY_Z,
   or 0 for a constant. */
WY_API unsigned wy_expr_depends_on(const wy_expr *expr);

/* A table of the expression that is not defined at this place (WY_OUTSIDE_REFUSE), or NULL: why a value may be NAN. */
WY_API const wy_spline *wy_expr_outside(const wy_expr *expr, double s, double t);

/* The expression as a signal; `expr` must outlive it. A constant expression gives a constant signal. */
WY_API wy_signal wy_expr_signal(const wy_expr *expr);

/* Three expressions of time and place as the velocity of a flow; the array and what it points to must outlive it. */
WY_API wy_flow wy_expr_flow(const wy_expr *const components[3]);

#ifdef __cplusplus
}
#endif
#endif
