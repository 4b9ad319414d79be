/* SPDX-License-Identifier: MIT */
/* What is asked of the schema: keys by name, words, and how values are called in messages and tables. */
#include "run/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "run/tree/yaml.h"

/* ---- Keys and words ---- */

const wy_key *wy_schema_key(const wy_mapping *mapping, const char *name) {
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (strcmp(key->name, name) == 0)
      return key;
  return NULL;
}

bool wy_schema_word_at(const wy_key *key, int index, wy_word *word) {
  int own = 0;
  for (; key->words && key->words[own].name; own++)
    if (own == index) {
      *word = key->words[own];
      return true;
    }
  return key->more_words && key->more_words(index - own, word);
}

bool wy_schema_word(const wy_key *key, const char *name, wy_word *word) {
  for (int i = 0; wy_schema_word_at(key, i, word); i++)
    if (strcmp(word->name, name) == 0 || (word->other && strcmp(word->other, name) == 0))
      return true;
  return false;
}

void wy_schema_meaning(const wy_word *word, char *out, size_t size) {
  const wy_integrator_info *info = word->integrator;
  char orders[32] = "";
  if (!info) {
    const bool has_unit = word->unit && strcmp(word->unit, "1") != 0;
    snprintf(out, size, "%s%s%s", word->meaning, has_unit ? "; in " : "", has_unit ? word->unit : "");
    return;
  }
  if (info->lowest_order == info->highest_order)
    snprintf(orders, sizeof orders, "order %d", info->highest_order);
  else
    snprintf(orders, sizeof orders, "orders %d to %d", info->lowest_order, info->highest_order);
  snprintf(out, size, "%s, %s, %s; %s", orders, info->fixed_step ? "fixed steps" : "error control", info->family,
           word->meaning);
}

bool wy_schema_goes_with(const wy_key *key, const char *word) {
  bool found = !key->with[0];
  for (int i = 0; i < WY_SCHEMA_WITH; i++)
    found = found || (key->with[i] && strcmp(key->with[i], word) == 0);
  return found;
}

const wy_example *wy_schema_example(const wy_mapping *mapping, const char *key) {
  const wy_example *found = NULL;
  for (const wy_example *example = mapping->examples; example->text && !found; example++) {
    wy_pool pool = {0};
    wy_yaml_error error;
    if (wy_yaml_find(wy_yaml_read(&pool, example->text, &error), key))
      found = example;
    wy_pool_release(&pool);
  }
  return found;
}

int wy_schema_names(const wy_mapping *mapping, const char *word, const char *names[WY_SCHEMA_MOST]) {
  int count = 0;
  for (const wy_key *key = mapping->keys; key->name && count < WY_SCHEMA_MOST; key++)
    if (wy_schema_is_listed(key) && (!word || wy_schema_goes_with(key, word)))
      names[count++] = key->name;
  return count;
}

int wy_schema_word_names(const wy_key *key, const char *names[WY_SCHEMA_MOST]) {
  wy_word word;
  int count = 0;
  for (; count < WY_SCHEMA_MOST && wy_schema_word_at(key, count, &word); count++)
    names[count] = word.name;
  return count;
}

/* ---- The tree ---- */

bool wy_schema_is_home(const wy_mapping *above, const wy_key *key) {
  char path[200];
  snprintf(path, sizeof path, "%.100s%s%.60s%s", above->path, above->path[0] ? "." : "", key->name,
           key->forms & (WY_FORM_LIST | WY_FORM_PLACES) ? "[]"
           : key->forms & WY_FORM_NAMED                 ? ".NAME"
                                                        : "");
  return key->mapping && strcmp(key->mapping->path, path) == 0;
}

static void walk(const wy_mapping *mapping, void (*visit)(const wy_mapping *, void *), void *context) {
  visit(mapping, context);
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (wy_schema_is_home(mapping, key))
      walk(key->mapping, visit, context);
}

void wy_schema_walk(void (*visit)(const wy_mapping *mapping, void *context), void *context) {
  walk(&wy_schema_top, visit, context);
}

/* ---- What values are called ---- */

static void add(char *out, size_t size, const char *text) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "%s", text);
}

void wy_schema_join(const char *const *names, int count, char *out, size_t size) {
  out[0] = '\0';
  for (int i = 0; i < count; i++) {
    add(out, size, i ? ", " : "");
    add(out, size, names[i]);
  }
}

void wy_schema_unit(const wy_key *key, char *out, size_t size) {
  const char *unit = key->unit ? key->unit : "";
  if (key->beside.key)
    snprintf(out, size, "%s, with `%s` %s", unit, key->beside.key, key->beside.unit);
  else
    snprintf(out, size, "%s", unit);
}

const char *wy_schema_range(const wy_key *key) {
  const char *sign = key->sign == WY_POSITIVE ? "> 0" : key->sign == WY_NOT_NEGATIVE ? ">= 0" : "";
  return key->range ? key->range : sign;
}

