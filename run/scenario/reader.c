/* SPDX-License-Identifier: MIT */
/* Messages, structure and words of the scenario reader; numbers and expressions: numbers.c. */
#include "run/scenario/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/tree/suggest.h"

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
  r->status = WY_ERROR_INPUT;
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

/* ---- Memory ---- */

void wy_read_no_memory(wy_reader *r) {
  if (r->failed)
    return;
  r->failed = true;
  r->status = WY_ERROR_MEMORY;
  snprintf(r->error->text, sizeof r->error->text, "%s: out of memory", r->label);
}

void *wy_read_take(wy_reader *r, size_t bytes) {
  void *taken = wy_pool_take(r->pool, bytes);
  if (!taken)
    wy_read_no_memory(r);
  return taken;
}

const char *wy_read_copy(wy_reader *r, const char *text, size_t length) {
  const char *copy = wy_pool_copy(r->pool, text, length);
  if (!copy)
    wy_read_no_memory(r);
  return copy ? copy : "";
}

/* ---- The schema of a node ---- */

static const wy_key *key_of(const wy_node *node);

/* An entry of a list, or of a mapping of one's own names, has the key of the whole. Keys of such an entry, where it is
   a mapping itself, are no entries. */
static bool is_entry(const wy_node *node, const wy_key *of_parent) {
  const wy_node *whole = node->parent;
  return whole->kind == WY_LIST ||
         ((of_parent->forms & WY_FORM_NAMED) && !(whole->parent && key_of(whole->parent) == of_parent));
}

/* NULL for what the schema does not know. */
static const wy_key *key_of(const wy_node *node) {
  if (!node->parent)
    return node->schema ? node->schema : &wy_schema_root;
  const wy_key *above = key_of(node->parent);
  if (!above || is_entry(node, above))
    return above;
  return above->mapping ? wy_schema_key(above->mapping, node->key) : NULL;
}

static bool is_entry_of(const wy_node *node, const wy_key *key) {
  return key && node->parent && key_of(node->parent) == key && is_entry(node, key);
}

const wy_key *wy_read_key(const wy_node *node, bool *entry) {
  const wy_key *key = key_of(node);
  if (entry)
    *entry = is_entry_of(node, key);
  return key;
}

/* "; did you mean 'radius' (half of it)?", or nothing. */
static void add_suggestion(const char *word, const char *const *names, int count, char *out, size_t size) {
  const char *close = wy_suggest(word, names, count);
  const char *remark = close ? wy_suggest_remark(word, close) : "";
  const size_t used = strlen(out);
  if (close)
    snprintf(out + used, size - used, "; did you mean '%s'%s%s%s?", close, remark[0] ? " (" : "", remark,
             remark[0] ? ")" : "");
}

/* Likewise, of the words that the schema has at a node. */
static void suggest_word(const wy_node *node, char *out, size_t size) {
  const char *names[WY_SCHEMA_MOST];
  const wy_key *key = key_of(node);
  if (key && key->words && node->kind == WY_SCALAR)
    add_suggestion(node->text, names, wy_schema_word_names(key, names), out, size);
}

void wy_read_say_expected(const wy_node *node, bool whole, char *out, size_t size) {
  const wy_key *key = key_of(node);
  if (whole)
    wy_schema_expected(key, is_entry_of(node, key), out, size);
  suggest_word(node, out, size);
}

void wy_read_refuse(wy_reader *r, const wy_node *node) {
  char text[768];
  wy_read_say_expected(node, true, text, sizeof text);
  wy_read_expected(r, node, "%s", text);
}

/* ---- Structure ---- */

static void refuse_key(wy_reader *r, const wy_node *child, const wy_mapping *mapping) {
  const char *names[WY_SCHEMA_MOST];
  int count = wy_schema_names(mapping, NULL, names);
  char list[512], suggestion[160] = "";
  wy_schema_join(names, count, list, sizeof list);
  add_suggestion(child->key, names, count, suggestion, sizeof suggestion);
  wy_read_fail(r, child, "found an unknown key%s%s expected one of %s", suggestion, suggestion[0] ? "" : ";", list);
}

/* A key that belongs to another word of the selector. */
static void refuse_beside(wy_reader *r, const wy_node *child, const wy_mapping *mapping, const wy_word *word) {
  const char *names[WY_SCHEMA_MOST], *selector = mapping->selector;
  const char *const *with = wy_schema_key(mapping, child->key)->with;
  char list[512], others[128];
  int count = 0;
  while (count < WY_SCHEMA_WITH && with[count])
    count++;
  wy_schema_join(with, count, others, sizeof others);
  wy_schema_join(names, wy_schema_names(mapping, word->name, names), list, sizeof list);
  wy_read_fail(r, child, "found %s together with %s: %s; expected it with %s: %s, or with %s: %s only %s", child->key,
               selector, word->name, selector, others, selector, word->name, list);
}

static void check_key(wy_reader *r, const wy_node *child, const wy_mapping *mapping, const wy_word *selected) {
  const wy_key *key = wy_schema_key(mapping, child->key);
  if (!key)
    refuse_key(r, child, mapping);
  else if (key->later)
    wy_read_fail(r, child, "%s", key->later);
  else if (selected && !wy_schema_goes_with(key, selected->name))
    refuse_beside(r, child, mapping, selected);
}

