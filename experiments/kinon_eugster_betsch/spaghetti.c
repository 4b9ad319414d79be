/* SPDX-License-Identifier: MIT */
/* Section 6.1, the flying spaghetti: a free rod, set in motion by a force and a moment at its end, then left alone. */
#include <math.h>

#include "experiments/kinon_eugster_betsch/common.h"

static const double end_of_load = 5, end_of_run = 15;

/* (74). */
static double load_at(double t) {
  return t <= 2.5 ? 80 * t : t <= 5 ? 400 - 80 * t : 0;
}

static wy_status fly(const wy_keb_method *method, double end, wy_keb_history *history, wy_message *message) {
  wy_case c = wy_scene_spaghetti(method->elements);
  *history = (wy_keb_history){0};
  wy_status status = wy_keb_create(&c, method, message);
  if (status == WY_OK)
    status = wy_keb_run(&c, method->step, end, history, message);
  wy_case_destroy(&c);
  return status;
}

/* ---- invariants ---- */

/* (75): the x component of the centre of mass. */
static double exact_centre(double t) {
  return t <= 2.5 ? 3 + 2. / 15 * t * t * t : t <= 5 ? 43. / 6 - 5 * t + 2 * t * t - 2. / 15 * t * t * t : 5 * t - 9.5;
}

/* Largest component of what step i changes the angular momentum by, without the moment of the load in its middle:
   (115) of the paper. */
static double angular_violation(const wy_keb_history *h, int i) {
  const wy_keb_state *a = &h->state[i - 1], *b = &h->state[i];
  const double step = b->t - a->t, f = load_at(0.5 * (a->t + b->t)), force = f / 10;
  const double moment[3] = {0, f + 0.5 * (a->end[2] + b->end[2]) * force,
                            f / 2 - 0.5 * (a->end[1] + b->end[1]) * force};
  double largest = 0;
  for (int k = 0; k < 3; k++)
    largest = fmax(largest, fabs(b->momentum.angular[k] - a->momentum.angular[k] - step * moment[k]));
  return largest;
}

/* What is off in a run, largest over its steps. */
typedef struct defects {
  double plateau, momentum, angular_step, angular_x, centre_loaded, centre_free;
} defects;

static defects find_defects(const wy_keb_history *h) {
  defects d = {0};
  const double plateau = h->state[h->count - 1].energy.total;
  for (int i = 1; i < h->count; i++) {
    const wy_keb_state *s = &h->state[i];
    d.angular_step = fmax(d.angular_step, angular_violation(h, i));
    double centre = fabs(s->momentum.centre_of_mass[0] - exact_centre(s->t));
    if (s->t < end_of_load - 1e-9) {
      d.centre_loaded = fmax(d.centre_loaded, centre);
      continue;
    }
    d.centre_free = fmax(d.centre_free, centre);
    d.plateau = fmax(d.plateau, fabs(s->energy.total - plateau));
    d.angular_x = fmax(d.angular_x, fabs(s->momentum.angular[0]));
    for (int k = 0; k < 3; k++)
      d.momentum = fmax(d.momentum, fabs(s->momentum.linear[k] - (k == 0 ? 50 : 0)));
  }
  return d;
}

