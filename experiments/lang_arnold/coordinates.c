/* SPDX-License-Identifier: MIT */
/* A damped Cosserat rod in absolute and in null-space coordinates, both with projection: accuracy and work (figure 3),
   the energy that projection adds (figure 5). The step sizes of several solvers (figure 7). The paper does not print
   its damping: the rod is that of Table 2 of Lang, Linn and Arnold. */
#include <math.h>

#include "experiments/lang_arnold/common.h"

enum { FORMS = 2, REPETITIONS = 7 };

static const wy_coordinates forms[FORMS] = {WY_ABSOLUTE, WY_NULLSPACE};
static const char *const form_names[FORMS] = {"absolute", "null space"};

static wy_case damped_rod(const wy_swing_method *method, double tolerance, wy_coordinates coordinates) {
  wy_case c = wy_swing_case(WY_SWING_RUBBER, WY_SWING_SEGMENTS);
  c.solver.staggered.coordinates = coordinates;
  wy_message ignored;
  wy_swing_choose(&c, method, tolerance, &ignored);
  return c;
}

/* ---- figure 3 ---- */

typedef struct series {
  wy_swing_cost cost[WY_SWING_TOLERANCES];
  wy_statistics statistics[WY_SWING_TOLERANCES];
} series;

/* Forms take turns; the smallest time counts. */
static wy_status measure(const wy_swing *reference, series runs[FORMS], wy_message *message) {
  for (int k = 0; k < WY_SWING_TOLERANCES; k++)
    for (int r = 0; r < REPETITIONS; r++)
      for (int f = 0; f < FORMS; f++) {
        wy_swing swing;
        wy_case c = damped_rod(&wy_swing_methods[0], wy_swing_tolerances[k], forms[f]);
        wy_status status = wy_swing_run(c, 10, &swing, message);
        if (status != WY_OK)
          return status;
        wy_swing_cost *cost = &runs[f].cost[k];
        *cost = (wy_swing_cost){wy_swing_apart(&swing, reference), r == 0 ? swing.time : fmin(swing.time, cost->time)};
        runs[f].statistics[k] = swing.statistics;
      }
  return WY_OK;
}

static void tabulate(wy_findings *findings, const series runs[FORMS]) {
  wy_table *table = wy_table_new(findings, "lang-arnold-figure-3",
                                 "Figure 3: absolute (projected) and null-space coordinates, RADAU5, 10 s", "TOL");
  for (int i = 0; i < 4; i++)
    for (int f = 0; f < FORMS; f++) {
      static const char *const what[] = {"error", "f", "steps", "ms"}, *const form[] = {"abs.", "null"};
      char name[24];
      snprintf(name, sizeof name, "%s %s", what[i], form[f]);
      wy_table_column(table, name, false);
    }
  for (int k = 0; k < WY_SWING_TOLERANCES; k++) {
    char label[32];
    snprintf(label, sizeof label, "%.0e", wy_swing_tolerances[k]);
    wy_table_row *row = wy_table_add(table, label, "");
    for (int f = 0; f < FORMS; f++) {
      const wy_statistics *s = &runs[f].statistics[k];
      wy_table_set(row, f, NAN, runs[f].cost[k].error, 0);
      wy_table_set(row, FORMS + f, NAN, (double)s->rhs, 0);
      wy_table_set(row, 2 * FORMS + f, NAN, (double)(s->steps + s->rejected), 0);
      wy_table_set(row, 3 * FORMS + f, NAN, 1e3 * runs[f].cost[k].time, 0);
    }
  }
}

