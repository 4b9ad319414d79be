/* SPDX-License-Identifier: MIT */
/* The schema from the top: the file, time, loads, actuators, probes and strands. */
#include "run/schema/schema.h"

enum { COURSE = 1 << WY_DYNAMICS | 1 << WY_QUASISTATICS };

/* ---- Time ---- */

static const wy_key time_keys[] = {
    {.name = "end",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .unit = "s",
     .fallback = "required for `dynamics` and `quasistatics`; else `0`",
     .expected = "the time to stop at, a number > 0",
     .meaning = "The run goes from 0 to here. One equilibrium is that of the loads of this time."},
    {.name = "output",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "`end/100`",
     .analyses = COURSE,
     .meaning =
         "Time between two rows of `probes.csv`. It does not change the steps of integrators with error control."},
    {.name = "frames",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "`output`",
     .analyses = COURSE,
     .meaning = "Time between two snapshots in `result.h5`. Pictures and the 3D page show the snapshots."},
    {0}};

static const wy_example time_examples[] = {{"{end: 5, output: 0.01, frames: 0.05}", NULL}, {0}};

const wy_mapping wy_schema_time = {.path = "time",
                                   .what = "the time",
                                   .summary = "How long the run is, and how often results are written down.",
                                   .keys = time_keys,
                                   .examples = time_examples};

/* ---- Loads ---- */

static const wy_word places[] = {{.name = "start", .meaning = "the start of the rod, s = 0", .value = WY_AT_START},
                                 {.name = "end", .meaning = "the end of the rod", .value = WY_AT_END},
                                 {0}};

static const wy_word axes[] = {{.name = "space", .meaning = "along x, y, z", .value = WY_SPACE_AXES},
                               {.name = "body",
                                .meaning = "along d1, d2, d3, or the axes of the body: turns with the section or body",
                                .value = WY_BODY_AXES},
                               {0}};

#define ROD_KEY(text)                                                                                                  \
  { .name = "rod", .forms = WY_FORM_ROD, .fallback = "the only rod", .meaning = (text) }

/* To find it by, in messages and with --set. */
#define NAME_KEY(text)                                                                                                 \
  { .name = "name", .forms = WY_FORM_NAME, .fallback = "none", .meaning = (text) }

static const wy_key load_keys[] = {NAME_KEY("To find the load by: `--set loads.NAME.force=...`. No two loads have one "
                                            "name."),
                                   ROD_KEY("The rod that it acts on."),
                                   {.name = "at",
                                    .forms = WY_FORM_WORD | WY_FORM_NUMBER,
                                    .words = places,
                                    .unit = "m",
                                    .fallback = "one of `at`, `along`, `body`",
                                    .expected = "start, end or an arc length",
                                    .meaning = "Where a single load acts: an end, or an arc length."},
                                   {.name = "along",
                                    .forms = WY_FORM_VECTOR,
                                    .count = 2,
                                    .unit = "m",
                                    .fallback = "one of `at`, `along`, `body`",
                                    .meaning = "Where a load per unit length acts: `[from, to]`."},
                                   {.name = "body",
                                    .forms = WY_FORM_BODY,
                                    .fallback = "one of `at`, `along`, `body`",
                                    .meaning = "The body that it acts on, instead of a rod."},
                                   {.name = "point",
                                    .forms = WY_FORM_VECTOR,
                                    .count = 3,
                                    .unit = "m",
                                    .fallback = "`[0, 0, 0]`",
                                    .meaning = "Where on the body: from its centre of mass, along its axes."},
                                   {.name = "force",
                                    .forms = WY_FORM_VECTOR,
                                    .of = WY_TIME | WY_ARC,
                                    .count = 3,
                                    .unit = "N",
                                    .beside = {"along", "N/m"},
                                    .fallback = "at least one of `force`, `moment`",
                                    .meaning = "The force. Only with `along` may it vary with s."},
                                   {.name = "moment",
                                    .forms = WY_FORM_VECTOR,
                                    .of = WY_TIME | WY_ARC,
                                    .count = 3,
                                    .unit = "N m",
                                    .beside = {"along", "N"},
                                    .fallback = "at least one of `force`, `moment`",
                                    .meaning = "The moment. Only with `along` may it vary with s."},
                                   {.name = "axes",
                                    .forms = WY_FORM_WORD,
                                    .words = axes,
                                    .fallback = "`space`",
                                    .meaning = "The axes of force and moment."},
                                   {0}};

