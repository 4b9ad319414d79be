/* SPDX-License-Identifier: MIT */
/* The coil spring: in equilibrium against shooting, pulled and let go as in the slides (100 and 25 segments), and what
   a step costs. Cells that carry vectors into the frame of their middle against those that do not. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <time.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { GRIDS = WY_SLW_COILS, TIMES = 4 };

static const int cells[GRIDS] = {25, 50, 100};

/* ---- equilibria ---- */

static wy_chart *shape_chart(wy_findings *findings, const char *name, const char *title, const char *caption) {
  wy_chart *chart = wy_chart_new(findings, name, title, "y", "z", caption);
  if (chart)
    chart->equal = true;
  return chart;
}

static wy_status hang(int count, bool transport, double force, double tip[4], wy_message *message) {
  wy_slw_method method = wy_slw_radius(count, 1e-3, 0.5);
  method.box.transport = transport;
  wy_case c = wy_slw_coil(&method, force);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 0, message);
  if (status == WY_OK)
    status = wy_case_tip(&c, tip, message);
  wy_case_destroy(&c);
  return status;
}

static wy_status equilibria(wy_findings *findings, wy_message *message) {
  const wy_slw_pulled *known = &wy_slw_coil_tip[WY_SLW_PULLS - 1];
  wy_chart *chart =
      wy_chart_new(findings, "slw-coil-static", "Coil under a force of 0.02: error of the tip", "N", "error",
                   "Not in the slides. Look for: transported cells twenty times as accurate on the coarsest grid; the "
                   "plain ones hardly see five turns in 25 cells.");
  if (chart)
    chart->marks = chart->log_x = chart->log_y = true, chart->guide[0].slope = -2;
  for (int transport = 0; transport < 2; transport++) {
    const char *name = transport ? "transported" : "plain";
    const int curve = wy_chart_curve(chart, name);
    for (int i = 0; i < GRIDS; i++) {
      double tip[4];
      char what[96];
      wy_status status = hang(cells[i], transport, known->force, tip, message);
      if (status != WY_OK)
        return status;
      const double error = wy_distance(tip, known->tip), off = wy_slw_coil_error[transport][i];
      wy_chart_point(chart, curve, cells[i], error);
      snprintf(what, sizeof what, "coil, equilibrium, %s box: error of the tip, N = %d", name, cells[i]);
      wy_findings_add(
          findings, what, off, error, 0.04 * off, "",
          "by shooting: (0.0077151, 0.0027717, 0.1866449); independent program; tolerance: two digits, 4 %");
    }
  }
  return WY_OK;
}

/* Both ends clamped, pulled apart by 30 % of the height. Each reaction with its sign (known.h). */
static wy_status stretched(wy_findings *findings, wy_message *message) {
  static const char axes[] = "xyz";
  const wy_slw_method method = wy_slw_radius(100, 1e-3, 0.5);
  wy_case c = wy_slw_coil(&method, 0);
  char path[48];
  snprintf(path, sizeof path, "a + %.17g*t", wy_slw_drawn);
  c.rod.ends[WY_END] = wy_end_clamped();
  c.rod.ends[WY_END].position[2] = WY_DRIVEN;
  c.rod.ends[WY_END].path[2] = wy_case_signal(&c, path, wy_scene_coil_height(&c));
  double force[4], moment[4];
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_settle(c.sim, 1, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_REACTION_FORCE, 0, wy_model_rod(c.model, 0)->length, force, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_REACTION_MOMENT, 0, 0, moment, message);
  for (int k = 0; k < 6 && status == WY_OK; k++) {
    const int axis = k % 3;
    char what[96];
    snprintf(what, sizeof what, "coil stretched by 30 %%, N = 100: %s, %c",
             k < 3 ? "force on its end" : "moment of the support at its start", axes[axis]);
    wy_findings_add(findings, what, k < 3 ? wy_slw_drawn_force[axis] : -wy_slw_drawn_couple[axis],
                    k < 3 ? force[axis] : moment[axis], k < 3 ? 3e-4 : 1e-5, "",
                    "by shooting; tolerance 1 % of the largest component");
  }
  wy_case_destroy(&c);
  return status;
}

