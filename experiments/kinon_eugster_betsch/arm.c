/* SPDX-License-Identifier: MIT */
/* Section 6.4: a soft arm with three pneumatic chambers whose tip draws a circle and a heart; and a tendon in its
   place. */
#include <math.h>

#include "experiments/kinon_eugster_betsch/common.h"

static const double pi = 3.14159265358979323846, end_of_run = 4, step_size = 0.05;

static wy_status move(wy_manoeuvre which, int elements, double step, double end, wy_keb_history *history,
                      wy_message *message) {
  const wy_keb_method method = {elements, 2, step, WY_CORRECTED_MOMENT, 0};
  wy_case c = wy_scene_arm(elements, which);
  *history = (wy_keb_history){0};
  wy_status status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_keb_run(&c, step, end, history, message);
  wy_case_destroy(&c);
  return status;
}

static const wy_keb_state *at_time(const wy_keb_history *h, double t) {
  const int last = h->count - 1;
  return &h->state[lround(last * t / h->state[last].t)];
}

/* ---- figure 15: signals and tip ---- */

static double signal_at(const wy_case *c, int chamber, double t) {
  double jet[3];
  const wy_signal *force = &c->actuator[chamber].force;
  force->evaluate(force->context, WY_TIME, 0, t, jet);
  return jet[0];
}

static void draw_signals(wy_findings *findings, wy_manoeuvre which, const char *name, const char *title) {
  static const char *const chambers[] = {"chamber 1", "chamber 2", "chamber 3"};
  wy_case c = wy_scene_arm(10, which);
  wy_chart *chart = wy_chart_new(
      findings, name, title, "t", "pressure times area",
      which == WY_ARM_CIRCLE
          ? "Published: the same three curves. Look for: up to -50 N, one after the other around the arm."
          : "Not in the paper as a picture: the forces of (81). Look for: kinks where the heart has its corners.");
  for (int k = 0; k < WY_CASE_ACTUATORS; k++)
    wy_chart_curve(chart, chambers[k]);
  for (int i = 0; i <= 400; i++)
    for (int k = 0; k < WY_CASE_ACTUATORS && c.actuators == WY_CASE_ACTUATORS; k++)
      wy_chart_point(chart, k, 0.01 * i, signal_at(&c, k, 0.01 * i));
  wy_case_destroy(&c);
}

/* (80): amplitude over its maximum, phase in turns. */
static void draw_phase(wy_findings *findings) {
  wy_chart *chart =
      wy_chart_new(findings, "keb-15-phase", "Figure 15: amplitude and phase angle of the circle", "t", "share",
                   "Published: amplitude and phase angle (80). Look for: half a second to bend, three to go round, "
                   "half a second back.");
  wy_chart_curve(chart, "amplitude");
  wy_chart_curve(chart, "phase");
  for (int i = 0; i <= 400; i++) {
    const double t = 0.01 * i;
    wy_chart_point(chart, 0, t,
                   t <= 0.5   ? 0.5 * (1 - cos(2 * pi * t))
                   : t <= 3.5 ? 1
                              : 0.5 * (1 + cos(2 * pi * (t - 3.5))));
    wy_chart_point(chart, 1, t, t <= 0.5 ? 0 : t <= 3.5 ? 0.5 * (1 - cos(pi * (t - 0.5) / 3)) : 1);
  }
}

static void draw_tip(wy_findings *findings, const wy_keb_history *h, const wy_keb_history *fine) {
  static const char *const names[] = {"1", "2", "3", "1 fine", "2 fine", "3 fine"};
  wy_chart *chart = wy_chart_new(findings, "keb-15-tip",
                                 "Figure 15: tip of the arm, circle; fine: 20 elements, h = 1/320", "t", "position",
                                 "Published: the same. Look for: a height (3) that is nearly constant from t = 0.5 to "
                                 "3.5. The fine solution shows the vibrations that steps of 0.05 leave out.");
  for (int k = 0; k < 6; k++) {
    wy_chart_curve(chart, names[k]);
    if (k >= 3)
      wy_chart_dash(chart, k);
  }
  for (int i = 0; i < h->count; i++)
    for (int k = 0; k < 3; k++) {
      wy_chart_point(chart, k, h->state[i].t, h->state[i].end[k]);
      wy_chart_point(chart, 3 + k, h->state[i].t, at_time(fine, h->state[i].t)->end[k]);
    }
}

/* ---- figure 16: paths ---- */

static void draw_path(wy_chart *chart, const wy_keb_history *h, const char *name, double from, double to) {
  const int curve = wy_chart_curve(chart, name), every = 1 + h->count / WY_MAX_POINTS;
  for (int i = 0; i < h->count; i += every)
    if (h->state[i].t > from - 1e-9 && h->state[i].t < to + 1e-9)
      wy_chart_point(chart, curve, h->state[i].end[0], h->state[i].end[1]);
}

