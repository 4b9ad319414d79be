/* SPDX-License-Identifier: MIT */
/* The scenario reference as a page: docs/guide/reference.md. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/keys.h"

static const char head[] =
    "# Scenario reference\n"
    "\n"
    "Every key of a [scenario file](scenario.md), as withy itself knows them: this page is printed by\n"
    "`withy keys --markdown`. At the terminal `withy keys` prints all keys, `withy keys section` says all about one.\n"
    "`withy keys --json-schema` writes a JSON Schema, with which [editors](#in-an-editor) complete and check files.\n"
    "\n"
    "A complete scenario:\n"
    "\n";

static const char after_example[] =
    "\n"
    "Save it as `arm.yaml`; `withy run arm.yaml` runs it and `withy view arm.out` "
    "plays it. Only `withy`, `time` and one\n"
    "rod with `length`, `section` and `material` are required.\n"
    "\n"
    "**Numbers** are [expressions](expressions.md): `1e6`, `2*pi`, `\"L/2\"`. Where "
    "a value may depend on s, it may vary along\n"
    "the rod: s is the arc length of the undeformed rod. Where it may depend on t, it "
    "may change in time. A number may have its\n"
    "[unit](scenario.md#units) behind it: `500 mm`; without one it is in the SI unit that stands here. "
    "Directions and signs: [notation](../notation.md).\n"
    "\n"
    "## I want to change ...\n"
    "\n"
    "| what | where | for example |\n"
    "|---|---|---|\n";

static const char editor[] =
    "\n"
    "## In an editor\n"
    "\n"
    "Editors with a YAML language server complete keys, show their meaning and underline mistakes if the file begins "
    "with\n"
    "the name of a schema:\n"
    "\n"
    "```\n"
    "withy keys --json-schema > scenario.schema.json\n"
    "```\n"
    "\n"
    "```yaml\n"
    "# yaml-language-server: $schema=scenario.schema.json\n"
    "withy: 1\n"
    "```\n"
    "\n"
    "`withy check` finds more mistakes than the schema: it also evaluates expressions and checks combinations of "
    "keys.\n";

/* What people ask first, and the mapping or key of a mapping that answers. */
static const struct {
  const char *wish, *path, *key;
} wishes[] = {
    {"the length of the rod", "rods[]", "length"},
    {"how finely it is divided", "rods[]", "segments"},
    {"the section", "rods[].section", NULL},
    {"the material", "rods[].material", NULL},
    {"how fast it comes to rest", "rods[].damping", NULL},
    {"the ends: what holds the rod", "rods[].ends", NULL},
    {"an end that moves", "rods[].ends.start", NULL},
    {"the shape: where it is, how it is curved", "rods[].shape", NULL},
    {"how it starts", "rods[].initial", NULL},
    {"the load", "loads[]", NULL},
    {"a tendon or a chamber", "actuators[]", NULL},
    {"a measured motion or load", "tables.NAME", NULL},
    {"gravity", "", "gravity"},
    {"the time: how long, how often", "time", NULL},
    {"what is computed", "", "analysis"},
    {"what is written down", "probes[]", NULL},
    {"the method", "solver", NULL},
};

/* ---- Text ---- */

/* Stars are no emphasis, bars no columns. */
static void add_escaped(const char *text, wy_text *out) {
  bool is_code = false;
  for (; *text; text++) {
    is_code = is_code != (*text == '`');
    if (*text == '|' || (!is_code && *text == '*'))
      wy_text_add(out, "\\");
    wy_text_append(out, text, 1);
  }
}

static void add_link(const wy_mapping *mapping, const char *text, wy_text *out) {
  char slug[64];
  wy_keys_slug(mapping, slug, sizeof slug);
  wy_text_add(out, "[%s](#%s)", text, slug);
}

/* ---- Wishes ---- */

typedef struct search {
  const char *path;
  const wy_mapping *found;
} search;

static void compare_path(const wy_mapping *mapping, void *context) {
  search *s = context;
  if (strcmp(mapping->path, s->path) == 0)
    s->found = mapping;
}

static const wy_mapping *mapping_at(const char *path) {
  search s = {path, NULL};
  wy_schema_walk(compare_path, &s);
  return s.found;
}

