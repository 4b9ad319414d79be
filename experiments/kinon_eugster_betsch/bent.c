/* SPDX-License-Identifier: MIT */
/* Section 6.3: a cantilever bent slowly by a force and a moment at its end, with and without shear and extension. */
#include <math.h>

#include "experiments/kinon_eugster_betsch/common.h"

enum { LOADS = 4, MESHES = 4 };

static const double factors[LOADS] = {0.1, 0.2, 0.4, 1};

/* Exact tips: the elastica (elliptic integrals), and with shear and extension an integration to round-off. */
static const double exact[2][LOADS][2] = {{{6.222990526969543, -0.8178393320171927},
                                           {6.075659876146956, -1.508365869258384},
                                           {5.720983446875675, -2.436484374499444},
                                           {4.978534566949179, -3.467635700712843}},
                                          {{6.192321088888467, -1.120152927534426},
                                           {5.980975278835741, -2.048601006470637},
                                           {5.512269998299187, -3.313296551686367},
                                           {4.607594997059258, -5.242332991554727}}};
static const char *const settings[2] = {"constrained", "unconstrained"}, *const short_names[2] = {"bends only",
                                                                                                  "shears"};

/* The tip under the full load. */
static wy_status bend(bool constrained, int order, int elements, double tip[4], wy_message *message) {
  const wy_keb_method method = {elements, order, 0, WY_CORRECTED_MOMENT, 0};
  wy_case c = wy_scene_bent(method.elements, constrained);
  wy_status status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 1, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_POSITION, 0, c.rod.length, tip, message);
  wy_case_destroy(&c);
  return status;
}

static double error_of(bool constrained, int load, const double tip[3]) {
  const double *want = exact[constrained ? 0 : 1][load], there[3] = {want[0], want[1], 0};
  return wy_distance(tip, there);
}

/* ---- figure 14 ---- */

/* The shapes under the loads of the paper, and the way of the tip between them. */
static wy_status draw_shapes(wy_findings *findings, bool constrained, wy_chart *path, wy_message *message) {
  enum { FRAMES = 100 };
  const wy_keb_method method = {8, 2, 0, WY_CORRECTED_MOMENT, 0};
  const char *setting = settings[constrained ? 0 : 1];
  char name[32], title[96];
  snprintf(name, sizeof name, "keb-14-%s", setting);
  snprintf(title, sizeof title, "Figure 14: centreline, %s, load 0, 0.1, 0.2, 0.4, 1; way of the tip", setting);
  wy_chart *chart = wy_chart_new(findings, name, title, "x", "y",
                                 "Published: five load steps beside a reference and the elastica. Look for: the tip on "
                                 "its curve, and the numbers of the rows above.");
  wy_case c = wy_scene_bent(method.elements, constrained);
  wy_status status = wy_keb_create(&c, &method, message);
  if (chart)
    chart->equal = true;
  const int way = wy_chart_curve(chart, "tip"), course = wy_chart_curve(path, setting);
  for (int i = 0, next = 0; i <= FRAMES && status == WY_OK; i++) {
    double tip[4];
    status = i == 0 ? wy_sim_settle(c.sim, 0, message) : wy_sim_follow(c.sim, (double)i / FRAMES, message);
    if (status == WY_OK)
      status = wy_sim_probe(c.sim, WY_POSITION, 0, c.rod.length, tip, message);
    if (status != WY_OK)
      break;
    wy_chart_point(chart, way, tip[0], tip[1]);
    wy_chart_point(path, course, (double)i / FRAMES, -tip[1]);
    if (i > 0 && (next == LOADS || i < lround(factors[next] * FRAMES)))
      continue;
    snprintf(name, sizeof name, "%.2g", (double)i / FRAMES);
    wy_case_draw(&c, chart, wy_chart_curve(chart, name), 0, 1);
    next += i > 0;
  }
  wy_case_destroy(&c);
  return status;
}

/* From no load to the full one; the first increment is that of the paper, h = 1e-2, the others grow as they can. */
static wy_status count_iterations(wy_findings *findings, bool constrained, wy_message *message) {
  const wy_keb_method method = {8, 2, 0, WY_CORRECTED_MOMENT, 100};
  wy_case c = wy_scene_bent(method.elements, constrained);
  wy_status status = wy_keb_create(&c, &method, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 1, message);
  if (status == WY_OK) {
    const wy_equilibrium_info info = wy_sim_equilibrium(c.sim, 0);
    const double mean = (double)info.newton_iterations / (double)info.increments;
    char what[96], note[96];
    snprintf(what, sizeof what, "6.3 Newton iterations of an increment, mean, %s", settings[constrained ? 0 : 1]);
    snprintf(note, sizeof note, "%ld increments to the full load; limit 3", info.increments);
    wy_findings_state(findings, what, mean, mean <= 3, "", note);
  }
  wy_case_destroy(&c);
  return status;
}

/* ---- convergence ---- */

/* Errors of the tip under the full load for 4, 8, 16, 32 elements; order 1 needs four times as many, because of the
   limit of the interpolation (X27). */
