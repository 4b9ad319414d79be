/* SPDX-License-Identifier: MIT */
/* One obstacle's definition: unit directions, every value checked. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/parts.h"

/* The obstacle under check; its name stands in every path. */
typedef struct subject {
  wy_obstacle_def *obstacle;
  int index;
  wy_message *message;
} subject;

static wy_status refuse(const subject *in, const char *key, const char *format, ...) WY_PRINTF(3, 4);

static wy_status refuse(const subject *in, const char *key, const char *format, ...) {
  char path[128], text[512], entry[WY_ENTRY_PATH];
  wy_entry_path("obstacles", in->obstacle->name, in->index, entry);
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

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    wy_status try_status = (call);                                                                                     \
    if (try_status)                                                                                                    \
      return try_status;                                                                                               \
  } while (0)

/* ---- Sizes ---- */

static wy_status check_size(const subject *in, const char *key, double value) {
  return is_positive(value) ? WY_OK : refuse(in, key, "found %g; expected a positive number", value);
}

static wy_status check_length(const subject *in) {
  const wy_obstacle_def *obstacle = in->obstacle;
  const bool endless = isinf(obstacle->length) && obstacle->length > 0;
  if (obstacle->shape == WY_OBSTACLE_CAPSULE && endless)
    return refuse(in, "length", "is missing; expected a number, the distance of the centres of its caps");
  return endless ? WY_OK : check_size(in, "length", obstacle->length);
}

static wy_status check_torus(const subject *in) {
  const wy_obstacle_def *obstacle = in->obstacle;
  TRY(check_size(in, "radius", obstacle->radius));
  TRY(check_size(in, "thickness", obstacle->thickness));
  if (obstacle->thickness >= obstacle->radius)
    return refuse(in, "thickness", "found %g; expected less than the radius %g of the centre circle",
                  obstacle->thickness, obstacle->radius);
  return WY_OK;
}

static wy_status check_shape(const subject *in) {
  const wy_obstacle_def *obstacle = in->obstacle;
  char key[16];
  switch (obstacle->shape) {
  case WY_OBSTACLE_PLANE:
  case WY_OBSTACLE_DISTANCE: /* distances.c */
    return WY_OK;
  case WY_OBSTACLE_SPHERE:
    return check_size(in, "radius", obstacle->radius);
  case WY_OBSTACLE_BOX:
    for (int i = 0; i < 3; i++) {
      snprintf(key, sizeof key, "size[%d]", i);
      TRY(check_size(in, key, obstacle->dimensions[i]));
    }
    return WY_OK;
  case WY_OBSTACLE_TORUS:
    return check_torus(in);
  case WY_OBSTACLE_CYLINDER:
  case WY_OBSTACLE_CAPSULE:
  case WY_OBSTACLE_TUBE:
    TRY(check_size(in, "radius", obstacle->radius));
    return check_length(in);
  }
  return refuse(in, "shape", "found number %d; expected one of wy_obstacle_shape", (int)obstacle->shape);
}

/* ---- Directions ---- */

static wy_status normalise(const subject *in, const char *key, double direction[3]) {
  const double norm = wy_norm3(direction);
  if (!isfinite(norm))
    return refuse(in, key, "is not finite; expected three finite numbers");
  if (!(norm > 0))
    return refuse(in, key, "found a vector without length; expected a direction in space");
  if (fabs(norm - 1) > 1e-15) /* one that is normalised stays what it is */
    for (int i = 0; i < 3; i++)
      direction[i] /= norm;
  return WY_OK;
}

