/* SPDX-License-Identifier: MIT */
/* What is special about DOP853: its orders with equal steps, the continuous output that is completed when it is first
   asked for, and what that may not change. What every integrator owes is in test_integrators.c. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "integrate/methods.h"
#include "support/allocations.h"
#include "support/sim_checks.h"
#include "support/toy.h"

static const double middle = 0.45; /* of a step: none of the continuous output's factors is zero there */

static double integral_error(const double *u, double t) {
  return fabs(u[WY_LANES + WY_WORK_INTEGRAL] - sin(0.5 * t * t + t));
}

static double within(const toy *made, double theta) {
  const wy_progress *now = made->integrator.now;
  return now->t_old + theta * (now->t - now->t_old);
}

/* ---- Orders ---- */

typedef double error_of(const double *u, double t);

typedef struct equal_errors {
  double end, integral, dense, dense_integral;
} equal_errors;

/* The largest errors at the ends of `count` equal steps of h, and within them: no tolerance interferes. */
static equal_errors run_equal(const toy_problem *problem, error_of *error, double h, int count) {
  toy made;
  wy_message message;
  double u[2 * WY_LANES];
  equal_errors out = {0};
  toy_create(&made, problem, &wy_dop853, 1);
  made.integrator.largest_step = h;
  for (int i = 0; i < count; i++) {
    made.integrator.now->h = h;
    assert_int_equal(wy_drive_step(&made.integrator, INFINITY, &message), WY_OK);
    double t = made.integrator.now->t;
    out.end = fmax(out.end, error(made.integrator.u, t));
    out.integral = fmax(out.integral, integral_error(made.integrator.u, t));
    t = within(&made, middle);
    made.integrator.type->dense(&made.integrator, t, u);
    out.dense = fmax(out.dense, error(u, t));
    out.dense_integral = fmax(out.dense_integral, integral_error(u, t));
  }
  assert_int_equal(made.integrator.now->statistics.rejected, 0);
  toy_destroy(&made);
  return out;
}

/* Of errors with steps that are `ratio` times as long, and one. */
static void check_rate(const char *what, double coarse, double fine, double ratio, double want, double tolerance) {
  double order = log(coarse / fine) / log(ratio);
  print_message("%s: errors %.3e, %.3e: observed order %.2f\n", what, coarse, fine, order);
  if (!(fabs(order - want) <= tolerance))
    fail_msg("%s: observed order %.2f, want %g within %g", what, order, want, tolerance);
}

/* Steps of up to 1/5 of what takes one radian: where their shares of a period are no longer small, the terms after the
   first one of the error change the rate by some tenths. Smaller steps come near round-off. */
static void a_run_has_order_8(void **state) {
  (void)state;
  equal_errors coarse = run_equal(&toy_spin, toy_spin_error, 0.2, 10),
               fine = run_equal(&toy_spin, toy_spin_error, 0.1, 20);
  check_rate("states", coarse.end, fine.end, 2, 8, 0.75);
  check_rate("integrals", coarse.integral, fine.integral, 2, 8, 0.75);
  /* What the continuous output of order 7 adds in each step is of order 8, too. */
  check_rate("continuous output", coarse.dense, fine.dense, 2, 8, 0.75);
  check_rate("integrals within steps", coarse.dense_integral, fine.dense_integral, 2, 8, 0.75);
}

/* tan(t + 1/2): its derivatives are all positive. */
static void tangent_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = 1 + u[0] * u[0];
}

static void tangent_jacobian(double t, const double *u, double *j) {
  (void)t;
  j[0] = 2 * u[0];
}

static double tangent_error(const double *u, double t) {
  return fabs(u[0] - tan(t + 0.5));
}

/* One step: its end is of order 8, errors h^9; the continuous output of order 7, errors h^8. */
static void one_step_has_errors_of_order_9_and_8(void **state) {
  (void)state;
  const toy_problem tangent = {1, tangent_rhs, tangent_jacobian, {tan(0.5)}, NULL};
  double end[2], inside[2];
  for (int i = 0; i < 2; i++) {
    end[i] = run_equal(&tangent, tangent_error, 0.16 / (1 + i * 0.6), 1).end;
    inside[i] = run_equal(&toy_spin, toy_spin_error, 0.16 / (1 + i * 0.6), 1).dense;
  }
  check_rate("end", end[0], end[1], 1.6, 9, 0.5);
  check_rate("within", inside[0], inside[1], 1.6, 8, 0.5);
}

