/* SPDX-License-Identifier: MIT */
/* The compiler: one pass from text to a postfix program, by recursive descent.

     conditional = comparison ["?" conditional ":" conditional]
     comparison  = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
     sum         = product {("+" | "-") product}
     product     = signed {("*" | "/") signed}
     signed      = {"+" | "-"} primary ["^" signed]
     primary     = number | name | table "." column | name "(" conditional {"," conditional} ")" | "(" conditional ")"

   Every rule appends the operations of its operands; an operation on constants is carried out at once, so that an
   expression without variables becomes a single constant. Functions of the scope are copied in. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expr_internal.h"

/* A token is named by its character; these need more. */
enum { END = 256, NUMBER, NAME, LESS_EQUAL, GREATER_EQUAL, EQUAL, NOT_EQUAL };

typedef struct token {
  int kind;
  const char *start;
  size_t length;
  double value;
} token;

typedef struct parser {
  const wy_expr_scope *scope;
  unsigned allowed;
  const char *text;
  token token; /* the next one, not consumed yet */
  wy_expr_op *program;
  int count;
  int nesting;
  wy_expr_error *error;
} parser;

static int column_of(const parser *p, const char *place) {
  return (int)(place - p->text) + 1;
}

/* Explains an error in the text and gives false, what every rule returns then. */
#define FAIL(p, place, ...) (wy_expr_explain((p)->error, column_of(p, place), __VA_ARGS__), false)

/* What a message says of a token: itself in quotes, cut if it is long. */
typedef struct description {
  char text[48];
} description;

static description describe(const token *found) {
  description d;
  if (found->kind == END)
    snprintf(d.text, sizeof d.text, "the end");
  else if (found->length > 40)
    snprintf(d.text, sizeof d.text, "'%.37s...'", found->start);
  else
    snprintf(d.text, sizeof d.text, "'%.*s'", (int)found->length, found->start);
  return d;
}

/* ---- Tokens ---- */

static const char *skip_digits(const char *c) {
  while (wy_expr_is_digit(*c))
    c++;
  return c;
}

/* strtod for digits with a point, whatever the decimal point of the locale is. */
static double to_number(const char *start, size_t length) {
  char buffer[WY_EXPR_TEXT + 16];
  const char *point = memchr(start, '.', length);
  size_t whole = point ? (size_t)(point - start) : length;
  snprintf(buffer, sizeof buffer, "%.*s%s%.*s", (int)whole, start, point ? localeconv()->decimal_point : "",
           point ? (int)(length - whole - 1) : 0, point ? point + 1 : "");
  return strtod(buffer, NULL);
}

static bool scan_number(parser *p, const char *c) {
  token *next = &p->token;
  c = skip_digits(c);
  if (*c == '.')
    c = skip_digits(c + 1);
  if (*c == 'e' || *c == 'E') {
    const char *digits = c[1] == '+' || c[1] == '-' ? c + 2 : c + 1;
    if (!wy_expr_is_digit(*digits))
      return FAIL(p, c, "expected digits in the exponent of a number");
    c = skip_digits(digits);
  }
  next->kind = NUMBER;
  next->length = (size_t)(c - next->start);
  next->value = to_number(next->start, next->length);
  if (!isfinite(next->value))
    return FAIL(p, next->start, "number %s is out of range", describe(next).text);
  return true;
}

static bool fail_character(parser *p, const char *c) {
  static const struct {
    char character;
    const char *hint;
  } hints[] = {{'=', "'=' is no operator: to compare, write '=='"},
               {'!', "'!' is no operator: to compare, write '!='"},
               {'&', "'&' is no operator: for 'and', multiply the comparisons"},
               {'|', "'|' is no operator: for 'or', take the max of the comparisons"}};
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
    if (*c == hints[i].character)
      return FAIL(p, c, "%s", hints[i].hint);
  unsigned char byte = (unsigned char)*c;
  int length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 0; /* UTF-8 */
  for (int i = 1; i < length; i++)
    if (((unsigned char)c[i] & 0xC0) != 0x80)
      length = 0;
  if (length == 0 || byte < ' ' || byte == 0x7F)
    return FAIL(p, c, "unexpected byte 0x%02X", byte);
  return FAIL(p, c, "unexpected character '%.*s'", length, c);
}

