/* SPDX-License-Identifier: MIT */
/* The schema of networks: rigid bodies, joints, springs, and the places on parts that these take hold of. */
#include "run/schema/schema.h"

#define NONE "none"

/* ---- Places ---- */

static const wy_word ends[] = {{.name = "start", .meaning = "the start of the rod, s = 0", .value = WY_AT_START},
                               {.name = "end", .meaning = "the end of the rod", .value = WY_AT_END},
                               {0}};

#define ONE_PART "one of `rod`, `body`, `ground`"

static const wy_key place_keys[] = {
    {.name = "rod", .forms = WY_FORM_ROD, .fallback = ONE_PART, .meaning = "The rod that has the place."},
    {.name = "at",
     .forms = WY_FORM_WORD | WY_FORM_NUMBER,
     .words = ends,
     .unit = "m",
     .fallback = "required with `rod`",
     .expected = "start, end or an arc length",
     .meaning = "Where on the rod: an end, or an arc length. A place between the ends becomes a vertex of the grid."},
    {.name = "body", .forms = WY_FORM_BODY, .fallback = ONE_PART, .meaning = "The body that has the place."},
    {.name = "point",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Where on the body: from its centre of mass, along its axes."},
    {.name = "ground",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = ONE_PART,
     .expected = "a point in space, a list of 3",
     .meaning = "A point in space, which does not move."},
    {0}};

static const wy_example place_examples[] = {{"{rod: arm, at: start}", "the same as arm.start"},
                                            {"{body: hub, point: [0, 0, -0.05]}", "below the centre of mass"},
                                            {"{ground: [0, 0, 0]}", "a point that does not move"},
                                            {0}};

const wy_mapping wy_schema_place = {
    .path = "joints[].of[]",
    .what = "a place",
    .plural = "places",
    .summary = "A place on a part, where `ROD.start`, `ROD.end`, `BODY` (its centre of mass) and `ground` do not do.",
    .keys = place_keys,
    .examples = place_examples};

/* ---- Bodies ---- */

static const wy_word shapes[] = {
    {.name = "box", .meaning = "a box with edges along the axes of the body", .value = WY_BODY_BOX},
    {.name = "sphere", .meaning = "a sphere", .value = WY_BODY_SPHERE},
    {.name = "cylinder", .meaning = "a cylinder along the z axis of the body", .value = WY_BODY_CYLINDER},
    {0}};

static const wy_key shape_keys[] = {
    {.name = "kind", .forms = WY_FORM_WORD, .words = shapes, .required = true, .meaning = "What it is."},
    {.name = "size",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .required = true,
     .with = {"box"},
     .expected = "a list of 3 lengths > 0",
     .meaning = "Lengths of the edges along x, y, z of the body."},
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .with = {"sphere", "cylinder"},
     .meaning = "The radius."},
    {.name = "length",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .with = {"cylinder"},
     .meaning = "Length along z of the body."},
    {0}};

static const wy_example shape_examples[] = {{"{kind: box, size: [0.2, 0.1, 0.1]}", NULL},
                                            {"{kind: sphere, radius: 0.05}", NULL},
                                            {"{kind: cylinder, radius: 0.02, length: 0.3}", NULL},
                                            {0}};

static const wy_mapping shape = {.path = "bodies[].shape",
                                 .what = "the shape of a body",
                                 .summary = "The form of a body, about its centre of mass: for pictures, and for mass "
                                            "and inertia where `density` is given.",
                                 .selector = "kind",
                                 .strict = true,
                                 .keys = shape_keys,
                                 .examples = shape_examples};

static const wy_key turn_keys[] = {{.name = "axis",
                                    .forms = WY_FORM_VECTOR,
                                    .count = 3,
                                    .required = true,
                                    .expected = "a direction in space, a list of 3",
                                    .meaning = "The axis, a direction in space."},
                                   {.name = "angle",
                                    .forms = WY_FORM_NUMBER,
                                    .unit = "rad",
                                    .required = true,
                                    .expected = "an angle",
                                    .meaning = "Angle of the rotation about `axis`."},
                                   {0}};

static const wy_example turn_examples[] = {{"{axis: [0, 0, 1], angle: pi/4}", "by an eighth of a turn about z"}, {0}};

static const wy_mapping turn = {.path = "bodies[].turn",
                                .what = "a turn",
                                .summary = "A rotation that does not change.",
                                .keys = turn_keys,
                                .examples = turn_examples};

static const wy_word holds[] = {{.name = "held", .meaning = "stays where it is", .value = WY_HELD},
                                {.name = "free", .meaning = "moves freely", .value = WY_FREE},
                                {0}};

