/* SPDX-License-Identifier: MIT */
/* Examinations of convergence (withy/converge.h) over all schemes: which runs there are, that they are those of wy_run
   with the same settings, errors in time beside those in space, places between nodes, threads, failures, and what is
   refused. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "withy/converge.h"

/* A rod that swings for a moment. */
static const char swinging[] = "withy: 1\n"
                               "time: {end: 0.1, output: 0.02}\n"
                               "gravity: [0, 0, -9.81]\n"
                               "rods:\n"
                               "  - length: 1\n"
                               "    segments: 9\n"
                               "    section: {shape: circle, radius: 5.0e-3}\n"
                               "    material: {density: 1100, young: 5.0e7, poisson: 0.5}\n"
                               "    shape: {direction: [1, 0, 0], d1: [0, 1, 0]}\n"
                               "    ends: {start: clamped}\n"
                               "probes:\n"
                               "  - {name: tip, at: end, quantity: position}\n"
                               "  - {name: frame, at: end, quantity: rotation}\n"
                               "  - {name: energy, quantity: energy}\n";

typedef struct made {
  wy_scenario *scenario;
  wy_converge_def def;
} made;

static made make(const char *text, const char *const *settings, int count) {
  made m = {NULL, wy_default_converge_def()};
  wy_scenario_error error;
  if (wy_scenario_read("test", "test", text, settings, count, &m.scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  m.def.scenario = m.scenario;
  return m;
}

static wy_converge_report examine(const made *m) {
  wy_converge_report report;
  wy_message message;
  if (wy_converge_all(&m->def, &report, &message) != WY_OK)
    fail_msg("%s", message.text);
  assert_int_equal(report.end, WY_RUN_DONE);
  return report;
}

/* ---- Which runs ---- */

static const char *setting(const wy_converge_run *run, const char *path) {
  for (int i = 0; i < run->setting_count; i++)
    if (strncmp(run->settings[i], path, strlen(path)) == 0 && run->settings[i][strlen(path)] == '=')
      return run->settings[i] + strlen(path) + 1;
  return NULL;
}

static wy_converge *plan(const made *m) {
  wy_converge *c;
  wy_message message;
  if (wy_converge_create(&m->def, &c, &message) != WY_OK)
    fail_msg("%s", message.text);
  return c;
}

static void error_control_gets_a_tighter_tolerance(void **state) {
  (void)state;
  made m = make(swinging, NULL, 0);
  wy_converge *c = plan(&m);
  assert_int_equal(wy_converge_run_count(c), 4);
  static const int segments[] = {9, 18, 36, 9}, levels[] = {0, 1, 2, WY_CONVERGE_CHECK};
  for (int i = 0; i < 4; i++) {
    const wy_converge_run *run = wy_converge_describe(c, i);
    assert_int_equal(run->segments, segments[i]);
    assert_int_equal(run->level, levels[i]);
    check_close(run->tolerance, i == 0 ? 1e-6 : 1e-8, 1e-20);
    assert_true(run->step == 0);
  }
  assert_int_equal(wy_converge_describe(c, 0)->setting_count, 0);
  assert_string_equal(setting(wy_converge_describe(c, 2), "rods[0].segments"), "36");
  wy_converge_destroy(c);
  wy_scenario_destroy(m.scenario);
}

/* Steps are halved with the segments; an odd number stays odd. */
static void fixed_steps_are_halved_and_odd_numbers_stay_odd(void **state) {
  (void)state;
  const char *settings[] = {"solver={scheme: conserving, order: 2, integrator: midpoint, step: 1.0e-3}"};
  made m = make(swinging, settings, 1);
  m.def.levels = 4;
  wy_converge *c = plan(&m);
  assert_int_equal(wy_converge_run_count(c), 5);
  static const int segments[] = {9, 19, 39, 79, 9};
  static const double steps[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4, 5e-4};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(wy_converge_describe(c, i)->segments, segments[i]);
    check_close(wy_converge_describe(c, i)->step, steps[i], 1e-18);
  }
  wy_converge_destroy(c);
  wy_scenario_destroy(m.scenario);
}

static void lists_of_lengths_are_divided(void **state) {
  (void)state;
  const char *settings[] = {"rods[0].segments=[0.2, 0.3, 0.5]", "analysis=statics"};
  made m = make(swinging, settings, 2);
  wy_converge *c = plan(&m);
  assert_int_equal(wy_converge_run_count(c), 3);
  double lengths[6];
  const char *text = setting(wy_converge_describe(c, 1), "rods[0].segments");
  assert_non_null(text);
  assert_int_equal(sscanf(text, "[%lf, %lf, %lf, %lf, %lf, %lf]", &lengths[0], &lengths[1], &lengths[2], &lengths[3],
                          &lengths[4], &lengths[5]),
                   6);
  static const double want[] = {0.1, 0.1, 0.15, 0.15, 0.25, 0.25};
  for (int i = 0; i < 6; i++)
    check_close(lengths[i], want[i], 1e-16);
  assert_int_equal(wy_converge_describe(c, 2)->segments, 12);
  wy_converge_destroy(c);
  const char *odd[] = {"rods[0].segments=[0.2, 0.3, 0.5]", "solver={scheme: conserving, order: 2, step: 1.0e-3}"};
  made n = make(swinging, odd, 2);
  c = plan(&n);
  assert_int_equal(wy_converge_describe(c, 1)->segments, 7);
  assert_int_equal(wy_converge_describe(c, 2)->segments, 15);
  wy_converge_destroy(c);
  wy_scenario_destroy(n.scenario);
  wy_scenario_destroy(m.scenario);
}

/* ---- Results ---- */

static const char *const methods[] = {"solver={scheme: staggered}", "solver={scheme: mixed, order: 2, step: 2.0e-3}",
                                      "solver={scheme: conserving, order: 2, integrator: midpoint, step: 1.0e-3}",
                                      "solver={scheme: box, step: 2.0e-3, allow_drift: 1}"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The last row of a run by wy_run with the settings that the report names. */
static void keep_last(void *context, double t, const double *values) {
  (void)t;
  memcpy(context, values, 8 * sizeof *values);
}

static void runs_are_those_of_wy_run(void **state) {
  (void)state;
  for (int method = 0; method < METHODS; method++) {
    const char *first[] = {methods[method], method == 3 ? "rods[0].model=inextensible" : "rods[0].model=cosserat"};
    made m = make(swinging, first, 2);
    wy_converge_report report = examine(&m);
    assert_int_equal(report.row_count, 6);
    for (int i = 0; i < report.run_count; i++) {
      const char *settings[16] = {first[0], first[1]};
      double last[8];
      check_at_most(report.runs[i].setting_count, 14);
      for (int k = 0; k < report.runs[i].setting_count; k++)
        settings[2 + k] = report.runs[i].settings[k];
      made own = make(swinging, settings, 2 + report.runs[i].setting_count);
      wy_run_def def = wy_default_run_def();
      wy_message message;
      def.scenario = own.scenario;
      def.context = last;
      def.row = keep_last;
      if (wy_run(&def, NULL, &message) != WY_OK)
        fail_msg("%s", message.text);
      for (int k = 0; k < 3; k++)
        assert_true(report.results[0].values[3 * i + k] == last[k]);
      assert_true(report.results[2].values[i] == last[7]);
      wy_scenario_destroy(own.scenario);
    }
    wy_converge_report_free(&report);
    wy_scenario_destroy(m.scenario);
  }
}

/* Each kind of report is consistent: errors fall from level to level, the tip is trusted, the run of the check is as
   far from the scenario as the error in time says. */
static void every_scheme_converges(void **state) {
  (void)state;
  for (int method = 0; method < METHODS; method++) {
    const char *first[] = {methods[method], method == 3 ? "rods[0].model=inextensible" : "rods[0].model=cosserat",
                           "time={end: 0.2, output: 0.05}"}; /* until the waves of the start have spread */
    made m = make(swinging, first, 3);
    wy_converge_report report = examine(&m);
    const wy_converge_result *tip = &report.results[0], *frame = &report.results[1];
    assert_string_equal(tip->name, "tip");
    assert_int_equal(frame->components, 4);
    for (int i = 0; i < 2; i++) {
      if (!report.results[i].trusted)
        fail_msg("%s: %s, order %g", methods[method], wy_convergence_name(report.results[i].verdict),
                 report.results[i].order);
      check_below(report.results[i].errors[report.finest], report.results[i].errors[1]);
      check_below(report.results[i].errors[1], report.results[i].errors[0]);
    }
    check_at_least(tip->time_error, 0);
    check_at_most(tip->end_errors[0], tip->errors[0]);
    assert_int_equal(tip->row_count, 5);
    check_close(tip->course[3 * 4 + 2], tip->extrapolated[2], 0);
    check_at_least(wy_converge_needed(&report, 0, 0.9), 1);
    check_above(wy_converge_needed(&report, 0, 1e-6), wy_converge_needed(&report, 0, 1e-5));
    wy_converge_report_free(&report);
    wy_scenario_destroy(m.scenario);
  }
}

/* With a coarse step the error in time is that which refining the step alone finds. */
static void errors_in_time_are_told_apart(void **state) {
  (void)state;
  const char *settings[] = {"solver={scheme: mixed, order: 2, step: 1.0e-2}"};
  made m = make(swinging, settings, 1);
  wy_converge_report both = examine(&m);
  m.def.refine = WY_REFINE_STEP;
  wy_converge_report step = examine(&m);
  m.def.refine = WY_REFINE_SEGMENTS;
  wy_converge_report segments = examine(&m);
  assert_int_equal(both.run_count, 4);
  assert_int_equal(step.run_count, 3);
  const double time = both.results[0].time_error;
  check_above(time / step.results[0].errors[0], 0.5);
  check_below(time / step.results[0].errors[0], 2);
  assert_true(isnan(step.results[0].time_error));
  check_below(segments.results[0].errors[0], 0.5 * time);
  assert_true(segments.results[0].promised == 4 && both.results[0].promised == 2);
  wy_converge_report_free(&both);
  wy_converge_report_free(&step);
  wy_converge_report_free(&segments);
  wy_scenario_destroy(m.scenario);
}

/* A tolerance so loose that it rules: the error in time is seen, and with the tighter one the others are not spoilt. */
static void a_loose_tolerance_is_seen(void **state) {
  (void)state;
  const char *settings[] = {"solver={integrator: radau5, tolerance: 0.03}"};
  made m = make(swinging, settings, 1);
  wy_converge_report report = examine(&m);
  const wy_converge_result *tip = &report.results[0];
  check_above(tip->time_error, 0);
  check_at_least(tip->errors[0] * 1.01, tip->time_error - tip->errors[report.finest] - tip->differences[0] * 2);
  m.def.refine = WY_REFINE_TOLERANCE;
  wy_converge_report tolerance = examine(&m);
  assert_true(tolerance.results[0].promised == 1);
  assert_int_equal(tolerance.runs[2].segments, 9);
  check_close(tolerance.runs[2].tolerance, 3e-4, 1e-12);
  wy_converge_report_free(&tolerance);
  wy_converge_report_free(&report);
  wy_scenario_destroy(m.scenario);
}

/* ---- Places between nodes ---- */

static wy_convergence verdict_of(const char *extra, const char *probes) {
  const char *settings[] = {"analysis=statics", extra, probes};
  made m = make(swinging, settings, 3);
  wy_converge_report report = examine(&m);
  const wy_convergence verdict = report.results[0].verdict;
  if (verdict == WY_BETWEEN_NODES)
    for (int i = 0; i < report.run_count; i++)
      check_at_least(report.results[0].errors[i], report.results[0].differences[1]);
  wy_converge_report_free(&report);
  wy_scenario_destroy(m.scenario);
  return verdict;
}

static void places_between_nodes_are_not_extrapolated(void **state) {
  (void)state;
  static const char tip[] = "probes=[{name: tip, at: end, quantity: position}]",
                    third[] = "probes=[{name: here, at: 1/3, quantity: position}]",
                    half[] = "probes=[{name: here, at: 0.53, quantity: position}]";
  assert_int_equal(verdict_of("loads=[]", tip), WY_CONVERGES);
  assert_int_equal(verdict_of("loads=[]", third), WY_CONVERGES);
  assert_int_equal(verdict_of("loads=[]", half), WY_BETWEEN_NODES);
  assert_int_equal(verdict_of("loads=[{at: 2/3, force: [0, 0, -0.1]}]", tip), WY_CONVERGES);
  assert_int_equal(verdict_of("loads=[{at: 0.6, force: [0, 0, -0.1]}]", tip), WY_BETWEEN_NODES);
  assert_int_equal(verdict_of("loads=[{along: [1/3, 1], force: [0, 0, -0.1]}]", tip), WY_CONVERGES);
  assert_int_equal(verdict_of("loads=[{along: [0.3, 1], force: [0, 0, -0.1]}]", tip), WY_BETWEEN_NODES);
  /* jumps along the rod; a steep slope is none */
  assert_int_equal(verdict_of("rods[0].shape.curvature=[0, \"s < 0.37 ? 0 : 0.2\", 0]", tip), WY_BETWEEN_NODES);
  assert_int_equal(verdict_of("rods[0].shape.curvature=[0, \"s < 1/3 ? 0 : 0.2\", 0]", tip), WY_CONVERGES);
  assert_int_equal(verdict_of("rods[0].section.radius=\"s < 0.47 ? 5.0e-3 : 4.98e-3\"", tip), WY_BETWEEN_NODES);
  assert_int_equal(verdict_of("rods[0].section.radius=\"5.0e-3 - 1.0e-5*tanh(200*(s - 0.5))\"", tip), WY_CONVERGES);
  assert_int_equal(verdict_of("loads=[{along: [0, 1], force: [0, 0, \"s < 0.47 ? 0 : -0.1\"]}]", tip),
                   WY_BETWEEN_NODES);
}

/* The first probe of an equilibrium with very many segments. */
static void keep_first(void *context, double t, const double *values) {
  (void)t;
  memcpy(context, values, 3 * sizeof *values);
}

static void settle_finely(const char *const *settings, int count, double out[3]) {
  const char *all[8] = {"rods[0].segments=144"}; /* four times the finest level */
  for (int i = 0; i < count; i++)
    all[1 + i] = settings[i];
  made m = make(swinging, all, 1 + count);
  wy_run_def def = wy_default_run_def();
  wy_message message;
  def.scenario = m.scenario;
  def.context = out;
  def.row = keep_first;
  if (wy_run(&def, NULL, &message) != WY_OK)
    fail_msg("%s", message.text);
  wy_scenario_destroy(m.scenario);
}

/* Point loads, ends of distributed loads, probes and jumps of the natural curvature at many places between nodes: no
   error is larger than 1.5 times its estimate. */
static void nothing_between_nodes_has_a_false_small_error(void **state) {
  (void)state;
  static const char *const forms[] = {
      "loads=[{at: %g, force: [0, 0.1, -0.2]}]", "loads=[{along: [%g, 1], force: [0, 0.1, -0.2]}]",
      "probes=[{name: here, at: %g, quantity: position}]", "rods[0].shape.curvature=[0, \"s < %g ? 0 : 1\", 0]"};
  int trusted = 0, cases = 0;
  for (int form = 0; form < 4; form++)
    for (double s = 0.23; s < 0.95; s += 0.2126) {
      char setting[160];
      snprintf(setting, sizeof setting, forms[form], s);
      const char *settings[] = {"analysis=statics", "gravity=[0, 0, -0.1]", setting};
      made m = make(swinging, settings, 3);
      wy_converge_report report = examine(&m);
      const wy_converge_result *r = &report.results[0];
      double fine[3];
      trusted += r->trusted;
      cases++;
      settle_finely(settings, 3, fine);
      for (int i = 0; i < report.run_count && r->trusted; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
          sum += (r->values[3 * i + k] - fine[k]) * (r->values[3 * i + k] - fine[k]);
        if (!(sqrt(sum) <= 1.5 * r->errors[i]))
          fail_msg("%s, level %d: error %g, estimate %g, %s, order %g", setting, i, sqrt(sum), r->errors[i],
                   wy_convergence_name(r->verdict), r->order);
      }
      wy_converge_report_free(&report);
      wy_scenario_destroy(m.scenario);
    }
  check_at_least(trusted, 0.75 * cases); /* an estimate that is never trusted would pass */
}

/* ---- Threads ---- */

static void *work(void *context) {
  wy_converge_work(context);
  return NULL;
}

static void threads_give_the_same_report(void **state) {
  (void)state;
  made m = make(swinging, NULL, 0);
  wy_converge_report one = examine(&m), two;
  wy_converge *c = plan(&m);
  wy_message message;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, work, c), 0);
  wy_converge_work(c);
  pthread_join(thread, NULL);
  assert_int_equal(wy_converge_judge(c, &two, &message), WY_OK);
  wy_converge_destroy(c);
  assert_int_equal(one.result_count, two.result_count);
  for (int i = 0; i < one.result_count; i++) {
    assert_true(one.results[i].order == two.results[i].order);
    assert_memory_equal(one.results[i].errors, two.results[i].errors, (size_t)one.run_count * sizeof(double));
    assert_memory_equal(one.results[i].course, two.results[i].course,
                        (size_t)(one.row_count * one.results[i].components) * sizeof(double));
  }
  wy_converge_report_free(&one);
  wy_converge_report_free(&two);
  wy_scenario_destroy(m.scenario);
}

