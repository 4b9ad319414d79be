/* SPDX-License-Identifier: MIT */
/* The schema of `solver`, for all rods and of single rods. Its first keys belong to all schemes, the others to those
   that `with` names. Integrators and schemes are those of the library's tables. */
#include "run/schema/schema.h"
#include "withy/sundials.h"

enum {
  MOVING = 1 << WY_DYNAMICS,
  SHAPES = 1 << WY_MODES | 1 << WY_BUCKLING,
  RESTING = 1 << WY_QUASISTATICS | 1 << WY_STATICS | SHAPES,
};

static const wy_word no_words[] = {{0}};

static bool scheme_at(int index, wy_word *word) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = wy_scheme_name(index);
  if (solver.scheme)
    *word = (wy_word){.name = solver.scheme, .meaning = wy_scheme_describe(&solver).use};
  return solver.scheme != NULL;
}

static const wy_word integrators[] = {
    {.name = "auto", .meaning = "chooses one by stiffness, damping and tolerance, and says which and why"}, {0}};

/* Those of the library, and of SUNDIALS whether it is there or not. */
static bool integrator_at(int index, wy_word *word) {
  const wy_integrator_info *info = wy_integrator_describe(wy_sundials(), index);
  if (info)
    *word = (wy_word){.name = info->name, .meaning = info->use, .integrator = info};
  return info != NULL;
}

static const wy_word continuations[] = {
    {.name = "load_stepping",
     .meaning = "increments of load or time",
     .value = WY_LOAD_STEPPING,
     .other = "load stepping"},
    {.name = "arc_length", .meaning = "increments along the path, which pass limit points", .value = WY_ARC_LENGTH},
    {0}};

static const wy_word branches[] = {
    {.name = "follow", .meaning = "stays on the path, stable or not", .value = WY_FOLLOW_BRANCH},
    {.name = "switch", .meaning = "changes to the stable branch", .value = WY_SWITCH_BRANCH},
    {0}};

/* ---- Mappings of the solver ---- */

static const wy_key tolerance_keys[] = {{.name = "relative",
                                         .forms = WY_FORM_NUMBER,
                                         .sign = WY_POSITIVE,
                                         .fallback = "`1e-6`",
                                         .meaning = "Relative to the size of each unknown."},
                                        {.name = "absolute",
                                         .forms = WY_FORM_NUMBER,
                                         .sign = WY_POSITIVE,
                                         .fallback = "`1e-6`",
                                         .meaning = "Absolute, for unknowns near 0."},
                                        {0}};

static const wy_example tolerance_examples[] = {{"{relative: 1.0e-6, absolute: 1.0e-8}", NULL}, {0}};

static const wy_mapping tolerance = {.path = "solver.tolerance",
                                     .what = "the tolerance",
                                     .summary = "Relative and absolute tolerance apart, instead of one number.",
                                     .keys = tolerance_keys,
                                     .examples = tolerance_examples};

static const wy_key newton_keys[] = {
    {.name = "tolerance",
     .forms = WY_FORM_NUMBER,
     .range = "from 1e-14 to 0.1",
     .fallback = "`1e-11` for steps, `1e-10` for equilibria",
     .meaning = "Convergence criterion. For steps: residual norm divided by the size of the forces; for equilibria: "
                "the last correction of angles, and of displacements divided by the length of the rod."},
    {.name = "iterations",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 10000,
     .fallback = "`20`",
     .meaning = "Largest number of iterations in one step or increment."},
    {0}};

static const wy_example newton_examples[] = {{"{tolerance: 1.0e-10, iterations: 30}", NULL}, {0}};

static const wy_mapping newton = {.path = "solver.newton",
                                  .what = "Newton's method",
                                  .summary = "How exactly equations of equilibria, and of the steps of `mixed` and "
                                             "`box`, are solved.",
                                  .keys = newton_keys,
                                  .examples = newton_examples};

static const wy_key baumgarte_keys[] = {{.name = "omega",
                                         .forms = WY_FORM_NUMBER,
                                         .sign = WY_NOT_NEGATIVE,
                                         .unit = "1/s",
                                         .fallback = "`100`",
                                         .meaning = "Stiffness. A constraint c follows c'' + 2 r c' + omega^2 c = 0."},
                                        {.name = "r",
                                         .forms = WY_FORM_NUMBER,
                                         .sign = WY_NOT_NEGATIVE,
                                         .unit = "1/s",
                                         .fallback = "`100`",
                                         .meaning = "Damping, in the same equation."},
                                        {0}};

