/* SPDX-License-Identifier: MIT */
/* The conserving scheme behind its contracts: tangents of its equations, power, snapshots, no allocation, ends that
   move and are released, changes between steps, graded grids, other integrators, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/allocations.h"
#include "support/fluid.h"
#include "support/scheme_checks.h"
#include "support/sim_checks.h"
#include "withy/statics.h"

/* All kinds of loads, driven at one end, with drag. */
static example busy_rod(int segments) {
  example e = {.rod = rich_rod(segments), .load_count = RICH_LOADS, .gravity = {0.3, -0.4, -1}};
  e.rod.name = "busy";
  e.rod.damping.kind = WY_UNDAMPED;
  e.rod.ends[WY_START] = driven_end();
  e.rod.ends[WY_START].position[1] = WY_HELD;
  rich_loads(e.loads);
  return e;
}

static void stiffen(example *e) {
  e->rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.2};
}

static test_system system_of(const example *e, const wy_solver_def *solver) {
  const wy_model_def def = example_model(e);
  return make_system(&def, solver);
}

/* ---- The equations ---- */

typedef void checked(const test_system *made, const char *name);

static void for_all_systems(checked *check) {
  for (int order = 2; order <= 4; order += 2)
    for (int law = 0; law < 2; law++)
      for (int ends = 0; ends < 4; ends++) {
        char name[80];
        example e = busy_rod(10);
        if (law)
          stiffen(&e);
        if (ends != 2)
          surround(&e.rod, &stirring);
        if (ends < 3)
          e.rod.ends[WY_START] = ends == 0 ? wy_end_free() : ends == 1 ? wy_end_pinned() : wy_end_clamped();
        if (ends == 1)
          e.rod.ends[WY_END] = wy_end_clamped();
        snprintf(name, sizeof name, "order %d, %s law, ends %d", order, law ? "stiffening" : "linear", ends);
        wy_solver_def solver = conserving_solver(order, "auto", 0.1);
        test_system made = system_of(&e, &solver);
        check(&made, name);
        free_system(&made);
      }
}

/* Against differences of f of fourth order: (1e-3)^4 and 1e-16 / 1e-3, each times derivatives of some 10 to 100; sizes
   of solutions are those of the right-hand side over the shift. */
static void solves(const test_system *made, const char *name) {
  static const unsigned seeds[2] = {5, 6};
  double *u = state_array(made);
  disturbed_state(made, 0.1, 11, u);
  check_solves(made, name, 0.3, u, seeds, &(solve_check){.step = 1e-3, .least = 1e-8});
  if (made->system->type->multiply)
    check_solves(made, name, 0.3, u, seeds, &(solve_check){.least = 1e-11});
  free(u);
}

static void linear_systems_are_those_of_the_equations(void **state) {
  (void)state;
  for_all_systems(solves);
}

/* At t = 0, where the initial state has the driven end. */
static void balances(const test_system *made, const char *name) {
  double *u = state_array(made), drift[WY_DRIFTS] = {0};
  disturbed_state(made, 0.1, 13, u);
  made->system->type->project(made->system, 0, u, NULL, drift);
  check_power_balance(made, name, 0, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_all_systems(balances);
}

/* ---- Snapshots and memory ---- */

static const double force[3] = {0.2, 0.1, -0.3}, moment[3] = {0.05, -0.1, 0.02}, place[3] = {0.05, 0, 0.1};

static void change_everything(const test_sim *made) {
  wy_message message = {0};
  double frame[4] = {cos(0.1), 0, sin(0.1), 0};
  wy_pose target = {.position = place, .frame = frame};
  must(wy_sim_set_load(made->sim, 0, force, moment, &message), &message);
  must(wy_sim_move_end(made->sim, 0, WY_START, &target, 0.4, &message), &message);
}

typedef void watched(int order, const char *integrator, bool stiffening);

static void for_all_methods(watched *check) {
  static const char *const names[] = {"midpoint", "gauss4", "gauss6", "discrete_gradient", "radau5", "dopri5"};
  for (int order = 2; order <= 4; order += 2)
    for (int i = 0; i < 6; i++)
      check(order, names[i], i % 2 == 1);
}

#ifdef COUNTS_ALLOCATIONS
static void no_allocation(int order, const char *integrator, bool stiffening) {
  example e = busy_rod(8);
  e.rod.ends[WY_START].release = 0.4;
  if (stiffening)
    stiffen(&e);
  wy_solver_def solver = conserving_solver(order, integrator, 0.05);
  test_sim made = start_moving(&e, &solver);
  long before = allocations;
  use_everything(&made, change_everything);
  assert_int_equal(allocations - before, 0);
  free_sim(&made);
}
#endif

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for_all_methods(no_allocation);
#else
  skip();
#endif
}