/* ---- Failures ---- */

static bool stop(void *context) {
  return ++*(int *)context > 3;
}

static void an_interruption_is_no_result(void **state) {
  (void)state;
  made m = make(swinging, NULL, 0);
  int calls = 0;
  wy_converge_report report;
  wy_message message;
  m.def.context = &calls;
  m.def.interrupted = stop;
  assert_int_equal(wy_converge_all(&m.def, &report, &message), WY_OK);
  assert_int_equal(report.end, WY_RUN_INTERRUPTED);
  assert_int_equal(report.result_count, 0);
  assert_false(report.trusted);
  wy_converge_report_free(&report);
  wy_scenario_destroy(m.scenario);
}

static void a_failing_level_is_named(void **state) {
  (void)state;
  const char *settings[] = {"solver={scheme: mixed, step: 2.0e-2, newton: {tolerance: 1.0e-14, iterations: 1}}"};
  made m = make(swinging, settings, 1);
  wy_converge_report report;
  wy_message message;
  check_below(wy_converge_all(&m.def, &report, &message), 0);
  assert_int_equal(strncmp(message.text, "level ", 6), 0);
  assert_non_null(strstr(message.text, "segments"));
  assert_true(report.end == WY_RUN_FAILED || report.end == WY_RUN_WRONG);
  assert_int_equal(report.result_count, 0);
  wy_converge_report_free(&report);
  wy_scenario_destroy(m.scenario);
}

