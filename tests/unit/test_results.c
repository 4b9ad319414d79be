/* SPDX-License-Identifier: MIT */
/* The parts that result files are made of: JSON text, whole-file replacement, error texts. What
   whole runs leave is tested in tests/cli. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/results/json.h"
#include "run/results/modes.h"
#include "run/results/summary.h"

static void json_is_indented_and_separated(void **state) {
  (void)state;
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "a", -3);
  wy_json_list(&json, "b");
  wy_json_number(&json, NULL, 0.1);
  wy_json_number(&json, NULL, -0.0);
  wy_json_end_list(&json);
  wy_json_object(&json, "c");
  wy_json_end_object(&json);
  wy_json_list(&json, "d");
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  assert_string_equal(
      text.data, "{\n  \"a\": -3,\n  \"b\": [\n    0.10000000000000001,\n    -0\n  ],\n  \"c\": {},\n  \"d\": []\n}\n");
  wy_text_free(&text);
}

static void json_never_says_nan(void **state) {
  (void)state;
  const double values[] = {NAN, INFINITY, -INFINITY};
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_list(&json, NULL);
  for (int i = 0; i < 3; ++i)
    wy_json_number(&json, NULL, values[i]);
  wy_json_end_list(&json);
  assert_string_equal(text.data, "[\n  null,\n  null,\n  null\n]\n");
  wy_text_free(&text);
}

static void check_string(const char *value, const char *want) {
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_string(&json, NULL, value);
  assert_string_equal(text.data, want);
  wy_text_free(&text);
}

static void json_escapes_what_would_break_it(void **state) {
  (void)state;
  check_string("", "\"\"");
  check_string("say \"hi\\\"\n\tnow", "\"say \\\"hi\\\\\\\"\\n\\tnow\"");
  check_string("\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"");
  check_string("\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\xbf", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\xbf\""); /* ä € and a leaf */
  check_string("\xe4rger", "\"\\ufffdrger\"");                                                      /* Latin-1 */
  check_string("\xc3", "\"\\ufffd\"");
  check_string("\xe2\x82", "\"\\ufffd\\ufffd\"");
  check_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
  check_string("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* overlong */
}

static void text_grows(void **state) {
  (void)state;
  wy_text text = {0};
  for (int i = 0; i < 1000; ++i)
    wy_text_add(&text, "%d,", i % 10);
  assert_int_equal(text.length, 2000);
  assert_int_equal(strlen(text.data), 2000);
  wy_text_append(&text, "x\0y", 3);
  assert_int_equal(text.length, 2003);
  wy_text_free(&text);
}