/* The part of d1 across the axis; without d1 that of the space axis with the largest angle to it. */
static wy_status resolve_d1(const subject *in) {
  const double *axis = in->obstacle->axis;
  double *d1 = in->obstacle->d1, length = wy_norm3(d1);
  int least = 0;
  if (!isfinite(length))
    return refuse(in, "d1", "is not finite; expected three finite numbers");
  for (int i = 1; i < 3; i++)
    if (fabs(axis[i]) < fabs(axis[least]))
      least = i;
  if (length == 0)
    d1[least] = length = 1;
  wy_add3(d1, -wy_dot3(d1, axis), axis);
  if (!(wy_norm3(d1) > 1e-8 * length))
    return refuse(in, "d1", "is parallel to the axis; expected a vector across it");
  return normalise(in, "d1", d1);
}

static wy_status resolve_axes(const subject *in) {
  wy_obstacle_def *obstacle = in->obstacle;
  TRY(normalise(in, obstacle->shape == WY_OBSTACLE_PLANE ? "normal" : "axis", obstacle->axis));
  if (obstacle->shape != WY_OBSTACLE_BOX && obstacle->shape != WY_OBSTACLE_DISTANCE)
    memset(obstacle->d1, 0, sizeof obstacle->d1);
  return resolve_d1(in);
}

/* ---- Place and motion ---- */

static wy_status check_position(const subject *in) {
  char key[16];
  for (int i = 0; i < 3; i++) {
    const wy_signal *at = &in->obstacle->position[i];
    const double start = wy_signal_value(at, 0, 0);
    snprintf(key, sizeof key, "position[%d]", i);
    if (!isfinite(start))
      return refuse(in, key, "found %g at t = 0; expected a finite number", start);
    if (in->obstacle->body >= 0 && wy_signal_depends(at, WY_TIME))
      return refuse(in, key, "found a function of time; expected a number, since the obstacle moves with its body");
  }
  return WY_OK;
}

static wy_status check_rotation(const subject *in) {
  wy_obstacle_def *obstacle = in->obstacle;
  const double angle = wy_signal_value(&obstacle->angle, 0, 0);
  TRY(normalise(in, "rotation.axis", obstacle->rotation_axis));
  if (obstacle->body >= 0 && wy_signal_depends(&obstacle->angle, WY_TIME))
    return refuse(in, "rotation", "found one beside a body; expected none, since the obstacle turns with its body");
  if (!(fabs(angle) <= 1e-9))
    return refuse(in, "rotation.angle", "found %g at t = 0; expected 0, since the angle is measured from the axes",
                  angle);
  return WY_OK;
}

static wy_status check_surface(const subject *in) {
  const wy_obstacle_def *obstacle = in->obstacle;
  const double *velocity = obstacle->surface_velocity, speed = wy_norm3(velocity);
  if (!isfinite(speed))
    return refuse(in, "surface_velocity", "is not finite; expected three finite numbers");
  if (obstacle->body >= 0 && speed > 0)
    return refuse(in, "surface_velocity", "found one beside a body; expected none, since the surface moves with it");
  const double across = wy_dot3(velocity, obstacle->axis);
  if (obstacle->shape == WY_OBSTACLE_PLANE && fabs(across) > 1e-9 * speed)
    return refuse(in, "surface_velocity", "has the component %g along the normal; expected one along the plane",
                  across);
  return WY_OK;
}

wy_status wy_obstacle_resolve(const wy_model *model, wy_obstacle_def *obstacle, int index, wy_message *message) {
  const subject in = {obstacle, index, message};
  char entry[WY_ENTRY_PATH];
  if (strcmp(obstacle->name, "ground") == 0)
    return refuse(&in, "name", "found 'ground', which is what does not move; expected another name");
  TRY(check_shape(&in));
  if (obstacle->body >= model->body_count || obstacle->body < -1)
    return refuse(&in, "body", "found body number %d of %d; expected -1 or a body", obstacle->body, model->body_count);
  TRY(resolve_axes(&in));
  TRY(check_position(&in));
  TRY(check_rotation(&in));
  TRY(check_surface(&in));
  wy_entry_path("obstacles", obstacle->name, index, entry);
  return wy_contact_check_laws(entry, obstacle->friction, obstacle->restitution, message);
}
