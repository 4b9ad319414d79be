/* SPDX-License-Identifier: MIT */
/* SEULEX: orders of the tableau, stiff decay, continuous output, control of order and step, what makes it reject,
   restart. What every method owes is in test_integrators.c. */
#include <string.h>

#include "check.h"
#include "integrate/methods.h"
#include "integrate/seulex_tableau.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "support/toy.h"

/* ---- The tableau of one step ---- */

/* A tableau of its own beside a toy's integrator, at t = 0, with the Jacobian of that point. */
typedef struct bench {
  toy made;
  wy_arena memory;
  wy_tableau tableau;
  bool autonomous;
} bench;

static void bench_create(bench *b, const toy_problem *problem, bool autonomous) {
  *b = (bench){.autonomous = autonomous};
  toy_create(&b->made, problem, &wy_seulex, 1);
  wy_tableau_layout(&b->tableau, &b->memory, b->made.integrator.size);
  assert_int_equal(wy_arena_allocate(&b->memory), 0);
  wy_tableau_layout(&b->tableau, &b->memory, b->made.integrator.size);
  wy_system *system = b->made.integrator.system;
  system->type->jacobian(system, 0, b->made.integrator.u);
}

static void bench_destroy(bench *b) {
  toy_destroy(&b->made);
  wy_arena_release(&b->memory);
}

static void fill(bench *b, int rows, double h) {
  double error, contraction;
  for (int j = 1; j <= rows; j++)
    assert_int_equal(wy_tableau_row(&b->made.integrator, &b->tableau, j, h, b->autonomous, &error, &contraction), 0);
}

/* T_jk is of order k, so its error over one step falls like h^(k+1). Steps are chosen so that the next term of the
   error is at most a third of the first: the order seen between h and h/2 is then within log2((1 + 1/3) / (1 + 1/6)) =
   0.2, and 0.3 covers the round-off of the best entry, 1e-15 of 1e-13. */
enum { ROWS = 6 };

typedef struct order_case {
  const toy_problem *problem;
  void (*solution)(double t, double *u);
  bool autonomous;
  double h;
} order_case;

static void tableau_errors(const order_case *c, double h, int j, double errors[ROWS + 1]) {
  bench b;
  double want[TOY_MOST] = {0};
  bench_create(&b, c->problem, c->autonomous);
  fill(&b, j, h);
  c->solution(h, want);
  for (int k = 1; k <= j; k++) {
    errors[k] = 0;
    for (int i = 0; i < c->problem->n; i++)
      errors[k] = fmax(errors[k], fabs(b.tableau.entry[j + 1 - k][i] - want[i]));
  }
  bench_destroy(&b);
}

static void columns_have_their_order(void **state) {
  (void)state;
  const order_case cases[2] = {{&toy_spin, toy_spin_solution, false, 0.04}, {&toy_body, toy_body_solution, true, 0.1}};
  for (int c = 0; c < 2; c++)
    for (int j = 1; j <= ROWS; j++) {
      double coarse[ROWS + 1] = {0}, fine[ROWS + 1] = {0};
      tableau_errors(&cases[c], cases[c].h, j, coarse);
      tableau_errors(&cases[c], 0.5 * cases[c].h, j, fine);
      for (int k = 1; k <= j && fine[k] > 1e-13; k++) {
        double order = log2(coarse[k] / fine[k]) - 1;
        if (!(order > k - 0.3))
          fail_msg("case %d, T_%d%d: order %.2f (errors %.2e, %.2e)", c, j, k, order, coarse[k], fine[k]);
      }
    }
}

/* u' = lambda u: the first column is (1 - z/n)^-n exactly, every entry decays at infinity like a power of 1/z, and on
   the negative axis none grows. */
static double lambda;

static void decay_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = lambda * u[0];
}

static void decay_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = lambda;
}

static const toy_problem decay = {1, decay_rhs, decay_jacobian, {1}, NULL};

