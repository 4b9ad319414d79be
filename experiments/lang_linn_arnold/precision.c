/* SPDX-License-Identifier: MIT */
/* Figure 7: work and precision. How errors follow tolerances, and how fast the rods are simulated. */
#include <math.h>
#include <string.h>

#include "experiments/lang_linn_arnold/common.h"

/* ---- charts ---- */

static wy_chart *chart_of(wy_findings *findings, const wy_lla_runs *runs, const char *kind, const char *x) {
  char name[32], title[96];
  bool absolute = runs->coordinates == WY_ABSOLUTE;
  snprintf(name, sizeof name, "lla-%s-%s%s", kind, wy_lla_rod_name(runs->rod), absolute ? "" : "-null");
  snprintf(title, sizeof title, "Figure 7: error against %s, %s, %s", kind, wy_lla_rod_name(runs->rod),
           absolute ? "absolute coordinates as published" : "null space");
  wy_chart *chart = wy_chart_new(
      findings, name, title, x, "error at t = 10",
      !absolute ? "The same in null-space coordinates, which the paper names as a further gain: all methods are faster."
      : strcmp(kind, "time") == 0 ? "Published: five methods, TOL = 1e-2 to 1e-8, on a 2.19 GHz Opteron. Look for: "
                                    "RODAS soonest at rough errors, "
                                    "RADAU5 at small ones, DOPRI5 a steep line far to the right: it needs as many "
                                    "steps with any tolerance. IDA "
                                    "stands for DASPK; DOP853, CVODE, BS23 and NDF were not published."
                                  : "The errors of Figure 7 over the tolerance. Look for: lines that fall with TOL "
                                    "down to 1e-8, without a plateau.");
  if (chart)
    chart->log_x = chart->log_y = chart->marks = true;
  return chart;
}

static void draw(wy_findings *findings, const wy_lla_runs *runs, bool against_time) {
  wy_chart *chart = chart_of(findings, runs, against_time ? "time" : "tolerance", against_time ? "time in ms" : "TOL");
  for (int m = 0; m < WY_SWING_METHODS; m++) {
    int curve = -1;
    for (int k = 0; k < WY_SWING_TOLERANCES; k++) {
      const wy_lla_run *run = &runs->run[m][k];
      if (!run->done)
        continue;
      if (curve < 0)
        curve = wy_chart_curve(chart, wy_swing_methods[m].title);
      wy_chart_point(chart, curve, against_time ? 1e3 * run->cost.time : wy_swing_tolerances[k], run->cost.error);
    }
  }
}

/* ---- errors and tolerances ---- */

/* The largest error(TOL/100)/error(TOL): below 1 where two decades of tolerance always gain something. One decade alone
   may not: the error at one moment also has a sign, and passes through zero. */
static double slowest_fall(const wy_lla_run run[WY_SWING_TOLERANCES]) {
  double worst = 0;
  for (int k = 2; k < WY_SWING_TOLERANCES; k++)
    if (run[k].done && run[k - 2].done)
      worst = fmax(worst, run[k].cost.error / run[k - 2].cost.error);
  return worst;
}

/* Errors below this are those of round-off and of the reference. */
static const double floor_of_errors = 1e-10;

/* The largest error over that of the next coarser tolerance, among errors that can be told. */
static double largest_rise(const wy_lla_run run[WY_SWING_TOLERANCES]) {
  double worst = 0, before = INFINITY;
  for (int k = 0; k < WY_SWING_TOLERANCES; k++)
    if (run[k].done) {
      double error = fmax(run[k].cost.error, floor_of_errors);
      worst = fmax(worst, error / before);
      before = error;
    }
  return worst;
}

