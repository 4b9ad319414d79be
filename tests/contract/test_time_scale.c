/* SPDX-License-Identifier: MIT */
/* How fast a rod will move, and steps that are chosen by it: each part of the time scale in a case where it alone
   counts, and rods whose bending is slow but which fall, whip and are driven fast, with the step that the library
   chooses.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"

static const double gravity[3] = {0, 0, -9.81}, two_pi = 6.283185307179586;

/* Length 1, radius 5 mm; stiff enough, or so soft that bending takes for ever. */
static wy_rod_def rod_of(double young) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.005);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(young);
  rod.material.poisson = wy_constant(0.4);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static double scale_of(const wy_rod_def *rod, const wy_load_def *load, const double g[3], double end) {
  wy_model_def def = wy_default_model_def();
  wy_model *model = NULL;
  wy_message message = {0};
  def.rods = rod, def.rod_count = 1;
  def.loads = load, def.load_count = load ? 1 : 0;
  if (g)
    memcpy(def.gravity, g, sizeof def.gravity);
  must(wy_model_create(&def, &model, &message), &message);
  double scale = wy_model_time_scale(model, 0, end);
  wy_model_destroy(model);
  return scale;
}

static void sine(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *a = context; /* amplitude, omega */
  (void)wrt, (void)s;
  jet[0] = a[0] * sin(a[1] * t), jet[1] = a[0] * a[1] * cos(a[1] * t), jet[2] = -a[1] * a[1] * jet[0];
}

/* Periods of Euler's beam with the rod's own ends: 2 pi L^2 / x^2 sqrt(rhoA/EI), sqrt(rhoA/EI) = 2 sqrt(rho/E) / r. */
static void bending_counts_with_its_ends(void **state) {
  static const double roots[3] = {1.875104068711961, 4.730040744862704, 3.141592653589793};
  (void)state;
  for (int c = 0; c < 3; c++) {
    wy_rod_def rod = rod_of(5e9);
    if (c == 1)
      rod.ends[WY_END] = wy_end_clamped();
    if (c == 2)
      rod.ends[WY_START] = rod.ends[WY_END] = wy_end_pinned();
    double period = two_pi / (roots[c] * roots[c]) * 2 * sqrt(1100 / 5e9) / 0.005;
    check_close(scale_of(&rod, NULL, NULL, 1), period, 1e-12 * period);
  }
}

/* Bending of E = 1 takes hours, so that the rest stands alone, but for (scale / period)^2 < 1e-6. */
static void the_rest_counts_where_bending_is_slow(void **state) {
  (void)state;
  wy_rod_def rod = rod_of(1), moving = rod, driven = rod;
  const double mass = 1100 * two_pi / 2 * 0.005 * 0.005, weight[2] = {0.2, 300}, shake[2] = {1e-6, 500};
  check_close(scale_of(&rod, NULL, gravity, 10), sqrt(1 / (2 * 9.81)), 1e-6);
  moving.initial.velocity[1] = wy_constant(3);
  check_close(scale_of(&moving, NULL, NULL, 10), 1.0 / 3, 1e-6);
  moving.ends[WY_START] = wy_end_free(); /* and flies as a whole: nothing bends */
  check_above(scale_of(&moving, NULL, gravity, 10), 1000);
  wy_load_def load = wy_default_load_def();
  load.force[2] = wy_constant(0.2);
  check_close(scale_of(&rod, &load, NULL, 10), sqrt(mass / 0.4), 1e-6);
  /* The force of a sine at 300/s: its frequency beside its work; samples of a run of many periods know it to 5 %. */
  load.force[2] = (wy_signal){0, sine, weight, WY_TIME};
  double want = 1 / sqrt(0.4 / mass + 300 * 300 / (two_pi * two_pi));
  check_close(scale_of(&rod, &load, NULL, 10), want, 0.05 * want);
  driven.ends[WY_START].position[1] = WY_DRIVEN;
  driven.ends[WY_START].path[1] = (wy_signal){0, sine, shake, WY_TIME};
  want = 1 / sqrt(2 * 1e-6 * 500 * 500 + 500 * 500 / (two_pi * two_pi));
  check_close(scale_of(&driven, NULL, NULL, 10), want, 0.05 * want);
}

