/* SPDX-License-Identifier: MIT */
/* A cantilever that falls from the horizontal, undamped: against another scheme, order in space, energy, a long run. */
#include <math.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { GRIDS = 4, TIMES = 2, COARSEST = 10 };

static const double step_size = 0.01;
/* By the conserving scheme with ever stiffer extension and shear, and by the box: they agree to 3e-4. */
static const double expected[TIMES][3] = {{0.7781, -0.6123, 0}, {-0.4651, -0.7695, 0}};

typedef struct fall {
  double tip[TIMES][4], energy[TIMES]; /* at t = 1, 2 */
  double drift;
} fall;

static wy_status drop(const wy_slw_method *method, fall *out, wy_message *message) {
  wy_case c = wy_slw_cantilever(method);
  wy_status status = wy_case_create(&c, message);
  const double start = status == WY_OK ? wy_sim_energy(c.sim, 0).total : 0;
  for (int i = 0; i < TIMES && status == WY_OK; i++) {
    status = wy_case_move(&c, 1 + i, out->tip[i], message);
    if (status == WY_OK)
      out->energy[i] = wy_sim_energy(c.sim, 0).total - start;
  }
  if (status == WY_OK)
    out->drift = wy_sim_statistics(c.sim, 0).position_drift;
  wy_case_destroy(&c);
  return status;
}

/* With a weight that sets in smoothly: one that is there at once sends a kink through the rod. */
static wy_status order_of(wy_findings *findings, bool transport, wy_message *message) {
  double tip[GRIDS][4];
  char what[96];
  for (int i = 0; i < GRIDS; i++) {
    wy_slw_method method = wy_slw_radius(COARSEST << i, step_size, 0.8);
    method.box.transport = transport;
    wy_case c = wy_slw_laden(&method);
    wy_status status = wy_case_create(&c, message);
    if (status == WY_OK)
      status = wy_case_move(&c, 1, tip[i], message);
    wy_case_destroy(&c);
    if (status != WY_OK)
      return status;
  }
  snprintf(what, sizeof what, "order in space of the tip, %s box", transport ? "transported" : "plain");
  wy_findings_add(findings, what, 2, wy_order(wy_distance(tip[1], tip[2]), wy_distance(tip[2], tip[3])), 0.1, "",
                  "weight that sets in smoothly, t = 1, N = 20, 40, 80");
  return WY_OK;
}

static wy_status refine(wy_findings *findings, bool transport, wy_chart *chart, wy_message *message) {
  const char *name = transport ? "transported" : "plain";
  const int curve = wy_chart_curve(chart, name);
  fall falls[GRIDS];
  char what[96];
  for (int i = 0; i < GRIDS; i++) {
    wy_slw_method method = wy_slw_radius(COARSEST << i, step_size, 0.8);
    method.box.transport = transport;
    wy_status status = drop(&method, &falls[i], message);
    if (status != WY_OK)
      return status;
    wy_chart_point(chart, curve, COARSEST << i, falls[i].drift);
  }
  for (int i = 0; i < TIMES; i++) {
    snprintf(what, sizeof what, "falling cantilever, %s box: tip at t = %d, distance", name, 1 + i);
    wy_findings_add(findings, what, 0, wy_distance(falls[GRIDS - 1].tip[i], expected[i]), 4e-4, "",
                    i == 0 ? "(0.7781, -0.6123): two schemes agree to 3e-4; N = 80, dt = 0.01; tolerance 4e-4"
                           : "(-0.4651, -0.7695): the same");
  }
  snprintf(what, sizeof what, "falling cantilever, %s box: drift of position, N = 80", name);
  wy_findings_add(findings, what, NAN, falls[GRIDS - 1].drift, 0, "",
                  "places by curvatures against places by velocities");
  snprintf(what, sizeof what, "falling cantilever, %s box: energy at t = 2, N = 80", name);
  wy_findings_add(findings, what, NAN, falls[GRIDS - 1].energy[1], 0, "", "exact: 0");
  return WY_OK;
}

