/* SPDX-License-Identifier: MIT */
/* Units behind numbers; and what a scenario is answered with that has words of other programs, wrong units, millimetres
   for metres or degrees for radians. */
#include <dirent.h>
#include <math.h>

#include "run/scenario/doubts.h"
#include "run/schema/schema.h"
#include "run/schema/unit.h"
#include "run/tree/suggest.h"
#include "support/scenario.h"

/* ---- Other words ---- */

static void words_of_others_get_ours(void **state) {
  (void)state;
  check_refused(HEAD ROD "    ends: {begin: clamped}\n",
                "unknown key; did you mean 'start'? expected one of start, end");
  check_refused(HEAD ROD "    ends: {tip: free}\n", "did you mean 'end'?");
  check_refused(HEAD ROD "    ends: {start: Simply Supported}\n", "did you mean 'pinned'?");
  check_refused(HEAD ROD "    ends: {start: {position: fixed}}\n", "did you mean 'held'?");
  check_refused(HEAD ROD "    ends: {start: {position: [fixed, 0, 0]}}\n", "did you mean 'held'?");
  check_refused(HEAD ROD "    supports: {start: clamped}\n", "did you mean 'ends'?");
  check_refused(HEAD "  - {name: arm, L: 2}\n", "did you mean 'length'?");
  check_refused(SMALLEST "analysis: transient\n", "did you mean 'dynamics'?");
  check_refused(SMALLEST "solver: {dt: 0.1}\n", "did you mean 'step'?");
}

/* A word in a place where a number may stand as well. */
static void places_of_others_get_ours(void **state) {
  (void)state;
  check_refused(SMALLEST "loads: [{at: tip, force: [0, 0, 1]}]\n",
                "expected start, end or an arc length; did you mean 'end'?");
  check_refused(SMALLEST "loads: [{at: begin, force: [0, 0, 1]}]\n", "did you mean 'start'?");
  check_refused(SMALLEST "probes: [{name: p, at: Tip, quantity: position}]\n", "did you mean 'end'?");
  check_refused(SMALLEST "probes: [{name: p, at: root, quantity: displacement}]\n", "did you mean 'position'?");
}

/* The right key alone would double the rod's thickness. */
static void a_diameter_is_twice_the_radius(void **state) {
  (void)state;
  check_refused(HEAD "  - {name: arm, length: 1, section: {shape: circle, diameter: 0.02}}\n",
                "did you mean 'radius' (half of it)?");
  check_refused(HEAD "  - {name: arm, length: 1, section: {shape: annulus, od: 0.02}}\n",
                "did you mean 'outer' (half of it)?");
  assert_string_equal(wy_suggest_remark("Diameter", "radius"), "half of it");
  assert_string_equal(wy_suggest_remark("raduis", "radius"), "");
}

/* Meaning counts only where the word is possible; else letters do. */
static void letters_count_where_no_word_is_meant(void **state) {
  (void)state;
  static const char *const words[] = {"fixed_step", "radius"};
  assert_string_equal(wy_suggest("fixed", words, 2), "fixed_step");
  assert_null(wy_suggest("tip", words, 2));
}

/* ---- Units ---- */

/* The value of a number with a unit, as the reader has it in SI. */
static double value_of(const char *key, const char *text) {
  char setting[200];
  snprintf(setting, sizeof setting, "%s=%s", key, text);
  const char *const settings[] = {setting};
  wy_scenario *scenario = read_with("withy: 1\nconstants: {m: 7, L: 3, value: 0}\ntime: {end: 1}\nrods:\n" ROD
                                    "loads: [{at: end, force: [value, 0, 0]}]\n",
                                    settings, 1);
  const double value = scenario->model.loads[0].force[0].value;
  wy_scenario_destroy(scenario);
  return value;
}

static void check_value(const char *text, double want) {
  const double got = value_of("constants.value", text);
  if (got != want) /* to the last digit */
    fail_msg("%s: got %.17g, want %.17g", text, got, want);
}

