/* SPDX-License-Identifier: MIT */
/* What connects rods: rigid bodies, joints and springs. They are entries of wy_model_def (withy/model.h).

   A part is a rod or a body. A port is a place on a part, or on the ground, where a joint or a spring takes hold. Parts
   that joints and springs connect form a group, which moves with one integrator; the ground does not connect.
   Quaternions are (w, x, y, z). docs/theory/network.md has the equations. */
#ifndef WITHY_NETWORK_H
#define WITHY_NETWORK_H

#include "withy/definition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ports ---- */

/* What a port is on. */
typedef enum wy_port_kind { WY_PORT_GROUND, WY_PORT_ROD, WY_PORT_BODY } wy_port_kind;

/* A place on a rod, on a body or on the ground. */
typedef struct wy_port {
  wy_port_kind kind;
  int index;       /* of the rod or of the body */
  double s;        /* on a rod: arc length, from 0 to its length */
  double point[3]; /* on a body: from its centre of mass, in the axes of the body; on the ground: in space */
  bool placed; /* on the ground: `point` is given; else it is where the first other part of the joint or spring is */
} wy_port;

/* The port at arc length s of a rod. */
static inline wy_port wy_port_on_rod(int rod, double s) {
  wy_port port = {WY_PORT_ROD, rod, s, {0, 0, 0}, false};
  return port;
}

/* The port at a point of a body, from its centre of mass, in its axes. */
static inline wy_port wy_port_on_body(int body, double x, double y, double z) {
  wy_port port = {WY_PORT_BODY, body, 0, {x, y, z}, false};
  return port;
}

/* The port on the ground where the first other part is. */
static inline wy_port wy_port_on_ground(void) {
  wy_port port = {WY_PORT_GROUND, 0, 0, {0, 0, 0}, false};
  return port;
}

/* The port at a point of the ground. */
static inline wy_port wy_port_in_space(double x, double y, double z) {
  wy_port port = {WY_PORT_GROUND, 0, 0, {x, y, z}, true};
  return port;
}

/* ---- Rigid bodies ---- */

/* The form of a body: for pictures, and for its mass if it has a density. */
typedef enum wy_body_shape {
  WY_BODY_SHAPELESS, /* drawn as a box of the same inertia */
  WY_BODY_BOX,       /* dimensions: lengths along its axes */
  WY_BODY_SPHERE,    /* dimensions[0]: radius */
  WY_BODY_CYLINDER   /* dimensions[0]: radius, dimensions[1]: length along its z axis */
} wy_body_shape;

/* A rigid body. Mass and inertia are given, or follow from shape and density. Components of the position of its centre
   of mass, and its rotation, may be held or driven, as at the end of a rod, until the time `release`. */
typedef struct wy_body_def {
  uint32_t cookie, size; /* set by wy_default_body_def */
  const char *name;      /* different from those of other bodies and of rods; not "ground" */
  wy_body_shape shape;
  int reserved; /* 0 */
  double dimensions[3];
  double density; /* > 0: mass and inertia follow from the shape; leave them at 0 */
  double mass;
  double inertia[6]; /* about the centre of mass, axes of the body: xx, yy, zz, xy, xz, yz */
  double origin[3];  /* the centre of mass in the undeformed model */
  double frame[4];   /* the axes of the body in the undeformed model; the library divides it by its length */
  wy_hold position[3], rotation;
  wy_signal path[3];          /* of driven components: space coordinates of the centre of mass, `origin` at t = 0 */
  double axis[3];             /* of a driven rotation, in space */
  wy_signal angle;            /* about it, beyond `frame`, 0 at t = 0; it may be many turns */
  double release;             /* position and rotation are free from then on; INFINITY: never */
  double velocity[3];         /* at t = 0, space axes */
  double angular_velocity[3]; /* at t = 0, axes of the body */
} wy_body_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_body_def(wy_body_def *def, size_t size);
/* A free body at rest at the origin, with the axes of space. Set its name, and mass and inertia, or shape and density.
 */
static inline wy_body_def wy_default_body_def(void) {
  wy_body_def def;
  wy_init_body_def(&def, sizeof def);
  return def;
}

/* ---- Joints ---- */

/* What the parts of a joint share. */
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

/* A joint of two ports or more, which meet in the undeformed model unless `assemble` is set. Each end of a rod is in
   one joint at most, and it is free in `ends` of its rod. A hinge turns each of its other parts against the first one.
 */
typedef struct wy_joint_def {
  uint32_t cookie, size; /* set by wy_default_joint_def */
  const char *name;      /* to find it by, different for each joint; NULL: none */
  wy_joint_kind kind;
  int port_count;
  const wy_port *ports;
  double axis[3]; /* of a hinge: in space, in the undeformed model */
  wy_weld_rotation rotation;
  wy_hold position[3]; /* of a weld or ball with the ground: WY_FREE lets it slide along that axis of space */
  bool has_spring;     /* a hinge or ball with stiffness, damping and rest_angle */
  bool has_angle;      /* a hinge that is driven by `angle` */
  bool assemble;       /* parts that are apart are brought together before the motion begins */
  bool reserved[5];    /* false */
  double turn_axis[3], turn_angle;
  double stiffness, damping, rest_angle; /* of the spring: in a hinge about its axis, in a ball against any rotation */
  wy_signal angle;                       /* of a driven hinge: of t, 0 at t = 0 */
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

/* When a spring acts. */
typedef enum wy_spring_kind {
  WY_SPRING, /* pulls and pushes */
  WY_CABLE   /* pulls only */
} wy_spring_kind;

/* A spring with a damper between two ports. The end of a rod that has a spring is free in `ends` of its rod; a joint
   with the ground may hold it. */
typedef struct wy_spring_def {
  uint32_t cookie, size; /* set by wy_default_spring_def */
  const char *name;      /* to find it by, different for each spring; NULL: none */
  wy_spring_kind kind;
  int reserved; /* 0 */
  wy_port ports[2];
  double stiffness, length, damping; /* length: of the spring without force */
} wy_spring_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_spring_def(wy_spring_def *def, size_t size);
/* A spring of no length, stiffness and damping. Set its ports. */
static inline wy_spring_def wy_default_spring_def(void) {
  wy_spring_def def;
  wy_init_spring_def(&def, sizeof def);
  return def;
}

#ifdef __cplusplus
}
#endif
#endif
