/* SPDX-License-Identifier: MIT */
/* The schema and the reader agree: every key, word and example of the schema is read, everything else is refused with
   what the schema has. Every test walks the whole schema, so that a new key is tested without a new test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/distances.h"
#include "run/schema/schema.h"
#include "run/tree/yaml.h"
#include "support/scenario.h"
#include "withy/sundials.h"

enum { LONGEST = 2000, MOST_SETTINGS = 6 };

/* ---- A scenario around an example ---- */

/* The text that is read, and what --set changes in it. */
typedef struct trial {
  char text[LONGEST];
  char settings[MOST_SETTINGS][LONGEST];
  int count;
  char path[200]; /* of the mapping, for --set: "rods.0.section" */
} trial;

static void set(trial *t, const char *path, const char *value) {
  check_below(t->count, MOST_SETTINGS);
  snprintf(t->settings[t->count++], LONGEST, "%.300s=%.1600s", path, value);
}

static void set_key(trial *t, const char *key, const char *value) {
  char path[300];
  snprintf(path, sizeof path, "%s%s%s", t->path, t->path[0] ? "." : "", key);
  set(t, path, value);
}

/* "rods[].section" becomes "rods.0.section". */
static void settable_path(const char *path, char *out, size_t size) {
  size_t used = 0;
  for (; *path && used + 3 < size; path++)
    if (strncmp(path, "[]", 2) == 0) {
      out[used++] = '.';
      out[used++] = '0';
      path++;
    } else {
      out[used++] = *path;
    }
  out[used] = '\0';
}

static void add_text(char *out, size_t size, const char *text) {
  const size_t used = strlen(out);
  snprintf(out + used, size - used, "%s", text);
}

/* Lines with an indentation of 4, the first one after a dash. */
static void add_entry(char *out, size_t size, const char *text) {
  size_t used = strlen(out);
  const char *indent = "  - ";
  while (*text && used < size) {
    size_t length = strcspn(text, "\n") + 1;
    used += (size_t)snprintf(out + used, size - used, "%s%.*s", indent, (int)length, text);
    text += length;
    indent = "    ";
  }
}

/* What an example of a network needs around it: a body, and the joint that it is a part of. */
static void set_network(trial *t, const char *path, const char *text) {
  const char *body = "[{name: hub, mass: 1, inertia: [1, 1, 1]}]";
  if (strncmp(path, "bodies[].", strlen("bodies[].")) == 0 || (strncmp(path, "bodies", 6) != 0 && strstr(text, "hub")))
    set(t, "bodies", body);
  if (strcmp(path, "joints[].spring") == 0)
    set(t, "joints", "[{kind: hinge, axis: [0, 1, 0], of: [arm.start, ground]}]");
  if (strstr(text, "where: meet"))
    set(t, "rods.0.copies", "{circle: 3}");
  if (strstr(text, "joint: corner"))
    set(t, "joints", "[{name: corner, kind: ball, of: [arm.start, ground]}]");
  if (strstr(text, "joint: elbow"))
    set(t, "joints", "[{name: elbow, kind: hinge, axis: [0, 1, 0], of: [arm.start, ground]}]");
  if (strstr(text, "spring: tie"))
    set(t, "springs", "[{name: tie, stiffness: 1, length: 1, of: [arm.start, {ground: [0, 1, 0]}]}]");
  if (strcmp(path, "joints[].of[]") == 0)
    set(t, "joints", "[{kind: ball, assemble: true, of: []}]");
}

/* What an example of contact needs around it: something to touch. */
static void set_obstacles(trial *t, const char *path, const char *text) {
  if (strcmp(path, "obstacles[]") == 0) /* above a plane through the origin */
    set(t, "rods.0.shape.origin", "[0, 0, 0.02]");
  if (strstr(text, "shape: distance")) /* which rods of their own cannot touch */
    set(t, "rods.0.contact", "false");
  if (strcmp(path, "obstacles[].rotation") == 0 || strstr(text, "obstacle: drum"))
    set(t, "obstacles", "[{name: drum, shape: cylinder, radius: 0.05, position: [0, 0, -0.6], axis: [0, 1, 0]}]");
  if (strncmp(path, "contact", strlen("contact")) == 0)
    set(t, "obstacles", "[{name: floor, shape: plane, position: [0, 0, -0.5]}]");
}

