/* SPDX-License-Identifier: MIT */
/* What a program does with a scenario: reads it from a file, changes it, builds model and simulation of it. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "support/scenario.h"

static wy_sim *build(wy_scenario *scenario, wy_model **model) {
  wy_sim *sim = NULL;
  wy_message message = {.text = ""};
  if (wy_scenario_build(scenario, model, &sim, &message) != WY_OK)
    fail_msg("%s", message.text);
  return sim;
}

static void destroy(wy_sim *sim, wy_model *model) {
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void settings_are_applied_and_kept(void **state) {
  (void)state;
  const char *const first[] = {"rods.arm.segments=6"};
  wy_scenario *scenario = read_with(SMALLEST, first, 1);
  wy_scenario_error error;
  assert_int_equal(wy_scenario_set(scenario, "rods.arm.length=3", &error), WY_OK);
  assert_int_equal(scenario->rods[0].segments, 6);
  check_close(scenario->rods[0].length, 3, 0);
  assert_int_equal(scenario->setting_count, 2);
  assert_string_equal(scenario->settings[0], "rods.arm.segments=6");
  assert_string_equal(scenario->settings[1], "rods.arm.length=3");
  assert_string_equal(scenario->text, SMALLEST);
  wy_scenario_destroy(scenario);
}

static void a_refused_setting_changes_nothing(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  wy_scenario_error error;
  assert_int_equal(wy_scenario_set(scenario, "rods.arm.length=-3", &error), WY_ERROR_INPUT);
  const char *want = "test.yaml: --set rods.arm.length: found '-3'";
  if (strncmp(error.text, want, strlen(want)) != 0)
    fail_msg("got '%s', want '%s'", error.text, want);
  check_close(scenario->rods[0].length, 2, 0);
  assert_int_equal(scenario->setting_count, 0);
  wy_model *model = NULL;
  wy_sim *sim = build(scenario, &model);
  destroy(sim, model);
  wy_scenario_destroy(scenario);
}

/* The first simulation is the one of the checks; each call makes one of its own. */
static void building_twice_makes_two(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  wy_model *models[2] = {NULL};
  wy_sim *sims[2];
  for (int i = 0; i < 2; i++)
    sims[i] = build(scenario, &models[i]);
  assert_true(sims[0] != sims[1] && models[0] != models[1]);
  for (int i = 0; i < 2; i++)
    destroy(sims[i], models[i]);
  wy_scenario_destroy(scenario);
}

/* Whatever may be edited is seen, although reading has built both already. */
static void edited_definitions_are_built_anew(void **state) {
  (void)state;
  enum { EDITS = 5 };
  for (int i = 0; i < EDITS; i++) {
    wy_scenario *scenario =
        read_text(SMALLEST LEG "loads: [{rod: leg, at: end, force: [1, 0, 0]}]\n"
                               "actuators: [{rod: leg, kind: pneumatic, offset: [0, 0], force: 0}]\n");
    const int leg = wy_scenario_rod(scenario, "leg");
    assert_int_equal(leg, 1);
    if (i == 0)
      scenario->rods[leg].length = 7;
    else if (i == 1)
      scenario->loads[0].force[2] = wy_constant(5);
    else if (i == 2)
      scenario->model.gravity[2] = -9.81;
    else if (i == 3)
      scenario->solvers[leg].integrator = "dopri5";
    else
      scenario->actuators[0].force = wy_constant(-3);
    wy_model *model = NULL;
    wy_sim *sim = build(scenario, &model);
    check_close(wy_model_rod(model, leg)->length, i == 0 ? 7 : 1, 0);
    check_close(wy_model_load(model, 0)->force[2].value, i == 1 ? 5 : 0, 0);
    check_close(wy_model_gravity(model)[2], i == 2 ? -9.81 : 0, 0);
    assert_true((strcmp(wy_sim_describe(sim, leg).integrator, "dopri5") == 0) == (i == 3));
    check_close(wy_model_actuator(model, 0)->force.value, i == 4 ? -3 : 0, 0);
    destroy(sim, model);
    wy_scenario_destroy(scenario);
  }
}

static void a_wrong_edit_is_refused_by_the_library(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message = {.text = ""};
  scenario->rods[0].length = -1;
  assert_int_equal(wy_scenario_build(scenario, &model, &sim, &message), WY_ERROR_INPUT);
  assert_true(!model && !sim);
  assert_string_equal(message.path, "rods[0].length");
  wy_scenario_destroy(scenario);
}

static wy_status read_file(const char *folder, const char *file, const char *text, wy_scenario **scenario,
                           wy_scenario_error *error) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
  wy_status status = wy_scenario_read_file(path, NULL, 0, scenario, error);
  unlink(path);
  return status;
}

static void files_are_yaml_or_json_by_their_name(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-life-XXXXXX";
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(read_file(folder, "arm.yaml", SMALLEST, &scenario, &error), WY_OK);
  assert_string_equal(scenario->name, "arm");
  wy_scenario_destroy(scenario);
  assert_int_equal(read_file(folder, "arm.json", SMALLEST, &scenario, &error), WY_ERROR_INPUT);
  assert_non_null(strstr(error.text, "arm.json:1: broken JSON: found 'w'"));
  assert_null(scenario);
  assert_int_equal(read_file(folder, "arm.txt", SMALLEST, &scenario, &error), WY_OK);
  assert_string_equal(scenario->name, "arm.txt");
  wy_scenario_destroy(scenario);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settings_are_applied_and_kept),
      cmocka_unit_test(a_refused_setting_changes_nothing),
      cmocka_unit_test(building_twice_makes_two),
      cmocka_unit_test(edited_definitions_are_built_anew),
      cmocka_unit_test(a_wrong_edit_is_refused_by_the_library),
      cmocka_unit_test(files_are_yaml_or_json_by_their_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
