/* SPDX-License-Identifier: MIT */
/* The reader: libfyaml's events, gathered into a tree. */
#include "run/tree/yaml.h"

#include <libfyaml.h>
#include <string.h>

#include "run/tree/broken.h"
#include "run/tree/build.h"

typedef struct anchor {
  const char *name;
  wy_node *node;
  bool open; /* its node is still being read */
  struct anchor *next;
} anchor;

typedef struct builder {
  wy_builder tree;
  wy_yaml_place brackets[WY_YAML_DEPTH + 1]; /* where the open list or mapping of a depth has its bracket, if any */
  anchor *anchors;
  int anchor_count, open_anchors;
} builder;

/* The key of a mapping that others are merged into: only as a plain word, and known by its address. */
static const char merge_key[] = "<<";

static wy_node *copy_tree(builder *b, const wy_node *source, int depth) {
  if (depth > WY_YAML_DEPTH) {
    wy_build_fail(&b->tree, source->line, "found lists and mappings nested deeper than %d", WY_YAML_DEPTH);
    return NULL;
  }
  wy_node *node = wy_build_node(&b->tree, source->kind, source->line);
  if (!node)
    return NULL;
  node->text = source->text;
  for (const wy_node *child = source->first; child; child = child->next) {
    wy_node *copy = copy_tree(b, child, depth + 1);
    if (!copy)
      return NULL;
    copy->key = child->key;
    wy_build_append(node, copy);
  }
  return node;
}

/* "<<: *base" or a list of them: keys of the base that the mapping does not have itself. */
static void merge(builder *b, wy_node *mapping) {
  wy_node *source = mapping->first, *previous = NULL;
  for (; source && source->key != merge_key; source = source->next)
    previous = source;
  if (!source || b->tree.failed)
    return;
  if (previous)
    previous->next = source->next;
  else
    mapping->first = source->next;
  if (mapping->last == source)
    mapping->last = previous;
  mapping->count--;

  wy_node single = *source;
  wy_node *part = source->kind == WY_LIST ? source->first : &single;
  single.next = NULL;
  for (; part && !b->tree.failed; part = part->next) {
    if (part->kind != WY_MAPPING) {
      wy_build_fail(&b->tree, source->line, "<<: found something else; expected an alias of a mapping");
      return;
    }
    for (wy_node *child = part->first, *next; child; child = next) {
      next = child->next;
      if (wy_yaml_find(mapping, child->key))
        continue;
      child->next = NULL;
      wy_build_append(mapping, child);
    }
  }
  int index = 0;
  for (wy_node *child = mapping->first; child; child = child->next)
    child->index = index++;
}

/* NULL without memory, or where the text has a character 0 within, which C cannot hold. */
static const char *token_text(builder *b, struct fy_token *token) {
  size_t length = 0;
  const char *text = token ? fy_token_get_text(token, &length) : NULL;
  const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
  if (text && memchr(text, '\0', length))
    wy_build_fail(&b->tree, mark ? mark->line + 1 : 0, "found the character 0; expected text without it");
  return wy_pool_copy(b->tree.pool, text ? text : "", text ? length : 0);
}

static void remember(builder *b, struct fy_token *token, wy_node *node, bool open) {
  if (!token || b->tree.failed)
    return;
  if (++b->anchor_count > WY_YAML_ANCHORS) {
    wy_build_fail(&b->tree, node->line, "found more than %d anchors", WY_YAML_ANCHORS);
    return;
  }
  anchor *entry = wy_pool_take(b->tree.pool, sizeof *entry);
  const char *name = token_text(b, token);
  if (!entry || !name) {
    wy_build_no_memory(&b->tree);
    return;
  }
  *entry = (anchor){name, node, open, b->anchors};
  b->anchors = entry;
  b->open_anchors += open;
}

/* A scalar where a key is due. */
static void read_key(builder *b, struct fy_event *event, int line) {
  const char *key = token_text(b, event->scalar.value);
  bool plain = event->scalar.value && fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
  wy_build_key(&b->tree, plain && key && strcmp(key, merge_key) == 0 ? merge_key : key, line);
}

static bool is_null(const char *text) {
  static const char *const words[] = {"", "~", "null", "Null", "NULL"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(text, words[i]) == 0)
      return true;
  return false;
}

static void read_scalar(builder *b, struct fy_event *event, int line) {
  const char *text = token_text(b, event->scalar.value);
  bool plain = !event->scalar.value || fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
  wy_node *node = wy_build_scalar(&b->tree, plain && text && is_null(text) ? WY_NULL : WY_SCALAR, text, line);
  if (node)
    remember(b, event->scalar.anchor, node, false);
}

static void read_alias(builder *b, struct fy_event *event, int line) {
  const char *name = token_text(b, event->alias.anchor);
  const anchor *entry = b->anchors;
  while (entry && name && strcmp(entry->name, name) != 0)
    entry = entry->next;
  if (!name)
    wy_build_no_memory(&b->tree);
  else if (!entry)
    wy_build_fail(&b->tree, line, "found the alias *%.60s; expected an anchor &%.60s before it", name, name);
  else if (entry->open)
    wy_build_fail(&b->tree, line, "found the alias *%.60s inside of its own anchor", name);
  else {
    wy_node *copy = copy_tree(b, entry->node, b->tree.depth + 1);
    if (copy)
      wy_build_place(&b->tree, copy);
  }
}

