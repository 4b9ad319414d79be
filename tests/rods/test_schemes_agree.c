/* SPDX-License-Identifier: MIT */
/* The same rods by the staggered scheme and by mixed elements of order 1 and 2, and elastic ones by the conserving
   scheme: with refinement all come to the same solution. The first two are of second order in the pieces, so that their
   values for n and 2 n pieces are extrapolated; what is left are errors of fourth order, like those of the last.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"

enum { MOST_VALUES = 32, STAGGERED = 0, CONSERVING = -2 /* of order 2, as are the others that are extrapolated */ };

/* Numbers to compare: vectors side by side, each with the scale that errors are relative to. */
typedef struct values {
  int count;
  double x[MOST_VALUES], scale[MOST_VALUES];
} values;

static void put(values *v, const double *x, int count, double scale) {
  check_at_most(v->count + count, MOST_VALUES);
  for (int i = 0; i < count; i++) {
    v->x[v->count] = x[i];
    v->scale[v->count++] = scale;
  }
}

static void put_probe(values *v, const test_sim *made, wy_quantity quantity, double s, double scale) {
  double x[4];
  probe(made, quantity, s, x);
  put(v, x, 3, scale);
}

/* One problem with some number of pieces: `order` is that of mixed elements, STAGGERED for the staggered scheme; both
   steps and pieces are refined. */
typedef void measured(int order, int pieces, const void *context, values *out);

static wy_solver_def solver_of(int order, double step) {
  wy_solver_def solver = mixed_solver(order, step);
  if (order == STAGGERED) {
    solver = wy_default_solver_def();
    solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
  }
  return solver;
}

static void extrapolated(measured *measure, const void *context, int order, int pieces, values *out) {
  values fine = {0};
  *out = (values){0};
  measure(order, pieces, context, out);
  measure(order, 2 * pieces, context, &fine);
  for (int i = 0; i < out->count; i++)
    out->x[i] = fine.x[i] + (fine.x[i] - out->x[i]) / 3;
}

static void compare(const char *name, const char *what, const values *got, const values *want, double tolerance) {
  double worst = 0;
  assert_int_equal(got->count, want->count);
  for (int i = 0; i < got->count; i++)
    worst = fmax(worst, fabs(got->x[i] - want->x[i]) / want->scale[i]);
  print_message("%s: %s: largest relative difference %.2e\n", name, what, worst);
  for (int i = 0; i < got->count; i++)
    if (!(fabs(got->x[i] - want->x[i]) <= tolerance * want->scale[i]))
      fail_msg("%s: %s: value %d: got %.10g, want %.10g, tolerance %.3g", name, what, i, got->x[i], want->x[i],
               tolerance * want->scale[i]);
}

/* Staggered and order 1 with `pieces` and twice as many, order 2 with half as many and extrapolated in time where there
   is any. */
static void agree(const char *name, measured *measure, const void *context, int pieces, double tolerance) {
  values staggered, first, second;
  extrapolated(measure, context, STAGGERED, pieces, &staggered);
  extrapolated(measure, context, 1, pieces, &first);
  extrapolated(measure, context, 2, pieces / 2, &second);
  compare(name, "order 2 and staggered", &second, &staggered, tolerance);
  compare(name, "order 1 and order 2", &first, &second, tolerance);
}

/* ---- In time ---- */

/* Ends of the flying spaghetti when its load is gone, and the energy that it keeps. The step goes with the pieces. */
static void flown(int order, int pieces, const void *context, values *out) {
  (void)context;
  example e = example_of(wy_scene_spaghetti(pieces));
  wy_solver_def solver = solver_of(order, order == 2 ? 0.5 / pieces : 2.0 / pieces);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 5, &message), &message);
  put_probe(out, &made, WY_POSITION, 0, 10);
  put_probe(out, &made, WY_POSITION, 10, 10);
  put_probe(out, &made, WY_DIRECTOR1, 10, 1);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  put(out, &energy.total, 1, energy.total);
  wy_momentum momentum = wy_sim_momentum(made.sim, 0);
  put(out, momentum.angular, 3, 800);
  free_sim(&made);
  free_example(&e);
}

