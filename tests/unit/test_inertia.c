/* SPDX-License-Identifier: MIT */
/* The count of negative eigenvalues, against matrices whose inertia is known because they are made of it: A = L D L^T
   with unit lower block bidiagonal L has as many negative eigenvalues as D has negative entries (Sylvester). */
#include "check.h"
#include "linalg/inertia.h"
#include "support/rods.h"

enum { MOST = WY_INERTIA_MOST, BLOCKS = 7 };

typedef double block[MOST][MOST];

/* L below and on the diagonal of the blocks, D of random signs; zeros on the diagonal of A where `hollow`. */
static int known_matrix(int size, unsigned seed, block diagonal[BLOCKS], block coupling[BLOCKS]) {
  static block own, below[BLOCKS];
  double d[BLOCKS][MOST], scale = fmin(1, sqrt(12.0 / size)); /* the condition of L grows as exp(size scale^2) does */
  int negative = 0;
  block last = {{0}};
  for (int b = 0; b < BLOCKS; b++) {
    for (int i = 0; i < size; i++) {
      d[b][i] = noise(&seed) > 0 ? 1 + noise(&seed) * 0.5 : -1 + noise(&seed) * 0.5;
      negative += d[b][i] < 0;
      for (int j = 0; j < size; j++) {
        own[i][j] = i == j ? 1 : i > j ? scale * noise(&seed) : 0;
        below[b][i][j] = scale * noise(&seed);
      }
    }
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) {
        diagonal[b][i][j] = coupling[b][j][i] = 0;
        for (int k = 0; k < size; k++) {
          diagonal[b][i][j] += own[i][k] * d[b][k] * own[j][k];
          if (b > 0) {
            diagonal[b][i][j] += below[b][i][k] * d[b - 1][k] * below[b][j][k];
            coupling[b][j][i] += below[b][i][k] * d[b - 1][k] * last[j][k];
          }
        }
      }
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        last[i][j] = own[i][j];
  }
  return negative;
}

static void negative_eigenvalues_are_counted_exactly(void **state) {
  (void)state;
  static block diagonal[BLOCKS], coupling[BLOCKS];
  for (int size = 1; size <= MOST; size++)
    for (unsigned seed = 1; seed < 40; seed++) {
      int want = known_matrix(size, seed, diagonal, coupling);
      wy_inertia inertia = {0};
      for (int b = 0; b < BLOCKS; b++)
        assert_int_equal(wy_inertia_add(&inertia, size, diagonal[b], coupling[b]), 0);
      assert_int_equal(inertia.negative, want);
    }
}

/* [0 1; 1 0] has one negative eigenvalue and no usable diagonal pivot. */
static void a_hollow_block_needs_a_pair_of_rows(void **state) {
  (void)state;
  block hollow = {{0}}, none = {{0}};
  for (int i = 0; i < 6; i += 2)
    hollow[i][i + 1] = hollow[i + 1][i] = 1 + i;
  wy_inertia inertia = {0};
  assert_int_equal(wy_inertia_add(&inertia, 6, hollow, none), 0);
  assert_int_equal(inertia.negative, 3);
}

static void a_singular_block_is_reported(void **state) {
  (void)state;
  block zero = {{0}}, none = {{0}};
  zero[0][0] = 1;
  wy_inertia inertia = {0};
  assert_int_equal(wy_inertia_add(&inertia, 2, zero, none), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(negative_eigenvalues_are_counted_exactly),
      cmocka_unit_test(a_hollow_block_needs_a_pair_of_rows),
      cmocka_unit_test(a_singular_block_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
