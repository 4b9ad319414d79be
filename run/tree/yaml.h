/* SPDX-License-Identifier: MIT */
/* YAML as a tree whose nodes know where they stand, so that every message can name line and key. Anchors, aliases and
   merge keys are expanded. Size, depth and expansion are bounded; duplicate keys are errors. What the keys mean is not
   known here. */
#ifndef WY_RUN_TREE_YAML_H
#define WY_RUN_TREE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "run/tree/pool.h"

enum {
  WY_YAML_BYTES = 1 << 25, /* of a document */
  WY_YAML_NODES = 2000000, /* after aliases are expanded */
  WY_YAML_DEPTH = 32,      /* lists and mappings within each other */
  WY_YAML_KEYS = 1000,     /* of one mapping */
  WY_YAML_ANCHORS = 1000
};

typedef enum wy_node_kind { WY_NULL, WY_SCALAR, WY_LIST, WY_MAPPING } wy_node_kind;

typedef struct wy_node {
  wy_node_kind kind;
  const char *key;     /* in a mapping, else NULL */
  const char *text;    /* of a scalar, else NULL */
  int line;            /* from 1: of a scalar, or of the key of a list or mapping */
  int index;           /* place in the parent */
  int count;           /* of children */
  const char *setting; /* the PATH of the --set that this comes from, or NULL */
  struct wy_node *parent, *first, *last, *next;
  const struct wy_key *schema; /* of the root: its meaning, for the reader that asks; NULL: a scenario */
} wy_node;

typedef struct wy_yaml_error {
  int line; /* 0 where there is none */
  char text[512];
  char excerpt[1024]; /* of broken YAML: the lines to look at with a caret below the place; "" where there is none */
} wy_yaml_error;

/* Reads one document. NULL with the reason if it cannot be read; an empty document is a node of kind WY_NULL. */
wy_node *wy_yaml_read(wy_pool *pool, const char *text, wy_yaml_error *error);

/* Changes the tree by "PATH=VALUE": keys separated by dots, list entries by their `name` or by index
   ("rods.arm.segments=20", "loads[0].force=[0, 0, 1]"). Missing keys are added. Sets `error->line` to 0. */
bool wy_yaml_set(wy_pool *pool, wy_node *root, const char *assignment, wy_yaml_error *error);

/* The place that the path of such a change leads to, missing keys added; NULL with the reason if there is none. */
wy_node *wy_yaml_reach(wy_pool *pool, wy_node *root, const char *path, wy_yaml_error *error);

/* The value of a key of a mapping, or NULL. */
wy_node *wy_yaml_find(const wy_node *mapping, const char *key);
/* An entry of a list by index, or NULL. */
wy_node *wy_yaml_at(const wy_node *list, int index);
/* The node at a path such as "rods[0].section.radius", or its closest existing ancestor; *rest is what is left of the
 * path. */
const wy_node *wy_yaml_follow(const wy_node *root, const char *path, const char **rest);

/* The dotted key of a node, list entries by their name if they have one: "rods.arm.section.radius",
 * "loads[1].force[0]". */
void wy_yaml_path(const wy_node *node, char *buffer, size_t size);
/* What a node is, for messages: 'text', a list of 3, a mapping, nothing. */
void wy_yaml_describe(const wy_node *node, char *buffer, size_t size);

#endif
