/* SPDX-License-Identifier: MIT */
/* Inside of expressions: the postfix program, its bounds, and what names, compiler and evaluator share.
   expr.c knows the names, expr_parse.c makes programs, expr_eval.c runs them. */
#ifndef WY_MODEL_EXPR_INTERNAL_H
#define WY_MODEL_EXPR_INTERNAL_H

#include "base/message.h"
#include "model/spline.h"
#include "withy/expr.h"

/* Bounds that keep every text, however hostile, cheap to compile and to evaluate. */
enum {
  WY_EXPR_TEXT = 4096,    /* bytes of one text */
  WY_EXPR_NESTING = 64,   /* parentheses, calls, powers and branches within each other */
  WY_EXPR_PROGRAM = 4096, /* operations of one program, those of its functions included */
  WY_EXPR_STACK = 128,    /* intermediate values alive at once */
  WY_EXPR_NAME = 63       /* bytes of a name */
};

typedef enum wy_expr_code {
  /* push a value */
  WY_EXPR_CONSTANT,
  WY_EXPR_TIME,
  WY_EXPR_ARC,
  WY_EXPR_COLUMN, /* of a table */
  WY_EXPR_X,      /* a place in space: these three in this order */
  WY_EXPR_Y,
  WY_EXPR_Z,
  WY_EXPR_NUMBER, /* of a rod */
  /* control: pop a value and jump if it is zero; jump */
  WY_EXPR_BRANCH,
  WY_EXPR_JUMP,
  /* replace the top value */
  WY_EXPR_NEGATE,
  WY_EXPR_SIN,
  WY_EXPR_COS,
  WY_EXPR_TAN,
  WY_EXPR_ASIN,
  WY_EXPR_ACOS,
  WY_EXPR_ATAN,
  WY_EXPR_SINH,
  WY_EXPR_COSH,
  WY_EXPR_TANH,
  WY_EXPR_SQRT,
  WY_EXPR_EXP,
  WY_EXPR_LOG,
  WY_EXPR_ABS,
  WY_EXPR_FLOOR,
  /* replace the top two values, or with `immediate` the top value and a constant to its right */
  WY_EXPR_ADD,
  WY_EXPR_SUBTRACT,
  WY_EXPR_MULTIPLY,
  WY_EXPR_DIVIDE,
  WY_EXPR_POWER,
  WY_EXPR_ATAN2,
  WY_EXPR_MIN,
  WY_EXPR_MAX,
  WY_EXPR_LESS,
  WY_EXPR_LESS_EQUAL,
  WY_EXPR_GREATER,
  WY_EXPR_GREATER_EQUAL,
  WY_EXPR_EQUAL,
  WY_EXPR_NOT_EQUAL
} wy_expr_code;

typedef struct wy_expr_op {
  wy_expr_code code;
  short jump; /* BRANCH, JUMP: how many operations to skip; relative, so that programs can be moved. COLUMN, NUMBER: its
               * index
               */
  bool immediate; /* a binary operation whose right operand is `value` */
  union {
    double value;           /* CONSTANT, or the immediate operand */
    const wy_spline *table; /* COLUMN */
  };
} wy_expr_op;

struct wy_expr {
  unsigned depends_on;
  int count;
  wy_expr_op program[]; /* `count` operations; exactly one CONSTANT if depends_on is 0 */
};

typedef struct wy_expr_symbol {
  char name[WY_EXPR_NAME + 1];
  double value;
  wy_expr *function;      /* owned; NULL for a constant or a table */
  const wy_spline *table; /* NULL for a constant or a function */
} wy_expr_symbol;

/* Names are found by a table with open addressing: `slots` holds 1 + the number of a symbol, 0 where it is free. */
struct wy_expr_scope {
  wy_expr_symbol *symbols;
  int count, capacity;
  int *slots; /* [2 * capacity], capacity a power of 2, so that at least half of them are free */
};

typedef struct wy_expr_builtin {
  const char *name;
  wy_expr_code code;
  int arguments;
  bool or_more;
} wy_expr_builtin;

/* Names as (pointer, length), since they stand within a text. The finders return NULL for what they do not know. */
bool wy_expr_is_letter(char c);
bool wy_expr_is_digit(char c);
const wy_expr_builtin *wy_expr_find_builtin(const char *name, size_t length);
const wy_expr_symbol *wy_expr_find_symbol(const wy_expr_scope *scope, const char *name, size_t length);
bool wy_expr_is_reserved(const char *name, size_t length);

/* The known name nearest to a misspelt one, or NULL if none is near. */
const char *wy_expr_suggest(const wy_expr_scope *scope, unsigned allowed, const char *name, size_t length);

/* The column of a table nearest to a misspelt one, likewise. */
const char *wy_expr_suggest_column(const wy_spline *table, const char *name, size_t length);

/* The expression that a signal was made of, or NULL where it is none. */
const wy_expr *wy_expr_of_signal(const wy_signal *signal);

/* The three expressions that a flow was made of, or NULL where it is none. */
const wy_expr *const *wy_expr_of_flow(const wy_flow *flow);

/* Fills an error, which may be NULL. */
void wy_expr_explain(wy_expr_error *error, int column, const char *format, ...) WY_PRINTF(3, 4);

/* One operation on numbers; constant folding and evaluation give the same bits this way. */
double wy_expr_apply_unary(wy_expr_code code, double x);
double wy_expr_apply_binary(wy_expr_code code, double x, double y);

#endif
