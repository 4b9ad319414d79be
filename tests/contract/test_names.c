/* SPDX-License-Identifier: MIT */
/* Names of loads and actuators: the model has copies of its own, finds them, and refuses names that are empty or taken.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "withy/withy.h"

enum { COUNT = 4 };

/* A clamped rod with loads and tendons, the last of each without a name. */
typedef struct subject {
  wy_rod_def rod;
  wy_load_def loads[COUNT];
  wy_actuator_def tendons[COUNT];
  char names[COUNT][8];
  wy_model_def model;
} subject;

static void define(subject *it) {
  *it = (subject){.rod = rubber_rod(4), .model = wy_default_model_def()};
  it->rod.ends[0] = wy_end_clamped();
  for (int i = 0; i < COUNT; i++) {
    snprintf(it->names[i], sizeof it->names[i], "n%d", i);
    it->loads[i] = wy_default_load_def();
    it->tendons[i] = wy_default_actuator_def();
    it->tendons[i].kind = WY_TENDON;
    it->loads[i].name = it->tendons[i].name = i < COUNT - 1 ? it->names[i] : NULL;
  }
  it->model.rods = &it->rod, it->model.rod_count = 1;
  it->model.loads = it->loads, it->model.load_count = COUNT;
  it->model.actuators = it->tendons, it->model.actuator_count = COUNT;
}

static void are_found_and_copied(void **state) {
  (void)state;
  subject it;
  wy_model *model;
  wy_message message = {0};
  define(&it);
  must(wy_model_create(&it.model, &model, &message), &message);
  memset(it.names, 'x', sizeof it.names); /* the caller's are not looked at any more */
  for (int i = 0; i < COUNT - 1; i++) {
    char name[8];
    snprintf(name, sizeof name, "n%d", i);
    assert_int_equal(wy_model_load_index(model, name), i);
    assert_int_equal(wy_model_actuator_index(model, name), i);
    assert_string_equal(wy_model_load(model, i)->name, name);
  }
  assert_int_equal(wy_model_load_index(model, "n3"), -1);
  assert_int_equal(wy_model_actuator_index(model, "n"), -1);
  assert_null(wy_model_load(model, COUNT - 1)->name);
  assert_null(wy_model_actuator(model, COUNT - 1)->name);
  wy_model_destroy(model);
}

static void check_refused(const subject *it, const char *path, const char *part) {
  wy_model *model;
  wy_message message = {0};
  assert_int_equal(wy_model_create(&it->model, &model, &message), WY_ERROR_INPUT);
  assert_null(model);
  assert_string_equal(message.path, path);
  assert_non_null(strstr(message.text, part));
}

static void bad_ones_are_refused(void **state) {
  (void)state;
  subject it;
  define(&it);
  it.loads[2].name = it.names[0];
  check_refused(&it, "loads[2].name", "found 'n0' a second time; expected a different name for each load");
  define(&it);
  it.tendons[1].name = it.tendons[2].name = "n0";
  check_refused(&it, "actuators[1].name", "found 'n0' a second time; expected a different name for each actuator");
  define(&it);
  it.loads[1].name = "";
  check_refused(&it, "loads[1].name", "is empty");
  define(&it);
  it.tendons[3].name = "";
  check_refused(&it, "actuators[3].name", "is empty");
}

/* A definition of another version: its pointer is none. */
static void are_not_read_without_a_cookie(void **state) {
  (void)state;
  subject it;
  define(&it);
  it.loads[0].cookie--;
  it.loads[0].name = (const char *)(uintptr_t)1;
  check_refused(&it, "loads[0]", "wy_default_load_def");
  define(&it);
  it.tendons[2].cookie--;
  it.tendons[2].name = (const char *)(uintptr_t)1;
  check_refused(&it, "actuators[2]", "wy_default_actuator_def");
}

static void stand_in_messages(void **state) {
  (void)state;
  static const double bad[3] = {0, (double)NAN, 0}, negative = -1;
  subject it;
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  define(&it);
  must(wy_model_create(&it.model, &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  assert_int_equal(wy_sim_set_load(made.sim, 1, bad, NULL, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "component 2 of loads.n1 is not a finite number");
  assert_int_equal(wy_sim_set_load(made.sim, 3, bad, NULL, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "component 2 of loads[3] is not a finite number");
  assert_int_equal(wy_sim_set_actuator(made.sim, 2, &bad[1], &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "the force of actuators.n2 is not a finite number");
  assert_int_equal(wy_sim_set_actuator(made.sim, 3, &negative, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "actuators[3]: found tension -1"));
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(are_found_and_copied), cmocka_unit_test(bad_ones_are_refused),
                                     cmocka_unit_test(are_not_read_without_a_cookie),
                                     cmocka_unit_test(stand_in_messages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
