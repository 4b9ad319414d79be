/* SPDX-License-Identifier: MIT */
/* Material laws in the staggered scheme. What every scheme owes its users: linear systems are solved with the
   derivative of the right-hand side, the power balance holds, the undeformed rod rests, tangents of equilibria are
   derivatives. And what follows exactly from the law: circles, stretched and pressed rods, their frequencies and
   critical loads; energy that is kept; and the motion that another scheme finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/scheme_checks.h"

static const double pi = 3.14159265358979323846;

/* ---- The contract ---- */

static const wy_law laws[] = {{.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.8},
                              {.kind = WY_STIFFENING_LAW, .compression = false, .bending = 2.5},
                              {.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0}};
enum { LAWS = 3 };

static const char *const kind_names[] = {"cosserat", "kirchhoff", "inextensible"};

typedef struct variant {
  int kind, form, ends, measure, law, actuators;
  bool implicit, loaded, damped;
} variant;

static test_system make_variant(const variant *v, char name[128]) {
  wy_rod_def rod = rich_rod(v->ends % 2 ? 6 : 9);
  rod.kind = (wy_rod_kind)v->kind;
  rod.law = laws[v->law];
  hold_ends(&rod, v->ends);
  if (!v->damped)
    rod.damping.kind = WY_UNDAMPED;
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = (wy_curvature_measure)v->measure;
  solver.staggered.coordinates = (wy_coordinates)v->form;
  snprintf(name, 128, "%s, %s, measure %d, %s, law %d, %d actuators, %s", kind_names[v->kind], end_pair_names[v->ends],
           v->measure, v->form ? "absolute" : "null space", v->law, v->actuators,
           v->implicit ? "implicit" : "explicit");
  const rich_surroundings with = {.loaded = v->loaded, .implicit = v->implicit, .actuators = v->actuators};
  return make_rich_system(&rod, &with, &solver);
}

typedef void case_check(const test_system *made, const char *name);

/* All kinds, forms, measures and laws; free, pinned, clamped and driven ends; some are damped, some have actuators. */
static void for_all_cases(case_check *check, bool implicit, bool loaded, int first_ends, int last_ends) {
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++)
      for (int ends = first_ends; ends <= last_ends; ends++)
        for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
          for (int law = 0; law < LAWS; law++) {
            int actuators = loaded ? (ends + law) % 3 : 0;
            variant v = {kind, form, ends, measure, law, actuators, implicit, loaded, (measure + law) % 3 != 0};
            char name[128];
            test_system made = make_variant(&v, name);
            check(&made, name);
            free_system(&made);
          }
}

/* Away from the undeformed rod, but every v3 above 1/2; projected until the constraints are met. */
static void some_state(const test_system *made, double t, unsigned seed, double *u) {
  near_state(made, 0.05, t, seed, u);
}

/* The error of differences is about step^4 f^(5) + eps f / step: f comes to 1e5 where the driven end bends the rod
   sharply and the law multiplies its moments, so that round-off rules: 2e-8 times x. */
static const double difference = 1e-3;

static void check_solve(const test_system *made, const char *name) {
  double *u = state_array(made);
  for (unsigned seed = 1; seed < 3; seed++) {
    if (seed % 2)
      some_state(made, 0.3, seed, u);
    else /* off the manifold, where the iterates of Newton's method are */
      disturbed_state(made, 0.03, seed, u);
    check_solves(made, name, 0.3, u, (const unsigned[2]){seed, seed + 9},
                 &(solve_check){.step = difference, .least = 1e-7, .of_solution = 1e-8});
  }
  free(u);
}

static void linear_systems_are_solved_with_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_solve, true, true, 0, 3);
}

static void check_power(const test_system *made, const char *name) {
  double *u = state_array(made);
  some_state(made, 0.3, 13, u);
  check_power_balance(made, name, 0.3, u, 1e-5);
  free(u);
}

static void power_is_balanced(void **state) {
  (void)state;
  for_all_cases(check_power, false, true, 0, 3);
}

/* Precurved, twisted and tapered: to a few hundred round-offs of stiffness / (mass length) of order 1e2. */
static void check_rest(const test_system *made, const char *name) {
  check_undeformed_rests(made, name, 2e-13);
}

static void the_undeformed_rod_rests(void **state) {
  (void)state;
  for_all_cases(check_rest, false, false, 0, 2);
}

static void tangents_are_derivatives(void **state) {
  (void)state;
  for_all_cases(check_tangent, true, true, 1, 3);
}

