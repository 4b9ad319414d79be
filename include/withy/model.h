/* SPDX-License-Identifier: MIT */
/* What is simulated, independent of any method: rods, their sections, materials, shapes, ends and loads; what connects
   them (withy/network.h), and what they touch (withy/contact.h).
   Definitions are plain structs filled by a wy_default_..._def function, changed, and copied by wy_model_create.
   A model is immutable: any number of simulations and threads may share it.

   Conventions (docs/notation.md): directors d1, d2 span the section, d3 is its normal; six-vectors of stiffness and
   damping are ordered shear 1, shear 2, extension, bending 1, bending 2, torsion; quaternions are (w, x, y, z). */
#ifndef WITHY_MODEL_H
#define WITHY_MODEL_H

#include "withy/contact.h"
#include "withy/definition.h"
#include "withy/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a rod: its possible deformations. */
typedef enum wy_rod_kind {
  WY_COSSERAT,    /* shear, extension, bending, torsion */
  WY_KIRCHHOFF,   /* no shear */
  WY_INEXTENSIBLE /* no shear, no extension */
} wy_rod_kind;

/* "cosserat", "kirchhoff" or "inextensible"; NULL for another number. */
WY_API const char *wy_rod_kind_name(wy_rod_kind kind);

/* How the section is described, and which members of wy_section are used. */
typedef enum wy_section_shape {
  WY_SECTION_NONE, /* stiffness and inertia are given explicitly */
  WY_CIRCLE,       /* radius */
  WY_ANNULUS,      /* outer, inner */
  WY_RECTANGLE,    /* width along d1, height along d2 */
  WY_EXPLICIT      /* area, I1, I2, J */
} wy_section_shape;

/* Dimensions may vary along the rod. I1 is the integral of y2^2 (bending about d1), J the torsion constant. */
typedef struct wy_section {
  wy_section_shape shape;
  wy_signal radius;
  wy_signal outer, inner;
  wy_signal width, height;
  wy_signal area, I1, I2, J;
} wy_section;

/* Isotropic elastic material; the shear modulus is `shear` if has_shear, else young / (2 (1 + poisson)). */
typedef struct wy_material {
  bool given;
  wy_signal density, young, poisson;
  bool has_shear;
  wy_signal shear;
} wy_material;

/* No damping; six coefficients; or one relaxation time for all. */
typedef enum wy_damping_kind { WY_UNDAMPED, WY_DAMPING_COEFFICIENTS, WY_DAMPING_TIME } wy_damping_kind;

/* Kelvin-Voigt: force = stiffness * strain + damping * strain rate. WY_DAMPING_TIME: damping = time * stiffness. */
typedef struct wy_damping {
  wy_damping_kind kind;
  wy_signal coefficient[6];
  wy_signal time;
} wy_damping;

/* A branch of a generalised Maxwell material. It has the fraction `share` of the instantaneous stiffness, and its
   stress relaxes with the time constant `time`. The rest of the stiffness is the long-term elastic part, which
   equilibria use. Strains that are constrained to zero have no branches. */
typedef struct wy_maxwell {
  double share, time;
} wy_maxwell;

/* Linear: forces and moments are proportional to strains and changes of curvature. Stiffening: they grow faster. */
typedef enum wy_law_kind { WY_LINEAR_LAW, WY_STIFFENING_LAW } wy_law_kind;

/* A row of the table of laws. */
typedef struct wy_law_info {
  const char *name;    /* in scenarios: "stiffening" */
  const char *meaning; /* a line */
} wy_law_info;

/* NULL if there is no such law. */
WY_API const wy_law_info *wy_law_describe(wy_law_kind kind);

/* The material law: the elastic energy per length (docs/theory/laws.md). The linear law uses the stiffnesses alone.
   Stiffening, with the
   strains v, the changes of curvature k, Q = EI1 k1^2 + EI2 k2^2 + GJ k3^2 and B = (EI1 + EI2) / 2:

     psi = (GA1 v1^2 + GA2 v2^2) / 2 + EA (v3 - 1)^2 / 2 + Q / 2 + bending Q^2 / (4 B)

   If `compression` is set, the extension term is EA ((v3^2 - 1) / 2 - ln v3) / 2 instead, so that v3 never reaches 0.
 */
typedef struct wy_law {
  wy_law_kind kind;
  bool compression;
  double bending; /* in units of length^2; at a change of curvature k the bending moment is EI k (1 + bending k^2) */
} wy_law;

