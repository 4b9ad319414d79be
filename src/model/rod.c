/* SPDX-License-Identifier: MIT */
/* One rod's definition: defaults filled in, every value checked. A message's path is spelled as in a scenario file. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/centreline.h"
#include "model/model.h"

/* The rod under check; its index stands in every path. */
typedef struct subject {
  wy_rod_def *rod;
  int index;
  wy_message *message;
} subject;

static wy_status refuse(const subject *in, const char *key, const char *format, ...) WY_PRINTF(3, 4);

static wy_status refuse(const subject *in, const char *key, const char *format, ...) {
  char path[128], text[512];
  snprintf(path, sizeof path, "rods[%d].%s", in->index, key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

static bool is_positive(double value) {
  return isfinite(value) && value > 0;
}

/* A value along the rod must satisfy a bound at every vertex and midpoint. */
typedef enum bound { POSITIVE, NOT_NEGATIVE, FINITE, POISSON } bound;

static bool within(bound limit, double value) {
  switch (limit) {
  case POSITIVE:
    return is_positive(value);
  case NOT_NEGATIVE:
    return isfinite(value) && value >= 0;
  case POISSON:
    return value > -1 && value <= 0.5;
  default:
    return isfinite(value);
  }
}

static const char *bound_text(bound limit) {
  switch (limit) {
  case POSITIVE:
    return "a positive number";
  case NOT_NEGATIVE:
    return "a number that is not negative";
  case POISSON:
    return "a number above -1 and at most 0.5";
  default:
    return "a finite number";
  }
}

static wy_status check_along(const subject *in, const char *key, const wy_signal *signal, bound limit) {
  const wy_rod_def *rod = in->rod;
  bool varies = wy_signal_depends(signal, WY_ARC);
  double at = 0;
  for (int i = 0; i <= (varies ? 2 * rod->segments : 0); i++) {
    double s = fmin(at, rod->length), value = wy_signal_value(signal, s, 0);
    if (!within(limit, value))
      return varies ? refuse(in, key, "found %g at s = %g; expected %s", value, s, bound_text(limit))
                    : refuse(in, key, "found %g; expected %s", value, bound_text(limit));
    if (i < 2 * rod->segments)
      at += 0.5 * wy_segment_length(rod, i / 2);
  }
  return WY_OK;
}

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    wy_status try_status = (call);                                                                                     \
    if (try_status)                                                                                                    \
      return try_status;                                                                                               \
  } while (0)

static wy_status check_segments(const subject *in) {
  wy_rod_def *rod = in->rod;
  if (rod->segments < 1 || rod->segments > WY_MOST_SEGMENTS)
    return refuse(in, "segments", "found %d; expected 1 to %d", rod->segments, WY_MOST_SEGMENTS);
  if (!rod->segment_lengths)
    return WY_OK;
  double sum = 0;
  for (int i = 0; i < rod->segments; i++) {
    if (!is_positive(rod->segment_lengths[i]))
      return refuse(in, "segments", "found length %g for segment %d; expected a positive number",
                    rod->segment_lengths[i], i + 1);
    sum += rod->segment_lengths[i];
  }
  if (fabs(sum - rod->length) > 1e-9 * rod->length)
    return refuse(in, "segments", "the lengths add up to %.12g; expected the rod's length %.12g", sum, rod->length);
  return WY_OK;
}

static wy_status check_section(const subject *in) {
  const wy_section *section = &in->rod->section;
  switch (section->shape) {
  case WY_CIRCLE:
    return check_along(in, "section.radius", &section->radius, POSITIVE);
  case WY_ANNULUS: {
    TRY(check_along(in, "section.outer", &section->outer, POSITIVE));
    TRY(check_along(in, "section.inner", &section->inner, NOT_NEGATIVE));
    for (int i = 0; i <= 2 * in->rod->segments; i++) {
      double s = in->rod->length * i / (2 * in->rod->segments);
      double outer = wy_signal_value(&section->outer, s, 0), inner = wy_signal_value(&section->inner, s, 0);
      if (inner >= outer)
        return refuse(in, "section.inner", "found %g; expected less than the outer radius %g", inner, outer);
    }
    return WY_OK;
  }
  case WY_RECTANGLE:
    TRY(check_along(in, "section.width", &section->width, POSITIVE));
    return check_along(in, "section.height", &section->height, POSITIVE);
  case WY_EXPLICIT:
    TRY(check_along(in, "section.area", &section->area, POSITIVE));
    TRY(check_along(in, "section.I1", &section->I1, POSITIVE));
    TRY(check_along(in, "section.I2", &section->I2, POSITIVE));
    return check_along(in, "section.J", &section->J, POSITIVE);
  case WY_SECTION_NONE:
    break;
  }
  return WY_OK;
}

static wy_status check_material(const subject *in) {
  const wy_material *material = &in->rod->material;
  if (!material->given)
    return WY_OK;
  TRY(check_along(in, "material.density", &material->density, POSITIVE));
  TRY(check_along(in, "material.young", &material->young, POSITIVE));
  return material->has_shear ? check_along(in, "material.shear", &material->shear, POSITIVE)
                             : check_along(in, "material.poisson", &material->poisson, POISSON);
}

/* The first of the six strains that a rod of this kind has: constrained ones need no stiffness. */
static int first_strain(wy_rod_kind kind) {
  return kind == WY_COSSERAT ? 0 : kind == WY_KIRCHHOFF ? 2 : 3;
}

/* Keys of the six-vectors stiffness and damping, and of inertia. */
static const char *const six_keys[6] = {"shear[0]", "shear[1]", "extension", "bending[0]", "bending[1]", "torsion"};
static const char *const inertia_keys[4] = {"mass", "rotary[0]", "rotary[1]", "rotary[2]"};

static wy_status check_stiffness(const subject *in) {
  const wy_rod_def *rod = in->rod;
  bool derived = rod->section.shape != WY_SECTION_NONE && rod->material.given;
  char key[64];
  if (!derived && !(rod->has_stiffness && rod->has_inertia)) {
    const char *missing = rod->section.shape == WY_SECTION_NONE ? "section" : "material";
    return refuse(in, missing, "is missing; expected section and material, or stiffness and inertia");
  }
  for (int i = 0; i < 2; i++)
    if (!is_positive(rod->shear_factors[i]))
      return refuse(in, "shear_factors", "found %g; expected a positive number", rod->shear_factors[i]);
  for (int i = 0; i < 6; i++) {
    snprintf(key, sizeof key, "stiffness.%s", six_keys[i]);
    if (rod->has_stiffness && i >= first_strain(rod->kind))
      TRY(check_along(in, key, &rod->stiffness[i], POSITIVE));
    snprintf(key, sizeof key, "damping.%s", six_keys[i]);
    if (rod->damping.kind == WY_DAMPING_COEFFICIENTS)
      TRY(check_along(in, key, &rod->damping.coefficient[i], NOT_NEGATIVE));
  }
  if (rod->damping.kind == WY_DAMPING_TIME)
    TRY(check_along(in, "damping.time", &rod->damping.time, NOT_NEGATIVE));
  for (int i = 0; i < 4; i++) {
    snprintf(key, sizeof key, "inertia.%s", inertia_keys[i]);
    if (rod->has_inertia)
      TRY(check_along(in, key, &rod->inertia[i], POSITIVE));
  }
  if (!within(NOT_NEGATIVE, rod->drag.translation))
    return refuse(in, "drag.translation", "found %g; expected %s", rod->drag.translation, bound_text(NOT_NEGATIVE));
  if (!within(NOT_NEGATIVE, rod->drag.rotation))
    return refuse(in, "drag.rotation", "found %g; expected %s", rod->drag.rotation, bound_text(NOT_NEGATIVE));
  return WY_OK;
}

/* The squares of the frequencies that a piece of length h may have, over which everything is computed, and their
   squares in turn must be numbers. */
static bool frequencies_are_numbers(const wy_rod_def *rod, const wy_section_values *v, double h) {
  static const double largest = 1e150;
  double waves = 4 / (h * h), squared = fmax(v->stiffness[3], v->stiffness[4]) * waves * waves / v->mass;
  squared = fmax(squared, v->stiffness[5] * waves / v->rotary[2]);
  if (rod->kind != WY_INEXTENSIBLE)
    squared = fmax(squared, v->stiffness[2] * waves / v->mass);
  if (rod->kind == WY_COSSERAT)
    squared = fmax(squared, fmax(v->stiffness[0], v->stiffness[1]) / fmin(v->rotary[0], v->rotary[1]));
  return squared < largest;
}

/* What section and material amount to: products of tiny or huge values may underflow or overflow. Checked wherever a
 * scheme may ask. */
static wy_status check_derived(const subject *in) {
  const wy_rod_def *rod = in->rod;
  double at = 0;
  for (int i = 0; i <= 4 * rod->segments; i++) {
    double s = fmin(at, rod->length);
    wy_section_values section = wy_section_at(rod, s);
    bool ok = is_positive(section.mass);
    for (int k = first_strain(rod->kind); k < 6; k++)
      ok = ok && is_positive(section.stiffness[k]) && within(NOT_NEGATIVE, section.damping[k]);
    for (int k = 0; k < 3; k++)
      ok = ok && is_positive(section.rotary[k]);
    if (!ok)
      return refuse(in, "section",
                    "mass, stiffness or inertia at s = %g is not a positive number (mass %g, extension %g, bending "
                    "%g); expected values within the range of double precision",
                    s, section.mass, section.stiffness[2], section.stiffness[3]);
    if (!frequencies_are_numbers(rod, &section, wy_segment_length(rod, i < 4 * rod->segments ? i / 4 : i / 4 - 1)))
      return refuse(
          in, rod->has_stiffness ? "stiffness" : "material",
          "frequencies of the rod are outside the range of double precision (mass %g, extension %g, bending %g "
          "at s = %g); expected consistent values of stiffness and mass",
          section.mass, section.stiffness[2], section.stiffness[3], s);
    if (i < 4 * rod->segments)
      at += 0.25 * wy_segment_length(rod, i / 4);
  }
  return WY_OK;
}

static wy_status check_law(const subject *in) {
  const wy_law *law = &in->rod->law;
  if (!within(NOT_NEGATIVE, law->bending))
    return refuse(in, "law.bending", "found %g; expected %s", law->bending, bound_text(NOT_NEGATIVE));
  if (law->kind == WY_LINEAR_LAW && law->bending != 0)
    return refuse(in, "law.bending", "found %g in a linear law; expected 0, or the kind stiffening", law->bending);
  if (law->kind == WY_LINEAR_LAW && law->compression)
    return refuse(in, "law.compression", "found true in a linear law; expected false, or the kind stiffening");
  return WY_OK;
}

static wy_status check_kinds(const subject *in) {
  const wy_rod_def *rod = in->rod;
  if (rod->kind > WY_INEXTENSIBLE)
    return refuse(in, "model", "found number %d; expected cosserat, kirchhoff or inextensible", (int)rod->kind);
  if (rod->section.shape > WY_EXPLICIT)
    return refuse(in, "section.shape", "found number %d; expected one of wy_section_shape", (int)rod->section.shape);
  if (rod->damping.kind > WY_DAMPING_TIME)
    return refuse(in, "damping", "found kind number %d; expected one of wy_damping_kind", (int)rod->damping.kind);
  if (!wy_law_describe(rod->law.kind))
    return refuse(in, "law.kind", "found number %d; expected one of wy_law_kind", (int)rod->law.kind);
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 4; k++)
      if ((k < 3 ? rod->ends[e].position[k] : rod->ends[e].rotation) > WY_DRIVEN)
        return refuse(in, "ends", "found a hold that does not exist; expected one of wy_hold");
  for (int e = 0; e < 2; e++)
    if (rod->ends[e].rotation_by > WY_BY_DIRECTORS || rod->ends[e].rotation_from > WY_FROM_SPACE)
      return refuse(
          in, "ends",
          "found a kind of rotation that does not exist; expected one of wy_rotation_by and wy_rotation_from");
  return WY_OK;
}

