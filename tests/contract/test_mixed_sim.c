/* SPDX-License-Identifier: MIT */
/* The mixed scheme behind the public interface: snapshots, no allocation, times off the grid, changes between steps,
   from rest into motion and back, and what it says when it cannot continue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/sim_checks.h"

/* A soft clamped rod with all that acts, which elements of order 1 can follow: a load to be set, a chamber and a
 * tendon, Maxwell branches, damping, drag. */
static example busy_rod(wy_rod_kind kind) {
  static const wy_maxwell branches[2] = {{0.4, 0.2}, {0.25, 0.03}};
  example e = {.rod = rich_rod(6), .load_count = 1, .actuator_count = 2, .gravity = {0.03, -0.04, -0.1}};
  e.rod.kind = kind;
  e.rod.name = "busy";
  e.rod.maxwell = branches;
  e.rod.maxwell_count = 2;
  e.rod.ends[WY_START] = wy_end_clamped();
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  e.loads[0].force[1] = wy_constant(0.1);
  for (int i = 0; i < 2; i++) {
    e.actuators[i] = wy_default_actuator_def();
    e.actuators[i].kind = i ? WY_TENDON : WY_PNEUMATIC;
    e.actuators[i].offset[i] = wy_constant(0.1);
    e.actuators[i].force = wy_constant(i ? 0.2 : -0.1);
  }
  return e;
}

static const double force[3] = {0.2, 0.1, -0.3}, moment[3] = {0.05, -0.1, 0.02}, place[3] = {0.1, 0, 0.2};
static const double push = -0.4, pull = 0.5;

/* All that may change between two steps. */
static void change_everything(const test_sim *made) {
  wy_message message = {0};
  double frame[4] = {cos(0.2), 0, sin(0.2), 0};
  wy_pose target = {.position = place, .frame = frame};
  must(wy_sim_set_load(made->sim, 0, force, moment, &message), &message);
  must(wy_sim_set_actuator(made->sim, 0, &push, &message), &message);
  must(wy_sim_set_actuator(made->sim, 1, &pull, &message), &message);
  must(wy_sim_move_end(made->sim, 0, WY_START, &target, 0.4, &message), &message);
}

/* Runs a check for both orders and all models. */
static void for_all(void (*check)(int order, wy_rod_kind kind)) {
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      check(order, (wy_rod_kind)kind);
}

/* ---- Allocation ---- */

#ifdef COUNTS_ALLOCATIONS
static void no_allocation(int order, wy_rod_kind kind) {
  example e = busy_rod(kind);
  e.rod.ends[WY_START].release = 0.4;
  wy_solver_def solver = mixed_solver(order, 0.05);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  long before = allocations;
  must(wy_sim_settle(made.sim, 0, &message), &message);
  use_everything(&made, change_everything);
  assert_int_equal(allocations - before, 0);
  free_sim(&made);
}
#endif

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for_all(no_allocation);
#else
  skip();
#endif
}

/* ---- Snapshots ---- */

/* In the middle of everything, and after a time between two steps was shown. */
static void continues_bit_for_bit(int order, wy_rod_kind kind) {
  example e = busy_rod(kind);
  e.rod.ends[WY_START].release = 0.73;
  wy_solver_def solver = mixed_solver(order, 0.05);
  test_sim first = simulate(&e, &solver), second = simulate(&e, &solver);
  check_snapshot_continues(&first, &second, change_everything, 20);
}

static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for_all(continues_bit_for_bit);
}

/* ---- Times off the grid ---- */

/* Steps end at the times asked for and return to the grid; what they give differs by the error of a step, and the
   energy is balanced in short steps, too. */
static void lands_off_the_grid(int order, wy_rod_kind kind) {
  static const double times[] = {0.013, 0.05, 0.1, 0.149999, 0.31, 0.5 - 1e-12, 0.77, 1};
  example e = busy_rod(kind);
  wy_solver_def solver = mixed_solver(order, 0.02);
  test_sim on = simulate(&e, &solver), off = simulate(&e, &solver);
  wy_message message = {0};
  wy_energy start = wy_sim_energy(off.sim, 0);
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    must(wy_sim_advance(off.sim, times[i], &message), &message);
    check_close(wy_sim_time(off.sim), times[i], 0);
    must(wy_sim_set_load(off.sim, 0, NULL, NULL, &message), &message); /* allowed: the rod stands at that time */
  }
  must(wy_sim_advance(on.sim, 1, &message), &message);
  double a[4], b[4];
  probe(&on, WY_POSITION, e.rod.length, a);
  probe(&off, WY_POSITION, e.rod.length, b);
  for (int k = 0; k < 3; k++)
    check_close(b[k], a[k], 2e-3);
  wy_energy energy = wy_sim_energy(off.sim, 0);
  check_close(energy.total - start.total, energy.work - energy.dissipated, 1e-9);
  assert_int_equal(wy_sim_statistics(on.sim, 0).steps, 50);
  check_at_most(wy_sim_statistics(off.sim, 0).steps, 50 + 5);
  free_sim(&on);
  free_sim(&off);
}