/* Consumes the current token and finds the next one. */
static bool advance(parser *p) {
  token *next = &p->token;
  const char *c = next->start + next->length;
  const bool after_name = next->kind == NAME;
  while (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')
    c++;
  next->start = c;
  next->length = *c != '\0';
  if (*c == '\0') {
    next->kind = END;
  } else if (wy_expr_is_digit(*c) || (*c == '.' && wy_expr_is_digit(c[1]))) {
    return scan_number(p, c);
  } else if (wy_expr_is_letter(*c)) {
    while (wy_expr_is_letter(*c) || wy_expr_is_digit(*c))
      c++;
    next->kind = NAME;
    next->length = (size_t)(c - next->start);
  } else if (c[1] == '=' && strchr("<>=!", *c)) {
    next->kind = *c == '<' ? LESS_EQUAL : *c == '>' ? GREATER_EQUAL : *c == '=' ? EQUAL : NOT_EQUAL;
    next->length = 2;
  } else if (strchr("+-*/^()?:,<>", *c) || (*c == '.' && after_name)) {
    next->kind = (unsigned char)*c;
  } else {
    return fail_character(p, c);
  }
  return true;
}

/* Consumes `kind`, which closes what the token `opening` began. */
static bool finish_bracket(parser *p, int kind, const char *opening) {
  if (p->token.kind != kind)
    return FAIL(p, p->token.start, "expected '%c' for the '%c' in column %d, found %s", kind, *opening,
                column_of(p, opening), describe(&p->token).text);
  return advance(p);
}

/* ---- Emission: operands are named by the place where their operations start, and reach up to the next one ---- */

static bool reserve(parser *p, int count) {
  if (count > WY_EXPR_PROGRAM - p->count)
    return FAIL(p, p->token.start, "the expression needs more than %d operations, its functions included",
                WY_EXPR_PROGRAM);
  return true;
}

static bool emit(parser *p, wy_expr_code code, bool immediate, double value) {
  if (!reserve(p, 1))
    return false;
  p->program[p->count++] = (wy_expr_op){.code = code, .immediate = immediate, .value = value};
  return true;
}

static bool emit_constant(parser *p, double value) {
  return emit(p, WY_EXPR_CONSTANT, false, value);
}

static bool is_constant(const parser *p, int start, int end) {
  return end - start == 1 && p->program[start].code == WY_EXPR_CONSTANT;
}

static bool emit_unary(parser *p, wy_expr_code code, int operand) {
  if (!is_constant(p, operand, p->count))
    return emit(p, code, false, 0.0);
  p->program[operand].value = wy_expr_apply_unary(code, p->program[operand].value);
  return true;
}

static bool emit_binary(parser *p, wy_expr_code code, int left, int right) {
  bool left_constant = is_constant(p, left, right), right_constant = is_constant(p, right, p->count);
  double left_value = p->program[left].value, right_value = p->program[right].value;
  if (left_constant && right_constant) {
    p->count = left;
    return emit_constant(p, wy_expr_apply_binary(code, left_value, right_value));
  }
  if (right_constant) {
    p->count--;
    return emit(p, code, true, right_value);
  }
  if (left_constant && (code == WY_EXPR_ADD || code == WY_EXPR_MULTIPLY)) { /* x + c and x*c give the same bits */
    p->count--;
    memmove(p->program + left, p->program + right, (size_t)(p->count - left) * sizeof *p->program);
    return emit(p, code, true, left_value);
  }
  return emit(p, code, false, 0.0);
}

static void aim(parser *p, int jump, int target) {
  p->program[jump].jump = (short)(target - jump - 1);
}

/* ---- The rules ---- */

static bool parse_conditional(parser *p);

static bool enter(parser *p, const char *where) {
  if (++p->nesting > WY_EXPR_NESTING)
    return FAIL(p, where, "the expression is nested more than %d levels deep", WY_EXPR_NESTING);
  return true;
}

static bool parse_variable(parser *p, const token *name, wy_variable variable) {
  if (!(p->allowed & variable))
    return FAIL(p, name->start, "%s is not available here", variable == WY_TIME ? "time t" : "arc length s");
  return emit(p, variable == WY_TIME ? WY_EXPR_TIME : WY_EXPR_ARC, false, 0.0);
}

/* x, y or z where a place is allowed: 0, 1 or 2; else -1. Elsewhere they are names like any other. */
static int coordinate_of(const parser *p, const token *name) {
  const int k = name->length == 1 ? *name->start - 'x' : -1;
  return k >= 0 && k < 3 && (p->allowed & ((unsigned)WY_X << k)) ? k : -1;
}

/* The number of a rod that has this name, where there are rods to count; else -1. */
static int number_of(const parser *p, const token *name) {
  const char *c = name->start;
  if (!(p->allowed & WY_ROD) || name->length > 2)
    return -1;
  if (*c == 'i' && name->length == 1)
    return 0;
  const int first = *c == 'u' ? 1 : *c == 'n' ? 11 : -1;
  if (first < 0 || name->length == 1)
    return first;
  return c[1] >= '1' && c[1] <= '9' ? first + c[1] - '0' : -1;
}

static bool emit_number(parser *p, int number) {
  if (!emit(p, WY_EXPR_NUMBER, false, 0.0))
    return false;
  p->program[p->count - 1].jump = (short)number;
  return true;
}

static bool parse_symbol(parser *p, const token *name, const wy_expr_symbol *symbol) {
  const wy_expr *function = symbol->function;
  if (!function)
    return emit_constant(p, symbol->value);
  if (function->depends_on & ~p->allowed)
    return FAIL(p, name->start, "'%s' depends on %s, which is not available here", symbol->name,
                function->depends_on & ~p->allowed & WY_TIME ? "time t" : "arc length s");
  if (!reserve(p, function->count))
    return false;
  memcpy(p->program + p->count, function->program, (size_t)function->count * sizeof *p->program);
  p->count += function->count;
  return true;
}

/* "table.column". The table was taken; the token that is there is the column's. */
static bool parse_column(parser *p, const token *name, const wy_spline *table) {
  const wy_spline_def *def = wy_spline_definition(table);
  const token column = p->token;
  int index = 0;
  if (column.kind != NAME)
    return FAIL(p, column.start, "expected a column of the table %s after '.', found %s", describe(name).text,
                describe(&column).text);
  while (index < def->columns &&
         !(strlen(def->names[index]) == column.length && memcmp(def->names[index], column.start, column.length) == 0))
    index++;
  if (index == def->columns) {
    const char *near = wy_expr_suggest_column(table, column.start, column.length);
    return near ? FAIL(p, column.start, "the table %s has no column %s: did you mean '%s'?", describe(name).text,
                       describe(&column).text, near)
                : FAIL(p, column.start, "the table %s has no column %s; its first one is '%s'", describe(name).text,
                       describe(&column).text, def->names[0]);
  }
  if (def->of & ~p->allowed)
    return FAIL(p, name->start, "the table %s depends on %s, which is not available here", describe(name).text,
                def->of == WY_TIME ? "time t" : "arc length s");
  if (!emit(p, WY_EXPR_COLUMN, false, 0.0))
    return false;
  p->program[p->count - 1].jump = (short)index;
  p->program[p->count - 1].table = table;
  return advance(p);
}

/* Only a table is followed by a point, and always. */
static bool parse_table(parser *p, const token *name, const wy_expr_symbol *symbol) {
  if (!symbol || !symbol->table)
    return FAIL(p, p->token.start, "%s is no table: '.' stands between a table and its column", describe(name).text);
  if (p->token.kind != '.')
    return FAIL(p, name->start, "%s is a table: expected a column of it, such as %.60s.%.60s", describe(name).text,
                symbol->name, wy_spline_definition(symbol->table)->names[0]);
  return advance(p) && parse_column(p, name, symbol->table);
}

static bool parse_call(parser *p, const token *name, const wy_expr_builtin *builtin) {
  const char *opening = p->token.start;
  if (p->token.kind != '(')
    return FAIL(p, opening, "expected '(' after the function '%s', found %s", builtin->name, describe(&p->token).text);
  if (!enter(p, name->start) || !advance(p))
    return false;
  int first = p->count, found = 0;
  for (bool more = p->token.kind != ')'; more;) {
    int argument = p->count;
    if (!parse_conditional(p))
      return false;
    found++;
    bool combine = builtin->arguments == 2 && (found == 2 || (found > 2 && builtin->or_more));
    if (combine && !emit_binary(p, builtin->code, first, argument))
      return false;
    more = p->token.kind == ',';
    if (more && !advance(p))
      return false;
  }
  if (!finish_bracket(p, ')', opening))
    return false;
  if (found < builtin->arguments || (found > builtin->arguments && !builtin->or_more))
    return FAIL(p, name->start, "'%s' takes %d%s argument%s, found %d", builtin->name, builtin->arguments,
                builtin->or_more ? " or more" : "", builtin->arguments == 1 ? "" : "s", found);
  p->nesting--;
  return builtin->arguments > 1 || emit_unary(p, builtin->code, first);
}

static bool parse_name(parser *p) {
  token name = p->token;
  if (!advance(p))
    return false;
  const wy_expr_builtin *builtin = wy_expr_find_builtin(name.start, name.length);
  if (builtin)
    return parse_call(p, &name, builtin);

  const wy_expr_symbol *symbol = wy_expr_find_symbol(p->scope, name.start, name.length);
  const int coordinate = coordinate_of(p, &name), number = number_of(p, &name);
  if (symbol && (coordinate >= 0 || number >= 0))
    return FAIL(p, name.start, "%s is a %s here, and a name of the scenario: rename the latter", describe(&name).text,
                number >= 0 ? "number of the rod" : "coordinate");
  if (!symbol && coordinate < 0 && number < 0 && !wy_expr_is_reserved(name.start, name.length)) {
    const char *near = wy_expr_suggest(p->scope, p->allowed, name.start, name.length);
    return near ? FAIL(p, name.start, "unknown name %s: did you mean '%s'?", describe(&name).text, near)
                : FAIL(p, name.start, "unknown name %s", describe(&name).text);
  }
  if (p->token.kind == '.' || (symbol && symbol->table))
    return parse_table(p, &name, symbol);
  if (p->token.kind == '(')
    return FAIL(p, p->token.start, "%s takes no arguments: to multiply, write '*'", describe(&name).text);
  if (symbol)
    return parse_symbol(p, &name, symbol);
  if (coordinate >= 0)
    return emit(p, (wy_expr_code)(WY_EXPR_X + coordinate), false, 0.0);
  if (number >= 0)
    return emit_number(p, number);
  if (*name.start == 't')
    return parse_variable(p, &name, WY_TIME);
  if (*name.start == 's')
    return parse_variable(p, &name, WY_ARC);
  return emit_constant(p, 3.14159265358979323846);
}

static bool parse_primary(parser *p) {
  const char *start = p->token.start;
  switch (p->token.kind) {
  case NUMBER:
    return emit_constant(p, p->token.value) && advance(p);
  case NAME:
    return parse_name(p);
  case '(':
    if (!enter(p, start) || !advance(p) || !parse_conditional(p) || !finish_bracket(p, ')', start))
      return false;
    p->nesting--;
    return true;
  default:
    return FAIL(p, start, "expected a number, a name or '(', found %s", describe(&p->token).text);
  }
}

static bool parse_signed(parser *p) {
  bool negative = false;
  while (p->token.kind == '+' || p->token.kind == '-') {
    negative ^= p->token.kind == '-';
    if (!advance(p))
      return false;
  }
  int base = p->count;
  if (!parse_primary(p))
    return false;
  if (p->token.kind == '^') {
    int exponent = p->count;
    if (!enter(p, p->token.start) || !advance(p) || !parse_signed(p))
      return false;
    p->nesting--;
    if (!emit_binary(p, WY_EXPR_POWER, base, exponent))
      return false;
  }
  return !negative || emit_unary(p, WY_EXPR_NEGATE, base);
}

/* The operators from the loosest to the tightest level. */
enum { COMPARISON, SUM, PRODUCT, SIGNED };

static const struct {
  int kind, level;
  wy_expr_code code;
} operators[] = {
    {'<', COMPARISON, WY_EXPR_LESS},
    {LESS_EQUAL, COMPARISON, WY_EXPR_LESS_EQUAL},
    {'>', COMPARISON, WY_EXPR_GREATER},
    {GREATER_EQUAL, COMPARISON, WY_EXPR_GREATER_EQUAL},
    {EQUAL, COMPARISON, WY_EXPR_EQUAL},
    {NOT_EQUAL, COMPARISON, WY_EXPR_NOT_EQUAL},
    {'+', SUM, WY_EXPR_ADD},
    {'-', SUM, WY_EXPR_SUBTRACT},
    {'*', PRODUCT, WY_EXPR_MULTIPLY},
    {'/', PRODUCT, WY_EXPR_DIVIDE},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static int find_operator(int kind, int level) {
  for (int i = 0; i < OPERATORS; i++)
    if (operators[i].kind == kind && operators[i].level == level)
      return i;
  return -1;
}

/* comparison, sum and product, by level. */
static bool parse_level(parser *p, int level) {
  if (level == SIGNED)
    return parse_signed(p);
  int left = p->count;
  if (!parse_level(p, level + 1))
    return false;
  for (int found = 0, i; (i = find_operator(p->token.kind, level)) >= 0; found++) {
    if (level == COMPARISON && found > 0)
      return FAIL(p, p->token.start, "comparisons do not chain: write (a < b)*(b < c) for a < b < c");
    if (!advance(p))
      return false;
    int right = p->count;
    if (!parse_level(p, level + 1) || !emit_binary(p, operators[i].code, left, right))
      return false;
  }
  return true;
}

/* a ? x : b ? y : z becomes a BRANCH(1) x JUMP(2) 1: b BRANCH(3) y JUMP(2) 3: z 2:. The chain is a loop, so that a long
   table is not deep. A constant condition leaves only the code of its branch. */
static bool parse_conditional(parser *p) {
  int exits = -1; /* the last JUMP; each holds the one before until all are aimed */
  int end = -1;   /* behind the branch that a constant condition chose */
  for (;;) {
    int condition = p->count;
    if (!parse_level(p, COMPARISON))
      return false;
    if (p->token.kind != '?')
      break;

    const char *opening = p->token.start;
    bool constant = is_constant(p, condition, p->count), chosen = constant && p->program[condition].value != 0.0;
    int branch = p->count;
    if (constant)
      p->count = condition;
    else if (!emit(p, WY_EXPR_BRANCH, false, 0.0))
      return false;
    if (!enter(p, opening) || !advance(p) || !parse_conditional(p) || !finish_bracket(p, ':', opening))
      return false;
    p->nesting--;

    if (!constant) {
      if (!emit(p, WY_EXPR_JUMP, false, 0.0))
        return false;
      p->program[p->count - 1].jump = (short)exits;
      exits = p->count - 1;
      aim(p, branch, p->count);
    } else if (!chosen) {
      p->count = condition;
    } else if (end < 0) {
      end = p->count;
    }
  }
  if (end >= 0)
    p->count = end;
  while (exits >= 0) {
    int before = p->program[exits].jump;
    if (exits < p->count)
      aim(p, exits, p->count);
    exits = before;
  }
  return true;
}

static bool parse_text(parser *p) {
  if (!advance(p))
    return false;
  if (p->token.kind == END)
    return FAIL(p, p->token.start, "the expression is empty");
  if (!parse_conditional(p))
    return false;
  switch (p->token.kind) {
  case END:
    return true;
  case ')':
    return FAIL(p, p->token.start, "')' without '('");
  case ':':
    return FAIL(p, p->token.start, "':' without '?'");
  case ',':
    return FAIL(p, p->token.start, "',' only separates the arguments of a function; the decimal point is '.'");
  default:
    return FAIL(p, p->token.start, "expected an operator, found %s: to multiply, write '*'", describe(&p->token).text);
  }
}

/* ---- The finished program ---- */

/* The most values alive at once. Behind a JUMP the value of the branch before it is not there. */
static int stack_needed(const wy_expr_op *program, int count) {
  int depth = 0, deepest = 0;
  for (int i = 0; i < count; i++) {
    wy_expr_code code = program[i].code;
    if (code <= WY_EXPR_NUMBER)
      depth++;
    else if (code <= WY_EXPR_JUMP || (code >= WY_EXPR_ADD && !program[i].immediate))
      depth--;
    if (depth > deepest)
      deepest = depth;
  }
  return deepest;
}

static unsigned variables_used(const wy_expr_op *program, int count) {
  unsigned used = 0;
  for (int i = 0; i < count; i++) {
    if (program[i].code == WY_EXPR_TIME)
      used |= WY_TIME;
    if (program[i].code == WY_EXPR_ARC)
      used |= WY_ARC;
    if (program[i].code == WY_EXPR_COLUMN)
      used |= (unsigned)wy_spline_definition(program[i].table)->of;
    if (program[i].code >= WY_EXPR_X && program[i].code <= WY_EXPR_Z)
      used |= (unsigned)WY_X << (program[i].code - WY_EXPR_X);
    if (program[i].code == WY_EXPR_NUMBER)
      used |= WY_ROD;
  }
  return used;
}

static wy_status finish(const parser *p, wy_expr **out) {
  if (stack_needed(p->program, p->count) > WY_EXPR_STACK) {
    wy_expr_explain(p->error, 1, "the expression holds more than %d intermediate values at once", WY_EXPR_STACK);
    return WY_ERROR_INPUT;
  }
  size_t bytes = (size_t)p->count * sizeof *p->program;
  wy_expr *expr = malloc(sizeof *expr + bytes);
  if (!expr)
    return WY_ERROR_MEMORY;
  expr->depends_on = variables_used(p->program, p->count);
  expr->count = p->count;
  memcpy(expr->program, p->program, bytes);
  *out = expr;
  return WY_OK;
}

wy_status wy_expr_compile(const wy_expr_scope *scope, const char *text, unsigned allowed, wy_expr **out,
                          wy_expr_error *error) {
  if (!out || !text) {
    wy_expr_explain(error, 0, "found NULL for `%s`; expected it to be given", out ? "text" : "out");
    if (out)
      *out = NULL;
    return WY_ERROR_INPUT;
  }
  *out = NULL;
  parser p = {.scope = scope, .allowed = allowed, .text = text, .token = {.start = text}, .error = error};
  if (strlen(text) > WY_EXPR_TEXT) {
    wy_expr_explain(error, WY_EXPR_TEXT + 1, "the expression is longer than %d characters", WY_EXPR_TEXT);
    return WY_ERROR_INPUT;
  }
  p.program = malloc(WY_EXPR_PROGRAM * sizeof *p.program);
  wy_status status = WY_ERROR_MEMORY;
  if (p.program)
    status = parse_text(&p) ? finish(&p, out) : WY_ERROR_INPUT;
  if (status == WY_ERROR_MEMORY)
    wy_expr_explain(error, 0, "no memory for an expression");
  free(p.program);
  return status;
}
