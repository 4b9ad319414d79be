/* SPDX-License-Identifier: MIT */
#include "run/results/json.h"

#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, or 0 where there is none: a damaged text must not damage the document. */
static int utf8_length(const unsigned char *s) {
  if (s[0] < 0x80)
    return 1;
  int length = s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
  for (int i = 1; i < length; ++i)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
  bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
  return overlong || outside ? 0 : length;
}

static void add_quoted(wy_text *text, const char *value) {
  wy_text_append(text, "\"", 1);
  for (const unsigned char *s = (const unsigned char *)value; *s;) {
    int length = utf8_length(s);
    if (length == 0) {
      wy_text_add(text, "\\ufffd");
      ++s;
      continue;
    }
    if (*s == '"' || *s == '\\')
      wy_text_add(text, "\\%c", *s);
    else if (*s == '\n')
      wy_text_add(text, "\\n");
    else if (*s == '\t')
      wy_text_add(text, "\\t");
    else if (*s < 0x20 || *s == 0x7F)
      wy_text_add(text, "\\u%04x", *s);
    else
      wy_text_append(text, (const char *)s, (size_t)length);
    s += length;
  }
  wy_text_append(text, "\"", 1);
}

static void add_line(wy_json *json) {
  if (!json->dense)
    wy_text_add(json->text, "\n%*s", 2 * json->depth, "");
}

/* Comma, line break and key: what stands before a value. */
static void begin_value(wy_json *json, const char *key) {
  if (json->filled)
    wy_text_append(json->text, ",", 1);
  if (json->depth > 0)
    add_line(json);
  if (key) {
    add_quoted(json->text, key);
    wy_text_append(json->text, ": ", json->dense ? 1 : 2);
  }
  json->filled = true;
}

static void open_bracket(wy_json *json, const char *key, const char *bracket) {
  begin_value(json, key);
  wy_text_append(json->text, bracket, 1);
  json->depth += 1;
  json->filled = false;
}

static void close_bracket(wy_json *json, const char *bracket) {
  json->depth -= 1;
  if (json->filled)
    add_line(json);
  wy_text_append(json->text, bracket, 1);
  if (json->depth == 0 && !json->dense)
    wy_text_append(json->text, "\n", 1);
  json->filled = true;
}

/* Whatever cannot be compared gives way to what can. */
static void fold_number(wy_json_fold *fold, const char *key, double value) {
  if (fold->place >= WY_JSON_FOLDED)
    return;
  wy_json_folded *number = &fold->numbers[fold->place++];
  const bool first = fold->place > fold->count;
  if (first)
    *number = (wy_json_folded){fold->object, key, NAN, NAN, fold->of}, fold->count = fold->place;
  if (!isfinite(value))
    return;
  number->least = fmin(number->least, value); /* of NAN and a number, the number */
  if (isnan(number->largest) || value > number->largest)
    number->largest = value, number->of = fold->of;
}

void wy_json_fold_next(wy_json_fold *fold) {
  fold->of += fold->count > 0;
  fold->place = 0;
}

void wy_json_minmax(wy_json *json, const wy_json_folded *number, const char *name) {
  wy_json_object(json, number->key);
  wy_json_number(json, "min", number->least);
  wy_json_number(json, "max", number->largest);
  wy_json_string(json, "rod", name);
  wy_json_end_object(json);
}

void wy_json_object(wy_json *json, const char *key) {
  if (json->fold) {
    json->fold->object = key;
    return;
  }
  open_bracket(json, key, "{");
}

void wy_json_end_object(wy_json *json) {
  if (json->fold) {
    json->fold->object = NULL;
    return;
  }
  close_bracket(json, "}");
}

void wy_json_list(wy_json *json, const char *key) {
  open_bracket(json, key, "[");
}

void wy_json_end_list(wy_json *json) {
  close_bracket(json, "]");
}

void wy_json_string(wy_json *json, const char *key, const char *value) {
  if (json->fold)
    return;
  begin_value(json, key);
  add_quoted(json->text, value);
}

void wy_json_boolean(wy_json *json, const char *key, bool value) {
  begin_value(json, key);
  wy_text_add(json->text, value ? "true" : "false");
}

void wy_json_integer(wy_json *json, const char *key, long long value) {
  if (json->fold) {
    fold_number(json->fold, key, (double)value);
    return;
  }
  begin_value(json, key);
  wy_text_add(json->text, "%lld", value);
}

void wy_json_number(wy_json *json, const char *key, double value) {
  if (json->fold) {
    fold_number(json->fold, key, value);
    return;
  }
  begin_value(json, key);
  if (isfinite(value))
    wy_text_add(json->text, "%.17g", value);
  else
    wy_text_add(json->text, "null");
}

void wy_json_raw(wy_json *json, const char *key, const wy_text *value) {
  begin_value(json, key);
  wy_text_append(json->text, value->data ? value->data : "", value->length);
}
