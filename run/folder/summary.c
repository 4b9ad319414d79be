/* SPDX-License-Identifier: MIT */
/* summary.json: single entries as text. */
#include <stdlib.h>

#include "run/folder/folder.h"
#include "run/tree/json.h"

/* A summary that is not whole counts as none: it is written last, and at once. */
static wy_status read_summary(wy_folder *folder, wy_message *message) {
  wy_yaml_error error;
  char *text = NULL;
  size_t size = 0;
  const char *path = wy_folder_print(folder, "%s/summary.json", folder->path);
  if (!path)
    return wy_folder_out_of_memory(message);
  wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK)
    return status;
  folder->summary = text ? wy_json_read_own(&folder->pool, text, &error) : NULL;
  folder->has_summary = true;
  free(text);
  return folder->pool.failed ? wy_folder_out_of_memory(message) : WY_OK;
}

wy_status wy_folder_summary(wy_folder *folder, const char *entry, const char **text, wy_message *message) {
  const char *rest = "";
  if (text)
    *text = NULL;
  if (!folder || !entry || !text)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no entry of its summary is given");
  wy_status status = folder->has_summary ? WY_OK : read_summary(folder, message);
  const wy_node *node = status == WY_OK && folder->summary ? wy_yaml_follow(folder->summary, entry, &rest) : NULL;
  if (node && node->kind == WY_SCALAR && !*rest && node->text[0])
    *text = node->text;
  return status;
}
