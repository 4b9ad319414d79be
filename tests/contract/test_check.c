/* SPDX-License-Identifier: MIT */
/* What the library says before a run (wy_check): every warning with a definition that brings it up and one that does
   not. The command has the same in tests/cli/test_check. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "judge/judge.h"
#include "support/published.h"

enum { ROOM = 16 };

/* A soft cantilever of a meter, clamped at its start, on whose definition nothing is doubtful. */
typedef struct setting {
  wy_rod_def rod;
  wy_model_def model;
  wy_sim_def sim;
  wy_load_def load;
  wy_actuator_def actuator;
  wy_analysis analysis;
} setting;

static setting usual(void) {
  setting s = {.rod = wy_default_rod_def(), .model = wy_default_model_def(), .sim = wy_default_sim_def()};
  s.rod.length = 1;
  s.rod.segments = 20;
  s.rod.section.shape = WY_CIRCLE;
  s.rod.section.radius = wy_constant(0.02);
  s.rod.material.given = true;
  s.rod.material.young = wy_constant(1e5);
  s.rod.material.density = wy_constant(2000);
  s.rod.material.poisson = wy_constant(0.5);
  s.rod.ends[WY_START] = wy_end_clamped();
  s.model.gravity[2] = 0;
  s.sim.end = 100;
  return s;
}

static int check(setting *s, wy_finding list[ROOM]) {
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  int count = 0;
  s->model.rods = &s->rod;
  s->model.rod_count = 1;
  if (s->load.force[0].value != 0)
    s->model.loads = &s->load, s->model.load_count = 1;
  if (s->actuator.force.value != 0)
    s->model.actuators = &s->actuator, s->model.actuator_count = 1;
  s->sim.statics = s->analysis != WY_DYNAMICS;
  must(wy_model_create(&s->model, &model, &message), &message);
  must(wy_check(model, &s->sim, s->analysis, list, ROOM, &count, &message), &message);
  wy_model_destroy(model);
  return count;
}

/* The finding of this code is there alone, complete, and says what it should. */
static void warns(setting s, const char *code, const char *path, const char *words) {
  wy_finding list[ROOM];
  char line[800];
  const int count = check(&s, list);
  for (int i = 0; i < count && i < ROOM; i++) {
    wy_finding_line(&list[i], line, sizeof line);
    print_message("%s: %s\n", list[i].code, line);
  }
  if (count != 1 || strcmp(list[0].code, code) != 0)
    fail_msg("%d findings, the first %s; want one, %s", count, count ? list[0].code : "-", code);
  assert_int_equal(list[0].severity, WY_WARNING);
  assert_string_equal(list[0].path, path);
  assert_true(list[0].text[0] && list[0].remedy[0]);
  wy_finding_line(&list[0], line, sizeof line);
  if (!strstr(line, words))
    fail_msg("got '%s'; want '%s' in it", line, words);
}

static void is_silent(setting s) {
  wy_finding list[ROOM];
  const int count = check(&s, list);
  if (count != 0)
    fail_msg("%d findings, the first: %s: %s", count, list[0].code, list[0].text);
}

static void a_sound_definition_has_no_findings(void **state) {
  (void)state;
  setting s = usual();
  is_silent(s);
  s.analysis = WY_STATICS;
  is_silent(s);
  s.analysis = WY_MODES;
  is_silent(s);
}

static void values_that_look_like_other_units(void **state) {
  (void)state;
  setting s = usual();
  s.rod.material.density = wy_constant(7.85);
  warns(s, "density", "rods.rod.material.density", "7850 if that is in g/cm^3");
  s = usual();
  s.rod.material.density = wy_constant(30000);
  warns(s, "density", "rods.rod.material.density", "more than any solid");
  s = usual();
  s.rod.material.young = wy_constant(210);
  warns(s, "young", "rods.rod.material.young", "2.1e+11 if that is in GPa");
  s = usual();
  s.rod.material.young = wy_constant(3e12);
  warns(s, "young", "rods.rod.material.young", "stiffer than diamond");
  s = usual();
  s.rod.material.poisson = wy_constant(-0.3);
  warns(s, "poisson", "rods.rod.material.poisson", "auxetic");
  s = usual();
  s.rod.section.radius = wy_constant(0.3);
  warns(s, "slenderness", "rods.rod", "check length and section");
  s = usual();
  s.model.gravity[0] = 9810; /* along the rod */
  warns(s, "gravity", "gravity", "9.81 is usual");
}

