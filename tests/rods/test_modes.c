/* SPDX-License-Identifier: MIT */
/* Frequencies and buckling loads with known values (tests/data/statics.md), for all models: within the error that
   second order predicts, and falling by four when the segments are halved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double pi = 3.14159265358979323846;

static test_sim prepared(const wy_rod_def *rod, const wy_load_def *load, const double gravity[3]) {
  wy_solver_def solver = wy_default_solver_def();
  return make_sim(rod, load, load ? 1 : 0, &solver, gravity);
}

static wy_mode_set *modes_of(const test_sim *made, int count) {
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  if (wy_sim_settle(made->sim, 0, &message) || wy_sim_modes(made->sim, 0, count, &modes, &message) || !modes) {
    fail_msg("%s", message.text);
    abort();
  }
  assert_int_equal(modes->count, count);
  return modes;
}

/* ---- Vibrations ---- */

static wy_rod_def soft_rod(wy_rod_kind kind, int segments, double radius, double young, double density) {
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = kind;
  rod.segments = segments;
  rod.length = 1;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(radius);
  rod.material.given = true;
  rod.material.density = wy_constant(density);
  rod.material.young = wy_constant(young);
  rod.material.poisson = wy_constant(0.5); /* G = E/3 */
  rod.shear_factors[0] = rod.shear_factors[1] = 27.0 / 28;
  rod.ends[0] = wy_end_clamped();
  return rod;
}

typedef struct frequency {
  wy_rod_kind kind;
  int number; /* of the mode, from 0 */
  double omega;
} frequency;

static double cantilever_error(int segments, const void *context) {
  const frequency *f = context;
  wy_rod_def rod = soft_rod(f->kind, segments, 0.02, 1e5, 2000);
  test_sim made = prepared(&rod, NULL, NULL);
  wy_mode_set *modes = modes_of(&made, 9);
  double error = modes->omega[f->number] / f->omega - 1;
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

/* Bending modes are double, torsion comes sixth (4.295 < 6.413 < 8.310). The error of the n-th bending mode is that of
   a wave of the same length: (k h)^2 / 12 and rotary terms of the same kind, k = (n - 1/2) pi. */
static void a_cantilever_has_the_frequencies_of_timoshenko(void **state) {
  (void)state;
  static const double omega[4] = {0.2483827029, 1.5478007540, 4.2951756161, 8.3101346546};
  static const int number[4] = {0, 2, 4, 7};
  for (int i = 0; i < 4; i++) {
    char name[64];
    double k = fmax(1.875, (i + 0.5) * pi);
    frequency f = {WY_COSSERAT, number[i], omega[i]};
    snprintf(name, sizeof name, "bending mode %d", i + 1);
    second_order(name, cantilever_error, &f, 20, 0.5 * k * k / 400);
  }
  frequency torsion = {WY_COSSERAT, 6, 6.4127491508};
  second_order("torsion", cantilever_error, &torsion, 20, 0.5 * 2.47 / 400);
}

/* Without shear and with little rotary inertia: Euler and Bernoulli. Rotary inertia lowers omega by 0.5 (k r / 2)^2. */
static void constrained_rods_have_the_frequencies_of_euler_and_bernoulli(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int i = 0; i < 2; i++) {
      static const double beta[2] = {1.87510407, 4.69409113};
      wy_rod_def rod = soft_rod((wy_rod_kind)kind, 80, 1e-3, 1e5, 2000);
      test_sim made = prepared(&rod, NULL, NULL);
      wy_mode_set *modes = modes_of(&made, 4);
      double want = beta[i] * beta[i] * sqrt(1e5 * 1e-6 / 4 / 2000);
      check_close(modes->omega[2 * i] / want, 1, 0.5 * beta[i] * beta[i] / 6400 + 0.25 * beta[i] * beta[i] * 1e-6);
      check_close(modes->omega[2 * i + 1] / modes->omega[2 * i], 1, 1e-9);
      wy_mode_set_destroy(modes);
      free_sim(&made);
    }
}

