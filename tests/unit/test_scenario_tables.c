/* SPDX-License-Identifier: MIT */
/* The key `tables`: files and rows become the same functions, from YAML and JSON, handed over or on disk; what is wrong
   with them is named. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/scenario.h"

#define HAND_ROWS "[[0, 0, 1], [0.5, 0.1, 1.5], [1, 0.3, 1]]"
#define HAND_FILE "t,x,y\n0,0,1\n0.5,0.1,1.5\n1,0.3,1\n"
#define PULLED ROD "loads: [{at: end, force: [hand.x, 2*hand.y, 0]}]\n"

static const wy_scenario_file hand_file = {"hand.csv", HAND_FILE};

static wy_scenario *read_given(const char *label, const char *text) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  if (wy_scenario_read_with(label, "test", text, NULL, 0, &hand_file, 1, &scenario, &error) != WY_OK)
    fail_msg("refused: %s", error.text);
  return scenario;
}

static double force(const wy_scenario *scenario, int component, double t) {
  const wy_signal *signal = &scenario->loads[0].force[component];
  double jet[3];
  signal->evaluate(signal->context, WY_TIME, 0, t, jet);
  return jet[0];
}

/* Three rows are a parabola. */
static void check_parabolas(const wy_scenario *scenario) {
  for (double t = 0; t <= 1; t += 0.125) {
    check_close(force(scenario, 0, t), 0.1 * t + 0.2 * t * t, 1e-15);
    check_close(force(scenario, 1, t), 2 * (1 + 2 * t - 2 * t * t), 1e-15);
  }
}

static void files_and_rows_are_the_same_functions(void **state) {
  (void)state;
  static const char *const tables[] = {
      ("tables: {hand: {rows: " HAND_ROWS ", columns: [x, y]}}\n"), "tables: {hand: {file: hand.csv}}\n",
      "tables: {hand: {file: hand.csv, of: t, columns: [x, y], interpolation: cubic, outside: refuse}}\n",
      ("constants: {half: 1/2}\n"
       "tables: {hand: {rows: [[0, 0, 1], [half, 0.2*half, 3*half], [1, 0.3, 1]], columns: [x, y]}}\n")};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    char text[1000];
    snprintf(text, sizeof text, "%s" HEAD PULLED, tables[i]);
    wy_scenario *scenario = read_given("test.yaml", text);
    check_parabolas(scenario);
    assert_int_equal(scenario->file_count, i == 1 || i == 2);
    wy_scenario_destroy(scenario);
  }
}

