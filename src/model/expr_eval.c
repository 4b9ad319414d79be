/* SPDX-License-Identifier: MIT */
/* Evaluation of expression programs: on numbers, and on jets, which carry a value u with its first and second
   derivative u', u'' along one variable. A function f of u has the jet (f, f_u u', f_uu u'^2 + f_u u''). */
#include <assert.h>
#include <math.h>

#include "model/expr_internal.h"

typedef struct jet2 {
  double value, first, second;
  bool varies; /* false: no part of it depends on the variable, so that both derivatives are exactly zero */
} jet2;

/* x^p; the small exponents are common and need no call. */
static inline double power(double x, double p) {
  if (p == 2.0)
    return x * x;
  if (p == 1.0)
    return x;
  if (p == 3.0)
    return x * x * x;
  return pow(x, p);
}

/* min and max: a NaN wins, and the first of equals. */
static inline bool takes_second_for_min(double x, double y) {
  return y < x || isnan(y);
}

static inline bool takes_second_for_max(double x, double y) {
  return y > x || isnan(y);
}

static inline double unary_value(wy_expr_code code, double x) {
  switch (code) {
  case WY_EXPR_NEGATE:
    return -x;
  case WY_EXPR_SIN:
    return sin(x);
  case WY_EXPR_COS:
    return cos(x);
  case WY_EXPR_TAN:
    return tan(x);
  case WY_EXPR_ASIN:
    return asin(x);
  case WY_EXPR_ACOS:
    return acos(x);
  case WY_EXPR_ATAN:
    return atan(x);
  case WY_EXPR_SINH:
    return sinh(x);
  case WY_EXPR_COSH:
    return cosh(x);
  case WY_EXPR_TANH:
    return tanh(x);
  case WY_EXPR_SQRT:
    return sqrt(x);
  case WY_EXPR_EXP:
    return exp(x);
  case WY_EXPR_LOG:
    return log(x);
  case WY_EXPR_ABS:
    return fabs(x);
  case WY_EXPR_FLOOR:
    return floor(x);
  default:
    return (double)NAN;
  }
}

static inline double binary_value(wy_expr_code code, double x, double y) {
  switch (code) {
  case WY_EXPR_ADD:
    return x + y;
  case WY_EXPR_SUBTRACT:
    return x - y;
  case WY_EXPR_MULTIPLY:
    return x * y;
  case WY_EXPR_DIVIDE:
    return x / y;
  case WY_EXPR_POWER:
    return power(x, y);
  case WY_EXPR_ATAN2:
    return atan2(x, y);
  case WY_EXPR_MIN:
    return takes_second_for_min(x, y) ? y : x;
  case WY_EXPR_MAX:
    return takes_second_for_max(x, y) ? y : x;
  case WY_EXPR_LESS:
    return x < y;
  case WY_EXPR_LESS_EQUAL:
    return x <= y;
  case WY_EXPR_GREATER:
    return x > y;
  case WY_EXPR_GREATER_EQUAL:
    return x >= y;
  case WY_EXPR_EQUAL:
    return x == y;
  case WY_EXPR_NOT_EQUAL:
    return x != y;
  default:
    return (double)NAN;
  }
}

double wy_expr_apply_unary(wy_expr_code code, double x) {
  return unary_value(code, x);
}

double wy_expr_apply_binary(wy_expr_code code, double x, double y) {
  return binary_value(code, x, y);
}

static double column_value(const wy_expr_op *op, double s, double t) {
  double jet[3];
  wy_spline_evaluate(op->table, op->jump, op->table->def.of == WY_TIME ? t : s, jet);
  return jet[0];
}

/* `place`: x, y, z, or the numbers of a rod. */
static double value_at(const wy_expr *expr, double s, double t, const double place[3]) {
  double stack[WY_EXPR_STACK];
  double *top = stack; /* the next free place */
  if (!expr)
    return NAN;
  const wy_expr_op *end = expr->program + expr->count;
  for (const wy_expr_op *op = expr->program; op < end; op++) {
    switch (op->code) {
    case WY_EXPR_CONSTANT:
      *top++ = op->value;
      break;
    case WY_EXPR_TIME:
      *top++ = t;
      break;
    case WY_EXPR_ARC:
      *top++ = s;
      break;
    case WY_EXPR_COLUMN:
      *top++ = column_value(op, s, t);
      break;
    case WY_EXPR_X:
    case WY_EXPR_Y:
    case WY_EXPR_Z:
      *top++ = place[op->code - WY_EXPR_X];
      break;
    case WY_EXPR_NUMBER:
      *top++ = place[op->jump];
      break;
    case WY_EXPR_BRANCH:
      assert(top > stack);
      if (*--top == 0.0)
        op += op->jump;
      break;
    case WY_EXPR_JUMP:
      op += op->jump;
      break;
    default:
      assert(top > stack);
      if (op->code < WY_EXPR_ADD) {
        top[-1] = unary_value(op->code, top[-1]);
      } else {
        double right = op->immediate ? op->value : *--top;
        assert(top > stack);
        top[-1] = binary_value(op->code, top[-1], right);
      }
    }
  }
  assert(top == stack + 1);
  return stack[0];
}