static void the_spaghetti_flies_alike(void **state) {
  (void)state;
  agree("flying spaghetti", flown, NULL, 40, 1e-3);
}

/* The aluminium rod with its Maxwell branch after the pulse: extended models too, with a thicker rod. */
static void swung(int order, int pieces, const void *context, values *out) {
  const wy_rod_kind *kind = context;
  example e = example_of(wy_scene_aluminium(pieces, true));
  e.rod.kind = *kind;
  e.rod.section.radius = wy_constant(5e-3); /* a force of 40 N bends it as 1 N the slender one */
  for (int i = 0; i < 3; i++)
    e.loads[0].force[i] = i ? example_signal(&e, "t <= 0.05 ? 0.5*(1 - cos(40*pi*t)) : 0", 20) : wy_constant(0);
  wy_solver_def solver = solver_of(order, order == 2 ? 4e-3 / pieces : 8e-3 / pieces);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 0.064, &message), &message);
  put_probe(out, &made, WY_POSITION, 1, 1);
  put_probe(out, &made, WY_DIRECTOR1, 1, 1);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  put(out, &energy.work, 1, energy.work);
  put(out, &energy.dissipated, 1, energy.work);
  free_sim(&made);
  free_example(&e);
}

static void maxwell_rods_swing_alike(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    agree("Maxwell cantilever", swung, &k, 16, 1e-3);
  }
}

/* Begins at rest, so that no waves run along the rod. */
static const char soft_start[] = "sin(t)^2";

static wy_end softly_driven(example *e) {
  wy_end end = driven_end();
  end.path[0] = end.path[2] = example_signal(e, soft_start, 0.5);
  end.angle = example_signal(e, soft_start, 1.2);
  return end;
}

/* A soft rod of all kinds of stiffness, precurved and twisted, with loads at the end, inside and along it, damping and
   drag. Moments act along it only: at one place the staggered scheme puts them on a segment, half a segment off. */
static void driven(int order, int pieces, const void *context, values *out) {
  const wy_rod_kind *kind = context;
  example e = {.rod = rich_rod(pieces), .load_count = RICH_LOADS};
  e.rod.kind = *kind;
  e.rod.ends[WY_START] = softly_driven(&e);
  rich_loads(e.loads);
  for (int i = 0; i < RICH_LOADS; i++)
    for (int k = 0; k < 3; k++) {
      e.loads[i].force[k] = example_signal(&e, soft_start, e.loads[i].force[k].value);
      double moment = e.loads[i].place == WY_ALONG ? e.loads[i].moment[k].value : 0;
      e.loads[i].moment[k] = example_signal(&e, soft_start, moment);
    }
  wy_solver_def solver = solver_of(order, order == 2 ? 0.1 / pieces : 0.2 / pieces);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 1, &message), &message);
  put_probe(out, &made, WY_POSITION, e.rod.length, e.rod.length);
  put_probe(out, &made, WY_DIRECTOR2, e.rod.length, 1);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  double scale = fabs(energy.work) + energy.elastic + energy.kinetic;
  put(out, &energy.work, 1, scale);
  put(out, &energy.dissipated, 1, scale);
  put(out, &energy.total, 1, scale);
  free_sim(&made);
  free_example(&e);
}

static void driven_rods_move_alike(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    agree("driven rod", driven, &k, 20, 1e-4);
  }
}

/* A stout rod that begins to move in the middle, smoothly, in all ways; the end is pulled. Waves of all kinds run to
   and fro. With the stiffening law, too. */