static void decimal_units_are_exact(void **state) {
  (void)state;
  check_value("500 mm", 0.5);
  check_value("20 mm", 0.02);
  check_value("1.2 mm", 0.0012);
  check_value("0.7 mm", 0.0007);
  check_value("-3.3e-2 cm", -3.3e-4);
  check_value("1.1e3 um", 1.1e-3);
  check_value("2.7 \302\265m", 2.7e-6);
  check_value("2.7 \316\274m", 2.7e-6);
  check_value("200 GPa", 2e11);
  check_value("1.2 g/cm^3", 1200);
  check_value("7.85 g/cm3", 7850);
  check_value("7.85 g/cm\302\263", 7850);
  check_value("0.3 %", 0.003);
  check_value("50%", 0.5);
  check_value("5 N mm^2", 5e-6);
  check_value("5 N\302\267mm\302\262", 5e-6);
  check_value("0.3 kN*m", 300);
  check_value("5 Nmm", 0.005);
  check_value("3 1/mm", 3000);
  check_value("3 m^-1", 3);
  check_value("2 N/(m s)", 2);
  check_value("2 N/m/s", 2);
  check_value("9 hPa", 900);
  check_value("1.5 bar", 1.5e5);
}

static void other_units_are_those_of_the_books(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  check_value("2 in", 0.0508);
  check_value("10 ft", 3.048);
  check_value("36 km/h", 10);
  check_value("2 min", 120);
  check_value("1.5 h", 5400);
  check_value("90 deg", 90 * pi / 180);
  check_value("90\302\260", 90 * pi / 180);
  check_value("180 deg/s", pi);
  check_value("30 rpm", 30 * 2 * pi / 60);
  check_value("2 rev", 2 * 2 * pi);
  check_value("-1 g0", -9.80665);
  check_value("1 lb", 0.45359237);
  check_value("100 in^2", 0.064516);
  check_below(fabs(value_of("constants.value", "1 psi") / 6894.757293168361 - 1), 1e-15);
  check_below(fabs(value_of("constants.value", "1 lbf/in^2") / 6894.757293168361 - 1), 1e-15);
}

/* A unit stands behind the whole expression, and a name behind an operand is a unit, whatever it is elsewhere. */
static void the_whole_expression_is_converted(void **state) {
  (void)state;
  check_value("2*0.5*L mm", 0.003);
  check_value("(1 + 2)*L mm", 0.009);
  check_value("1 + 2 mm", 0.003);
  check_value("1 < 2 ? 5 : 6 mm", 0.005);
  check_value("sqrt(4) mm", 0.002);
  check_value("max (4, 5) mm", 0.005);
  check_value("3 m", 3);  /* not the constant m */
  check_value("3*m", 21); /* the constant */
  check_value("3*m m", 21);
  check_value("2 min", 120); /* not the function */
  check_value("pi rad", 3.14159265358979323846);
}

