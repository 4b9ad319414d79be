/* SPDX-License-Identifier: MIT */
/* What the paper leaves as future work: the null space of the inextensible rod's constraints against the index-1 form.
 */
#include <math.h>
#include <stdio.h>

#include "experiments/lang_arnold/common.h"

enum { FORMS = 3, TOLERANCES = 15, REPETITIONS = 15 };

typedef struct form {
  const char *name, *integrator;
  wy_coordinates coordinates;
} form;

static const form forms[FORMS] = {{"DOPRI5 null space", "dopri5", WY_NULLSPACE},
                                  {"DOPRI5 index 1", "dopri5", WY_ABSOLUTE},
                                  {"RADAU5 index 1", "radau5", WY_ABSOLUTE}};

/* The rod at t = 1. */
static wy_status run(const form *f, double tolerance, wy_swing *result, wy_message *message) {
  wy_case c = wy_scene_pendulum(WY_INEXTENSIBLE, WY_SWING_SEGMENTS);
  wy_la_solve(&c, f->integrator, tolerance, f->coordinates);
  return wy_swing_run(c, 1, result, message);
}

/* Largest difference of a vertex. */
static double difference(const wy_swing *a, const wy_swing *b) {
  double largest = 0;
  for (int i = 0; i < 3 * (WY_SWING_SEGMENTS + 1); i++)
    largest = fmax(largest, fabs(a->state[i] - b->state[i]));
  return largest;
}

/* Forms take turns, so that what else the machine does hits all of them; the smallest time counts. */
static wy_status measure(const wy_swing *reference, wy_swing_cost runs[FORMS][TOLERANCES], wy_message *message) {
  for (int k = 0; k < TOLERANCES; k++)
    for (int r = 0; r < REPETITIONS; r++)
      for (int f = 0; f < FORMS; f++) {
        wy_swing swing;
        wy_status status = run(&forms[f], pow(10, -3 - 0.5 * k), &swing, message);
        if (status != WY_OK)
          return status;
        runs[f][k].error = difference(&swing, reference);
        runs[f][k].time = r == 0 ? swing.time : fmin(swing.time, runs[f][k].time);
      }
  return WY_OK;
}

static void draw_runs(wy_findings *findings, wy_swing_cost runs[FORMS][TOLERANCES]) {
  wy_chart *chart =
      wy_chart_new(findings, "lang-arnold-null-space", "Inextensible pendulum: work and precision",
                   "largest error of a vertex at t = 1", "time in ms",
                   "Not in the paper, which leaves the null space of Kirchhoff models as future work. Look for: "
                   "the null space below the index-1 form at every error.");
  if (!chart)
    return;
  chart->log_x = chart->log_y = chart->marks = true;
  chart->count = FORMS;
  for (int f = 0; f < FORMS; f++) {
    snprintf(chart->curve[f].name, sizeof chart->curve[f].name, "%s", forms[f].name);
    for (int k = 0; k < TOLERANCES; k++)
      wy_chart_point(chart, f, runs[f][k].error, 1e3 * runs[f][k].time);
  }
}

wy_status wy_la_null_space(wy_findings *findings, wy_message *message) {
  static const double errors[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  enum { LEVELS = sizeof errors / sizeof *errors };
  wy_swing reference[2];
  wy_swing_cost runs[FORMS][TOLERANCES] = {0};
  for (int f = 0; f < 2; f++) {
    wy_status status = run(&forms[f], 1e-13, &reference[f], message);
    if (status != WY_OK)
      return status;
  }
  double apart = difference(&reference[0], &reference[1]);
  wy_findings_state(findings, "null space against index 1, positions at t = 1", apart, apart < 1e-12, "m",
                    "both with TOL = 1e-13; limit 1e-12");
  wy_status status = measure(&reference[0], runs, message);
  if (status != WY_OK)
    return status;
  draw_runs(findings, runs);
  for (int i = 0; i < LEVELS; i++) {
    char what[96];
    double own = wy_swing_time_at(runs[0], TOLERANCES, errors[i]),
           ratio = own / wy_swing_time_at(runs[1], TOLERANCES, errors[i]);
    snprintf(what, sizeof what, "time at error %.0e, null space / index 1", errors[i]);
    wy_findings_state(findings, what, ratio, ratio < 1, "",
                      "DOPRI5, least time of TOL = 1e-3 to 1e-10 that reaches the error, smallest of 15 runs; limit 1");
    snprintf(what, sizeof what, "time at error %.0e, null space / RADAU5", errors[i]);
    wy_findings_add(findings, what, NAN, own / wy_swing_time_at(runs[2], TOLERANCES, errors[i]), 0, "",
                    "RADAU5 with index 1");
  }
  return WY_OK;
}
