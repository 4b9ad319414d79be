/* SPDX-License-Identifier: MIT */
/* Step sizes (Figure 8) and reference solutions (Figure 9) of the performance examples. */
#include <math.h>

#include "experiments/lang_linn_arnold/common.h"

/* ---- Figure 8 ---- */

/* "DOPRI5 runs at the stability limit. In contrast to that, the stiff solvers reveal satisfactory step size behaviour."
 */
static void compare_spread(wy_findings *findings, wy_swing_rod rod, const wy_swing_method *method, double spread) {
  char what[96];
  snprintf(what, sizeof what, "%s, %s: standard deviation of a step / mean", method->title, wy_lla_rod_name(rod));
  wy_findings_state(findings, what, spread, method->stiff ? spread > 0.3 : spread < 0.3, "",
                    method->stiff ? "published: steps adapt; above 0.3"
                                  : "published: at the stability limit; below 0.3");
  wy_findings_where(findings, "Figure 8");
}

static wy_status step_sizes(wy_findings *findings, wy_swing_rod rod, wy_message *message) {
  const double shown = 0.5; /* the first swing down and its whip; DOPRI5 on steel takes 1.5e5 steps a second */
  char name[32], title[96];
  snprintf(name, sizeof name, "lla-steps-%s", wy_lla_rod_name(rod));
  snprintf(title, sizeof title, "Figure 8: step sizes with TOL = 1e-3, %s", wy_lla_rod_name(rod));
  wy_chart *chart = wy_chart_new(
      findings, name, title, "t", "step size",
      "Published: an excerpt for five solvers. Look for: steps of the implicit methods that follow the swing, "
      "those of the explicit ones (DOPRI5, DOP853, BS23) nearly constant at their limit of stability.");
  if (chart)
    chart->log_y = true;
  for (int m = 0; m < WY_SWING_METHODS; m++) {
    wy_case c = wy_swing_case(rod, WY_SWING_SEGMENTS);
    wy_lla_as_published(&c);
    if (!wy_swing_choose(&c, &wy_swing_methods[m], 1e-3, message))
      continue;
    wy_swing_steps steps;
    wy_status status = wy_swing_step_sizes(c, shown, &steps, message);
    if (status == WY_OK) {
      wy_swing_draw_steps(chart, wy_chart_curve(chart, wy_swing_methods[m].title), &steps, shown);
      if (wy_swing_methods[m].published)
        compare_spread(findings, rod, &wy_swing_methods[m], wy_swing_spread(&steps));
    }
    wy_swing_free(&steps);
    if (status != WY_OK)
      return status;
  }
  return WY_OK;
}

/* "The mean time step sizes of the implicit integrators increase slightly along [0, T], since the energy is dissipated
   slightly." */
static wy_status growing_steps(wy_findings *findings, wy_swing_rod rod, wy_message *message) {
  const double end = 10, quarter = end / 4;
  wy_case c = wy_swing_case(rod, WY_SWING_SEGMENTS);
  wy_swing_steps steps;
  wy_lla_as_published(&c);
  wy_swing_choose(&c, &wy_swing_methods[0], 1e-3, message);
  wy_status status = wy_swing_step_sizes(c, end, &steps, message);
  int first = 0, last = 0;
  for (int i = 0; i < steps.count; i++) {
    first += steps.end[i] <= quarter;
    last += steps.end[i] > end - quarter;
  }
  wy_swing_free(&steps);
  if (status != WY_OK)
    return status;
  char what[96];
  snprintf(what, sizeof what, "RADAU5, %s: mean step of the last quarter / of the first", wy_lla_rod_name(rod));
  wy_findings_state(findings, what, (double)first / last, first > last, "",
                    "TOL = 1e-3, 10 s; published: increases slightly; above 1");
  wy_findings_where(findings, "section 4, text; Figure 8");
  return WY_OK;
}

/* ---- Figure 9 ---- */

/* "In both examples, the number of unknowns in q is equal to 70": vertices but the held one, and quaternions. */
static void count_unknowns(wy_findings *findings, const wy_case *c) {
  const wy_view *view = wy_sim_view(c->sim, 0);
  wy_findings_add(findings, "unknowns in q", 70, 3 * (view->position.count - 1) + 4 * view->frame.count, 0, "",
                  "vertices but the held one, and quaternions");
  wy_findings_where(findings, "section 4, text");
}

/* RADAU5 with 1e-10, as published. */
static wy_status reference_solution(wy_findings *findings, wy_swing_rod rod, wy_message *message) {
  char name[32], title[96];
  snprintf(name, sizeof name, "lla-tip-%s", wy_lla_rod_name(rod));
  snprintf(title, sizeof title, "Figure 9: reference solution at the free end, %s", wy_lla_rod_name(rod));
  wy_chart *chart =
      wy_chart_new(findings, name, title, "t", "x2 and x3 in m; d1",
                   "Published: the same three curves, RADAU5 with 1e-10. Look for: a swing that is hardly "
                   "damped. Its values are checked against a second method in the part on the table.");
  int curve[3] = {wy_chart_curve(chart, "x2"), wy_chart_curve(chart, "x3"), wy_chart_curve(chart, "e2 of d1")};
  wy_case c = wy_swing_case(rod, WY_SWING_SEGMENTS);
  c.solver.integrator = "radau5";
  c.solver.relative_tolerance = c.solver.absolute_tolerance = 1e-10;
  double aside = 0;
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK && rod == WY_SWING_RUBBER)
    count_unknowns(findings, &c);
  for (int k = 0; k < WY_MAX_POINTS && status == WY_OK; k++) {
    double t = 10.0 * k / (WY_MAX_POINTS - 1), x[4], d1[4];
    status = wy_sim_sample(c.sim, t, message);
    if (status == WY_OK)
      status = wy_sim_probe(c.sim, WY_POSITION, 0, 1, x, message);
    if (status == WY_OK)
      status = wy_sim_probe(c.sim, WY_DIRECTOR1, 0, 1 - 0.5 / WY_SWING_SEGMENTS, d1, message);
    if (status != WY_OK)
      break;
    wy_chart_point(chart, curve[0], t, x[1]);
    wy_chart_point(chart, curve[1], t, x[2]);
    wy_chart_point(chart, curve[2], t, d1[1]);
    aside = fmax(aside, fmax(fabs(x[0]), fabs(d1[0])));
  }
  wy_case_destroy(&c);
  if (status != WY_OK)
    return status;
  snprintf(title, sizeof title, "%s: largest x1 of the tip, and e1 of its d1", wy_lla_rod_name(rod));
  wy_findings_state(findings, title, aside, aside < 1e-9, "", "published: plane, x1 = 0; limit 1e-9");
  wy_findings_where(findings, "section 4, text; Figure 9");
  return WY_OK;
}

wy_status wy_lla_motion(wy_findings *findings, wy_message *message) {
  wy_status status = WY_OK;
  for (int rod = WY_SWING_RUBBER; rod <= WY_SWING_STEEL && status == WY_OK; rod++) {
    status = step_sizes(findings, (wy_swing_rod)rod, message);
    if (status == WY_OK)
      status = growing_steps(findings, (wy_swing_rod)rod, message);
    if (status == WY_OK)
      status = reference_solution(findings, (wy_swing_rod)rod, message);
  }
  return status;
}
