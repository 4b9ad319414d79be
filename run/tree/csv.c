/* SPDX-License-Identifier: MIT */
#include "run/tree/csv.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/tree/bytes.h"

/* A piece of the text. */
typedef struct span {
  const char *start;
  size_t length;
} span;

typedef struct reading {
  wy_pool *pool;
  wy_yaml_error *error; /* of the first failure */
  bool failed;
  const char *at, *end; /* what is left of the text */
  int line;             /* the number of the line that was taken last */
  char separator;       /* ' ' for blanks and tabs */
  int columns, rows, capacity;
  const char **names;
  double *values;
  int *lines;
} reading;

static void refuse(reading *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void refuse(reading *in, const char *format, ...) {
  if (in->failed)
    return;
  in->failed = true;
  in->error->line = in->line;
  in->error->excerpt[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(in->error->text, sizeof in->error->text, format, arguments);
  va_end(arguments);
  for (char *p = in->error->text; *p; p++) /* a field may hold anything */
    if (iscntrl((unsigned char)*p))
      *p = ' ';
}

static void *take(reading *in, size_t bytes) {
  void *taken = wy_pool_take(in->pool, bytes);
  if (!taken) {
    refuse(in, "out of memory");
    in->error->line = 0;
  }
  return taken;
}

static const char *copy(reading *in, span piece) {
  char *copied = take(in, piece.length + 1);
  if (copied)
    memcpy(copied, piece.start, piece.length);
  return copied;
}

/* ---- Lines and fields ---- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static span trim(span piece) {
  while (piece.length > 0 && is_blank(piece.start[0]))
    piece.start++, piece.length--;
  while (piece.length > 0 && is_blank(piece.start[piece.length - 1]))
    piece.length--;
  return piece;
}

/* The next line that says something, without its comment; false after the last one. Lines end as on any system. */
static bool next_line(reading *in, span *line) {
  while (in->at < in->end) {
    const char *start = in->at;
    while (in->at < in->end && *in->at != '\n' && *in->at != '\r')
      in->at++;
    const char *comment = memchr(start, '#', (size_t)(in->at - start));
    *line = trim((span){start, (size_t)((comment ? comment : in->at) - start)});
    if (in->at < in->end)
      in->at += in->at[0] == '\r' && in->end - in->at > 1 && in->at[1] == '\n' ? 2 : 1;
    in->line++;
    if (line->length > 0)
      return true;
  }
  return false;
}

static bool has(span piece, char c) {
  return memchr(piece.start, c, piece.length) != NULL;
}

/* Of the first line. A tab separates as blanks do. */
static char separator_of(span line) {
  return has(line, ';') ? ';' : has(line, ',') ? ',' : ' ';
}

/* Takes the next field off the line; false after the last one. */
static bool next_field(const reading *in, span *line, span *field) {
  if (!line->start)
    return false;
  size_t length = 0;
  while (length < line->length &&
         (in->separator == ' ' ? !is_blank(line->start[length]) : line->start[length] != in->separator))
    length++;
  *field = trim((span){line->start, length});
  if (field->length > 1 && field->start[0] == '"' && field->start[field->length - 1] == '"')
    *field = trim((span){field->start + 1, field->length - 2});
  bool last = length == line->length;
  span rest = {line->start + length + 1, last ? 0 : line->length - length - 1};
  *line = last ? (span){NULL, 0} : in->separator == ' ' ? trim(rest) : rest;
  return true;
}

/* ---- Numbers ---- */

static size_t digits(const char *c, const char *end) {
  const char *start = c;
  while (c < end && *c >= '0' && *c <= '9')
    c++;
  return (size_t)(c - start);
}

/* Is the field written as a number: 12, -0.5, .5, 1e-3? */
static bool is_number(span field) {
  const char *c = field.start, *end = c + field.length;
  c += c < end && (*c == '+' || *c == '-');
  size_t whole = digits(c, end);
  c += whole;
  size_t part = c < end && *c == '.' ? digits(c + 1, end) : 0;
  c += c < end && *c == '.' ? part + 1 : 0;
  if (whole + part == 0)
    return false;
  if (c < end && (*c == 'e' || *c == 'E')) {
    c++;
    c += c < end && (*c == '+' || *c == '-');
    size_t exponent = digits(c, end);
    c += exponent;
    if (exponent == 0)
      return false;
  }
  return c == end;
}

static bool is_word(span field, const char *word) {
  bool same = field.length == strlen(word);
  for (size_t i = 0; same && i < field.length; i++)
    same = tolower((unsigned char)field.start[i]) == word[i];
  return same;
}

/* NaN and infinities, as programs write them. */
static bool is_not_finite(span field) {
  span size = field;
  if (size.length > 0 && (size.start[0] == '+' || size.start[0] == '-'))
    size.start++, size.length--;
  return is_word(size, "nan") || is_word(size, "inf") || is_word(size, "infinity");
}

/* A field that is a number with a decimal comma, or two numbers whose commas were taken for separators. */
static bool has_decimal_comma(const reading *in, span field) {
  if (in->separator != ',')
    return has(field, ',');
  for (size_t i = 0; i < field.length; i++)
    if (is_blank(field.start[i]))
      return is_number(trim((span){field.start, i})) && is_number(trim((span){field.start + i, field.length - i}));
  return false;
}

/* strtod with a point, whatever the decimal point of the locale is. */
static double to_number(span field) {
  char buffer[128];
  const char *point = memchr(field.start, '.', field.length);
  size_t whole = point ? (size_t)(point - field.start) : field.length;
  snprintf(buffer, sizeof buffer, "%.*s%s%.*s", (int)whole, field.start, point ? localeconv()->decimal_point : "",
           point ? (int)(field.length - whole - 1) : 0, point ? point + 1 : "");
  return strtod(buffer, NULL);
}

/* More digits than any number needs. */
enum { LONGEST_NUMBER = 100 };

static void refuse_field(reading *in, int column, span field) {
  char of[WY_CSV_NAME + 16] = "";
  if (in->names)
    snprintf(of, sizeof of, " (%s)", in->names[column]);
  const int shown = field.length > 40 ? 40 : (int)field.length;
  if (field.length == 0)
    refuse(in, "column %d%s: found nothing; expected a number", column + 1, of);
  else if (is_number(field) && field.length > LONGEST_NUMBER)
    refuse(in, "column %d%s: found a number of %zu characters; expected at most %d", column + 1, of, field.length,
           LONGEST_NUMBER);
  else if (has_decimal_comma(in, field))
    refuse(in, "column %d%s: found '%.*s'; expected a number with a decimal point, not a comma", column + 1, of, shown,
           field.start);
  else
    refuse(in, "column %d%s: found '%.*s'; expected a %snumber", column + 1, of, shown, field.start,
           is_not_finite(field) || is_number(field) ? "finite " : "");
}

static double read_field(reading *in, int column, span field) {
  double value = is_number(field) && field.length <= LONGEST_NUMBER ? to_number(field) : (double)NAN;
  if (!isfinite(value))
    refuse_field(in, column, field);
  return value;
}

/* ---- Names and rows ---- */

static int count_fields(const reading *in, span line) {
  span field;
  int count = 0;
  while (next_field(in, &line, &field))
    count++;
  return count;
}

static void check_name(reading *in, int column, span field) {
  if (field.length == 0)
    refuse(in, "column %d: found nothing; expected a name, since the line begins with one", column + 1);
  else if (is_number(field))
    refuse(in, "column %d: found '%.*s'; expected a name, since the line begins with one", column + 1,
           field.length > 40 ? 40 : (int)field.length, field.start);
  else if (field.length > WY_CSV_NAME)
    refuse(in, "column %d: found a name of %zu bytes; expected at most %d", column + 1, field.length, WY_CSV_NAME);
  for (int i = 0; i < column && !in->failed; i++)
    if (strlen(in->names[i]) == field.length && memcmp(in->names[i], field.start, field.length) == 0)
      refuse(in, "column %d: found the name '%s', which column %d has, too; expected each once", column + 1,
             in->names[i], i + 1);
}

static void read_names(reading *in, span line) {
  span field;
  const char **names = take(in, (size_t)in->columns * sizeof *names);
  in->names = names;
  for (int i = 0; !in->failed && next_field(in, &line, &field); i++) {
    check_name(in, i, field);
    names[i] = in->failed ? NULL : copy(in, field);
  }
}

/* Room for one more row. */
static void reserve(reading *in) {
  if (in->rows >= WY_CSV_ROWS)
    refuse(in, "found more than %d rows", WY_CSV_ROWS);
  if (in->rows < in->capacity || in->failed)
    return;
  in->capacity = in->capacity ? 2 * in->capacity : 64;
  double *values = take(in, (size_t)in->capacity * (size_t)in->columns * sizeof *values);
  int *lines = take(in, (size_t)in->capacity * sizeof *lines);
  if (in->failed)
    return;
  if (in->rows > 0) {
    memcpy(values, in->values, (size_t)in->rows * (size_t)in->columns * sizeof *values);
    memcpy(lines, in->lines, (size_t)in->rows * sizeof *lines);
  }
  in->values = values;
  in->lines = lines;
}

static void read_row(reading *in, span line) {
  static const struct {
    char separator;
    const char *name;
  } separators[] = {{',', "commas"}, {';', "semicolons"}, {' ', "blanks or tabs"}};
  const char *by = "";
  for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++)
    by = separators[i].separator == in->separator ? separators[i].name : by;
  reserve(in);
  double *row = in->failed ? NULL : in->values + (size_t)in->rows * (size_t)in->columns;
  span rest = line, field;
  const int count = count_fields(in, line);
  for (int i = 0; i < in->columns && !in->failed && next_field(in, &rest, &field); i++)
    row[i] = read_field(in, i, field);
  if (count != in->columns)
    refuse(in, "found %d field%s; expected %d, separated by %s as in the lines before", count, count == 1 ? "" : "s",
           in->columns, by);
  if (!in->failed)
    in->lines[in->rows++] = in->line;
}

static void read_first(reading *in, span line) {
  span rest = line, field;
  in->separator = separator_of(line);
  in->columns = count_fields(in, line);
  if (in->columns > WY_CSV_COLUMNS) {
    refuse(in, "found %d columns; expected at most %d", in->columns, WY_CSV_COLUMNS);
    return;
  }
  next_field(in, &rest, &field);
  if (field.length == 0 || is_number(field) || is_not_finite(field) || has_decimal_comma(in, field))
    read_row(in, line);
  else
    read_names(in, line);
}

const wy_csv *wy_csv_read(wy_pool *pool, const char *text, size_t size, wy_yaml_error *error) {
  reading in = {.pool = pool, .error = error, .at = text, .end = text + size};
  span line;
  *error = (wy_yaml_error){.line = 0};
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    in.at += 3;
  if (next_line(&in, &line))
    read_first(&in, line);
  while (!in.failed && next_line(&in, &line))
    read_row(&in, line);
  if (!in.failed && in.rows == 0)
    refuse(&in, in.columns > 0 ? "found names of columns alone; expected rows of numbers below them"
                               : "found no numbers; expected rows of numbers");
  wy_csv *out = in.failed ? NULL : take(&in, sizeof *out);
  if (out)
    *out = (wy_csv){.columns = in.columns, .rows = in.rows, .names = in.names, .values = in.values, .lines = in.lines};
  return out;
}

/* ---- Files ---- */

const char *wy_csv_path(wy_pool *pool, const char *base, const char *name) {
  const char *slash = strrchr(base, '/');
  const size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - base) + 1, length = strlen(name);
  char *path = wy_pool_take(pool, folder + length + 1);
  if (!path)
    return NULL;
  memcpy(path, base, folder);
  memcpy(path + folder, name, length + 1);
  return path;
}

wy_status wy_csv_read_file(wy_pool *pool, const char *path, const wy_csv **out, char *reason, size_t size) {
  char *text;
  const char *why;
  size_t bytes;
  wy_yaml_error error;
  *out = NULL;
  wy_status status = wy_bytes_read(path, &text, &bytes, &why);
  if (status != WY_OK) {
    snprintf(reason, size, "%s: %s", path, why);
    return status;
  }
  if (bytes <= WY_YAML_BYTES)
    *out = wy_csv_read(pool, text, bytes, &error);
  free(text);
  if (bytes > WY_YAML_BYTES)
    snprintf(reason, size, "%s: found more than %d bytes; expected a smaller file", path, WY_YAML_BYTES);
  else if (!*out && error.line > 0)
    snprintf(reason, size, "%s:%d: %s", path, error.line, error.text);
  else if (!*out)
    snprintf(reason, size, "%s: %s", path, error.text);
  return *out ? WY_OK : pool->failed ? WY_ERROR_MEMORY : WY_ERROR_INPUT;
}
