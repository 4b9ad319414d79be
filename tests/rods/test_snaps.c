/* SPDX-License-Identifier: MIT */
/* Arches that snap: every curvature measure says the same of one, and the differences are those of the grid. */
#include <math.h>

#include "check.h"
#include "support/rods.h"

static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  const double size = *(const double *)context;
  jet[0] = size * t, jet[1] = size, jet[2] = 0;
}

/* Of length 1 between two clamps, its tangent turning by `angle`, with EI = 1, pushed down at its crown. One that is
   stiff about d2, which lies in its plane, and against twist stays in the plane. */
typedef struct arch_case {
  double angle, extension, push;
  bool plane;
} arch_case;

static const arch_case deep = {0.8, 4000, -50, false}, flat = {1.2, 2560 / 1.44, -37.5, true};

static test_sim arch(const arch_case *a, wy_curvature_measure measure, int segments, wy_continuation continuation) {
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = WY_KIRCHHOFF;
  rod.segments = segments;
  rod.length = 1;
  rod.has_stiffness = rod.has_inertia = true;
  const double side = a->plane ? 1000 : 1;
  const double stiffness[6] = {1, 1, a->extension, 1, side, side}, inertia[4] = {1, 1e-3, 1e-3, 2e-3};
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.shape.direction[0] = cos(0.5 * a->angle), rod.shape.direction[1] = 0,
  rod.shape.direction[2] = sin(0.5 * a->angle);
  rod.shape.d1[0] = 0, rod.shape.d1[1] = 1, rod.shape.d1[2] = 0;
  rod.shape.curvature[0] = wy_constant(a->angle);
  rod.ends[0] = rod.ends[1] = wy_end_clamped();
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_ARC;
  load.from = 0.5;
  load.force[2] = (wy_signal){0, growing, &a->push, WY_TIME};
  wy_solver_def solver = wy_default_solver_def();
  solver.statics.continuation = continuation;
  solver.staggered.curvature_measure = measure;
  return make_sim(&rod, &load, 1, &solver, NULL);
}

/* Follows the load to the end, up to `rows` times. */
static wy_equilibrium_info pushed(const arch_case *a, wy_curvature_measure measure, int segments,
                                  wy_continuation continuation, int rows) {
  wy_message message = {0};
  test_sim made = arch(a, measure, segments, continuation);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  for (int i = 1; i <= rows; i++)
    must(wy_sim_follow(made.sim, (double)i / rows, &message), &message);
  const wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  free_sim(&made);
  return info;
}

static const wy_curvature_measure measures[] = {WY_SIN2, WY_SIN4, WY_TAN2, WY_TAN4, WY_ANGLE};

enum { MEASURES = sizeof measures / sizeof *measures };

/* It may leave its plane at a bifurcation, and snaps later; then it comes back to its plane, and nothing leaps there.
 */
static void a_deep_arch_snaps_once(void **state) {
  (void)state;
  for (int m = 0; m < MEASURES; m++)
    for (int segments = 20; segments <= 40; segments += segments == 20 ? 1 : 19)
      for (int rows = 1; rows <= 10; rows += 9) {
        const wy_equilibrium_info info = pushed(&deep, measures[m], segments, WY_LOAD_STEPPING, rows);
        if (info.snaps != 1 || info.bifurcations != 1 || info.unstable != 0)
          fail_msg("measure %d, %d segments, %d rows: %d snaps, %d bifurcations, %d unstable directions",
                   (int)measures[m], segments, rows, info.snaps, info.bifurcations, info.unstable);
        check_below(info.first_bifurcation, info.first_snap);
      }
}

/* Times of snaps are a constant after the limit point, which is known to a few millionths. Measures differ by terms of
   second order in the length of a segment: by a quarter where there are twice as many, up to the terms of fourth order,
   (phi^2 of 20 segments) 2e-3 of it, and 4e-6 in 1e-4. */
static void measures_agree_on_when(void **state) {
  (void)state;
  double apart[2];
  for (int k = 0; k < 2; k++) {
    const int segments = k == 0 ? 20 : 40;
    apart[k] = pushed(&deep, WY_TAN2, segments, WY_LOAD_STEPPING, 1).first_snap -
               pushed(&deep, WY_ANGLE, segments, WY_LOAD_STEPPING, 1).first_snap;
  }
  print_message("snaps with tan2 and angle: %.3g and %.3g apart\n", apart[0], apart[1]);
  check_close(apart[0] / apart[1], 4, 0.2);
}

/* Stable before and after it, and there is nothing but its limit points: arc length passes two of them. */
static void a_flat_arch_has_two_limit_points(void **state) {
  (void)state;
  for (int m = 0; m < MEASURES; m++)
    for (int segments = 20; segments <= 80; segments *= 2)
      for (int rows = 1; rows <= 10; rows += 9) {
        const wy_equilibrium_info snaps = pushed(&flat, measures[m], segments, WY_LOAD_STEPPING, rows);
        const wy_equilibrium_info path = pushed(&flat, measures[m], segments, WY_ARC_LENGTH, rows);
        if (snaps.snaps != 1 || path.limit_points != 2 || snaps.bifurcations != 0 || path.bifurcations != 0 ||
            snaps.unstable != 0 || path.unstable != 0)
          fail_msg("measure %d, %d segments, %d rows: %d snaps, %d limit points, %d and %d bifurcations",
                   (int)measures[m], segments, rows, snaps.snaps, path.limit_points, snaps.bifurcations,
                   path.bifurcations);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_deep_arch_snaps_once), cmocka_unit_test(measures_agree_on_when),
                                     cmocka_unit_test(a_flat_arch_has_two_limit_points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
