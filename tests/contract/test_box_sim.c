/* SPDX-License-Identifier: MIT */
/* The box scheme behind the public interface: snapshots, no allocation, changes between steps, from rest into motion,
   samples, failures, and what is refused. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/allocations.h"
#include "support/cases.h"
#include "support/sim_checks.h"

static const double force[3] = {0.2, 0.1, -0.3}, moment[3] = {0.05, -0.1, 0.02}, place[3] = {0.05, 0, 0.1};

static example busy_rod(void) {
  example e = {.rod = rich_rod(6), .gravity = {0.03, -0.04, -0.1}};
  e.rod.kind = WY_INEXTENSIBLE;
  e.rod.name = "busy";
  e.rod.ends[WY_START] = wy_end_clamped();
  wy_load_def *load = add_load(&e, WY_AT_END, WY_SPACE_AXES, 0, 0);
  load->force[1] = wy_constant(0.1);
  return e;
}

static void change_everything(const test_sim *made) {
  wy_message message = {0};
  double frame[4] = {cos(0.1), 0, sin(0.1), 0}, now[4], target_frame[4];
  probe(made, WY_ROTATION, 0, now);
  wy_qmul(frame, now, target_frame);
  wy_pose target = {.position = place, .frame = target_frame};
  must(wy_sim_set_load(made->sim, 0, force, moment, &message), &message);
  must(wy_sim_move_end(made->sim, 0, WY_START, &target, 0.4, &message), &message);
}

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = busy_rod();
    e.rod.ends[WY_START].release = 0.4;
    wy_solver_def solver = box_solver(0.05);
    set_box_form(&solver, &box_forms[k]);
    test_sim made = start_moving(&e, &solver);
    long before = allocations;
    use_everything(&made, change_everything);
    assert_int_equal(allocations - before, 0);
    free_sim(&made);
  }
#else
  skip();
#endif
}

static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = busy_rod();
    e.rod.ends[WY_START].release = 0.73;
    wy_solver_def solver = box_solver(0.05);
    set_box_form(&solver, &box_forms[k]);
    test_sim first = start_moving(&e, &solver), second = start_moving(&e, &solver);
    check_snapshot_continues(&first, &second, change_everything, 15);
  }
}

/* A load at the end that varies along the rod has its value there. */
static void loads_on_ends_have_the_values_of_their_place(void **state) {
  (void)state;
  example e = busy_rod(), same = e;
  e.loads[0].force[1] = example_signal(&e, "s", 0.1);
  same.loads[0].force[1] = wy_constant(0.1 * e.rod.length);
  wy_solver_def solver = box_solver(0.05);
  test_sim a = start_moving(&e, &solver), b = start_moving(&same, &solver);
  double tip[4];
  move_to(&a, 0.5);
  move_to(&b, 0.5);
  probe(&b, WY_POSITION, e.rod.length, tip);
  check_close(distance(&a, e.rod.length, tip), 0, 1e-10); /* of Newton's method */
  free_sim(&a);
  free_sim(&b);
  free_example(&e);
}

/* A moved end arrives where and when it was told; a load that is set acts like the same in the model. */
static void loads_and_ends_do_as_told(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = busy_rod(), same = e;
    for (int c = 0; c < 3; c++)
      same.loads[0].force[c] = wy_constant(force[c]), same.loads[0].moment[c] = wy_constant(moment[c]);
    wy_solver_def solver = box_solver(0.02);
    set_box_form(&solver, &box_forms[k]);
    test_sim a = start_moving(&e, &solver), b = start_moving(&same, &solver);
    wy_message message = {0};
    must(wy_sim_set_load(a.sim, 0, force, moment, &message), &message);
    move_to(&a, 0.3);
    move_to(&b, 0.3);
    double tip[4], x[4];
    probe(&b, WY_POSITION, e.rod.length, tip);
    check_close(distance(&a, e.rod.length, tip), 0, 1e-8);
    wy_pose target = {.position = place};
    must(wy_sim_move_end(a.sim, 0, WY_START, &target, 0.4, &message), &message);
    move_to(&a, 0.7);
    probe(&a, WY_POSITION, 0, x);
    check_close(apart(x, place), 0, 1e-12);
    move_to(&a, 1.0);
    probe(&a, WY_POSITION, 0, x);
    check_close(apart(x, place), 0, 1e-12);
    free_sim(&a);
    free_sim(&b);
  }
}