const char *wy_schema_variables(unsigned variables) {
  if (variables & WY_X)
    return "t, x, y and z";
  if (variables & WY_ROD)
    return "i, u and n";
  return variables == WY_ARC ? "s" : variables == WY_TIME ? "t" : "s and t";
}

static void keys_text(const wy_mapping *mapping, char *out, size_t size) {
  const char *names[WY_SCHEMA_MOST];
  char list[512];
  wy_schema_join(names, wy_schema_names(mapping, NULL, names), list, sizeof list);
  snprintf(out, size, "a mapping with the key%s %s", mapping->keys[1].name ? "s" : "", list);
}

static void number_text(const wy_key *key, char *out, size_t size) {
  const char *range = wy_schema_range(key);
  snprintf(out, size, "a number%s%s", range[0] ? " " : "", range);
  if (key->of) {
    add(out, size, " or an expression of ");
    add(out, size, wy_schema_variables(key->of));
  }
}

static void words_text(const wy_key *key, char *out, size_t size) {
  const char *names[WY_SCHEMA_MOST];
  char list[512];
  wy_schema_join(names, wy_schema_word_names(key, names), list, sizeof list);
  snprintf(out, size, "one of %s", list);
}

/* Of one form. */
static void form_text(const wy_key *key, unsigned form, char *out, size_t size) {
  char keys[600];
  switch (form) {
  case WY_FORM_NUMBER:
    number_text(key, out, size);
    break;
  case WY_FORM_WHOLE:
    snprintf(out, size, "a whole number from %d to %d", key->least, key->most);
    break;
  case WY_FORM_WORD:
  case WY_FORM_CHOICE:
    words_text(key, out, size);
    break;
  case WY_FORM_TEXT:
    snprintf(out, size, "a line of text");
    break;
  case WY_FORM_NAME:
    snprintf(out, size, "a name");
    break;
  case WY_FORM_ROD:
    snprintf(out, size, "the name of a rod");
    break;
  case WY_FORM_VECTOR:
    snprintf(out, size, "a list of %d numbers%s", key->count, key->of ? " or expressions" : "");
    break;
  case WY_FORM_NUMBERS:
    snprintf(out, size, "a list of numbers %s", wy_schema_range(key));
    break;
  case WY_FORM_RODS:
    snprintf(out, size, "a list of names of rods");
    break;
  case WY_FORM_FILE:
    snprintf(out, size, "the name of a file with columns of numbers");
    break;
  case WY_FORM_NAMES:
    snprintf(out, size, "a list of names");
    break;
  case WY_FORM_ROWS:
    snprintf(out, size, "a list of rows, each a list of numbers");
    break;
  case WY_FORM_NAMED:
    snprintf(out, size, "a mapping of names to %s",
             key->mapping ? key->mapping->plural
             : key->of    ? "expressions of t"
                          : "numbers");
    break;
  case WY_FORM_BODY:
    snprintf(out, size, "the name of a body");
    break;
  case WY_FORM_PLACES:
    snprintf(out, size, "a list of places");
    break;
  case WY_FORM_MAPPING:
    keys_text(key->mapping, out, size);
    break;
  default:
    keys_text(key->mapping, keys, sizeof keys);
    snprintf(out, size, "a list of %s, each %s", key->mapping->plural, keys);
  }
}

/* Of an entry of a list, or of a mapping of one's own names. */
static void entry_text(const wy_key *key, char *out, size_t size) {
  char text[640];
  if ((key->forms & WY_FORM_LIST) || ((key->forms & WY_FORM_NAMED) && key->mapping)) {
    keys_text(key->mapping, text, sizeof text);
    snprintf(out, size, "%s: %s", key->mapping->what, text);
  } else if (key->forms & WY_FORM_PLACES) {
    snprintf(out, size, "ROD.start, ROD.end, BODY, ground, or a mapping with rod and at, body and point, or ground");
  } else if (key->forms & WY_FORM_NAMES) {
    snprintf(out, size, "a name");
  } else if (key->forms & WY_FORM_RODS) {
    snprintf(out, size, "the name of a rod");
  } else if ((key->forms & WY_FORM_NAMED) && key->of) {
    snprintf(out, size, "an expression of %s", wy_schema_variables(key->of));
  } else {
    number_text(key, out, size);
    if (key->words) {
      words_text(key, text, sizeof text);
      add(out, size, ", or ");
      add(out, size, text);
    }
  }
}

void wy_schema_expected(const wy_key *key, bool entry, char *out, size_t size) {
  out[0] = '\0';
  if (entry) {
    entry_text(key, out, size);
  } else if (key->expected) {
    snprintf(out, size, "%s", key->expected);
  } else {
    for (unsigned form = 1; form <= WY_FORM_LIST; form <<= 1) {
      char text[700];
      if (!(key->forms & form))
        continue;
      form_text(key, form, text, sizeof text);
      add(out, size, out[0] ? ", or " : "");
      add(out, size, text);
    }
  }
}
