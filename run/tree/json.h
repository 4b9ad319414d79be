/* SPDX-License-Identifier: MIT */
/* JSON into the same tree as YAML, without any library: the way in which programs hand over a scenario. */
#ifndef WY_RUN_TREE_JSON_H
#define WY_RUN_TREE_JSON_H

#include "run/tree/yaml.h"

/* Reads one JSON text (RFC 8259). Numbers keep the characters that they are written with; keys are there once. NULL
   with the reason if it cannot be read. */
wy_node *wy_json_read(wy_pool *pool, const char *text, wy_yaml_error *error);
/* The same of a text of any size, which withy wrote itself: the summary of a run with very many rods. */
wy_node *wy_json_read_own(wy_pool *pool, const char *text, wy_yaml_error *error);

#endif