/* What an example of batches needs around it: a rod that can be a pattern, and the batch that it is a part of. */
static void set_batches(trial *t, const char *path, const char *text) {
  if (strncmp(path, "batches", 7) != 0 && !strstr(text, "batch: head"))
    return;
  set(t, "rods.0.ends.start", "clamped");
  set(t, "rods.0.damping", "{time: 1e-3}");
  if (strstr(text, "follow: drum"))
    set(t, "obstacles", "[{name: drum, shape: cylinder, radius: 0.05, position: [0, 0, -0.6], axis: [0, 1, 0]}]");
  if (strcmp(path, "batches[]") != 0)
    set(t, "batches",
        strstr(text, "roots.csv") || strstr(text, "from:") ? "[{name: head, rod: arm}]"
        : strstr(text, "hairs.csv")                        ? "[{name: head, rod: arm, count: 3}]"
                                                           : "[{name: head, rod: arm, count: 512}]");
}

/* The smallest scenario in which the example stands, and what the example itself needs beside it. */
static trial begin(const wy_mapping *mapping, const wy_example *example) {
  trial t = {.count = 0};
  bool has_length =
      !strstr(mapping->path, "helix") && !strstr(example->text, "helix") && !strstr(example->text, "points");
  settable_path(mapping->path, t.path, sizeof t.path);
  if (!mapping->path[0]) {
    snprintf(t.text, sizeof t.text, "%s", example->text);
  } else if (strcmp(mapping->path, "rods[]") == 0) {
    snprintf(t.text, sizeof t.text, HEAD);
    add_entry(t.text, sizeof t.text, example->text);
  } else {
    char list[LONGEST], name[200];
    snprintf(t.text, sizeof t.text, HEAD "  - name: arm\n%s" SECTION MATERIAL, has_length ? "    length: 1\n" : "");
    size_t length = strlen(t.path), entry = strlen(".0");
    bool is_entry = length > entry && strcmp(t.path + length - entry, ".0") == 0;
    set_network(&t, mapping->path, example->text);
    set_obstacles(&t, mapping->path, example->text);
    set_batches(&t, mapping->path, example->text);
    if (strcmp(mapping->path, "bodies[]") == 0) { /* its examples are written line by line */
      snprintf(t.text, sizeof t.text, "withy: 1\ntime: {end: 1}\nbodies:\n");
      add_entry(t.text, sizeof t.text, example->text);
      add_text(t.text, sizeof t.text, "rods:\n  - name: arm\n    length: 1\n" SECTION MATERIAL);
      return t;
    }
    const bool place = strcmp(mapping->path, "joints[].of[]") == 0; /* one of two that a joint has */
    snprintf(list, sizeof list, place ? "[%s, arm.end]" : is_entry ? "[%s]" : "%s", example->text);
    snprintf(name, sizeof name, "%.*s", (int)(is_entry ? length - entry : length), t.path);
    set(&t, name, list);
  }
  if (strstr(example->text, "path: hand"))
    set(&t, "tables.hand",
        "{rows: [[0, 0, 0, 0, 1, 0, 0, 0], [1, 0, 1, 0, 1, 1, 0, 0]], columns: [x, y, z, qw, qx, qy, qz]}");
  if (strstr(example->text, "scheme: box"))
    set(&t, "rods.0.model", "inextensible");
  return t;
}

/* A floor far below, as the text that files of distances become. */
static char *small_grid(void) {
  float values[64];
  for (int i = 0; i < 64; i++)
    values[i] = (float)(i % 4) - 1.5F;
  char *text = wy_grid_write(&(wy_distance_grid){{4, 4, 4}, {-1.5, -1.5, -3}, {1, 1, 1}, values});
  assert_non_null(text);
  return text;
}

static bool is_read(const trial *t, wy_scenario_error *error) {
  const char *settings[MOST_SETTINGS];
  wy_scenario *scenario = NULL;
  for (int i = 0; i < t->count; i++)
    settings[i] = t->settings[i];
  *error = (wy_scenario_error){.text = ""};
  char *grid = small_grid();
  const wy_scenario_file files[] = {{"hand.csv", "t,x,y,z\n0,0,0,0\n0.5,0.1,0,0\n1,0,0,0\n"},
                                    {"hose.csv", "x,y,z\n0,0,0\n500,100,0\n1000,0,0\n"},
                                    {"roots.csv", "x,y,z\n0,0,0\n0.1,0,0\n"},
                                    {"hairs.csv", "radius\n0.003\n0.004\n0.005\n"},
                                    {"head.h5", grid}}; /* of examples */
  bool done =
      wy_scenario_read_with("test.yaml", "test", t->text, settings, t->count, files, 5, &scenario, error) == WY_OK;
  free(grid);
  wy_scenario_destroy(scenario);
  return done || strstr(error->text, "this version cannot compute"); /* it is read, and not available yet */
}