/* Of an expression that is asked without a place. */
static const double nowhere[WY_EXPR_NUMBERS] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                                NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

double wy_expr_value(const wy_expr *expr, double s, double t) {
  return value_at(expr, s, t, nowhere);
}

double wy_expr_value_of(const wy_expr *expr, const double numbers[WY_EXPR_NUMBERS]) {
  return value_at(expr, NAN, NAN, numbers ? numbers : nowhere);
}

static inline void set_constant(jet2 *u, double value) {
  u->value = value;
  u->first = 0.0;
  u->second = 0.0;
  u->varies = false;
}

static inline void set_variable(jet2 *u, double value, bool varies) {
  u->value = value;
  u->first = varies ? 1.0 : 0.0;
  u->second = 0.0;
  u->varies = varies;
}

static void set_column(jet2 *u, const wy_expr_op *op, double s, double t, wy_variable wrt) {
  double jet[3];
  wy_spline_evaluate(op->table, op->jump, op->table->def.of == WY_TIME ? t : s, jet);
  u->varies = wrt == op->table->def.of;
  u->value = jet[0];
  u->first = u->varies ? jet[1] : 0.0;
  u->second = u->varies ? jet[2] : 0.0;
}

static inline void chain(jet2 *u, double f, double f_u, double f_uu) {
  u->value = f;
  u->second = f_uu * u->first * u->first + f_u * u->second;
  u->first *= f_u;
}

static inline void unary_jet(wy_expr_code code, jet2 *u) {
  double x = u->value, f, d;
  if (!u->varies) {
    u->value = unary_value(code, x);
    return;
  }
  switch (code) {
  case WY_EXPR_NEGATE:
    chain(u, -x, -1.0, 0.0);
    break;
  case WY_EXPR_SIN:
    f = sin(x);
    chain(u, f, cos(x), -f);
    break;
  case WY_EXPR_COS:
    f = cos(x);
    chain(u, f, -sin(x), -f);
    break;
  case WY_EXPR_TAN:
    f = tan(x);
    d = 1.0 + f * f;
    chain(u, f, d, 2.0 * f * d);
    break;
  case WY_EXPR_ASIN:
    d = 1.0 / sqrt((1.0 - x) * (1.0 + x));
    chain(u, asin(x), d, x * d * d * d);
    break;
  case WY_EXPR_ACOS:
    d = 1.0 / sqrt((1.0 - x) * (1.0 + x));
    chain(u, acos(x), -d, -x * d * d * d);
    break;
  case WY_EXPR_ATAN:
    d = 1.0 / (1.0 + x * x);
    chain(u, atan(x), d, -2.0 * (x * d) * d);
    break;
  case WY_EXPR_SINH:
    f = sinh(x);
    chain(u, f, cosh(x), f);
    break;
  case WY_EXPR_COSH:
    f = cosh(x);
    chain(u, f, sinh(x), f);
    break;
  case WY_EXPR_TANH:
    f = tanh(x);
    d = 1.0 / cosh(x); /* 1 - tanh^2 would cancel */
    chain(u, f, d * d, -2.0 * f * d * d);
    break;
  case WY_EXPR_SQRT:
    f = sqrt(x);
    d = 0.5 / f;
    chain(u, f, d, -0.5 * d / x);
    break;
  case WY_EXPR_EXP:
    f = exp(x);
    chain(u, f, f, f);
    break;
  case WY_EXPR_LOG:
    d = 1.0 / x;
    chain(u, log(x), d, -d * d);
    break;
  case WY_EXPR_ABS:
    chain(u, fabs(x), (x > 0.0) - (x < 0.0), 0.0);
    break;
  default:
    set_constant(u, unary_value(code, x)); /* FLOOR, constant between its jumps */
  }
}

/* u^p with a constant p. A factor p or p - 1 that is zero ends the series, also where x^(p-2) is infinite. */
static void constant_power_jet(jet2 *u, double p) {
  double x = u->value;
  double f_u = p == 0.0 ? 0.0 : p * power(x, p - 1.0);
  double f_uu = p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * power(x, p - 2.0);
  chain(u, power(x, p), f_u, f_uu);
}

/* u^v = exp(g) with g = v log u, for a v that varies. At u = 0 < v the terms with log u vanish as long as v > 1. */
static void varying_power_jet(jet2 *u, const jet2 *v) {
  double x = u->value, p = v->value;
  double f = power(x, p);
  if (x == 0.0 && p > 0.0) {
    double f_u = p * power(0.0, p - 1.0), f_uu = p == 1.0 ? 0.0 : p * (p - 1.0) * power(0.0, p - 2.0);
    double mixed = p > 1.0 ? 0.0 : (double)-INFINITY;
    if (u->varies) {
      double cross = u->first * v->first == 0.0 ? 0.0 : 2.0 * mixed * u->first * v->first;
      chain(u, f, f_u, f_uu);
      u->second += cross;
    } else {
      u->value = f;
    }
  } else {
    double slope = u->first / x, l = log(x); /* NaN for x < 0, where u^v is defined at single points only */
    double g1 = v->first * l + p * slope;
    double g2 = v->second * l + 2.0 * v->first * slope + p * (u->second / x - slope * slope);
    u->value = f;
    u->first = f * g1;
    u->second = f * (g2 + g1 * g1);
  }
  u->varies = true;
}

