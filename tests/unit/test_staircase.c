/* SPDX-License-Identifier: MIT */
/* Boundary value problems by elimination cell by cell, against dense systems. */
#include "check.h"
#include "linalg/staircase.h"
#include "support/dense.h"
#include "support/rods.h"

enum { CELLS = 9, ORDER = WY_STAIR_NODE * (CELLS + 1) };

/* Rows of all parts as they are fed, and the same as one matrix. */
typedef struct problem {
  int cells;
  double start[WY_STAIR_END][WY_STAIR_WIDTH], end[WY_STAIR_END][WY_STAIR_WIDTH];
  double cell[CELLS][WY_STAIR_NODE][WY_STAIR_WIDTH];
} problem;

static void fill(int rows, int columns, unsigned *seed, double (*to)[WY_STAIR_WIDTH]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      to[i][j] = noise(seed);
}

static void random_problem(int cells, unsigned seed, problem *to) {
  *to = (problem){.cells = cells};
  fill(WY_STAIR_END, WY_STAIR_NODE, &seed, to->start);
  for (int c = 0; c < cells; c++)
    fill(WY_STAIR_NODE, WY_STAIR_WIDTH, &seed, to->cell[c]);
  fill(WY_STAIR_END, WY_STAIR_NODE, &seed, to->end);
}

static void feed(const void *context, int part, double *rows) {
  const problem *from = context;
  const double *source = part < 0              ? &from->start[0][0]
                         : part == from->cells ? &from->end[0][0]
                                               : &from->cell[part][0][0];
  const int count = part < 0 || part == from->cells ? WY_STAIR_END : WY_STAIR_NODE;
  for (int i = 0; i < count * WY_STAIR_WIDTH; i++) {
    assert_true(rows[i] == 0);
    rows[i] = source[i];
  }
}

static void to_dense(const problem *from, double *a) {
  const int n = WY_STAIR_NODE * (from->cells + 1);
  for (int i = 0; i < n * n; i++)
    a[i] = 0;
  for (int i = 0; i < WY_STAIR_END; i++)
    for (int j = 0; j < WY_STAIR_NODE; j++) {
      a[i * n + j] = from->start[i][j];
      a[(n - WY_STAIR_END + i) * n + n - WY_STAIR_NODE + j] = from->end[i][j];
    }
  for (int c = 0; c < from->cells; c++)
    for (int i = 0; i < WY_STAIR_NODE; i++)
      for (int j = 0; j < WY_STAIR_WIDTH; j++)
        a[(WY_STAIR_END + WY_STAIR_NODE * c + i) * n + WY_STAIR_NODE * c + j] = from->cell[c][i][j];
}

typedef struct made {
  wy_staircase staircase;
  wy_arena arena;
} made;

static made make(int cells) {
  made to = {0};
  wy_staircase_layout(&to.staircase, &to.arena, cells);
  assert_int_equal(wy_arena_allocate(&to.arena), 0);
  wy_staircase_layout(&to.staircase, &to.arena, cells);
  return to;
}

/* Random entries between -1 and 1: conditions of some 1e3 for 120 unknowns, so that both solutions agree to 1e-11 of
   their size. Factored twice: nothing is left of the first time. */
static void solutions_are_those_of_the_dense_system(void **state) {
  (void)state;
  static double a[ORDER * ORDER];
  static problem given;
  for (int cells = 1; cells <= CELLS; cells++) {
    made s = make(cells);
    const int n = WY_STAIR_NODE * (cells + 1);
    for (unsigned seed = 1; seed < 12; seed++) {
      double want[ORDER], found[ORDER], size = 0;
      int pivot[ORDER];
      unsigned other = 100 + seed;
      random_problem(cells, seed, &given);
      to_dense(&given, a);
      for (int i = 0; i < n; i++)
        want[i] = found[i] = noise(&other);
      assert_int_equal(wy_dense_factor(a, n, pivot), 0);
      wy_dense_solve(a, n, pivot, want);
      assert_int_equal(wy_staircase_factor(&s.staircase, feed, &given), 0);
      wy_staircase_solve(&s.staircase, found);
      for (int i = 0; i < n; i++)
        size = fmax(size, fabs(want[i]));
      for (int i = 0; i < n; i++)
        check_close(found[i], want[i], 1e-11 * size);
    }
    wy_arena_release(&s.arena);
  }
}

/* Zeros on the diagonal are no reason to fail; a node that no equation knows, or a number that is none, are. */
static void systems_without_solution_are_refused(void **state) {
  (void)state;
  static problem given;
  made s = make(3);
  random_problem(3, 5, &given);
  given.start[0][0] = given.cell[0][0][6] = 0;
  assert_int_equal(wy_staircase_factor(&s.staircase, feed, &given), 0);
  for (int i = 0; i < WY_STAIR_NODE; i++)
    given.cell[1][i][3] = given.cell[0][i][WY_STAIR_NODE + 3] = 0;
  assert_int_equal(wy_staircase_factor(&s.staircase, feed, &given), 1);
  random_problem(3, 6, &given);
  given.cell[2][4][7] = (double)NAN;
  assert_int_equal(wy_staircase_factor(&s.staircase, feed, &given), 1);
  random_problem(3, 7, &given);
  given.end[1][2] = INFINITY;
  assert_int_equal(wy_staircase_factor(&s.staircase, feed, &given), 1);
  wy_arena_release(&s.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_those_of_the_dense_system),
      cmocka_unit_test(systems_without_solution_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
