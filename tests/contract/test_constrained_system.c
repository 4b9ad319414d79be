/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users, for rods without shear and without extension: the Jacobian is the derivative of the
   right-hand side in all directions, linear systems are solved with it, the power balance holds on the manifold, rigid
   motions change nothing, the undeformed rod rests. And the straight inextensible rod between two held ends, where the
   constraints depend on each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/scheme_checks.h"

static const double pi = 3.14159265358979323846;

typedef void case_check(const test_system *made, const char *name);

/* With all loads, for which implicit methods have the index-1 form; with those that their null space carries, (C18); a
   free rod without gravity, loads and drag. */
typedef enum company { ALL_LOADS, CARRIED_LOADS, ALONE } company;

/* In space axes, and without drag of positions where the end is held. */
static void leave_what_is_carried(wy_rod_def *rod, wy_load_def loads[RICH_LOADS]) {
  for (int i = 0; i < RICH_LOADS; i++)
    loads[i].axes = WY_SPACE_AXES;
  if (rod->ends[1].position[0] != WY_FREE)
    rod->drag.translation = 0;
}

/* All kinds, measures and ends. */
static void for_all_cases(case_check *check, bool implicit, company with) {
  const bool alone = with == ALONE;
  static const char *const end_names[] = {"free-free", "pinned-free", "clamped-clamped", "driven-free",
                                          "pinned-pinned"};
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int ends = 0; ends < (alone ? 1 : 5); ends++)
      for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++) {
        wy_rod_def rod = rich_rod(ends % 2 ? 6 : 9);
        wy_load_def *loads = calloc(RICH_LOADS, sizeof *loads);
        assert_non_null(loads);
        rich_loads(loads);
        rod.kind = (wy_rod_kind)kind;
        if (ends == 1 || ends == 4)
          rod.ends[0] = wy_end_pinned();
        if (ends == 2)
          rod.ends[0] = rod.ends[1] = wy_end_clamped();
        if (ends == 3)
          rod.ends[0] = driven_end();
        if (ends == 4)
          rod.ends[1] = wy_end_pinned();
        if (with == CARRIED_LOADS)
          leave_what_is_carried(&rod, loads);
        wy_model_def model = wy_default_model_def();
        model.rods = &rod, model.rod_count = 1;
        if (alone)
          rod.drag = (wy_drag){0, 0};
        else
          model.gravity[0] = 0.4, model.gravity[2] = -1.1, model.loads = loads, model.load_count = RICH_LOADS;
        wy_solver_def solver = wy_default_solver_def();
        solver.staggered.curvature_measure = (wy_curvature_measure)measure;
        char name[128];
        snprintf(name, sizeof name, "%s, %s, measure %d, %s%s", kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible",
                 end_names[ends], measure, implicit ? "implicit" : "explicit",
                 with == CARRIED_LOADS ? ", carried" : "");
        test_system made = implicit ? make_system(&model, &solver) : make_explicit_system(&model, &solver);
        free(loads); /* the model has its own */
        check(&made, name);
        free_system(&made);
      }
}

/* ---- Linear algebra ---- */

/* On the manifold and off it, where the iterates of Newton's method are. Reactions between two held ends make f as
   large as 1e4, so that the round-off of its differences is 1e-9. */
static void check_solve(const test_system *made, const char *name) {
  double *u = state_array(made);
  const double t = 0.3;
  for (unsigned seed = 1; seed < 4; seed++) {
    if (seed % 2)
      projected_state(made, t, seed, u);
    else
      disturbed_state(made, 0.05, seed, u);
    check_solves(made, name, t, u, (const unsigned[2]){seed, seed + 9}, &(solve_check){.step = 1e-3, .least = 1e-7});
  }
  free(u);
}

static void linear_systems_are_solved_with_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_solve, true, ALL_LOADS);
  for_all_cases(check_solve, true, CARRIED_LOADS);
}

/* In very short steps (sigma - J) x = f gives x = f / sigma, J f / sigma being far below round-off: each component to a
   hundred round-offs of the largest f of its field, small velocities beside large ones not excepted (C17). */
