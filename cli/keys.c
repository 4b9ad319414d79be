/* SPDX-License-Identifier: MIT */
/* The verb keys: the reference of the scenario file, at the terminal, as a page and for editors. */
#include "cli/keys.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "run/schema/sweep.h"

static int enter(int argc, char **argv);

static const char *top_key(int number) {
  return wy_schema_top.keys[number].name;
}

enum { MARKDOWN = WY_LONG_ONLY, JSON_SCHEMA, SWEEP };

const wy_verb wy_verb_keys = {
    .name = "keys",
    .summary = "print the keys of a scenario file: meanings and examples",
    .operands = {{.name = "[PATH]", .word = top_key}},
    .text = "Prints all keys of a scenario file, one line each. With PATH it prints everything about one key: its "
            "meaning, type, unit, default, possible values and an example. PATH is a key (rods.section.radius), its "
            "last part (section), a path from a message (rods.arm.section) or a value (tendon).\n",
    .options = {{.code = MARKDOWN, .name = "markdown", .text = "print the whole reference as a Markdown page"},
                {.code = JSON_SCHEMA,
                 .name = "json-schema",
                 .text = "print a JSON Schema, with which editors complete and check scenarios. Write it to a file "
                         "FILE and begin a scenario with the line `# yaml-language-server: $schema=FILE`"},
                {.code = SWEEP, .name = "sweep", .text = "print the keys of a plan for `withy sweep` instead"}},
    .exits = {"done", "standard output cannot be written", "there is no such key"},
    .run = enter,
};

enum {
  WIDTH = 100,
  NAME_COLUMN = 20,
  VALUE_COLUMN = 40,
  LABEL_COLUMN = 10,
  MOST_FOUND = 32,
  MOST_KEYS = 256,
  MOST_WORDS = 256
};

/* A key and where it is: "rods.section.radius". */
typedef struct place {
  const wy_mapping *mapping;
  const wy_key *key;
  char path[120];
} place;

static void add_step(char *path, size_t size, const char *step) {
  size_t used = strlen(path);
  snprintf(path + used, size - used, "%s%s", used && *step ? "." : "", step);
}

/* At the first place of its mapping. */
static place place_of(const wy_mapping *mapping, const wy_key *key) {
  place p = {.mapping = mapping, .key = key};
  size_t used = 0;
  for (const char *c = mapping->path; *c && used + 1 < sizeof p.path; c++)
    if (*c != '[' && *c != ']')
      p.path[used++] = *c;
  add_step(p.path, sizeof p.path, key->name);
  return p;
}

/* ---- Text ---- */

/* Without the marks of code, in lines of at most WIDTH that begin with `indent` spaces; the first one has them. */
static void print_wrapped(const char *text, int indent) {
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " "), marks = 0;
    for (int i = 0; i < length; i++)
      marks += text[i] == '`';
    if (column > indent && column + 1 + length - marks > WIDTH) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      putchar(' ');
      column++;
    }
    for (int i = 0; i < length; i++)
      if (text[i] != '`')
        putchar(text[i]);
    column += length - marks;
    text += length + (text[length] == ' ');
  }
  putchar('\n');
}

static void print_labelled(const char *label, const char *text) {
  printf("  %-*s", LABEL_COLUMN, label);
  print_wrapped(text, LABEL_COLUMN + 2);
}

static void print_indented(const char *lines, int indent) {
  while (*lines) {
    int length = (int)strcspn(lines, "\n");
    printf("%*s%.*s\n", indent, "", length, lines);
    lines += length + (lines[length] == '\n');
  }
}

/* ---- The tree ---- */

/* "number > 0, may depend on s [m]". */
static void add_value(const wy_key *key, wy_text *out) {
  wy_keys_value(key, false, false, out);
  if (key->unit && !key->beside.key && !(key->forms & WY_FORM_WHOLE))
    wy_text_add(out, " [%s]", key->unit);
}

/* The first sentence, without the marks of code and the point at its end. */
static void print_sentence(const char *text) {
  const char *end = strstr(text, ". ");
  for (; *text && text != end; text++)
    if (*text != '`' && !(*text == '.' && !text[1]))
      putchar(*text);
}

static bool is_always_required(const wy_key *key) {
  return key->required && !key->with[0];
}