/* With less and with more damping of the step, which adds an error of its own. */
static wy_status other_sets(wy_findings *findings, bool transport, wy_message *message) {
  static const double rho[] = {1, 0.5};
  for (int k = 0; k < 2; k++) {
    wy_slw_method method = wy_slw_radius(COARSEST << (GRIDS - 1), step_size, rho[k]);
    fall found;
    method.box.transport = transport;
    wy_status status = drop(&method, &found, message);
    if (status != WY_OK)
      return status;
    for (int i = 0; i < TIMES; i++) {
      char what[96];
      snprintf(what, sizeof what, "falling cantilever, %s box, rho %g: tip at t = %d, distance",
               transport ? "transported" : "plain", rho[k], 1 + i);
      wy_findings_add(findings, what, 0, wy_distance(found.tip[i], expected[i]), (rho[k] < 1 ? 8e-4 : 4e-4) * (1 + i),
                      "", rho[k] < 1 ? "tolerance 8e-4 t: with the error of the damped step" : "tolerance 4e-4 t");
    }
  }
  return WY_OK;
}

/* ---- the long run ---- */

typedef struct long_run {
  double reached, most, last; /* time; largest and last energy */
} long_run;

static wy_status run_long(const wy_slw_method *method, const char *name, wy_chart *chart, long_run *out,
                          wy_message *message) {
  const double end = 20;
  const int frames = 400, curve = wy_chart_curve(chart, name);
  wy_case c = wy_slw_cantilever(method);
  wy_status status = wy_case_create(&c, message);
  *out = (long_run){0};
  for (int i = 1; i <= frames && status == WY_OK; i++) {
    double tip[4];
    status = wy_case_move(&c, i * end / frames, tip, message);
    if (status != WY_OK)
      break;
    out->reached = i * end / frames;
    out->last = wy_sim_energy(c.sim, 0).total;
    out->most = fmax(out->most, out->last);
    if (fabs(out->last) < 0.4) /* the plain box leaves the picture before it fails */
      wy_chart_point(chart, curve, out->reached, out->last);
  }
  wy_case_destroy(&c);
  return status;
}

static wy_status long_runs(wy_findings *findings, wy_message *message) {
  wy_chart *chart = wy_chart_new(findings, "slw-long",
                                 "Falling cantilever, undamped, N = 20, dt = 0.02: energy (exact: 0)", "t", "energy",
                                 "Not in the slides, which claim stability. Look for: energy that falls slowly with "
                                 "numerical damping (rho below 1) and stays bounded without; the plain box fails.");
  struct {
    const char *name;
    wy_slw_method method;
    bool must;
  } runs[] = {{"rho 0.8", wy_slw_radius(20, 0.02, 0.8), true},
              {"rho 1", wy_slw_radius(20, 0.02, 1), true},
              {"rho 0.5", wy_slw_radius(20, 0.02, 0.5), true},
              {"printed 0.3 0 0.7", wy_slw_coefficients(20, 0.02, 0.3, 0, 0.7), true},
              {"plain rho 1 stage", wy_slw_radius(20, 0.02, 1), false}};
  runs[4].method.box.transport = false;
  runs[4].method.box.force = WY_FORCE_STAGE;
  for (int i = 0; i < 5; i++) {
    long_run result;
    wy_message trouble = {0};
    char what[96], note[128];
    wy_status status = run_long(&runs[i].method, runs[i].name, chart, &result, &trouble);
    if (status != WY_OK && status != WY_ERROR_SOLVER) {
      *message = trouble;
      return status;
    }
    snprintf(what, sizeof what, "long run, %s: time reached of 20", runs[i].name);
    snprintf(note, sizeof note, "energy at most %.2g, in the end %.2g (exact: 0)", result.most, result.last);
    if (runs[i].must) {
      wy_findings_state(findings, what, result.reached, status == WY_OK, "", note);
      wy_findings_where(findings, "slide 3: unconditionally stable");
    } else
      wy_findings_add(findings, what, NAN, result.reached, 0, "", note);
  }
  return WY_OK;
}

wy_status wy_slw_falling(wy_findings *findings, wy_message *message) {
  wy_chart *chart = wy_chart_new(findings, "slw-drift", "Falling cantilever: drift of positions", "N", "drift",
                                 "Not in the slides, which integrate velocities to positions. Look for: places by "
                                 "velocities and by curvatures that come together with order 2.");
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true, chart->guide[0].slope = -2;
  wy_status status = refine(findings, true, chart, message);
  if (status == WY_OK)
    status = refine(findings, false, chart, message);
  for (int transport = 0; transport < 2 && status == WY_OK; transport++)
    status = order_of(findings, transport, message);
  for (int transport = 0; transport < 2 && status == WY_OK; transport++)
    status = other_sets(findings, transport, message);
  return status == WY_OK ? long_runs(findings, message) : status;
}
