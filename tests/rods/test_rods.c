/* SPDX-License-Identifier: MIT */
/* Results that no method owns: conservation laws, closed forms, frequencies, follower loads.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/rods.h"

static const double pi = 3.14159265358979323846;

static wy_solver_def solver_with(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

/* Largest violation of energy(t) - energy(0) = work - dissipated over the samples, by the largest kinetic or elastic
 * energy met. */
static double energy_drift(wy_sim *sim, double end, int samples) {
  wy_message message;
  double start = wy_sim_energy(sim, WY_ALL_RODS).total, worst = 0, size = 0;
  for (int k = 1; k <= samples; k++) {
    must(wy_sim_sample(sim, end * k / samples, &message), &message);
    wy_energy e = wy_sim_energy(sim, WY_ALL_RODS);
    worst = fmax(worst, fabs(e.total - start - e.work + e.dissipated));
    size = fmax(size, fmax(e.kinetic, e.elastic));
  }
  return worst / size;
}

static const double down[3] = {0, 0, -9.81};

/* Methods for such tolerances: others would take their time. */
static bool is_of_high_order(int method) {
  return ode_integrator_at(method)->info->lowest_order >= 5;
}

static void undamped_pendulum_keeps_its_energy_for_10_s(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++) {
    if (!is_of_high_order(m))
      continue;
    wy_rod_def rod = rubber_rod(10);
    rod.damping.kind = WY_UNDAMPED;
    wy_solver_def solver = solver_with(ode_integrator(m), 1e-10);
    solver.staggered.curvature_measure = WY_SIN4;
    test_sim made = make_sim(&rod, NULL, 0, &solver, down);
    double drift = energy_drift(made.sim, 10, 200);
    print_message("%s: energy drift %.2g\n", solver.integrator, drift);
    check_close(drift, 0, 1e-8);
    free_sim(&made);
  }
}

/* A free rod thrown with a spin: linear and angular momentum and energy stay, the centre of mass flies straight on. */
static void free_rod_keeps_its_momenta(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++) {
    if (!is_of_high_order(m))
      continue;
    wy_rod_def rod = rubber_rod(10);
    rod.damping.kind = WY_UNDAMPED;
    rod.ends[0] = wy_end_free();
    rod.shape.curvature[1] = wy_constant(2);
    static const double velocity[3] = {1, 0.5, -0.3}, spin[3] = {3, 5, 7};
    for (int k = 0; k < 3; k++)
      rod.initial.velocity[k] = wy_constant(velocity[k]), rod.initial.angular_velocity[k] = wy_constant(spin[k]);
    wy_solver_def solver = solver_with(ode_integrator(m), 1e-10);
    test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
    wy_message message;
    wy_momentum start = wy_sim_momentum(made.sim, WY_ALL_RODS);
    double linear = wy_norm3(start.linear), angular = wy_norm3(start.angular);
    for (int k = 1; k <= 20; k++) {
      must(wy_sim_sample(made.sim, 0.05 * k, &message), &message);
      wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
      for (int i = 0; i < 3; i++) {
        check_close(now.linear[i], start.linear[i], 1e-8 * linear);
        check_close(now.angular[i], start.angular[i], 1e-8 * angular);
        check_close(now.centre_of_mass[i], start.centre_of_mass[i] + 0.05 * k * start.linear[i] / start.mass, 1e-8);
      }
    }
    test_sim again = make_sim(&rod, NULL, 0, &solver, NULL);
    check_close(energy_drift(again.sim, 1, 20), 0, 1e-8);
    free_sim(&again);
    free_sim(&made);
  }
}

/* Damping, loads, drag and a driven clamp together: work and dissipation balance the energy. */
static void wave(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  double size = *(const double *)context;
  jet[0] = size * (1 - cos(5 * t)), jet[1] = 5 * size * sin(5 * t), jet[2] = 25 * size * cos(5 * t);
}

