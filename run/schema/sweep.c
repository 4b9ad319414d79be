/* SPDX-License-Identifier: MIT */
/* The schema of plans of sweeps. */
#include "run/schema/sweep.h"

/* ---- What varies ---- */

static const wy_word scales[] = {{.name = "linear", .meaning = "equal distances", .value = 0},
                                 {.name = "log", .meaning = "equal ratios; `from` and `to` are > 0", .value = 1},
                                 {0}};

static const wy_key vary_keys[] = {
    {.name = "from", .forms = WY_FORM_NUMBER, .fallback = "with `to`: a range", .meaning = "The first value."},
    {.name = "to", .forms = WY_FORM_NUMBER, .fallback = "with `from`: a range", .meaning = "The last value."},
    {.name = "count",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = WY_PLAN_MOST_POINTS,
     .fallback = "none: every value from `from` to `to` is possible, for `latin`, `sobol` and `random`",
     .meaning = "How many values, `from` and `to` included."},
    {.name = "scale",
     .forms = WY_FORM_WORD,
     .words = scales,
     .fallback = "`linear`",
     .meaning = "How the values are spread from `from` to `to`."},
    {.name = "mean",
     .forms = WY_FORM_NUMBER,
     .fallback = "with `deviation`: a normal distribution",
     .meaning = "Mean value of a normal distribution."},
    {.name = "deviation",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .fallback = "with `mean`: a normal distribution",
     .meaning = "Standard deviation of a normal distribution."},
    {.name = "unit",
     .forms = WY_FORM_TEXT,
     .fallback = "that of the key in the scenario",
     .meaning = "Unit of all these numbers: it is written behind each value."},
    {0}};

static const wy_example vary_examples[] = {
    {"{from: 10, to: 40, count: 4}", "10, 20, 30, 40"},
    {"{from: 1e6, to: 1e9, count: 4, scale: log, unit: Pa}", "1e6 Pa, 1e7 Pa, 1e8 Pa, 1e9 Pa"},
    {"{mean: 5, deviation: 0.1, unit: mm}", "a normal distribution"},
    {0}};

const wy_mapping wy_schema_vary = {.path = "vary.NAME",
                                   .what = "a range or a distribution",
                                   .plural = "values",
                                   .named = "rods.arm.segments",
                                   .summary =
                                       "The values of a key of the scenario: a list, a range, or a distribution.",
                                   .keys = vary_keys,
                                   .examples = vary_examples};

/* ---- What is kept ---- */

static const wy_word ofs[] = {
    {.name = "end", .meaning = "the last row", .value = WY_KEEP_END},
    {.name = "start", .meaning = "the first row", .value = WY_KEEP_START},
    {.name = "min", .meaning = "the smallest value of all rows", .value = WY_KEEP_MIN},
    {.name = "max", .meaning = "the largest value of all rows", .value = WY_KEEP_MAX},
    {.name = "mean", .meaning = "the mean over time, by the trapezoidal rule", .value = WY_KEEP_MEAN},
    {.name = "rms", .meaning = "the root of the mean of squares over time", .value = WY_KEEP_RMS},
    {.name = "range", .meaning = "the largest minus the smallest value", .value = WY_KEEP_RANGE},
    {.name = "series", .meaning = "all rows; they go to sweep.h5", .value = WY_KEEP_SERIES},
    {.name = "omega", .meaning = "angular frequency of a mode", .unit = "rad/s", .value = WY_KEEP_OMEGA},
    {.name = "frequency", .meaning = "frequency of a mode", .unit = "Hz", .value = WY_KEEP_FREQUENCY},
    {.name = "damping_ratio", .meaning = "damping ratio of a mode", .value = WY_KEEP_DAMPING_RATIO},
    {.name = "factor", .meaning = "factor of the loads at which the rod buckles", .value = WY_KEEP_FACTOR},
    {0}};

