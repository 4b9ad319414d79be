/* SPDX-License-Identifier: MIT */
/* The key `accuracy`: what withy chooses keeps the error, leaves what is given, and does not depend on units and axes.
 */
#include <math.h>
#include <string.h>

#include "support/scenario.h"
#include "withy/method.h"

#define CANTILEVER(radius, matter, grid)                                                                               \
  "withy: 1\ntime: {end: 1}\ngravity: [0, 0, -9.81]\nrods:\n  - name: rod\n    length: 1\n" grid                       \
  "    section: {shape: circle, radius: " radius "}\n    material: {" matter "}\n    ends: {start: clamped}\n"
#define RUBBER(grid) CANTILEVER("5e-3", "density: 1100, young: 5.0e6, poisson: 0.5", grid)
#define STEEL(grid) CANTILEVER("1e-3", "density: 7850, young: 2.1e11, poisson: 0.2", grid)

/* F L^2/EI = 0.62 */
#define VIBRATING                                                                                                      \
  "withy: 1\ntime: {end: 1.93}\ngravity: [0, 0, -9.81]\nrods:\n  - name: rod\n    length: 1\n"                         \
  "    section: {shape: circle, radius: 2.4e-3}\n    material: {density: 7850, young: 8.63e10, poisson: 0.3}\n"        \
  "    ends: {start: clamped}\n"

/* ---- The promise ---- */

/* The largest distance of the tip from where it is at t = 0.5 and 1 [x, z], which fine grids of two schemes agree on to
   1e-4 (bench/space.c). */
