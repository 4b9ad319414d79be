/* SPDX-License-Identifier: MIT */
/* Maxwell branches of a rod's definition: they are copied, and wrong ones are refused with the place named. */
#include <string.h>

#include "check.h"
#include "support/rods.h"

static wy_status try_branches(const wy_maxwell *branches, int count, wy_model **model, wy_message *message) {
  wy_rod_def rod = rubber_rod(4);
  rod.maxwell = branches, rod.maxwell_count = count;
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  return wy_model_create(&def, model, message);
}

static void branches_are_copied(void **state) {
  (void)state;
  wy_maxwell branches[3] = {{0.5, 0.1}, {0.25, 2}, {0.2, 1e-9}};
  wy_model *model;
  wy_message message;
  assert_int_equal(try_branches(branches, 3, &model, &message), WY_OK);
  memset(branches, 0, sizeof branches);
  const wy_rod_def *rod = wy_model_rod(model, 0);
  assert_int_equal(rod->maxwell_count, 3);
  check_close(rod->maxwell[1].share, 0.25, 0);
  check_close(rod->maxwell[2].time, 1e-9, 0);
  wy_model_destroy(model);
  assert_int_equal(try_branches(NULL, 0, &model, &message), WY_OK);
  assert_int_equal(wy_model_rod(model, 0)->maxwell_count, 0);
  wy_model_destroy(model);
}

static void wrong_branches_are_named(void **state) {
  (void)state;
  const struct {
    wy_maxwell branches[2];
    const char *path, *text;
  } cases[] = {{{{0.5, 1}, {0, 1}}, "maxwell[1].share", "found 0"},
               {{{-0.1, 1}, {0.5, 1}}, "maxwell[0].share", "found -0.1"},
               {{{1, 1}, {0.5, 1}}, "maxwell[0].share", "found 1;"},
               {{{NAN, 1}, {0.5, 1}}, "maxwell[0].share", "nan"},
               {{{0.5, 1}, {0.2, 0}}, "maxwell[1].time", "found 0"},
               {{{0.5, -2}, {0.2, 1}}, "maxwell[0].time", "found -2"},
               {{{0.5, INFINITY}, {0.2, 1}}, "maxwell[0].time", "inf"},
               {{{0.5, 1}, {0.2, NAN}}, "maxwell[1].time", "nan"},
               {{{0.5, 1}, {0.5, 2}}, "maxwell", "add up to 1"},
               {{{0.7, 1}, {0.6, 2}}, "maxwell", "add up to 1.3"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wy_model *model;
    wy_message message = {0};
    assert_int_equal(try_branches(cases[i].branches, 2, &model, &message), WY_ERROR_INPUT);
    assert_null(model);
    if (!strstr(message.path, cases[i].path) || !strstr(message.text, cases[i].text))
      fail_msg("case %zu: got %s: %s; want %s: ...%s...", i, message.path, message.text, cases[i].path, cases[i].text);
  }
  wy_model *model;
  wy_message message = {0};
  assert_int_equal(try_branches(NULL, -1, &model, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.path, "maxwell"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches_are_copied), cmocka_unit_test(wrong_branches_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