static void state_fall(wy_findings *findings, const wy_lla_runs *runs, int m) {
  const wy_swing_method *method = &wy_swing_methods[m];
  const wy_lla_run *run = runs->run[m];
  const int last = WY_SWING_TOLERANCES - 1;
  if (!run[0].done || !run[last].done)
    return;
  char what[96];
  const char *form = runs->coordinates == WY_ABSOLUTE ? "" : ", null space";
  if (!method->stiff) {
    double rise = largest_rise(run);
    snprintf(what, sizeof what, "%s, %s%s: largest rise of the error", method->title, wy_lla_rod_name(runs->rod), form);
    bool falls = run[last].cost.error <= run[0].cost.error;
    wy_findings_state(
        findings, what, rise, rise < 2 && falls, "",
        "error(TOL/10) / error(TOL) at t = 10, errors below 1e-10 count as 1e-10; limit 2, and the last is not "
        "above the first: flat where stability limits the step");
    return;
  }
  double fall = slowest_fall(run);
  snprintf(what, sizeof what, "%s, %s%s: slowest fall of the error", method->title, wy_lla_rod_name(runs->rod), form);
  wy_findings_state(findings, what, fall, fall < 1, "", "largest error(TOL/100) / error(TOL) at t = 10; limit 1");
  /* Fallen, or falling still: then there is no plateau above 1e-8. */
  double error = run[last].cost.error;
  snprintf(what, sizeof what, "%s, %s%s: error with TOL = 1e-8", method->title, wy_lla_rod_name(runs->rod), form);
  if (!runs->tight[m].done) {
    wy_findings_state(findings, what, error, error <= 1e-8, "", "no plateau above 1e-8");
    return;
  }
  wy_findings_add(findings, what, NAN, error, 0, "", "above 1e-8: see the next row");
  double tight = runs->tight[m].cost.error;
  snprintf(what, sizeof what, "%s, %s%s: error with TOL = 1e-10", method->title, wy_lla_rod_name(runs->rod), form);
  wy_findings_state(
      findings, what, tight, tight <= 1e-8 || tight < error, "",
      "no plateau: below 1e-8, or two decades of tolerance still gain, as above. Multistep methods of order 3 to 5 "
      "are not stable near the imaginary axis, so that their errors fall slowly on the steel string");
}

void wy_lla_precision(wy_findings *findings, const wy_lla_runs *runs) {
  draw(findings, runs, true);
  if (runs->coordinates == WY_ABSOLUTE)
    draw(findings, runs, false);
  for (int m = 0; m < WY_SWING_METHODS; m++)
    state_fall(findings, runs, m);
}

/* ---- speed ---- */

static bool is(int m, const char *name) {
  return strcmp(wy_swing_methods[m].name, name) == 0;
}

/* Of the library, and for stiff equations. */
static bool is_own(int m) {
  return wy_swing_methods[m].stiff && !is(m, "ida") && !is(m, "cvode");
}

static double time_at(const wy_lla_runs *runs, int m, double error) {
  wy_swing_cost series[WY_SWING_TOLERANCES];
  for (int k = 0; k < WY_SWING_TOLERANCES; k++)
    series[k] = runs->run[m][k].done ? runs->run[m][k].cost : (wy_swing_cost){INFINITY, INFINITY};
  return wy_swing_time_at(series, WY_SWING_TOLERANCES, error);
}

/* Ten seconds over the time at TOL = 1e-2, of the fastest own method whose error is below a tenth of the length. */
static void real_time(wy_findings *findings, const wy_lla_runs *runs, double published, double limit) {
  const char *best = "";
  double factor = 0;
  for (int m = 0; m < WY_SWING_METHODS; m++)
    if (is_own(m) && runs->run[m][0].done && runs->run[m][0].cost.error < 0.1 &&
        10 / runs->run[m][0].cost.time > factor) {
      factor = 10 / runs->run[m][0].cost.time;
      best = wy_swing_methods[m].title;
    }
  char what[96], note[192];
  snprintf(what, sizeof what, "real-time factor, %s, %s, TOL = 1e-2", wy_lla_rod_name(runs->rod),
           runs->coordinates == WY_ABSOLUTE ? "absolute" : "null space");
  int length = snprintf(note, sizeof note, "%s; published: %g (RODAS, absolute, 2.19 GHz Opteron)", best, published);
  if (runs->coordinates == WY_ABSOLUTE) {
    wy_findings_add(findings, what, published, factor, NAN, "", note);
    wy_findings_where(findings, "section 4, text");
    return;
  }
  snprintf(note + length, sizeof note - (size_t)length, "; limit %g", limit);
  wy_findings_state(findings, what, factor, factor >= limit, "", note);
}

