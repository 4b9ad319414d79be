/* SPDX-License-Identifier: MIT */
/* The schema of batches: many rods of one kind. */
#include "withy/batch.h"

#include "run/schema/sweep.h"

#define PATTERN "that of the pattern"

/* ---- Roots ---- */

static const wy_word patches[] = {
    {.name = "disc", .meaning = "a disc about `centre`", .value = WY_PATCH_DISC},
    {.name = "rectangle",
     .meaning = "a rectangle about `centre`, with `sides` along `d1` and `axis` x `d1`",
     .value = WY_PATCH_RECTANGLE},
    {.name = "cap", .meaning = "the part of a sphere around `axis`, such as a scalp", .value = WY_PATCH_CAP},
    {0}};

static const wy_word spreads[] = {{.name = "random", .meaning = "at random", .value = false},
                                  {.name = "even", .meaning = "at nearly equal distances", .value = true},
                                  {0}};

static const wy_key root_keys[] = {
    {.name = "surface",
     .forms = WY_FORM_WORD,
     .words = patches,
     .fallback = "one of `surface`, `file`, `position`",
     .meaning = "A surface over which the roots are spread."},
    {.name = "file",
     .forms = WY_FORM_FILE,
     .fallback = "one of `surface`, `file`, `position`",
     .expected = "the name of a file with the columns x, y, z, and dx, dy, dz of the directions, one row a rod",
     .meaning = "A file with a row for each rod. Columns x, y, z, and dx, dy, dz where the rods do not begin "
                "along one direction."},
    {.name = "position",
     .forms = WY_FORM_VECTOR,
     .of = WY_ROD,
     .count = 3,
     .unit = "m",
     .fallback = "one of `surface`, `file`, `position`",
     .expected = "a list of 3, each a number or an expression of i, u and n",
     .meaning = "Where each rod begins."},
    {.name = "centre",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Centre of the surface; of a cap that of the sphere."},
    {.name = "axis",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "`[0, 0, 1]`",
     .meaning = "Normal of a disc or rectangle, or the axis of a cap. Rods begin along the normal."},
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "required for `disc` and `cap`",
     .expected = "a number > 0",
     .meaning = "Radius of the disc, or of the sphere."},
    {.name = "angle",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .range = "> 0, at most pi",
     .unit = "rad",
     .fallback = "`pi/2`",
     .meaning = "How far the cap reaches from its axis."},
    {.name = "sides",
     .forms = WY_FORM_VECTOR,
     .count = 2,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "required for `rectangle`",
     .expected = "a list of 2 numbers > 0",
     .meaning = "Sides of the rectangle."},
    {.name = "d1",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .fallback = "the space axis that makes the largest angle with `axis`",
     .meaning = "Direction of the first side. It is made normal to `axis`."},
    {.name = "spread",
     .forms = WY_FORM_WORD,
     .words = spreads,
     .fallback = "`random`",
     .meaning = "How roots are spread over the surface."},
    {.name = "direction",
     .forms = WY_FORM_VECTOR,
     .of = WY_ROD,
     .count = 3,
     .fallback = "the normal of the surface; without one " PATTERN,
     .expected = "a list of 3, each a number or an expression of i, u and n",
     .meaning = "Direction of each rod at its root. It need not have length 1."},
    {.name = "lean",
     .forms = WY_FORM_NUMBER,
     .of = WY_ROD,
     .unit = "rad",
     .fallback = "`0`",
     .meaning = "Angle by which the rod then leans to a random side."},
    {.name = "turn",
     .forms = WY_FORM_NUMBER,
     .of = WY_ROD,
     .unit = "rad",
     .fallback = "`0`",
     .meaning = "Angle by which it is turned about itself. `2*pi*u` makes curls point to all sides."},
    {0}};

static const wy_example root_examples[] = {
    {"{surface: cap, centre: [0, 0, 1.6], radius: 0.1, axis: [0, 0, 1], angle: 1.3, lean: \"0.1*n\", turn: \"2*pi*u\"}",
     "a scalp"},
    {"{surface: rectangle, sides: [2, 1], d1: [1, 0, 0], spread: even, lean: 0.1}", "a lawn"},
    {"{surface: disc, radius: 0.02, axis: [0, 0, -1]}", "a brush"},
    {"{position: [\"0.01*i\", 0, \"0.001*u\"], direction: [0, \"0.1*n\", 1]}", "a row"},
    {"{file: roots.csv}", NULL},
    {0}};