/* A stiffening law without stiffening is the linear one: the same right-hand side, to round-off. */
static void nothing_stiffens_without_parameters(void **state) {
  (void)state;
  wy_rod_def rod = rich_rod(9);
  wy_model_def model = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  model.rods = &rod, model.rod_count = 1;
  test_system linear = make_explicit_system(&model, &solver);
  rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = false, .bending = 0};
  test_system stiffening = make_explicit_system(&model, &solver);
  double *u = state_array(&linear), *want = state_array(&linear), *got = state_array(&linear);
  disturbed_state(&linear, 0.1, 3, u);
  linear.system->type->rhs(linear.system, 0, u, want, NULL);
  stiffening.system->type->rhs(stiffening.system, 0, u, got, NULL);
  compare_vectors("stiffening by nothing", "rates", got, want, linear.system->size, 1e-15);
  free(u), free(want), free(got);
  free_system(&linear), free_system(&stiffening);
}

static void branches_are_linear(void **state) {
  (void)state;
  const wy_maxwell branch = {0.5, 1};
  wy_rod_def rod = rich_rod(9);
  rod.law = laws[0];
  rod.maxwell = &branch, rod.maxwell_count = 1;
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim_def = wy_default_sim_def();
  wy_model *model;
  wy_sim *sim;
  wy_message message = {0};
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0].law");
  assert_non_null(strstr(message.text, "maxwell"));
  wy_model_destroy(model);
}

/* ---- Equilibria ---- */

static const double stretching = 5, bending = 0.02;

/* Round and uniform; bending and torsion have the same stiffness, so that a moment winds the rod into a helix. */
static wy_rod_def plain_rod(wy_rod_kind kind, int segments, wy_law law) {
  wy_rod_def rod = wy_default_rod_def();
  const double stiffness[6] = {2, 2, stretching, bending, bending, bending}, inertia[4] = {1, 0.01, 0.01, 0.02};
  rod.kind = kind;
  rod.segments = segments;
  rod.length = 1;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.ends[0] = wy_end_clamped();
  rod.law = law;
  return rod;
}

static test_sim settled(const wy_rod_def *rod, const wy_load_def *load) {
  wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  solver.staggered.curvature_measure = WY_ANGLE; /* exact in a helix */
  test_sim made = make_sim(rod, load, 1, &solver, NULL);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  return made;
}

/* A moment EI k (1 + b |k|^2), in directors, gives the curvature k everywhere: to the tolerance of Newton's method,
   1e-10, times the whole angle. */
static void moments_wind_circles_and_helices(void **state) {
  (void)state;
  const double turns[2][3] = {{0, 5, 0}, {3, 0, 4}}, b = 0.06;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int i = 0; i < 2; i++) {
      wy_rod_def rod =
          plain_rod((wy_rod_kind)kind, 12, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = b});
      wy_load_def load = wy_default_load_def();
      load.place = WY_AT_END, load.axes = WY_BODY_AXES;
      for (int k = 0; k < 3; k++)
        load.moment[k] = wy_constant(bending * turns[i][k] * (1 + b * 25));
      test_sim made = settled(&rod, &load);
      const wy_view *view = wy_sim_view(made.sim, 0);
      for (int j = 0; j < 3 * view->curvature.count; j++) {
        check_close(view->curvature.values[j], turns[i][j % 3], 1e-8);
        check_close(view->moment.values[j], load.moment[j % 3].value, 1e-8 * bending * 10); /* with the stiffness */
      }
      check_close(wy_sim_energy(made.sim, 0).elastic, bending * (25 / 2.0 + b * 625 / 4.0), 1e-8);
      free_sim(&made);
    }
}

/* A force that follows the free end shows where the rod points there, half a segment beyond the last frame: after the
   whole circle's angle, up to what the force itself bends, 1e-4 / 3. By the linear law the moment would turn the half
   segment by 0.3 more. */
static void the_free_end_bends_by_the_law(void **state) {
  (void)state;
  const double k = 5, b = 0.06, small = 1e-4 * bending;
  wy_rod_def rod = plain_rod(WY_COSSERAT, 12, (wy_law){.kind = WY_STIFFENING_LAW, .compression = false, .bending = b});
  rod.shape.direction[0] = 1, rod.shape.d1[2] = 1;
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END, load.axes = WY_BODY_AXES;
  load.force[2] = wy_constant(small);
  load.moment[1] = wy_constant(bending * k * (1 + b * k * k));
  test_sim made = settled(&rod, &load);
  const double *reaction = wy_sim_view(made.sim, 0)->ends[WY_START].reaction_force;
  check_close(-reaction[0] / small, cos(k), 1e-4);
  check_close(-reaction[2] / small, sin(k), 1e-4);
  free_sim(&made);
}

