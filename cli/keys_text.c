/* SPDX-License-Identifier: MIT */
/* The words in which all forms of the scenario reference speak of values. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/keys.h"

enum { FEW_WORDS = 36, SHORT_LINE = 70 }; /* characters of a list of words that may stand in a line with others */

/* ---- Values ---- */

static void add_range(const wy_key *key, wy_text *out) {
  const char *range = wy_schema_range(key);
  wy_text_add(out, "%s%s", range[0] ? " " : "", range);
}

/* In a sentence, or short for a line of the tree. */
static void add_variables(const wy_key *key, bool is_short, wy_text *out) {
  if (key->of)
    wy_text_add(out, is_short ? " (%s)" : ", may depend on %s", wy_schema_variables(key->of));
}

static void add_words(const wy_key *key, bool all, bool marked, wy_text *out) {
  const char *names[WY_SCHEMA_MOST];
  char list[600];
  int count = wy_schema_word_names(key, names);
  wy_schema_join(names, count, list, sizeof list);
  if (!all && strlen(list) > FEW_WORDS) {
    wy_text_add(out, "word");
    return;
  }
  for (int i = 0; i < count; i++)
    wy_text_add(out, "%s%s%s%s", i ? (marked ? ", " : " | ") : "", marked ? "`" : "", names[i], marked ? "`" : "");
}

static void add_whole(const wy_key *key, bool all, wy_text *out) {
  if (key->least == key->most)
    wy_text_add(out, "%d", key->least);
  else if (all)
    wy_text_add(out, "whole number from %d to %d", key->least, key->most);
  else
    wy_text_add(out, "whole number");
}

static void add_form(const wy_key *key, unsigned form, bool all, bool marked, wy_text *out) {
  switch (form) {
  case WY_FORM_NUMBER:
    wy_text_add(out, "number");
    add_range(key, out);
    add_variables(key, !all && !marked, out);
    break;
  case WY_FORM_WHOLE:
    add_whole(key, all, out);
    break;
  case WY_FORM_WORD:
  case WY_FORM_CHOICE:
    add_words(key, all, marked, out);
    break;
  case WY_FORM_TEXT:
    wy_text_add(out, "text");
    break;
  case WY_FORM_NAME:
    wy_text_add(out, "name");
    break;
  case WY_FORM_ROD:
    wy_text_add(out, "name of a rod");
    break;
  case WY_FORM_VECTOR:
    wy_text_add(out, "list of %d numbers", key->count);
    add_variables(key, !all && !marked, out);
    break;
  case WY_FORM_NUMBERS:
    wy_text_add(out, "list of numbers");
    add_range(key, out);
    break;
  case WY_FORM_RODS:
    wy_text_add(out, "list of names of rods");
    break;
  case WY_FORM_FILE:
    wy_text_add(out, "name of a file");
    break;
  case WY_FORM_NAMES:
    wy_text_add(out, "list of names");
    break;
  case WY_FORM_ROWS:
    wy_text_add(out, "list of rows of numbers");
    break;
  case WY_FORM_NAMED:
    if (key->mapping)
      wy_text_add(out, "mapping of names to %s", key->mapping->plural);
    else if (key->of)
      wy_text_add(out, "mapping of names to expressions of %s", wy_schema_variables(key->of));
    else
      wy_text_add(out, "mapping of names to numbers");
    break;
  case WY_FORM_BODY:
    wy_text_add(out, "name of a body");
    break;
  case WY_FORM_PLACES:
    wy_text_add(out, "list of places");
    break;
  case WY_FORM_MAPPING:
    wy_text_add(out, "mapping");
    break;
  default:
    wy_text_add(out, "list of %s", key->mapping->plural);
  }
}

/* Words come first: they are the simplest. */
void wy_keys_value(const wy_key *key, bool all, bool marked, wy_text *out) {
  const unsigned words = WY_FORM_WORD | WY_FORM_CHOICE;
  const char *between = marked ? "; or " : " | ";
  bool first = true;
  for (int turn = 0; turn < 2; turn++)
    for (unsigned form = 1; form <= WY_FORM_LIST; form <<= 1) {
      if (!(key->forms & form) || ((form & words) != 0) != (turn == 0))
        continue;
      wy_text_add(out, "%s", first ? "" : between);
      add_form(key, form, all, marked, out);
      first = false;
    }
}