static void any_time_can_be_reached(void **state) {
  (void)state;
  for_all(lands_off_the_grid);
}

/* Sums of steps of 0.1 differ from multiples by round-off (0.30000000000000004): they are the same times. */
static void times_are_the_same_up_to_round_off(void **state) {
  (void)state;
  static const double steps[3] = {0.1, 0.07, 0.003};
  for (int i = 0; i < 3; i++)
    for (int n = 1; n <= 20; n++)
      for (int mode = 0; mode < 3; mode++) { /* get there by steps, by a sample, at once */
        example e = busy_rod(WY_COSSERAT);
        wy_solver_def solver = mixed_solver(1, steps[i]);
        test_sim made = simulate(&e, &solver);
        wy_message message = {0};
        char text[32];
        snprintf(text, sizeof text, "%.10g", n * steps[i]); /* as a user would write it */
        const double t = strtod(text, NULL);
        for (int k = 0; mode == 0 && k < n; k++)
          must(wy_sim_step(made.sim, &message), &message);
        if (mode == 1)
          must(wy_sim_sample(made.sim, t, &message), &message);
        must(wy_sim_advance(made.sim, t, &message), &message);
        check_close(wy_sim_time(made.sim), t, 0);
        assert_int_equal(wy_sim_statistics(made.sim, 0).steps, n);
        must(wy_sim_set_load(made.sim, 0, force, moment, &message), &message);
        must(wy_sim_set_actuator(made.sim, 0, &push, &message), &message);
        must(wy_sim_step(made.sim, &message), &message);
        check_close(wy_sim_time(made.sim), t + steps[i], 1e-12);
        free_sim(&made);
      }
}

/* Between the ends of a step states are interpolated: continuous, unit frames, and the steps are not changed. */
static void samples_leave_steps_alone(int order, wy_rod_kind kind) {
  example e = busy_rod(kind);
  wy_solver_def solver = mixed_solver(order, 0.05);
  test_sim often = simulate(&e, &solver), once = simulate(&e, &solver);
  wy_message message = {0};
  double last[4], x[4], q[4], v[4];
  probe(&often, WY_POSITION, e.rod.length, last);
  for (int k = 1; k <= 100; k++) {
    must(wy_sim_sample(often.sim, 0.01 * k, &message), &message);
    probe(&often, WY_POSITION, e.rod.length, x);
    probe(&often, WY_VELOCITY, e.rod.length, v);
    probe(&often, WY_ROTATION, 0.5 * e.rod.length, q);
    check_close(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-13);
    for (int i = 0; i < 3; i++) /* accelerations are below 30: the rod is soft, its forces below 1, its parts light */
      check_close(x[i] - last[i], 0.01 * v[i], 0.01 * 0.05 * 30);
    memcpy(last, x, sizeof last);
  }
  must(wy_sim_sample(once.sim, 1, &message), &message);
  same_state(&often, &once);
  wy_statistics seen = wy_sim_statistics(often.sim, 0), unseen = wy_sim_statistics(once.sim, 0);
  check_close(seen.strain_drift, unseen.strain_drift, 0); /* that of steps, whatever was looked at in between */
  check_close(seen.strain_rate_drift, unseen.strain_rate_drift, 0);
  free_sim(&often);
  free_sim(&once);
}

static void sampling_does_not_change_steps(void **state) {
  (void)state;
  for_all(samples_leave_steps_alone);
}

/* ---- Changes between steps ---- */

