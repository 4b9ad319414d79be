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

/* ---- Round forms: in the plane of their axis and the point ---- */

/* Without the special cases of fmax and fmin, which keep loops from being vectorised. */
WY_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

/* Of a solid whose faces are at distances that may be negative: `outside` counts what is beyond them alone. */
WY_INLINE double outside_or_in(double outside, double nearest) {
  return outside + (nearest < 0 ? nearest : 0);
}

/* Distance, the normal by its parts away from the axis and upwards, and how it turns with a step across itself in this
   plane and with one around the axis: (K4). */
typedef struct meridian {
  double distance, away, up, across, around;
} meridian;

/* From a point at (out, over) from a centre, with the radius of what is around it. */
WY_INLINE meridian from_centre(double out, double over, double radius) {
  const double size = sqrt(out * out + over * over), inverse = size > 0 ? 1 / size : 0;
  return (meridian){size - radius, inverse * out, size > 0 ? inverse * over : 1, inverse, inverse};
}

/* Out of the side, above the face, or both: then from the edge. */
WY_INLINE meridian from_cylinder(double out, double over, double per_rho) {
  const double p = larger(out, 0), q = larger(over, 0), size = sqrt(p * p + q * q), inverse = size > 0 ? 1 / size : 0;
  const bool side = out > over;
  const double away = size > 0 ? inverse * p : side, up = size > 0 ? inverse * q : !side;
  return (meridian){outside_or_in(size, larger(out, over)), away, up, p > 0 && q > 0 ? inverse : 0, away * per_rho};
}

/* From inside; over its ends from the rim, a circle. */
WY_INLINE meridian from_tube(double out, double over, double per_rho) {
  const meridian rim = from_centre(out, over, 0);
  const bool beyond = over > 0;
  const double away = beyond ? rim.away : -1;
  return (meridian){beyond ? rim.distance : -out, away, beyond ? rim.up : 0, beyond ? rim.across : 0, away * per_rho};
}

/* At the distance rho from the axis and z >= 0 above the middle. Written so that loops over points vectorise. */
WY_INLINE meridian meridian_of(wy_obstacle_shape shape, const wy_form_of *form, double rho, double z) {
  const double per_rho = rho > 0 ? 1 / rho : 0;
  switch (shape) {
  case WY_OBSTACLE_SPHERE:
    return from_centre(rho, z, form->radius);
  case WY_OBSTACLE_CYLINDER:
    return from_cylinder(rho - form->radius, z - form->half[2], per_rho);
  case WY_OBSTACLE_CAPSULE: {
    const double beyond = larger(z - form->half[2], 0);
    meridian at = from_centre(rho, beyond, form->radius);
    at.across = beyond > 0 ? at.across : 0;
    return at;
  }
  case WY_OBSTACLE_TORUS: {
    meridian at = from_centre(rho - form->radius, z, form->thickness);
    at.around = at.away * per_rho; /* the hoop direction turns with rho */
    return at;
  }
  default: /* a tube */
    return from_tube(rho - form->radius, larger(z - form->half[2], 0), per_rho);
  }
}

WY_INLINE double radius_of(wy_v3 y) {
  return sqrt(y.x * y.x + y.y * y.y);
}

/* The same in the obstacle's axes, turned by `axes`. On the axis some direction is taken for the one away from it. */
WY_INLINE wy_near near_round(wy_obstacle_shape shape, const wy_form_of *form, wy_v3 y, wy_m3 axes) {
  const double rho = radius_of(y), side = y.z < 0 ? -1 : 1, per_rho = rho > 0 ? 1 / rho : 0;
  const meridian at = meridian_of(shape, form, rho, fabs(y.z));
  const double cosine = rho > 0 ? per_rho * y.x : 1, sine = per_rho * y.y;
  const wy_v3 out = wy_plus(wy_times(cosine, axes.a), wy_times(sine, axes.b));
  const wy_v3 hoop = wy_minus(wy_times(cosine, axes.b), wy_times(sine, axes.a)), over = wy_times(side, axes.c);
  const wy_v3 tangent = wy_minus(wy_times(at.up, out), wy_times(at.away, over));
  return (wy_near){
      at.distance, wy_plus(wy_times(at.away, out), wy_times(at.up, over)),
      wy_mplus(wy_outer(wy_times(at.across, tangent), tangent), wy_outer(wy_times(at.around, hoop), hoop))};
}