static const wy_mapping roots = {.path = "batches[].roots",
                                 .what = "the roots of a batch",
                                 .summary = "Where the rods begin, and in which direction.",
                                 .keys = root_keys,
                                 .examples = root_examples};

/* ---- What differs ---- */

static const wy_word scales[] = {{.name = "linear", .meaning = "equal distances", .value = false},
                                 {.name = "log", .meaning = "equal ratios", .value = true},
                                 {0}};

static const wy_key range_keys[] = {
    {.name = "from",
     .forms = WY_FORM_NUMBER,
     .fallback = "required without `file`",
     .expected = "a number",
     .meaning = "The first value, in the unit of the key."},
    {.name = "to",
     .forms = WY_FORM_NUMBER,
     .fallback = "required without `file`",
     .expected = "a number",
     .meaning = "The last value."},
    {.name = "count",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = WY_MOST_BATCHED,
     .fallback = "required without `file`",
     .expected = "how many values, a whole number",
     .meaning = "How many values. The `count` of the batch is the product of those of all ranges; the last one runs "
                "fastest."},
    {.name = "scale",
     .forms = WY_FORM_WORD,
     .words = scales,
     .fallback = "`linear`",
     .meaning = "Distances between values."},
    {.name = "file",
     .forms = WY_FORM_FILE,
     .fallback = "none",
     .expected = "the name of a file with a column of numbers, one row a rod",
     .meaning = "A file of numbers, a row for each rod, instead of a range."},
    {.name = "column",
     .forms = WY_FORM_NAME,
     .fallback = "the only one",
     .expected = "the name of a column of the file",
     .meaning = "The column of the file."},
    {0}};

static const wy_example range_examples[] = {{"{from: 1.0e9, to: 5.0e9, count: 64, scale: log}", "a grid"},
                                            {"{file: hairs.csv, column: radius}", "measured"},
                                            {0}};

static const wy_mapping range = {.path = "batches[].vary.length",
                                 .what = "values of a number",
                                 .summary = "Values for the rods of a batch: a range, or a column of a file.",
                                 .keys = range_keys,
                                 .examples = range_examples};

#define OF_ROD                                                                                                         \
  "a number, an expression of i, u and n, a list of numbers, or a mapping with from, "                                 \
  "to and count, or file and column"

#define NUMBER_KEY(key, dimension, text)                                                                               \
  {                                                                                                                    \
    .name = (key), .forms = WY_FORM_NUMBER | WY_FORM_NUMBERS | WY_FORM_MAPPING, .of = WY_ROD, .mapping = &range,       \
    .unit = (dimension), .fallback = PATTERN, .expected = OF_ROD, .meaning = (text)                                    \
  }

#define VECTOR_KEY(key, dimension, text)                                                                               \
  {                                                                                                                    \
    .name = (key), .forms = WY_FORM_VECTOR | WY_FORM_ROWS, .of = WY_ROD, .count = 3, .unit = (dimension),              \
    .fallback = PATTERN,                                                                                               \
    .expected = "a list of 3, each a number or an expression of i, u and n, or a list of such rows of 3 numbers, one " \
                "a rod",                                                                                               \
    .meaning = (text)                                                                                                  \
  }

static const wy_key vary_keys[] = {
    NUMBER_KEY("length", "m", "Length of the rods. > 0."),
    NUMBER_KEY("section.radius", "m", "Radius of a circle. > 0."),
    NUMBER_KEY("material.young", "Pa", "Young's modulus. > 0. The shear modulus changes in proportion."),
    NUMBER_KEY("material.density", "kg/m^3", "Density. > 0."),
    NUMBER_KEY("damping", NULL, "Factor on its damping. >= 0."),
    NUMBER_KEY("drag.translation", "1/s", "Drag. >= 0."),
    NUMBER_KEY("loads", NULL, "Factor on all loads."),
    VECTOR_KEY("shape.curvature", "1/m", "Natural curvature of the whole rod."),
    VECTOR_KEY("initial.velocity", "m/s", "Velocity at the start. It is added to that of the pattern."),
    {0}};

static const wy_example vary_examples[] = {
    {"{length: \"0.25*(1 + 0.1*n)\", section.radius: \"3.5e-5*(1 + 0.1*n1)\", shape.curvature: [\"10 + 3*u\", 0, 0]}",
     "hair"},
    {"{material.young: {from: 1.0e9, to: 5.0e9, count: 64}, material.density: {from: 1000, to: 1400, count: 8}}",
     "512 rods"},
    {"{damping: \"1 + u\", drag.translation: 0.2, loads: \"1 + 0.2*n\", initial.velocity: [0, 0, \"0.1*u\"]}", NULL},
    {0}};

