/* What the page of a sweep is made of: the observed order, rows of a CSV file with texts, escaped texts. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "draw/escape.h"
#include "draw/sweep/csv.h"
#include "draw/sweep/order.h"

/* ---- Order ---- */

/* Data of order p give p on grids of any ratio. The differences have relative errors of round-off of the limit over the
   last difference. The derivative of the logarithm of their ratio by p is (a + b)/2 + (h(pa) - h(pb))/p with the
   logarithms a and b of the ratios of widths and h(x) = x/2 coth(x/2), |h'| < 1/2: at least the smaller of a and b. */
static void check_order(double p, const double width[3], double limit, double factor) {
  double value[3];
  for (int i = 0; i < 3; i++)
    value[i] = limit + factor * pow(width[i], p);
  const double error = 4 * DBL_EPSILON * (fabs(limit) + fabs(value[0])) / fabs(value[1] - value[2]);
  const double slope = log(fmin(width[0] / width[1], width[1] / width[2]));
  check_close(wy_observed_order(width, value), p, error / slope + 1e-13 * p);
}

static void data_of_an_order_give_this_order(void **state) {
  (void)state;
  static const double widths[][3] = {{1, 0.5, 0.25}, {0.2, 0.1, 0.05}, {1, 0.7, 0.3}, {1e-3, 1e-4, 1e-6}, {9, 8, 7}};
  static const double orders[] = {0.5, 1, 1.5, 2, 3, 4, 6};
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t p = 0; p < sizeof orders / sizeof *orders; p++) {
      check_order(orders[p], widths[w], 0, 1);
      check_order(orders[p], widths[w], 0, -7e-5);
      if (w < 3)
        check_order(orders[p], widths[w], -0.3, 2);
    }
}

static void there_is_no_order_where_differences_do_not_shrink(void **state) {
  (void)state;
  const double width[3] = {1, 0.5, 0.25};
  static const double values[][3] = {{1, 2, 1}, {1, 1, 1}, {1, 2, 3}, {1, 2, 4}, {2, 1, 1}, {1, 1, 2}, {NAN, 1, 2}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    assert_true(isnan(wy_observed_order(width, values[i])));
}

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
      cmocka_unit_test(data_of_an_order_give_this_order),
      cmocka_unit_test(there_is_no_order_where_differences_do_not_shrink),
      cmocka_unit_test(rows_have_quoted_fields),
      cmocka_unit_test(texts_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