static void grids_that_are_too_coarse(void **state) {
  (void)state;
  setting s = usual();
  s.rod.segments = 10;
  s.rod.shape.curvature[1] = wy_constant(6.2831853);
  warns(s, "coarse", "rods.rod.segments", "36 degrees per segment (undeformed and twisted); use 30 or more");
  s.rod.segments = 30;
  is_silent(s);
  s.rod.segments = 4;
  s.sim.solver.scheme = "mixed"; /* 2 pi / 4 = 1.571 of 1.5 rad */
  warns(s, "turn", "rods.rod.segments",
        "elements of order 2 turn up to 1.57 rad each (undeformed and twisted), more than the 1.5");
  s.rod.segments = 5;
  is_silent(s);
}

/* Those that a run measures are marked, so that nobody is told twice. */
static void options_of_schemes(void **state) {
  (void)state;
  wy_finding list[ROOM];
  setting s = usual();
  s.sim.solver.scheme = "conserving";
  warns(s, "even_segments", "rods.rod.segments", "use an odd number, or solver.order: 4");
  assert_true(check(&s, list) == 1 && list[0].expected);
  s.rod.segments = 21;
  is_silent(s);
  s.rod.segments = 20;
  s.sim.solver.conserving.order = 4;
  is_silent(s);
  s = usual();
  s.rod.kind = WY_INEXTENSIBLE;
  s.sim.solver.scheme = "box";
  s.sim.solver.box.coefficients_given = true;
  s.sim.solver.box.alpha = 0.5, s.sim.solver.box.beta = 0.6, s.sim.solver.box.gamma = 0.6;
  warns(s, "coefficients", "rods.rod", "are not stable");
  assert_true(check(&s, list) == 1 && list[0].expected);
  s.sim.solver.box.beta = s.sim.solver.box.gamma = 0.5;
  is_silent(s);
}

/* A path that begins with a velocity: x = 0.1 t. */
static void ramp(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s;
  jet[0] = 0.1 * t, jet[1] = wrt == WY_TIME ? 0.1 : 0, jet[2] = 0;
}

/* A path that stretches a rod of a meter by a tenth in 100 s. */
static void pull(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s;
  jet[0] = 1 + 1e-5 * t * t, jet[1] = wrt == WY_TIME ? 2e-5 * t : 0, jet[2] = wrt == WY_TIME ? 2e-5 : 0;
}

/* Way-points that turn the start about its own axis, x. */
static wy_spline *turning(double angle, wy_outside outside) {
  static const char *const names[4] = {"qw", "qx", "qy", "qz"};
  const double t[3] = {0, 50, 100};
  const double q[12] = {1, 0, 0, 0, cos(0.25 * angle), sin(0.25 * angle), 0, 0, cos(0.75 * angle), sin(0.75 * angle),
                        0, 0};
  wy_spline_def def = wy_default_spline_def();
  wy_spline *path = NULL;
  def.rows = 3, def.columns = 4, def.argument = t, def.values = q, def.names = names, def.outside = outside;
  assert_int_equal(wy_spline_create(&def, &path, NULL), WY_OK);
  return path;
}

static void turn_start(setting *s, const wy_spline *path) {
  wy_end *end = &s->rod.ends[WY_START];
  *end = wy_end_clamped();
  end->rotation = WY_DRIVEN;
  end->rotation_by = WY_BY_QUATERNION;
  for (int i = 0; i < 4; i++)
    end->quaternion[i] = wy_spline_signal(path, i);
}

/* Half the angle, then all of it: 75 degrees, then 150. */
static void orientations(void **state) {
  (void)state;
  wy_spline *smooth = turning(1, WY_OUTSIDE_HOLD), *far = turning(2.618, WY_OUTSIDE_HOLD);
  wy_spline *sudden = turning(1, WY_OUTSIDE_REFUSE);
  setting s = usual();
  turn_start(&s, smooth);
  is_silent(s);
  turn_start(&s, far);
  warns(s, "far_way_points", "rods.rod.ends.start", "turns by 150 degrees up to the way-point of t = 100");
  turn_start(&s, sudden);
  warns(s, "shock", "rods.rod.ends.start", "begins to turn with an angular velocity of");
  wy_spline_destroy(smooth);
  wy_spline_destroy(far);
  wy_spline_destroy(sudden);
}