static const wy_example load_examples[] = {
    {"{name: pull, rod: arm, at: end, force: [0, 0, \"-2*t\"]}", "grows"},
    {"{rod: arm, at: 0.25, moment: [0, 0, 0.1], axes: body}", "turns with the section"},
    {"{rod: arm, along: [0, 0.5], force: [0, \"3*sin(pi*s/0.5)*cos(10*t)\", 0]}", "wind, per unit length"},
    {"{body: hub, point: [0, 0, 0.05], force: [0, 0, -5]}", "on a body"},
    {0}};

const wy_mapping wy_schema_load = {.path = "loads[]",
                                   .what = "a load",
                                   .plural = "loads",
                                   .summary =
                                       "A force or a moment on a rod, at a point or per unit length, or on a body.",
                                   .keys = load_keys,
                                   .examples = load_examples};

/* ---- Actuators ---- */

static const wy_word actuator_kinds[] = {
    {.name = "pneumatic", .meaning = "a chamber that pushes along d3", .value = WY_PNEUMATIC},
    {.name = "tendon", .meaning = "a cable that pulls: fixed at the end, pulled at the start", .value = WY_TENDON},
    {0}};

static const wy_key actuator_keys[] = {
    NAME_KEY("To find the actuator by: `--set actuators.NAME.tension=...`. No two actuators have one name."),
    ROD_KEY("The rod that it runs along."),
    {.name = "kind", .forms = WY_FORM_WORD, .words = actuator_kinds, .required = true, .meaning = "What it is."},
    {.name = "offset",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 2,
     .unit = "m",
     .required = true,
     .expected = "a list of 2, along d1 and d2",
     .meaning = "Where it runs beside the centreline: along d1 and d2. The slope along the rod must be finite."},
    {.name = "force",
     .forms = WY_FORM_NUMBER,
     .of = WY_TIME,
     .unit = "N",
     .required = true,
     .with = {"pneumatic"},
     .expected = "minus pressure times area, an expression of t; below 0 the chamber pushes along d3",
     .meaning = "Minus pressure times area. Below 0 the rod becomes longer and bends away from the chamber."},
    {.name = "tension",
     .forms = WY_FORM_NUMBER,
     .of = WY_TIME,
     .sign = WY_NOT_NEGATIVE,
     .unit = "N",
     .required = true,
     .with = {"tendon"},
     .expected = "an expression of t that is not negative",
     .meaning = "Tension of the tendon. The rod becomes shorter and bends towards the tendon."},
    {0}};

static const wy_example actuator_examples[] = {
    {"{name: left, rod: arm, kind: pneumatic, offset: [0.004, 0], force: \"-5*t\"}", "a chamber that is filled"},
    {"{rod: arm, kind: tendon, offset: [0.004, \"0.002*sin(s)\"], tension: \"2*t\"}", "a tendon that is not straight"},
    {0}};

const wy_mapping wy_schema_actuator = {
    .path = "actuators[]",
    .what = "an actuator",
    .plural = "actuators",
    .summary = "A chamber or a tendon inside a rod, along its whole length. What it puts in counts as `work`.",
    .more = "[Chambers and tendons](actuation.md)",
    .selector = "kind",
    .strict = true,
    .keys = actuator_keys,
    .examples = actuator_examples};

/* ---- Probes ---- */

/* All of them are in the table of the library. */
static const wy_word quantities[] = {{0}};

static bool quantity_at(int index, wy_word *word) {
  if (index >= WY_QUANTITY_COUNT)
    return false;
  const wy_quantity_info *info = wy_quantity_describe((wy_quantity)index);
  *word = (wy_word){.name = info->name, .meaning = info->meaning, .unit = info->unit, .value = index};
  return true;
}

