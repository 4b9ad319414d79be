/* SPDX-License-Identifier: MIT */
/* Solvers of equilibria on structures whose answers are known: load-displacement curves, limit loads, bifurcations and
   their branches, critical loads. The structures are of one to three coordinates with dense algebra, so that what fails
   here is the solver. Unless said otherwise, solutions are known to newton_tolerance: the last correction applied was
   smaller than that, and its error is smaller still. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/buckling.h"
#include "support/shapes.h"

static const double tolerance = 1e-10; /* that of shape_options */

static double load; /* of the structure in use, at load factor 1 */

static void must(wy_status status, const wy_message *message) {
  if (status)
    fail_msg("status %d: %s", status, message->text);
}

static void must_mention(const wy_message *message, const char *word) {
  if (!strstr(message->text, word))
    fail_msg("'%s' does not mention '%s'", message->text, word);
}

/* A root of a function that changes its sign between a and b. */
static double root(double (*f)(double), double a, double b) {
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (a + b);
    if (f(a) * f(middle) <= 0)
      b = middle;
    else
      a = middle;
  }
  return a;
}

/* ---- The structures ---- */

/* Von Mises' truss: two bars of height h that a load pushes down by q. With Green's strain the load is y (h^2 - y^2), y
   = h - q, which has its limits at y = h / sqrt 3. */
static const double height = 0.5;

static double truss_load(double q) {
  double y = height - q;
  return y * (height * height - y * y);
}

static void truss_residual(const shape_at *at, const double *q, double *r) {
  r[0] = at->loads * load - truss_load(q[0]);
}

static void truss_tangent(const shape_at *at, const double *q, double *k) {
  double y = height - q[0];
  (void)at;
  k[0] = 3 * y * y - height * height;
}

static const shape_problem truss = {.n = 1, .residual = truss_residual, .tangent = truss_tangent};

static double limit_load(void) {
  return 2 * height * height * height / (3 * sqrt(3));
}

/* A rigid column of length 1 on a spring of stiffness 1, which buckles at load 1: theta = load sin theta. It has a
   sideways load, `ends` times `imperfection`, too. */
static double imperfection;

static void column_residual(const shape_at *at, const double *q, double *r) {
  r[0] = at->loads * load * at->t * sin(q[0]) - q[0] + imperfection * at->ends;
}

static void column_tangent(const shape_at *at, const double *q, double *k) {
  k[0] = 1 - at->loads * load * at->t * cos(q[0]);
}

static const shape_problem column = {.n = 1, .residual = column_residual, .tangent = column_tangent};

/* The same, compressible: q[1] is the shortening against a spring of stiffness `axial`. The straight column buckles at
   the smaller root of P (1 - P / axial) = 1. */
static const double axial = 50;

static void soft_residual(const shape_at *at, const double *q, double *r) {
  double p = at->loads * load;
  r[0] = p * (1 - q[1]) * sin(q[0]) - q[0];
  r[1] = p * cos(q[0]) - axial * q[1];
}

static void soft_tangent(const shape_at *at, const double *q, double *k) {
  double p = at->loads * load;
  k[0] = 1 - p * (1 - q[1]) * cos(q[0]);
  k[1] = k[2] = p * sin(q[0]);
  k[3] = axial;
}

static const shape_problem soft_column = {.n = 2, .residual = soft_residual, .tangent = soft_tangent};

static double soft_critical(void) {
  return 0.5 * axial * (1 - sqrt(1 - 4 / axial));
}

/* Buckles towards any side: two angles, a round spring. */
static void round_residual(const shape_at *at, const double *q, double *r) {
  double a = hypot(q[0], q[1]), f = a < 1e-6 ? 1 - a * a / 6 : sin(a) / a;
  for (int i = 0; i < 2; i++)
    r[i] = at->loads * load * f * q[i] - q[i];
}

static void round_tangent(const shape_at *at, const double *q, double *k) {
  double a = hypot(q[0], q[1]), p = at->loads * load, f = a < 1e-6 ? 1 - a * a / 6 : sin(a) / a;
  double g = a < 1e-3 ? -1.0 / 3 : (a * cos(a) - sin(a)) / (a * a * a); /* f' / a */
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      k[2 * i + j] = (i == j ? 1 - p * f : 0) - p * g * q[i] * q[j];
}

static const shape_problem round_column = {.n = 2, .residual = round_residual, .tangent = round_tangent};

static double buckled(double theta) {
  return theta - load * sin(theta);
}