/* Where a number depends on s or t, and where 5*s is an arc length, and 5 s are seconds. */
static void signals_are_converted_with_their_derivatives(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\ntime: {end: 2 s, output: 100 ms}\nfunctions: {ramp: 1 + t kN}\nrods:\n"
                                    "  - name: arm\n    length: 2000 mm\n" MATERIAL
                                    "    section: {shape: circle, radius: \"10 - 2*s mm\"}\n"
                                    "    damping: {time: \"5*s\"}\n"
                                    "    ends: {start: {position: [5*t^2 cm, held, held], rotation: held}}\n"
                                    "  - name: leg\n    length: 1\n" SECTION MATERIAL "    damping: {time: 5 s}\n"
                                    "loads:\n  - {rod: arm, at: 500 mm, force: [2*ramp, 0, 0]}\n");
  const wy_rod_def *rods = scenario->model.rods;
  double jet[3];
  check_close(scenario->end, 2, 0);
  check_close(scenario->output, 0.1, 0);
  check_close(rods[0].length, 2, 0);
  rods[0].section.radius.evaluate(rods[0].section.radius.context, WY_ARC, 1.5, 0, jet);
  check_close(jet[0], 0.007, 1e-17);
  check_close(jet[1], -0.002, 1e-17);
  rods[0].damping.time.evaluate(rods[0].damping.time.context, WY_ARC, 1.5, 0, jet);
  check_close(jet[0], 7.5, 0);
  check_close(rods[1].damping.time.value, 5, 0);
  rods[0].ends[0].path[0].evaluate(rods[0].ends[0].path[0].context, WY_TIME, 0, 2, jet);
  check_close(jet[0], 0.2, 1e-16);
  check_close(jet[1], 0.2, 1e-16);
  check_close(jet[2], 0.1, 1e-16);
  const wy_load_def *load = scenario->model.loads;
  check_close(load->from, 0.5, 0);
  load->force[0].evaluate(load->force[0].context, WY_TIME, 0, 2, jet);
  check_close(jet[0], 6000, 0);
  check_close(jet[1], 2000, 0);
  wy_scenario_destroy(scenario);
}

static void units_depend_on_the_place(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\ntime: {end: 1}\ngravity: [0, 0, -1 g0]\nrods:\n  - name: arm\n"
                                    "    segments: [500 mm, 0.25, 25 cm]\n" SECTION MATERIAL
                                    "    shape: {origin: [0, 1 cm, 0], curvature: [0, 2 1/m, 90 deg/m]}\n"
                                    "loads:\n  - {at: 50 cm, force: [2 mN, 0, 0], moment: [3 N mm, 0, 0]}\n"
                                    "  - {along: [0, 50 cm], force: [2 N/mm, 0, 0], moment: [4 kN, 0, 0]}\n"
                                    "probes: [{name: p, at: 50 cm, quantity: position}]\n");
  const wy_rod_def *rod = scenario->model.rods;
  const wy_load_def *loads = scenario->model.loads;
  check_close(scenario->model.gravity[2], -9.80665, 0);
  check_close(rod->segment_lengths[0] + rod->segment_lengths[1] + rod->segment_lengths[2], 1, 0);
  check_close(rod->length, 1, 0);
  check_close(rod->shape.origin[1], 0.01, 0);
  check_close(rod->shape.curvature[1].value, 2, 0);
  check_close(rod->shape.curvature[2].value, 90 * 3.14159265358979323846 / 180, 0);
  check_close(loads[0].from, 0.5, 0);
  check_close(loads[0].force[0].value, 0.002, 0);
  check_close(loads[0].moment[0].value, 0.003, 0);
  check_close(loads[1].to, 0.5, 0);
  check_close(loads[1].force[0].value, 2000, 0);
  check_close(loads[1].moment[0].value, 4000, 0);
  check_close(scenario->probes[0].s, 0.5, 0);
  wy_scenario_destroy(scenario);
}

static void settings_and_json_have_units_too(void **state) {
  (void)state;
  static const char text[] =
      "{\"withy\": 1, \"time\": {\"end\": \"2 min\"}, \"rods\": [{\"name\": \"arm\", \"length\": "
      "\"500 mm\", \"section\": {\"shape\": \"circle\", \"radius\": \"5 mm\"}, \"material\": "
      "{\"density\": \"1.1 g/cm^3\", \"young\": \"5 MPa\", \"poisson\": 0.5}}]}";
  const char *const settings[] = {"rods.arm.section.radius=6 mm", "gravity=[0, 0, -9.81 m/s^2]"};
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  assert_int_equal(wy_scenario_read("test.json", "test", text, settings, 2, &scenario, &error), WY_OK);
  check_close(scenario->end, 120, 0);
  check_close(scenario->rods[0].length, 0.5, 0);
  check_close(scenario->rods[0].section.radius.value, 0.006, 0);
  check_close(scenario->rods[0].material.density.value, 1100, 0);
  check_close(scenario->model.gravity[2], -9.81, 0);
  wy_scenario_destroy(scenario);
}

