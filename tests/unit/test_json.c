/* SPDX-License-Identifier: MIT */
/* JSON and YAML are two ways to write the same tree: what one reader makes of a text, the other makes too, and a
   scenario means the same in both. */
#include <glob.h>

#include "check.h"
#include "support/scenario.h"
#include "support/tree.h"

/* ---- Trees ---- */

/* Both readers, with their lines. */
static void check_both(const char *text) {
  wy_pool pool = {0};
  wy_yaml_error error;
  wy_node *json = wy_json_read(&pool, text, &error);
  if (!json)
    fail_msg("%s: refused as JSON: %d: %s", text, error.line, error.text);
  wy_node *yaml = wy_yaml_read(&pool, text, &error);
  if (!yaml)
    fail_msg("%s: refused as YAML: %d: %s", text, error.line, error.text);
  const wy_node *differs = tree_difference(json, yaml, true);
  if (differs)
    fail_msg("%s: the readers differ at '%s' in line %d", text, differs->text ? differs->text : "", differs->line);
  wy_pool_release(&pool);
}

static void both_readers_make_the_same_tree(void **state) {
  (void)state;
  static const char *const texts[] = {
      "1",
      "\"\"",
      "null",
      "[]",
      "{}",
      "true",
      " [1, -2.5e-3, 0.5, 1E+5, -0] ",
      "{\"a\": {\"b\": [null, true, false]},\n \"c\": \"x\",\n\n \"d\": [\n1,\n2]}",
      "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u20ac\", \"\\ud83d\\ude00\", \"\xc3\xa9\"]",
      "{\"<<\": {\"a\": 1}, \"null\": null, \"~\": \"~\", \"e\": \"null\", \"1\": \"\"}",
      "{\"a\": \"# no comment\", \"b\": \"- no list\", \"c\": \"*alias\", \"d\": \"&anchor\", \"e\": \"x: y\"}",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    check_both(texts[i]);
}

static void json_may_be_laid_out_with_tabs_and_colons_apart(void **state) {
  (void)state;
  wy_pool pool = {0};
  wy_yaml_error error;
  wy_node *root = wy_json_read(&pool, "{\r\n\t\"a\"\n:\t1,\n\t\"b\"\n:\n[\n2]}", &error);
  assert_non_null(root);
  assert_int_equal(root->count, 2);
  assert_int_equal(wy_yaml_find(root, "a")->line, 3);
  assert_int_equal(wy_yaml_find(root, "b")->line, 4);
  assert_int_equal(wy_yaml_find(root, "b")->first->line, 7);
  wy_pool_release(&pool);
}

/* ---- What is no JSON ---- */

typedef struct wrong {
  const char *text;
  int line;
  const char *reason, *excerpt;
} wrong;

static void broken_json_is_refused_with_line_and_key(void **state) {
  (void)state;
  static const wrong table[] = {
      {"", 1, "found the end of the text; expected a value", ""},
      {"{\n\"rods\": [{\"length\": 1\n", 2, "rods[0]: broken JSON: found the end of the text; expected ',' or '}'",
       "    2 | \"rods\": [{\"length\": 1\n      |                      ^\n"},
      {"{\"a\": 1,}", 1, "found '}'; expected a key in double quotes", "^"},
      {"[1,]", 1, "found ']'; expected a value", "^"},
      {"{a: 1}", 1, "found 'a'; expected a key in double quotes", "^"},
      {"{\"a\" 1}", 1, "a: broken JSON: found '1'; expected ':' after the key", "^"},
      {"{\"a\": {\"b\": 'x'}}", 1, "a.b: broken JSON: found '''; expected a value", "^"},
      {"[01]", 1, "found '1'; expected ',' or ']'", "^"},
      {"[1.]", 1, "found ']'; expected a digit", "^"},
      {"[-]", 1, "found ']'; expected a digit", "^"},
      {"[1e+]", 1, "found ']'; expected a digit", "^"},
      {"[.5]", 1, "found '.'; expected a value", "^"},
      {"[NaN]", 1, "found 'N'; expected a value", "^"},
      {"[nul]", 1, "found 'n'; expected a value", "^"},
      {"[1] 2", 1, "found '2'; expected nothing after the value", "^"},
      {"[\"a\nb\"]", 1, "found the end of the line; expected '\"' at the end of a string", "^"},
      {"[\"a", 1, "found the end of the text; expected '\"' at the end of a string", "^"},
      {"[\"a\\", 1, "found the end of the text; expected one of", "^"},
      {"[\"\\x\"]", 1, "found 'x'; expected one of", "^"},
      {"[\"\\u12\"]", 1, "expected four hexadecimal digits", "^"},
      {"[\"\\u0000\"]", 1, "expected four hexadecimal digits", "^"},
      {"[\"\\ud83d\"]", 1, "not half of a surrogate pair", "^"},
      {"[\"\\ud83d\\u0041\"]", 1, "not half of a surrogate pair", "^"},
      {"[\"\\ude00\"]", 1, "not half of a surrogate pair", "^"},
      {"[\xc3\xa9]", 1, "found '\xc3\xa9'; expected a value", "^"},
      {"[\"\xff\"]", 1, "found the byte 0xff; expected UTF-8 text", ""},
      {"[\"\x01\"]", 1, "found the byte 0x01; expected UTF-8 text", ""},
      {"{\"a\": {\"b\": 1,\n\"b\": 2}}", 2, "a.b: found the same key twice, in line 1 and in line 2", ""},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 1, "nested deeper than 32", ""},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    wy_pool pool = {0};
    wy_yaml_error error = {.line = -1};
    if (wy_json_read(&pool, table[i].text, &error))
      fail_msg("%s: is read", table[i].text);
    if (error.line != table[i].line || !strstr(error.text, table[i].reason) || !strstr(error.excerpt, table[i].excerpt))
      fail_msg("%s: got %d: %s\n%s, want %d: %s\n%s", table[i].text, error.line, error.text, error.excerpt,
               table[i].line, table[i].reason, table[i].excerpt);
    wy_pool_release(&pool);
  }
}