static void refuse(const made *m, const char *word) {
  wy_converge *c;
  wy_message message;
  assert_int_equal(wy_converge_create(&m->def, &c, &message), WY_ERROR_INPUT);
  assert_null(c);
  if (!strstr(message.text, word))
    fail_msg("'%s' is not in: %s", word, message.text);
}

static void what_cannot_be_refined_is_refused(void **state) {
  (void)state;
  made m = make(swinging, NULL, 0);
  m.def.refine = WY_REFINE_STEP;
  refuse(&m, "error control");
  m.def.refine = (wy_refinement)9;
  refuse(&m, "9");
  m.def.refine = WY_REFINE_ALL;
  m.def.levels = 2;
  refuse(&m, "found 2 levels");
  wy_scenario_destroy(m.scenario);
  const char *fixed[] = {methods[1]}, *none[] = {"probes=[]"}, *rest[] = {"analysis=statics"},
             *short_steps[] = {"solver={scheme: mixed, step: 1.25e-11}"};
  m = make(swinging, fixed, 1);
  m.def.refine = WY_REFINE_TOLERANCE;
  refuse(&m, "fixed step");
  wy_scenario_destroy(m.scenario);
  m = make(swinging, none, 1);
  refuse(&m, "no probes");
  wy_scenario_destroy(m.scenario);
  m = make(swinging, rest, 1);
  m.def.refine = WY_REFINE_STEP;
  refuse(&m, "statics");
  wy_scenario_destroy(m.scenario);
  m = make(swinging, short_steps, 1); /* a finer one makes more steps than there may be */
  refuse(&m, "level 1 (18 segments");
  wy_scenario_destroy(m.scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_control_gets_a_tighter_tolerance),
      cmocka_unit_test(fixed_steps_are_halved_and_odd_numbers_stay_odd),
      cmocka_unit_test(lists_of_lengths_are_divided),
      cmocka_unit_test(runs_are_those_of_wy_run),
      cmocka_unit_test(every_scheme_converges),
      cmocka_unit_test(errors_in_time_are_told_apart),
      cmocka_unit_test(a_loose_tolerance_is_seen),
      cmocka_unit_test(places_between_nodes_are_not_extrapolated),
      cmocka_unit_test(nothing_between_nodes_has_a_false_small_error),
      cmocka_unit_test(threads_give_the_same_report),
      cmocka_unit_test(an_interruption_is_no_result),
      cmocka_unit_test(a_failing_level_is_named),
      cmocka_unit_test(what_cannot_be_refined_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
