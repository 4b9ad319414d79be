/* SPDX-License-Identifier: MIT */
/* The schema of contact: obstacles, the laws of contact, and how a rod touches. */
#include "run/schema/schema.h"

enum {
  MOVING = 1 << WY_DYNAMICS,
  RESTING = 1 << WY_QUASISTATICS | 1 << WY_STATICS | 1 << WY_MODES | 1 << WY_BUCKLING,
};

#define OF_CONTACT "that of `contact`"
#define BETWEEN_RODS "contact of rods with each other is not available in this version; expected obstacles alone"

/* ---- Obstacles ---- */

static const wy_word shapes[] = {
    {.name = "plane", .meaning = "solid behind it; `position` is a point of it", .value = WY_OBSTACLE_PLANE},
    {.name = "sphere", .meaning = "a ball", .value = WY_OBSTACLE_SPHERE},
    {.name = "cylinder", .meaning = "a drum or a peg, endless without `length`", .value = WY_OBSTACLE_CYLINDER},
    {.name = "capsule", .meaning = "a cylinder with round caps", .value = WY_OBSTACLE_CAPSULE},
    {.name = "box", .meaning = "a block with edges along `d1`, `axis` x `d1`, `axis`", .value = WY_OBSTACLE_BOX},
    {.name = "torus", .meaning = "a ring about `axis`", .value = WY_OBSTACLE_TORUS},
    {.name = "tube", .meaning = "rods stay inside; endless without `length`", .value = WY_OBSTACLE_TUBE},
    {.name = "distance",
     .meaning = "any form, by a grid of distances in a file; for batches alone",
     .value = WY_OBSTACLE_DISTANCE},
    {0}};

static const wy_key rotation_keys[] = {{.name = "axis",
                                        .forms = WY_FORM_VECTOR,
                                        .count = 3,
                                        .required = true,
                                        .expected = "a direction in space, a list of 3",
                                        .meaning = "The axis, a direction in space, through `position`."},
                                       {.name = "angle",
                                        .forms = WY_FORM_NUMBER,
                                        .of = WY_TIME,
                                        .unit = "rad",
                                        .required = true,
                                        .expected = "an angle, an expression of t",
                                        .meaning = "Angle about the axis. 0 at t = 0. It may be many turns."},
                                       {0}};

static const wy_example rotation_examples[] = {{"{axis: [0, 1, 0], angle: \"2*pi*t\"}", "a turn in a second"}, {0}};

const wy_mapping wy_schema_rotation = {
    .path = "obstacles[].rotation",
    .what = "the rotation of an obstacle or of roots",
    .summary = "How an obstacle, or the roots of a batch, turn. The angle must be differentiable.",
    .keys = rotation_keys,
    .examples = rotation_examples};

static const wy_key obstacle_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .fallback = "`obstacle`, or `obstacle1`, `obstacle2`, ...",
     .meaning =
         "Used by `contact`, probes and results. No rod, body or other obstacle has it, and it is not `ground`."},
    {.name = "shape", .forms = WY_FORM_WORD, .words = shapes, .required = true, .meaning = "The form."},
    {.name = "position",
     .forms = WY_FORM_VECTOR,
     .of = WY_TIME,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .expected = "a list of 3, each a number or an expression of t",
     .meaning = "Its centre; of a plane a point of it. Expressions of t move the obstacle and must be differentiable."},
    {.name = "normal",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "`[0, 0, 1]`",
     .with = {"plane"},
     .meaning = "Direction of the normal, towards the rods."},
    {.name = "axis",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "`[0, 0, 1]`",
     .with = {"cylinder", "capsule", "box", "torus", "tube", "distance"},
     .meaning = "Direction of the axis at t = 0; of the last axis of a grid."},
    {.name = "d1",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "the space axis that makes the largest angle with `axis`",
     .with = {"box", "distance"},
     .meaning = "Direction of the first edge or axis. It is made normal to `axis`."},
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .with = {"sphere", "cylinder", "capsule", "torus", "tube"},
     .meaning = "Radius. Of a torus that of its centre circle."},
    {.name = "length",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "endless; required for `capsule`",
     .with = {"cylinder", "capsule", "tube"},
     .meaning = "Length along the axis. Of a capsule between the centres of its caps."},
    {.name = "thickness",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .with = {"torus"},
     .meaning = "Radius of the ring's own section."},
    {.name = "size",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .with = {"box"},
     .meaning = "Lengths of the edges. They lie along `d1`, `axis` x `d1` and `axis`."},
    {.name = "file",
     .forms = WY_FORM_FILE,
     .required = true,
     .with = {"distance"},
     .expected = "the name of an HDF5 file with the dataset `distance` and its attributes `origin` and `step`",
     .meaning =
         "An HDF5 file, relative to the scenario. Its dataset `distance` [nx][ny][nz] has the distances from the "
         "surface in metres, negative inside. Its attribute `origin` is the place of the first of them, as seen "
         "from `position` along `d1`, `axis` x `d1` and `axis`; `step` is their spacing, one number or three."},
    {.name = "rotation",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_rotation,
     .fallback = "none",
     .meaning = "Turns the obstacle about an axis through `position`."},
    {.name = "surface_velocity",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m/s",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Velocity of the surface. The obstacle itself stands: a conveyor belt."},
    {.name = "body",
     .forms = WY_FORM_BODY,
     .fallback = "none",
     .meaning = "The body that carries it. `position`, `axis`, `d1` and `normal` are then constant, in the axes of the "
                "body, from its centre of mass."},
    {.name = "friction",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .fallback = OF_CONTACT,
     .meaning = "Coulomb's coefficient of this obstacle."},
    {.name = "restitution",
     .forms = WY_FORM_NUMBER,
     .range = "from 0 to 1",
     .fallback = OF_CONTACT,
     .meaning = "Restitution of this obstacle."},
    {0}};

