/* Viscoelastic rods with known answers, by all schemes: relaxation and creep of the standard linear solid, the
   long-term stiffness that equilibria see, and Kelvin-Voigt as the limit of short times (docs/theory/mixed.md).

   labels: slow */
#include <string.h>

#include "check.h"
#include "support/published.h"

/* The staggered scheme, and the mixed one of order 1 and 2. */
enum { STAGGERED, SCHEMES = 3 };

static wy_solver_def solver_of(int scheme, double step) {
  wy_solver_def solver = mixed_solver(scheme ? scheme : 2, step);
  if (scheme == STAGGERED) {
    solver = wy_default_solver_def();
    solver.relative_tolerance = solver.absolute_tolerance = 1e-7;
  }
  return solver;
}

/* Stiffness 1 in the long run, 2 in a branch of time 0.5. */
static const double long_term = 1, of_branch = 2, time_of_branch = 0.5;
static const wy_maxwell branch = {.share = 2.0 / 3, .time = 0.5};

/* A light rod that is clamped and twisted: its inertia is too small to matter. */
static example twisted_rod(wy_rod_kind kind) {
  example e = {.rod = wy_default_rod_def()};
  e.rod.kind = kind;
  e.rod.segments = 4;
  e.rod.length = 1;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(i < 3 ? 100 : long_term + of_branch);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(i ? 1e-7 : 1e-3);
  e.rod.inertia[3] = wy_constant(2e-7);
  e.rod.maxwell = &branch;
  e.rod.maxwell_count = 1;
  e.rod.ends[WY_START] = wy_end_clamped();
  return e;
}

/* What is put on, smoothly, by t = 0.2: 0.3 in the end. */
static const char ramp[] = "t < 0.2 ? 0.5*(1 - cos(5*pi*t)) : 1";
static double ramp_rate(double t) {
  const double pi = 3.14159265358979323846;
  return t < 0.2 ? 2.5 * pi * sin(5 * pi * t) : 0;
}

/* The answer to a unit step at time t after it. */
static double relaxation(double t) {
  return long_term + of_branch * exp(-t / time_of_branch);
}

static double creep(double t) {
  double total = long_term + of_branch;
  return 1 / long_term - of_branch / (long_term * total) * exp(-t / (time_of_branch * total / long_term));
}

/* The answer to 0.3 times the ramp: superposed, by Simpson's rule with an error below 1e-9. */
static double superposed(double (*answer)(double t), double t) {
  enum { PANELS = 400 };
  double sum = 0, end = fmin(t, 0.2), h = end / PANELS;
  for (int i = 0; i <= PANELS; i++)
    sum += (i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2) * answer(t - i * h) * ramp_rate(i * h);
  return 0.3 * sum * h / 3;
}

static void closed_forms_are_those_of_the_reference(void **state) {
  (void)state;
  check_close(0.3 * relaxation(0), 0.9, 1e-12);
  check_close(0.3 * relaxation(0.5), 0.5207276647, 1e-10);
  check_close(0.3 * creep(0), 0.1, 1e-12);
  check_close(0.3 * creep(1.5), 0.2264241118, 1e-10);
}

/* The midpoint rule has an error of (h / time)^2 / 12, 3e-5; radau5 none to speak of. What swings has an amplitude of
   2e-7 * 40. */
static void moments_relax(void **state) {
  (void)state;
  for (int scheme = 0; scheme < SCHEMES; scheme++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      example e = twisted_rod((wy_rod_kind)kind);
      e.rod.ends[WY_END].rotation = WY_DRIVEN;
      e.rod.ends[WY_END].axis[0] = 1;
      e.rod.ends[WY_END].angle = example_signal(&e, ramp, 0.3);
      wy_solver_def solver = solver_of(scheme, 0.01);
      test_sim made = simulate(&e, &solver);
      wy_message message = {0};
      for (int k = 1; k <= 4; k++) {
        double moment[4], want = superposed(relaxation, 0.25 * k);
        must(wy_sim_advance(made.sim, 0.25 * k, &message), &message);
        probe(&made, WY_MOMENT, 0.5, moment);
        /* elements of order 1 show sin(0.075) of a turn by 0.075, at most */
        if (!(fabs(moment[2] - want) <= 0.9 * (1e-4 + (scheme == STAGGERED ? 2e-3 : pow(0.075, 2 * scheme)))))
          fail_msg("scheme %d, model %d, t = %g: moment %.9g, want %.9g", scheme, kind, 0.25 * k, moment[2], want);
      }
      free_sim(&made);
      free_example(&e);
    }
}

/* At the ends of steps the midpoint rule swings about the equilibrium of so light a rod, by h^2 / 8 times the jumps of
   the second derivative where the ramp begins and ends: twice 12 h^2 / 8, 2e-5. */
