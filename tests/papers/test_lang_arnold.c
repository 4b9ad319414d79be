/* SPDX-License-Identifier: MIT */
/* Lang and Arnold: rods without shear and without extension (docs/theory/constraints.md). The swinging undamped rubber
   rod of their first test against solutions of an independent program, which agree with those of half the step and with
   a planar program in minimal coordinates to 5e-12 (tests/data/...pendulum_N10_sin4.csv, columns step_halving_diff and
   planar_minimal_coord_diff). Tight tolerances; 1e-8. And the order of the step sizes of DOPRI5, their measure of
   stiffness. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/published.h"

static const double gravity[3] = {0, 0, -9.81};

enum { COLUMNS = 10 };

/* Pinned, along e2 with d1 = e3, so that p = (1,-1,-1,-1)/2. */
static wy_rod_def pendulum(wy_rod_kind kind) {
  wy_rod_def rod = example_of(wy_scene_undamped(10)).rod;
  rod.kind = kind;
  return rod;
}

static wy_solver_def solver_of(const char *integrator, double tolerance, wy_coordinates coordinates) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.curvature_measure = WY_SIN4;
  solver.staggered.coordinates = coordinates;
  return solver;
}

static bool read_row(FILE *file, double row[COLUMNS]) {
  char line[1024];
  if (!fgets(line, sizeof line, file))
    return false;
  char *at = line;
  for (int i = 0; i < COLUMNS; i++) {
    char *end;
    row[i] = strtod(at, &end);
    assert_true(end != at);
    at = end + 1;
  }
  return true;
}

/* Tip position, d1 of the last segment and energy at each row: t, x, y, z, d1 (3), energy. */
static void compare(wy_rod_kind kind, const wy_solver_def *solver, double tolerance) {
  const char *name = kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible";
  char path[512], header[1024];
  snprintf(path, sizeof path, "%s/%s_pendulum_N10_sin4.csv", WY_TEST_DATA, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(header, sizeof header, file));
  assert_int_equal(strncmp(header, "t,tip_x1,tip_x2,tip_x3,tip_d1_1,tip_d1_2,tip_d1_3,E_total_J", 59), 0);
  wy_rod_def rod = pendulum(kind);
  test_sim made = make_sim(&rod, NULL, 0, solver, gravity);
  wy_message message;
  double row[COLUMNS], tip[4], d1[4], worst = 0;
  int rows = 0;
  for (; read_row(file, row); rows++) {
    if (wy_sim_advance(made.sim, row[0], &message))
      fail_msg("%s", message.text);
    wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
    wy_sim_probe(made.sim, WY_DIRECTOR1, 0, 0.95, d1, NULL);
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fmax(fabs(tip[k] - row[1 + k]), fabs(d1[k] - row[4 + k])));
      if (!(fabs(tip[k] - row[1 + k]) <= tolerance && fabs(d1[k] - row[4 + k]) <= tolerance))
        fail_msg("%s, %s, t = %g, component %d: got %.12g and %.12g, want %.12g and %.12g, tolerance %g", name,
                 solver->integrator, row[0], k, tip[k], d1[k], row[1 + k], row[4 + k], tolerance);
    }
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, row[7], tolerance);
  }
  assert_int_equal(rows, 10);
  wy_statistics statistics = wy_sim_statistics(made.sim, WY_ALL_RODS);
  print_message("%s, %s at %g, %s: largest error of tip and d1 %.2g, %ld steps\n", name, solver->integrator,
                solver->relative_tolerance, solver->staggered.coordinates == WY_ABSOLUTE ? "index 1" : "null space",
                worst, statistics.steps);
  free_sim(&made);
  fclose(file);
}

static void kirchhoff_pendulum(void **state) {
  (void)state;
  wy_solver_def explicit = solver_of("dopri5", 1e-12, WY_NULLSPACE),
                implicit = solver_of("radau5", 1e-10, WY_NULLSPACE);
  compare(WY_KIRCHHOFF, &explicit, 1e-8);
  compare(WY_KIRCHHOFF, &implicit, 1e-7);
}

static void inextensible_pendulum(void **state) {
  (void)state;
  for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
    wy_solver_def explicit = solver_of("dopri5", 1e-12, (wy_coordinates)form);
    compare(WY_INEXTENSIBLE, &explicit, 1e-8);
  }
  wy_solver_def implicit = solver_of("radau5", 1e-10, WY_NULLSPACE);
  compare(WY_INEXTENSIBLE, &implicit, 1e-7);
}

/* The published figure: absolute and relative tolerance 1e-3, undamped rubber; one swing of a second. */
static void steps_grow_as_stiff_motions_are_left_out(void **state) {
  (void)state;
  double mean[3];
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_def rod = pendulum((wy_rod_kind)kind);
    wy_solver_def solver = solver_of("dopri5", 1e-3, kind == WY_COSSERAT ? WY_NULLSPACE : WY_ABSOLUTE);
    test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
    wy_message message;
    if (wy_sim_advance(made.sim, 1, &message))
      fail_msg("%s", message.text);
    mean[kind] = 1.0 / (double)wy_sim_statistics(made.sim, WY_ALL_RODS).steps;
    free_sim(&made);
  }
  print_message("DOPRI5, mean step: inextensible %.3g, kirchhoff %.3g, cosserat %.3g\n", mean[WY_INEXTENSIBLE],
                mean[WY_KIRCHHOFF], mean[WY_COSSERAT]);
  check_above(mean[WY_INEXTENSIBLE], mean[WY_KIRCHHOFF]);
  check_above(mean[WY_KIRCHHOFF], 5 * mean[WY_COSSERAT]); /* "extremely small": the shear frequency against extension */
}

/* Making quaternions unit ones adds (1 - |p|^2) T to the rotary energy T (docs/theory/staggered.md, S28a): in a step at
   most 2 d (1 + d) of it, where d is the largest drift; and T is less than what gravity gives, m g L. Baumgarte's
   method projects nothing. */
static void projection_adds_little_energy(void **state) {
  (void)state;
  double added[2];
  for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
    wy_rod_def rod = rubber_rod(10);
    wy_solver_def solver = solver_of("radau5", 1e-4, (wy_coordinates)form);
    for (int stabilisation = WY_PROJECTION; stabilisation <= WY_BAUMGARTE; stabilisation++) {
      solver.staggered.stabilisation = (wy_stabilisation)stabilisation;
      test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
      wy_message message;
      if (wy_sim_advance(made.sim, 10, &message))
        fail_msg("%s", message.text);
      wy_statistics s = wy_sim_statistics(made.sim, WY_ALL_RODS);
      free_sim(&made);
      if (stabilisation == WY_BAUMGARTE && form == WY_ABSOLUTE) {
        assert_true(s.projection_energy == 0);
        continue;
      }
      const double weight = 1100 * 3.14159265358979 * 25e-6 * 9.81, d = s.quaternion_drift;
      double limit = (double)s.steps * 2 * d * (1 + d) * weight;
      print_message("%s: %.3g J added by projection, less than %.3g J\n",
                    form == WY_ABSOLUTE ? "absolute" : "null space", s.projection_energy, limit);
      assert_true(s.projection_energy != 0 && fabs(s.projection_energy) < limit);
      added[form] = fabs(s.projection_energy);
    }
  }
  check_below(added[WY_NULLSPACE], added[WY_ABSOLUTE]); /* published as a picture */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kirchhoff_pendulum), cmocka_unit_test(inextensible_pendulum),
                                     cmocka_unit_test(steps_grow_as_stiff_motions_are_left_out),
                                     cmocka_unit_test(projection_adds_little_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
