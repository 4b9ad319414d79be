/* SPDX-License-Identifier: MIT */
/* Order in space, of both difference operators, for smooth data that fit the ends. */
#include <math.h>

#include "experiments/fuetterer_klar_wegener/common.h"

enum { GRIDS = 4, COARSEST = 20 };

static const double end_of_run = 2;

/* A twist that is even about the clamp and odd about the free end, and a force that sets in slowly, leave nothing to
   jump at either end. */
static wy_status bend(int order, int segments, double tip[4], wy_message *message) {
  const wy_fkw_method method = {segments, order, "gauss4", 0.0125};
  wy_case c = wy_scene_cylinder(segments, 0.1, 0);
  wy_fkw_solve(&c, &method);
  c.rod.initial.twist = wy_case_signal(&c, "a*sin(pi*s/2)", 2);
  c.loaded = true;
  c.load.place = WY_ALONG;
  c.load.from = 0;
  c.load.to = 1;
  c.load.force[1] = wy_case_signal(&c, "-a*t^4*sin(pi*s/2)^2", 0.02);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_case_move(&c, end_of_run, tip, message);
  wy_case_destroy(&c);
  return status;
}

wy_status wy_fkw_orders(wy_findings *findings, wy_message *message) {
  wy_chart *chart = wy_chart_new(findings, "fkw-order", "Tip at t = 2: change when the grid is bisected", "N", "change",
                                 "The paper states second order inside the rod; a fourth-order flux is its remark 4.2. "
                                 "Look for: slope 2, and at least 2.5 for order 4, whose ends are of lower order.");
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true, chart->guide[0].slope = -2;
  for (int order = 2; order <= 4; order += 2) {
    double tip[GRIDS][4], change[GRIDS - 1];
    char what[96];
    snprintf(what, sizeof what, "order %d", order);
    const int curve = wy_chart_curve(chart, what);
    for (int i = 0; i < GRIDS; i++) {
      wy_status status = bend(order, COARSEST << i, tip[i], message);
      if (status != WY_OK)
        return status;
      if (i == 0)
        continue;
      change[i - 1] = wy_distance(tip[i], tip[i - 1]);
      wy_chart_point(chart, curve, COARSEST << (i - 1), change[i - 1]);
    }
    const double found = wy_order(change[GRIDS - 3], change[GRIDS - 2]);
    snprintf(what, sizeof what, "order in space, differences of order %d", order);
    if (order == 2) {
      wy_findings_add(findings, what, 2, found, 0.2, "", "tip at t = 2, N = 40, 80, 160");
      wy_findings_where(findings, "section 4, text");
    } else
      wy_findings_state(findings, what, found, found >= 2.5, "", "tip at t = 2, N = 40, 80, 160; at least 2.5");
  }
  return WY_OK;
}
