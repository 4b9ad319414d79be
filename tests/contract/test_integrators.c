/* SPDX-License-Identifier: MIT */
/* What every integrator with steps that adapt owes, apart from its order (test_orders.c): accuracy on stiff problems
   where it is implicit and at all frequencies, the rejection path, stops and limits, bit-exact restart, no allocation,
   a clear end where nothing helps. Run for every registered method, those of other parts too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "support/toy.h"

/* ---- Accuracy ---- */

/* A stiff method takes few steps and stays accurate: within 10 tolerances at the end and, as outputs are interpolated
   over steps of some tenths, within a hundred between. Prothero and Robinson's problem decays a million times faster
   than its solution moves. */
static void implicit_methods_are_at_ease_with_stiffness(void **state) {
  static const double tolerance = 1e-6;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    const wy_integrator_type *type = adaptive_method(m);
    toy made;
    double u[2 * WY_LANES], between = 0;
    if (type->needs.real == 0)
      continue;
    toy_create(&made, &toy_stiff, type, tolerance);
    for (int k = 1; k <= 100; k++) {
      toy_drive(&made, 0.1 * k, 10);
      wy_drive_state(&made.integrator, 0.1 * k, u);
      between = fmax(between, fabs(u[0] - cos(0.1 * k)));
    }
    double error = fabs(made.integrator.u[0] - cos(10.0));
    long steps = made.integrator.now->statistics.steps;
    print_message("%-7s Prothero and Robinson: %ld steps, error %.1e, between steps %.1e\n", type->info->name, steps,
                  error, between);
    if (!(error < 10 * tolerance && steps < 300))
      fail_msg("%s: error %.2e at the end, %ld steps", type->info->name, error, steps);
    toy_destroy(&made);
  }
}

/* Time has no scale of its own: five periods take as many steps at any frequency, but for the choice of the first one
   (and for round-off, which decides between orders that do about equally well where the order varies: up to twice as
   many). The error is that of five periods: 10 pi radians at a local error of a tolerance per step, less than one step
   a radian in the worst case; a factor 100 covers BDF, whose error constants are large. */
static void all_frequencies_are_alike(void **state) {
  static const double frequencies[] = {1e-3, 1, 1e3, 1e6}, tolerance = 1e-7;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    const wy_integrator_type *type = adaptive_method(m);
    double least = INFINITY, most = 0;
    char counts[80] = "";
    for (size_t i = 0; i < sizeof frequencies / sizeof frequencies[0]; i++) {
      toy made;
      toy_frequency = frequencies[i];
      double end = 10 * acos(-1) / toy_frequency;
      toy_create(&made, &toy_oscillator, type, tolerance);
      toy_declare_autonomous();
      toy_drive(&made, end, end);
      double error = hypot(made.integrator.u[0] - 1, made.integrator.u[1]);
      double steps = (double)made.integrator.now->statistics.steps;
      least = fmin(least, steps), most = fmax(most, steps);
      snprintf(counts + strlen(counts), sizeof counts - strlen(counts), " %.0f", steps);
      if (!(error < 100 * 10 * acos(-1) * tolerance))
        fail_msg("%s: error %.2e after five periods at %g rad/s", type->info->name, error, toy_frequency);
      toy_destroy(&made);
    }
    if (!(most <= (declared_order(type) > 0 ? 1.2 : 2) * least + 10))
      fail_msg("%s: %.0f to %.0f steps for five periods of different frequencies (%s)", type->info->name, least, most,
               counts);
  }
}

/* The same where f is said not to depend on time: methods may leave out derivatives by time, not accuracy. */
static void autonomous_problems_may_be_declared(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    const wy_integrator_type *type = adaptive_method(m);
    double error[2], want[3];
    toy_body_solution(6, want);
    for (int declared = 0; declared < 2; declared++) {
      toy made;
      toy_create(&made, &toy_body, type, 1e-8);
      if (declared)
        toy_declare_autonomous();
      toy_drive(&made, 6, 6);
      error[declared] = 0;
      for (int i = 0; i < 3; i++)
        error[declared] = fmax(error[declared], fabs(made.integrator.u[i] - want[i]));
      toy_destroy(&made);
    }
    if (!(error[1] < 1e-5 && error[1] < 3 * error[0] + 1e-8))
      fail_msg("%s: error %.2e, declared autonomous %.2e", type->info->name, error[0], error[1]);
  }
}

