/* SPDX-License-Identifier: MIT */
/* The integrators of SUNDIALS beyond what test_integrators.c asks of all: norms and linear algebra are withy's own;
   rods of all kinds end where RADAU5 takes them, whatever happens on the way; energies balance; a restored multistep
   method goes on within its tolerance; nothing is allocated in a step, and nothing printed. Without SUNDIALS: what the
   user is told. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "support/toy.h"
#include "support/ways.h"
#include "withy/sundials.h"
#ifdef WY_HAVE_SUNDIALS
#include "sundials/bridge.h"
#endif

static const double gravity[3] = {0, 0, -9.81};

static const wy_integrator_type *method(int index) {
  return wy_sundials()->types[index];
}

static void need_sundials(void) {
  if (!method(0))
    skip();
}

/* ---- The part as a whole ---- */

/* Three names, built or not; what was not built is refused with what to install. */
static void the_names_are_known(void **state) {
  static const char *const names[] = {"ida", "cvode", "bs23"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    wy_solver_def solver = wy_default_solver_def();
    wy_message message = {0};
    solver.more = wy_sundials();
    solver.integrator = names[i];
    wy_status status = wy_method_possible(&solver, WY_COSSERAT, &message);
    assert_int_equal(status, method(0) ? WY_OK : WY_ERROR_SUPPORT);
    if (status)
      assert_non_null(strstr(message.text, "libsundials-dev"));
    assert_true(wy_method_is_multistep(&solver) == (method(0) && i < 2));
    solver.more = NULL; /* the library itself has none of them */
    assert_int_equal(wy_method_possible(&solver, WY_COSSERAT, &message), WY_ERROR_SUPPORT);
  }
}

#ifdef WY_HAVE_SUNDIALS

/* A bridge to the system of a toy or rod, with vectors of noise. */
static void noisy(N_Vector v, int n, unsigned seed) {
  for (int i = 0; i < n; i++)
    wy_vector_data(v)[i] = noise(&seed);
}

/* N_VWrmsNorm with the error weights is wy_weighted_norm, up to the order of sums and to e / w against e * (1 / w):
   for both ways to measure. Entries that do not count may hold anything finite; one NaN in any other is seen. */
static void norms_are_those_of_withy(void **state) {
  (void)state;
  static const wy_rod_kind kinds[] = {WY_COSSERAT, WY_KIRCHHOFF};
  bool by_points = false, by_mean = false;
  for (int i = 0; i < 2; i++) {
    wy_rod_def rod = rubber_rod(11);
    rod.kind = kinds[i];
    wy_model_def def = wy_default_model_def();
    def.rods = &rod, def.rod_count = 1;
    wy_solver_def solver = wy_default_solver_def();
    test_system made = make_system(&def, &solver);
    wy_integrator integrator = {.type = method(0),
                                .system = made.system,
                                .relative = 1e-3,
                                .absolute = 1e-5,
                                .size = made.system->size + WY_LANES};
    wy_bridge bridge;
    assert_int_equal(wy_bridge_open(&bridge, &integrator), 0);
    N_Vector weights = N_VClone(bridge.y);
    noisy(bridge.y, integrator.size, 1);
    noisy(bridge.yp, integrator.size, 2);
    assert_int_equal(wy_bridge_weights(bridge.y, weights, &bridge), 0);
    const double *y = wy_vector_data(bridge.y), *e = wy_vector_data(bridge.yp);
    double want = wy_weighted_norm(&integrator, integrator.relative, integrator.absolute, e, y, y);
    check_close(N_VWrmsNorm(bridge.yp, weights), want, 1e-14 * want);
    for (int k = 0; k < made.system->size; k++)
      if (made.system->weight[k] == 0)
        wy_vector_data(bridge.yp)[k] = 1e200;
    check_close(N_VWrmsNorm(bridge.yp, weights), want, 1e-14 * want);
    check_at_most(N_VMaxNorm(bridge.yp), 1);
    for (int k = 0; k < made.system->size; k++)
      if (made.system->weight[k] > 0) {
        double kept = wy_vector_data(bridge.yp)[k];
        wy_vector_data(bridge.yp)[k] = (double)NAN;
        assert_true(isnan(N_VWrmsNorm(bridge.yp, weights)));
        wy_vector_data(bridge.yp)[k] = kept;
      }
    by_points |= made.system->norm_count > 0;
    by_mean |= made.system->norm_count == 0;
    N_VDestroy(weights);
    wy_bridge_close(&bridge);
    free_system(&made);
  }
  assert_true(by_points && by_mean);
}

/* (sigma - J) x = scale b, with the Jacobian of the toy: what the linear solver gives is multiplied out again. J has
   entries of about 3, so that round-off is some units of 1e-15. */
