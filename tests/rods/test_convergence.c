/* SPDX-License-Identifier: MIT */
/* Second order in the number of segments: a damped swinging rod at t <= 0.5, position, velocity and frame at nine
   places. Time is integrated with 1e-11, so that successive differences show the error in space alone; they fall by 4
   with each doubling.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

enum { PLACES = 9, LEVELS = 4 };

typedef struct sample {
  double position[PLACES][3], velocity[PLACES][3], frame[PLACES][4];
} sample;

/* Where samples are taken: vertices of every grid used, so that no interpolation error mixes in. */
static double place(const wy_rod_def *rod, int i) {
  double x = (i + 1) / 10.0;
  return rod->segment_lengths ? rod->length * (2 * x + x * x) / 3 : rod->length * x;
}

static sample swing(wy_rod_def rod, const wy_solver_def *solver, double t) {
  const double gravity[3] = {1.5, 0, -9.81};
  wy_message message;
  sample out;
  test_sim made = make_sim(&rod, NULL, 0, solver, gravity);
  if (wy_sim_advance(made.sim, t, &message))
    fail_msg("%s", message.text);
  for (int i = 0; i < PLACES; i++) {
    double s = place(&rod, i), q[4];
    wy_sim_probe(made.sim, WY_POSITION, 0, s, q, NULL);
    memcpy(out.position[i], q, sizeof out.position[i]);
    wy_sim_probe(made.sim, WY_VELOCITY, 0, s, q, NULL);
    memcpy(out.velocity[i], q, sizeof out.velocity[i]);
    wy_sim_probe(made.sim, WY_ROTATION, 0, s, out.frame[i], NULL);
  }
  free_sim(&made);
  return out;
}

static double distance(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static void differences(const sample *a, const sample *b, double out[3]) {
  out[0] = distance(a->position[0], b->position[0], 3 * PLACES);
  out[1] = distance(a->velocity[0], b->velocity[0], 3 * PLACES);
  out[2] = distance(a->frame[0], b->frame[0], 4 * PLACES);
}

/* Orders from the triples (20, 40, 80) and (40, 80, 160). */
static void check_order(const char *what, wy_rod_def (*make)(int segments), const wy_solver_def *solver, double t) {
  static const char *const names[3] = {"position", "velocity", "frame"};
  sample at[LEVELS];
  double steps[LEVELS - 1][3];
  for (int level = 0; level < LEVELS; level++)
    at[level] = swing(make(20 << level), solver, t);
  for (int level = 0; level + 1 < LEVELS; level++)
    differences(&at[level], &at[level + 1], steps[level]);
  for (int level = 0; level + 2 < LEVELS; level++)
    for (int q = 0; q < 3; q++) {
      double order = log2(steps[level][q] / steps[level + 1][q]);
      print_message("%s, t = %g, %s: order %.3f from N = %d, %d, %d\n", what, t, names[q], order, 20 << level,
                    40 << level, 80 << level);
      if (!(fabs(order - 2) <= 0.1))
        fail_msg("%s: %s: observed order %.3f, want 2.0 +- 0.1", what, names[q], order);
    }
}

static wy_solver_def tight(void) {
  wy_solver_def solver = wy_default_solver_def();
  solver.relative_tolerance = solver.absolute_tolerance = 1e-11;
  return solver;
}

static void pinned_rod_converges_with_order_2(void **state) {
  (void)state;
  wy_solver_def solver = tight();
  check_order("pinned", rubber_rod, &solver, 0.5);
  check_order("pinned", rubber_rod, &solver, 0.25);
}

/* Stiffer than the pendulum: the bend at the clamp, of length (EI / weight)^(1/3), must be resolved by 20 segments to
 * see the order. */
static wy_rod_def clamped_rod(int segments) {
  wy_rod_def rod = rubber_rod(segments);
  rod.material.young = wy_constant(1e8);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static void clamped_rod_converges_with_order_2(void **state) {
  (void)state;
  wy_solver_def solver = tight();
  check_order("clamped", clamped_rod, &solver, 0.5);
}

static double grading[320];

/* Segments that grow smoothly along the rod, s = (2 x + x^2) / 3: the longest is twice the shortest. */
static wy_rod_def graded_rod(int segments) {
  wy_rod_def rod = clamped_rod(segments);
  double sum = 0;
  for (int i = 0; i < segments; i++) {
    double a = (double)i / segments, b = (double)(i + 1) / segments;
    grading[i] = i + 1 < segments ? (2 * b + b * b - 2 * a - a * a) / 3 : 1 - sum;
    sum += grading[i];
  }
  rod.segment_lengths = grading;
  return rod;
}

static void graded_segments_converge_with_order_2(void **state) {
  (void)state;
  wy_solver_def solver = tight();
  check_order("graded", graded_rod, &solver, 0.5);
}

/* All curvature measures and both coordinate forms have the same limit: at N = 160 they differ among each other by less
   than the difference that remains to the limit, which is a third of the last change (Richardson). Both forms agree to
   the tolerance. */
static void measures_and_forms_share_their_limit(void **state) {
  (void)state;
  wy_solver_def solver = tight();
  sample limit = {0};
  double last[3];
  for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++) {
    solver.staggered.curvature_measure = (wy_curvature_measure)measure;
    sample coarse = swing(clamped_rod(80), &solver, 0.5), fine = swing(clamped_rod(160), &solver, 0.5), extrapolated;
    double *a = (double *)&coarse, *b = (double *)&fine, *c = (double *)&extrapolated;
    for (size_t i = 0; i < sizeof(sample) / sizeof(double); i++)
      c[i] = b[i] + (b[i] - a[i]) / 3;
    if (measure == WY_SIN2) {
      limit = extrapolated;
      differences(&coarse, &fine, last);
      continue;
    }
    double apart[3];
    differences(&extrapolated, &limit, apart);
    for (int q = 0; q < 3; q++) /* extrapolated values have an error of order 4: a small part of the last change */
      if (!(apart[q] < 0.05 * last[q]))
        fail_msg("measure %d: extrapolated values differ by %g, want less than %g", measure, apart[q], 0.05 * last[q]);
  }
  solver.staggered.curvature_measure = WY_TAN2;
  sample null_space = swing(clamped_rod(20), &solver, 0.5);
  solver.staggered.coordinates = WY_ABSOLUTE;
  sample absolute = swing(clamped_rod(20), &solver, 0.5);
  double apart[3];
  differences(&null_space, &absolute, apart);
  check_close(apart[0], 0, 1e-8);
  check_close(apart[1], 0, 1e-7);
  check_close(apart[2], 0, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pinned_rod_converges_with_order_2), cmocka_unit_test(clamped_rod_converges_with_order_2),
      cmocka_unit_test(graded_segments_converge_with_order_2), cmocka_unit_test(measures_and_forms_share_their_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
