/* SPDX-License-Identifier: MIT */
/* A material beyond the linear law, which the paper leaves open: the energy is kept by the discrete gradient, nearly by
   the Gauss methods. And their orders in time. */
#include <math.h>

#include "experiments/fuetterer_klar_wegener/common.h"

enum { CELLS = 20, STEPS = 3, METHODS = 3 };

static const double step_size[STEPS] = {0.05, 0.025, 0.0125};
static const char *const integrators[METHODS] = {"midpoint", "gauss4", "discrete_gradient"};
static const char *const names[METHODS] = {"midpoint", "Gauss 4", "discrete gradient"};

/* The twist u3 = u0 (1 - s) winds back; bending beyond the linear law. */
typedef struct winding {
  double u0, bending, end;
} winding;

typedef struct outcome {
  double tip[4], energy_change; /* relative to the start, largest */
} outcome;

static wy_status unwind(const winding *w, const char *integrator, double step, outcome *out, wy_message *message) {
  const wy_fkw_method method = {CELLS, 2, integrator, step};
  const int steps = (int)lround(w->end / step);
  wy_case c = wy_scene_cylinder(CELLS, 0.1, 1e-3);
  wy_fkw_solve(&c, &method);
  c.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = w->bending};
  c.rod.initial.twist = wy_case_signal(&c, "a*(s - s^2/2)", w->u0);
  wy_status status = wy_case_create(&c, message);
  const double start = status == WY_OK ? wy_sim_energy(c.sim, 0).total : 0;
  *out = (outcome){0};
  for (int i = 0; i < steps && status == WY_OK; i++) {
    status = wy_sim_step(c.sim, message);
    out->energy_change = fmax(out->energy_change, fabs(wy_sim_energy(c.sim, 0).total / start - 1));
  }
  if (status == WY_OK)
    status = wy_case_tip(&c, out->tip, message);
  wy_case_destroy(&c);
  return status;
}

/* Each step size with each method. The violent motion is not determined to its end: its energy errors are compared in
   size only. */
static wy_status compare(wy_findings *findings, const winding *w, const double expected[STEPS][2], double tolerance,
                         wy_chart *chart, outcome out[STEPS][METHODS], wy_message *message) {
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < METHODS; k++) {
      char what[96], curve[48], note[128];
      wy_status status = unwind(w, integrators[k], step_size[i], &out[i][k], message);
      if (status != WY_OK)
        return status;
      const double change = out[i][k].energy_change;
      snprintf(what, sizeof what, "stiffening, u0 = %g: energy change, %s, dt = %g", w->u0, names[k], step_size[i]);
      snprintf(note, sizeof note, "independent program; bending %g, t <= %g; tolerance %g %%", w->bending, w->end,
               100 * tolerance);
      if (k < 2)
        wy_findings_add(findings, what, expected[i][k], change, tolerance * expected[i][k] + 1e-14, "", note);
      else
        wy_findings_state(findings, what, change, change <= 1e-14, "", "exact but for round-off; limit 1e-14");
      snprintf(curve, sizeof curve, "%s", names[k]);
      wy_chart_point(chart, i == 0 ? wy_chart_curve(chart, curve) : k, step_size[i], change);
    }
  return WY_OK;
}

static wy_chart *energy_chart(wy_findings *findings, const char *name, const char *title) {
  wy_chart *chart =
      wy_chart_new(findings, name, title, "step", "relative change",
                   "Not in the paper, which leaves other materials open. Look for: orders 2 and 4 of the Gauss "
                   "methods, and round-off with the discrete gradient at any step.");
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true, chart->guide[0].slope = 2, chart->guide[1].slope = 4,
    chart->guide[1].curve = 1;
  return chart;
}

static wy_status time_orders(wy_findings *findings, const winding *w, const outcome out[STEPS][METHODS],
                             wy_message *message) {
  static const double expected[METHODS] = {2, 4, 2};
  outcome limit;
  wy_status status = unwind(w, "gauss4", step_size[STEPS - 1] / 4, &limit, message);
  if (status != WY_OK)
    return status;
  for (int k = 0; k < METHODS; k++) {
    char what[96];
    snprintf(what, sizeof what, "order in time, %s", names[k]);
    const double order = wy_order(wy_distance(out[1][k].tip, limit.tip), wy_distance(out[2][k].tip, limit.tip));
    wy_findings_add(findings, what, expected[k], order, 0.1, "",
                    "tip at t = 10, dt = 0.025 and 0.0125 against Gauss 4 with 0.003125");
  }
  return WY_OK;
}

wy_status wy_fkw_material(wy_findings *findings, wy_message *message) {
  static const double violent_changes[STEPS][2] = {{4.1e-2, 2.6e-3}, {1.25e-2, 1.2e-4}, {2.7e-3, 1.2e-5}};
  static const double gentle_changes[STEPS][2] = {
      {7.0131e-7, 8.2784e-10}, {1.75045e-7, 5.2132e-11}, {4.3741e-8, 3.2654e-12}};
  static const double tip[3] = {0.9972415039, -0.0711516552, -0.0012780125};
  const winding violent = {20, 1e-2, 40}, gentle = {6, 1e-4, 10};
  outcome out[STEPS][METHODS];
  wy_status status =
      compare(findings, &gentle, gentle_changes, 2e-3,
              energy_chart(findings, "fkw-material-gentle", "Stiffening rod, u0 = 6: change of energy"), out, message);
  if (status == WY_OK) {
    wy_findings_add(findings, "stiffening, u0 = 6: tip at t = 10, Gauss 4, distance", 0,
                    wy_distance(out[STEPS - 1][1].tip, tip), 1e-8, "",
                    "independent program: (0.9972415039, -0.0711516552, -0.0012780125); N = 20, dt = 0.0125");
    status = time_orders(findings, &gentle, (const outcome(*)[METHODS])out, message);
  }
  if (status == WY_OK)
    status = compare(findings, &violent, violent_changes, 0.5,
                     energy_chart(findings, "fkw-material-violent", "Stiffening rod, u0 = 20: change of energy"), out,
                     message);
  return status;
}
