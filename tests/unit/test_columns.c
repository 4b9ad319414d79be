/* SPDX-License-Identifier: MIT */
/* Numbers in columns (run/tree/csv.h): what devices, spreadsheets and programs write is read; all else is refused with
   line, column, what was found and what is expected. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run/tree/csv.h"

static const wy_csv *read_ok(wy_pool *pool, const char *text) {
  wy_yaml_error error;
  const wy_csv *csv = wy_csv_read(pool, text, strlen(text), &error);
  if (!csv)
    fail_msg("%s: refused: %d: %s", text, error.line, error.text);
  return csv;
}

/* Two rows t, x, y: 0 1.5 -2 and 0.5 1e-3 .25, whatever they are written like. */
static void all_usual_ways_to_write_numbers_are_read(void **state) {
  (void)state;
  static const char *const texts[] = {
      "t,x,y\n0,1.5,-2\n0.5,1e-3,.25\n",
      "t,x,y\r\n0,1.5,-2\r\n0.5,1e-3,.25\r\n",
      "t,x,y\r0,1.5,-2\r0.5,1e-3,.25",
      "\xef\xbb\xbft, x, y\n0, 1.5, -2\n0.5, 1E-3, +0.25",
      "t;x;y\n0;1.5;-2\n0.5;1e-03;.25\n",
      "t\tx\ty\n0\t1.5\t-2\n0.5\t1e-3\t.25\n",
      "# a device\n\n  t   x  y  # names\n 0 \t 1.5   -2  \n\n   # between\n0.5 0.001 25e-2 # last\n",
      "\"t\",\"x\",\"y\"\n\"0\",1.5,\"-2\"\n0.5,0.001,0.25\n",
  };
  static const double want[] = {0, 1.5, -2, 0.5, 1e-3, 0.25};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    wy_pool pool = {0};
    const wy_csv *csv = read_ok(&pool, texts[i]);
    assert_int_equal(csv->columns, 3);
    assert_int_equal(csv->rows, 2);
    assert_string_equal(csv->names[0], "t");
    assert_string_equal(csv->names[1], "x");
    assert_string_equal(csv->names[2], "y");
    for (int k = 0; k < 6; k++)
      assert_true(csv->values[k] == want[k]);
    wy_pool_release(&pool);
  }
}

static void rows_without_names_know_their_lines(void **state) {
  (void)state;
  wy_pool pool = {0};
  const wy_csv *csv = read_ok(&pool, "# t x\n1,2\n\n3,4");
  assert_null(csv->names);
  assert_int_equal(csv->rows, 2);
  assert_int_equal(csv->lines[0], 2);
  assert_int_equal(csv->lines[1], 4);
  wy_pool_release(&pool);
}

static void many_rows_are_kept(void **state) {
  (void)state;
  enum { ROWS = 5000 };
  wy_pool pool = {0};
  char *text = malloc(ROWS * 32);
  size_t used = 0;
  for (int i = 0; i < ROWS; i++)
    used += (size_t)snprintf(text + used, ROWS * 32 - used, "%d %.17g\n", i, i / 7.0);
  const wy_csv *csv = read_ok(&pool, text);
  assert_int_equal(csv->rows, ROWS);
  for (int i = 0; i < ROWS; i++) {
    assert_true(csv->values[2 * i] == i && csv->values[2 * i + 1] == i / 7.0);
    assert_int_equal(csv->lines[i], i + 1);
  }
  wy_pool_release(&pool);
  free(text);
}

static void the_locale_changes_nothing(void **state) {
  (void)state;
  wy_pool pool = {0};
  const char *locale = setlocale(LC_NUMERIC, "de_DE.UTF-8");
  const wy_csv *csv = read_ok(&pool, "0.5 1.25\n");
  setlocale(LC_NUMERIC, "C");
  (void)locale; /* where it is not installed, the C locale is read */
  assert_true(csv->values[0] == 0.5 && csv->values[1] == 1.25);
  wy_pool_release(&pool);
}

typedef struct wrong {
  const char *text;
  int line;
  const char *reason;
} wrong;

#define TEN "1234567890"
#define FIFTY TEN TEN TEN TEN TEN