static const wy_example obstacle_examples[] = {
    {"{name: floor, shape: plane, position: [0, 0, -0.5], normal: [0, 0, 1], friction: 0.4, restitution: 0}", NULL},
    {"{name: drum, shape: cylinder, position: [0, 0, -0.6], axis: [0, 1, 0], radius: 0.05, length: 0.2, rotation: "
     "{axis: "
     "[0, 1, 0], angle: \"2*pi*t\"}}",
     "turns"},
    {"{name: ball, shape: sphere, position: [0, 0, \"-0.6 - 0.1*t\"], radius: 0.04}", "moves"},
    {"{name: finger, shape: capsule, position: [0, 0, -0.5], axis: [1, 0, 0], radius: 0.01, length: 0.1}", NULL},
    {"{name: block, shape: box, position: [0, 0, -0.5], size: [0.1, 0.2, 0.05], axis: [0, 0, 1], d1: [1, 0, 0]}", NULL},
    {"{name: ring, shape: torus, axis: [1, 0, 0], radius: 0.5, thickness: 0.01}", NULL},
    {"{name: hole, shape: tube, axis: [1, 0, 0], radius: 0.5}", "rods stay inside"},
    {"{name: belt, shape: plane, position: [0, 0, -0.5], surface_velocity: [0.2, 0, 0]}", "a conveyor"},
    {"{name: head, shape: distance, file: head.h5, rotation: {axis: [0, 0, 1], angle: \"0.5*sin(3*t)\"}}",
     "any form, for batches"},
    {"{name: bumper, shape: sphere, body: hub, position: [0, 0, -0.5], radius: 0.05}", "carried by a body"},
    {0}};

const wy_mapping wy_schema_obstacle = {.path = "obstacles[]",
                                       .what = "an obstacle",
                                       .plural = "obstacles",
                                       .summary = "A rigid thing that rods touch. It stands, is moved, or is fixed to "
                                                  "a body.",
                                       .selector = "shape",
                                       .strict = true,
                                       .more = "[Contact and friction](contact.md)",
                                       .keys = obstacle_keys,
                                       .examples = obstacle_examples};

/* ---- The laws ---- */

static const wy_word sticks[] = {{.name = "false", .meaning = "a damper alone, which creeps", .value = false},
                                 {.name = "true", .meaning = "friction holds at rest", .value = true},
                                 {0}};

static const wy_key friction_keys[] = {{.name = "coefficient",
                                        .forms = WY_FORM_NUMBER,
                                        .sign = WY_NOT_NEGATIVE,
                                        .required = true,
                                        .meaning = "Coulomb's coefficient."},
                                       {.name = "slip",
                                        .forms = WY_FORM_NUMBER,
                                        .sign = WY_POSITIVE,
                                        .unit = "m",
                                        .fallback = "a hundredth of the rod's radius in motions, a ten-thousandth in "
                                                    "equilibria",
                                        .meaning = "Way over which friction builds up."},
                                       {.name = "speed",
                                        .forms = WY_FORM_NUMBER,
                                        .sign = WY_POSITIVE,
                                        .unit = "m/s",
                                        .fallback = "chosen: small beside the speeds of the run",
                                        .analyses = MOVING,
                                        .meaning = "Slip speed at which a damper alone has the whole friction."},
                                       {.name = "stick",
                                        .forms = WY_FORM_CHOICE,
                                        .words = sticks,
                                        .fallback = "`true`",
                                        .analyses = MOVING,
                                        .meaning = "Whether friction holds at rest."},
                                       {0}};