/* " (shape: circle)": the words of the selector that a key goes with. */
static void print_with(const wy_mapping *mapping, const wy_key *key) {
  if (key->with[0])
    printf(" (%s: %s", mapping->selector, key->with[0]);
  for (int i = 1; i < WY_SCHEMA_WITH && key->with[i]; i++)
    printf(", %s", key->with[i]);
  if (key->with[0])
    putchar(')');
}

/* One line: name in a column, value and meaning; `within` is its mapping, or NULL where there is no room for what it
   goes with; `as` is a mapping that is printed elsewhere, or NULL. */
static void print_line(const char *name, const wy_mapping *within, const wy_key *key, int depth, int column,
                       const wy_mapping *as) {
  wy_text left = {0}, value = {0};
  wy_text_add(&left, "%*s%s%s", 2 * depth, "", name, is_always_required(key) ? " *" : "");
  add_value(key, &value);
  printf("%-*s %-*s ", column, left.data, VALUE_COLUMN, value.data);
  print_sentence(key->meaning);
  if (within)
    print_with(within, key);
  if (as)
    printf(", see %s", as->path);
  putchar('\n');
  wy_text_free(&left);
  wy_text_free(&value);
}

/* A mapping that stands at two places is printed at the first. */
static void print_tree(const wy_mapping *mapping, int depth) {
  for (const wy_key *key = mapping->keys; key->name; key++) {
    const bool is_home = wy_schema_is_home(mapping, key);
    if (!wy_schema_is_listed(key))
      continue;
    print_line(key->name, key->required ? mapping : NULL, key, depth, NAME_COLUMN, is_home ? NULL : key->mapping);
    if (is_home)
      print_tree(key->mapping, depth + 1);
  }
}

static void print_all(void) {
  print_tree(&wy_schema_top, 0);
  puts("\n*: required; (shape: ...), (kind: ...): required with that value; (s), (t): may depend on the arc\n"
       "length s, on the time t. Every number may be an expression, and may have its unit behind it: 500 mm.\n"
       "Without one it is in SI units.\n"
       "withy keys PATH explains one key completely: withy keys rods.section");
}

static int print_plan(void) {
  print_tree(&wy_schema_plan, 0);
  puts("\n*: required. The guide to sweeps explains what varies and what is kept: docs/guide/sweep.md");
  return WY_EXIT_DONE;
}

/* ---- One key ---- */

static void print_words(const wy_key *key) {
  wy_word word;
  char meaning[200];
  int width = 0;
  for (int i = 0; wy_schema_word_at(key, i, &word); i++)
    width = (int)strlen(word.name) > width ? (int)strlen(word.name) : width;
  for (int i = 0; wy_schema_word_at(key, i, &word); i++) {
    wy_schema_meaning(&word, meaning, sizeof meaning);
    printf("  %-*s%-*s  ", LABEL_COLUMN, i ? "" : "values", width, word.name);
    print_wrapped(meaning, LABEL_COLUMN + 4 + width);
  }
}

/* What the marks of the lines above it mean, if there are any. */
static void print_legend(bool has_star, const char *selector, bool is_required) {
  if (has_star)
    printf("  *: required%s", selector ? "; " : "\n");
  if (selector)
    printf("%s(%s: ...): %s with that %s only\n", has_star ? "" : "  ", selector, is_required ? "required," : "goes",
           selector);
}

static void print_keys(const wy_mapping *mapping) {
  bool has_star = false, has_with = false, is_required = false;
  puts("\nkeys:");
  for (const wy_key *key = mapping->keys; key->name; key++) {
    if (!wy_schema_is_listed(key))
      continue;
    print_line(key->name, mapping, key, 1, NAME_COLUMN, NULL);
    has_star = has_star || is_always_required(key);
    has_with = has_with || key->with[0];
    is_required = is_required || (key->with[0] && key->required);
  }
  print_legend(has_star, has_with ? mapping->selector : NULL, is_required);
}

/* The key that leads to the mapping of an example, as it is called here: `start` and `end` have the same one. */
static void step_to_example(const place *p, char *out, size_t size) {
  size_t end = strlen(p->path), begin;
  if (!p->key->mapping)
    end -= strlen(p->key->name);
  end -= end && p->path[end - 1] == '.';
  for (begin = end; begin && p->path[begin - 1] != '.';)
    begin--;
  snprintf(out, size, "%.*s", (int)(end - begin), p->path + begin);
}

