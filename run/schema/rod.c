/* SPDX-License-Identifier: MIT */
/* The schema of a rod: its keys, shape, start and ends. What it is made of is in schema_matter.c. */
#include "run/schema/schema.h"

#define NONE "none"

/* ---- Shape and start ---- */

static const wy_key helix_keys[] = {
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .required = true,
     .meaning = "Distance of the centreline from the axis of the helix."},
    {.name = "pitch",
     .forms = WY_FORM_NUMBER,
     .unit = "m",
     .required = true,
     .expected = "the rise per turn",
     .meaning = "Rise per turn. Right-handed if positive."},
    {.name = "turns", .forms = WY_FORM_NUMBER, .sign = WY_POSITIVE, .required = true, .meaning = "How many turns."},
    {0}};

static const wy_example helix_examples[] = {{"{radius: 0.01, pitch: 0.005, turns: 8}", NULL}, {0}};

static const wy_mapping helix = {.path = "rods[].shape.helix",
                                 .what = "a helix",
                                 .summary = "A coil: sets `length` and `curvature`, so that neither may be given.",
                                 .keys = helix_keys,
                                 .examples = helix_examples};

static const wy_key shape_keys[] = {
    {.name = "origin",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Position of s = 0."},
    {.name = "direction",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "`[1, 0, 0]`",
     .meaning = "d3, the tangent, at s = 0."},
    {.name = "d1",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "the space axis that makes the largest angle with d3 (the first of them, if several do)",
     .meaning = "d1, a direction in the section, at s = 0. It is made normal to d3. For a rod along x it is y by "
                "default, so that d2, and the `height` of a rectangle, points along z."},
    {.name = "curvature",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 3,
     .unit = "1/m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Bending about d1 and d2, twist about d3. `[0, k, 0]` bends the rod towards d1."},
    {.name = "helix",
     .forms = WY_FORM_MAPPING,
     .mapping = &helix,
     .fallback = NONE,
     .meaning = "A coil, instead of `length` and `curvature`."},
    {.name = "points",
     .forms = WY_FORM_FILE | WY_FORM_ROWS,
     .unit = "m",
     .fallback = NONE,
     .expected = "the name of a file of points (CSV with columns x, y, z, or OBJ), or a list of at least 2 points",
     .meaning =
         "Points of the centreline in their order. A CSV file has the columns x, y, z; of an OBJ file the vertices "
         "count. They set `length`, `origin`, `direction` and `curvature`."},
    {.name = "unit",
     .forms = WY_FORM_TEXT,
     .fallback = "`m`",
     .expected = "a unit of length, such as mm",
     .meaning = "Unit of the numbers in the file of points."},
    {0}};

static const wy_example shape_examples[] = {
    {"{origin: [0, 0, 1], direction: [0, 1, 0]}", "begins in the air, along y"},
    {"{d1: [0, 0, 1], curvature: [0, \"2*s\", 0]}", "curls up towards its end"},
    {"{direction: [0, 0, -1], helix: {radius: 0.01, pitch: 0.005, turns: 8}}", "a spring"},
    {"{points: hose.csv, unit: mm}", "measured"},
    {0}};

static const wy_mapping shape = {.path = "rods[].shape",
                                 .what = "the shape",
                                 .summary = "The undeformed rod, which is free of stress. It starts here.",
                                 .keys = shape_keys,
                                 .examples = shape_examples};

static const wy_word starts[] = {
    {.name = "statics", .meaning = "at rest in the equilibrium under the loads, gravity and ends of t = 0"}, {0}};

static const wy_key initial_keys[] = {
    {.name = "from",
     .forms = WY_FORM_WORD,
     .words = starts,
     .fallback = "the undeformed rod",
     .meaning =
         "The initial configuration. No other key may stand beside it, and all rods must have it if one has it."},
    {.name = "twist",
     .forms = WY_FORM_NUMBER,
     .of = WY_ARC,
     .unit = "rad",
     .fallback = "`0`",
     .meaning = "Angle by which the sections are turned about d3. 0 at an end whose rotation is held."},
    {.name = "velocity",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 3,
     .unit = "m/s",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Velocity, space axes. It should be 0 at a held end; otherwise the run begins with a shock, and `withy "
                "check` warns."},
    {.name = "angular_velocity",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 3,
     .unit = "rad/s",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Angular velocity about d1, d2, d3."},
    {0}};

static const wy_example initial_examples[] = {
    {"{velocity: [0, \"2*s\", 0], angular_velocity: [0, 0, 2]}", "swung about its start"},
    {"{twist: \"0.5*s\"}", "twisted"},
    {"{from: statics}", "as it hangs"},
    {0}};

static const wy_mapping initial = {.path = "rods[].initial",
                                   .what = "the start",
                                   .summary = "How the rod starts, if not at rest in its undeformed shape.",
                                   .keys = initial_keys,
                                   .examples = initial_examples};

/* ---- Ends ---- */

static const wy_word end_words[] = {/* values: as wy_read_rods makes them */
                                    {.name = "free", .meaning = "nothing is held", .value = 0},
                                    {.name = "pinned", .meaning = "the position is held", .value = 1},
                                    {.name = "clamped", .meaning = "position and rotation are held", .value = 2},
                                    {0}};

static const wy_word holds[] = {
    {.name = "held", .meaning = "stays at its place on the undeformed rod", .value = WY_HELD},
    {.name = "free", .meaning = "moves freely", .value = WY_FREE},
    {0}};

static const wy_word rotation_axes[] = {
    {.name = "undeformed",
     .meaning = "the undeformed end: [1, 0, 0, 0] and the angle 0 leave it as it is",
     .value = WY_FROM_UNDEFORMED},
    {.name = "space", .meaning = "the space axes: the rotation is the frame d1, d2, d3 itself", .value = WY_FROM_SPACE},
    {0}};

#define ONE_ROTATION "one of `quaternion`, `d3` and `d1`, `axis` and `angle`"

static const wy_key rotation_keys[] = {
    {.name = "axis",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = ONE_ROTATION,
     .expected = "a direction in space, a list of 3",
     .meaning = "The axis, a direction in space."},
    {.name = "angle",
     .forms = WY_FORM_NUMBER,
     .of = WY_TIME,
     .unit = "rad",
     .fallback = ONE_ROTATION,
     .expected = "an angle, an expression of t",
     .meaning = "Angle of the rotation about `axis`. It may be many turns."},
    {.name = "quaternion",
     .forms = WY_FORM_VECTOR,
     .of = WY_TIME,
     .count = 4,
     .fallback = ONE_ROTATION,
     .expected = "a list of 4, [w, x, y, z], each a number or an expression of t",
     .meaning = "The rotation as `[w, x, y, z]`, in space axes. It is divided by its length."},
    {.name = "d3",
     .forms = WY_FORM_VECTOR,
     .of = WY_TIME,
     .count = 3,
     .fallback = ONE_ROTATION,
     .expected = "the tangent, a list of 3, each a number or an expression of t",
     .meaning = "Direction of the tangent d3 in space."},
    {.name = "d1",
     .forms = WY_FORM_VECTOR,
     .of = WY_TIME,
     .count = 3,
     .fallback = ONE_ROTATION,
     .expected = "a direction across d3, a list of 3, each a number or an expression of t",
     .meaning = "Direction of d1 in space. Its part across d3 counts."},
    {.name = "axes",
     .forms = WY_FORM_WORD,
     .words = rotation_axes,
     .fallback = "`undeformed`; `space` with `d3` and `d1`",
     .meaning = "What the rotation turns."},
    {0}};

static const wy_example rotation_examples[] = {
    {"{axis: [0, 1, 0], angle: \"-pi*t\"}", "turns about the y axis"},
    {"{quaternion: [\"cos(t/2)\", 0, 0, \"sin(t/2)\"], axes: undeformed}", "turns about the z axis"},
    {"{d3: [cos(t), 0, sin(t)], d1: [0, 1, 0]}", "the tangent turns in the x-z plane"},
    {0}};

static const wy_mapping rotation = {.path = "rods[].ends.start.rotation",
                                    .what = "a rotation",
                                    .summary = "The orientation of a driven end. In a motion it must begin at the "
                                               "undeformed end, unless the rod begins `from: statics`, and be twice "
                                               "differentiable.",
                                    .more = "[Ends with an orientation](tables.md#orientations)",
                                    .keys = rotation_keys,
                                    .examples = rotation_examples};

static const wy_key end_keys[] = {
    {.name = "position",
     .forms = WY_FORM_WORD | WY_FORM_VECTOR,
     .words = holds,
     .of = WY_TIME,
     .count = 3,
     .unit = "m",
     .fallback = "`free`",
     .expected = "held, or a list of 3, each an expression of t, held or free",
     .meaning = "Held, free or driven. For a driven end each coordinate is an expression, `held` or `free`. The motion "
                "must begin at the end of the undeformed rod and be twice differentiable."},
    {.name = "rotation",
     .forms = WY_FORM_WORD | WY_FORM_MAPPING,
     .words = holds,
     .mapping = &rotation,
     .fallback = "`free`",
     .expected = "held, or a mapping with axis and angle, quaternion, or d3 and d1",
     .meaning = "Held, free, or an orientation."},
    {.name = "path",
     .forms = WY_FORM_NAME,
     .fallback = NONE,
     .expected = "the name of a table of t",
     .meaning = "A table that moves the end. `x`, `y`, `z` are its position, `qw`, `qx`, `qy`, `qz` its orientation."},
    {.name = "axes",
     .forms = WY_FORM_WORD,
     .words = rotation_axes,
     .fallback = "`undeformed`",
     .meaning = "What the orientation of `path` turns."},
    {.name = "release",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "never",
     .meaning = "The end is free from this time on."},
    {0}};

static const wy_example end_examples[] = {
    {"{position: [\"0.1*t\", 0, 0], rotation: held}", "moves along x"},
    {"{position: [held, held, free], rotation: held}", "slides along z"},
    {"{position: [0, \"0.1*(1 - cos(5*t))\", free], rotation: {axis: [1, 0, 0], angle: \"pi*t\"}, release: 0.5}",
     "shaken, turned and let go"},
    {"{path: hand, axes: undeformed}", "follows the table hand"},
    {0}};

static const wy_mapping end = {.path = "rods[].ends.start",
                               .what = "an end",
                               .summary = "An end that is not simply `free`, `pinned` or `clamped`. What is not "
                                          "named is free. A rod whose two ends are held along its axis is stretched "
                                          "when one of them moves sideways: leave that coordinate `free`.",
                               .keys = end_keys,
                               .examples = end_examples};

#define END_KEY(key, text)                                                                                             \
  {                                                                                                                    \
    .name = (key), .forms = WY_FORM_WORD | WY_FORM_MAPPING, .words = end_words, .mapping = &end, .fallback = "`free`", \
    .meaning = (text)                                                                                                  \
  }

static const wy_key ends_keys[] = {
    END_KEY("start", "The end at s = 0."), END_KEY("end", "The end at s = length."), {0}};

static const wy_example ends_examples[] = {
    {"{start: clamped, end: free}", "a cantilever"},
    {"{start: pinned, end: {position: [free, held, held]}}", "a beam on a roller"},
    {0}};

static const wy_mapping ends = {.path = "rods[].ends",
                                .what = "the ends",
                                .summary = "What holds or drives the rod.",
                                .keys = ends_keys,
                                .examples = ends_examples};

/* ---- Copies ---- */

#define ONE_WAY "one of `origins`, `grid`, `circle`"

static const wy_key copies_keys[] = {{.name = "origins",
                                      .forms = WY_FORM_ROWS,
                                      .unit = "m",
                                      .fallback = ONE_WAY,
                                      .expected = "a list of points, each a list of 3 numbers",
                                      .meaning = "Where the copies begin, instead of `shape.origin`."},
                                     {.name = "directions",
                                      .forms = WY_FORM_ROWS,
                                      .fallback = "that of `shape`",
                                      .expected = "a list of directions, each a list of 3 numbers",
                                      .meaning = "With `origins`: d3 at s = 0, instead of `shape.direction`."},
                                     {.name = "grid",
                                      .forms = WY_FORM_VECTOR,
                                      .count = 2,
                                      .fallback = ONE_WAY,
                                      .expected = "a list of 2 whole numbers > 0",
                                      .meaning = "How many copies along the first and the second of `steps`."},
                                     {.name = "steps",
                                      .forms = WY_FORM_ROWS,
                                      .unit = "m",
                                      .fallback = "required with `grid`",
                                      .expected = "a list of 2 steps, each a list of 3 numbers",
                                      .meaning = "With `grid`: from copy to copy."},
                                     {.name = "circle",
                                      .forms = WY_FORM_WHOLE,
                                      .least = 1,
                                      .most = 100000,
                                      .fallback = ONE_WAY,
                                      .expected = "how many copies, a whole number",
                                      .meaning = "How many copies, turned about an axis in equal steps."},
                                     {.name = "centre",
                                      .forms = WY_FORM_VECTOR,
                                      .count = 3,
                                      .unit = "m",
                                      .fallback = "`[0, 0, 0]`",
                                      .meaning = "With `circle`: a point of the axis."},
                                     {.name = "axis",
                                      .forms = WY_FORM_VECTOR,
                                      .count = 3,
                                      .fallback = "`[0, 0, 1]`",
                                      .meaning = "With `circle`: its direction."},
                                     {0}};

static const wy_example copies_examples[] = {
    {"{origins: [[0, 0, 0], [0, 1, 0]], directions: [[1, 0, 0], [0, 0, 1]]}", "two, as they are listed"},
    {"{grid: [3, 4], steps: [[1, 0, 0], [0, 1, 0]]}", "twelve"},
    {"{circle: 6, centre: [0, 0, 0], axis: [0, 0, 1]}", "spokes of a wheel"},
    {0}};

static const wy_mapping copies = {.path = "rods[].copies",
                                  .what = "copies",
                                  .summary = "One definition for many rods, which are called NAME1, NAME2, ...",
                                  .more = "[Networks](network.md#many-rods)",
                                  .keys = copies_keys,
                                  .examples = copies_examples};

/* ---- The rod ---- */

static const wy_word models[] = {
    {.name = "cosserat", .meaning = "shear, extension, bending and torsion", .value = WY_COSSERAT},
    {.name = "kirchhoff", .meaning = "no shear", .value = WY_KIRCHHOFF},
    {.name = "inextensible", .meaning = "no shear, no extension", .value = WY_INEXTENSIBLE},
    {0}};

static const wy_key grading_keys[] = {
    {.name = "start",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .fallback = "`1`",
     .meaning = "How many times shorter segments are at the start."},
    {.name = "end", .forms = WY_FORM_NUMBER, .sign = WY_POSITIVE, .fallback = "`1`", .meaning = "The same at the end."},
    {.name = "over",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "a tenth of the length",
     .meaning = "How far they are shorter: three times sqrt(EI/tension)."},
    {0}};

static const wy_example grading_examples[] = {
    {"{start: 3, end: 1, over: 0.1}", "for a soft rod that swings from a clamp at its start"}, {0}};

static const wy_mapping grading = {.path = "rods[].grading",
                                   .what = "the grading",
                                   .summary = "Shorter segments towards the ends of a rod, for a number of segments: "
                                              "the density of segments is 1 + (start - 1) exp(-s/over).",
                                   .more = "[What it is worth](../benchmarks.md#the-error-in-space)",
                                   .keys = grading_keys,
                                   .examples = grading_examples};

static const wy_key rod_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .fallback = "`rod`, or `rod1`, `rod2`, ...",
     .meaning = "Used by loads, probes and results."},
    {.name = "model",
     .forms = WY_FORM_WORD,
     .words = models,
     .fallback = "`cosserat`",
     .meaning = "Which deformations the rod has."},
    {.name = "length",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "required, but for a helix, points or a list of segments",
     .expected = "the rod's length, a number > 0",
     .meaning = "Arc length of the undeformed rod."},
    {.name = "segments",
     .forms = WY_FORM_WHOLE | WY_FORM_NUMBERS,
     .sign = WY_POSITIVE,
     .least = 1,
     .most = 1000000,
     .unit = "m",
     .fallback = "`20`; `21` for `conserving` of order 2",
     .expected = "a whole number or a list of lengths",
     .meaning = "Number of segments, or the list of their lengths. At least 2 for `staggered` and `conserving`, 8 for "
                "`conserving` of order 4."},
    {.name = "grading",
     .forms = WY_FORM_MAPPING,
     .mapping = &grading,
     .fallback = "equal segments",
     .meaning = "Shorter segments towards the ends."},
    {.name = "section",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_section,
     .fallback = "required, but beside `stiffness` and `inertia`",
     .meaning = "The cross-section."},
    {.name = "material",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_material,
     .fallback = "required, but beside `stiffness` and `inertia`",
     .meaning = "What the rod is made of."},
    {.name = "shear_factors",
     .forms = WY_FORM_VECTOR,
     .count = 2,
     .fallback = "`[1, 1]`",
     .meaning = "Effective shear area divided by area, along d1 and d2."},
    {.name = "stiffness",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_stiffness,
     .fallback = "from section and material",
     .meaning = "Stiffnesses given directly. If `inertia` is given as well, the section is used for drawing only."},
    {.name = "inertia",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_inertia,
     .fallback = "from section and material",
     .meaning = "Inertia per unit length, given directly."},
    {.name = "damping",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_damping,
     .fallback = NONE,
     .meaning = "Damping in the material."},
    {.name = "law",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_law,
     .fallback = "linear",
     .meaning = "The material law."},
    {.name = "maxwell",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_branch,
     .fallback = NONE,
     .meaning = "Maxwell branches: parts of the stiffness that relax."},
    {.name = "drag",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_drag,
     .fallback = NONE,
     .meaning = "Damping by the medium around the rod."},
    {.name = "fluid",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_fluid,
     .fallback = "the `fluid` of the file",
     .meaning = "The fluid around this rod. Its keys replace those of the file's `fluid`."},
    {.name = "contact",
     .forms = WY_FORM_CHOICE | WY_FORM_MAPPING,
     .words = wy_schema_no_contact,
     .mapping = &wy_schema_skin,
     .fallback = "from section and material",
     .expected = "false, or a mapping with the keys radius, stiffness, blend",
     .meaning = "How the rod touches obstacles."},
    {.name = "shape",
     .forms = WY_FORM_MAPPING,
     .mapping = &shape,
     .fallback = "straight along x",
     .meaning = "The undeformed rod: where it is and how it is curved."},
    {.name = "initial",
     .forms = WY_FORM_MAPPING,
     .mapping = &initial,
     .fallback = "at rest, undeformed",
     .analyses = 1 << WY_DYNAMICS,
     .meaning = "How the rod starts."},
    {.name = "ends",
     .forms = WY_FORM_MAPPING,
     .mapping = &ends,
     .fallback = "`free`",
     .meaning = "What holds or drives the rod."},
    {.name = "copies",
     .forms = WY_FORM_MAPPING,
     .mapping = &copies,
     .fallback = NONE,
     .meaning = "Places the rod many times."},
    {.name = "solver",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_solver,
     .fallback = "the `solver` of the file",
     .meaning = "Settings for this rod. They replace those of the file."},
    {0}};

static const wy_example rod_examples[] = {{"name: arm\n"
                                           "model: cosserat\n"
                                           "length: 0.5\n"
                                           "segments: 20\n"
                                           "grading: {start: 3}\n"
                                           "section: {shape: circle, radius: 0.005}\n"
                                           "material: {density: 1100, young: 5.0e6, poisson: 0.5}\n"
                                           "shear_factors: [0.9, 0.9]\n"
                                           "damping: {time: 0.01}\n"
                                           "drag: {translation: 0.1}\n"
                                           "fluid: {density: 1.2, normal: 1.1}\n"
                                           "contact: {radius: 0.006}\n"
                                           "maxwell: [{share: 0.2, time: 0.5}]\n"
                                           "shape: {direction: [0, 1, 0]}\n"
                                           "initial: {velocity: [0, 0, s]}\n"
                                           "ends: {start: pinned}\n"
                                           "solver: {tolerance: 1.0e-8}\n",
                                           "a pendulum of rubber"},
                                          {"name: cable\n"
                                           "model: inextensible\n"
                                           "length: 2\n"
                                           "stiffness: {bending: [0.2, 0.2], torsion: 0.15}\n"
                                           "inertia: {mass: 0.1, rotary: [1.0e-6, 1.0e-6, 2.0e-6]}\n"
                                           "law: {kind: stiffening, bending: 1.0e-3}\n"
                                           "copies: {origins: [[0, 0, 0], [0, 1, 0]]}\n",
                                           "two cables with measured stiffness"},
                                          {0}};

const wy_mapping wy_schema_rod = {.path = "rods[]",
                                  .what = "a rod",
                                  .plural = "rods",
                                  .summary = "A slender rod: a centreline from s = 0 to s = length, with a section at "
                                             "every s.",
                                  .more = "[Notation](../notation.md): directions and signs",
                                  .keys = rod_keys,
                                  .examples = rod_examples};