/* Refused at this key of the mapping, with this in the message. Entries of lists are called by name or number. */
static void check_refused_at(const trial *t, const char *key, const char *want) {
  wy_scenario_error error;
  char place[100];
  snprintf(place, sizeof place, "%s: ", key);
  if (is_read(t, &error))
    fail_msg("%s.%s: read, want '%s'", t->path, key, want);
  if (!strstr(error.text, place) || !strstr(error.text, want))
    fail_msg("got '%s', want '%s' and '%s' in it", error.text, place, want);
}

/* ---- Walking the schema ---- */

typedef struct key_visit {
  void (*visit)(const wy_mapping *mapping, const wy_key *key);
} key_visit;

static void visit_keys(const wy_mapping *mapping, void *context) {
  const key_visit *with = context;
  for (const wy_key *key = mapping->keys; key->name; key++)
    if (wy_schema_is_listed(key))
      with->visit(mapping, key);
}

/* All that a scenario may have. */
static void walk_keys(void (*visit)(const wy_mapping *mapping, const wy_key *key)) {
  wy_schema_walk(visit_keys, &(key_visit){visit});
}

static trial begin_with(const wy_mapping *mapping, const wy_key *key) {
  const wy_example *example = wy_schema_example(mapping, key->name);
  if (!example)
    fail_msg("%s.%s is in no example", mapping->path, key->name);
  return begin(mapping, example);
}

/* ---- Tests ---- */

static void check_texts(const wy_mapping *mapping, void *context) {
  int *second_places = context;
  assert_non_null(mapping->what);
  assert_non_null(mapping->summary);
  assert_true(!mapping->selector || wy_schema_key(mapping, mapping->selector));
  for (const wy_key *key = mapping->keys; key->name; key++) {
    const bool has_words = (key->forms & (WY_FORM_WORD | WY_FORM_CHOICE)) != 0;
    const bool has_mapping = (key->forms & (WY_FORM_MAPPING | WY_FORM_LIST | WY_FORM_PLACES)) != 0 ||
                             ((key->forms & WY_FORM_NAMED) && key->mapping);
    assert_true(wy_schema_key(mapping, key->name) == key); /* no name twice */
    if (key->later)
      continue;
    assert_true(key->forms != 0);
    assert_true(key->required != (key->fallback != NULL));
    assert_true(has_words == (key->words != NULL));
    assert_true(has_mapping == (key->mapping != NULL));
    *second_places += has_mapping && !wy_schema_is_home(mapping, key);
    assert_non_null(key->meaning);
    assert_true(key->meaning[strlen(key->meaning) - 1] == '.');
    wy_word word, found;
    for (int i = 0; wy_schema_word_at(key, i, &word); i++)
      assert_true(wy_schema_word(key, word.name, &found) && found.name == word.name && word.meaning);
    for (int i = 0; i < WY_SCHEMA_WITH && key->with[i]; i++)
      assert_true(wy_schema_word(wy_schema_key(mapping, mapping->selector), key->with[i], &found));
  }
}

static void the_schema_is_complete(void **state) {
  (void)state;
  int second_places = 0;
  wy_schema_walk(check_texts, &second_places);
  assert_int_equal(
      second_places,
      12); /* rods[].solver, rods[].fluid, rods[].ends.end, joints[].rotation, springs[].of, batches[].motion.rotation,
             and the seven numbers of batches[].vary but one: all others are where their path says */
}

static void read_examples(const wy_mapping *mapping, void *context) {
  (void)context;
  wy_scenario_error error;
  for (const wy_example *example = mapping->examples; example->text; example++) {
    trial t = begin(mapping, example);
    if (!is_read(&t, &error))
      fail_msg("%s: the example %s: %s", mapping->path, example->text, error.text);
  }
}

static void every_example_is_read(void **state) {
  (void)state;
  wy_schema_walk(read_examples, NULL);
}

/* The message lists the keys of the schema, all of them and no others. */
static void refuse_unknown(const wy_mapping *mapping, void *context) {
  (void)context;
  const char *names[WY_SCHEMA_MOST];
  char list[600], want[700];
  trial t = begin(mapping, mapping->examples);
  wy_scenario_error error;
  set_key(&t, "zzzzzzzz", "1");
  wy_schema_join(names, wy_schema_names(mapping, NULL, names), list, sizeof list);
  snprintf(want, sizeof want, "found an unknown key; expected one of %s", list);
  assert_false(is_read(&t, &error));
  if (strlen(error.text) < strlen(want) || strcmp(error.text + strlen(error.text) - strlen(want), want) != 0)
    fail_msg("got '%s', want '%s' at its end", error.text, want);
}