/* The columns of a table are names with a point in them; its rows may be in any unit. */
static void tables_have_units_too(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\ntime: {end: 1}\n"
                                    "tables: {hand: {rows: [[0 ms, 0], [500 ms, 20 mm], [1, 40 mm]], columns: [x]}}\n"
                                    "rods:\n" ROD "loads: [{at: end, force: [hand.x kN, 2*hand.x N, 0]}]\n");
  const wy_load_def *load = scenario->model.loads;
  double jet[3];
  load->force[0].evaluate(load->force[0].context, WY_TIME, 0, 0.25, jet);
  check_close(jet[0], 10, 1e-14);
  check_close(jet[1], 40, 1e-13);
  load->force[1].evaluate(load->force[1].context, WY_TIME, 0, 0.25, jet);
  check_close(jet[0], 0.02, 1e-16);
  wy_scenario_destroy(scenario);
}

/* What the rows depend on has a dimension. */
static void arguments_of_tables_have_their_unit(void **state) {
  (void)state;
#define TABLE(of, rows)                                                                                                \
  "withy: 1\ntime: {end: 1}\ntables: {hand: {of: " of ", rows: " rows ", columns: [x]}}\nrods:\n" ROD
  wy_scenario_destroy(read_text(TABLE("s", "[[0 mm, 1 N], [2000 mm, 2 N]]")));
  check_refused(TABLE("t", "[[0, 1], [20 mm, 2]]"),
                "test.yaml:3: tables.hand.rows[1][0]: found '20 mm', a length; expected a time, in s, ms or min");
  check_refused(TABLE("s", "[[0 s, 1], [2, 2]]"), "tables.hand.rows[0][0]: found '0 s', a time; expected a length");
#undef TABLE
}

static void check_fault(const char *text, wy_unit_fault want) {
  wy_unit unit;
  if (wy_unit_read(text, &unit, NULL) != want)
    fail_msg("'%s': got %d, want %d", text, (int)wy_unit_read(text, &unit, NULL), (int)want);
}

static void what_is_no_unit_is_refused(void **state) {
  (void)state;
  static const char *const malformed[] = {"",
                                          " ",
                                          "1",
                                          "2 m",
                                          "m +",
                                          "m^",
                                          "m^0",
                                          "m^10",
                                          "m^2.5",
                                          "m^x",
                                          "/m",
                                          "m/",
                                          "(m",
                                          "m)",
                                          "m*",
                                          "()",
                                          "1 m",
                                          "1*m",
                                          "m^2^3",
                                          "m-1",
                                          "((((((m))))))",
                                          "(((in^9)^9)^9)",
                                          "m m m m m m m m m",
                                          "(pm^9)^9"};
  static const char *const unknown[] = {"M",   "Kg", "mmin", "kdeg", "mpsi", "k%",
                                        "foo", "t",  "L",    "mft",  "m_",   "\303\244"};
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
    check_fault(malformed[i], WY_UNIT_MALFORMED);
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    check_fault(unknown[i], WY_UNIT_UNKNOWN);
  check_fault("N/m s", WY_UNIT_AMBIGUOUS);
  check_fault("N/m*s", WY_UNIT_AMBIGUOUS);
  check_fault("N/(m*s)", WY_UNIT_GOOD);
}

static void check_dimension(const char *key, const char *unit) {
  wy_unit read;
  char back[64];
  if (wy_unit_read(unit, &read, NULL) != WY_UNIT_GOOD)
    fail_msg("%s: '%s' is no unit", key, unit);
  if (read.over != 1 || read.under != 1 || read.ten != 0 || read.pi != 0)
    fail_msg("%s: '%s' is not in SI", key, unit);
  const wy_unit_kind *kind = wy_unit_kind_of(&read.dimension);
  wy_unit_write(&read.dimension, back, sizeof back);
  if (!kind)
    fail_msg("%s: the dimension %s of '%s' has no name", key, back, unit);
}