/* The line of a key in an example that has lines. */
static void add_line_of(const wy_mapping *mapping, const char *key, wy_text *out) {
  const char *line = wy_schema_example(mapping, key)->text;
  const size_t length = strlen(key);
  while (line && (strncmp(line, key, length) != 0 || line[length] != ':')) {
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
  if (line)
    wy_text_add(out, "%.*s", (int)strcspn(line, "\n"), line);
}

static void add_wish(const char *wish, const wy_mapping *mapping, const char *key, wy_text *out) {
  char name[100];
  const char *point = mapping->path[0] && key ? "." : "";
  snprintf(name, sizeof name, "`%s%s%s`", mapping->path, point, key ? key : "");
  wy_text_add(out, "| %s | ", wish);
  add_link(mapping, name, out);
  wy_text_add(out, " | `");
  if (key) {
    add_line_of(mapping, key, out);
  } else {
    wy_keys_step(mapping, name, sizeof name);
    if (mapping->named)
      wy_text_add(out, "%s: {%s: %s}", name, mapping->named, mapping->examples[0].text);
    else
      wy_text_add(out, mapping->plural ? "%s: [%s]" : "%s: %s", name, mapping->examples[0].text);
  }
  wy_text_add(out, "` |\n");
}

static void add_content(const wy_mapping *mapping, void *context) {
  if (mapping == &wy_schema_top)
    return;
  add_link(mapping, mapping->what, context);
  wy_text_add(context, ",\n");
}

/* ---- Mappings ---- */

static void add_value(const wy_key *key, wy_text *out) {
  wy_text value = {0};
  wy_keys_value(key, true, true, &value);
  const bool several = (key->forms & (WY_FORM_LIST | WY_FORM_NAMED | WY_FORM_PLACES)) != 0;
  const char *word = key->mapping ? (several ? key->mapping->plural : "mapping") : NULL;
  char *place = word ? strstr(value.data, word) : NULL;
  if (place) {
    wy_text_add(out, "%.*s", (int)(place - value.data), value.data);
    add_link(key->mapping, word, out);
    wy_text_add(out, "%s", place + strlen(word));
  } else {
    add_escaped(value.data, out);
  }
  char unit[64];
  wy_schema_unit(key, unit, sizeof unit);
  if (unit[0])
    wy_text_add(out, ", in %s", unit);
  wy_text_free(&value);
}

static void add_key(const wy_mapping *mapping, const wy_key *key, wy_text *out) {
  wy_text condition = {0};
  wy_keys_condition(mapping, key, &condition);
  wy_text_add(out, "| `%s` | ", key->name);
  add_value(key, out);
  wy_text_add(out, " | ");
  add_escaped(wy_keys_default(key), out);
  wy_text_add(out, " | ");
  add_escaped(key->meaning, out);
  wy_text_add(out, "%s%s |\n", condition.data ? " " : "", condition.data ? condition.data : "");
  wy_text_free(&condition);
}

static void add_words(const wy_mapping *mapping, const wy_key *key, wy_text *out) {
  wy_word word;
  char meaning[200];
  for (const wy_key *before = mapping->keys; before < key; before++)
    if (before->words == key->words)
      return; /* the same words again */
  wy_text_add(out, "\nValues of `%s`:\n\n", key->name);
  for (int i = 0; wy_schema_word_at(key, i, &word); i++) {
    wy_schema_meaning(&word, meaning, sizeof meaning);
    wy_text_add(out, "- `%s`: ", word.name);
    add_escaped(meaning, out);
    wy_text_add(out, "\n");
  }
}

/* Entries of a list follow each other, other examples stand for themselves. */
static void add_examples(const wy_mapping *mapping, wy_text *out) {
  bool is_block = mapping->examples[0].text[0] != '{' || mapping->named;
  char step[64];
  wy_keys_step(mapping, step, sizeof step);
  wy_text_add(out, "\n```yaml\n");
  for (const wy_example *example = mapping->examples; example->text; example++) {
    wy_text text = {0};
    wy_keys_example(step, mapping, example, &text);
    const char *rest = text.data;
    if (mapping->plural && !is_block && example > mapping->examples)
      rest += strcspn(rest, "\n") + 1; /* the key of the list is there already */
    wy_text_add(out, "%s%s", is_block && example > mapping->examples ? "```\n\n```yaml\n" : "", rest);
    wy_text_free(&text);
  }
  wy_text_add(out, "```\n");
}

static void add_mapping(const wy_mapping *mapping, void *context) {
  wy_text *out = context;
  const char *level = strchr(mapping->path, '.') && !mapping->named ? "###" : "##";
  wy_text_add(out, "\n%s %c%s\n\n", level, toupper((unsigned char)mapping->what[0]), mapping->what + 1);
  if (mapping->path[0])
    wy_text_add(out, "`%s`. ", mapping->path);
  add_escaped(mapping->summary, out);
  if (mapping->more)
    wy_text_add(out, " More: %s.", mapping->more);
  wy_text_add(out, "\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (wy_schema_is_listed(key))
      add_key(mapping, key, out);
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (key->words && !key->old)
      add_words(mapping, key, out);
  if (mapping->path[0]) /* the whole file is at the top of the page */
    add_examples(mapping, out);
}

static void add_reserved_of(const wy_mapping *mapping, void *context) {
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (key->later)
      wy_text_add(context, ", `%s%s%s`", mapping->path, mapping->path[0] ? "." : "", key->name);
}

/* Names that the format keeps for later. */
static void add_reserved(wy_text *out) {
  wy_text names = {0};
  wy_schema_walk(add_reserved_of, &names);
  wy_text_add(out, "\n## Reserved\n\nNames that this version refuses: %s.\n", names.data + strlen(", "));
  wy_text_free(&names);
}

void wy_keys_markdown(wy_text *out) {
  wy_text_add(out, "%s```yaml\n%s```\n%s", head, wy_schema_top.examples[0].text, after_example);
  for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
    add_wish(wishes[i].wish, mapping_at(wishes[i].path), wishes[i].key, out);
  wy_text_add(out, "\nContents: [the scenario](#the-scenario),\n");
  wy_schema_walk(add_content, out);
  wy_text_add(out, "[reserved names](#reserved), [editors](#in-an-editor)\n");
  wy_schema_walk(add_mapping, out);
  add_reserved(out);
  wy_text_add(out, "%s", editor);
}
