/* SPDX-License-Identifier: MIT */
/* The observed order of every method whose steps adapt: on problems with known solutions, of the result, the continuous
   output and the integrals; and on a smooth rod of each model. Orders are printed. Methods of variable order are
   measured by how their errors follow the tolerance. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "support/toy.h"
#include "withy/sundials.h"

enum { MOST_RUNS = 8 };

/* Errors of one method at one tolerance. */
typedef struct outcome {
  double tolerance, steps;
  double error, dense, integral;
} outcome;

typedef struct study {
  const char *name;
  const toy_problem *problem;
  void (*solution)(double t, double *u);
  double (*integral)(double t);
  double end;
  bool on_circle, autonomous;
} study;

static double spin_integral(double t) {
  return sin(0.5 * t * t + t);
}

static void sweep_solution(double t, double *u) {
  u[0] = cos(t + 2 * t * t), u[1] = sin(t + 2 * t * t);
}

static double sweep_integral(double t) {
  return sin(t + 2 * t * t);
}

/* Work of gravity: the way down. */
static double pendulum_integral(double t) {
  double u[4];
  toy_pendulum_solution(t, u);
  return -1 - u[1];
}

static const study studies[] = {
    {"time-dependent, nonlinear", &toy_spin, toy_spin_solution, spin_integral, 3, false, false},
    {"sweep of frequencies", &toy_sweep, sweep_solution, sweep_integral, 2, false, false},
    {"free rigid body", &toy_body, toy_body_solution, NULL, 6, false, true},
    {"pendulum, projected", &toy_pendulum, toy_pendulum_solution, pendulum_integral, 2, true, true},
    {"pendulum, Baumgarte", &toy_baumgarte, toy_pendulum_solution, pendulum_integral, 2, false, true},
};
enum { STUDIES = sizeof studies / sizeof studies[0] };