static void json_hands_over_a_table(void **state) {
  (void)state;
  wy_scenario *scenario = read_given(
      "test.json", "{\"withy\": 1, \"time\": {\"end\": 1}, \"tables\": {\"hand\": {\"rows\": " HAND_ROWS
                   ", \"columns\": [\"x\", \"y\"]}},\n"
                   "\"rods\": [{\"length\": 1, \"section\": {\"shape\": \"circle\", \"radius\": 0.01}, \"material\": "
                   "{\"density\": 1000, \"young\": 1e6, \"poisson\": 0.25}}],\n"
                   "\"loads\": [{\"at\": \"end\", \"force\": [\"hand.x\", \"2*hand.y\", 0]}]}");
  check_parabolas(scenario);
  wy_scenario_destroy(scenario);
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void files_lie_beside_the_scenario(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-tables-XXXXXX", scenario_path[64], table_path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(scenario_path, sizeof scenario_path, "%s/arm.yaml", folder);
  snprintf(table_path, sizeof table_path, "%s/hand.csv", folder);
  write_file(table_path, HAND_FILE);
  write_file(scenario_path, "tables: {hand: {file: hand.csv}}\n" HEAD PULLED);
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {.text = ""};
  assert_int_equal(wy_scenario_read_file(scenario_path, NULL, 0, &scenario, &error), WY_OK);
  check_parabolas(scenario);
  assert_int_equal(scenario->file_count, 1);
  assert_string_equal(scenario->files[0].name, "hand.csv");
  assert_string_equal(scenario->files[0].text, HAND_FILE);

  /* Once read, the file is not needed again. */
  unlink(table_path);
  assert_int_equal(wy_scenario_set(scenario, "time.output=0.1", &error), WY_OK);
  check_parabolas(scenario);
  wy_scenario_destroy(scenario);
  assert_int_equal(wy_scenario_read_file(scenario_path, NULL, 0, &scenario, &error), WY_ERROR_FILE);
  assert_null(scenario);
  if (!strstr(error.text, "arm.yaml:1: tables.hand.file: ") || !strstr(error.text, "hand.csv: No such file"))
    fail_msg("got '%s'", error.text);
  unlink(scenario_path);
  rmdir(folder);
}

static void functions_may_use_tables(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_given("test.yaml", "tables: {hand: {file: hand.csv}}\nfunctions: {twice: 2*hand.x}\n" HEAD ROD
                              "loads: [{at: end, force: [twice, 0, 0]}]\n");
  check_close(force(scenario, 0, 0.5), 0.2, 1e-15);
  wy_scenario_destroy(scenario);
}

static void a_table_of_s_is_a_natural_curvature(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("tables: {bend: {rows: [[0, 0], [1, 1], [2, 4]], of: s, columns: [k]}}\n" HEAD ROD
                                    "    shape: {curvature: [0, bend.k, 0]}\n");
  const wy_signal *k = &scenario->rods[0].shape.curvature[1];
  double jet[3];
  k->evaluate(k->context, WY_ARC, 1.5, 0, jet);
  check_close(jet[0], 2.25, 1e-15);
  check_close(jet[1], 3, 1e-15);
  wy_scenario_destroy(scenario);
}

static void a_table_may_end_with_the_release(void **state) {
  (void)state;
  wy_scenario_destroy(read_text("tables: {hand: {rows: [[0, 0], [0.2, 0], [0.5, 0.1]], columns: [x]}}\n" HEAD ROD
                                "    ends: {start: {position: [hand.x, held, held], release: 0.5}}\n"));
}

static void what_is_wrong_is_named(void **state) {
  (void)state;
  static const struct {
    const char *table, *want;
  } wrong[] = {
      {"{}", "test.yaml:1: tables.hand: found neither file nor rows; expected one of them"},
      {"{file: hand.csv, rows: []}", "tables.hand.rows: found rows together with file; expected one of them"},
      {"{rows: [[0, 1, 2], [1, 2]], columns: [x, y]}", "tables.hand.rows[1]: found a list of 2; expected a list of 3"},
      {"{rows: [0, 1], columns: [x]}", "tables.hand.rows[0]: found '0'; expected a list of numbers"},
      {"{rows: [[0, 1], [1, nix]], columns: [x]}", "tables.hand.rows[1][1]: found 'nix', column 1: unknown name"},
      {"{rows: [[0], [1]], columns: [x]}", "tables.hand: found 1 column; expected an argument and at least one"},
      {"{rows: [[0, 1], [1, 2]]}", "found no names of columns; expected columns: a list of 1 name,"},
      {"{rows: [[0, 1]], columns: [x]}", "tables.hand: table 'hand': found 1 row; expected 2 to 1000000"},
      {"{rows: [[0, 1], [0, 2]], columns: [x]}", "row 2: found 0, which is not above the row before"},
      {"{rows: [[0, 1], [1, 2]], columns: [x, y]}", "columns: found a list of 2; expected 1 name, one for each column"},
      {"{rows: [[0, 1], [1, 2]], columns: [2x]}", "columns[0]: found '2x'; expected a name: letters, digits"},
      {"{rows: [[0, 1, 2], [1, 2, 3]], columns: [x, x]}", "found the column 'x' twice"},
      {"{rows: [[0, 1], [1, 2]], columns: [x], of: x}", "tables.hand.of: found 'x'; expected one of t, s"},
      {"{rows: [[0, 1], [1, 2]], columns: [x], outside: keep}", "outside: found 'keep'; expected one of refuse, hold"},
      {"{rows: [[0, 1], [1, 2]], columns: [x], interpolation: linear}", "found 'linear'; expected one of cubic"},
      {"{file: bad.csv}", "tables.hand.file: bad.csv:3: column 2 (x): found 'inf'; expected a finite number"},
      {"{file: back.csv}", "tables.hand.file: back.csv:3: column 1: found 0.5 after 1; expected increasing numbers"},
      {"{file: bare.csv}", "tables.hand: found no names of columns; expected columns: a list of 2 names"},
      {"{file: unit.csv}", "found the column 'x [m]', which is no name"},
      {"{file: byte.csv}", "byte.csv:2: found the byte 0xb5; expected UTF-8 text"},
      {"{file: none.csv}", "tables.hand.file: none.csv: No such file"},
      {"{file: \"\"}", "tables.hand.file: found ''; expected the name of a file"}};
  static const wy_scenario_file files[] = {{"bad.csv", "t,x\n0,1\n1,inf\n"},
                                           {"back.csv", "t,x\n1,1\n0.5,2\n"},
                                           {"bare.csv", "0,1,2\n1,2,3\n"},
                                           {"unit.csv", "t [s],x [m]\n0,1\n1,2\n"},
                                           {"byte.csv", "t,x\n# \xb5m\n0,1\n1,2\n"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[1000];
    wy_scenario *scenario = NULL;
    wy_scenario_error error = {.text = ""};
    snprintf(text, sizeof text, "tables: {hand: %s}\n" SMALLEST, wrong[i].table);
    wy_status status = wy_scenario_read_with("test.yaml", "test", text, NULL, 0, files, 5, &scenario, &error);
    assert_true(status == WY_ERROR_INPUT || status == WY_ERROR_FILE);
    assert_null(scenario);
    if (!strstr(error.text, wrong[i].want))
      fail_msg("%s: got '%s', want '%s' in it", wrong[i].table, error.text, wrong[i].want);
  }
}

static void names_and_ranges_of_tables_are_checked(void **state) {
  (void)state;
  check_refused("tables: [1]\n" SMALLEST, "tables: found a list of 1; expected a mapping of names to tables");
  check_refused("tables: {hand: 1}\n" SMALLEST,
                "tables.hand: found '1'; expected a table: a mapping with the keys file");
  check_refused("tables: {pi: {rows: [[0, 1], [1, 2]], columns: [x]}}\n" SMALLEST,
                "tables.pi: the name 'pi' is built in");
  check_refused("constants: {L: 1}\ntables: {L: {rows: [[0, 1], [1, 2]], columns: [x]}}\n" SMALLEST,
                "tables.L: the name 'L' is already defined");
  check_refused("tables: {hand: {rows: [[0, 1], [0.5, 2]], columns: [x]}}\n" HEAD ROD
                "loads: [{at: end, force: [hand.x, 0, 0]}]\n",
                "loads[0].force[0]: found 'hand.x', which needs the table 'hand' at t = 0.51; it reaches from t = 0 to "
                "0.5; expected a table that reaches that far, or outside: hold");
  check_refused("tables: {bend: {rows: [[0, 1], [1, 2]], of: s, columns: [k]}}\n" HEAD ROD
                "    shape: {curvature: [bend.k, 0, 0]}\n",
                "found 'bend.k', which needs the table 'bend' at s = 1.05; it reaches from s = 0 to 1");
  check_refused("tables: {hand: {rows: [[0, 1], [1, 2]], columns: [x]}}\n" HEAD ROD
                "    shape: {curvature: [hand.x, 0, 0]}\n",
                "the table 'hand' depends on time t, which is not available here");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_and_rows_are_the_same_functions),
                                     cmocka_unit_test(json_hands_over_a_table),
                                     cmocka_unit_test(files_lie_beside_the_scenario),
                                     cmocka_unit_test(functions_may_use_tables),
                                     cmocka_unit_test(a_table_of_s_is_a_natural_curvature),
                                     cmocka_unit_test(a_table_may_end_with_the_release),
                                     cmocka_unit_test(what_is_wrong_is_named),
                                     cmocka_unit_test(names_and_ranges_of_tables_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