/* A weight on a rigid rod of length 1 about the origin, written with a constraint: (x, y), and the force in the rod.
   The load turns with t. The rod ends up along the sum of both. */
static double weight;

static void rod_residual(const shape_at *at, const double *q, double *r) {
  double p = at->loads * load;
  r[0] = p * sin(at->t) - q[2] * q[0];
  r[1] = -p * cos(at->t) - weight - q[2] * q[1];
  r[2] = 0.5 * (1 - q[0] * q[0] - q[1] * q[1]);
}

static void rod_tangent(const shape_at *at, const double *q, double *k) {
  const double all[9] = {q[2], 0, q[0], 0, q[2], q[1], q[0], q[1], 0};
  (void)at;
  memcpy(k, all, sizeof all);
}

static const shape_problem rigid_rod = {
    .n = 3, .forces = 1, .residual = rod_residual, .tangent = rod_tangent, .start = {0, -1, 1}};

/* ---- Newton ---- */

/* From x = 5 the undamped iteration for atan(10 (x - 1)) = 0 runs away: its first step leads to about -60. */
static void far_residual(const shape_at *at, const double *q, double *r) {
  (void)at;
  r[0] = -atan(10 * (q[0] - 1));
}

static void far_tangent(const shape_at *at, const double *q, double *k) {
  (void)at;
  k[0] = 10 / (1 + 100 * (q[0] - 1) * (q[0] - 1));
}

static void newton_converges_from_far(void **state) {
  (void)state;
  const shape_problem far = {.n = 1, .residual = far_residual, .tangent = far_tangent};
  const wy_stretch stretch = {.end = 1, .span = 1};
  wy_newton_task task = {.stretch = &stretch, .reach = INFINITY};
  wy_statics_options options = shape_options();
  shape_toy toy;
  shape_create(&toy, &far, &options);
  double tau = 0, x = 5;
  wy_newton_report report;
  assert_int_equal(wy_newton(toy.equilibrium, &task, &tau, &x, &report), WY_NO_TROUBLE);
  check_close(x, 1, tolerance);
  assert_int_equal(toy.statistics.newton_iterations, report.iterations);
  /* A short reach keeps it from going there. */
  x = 5, task.reach = 1;
  assert_int_equal(wy_newton(toy.equilibrium, &task, &tau, &x, &report), WY_TOO_FAR);
  shape_destroy(&toy);
}

/* Near the solution corrections square: from 0.02 to 1e-10 takes three (4e-4, 2e-7, 4e-14, times a constant below 1).
 */
static void newton_converges_fast(void **state) {
  (void)state;
  const wy_stretch stretch = {.loads = {1, 0}, .end = 1, .span = 1};
  const wy_newton_task task = {.stretch = &stretch, .reach = 1};
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 0.5 * limit_load();
  shape_create(&toy, &truss, &options);
  double tau = 0, q = 0.05;
  wy_newton_report report;
  assert_int_equal(wy_newton(toy.equilibrium, &task, &tau, &q, &report), WY_NO_TROUBLE);
  check_close(truss_load(q), load, tolerance);
  assert_in_range(report.iterations, 1, 4);
  shape_destroy(&toy);
}

/* With kept factors and one unknown, Broyden's tangent (T7) is the secant: errors e, e' are followed by one below
   4 e e'. From 1e-4 three such steps lead below round-off, whatever the tolerance has been. */
static void kept_factors_lead_to_round_off(void **state) {
  (void)state;
  const wy_stretch stretch = {.loads = {1, 0}, .end = 1, .span = 1};
  const wy_newton_task task = {.stretch = &stretch, .reach = 1};
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 0.5 * limit_load();
  for (int digits = 4; digits <= 10; digits += 2) {
    double tau = 0, q = 0.05;
    wy_newton_report report;
    options.newton_tolerance = pow(10, -digits);
    shape_create(&toy, &truss, &options);
    assert_int_equal(wy_newton(toy.equilibrium, &task, &tau, &q, &report), WY_NO_TROUBLE);
    check_close(truss_load(q), load, 1e-12 * load);
    check_below(report.iterations, 4); /* each makes several corrections with one tangent */
    shape_destroy(&toy);
  }
}

/* ---- Paths ---- */