/* A rod with all sizes of order 1, bent, loaded and driven. */
static example smooth_rod(wy_rod_kind kind) {
  example e = {.rod = rich_rod(6), .load_count = RICH_LOADS, .gravity = {0.3, -0.4, -1}};
  e.rod.name = "smooth";
  e.rod.kind = kind;
  if (kind == WY_COSSERAT)
    e.rod.ends[WY_START] = driven_end();
  else
    e.rod.ends[WY_START] = wy_end_clamped();
  rich_loads(e.loads);
  return e;
}

static wy_solver_def solver_with(double tolerance, double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "dop853";
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.first_step = solver.largest_step = step;
  return solver;
}

enum { TIMES = 161 };

/* Tip and work at many times, most of them within steps. */
typedef struct shown {
  double tip[TIMES][3], work[TIMES];
} shown;

static void run_rod(wy_rod_kind kind, double step, shown *out) {
  example e = smooth_rod(kind);
  wy_solver_def solver = solver_with(1, step);
  wy_message message = {0};
  test_sim made = start_moving(&e, &solver);
  for (int i = 0; i < TIMES; i++) {
    must(wy_sim_sample(made.sim, 0.0025 * i, &message), &message);
    const wy_points *position = &wy_sim_view(made.sim, 0)->position;
    memcpy(out->tip[i], position->values + 3 * (position->count - 1), sizeof out->tip[i]);
    out->work[i] = wy_sim_energy(made.sim, 0).work;
  }
  assert_int_equal(wy_sim_statistics(made.sim, 0).rejected, 0);
  free_sim(&made);
}

static double difference(const shown *a, const shown *b) {
  double most = 0;
  for (int i = 0; i < TIMES; i++)
    most = fmax(most, fmax(apart(a->tip[i], b->tip[i]), fabs(a->work[i] - b->work[i])));
  return most;
}

/* Steps short enough that the look ahead at signals cuts none of them, and long enough that their errors are not
   round-off. The error of what they are compared with is 4^-8 of the smaller one. */
static void a_smooth_rod_shows_order_8(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    shown coarse, fine, finest;
    const double step = kind == WY_COSSERAT ? 0.02 : 0.04;
    run_rod((wy_rod_kind)kind, step, &coarse);
    run_rod((wy_rod_kind)kind, step / 2, &fine);
    run_rod((wy_rod_kind)kind, step / 8, &finest);
    check_rate("rod", difference(&coarse, &finest), difference(&fine, &finest), 2, 8, 0.75);
  }
}

/* ---- The continuous output is made when it is asked for ---- */

static void steps_cost_twelve_evaluations_and_output_three_more(void **state) {
  (void)state;
  toy made;
  wy_message message;
  double u[2 * WY_LANES];
  toy_create(&made, &toy_spin, &wy_dop853, 1e-9);
  const wy_statistics *statistics = &made.integrator.now->statistics;
  assert_int_equal(wy_drive_to(&made.integrator, 1.5, INFINITY, &message), WY_OK);
  long want = 2 + 12 * statistics->steps + 11 * statistics->rejected;
  assert_int_equal(statistics->rhs, want);
  for (int i = 0; i < 3; i++)
    made.integrator.type->dense(&made.integrator, within(&made, 0.3 * i), u);
  assert_int_equal(statistics->rhs, want);
  assert_int_equal(statistics->quadrature, 3);
  toy_destroy(&made);
}