static const wy_word runs[] = {
    {.name = "steps", .meaning = "accepted steps, or equilibria", .value = WY_KEEP_STEPS},
    {.name = "rejected", .meaning = "rejected steps", .value = WY_KEEP_REJECTED},
    {.name = "rhs", .meaning = "evaluations of right-hand sides", .value = WY_KEEP_RHS},
    {.name = "jacobians", .meaning = "Jacobian matrices", .value = WY_KEEP_JACOBIANS},
    {.name = "factorisations", .meaning = "factorisations of matrices", .value = WY_KEEP_FACTORISATIONS},
    {.name = "newton_iterations", .meaning = "iterations of Newton's method", .value = WY_KEEP_NEWTON},
    {.name = "drift", .meaning = "energy drift (dynamics)", .value = WY_KEEP_DRIFT},
    {.name = "seconds", .meaning = "wall time, which no two runs share", .unit = "s", .value = WY_KEEP_SECONDS},
    {0}};

static const wy_key keep_keys[] = {
    {.name = "probe",
     .forms = WY_FORM_TEXT,
     .fallback = "one of `probe`, `mode`, `run`",
     .expected = "a column of probes.csv",
     .meaning = "A column of `probes.csv`: `tip.z`. With `of: series` also a probe with all its columns."},
    {.name = "mode",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = WY_PLAN_MOST_MODES,
     .fallback = "one of `probe`, `mode`, `run`",
     .meaning = "Number of a mode or of a buckling factor, from 1."},
    {.name = "run",
     .forms = WY_FORM_WORD,
     .words = runs,
     .fallback = "one of `probe`, `mode`, `run`",
     .meaning = "What the run cost, or how well it conserved energy."},
    {.name = "of",
     .forms = WY_FORM_WORD,
     .words = ofs,
     .fallback = "`end`; of a mode `omega` or `factor`",
     .meaning = "Which number is made of the course of the probe, or of the mode."},
    {0}};

static const wy_example keep_examples[] = {
    {"{probe: tip.z, of: min}", NULL}, {"{mode: 1, of: frequency}", NULL}, {"{run: steps}", NULL}, {0}};

const wy_mapping wy_schema_keep = {.path = "keep.NAME",
                                   .what = "what is kept",
                                   .plural = "quantities",
                                   .named = "sag",
                                   .summary = "A number of each run, or a course in time: a column of sweep.csv.",
                                   .keys = keep_keys,
                                   .examples = keep_examples};

/* ---- The plan ---- */

static const wy_word combines[] = {
    {.name = "grid", .meaning = "every value with every other; the first key varies slowest", .value = WY_GRID},
    {.name = "zip", .meaning = "the first values together, the second ones, and so on", .value = WY_ZIP},
    {.name = "latin", .meaning = "Latin hypercube: each of `count` equal slices is met once", .value = WY_LATIN},
    {.name = "sobol", .meaning = "Sobol's sequence, shifted by `seed`; up to 40 keys", .value = WY_SOBOL},
    {.name = "random", .meaning = "independent random points", .value = WY_RANDOM},
    {0}};

static const wy_word batched[] = {{.name = "false", .meaning = "each point is a run of its own", .value = 0},
                                  {.name = "true", .meaning = "all points are one batch", .value = 1},
                                  {0}};