static void load_steps_reach_the_load(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  shape_toy toy;
  for (int increments = 1; increments <= 100; increments *= 10) {
    load = 0.95 * limit_load();
    options.increments = increments;
    shape_settle(&toy, &truss, &options, 0);
    const wy_equilibrium_info *info = &toy.equilibrium->now->info;
    check_close(truss_load(toy.equilibrium->config[0]), load, tolerance);
    check_below(toy.equilibrium->config[0], height * (1 - 1 / sqrt(3)));
    assert_int_equal(info->unstable, 0);
    assert_true(isnan(info->first_bifurcation));
    assert_int_equal(info->increments, toy.statistics.steps);
    assert_int_equal(info->newton_iterations, toy.statistics.newton_iterations);
    assert_int_equal(info->rejected, toy.statistics.rejected);
    shape_destroy(&toy);
  }
}

static const wy_stretch ramp = {.loads = {0, 1}, .end = 1, .floor = -10, .span = 1, .settling = true};

/* Beyond the limit load there is no equilibrium near: load stepping says so. It ends where an increment of 2^-20 fails;
   there q is short of the limit by sqrt(2 load 2^-20 / (6 height / sqrt 3)), 4e-4, and a few times that because Newton
   fails earlier. */
static void load_steps_end_at_a_limit_point(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 2 * limit_load();
  shape_reset(&toy, &truss, &options, &ramp);
  assert_int_equal(wy_path_run(toy.equilibrium, &message), WY_ERROR_SOLVER);
  must_mention(&message, "'toy'");
  must_mention(&message, "load factor 0.49999");
  must_mention(&message, "limit point");
  check_close(toy.equilibrium->now->tau, 0.5, 1e-5);
  check_close(toy.equilibrium->config[0], height * (1 - 1 / sqrt(3)), 2e-3);
  shape_destroy(&toy);
}

/* Settling then goes on by arc length, round both limit points, to where the truss hangs. */
static void settling_passes_a_limit_point(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 2 * limit_load();
  shape_settle(&toy, &truss, &options, 0);
  const wy_equilibrium_info *info = &toy.equilibrium->now->info;
  assert_int_equal(info->way, WY_WAY_ARC_LENGTH);
  assert_int_equal(info->ways_tried, 1);
  assert_int_equal(info->limit_points, 2);
  assert_int_equal(info->unstable, 0);
  assert_int_equal(info->newton_iterations, toy.statistics.newton_iterations);
  assert_int_equal(toy.equilibrium->options.continuation, WY_LOAD_STEPPING);
  check_above(toy.equilibrium->config[0], 2 * height);
  check_close(truss_load(toy.equilibrium->config[0]), load, tolerance);
  shape_destroy(&toy);
}

/* Downhill from where load stepping ends: the truss snaps through to the same place. */
static void relaxation_snaps_through(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 2 * limit_load();
  shape_reset(&toy, &truss, &options, &ramp);
  wy_equilibrium *solver = toy.equilibrium;
  assert_int_equal(wy_path_run(solver, &message), WY_ERROR_SOLVER);
  solver->now->tau = 0.6;
  assert_true(wy_relax(solver));
  check_above(solver->config[0], 2 * height);
  check_close(truss_load(solver->config[0]), 0.6 * load, tolerance);
  shape_destroy(&toy);
}

/* The curve rises to the limit load, falls to minus that, and rises again: two limit points, then the truss hangs. All
   points lie on it. */
static void arc_length_passes_limit_points(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  double highest = 0, lowest = 0;
  load = 2 * limit_load();
  options.continuation = WY_ARC_LENGTH;
  shape_reset(&toy, &truss, &options, &ramp);
  wy_equilibrium *solver = toy.equilibrium;
  const wy_equilibrium_state *now = solver->now;
  while (now->tau != 1) {
    must(wy_path_step(solver, &message), &message);
    check_close(truss_load(solver->config[0]), now->tau * load, tolerance);
    double y = height - solver->config[0];
    assert_int_equal(now->info.unstable, 3 * y * y < height * height);
    highest = fmax(highest, now->tau < 1 && y > 0 ? now->tau : 0);
    lowest = fmin(lowest, now->tau);
  }
  check_at_most(highest, 0.5 + tolerance);
  check_above(highest, 0.4);
  check_at_least(lowest, -0.5 - tolerance);
  check_below(lowest, -0.4);
  assert_int_equal(now->info.limit_points, 2);
  assert_int_equal(now->info.bifurcations, 0);
  assert_int_equal(now->info.unstable, 0);
  check_above(solver->config[0], 2 * height);
  shape_destroy(&toy);
}

