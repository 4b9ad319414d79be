/* SPDX-License-Identifier: MIT */
/* Test 1 of the paper, against ABAQUS there and against independent programs here: the undamped rubber pendulum
   (Figures 3 and 4). */
#include <math.h>
#include <string.h>

#include "experiments/lang_linn_arnold/common.h"
#include "withy/sundials.h"

/* As published: undamped, DOPRI5 with 1e-8, projection; sin(phi/4) curvature, as in the reference. */
static wy_case undamped(wy_segment_inertia inertia) {
  wy_case c = wy_scene_undamped(WY_SWING_SEGMENTS);
  c.solver.more = wy_sundials();
  c.solver.integrator = "dopri5";
  c.solver.relative_tolerance = c.solver.absolute_tolerance = 1e-8;
  c.solver.staggered.coordinates = WY_ABSOLUTE;
  c.solver.staggered.segment_inertia = inertia;
  return c;
}

enum { X2, X3, D1, M2, F1, F3, FOLLOWED };

static const char *const followed[FOLLOWED] = {"x2 of the tip",    "x3 of the tip",    "e3 of d1 at the tip",
                                               "M2 in the middle", "F1 in the middle", "F3 in the middle"};

/* A hundred tolerances for places and directors. A director that is off by so much shears the rod: with G A = 131 N a
   force of 1.3e-4 N. The others vary slowly. */
static const double limits[FOLLOWED] = {1e-6, 1e-6, 1e-6, 1e-6, 1.3e-4, 1.3e-4};
static const char *const units[FOLLOWED] = {"m", "m", "", "Nm", "N", "N"};

/* The tip, d1 of the last segment, the moment of the middle vertex and the forces of the segment before it. */
static wy_status look(wy_case *c, double value[FOLLOWED], wy_message *message) {
  const double half = 0.5 / WY_SWING_SEGMENTS;
  double x[4], d1[4], moment[4], force[4];
  wy_status status = wy_sim_probe(c->sim, WY_POSITION, 0, 1, x, message);
  if (status == WY_OK)
    status = wy_sim_probe(c->sim, WY_DIRECTOR1, 0, 1 - half, d1, message);
  if (status == WY_OK)
    status = wy_sim_probe(c->sim, WY_MOMENT, 0, 0.5, moment, message);
  if (status == WY_OK)
    status = wy_sim_probe(c->sim, WY_FORCE, 0, 0.5 - half, force, message);
  if (status == WY_OK) {
    const double now[FOLLOWED] = {x[1], x[2], d1[2], moment[1], force[0], force[2]};
    for (int i = 0; i < FOLLOWED; i++)
      value[i] = now[i];
  }
  return status;
}

/* Rows t = 1, 2, 2.7 of tests/data/rubber_undamped_N10_sin4_disc.csv: solutions of independent programs on the same
   equations, which differ from each other by less than 3e-12 in positions and 2e-10 in forces (its last columns). Later
   the motion amplifies round-off. */
static const struct {
  double t, value[FOLLOWED];
} certified[] = {
    {1, {-0.933100125882, -0.134979592086, -0.746857118232, 0.00146161950791, -0.0185140357019, -0.202123505437}},
    {2, {0.772440300848, -0.354009721043, 0.0446464116791, 0.00166977762762, 0.000877732448182, 1.05818679464}},
    {2.7, {-0.937825081938, -0.153151009403, -0.939405147878, -0.00571175574852, 0.0162353892567, 0.996261398954}},
};

/* The largest shear strain, and how far directors d2 are from e1. */
static void watch_sections(const wy_case *c, double *shear, double *aside) {
  const wy_view *view = wy_sim_view(c->sim, 0);
  for (int i = 0; i < view->strain.count; i++)
    *shear = fmax(*shear, hypot(view->strain.values[3 * i], view->strain.values[3 * i + 1]));
  for (int i = 0; i < view->frame.count; i++) {
    const double *p = view->frame.values + 4 * (size_t)i;
    *aside =
        fmax(*aside, hypot(2 * (p[2] * p[3] + p[0] * p[1]), p[0] * p[0] - p[1] * p[1] + p[2] * p[2] - p[3] * p[3]));
  }
}