/* ---- Rejections ---- */

static double jump_time;

static void jump_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = t < jump_time ? 0 : 1000;
}

static void jump_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static const toy_problem jump = {1, jump_rhs, jump_jacobian, {1}, NULL};

/* From 0 to 2 over a jump: how far the end is off, and how many steps were rejected. */
static double cross_jump(const wy_integrator_type *type, double largest_step, long *rejected) {
  toy made;
  toy_create_with(&made, &jump, type, &(toy_options){.tolerance = 1e-8, .largest_step = largest_step});
  toy_drive(&made, 2, 2);
  *rejected = made.integrator.now->statistics.rejected;
  const double error = fabs(made.integrator.u[0] - 1 - 1000 * (2 - jump_time));
  toy_destroy(&made);
  return error;
}

/* A jump in the right-hand side forces rejections; what is left of it is a few tolerances of the size reached, 1001,
   for the steps around it. Steps are limited to 0.1, lest a method that has seen nothing but rest steps over it; the
   jump stands at all places of such a step, since methods do not look at all of them. */
static void a_jump_is_met_by_rejection(void **state) {
  enum { JUMPS = 25 };
  static const double largest_step = 0.1;
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (int k = 0; k < JUMPS; k++) {
      long rejected;
      jump_time = 1 + largest_step * k / JUMPS;
      const double error = cross_jump(adaptive_method(m), largest_step, &rejected);
      if (!(error < 1e-3) || rejected == 0)
        fail_msg("%s: a jump at %g: off by %.3g, %ld rejections", adaptive_method(m)->info->name, jump_time, error,
                 rejected);
    }
}

/* An attempt that is not accepted says why, and leaves time and state alone: first steps that are much too long, of
   problems that every method can judge. */
static void a_rejected_attempt_changes_nothing(void **state) {
  static const toy_problem *const problems[] = {&toy_spin, &toy_sweep, &toy_body};
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (size_t p = 0; p < sizeof problems / sizeof problems[0]; p++) {
      toy made;
      wy_integrator *integrator = &made.integrator;
      double before[2 * WY_LANES];
      int rejections = 0;
      toy_create_with(&made, problems[p], adaptive_method(m), &(toy_options){.tolerance = 1e-9, .first_step = 1.5});
      memcpy(before, integrator->u, sizeof before);
      for (;; rejections++) {
        double tried = integrator->now->h;
        integrator->rejection = (wy_rejection)-1;
        if (integrator->type->attempt(integrator, 2) == WY_ACCEPTED)
          break;
        check_below(rejections, 100);
        assert_true(integrator->rejection == WY_BY_ERROR || integrator->rejection == WY_BY_NEWTON);
        assert_true(integrator->now->t == 0);
        if (!(integrator->now->h > 0 && integrator->now->h <= tried))
          fail_msg("%s: after a step of %g one of %g is tried", integrator->type->info->name, tried,
                   integrator->now->h);
        assert_memory_equal(integrator->u, before, sizeof before);
      }
      if (rejections == 0 && integrator->now->t > 0.5)
        fail_msg("%s: a step of %g was accepted", integrator->type->info->name, integrator->now->t);
      toy_destroy(&made);
    }
}

/* ---- Failures ---- */