/* A helix of radius r and pitch p: kappa = r / c^2, tau = p / (2 pi c^2), c^2 = r^2 + (p / 2 pi)^2, length 2 pi c per
 * turn. */
static wy_status resolve_helix(const subject *in) {
  wy_rod_def *rod = in->rod;
  wy_shape *shape = &rod->shape;
  const double two_pi = 6.28318530717958647692;
  if (shape->helix.turns == 0 && shape->helix.radius == 0 && shape->helix.pitch == 0)
    return WY_OK;
  if (!is_positive(shape->helix.radius))
    return refuse(in, "shape.helix.radius", "found %g; expected a positive number", shape->helix.radius);
  if (!isfinite(shape->helix.pitch))
    return refuse(in, "shape.helix.pitch", "found %g; expected a finite number", shape->helix.pitch);
  if (!is_positive(shape->helix.turns))
    return refuse(in, "shape.helix.turns", "found %g; expected a positive number", shape->helix.turns);
  double rise = shape->helix.pitch / two_pi, c2 = shape->helix.radius * shape->helix.radius + rise * rise;
  double length = two_pi * shape->helix.turns * sqrt(c2);
  if (rod->length != 0 && fabs(rod->length - length) > 1e-9 * length)
    return refuse(in, "length", "found %.12g, but the helix has length %.12g; leave length out", rod->length, length);
  rod->length = length;
  shape->curvature[0] = wy_constant(0);
  shape->curvature[1] = wy_constant(shape->helix.radius / c2);
  shape->curvature[2] = wy_constant(rise / c2);
  return WY_OK;
}