static wy_status snapshots(wy_findings *findings, wy_message *message) {
  enum { SHAPES = 13 };
  const wy_keb_method method = {10, 2, step_size, WY_CORRECTED_MOMENT, 0};
  wy_chart *chart = wy_chart_new(
      findings, "keb-16-snapshots", "Figure 16: the arm at t = 0.5, 0.75, ..., 3.5, circle", "horizontal", "vertical",
      "Published: the circular phase from the same point of view, t = 0.5 to 3.5. Look for: a cone of bent arms.");
  wy_case c = wy_scene_arm(method.elements, WY_ARM_CIRCLE);
  wy_status status = wy_keb_create(&c, &method, message);
  if (chart)
    chart->equal = chart->ramp = true;
  for (int i = 0; i < SHAPES && status == WY_OK; i++) {
    char name[16];
    status = wy_sim_advance(c.sim, 0.5 + 0.25 * i, message);
    snprintf(name, sizeof name, "t = %.2f", 0.5 + 0.25 * i);
    if (status == WY_OK)
      wy_keb_draw_line(&c, chart, wy_chart_curve(chart, name));
  }
  wy_case_destroy(&c);
  return status;
}

/* ---- numbers ---- */

static void compare_tip(wy_findings *findings, const char *what, const wy_keb_history *h, double t,
                        const double want[3]) {
  wy_findings_add(findings, what, 0, wy_distance(at_time(h, t)->end, want), 1e-8, "m",
                  "distance from the specified position; r_k = 6.5e-3 (6.5e-2 is a misprint), E = 6e5, G = 2e5");
}

/* "The tip position moves approximately on a constant height", and on a circle: how far the largest of both differs
   from the least while the chambers' pressures go round. */
static void compare_circle(wy_findings *findings, const wy_keb_history *circle) {
  double low = INFINITY, high = 0, near = INFINITY, far = 0;
  for (int i = 0; i < circle->count; i++) {
    const wy_keb_state *s = &circle->state[i];
    if (s->t < 0.5 - 1e-9 || s->t > 3.5 + 1e-9)
      continue;
    const double radius = hypot(s->end[0], s->end[1]);
    low = fmin(low, s->end[2]), high = fmax(high, s->end[2]);
    near = fmin(near, radius), far = fmax(far, radius);
  }
  wy_findings_state(findings, "6.4 circle: change of height / length", (high - low) / 0.1755,
                    (high - low) < 0.1 * 0.1755, "", "0.5 <= t <= 3.5; published: approximately constant; limit 0.1");
  wy_findings_where(findings, "section 6.4, text; Figure 16");
  wy_findings_state(findings, "6.4 circle: change of radius / length", (far - near) / 0.1755,
                    (far - near) < 0.1 * 0.1755, "", "0.5 <= t <= 3.5; published: a circular path; limit 0.1");
  wy_findings_where(findings, "Figure 16");
}

static void compare_runs(wy_findings *findings, const wy_keb_history *circle, const wy_keb_history *heart) {
  static const double c1[3] = {-0.143332483, 0, 0.107343983}, c2[3] = {0.140372901, -0.006751389, 0.112437499};
  static const double h1[3] = {-0.0783701003, -0.0795797326, 0.1463339052},
                      h2[3] = {0.0002090990, 0.1424923014, 0.1085602330};
  const double balance = fmax(wy_keb_largest_violation(circle), wy_keb_largest_violation(heart));
  compare_tip(findings, "6.4 soft arm, circle: tip at t = 0.5", circle, 0.5, c1);
  compare_tip(findings, "6.4 soft arm, circle: tip at t = 2", circle, 2, c2);
  compare_tip(findings, "6.4 soft arm, heart: tip at t = 1", heart, 1, h1);
  compare_tip(findings, "6.4 soft arm, heart: tip at t = 2", heart, 2, h2);
  wy_findings_state(findings, "6.4 energy balance, largest violation of a step", balance, balance < 1e-13, "J",
                    "circle and heart, work of the chambers; limit 1e-13");
  wy_findings_state(findings, "6.4 tangents of a step, most, circle", (double)wy_keb_most_tangents(circle),
                    wy_keb_most_tangents(circle) <= 8, "", "h = 0.05; limit 8");
  wy_findings_state(findings, "6.4 tangents of a step, most, heart", (double)wy_keb_most_tangents(heart),
                    wy_keb_most_tangents(heart) <= 9, "", "h = 0.05; limit 9");
}