static void the_size_of_json_is_bounded(void **state) {
  (void)state;
  wy_pool pool = {0};
  wy_yaml_error error;
  size_t length = 2 * (size_t)WY_YAML_NODES + 1;
  char *text = malloc(length + 2);
  for (size_t i = 0; i < length; i++)
    text[i] = i == 0 ? '[' : i % 2 ? '1' : ',';
  memcpy(text + length, "]", 2);
  assert_null(wy_json_read(&pool, text, &error));
  assert_non_null(strstr(error.text, "found more than"));
  free(text);
  wy_pool_release(&pool);
}

/* ---- Scenarios ---- */

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  assert_non_null(file);
  check_above(fread(text, 1, (1 << 20) - 1, file), 0);
  fclose(file);
  return text;
}

/* The whole simulation at its start, with the identity of all definitions that it was made of. */
static void *saved(wy_scenario *scenario, size_t *size) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message = {.text = ""};
  if (wy_scenario_build(scenario, &model, &sim, &message) != WY_OK)
    fail_msg("%s: %s", scenario->name, message.text);
  *size = wy_sim_save_size(sim);
  void *bytes = calloc(1, *size);
  assert_int_equal(wy_sim_save(sim, bytes, *size, &message), WY_OK);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return bytes;
}

static void check_same_simulation(wy_scenario *a, wy_scenario *b) {
  size_t size, other;
  void *one = saved(a, &size), *two = saved(b, &other);
  if (size != other || memcmp(one, two, size) != 0)
    fail_msg("%s: the simulations differ", a->name);
  free(one);
  free(two);
}