static void draw(wy_findings *findings, const series runs[FORMS], bool work) {
  wy_chart *chart =
      wy_chart_new(findings, work ? "lang-arnold-work" : "lang-arnold-accuracy",
                   work ? "Figure 3: right-hand sides, RADAU5, damped rubber rod, 10 s"
                        : "Figure 3: accuracy, RADAU5, damped rubber rod, 10 s",
                   "TOL", work ? "right-hand sides" : "error at t = 10",
                   work ? "Published: null space takes fewer evaluations at equal tolerance, without numbers. "
                          "Look for: the same from TOL = 1e-4 on."
                        : "Published: null space is the more accurate one. Here it is not at equal tolerance, "
                          "because it also takes larger steps; at equal error it takes less work (the rows "
                          "above).");
  if (chart)
    chart->log_x = chart->marks = true, chart->log_y = !work;
  for (int f = 0; f < FORMS; f++) {
    int curve = wy_chart_curve(chart, form_names[f]);
    for (int k = 0; k < WY_SWING_TOLERANCES; k++)
      wy_chart_point(chart, curve, wy_swing_tolerances[k],
                     work ? (double)runs[f].statistics[k].rhs : runs[f].cost[k].error);
  }
}

/* What it takes to reach equal errors. */
static void compare_work(wy_findings *findings, const series runs[FORMS], const char *what, bool time) {
  static const double errors[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  enum { LEVELS = sizeof errors / sizeof *errors };
  wy_swing_cost costs[FORMS][WY_SWING_TOLERANCES];
  for (int f = 0; f < FORMS; f++)
    for (int k = 0; k < WY_SWING_TOLERANCES; k++) {
      costs[f][k] = runs[f].cost[k];
      if (!time)
        costs[f][k].time = (double)runs[f].statistics[k].rhs;
    }
  double mean = 0;
  for (int i = 0; i < LEVELS; i++)
    mean += log(wy_swing_time_at(costs[1], WY_SWING_TOLERANCES, errors[i]) /
                wy_swing_time_at(costs[0], WY_SWING_TOLERANCES, errors[i])) /
            LEVELS;
  char title[96];
  snprintf(title, sizeof title, "%s of RADAU5 at equal error, null space / absolute", what);
  wy_findings_state(findings, title, exp(mean), mean < 0, "",
                    "geometric mean over errors 1e-4 to 1e-8; published as a picture: less; limit 1");
  wy_findings_where(findings, "Figure 3");
}

wy_status wy_la_accuracy(wy_findings *findings, wy_message *message) {
  wy_swing reference;
  static const wy_swing_method dopri5 = {.name = "dopri5"};
  series runs[FORMS] = {0};
  wy_status status = wy_swing_run(damped_rod(&dopri5, 1e-11, WY_NULLSPACE), 10, &reference, message);
  if (status == WY_OK)
    status = measure(&reference, runs, message);
  if (status != WY_OK)
    return status;
  tabulate(findings, runs);
  draw(findings, runs, false);
  draw(findings, runs, true);
  double error = 0;
  for (int k = 0; k < WY_SWING_TOLERANCES; k++)
    error += log(runs[1].cost[k].error / runs[0].cost[k].error) / WY_SWING_TOLERANCES;
  wy_findings_state(
      findings, "error of RADAU5 at equal tolerance, null space / absolute", exp(error), error < 0, "",
      "damped rubber rod at t = 10, geometric mean over TOL = 1e-2 to 1e-8; published as a picture: below 1. "
      "Here the null space also takes larger steps; at equal error it needs less work, see below");
  wy_findings_explain(findings);
  wy_findings_where(findings, "Figure 3");
  compare_work(findings, runs, "right-hand sides", false);
  compare_work(findings, runs, "time", true);
  return WY_OK;
}

/* ---- figure 5 ---- */

/* Ten seconds step by step: the energy that projection has added so far, and its largest amount. */
static wy_status follow_defect(double tolerance, wy_coordinates coordinates, wy_chart *chart, int curve,
                               double *largest, wy_message *message) {
  wy_case c = damped_rod(&wy_swing_methods[0], tolerance, coordinates);
  wy_status status = wy_case_create(&c, message);
  *largest = 0;
  for (int k = 1; k < WY_MAX_POINTS && status == WY_OK; k++) {
    double t = 10.0 * k / (WY_MAX_POINTS - 1);
    status = wy_sim_sample(c.sim, t, message);
    double defect = fabs(wy_sim_statistics(c.sim, 0).projection_energy);
    *largest = fmax(*largest, defect);
    wy_chart_point(chart, curve, t, defect);
  }
  wy_case_destroy(&c);
  return status;
}

wy_status wy_la_projection(wy_findings *findings, wy_message *message) {
  static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
  double mean = 0;
  wy_chart *chart =
      wy_chart_new(findings, "lang-arnold-defect", "Figure 5: rotary energy added by projection, summed, RADAU5", "t",
                   "|energy| in J",
                   "Published: the sums of both forms for several tolerances, null space far below. Look for: "
                   "curves of the null space mostly below those of absolute coordinates; all of them far below "
                   "the energy at work, 0.4 J.");
  if (chart)
    chart->log_y = true;
  for (int i = 0; i < TOLERANCES; i++) {
    double largest[FORMS];
    wy_chart *drawn = i % 2 == 0 ? chart : NULL; /* more would be hard to tell apart */
    for (int f = 0; f < FORMS; f++) {
      char name[48];
      snprintf(name, sizeof name, "%s %.0e", form_names[f], tolerances[i]);
      wy_status status =
          follow_defect(tolerances[i], forms[f], drawn, wy_chart_curve(drawn, name), &largest[f], message);
      if (status != WY_OK)
        return status;
    }
    char what[96], note[192];
    mean += log(largest[1] / largest[0]) / TOLERANCES;
    snprintf(what, sizeof what, "energy added by projection, %.0e, null space / absolute", tolerances[i]);
    snprintf(note, sizeof note, "largest sum in 10 s, (S28a): %.3g J and %.3g J", largest[1], largest[0]);
    wy_findings_add(findings, what, NAN, largest[1] / largest[0], 0, "", note);
  }
  wy_findings_state(findings, "energy added by projection, null space / absolute", exp(mean), mean < 0, "",
                    "geometric mean of the rows above; published as a picture: null space is superior; limit 1");
  wy_findings_where(findings, "Figure 5");
  return WY_OK;
}

/* ---- figure 7 ---- */

wy_status wy_la_solvers(wy_findings *findings, wy_message *message) {
  const double shown = 2;
  wy_chart *chart = wy_chart_new(
      findings, "lang-arnold-solvers", "Figure 7: step sizes on the damped rubber rod, TOL = 1e-3", "t", "step size",
      "Published: nine solvers, without numbers. Look for: explicit methods (DOPRI5, DOP853, "
      "BS23) on nearly constant, small steps; the steps of implicit ones reflect the swing.");
  if (chart)
    chart->log_y = true;
  for (int m = 0; m < WY_SWING_METHODS; m++) {
    const wy_swing_method *method = &wy_swing_methods[m];
    wy_case c = damped_rod(method, 1e-3, WY_NULLSPACE);
    if (wy_method_possible(&c.solver, WY_COSSERAT, message) != WY_OK)
      continue;
    wy_swing_steps steps;
    wy_status status = wy_swing_step_sizes(c, shown, &steps, message);
    if (status == WY_OK) {
      char what[96];
      double spread = wy_swing_spread(&steps);
      wy_swing_draw_steps(chart, wy_chart_curve(chart, method->title), &steps, shown);
      snprintf(what, sizeof what, "%s: standard deviation of a step / mean", method->title);
      wy_findings_state(findings, what, spread, method->stiff ? spread > 0.3 : spread < 0.3, "",
                        method->stiff ? "published: steps of implicit solvers reflect the solution; above 0.3"
                                      : "published: steps of explicit solvers are nearly constant; below 0.3");
      wy_findings_where(findings, "section 4 (d); Figure 7");
    }
    wy_swing_free(&steps);
    if (status != WY_OK)
      return status;
  }
  return WY_OK;
}
