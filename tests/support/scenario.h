/* SPDX-License-Identifier: MIT */
/* Scenarios as texts in tests: their parts, and reading them. */
#ifndef WY_TESTS_SUPPORT_SCENARIO_H
#define WY_TESTS_SUPPORT_SCENARIO_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "run/scenario/scenario.h"

#define SECTION "    section: {shape: circle, radius: 0.01}\n"
#define MATERIAL "    material: {density: 1000, young: 1e6, poisson: 0.25}\n"
#define HEAD "withy: 1\ntime: {end: 1}\nrods:\n"
#define ROD "  - name: arm\n    length: 2\n" SECTION MATERIAL
#define SMALLEST HEAD ROD
#define LEG "  - name: leg\n    length: 1\n" SECTION MATERIAL

static inline wy_scenario *read_with(const char *text, const char *const *settings, int count) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  if (wy_scenario_read("test.yaml", "test", text, settings, count, &scenario, &error) != WY_OK)
    fail_msg("refused: %s", error.text);
  return scenario;
}

static inline wy_scenario *read_text(const char *text) {
  return read_with(text, NULL, 0);
}

static inline void check_refused(const char *text, const char *want) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {.text = ""};
  wy_status status = wy_scenario_read("test.yaml", "test", text, NULL, 0, &scenario, &error);
  assert_int_equal(status, WY_ERROR_INPUT);
  assert_null(scenario);
  if (!strstr(error.text, want))
    fail_msg("got '%s', want '%s' in it", error.text, want);
}

static inline void check_unused(const wy_scenario *scenario, int index, const char *key, const char *on) {
  assert_true(index < scenario->unused_count);
  assert_string_equal(scenario->unused[index].key, key);
  assert_string_equal(scenario->unused[index].on, on);
}

#endif