/* "Helical rod (high damping) subject to end point load": it creeps into the equilibrium under that load. */
static wy_status creep(wy_findings *findings, wy_message *message) {
  static const double times_shown[] = {0, 1, 2, 5, 10, 60};
  const wy_slw_method method = wy_slw_coefficients(50, 1. / 30, 0.4, 0, 1);
  wy_chart *chart =
      shape_chart(findings, "slw-coil-damped", "Helical rod, high damping, subject to an end point load",
                  "Published: one picture, with alpha = 0.4, beta = 0, gamma = 1. Look for: a coil that is "
                  "drawn out slowly, without any swing.");
  wy_case c = wy_slw_coil(&method, 0.02);
  c.rod.drag.translation = 5;
  double tip[4], rest[4];
  if (chart)
    chart->ramp = true;
  wy_status status = wy_case_create(&c, message);
  for (size_t i = 0; i < sizeof times_shown / sizeof *times_shown && status == WY_OK; i++) {
    char name[32];
    status = wy_case_move(&c, times_shown[i], tip, message);
    snprintf(name, sizeof name, "t = %g", times_shown[i]);
    if (status == WY_OK)
      wy_case_draw(&c, chart, wy_chart_curve(chart, name), 1, 2);
  }
  wy_case_destroy(&c);
  if (status == WY_OK)
    status = hang(50, true, 0.02, rest, message);
  if (status != WY_OK)
    return status;
  const double apart = wy_distance(tip, rest);
  wy_findings_state(findings, "helical rod, high damping: end at t = 60 against equilibrium", apart, apart < 1e-6, "",
                    "N = 50, dt = 1/30, printed set 0.4, 0, 1, drag 5; limit 1e-6");
  wy_findings_where(findings, "results, figure 1 (2)");
  return WY_OK;
}

/* ---- pulled and let go ---- */

typedef struct swing {
  double tip[TIMES][4];
  double iterations, milliseconds; /* a step */
} swing;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const double times[TIMES] = {0.1, 0.2, 0.3, 0.5};

/* Over one unit of time, with the height of the end and, at three times, the shape from the side. */
static wy_status release(const wy_slw_method *method, wy_chart *heights, const char *name, wy_chart *shapes, swing *out,
                         wy_message *message) {
  const int curve = wy_chart_curve(heights, name), steps = (int)lround(1 / method->step),
            every = steps > 200 ? steps / 200 : 1;
  wy_case c = wy_scene_coil(method->cells);
  wy_slw_solve(&c, method);
  wy_status status = wy_case_create(&c, message);
  double spent = 0;
  *out = (swing){0};
  for (int i = 0; i <= steps && status == WY_OK; i++) {
    double tip[4];
    const double begin = seconds();
    if (i > 0)
      status = wy_sim_step(c.sim, message);
    spent += seconds() - begin;
    if (status == WY_OK)
      status = wy_case_tip(&c, tip, message);
    const double t = i * method->step;
    if (status != WY_OK)
      break;
    if (i % every == 0)
      wy_chart_point(heights, curve, t, tip[2]);
    for (int k = 0; k < TIMES; k++)
      for (int axis = 0; axis < 3 && fabs(t - times[k]) < 1e-9; axis++)
        out->tip[k][axis] = tip[axis];
    if (i == 0 || fabs(t - 0.1) < 1e-9 || fabs(t - 0.5) < 1e-9) {
      char label[32];
      snprintf(label, sizeof label, "t = %g", t);
      wy_case_draw(&c, shapes, wy_chart_curve(shapes, label), 1, 2);
    }
  }
  if (status == WY_OK) {
    out->iterations = (double)wy_sim_statistics(c.sim, 0).newton_iterations / steps;
    out->milliseconds = 1e3 * spent / steps;
  }
  wy_case_destroy(&c);
  return status;
}

static void compare_swings(wy_findings *findings, const swing *fine) {
  static const double expected[TIMES][3] = {{0.01455, 0.00002, 0.18307},
                                            {0.02256, 0.00176, 0.17092},
                                            {0.0102, 0.0072, 0.1519},
                                            {0.0238, 0.0030, 0.1326}},
                      bracket[TIMES] = {3e-4, 5e-4, 1.6e-3, 3e-3};
  for (int k = 0; k < TIMES; k++) {
    char what[96];
    snprintf(what, sizeof what, "coil let go, N = 200: tip at t = %g, distance", times[k]);
    wy_findings_add(findings, what, 0, wy_distance(fine->tip[k], expected[k]), bracket[k], "",
                    "independent program; tolerance: what twice the cells or steps change there");
  }
}

