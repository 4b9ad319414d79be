/* SPDX-License-Identifier: MIT */
/* The ends of a rod: what holds or drives them, and whether they begin where the undeformed rod has them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/rotation.h"

/* The end under check; which one stands in every path. */
typedef struct subject {
  wy_rod_def *rod;
  wy_end *end;
  wy_end_name name;
  int index; /* of the rod */
  wy_message *message;
} subject;

static wy_status refuse(const subject *in, const char *key, const char *format, ...) WY_PRINTF(3, 4);

static wy_status refuse(const subject *in, const char *key, const char *format, ...) {
  char path[128], text[512];
  snprintf(path, sizeof path, "rods[%d].ends.%s.%s", in->index, in->name == WY_START ? "start" : "end", key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

static bool is_positive(double value) {
  return isfinite(value) && value > 0;
}

/* ---- Definitions ---- */

static wy_status check_path(const subject *in) {
  char key[16];
  for (int i = 0; i < 3; i++) {
    const double at = wy_signal_value(&in->end->path[i], 0, 0);
    snprintf(key, sizeof key, "position[%d]", i);
    if (in->end->position[i] == WY_DRIVEN && !isfinite(at))
      return refuse(in, key, "found %g at t = 0; expected a finite number", at);
  }
  return WY_OK;
}

static wy_status check_angle(const subject *in) {
  wy_end *end = in->end;
  const double norm = wy_norm3(end->axis), angle = wy_signal_value(&end->angle, 0, 0);
  if (!is_positive(norm))
    return refuse(in, "rotation.axis", "found a vector without length; expected a direction in space");
  for (int i = 0; i < 3; i++)
    end->axis[i] /= norm;
  if (!isfinite(angle))
    return refuse(in, "rotation.angle", "found %g at t = 0; expected a finite number", angle);
  return WY_OK;
}

/* Numbers of any size, of which the directions count. */
static double length_at_start(const wy_signal *signals, int count, double *values) {
  double square = 0;
  for (int i = 0; i < count; i++) {
    values[i] = wy_signal_value(&signals[i], 0, 0);
    square += values[i] * values[i];
  }
  return sqrt(square);
}

static wy_status check_directors(const subject *in) {
  const wy_end *end = in->end;
  double d3[3], d1[3], across[3];
  const double length3 = length_at_start(end->d3, 3, d3), length1 = length_at_start(end->d1, 3, d1);
  if (!is_positive(length3))
    return refuse(in, "rotation.d3", "found [%g, %g, %g] at t = 0; expected a direction in space", d3[0], d3[1], d3[2]);
  if (!is_positive(length1))
    return refuse(in, "rotation.d1", "found [%g, %g, %g] at t = 0; expected a direction in space", d1[0], d1[1], d1[2]);
  wy_cross3(d3, d1, across);
  if (!(wy_norm3(across) > 1e-8 * length3 * length1))
    return refuse(in, "rotation.d1", "is parallel to d3 at t = 0; expected a vector across the rod");
  if (end->rotation_from != WY_FROM_SPACE)
    return refuse(in, "rotation", "found directors relative to the undeformed end; expected them in space");
  return WY_OK;
}

static wy_status check_quaternion(const subject *in) {
  double q[4];
  if (!is_positive(length_at_start(in->end->quaternion, 4, q)))
    return refuse(in, "rotation.quaternion",
                  "found [%g, %g, %g, %g] at t = 0; expected a rotation: finite numbers, not all of them 0", q[0], q[1],
                  q[2], q[3]);
  return WY_OK;
}

static wy_status check_rotation(const subject *in) {
  switch (in->end->rotation_by) {
  case WY_BY_QUATERNION:
    return check_quaternion(in);
  case WY_BY_DIRECTORS:
    return check_directors(in);
  default:
    return check_angle(in);
  }
}

static wy_status check_end(const subject *in) {
  const wy_end *end = in->end;
  bool holds = end->rotation != WY_FREE;
  for (int i = 0; i < 3; i++)
    holds = holds || end->position[i] != WY_FREE;
  wy_status status = check_path(in);
  if (!status && end->rotation == WY_DRIVEN)
    status = check_rotation(in);
  if (status)
    return status;
  if (!(end->release > 0))
    return refuse(in, "release", "found %g; expected a positive time", end->release);
  if (isfinite(end->release) && !holds)
    return refuse(in, "release", "found a release time for a free end; expected a held position or rotation");
  return WY_OK;
}

wy_status wy_rod_check_ends(wy_rod_def *rod, int index, wy_message *message) {
  wy_status status = check_end(&(subject){rod, &rod->ends[WY_START], WY_START, index, message});
  return status ? status : check_end(&(subject){rod, &rod->ends[WY_END], WY_END, index, message});
}

/* ---- Beginnings ---- */

/* The point of the discrete reference curve that an end stands on, from the rod's origin: x_{n+1} = x_n + h d3 at the
   midpoint. */
static void reference_end(const wy_rod_def *rod, wy_end_name end, double position[3]) {
  double frame[4], r[9], s = 0;
  position[0] = position[1] = position[2] = 0;
  wy_reference_start(rod, frame);
  for (int i = 0; end == WY_END && i < rod->segments; i++) {
    double h = wy_segment_length(rod, i);
    wy_reference_turn(rod, s, s + 0.5 * h, frame);
    wy_qmatrix(frame, r);
    double d3[3] = {r[2], r[5], r[8]};
    wy_add3(position, h, d3);
    wy_reference_turn(rod, s + 0.5 * h, s + h, frame);
    s += h;
  }
}

/* A straight rod meets its reference to round-off; a curved one to the discretisation error of its own polygon, which a
   user cannot know: that much is no jump, and the end then follows the path at that constant offset. */
double wy_end_slack(const wy_rod_def *rod) {
  return (1e-9 + 0.5 / rod->segments / rod->segments) * rod->length;
}

double wy_end_turn_slack(const wy_rod_def *rod) {
  return wy_end_slack(rod) / rod->length;
}

static wy_status check_start_frame(const subject *in) {
  static const char *const keys[] = {
      [WY_BY_ANGLE] = "rotation.angle", [WY_BY_QUATERNION] = "rotation.quaternion", [WY_BY_DIRECTORS] = "rotation.d3"};
  const wy_end *end = in->end;
  wy_rotation_motion motion;
  double position[3], undeformed[4], between[4], turn[3];
  wy_end_rotation(end, 0, &motion);
  wy_reference_at(in->rod, in->name == WY_START ? 0 : in->rod->length, position, undeformed);
  if (end->rotation_from == WY_FROM_UNDEFORMED)
    memcpy(between, motion.q, sizeof between);
  else
    wy_qrelative(undeformed, motion.q, between);
  wy_qlog(between, turn);
  const double angle = wy_norm3(turn);
  if (angle <= wy_end_turn_slack(in->rod))
    return WY_OK;
  if (end->rotation_from == WY_FROM_UNDEFORMED)
    return refuse(in, keys[end->rotation_by],
                  "found a rotation by %.6g rad at t = 0; expected none, [1, 0, 0, 0], since it is measured from the "
                  "undeformed end, or a rod that starts from its equilibrium",
                  angle);
  return refuse(in, keys[end->rotation_by],
                "found a frame at t = 0 that is turned by %.6g rad against that of the undeformed rod, the quaternion "
                "[%.9g, %.9g, %.9g, %.9g]; expected the same, or a rod that starts from its equilibrium",
                angle, undeformed[0], undeformed[1], undeformed[2], undeformed[3]);
}

static wy_status check_start(const subject *in) {
  const wy_end *end = in->end;
  char key[16];
  double reference[3];
  reference_end(in->rod, in->name, reference);
  for (int i = 0; i < 3; i++) {
    double at = wy_signal_value(&end->path[i], 0, 0), origin = in->rod->shape.origin[i];
    snprintf(key, sizeof key, "position[%d]", i);
    if (end->position[i] == WY_DRIVEN && !(fabs(at - origin - reference[i]) <= wy_end_slack(in->rod)))
      return refuse(
          in, key,
          "found %.9g at t = 0, but the undeformed rod has this end at %.9g; expected the same, or a rod that "
          "starts from its equilibrium",
          at, origin + reference[i]);
  }
  if (end->rotation == WY_DRIVEN && wy_end_is_oriented(end))
    return check_start_frame(in);
  double angle = wy_signal_value(&end->angle, 0, 0);
  if (end->rotation == WY_DRIVEN && !(fabs(angle) <= 1e-9))
    return refuse(in, "rotation.angle",
                  "found %g at t = 0; expected 0, since the angle is measured from the initial frame", angle);
  return WY_OK;
}

wy_status wy_rod_check_start(const wy_rod_def *rod, int index, wy_message *message) {
  wy_rod_def copy = *rod;
  wy_status status = check_start(&(subject){&copy, &copy.ends[WY_START], WY_START, index, message});
  return status ? status : check_start(&(subject){&copy, &copy.ends[WY_END], WY_END, index, message});
}
