/* SPDX-License-Identifier: MIT */
/* The hair tress: one guide of keratin with a natural curl, 180 strands around it, pulled to 130 % of its height with
   2 m/s and released; its shape and its kinetic energy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/sobottka_lay_weber/common.h"

enum { CELLS = 25, SHOWN = 12, TIMES = 5 };

static const double step_size = 1e-3, end_of_run = 1;

static wy_case tress(int cells) {
  const wy_slw_method method = wy_slw_radius(cells, step_size, 0.5);
  wy_case c = wy_scene_tress(cells);
  wy_slw_solve(&c, &method);
  return c;
}

/* Some of the strands, one behind the other as one line. */
static void draw_strands(wy_strands *strands, int count, double *positions, wy_chart *chart, const char *name) {
  const int points = wy_strands_points(strands), curve = wy_chart_curve(chart, name);
  wy_strands_place(strands, positions);
  for (int k = 0; k < SHOWN; k++) {
    const double *strand = positions + 3 * (size_t)points * (size_t)(k * count / SHOWN);
    for (int i = 0; i < points; i++) { /* there and back again, so that no line leads from tip to root */
      const double *x = strand + 3 * (size_t)(k % 2 ? points - 1 - i : i);
      wy_chart_point(chart, curve, x[0], x[2]);
    }
  }
}

/* The largest distance of a strand from its guide: all of them are within the disc. */
static double farthest(wy_case *c, wy_strands *strands, double *positions) {
  const wy_points line = wy_sim_view(c->sim, 0)->position;
  const int points = wy_strands_points(strands);
  double most = 0;
  wy_strands_place(strands, positions);
  for (int k = 0; k < c->scenario->strands[0].count; k++)
    for (int i = 0; i < points && points == line.count; i++)
      most = fmax(most, wy_distance(positions + 3 * ((size_t)k * (size_t)points + (size_t)i), line.values + 3 * i));
  return most;
}

typedef struct course {
  double missed, spread; /* largest distance of the end from its support, of strands from the guide */
  double kinetic, last;  /* largest and last kinetic energy */
  double tip[4];         /* at t = 0.2 */
} course;

static wy_chart *strands_chart(wy_findings *findings, int number, double t) {
  char name[32], title[96];
  snprintf(name, sizeof name, "slw-hair-%d", number);
  snprintf(title, sizeof title, "Hair tress, 12 of its 180 strands, t = %.3g s", t);
  wy_chart *chart =
      wy_chart_new(findings, name, title, "x in m", "z in m",
                   "Published: rendered pictures. Look for: strands that keep beside their guide while it is drawn out "
                   "to 130 % of its height (t = 0.05), springs back and hangs down (t = 1).");
  if (chart)
    chart->equal = true;
  return chart;
}

/* Charts and strands where there are findings to go to. */
static wy_status pull(wy_case *c, wy_strands *strands, double *positions, wy_findings *findings, course *out,
                      wy_message *message) {
  static const double times[TIMES] = {0, 0.05, 0.1, 0.2, 1};
  const int steps = (int)lround(end_of_run / step_size);
  wy_chart *energy = findings
                         ? wy_chart_new(findings, "slw-hair-energy", "Hair tress: kinetic energy", "t in s", "J",
                                        "Published: the kinetic energy of a tress under gravity as a curve without "
                                        "numbers. Look for: the pull, the release at t = 0.05, and rest in the end.")
                         : NULL;
  wy_status status = WY_OK;
  wy_chart_curve(energy, "kinetic");
  for (int i = 0, next = 0; i <= steps && status == WY_OK; i++) {
    const double t = i * step_size;
    double tip[4];
    status = wy_case_move(c, t, tip, message);
    if (status != WY_OK)
      break;
    const wy_view *view = wy_sim_view(c->sim, 0);
    if (t < c->rod.ends[WY_END].release)
      out->missed = fmax(out->missed, fabs(tip[0] - view->ends[WY_END].position[0]));
    out->last = wy_sim_energy(c->sim, 0).kinetic;
    out->kinetic = fmax(out->kinetic, out->last);
    if (i % (steps / 500) == 0)
      wy_chart_point(energy, 0, t, out->last);
    if (fabs(t - 0.2) < 1e-9)
      memcpy(out->tip, tip, sizeof tip);
    if (findings && next < TIMES && fabs(t - times[next]) < 1e-9) {
      draw_strands(strands, c->scenario->strands[0].count, positions, strands_chart(findings, next, t), "strands");
      out->spread = fmax(out->spread, farthest(c, strands, positions));
      next++;
    }
  }
  return status;
}

/* On a finer grid. */
static wy_status pull_fine(course *out, wy_message *message) {
  wy_case c = tress(4 * CELLS);
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = pull(&c, NULL, NULL, NULL, out, message);
  wy_case_destroy(&c);
  return status;
}

static void compare(wy_findings *findings, const wy_case *c, const course *found, const course *fine) {
  const double disc = c->scenario->strands[0].radius;
  const wy_statistics statistics = wy_sim_statistics(c->sim, 0);
  wy_findings_add(findings, "hair tress: end against its support while pulled, N = 25", NAN, found->missed, 0, "m",
                  "2 m/s: what velocities lead to, and where the curvatures say it is");
  wy_findings_state(findings, "hair tress: end against its support while pulled, N = 100", fine->missed,
                    fine->missed < 0.25 * found->missed, "m", "limit a quarter of that with 25 segments");
  wy_findings_add(findings, "hair tress: largest distance of a strand from its guide", disc, found->spread, 0.02 * disc,
                  "m", "a disc of 5 mm; the outermost strands are just within; tolerance 2 %");
  wy_findings_add(findings, "hair tress: tip at t = 0.2, 25 against 100 segments", NAN,
                  wy_distance(found->tip, fine->tip), 0, "m", "the hair is 0.25 m long");
  wy_findings_add(findings, "hair tress: kinetic energy, largest", NAN, found->kinetic, 0, "J", "25 segments");
  wy_findings_state(findings, "hair tress: kinetic energy at t = 1 over the largest", found->last / found->kinetic,
                    found->last < 0.01 * found->kinetic, "", "it comes to rest; limit 0.01");
  wy_findings_bound(findings, "hair tress: Newton iterations of a step", 14,
                    (double)statistics.newton_iterations / (double)statistics.steps, "",
                    "published: within 14 on the average in all examples");
  wy_findings_where(findings, "text below the last figure");
}

wy_status wy_slw_hair(wy_findings *findings, wy_message *message) {
  wy_case c = tress(CELLS);
  wy_strands *strands = NULL;
  double *positions = NULL;
  course found = {0}, fine = {0};
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_strands_create(c.model, c.sim, &c.scenario->strands[0], &strands, message);
  if (status == WY_OK) {
    const size_t count = (size_t)c.scenario->strands[0].count;
    positions = calloc(count * (size_t)wy_strands_points(strands), 3 * sizeof *positions);
    status = positions ? pull(&c, strands, positions, findings, &found, message) : WY_ERROR_MEMORY;
  }
  if (status == WY_OK)
    status = pull_fine(&fine, message);
  if (status == WY_OK)
    compare(findings, &c, &found, &fine);
  free(positions);
  wy_strands_destroy(strands);
  wy_case_destroy(&c);
  return status;
}