static void the_books_balance(void **state) {
  (void)state;
  static const double reach = 0.1, turn = 0.5, pull = 0.02;
  for (int m = 0; ode_integrator(m); m++) {
    wy_rod_def rod = rubber_rod(8);
    rod.drag = (wy_drag){0.5, 0.5};
    rod.ends[0] = wy_end_clamped();
    rod.ends[0].position[2] = WY_DRIVEN;
    rod.ends[0].path[2] = (wy_signal){0, wave, &reach, WY_TIME};
    rod.ends[0].rotation = WY_DRIVEN;
    rod.ends[0].axis[0] = 1;
    rod.ends[0].angle = (wy_signal){0, wave, &turn, WY_TIME};
    wy_load_def load = wy_default_load_def();
    load.axes = WY_BODY_AXES;
    load.force[0] = (wy_signal){0, wave, &pull, WY_TIME};
    load.moment[2] = wy_constant(1e-3);
    wy_solver_def solver = solver_with(ode_integrator(m), is_of_high_order(m) ? 1e-9 : 1e-7);
    test_sim made = make_sim(&rod, &load, 1, &solver, down);
    double drift = energy_drift(made.sim, 1, 50);
    print_message("%s: balance with everything in it %.2g\n", solver.integrator, drift);
    check_close(drift, 0, 1e-6); /* the rates of stiff modes are known to about their own tolerance */
    wy_energy e = wy_sim_energy(made.sim, 0);
    check_above(e.dissipated, 0);
    check_above(fabs(e.work), 1e-3);
    free_sim(&made);
  }
}

/* A unit rod with strong damping, for equilibria by waiting. */
static wy_rod_def unit_rod(int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  static const double stiffness[6] = {400, 400, 1000, 1, 1, 0.8};
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  rod.inertia[0] = wy_constant(0.1);
  for (int i = 1; i < 4; i++)
    rod.inertia[i] = wy_constant(1e-4);
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(0.1);
  rod.drag.translation = 8;
  rod.ends[0] = wy_end_clamped();
  return rod;
}

static void ramp(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  double size = *(const double *)context, x = t < 2 ? t / 2 : 1;
  jet[0] = size * x, jet[1] = t < 2 ? size / 2 : 0, jet[2] = 0;
}

/* An end moment 2 pi EI / L closes the rod to a circle: with the angle measure the polygon closes exactly, with the
   others to the order of the scheme. */
static void an_end_moment_closes_the_rod(void **state) {
  (void)state;
  static const double moment = 6.283185307179586477;
  for (int measure = WY_SIN4; measure <= WY_ANGLE; measure++) {
    double gap[2];
    for (int level = 0; level < 2; level++) {
      wy_rod_def rod = unit_rod(20 << level);
      wy_load_def load = wy_default_load_def();
      load.axes = WY_BODY_AXES;
      load.moment[1] = (wy_signal){0, ramp, &moment, WY_TIME};
      wy_solver_def solver = solver_with("radau5", 1e-9);
      solver.staggered.curvature_measure = (wy_curvature_measure)measure;
      test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
      wy_message message;
      must(wy_sim_advance(made.sim, 60, &message), &message);
      double tip[4], k[4], m[4];
      wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
      wy_sim_probe(made.sim, WY_CURVATURE, 0, 0.5, k, NULL);
      wy_sim_probe(made.sim, WY_MOMENT, 0, 0.37, m, NULL);
      gap[level] = wy_norm3(tip);
      /* The moment is conjugate to the measure: it differs from the applied one by the derivative of the measure by the
         angle phi between neighbours, 1 + O(phi^2), phi = 2 pi / N; exactly 1 for the angle itself. */
      double phi = moment / rod.segments, slack = measure == WY_ANGLE ? 1e-5 : 0.25 * phi * phi * moment;
      check_close(k[1], moment, slack);
      check_close(m[1], moment, slack);
      if (measure == WY_ANGLE)
        check_close(gap[level], 0, 1e-5);
      free_sim(&made);
    }
    if (measure != WY_ANGLE)
      check_close(log2(gap[0] / gap[1]), 2, 0.1);
  }
}

/* A body-axes force together with a body-axes moment at the end (follower loads): equilibrium converges with order 2.
 */
static void follower_loads_converge_with_order_2(void **state) {
  (void)state;
  static const double force = 1.5, moment = 1.2;
  double tip[3][4];
  for (int level = 0; level < 3; level++) {
    wy_rod_def rod = unit_rod(10 << level);
    wy_load_def load = wy_default_load_def();
    load.axes = WY_BODY_AXES;
    load.force[0] = (wy_signal){0, ramp, &force, WY_TIME};
    load.moment[1] = (wy_signal){0, ramp, &moment, WY_TIME};
    wy_solver_def solver = solver_with("radau5", 1e-10);
    test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
    wy_message message;
    must(wy_sim_advance(made.sim, 60, &message), &message);
    wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[level], NULL);
    free_sim(&made);
  }
  double a = hypot(tip[0][0] - tip[1][0], tip[0][2] - tip[1][2]),
         b = hypot(tip[1][0] - tip[2][0], tip[1][2] - tip[2][2]);
  print_message("follower loads: order %.3f\n", log2(a / b));
  check_close(log2(a / b), 2, 0.15);
}

