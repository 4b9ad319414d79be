/* Values and messages of the scenario reader. */
#include "io/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/suggest.h"

enum { MOST_WORDS = 64 };

/* ---- Messages ---- */

/* "label:line: key: ", or "label: --set path: key: " for a value that the command line gave. */
static int begin_message(wy_reader *r, const wy_node *node, const char *rest, char *out, size_t size) {
  char path[512];
  wy_yaml_path(node, path, sizeof path);
  const char *point = path[0] && rest[0] && rest[0] != '[' ? "." : "";
  if (node && node->setting && !rest[0] && strcmp(node->setting, path) == 0)
    return snprintf(out, size, "%s: --set %s: ", r->label, path);
  if (node && node->setting)
    return snprintf(out, size, "%s: --set %.200s: %s%s%.200s: ", r->label, node->setting, path, point, rest);
  int line = node ? node->line : 1;
  if (path[0] || rest[0])
    return snprintf(out, size, "%s:%d: %s%s%.200s: ", r->label, line, path, point, rest);
  return snprintf(out, size, "%s:%d: ", r->label, line);
}

/* One line whatever the file holds. */
static void flatten(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text))
      *text = ' ';
}

static void keep(wy_reader *r, const wy_node *node, const char *rest, const char *text) {
  if (r->failed)
    return;
  r->failed = true;
  size_t size = sizeof r->error->text;
  int used = begin_message(r, node, rest, r->error->text, size);
  if ((size_t)used < size)
    snprintf(r->error->text + used, size - (size_t)used, "%s", text);
  flatten(r->error->text);
}

void wy_read_fail(wy_reader *r, const wy_node *node, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  keep(r, node, "", text);
}

void wy_read_expected(wy_reader *r, const wy_node *node, const char *format, ...) {
  char found[128], expected[768], text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(expected, sizeof expected, format, arguments);
  va_end(arguments);
  wy_yaml_describe(node, found, sizeof found);
  snprintf(text, sizeof text, "found %s; expected %s", found, expected);
  keep(r, node, "", text);
}

void wy_read_fail_path(wy_reader *r, const char *path, const char *text) {
  const char *rest;
  const wy_node *node = wy_yaml_follow(r->root, path, &rest);
  keep(r, node, rest, text);
}

static void join(const char *const *words, int count, char *out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < count && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", words[i]);
}

/* ---- Structure ---- */

static int count_words(const char *const *words) {
  int count = 0;
  while (words[count])
    count++;
  return count;
}

static int find_word(const char *text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], text) == 0)
      return i;
  return -1;
}

static void check_key(wy_reader *r, const wy_node *child, const char *const *keys, const wy_refusal *refused) {
  if (find_word(child->key, keys) >= 0)
    return;
  for (; refused && refused->key; refused++)
    if (strcmp(refused->key, child->key) == 0)
      wy_read_fail(r, child, "%s", refused->reason);
  char list[512];
  join(keys, count_words(keys), list, sizeof list);
  const char *close = wy_suggest(child->key, keys, count_words(keys));
  if (close)
    wy_read_fail(r, child, "found an unknown key; did you mean '%s'? expected one of %s", close, list);
  else
    wy_read_fail(r, child, "found an unknown key; expected one of %s", list);
}

bool wy_read_mapping(wy_reader *r, const wy_node *node, const char *const *keys, const wy_refusal *refused) {
  if (r->failed || !node || node->kind == WY_NULL)
    return !r->failed;
  if (node->kind != WY_MAPPING) {
    char list[512];
    join(keys, count_words(keys), list, sizeof list);
    wy_read_expected(r, node, "a mapping with the keys %s", list);
  }
  for (const wy_node *child = node->first; child && !r->failed; child = child->next)
    check_key(r, child, keys, refused);
  return !r->failed;
}

bool wy_read_list(wy_reader *r, const wy_node *node, const char *of_what) {
  if (!r->failed && node && node->kind != WY_NULL && node->kind != WY_LIST)
    wy_read_expected(r, node, "a list of %s", of_what);
  return !r->failed;
}

const wy_node *wy_read_need(wy_reader *r, const wy_node *mapping, const char *key, const char *what) {
  const wy_node *node = wy_yaml_find(mapping, key);
  if (!r->failed && (!node || node->kind == WY_NULL)) {
    char text[256];
    snprintf(text, sizeof text, "found nothing; expected %s", what);
    keep(r, node ? node : mapping, node ? "" : key, text);
  }
  return r->failed ? NULL : node;
}

/* ---- Words ---- */

