/* SPDX-License-Identifier: MIT */
/* What rods touch: rigid obstacles, standing, moved or carried by a body, and the laws of contact and friction. They
   are entries of wy_model_def (withy/model.h).

   A rod is a tube around its centreline, with a soft skin of stiffness k' and a hard core of half its radius. The load
   per length follows from the depth of the skin alone, so that depth, force and bounce do not depend on the number of
   segments. docs/theory/contact.md has the equations. */
#ifndef WITHY_CONTACT_H
#define WITHY_CONTACT_H

#include "withy/definition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The form of an obstacle. Rods stay outside of it; inside of a tube. */
typedef enum wy_obstacle_shape {
  WY_OBSTACLE_PLANE,    /* solid behind it; `axis` is its normal, towards the rods */
  WY_OBSTACLE_SPHERE,   /* radius */
  WY_OBSTACLE_CYLINDER, /* radius, length along its axis: a drum, a peg */
  WY_OBSTACLE_CAPSULE,  /* radius, length between the centres of its caps */
  WY_OBSTACLE_BOX,      /* dimensions along d1, axis x d1, axis */
  WY_OBSTACLE_TORUS,    /* radius of the centre circle about the axis, thickness: radius of the ring's own section */
  WY_OBSTACLE_TUBE,     /* radius, length: rods stay inside */
  WY_OBSTACLE_DISTANCE  /* grid: any form, for the rods of batches alone (withy/batch.h) */
} wy_obstacle_shape;

/* How far points of a grid are from the surface of an obstacle, negative inside. Between the points the distance is a
   spline with a continuous gradient; from half a step before the outermost points on it goes on straight. Rods feel the
   normal of the spline, the unit vector of its gradient. */
typedef struct wy_distance_grid {
  int points[3];             /* along d1, axis x d1 and axis of the obstacle; each at least 4 */
  double origin[3], step[3]; /* the first point, in these axes from `position`; between neighbours, > 0 */
  const float *values;       /* [points[0]][points[1]][points[2]], in metres; a model has a copy */
} wy_distance_grid;

/* A rigid obstacle. It stands, follows `position` and `angle`, or is fixed to a body, to which force and moment act
   back. */
typedef struct wy_obstacle_def {
  uint32_t cookie, size; /* set by wy_default_obstacle_def */
  const char *name;      /* different from those of rods, bodies and other obstacles; not "ground" */
  wy_obstacle_shape shape;
  int body; /* that carries it, or -1; `position`, `axis` and `d1` are then constant, in the axes of the body, the first
               from its centre of mass */
  double radius, length; /* length of a cylinder or tube: INFINITY: endless */
  double thickness;
  double dimensions[3];
  double axis[3], d1[3];        /* directions at t = 0; d1 only of a box or a grid: a zero vector is some normal of the
                                   axis */
  wy_signal position[3];        /* functions of t: its centre, or a point of the plane */
  double rotation_axis[3];      /* it turns about this direction of space */
  wy_signal angle;              /* by this function of t, 0 at t = 0; it may be many turns */
  double surface_velocity[3];   /* of its material along its surface, at t = 0: a belt; turns with the obstacle */
  double friction, restitution; /* instead of those of wy_contact_def; NAN: those */
  wy_distance_grid grid;        /* of WY_OBSTACLE_DISTANCE */
} wy_obstacle_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_obstacle_def(wy_obstacle_def *def, size_t size);
/* The plane z = 0, standing, with the friction and restitution of the model. */
static inline wy_obstacle_def wy_default_obstacle_def(void) {
  wy_obstacle_def def;
  wy_init_obstacle_def(&def, sizeof def);
  return def;
}

/* Friction and restitution of one rod with one obstacle; NAN: those of the obstacle, or of wy_contact_def. */
typedef struct wy_contact_pair {
  int rod, obstacle;
  double friction, restitution;
} wy_contact_pair;

/* The laws of contact for the whole model. */
typedef struct wy_contact_def {
  uint32_t cookie, size; /* set by wy_default_contact_def */
  double friction;       /* Coulomb's coefficient */
  double slip;        /* way over which friction builds up; 0: a hundredth of the radius in motions, a ten-thousandth in
                         equilibria */
  double speed;       /* of slip at which a damper alone would reach the whole friction; 0: chosen by the library */
  double restitution; /* speed after over speed before a hit, 0 to 1 */
  bool stick;         /* friction holds at rest; false: it is a damper alone, which creeps */
  bool settle;        /* equilibria begin with the rods put down on the obstacles */
  bool reserved[2];   /* false */
  int pair_count;
  const wy_contact_pair *pairs;
} wy_contact_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_contact_def(wy_contact_def *def, size_t size);
/* No friction, restitution 0.5, stick. */
static inline wy_contact_def wy_default_contact_def(void) {
  wy_contact_def def;
  wy_init_contact_def(&def, sizeof def);
  return def;
}

/* How a rod touches. */
typedef struct wy_rod_contact {
  bool none;        /* it touches nothing */
  wy_signal radius; /* function of s; the constant 0: that of its section: of a circle or annulus the outer radius, of a
                       rectangle half its smaller side */
  double stiffness; /* k' of its skin, force per length and depth; 0: that of its material squeezed between plates */
  double blend;     /* depth over radius up to which the skin stiffens */
} wy_rod_contact;

#ifdef __cplusplus
}
#endif
#endif
