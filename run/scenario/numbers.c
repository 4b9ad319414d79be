/* SPDX-License-Identifier: MIT */
/* Numbers of the scenario reader: constants, functions, expressions as signals and flows, in SI whatever their units.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/scenario/units.h"

/* ---- Names: constants and functions ---- */

/* How long a text takes to evaluate: its length, where each function counts with its own. */
static double text_cost(const wy_reader *r, const char *text) {
  double cost = 1;
  while (*text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
      length++;
    int function = length ? wy_names_find(&r->functions, text, length) : -1;
    if (function >= 0)
      cost += r->function_costs[function];
    length += length == 0;
    cost += (double)length;
    text += length;
  }
  return cost;
}

/* Does the scope have the name now? */
static bool take_name(wy_reader *r, const wy_node *node, wy_status status, const wy_expr_error *error) {
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node, "%s", error->text);
  return status == WY_OK;
}

static void read_constant(wy_reader *r, const wy_node *node) {
  wy_expr_error error;
  double value = wy_read_number(r, node);
  if (!r->failed)
    take_name(r, node, wy_expr_scope_constant(r->scope, node->key, value, &error), &error);
}

/* Says what the schema has where there is more than a number. */
static void expression_error(wy_reader *r, const wy_node *node, const wy_expr_error *error) {
  char found[128], expected[768] = "a number or an expression";
  bool entry;
  const wy_key *key = wy_read_key(node, &entry);
  wy_yaml_describe(node, found, sizeof found);
  if (wy_units_multiplied(node->text, error->column, expected, sizeof expected)) {
    wy_read_fail(r, node, "found %s; expected %s", found, expected);
    return;
  }
  const bool more = (key->forms & (key->forms - 1)) && (key->words || !entry);
  wy_read_say_expected(node, more, expected, sizeof expected);
  if (error->column > 0)
    wy_read_fail(r, node, "found %s, column %d: %s; expected %s", found, error->column, error->text, expected);
  else
    wy_read_fail(r, node, "found %s: %s; expected %s", found, error->text, expected);
}

static void add_sample(wy_reader *r, const wy_expr *expr, const wy_node *node) {
  if (r->sample_count == r->sample_capacity) {
    int capacity = 2 * r->sample_capacity + 64;
    wy_sample *grown = wy_read_take(r, (size_t)capacity * sizeof *grown);
    if (!grown)
      return;
    if (r->sample_count)
      memcpy(grown, r->samples, (size_t)r->sample_count * sizeof *grown);
    r->samples = grown;
    r->sample_capacity = capacity;
  }
  r->samples[r->sample_count++] = (wy_sample){
      .expr = expr, .node = node, .rod = r->rod, .to = -1, .until = INFINITY, .cost = text_cost(r, node->text)};
}

static bool grow_exprs(wy_reader *r) {
  int capacity = 2 * r->expr_capacity + 64;
  wy_expr **grown = wy_read_take(r, (size_t)capacity * sizeof *grown);
  if (!grown)
    return false;
  if (r->expr_count)
    memcpy(grown, r->exprs, (size_t)r->expr_count * sizeof *grown);
  r->exprs = grown;
  r->expr_capacity = capacity;
  return true;
}

/* The scenario owns what is compiled; NULL after a failure. */
static const wy_expr *compile(wy_reader *r, const wy_node *node, unsigned allowed) {
  wy_expr_error error;
  wy_expr *expr = NULL;
  const char *bare, *text = wy_units_text(r, node, &bare);
  if (!text)
    return NULL;
  wy_status status = wy_expr_compile(r->scope, text, allowed, &expr, &error);
  if (status == WY_ERROR_INPUT && bare != text) { /* columns are those of the expression as it stands in the file */
    wy_expr_error scaled = error;
    if (wy_expr_compile(r->scope, bare, allowed, &expr, &error) == WY_OK) {
      wy_expr_destroy(expr);
      error = scaled;
      error.column = 0;
    }
  }
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    expression_error(r, node, &error);
  if (status != WY_OK)
    return NULL;
  if (r->expr_count == r->expr_capacity && !grow_exprs(r)) {
    wy_expr_destroy(expr);
    return NULL;
  }
  r->exprs[r->expr_count++] = expr;
  return expr;
}

/* A function is sampled where it is used: it may be guarded there. */
static void read_function(wy_reader *r, const wy_node *node) {
  wy_expr_error error;
  wy_read_text(r, node);
  const char *bare, *text = r->failed ? NULL : wy_units_text(r, node, &bare);
  if (r->failed)
    return;
  if (!compile(r, node, wy_read_key(node, NULL)->of) ||
      !take_name(r, node, wy_expr_scope_function(r->scope, node->key, text, &error), &error))
    return;
  if (!r->function_costs)
    r->function_costs = wy_read_take(r, (size_t)node->parent->count * sizeof *r->function_costs);
  if (r->failed)
    return;
  r->function_costs[node->index] = text_cost(r, text);
  if (!wy_names_add(&r->functions, r->pool, node->key, node->index))
    wy_read_no_memory(r);
}

