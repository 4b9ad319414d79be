/* SPDX-License-Identifier: MIT */
/* How bodies of a network are drawn: as their shape, or as the box of the same inertia where they have none. Places of
   joints and springs in space. Shared by pictures, the 3D page and exported files. */
#ifndef WY_DRAW_BODY_H
#define WY_DRAW_BODY_H

#include "withy/model.h"

/* A body as it is drawn. */
typedef struct wy_solid {
  wy_body_shape shape; /* box, sphere or cylinder */
  double half[3];      /* half extents along its own axes: of a sphere three times the radius, of a cylinder along z */
  double turn[4];      /* from these axes to those of the body */
  double reach;        /* farthest point from the centre of mass */
} wy_solid;

wy_solid wy_solid_of(const wy_body_def *body);

/* The vector that a unit quaternion makes of another. `in` may be `out`. */
void wy_turn_vector(const double q[4], const double in[3], double out[3]);
/* The product of quaternions: first the turn b, then a. */
void wy_turn_product(const double a[4], const double b[4], double out[4]);

/* Where a port is in the undeformed model, and the axes of its part there: those of space for the ground. A port on the
   ground that is given no place is at the first of the other ports. */
void wy_port_rest(const wy_model *model, const wy_port *ports, int count, int port, double position[3],
                  double frame[4]);

#endif
