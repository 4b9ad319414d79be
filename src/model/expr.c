/* SPDX-License-Identifier: MIT */
/* The names that expressions know: built-in ones, those of a scope, and the nearest name to a misspelt one; and what
   can be asked of a compiled expression besides its value. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expr_internal.h"

void wy_expr_explain(wy_expr_error *error, int column, const char *format, ...) {
  if (!error)
    return;
  error->column = column;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
}

/* ---- Names ---- */

static const wy_expr_builtin builtins[] = {
    {"sin", WY_EXPR_SIN, 1, false},     {"cos", WY_EXPR_COS, 1, false},     {"tan", WY_EXPR_TAN, 1, false},
    {"asin", WY_EXPR_ASIN, 1, false},   {"acos", WY_EXPR_ACOS, 1, false},   {"atan", WY_EXPR_ATAN, 1, false},
    {"atan2", WY_EXPR_ATAN2, 2, false}, {"sinh", WY_EXPR_SINH, 1, false},   {"cosh", WY_EXPR_COSH, 1, false},
    {"tanh", WY_EXPR_TANH, 1, false},   {"sqrt", WY_EXPR_SQRT, 1, false},   {"exp", WY_EXPR_EXP, 1, false},
    {"log", WY_EXPR_LOG, 1, false},     {"abs", WY_EXPR_ABS, 1, false},     {"min", WY_EXPR_MIN, 2, true},
    {"max", WY_EXPR_MAX, 2, true},      {"floor", WY_EXPR_FLOOR, 1, false},
};
enum { BUILTINS = sizeof builtins / sizeof builtins[0] };

/* The C library's ctype.h depends on the locale; a scenario must not. */
bool wy_expr_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool wy_expr_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool same(const char *known, const char *name, size_t length) {
  return strlen(known) == length && memcmp(known, name, length) == 0;
}

const wy_expr_builtin *wy_expr_find_builtin(const char *name, size_t length) {
  for (int i = 0; i < BUILTINS; i++)
    if (same(builtins[i].name, name, length))
      return &builtins[i];
  return NULL;
}

/* The slot of a name, or the free one where it belongs. */
static int *slot_of(const wy_expr_scope *scope, const char *name, size_t length) {
  uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
  const size_t mask = 2 * (size_t)scope->capacity - 1;
  size_t at = (size_t)(hash ^ hash >> 32) & mask;
  assert(scope->count <= scope->capacity);
  while (scope->slots[at] && !same(scope->symbols[scope->slots[at] - 1].name, name, length))
    at = (at + 1) & mask;
  return &scope->slots[at];
}

const wy_expr_symbol *wy_expr_find_symbol(const wy_expr_scope *scope, const char *name, size_t length) {
  const int number = scope && scope->count > 0 ? *slot_of(scope, name, length) : 0;
  return number > 0 ? &scope->symbols[number - 1] : NULL;
}

bool wy_expr_is_reserved(const char *name, size_t length) {
  return same("pi", name, length) || same("t", name, length) || same("s", name, length) ||
         wy_expr_find_builtin(name, length);
}

static char lower(char c) {
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Edits that turn one name into the other: insert, delete or replace a letter, swap two neighbours. Case is ignored. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t rows[3][WY_EXPR_NAME + 1];
  size_t *before = rows[0], *previous = rows[1], *current = rows[2];
  for (size_t j = 0; j <= b_length; j++)
    current[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *recycled = before;
    before = previous;
    previous = current;
    current = recycled;
    current[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = smaller(previous[j - 1] + !equal, 1 + smaller(previous[j], current[j - 1]));
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        current[j] = smaller(current[j], before[j - 2] + 1);
    }
  }
  return current[b_length];
}

typedef struct nearest {
  const char *name;
  size_t distance; /* of `name`, or one more than what counts as near */
} nearest;

static void consider(nearest *best, const char *candidate, const char *name, size_t length) {
  size_t distance = edit_distance(name, length, candidate, strlen(candidate));
  if (distance < best->distance)
    *best = (nearest){candidate, distance};
}

/* Near is one edit in three letters, but at least one; a single letter is near to its other case only. */
static nearest none_near(size_t length) {
  const size_t most = length == 1 ? 0 : length < 6 ? 1 : length / 3;
  return (nearest){NULL, most + 1};
}

const char *wy_expr_suggest_column(const wy_spline *table, const char *name, size_t length) {
  const wy_spline_def *def = wy_spline_definition(table);
  nearest best = none_near(length);
  for (int i = 0; length <= WY_EXPR_NAME && i < def->columns; i++)
    if (strlen(def->names[i]) <= WY_EXPR_NAME)
      consider(&best, def->names[i], name, length);
  return best.name;
}