static void compare_invariants(wy_findings *findings, const wy_keb_history *printed, const wy_keb_history *corrected) {
  const defects p = find_defects(printed), c = find_defects(corrected);
  const wy_keb_state *end = &printed->state[printed->count - 1];
  const double balance = fmax(wy_keb_largest_violation(printed), wy_keb_largest_violation(corrected));
  wy_findings_add(findings, "6.1 spaghetti: energy for t >= 5, moment as printed", 1143.52701532, end->energy.total,
                  1e-8, "", "10 elements, order 2, h = 0.1; specified digits");
  wy_findings_add(findings, "6.1 start of the rod at t = 15: x", 65.732976287996, end->start[0], 1e-6, "",
                  "independent program, same mesh and step");
  wy_findings_add(findings, "6.1 end of the rod at t = 15: z", 0.114468864284, end->end[2], 1e-6, "",
                  "independent program, same mesh and step");
  wy_findings_add(findings, "6.1 energy for t >= 5, moment corrected", 1160.701,
                  corrected->state[corrected->count - 1].energy.total, 5e-4, "", "specified digits");
  wy_findings_state(findings, "6.1 energy that changes in free flight", fmax(p.plateau, c.plateau),
                    fmax(p.plateau, c.plateau) < 1e-9, "", "both forms of the moment, 100 steps; limit 1e-9");
  wy_findings_where(findings, "section 6.1, text; Figure 5");
  wy_findings_state(findings, "6.1 energy balance, largest violation of a step", balance, balance < 1e-11, "",
                    "both forms; published: machine precision; limit 1e-11");
  wy_findings_where(findings, "section 6.1, text; Figure 5");
  wy_findings_add(findings, "6.1 momentum for t >= 5: distance from (50, 0, 0)", 0, fmax(p.momentum, c.momentum), 1e-11,
                  "", "published: exact within machine precision");
  wy_findings_where(findings, "section 6.1, text; Figure 6");
  wy_findings_add(findings, "6.1 centre of mass: largest deviation, t < 5", 0.01 / 6, c.centre_loaded, 1e-12, "",
                  "h^2/6, because the force is piecewise linear; published: slight deviations");
  wy_findings_add(findings, "6.1 centre of mass: largest deviation, t >= 5", 0, fmax(p.centre_free, c.centre_free),
                  2e-12, "", "published: range of computer precision; 150 sums, the rod is at 66");
  wy_findings_where(findings, "section 6.1, text; Figure 7");
  wy_findings_add(findings, "6.1 angular momentum about x, t >= 5, printed", 0.10766120454, p.angular_x, 1e-8, "",
                  "must be 0: no moment acts about x. (115) is not exact with an end moment, see (X21)");
  wy_findings_add(findings, "6.1 angular momentum about x, t >= 5, corrected", 0, c.angular_x, 1e-10, "",
                  "with the factor (X22)");
  wy_findings_add(findings, "6.1 (115) violated in a step, printed", 0.194, p.angular_step, 5e-4, "",
                  "specified digits");
  wy_findings_state(findings, "6.1 (115) violated in a step, corrected", c.angular_step, c.angular_step < 1e-11, "",
                    "limit 1e-11");
  wy_findings_state(findings, "6.1 tangents of a step, most", (double)wy_keb_most_tangents(printed),
                    wy_keb_most_tangents(printed) <= 5, "", "as printed, h = 0.1; limit 5");
}

/* ---- figures 4 to 7 ---- */

static wy_status snapshots(wy_findings *findings, wy_message *message) {
  const wy_keb_method method = {10, 2, 0.1, WY_CORRECTED_MOMENT, 0};
  wy_chart *chart =
      wy_chart_new(findings, "keb-04-snapshots", "Figure 4: snapshots at t = 0, 1, ..., 15", "horizontal", "vertical",
                   "Published: the kayak-rowing motion from the same point of view (azimuth 55, elevation 15 degrees). "
                   "Look for: the rod flies to one side while it turns and bends; no numbers are printed.");
  wy_case c = wy_scene_spaghetti(method.elements);
  wy_status status = wy_keb_create(&c, &method, message);
  if (chart)
    chart->equal = chart->ramp = true;
  for (int t = 0; t <= 15 && status == WY_OK; t++) {
    char name[16];
    if (t > 0)
      status = wy_sim_advance(c.sim, t, message);
    snprintf(name, sizeof name, "t = %d", t);
    if (status == WY_OK)
      wy_keb_draw_line(&c, chart, wy_chart_curve(chart, name));
  }
  wy_case_destroy(&c);
  return status;
}

