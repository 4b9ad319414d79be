/* SPDX-License-Identifier: MIT */
/* Section 6.2: a slender aluminium rod that neither shears nor stretches, knocked at its end; elastic and with a
   Maxwell branch. */
#include <math.h>

#include "experiments/kinon_eugster_betsch/common.h"

enum { ELEMENTS = 8, NODES = 2 * ELEMENTS + 1 };

static const double step_size = 1e-3, end_of_load = 0.05, end_of_run = 0.3;
/* The published form of the end moment, which the specified values belong to. */
static wy_status knock(bool maxwell, double step, int elements, double end, wy_keb_history *history,
                       wy_message *message) {
  const wy_keb_method method = {elements, 2, step, WY_PRINTED_MOMENT, 0};
  wy_case c = wy_scene_aluminium(elements, maxwell);
  *history = (wy_keb_history){0};
  wy_status status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_keb_run(&c, step, end, history, message);
  wy_case_destroy(&c);
  return status;
}

/* ---- figures 9, 10, 13 ---- */

static void draw_tip(wy_findings *findings, const wy_keb_history *h) {
  static const char *const axes[] = {"1", "2", "3"};
  wy_chart *velocity =
      wy_chart_new(findings, "keb-09-velocity", "Figure 9: velocity of the tip in its own frame", "t", "velocity",
                   "Published: the three components, on top of those of a reference that is not printed. Look for: an "
                   "oscillation of several m/s that goes on undamped.");
  wy_chart *along =
      wy_chart_new(findings, "keb-10-tip-1", "Figure 10: position of the tip, component 1", "t", "position",
                   "Published on axes from 0.96 to 1 and 0 to 0.3. Look for: the tip never below 0.96.");
  wy_chart *across =
      wy_chart_new(findings, "keb-10-tip-23", "Figure 10: position of the tip, components 2 and 3", "t", "position",
                   "Published on axes from -0.2 to 0.2. Look for: components 2 and 3 nearly alike, within that range.");
  for (int k = 0; k < 3; k++) {
    wy_chart_curve(velocity, axes[k]);
    wy_chart_curve(k == 0 ? along : across, axes[k]);
  }
  for (int i = 0; i < h->count; i++) {
    const wy_keb_state *s = &h->state[i];
    for (int k = 0; k < 3; k++) {
      const double *d = s->director[k], *v = s->end_velocity;
      wy_chart_point(velocity, k, s->t, d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
      wy_chart_point(k == 0 ? along : across, k == 2, s->t, s->end[k]);
    }
  }
}

static void draw_energy(wy_findings *findings, const wy_keb_history *elastic, const wy_keb_history *maxwell) {
  wy_chart *total = wy_chart_new(findings, "keb-13-energy", "Figure 13: total energy", "t", "energy",
                                 "Published: constant without, falling with dissipation. Look for: a plateau of 0.0919 "
                                 "J, and a fall to 0.0141 J with the Maxwell branch.");
  wy_chart *lost = wy_chart_new(findings, "keb-13-dissipation", "Figure 13: dissipated in a step", "t", "energy",
                                "Published: strictly positive. Look for: no value at or below zero.");
  wy_chart *off = wy_chart_new(findings, "keb-13-balance", "Figure 13: violation of the energy balance", "t", "energy",
                               "Published: numerically zero. Look for: below 1e-14 J.");
  wy_chart_curve(total, "elastic");
  wy_chart_curve(total, "relaxation time 0.08");
  wy_chart_curve(lost, "relaxation time 0.08");
  wy_chart_curve(off, "elastic");
  wy_chart_curve(off, "relaxation time 0.08");
  for (int i = 0; i < elastic->count; i++) {
    const double t = elastic->state[i].t;
    wy_chart_point(total, 0, t, elastic->state[i].energy.total);
    wy_chart_point(total, 1, t, maxwell->state[i].energy.total);
    if (i == 0)
      continue;
    wy_chart_point(lost, 0, t, maxwell->state[i].energy.dissipated - maxwell->state[i - 1].energy.dissipated);
    wy_chart_point(off, 0, t, wy_keb_violation(elastic, i));
    wy_chart_point(off, 1, t, wy_keb_violation(maxwell, i));
  }
}

/* ---- figures 11 and 12: constraints ---- */

/* Places and directors of the nodes. */
typedef struct shape {
  double place[NODES][4], director[3][NODES][4];
} shape;

static wy_status read_shape(wy_case *c, shape *out, wy_message *message) {
  static const wy_quantity directors[] = {WY_DIRECTOR1, WY_DIRECTOR2, WY_DIRECTOR3};
  wy_status status = WY_OK;
  for (int a = 0; a < NODES && status == WY_OK; a++) {
    const double s = c->rod.length * a / (NODES - 1);
    status = wy_sim_probe(c->sim, WY_POSITION, 0, s, out->place[a], message);
    for (int k = 0; k < 3 && status == WY_OK; k++)
      status = wy_sim_probe(c->sim, directors[k], 0, s, out->director[k][a], message);
  }
  return status;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Value and derivative by s of the quadratic through the three nodes of an element, at xi of -1..1. */
static void interpolate(const double nodes[3][4], double xi, double length, double value[3], double slope[3]) {
  const double n[3] = {0.5 * xi * (xi - 1), 1 - xi * xi, 0.5 * xi * (xi + 1)}, dn[3] = {xi - 0.5, -2 * xi, xi + 0.5};
  for (int k = 0; k < 3; k++) {
    value[k] = slope[k] = 0;
    for (int a = 0; a < 3; a++) {
      value[k] += n[a] * nodes[a][k];
      slope[k] += 2 / length * dn[a] * nodes[a][k];
    }
  }
}

/* (X1): shear and stretch - 1, then curvature, of the shape itself at xi of element e. */
static void strains_of(const shape *x, int e, double xi, double length, double strain[6]) {
  double place[3], tangent[3], d[3][3], slope[3][3];
  interpolate(&x->place[2 * e], xi, length, place, tangent);
  for (int k = 0; k < 3; k++)
    interpolate(&x->director[k][2 * e], xi, length, d[k], slope[k]);
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    strain[k] = dot(d[k], tangent) - (k == 2);
    strain[3 + k] = 0.5 * (dot(d[j], slope[i]) - dot(d[i], slope[j]));
  }
}

/* A linear function of an element from its values at two arc lengths. */
static double along(const wy_points *points, int e, int component, double s) {
  const double *at = points->s + 2 * (size_t)e, *values = points->values + 6 * (size_t)e;
  const double share = (s - at[0]) / (at[1] - at[0]);
  return (1 - share) * values[component] + share * values[3 + component];
}

/* L2 norms over the rod: of shear and stretch - 1, and of what the curvature of the shape and that of the moments
   differ by. */
static void norms_of(wy_case *c, const shape *x, double norm[6]) {
  static const double xi[3] = {-0.774596669241483377, 0, 0.774596669241483377}, weight[3] = {5. / 9, 8. / 9, 5. / 9};
  const double length = c->rod.length / ELEMENTS;
  const wy_points moment = wy_sim_view(c->sim, 0)->moment;
  const wy_section_values section = wy_model_section(c->model, 0, 0);
  for (int k = 0; k < 6; k++)
    norm[k] = 0;
  for (int e = 0; e < ELEMENTS; e++)
    for (int g = 0; g < 3; g++) {
      double strain[6];
      const double s = (e + 0.5 * (1 + xi[g])) * length;
      strains_of(x, e, xi[g], length, strain);
      for (int k = 3; k < 6; k++)
        strain[k] -= along(&moment, e, k - 3, s) / section.stiffness[k];
      for (int k = 0; k < 6; k++)
        norm[k] += 0.5 * length * weight[g] * strain[k] * strain[k];
    }
  for (int k = 0; k < 6; k++)
    norm[k] = sqrt(norm[k]);
}

/* g of the node in the middle: products of directors, less one on the diagonal. */
static void orthonormality(const shape *x, double g[6]) {
  static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  for (int k = 0; k < 6; k++) {
    const int i = pairs[k][0], j = pairs[k][1];
    g[k] = 0.5 * (dot(x->director[i][ELEMENTS], x->director[j][ELEMENTS]) - (i == j));
  }
}

static void compare_constraints(wy_findings *findings, double g, const double norm[6]) {
  static const double expected[6] = {7.77945782e-4, 8.21066825e-4, 2.30535112e-4,
                                     1.61660225e-4, 1.57560041e-4, 3.31339144e-5};
  static const char *const names[6] = {"Gamma1", "Gamma2", "Gamma3", "Delta K1", "Delta K2", "Delta K3"};
  wy_findings_add(findings, "6.2 orthonormality of the middle node, largest", 0, g, 1e-14, "",
                  "published: numerically zero; frames leave withy as unit quaternions");
  wy_findings_where(findings, "section 6.2, text; Figure 11");
  for (int k = 0; k < 6; k++) {
    char what[64];
    snprintf(what, sizeof what, "6.2 L2 norm of %s, largest", names[k]);
    wy_findings_add(findings, what, expected[k], norm[k], 1e-8 + 1e-6 * expected[k], k < 3 ? "" : "1/m",
                    k < 3 ? "of the displacements; the strain of the mixed element is zero. Independent program"
                          : "curvature of displacements less that of moments. Independent program");
  }
}

static wy_status constraints(wy_findings *findings, wy_message *message) {
  static const char *const names[12] = {"11",     "22",     "33",     "12",       "23",       "31",
                                        "Gamma1", "Gamma2", "Gamma3", "Delta K1", "Delta K2", "Delta K3"};
  static const char *const forces[3] = {"N1", "N2", "N3"};
  const wy_keb_method method = {ELEMENTS, 2, step_size, WY_PRINTED_MOMENT, 0};
  const int steps = (int)lround(end_of_run / step_size);
  wy_chart *nodal = wy_chart_new(findings, "keb-11-orthonormality", "Figure 11: orthonormality of the middle node", "t",
                                 "g", "Published: numerically zero at all times. Look for: round-off, below 1e-15.");
  wy_chart *norms = wy_chart_new(findings, "keb-12-strains",
                                 "Figure 12: strains of the shape against those of the stresses", "t", "L2 norm",
                                 "Published: both kinds of strain small and consistent. Look for: norms below 1e-3; "
                                 "the strains of the mixed elements themselves are exactly zero.");
  wy_chart *force = wy_chart_new(findings, "keb-12-force",
                                 "Constraint forces N at the clamp, in the middle of each step", "t", "force",
                                 "Not in the paper: the forces that hold the constrained strains at zero. Look for: an "
                                 "oscillation without spikes or drift.");
  double most = 0, largest[6] = {0};
  wy_case c = wy_scene_aluminium(method.elements, false);
  shape x;
  wy_status status = wy_keb_create(&c, &method, message);
  for (int k = 0; k < 12; k++)
    wy_chart_curve(k < 6 ? nodal : norms, names[k]);
  for (int k = 0; k < 3; k++)
    wy_chart_curve(force, forces[k]);
  for (int i = 1; i <= steps && status == WY_OK; i++) {
    double g[6], norm[6], clamp[4];
    status = wy_sim_step(c.sim, message);
    if (status == WY_OK)
      status = read_shape(&c, &x, message);
    if (status == WY_OK)
      status = wy_sim_probe(c.sim, WY_FORCE, 0, 0, clamp, message);
    if (status != WY_OK)
      break;
    norms_of(&c, &x, norm);
    orthonormality(&x, g);
    for (int k = 0; k < 6; k++) {
      wy_chart_point(nodal, k, i * step_size, g[k]);
      wy_chart_point(norms, k, i * step_size, norm[k]);
      most = fmax(most, fabs(g[k]));
      largest[k] = fmax(largest[k], norm[k]);
    }
    for (int k = 0; k < 3; k++)
      wy_chart_point(force, k, (i - 0.5) * step_size, clamp[k]);
  }
  wy_case_destroy(&c);
  if (status == WY_OK)
    compare_constraints(findings, most, largest);
  return status;
}

/* ---- numbers ---- */

/* What the axes of Figure 10 show: component 1 from 0.96 to 1, the others within 0.2. */
static void compare_axes(wy_findings *findings, const wy_keb_history *h) {
  double least = INFINITY, most = 0;
  for (int i = 0; i < h->count; i++) {
    least = fmin(least, h->state[i].end[0]);
    most = fmax(most, fmax(fabs(h->state[i].end[1]), fabs(h->state[i].end[2])));
  }
  wy_findings_state(findings, "6.2 tip, least component 1", least, least > 0.95 && least < 0.97, "m",
                    "published on an axis from 0.96 to 1; here: 0.95 to 0.97");
  wy_findings_where(findings, "Figure 10");
  wy_findings_state(findings, "6.2 tip, largest component 2 or 3", most, most > 0.15 && most < 0.25, "m",
                    "published on axes from -0.2 to 0.2; here: 0.15 to 0.25");
  wy_findings_where(findings, "Figure 10");
}

static void compare_runs(wy_findings *findings, const wy_keb_history *elastic, const wy_keb_history *maxwell) {
  static const double tip[3] = {0.963499212, -0.163723893, -0.165959341};
  const wy_keb_state *e = &elastic->state[elastic->count - 1], *m = &maxwell->state[maxwell->count - 1];
  const long most = wy_keb_most_tangents(elastic), more = wy_keb_most_tangents(maxwell);
  double apart = 0, least = INFINITY,
         balance = fmax(wy_keb_largest_violation(elastic), wy_keb_largest_violation(maxwell));
  for (int i = 0; i < elastic->count; i++)
    if (elastic->state[i].t > end_of_load - 1e-9)
      apart = fmax(apart, fabs(elastic->state[i].energy.total - e->energy.total));
  for (int i = 1; i < maxwell->count; i++)
    least = fmin(least, maxwell->state[i].energy.dissipated - maxwell->state[i - 1].energy.dissipated);
  wy_findings_add(findings, "6.2 cantilever: energy for t >= 0.05, elastic", 0.0918615186165, e->energy.total, 1e-12,
                  "J", "8 elements, order 2, h = 1e-3; specified digits");
  wy_findings_add(findings, "6.2 distance of the tip at t = 0.3 from the specified", 0, wy_distance(e->end, tip), 1e-9,
                  "m", "(0.963499212, -0.163723893, -0.165959341): its digits");
  wy_findings_state(findings, "6.2 energy that changes for t >= 0.05, elastic", apart, apart < 1e-12, "J",
                    "published: conserved without dissipation; limit 1e-12");
  wy_findings_where(findings, "Figure 13");
  compare_axes(findings, elastic);
  wy_findings_state(
      findings, "6.2 energy balance, largest violation of a step", balance, balance < 1e-13, "J",
      "elastic and Maxwell; H_n+1 - H_n - W + D, printed with -D; published: numerically zero; limit 1e-13");
  wy_findings_where(findings, "section 6.2, text; Figure 13");
  wy_findings_add(findings, "6.2 energy at t = 0.3, Maxwell", 0.0140862536, m->energy.total, 1e-10, "J",
                  "relaxation time 0.08, shares 1/4 and 3/4; N in the elastic part only, else (63) is singular");
  wy_findings_add(findings, "6.2 work, Maxwell", 0.110006856, m->energy.work, 1e-9, "J", "specified digits");
  wy_findings_add(findings, "6.2 dissipated, Maxwell", 0.095920603, m->energy.dissipated, 1e-9, "J",
                  "specified digits");
  wy_findings_state(findings, "6.2 least dissipation of a step", least, least > 0, "J", "published: strictly positive");
  wy_findings_where(findings, "section 6.2, text; Figure 13");
  wy_findings_state(findings, "6.2 tangents of a step, most", (double)(most > more ? most : more),
                    most <= 3 && more <= 3, "", "limit 3");
}

/* Order in time, and that a large step is no difficulty. */
static wy_status steps_of(wy_findings *findings, wy_message *message) {
  double end[3][3];
  wy_keb_history h;
  wy_status status = WY_OK;
  for (int i = 0; i < 3 && status == WY_OK; i++) {
    status = knock(false, 2.5e-4 / (1 << i), ELEMENTS, end_of_load, &h, message);
    for (int k = 0; k < 3 && status == WY_OK; k++)
      end[i][k] = h.state[h.count - 1].end[k];
    wy_keb_free(&h);
  }
  if (status != WY_OK)
    return status;
  wy_findings_add(findings, "6.2 order in time, tip at t = 0.05", 2,
                  wy_order(wy_distance(end[0], end[1]), wy_distance(end[1], end[2])), 0.1, "",
                  "steps 1/4000, 1/8000, 1/16000");
  status = knock(false, 5e-2, ELEMENTS, end_of_run, &h, message);
  wy_findings_state(findings, "6.2 tangents of a step at h = 0.05, most", (double)wy_keb_most_tangents(&h),
                    status == WY_OK, "", status == WY_OK ? "published: runs" : message->text);
  wy_findings_where(findings, "section 6.2, text");
  wy_keb_free(&h);
  return WY_OK;
}

wy_status wy_keb_cantilever(wy_findings *findings, wy_message *message) {
  wy_keb_history elastic = {0}, maxwell = {0};
  wy_status status = knock(false, step_size, ELEMENTS, end_of_run, &elastic, message);
  if (status == WY_OK)
    status = knock(true, step_size, ELEMENTS, end_of_run, &maxwell, message);
  if (status == WY_OK) {
    compare_runs(findings, &elastic, &maxwell);
    draw_tip(findings, &elastic);
    status = constraints(findings, message);
  }
  if (status == WY_OK) {
    draw_energy(findings, &elastic, &maxwell);
    status = steps_of(findings, message);
  }
  wy_keb_free(&elastic);
  wy_keb_free(&maxwell);
  return status;
}
