/* Rods that are given by points of their centreline: length, curvature, torsion, positions and frames against those of
   circles and helices, with the order in the distance of the points; and what does not depend on where the points lie.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/rods.h"
#include "withy/withy.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 2000 };

/* A helix of radius r and rise c per radian, up to `angle`: curvature r/w^2, torsion c/w^2, w^2 = r^2 + c^2. */
typedef struct helix {
  double r, c, angle;
} helix;

static const helix circle = {0.3, 0, 4}, coil = {0.3, 0.1, 9};

static double speed(const helix *of) {
  return hypot(of->r, of->c);
}

static double length_of(const helix *of) {
  return speed(of) * of->angle;
}

static void point_at(const helix *of, double angle, double x[3]) {
  x[0] = of->r * cos(angle), x[1] = of->r * sin(angle), x[2] = of->c * angle;
}

/* Evenly spaced, or with distances that differ by a factor of up to 3. */
static void points_of(const helix *of, int count, bool uneven, double *points) {
  for (int i = 0; i < count; i++) {
    const double share = (double)i / (count - 1), more = uneven ? sin(6 * pi * share) / (6 * pi) / 2 : 0;
    point_at(of, of->angle * (share + more), points + 3 * i);
  }
}

static wy_model *model_of(const double *points, int count, const double d1[3]) {
  wy_rod_def rod = rubber_rod(40);
  wy_model_def def = wy_default_model_def();
  wy_model *model;
  wy_message message = {0};
  rod.length = 0;
  rod.shape = (wy_shape){.points = points, .point_count = count};
  memcpy(rod.shape.d1, d1, sizeof rod.shape.d1);
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  return model;
}

static const double any_d1[3] = {0, 0, 0};

static double bend_at(const wy_model *model, double s, double k[2]) {
  for (int i = 0; i < 2; i++) {
    double jet[3];
    const wy_signal *signal = &wy_model_rod(model, 0)->shape.curvature[i];
    signal->evaluate(signal->context, WY_ARC, s, 0, jet);
    k[i] = jet[0];
  }
  return hypot(k[0], k[1]);
}

/* What a helix should have, and the largest differences from it along the rod. */
typedef struct errors {
  double length, curvature, torsion, position, tangent;
} errors;

/* In frames that turn least the curvature turns by the torsion: the angle of (K1, K2) from start to end, followed. */
static double turned(const wy_model *model, double length) {
  enum { STEPS = 4000 };
  double k[2], angle = 0, before = 0;
  for (int i = 0; i <= STEPS; i++) {
    bend_at(model, length * i / STEPS, k);
    const double now = atan2(k[1], k[0]);
    angle += i == 0 ? 0 : remainder(now - before, 2 * pi);
    before = now;
  }
  return angle;
}

static errors compare(const helix *of, int count, bool uneven) {
  static double points[3 * MOST];
  points_of(of, count, uneven, points);
  wy_model *model = model_of(points, count, any_d1);
  const double length = wy_model_rod(model, 0)->length, w = speed(of);
  errors most = {.length = fabs(length - length_of(of))};
  for (int i = 0; i <= 100; i++) {
    double k[2], x[3], q[4], want[3], r[9], s = length * i / 100, angle = s / w;
    most.curvature = fmax(most.curvature, fabs(bend_at(model, s, k) - of->r / (w * w)));
    wy_model_reference(model, 0, s, x, q);
    point_at(of, angle, want);
    wy_qmatrix(q, r);
    const double tangent[3] = {-of->r * sin(angle) / w, of->r * cos(angle) / w, of->c / w};
    for (int j = 0; j < 3; j++) {
      most.position = fmax(most.position, fabs(x[j] - want[j]));
      most.tangent = fmax(most.tangent, fabs(r[3 * j + 2] - tangent[j]));
    }
  }
  most.torsion = fabs(fabs(turned(model, length)) / length - fabs(of->c) / (w * w));
  wy_model_destroy(model);
  return most;
}

/* Halving the distance of the points divides an error of order 2 by 4: by 3 or more, since the pieces at the ends are
   not quite in their asymptotic range. */
static void check_order(const helix *of, bool uneven) {
  const errors coarse = compare(of, 41, uneven), fine = compare(of, 81, uneven), finest = compare(of, 161, uneven);
  print_message(
      "uneven %d: curvature %.2e %.2e %.2e, torsion %.2e %.2e %.2e, position %.2e %.2e %.2e, tangent %.2e %.2e "
      "%.2e, length %.2e %.2e %.2e\n",
      uneven, coarse.curvature, fine.curvature, finest.curvature, coarse.torsion, fine.torsion, finest.torsion,
      coarse.position, fine.position, finest.position, coarse.tangent, fine.tangent, finest.tangent, coarse.length,
      fine.length, finest.length);
  check_above(coarse.curvature / fine.curvature, 3);
  check_above(fine.curvature / finest.curvature, 3);
  check_above(coarse.position / finest.position, 9);
  check_above(coarse.tangent / finest.tangent, 9);
  check_above(coarse.length / finest.length, 9);
  if (of->c != 0)
    check_above(coarse.torsion / finest.torsion, 9);
  /* The curvature that a cubic spline of points at distance h has differs by h^2 K''/12 and, for the chord instead of
     the arc, by h^2 K^3/24: below h^2 K^3 with uneven distances up to twice the mean. */
  const double w = speed(of), k = of->r / (w * w), h = length_of(of) / 160 * (uneven ? 2 : 1);
  check_below(finest.curvature, h * h * k * k * k);
}

static void a_circle_is_met_with_order_2(void **state) {
  (void)state;
  check_order(&circle, false);
  check_order(&circle, true);
}

static void a_helix_is_met_with_order_2(void **state) {
  (void)state;
  check_order(&coil, false);
  check_order(&coil, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_is_met_with_order_2),
      cmocka_unit_test(a_helix_is_met_with_order_2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