static wy_status converge(wy_findings *findings, wy_chart *chart, bool constrained, int order, double error[MESHES],
                          wy_message *message) {
  char what[96];
  const int which = constrained ? 0 : 1;
  snprintf(what, sizeof what, "%s order %d", short_names[which], order);
  const int curve = wy_chart_curve(chart, what);
  for (int i = 0; i < MESHES; i++) {
    const int elements = (order == 1 ? 16 : 4) << i;
    double tip[4];
    wy_status status = bend(constrained, order, elements, tip, message);
    if (status != WY_OK)
      return status;
    error[i] = error_of(constrained, LOADS - 1, tip);
    wy_chart_point(chart, curve, elements, error[i]);
  }
  snprintf(what, sizeof what, "6.3 order in space, %s, elements of order %d", settings[which], order);
  wy_findings_add(findings, what, 2 * order, wy_order(error[MESHES - 2], error[MESHES - 1]), 0.1 * order, "",
                  order == 1 ? "64 and 128 elements, full load" : "16 and 32 elements, full load");
  return WY_OK;
}

static wy_status convergence(wy_findings *findings, wy_message *message) {
  static const double specified[MESHES] = {3.9e-2, 2.3e-3, 1.4e-4, 8.8e-6};
  wy_chart *chart = wy_chart_new(findings, "keb-14-convergence",
                                 "Bent cantilever: error of the tip under the full load", "elements", "error",
                                 "Not in the paper, which states the absence of locking. Look for: orders 2 and 4, and "
                                 "errors of the constrained rod of the same size as those of the other.");
  if (chart)
    chart->log_x = chart->log_y = chart->marks = true, chart->guide[0].slope = -2, chart->guide[1].slope = -4,
    chart->guide[1].curve = 1;
  for (int constrained = 0; constrained < 2; constrained++)
    for (int order = 1; order <= 2; order++) {
      double error[MESHES];
      wy_status status = converge(findings, chart, constrained, order, error, message);
      if (status != WY_OK)
        return status;
      for (int i = 0; i < MESHES && constrained && order == 2; i++) {
        char what[96];
        snprintf(what, sizeof what, "6.3 error of the tip, constrained, %d elements of order 2", 4 << i);
        wy_findings_add(findings, what, specified[i], error[i], 0.03 * specified[i], "",
                        "full load, against elliptic integrals; two digits specified: no locking");
      }
    }
  return WY_OK;
}

/* Fine meshes against the exact solutions. */
static wy_status compare_exact(wy_findings *findings, wy_message *message) {
  const wy_keb_method method = {64, 2, 0, WY_CORRECTED_MOMENT, 0};
  double off[2] = {0, 0};
  for (int which = 0; which < 2; which++) {
    wy_case c = wy_scene_bent(method.elements, which == 0);
    wy_status status = wy_keb_create(&c, &method, message);
    for (int i = 0; i < LOADS && status == WY_OK; i++) {
      double tip[4];
      status = i == 0 ? wy_sim_settle(c.sim, factors[i], message) : wy_sim_follow(c.sim, factors[i], message);
      if (status == WY_OK)
        status = wy_sim_probe(c.sim, WY_POSITION, 0, c.rod.length, tip, message);
      if (status != WY_OK)
        break;
      char what[96];
      snprintf(what, sizeof what, "6.3 bent cantilever, %s: tip at load %.1f, y", settings[which], factors[i]);
      wy_findings_add(findings, what, exact[which][i][1], tip[1], 1e-6, "",
                      which == 0 ? "64 elements; elliptic integrals; tolerance 1e-6"
                                 : "64 elements; exact; tolerance 1e-6");
      off[which] = fmax(off[which], error_of(which == 0, i, tip));
    }
    wy_case_destroy(&c);
    if (status != WY_OK)
      return status;
  }
  wy_findings_state(findings, "6.3 bent cantilever, constrained: tip, largest distance from the elastica", off[0],
                    off[0] < 1e-6, "",
                    "64 elements, loads 0.1, 0.2, 0.4, 1; published: confirmed by the elastica; limit 1e-6");
  wy_findings_where(findings, "section 6.3, text; Figure 14");
  wy_findings_state(findings, "6.3 bent cantilever, unconstrained: tip, largest distance from the solution", off[1],
                    off[1] < 1e-6, "", "the same, an integration to round-off; published: good agreement; limit 1e-6");
  wy_findings_where(findings, "section 6.3, text; Figure 14");
  return WY_OK;
}

wy_status wy_keb_bent(wy_findings *findings, wy_message *message) {
  wy_status status = compare_exact(findings, message);
  wy_chart *path = wy_chart_new(findings, "keb-14-load", "Bent cantilever: sinking of the tip over the load",
                                "load factor", "-y of the tip",
                                "Not in the paper: how far the tip of Figure 14 sinks. Look for: the rod with shear "
                                "sinks farther at every load.");
  for (int which = 0; which < 2 && status == WY_OK; which++)
    status = draw_shapes(findings, which == 0, path, message);
  for (int which = 0; which < 2 && status == WY_OK; which++)
    status = count_iterations(findings, which == 0, message);
  if (status == WY_OK)
    status = convergence(findings, message);
  return status;
}
