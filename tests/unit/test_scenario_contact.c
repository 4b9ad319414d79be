/* SPDX-License-Identifier: MIT */
/* The keys `obstacles` and `contact`, and `contact` of rods: every key lands in its place. What is refused, and how, is
   in tests/cli/test_malformed. */
#include <math.h>

#include "support/scenario.h"

/* Far away from the rod. */
#define FLOOR "{name: floor, shape: plane, position: [0, 0, -9]}"
#define FLOORED SMALLEST "obstacles:\n  - " FLOOR "\n"
#define NO_CONTACT "    contact: false\n"

static double value(const wy_signal *signal, double t) {
  double jet[3] = {signal->value};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, 0, t, jet);
  return jet[0];
}

static void without_any_there_are_none(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  assert_int_equal(scenario->model.obstacle_count, 0);
  assert_ptr_equal(scenario->model.contact, scenario->contact);
  check_close(scenario->contact->restitution, 0.5, 0);
  assert_false(scenario->rods[0].contact.none);
  wy_scenario_destroy(scenario);
}

static void an_obstacle_has_its_defaults(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST NO_CONTACT "obstacles:\n  - {shape: plane}\n");
  assert_int_equal(scenario->model.obstacle_count, 1);
  assert_ptr_equal(scenario->model.obstacles, scenario->obstacles);
  assert_true(scenario->rods[0].contact.none);
  const wy_obstacle_def *plane = &scenario->obstacles[0];
  assert_string_equal(plane->name, "obstacle");
  assert_int_equal(plane->shape, WY_OBSTACLE_PLANE);
  assert_int_equal(plane->body, -1);
  check_close(plane->axis[2], 1, 0);
  assert_true(isnan(plane->friction) && isnan(plane->restitution));
  wy_scenario_destroy(scenario);
}

static void keys_of_obstacles_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(SMALLEST NO_CONTACT
                "bodies:\n  - {name: hub, mass: 1, inertia: [1, 1, 1], position: held, rotation: held}\n"
                "tables: {down: {rows: [[0, 1], [1, 3]], columns: [z]}}\n"
                "obstacles:\n"
                "  - {shape: plane, position: [1, 2 cm, \"3*t\"], normal: [0, 1, 0], surface_velocity: [4, 0, 0]}\n"
                "  - {name: drum, shape: cylinder, axis: [0, 2, 0], radius: 5 cm, length: 0.2, friction: 0.5,\n"
                "     restitution: 0.25, rotation: {axis: [0, 0, 3], angle: 90*t deg}}\n"
                "  - {shape: sphere, radius: 0.04, position: [0, 0, down.z]}\n"
                "  - {shape: capsule, radius: 0.04, length: 7}\n"
                "  - {shape: box, size: [1, 2, 3], d1: [1, 1, 0], body: hub}\n"
                "  - {shape: torus, radius: 5, thickness: 6 mm}\n"
                "  - {shape: tube, radius: 8}\n");
  const wy_obstacle_def *o = scenario->obstacles;
  assert_int_equal(scenario->model.obstacle_count, 7);
  assert_string_equal(o[0].name, "obstacle1");
  check_close(value(&o[0].position[0], 0), 1, 0);
  check_close(value(&o[0].position[1], 0), 0.02, 1e-17);
  check_close(value(&o[0].position[2], 2), 6, 0);
  check_close(o[0].axis[1], 1, 0);
  check_close(o[0].surface_velocity[0], 4, 0);
  assert_string_equal(o[1].name, "drum");
  assert_int_equal(o[1].shape, WY_OBSTACLE_CYLINDER);
  check_close(o[1].axis[1], 2, 0);
  check_close(o[1].radius, 0.05, 1e-17);
  check_close(o[1].length, 0.2, 0);
  check_close(o[1].friction, 0.5, 0);
  check_close(o[1].restitution, 0.25, 0);
  check_close(o[1].rotation_axis[2], 3, 0);
  check_close(value(&o[1].angle, 1), 1.57079632679489662, 1e-15);
  assert_int_equal(o[2].shape, WY_OBSTACLE_SPHERE);
  assert_string_equal(o[2].name, "obstacle3");
  check_close(value(&o[2].position[2], 1), 3, 1e-15);
  assert_int_equal(o[3].shape, WY_OBSTACLE_CAPSULE);
  check_close(o[3].length, 7, 0);
  assert_int_equal(o[4].shape, WY_OBSTACLE_BOX);
  check_close(o[4].dimensions[2], 3, 0);
  check_close(o[4].d1[1], 1, 0);
  assert_int_equal(o[4].body, 0);
  assert_int_equal(o[5].shape, WY_OBSTACLE_TORUS);
  check_close(o[5].thickness, 0.006, 1e-18);
  assert_int_equal(o[6].shape, WY_OBSTACLE_TUBE);
  assert_true(isinf(o[6].length));
  wy_scenario_destroy(scenario);
}

