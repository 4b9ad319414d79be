/* SPDX-License-Identifier: MIT */
/* The coefficients of generalised alpha: which order each set has, with a cantilever on which the weight sets in
   smoothly; and that one of the published sets is backward Euler. */
#include <math.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { CELLS = 10, STEPS = 4, SETS = 7 };

static const double first_step = 0.04, fine_step = 6.25e-4;

typedef struct set {
  const char *name;
  double alpha, beta, gamma;
  int order;
} set;

/* alpha = (3 rho - 1) / (2 (1 + rho)), beta = rho / (1 + rho), gamma = 1/2 - alpha + beta for the spectral radius rho
   at infinity. */
static const set sets[SETS] = {{"rho 1", 0.5, 0.5, 0.5, 2},
                               {"rho 0.8", 1.4 / 3.6, 0.8 / 1.8, 0.5 + 0.2 / 3.6, 2},
                               {"rho 0.5", 1. / 6, 1. / 3, 2. / 3, 2},
                               {"rho 0", -0.5, 0, 1, 2},
                               {"backward Euler", 0, 0, 1, 1},
                               {"printed 0.3 0 0.7", 0.3, 0, 0.7, 1},
                               {"printed 0.4 0 1", 0.4, 0, 1, 1}};

typedef struct result {
  double tip[4], force[4]; /* of the clamp, in its section */
} result;

static wy_status sag(const set *with, double step, result *out, wy_message *message) {
  const wy_slw_method method = wy_slw_coefficients(CELLS, step, with->alpha, with->beta, with->gamma);
  wy_case c = wy_slw_laden(&method);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_case_move(&c, 1, out->tip, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_FORCE, 0, 0, out->force, message);
  wy_case_destroy(&c);
  return status;
}

static wy_chart *error_chart(wy_findings *findings, const char *name, const char *title) {
  wy_chart *chart =
      wy_chart_new(findings, name, title, "step", "error",
                   "Not in the slides, which claim second order where alpha - beta + gamma = 1/2. Look for: "
                   "slope 2 for the sets of a spectral radius rho, slope 1 for both printed sets, which break "
                   "that condition.");
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true, chart->guide[0].slope = 2, chart->guide[1].slope = 1,
    chart->guide[1].curve = 6;
  return chart;
}

static wy_status order_of(wy_findings *findings, const set *which, wy_chart *tips, wy_chart *forces, result out[STEPS],
                          wy_message *message) {
  const int tip = wy_chart_curve(tips, which->name), force = wy_chart_curve(forces, which->name);
  double error[STEPS];
  result limit;
  char what[96];
  wy_status status = sag(&sets[2], fine_step, &limit, message);
  for (int i = 0; i < STEPS && status == WY_OK; i++) {
    const double step = first_step / (1 << i);
    status = sag(which, step, &out[i], message);
    if (status != WY_OK)
      break;
    error[i] = wy_distance(out[i].tip, limit.tip);
    wy_chart_point(tips, tip, step, error[i]);
    wy_chart_point(forces, force, step, wy_distance(out[i].force, limit.force));
  }
  if (status != WY_OK)
    return status;
  snprintf(what, sizeof what, "order in time of the tip, %s", which->name);
  wy_findings_add(findings, what, which->order, wy_order(error[1], error[2]), 0.1, "",
                  which->order == 1 ? "alpha - beta + gamma is not 1/2, the slides' own condition; dt = 0.02, 0.01"
                                    : "N = 10, t = 1, dt = 0.02, 0.01 against 0.000625");
  if (which->order == 2)
    wy_findings_where(findings, "stability: alpha - beta + gamma = 1/2");
  snprintf(what, sizeof what, "order in time of the force at the clamp, %s", which->name);
  wy_findings_add(findings, what, which->order,
                  wy_order(wy_distance(out[1].force, limit.force), wy_distance(out[2].force, limit.force)), 0.1, "",
                  "the same runs; with the force of the step before");
  return WY_OK;
}

wy_status wy_slw_sets(wy_findings *findings, wy_message *message) {
  wy_chart *tips = error_chart(findings, "slw-tip", "Error of the tip over the step, by set of coefficients");
  wy_chart *forces = error_chart(findings, "slw-force", "Error of the force at the clamp over the step");
  result out[SETS][STEPS];
  wy_status status = WY_OK;
  for (int i = 0; i < SETS && status == WY_OK; i++)
    status = order_of(findings, &sets[i], tips, forces, out[i], message);
  if (status != WY_OK)
    return status;
  double apart = 0;
  for (int i = 0; i < STEPS; i++)
    apart = fmax(apart, wy_distance(out[4][i].tip, out[5][i].tip));
  wy_findings_state(findings, "printed set 0.3, 0, 0.7 against backward Euler, tip", apart, apart < 1e-9, "",
                    "gamma = 1 - alpha: the same method; what Newton's method leaves, limit 1e-9");
  return WY_OK;
}
