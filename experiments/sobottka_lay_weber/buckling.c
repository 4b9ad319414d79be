/* SPDX-License-Identifier: MIT */
/* "The canonical example - buckling": a clamped strut under a dead force at its end. Critical force and the shapes
   beyond it. */
#include <math.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { GRIDS = 4, LOADS = WY_SLW_LOADS };

static const double pi = 3.14159265358979323846;
static const int cells[GRIDS] = {5, 10, 20, 40};

static wy_case strut(int count, bool transport) {
  wy_slw_method method = wy_slw_radius(count, 0.01, 0.8);
  method.box.transport = transport;
  wy_case c = wy_scene_strut(count);
  wy_slw_solve(&c, &method);
  return c;
}

static wy_status critical(int count, bool transport, double *factor, wy_message *message) {
  wy_case c = strut(count, transport);
  wy_mode_set *modes = NULL;
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_buckling(c.sim, 0, 1, 1, &modes, message);
  if (status == WY_OK)
    *factor = modes->factor[0];
  wy_mode_set_destroy(modes);
  wy_case_destroy(&c);
  return status;
}

static wy_status bend_aside(int count, bool transport, wy_chart *chart, double error[LOADS], wy_message *message) {
  wy_case c = strut(count, transport);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 0, message);
  if (status == WY_OK)
    wy_case_draw(&c, chart, wy_chart_curve(chart, "0"), 0, 1);
  for (int i = 0; i < LOADS && status == WY_OK; i++) {
    double tip[4];
    char name[32];
    status = wy_sim_follow(c.sim, wy_slw_elastica[i].factor, message);
    if (status == WY_OK)
      status = wy_case_tip(&c, tip, message);
    if (status != WY_OK)
      break;
    error[i] = hypot(tip[0] - wy_slw_elastica[i].tip[0], fabs(tip[1]) - wy_slw_elastica[i].tip[1]);
    snprintf(name, sizeof name, "%g", wy_slw_elastica[i].factor);
    wy_case_draw(&c, chart, wy_chart_curve(chart, name), 0, 1);
  }
  wy_case_destroy(&c);
  return status;
}

static wy_status buckle(wy_findings *findings, bool transport, wy_chart *shapes, wy_message *message) {
  const char *name = transport ? "transported" : "plain";
  double error[GRIDS][LOADS];
  char what[96];
  for (int i = 0; i < GRIDS; i++) {
    const double n = cells[i], exact = 2 * n * tan(pi / (4 * n)) / (pi / 2);
    double factor;
    wy_status status = critical(cells[i], transport, &factor, message);
    if (status == WY_OK)
      status = bend_aside(cells[i], transport, i == GRIDS - 1 ? shapes : NULL, error[i], message);
    if (status != WY_OK)
      return status;
    snprintf(what, sizeof what, "buckling, %s box: critical force over Euler's, N = %d", name, cells[i]);
    wy_findings_add(findings, what, exact * exact, factor, 1e-8, "", "closed form (2 N tan(pi/4N))^2 EI/L^2");
  }
  for (int k = 0; k < LOADS; k++) {
    const double factor = wy_slw_elastica[k].factor, known = wy_slw_elastica[k].error;
    snprintf(what, sizeof what, "buckling, %s box: error of the tip at %g times Euler's force", name, factor);
    wy_findings_add(findings, what, transport ? (double)NAN : known, error[GRIDS - 1][k], 0.05 * known, "",
                    transport ? "against elliptic integrals, N = 40"
                              : "against elliptic integrals, N = 40; independent program; tolerance 5 %");
    snprintf(what, sizeof what, "buckling, %s box: order at %g times Euler's force", name, factor);
    wy_findings_add(findings, what, 2, wy_order(error[GRIDS - 2][k], error[GRIDS - 1][k]), 0.1, "", "N = 20, 40");
  }
  return WY_OK;
}

wy_status wy_slw_buckling(wy_findings *findings, wy_message *message) {
  wy_chart *shapes = wy_chart_new(
      findings, "slw-buckling", "Buckling: shapes under 0, 1.05, 1.2 and 2 times the critical force", "x", "y",
      "Published: a picture of a buckled strut, without numbers. Look for: the tip beside the clamp at twice the "
      "critical force. Shapes and force are compared with elliptic integrals and a closed form.");
  if (shapes)
    shapes->equal = true;
  wy_status status = buckle(findings, true, shapes, message);
  return status == WY_OK ? buckle(findings, false, NULL, message) : status;
}
