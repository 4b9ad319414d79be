/* SPDX-License-Identifier: MIT */
/* What the readers of YAML and of JSON share: nodes are put together to a tree, within bounds, and every key once. */
#ifndef WY_RUN_TREE_BUILD_H
#define WY_RUN_TREE_BUILD_H

#include "run/tree/yaml.h"

/* The first failure is kept in `error`; after it every call returns at once. Start with pool, error and text. */
typedef struct wy_builder {
  wy_pool *pool;
  wy_yaml_error *error;
  const char *text;
  int nodes, depth;
  wy_node *root;
  wy_node *current; /* the open list or mapping, NULL outside the document's root */
  const char *key;  /* of the value that comes next, NULL while a key is due */
  int key_line;
  bool failed;
  bool unbounded; /* of any size: withy wrote it itself */
} wy_builder;

/* `line` 0: there is none. */
void wy_build_fail(wy_builder *b, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Without memory. */
void wy_build_no_memory(wy_builder *b);

/* UTF-8, no control characters but ends of line and tabs, not too much. */
bool wy_build_check_text(wy_builder *b);

/* A node of no place yet, or NULL after a failure. */
wy_node *wy_build_node(wy_builder *b, wy_node_kind kind, int line);
/* Puts it where the document is. */
void wy_build_place(wy_builder *b, wy_node *node);
/* `text` belongs to the pool; NULL stands for one that there was no memory for. */
wy_node *wy_build_scalar(wy_builder *b, wy_node_kind kind, const char *text, int line);
/* The key of the value that comes next. */
void wy_build_key(wy_builder *b, const char *key, int line);

/* A list or mapping from its begin to its end. NULL after a failure. */
wy_node *wy_build_open(wy_builder *b, wy_node_kind kind, int line);
void wy_build_close(wy_builder *b);

/* As the last child. */
void wy_build_append(wy_node *parent, wy_node *child);

#endif