static void check_tip(const char *text, const double tip[2][2], double accuracy) {
  wy_scenario *scenario = read_text(text);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  assert_int_equal(wy_scenario_build(scenario, &model, &sim, NULL), WY_OK);
  for (int k = 0; k < 2; k++) {
    double x[4];
    assert_int_equal(wy_sim_advance(sim, 0.5 * (k + 1), NULL), WY_OK);
    assert_int_equal(wy_sim_probe(sim, WY_POSITION, 0, 1, x, NULL), WY_OK);
    check_below(hypot(x[0] - tip[k][0], x[2] - tip[k][1]), accuracy);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
}

static void two_cantilevers_are_as_accurate_as_asked_for(void **state) {
  (void)state;
  const double rubber[2][2] = {{-0.16703, -0.91246}, {-0.63225, -0.04121}};
  const double steel[2][2] = {{0.98002, -0.18732}, {0.92587, -0.34939}};
  check_tip(RUBBER("") "solver: {accuracy: 1.0e-2}\n", rubber, 1e-2);
  check_tip(STEEL("") "solver: {accuracy: 5.0e-3}\n", steel, 5e-3);
}

/* Where the tip of a stiff rod is after three of its longest periods. */
static void find_tip(const char *const *settings, int count, double x[4]) {
  wy_scenario *scenario = read_with(VIBRATING, settings, count);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  assert_int_equal(wy_scenario_build(scenario, &model, &sim, NULL), WY_OK);
  assert_int_equal(wy_sim_advance(sim, scenario->end, NULL), WY_OK);
  assert_int_equal(wy_sim_probe(sim, WY_POSITION, 0, 1, x, NULL), WY_OK);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
}

/* Steps as long as a period would damp it away, by more than the accuracy. */
static void a_vibration_is_not_stepped_over(void **state) {
  (void)state;
  static const char *const fine[] = {"rods[0].segments=40", "solver.tolerance=1e-6"};
  static const char *const asked[] = {"solver.accuracy=3e-2"};
  double want[4], x[4];
  find_tip(fine, 2, want);
  find_tip(asked, 1, x);
  check_below(hypot(x[0] - want[0], x[2] - want[2]), 3e-2);
}

static void the_choice_is_told(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(STEEL("") "solver: {accuracy: 5.0e-3}\n");
  const wy_space_choice *choice = &scenario->spaces[0];
  assert_true(choice->known);
  check_below(choice->error, 5e-3);
  assert_int_equal(choice->segments, scenario->rods[0].segments);
  assert_non_null(strstr(choice->reason, "stiff"));
  assert_string_equal(scenario->solvers[0].scheme, "conserving");
  assert_int_equal(scenario->solvers[0].conserving.order, 4);
  assert_int_equal(scenario->unused_count, 0);
  wy_scenario_destroy(scenario);
  scenario = read_text(RUBBER("") "solver: {accuracy: 1.0e-2}\n");
  assert_string_equal(scenario->solvers[0].scheme, "staggered");
  assert_int_equal(scenario->solvers[0].staggered.curvature_measure, WY_TAN4);
  assert_non_null(scenario->rods[0].segment_lengths);
  assert_true(scenario->rods[0].segment_lengths[0] < scenario->rods[0].segment_lengths[10]);
  wy_scenario_destroy(scenario);
  scenario = read_text(RUBBER(""));
  assert_null(scenario->spaces);
  wy_scenario_destroy(scenario);
}

/* Smaller errors cost more segments and smaller tolerances; so do longer runs. */
static void choices_follow_the_accuracy(void **state) {
  (void)state;
  static const char *const settings[] = {"solver.accuracy=3e-2", "solver.accuracy=1e-2", "solver.accuracy=1e-3"};
  for (int soft = 0; soft < 2; soft++)
    for (int i = 0, before = 0; i < 3; i++) {
      wy_scenario *scenario = read_with(soft ? RUBBER("") : STEEL(""), &settings[i], 1);
      assert_true(scenario->rods[0].segments >= before + (i > 0 && soft));
      before = scenario->rods[0].segments;
      wy_scenario_destroy(scenario);
    }
}

/* ---- What is given ---- */

static void given_keys_win(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(RUBBER("    segments: 17\n") "solver: {accuracy: 1.0e-2, curvature_measure: angle, "
                                                                 "tolerance: 1.0e-4, integrator: radau5}\n");
  assert_int_equal(scenario->rods[0].segments, 17);
  const wy_solver_def *solver = &scenario->solvers[0];
  assert_string_equal(solver->integrator, "radau5");
  assert_int_equal(solver->staggered.curvature_measure, WY_ANGLE);
  check_close(solver->relative_tolerance, 1e-4, 0);
  /* With so few segments it is more than asked for, and is said to be. */
  check_above(scenario->spaces[0].error, 1e-2);
  assert_non_null(strstr(scenario->spaces[0].reason, "which is more"));
  wy_scenario_destroy(scenario);
  scenario = read_text(STEEL("") "solver: {accuracy: 5.0e-3, scheme: staggered, clamp: half_cell}\n");
  assert_string_equal(scenario->solvers[0].scheme, "staggered");
  assert_int_equal(scenario->solvers[0].clamp[WY_START], WY_CLAMP_HALF_CELL);
  wy_scenario_destroy(scenario);
  /* The grading of the file with the chosen number of segments. */
  scenario = read_text(RUBBER("    grading: {start: 4, over: 0.2}\n") "solver: {accuracy: 1.0e-2}\n");
  const double finer[2] = {4, 1};
  double lengths[200];
  const int count = scenario->rods[0].segments;
  assert_in_range(count, 20, 200);
  assert_int_equal(wy_graded_lengths(count, 1, finer, 0.2, lengths, NULL), WY_OK);
  for (int i = 0; i < count; i++)
    check_close(scenario->rods[0].segment_lengths[i], lengths[i], 1e-15);
  wy_scenario_destroy(scenario);
  /* Lists of lengths stay, and a rod has its own. */
  scenario = read_text(
      STEEL("    segments: [0.2, 0.3, 0.3, 0.2]\n    solver: {accuracy: 0.02}\n") "solver: {accuracy: 1.0e-3}\n");
  assert_int_equal(scenario->rods[0].segments, 4);
  assert_non_null(strstr(scenario->spaces[0].reason, "for 0.02"));
  wy_scenario_destroy(scenario);
}

/* The rule of thumb for bends holds where the number of segments is given and too small for the accuracy. */
static void no_other_number_of_segments_is_asked_for(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    wy_scenario *scenario = read_text(i == 0 ? RUBBER("") "solver: {accuracy: 1.0e-2}\n"
                                             : RUBBER("    segments: 12\n") "solver: {accuracy: 1.0e-2}\n");
    wy_model *model = NULL;
    wy_sim *sim = NULL;
    wy_finding findings[8];
    int count = 0, coarse = 0;
    assert_int_equal(wy_scenario_build(scenario, &model, &sim, NULL), WY_OK);
    assert_int_equal(wy_scenario_check(scenario, model, findings, 8, &count, NULL), WY_OK);
    assert_true(count <= 8);
    for (int k = 0; k < count; k++)
      coarse += strcmp(findings[k].code, "coarse") == 0;
    assert_int_equal(coarse, i);
    int again = -1;
    assert_int_equal(wy_scenario_check(scenario, model, NULL, 0, &again, NULL), WY_OK);
    assert_int_equal(again, count);
    wy_sim_destroy(sim);
    wy_model_destroy(model);
    wy_scenario_destroy(scenario);
  }
}