/* Reactions carry weight and load in equilibrium: support force = -(weight + load), support moment by statics. */
static void reactions_balance_the_loads(void **state) {
  (void)state;
  wy_rod_def rod = unit_rod(20);
  const double gravity[3] = {0, 0, -3};
  static const double force = 0.4;
  wy_load_def load = wy_default_load_def();
  load.force[2] = (wy_signal){0, ramp, &force, WY_TIME};
  wy_solver_def solver = solver_with("radau5", 1e-10);
  test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
  wy_message message;
  must(wy_sim_advance(made.sim, 80, &message), &message);
  double reaction[4], moment[4], tip[4];
  wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, NULL);
  wy_sim_probe(made.sim, WY_REACTION_MOMENT, 0, 0, moment, NULL);
  wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
  wy_momentum at = wy_sim_momentum(made.sim, 0);
  double inside[4];
  wy_sim_probe(made.sim, WY_MOMENT, 0, 0, inside, NULL);
  /* direction +x, d1 = y: the part beyond s = 0 acts against the support. The moment at a clamp is one of order 2. */
  check_close(inside[0], -moment[1], 2e-3 * fabs(moment[1]));
  check_close(reaction[0], 0, 1e-7);
  check_close(reaction[2], 0.1 * 3 - force, 1e-7);
  /* Moment about the clamp of weight at the centre of mass and of the load at the tip: components y. */
  double want = -(at.centre_of_mass[0] * 0.1 * 3) + tip[0] * force;
  check_close(moment[1], want, 1e-6);
  free_sim(&made);
}

/* At an end whose rotation is held: a body-axes force is the same force in space (the support's frame is known), and a
   moment goes into the support, not into the rod. */
static void loads_at_a_held_rotation_know_the_support(void **state) {
  (void)state;
  double tip[3][4], reaction[3][4];
  for (int variant = 0; variant < 3; variant++) {
    wy_rod_def rod = unit_rod(10);
    for (int k = 0; k < 3; k++) /* a slider: rotation held, position free, at the start; the end is pinned */
      rod.ends[0].position[k] = WY_FREE;
    rod.ends[1] = wy_end_pinned();
    wy_load_def load = wy_default_load_def();
    load.place = WY_AT_START;
    load.axes = variant ? WY_BODY_AXES : WY_SPACE_AXES;
    /* direction +x: d3 = x, d1 = y, d2 = z */
    load.force[variant ? 0 : 1] = wy_constant(0.3);
    if (variant == 2)
      load.moment[1] = wy_constant(0.5);
    wy_solver_def solver = solver_with("radau5", 1e-10);
    test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
    wy_message message;
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
    wy_sim_probe(made.sim, WY_POSITION, 0, 0, tip[variant], NULL);
    wy_sim_probe(made.sim, WY_REACTION_MOMENT, 0, 0, reaction[variant], NULL);
    free_sim(&made);
  }
  for (int k = 0; k < 3; k++) {
    check_close(tip[1][k], tip[0][k], 1e-9);
    check_close(tip[2][k], tip[0][k], 1e-9);
    check_close(reaction[2][k], reaction[0][k] - (k == 2 ? 0.5 : 0), 1e-6);
  }
}

/* A held end component by component: a rod on a slider (x free, y and z held) falls only where it may. */
static void components_are_held_one_by_one(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(6);
  rod.ends[0].position[0] = WY_FREE;
  const double sideways[3] = {2, 0, -9.81};
  wy_solver_def solver = solver_with("radau5", 1e-8);
  test_sim made = make_sim(&rod, NULL, 0, &solver, sideways);
  wy_message message;
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  double x[4], reaction[4];
  wy_sim_probe(made.sim, WY_POSITION, 0, 0, x, NULL);
  wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, NULL);
  check_close(x[0], 0.25, 1e-6); /* free fall along x: g t^2 / 2 */
  assert_true(x[1] == 0 && x[2] == 0);
  assert_true(reaction[0] == 0 && reaction[2] > 0);
  free_sim(&made);
}

/* A released end: before, the rod hangs on its clamp; after, its centre of mass falls freely. */
static void a_released_rod_falls(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++) {
    wy_rod_def rod = rubber_rod(6);
    rod.shape.direction[1] = 0, rod.shape.direction[2] = -1;
    rod.shape.d1[2] = 0, rod.shape.d1[0] = 1;
    rod.ends[0] = wy_end_clamped();
    rod.ends[0].release = 0.3;
    wy_solver_def solver = solver_with(ode_integrator(m), 1e-8);
    test_sim made = make_sim(&rod, NULL, 0, &solver, down);
    wy_message message;
    must(wy_sim_sample(made.sim, 0.3, &message), &message);
    double reaction[4];
    wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, NULL);
    check_above(reaction[2], 0);
    wy_momentum before = wy_sim_momentum(made.sim, 0);
    must(wy_sim_sample(made.sim, 0.8, &message), &message);
    wy_momentum after = wy_sim_momentum(made.sim, 0);
    check_close(after.centre_of_mass[2],
                before.centre_of_mass[2] + 0.5 * before.linear[2] / before.mass - 0.5 * 9.81 * 0.25, 1e-6);
    wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, NULL);
    assert_true(reaction[2] == 0);
    free_sim(&made);
  }
}