static void waved(int order, int pieces, const void *context, values *out) {
  const bool *stiffening = context;
  example e = dimensionless_rod(pieces, 1.5, 0);
  static const char bump[] = "(4*s*(1 - s))^4";
  if (*stiffening)
    e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.3};
  for (int k = 0; k < 3; k++) {
    e.rod.initial.velocity[k] = example_signal(&e, bump, 0.1 + 0.05 * k);
    e.rod.initial.angular_velocity[k] = example_signal(&e, bump, 0.4 - 0.3 * k);
  }
  e.load_count = 1;
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  for (int k = 0; k < 3; k++)
    e.loads[0].force[k] = example_signal(&e, "sin(t)^4", 0.05 - 0.03 * k);
  wy_solver_def solver = order == CONSERVING ? conserving_solver(2, "gauss4", 0.025) : solver_of(order, 0);
  test_sim made = start_moving(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 2, &message), &message);
  put_probe(out, &made, WY_POSITION, 1, 1);
  put_probe(out, &made, WY_DIRECTOR1, 1, 1);
  put_probe(out, &made, WY_POSITION, 0.5, 1);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  put(out, &energy.total, 1, energy.total);
  put(out, &energy.work, 1, energy.total);
  free_sim(&made);
  free_example(&e);
}

static void waves_run_alike(void **state) {
  (void)state;
  for (int stiffening = 0; stiffening < 2; stiffening++) {
    const bool law = stiffening;
    values staggered, conserving;
    extrapolated(waved, &law, STAGGERED, 40, &staggered);
    extrapolated(waved, &law, CONSERVING, 40, &conserving);
    compare(law ? "waves, stiffening law" : "waves", "conserving and staggered", &conserving, &staggered, 2e-4);
  }
}

/* A stiff rod with Kelvin-Voigt damping of time 0.02, under force and moment from t = 0 on. */
static test_sim struck(int order, int pieces, double step) {
  static const double stiffness[6] = {4e4, 4e4, 1e5, 1, 1, 1}, inertia[4] = {1, 1e-3, 1e-3, 2e-3};
  example e = {.rod = wy_default_rod_def(), .load_count = 1};
  e.rod.segments = pieces;
  e.rod.length = 1;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(inertia[i]);
  e.rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(0.02)};
  e.rod.ends[WY_START] = wy_end_clamped();
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  e.loads[0].force[1] = wy_constant(1);
  e.loads[0].moment[0] = wy_constant(0.5);
  e.loads[0].moment[2] = wy_constant(0.3);
  wy_solver_def solver = solver_of(order, step);
  if (order == STAGGERED)
    solver.relative_tolerance = solver.absolute_tolerance = 1e-6;
  return simulate(&e, &solver);
}

/* Section forces of the whole material, in every step. Velocities at the ends of steps swing after a sudden load, and
   damping of shear and extension would make forces of 100 and more out of that. What the damping leaves changes within
   its time, 0.02: errors of steps are (h / 0.02)^2 of the load. At the end of the rod forces are carried on over half a
   piece, 1 / 64, with a slope of mass times acceleration, of order 1. */
static void suddenly_loaded_rods_have_the_same_stresses(void **state) {
  (void)state;
  static const double places[3] = {0.25, 0.5, 1};
  const double h = 0.0025, tolerance = pow(h / 0.02, 2) + 1.0 / 64;
  for (int order = 1; order <= 2; order++) {
    test_sim mixed = struck(order, order == 1 ? 64 : 32, h), staggered = struck(STAGGERED, 100, 0);
    wy_message message = {0};
    double worst = 0, most = 0;
    for (int n = 1; n <= 80; n++) {
      must(wy_sim_step(mixed.sim, &message), &message);
      if (n <= 16) /* waves of the blow are over after two such times */
        continue;
      must(wy_sim_sample(staggered.sim, n * h, &message), &message);
      for (int i = 0; i < 6; i++) {
        double got[4], want[4];
        probe(&mixed, i < 3 ? WY_FORCE : WY_MOMENT, places[i % 3], got);
        probe(&staggered, i < 3 ? WY_FORCE : WY_MOMENT, places[i % 3], want);
        for (int k = 0; k < 3; k++) {
          worst = fmax(worst, fabs(got[k] - want[k]));
          most = fmax(most, fabs(want[k]));
        }
      }
    }
    print_message("sudden load, order %d: stresses of up to %.2f differ by %.4f\n", order, most, worst);
    check_close(worst, 0, tolerance);
    check_above(most, 1);
    free_sim(&mixed);
    free_sim(&staggered);
  }
}

/* ---- At rest ---- */