/* Its collapse load is known in closed form; the direction is its only one. */
static void buckling_finds_the_limit_point(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    shape_toy toy;
    double factor[2], config[2], direction[2];
    bool limit[2] = {false};
    wy_buckling found = {.count = 2, .factor = factor, .limit = limit, .config = config, .direction = direction};
    load = 0.3;
    options.continuation = (wy_continuation)continuation;
    shape_create(&toy, &truss, &options);
    must(wy_buckling_find(toy.equilibrium, 0, &found, &message), &message);
    assert_int_equal(found.count, 1);
    assert_true(limit[0]);
    check_close(factor[0] * load / limit_load(), 1, 1e-10);
    check_close(config[0], height * (1 - 1 / sqrt(3)), 1e-6);
    check_above(fabs(direction[0]), 0.1);
    shape_destroy(&toy);
  }
}

/* A truss under a load that turns away from the end of its stretch for ever. */
static void runaway_residual(const shape_at *at, const double *q, double *r) {
  r[0] = at->loads - q[0] + 2 * q[0] * q[0];
}

static void runaway_tangent(const shape_at *at, const double *q, double *k) {
  (void)at;
  k[0] = 1 - 4 * q[0];
}

static void a_path_that_runs_away_is_given_up(void **state) {
  (void)state;
  const shape_problem runaway = {.n = 1, .residual = runaway_residual, .tangent = runaway_tangent};
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  options.continuation = WY_ARC_LENGTH;
  shape_reset(&toy, &runaway, &options, &ramp);
  assert_int_equal(wy_path_run(toy.equilibrium, &message), WY_ERROR_SOLVER);
  must_mention(&message, "runs back beyond its start");
  assert_int_equal(toy.equilibrium->now->info.limit_points, 1);
  /* There is none at all: all that was tried is told. */
  assert_int_equal(wy_equilibrium_settle(toy.equilibrium, 0, &message), WY_ERROR_SOLVER);
  must_mention(&message, "runs back beyond its start");
  must_mention(&message, "by relaxation");
  shape_destroy(&toy);
}

/* Forces are found with the configuration: the rod points along weight and load, its force is their sum. */
static void constraint_forces_follow(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 7, weight = 1;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    options.continuation = (wy_continuation)continuation;
    shape_settle(&toy, &rigid_rod, &options, 0);
    wy_equilibrium *solver = toy.equilibrium;
    for (int k = 1; k <= 5; k++) {
      double t = 0.4 * k, x = load * sin(t), y = -load * cos(t) - weight, sum = hypot(x, y);
      must(wy_equilibrium_follow(solver, t, false, &message), &message);
      check_close(wy_equilibrium_time(solver), t, 0);
      check_close(solver->config[0], x / sum, tolerance);
      check_close(solver->config[1], y / sum, tolerance);
      check_close(solver->config[2], sum, 10 * sum * tolerance); /* forces carry the scale of the loads */
      assert_int_equal(solver->now->info.unstable, 0);
    }
    shape_destroy(&toy);
  }
}

/* Without weight the rod may turn freely: no equilibrium can be found from there if the load pulls sideways. */
static void what_is_not_held_is_reported(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  shape_problem weightless = rigid_rod;
  load = 7, weight = 0;
  weightless.start[2] = 0;
  shape_create(&toy, &weightless, &options);
  assert_int_equal(wy_equilibrium_settle(toy.equilibrium, 1, &message), WY_ERROR_SOLVER);
  must_mention(&message, "rigid body");
  shape_destroy(&toy);
}

static void one_step_at_a_time_arrives_at_the_same(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  double end[2];
  load = 7, weight = 1;
  for (int single = 0; single < 2; single++) {
    shape_settle(&toy, &rigid_rod, &options, 0);
    wy_equilibrium *solver = toy.equilibrium;
    long before = solver->now->info.increments, steps = 0;
    do {
      must(wy_equilibrium_follow(solver, 1.5, single, &message), &message);
      steps++;
    } while (wy_equilibrium_time(solver) != 1.5);
    if (single)
      assert_int_equal(steps, solver->now->info.increments - before);
    end[single] = solver->config[0];
    shape_destroy(&toy);
  }
  assert_true(end[0] == end[1]);
}

/* ---- Snapping ---- */

/* The load of the truss grows with time. */
static void pressed_residual(const shape_at *at, const double *q, double *r) {
  r[0] = at->loads * at->t * load - truss_load(q[0]);
}