static void the_linear_solver_is_that_of_the_system(void **state) {
  (void)state;
  toy made;
  double j[4], t = 0.5;
  toy_create(&made, &toy_spin, method(0), 1e-6);
  wy_bridge bridge;
  assert_int_equal(wy_bridge_open(&bridge, &made.integrator), 0);
  noisy(bridge.y, 2, 3);
  noisy(bridge.yp, 2, 4);
  N_Vector x = N_VClone(bridge.y);
  assert_int_equal(wy_bridge_jacobian(&bridge, t, bridge.y), 0);
  toy_spin.jacobian(t, wy_vector_data(bridge.y), j);
  for (int i = 0; i < 2; i++) {
    bridge.sigma = i ? 40 : 7;
    bridge.scale = i ? 40 : 1;
    assert_int_equal(SUNLinSolSetup(bridge.linear, bridge.matrix), 0);
    assert_int_equal(SUNLinSolSolve(bridge.linear, bridge.matrix, x, bridge.yp, 0), 0);
    const double *got = wy_vector_data(x), *b = wy_vector_data(bridge.yp);
    for (int row = 0; row < 2; row++)
      check_close((bridge.sigma * got[row] - j[2 * row] * got[0] - j[2 * row + 1] * got[1]) / bridge.scale, b[row],
                  1e-14);
  }
  N_VDestroy(x);
  wy_bridge_close(&bridge);
  toy_destroy(&made);
}

/* Combinations of vectors, also into one of them, against plain sums. */
static void vectors_are_combined(void **state) {
  (void)state;
  toy made;
  enum { COUNT = 6, SIZE = 2 * WY_LANES };
  double c[COUNT], want[SIZE] = {0};
  N_Vector x[COUNT];
  toy_create(&made, &toy_spin, method(0), 1e-6);
  wy_bridge bridge;
  assert_int_equal(wy_bridge_open(&bridge, &made.integrator), 0);
  for (int k = 0; k < COUNT; k++) {
    x[k] = N_VClone(bridge.y);
    noisy(x[k], SIZE, (unsigned)k + 1);
    c[k] = 0.3 * k - 0.7;
    for (int i = 0; i < SIZE; i++)
      want[i] += c[k] * wy_vector_data(x[k])[i];
  }
  assert_int_equal(N_VLinearCombination(COUNT, c, x, bridge.y), 0);
  assert_int_equal(N_VLinearCombination(COUNT, c, x, x[0]), 0);
  for (int i = 0; i < SIZE; i++) {
    check_close(wy_vector_data(bridge.y)[i], want[i], 1e-15 * COUNT);
    check_close(wy_vector_data(x[0])[i], want[i], 1e-15 * COUNT);
  }
  for (int k = 0; k < COUNT; k++)
    N_VDestroy(x[k]);
  wy_bridge_close(&bridge);
  toy_destroy(&made);
}

#endif

/* ida factors once for every Jacobian, cvode reuses some of them, and both take one solve and one evaluation of f for
   an iteration: none is lost to the statistics. bs23 needs three evaluations an attempt. */
static void statistics_add_up(void **state) {
  (void)state;
  need_sundials();
  for (int m = 0; method(m); m++) {
    toy made;
    wy_message message = {0};
    toy_create(&made, &toy_spin, method(m), 1e-6);
    must(wy_drive_to(&made.integrator, 3, 3, &message), &message);
    const wy_statistics *s = &made.integrator.now->statistics;
    const long attempts = s->steps + s->rejected, start = 3; /* f, first step; cvode asks for f once more */
    if (method(m)->info->multistep) {
      assert_true(s->jacobians > 0 && s->jacobians < attempts / 2);
      assert_true(m == 0 ? s->factorisations == s->jacobians : s->factorisations > s->jacobians);
      check_at_least(s->newton_iterations, attempts);
      check_at_least(s->rhs, s->newton_iterations);
      check_at_most(s->rhs, s->newton_iterations + s->rejected + start);
      assert_int_equal(s->quadrature, s->steps);
    } else {
      assert_int_equal(s->rhs, 3 * attempts + 2);
      assert_int_equal(s->quadrature, 0);
    }
    toy_destroy(&made);
  }
}

/* A jump that no step can resolve: every attempt at it counts once, with three evaluations. */
static void cliff_rhs(double t, const double *u, double *f) {
  (void)u;
  f[0] = t > 0 ? 1e100 : 0;
}