/* ---- Frequencies: eigenvalues of the Jacobian at rest, by inverse iteration with the scheme's own linear algebra.
 * ---- */

static double nearest_frequency(const test_system *made, double guess) {
  wy_system *system = made->system;
  size_t n = (size_t)system->size;
  double *u = calloc(n, sizeof *u), *re = calloc(n, sizeof *re), *im = calloc(n, sizeof *im),
         *old_re = calloc(n, sizeof *u), *old_im = calloc(n, sizeof *u), omega = guess;
  unsigned seed = 3;
  system->type->initial(system, u);
  system->type->jacobian(system, 0, u);
  assert_int_equal(system->type->factor_complex(system, 0, 0, guess), 0);
  for (size_t i = 0; i < n; i++)
    re[i] = system->weight[i] * noise(&seed);
  for (int k = 0; k < 200; k++) {
    double norm = 0, dot_re = 0, dot_im = 0;
    for (size_t i = 0; i < n; i++)
      norm += re[i] * re[i] + im[i] * im[i];
    for (size_t i = 0; i < n; i++)
      old_re[i] = re[i] /= sqrt(norm), old_im[i] = im[i] /= sqrt(norm);
    system->type->solve_complex(system, 0, re, im);
    for (size_t i = 0; i < n; i++) {
      dot_re += old_re[i] * re[i] + old_im[i] * im[i];
      dot_im += old_re[i] * im[i] - old_im[i] * re[i];
    }
    /* (i guess - lambda)^-1 = dot, so lambda = i guess - 1 / dot */
    omega = guess + dot_im / (dot_re * dot_re + dot_im * dot_im);
  }
  free(u), free(re), free(im), free(old_re), free(old_im);
  return omega;
}

static test_system cantilever(int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.02);
  rod.material.given = true;
  rod.material.density = wy_constant(2000);
  rod.material.young = wy_constant(1e5);
  rod.material.poisson = wy_constant(0.5);
  rod.shear_factors[0] = rod.shear_factors[1] = 27.0 / 28;
  rod.ends[0] = wy_end_clamped();
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  wy_solver_def solver = wy_default_solver_def();
  return make_system(&def, &solver);
}

/* Bending against Timoshenko's theory (transcendental equation solved independently); torsion and extension have the
   exact discrete frequencies omega sin(k h / 2) / (k h / 2), k = pi / 2 L. */
static void frequencies_are_those_of_the_theory(void **state) {
  (void)state;
  const double timoshenko = 0.2483827029, torsion = 6.4127491508, extension = 0.5 * pi * sqrt(1e5 / 2000);
  double error[3];
  for (int level = 0; level < 3; level++) {
    int n = 10 << level;
    test_system made = cantilever(n);
    double factor = sin(0.25 * pi / n) / (0.25 * pi / n);
    error[level] = nearest_frequency(&made, 0.24) / timoshenko - 1;
    check_close(nearest_frequency(&made, 0.999 * torsion), torsion * factor, 1e-7 * torsion);
    check_close(nearest_frequency(&made, 0.9995 * extension), extension * factor, 1e-7 * extension);
    free_system(&made);
  }
  print_message("first bending frequency: relative errors %.3g, %.3g, %.3g for N = 10, 20, 40\n", error[0], error[1],
                error[2]);
  check_close(log2(error[0] / error[1]), 2, 0.1);
  check_close(log2(error[1] / error[2]), 2, 0.1);
  check_close(error[2], 0, 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(undamped_pendulum_keeps_its_energy_for_10_s),
                                     cmocka_unit_test(free_rod_keeps_its_momenta),
                                     cmocka_unit_test(the_books_balance),
                                     cmocka_unit_test(an_end_moment_closes_the_rod),
                                     cmocka_unit_test(follower_loads_converge_with_order_2),
                                     cmocka_unit_test(reactions_balance_the_loads),
                                     cmocka_unit_test(loads_at_a_held_rotation_know_the_support),
                                     cmocka_unit_test(components_are_held_one_by_one),
                                     cmocka_unit_test(a_released_rod_falls),
                                     cmocka_unit_test(frequencies_are_those_of_the_theory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
