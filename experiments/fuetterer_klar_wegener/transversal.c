/* SPDX-License-Identifier: MIT */
/* Example 5.2: transversal oscillation. Gravity sets in and the straight rod swings about its sagged shape; frequency
   over slenderness, and why an even number of segments is a bad choice. */
#include <math.h>
#include <stdlib.h>

#include "experiments/fuetterer_klar_wegener/common.h"

enum { RODS = 7, CELLS = 10 };

static const double pi = 3.14159265358979323846, gamma_number = 1e-7;
static const double slenderness[RODS] = {0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001};

/* (5.14): omega = lambda^2 / 4 delta */
static double lambda_of(double omega, double delta) {
  return sqrt(4 * omega / delta);
}

/* The top of the parabola of best fit through samples around number `top`, in steps from it. */
static double parabola(const double *sample, int top, int wide) {
  const double n = 2.0 * wide + 1;
  double squares = 0, fourths = 0, sum = 0, slope = 0, bend = 0;
  for (int k = -wide; k <= wide; k++) {
    const double square = (double)k * k, y = sample[top + k];
    squares += square, fourths += square * square;
    sum += y, slope += k * y, bend += square * y;
  }
  const double curvature = (bend - squares * sum / n) / (fourths - squares * squares / n);
  return -0.5 * slope / squares / curvature;
}

/* The time between the first two maxima of the potential energy, of which the first is the start. A ripple of the
   second mode moves the second one by a thousandth of the period; the parabola over 4 % of it to both sides levels that
   out. */
static wy_status measure(double delta, int segments, double *omega, wy_message *message) {
  const wy_fkw_method method = wy_fkw_published(segments);
  const double expected = 2 * pi / (1.875 * 1.875 / 4 * delta);
  const int steps = (int)lround(1.2 * expected / method.step), wide = (int)lround(0.04 * expected / method.step);
  double *height = calloc((size_t)steps + 1, sizeof *height);
  int top = (int)lround(0.8 * expected / method.step);
  wy_case c = wy_scene_cylinder(method.segments, delta, gamma_number);
  wy_fkw_solve(&c, &method);
  wy_status status = height ? wy_case_create(&c, message) : WY_ERROR_MEMORY;
  for (int i = 1; i <= steps && status == WY_OK; i++) {
    status = wy_sim_step(c.sim, message);
    height[i] = wy_sim_energy(c.sim, 0).gravity;
    if (i > top && i <= steps - wide && height[i] > height[top])
      top = i;
  }
  if (status == WY_OK)
    *omega = 2 * pi / ((top + parabola(height, top, wide)) * method.step);
  free(height);
  wy_case_destroy(&c);
  return status;
}

/* Figure 3 and its line of best fit. The frequencies are those of an independent program. */
static wy_status best_fit(wy_findings *findings, wy_message *message) {
  static const double expected[RODS] = {8.738943607e-2, 4.386047368e-2, 1.755069137e-2, 8.775648921e-3,
                                        4.388043103e-3, 1.758307423e-3, 8.99561097e-4};
  wy_chart *chart = wy_chart_new(
      findings, "fkw-3-frequency", "Figure 3: frequency of bending over slenderness", "slenderness", "frequency",
      "Published: a straight line through the origin for N = 10, whose best fit has lambda = 1.870. Look for: the same "
      "line; the dashed one is that of the theory, lambda = 1.875.");
  const int ours = wy_chart_curve(chart, "ours with N = 10"), theory = wy_chart_curve(chart, "1.875^2/4 delta");
  double products = 0, squares = 0;
  wy_chart_dash(chart, theory);
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true;
  for (int i = 0; i < RODS; i++) {
    const double delta = slenderness[i];
    double omega;
    char what[96];
    wy_status status = measure(delta, CELLS, &omega, message);
    if (status != WY_OK)
      return status;
    products += omega * delta, squares += delta * delta;
    snprintf(what, sizeof what, "5.2 transversal: frequency / delta, delta = %g", delta);
    wy_findings_add(findings, what, expected[i] / delta, omega / delta, 2e-4 * expected[i] / delta, "",
                    "independent program; N = 10, dt = 0.1, gravity number 1e-7; tolerance 2e-4");
    wy_chart_point(chart, ours, delta, omega);
    wy_chart_point(chart, theory, delta, 1.875 * 1.875 / 4 * delta);
  }
  const double lambda = sqrt(4 * products / squares);
  wy_findings_add(findings, "5.2 lambda of the best-fit line", 1.870, lambda, 1e-3, "",
                  "published, for N = 10; theory 1.875; an independent program has 1.8705");
  wy_findings_where(findings, "Example 5.2, text; Figure 3");
  wy_findings_state(findings, "5.2 relative error of lambda", lambda / 1.875 - 1, fabs(lambda / 1.875 - 1) < 5e-3, "",
                    "published: of the order 1e-3 (1.870 against 1.875 is 2.7e-3); limit 5e-3");
  wy_findings_where(findings, "Example 5.2, text");
  return WY_OK;
}

