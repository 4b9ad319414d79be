/* SPDX-License-Identifier: MIT */
/* RODAS beyond what every integrator owes: its order with equal steps and the part of df/dt in it, stiff problems, what
   a rejected attempt keeps, its counts, and rods. */
#include "check.h"
#include "integrate/methods.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "support/toy.h"

/* A tolerance that no error reaches: all steps are as long as the longest that is allowed. */
static void start_equal_steps(toy *made, const toy_problem *problem, double h) {
  toy_create(made, problem, &wy_rodas, 1e30);
  made->integrator.largest_step = made->integrator.now->h = h;
}

/* ---- Order ---- */

/* u' = -cos(t) u^2 from 1: u = 1 / (1 + sin t). Nonlinear, and it depends on time. Its power cos(t) u^2 integrates to
   1 - u. */
static void ebb_rhs(double t, const double *u, double *f) {
  f[0] = -cos(t) * u[0] * u[0];
}

static void ebb_jacobian(double t, const double *u, double *j) {
  j[0] = -2 * cos(t) * u[0];
}

static double ebb_power(double t, const double *u) {
  return cos(t) * u[0] * u[0];
}

static double ebb(double t) {
  return 1 / (1 + sin(t));
}

typedef struct ebb_errors {
  double steps, between, work; /* the largest of all ends of steps, of all times, of the integral */
} ebb_errors;

static ebb_errors run_ebb(int steps, bool autonomous) {
  const toy_problem problem = {1, ebb_rhs, ebb_jacobian, {1}, ebb_power};
  const double end = 3;
  toy made;
  wy_message message = {0};
  ebb_errors out = {0};
  start_equal_steps(&made, &problem, end / steps);
  if (autonomous)
    toy_declare_autonomous();
  wy_progress *now = made.integrator.now;
  while (now->t < end) {
    must(wy_drive_step(&made.integrator, end, &message), &message);
    out.steps = fmax(out.steps, fabs(made.integrator.u[0] - ebb(now->t)));
    for (int k = 1; k < 4; k++) {
      double u[2 * WY_LANES], t = now->t_old + 0.25 * k * (now->t - now->t_old);
      wy_drive_state(&made.integrator, t, u);
      out.between = fmax(out.between, fabs(u[0] - ebb(t)));
      out.work = fmax(out.work, fabs(u[WY_LANES + WY_WORK_INTEGRAL] - 1 + ebb(t)));
    }
  }
  assert_int_equal(now->statistics.steps, steps);
  assert_int_equal(now->statistics.rejected, 0);
  toy_destroy(&made);
  return out;
}

/* Halved steps: 2^4 less, up to what terms of order 5 change, a tenth at these steps. The continuous output has an
   error of h^4 in one step (order 3), which does not add up: it falls as fast, and so do the integrals taken from it.
 */
static void the_order_is_4(void **state) {
  (void)state;
  ebb_errors coarse = run_ebb(160, false), fine = run_ebb(320, false);
  print_message("errors %.2e %.2e, between steps %.2e %.2e, work %.2e %.2e\n", coarse.steps, fine.steps, coarse.between,
                fine.between, coarse.work, fine.work);
  check_close(log2(coarse.steps / fine.steps), 4, 0.2);
  check_close(log2(coarse.between / fine.between), 4, 0.2);
  check_close(log2(coarse.work / fine.work), 4, 0.2);
}

/* Without df/dt what is left of a method of order 4 is one of order 1: sum b_i gamma_i is not 0. */
static void the_order_needs_the_slope_in_time(void **state) {
  (void)state;
  ebb_errors with = run_ebb(160, false), coarse = run_ebb(160, true), fine = run_ebb(320, true);
  check_close(log2(coarse.steps / fine.steps), 1, 0.1);
  check_above(coarse.steps, 1e4 * with.steps);
}

/* u' = t^p with a Jacobian of 0 is an integral. The quadrature of a method of order 4 is exact up to p = 3; this one
   happens to be so for p = 4, too. For p = 1 it is only with df/dt. */
static int degree;

static void power_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = pow(t, degree);
}