static const wy_key plan_keys[] = {
    {.name = "withy",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = 1,
     .required = true,
     .expected = "the version 1",
     .meaning = "Version of the format: 1."},
    {.name = "scenario",
     .forms = WY_FORM_TEXT,
     .required = true,
     .expected = "a scenario: a file, or the name of a built-in one",
     .meaning = "The scenario: a file, relative to the plan, or the name of a built-in one."},
    {.name = "set",
     .forms = WY_FORM_NAMED,
     .fallback = "none",
     .expected = "a mapping of keys of the scenario to values",
     .meaning = "Values of the scenario for all points, as with `--set`."},
    {.name = "vary",
     .forms = WY_FORM_NAMED,
     .mapping = &wy_schema_vary,
     .required = true,
     .expected = "a mapping of keys of the scenario to lists, ranges or distributions",
     .meaning = "What varies: keys of the scenario, as with `--set`."},
    {.name = "combine",
     .forms = WY_FORM_WORD,
     .words = combines,
     .fallback = "`grid`",
     .meaning = "How points are made of what varies."},
    {.name = "count",
     .forms = WY_FORM_WHOLE,
     .least = 1,
     .most = WY_PLAN_MOST_POINTS,
     .fallback = "required for `latin`, `sobol` and `random`",
     .meaning = "Number of points."},
    {.name = "seed",
     .forms = WY_FORM_WHOLE,
     .least = 0,
     .most = 2147483647,
     .fallback = "1",
     .meaning = "Another seed gives other points of `latin`, `random` and `sobol`. 0 leaves Sobol's sequence as it is "
                "published."},
    {.name = "keep",
     .forms = WY_FORM_NAMED,
     .mapping = &wy_schema_keep,
     .fallback = "every column of `probes.csv` at the end, and all modes",
     .expected = "a mapping of names to quantities, or to expressions of the names before them",
     .meaning = "What is kept of each run: columns of `sweep.csv`. An expression may use the names before it."},
    {.name = "batch",
     .forms = WY_FORM_CHOICE | WY_FORM_MAPPING,
     .words = batched,
     .mapping = &wy_schema_sweep_batch,
     .fallback = "`false`",
     .expected = "true, false, or a mapping of substeps, tolerance, retries, precision, device and integrator",
     .meaning =
         "Computes all points at once as the rods of a batch, where they differ only in numbers that a batch can "
         "vary. Rows have the error of a batch then."},
    {0}};

static const wy_example plan_examples[] = {{"withy: 1\n"
                                            "scenario: rubber-pendulum\n"
                                            "set: {time.end: 0.2}\n"
                                            "vary:\n"
                                            "  rods.pendulum.segments: [5, 10, 20]\n"
                                            "  solver.tolerance: {from: 1e-6, to: 1e-3, count: 4, scale: log}\n"
                                            "combine: grid\n"
                                            "keep:\n"
                                            "  sag: {probe: tip.z, of: min}\n"
                                            "  work: {run: steps}\n"
                                            "  each: sag / work\n",
                                            "a grid of 12 points"},
                                           {"withy: 1\n"
                                            "scenario: rubber-pendulum\n"
                                            "vary:\n"
                                            "  rods.pendulum.section.radius: {mean: 5, deviation: 0.1, unit: mm}\n"
                                            "  gravity: [\"[0, 0, -9.81]\", \"[0, 0, -1.62]\"]\n"
                                            "combine: sobol\n"
                                            "count: 64\n"
                                            "seed: 7\n",
                                            "64 points that fill space evenly"},
                                           {"withy: 1\n"
                                            "scenario: rubber-pendulum\n"
                                            "set:\n"
                                            "  probes: [{name: tip, rod: pendulum, at: end, quantity: position}]\n"
                                            "vary:\n"
                                            "  rods.pendulum.material.young: {from: 1e6, to: 1e8, count: 1000, scale: "
                                            "log}\n"
                                            "keep: {swing: {probe: tip.y, of: range}}\n"
                                            "batch: {substeps: 16}\n",
                                            "1000 points as one batch"},
                                           {0}};

const wy_mapping wy_schema_plan = {.path = "",
                                   .what = "the plan",
                                   .summary = "The keys at the top of a plan.",
                                   .more = "[Sweeps](sweep.md)",
                                   .keys = plan_keys,
                                   .examples = plan_examples};

const wy_key wy_schema_plan_root = {
    .name = "", .forms = WY_FORM_MAPPING, .mapping = &wy_schema_plan, .required = true, .meaning = "The plan."};
