/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users, checked for the staggered one on a rod with everything in it: the Jacobian is the
   derivative of the right-hand side, linear systems are solved with it, the power balance holds at every state, rigid
   motions change nothing, the undeformed rod is at rest, projection is idempotent, initial data and view agree. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/scheme_checks.h"

/* Calls `check` for all measures, both coordinate forms, and several ends. */
typedef void case_check(const test_system *made, const wy_solver_def *solver, const char *name);

static void for_all_cases(case_check *check, bool with_loads) {
  static const char *const end_names[] = {"free-free", "pinned-free", "clamped-clamped", "driven-free"};
  for (int ends = 0; ends < 4; ends++)
    for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        wy_rod_def rod = rich_rod(ends % 2 ? 6 : 9);
        wy_load_def loads[RICH_LOADS];
        rich_loads(loads);
        if (ends == 1)
          rod.ends[0] = wy_end_pinned();
        if (ends == 2)
          rod.ends[0] = rod.ends[1] = wy_end_clamped();
        if (ends == 3)
          rod.ends[0] = driven_end();
        wy_model_def model = wy_default_model_def();
        model.rods = &rod, model.rod_count = 1;
        model.gravity[0] = 0.4, model.gravity[2] = -1.1;
        model.loads = loads, model.load_count = with_loads ? RICH_LOADS : 0;
        wy_solver_def solver = wy_default_solver_def();
        solver.staggered.curvature_measure = (wy_curvature_measure)measure;
        solver.staggered.coordinates = (wy_coordinates)form;
        solver.clamp[WY_START] = (wy_clamp)(measure % 2), solver.clamp[WY_END] = (wy_clamp)(measure > 1);
        if (form == WY_ABSOLUTE && measure % 2)
          solver.staggered.stabilisation = WY_BAUMGARTE, solver.staggered.baumgarte_omega = 3,
          solver.staggered.baumgarte_r = 2;
        char name[128];
        snprintf(name, sizeof name, "%s, measure %d, %s", end_names[ends], measure, form ? "absolute" : "null space");
        test_system made = make_system(&model, &solver);
        check(&made, &solver, name);
        free_system(&made);
      }
}

/* J x against central differences of f along x: error about (1e-5)^2 f''' + eps f / 1e-5, well below 1e-7 of the
 * largest entry. */
static void check_jacobian(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  wy_system *system = made->system;
  int n = system->size;
  double *u = state_array(made), *x = state_array(made), *moved = state_array(made), *plus = state_array(made),
         *minus = state_array(made), *got = state_array(made);
  const double t = 0.3, step = 1e-5;
  disturbed_state(made, 0.15, 7, u);
  system->type->jacobian(system, t, u);
  for (unsigned seed = 1; seed < 4; seed++) {
    random_vector(made, seed, x);
    system->type->multiply(system, x, got);
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int i = 0; i < n; i++)
        moved[i] = u[i] + sign * step * x[i];
      system->type->rhs(system, t, moved, sign > 0 ? plus : minus, NULL);
    }
    for (int i = 0; i < n; i++)
      plus[i] = (plus[i] - minus[i]) / (2 * step);
    compare_vectors(name, "Jacobian", got, plus, n, 1e-7);
  }
  free(u), free(x), free(moved), free(plus), free(minus), free(got);
}

static void jacobian_is_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_jacobian, true);
}

static void check_solve(const test_system *made, const wy_solver_def *solver, const char *name) {
  static const unsigned seeds[2] = {5, 6};
  (void)solver;
  double *u = state_array(made);
  disturbed_state(made, 0.15, 11, u);
  check_solves(made, name, 0.3, u, seeds, &(solve_check){.least = 1e-11});
  free(u);
}

static void linear_systems_are_solved(void **state) {
  (void)state;
  for_all_cases(check_solve, true);
}

/* |p| = 1 and <p, p'> = 0, also where Baumgarte's stabilisation leaves that to time. */
static void onto_manifold(const test_system *made, double *u) {
  const wy_field *quaternion = &made->system->fields[1], *rate = &made->system->fields[3];
  int stride = quaternion->stride;
  for (int i = 0; i < quaternion->count; i++) {
    double *p = u + quaternion->offset + i, *w = u + rate->offset + i, norm2 = 0, slip = 0;
    for (int k = 0; k < 4; k++)
      norm2 += p[k * stride] * p[k * stride];
    for (int k = 0; k < 4; k++)
      p[k * stride] /= sqrt(norm2);
    for (int k = 0; rate->components == 4 && k < 4; k++)
      slip += p[k * stride] * w[k * stride];
    for (int k = 0; rate->components == 4 && k < 4; k++)
      w[k * stride] -= slip * p[k * stride];
  }
}