static const wy_example baumgarte_examples[] = {{"{omega: 100, r: 100}", NULL}, {0}};

static const wy_mapping baumgarte = {.path = "solver.stabilisation.baumgarte",
                                     .what = "Baumgarte's method",
                                     .summary = "How fast constraints that have drifted come back.",
                                     .more = "[The equations](../theory/staggered.md)",
                                     .keys = baumgarte_keys,
                                     .examples = baumgarte_examples};

static const wy_key stabilisation_keys[] = {{.name = "baumgarte",
                                             .forms = WY_FORM_MAPPING,
                                             .mapping = &baumgarte,
                                             .required = true,
                                             .meaning = "Baumgarte's method with the given rates."},
                                            {0}};

static const wy_example stabilisation_examples[] = {{"{baumgarte: {omega: 100, r: 100}}", NULL}, {0}};

static const wy_mapping stabilisation = {.path = "solver.stabilisation",
                                         .what = "the stabilisation",
                                         .summary = "How constraints are kept, with numbers instead of a word.",
                                         .keys = stabilisation_keys,
                                         .examples = stabilisation_examples};

/* ---- Words of the schemes ---- */

static const wy_word measures[] = {
    {.name = "auto",
     .meaning = "`angle` where the undeformed rod is curved or twisted, `tan2` where it is straight; `withy check` and "
                "`summary.json` say which",
     .value = WY_AUTO_MEASURE},
    {.name = "sin2", .meaning = "from 2 sin(angle/2) of neighbouring segments", .value = WY_SIN2},
    {.name = "sin4", .meaning = "from 4 sin(angle/4)", .value = WY_SIN4},
    {.name = "tan2", .meaning = "from 2 tan(angle/2)", .value = WY_TAN2},
    {.name = "tan4", .meaning = "from 4 tan(angle/4)", .value = WY_TAN4},
    {.name = "angle", .meaning = "from the angle itself", .value = WY_ANGLE},
    {0}};

static const wy_word clamps[] = {
    {.name = "half_cell", .meaning = "half a cell each, as published", .value = WY_CLAMP_HALF_CELL},
    {.name = "corrected",
     .meaning = "moved inwards by a twelfth of a segment: bending errors of a third to a tenth where rods bend little",
     .value = WY_CLAMP_CORRECTED},
    {0}};

static const wy_word coordinates[] = {
    {.name = "nullspace",
     .meaning = "angular velocities; of rods without shear the root, the frames and the stretches alone",
     .value = WY_NULLSPACE},
    {.name = "absolute",
     .meaning = "rates of the quaternions; of rods without shear positions and section forces (index 1)",
     .value = WY_ABSOLUTE},
    {0}};

static const wy_word inertias[] = {
    {.name = "disc", .meaning = "that of the section alone", .value = WY_DISC},
    {.name = "cylinder", .meaning = "with the length of the segment", .value = WY_CYLINDER},
    {0}};

static const wy_word stabilisations[] = {
    {.name = "projection", .meaning = "after every step", .value = WY_PROJECTION},
    {.name = "baumgarte",
     .meaning = "by additional terms in the equations (always used with `ndf`, `ida` and `cvode`)",
     .value = WY_BAUMGARTE},
    {0}};

static const wy_word end_moments[] = {
    {.name = "corrected", .meaning = "keeps angular momentum exactly", .value = WY_CORRECTED_MOMENT},
    {.name = "printed", .meaning = "as it was published", .value = WY_PRINTED_MOMENT},
    {0}};

static const wy_word transports[] = {
    {.name = "false", .meaning = "as they are; requires that the cell turns little", .value = 0},
    {.name = "true", .meaning = "rotated into the frame of the middle of the cell first", .value = 1},
    {0}};

static const wy_word section_forces[] = {
    {.name = "history",
     .meaning = "its value of the last step enters the next one, as for all other unknowns",
     .value = WY_FORCE_HISTORY},
    {.name = "stage", .meaning = "it belongs to one step only; first order in the force", .value = WY_FORCE_STAGE},
    {0}};