/* v - 1/v = 2 N / EA, where the linear law has v = 1 + N / EA: at the last force it would have a negative length. */
static void forces_stretch_and_press(void **state) {
  (void)state;
  const double stretches[] = {3, 1.2, 0.9, 0.35};
  for (int kind = WY_COSSERAT; kind <= WY_KIRCHHOFF; kind++)
    for (int i = 0; i < 4; i++) {
      double v = stretches[i], force = 0.5 * stretching * (v - 1 / v);
      wy_rod_def rod =
          plain_rod((wy_rod_kind)kind, 6, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.06});
      wy_load_def load = wy_default_load_def();
      load.place = WY_AT_END;
      load.force[0] = wy_constant(force);
      test_sim made = settled(&rod, &load);
      const wy_view *view = wy_sim_view(made.sim, 0);
      check_close(view->position.values[3 * 6], v, 1e-9);
      for (int j = 0; j < 6; j++) {
        check_close(view->strain.values[3 * j + 2], v - 1, 1e-9);
        check_close(view->force.values[3 * j + 2], force, 1e-9 * stretching);
      }
      check_close(wy_sim_energy(made.sim, 0).elastic, 0.5 * stretching * ((v * v - 1) / 2 - log(v)), 1e-8);
      free_sim(&made);
    }
}

/* About a stretched rod extension has the stiffness EA (1 + 1 / v^2) / 2: the first frequency of a chain of masses,
   half of one at its free end, is 2 / h sqrt(stiffness / mass) sin(pi / 4N). */
static void a_stretched_rod_has_another_frequency(void **state) {
  (void)state;
  enum { N = 6, MODES = 12 };
  for (int kind = WY_COSSERAT; kind <= WY_KIRCHHOFF; kind++) {
    const double v = 1.6, want = 2 * N * sqrt(0.5 * stretching * (1 + 1 / (v * v))) * sin(pi / (4 * N));
    wy_rod_def rod =
        plain_rod((wy_rod_kind)kind, N, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.06});
    wy_load_def load = wy_default_load_def();
    wy_mode_set *modes = NULL;
    wy_message message = {0};
    int found = 0;
    load.place = WY_AT_END;
    load.force[0] = wy_constant(0.5 * stretching * (v - 1 / v));
    test_sim made = settled(&rod, &load);
    must(wy_sim_modes(made.sim, 0, MODES, &modes, &message), &message);
    for (int i = 0; i < modes->count && !found; i++)
      if (fabs(modes->displacement[(i * modes->points + N) * 3]) > 0.9) { /* along the rod */
        check_close(modes->omega[i] / want, 1, 1e-8);
        found = 1;
      }
    assert_true(found);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

/* The arm of the load gets shorter with the rod: EI (2 / h)^2 sin^2(pi / 4N) = P v(P) for a column without shear.
   Stiffening in bending does not matter while the column is straight. */
static void a_pressed_column_buckles_later(void **state) {
  (void)state;
  enum { N = 8 };
  const double soft = 0.2, euler = bending * 4 * N * N * pow(sin(pi / (4 * N)), 2);
  /* P v = P (sqrt(1 + (P/EA)^2) - P/EA) rises with P to EA / 2: the load of Euler is below that */
  wy_rod_def rod =
      plain_rod(WY_KIRCHHOFF, N, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.06});
  rod.stiffness[2] = wy_constant(soft);
  wy_load_def load = wy_default_load_def();
  wy_solver_def solver = wy_default_solver_def();
  wy_mode_set *modes = NULL;
  wy_message message = {0};
  load.place = WY_AT_END;
  load.force[0] = wy_constant(-1);
  test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
  must(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), &message);
  double n = modes->factor[0] / soft;
  check_above(modes->factor[0], 1.2 * euler);
  check_close(modes->factor[0] * (sqrt(1 + n * n) - n) / euler, 1, 1e-6);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* ---- Motion ---- */

/* Without damping the energy is kept to what the tolerance 1e-9 leaves over some thousands of steps. */
static void energy_is_kept(void **state) {
  (void)state;
  static const char *const integrators[] = {"dopri5", "radau5"};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int i = 0; i < 2; i++) {
      wy_rod_def rod =
          plain_rod((wy_rod_kind)kind, 8, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.3});
      const double gravity[3] = {-1.5, 0, -1};
      wy_solver_def solver = wy_default_solver_def();
      wy_message message = {0};
      solver.integrator = integrators[i];
      solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
      test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
      double before = wy_sim_energy(made.sim, 0).total, moved = 0;
      for (int k = 1; k <= 10; k++) {
        must(wy_sim_advance(made.sim, 0.5 * k, &message), &message);
        wy_energy energy = wy_sim_energy(made.sim, 0);
        moved = fmax(moved, energy.elastic);
        check_close(energy.total, before, 1e-5);
      }
      check_above(moved, 0.1); /* a share of which is beyond quadratic: bends are of several radians */
      free_sim(&made);
    }
}

/* A blow that shortens the rod at several times the speed of sound sqrt(EA / mass): it is not turned inside out, and
   springs back with its energy. The error of some thousands of steps with the tolerance 1e-9
   may add up to 1e-5. */
