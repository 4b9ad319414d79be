/* SPDX-License-Identifier: MIT */
/* The scenario reference as a JSON Schema (draft 2020-12), for editors: one definition per mapping. It accepts all that
   the reader accepts, and a little more: expressions are texts, and what keys have to do with each other is known where
   one word decides. */
#include <stdio.h>
#include <string.h>

#include "cli/keys.h"
#include "run/results/json.h"

/* ---- Forms of values ---- */

static void add_types(wy_json *json, const char *first, const char *second) {
  wy_json_list(json, "type");
  wy_json_string(json, NULL, first);
  wy_json_string(json, NULL, second);
  wy_json_end_list(json);
}

static void add_reference(wy_json *json, const wy_mapping *mapping) {
  char slug[64], reference[80];
  wy_keys_slug(mapping, slug, sizeof slug);
  snprintf(reference, sizeof reference, "#/$defs/%s", slug);
  wy_json_string(json, "$ref", reference);
}

static void add_sign(wy_json *json, const wy_key *key) {
  if (key->sign == WY_POSITIVE)
    wy_json_integer(json, "exclusiveMinimum", 0);
  else if (key->sign == WY_NOT_NEGATIVE)
    wy_json_integer(json, "minimum", 0);
}

/* Texts are expressions. */
static void add_number(wy_json *json, const wy_key *key) {
  add_types(json, "number", "string");
  add_sign(json, key);
}

static void add_row(wy_json *json, const wy_key *key) {
  wy_json_string(json, "type", "array");
  wy_json_object(json, "items");
  add_number(json, key);
  wy_json_end_object(json);
}

/* A text, or a mapping. */
static void add_place(wy_json *json, const wy_key *key) {
  wy_json_list(json, "anyOf");
  wy_json_object(json, NULL);
  wy_json_string(json, "type", "string");
  wy_json_end_object(json);
  wy_json_object(json, NULL);
  add_reference(json, key->mapping);
  wy_json_end_object(json);
  wy_json_end_list(json);
}

static void add_list(wy_json *json, const wy_key *key, unsigned form) {
  add_types(json, "array", "null");
  const int least = form == WY_FORM_VECTOR ? key->count : form == WY_FORM_RODS ? 1 : key->least;
  if (least && form != WY_FORM_NUMBERS)
    wy_json_integer(json, "minItems", least);
  const int most = form == WY_FORM_VECTOR ? key->count : form == WY_FORM_PLACES ? key->most : 0;
  if (most)
    wy_json_integer(json, "maxItems", most);
  wy_json_object(json, "items");
  if (form == WY_FORM_LIST)
    add_reference(json, key->mapping);
  else if (form == WY_FORM_NAMES)
    add_types(json, "string", "number");
  else if (form == WY_FORM_ROWS)
    add_row(json, key);
  else if (form == WY_FORM_PLACES)
    add_place(json, key);
  else
    add_number(json, key);
  wy_json_end_object(json);
}

static void add_form(wy_json *json, const wy_key *key, unsigned form) {
  switch (form) {
  case WY_FORM_NUMBER:
    add_number(json, key);
    break;
  case WY_FORM_WHOLE:
    add_types(json, "integer", "string");
    wy_json_integer(json, "minimum", key->least);
    wy_json_integer(json, "maximum", key->most);
    break;
  case WY_FORM_TEXT:
  case WY_FORM_NAME:
  case WY_FORM_ROD:
  case WY_FORM_BODY:
  case WY_FORM_FILE:
    add_types(json, "string", "number");
    break;
  case WY_FORM_NAMED:
    add_types(json, "object", "null");
    wy_json_object(json, "additionalProperties");
    if (key->mapping)
      add_reference(json, key->mapping);
    else
      add_number(json, key);
    wy_json_end_object(json);
    break;
  case WY_FORM_MAPPING:
    add_reference(json, key->mapping);
    break;
  default:
    add_list(json, key, form);
  }
}

/* ---- Words ---- */

/* Without the marks of code. */
static void add_plain(wy_json *json, const char *name, const char *text, const char *more) {
  char plain[1000];
  size_t used = 0;
  for (int part = 0; part < 2; part++)
    for (const char *c = part ? more : text; c && *c && used + 1 < sizeof plain; c++)
      if (*c != '`')
        plain[used++] = *c;
  plain[used] = '\0';
  wy_json_string(json, name, plain);
}

static void add_word(wy_json *json, const wy_key *key, const wy_word *word, const char *name) {
  char meaning[200];
  wy_schema_meaning(word, meaning, sizeof meaning);
  wy_json_object(json, NULL);
  if (key->forms & WY_FORM_CHOICE)
    wy_json_boolean(json, "const", word->value != 0);
  else
    wy_json_string(json, "const", name);
  add_plain(json, "description", meaning, NULL);
  wy_json_end_object(json);
}