static void equilibria_keep_their_scheme(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\nanalysis: statics\ngravity: [0, 0, -9.81]\nrods:\n  - name: rod\n"
                                    "    length: 1\n    section: {shape: circle, radius: 1e-3}\n"
                                    "    material: {density: 7850, young: 2.1e11, poisson: 0.2}\n"
                                    "    ends: {start: clamped}\nsolver: {accuracy: 1.0e-3}\n");
  assert_string_equal(scenario->solvers[0].scheme, "staggered");
  assert_int_equal(scenario->unused_count, 0);
  wy_scenario_destroy(scenario);
}

/* What conserving rods cannot do is not asked of them. */
static void dampers_and_starts_at_rest_are_for_staggered_rods(void **state) {
  (void)state;
  static const char *const more[] = {"    damping: {time: 0.01}\n", "    initial: {from: statics}\n",
                                     "    model: kirchhoff\n"};
  for (int i = 0; i < 3; i++) {
    char text[800];
    snprintf(text, sizeof text, "%s%ssolver: {accuracy: 5.0e-3}\n", STEEL(""), more[i]);
    wy_scenario *scenario = read_text(text);
    assert_string_equal(scenario->solvers[0].scheme, "staggered");
    wy_scenario_destroy(scenario);
  }
}

/* Between two held ends, and where a taper is clamped at its thin end, strains and positions of conserving rods part
   when steps or segments are long. */
static void other_rods_than_uniform_cantilevers_are_staggered(void **state) {
  (void)state;
  static const char *const rods[] = {"rods[0].ends.end=clamped", "rods[0].ends.end=pinned",
                                     "rods[0].section.radius=1e-3*(0.5+0.5*s)"};
  for (int i = 0; i < 3; i++) {
    const char *const settings[] = {rods[i], "solver.accuracy=3e-2"};
    wy_scenario *scenario = read_with(STEEL(""), settings, 2);
    assert_string_equal(scenario->solvers[0].scheme, "staggered");
    wy_scenario_destroy(scenario);
  }
}

static void no_error_is_promised_where_none_is_known(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(RUBBER("") "obstacles: [{shape: plane, position: [0, 0, -2], normal: [0, 0, 1]}]\n"
                                               "solver: {accuracy: 1.0e-2}\n");
  assert_false(scenario->spaces[0].known);
  assert_true(isnan(scenario->spaces[0].error));
  assert_non_null(strstr(scenario->spaces[0].reason, "no error is promised, since the rod may touch obstacles"));
  wy_scenario_destroy(scenario);
  static const char *const longer[] = {"time.end=3", "solver.accuracy=1e-2"};
  scenario = read_with(RUBBER(""), longer, 2);
  assert_false(scenario->spaces[0].known);
  wy_scenario_destroy(scenario);
}

/* ---- Units and axes ---- */

/* The same rod, `size` times as long and `slow` times as slow, turned about y and shifted: the number of segments. */
static int segments_of(double size, double slow, double turn, double shift, double softness) {
  char text[900];
  const double g = 9.81 * size / (slow * slow), density = 1000;
  const double radius = 4e-3 * size, area = 3.141592653589793 * radius * radius;
  const double young = density * area * g * pow(size, 3) / softness / (area * radius * radius / 4);
  snprintf(text, sizeof text,
           "withy: 1\ntime: {end: %.17g}\ngravity: [%.17g, 0, %.17g]\nrods:\n  - name: rod\n    length: %.17g\n"
           "    section: {shape: circle, radius: %.17g}\n    material: {density: %g, young: %.17g, poisson: 0.3}\n"
           "    shape: {origin: [%g, 0, %g], direction: [%.17g, 0, %.17g]}\n    ends: {start: clamped}\n"
           "solver: {accuracy: 0.01}\n",
           0.95 * slow, -g * sin(turn), -g * cos(turn), size, radius, density, young, shift, -shift, cos(turn),
           -sin(turn));
  wy_scenario *scenario = read_text(text);
  const int segments = scenario->rods[0].segments;
  assert_true(scenario->spaces[0].known);
  wy_scenario_destroy(scenario);
  return segments;
}