static double distance(const double *a, const double *b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

/* The largest errors met: at the ends of all steps, and within them. */
static outcome run_toy(const wy_integrator_type *type, const study *in, double tolerance) {
  enum { WITHIN = 5 };
  toy made;
  wy_message message = {0};
  outcome out = {.tolerance = tolerance};
  double u[2 * WY_LANES], want[TOY_MOST];
  toy_create(&made, in->problem, type, tolerance);
  if (in->on_circle)
    toy_keep_on_circle();
  if (in->autonomous)
    toy_declare_autonomous();
  const wy_progress *now = made.integrator.now;
  while (now->t < in->end) {
    must(wy_drive_step(&made.integrator, in->end, &message), &message);
    in->solution(now->t, want);
    out.error = fmax(out.error, distance(made.integrator.u, want, in->problem->n));
    for (int k = 0; k < WITHIN; k++) {
      double t = now->t_old + (k + 0.5) / WITHIN * (now->t - now->t_old);
      wy_drive_state(&made.integrator, t, u);
      in->solution(t, want);
      out.dense = fmax(out.dense, distance(u, want, in->problem->n));
      if (in->integral)
        out.integral = fmax(out.integral, fabs(u[WY_LANES + WY_WORK_INTEGRAL] - in->integral(t)));
    }
  }
  assert_true(now->t == in->end);
  out.steps = (double)now->statistics.steps;
  toy_destroy(&made);
  return out;
}

/* Slope of log(y) over log(x), least squares. */
static double slope(const outcome *runs, int count, size_t x_at, size_t y_at) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < count; i++) {
    double x = log(*(const double *)((const char *)&runs[i] + x_at));
    double y = log(*(const double *)((const char *)&runs[i] + y_at));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

#define ORDER_OF(runs, count, field) (-slope(runs, count, offsetof(outcome, steps), offsetof(outcome, field)))

static void print_runs(const outcome *runs, int count) {
  for (int i = 0; i < count; i++)
    print_message("    tolerance %.0e: %.0f steps, error %.2e, between %.2e, integral %.2e\n", runs[i].tolerance,
                  runs[i].steps, runs[i].error, runs[i].dense, runs[i].integral);
}

/* What a tolerance is worth: of a method of order p whose steps follow an estimate of order q of the local error, the
   global error is about tolerance^(p/(q+1)): 5/6 for radau5 (whose tolerance is transformed) and dopri5, 1 for others;
   a variable order lies between. What is seen between steps, and integrals, must follow, too. */
static void check_tolerance(const char *name, const char *where, const outcome *runs, int count, bool has_integral) {
  double exponent = slope(runs, count, offsetof(outcome, tolerance), offsetof(outcome, error));
  double dense = slope(runs, count, offsetof(outcome, tolerance), offsetof(outcome, dense)), integral = 1;
  if (has_integral)
    integral = slope(runs, count, offsetof(outcome, tolerance), offsetof(outcome, integral));
  if (!(exponent > 0.7 && exponent < 1.5 && dense > 0.5 && integral > 0.5)) {
    print_runs(runs, count);
    fail_msg(
        "%s, %s: errors go like the tolerance to the power %.2f, between steps %.2f, of integrals %.2f; want about "
        "1, at least 0.5",
        name, where, exponent, dense, integral);
  }
}

/* Prints and checks; returns whether the order is the declared one within 0.5. More may happen by luck on one problem,
   where the leading error is small. The order is that of the finer half, where errors are what their leading terms say.
   Continuous output is at most one order below the method, and so are integrals by it; those are of order 5 at most,
   since between the steps they are integrals of a cubic (I6). */
static bool check_orders(const wy_integrator_type *type, const char *where, const outcome *runs, int count,
                         bool has_integral) {
  const outcome *finer = runs + count / 2;
  double order = ORDER_OF(finer, count - count / 2, error), dense = ORDER_OF(finer, count - count / 2, dense);
  double integral = has_integral ? ORDER_OF(finer, count - count / 2, integral) : (double)INFINITY;
  double least = declared_order(type) - 1, slack = 0.5;
  char text[32] = "";
  if (has_integral)
    snprintf(text, sizeof text, ", integrals %.2f", integral);
  if (declared_order(type) > 0)
    print_message("%-7s %-26s order %.2f, between steps %.2f%s\n", type->info->name, where, order, dense, text);
  check_tolerance(type->info->name, where, runs, count, has_integral);
  if (declared_order(type) > 0 &&
      !(order > declared_order(type) - slack && dense > least - slack && integral > fmin(least, 5) - slack)) {
    print_runs(runs, count);
    fail_msg("%s, %s: observed orders %.2f, %.2f%s; want at least %d, %g, %g", type->info->name, where, order, dense,
             text, declared_order(type), least, fmin(least, 5));
  }
  return fabs(order - declared_order(type)) < slack;
}

/* Equal ratios from the coarsest to the finest: wider for methods whose order varies. */
static double tolerance_of(const wy_integrator_type *type, int run, double coarsest, double finest) {
  if (declared_order(type) == 0)
    coarsest *= 1e4;
  return coarsest * pow(finest / coarsest, (double)run / (MOST_RUNS - 1));
}

/* Round-off does not show in this range (1e-14 in some hundred steps), and the error is small enough for the leading
   term. */
static void orders_on_known_solutions(void **state) {
  static const double coarsest = 1e-8, finest = 1e-12;
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    const wy_integrator_type *type = adaptive_method(m);
    bool as_declared = declared_order(type) == 0;
    for (int k = 0; k < STUDIES; k++) {
      outcome runs[MOST_RUNS] = {{0}};
      for (int i = 0; i < MOST_RUNS; i++)
        runs[i] = run_toy(type, &studies[k], tolerance_of(type, i, coarsest, finest));
      as_declared |= check_orders(type, studies[k].name, runs, MOST_RUNS, studies[k].integral != NULL);
    }
    if (!as_declared)
      fail_msg("%s: on no problem of the order %d that it declares", type->info->name, declared_order(type));
  }
}

/* ---- A smooth rod ---- */

/* Soft and damped, so that nothing but the tolerance limits the steps, also those of explicit methods; it starts
   undeformed with velocities that rise smoothly from the clamp, in gravity. */
static void smooth_velocity(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  double x = s / 2, v = *(const double *)context;
  (void)t;
  jet[0] = v * x * x * (3 - 2 * x), jet[1] = wrt == WY_ARC ? v * 3 * x * (1 - x) : 0;
  jet[2] = wrt == WY_ARC ? v * (1.5 - 3 * x) : 0;
}

