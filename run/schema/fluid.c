/* SPDX-License-Identifier: MIT */
/* The schema of a fluid around rods. */
#include "run/schema/schema.h"

static const wy_word lifts[] = {{.name = "false", .meaning = "the fluid has no weight", .value = false},
                                {.name = "true", .meaning = "the weight of the displaced fluid lifts", .value = true},
                                {0}};

#define COEFFICIENT .forms = WY_FORM_NUMBER, .sign = WY_NOT_NEGATIVE, .fallback = "`0`"

static const wy_key fluid_keys[] = {
    {.name = "density",
     .forms = WY_FORM_NUMBER,
     .sign = WY_NOT_NEGATIVE,
     .unit = "kg/m^3",
     .fallback = "required, here or at the top",
     .meaning = "Mass per volume of the fluid. 0: no fluid."},
    {.name = "velocity",
     .forms = WY_FORM_VECTOR,
     .count = 3,
     .of = WY_TIME | WY_X | WY_Y | WY_Z,
     .unit = "m/s",
     .fallback = "`[0, 0, 0]`",
     .meaning = "Velocity of the fluid at the place (x, y, z), space axes."},
    {.name = "normal", COEFFICIENT, .meaning = "Drag coefficient Cn across the rod."},
    {.name = "tangential", COEFFICIENT, .meaning = "Drag coefficient Ct along d3."},
    {.name = "added_mass", COEFFICIENT, .meaning = "Coefficient Ca of added mass, across the rod."},
    {.name = "buoyancy",
     .forms = WY_FORM_CHOICE,
     .words = lifts,
     .fallback = "`true`",
     .meaning = "Whether the weight of the displaced fluid lifts."},
    {.name = "diameter",
     .forms = WY_FORM_NUMBER,
     .of = WY_ARC,
     .sign = WY_POSITIVE,
     .unit = "m",
     .fallback = "outer diameter of a round section; else required",
     .meaning = "The diameter that the fluid sees."},
    {0}};

static const wy_example fluid_examples[] = {
    {"{density: 1025, velocity: [\"0.8*exp(z/50)\", 0, 0], normal: 1.2, tangential: 0.01, "
     "added_mass: 1, diameter: 0.3}",
     "water with a current that becomes slower with depth"},
    {"{density: 1.2, velocity: [12, 0, 0], normal: 1.1, buoyancy: false}", "wind"},
    {0}};

const wy_mapping wy_schema_fluid = {
    .path = "fluid",
    .what = "a fluid",
    .summary = "The fluid around the rods, by Morison's equation. At the top for all rods; the keys of a rod's own "
               "`fluid` replace those of the top.",
    .more = "[Guide](scenario.md#a-fluid-around-the-rods), [theory](../theory/fluid.md)",
    .keys = fluid_keys,
    .examples = fluid_examples};