static void zero_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void integrals_are_those_of_its_quadrature(void **state) {
  (void)state;
  const toy_problem problem = {1, power_rhs, zero_jacobian, {0}, NULL};
  const double h = 2, d = 1e-3 * h; /* where df/dt is taken, with an error of 2 d^2 (p = 3) or 6 d^3 (p = 4) */
  const double slope_error[6] = {0, 0, 0, 2 * d * d, 6 * d * d * d, 0};
  for (degree = 0; degree <= 5; degree++) {
    toy made;
    start_equal_steps(&made, &problem, h);
    toy_drive(&made, h, h);
    assert_int_equal(made.integrator.now->statistics.steps, 1);
    double want = pow(h, degree + 1) / (degree + 1), error = fabs(made.integrator.u[0] - want);
    if (degree <= 4)
      check_close(error, 0, 0.0319 * h * h * slope_error[degree] + 1e-13); /* sum b_i gamma_i = 0.0319 */
    else
      check_close(error, 0.0031952 * pow(h, 6), 1e-4); /* sum b_i alpha_i^5 - 1/6 */
    toy_destroy(&made);
  }
}

/* ---- Stiff problems ---- */

/* Prothero and Robinson with steps of 5e4 time constants and more: the error is h / lambda times less than 1, as for
   every stiffly accurate Rosenbrock method; without df/dt it is hundreds of times that, and hardly falls. */
static void prothero_and_robinson_are_solved(void **state) {
  (void)state;
  double error[2][2] = {0};
  for (int autonomous = 0; autonomous < 2; autonomous++)
    for (int i = 0; i < 2; i++) {
      toy made;
      start_equal_steps(&made, &toy_stiff, i ? 0.05 : 0.1);
      if (autonomous)
        toy_declare_autonomous();
      toy_drive(&made, 3, 3);
      error[autonomous][i] = fabs(made.integrator.u[0] - cos(3));
      toy_destroy(&made);
    }
  print_message("errors %.2e %.2e, without df/dt %.2e %.2e\n", error[0][0], error[0][1], error[1][0], error[1][1]);
  check_below(error[0][0], 0.1 / 1e6);
  check_close(error[0][0] / error[0][1], 2, 0.3);
  check_above(error[1][1], 300 * error[0][1]);
}

/* ---- What attempts do ---- */

/* Before t = 0 and after t = 1 there is nothing. */
static void bounded_rhs(double t, const double *u, double *f) {
  f[0] = t < 0 || t > 1 ? (double)NAN : cos(t) - u[0];
}

static void minus_one(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = -1;
}

static void nothing_is_evaluated_outside_the_step(void **state) {
  (void)state;
  const toy_problem problem = {1, bounded_rhs, minus_one, {0}, NULL};
  toy made;
  toy_create(&made, &problem, &wy_rodas, 1e-6);
  toy_drive(&made, 1, 1);
  assert_int_equal(made.integrator.now->statistics.rejected, 0);
  check_close(made.integrator.u[0], 0.5 * (cos(1) + sin(1) - exp(-1)), 1e-5); /* the tolerance, a step or ten */
  toy_destroy(&made);
}

/* f ends before the run does: what can be reached is, however long the steps that met nothing but NaN. */
static void shorter_rhs(double t, const double *u, double *f) {
  f[0] = t > 0.5 ? (double)NAN : cos(t) - u[0];
}

static void steps_go_on_up_to_a_nan(void **state) {
  (void)state;
  const toy_problem problem = {1, shorter_rhs, minus_one, {0}, NULL};
  toy made;
  wy_message message = {0};
  toy_create(&made, &problem, &wy_rodas, 1e-6);
  toy_drive(&made, 0.4999, 0.4999);
  made.integrator.now->h = 0.4; /* a thousandth of it leads across */
  assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_ERROR_SOLVER);
  assert_int_equal(made.integrator.rejection, WY_BY_NAN);
  check_close(made.integrator.now->t, 0.5, 1e-12);
  toy_destroy(&made);
}

/* Steps too long are rejected for their error; f, df/dt and the Jacobian of the point are kept: five evaluations for
   each attempt, one for each point, the last one included, two for df/dt, and one for the length of the first step. */