static void settings_find_obstacles_by_name(void **state) {
  (void)state;
  const char *const settings[] = {"obstacles.floor.shape=sphere", "obstacles.floor.radius=0.1",
                                  "obstacles[1].position=[0, 0, -5]", "contact.friction.slip=1e-4"};
  wy_scenario *scenario = read_with(SMALLEST NO_CONTACT "obstacles:\n  - " FLOOR "\n  - {name: wall, shape: plane}\n"
                                                        "contact: {friction: {coefficient: 0.3}}\n",
                                    settings, 4);
  check_close(scenario->obstacles[0].radius, 0.1, 0);
  check_close(value(&scenario->obstacles[1].position[2], 0), -5, 0);
  check_close(scenario->contact->slip, 1e-4, 0);
  wy_scenario_destroy(scenario);
}

static void laws_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(FLOORED "contact:\n"
                        "  friction: {coefficient: 0.3, slip: 5.0e-5, speed: 3 mm/s, stick: false}\n"
                        "  restitution: 0\n"
                        "  settle: true\n"
                        "  pairs: [{between: [floor, arm], friction: 0}]\n");
  const wy_contact_def *contact = scenario->contact;
  check_close(contact->friction, 0.3, 0);
  check_close(contact->slip, 5e-5, 0);
  check_close(contact->speed, 3e-3, 1e-18);
  check_close(contact->restitution, 0, 0);
  assert_true(contact->settle && !contact->stick);
  assert_int_equal(contact->pair_count, 1);
  assert_int_equal(contact->pairs[0].rod + contact->pairs[0].obstacle, 0);
  check_close(contact->pairs[0].friction, 0, 0);
  assert_true(isnan(contact->pairs[0].restitution));
  assert_int_equal(scenario->unused_count, 1); /* it is no equilibrium */
  assert_string_equal(scenario->unused[0].key, "contact.settle");
  wy_scenario_destroy(scenario);
  scenario = read_text(FLOORED "contact: {friction: 0.25}\n");
  check_close(scenario->contact->friction, 0.25, 0);
  assert_true(scenario->contact->stick);
  wy_scenario_destroy(scenario);
}

static void laws_without_obstacles_have_no_effect(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "contact: {friction: 0.25, settle: true}\n");
  assert_int_equal(scenario->unused_count, 1);
  assert_string_equal(scenario->unused[0].key, "contact");
  assert_string_equal(scenario->unused[0].on, "a scenario without obstacles");
  wy_scenario_destroy(scenario);
}

static void skins_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(FLOORED "contact: {friction: 0.1}\n"); /* the default: from section and material */
  check_close(scenario->rods[0].contact.radius.value, 0, 0);
  check_close(scenario->rods[0].contact.stiffness, 0, 0);
  check_close(scenario->rods[0].contact.blend, 0.05, 0);
  wy_scenario_destroy(scenario);
  scenario = read_text(SMALLEST "    contact: {radius: \"0.01*(1 - s/4)\", stiffness: 5 MPa, blend: 0}\n"
                                "obstacles:\n  - " FLOOR "\n");
  const wy_rod_contact *skin = &scenario->rods[0].contact;
  double jet[3];
  skin->radius.evaluate(skin->radius.context, WY_ARC, 2, 0, jet);
  check_close(jet[0], 0.005, 1e-17);
  check_close(skin->stiffness, 5e6, 1e-9);
  check_close(skin->blend, 0, 0);
  wy_scenario_destroy(scenario);
}

static void the_old_spelling_of_section_force_is_read(void **state) {
  (void)state;
  static const char *const keys[] = {"contact_force", "section_force"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text, SMALLEST "    model: inextensible\nsolver: {scheme: box, %s: stage}\n", keys[i]);
    wy_scenario *scenario = read_text(text);
    assert_int_equal(scenario->solvers[0].box.force, WY_FORCE_STAGE);
    assert_int_equal(scenario->unused_count, 0);
    wy_scenario_destroy(scenario);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_any_there_are_none),
                                     cmocka_unit_test(an_obstacle_has_its_defaults),
                                     cmocka_unit_test(keys_of_obstacles_land_in_their_places),
                                     cmocka_unit_test(settings_find_obstacles_by_name),
                                     cmocka_unit_test(laws_land_in_their_places),
                                     cmocka_unit_test(laws_without_obstacles_have_no_effect),
                                     cmocka_unit_test(skins_land_in_their_places),
                                     cmocka_unit_test(the_old_spelling_of_section_force_is_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