static const shape_problem pressed = {.n = 1, .residual = pressed_residual, .tangent = truss_tangent};

static double hanging(double q) {
  return truss_load(q) - load;
}

/* Load stepping ends less than 1e-5 before the limit load, at t = 0.5; the truss snaps 1/1024 later, to where arc
   length leads it too, round both limit points. One increment at a time does the same. */
static void following_snaps_through(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  double end[3];
  load = 2 * limit_load();
  for (int run = 0; run < 3; run++) {
    options.continuation = run == 2 ? WY_ARC_LENGTH : WY_LOAD_STEPPING;
    shape_settle(&toy, &pressed, &options, 0);
    wy_equilibrium *solver = toy.equilibrium;
    const wy_equilibrium_info *info = &solver->now->info;
    do
      must(wy_equilibrium_follow(solver, 1, run == 1, &message), &message);
    while (wy_equilibrium_time(solver) != 1);
    check_close(solver->config[0], root(hanging, 2 * height, 4 * height), tolerance);
    assert_int_equal(info->unstable, 0);
    assert_int_equal(info->increments, toy.statistics.steps);
    assert_int_equal(info->newton_iterations, toy.statistics.newton_iterations);
    assert_int_equal(info->way, WY_WAY_STRAIGHT);
    assert_int_equal(info->snaps, run < 2);
    assert_int_equal(info->limit_points, run == 2 ? 2 : 0);
    assert_int_equal(info->relaxation_steps > 0, run < 2);
    if (run < 2)
      assert_true(info->first_snap > 0.5 && info->first_snap < 0.5 + 1.0 / 1024);
    else
      assert_true(isnan(info->first_snap));
    end[run] = solver->config[0];
    shape_destroy(&toy);
  }
  assert_true(end[0] == end[1]);
}

/* However long increments are, none leaps across the limit point unseen; the path ends two of the smallest increments
   from it, or less. */
static void no_increment_leaps_unseen(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 2 * limit_load();
  for (options.increments = 1; options.increments <= 100; options.increments++) {
    shape_create(&toy, &pressed, &options);
    wy_equilibrium *solver = toy.equilibrium;
    solver->end = 1;
    must(wy_equilibrium_settle(solver, 0, &message), &message);
    must(wy_equilibrium_follow(solver, 1, false, &message), &message);
    check_close(solver->config[0], root(hanging, 2 * height, 4 * height), tolerance);
    assert_int_equal(solver->now->info.snaps, 1);
    assert_int_equal(solver->now->info.bifurcations, 0);
    check_close(solver->now->info.first_snap, 0.5 + 1.0 / 1024, 2e-6);
    shape_destroy(&toy);
  }
}

/* q = sqrt(1/2 - t) comes to q = 0, which is stable from there on: nothing snaps. */
static void meeting_residual(const shape_at *at, const double *q, double *r) {
  r[0] = (0.5 - at->t) * q[0] - q[0] * q[0] * q[0];
}

static void meeting_tangent(const shape_at *at, const double *q, double *k) {
  k[0] = at->t - 0.5 + 3 * q[0] * q[0];
}

static void a_branch_that_comes_to_another_does_not_snap(void **state) {
  (void)state;
  const shape_problem meeting = {
      .n = 1, .start = {sqrt(0.5)}, .residual = meeting_residual, .tangent = meeting_tangent};
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  for (options.increments = 1; options.increments <= 60; options.increments++) {
    shape_create(&toy, &meeting, &options);
    wy_equilibrium *solver = toy.equilibrium;
    solver->end = 1;
    must(wy_equilibrium_settle(solver, 0, &message), &message);
    for (int k = 4; k <= 9; k += 5) {
      must(wy_equilibrium_follow(solver, 0.1 * k, false, &message), &message);
      check_close(fabs(solver->config[0]), sqrt(fmax(0.5 - 0.1 * k, 0)), 1e-8);
    }
    assert_int_equal(solver->now->info.snaps, 0);
    assert_int_equal(solver->now->info.unstable, 0);
    shape_destroy(&toy);
  }
}

/* Times asked for are met, however near the limit point they are: the last one before it on the one branch, the next on
   the other. */