static const wy_key probe_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .required = true,
     .expected = "a name for the columns",
     .meaning = "Name of its columns. `tip` gives `tip.x`, `tip.y`, `tip.z`, a rotation also `tip.w`, a single number "
                "`tip`."},
    {.name = "rod",
     .forms = WY_FORM_ROD,
     .fallback = "the only rod; none for sums over all rods",
     .meaning = "The rod of the probe."},
    {.name = "body",
     .forms = WY_FORM_BODY,
     .fallback = "none",
     .meaning = "A body instead of a rod. It has `position`, `velocity`, `rotation`, `angular_velocity`, directors "
                "(its axes), "
                "`reaction_force`, `reaction_moment` (of what holds it, about its centre of mass)."},
    {.name = "point",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Point of the body, in its axes. Of `position` and `velocity`, from the centre of mass."},
    {.name = "joint",
     .forms = WY_FORM_NAME,
     .fallback = "none",
     .expected = "the name of a joint",
     .meaning = "A joint instead of a rod. It has `force` and `moment`, which it exerts on one of its parts, space "
                "axes, moment "
                "about the place of the joint; a hinge has `angle` and `rate`."},
    {.name = "part",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1000000,
     .fallback = "`1`, of `angle` and `rate` `2`",
     .expected = "the number of a part of the joint",
     .meaning = "Which part of the joint, in the order of its `of`. Angles are those against the first."},
    {.name = "spring",
     .forms = WY_FORM_NAME,
     .fallback = "none",
     .expected = "the name of a spring",
     .meaning = "A spring instead of a rod. It has `force`, a number that is > 0 where it pulls, and `length`."},
    {.name = "batch",
     .forms = WY_FORM_NAME,
     .fallback = "none",
     .expected = "the name of a batch",
     .meaning = "A batch: the quantity `at` a place of each of its rods. The columns are its mean, least and largest: "
                "`NAME.mean`, `NAME.least`, `NAME.largest`; `result.h5` has all of them."},
    {.name = "obstacle",
     .forms = WY_FORM_NAME,
     .fallback = "none",
     .expected = "the name of an obstacle",
     .meaning = "An obstacle. It has `contact_force` and `contact_moment`, which it exerts on all rods, or on `rod`, "
                "`contact_length` and `gap`."},
    {.name = "at",
     .forms = WY_FORM_WORD | WY_FORM_NUMBER,
     .words = places,
     .sign = WY_NOT_NEGATIVE,
     .unit = "m",
     .fallback = "required on a rod, but not for `length`, `gap` and sums over all rods",
     .expected = "start, end or an arc length",
     .meaning = "Where: an end, or an arc length."},
    {.name = "quantity",
     .forms = WY_FORM_WORD,
     .words = quantities,
     .more_words = quantity_at,
     .required = true,
     .meaning = "The quantity to record. From `energy` to `centre_of_mass` they are sums over all rods, without a "
                "place; `angle` and `rate` are of hinges, `contact_force` to `contact_length` of obstacles."},
    {0}};

static const wy_example probe_examples[] = {
    {"{name: tip, rod: arm, at: end, quantity: position}", "columns tip.x, tip.y, tip.z"},
    {"{name: support, rod: arm, at: start, quantity: reaction_force}", NULL},
    {"{name: energy, quantity: energy}", "of all rods"},
    {"{name: bob, body: hub, point: [0, 0, 0.05], quantity: position}", "of a point of a body"},
    {"{name: corner, joint: corner, part: 2, quantity: moment}", "of a joint on its second part"},
    {"{name: opening, joint: elbow, quantity: angle}", "of a hinge"},
    {"{name: tie, spring: tie, quantity: force}", "one column, > 0 where it pulls"},
    {"{name: pull, obstacle: drum, rod: arm, quantity: contact_force}", "of an obstacle on one rod"},
    {"{name: tips, batch: head, at: end, quantity: position}", "of all rods of a batch"},
    {0}};

const wy_mapping wy_schema_probe = {.path = "probes[]",
                                    .what = "a probe",
                                    .plural = "probes",
                                    .summary = "Something to follow: columns of `probes.csv`, at most 1000 probes.",
                                    .more = "[Results](results.md)",
                                    .keys = probe_keys,
                                    .examples = probe_examples};

/* ---- Strands ---- */

static const wy_key strands_keys[] = {
    {.name = "name",
     .forms = WY_FORM_NAME,
     .fallback = "`strands`, or `strands1`, `strands2`, ...",
     .meaning = "Name of the tress: the group `/strands/NAME` of `result.h5`."},
    {.name = "guides",
     .forms = WY_FORM_RODS,
     .required = true,
     .expected = "a list of the names of rods, at least one",
     .meaning = "The rods that the strands follow. Each once, at most 1000."},
    {.name = "count",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1000000,
     .required = true,
     .expected = "how many strands, a whole number",
     .meaning = "How many strands there are."},
    {.name = "radius",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .unit = "m",
     .fallback = "`0`; required for one guide",
     .expected = "a number > 0: of the disc about the guide that strands are spread over",
     .meaning = "Radius of the disc around a guide that holds the strands."},
    {0}};