/* An equilibrium of statics is one of the steps, and the support carries weight and load there. */
static void what_has_settled_stays_at_rest(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = busy_rod();
    wy_solver_def solver = box_solver(0.05);
    set_box_form(&solver, &box_forms[k]);
    solver.statics.newton_tolerance = 1e-12;
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    must(wy_sim_settle(made.sim, 0, &message), &message);
    double tip[4], reaction[4], mass = wy_sim_momentum(made.sim, 0).mass;
    probe(&made, WY_POSITION, e.rod.length, tip);
    for (int n = 0; n < 20; n++)
      step_once(&made);
    check_close(distance(&made, e.rod.length, tip), 0, 1e-9);
    check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 1e-16);
    probe(&made, WY_REACTION_FORCE, 0, reaction);
    /* Forces add up exactly in the transported box, to second order in the plain one, of six cells here. */
    for (int c = 0; c < 3; c++)
      check_close(reaction[c], -mass * e.gravity[c] - (c == 1 ? 0.1 : 0), box_forms[k].transport ? 1e-9 : 0.01);
    free_sim(&made);
  }
}

static void after_a_failure_the_last_good_state_is_shown(void **state) {
  (void)state;
  example e = busy_rod();
  e.loads[0].force[2] = turns_nan();
  wy_solver_def solver = box_solver(0.05);
  test_sim made = start_moving(&e, &solver);
  wy_message message = {0};
  assert_int_equal(wy_sim_advance(made.sim, 1, &message), WY_ERROR_SOLVER);
  assert_non_null(strstr(message.text, "busy"));
  assert_non_null(strstr(message.text, "not finite"));
  check_close(wy_sim_time(made.sim), 0.5, 1e-12);
  assert_true(isfinite(wy_sim_energy(made.sim, 0).total));
  free_sim(&made);
}

/* Between steps states are interpolated: unit frames, and the steps are not changed. */
static void sampling_does_not_change_steps(void **state) {
  (void)state;
  example e = busy_rod();
  wy_solver_def solver = box_solver(0.05);
  test_sim often = start_moving(&e, &solver), once = start_moving(&e, &solver);
  wy_message message = {0};
  double x[4], last[4], v[4], q[4];
  probe(&often, WY_POSITION, e.rod.length, last);
  for (int i = 1; i <= 100; i++) {
    must(wy_sim_sample(often.sim, 0.01 * i, &message), &message);
    probe(&often, WY_POSITION, e.rod.length, x);
    probe(&often, WY_VELOCITY, e.rod.length, v);
    probe(&often, WY_ROTATION, 0.5 * e.rod.length, q);
    check_close(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-13);
    for (int c = 0; c < 3; c++) /* forces of 0.1 on parts of mass 0.1 */
      check_close(x[c] - last[c], 0.01 * v[c], 0.01 * 0.05 * 10);
    memcpy(last, x, sizeof last);
  }
  must(wy_sim_sample(once.sim, 1, &message), &message);
  same_state(&often, &once);
  free_sim(&often);
  free_sim(&once);
}

static void what_it_cannot_do_is_refused(void **state) {
  (void)state;
  static const wy_maxwell branch = {0.3, 0.1};
  wy_message message = {0};
  example e = busy_rod();
  wy_solver_def solver = box_solver(0.05);
  assert_int_equal(creation(&e, &solver, false, &message), WY_OK);
  e.rod.kind = WY_COSSERAT;
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, "inextensible"));
  e.rod.kind = WY_KIRCHHOFF;
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_SUPPORT);
  e = busy_rod();
  e.rod.maxwell = &branch, e.rod.maxwell_count = 1;
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.path, "maxwell"));
  e = busy_rod();
  e.actuators[0] = wy_default_actuator_def();
  e.actuators[0].force = wy_constant(-0.1);
  e.actuator_count = 1;
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.path, "actuators"));
  e = busy_rod();
  static const double wrong[3][3] = {{1, 0, 0.5}, {0, 1, 0.5}, {0, 0, 0}};
  for (int i = 0; i < 3; i++) {
    solver = plain_box_solver(wrong[i][0], wrong[i][1], wrong[i][2], WY_FORCE_HISTORY, 0.05);
    assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
    assert_non_null(strstr(message.path, "solver."));
  }
  solver = box_solver(0.05);
  solver.box.rho_inf = 1.2;
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_INPUT);
  solver = box_solver(0.05);
  solver.integrator = "radau5";
  assert_int_equal(creation(&e, &solver, false, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, "galpha"));
  assert_true(has_fixed_step("box", "auto"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_allocated_after_creation),
      cmocka_unit_test(snapshots_continue_bit_for_bit),
      cmocka_unit_test(loads_on_ends_have_the_values_of_their_place),
      cmocka_unit_test(loads_and_ends_do_as_told),
      cmocka_unit_test(what_has_settled_stays_at_rest),
      cmocka_unit_test(sampling_does_not_change_steps),
      cmocka_unit_test(after_a_failure_the_last_good_state_is_shown),
      cmocka_unit_test(what_it_cannot_do_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