const char *wy_expr_suggest(const wy_expr_scope *scope, unsigned allowed, const char *name, size_t length) {
  if (length > WY_EXPR_NAME)
    return NULL;
  nearest best = none_near(length);
  for (int i = 0; scope && i < scope->count; i++)
    consider(&best, scope->symbols[i].name, name, length);
  for (int i = 0; i < BUILTINS; i++)
    consider(&best, builtins[i].name, name, length);
  consider(&best, "pi", name, length);
  if (allowed & WY_TIME)
    consider(&best, "t", name, length);
  if (allowed & WY_ARC)
    consider(&best, "s", name, length);
  return best.name;
}

/* ---- Scopes ---- */

wy_expr_scope *wy_expr_scope_create(void) {
  return calloc(1, sizeof(wy_expr_scope));
}

void wy_expr_scope_destroy(wy_expr_scope *scope) {
  if (!scope)
    return;
  for (int i = 0; i < scope->count; i++)
    wy_expr_destroy(scope->symbols[i].function);
  free(scope->symbols);
  free(scope->slots);
  free(scope);
}

static bool is_name(const char *name) {
  if (!wy_expr_is_letter(*name))
    return false;
  while (wy_expr_is_letter(*name) || wy_expr_is_digit(*name))
    name++;
  return *name == '\0';
}

static bool is_new_name(const wy_expr_scope *scope, const char *name, wy_expr_error *error) {
  size_t length = strlen(name);
  if (!is_name(name))
    wy_expr_explain(error, 0, "'%.63s' is not a name: expected letters, digits and '_', no digit first", name);
  else if (length > WY_EXPR_NAME)
    wy_expr_explain(error, 0, "the name '%.60s...' is longer than %d characters", name, WY_EXPR_NAME);
  else if (wy_expr_is_reserved(name, length))
    wy_expr_explain(error, 0, "the name '%s' is built in", name);
  else if (wy_expr_find_symbol(scope, name, length))
    wy_expr_explain(error, 0, "the name '%s' is already defined", name);
  else
    return true;
  return false;
}

/* Room for twice as many names; false without memory. */
static bool grow(wy_expr_scope *scope) {
  const int capacity = scope->capacity > 0 ? 2 * scope->capacity : 8;
  wy_expr_symbol *symbols = realloc(scope->symbols, (size_t)capacity * sizeof *symbols);
  if (symbols)
    scope->symbols = symbols;
  int *slots = symbols ? calloc(2 * (size_t)capacity, sizeof *slots) : NULL;
  if (!slots)
    return false;
  free(scope->slots);
  scope->slots = slots;
  scope->capacity = capacity;
  for (int i = 0; i < scope->count; i++)
    *slot_of(scope, symbols[i].name, strlen(symbols[i].name)) = i + 1;
  return true;
}

/* Appends a symbol whose name was checked; takes over its function unless it fails. */
static wy_status add_symbol(wy_expr_scope *scope, const char *name, wy_expr_symbol with, wy_expr_error *error) {
  if (scope->count == scope->capacity && !grow(scope)) {
    wy_expr_explain(error, 0, "no memory for the name '%s'", name);
    return WY_ERROR_MEMORY;
  }
  *slot_of(scope, name, strlen(name)) = scope->count + 1;
  wy_expr_symbol *symbol = &scope->symbols[scope->count++];
  *symbol = with;
  snprintf(symbol->name, sizeof symbol->name, "%s", name);
  return WY_OK;
}

wy_status wy_expr_scope_constant(wy_expr_scope *scope, const char *name, double value, wy_expr_error *error) {
  if (!scope || !name) {
    wy_expr_explain(error, 0, "found NULL for `%s`; expected it to be given", scope ? "name" : "scope");
    return WY_ERROR_INPUT;
  }
  if (!is_new_name(scope, name, error))
    return WY_ERROR_INPUT;
  if (!isfinite(value)) {
    wy_expr_explain(error, 0, "the constant '%s' is not a finite number", name);
    return WY_ERROR_INPUT;
  }
  return add_symbol(scope, name, (wy_expr_symbol){.value = value}, error);
}