static void a_blow_does_not_turn_the_rod_inside_out(void **state) {
  (void)state;
  static const char *const integrators[] = {"dopri5", "radau5"};
  for (int i = 0; i < 2; i++) {
    wy_rod_def rod = plain_rod(WY_COSSERAT, 6, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0});
    wy_solver_def solver = wy_default_solver_def();
    wy_message message = {0};
    double least = 1;
    solver.integrator = integrators[i];
    solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
    rod.initial.velocity[0] = wy_constant(-8);
    test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
    double before = wy_sim_energy(made.sim, 0).total;
    for (int k = 1; k <= 100; k++) {
      must(wy_sim_advance(made.sim, 0.01 * k, &message), &message);
      const wy_points *strain = &wy_sim_view(made.sim, 0)->strain;
      for (int j = 0; j < strain->count; j++)
        least = fmin(least, 1 + strain->values[3 * j + 2]);
      check_close(wy_sim_energy(made.sim, 0).total / before, 1, 3e-5);
    }
    check_above(least, 0);
    check_below(least, 0.1);
    free_sim(&made);
  }
}

/* ---- Another scheme ---- */

/* Twist u3 = 6 (1 - s) to begin with. */
static void unwinding(const void *context, wy_variable by, double s, double t, double jet[3]) {
  (void)context, (void)t;
  bool arc = by == WY_ARC;
  jet[0] = 6 * (s - 0.5 * s * s), jet[1] = arc ? 6 * (1 - s) : 0, jet[2] = arc ? -6 : 0;
}

/* The tip of a twisted, falling rod after ten times the time that sound takes through it. */
static void falling_tip(const wy_solver_def *solver, int segments, double tip[3]) {
  const double second = 0.01 / 16, stiffness[6] = {1.0 / 3, 1.0 / 3, 1, second, second, second * 2 / 3};
  const double inertia[4] = {1, second, second, 2 * second};
  wy_rod_def rod =
      plain_rod(WY_COSSERAT, segments, (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 1e-4});
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.initial.twist = (wy_signal){.evaluate = unwinding, .depends_on = WY_ARC};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim_def = wy_default_sim_def();
  wy_model *model;
  wy_sim *sim;
  wy_message message = {0};
  def.rods = &rod, def.rod_count = 1, def.gravity[1] = -1e-3;
  sim_def.solver = *solver, sim_def.end = 10;
  must(wy_model_create(&def, &model, &message), &message);
  must(wy_sim_create(model, &sim_def, &sim, &message), &message);
  must(wy_sim_advance(sim, 10, &message), &message);
  memcpy(tip, wy_sim_view(sim, 0)->position.values + (size_t)3 * segments, 3 * sizeof *tip);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

/* The scheme `conserving` has the law at nodes and knows strains as unknowns of their own. Half the segments tell the
   error: a third of the difference for order 2; for order 4 with ends of order 2 a third is more than enough. */
static void another_scheme_agrees(void **state) {
  (void)state;
  double tips[2][2][3];
  for (int other = 0; other < 2; other++)
    for (int fine = 0; fine < 2; fine++) {
      wy_solver_def solver = wy_default_solver_def();
      const int segments = fine ? 80 : 40;
      solver.integrator = "dopri5";
      solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
      if (other) {
        solver.scheme = "conserving", solver.conserving.order = 4;
        solver.integrator = "gauss4", solver.first_step = 0.5 / segments;
      }
      falling_tip(&solver, segments, tips[other][fine]);
    }
  for (int k = 0; k < 3; k++) {
    double error = 0;
    for (int other = 0; other < 2; other++)
      error += fabs(tips[other][1][k] - tips[other][0][k]) / 3;
    check_below(error, 3e-5);
    check_close(tips[0][1][k], tips[1][1][k], 1.2 * error);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_systems_are_solved_with_the_derivative),
                                     cmocka_unit_test(power_is_balanced),
                                     cmocka_unit_test(the_undeformed_rod_rests),
                                     cmocka_unit_test(tangents_are_derivatives),
                                     cmocka_unit_test(nothing_stiffens_without_parameters),
                                     cmocka_unit_test(branches_are_linear),
                                     cmocka_unit_test(moments_wind_circles_and_helices),
                                     cmocka_unit_test(the_free_end_bends_by_the_law),
                                     cmocka_unit_test(forces_stretch_and_press),
                                     cmocka_unit_test(a_stretched_rod_has_another_frequency),
                                     cmocka_unit_test(a_pressed_column_buckles_later),
                                     cmocka_unit_test(energy_is_kept),
                                     cmocka_unit_test(a_blow_does_not_turn_the_rod_inside_out),
                                     cmocka_unit_test(another_scheme_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