/* At errors that IDA and one of withy's own methods reach. */
static void against_ida(wy_findings *findings, const wy_lla_runs *runs) {
  static const double errors[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  int ida = 0;
  while (!is(ida, "ida"))
    ida++;
  for (size_t i = 0; i < sizeof errors / sizeof *errors && runs->run[ida][0].done; i++) {
    double theirs = time_at(runs, ida, errors[i]), ours = INFINITY;
    const char *best = "";
    for (int m = 0; m < WY_SWING_METHODS; m++) {
      if (is_own(m) && time_at(runs, m, errors[i]) < ours) {
        ours = time_at(runs, m, errors[i]);
        best = wy_swing_methods[m].title;
      }
    }
    if (!isfinite(theirs) || !isfinite(ours) || runs->run[ida][0].cost.error < errors[i])
      continue;
    char what[96], note[192];
    snprintf(what, sizeof what, "time of IDA / time of withy, error %.0e, %s%s", errors[i], wy_lla_rod_name(runs->rod),
             runs->coordinates == WY_ABSOLUTE ? "" : ", null space");
    snprintf(note, sizeof note,
             "%s; least time of TOL = 1e-2 to 1e-8 that reaches the error, IDA with withy's linear solver", best);
    wy_findings_add(findings, what, NAN, theirs / ours, 0, "", note);
  }
}

/* "For rough error control, RODAS performs best", "for high accuracy demands, RADAU5": among the published methods
   whose code is here, too, by the time that reaches an error. */
static void best_method(wy_findings *findings, const wy_lla_runs *runs, const char *name, double error) {
  double best = INFINITY, next = INFINITY;
  for (int m = 0; m < WY_SWING_METHODS; m++) {
    const wy_swing_method *method = &wy_swing_methods[m];
    if (!method->published || method->likes)
      continue;
    if (is(m, name))
      best = time_at(runs, m, error);
    else
      next = fmin(next, time_at(runs, m, error));
  }
  char what[96];
  bool rough = error > 1e-4;
  snprintf(what, sizeof what, "%s at error %.0e, %s: time of the next best / its time", rough ? "RODAS" : "RADAU5",
           error, wy_lla_rod_name(runs->rod));
  wy_findings_state(findings, what, next / best, next > best, "",
                    rough ? "published: RODAS performs best for rough error control; above 1"
                          : "published: RADAU5 performs best for high accuracy; above 1");
  wy_findings_where(findings, "section 4, text; Figure 7");
}

/* "An evaluation of f needs about 1.06e-5 s": DOPRI5 does little else. */
static void time_of_f(wy_findings *findings, const wy_lla_runs *runs) {
  for (int m = 0; m < WY_SWING_METHODS; m++)
    if (is(m, "dopri5") && runs->run[m][0].done) {
      wy_findings_add(findings, "time of a right-hand side, rubber", 1.06e-5,
                      runs->run[m][0].cost.time / (double)runs->run[m][0].statistics.rhs, NAN, "s",
                      "DOPRI5 with TOL = 1e-2: all of its time over f; published on a 2.19 GHz Opteron");
      wy_findings_where(findings, "section 4, text");
    }
}

void wy_lla_speed(wy_findings *findings, const wy_lla_runs *absolute, const wy_lla_runs *null_space) {
  bool steel = absolute->rod == WY_SWING_STEEL;
  best_method(findings, absolute, "rodas", 1e-2);
  best_method(findings, absolute, "radau5", 1e-7);
  if (!steel)
    time_of_f(findings, absolute);
  real_time(findings, absolute, steel ? 17 : 47, steel ? 300 : 800);
  real_time(findings, null_space, steel ? 17 : 47, steel ? 300 : 800);
  against_ida(findings, absolute);
  against_ida(findings, null_space);
}
