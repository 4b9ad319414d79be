/* SPDX-License-Identifier: MIT */
/* One rigid body's definition: mass and inertia from its shape, every value checked. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/parts.h"

/* The body under check; its name stands in every path. */
typedef struct subject {
  wy_body_def *body;
  int index;
  wy_message *message;
} subject;

static wy_status refuse(const subject *in, const char *key, const char *format, ...) WY_PRINTF(3, 4);

static wy_status refuse(const subject *in, const char *key, const char *format, ...) {
  char path[128], text[512], entry[WY_ENTRY_PATH];
  wy_entry_path("bodies", in->body->name, in->index, entry);
  snprintf(path, sizeof path, "%s.%s", entry, key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

static bool is_positive(double value) {
  return isfinite(value) && value > 0;
}

static wy_status check_finite(const subject *in, const char *key, const double *values, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return refuse(in, key, "component %d is not a finite number", i + 1);
  return WY_OK;
}

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    wy_status try_status = (call);                                                                                     \
    if (try_status)                                                                                                    \
      return try_status;                                                                                               \
  } while (0)

/* ---- Mass and inertia ---- */

static wy_status check_shape(const subject *in) {
  static const int counts[] = {
      [WY_BODY_SHAPELESS] = 0, [WY_BODY_BOX] = 3, [WY_BODY_SPHERE] = 1, [WY_BODY_CYLINDER] = 2};
  static const char *const keys[][3] = {[WY_BODY_BOX] = {"size[0]", "size[1]", "size[2]"},
                                        [WY_BODY_SPHERE] = {"radius"},
                                        [WY_BODY_CYLINDER] = {"radius", "length"}};
  const wy_body_def *body = in->body;
  char key[32];
  if ((int)body->shape < 0 || body->shape > WY_BODY_CYLINDER)
    return refuse(in, "shape.kind", "found number %d; expected one of wy_body_shape", (int)body->shape);
  for (int i = 0; i < counts[body->shape]; i++)
    if (!is_positive(body->dimensions[i])) {
      snprintf(key, sizeof key, "shape.%s", keys[body->shape][i]);
      return refuse(in, key, "found %g; expected a positive number", body->dimensions[i]);
    }
  return WY_OK;
}

/* Mass and principal moments of a homogeneous body. */
static void fill_shape(wy_body_def *body) {
  const double pi = 3.14159265358979323846, *d = body->dimensions;
  double square[3]; /* mean squares of the coordinates */
  if (body->shape == WY_BODY_BOX) {
    body->mass = body->density * d[0] * d[1] * d[2];
    for (int i = 0; i < 3; i++)
      square[i] = d[i] * d[i] / 12;
  } else if (body->shape == WY_BODY_SPHERE) {
    body->mass = body->density * 4 / 3 * pi * d[0] * d[0] * d[0];
    square[0] = square[1] = square[2] = d[0] * d[0] / 5;
  } else {
    body->mass = body->density * pi * d[0] * d[0] * d[1];
    square[0] = square[1] = d[0] * d[0] / 4;
    square[2] = d[1] * d[1] / 12;
  }
  for (int i = 0; i < 3; i++) {
    body->inertia[i] = body->mass * (square[(i + 1) % 3] + square[(i + 2) % 3]);
    body->inertia[i + 3] = 0;
  }
}

/* The eigenvalues of a symmetric matrix (xx, yy, zz, xy, xz, yz), the smallest first: roots of its cubic by cosines. */
static void principal_moments(const double a[6], double out[3]) {
  const double off = a[3] * a[3] + a[4] * a[4] + a[5] * a[5], mean = (a[0] + a[1] + a[2]) / 3;
  const double x = a[0] - mean, y = a[1] - mean, z = a[2] - mean;
  const double size = sqrt((x * x + y * y + z * z + 2 * off) / 6);
  if (!(size > 0)) {
    out[0] = out[1] = out[2] = mean;
    return;
  }
  const double xx = x / size, yy = y / size, zz = z / size, xy = a[3] / size, xz = a[4] / size, yz = a[5] / size;
  const double half = 0.5 * (xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz));
  const double angle = acos(fmax(-1, fmin(1, half))) / 3, third = 2.09439510239319549231; /* of a turn */
  out[2] = mean + 2 * size * cos(angle);
  out[0] = mean + 2 * size * cos(angle + third);
  out[1] = 3 * mean - out[0] - out[2];
}

