/* SPDX-License-Identifier: MIT */
#include "contact/shape.h"

#include <assert.h>
#include <math.h>

wy_form_of wy_form_from(const wy_obstacle_def *def) {
  wy_form_of form = {.shape = def->shape, .radius = def->radius, .thickness = def->thickness};
  for (int k = 0; k < 3; k++)
    form.half[k] = 0.5 * def->dimensions[k];
  if (def->shape != WY_OBSTACLE_BOX)
    form.half[2] = 0.5 * def->length;
  return form;
}

/* ---- Distances ---- */

/* Without the special cases of fmax and fmin, which keep loops from being vectorised. */
WY_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

/* Of a solid whose faces are at distances that may be negative: `outside` counts what is beyond them alone. */
WY_INLINE double outside_or_in(double outside, double nearest) {
  return outside + (nearest < 0 ? nearest : 0);
}

/* (K4), written so that loops over points vectorise. */
WY_INLINE double distance_to(wy_obstacle_shape shape, const wy_form_of *form, wy_v3 y) {
  const double rho = sqrt(y.x * y.x + y.y * y.y), z = fabs(y.z);
  switch (shape) {
  case WY_OBSTACLE_PLANE:
    return y.z;
  case WY_OBSTACLE_SPHERE:
    return wy_norm(y) - form->radius;
  case WY_OBSTACLE_CYLINDER: {
    const double out = rho - form->radius, over = z - form->half[2], a = larger(out, 0), b = larger(over, 0);
    return outside_or_in(sqrt(a * a + b * b), larger(out, over));
  }
  case WY_OBSTACLE_CAPSULE: {
    const double beyond = larger(z - form->half[2], 0);
    return sqrt(rho * rho + beyond * beyond) - form->radius;
  }
  case WY_OBSTACLE_BOX: {
    const wy_v3 q = {fabs(y.x) - form->half[0], fabs(y.y) - form->half[1], z - form->half[2]};
    const wy_v3 out = {larger(q.x, 0), larger(q.y, 0), larger(q.z, 0)};
    return outside_or_in(wy_norm(out), larger(q.x, larger(q.y, q.z)));
  }
  case WY_OBSTACLE_TORUS: {
    const double across = rho - form->radius;
    return sqrt(across * across + y.z * y.z) - form->thickness;
  }
  default: { /* a tube */
    const double in = form->radius - rho, over = larger(z - form->half[2], 0);
    return over > 0 ? sqrt(in * in + over * over) : in;
  }
  }
}

#define DISTANCES(shape)                                                                                               \
  _Pragma("omp simd") for (int i = 0; i < count; i++) distance[i] = distance_to(shape, form, wy_load3(y, stride, i))

WY_CLONES
void wy_form_distances(const wy_form_of *form, int count, int stride, const double *restrict y,
                       double *restrict distance) {
  switch (form->shape) {
  case WY_OBSTACLE_PLANE:
    DISTANCES(WY_OBSTACLE_PLANE);
    break;
  case WY_OBSTACLE_SPHERE:
    DISTANCES(WY_OBSTACLE_SPHERE);
    break;
  case WY_OBSTACLE_CYLINDER:
    DISTANCES(WY_OBSTACLE_CYLINDER);
    break;
  case WY_OBSTACLE_CAPSULE:
    DISTANCES(WY_OBSTACLE_CAPSULE);
    break;
  case WY_OBSTACLE_BOX:
    DISTANCES(WY_OBSTACLE_BOX);
    break;
  case WY_OBSTACLE_TORUS:
    DISTANCES(WY_OBSTACLE_TORUS);
    break;
  case WY_OBSTACLE_TUBE:
    DISTANCES(WY_OBSTACLE_TUBE);
    break;
  }
}

/* ---- Normals and how they turn ---- */

static const wy_v3 axis = {0, 0, 1};

/* The direction of v, or `instead` where v has none. */
static wy_v3 direction(wy_v3 v, wy_v3 instead) {
  const double size = wy_norm(v);
  return size > 0 ? wy_times(1 / size, v) : instead;
}

static wy_v3 outwards(wy_v3 y) {
  return direction((wy_v3){y.x, y.y, 0}, (wy_v3){1, 0, 0});
}

/* 1 - n n^T, and e e^T */
static wy_m3 across(wy_v3 n) {
  return wy_mminus(wy_diagonal(1), wy_outer(n, n));
}

/* From a centre: D = |v| - R. */
static wy_near near_point(wy_v3 v, double radius) {
  const double size = wy_norm(v);
  const wy_v3 n = direction(v, axis);
  return (wy_near){size - radius, n, size > 0 ? wy_mtimes(1 / size, across(n)) : wy_diagonal(0)};
}

