/* SPDX-License-Identifier: MIT */
/* --set PATH=VALUE: the tree is changed after it was read. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/tree/path.h"
#include "run/tree/suggest.h"

static bool refuse(wy_yaml_error *error, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(wy_yaml_error *error, const char *path, const char *format, ...) {
  error->line = 0;
  int used = snprintf(error->text, sizeof error->text, "--set %.200s: ", path);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

/* A step that leads nowhere in a list: says which entries there are. */
static bool refuse_entry(wy_yaml_error *error, const char *path, const wy_node *list, const char *step) {
  const char *names[32];
  char listing[200] = "";
  size_t used = 0;
  int count = 0;
  for (const wy_node *child = list->first; child && count < 32; child = child->next)
    if (wy_node_name(child))
      names[count++] = wy_node_name(child);
  for (int i = 0; i < count && used < sizeof listing; i++)
    used += (size_t)snprintf(listing + used, sizeof listing - used, "%s%s", i ? ", " : "", names[i]);
  const char *close = wy_suggest(step, names, count);
  const char *what = list->count == 1 ? "entry" : "entries";
  if (close)
    return refuse(error, path, "found no entry '%s' in the list of %d %s; did you mean '%s'?", step, list->count, what,
                  close);
  if (count > 0)
    return refuse(error, path, "found no entry '%s'; expected one of %s, or an index from 0 to %d", step, listing,
                  list->count - 1);
  return refuse(error, path, "found no entry '%s' in the list of %d %s; expected an index from 0", step, list->count,
                what);
}

static void mark_setting(wy_node *node, const char *setting) {
  node->setting = setting;
  for (wy_node *child = node->first; child; child = child->next)
    mark_setting(child, setting);
}

/* VALUE as a node: lists, mappings and quoted text are YAML, everything else is taken as it stands. */
static wy_node *read_value(wy_pool *pool, const char *value, const char *path, wy_yaml_error *error) {
  while (isspace((unsigned char)*value))
    value++;
  size_t length = strlen(value);
  while (length > 0 && isspace((unsigned char)value[length - 1]))
    length--;
  if (*value && strchr("[{\"'", *value)) {
    wy_yaml_error inner;
    wy_node *node = wy_yaml_read(pool, value, &inner);
    if (!node)
      refuse(error, path, "%s", inner.text);
    return node;
  }
  wy_node *node = wy_pool_take(pool, sizeof *node);
  const char *text = wy_pool_copy(pool, value, length);
  if (!node || !text) {
    refuse(error, path, "out of memory");
    return NULL;
  }
  node->kind = length ? WY_SCALAR : WY_NULL;
  node->text = length ? text : NULL;
  return node;
}

static void replace(wy_node *old, const wy_node *value) {
  old->kind = value->kind;
  old->text = value->text;
  old->first = value->first;
  old->last = value->last;
  old->count = value->count;
  for (wy_node *child = old->first; child; child = child->next)
    child->parent = old;
}

static wy_node *add_key(wy_pool *pool, wy_node *mapping, const char *key, const char *setting) {
  wy_node *node = wy_pool_take(pool, sizeof *node);
  const char *copy = wy_pool_copy(pool, key, strlen(key));
  if (!node || !copy)
    return NULL;
  *node = (wy_node){.kind = WY_MAPPING,
                    .key = copy,
                    .line = mapping->line,
                    .index = mapping->count++,
                    .setting = setting,
                    .parent = mapping};
  if (mapping->last)
    mapping->last->next = node;
  else
    mapping->first = node;
  mapping->last = node;
  return node;
}

/* Where a step leads to; a missing key is added. NULL with the reason if there is no such place. */
static wy_node *take_step(wy_pool *pool, wy_node *node, const char *step, const char *path, wy_yaml_error *error) {
  wy_node *child = wy_path_child(node, step);
  char found[128];
  if (child)
    return child;
  if (node->kind == WY_NULL)
    node->kind = WY_MAPPING;
  wy_yaml_describe(node, found, sizeof found);
  if (node->kind == WY_LIST)
    refuse_entry(error, path, node, step);
  else if (node->kind != WY_MAPPING)
    refuse(error, path, "found %s at '%s'; expected a mapping that contains '%s'", found, node->key ? node->key : "",
           step);
  else if (wy_path_is_index(step))
    refuse(error, path, "found no list with an entry %s; set the whole list instead", step);
  else if (!(child = add_key(pool, node, step, path)))
    refuse(error, path, "out of memory");
  return child;
}

wy_node *wy_yaml_reach(wy_pool *pool, wy_node *root, const char *path, wy_yaml_error *error) {
  wy_node *node = root;
  char step[WY_PATH_NAME + 1];
  int depth = 0;
  for (const char *at = path; *at && node;) {
    at = wy_path_next(at, step);
    if (!at || ++depth >= WY_YAML_DEPTH) {
      refuse(error, path, "found a malformed path; expected keys separated by dots, such as rods.arm.segments");
      return NULL;
    }
    node = take_step(pool, node, step, path, error);
  }
  return node;
}

bool wy_yaml_set(wy_pool *pool, wy_node *root, const char *assignment, wy_yaml_error *error) {
  const char *equals = strchr(assignment, '=');
  if (!equals)
    return refuse(error, assignment, "found no '='; expected PATH=VALUE");
  if (equals == assignment)
    return refuse(error, assignment, "found no path before the '='; expected PATH=VALUE");
  const char *path = wy_pool_copy(pool, assignment, (size_t)(equals - assignment));
  if (!path)
    return refuse(error, assignment, "out of memory");
  wy_node *node = wy_yaml_reach(pool, root, path, error);
  const wy_node *value = node ? read_value(pool, equals + 1, path, error) : NULL;
  if (!value)
    return false;
  replace(node, value);
  mark_setting(node, path);
  return true;
}