const char *wy_keys_default(const wy_key *key) {
  return key->required ? "required" : key->fallback;
}

/* ---- When a key counts ---- */

static unsigned all_analyses(void) {
  unsigned all = 0;
  for (const wy_word *word = wy_schema_analyses; word->name; word++)
    all |= 1U << word->value;
  return all;
}

static void add_analyses(const wy_key *key, wy_text *out) {
  int count = 0;
  if (key->analyses == (all_analyses() & ~(1U << WY_DYNAMICS))) {
    wy_text_add(out, "equilibria: all analyses but `dynamics`, and `from: statics`");
    return;
  }
  for (const wy_word *word = wy_schema_analyses; word->name; word++)
    if (key->analyses & 1U << word->value)
      wy_text_add(out, "%s`%s`", count++ ? " and " : "", word->name);
}

void wy_keys_condition(const wy_mapping *mapping, const wy_key *key, wy_text *out) {
  const bool is_with = key->with[0] != NULL, is_for = key->analyses && key->analyses != all_analyses();
  if (is_with || is_for)
    wy_text_add(out, "Only ");
  if (is_with)
    wy_text_add(out, "with `%s: %s`", mapping->selector, key->with[0]);
  for (int i = 1; i < WY_SCHEMA_WITH && key->with[i]; i++)
    wy_text_add(out, "%s`%s`", i + 1 < WY_SCHEMA_WITH && key->with[i + 1] ? ", " : " or ", key->with[i]);
  if (is_for) {
    wy_text_add(out, is_with ? ", for " : "for ");
    add_analyses(key, out);
  }
  if (is_with || is_for)
    wy_text_add(out, ".");
  if (key->steps != WY_ANY_STEPS)
    wy_text_add(out, "%sNot for dynamics with %s.", is_with || is_for ? " " : "",
                key->steps == WY_FIXED_STEPS ? "error control" : "fixed steps");
}

/* ---- Examples and links ---- */

void wy_keys_step(const wy_mapping *mapping, char *out, size_t size) {
  const char *point = mapping->named ? NULL : strrchr(mapping->path, '.');
  snprintf(out, size, "%s", point ? point + 1 : mapping->path);
  out[strcspn(out, mapping->named ? "." : "[")] = '\0';
}

/* The lines of a block, those of a list entry behind a dash. */
static void add_block(const wy_mapping *mapping, const wy_example *example, wy_text *out) {
  const char *indent = mapping->plural ? "  - " : "";
  for (const char *line = example->text; *line;) {
    size_t length = strcspn(line, "\n") + 1;
    wy_text_add(out, "%s%.*s", indent, (int)length, line);
    line += length;
    indent = mapping->plural ? "    " : "";
  }
}

/* A note stands behind a short example, or else above it. */
void wy_keys_example(const char *step, const wy_mapping *mapping, const wy_example *example, wy_text *out) {
  const char *note = example->note, *indent = mapping->plural ? "  " : "";
  const bool is_block = example->text[0] != '{';
  const bool is_behind = note && !is_block && strlen(step) + strlen(example->text) + strlen(note) < SHORT_LINE;
  if (note && is_block)
    wy_text_add(out, "# %s\n", note);
  if (mapping->plural)
    wy_text_add(out, "%s:\n", step);
  if (is_block) {
    add_block(mapping, example, out);
    return;
  }
  if (note && !is_behind)
    wy_text_add(out, "%s# %s\n", indent, note);
  const char *entry = mapping->named ? mapping->named : mapping->plural ? "-" : step;
  wy_text_add(out, "%s%s%s%s", indent, entry, entry[0] == '-' ? " " : ": ", example->text);
  wy_text_add(out, "%s%s\n", is_behind ? "  # " : "", is_behind ? note : "");
}

void wy_keys_slug(const wy_mapping *mapping, char *out, size_t size) {
  size_t used = 0;
  for (const char *c = mapping->what; *c && used + 1 < size; c++)
    if (isalnum((unsigned char)*c))
      out[used++] = (char)tolower((unsigned char)*c);
    else if (*c == ' ')
      out[used++] = '-';
  out[used] = '\0';
}