static const char coil_caption[] = "Published: pictures of 100 and 25 segments, pulled by a vertical force at the end "
                                   "and released after 0.1 s. Look for: "
                                   "the spring longest at t = 0.1. The plain box with 25 segments is what the slides "
                                   "describe; it does not resemble the "
                                   "others.";

static wy_status let_go(wy_findings *findings, wy_message *message) {
  struct {
    const char *name, *chart, *title;
    int cells;
    bool transport;
  } const runs[] = {{"N = 200", NULL, NULL, 200, true},
                    {"N = 100", "slw-coil-100", "Coil spring pulled and let go, 100 segments", 100, true},
                    {"N = 25", "slw-coil-25", "Coil spring pulled and let go, 25 segments", 25, true},
                    {"plain N = 100", NULL, NULL, 100, false},
                    {"plain N = 25", "slw-coil-25-plain", "The same, vectors not transported", 25, false}};
  wy_chart *heights =
      wy_chart_new(findings, "slw-coil-height", "Coil spring pulled for 0.1 and let go: height of its end", "t", "z",
                   "Not in the slides as a curve. Look for: N = 25, 100 and 200 together with transported cells, and "
                   "the plain box with 25 far away.");
  swing swings[5];
  char what[96];
  for (int i = 0; i < 5; i++) {
    wy_slw_method method = wy_slw_radius(runs[i].cells, 1e-3, 0.5);
    method.box.transport = runs[i].transport;
    wy_chart *shapes = runs[i].chart ? shape_chart(findings, runs[i].chart, runs[i].title, coil_caption) : NULL;
    wy_status status = release(&method, heights, runs[i].name, shapes, &swings[i], message);
    if (status != WY_OK)
      return status;
  }
  compare_swings(findings, &swings[0]);
  for (int i = 1; i < 5; i++) {
    snprintf(what, sizeof what, "coil let go, %s: distance from N = 200 at t = 0.3", runs[i].name);
    wy_findings_add(findings, what, NAN, wy_distance(swings[i].tip[2], swings[0].tip[2]), 0, "",
                    i == 4 ? "no resemblance" : "");
  }
  return WY_OK;
}

/* The slides: steps of 1/30, the set 0.3, 0, 0.7, on average 14 iterations, 135 ms for 100 segments. */
static wy_status cost(wy_findings *findings, wy_message *message) {
  const wy_slw_method published = wy_slw_coefficients(100, 1. / 30, 0.3, 0, 0.7), usual = wy_slw_radius(100, 1e-3, 0.8),
                      coarse = wy_slw_radius(25, 1e-3, 0.8);
  swing out[3];
  wy_status status = release(&published, NULL, "", NULL, &out[0], message);
  if (status == WY_OK)
    status = release(&usual, NULL, "", NULL, &out[1], message);
  if (status == WY_OK)
    status = release(&coarse, NULL, "", NULL, &out[2], message);
  if (status != WY_OK)
    return status;
  wy_findings_bound(findings, "Newton iterations of a step, published set, dt = 1/30", 14, out[0].iterations, "",
                    "published: within 14 on the average");
  wy_findings_where(findings, "text below the last figure");
  wy_findings_add(findings, "time of a step, 100 segments, published set, dt = 1/30", 135, out[0].milliseconds, NAN,
                  "ms", "published for a laptop with an Intel Pentium M of 1.86 GHz: another machine, no limit");
  wy_findings_where(findings, "text below the last figure");
  wy_findings_add(findings, "time of a step, 100 segments, default set, dt = 1e-3", NAN, out[1].milliseconds, 0, "ms",
                  "Newton's method converged; `withy bench` times with more care");
  wy_findings_add(findings, "time of a step, 25 segments, default set, dt = 1e-3", NAN, out[2].milliseconds, 0, "ms",
                  "the same");
  wy_findings_add(findings, "Newton iterations of a step, default set, dt = 1e-3", NAN, out[1].iterations, 0, "",
                  "100 segments");
  return WY_OK;
}

wy_status wy_slw_spring(wy_findings *findings, wy_message *message) {
  wy_status status = equilibria(findings, message);
  if (status == WY_OK)
    status = stretched(findings, message);
  if (status == WY_OK)
    status = creep(findings, message);
  if (status == WY_OK)
    status = let_go(findings, message);
  return status == WY_OK ? cost(findings, message) : status;
}
