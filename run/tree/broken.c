/* SPDX-License-Identifier: MIT */
#include "run/tree/broken.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, BEFORE = 60 }; /* of a line that is shown, and how much of it stands before the caret at most */

/* What is behind the usual complaints of the parser. */
static const char *hint(const char *complaint) {
  static const char *const hints[][2] = {
      {"invalid multiline plain key", "is a colon missing, or the indentation wrong?"},
      {"invalid nested block mapping", "text with a colon in it needs quotes"},
      {"expected '-' indicator", "is the indentation wrong?"},
      {"trailing content after", "quotes go around the whole text"},
      {"quoted scalar", "is the quote closed?"},
      {"plain scalar cannot start with", "text that begins like this needs quotes"},
  };
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (strstr(complaint, hints[i][0]))
      return hints[i][1];
  return NULL;
}

static const char *line_start(const char *text, int line) {
  for (; line > 1 && text; line--) {
    text = strchr(text, '\n');
    text = text ? text + 1 : NULL;
  }
  return text;
}

static bool is_continuation(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

wy_yaml_place wy_broken_last(const char *text, wy_yaml_place at) {
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1]))
    length--;
  wy_yaml_place end = {1, 1};
  for (size_t i = 0; i < length; i++) {
    end.line += text[i] == '\n';
    end.column = text[i] == '\n' ? 1 : end.column + !is_continuation(text[i]);
  }
  return at.line > end.line ? end : at;
}

static size_t length_of_line(const char *line) {
  return strcspn(line, "\r\n");
}

/* The byte of a character. */
static size_t offset_of(const char *line, int column) {
  size_t length = length_of_line(line), at = 0;
  for (int k = 1; k < column && at < length; k++)
    do
      at++;
    while (at < length && is_continuation(line[at]));
  return at;
}

void wy_broken_line(const char *text, wy_yaml_place place, char *out, size_t size) {
  const char *line = line_start(text, place.line);
  if (!line)
    return;
  size_t length = length_of_line(line), at = offset_of(line, place.column), from = at > BEFORE ? at - BEFORE : 0, to;
  while (from > 0 && is_continuation(line[from]))
    from--;
  to = length - from > WIDTH ? from + WIDTH : length;
  while (to < length && is_continuation(line[to]))
    to--;
  size_t used = strlen(out);
  used += (size_t)snprintf(out + used, size - used, "%5d | %s%.*s%s\n", place.line, from > 0 ? "..." : "",
                           (int)(to - from), line + from, to < length ? "..." : "");
  if (place.column < 1 || used + (at - from) + 16 > size)
    return;
  used += (size_t)snprintf(out + used, size - used, "      | %s", from > 0 ? "   " : "");
  for (size_t i = from; i < at; i++)
    if (!is_continuation(line[i]))
      out[used++] = line[i] == '\t' ? '\t' : ' ';
  snprintf(out + used, size - used, "^\n");
}

/* A bracket that is still open where a line ends is the likely culprit, wherever the parser stumbles. */
static void ask_for_bracket(const char *text, wy_yaml_place at, wy_yaml_place open, char *out, size_t size) {
  const char *line = line_start(text, open.line), *last = line_start(text, at.line);
  out[0] = '\0';
  if (open.line == 0 || !line || !last)
    return;
  const char bracket = line[offset_of(line, open.column)];
  if (open.line < at.line)
    snprintf(out, size, "; is the '%c' of line %d closed?", bracket, open.line);
  else if (offset_of(last, at.column) == length_of_line(last))
    snprintf(out, size, "; is the '%c' closed?", bracket);
}

void wy_yaml_broken(const char *text, const char *complaint, wy_yaml_place at, wy_yaml_place open,
                    wy_yaml_error *error) {
  const char *help = hint(complaint);
  const bool goes_on = strstr(complaint, "multiline") != NULL; /* the place is where the key begins */
  const char *where = !strchr(text, '\n') ? "" : goes_on ? " in this line or the next" : " in or before this line";
  char bracket[80];
  at = wy_broken_last(text, at);
  ask_for_bracket(text, at, open, bracket, sizeof bracket);
  error->line = at.line;
  snprintf(error->text, sizeof error->text, "broken YAML%s: %.200s%s%s%s", where, complaint, bracket,
           help && !bracket[0] ? "; " : "", help && !bracket[0] ? help : "");
  error->excerpt[0] = '\0';
  if (open.line > 0 && open.line < at.line)
    wy_broken_line(text, open, error->excerpt, sizeof error->excerpt);
  wy_broken_line(text, at, error->excerpt, sizeof error->excerpt);
  if (goes_on)
    wy_broken_line(text, (wy_yaml_place){at.line + 1, 0}, error->excerpt, sizeof error->excerpt);
}