static void check_short_step(const test_system *made, const char *name) {
  wy_system *system = made->system;
  double *u = state_array(made), *f = state_array(made), *x = state_array(made);
  const double sigma = 1e20;
  projected_state(made, 0.3, 5, u);
  assert_int_equal(system->type->rhs(system, 0.3, u, f, NULL), 0);
  assert_int_equal(system->type->jacobian(system, 0.3, u), 0);
  assert_int_equal(system->type->factor(system, 0, sigma), 0);
  memcpy(x, f, (size_t)system->size * sizeof *x);
  system->type->solve(system, 0, x);
  for (int k = 0; k < system->field_count; k++) {
    const wy_field *field = &system->fields[k];
    const int end = field->offset + field->components * field->stride;
    double largest = 0;
    for (int i = field->offset; i < end; i++)
      largest = fmax(largest, fabs(f[i]));
    for (int i = field->offset; i < end; i++)
      if (system->weight[i] > 0 && !(fabs(sigma * x[i] - f[i]) <= 100 * 2.2e-16 * largest))
        fail_msg("%s, %s: entry %d is %.6g, want %.6g (largest %.3g)", name, field->name, i - field->offset,
                 sigma * x[i], f[i], largest);
  }
  free(u), free(f), free(x);
}

static void short_steps_lose_no_digits(void **state) {
  (void)state;
  for_all_cases(check_short_step, true, ALL_LOADS);
  for_all_cases(check_short_step, true, CARRIED_LOADS);
}

/* ---- Mechanics ---- */

static void check_power(const test_system *made, const char *name) {
  double *u = state_array(made);
  projected_state(made, 0.3, 13, u);
  check_power_balance(made, name, 0.3, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for (int with = ALL_LOADS; with <= CARRIED_LOADS; with++)
    for (int implicit = 0; implicit < 2; implicit++)
      for_all_cases(check_power, implicit, (company)with);
}

/* To round-off. */
static void check_objectivity(const test_system *made, const char *name) {
  double *u = state_array(made);
  projected_state(made, 0, 17, u);
  check_turned(made, name, 0, u, 1e-12);
  free(u);
}

static void rigid_motion_changes_nothing(void **state) {
  (void)state;
  for_all_cases(check_objectivity, true, ALONE);
  for_all_cases(check_objectivity, false, ALONE);
}

/* Precurved, twisted and tapered, it needs no reactions: to a few hundred round-offs of stiffness / (mass length) of
   order 1e2. */
static void check_rest(const test_system *made, const char *name) {
  check_undeformed_rests(made, name, 2e-13);
}

static void unloaded_rod_rests(void **state) {
  (void)state;
  for_all_cases(check_rest, true, ALONE);
  for_all_cases(check_rest, false, ALONE);
}

/* ---- A straight inextensible rod between two held ends ---- */

static wy_rod_def taut_rod(bool clamped) {
  wy_rod_def rod = rubber_rod(10);
  rod.kind = WY_INEXTENSIBLE;
  rod.damping.kind = WY_UNDAMPED;
  rod.ends[0] = rod.ends[1] = clamped ? wy_end_clamped() : wy_end_pinned();
  return rod;
}

static bool all_finite(const double *a, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(a[i]))
      return false;
  return true;
}

/* At rest nothing pulls: the dependent constraints leave one force undetermined, and nothing moves. Spinning about its
   axis, it goes on to spin. */