static void stiff_components_die_within_a_step(void **state) {
  (void)state;
  for (int decade = -2; decade <= 12; decade++) {
    lambda = -pow(10, decade);
    for (int j = 1; j <= WY_SEULEX_COLUMNS; j++) {
      bench b;
      bench_create(&b, &decay, false);
      fill(&b, j, 1);
      double n = wy_seulex_substeps[j], first = pow(1 - lambda / n, -n);
      check_close(b.tableau.entry[j][0], first, 4e-16 * (n - lambda) * first); /* of each increment, n times */
      for (int k = 1; k <= j; k++) {
        double entry = fabs(b.tableau.entry[j + 1 - k][0]);
        check_at_most(entry, 1);
        if (decade == 12) /* the first row is (2e-12)^2; weights of extrapolation are below 1e6 */
          check_below(entry, 1e-17);
      }
      bench_destroy(&b);
    }
  }
}

/* u' = q t^(q-1): sums over substeps and backward differences have errors that are polynomials in the length of a
   substep, so that q columns give u = t^q exactly, at the end and, where there are as many derivatives, between.
   Round-off in the last derivative: 6^2 / 3! 2^2 = 24 units of 1e-16, times weights below 30. */
static int power;

static void power_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = power * pow(t, power - 1);
}

static void no_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void continuous_output_is_exact_for_polynomials(void **state) {
  (void)state;
  const toy_problem problem = {1, power_rhs, no_jacobian, {0}, NULL};
  for (power = 2; power <= WY_SEULEX_DERIVATIVES + 1; power++) {
    bench b;
    double storage[WY_SEULEX_DERIVATIVES + 2][2 * WY_LANES], *coefficient[WY_SEULEX_DERIVATIVES + 2];
    for (int i = 0; i < WY_SEULEX_DERIVATIVES + 2; i++)
      coefficient[i] = storage[i];
    bench_create(&b, &problem, false);
    fill(&b, power, 1);
    check_close(b.tableau.entry[1][0], 1, 1e-12);
    assert_int_equal(wy_tableau_dense(&b.tableau, power, b.made.integrator.u, 2 * WY_LANES, coefficient), power);
    for (int i = 0; i <= 10; i++) {
      double theta = 0.1 * i, got = storage[power][0];
      for (int j = power - 1; j >= 0; j--)
        got = storage[j][0] + (theta - (j > 0)) * got;
      check_close(got, pow(theta, power), 1e-12);
    }
    bench_destroy(&b);
  }
}

/* ---- Whole runs ---- */

/* The error of a run of the spin at its end, between steps and in the integral, against the tolerance. A local error of
   tol (1 + |u|) in the radius turns the phase at up to twice its rate, 15 radians in all; 28 steps at most: 2 * 15 * 28
   < 1000. */
static void accuracy_follows_the_tolerance(void **state) {
  (void)state;
  for (int decade = 4; decade <= 11; decade++) {
    toy made;
    wy_message message = {0};
    double tolerance = pow(10, -decade), u[2 * WY_LANES], want[2], worst[2] = {0};
    toy_create(&made, &toy_spin, &wy_seulex, tolerance);
    for (int k = 1; k <= 300; k++) {
      double t = 0.01 * k;
      must(wy_drive_to(&made.integrator, t, 3, &message), &message);
      wy_drive_state(&made.integrator, t, u);
      toy_spin_solution(t, want);
      worst[0] = fmax(worst[0], fmax(fabs(u[0] - want[0]), fabs(u[1] - want[1])));
      worst[1] = fmax(worst[1], fabs(u[WY_LANES + WY_WORK_INTEGRAL] - want[1]));
    }
    check_close(worst[0], 0, 1000 * tolerance);
    check_close(worst[1], 0, 1000 * tolerance);
    check_below(made.integrator.now->statistics.steps, 30); /* the order rises, steps stay long */
    toy_destroy(&made);
  }
}