const char *wy_read_text(wy_reader *r, const wy_node *node, const char *what) {
  if (r->failed || !node)
    return "";
  if (node->kind != WY_SCALAR) {
    wy_read_expected(r, node, "%s", what);
    return "";
  }
  return node->text;
}

const char *wy_read_name(wy_reader *r, const wy_node *node) {
  const char *text = wy_read_text(r, node, "a name");
  size_t length = strlen(text);
  bool ok = length >= 1 && length <= 63 && text[0] != ' ' && text[length - 1] != ' ';
  for (size_t i = 0; i < length; i++)
    ok = ok && !iscntrl((unsigned char)text[i]) && !strchr("/.[]\"'\\,", text[i]);
  if (!ok && !r->failed)
    wy_read_expected(r, node, "a name of 1 to 63 characters without / . [ ] \" ' \\ and commas");
  return text;
}

bool wy_read_is(const wy_node *node, const char *word) {
  return node && node->kind == WY_SCALAR && strcmp(node->text, word) == 0;
}

int wy_read_word(wy_reader *r, const wy_node *node, const char *const *words) {
  char list[512];
  int count = count_words(words);
  join(words, count, list, sizeof list);
  if (r->failed)
    return 0;
  if (!node || node->kind != WY_SCALAR) {
    wy_read_expected(r, node, "one of %s", list);
    return 0;
  }
  int index = find_word(node->text, words);
  if (index >= 0)
    return index;
  const char *close = wy_suggest(node->text, words, count);
  if (close)
    wy_read_expected(r, node, "one of %s; did you mean '%s'?", list, close);
  else
    wy_read_expected(r, node, "one of %s", list);
  return 0;
}

bool wy_read_choice(wy_reader *r, const wy_node *node, bool otherwise) {
  static const char *const words[] = {"false", "true", NULL};
  return node ? wy_read_word(r, node, words) == 1 : otherwise;
}

int wy_read_rod_name(wy_reader *r, const wy_node *node) {
  const char *names[MOST_WORDS];
  int count = r->scenario->model.rod_count;
  const char *name = wy_read_text(r, node, "the name of a rod");
  for (int i = 0; i < count && !r->failed; i++)
    if (strcmp(r->rods[i].name, name) == 0)
      return i;
  count = count < MOST_WORDS ? count : MOST_WORDS;
  for (int i = 0; i < count; i++)
    names[i] = r->rods[i].name;
  char list[512];
  join(names, count, list, sizeof list);
  const char *close = wy_suggest(name, names, count);
  wy_read_expected(r, node, "the name of a rod: %s%s%s%s", list, close ? "; did you mean '" : "", close ? close : "",
                   close ? "'?" : "");
  return 0;
}

/* ---- Names: constants and functions ---- */

typedef struct wy_function_cost {
  const char *name;
  double cost;
  struct wy_function_cost *next;
} wy_function_cost;

/* How long a text takes to evaluate: its length, where each function counts with its own. */
static double text_cost(const wy_reader *r, const char *text) {
  double cost = 1;
  while (*text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
      length++;
    for (const wy_function_cost *f = length ? r->functions : NULL; f; f = f->next)
      if (strlen(f->name) == length && strncmp(f->name, text, length) == 0)
        cost += f->cost;
    length += length == 0;
    cost += (double)length;
    text += length;
  }
  return cost;
}

static void read_constant(wy_reader *r, const wy_node *node) {
  wy_expr_error error;
  double value = wy_read_number(r, node);
  if (!r->failed && wy_expr_scope_constant(r->scope, node->key, value, &error) != WY_OK)
    wy_read_fail(r, node, "%s", error.text);
}

static void expression_error(wy_reader *r, const wy_node *node, const wy_expr_error *error) {
  char found[128];
  wy_yaml_describe(node, found, sizeof found);
  const char *expected = r->expected ? r->expected : "a number or an expression";
  if (error->column > 0)
    wy_read_fail(r, node, "found %s, column %d: %s; expected %s", found, error->column, error->text, expected);
  else
    wy_read_fail(r, node, "found %s: %s; expected %s", found, error->text, expected);
}

static void add_sample(wy_reader *r, const wy_expr *expr, const wy_node *node) {
  if (r->sample_count == r->sample_capacity) {
    int capacity = 2 * r->sample_capacity + 64;
    wy_sample *grown = wy_pool_take(r->pool, (size_t)capacity * sizeof *grown);
    if (r->sample_count)
      memcpy(grown, r->samples, (size_t)r->sample_count * sizeof *grown);
    r->samples = grown;
    r->sample_capacity = capacity;
  }
  r->samples[r->sample_count++] =
      (wy_sample){.expr = expr, .node = node, .rod = r->rod, .to = -1, .cost = text_cost(r, node->text)};
}