static const wy_mapping vary = {.path = "batches[].vary",
                                .what = "what differs from rod to rod",
                                .summary = "Numbers that differ from rod to rod, by the names that they have in a rod.",
                                .keys = vary_keys,
                                .examples = vary_examples};

/* ---- Motion ---- */

static const wy_key motion_keys[] = {
    {.name = "follow",
     .forms = WY_FORM_NAME,
     .fallback = "none",
     .expected = "the name of an obstacle or a body",
     .meaning = "An obstacle or a body that carries the roots."},
    {.name = "position",
     .forms = WY_FORM_VECTOR,
     .of = WY_TIME,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .expected = "a list of 3, each a number or an expression of t",
     .meaning = "A point that moves and takes the roots with it. The axis of `rotation` goes through it."},
    {.name = "rotation",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_rotation,
     .fallback = "none",
     .meaning = "Turns them about an axis."},
    {0}};

static const wy_example motion_examples[] = {
    {"{follow: drum}", "the roots are on it"},
    {"{position: [0, 0, \"0.1*sin(5*t)\"], rotation: {axis: [0, 0, 1], angle: \"sin(3*t)\"}}", NULL},
    {0}};

static const wy_mapping motion = {.path = "batches[].motion",
                                  .what = "the motion of the roots",
                                  .summary =
                                      "How all roots move together, as one rigid thing. They begin where `roots` "
                                      "puts them.",
                                  .keys = motion_keys,
                                  .examples = motion_examples};

/* ---- Record ---- */

static const wy_key record_keys[] = {{.name = "every",
                                      .forms = WY_FORM_WHOLE,
                                      .least = 1,
                                      .most = WY_MOST_BATCHED,
                                      .fallback = "so that at most 200 rods are recorded",
                                      .expected = "a whole number: 50 records every 50th rod",
                                      .meaning = "Records rods 0, `every`, 2 `every`, ..."},
                                     {.name = "rods",
                                      .forms = WY_FORM_NUMBERS,
                                      .fallback = "none",
                                      .expected = "a list of numbers of rods, from 0 on",
                                      .meaning = "Numbers of the rods that are recorded, instead of `every`."},
                                     {0}};

static const wy_example record_examples[] = {{"{every: 50}", NULL}, {"{rods: [0, 17, 400]}", NULL}, {0}};

static const wy_mapping record = {.path = "batches[].record",
                                  .what = "what is recorded",
                                  .summary = "Which rods are in `result.h5` as a whole. Tips are there of all.",
                                  .keys = record_keys,
                                  .examples = record_examples};

/* ---- Batches ---- */

static const wy_word substeps[] = {{.name = "auto", .meaning = "chosen while it runs", .value = 0}, {0}};

static const wy_word precisions[] = {
    {.name = "double", .meaning = "all numbers in double precision", .value = WY_BATCH_DOUBLE},
    {.name = "mixed", .meaning = "states and forces double, derivatives single", .value = WY_BATCH_MIXED},
    {.name = "single", .meaning = "all numbers in single precision: hair, pictures", .value = WY_BATCH_SINGLE},
    {0}};

static const wy_word devices[] = {
    {.name = "auto", .meaning = "a GPU for large batches if there is one", .value = WY_BATCH_AUTO_DEVICE},
    {.name = "cpu", .meaning = "the processor", .value = WY_BATCH_CPU},
    {.name = "gpu", .meaning = "a GPU; without one the processor, with a warning", .value = WY_BATCH_GPU},
    {0}};

static const wy_word integrators[] = {
    {.name = "auto", .meaning = "the one that is cheaper", .value = WY_BATCH_AUTO},
    {.name = "bdf2", .meaning = "backward differences of order 2, implicit", .value = WY_BATCH_BDF2},
    {.name = "explicit", .meaning = "leapfrog, for soft rods without much damping", .value = WY_BATCH_EXPLICIT},
    {0}};