#define COEFFICIENT(letter, limit, text)                                                                               \
  {                                                                                                                    \
    .name = (letter), .forms = WY_FORM_NUMBER, .range = (limit), .fallback = "follows from `rho_inf`",                 \
    .with = {"box"}, .analyses = MOVING, .expected = "a number: alpha, beta and gamma go together", .meaning = (text)  \
  }

#define MEASURE_KEY(key, text)                                                                                         \
  {                                                                                                                    \
    .name = (key), .forms = WY_FORM_WORD, .words = measures, .fallback = "`auto`", .with = {"staggered"},              \
    .meaning = (text)                                                                                                  \
  }

/* The older spelling is from before rods touched anything. */
#define SECTION_FORCE_KEY(key, is_old)                                                                                 \
  {                                                                                                                    \
    .name = (key), .forms = WY_FORM_WORD, .words = section_forces, .fallback = "`history`", .with = {"box"},           \
    .analyses = MOVING, .meaning = "How the section force is carried from step to step.", .old = (is_old)              \
  }

/* ---- The solver ---- */

static const wy_key solver_keys[] = {
    {.name = "scheme",
     .forms = WY_FORM_WORD,
     .words = no_words,
     .more_words = scheme_at,
     .fallback = "`staggered`",
     .meaning = "The discretisation in space. `mixed` and `box` have their own in time, too."},
    {.name = "integrator",
     .forms = WY_FORM_WORD,
     .words = integrators,
     .more_words = integrator_at,
     .fallback = "`auto`",
     .analyses = MOVING,
     .meaning = "The time integration method. `withy methods` prints what goes together."},
    {.name = "tolerance",
     .forms = WY_FORM_NUMBER | WY_FORM_MAPPING,
     .sign = WY_POSITIVE,
     .mapping = &tolerance,
     .fallback = "`1e-6`",
     .analyses = MOVING,
     .steps = WY_ADAPTIVE_STEPS,
     .meaning = "Tolerance of the error control of steps; at least 1e-13."},
    {.name = "accuracy",
     .forms = WY_FORM_NUMBER,
     .range = "from 1e-4 to 0.1",
     .fallback = "no error is asked for",
     .with = {"staggered", "conserving"},
     .analyses = 1 << WY_DYNAMICS | 1 << WY_QUASISTATICS | 1 << WY_STATICS,
     .expected = "the largest error of a point of the rod in lengths of the rod, a number from 1e-4 to 0.1",
     .meaning = "Largest error of grid and steps in lengths of the rod. `segments`, `grading`, `scheme`, `integrator`, "
                "`tolerance`, `curvature_measure` and `clamp` are chosen for it, but for those that are given; `withy "
                "check` says what was chosen and why."},
    {.name = "step",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .fallback = "chosen",
     .analyses = MOVING,
     .meaning = "The fixed step, or the first step under error control. `time.output`, `frames` and `end` "
                "must be multiples "
                "of a fixed step."},
    {.name = "allow_drift",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .fallback = "`1e-6` for methods that keep the energy, else `0.2`",
     .analyses = MOVING,
     .meaning = "Energy drift above which a result is reported as wrong. Raise it where a drift is intended, such as "
                "the numerical damping of `box`; up to this value there is no warning."},
    {.name = "continuation",
     .forms = WY_FORM_WORD,
     .words = continuations,
     .fallback = "`load_stepping`",
     .analyses = RESTING,
     .meaning = "How a path of equilibria is followed."},
    {.name = "increments",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1000000,
     .fallback = "`25`",
     .analyses = RESTING,
     .meaning = "Number of increments to begin with. Their size is then adapted."},
    {.name = "branch",
     .forms = WY_FORM_WORD,
     .words = branches,
     .fallback = "`follow`",
     .analyses = RESTING,
     .meaning = "What to do at a bifurcation."},
    {.name = "newton",
     .forms = WY_FORM_MAPPING,
     .mapping = &newton,
     .fallback = "see its keys",
     .analyses = RESTING | MOVING,
     .steps = WY_FIXED_STEPS,
     .meaning = "When Newton's method stops."},
    {.name = "modes",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1000,
     .fallback = "`10`; `4` for `buckling`",
     .analyses = SHAPES,
     .meaning = "Number of modes or buckling factors. It belongs to the whole file, not to one rod."},
    MEASURE_KEY("curvature_measure", "Formula for the curvature of two neighbouring segments. It takes their angle."),
    MEASURE_KEY("curvature", "The same as `curvature_measure`."),
    {.name = "clamp",
     .forms = WY_FORM_WORD,
     .words = clamps,
     .fallback = "`half_cell`",
     .with = {"staggered"},
     .meaning = "The cells at ends whose rotation is held. `corrected` is for rods without actuators, joints and ends "
                "that are released."},
    {.name = "coordinates",
     .forms = WY_FORM_WORD,
     .words = coordinates,
     .fallback = "`nullspace`",
     .with = {"staggered"},
     .meaning = "The unknowns that describe the rates of rotation."},
    {.name = "segment_inertia",
     .forms = WY_FORM_WORD,
     .words = inertias,
     .fallback = "`disc`",
     .with = {"staggered"},
     .meaning = "The rotary inertia of a segment."},
    {.name = "stabilisation",
     .forms = WY_FORM_WORD | WY_FORM_MAPPING,
     .words = stabilisations,
     .mapping = &stabilisation,
     .fallback = "`projection`; `baumgarte` for multistep methods",
     .with = {"staggered"},
     .meaning = "How constraints are kept. One of them is the unit length of quaternions."},
    {.name = "order",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 4,
     .fallback = "`2`",
     .with = {"mixed", "conserving"},
     .meaning = "Order of the scheme. `mixed`: of its polynomials, 1 or 2; `conserving`: of its differences, 2 or 4."},
    {.name = "end_moment",
     .forms = WY_FORM_WORD,
     .words = end_moments,
     .fallback = "`corrected`",
     .with = {"mixed"},
     .meaning = "How moments at nodes are discretised."},
    {.name = "rho_inf",
     .forms = WY_FORM_NUMBER,
     .range = "from 0 to 1",
     .fallback = "`0.8`",
     .with = {"box"},
     .analyses = MOVING,
     .meaning =
         "Spectral radius at infinite frequency. 1 damps nothing, 0 removes the fastest vibrations in one step."},
    COEFFICIENT("alpha", "< 1",
                "With `beta` and `gamma` in place of `rho_inf`. Second order if alpha - beta + gamma = 1/2; stable if "
                "also alpha and beta are at most, gamma at least 1/2."),
    COEFFICIENT("beta", "< 1", "See `alpha`."),
    COEFFICIENT("gamma", "> 0", "See `alpha`."),
    {.name = "transport",
     .forms = WY_FORM_CHOICE,
     .words = transports,
     .fallback = "`true`",
     .with = {"box"},
     .meaning = "How vectors at the two ends of a cell are averaged."},
    SECTION_FORCE_KEY("section_force", false),
    SECTION_FORCE_KEY("contact_force", true),
    {0}};

