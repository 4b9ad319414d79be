/* SPDX-License-Identifier: MIT */
/* Lang, Linn, Arnold, "Multibody dynamics simulation of geometrically exact Cosserat rods" (2011): the performance
   examples, run with all methods and tolerances. */
#include <math.h>
#include <stdlib.h>

#include "experiments/lang_linn_arnold/common.h"

static const double duration = 10;

void wy_lla_as_published(wy_case *c) {
  c->solver.staggered.coordinates = WY_ABSOLUTE;
  c->solver.staggered.stabilisation = WY_BAUMGARTE;
  c->solver.staggered.baumgarte_omega = c->solver.staggered.baumgarte_r = 100;
}

/* An explicit and an implicit method with null-space coordinates must agree; errors of 1e-9 and more can then be told.
 */
static wy_status make_reference(wy_swing_rod rod, wy_findings *findings, wy_swing *reference, wy_message *message) {
  static const struct {
    const char *name;
    double tolerance;
  } methods[2] = {{"dopri5", 1e-11}, {"radau5", 1e-11}};
  wy_swing other;
  for (int i = 0; i < 2; i++) {
    wy_case c = wy_swing_case(rod, WY_SWING_SEGMENTS);
    c.solver.integrator = methods[i].name;
    c.solver.relative_tolerance = c.solver.absolute_tolerance = methods[i].tolerance;
    wy_status status = wy_swing_run(c, duration, i == 0 ? reference : &other, message);
    if (status != WY_OK)
      return status;
  }
  char what[96];
  double apart = wy_swing_apart(reference, &other);
  snprintf(what, sizeof what, "reference of the %s rod at t = 10: two methods apart", wy_lla_rod_name(rod));
  wy_findings_state(
      findings, what, apart, apart < 1e-10, "",
      "DOPRI5 with 1e-11 (the reference of all errors) and RADAU5 with 1e-11, largest difference of vertices "
      "and quaternions; limit 1e-10");
  return WY_OK;
}

static void run_once(const wy_lla_runs *runs, int method, double tolerance, const wy_swing *reference,
                     wy_lla_run *run) {
  wy_case c = wy_swing_case(runs->rod, WY_SWING_SEGMENTS);
  if (runs->coordinates == WY_ABSOLUTE)
    wy_lla_as_published(&c);
  wy_message message = {0};
  wy_swing swing;
  bool possible = wy_swing_choose(&c, &wy_swing_methods[method], tolerance, &message);
  if (!possible || wy_swing_run(c, duration, &swing, &message) != WY_OK) {
    run->failed = possible;
    snprintf(run->message, sizeof run->message, "%.150s", message.text);
    run->cost = (wy_swing_cost){INFINITY, INFINITY};
    return;
  }
  run->cost.time = run->done ? fmin(run->cost.time, swing.time) : swing.time;
  run->cost.error = reference ? wy_swing_apart(&swing, reference) : (double)NAN;
  run->statistics = swing.statistics;
  run->done = true;
}

/* Explicit methods take millions of steps on steel, as many with any tolerance: of those without published numbers,
   three of them do. With null space: what the stiff methods make of it. */
static bool wanted(const wy_lla_runs *runs, int method, int tolerance) {
  const wy_swing_method *m = &wy_swing_methods[method];
  if (runs->coordinates == WY_NULLSPACE)
    return m->stiff;
  return m->stiff || m->published || runs->rod == WY_SWING_RUBBER || tolerance % 3 == 0;
}

/* Methods take turns, so that what else the machine does hits all of them; the smallest time counts. What takes longer
   than a tenth of a second is run once. */
static void measure(wy_lla_runs *runs, const wy_swing *reference) {
  enum { REPETITIONS = 7 };
  for (int k = 0; k < WY_SWING_TOLERANCES; k++)
    for (int r = 0; r < REPETITIONS; r++)
      for (int m = 0; m < WY_SWING_METHODS; m++) {
        wy_lla_run *run = &runs->run[m][k];
        bool again = run->done && run->cost.time < 0.1;
        if ((r == 0 || again) && wanted(runs, m, k))
          run_once(runs, m, wy_swing_tolerances[k], reference, run);
      }
  for (int m = 0; m < WY_SWING_METHODS; m++) {
    const wy_lla_run *last = &runs->run[m][WY_SWING_TOLERANCES - 1];
    if (wy_swing_methods[m].stiff && last->done && last->cost.error > 1e-8)
      run_once(runs, m, wy_lla_tight, reference, &runs->tight[m]);
  }
}

static wy_status perform(wy_swing_rod rod, wy_findings *findings, wy_message *message) {
  wy_lla_runs *runs = calloc(2, sizeof *runs);
  if (!runs) {
    snprintf(message->text, sizeof message->text, "no memory for the runs");
    return WY_ERROR_MEMORY;
  }
  wy_swing reference;
  wy_status status = make_reference(rod, findings, &reference, message);
  for (int i = 0; i < 2 && status == WY_OK; i++) {
    runs[i] = (wy_lla_runs){.rod = rod, .coordinates = i == 0 ? WY_ABSOLUTE : WY_NULLSPACE};
    measure(&runs[i], &reference);
    wy_lla_precision(findings, &runs[i]);
  }
  if (status == WY_OK) {
    wy_lla_table(findings, &runs[0]);
    wy_lla_speed(findings, &runs[0], &runs[1]);
  }
  free(runs);
  return status;
}

/* Each row once, without a reference: what tests have the time for. */
wy_status wy_lla_counts(wy_findings *findings, wy_swing_rod rod, double most, wy_message *message) {
  wy_lla_runs *runs = calloc(1, sizeof *runs);
  if (!runs) {
    snprintf(message->text, sizeof message->text, "no memory for the runs");
    return WY_ERROR_MEMORY;
  }
  *runs = (wy_lla_runs){.rod = rod, .coordinates = WY_ABSOLUTE};
  for (int m = 0; m < WY_SWING_METHODS; m++)
    for (int k = 0; k < WY_SWING_TOLERANCES; k++)
      if (wy_lla_published_steps(rod, m, k) <= most)
        run_once(runs, m, wy_swing_tolerances[k], NULL, &runs->run[m][k]);
  wy_lla_table(findings, runs);
  free(runs);
  return WY_OK;
}

wy_status wy_lla_rubber(wy_findings *findings, wy_message *message) {
  return perform(WY_SWING_RUBBER, findings, message);
}

wy_status wy_lla_steel(wy_findings *findings, wy_message *message) {
  return perform(WY_SWING_STEEL, findings, message);
}
