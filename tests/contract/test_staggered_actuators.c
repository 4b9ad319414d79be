/* SPDX-License-Identifier: MIT */
/* Chambers and tendons on the staggered grid, all kinds of them on a rod with everything in it: Jacobian and tangent
   are derivatives, the tangent is symmetric and its negative directions are counted, power is balanced, rigid motions
   change nothing, momentum is kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/scheme_checks.h"

/* ---- Actuators ---- */

typedef struct wave {
  double mean, size, rate;
} wave;

static void winding(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const wave *w = context;
  double at = w->rate * (wrt == WY_ARC ? s : t);
  jet[0] = w->mean + w->size * sin(at);
  jet[1] = w->size * w->rate * cos(at), jet[2] = -w->size * w->rate * w->rate * sin(at);
}

static wy_signal wave_of(const wave *w, wy_variable variable) {
  return (wy_signal){0, winding, w, variable};
}

/* Two chambers, the second one across the rod, its pressure rising and falling; a parallel tendon and one that winds
   around the rod. */
enum { CHAMBERS = 2, ACTUATORS = 4 };

static void rich_actuators(wy_actuator_def actuators[ACTUATORS]) {
  static const wave across = {0.1, 0.15, 1.3}, pressure = {-0.7, 0.4, 2.1}, tension = {0.8, 0.5, 1.7};
  static const wave sine = {0.05, 0.2, 3.1}, slow = {-0.1, 0.25, 2.3};
  const wy_signal offsets[ACTUATORS][2] = {{wy_constant(0.2), wy_constant(-0.1)},
                                           {wave_of(&across, WY_ARC), wy_constant(0.15)},
                                           {wy_constant(-0.15), wy_constant(0.2)},
                                           {wave_of(&sine, WY_ARC), wave_of(&slow, WY_ARC)}};
  for (int i = 0; i < ACTUATORS; i++) {
    actuators[i] = wy_default_actuator_def();
    actuators[i].kind = i < CHAMBERS ? WY_PNEUMATIC : WY_TENDON;
    memcpy(actuators[i].offset, offsets[i], sizeof offsets[i]);
  }
  actuators[0].force = wy_constant(-0.9);
  actuators[1].force = wave_of(&pressure, WY_TIME);
  actuators[2].force = wy_constant(1.1);
  actuators[3].force = wave_of(&tension, WY_TIME);
}

/* ---- All cases ---- */

typedef struct test_case {
  wy_rod_kind kind;
  int ends, actuators;
  wy_curvature_measure measure;
  wy_coordinates form;
  bool alone, explicit_only;
  char name[128];
} test_case;

static const char *const end_names[] = {"free-free", "pinned-free", "clamped-clamped", "driven-free", "clamped-free"};

static test_system make_case(const test_case *now, int segments) {
  wy_rod_def rod = rich_rod(segments);
  wy_load_def loads[RICH_LOADS];
  wy_actuator_def actuators[ACTUATORS];
  rich_loads(loads);
  rich_actuators(actuators);
  rod.kind = now->kind;
  if (now->ends == 1)
    rod.ends[0] = wy_end_pinned();
  if (now->ends == 2)
    rod.ends[0] = rod.ends[1] = wy_end_clamped();
  if (now->ends == 3)
    rod.ends[0] = driven_end();
  if (now->ends == 4)
    rod.ends[0] = wy_end_clamped();
  if (now->alone)
    rod.drag = (wy_drag){0, 0};
  wy_model_def model = wy_default_model_def();
  model.rods = &rod, model.rod_count = 1;
  model.actuators = actuators, model.actuator_count = now->actuators;
  if (!now->alone)
    model.gravity[0] = 0.4, model.gravity[2] = -1.1, model.loads = loads, model.load_count = RICH_LOADS;
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = now->measure;
  solver.staggered.coordinates = now->form;
  return now->explicit_only ? make_explicit_system(&model, &solver) : make_system(&model, &solver);
}

typedef void case_check(const test_system *made, const char *name);