static void a_rejected_attempt_keeps_the_jacobian(void **state) {
  (void)state;
  const toy_problem ebbing = {1, ebb_rhs, ebb_jacobian, {1}, NULL};
  for (int autonomous = 0; autonomous < 2; autonomous++) {
    enum { REJECTED = 3 };
    toy made;
    toy_create(&made, autonomous ? &toy_explosion : &ebbing, &wy_rodas, 1e-8);
    if (autonomous)
      toy_declare_autonomous();
    wy_progress *now = made.integrator.now;
    toy_drive(&made, 0.1, 0.1);
    for (int k = 0; k < REJECTED; k++) {
      now->h = 0.7;
      assert_int_equal(wy_rodas.attempt(&made.integrator, 10), WY_REJECTED);
      assert_int_equal(made.integrator.rejection, WY_BY_ERROR);
      check_below(now->h, 0.7);
    }
    toy_drive(&made, 0.8, 0.8);
    const wy_statistics *count = &now->statistics;
    long attempts = count->steps + count->rejected + REJECTED;
    assert_int_equal(count->jacobians, count->steps);
    assert_int_equal(count->factorisations, attempts);
    assert_int_equal(count->rhs, 5 * attempts + (autonomous ? 1 : 3) * count->jacobians + 2);
    toy_destroy(&made);
  }
}

/* After a rejection, too, the saved memory is enough to go on bit for bit: the Jacobian is made again. */
static void restart_between_attempts_is_bit_exact(void **state) {
  (void)state;
  toy made;
  toy_create(&made, &toy_spin, &wy_rodas, 1e-8);
  toy_drive(&made, 1, 1);
  made.integrator.now->h = 1;
  assert_int_equal(wy_rodas.attempt(&made.integrator, 3), WY_REJECTED);
  toy_check_restart(&made, 3);
  toy_destroy(&made);
}

/* A hole in f, at the very state to which a step leads and where no stage comes: the step that follows could not begin
   there. Stages are off by the error of the step, some 1e-9; the hole is smaller. */
static double hole;

static void hole_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = fabs(u[0] - hole) < 1e-12 ? (double)NAN : -u[0] * u[0];
}

static void hole_jacobian(double t, const double *u, double *j) {
  (void)t;
  j[0] = -2 * u[0];
}

static void no_step_ends_where_the_next_cannot_begin(void **state) {
  (void)state;
  const toy_problem problem = {1, hole_rhs, hole_jacobian, {1}, NULL};
  const toy_options options = {.tolerance = 1e-6, .first_step = 0.05};
  toy made;
  hole = 10;
  toy_create_with(&made, &problem, &wy_rodas, &options);
  assert_int_equal(wy_rodas.attempt(&made.integrator, 1), WY_ACCEPTED);
  double next = made.integrator.u[0];
  toy_destroy(&made);
  hole = next;
  toy_create_with(&made, &problem, &wy_rodas, &options);
  assert_int_equal(wy_rodas.attempt(&made.integrator, 1), WY_REJECTED);
  assert_int_equal(made.integrator.rejection, WY_BY_NAN);
  assert_true(made.integrator.now->t == 0 && made.integrator.u[0] == 1 && made.integrator.now->h < 0.05);
  toy_drive(&made, 1, 1);
  check_close(made.integrator.u[0], 0.5, 1e-5); /* u = 1 / (1 + t); ten local errors */
  toy_destroy(&made);
}

static int singular_times;
static wy_system_type singular_type;
static int (*toy_factor)(wy_system *system, int slot, double sigma);

static int singular_factor(wy_system *system, int slot, double sigma) {
  return singular_times-- > 0 ? WY_RETRY : toy_factor(system, slot, sigma);
}

