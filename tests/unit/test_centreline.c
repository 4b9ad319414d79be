/* SPDX-License-Identifier: MIT */
/* Rods that are given by points of their centreline: length, curvature, torsion, positions and frames against those of
   circles and helices, with the order in the distance of the points; and what does not depend on where the points lie.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "math/vec3.h"
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

/* ---- What does not depend on where the points lie ---- */

enum { COUNT = 41 };

/* A model of the coil, and of what is made of its points and of d1. */
typedef struct twins {
  wy_model *one, *other;
} twins;

static void rotate(const double q[4], const double a[3], double out[3]) {
  double r[9];
  wy_qmatrix(q, r);
  wy_mul3(r, a, out);
}

/* x -> factor R x + shift. */
static twins twins_of(const double q[4], const double shift[3], double factor) {
  static double points[3 * COUNT], moved[3 * COUNT];
  const double d1[3] = {1, 0.2, 0.5};
  double other_d1[3];
  points_of(&coil, COUNT, true, points);
  for (int i = 0; i < COUNT; i++) {
    rotate(q, points + 3 * i, moved + 3 * i);
    for (int k = 0; k < 3; k++)
      moved[3 * i + k] = factor * moved[3 * i + k] + shift[k];
  }
  rotate(q, d1, other_d1);
  return (twins){model_of(points, COUNT, d1), model_of(moved, COUNT, other_d1)};
}

static void turned_shifted_and_scaled_points_give_the_same(void **state) {
  (void)state;
  double q[4] = {0.3, -0.5, 0.7, 0.2};
  wy_qnormalise(q);
  const double shift[3] = {3, -2, 5}, factor = 1000;
  const twins pair = twins_of(q, shift, factor);
  const double length = wy_model_rod(pair.one, 0)->length;
  /* What is lost by the shift: coordinates of size 300 instead of 1, in second differences over (1/40)^2. */
  const double lost = 1e4 * 40 * 40 * DBL_EPSILON;
  check_close(wy_model_rod(pair.other, 0)->length / factor, length, lost);
  for (int i = 0; i <= 20; i++) {
    double k[2], moved_k[2], x[3], moved_x[3], p[4], moved_p[4], turned_x[3];
    const double s = length * (i + 0.3) / 21; /* not where rounding changes how many steps lead there */
    bend_at(pair.one, s, k);
    bend_at(pair.other, s * factor, moved_k);
    for (int j = 0; j < 2; j++)
      check_close(moved_k[j] * factor, k[j], lost);
    wy_model_reference(pair.one, 0, s, x, p);
    wy_model_reference(pair.other, 0, s * factor, moved_x, moved_p);
    rotate(q, x, turned_x);
    for (int j = 0; j < 3; j++)
      check_close((moved_x[j] - shift[j]) / factor, turned_x[j], lost);
  }
  wy_model_destroy(pair.one);
  wy_model_destroy(pair.other);
}

/* Backwards the curvature has the same size at the same places, and the rod ends where it began. */
static void reversed_points_give_the_same_line(void **state) {
  (void)state;
  static double points[3 * COUNT], reversed[3 * COUNT];
  points_of(&coil, COUNT, true, points);
  for (int i = 0; i < COUNT; i++)
    memcpy(reversed + 3 * i, points + 3 * (COUNT - 1 - i), 3 * sizeof(double));
  wy_model *one = model_of(points, COUNT, any_d1), *other = model_of(reversed, COUNT, any_d1);
  const double length = wy_model_rod(one, 0)->length;
  check_close(wy_model_rod(other, 0)->length, length, 1e-13);
  for (int i = 0; i <= 20; i++) {
    double k[2], x[3], back[3], s = length * i / 20;
    check_close(bend_at(one, s, k), bend_at(other, length - s, k), 1e-9);
    wy_model_reference(one, 0, s, x, NULL);
    wy_model_reference(other, 0, length - s, back, NULL);
    for (int j = 0; j < 3; j++)
      check_close(x[j], back[j], 2e-4); /* each has its own error of order 2, see above */
  }
  wy_model_destroy(one);
  wy_model_destroy(other);
}

/* Another d1 turns the frames about the tangent and nothing else; it is made normal to it. */
static void the_first_director_is_free(void **state) {
  (void)state;
  static double points[3 * COUNT];
  const double d1[3] = {1, 0.2, 0.5};
  points_of(&coil, COUNT, false, points);
  wy_model *one = model_of(points, COUNT, any_d1), *other = model_of(points, COUNT, d1);
  double k[2], other_k[2], x[3], other_x[3], angle = 0;
  for (int i = 0; i <= 20; i++) {
    const double s = wy_model_rod(one, 0)->length * i / 20;
    check_close(bend_at(one, s, k), bend_at(other, s, other_k), 1e-9);
    const double now = remainder(atan2(other_k[1], other_k[0]) - atan2(k[1], k[0]), 2 * pi);
    if (i == 0)
      angle = now;
    check_close(remainder(now - angle, 2 * pi), 0, 1e-9);
    wy_model_reference(one, 0, s, x, NULL);
    wy_model_reference(other, 0, s, other_x, NULL);
    for (int j = 0; j < 3; j++)
      check_close(x[j], other_x[j], 1e-9);
  }
  check_above(fabs(angle), 0.1);
  wy_model_destroy(one);
  wy_model_destroy(other);
}

