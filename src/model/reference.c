/* SPDX-License-Identifier: MIT */
/* The undeformed curve: start frame, and frames and positions along s from the natural curvature K0(s). */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/model.h"

double wy_segment_length(const wy_rod_def *rod, int segment) {
  return rod->segment_lengths ? rod->segment_lengths[segment] : rod->length / rod->segments;
}

void wy_reference_start(const wy_rod_def *rod, double frame[4]) {
  double d2[3];
  const double *d1 = rod->shape.d1, *d3 = rod->shape.direction;
  wy_cross3(d3, d1, d2);
  double r[9] = {d1[0], d2[0], d3[0], d1[1], d2[1], d3[1], d1[2], d2[2], d3[2]};
  wy_qfrom_matrix(r, frame);
}

static void natural_curvature(const wy_rod_def *rod, double s, double k[3]) {
  for (int i = 0; i < 3; i++)
    k[i] = wy_signal_value(&rod->shape.curvature[i], s, 0);
}

/* One step of the Magnus method of order 4 (two Gauss points), as a rotation; exact for constant curvature. */
static void find_turn(const wy_rod_def *rod, double from, double h, double turn[4]) {
  double middle = from + 0.5 * h, offset = h * sqrt(3.0) / 6;
  double k1[3], k2[3], commutator[3], rotation[3];
  natural_curvature(rod, middle - offset, k1);
  natural_curvature(rod, middle + offset, k2);
  wy_cross3(k1, k2, commutator);
  for (int i = 0; i < 3; i++)
    rotation[i] = 0.5 * h * (k1[i] + k2[i]) + sqrt(3.0) / 12 * h * h * commutator[i];
  wy_qexp(rotation, turn);
}

static void turn_by(const double turn[4], double frame[4]) {
  double out[4];
  wy_qmul(frame, turn, out);
  wy_qnormalise(out);
  memcpy(frame, out, sizeof out);
}

static bool has_constant_curvature(const wy_rod_def *rod) {
  for (int i = 0; i < 3; i++)
    if (wy_signal_depends(&rod->shape.curvature[i], WY_ARC))
      return false;
  return true;
}

/* Between two points of the shape there are two steps or more, since the slope of the curvature jumps there; but no
   more than 16 a segment, which are far below the scheme's own error, however many points there are. */
static int at_points(const wy_rod_def *rod, double from, double to, int steps) {
  const double points = fmin(rod->shape.point_count, 8.0 * rod->segments);
  const double between = 2 * points * fabs(to - from) / rod->length;
  return between > steps ? (int)ceil(between) : steps;
}

void wy_reference_turn(const wy_rod_def *rod, double from, double to, double frame[4]) {
  /* Eight substeps of order 4 over half a segment are far below the scheme's own error. */
  int steps = at_points(rod, from, to, has_constant_curvature(rod) ? 1 : 8);
  double h = (to - from) / steps, turn[4];
  for (int i = 0; i < steps; i++) {
    find_turn(rod, from + i * h, h, turn);
    turn_by(turn, frame);
  }
}

void wy_reference_advance(const wy_rod_def *rod, double from, double to, double position[3], double frame[4]) {
  /* Simpson's rule on d3 in steps of at most a quarter segment. */
  int steps = at_points(rod, from, to, (int)ceil(4 * rod->segments * fabs(to - from) / rod->length));
  double h = steps ? (to - from) / steps : 0, turn[4];
  const bool alike = has_constant_curvature(rod); /* all steps then turn alike */
  for (int i = 0; i < steps; i++) {
    double weights[3] = {h / 6, 4 * h / 6, h / 6}, r[9];
    for (int j = 0; j < 3; j++) {
      wy_qmatrix(frame, r);
      double d3[3] = {r[2], r[5], r[8]};
      wy_add3(position, weights[j], d3);
      if (j < 2 && (!alike || i + j == 0))
        find_turn(rod, from + (i + 0.5 * j) * h, 0.5 * h, turn);
      if (j < 2)
        turn_by(turn, frame);
    }
  }
}

void wy_reference_at(const wy_rod_def *rod, double s, double position[3], double frame[4]) {
  position[0] = position[1] = position[2] = 0;
  wy_reference_start(rod, frame);
  wy_reference_advance(rod, 0, s, position, frame);
}

void wy_model_reference(const wy_model *model, int rod_index, double s, double position[3], double frame[4]) {
  const wy_rod_def *rod = wy_model_rod(model, rod_index);
  double x[3] = {NAN, NAN, NAN}, q[4] = {NAN, NAN, NAN, NAN};
  if (rod && s >= -WY_SAME_PLACE * rod->length && s <= (1 + WY_SAME_PLACE) * rod->length) {
    wy_reference_at(rod, s, x, q);
    wy_add3(x, 1, rod->shape.origin);
  }
  if (position)
    wy_copy3(x, position);
  if (frame)
    memcpy(frame, q, sizeof q);
}