static void taut_rod_rests_and_spins(void **state) {
  (void)state;
  for (int clamped = 0; clamped < 2; clamped++)
    for (int implicit = 0; implicit < 2; implicit++)
      for (int spin = 0; spin < 2; spin++) {
        wy_rod_def rod = taut_rod(clamped);
        rod.initial.angular_velocity[2] = wy_constant(spin ? 3 : 0);
        wy_model_def model = wy_default_model_def();
        model.rods = &rod, model.rod_count = 1;
        wy_solver_def solver = wy_default_solver_def();
        test_system made = implicit ? make_system(&model, &solver) : make_explicit_system(&model, &solver);
        wy_system *system = made.system;
        double *u = state_array(&made), *f = state_array(&made);
        system->type->initial(system, u);
        assert_int_equal(system->type->rhs(system, 0, u, f, NULL), WY_OK);
        for (int d = 0; d < 4; d++) /* all but the rates of p, which are those of the spin */
          for (int i = 0; d != 1 && i < system->fields[d].components * system->fields[d].stride; i++)
            check_close(f[system->fields[d].offset + i], 0, 1e-9);
        system->type->view(system, 0, u, &system->view);
        assert_true(all_finite(system->view.force.values, 30));
        free(u), free(f);
        free_system(&made);
      }
}

static wy_solver_def solver_of(int variant) {
  static const char *const integrators[] = {"radau5", "dopri5", "dopri5"};
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrators[variant];
  solver.staggered.coordinates = variant == 2 ? WY_ABSOLUTE : WY_NULLSPACE;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
  return solver;
}

static void bump(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)t;
  jet[0] = 0.5 * sin(pi * s), jet[1] = 0.5 * pi * cos(pi * s), jet[2] = -0.5 * pi * pi * sin(pi * s);
}

/* Twisted by 0.5 sin(pi s) and let go: torsion is possible, and is that of a rod with shear and extension. */
static void taut_rod_twists(void **state) {
  (void)state;
  double want[4], got[4];
  for (int variant = -1; variant < 3; variant++) {
    wy_rod_def rod = taut_rod(true);
    rod.initial.twist = (wy_signal){0, bump, NULL, WY_ARC};
    wy_solver_def solver = solver_of(variant < 0 ? 0 : variant);
    if (variant < 0)
      rod.kind = WY_COSSERAT;
    test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
    wy_message message = {0};
    if (wy_sim_advance(made.sim, 0.05, &message))
      fail_msg("variant %d: %s", variant, message.text);
    wy_sim_probe(made.sim, WY_ANGULAR_VELOCITY, 0, 0.45, variant < 0 ? want : got, NULL);
    const wy_view *view = wy_sim_view(made.sim, 0);
    for (int i = 0; i <= 10; i++)
      check_close(view->position.values[3 * i + 1], 0.1 * i, 1e-12);
    for (int k = 0; k < 3 && variant >= 0; k++)
      check_close(got[k], want[k], 1e-6);
    free_sim(&made);
  }
  check_above(fabs(want[2]), 1);
}

static void pull(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  double rate = *(const double *)context;
  jet[0] = 1 + 0.5 * rate * t * t, jet[1] = rate * t, jet[2] = rate;
}

/* Pulled (or pushed) at its end along its axis it has no answer: the right-hand side says so, and the run ends with a
   message that names the reason. */
static void pulling_a_taut_rod_is_refused(void **state) {
  (void)state;
  static const double rates[2] = {0.1, -0.1};
  for (int push = 0; push < 2; push++)
    for (int clamped = 0; clamped < 2; clamped++) {
      wy_rod_def rod = taut_rod(clamped);
      rod.ends[1].position[1] = WY_DRIVEN;
      rod.ends[1].path[1] = (wy_signal){0, pull, &rates[push], WY_TIME};
      wy_model_def model = wy_default_model_def();
      model.rods = &rod, model.rod_count = 1;
      for (int variant = 0; variant < 3; variant++) {
        wy_solver_def solver = solver_of(variant);
        test_system made = variant == 0 ? make_system(&model, &solver) : make_explicit_system(&model, &solver);
        double *u = state_array(&made), *f = state_array(&made);
        made.system->type->initial(made.system, u);
        check_above(made.system->type->rhs(made.system, 0, u, f, NULL), 0);
        assert_true(all_finite(f, made.system->size));
        free(u), free(f);
        free_system(&made);
        test_sim run = make_sim(&rod, NULL, 0, &solver, NULL);
        wy_message message = {0};
        assert_int_equal(wy_sim_advance(run.sim, 0.1, &message), WY_ERROR_SOLVER);
        if (!strstr(message.text, "straight"))
          fail_msg("the message does not say that the rod is straight: %s", message.text);
        const wy_view *view = wy_sim_view(run.sim, 0);
        assert_true(all_finite(view->position.values, 33) && all_finite(view->force.values, 30));
        assert_true(all_finite(view->ends[1].reaction_force, 3));
        free_sim(&run);
      }
    }
}