static wy_status resolve_shape(const subject *in, wy_spline **curvature) {
  wy_shape *shape = &in->rod->shape;
  for (int i = 0; i < 3; i++)
    if (!isfinite(shape->origin[i]))
      return refuse(in, "shape.origin", "component %d is not a finite number", i + 1);
  double *d3 = shape->direction, *d1 = shape->d1;
  double norm = wy_norm3(d3);
  if (!isfinite(norm))
    return refuse(in, "shape.direction", "is not finite; expected three finite numbers");
  if (norm == 0)
    d3[0] = norm = 1;
  for (int i = 0; i < 3; i++)
    d3[i] /= norm;
  if (!isfinite(wy_norm3(d1)))
    return refuse(in, "shape.d1", "is not finite; expected three finite numbers");
  if (wy_norm3(d1) == 0) {
    int least = 0;
    for (int i = 1; i < 3; i++)
      if (fabs(d3[i]) < fabs(d3[least]))
        least = i;
    d1[least] = 1;
  }
  double length = wy_norm3(d1), along = wy_dot3(d1, d3);
  wy_add3(d1, -along, d3);
  norm = wy_norm3(d1);
  if (norm < 1e-8 * length)
    return refuse(in, "shape.d1", "is parallel to the direction; expected a vector across the rod");
  for (int i = 0; i < 3; i++)
    d1[i] /= norm;
  TRY(wy_centreline_bend(in->rod, in->index, curvature, in->message));
  char key[32];
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "shape.curvature[%d]", i);
    TRY(check_along(in, key, &shape->curvature[i], FINITE));
  }
  return WY_OK;
}