/* Stiff errors do not add up: what is left at the end of a step is the error of this step, below tol (1 + |u|) < 2 tol.
   Steps are longer than half a period of the solution; between their ends there is one tolerance for the gap of the
   interpolation beside the error of its nodes, and both are amplified by the interpolation, up to 3 times. */
static void prothero_robinson(void **state) {
  (void)state;
  for (int decade = 3; decade <= 10; decade++) {
    toy made;
    wy_message message = {0};
    double tolerance = pow(10, -decade), u[2 * WY_LANES];
    toy_create(&made, &toy_stiff, &wy_seulex, tolerance);
    for (int k = 1; k <= 100; k++) {
      double t = 0.1 * k;
      must(wy_drive_to(&made.integrator, t, 1000, &message), &message);
      check_close(made.integrator.u[0], cos(made.integrator.now->t), 2 * tolerance);
      wy_drive_state(&made.integrator, t, u);
      check_close(u[0], cos(t), 10 * tolerance);
    }
    check_below(made.integrator.now->statistics.steps, 20);
    toy_destroy(&made);
  }
}

/* A linear problem with a constant matrix: Newton's method would converge at once, so one Jacobian does for all. */
static void a_jacobian_that_fits_is_kept(void **state) {
  (void)state;
  toy made;
  wy_message message = {0};
  toy_frequency = 2;
  toy_create(&made, &toy_oscillator, &wy_seulex, 1e-6);
  toy_declare_autonomous();
  must(wy_drive_to(&made.integrator, 20, 20, &message), &message);
  assert_int_equal(made.integrator.now->statistics.jacobians, 1);
  check_above(made.integrator.now->statistics.steps, 10);
  toy_destroy(&made);
}

/* ---- Rejection ---- */

static double jump_at;

static void jump_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = t < jump_at ? 0 : 1;
}

/* Rows see f at the ends of substeps only; a jump before the first of them must not pass unseen. The local tolerance is
   1e-8 (1 + |u|), and the steps around the jump, about 50, may each use it. */
static void a_jump_right_after_the_start_of_a_step_is_seen(void **state) {
  (void)state;
  const toy_problem problem = {1, jump_rhs, no_jacobian, {1}, NULL};
  for (int i = 0; i < 40; i++) {
    toy made;
    wy_message message = {0};
    jump_at = 0.02 + 0.02 * i;
    toy_create(&made, &problem, &wy_seulex, 1e-8);
    must(wy_drive_to(&made.integrator, 2, 2, &message), &message);
    check_above(made.integrator.now->statistics.rejected, 0);
    check_close(made.integrator.u[0], 3 - jump_at, 100 * 1e-8);
    toy_destroy(&made);
  }
}

static void nan_rhs(double t, const double *u, double *f) {
  f[0] = t > 0 ? (double)NAN : -u[0];
}

static wy_rejection rejected_first_step(const toy_problem *problem, double h) {
  toy made;
  toy_options options = {.tolerance = 1e-6, .first_step = h};
  toy_create_with(&made, problem, &wy_seulex, &options);
  double before = made.integrator.u[0];
  assert_int_equal(wy_seulex.attempt(&made.integrator, 10), WY_REJECTED);
  assert_true(made.integrator.now->t == 0 && made.integrator.u[0] == before);
  check_below(made.integrator.now->h, h);
  wy_rejection rejection = made.integrator.rejection;
  toy_destroy(&made);
  return rejection;
}

static void every_rejection_has_its_reason(void **state) {
  (void)state;
  const toy_problem blind = {1, decay_rhs, no_jacobian, {1}, NULL}, broken = {1, nan_rhs, no_jacobian, {1}, NULL};
  lambda = -1e6;
  assert_int_equal(rejected_first_step(&blind, 0.1), WY_BY_NEWTON);
  assert_int_equal(rejected_first_step(&broken, 0.1), WY_BY_NAN);
  assert_int_equal(rejected_first_step(&toy_spin, 1.5), WY_BY_ERROR);
}

