/* SPDX-License-Identifier: MIT */
/* Stands in for the YAML reader where libfyaml is not there: JSON, which is a part of YAML, is read all the same. */
#include <stdio.h>
#include <string.h>

#include "run/tree/json.h"

wy_node *wy_yaml_read(wy_pool *pool, const char *text, wy_yaml_error *error) {
  wy_node *root = wy_json_read(pool, text, error);
  size_t used = strlen(error->text);
  if (!root && !pool->failed && used < sizeof error->text)
    snprintf(error->text + used, sizeof error->text - used,
             " (this withy was built without libfyaml: it reads JSON, not YAML)");
  return root;
}