wy_status wy_expr_scope_function(wy_expr_scope *scope, const char *name, const char *text, wy_expr_error *error) {
  if (!scope || !name || !text) {
    wy_expr_explain(error, 0, "found NULL for `%s`; expected it to be given",
                    !scope ? "scope"
                    : name ? "text"
                           : "name");
    return WY_ERROR_INPUT;
  }
  if (!is_new_name(scope, name, error))
    return WY_ERROR_INPUT;
  wy_expr *function = NULL;
  wy_status status = wy_expr_compile(scope, text, WY_TIME, &function, error);
  if (status != WY_OK)
    return status;
  status = add_symbol(scope, name, (wy_expr_symbol){.function = function}, error);
  if (status != WY_OK)
    wy_expr_destroy(function);
  return status;
}

wy_status wy_expr_scope_table(wy_expr_scope *scope, const char *name, const wy_spline *table, wy_expr_error *error) {
  if (!scope || !name || !table) {
    wy_expr_explain(error, 0, "found NULL for `%s`; expected it to be given",
                    !scope ? "scope"
                    : name ? "table"
                           : "name");
    return WY_ERROR_INPUT;
  }
  const wy_spline_def *def = wy_spline_definition(table);
  if (!is_new_name(scope, name, error))
    return WY_ERROR_INPUT;
  for (int i = 0; i < def->columns; i++)
    if (!def->names || !is_name(def->names[i])) {
      wy_expr_explain(error, 0,
                      "column %d of '%s' has the name '%.60s': expected letters, digits and '_', no digit first", i + 2,
                      name, def->names ? def->names[i] : "");
      return WY_ERROR_INPUT;
    }
  return add_symbol(scope, name, (wy_expr_symbol){.table = table}, error);
}

/* ---- Expressions ---- */

void wy_expr_destroy(wy_expr *expr) {
  free(expr);
}

unsigned wy_expr_depends_on(const wy_expr *expr) {
  return expr ? expr->depends_on : 0;
}

uint32_t wy_expr_numbers(const wy_expr *expr) {
  uint32_t used = 0;
  for (int i = 0; expr && i < expr->count; i++)
    if (expr->program[i].code == WY_EXPR_NUMBER)
      used |= UINT32_C(1) << expr->program[i].jump;
  return used;
}

const wy_spline *wy_expr_outside(const wy_expr *expr, double s, double t) {
  for (int i = 0; expr && i < expr->count; i++) {
    const wy_expr_op *op = &expr->program[i];
    if (op->code == WY_EXPR_COLUMN && !wy_spline_reaches(op->table, op->table->def.of == WY_TIME ? t : s))
      return op->table;
  }
  return NULL;
}

static void evaluate_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  wy_expr_evaluate(context, wrt, s, t, jet);
}

wy_signal wy_expr_signal(const wy_expr *expr) {
  if (!expr)
    return wy_constant(NAN);
  if (expr->depends_on == 0)
    return wy_constant(expr->program[0].value);
  wy_signal signal = {0.0, evaluate_signal, expr, expr->depends_on};
  return signal;
}

const wy_expr *wy_expr_of_signal(const wy_signal *signal) {
  return signal->evaluate == evaluate_signal ? signal->context : NULL;
}

/* ---- Flows ---- */

static void evaluate_flow(const void *context, const double place[3], double t, double velocity[3], double gradient[9],
                          double rate[3]) {
  const wy_expr *const *components = context;
  for (int i = 0; i < 3; i++) {
    double jet[3];
    wy_expr_evaluate_at(components[i], WY_TIME, place, t, jet);
    velocity[i] = jet[0], rate[i] = jet[1];
    for (int j = 0; j < 3; j++) {
      const bool depends = components[i]->depends_on & ((unsigned)WY_X << j);
      if (depends)
        wy_expr_evaluate_at(components[i], (wy_variable)(WY_X << j), place, t, jet);
      gradient[3 * i + j] = depends ? jet[1] : 0;
    }
  }
}

wy_flow wy_expr_flow(const wy_expr *const components[3]) {
  wy_flow flow = {{0, 0, 0}, NULL, NULL, 0};
  for (int i = 0; i < 3; i++) {
    const wy_expr *expr = components ? components[i] : NULL;
    flow.depends_on |= expr ? expr->depends_on : 0;
    flow.value[i] = !expr ? (double)NAN : expr->depends_on == 0 ? expr->program[0].value : 0;
  }
  for (int i = 0; i < 3; i++)
    if (!components || !components[i])
      flow.depends_on = 0;
  if (flow.depends_on == 0)
    return flow;
  flow.evaluate = evaluate_flow;
  flow.context = components;
  return flow;
}

const wy_expr *const *wy_expr_of_flow(const wy_flow *flow) {
  return flow->evaluate == evaluate_flow ? flow->context : NULL;
}
