/* The reader: libfyaml's events, gathered into a tree. */
#include "run/tree/yaml.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/tree/broken.h"

typedef struct anchor {
  const char *name;
  wy_node *node;
  bool open; /* its node is still being read */
  struct anchor *next;
} anchor;

typedef struct builder {
  wy_pool *pool;
  wy_yaml_error *error;
  const char *text;
  int nodes, depth;
  wy_yaml_place brackets[WY_YAML_DEPTH + 1]; /* where the open list or mapping of a depth has its bracket, if any */
  anchor *anchors;
  int anchor_count;
  wy_node *root;
  wy_node *current; /* the open list or mapping, NULL outside the document's root */
  const char *key;  /* of the value that comes next, NULL while a key is due */
  int key_line;
  bool failed;
} builder;

static void fail(builder *b, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void fail(builder *b, int line, const char *format, ...) {
  if (b->failed)
    return;
  b->failed = true;
  b->error->line = line;
  b->error->excerpt[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(b->error->text, sizeof b->error->text, format, arguments);
  va_end(arguments);
}

wy_node *wy_yaml_find(const wy_node *mapping, const char *key) {
  if (!mapping || mapping->kind != WY_MAPPING)
    return NULL;
  for (wy_node *child = mapping->first; child; child = child->next)
    if (strcmp(child->key, key) == 0)
      return child;
  return NULL;
}

wy_node *wy_yaml_at(const wy_node *list, int index) {
  if (!list || list->kind != WY_LIST)
    return NULL;
  for (wy_node *child = list->first; child; child = child->next)
    if (child->index == index)
      return child;
  return NULL;
}

static wy_node *new_node(builder *b, wy_node_kind kind, int line) {
  if (++b->nodes > WY_YAML_NODES) {
    fail(b, line, "found more than %d values (aliases count each time they are used); expected a smaller document",
         WY_YAML_NODES);
    return NULL;
  }
  wy_node *node = wy_pool_take(b->pool, sizeof *node);
  node->kind = kind;
  node->line = line;
  return node;
}

static void append(wy_node *parent, wy_node *child) {
  child->parent = parent;
  child->index = parent->count++;
  if (parent->last)
    parent->last->next = child;
  else
    parent->first = child;
  parent->last = child;
}

/* Puts a finished or just opened node where the document is. */
static void place(builder *b, wy_node *node) {
  if (!b->current) {
    b->root = node;
    return;
  }
  if (b->current->kind == WY_MAPPING) {
    node->key = b->key;
    if (node->kind != WY_SCALAR)
      node->line = b->key_line;
    b->key = NULL;
  }
  append(b->current, node);
}

static wy_node *copy_tree(builder *b, const wy_node *source, int depth) {
  if (depth > WY_YAML_DEPTH) {
    fail(b, source->line, "found lists and mappings nested deeper than %d", WY_YAML_DEPTH);
    return NULL;
  }
  wy_node *node = new_node(b, source->kind, source->line);
  if (!node)
    return NULL;
  node->text = source->text;
  for (const wy_node *child = source->first; child; child = child->next) {
    wy_node *copy = copy_tree(b, child, depth + 1);
    if (!copy)
      return NULL;
    copy->key = child->key;
    append(node, copy);
  }
  return node;
}

/* "<<: *base" or a list of them: keys of the base that the mapping does not have itself. */
static void merge(builder *b, wy_node *mapping) {
  wy_node *source = wy_yaml_find(mapping, "<<");
  if (!source || b->failed)
    return;
  wy_node *previous = NULL;
  for (wy_node *child = mapping->first; child != source; child = child->next)
    previous = child;
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
  for (; part && !b->failed; part = part->next) {
    if (part->kind != WY_MAPPING) {
      fail(b, source->line, "<<: found something else; expected an alias of a mapping");
      return;
    }
    for (wy_node *child = part->first, *next; child; child = next) {
      next = child->next;
      if (wy_yaml_find(mapping, child->key))
        continue;
      child->next = NULL;
      append(mapping, child);
    }
  }
  int index = 0;
  for (wy_node *child = mapping->first; child; child = child->next)
    child->index = index++;
}

static const char *token_text(builder *b, struct fy_token *token) {
  size_t length = 0;
  const char *text = token ? fy_token_get_text(token, &length) : NULL;
  return wy_pool_copy(b->pool, text ? text : "", text ? length : 0);
}

static void remember(builder *b, struct fy_token *token, wy_node *node, bool open) {
  if (!token || b->failed)
    return;
  if (++b->anchor_count > WY_YAML_ANCHORS) {
    fail(b, node->line, "found more than %d anchors", WY_YAML_ANCHORS);
    return;
  }
  anchor *entry = wy_pool_take(b->pool, sizeof *entry);
  *entry = (anchor){token_text(b, token), node, open, b->anchors};
  b->anchors = entry;
}

/* A scalar where a key is due. */
static void read_key(builder *b, struct fy_event *event, int line) {
  const char *key = token_text(b, event->scalar.value);
  if (b->current->count >= WY_YAML_KEYS) {
    fail(b, line, "found more than %d keys in one mapping", WY_YAML_KEYS);
    return;
  }
  const wy_node *twin = wy_yaml_find(b->current, key);
  if (twin) {
    char path[256];
    wy_yaml_path(twin, path, sizeof path);
    fail(b, line, "%s: found the same key twice, in line %d and in line %d; expected it once", path, twin->line, line);
    return;
  }
  b->key = key;
  b->key_line = line;
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
  wy_node *node = new_node(b, plain && is_null(text) ? WY_NULL : WY_SCALAR, line);
  if (!node)
    return;
  if (node->kind == WY_SCALAR)
    node->text = text;
  place(b, node);
  remember(b, event->scalar.anchor, node, false);
}

static void read_alias(builder *b, struct fy_event *event, int line) {
  const char *name = token_text(b, event->alias.anchor);
  const anchor *entry = b->anchors;
  while (entry && strcmp(entry->name, name) != 0)
    entry = entry->next;
  if (!entry)
    fail(b, line, "found the alias *%.60s; expected an anchor &%.60s before it", name, name);
  else if (entry->open)
    fail(b, line, "found the alias *%.60s inside of its own anchor", name);
  else {
    wy_node *copy = copy_tree(b, entry->node, b->depth + 1);
    if (copy)
      place(b, copy);
  }
}

static void open_node(builder *b, wy_node_kind kind, struct fy_token *name, const struct fy_mark *mark, int line) {
  if (++b->depth > WY_YAML_DEPTH) {
    fail(b, line, "found lists and mappings nested deeper than %d", WY_YAML_DEPTH);
    return;
  }
  const char begin = mark ? b->text[mark->input_pos] : '\0';
  const bool bracket = begin == '[' || begin == '{';
  b->brackets[b->depth] = bracket ? (wy_yaml_place){mark->line + 1, mark->column + 1} : (wy_yaml_place){0};
  wy_node *node = new_node(b, kind, line);
  if (!node)
    return;
  place(b, node);
  remember(b, name, node, true);
  b->current = node;
}

static void close_node(builder *b) {
  wy_node *node = b->current;
  if (!node)
    return;
  if (node->kind == WY_MAPPING)
    merge(b, node);
  for (anchor *entry = b->anchors; entry; entry = entry->next)
    if (entry->node == node)
      entry->open = false;
  b->current = node->parent;
  b->depth--;
}

static void take_event(builder *b, struct fy_event *event) {
  const struct fy_mark *mark = fy_event_start_mark(event);
  int line = mark ? mark->line + 1 : b->key ? b->key_line : b->current ? b->current->line : 1;
  bool key_due = b->current && b->current->kind == WY_MAPPING && !b->key;
  switch (event->type) {
  case FYET_DOCUMENT_START:
    if (b->root)
      fail(b, line, "found a second document; expected one");
    break;
  case FYET_MAPPING_START:
  case FYET_SEQUENCE_START:
    if (key_due)
      fail(b, line, "found a list or mapping as key; expected a word");
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
      fail(b, line, "found an alias as key; expected a word");
    else
      read_alias(b, event, line);
    break;
  default:
    break;
  }
}

/* Length of the UTF-8 sequence at `p`, or 0 if it is none (overlong forms, surrogates and control characters included).
 */
static int sequence_length(const unsigned char *p) {
  if (p[0] < 0x80)
    return (p[0] >= 0x20 && p[0] != 0x7f) || p[0] == '\t' || p[0] == '\n' || p[0] == '\r' ? 1 : 0;
  int length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  if (p[0] < 0xc2 || p[0] > 0xf4)
    return 0;
  for (int i = 1; i < length; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  bool outside = (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f);
  return overlong || outside ? 0 : length;
}

/* What must be right before the text goes to the YAML reader: size, encoding, no tabs in the indentation. */
static bool check_characters(builder *b, const char *text) {
  int line = 1;
  bool indentation = true;
  const char *tab = NULL;
  for (const char *p = text; *p && !b->failed;) {
    if (p - text >= WY_YAML_BYTES)
      fail(b, 0, "found more than %d bytes; expected a smaller document", WY_YAML_BYTES);
    int length = sequence_length((const unsigned char *)p);
    if (length == 0)
      fail(b, line, "found the byte 0x%02x; expected UTF-8 text", (unsigned char)*p);
    if (*p == '\n') {
      line++;
      indentation = true;
      tab = NULL;
    } else if (*p == '\t' && indentation) {
      tab = p;
    } else if (*p != ' ' && *p != '\r') {
      if (tab && indentation && *p != '#')
        fail(b, line, "found a tab in the indentation; expected spaces");
      indentation = false;
    }
    p += length;
  }
  return !b->failed;
}

/* libfyaml's own complaint, with its place. */
static void parse_error(builder *b, struct fy_diag *diag) {
  void *iterator = NULL;
  const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);
  if (b->failed)
    return;
  b->failed = true;
  const wy_yaml_place at = {first && first->line > 0 ? first->line : 1, first && first->column > 0 ? first->column : 1};
  int open = b->depth; /* what has no bracket of its own, a pair "a: b" in a list, may stand in one that has */
  while (open > 0 && b->brackets[open].line == 0)
    open--;
  wy_yaml_broken(b->text, first && first->msg ? first->msg : "it cannot be read", at, b->brackets[open], b->error);
}

static void read_events(builder *b, const char *text) {
  struct fy_diag_cfg diag_options;
  fy_diag_cfg_default(&diag_options);
  diag_options.fp = NULL;
  diag_options.output_fn = NULL;
  diag_options.colorize = false;
  struct fy_diag *diag = fy_diag_create(&diag_options);
  if (!diag) {
    fail(b, 0, "out of memory");
    return;
  }
  fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg options = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE, .diag = diag};
  struct fy_parser *parser = fy_parser_create(&options);
  if (!parser || fy_parser_set_string(parser, text, strlen(text)) != 0) {
    fail(b, 0, "out of memory");
  } else {
    struct fy_event *event;
    while (!b->failed && (event = fy_parser_parse(parser))) {
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
  builder b = {.pool = pool, .error = error, .text = text};
  error->line = 0;
  error->excerpt[0] = '\0';
  if (!check_characters(&b, text))
    return NULL;
  read_events(&b, text);
  if (b.failed)
    return NULL;
  return b.root ? b.root : new_node(&b, WY_NULL, 1);
}