/* ---- Distances ---- */

/* (K4), likewise. */
WY_INLINE double distance_to(wy_obstacle_shape shape, const wy_form_of *form, wy_v3 y) {
  if (shape == WY_OBSTACLE_PLANE)
    return y.z;
  if (shape == WY_OBSTACLE_BOX) {
    const wy_v3 q = {fabs(y.x) - form->half[0], fabs(y.y) - form->half[1], fabs(y.z) - form->half[2]};
    const wy_v3 out = {larger(q.x, 0), larger(q.y, 0), larger(q.z, 0)};
    return outside_or_in(wy_norm(out), larger(q.x, larger(q.y, q.z)));
  }
  return meridian_of(shape, form, radius_of(y), fabs(y.z)).distance;
}

/* A loop over the points of a form, for each shape by itself. */
#define EACH_SHAPE(loop)                                                                                               \
  switch (form->shape) {                                                                                               \
  case WY_OBSTACLE_PLANE:                                                                                              \
    loop(WY_OBSTACLE_PLANE);                                                                                           \
    break;                                                                                                             \
  case WY_OBSTACLE_SPHERE:                                                                                             \
    loop(WY_OBSTACLE_SPHERE);                                                                                          \
    break;                                                                                                             \
  case WY_OBSTACLE_CYLINDER:                                                                                           \
    loop(WY_OBSTACLE_CYLINDER);                                                                                        \
    break;                                                                                                             \
  case WY_OBSTACLE_CAPSULE:                                                                                            \
    loop(WY_OBSTACLE_CAPSULE);                                                                                         \
    break;                                                                                                             \
  case WY_OBSTACLE_BOX:                                                                                                \
    loop(WY_OBSTACLE_BOX);                                                                                             \
    break;                                                                                                             \
  case WY_OBSTACLE_TORUS:                                                                                              \
    loop(WY_OBSTACLE_TORUS);                                                                                           \
    break;                                                                                                             \
  case WY_OBSTACLE_TUBE:                                                                                               \
    loop(WY_OBSTACLE_TUBE);                                                                                            \
    break;                                                                                                             \
  case WY_OBSTACLE_DISTANCE: /* of batches alone */                                                                    \
    break;                                                                                                             \
  }

#define DISTANCES(shape)                                                                                               \
  _Pragma("omp simd") for (int i = 0; i < count; i++) distance[i] = distance_to(shape, form, wy_load3(y, stride, i))

WY_CLONES
void wy_form_distances(const wy_form_of *form, int count, int stride, const double *restrict y,
                       double *restrict distance){EACH_SHAPE(DISTANCES)}

/* Distances change no faster than places; of a tube they jump where its wall ends, but for what is all beyond its ends.
   Inside and beyond, none is smaller than the distance from the wall made endless. */
WY_CLONES void wy_form_clearances(const wy_form_of *form, int count, int stride, const double *restrict y,
                                  const double *restrict size, double *restrict clearance) {
  wy_form_distances(form, count, stride, y, clearance);
#pragma omp simd
  for (int i = 0; i < count; i++)
    clearance[i] -= size[i];
  for (int i = 0; i < count && form->shape == WY_OBSTACLE_TUBE; i++)
    if (!(fabs(y[2 * stride + i]) - form->half[2] > size[i]))
      clearance[i] = form->radius - radius_of(wy_load3(y, stride, i)) - size[i];
}

/* ---- Normals and how they turn ---- */