static void cliff_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void statistics_of_a_failure_add_up(void **state) {
  (void)state;
  need_sundials();
  const toy_problem cliff = {1, cliff_rhs, cliff_jacobian, {1}, NULL};
  toy made;
  wy_message message = {0};
  toy_create_with(&made, &cliff, method(2), &(toy_options){.tolerance = 1e-8, .first_step = 1}); /* bs23 */
  assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_ERROR_SOLVER);
  const wy_statistics *s = &made.integrator.now->statistics;
  assert_true(s->steps == 0 && s->rejected > 10);
  assert_int_equal(s->rhs, 3 * s->rejected + 1);
  toy_destroy(&made);
}

/* ---- Rods ---- */

/* All methods lead to where RADAU5 does. Local errors of a tolerance add up over some hundred steps, half of them with
   either sign: some ten tolerances, and RADAU5's own are far below. So are strains that are
   held at zero by Baumgarte's terms, and the energy balance; a release takes some energy away, that of strains which
   the support held, whatever the integrator. */
static void rods_end_where_radau5_takes_them(void **state) {
  static const double tolerance = 1e-7, factor = 30;
  (void)state;
  need_sundials();
  for (int k = 0; k < WAYS; k++) {
    way_end want = run_way(&ways[k], "radau5", 1e-10);
    print_message("radau5  %-24s balance %.1e, steps %ld\n", ways[k].name, want.energy_error, want.statistics.steps);
    for (int m = 0; method(m); m++) {
      way_end got = run_way(&ways[k], method(m)->info->name, tolerance);
      check_way_end(&ways[k], method(m)->info->name, &got, &want, factor * tolerance);
    }
  }
}

/* Which is not because the comparison is blind: at a loose tolerance errors show. */
static void looser_tolerances_show(void **state) {
  (void)state;
  need_sundials();
  way_end want = run_way(&ways[0], "radau5", 1e-10);
  for (int m = 0; method(m) && method(m)->info->multistep; m++) {
    double last = 1;
    for (int k = 3; k <= 9; k += 3) {
      way_end got = run_way(&ways[0], method(m)->info->name, pow(10, -k));
      double error = fmax(fabs(got.tip[0] - want.tip[0]), fabs(got.tip[2] - want.tip[2]));
      print_message("%-7s tolerance 1e-%d: error %.1e, balance %.1e, steps %ld\n", method(m)->info->name, k, error,
                    got.energy_error, got.statistics.steps);
      check_below(error, 0.1 * last);
      check_above(error, 1e-13);
      last = error;
    }
  }
}

/* What is held at zero, and quaternions of length one, stay so at the level of the tolerance, over ten swings: the
   published pendulum with Baumgarte's terms. */
static void constraints_are_kept(void **state) {
  static const double tolerance = 1e-6;
  (void)state;
  need_sundials();
  for (int m = 0; method(m) && method(m)->info->multistep; m++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      wy_rod_def rod = rubber_rod(8);
      wy_solver_def solver = wy_default_solver_def();
      wy_message message = {0};
      solver.more = wy_sundials();
      solver.integrator = method(m)->info->name;
      solver.staggered.coordinates = (wy_coordinates)form;
      solver.relative_tolerance = solver.absolute_tolerance = tolerance;
      test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
      double worst = 0;
      for (int k = 1; k <= 40; k++) {
        must(wy_sim_sample(made.sim, 0.1 * k, &message), &message);
        const wy_points *frames = &wy_sim_view(made.sim, 0)->frame;
        for (int i = 0; i < frames->count; i++) {
          const double *p = frames->values + 4 * i;
          worst = fmax(worst, fabs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1));
        }
      }
      wy_statistics s = wy_sim_statistics(made.sim, 0);
      print_message("%-7s form %d: frames %.1e, drift %.1e\n", method(m)->info->name, form, worst, s.quaternion_drift);
      check_below(worst, 1e-12);
      check_below(s.quaternion_drift, 100 * tolerance);
      assert_true(s.projection_energy == 0); /* what is shown is projected, the motion is not */
      free_sim(&made);
    }
}

/* ---- Restarts ---- */

/* A snapshot in the middle of a step that is shown: what is shown is the same, bit for bit; what follows is the same
   for bs23, and within what the tolerance allows for the others, which start anew. */
