/* SPDX-License-Identifier: MIT */
/* Rods through points of a helix against rods that are given as this helix, in every scheme. Their frames differ: those
   of the points turn least, those of the helix with it. The section is round, so that nothing else does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double radius = 0.2, pitch = 0.3, turns = 0.75, two_pi = 6.28318530717958647692;

enum { POINTS = 201, SEGMENTS = 60 };

typedef struct method {
  const char *scheme;
  wy_rod_kind kind;
  bool statics;
} method;

static const method methods[] = {{"staggered", WY_COSSERAT, true},
                                 {"staggered", WY_KIRCHHOFF, true},
                                 {"mixed", WY_COSSERAT, true},
                                 {"conserving", WY_COSSERAT, false},
                                 {"box", WY_INEXTENSIBLE, true}};
enum { METHODS = sizeof methods / sizeof *methods };

/* The helix of wy_shape.helix begins at its origin along `direction`, with its axis at distance `radius` along d1. */
static wy_rod_def helix_rod(const method *with) {
  wy_rod_def rod = rubber_rod(with->scheme[0] == 'c' ? SEGMENTS + 1 : SEGMENTS);
  const double rise = pitch / two_pi, w = hypot(radius, rise);
  rod.kind = with->kind;
  rod.length = 0;
  rod.shape = (wy_shape){.origin = {radius, 0, 0}, .direction = {0, radius / w, rise / w}, .d1 = {-1, 0, 0}};
  rod.shape.helix.radius = radius, rod.shape.helix.pitch = pitch, rod.shape.helix.turns = turns;
  rod.ends[WY_START] = wy_end_clamped();
  rod.damping = (wy_damping){.kind = WY_UNDAMPED}; /* which conserving has not */
  return rod;
}

static wy_rod_def points_rod(const method *with, double *points) {
  wy_rod_def rod = helix_rod(with);
  for (int i = 0; i < POINTS; i++) {
    const double angle = two_pi * turns * i / (POINTS - 1);
    points[3 * i] = radius * cos(angle);
    points[3 * i + 1] = radius * sin(angle);
    points[3 * i + 2] = pitch * angle / two_pi;
  }
  rod.shape = (wy_shape){.points = points, .point_count = POINTS};
  return rod;
}

/* Under gravity: in equilibrium, or after a while where the scheme finds none. */
static void hang(const wy_rod_def *rod, const method *with, double start[3], double end[3]) {
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim_def = wy_default_sim_def();
  wy_message message = {0};
  test_sim made = {0};
  double x[4];
  def.rods = rod, def.rod_count = 1, def.gravity[2] = -0.5;
  sim_def.solver.scheme = with->scheme;
  sim_def.statics = with->statics;
  sim_def.end = 0.2;
  sim_def.solver.first_step = 1e-3;
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim_def, &made.sim, &message), &message);
  const double length = wy_model_rod(made.model, 0)->length;
  wy_sim_probe(made.sim, WY_POSITION, 0, length, x, &message);
  memcpy(start, x, 3 * sizeof *start);
  if (with->statics)
    must(wy_sim_settle(made.sim, 0, &message), &message);
  else
    must(wy_sim_advance(made.sim, 0.2, &message), &message);
  wy_sim_probe(made.sim, WY_POSITION, 0, length, x, &message);
  memcpy(end, x, 3 * sizeof *end);
  free_sim(&made);
}

static void points_and_helix_agree(void **state) {
  (void)state;
  static double points[3 * POINTS];
  for (int m = 0; m < METHODS; m++) {
    const wy_rod_def one = helix_rod(&methods[m]), other = points_rod(&methods[m], points);
    double start[2][3], end[2][3];
    hang(&one, &methods[m], start[0], end[0]);
    hang(&other, &methods[m], start[1], end[1]);
    double first = 0, last = 0, moved = 0, off = 0;
    for (int i = 0; i < 3; i++) {
      first = fmax(first, fabs(start[0][i] - start[1][i]));
      last = fmax(last, fabs(end[0][i] - end[1][i]));
      moved = fmax(moved, fabs(end[0][i] - start[0][i]));
      off = fmax(off, fabs(start[1][i] - points[3 * (POINTS - 1) + i]));
    }
    print_message("%s, model %d: at first %.2e apart (%.2e from the last point), at last %.2e, moved by %.3f\n",
                  methods[m].scheme, methods[m].kind, first, off, last, moved);
    /* The curvature K through points at distance h is wrong by a share (K h)^2/12, which bends the tip away by that
       share of K L^2/2. Pieces of length h that see the curvature in other frames differ by a share (K h)^2/12, too. */
    const double w = hypot(radius, pitch / two_pi), length = two_pi * turns * w, k = radius / (w * w);
    const double share = pow(k * length / (POINTS - 1), 2) / 12, coarse = pow(k * length / SEGMENTS, 2) / 12;
    check_below(first, share * k * length * length / 2);
    check_below(off, coarse * k * length * length / 2);
    check_above(moved, 0.005);
    check_below(last, share * k * length * length / 2 + coarse * moved);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_and_helix_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
