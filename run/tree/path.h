/* SPDX-License-Identifier: MIT */
/* The steps of a path such as "rods.arm.ends" or "loads[0].force". */
#ifndef WY_RUN_TREE_PATH_H
#define WY_RUN_TREE_PATH_H

#include "run/tree/yaml.h"

enum { WY_PATH_NAME = 64 }; /* characters of one step at most */

/* The name of a list entry, where it has a usable one, or NULL. */
const char *wy_node_name(const wy_node *entry);

/* The next step of a path: "key", "[3]" or "3"; returns what follows it, or NULL if the path is malformed. */
const char *wy_path_next(const char *path, char step[WY_PATH_NAME + 1]);
/* Is the step the number of an entry? */
bool wy_path_is_index(const char *step);
/* Where a step leads to: a value by its key, an entry by its name or number; or NULL. */
wy_node *wy_path_child(const wy_node *node, const char *step);

#endif