/* Two points: a line; three: an arc through all of them. */
static void few_points_are_enough(void **state) {
  (void)state;
  const double two[6] = {1, 2, 3, 1, 2, 5}, three[9] = {0, 0, 0, 1, 0.1, 0, 2, 0, 0};
  double k[2], x[3];
  wy_model *line = model_of(two, 2, any_d1), *arc = model_of(three, 3, any_d1);
  check_close(wy_model_rod(line, 0)->length, 2, 1e-15);
  check_close(bend_at(line, 0.7, k), 0, 1e-15);
  wy_model_reference(line, 0, 2, x, NULL);
  check_close(x[0], 1, 1e-15);
  check_close(x[2], 5, 1e-13);
  wy_model_reference(arc, 0, wy_model_rod(arc, 0)->length, x, NULL);
  check_close(x[0], 2, 1e-4);
  check_close(x[1], 0, 1e-4);
  wy_model_destroy(line);
  wy_model_destroy(arc);
}

/* ---- What is refused ---- */

static void check_refused(const wy_rod_def *rod, const char *path, const char *part) {
  wy_model_def def = wy_default_model_def();
  wy_model *model;
  wy_message message = {0};
  def.rods = rod, def.rod_count = 1;
  assert_int_equal(wy_model_create(&def, &model, &message), WY_ERROR_INPUT);
  assert_null(model);
  assert_string_equal(message.path, path);
  if (!strstr(message.text, part))
    fail_msg("got '%s', want '%s' in it", message.text, part);
}

static wy_rod_def rod_of(const double *points, int count) {
  wy_rod_def rod = rubber_rod(4);
  rod.length = 0;
  rod.shape = (wy_shape){.points = points, .point_count = count};
  return rod;
}

static void bad_points_are_refused(void **state) {
  (void)state;
  const double good[9] = {0, 0, 0, 1, 0, 0, 2, 1, 0}, nan[6] = {0, 0, 0, 1, (double)NAN, 0};
  const double twice[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0}, back[9] = {0, 0, 0, 1, 0, 0, 0, 1e-5, 0};
  const double huge[6] = {-1e308, 0, 0, 1e308, 0, 0};
  wy_rod_def rod = rod_of(good, 1);
  check_refused(&rod, "rods[0].shape.points", "found 1 point; expected at least 2");
  rod = rod_of(good, -1);
  check_refused(&rod, "rods[0].shape.points", "found -1 points");
  rod = rod_of(good, 50001);
  check_refused(&rod, "rods[0].shape.points", "found 50001 points; expected 2 to 50000");
  rod = rod_of(NULL, 3);
  check_refused(&rod, "rods[0].shape.points", "found 3 points without an array of them");
  rod = rod_of(nan, 2);
  check_refused(&rod, "rods[0].shape.points", "point 2: found [1, nan, 0]; expected finite numbers");
  rod = rod_of(twice, 3);
  check_refused(&rod, "rods[0].shape.points", "point 3: found [1, 0, 0] a second time");
  rod = rod_of(back, 3);
  check_refused(&rod, "rods[0].shape.points", "the points turn back near point 2");
  rod = rod_of(huge, 2);
  check_refused(&rod, "rods[0].shape.points", "outside the range of double precision");
}

static void what_follows_from_points_is_left_out(void **state) {
  (void)state;
  const double good[9] = {0, 0, 0, 1, 0, 0, 2, 1, 0};
  wy_rod_def rod = rod_of(good, 3);
  rod.length = 2;
  check_refused(&rod, "rods[0].length", "found 2, but the line through the points has length");
  rod = rod_of(good, 3);
  rod.shape.helix.turns = 1, rod.shape.helix.radius = 0.1;
  check_refused(&rod, "rods[0].shape.helix", "stands beside points");
  rod = rod_of(good, 3);
  rod.shape.origin[2] = 1;
  check_refused(&rod, "rods[0].shape.origin", "stands beside points");
  rod = rod_of(good, 3);
  rod.shape.direction[2] = 1;
  check_refused(&rod, "rods[0].shape.direction", "stands beside points");
  rod = rod_of(good, 3);
  rod.shape.curvature[0] = wy_constant(1);
  check_refused(&rod, "rods[0].shape.curvature", "stands beside points");
}

/* A definition as the model gives it back makes the same model, and the caller's points are not needed any more. */
static void a_resolved_definition_can_be_used_again(void **state) {
  (void)state;
  static double points[3 * COUNT];
  double k[2], x[3], again[3];
  points_of(&coil, COUNT, true, points);
  wy_model *one = model_of(points, COUNT, any_d1), *other;
  memset(points, 0, sizeof points);
  wy_rod_def rod = *wy_model_rod(one, 0);
  wy_model_def def = wy_default_model_def();
  wy_message message = {0};
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &other, &message), &message);
  assert_true(bend_at(one, 0.5, k) == bend_at(other, 0.5, k));
  wy_model_reference(one, 0, 2, x, NULL);
  wy_model_destroy(one);
  wy_model_reference(other, 0, 2, again, NULL);
  assert_memory_equal(x, again, sizeof x);
  wy_model_destroy(other);
}

static void the_length_is_known_before_the_model(void **state) {
  (void)state;
  static double points[3 * COUNT];
  double length;
  wy_message message = {0};
  points_of(&coil, COUNT, true, points);
  wy_shape shape = {.points = points, .point_count = COUNT};
  wy_model *model = model_of(points, COUNT, any_d1);
  must(wy_shape_length(&shape, &length, &message), &message);
  assert_true(length == wy_model_rod(model, 0)->length);
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_is_met_with_order_2),
      cmocka_unit_test(a_helix_is_met_with_order_2),
      cmocka_unit_test(turned_shifted_and_scaled_points_give_the_same),
      cmocka_unit_test(reversed_points_give_the_same_line),
      cmocka_unit_test(the_first_director_is_free),
      cmocka_unit_test(few_points_are_enough),
      cmocka_unit_test(bad_points_are_refused),
      cmocka_unit_test(what_follows_from_points_is_left_out),
      cmocka_unit_test(a_resolved_definition_can_be_used_again),
      cmocka_unit_test(the_length_is_known_before_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
