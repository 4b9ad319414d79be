/* SPDX-License-Identifier: MIT */
/* A centreline through points: how far it is bent, and kinks, which it rounds off. */
#include <math.h>

#include "judge/subject.h"
#include "math/vec3.h"

static const double degrees = 57.29577951308232;

/* The angle by which the line from point to point turns at point i. */
static double turn_at(const double *x) {
  double before[3], after[3], across[3];
  wy_copy3(x, before), wy_copy3(x + 3, after);
  wy_add3(before, -1, x - 3), wy_add3(after, -1, x);
  wy_cross3(before, after, across);
  return atan2(wy_norm3(across), wy_dot3(before, after));
}

/* Points that are close enough to each other turn little. */
static void judge_kink(const wy_subject *in) {
  const double most = 45 / degrees;
  const wy_shape *shape = &in->rod->shape;
  double largest = 0;
  int where = 0;
  for (int i = 1; i + 1 < shape->point_count; i++) {
    const double turn = turn_at(shape->points + 3 * (size_t)i);
    if (turn > largest)
      largest = turn, where = i;
  }
  if (largest > most)
    wy_warn(
        in,
        &(wy_doubt){
            .code = "kink", .key = ".shape.points", .value = largest, .limit = most, .remedy = "use more points there"},
        "the line turns by %.0f degrees at point %d, which a smooth centreline cannot follow", largest * degrees,
        where + 1);
}

void wy_check_shape(wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  if (rod->shape.point_count == 0)
    return;
  const int places = 8 * rod->shape.point_count;
  double largest = 0, where = 0;
  for (int i = 0; i <= places; i++) {
    const double s = in->length * i / places;
    const double bend =
        hypot(wy_signal_value(&rod->shape.curvature[0], s, 0), wy_signal_value(&rod->shape.curvature[1], s, 0));
    if (bend > largest)
      largest = bend, where = s;
  }
  if (largest * in->length < 1e-9) /* round-off of points on a line */
    wy_say(in, "shape", "through %d points, straight", rod->shape.point_count);
  else
    wy_say(in, "shape", "through %d points, bend radius at least %.4g m (s = %.4g)", rod->shape.point_count,
           1 / largest, where);
  judge_kink(in);
  if (largest * in->section.radius > 1)
    wy_warn(in,
            &(wy_doubt){.code = "bent",
                        .key = ".shape.points",
                        .value = largest,
                        .limit = 1 / in->section.radius,
                        .remedy = "check the points and the unit; points closer to each other than their noise allows "
                                  "give such curvatures, too"},
            "the centreline has a bend radius of %.3g m at s = %.4g, less than the radius %.3g m of the section",
            1 / largest, where, in->section.radius);
}