static double axial_error(int segments, const void *context) {
  (void)context;
  /* so thick that the first bending modes lie above the first extension: only extension is compared */
  wy_rod_def rod = soft_rod(WY_COSSERAT, segments, 0.025, 1e4, 1000);
  test_sim made = prepared(&rod, NULL, NULL);
  wy_mode_set *modes = modes_of(&made, 12);
  double error = 1, want = 2 * pi / 1.26491106;
  for (int i = 0; i < modes->count; i++) {
    const double *tip = modes->displacement + ((size_t)i * (size_t)modes->points + (size_t)segments) * 3;
    if (fabs(tip[0]) > 0.9)
      error = modes->omega[i] / want - 1;
  }
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

static void a_bar_swings_along_its_axis(void **state) {
  (void)state;
  second_order("first extension", axial_error, NULL, 20, 2.47 / 24 / 400 * 1.1);
}

/* ---- Damping ---- */

static void damping_ratios_of_kelvin_and_voigt_grow_with_frequency(void **state) {
  (void)state;
  static const double radii[3] = {0.02, 1e-3, 1e-5}; /* stiff strains of slender rods must not show */
  for (int r = 0; r < 3; r++) {
    wy_rod_def rod = soft_rod(WY_COSSERAT, 20, radii[r], 1e5, 2000);
    rod.damping.kind = WY_DAMPING_TIME;
    rod.damping.time = wy_constant(0.03);
    test_sim made = prepared(&rod, NULL, NULL);
    wy_mode_set *modes = modes_of(&made, 8);
    for (int i = 0; i < modes->count; i++)
      check_close(modes->damping_ratio[i] / (0.5 * 0.03 * modes->omega[i]), 1, 1e-6);
    for (int i = 0; i < modes->count; i++)
      for (int k = 0; k < 3; k++) /* nothing moves at the clamp */
        check_close(modes->displacement[(size_t)i * (size_t)modes->points * 3 + (size_t)k], 0, 0);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

/* ---- Rigid motions ---- */

static void a_free_rod_has_six_rigid_motions(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_def rod = soft_rod((wy_rod_kind)kind, 12, 0.02, 1e5, 2000);
    rod.ends[0] = wy_end_free();
    test_sim made = prepared(&rod, NULL, NULL);
    wy_mode_set *modes = modes_of(&made, 8);
    for (int i = 0; i < 6; i++)
      check_close(modes->omega[i], 0, 0);
    check_close(modes->omega[6] / (4.730040745 * 4.730040745 * sqrt(1e5 * 1e-4 / 2000)), 1, 0.5 * 22.37 / 144);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

/* Between two pins a hanging rod may spin about its axis, and nothing else is neutral; straight between two clamps the
   tension of an inextensible rod is not determined, its frequencies are. */
static void held_rods_have_no_rigid_motion_but_spin(void **state) {
  (void)state;
  const double down[3] = {0, 0, -9.81};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_def rod = soft_rod((wy_rod_kind)kind, 20, 0.01, 1e6, 1000);
    rod.ends[0] = rod.ends[1] = wy_end_pinned();
    rod.ends[1].position[0] = WY_DRIVEN;
    rod.ends[1].path[0] = wy_constant(0.8);
    test_sim made = prepared(&rod, NULL, down);
    wy_mode_set *modes = modes_of(&made, 2);
    assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
    check_close(modes->omega[0], 0, 0);
    check_above(modes->omega[1], 1);
    wy_mode_set_destroy(modes);
    free_sim(&made);
    rod.ends[0] = rod.ends[1] = wy_end_clamped();
    made = prepared(&rod, NULL, NULL);
    modes = modes_of(&made, 1);
    check_close(modes->omega[0] / (22.3733 * sqrt(1e6 * 1e-4 / 4 / 1000)), 1, 0.5 * 22.37 / 400);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

/* A thread hangs from a pin: it may spin, and is stable however slender it is. */
static void a_hanging_thread_is_stable(void **state) {
  (void)state;
  const double down[3] = {0, 0, -9.81};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int slenderness = 3; slenderness <= 5; slenderness++) {
      wy_rod_def rod = soft_rod((wy_rod_kind)kind, 40, pow(10, -slenderness), 5e8, 1100);
      rod.shape.direction[2] = -1;
      rod.ends[0] = wy_end_pinned();
      test_sim made = prepared(&rod, NULL, down);
      wy_mode_set *modes = modes_of(&made, 2);
      assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
      check_close(modes->omega[0], 0, 0);
      /* a chain: j0^2 / 4 g / L, j0 the first zero of the Bessel function */
      check_close(modes->omega[1], 0.5 * 2.404825557695773 * sqrt(9.81), slenderness == 3 ? 0.05 : 2e-3);
      wy_mode_set_destroy(modes);
      free_sim(&made);
    }
}

/* ---- About a loaded state ---- */

/* A string: transverse frequencies n pi sqrt(T / m) / L, with little bending stiffness. */
static void a_tensioned_rod_is_a_string(void **state) {
  (void)state;
  wy_rod_def rod = soft_rod(WY_KIRCHHOFF, 40, 1e-3, 1e7, 1000);
  rod.ends[0] = wy_end_pinned();
  rod.ends[1] = wy_end_pinned();
  rod.ends[1].position[0] = WY_FREE;
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  load.force[0] = wy_constant(1);
  test_sim made = prepared(&rod, &load, NULL);
  wy_mode_set *modes = modes_of(&made, 5);
  double mass = 1000 * pi * 1e-6, bending = 1e7 * pi * 1e-12 / 4, stretch = 1 + 1 / (1e7 * pi * 1e-6);
  double k = pi / stretch, want = k * sqrt((1 + bending * k * k) / (mass / stretch));
  int first = modes->omega[0] == 0 ? 1 : 0; /* it may spin about its axis */
  check_close(modes->omega[first] / want, 1, 2 * pi * pi / 24 / 1600);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* ---- Buckling ---- */

typedef struct column {
  wy_rod_kind kind;
  int ends; /* clamped-free, pinned, clamped-pinned, clamped-clamped */
  double factor;
  bool shears, weight;
} column;

static wy_rod_def column_rod(const column *c, int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = c->kind;
  rod.segments = segments;
  rod.length = 1;
  rod.has_stiffness = rod.has_inertia = true;
  const double stiffness[6] = {c->shears ? 100 : 1e8, c->shears ? 100 : 1e8, c->shears ? 1000 : 1e8, 1, 1, 0.8};
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(i ? 1e-4 : 1);
  rod.ends[0] = c->ends == 1 ? wy_end_pinned() : wy_end_clamped();
  rod.ends[1] = c->ends == 0 ? wy_end_free() : c->ends == 3 ? wy_end_clamped() : wy_end_pinned();
  rod.ends[1].position[0] = WY_FREE; /* guided: free along the axis */
  return rod;
}

static wy_mode_set *buckled(const column *c, int segments, int count) {
  wy_rod_def rod = column_rod(c, segments);
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  load.force[0] = wy_constant(-1);
  const double weight[3] = {-1, 0, 0};
  test_sim made = prepared(&rod, c->weight ? NULL : &load, c->weight ? weight : NULL);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  if (wy_sim_buckling(made.sim, 0, 0, count, &modes, &message))
    fail_msg("model %d, ends %d: %s", (int)c->kind, c->ends, message.text);
  free_sim(&made);
  return modes;
}

static double column_error(int segments, const void *context) {
  const column *c = context;
  wy_mode_set *modes = buckled(c, segments, 2);
  double error = modes->factor[0] / c->factor - 1;
  check_close(modes->factor[1] / modes->factor[0], 1, 1e-6); /* round: two planes */
  wy_mode_set_destroy(modes);
  return error;
}

static void columns_buckle_at_the_loads_of_euler(void **state) {
  (void)state;
  static const double loads[4] = {2.4674011, 9.8696044, 20.1907286, 39.4784176};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int ends = 0; ends < 4; ends++) {
      column c = {(wy_rod_kind)kind, ends, loads[ends], false, false};
      char name[64];
      snprintf(name, sizeof name, "column, model %d, ends %d", kind, ends);
      /* half waves of length sqrt(pi^2 / P): (k h)^2 / 12 of the load, k^2 = P */
      second_order(name, column_error, &c, 16, 1.5 * loads[ends] / 12 / 256);
    }
}

static void a_soft_column_shears_and_gets_shorter(void **state) {
  (void)state;
  column c = {WY_COSSERAT, 1, 9.1208888761, true, false};
  second_order("pinned column with shear and extension", column_error, &c, 16, 1.5 * 9.12 / 12 / 256);
}

static void a_column_buckles_under_its_own_weight(void **state) {
  (void)state;
  column c = {WY_INEXTENSIBLE, 0, 7.8373474389, false, true};
  second_order("self-buckling", column_error, &c, 16, 1.5 * 7.84 / 12 / 256);
}

static void higher_loads_come_in_order(void **state) {
  (void)state;
  column c = {WY_INEXTENSIBLE, 1, 0, false, false};
  wy_mode_set *modes = buckled(&c, 40, 4);
  assert_int_equal(modes->count, 4);
  for (int i = 0; i < 4; i++) {
    double n = 1 + i / 2; /* NOLINT(bugprone-integer-division) two planes each */
    check_close(modes->factor[i] / (n * n * pi * pi), 1, n * n * pi * pi / 1600);
  }
  wy_mode_set_destroy(modes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cantilever_has_the_frequencies_of_timoshenko),
      cmocka_unit_test(constrained_rods_have_the_frequencies_of_euler_and_bernoulli),
      cmocka_unit_test(a_bar_swings_along_its_axis),
      cmocka_unit_test(damping_ratios_of_kelvin_and_voigt_grow_with_frequency),
      cmocka_unit_test(a_free_rod_has_six_rigid_motions),
      cmocka_unit_test(held_rods_have_no_rigid_motion_but_spin),
      cmocka_unit_test(a_hanging_thread_is_stable),
      cmocka_unit_test(a_tensioned_rod_is_a_string),
      cmocka_unit_test(columns_buckle_at_the_loads_of_euler),
      cmocka_unit_test(a_soft_column_shears_and_gets_shorter),
      cmocka_unit_test(a_column_buckles_under_its_own_weight),
      cmocka_unit_test(higher_loads_come_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