static const wy_example friction_examples[] = {{"{coefficient: 0.3, slip: 5.0e-5, speed: 3.0e-3, stick: true}", NULL},
                                               {0}};

static const wy_mapping friction = {.path = "contact.friction",
                                    .what = "friction",
                                    .summary = "Coulomb's friction with its regularisation, instead of one number.",
                                    .keys = friction_keys,
                                    .examples = friction_examples};

static const wy_key pair_keys[] = {{.name = "between",
                                    .forms = WY_FORM_NAMES,
                                    .least = 2,
                                    .required = true,
                                    .expected = "a list of 2 names, that of a rod and that of an obstacle",
                                    .meaning = "The rod and the obstacle."},
                                   {.name = "friction",
                                    .forms = WY_FORM_NUMBER,
                                    .sign = WY_NOT_NEGATIVE,
                                    .fallback = "that of the obstacle, or of `contact`",
                                    .meaning = "Coulomb's coefficient of this pair."},
                                   {.name = "restitution",
                                    .forms = WY_FORM_NUMBER,
                                    .range = "from 0 to 1",
                                    .fallback = "that of the obstacle, or of `contact`",
                                    .meaning = "Restitution of this pair."},
                                   {0}};

static const wy_example pair_examples[] = {{"{between: [arm, floor], friction: 0.1, restitution: 0}", NULL}, {0}};

static const wy_mapping pair = {.path = "contact.pairs[]",
                                .what = "a pair",
                                .plural = "pairs",
                                .summary = "Friction and restitution of one rod with one obstacle.",
                                .keys = pair_keys,
                                .examples = pair_examples};

static const wy_word settles[] = {
    {.name = "false", .meaning = "rods begin where they are", .value = false},
    {.name = "true", .meaning = "rods are put down on the obstacles first", .value = true},
    {0}};

static const wy_key contact_keys[] = {
    {.name = "friction",
     .forms = WY_FORM_NUMBER | WY_FORM_MAPPING,
     .sign = WY_NOT_NEGATIVE,
     .mapping = &friction,
     .fallback = "`0`",
     .meaning = "Coulomb's coefficient, or a mapping with it."},
    {.name = "restitution",
     .forms = WY_FORM_NUMBER,
     .range = "from 0 to 1",
     .fallback = "`0.5`",
     .analyses = MOVING,
     .meaning = "Speed after over speed before a hit."},
    {.name = "settle",
     .forms = WY_FORM_CHOICE,
     .words = settles,
     .fallback = "`false`",
     .analyses = RESTING,
     .meaning = "How equilibria begin."},
    {.name = "pairs",
     .forms = WY_FORM_LIST,
     .mapping = &pair,
     .fallback = "none",
     .meaning = "Friction and restitution of single pairs. They replace those of obstacles, which replace those here."},
    {.name = "rods", .later = BETWEEN_RODS},
    {.name = "capacity", .later = BETWEEN_RODS},
    {0}};

static const wy_example contact_examples[] = {
    {"{friction: 0.3, restitution: 0.5, settle: false, pairs: [{between: [arm, floor], friction: 0.1}]}", NULL},
    {"{friction: {coefficient: 0.3, stick: false}}", "a damper"},
    {0}};

const wy_mapping wy_schema_contact = {.path = "contact",
                                      .what = "the laws of contact",
                                      .summary = "Friction and restitution of all rods with all obstacles.",
                                      .more = "[Contact and friction](contact.md)",
                                      .keys = contact_keys,
                                      .examples = contact_examples};

/* ---- Rods ---- */

const wy_word wy_schema_no_contact[] = {{.name = "false", .meaning = "the rod touches nothing", .value = false}, {0}};

static const wy_key skin_keys[] = {
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .of = WY_ARC,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "that of the section; required where it has none",
     .meaning = "Radius that obstacles see. By default of a circle or annulus the outer one, of a rectangle half its "
                "smaller side."},
    {.name = "stiffness",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "Pa",
     .fallback = "that of the material squeezed between plates; required without `material`",
     .meaning = "Stiffness of the skin: force per length and depth."},
    {.name = "blend",
     .forms = WY_FORM_NUMBER,
     .range = "from 0 to 0.5",
     .fallback = "`0.05`",
     .meaning = "Depth over radius up to which the skin stiffens."},
    {0}};

static const wy_example skin_examples[] = {{"{radius: 0.005, stiffness: 5.2e6, blend: 0.05}", NULL}, {0}};

const wy_mapping wy_schema_skin = {.path = "rods[].contact",
                                   .what = "the skin of a rod",
                                   .summary = "How the rod touches: as a tube with a soft skin.",
                                   .more = "[How a rod touches](contact.md#how-a-rod-touches)",
                                   .keys = skin_keys,
                                   .examples = skin_examples};
