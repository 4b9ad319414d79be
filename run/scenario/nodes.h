/* SPDX-License-Identifier: MIT */
/* Entries of the tree that are made of others, for what stands for several. Those that take memory do nothing more
   after a failure. */
#ifndef WY_RUN_SCENARIO_NODES_H
#define WY_RUN_SCENARIO_NODES_H

#include "run/scenario/reader.h"

void wy_nodes_append(wy_node *to, wy_node *node);
/* Takes a node out of its list or mapping. */
void wy_nodes_remove(wy_node *node);
wy_node *wy_nodes_new(wy_reader *r, wy_node_kind kind, const char *key, const char *text, const wy_node *like);
/* All of it but the child `without`; NULL after a failure. */
wy_node *wy_nodes_copy(wy_reader *r, const wy_node *of, const char *without);
/* The value of a key, which is added where it is missing. */
wy_node *wy_nodes_key(wy_reader *r, wy_node *mapping, const char *key, wy_node_kind kind);
void wy_nodes_put_text(wy_reader *r, wy_node *node, const char *text);
/* Puts the entries of `with` in the place of one entry of a list. */
void wy_nodes_replace(wy_node *entry, const wy_node *with);
/* A number behind the name, from 1, where there is a name. */
void wy_nodes_number(wy_reader *r, wy_node *entry, int number);

#endif