/* The run ends with a message that names time and rod, not with a NaN. */
static void an_impossible_problem_ends_with_a_message(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    toy_create(&made, &toy_explosion, adaptive_method(m), 1e-8);
    assert_int_equal(wy_drive_to(&made.integrator, 2, 2, &message), WY_ERROR_SOLVER);
    assert_non_null(strstr(message.text, "rod 'toy'"));
    assert_non_null(strstr(message.text, made.integrator.type->info->name));
    if (!strstr(message.text, "t = 1") && !strstr(message.text, "t = 0.999"))
      fail_msg("%s: %s", made.integrator.type->info->name, message.text);
    assert_true(isfinite(made.integrator.u[0]));
    check_close(made.integrator.now->t, 1, 1e-3);
    toy_destroy(&made);
  }
}

/* From t = 0.5 on, or from u = 2 on at t = 0.5, there is no f. */
static void nan_in_time(double t, const double *u, double *f) {
  f[0] = t > 0.5 ? (double)NAN : u[0] * log(4.0);
}

static void nan_in_state(double t, const double *u, double *f) {
  (void)t;
  f[0] = u[0] > 2 ? (double)NAN : u[0] * log(4.0);
}

static void infinite_in_time(double t, const double *u, double *f) {
  f[0] = t > 0.5 ? (double)INFINITY : u[0] * log(4.0);
}

static void growth_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = log(4.0);
}

static void a_nan_is_never_accepted(void **state) {
  static void (*const rhs[3])(double, const double *, double *) = {nan_in_time, nan_in_state, infinite_in_time};
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (int kind = 0; kind < 3; kind++) {
      const toy_problem problem = {1, rhs[kind], growth_jacobian, {1}, NULL};
      toy made;
      wy_message message = {0};
      toy_create(&made, &problem, adaptive_method(m), 1e-6);
      wy_status status = wy_drive_to(&made.integrator, 1, 1, &message);
      double t = made.integrator.now->t, u = made.integrator.u[0], f;
      rhs[kind](t, &u, &f);
      /* Up to where f ends, and no step beyond. */
      if (status != WY_ERROR_SOLVER || !strstr(message.text, "finite") || !(fabs(t - 0.5) < 1e-3) ||
          !(fabs(u - pow(4, t)) < 1e-4) || !isfinite(f))
        fail_msg("%s, %d: status %d, t = %.9g, u = %.9g, %s", made.integrator.type->info->name, kind, (int)status, t, u,
                 message.text);
      toy_destroy(&made);
    }
}

/* A status below 0 means that no step will do: neither another Jacobian nor other factors are tried. */
static int fatal(wy_system *system, double t, const double *u) {
  (void)system, (void)t, (void)u;
  return -1;
}

static int fatal_factor(wy_system *system, int slot, double sigma) {
  (void)system, (void)slot, (void)sigma;
  return -1;
}

static void a_fatal_status_ends_at_once(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (int which = 0; which < 2; which++) {
      toy made;
      wy_message message = {0};
      if (adaptive_method(m)->needs.real == 0)
        continue;
      toy_create(&made, &toy_spin, adaptive_method(m), 1e-6);
      wy_system_type type = *made.integrator.system->type;
      if (which == 0)
        type.jacobian = fatal;
      else
        type.factor = fatal_factor;
      made.integrator.system->type = &type;
      assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_ERROR_SOLVER);
      assert_int_equal(made.integrator.rejection, WY_BY_SINGULARITY);
      if (made.integrator.now->statistics.rejected != 1)
        fail_msg("%s: %ld attempts", made.integrator.type->info->name, made.integrator.now->statistics.rejected);
      toy_destroy(&made);
    }
}

/* ---- Stops and limits ---- */

static double undisturbed_error(const wy_integrator_type *type, double tolerance, long *steps) {
  toy made;
  toy_create(&made, &toy_spin, type, tolerance);
  toy_drive(&made, 3, 3);
  double error = toy_spin_error(made.integrator.u, 3);
  *steps = made.integrator.now->statistics.steps;
  toy_destroy(&made);
  return error;
}

/* Landing exactly at a time costs at most a shortened step, and changes the result only within the tolerance: 30 more
   local errors. */
