/* SPDX-License-Identifier: MIT */
/* Trees of nodes in tests: written as JSON, and compared. */
#ifndef WY_TESTS_SUPPORT_TREE_H
#define WY_TESTS_SUPPORT_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/tree/json.h"

/* A text that grows. */
typedef struct tree_text {
  char *data;
  size_t length, capacity;
} tree_text;

static inline void tree_add(tree_text *out, const char *text, size_t length) {
  if (out->length + length + 1 > out->capacity) {
    out->capacity = 2 * (out->length + length) + 256;
    out->data = realloc(out->data, out->capacity);
    if (!out->data)
      abort();
  }
  memcpy(out->data + out->length, text, length);
  out->length += length;
  out->data[out->length] = '\0';
}

static inline void tree_add_string(tree_text *out, const char *text) {
  tree_add(out, "\"", 1);
  for (; *text; text++) {
    char escape[8];
    if (*text == '"' || *text == '\\')
      tree_add(out, escape, (size_t)snprintf(escape, sizeof escape, "\\%c", *text));
    else if ((unsigned char)*text < 0x20 || *text == 0x7f)
      tree_add(out, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*text));
    else
      tree_add(out, text, 1);
  }
  tree_add(out, "\"", 1);
}

static inline size_t tree_digits(const char *text) {
  return strspn(text, "0123456789");
}

/* May it stand without quotes in JSON? */
static inline bool tree_is_plain(const char *text) {
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return true;
  text += *text == '-';
  size_t length = tree_digits(text);
  if (length == 0 || (length > 1 && *text == '0'))
    return false;
  text += length;
  if (*text == '.') {
    length = tree_digits(text + 1);
    text += length ? 1 + length : 0;
  }
  if (*text == 'e' || *text == 'E') {
    size_t sign = text[1] == '-' || text[1] == '+';
    length = tree_digits(text + 1 + sign);
    text += length ? 1 + sign + length : 0;
  }
  return !*text;
}

/* Every key on a line of its own. */
static inline void tree_add_node(tree_text *out, const wy_node *node) {
  if (node->kind == WY_NULL)
    tree_add(out, "null", 4);
  else if (node->kind == WY_SCALAR && tree_is_plain(node->text))
    tree_add(out, node->text, strlen(node->text));
  else if (node->kind == WY_SCALAR)
    tree_add_string(out, node->text);
  if (node->kind == WY_NULL || node->kind == WY_SCALAR)
    return;
  tree_add(out, node->kind == WY_LIST ? "[" : "{", 1);
  for (const wy_node *child = node->first; child; child = child->next) {
    if (child != node->first)
      tree_add(out, ", ", 2);
    if (child->key) {
      tree_add(out, "\n", 1);
      tree_add_string(out, child->key);
      tree_add(out, ": ", 2);
    }
    tree_add_node(out, child);
  }
  tree_add(out, node->kind == WY_LIST ? "]" : "}", 1);
}

/* To be freed. */
static inline char *tree_to_json(const wy_node *root) {
  tree_text out = {NULL, 0, 0};
  tree_add_node(&out, root);
  return out.data;
}

static inline bool tree_same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* The first node of `a` that `b` has not got alike, or NULL. */
static inline const wy_node *tree_difference(const wy_node *a, const wy_node *b, bool lines) {
  if (!a || !b)
    return a ? a : b;
  if (a->kind != b->kind || a->count != b->count || a->index != b->index || !tree_same_text(a->key, b->key) ||
      !tree_same_text(a->text, b->text) || (lines && a->line != b->line))
    return a;
  const wy_node *found = NULL;
  for (const wy_node *x = a->first, *y = b->first; x && y && !found; x = x->next, y = y->next)
    found = tree_difference(x, y, lines);
  return found;
}

#endif
