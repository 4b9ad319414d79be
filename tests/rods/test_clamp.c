/* SPDX-License-Identifier: MIT */
/* Corrected clamps (S3a): cantilevers against closed forms, of third order in statics and with half the error in the
   lowest frequency; constant curvature stays exact; what they are not for is refused. */
#include <string.h>

#include "check.h"
#include "support/cases.h"
#include "support/rods.h"
#include "support/uniform.h"
#include "withy/statics.h"

static const double pi = 3.14159265358979323846;
/* Neither shear nor extension to speak of. */
static const double stiff[6] = {1e6, 1e6, 1e6, 1, 1, 1};

static wy_solver_def solver_with(wy_clamp clamp) {
  wy_solver_def solver = wy_default_solver_def();
  solver.clamp[WY_START] = solver.clamp[WY_END] = clamp;
  return solver;
}

/* ---- Statics ---- */

/* The deflection of the tip under the weight w: w L^4 / 8 EI. Larger deflections follow with their square. */
static const double weight = 4e-3;

static double sag_error(wy_clamp clamp, int segments) {
  example e = uniform_rod(WY_KIRCHHOFF, segments, 1, stiff);
  e.gravity[2] = -weight;
  const wy_solver_def solver = solver_with(clamp);
  test_sim made = settled(&e, &solver);
  double tip[4];
  wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
  free_sim(&made);
  return -tip[2] / (weight / 8) - 1;
}

static double corrected_sag(int segments, const void *context) {
  (void)context;
  return sag_error(WY_CLAMP_CORRECTED, segments);
}

/* The deflection is the sum of compliance, moment and lever over the vertices. Half a cell at the clamp is the
   trapezoidal rule for (1 - s)^3 / 2, off by h^2 of the integral; with its ends corrected the rule is off by h^3. */
static void a_cantilever_sags_with_third_order(void **state) {
  (void)state;
  const double h = 0.1;
  check_close(sag_error(WY_CLAMP_HALF_CELL, 10), h * h, h * h * h + weight * weight);
  check_close(fabs(sag_error(WY_CLAMP_CORRECTED, 10)), h * h * h, h * h * h / 2);
  nth_order("sag of a corrected clamp", corrected_sag, NULL, 5, 0.02, 3);
}

/* A moment at the tip bends the rod to a whole turn, and each vertex shows its curvature. The first segment is turned
   by K h/12 less than in a regular polygon, which leaves a gap of h times that. */
static void constant_curvature_is_exact(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    example e = uniform_rod((wy_rod_kind)kind, 20, 1, stiff);
    load_tip(&e, NULL, (const double[3]){0, 2 * pi, 0}, WY_SPACE_AXES);
    wy_solver_def solver = solver_with(WY_CLAMP_CORRECTED);
    solver.staggered.curvature_measure = WY_ANGLE;
    test_sim made = settled(&e, &solver);
    const wy_view *view = wy_sim_view(made.sim, 0);
    for (int i = 0; i < view->curvature.count; i++) {
      const double *k = view->curvature.values + 3 * i;
      check_close(hypot(k[0], k[1]), 2 * pi, 1e-8);
    }
    double tip[4];
    wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
    const double h = 0.05, gap = 2 * pi * h * h / 12;
    check_close(sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]), gap, gap * h * h);
    free_sim(&made);
  }
}

/* The undeformed rod is free of stress, whatever its shape and grid. */
static void a_curved_rod_rests(void **state) {
  (void)state;
  static const double lengths[5] = {0.1, 0.2, 0.3, 0.25, 0.15};
  example e = uniform_rod(WY_COSSERAT, 5, 1, stiff);
  e.rod.segment_lengths = lengths;
  e.rod.ends[WY_END] = wy_end_clamped();
  for (int k = 0; k < 3; k++)
    e.rod.shape.curvature[k] = wy_constant(1 + 0.3 * k);
  const wy_solver_def solver = solver_with(WY_CLAMP_CORRECTED);
  test_sim made = settled(&e, &solver);
  const wy_view *view = wy_sim_view(made.sim, 0);
  for (int i = 0; i < 3 * view->moment.count; i++)
    check_close(view->moment.values[i], 0, 1e-10);
  free_sim(&made);
}

/* ---- Vibration ---- */

/* The lowest frequency over that of the beam, root^2 sqrt(EI / mu) / L^2, less 1. */
static double frequency_error(wy_clamp clamp, int segments) {
  const double root = 1.8751040687119611;
  example e = uniform_rod(WY_KIRCHHOFF, segments, 1, stiff);
  e.rod.inertia[1] = e.rod.inertia[2] = e.rod.inertia[3] = wy_constant(1e-8); /* of the section: too small to matter */
  const wy_solver_def solver = solver_with(clamp);
  test_sim made = settled(&e, &solver);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_modes(made.sim, 0, 1, &modes, &message), &message);
  const double error = modes->omega[0] / (root * root) - 1;
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

/* What is left is the dispersion of differences, -h^2/12 times the integral of the slope's square over that of the
   mode's, 4.648 of the first mode; half a cell at the clamp has h^2 (0.917 - 1.835) / 2 of its own. */
static void the_lowest_frequency_has_half_the_error(void **state) {
  (void)state;
  const double h = 1.0 / 16, dispersion = -h * h / 12 * 4.648, clamp = h * h * (0.917 - 1.835) / 2;
  check_close(frequency_error(WY_CLAMP_CORRECTED, 16), dispersion, h * h * h);
  check_close(frequency_error(WY_CLAMP_HALF_CELL, 16), dispersion + clamp, h * h * h);
}

/* ---- What it is not for ---- */

static void refuse(example *e, const char *reason) {
  const wy_solver_def solver = solver_with(WY_CLAMP_CORRECTED);
  wy_message message = {0};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  const wy_model_def def = example_model(e);
  must(wy_model_create(&def, &model, &message), &message);
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = solver;
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_INPUT);
  if (strcmp(message.path, "solver.clamp") != 0 || !strstr(message.text, reason))
    fail_msg("found the message '%s: %s', wanted one at solver.clamp with '%s'", message.path, message.text, reason);
  wy_model_destroy(model);
}

static void releases_and_actuators_are_refused(void **state) {
  (void)state;
  example e = uniform_rod(WY_COSSERAT, 8, 1, stiff);
  e.rod.ends[WY_START].release = 0.5;
  refuse(&e, "an end that is released");
  e = uniform_rod(WY_COSSERAT, 8, 1, stiff);
  actuators(&e);
  refuse(&e, "an actuator");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cantilever_sags_with_third_order),
      cmocka_unit_test(constant_curvature_is_exact),
      cmocka_unit_test(a_curved_rod_rests),
      cmocka_unit_test(the_lowest_frequency_has_half_the_error),
      cmocka_unit_test(releases_and_actuators_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
