/* SPDX-License-Identifier: MIT */
/* Equilibria of the cantilever: under its weight, and rolled up by a torque at its end (the slides' first and third
   picture). The slides run the motion until it has died down; that must lead to the same shape. */
#include <math.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { GRIDS = WY_SLW_RESTS, COARSEST = 10 };

static const double pi = 3.14159265358979323846;

static wy_status settle(const wy_slw_method *method, double curl, double tip[4], wy_message *message) {
  wy_case c = wy_slw_cantilever(method);
  c.rod.shape.curvature[1] = wy_constant(curl);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 0, message);
  if (status == WY_OK)
    status = wy_case_tip(&c, tip, message);
  wy_case_destroy(&c);
  return status;
}

/* The motion with strong drag, by the slides' set of coefficients, to its end; of a rod that is curved upward by a
   natural curvature. */
static wy_status die_down(wy_findings *findings, double curl, double tip[4], wy_message *message) {
  static const double times[] = {0, 0.5, 1, 2, 3, 5, 60};
  const wy_slw_method method = wy_slw_coefficients(2 * COARSEST, 0.1, 0.4, 0, 1);
  wy_chart *chart = wy_chart_new(
      findings, curl != 0 ? "slw-gravity-curved" : "slw-gravity",
      curl != 0 ? "Non-straight rod subject to gravity" : "Straight rod subject to gravity", "x", "y",
      curl != 0
          ? "Published: the picture of a non-straight rod under gravity, with alpha = 0.4, beta = 0, gamma = 1. Look "
            "for: the rod, curved upward by a quarter turn, that sinks and comes to rest."
          : "The same with a straight rod, whose equilibrium is known by shooting. Look for: the rod at rest hanging "
            "far down.");
  wy_case c = wy_slw_cantilever(&method);
  c.rod.drag.translation = 2;
  c.rod.shape.curvature[1] = wy_constant(curl);
  if (chart)
    chart->equal = chart->ramp = true;
  wy_status status = wy_case_create(&c, message);
  for (size_t i = 0; i < sizeof times / sizeof *times && status == WY_OK; i++) {
    char name[32];
    status = wy_case_move(&c, times[i], tip, message);
    snprintf(name, sizeof name, "t = %g", times[i]);
    if (status == WY_OK)
      wy_case_draw(&c, chart, wy_chart_curve(chart, name), 0, 1);
  }
  wy_case_destroy(&c);
  return status;
}

static wy_status under_weight(wy_findings *findings, wy_message *message) {
  wy_chart *errors = wy_chart_new(findings, "slw-rest", "Rest under gravity: error of the tip", "N", "error",
                                  "Not in the slides. Look for: order 2 with both kinds of cells.");
  double tip[GRIDS][4], error[GRIDS];
  if (errors)
    errors->marks = errors->log_x = errors->log_y = true, errors->guide[0].slope = -2;
  for (int transport = 0; transport < 2; transport++) {
    const char *name = transport ? "transported" : "plain";
    const int curve = wy_chart_curve(errors, name);
    char what[96];
    for (int i = 0; i < GRIDS; i++) {
      wy_slw_method method = wy_slw_radius(COARSEST << i, 0.01, 0.8);
      method.box.transport = transport;
      wy_status status = settle(&method, 0, tip[i], message);
      if (status != WY_OK)
        return status;
      error[i] = wy_distance(tip[i], wy_slw_rest);
      wy_chart_point(errors, curve, COARSEST << i, error[i]);
    }
    for (int i = transport ? GRIDS - 1 : 0; i < GRIDS; i++) {
      const double known = transport ? (double)NAN : wy_slw_rest_error[i];
      snprintf(what, sizeof what, "rest under gravity, %s box: error of the tip, N = %d", name, COARSEST << i);
      wy_findings_add(findings, what, known, error[i], 0.01 * known, "",
                      transport ? "by shooting: (0.2450147563, -0.9079171235)"
                                : "by shooting: (0.2450147563, -0.9079171235); independent program; tolerance 1 %: its "
                                  "digits");
    }
    snprintf(what, sizeof what, "rest under gravity, %s box: order", name);
    wy_findings_add(findings, what, 2, wy_order(error[2], error[3]), 0.1, "", "N = 40, 80");
  }
  return WY_OK;
}