static void settle(const test_sim *made) {
  wy_message message = {0};
  must(wy_sim_settle(made->sim, 0, &message), &message);
}

/* Forces and moments inside, the reaction of the clamp and the configuration. Section forces are constant within
   elements of order 1: compared in the middle of the rod, at a node, where both schemes interpolate. */
static void put_statics(const test_sim *made, double length, double force, double moment, values *out) {
  put_probe(out, made, WY_POSITION, length, length);
  put_probe(out, made, WY_DIRECTOR3, length, 1);
  put_probe(out, made, WY_FORCE, 0.5 * length, force);
  put_probe(out, made, WY_MOMENT, 0.5 * length, moment);
  put_probe(out, made, WY_REACTION_FORCE, 0, force);
  put_probe(out, made, WY_REACTION_MOMENT, 0, moment);
}

/* A hook that hangs from its clamp. */
static void hung(int order, int pieces, const void *context, values *out) {
  const wy_rod_kind *kind = context;
  const double stiffness[6] = {30, 40, 60, 0.5, 0.7, 0.4}, inertia[4] = {1, 0.01, 0.01, 0.02};
  example e = {.rod = wy_default_rod_def(), .gravity = {0, 0.3, -1}};
  e.rod.kind = *kind;
  e.rod.segments = pieces;
  e.rod.length = 1;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(inertia[i]);
  e.rod.shape.curvature[0] = wy_constant(0.6);
  e.rod.shape.curvature[1] = wy_constant(-1.5);
  e.rod.shape.curvature[2] = wy_constant(0.5);
  e.rod.ends[WY_START] = wy_end_clamped();
  wy_solver_def solver = solver_of(order, 0);
  test_sim made = simulate(&e, &solver);
  settle(&made);
  put_statics(&made, 1, 1, 1, out);
  double elastic = wy_sim_energy(made.sim, 0).elastic;
  put(out, &elastic, 1, elastic);
  free_sim(&made);
}

static void precurved_rods_hang_alike(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    agree("precurved rod in gravity", hung, &k, 24, 1e-4);
  }
}

/* The soft arm with a chamber, a straight and a routed tendon: one at a time, then all. Energies are not compared: the
   staggered rod has no curvature in the half piece at a free end, which actuators bend. */
static void actuated(int order, int pieces, const void *context, values *out) {
  const int *which = context;
  example e = example_of(wy_scene_arm(pieces, WY_ARM_AT_REST));
  e.gravity[0] = 2;
  for (int i = 0; i < 3; i++) {
    if (*which != i && *which != 3)
      continue;
    wy_actuator_def *actuator = &e.actuators[e.actuator_count++];
    *actuator = wy_default_actuator_def();
    actuator->kind = i == 0 ? WY_PNEUMATIC : WY_TENDON;
    actuator->force = wy_constant(i == 0 ? -20 : 5);
    actuator->offset[0] = i < 2 ? wy_constant(i ? 0.003 : 0.0065) : example_signal(&e, "cos(10*s)", 0.01);
    actuator->offset[1] = i < 2 ? wy_constant(i ? 0.01 : -0.003) : example_signal(&e, "sin(10*s)", 0.01);
  }
  wy_solver_def solver = solver_of(order, 0);
  test_sim made = simulate(&e, &solver);
  settle(&made);
  put_statics(&made, e.rod.length, 20, 20 * 0.0065, out);
  free_sim(&made);
  free_example(&e);
}

static void actuated_arms_bend_alike(void **state) {
  (void)state;
  static const char *const names[4] = {"chamber", "straight tendon", "routed tendon", "chamber and tendons"};
  for (int i = 0; i < 4; i++)
    agree(names[i], actuated, &i, 16, 1e-4);
}

/* ---- Modes and buckling ---- */