/* The angle of (x, y), with v = x and u = y; scaled by the distance r against overflow. */
static void atan2_jet(jet2 *u, const jet2 *v) {
  double r = hypot(u->value, v->value);
  double y = u->value / r, x = v->value / r;
  double first = (x * u->first - y * v->first) / r;
  double growth = (x * v->first + y * u->first) / r;
  u->value = atan2(u->value, v->value);
  u->second = (x * u->second - y * v->second) / r - 2.0 * first * growth;
  u->first = first;
  u->varies = true;
}

/* u = u op v. */
static inline void binary_jet(wy_expr_code code, jet2 *u, const jet2 *v) {
  if (!u->varies && !v->varies) {
    u->value = binary_value(code, u->value, v->value);
    return;
  }
  switch (code) {
  case WY_EXPR_ADD:
    u->value += v->value;
    u->first += v->first;
    u->second += v->second;
    u->varies = true;
    break;
  case WY_EXPR_SUBTRACT:
    u->value -= v->value;
    u->first -= v->first;
    u->second -= v->second;
    u->varies = true;
    break;
  case WY_EXPR_MULTIPLY:
    u->second = u->second * v->value + 2.0 * u->first * v->first + u->value * v->second;
    u->first = u->first * v->value + u->value * v->first;
    u->value *= v->value;
    u->varies = true;
    break;
  case WY_EXPR_DIVIDE:
    u->value /= v->value;
    u->first = (u->first - u->value * v->first) / v->value;
    u->second = (u->second - 2.0 * u->first * v->first - u->value * v->second) / v->value;
    u->varies = true;
    break;
  case WY_EXPR_POWER:
    if (v->varies)
      varying_power_jet(u, v);
    else
      constant_power_jet(u, v->value);
    break;
  case WY_EXPR_ATAN2:
    atan2_jet(u, v);
    break;
  case WY_EXPR_MIN:
    if (takes_second_for_min(u->value, v->value))
      *u = *v;
    break;
  case WY_EXPR_MAX:
    if (takes_second_for_max(u->value, v->value))
      *u = *v;
    break;
  default:
    set_constant(u, binary_value(code, u->value, v->value)); /* comparisons */
  }
}

static void evaluate_at(const wy_expr *expr, wy_variable wrt, double s, double t, const double place[3],
                        double jet[3]) {
  if (!jet)
    return;
  if (!expr) {
    jet[0] = jet[1] = jet[2] = NAN;
    return;
  }
  if (!(expr->depends_on & wrt)) {
    jet[0] = value_at(expr, s, t, place);
    jet[1] = 0.0;
    jet[2] = 0.0;
    return;
  }
  jet2 stack[WY_EXPR_STACK];
  jet2 *top = stack; /* the next free place */
  const wy_expr_op *end = expr->program + expr->count;
  for (const wy_expr_op *op = expr->program; op < end; op++) {
    switch (op->code) {
    case WY_EXPR_CONSTANT:
      set_constant(top++, op->value);
      break;
    case WY_EXPR_TIME:
      set_variable(top++, t, wrt == WY_TIME);
      break;
    case WY_EXPR_ARC:
      set_variable(top++, s, wrt == WY_ARC);
      break;
    case WY_EXPR_COLUMN:
      set_column(top++, op, s, t, wrt);
      break;
    case WY_EXPR_X:
    case WY_EXPR_Y:
    case WY_EXPR_Z: {
      const int k = (int)op->code - WY_EXPR_X;
      set_variable(top++, place[k], (int)wrt == WY_X << k);
      break;
    }
    case WY_EXPR_NUMBER:
      set_constant(top++, place[op->jump]);
      break;
    case WY_EXPR_BRANCH:
      assert(top > stack);
      if ((--top)->value == 0.0)
        op += op->jump;
      break;
    case WY_EXPR_JUMP:
      op += op->jump;
      break;
    default:
      assert(top > stack);
      if (op->code < WY_EXPR_ADD) {
        unary_jet(op->code, top - 1);
      } else if (op->immediate) {
        jet2 right = {op->value, 0.0, 0.0, false};
        binary_jet(op->code, top - 1, &right);
      } else {
        top--;
        assert(top > stack);
        binary_jet(op->code, top - 1, top);
      }
    }
  }
  assert(top == stack + 1);
  jet[0] = stack[0].value;
  jet[1] = stack[0].first;
  jet[2] = stack[0].second;
}

void wy_expr_evaluate(const wy_expr *expr, wy_variable wrt, double s, double t, double jet[3]) {
  evaluate_at(expr, wrt, s, t, nowhere, jet);
}

void wy_expr_evaluate_at(const wy_expr *expr, wy_variable wrt, const double place[3], double t, double jet[3]) {
  evaluate_at(expr, wrt, NAN, t, place ? place : nowhere, jet);
}
