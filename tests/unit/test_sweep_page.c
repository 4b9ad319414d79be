/* SPDX-License-Identifier: MIT */
/* What the page of a sweep is made of: rows of a CSV file with texts, escaped texts. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "draw/escape.h"
#include "draw/sweep/csv.h"

/* ---- Rows ---- */

static void rows_have_quoted_fields(void **state) {
  (void)state;
  char text[] = "a,b,c\r\n1,\"x, \"\"y\"\"\nz\",\n\"\",\"\"\"\",3";
  wy_records records = {text, 1};
  char *f[3];
  assert_int_equal(wy_records_next(&records, f, 3), 3);
  assert_string_equal(f[0], "a");
  assert_string_equal(f[2], "c");
  assert_int_equal(records.line, 2);
  assert_int_equal(wy_records_next(&records, f, 3), 3);
  assert_string_equal(f[1], "x, \"y\"\nz");
  assert_string_equal(f[2], "");
  assert_int_equal(records.line, 4);
  assert_int_equal(wy_records_next(&records, f, 2), 3); /* the third is counted */
  assert_string_equal(f[0], "");
  assert_string_equal(f[1], "\"");
  assert_int_equal(wy_records_next(&records, f, 3), 0);
  char open[] = "1,\"2\n3";
  records = (wy_records){open, 1};
  assert_int_equal(wy_records_next(&records, f, 3), -1);
}

/* ---- Texts ---- */

static void check_escaped(const char *text, size_t length, const char *want) {
  char *got = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&got, &size);
  assert_non_null(out);
  wy_escape(out, text, length);
  assert_int_equal(fclose(out), 0);
  assert_string_equal(got, want);
  free(got);
}

static void texts_are_escaped(void **state) {
  (void)state;
  check_escaped("a<b>&\"c'", 100, "a&lt;b&gt;&amp;&quot;c'");
  check_escaped("abc", 2, "ab");
  check_escaped("\x01\x1f\x7f\t\n", 5, "   \t\n");
  check_escaped("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 100, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  check_escaped("\xc3\xa9", 1, "?");              /* cut within a character */
  check_escaped("\xe2\x82", 100, "??");           /* the same */
  check_escaped("\xc0\xaf\xff", 100, "???");      /* no characters */
  check_escaped("\xed\xa0\x80", 100, "???");      /* a surrogate */
  check_escaped("\xf4\x90\x80\x80", 100, "????"); /* beyond the last */
  check_escaped("\xe0\x80\xaf", 100, "???");      /* longer than it need be */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_have_quoted_fields),
      cmocka_unit_test(texts_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
