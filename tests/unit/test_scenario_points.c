/* SPDX-License-Identifier: MIT */
/* Measured centrelines in scenarios: CSV and OBJ files, lists, units; what is refused, with the line of the file. */
#include <stdio.h>
#include <string.h>

#include "support/scenario.h"

#define SHAPED(shape) HEAD "  - name: arm\n    shape: {" shape "}\n" SECTION MATERIAL

static const wy_scenario_file files[] = {
    {"named.csv", "# measured\ns; Y; X; Z\n0; 0.2; 0.1; 0.3\n1; 0.2; 0.6; 0.3\n2; 0.3; 1.1; 0.3\n"},
    {"plain.csv", "0.1,0.2,0.3\n0.6,0.2,0.3\n1.1,0.3,0.3\n"},
    {"mm.csv", "x,y,z\n100,200,300\n600,200,300\n1100,300,300\n"},
    {"blender.obj", "# Blender\no Curve\nv 0.1 0.2 0.3\nv 0.6 0.2 0.3\nv 1.1 0.3 0.3\nvn 0 0 1\nl 1 2\nl 2 3\n"},
    {"colours.obj", "v 0.1 0.2 0.3 1 0 0\nv 0.6 0.2 0.3 1 0 0\nv 1.1 0.3 0.3 1 0 0\n"},
    {"marked.obj", "\xef\xbb\xbfv 0.1 0.2 0.3\r\nv 0.6 0.2 0.3\r\nv 1.1 0.3 0.3\r\n"}, /* as some editors save it */
    {"missing.csv", "x,y\n0,0\n1,0\n"},
    {"two.csv", "0,0\n1,0\n"},
    {"four.csv", "0,0,0,0\n1,0,0,0\n"},
    {"twice.csv", "x,y,z\n0,0,0\n\n1,0,0\n1,0,0\n"},
    {"one.csv", "x,y,z\n0,0,0\n"},
    {"empty.obj", "o Curve\nl 1 2\n"},
    {"words.csv", "x,y,z\n0,0,zero\n1,0,0\n"}};
enum { FILES = sizeof files / sizeof *files };

static wy_status read_points(const char *text, const char *const *settings, int count, wy_scenario **scenario,
                             wy_scenario_error *error) {
  *error = (wy_scenario_error){.text = ""};
  return wy_scenario_read_with("test.yaml", "test", text, settings, count, files, FILES, scenario, error);
}

static wy_scenario *must_read(const char *text) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  if (read_points(text, NULL, 0, &scenario, &error) != WY_OK)
    fail_msg("refused: %s", error.text);
  return scenario;
}

static void all_forms_give_the_same_points(void **state) {
  (void)state;
  static const char *const shapes[] = {
      SHAPED("points: [[0.1, 0.2, 0.3], [0.6, 0.2, 0.3], [1.1, 0.3, 0.3]]"),
      SHAPED("points: [[100 mm, 20 cm, 0.3], [2*0.3, 0.2 m, 300 mm], [1.1, 300 mm, 0.3]]"),
      SHAPED("points: named.csv"),
      SHAPED("points: plain.csv"),
      SHAPED("points: plain.csv, unit: m"),
      SHAPED("points: mm.csv, unit: mm"),
      SHAPED("points: blender.obj"),
      SHAPED("points: colours.obj"),
      SHAPED("points: marked.obj"),
  };
  static const double want[9] = {0.1, 0.2, 0.3, 0.6, 0.2, 0.3, 1.1, 0.3, 0.3};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    wy_scenario *scenario = must_read(shapes[i]);
    const wy_shape *shape = &scenario->rods[0].shape;
    assert_int_equal(shape->point_count, 3);
    for (int k = 0; k < 9; k++)
      check_close(shape->points[k], want[k], 0); /* to the last digit: 100 mm are 0.1 */
    check_above(scenario->rods[0].length, 1);
    check_below(scenario->rods[0].length, 1.02);
    wy_scenario_destroy(scenario);
  }
}