static void continues_bit_for_bit(int order, const char *integrator, bool stiffening) {
  example e = busy_rod(8);
  e.rod.ends[WY_START].release = 0.73;
  memset(e.gravity, 0, sizeof e.gravity); /* or it is nearly flat by then */
  if (stiffening)
    stiffen(&e);
  wy_solver_def solver = conserving_solver(order, integrator, 0.05);
  test_sim first = start_moving(&e, &solver), second = start_moving(&e, &solver);
  check_snapshot_continues(&first, &second, change_everything, 15);
}

static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for_all_methods(continues_bit_for_bit);
}

/* ---- Ends ---- */

/* A driven end is where its signals have it, at every step; released, it moves on by itself. */
static void ends_follow_their_signals(void **state) {
  (void)state;
  static const char *const names[] = {"midpoint", "gauss4", "discrete_gradient"};
  for (int order = 2; order <= 4; order += 2)
    for (int m = 0; m < 3; m++) {
      example e = busy_rod(8);
      e.rod.ends[WY_START].release = 0.6;
      wy_solver_def solver = conserving_solver(order, names[m], 0.02);
      test_sim made = start_moving(&e, &solver);
      double start[4], x[4], v[4], q[4], w[4], q0[4];
      probe(&made, WY_POSITION, 0, start);
      probe(&made, WY_ROTATION, 0, q0);
      for (int n = 1; n <= 30; n++) {
        step_once(&made);
        double t = 0.02 * n, half = 0.4 * sin(2 * t), same = 0;
        double turn[4] = {cos(half), sin(half) / sqrt(2), sin(half) / sqrt(2), 0}, want[4];
        probe(&made, WY_POSITION, 0, x);
        probe(&made, WY_VELOCITY, 0, v);
        probe(&made, WY_ROTATION, 0, q);
        probe(&made, WY_ANGULAR_VELOCITY, 0, w);
        wy_qmul(turn, q0, want);
        for (int k = 0; k < 4; k++)
          same += q[k] * want[k];
        /* The view shows the support's own pose: to round-off. */
        for (int k = 0; k < 3; k += 2) {
          check_close(x[k], start[k] + 0.3 * sin(2 * t), 1e-12);
          if (n < 30) /* at the release the end is free */
            check_close(v[k], 0.6 * cos(2 * t), 1e-12);
        }
        check_close(fabs(same), 1, 1e-12);
        if (n < 30)
          check_close(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), fabs(1.6 * cos(2 * t)), 1e-11);
      }
      wy_energy before = wy_sim_energy(made.sim, 0);
      move_to(&made, 0.8);
      wy_energy after = wy_sim_energy(made.sim, 0);
      assert_false(wy_sim_view(made.sim, 0)->ends[0].position_held);
      check_close(after.total - after.work + after.dissipated, before.total - before.work + before.dissipated, 1e-11);
      free_sim(&made);
    }
}

/* A rod that stands upright in gravity is held by its support: reactions are weight and its moment. A long, heavily
   dragged run comes to rest there. */
static void supports_carry_the_rod(void **state) {
  (void)state;
  for (int order = 2; order <= 4; order += 2) {
    example e = dimensionless_rod(16, 0.4, 1e-3);
    e.rod.drag = (wy_drag){0.6, 0.6};
    wy_solver_def solver = conserving_solver(order, "midpoint", 0.2);
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 200);
    double f[4], m[4];
    probe(&made, WY_REACTION_FORCE, 0, f);
    probe(&made, WY_REACTION_MOMENT, 0, m);
    print_message("order %d: reactions %.9g %.9g %.9g, %.9g %.9g %.9g\n", order, f[0], f[1], f[2], m[0], m[1], m[2]);
    /* Weight 1e-3, arm 1/2; the deflection 1e-3 / (8 EI) = 0.0125 shortens it by less than 1e-4. Differences: h^2. */
    check_close(f[1], 1e-3, 2e-6);
    check_close(f[0], 0, 2e-6);
    check_close(m[2], 5e-4, 3e-6);
    free_sim(&made);
  }
}

/* ---- Other ways to run it ---- */

/* Any integrator of right-hand sides comes to the same motion. */
static void all_integrators_agree(void **state) {
  (void)state;
  static const char *const names[] = {"gauss6", "gauss4", "radau5", "dopri5"};
  double tip[4][4];
  for (int i = 0; i < 4; i++) {
    example e = busy_rod(8);
    stiffen(&e);
    wy_solver_def solver = conserving_solver(4, names[i], i < 2 ? 0.01 : 0);
    solver.relative_tolerance = solver.absolute_tolerance = 1e-10;
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 1);
    probe(&made, WY_POSITION, e.rod.length, tip[i]);
    free_sim(&made);
  }
  for (int i = 1; i < 4; i++)
    for (int k = 0; k < 3; k++) { /* tolerances of 1e-10 a step; 0.01^4 for Gauss 4, times derivatives */
      print_message("%s: %.2e\n", names[i], tip[i][k] - tip[0][k]);
      check_close(tip[i][k], tip[0][k], 1e-6);
    }
}

