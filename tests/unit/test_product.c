/* SPDX-License-Identifier: MIT */
/* Products of small matrices of all sizes that occur, and of some that do not, against plain sums. */
#include <math.h>

#include "check.h"
#include "linalg/product.h"
#include "support/rods.h"

static void test_sizes(void **state) {
  (void)state;
  static const int columns[] = {1, 3, 6, 8, 9, 12};
  double a[12 * 12], b[12 * 12], c[12 * 12];
  unsigned seed = 1;
  for (int i = 0; i < 12 * 12; i++)
    a[i] = noise(&seed), b[i] = noise(&seed);
  for (int rows = 1; rows <= 12; rows++)
    for (int inner = 1; inner <= 12; inner++)
      for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        const int n = columns[k];
        wy_product(rows, inner, n, a, b, c);
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < inner; l++)
              sum += a[i * inner + l] * b[l * n + j];
            check_close(c[i * n + j], sum, 12 * 12 * 1.2e-16); /* twelve products of numbers below 1 */
          }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