/* What is set acts like the same in the model; NULL gives it back; a moved end arrives where and when it was told. */
static void does_as_told(int order, wy_rod_kind kind) {
  example e = busy_rod(kind), same = e;
  for (int k = 0; k < 3; k++)
    same.loads[0].force[k] = wy_constant(force[k]), same.loads[0].moment[k] = wy_constant(moment[k]);
  same.actuators[0].force = wy_constant(push);
  same.actuators[1].force = wy_constant(pull);
  wy_solver_def solver = mixed_solver(order, 0.05);
  test_sim a = simulate(&e, &solver), b = simulate(&same, &solver);
  wy_message message = {0};
  must(wy_sim_set_load(a.sim, 0, force, moment, &message), &message);
  must(wy_sim_set_actuator(a.sim, 0, &push, &message), &message);
  must(wy_sim_set_actuator(a.sim, 1, &pull, &message), &message);
  must(wy_sim_advance(a.sim, 0.3, &message), &message);
  must(wy_sim_advance(b.sim, 0.3, &message), &message);
  const wy_view *set = wy_sim_view(a.sim, 0), *given = wy_sim_view(b.sim, 0);
  /* steps are solved to 1e-11 of the forces at work */
  compare_vectors("set", "positions", set->position.values, given->position.values, 3 * given->position.count, 1e-9);
  compare_vectors("set", "velocities", set->velocity.values, given->velocity.values, 3 * given->velocity.count, 1e-9);
  wy_energy before = wy_sim_energy(a.sim, 0);
  double frame[4] = {cos(0.3), 0, sin(0.3), 0}, x[4], v[4], q[4], same_turn = 0;
  static const double velocity[3] = {0, 0.3, 0}, spin[3] = {0, 0, 0.5};
  wy_pose target = {.position = place, .frame = frame, .velocity = velocity, .angular_velocity = spin};
  must(wy_sim_move_end(a.sim, 0, WY_START, &target, 0.4, &message), &message);
  must(wy_sim_set_load(a.sim, 0, NULL, NULL, &message), &message);
  must(wy_sim_set_actuator(a.sim, 0, NULL, &message), &message);
  must(wy_sim_advance(a.sim, 0.7, &message), &message);
  probe(&a, WY_POSITION, 0, x);
  probe(&a, WY_ROTATION, 0, q);
  probe(&a, WY_VELOCITY, 0, v);
  for (int k = 0; k < 4; k++)
    same_turn += q[k] * frame[k];
  check_close(fabs(same_turn), 1, 1e-12);
  for (int k = 0; k < 3; k++) {
    check_close(x[k], place[k], 1e-12);
    check_close(v[k], velocity[k], 1e-10);
  }
  wy_energy after = wy_sim_energy(a.sim, 0);
  check_close(after.total - before.total, after.work - before.work - after.dissipated + before.dissipated, 1e-10);
  assert_int_equal(wy_sim_set_actuator(a.sim, 2, &push, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_set_actuator(a.sim, 1, &push, &message), WY_ERROR_INPUT); /* a tendon cannot push */
  free_sim(&a);
  free_sim(&b);
}

static void loads_actuators_and_ends_do_as_told(void **state) {
  (void)state;
  for_all(does_as_told);
}

/* ---- From rest into motion ---- */

/* An equilibrium of statics is one of the steps: what has settled stays at rest, and a Maxwell rod is relaxed there. */
static void stays_settled(int order, wy_rod_kind kind) {
  example e = busy_rod(kind);
  wy_solver_def solver = mixed_solver(order, 0.05);
  solver.statics.newton_tolerance = 1e-12;
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double tip[4], later[4], reaction[4], still[4];
  probe(&made, WY_POSITION, e.rod.length, tip);
  probe(&made, WY_REACTION_FORCE, 0, reaction);
  wy_energy before = wy_sim_energy(made.sim, 0);
  for (int n = 0; n < 10; n++)
    must(wy_sim_step(made.sim, &message), &message);
  probe(&made, WY_POSITION, e.rod.length, later);
  probe(&made, WY_REACTION_FORCE, 0, still);
  wy_energy after = wy_sim_energy(made.sim, 0);
  for (int k = 0; k < 3; k++) {
    check_close(later[k], tip[k], 1e-10);
    check_close(still[k], reaction[k], 1e-8);
  }
  check_close(after.kinetic, 0, 1e-18);
  check_close(after.elastic, before.elastic, 1e-9);
  /* And the support carries all: weight and the load. */
  double mass = wy_sim_momentum(made.sim, 0).mass;
  for (int k = 0; k < 3; k++)
    check_close(reaction[k], -mass * e.gravity[k] - (k == 1 ? 0.1 : 0), 1e-9);
  free_sim(&made);
}

static void what_has_settled_stays_at_rest(void **state) {
  (void)state;
  for_all(stays_settled);
}

/* ---- Failures ---- */

static void after_a_failure_the_last_good_state_is_shown(void **state) {
  (void)state;
  example e = busy_rod(WY_COSSERAT);
  e.loads[0].force[2] = turns_nan();
  wy_solver_def solver = mixed_solver(2, 0.05);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  assert_int_equal(wy_sim_advance(made.sim, 1, &message), WY_ERROR_SOLVER);
  assert_non_null(strstr(message.text, "busy"));
  assert_non_null(strstr(message.text, "not finite"));
  check_close(wy_sim_time(made.sim), 0.5, 1e-12);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  assert_true(isfinite(energy.total));
  free_sim(&made);
}

/* Too few iterations are allowed: the step fails, with the time and the rod named. */
static void a_step_that_does_not_converge_is_an_error(void **state) {
  (void)state;
  example e = example_of(wy_scene_spaghetti(10));
  wy_solver_def solver = mixed_solver(2, 0.1);
  solver.newton.iterations = 1;
  e.rod.name = "spaghetti";
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  assert_int_equal(wy_sim_advance(made.sim, 5, &message), WY_ERROR_SOLVER);
  assert_non_null(strstr(message.text, "spaghetti"));
  check_close(wy_sim_momentum(made.sim, 0).mass, 10, 1e-12);
  free_sim(&made);
  free_example(&e);
}

static void wrong_definitions_are_refused(void **state) {
  (void)state;
  wy_message message = {0};
  example e = {.rod = rich_rod(6)};
  wy_solver_def solver = mixed_solver(3, 0.1);
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  solver = mixed_solver(2, 0.1);
  solver.integrator = "radau5";
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, "midpoint"));
  /* Rotary inertias that no body has: J3 > J1 + J2, one director would need a negative mass. */
  solver = mixed_solver(2, 0.1);
  e.rod.inertia[1] = wy_constant(0.1), e.rod.inertia[2] = wy_constant(0.1), e.rod.inertia[3] = wy_constant(0.3);
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.path, "inertia"));
  /* One element is a rod, one segment of the staggered scheme is not. */
  e.rod = wy_default_rod_def();
  e.rod.length = 1, e.rod.segments = 1;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(1);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(0.1);
  assert_int_equal(creation(&e, &solver, false, &message), WY_OK);
  solver = wy_default_solver_def();
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0].segments");
  e.rod.segments = 2;
  assert_int_equal(creation(&e, &solver, false, &message), WY_OK);
  assert_true(has_fixed_step("mixed", "auto"));
  assert_true(has_fixed_step("mixed", "midpoint"));
  assert_int_equal(method_possible("mixed", WY_KIRCHHOFF, "midpoint"), WY_OK);
  assert_int_equal(method_possible("staggered", WY_KIRCHHOFF, "galpha"), WY_ERROR_SUPPORT);
}