/* How rods are moved: of a batch, and of a sweep that is one. */
#define HOW_KEYS                                                                                                       \
  {.name = "substeps",                                                                                                 \
   .forms = WY_FORM_WORD | WY_FORM_WHOLE,                                                                              \
   .words = substeps,                                                                                                  \
   .least = 1,                                                                                                         \
   .most = 65536,                                                                                                      \
   .fallback = "`auto`",                                                                                               \
   .expected = "auto, or a whole number from 1 to 65536",                                                              \
   .meaning = "Steps from one output time to the next. `auto` takes so many that less than 1 % of the rods have to "   \
              "be moved again."},                                                                                      \
      {.name = "tolerance",                                                                                            \
       .forms = WY_FORM_NUMBER,                                                                                        \
       .sign = WY_POSITIVE,                                                                                            \
       .fallback = "`0.05`",                                                                                           \
       .meaning = "Error estimate above which a rod is moved again. It is an angle."},                                 \
      {.name = "retries",                                                                                              \
       .forms = WY_FORM_WHOLE,                                                                                         \
       .least = 0,                                                                                                     \
       .most = 4,                                                                                                      \
       .fallback = "`4`",                                                                                              \
       .meaning = "Times that a rod is moved again, with twice the steps each. Then it has failed."},                  \
      {.name = "precision",                                                                                            \
       .forms = WY_FORM_WORD,                                                                                          \
       .words = precisions,                                                                                            \
       .fallback = "`double`",                                                                                         \
       .meaning = "Numbers to calculate with."},                                                                       \
      {.name = "device",                                                                                               \
       .forms = WY_FORM_WORD,                                                                                          \
       .words = devices,                                                                                               \
       .fallback = "`auto`",                                                                                           \
       .meaning = "Where it is calculated."},                                                                          \
      {.name = "integrator",                                                                                           \
       .forms = WY_FORM_WORD,                                                                                          \
       .words = integrators,                                                                                           \
       .fallback = "`auto`",                                                                                           \
       .meaning = "How the rods are moved."},

static const wy_key batch_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .required = true,
     .expected = "a name of its own",
     .meaning = "Name of the batch: the group `/batches/NAME` of `result.h5`. No rod has it."},
    {.name = "rod",
     .forms = WY_FORM_ROD,
     .fallback = "the only rod",
     .meaning = "The pattern: a rod of this file, with its ends and loads. It is then no rod of its own."},
    {.name = "count",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = WY_MOST_BATCHED,
     .fallback = "the number that ranges and files give; else required",
     .expected = "how many rods, a whole number",
     .meaning = "How many rods."},
    {.name = "seed",
     .forms = WY_FORM_WHOLE,
     .least = 0,
     .most = 1000000000,
     .fallback = "`1`",
     .meaning = "Of all that is random. The same seed gives the same numbers on every machine."},
    {.name = "roots",
     .forms = WY_FORM_MAPPING,
     .mapping = &roots,
     .fallback = "all rods begin where the pattern does",
     .meaning = "Where the rods begin."},
    {.name = "vary",
     .forms = WY_FORM_MAPPING,
     .mapping = &vary,
     .fallback = "none",
     .meaning = "What differs from rod to rod."},
    {.name = "motion",
     .forms = WY_FORM_MAPPING,
     .mapping = &motion,
     .fallback = "as the ends of the pattern",
     .meaning = "How the roots move."},
    HOW_KEYS{.name = "record",
             .forms = WY_FORM_MAPPING,
             .mapping = &record,
             .fallback = "`every` so that at most 200 rods are recorded",
             .meaning = "Which rods are recorded."},
    {0}};

static const wy_example batch_examples[] = {
    {"{name: head, rod: arm, count: 1000, seed: 7, roots: {surface: cap, radius: 0.1, angle: 1.3}, vary: "
     "{section.radius: "
     "\"0.005*(1 + 0.1*n)\"}, motion: {rotation: {axis: [0, 0, 1], angle: \"sin(3*t)\"}}, record: {every: 50}}",
     NULL},
    {"{name: head, rod: arm, count: 64, substeps: 16, tolerance: 0.02, retries: 3, precision: single, device: cpu, "
     "integrator: bdf2}",
     "how it is calculated"},
    {0}};

const wy_mapping wy_schema_batch = {.path = "batches[]",
                                    .what = "a batch",
                                    .plural = "batches",
                                    .summary = "Many rods of one kind, which move at once and do not touch each other.",
                                    .more = "[Many rods at once](batches.md)",
                                    .keys = batch_keys,
                                    .examples = batch_examples};

/* ---- Of a sweep ---- */

static const wy_key sweep_keys[] = {HOW_KEYS{0}};

static const wy_example sweep_examples[] = {
    {"{substeps: 16, precision: single}", NULL},
    {"{substeps: auto, tolerance: 0.02, retries: 3, precision: double, device: cpu, integrator: bdf2}", NULL},
    {0}};

const wy_mapping wy_schema_sweep_batch = {.path = "batch",
                                          .what = "how the points are computed as a batch",
                                          .summary = "How all points are moved at once.",
                                          .more = "[Many rods at once](batches.md)",
                                          .keys = sweep_keys,
                                          .examples = sweep_examples};
