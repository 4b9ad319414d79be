/* SPDX-License-Identifier: MIT */
/* Orientations of driven ends: whichever way they are given, angular velocity and its rate are those of the frame; a
   path through way-points meets them, is of order 4 for a smooth motion with a changing axis, and turns with its
   way-points from either side. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "model/rotation.h"
#include "withy/expr.h"

static const char *const columns[4] = {"qw", "qx", "qy", "qz"};

/* A smooth rotation whose axis changes all the time. */
static void smooth(double t, double q[4]) {
  const double a[3] = {0.9 * sin(1.3 * t), 0.3 + 0.5 * t, 0}, b[3] = {0.2, 0, 0.7 * cos(t)};
  double one[4], other[4];
  wy_qexp(a, one);
  wy_qexp(b, other);
  wy_qmul(one, other, q);
}

static wy_spline *path_of(int rows, const double *t, const double *q, wy_outside outside) {
  wy_spline_def def = wy_default_spline_def();
  wy_spline *spline = NULL;
  wy_message message = {.text = ""};
  def.rows = rows, def.columns = 4, def.argument = t, def.values = q, def.names = columns, def.outside = outside;
  if (wy_spline_create(&def, &spline, &message) != WY_OK)
    fail_msg("refused: %s", message.text);
  return spline;
}

static wy_end following(const wy_spline *path) {
  wy_end end = wy_end_clamped();
  end.rotation = WY_DRIVEN;
  end.rotation_by = WY_BY_QUATERNION;
  for (int i = 0; i < 4; i++)
    end.quaternion[i] = wy_spline_signal(path, i);
  return end;
}

/* Way-points of the smooth rotation from 0 to 2, turned by `left` from the left and by `right` from the right. */
static wy_spline *sampled(int rows, const double left[4], const double right[4]) {
  double *t = malloc((size_t)rows * sizeof *t), *q = malloc(4 * (size_t)rows * sizeof *q);
  for (int i = 0; i < rows; i++) {
    double own[4], turned[4];
    t[i] = 2.0 * i / (rows - 1);
    smooth(t[i], own);
    wy_qmul(left, own, turned);
    wy_qmul(turned, right, q + 4 * (size_t)i);
  }
  wy_spline *path = path_of(rows, t, q, WY_OUTSIDE_REFUSE);
  free(t);
  free(q);
  return path;
}

static const double none[4] = {1, 0, 0, 0};

/* The angle between two rotations. */
static double angle_between(const double a[4], const double b[4]) {
  double relative[4], turn[3];
  wy_qrelative(a, b, relative);
  wy_qlog(relative, turn);
  return wy_norm3(turn);
}

/* ---- Rates ---- */

/* w and its rate against differences of the frame, of second order in h with a round-off of 1e-16 / h. */
static void check_rates(const wy_end *end, double t) {
  const double h = 1e-5;
  wy_rotation_motion before, now, after;
  wy_end_rotation(end, t - h, &before);
  wy_end_rotation(end, t, &now);
  wy_end_rotation(end, t + h, &after);
  double relative[4], turn[3];
  wy_qrelative(before.q, after.q, relative);
  wy_qlog(relative, turn);
  check_close(wy_norm3(now.q + 1) * wy_norm3(now.q + 1) + now.q[0] * now.q[0], 1, 1e-15);
  for (int i = 0; i < 3; i++) {
    check_close(turn[i] / (2 * h), now.w[i], 1e-8);
    check_close((after.w[i] - before.w[i]) / (2 * h), now.rate[i], 1e-7);
  }
}

static wy_signal compiled(wy_expr **kept, const char *text) {
  wy_expr_error error;
  if (wy_expr_compile(NULL, text, WY_TIME, kept, &error) != WY_OK)
    fail_msg("%s: %s", text, error.text);
  return wy_expr_signal(*kept);
}