/* ---- two grids in one ---- */

/* The part of the deflection that alternates from node to node, over the largest deflection. */
static double zigzag(wy_case *c) {
  const wy_points line = wy_sim_view(c->sim, 0)->position;
  double most = 0, deflection = 0;
  for (int i = 1; i + 1 < line.count; i++) {
    const double *y = line.values + 3 * (size_t)i + 1;
    most = fmax(most, fabs(y[-3] - 2 * y[0] + y[3]) / 4);
    deflection = fmax(deflection, fabs(y[3]));
  }
  return deflection > 0 ? most / deflection : 0;
}

/* The largest of it while the rod is down. Beside the sawtooth it has the curvature of the rod, about h^2. */
static wy_status watch(wy_chart *chart, const wy_fkw_method *method, const char *name, double *most,
                       wy_message *message) {
  const double delta = 0.1, end = 800;
  const int curve = wy_chart_curve(chart, name), frames = 400;
  double deepest = 0;
  wy_case c = wy_scene_cylinder(method->segments, delta, gamma_number);
  wy_fkw_solve(&c, method);
  wy_status status = wy_case_create(&c, message);
  *most = 0;
  for (int i = 1; i <= frames && status == WY_OK; i++) {
    double tip[4];
    status = wy_case_move(&c, i * end / frames, tip, message);
    if (status != WY_OK)
      break;
    deepest = fmin(deepest, tip[1]);
    if (i > frames / 10 && tip[1] < 0.5 * deepest) {
      const double share = zigzag(&c);
      *most = fmax(*most, share);
      wy_chart_point(chart, curve, i * end / frames, share);
    }
  }
  wy_case_destroy(&c);
  return status;
}

static wy_status even_and_odd(wy_findings *findings, wy_message *message) {
  const wy_fkw_method methods[] = {wy_fkw_published(10), wy_fkw_published(11), wy_fkw_published(20),
                                   wy_fkw_published(21)};
  static const char *const names[] = {"N = 10", "N = 11", "N = 20", "N = 21"};
  wy_chart *chart =
      wy_chart_new(findings, "fkw-3-sawtooth", "Example 5.2, delta = 0.1: alternating part of the shape", "t",
                   "share of the deflection",
                   "Not in the paper: what its frequencies do not tell. Look for: the large part of the deflection "
                   "that alternates from node to node with even numbers of segments, and not with odd ones.");
  double most[4], omega;
  wy_status status = WY_OK;
  if (chart)
    chart->log_y = true;
  for (int i = 0; i < 4 && status == WY_OK; i++)
    status = watch(chart, &methods[i], names[i], &most[i], message);
  if (status == WY_OK)
    status = measure(0.01, 11, &omega, message);
  if (status != WY_OK)
    return status;
  for (int i = 0; i < 4; i++) {
    char what[96];
    snprintf(what, sizeof what, "5.2 alternating part of the deflection, %s", names[i]);
    wy_findings_state(findings, what, most[i], i % 2 == 0 ? most[i] > 5 * most[i + 1] : most[i] < 0.1, "",
                      i % 2 == 0 ? "even: two grids of different frequency; must be 5 times that of the odd one"
                                 : "odd: limit 0.1");
  }
  wy_findings_add(findings, "5.2 lambda, N = 11, delta = 0.01", 1.87005, lambda_of(omega, 0.01), 5e-3, "",
                  "linear theory of the discrete rod; both grids have this frequency; tolerance 5e-3");
  return WY_OK;
}

wy_status wy_fkw_transversal(wy_findings *findings, wy_message *message) {
  wy_status status = best_fit(findings, message);
  return status == WY_OK ? even_and_odd(findings, message) : status;
}