static wy_status check_inertia(const subject *in) {
  const wy_body_def *body = in->body;
  const double slack = 1e-9;
  double moments[3], largest = 0;
  TRY(check_finite(in, "inertia", body->inertia, 6));
  for (int i = 0; i < 6; i++)
    largest = fmax(largest, fabs(body->inertia[i]));
  if (largest == 0)
    return refuse(in, "inertia", "is missing; expected moments of inertia, or a shape and a density");
  principal_moments(body->inertia, moments);
  if (!(moments[0] > 1e-14 * moments[2]))
    return refuse(in, "inertia", "found principal moments %g, %g, %g; expected positive ones", moments[0], moments[1],
                  moments[2]);
  if (moments[2] > (1 + slack) * (moments[0] + moments[1]))
    return refuse(in, "inertia",
                  "found principal moments %g, %g, %g; expected none above the sum of the others, as in every body",
                  moments[0], moments[1], moments[2]);
  return WY_OK;
}

static wy_status resolve_mass(const subject *in) {
  wy_body_def *body = in->body;
  bool given = body->mass != 0;
  for (int i = 0; i < 6; i++)
    given = given || body->inertia[i] != 0;
  TRY(check_shape(in));
  if (body->density != 0) {
    if (!is_positive(body->density))
      return refuse(in, "density", "found %g; expected a positive number", body->density);
    if (body->shape == WY_BODY_SHAPELESS)
      return refuse(in, "density", "found %g without a shape; expected a shape, or mass and inertia", body->density);
    if (given)
      return refuse(in, "density", "found %g beside mass or inertia; expected one or the other", body->density);
    fill_shape(body);
  }
  if (!is_positive(body->mass))
    return refuse(in, "mass", "found %g; expected a positive number, or a shape and a density", body->mass);
  return check_inertia(in);
}

/* ---- Place and motion ---- */

/* Paths begin at the origin to round-off, which is measured by distances and by the size of the body. */
static double slack(const wy_body_def *body) {
  const double gyration = sqrt((body->inertia[0] + body->inertia[1] + body->inertia[2]) / body->mass);
  return 1e-9 * (wy_norm3(body->origin) + gyration);
}

static wy_status check_position(const subject *in) {
  const wy_body_def *body = in->body;
  char key[16];
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "position[%d]", i);
    if ((int)body->position[i] < 0 || body->position[i] > WY_DRIVEN)
      return refuse(in, key, "found number %d; expected one of wy_hold", (int)body->position[i]);
    const double at = wy_signal_value(&body->path[i], 0, 0);
    if (body->position[i] == WY_DRIVEN && !(fabs(at - body->origin[i]) <= slack(body)))
      return refuse(in, key, "found %.9g at t = 0; expected %.9g, where the origin is", at, body->origin[i]);
  }
  return WY_OK;
}

static wy_status check_rotation(const subject *in) {
  wy_body_def *body = in->body;
  if ((int)body->rotation < 0 || body->rotation > WY_DRIVEN)
    return refuse(in, "rotation", "found number %d; expected one of wy_hold", (int)body->rotation);
  if (body->rotation != WY_DRIVEN)
    return WY_OK;
  const double norm = wy_norm3(body->axis), angle = wy_signal_value(&body->angle, 0, 0);
  if (!is_positive(norm))
    return refuse(in, "rotation.axis", "found a vector without length; expected a direction in space");
  for (int i = 0; i < 3; i++)
    body->axis[i] /= norm;
  if (!(fabs(angle) <= 1e-9))
    return refuse(in, "rotation.angle", "found %g at t = 0; expected 0, since the angle is measured from the frame",
                  angle);
  return WY_OK;
}

static wy_status check_release(const subject *in) {
  const wy_body_def *body = in->body;
  bool holds = body->rotation != WY_FREE;
  for (int i = 0; i < 3; i++)
    holds = holds || body->position[i] != WY_FREE;
  if (!(body->release > 0))
    return refuse(in, "release", "found %g; expected a positive time", body->release);
  if (isfinite(body->release) && !holds)
    return refuse(in, "release", "found a release time for a free body; expected a held position or rotation");
  return WY_OK;
}

static wy_status resolve_frame(const subject *in) {
  double *frame = in->body->frame;
  TRY(check_finite(in, "frame", frame, 4));
  const double square = wy_qsquare(wy_at4(frame));
  if (!is_positive(square))
    return refuse(in, "frame", "found [0, 0, 0, 0]; expected a rotation: a quaternion that is not 0");
  if (fabs(square - 1) > 1e-15) /* one that is normalised stays what it is */
    wy_qnormalise(frame);
  return WY_OK;
}

wy_status wy_body_resolve(wy_body_def *body, int index, wy_message *message) {
  const subject in = {body, index, message};
  if (strcmp(body->name, "ground") == 0)
    return refuse(&in, "name", "found 'ground', which is what does not move; expected another name");
  TRY(resolve_mass(&in));
  TRY(check_finite(&in, "origin", body->origin, 3));
  TRY(resolve_frame(&in));
  TRY(check_position(&in));
  TRY(check_rotation(&in));
  TRY(check_release(&in));
  TRY(check_finite(&in, "initial.velocity", body->velocity, 3));
  return check_finite(&in, "initial.angular_velocity", body->angular_velocity, 3);
}