static void rates_are_those_of_the_frame(void **state) {
  (void)state;
  wy_expr *exprs[11];
  static const char *const quaternion[4] = {"2 + sin(t)", "t^2 - 1", "0.5*cos(2*t)", "exp(-t)"};
  static const char *const directors[6] = {"1 + t", "sin(2*t)", "0.3*t^2", "0.2", "cos(t)", "1 + t^3"};
  wy_end by[3] = {wy_end_clamped(), wy_end_clamped(), wy_end_clamped()};
  by[0].rotation_by = WY_BY_QUATERNION;
  for (int i = 0; i < 4; i++)
    by[0].quaternion[i] = compiled(&exprs[i], quaternion[i]);
  by[1].rotation_by = WY_BY_DIRECTORS;
  for (int i = 0; i < 3; i++) {
    by[1].d3[i] = compiled(&exprs[4 + i], directors[i]);
    by[1].d1[i] = compiled(&exprs[7 + i], directors[3 + i]);
  }
  by[2].rotation_by = WY_BY_ANGLE;
  memcpy(by[2].axis, (double[3]){0.36, 0.48, 0.8}, sizeof by[2].axis);
  by[2].angle = compiled(&exprs[10], "7*sin(t)");
  for (int i = 0; i < 3; i++)
    for (double t = 0.1; t < 1.5; t += 0.137)
      check_rates(&by[i], t);
  for (int i = 0; i < 11; i++)
    wy_expr_destroy(exprs[i]);
}

static void rates_of_a_path_are_those_of_the_frame(void **state) {
  (void)state;
  wy_spline *path = sampled(9, none, none);
  const wy_end end = following(path);
  for (double t = 0.03; t < 1.97; t += 0.0831)
    check_rates(&end, t);
  wy_spline_destroy(path);
}

/* Directors are what they are given as. */
static void directors_are_the_columns_of_the_frame(void **state) {
  (void)state;
  wy_end end = wy_end_clamped();
  wy_rotation_motion motion;
  double r[9];
  const double d3[3] = {0, 3, 4}, d1[3] = {2, 1, 1}; /* across d3: (2, -0.12, 0.16) + ... */
  end.rotation_by = WY_BY_DIRECTORS;
  for (int i = 0; i < 3; i++)
    end.d3[i] = wy_constant(d3[i]), end.d1[i] = wy_constant(d1[i]);
  wy_end_rotation(&end, 0, &motion);
  wy_qmatrix(motion.q, r);
  const double along = (d1[1] * 3 + d1[2] * 4) / 5, part[3] = {2, 1 - along * 0.6, 1 - along * 0.8};
  for (int i = 0; i < 3; i++) {
    check_close(r[3 * i + 2], d3[i] / 5, 1e-15);
    check_close(r[3 * i], part[i] / wy_norm3(part), 1e-15);
  }
}

/* ---- Paths ---- */

static void a_path_meets_its_way_points(void **state) {
  (void)state;
  wy_spline *path = sampled(7, none, none);
  const wy_end end = following(path);
  for (int i = 0; i < 7; i++) {
    wy_rotation_motion motion;
    double want[4];
    wy_end_rotation(&end, 2.0 * i / 6, &motion);
    smooth(2.0 * i / 6, want);
    check_close(angle_between(motion.q, want), 0, 1e-14);
  }
  wy_spline_destroy(path);
}

static double largest_error(int rows) {
  wy_spline *path = sampled(rows, none, none);
  const wy_end end = following(path);
  double most = 0;
  for (int i = 0; i <= 1000; i++) {
    wy_rotation_motion motion;
    double want[4];
    wy_end_rotation(&end, 2.0 * i / 1000, &motion);
    smooth(2.0 * i / 1000, want);
    most = fmax(most, angle_between(motion.q, want));
  }
  wy_spline_destroy(path);
  return most;
}

/* Half a power is the margin. */
static void a_smooth_motion_is_met_with_order_4(void **state) {
  (void)state;
  const double coarse = largest_error(11), fine = largest_error(41), order = log(coarse / fine) / log(4);
  check_below(coarse, 0.05);
  if (!(order > 3.5))
    fail_msg("errors %g and %g: order %.2f, want 4", coarse, fine, order);
}