/* External drag per unit length: force -translation * mass * velocity, moment -rotation * rotary inertia * angular
 * velocity. */
typedef struct wy_drag {
  double translation, rotation;
} wy_drag;

/* A fluid around the rod, such as water or wind, by Morison's equation (docs/theory/fluid.md). With the velocity v of
   the rod and U of the fluid, w = U - v across and w3 along d3, the force per length of the undeformed rod is

     density * diameter / 2 * (normal * |w| w + pi * tangential * |w3| w3 d3) - density * area * gravity
     + density * area * ((1 + added_mass) * dU/dt - added_mass * dv/dt, across d3),    area = pi / 4 * diameter^2,

   the part with gravity if `buoyancy` is set, the last one if `added_mass` is not 0. With buoyancy the section force is
   the effective tension. */
typedef struct wy_fluid {
  bool given;    /* false: there is none, and nothing else counts */
  bool buoyancy; /* the weight of the displaced fluid lifts the rod */
  double density;
  double normal, tangential; /* drag coefficients across and along the rod */
  double added_mass;         /* coefficient of the fluid that moves with the rod, across it */
  wy_signal diameter;        /* function of s; the constant 0: the outer diameter of a circle or an annulus */
  wy_flow velocity;
} wy_fluid;

/* The undeformed rod. A zero vector means the default: direction (1, 0, 0); d1 is the space axis with the largest angle
   to d3, made perpendicular to d3. A helix (turns > 0) determines length and curvature. Points of the centreline, from
   the start to the end of the rod, determine origin, direction, length and curvature: those of a twice differentiable
   curve through them, in frames that turn least, without twist (docs/theory/centreline.md). Leave these members at 0
   beside them. */
typedef struct wy_shape {
  double origin[3];
  double direction[3];
  double d1[3];
  wy_signal curvature[3]; /* K0(s), director components: a positive second component bends d3 towards +d1 */
  struct {
    double radius, pitch, turns;
  } helix;
  const double *points; /* optional: [3 * point_count], point by point */
  int point_count;      /* 0, or 2 to 50000 */
} wy_shape;

/* The length of the centreline through the points of a shape, which will be that of the rod. The message says which
   point is wrong. */
WY_API wy_status wy_shape_length(const wy_shape *shape, double *length, wy_message *message);

/* The initial state of a rod: its undeformed shape with frames twisted by R = R0(s) exp(twist e3), and its velocities.
 */
typedef struct wy_initial {
  wy_signal twist;
  wy_signal velocity[3];         /* functions of s, space components */
  wy_signal angular_velocity[3]; /* functions of s, director components */
} wy_initial;

/* The ends of a rod: s = 0 and s = length. */
typedef enum wy_end_name { WY_START = 0, WY_END = 1 } wy_end_name;

/* How a driven rotation Q(t) is given. */
typedef enum wy_rotation_by {
  WY_BY_ANGLE,      /* `angle` about the space vector `axis`; it may be many turns */
  WY_BY_QUATERNION, /* `quaternion`, which the library divides by its length */
  WY_BY_DIRECTORS   /* the columns of Q: `d3`, and `d1`, of which the part across d3 counts; only WY_FROM_SPACE */
} wy_rotation_by;

/* What Q turns. All its components are in space axes. */
typedef enum wy_rotation_from {
  WY_FROM_UNDEFORMED, /* the undeformed end: the frame of the support is Q times the undeformed frame */
  WY_FROM_SPACE       /* the space axes: Q is the frame of the support itself */
} wy_rotation_from;

/* The support of one end of a rod. A driven position component follows path[i], a space coordinate. A driven rotation
   follows what `rotation_by` and `rotation_from` choose; other members of it are not used. The end becomes free at the
   time `release`; INFINITY means never. */
typedef struct wy_end {
  wy_hold position[3];
  wy_signal path[3];
  wy_hold rotation;
  wy_rotation_by rotation_by;
  wy_rotation_from rotation_from;
  double axis[3];
  wy_signal angle;
  wy_signal quaternion[4];
  wy_signal d3[3], d1[3];
  double release;
} wy_end;

/* The usual supports. Change their members to drive or release an end. */
WY_API wy_end wy_end_free(void);
WY_API wy_end wy_end_pinned(void);  /* position held */
WY_API wy_end wy_end_clamped(void); /* position and rotation held */

