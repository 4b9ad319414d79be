/* SPDX-License-Identifier: MIT */
#include "run/tree/build.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wy_build_fail(wy_builder *b, int line, const char *format, ...) {
  if (b->failed)
    return;
  b->failed = true;
  b->error->line = line;
  b->error->excerpt[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(b->error->text, sizeof b->error->text, format, arguments);
  va_end(arguments);
  for (char *p = b->error->text; *p; p++) /* keys may hold anything */
    if (iscntrl((unsigned char)*p))
      *p = ' ';
}

void wy_build_no_memory(wy_builder *b) {
  b->pool->failed = true;
  wy_build_fail(b, 0, "out of memory");
}

/* Length of the UTF-8 sequence at `p`, or 0 if it is none (overlong forms, surrogates and control characters included).
 */
static int sequence_length(const unsigned char *p) {
  if (p[0] < 0x80)
    return (p[0] >= 0x20 && p[0] != 0x7f) || p[0] == '\t' || p[0] == '\n' || p[0] == '\r' ? 1 : 0;
  int length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  if (p[0] < 0xc2 || p[0] > 0xf4)
    return 0;
  for (int i = 1; i < length; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  bool outside = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
  return overlong || outside ? 0 : length;
}

bool wy_build_check_text(wy_builder *b) {
  int line = 1;
  for (const char *p = b->text; *p && !b->failed;) {
    int length = sequence_length((const unsigned char *)p);
    if (p - b->text >= WY_YAML_BYTES && !b->unbounded)
      wy_build_fail(b, 0, "found more than %d bytes; expected a smaller document", WY_YAML_BYTES);
    if (length == 0)
      wy_build_fail(b, line, "found the byte 0x%02x; expected UTF-8 text", (unsigned char)*p);
    line += *p == '\n';
    p += length;
  }
  return !b->failed;
}

wy_node *wy_build_node(wy_builder *b, wy_node_kind kind, int line) {
  if (b->failed)
    return NULL;
  if (++b->nodes > WY_YAML_NODES && !b->unbounded) {
    wy_build_fail(b, line,
                  "found more than %d values (aliases count each time they are used); expected a smaller document",
                  WY_YAML_NODES);
    return NULL;
  }
  wy_node *node = wy_pool_take(b->pool, sizeof *node);
  if (!node) {
    wy_build_no_memory(b);
    return NULL;
  }
  node->kind = kind;
  node->line = line;
  return node;
}

void wy_build_append(wy_node *parent, wy_node *child) {
  child->parent = parent;
  child->index = parent->count++;
  if (parent->last)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
}

void wy_build_place(wy_builder *b, wy_node *node) {
  if (!b->current) {
    b->root = node;
    return;
  }
  if (b->current->kind == WY_MAPPING) {
    assert(b->key);
    node->key = b->key;
    if (node->kind != WY_SCALAR)
      node->line = b->key_line;
    b->key = NULL;
  }
  wy_build_append(b->current, node);
}

wy_node *wy_build_scalar(wy_builder *b, wy_node_kind kind, const char *text, int line) {
  if (!text)
    wy_build_no_memory(b);
  wy_node *node = wy_build_node(b, kind, line);
  if (!node)
    return NULL;
  node->text = kind == WY_SCALAR ? text : NULL;
  wy_build_place(b, node);
  return node;
}

void wy_build_key(wy_builder *b, const char *key, int line) {
  if (!key)
    wy_build_no_memory(b);
  if (b->failed)
    return;
  if (b->current->count >= WY_YAML_KEYS) {
    wy_build_fail(b, line, "found more than %d keys in one mapping", WY_YAML_KEYS);
    return;
  }
  const wy_node *twin = wy_yaml_find(b->current, key);
  if (twin) {
    char path[256];
    wy_yaml_path(twin, path, sizeof path);
    wy_build_fail(b, line, "%s: found the same key twice, in line %d and in line %d; expected it once", path,
                  twin->line, line);
    return;
  }
  b->key = key;
  b->key_line = line;
}

wy_node *wy_build_open(wy_builder *b, wy_node_kind kind, int line) {
  if (++b->depth > WY_YAML_DEPTH)
    wy_build_fail(b, line, "found lists and mappings nested deeper than %d", WY_YAML_DEPTH);
  wy_node *node = wy_build_node(b, kind, line);
  if (!node)
    return NULL;
  wy_build_place(b, node);
  b->current = node;
  return node;
}

void wy_build_close(wy_builder *b) {
  if (b->failed)
    return;
  b->current = b->current->parent;
  b->depth--;
}