static void draw_energy(wy_findings *findings, const wy_keb_history *printed, const wy_keb_history *corrected,
                        double limit) {
  wy_chart *total = wy_chart_new(
      findings, "keb-05-energy", "Figure 5: total energy", "t", "energy",
      "Published: energy that rises during the load and is constant from t = 5 on. Look for: the same. The end moment "
      "as printed leaves 1.5 % of the energy out; the corrected one is near the limit of small steps.");
  wy_chart *work = wy_chart_new(findings, "keb-05-work", "Figure 5: work and change of energy in a step", "t", "energy",
                                "Published: both curves coincide. Look for: the dashed line on the other one.");
  wy_chart *off =
      wy_chart_new(findings, "keb-05-balance", "Figure 5: violation of the energy balance", "t", "energy",
                   "Published: at the level of machine precision. Look for: 1e-11 at most, where the energy is 1160.");
  const int curves[] = {wy_chart_curve(total, "moment as printed"), wy_chart_curve(total, "corrected"),
                        wy_chart_curve(total, "limit of small steps")};
  wy_chart_curve(work, "work");
  wy_chart_dash(work, wy_chart_curve(work, "change of energy"));
  wy_chart_curve(off, "as printed");
  wy_chart_curve(off, "corrected");
  for (int i = 0; i < printed->count; i++) {
    const wy_keb_state *p = &printed->state[i], *c = &corrected->state[i];
    wy_chart_point(total, curves[0], p->t, p->energy.total);
    wy_chart_point(total, curves[1], c->t, c->energy.total);
    if (p->t > end_of_load - 1e-9)
      wy_chart_point(total, curves[2], p->t, limit);
    if (i == 0)
      continue;
    wy_chart_point(work, 0, p->t, p->energy.work - printed->state[i - 1].energy.work);
    wy_chart_point(work, 1, p->t, p->energy.total - printed->state[i - 1].energy.total);
    wy_chart_point(off, 0, p->t, wy_keb_violation(printed, i));
    wy_chart_point(off, 1, c->t, wy_keb_violation(corrected, i));
  }
}

static void draw_momentum(wy_findings *findings, const wy_keb_history *printed, const wy_keb_history *corrected) {
  static const char *const axes[] = {"1", "2", "3"};
  wy_chart *linear = wy_chart_new(findings, "keb-06-momentum", "Figure 6: linear momentum", "t", "momentum",
                                  "Published: (50, 0, 0) from t = 5 on, exactly. Look for: the same plateau.");
  wy_chart *angular = wy_chart_new(
      findings, "keb-06-angular", "Figure 6: angular momentum, moment corrected", "t", "angular momentum",
      "Published: constant from t = 5 on. Look for: the same, and nothing about axis 1, about which no moment acts.");
  wy_chart *off = wy_chart_new(findings, "keb-06-violation", "Angular momentum: violation of (115) in a step", "t",
                               "angular momentum",
                               "Not in the paper: its own balance (115) of angular momentum. Look for: the moment as "
                               "printed off by 0.2 in the steps under load, the corrected one at round-off.");
  for (int k = 0; k < 3; k++) {
    wy_chart_curve(linear, axes[k]);
    wy_chart_curve(angular, axes[k]);
  }
  wy_chart_curve(off, "moment as printed");
  wy_chart_curve(off, "corrected");
  if (off)
    off->log_y = true;
  for (int i = 0; i < printed->count; i++) {
    const wy_keb_state *c = &corrected->state[i];
    for (int k = 0; k < 3; k++) {
      wy_chart_point(linear, k, c->t, c->momentum.linear[k]);
      wy_chart_point(angular, k, c->t, c->momentum.angular[k]);
    }
    if (i > 0) {
      wy_chart_point(off, 0, c->t, fmax(angular_violation(printed, i), 1e-16));
      wy_chart_point(off, 1, c->t, fmax(angular_violation(corrected, i), 1e-16));
    }
  }
}