/* A rod. Its stiffness and inertia follow from section and material, unless they are given explicitly. */
typedef struct wy_rod_def {
  uint32_t cookie; /* set by wy_default_rod_def: finds definitions that are not initialised or are of another version */
  uint32_t size;   /* likewise: of this struct in the headers of the program */
  const char *name;
  wy_rod_kind kind;
  double length;
  int segments;
  int maxwell_count;             /* number of entries of `maxwell` */
  const double *segment_lengths; /* optional: `segments` lengths that add up to `length` */
  wy_section section;
  wy_material material;
  double shear_factors[2];
  bool has_stiffness; /* use `stiffness` instead of the values that follow from section and material */
  wy_signal stiffness[6];
  bool has_inertia;
  wy_signal inertia[4]; /* mass, rotary 1, 2, 3 per unit length */
  wy_damping damping;
  wy_law law;
  const wy_maxwell *maxwell; /* optional: `maxwell_count` branches */
  wy_drag drag;
  wy_fluid fluid;
  wy_shape shape;
  wy_initial initial;
  wy_end ends[2];
  wy_rod_contact contact; /* how it touches obstacles (withy/contact.h) */
} wy_rod_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_rod_def(wy_rod_def *def, size_t size);
/* A straight Cosserat rod of 20 segments without damping, both ends free. Set length, section and material. */
static inline wy_rod_def wy_default_rod_def(void) {
  wy_rod_def def;
  wy_init_rod_def(&def, sizeof def);
  return def;
}

/* Where a load acts: at an end, at an arc length, along the rod, or at a point of a body. */
typedef enum wy_load_place { WY_AT_START, WY_AT_END, WY_AT_ARC, WY_ALONG, WY_AT_BODY } wy_load_place;
/* Components of a load: along the fixed axes, or along the directors or the axes of the body, so that the load turns
   with the rod or body. */
typedef enum wy_axes { WY_SPACE_AXES, WY_BODY_AXES } wy_axes;

/* A point load at an end or at arc length `from`, a load per unit length between `from` and `to`, or a load on a body.
 */
typedef struct wy_load_def {
  uint32_t cookie, size; /* set by wy_default_load_def */
  const char *name;      /* to find it by, different for each load; NULL: none */
  int rod;               /* not of WY_AT_BODY */
  wy_load_place place;
  wy_axes axes;
  double from, to;
  wy_signal force[3], moment[3]; /* functions of t; for WY_ALONG also of s */
  int body;                      /* of WY_AT_BODY */
  int reserved;                  /* 0 */
  double point[3];               /* on the body: from its centre of mass, in its axes */
} wy_load_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_load_def(wy_load_def *def, size_t size);
/* No force and no moment at the end of the first rod, in space axes. */
static inline wy_load_def wy_default_load_def(void) {
  wy_load_def def;
  wy_init_load_def(&def, sizeof def);
  return def;
}

/* Actuators exert a force along the rod. */
typedef enum wy_actuator_kind {
  WY_PNEUMATIC, /* a chamber: `force` is minus pressure times area, <= 0: it pushes along d3 */
  WY_TENDON     /* a tendon: `force` is its tension, >= 0 */
} wy_actuator_kind;

/* An actuator along the whole rod. Its line has the offset (d1, d2) from the centreline. */
typedef struct wy_actuator_def {
  uint32_t cookie, size; /* set by wy_default_actuator_def */
  const char *name;      /* to find it by, different for each actuator; NULL: none */
  int rod;
  wy_actuator_kind kind;
  wy_signal offset[2]; /* functions of s */
  wy_signal force;     /* function of t */
} wy_actuator_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_actuator_def(wy_actuator_def *def, size_t size);
/* A chamber on the centreline of the first rod, without pressure. */
static inline wy_actuator_def wy_default_actuator_def(void) {
  wy_actuator_def def;
  wy_init_actuator_def(&def, sizeof def);
  return def;
}

/* Rods, what connects them and what acts on them. wy_model_create copies the arrays. There is at least one rod or body.
 */
typedef struct wy_model_def {
  uint32_t cookie, size; /* set by wy_default_model_def */
  double gravity[3];
  int rod_count;
  const wy_rod_def *rods;
  int load_count;
  const wy_load_def *loads;
  int actuator_count;
  const wy_actuator_def *actuators;
  int body_count, joint_count, spring_count;
  int reserved; /* 0 */
  const wy_body_def *bodies;
  const wy_joint_def *joints;
  const wy_spring_def *springs;
  int obstacle_count;
  int reserved_too; /* 0 */
  const wy_obstacle_def *obstacles;
  const wy_contact_def *contact; /* optional: the laws of contact; NULL: wy_default_contact_def */
} wy_model_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_model_def(wy_model_def *def, size_t size);
/* No rods, bodies, joints, springs, obstacles, loads or actuators, no gravity. */
static inline wy_model_def wy_default_model_def(void) {
  wy_model_def def;
  wy_init_model_def(&def, sizeof def);
  return def;
}

