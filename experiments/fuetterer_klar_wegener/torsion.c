/* SPDX-License-Identifier: MIT */
/* Example 5.1: torsional oscillation without gravity. The wave equation for the twist, started in its first mode, whose
   discrete frequency is known in closed form for order 2. */
#include <math.h>

#include "experiments/fuetterer_klar_wegener/common.h"

enum { MOST_ZEROS = 32 };

static const double pi = 3.14159265358979323846, end_of_run = 60;

/* (5.13) */
static double exact(void) {
  return pi / sqrt(12);
}

/* Central differences, reflected at both ends, and the midpoint rule. */
static double closed_form(int segments) {
  const double h = 1.0 / segments, semi = sin(0.5 * pi * h) / (sqrt(3) * h);
  return 2 / h * atan(0.5 * semi * h);
}

typedef struct tone {
  double frequency;
  double energy, norm; /* largest relative change of energy; largest deviation of the quaternions */
} tone;

/* Times at which the twist passes zero: each near t, from which zero is `angle` of its phase away, as the arc sine of
   the twist over its largest tells. */
typedef struct zeros {
  int count;
  double t[MOST_ZEROS], angle[MOST_ZEROS];
} zeros;

/* The line of best fit through the numbers of the zeros over time, with the frequency for the phase known from the last
   fit. */
static double fit(const zeros *z, double frequency) {
  const double n = z->count;
  double times = 0, numbers = 0, products = 0, squares = 0;
  for (int i = 0; i < z->count; i++) {
    const double t = z->t[i] - z->angle[i] / frequency;
    times += t, numbers += i, products += t * i, squares += t * t;
  }
  return pi * (n * products - times * numbers) / (n * squares - times * times);
}

/* The weight of a node by (C6) or (C7), in the norm of which the modes of the discrete rod are orthogonal. */
static double weight(int order, int node, int count) {
  static const double fourth[] = {17. / 48, 59. / 48, 43. / 48, 49. / 48};
  const int near = node < count - 1 - node ? node : count - 1 - node;
  if (order == 4)
    return near < 4 ? fourth[near] : 1;
  return near == 0 ? 0.5 : 1;
}

/* How much of the first mode the twist is: other modes, which order 4 has a little of, hardly count. */
static double first_mode(wy_case *c) {
  const wy_points curvature = wy_sim_view(c->sim, 0)->curvature;
  double sum = 0;
  for (int i = 0; i < curvature.count; i++)
    sum += weight(c->solver.conserving.order, i, curvature.count) * curvature.values[3 * i + 2] *
           cos(0.5 * pi * curvature.s[i]);
  return sum;
}

static wy_status listen(const wy_fkw_method *method, tone *out, wy_message *message) {
  const int steps = (int)lround(end_of_run / method->step);
  zeros found = {0};
  wy_case c = wy_scene_torsion(method->segments);
  wy_fkw_solve(&c, method);
  *out = (tone){.frequency = exact()};
  wy_status status = wy_case_create(&c, message);
  const double energy = status == WY_OK ? wy_sim_energy(c.sim, 0).total : 0;
  const double most = status == WY_OK ? first_mode(&c) : 0;
  double before = most;
  for (int i = 1; i <= steps && status == WY_OK; i++) {
    status = wy_sim_step(c.sim, message);
    if (status != WY_OK)
      break;
    const double twist = first_mode(&c);
    out->energy = fmax(out->energy, fabs(wy_sim_energy(c.sim, 0).total / energy - 1));
    if (before * twist <= 0 && found.count < MOST_ZEROS) {
      found.t[found.count] = wy_sim_time(c.sim);
      found.angle[found.count++] = asin(fmin(1, fabs(twist / most)));
    }
    before = twist;
  }
  if (status == WY_OK) {
    for (int i = 0; i < 8; i++)
      out->frequency = fit(&found, out->frequency);
    out->norm = wy_sim_statistics(c.sim, 0).quaternion_drift;
  }
  wy_case_destroy(&c);
  return status;
}