/* The scenario owns what is compiled; NULL after a failure. */
static const wy_expr *compile(wy_reader *r, const wy_node *node, unsigned allowed) {
  wy_expr_error error;
  wy_expr *expr = NULL;
  if (wy_expr_compile(r->scope, node->text, allowed, &expr, &error) != WY_OK) {
    expression_error(r, node, &error);
    return NULL;
  }
  if (r->expr_count == r->expr_capacity) {
    r->expr_capacity = 2 * r->expr_capacity + 64;
    wy_expr **grown = wy_pool_take(r->pool, (size_t)r->expr_capacity * sizeof *grown);
    if (r->expr_count)
      memcpy(grown, r->exprs, (size_t)r->expr_count * sizeof *grown);
    r->exprs = grown;
  }
  r->exprs[r->expr_count++] = expr;
  return expr;
}

/* A function is sampled where it is used: it may be guarded there. */
static void read_function(wy_reader *r, const wy_node *node) {
  wy_expr_error error;
  const char *text = wy_read_text(r, node, "an expression of t");
  if (r->failed)
    return;
  if (!compile(r, node, WY_TIME))
    return;
  if (wy_expr_scope_function(r->scope, node->key, text, &error) != WY_OK) {
    wy_read_fail(r, node, "%s", error.text);
    return;
  }
  wy_function_cost *cost = wy_pool_take(r->pool, sizeof *cost);
  *cost = (wy_function_cost){node->key, text_cost(r, text), r->functions};
  r->functions = cost;
}

void wy_read_names(wy_reader *r) {
  const wy_node *constants = wy_yaml_find(r->root, "constants");
  const wy_node *functions = wy_yaml_find(r->root, "functions");
  if (constants && constants->kind != WY_NULL && constants->kind != WY_MAPPING)
    wy_read_expected(r, constants, "a mapping of names to numbers");
  if (functions && functions->kind != WY_NULL && functions->kind != WY_MAPPING)
    wy_read_expected(r, functions, "a mapping of names to expressions of t");
  for (const wy_node *node = constants ? constants->first : NULL; node && !r->failed; node = node->next)
    read_constant(r, node);
  for (const wy_node *node = functions ? functions->first : NULL; node && !r->failed; node = node->next)
    read_function(r, node);
}

/* ---- Numbers ---- */

const char *wy_read_not_finite(double value) {
  return isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
}

wy_signal wy_read_signal(wy_reader *r, const wy_node *node, unsigned allowed) {
  if (r->failed || !node)
    return wy_constant(0);
  if (node->kind != WY_SCALAR) {
    wy_read_expected(r, node, allowed ? "a number or an expression" : "a number");
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

double wy_read_number(wy_reader *r, const wy_node *node) {
  return wy_read_signal(r, node, 0).value;
}

double wy_read_optional(wy_reader *r, const wy_node *node, double otherwise) {
  return node ? wy_read_number(r, node) : otherwise;
}

double wy_read_positive(wy_reader *r, const wy_node *node) {
  double value = wy_read_number(r, node);
  if (!r->failed && node && !(value > 0))
    wy_read_expected(r, node, "a number > 0");
  return value;
}

int wy_read_integer(wy_reader *r, const wy_node *node, int least, int most) {
  double value = wy_read_number(r, node);
  if (r->failed || !node)
    return least;
  if (!(value >= least && value <= most) || fabs(value - round(value)) > 1e-9) {
    wy_read_expected(r, node, "a whole number from %d to %d", least, most);
    return least;
  }
  return (int)round(value);
}

void wy_read_signals(wy_reader *r, const wy_node *node, int count, unsigned allowed, wy_signal *out) {
  if (r->failed || !node)
    return;
  if (node->kind != WY_LIST || node->count != count) {
    wy_read_expected(r, node, "a list of %d %s", count, allowed ? "numbers or expressions" : "numbers");
    return;
  }
  for (const wy_node *child = node->first; child; child = child->next)
    *out++ = wy_read_signal(r, child, allowed);
}

void wy_read_vector(wy_reader *r, const wy_node *node, int count, double *out) {
  wy_signal signals[4] = {{0}};
  if (r->failed || !node)
    return;
  wy_read_signals(r, node, count, 0, signals);
  for (int i = 0; i < count && !r->failed; i++)
    out[i] = signals[i].value;
}