static void snapping_keeps_the_times_asked_for(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 2 * limit_load();
  shape_create(&toy, &pressed, &options);
  wy_equilibrium *solver = toy.equilibrium;
  solver->end = 1; /* the snap would come at 0.5 + 1/1024 */
  must(wy_equilibrium_settle(solver, 0, &message), &message);
  const double times[] = {0.49, 0.5005, 0.5006, 0.7};
  for (int k = 0; k < 4; k++) {
    must(wy_equilibrium_follow(solver, times[k], false, &message), &message);
    check_close(wy_equilibrium_time(solver), times[k], 0);
    check_close(truss_load(solver->config[0]), times[k] * load, tolerance);
    assert_int_equal(solver->config[0] > 2 * height, k > 0);
    assert_int_equal(solver->now->info.snaps, k > 0);
  }
  check_close(solver->now->info.first_snap, times[1], 0);
  shape_destroy(&toy);
}

/* A load set from outside that is more than the truss carries. With arc length nothing but the path is followed. */
static void easing_snaps_through(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    options.continuation = (wy_continuation)continuation;
    load = 0.3 * limit_load();
    shape_settle(&toy, &truss, &options, 0);
    wy_equilibrium *solver = toy.equilibrium;
    load = 2 * limit_load();
    wy_equilibrium_disturb(solver);
    if (continuation == WY_ARC_LENGTH) {
      assert_int_equal(wy_equilibrium_follow(solver, 0, false, &message), WY_ERROR_SOLVER);
      assert_null(strstr(message.text, "relaxation"));
    } else {
      must(wy_equilibrium_follow(solver, 0, false, &message), &message);
      check_close(solver->config[0], root(hanging, 2 * height, 4 * height), tolerance);
      assert_int_equal(solver->now->info.snaps, 1);
      check_close(solver->now->info.first_snap, 0, 0);
      must(wy_equilibrium_follow(solver, 1, false, &message), &message);
      check_close(solver->config[0], root(hanging, 2 * height, 4 * height), tolerance);
      assert_int_equal(solver->now->info.snaps, 1);
    }
    shape_destroy(&toy);
  }
}

/* Beyond q = 1/4, at t = 1/8, nothing holds this any more: it is where it was before, and the message says what was
   tried. */
static void falling_residual(const shape_at *at, const double *q, double *r) {
  r[0] = at->t - q[0] + 2 * q[0] * q[0];
}

static void what_falls_on_the_way_is_reported(void **state) {
  (void)state;
  const shape_problem falling = {.n = 1, .residual = falling_residual, .tangent = runaway_tangent};
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  shape_settle(&toy, &falling, &options, 0);
  wy_equilibrium *solver = toy.equilibrium;
  assert_int_equal(wy_equilibrium_follow(solver, 1, false, &message), WY_ERROR_SOLVER);
  must_mention(&message, "limit point");
  must_mention(&message, "by relaxation");
  must_mention(&message, "falls without end");
  double t = wy_equilibrium_time(solver), q = solver->config[0];
  check_below(t, 0.125);
  check_above(t, 0.125 - 1e-5);
  check_close(q - 2 * q * q, t, tolerance);
  assert_int_equal(solver->now->info.snaps, 0);
  shape_destroy(&toy);
}

/* ---- Bifurcations ---- */

static void a_bifurcation_is_located(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 2;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    options.continuation = (wy_continuation)continuation;
    shape_settle(&toy, &soft_column, &options, 0);
    const wy_equilibrium_info *info = &toy.equilibrium->now->info;
    check_close(toy.equilibrium->config[0], 0, tolerance); /* stays straight */
    check_close(toy.equilibrium->config[1], load / axial, tolerance);
    assert_int_equal(info->bifurcations, 1);
    assert_int_equal(info->unstable, 1);
    assert_int_equal(info->limit_points, 0);
    assert_true(info->first_while_settling);
    check_close(info->first_bifurcation, soft_critical() / load, 1e-6);
    shape_destroy(&toy);
  }
}

static void switching_leads_to_the_stable_branch(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 2;
  options.branch = WY_SWITCH_BRANCH;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    options.continuation = (wy_continuation)continuation;
    shape_settle(&toy, &column, &options, 1);
    check_close(toy.equilibrium->config[0], root(buckled, 1, 3), tolerance);
    assert_int_equal(toy.equilibrium->now->info.unstable, 0);
    assert_int_equal(toy.equilibrium->now->info.bifurcations, 1);
    shape_destroy(&toy);
  }
}

/* Two directions become unstable at once; beside the branch lie others of the same energy, so one direction is neutral
   and Newton has to leave it alone. */