static void print_example(const place *p, const wy_mapping *mapping, const wy_example *example) {
  wy_text text = {0};
  char step[64];
  step_to_example(p, step, sizeof step);
  wy_keys_example(step, mapping, example, &text);
  print_indented(text.data, 2);
  wy_text_free(&text);
}

static void print_examples(const place *p) {
  const wy_example *only = p->key->mapping ? NULL : wy_schema_example(p->mapping, p->key->name);
  if (!p->key->mapping && !only)
    return;
  puts("\nexample:");
  if (only) {
    print_example(p, p->mapping, only);
    return;
  }
  for (const wy_example *example = p->key->mapping->examples; example->text; example++)
    print_example(p, p->key->mapping, example);
}

/* What a mapping is about says more than its key; where it stands a second time, or is one of several forms, both
 * count.
 */
static void print_meaning(const place *p) {
  const wy_key *key = p->key;
  const bool is_home = wy_schema_is_home(p->mapping, key), has_forms = key->forms & (key->forms - 1);
  if (!is_home || has_forms) {
    printf("  ");
    print_wrapped(key->meaning, 2);
  }
  if (key->mapping) {
    printf("  ");
    print_wrapped(key->mapping->summary, 2);
  }
  putchar('\n');
}

static void print_place(const place *p) {
  wy_text value = {0}, condition = {0};
  const wy_key *key = p->key;
  printf("%s\n", p->path);
  print_meaning(p);
  wy_keys_value(key, !key->words, false, &value);
  print_labelled("value", value.data);
  char unit[64];
  wy_schema_unit(key, unit, sizeof unit);
  if (unit[0])
    print_labelled("unit", unit);
  print_labelled("default", wy_keys_default(key));
  wy_keys_condition(p->mapping, key, &condition);
  if (condition.length)
    print_labelled("when", condition.data);
  print_words(key);
  if (key->mapping)
    print_keys(key->mapping);
  print_examples(p);
  wy_text_free(&value);
  wy_text_free(&condition);
}

/* ---- Finding it ---- */

typedef struct search {
  const char *word;
  bool by_word; /* looks for a word of a key, else for a key */
  place found[MOST_FOUND];
  int count;
  place all[MOST_KEYS];
  int all_count;
} search;

/* Is what is left of a path nothing, the number of an entry ("force[2]") or a name of one's own ("constants.L")? */
static bool ends_in_entry(const wy_key *key, const char *rest) {
  const unsigned lists =
      WY_FORM_VECTOR | WY_FORM_NUMBERS | WY_FORM_RODS | WY_FORM_NAMES | WY_FORM_ROWS | WY_FORM_PLACES;
  return !*rest || ((key->forms & lists) && strspn(rest, "0123456789]") == strlen(rest)) ||
         ((key->forms & WY_FORM_NAMED) && !strpbrk(rest, ".[]"));
}

/* Follows a path from a mapping on. As in messages and after --set, entries of lists may have a name or a number:
   "rods.arm.length", "loads[0].force". False if it leads nowhere. */
static bool follow(const wy_mapping *mapping, const char *path, place *out) {
  bool in_list = false, in_named = false;
  *out = place_of(mapping, &(wy_key){.name = ""});
  while (*path && mapping) {
    char step[64];
    size_t length = strcspn(path, ".[]");
    snprintf(step, sizeof step, "%.*s", (int)length, path);
    path += length + strspn(path + length, ".[]");
    const wy_key *key = wy_schema_key(mapping, step);
    const bool is_entry = !key && (in_named || (in_list && (*path || strspn(step, "0123456789") == length)));
    if (!key && !is_entry)
      return false;
    in_list = key && (key->forms & (WY_FORM_LIST | WY_FORM_PLACES));
    in_named = key && (key->forms & WY_FORM_NAMED);
    if (is_entry)
      continue;
    out->mapping = mapping;
    out->key = key;
    add_step(out->path, sizeof out->path, step);
    mapping = key->mapping;
  }
  return out->key->name[0] && ends_in_entry(out->key, path);
}