static void a_stop_is_met_exactly(void **state) {
  static const double tolerance = 1e-9;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    long steps;
    double allowed = 3 * undisturbed_error(adaptive_method(m), tolerance, &steps) + 30 * tolerance;
    toy_create(&made, &toy_spin, adaptive_method(m), tolerance);
    for (int k = 1; k <= 30; k++) {
      toy_drive(&made, 0.1 * k, 0.1 * k);
      assert_true(made.integrator.now->t == 0.1 * k);
    }
    if (!(toy_spin_error(made.integrator.u, 3) < allowed))
      fail_msg("%s: error %.2e, allowed %.2e", made.integrator.type->info->name, toy_spin_error(made.integrator.u, 3),
               allowed);
    toy_destroy(&made);
  }
}

/* Stops that are much closer together than steps, down to the last digits of the time: all are met, accuracy stays, and
   afterwards steps are as long as before, or are so again soon. */
static void many_tiny_stops_do_no_harm(void **state) {
  static const double tolerance = 1e-8;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    const wy_integrator_type *type = adaptive_method(m);
    toy made;
    long undisturbed;
    double allowed = 3 * undisturbed_error(type, tolerance, &undisturbed) + 200 * tolerance;
    toy_create(&made, &toy_spin, type, tolerance);
    toy_drive(&made, 1, 1);
    double t = 1;
    static const double sizes[] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      for (int k = 0; k < 40; k++) {
        double next = fmax(t + sizes[i], nextafter(t, 2));
        toy_drive(&made, next, next);
        assert_true(made.integrator.now->t == next);
        t = next;
      }
    check_below(toy_spin_error(made.integrator.u, t), allowed);
    long before = made.integrator.now->statistics.steps;
    toy_drive(&made, 3, 3);
    long after = made.integrator.now->statistics.steps - before;
    if (after > undisturbed + 20)
      fail_msg("%s: %ld steps after tiny stops, %ld for the whole without", type->info->name, after, undisturbed);
    if (!(toy_spin_error(made.integrator.u, 3) < allowed))
      fail_msg("%s: error %.2e, allowed %.2e", type->info->name, toy_spin_error(made.integrator.u, 3), allowed);
    toy_destroy(&made);
  }
}

/* No step is longer, but by the 1 % that a stop may stretch it. The first step counts, too. */
static void the_largest_step_is_respected(void **state) {
  static const double largest_step = 0.013;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    const wy_progress *now;
    toy_create_with(&made, &toy_spin, adaptive_method(m),
                    &(toy_options){.tolerance = 1e-3, .largest_step = largest_step});
    now = made.integrator.now;
    while (now->t < 1) {
      assert_int_equal(wy_drive_step(&made.integrator, 1, &message), WY_OK);
      if (!(now->t - now->t_old <= 1.01 * largest_step * (1 + 1e-12)))
        fail_msg("%s: a step of %g at t = %g", made.integrator.type->info->name, now->t - now->t_old, now->t_old);
    }
    toy_destroy(&made);
  }
}

/* The continuous output meets the states at both ends of a step, and is continuous from step to step: to round-off, or
   where outputs are of a lower order to a few tolerances. */
static void continuous_output_is_continuous(void **state) {
  static const double tolerance = 1e-6;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    wy_integrator *integrator = &made.integrator;
    double u[2 * WY_LANES], last[2 * WY_LANES];
    toy_create(&made, &toy_spin, adaptive_method(m), tolerance);
    memcpy(last, integrator->u, sizeof last);
    while (integrator->now->t < 3) {
      assert_int_equal(wy_drive_step(integrator, 3, &message), WY_OK);
      integrator->type->dense(integrator, integrator->now->t_old, u);
      for (int i = 0; i < 2; i++)
        check_close(u[i], last[i], 10 * tolerance);
      check_close(u[WY_LANES + WY_WORK_INTEGRAL], last[WY_LANES + WY_WORK_INTEGRAL], 1e-13);
      integrator->type->dense(integrator, integrator->now->t, u);
      for (int i = 0; i < 2; i++)
        check_close(u[i], integrator->u[i], 10 * tolerance);
      check_close(u[WY_LANES + WY_WORK_INTEGRAL], integrator->u[WY_LANES + WY_WORK_INTEGRAL], 1e-13);
      memcpy(last, integrator->u, sizeof last);
    }
    toy_destroy(&made);
  }
}