static void motions_and_steps(void **state) {
  (void)state;
  setting s = usual();
  s.rod.ends[WY_START].position[1] = WY_DRIVEN;
  s.rod.ends[WY_START].path[1] = (wy_signal){0, ramp, NULL, WY_TIME};
  warns(s, "shock", "rods.rod.ends.start", "differs by 0.1 m/s");
  s = usual(); /* its period is 25 s */
  s.sim.solver.integrator = "midpoint";
  s.sim.solver.first_step = 20;
  warns(s, "long_step", "rods.rod", "the step 20 makes");
  s.sim.solver.first_step = 0.1;
  is_silent(s);
  s = usual(); /* EA is 125.7 N, 10 % of it 12.6 N */
  s.rod.ends[WY_END] = wy_end_clamped();
  s.rod.ends[WY_END].position[0] = WY_DRIVEN;
  s.rod.ends[WY_END].path[0] = (wy_signal){0, pull, NULL, WY_TIME};
  warns(s, "stretched", "rods.rod.ends", "1.1 m apart at t = 100, and the rod is 1 m long: it is stretched by 10 %");
  s.rod.ends[WY_START].position[0] = WY_FREE;
  is_silent(s);
}

static void what_equilibria_stumble_over(void **state) {
  (void)state;
  setting s = usual();
  s.rod.ends[WY_START] = wy_end_free();
  s.analysis = WY_STATICS;
  warns(s, "not_held", "rods.rod.ends", "neither end holds a position");
  s.analysis = WY_MODES;
  warns(s, "not_held", "rods.rod.ends", "motions of the rod as a whole");
  s.rod.ends[WY_START] = wy_end_pinned();
  s.analysis = WY_STATICS;
  warns(s, "turns_freely", "rods.rod.ends", "about its start");
  s.rod.ends[WY_END] = wy_end_pinned();
  is_silent(s);
  s.rod.kind = WY_INEXTENSIBLE;
  warns(s, "no_slack", "rods.rod", "its ends are 1 apart");
  s = usual();
  s.analysis = WY_BUCKLING;
  warns(s, "no_loads", "loads", "nothing to multiply");
}

static void actuators_outside_of_the_section(void **state) {
  (void)state;
  setting s = usual();
  s.actuator = wy_default_actuator_def();
  s.actuator.kind = WY_TENDON;
  s.actuator.rod = 0;
  s.actuator.offset[0] = wy_constant(0.03);
  s.actuator.force = wy_constant(1e-4);
  warns(s, "offset", "actuators[0].offset", "0.03 m from the centre line");
  s.actuator.offset[0] = wy_constant(0.01);
  is_silent(s);
}

/* As with wy_sim_verify: what has no room is counted. */
static void findings_beyond_the_room_are_counted(void **state) {
  (void)state;
  setting s = usual();
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  wy_finding one;
  int count = 0;
  s.rod.material.density = wy_constant(7.85);
  s.rod.material.poisson = wy_constant(-0.3);
  s.model.rods = &s.rod;
  s.model.rod_count = 1;
  must(wy_model_create(&s.model, &model, &message), &message);
  must(wy_check(model, &s.sim, WY_DYNAMICS, &one, 1, &count, &message), &message);
  assert_int_equal(count, 2);
  assert_string_equal(one.code, "density");
  s.sim.end = INFINITY; /* without an end, too */
  must(wy_check(model, &s.sim, WY_DYNAMICS, NULL, 0, &count, &message), &message);
  assert_int_equal(count, 2);
  wy_model_destroy(model);
}

/* The report and the slowest period: a cantilever of 0.2486198 rad/s. */
static void the_report_has_the_frequencies(void **state) {
  (void)state;
  setting s = usual();
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  wy_report_line lines[60];
  int count = 0;
  bool bending = false, mass = false;
  s.model.rods = &s.rod;
  s.model.rod_count = 1;
  must(wy_model_create(&s.model, &model, &message), &message);
  must(wy_check_report(model, &s.sim, WY_DYNAMICS, 0, lines, 60, &count, &message), &message);
  assert_in_range(count, 10, 60);
  for (int i = 0; i < count; i++) {
    mass = mass || (strcmp(lines[i].name, "mass") == 0 && strstr(lines[i].text, "2.51327 kg"));
    bending = bending || (strcmp(lines[i].name, "bending along d1") == 0 && strstr(lines[i].text, "0.2486"));
  }
  assert_true(mass && bending);
  check_close(wy_check_period(model, &s.sim, 0), 6.283185307179586 / 0.2486198239, 1e-7);
  wy_model_destroy(model);
}