static void check_mapping(const wy_mapping *mapping, void *context) {
  for (const wy_key *key = mapping->keys; key->name; key++) {
    if (key->unit)
      check_dimension(key->name, key->unit);
    if (key->beside.key)
      check_dimension(key->name, key->beside.unit);
    assert_true(!key->beside.key || wy_schema_key(mapping, key->beside.key));
    *(int *)context += key->unit != NULL;
  }
}

static void every_unit_of_the_schema_is_one(void **state) {
  (void)state;
  int count = 0;
  wy_schema_walk(check_mapping, &count);
  check_above(count, 30);
}

/* What is offered in messages is accepted there. */
static void examples_fit_their_dimension(void **state) {
  (void)state;
  static const char *const units[] = {
      "m",      "m^2", "m^4", "1/m", "s",   "1/s",   "m/s", "m/s^2",   "rad",    "rad/s",   "kg",        "kg/m", "kg m",
      "kg/m^3", "Pa",  "N",   "N/m", "N m", "N m^2", "N s", "N m^2 s", "kg m^2", "N m/rad", "N m s/rad", "N s/m"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    wy_unit unit, example;
    char text[64];
    wy_unit_read(units[i], &unit, NULL);
    const char *rest = wy_unit_kind_of(&unit.dimension)->examples;
    while (*rest) {
      const char *end = strstr(rest, ", "), * or = strstr(rest, " or ");
      end = end ? end : or ? or : rest + strlen(rest);
      snprintf(text, sizeof text, "%.*s", (int)(end - rest), rest);
      assert_int_equal(wy_unit_read(text, &example, NULL), WY_UNIT_GOOD);
      assert_true(wy_unit_fits(&example, &unit));
      rest = end + (*end == ',' ? 2 : *end == ' ' ? 4 : 0);
    }
  }
}

static void the_reader_says_it_in_one_line(void **state) {
  (void)state;
  check_refused(HEAD "  - {name: arm, length: 500 N}\n",
                "test.yaml:4: rods.arm.length: found '500 N', a force; expected a length, in m, mm, cm or in; a number "
                "without a unit is in m");
  check_refused(SMALLEST "gravity: [0, 0, -9.81 g]\n", "gravity[2]: found '-9.81 g', a mass; expected an acceleration");
}

/* ---- Millimetres and degrees ---- */

enum { MOST = 4, LINE = 800 };

static int notices_of(wy_scenario *scenario, char lines[MOST][LINE]) {
  wy_finding findings[MOST];
  wy_scenario_findings to = {.list = findings, .room = MOST};
  wy_find_units(scenario, &to);
  for (int i = 0; i < to.count && i < MOST; i++)
    wy_finding_line(&findings[i], lines[i], LINE);
  wy_scenario_destroy(scenario);
  return to.count;
}

static void check_noticed(const char *text, const char *want) {
  char lines[MOST][LINE];
  const int count = notices_of(read_text(text), lines);
  if (count != 1 || !strstr(lines[0], want))
    fail_msg("%d notices, '%s'; want '%s'", count, count > 0 ? lines[0] : "", want);
}

static void check_not_noticed(const char *text) {
  char lines[MOST][LINE];
  if (notices_of(read_text(text), lines) > 0)
    fail_msg("noticed: %s", lines[0]);
}

#define SIZED(length, section) HEAD "  - name: arm\n    length: " length "\n" MATERIAL "    section: {" section "}\n"
#define TURNED(angle)                                                                                                  \
  SMALLEST "    ends: {start: {position: held, rotation: {axis: [0, 1, 0], angle: \"" angle "\"}}}\n"

