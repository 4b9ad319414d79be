/* SPDX-License-Identifier: MIT */
/* labels: slow
   Observed orders and error estimates (withy/converge.h) of built-in scenarios, over all schemes and analyses. Orders
   are those that the schemes promise; estimates are within a factor of 3 of the errors against runs that are four times
   as fine as the finest level (tests/data/convergence.csv, made by scripts/convergence_reference). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "withy/converge.h"

/* A scenario, and the results that are smooth enough for the promised order. */
typedef struct example {
  const char *name;     /* in the table of errors */
  const char *scenario; /* file */
  const char *settings[2];
  int setting_count;
  double order;          /* promised to these results */
  const char *smooth[8]; /* the others are only compared with their errors */
} example;

static const example examples[] = {
    /* staggered: quasistatics, statics, buckling, modes, dynamics with error control */
    {"elastica", "elastica", {NULL}, 0, 2, {"tip", "tip_tangent", "root_moment", "elastic"}},
    {"riser", "riser", {NULL}, 0, 2, {"middle", "upper", "top", "seabed", "vessel", "tension"}},
    {"euler-column", "euler-column", {NULL}, 0, 2, {"factor 1", "factor 2", "factor 3", "factor 4"}},
    {"elastica-modes",
     "elastica",
     {"analysis=modes", "solver.modes=4"},
     2,
     2,
     {"tip", "mode 1", "mode 2", "mode 3", "mode 4"}},
    {"rubber-pendulum", "rubber-pendulum", {NULL}, 0, 2, {"tip", "tip_d1", "support", "energy"}},
    {"rolled-up", "rolled-up", {NULL}, 0, 2, {"tip", "curvature", "root_moment"}},
    {"helix-spring", "helix-spring", {NULL}, 0, 2, {"pull", "torque", "middle_curvature"}},
    /* joined rods, copies of one entry among them */
    {"ring-twisted",
     "ring-twisted",
     {"solver.curvature_measure=tan2"}, /* that of the errors in the table */
     1,
     2,
     {"grip", "middle", "hand", "elastic"}},
    /* mixed of order 2: order 4 in space, 2 in time with the midpoint rule */
    {"bent-cantilever",
     "bent-cantilever",
     {NULL},
     0,
     4,
     {"soft_tip", "soft_tangent", "soft_moment", "rigid_tip", "rigid_tangent", "rigid_moment"}},
    {"tendon-finger", "tendon-finger", {NULL}, 0, 4, {"tip", "tip_tangent", "root_moment", "elastic"}},
    {"flying-spaghetti",
     "flying-spaghetti",
     {NULL},
     0,
     2,
     {"start", "end", "start_velocity", "end_velocity", "angular_momentum", "centre", "energy", "work"}},
    /* conserving of order 2 with the midpoint rule */
    {"torsional-wave", "torsional-wave", {NULL}, 0, 2, {"clamp", "tip_spin", "tip_d1", "kinetic", "elastic"}},
    /* box */
    {"buckling-strut", "buckling-strut", {NULL}, 0, 2, {"tip", "tip_tangent", "clamp_moment", "elastic"}},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static void examine(const example *it, wy_converge_report *report) {
  char path[512];
  wy_scenario *scenario;
  wy_scenario_error error;
  wy_message message;
  snprintf(path, sizeof path, "%s/%s.yaml", WY_SCENARIOS, it->scenario);
  if (wy_scenario_read_file(path, it->settings, it->setting_count, &scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  wy_converge_def def = wy_default_converge_def();
  def.scenario = scenario;
  if (wy_converge_all(&def, report, &message) != WY_OK)
    fail_msg("%s: %s", it->name, message.text);
  wy_scenario_destroy(scenario);
}

static const wy_converge_result *find(const wy_converge_report *report, const char *name) {
  for (int i = 0; i < report->result_count; i++)
    if (strcmp(report->results[i].name, name) == 0)
      return &report->results[i];
  fail_msg("there is no %s", name);
  return NULL;
}

/* The errors of a result at level 0 and at the finest one. */
static void read_errors(const char *of, const char *name, double errors[2]) {
  char path[512], line[256], wanted[128];
  snprintf(path, sizeof path, "%s/convergence.csv", WY_TEST_DATA);
  snprintf(wanted, sizeof wanted, "%s,%s,", of, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  errors[0] = errors[1] = NAN;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, wanted, strlen(wanted)) == 0) {
      char *at = line + strlen(wanted);
      errors[0] = strtod(at, &at);
      errors[1] = strtod(at + 1, NULL);
    }
  fclose(file);
}

static void check_estimates(const example *it, const wy_converge_report *report) {
  for (int i = 0; i < report->result_count; i++) {
    const wy_converge_result *r = &report->results[i];
    const double estimates[2] = {r->errors[0], r->errors[report->finest]};
    double errors[2];
    read_errors(it->name, r->name, errors);
    if (!r->trusted || r->verdict == WY_ROUNDING) /* errors of rounding are nobody's promise */
      continue;
    for (int k = 0; k < 2; k++)
      if (!(estimates[k] <= 3 * errors[k] && estimates[k] >= errors[k] / 3))
        fail_msg("%s, %s: estimate %g, error %g, %s", it->name, r->name, estimates[k], errors[k],
                 wy_convergence_name(r->verdict));
  }
}

static void check_orders(const example *it, const wy_converge_report *report) {
  for (int i = 0; i < 8 && it->smooth[i]; i++) {
    const wy_converge_result *r = find(report, it->smooth[i]);
    if (r->verdict == WY_ROUNDING)
      continue;
    if (r->verdict != WY_CONVERGES || !(fabs(r->order - it->order) <= 0.25))
      fail_msg("%s, %s: order %g, promised %g, %s", it->name, r->name, r->order, it->order,
               wy_convergence_name(r->verdict));
    check_close(r->promised, it->order, 0);
  }
}

static void orders_are_promised_and_estimates_are_errors(void **state) {
  (void)state;
  for (int i = 0; i < EXAMPLES; i++) {
    wy_converge_report report;
    examine(&examples[i], &report);
    assert_int_equal(report.end, WY_RUN_DONE);
    check_orders(&examples[i], &report);
    check_estimates(&examples[i], &report);
    wy_converge_report_free(&report);
  }
}

/* Euler's column is known in closed form: the load factors are (2k - 1)^2 pi^2/4 EI/L^2, about both axes, the second
   one twice as stiff. Errors are estimated to a few percent, the share of the next term of a series in h^2, and the
   limit is within the error of the finest level. */
static void a_closed_form_is_met(void **state) {
  (void)state;
  static const double exact[] = {1, 2, 9, 18};
  wy_converge_report report;
  examine(&examples[2], &report);
  for (int i = 0; i < 4; i++) {
    char name[16];
    snprintf(name, sizeof name, "factor %d", i + 1);
    const wy_converge_result *r = find(&report, name);
    const double want = exact[i] * acos(-1) * acos(-1) / 4;
    for (int k = 0; k < 3; k++)
      check_close(r->errors[k] / fabs(r->values[k] - want), 1, 0.05);
    check_close(r->extrapolated[0], want, 0.1 * r->errors[report.finest]);
  }
  wy_converge_report_free(&report);
}

/* The frame of a rod that may turn about itself is not determined, nor are components in it: a moment in body axes is
   another one at each level, and no estimate pretends otherwise. */
static void what_is_not_determined_is_not_trusted(void **state) {
  (void)state;
  wy_converge_report report;
  examine(&examples[1], &report);
  assert_string_equal(examples[1].name, "riser");
  const wy_converge_result *bend = find(&report, "bend");
  assert_false(bend->trusted);
  assert_false(report.trusted);
  wy_converge_report_free(&report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_promised_and_estimates_are_errors),
      cmocka_unit_test(a_closed_form_is_met),
      cmocka_unit_test(what_is_not_determined_is_not_trusted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
