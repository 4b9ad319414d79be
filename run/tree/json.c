/* SPDX-License-Identifier: MIT */
#include "run/tree/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/tree/broken.h"
#include "run/tree/build.h"

typedef struct parser {
  wy_builder b;
  const char *at; /* the next character */
  const char *line_start;
  int line;
} parser;

/* ---- Complaints ---- */

/* "rods[0].length: ", the place in the tree that is being read. */
static void add_path(const parser *p, char *out, size_t size) {
  wy_yaml_path(p->b.current, out, size);
  size_t used = strlen(out);
  if (p->b.key)
    used += (size_t)snprintf(out + used, size - used, "%s%.64s", used ? "." : "", p->b.key);
  if (used > 0 && used < size)
    snprintf(out + used, size - used, ": ");
}

/* What stands at the next character, for a message. */
static void describe(const parser *p, char out[32]) {
  size_t length = *p->at ? 1 : 0;
  while (length > 0 && ((unsigned char)p->at[length] & 0xc0) == 0x80)
    length++;
  if (!*p->at)
    snprintf(out, 32, "the end of the text");
  else if (strchr("\r\n", *p->at))
    snprintf(out, 32, "the end of the line");
  else
    snprintf(out, 32, "'%.*s'", (int)length, p->at);
}

static void complain(parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(parser *p, const char *format, ...) {
  char path[300], found[32], expected[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(expected, sizeof expected, format, arguments);
  va_end(arguments);
  if (p->b.failed)
    return;
  add_path(p, path, sizeof path);
  describe(p, found);
  wy_yaml_place place = {p->line, 1};
  for (const char *c = p->line_start; c < p->at; c++)
    place.column += ((unsigned char)*c & 0xc0) != 0x80;
  place = wy_broken_last(p->b.text, place);
  wy_build_fail(&p->b, place.line, "%sbroken JSON: found %s; expected %s", path, found, expected);
  wy_broken_line(p->b.text, place, p->b.error->excerpt, sizeof p->b.error->excerpt);
}

/* ---- Characters ---- */

static void skip_blank(parser *p) {
  for (; *p->at && strchr(" \t\r\n", *p->at); p->at++)
    if (*p->at == '\n') {
      p->line++;
      p->line_start = p->at + 1;
    }
}

static bool take(parser *p, char c) {
  skip_blank(p);
  bool there = *p->at == c;
  p->at += there;
  return there;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* ---- Strings ---- */

/* Four hexadecimal digits; -1 where they are not. */
static long read_hex(const char *at) {
  long value = 0;
  for (int i = 0; i < 4; i++) {
    const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = at[i] ? strchr(digits, at[i]) : NULL;
    if (!digit)
      return -1;
    value = 16 * value + (digit - digits) % 16;
  }
  return value;
}

static char *put_utf8(char *out, unsigned long code) {
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
  *out++ = (char)(first[more] | code >> 6 * more);
  while (more-- > 0)
    *out++ = (char)(0x80 | (code >> 6 * more & 0x3f));
  return out;
}

/* What follows \u; two of them make one character beyond 16 bits. NULL after a failure. */
static char *read_unicode(parser *p, char *out) {
  long code = read_hex(p->at), low = -1;
  if (code >= 0xd800 && code < 0xdc00 && p->at[4] == '\\' && p->at[5] == 'u')
    low = read_hex(p->at + 6);
  bool pair = low >= 0xdc00 && low < 0xe000;
  if (code <= 0 || (code >= 0xd800 && code < 0xe000 && !pair)) {
    complain(p, "four hexadecimal digits of a character after \\u, not 0000 and not half of a surrogate pair");
    return NULL;
  }
  p->at += pair ? 10 : 4;
  return put_utf8(out, pair ? 0x10000UL + ((unsigned long)(code - 0xd800) << 10) + (unsigned long)(low - 0xdc00)
                            : (unsigned long)code);
}

static char *read_escape(parser *p, char *out) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *letter = *p->at ? strchr(letters, *p->at) : NULL;
  if (letter) {
    p->at++;
    *out++ = meanings[letter - letters];
    return out;
  }
  if (*p->at != 'u') {
    complain(p, "one of \" \\ / b f n r t u after \\");
    return NULL;
  }
  p->at++;
  return read_unicode(p, out);
}

/* From the opening quote to behind the closing one. What it means is never longer than what is written. */
static const char *read_string(parser *p) {
  const char *begin = ++p->at, *end = begin;
  while (*end && *end != '"' && (unsigned char)*end >= 0x20)
    end += *end == '\\' && end[1] ? 2 : 1;
  char *text = wy_pool_take(p->b.pool, (size_t)(end - begin) + 1), *out = text;
  if (!text)
    wy_build_no_memory(&p->b);
  while (out && *p->at != '"') {
    if (*p->at == '\\') {
      p->at++;
      out = read_escape(p, out);
    } else if ((unsigned char)*p->at < 0x20) {
      complain(p, "'\"' at the end of a string");
      out = NULL;
    } else {
      *out++ = *p->at++;
    }
  }
  p->at += out != NULL;
  return out ? text : NULL;
}

/* ---- Values ---- */

static const char *skip_digits(parser *p, const char *at) {
  if (!is_digit(*at)) {
    p->at = at;
    complain(p, "a digit");
  }
  while (is_digit(*at))
    at++;
  return at;
}

static void read_number(parser *p) {
  const char *begin = p->at, *at = begin + (*begin == '-');
  at = *at == '0' ? at + 1 : skip_digits(p, at);
  if (*at == '.')
    at = skip_digits(p, at + 1);
  if (*at == 'e' || *at == 'E')
    at = skip_digits(p, at + 1 + (at[1] == '-' || at[1] == '+'));
  if (p->b.failed)
    return;
  p->at = at;
  wy_build_scalar(&p->b, WY_SCALAR, wy_pool_copy(p->b.pool, begin, (size_t)(at - begin)), p->line);
}

static void read_word(parser *p) {
  static const char *const words[] = {"null", "true", "false"};
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(p->at, words[i], length) == 0) {
      wy_build_scalar(&p->b, i == 0 ? WY_NULL : WY_SCALAR, words[i], p->line);
      p->at += length;
      return;
    }
  }
  complain(p, "a value: { [ \" a number, true, false or null");
}