/* Steps that divide: the nearest shorter one of 1 that divides 1 and 0.3 is 0.1, the nearest longer one of 0.06, too.
 */
static void steps_fit_the_times_of_rows(void **state) {
  (void)state;
  const double times[] = {1, 0.3};
  check_close(wy_step_fitting(0.3, false, times, 2), 0.1, 1e-15);
  check_close(wy_step_fitting(0.06, true, times, 2), 0.1, 1e-15);
  check_close(wy_step_fitting(0.06, false, times, 2), 0.05, 1e-15);
  assert_true(wy_step_fitting(0.2, true, times, 2) == 0);
  assert_true(wy_step_divides(0.1, 0.3) && !wy_step_divides(0.2, 0.3));
}

/* A scheme answers for itself, and an order that it does not have is refused. */
static void schemes_describe_themselves(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  for (int i = 0; (solver.scheme = wy_scheme_name(i)); i++) {
    const wy_scheme_info info = wy_scheme_describe(&solver);
    assert_string_equal(info.name, solver.scheme);
    assert_true(info.summary[0] && info.piece[0] && info.pieces[0] && info.node[0] && info.nodes_per_piece > 0);
    assert_int_equal(info.has_equilibria, wy_scheme_has_equilibria(solver.scheme));
    for (int k = 0; k < 2 && info.orders[0] > 0; k++) {
      must(wy_solver_set_order(&solver, info.orders[k], &message), &message);
      char digit[2] = {(char)('0' + info.orders[k]), 0};
      assert_non_null(strstr(wy_scheme_describe(&solver).pieces, digit));
    }
    assert_int_equal(wy_solver_set_order(&solver, 7, &message), info.orders[0] > 0 ? WY_ERROR_INPUT : WY_OK);
  }
  solver = wy_default_solver_def();
  assert_string_equal(wy_scheme_describe(&solver).kept_by, "projection");
  solver.integrator = "ndf";
  assert_string_equal(wy_scheme_describe(&solver).kept_by, "Baumgarte");
  assert_non_null(strstr(wy_scheme_describe(&solver).constraints, "ndf is a multistep method"));
}

/* The estimate of memory is generous: no less than what a simulation takes, and no more than ten times that. */
static void memory_is_estimated_generously(void **state) {
  (void)state;
  setting s = usual();
  wy_message message = {{0}, {0}};
  s.rod.segments = 501;
  s.model.rods = &s.rod;
  s.model.rod_count = 1;
  for (int i = 0; (s.sim.solver.scheme = wy_scheme_name(i)); i++) {
    s.rod.kind = wy_method_possible(&s.sim.solver, WY_COSSERAT, NULL) == WY_OK ? WY_COSSERAT : WY_INEXTENSIBLE;
    s.sim.statics = wy_scheme_has_equilibria(s.sim.solver.scheme);
    wy_model *model = NULL;
    wy_sim *sim = NULL;
    must(wy_model_create(&s.model, &model, &message), &message);
    must(wy_sim_create(model, &s.sim, &sim, &message), &message);
    const double saved = (double)wy_sim_save_size(sim), estimate = wy_memory_estimate(&s.model, &s.sim);
    if (!(estimate > saved && estimate < 1e5 * s.rod.segments))
      fail_msg("%s: estimate %g, saved part %g", s.sim.solver.scheme, estimate, saved);
    wy_sim_destroy(sim);
    wy_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_definition_has_no_findings),
      cmocka_unit_test(values_that_look_like_other_units),
      cmocka_unit_test(grids_that_are_too_coarse),
      cmocka_unit_test(options_of_schemes),
      cmocka_unit_test(motions_and_steps),
      cmocka_unit_test(orientations),
      cmocka_unit_test(what_equilibria_stumble_over),
      cmocka_unit_test(actuators_outside_of_the_section),
      cmocka_unit_test(findings_beyond_the_room_are_counted),
      cmocka_unit_test(the_report_has_the_frequencies),
      cmocka_unit_test(steps_fit_the_times_of_rows),
      cmocka_unit_test(schemes_describe_themselves),
      cmocka_unit_test(memory_is_estimated_generously),
  };
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