/* Arc lengths of loads and probes count on the curve, and --set may give other points. */
static void the_length_is_known_to_other_keys(void **state) {
  (void)state;
  const char *const settings[] = {"rods.arm.shape.points=[[0, 0, 0], [0, 3, 0], [0, 6, 0]]"};
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  const char *text = SHAPED("points: plain.csv") "probes: [{name: p, at: 5, quantity: position}]\n";
  assert_int_equal(read_points(text, NULL, 0, &scenario, &error), WY_ERROR_INPUT);
  assert_non_null(strstr(error.text, "an arc length from 0 to the rod's length 1.0"));
  assert_int_equal(read_points(text, settings, 1, &scenario, &error), WY_OK);
  check_close(scenario->rods[0].length, 6, 1e-14);
  wy_scenario_destroy(scenario);
}

static void check_points_refused(const char *text, const char *want) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  assert_int_equal(read_points(text, NULL, 0, &scenario, &error), WY_ERROR_INPUT);
  assert_null(scenario);
  if (!strstr(error.text, want))
    fail_msg("got '%s', want '%s' in it", error.text, want);
}

static void wrong_points_are_refused(void **state) {
  (void)state;
  check_points_refused(
      SHAPED("points: missing.csv"),
      "test.yaml:5: rods.arm.shape.points: missing.csv: found no column 'z'; expected columns x, y and z");
  check_points_refused(SHAPED("points: two.csv"), "two.csv: found 2 columns without names; expected 3: x, y, z");
  check_points_refused(SHAPED("points: four.csv"), "four.csv: found 4 columns without names; expected 3: x, y, z");
  check_points_refused(SHAPED("points: twice.csv"), "twice.csv:5: point 3: found [1, 0, 0] a second time");
  check_points_refused(SHAPED("points: one.csv"), "one.csv: found 1 point; expected at least 2");
  check_points_refused(SHAPED("points: empty.obj"), "empty.obj");
  check_points_refused(SHAPED("points: words.csv"), "words.csv:2:");
  check_points_refused(SHAPED("points: []"), "found an empty list; expected the name of a file of points");
  check_points_refused(SHAPED("points: [[0, 0], [1, 0]]"),
                       "points[0]: found a list of 2; expected a point: a list of 3 numbers");
  check_points_refused(SHAPED("points: [[0, 0, 0], [1, 0, 2 N]]"),
                       "points[1][2]: found '2 N', a force; expected a length");
  check_points_refused(SHAPED("points: [[0, 0, 0], [1, 0, 0], [0, 1.0e-5, 0]]"), "the points turn back near point 2");
  check_points_refused(SHAPED("points: [[0, 0, 0], [1, 0, 0], [0.5, 0, 0], [2, 0, 0]]"), "the points turn back near");
  check_points_refused(SHAPED("points: {file: plain.csv}"), "found a mapping; expected the name of a file of points");
}

static void what_points_set_may_not_stand_beside_them(void **state) {
  (void)state;
#define BESIDE(key) SHAPED("points: plain.csv, " key)
  check_points_refused(BESIDE("origin: [0, 0, 0]"), "shape.origin: found origin together with points");
  check_points_refused(BESIDE("direction: [1, 0, 0]"), "shape.direction: found direction together with points");
  check_points_refused(BESIDE("curvature: [0, 0, 0]"), "shape.curvature: found curvature together with points");
  check_points_refused(BESIDE("helix: {radius: 1, pitch: 1, turns: 1}"),
                       "shape.helix: found helix together with points");
  check_points_refused(BESIDE("unit: N"), "shape.unit: found 'N'; expected a unit of length, such as mm");
  check_points_refused(BESIDE("unit: foo"), "shape.unit: found 'foo'; expected a unit of length, such as mm");
  check_points_refused(SHAPED("points: [[0, 0, 0], [1, 0, 0]], unit: mm"), "found a unit without a file of points");
  check_points_refused(HEAD ROD "    shape: {unit: mm}\n", "found a unit without a file of points");
  check_points_refused(HEAD ROD "    shape: {points: plain.csv}\n",
                       "rods.arm.length: found '2'; expected no length, since shape.points sets it");
}

static void d1_may_stand_beside_points(void **state) {
  (void)state;
  wy_scenario *scenario = must_read(SHAPED("points: plain.csv, d1: [0, 0, 1]"));
  check_close(scenario->rods[0].shape.d1[2], 1, 0);
  wy_scenario_destroy(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_forms_give_the_same_points), cmocka_unit_test(the_length_is_known_to_other_keys),
      cmocka_unit_test(wrong_points_are_refused),       cmocka_unit_test(what_points_set_may_not_stand_beside_them),
      cmocka_unit_test(d1_may_stand_beside_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