static wy_status published(wy_findings *findings, wy_chart *frequency, wy_chart *error, wy_message *message) {
  static const int cells[] = {5, 10, 20, 25, 40, 50, 100};
  const int ours = wy_chart_curve(frequency, "ours"), form = wy_chart_curve(frequency, "closed form"),
            limit = wy_chart_curve(frequency, "exact"), wrong = wy_chart_curve(error, "order 2 with midpoint");
  double energy = 0, norm = 0;
  wy_chart_dash(frequency, form);
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    const int n = cells[i];
    const wy_fkw_method method = wy_fkw_published(n);
    tone heard;
    char what[96];
    wy_status status = listen(&method, &heard, message);
    if (status != WY_OK)
      return status;
    energy = fmax(energy, heard.energy), norm = fmax(norm, heard.norm);
    snprintf(what, sizeof what, "5.1 torsion: frequency, N = %d", n);
    wy_findings_add(findings, what, closed_form(n), heard.frequency, 1e-8, "",
                    "closed form of the discrete equations; order 2, midpoint rule, dt = h");
    if (n == 100) {
      wy_findings_add(findings, "5.1 frequency, N = 100, against that of the rod", 0.9069, heard.frequency, 5e-5, "",
                      "published: pi / sqrt(12) = 0.9069; printed digits");
      wy_findings_where(findings, "Example 5.1, text");
    }
    if (n == 25) {
      const double off = heard.frequency / exact() - 1;
      wy_findings_add(findings, "5.1 relative error of the frequency, N = 25", -7.67e-4, off, 5e-7, "",
                      "closed form of the discrete equations, three digits");
      wy_findings_bound(findings, "5.1 size of the relative error of the frequency, N = 25", 1e-3, fabs(off), "",
                        "published: of the order 1e-3");
      wy_findings_where(findings, "Example 5.1, text; Figure 2");
    }
    wy_chart_point(frequency, ours, n, heard.frequency);
    wy_chart_point(frequency, form, n, closed_form(n));
    wy_chart_point(frequency, limit, n, exact());
    wy_chart_point(error, wrong, n, fabs(heard.frequency / exact() - 1));
  }
  wy_findings_state(findings, "5.1 energy, largest relative change", energy, energy < 1e-12, "",
                    "all N, t <= 60; published: strictly conserved; limit 1e-12");
  wy_findings_where(findings, "section 5, text");
  wy_findings_state(findings, "5.1 length of quaternions, largest change", norm, norm < 1e-12, "",
                    "all N, t <= 60; published: orthonormality is conserved; limit 1e-12");
  wy_findings_where(findings, "section 5, text");
  return WY_OK;
}

/* The errors of an independent program with the same operator. */
static wy_status fourth_order(wy_findings *findings, wy_chart *error, wy_message *message) {
  static const int cells[] = {10, 20, 25, 40, 50};
  static const double expected[] = {-2.7226e-5, -1.5015e-6, -6.202e-7, -8.692e-8, -3.502e-8};
  const int curve = wy_chart_curve(error, "order 4 with Gauss 4");
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    const wy_fkw_method method = wy_fkw_fourth(cells[i], 1.0 / cells[i]);
    tone heard;
    char what[96];
    wy_status status = listen(&method, &heard, message);
    if (status != WY_OK)
      return status;
    const double wrong = heard.frequency / exact() - 1;
    snprintf(what, sizeof what, "5.1 relative error, order 4 and Gauss 4, N = %d", cells[i]);
    wy_findings_add(findings, what, expected[i], wrong, 5e-3 * fabs(expected[i]), "",
                    "independent program; tolerance 0.5 %");
    wy_chart_point(error, curve, cells[i], fabs(wrong));
  }
  return WY_OK;
}

wy_status wy_fkw_torsion(wy_findings *findings, wy_message *message) {
  wy_chart *frequency =
      wy_chart_new(findings, "fkw-2-frequency", "Figure 2: frequency of torsion over N", "N", "frequency",
                   "Published: frequencies that approach the analytical one from below, without numbers. Look for: "
                   "ours on the closed form of the discrete equations, 1e-3 below the exact line at N = 25.");
  wy_chart *error = wy_chart_new(findings, "fkw-2-error", "Relative error of the frequency", "N", "error",
                                 "Not in the paper. Look for: order 2 for the published method; order 4 in space and "
                                 "time is four digits better at N = 50.");
  if (frequency)
    frequency->marks = true;
  if (error)
    error->marks = error->log_x = error->log_y = true, error->guide[0].slope = -2, error->guide[1].slope = -4,
    error->guide[1].curve = 1;
  wy_status status = published(findings, frequency, error, message);
  return status == WY_OK ? fourth_order(findings, error, message) : status;
}