/* Weight across its axis asks for an infinite force: not to be met, either. */
static void a_taut_rod_cannot_carry_its_weight(void **state) {
  (void)state;
  const double down[3] = {0, 0, -9.81};
  for (int clamped = 0; clamped < 2; clamped++)
    for (int variant = 0; variant < 3; variant++) {
      wy_rod_def rod = taut_rod(clamped);
      wy_solver_def solver = solver_of(variant);
      test_sim run = make_sim(&rod, NULL, 0, &solver, down);
      wy_message message = {0};
      assert_int_equal(wy_sim_advance(run.sim, 0.1, &message), WY_ERROR_SOLVER);
      if (!strstr(message.text, "straight"))
        fail_msg("the message does not say that the rod is straight: %s", message.text);
      const wy_view *view = wy_sim_view(run.sim, 0);
      assert_true(all_finite(view->position.values, 33) && all_finite(view->force.values, 30));
      free_sim(&run);
    }
}

static void stretch(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s, (void)wrt;
  jet[0] = 2 / pi + t, jet[1] = 1, jet[2] = 0;
}

/* An arch (a half circle of length 1) whose end moves away with velocity 1: straight when the ends are 1 apart, about
   0.36 later. Before that all is well, then the run ends with the same message. Without shear, but with extension, it
   goes on. */
static void a_rod_pulled_straight_stops_there(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int variant = 0; variant < 3; variant++) {
      wy_rod_def rod = taut_rod(false);
      rod.kind = (wy_rod_kind)kind;
      rod.damping.kind = WY_DAMPING_COEFFICIENTS;
      rod.shape.curvature[1] = wy_constant(pi);
      rod.ends[1].position[2] = WY_DRIVEN;
      rod.ends[1].path[2] = (wy_signal){0, stretch, NULL, WY_TIME};
      wy_solver_def solver = solver_of(variant);
      solver.relative_tolerance = solver.absolute_tolerance = 1e-6;
      test_sim run = make_sim(&rod, NULL, 0, &solver, NULL);
      wy_message message = {0};
      double taut = 1 - 2 / pi; /* of a smooth half circle; the polygon's ends are 0.003 further apart */
      if (wy_sim_advance(run.sim, 0.9 * taut, &message))
        fail_msg("kind %d, variant %d: %s", kind, variant, message.text);
      wy_status status = wy_sim_advance(run.sim, 1.2 * taut, &message);
      if (kind == WY_KIRCHHOFF) {
        assert_int_equal(status, WY_OK);
      } else {
        assert_int_equal(status, WY_ERROR_SOLVER);
        if (!strstr(message.text, "straight"))
          fail_msg("variant %d: the message does not say that the rod is straight: %s", variant, message.text);
        check_close(wy_sim_time(run.sim), taut, 0.02);
      }
      assert_true(all_finite(wy_sim_view(run.sim, 0)->position.values, 33));
      free_sim(&run);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_systems_are_solved_with_the_derivative),
                                     cmocka_unit_test(short_steps_lose_no_digits),
                                     cmocka_unit_test(power_balances),
                                     cmocka_unit_test(rigid_motion_changes_nothing),
                                     cmocka_unit_test(unloaded_rod_rests),
                                     cmocka_unit_test(taut_rod_rests_and_spins),
                                     cmocka_unit_test(taut_rod_twists),
                                     cmocka_unit_test(pulling_a_taut_rod_is_refused),
                                     cmocka_unit_test(a_taut_rod_cannot_carry_its_weight),
                                     cmocka_unit_test(a_rod_pulled_straight_stops_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