static void a_round_column_buckles_towards_any_side(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 2;
  shape_settle(&toy, &round_column, &options, 0);
  assert_int_equal(toy.equilibrium->now->info.unstable, 2);
  assert_int_equal(toy.equilibrium->now->info.bifurcations, 1);
  check_close(toy.equilibrium->now->info.first_bifurcation, 0.5, 1e-6);
  shape_destroy(&toy);
  options.branch = WY_SWITCH_BRANCH;
  for (int continuation = WY_LOAD_STEPPING; continuation <= WY_ARC_LENGTH; continuation++) {
    options.continuation = (wy_continuation)continuation;
    shape_settle(&toy, &round_column, &options, 0);
    check_close(hypot(toy.equilibrium->config[0], toy.equilibrium->config[1]), root(buckled, 1, 3), tolerance);
    assert_int_equal(toy.equilibrium->now->info.unstable, 0);
    assert_int_equal(toy.equilibrium->now->neutral, 1);
    shape_destroy(&toy);
  }
}

/* With a small imperfection the straight path is not connected to the unstable one beyond the critical load, but so
   near that increments jump over: the change of stability gives them away. */
static double leaning(double theta) {
  return theta - load * sin(theta) - imperfection;
}

static void a_jump_to_another_path_is_undone(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  for (int k = 0; k < 4; k++) {
    imperfection = pow(10, -1 - k);
    load = 1;
    shape_settle(&toy, &column, &options, 0.5);
    must(wy_equilibrium_follow(toy.equilibrium, 2, false, &message), &message);
    load = 2;
    check_close(toy.equilibrium->config[0], root(leaning, 1, 3), tolerance);
    assert_int_equal(toy.equilibrium->now->info.unstable, 0);
    assert_int_equal(toy.equilibrium->now->info.bifurcations, 0);
    shape_destroy(&toy);
  }
  imperfection = 0;
}

/* A load from outside changes by itself: what is out of balance is eased away, from the present configuration. */
static void balance_is_found_again_after_a_change(void **state) {
  (void)state;
  wy_statics_options options = shape_options();
  wy_message message;
  shape_toy toy;
  load = 0.3 * limit_load();
  shape_settle(&toy, &truss, &options, 0);
  load = 0.9 * limit_load();
  wy_equilibrium_disturb(toy.equilibrium);
  must(wy_equilibrium_follow(toy.equilibrium, 0, false, &message), &message);
  check_close(truss_load(toy.equilibrium->config[0]), load, tolerance);
  must(wy_equilibrium_follow(toy.equilibrium, 1, false, &message), &message);
  check_close(truss_load(toy.equilibrium->config[0]), load, tolerance);
  shape_destroy(&toy);
}

/* ---- Buckling ---- */

typedef struct buckling_result {
  wy_status status;
  wy_message message;
  wy_buckling found;
  double factor[4], config[4 * SHAPE_MOST], direction[4 * SHAPE_MOST];
  bool limit[4];
} buckling_result;

static buckling_result *buckle(const shape_problem *problem, int count) {
  static buckling_result out;
  wy_statics_options options = shape_options();
  shape_toy toy;
  memset(&out, 0, sizeof out);
  out.found = (wy_buckling){
      .count = count, .factor = out.factor, .limit = out.limit, .config = out.config, .direction = out.direction};
  shape_create(&toy, problem, &options);
  out.status = wy_buckling_find(toy.equilibrium, 1, &out.found, &out.message);
  shape_destroy(&toy);
  return &out;
}

/* The factor is the critical load over the load, whatever the load's size. Interpolated through points 5e-4 apart (to
   the sixth power), so that round-off is left: 1e-16 over the eigenvalue's slope of 1. */
static void critical_loads_are_exact(void **state) {
  (void)state;
  for (int k = -9; k <= 9; k += 3) {
    load = pow(10, k);
    buckling_result *out = buckle(&soft_column, 2);
    must(out->status, &out->message);
    assert_int_equal(out->found.count, 1); /* at the larger root the column becomes stable again */
    check_close(out->factor[0] * load, soft_critical(), 1e-12);
    check_close(fabs(out->direction[0]), 1, 1e-9);
    check_close(out->direction[1], 0, 1e-9);
    check_close(out->config[1], soft_critical() / axial, 1.1e-4 * soft_critical() / axial); /* just before it */
  }
}

