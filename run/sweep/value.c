/* SPDX-License-Identifier: MIT */
/* A value of a plan as the text of --set PATH=VALUE. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/json.h"
#include "run/sweep/plan.h"

static bool is_number(const char *text) {
  char *end;
  const size_t begin = strspn(text, "+-.0123456789");
  strtod(text, &end);
  return begin > 0 && *end == '\0';
}

/* Within a list or mapping everything but numbers is quoted, which YAML and JSON understand. */
static void write_node(wy_json *json, const wy_node *node) {
  wy_text plain = {0};
  switch (node->kind) {
  case WY_NULL:
    wy_text_add(&plain, "null");
    wy_json_raw(json, node->key, &plain);
    break;
  case WY_SCALAR:
    wy_text_add(&plain, "%s", node->text);
    if (is_number(node->text))
      wy_json_raw(json, node->key, &plain);
    else
      wy_json_string(json, node->key, node->text);
    break;
  case WY_LIST:
    wy_json_list(json, node->key);
    for (const wy_node *child = node->first; child; child = child->next)
      write_node(json, child);
    wy_json_end_list(json);
    break;
  case WY_MAPPING:
    wy_json_object(json, node->key);
    for (const wy_node *child = node->first; child; child = child->next)
      write_node(json, child);
    wy_json_end_object(json);
    break;
  }
  json->text->failed = json->text->failed || plain.failed;
  wy_text_free(&plain);
}

static const char *copy_text(wy_reader *r, wy_text *text) {
  const char *copy = "";
  if (text->failed)
    wy_read_no_memory(r);
  else
    copy = wy_read_copy(r, text->data ? text->data : "", text->length);
  wy_text_free(text);
  return copy;
}

const char *wy_plan_value_text(wy_reader *r, const wy_node *node) {
  wy_text text = {0};
  wy_json json = {.text = &text, .dense = true};
  wy_node bare = *node;
  bare.key = NULL;
  if (node->kind == WY_NULL)
    return "";
  for (const char *at = node->kind == WY_SCALAR ? node->text : ""; *at && !r->failed; at++)
    if (iscntrl((unsigned char)*at))
      wy_read_expected(r, node, "a text in one line");
  if (node->kind == WY_SCALAR)
    wy_text_add(&text, "%s", node->text);
  else
    write_node(&json, &bare);
  return copy_text(r, &text);
}