static wy_rod_def smooth_rod(wy_rod_kind kind) {
  static const double stiffness[6] = {4, 4, 9, 0.5, 0.7, 0.4}, damping[6] = {0.2, 0.2, 0.25, 0.05, 0.03, 0.04};
  static const double inertia[4] = {1.3, 0.11, 0.17, 0.25}, velocity[3] = {0.3, 0.5, 0};
  wy_rod_def rod = wy_default_rod_def();
  rod.name = "cantilever";
  rod.kind = kind;
  rod.length = 2;
  rod.segments = 6;
  rod.has_stiffness = rod.has_inertia = true;
  rod.damping.kind = WY_DAMPING_COEFFICIENTS;
  for (int i = 0; i < 6; i++) {
    rod.stiffness[i] = wy_constant(stiffness[i]);
    rod.damping.coefficient[i] = wy_constant(damping[i]);
  }
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  for (int i = 0; i < 2; i++)
    rod.initial.velocity[i] = (wy_signal){0, smooth_velocity, &velocity[i], WY_ARC};
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

enum { PLACES = 3, NUMBERS = PLACES * 6 };

/* Positions and velocities at three places. */
static void look(wy_sim *sim, double out[NUMBERS]) {
  for (int i = 0; i < PLACES; i++) {
    double s = 2 * (i + 1.0) / PLACES, x[4], v[4];
    wy_sim_probe(sim, WY_POSITION, 0, s, x, NULL);
    wy_sim_probe(sim, WY_VELOCITY, 0, s, v, NULL);
    memcpy(out + 6 * i, x, 3 * sizeof *x);
    memcpy(out + 6 * i + 3, v, 3 * sizeof *v);
  }
}

enum { TIMES = 20 };

/* All that is looked at: numbers at every time, and the energy that was dissipated. */
typedef struct course {
  double at[TIMES][NUMBERS], dissipated[TIMES];
  double steps;
} course;

static const double rod_end = 1.5; /* which the last step meets exactly */

static test_sim start_rod(const wy_rod_def *rod, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def model = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  model.rods = rod, model.rod_count = 1;
  model.gravity[1] = -0.3, model.gravity[2] = -0.2;
  sim.solver = *solver;
  sim.end = rod_end;
  must(wy_model_create(&model, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

static course run_rod(wy_rod_kind kind, const char *integrator, double tolerance) {
  wy_rod_def rod = smooth_rod(kind);
  wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  course out;
  solver.more = wy_sundials();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  test_sim made = start_rod(&rod, &solver);
  for (int k = 0; k < TIMES; k++) {
    must(wy_sim_sample(made.sim, rod_end * (k + 1) / TIMES, &message), &message);
    look(made.sim, out.at[k]);
    out.dissipated[k] = wy_sim_energy(made.sim, 0).dissipated;
  }
  out.steps = (double)wy_sim_statistics(made.sim, 0).steps;
  free_sim(&made);
  return out;
}

static outcome compare(const course *got, const course *want, double tolerance) {
  outcome out = {.tolerance = tolerance, .steps = got->steps};
  out.error = distance(got->at[TIMES - 1], want->at[TIMES - 1], NUMBERS);
  for (int k = 0; k < TIMES; k++)
    out.dense = fmax(out.dense, distance(got->at[k], want->at[k], NUMBERS));
  out.integral = distance(got->dissipated, want->dissipated, TIMES);
  return out;
}

/* The reference is as good as round-off allows; two methods must agree about it, so that no method is measured by
   itself. The finest tolerance is 1e-9, where errors are some hundred times theirs. With a constrained rod, whose
   references agree to 1e-13, a method of order 8 takes twenty steps there: it has the range of known solutions. */
static void orders_on_a_smooth_rod(void **state) {
  static const char *const names[] = {"rod, cosserat", "rod, kirchhoff", "rod, inextensible"};
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    static course reference, other, got;
    reference = run_rod((wy_rod_kind)kind, "dopri5", 1e-13);
    other = run_rod((wy_rod_kind)kind, "radau5", 1e-13);
    outcome agreement = compare(&other, &reference, 1e-13);
    if (!(agreement.error < 1e-11 && agreement.integral < 1e-11))
      fail_msg("%s: two references differ by %.2e, %.2e", names[kind], agreement.error, agreement.integral);
    for (int m = 0; adaptive_method(m); m++) {
      const wy_integrator_type *type = adaptive_method(m);
      outcome runs[MOST_RUNS] = {{0}};
      for (int i = 0; i < MOST_RUNS; i++) {
        const double finer = kind != WY_COSSERAT && declared_order(type) == 8 ? 1e-2 : 1;
        double tolerance = tolerance_of(type, i, 1e-6 * finer, 1e-10 * finer);
        got = run_rod((wy_rod_kind)kind, type->info->name, tolerance);
        runs[i] = compare(&got, &reference, tolerance);
      }
      check_orders(type, names[kind], runs, MOST_RUNS, true);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_on_known_solutions),
                                     cmocka_unit_test(orders_on_a_smooth_rod)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
