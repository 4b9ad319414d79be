/* SPDX-License-Identifier: MIT */
/* Paths into the tree: the dotted keys of messages and settings. */
#include "run/tree/path.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wy_node *wy_yaml_find(const wy_node *mapping, const char *key) {
  if (!mapping || mapping->kind != WY_MAPPING)
    return NULL;
  for (wy_node *child = mapping->first; child; child = child->next)
    if (strcmp(child->key, key) == 0)
      return child;
  return NULL;
}

wy_node *wy_yaml_at(const wy_node *list, int index) {
  if (!list || list->kind != WY_LIST)
    return NULL;
  for (wy_node *child = list->first; child; child = child->next)
    if (child->index == index)
      return child;
  return NULL;
}

const char *wy_node_name(const wy_node *entry) {
  const wy_node *name = wy_yaml_find(entry, "name");
  return name && name->kind == WY_SCALAR && strlen(name->text) < WY_PATH_NAME ? name->text : NULL;
}

void wy_yaml_path(const wy_node *node, char *buffer, size_t size) {
  const wy_node *chain[WY_YAML_DEPTH + 2];
  int depth = 0;
  for (; node && node->parent && depth < WY_YAML_DEPTH + 2; node = node->parent)
    chain[depth++] = node;
  size_t used = 0;
  buffer[0] = '\0';
  while (depth > 0 && used < size) {
    const wy_node *step = chain[--depth];
    const char *word = step->key ? step->key : wy_node_name(step);
    int written = word ? snprintf(buffer + used, size - used, "%s%.*s", used ? "." : "", WY_PATH_NAME, word)
                       : snprintf(buffer + used, size - used, "[%d]", step->index);
    used += (size_t)written;
  }
}

void wy_yaml_describe(const wy_node *node, char *buffer, size_t size) {
  if (!node || node->kind == WY_NULL)
    snprintf(buffer, size, "nothing");
  else if (node->kind == WY_LIST)
    snprintf(buffer, size, node->count == 0 ? "an empty list" : "a list of %d", node->count);
  else if (node->kind == WY_MAPPING)
    snprintf(buffer, size, "a mapping");
  else
    snprintf(buffer, size, "'%.60s%s'", node->text, strlen(node->text) > 60 ? "..." : "");
  for (char *p = buffer; *p; p++)
    if (iscntrl((unsigned char)*p))
      *p = ' ';
}

const char *wy_path_next(const char *path, char step[WY_PATH_NAME + 1]) {
  if (*path == '.')
    path++;
  bool bracket = *path == '[';
  if (bracket)
    path++;
  size_t length = strcspn(path, bracket ? "]" : ".[");
  if (length == 0 || length > WY_PATH_NAME || (bracket && path[length] != ']'))
    return NULL;
  memcpy(step, path, length);
  step[length] = '\0';
  path += length + bracket;
  return *path == '\0' || *path == '.' || *path == '[' ? path : NULL;
}

bool wy_path_is_index(const char *step) {
  return *step && strspn(step, "0123456789") == strlen(step) && strlen(step) < 9;
}

wy_node *wy_path_child(const wy_node *node, const char *step) {
  if (node->kind == WY_MAPPING)
    return wy_yaml_find(node, step);
  if (node->kind != WY_LIST)
    return NULL;
  for (wy_node *child = node->first; child; child = child->next)
    if (wy_node_name(child) && strcmp(wy_node_name(child), step) == 0)
      return child;
  return wy_path_is_index(step) ? wy_yaml_at(node, atoi(step)) : NULL;
}

const wy_node *wy_yaml_follow(const wy_node *root, const char *path, const char **rest) {
  const wy_node *node = root;
  char step[WY_PATH_NAME + 1];
  while (*path) {
    const char *next = wy_path_next(path, step);
    const wy_node *child = next ? wy_path_child(node, step) : NULL;
    if (!child)
      break;
    node = child;
    path = next;
  }
  *rest = *path == '.' ? path + 1 : path;
  return node;
}
