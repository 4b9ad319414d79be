/* SPDX-License-Identifier: MIT */
/* The quasistatic test of Lang, Linn and Arnold (2011): a rubber rod under gravity, clamped at both ends, which are
   pushed together and turned about the axis between them by half a turn each way. Positions and support reactions
   against solutions of an independent program with another formulation of the same discrete equations
   (tests/data/quasistatic_sin4.csv, ..._supports.csv, residuals below 1e-12). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/published.h"

static const double gravity[3] = {0, 0, -9.81};

static wy_rod_def pushed_rod(int segments) {
  return example_of(wy_scene_pushed(segments)).rod;
}

static wy_solver_def solver_for_test(void) {
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = WY_SIN4;
  return solver;
}

enum { MOST_COLUMNS = 24 };

/* The rows of one N, in order, from a reference file. */
typedef struct reference {
  FILE *file;
  double row[MOST_COLUMNS];
} reference;

static reference open_reference(const char *name) {
  char path[512], header[4096];
  reference r = {0};
  snprintf(path, sizeof path, "%s/%s", WY_TEST_DATA, name);
  r.file = fopen(path, "r");
  assert_non_null(r.file);
  assert_non_null(fgets(header, sizeof header, r.file));
  return r;
}

static bool next_row(reference *r, int segments) {
  char text[4096];
  do {
    if (!fgets(text, sizeof text, r->file))
      return false;
    char *at = text;
    for (int k = 0; k < MOST_COLUMNS; k++, at++) {
      r->row[k] = strtod(at, &at);
      if (*at != ',')
        break;
    }
  } while ((int)r->row[0] != segments);
  return true;
}

static void go_to(wy_sim *sim, double t) {
  wy_message message = {0};
  if (t == 0 ? wy_sim_settle(sim, 0, &message) : wy_sim_follow(sim, t, &message))
    fail_msg("%s", message.text);
}

static void positions_are_those_of_the_reference(void **state) {
  (void)state;
  static const int sizes[] = {10, 20, 40};
  for (int k = 0; k < 3; k++) {
    wy_rod_def rod = pushed_rod(sizes[k]);
    wy_solver_def solver = solver_for_test();
    test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
    reference r = open_reference("quasistatic_sin4.csv");
    double at = -1, x[4];
    int rows = 0;
    while (next_row(&r, sizes[k])) {
      if (r.row[1] != at)
        go_to(made.sim, at = r.row[1]);
      wy_sim_probe(made.sim, WY_POSITION, 0, r.row[2], x, NULL);
      for (int i = 0; i < 3; i++)
        check_close(x[i], r.row[3 + i], 1e-8);
      rows++;
    }
    assert_int_equal(rows, 36);
    fclose(r.file);
    free_sim(&made);
  }
}

static void supports_are_those_of_the_reference(void **state) {
  (void)state;
  static const int sizes[] = {10, 20, 40, 80, 160};
  static const wy_quantity quantities[4] = {WY_REACTION_FORCE, WY_REACTION_MOMENT, WY_REACTION_FORCE,
                                            WY_REACTION_MOMENT};
  static const int columns[4] = {2, 8, 11, 14};
  for (int k = 0; k < 5; k++) {
    wy_rod_def rod = pushed_rod(sizes[k]);
    wy_solver_def solver = solver_for_test();
    test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
    reference r = open_reference("quasistatic_sin4_supports.csv");
    int rows = 0;
    for (; next_row(&r, sizes[k]); rows++) {
      go_to(made.sim, r.row[1]);
      for (int q = 0; q < 4; q++) {
        double value[4];
        wy_sim_probe(made.sim, quantities[q], 0, q < 2 ? 0 : rod.length, value, NULL);
        for (int i = 0; i < 3; i++)
          check_close(value[i], r.row[columns[q] + i], 1e-8);
      }
      check_close(wy_sim_energy(made.sim, 0).elastic, r.row[17] + r.row[18], 1e-8);
      assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
    }
    assert_int_equal(rows, 6);
    fclose(r.file);
    free_sim(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(positions_are_those_of_the_reference),
                                     cmocka_unit_test(supports_are_those_of_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