static void what_is_wrong_is_named_with_line_and_column(void **state) {
  (void)state;
  static const wrong table[] = {
      {"", 0, "found no numbers"},
      {"# nothing\n\n", 2, "found no numbers"},
      {"t,x\n", 1, "found names of columns alone; expected rows of numbers below them"},
      {"t,x\n0,1\n1\n", 3, "found 1 field; expected 2, separated by commas"},
      {"0 1\n1 2 3\n", 2, "found 3 fields; expected 2, separated by blanks or tabs"},
      {"t;x\n0 1\n", 2, "column 1 (t): found '0 1'; expected a number"},
      {"t,x\n0,\n", 2, "column 2 (x): found nothing; expected a number"},
      {"t,x\n0,NaN\n", 2, "column 2 (x): found 'NaN'; expected a finite number"},
      {"t,x\n0,-inf\n", 2, "column 2 (x): found '-inf'; expected a finite number"},
      {"nan 1\n", 1, "column 1: found 'nan'; expected a finite number"},
      {"0,1e999\n", 1, "column 2: found '1e999'; expected a finite number"},
      {"0,0." FIFTY FIFTY "\n", 1, "column 2: found a number of 102 characters; expected at most 100"},
      {"0,0x10\n", 1, "column 2: found '0x10'; expected a number"},
      {"0,1e\n", 1, "column 2: found '1e'; expected a number"},
      {"0,.\n", 1, "column 2: found '.'; expected a number"},
      {"t,x\n0,left\n", 2, "column 2 (x): found 'left'; expected a number"},
      {"t;x\n0;1,5\n", 2, "column 2 (x): found '1,5'; expected a number with a decimal point, not a comma"},
      {"0,5;1\n", 1, "column 1: found '0,5'; expected a number with a decimal point"},
      {"0,5 1,5\n", 1, "column 2: found '5 1'; expected a number with a decimal point"},
      {"t,x,x\n0,1,2\n", 1, "column 3: found the name 'x', which column 2 has, too"},
      {"t,,x\n0,1,2\n", 1, "column 2: found nothing; expected a name"},
      {"t,1\n0,1\n", 1, "column 2: found '1'; expected a name, since the line begins with one"},
      {"t,x123456789012345678901234567890123456789012345678901234567890123\n0,1\n", 1, "found a name of 64 bytes"},
      {"1 \x07\n", 1, "column 2: found ' '; expected a number"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    wy_pool pool = {0};
    wy_yaml_error error = {.text = ""};
    assert_null(wy_csv_read(&pool, table[i].text, strlen(table[i].text), &error));
    if (!strstr(error.text, table[i].reason) || error.line != table[i].line)
      fail_msg("'%s': got %d: '%s', want %d: '%s'", table[i].text, error.line, error.text, table[i].line,
               table[i].reason);
    wy_pool_release(&pool);
  }
}

static void too_much_is_refused(void **state) {
  (void)state;
  enum { BYTES = 2 * (WY_CSV_ROWS + 1) };
  wy_pool pool = {0};
  wy_yaml_error error;
  char *text = malloc(BYTES);
  for (int i = 0; i < BYTES; i += 2)
    text[i] = '1', text[i + 1] = '\n';
  assert_null(wy_csv_read(&pool, text, BYTES, &error));
  assert_non_null(strstr(error.text, "found more than 1000000 rows"));
  assert_non_null(wy_csv_read(&pool, text, BYTES - 2, &error));
  for (int i = 0; i < BYTES; i += 2)
    text[i + 1] = ',';
  assert_null(wy_csv_read(&pool, text, 2 * WY_CSV_COLUMNS + 1, &error));
  assert_non_null(strstr(error.text, "found 1001 columns; expected at most 1000"));
  assert_non_null(wy_csv_read(&pool, text, 2 * WY_CSV_COLUMNS - 1, &error));
  wy_pool_release(&pool);
  free(text);
}

static void files_are_found_beside_the_file_that_names_them(void **state) {
  (void)state;
  wy_pool pool = {0};
  assert_string_equal(wy_csv_path(&pool, "arm.yaml", "hand.csv"), "hand.csv");
  assert_string_equal(wy_csv_path(&pool, "a/b/arm.yaml", "hand.csv"), "a/b/hand.csv");
  assert_string_equal(wy_csv_path(&pool, "a/arm.yaml", "../hand.csv"), "a/../hand.csv");
  assert_string_equal(wy_csv_path(&pool, "a/arm.yaml", "/c/hand.csv"), "/c/hand.csv");
  const wy_csv *csv;
  char reason[256];
  assert_int_equal(wy_csv_read_file(&pool, "none/hand.csv", &csv, reason, sizeof reason), WY_ERROR_FILE);
  assert_null(csv);
  assert_non_null(strstr(reason, "none/hand.csv: No such file"));
  wy_pool_release(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_usual_ways_to_write_numbers_are_read),
                                     cmocka_unit_test(rows_without_names_know_their_lines),
                                     cmocka_unit_test(many_rows_are_kept),
                                     cmocka_unit_test(the_locale_changes_nothing),
                                     cmocka_unit_test(what_is_wrong_is_named_with_line_and_column),
                                     cmocka_unit_test(too_much_is_refused),
                                     cmocka_unit_test(files_are_found_beside_the_file_that_names_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