/* The slides' way to a shape at rest, straight and non-straight. */
static wy_status come_to_rest(wy_findings *findings, wy_message *message) {
  const wy_slw_method method = wy_slw_radius(2 * COARSEST, 0.01, 0.8);
  for (int curved = 1; curved >= 0; curved--) {
    const double curl = curved ? pi / 2 : 0;
    double end[4], rest[4];
    char what[96];
    wy_status status = die_down(findings, curl, end, message);
    if (status == WY_OK)
      status = settle(&method, curl, rest, message);
    if (status != WY_OK)
      return status;
    snprintf(what, sizeof what, "%s rod under gravity: motion with drag at t = 60 against equilibrium",
             curved ? "non-straight" : "straight");
    const double apart = wy_distance(end, rest);
    wy_findings_state(
        findings, what, apart, apart < 1e-8, "",
        "N = 20, dt = 0.1, printed set 0.4, 0, 1: the shape at rest does not depend on the way to it; limit 1e-8");
    if (curved)
      wy_findings_where(findings, "results, figure 1 (1)");
  }
  return WY_OK;
}

/* EI kappa = M: all sets and grids have the exact curvature. */
static wy_status roll_up(int cells, wy_chart *chart, double tip[4], wy_message *message) {
  const wy_slw_method method = wy_slw_radius(cells, 0.01, 0.8);
  wy_case c = wy_slw_cantilever(&method);
  c.gravity[1] = 0;
  c.loaded = true;
  c.load.place = WY_AT_END;
  c.load.axes = WY_BODY_AXES;
  c.load.moment[0] = wy_case_signal(&c, "a*t", 2 * pi * 0.02);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 0, message);
  for (int i = 0; i <= 4 && status == WY_OK; i++) {
    char name[32];
    status = wy_sim_follow(c.sim, 0.25 * i, message);
    snprintf(name, sizeof name, "%.2g of the torque", 0.25 * i);
    if (status == WY_OK)
      wy_case_draw(&c, chart, wy_chart_curve(chart, name), 0, 2);
  }
  if (status == WY_OK)
    status = wy_case_tip(&c, tip, message);
  wy_case_destroy(&c);
  return status;
}

static wy_status circles(wy_findings *findings, wy_message *message) {
  static const int cells[] = {8, 25, 100};
  wy_chart *chart = wy_chart_new(findings, "slw-torque", "Straight rod subject to an end torque, N = 100", "x", "z",
                                 "Published: a straight rod under an end torque. Look for: arcs, and a full circle "
                                 "under 2 pi EI/L: the curvature is exact on any grid.");
  if (chart)
    chart->equal = chart->ramp = true;
  for (int i = 0; i < 3; i++) {
    static const double start[3] = {0};
    double tip[4];
    char what[96];
    wy_status status = roll_up(cells[i], i == 2 ? chart : NULL, tip, message);
    if (status != WY_OK)
      return status;
    snprintf(what, sizeof what, "torque 2 pi EI/L: distance of the ends, N = %d", cells[i]);
    const double apart = wy_distance(tip, start);
    wy_findings_state(findings, what, apart, apart < 1e-9, "", "a closed circle; limit 1e-9");
    wy_findings_where(findings, "results, figure 1 (3)");
  }
  return WY_OK;
}

wy_status wy_slw_resting(wy_findings *findings, wy_message *message) {
  wy_status (*const steps[])(wy_findings *, wy_message *) = {under_weight, come_to_rest, circles};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof steps / sizeof *steps && status == WY_OK; i++)
    status = steps[i](findings, message);
  return status;
}