/* From a line along z: D = rho - R; with the sign -1 towards it from inside: D = R - rho. */
static wy_near near_line(wy_v3 y, double radius, double sign) {
  const double rho = sqrt(y.x * y.x + y.y * y.y);
  const wy_v3 out = outwards(y), hoop = wy_cross(axis, out);
  const double bend = rho > 0 ? sign / rho : 0;
  return (wy_near){sign * (rho - radius), wy_times(sign, out), wy_mtimes(bend, wy_outer(hoop, hoop))};
}

/* From a circle of the radius R about z, at the height z0, with thickness t: (rho - R, z - z0) = (D + t) (cos, sin).
   The hoop direction turns with rho. */
static wy_near near_circle(wy_v3 y, double radius, double height, double thickness) {
  const double rho = sqrt(y.x * y.x + y.y * y.y);
  const wy_v3 out = outwards(y), hoop = wy_cross(axis, out);
  const wy_v3 v = wy_plus(wy_times(rho - radius, out), wy_times(y.z - height, axis));
  const double size = wy_norm(v);
  const wy_v3 n = direction(v, axis);
  wy_m3 bend = wy_mtimes(rho > 0 ? wy_inner(n, out) / rho : 0, wy_outer(hoop, hoop));
  if (size > 0)
    bend = wy_mplus(bend, wy_mtimes(1 / size, wy_mminus(across(n), wy_outer(hoop, hoop))));
  return (wy_near){size - thickness, n, bend};
}

static wy_near near_face(double distance, wy_v3 normal) {
  return (wy_near){distance, normal, wy_diagonal(0)};
}

static wy_near near_cylinder(const wy_form_of *form, wy_v3 y) {
  const double out = sqrt(y.x * y.x + y.y * y.y) - form->radius, over = fabs(y.z) - form->half[2];
  const double side = y.z < 0 ? -1 : 1;
  if (out > 0 && over > 0)
    return near_circle(y, form->radius, side * form->half[2], 0);
  return out > over ? near_line(y, form->radius, 1) : near_face(over, wy_times(side, axis));
}

/* From inside; beyond its length from the rim. */
static wy_near near_tube(const wy_form_of *form, wy_v3 y) {
  if (fabs(y.z) <= form->half[2])
    return near_line(y, form->radius, -1);
  return near_circle(y, form->radius, y.z < 0 ? -form->half[2] : form->half[2], 0);
}

static wy_near near_capsule(const wy_form_of *form, wy_v3 y) {
  if (fabs(y.z) <= form->half[2])
    return near_line(y, form->radius, 1);
  const double cap = y.z > 0 ? form->half[2] : -form->half[2];
  return near_point((wy_v3){y.x, y.y, y.z - cap}, form->radius);
}

/* Outside, only the components beyond the faces count: a face, an edge or a corner. */
static wy_near near_box(const wy_form_of *form, wy_v3 y) {
  const double at[3] = {y.x, y.y, y.z};
  double out[3], sign[3];
  int outside = 0, nearest = 0;
  for (int k = 0; k < 3; k++) {
    sign[k] = at[k] < 0 ? -1 : 1;
    out[k] = fabs(at[k]) - form->half[k];
    outside += out[k] > 0;
    nearest = out[k] > out[nearest] ? k : nearest;
  }
  if (outside < 2) {
    double n[3] = {0, 0, 0};
    n[nearest] = sign[nearest];
    return near_face(out[nearest], wy_at3(n));
  }
  double v[3];
  for (int k = 0; k < 3; k++)
    v[k] = out[k] > 0 ? sign[k] * out[k] : 0;
  wy_near near = near_point(wy_at3(v), 0);
  /* along an edge the normal does not turn */
  const wy_v3 turns = {out[0] > 0, out[1] > 0, out[2] > 0};
  near.bend = wy_scale_columns(wy_scale_rows(turns, near.bend), turns);
  return near;
}

wy_near wy_form_near(const wy_form_of *form, wy_v3 y) {
  switch (form->shape) {
  case WY_OBSTACLE_PLANE:
    return near_face(y.z, axis);
  case WY_OBSTACLE_SPHERE:
    return near_point(y, form->radius);
  case WY_OBSTACLE_CYLINDER:
    return near_cylinder(form, y);
  case WY_OBSTACLE_CAPSULE:
    return near_capsule(form, y);
  case WY_OBSTACLE_BOX:
    return near_box(form, y);
  case WY_OBSTACLE_TORUS:
    return near_circle(y, form->radius, 0, form->thickness);
  default:
    return near_tube(form, y);
  }
}

double wy_form_smallest_radius(const wy_form_of *form) {
  switch (form->shape) {
  case WY_OBSTACLE_SPHERE:
  case WY_OBSTACLE_CYLINDER:
  case WY_OBSTACLE_CAPSULE:
    return form->radius;
  case WY_OBSTACLE_TORUS:
    return form->thickness;
  default: /* faces, hollows; edges are corners, whatever the grid */
    return INFINITY;
  }
}