static void unknown_keys_are_refused_with_those_of_the_schema(void **state) {
  (void)state;
  wy_schema_walk(refuse_unknown, NULL);
}

/* No key has a list of mappings without keys as a value: a key that the reader does not look at would be accepted. */
static void refuse_nonsense_of_key(const wy_mapping *mapping, const wy_key *key) {
  trial t = begin_with(mapping, key);
  wy_scenario_error error;
  set_key(&t, key->name, "[[{}]]");
  if (is_read(&t, &error))
    fail_msg("%s.%s: the reader does not look at it", mapping->path, key->name);
  if (!strstr(error.text, key->name) || !strstr(error.text, "found a"))
    fail_msg("%s.%s: got '%s'", mapping->path, key->name, error.text);
}

static void every_key_is_looked_at(void **state) {
  (void)state;
  walk_keys(refuse_nonsense_of_key);
}

static void refuse_nothing_of_key(const wy_mapping *mapping, const wy_key *key) {
  char expected[700], want[800];
  if (!key->required || key->mapping == &wy_schema_top)
    return;
  trial t = begin_with(mapping, key);
  set_key(&t, key->name, "");
  wy_schema_expected(key, false, expected, sizeof expected);
  snprintf(want, sizeof want, "found nothing; expected %s", expected);
  if (strcmp(key->name, "baumgarte") != 0) /* without rates it has its own */
    check_refused_at(&t, key->name, want);
}

static void required_keys_are_required(void **state) {
  (void)state;
  walk_keys(refuse_nothing_of_key);
}

/* A word may need other keys beside it, or another scheme; but it is known, and what it needs is another key. */
static void read_words_of_key(const wy_mapping *mapping, const wy_key *key) {
  wy_scenario_error error;
  wy_word word;
  for (int i = 0; wy_schema_word_at(key, i, &word); i++) {
    trial t = begin_with(mapping, key);
    set_key(&t, key->name, word.name);
    if (!is_read(&t, &error) && strstr(error.text, "expected one of"))
      fail_msg("%s.%s: %s: %s", mapping->path, key->name, word.name, error.text);
  }
  if (key->words && !(key->forms & (WY_FORM_VECTOR | WY_FORM_NUMBER)) && !key->expected) {
    char expected[700];
    trial t = begin_with(mapping, key);
    set_key(&t, key->name, "zzzzzzzz");
    wy_schema_expected(key, false, expected, sizeof expected);
    check_refused_at(&t, key->name, expected);
  }
}

static void every_word_is_read(void **state) {
  (void)state;
  walk_keys(read_words_of_key);
}

static void refuse_signs_of_key(const wy_mapping *mapping, const wy_key *key) {
  if (!(key->forms & WY_FORM_NUMBER) || key->sign == WY_ANY_SIGN)
    return;
  trial t = begin_with(mapping, key);
  set_key(&t, key->name, "-1");
  check_refused_at(&t, key->name, "found ");
  t = begin_with(mapping, key);
  set_key(&t, key->name, "0");
  if (key->sign == WY_POSITIVE)
    check_refused_at(&t, key->name, "found ");
}

static void signs_are_checked(void **state) {
  (void)state;
  walk_keys(refuse_signs_of_key);
}

/* A default that is a word or a number, and not a text about it, may be written down. */
static void read_default_of_key(const wy_mapping *mapping, const wy_key *key) {
  size_t length = key->fallback ? strlen(key->fallback) : 0;
  char value[100] = "";
  wy_scenario_error error;
  if (length > 2 && key->fallback[0] == '`' && key->fallback[length - 1] == '`')
    snprintf(value, sizeof value, "%.*s", (int)length - 2, key->fallback + 1);
  wy_word word;
  if (!wy_schema_word(key, value, &word) && (!value[0] || strspn(value, "0123456789.e-[], ") != strlen(value)))
    return;
  trial t = begin_with(mapping, key);
  set_key(&t, key->name, value);
  if (!is_read(&t, &error) && strcmp(key->name, "analysis") != 0) /* dynamics needs a time */
    fail_msg("%s.%s: the default %s: %s", mapping->path, key->name, value, error.text);
}

static void defaults_may_be_written_down(void **state) {
  (void)state;
  walk_keys(read_default_of_key);
}