static const wy_key rotation_keys[] = {{.name = "axis",
                                        .forms = WY_FORM_VECTOR,
                                        .count = 3,
                                        .required = true,
                                        .expected = "a direction in space, a list of 3",
                                        .meaning = "The axis, a direction in space."},
                                       {.name = "angle",
                                        .forms = WY_FORM_NUMBER,
                                        .of = WY_TIME,
                                        .unit = "rad",
                                        .required = true,
                                        .expected = "an angle, an expression of t",
                                        .meaning = "Angle about `axis`, 0 at t = 0. It may be many turns."},
                                       {0}};

static const wy_example rotation_examples[] = {{"{axis: [0, 0, 1], angle: \"pi*t^2\"}", "a wheel that is spun up"},
                                               {0}};

static const wy_mapping rotation = {.path = "bodies[].rotation",
                                    .what = "the rotation of a body",
                                    .summary = "The rotation of a driven body, from how `turn` puts it. It must be "
                                               "twice differentiable.",
                                    .keys = rotation_keys,
                                    .examples = rotation_examples};

static const wy_key initial_keys[] = {{.name = "velocity",
                                       .forms = WY_FORM_VECTOR,
                                       .count = 3,
                                       .unit = "m/s",
                                       .fallback = "`[0, 0, 0]`",
                                       .meaning = "Velocity of the centre of mass, space axes."},
                                      {.name = "angular_velocity",
                                       .forms = WY_FORM_VECTOR,
                                       .count = 3,
                                       .unit = "rad/s",
                                       .fallback = "`[0, 0, 0]`",
                                       .meaning = "Angular velocity, axes of the body."},
                                      {0}};

static const wy_example initial_examples[] = {{"{velocity: [1, 0, 0], angular_velocity: [0, 0, 2]}", "flies and spins"},
                                              {0}};

static const wy_mapping initial = {.path = "bodies[].initial",
                                   .what = "the start of a body",
                                   .summary = "How the body starts, if not at rest.",
                                   .keys = initial_keys,
                                   .examples = initial_examples};

#define FROM_SHAPE "required, but with `shape` and `density`"

static const wy_key body_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .required = true,
     .expected = "a name that no rod and no other body has",
     .meaning = "Used by joints, springs and loads. No rod and no other body has it, and it is not `ground`."},
    {.name = "mass",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "kg",
     .fallback = FROM_SHAPE,
     .meaning = "The mass."},
    {.name = "inertia",
     .forms = WY_FORM_NUMBERS,
     .unit = "kg m^2",
     .fallback = FROM_SHAPE,
     .expected = "a list of 3 numbers, xx, yy, zz, or of 6: xx, yy, zz, xy, xz, yz",
     .meaning = "Moments of inertia about the centre of mass. Along the axes of the body: `[xx, yy, zz]`, or `[xx, yy, "
                "zz, xy, "
                "xz, yz]` with the entries of the matrix beside its diagonal."},
    {.name = "shape",
     .forms = WY_FORM_MAPPING,
     .mapping = &shape,
     .fallback = "drawn as a box of equal inertia",
     .meaning = "The form of the body."},
    {.name = "density",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "kg/m^3",
     .fallback = "`mass` and `inertia`",
     .meaning = "Density of what fills `shape`. Mass and inertia follow."},
    {.name = "origin",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Where the centre of mass is at the start."},
    {.name = "turn",
     .forms = WY_FORM_MAPPING,
     .mapping = &turn,
     .fallback = "along x, y, z",
     .meaning = "How the axes of the body are turned at the start."},
    {.name = "position",
     .forms = WY_FORM_WORD | WY_FORM_VECTOR,
     .words = holds,
     .of = WY_TIME,
     .count = 3,
     .unit = "m",
     .fallback = "`free`",
     .expected = "held, free, or a list of 3, each an expression of t, held or free",
     .meaning = "Held, free or driven. Of a driven body each coordinate of the centre of mass is an expression, `held` "
                "or `free`. The motion must begin at `origin` and be twice differentiable."},
    {.name = "rotation",
     .forms = WY_FORM_WORD | WY_FORM_MAPPING,
     .words = holds,
     .mapping = &rotation,
     .fallback = "`free`",
     .expected = "held, free, or a mapping with axis and angle",
     .meaning = "Held, free, or a rotation about a direction in space."},
    {.name = "initial",
     .forms = WY_FORM_MAPPING,
     .mapping = &initial,
     .fallback = "at rest",
     .analyses = 1 << WY_DYNAMICS,
     .meaning = "How the body starts."},
    {.name = "release",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "never",
     .meaning = "`position` and `rotation` are free from this time on."},
    {0}};