/* Published values of the 64-bit FNV-1a hash. */
static void hash_is_fnv1a(void **state) {
  (void)state;
  assert_true(wy_hash(WY_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(wy_hash(WY_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(wy_hash(WY_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void check_content(const char *path, const char *want) {
  char *data;
  size_t size;
  assert_int_equal(wy_file_read(path, &data, &size, NULL), WY_OK);
  assert_non_null(data);
  assert_string_equal(data, want);
  assert_int_equal(size, strlen(want));
  free(data);
}

static void replacing_is_all_or_nothing(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-results-XXXXXX", path[64], part[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  snprintf(part, sizeof part, "%s/file.part", folder);
  wy_message message;
  assert_int_equal(wy_file_replace(path, "one", 3, &message), WY_OK);
  check_content(path, "one");
  assert_int_equal(wy_file_replace(path, "three", 5, &message), WY_OK);
  check_content(path, "three");
  /* A disk without space: the new file cannot be written, the old one stays. */
  assert_int_equal(symlink("/dev/full", part), 0);
  assert_int_equal(wy_file_replace(path, "four", 4, &message), WY_ERROR_FILE);
  char want[128];
  snprintf(want, sizeof want, "no space left on device while writing %s", path);
  assert_string_equal(message.text, want);
  check_content(path, "three");
  assert_int_not_equal(access(part, F_OK), 0);
  unlink(path);
  rmdir(folder);
}

static void missing_and_short_files_are_told_apart(void **state) {
  (void)state;
  char *data = (char *)"";
  size_t size = 1;
  assert_int_equal(wy_file_read("/nowhere/at/all", &data, &size, NULL), WY_OK);
  assert_null(data);
  wy_message message;
  assert_int_equal(wy_file_read("/tmp", &data, &size, &message), WY_ERROR_FILE);
  int file = open("/dev/null", O_RDONLY);
  char byte;
  assert_int_equal(wy_file_read_at(file, &byte, 1, 0), EIO);
  close(file);
}

/* A set of one block of memory, as the library makes them: omega and zeros. */
static wy_mode_set *make_set(int count, const double *values, bool buckling) {
  size_t bytes = sizeof(wy_mode_set) + (size_t)count * 20 * sizeof(double);
  wy_mode_set *set = calloc(1, bytes);
  assert_non_null(set);
  double *numbers = (double *)(set + 1), *zeros = numbers + count;
  memcpy(numbers, values, (size_t)count * sizeof *numbers);
  set->count = count;
  set->points = set->frames = 1;
  set->omega = buckling ? NULL : numbers;
  set->factor = buckling ? numbers : NULL;
  set->damping_ratio = buckling ? NULL : zeros;
  set->s = set->frame_s = zeros;
  set->displacement = set->rotation = set->position = set->frame = zeros;
  return set;
}

static wy_model *two_rods(wy_sim **sim) {
  wy_rod_def rods[2] = {wy_default_rod_def(), wy_default_rod_def()};
  for (int i = 0; i < 2; i++) {
    rods[i].name = i ? "b" : "a";
    rods[i].length = 1;
    rods[i].has_stiffness = rods[i].has_inertia = true;
    for (int k = 0; k < 6; k++)
      rods[i].stiffness[k] = wy_constant(1);
    for (int k = 0; k < 4; k++)
      rods[i].inertia[k] = wy_constant(1);
  }
  wy_model_def def = wy_default_model_def();
  def.rods = rods;
  def.rod_count = 2;
  wy_model *model = NULL;
  const wy_sim_def solving = wy_default_sim_def();
  assert_int_equal(wy_model_create(&def, &model, NULL), WY_OK);
  assert_int_equal(wy_sim_create(model, &solving, sim, NULL), WY_OK);
  return model;
}

static void modes_of_all_rods_are_sorted_and_cut(void **state) {
  (void)state;
  const double first[] = {-2, 1, 3}, second[] = {0, 1, 2};
  wy_sim *sim = NULL;
  wy_model *model = two_rods(&sim);
  wy_mode_table *table = wy_mode_table_create(false, model);
  table->rods[0] = make_set(3, first, false);
  table->rods[1] = make_set(3, second, false);
  assert_int_equal(wy_mode_table_sort(table, 5, model, sim, NULL), WY_OK);
  const double want[] = {-2, 0, 1, 1, 2};
  const int rods[] = {0, 1, 0, 1, 1}, indices[] = {0, 0, 1, 1, 2};
  assert_int_equal(table->count, 5);
  for (int i = 0; i < 5; i++) {
    assert_true(table->rows[i].value == want[i]);
    assert_int_equal(table->rows[i].rod, rods[i]);
    assert_int_equal(table->rows[i].index, indices[i]);
  }
  char path[] = "/tmp/withy-modes-XXXXXX";
  close(mkstemp(path));
  assert_int_equal(wy_mode_table_write(table, path, NULL), WY_OK);
  check_content(path, "mode,omega,damping_ratio\n1,-2,0\n2,0,0\n3,1,0\n4,1,0\n5,2,0\n");
  unlink(path);
  wy_mode_table_destroy(table);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void factors_have_a_table_of_their_own(void **state) {
  (void)state;
  const double factors[] = {0.1, 2.5};
  wy_sim *sim = NULL;
  wy_model *model = two_rods(&sim);
  wy_mode_table *table = wy_mode_table_create(true, model);
  table->rods[1] = make_set(2, factors, true); /* the first rod does not buckle */
  assert_int_equal(wy_mode_table_sort(table, 4, model, sim, NULL), WY_OK);
  char path[] = "/tmp/withy-modes-XXXXXX";
  close(mkstemp(path));
  assert_int_equal(wy_mode_table_write(table, path, NULL), WY_OK);
  check_content(path, "mode,factor,limit_point\n1,0.10000000000000001,0\n2,2.5,0\n");
  unlink(path);
  wy_mode_table_destroy(table);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void a_mode_that_is_not_finite_is_refused(void **state) {
  (void)state;
  const double values[] = {1, (double)NAN};
  wy_sim *sim = NULL;
  wy_model *model = two_rods(&sim);
  wy_message message;
  wy_mode_table *table = wy_mode_table_create(false, model);
  table->rods[1] = make_set(2, values, false);
  assert_int_equal(wy_mode_table_sort(table, 4, model, sim, &message), WY_ERROR_SOLVER);
  assert_string_equal(message.text, "rod 'b': mode 2 is not a finite number");
  wy_mode_table_destroy(table);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_is_indented_and_separated),
      cmocka_unit_test(json_never_says_nan),
      cmocka_unit_test(json_escapes_what_would_break_it),
      cmocka_unit_test(text_grows),
      cmocka_unit_test(hash_is_fnv1a),
      cmocka_unit_test(replacing_is_all_or_nothing),
      cmocka_unit_test(missing_and_short_files_are_told_apart),
      cmocka_unit_test(modes_of_all_rods_are_sorted_and_cut),
      cmocka_unit_test(factors_have_a_table_of_their_own),
      cmocka_unit_test(a_mode_that_is_not_finite_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