static void twists_creep(void **state) {
  (void)state;
  for (int scheme = 0; scheme < SCHEMES; scheme++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      example e = twisted_rod((wy_rod_kind)kind);
      e.load_count = 1;
      e.loads[0] = wy_default_load_def();
      e.loads[0].place = WY_AT_END;
      e.loads[0].moment[0] = example_signal(&e, ramp, 0.3);
      wy_solver_def solver = solver_of(scheme, 0.0025);
      test_sim made = simulate(&e, &solver);
      wy_message message = {0};
      for (int k = 1; k <= 4; k++) {
        double twist[4], want = superposed(creep, 0.5 * k);
        must(wy_sim_advance(made.sim, 0.5 * k, &message), &message);
        probe(&made, WY_CURVATURE, 0.5, twist);
        if (!(fabs(twist[2] - want) <= 0.3 * (1e-4 + (scheme == STAGGERED ? 2e-3 : pow(0.075, 2 * scheme)))))
          fail_msg("scheme %d, model %d, t = %g: twist %.9g, want %.9g", scheme, kind, 0.5 * k, twist[2], want);
      }
      wy_energy energy = wy_sim_energy(made.sim, 0);
      assert_true(energy.dissipated > 0);
      check_close(energy.total, energy.work - energy.dissipated, 1e-6);
      free_sim(&made);
      free_example(&e);
    }
}

/* ---- Equilibria ---- */

static void equilibria_see_the_long_term_stiffness(void **state) {
  (void)state;
  static const wy_maxwell branches[2] = {{0.3, 0.1}, {0.2, 2}};
  for (int scheme = 0; scheme < SCHEMES; scheme++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      double tip[2][4], omega[2];
      for (int i = 0; i < 2; i++) {
        example e = twisted_rod((wy_rod_kind)kind);
        e.rod.maxwell = branches;
        e.rod.maxwell_count = i ? 0 : 2;
        for (int k = 0; k < 6; k++)
          e.rod.stiffness[k] = wy_constant((k < 3 ? 100 : 2) * (i ? 0.5 : 1));
        e.load_count = 1;
        e.loads[0] = wy_default_load_def();
        e.loads[0].place = WY_AT_END;
        e.loads[0].force[2] = wy_constant(0.4);
        wy_solver_def solver = solver_of(scheme, 0.01);
        test_sim made = simulate(&e, &solver);
        wy_message message = {0};
        must(wy_sim_settle(made.sim, 0, &message), &message);
        probe(&made, WY_POSITION, 1, tip[i]);
        wy_mode_set *modes = NULL;
        must(wy_sim_modes(made.sim, 0, 1, &modes, &message), &message);
        omega[i] = modes->omega[0];
        wy_mode_set_destroy(modes);
        free_sim(&made);
      }
      for (int k = 0; k < 3; k++)
        check_close(tip[0][k], tip[1][k], 1e-8);
      check_close(omega[0] / omega[1], 1, 1e-6);
      assert_true(tip[0][2] > 0.1);
    }
}

/* ---- Kelvin-Voigt as a limit ---- */

/* A swinging rod with damping = 0.02 * stiffness, or with a branch that is `factor` times as stiff and has 0.02 over
   `factor` as its time. */
static double swung(int scheme, double factor) {
  const wy_maxwell stiff = {.share = factor / (1 + factor), .time = 0.02 / factor};
  static const double force = 0.3;
  example e = twisted_rod(WY_COSSERAT);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(i == 0 ? 0.5 : i == 3 ? 2e-3 : 1e-3);
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant((i < 3 ? 40 : 1) * (1 + factor));
  e.rod.maxwell = &stiff;
  e.rod.maxwell_count = factor > 0 ? 1 : 0;
  if (factor == 0) {
    e.rod.damping.kind = WY_DAMPING_TIME;
    e.rod.damping.time = wy_constant(0.02);
  }
  e.load_count = 1;
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  e.loads[0].force[1] = wy_constant(force);
  wy_solver_def solver = solver_of(scheme, 0.005);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 1, &message), &message);
  double tip[4];
  probe(&made, WY_POSITION, 1, tip);
  free_sim(&made);
  return tip[1];
}

static void short_times_are_kelvin_and_voigt(void **state) {
  (void)state;
  for (int scheme = 0; scheme < SCHEMES; scheme++) {
    double limit = swung(scheme, 0), near = swung(scheme, 40) - limit, nearer = swung(scheme, 80) - limit;
    print_message("scheme %d: tip %.6f, with branches %+.2e, %+.2e\n", scheme, limit, near, nearer);
    assert_true(fabs(near) < 2e-3);     /* the times are 5e-4 and 2.5e-4, the velocity is of order 1 */
    check_close(near / nearer, 2, 0.2); /* and the difference is of first order in them */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms_are_those_of_the_reference),
      cmocka_unit_test(moments_relax),
      cmocka_unit_test(twists_creep),
      cmocka_unit_test(equilibria_see_the_long_term_stiffness),
      cmocka_unit_test(short_times_are_kelvin_and_voigt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