static void run_case(test_case *now, case_check *check) {
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  snprintf(now->name, sizeof now->name, "%s, %s, measure %d, %s, %s", kinds[now->kind], end_names[now->ends],
           (int)now->measure, now->form ? "absolute" : "null space",
           now->actuators > CHAMBERS ? "tendons" : "chambers");
  test_system made = make_case(now, now->ends % 2 ? 6 : 9);
  check(&made, now->name);
  free_system(&made);
}

/* With several kinds of ends and all loads; or alone: free at both ends, without gravity, loads and drag. */
static void for_all_cases(case_check *check, bool alone, bool explicit_only) {
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int ends = 0; ends < (alone ? 1 : 4); ends++)
      for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
        for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++)
          for (int count = CHAMBERS; count <= ACTUATORS; count += ACTUATORS - CHAMBERS) {
            test_case now = {.kind = (wy_rod_kind)kind, .ends = ends, .actuators = count};
            now.measure = (wy_curvature_measure)measure, now.form = (wy_coordinates)form;
            now.alone = alone, now.explicit_only = explicit_only;
            run_case(&now, check);
          }
}

/* ---- Motion ---- */

/* Of differences of f: reactions between two held ends make f as large as 1e4, so that their round-off is 1e-9. */
static const double difference = 1e-3;

/* J x with the Jacobian kept, where it is not full. */
static void check_product(const test_system *made, const char *name) {
  wy_system *system = made->system;
  double *u = state_array(made), *x = state_array(made), *got = state_array(made), *want = state_array(made);
  if (strncmp(name, "cosserat", 8) == 0) {
    disturbed_state(made, 0.1, 7, u);
    system->type->jacobian(system, 0.3, u);
    random_vector(made, 2, x);
    system->type->multiply(system, x, got);
    differentiate(made, 0.3, u, x, difference, want);
    compare_vectors(name, "Jacobian", got, want, system->size, 1e-7);
  }
  free(u), free(x), free(got), free(want);
}

static void jacobian_is_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_product, false, false);
}

static void check_solve(const test_system *made, const char *name) {
  static const unsigned seeds[2] = {3, 12};
  double *u = state_array(made);
  disturbed_state(made, 0.05, 5, u);
  check_solves(made, name, 0.3, u, seeds, &(solve_check){.step = difference, .least = 1e-7});
  free(u);
}

static void linear_systems_are_those_of_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_solve, false, false);
}

/* Energies of up to 10, and third derivatives of about f^3 / 1e3: round-off 1e-9, truncation (1e-6)^2 1e6. */
static void check_power(const test_system *made, const char *name) {
  double *u = state_array(made);
  projected_state(made, 0.3, 13, u);
  check_power_balance(made, name, 0.3, u, 1e-6);
  assert_true(made->system->has_power);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_all_cases(check_power, false, false);
  for_all_cases(check_power, false, true);
}

/* To round-off. */
static void check_objectivity(const test_system *made, const char *name) {
  double *u = state_array(made);
  projected_state(made, 0, 17, u);
  check_turned(made, name, 0.3, u, 2e-12);
  free(u);
}

static void rigid_motion_changes_nothing(void **state) {
  (void)state;
  for_all_cases(check_objectivity, true, false);
}

/* Actuators are anchored in the rod: they do not move it as a whole. */
static void check_momentum(const test_system *made, const char *name) {
  double *u = state_array(made);
  projected_state(made, 0, 19, u);
  check_momentum_is_kept(made, name, 0.3, u);
  free(u);
}

static void free_rod_keeps_momentum(void **state) {
  (void)state;
  for_all_cases(check_momentum, true, false);
}

/* ---- Equilibria ---- */

static void the_tangent_is_the_derivative_of_the_residual(void **state) {
  (void)state;
  for_all_cases(check_tangent, false, false);
}

/* The number of negative eigenvalues of a symmetric matrix, by Jacobi's rotations. */
static int negative_eigenvalues(double *a, int n) {
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double off = a[p * n + q];
        if (off == 0)
          continue;
        double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        }
      }
  int count = 0;
  for (int i = 0; i < n; i++)
    count += a[i * n + i] < 0;
  return count;
}