static void read_named(wy_reader *r, const char *key, void (*read)(wy_reader *r, const wy_node *node)) {
  const wy_node *names = wy_yaml_find(r->root, key);
  if (names && names->kind != WY_NULL && names->kind != WY_MAPPING)
    wy_read_refuse(r, names);
  for (const wy_node *node = names ? names->first : NULL; node && !r->failed; node = node->next)
    read(r, node);
}

void wy_read_names(wy_reader *r) {
  read_named(r, "constants", read_constant);
  read_named(r, "tables", wy_read_table);
  read_named(r, "functions", read_function);
}

/* ---- Numbers ---- */

const char *wy_read_not_finite(double value) {
  return isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
}

static wy_signal read_signal_of(wy_reader *r, const wy_node *node, unsigned allowed) {
  if (r->failed || !node)
    return wy_constant(0);
  if (node->kind != WY_SCALAR) {
    wy_read_refuse(r, node);
    return wy_constant(0);
  }
  const wy_expr *expr = compile(r, node, allowed);
  if (!expr)
    return wy_constant(0);
  wy_signal signal = wy_expr_signal(expr);
  if (wy_expr_depends_on(expr))
    add_sample(r, expr, node);
  else if (!isfinite(signal.value))
    wy_read_fail(r, node, "found '%.60s', which is %s; expected a finite number", node->text,
                 wy_read_not_finite(signal.value));
  return signal;
}

const wy_expr *wy_read_expression(wy_reader *r, const wy_node *node) {
  if (r->failed || !node)
    return NULL;
  if (node->kind != WY_SCALAR) {
    wy_read_refuse(r, node);
    return NULL;
  }
  return compile(r, node, wy_read_key(node, NULL)->of);
}

wy_signal wy_read_signal(wy_reader *r, const wy_node *node) {
  return read_signal_of(r, node, node ? wy_read_key(node, NULL)->of : 0);
}

static double read_signed(wy_reader *r, const wy_node *node, wy_sign sign) {
  double value = read_signal_of(r, node, 0).value;
  if (!r->failed && node && sign == WY_POSITIVE && !(value > 0))
    wy_read_expected(r, node, "a number > 0");
  else if (!r->failed && node && sign == WY_NOT_NEGATIVE && !(value >= 0))
    wy_read_expected(r, node, "a number >= 0");
  return value;
}

double wy_read_number(wy_reader *r, const wy_node *node) {
  return read_signed(r, node, node ? wy_read_key(node, NULL)->sign : WY_ANY_SIGN);
}

double wy_read_positive(wy_reader *r, const wy_node *node) {
  return read_signed(r, node, WY_POSITIVE);
}

double wy_read_optional(wy_reader *r, const wy_node *node, double otherwise) {
  return node ? wy_read_number(r, node) : otherwise;
}

int wy_read_integer(wy_reader *r, const wy_node *node, int otherwise) {
  double value = read_signal_of(r, node, 0).value;
  if (r->failed || !node)
    return otherwise;
  const wy_key *key = wy_read_key(node, NULL);
  if (!(value >= key->least && value <= key->most) || fabs(value - round(value)) > 1e-9) {
    wy_read_expected(r, node, "a whole number from %d to %d", key->least, key->most);
    return otherwise;
  }
  return (int)round(value);
}

void wy_read_signals_of(wy_reader *r, const wy_node *node, unsigned allowed, wy_signal *out) {
  if (r->failed || !node)
    return;
  if (node->kind != WY_LIST || node->count != wy_read_key(node, NULL)->count) {
    wy_read_refuse(r, node);
    return;
  }
  for (const wy_node *child = node->first; child; child = child->next)
    *out++ = read_signal_of(r, child, allowed);
}

void wy_read_signals(wy_reader *r, const wy_node *node, wy_signal *out) {
  wy_read_signals_of(r, node, node ? wy_read_key(node, NULL)->of : 0, out);
}

/* What depends on the place is not sampled before the run: where the rod will be is not known. */
void wy_read_flow(wy_reader *r, const wy_node *node, wy_flow *out) {
  if (r->failed || !node)
    return;
  const wy_key *key = wy_read_key(node, NULL);
  if (node->kind != WY_LIST || node->count != key->count) {
    wy_read_refuse(r, node);
    return;
  }
  const wy_expr **components = wy_read_take(r, (size_t)key->count * sizeof *components);
  for (const wy_node *child = node->first; child && !r->failed; child = child->next) {
    if (child->kind != WY_SCALAR)
      wy_read_refuse(r, child);
    const wy_expr *expr = r->failed ? NULL : compile(r, child, key->of);
    if (!expr)
      return;
    components[child->index] = expr;
    const unsigned depends = wy_expr_depends_on(expr);
    if (depends == WY_TIME)
      add_sample(r, expr, child);
    else if (!depends && !isfinite(wy_expr_value(expr, 0, 0)))
      wy_read_fail(r, child, "found '%.60s', which is %s; expected a finite number", child->text,
                   wy_read_not_finite(wy_expr_value(expr, 0, 0)));
  }
  if (!r->failed)
    *out = wy_expr_flow(components);
}

void wy_read_vector(wy_reader *r, const wy_node *node, double *out) {
  wy_signal signals[4] = {{0}};
  if (r->failed || !node)
    return;
  wy_read_signals(r, node, signals);
  for (int i = 0; i < wy_read_key(node, NULL)->count && !r->failed; i++)
    out[i] = signals[i].value;
}