/* ---- Memory ---- */

/* At any step, also between two attempts of one step; with outputs in between. A multistep method continues with a new
   start, within the tolerance. */
static void restart_is_bit_exact(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (int stop = 0; stop < 40; stop += 3) {
      toy made;
      wy_message message = {0};
      double u[2 * WY_LANES];
      if (adaptive_method(m)->info->multistep)
        continue;
      toy_create(&made, &toy_spin, adaptive_method(m), 1e-6);
      for (int i = 0; i < stop && made.integrator.now->t < 3; i++) {
        wy_drive_step(&made.integrator, 3, &message);
        wy_drive_state(&made.integrator, 0.5 * (made.integrator.now->t_old + made.integrator.now->t), u);
      }
      toy_check_restart(&made, 3);
      toy_destroy(&made);
    }
}

static void restart_between_rejections_is_bit_exact(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++)
    for (int which = 1; which <= 3; which++) {
      toy made;
      wy_integrator *integrator = &made.integrator;
      if (adaptive_method(m)->info->multistep)
        continue;
      toy_create_with(&made, &toy_spin, adaptive_method(m), &(toy_options){.tolerance = 1e-9, .first_step = 1.5});
      for (int i = 0, rejections = 0; i < 100 && rejections < which && integrator->now->t < 2; i++)
        rejections += integrator->type->attempt(integrator, 2) != WY_ACCEPTED;
      toy_check_restart(&made, 2);
      toy_destroy(&made);
    }
}

/* What a restored state shows between steps is what it showed before. */
static void restored_output_is_bit_exact(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    double want[2 * WY_LANES], got[2 * WY_LANES];
    toy_create(&made, &toy_spin, adaptive_method(m), 1e-6);
    for (int i = 0; i < 5; i++)
      wy_drive_step(&made.integrator, 3, &message);
    double t = 0.3 * made.integrator.now->t_old + 0.7 * made.integrator.now->t;
    size_t bytes = made.memory.saved.used;
    void *copy = malloc(bytes);
    memcpy(copy, made.memory.saved.block, bytes);
    wy_drive_state(&made.integrator, t, want);
    toy_drive(&made, 3, 3);
    memcpy(made.memory.saved.block, copy, bytes);
    wy_integrator_resume(&made.integrator);
    wy_drive_state(&made.integrator, t, got);
    assert_memory_equal(got, want, sizeof got);
    free(copy);
    toy_destroy(&made);
  }
}

/* A multistep method continues from a snapshot with a new start, within the tolerance: the new start adds some local
   errors. */
static void a_history_begins_anew(void **state) {
  static const double tolerance = 1e-8;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    long steps;
    const wy_integrator_type *type = adaptive_method(m);
    if (!type->info->multistep)
      continue;
    double allowed = 3 * undisturbed_error(type, tolerance, &steps) + 10 * tolerance;
    toy_create(&made, &toy_spin, type, tolerance);
    toy_drive(&made, 1, 1);
    size_t bytes = made.memory.saved.used;
    void *copy = malloc(bytes);
    memcpy(copy, made.memory.saved.block, bytes);
    toy_drive(&made, 2, 3);
    memcpy(made.memory.saved.block, copy, bytes);
    wy_integrator_resume(&made.integrator);
    assert_true(made.integrator.now->t == 1);
    toy_drive(&made, 3, 3);
    double error = toy_spin_error(made.integrator.u, 3);
    if (!(error < allowed))
      fail_msg("%s: error %.2e after a restart, allowed %.2e", type->info->name, error, allowed);
    free(copy);
    toy_destroy(&made);
  }
}

static long evaluations;

static void counted_rhs(double t, const double *u, double *f) {
  evaluations++;
  toy_spin.rhs(t, u, f);
}