static const wy_example body_examples[] = {{"name: hub\n"
                                            "mass: 2\n"
                                            "inertia: [0.01, 0.02, 0.02]\n"
                                            "origin: [0, 0, 1]\n"
                                            "turn: {axis: [0, 0, 1], angle: pi/4}\n"
                                            "initial: {velocity: [1, 0, 0], angular_velocity: [0, 0, 2]}\n",
                                            "a body of which mass and inertia are known"},
                                           {"name: slider\n"
                                            "shape: {kind: box, size: [0.2, 0.1, 0.1]}\n"
                                            "density: 7800\n"
                                            "position: [\"0.1*sin(t)\", held, free]\n"
                                            "rotation: held\n"
                                            "release: 2\n",
                                            "a block of steel, which is moved and let go"},
                                           {0}};

const wy_mapping wy_schema_body = {
    .path = "bodies[]",
    .what = "a body",
    .plural = "bodies",
    .summary = "A rigid body: its place is that of its centre of mass, and its axes turn with it.",
    .more = "[Networks](network.md)",
    .keys = body_keys,
    .examples = body_examples};

/* ---- Joints ---- */

static const wy_word joint_kinds[] = {
    {.name = "weld", .meaning = "place and rotation are shared", .value = WY_WELD},
    {.name = "ball", .meaning = "the place is shared", .value = WY_BALL},
    {.name = "hinge", .meaning = "the place is shared, and all rotation but that about `axis`", .value = WY_HINGE},
    {0}};

static const wy_word weld_rotations[] = {
    {.name = "drawn", .meaning = "that of the undeformed scenario", .value = WY_WELD_DRAWN},
    {.name = "equal", .meaning = "none: both frames coincide", .value = WY_WELD_EQUAL},
    {0}};

static const wy_word choices[] = {
    {.name = "false", .meaning = "parts that do not meet are an error", .value = false},
    {.name = "true", .meaning = "parts are brought together before the motion begins", .value = true},
    {0}};

static const wy_key spring_of_joint_keys[] = {{.name = "stiffness",
                                               .forms = WY_FORM_NUMBER,
                                               .sign = WY_NOT_NEGATIVE,
                                               .unit = "N m/rad",
                                               .fallback = "`0`",
                                               .meaning = "Moment per angle."},
                                              {.name = "damping",
                                               .forms = WY_FORM_NUMBER,
                                               .sign = WY_NOT_NEGATIVE,
                                               .unit = "N m s/rad",
                                               .fallback = "`0`",
                                               .meaning = "Moment per angular velocity."},
                                              {.name = "angle",
                                               .forms = WY_FORM_NUMBER,
                                               .unit = "rad",
                                               .fallback = "`0`",
                                               .meaning = "Of a hinge: the angle at which the spring has no moment."},
                                              {0}};

static const wy_example spring_of_joint_examples[] = {{"{stiffness: 5, damping: 0.01, angle: 0.2}", NULL}, {0}};

static const wy_mapping spring_of_joint = {
    .path = "joints[].spring",
    .what = "a spring in a joint",
    .summary = "A spring and a damper in a joint: in a hinge about its axis, in a ball against any rotation.",
    .keys = spring_of_joint_keys,
    .examples = spring_of_joint_examples};

#define OF_EXPECTED "a list of places: ROD.start, ROD.end, BODY, ground, or mappings with rod, body or ground"

static const wy_word meetings[] = {
    {.name = "meet", .meaning = "a joint wherever these rods meet in the undeformed scenario, at ends or between"},
    {0}};

