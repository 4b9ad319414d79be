/* SPDX-License-Identifier: MIT */
/* The forms of obstacles: how far a point is from the solid, in which direction, and how that direction changes (K4).
   Points are in the obstacle's own axes, from its position: z along its axis, x along d1 of a box. */
#ifndef WY_CONTACT_SHAPE_H
#define WY_CONTACT_SHAPE_H

#include "math/lane.h"
#include "withy/contact.h"

/* What a form is made of; `half` are half the length (x, y: half the sides of a box). */
typedef struct wy_form_of {
  wy_obstacle_shape shape;
  double radius, thickness, half[3];
} wy_form_of;

/* A point near an obstacle: distance from the solid (> 0 where rods may be), unit normal towards the rod, and the
   derivative of the normal by the point, a symmetric matrix. */
typedef struct wy_near {
  double distance;
  wy_v3 normal;
  wy_m3 bend;
} wy_near;

wy_form_of wy_form_from(const wy_obstacle_def *def);

/* At the medial axis of a form, where the normal is not defined, it is some unit vector. Beyond the ends of a tube the
   distance is that of its rim. */
wy_near wy_form_near(const wy_form_of *form, wy_v3 y);
/* The same with normal and bend turned by `axes`. */
wy_near wy_form_seen(const wy_form_of *form, wy_m3 axes, wy_v3 y);

/* The distances alone, of `count` points of structure of arrays. */
void wy_form_distances(const wy_form_of *form, int count, int stride, const double *y, double *distance);

/* Of balls around these points: no point of a ball is closer than this. */
void wy_form_clearances(const wy_form_of *form, int count, int stride, const double *y, const double *size,
                        double *clearance);

/* Their normals, turned by `axes`, [3][stride]; and with these their derivatives by the points, [column][row][stride].
 */
void wy_form_normals(const wy_form_of *form, wy_m3 axes, int count, int stride, const double *y, double *normal);
void wy_form_bends(const wy_form_of *form, wy_m3 axes, int count, int stride, const double *y, double *normal,
                   double *bend);

/* The smallest radius of curvature of the surface that bulges towards rods; INFINITY: flat or hollow. */
double wy_form_smallest_radius(const wy_form_of *form);

#endif