/* ---- Rotation per element (errata 19) ---- */

/* A rod bent to a part of a circle by a driven end: 1 is what the interpolation carries well, some 0.5 rad an element
   of order 1, 1.5 rad of order 2. */
static void rotation_per_element_is_watched(void **state) {
  (void)state;
  static const double carried[2] = {0.5, 1.5};
  for (int order = 1; order <= 2; order++)
    for (int k = 0; k < 2; k++) {
      double turn = (k ? 1.2 : 0.5) * carried[order - 1] * 4; /* four elements */
      example e = {.rod = wy_default_rod_def(), .gravity = {0}};
      e.rod.segments = 4;
      e.rod.has_stiffness = e.rod.has_inertia = true;
      for (int i = 0; i < 6; i++)
        e.rod.stiffness[i] = wy_constant(i < 3 ? 1e3 : 1);
      for (int i = 0; i < 4; i++)
        e.rod.inertia[i] = wy_constant(i ? 1e-3 : 1);
      e.rod.length = 1;
      e.rod.shape.curvature[1] = wy_constant(turn);
      e.rod.ends[WY_START] = wy_end_clamped();
      e.rod.initial.velocity[1] = wy_constant(0);
      wy_solver_def solver = mixed_solver(order, 0.01);
      test_sim made = simulate(&e, &solver);
      wy_message message = {0};
      must(wy_sim_step(made.sim, &message), &message);
      double found = wy_sim_statistics(made.sim, 0).piece_turn;
      print_message("order %d, %.2f rad an element: piece_turn %.3f\n", order, turn / 4, found);
      check_close(found, turn / 4 / carried[order - 1], 0.15 * found + 1e-12);
      assert_true(k ? found > 1 : found < 1);
      free_sim(&made);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_allocated_after_creation),
      cmocka_unit_test(snapshots_continue_bit_for_bit),
      cmocka_unit_test(any_time_can_be_reached),
      cmocka_unit_test(times_are_the_same_up_to_round_off),
      cmocka_unit_test(sampling_does_not_change_steps),
      cmocka_unit_test(loads_actuators_and_ends_do_as_told),
      cmocka_unit_test(what_has_settled_stays_at_rest),
      cmocka_unit_test(after_a_failure_the_last_good_state_is_shown),
      cmocka_unit_test(a_step_that_does_not_converge_is_an_error),
      cmocka_unit_test(wrong_definitions_are_refused),
      cmocka_unit_test(rotation_per_element_is_watched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