/* Outside, only the components beyond the faces count: a face, an edge or a corner. Along an edge the normal does not
   turn. */
WY_INLINE wy_near near_box(const wy_form_of *form, wy_v3 y, wy_m3 axes) {
  const wy_v3 sign = {y.x < 0 ? -1 : 1, y.y < 0 ? -1 : 1, y.z < 0 ? -1 : 1};
  const wy_v3 q = {fabs(y.x) - form->half[0], fabs(y.y) - form->half[1], fabs(y.z) - form->half[2]};
  const wy_v3 out = {larger(q.x, 0), larger(q.y, 0), larger(q.z, 0)};
  const double size = wy_norm(out), inverse = size > 0 ? 1 / size : 0;
  const bool first = q.x >= q.y && q.x >= q.z, second = !first && q.y >= q.z;
  const wy_v3 nearest = {first, second, !first && !second}, turns = {out.x > 0, out.y > 0, out.z > 0};
  const bool outside = size > 0, edge = turns.x + turns.y + turns.z > 1;
  const wy_v3 n = wy_each(sign, (wy_v3){outside ? inverse * out.x : nearest.x, outside ? inverse * out.y : nearest.y,
                                        outside ? inverse * out.z : nearest.z});
  const double bend = edge ? inverse : 0;
  const wy_v3 normal = wy_apply(axes, n), scaled = wy_times(bend, turns);
  wy_m3 turned = wy_outer(wy_times(scaled.x, axes.a), axes.a);
  turned = wy_mplus(turned, wy_outer(wy_times(scaled.y, axes.b), axes.b));
  turned = wy_mplus(turned, wy_outer(wy_times(scaled.z, axes.c), axes.c));
  return (wy_near){outside_or_in(size, larger(q.x, larger(q.y, q.z))), normal,
                   wy_mminus(turned, wy_outer(wy_times(bend, normal), normal))};
}

WY_INLINE wy_near near_shape(wy_obstacle_shape shape, const wy_form_of *form, wy_v3 y, wy_m3 axes) {
  if (shape == WY_OBSTACLE_PLANE)
    return (wy_near){y.z, axes.c, wy_diagonal(0)};
  if (shape == WY_OBSTACLE_BOX)
    return near_box(form, y, axes);
  return near_round(shape, form, y, axes);
}

wy_near wy_form_near(const wy_form_of *form, wy_v3 y) {
  return near_shape(form->shape, form, y, wy_diagonal(1));
}

wy_near wy_form_seen(const wy_form_of *form, wy_m3 axes, wy_v3 y) {
  return near_shape(form->shape, form, y, axes);
}

#define NORMALS(shape)                                                                                                 \
  _Pragma("omp simd") for (int i = 0; i < count; i++)                                                                  \
      wy_store3(normal, stride, i, near_shape(shape, form, wy_load3(y, stride, i), axes).normal)

WY_CLONES
void wy_form_normals(const wy_form_of *form, wy_m3 axes, int count, int stride, const double *restrict y,
                     double *restrict normal){EACH_SHAPE(NORMALS)}

WY_INLINE void store_near(double *restrict normal, double *restrict bend, int stride, int i, wy_near near) {
  wy_store3(normal, stride, i, near.normal);
  wy_store3(bend, stride, i, near.bend.a);
  wy_store3(bend + 3 * stride, stride, i, near.bend.b);
  wy_store3(bend + 6 * stride, stride, i, near.bend.c);
}

#define BENDS(shape)                                                                                                   \
  _Pragma("omp simd") for (int i = 0; i < count; i++)                                                                  \
      store_near(normal, bend, stride, i, near_shape(shape, form, wy_load3(y, stride, i), axes))

WY_CLONES
void wy_form_bends(const wy_form_of *form, wy_m3 axes, int count, int stride, const double *restrict y,
                   double *restrict normal, double *restrict bend) {
  EACH_SHAPE(BENDS)
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