/* Ends meet, whether or not more stages can be had; without them the output is a cubic, with errors of h^4. */
static void output_after_a_change_of_the_system_is_a_cubic(void **state) {
  (void)state;
  double error[2], u[2 * WY_LANES];
  for (int k = 0; k < 2; k++) {
    toy made;
    wy_message message;
    toy_create(&made, &toy_spin, &wy_dop853, 1);
    made.integrator.now->h = 0.1 / (1 + k);
    assert_int_equal(wy_drive_step(&made.integrator, INFINITY, &message), WY_OK);
    made.integrator.type->invalidate(&made.integrator, false);
    made.integrator.type->dense(&made.integrator, within(&made, middle), u);
    assert_int_equal(made.integrator.now->statistics.quadrature, 0);
    error[k] = toy_spin_error(u, within(&made, middle));
    made.integrator.type->dense(&made.integrator, made.integrator.now->t, u);
    for (int i = 0; i < 2; i++) /* a sum of numbers of order 1 */
      check_close(u[i], made.integrator.u[i], 1e-15);
    toy_destroy(&made);
  }
  check_rate("cubic", error[0], error[1], 2, 4, 0.5);
}

/* A wall at t = 1 that no step passes. */
static void wall_rhs(double t, const double *u, double *f) {
  f[0] = t > 1 ? (double)NAN : cos(3 * t) * u[0];
}

static void wall_jacobian(double t, const double *u, double *j) {
  (void)u;
  j[0] = cos(3 * t);
}

static const toy_problem wall = {1, wall_rhs, wall_jacobian, {1}, NULL};

/* What the output says of a step is the same right after it and after attempts to go on that failed. */
static void output_survives_rejected_attempts(void **state) {
  (void)state;
  double u[2][2 * WY_LANES];
  for (int late = 0; late < 2; late++) {
    toy made;
    wy_message message;
    toy_create(&made, &wall, &wy_dop853, 1e-6);
    wy_outcome outcome = WY_ACCEPTED;
    while (outcome == WY_ACCEPTED) {
      outcome = made.integrator.type->attempt(&made.integrator, 2);
      if (outcome == WY_ACCEPTED && !late)
        made.integrator.type->dense(&made.integrator, within(&made, middle), u[late]);
    }
    check_above(made.integrator.now->t, 0.1);
    if (late) {
      assert_int_equal(wy_drive_to(&made.integrator, made.integrator.now->t, 2, &message), WY_OK);
      made.integrator.type->dense(&made.integrator, within(&made, middle), u[late]);
    }
    toy_destroy(&made);
  }
  assert_memory_equal(u[0], u[1], WY_LANES * sizeof(double));
}

static void output_does_not_change_the_run(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    example e = smooth_rod((wy_rod_kind)kind);
    wy_solver_def solver = solver_with(1e-6, 0);
    wy_message message = {0};
    test_sim quiet = start_moving(&e, &solver), watched = start_moving(&e, &solver);
    for (int k = 1; k <= 300; k++) {
      must(wy_sim_sample(watched.sim, 0.003 * k, &message), &message);
      wy_sim_view(watched.sim, 0);
    }
    must(wy_sim_sample(quiet.sim, 0.9, &message), &message);
    same_state(&quiet, &watched);
    assert_int_equal(wy_sim_statistics(quiet.sim, 0).steps, wy_sim_statistics(watched.sim, 0).steps);
    assert_int_equal(wy_sim_statistics(quiet.sim, 0).rhs, wy_sim_statistics(watched.sim, 0).rhs);
    check_below(wy_sim_statistics(quiet.sim, 0).quadrature, wy_sim_statistics(watched.sim, 0).quadrature);
    free_sim(&quiet);
    free_sim(&watched);
  }
}

/* ---- Restart ---- */

/* A copy of the saved part taken before the output was completed, or after that, gives the same output and the same
   rest of the run, counts included. */
