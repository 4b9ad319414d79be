/* What a scenario is answered with that has words of other programs, units behind its numbers, millimetres for metres
   or degrees for radians. */
#include <dirent.h>

#include "run/scenario/units.h"
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

static void check_unit(const char *text, const char *unit, const char *want) {
  char out[160] = "";
  const bool found = wy_units_expected(text, unit, out, sizeof out);
  if (found != (want != NULL) || (want && strcmp(out, want) != 0))
    fail_msg("%s in %s: got '%s', want '%s'", text, unit ? unit : "(none)", out, want ? want : "(none)");
}

static void a_number_with_a_unit_is_converted(void **state) {
  (void)state;
  check_unit("5e-3 m", "m", "a plain number in m: 0.005");
  check_unit("5 mm", "m", "a plain number in m: 0.005");
  check_unit("-5mm", "m", "a plain number in m: -0.005");
  check_unit("5*mm", "m", "a plain number in m: 0.005");
  check_unit("210 GPa", "Pa", "a plain number in Pa: 2.1e+11");
  check_unit("7.85 g/cm^3", "kg/m^3", "a plain number in kg/m^3: 7850");
  check_unit("30 deg", "rad", "a plain number in rad: 30*pi/180");
  check_unit("30\302\260", "rad", "a plain number in rad: 30*pi/180");
  check_unit("5 mm", NULL, "a plain number in SI units: 0.005");
  check_unit("5 mm", "s", "a plain number in s"); /* no length at all is right there */
}

static void what_is_no_number_with_a_unit_is_left_alone(void **state) {
  (void)state;
  check_unit("5", "m", NULL);
  check_unit("5*L", "m", NULL);
  check_unit("mm", "m", NULL);
  check_unit("5 mm + 2", "m", NULL);
  check_unit("", "m", NULL);
  check_unit("-", "m", NULL);
  check_unit("5 a-very-long-name-of-a-unit", "m", NULL);
}

static void the_reader_says_it_in_one_line(void **state) {
  (void)state;
  check_refused(
      HEAD "  - {name: arm, length: 500 mm}\n",
      "test.yaml:4: rods.arm.length: found '500 mm', a number with a unit; expected a plain number in m: 0.5");
  check_refused(SMALLEST "gravity: [0, 0, -9.81 m/s^2]\n", "gravity[2]: found '-9.81 m/s^2', a number with a unit");
  check_refused(SMALLEST "constants: {angle: 90 deg}\n", "expected a plain number in SI units: 90*pi/180");
}

/* ---- Millimetres and degrees ---- */

enum { MOST = 4, LINE = 800 };

static int notices_of(const char *text, char lines[MOST][LINE]) {
  wy_scenario *scenario = read_text(text);
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
  const int count = notices_of(text, lines);
  if (count != 1 || !strstr(lines[0], want))
    fail_msg("%d notices, '%s'; want '%s'", count, count > 0 ? lines[0] : "", want);
}

static void check_not_noticed(const char *text) {
  char lines[MOST][LINE];
  if (notices_of(text, lines) > 0)
    fail_msg("noticed: %s", lines[0]);
}

#define SIZED(length, section) HEAD "  - name: arm\n    length: " length "\n" MATERIAL "    section: {" section "}\n"
#define TURNED(angle)                                                                                                  \
  SMALLEST "    ends: {start: {position: held, rotation: {axis: [0, 1, 0], angle: \"" angle "\"}}}\n"

static void millimetres_are_noticed(void **state) {
  (void)state;
  check_noticed(SIZED("0.5", "shape: circle, radius: 5"),
                "rods.arm.section.radius: 5 m is thicker than the rod is long");
  check_noticed(SIZED("0.5", "shape: circle, radius: 5"), "if millimetres are meant, write 0.005");
  check_noticed(SIZED("0.5", "shape: annulus, outer: 6, inner: 5"), "rods.arm.section.outer: 6 m");
  check_noticed(SIZED("0.5", "shape: rectangle, width: 0.02, height: 2"), "rods.arm.section.height: 2 m");
  check_noticed(SIZED("500", "shape: circle, radius: 5"), "write 0.005, and the length 500 m as 0.5");
  check_not_noticed(SIZED("500", "shape: annulus, outer: 5, inner: 4.9")); /* a tower */
  check_not_noticed(SIZED("500", "shape: circle, radius: 0.1"));
  check_not_noticed(SIZED("0.5", "shape: circle, radius: 0.1"));
}

static void degrees_are_noticed(void **state) {
  (void)state;
  check_noticed(TURNED("90*t"), "rods.arm.ends.start.rotation.angle: reaches 90 rad, which are 14.3 turns");
  check_noticed(TURNED("-45*(1 - cos(pi*t))/2"), "reaches 45 rad");
  check_noticed(SMALLEST "    initial: {twist: \"180*s/2\"}\n", "rods.arm.initial.twist: reaches 180 rad");
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
    static char text[1 << 17];
    if (!strstr(entry->d_name, ".yaml"))
      continue;
    snprintf(path, sizeof path, "%s/%s", WY_SCENARIOS, entry->d_name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (notices_of(text, texts) > 0)
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
      cmocka_unit_test(a_number_with_a_unit_is_converted),
      cmocka_unit_test(what_is_no_number_with_a_unit_is_left_alone),
      cmocka_unit_test(the_reader_says_it_in_one_line),
      cmocka_unit_test(millimetres_are_noticed),
      cmocka_unit_test(degrees_are_noticed),
      cmocka_unit_test(no_built_in_scenario_is_suspected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