static const wy_key joint_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .fallback = NONE,
     .meaning = "To find the joint by: `--set joints.NAME.kind=...`. No two joints have one name."},
    {.name = "kind", .forms = WY_FORM_WORD, .words = joint_kinds, .required = true, .meaning = "What is shared."},
    {.name = "of",
     .forms = WY_FORM_PLACES,
     .least = 2,
     .mapping = &wy_schema_place,
     .required = true,
     .expected = OF_EXPECTED,
     .meaning = "Two places or more, which meet in the undeformed scenario. An end of a rod is in one joint at most, "
                "and `free` in `ends` of its rod. `ground` is where the first other part is."},
    {.name = "where",
     .forms = WY_FORM_WORD,
     .words = meetings,
     .fallback = "one joint",
     .meaning =
         "Makes many joints of one kind. `of` is a list of names of rods, with * for any letters. The joints are "
         "NAME1, NAME2, ..."},
    {.name = "axis",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .required = true,
     .with = {"hinge"},
     .expected = "a direction in space, a list of 3",
     .meaning = "Axis of a hinge, a direction in space. It moves with the first part."},
    {.name = "spring",
     .forms = WY_FORM_MAPPING,
     .mapping = &spring_of_joint,
     .fallback = NONE,
     .with = {"hinge", "ball"},
     .meaning = "A spring and a damper in the joint."},
    {.name = "angle",
     .forms = WY_FORM_NUMBER,
     .of = WY_TIME,
     .unit = "rad",
     .fallback = "free",
     .with = {"hinge"},
     .expected = "an angle, an expression of t",
     .meaning =
         "Angle of a hinge that is driven. It is that of the other parts against the first, 0 at t = 0, and twice "
         "differentiable."},
    {.name = "rotation",
     .forms = WY_FORM_WORD | WY_FORM_MAPPING,
     .words = weld_rotations,
     .mapping = &turn,
     .fallback = "`drawn`",
     .with = {"weld"},
     .meaning = "Rotation that a weld of two keeps. A mapping turns the second part beyond how it is drawn. "
                "All but `drawn` need `assemble`."},
    {.name = "position",
     .forms = WY_FORM_WORD | WY_FORM_VECTOR,
     .words = holds,
     .count = 3,
     .fallback = "`held`",
     .with = {"weld", "ball"},
     .expected = "held, or a list of 3, each held or free",
     .meaning = "With `ground`: coordinates that are held, along x, y, z. Where one is `free`, the joint slides."},
    {.name = "assemble",
     .forms = WY_FORM_CHOICE,
     .words = choices,
     .fallback = "`false`",
     .meaning = "Whether parts that do not meet are brought together."},
    {.name = "release",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "never",
     .meaning = "The joint is gone from this time on."},
    {0}};

static const wy_example joint_examples[] = {
    {"{name: foot, kind: weld, of: [arm.start, ground]}", "a clamped end"},
    {"{kind: ball, of: [arm.start, hub], assemble: true}", "brought together, if they do not meet"},
    {"{kind: weld, of: [arm.end, hub], rotation: equal, assemble: true}", "and with equal axes"},
    {"{kind: ball, of: [arm.start, ground], position: [free, held, held], spring: {stiffness: 2}}", "slides along x"},
    {"{kind: ball, where: meet, of: [arm*]}", "a net of rods arm1, arm2, ..."},
    {"{kind: hinge, axis: [0, 1, 0], of: [ground, arm.start], angle: \"2*pi*t^2\", release: 0.5}", "a motor"},
    {0}};

const wy_mapping wy_schema_joint = {
    .path = "joints[]",
    .what = "a joint",
    .plural = "joints",
    .summary = "What holds parts together: rods, bodies and the ground. The scheme `staggered` has all joints, `mixed` "
               "has `weld` and `ball` at the ends of rods.",
    .more = "[Networks](network.md)",
    .selector = "kind",
    .strict = true,
    .keys = joint_keys,
    .examples = joint_examples};

/* ---- Springs ---- */

static const wy_word spring_kinds[] = {{.name = "spring", .meaning = "pulls and pushes", .value = WY_SPRING},
                                       {.name = "cable", .meaning = "pulls only", .value = WY_CABLE},
                                       {0}};

static const wy_key spring_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .fallback = NONE,
     .meaning = "To find the spring by: `--set springs.NAME.stiffness=...`. No two springs have one name."},
    {.name = "of",
     .forms = WY_FORM_PLACES,
     .least = 2,
     .most = 2,
     .mapping = &wy_schema_place,
     .required = true,
     .expected = OF_EXPECTED,
     .meaning = "The two places between which it is. `ground` is where the other place is."},
    {.name = "stiffness",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "N/m",
     .required = true,
     .meaning = "Force per length."},
    {.name = "length",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .unit = "m",
     .required = true,
     .expected = "a length, a number >= 0",
     .meaning = "Length at which it has no force."},
    {.name = "damping",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .unit = "N s/m",
     .fallback = "`0`",
     .meaning = "Force per velocity at which its ends move apart."},
    {.name = "kind",
     .forms = WY_FORM_WORD,
     .words = spring_kinds,
     .fallback = "`spring`",
     .meaning = "Whether it pushes, too."},
    {0}};

static const wy_example spring_examples[] = {
    {"{name: tie, of: [arm.end, {ground: [1, 0, 2]}], stiffness: 100, length: 0.3, damping: 2}", NULL},
    {"{of: [arm.end, {ground: [1, 0, 2]}], stiffness: 1.0e5, length: 2, kind: cable}", "slack at the start"},
    {0}};

const wy_mapping wy_schema_spring = {.path = "springs[]",
                                     .what = "a spring",
                                     .plural = "springs",
                                     .summary = "A spring with a damper between two places.",
                                     .more = "[Networks](network.md)",
                                     .keys = spring_keys,
                                     .examples = spring_examples};