static void restart_is_bit_exact_before_and_after_output(void **state) {
  (void)state;
  for (int early = 0; early < 2; early++)
    for (int stop = 1; stop < 12; stop += 3) {
      toy made;
      wy_message message;
      double want[2][2 * WY_LANES], got[2][2 * WY_LANES];
      toy_create(&made, &toy_spin, &wy_dop853, 1e-9);
      wy_integrator *integrator = &made.integrator;
      for (int i = 0; i < stop; i++)
        assert_int_equal(wy_drive_step(integrator, 3, &message), WY_OK);
      if (early)
        integrator->type->dense(integrator, within(&made, 0.2), want[0]);
      size_t bytes = made.memory.saved.used;
      void *copy = malloc(bytes);
      memcpy(copy, made.memory.saved.block, bytes);
      integrator->type->dense(integrator, within(&made, middle), want[0]);
      assert_int_equal(wy_drive_to(integrator, 3, 3, &message), WY_OK);
      memcpy(want[1], integrator->u, sizeof want[1]);
      wy_progress progress = *integrator->now;
      memcpy(made.memory.saved.block, copy, bytes);
      wy_integrator_resume(integrator);
      integrator->type->dense(integrator, within(&made, middle), got[0]);
      assert_int_equal(wy_drive_to(integrator, 3, 3, &message), WY_OK);
      memcpy(got[1], integrator->u, sizeof got[1]);
      assert_memory_equal(got, want, sizeof want);
      assert_int_equal(integrator->now->statistics.rhs, progress.statistics.rhs);
      assert_int_equal(integrator->now->statistics.quadrature, progress.statistics.quadrature);
      assert_int_equal(integrator->now->statistics.steps, progress.statistics.steps);
      free(copy);
      toy_destroy(&made);
    }
}

static const double force[3] = {0.2, 0.1, -0.3}, moment[3] = {0.05, -0.1, 0.02};

static void change_load(const test_sim *made) {
  wy_message message = {0};
  must(wy_sim_set_load(made->sim, 0, force, moment, &message), &message);
}

static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    example e = smooth_rod((wy_rod_kind)kind);
    wy_solver_def solver = solver_with(1e-6, 0);
    test_sim first = start_moving(&e, &solver), second = start_moving(&e, &solver);
    check_snapshot_continues(&first, &second, change_load, 15);
  }
}

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    example e = smooth_rod((wy_rod_kind)kind);
    wy_solver_def solver = solver_with(1e-6, 0.05);
    test_sim made = start_moving(&e, &solver);
    long before = allocations;
    use_everything(&made, change_load);
    assert_int_equal(allocations - before, 0);
    free_sim(&made);
  }
#else
  skip();
#endif
}

/* A step whose end cannot be evaluated is not accepted: all its stages are finite, f at the new state is not. */
static int evaluation;

static void stumbling_rhs(double t, const double *u, double *f) {
  (void)t;
  evaluation++;
  f[0] = evaluation == 12 ? (double)NAN : -u[0];
}

static void stumbling_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = -1;
}

static void the_end_of_a_step_must_be_finite(void **state) {
  (void)state;
  const toy_problem problem = {1, stumbling_rhs, stumbling_jacobian, {1}, NULL};
  toy made;
  wy_message message;
  evaluation = -100;
  toy_create(&made, &problem, &wy_dop853, 1e-6);
  evaluation = 0; /* eleven stages, then the end of the step */
  assert_int_equal(made.integrator.type->attempt(&made.integrator, 1), WY_REJECTED);
  assert_int_equal(made.integrator.rejection, WY_BY_NAN);
  assert_true(made.integrator.now->t == 0 && made.integrator.u[0] == 1);
  assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_OK);
  check_close(made.integrator.u[0], exp(-1), 1e-6);
  toy_destroy(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_has_order_8),
                                     cmocka_unit_test(one_step_has_errors_of_order_9_and_8),
                                     cmocka_unit_test(a_smooth_rod_shows_order_8),
                                     cmocka_unit_test(steps_cost_twelve_evaluations_and_output_three_more),
                                     cmocka_unit_test(output_after_a_change_of_the_system_is_a_cubic),
                                     cmocka_unit_test(output_survives_rejected_attempts),
                                     cmocka_unit_test(output_does_not_change_the_run),
                                     cmocka_unit_test(restart_is_bit_exact_before_and_after_output),
                                     cmocka_unit_test(snapshots_continue_bit_for_bit),
                                     cmocka_unit_test(nothing_is_allocated_after_creation),
                                     cmocka_unit_test(the_end_of_a_step_must_be_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