static void draw_centre(wy_findings *findings, const wy_keb_history *h) {
  static const double rest[3] = {0, 0, 4};
  static const char *const axes[] = {"1", "2", "3"};
  wy_chart *path = wy_chart_new(
      findings, "keb-07-centre", "Figure 7: centre of mass, component 1", "t", "position",
      "Published: the analytical solution (75) and the numerical one on top of each other. Look for: the same.");
  wy_chart *off =
      wy_chart_new(findings, "keb-07-deviation", "Figure 7: deviation of the centre of mass", "t", "position",
                   "Published: slight deviations of component 1 under load, round-off afterwards. Look for: h^2/6 = "
                   "1.7e-3 under load, then zero.");
  wy_chart_curve(path, "exact (75)");
  wy_chart_dash(path, wy_chart_curve(path, "ours"));
  for (int k = 0; k < 3; k++)
    wy_chart_curve(off, axes[k]);
  for (int i = 0; i < h->count; i++) {
    const double t = h->state[i].t, *centre = h->state[i].momentum.centre_of_mass;
    wy_chart_point(path, 0, t, exact_centre(t));
    wy_chart_point(path, 1, t, centre[0]);
    for (int k = 0; k < 3; k++)
      wy_chart_point(off, k, t, centre[k] - (k == 0 ? exact_centre(t) : rest[k]));
  }
}

/* ---- figure 8: convergence ---- */

/* The rod at t = 5. */
static wy_status fly_to_release(const wy_keb_method *method, wy_keb_state *state, wy_message *message) {
  wy_keb_history h;
  wy_status status = fly(method, end_of_load, &h, message);
  if (status == WY_OK)
    *state = h.state[h.count - 1];
  wy_keb_free(&h);
  return status;
}

static double relative(const double a[3], const double reference[3]) {
  static const double zero[3] = {0, 0, 0};
  return wy_distance(a, reference) / wy_distance(reference, zero);
}

enum { STEPS = 7, CURVES = 4 };

static const char *const curve_names[CURVES] = {"position printed", "velocity printed", "position corrected",
                                                "velocity corrected"};

/* Errors at s = 0, t = 5 for steps 1/2, 1/4, ..., 1/128, and the energy in the limit of small steps. */
typedef struct convergence {
  double step[STEPS], error[CURVES][STEPS], limit;
} convergence;

static wy_status time_order(wy_findings *findings, convergence *c, wy_message *message) {
  wy_keb_method method = {10, 2, 1e-3, WY_CORRECTED_MOMENT, 0};
  wy_keb_state reference, state = {0};
  double energy[STEPS] = {0};
  wy_status status = fly_to_release(&method, &reference, message);
  for (int form = 0; form < 2; form++)
    for (int i = 0; i < STEPS && status == WY_OK; i++) {
      c->step[i] = method.step = 0.5 / (1 << i);
      method.end_moment = form == 0 ? WY_PRINTED_MOMENT : WY_CORRECTED_MOMENT;
      status = fly_to_release(&method, &state, message);
      c->error[2 * form][i] = relative(state.start, reference.start);
      c->error[2 * form + 1][i] = relative(state.start_velocity, reference.start_velocity);
      energy[i] = state.energy.total;
    }
  if (status != WY_OK)
    return status;
  for (int k = 0; k < CURVES; k++) {
    char what[64];
    snprintf(what, sizeof what, "6.1 order in time, %s", curve_names[k]);
    wy_findings_add(findings, what, 2, wy_order(c->error[k][STEPS - 4], c->error[k][STEPS - 1]) / 3, 0.1, "",
                    "t = 5, steps 1/16 to 1/128 against h = 1e-3");
    wy_findings_where(findings, "section 6.1, text; Figure 8");
  }
  c->limit = (4 * energy[STEPS - 1] - energy[STEPS - 2]) / 3;
  wy_findings_add(findings, "6.1 energy for t >= 5, limit of small steps", 1161.925, c->limit, 5e-4, "",
                  "10 elements; extrapolated from steps 1/64 and 1/128; specified digits");
  return WY_OK;
}

static void draw_convergence(wy_findings *findings, const convergence *c) {
  wy_chart *chart = wy_chart_new(
      findings, "keb-08-time", "Figure 8: error at s = 0, t = 5 over the step", "step h", "relative error",
      "Published: both errors fall with order two, without numbers. Look for: lines parallel to the dotted one.");
  if (chart)
    chart->log_x = chart->log_y = chart->marks = true, chart->guide[0].slope = 2;
  for (int k = 0; k < CURVES; k++) {
    const int curve = wy_chart_curve(chart, curve_names[k]);
    for (int i = 0; i < STEPS; i++)
      wy_chart_point(chart, curve, c->step[i], c->error[k][i]);
  }
}

