/* SPDX-License-Identifier: MIT */
/* What the paper leaves as future work: the null space of the constraints of the Kirchhoff and of the inextensible rod
   against the index-1 form, with an explicit and an implicit integrator. */
#include <math.h>
#include <stdio.h>

#include "experiments/lang_arnold/common.h"

enum { FORMS = 4, TOLERANCES = 15, REPETITIONS = 7 };

typedef struct form {
  const char *name, *integrator;
  wy_coordinates coordinates;
} form;

static const form forms[FORMS] = {{"DOPRI5 null space", "dopri5", WY_NULLSPACE},
                                  {"DOPRI5 index 1", "dopri5", WY_ABSOLUTE},
                                  {"RADAU5 null space", "radau5", WY_NULLSPACE},
                                  {"RADAU5 index 1", "radau5", WY_ABSOLUTE}};

static const struct kind {
  wy_rod_kind kind;
  const char *name, *chart, *title;
} kinds[] = {{WY_INEXTENSIBLE, "inextensible", "lang-arnold-null-space", "Inextensible pendulum: work and precision"},
             {WY_KIRCHHOFF, "Kirchhoff", "lang-arnold-kirchhoff", "Kirchhoff pendulum: work and precision"}};

/* The rod at t = 1. */
static wy_status run(wy_rod_kind kind, const form *f, double tolerance, wy_swing *result, wy_message *message) {
  wy_case c = wy_scene_pendulum(kind, WY_SWING_SEGMENTS);
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
static wy_status measure(wy_rod_kind kind, const wy_swing *reference, wy_swing_cost runs[FORMS][TOLERANCES],
                         wy_message *message) {
  for (int k = 0; k < TOLERANCES; k++)
    for (int r = 0; r < REPETITIONS; r++)
      for (int f = 0; f < FORMS; f++) {
        wy_swing swing;
        wy_status status = run(kind, &forms[f], pow(10, -3 - 0.5 * k), &swing, message);
        if (status != WY_OK)
          return status;
        runs[f][k].error = difference(&swing, reference);
        runs[f][k].time = r == 0 ? swing.time : fmin(swing.time, runs[f][k].time);
      }
  return WY_OK;
}

static void draw_runs(wy_findings *findings, const struct kind *of, wy_swing_cost runs[FORMS][TOLERANCES]) {
  wy_chart *chart = wy_chart_new(findings, of->chart, of->title, "largest error of a vertex at t = 1", "time in ms",
                                 "Not in the paper, which leaves the null space of Kirchhoff models as future work. "
                                 "Look for: the null space below the index-1 form at every error, for either "
                                 "integrator.");
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

/* Time of one form over that of another where both reach an error: null space below index 1 is a claim. */
static void compare_times(wy_findings *findings, const struct kind *of, wy_swing_cost runs[FORMS][TOLERANCES],
                          double error) {
  static const int pairs[][2] = {{0, 1}, {2, 3}, {0, 2}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const form *own = &forms[pairs[i][0]], *other = &forms[pairs[i][1]];
    const double ratio =
        wy_swing_time_at(runs[pairs[i][0]], TOLERANCES, error) / wy_swing_time_at(runs[pairs[i][1]], TOLERANCES, error);
    char what[128];
    snprintf(what, sizeof what, "%s, time at error %.0e, %s / %s", of->name, error, own->name, other->name);
    if (own->coordinates != other->coordinates)
      wy_findings_state(findings, what, ratio, ratio < 1, "",
                        "least time of TOL = 1e-3 to 1e-10 that reaches the error, smallest of 7 runs; limit 1");
    else
      wy_findings_add(findings, what, NAN, ratio, 0, "", "explicit against implicit");
  }
}

static wy_status compare_forms(wy_findings *findings, const struct kind *of, wy_message *message) {
  static const double errors[] = {1e-6, 1e-7, 1e-8};
  wy_swing reference[2];
  wy_swing_cost runs[FORMS][TOLERANCES] = {0};
  for (int f = 0; f < 2; f++) {
    wy_status status = run(of->kind, &forms[f], 1e-13, &reference[f], message);
    if (status != WY_OK)
      return status;
  }
  char what[96];
  double apart = difference(&reference[0], &reference[1]);
  snprintf(what, sizeof what, "%s, null space against index 1, positions at t = 1", of->name);
  wy_findings_state(findings, what, apart, apart < 1e-12, "m", "DOPRI5, both with TOL = 1e-13; limit 1e-12");
  wy_status status = measure(of->kind, &reference[0], runs, message);
  if (status != WY_OK)
    return status;
  draw_runs(findings, of, runs);
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    compare_times(findings, of, runs, errors[i]);
  return WY_OK;
}

wy_status wy_la_null_space(wy_findings *findings, wy_message *message) {
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == WY_OK; i++)
    status = compare_forms(findings, &kinds[i], message);
  return status;
}