/* Under gravity, without room for equilibria, which not all schemes have. */
static test_sim fall_until(double end, const wy_rod_def *rod, const wy_load_def *load, const wy_solver_def *solver) {
  test_sim made = {NULL, NULL};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  wy_message message = {0};
  def.rods = rod, def.rod_count = 1;
  def.loads = load, def.load_count = load ? 1 : 0;
  memcpy(def.gravity, gravity, sizeof def.gravity);
  sim.solver = *solver;
  sim.end = end;
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

static test_sim fall(const wy_rod_def *rod, const wy_solver_def *solver) {
  return fall_until(INFINITY, rod, NULL, solver);
}

/* A load, and a driven start, that follow a sine along x, and the same turned in the plane. */
static void axes_do_not_count(void **state) {
  static const double fast[2] = {0.7, 40}, slow[2] = {0.4, 11};
  static const double turned[2][2][2] = {{{0.7 * 0.8, 40}, {0.4 * -0.6, 11}}, {{0.7 * 0.6, 40}, {0.4 * 0.8, 11}}};
  (void)state;
  for (int what = 0; what < 2; what++) {
    double scale[2];
    for (int k = 0; k < 2; k++) {
      wy_rod_def rod = rod_of(5e6);
      wy_load_def load = wy_default_load_def();
      const double *own = what ? slow : fast;
      wy_signal along = {.evaluate = sine, .depends_on = WY_TIME, .context = own}, parts[3] = {along};
      for (int i = 0; i < 2 && k; i++)
        parts[i] = (wy_signal){.evaluate = sine, .depends_on = WY_TIME, .context = turned[i][what]};
      for (int i = 0; i < 3 && what; i++)
        rod.ends[WY_START].position[i] = WY_DRIVEN, rod.ends[WY_START].path[i] = parts[i];
      memcpy(load.force, parts, sizeof parts);
      scale[k] = scale_of(&rod, what ? NULL : &load, NULL, 3);
    }
    check_close(scale[1], scale[0], 1e-12 * scale[0]);
  }
}

/* A soft rod and a steel wire that fall from where they are clamped, with the step that is chosen: by bending alone it
   would be 0.1 s, or 0.014 s; with it no fixed-step method came further than 0.5 s. */
static void falling_rods_go_on_with_the_step_that_is_chosen(void **state) {
  static const struct {
    const char *scheme, *integrator;
    wy_rod_kind kind;
    int segments;
  } methods[] = {{"staggered", "midpoint", WY_COSSERAT, 20}, {"staggered", "gauss4", WY_COSSERAT, 20},
                 {"staggered", "gauss6", WY_KIRCHHOFF, 20},  {"conserving", "auto", WY_COSSERAT, 21},
                 {"mixed", "auto", WY_COSSERAT, 60},         {"box", "auto", WY_INEXTENSIBLE, 126}};
  (void)state;
  for (int wire = 0; wire < 2; wire++)
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
      wy_rod_def rod = rod_of(5e6);
      if (wire) {
        rod.section.radius = wy_constant(0.0005);
        rod.material.density = wy_constant(7850), rod.material.young = wy_constant(2.1e11);
      }
      rod.kind = methods[m].kind, rod.segments = methods[m].segments;
      wy_solver_def solver = wy_default_solver_def();
      solver.scheme = methods[m].scheme, solver.integrator = methods[m].integrator;
      test_sim made = fall(&rod, &solver);
      wy_message message = {0};
      if (wy_sim_advance(made.sim, 0.6, &message))
        fail_msg("%s %s, wire %d: %s", solver.scheme, solver.integrator, wire, message.text);
      double fewest = 0.6 * 100 * sqrt(2 * 9.81) - 1;
      if ((double)wy_sim_statistics(made.sim, 0).steps < fewest)
        fail_msg("%s: %ld steps in 0.6 s; wanted %g", solver.scheme, wy_sim_statistics(made.sim, 0).steps, fewest);
      free_sim(&made);
    }
}

/* A step that is too long for Newton's method goes in pieces to its end, on the grid, and keeps the energy. */
static void a_step_that_is_not_solved_is_divided(void **state) {
  (void)state;
  wy_rod_def rod = rod_of(2.1e11);
  rod.section.radius = wy_constant(0.0005);
  rod.material.density = wy_constant(7850);
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "gauss4";
  solver.first_step = 0.0125;
  test_sim made = fall(&rod, &solver);
  wy_message message = {0};
  double before = wy_sim_energy(made.sim, 0).total, weight = 7850 * two_pi / 2 * 0.0005 * 0.0005 * 9.81;
  for (int k = 1; k <= 40; k++) {
    must(wy_sim_sample(made.sim, 0.0125 * k, &message), &message);
    check_close(wy_sim_statistics(made.sim, 0).reached, 0.0125 * k, 1e-12);
  }
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  check_above(statistics.rejected, 0);
  check_above(statistics.steps, 40);
  check_close(wy_sim_energy(made.sim, 0).total, before, 1e-3 * weight);
  free_sim(&made);
}

static void root(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *end = context;
  (void)wrt, (void)s;
  jet[0] = 1e-3 * sqrt(*end - t), jet[1] = jet[2] = NAN;
}

/* The same with a step that is a thousand times too long and that the end of the run cuts: the pieces are those of
   what is left of it, and what a load would be beyond the end does not matter. */
static void a_step_that_is_cut_is_divided(void **state) {
  (void)state;
  static const double end = 0.1;
  wy_rod_def rod = rod_of(2.1e11);
  rod.section.radius = wy_constant(0.0005);
  rod.material.density = wy_constant(7850);
  wy_load_def load = wy_default_load_def();
  load.force[1] = (wy_signal){0, root, &end, WY_TIME};
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "gauss4";
  solver.first_step = 1000;
  test_sim made = fall_until(end, &rod, &load, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, end, &message), &message);
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  /* Every failure halves what is tried, down to the shortest piece; pieces that grow again may fail once each. */
  assert_true(statistics.rejected > 0 && statistics.steps > 1);
  check_at_most(statistics.rejected, 10 + statistics.steps / 8);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bending_counts_with_its_ends),
      cmocka_unit_test(the_rest_counts_where_bending_is_slow),
      cmocka_unit_test(axes_do_not_count),
      cmocka_unit_test(falling_rods_go_on_with_the_step_that_is_chosen),
      cmocka_unit_test(a_step_that_is_not_solved_is_divided),
      cmocka_unit_test(a_step_that_is_cut_is_divided),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