/* ---- Restart ---- */

static void samples_do_not_disturb_and_are_repeated(void **state) {
  (void)state;
  for (int stop = 1; stop < 16; stop += 3) {
    toy made;
    wy_message message = {0};
    double sample[2 * WY_LANES], again[2 * WY_LANES], end[2 * WY_LANES];
    toy_create(&made, &toy_spin, &wy_seulex, 1e-8);
    wy_integrator *integrator = &made.integrator;
    for (int i = 0; i < stop; i++)
      must(wy_drive_step(integrator, 3, &message), &message);
    char saved[16384];
    size_t bytes = made.memory.saved.used;
    assert_true(bytes <= sizeof saved);
    memcpy(saved, made.memory.saved.block, bytes);
    double t = 0.5 * (integrator->now->t_old + integrator->now->t);
    wy_drive_state(integrator, t, sample);
    must(wy_drive_to(integrator, 3, 3, &message), &message);
    memcpy(end, integrator->u, sizeof end);
    memcpy(made.memory.saved.block, saved, bytes);
    wy_seulex.resume(integrator);
    if (stop % 2 == 0) { /* else the run goes on without a sample */
      wy_drive_state(integrator, t, again);
      assert_memory_equal(again, sample, sizeof sample);
    }
    must(wy_drive_to(integrator, 3, 3, &message), &message);
    assert_memory_equal(integrator->u, end, sizeof end);
    toy_destroy(&made);
  }
}

static void steps_and_samples_allocate_nothing(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  toy made;
  wy_message message = {0};
  double u[2 * WY_LANES];
  toy_create(&made, &toy_spin, &wy_seulex, 1e-6);
  long before = allocations;
  for (int k = 1; k <= 30; k++) {
    must(wy_drive_to(&made.integrator, 0.1 * k, 3, &message), &message);
    wy_drive_state(&made.integrator, 0.1 * k, u);
  }
  assert_int_equal(allocations, before);
  toy_destroy(&made);
#endif
}

/* ---- A rod ---- */

enum { SAMPLES = 30 };

static void sample_rod(const char *integrator, double tolerance, double tip[SAMPLES][4]) {
  static const double gravity[3] = {0, 0, -9.81};
  wy_rod_def rod = rubber_rod(10);
  wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  for (int i = 0; i < SAMPLES; i++) {
    must(wy_sim_sample(made.sim, 0.01 * (i + 1), &message), &message);
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[i], &message), &message);
  }
  free_sim(&made);
}

/* About 30 steps, whose errors may all add up: 60 tolerances, at output times, too. */
static void a_smooth_rod_follows_the_tolerance(void **state) {
  (void)state;
  static double want[SAMPLES][4], got[SAMPLES][4];
  sample_rod("radau5", 1e-12, want);
  for (int decade = 4; decade <= 9; decade++) {
    double tolerance = pow(10, -decade);
    sample_rod("seulex", tolerance, got);
    for (int i = 0; i < SAMPLES; i++)
      for (int k = 0; k < 3; k++)
        check_close(got[i][k], want[i][k], 60 * tolerance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_have_their_order),
      cmocka_unit_test(stiff_components_die_within_a_step),
      cmocka_unit_test(continuous_output_is_exact_for_polynomials),
      cmocka_unit_test(accuracy_follows_the_tolerance),
      cmocka_unit_test(prothero_robinson),
      cmocka_unit_test(a_jacobian_that_fits_is_kept),
      cmocka_unit_test(a_jump_right_after_the_start_of_a_step_is_seen),
      cmocka_unit_test(every_rejection_has_its_reason),
      cmocka_unit_test(samples_do_not_disturb_and_are_repeated),
      cmocka_unit_test(steps_and_samples_allocate_nothing),
      cmocka_unit_test(a_smooth_rod_follows_the_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