static void add_words(wy_json *json, const wy_key *key) {
  wy_word word;
  for (int i = 0; wy_schema_word_at(key, i, &word); i++) {
    add_word(json, key, &word, word.name);
    if (word.other)
      add_word(json, key, &word, word.other);
  }
}

/* ---- Keys ---- */

/* "Radius. Unit: m. Default: ... Only with ..." */
static void add_description(wy_json *json, const wy_mapping *mapping, const wy_key *key) {
  wy_text more = {0};
  char unit[64];
  wy_schema_unit(key, unit, sizeof unit);
  if (unit[0])
    wy_text_add(&more, " Unit: %s.", unit);
  if (!key->required)
    wy_text_add(&more, " Default: %s.", key->fallback);
  wy_text_add(&more, " ");
  wy_keys_condition(mapping, key, &more);
  if (more.data[more.length - 1] == ' ')
    more.data[more.length - 1] = '\0';
  add_plain(json, "description", key->meaning, more.data);
  wy_text_free(&more);
}

static void add_key(wy_json *json, const wy_mapping *mapping, const wy_key *key) {
  const unsigned words = WY_FORM_WORD | WY_FORM_CHOICE, others = key->forms & ~words;
  const bool is_single = !(key->forms & words) && !(others & (others - 1));
  wy_json_object(json, key->name);
  add_description(json, mapping, key);
  if (is_single) {
    add_form(json, key, others);
  } else {
    wy_json_list(json, "anyOf");
    add_words(json, key);
    for (unsigned form = 1; form <= WY_FORM_LIST; form <<= 1) {
      if (!(others & form))
        continue;
      wy_json_object(json, NULL);
      add_form(json, key, form);
      wy_json_end_object(json);
    }
    wy_json_end_list(json);
  }
  wy_json_end_object(json);
}

/* ---- Mappings ---- */

/* The required keys that go with a word of the selector, or with all (NULL). */
static void add_required(wy_json *json, const wy_mapping *mapping, const char *word) {
  int count = 0;
  for (const wy_key *key = mapping->keys; key->name; key++) {
    const bool counts = key->required && (word ? key->with[0] && wy_schema_goes_with(key, word) : !key->with[0]);
    if (counts && !count++)
      wy_json_list(json, "required");
    if (counts)
      wy_json_string(json, NULL, key->name);
  }
  if (count)
    wy_json_end_list(json);
}

/* "If the selector has this word, these keys are required and those not possible." */
static void add_case(wy_json *json, const wy_mapping *mapping, const wy_word *word) {
  wy_json_object(json, NULL);
  wy_json_object(json, "if");
  wy_json_object(json, "properties");
  wy_json_object(json, mapping->selector);
  wy_json_string(json, "const", word->name);
  wy_json_end_object(json);
  wy_json_end_object(json);
  wy_json_list(json, "required");
  wy_json_string(json, NULL, mapping->selector);
  wy_json_end_list(json);
  wy_json_end_object(json);
  wy_json_object(json, "then");
  add_required(json, mapping, word->name);
  wy_json_object(json, "properties");
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (!wy_schema_goes_with(key, word->name))
      wy_json_boolean(json, key->name, false);
  wy_json_end_object(json);
  wy_json_end_object(json);
  wy_json_end_object(json);
}

static void add_body(wy_json *json, const wy_mapping *mapping) {
  add_plain(json, "description", mapping->summary, NULL);
  add_types(json, "object", "null");
  wy_json_boolean(json, "additionalProperties", false);
  add_required(json, mapping, NULL);
  wy_json_object(json, "properties");
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (!key->later) /* an older spelling is accepted, too */
      add_key(json, mapping, key);
  wy_json_end_object(json);
  if (mapping->strict) {
    wy_json_list(json, "allOf");
    wy_word word;
    for (int i = 0; wy_schema_word_at(wy_schema_key(mapping, mapping->selector), i, &word); i++)
      add_case(json, mapping, &word);
    wy_json_end_list(json);
  }
}

static void add_mapping(const wy_mapping *mapping, void *context) {
  char slug[64];
  if (mapping == &wy_schema_top)
    return;
  wy_keys_slug(mapping, slug, sizeof slug);
  wy_json_object(context, slug);
  add_body(context, mapping);
  wy_json_end_object(context);
}

void wy_keys_json_schema(wy_text *out) {
  wy_json json = {.text = out};
  wy_json_object(&json, NULL);
  wy_json_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  wy_json_string(&json, "title", "Scenario of withy, format 1");
  add_body(&json, &wy_schema_top);
  wy_json_object(&json, "$defs");
  wy_schema_walk(add_mapping, &json);
  wy_json_end_object(&json);
  wy_json_end_object(&json);
}