static void a_snapshot_continues(void **state) {
  static const double tolerance = 1e-7;
  (void)state;
  need_sundials();
  for (int m = 0; method(m); m++) {
    const way *w = &ways[1];
    wy_message message = {0};
    test_sim first = make_way(w, method(m)->info->name, tolerance),
             second = make_way(w, method(m)->info->name, tolerance);
    static char snapshot[1 << 20];
    double a[4], b[4], length = wy_model_rod(first.model, 0)->length;
    must(wy_sim_sample(first.sim, 0.513, &message), &message);
    must(wy_sim_save(first.sim, snapshot, sizeof snapshot, &message), &message);
    must(wy_sim_restore(second.sim, snapshot, sizeof snapshot, &message), &message);
    for (int k = 0; k <= 5; k++) {
      if (k > 0) {
        must(wy_sim_sample(first.sim, 0.513 + 0.1 * k, &message), &message);
        must(wy_sim_sample(second.sim, 0.513 + 0.1 * k, &message), &message);
      }
      must(wy_sim_probe(first.sim, WY_POSITION, 0, length, a, &message), &message);
      must(wy_sim_probe(second.sim, WY_POSITION, 0, length, b, &message), &message);
      for (int i = 0; i < 3; i++)
        check_close(b[i], a[i], k == 0 || !method(m)->info->multistep ? 0 : 30 * tolerance);
    }
    wy_energy x = wy_sim_energy(first.sim, 0), y = wy_sim_energy(second.sim, 0);
    check_close(y.work, x.work, method(m)->info->multistep ? 30 * tolerance : 0);
    check_close(y.dissipated, x.dissipated, method(m)->info->multistep ? 30 * tolerance : 0);
    free_sim(&first);
    free_sim(&second);
  }
}

/* ---- Failures ---- */

/* A load turns NaN: the run ends with a message that says so, the state before is kept, and SUNDIALS prints nothing. */
static void failures_are_told_by_withy_alone(void **state) {
  (void)state;
  need_sundials();
  char name[] = "/tmp/withy-stderr-XXXXXX", printed[200] = "";
  int file = mkstemp(name), saved = dup(STDERR_FILENO);
  check_at_least(file, 0);
  check_at_least(saved, 0);
  fflush(stderr);
  dup2(file, STDERR_FILENO);
  char text[8][sizeof((wy_message *)0)->text] = {""};
  double reached[8] = {0};
  for (int m = 0; method(m); m++) {
    wy_rod_def rod = rich_rod(6);
    wy_load_def load = wy_default_load_def();
    wy_solver_def solver = wy_default_solver_def();
    wy_message message = {0};
    rod.ends[WY_START] = wy_end_clamped();
    load.force[1] = turns_nan();
    solver.more = wy_sundials();
    solver.integrator = method(m)->info->name;
    test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
    wy_status status = wy_sim_advance(made.sim, 1, &message);
    snprintf(text[m], sizeof text[m], "%s", status == WY_ERROR_SOLVER ? message.text : "no failure");
    reached[m] = wy_sim_time(made.sim);
    free_sim(&made);
  }
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  ssize_t count = pread(file, printed, sizeof printed - 1, 0);
  close(file), close(saved), unlink(name);
  assert_string_equal(printed, "");
  assert_int_equal(count, 0);
  for (int m = 0; method(m); m++) {
    print_message("%s\n", text[m]);
    assert_non_null(strstr(text[m], "not finite"));
    assert_non_null(strstr(text[m], method(m)->info->name));
    check_close(reached[m], 0.5, 1e-3);
  }
}

/* ---- Memory ---- */

static void nothing_is_allocated_in_a_step(void **state) {
  (void)state;
  need_sundials();
#ifdef COUNTS_ALLOCATIONS
  static const double push[3] = {0.1, 0.2, 0};
  for (int m = 0; method(m); m++)
    for (int k = 0; k < WAYS; k++) {
      test_sim made = make_way(&ways[k], method(m)->info->name, 1e-4);
      wy_message message = {0};
      long before = allocations;
      for (int i = 0; i < 20; i++)
        must(wy_sim_step(made.sim, &message), &message);
      must(wy_sim_advance(made.sim, wy_sim_time(made.sim) + 0.5, &message), &message); /* past the release */
      must(wy_sim_set_load(made.sim, 0, push, NULL, &message), &message);
      must(wy_sim_sample(made.sim, wy_sim_time(made.sim) + 0.1, &message), &message);
      read_save_and_restore(made.sim);
      must(wy_sim_sample(made.sim, wy_sim_time(made.sim) + 0.1, &message), &message);
      assert_int_equal(allocations - before, 0);
      free_sim(&made);
    }
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_names_are_known),
#ifdef WY_HAVE_SUNDIALS
                                     cmocka_unit_test(norms_are_those_of_withy),
                                     cmocka_unit_test(the_linear_solver_is_that_of_the_system),
                                     cmocka_unit_test(vectors_are_combined),
#endif
                                     cmocka_unit_test(statistics_add_up),
                                     cmocka_unit_test(statistics_of_a_failure_add_up),
                                     cmocka_unit_test(rods_end_where_radau5_takes_them),
                                     cmocka_unit_test(looser_tolerances_show),
                                     cmocka_unit_test(constraints_are_kept),
                                     cmocka_unit_test(a_snapshot_continues),
                                     cmocka_unit_test(failures_are_told_by_withy_alone),
                                     cmocka_unit_test(nothing_is_allocated_in_a_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