static bool has_word(const wy_key *key, const char *name) {
  wy_word word;
  for (int i = 0; wy_schema_word_at(key, i, &word); i++)
    if (strcmp(word.name, name) == 0 || (word.other && strcmp(word.other, name) == 0))
      return true;
  return false;
}

static void look_at(const wy_mapping *mapping, void *context) {
  search *s = context;
  place p;
  for (const wy_key *key = mapping->keys; key->name && s->all_count < MOST_KEYS; key++) {
    if (key->old)
      continue;
    s->all[s->all_count++] = place_of(mapping, key);
    if (s->by_word && has_word(key, s->word) && s->count < MOST_FOUND)
      s->found[s->count++] = place_of(mapping, key);
  }
  if (!s->by_word && s->count < MOST_FOUND && follow(mapping, s->word, &p))
    s->found[s->count++] = p;
}

/* Suggests a path for a path, a key or word for one. */
static int refuse(const char *asked, const search *s) {
  const char *names[MOST_KEYS + MOST_WORDS];
  const bool is_path = strchr(asked, '.') != NULL;
  wy_word word;
  int count = 0;
  for (int i = 0; i < s->all_count; i++) {
    names[count++] = is_path ? s->all[i].path : s->all[i].key->name;
    for (int k = 0; !is_path && count < MOST_WORDS && wy_schema_word_at(s->all[i].key, k, &word); k++)
      names[count++] = word.name;
  }
  const char *close = wy_suggest(asked, names, count);
  if (close)
    fprintf(stderr, "withy: unknown key '%s'; did you mean '%s'?\n", asked, close);
  else
    fprintf(stderr, "withy: unknown key '%s'; withy keys prints all of them\n", asked);
  return WY_EXIT_INPUT;
}

static int print_one(const place *p) {
  if (p->key->later) {
    fprintf(stderr, "withy: %s\n", p->key->later);
    return WY_EXIT_INPUT;
  }
  print_place(p);
  return WY_EXIT_DONE;
}

static int print_found(const char *word) {
  search s = {.word = word};
  place exact;
  int column = 0;
  bool has_star = false;
  if (follow(&wy_schema_top, word, &exact))
    return print_one(&exact);
  wy_schema_walk(look_at, &s);
  if (s.count == 0) {
    s = (search){.word = word, .by_word = true};
    wy_schema_walk(look_at, &s);
  }
  if (s.count == 0)
    return refuse(word, &s);
  if (s.count == 1)
    return print_one(&s.found[0]);
  printf("%s is at %d places:\n", word, s.count);
  for (int i = 0; i < s.count; i++)
    column = (int)strlen(s.found[i].path) > column ? (int)strlen(s.found[i].path) : column;
  for (int i = 0; i < s.count; i++) {
    print_line(s.found[i].path, s.found[i].mapping, s.found[i].key, 1, column + 4, NULL);
    has_star = has_star || is_always_required(s.found[i].key);
  }
  print_legend(has_star, NULL, false);
  return WY_EXIT_DONE;
}

/* ---- The verb ---- */

static int write_text(void (*make)(wy_text *out)) {
  wy_text text = {0};
  make(&text);
  fwrite(text.data, 1, text.length, stdout);
  wy_text_free(&text);
  return WY_EXIT_DONE;
}

static int enter(int argc, char **argv) {
  bool markdown = false, json = false, sweep = false;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_keys)) != -1;) {
    if (option == WY_OPTION_HELP)
      return WY_EXIT_DONE;
    if (option == WY_OPTION_WRONG)
      return WY_EXIT_INPUT;
    markdown = markdown || option == MARKDOWN;
    json = json || option == JSON_SCHEMA;
    sweep = sweep || option == SWEEP;
  }
  const int operands = argc - optind, forms = markdown + json + sweep;
  if (operands > 1)
    return wy_verb_usage(&wy_verb_keys, "found %d operands; expected at most one", operands);
  if (operands + forms > 1)
    return wy_verb_usage(&wy_verb_keys, "expected one of PATH, --markdown, --json-schema and --sweep");
  if (sweep)
    return print_plan();
  if (forms)
    return write_text(markdown ? wy_keys_markdown : wy_keys_json_schema);
  if (operands)
    return print_found(argv[optind]);
  print_all();
  return WY_EXIT_DONE;
}
