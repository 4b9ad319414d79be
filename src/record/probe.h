/* SPDX-License-Identifier: MIT */
/* Values between the points of a view, and quantities made of them. */
#ifndef WY_RECORD_PROBE_H
#define WY_RECORD_PROBE_H

#include <math.h>

#include "withy/sim.h"

/* The rod that quantities are read from, and where. */
typedef struct wy_reading {
  const wy_view *view;
  double length; /* of the undeformed rod */
  double s;
} wy_reading;

/* Values at arc length s: linear between points, or a parabola through three of them; beyond the outermost ones, too.
 */
void wy_points_at(const wy_points *points, double s, double *out);
/* The frame at r->s, along the shortest turn between points; at a held end that of the support. */
void wy_rotation_at(const wy_reading *r, double q[4]);
/* The end that s is, or -1. */
int wy_end_at(double length, double s);

/* The length of the line through the points. */
double wy_points_length(const wy_points *points);

/* The axial force of a section force; the bending part of a curvature, and the radius that goes with it. */
static inline double wy_tension(const double force[3]) {
  return force[2];
}

static inline double wy_bending(const double curvature[3]) {
  return sqrt(curvature[0] * curvature[0] + curvature[1] * curvature[1]);
}

static inline double wy_bend_radius(const double curvature[3]) {
  const double bending = wy_bending(curvature);
  return bending > 0 ? 1 / bending : (double)INFINITY;
}

/* A quantity of a rod, of a place on it or of an end (quantity.c). */
wy_status wy_probe_view(const wy_view *view, double length, wy_quantity quantity, double s, double out[4],
                        wy_message *message);
/* A quantity of the contact of a rod; `view` is NULL where it cannot touch anything. */
void wy_probe_contact(const wy_contact_view *view, wy_quantity quantity, double s, double out[4]);

#endif