/* Names that the library has are words of the schema, and the other way round. */
static void check_names(const char *key, const char *const *names, int count, int more) {
  const wy_key *found = wy_schema_key(&wy_schema_solver, key);
  const char *words[WY_SCHEMA_MOST];
  assert_int_equal(wy_schema_word_names(found, words), count + more);
  for (int i = 0; i < count; i++) {
    bool known = false;
    for (int k = 0; k < count + more; k++)
      known = known || strcmp(words[k], names[i]) == 0;
    if (!known)
      fail_msg("solver.%s: the schema does not know '%s'", key, names[i]);
  }
}

/* What `withy keys` and the reference say of an integrator comes from its row in the table. */
static void integrators_are_explained_by_their_rows(void **state) {
  (void)state;
  const wy_key *key = wy_schema_key(&wy_schema_solver, "integrator");
  wy_word word;
  char meaning[200], order[16];
  for (int i = 0; wy_integrator_describe(wy_sundials(), i); i++) {
    const wy_integrator_info *info = wy_integrator_describe(wy_sundials(), i);
    assert_true(wy_schema_word_at(key, i + 1, &word)); /* auto is the first */
    assert_string_equal(word.name, info->name);
    wy_schema_meaning(&word, meaning, sizeof meaning);
    snprintf(order, sizeof order, " %d, ", info->highest_order);
    assert_true(strlen(meaning) < sizeof meaning - 1);
    if (!strstr(meaning, order) || !strstr(meaning, info->fixed_step ? "fixed steps" : "error control") ||
        !strstr(meaning, info->family) || !strstr(meaning, info->use))
      fail_msg("%s: %s", info->name, meaning);
  }
}

static void methods_are_those_of_the_library(void **state) {
  (void)state;
  const char *names[WY_SCHEMA_MOST];
  int count = 0;
  for (; wy_scheme_name(count); count++)
    names[count] = wy_scheme_name(count);
  check_names("scheme", names, count, 0);
  for (count = 0; wy_integrator_name(wy_sundials(), count); count++)
    names[count] = wy_integrator_name(wy_sundials(), count);
  check_names("integrator", names, count, 1); /* auto */
}

static void quantities_are_those_of_the_library(void **state) {
  (void)state;
  const wy_key *key = wy_schema_key(&wy_schema_probe, "quantity");
  wy_word word;
  for (int i = 0; i < WY_QUANTITY_COUNT; i++) {
    assert_true(wy_schema_word_at(key, i, &word));
    assert_string_equal(word.name, wy_quantity_name((wy_quantity)i));
    assert_int_equal(word.value, i);
  }
  assert_false(wy_schema_word_at(key, WY_QUANTITY_COUNT, &word));
}

static char template_text[100000];

static void find_in_template(const wy_mapping *mapping, const wy_key *key) {
  char want[100];
  snprintf(want, sizeof want, "%s:", key->name);
  if (!strstr(template_text, want))
    fail_msg("%s.%s is not in the template", mapping->path, key->name);
}

/* `withy show template` promises every key, some of them in comments. */
static void the_template_has_every_key(void **state) {
  (void)state;
  FILE *file = fopen(WY_SCENARIOS "/template.yaml", "r");
  assert_non_null(file);
  size_t length = fread(template_text, 1, sizeof template_text - 1, file);
  fclose(file);
  assert_true(length > 1000 && length < sizeof template_text - 1);
  walk_keys(find_in_template);
}

static void reserved_keys_are_refused(void **state) {
  (void)state;
  int count = 0;
  for (const wy_key *key = wy_schema_top.keys; key->name; key++) {
    char text[500];
    if (!key->later)
      continue;
    snprintf(text, sizeof text, SMALLEST "%s: 1\n", key->name);
    check_refused(text, key->later);
    count++;
  }
  assert_int_equal(count, 2);
}

static void words_have_other_spellings(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "solver: {continuation: load stepping}\n");
  assert_int_equal(scenario->sim.solver.statics.continuation, WY_LOAD_STEPPING);
  wy_scenario_destroy(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_schema_is_complete),
      cmocka_unit_test(every_example_is_read),
      cmocka_unit_test(unknown_keys_are_refused_with_those_of_the_schema),
      cmocka_unit_test(every_key_is_looked_at),
      cmocka_unit_test(required_keys_are_required),
      cmocka_unit_test(every_word_is_read),
      cmocka_unit_test(signs_are_checked),
      cmocka_unit_test(defaults_may_be_written_down),
      cmocka_unit_test(methods_are_those_of_the_library),
      cmocka_unit_test(integrators_are_explained_by_their_rows),
      cmocka_unit_test(quantities_are_those_of_the_library),
      cmocka_unit_test(the_template_has_every_key),
      cmocka_unit_test(reserved_keys_are_refused),
      cmocka_unit_test(words_have_other_spellings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