/* A checked model. It is immutable: any number of simulations and threads may share it. */
typedef struct wy_model wy_model;

/* Checks and copies the definition. On failure *model is NULL and the message names the wrong part. The contexts of
   signals are not copied: they must outlive the model. */
WY_API wy_status wy_model_create(const wy_model_def *def, wy_model **model, wy_message *message);
WY_API void wy_model_destroy(wy_model *model);

/* Stiffness, damping and inertia of a section at arc length s, computed from any of the possible descriptions. */
typedef struct wy_section_values {
  double stiffness[6];
  double damping[6];
  double mass;             /* per unit length */
  double rotary[3];        /* rotary inertia per unit length */
  double area;             /* 0 if only stiffness and inertia are given */
  double second_moment[3]; /* I1, I2, J, or 0 */
  double radius;           /* for drawing: circumscribed radius of the section, or 0 */
} wy_section_values;

/* The numbers of rods, bodies, joints, springs, obstacles, loads and actuators. Indices begin with 0. */
WY_API int wy_model_rod_count(const wy_model *model);
WY_API int wy_model_body_count(const wy_model *model);
WY_API int wy_model_joint_count(const wy_model *model);
WY_API int wy_model_spring_count(const wy_model *model);
WY_API int wy_model_obstacle_count(const wy_model *model);
WY_API int wy_model_load_count(const wy_model *model);
WY_API int wy_model_actuator_count(const wy_model *model);

/* The definition as copied, with defaults resolved: of a rod the length of a helix or of points, unit direction, normal
   d1, segment lengths; of a body mass, inertia and unit quaternion; of a joint the unit axis; of ports on the ground
   their points; of an obstacle unit directions. `rod` of a load on a body is -1, and so is `body` of a load on a rod.
 */
WY_API const wy_rod_def *wy_model_rod(const wy_model *model, int rod);
WY_API const wy_body_def *wy_model_body(const wy_model *model, int body);
WY_API const wy_joint_def *wy_model_joint(const wy_model *model, int joint);
WY_API const wy_spring_def *wy_model_spring(const wy_model *model, int spring);
WY_API const wy_obstacle_def *wy_model_obstacle(const wy_model *model, int obstacle);
WY_API const wy_load_def *wy_model_load(const wy_model *model, int load);
WY_API const wy_actuator_def *wy_model_actuator(const wy_model *model, int actuator);
/* The body, joint, spring, obstacle, load or actuator of that name; -1 if there is none. */
WY_API int wy_model_body_index(const wy_model *model, const char *name);
WY_API int wy_model_joint_index(const wy_model *model, const char *name);
WY_API int wy_model_spring_index(const wy_model *model, const char *name);
WY_API int wy_model_obstacle_index(const wy_model *model, const char *name);
WY_API int wy_model_load_index(const wy_model *model, const char *name);
WY_API int wy_model_actuator_index(const wy_model *model, const char *name);
/* The acceleration of gravity, three components in space axes. */
WY_API const double *wy_model_gravity(const wy_model *model);

/* Stiffness, damping and inertia of a rod at arc length s. */
WY_API wy_section_values wy_model_section(const wy_model *model, int rod, double s);

/* The period of the lowest bending mode of the rod if it were a cantilever. */
WY_API double wy_model_period(const wy_model *model, int rod);

/* A typical time of the motion. It is not longer than the shortest of three times: the period of the lowest bending
   mode with the rod's own supports; the time in which the rod moves by its length, at an estimate of its speed from
   gravity, loads, driven ends, initial velocities and twist; the period of loads and driven ends. Time steps and the
   duration of a run are compared with it. Signals are evaluated from 0 to `end`, which is positive and may be INFINITY.
   (docs/theory/integrators.md, "Fixed steps") */
WY_API double wy_model_time_scale(const wy_model *model, int rod, double end);

/* Position and frame (unit quaternion) of the undeformed rod at arc length s, for reports and drawing. NAN if s is not
   on the rod. `position` or `frame` may be NULL. */
WY_API void wy_model_reference(const wy_model *model, int rod, double s, double position[3], double frame[4]);

#ifdef __cplusplus
}
#endif
#endif