/* The same rod on a grid whose pieces grow by four comes to the same motion: to the order of the differences. */
static void graded_tip(int segments, bool graded, double tip[4]) {
  example e = dimensionless_rod(segments, 0.4, 0);
  double lengths[160], sum = 0;
  for (int i = 0; i < segments; i++)
    sum += lengths[i] = exp(graded ? 1.4 * (i + 0.5) / segments : 0);
  for (int i = 0; i < segments; i++)
    lengths[i] /= sum;
  e.rod.segment_lengths = lengths;
  e.rod.initial.velocity[1] = example_signal(&e, "(4*s*(1 - s))^6", 0.25);
  wy_solver_def solver = conserving_solver(2, "gauss4", 0.02);
  test_sim made = start_moving(&e, &solver);
  move_to(&made, 1.5);
  probe(&made, WY_POSITION, 1, tip);
  free_sim(&made);
  free_example(&e);
}

static void graded_grids_converge_to_the_same(void **state) {
  (void)state;
  double even[4], tip[3][4], error[3] = {0};
  graded_tip(160, false, even);
  for (int i = 0; i < 3; i++) {
    graded_tip(20 << i, true, tip[i]);
    for (int k = 0; k < 3; k++)
      error[i] = fmax(error[i], fabs(tip[i][k] - even[k]));
  }
  print_message("graded grids: %.2e %.2e %.2e\n", error[0], error[1], error[2]);
  check_below(error[2], 1e-3);
  check_above(error[1] / error[2], 3);
}

/* ---- Refusals ---- */

typedef void spoiled(example *e, wy_solver_def *solver);

static void kirchhoff(example *e, wy_solver_def *solver) {
  (void)solver;
  e->rod.kind = WY_KIRCHHOFF;
}
static void inextensible(example *e, wy_solver_def *solver) {
  (void)solver;
  e->rod.kind = WY_INEXTENSIBLE;
}
static void damped(example *e, wy_solver_def *solver) {
  (void)solver;
  e->rod.damping.kind = WY_DAMPING_TIME;
  e->rod.damping.time = wy_constant(0.01);
}
static void viscous(example *e, wy_solver_def *solver) {
  static const wy_maxwell branch = {0.3, 0.1};
  (void)solver;
  e->rod.maxwell = &branch;
  e->rod.maxwell_count = 1;
}
static void partly_held(example *e, wy_solver_def *solver) {
  (void)solver;
  e->rod.ends[WY_START] = driven_end();
}
static void odd_order(example *e, wy_solver_def *solver) {
  (void)e;
  solver->conserving.order = 3;
}
static void too_short(example *e, wy_solver_def *solver) {
  e->rod.segments = 6;
  e->rod.segment_lengths = NULL;
  solver->conserving.order = 4;
}
static void no_generalised_alpha(example *e, wy_solver_def *solver) {
  (void)e;
  solver->integrator = "galpha";
}
static void actuated(example *e, wy_solver_def *solver) {
  (void)solver;
  e->actuators[0] = wy_default_actuator_def();
  e->actuators[0].force = wy_constant(-0.1);
  e->actuator_count = 1;
}

static void what_it_cannot_do_is_refused(void **state) {
  (void)state;
  static const struct {
    spoiled *spoil;
    const char *names; /* in the message */
  } wrong[] = {{kirchhoff, "conserving"},  {inextensible, "conserving"},
               {damped, "damping"},        {viscous, "maxwell"},
               {odd_order, "order"},       {too_short, "segments"},
               {actuated, "actuator"},     {no_generalised_alpha, "conserving"},
               {partly_held, "ends.start"}};
  wy_message message = {0};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    example e = {.rod = rich_rod(10)};
    e.rod.damping.kind = WY_UNDAMPED;
    wy_solver_def solver = conserving_solver(2, "auto", 0.1);
    assert_int_equal(creation(&e, &solver, false, &message), WY_OK);
    wrong[i].spoil(&e, &solver);
    wy_status status = creation(&e, &solver, false, &message);
    if (status != WY_ERROR_SUPPORT && status != WY_ERROR_INPUT)
      fail_msg("refusal %d: status %d", (int)i, (int)status);
    if (!strstr(message.text, wrong[i].names) && !strstr(message.path, wrong[i].names))
      fail_msg("refusal %d: %s: %s: expected a word on %s", (int)i, message.path, message.text, wrong[i].names);
  }
  example e = {.rod = rich_rod(10)};
  e.rod.damping.kind = WY_UNDAMPED;
  wy_solver_def solver = conserving_solver(2, "auto", 0.1);
  wy_status status = creation(&e, &solver, true, &message);
  assert_true(status == WY_ERROR_SUPPORT || status == WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "conserving"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_systems_are_those_of_the_equations),
      cmocka_unit_test(power_balances),
      cmocka_unit_test(nothing_is_allocated_after_creation),
      cmocka_unit_test(snapshots_continue_bit_for_bit),
      cmocka_unit_test(ends_follow_their_signals),
      cmocka_unit_test(supports_carry_the_rod),
      cmocka_unit_test(all_integrators_agree),
      cmocka_unit_test(graded_grids_converge_to_the_same),
      cmocka_unit_test(what_it_cannot_do_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