/* What a model and a simulation do not know. */
static void check_same_rest(const wy_scenario *a, const wy_scenario *b) {
  assert_string_equal(a->title, b->title);
  assert_int_equal(a->analysis, b->analysis);
  assert_int_equal(a->modes, b->modes);
  assert_true(a->from_statics == b->from_statics && a->follows_path == b->follows_path);
  assert_true(a->end == b->end && a->output == b->output && a->snapshots == b->snapshots);
  assert_int_equal(a->probe_count, b->probe_count);
  for (int i = 0; i < a->probe_count; i++) {
    const wy_probe *p = &a->probes[i], *q = &b->probes[i];
    assert_string_equal(p->name, q->name);
    assert_true(p->quantity == q->quantity && p->rod == q->rod && p->s == q->s);
  }
  assert_int_equal(a->strands_count, b->strands_count);
  for (int i = 0; i < a->strands_count; i++) {
    const wy_strands_def *p = &a->strands[i], *q = &b->strands[i];
    assert_string_equal(p->name, q->name);
    assert_true(p->guide_count == q->guide_count && p->count == q->count && p->radius == q->radius);
    assert_memory_equal(p->guides, q->guides, (size_t)p->guide_count * sizeof *p->guides);
  }
  assert_int_equal(a->unused_count, b->unused_count);
  for (int i = 0; i < a->unused_count; i++)
    assert_string_equal(a->unused[i].key, b->unused[i].key);
  for (int i = 0; i < a->model.rod_count; i++)
    assert_true(a->step_chosen[i] == b->step_chosen[i]);
}

static wy_scenario *read_as(const char *label, const char *text) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  if (wy_scenario_read(label, "test", text, NULL, 0, &scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  return scenario;
}

static void check_converted(const char *path) {
  wy_pool pool = {0};
  wy_yaml_error error;
  char *yaml = contents(path);
  wy_node *root = wy_yaml_read(&pool, yaml, &error);
  assert_non_null(root);
  char *json = tree_to_json(root);
  check_both(json);
  const wy_node *again = wy_json_read(&pool, json, &error);
  assert_null(tree_difference(root, again, false));
  wy_scenario *a = read_as(path, yaml), *b = read_as(WY_SCENARIOS "/test.json", json);
  check_same_simulation(a, b);
  check_same_rest(a, b);
  wy_scenario_destroy(a);
  wy_scenario_destroy(b);
  wy_pool_release(&pool);
  free(json);
  free(yaml);
}

static void all_built_in_scenarios_mean_the_same_in_json(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(WY_SCENARIOS "/*.yaml", 0, NULL, &found), 0);
  check_above(found.gl_pathc, 20);
  for (size_t i = 0; i < found.gl_pathc; i++)
    check_converted(found.gl_pathv[i]);
  globfree(&found);
}

/* A comparison that cannot fail would be none. */
static void a_changed_number_makes_another_simulation(void **state) {
  (void)state;
  wy_scenario *a = read_text(SMALLEST), *b = read_text(SMALLEST);
  size_t size, other;
  b->rods[0].length *= 1 + 1e-15;
  void *one = saved(a, &size), *two = saved(b, &other);
  assert_true(size != other || memcmp(one, two, size) != 0);
  free(one);
  free(two);
  wy_scenario_destroy(a);
  wy_scenario_destroy(b);
}

/* The sentences are those of YAML, with the lines of the JSON. */
static void wrong_values_are_named_as_in_yaml(void **state) {
  (void)state;
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  const char *text = "{\"withy\": 1, \"time\": {\"end\": 1},\n \"rods\": [{\"name\": \"arm\",\n  \"length\": 1,\n"
                     "  \"section\": {\"shape\": \"circle\", \"radus\": 0.01},\n"
                     "  \"material\": {\"density\": 1000, \"young\": 1e6, \"poisson\": 0.5}}]}";
  assert_int_equal(wy_scenario_read("arm.json", "arm", text, NULL, 0, &scenario, &error), WY_ERROR_INPUT);
  const char *want = "arm.json:4: rods.arm.section.radus: found an unknown key; did you mean 'radius'";
  if (strncmp(error.text, want, strlen(want)) != 0)
    fail_msg("got '%s', want '%s'", error.text, want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_readers_make_the_same_tree),
      cmocka_unit_test(json_may_be_laid_out_with_tabs_and_colons_apart),
      cmocka_unit_test(broken_json_is_refused_with_line_and_key),
      cmocka_unit_test(the_size_of_json_is_bounded),
      cmocka_unit_test(all_built_in_scenarios_mean_the_same_in_json),
      cmocka_unit_test(a_changed_number_makes_another_simulation),
      cmocka_unit_test(wrong_values_are_named_as_in_yaml),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