static wy_status check_initial(const subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_initial *initial = &rod->initial;
  char key[48];
  TRY(check_along(in, "initial.twist", &initial->twist, FINITE));
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "initial.velocity[%d]", i);
    TRY(check_along(in, key, &initial->velocity[i], FINITE));
    snprintf(key, sizeof key, "initial.angular_velocity[%d]", i);
    TRY(check_along(in, key, &initial->angular_velocity[i], FINITE));
  }
  for (int e = 0; e < 2; e++) {
    double twist = wy_signal_value(&initial->twist, e ? rod->length : 0, 0);
    if (rod->ends[e].rotation != WY_FREE && fabs(twist) > 1e-9)
      return refuse(in, "initial.twist", "found %g at the %s, whose rotation is held; expected 0 there", twist,
                    e ? "end" : "start");
  }
  return WY_OK;
}

static wy_status check_maxwell(const subject *in) {
  const wy_rod_def *rod = in->rod;
  char key[48];
  double sum = 0;
  for (int i = 0; i < rod->maxwell_count; i++) {
    const wy_maxwell *branch = &rod->maxwell[i];
    snprintf(key, sizeof key, "maxwell[%d].share", i);
    if (!(branch->share > 0) || !(branch->share < 1))
      return refuse(in, key, "found %g; expected a number between 0 and 1", branch->share);
    snprintf(key, sizeof key, "maxwell[%d].time", i);
    if (!is_positive(branch->time))
      return refuse(in, key, "found %g; expected a positive time", branch->time);
    sum += branch->share;
  }
  if (!(sum < 1))
    return refuse(in, "maxwell", "the shares add up to %g; expected less than 1: the rest is the long-term stiffness",
                  sum);
  return WY_OK;
}

static wy_status check_fluid(const subject *in) {
  char text[160], path[48];
  const char *key = "";
  if (wy_fluid_check(in->rod, &key, text, sizeof text))
    return WY_OK;
  snprintf(path, sizeof path, "fluid.%s", key);
  return refuse(in, path, "%s", text);
}

wy_status wy_rod_resolve(wy_rod_def *rod, int index, wy_spline **curvature, wy_message *message) {
  subject in = {rod, index, message};
  *curvature = NULL;
  if (rod->name[0] == '\0')
    return refuse(&in, "name", "is empty; expected a name");
  TRY(check_kinds(&in));
  TRY(resolve_helix(&in));
  TRY(wy_centreline_resolve(rod, index, message));
  if (!is_positive(rod->length))
    return refuse(&in, "length", "found %g; expected a positive number", rod->length);
  TRY(check_segments(&in));
  TRY(check_section(&in));
  TRY(check_material(&in));
  TRY(check_stiffness(&in));
  TRY(check_derived(&in));
  TRY(check_law(&in));
  TRY(resolve_shape(&in, curvature));
  TRY(check_maxwell(&in));
  TRY(check_fluid(&in));
  TRY(check_initial(&in));
  return wy_rod_check_ends(rod, index, message);
}