static void a_singular_matrix_halves_the_step(void **state) {
  (void)state;
  toy made;
  toy_create(&made, &toy_spin, &wy_rodas, 1e-6);
  singular_type = *made.integrator.system->type;
  toy_factor = singular_type.factor;
  singular_type.factor = singular_factor;
  made.integrator.system->type = &singular_type;
  singular_times = 2;
  double h = made.integrator.now->h;
  for (int k = 1; k <= 2; k++) {
    assert_int_equal(wy_rodas.attempt(&made.integrator, 3), WY_REJECTED);
    assert_int_equal(made.integrator.rejection, WY_BY_SINGULARITY);
    check_close(made.integrator.now->h, h / (1 << k), 0);
  }
  assert_int_equal(wy_rodas.attempt(&made.integrator, 3), WY_ACCEPTED);
  toy_destroy(&made);
}

/* ---- Rods ---- */

static const double gravity[3] = {0, 0, -9.81};

static wy_solver_def rodas_solver(double tolerance, double h) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "rodas";
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.first_step = solver.largest_step = h;
  return solver;
}

static void wave(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = sin(3 * t), jet[1] = 3 * cos(3 * t), jet[2] = -9 * sin(3 * t);
}

/* A soft rod that has everything, under loads of which one follows time, with equal steps: the method needs the exact
   Jacobian and df/dt of all of it. Tip positions of halved steps differ by 2^4 less; so does what the balance of energy
   misses, the error of the state and of the integrals. */
static void a_smooth_rod_moves_with_order_4(void **state) {
  (void)state;
  wy_rod_def rod = rich_rod(6);
  wy_load_def loads[RICH_LOADS];
  rich_loads(loads);
  loads[1].force[2] = (wy_signal){0, wave, NULL, WY_TIME};
  double tip[3][4], balance[3], difference[2] = {0};
  for (int i = 0; i < 3; i++) {
    wy_message message = {0};
    wy_solver_def solver = rodas_solver(1, 2e-2 / (1 << i));
    test_sim made = make_sim(&rod, loads, RICH_LOADS, &solver, gravity);
    double start = wy_sim_energy(made.sim, 0).total;
    must(wy_sim_advance(made.sim, 0.8, &message), &message);
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[i], &message), &message);
    wy_energy now = wy_sim_energy(made.sim, 0);
    balance[i] = fabs(now.total - start - now.work + now.dissipated);
    check_above(now.dissipated, 1e3 * balance[i]);
    assert_int_equal(wy_sim_statistics(made.sim, 0).steps, 40 << i);
    free_sim(&made);
  }
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      difference[i] = fmax(difference[i], fabs(tip[i][k] - tip[i + 1][k]));
  double order = log2(difference[0] / difference[1]), energy_order = log2(balance[1] / balance[2]);
  print_message("tip %.2e %.2e, order %.2f; energy %.2e %.2e %.2e, order %.2f\n", difference[0], difference[1], order,
                balance[0], balance[1], balance[2], energy_order);
  check_close(order, 4, 0.25);
  check_close(energy_order, 4, 0.25);
}

#ifdef COUNTS_ALLOCATIONS
static void nothing_is_allocated_on_the_way(void **state) {
  (void)state;
  wy_message message = {0};
  wy_rod_def rod = rubber_rod(10);
  wy_solver_def solver = rodas_solver(1e-4, 0);
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  long before = allocations;
  must(wy_sim_advance(made.sim, 0.2, &message), &message);
  read_save_and_restore(made.sim);
  must(wy_sim_advance(made.sim, 0.3, &message), &message);
  assert_int_equal(allocations - before, 0);
  free_sim(&made);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_is_4),
      cmocka_unit_test(the_order_needs_the_slope_in_time),
      cmocka_unit_test(integrals_are_those_of_its_quadrature),
      cmocka_unit_test(prothero_and_robinson_are_solved),
      cmocka_unit_test(nothing_is_evaluated_outside_the_step),
      cmocka_unit_test(steps_go_on_up_to_a_nan),
      cmocka_unit_test(a_rejected_attempt_keeps_the_jacobian),
      cmocka_unit_test(restart_between_attempts_is_bit_exact),
      cmocka_unit_test(no_step_ends_where_the_next_cannot_begin),
      cmocka_unit_test(a_singular_matrix_halves_the_step),
      cmocka_unit_test(a_smooth_rod_moves_with_order_4),
#ifdef COUNTS_ALLOCATIONS
      cmocka_unit_test(nothing_is_allocated_on_the_way),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