static const wy_example solver_examples[] = {
    {"{accuracy: 1.0e-2}", "a hundredth of the length, with whatever grid and method that takes"},
    {"{integrator: rodas, tolerance: 1.0e-5}", "faster, for pictures"},
    {"{scheme: mixed, order: 2, end_moment: corrected, step: 0.01, newton: {iterations: 30}}",
     "large fixed steps that keep the energy"},
    {"{scheme: conserving, order: 4, integrator: discrete_gradient, step: 0.01}", "for cosserat rods"},
    {"{scheme: box, rho_inf: 0.5, transport: true, section_force: history}", "for inextensible rods"},
    {"{scheme: box, alpha: 0.3, beta: 0, gamma: 0.7, allow_drift: 0.9}", "backward Euler, whose damping is meant"},
    {"{continuation: arc_length, increments: 50, branch: switch}", "a path of equilibria past limit points"},
    {"{modes: 6}", NULL},
    {"{curvature_measure: angle, clamp: corrected, coordinates: absolute, segment_inertia: cylinder, stabilisation: "
     "baumgarte}",
     "choices of the scheme staggered"},
    {"{curvature: sin2}", NULL},
    {0}};

const wy_mapping wy_schema_solver = {
    .path = "solver",
    .what = "the solver",
    .summary = "How to solve: for all rods, or under `rods[].solver` for one. The defaults suit most rods.",
    .more = "[Which scheme](scenario.md#the-solver), [which integrator](scenario.md#which-integrator)",
    .selector = "scheme",
    .keys = solver_keys,
    .examples = solver_examples};
