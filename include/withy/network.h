/* SPDX-License-Identifier: MIT */
/* What connects rods: rigid bodies, joints and springs. They are entries of wy_model_def (withy/model.h).

   A part is a rod or a body. A port is a place on a part, or on the ground, where a joint or spring takes hold. Parts
   that joints and springs connect form a group, which moves with one integrator; the ground does not connect.
   docs/theory/network.md has the equations. */
#ifndef WITHY_NETWORK_H
#define WITHY_NETWORK_H

#include "withy/definition.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wy_port_kind { WY_PORT_GROUND, WY_PORT_ROD, WY_PORT_BODY } wy_port_kind;

/* A place on a rod, on a body or on the ground. */
typedef struct wy_port {
  wy_port_kind kind;
  int index;       /* of the rod or of the body */
  double s;        /* rod: arc length, from 0 to its length */
  bool placed;     /* ground: `point` is given; else it is where the other parts of the joint meet */
  double point[3]; /* body: from its centre of mass, in the axes of the body; ground: in space */
} wy_port;

/* The port at one end of a rod (at its start: s = 0), at a point of a body, and on the ground wherever the others are.
 */
static inline wy_port wy_port_on_rod(int rod, double s) {
  wy_port port = {WY_PORT_ROD, rod, s, false, {0, 0, 0}};
  return port;
}

static inline wy_port wy_port_on_body(int body, double x, double y, double z) {
  wy_port port = {WY_PORT_BODY, body, 0, false, {x, y, z}};
  return port;
}

static inline wy_port wy_port_on_ground(void) {
  wy_port port = {WY_PORT_GROUND, 0, 0, false, {0, 0, 0}};
  return port;
}

/* ---- Rigid bodies ---- */

/* The form of a body: for pictures, and for its mass if it has a density. */
typedef enum wy_body_shape {
  WY_BODY_SHAPELESS, /* drawn as a box of the same inertia */
  WY_BODY_BOX,       /* size: lengths along its axes */
  WY_BODY_SPHERE,    /* size[0]: radius */
  WY_BODY_CYLINDER   /* size[0]: radius, size[1]: length along its z axis */
} wy_body_shape;

/* A rigid body. Mass and inertia are given, or follow from shape and density. Its position is that of its centre of
   mass, which a path begins at; its components are supported as those of the end of a rod. */
typedef struct wy_body_def {
  uint32_t cookie, size; /* set by wy_default_body_def */
  const char *name;
  wy_body_shape shape;
  int padding; /* 0 */
  double dimensions[3];
  double density; /* > 0: mass and inertia follow from the shape */
  double mass;
  double inertia[6]; /* about the centre of mass, axes of the body: xx, yy, zz, xy, xz, yz */
  double origin[3];  /* the centre of mass in the undeformed model */
  double frame[4];   /* the axes of the body in the undeformed model, a quaternion */
  wy_hold position[3];
  wy_hold rotation;
  wy_signal path[3];          /* of driven components, space coordinates */
  double axis[3];             /* of a driven rotation, in space */
  wy_signal angle;            /* about it, from how `frame` is, of t */
  double release;             /* position and rotation are free from then on; INFINITY: never */
  double velocity[3];         /* at t = 0, space axes */
  double angular_velocity[3]; /* at t = 0, axes of the body */
} wy_body_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_body_def(wy_body_def *def, size_t size);
/* A free body at the origin, at rest. Set its mass and inertia, or shape and density. */
static inline wy_body_def wy_default_body_def(void) {
  wy_body_def def;
  wy_init_body_def(&def, sizeof def);
  return def;
}

/* ---- Joints ---- */

typedef enum wy_joint_kind {
  WY_WELD, /* place and rotation are shared */
  WY_BALL, /* the place is shared */
  WY_HINGE /* the place, and all rotation but that about `axis` */
} wy_joint_kind;

/* The relative rotation that a weld of two parts keeps. */
typedef enum wy_weld_rotation {
  WY_WELD_DRAWN, /* that of the undeformed model */
  WY_WELD_EQUAL, /* none: both frames coincide */
  WY_WELD_TURNED /* the second part is turned by turn_angle about turn_axis (space) beyond how it is drawn */
} wy_weld_rotation;

/* A joint of two ports or more, which meet in the undeformed model unless `assemble` is set. A hinge turns each of its
   other parts against the first one. */
typedef struct wy_joint_def {
  uint32_t cookie, size; /* set by wy_default_joint_def */
  const char *name;
  wy_joint_kind kind;
  int port_count;
  const wy_port *ports;
  double axis[3];                                 /* of a hinge: in space, in the undeformed model */
  bool has_spring, has_angle, assemble, reserved; /* reserved: false */
  wy_weld_rotation rotation;
  double turn_axis[3], turn_angle;
  double stiffness, damping, rest_angle; /* of a spring in a hinge about its axis, or in a ball against any rotation */
  wy_signal angle;                       /* of a driven hinge: of t, 0 at t = 0 */
  wy_hold position[3];                   /* of a joint with the ground: WY_FREE lets it slide along that axis */
  int padding;                           /* 0 */
  double release;                        /* the joint is gone from then on; INFINITY: never */
} wy_joint_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_joint_def(wy_joint_def *def, size_t size);
/* A weld of no ports. */
static inline wy_joint_def wy_default_joint_def(void) {
  wy_joint_def def;
  wy_init_joint_def(&def, sizeof def);
  return def;
}

/* ---- Springs ---- */

typedef enum wy_spring_kind {
  WY_SPRING, /* pulls and pushes */
  WY_CABLE   /* pulls only */
} wy_spring_kind;

/* A spring with a damper between two ports. */
typedef struct wy_spring_def {
  uint32_t cookie, size; /* set by wy_default_spring_def */
  const char *name;
  wy_spring_kind kind;
  int padding; /* 0 */
  wy_port ports[2];
  double stiffness, length, damping; /* length: of the spring without force */
} wy_spring_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_spring_def(wy_spring_def *def, size_t size);
/* A spring without stiffness between two places of the ground. */
static inline wy_spring_def wy_default_spring_def(void) {
  wy_spring_def def;
  wy_init_spring_def(&def, sizeof def);
  return def;
}

#ifdef __cplusplus
}
#endif
#endif
