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

/* ---- Whole matrices ---- */

enum { ORDER = 9 * 8 + 3 };

/* L D L^T of blocks that end at `first` and then every `step`, of which `columns` are coupled to the block before. */
typedef struct whole {
  double entry[ORDER][ORDER], lower[ORDER][ORDER], d[ORDER];
  int first, step, columns, negative;
} whole;

static int block_of(const whole *a, int i) {
  return i < a->first ? 0 : 1 + (i - a->first) / a->step;
}

static int place_in_block(const whole *a, int i) {
  return i < a->first ? i : (i - a->first) % a->step;
}

static void fill(whole *a, unsigned seed) {
  a->negative = 0;
  for (int i = 0; i < ORDER; i++) {
    a->d[i] = noise(&seed) > 0 ? 1 + noise(&seed) * 0.5 : -1 + noise(&seed) * 0.5;
    a->negative += a->d[i] < 0;
    for (int j = 0; j < ORDER; j++) {
      const int apart = block_of(a, i) - block_of(a, j);
      const bool below = apart == 1 && place_in_block(a, i) < a->columns;
      a->lower[i][j] = i == j ? 1 : (apart == 0 && j < i) || below ? noise(&seed) : 0;
    }
  }
  for (int i = 0; i < ORDER; i++)
    for (int j = 0; j < ORDER; j++) {
      a->entry[i][j] = 0;
      for (int k = 0; k < ORDER; k++)
        a->entry[i][j] += a->lower[i][k] * a->d[k] * a->lower[j][k];
    }
}

static void row(const void *matrix, double mu, int i, int from, int to, double *out) {
  const whole *a = matrix;
  for (int j = from; j < to; j++)
    out[j - from] = a->entry[i][j] - (i == j ? mu : 0);
}

/* Blocks of a staggered rod, of which the last columns are not coupled to the block before, and others. */
static void a_whole_matrix_is_counted_block_by_block(void **state) {
  (void)state;
  static whole a;
  const int orders[][2] = {{12, 9}, {9, 9}, {21, 18}, {6, 6}, {3, 9}};
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
    for (int columns = 0; columns <= 9; columns += 3)
      for (unsigned seed = 1; seed < 20; seed++) {
        int negative = -1;
        a.first = orders[k][0], a.step = orders[k][1], a.columns = columns;
        fill(&a, seed);
        assert_int_equal(wy_inertia_count(row, &a, 0, ORDER, a.first, a.step, &negative), 0);
        assert_int_equal(negative, a.negative);
        assert_int_equal(wy_inertia_count(row, &a, 1e6, ORDER, a.first, a.step, &negative), 0);
        assert_int_equal(negative, ORDER);
      }
}

/* Where the pivots of one block would let the next one grow, others are sought: the diagonal of every second block is
   tiny and its entries beside it are not, so that it has one negative eigenvalue for each pair of rows. */
static void pivots_of_an_unlike_block_are_not_kept(void **state) {
  (void)state;
  block steep = {{0}}, hollow = {{0}}, none = {{0}};
  for (int i = 0; i < 9; i++)
    steep[i][i] = 1, hollow[i][i] = 1e-9;
  for (int i = 0; i < 8; i += 2)
    hollow[i][i + 1] = hollow[i + 1][i] = 1;
  wy_inertia inertia = {0};
  for (int b = 0; b < BLOCKS; b++)
    assert_int_equal(wy_inertia_add(&inertia, 9, b % 2 ? hollow : steep, none), 0);
  assert_int_equal(inertia.negative, 4 * (BLOCKS / 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(negative_eigenvalues_are_counted_exactly),
      cmocka_unit_test(a_hollow_block_needs_a_pair_of_rows),
      cmocka_unit_test(a_singular_block_is_reported),
      cmocka_unit_test(a_whole_matrix_is_counted_block_by_block),
      cmocka_unit_test(pivots_of_an_unlike_block_are_not_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