/* Figure 4 until t = 2.7, and Figure 3: shapes every tenth of a second of the first one and a half. */
static wy_status follow(wy_findings *findings, wy_message *message) {
  enum { ROWS = sizeof certified / sizeof *certified, POINTS = 271 };
  wy_chart *shapes =
      wy_chart_new(findings, "lla-test-1-shapes", "Figure 3: Test 1, t = 0 to 1.5", "x2", "x3",
                   "Published: snapshots of the centreline with its directors. Look for: the rod unrolls "
                   "from the horizontal while it swings, and its free end whips around.");
  if (shapes)
    shapes->equal = shapes->ramp = true;
  wy_chart *places =
      wy_chart_new(findings, "lla-test-1-tip", "Figure 4: Test 1, the tip", "t", "x2 and x3 in m; d1",
                   "Published: the same curves beside those of ABAQUS (B31 beams), without numbers. They end "
                   "at t = 2.7 here: later the undamped motion amplifies round-off.");
  wy_chart *loads = wy_chart_new(
      findings, "lla-test-1-loads", "Figure 4: Test 1, forces and moment", "t", "F1 and F3 in N; M2 in 1e-2 Nm",
      "Published: the same beside ABAQUS. Look for: forces and moments as smooth as the places, "
      "with peaks when the free end whips.");
  int curve[FOLLOWED];
  for (int i = 0; i < FOLLOWED; i++)
    curve[i] = wy_chart_curve(i < M2 ? places : loads, followed[i]);
  double worst[FOLLOWED] = {0}, shear = 0, aside = 0;
  wy_case c = undamped(WY_DISC);
  wy_status status = wy_case_create(&c, message);
  for (int k = 0, row = 0; k < POINTS && status == WY_OK; k++) {
    double t = 0.01 * k, value[FOLLOWED];
    status = wy_sim_sample(c.sim, t, message);
    if (status == WY_OK)
      status = look(&c, value, message);
    if (status != WY_OK)
      break;
    watch_sections(&c, &shear, &aside);
    for (int i = 0; i < FOLLOWED; i++)
      wy_chart_point(i < M2 ? places : loads, curve[i], t, i == M2 ? 100 * value[i] : value[i]);
    if (k % 10 == 0 && k <= 150) {
      char name[32];
      snprintf(name, sizeof name, "t = %g", t);
      wy_case_draw(&c, shapes, wy_chart_curve(shapes, name), 1, 2);
    }
    if (row < ROWS && fabs(t - certified[row].t) < 1e-9) {
      for (int i = 0; i < FOLLOWED; i++)
        worst[i] = fmax(worst[i], fabs(value[i] - certified[row].value[i]));
      row++;
    }
  }
  wy_case_destroy(&c);
  for (int i = 0; i < FOLLOWED && status == WY_OK; i++) {
    char what[96], note[128];
    snprintf(what, sizeof what, "Test 1, %s: error at t = 1, 2, 2.7", followed[i]);
    snprintf(note, sizeof note, "against independent programs, DOPRI5 with 1e-8; limit %.1e", limits[i]);
    wy_findings_state(findings, what, worst[i], worst[i] < limits[i], units[i], note);
  }
  if (status != WY_OK)
    return status;
  wy_findings_state(findings, "Test 1: largest shear strain", shear, shear < 1e-2, "",
                    "published: directors d1 almost perpendicular to the tangents; t <= 2.7; limit 0.01");
  wy_findings_where(findings, "Figure 3, caption");
  wy_findings_state(findings, "Test 1: largest distance of a director d2 from the axis e1", aside, aside < 1e-9, "",
                    "published: d2 = e1 at all times; t <= 2.7; limit 1e-9");
  wy_findings_where(findings, "Figure 3, caption");
  return WY_OK;
}

/* "DOPRI5 needed amounts of time steps and right-hand side function calls that are similar to ones presented in Table
   2": 60729 there. */
static wy_status count_steps(wy_findings *findings, wy_message *message) {
  for (int inertia = WY_CYLINDER; inertia >= WY_DISC; inertia--) {
    wy_case c = undamped((wy_segment_inertia)inertia);
    bool disc = inertia == WY_DISC;
    wy_swing swing;
    wy_status status = wy_swing_run(c, disc ? 1 : 10, &swing, message);
    if (status != WY_OK)
      return status;
    double steps = (double)(swing.statistics.steps + swing.statistics.rejected);
    if (disc) {
      wy_findings_add(findings, "Test 1, steps of DOPRI5 for one second, discs", NAN, steps, 0, "",
                      "not similar to Table 2: the inertia was that of cylinders");
      continue;
    }
    wy_findings_add(findings, "Test 1, steps of DOPRI5, cylinders", 60729, steps, 0.2 * 60729, "",
                    "published: similar to Table 2; tolerance 20 %");
    wy_findings_where(findings, "section 4, Test 1");
  }
  return WY_OK;
}

/* "In the undamped case, DOPRI5 is more efficient than the implicit methods we have tested." */
static wy_status compare_methods(wy_findings *findings, wy_message *message) {
  double explicit_time = NAN;
  for (int m = WY_SWING_METHODS - 1; m >= 0; m--) {
    const wy_swing_method *method = &wy_swing_methods[m];
    bool compared = strcmp(method->name, "dopri5") == 0;
    wy_case c = undamped(WY_CYLINDER);
    if (!method->published || method->likes || !wy_swing_choose(&c, method, 1e-8, message))
      continue;
    wy_swing swing;
    wy_status status = wy_swing_run(c, 2.7, &swing, message);
    if (status != WY_OK)
      return status;
    if (compared) {
      explicit_time = swing.time;
      continue;
    }
    char what[96];
    snprintf(what, sizeof what, "Test 1, time of %s / time of DOPRI5", method->title);
    wy_findings_state(findings, what, swing.time / explicit_time, swing.time > explicit_time, "",
                      "TOL = 1e-8, t <= 2.7; published: DOPRI5 is more efficient than the implicit methods; above 1");
    wy_findings_where(findings, "section 4, Test 1");
  }
  return WY_OK;
}

wy_status wy_lla_test_1(wy_findings *findings, wy_message *message) {
  wy_status (*const steps[])(wy_findings *, wy_message *) = {follow, count_steps, compare_methods};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof steps / sizeof *steps && status == WY_OK; i++)
    status = steps[i](findings, message);
  return status;
}
