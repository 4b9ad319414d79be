/* SPDX-License-Identifier: MIT */
/* The JSON reader takes any bytes: it refuses them in one line of text, or makes a tree that, written down again, both
   readers make the same of. A text that the YAML reader takes as well has the same tree there. */
#include <stdint.h>

#include "support/tree.h"

/* libfyaml 0.7.12 loses a buffer on some broken quoted keys; what is lost anywhere else counts. */
const char *__lsan_default_suppressions(void) { // NOLINT(bugprone-reserved-identifier): the name is given
  return "leak:libfyaml";
}

/* YAML takes keys of 1024 characters as they are written, in which a control character is six. */
enum { LONGEST_KEY = 1000 / 6 };

static bool has_long_key(const wy_node *node) {
  bool found = node->key && strlen(node->key) > LONGEST_KEY;
  for (const wy_node *child = node->first; child && !found; child = child->next)
    found = has_long_key(child);
  return found;
}

static void check_again(const wy_node *root) {
  wy_pool pool = {0};
  wy_yaml_error error;
  char *text = tree_to_json(root);
  const wy_node *json = wy_json_read(&pool, text, &error), *yaml = wy_yaml_read(&pool, text, &error);
  if (!json || tree_difference(root, json, false))
    abort();
  if (!has_long_key(root) && (!yaml || tree_difference(json, yaml, true)))
    abort();
  wy_pool_release(&pool);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wy_pool pool = {0};
  wy_yaml_error error = {.text = ""};
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  const wy_node *json = wy_json_read(&pool, text, &error);
  if (json)
    check_again(json);
  else if (!error.text[0] || strchr(error.text, '\n') || error.line < 0)
    abort();
  const wy_node *yaml = json ? wy_yaml_read(&pool, text, &error) : NULL;
  if (yaml && tree_difference(json, yaml, !strchr(text, '\r'))) /* which alone ends a line for libfyaml */
    abort();
  wy_pool_release(&pool);
  free(text);
  return 0;
}