static void read_value(parser *p);

static void read_pair(parser *p) {
  skip_blank(p);
  if (*p->at != '"') {
    complain(p, "a key in double quotes");
    return;
  }
  int line = p->line;
  const char *key = read_string(p);
  if (p->b.failed)
    return;
  wy_build_key(&p->b, key, line);
  if (!p->b.failed && !take(p, ':'))
    complain(p, "':' after the key");
  read_value(p);
}

/* A list or a mapping, as deep as wy_build_open lets it be. */
static void read_many(parser *p, wy_node_kind kind, char end, void (*read)(parser *)) {
  wy_build_open(&p->b, kind, p->line);
  p->at++;
  if (!p->b.failed && !take(p, end)) {
    do
      read(p);
    while (!p->b.failed && take(p, ','));
    if (!p->b.failed && !take(p, end))
      complain(p, "',' or '%c'", end);
  }
  wy_build_close(&p->b);
}

static void read_value(parser *p) {
  skip_blank(p);
  if (p->b.failed)
    return;
  int line = p->line;
  if (*p->at == '{')
    read_many(p, WY_MAPPING, '}', read_pair);
  else if (*p->at == '[')
    read_many(p, WY_LIST, ']', read_value);
  else if (*p->at == '"') {
    const char *text = read_string(p);
    if (text)
      wy_build_scalar(&p->b, WY_SCALAR, text, line);
  } else if (*p->at == '-' || is_digit(*p->at))
    read_number(p);
  else
    read_word(p);
}

static wy_node *read_text(wy_pool *pool, const char *text, bool unbounded, wy_yaml_error *error) {
  parser p = {.b = {.pool = pool, .error = error, .text = text, .unbounded = unbounded},
              .at = text,
              .line_start = text,
              .line = 1};
  error->line = 0;
  error->excerpt[0] = '\0';
  if (!wy_build_check_text(&p.b))
    return NULL;
  read_value(&p);
  skip_blank(&p);
  if (!p.b.failed && *p.at)
    complain(&p, "nothing after the value");
  return p.b.failed ? NULL : p.b.root;
}

wy_node *wy_json_read(wy_pool *pool, const char *text, wy_yaml_error *error) {
  return read_text(pool, text, false, error);
}

wy_node *wy_json_read_own(wy_pool *pool, const char *text, wy_yaml_error *error) {
  return read_text(pool, text, true, error);
}