static void millimetres_are_noticed(void **state) {
  (void)state;
  check_noticed(SIZED("0.5", "shape: circle, radius: 5"),
                "rods.arm.section.radius: 5 m is thicker than the rod is long");
  check_noticed(SIZED("0.5", "shape: circle, radius: 5"), "if millimetres are meant, write 5 mm");
  check_noticed(SIZED("0.5", "shape: annulus, outer: 6, inner: 5"), "rods.arm.section.outer: 6 m");
  check_noticed(SIZED("0.5", "shape: rectangle, width: 0.02, height: 2"), "rods.arm.section.height: 2 m");
  check_noticed(SIZED("500", "shape: circle, radius: 5"), "write 5 mm, and the length as 500 mm");
  check_not_noticed(SIZED("500", "shape: annulus, outer: 5, inner: 4.9")); /* a tower */
  check_not_noticed(SIZED("500", "shape: circle, radius: 0.1"));
  check_not_noticed(SIZED("0.5", "shape: circle, radius: 0.1"));
  check_not_noticed(SIZED("500 mm", "shape: circle, radius: 5 mm"));
}

static void degrees_are_noticed(void **state) {
  (void)state;
  check_noticed(TURNED("90*t"), "rods.arm.ends.start.rotation.angle: reaches 90 rad, which are 14.3 turns");
  check_noticed(TURNED("-45*(1 - cos(pi*t))/2"), "reaches 45 rad");
  check_noticed(SMALLEST "    initial: {twist: \"180*s/2\"}\n", "rods.arm.initial.twist: reaches 180 rad");
  check_noticed(TURNED("90*t"), "if degrees are meant, write deg behind it");
  check_not_noticed(TURNED("90*t deg"));
  check_not_noticed(TURNED("pi*t/2"));
  check_not_noticed(TURNED("4*pi*t"));
  check_not_noticed(TURNED("100*t")); /* sixteen turns may be meant */
}

/* A notice that is wrong is worse than none. */
static void no_built_in_scenario_is_suspected(void **state) {
  (void)state;
  DIR *folder = opendir(WY_SCENARIOS);
  assert_non_null(folder);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[512], texts[MOST][LINE];
    wy_scenario *scenario = NULL;
    if (!strstr(entry->d_name, ".yaml"))
      continue;
    snprintf(path, sizeof path, "%s/%s", WY_SCENARIOS, entry->d_name);
    assert_int_equal(wy_scenario_read_file(path, NULL, 0, &scenario, NULL), WY_OK);
    if (notices_of(scenario, texts) > 0)
      fail_msg("%s: %s", entry->d_name, texts[0]);
    count++;
  }
  closedir(folder);
  check_above(count, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_of_others_get_ours),
      cmocka_unit_test(places_of_others_get_ours),
      cmocka_unit_test(a_diameter_is_twice_the_radius),
      cmocka_unit_test(letters_count_where_no_word_is_meant),
      cmocka_unit_test(decimal_units_are_exact),
      cmocka_unit_test(other_units_are_those_of_the_books),
      cmocka_unit_test(the_whole_expression_is_converted),
      cmocka_unit_test(signals_are_converted_with_their_derivatives),
      cmocka_unit_test(units_depend_on_the_place),
      cmocka_unit_test(settings_and_json_have_units_too),
      cmocka_unit_test(tables_have_units_too),
      cmocka_unit_test(arguments_of_tables_have_their_unit),
      cmocka_unit_test(what_is_no_unit_is_refused),
      cmocka_unit_test(every_unit_of_the_schema_is_one),
      cmocka_unit_test(examples_fit_their_dimension),
      cmocka_unit_test(the_reader_says_it_in_one_line),
      cmocka_unit_test(millimetres_are_noticed),
      cmocka_unit_test(degrees_are_noticed),
      cmocka_unit_test(no_built_in_scenario_is_suspected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