bool wy_read_mapping(wy_reader *r, const wy_node *node) {
  if (r->failed || !node || node->kind == WY_NULL)
    return !r->failed;
  if (node->kind != WY_MAPPING) {
    wy_read_refuse(r, node);
    return false;
  }
  const wy_mapping *mapping = key_of(node)->mapping;
  const wy_node *selector = mapping->strict ? wy_yaml_find(node, mapping->selector) : NULL;
  wy_word word;
  const bool selects =
      selector && selector->kind == WY_SCALAR && wy_schema_word(key_of(selector), selector->text, &word);
  for (const wy_node *child = node->first; child && !r->failed; child = child->next)
    check_key(r, child, mapping, selects ? &word : NULL);
  return !r->failed;
}

bool wy_read_list(wy_reader *r, const wy_node *node) {
  if (!r->failed && node && node->kind != WY_NULL && node->kind != WY_LIST)
    wy_read_refuse(r, node);
  return !r->failed;
}

bool wy_read_entry(wy_reader *r, const wy_node *node) {
  if (!r->failed && node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  return wy_read_mapping(r, node);
}

const wy_node *wy_read_need(wy_reader *r, const wy_node *mapping, const char *key) {
  const wy_node *node = wy_yaml_find(mapping, key);
  if (!r->failed && (!node || node->kind == WY_NULL)) {
    char expected[768], text[800];
    wy_schema_expected(wy_schema_key(key_of(mapping)->mapping, key), false, expected, sizeof expected);
    snprintf(text, sizeof text, "found nothing; expected %s", expected);
    keep(r, node ? node : mapping, node ? "" : key, text);
  }
  return r->failed ? NULL : node;
}

/* ---- Words ---- */

const char *wy_read_text(wy_reader *r, const wy_node *node) {
  if (r->failed || !node)
    return "";
  if (node->kind != WY_SCALAR) {
    wy_read_refuse(r, node);
    return "";
  }
  return node->text;
}

const char *wy_read_name(wy_reader *r, const wy_node *node) {
  const char *text = wy_read_text(r, node);
  size_t length = strlen(text);
  bool ok = length >= 1 && length <= 63 && text[0] != ' ' && text[length - 1] != ' ';
  for (size_t i = 0; i < length; i++)
    ok = ok && !iscntrl((unsigned char)text[i]) && !strchr("/.[]\"'\\,", text[i]);
  if (!ok && !r->failed)
    wy_read_expected(r, node, "a name of 1 to 63 characters without / . [ ] \" ' \\ and commas");
  return text;
}

const char *wy_read_name_of(wy_reader *r, const wy_node *mapping) {
  const wy_node *node = wy_yaml_find(mapping, "name");
  return node ? wy_read_name(r, node) : NULL;
}

const wy_word *wy_read_which(const wy_node *node) {
  const bool is_scalar = node && node->kind == WY_SCALAR;
  for (const wy_word *word = is_scalar ? key_of(node)->words : NULL; word && word->name; word++)
    if (strcmp(word->name, node->text) == 0 || (word->other && strcmp(word->other, node->text) == 0))
      return word;
  return NULL;
}

const wy_word *wy_read_word(wy_reader *r, const wy_node *node) {
  const wy_word *word = wy_read_which(node);
  if (r->failed || !node || word)
    return r->failed ? NULL : word;
  wy_read_refuse(r, node);
  return NULL;
}

/* Of all words of the key, those of the library too. */
static bool find_word(wy_reader *r, const wy_node *node, wy_word *word) {
  if (!r->failed && node && node->kind == WY_SCALAR && wy_schema_word(key_of(node), node->text, word))
    return true;
  if (node && !r->failed)
    wy_read_refuse(r, node);
  return false;
}

const char *wy_read_word_name(wy_reader *r, const wy_node *node) {
  wy_word word;
  return find_word(r, node, &word) ? word.name : NULL;
}

int wy_read_choice(wy_reader *r, const wy_node *node, int otherwise) {
  wy_word word;
  return find_word(r, node, &word) ? word.value : otherwise;
}

int wy_read_rod_name(wy_reader *r, const wy_node *node) {
  const char *names[WY_SCHEMA_MOST];
  int count = r->ordinary > 0 ? r->ordinary : r->scenario->model.rod_count;
  const char *name = wy_read_text(r, node);
  int found = r->failed ? 0 : wy_names_find(r->rod_names, name, strlen(name));
  if (found >= 0)
    return found;
  count = count < WY_SCHEMA_MOST ? count : WY_SCHEMA_MOST;
  for (int i = 0; i < count; i++)
    names[i] = r->rods[i].name;
  char list[768];
  wy_schema_join(names, count, list, 512);
  add_suggestion(name, names, count, list, sizeof list);
  wy_read_expected(r, node, "the name of a rod: %s", list);
  return 0;
}

const wy_spline *wy_read_table_name(wy_reader *r, const wy_node *node) {
  const char *names[WY_SCHEMA_MOST], *name = wy_read_text(r, node);
  const int count = r->table_count < WY_SCHEMA_MOST ? r->table_count : WY_SCHEMA_MOST;
  for (int i = 0; i < r->table_count && !r->failed; i++)
    if (strcmp(wy_spline_definition(r->tables[i])->name, name) == 0)
      return r->tables[i];
  char list[768] = "";
  for (int i = 0; i < count; i++)
    names[i] = wy_spline_definition(r->tables[i])->name;
  wy_schema_join(names, count, list, 512);
  add_suggestion(name, names, count, list, sizeof list);
  wy_read_expected(r, node, "the name of a table%s%s", count ? ": " : "; there are no tables in this scenario", list);
  return NULL;
}
