/* SPDX-License-Identifier: MIT */
/* Figure 11: what the five curvature measures make of an angle between neighbouring segments. */
#include <math.h>

#include "experiments/lang_linn_arnold/common.h"

/* A rod of two segments, twisted so that their frames are `angle` apart: the curvature of the vertex between them times
   the distance of their middles, eta(angle). */
static wy_status measure(wy_curvature_measure which, double angle, double *eta, wy_message *message) {
  wy_case c = wy_swing_case(WY_SWING_RUBBER, 2);
  const double apart = 0.5 * c.rod.length;
  c.solver.staggered.curvature_measure = which;
  c.rod.initial.twist = wy_case_signal(&c, "a*s", angle / apart);
  double curvature[4];
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_CURVATURE, 0, apart, curvature, message);
  wy_case_destroy(&c);
  if (status == WY_OK)
    *eta = curvature[2] * apart;
  return status;
}

/* (34) */
static double sine(double m, double angle) {
  return m * sin(angle / m);
}

static double tangent(double m, double angle) {
  return m * tan(angle / m);
}

static double formula(wy_curvature_measure which, double angle) {
  switch (which) {
  case WY_SIN2:
    return sine(2, angle);
  case WY_SIN4:
    return sine(4, angle);
  case WY_TAN2:
    return tangent(2, angle);
  case WY_TAN4:
    return tangent(4, angle);
  default:
    return angle;
  }
}

wy_status wy_lla_measures(wy_findings *findings, wy_message *message) {
  static const char *const names[] = {[WY_SIN2] = "(i) 2 sin(phi/2)",
                                      [WY_SIN4] = "(ii) 4 sin(phi/4)",
                                      [WY_TAN2] = "(iii) 2 tan(phi/2)",
                                      [WY_TAN4] = "(iv) 4 tan(phi/4)",
                                      [WY_ANGLE] = "(v) phi"};
  enum { ANGLES = 60 };
  wy_chart *chart =
      wy_chart_new(findings, "lla-curvature", "Figure 11: curvature measures over the angle", "angle phi",
                   "eta (curvature times segment)",
                   "Published: the functions (34); here read off a twisted rod of two segments. Look for: the "
                   "same line up to an angle of about 1, then sines below and tangents above the angle.");
  for (int which = WY_SIN2; which <= WY_ANGLE; which++) {
    double worst = 0;
    wy_chart_curve(chart, names[which]);
    for (int i = 1; i <= ANGLES; i++) {
      const double angle = 3.0 * i / ANGLES;
      double eta;
      wy_status status = measure((wy_curvature_measure)which, angle, &eta, message);
      if (status != WY_OK)
        return status;
      worst = fmax(worst, fabs(eta / formula((wy_curvature_measure)which, angle) - 1));
      if (eta < 6) /* (iii) has a pole at pi */
        wy_chart_point(chart, which, angle, eta);
    }
    char what[96];
    snprintf(what, sizeof what, "curvature measure %s: largest relative difference", names[which]);
    wy_findings_state(findings, what, worst, worst < 1e-12, "", "angles 0.05 to 3; limit 1e-12, round-off");
    wy_findings_where(findings, "(34), Figure 11");
  }
  return WY_OK;
}