static void check_power(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  double *u = state_array(made), drift[WY_DRIFTS] = {0};
  disturbed_state(made, 0.15, 13, u);
  made->system->type->project(made->system, 0.3, u, NULL, drift);
  onto_manifold(made, u);
  check_power_balance(made, name, 0.3, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_all_cases(check_power, true);
}

/* To round-off. */
static void check_objectivity(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  double *u = state_array(made);
  disturbed_state(made, 0.15, 17, u);
  check_turned(made, name, 0, u, 2e-13);
  free(u);
}

static void for_all_cases_without_gravity(case_check *check) {
  for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      wy_rod_def rod = rich_rod(9);
      rod.drag = (wy_drag){0, 0};
      wy_model_def model = wy_default_model_def();
      model.rods = &rod, model.rod_count = 1;
      wy_solver_def solver = wy_default_solver_def();
      solver.staggered.curvature_measure = (wy_curvature_measure)measure;
      solver.staggered.coordinates = (wy_coordinates)form;
      test_system made = make_system(&model, &solver);
      char name[64];
      snprintf(name, sizeof name, "free-free, measure %d, form %d", measure, form);
      check(&made, &solver, name);
      free_system(&made);
    }
}

static void rigid_motion_changes_nothing(void **state) {
  (void)state;
  for_all_cases_without_gravity(check_objectivity);
}

/* Forces of a free rod add up to nothing, with their moments, at every state. */
static void check_momentum(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  double *u = state_array(made);
  disturbed_state(made, 0.15, 19, u);
  onto_manifold(made, u);
  check_momentum_is_kept(made, name, 0, u);
  free(u);
}

static void free_rod_keeps_momentum(void **state) {
  (void)state;
  for_all_cases_without_gravity(check_momentum);
}

/* Precurved, twisted and tapered: to a few hundred round-offs of stiffness / (mass length) of order 1e2. */
static void check_rest(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  check_undeformed_rests(made, name, 2e-13);
}

static void unloaded_rod_rests(void **state) {
  (void)state;
  for_all_cases_without_gravity(check_rest);
}

static void check_projection(const test_system *made, const wy_solver_def *solver, const char *name) {
  wy_system *system = made->system;
  int n = system->size;
  double *u = state_array(made), *once = state_array(made), *f = state_array(made), *g = state_array(made);
  double drift[WY_DRIFTS] = {0};
  disturbed_state(made, 0.05, 23, u);
  system->type->rhs(system, 0.3, u, f, NULL);
  int stale = system->type->project(system, 0.3, u, f, drift);
  memcpy(once, u, (size_t)n * sizeof *u);
  system->type->project(system, 0.3, u, NULL, drift);
  compare_vectors(name, "projected twice", u, once, n, 4 * DBL_EPSILON);
  if (!stale) { /* then the right-hand side was carried along */
    system->type->rhs(system, 0.3, u, g, NULL);
    compare_vectors(name, "right-hand side after projection", f, g, n, 1e-13);
  }
  if (solver->staggered.stabilisation == WY_PROJECTION)
    check_above(drift[0], 1e-3);
  free(u), free(once), free(f), free(g);
}

static void projection_is_idempotent(void **state) {
  (void)state;
  for_all_cases(check_projection, true);
}

/* Entries that do not count never move: padding, and with them everything outside the declared fields. */
static void check_padding(const test_system *made, const wy_solver_def *solver, const char *name) {
  (void)solver;
  wy_system *system = made->system;
  double *u = state_array(made), *f = state_array(made), *used = state_array(made);
  disturbed_state(made, 0.1, 29, u);
  system->type->rhs(system, 0.3, u, f, NULL);
  for (int d = 0; d < system->field_count; d++)
    for (int k = 0; k < system->fields[d].components; k++)
      for (int i = 0; i < system->fields[d].count; i++)
        used[system->fields[d].offset + k * system->fields[d].stride + i] = 1;
  for (int i = 0; i < system->size; i++)
    if (used[i] == 0 && f[i] != 0)
      fail_msg("%s: padding entry %d moves with %g", name, i, f[i]);
  free(u), free(f), free(used);
}

static void padding_never_moves(void **state) {
  (void)state;
  for_all_cases(check_padding, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jacobian_is_the_derivative),
                                     cmocka_unit_test(linear_systems_are_solved),
                                     cmocka_unit_test(power_balances),
                                     cmocka_unit_test(rigid_motion_changes_nothing),
                                     cmocka_unit_test(free_rod_keeps_momentum),
                                     cmocka_unit_test(unloaded_rod_rests),
                                     cmocka_unit_test(projection_is_idempotent),
                                     cmocka_unit_test(padding_never_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