static void units_and_axes_do_not_matter(void **state) {
  (void)state;
  for (double softness = 0.3; softness < 500; softness *= 7) {
    const int segments = segments_of(1, 1, 0, 0, softness);
    assert_int_equal(segments_of(0.02, 1, 0, 0, softness), segments);
    assert_int_equal(segments_of(30, 12, 0, 0, softness), segments);
    assert_int_equal(segments_of(1, 1, 1.1, 0, softness), segments);
    assert_int_equal(segments_of(1, 1, -2.3, 5, softness), segments);
  }
}

/* ---- Mistakes ---- */

static void mistakes_are_explained(void **state) {
  (void)state;
  static const char *const numbers[] = {"0", "-0.01", "1", "0.2", "1e-5", ".nan", "fine"};
  for (int i = 0; i < 7; i++) {
    char text[800];
    snprintf(text, sizeof text, "%ssolver: {accuracy: %s}\n", STEEL(""), numbers[i]);
    check_refused(text, "solver.accuracy");
  }
  check_refused(STEEL("") "solver: {accuracy: 2}\n", "a number from 1e-4 to 0.1");
  check_refused(STEEL("") "solver: {accuracy: 0.01, scheme: mixed}\n", "whose errors it does not know");
  check_refused(STEEL("") "solver: {accuracy: 0.01, integrator: stride, step: 0.01}\n", "whose steps are fixed");
  check_refused(STEEL("    solver: {scheme: mixed}\n") "solver: {accuracy: 0.01}\n", "the scheme 'mixed'");
}

static void the_library_refuses_what_is_no_accuracy(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(STEEL(""));
  wy_model *model = NULL;
  wy_space_choice choice;
  wy_message message;
  wy_solver_def solver = wy_default_solver_def();
  assert_int_equal(wy_model_create(&scenario->model, &model, NULL), WY_OK);
  const double wrong[] = {0, -1, 1, (double)NAN, (double)INFINITY};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(wy_space_choose(model, 0, WY_DYNAMICS, 1, wrong[i], 0, &solver, &choice, &message),
                     WY_ERROR_INPUT);
    assert_string_equal(message.path, "solver.accuracy");
  }
  assert_int_equal(wy_space_choose(model, 1, WY_DYNAMICS, 1, 0.01, 0, &solver, &choice, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_space_choose(model, 0, WY_DYNAMICS, 1, 0.01, 0, NULL, &choice, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_space_choose(model, 0, WY_DYNAMICS, 1, 0.01, 0, &solver, NULL, &message), WY_ERROR_INPUT);
  /* Without an end of the run: as for a few swings. */
  assert_int_equal(wy_space_choose(model, 0, WY_DYNAMICS, (double)INFINITY, 0.01, 0, &solver, &choice, &message),
                   WY_OK);
  assert_in_range(choice.segments, 5, 100);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_cantilevers_are_as_accurate_as_asked_for),
                                     cmocka_unit_test(a_vibration_is_not_stepped_over),
                                     cmocka_unit_test(the_choice_is_told),
                                     cmocka_unit_test(choices_follow_the_accuracy),
                                     cmocka_unit_test(given_keys_win),
                                     cmocka_unit_test(no_other_number_of_segments_is_asked_for),
                                     cmocka_unit_test(equilibria_keep_their_scheme),
                                     cmocka_unit_test(dampers_and_starts_at_rest_are_for_staggered_rods),
                                     cmocka_unit_test(other_rods_than_uniform_cantilevers_are_staggered),
                                     cmocka_unit_test(no_error_is_promised_where_none_is_known),
                                     cmocka_unit_test(units_and_axes_do_not_matter),
                                     cmocka_unit_test(mistakes_are_explained),
                                     cmocka_unit_test(the_library_refuses_what_is_no_accuracy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