static wy_status space_order(wy_findings *findings, wy_message *message) {
  enum { MESHES = 4 };
  wy_chart *chart = wy_chart_new(
      findings, "keb-space", "Flying spaghetti: error at s = 0, t = 5 over the mesh", "elements", "relative error",
      "Not in the paper. Look for: order 2 for elements of order 1, order 4 for those of order 2.");
  wy_keb_method method = {80, 2, 0.1, WY_CORRECTED_MOMENT, 0};
  wy_keb_state reference, state = {0};
  double error[2][MESHES] = {{0}};
  wy_status status = fly_to_release(&method, &reference, message);
  if (chart)
    chart->log_x = chart->log_y = chart->marks = true, chart->guide[0].slope = -2, chart->guide[1].slope = -4,
    chart->guide[1].curve = 1;
  wy_chart_curve(chart, "order 1");
  wy_chart_curve(chart, "order 2");
  for (int order = 1; order <= 2; order++)
    for (int i = 0; i < MESHES && status == WY_OK; i++) {
      method.order = order;
      method.elements = (order == 1 ? 10 : 5) << i;
      status = fly_to_release(&method, &state, message);
      error[order - 1][i] = relative(state.start, reference.start);
      wy_chart_point(chart, order - 1, method.elements, error[order - 1][i]);
    }
  if (status != WY_OK)
    return status;
  wy_findings_add(findings, "6.1 order in space, elements of order 1", 2,
                  wy_order(error[0][MESHES - 2], error[0][MESHES - 1]), 0.15, "",
                  "t = 5, h = 0.1, 40 and 80 elements against 80 of order 2");
  wy_findings_add(findings, "6.1 order in space, elements of order 2", 4,
                  wy_order(error[1][MESHES - 2], error[1][MESHES - 1]), 0.3, "",
                  "t = 5, h = 0.1, 20 and 40 elements against 80");
  return WY_OK;
}

/* ---- another scheme ---- */

static wy_status fly_staggered(int segments, wy_keb_state *state, wy_message *message) {
  wy_case c = wy_scene_spaghetti(segments);
  c.solver.scheme = "staggered";
  c.solver.integrator = "radau5";
  c.solver.relative_tolerance = c.solver.absolute_tolerance = 1e-8;
  c.solver.largest_step = 0.1;
  wy_status status = wy_case_create(&c, message);
  for (int k = 1; k <= 2 && status == WY_OK; k++) /* the force has a kink at 2.5 */
    status = wy_sim_advance(c.sim, 2.5 * k, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_POSITION, 0, 0, state->start, message);
  if (status == WY_OK)
    state->energy = wy_sim_energy(c.sim, 0);
  wy_case_destroy(&c);
  return status;
}

/* The converged solution of the staggered scheme and that of this one. */
static wy_status compare_schemes(wy_findings *findings, wy_message *message) {
  wy_keb_method method = {20, 2, 0.0125, WY_CORRECTED_MOMENT, 0};
  wy_keb_state coarse, fine, other[2];
  wy_status status = fly_to_release(&method, &coarse, message);
  method.step /= 2;
  if (status == WY_OK)
    status = fly_to_release(&method, &fine, message);
  for (int i = 0; i < 2 && status == WY_OK; i++)
    status = fly_staggered(80 << i, &other[i], message);
  if (status != WY_OK)
    return status;
  double limit[3], theirs[3];
  for (int k = 0; k < 3; k++) {
    limit[k] = (4 * fine.start[k] - coarse.start[k]) / 3;
    theirs[k] = (4 * other[1].start[k] - other[0].start[k]) / 3;
  }
  const double energy = (4 * fine.energy.total - coarse.energy.total) / 3;
  const double apart = relative(theirs, limit);
  wy_findings_state(findings, "6.1 converged start at t = 5, staggered against mixed", apart, apart < 1e-3, "",
                    "relative; 80 and 160 segments, and 20 elements with h = 1/80 and 1/160, extrapolated; limit 1e-3");
  wy_findings_add(findings, "6.1 converged energy, staggered against mixed", energy,
                  (4 * other[1].energy.total - other[0].energy.total) / 3, 1e-3 * energy, "",
                  "the same; tolerance 1e-3");
  return WY_OK;
}