static void a_double_critical_load_has_two_shapes(void **state) {
  (void)state;
  load = 0.01;
  buckling_result *out = buckle(&round_column, 3);
  must(out->status, &out->message);
  assert_int_equal(out->found.count, 2);
  for (int i = 0; i < 2; i++)
    check_close(out->factor[i] * load, 1, 1e-12);
  const double *a = out->direction, *b = a + 2;
  check_close(a[0] * a[0] + a[1] * a[1], 1, 1e-12);
  check_close(b[0] * b[0] + b[1] * b[1], 1, 1e-12);
  check_close(a[0] * b[0] + a[1] * b[1], 0, 1e-12);
}

/* Pulled, nothing buckles; without loads, nothing happens at all. */
static void what_does_not_buckle_is_reported(void **state) {
  (void)state;
  load = -1;
  buckling_result *out = buckle(&soft_column, 1);
  assert_int_equal(out->status, WY_ERROR_SOLVER);
  must_mention(&out->message, "no buckling found");
  load = 0;
  out = buckle(&soft_column, 1);
  assert_int_equal(out->status, WY_ERROR_SOLVER);
  must_mention(&out->message, "does not buckle");
}

/* A load that follows the structure makes K unsymmetric; the determinant changes its sign at load 6. */
static void follower_residual(const shape_at *at, const double *q, double *r) {
  double p = at->loads * load;
  r[0] = -(3 - p) * q[0] - q[1];
  r[1] = p * q[0] - 2 * q[1];
}

static void follower_tangent(const shape_at *at, const double *q, double *k) {
  double p = at->loads * load;
  (void)q;
  k[0] = 3 - p, k[1] = 1, k[2] = -p, k[3] = 2; /* determinant 6 - p */
}

static void without_symmetry_the_determinant_tells(void **state) {
  (void)state;
  const shape_problem follower = {.n = 2, .residual = follower_residual, .tangent = follower_tangent};
  load = 0.01;
  buckling_result *out = buckle(&follower, 1);
  must(out->status, &out->message);
  assert_int_equal(out->found.count, 1);
  check_close(out->factor[0] * load, 6, 6e-6); /* halved to that */
  /* K (1, 3) = 0 there. 1e-4 before, where the direction is found, k[0] is larger by 6e-4, the eigenvalue -6e-4. */
  check_close(out->direction[1] / out->direction[0], 3 - 2 * 6e-4, 1e-5);
  wy_statics_options options = shape_options();
  shape_toy toy;
  load = 12;
  shape_settle(&toy, &follower, &options, 0);
  assert_int_equal(toy.equilibrium->now->info.unstable, -1);
  assert_true(toy.equilibrium->now->info.odd);
  check_close(toy.equilibrium->now->info.first_bifurcation, 0.5, 1e-6);
  shape_destroy(&toy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_converges_from_far),
      cmocka_unit_test(newton_converges_fast),
      cmocka_unit_test(kept_factors_lead_to_round_off),
      cmocka_unit_test(load_steps_reach_the_load),
      cmocka_unit_test(load_steps_end_at_a_limit_point),
      cmocka_unit_test(settling_passes_a_limit_point),
      cmocka_unit_test(relaxation_snaps_through),
      cmocka_unit_test(buckling_finds_the_limit_point),
      cmocka_unit_test(arc_length_passes_limit_points),
      cmocka_unit_test(a_path_that_runs_away_is_given_up),
      cmocka_unit_test(constraint_forces_follow),
      cmocka_unit_test(what_is_not_held_is_reported),
      cmocka_unit_test(one_step_at_a_time_arrives_at_the_same),
      cmocka_unit_test(following_snaps_through),
      cmocka_unit_test(no_increment_leaps_unseen),
      cmocka_unit_test(a_branch_that_comes_to_another_does_not_snap),
      cmocka_unit_test(snapping_keeps_the_times_asked_for),
      cmocka_unit_test(easing_snaps_through),
      cmocka_unit_test(what_falls_on_the_way_is_reported),
      cmocka_unit_test(a_bifurcation_is_located),
      cmocka_unit_test(switching_leads_to_the_stable_branch),
      cmocka_unit_test(a_round_column_buckles_towards_any_side),
      cmocka_unit_test(a_jump_to_another_path_is_undone),
      cmocka_unit_test(balance_is_found_again_after_a_change),
      cmocka_unit_test(critical_loads_are_exact),
      cmocka_unit_test(a_double_critical_load_has_two_shapes),
      cmocka_unit_test(what_does_not_buckle_is_reported),
      cmocka_unit_test(without_symmetry_the_determinant_tells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