/* A turn of the space, or of what is fixed to the end, turns the whole path: with Q = L P R the angular velocity in the
   turned axes is R^T w. */
static void a_path_turns_with_its_way_points(void **state) {
  (void)state;
  double left[4], right[4], r[9];
  wy_qexp((double[3]){0.4, -1.9, 0.8}, left);
  wy_qexp((double[3]){-2.2, 0.3, 0.5}, right);
  wy_qmatrix(right, r);
  wy_spline *plain = sampled(6, none, none), *turned = sampled(6, left, right);
  const wy_end a = following(plain), b = following(turned);
  for (double t = 0; t <= 2; t += 0.0625) {
    wy_rotation_motion one, other;
    double part[4], want[4], w[3], rate[3];
    wy_end_rotation(&a, t, &one);
    wy_end_rotation(&b, t, &other);
    wy_qmul(left, one.q, part);
    wy_qmul(part, right, want);
    check_close(angle_between(want, other.q), 0, 1e-14);
    wy_tmul3(r, one.w, w);
    wy_tmul3(r, one.rate, rate);
    for (int i = 0; i < 3; i++) {
      check_close(other.w[i], w[i], 1e-13);
      check_close(other.rate[i], rate[i], 1e-12);
    }
  }
  wy_spline_destroy(plain);
  wy_spline_destroy(turned);
}

/* Way-points of a rotation about a fixed axis: so is the path. */
static void a_fixed_axis_stays_fixed(void **state) {
  (void)state;
  enum { ROWS = 8 };
  const double axis[3] = {0.36, 0.48, 0.8};
  double t[ROWS], q[4 * ROWS];
  for (int i = 0; i < ROWS; i++) {
    double turn[3];
    t[i] = i + 0.2 * sin(2 * i);
    for (int k = 0; k < 3; k++)
      turn[k] = (0.3 * i * i - i) * axis[k];
    wy_qexp(turn, q + 4 * i);
  }
  wy_spline *path = path_of(ROWS, t, q, WY_OUTSIDE_HOLD);
  const wy_end end = following(path);
  for (double at = -1; at < 8; at += 0.05) {
    wy_rotation_motion motion;
    double across[3];
    wy_end_rotation(&end, at, &motion);
    wy_cross3(motion.q + 1, axis, across);
    check_close(wy_norm3(across), 0, 1e-14);
    wy_cross3(motion.w, axis, across);
    check_close(wy_norm3(across), 0, 1e-14);
  }
  wy_spline_destroy(path);
}

/* Held ends begin and end at rest: no angular velocity, no angular acceleration. */
static void a_held_path_begins_and_ends_at_rest(void **state) {
  (void)state;
  double t[4] = {0, 1, 2, 4}, q[16];
  for (int i = 0; i < 4; i++)
    smooth(0.7 * i, q + 4 * i);
  wy_spline *path = path_of(4, t, q, WY_OUTSIDE_HOLD);
  const wy_end end = following(path);
  for (int i = 0; i < 2; i++) {
    wy_rotation_motion motion;
    const double little = 1e-7;
    wy_end_rotation(&end, i ? 4 - little : little, &motion);
    check_close(wy_norm3(motion.w), 0, 1e2 * little * little);
    check_close(wy_norm3(motion.rate), 0, 1e2 * little);
  }
  wy_spline_destroy(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_those_of_the_frame),
                                     cmocka_unit_test(rates_of_a_path_are_those_of_the_frame),
                                     cmocka_unit_test(directors_are_the_columns_of_the_frame),
                                     cmocka_unit_test(a_path_meets_its_way_points),
                                     cmocka_unit_test(a_smooth_motion_is_met_with_order_4),
                                     cmocka_unit_test(a_path_turns_with_its_way_points),
                                     cmocka_unit_test(a_fixed_axis_stays_fixed),
                                     cmocka_unit_test(a_held_path_begins_and_ends_at_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