/* Newton's method along a path of growing loads, to round-off. */
static void find_equilibrium(wy_system *system, double t, const char *name, double *config) {
  enum { STEPS = 10, MOST = 12 };
  const wy_statics_type *type = system->type->statics;
  double *r = doubles(system->dofs);
  type->apply(system, true, 0, 1);
  type->undeformed(system, config);
  for (int step = 1; step <= STEPS; step++) {
    type->apply(system, true, (double)step / STEPS, 1);
    for (int k = 0; k < MOST; k++) {
      assert_int_equal(type->tangent(system, t, config), 0);
      assert_int_equal(type->factor(system, 0), 0);
      type->residual(system, t, config, r);
      type->solve(system, r);
      type->displace(system, config, r, 1, config);
    }
  }
  type->residual(system, t, config, r);
  double left = largest(r, system->dofs);
  if (!(left < 1e-12)) /* forces of order 1 */
    fail_msg("%s: %.3g is left out of balance", name, left);
  free(r);
}

/* In an equilibrium without moments and body-axes forces the tangent is symmetric among the degrees of freedom that are
   not held, and so is its inverse, whose columns are solutions; three negative eigenvalues a segment belong to the
   section forces. */
static void check_count(const test_system *made, const char *name) {
  enum { HELD = 3 };
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  const int all = system->dofs, n = all - HELD, segments = n / 9;
  double *config = doubles(system->config_size), *inverse = doubles(n * n), *column = doubles(all);
  int seen[2] = {1000, 0};
  find_equilibrium(system, 0.4, name, config);
  assert_int_equal(type->tangent(system, 0.4, config), 0);
  for (int trial = 0; trial < 5; trial++) {
    const double mu = -0.5 + 3.3 * trial;
    assert_int_equal(type->factor(system, mu), 0);
    for (int j = 0; j < n; j++) {
      memset(column, 0, (size_t)all * sizeof *column);
      column[HELD + j] = 1;
      type->solve(system, column);
      for (int i = 0; i < n; i++)
        inverse[i * n + j] = column[HELD + i];
    }
    double size = largest(inverse, n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double *a = &inverse[i * n + j], *b = &inverse[j * n + i];
        if (!(fabs(*a - *b) <= 1e-10 * size)) /* round-off times a condition of up to 1e5 */
          fail_msg("%s: entries (%d, %d) of the inverse: %.15g, %.15g", name, i, j, *a, *b);
        *a = *b = 0.5 * (*a + *b);
      }
    int count = -1, want = negative_eigenvalues(inverse, n) - 3 * segments;
    assert_int_equal(type->negative(system, mu, &count), 0);
    if (count != want)
      fail_msg("%s: %d negative directions at mu = %g; want %d", name, count, mu, want);
    seen[0] = count < seen[0] ? count : seen[0], seen[1] = count > seen[1] ? count : seen[1];
  }
  if (seen[0] == seen[1])
    fail_msg("%s: the same number of negative directions, %d, for all shifts", name, seen[0]);
  free(config), free(inverse), free(column);
}

static void the_tangent_is_symmetric_and_its_unstable_directions_are_counted(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int count = CHAMBERS; count <= ACTUATORS; count += ACTUATORS - CHAMBERS)
      for (int segments = 4; segments <= 7; segments++) { /* with tendons two of them make a block of the count */
        test_case now = {.kind = (wy_rod_kind)kind, .ends = 4, .actuators = count, .measure = WY_TAN4, .alone = true};
        snprintf(now.name, sizeof now.name, "model %d, %d actuators, %d segments", kind, count, segments);
        test_system made = make_case(&now, segments);
        check_count(&made, now.name);
        free_system(&made);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_is_the_derivative),
      cmocka_unit_test(linear_systems_are_those_of_the_derivative),
      cmocka_unit_test(power_balances),
      cmocka_unit_test(rigid_motion_changes_nothing),
      cmocka_unit_test(free_rod_keeps_momentum),
      cmocka_unit_test(the_tangent_is_the_derivative_of_the_residual),
      cmocka_unit_test(the_tangent_is_symmetric_and_its_unstable_directions_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
