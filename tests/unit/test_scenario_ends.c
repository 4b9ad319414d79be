/* SPDX-License-Identifier: MIT */
/* The key `ends`: orientations and paths of driven ends, as the schema has them; what is wrong with them is named. */
#include <math.h>
#include <stdlib.h>

#include "support/scenario.h"

#define STATIC_HEAD "withy: 1\nanalysis: statics\ntime: {end: 1}\nrods:\n"
#define PATH                                                                                                           \
  "tables: {hand: {rows: [[0, 0, 0, 0, 1, 0, 0, 0], [1, 0, 1, 0, 1, 1, 0, 0]], columns: [x, y, z, qw, qx, qy, qz]}}\n"

static const wy_end *start_of(const wy_scenario *scenario) {
  return &scenario->rods[0].ends[WY_START];
}

static double value(const wy_signal *signal, double t) {
  double jet[3] = {signal->value};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, 0, t, jet);
  return jet[0];
}

static wy_scenario *read_end(const char *end) {
  char text[1000];
  snprintf(text, sizeof text, STATIC_HEAD ROD "    ends: {start: %s}\n", end);
  return read_text(text);
}

static void rotations_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    wy_rotation_by by;
    wy_rotation_from from;
  } cases[] = {{"{axis: [0, 0, 2], angle: \"3*t\"}", WY_BY_ANGLE, WY_FROM_UNDEFORMED},
               {"{axis: [0, 0, 2], angle: \"3*t\", axes: space}", WY_BY_ANGLE, WY_FROM_SPACE},
               {"{quaternion: [1, t, 0, \"sin(t)\"]}", WY_BY_QUATERNION, WY_FROM_UNDEFORMED},
               {"{quaternion: [1, t, 0, 0], axes: undeformed}", WY_BY_QUATERNION, WY_FROM_UNDEFORMED},
               {"{quaternion: [1, t, 0, 0], axes: space}", WY_BY_QUATERNION, WY_FROM_SPACE},
               {"{d3: [1, t, 0], d1: [0, 0, 1]}", WY_BY_DIRECTORS, WY_FROM_SPACE},
               {"{d3: [1, t, 0], d1: [0, 0, 1], axes: space}", WY_BY_DIRECTORS, WY_FROM_SPACE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char end[200];
    snprintf(end, sizeof end, "{position: held, rotation: %s}", cases[i].text);
    wy_scenario *scenario = read_end(end);
    assert_int_equal(start_of(scenario)->rotation, WY_DRIVEN);
    assert_int_equal(start_of(scenario)->rotation_by, cases[i].by);
    assert_int_equal(start_of(scenario)->rotation_from, cases[i].from);
    if (cases[i].by == WY_BY_QUATERNION)
      check_close(value(&start_of(scenario)->quaternion[1], 0.5), 0.5, 0);
    if (cases[i].by == WY_BY_DIRECTORS)
      check_close(value(&start_of(scenario)->d3[1], 0.5), 0.5, 0);
    wy_scenario_destroy(scenario);
  }
}

static void a_path_drives_position_and_orientation(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    wy_scenario *scenario = read_text(space ? PATH STATIC_HEAD ROD "    ends: {start: {path: hand, axes: space}}\n"
                                            : PATH STATIC_HEAD ROD "    ends: {start: {path: hand}}\n");
    const wy_end *end = start_of(scenario);
    for (int i = 0; i < 3; i++)
      assert_int_equal(end->position[i], WY_DRIVEN);
    assert_int_equal(end->rotation, WY_DRIVEN);
    assert_int_equal(end->rotation_by, WY_BY_QUATERNION);
    assert_int_equal(end->rotation_from, space ? WY_FROM_SPACE : WY_FROM_UNDEFORMED);
    check_close(value(&end->path[1], 0.25), 0.25, 1e-15);
    check_close(value(&end->quaternion[1], 1), sqrt(0.5), 1e-15); /* of length 1 */
    wy_scenario_destroy(scenario);
  }
  wy_scenario *scenario =
      read_text("tables: {hand: {rows: [[0, 0, 0, 0], [1, 0, 1, 0]], columns: [x, y, z]}}\n" STATIC_HEAD ROD
                "    ends: {start: {path: hand, rotation: held}}\n");
  assert_int_equal(start_of(scenario)->position[2], WY_DRIVEN);
  assert_int_equal(start_of(scenario)->rotation, WY_HELD);
  wy_scenario_destroy(scenario);
}

