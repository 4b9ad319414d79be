/* SPDX-License-Identifier: MIT */
#include "run/scenario/nodes.h"

#include <stdio.h>
#include <string.h>

void wy_nodes_append(wy_node *to, wy_node *node) {
  node->parent = to;
  node->next = NULL;
  node->index = to->count++;
  if (to->last)
    to->last->next = node;
  else
    to->first = node;
  to->last = node;
}

void wy_nodes_remove(wy_node *node) {
  wy_node *from = node->parent, *next = from->first;
  from->first = from->last = NULL;
  from->count = 0;
  while (next) {
    wy_node *entry = next;
    next = entry->next;
    if (entry != node)
      wy_nodes_append(from, entry);
  }
}

wy_node *wy_nodes_new(wy_reader *r, wy_node_kind kind, const char *key, const char *text, const wy_node *like) {
  wy_node *node = wy_read_take(r, sizeof *node);
  if (node)
    *node = (wy_node){.kind = kind, .key = key, .text = text, .line = like->line, .setting = like->setting};
  return node;
}

/* All of it but the child `without`; NULL after a failure. */
wy_node *wy_nodes_copy(wy_reader *r, const wy_node *of, const char *without) {
  wy_node *node = wy_nodes_new(r, of->kind, of->key, of->text, of);
  for (const wy_node *child = of->first; child && !r->failed; child = child->next)
    if (!without || !child->key || strcmp(child->key, without) != 0) {
      wy_node *copy = wy_nodes_copy(r, child, NULL);
      if (copy)
        wy_nodes_append(node, copy);
    }
  return r->failed ? NULL : node;
}

/* The value of a key, which is added where it is missing. */
wy_node *wy_nodes_key(wy_reader *r, wy_node *mapping, const char *key, wy_node_kind kind) {
  wy_node *node = wy_yaml_find(mapping, key);
  if (node)
    return node;
  node = wy_nodes_new(r, kind, key, NULL, mapping);
  if (node)
    wy_nodes_append(mapping, node);
  return node;
}

void wy_nodes_put_text(wy_reader *r, wy_node *node, const char *text) {
  node->kind = WY_SCALAR;
  node->text = wy_read_copy(r, text, strlen(text));
}

/* Puts the entries of `with` in the place of one entry of a list. */
void wy_nodes_replace(wy_node *entry, const wy_node *with) {
  wy_node *list = entry->parent, *next = list->first;
  list->first = list->last = NULL;
  list->count = 0;
  while (next) {
    wy_node *node = next;
    next = node->next;
    if (node != entry)
      wy_nodes_append(list, node);
    for (wy_node *copy = node == entry ? with->first : NULL; copy;) {
      wy_node *after = copy->next;
      wy_nodes_append(list, copy);
      copy = after;
    }
  }
}

/* A number behind the name, from 1, where there is a name. */
void wy_nodes_number(wy_reader *r, wy_node *entry, int number) {
  wy_node *name = wy_yaml_find(entry, "name");
  char text[96];
  if (!name || name->kind != WY_SCALAR)
    return;
  snprintf(text, sizeof text, "%.63s%d", name->text, number);
  wy_nodes_put_text(r, name, text);
}