/* The energy that is left after t = 5: its error in time falls by four, that of the corrected moment from 30 instead of
   280. Those of h = 0.1 are among the invariants. */
static wy_status plateaus(wy_findings *findings, wy_message *message) {
  static const struct {
    wy_end_moment moment;
    double step, energy, digits;
  } rows[] = {{WY_PRINTED_MOMENT, 0.5, 883.13, 5e-3},
              {WY_PRINTED_MOMENT, 0.05, 1157.250, 5e-4},
              {WY_CORRECTED_MOMENT, 0.5, 1131.362, 5e-4},
              {WY_CORRECTED_MOMENT, 0.05, 1161.648, 5e-4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const wy_keb_method method = {10, 2, rows[i].step, rows[i].moment, 0};
    wy_keb_state state;
    char what[96];
    wy_status status = fly_to_release(&method, &state, message);
    if (status != WY_OK)
      return status;
    snprintf(what, sizeof what, "6.1 energy for t >= 5, h = %g, moment %s", rows[i].step,
             rows[i].moment == WY_PRINTED_MOMENT ? "as printed" : "corrected");
    wy_findings_add(findings, what, rows[i].energy, state.energy.total, rows[i].digits, "", "specified digits");
  }
  return WY_OK;
}

/* "Choosing h = 2.5 poses no difficulty." */
static wy_status large_step(wy_findings *findings, wy_message *message) {
  const wy_keb_method method = {10, 2, 2.5, WY_PRINTED_MOMENT, 0};
  wy_keb_history h;
  wy_status status = fly(&method, end_of_run, &h, message);
  const double most = (double)wy_keb_most_tangents(&h);
  const wy_keb_state last = h.state ? h.state[h.count - 1] : (wy_keb_state){0};
  wy_keb_free(&h);
  wy_findings_state(findings, "6.1 tangents of a step at h = 2.5, most", most, status == WY_OK && most <= 14, "",
                    status == WY_OK ? "published: no difficulty; limit 14" : message->text);
  wy_findings_where(findings, "section 6.1, text");
  wy_findings_add(findings, "6.1 energy minus work at h = 2.5, over the work", 0,
                  (last.energy.total - last.energy.work) / last.energy.work, 1e-11, "", "6 steps");
  wy_findings_add(findings, "6.1 momentum along x for t >= 5 at h = 2.5", 50, last.momentum.linear[0], 1e-11, "",
                  "round-off");
  return WY_OK;
}

wy_status wy_keb_spaghetti(wy_findings *findings, wy_message *message) {
  const wy_keb_method method = {10, 2, 0.1, WY_CORRECTED_MOMENT, 0}, as_printed = {10, 2, 0.1, WY_PRINTED_MOMENT, 0};
  wy_keb_history corrected = {0}, printed = {0};
  convergence c = {0};
  wy_status status = fly(&method, end_of_run, &corrected, message);
  if (status == WY_OK)
    status = fly(&as_printed, end_of_run, &printed, message);
  if (status == WY_OK)
    compare_invariants(findings, &printed, &corrected);
  if (status == WY_OK)
    status = snapshots(findings, message);
  if (status == WY_OK)
    status = time_order(findings, &c, message);
  if (status == WY_OK) {
    draw_energy(findings, &printed, &corrected, c.limit);
    draw_momentum(findings, &printed, &corrected);
    draw_centre(findings, &corrected);
    draw_convergence(findings, &c);
    status = space_order(findings, message);
  }
  if (status == WY_OK)
    status = compare_schemes(findings, message);
  if (status == WY_OK)
    status = plateaus(findings, message);
  if (status == WY_OK)
    status = large_step(findings, message);
  wy_keb_free(&printed);
  wy_keb_free(&corrected);
  return status;
}