static void wrong_ends_are_named(void **state) {
  (void)state;
  static const struct {
    const char *end, *want;
  } wrong[] = {
      {"{rotation: {}}",
       "ends.start.rotation: found no rotation; expected one of quaternion, d3 with d1, axis with angle"},
      {"{rotation: {axes: space}}", "rotation: found no rotation"},
      {"{rotation: {quaternion: [1, 0, 0, 0], angle: 1}}", "rotation: found several rotations; expected one of"},
      {"{rotation: {axis: [1, 0, 0]}}", "rotation.angle: found nothing; expected an angle"},
      {"{rotation: {d3: [1, 0, 0]}}", "rotation.d1: found nothing; expected a direction across d3"},
      {"{rotation: {quaternion: [1, 0, 0]}}",
       "rotation.quaternion: found a list of 3; expected a list of 4, [w, x, y, z]"},
      {"{rotation: {quaternion: [1, 0, 0, s]}}", "quaternion[3]: found 's', column 1: arc length s is not available"},
      {"{rotation: {quaternion: [0, 0, 0, 0]}}",
       "rotation.quaternion: found [0, 0, 0, 0] at t = 0; expected a rotation"},
      {"{rotation: {quaternion: [1, \"sqrt(t)\", 0, 0]}}",
       "quaternion[1]: found 'sqrt(t)', whose first derivative is inf"},
      {"{rotation: {quaternion: [1, \"t < 0.5 ? 0 : 1\", 0, 0]}}",
       "which jumps by 1 at t = 0.5; expected a continuous"},
      {"{rotation: {d3: [1, 0, 0], d1: [2, 0, 0]}}", "rotation.d1: is parallel to d3 at t = 0"},
      {"{rotation: {d3: [1, 0, 0], d1: [0, 1, 0], axes: undeformed}}",
       "rotation.axes: found 'undeformed'; expected space"},
      {"{rotation: {quaternion: [1, 0, 0, 0], axes: body}}", "rotation.axes: found 'body'; expected one of undeformed"},
      {"{rotation: {quaternion: [1, 1, 0, 0]}}",
       "rotation.quaternion: found a rotation by 1.5708 rad at t = 0; expected "
       "none"},
      {"{rotation: {quaternion: [1, 0, 0, 0], axes: space}}",
       "turned by 2.0944 rad against that of the undeformed rod, "
       "the quaternion [0.5, 0.5, 0.5, 0.5]"},
      {"{path: hnad}",
       "ends.start.path: found 'hnad'; expected the name of a table: hand, short, places, along; did you "
       "mean 'hand'?"},
      {"{path: along}", "ends.start.path: found 'along'; expected a table of t"},
      {"{path: short}", "found 'short', which needs the table 'short' at t = 1; it reaches from t = 0 to 0.5"},
      {"{path: hand, position: held}", "found a path with x, y, z together with position; expected one of them"},
      {"{path: hand, rotation: held}", "found a path with qw, qx, qy, qz together with rotation; expected one of them"},
      {"{path: places, axes: space}", "ends.start.axes: found axes without a path that has qw, qx, qy, qz"},
      {"{position: held, axes: space}", "ends.start.axes: found axes without a path"},
      {"{path: half}", "ends.start.path: found a table without the column 'z'; expected x, y, z"},
      {"{path: odd}", "found a table without x, y, z and without qw, qx, qy, qz; expected some of these columns"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[2000];
    const bool few = strstr(wrong[i].end, "half") || strstr(wrong[i].end, "odd");
    snprintf(text, sizeof text, "%s" HEAD ROD "    ends: {start: %s}\n",
             few ? "tables: {half: {rows: [[0, 0, 0], [1, 0, 0]], columns: [x, y]}, odd: {rows: [[0, 0], [1, 0]], "
                   "columns: [a]}}\n"
                 : "tables: {hand: {rows: [[0, 0, 0, 0, 1, 0, 0, 0], [1, 0, 1, 0, 1, 1, 0, 0]], columns: [x, y, z, qw, "
                   "qx, qy, qz]},\n"
                   "  short: {rows: [[0, 0, 0, 0], [0.5, 0, 0, 0]], columns: [x, y, z]},\n"
                   "  places: {rows: [[0, 0, 0, 0], [1, 0, 0, 0]], columns: [x, y, z]},\n"
                   "  along: {of: s, rows: [[0, 0, 0, 0], [1, 0, 0, 0]], columns: [x, y, z]}}\n",
             wrong[i].end);
    check_refused(text, wrong[i].want);
  }
  check_refused(HEAD ROD "    ends: {start: {path: hand}}\n",
                "expected the name of a table; there are no tables in this scenario");
}

/* From its equilibrium a rod may begin anywhere. */
static void a_rod_in_equilibrium_begins_anywhere(void **state) {
  (void)state;
  wy_scenario_destroy(read_text(HEAD ROD
                                "    initial: {from: statics}\n"
                                "    ends: {start: {position: held, rotation: {quaternion: [1, 1, 0, 0]}}}\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotations_are_read), cmocka_unit_test(a_path_drives_position_and_orientation),
      cmocka_unit_test(wrong_ends_are_named), cmocka_unit_test(a_rod_in_equilibrium_begins_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