/* The converged motion, and the order of the way there. */
static wy_status converged(wy_findings *findings, wy_keb_history *fine, wy_message *message) {
  double end[3][3];
  for (int i = 0; i < 3; i++) {
    wy_keb_history h;
    wy_status status = move(WY_ARM_CIRCLE, 10, 1. / (5120 << i), 0.5, &h, message);
    for (int k = 0; k < 3 && status == WY_OK; k++)
      end[i][k] = h.state[h.count - 1].end[k];
    wy_keb_free(&h);
    if (status != WY_OK)
      return status;
  }
  wy_findings_add(
      findings, "6.4 order in time, tip at t = 0.5", 2,
      wy_order(wy_distance(end[0], end[1]), wy_distance(end[1], end[2])), 0.15, "",
      "steps 1/5120, 1/10240, 1/20480: the load shakes the arm, at 34 Hz lengthwise and at 290 Hz in shear");
  return move(WY_ARM_CIRCLE, 20, 0.003125, end_of_run, fine, message);
}

/* By how much the arm bends in equilibrium: the chambers' moment is 3/4 f times their distance. Table 4 has ten times
   the distance, more than four times the radius of the arm. */
static void compare_distance(wy_findings *findings, const wy_case *c) {
  const double distance = hypot(c->actuator[0].offset[0].value, c->actuator[0].offset[1].value);
  const double angle = 0.75 * 50 * distance * c->rod.length / wy_model_section(c->model, 0, 0).stiffness[3];
  wy_findings_add(findings, "6.4 bending angle with r_k = 6.5e-3", 1.793, angle, 5e-4, "rad", "specified digits");
  wy_findings_add(findings, "6.4 bending angle with r_k = 6.5e-2, as printed", 17.9, 10 * angle, 0.05, "rad",
                  "2.85 turns: a misprint, the radius of the arm is 0.015");
}

/* Equilibria of the same arm: halfway round the circle, and with a tendon instead of chambers. */
static wy_status equilibria(wy_findings *findings, wy_message *message) {
  const wy_keb_method method = {10, 2, 0, WY_CORRECTED_MOMENT, 0};
  double tip[4];
  wy_case c = wy_scene_arm(method.elements, WY_ARM_CIRCLE);
  wy_status status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 2, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_POSITION, 0, c.rod.length, tip, message);
  if (status == WY_OK)
    compare_distance(findings, &c);
  wy_case_destroy(&c);
  if (status != WY_OK)
    return status;
  wy_findings_add(findings, "6.4 radius of the circle in equilibrium", 0.1406, hypot(tip[0], tip[1]), 5e-5, "m",
                  "phase pi: the tip is on the side opposite to it; specified digits");
  wy_findings_add(findings, "6.4 height of the circle in equilibrium", 0.1123, tip[2], 5e-5, "m", "specified digits");
  c = wy_scene_arm(method.elements, WY_ARM_AT_REST);
  c.actuators = 1;
  c.actuator[0] = wy_default_actuator_def();
  c.actuator[0].kind = WY_TENDON;
  c.actuator[0].offset[0] = wy_constant(0.01);
  c.actuator[0].force = wy_constant(10);
  status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 0, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_POSITION, 0, c.rod.length, tip, message);
  wy_case_destroy(&c);
  if (status != WY_OK)
    return status;
  const double want[3] = {0.06023936, 0, 0.15631857};
  wy_findings_add(findings, "6.4 tendon at (0.01, 0), 10 N: tip", 0, wy_distance(tip, want), 1e-6, "m",
                  "distance from the closed form (0.06023936, 0, 0.15631857)");
  return WY_OK;
}

wy_status wy_keb_arm(wy_findings *findings, wy_message *message) {
  wy_keb_history circle = {0}, heart = {0}, fine = {0};
  wy_status status = move(WY_ARM_CIRCLE, 10, step_size, end_of_run, &circle, message);
  if (status == WY_OK)
    status = move(WY_ARM_HEART, 10, step_size, end_of_run, &heart, message);
  if (status == WY_OK) {
    compare_runs(findings, &circle, &heart);
    compare_circle(findings, &circle);
    status = converged(findings, &fine, message);
  }
  if (status == WY_OK) {
    draw_phase(findings);
    draw_signals(findings, WY_ARM_CIRCLE, "keb-15-signals", "Figure 15: pneumatic forces, circle");
    draw_signals(findings, WY_ARM_HEART, "keb-16-signals", "Pneumatic forces, heart (81)");
    draw_tip(findings, &circle, &fine);
    status = snapshots(findings, message);
  }
  if (status == WY_OK) {
    wy_chart *chart = wy_chart_new(findings, "keb-16-paths", "Figure 16: way of the tip, seen from above", "x", "y",
                                   "Published: the tip goes round an approximate circle, and round a heart. Look for: "
                                   "both shapes. The converged path shows how far that circle is from the exact one.");
    if (chart)
      chart->equal = true;
    draw_path(chart, &circle, "circle", 0.5, 3.5);
    draw_path(chart, &heart, "heart", 0, end_of_run);
    draw_path(chart, &fine, "circle converged", 0.5, 3.5);
    status = equilibria(findings, message);
  }
  wy_keb_free(&circle);
  wy_keb_free(&heart);
  wy_keb_free(&fine);
  return status;
}