static void open_node(builder *b, wy_node_kind kind, struct fy_token *name, const struct fy_mark *mark, int line) {
  wy_node *node = wy_build_open(&b->tree, kind, line);
  if (!node)
    return;
  const char begin = mark ? b->tree.text[mark->input_pos] : '\0';
  const bool bracket = begin == '[' || begin == '{';
  b->brackets[b->tree.depth] = bracket ? (wy_yaml_place){mark->line + 1, mark->column + 1} : (wy_yaml_place){0};
  remember(b, name, node, true);
}

static void close_node(builder *b) {
  wy_node *node = b->tree.current;
  if (!node)
    return;
  if (node->kind == WY_MAPPING)
    merge(b, node);
  for (anchor *entry = b->open_anchors ? b->anchors : NULL; entry; entry = entry->next)
    if (entry->node == node && entry->open) {
      entry->open = false;
      b->open_anchors--;
    }
  wy_build_close(&b->tree);
}

static void take_event(builder *b, struct fy_event *event) {
  const struct fy_mark *mark = fy_event_start_mark(event);
  int line = mark ? mark->line + 1 : b->tree.key ? b->tree.key_line : b->tree.current ? b->tree.current->line : 1;
  bool key_due = b->tree.current && b->tree.current->kind == WY_MAPPING && !b->tree.key;
  switch (event->type) {
  case FYET_DOCUMENT_START:
    if (b->tree.root)
      wy_build_fail(&b->tree, line, "found a second document; expected one");
    break;
  case FYET_MAPPING_START:
  case FYET_SEQUENCE_START:
    if (key_due)
      wy_build_fail(&b->tree, line, "found a list or mapping as key; expected a word");
    else if (event->type == FYET_MAPPING_START)
      open_node(b, WY_MAPPING, event->mapping_start.anchor, mark, line);
    else
      open_node(b, WY_LIST, event->sequence_start.anchor, mark, line);
    break;
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END:
    close_node(b);
    break;
  case FYET_SCALAR:
    if (key_due)
      read_key(b, event, line);
    else
      read_scalar(b, event, line);
    break;
  case FYET_ALIAS:
    if (key_due)
      wy_build_fail(&b->tree, line, "found an alias as key; expected a word");
    else
      read_alias(b, event, line);
    break;
  default:
    break;
  }
}

/* YAML takes no tabs in the indentation; nobody sees them. */
static bool check_tabs(wy_builder *b) {
  int line = 1;
  bool indentation = true, tab = false;
  for (const char *p = b->text; *p && !b->failed; p++) {
    if (*p == '\n') {
      line++;
      indentation = true;
      tab = false;
    } else if (*p == '\t' && indentation) {
      tab = true;
    } else if (*p != ' ' && *p != '\r') {
      if (tab && indentation && *p != '#')
        wy_build_fail(b, line, "found a tab in the indentation; expected spaces");
      indentation = false;
    }
  }
  return !b->failed;
}

/* libfyaml's own complaint, with its place. */
static void parse_error(builder *b, struct fy_diag *diag) {
  void *iterator = NULL;
  const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);
  if (b->tree.failed)
    return;
  b->tree.failed = true;
  const wy_yaml_place at = {first && first->line > 0 ? first->line : 1, first && first->column > 0 ? first->column : 1};
  int open = b->tree.depth; /* what has no bracket of its own, a pair "a: b" in a list, may stand in one that has */
  while (open > 0 && b->brackets[open].line == 0)
    open--;
  wy_yaml_broken(b->tree.text, first && first->msg ? first->msg : "it cannot be read", at, b->brackets[open],
                 b->tree.error);
}

static void read_events(builder *b, const char *text) {
  struct fy_diag_cfg diag_options;
  fy_diag_cfg_default(&diag_options);
  diag_options.fp = NULL;
  diag_options.output_fn = NULL;
  diag_options.colorize = false;
  struct fy_diag *diag = fy_diag_create(&diag_options);
  if (!diag) {
    wy_build_no_memory(&b->tree);
    return;
  }
  fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg options = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE, .diag = diag};
  struct fy_parser *parser = fy_parser_create(&options);
  if (!parser || fy_parser_set_string(parser, text, strlen(text)) != 0) {
    wy_build_no_memory(&b->tree);
  } else {
    struct fy_event *event;
    while (!b->tree.failed && (event = fy_parser_parse(parser))) {
      take_event(b, event);
      fy_parser_event_free(parser, event);
    }
    void *iterator = NULL;
    if (fy_parser_get_stream_error(parser) || fy_diag_errors_iterate(diag, &iterator))
      parse_error(b, diag);
  }
  fy_parser_destroy(parser);
  fy_diag_destroy(diag);
}

wy_node *wy_yaml_read(wy_pool *pool, const char *text, wy_yaml_error *error) {
  builder b = {.tree = {.pool = pool, .error = error, .text = text}};
  error->line = 0;
  error->excerpt[0] = '\0';
  if (!wy_build_check_text(&b.tree) || !check_tabs(&b.tree))
    return NULL;
  read_events(&b, text);
  if (b.tree.failed)
    return NULL;
  return b.tree.root ? b.tree.root : wy_build_node(&b.tree, WY_NULL, 1);
}