static const wy_example strands_examples[] = {{"{name: tress, guides: [arm], count: 180, radius: 0.005}", NULL}, {0}};

const wy_mapping wy_schema_strands = {.path = "strands[]",
                                      .what = "strands",
                                      .plural = "strands",
                                      .summary = "Lines that follow rods, as hair does: geometry only.",
                                      .more = "[Hair](hair.md)",
                                      .keys = strands_keys,
                                      .examples = strands_examples};

/* ---- The file ---- */

const wy_word wy_schema_analyses[] = {
    {.name = "dynamics", .meaning = "the motion from 0 to `time.end`", .value = WY_DYNAMICS},
    {.name = "quasistatics",
     .meaning = "equilibria along a pseudotime, without inertia and damping",
     .value = WY_QUASISTATICS},
    {.name = "statics", .meaning = "one equilibrium, under the loads of `time.end`", .value = WY_STATICS},
    {.name = "modes",
     .meaning = "vibrations about that equilibrium: frequencies, damping ratios, shapes",
     .value = WY_MODES},
    {.name = "buckling",
     .meaning = "factors of the loads at which the equilibrium becomes unstable, and the shapes",
     .value = WY_BUCKLING},
    {0}};

#define LATER "not available in this version"

static const wy_key top_keys[] = {
    {.name = "withy",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1,
     .required = true,
     .expected = "the format version: withy: 1",
     .meaning = "Version of the format."},
    {.name = "title", .forms = WY_FORM_TEXT, .fallback = "none", .meaning = "A line of text for lists and pictures."},
    {.name = "constants",
     .forms = WY_FORM_NAMED,
     .fallback = "none",
     .meaning = "Names for numbers, for use in expressions. A constant may use those above it."},
    {.name = "functions",
     .forms = WY_FORM_NAMED,
     .of = WY_TIME,
     .fallback = "none",
     .meaning = "Names for expressions of time, used without parentheses."},
    {.name = "tables",
     .forms = WY_FORM_NAMED,
     .mapping = &wy_schema_table,
     .fallback = "none",
     .meaning = "Measured numbers as smooth functions of time or arc length. Expressions use `hand.x`."},
    {.name = "analysis",
     .forms = WY_FORM_WORD,
     .words = wy_schema_analyses,
     .fallback = "`dynamics`",
     .meaning = "What is computed."},
    {.name = "time",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_time,
     .fallback = "required for `dynamics` and `quasistatics`",
     .meaning = "How long the run is, and how often results are written."},
    {.name = "gravity",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .unit = "m/s^2",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Acceleration of gravity, space axes."},
    {.name = "fluid",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_fluid,
     .fallback = "none",
     .meaning = "The fluid around all rods."},
    {.name = "rods",
     .forms = WY_FORM_LIST,
     .least = 1,
     .mapping = &wy_schema_rod,
     .fallback = "none; required where there are no bodies",
     .expected = "a list of at least one rod",
     .meaning = "The rods."},
    {.name = "bodies",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_body,
     .fallback = "none",
     .meaning = "Rigid bodies."},
    {.name = "joints",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_joint,
     .fallback = "none",
     .meaning = "Joints of rods, bodies and the ground."},
    {.name = "springs",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_spring,
     .fallback = "none",
     .meaning = "Springs between rods, bodies and the ground."},
    {.name = "obstacles",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_obstacle,
     .fallback = "none",
     .meaning = "What rods touch. Planes, spheres, drums, boxes, rings and tubes."},
    {.name = "contact",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_contact,
     .fallback = "no friction, restitution 0.5",
     .meaning = "Friction and restitution."},
    {.name = "loads",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_load,
     .fallback = "none",
     .meaning = "Forces and moments."},
    {.name = "actuators",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_actuator,
     .fallback = "none",
     .meaning = "Pneumatic chambers and tendons."},
    {.name = "probes",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_probe,
     .fallback = "none",
     .meaning = "Quantities to record: the columns of `probes.csv`."},
    {.name = "strands",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_strands,
     .fallback = "none",
     .meaning = "Hair that follows rods."},
    {.name = "batches",
     .forms = WY_FORM_LIST,
     .mapping = &wy_schema_batch,
     .fallback = "none",
     .analyses = 1 << WY_DYNAMICS,
     .meaning = "Many rods of one kind at once."},
    {.name = "solver",
     .forms = WY_FORM_MAPPING,
     .mapping = &wy_schema_solver,
     .fallback = "defaults that suit most rods",
     .meaning = "How the equations are solved. A rod may have a `solver` of its own, whose keys replace these."},
    {.name = "contacts",
     .later = "found contacts; expected obstacles, what rods touch, and contact, friction and restitution"},
    {.name = "include", .later = "include is " LATER},
    {0}};

static const wy_example top_examples[] = {
    {"withy: 1\n"
     "title: An arm that is pushed\n"
     "constants: {L: 0.5, r: 0.005}\n"
     "functions: {pulse: \"t < 0.1 ? sin(pi*t/0.1)^2 : 0\"}\n"
     "time: {end: 5, output: 0.01}\n"
     "gravity: [0, 0, -9.81]\n"
     "fluid: {density: 1.2, normal: 1.1}\n"
     "rods:\n"
     "  - name: arm\n"
     "    length: L\n"
     "    section: {shape: circle, radius: r}\n"
     "    material: {density: 1100, young: 5.0e7, poisson: 0.5}\n"
     "    damping: {time: 0.01}\n"
     "    ends: {start: clamped}\n"
     "loads:\n"
     "  - {rod: arm, at: end, force: [0, \"2*pulse\", 0]}\n"
     "probes:\n"
     "  - {name: tip, rod: arm, at: end, quantity: position}\n",
     "a motion"},
    {"withy: 1\n"
     "time: {end: 2}\n"
     "rods:\n"
     "  - name: arm\n"
     "    length: 0.5\n"
     "    section: {shape: circle, radius: 0.005}\n"
     "    material: {density: 1100, young: 5.0e7, poisson: 0.5}\n"
     "bodies:\n"
     "  - {name: hub, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], origin: [0.5, 0, 0]}\n"
     "joints:\n"
     "  - {name: foot, kind: weld, of: [arm.start, ground]}\n"
     "  - {name: tip, kind: weld, of: [arm.end, hub]}\n"
     "springs:\n"
     "  - {name: tie, of: [hub, {ground: [0.5, 0, 1]}], stiffness: 20, length: 0.8}\n",
     "a body on a rod"},
    {"withy: 1\n"
     "time: {end: 1}\n"
     "gravity: [0, 0, -9.81]\n"
     "rods:\n"
     "  - name: arm\n"
     "    length: 0.5\n"
     "    section: {shape: circle, radius: 0.005}\n"
     "    material: {density: 1100, young: 5.0e7, poisson: 0.5}\n"
     "obstacles:\n"
     "  - {name: floor, shape: plane, position: [0, 0, -0.1]}\n"
     "contact: {friction: 0.3}\n",
     "a rod that falls on a floor"},
    {"withy: 1\n"
     "time: {end: 1, output: 0.02}\n"
     "gravity: [0, 0, -9.81]\n"
     "rods:\n"
     "  - name: strand\n"
     "    length: 0.25\n"
     "    segments: 16\n"
     "    section: {shape: circle, radius: 3.5e-5}\n"
     "    material: {density: 1300, young: 4.0e9, poisson: 0.4}\n"
     "    damping: {time: 1.0e-4}\n"
     "    ends: {start: clamped}\n"
     "batches:\n"
     "  - {name: head, rod: strand, count: 1000, roots: {surface: cap, radius: 0.1}}\n",
     "a thousand hairs"},
    {"withy: 1\n"
     "analysis: statics\n"
     "time: {end: 1}\n"
     "tables: {pull: {rows: [[0, 0], [1, 0.5]], columns: [tension]}}\n"
     "rods:\n"
     "  - name: finger\n"
     "    length: 0.1\n"
     "    section: {shape: circle, radius: 0.004}\n"
     "    material: {density: 1100, young: 1.0e6, poisson: 0.45}\n"
     "    ends: {start: clamped}\n"
     "actuators:\n"
     "  - {rod: finger, kind: tendon, offset: [0.003, 0], tension: pull.tension}\n"
     "strands:\n"
     "  - {guides: [finger], count: 20, radius: 0.004}\n"
     "solver: {increments: 10}\n",
     "an equilibrium"},
    {0}};

const wy_mapping wy_schema_top = {.path = "",
                                  .what = "the scenario",
                                  .summary = "The keys at the top of the file.",
                                  .more = "[The analyses](scenario.md#the-analysis), [expressions](expressions.md)",
                                  .keys = top_keys,
                                  .examples = top_examples};

const wy_key wy_schema_root = {
    .name = "", .forms = WY_FORM_MAPPING, .mapping = &wy_schema_top, .required = true, .meaning = "The scenario."};