/* Frequencies about an equilibrium that no closed form knows: a cantilever that sags. */
static void vibrated(int order, int pieces, const void *context, values *out) {
  const wy_rod_kind *kind = context;
  example e = example_of(wy_scene_arm(pieces, WY_ARM_AT_REST));
  e.rod.kind = *kind;
  e.gravity[0] = 5;
  wy_solver_def solver = solver_of(order, 0);
  test_sim made = simulate(&e, &solver);
  settle(&made);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_modes(made.sim, 0, 4, &modes, &message), &message);
  for (int i = 0; i < 4; i++)
    put(out, &modes->omega[i], 1, modes->omega[i]);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

static void sagging_cantilevers_have_the_same_frequencies(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    agree("frequencies", vibrated, &k, 20, 1e-3);
  }
}

/* The buckling load of a tapered column under its own weight and a force. */
static void buckled(int order, int pieces, const void *context, values *out) {
  const wy_rod_kind *kind = context;
  example e = example_of(wy_scene_arm(pieces, WY_ARM_AT_REST));
  e.rod.kind = *kind;
  e.rod.section.radius = example_signal(&e, "0.01 - 0.02*s", 1);
  e.gravity[2] = -5;
  e.load_count = 1;
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  e.loads[0].force[2] = wy_constant(-0.1);
  wy_solver_def solver = solver_of(order, 0);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_buckling(made.sim, 0, 0, 2, &modes, &message), &message);
  put(out, modes->factor, 2, modes->factor[0]);
  wy_mode_set_destroy(modes);
  free_sim(&made);
  free_example(&e);
}

static void tapered_columns_buckle_alike(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    agree("tapered column", buckled, &k, 16, 1e-4);
  }
}

/* Under a moment there is no energy, and whether the number of unstable directions is odd is told by the sign of a
   determinant: with any number of pieces, constraints and all. A rod bent by a moment is stable; one that is twisted a
   little and pushed with more than one of its two buckling loads, pi^2 EI / 4 with EI 2 and 3, has one such direction.
 */
static void parity_of_unstable_directions(int order, int pieces, wy_rod_kind kind, bool pushed) {
  static const double stiffness[6] = {1e4, 1e4, 1e4, 2, 3, 4}, inertia[4] = {1, 1e-2, 1e-2, 2e-2};
  example e = {.rod = wy_default_rod_def(), .load_count = 1};
  e.rod.kind = kind;
  e.rod.segments = pieces;
  e.rod.length = 1;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(inertia[i]);
  e.rod.ends[WY_START] = wy_end_clamped();
  e.loads[0] = wy_default_load_def();
  e.loads[0].place = WY_AT_END;
  e.loads[0].moment[pushed ? 0 : 2] = wy_constant(pushed ? 0.01 : 1);
  e.loads[0].force[0] = wy_constant(pushed ? -6.2 : 0);
  wy_solver_def solver = solver_of(order, 0);
  test_sim made = simulate(&e, &solver);
  settle(&made);
  wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  if (info.unstable > 0 || info.odd != pushed || info.bifurcations != pushed)
    fail_msg("order %d, %d pieces, model %d, %s: unstable %d, odd %d, bifurcations %d, the first at %g", order, pieces,
             kind, pushed ? "pushed" : "bent", info.unstable, info.odd, info.bifurcations, info.first_bifurcation);
  free_sim(&made);
}

static void stability_does_not_depend_on_the_number_of_pieces(void **state) {
  (void)state;
  for (int order = STAGGERED; order <= 2; order++)
    for (int pieces = 6; pieces <= 9; pieces++)
      for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
        for (int pushed = 0; pushed < 2; pushed++)
          parity_of_unstable_directions(order, pieces, (wy_rod_kind)kind, pushed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_spaghetti_flies_alike),
      cmocka_unit_test(maxwell_rods_swing_alike),
      cmocka_unit_test(driven_rods_move_alike),
      cmocka_unit_test(waves_run_alike),
      cmocka_unit_test(precurved_rods_hang_alike),
      cmocka_unit_test(actuated_arms_bend_alike),
      cmocka_unit_test(sagging_cantilevers_have_the_same_frequencies),
      cmocka_unit_test(tapered_columns_buckle_alike),
      cmocka_unit_test(suddenly_loaded_rods_have_the_same_stresses),
      cmocka_unit_test(stability_does_not_depend_on_the_number_of_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