/* Outputs do not change the steps, nor what the method is said to need for them. Every evaluation is counted, for the
   motion or apart. */
static void outputs_leave_no_trace(void **state) {
  (void)state;
  const toy_problem problem = {2, counted_rhs, toy_spin.jacobian, {1, 0}, toy_spin.power};
  for (int m = 0; adaptive_method(m); m++) {
    double end[2][2 * WY_LANES], u[2 * WY_LANES];
    long rhs[2] = {0};
    for (int sampled = 0; sampled < 2; sampled++) {
      toy made;
      evaluations = 0;
      toy_create(&made, &problem, adaptive_method(m), 1e-6);
      for (int k = 1; k <= 300; k++)
        if (sampled || k == 300) {
          toy_drive(&made, 0.01 * k, 3);
          wy_drive_state(&made.integrator, 0.01 * k, u);
        }
      memcpy(end[sampled], made.integrator.u, sizeof end[sampled]);
      const wy_statistics *statistics = &made.integrator.now->statistics;
      rhs[sampled] = statistics->rhs;
      if (statistics->rhs + statistics->quadrature != evaluations)
        fail_msg("%s: %ld + %ld of %ld evaluations are counted", adaptive_method(m)->info->name, statistics->rhs,
                 statistics->quadrature, evaluations);
      toy_destroy(&made);
    }
    if (memcmp(end[0], end[1], sizeof end[0]) != 0 || rhs[0] != rhs[1])
      fail_msg("%s: outputs have changed the steps, or their cost: %ld, %ld", adaptive_method(m)->info->name, rhs[0],
               rhs[1]);
  }
}

#ifdef COUNTS_ALLOCATIONS
/* Starts, steps, rejections, outputs and a restart. */
static void a_step_allocates_nothing(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    double u[2 * WY_LANES];
    int wrong = 0;
    toy_create_with(&made, &jump, adaptive_method(m), &(toy_options){.tolerance = 1e-8, .largest_step = 0.1});
    long before = allocations;
    while (made.integrator.now->t < 2) {
      wrong += wy_drive_step(&made.integrator, 2, &message) != WY_OK;
      wy_drive_state(&made.integrator, 0.5 * (made.integrator.now->t_old + made.integrator.now->t), u);
    }
    wy_integrator_resume(&made.integrator);
    made.integrator.type->invalidate(&made.integrator, false);
    wrong += wy_drive_to(&made.integrator, 3, 3, &message) != WY_OK;
    made.integrator.type->start(&made.integrator);
    wrong += wy_drive_to(&made.integrator, 4, 4, &message) != WY_OK;
    long counted = allocations - before;
    if (counted != 0 || wrong)
      fail_msg("%s: %ld allocations, %d failures", adaptive_method(m)->info->name, counted, wrong);
    toy_destroy(&made);
  }
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(implicit_methods_are_at_ease_with_stiffness),
      cmocka_unit_test(all_frequencies_are_alike),
      cmocka_unit_test(autonomous_problems_may_be_declared),
      cmocka_unit_test(a_jump_is_met_by_rejection),
      cmocka_unit_test(a_rejected_attempt_changes_nothing),
      cmocka_unit_test(an_impossible_problem_ends_with_a_message),
      cmocka_unit_test(a_nan_is_never_accepted),
      cmocka_unit_test(a_fatal_status_ends_at_once),
      cmocka_unit_test(a_stop_is_met_exactly),
      cmocka_unit_test(many_tiny_stops_do_no_harm),
      cmocka_unit_test(the_largest_step_is_respected),
      cmocka_unit_test(continuous_output_is_continuous),
      cmocka_unit_test(restart_is_bit_exact),
      cmocka_unit_test(restart_between_rejections_is_bit_exact),
      cmocka_unit_test(restored_output_is_bit_exact),
      cmocka_unit_test(a_history_begins_anew),
      cmocka_unit_test(outputs_leave_no_trace),
#ifdef COUNTS_ALLOCATIONS
      cmocka_unit_test(a_step_allocates_nothing),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
